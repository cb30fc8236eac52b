"""What the object detector is taught on: windows of real and rendered pictures, and sprites pasted on any ground."""

import pickle
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from datasets.backdrops import random_backdrop
from datasets.object_pictures import mixed_scene, printed_felt
from datasets.real_split import is_for_tuning, is_held_out
from datasets.sprites import cut_out, paste, traced_sprites
from datasets.pipped import random_die, random_tile
from datasets.traced_bodies import Sprite
from models.composited_cards import composited_cards
from models.rendered_objects import is_whole, rendered_objects
from vision.objects import CLASSES
from vision.seen import Box, Image, Kind, Seen

Made = TypeVar("Made")
SIDE_PX = 320
_DICE, _TILES, _DRAWN, _RENDERED, _FELTS, _CARDS = 600, 600, 120, 30, 160, 800
_RENDERED_SIZE = (1280, 720)
_TABLES = ("act-paigow", "act-roulette", "act-blackjack", "act-paigow", "act-holdem", "act-baccarat")
_CARD_TABLES, _CARD_SIZE, _CARD_ZOOM = ("act-blackjack", "act-baccarat", "act-holdem", "act-uth"), (1920, 1080), 2.5
_SHOWN = 0.5  # a thing that a window cuts more than this is not asked for
_IN_SIGHT = 0.4  # nor is a card of which others leave less than this
_SIZES: dict[str, tuple[float, float]] = {  # how large a window's chosen thing is, longer side in pixels
    "stacks": (40, 290), "dice": (14, 80), "rendered": (9, 140), "drawn": (20, 140), "sprites": (9, 140),
    "cards": (24, 420), "photos": (40, 420), "tables": (20, 160),
}  # fmt: skip
OFTEN = {
    "stacks": 0.17, "dice": 0.09, "rendered": 0.15, "drawn": 0.04, "sprites": 0.11, "plain": 0.04, "cards": 0.26,
    "photos": 0.14,
}  # fmt: skip
OFTEN_CARDS = {
    "stacks": 0.10, "dice": 0.02, "rendered": 0.10, "tables": 0.12, "drawn": 0.02, "sprites": 0.03, "plain": 0.07,
    "cards": 0.36, "photos": 0.18,
}  # fmt: skip
"""How often each source is drawn from, for all things and for a network of which only whole cards are asked."""
_BACK = 53  # what real/cards calls a back; its other boxes are indices
_AGAIN = 3  # photographs with backs are few: so often each is there
_CLUTTER: tuple[Kind, ...] = ("chips", "die", "hand")  # lies about in composited scenes without a label


@dataclass(slots=True)
class Labelled:
    """A picture with boxes (number of the kind, corners in pixels); kinds it may show unlabelled are not taught."""

    image: Image
    rows: NDArray[np.float32]
    untaught: tuple[Kind, ...] = ()


@dataclass(slots=True)
class Sources:
    """All that windows are taken from."""

    pictures: dict[str, list[Labelled]] = field(default_factory=dict)
    felts: list[Image] = field(default_factory=list)
    dice: list[Sprite] = field(default_factory=list)
    tiles: list[Sprite] = field(default_factory=list)
    faces: list[tuple[Image, Box, str]] = field(default_factory=list)
    """The rendered frames' dice and tiles that can be read."""
    often: dict[str, float] = field(default_factory=lambda: OFTEN)

    @classmethod
    def gathered(cls, real: Path, kept: Path, seed: int, *, only_cards: bool = False) -> "Sources":
        """Reads the real sets, draws, traces and renders the rest (kept in a folder for the next time)."""
        unlabelled: tuple[Kind, ...] = ("hand", "button", "card")  # backs too, but far fewer than stacks look like them
        stacks = [_labelled(*each, "chips", unlabelled) for each in taught(real / "chip-stacks")]
        dice = [_labelled(*each, "die") for each in taught(real / "dice")]
        rng = np.random.default_rng(seed)
        drawn, felts = kept_in(
            kept / "drawn.pkl",
            lambda: (
                [_from_seen(*mixed_scene(rng)) for _ in range(_DRAWN)],
                [printed_felt(rng, SIDE_PX) for _ in range(_FELTS)],
            ),
        )
        cards = kept_in(
            kept / "cards.pkl",
            lambda: [_from_seen(*each, _CLUTTER) for each in composited_cards(_CARDS, seed, "train")],
        )
        sprites = kept_in(kept / "dice.pkl", lambda: traced_sprites(random_die, _DICE, seed))
        tiles = kept_in(kept / "tiles.pkl", lambda: traced_sprites(random_tile, _TILES, seed))
        for image, rows in taught(real / "dice"):
            sprites += cut_out(image, corners(image, rows), [str(int(row[0]) + 1) for row in rows])
        frames = rendered_frames(
            kept / "frames.pkl", lambda: rendered_objects(_RENDERED, seed, _RENDERED_SIZE, "train", _TABLES)
        )
        # The stacks in the dealer's tray have no labels, so rendered frames do not teach stacks.
        rendered = [_from_seen(image, seen, ("chips",)) for image, seen in frames]
        pictures = {"stacks": stacks, "dice": dice, "drawn": drawn, "rendered": rendered, "cards": cards}
        pictures["photos"] = _card_photos(real)
        if only_cards:
            made = rendered_frames(
                kept / "tables.pkl",
                lambda: rendered_objects(_RENDERED, seed, _CARD_SIZE, "train", _CARD_TABLES, most_zoom=_CARD_ZOOM),
            )
            pictures["tables"] = [_from_seen(image, seen, ("chips",)) for image, seen in made]
        often = OFTEN_CARDS if only_cards else OFTEN
        return cls(pictures=pictures, felts=felts, dice=sprites, tiles=tiles, faces=readable(frames), often=often)

    @property
    def photos(self) -> list[Labelled]:
        """Photographs of cards, which show none of the other things."""
        return self.pictures["photos"]

    def window(self, rng: np.random.Generator) -> Labelled:
        """One square to learn from."""
        source = str(rng.choice(list(self.often), p=list(self.often.values())))
        if source == "sprites" or source == "plain":
            made = self._ground(rng)
        else:
            chosen = self.pictures[source][rng.integers(len(self.pictures[source]))]
            made = _window(chosen, rng, _SIZES[source])
        if source == "sprites" or (source in ("stacks", "rendered") and rng.random() < 0.25):
            made = self._with_sprites(made, rng)
        return _photographed(made, rng)

    def _ground(self, rng: np.random.Generator) -> Labelled:
        draw = rng.random()
        if draw < 0.45:
            felt = self.felts[rng.integers(len(self.felts))]
            return Labelled(random_backdrop(SIDE_PX, rng) if draw < 0.2 else felt, np.zeros((0, 5), np.float32))
        return _window(self.photos[rng.integers(len(self.photos))], rng, _SIZES["photos"])

    def _with_sprites(self, under: Labelled, rng: np.random.Generator) -> Labelled:
        canvas, rows = under.image.astype(np.float32), list(under.rows)
        tiles = rng.random() < 0.35
        pool, kind = (self.tiles, "tile") if tiles else (self.dice, "die")
        low, high = _SIZES["sprites"]
        side = float(np.exp(rng.uniform(np.log(low * (1.8 if tiles else 1)), np.log(high))))
        for _ in range(int(rng.integers(1, 9 if side < 60 else 4))):
            sprite = pool[rng.integers(len(pool))]
            size = side * float(rng.uniform(0.8, 1.25))
            x, y = rng.uniform(size * 0.3, SIDE_PX - size * 0.3, 2)
            place = np.array([x - size * 0.4, y - size * 0.4, x + size * 0.4, y + size * 0.4])
            if any((place[:2] < row[3:]).all() and (place[2:] > row[1:3]).all() for row in rows):
                continue
            turns = int(rng.integers(4)) if sprite.elevation_deg > 60 else 0
            box = np.clip(paste(canvas, sprite, (float(x), float(y)), size, turns), 0, SIDE_PX)
            rows.append(np.array([CLASSES.index(kind), *box], np.float32))
        image = np.clip(canvas, 0, 255).astype(np.uint8)
        return Labelled(image, np.array(rows, np.float32).reshape(-1, 5), under.untaught)


def taught(folder: Path, *, tuning: bool = False) -> list[tuple[Image, NDArray[np.float64]]]:
    """The pictures of a real set that are neither held out nor (unless asked for) for tuning, with their YOLO rows."""
    pairs = []
    for position, path in enumerate(sorted((folder / "images").iterdir())):
        if not is_held_out(position) and (tuning or not is_for_tuning(position)):
            rows = np.loadtxt(folder / "labels" / f"{path.stem}.txt", ndmin=2).reshape(-1, 5)
            pairs.append((np.asarray(cv2.imread(str(path)), np.uint8), rows))
    return pairs


def corners(image: Image, rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """YOLO rows as corners in pixels."""
    size = np.array(image.shape[1::-1])
    middle, half = rows[:, 1:3] * size, rows[:, 3:5] * size / 2
    return np.hstack([middle - half, middle + half])


def batch(
    sources: Sources, size: int, rng: np.random.Generator
) -> tuple[torch.Tensor, list[torch.Tensor], torch.Tensor]:
    """Pictures, their boxes, and for every picture which kinds it teaches."""
    made = [sources.window(rng) for _ in range(size)]
    seen = np.stack([each.image[:, :, ::-1].transpose(2, 0, 1) for each in made]).astype(np.float32) / 255
    kinds = np.array([[kind not in each.untaught for kind in CLASSES] for each in made], np.float32)
    images = torch.from_numpy(seen).contiguous(memory_format=torch.channels_last)
    return images, [torch.from_numpy(each.rows) for each in made], torch.from_numpy(kinds)


def _labelled(image: Image, rows: NDArray[np.float64], kind: Kind, untaught: tuple[Kind, ...] = ()) -> Labelled:
    kinds = np.full((len(rows), 1), CLASSES.index(kind))
    return Labelled(image, np.hstack([kinds, corners(image, rows)]).astype(np.float32), untaught)


def _card_photos(real: Path) -> list[Labelled]:
    """Photographs of cards: some have the boxes of whole faces, the others those of backs alone."""
    photos = [_labelled(*each, "card") for each in taught(real / "card-ranks")]
    for image, rows in taught(real / "cards"):
        backs = rows[rows[:, 0] == _BACK]
        photos += [_labelled(image, backs, "back", ("card",))] * (_AGAIN if len(backs) else 1)
    return photos


def _from_seen(image: Image, seen: Sequence[Seen], untaught: tuple[Kind, ...] = ()) -> Labelled:
    asked = [each for each in seen if each.kind not in untaught and each.conf > _IN_SIGHT]
    rows = [(CLASSES.index(each.kind), *each.box) for each in asked]
    return Labelled(image, np.array(rows, np.float32).reshape(-1, 5), untaught)


def kept_in(path: Path, make: Callable[[], Made]) -> Made:
    """What takes minutes to make is kept in a file for the next training."""
    if not path.is_file():
        path.write_bytes(pickle.dumps(make()))
    made: Made = pickle.loads(path.read_bytes())
    return made


def readable(frames: Iterable[tuple[Image, list[Seen]]]) -> list[tuple[Image, Box, str]]:
    """The dice and tiles of rendered frames of which nothing is hidden, each with its frame."""
    return [
        (image, each.box, each.label)
        for image, seen in frames
        for each in seen
        if each.label is not None and is_whole(each, image)
    ]


def rendered_frames(
    path: Path, render: Callable[[], Iterable[tuple[Image, list[Seen]]]]
) -> list[tuple[Image, list[Seen]]]:
    """Frames of the rendered casino, kept in a file as pictures are."""
    frames = kept_in(
        path,
        lambda: [
            (cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes(), seen) for image, seen in render()
        ],
    )
    return [
        (np.asarray(cv2.imdecode(np.frombuffer(packed, np.uint8), cv2.IMREAD_COLOR), np.uint8), seen)
        for packed, seen in frames
    ]


def _window(whole: Labelled, rng: np.random.Generator, sizes: tuple[float, float]) -> Labelled:
    """A square of a picture, scaled so that one of its things has a size by lot, that thing somewhere in it."""
    height, width = whole.image.shape[:2]
    if len(whole.rows):
        _, left, top, right, bottom = whole.rows[rng.integers(len(whole.rows))]
        middle, own = np.array([left + right, top + bottom]) / 2, max(right - left, bottom - top)
    else:
        middle, own = rng.uniform(0, 1, 2) * (width, height), rng.uniform(30, 150)
    scale = float(np.exp(rng.uniform(*np.log(sizes)))) / max(own, 4.0)
    scale = float(np.clip(scale, 1.6 * SIDE_PX / (width + height), 1.7))
    corner = middle * scale - rng.uniform(0.15, 0.85, 2) * SIDE_PX
    room = np.array([width, height]) * scale - SIDE_PX
    corner = np.where(room > 0, np.clip(corner, 0, np.maximum(room, 0)), room * rng.uniform(0, 1, 2))
    ratio = np.array([1.0, float(np.exp(rng.normal(0, 0.06)))])
    image = whole.image
    if scale < 0.6:
        shrunk = max(scale * 1.2, 0.05)
        image = np.asarray(cv2.resize(image, None, fx=shrunk, fy=shrunk, interpolation=cv2.INTER_AREA), np.uint8)
    inner = np.array([image.shape[1] / width, image.shape[0] / height])
    matrix = np.column_stack([np.diag(scale * ratio / inner), -corner * ratio])
    border = (114, 114, 114)
    cut = cv2.warpAffine(image, matrix, (SIDE_PX, SIDE_PX), flags=cv2.INTER_LINEAR, borderValue=border)
    rows = whole.rows.copy()
    rows[:, 1:] = rows[:, 1:] * np.tile(scale * ratio, 2) - np.tile(corner * ratio, 2)
    clipped = np.clip(rows[:, 1:], 0, SIDE_PX)
    area = np.prod(rows[:, 3:] - rows[:, 1:3], axis=1)
    shown = np.prod(clipped[:, 2:] - clipped[:, :2], axis=1) / np.maximum(area, 1e-3)
    rows[:, 1:] = clipped
    return Labelled(np.asarray(cut, np.uint8), rows[shown > _SHOWN].astype(np.float32), whole.untaught)


def _photographed(made: Labelled, rng: np.random.Generator) -> Labelled:
    """Mirrored, in another light, of another camera."""
    image, rows = made.image, made.rows
    if rng.random() < 0.5:
        image = image[:, ::-1]
        rows = np.column_stack([rows[:, 0], SIDE_PX - rows[:, 3], rows[:, 2], SIDE_PX - rows[:, 1], rows[:, 4]])
    lit = image.astype(np.float32)
    if rng.random() < 0.2:
        lit = lit[:, :, rng.permutation(3)]
    if rng.random() < 0.06:
        lit = np.repeat(lit.mean(axis=2, keepdims=True), 3, axis=2)
    lit = lit * (rng.uniform(0.55, 1.25) * rng.uniform(0.88, 1.12, 3)).astype(np.float32)
    lit = (lit - 128) * np.float32(rng.uniform(0.8, 1.2)) + 128
    if rng.random() < 0.25:
        lit = np.asarray(cv2.GaussianBlur(lit, (0, 0), float(rng.uniform(0.4, 1.3))), np.float32)
    if rng.random() < 0.4:
        lit = lit + rng.normal(0, rng.uniform(1, 9), (*lit.shape[:2], 1)).astype(np.float32)
    return Labelled(np.clip(lit, 0, 255).astype(np.uint8), rows.astype(np.float32), made.untaught)
