"""A part of a picture turned upright and scaled until chips have the size at which stacks are looked for."""

from dataclasses import dataclass
from typing import Self

import cv2
import numpy as np

from vision.chip_stance import Floats, Stance
from vision.seen import Image


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
        matrix = self.matrix
        if self.scale < 0.6:  # linear sampling would skip pixels
            shrink = self.scale * 1.2
            image = cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA).astype(np.uint8)
            matrix = np.column_stack([matrix[:, :2] / shrink, matrix[:, 2]])
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
