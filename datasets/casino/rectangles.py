"""Rectangles of pixels: what must be drawn again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rect:
    """Pixels from x0, y0 up to but not including x1, y1."""

    x0: int
    y0: int
    x1: int
    y1: int

    @property
    def width(self) -> int:
        return self.x1 - self.x0

    @property
    def height(self) -> int:
        return self.y1 - self.y0

    @property
    def area(self) -> int:
        return max(self.width, 0) * max(self.height, 0)

    def clipped(self, width: int, height: int) -> Rect:
        return Rect(max(self.x0, 0), max(self.y0, 0), min(self.x1, width), min(self.y1, height))

    def joined(self, other: Rect) -> Rect:
        return Rect(min(self.x0, other.x0), min(self.y0, other.y0), max(self.x1, other.x1), max(self.y1, other.y1))


FULL = Rect(-1 << 20, -1 << 20, 1 << 20, 1 << 20)


def grown(rect: Rect, by: int) -> Rect:
    return Rect(rect.x0 - by, rect.y0 - by, rect.x1 + by, rect.y1 + by)


def merged(rects: Iterable[Rect]) -> list[Rect]:
    """As few rectangles as cover all without drawing much twice or for nothing.

    >>> merged([Rect(0, 0, 10, 10), Rect(5, 5, 12, 12), Rect(500, 0, 510, 10)])
    [Rect(x0=0, y0=0, x1=12, y1=12), Rect(x0=500, y0=0, x1=510, y1=10)]
    """
    left: list[Rect] = []
    for rect in rects:
        current = rect
        again = True
        while again:
            again = False
            for other in left:
                both = current.joined(other)
                if both.area <= 1.15 * (current.area + other.area) + 400:
                    left.remove(other)
                    current, again = both, True
                    break
        left.append(current)
    return left
