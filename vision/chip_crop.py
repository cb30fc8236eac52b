"""A part of a picture turned upright and scaled until chips have the size at which stacks are looked for."""

from dataclasses import dataclass
from typing import Self

import cv2
import numpy as np

from vision.chip_stance import Floats, Stance
from vision.seen import Image

_MARGIN_PX = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Crop:
    """Where a crop lies in its picture."""

    matrix: Floats
    """2 x 3: from the picture's pixels to the crop's."""
    scale: float
    size: tuple[int, int]
    """Width and height in pixels."""

    @classmethod
    def around(cls, middle: Floats, *, up: Floats, scale: float, size: tuple[int, int] = (1, 1)) -> Self:
        """A crop around a pixel, turned until `up` points up."""
        up = up / max(float(np.linalg.norm(up)), 1e-9)
        turn = scale * np.array([[-up[1], up[0]], [-up[0], -up[1]]])
        shift = np.array(size) / 2 - turn @ middle
        return cls(matrix=np.column_stack([turn, shift]), scale=scale, size=size)

    def cut(self, image: Image) -> Image:
        """The crop as a picture."""
        width, height = self.size
        corners = self.to_picture(np.array([(0, 0), (width, 0), (0, height), (width, height)], dtype=np.float64))
        low = np.clip(np.floor(corners.min(axis=0)).astype(int) - _MARGIN_PX, 0, np.array(image.shape[1::-1]) - 1)
        high = np.maximum(np.ceil(corners.max(axis=0)).astype(int) + _MARGIN_PX, low + 1)
        image = image[low[1] : high[1], low[0] : high[0]]
        matrix = np.column_stack([self.matrix[:, :2], self.matrix[:, 2] + self.matrix[:, :2] @ low])
        if self.scale < 0.6:  # linear sampling would skip pixels
            shrink = self.scale * 1.2
            size = tuple(max(1, round(side * shrink)) for side in image.shape[1::-1])
            matrix = np.column_stack([matrix[:, :2] * np.array(image.shape[1::-1]) / size, matrix[:, 2]])
            image = cv2.resize(image, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
        # Points count from a picture's corner, cv2 from the middle of its first pixel.
        matrix = np.column_stack([matrix[:, :2], matrix[:, 2] + matrix[:, :2] @ (0.5, 0.5) - 0.5])
        crop = cv2.warpAffine(image, matrix, self.size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(crop, np.uint8)

    def to_crop(self, points: Floats) -> Floats:
        """Pixels of the picture as pixels of the crop."""
        return points @ self.matrix[:, :2].T + self.matrix[:, 2]

    def to_picture(self, points: Floats) -> Floats:
        """Pixels of the crop as pixels of the picture."""
        return (points - self.matrix[:, 2]) @ np.linalg.inv(self.matrix[:, :2]).T

    def stance(self, stance: Stance) -> Stance:
        """A stance of the picture as it is in the crop."""
        turn = self.matrix[:, :2].T
        rise, across, away = stance.rise @ turn, stance.across @ turn, stance.away @ turn
        return Stance(foot=self.to_crop(stance.foot), rise=rise, across=across, away=away, growth=stance.growth)
