"""The painter: sets the light and the lens, and draws what touches a rectangle of the picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

import numpy as np

from datasets.casino import gl
from datasets.casino.batches import batches
from datasets.casino.rectangles import Rect
from datasets.casino.scenery import Drawn, Scenery
from datasets.casino.shadows import HEIGHTS_MM, Shadows

if TYPE_CHECKING:
    import moderngl

ONE_ROW = np.array([[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 1, 1, 0, 0, 0, 0, 0]], np.float32)
OPEN = frozenset({"rail", "wood", "glass"})  # meshes whose inner side may be seen
SHEET, PRINT, WEAVE, KEY_RAW, KEY_MAP, SKY_MAP = range(6)  # texture units


_LAST_SET_UP: WeakValueDictionary[str, Painter] = WeakValueDictionary()


class Painter:
    """Draws into whatever canvas is in use."""

    def __init__(self, scenery: Scenery, shadows: Shadows) -> None:
        self._scenery, self._shadows = scenery, shadows

    def paint(self, drawn: Sequence[Drawn], rect: Rect, program: str) -> None:
        """Everything in the rectangle: lit ("draw"), or as object ids ("id")."""
        context = gl.context()
        context.front_face = "ccw"
        self._set_up()
        window = np.array([rect.x0 - 1, rect.y0 - 1, rect.x1 + 1, rect.y1 + 1], np.float64)
        for (name, sheet), rows in batches(drawn, [one.boxes for one in drawn], window):
            context.enable_only(context.DEPTH_TEST | (0 if name in OPEN else context.CULL_FACE))
            if program == "draw":
                self._scenery.sheets[sheet].texture.use(SHEET)
                self._scenery.body(name).draw("skin" if name.startswith("hand/") else "thing", rows)
            else:
                self._scenery.body(name).draw(program, rows)
        context.enable_only(context.DEPTH_TEST)
        if program == "id":
            self._scenery.body("felt").draw("id", ONE_ROW)
            return
        self._scenery.felt_texture.use(PRINT)
        self._scenery.weave_texture.use(WEAVE)
        self._scenery.body("felt").draw("felt", ONE_ROW)
        self._scenery.carpet_texture.use(PRINT)
        self._scenery.body("floor").draw("floor", ONE_ROW)

    def _set_up(self) -> None:
        """Maps and uniforms; stages share the programs, so that the last to have set them up is remembered."""
        self._shadows.raw.use(KEY_RAW)
        self._shadows.key.use(KEY_RAW)
        for sampler, texture, unit in zip(
            self._shadows.compared, (self._shadows.key, self._shadows.sky), (KEY_MAP, SKY_MAP), strict=True
        ):
            sampler.use(unit)
            texture.use(unit)
        if _LAST_SET_UP.get("painter") is not self:
            for program in gl.programs().values():
                self._set_uniforms(program)
            _LAST_SET_UP["painter"] = self

    def _set_uniforms(self, program: moderngl.Program) -> None:
        camera, light = self._scenery.camera, self._scenery.look.light
        lamp_colour = tuple(value * light.lamp_strength for value in light.lamp_colour)
        values: dict[str, object] = {
            "eye": camera.eye, "axes": tuple(camera.axes().T.ravel()), "lens": (camera.k1, camera.k2, camera.fold_r2()),
            "focal": (2 * camera.focal_px / camera.size[0], 2 * camera.focal_px / camera.size[1]), "view": camera.eye,
            "lamp": light.lamp, "lamp_colour": lamp_colour, "lamp_width": light.lamp_width_mm, "room": light.room,
            "gain": tuple(value * light.exposure for value in light.balance),
            "slant": self._scenery.slant, "span": self._shadows.span, "heights": HEIGHTS_MM,
            "sheet": SHEET, "print": PRINT, "weave": WEAVE, "key_raw": KEY_RAW, "key_map": KEY_MAP, "sky_map": SKY_MAP,
        }  # fmt: skip
        for name, value in values.items():
            if name in program:
                program[name] = value
