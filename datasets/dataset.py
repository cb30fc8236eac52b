"""Writes labelled training pictures in YOLO's form: `images/`, `labels/`, `data.yaml`; others are brought into it.

Half of what is made is rendered, half drawn flat; what is for validation shows decks of other families.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Literal, cast

import cv2
import numpy as np

from auditor.log import FairdealError
from datasets.importers import IMPORTERS, LabelledBox
from vision.seen import Image, Seen

Labelled = tuple[Image, list[LabelledBox]]
Split = Literal["train", "valid"]
How = Literal["rendered", "drawn", "both"]
_INDEX_WIDTH = 0.5  # an index's width, to its height
_SHOWN = 0.7
_CROP = 0.55  # half of a crop's side, to the box's own


def card_pictures(count: int, seed: int, *, size_px: int = 480, split: Split = "train") -> Iterator[Labelled]:
    """Composited cards; a box around every index that shows, named after its card, and around every back."""
    from datasets import deck_art
    from datasets.card_faces import Pool
    from datasets.composites import Sizes, compose

    rng, sizes = np.random.default_rng((seed, split == "valid")), Sizes(least_px=8, most_px=60)
    decks = deck_art.TRAINING if split == "train" else deck_art.VALIDATION
    pool = Pool(rng, drawn=120, art=deck_art.load_decks(decks))
    for _ in range(count):
        scene = compose(pool, rng, size_px=size_px, sizes=sizes)
        boxes = [_around(index.label, index.frame, _INDEX_WIDTH) for index in scene.indices if index.visible >= _SHOWN]
        boxes += [_around("back", card.frame, 1.0) for card in scene.cards if not card.label and card.visible >= _SHOWN]
        yield scene.image, boxes


def _around(name: str, frame: np.ndarray, width: float) -> LabelledBox:
    """The upright box around a frame."""
    centre, right, up = frame
    half = np.abs(right) * width + np.abs(up)
    return LabelledBox(name, float(centre[0]), float(centre[1]), float(2 * half[0]), float(2 * half[1]))


def boxes_of(seen: Iterable[Seen]) -> list[LabelledBox]:
    """What was drawn, as named boxes: `As`, `back`, `die-4`, `chips`."""
    boxes = []
    for each in seen:
        x1, y1, x2, y2 = each.box
        name = each.kind if each.label is None else each.label if each.kind == "card" else f"{each.kind}-{each.label}"
        boxes.append(LabelledBox(name, (x1 + x2) / 2, (y1 + y2) / 2, x2 - x1, y2 - y1))
    return boxes


def drawn(what: str, count: int, seed: int, split: Split) -> Iterator[Labelled]:
    """Flat pictures: cards laid on photographs and patterns, small things drawn on felt."""
    from datasets.object_pictures import WRITERS

    if what == "cards":
        return card_pictures(count, seed, split=split)
    return ((image, boxes_of(seen)) for image, seen in WRITERS[what](count, seed + 1_000_000 * (split == "valid")))


def rendered(what: str, count: int, seed: int, split: Split) -> Iterator[Labelled]:
    """Pictures of the rendered casino: tables, light, lenses and whatever stands in the way."""
    try:
        from datasets.casino import samples
        from datasets.casino.wheel_samples import ball_pictures
    except ImportError as error:
        raise FairdealError(
            f"dataset: rendered pictures need the simulate extra ({error.name} is missing): "
            "pip install 'fairdeal[simulate]', or take --how drawn"
        ) from None
    if what == "ball":
        return ball_pictures(count, seed + 1_000_000 * (split == "valid"))
    return samples.pictures(cast(samples.What, what), count, seed, split=split)


RENDERED, DRAWN = ("ball", "cards", "chips", "dice", "tiles"), ("buttons", "cards", "chips", "dice", "hands", "tiles")


def make(what: str, count: int, seed: int, split: Split = "train", how: How = "both") -> Iterator[Labelled]:
    """Training pictures of one kind of thing: half of them rendered, half drawn, where there are both."""
    makers = [(rendered, RENDERED)] * (how != "drawn") + [(drawn, DRAWN)] * (how != "rendered")
    chosen = [maker for maker, known in makers if what in known]
    if not chosen:
        known = ", ".join(sorted({each for _, known in makers for each in known}))
        raise FairdealError(f"dataset: --what {what} is not known; one of {known}")
    shares = [(count + place) // len(chosen) for place in range(len(chosen))]
    return chain.from_iterable(maker(what, share, seed, split) for maker, share in zip(chosen, shares, strict=True))


class YoloWriter:
    """A folder in YOLO's form: `images/SPLIT`, `labels/SPLIT`, `data.yaml`; on request also every box, cut out."""

    def __init__(self, out: Path, *, with_crops: bool = False) -> None:
        self._out, self._with_crops = out, with_crops
        self._names: list[str] = []
        self._splits: list[str] = []

    def write(self, pictures: Iterable[Labelled], split: Split = "train") -> int:
        """Add pictures and boxes; how many pictures there were."""
        images, labels = self._out / "images" / split, self._out / "labels" / split
        for folder in (images, labels):
            folder.mkdir(parents=True, exist_ok=True)
        count = 0
        for count, (image, boxes) in enumerate(pictures, 1):
            name = f"{count - 1:06d}"
            cv2.imwrite(str(images / f"{name}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, 92])
            (labels / f"{name}.txt").write_text("\n".join(self._rows(image, boxes)))
            if self._with_crops:
                self._cut_out(image, boxes, split, name)
        self._splits += [split] if count else []
        return count

    def _rows(self, image: Image, boxes: list[LabelledBox]) -> Iterator[str]:
        height, width = image.shape[:2]
        self._names += sorted({box.name for box in boxes} - set(self._names))
        for box in boxes:
            x, y, w, h = box.x / width, box.y / height, box.width / width, box.height / height
            yield f"{self._names.index(box.name)} {x:.6f} {y:.6f} {w:.6f} {h:.6f}"

    def _cut_out(self, image: Image, boxes: list[LabelledBox], split: Split, name: str) -> None:
        height, width = image.shape[:2]
        for place, box in enumerate(boxes):
            x0, x1 = (round(box.x + side * box.width * _CROP) for side in (-1, 1))
            y0, y1 = (round(box.y + side * box.height * _CROP) for side in (-1, 1))
            crop = image[max(y0, 0) : min(y1, height), max(x0, 0) : min(x1, width)]
            if crop.size:
                folder = self._out / "crops" / split / box.name
                folder.mkdir(parents=True, exist_ok=True)
                cv2.imwrite(str(folder / f"{name}-{place}.png"), crop)

    def close(self) -> None:
        """Write down what the folder holds."""
        valid = "valid" if "valid" in self._splits else "train"
        names = ", ".join(self._names)
        (self._out / "data.yaml").write_text(f"names: [{names}]\ntrain: images/train\nval: images/{valid}\n")


def write(pictures: Iterable[Labelled], out: Path) -> int:
    """Write pictures and boxes of one split to a folder; how many pictures there were."""
    writer = YoloWriter(out)
    count = writer.write(pictures)
    writer.close()
    return count


def imported(form: str, folder: Path) -> Iterator[Labelled]:
    """The pictures and boxes of somebody else's set."""
    if form not in IMPORTERS:
        raise FairdealError(f"dataset: form «{form}» is not known; one of {', '.join(sorted(IMPORTERS))}")
    photos = IMPORTERS[form](folder)
    first = next(iter(photos), None)
    if first is None:
        raise FairdealError(f"{folder}: there is no picture in it to import as {form}")
    return ((photo.read(), list(photo.boxes)) for photo in chain([first], photos))
