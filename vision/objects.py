"""The eye for a table's things: detectors find stacks, dice, tiles, dolly, button, hands and cards; each is read."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision import weights
from vision.chip_colours import Palette
from vision.chip_stance import place_at
from vision.chip_zone import ChipView
from vision.chips import ChipEye
from vision.die_witness import DIE_WITNESS
from vision.object_faces import NOTHING, READER, read_faces
from vision.odds import log_odds, probability
from vision.seen import UNREAD, Box, Image, Kind, Seen

DETECTOR, CARD_DETECTOR = "objects.onnx", "whole-cards.onnx"  # one network, taught twice
THINGS: tuple[Kind, ...] = ("chips", "die", "tile", "dolly", "button", "hand")
WHOLE_CARDS: tuple[Kind, ...] = ("back", "card")
CLASSES = (*THINGS, *WHOLE_CARDS)
CLOSE_PX, COARSE_PX, LONGEST_PX, FINE_PX = 224, 320, 640, 1280
_GRID_PX = 32
_SAME_OVERLAP, _SAME_PLACE = 0.5, 0.8
_FINE_FROM = 1.4  # by how much a picture must have been shrunk to be looked at again, for things this small at most:
_FINE_SIDE_PX = 56.0
_CLOSE_KINDS: tuple[Kind, ...] = ("die", "tile")
_CLOSE_SHARE = 0.2  # of the picture's longer side, from which on they are larger than the detector was taught
_PIPS, _PIP_SHARE = 2, 0.04  # so many pips of a die are taken for things at most, none larger than this part of it
_MARGIN_PX = 16
_TALLEST_MM = 60.0
_MOST_ENLARGED = 3.2
_HALF_HEIGHT_MM: dict[Kind, float] = {"die": 8.0, "tile": 5.0, "dolly": 28.0, "button": 3.0, "hand": 30.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A thing that was found and not read yet."""

    kind: Kind
    conf: float
    box: Box


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A thing that was read and has its place on the table."""

    seen: Seen
    place_mm: tuple[float, float]


class ObjectEye:
    """Sees what lies on a table; of cards only where they lie, face up or face down.

    With a table's own palette, stacks have their table's colours.
    """

    def __init__(self, palette: Palette | None = None) -> None:
        self.chips = ChipEye(palette)

    def look(self, image: Image, kinds: Collection[Kind] = CLASSES) -> list[Seen]:
        """The things of these kinds in the picture, read where there is something to read."""
        found = with_close(image, detect(image))
        if any(kind in kinds for kind in WHOLE_CARDS):
            found += detect_cards(image)
        return self._read(image, [each for each in found if each.kind in kinds])

    def _read(self, image: Image, found: Sequence[Found]) -> list[Seen]:
        seen = []
        for each in found:
            if each.kind == "chips":
                seen.append(self.chips.read_box(image, each.box, each.conf))
            elif each.kind not in ("die", "tile"):
                label = UNREAD if each.kind == "card" else None
                seen.append(Seen(kind=each.kind, label=label, conf=each.conf, box=each.box))
        with_faces = [each for each in found if each.kind in ("die", "tile")]
        labels = read_faces(image, [(each.kind, each.box) for each in with_faces])
        for each, (label, sure) in zip(with_faces, labels, strict=True):
            if label != NOTHING:
                fitted = weights.entry(DIE_WITNESS if each.kind == "die" else READER).settings
                conf = _trusted(each.conf, sure, fitted)
                seen.append(Seen(kind=each.kind, label=label, conf=conf, box=each.box))
        return seen

    def things_in(
        self, image: Image, view: ChipView, zone_mm: Sequence[tuple[float, float]], kinds: Collection[Kind]
    ) -> list[Placed]:
        """Dice, tiles, dolly or button in a zone of the plan (a polygon in mm), seen by a calibrated camera."""
        corners = np.array(zone_mm, dtype=np.float64)
        levels = [np.column_stack([corners, np.full(len(corners), z_mm)]) for z_mm in (0.0, _TALLEST_MM)]
        px = view.all_to_px(np.vstack(levels))
        low = np.maximum(px.min(axis=0) - _MARGIN_PX, 0).astype(int)
        high = np.minimum(px.max(axis=0) + _MARGIN_PX, image.shape[1::-1]).astype(int)
        if (high - low < _MARGIN_PX).any():
            return []
        scale = float(np.clip(LONGEST_PX / max(high - low), 1.0, _MOST_ENLARGED))
        part = cv2.resize(image[low[1] : high[1], low[0] : high[0]], None, fx=scale, fy=scale)
        shown = np.asarray(part, np.uint8)
        placed = []
        for seen in self._read(shown, [each for each in detect(shown) if each.kind in kinds]):
            left, top, right, bottom = np.array(seen.box) / scale + np.tile(low, 2)
            box = (float(left), float(top), float(right), float(bottom))
            middle = np.array([(left + right) / 2, (top + bottom) / 2])
            x, y = place_at(view.all_to_px, middle, corners.mean(axis=0), _HALF_HEIGHT_MM.get(seen.kind, 0.0))
            if cv2.pointPolygonTest(corners.astype(np.float32), (float(x), float(y)), True) >= 0:
                placed.append(Placed(seen=msgspec.structs.replace(seen, box=box), place_mm=(float(x), float(y))))
        return placed


def detect(image: Image, file: str = DETECTOR) -> list[Found]:
    """What is found, the surest first. A large picture is looked at twice: small things need more of its pixels."""
    settings = weights.entry(file).settings
    found = found_by(file, image, settings)
    longest = max(image.shape[:2])
    if longest < _FINE_FROM * LONGEST_PX:
        return found
    small = _FINE_SIDE_PX * longest / min(FINE_PX, longest)
    for each in found_by(file, image, settings, FINE_PX):
        left, top, right, bottom = each.box
        if max(right - left, bottom - top) < small and not any(_same(each, other) for other in found):
            found.append(each)
    return sorted(found, key=lambda each: -each.conf)


def with_close(image: Image, found: Sequence[Found]) -> list[Found]:
    """What was found, and dice and tiles that fill much of the picture: they are seen best as small as they are learnt.

    One or two things in one of them, far smaller and less sure, are its pips; anything else that was found there stays.
    """
    settings = weights.entry(DETECTOR).settings
    least_px, least_conf = _CLOSE_SHARE * max(image.shape[:2]), settings.get("threshold_close", np.inf)
    all_found = list(found)
    for close in found_by(DETECTOR, image, settings, CLOSE_PX):
        is_large = max(close.box[2] - close.box[0], close.box[3] - close.box[1]) > least_px
        if close.kind not in _CLOSE_KINDS or not is_large or close.conf < least_conf:
            continue
        within = [each for each in all_found if _meets(each.box, close.box)]
        if len(within) <= _PIPS and all(_is_pip(each, close) for each in within):
            all_found = [*(each for each in all_found if each not in within), close]
    return all_found


def _is_pip(each: Found, close: Found) -> bool:
    small, large = ((box[2] - box[0]) * (box[3] - box[1]) for box in (each.box, close.box))
    return each.kind in _CLOSE_KINDS and each.conf < close.conf and small < _PIP_SHARE * large


def _meets(one: Box, other: Box) -> bool:
    """Whether either's middle lies in the other."""
    return any(
        outer[0] < (inner[0] + inner[2]) / 2 < outer[2] and outer[1] < (inner[1] + inner[3]) / 2 < outer[3]
        for outer, inner in ((one, other), (other, one))
    )


def detect_cards(image: Image) -> list[Found]:
    """Whole cards, the surest first. Those that fill much of a picture are seen best in a small one, as learnt."""
    coarse = found_by(CARD_DETECTOR, image, weights.entry(CARD_DETECTOR).settings, COARSE_PX)
    distinct: list[Found] = []
    for each in sorted(detect(image, CARD_DETECTOR) + coarse, key=lambda each: -each.conf):
        if not any(_same(each, other) for other in distinct):
            distinct.append(each)
    return distinct


def _same(one: Found, other: Found) -> bool:
    return overlap(one.box, other.box) > (_SAME_OVERLAP if one.kind == other.kind else _SAME_PLACE)


def found_by(file: str, image: Image, settings: Mapping[str, float], longest_px: int = LONGEST_PX) -> list[Found]:
    """What one detector finds of the kinds that have a threshold; pictures are scaled as in training."""
    loaded = weights.load(file)
    height, width = image.shape[:2]
    scale = min(settings.get("scale", 1.0), longest_px / max(height, width))
    size = max(1, round(width * scale)), max(1, round(height * scale))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    rows, columns = (-(-side // _GRID_PX) * _GRID_PX for side in small.shape[:2])
    canvas = np.full((rows, columns, 3), 114, np.uint8)
    canvas[: small.shape[0], : small.shape[1]] = small
    blob = np.ascontiguousarray(canvas[:, :, ::-1].transpose(2, 0, 1)[None]).astype(np.float32) / 255
    raw = loaded.session.run(None, {loaded.session.get_inputs()[0].name: blob})[0][0].T
    kinds = cast(tuple[Kind, ...], loaded.entry.classes)
    limits = np.array([settings.get(f"threshold_{kind}", np.inf) for kind in kinds], np.float32)
    raw[:, 4:] *= raw[:, 4:] >= limits
    found = []
    for box, index, conf in _kept(raw[raw[:, 4:].any(axis=1)]):
        whole = grown(box / scale, settings.get(f"grown_{kinds[index]}", 1.0))
        found.append(Found(kind=kinds[index], conf=round(conf, 4), box=_inside(whole, width, height)))
    return found


def _trusted(found: float, read: float, settings: Mapping[str, float]) -> float:
    """How likely a read die or tile is right, from how sure finding and reading are (`models.calibrate_objects`)."""
    odds = settings.get("trust_offset", 0.0)
    for name, share in (("finding", found), ("reading", read)):
        odds += settings.get(f"trust_{name}", 1.0) * log_odds(share)
    return round(probability(odds), 4)


def _kept(raw: NDArray[np.float32]) -> list[tuple[NDArray[np.float32], int, float]]:
    """Boxes (corners) without those that a surer one covers, of the same kind or nearly the same place."""
    kinds, confs = raw[:, 4:].argmax(axis=1), raw[:, 4:].max(axis=1)
    boxes = np.hstack([raw[:, :2] - raw[:, 2:4] / 2, raw[:, :2] + raw[:, 2:4] / 2])
    kept: list[int] = []
    for index in np.argsort(-confs):
        limits = (_SAME_OVERLAP if kinds[other] == kinds[index] else _SAME_PLACE for other in kept)
        if all(overlap(boxes[index], boxes[other]) < limit for other, limit in zip(kept, limits, strict=True)):
            kept.append(int(index))
    return [(boxes[index], int(kinds[index]), float(confs[index])) for index in kept]


def grown(box: NDArray[np.float32] | Box, by: float) -> NDArray[np.float32]:
    """A box so many times as wide and high about its middle, as people draw it (`models.calibrate_objects`).

    >>> grown((0.0, 0.0, 2.0, 4.0), 1.5).tolist()
    [-0.5, -1.0, 2.5, 5.0]
    """
    low, high = np.array(box[:2], np.float32), np.array(box[2:], np.float32)
    reach = (high - low) * np.float32((by - 1) / 2)
    return np.concatenate([low - reach, high + reach])


def overlap(one: NDArray[np.float32] | Box, other: NDArray[np.float32] | Box) -> float:
    """Intersection over union of two boxes.

    >>> overlap((0.0, 0.0, 2.0, 2.0), (1.0, 0.0, 3.0, 2.0))
    0.3333333333333333
    """
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    if wide <= 0 or high <= 0:
        return 0.0
    both = (one[2] - one[0]) * (one[3] - one[1]) + (other[2] - other[0]) * (other[3] - other[1])
    return float(wide * high / (both - wide * high))


def _inside(box: NDArray[np.float32], width: int, height: int) -> Box:
    left, top, right, bottom = (float(value) for value in box)
    return max(left, 0.0), max(top, 0.0), min(right, float(width)), min(bottom, float(height))
