"""Labelled photographs of others, whatever form they come in: YOLO, COCO and Pascal VOC are read into one.

>>> sorted(IMPORTERS)
['coco', 'voc', 'yolo']
"""

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import cv2
import msgspec
import numpy as np

from auditor.log import FairdealError
from vision.seen import Image

_PICTURES = (".jpg", ".jpeg", ".png", ".bmp", ".webp")


class LabelledBox(NamedTuple):
    """A name and an upright box: its centre, width and height in pixels."""

    name: str
    x: float
    y: float
    width: float
    height: float


class LabelledPhoto(msgspec.Struct, frozen=True, kw_only=True):
    """A photograph and the boxes on it."""

    path: Path
    position: int
    """Its place among the pictures of its set, sorted by name."""
    boxes: tuple[LabelledBox, ...]

    def read(self) -> Image:
        """The picture."""
        image = cv2.imread(str(self.path))
        if image is None:
            raise FairdealError(f"{self.path}: not a picture that can be read")
        return np.asarray(image, np.uint8)


def read_yolo(folder: Path) -> Iterator[LabelledPhoto]:
    """`images/`, `labels/` with `class x y w h` in parts of the picture, `data.yaml` with the names.

    Splits lie below them (`images/train`) or around them (`train/images`).
    """
    names = _yaml_names(folder / "data.yaml")
    folders = sorted({folder / "images", *folder.glob("images/*/"), *folder.glob("*/images/")} & _folders(folder))
    if not folders:
        raise FairdealError(f"{folder / 'images'}: no such folder of pictures")
    for position, path in enumerate(path for images in folders for path in _pictures(images)):
        parts = path.relative_to(folder).with_suffix(".txt").parts
        labels = folder.joinpath(*("labels" if part == "images" else part for part in parts))
        rows = labels.read_text().splitlines() if labels.is_file() else []
        height, width = LabelledPhoto(path=path, position=position, boxes=()).read().shape[:2]
        boxes = []
        for number, row in enumerate(filter(None, map(str.strip, rows)), 1):
            try:
                kind, x, y, w, h = (float(part) for part in row.split()[:5])
                boxes.append(LabelledBox(names[int(kind)], x * width, y * height, w * width, h * height))
            except (ValueError, IndexError):
                raise FairdealError(f"{labels}:{number}: not «class x y w h» with a class of data.yaml") from None
        yield LabelledPhoto(path=path, position=position, boxes=tuple(boxes))


def _folders(folder: Path) -> set[Path]:
    return {path for path in (folder, *folder.glob("*"), *folder.glob("*/*")) if path.is_dir()}


class _CocoImage(msgspec.Struct):
    id: int
    file_name: str


class _CocoCategory(msgspec.Struct):
    id: int
    name: str


class _CocoAnnotation(msgspec.Struct):
    image_id: int
    category_id: int
    bbox: tuple[float, float, float, float]


class _Coco(msgspec.Struct):
    images: list[_CocoImage]
    annotations: list[_CocoAnnotation]
    categories: list[_CocoCategory]


def read_coco(folder: Path) -> Iterator[LabelledPhoto]:
    """One `*.json` with images, annotations and categories, beside the pictures or above `images/`."""
    found = sorted(folder.glob("*.json")) or sorted(folder.glob("annotations/*.json"))
    if not found:
        raise FairdealError(f"{folder}: no .json of COCO in it")
    try:
        held = msgspec.json.decode(found[0].read_bytes(), type=_Coco)
    except msgspec.DecodeError as error:
        raise FairdealError(f"{found[0]}: {error}") from None
    names = {each.id: each.name for each in held.categories}
    boxes: dict[int, list[LabelledBox]] = {}
    for each in held.annotations:
        left, top, width, height = each.bbox
        box = LabelledBox(names[each.category_id], left + width / 2, top + height / 2, width, height)
        boxes.setdefault(each.image_id, []).append(box)
    for position, image in enumerate(sorted(held.images, key=lambda one: one.file_name)):
        places = (folder / image.file_name, folder / "images" / image.file_name)
        path = next((place for place in places if place.is_file()), places[0])
        yield LabelledPhoto(path=path, position=position, boxes=tuple(boxes.get(image.id, ())))


def read_voc(folder: Path) -> Iterator[LabelledPhoto]:
    """An `.xml` beside each picture, or in `Annotations/` with the pictures in `JPEGImages/`."""
    pictures = folder / "JPEGImages" if (folder / "JPEGImages").is_dir() else folder
    notes = folder / "Annotations" if (folder / "Annotations").is_dir() else folder
    for position, path in enumerate(_pictures(pictures)):
        note = notes / f"{path.stem}.xml"
        yield LabelledPhoto(path=path, position=position, boxes=tuple(_voc_boxes(note)) if note.is_file() else ())


def _voc_boxes(note: Path) -> Iterator[LabelledBox]:
    try:
        for thing in ElementTree.parse(note).getroot().iter("object"):
            sides = [float(thing.findtext(f"bndbox/{side}") or "") for side in ("xmin", "ymin", "xmax", "ymax")]
            x1, y1, x2, y2 = sides
            yield LabelledBox(thing.findtext("name") or "", (x1 + x2) / 2, (y1 + y2) / 2, x2 - x1, y2 - y1)
    except (ElementTree.ParseError, ValueError) as error:
        raise FairdealError(f"{note}: not an annotation of Pascal VOC ({error})") from None


def _pictures(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise FairdealError(f"{folder}: no such folder of pictures")
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in _PICTURES)


def _yaml_names(path: Path) -> list[str]:
    """The class names of a `data.yaml`: one list in brackets, or one `- name` or `0: name` a line."""
    try:
        text = path.read_text().split("names:", 1)[1]
    except (OSError, IndexError):
        raise FairdealError(f"{path}: needs «names:» with the classes") from None
    if text.lstrip().startswith("["):
        listed = text[text.index("[") + 1 : text.index("]")].split(",")
    else:
        listed = re.findall(r"^\s*(?:-|\d+:)\s*(.+)$", text.split("\n\n")[0], re.MULTILINE)
    return [name.strip().strip("'\"") for name in listed if name.strip()]


Importer = Callable[[Path], Iterator[LabelledPhoto]]
IMPORTERS: dict[str, Importer] = {"yolo": read_yolo, "coco": read_coco, "voc": read_voc}
