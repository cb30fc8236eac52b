"""Sheets: the art of one deck, or of all small things, as layers of one texture."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
import numpy.typing as npt

from datasets.casino import decks, small_art
from datasets.casino.backs import back_art
from datasets.casino.chip_designs import COLOURS, ChipDesign, chip_art, roll_art
from datasets.casino.decks import CARDS, DeckStyle
from datasets.casino.textures import leather, noise

Picture = npt.NDArray[np.uint8]


def deck_sheet(style: DeckStyle) -> Mapping[str, Picture]:
    """Every face of a deck, and its back, by the names that pieces use."""
    faces = {f"{style.name}/{card}": decks.card_art(style, card) for card in CARDS}
    return {**faces, f"{style.name}/back": back_art(style)}


def small_sheet(design: ChipDesign) -> Mapping[str, Picture]:
    """The art of everything that is not a card."""
    size = small_art.ART_PX
    white = np.full((size, size, 3), 255, np.uint8)
    sheet: dict[str, Picture] = {
        "plain": white, "skin": white, "cloth": _cloth(), "leather": leather(3), "wood": _wood(),
        "edges": _card_edges(),
        "die": small_art.die_art(), "phone": small_art.phone_art(),
        "button": small_art.disc_art("DEALER", (238, 240, 240), (30, 28, 28)),
        "marker/start": small_art.disc_art("START", (60, 190, 235), (30, 28, 28)),
        "marker/max": small_art.disc_art("MAX", (60, 50, 190), (236, 240, 240)),
        "tile/back": np.full((size, size, 3), small_art.BLACK, np.uint8),
    }  # fmt: skip
    sheet |= {f"tile/{tile}": small_art.tile_art(tile) for tile in small_art.TILES}
    sheet |= {f"chip/{colour}": chip_art(design, colour) for colour in COLOURS}
    sheet |= {f"roll/{colour}": roll_art(design, colour) for colour in COLOURS}
    return sheet


def _cloth() -> Picture:
    rng = np.random.default_rng(5)
    field = 225 + 8 * noise(rng, (256, 256), 30) + 6 * rng.normal(0, 1, (256, 256))
    return np.repeat(np.clip(field, 0, 255).astype(np.uint8)[..., None], 3, axis=2)


def _wood() -> Picture:
    rng = np.random.default_rng(8)
    grain = noise(rng, (256, 8), 3)
    field = 190 + 26 * np.asarray(cv2.resize(grain, (256, 256), interpolation=cv2.INTER_LINEAR))
    return np.repeat(np.clip(field, 0, 255).astype(np.uint8)[..., None], 3, axis=2)


def _card_edges() -> Picture:
    rng = np.random.default_rng(9)
    lines = np.clip(215 + 22 * rng.normal(0, 1, (256, 1)), 120, 250)
    return np.repeat(np.repeat(lines, 256, axis=1).astype(np.uint8)[..., None], 3, axis=2)
