"""Shadow maps: how high things stand over every spot of the felt, along the lamp's rays and straight from above."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from datasets.casino import gl
from datasets.casino.batches import batches
from datasets.casino.scenery import Boxes, Drawn, Scenery

if TYPE_CHECKING:
    import moderngl

PX_PER_MM = 0.8
MARGIN_MM = 160.0
NEAREST, LINEAR = 9728, 9729  # OpenGL's own numbers
HEIGHTS_MM = (-60.0, 640.0)


class Shadows:
    """Keeps the two maps up to date, drawing again only where something changed."""

    def __init__(self, scenery: Scenery) -> None:
        self._scenery = scenery
        left, top, right, bottom = scenery.felt_span
        self.span = left - MARGIN_MM, top - MARGIN_MM, right - left + 2 * MARGIN_MM, bottom - top + 2 * MARGIN_MM
        self._size = round(self.span[2] * PX_PER_MM), round(self.span[3] * PX_PER_MM)
        context = gl.context()
        self.key, self.sky = (context.depth_texture(self._size) for _ in range(2))
        self._canvases = [context.framebuffer(depth_attachment=texture) for texture in (self.key, self.sky)]
        self.raw = context.sampler(texture=self.key, filter=(NEAREST, NEAREST), repeat_x=False, repeat_y=False)
        self.compared = [
            context.sampler(texture=texture, filter=(LINEAR, LINEAR), repeat_x=False, repeat_y=False)
            for texture in (self.key, self.sky)
        ]
        for sampler in self.compared:
            sampler.compare_func = "<="

    def update(self, drawn: Sequence[Drawn], changed: Sequence[Drawn] | None) -> None:
        """Draw the maps for all that is `drawn`, only where the `changed` ones reach (everywhere: None)."""
        for canvas, slant, of_sky in zip(self._canvases, (self._scenery.slant, (0.0, 0.0)), (False, True), strict=True):
            touched = None if changed is None else [one for one in changed if not (of_sky and one.in_air)]
            if touched is not None and not touched:
                continue
            area = None if touched is None else _bounds([one.ground if of_sky else one.shadow for one in touched])
            self._draw(canvas, slant, of_sky, drawn, area)

    def _draw(
        self,
        canvas: moderngl.Framebuffer,
        slant: tuple[float, float],
        of_sky: bool,
        drawn: Sequence[Drawn],
        area: Boxes | None,
    ) -> None:
        box = np.array([0, 0, *self._size]) if area is None else self._pixels(area)
        x0, y0, x1, y1 = (int(value) for value in box)
        if x1 <= x0 or y1 <= y0:
            return
        canvas.scissor = (x0, y0, x1 - x0, y1 - y0)
        canvas.use()
        gl.context().enable_only(gl.context().DEPTH_TEST)
        canvas.clear(depth=1.0)
        program = gl.programs()["shadow"]
        program["slant"], program["span"], program["heights"] = slant, self.span, HEIGHTS_MM
        casting = [one for one in drawn if not (of_sky and one.in_air)]
        for (name, _), rows in batches(casting, [one.ground if of_sky else one.shadow for one in casting], area):
            self._scenery.body(name).draw("shadow", rows)
        canvas.scissor = (0, 0, *self._size)

    def _pixels(self, area: Boxes) -> Boxes:
        corner = np.asarray(self.span[:2] * 2)
        pixels = (area - corner) * PX_PER_MM + [-2, -2, 3, 3]
        return np.asarray(np.clip(pixels, 0, [*self._size, *self._size]), np.float64)


def _bounds(boxes: Sequence[Boxes]) -> Boxes:
    everything = np.concatenate(boxes)
    return np.concatenate([everything[:, :2].min(0) - 4, everything[:, 2:].max(0) + 4])
