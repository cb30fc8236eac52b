"""The stage: a table before a camera, drawn moment after moment; what did not move is not drawn again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from datasets.casino import gl
from datasets.casino.cameras import Camera
from datasets.casino.labels import Box, thing_box
from datasets.casino.looks import Look
from datasets.casino.painter import Painter
from datasets.casino.rectangles import FULL, Rect, grown, merged
from datasets.casino.scenery import Drawn, Scenery
from datasets.casino.shadows import Shadows
from datasets.casino.things import Moment, Thing
from vision.plan import Plan

Picture = npt.NDArray[np.uint8]
SAMPLES = 4


class Stage:
    """Draws moments of one table as one camera sees them (without the camera's own faults: see lens.py)."""

    def __init__(self, plan: Plan, look: Look, camera: Camera) -> None:
        self.plan, self.look, self.camera = plan, look, camera
        self._scenery = Scenery(plan, look, camera)
        self._shadows = Shadows(self._scenery)
        self._painter = Painter(self._scenery, self._shadows)
        context = gl.context()
        colour = context.renderbuffer(camera.size, 4, samples=SAMPLES)
        self._canvas = context.framebuffer([colour], context.depth_renderbuffer(camera.size, samples=SAMPLES))
        self._flat = context.framebuffer([context.renderbuffer(camera.size, 4)])
        self._picture: Picture = np.zeros((camera.size[1], camera.size[0], 3), np.uint8)
        self._shown: dict[int, Thing] | None = None

    def draw(self, moment: Moment) -> Picture:
        """The moment as a picture (BGR); it stays the caller's own."""
        self._show(moment)
        return self._picture.copy()

    def expose(self, moments: Sequence[Moment]) -> Picture:
        """The mean of several moments: what a shutter sees of things on the move."""
        total = np.zeros(self._picture.shape, np.uint16)
        for moment in moments:
            self._show(moment)
            total += self._picture
        return (total // len(moments)).astype(np.uint8)

    def ids(self, moment: Moment) -> npt.NDArray[np.int32]:
        """For every pixel the id of the thing that is seen there, 0 for the table itself."""
        context = gl.context()
        target = context.framebuffer(
            [context.renderbuffer(self.camera.size, 1, dtype="i4")], context.depth_renderbuffer(self.camera.size)
        )
        target.use()
        target.clear(depth=1.0)
        drawn = [self._scenery.room, *(self._scenery.drawn(thing) for thing in moment)]
        self._painter.paint(drawn, FULL, program="id")
        raw = target.read(components=1, dtype="i4", alignment=1)
        target.release()
        return np.frombuffer(raw, np.int32).reshape(self.camera.size[1], self.camera.size[0]).copy()

    def project(self, thing: Thing) -> Box:
        """The upright box of pixels around all of a thing, hidden or not (cards have quads too: see labels.py)."""
        return thing_box(thing, self.look, self.camera)

    def _show(self, moment: Moment) -> None:
        """Bring the canvas up to this moment."""
        things = {thing.id: thing for thing in moment}
        drawn = [self._scenery.room, *(self._scenery.drawn(thing) for thing in moment)]
        changed = (
            None if self._shown is None else [self._scenery.drawn(thing) for thing in _changed(self._shown, things)]
        )
        if changed is None:
            self._shadows.update(drawn, None)
            self._repaint(drawn, [FULL])
        elif changed:
            self._shadows.update(drawn, changed)
            self._repaint(drawn, merged([grown(one.reach, 2) for one in changed]))
        self._shown = things

    def _repaint(self, drawn: Iterable[Drawn], rects: Sequence[Rect]) -> None:
        width, height = self.camera.size
        clipped = [rect.clipped(width, height) for rect in rects]
        visible = [rect for rect in clipped if rect.width > 0 and rect.height > 0]
        everything = list(drawn)
        for rect in visible:
            self._canvas.scissor = (rect.x0, rect.y0, rect.width, rect.height)
            self._canvas.use()
            self._canvas.clear(depth=1.0)
            self._painter.paint(everything, rect, program="draw")
            gl.context().copy_framebuffer(self._flat, self._canvas)  # within the scissor: the rectangle alone
        self._canvas.scissor = (0, 0, width, height)
        for rect in visible:
            self._read(rect)

    def _read(self, rect: Rect) -> None:
        raw = self._flat.read(viewport=(rect.x0, rect.y0, rect.width, rect.height), components=3, alignment=1)
        self._picture[rect.y0 : rect.y1, rect.x0 : rect.x1] = np.frombuffer(raw, np.uint8).reshape(
            rect.height, rect.width, 3
        )


def _changed(before: dict[int, Thing], now: dict[int, Thing]) -> list[Thing]:
    """Things that came, went or moved, as they were and as they are."""
    gone = [thing for key, thing in before.items() if now.get(key) != thing]
    come = [thing for key, thing in now.items() if before.get(key) != thing]
    return gone + come
