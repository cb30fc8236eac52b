"""The corner index as many decks print it: ranks in any typeface, pips of many shapes, jumbo, narrow, four-colour."""

import cv2
import msgspec
import numpy as np
from numpy.random import Generator

from datasets.pip_art import draw_pip
from datasets.typefaces import draw_text, fonts, hands, random_font, trimmed
from vision.seen import Image

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A")
SUITS = ("c", "d", "h", "s")
JOKER = "Jkr"
JOKER_PART = 0.6  # of a joker's word, which is long, the finder finds the midst; the reader says how far it reaches
Colour = tuple[int, int, int]

_INKS: dict[str, dict[str, Colour]] = {  # blue, green, red
    "two": {"c": (25, 22, 20), "s": (25, 22, 20), "d": (35, 25, 200), "h": (35, 25, 200)},
    "four": {"c": (50, 130, 20), "s": (25, 22, 20), "d": (190, 80, 20), "h": (35, 25, 200)},
    "orange": {"c": (60, 130, 30), "s": (25, 22, 20), "d": (20, 120, 230), "h": (35, 25, 200)},
    "yellow": {"c": (80, 130, 60), "s": (170, 100, 60), "d": (50, 190, 225), "h": (70, 50, 215)},
    "grey": {"c": (120, 118, 115), "s": (45, 42, 40), "d": (200, 120, 60), "h": (60, 45, 205)},
    "gold": {"c": (215, 215, 215), "s": (215, 215, 215), "d": (70, 160, 205), "h": (70, 160, 205)},
    "light": {"c": (235, 235, 235), "s": (235, 235, 235), "d": (70, 70, 235), "h": (70, 70, 235)},
    "pale": {"c": (235, 235, 235), "s": (235, 235, 235), "d": (225, 225, 225), "h": (225, 225, 225)},
    "lit": {"c": (110, 220, 90), "s": (235, 235, 235), "d": (235, 170, 60), "h": (80, 80, 240)},
    "one": {"c": (70, 160, 205), "s": (70, 160, 205), "d": (70, 160, 205), "h": (70, 160, 205)},
    "silver": {"c": (190, 185, 180), "s": (190, 185, 180), "d": (190, 185, 180), "h": (190, 185, 180)},
    "ink": {"c": (25, 22, 20), "s": (25, 22, 20), "d": (25, 22, 20), "h": (25, 22, 20)},
}
_DARK_PAPER = ("gold", "light", "pale", "lit", "one", "silver")
_SHARES = {"two": 0.36, "four": 0.10, "orange": 0.02, "yellow": 0.05, "grey": 0.02, "lit": 0.03, "ink": 0.09}
_SHARES |= {"gold": 0.09, "light": 0.08, "pale": 0.05, "one": 0.08, "silver": 0.03}
_REVERSED = 0.03  # share of the decks whose cards have the colour of their suit, and pale print
_FADED = (0.2, 0.55)  # share of the decks with weak inks, and by how much they are at most paper
_HEAVIER = 0.25  # share of the decks that print their ranks bolder or finer than the typeface is
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
    heavier: float = 0.0
    """By which part of its height a rank's strokes are bolder; finer below nothing."""
    foil: bool = False
    """Whether the print shines, here brightly and there hardly."""
    reversed: bool = False
    """Whether a card has the colour of its suit, and pale print."""

    def of(self, suit: str) -> "IndexStyle":
        """The style of the cards of one suit."""
        if not self.reversed:
            return self
        return msgspec.structs.replace(self, paper=self.inks[suit], inks=dict.fromkeys(SUITS, self.paper))


def random_style(rng: Generator) -> IndexStyle:
    """A deck's index style: mostly standard, often jumbo, sometimes narrow, dark or four-coloured."""
    jumbo = rng.random() < 0.4
    inks = str(rng.choice(list(_SHARES), p=list(_SHARES.values())))
    dark = inks in _DARK_PAPER
    shade = rng.integers(0, 60) if dark else rng.integers(205, 256)
    tint = rng.integers(-12, 60 if dark and rng.random() < 0.25 else 13, 3)  # mostly black, but also blue, red, green
    rank_height = rng.uniform(0.12, 0.24) if jumbo else rng.uniform(0.065, 0.12)
    paper = _shaded((int(shade),) * 3, tint)
    wobble = rng.integers(-15, 40, 3)
    faded = rng.uniform(0, _FADED[1]) if rng.random() < _FADED[0] else 0.0
    coloured = {suit: _blended(_shaded(colour, wobble), paper, faded) for suit, colour in _INKS[inks].items()}
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
        paper=paper,
        heavier=rng.uniform(-0.04, 0.09) if rng.random() < _HEAVIER else 0.0,
        foil=dark and rng.random() < 0.5,
        reversed=not dark and rng.random() < _REVERSED,
    )


def _shaded(colour: Colour, by: np.ndarray) -> Colour:
    blue, green, red = (int(np.clip(part + step, 0, 255)) for part, step in zip(colour, by, strict=True))
    return blue, green, red


def _blended(ink: Colour, paper: Colour, share: float) -> Colour:
    return _shaded(ink, np.round((np.array(paper) - ink) * share))


def draw_index(label: str, style: IndexStyle, card_height_px: int) -> tuple[Image, Colour]:
    """A mask of the index (rank over suit, or a joker's word) and the colour of its ink."""
    if label == JOKER:
        return _joker_word(style, card_height_px), style.inks["s" if style.pip_seed % 2 else "h"]
    rank_px = max(6, round(style.rank_height * card_height_px))
    rank = draw_text(style.ten if label[0] == "T" else label[0], style.font, rank_px)
    if not rank.size:
        rank = draw_text(style.ten if label[0] == "T" else label[0], fonts()[0], rank_px)
    rank = _weighted(rank, style.heavier)
    squeeze = 0.8 if label[0] == "T" and style.ten == "10" else 1.0
    width_px = max(2, round(rank.shape[1] * rank_px / rank.shape[0] * style.rank_stretch * squeeze))
    rank = np.asarray(cv2.resize(rank, (width_px, rank_px), interpolation=cv2.INTER_AREA), np.uint8)
    pip = draw_pip(label[1], max(5, round(style.suit_height * card_height_px)), style.pip_seed)
    gap_px = max(1, round(style.gap * card_height_px))
    return (_beside if style.beside else _stacked)(rank, pip, gap_px), style.inks[label[1]]


def _weighted(rank: Image, heavier: float) -> Image:
    """The same letter with bolder or finer strokes."""
    by_px = round(abs(heavier) * rank.shape[0])
    if not by_px:
        return rank
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (by_px + 1,) * 2)
    padded = cv2.copyMakeBorder(rank, by_px, by_px, by_px, by_px, cv2.BORDER_CONSTANT, value=0)
    changed = (cv2.dilate if heavier > 0 else cv2.erode)(padded, kernel)
    return trimmed(np.asarray(changed, np.uint8)) if changed.max() > 127 else rank


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


def _line(word: str, font: str, letter_px: int, rng: Generator) -> Image:
    """A word in one line, sometimes with a tall first letter."""
    line = draw_text(word, font, letter_px)
    if rng.random() < 0.3:
        first = draw_text(word[0], font, round(letter_px * rng.uniform(1.3, 2.0)))
        rest = draw_text(word[1:], font, letter_px)
        line = _beside(first, rest, 1) if first.shape[0] > rest.shape[0] > 0 else line
    if not line.size:
        return line
    width_px = max(12, round(line.shape[1] * rng.uniform(0.8, 1.5)))
    return np.asarray(cv2.resize(line, (width_px, line.shape[0]), interpolation=cv2.INTER_AREA), np.uint8)


def _joker_word(style: IndexStyle, card_height_px: int) -> Image:
    """A joker's word: its letters one below the other, or in one line of any hand, small in the corner or large."""
    rng = np.random.default_rng(style.pip_seed)
    word = _JOKER_WORDS[rng.integers(len(_JOKER_WORDS))]
    letter_px = max(6, round(style.rank_height * card_height_px * rng.uniform(0.45, 0.75)))
    if rng.random() < 0.45:
        line = _line(word, hands()[rng.integers(len(hands()))] if rng.random() < 0.6 else style.font, letter_px, rng)
        if line.size:
            return np.ascontiguousarray(np.rot90(line, rng.choice([1, 3]))) if rng.random() < 0.15 else line
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
