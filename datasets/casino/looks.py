"""Looks: everything about a casino that does not change the game: colours, decks, chips, light, people."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np

from datasets.casino.chip_designs import DESIGNS, ChipDesign
from datasets.casino.decks import STYLES, DeckStyle

Colour = tuple[int, int, int]  # BGR
Shade = tuple[float, float, float]  # BGR, 1 = full

FELTS: tuple[Colour, ...] = (
    (58, 88, 22),
    (112, 66, 22),
    (46, 38, 98),
    (82, 74, 14),
    (70, 56, 60),
    (58, 84, 34),
    (120, 84, 40),
)
RAILS: tuple[Colour, ...] = ((34, 30, 30), (28, 44, 84), (42, 34, 30), (38, 40, 110), (60, 92, 128))
CARPETS: tuple[Colour, ...] = ((26, 22, 48), (44, 30, 22), (22, 28, 40), (34, 26, 38))
SKINS: tuple[Colour, ...] = (
    (150, 180, 224),
    (128, 160, 208),
    (104, 138, 190),
    (84, 116, 166),
    (58, 84, 128),
    (38, 56, 88),
    (140, 172, 232),
)
SLEEVES: tuple[Colour, ...] = (
    (34, 30, 30),
    (228, 230, 232),
    (90, 58, 40),
    (60, 60, 62),
    (40, 36, 92),
    (150, 128, 96),
    (86, 96, 88),
    (176, 160, 150),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Light:
    """One key lamp that throws shadows, the room's own light, and how the camera answers to both."""

    lamp: tuple[float, float, float] = (-260.0, 300.0, 1700.0)  # mm
    lamp_colour: Shade = (0.86, 0.95, 1.0)
    lamp_strength: float = 1.0
    lamp_width_mm: float = 330.0  # wide lamps throw soft shadows
    room: Shade = (0.46, 0.43, 0.41)
    exposure: float = 1.0
    balance: Shade = (1.0, 1.0, 1.0)  # what the camera's white balance leaves over


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How one table looks."""

    felt: Colour = FELTS[0]
    rail: Colour = RAILS[0]
    carpet: Colour = CARPETS[0]
    decks: tuple[DeckStyle, ...] = (STYLES["house"], STYLES["house-blue"])
    chips: ChipDesign = DESIGNS["house"]
    card_gloss: float = 0.42
    light: Light = Light()
    dealer_sleeve: Colour = SLEEVES[0]
    seed: int = 0

    def deck(self, number: int) -> DeckStyle:
        return self.decks[number % len(self.decks)]

    def skin(self, who: str) -> Colour:
        return SKINS[self._lot(who, "skin") % len(SKINS)]

    def sleeve(self, who: str) -> Colour:
        return self.dealer_sleeve if who == "dealer" else SLEEVES[self._lot(who, "sleeve") % len(SLEEVES)]

    def _lot(self, who: str, what: str) -> int:
        return zlib.crc32(f"{self.seed}/{who}/{what}".encode())


def random_light(rng: np.random.Generator) -> Light:
    """Light as it may be: warm or cold, high or low, hard or soft, a little over or under."""
    warm = float(rng.uniform(-1, 1))
    colour = (0.86 - 0.12 * warm, 0.95 - 0.03 * warm, 1.0)
    room = float(rng.uniform(0.28, 0.6))
    drift = rng.normal(0, 0.045, 3)
    return Light(
        lamp=(float(rng.uniform(-700, 700)), float(rng.uniform(-200, 900)), float(rng.uniform(1200, 2400))),
        lamp_colour=colour,
        lamp_strength=float(rng.uniform(0.7, 1.25)),
        lamp_width_mm=float(rng.uniform(120, 600)),
        room=(room * float(rng.uniform(0.9, 1.15)), room, room * float(rng.uniform(0.88, 1.05))),
        exposure=float(np.exp(rng.normal(0, 0.2))),
        balance=(1 + float(drift[0]), 1 + float(drift[1]) / 2, 1 + float(drift[2])),
    )


def random_look(rng: np.random.Generator, decks: tuple[DeckStyle, ...] | None = None) -> Look:
    """A casino drawn by lot."""
    styles = decks or tuple(STYLES.values())
    first, second = (styles[int(i)] for i in rng.integers(0, len(styles), 2))
    if rng.random() < 0.6:
        second = first  # most tables deal from one make of cards
    felt = np.clip(
        np.asarray(FELTS[int(rng.integers(len(FELTS)))]) * rng.uniform(0.8, 1.25) + rng.normal(0, 6, 3), 0, 255
    )
    return Look(
        felt=(int(felt[0]), int(felt[1]), int(felt[2])),
        rail=RAILS[int(rng.integers(len(RAILS)))],
        carpet=CARPETS[int(rng.integers(len(CARPETS)))],
        decks=(first, second),
        chips=list(DESIGNS.values())[int(rng.integers(len(DESIGNS)))],
        card_gloss=float(rng.uniform(0.2, 0.7)),
        light=random_light(rng),
        dealer_sleeve=SLEEVES[int(rng.integers(2))],
        seed=int(rng.integers(1 << 30)),
    )
