"""One picture, out of a picture file or out of footage at a time."""

from pathlib import Path

from auditor.log import FairdealError
from vision.frames import Footage, Image
from vision.see import is_picture, read_picture


def picture_at(source: Path, t: float = 0.0) -> Image:
    """The picture at a time; of a picture file, the picture."""
    if is_picture(source):
        return read_picture(source)
    with Footage(source) as footage:
        for frame in footage.frames(t):
            return frame.image
    raise FairdealError(f"{source}: has no picture at {t:g} s")
