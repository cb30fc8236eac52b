"""Chips as they are printed: a square of art per colour, the face above, the edge unrolled below."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from datasets.casino.lettering import write
from datasets.casino.suits import draw_suit

Picture = npt.NDArray[np.uint8]
Colour = tuple[int, int, int]
ART_PX = 256
CENTRE_PX, RADIUS_PX = 0.45 * ART_PX, 0.44 * ART_PX  # of the face in its art; meshes.chip knows them too

COLOURS: dict[str, Colour] = {  # BGR of the clay
    "white": (222, 228, 230), "red": (38, 30, 178), "green": (62, 108, 24), "black": (36, 32, 32),
    "blue": (160, 78, 26), "purple": (122, 40, 92), "yellow": (40, 190, 232), "orange": (24, 112, 232),
    "pink": (160, 120, 232), "brown": (38, 62, 104), "grey": (128, 128, 126), "lime": (60, 190, 130),
}  # fmt: skip
SPOT_COLOURS: dict[str, tuple[Colour, Colour]] = {  # what the edge spots are made of; the second only in some designs
    "white": ((160, 70, 30), (40, 30, 170)), "yellow": ((40, 40, 50), (60, 110, 30)),
    "pink": ((236, 238, 240), (120, 40, 90)),
    "lime": ((60, 90, 20), (236, 238, 240)), "grey": ((236, 238, 240), (40, 30, 170)),
}  # fmt: skip
CREAM: Colour = (226, 236, 240)
_USUAL_SPOTS: tuple[Colour, Colour] = (CREAM, (60, 170, 220))


@dataclass(frozen=True, slots=True, kw_only=True)
class Paint:
    """What one chip of a set is made of: its clay, and what its edge spots are."""

    clay: Colour
    spot: Colour
    second: Colour  # only in designs with split spots


PAINTS: dict[str, Paint] = {
    name: Paint(clay=clay, spot=SPOT_COLOURS.get(name, _USUAL_SPOTS)[0], second=SPOT_COLOURS.get(name, _USUAL_SPOTS)[1])
    for name, clay in COLOURS.items()
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipDesign:
    """What all colours of one set have in common."""

    name: str
    spots: int = 8
    spot_share: float = 0.42  # of the rim
    split_spots: bool = False  # a spot of two colours
    inlay: str = "suits"  # "suits", "ring", "word", "none"
    inlay_share: float = 0.54  # of the radius
    gloss: float = 0.22
    paints: tuple[tuple[str, Paint], ...] = ()  # colours that are made otherwise than usual

    def paint(self, colour: str) -> Paint:
        """What the set's chip of a colour is made of."""
        return dict(self.paints).get(colour, PAINTS[colour])


DESIGNS: dict[str, ChipDesign] = {
    design.name: design
    for design in (
        ChipDesign(name="house"),
        ChipDesign(name="six", spots=6, spot_share=0.34, split_spots=True, inlay="word"),
        ChipDesign(name="fine", spots=12, spot_share=0.3, inlay="ring", inlay_share=0.46),
        ChipDesign(name="wheel", spots=6, spot_share=0.22, inlay="ring", inlay_share=0.62, gloss=0.3),
        ChipDesign(name="broad", spots=4, spot_share=0.4, split_spots=True, inlay="suits", inlay_share=0.5),
    )
}


@lru_cache(maxsize=256)
def chip_art(design: ChipDesign, colour: str) -> Picture:
    """The art of one chip."""
    over = 2
    size = ART_PX * over
    paint = design.paint(colour)
    y, x = np.mgrid[0:size, 0:size].astype(np.float32) / over
    radius = np.hypot(x - CENTRE_PX, y - CENTRE_PX) / RADIUS_PX
    angle = (np.arctan2(y - CENTRE_PX, x - CENTRE_PX) / (2 * np.pi)) % 1.0
    picture = np.empty((size, size, 3), np.float32)
    picture[:] = paint.clay
    spotted = radius > (0.74 if design.inlay_share < 0.6 else 0.8)
    _paint_spots(picture, design, angle, spotted & (y < 0.9 * ART_PX), paint)
    _paint_spots(picture, design, x / ART_PX, y >= 0.9 * ART_PX, paint)
    groove = np.abs(radius - 0.7) < 0.012
    picture[groove & (y < 0.9 * ART_PX)] *= 0.82
    art = np.clip(picture, 0, 255).astype(np.uint8)
    _paint_inlay(art, design, colour, over)
    return np.asarray(cv2.resize(art, (ART_PX, ART_PX), interpolation=cv2.INTER_AREA), np.uint8)


def _paint_spots(
    picture: npt.NDArray[np.float32], design: ChipDesign, turn: npt.NDArray[np.float32],
    where: npt.NDArray[np.bool_], paint: Paint,
) -> None:  # fmt: skip
    phase = (turn * design.spots) % 1.0
    picture[where & (phase < design.spot_share)] = paint.spot
    if design.split_spots:
        middle = (phase > design.spot_share * 0.36) & (phase < design.spot_share * 0.64)
        picture[where & middle] = paint.second


def _paint_inlay(art: Picture, design: ChipDesign, colour: str, over: int) -> None:
    if design.inlay == "none":
        return
    centre = round(CENTRE_PX * over), round(CENTRE_PX * over)
    radius = round(RADIUS_PX * over * design.inlay_share)
    clay = design.paint(colour).clay
    ink: Colour = (60, 50, 45) if colour in ("white", "yellow", "lime") else clay
    cv2.circle(art, centre, radius, CREAM, -1, cv2.LINE_AA)
    cv2.circle(art, centre, round(radius * 0.93), ink, 3 * over, cv2.LINE_AA)
    if design.inlay == "ring":
        cv2.circle(art, centre, round(radius * 0.7), clay, -1, cv2.LINE_AA)
    elif design.inlay == "suits":
        for suit, (dx, dy) in zip("shcd", ((0, -1), (1, 0), (0, 1), (-1, 0)), strict=True):
            at = centre[0] + dx * radius * 0.48, centre[1] + dy * radius * 0.48
            draw_suit(art, suit, at, radius * 0.5, ink)
    else:
        write(art, "fairdeal", centre, radius * 0.32, ink, typeface="italic", weight=700)
        cv2.line(
            art,
            (centre[0] - radius // 2, centre[1] + radius // 3),
            (centre[0] + radius // 2, centre[1] + radius // 3),
            ink,
            2 * over,
        )


ROLL_CHIPS = 16


@lru_cache(maxsize=256)
def roll_art(design: ChipDesign, colour: str) -> Picture:
    """The edges of chips lying in a float: once round across the art, chip after chip down its middle third."""
    edge = chip_art(design, colour)[round(0.955 * ART_PX)]
    rng = np.random.default_rng(len(colour))
    picture = np.empty((ART_PX, ART_PX, 3), np.uint8)
    picture[:] = design.paint(colour).clay
    top, height = ART_PX / 3, ART_PX / 3 / ROLL_CHIPS
    for chip in range(ROLL_CHIPS):
        y0, y1 = round(top + chip * height), round(top + (chip + 1) * height)
        picture[y0:y1] = np.roll(edge, int(rng.integers(ART_PX)), axis=0)
        picture[y0] = picture[y0] // 3
    return picture
