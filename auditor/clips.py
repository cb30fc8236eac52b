"""Footage around a moment: clips cut without re-encoding, stills, and crops of what was read.

Times are seconds since the file's first picture, from the container's own timestamps.
"""

import contextlib
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

import av
import msgspec
from av.container import InputContainer
from av.video.frame import VideoFrame
from av.video.stream import VideoStream
from PIL import Image, ImageDraw

from auditor.log import FairdealError

Region = Sequence[tuple[float, float]]
JPEG_QUALITY = 90
CROP_MARGIN, SMALLEST_CROP_PX = 0.35, 96
OUTLINE = (255, 92, 84)


class Clip(msgspec.Struct, frozen=True, kw_only=True):
    """A clip that was cut: when its first picture was taken, how long it is, how many pictures a second, how large."""

    start_s: float
    duration_s: float
    fps: float
    width: int
    height: int


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[tuple[InputContainer, VideoStream]]:
    """A file's first video stream."""
    try:
        with av.open(str(path)) as container:
            if not container.streams.video:
                raise FairdealError(f"{path}: there is no video in it")
            yield container, container.streams.video[0]
    except (OSError, av.error.FFmpegError) as error:
        raise FairdealError(f"{path}: {getattr(error, 'strerror', None) or error}") from None


def _seconds(stream: VideoStream, stamp: int) -> float:
    """A timestamp as seconds since the file's first picture."""
    return float((stamp - (stream.start_time or 0)) * (stream.time_base or 0))


def _seek(container: InputContainer, stream: VideoStream, t: float) -> None:
    """To the last picture before `t` that stands on its own."""
    stamp = int(max(t, 0.0) / float(stream.time_base or 1)) + (stream.start_time or 0)
    container.seek(stamp, stream=stream, backward=True)


def duration_s(path: Path) -> float:
    """How long a file plays."""
    with _opened(path) as (container, stream):
        if stream.duration and stream.time_base:
            return float(stream.duration * stream.time_base)
        return (container.duration or 0) / av.time_base


def cut(source: Path, target: Path, start_s: float, stop_s: float) -> Clip:
    """Copy the pictures of a span, from the last one before it that stands on its own; nothing is encoded anew."""
    options = {"movflags": "faststart"}
    with _opened(source) as (container, stream), av.open(str(target), "w", format="mp4", options=options) as out:
        copy = out.add_stream_from_template(stream)
        first_pts, last_pts = None, 0
        _seek(container, stream, start_s)
        for packet in container.demux(stream):
            if packet.dts is None or packet.pts is None or (first_pts is None and not packet.is_keyframe):
                continue
            if _seconds(stream, packet.dts) > stop_s:
                break
            first_pts = packet.pts if first_pts is None else first_pts
            last_pts = max(last_pts, packet.pts + (packet.duration or 0))
            packet.pts, packet.dts = packet.pts - first_pts, packet.dts - first_pts
            packet.stream = copy
            out.mux(packet)
        if first_pts is None:
            raise FairdealError(f"{source}: no picture between {start_s:.1f} s and {stop_s:.1f} s")
        length = float((last_pts - first_pts) * (stream.time_base or 0))
        return Clip(
            start_s=_seconds(stream, first_pts), duration_s=length, fps=float(stream.average_rate or 0),
            width=stream.codec_context.width, height=stream.codec_context.height,
        )  # fmt: skip


def _picture(path: Path, t: float) -> Image.Image:
    """The picture that was on the screen at `t`."""
    with _opened(path) as (container, stream):
        _seek(container, stream, t)
        shown: VideoFrame | None = None
        for frame in container.decode(stream):
            if shown is not None and frame.pts is not None and _seconds(stream, frame.pts) > t + 1e-3:
                break
            shown = frame
        if shown is None:
            raise FairdealError(f"{path}: no picture at {t:.1f} s")
        return shown.to_image()  # type: ignore[no-any-return, no-untyped-call]


def _jpeg(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "JPEG", quality=JPEG_QUALITY)
    return out.getvalue()


def still(path: Path, t: float, regions: Sequence[Region] = ()) -> bytes:
    """The picture at `t` as a JPEG, with regions outlined."""
    image = _picture(path, t)
    drawing = ImageDraw.Draw(image)
    for region in regions:
        corners = [(float(x), float(y)) for x, y in region]
        if len(corners) > 1:
            drawing.line([*corners, corners[0]], fill=OUTLINE, width=max(2, image.width // 480))
    return _jpeg(image)


def crop(path: Path, t: float, region: Region) -> bytes:
    """What was read, with some of what lies around it, as a JPEG."""
    image = _picture(path, t)
    xs, ys = [x for x, _ in region], [y for _, y in region]
    middle = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    half = max(max(xs) - min(xs), max(ys) - min(ys), SMALLEST_CROP_PX) * (0.5 + CROP_MARGIN)
    box = (middle[0] - half, middle[1] - half, middle[0] + half, middle[1] + half)
    inside = max(box[0], 0), max(box[1], 0), min(box[2], image.width), min(box[3], image.height)
    if inside[0] >= inside[2] or inside[1] >= inside[3]:
        raise FairdealError(f"{path}: the region lies outside the picture")
    return _jpeg(image.crop((round(inside[0]), round(inside[1]), round(inside[2]), round(inside[3]))))
