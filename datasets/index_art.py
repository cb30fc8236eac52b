"""The corner index as many decks print it: ranks in any typeface, pips of many shapes, jumbo, narrow, four-colour."""

import functools
import subprocess
from pathlib import Path

import cv2
import msgspec
import numpy as np
from numpy.random import Generator

from vision.seen import Image

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A")
SUITS = ("c", "d", "h", "s")
JOKER = "Jkr"
Colour = tuple[int, int, int]

_INKS: dict[str, dict[str, Colour]] = {  # blue, green, red
    "two": {"c": (25, 22, 20), "s": (25, 22, 20), "d": (35, 25, 200), "h": (35, 25, 200)},
    "four": {"c": (50, 130, 20), "s": (25, 22, 20), "d": (190, 80, 20), "h": (35, 25, 200)},
    "orange": {"c": (60, 130, 30), "s": (25, 22, 20), "d": (20, 120, 230), "h": (35, 25, 200)},
    "gold": {"c": (215, 215, 215), "s": (215, 215, 215), "d": (70, 160, 205), "h": (70, 160, 205)},
    "light": {"c": (235, 235, 235), "s": (235, 235, 235), "d": (70, 70, 235), "h": (70, 70, 235)},
    "pale": {"c": (235, 235, 235), "s": (235, 235, 235), "d": (225, 225, 225), "h": (225, 225, 225)},
    "lit": {"c": (110, 220, 90), "s": (235, 235, 235), "d": (235, 170, 60), "h": (80, 80, 240)},
    "one": {"c": (70, 160, 205), "s": (70, 160, 205), "d": (70, 160, 205), "h": (70, 160, 205)},
    "ink": {"c": (25, 22, 20), "s": (25, 22, 20), "d": (25, 22, 20), "h": (25, 22, 20)},
}
_NOTO = ("NotoSans", "NotoSerif", "NotoSansDisplay", "NotoSerifDisplay", "NotoSansMono")
_DARK_PAPER = ("gold", "light", "pale", "lit", "one")
_SHARES = {"two": 0.45, "four": 0.11, "orange": 0.02, "gold": 0.10, "light": 0.08, "pale": 0.03, "lit": 0.03}
_SHARES |= {"one": 0.08, "ink": 0.10}
_WRITTEN = (
    *("Dancing", "Lobster", "Kristi", "Pecita", "Rufscript", "Leckerli", "Z003", "Isabella", "Humor", "Sniglet"),
    *("Comfortaa-Bold", "Domestic", "Penguin", "RadisNoir", "Script", "OldaniaADFStd-Bold"),
)
_JOKER_WORDS = ("JOKER", "JOKER", "Joker", "joker")


class IndexStyle(msgspec.Struct, frozen=True, kw_only=True):
    """How one deck prints its indices; heights are parts of the card's height, widths parts of a glyph's height."""

    font: str
    rank_height: float
    rank_stretch: float
    suit_height: float
    gap: float
    margin_x: float
    margin_y: float
    pip_seed: int
    ten: str
    beside: bool
    inks: dict[str, Colour]
    paper: Colour


@functools.cache
def fonts() -> tuple[str, ...]:
    """Every installed Latin typeface that OpenCV can draw."""
    listed = subprocess.run(["fc-list", ":lang=en", "file"], capture_output=True, text=True, check=False).stdout
    paths = sorted(line.strip().rstrip(":").strip() for line in listed.splitlines())
    refused: tuple[str, ...] = ("Symbol", "Dingbats", "Math", "Emoji", "Icon", "D050000L", "Biolinum_K", "Catalogue")
    refused += ("reip", "alfa-beta", "/eleg", "/elle", "Script", "chorus", "Z003")  # hand-written, or Greek
    refused += ("Isabella", "Gotico")
    usable = [path for path in paths if path.endswith((".ttf", ".otf")) and not any(word in path for word in refused)]
    return tuple(path for path in usable if Path(path).is_file())


@functools.cache
def _hands() -> tuple[str, ...]:
    """Typefaces that look written by hand, as jokers' words often do; every typeface where none is installed."""
    listed = subprocess.run(["fc-list", ":lang=en", "file"], capture_output=True, text=True, check=False).stdout
    paths = sorted(line.strip().rstrip(":").strip() for line in listed.splitlines())
    usable = [path for path in paths if path.endswith((".ttf", ".otf")) and any(word in path for word in _WRITTEN)]
    return tuple(usable) or fonts()


def random_font(rng: Generator) -> str:
    """Any typeface; families count once, however many weights they have."""
    families = _families()
    family = families[rng.integers(len(families))]
    return family[rng.integers(len(family))]


@functools.cache
def _families() -> tuple[tuple[str, ...], ...]:
    by_name: dict[str, list[str]] = {}
    for path in fonts():
        name = Path(path).stem.split("-")[0]
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


def random_style(rng: Generator) -> IndexStyle:
    """A deck's index style: mostly standard, often jumbo, sometimes narrow, dark or four-coloured."""
    jumbo = rng.random() < 0.4
    inks = str(rng.choice(list(_SHARES), p=list(_SHARES.values())))
    dark = inks in _DARK_PAPER
    shade = rng.integers(0, 60) if dark else rng.integers(205, 256)
    tint = rng.integers(-12, 60 if dark and rng.random() < 0.25 else 13, 3)  # mostly black, but also blue, red, green
    rank_height = rng.uniform(0.12, 0.24) if jumbo else rng.uniform(0.065, 0.12)
    wobble = rng.integers(-15, 40, 3)
    coloured = {suit: _shaded(colour, wobble) for suit, colour in _INKS[inks].items()}
    return IndexStyle(
        font=random_font(rng),
        rank_height=rank_height,
        rank_stretch=rng.uniform(0.62, 1.1),
        suit_height=rank_height * rng.uniform(0.5, 1.05),
        gap=rank_height * rng.uniform(0.03, 0.3),
        margin_x=rng.uniform(0.018, 0.05),
        margin_y=rng.uniform(0.018, 0.06),
        pip_seed=int(rng.integers(1 << 30)),
        ten="T" if rng.random() < 0.05 else "10",
        beside=rng.random() < 0.03,
        inks=coloured,
        paper=_shaded((int(shade),) * 3, tint),
    )


def _shaded(colour: Colour, by: np.ndarray) -> Colour:
    blue, green, red = (int(np.clip(part + step, 0, 255)) for part, step in zip(colour, by, strict=True))
    return blue, green, red


def draw_pip(suit: str, height_px: int, pip_seed: int) -> Image:
    """A mask of a suit pip, one of endlessly many shapes; the same seed draws the same deck's pips."""
    rng = np.random.default_rng(pip_seed)
    big = 160
    canvas = np.zeros((big + 80, big + 80), np.uint8)
    outline = {"h": _heart, "d": _diamond, "s": _spade, "c": _club}[suit]
    for part in outline(rng):
        cv2.fillPoly(canvas, [(part * big / 2 * 16 + (big / 2 + 40) * 16).astype(np.int32)], (255,), cv2.LINE_AA, 4)
    pip = trimmed(canvas)
    width_px = max(2, round(pip.shape[1] * height_px / pip.shape[0] * rng.uniform(0.85, 1.12)))
    return np.asarray(cv2.resize(pip, (width_px, max(2, height_px)), interpolation=cv2.INTER_AREA), np.uint8)


def _heart(rng: Generator) -> list[np.ndarray]:
    t = np.linspace(0, 2 * np.pi, 60)
    sharp, drop = rng.uniform(2.4, 3.4), rng.uniform(0.7, 1.15)
    x = np.sign(np.sin(t)) * np.abs(np.sin(t)) ** sharp
    y = -(13 * np.cos(t) - rng.uniform(4, 6) * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)) / 16
    return [np.stack([x * rng.uniform(0.85, 1.0), np.where(y > 0, y * drop, y)], axis=1)]


def _diamond(rng: Generator) -> list[np.ndarray]:
    t = np.linspace(0, 2 * np.pi, 80)
    power = rng.uniform(1.7, 2.5)  # two is straight sides, more is hollow ones
    x, y = np.cos(t), np.sin(t)
    return [
        np.stack([np.sign(x) * np.abs(x) ** power * rng.uniform(0.68, 1.0), np.sign(y) * np.abs(y) ** power], axis=1)
    ]


def _spade(rng: Generator) -> list[np.ndarray]:
    leaf = _heart(rng)[0] * (1, -1) * (1, 0.85) - (0, 0.12)
    return [leaf, _stem(rng)]


def _club(rng: Generator) -> list[np.ndarray]:
    t = np.linspace(0, 2 * np.pi, 40)
    radius, spread = rng.uniform(0.38, 0.5), rng.uniform(0.42, 0.55)
    ring = np.stack([np.cos(t), np.sin(t)], axis=1) * radius
    low = rng.uniform(0.1, 0.25)
    middle = np.array([[-0.3, 0.2], [0, -0.5], [0.3, 0.2]]) * radius * 2
    leaves = [ring + np.array(at) for at in ((0, -0.5), (-spread, low), (spread, low))]
    return [*leaves, middle, _stem(rng)]


def _stem(rng: Generator) -> np.ndarray:
    foot, curve = rng.uniform(0.2, 0.5), rng.uniform(1.0, 3.0)
    y = np.linspace(0, 0.95, 12)
    x = 0.05 + foot * (y / 0.95) ** (2 * curve)
    return np.concatenate([np.stack([x, y], 1), np.stack([-x, y], 1)[::-1]])


def draw_index(label: str, style: IndexStyle, card_height_px: int) -> tuple[Image, Colour]:
    """A mask of the index (rank over suit, or a joker's word) and the colour of its ink."""
    if label == JOKER:
        return _joker_word(style, card_height_px), style.inks["s" if style.pip_seed % 2 else "h"]
    rank_px = max(6, round(style.rank_height * card_height_px))
    rank = draw_text(style.ten if label[0] == "T" else label[0], style.font, rank_px)
    if not rank.size:
        rank = draw_text(style.ten if label[0] == "T" else label[0], fonts()[0], rank_px)
    squeeze = 0.8 if label[0] == "T" and style.ten == "10" else 1.0
    width_px = max(2, round(rank.shape[1] * rank_px / rank.shape[0] * style.rank_stretch * squeeze))
    rank = np.asarray(cv2.resize(rank, (width_px, rank_px), interpolation=cv2.INTER_AREA), np.uint8)
    pip = draw_pip(label[1], max(5, round(style.suit_height * card_height_px)), style.pip_seed)
    gap_px = max(1, round(style.gap * card_height_px))
    return (_beside if style.beside else _stacked)(rank, pip, gap_px), style.inks[label[1]]


def _stacked(rank: Image, pip: Image, gap_px: int) -> Image:
    width = max(rank.shape[1], pip.shape[1])
    mask = np.zeros((rank.shape[0] + gap_px + pip.shape[0], width), np.uint8)
    for part, top in ((rank, 0), (pip, rank.shape[0] + gap_px)):
        left = (width - part.shape[1]) // 2
        mask[top : top + part.shape[0], left : left + part.shape[1]] = part
    return mask


def _beside(rank: Image, pip: Image, gap_px: int) -> Image:
    mask = np.zeros((max(rank.shape[0], pip.shape[0]), rank.shape[1] + gap_px + pip.shape[1]), np.uint8)
    mask[: rank.shape[0], : rank.shape[1]] = rank
    mask[-pip.shape[0] :, -pip.shape[1] :] = pip
    return mask


def _joker_word(style: IndexStyle, card_height_px: int) -> Image:
    """A joker's word: its letters one below the other, or in one line of any hand, small in the corner or large."""
    rng = np.random.default_rng(style.pip_seed)
    word = _JOKER_WORDS[rng.integers(len(_JOKER_WORDS))]
    letter_px = max(6, round(style.rank_height * card_height_px * rng.uniform(0.45, 0.75)))
    if rng.random() < 0.45:
        hand = _hands()[rng.integers(len(_hands()))] if rng.random() < 0.6 else style.font
        line = draw_text(word, hand, letter_px)
        if line.size:
            width_px = max(12, round(line.shape[1] * rng.uniform(0.8, 1.5)))
            return np.asarray(cv2.resize(line, (width_px, line.shape[0]), interpolation=cv2.INTER_AREA), np.uint8)
    letters = [draw_text(letter, style.font, letter_px) for letter in word]
    width = max(letter.shape[1] for letter in letters)
    gap_px = round(letter_px * rng.uniform(0.05, 0.3))
    column = np.zeros((0, width), np.uint8)
    for letter in letters:
        row = np.zeros((letter.shape[0] + gap_px, width), np.uint8)
        left = (width - letter.shape[1]) // 2
        row[: letter.shape[0], left : left + letter.shape[1]] = letter
        column = np.concatenate([column, row])
    return column
