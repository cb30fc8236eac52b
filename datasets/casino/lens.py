"""The lens and the sensor: what a camera does to every picture, cheap enough for footage."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]
_REACH_PX = 13.0  # three deviations of the widest blur, and of the sharpening after it
_WANDER_PX = 96  # the grain is one field, laid down at another place for each frame


@dataclass(frozen=True, slots=True, kw_only=True)
class Optics:
    """How good the glass and the sensor are."""

    blur_px: float = 0.55  # at 1280 pixels of width, as all lengths here
    corner_blur_px: float = 1.3
    sharpen: float = 0.35  # what the camera's own processor adds
    vignette: float = 0.22  # light lost in the corners
    grain: float = 1.8  # deviation, in levels of 255
    flicker: float = 0.0  # of the lamps, share of the light
    seed: int = 0


def random_optics(rng: np.random.Generator) -> Optics:
    return Optics(
        blur_px=float(rng.uniform(0.3, 1.1)),
        corner_blur_px=float(rng.uniform(0.6, 2.4)),
        sharpen=float(rng.uniform(0.0, 0.7)),
        vignette=float(rng.uniform(0.0, 0.45)),
        grain=float(rng.uniform(0.5, 5.0)),
        flicker=float(rng.choice([0.0, 0.0, 0.02, 0.05])),
        seed=int(rng.integers(1 << 30)),
    )


class Lens:
    """Turns drawn pictures of one size into recorded ones; the same frame number gives the same grain."""

    def __init__(self, optics: Optics, size: tuple[int, int]) -> None:
        self._optics = optics
        self._scale = size[0] / 1280
        width, height = size
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        r2 = ((x - width / 2) ** 2 + (y - height / 2) ** 2) / ((width**2 + height**2) / 4)
        shade = np.repeat((255 * (1 - optics.vignette * r2**1.3))[..., None], 3, axis=2)
        self._shade = np.clip(shade, 0, 255).astype(np.uint8)
        self._corners = np.clip(r2 * 1.4 - 0.25, 0, 1).astype(np.float32)
        rng = np.random.default_rng(optics.seed)
        grain = rng.normal(0, 1, (height + _WANDER_PX, width + _WANDER_PX, 3)).astype(np.float32)
        grain = np.asarray(cv2.GaussianBlur(grain, (0, 0), 0.6)) * (2.0 * optics.grain)
        self._lighter, self._darker = (np.clip(np.round(sign * grain), 0, 255).astype(np.uint8) for sign in (1, -1))
        self._last: Picture | None = None
        self._behind_glass: Picture = self._shade
        """The last picture that was drawn, and what the glass made of it."""

    def record(self, picture: Picture, frame: int = 0) -> Picture:
        """The picture as the recorder gets it."""
        optics, seen = self._optics, self._through_glass(picture)
        lot = np.random.default_rng((optics.seed, frame))
        if optics.flicker:
            seen = np.asarray(cv2.convertScaleAbs(seen, alpha=1 + optics.flicker * float(lot.normal())), np.uint8)
        top, left = (int(value) for value in lot.integers(0, _WANDER_PX, 2))
        rows, columns = slice(top, top + picture.shape[0]), slice(left, left + picture.shape[1])
        return np.asarray(
            cv2.subtract(cv2.add(seen, self._lighter[rows, columns]), self._darker[rows, columns]), np.uint8
        )

    def _through_glass(self, picture: Picture) -> Picture:
        """The picture blurred, sharpened and shaded; what looks as in the last one is not reckoned again."""
        height, width = picture.shape[:2]
        if self._last is None:
            self._behind_glass = self._glass(picture, slice(0, height), slice(0, width))
        else:
            left, top, across, down = cv2.boundingRect(cv2.absdiff(picture, self._last).reshape(height, -1))
            if across:
                rows, columns = slice(top, top + down), slice(left // 3, (left + across + 2) // 3)  # 3 to a pixel
                self._renew(picture, self._grown(rows, height), self._grown(columns, width))
        self._last = picture
        return self._behind_glass

    def _renew(self, picture: Picture, rows: slice, columns: slice) -> None:
        """What changed shows as far around it as the glass blurs, and takes in as much again."""
        around, beside = self._grown(rows, picture.shape[0]), self._grown(columns, picture.shape[1])
        fresh = self._glass(picture, around, beside)[rows.start - around.start :, columns.start - beside.start :]
        self._behind_glass[rows, columns] = fresh[: rows.stop - rows.start, : columns.stop - columns.start]

    def _grown(self, span: slice, limit: int) -> slice:
        reach = math.ceil(_REACH_PX * self._scale)
        return slice(max(0, span.start - reach), min(limit, span.stop + reach))

    def _glass(self, picture: Picture, rows: slice, columns: slice) -> Picture:
        optics, corners = self._optics, self._corners[rows, columns]
        part = picture[rows, columns]
        seen = cv2.GaussianBlur(part, (0, 0), max(optics.blur_px * self._scale, 0.15))
        if optics.corner_blur_px > optics.blur_px:
            soft = cv2.GaussianBlur(part, (0, 0), optics.corner_blur_px * self._scale)
            seen = cv2.blendLinear(soft, seen, corners, 1 - corners)
        if optics.sharpen:
            seen = cv2.addWeighted(
                seen, 1 + optics.sharpen, cv2.GaussianBlur(seen, (0, 0), 1.6 * self._scale), -optics.sharpen, 0
            )
        return np.asarray(cv2.multiply(seen, self._shade[rows, columns], scale=1 / 255), np.uint8)
