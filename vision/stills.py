"""One picture, out of a picture file or out of footage at a time."""

from pathlib import Path

import cv2
import numpy as np

from auditor.log import FairdealError
from vision.frames import Footage, Image

PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tif", ".tiff")


def picture_at(source: Path, t: float = 0.0) -> Image:
    """The picture at a time; of a picture file, the picture."""
    if source.suffix.lower() in PICTURES:
        try:
            image = cv2.imdecode(np.frombuffer(source.read_bytes(), np.uint8), cv2.IMREAD_COLOR)
        except (OSError, cv2.error) as error:
            raise FairdealError(f"{source}: cannot be read ({error})") from None
        if image is None:
            raise FairdealError(f"{source}: is no picture")
        return np.asarray(image, np.uint8)
    with Footage(source) as footage:
        for frame in footage.frames(t):
            return frame.image
    raise FairdealError(f"{source}: has no picture at {t:g} s")
