"""A roulette wheel drawn flat and filmed by a pretended camera: enough to hold the wheel eye to, without a renderer."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
from numpy.typing import NDArray

ORDER = (
    0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10,
    5, 24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29, 7, 28, 12, 35, 3, 26,
)  # fmt: skip
DOUBLE_ZERO = (
    0, 28, 9, 26, 30, 11, 7, 20, 32, 17, 5, 22, 34, 15, 3, 24, 36, 13, 1,
    "00", 27, 10, 25, 29, 12, 8, 19, 31, 18, 6, 21, 33, 16, 4, 23, 35, 14, 2,
)  # fmt: skip
RED = {1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36}
POCKET_DEG = 360 / 37
TRACK, RIM, POCKETS = 1.27, 1.48, 0.79
"""Radii of the ball on its track, of the rim and of the ball in a pocket; the number ring's outer edge is 1."""
BALL = 0.037
Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """What happens: the wheel turns at `wheel_dps` (negative: against the clock), the ball is sent at `ball_dps`."""

    seconds: float = 16.0
    wheel_dps: float = -140.0
    ball_dps: float | None = 620.0
    launch: float = 1.5
    laps: float = 6.3
    pocket: int = 17
    zero_deg: float = 40.0
    launch_deg: float = 75.0
    lifted_at: float | None = None
    stuck: bool = False
    out: bool = False
    object_at: float | None = None
    stops_at: float | None = None
    covered: tuple[float, float] | None = None

    def zero_at(self, t: float) -> float:
        """Degrees clockwise from twelve."""
        if self.stops_at is not None and t > self.stops_at:
            t = self.stops_at + (1 - math.exp(-(t - self.stops_at) * 3)) / 3
        return self.zero_deg + self.wheel_dps * t

    @property
    def leave(self) -> float:
        """The ball slows evenly to 210 degrees a second, so the laps set how long that takes."""
        return self.launch + 2 * 360 * self.laps / (abs(self.ball_dps or 0) + 210)

    def on_track(self, t: float) -> float:
        sent, long = abs(self.ball_dps or 0), self.leave - self.launch
        s = min(t, self.leave) - self.launch
        turned = sent * s - (sent - 210) / long * s * s / 2 + 210 * max(0.0, t - self.leave)
        return self.launch_deg + math.copysign(turned, self.ball_dps or 1)

    def ball_at(self, t: float) -> tuple[float, float] | None:
        """Angle and radius."""
        if self.ball_dps is None or t < self.launch or (self.lifted_at is not None and t > self.lifted_at):
            return None
        since = t - self.leave
        if since < 0:
            return self.on_track(t), TRACK
        if self.stuck:
            return self.on_track(self.leave), TRACK - 0.02
        if self.out:
            return (self.on_track(t), TRACK + since * 0.9) if since < 0.6 else None
        rest = self.zero_at(t) + ORDER.index(self.pocket) * POCKET_DEG
        if since > 1.6:
            return rest, POCKETS
        if since < 0.8:
            return self.on_track(t), TRACK - 0.32 * (since / 0.8) ** 2
        share = (since - 0.8) / 0.8
        hop = 40 * math.sin(share * 9) * (1 - share)
        return rest + hop, 0.95 + (POCKETS - 0.95) * share


def _wedge(
    image: Image, radii: tuple[float, float], place: tuple[int, int], colour: tuple[int, int, int], scale: float
) -> None:
    middle = image.shape[0] / 2
    (r_in, r_out), (k, of) = radii, place
    angles = np.radians((k - 0.5 + np.linspace(0, 1, 9)) * 360 / of)
    ring = [(r, a) for r, line in ((r_out, angles), (r_in, angles[::-1])) for a in line]
    points = [(middle + r * scale * math.sin(a), middle - r * scale * math.cos(a)) for r, a in ring]
    cv2.fillPoly(image, [np.array(points).round().astype(np.int32)], colour, cv2.LINE_AA)


def rotor_picture(scale: float, order: Sequence[int | str] = ORDER) -> Image:
    """The turning part from above, zero at twelve o'clock."""
    side = 2 * round(1.02 * scale)
    image = np.full((side, side, 3), (40, 60, 90), np.uint8)
    middle = (side // 2, side // 2)
    for k, number in enumerate(order):
        colour = (60, 110, 20) if number in (0, "00") else (35, 30, 170) if number in RED else (28, 26, 26)
        _wedge(image, (0.86, 1.0), (k, len(order)), colour, scale)
        _wedge(image, (0.69, 0.86), (k, len(order)), tuple(int(c * 0.7) for c in colour), scale)  # type: ignore[arg-type]
        a = 2 * math.pi * k / len(order)
        digits = np.zeros((40, 56, 3), np.uint8)
        cv2.putText(digits, str(number), (6, 30), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (230, 230, 230), 2, cv2.LINE_AA)
        turn = cv2.getRotationMatrix2D((28, 20), -math.degrees(a), scale * 0.0028)
        x, y = middle[0] + 0.93 * scale * math.sin(a), middle[1] - 0.93 * scale * math.cos(a)
        turn = turn + np.array([[0, 0, x - 28], [0, 0, y - 20]])
        cv2.max(image, cv2.warpAffine(digits, turn, (side, side)), dst=image)
        edge = 2 * math.pi * (k + 0.5) / len(order)
        ends = [
            (round(middle[0] + r * scale * math.sin(edge)), round(middle[1] - r * scale * math.cos(edge)))
            for r in (0.69, 0.86)
        ]
        cv2.line(image, ends[0], ends[1], (150, 160, 165), max(1, round(scale / 140)), cv2.LINE_AA)
    cv2.circle(image, middle, round(0.69 * scale), (40, 60, 90), -1, cv2.LINE_AA)
    for k in range(4):
        a = math.radians(k * 90 + 20)
        end = (round(middle[0] + 0.3 * scale * math.sin(a)), round(middle[1] - 0.3 * scale * math.cos(a)))
        cv2.line(image, middle, end, (120, 190, 210), round(scale / 18), cv2.LINE_AA)
    return image


class Camera:
    """Looks at the wheel from `tilt_deg` off the vertical; a wheel's radius is `radius_px` in the picture."""

    def __init__(self, size: tuple[int, int], *, tilt_deg: float = 0.0, radius_px: float | None = None,
                 shift: tuple[float, float] = (0.0, 0.0)) -> None:  # fmt: skip
        self.size = size
        self.radius_px = radius_px or size[1] / 3.15
        self.tilt = math.radians(tilt_deg)
        self.middle = (size[0] / 2 + shift[0], size[1] / 2 + shift[1])

    def project(self, x: float, y: float, z: float = 0.0) -> tuple[float, float]:
        """From the wheel (its radius is 1, y down the page, z up) to pixels."""
        distance = 5.0
        cosine, sine = math.cos(self.tilt), math.sin(self.tilt)
        across, up = y * cosine - z * sine, z * cosine + y * sine
        size = self.radius_px * distance / (distance - up)
        return self.middle[0] + x * size, self.middle[1] + across * size

    def plane(self) -> NDArray[np.float64]:
        corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
        seen = np.array([self.project(x, y) for x, y in corners], np.float32)
        return np.asarray(cv2.getPerspectiveTransform(np.array(corners, np.float32), seen), np.float64)


def _polar(theta: float, r: float) -> tuple[float, float]:
    a = math.radians(theta)
    return r * math.sin(a), -r * math.cos(a)


def _height(r: float) -> float:
    return 0.3 * max(0.0, r - 1.0)


class DrawnWheel:
    """Draws the act frame by frame."""

    def __init__(
        self, act: Act, camera: Camera, *, noise: float = 4.0, seed: int = 1, shutter: float = 0.5,
        order: Sequence[int | str] = ORDER,
    ) -> None:  # fmt: skip
        self.act, self.camera, self.noise, self.shutter = act, camera, noise, shutter
        self.random = np.random.default_rng(seed)
        scale = max(120.0, camera.radius_px)
        self.rotor = rotor_picture(scale, order)
        half = self.rotor.shape[0] / 2
        self.to_unit = np.array([[1 / scale, 0, -half / scale], [0, 1 / scale, -half / scale], [0, 0, 1]])
        self.stator = self._draw_stator()
        mask = np.zeros((round(2 * half), round(2 * half)), np.uint8)
        cv2.circle(mask, (round(half), round(half)), round(half / 1.02), 255, -1)
        self.rotor_mask = cv2.warpPerspective(mask, camera.plane() @ self.to_unit, camera.size)[:, :, np.newaxis] > 127
        grain = self.random.normal(0, noise, (camera.size[1] + 64, camera.size[0] + 64, 1))
        self.grain: NDArray[np.float32] = grain.astype(np.float32)

    def _ring(self, image: Image, r: float, colour: tuple[int, int, int]) -> None:
        points = [self.camera.project(*_polar(a, r), _height(r)) for a in range(0, 360, 2)]
        cv2.fillPoly(image, [np.array(points).round().astype(np.int32)], colour, cv2.LINE_AA)

    def _draw_stator(self) -> Image:
        image = np.full((self.camera.size[1], self.camera.size[0], 3), 12, np.uint8)
        self._ring(image, RIM, (25, 45, 80))
        self._ring(image, TRACK + 0.06, (45, 75, 120))
        self._ring(image, TRACK - 0.05, (35, 62, 105))
        for k in range(8):
            x, y = self.camera.project(*_polar(k * 45 + 10, 1.13), _height(1.13))
            radius = round(0.03 * self.camera.radius_px)
            cv2.circle(image, (round(x), round(y)), radius, (170, 190, 200), -1, cv2.LINE_AA)
        glare = [self.camera.project(*_polar(a, TRACK), _height(TRACK)) for a in range(300, 325)]
        cv2.polylines(image, [np.array(glare).round().astype(np.int32)], False, (200, 215, 225), 3, cv2.LINE_AA)
        return image

    def picture(self, t: float, shutter_s: float) -> Image:
        """What the camera sees while its shutter is open from `t` on."""
        c, s = math.cos(math.radians(self.act.zero_at(t))), math.sin(math.radians(self.act.zero_at(t)))
        turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        home = self.camera.plane() @ turn @ self.to_unit
        size = self.camera.size
        turned = cv2.warpPerspective(self.rotor, home, size)
        image = np.where(self.rotor_mask, turned, self.stator).astype(np.float32)
        self._add_ball(image, t, shutter_s)
        if self.act.object_at is not None and t > self.act.object_at:
            x, y = self.camera.project(*_polar(self.act.zero_at(t) + 100, 0.6))
            cv2.circle(image, (round(x), round(y)), round(0.1 * self.camera.radius_px), (200, 120, 40), -1, cv2.LINE_AA)
        if self.act.covered is not None and self.act.covered[0] < t < self.act.covered[1]:
            middle, axes = (size[0] // 2, size[1] // 3), (size[0] // 6, size[1] // 3)
            cv2.ellipse(image, middle, axes, 20, 0, 360, (120, 150, 200), -1)
        dx, dy = self.random.integers(0, 64, 2)
        grain = self.grain[dy : dy + image.shape[0], dx : dx + image.shape[1]]
        return np.asarray(np.clip(image + grain, 0, 255), np.uint8)

    def _add_ball(self, image: NDArray[np.float32], t: float, shutter_s: float) -> None:
        steps = 8
        width, height = self.camera.size
        cover = np.zeros((height, width), np.uint8)
        for k in range(steps):
            place = self.act.ball_at(t + shutter_s * k / steps)
            if place is None:
                continue
            x, y = self.camera.project(*_polar(*place), _height(place[1]))
            half = round(BALL * self.camera.radius_px) + 2
            left, top = round(x) - half, round(y) - half
            if not (half < x < width - half and half < y < height - half):
                continue
            patch = cover[top : top + 2 * half, left : left + 2 * half]
            dot = np.zeros_like(patch)
            radius = round(BALL * self.camera.radius_px * 8)
            cv2.circle(dot, (round((x - left) * 8), round((y - top) * 8)), radius, 255 // steps, -1, cv2.LINE_AA, 3)
            patch += dot
        rows, columns = np.nonzero(cover)
        share = cover[rows, columns, None].astype(np.float32) / (255 // steps * steps)
        image[rows, columns] += share * (235 - image[rows, columns])

    def frames(self, fps: float = 30.0) -> Iterator[tuple[float, Image]]:
        for n in range(int(self.act.seconds * fps)):
            yield n / fps, self.picture(n / fps, self.shutter / fps)


def film(path: Path, wheel: DrawnWheel, fps: int = 30) -> Path:
    """Write the act as H.264."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=Fraction(fps))
        stream.width, stream.height = wheel.camera.size
        stream.pix_fmt = "yuv420p"
        stream.options = {"crf": "23", "preset": "veryfast", "threads": "1"}
        for _, image in wheel.frames(fps):
            container.mux(stream.encode(av.VideoFrame.from_ndarray(image, "bgr24")))
        container.mux(stream.encode())
    return path
