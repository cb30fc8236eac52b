"""What lies under and over cards in training pictures: felts, wood, photographs, print, chips, fingers."""

import functools
from pathlib import Path

import cv2
import numpy as np
from numpy.random import Generator

from datasets.pip_art import draw_pip
from datasets.typefaces import draw_text, random_font, trimmed
from vision.seen import Image

# Installed photographs (Debian mate-backgrounds, foobillardplus-data, gnubg-data); none of them is in the repository.
PHOTO_FOLDERS = (Path("/usr/share/backgrounds"), Path("/usr/share/games/foobillardplus"))
_FELTS = ((60, 110, 20), (40, 90, 15), (110, 70, 20), (40, 30, 120), (70, 40, 60), (50, 50, 50), (90, 120, 30))
_WORDS = (
    *("DEALER MUST DRAW TO 16", "INSURANCE PAYS 2 TO 1", "PLACE YOUR BETS", "BLACKJACK PAYS 3 TO 2", "ANTE", "PLAYER"),
    *("BANKER", "TIE", "25", "100", "500", "17", "32", "8", "36", "1st 12", "EVEN", "ODD", "TRIPS", "PUSH", "A4", "K9"),
    *("Qwerty", "Alt Gr", "F10", "Enter", "2nd", "Lorem ipsum dolor", "No. 6", "JAQ", "70 x 7"),
)
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZaefhkmnqrtJKQAOKER0123456789"
_RANK_SIGNS = "23456789JQKA1064"
_SKINS = ((110, 140, 200), (80, 110, 170), (60, 80, 120), (140, 170, 225), (50, 60, 90))
_SLEEVES = ((20, 20, 20), (240, 240, 240), (90, 40, 30), (40, 40, 110))
_WHITE = (255, 255, 255)


@functools.cache
def _photo_paths() -> tuple[str, ...]:
    paths = [path for folder in PHOTO_FOLDERS for path in sorted(folder.rglob("*"))]
    return tuple(str(path) for path in paths if path.suffix.lower() in (".jpg", ".jpeg", ".png"))


@functools.lru_cache(maxsize=400)
def _photo(path: str) -> Image | None:
    photo = cv2.imread(path)
    return None if photo is None else _shrunk(np.asarray(photo, np.uint8))


def _shrunk(photo: Image, width_px: int = 900) -> Image:
    scale = min(1.0, width_px / photo.shape[1])
    return np.asarray(cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def random_backdrop(size_px: int, rng: Generator) -> Image:
    """A table top, a photograph, plain paper: anything cards may lie on."""
    draw = rng.random()
    if draw < 0.3:
        return _surface(size_px, np.array(_FELTS[rng.integers(len(_FELTS))]), rng)
    if draw < 0.5:
        return _surface(size_px, np.full(3, rng.integers(150, 256)), rng)
    if draw < 0.65:
        return _surface(size_px, rng.integers(0, 256, 3), rng)
    if draw < 0.75:
        return _wood(size_px, rng)
    if draw < 0.82:
        return _pattern(size_px, rng)
    return _photo_part(size_px, rng)


def _photo_part(size_px: int, rng: Generator) -> Image:
    paths = _photo_paths()
    photo = _photo(paths[rng.integers(len(paths))]) if paths else None
    if photo is None:
        return _surface(size_px, rng.integers(0, 256, 3), rng)
    part_px = int(min(*photo.shape[:2], size_px * rng.uniform(0.4, 2.0)))
    top, left = (int(rng.integers(0, side - part_px + 1)) for side in photo.shape[:2])
    part = photo[top : top + part_px, left : left + part_px]
    return np.ascontiguousarray(cv2.resize(part, (size_px, size_px), interpolation=cv2.INTER_AREA), np.uint8)


def _smooth_noise(size_px: int, cells: tuple[int, int], rng: Generator) -> np.ndarray:
    small = rng.normal(0, 1, cells).astype(np.float32)
    return np.asarray(cv2.resize(small, (size_px, size_px), interpolation=cv2.INTER_CUBIC))


def _surface(size_px: int, colour: np.ndarray, rng: Generator) -> Image:
    coarse = _smooth_noise(size_px, (4, 4), rng) * rng.uniform(0, 18)
    fine = rng.normal(0, rng.uniform(0, 10), (size_px, size_px)).astype(np.float32)
    return np.clip(colour + (coarse + fine)[..., None], 0, 255).astype(np.uint8)


def _wood(size_px: int, rng: Generator) -> Image:
    cells = (int(rng.integers(20, 90)), int(rng.integers(2, 6)))
    grain = _smooth_noise(size_px, cells if rng.random() < 0.5 else cells[::-1], rng)
    colour = np.array([90, 120, 160]) * rng.uniform(0.3, 1.5)
    return np.clip(colour + grain[..., None] * rng.uniform(8, 35), 0, 255).astype(np.uint8)


def _pattern(size_px: int, rng: Generator) -> Image:
    """Cloth, tiles, bricks: something in stripes, checks or dots, bent a little."""
    ys, xs = np.mgrid[0:size_px, 0:size_px].astype(np.float32)
    bend = _smooth_noise(size_px, (4, 4), rng) * rng.uniform(0, size_px / 20)
    turn, wide_px = rng.uniform(0, np.pi), size_px / rng.uniform(4, 40)
    along = np.sin((xs * np.cos(turn) + ys * np.sin(turn) + bend) * np.pi / wide_px)
    across = np.sin((ys * np.cos(turn) - xs * np.sin(turn) + bend) * np.pi / wide_px)
    wave = (along, along * across, along + across)[rng.integers(3)]
    share = 1 / (1 + np.exp(-(wave - rng.uniform(-0.5, 0.5)) * rng.uniform(1, 20)))[..., None]
    one, other = rng.integers(0, 256, 3), rng.integers(0, 256, 3)
    cloth = one * share + other * (1 - share) + rng.normal(0, 6, (size_px, size_px, 1))
    return np.asarray(np.clip(cloth, 0, 255), np.uint8)


# ---- things that are not cards -------------------------------------------------------------------------------------


def scatter_clutter(picture: Image, rng: Generator, *, unit_px: float) -> None:
    """Print, chips, lines and stray pips of about the size of an index: all of it to be passed over."""
    for _ in range(int(rng.integers(0, 6))):
        _CLUTTER[rng.integers(len(_CLUTTER))](picture, rng, unit_px)


def _colour(rng: Generator) -> tuple[int, int, int]:
    blue, green, red = (int(part) for part in rng.integers(0, 256, 3))
    return blue, green, red


def _place(picture: Image, rng: Generator) -> tuple[int, int]:
    return int(rng.integers(0, picture.shape[1])), int(rng.integers(0, picture.shape[0]))


def print_mask(picture: Image, mask: Image, rng: Generator, *, at: tuple[int, int] | None = None,
               turn_deg: float | None = None, ink: tuple[int, int, int] | None = None) -> None:  # fmt: skip
    """Print a mask: there or anywhere, turned so or by any angle, in this ink or any."""
    if not mask.size:
        return
    at = at or _place(picture, rng)
    turn_deg = rng.uniform(0, 360) if turn_deg is None else turn_deg
    turn = cv2.getRotationMatrix2D((mask.shape[1] / 2, mask.shape[0] / 2), turn_deg, 1)
    reach = int(np.hypot(*mask.shape) / 2) + 2
    left, top = max(0, at[0] - reach), max(0, at[1] - reach)
    there = picture[top : at[1] + reach, left : at[0] + reach]
    if not there.size:
        return
    turn[:, 2] += np.array(at) - (left, top) - (mask.shape[1] / 2, mask.shape[0] / 2)
    share = cv2.warpAffine(mask, turn, there.shape[1::-1])[..., None].astype(np.float32) / 255
    there[:] = (there * (1 - share) + np.array(ink or _colour(rng)) * share).astype(np.uint8)


def _word(picture: Image, rng: Generator, unit_px: float) -> None:
    word = _WORDS[rng.integers(len(_WORDS))]
    height = max(5, int(unit_px * rng.uniform(0.3, 1.2)))
    print_mask(picture, draw_text(word, random_font(rng), height), rng)


def _letters(picture: Image, rng: Generator, unit_px: float) -> None:
    """A label's letters and figures, in any order: also such as ranks and jokers' words are made of."""
    letters = "".join(rng.choice(list(_LETTERS), int(rng.integers(1, 7))))
    print_mask(picture, draw_text(letters, random_font(rng), max(5, int(unit_px * rng.uniform(0.3, 1.0)))), rng)


def _key(picture: Image, rng: Generator, unit_px: float) -> None:
    """Keys of a keyboard: a sign, or one above another, on a dark or pale ground."""
    height, font = max(5, int(unit_px * rng.uniform(0.3, 0.6))), random_font(rng)
    signs = [draw_text(str(rng.choice(list(_LETTERS + "%&@#?*+=()§$€<>;:"))), font, height) for _ in range(2)]
    column = np.zeros((2 * height + height // 3 + 2, 2 * height), np.uint8)
    for sign, top in zip(signs[: int(rng.integers(1, 3))], (0, height + height // 3), strict=False):
        part = sign[: column.shape[0] - top, : column.shape[1]]
        column[top : top + part.shape[0], : part.shape[1]] = part
    shade = int(rng.choice([20, 60, 230]))
    side = unit_px * rng.uniform(1.0, 2.0)
    shape = cv2.boxPoints((_place(picture, rng), (side, side), rng.uniform(0, 90)))
    cv2.fillPoly(picture, [np.asarray(shape, np.int32)], (shade,) * 3, cv2.LINE_AA)
    centre = shape.mean(axis=0)
    print_mask(picture, column, rng, at=(int(centre[0]), int(centre[1])))


def _keyboard(picture: Image, rng: Generator, unit_px: float) -> None:
    """Rows of keys, each with its letter, all turned alike."""
    side, font, turn = unit_px * rng.uniform(0.8, 1.6), random_font(rng), rng.uniform(0, 360)
    across = np.array([np.cos(np.radians(turn)), np.sin(np.radians(turn))]) * side * 1.12
    start, dark = np.array(_place(picture, rng)), rng.random() < 0.6
    for row in range(3):
        for column in range(int(rng.integers(3, 8))):
            centre = start + across * (column + 0.4 * row) + across[::-1] * (-1, 1) * row
            key = np.asarray(cv2.boxPoints((centre.tolist(), (side, side), turn)), np.int32)
            cv2.fillPoly(picture, [key], ((35,) if dark else (225,)) * 3, cv2.LINE_AA)
            letter = draw_text(str(rng.choice(list(_LETTERS))), font, max(4, int(side * 0.4)))
            print_mask(picture, letter, rng, at=(int(centre[0]), int(centre[1])), turn_deg=-turn,
                       ink=(225, 225, 225) if dark else (30, 30, 30))  # fmt: skip


def _stray_pip(picture: Image, rng: Generator, unit_px: float) -> None:
    print_mask(picture, draw_pip(str(rng.choice(list("cdhs"))), max(5, int(unit_px * rng.uniform(0.3, 2))),
                                 int(rng.integers(1 << 30))), rng)  # fmt: skip


def _no_index(picture: Image, rng: Generator, unit_px: float) -> None:
    """A figure or letter over something that is no suit's sign, on paper: a label, a price, a clock, a score."""
    font, height = random_font(rng), max(5, int(unit_px * rng.uniform(0.35, 0.6)))
    signs = [draw_text(str(rng.choice(list(_RANK_SIGNS))), font, height), _shape(height, rng)]
    if rng.random() < 0.4:
        signs[1] = draw_text(str(rng.choice(list(_LETTERS + "%&@#?*+=()§$€<>;:"))), font, height)
    signs = signs[: int(rng.choice([1, 2, 2]))][:: int(rng.choice([1, 1, -1]))]
    column = np.zeros((sum(sign.shape[0] for sign in signs) + height // 5 + 1, 2 * height + 1), np.uint8)
    top = 0
    for sign in signs:
        part = sign[:, : column.shape[1]]
        left = (column.shape[1] - part.shape[1]) // 2
        column[top : top + part.shape[0], left : left + part.shape[1]] = part
        top += part.shape[0] + height // 5
    at, dark = _place(picture, rng), rng.random() < 0.3
    sides = tuple(np.array(column.shape[::-1]) * rng.uniform(1.1, 3.0, 2))
    paper = np.asarray(cv2.boxPoints((at, sides, rng.uniform(0, 90))), np.int32)
    cv2.fillPoly(picture, [paper], (int(rng.integers(10, 60) if dark else rng.integers(200, 256)),) * 3, cv2.LINE_AA)
    ink = ((220, 220, 220), (90, 180, 210)) if dark else ((25, 25, 25), (40, 30, 200))
    print_mask(picture, trimmed(column), rng, at=at, ink=ink[rng.integers(2)])


def _shape(height_px: int, rng: Generator) -> Image:
    """A disc, a ring, a bar, a triangle, a star: anything but a suit's sign."""
    mask, half = np.zeros((height_px, height_px), np.uint8), height_px / 2
    sides = int(rng.choice([2, 3, 4, 6, 10, 40]))
    turns = np.arange(sides) * 2 * np.pi / sides - np.pi / (4 if sides == 4 else 2)  # a square lies flat: no diamond
    reach = np.where(np.arange(sides) % 2, rng.uniform(0.4, 0.6) if sides == 10 else 1.0, 1.0)[:, None]
    points = half + np.stack([np.cos(turns), np.sin(turns)], axis=1) * reach * half * 0.95
    thick_px = max(1, height_px // 6)
    if sides == 2 or rng.random() < 0.4:
        cv2.polylines(mask, [np.asarray(points, np.int32)], True, (255,), thick_px, cv2.LINE_AA)
    else:
        cv2.fillPoly(mask, [np.asarray(points, np.int32)], (255,), cv2.LINE_AA)
    return mask


def _chip(picture: Image, rng: Generator, unit_px: float) -> None:
    centre, radius = _place(picture, rng), max(4, int(unit_px * rng.uniform(0.6, 1.6)))
    cv2.circle(picture, centre, radius, _colour(rng), -1, cv2.LINE_AA)
    spots = _colour(rng) if rng.random() < 0.5 else _WHITE
    for angle in np.arange(0, 360, 360 / rng.integers(4, 9)):
        cv2.ellipse(
            picture, centre, (int(radius * 0.9),) * 2, float(angle), 0, 18, spots, max(1, radius // 5), cv2.LINE_AA
        )
    cv2.circle(picture, centre, int(radius * 0.6), _colour(rng), 1 if rng.random() < 0.5 else -1, cv2.LINE_AA)


def _line(picture: Image, rng: Generator, unit_px: float) -> None:
    thick_px = int(rng.integers(1, 2 + int(unit_px / 3)))
    cv2.line(picture, _place(picture, rng), _place(picture, rng), _colour(rng), thick_px, cv2.LINE_AA)


def _paper(picture: Image, rng: Generator, unit_px: float) -> None:
    """Blank white things: paper, a phone, a card's middle."""
    shape = cv2.boxPoints((_place(picture, rng), tuple(unit_px * rng.uniform(1, 6, 2)), rng.uniform(0, 90)))
    shade = int(rng.choice([15, 235, 250]))
    cv2.fillPoly(picture, [np.asarray(shape, np.int32)], (shade,) * 3, cv2.LINE_AA)


def _die(picture: Image, rng: Generator, unit_px: float) -> None:
    (x, y), half = _place(picture, rng), unit_px * rng.uniform(0.4, 1.0)
    turn = rng.uniform(0, 90)
    outline = np.asarray(cv2.boxPoints(((x, y), (2 * half, 2 * half), turn)), np.int32)
    cv2.fillPoly(picture, [outline], _colour(rng), cv2.LINE_AA)
    dot = _WHITE if rng.random() < 0.5 else (0, 0, 0)
    for dx, dy in rng.permutation([(-1, -1), (1, 1), (0, 0), (1, -1), (-1, 1), (-1, 0), (1, 0)])[: rng.integers(1, 7)]:
        cv2.circle(
            picture, (int(x + dx * half / 2), int(y + dy * half / 2)), max(1, int(half / 6)), dot, -1, cv2.LINE_AA
        )


_CLUTTER = (_word, _letters, _key, _keyboard, _no_index, _stray_pip, _chip, _line, _paper, _die)


def cover_with_hand(picture: Image, covered: np.ndarray, rng: Generator, *, unit_px: float) -> None:
    """A few fingers, or a sleeve, over what lies there; marks the pixels it covers in `covered`."""
    x, y = _place(picture, rng)
    sleeve = rng.random() < 0.25
    skin = np.array(_SLEEVES[rng.integers(4)] if sleeve else _SKINS[rng.integers(5)]) * rng.uniform(0.7, 1.1)
    mask = np.zeros(picture.shape[:2], np.uint8)
    heading, width = rng.uniform(0, 2 * np.pi), unit_px * (rng.uniform(2, 4) if sleeve else rng.uniform(0.5, 1.1))
    for _ in range(1 if sleeve else int(rng.integers(1, 4))):
        reach = (x + 600 * np.cos(heading), y + 600 * np.sin(heading))
        cv2.line(mask, (x, y), (int(reach[0]), int(reach[1])), (255,), max(2, int(width)), cv2.LINE_AA)
        x, y = int(x + width * np.sin(heading)), int(y - width * np.cos(heading))
        heading += rng.normal(0, 0.1)
    soft = cv2.GaussianBlur(mask, (0, 0), 1.0 + width / 6)
    share = (mask / 255.0)[..., None]
    shaded = skin * (0.55 + 0.45 * soft[..., None] / 255.0)
    picture[:] = np.clip(picture * (1 - share) + shaded * share, 0, 255).astype(np.uint8)
    covered[mask > 127] = True
