"""Cards dealt flat on felt before cameras that see the whole table: drawn in moments, to measure eyes on and to teach.

Nothing but deck, lens, distance and codec is in these pictures: no shadows, no hands. What is laid flat again out of
them (`vision/camera.py`) is what a card eye gets to read in footage.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from datasets.casino.cameras import Camera, random_camera
from datasets.casino.labels import Points
from datasets.casino.lens import Lens
from datasets.casino.looks import Look
from vision.camera import CalibrationPoint, View
from vision.plan import Plan, Zone
from vision.reading import INDEX_MM
from vision.seen import Image

PLANS = ("act-blackjack", "act-uth", "act-holdem")
SIZE = (1920, 1080)
_FINER = 3  # cards are drawn so much larger, then shrunk


def zones_of(plan: Plan) -> list[Zone]:
    """Where cards are dealt to."""
    return [zone for zone in plan.of_kind("cards") if zone.place != "burn" and "#" not in zone.name]


def camera_over(
    plan: Plan, zones: Sequence[Zone], index_px: tuple[float, float], rng: np.random.Generator
) -> tuple[Camera, View]:
    """A camera by lot that sees indices so high in the middle zone, and what its calibration makes of it."""
    while True:
        camera = random_camera(rng, plan.felt, SIZE)
        view = _view(plan, camera)
        if index_px[0] < np.median([INDEX_MM * view.px_per_mm(*zone.at) for zone in zones]) < index_px[1]:
            return camera, view


def _view(plan: Plan, camera: Camera) -> View:
    left, top, right, bottom = plan.bounds()
    places = [(float(x), float(y)) for x in np.linspace(left, right, 5) for y in np.linspace(top, bottom, 4)]
    pixels = camera.project([(x, y, 0.0) for x, y in places]).tolist()
    points = [CalibrationPoint(mm=mm, px=(px[0], px[1])) for mm, px in zip(places, pixels, strict=True)]
    return View.from_points(points, SIZE)


def draw_card(picture: np.ndarray, art: Image, quad: Points) -> bool:
    """Lay a card's picture onto a picture of floats, its upper left corner first; say whether it had room."""
    low = np.floor(quad.min(axis=0)).astype(int) - 2
    size = tuple((np.ceil(quad.max(axis=0)).astype(int) + 2 - low).tolist())
    if low.min() < 0 or np.any(low + size > (picture.shape[1], picture.shape[0])):
        return False
    height, width = art.shape[:2]
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    onto = cv2.getPerspectiveTransform(corners, ((quad - low) * _FINER).astype(np.float32))
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])  # a pixel's middle is half a pixel from its corner
    drawn = np.dstack([cv2.GaussianBlur(art, (0, 0), 0.8), np.full(art.shape[:2], 255, np.uint8)])
    large = cv2.warpPerspective(drawn, np.linalg.inv(half) @ onto @ half, (size[0] * _FINER, size[1] * _FINER))
    card = cv2.resize(large.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    part = picture[low[1] : low[1] + size[1], low[0] : low[0] + size[0]]
    part += card[:, :, :3] - part * card[:, :, 3:] / 255
    return True


def in_light(picture: np.ndarray, look: Look) -> Image:
    """A picture of floats in the table's light."""
    light = look.light
    shade = np.array(light.lamp_colour) * light.lamp_strength * 0.6 + np.array(light.room) * 0.9
    lit = picture * np.clip(shade * light.exposure * np.array(light.balance), 0.35, 1.15).astype(np.float32)
    return np.asarray(np.clip(lit, 0, 255), np.uint8)


def photographed(picture: Image, lens: Lens, shot: int, quality: int) -> Image:
    """The picture as a lens and a codec leave it."""
    stored = cv2.imencode(".jpg", lens.record(picture, shot), (cv2.IMWRITE_JPEG_QUALITY, quality))[1]
    return np.asarray(cv2.imdecode(stored, cv2.IMREAD_COLOR), np.uint8)
