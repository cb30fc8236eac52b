"""Writes labelled training pictures in YOLO's form: `images/`, `labels/`, `data.yaml`; others are brought into it."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import cv2
import numpy as np

from auditor.log import FairdealError
from datasets.importers import IMPORTERS, LabelledBox
from vision.seen import Image, Seen

Labelled = tuple[Image, list[LabelledBox]]
_INDEX_WIDTH = 0.5  # an index's width, to its height
_SHOWN = 0.7


def card_pictures(count: int, seed: int, *, size_px: int = 480) -> Iterator[Labelled]:
    """Composited cards; a box around every index that shows, named after its card, and around every back."""
    from datasets import deck_art
    from datasets.card_faces import Pool
    from datasets.composites import Sizes, compose

    rng, sizes = np.random.default_rng(seed), Sizes(least_px=10, most_px=48)
    pool = Pool(rng, drawn=120, art=deck_art.load_decks(deck_art.TRAINING))
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


def make(what: str, count: int, seed: int) -> Iterator[Labelled]:
    """Training pictures of one kind of thing."""
    from datasets.object_pictures import WRITERS

    if what == "cards":
        return card_pictures(count, seed)
    if what == "ball":
        from datasets.casino.wheel_samples import ball_pictures

        return ball_pictures(count, seed)
    if what not in WRITERS:
        known = ", ".join(["ball", "cards", *sorted(WRITERS)])
        raise FairdealError(f"dataset: --what {what} is not known; one of {known}")
    return ((image, boxes_of(seen)) for image, seen in WRITERS[what](count, seed))


def write(pictures: Iterable[Labelled], out: Path) -> int:
    """Write pictures and boxes to a folder, and return how many pictures there were."""
    (out / "images").mkdir(parents=True, exist_ok=True)
    (out / "labels").mkdir(exist_ok=True)
    names: list[str] = []
    count = 0
    for count, (image, boxes) in enumerate(pictures, 1):
        height, width = image.shape[:2]
        names += sorted({box.name for box in boxes} - set(names))
        parts = [(box.x / width, box.y / height, box.width / width, box.height / height) for box in boxes]
        rows = [
            f"{names.index(box.name)} {x:.6f} {y:.6f} {w:.6f} {h:.6f}"
            for box, (x, y, w, h) in zip(boxes, parts, strict=True)
        ]
        cv2.imwrite(str(out / "images" / f"{count - 1:06d}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, 92])
        (out / "labels" / f"{count - 1:06d}.txt").write_text("\n".join(rows))
    (out / "data.yaml").write_text(f"names: [{', '.join(names)}]\ntrain: images\nval: images\n")
    return count


def imported(form: str, folder: Path) -> Iterator[Labelled]:
    """The pictures and boxes of somebody else's set."""
    if form not in IMPORTERS:
        raise FairdealError(f"dataset: form «{form}» is not known; one of {', '.join(sorted(IMPORTERS))}")
    return ((photo.read(), list(photo.boxes)) for photo in IMPORTERS[form](folder))
