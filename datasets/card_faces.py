"""Whole cards as pictures, with the place of every index on them: drawn ones of any style, and their backs."""

import cv2
import msgspec
import numpy as np
from numpy.random import Generator

from datasets.card_backs import random_back_art
from datasets.index_art import JOKER, RANKS, SUITS, Colour, IndexStyle, draw_index, random_style
from datasets.pip_art import draw_pip
from datasets.pip_layouts import spots
from datasets.typefaces import draw_text
from vision.seen import Image

CARD_HEIGHT_PX = 320
POKER, BRIDGE = 0.714, 0.643  # a card's width to its height
Rect = tuple[float, float, float, float]
"""Left, top, right, bottom of an index on its card, in pixels, as read upright."""

_JOKERS = 0.08
_SUITS_BY_LOT = (0.32, 0.18, 0.18, 0.32)  # clubs and spades are hardest to tell apart
_ORNATE = 0.35  # of the aces: something is drawn about their sign
_COURT_COLUMNS, _COURT_ROWS = (0.21, 0.4), (0.1, 0.25)
_COLUMNS, _ROWS = (0.24, 0.34), (0.14, 0.23)  # where a deck's left column and top row of pips may be


class CardFace(msgspec.Struct, frozen=True, kw_only=True):
    """One side of a card, upright: what it shows (None: a back), its picture, and its upright index.

    The same index stands, turned, in the opposite corner; where `corners` is four, unturned in the other two as well.
    """

    label: str | None
    picture: Image
    index: Rect | None
    corners: int = 2

    @property
    def index_px(self) -> float | None:
        """How high a frame of its index is: a joker's word may lie, and a crop is to hold all of it."""
        if self.index is None:
            return None
        left, top, right, bottom = self.index
        return max(right - left, bottom - top)


def random_face(rng: Generator) -> CardFace:
    """A card of a deck that nobody has printed yet."""
    style = random_style(rng)
    if rng.random() < _JOKERS:
        return drawn_face(JOKER, style, rng)
    suit = str(rng.choice(SUITS, p=_SUITS_BY_LOT))
    return drawn_face(str(rng.choice(RANKS)) + suit, style.of(suit), rng)


def drawn_face(label: str, style: IndexStyle, rng: Generator) -> CardFace:
    """One card of a drawn deck: its indices and, between them, pips, a court's picture or a big rank."""
    height = CARD_HEIGHT_PX
    width = round(height * (POKER if rng.random() < 0.75 else BRIDGE))
    picture = np.full((height, width, 3), style.paper, np.uint8)
    mask, ink = draw_index(label, style, height)
    left, top = round(style.margin_x * height), round(style.margin_y * height)
    most_px = width * (0.7 if label == JOKER else 0.8) - left
    if mask.shape[1] > most_px:
        shrink = most_px / mask.shape[1] * rng.uniform(0.6, 1.0)
        mask = np.asarray(cv2.resize(mask, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)
    if label == JOKER and mask.shape[1] > mask.shape[0] and rng.random() < 0.5:  # one line may stand anywhere
        left = int(rng.integers(left, max(left + 1, width - mask.shape[1] - left)))
    _draw_middle(picture, label, style, rng, clear_px=left + mask.shape[1])
    corners = 4 if rng.random() < 0.06 else 2
    _clear(picture, (left - 2, top - 2, left + mask.shape[1] + 2, top + mask.shape[0] + 2), style.paper, corners)
    if label == JOKER and rng.random() < 0.5:
        _scatter_stars(picture, (left, top, left + mask.shape[1], top + mask.shape[0]), rng)
    _stamp_corners(picture, mask, (left, top), _shining(ink, mask, rng) if style.foil else ink, corners)
    rect = (left, top, left + mask.shape[1], top + mask.shape[0])
    return CardFace(label=label, picture=picture, index=rect, corners=corners)


def _draw_middle(picture: Image, label: str, style: IndexStyle, rng: Generator, *, clear_px: int) -> None:
    ways = ("court",) if label == JOKER or label[0] in "JQK" else (*("spots",) * 8, "big", "rank")
    way = str(rng.choice(ways))
    if label != JOKER and label[0] in "JQK" and rng.random() < 0.25:
        way = str(rng.choice(["big", "rank"]))
    if way == "court":
        _draw_court(picture, rng, clear_px=clear_px)
        if label != JOKER and rng.random() < 0.8:
            _draw_court_pips(picture, label[1], style, rng)
    elif way == "spots":
        _draw_spots(picture, label, style, rng)
    elif way == "big":
        pip = draw_pip(label[1], round(picture.shape[0] * rng.uniform(0.15, 0.45)), style.pip_seed)
        stamp(picture, pip, (picture.shape[1] * rng.uniform(0.45, 0.65), picture.shape[0] * rng.uniform(0.4, 0.6)),
              style.inks[label[1]])  # fmt: skip
    else:
        rank = draw_text(label[0].replace("T", "10"), style.font, round(picture.shape[0] * rng.uniform(0.25, 0.5)))
        stamp(picture, rank, (picture.shape[1] * 0.55, picture.shape[0] * 0.6), style.inks[label[1]])


def _draw_spots(picture: Image, label: str, style: IndexStyle, rng: Generator) -> None:
    height, width = picture.shape[:2]
    size = round(height * rng.uniform(0.09, 0.2))
    if label[0] == "A" and rng.random() < 0.6:
        size = round(size * rng.uniform(1.2, 2.8))
    pip = draw_pip(label[1], size, style.pip_seed)
    column, row = 0.5 - rng.uniform(*_COLUMNS), 0.5 - rng.uniform(*_ROWS)
    if label[0] == "A" and rng.random() < _ORNATE:
        _draw_ornament(picture, size / 2, style.inks[label[1]], rng)
    for x, y in spots(label[0], rng):
        at = (width * (0.5 + column * x), height * (0.5 + row * y))
        stamp(picture, pip if y <= 0 else np.asarray(pip[::-1], np.uint8), at, style.inks[label[1]])


def _draw_ornament(picture: Image, pip_px: float, ink: Colour, rng: Generator) -> None:
    """Rings, rays or a wreath of dots about an ace's sign."""
    middle = (picture.shape[1] // 2, picture.shape[0] // 2)
    colour = ink if rng.random() < 0.6 else tuple(int(part) for part in rng.integers(0, 200, 3))
    for _ in range(int(rng.integers(1, 4))):
        reach = round(pip_px * rng.uniform(1.1, 2.2))
        way = rng.random()
        if way < 0.5:
            axes = (reach, round(reach * rng.choice([1.0, 1.0, rng.uniform(0.7, 1.4)])))
            cv2.ellipse(picture, middle, axes, 0, 0, 360, colour, int(rng.integers(1, 5)), cv2.LINE_AA)
            continue
        for turn in np.arange(0, 2 * np.pi, 2 * np.pi / int(rng.integers(6, 28))):
            away = np.array([np.cos(turn), np.sin(turn)])
            near, far = (tuple((middle + away * reach * part).astype(int).tolist()) for part in (1.0, 1.25))
            if way < 0.75:
                cv2.line(picture, near, far, colour, int(rng.integers(1, 3)), cv2.LINE_AA)
            else:
                cv2.circle(picture, near, max(1, reach // 9), colour, -1, cv2.LINE_AA)


def _draw_court_pips(picture: Image, suit: str, style: IndexStyle, rng: Generator) -> None:
    """The suit beside a court's head, mostly on bare paper."""
    height, width = picture.shape[:2]
    pip = draw_pip(suit, round(height * rng.uniform(0.09, 0.18)), style.pip_seed)
    at = (width * rng.uniform(*_COURT_COLUMNS), height * rng.uniform(*_COURT_ROWS))
    bare, inks = np.full(pip.shape, 255, np.uint8), style.inks[suit]
    for view in _corner_views(picture, 2):
        if rng.random() < 0.8:
            stamp(view, bare, at, style.paper)
        stamp(view, pip, at, inks)


def _draw_court(picture: Image, rng: Generator, *, clear_px: int) -> None:
    """Courts are busy, coloured and framed; what they show does not matter."""
    height, width = picture.shape[:2]
    left, top = int(min(clear_px * rng.uniform(0.7, 1.1), width * 0.3)), int(height * rng.uniform(0.05, 0.12))
    shape = (height - 2 * top, width - 2 * left)
    cells = rng.integers(0, 256, (int(rng.integers(6, 24)), int(rng.integers(4, 16)), 3)).astype(np.uint8)
    palette = np.array([[40, 30, 190], [30, 190, 230], [150, 70, 20], [245, 245, 245], [20, 20, 20]], np.uint8)
    cells = palette[cells[..., 0] % (3 + int(rng.integers(3)))]
    art = cv2.resize(cells, shape[::-1], interpolation=cv2.INTER_NEAREST if rng.random() < 0.3 else cv2.INTER_LINEAR)
    for _ in range(12):
        a, b = (tuple(int(v) for v in rng.integers(0, max(shape), 2)) for _ in range(2))
        colour = tuple(int(v) for v in palette[rng.integers(len(palette))])
        cv2.line(art, a, b, colour, int(rng.integers(1, 6)), cv2.LINE_AA)
        cv2.circle(art, b, int(rng.integers(3, 30)), colour, int(rng.choice([-1, 1, 3])), cv2.LINE_AA)
    art[shape[0] // 2 :] = art[: shape[0] - shape[0] // 2][::-1, ::-1]
    picture[top : top + shape[0], left : left + shape[1]] = art
    if rng.random() < 0.7:
        cv2.rectangle(picture, (left, top), (width - left, height - top), (120, 40, 20), 1)


def _scatter_stars(picture: Image, rect: Rect, rng: Generator) -> None:
    """Small ornaments about a joker's word."""
    left, top, right, bottom = rect
    colour = tuple(int(part) for part in rng.integers(0, 256, 3))
    for view in _corner_views(picture, 2):
        whole = view.copy()  # OpenCV does not draw on a turned view
        for _ in range(int(rng.integers(1, 6))):
            at = (int(rng.uniform(left - 15, right + 15)), int(rng.uniform(top - 12, bottom + 12)))
            radius = int(rng.integers(2, 13))
            if rng.random() < 0.6:
                star = np.asarray(at + _star(int(rng.integers(4, 8)), rng.uniform(0.35, 0.6)) * radius, np.int32)
                cv2.fillPoly(whole, [star], colour, cv2.LINE_AA)
            else:
                cv2.ellipse(whole, at, (radius, radius), rng.uniform(0, 360), 0, int(rng.choice([200, 360])), colour,
                            int(rng.choice([-1, 1, 2])), cv2.LINE_AA)  # fmt: skip
        view[:] = whole


def _star(points: int, inner: float) -> np.ndarray:
    turns = np.arange(2 * points) * np.pi / points - np.pi / 2
    return np.stack([np.cos(turns), np.sin(turns)], axis=1) * np.where(np.arange(2 * points) % 2, inner, 1.0)[:, None]


def _shining(ink: Colour, mask: Image, rng: Generator) -> Image:
    """An ink of foil: bright where it mirrors a lamp, dull elsewhere."""
    shine = cv2.resize(rng.uniform(0.35, 1.25, (2, 2)).astype(np.float32), mask.shape[::-1])
    return np.asarray(np.clip(shine[..., None] * np.array(ink), 0, 255), np.uint8)


def stamp(picture: Image, mask: Image, centre: tuple[float, float], ink: Colour | Image) -> None:
    """Print a mask in one ink, or one as large as the mask, clipped to the picture."""
    top, left = round(centre[1] - mask.shape[0] / 2), round(centre[0] - mask.shape[1] / 2)
    y0, x0 = max(0, -top), max(0, -left)
    part = mask[y0 : picture.shape[0] - top, x0 : picture.shape[1] - left]
    if not part.size:
        return
    there = picture[top + y0 : top + y0 + part.shape[0], left + x0 : left + x0 + part.shape[1]]
    share = part[..., None].astype(np.uint16)
    inked = np.asarray(ink, np.uint16)
    inked = inked[y0 : y0 + part.shape[0], x0 : x0 + part.shape[1]] if inked.ndim == 3 else inked
    there[:] = (there * (255 - share) + inked * share) // 255


def _corner_views(picture: Image, corners: int) -> list[Image]:
    """Views of the card in which its corner, in turn each that carries an index, is at the top left."""
    views = [picture, picture[::-1, ::-1]]
    return views if corners == 2 else [*views, picture[:, ::-1], picture[::-1]]


def _clear(picture: Image, rect: Rect, paper: tuple[int, int, int], corners: int) -> None:
    left, top, right, bottom = (max(0, int(v)) for v in rect)
    for view in _corner_views(picture, corners):
        view[top:bottom, left:right] = paper


def _stamp_corners(picture: Image, mask: Image, at: tuple[int, int], ink: Colour | Image, corners: int) -> None:
    centre = (at[0] + mask.shape[1] / 2, at[1] + mask.shape[0] / 2)
    for number, view in enumerate(_corner_views(picture, corners)):
        stamp(view, np.asarray(mask[:, ::-1], np.uint8) if number > 1 else mask, centre, ink)


def random_back(rng: Generator) -> CardFace:
    """A card's back, of a deck that nobody has printed yet."""
    width = round(CARD_HEIGHT_PX * (POKER if rng.random() < 0.75 else BRIDGE))
    return CardFace(label=None, picture=random_back_art(rng, width, CARD_HEIGHT_PX), index=None)


class Pool:
    """Faces at hand: art from installed decks, and drawn ones that are replaced little by little by new ones."""

    def __init__(
        self, rng: Generator, *, drawn: int = 300, art: tuple[CardFace, ...] = (), art_share: float = 0.35
    ) -> None:
        self._rng, self._size = rng, drawn
        self._drawn = [random_face(rng) for _ in range(drawn)]
        self._backs = [random_back(rng) for _ in range(max(4, drawn // 8))]
        self._drawn_backs = len(self._backs)
        self._art = [face for face in art if face.label is not None]
        self._backs += [face for face in art if face.label is None]
        self._art_share = art_share if self._art else 0.0

    def face(self) -> CardFace:
        """Any card, face up."""
        if self._rng.random() < self._art_share:
            return self._art[self._rng.integers(len(self._art))]
        at = int(self._rng.integers(self._size))
        if self._rng.random() < 0.08:
            self._drawn[at] = random_face(self._rng)
        return self._drawn[at]

    def back(self) -> CardFace:
        """Any card, face down."""
        at = int(self._rng.integers(len(self._backs)))
        if at < self._drawn_backs and self._rng.random() < 0.5:
            self._backs[at] = random_back(self._rng)
        return self._backs[at]
