"""Sprites put into pictures: traced dice and tiles, and real dice cut out of the white ground they were taken on."""

from collections.abc import Callable, Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.traced_bodies import Sprite
from vision.seen import Box, Image

_UNLIKE_GROUND = 40.0  # levels by which a pixel of a die differs from the paper around it


def traced_sprites(make: Callable[[np.random.Generator], Sprite], number: int, seed: int) -> list[Sprite]:
    """So many dice or tiles; tracing one takes about a twentieth of a second."""
    rng = np.random.default_rng(seed)
    return [make(rng) for _ in range(number)]


def cut_out(image: Image, boxes: NDArray[np.float64], faces: list[str]) -> Iterator[Sprite]:
    """The dice of a picture (boxes: corners in pixels) that lie alone on an even ground."""
    for index, box in enumerate(boxes):
        margin = 0.15 * (box[2:] - box[:2])
        left, top = np.maximum(box[:2] - margin, 0).astype(int)
        right, bottom = np.minimum(box[2:] + margin, image.shape[1::-1]).astype(int)
        others = np.delete(boxes, index, axis=0)
        if ((others[:, :2] < (right, bottom)) & (others[:, 2:] > (left, top))).all(axis=1).any():
            continue
        part = image[top:bottom, left:right].astype(np.float32)
        rim = np.concatenate([part[0], part[-1], part[:, 0], part[:, -1]])
        if rim.std(axis=0).max() > 18:
            continue
        unlike = (np.abs(part - np.median(rim, axis=0)).max(axis=2) > _UNLIKE_GROUND).astype(np.uint8)
        whole = cv2.morphologyEx(unlike, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        points = cv2.findNonZero(whole)
        if points is None:
            continue
        hull = cv2.convexHull(points)
        if not 0.18 < cv2.contourArea(hull) / part[..., 0].size < 0.8:
            continue
        mask = np.zeros(part.shape[:2], np.float32)
        cv2.fillConvexPoly(mask, hull, 1.0)
        soft = np.asarray(cv2.GaussianBlur(cv2.erode(mask, np.ones((3, 3), np.uint8)), (0, 0), 0.7), np.float32)
        x, y, wide, high = cv2.boundingRect(hull)
        tight = (float(x), float(y), float(x + wide), float(y + high))
        yield Sprite(colour=part * soft[..., None], opacity=soft, box=tight, label=faces[index], elevation_deg=85.0)


def paste(image: NDArray[np.float32], sprite: Sprite, middle: tuple[float, float], side_px: float, turns: int) -> Box:
    """Puts a sprite, its longer side so many pixels and turned by quarters, into a picture; returns the thing's box."""
    box = _turned(sprite.box, sprite.opacity.shape, turns)
    scale = side_px / max(box[2] - box[0], box[3] - box[1])
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    turned = [np.ascontiguousarray(np.rot90(layer, turns)) for layer in (sprite.colour, sprite.opacity)]
    high, wide = (max(2, round(side * scale)) for side in turned[1].shape)
    colour, opacity = (cv2.resize(layer, (wide, high), interpolation=how) for layer in turned)
    left, top = (
        round(place - (low + far) / 2 * scale) for place, low, far in zip(middle, box[:2], box[2:], strict=True)
    )
    x0, y0, x1, y1 = max(left, 0), max(top, 0), min(left + wide, image.shape[1]), min(top + high, image.shape[0])
    if x1 > x0 and y1 > y0:
        inside = slice(y0 - top, y1 - top), slice(x0 - left, x1 - left)
        under = image[y0:y1, x0:x1]
        under *= 1 - opacity[inside][..., None]
        under += colour[inside]
    return box[0] * scale + left, box[1] * scale + top, box[2] * scale + left, box[3] * scale + top


def _turned(box: Box, shape: tuple[int, ...], turns: int) -> Box:
    """A box after quarter turns to the left of a picture of that shape."""
    left, top, right, bottom = box
    width, height = shape[1], shape[0]
    for _ in range(turns % 4):
        left, top, right, bottom = top, width - right, bottom, width - left
        width, height = height, width
    return left, top, right, bottom
