"""Scenery: things and furniture turned into rows for the graphics card, with the pixels and felt they can reach."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from datasets.casino import furniture, textures
from datasets.casino.cameras import Camera
from datasets.casino.decks import DeckStyle
from datasets.casino.gl import INSTANCE_FLOATS, Body, Picture, Sheet, picture_texture
from datasets.casino.looks import Look
from datasets.casino.pieces import Piece, mesh, pieces
from datasets.casino.rectangles import Rect
from datasets.casino.sheets import deck_sheet, small_sheet
from datasets.casino.things import Thing
from vision.plan import Plan

Rows = npt.NDArray[np.float32]
Boxes = npt.NDArray[np.float64]
SOFT_MM = 18.0  # how far beside a thing the felt may be darkened by it
_KEPT = 6000  # drawn things remembered
_CORNERS = np.array([(i, j, k) for i in (0, 1) for j in (0, 1) for k in (0, 1)], np.float64)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Drawn:
    """One thing ready for the card: a row per piece, and where it shows."""

    groups: tuple[tuple[str, str], ...]  # mesh and sheet of each row
    rows: Rows
    boxes: Boxes  # pixels each piece covers: x0, y0, x1, y1
    shadow: Boxes  # felt each piece covers in the lamp's shadow map (mm)
    ground: Boxes  # felt below each piece (mm)
    in_air: bool
    reach: Rect  # all pixels that change when it comes or goes, shadows included


class Scenery:
    """Knows how every thing of one table is drawn for one camera; remembers what it worked out."""

    def __init__(self, plan: Plan, look: Look, camera: Camera) -> None:
        self.look, self.camera = look, camera
        felt_art, self.felt_span = textures.felt(plan, look.felt, look.seed)
        self.felt_texture = picture_texture(felt_art)
        self.weave_texture = picture_texture(textures.weave(look.seed), repeat=True)
        self.carpet_texture = picture_texture(textures.carpet(look.carpet, look.seed), repeat=True)
        left, top, right, bottom = self.felt_span
        self.slant = (
            ((left + right) / 2 - look.light.lamp[0]) / look.light.lamp[2],
            ((top + bottom) / 2 - look.light.lamp[1]) / look.light.lamp[2],
        )
        self.sheets = {"small": small(look)} | {style.name: deck(style) for style in look.decks}
        self.bodies = {name: Body(one) for name, one in furniture.room_meshes(plan, self.felt_span).items()}
        self._remembered: dict[Thing, Drawn] = {}
        self.room = self._prepare(furniture.room_pieces(plan, look), 0)

    def body(self, name: str) -> Body:
        if name not in self.bodies:
            self.bodies[name] = Body(mesh(name))
        return self.bodies[name]

    def drawn(self, thing: Thing) -> Drawn:
        if thing not in self._remembered:
            if len(self._remembered) > _KEPT:
                self._remembered.clear()
            self._remembered[thing] = self._prepare(pieces(thing, self.look), thing.id)
        return self._remembered[thing]

    def _prepare(self, made: Sequence[Piece], number: int) -> Drawn:
        rows = np.zeros((len(made), INSTANCE_FLOATS), np.float32)
        corners = np.zeros((len(made), 8, 3))
        groups = []
        for row, piece in enumerate(made):
            sheet = (
                piece.art[0].split("/")[0] if piece.mesh.startswith("card/") and piece.art[0] != "plain" else "small"
            )
            layers = self.sheets[sheet].layers
            groups.append((piece.mesh, sheet))
            rows[row, :12] = piece.matrix.ravel()
            rows[row, 12:] = (*piece.tint, piece.gloss, layers[piece.art[0]], layers[piece.art[1]], piece.bend, number)
            body = self.body(piece.mesh)
            low, high = body.low.astype(np.float64), body.high.astype(np.float64)
            low[2], high[2] = low[2] + min(piece.bend, 0.0), high[2] + max(piece.bend, 0.0)
            corners[row] = (low + _CORNERS * (high - low)) @ piece.matrix[:, :3].T + piece.matrix[:, 3]
        return self._placed(tuple(groups), rows, corners, any(piece.in_air for piece in made))

    def _placed(self, groups: tuple[tuple[str, str], ...], rows: Rows, corners: Boxes, in_air: bool) -> Drawn:
        cast = corners[..., :2] + corners[..., 2:] * np.asarray(self.slant)
        shadow, ground = _spans(cast), _spans(corners[..., :2])
        boxes = _spans(self.camera.project(corners).reshape(-1, 8, 2))
        margin = SOFT_MM * np.array([-1, -1, 1, 1])
        dark = [shadow + margin] if in_air else [shadow + margin, ground + margin]
        felt = np.concatenate(dark)
        spots = np.stack([felt[:, [0, 1]], felt[:, [2, 1]], felt[:, [2, 3]], felt[:, [0, 3]]], axis=1).reshape(-1, 2)
        seen = np.concatenate(
            [boxes.reshape(-1, 2), self.camera.project(np.column_stack([spots, np.zeros(len(spots))]))]
        )
        low, high = np.clip(seen.min(0), -1e5, 1e5), np.clip(seen.max(0), -1e5, 1e5)
        reach = Rect(int(np.floor(low[0])), int(np.floor(low[1])), int(np.ceil(high[0])), int(np.ceil(high[1])))
        return Drawn(groups=groups, rows=rows, boxes=boxes, shadow=shadow, ground=ground, in_air=in_air, reach=reach)


def _spans(points: Boxes) -> Boxes:
    """Bounds (n x 4) of n sets of points."""
    return np.concatenate([points.min(1), points.max(1)], axis=1)


_SHEETS: dict[str, Sheet] = {}  # textures of this process: tables share decks and chips; the oldest go first
_SHEETS_KEPT = 8


def small(look: Look) -> Sheet:
    return _sheet(f"small/{look.chips.name}", lambda: small_sheet(look.chips))


def deck(style: DeckStyle) -> Sheet:
    return _sheet(f"deck/{style.name}", lambda: deck_sheet(style))


def _sheet(key: str, art: Callable[[], Mapping[str, Picture]]) -> Sheet:
    if key not in _SHEETS:
        while len(_SHEETS) >= _SHEETS_KEPT:
            del _SHEETS[next(iter(_SHEETS))]
        _SHEETS[key] = Sheet(art())
    return _SHEETS[key]
