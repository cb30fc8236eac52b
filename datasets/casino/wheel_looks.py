"""Looks of wheels: makes, woods, metals, lights and cameras' pictures, drawn at random from one of two pools.

The pools share no wood and no lamp width, and their dark and patterned surrounds differ (plain felt is in both), so
that what is tuned on one is measured on the other.
"""

import random
from dataclasses import dataclass
from typing import Literal

from datasets.casino.wheel_shape import WheelShape

Colour = tuple[float, float, float]
"""Blue, green, red as a screen shows them, 0 to 1."""
Pool = Literal["tuning", "final"]
Surround = Literal["dark", "felt", "wood", "carpet", "night"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lamp:
    """A lamp overhead: where it hangs (clockwise from twelve, from the vertical), how wide and how strong it is."""

    side_deg: float
    down_deg: float
    wide_deg: float
    power: float
    tint: Colour = (1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """Everything about a wheel picture that is not its geometry."""

    wood: Colour = (0.10, 0.22, 0.42)
    grain: float = 0.35
    track: Colour = (0.05, 0.10, 0.20)
    cone: Colour = (0.08, 0.16, 0.34)
    cone_spokes: int = 0
    metal: Colour = (0.45, 0.72, 0.88)
    red: Colour = (0.10, 0.08, 0.66)
    black: Colour = (0.07, 0.07, 0.07)
    green: Colour = (0.20, 0.45, 0.06)
    digits: Colour = (0.85, 0.92, 0.95)
    pocket_shade: float = 0.7
    """Pocket floors against the number ring."""
    fret_mm: float = 2.4
    ball: Colour = (0.93, 0.95, 0.96)
    gloss: float = 0.6
    lamps: tuple[Lamp, ...] = (Lamp(side_deg=320, down_deg=28, wide_deg=9, power=0.9),)
    ambient: float = 0.3
    surround: Surround = "dark"
    surround_colour: Colour = (0.2, 0.35, 0.1)
    exposure: float = 1.0
    shutter_s: float = 1 / 80
    noise: float = 2.0
    soft_px: float = 0.6
    tint: Colour = (1.0, 1.0, 1.0)
    contrast: float = 1.0
    skin: Colour = (0.42, 0.55, 0.78)
    sleeve: Colour = (0.08, 0.07, 0.07)
    dealer_deg: float = 180.0


_WOODS: dict[Pool, tuple[Colour, ...]] = {
    "tuning": ((0.10, 0.22, 0.42), (0.06, 0.12, 0.26), (0.30, 0.48, 0.66), (0.08, 0.10, 0.36), (0.07, 0.07, 0.09)),
    "final": ((0.16, 0.30, 0.52), (0.05, 0.08, 0.18), (0.22, 0.36, 0.50), (0.06, 0.14, 0.40), (0.14, 0.16, 0.20)),
}
_SURROUNDS: dict[Pool, tuple[Surround, ...]] = {
    "tuning": ("dark", "dark", "felt", "wood"),
    "final": ("night", "night", "felt", "carpet"),
}
_METALS: tuple[Colour, ...] = ((0.45, 0.72, 0.88), (0.80, 0.82, 0.82), (0.30, 0.55, 0.75))
_FELTS: tuple[Colour, ...] = ((0.20, 0.35, 0.08), (0.42, 0.20, 0.07), (0.12, 0.10, 0.42), (0.30, 0.28, 0.10))
_SKINS: tuple[Colour, ...] = ((0.50, 0.62, 0.84), (0.36, 0.48, 0.70), (0.20, 0.28, 0.44), (0.60, 0.70, 0.90))


def _lamps(chance: random.Random, pool: Pool) -> tuple[Lamp, ...]:
    """Pendant spots in one pool, ceiling panels in the other, one to four of them."""
    count = chance.choice((1, 2, 3, 4))
    wide = (3.0, 9.0) if pool == "tuning" else (6.0, 16.0)
    warm = chance.uniform(0.0, 0.25)
    tint = (1 - warm, 1 - 0.4 * warm, 1.0)
    return tuple(
        Lamp(
            side_deg=chance.uniform(0, 360),
            down_deg=chance.uniform(14, 52),
            wide_deg=chance.uniform(*wide),
            power=chance.uniform(0.5, 1.0) / count**0.7,
            tint=tint,
        )
        for _ in range(count)
    )


def _near(chance: random.Random, colour: Colour, spread: float) -> Colour:
    blue, green, red = (min(1.0, max(0.0, part * chance.uniform(1 - spread, 1 + spread))) for part in colour)
    return blue, green, red


def random_look(chance: random.Random, pool: Pool) -> Look:
    """A wheel under its lights, as some camera shows it."""
    wood = _near(chance, chance.choice(_WOODS[pool]), 0.25)
    dim = chance.uniform(0.3, 0.9)
    ambient = chance.uniform(0.15, 0.5)
    blue, green, red = wood
    return Look(
        wood=wood,
        grain=chance.uniform(0.15, 0.5),
        track=(blue * dim, green * dim, red * dim),
        cone=_near(chance, wood, 0.3) if chance.random() < 0.6 else (0.35, 0.58, 0.72),
        cone_spokes=chance.choice((0, 0, 8, 16)),
        metal=chance.choice(_METALS),
        red=_near(chance, (0.10, 0.08, 0.66), 0.3),
        black=_near(chance, (0.07, 0.07, 0.07), 0.4),
        green=_near(chance, (0.20, 0.45, 0.06), 0.35),
        digits=chance.choice(((0.85, 0.92, 0.95), (0.55, 0.80, 0.90), (0.95, 0.95, 0.95))),
        pocket_shade=chance.uniform(0.4, 0.95),
        fret_mm=chance.uniform(1.8, 3.2),
        ball=chance.choice(((0.93, 0.95, 0.96), (0.80, 0.88, 0.92), (0.97, 0.97, 0.97))),
        gloss=chance.uniform(0.2, 1.0),
        lamps=_lamps(chance, pool),
        ambient=ambient,
        surround=chance.choice(_SURROUNDS[pool]),
        surround_colour=_near(chance, chance.choice(_FELTS), 0.2),
        exposure=chance.uniform(0.75, 1.35),
        shutter_s=1 / chance.choice((50, 60, 100, 120, 250)),
        noise=chance.uniform(1.0, 4.0),
        soft_px=chance.uniform(0.4, 0.95),
        tint=_near(chance, (1.0, 1.0, 1.0), 0.08),
        contrast=chance.uniform(0.9, 1.25),
        skin=chance.choice(_SKINS),
        sleeve=chance.choice(((0.08, 0.07, 0.07), (0.85, 0.85, 0.85), (0.30, 0.12, 0.10))),
        dealer_deg=chance.uniform(0, 360),
    )


def random_shape(chance: random.Random) -> WheelShape:
    """A make of wheel."""
    grow = chance.uniform(0.97, 1.03)
    numbers_inside = chance.random() < 0.2
    return WheelShape(
        ball_mm=chance.uniform(8.5, 10.5),
        deflectors=chance.choice((8, 8, 16)),
        deflector_style=chance.choice(("alternate", "alternate", "radial", "ring")),
        pockets_mm=(200.0 * grow, 244.0 * grow) if numbers_inside else (170.0 * grow, 212.0 * grow),
        numbers_mm=(164.0 * grow, 197.0 * grow) if numbers_inside else (214.0 * grow, 250.0 * grow),
        turret_mm=chance.uniform(70, 105),
        arms=chance.choice((4, 4, 4, 0, 3)),
        bowl_slope=chance.uniform(0.34, 0.42),
    )
