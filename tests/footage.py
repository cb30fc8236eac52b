"""Footage for tests: a few seconds of a coloured bar that moves, a stamp of the time burnt in as brightness."""

from fractions import Fraction
from pathlib import Path

import av
from PIL import Image, ImageDraw

FPS, SIZE = 5, (320, 180)


def film(path: Path, seconds: float, *, fps: int = FPS, keyframe_every: int = 10) -> Path:
    """Write a film in which second t is a grey of 5·t behind a red bar that wanders to the right."""
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libx264", rate=fps)
        stream.width, stream.height, stream.pix_fmt = *SIZE, "yuv420p"
        stream.options = {"g": str(keyframe_every), "bf": "2", "preset": "veryfast", "threads": "1"}
        for number in range(round(seconds * fps)):
            frame = av.VideoFrame.from_image(_picture(number / fps))  # type: ignore[no-untyped-call]
            frame.pts, frame.time_base = number, Fraction(1, fps)
            out.mux(stream.encode(frame))
        out.mux(stream.encode())
    return path


def _picture(t: float) -> Image.Image:
    shade = round(5 * t) % 200
    picture = Image.new("RGB", SIZE, (shade, shade, shade))
    left = 10 + round(8 * t) % 260
    ImageDraw.Draw(picture).rectangle([left, 60, left + 30, 120], fill=(220, 40, 40))
    return picture


def shade(picture: Image.Image) -> float:
    """The second at which a picture was taken, by its grey."""
    pixel = picture.convert("L").getpixel((2, 2))
    assert isinstance(pixel, int)
    return pixel / 5
