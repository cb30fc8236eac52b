"""The lens and the sensor: what a camera does to every picture, cheap enough for footage."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]
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

    def record(self, picture: Picture, frame: int = 0) -> Picture:
        """The picture as the recorder gets it."""
        optics = self._optics
        seen = cv2.GaussianBlur(picture, (0, 0), max(optics.blur_px * self._scale, 0.15))
        if optics.corner_blur_px > optics.blur_px:
            soft = cv2.GaussianBlur(picture, (0, 0), optics.corner_blur_px * self._scale)
            seen = cv2.blendLinear(soft, seen, self._corners, 1 - self._corners)
        if optics.sharpen:
            seen = cv2.addWeighted(
                seen, 1 + optics.sharpen, cv2.GaussianBlur(seen, (0, 0), 1.6 * self._scale), -optics.sharpen, 0
            )
        seen = cv2.multiply(seen, self._shade, scale=1 / 255)
        lot = np.random.default_rng((optics.seed, frame))
        if optics.flicker:
            seen = cv2.convertScaleAbs(seen, alpha=1 + optics.flicker * float(lot.normal()))
        top, left = (int(value) for value in lot.integers(0, _WANDER_PX, 2))
        rows, columns = slice(top, top + picture.shape[0]), slice(left, left + picture.shape[1])
        return np.asarray(
            cv2.subtract(cv2.add(seen, self._lighter[rows, columns]), self._darker[rows, columns]), np.uint8
        )
