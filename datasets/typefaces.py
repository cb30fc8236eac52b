"""Typefaces as they are installed, and text drawn with them."""

import functools
import subprocess
from pathlib import Path

import cv2
import numpy as np
from numpy.random import Generator

from vision.seen import Image

_NOTO = ("NotoSans", "NotoSerif", "NotoSansDisplay", "NotoSerifDisplay", "NotoSansMono")
_WRITTEN = (
    *("Dancing", "Lobster", "Kristi", "Pecita", "Rufscript", "Leckerli", "Z003", "Isabella", "Humor", "Sniglet"),
    *("Comfortaa-Bold", "Domestic", "Penguin", "RadisNoir", "Script", "OldaniaADFStd-Bold"),
    *("Vibes", "Pacifico", "Sacramento", "Cookie", "Satisfy", "Courgette", "Playball", "Caveat", "Berkshire"),
)


def _installed(pattern: str) -> list[str]:
    """The files of typefaces that fit fontconfig's pattern and that OpenCV can draw."""
    listed = subprocess.run(["fc-list", pattern, "file"], capture_output=True, text=True, check=False).stdout
    paths = sorted(line.strip().rstrip(":").strip() for line in listed.splitlines())
    return [path for path in paths if path.endswith((".ttf", ".otf"))]


@functools.cache
def fonts() -> tuple[str, ...]:
    """Every installed Latin typeface that OpenCV can draw."""
    refused: tuple[str, ...] = ("Symbol", "Dingbats", "Math", "Emoji", "Icon", "D050000L", "Biolinum_K", "Catalogue")
    refused += ("reip", "alfa-beta", "/eleg", "/elle", "Script", "chorus", "Z003")  # hand-written, or Greek
    refused += ("Isabella", "Gotico")
    usable = [path for path in _installed(":lang=en") if not any(word in path for word in refused)]
    return tuple(path for path in usable if Path(path).is_file())


@functools.cache
def sign_fonts() -> tuple[str, ...]:
    """Typefaces that hold the signs of all four suits."""
    refused = ("Emoji", "FreeSerifBold")  # the latter draws a spade for a club, and a club for a spade
    usable = _installed(":charset=2660 2663 2665 2666")
    return tuple(path for path in usable if not any(word in path for word in refused))


@functools.cache
def hands() -> tuple[str, ...]:
    """Typefaces that look written by hand, as jokers' words often do; every typeface where none is installed."""
    return tuple(path for path in _installed(":lang=en") if any(word in path for word in _WRITTEN)) or fonts()


def random_font(rng: Generator) -> str:
    """Any typeface; families count once, however many weights they have."""
    return one_of_families(fonts(), rng)


def one_of_families(paths: tuple[str, ...], rng: Generator) -> str:
    """One of the files, every family as likely as any other."""
    families = _families(paths)
    family = families[rng.integers(len(families))]
    return family[rng.integers(len(family))]


@functools.cache
def _families(paths: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    by_name: dict[str, list[str]] = {}
    for path in paths:
        name = Path(path).stem.replace("_", "-").split("-")[0]
        by_name.setdefault("Noto" if name.startswith("Noto") and name not in _NOTO else name, []).append(path)
    return tuple(tuple(files) for files in by_name.values())


@functools.lru_cache(maxsize=64)
def _face(path: str) -> cv2.FontFace:
    return cv2.FontFace(path)


def draw_text(text: str, font: str, height_px: int) -> Image:
    """A mask of the text, trimmed to its ink; empty when the typeface lacks it."""
    size = max(12, int(height_px * 1.45))
    canvas = np.zeros((size * 2, size * (len(text) + 1), 1), np.uint8)
    cv2.putText(canvas, text, (size // 3, int(size * 1.5)), (255, 255, 255), _face(font), size, 400)
    return trimmed(canvas[:, :, 0])


def trimmed(mask: Image) -> Image:
    """The mask without its empty margins."""
    rows, columns = np.flatnonzero(mask.max(axis=1)), np.flatnonzero(mask.max(axis=0))
    if not len(rows):
        return mask[:0, :0]
    return mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
