"""Decks drawn by others, where they are installed: rendered once, with the place of the index measured on them.

None of this art is in the repository. `art_folder()` is where unpacked packages are looked for (see docs/eyes.md).
"""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from datasets.card_faces import CARD_HEIGHT_PX, CardFace, Rect
from datasets.index_art import RANKS, SUITS
from vision.seen import Image

SHEETS = Path("/usr/share/aisleriot/cards")  # Debian gnome-cards-data, aisleriot
_SHEET_RANKS = ("A", *RANKS[:-1])
_WIDTH_PX = 228

# Families share art, so that they are split as families: no deck in validation has a cousin elsewhere.
TRAINING = (
    *("anglo", "anglo_modern", "anglo_modern_4_color", "anglo_poker", "atlasnye", "bonded", "dondorf", "ornamental"),
    *("plastic", "simplistic", "heruka/2color", "heruka/2color-bf", "heruka/4color", "heruka/4color-bf"),
    *("letele", "kde-penguins", "kde-ancient-egyptians"),
)
# Neither taught nor measured on: they tell what confidence is worth on a new deck.
TUNING = (
    *("paris", "tango", "arcade", "kde-jolly-royal", "kde-standard", "kde-tigullio-international", "younestouati"),
)
VALIDATION = ("bellot", "svg-cards", "neoclassical", "neoclassical_4_color")
_FOUR_CORNERS = ("bonded", "dondorf")


def art_folder() -> Path:
    """Where unpacked art packages lie, and where rendered sheets are kept."""
    return Path(os.environ.get("FAIRDEAL_ART", Path.home() / ".cache" / "fairdeal" / "art"))


def load_decks(names: tuple[str, ...]) -> tuple[CardFace, ...]:
    """The faces and backs of those of the decks that are installed."""
    return tuple(face for name in names for face in _load_deck(name))


def _load_deck(name: str) -> list[CardFace]:
    pictures = dict(_pictures(name))
    rect = _measure_index([picture for label, picture in pictures.items() if label[0] in "23456789A"])
    corners = 4 if name in _FOUR_CORNERS else 2
    return [CardFace(label=None, picture=picture, index=None) if label.startswith("back")
            else CardFace(label=label, picture=picture, index=rect, corners=corners)
            for label, picture in pictures.items() if rect is not None]  # fmt: skip


def _pictures(name: str) -> Iterator[tuple[str, Image]]:
    if (SHEETS / f"{name}.svgz").is_file():
        yield from _sheet(name)
    elif name.startswith("heruka"):
        for path in sorted((art_folder() / name).glob("[2-9TJQKA][CDHS].svg")):
            yield path.stem[0] + path.stem[1].lower(), _normal(_rendered(path, f"-h {CARD_HEIGHT_PX}"))
    else:
        for path in sorted((art_folder() / name).glob("*.png")):
            label = _named(path.stem)
            if label:
                yield label, _normal(_read(path))


def _sheet(name: str) -> Iterator[tuple[str, Image]]:
    sheet = _rendered(SHEETS / f"{name}.svgz", f"-w {13 * _WIDTH_PX} -h {5 * CARD_HEIGHT_PX}")

    def cell(row: int, column: int) -> Image:
        top, left = row * CARD_HEIGHT_PX, column * _WIDTH_PX
        return _normal(sheet[top + 2 : top + CARD_HEIGHT_PX - 2, left + 2 : left + _WIDTH_PX - 2])

    for row, suit in enumerate(SUITS):
        for column, rank in enumerate(_SHEET_RANKS):
            yield rank + suit, cell(row, column)
    yield "back", cell(4, 2)


def _rendered(path: Path, size: str) -> Image:
    kept = art_folder() / "rendered" / ("-".join(path.parts[-2:]) + ".png")
    if not kept.is_file():
        kept.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["rsvg-convert", *size.split(), str(path), "-o", str(kept)], check=True)
    return _read(kept)


def _read(path: Path) -> Image:
    return np.asarray(cv2.imread(str(path), cv2.IMREAD_UNCHANGED), np.uint8)


def _normal(picture: Image) -> Image:
    """At the common height, without the alpha channel: what shows through is taken for paper."""
    if picture.shape[2] == 4:
        share = picture[..., 3:].astype(np.float32) / 255
        picture = (picture[..., :3] * share + 255 * (1 - share)).astype(np.uint8)
    width = round(picture.shape[1] * CARD_HEIGHT_PX / picture.shape[0])
    return np.asarray(cv2.resize(picture, (width, CARD_HEIGHT_PX), interpolation=cv2.INTER_AREA), np.uint8)


def _named(stem: str) -> str | None:
    """`cardHearts10` and `heart_king` as `Th` and `Kh`."""
    text = stem.lower().removeprefix("card")
    if "back" in text:
        return f"back-{stem}"
    for word, suit in (("club", "c"), ("diamond", "d"), ("heart", "h"), ("spade", "s")):
        if text.startswith(word):
            rank = text.removeprefix(word).lstrip("s_")
            rank = {"10": "T", "1": "A", "jack": "J", "queen": "Q", "king": "K"}.get(rank, rank.upper())
            return rank + suit if rank in RANKS else None
    return None


def _measure_index(pictures: list[Image]) -> Rect | None:
    """The rectangle of rank and suit at the top left, as most cards of the deck have it."""
    rects = [rect for rect in map(_corner_ink, pictures) if rect is not None]
    if len(rects) < 8:
        return None
    left, top, right, bottom = np.median(np.array(rects), axis=0)
    return float(left), float(top), float(right), float(bottom)


def _corner_ink(picture: Image) -> Rect | None:
    """The uppermost two pieces of print in the corner: a rank and the suit below it."""
    height, width = picture.shape[:2]
    corner = picture[: int(height * 0.42), : int(width * 0.3)].astype(np.int16)
    paper = np.median(corner.reshape(-1, 3), axis=0)
    ink = (np.abs(corner - paper).sum(axis=2) > 150).astype(np.uint8)
    ink[:5], ink[:, :5] = 0, 0
    _, _, stats, centres = cv2.connectedComponentsWithStats(ink)
    pieces = sorted(
        (top, left, left + wide, top + high)
        for (left, top, wide, high, area), (cx, _) in zip(stats[1:], centres[1:], strict=True)
        if area > 40 and cx < width * 0.17 and high < height * 0.22 and wide < width * 0.22
    )
    if len(pieces) < 2:
        return None
    rank, suit = pieces[:2]
    if suit[0] < rank[3] - 4 or suit[0] > rank[3] + height * 0.06:
        return None
    return float(min(rank[1], suit[1])), float(rank[0]), float(max(rank[2], suit[2])), float(suit[3])
