"""What an eye says it saw in one picture: a card, a back, a stack of chips, a die; and how that is written as JSON.

>>> back = Seen(kind="back", conf=0.97, box=(10.0, 20.0, 60.0, 90.0))
>>> to_json(Sight(source="a.jpg", t=0.0, frame=0, size=(640, 480), seen=(back,))).decode()
'{"source":"a.jpg","t":0.0,"frame":0,"size":[640,480],"seen":[{"kind":"back","conf":0.97,"box":[10.0,20.0,60.0,90.0]}]}'
"""

from typing import Any, Literal, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""A picture as OpenCV has it: height x width x 3, blue, green, red."""

Kind = Literal["card", "back", "chips", "die", "tile", "dolly", "button", "hand"]
Point = tuple[float, float]
Box = tuple[float, float, float, float]
Quad = tuple[Point, Point, Point, Point]

UNREAD = "??"


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """One physical object: what it is, how sure that is, and where it shows, in pixels of the source picture.

    A field that says nothing about this kind of object is None and is left out of the JSON.
    """

    kind: Kind
    label: str | None = None
    """A card's name (`As`, `A?`, `??`), a die's face, a tile's name."""
    conf: float
    box: Box
    quad: Quad | None = None
    """A card's outline, clockwise from its top left as it would be read upright; None where it was not found."""
    colour: str | None = None
    """Chips: the stack's one colour, None when it is mixed."""
    count: int | None = None
    """Chips: how many; None for a stack that is seen and not read."""
    stack: tuple[tuple[str, int], ...] | None = None
    """Chips: colours and numbers, bottom to top."""
    value: float | None = None
    """Chips: what the stack is worth, where a table file gives the colours' values."""


class Sight(msgspec.Struct, frozen=True, kw_only=True):
    """One picture (of a video: one sampled frame) and all that was seen in it."""

    source: str
    t: float
    frame: int
    size: tuple[int, int]
    """Width and height in pixels."""
    seen: tuple[Seen, ...]


class Eye(Protocol):
    """Sees one kind of thing, or a few, in a picture."""

    def look(self, image: Image) -> list[Seen]:
        """All it sees in the picture."""
        ...


# A contract field that may be null and still must be written, per kind.
_NULLABLE = {"card": ("quad",), "chips": ("colour", "count", "stack")}
_DECIMALS = {"conf": 4, "box": 1, "quad": 1}


def to_json(sight: Sight) -> bytes:
    """One line of JSON, without its line end, as the contract of `see` has it."""
    return msgspec.json.encode(msgspec.structs.asdict(sight) | {"seen": [_written(each) for each in sight.seen]})


def _written(seen: Seen) -> dict[str, Any]:
    keep = _NULLABLE.get(seen.kind, ())
    given = msgspec.structs.asdict(seen).items()
    return {name: _rounded(name, value) for name, value in given if value is not None or name in keep}


def _rounded(name: str, value: Any) -> Any:
    decimals = _DECIMALS.get(name)
    return value if value is None or decimals is None else np.round(value, decimals).tolist()
