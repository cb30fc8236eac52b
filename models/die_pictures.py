"""Whole pictures with traced dice as cameras above a table have them, to fit and to measure finding and reading."""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.backdrops import random_backdrop
from datasets.pipped import DieLook, random_die
from datasets.sprites import paste
from models.score_objects import Named
from vision.seen import Image

LOOKS: tuple[DieLook, ...] = ("any", "white", "casino")
VIEWS_DEG = ((35.0, 60.0), (60.0, 90.0))
_WIDTH_PX, _HEIGHT_PX = 640, 480
FAR_PX, CLOSE_PX = (22.0, 110.0), (130.0, 300.0)
_SPRITE_PX = 84


def die_pictures(
    number: int, seed: int, look: DieLook, view_deg: tuple[float, float], die_px: tuple[float, float] = FAR_PX
) -> Iterator[tuple[Image, list[Named]]]:
    """Pictures with one to five dice of one size, and the truth; some blurred, some noisy, all stored as JPEG."""
    rng = np.random.default_rng((seed, LOOKS.index(look), int(view_deg[0])))
    room = np.array([_WIDTH_PX, _HEIGHT_PX])
    for _ in range(number):
        side = float(np.exp(rng.uniform(*np.log(die_px))))
        canvas = random_backdrop(_WIDTH_PX, rng)[:_HEIGHT_PX].astype(np.float32)
        truths, places = list[Named](), list[tuple[float, float]]()
        for _ in range(int(rng.integers(1, 6))):
            sprite = random_die(rng, max(_SPRITE_PX, int(side / 2)), *view_deg, look)
            x, y = (float(each) for each in rng.uniform(0.65 * side, room - 0.65 * side))
            if all(np.hypot(x - other[0], y - other[1]) > 1.15 * side for other in places):
                places.append((x, y))
                truths.append((sprite.label, paste(canvas, sprite, (x, y), side, 0)))
        yield _stored(canvas, rng), truths


def _stored(canvas: NDArray[np.float32], rng: np.random.Generator) -> Image:
    if rng.random() < 0.5:
        canvas = np.asarray(cv2.GaussianBlur(canvas, (0, 0), float(rng.uniform(0.4, 1.1))), np.float32)
    noisy = canvas + rng.normal(0, rng.uniform(0, 5), canvas.shape)
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(60, 95))]
    packed = cv2.imencode(".jpg", np.clip(noisy, 0, 255).astype(np.uint8), quality)[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
