"""All eyes on one picture, or on a video's frames now and then; and a copy of it with what was seen drawn in."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from auditor.log import FairdealError
from vision.seen import Eye, Image, Seen, Sight

if TYPE_CHECKING:
    from vision.chip_colours import Palette

PICTURES = (".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff", ".ppm", ".pgm")
_LOOKS = {"card": (60, 220, 60), "back": (220, 160, 40), "chips": (60, 160, 250), "hand": (200, 120, 220)}
_OTHER_LOOK = (240, 220, 60)


def read_picture(path: Path) -> Image:
    """The picture in a file, in colour."""
    try:
        data = np.frombuffer(path.read_bytes(), np.uint8)
    except OSError as error:
        raise FairdealError(f"{path}: {error.strerror}; give a picture or a video") from error
    image = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    if image is None:
        raise FairdealError(f"{path}: not a picture that can be read; give a JPEG, a PNG or a video")
    return np.asarray(image, np.uint8)


def open_eyes(*, deck: Path | None = None, table: Path | None = None) -> Eye:
    """Every eye there is, as one; `deck` is a deck the card eye has been taught, `table` names the chips' values."""
    from vision import card_decks
    from vision.cards import CardEye
    from vision.objects import ObjectEye
    from vision.whole_cards import TableEye

    return TableEye(CardEye(deck=None if deck is None else card_decks.load(deck)), ObjectEye(_palette(table)))


def _palette(table: Path | None) -> "Palette | None":
    """The chips of a table, with their values there."""
    from vision.chip_colours import Palette
    from vision.table_file import load_table

    return None if table is None else Palette.named().only(load_table(table).chip_values)


def see(source: str, eye: Eye, *, every_s: float = 1.0) -> Iterator[tuple[Sight, Image]]:
    """A picture, or every so many seconds a frame of a video, with what is seen in it, the surest first."""
    for t, frame, image in _pictures(source, every_s):
        height, width = image.shape[:2]
        seen = tuple(sorted(eye.look(image), key=lambda each: -each.conf))
        yield Sight(source=source, t=round(t, 3), frame=frame, size=(width, height), seen=seen), image


def is_picture(source: str | Path) -> bool:
    """Whether a name is that of one picture; all others are videos."""
    return Path(source).suffix.lower() in PICTURES


def _pictures(source: str, every_s: float) -> Iterator[tuple[float, int, Image]]:
    if is_picture(source) or Path(source).is_dir():
        yield 0.0, 0, read_picture(Path(source))
        return
    from vision.frames import Footage  # a picture needs no FFmpeg

    with Footage(source) as footage:
        due_s = 0.0
        for frame in footage.frames():
            if frame.t >= due_s:
                due_s = frame.t + every_s - 1e-6
                yield frame.t, frame.index, frame.image


def drawn(sight: Sight, image: Image) -> Image:
    """A copy of the picture with outlines and names."""
    copy = image.copy()
    thick = max(1, min(image.shape[:2]) // 400)
    for seen in sight.seen:
        colour = _LOOKS.get(seen.kind, _OTHER_LOOK)
        x1, y1, x2, y2 = (round(side) for side in seen.box)
        if seen.quad is not None:
            cv2.polylines(copy, [np.array(seen.quad).round().astype(np.int32)], True, colour, thick, cv2.LINE_AA)
        else:
            cv2.rectangle(copy, (x1, y1), (x2, y2), colour, thick)
        _tag(copy, f"{caption(seen)} {seen.conf:.2f}", (x1, max(12, y1 - 4)), colour, thick)
    return copy


def caption(seen: Seen) -> str:
    """A few words for one thing seen.

    >>> caption(Seen(kind="chips", conf=1, box=(0, 0, 1, 1), stack=(("red", 3), ("green", 2))))
    '3 red, 2 green'
    >>> caption(Seen(kind="chips", conf=1, box=(0, 0, 1, 1), count=12))
    '12 chips'
    """
    if seen.stack:
        return ", ".join(f"{count} {colour}" for colour, count in seen.stack)
    if seen.count:
        return f"{seen.count} {seen.kind}"
    return seen.label or seen.kind


def sentence(sight: Sight) -> str:
    """One picture in one line, for people."""
    told = ", ".join(f"{caption(seen)} ({seen.conf:.2f})" for seen in sight.seen) or "nothing"
    return f"{sight.source} at {sight.t:.2f} s: {told}"


def _tag(image: Image, text: str, at: tuple[int, int], colour: tuple[int, int, int], thick: int) -> None:
    scale = 0.4 * thick + 0.1
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, thick)
    cv2.rectangle(image, (at[0], at[1] - height - 2), (at[0] + width, at[1] + 3), (20, 20, 20), -1)
    cv2.putText(image, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, colour, thick, cv2.LINE_AA)


def write_picture(path: Path, image: Image) -> None:
    """Write a picture; its name says in which form."""
    try:
        is_written = cv2.imwrite(str(path), image)
    except cv2.error:  # it knows no such form
        is_written = False
    if not is_written:
        raise FairdealError(f"{path}: cannot be written; give a name ending in .jpg or .png, in a folder that is there")


def write_drawn(sight: Sight, image: Image, out: Path, *, alone: bool) -> Path:
    """Write the annotated copy: to `out` itself for one picture, else into it as a folder; and say where."""
    path = out if alone and out.suffix else out / f"{Path(sight.source).stem}-{sight.frame:06d}.jpg"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_picture(path, drawn(sight, image))
    return path
