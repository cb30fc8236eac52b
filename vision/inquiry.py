"""An inquiry: a zone that came to rest and looks different is read a few times while it lies still."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from vision.rests import Rest
from vision.lying import SURELY, UNREAD, Piece
from vision.plan import Point
from vision.reading import Pile
from vision.window import Difference

VOTES = 3
SURE = 0.9
FRESH_SHARE, SURELY_FRESH_SHARE = 0.12, 0.08
"""So much of a card that came covers bare felt: the next of a fan, at least; of one surely read, less is enough."""


@dataclass(slots=True, kw_only=True)
class Inquiry:
    """A zone being read: how it came to rest, what is new there, what is not bare felt, what is covered now of a place
    for cards and was not by any piece that lay there, and the readings so far."""

    rest: Rest
    frame: int
    new: Difference
    occupied: Difference
    covered: Difference | None = None
    pieces: list[Sequence[Piece]] = field(default_factory=list)
    piles: list[Sequence[Pile]] = field(default_factory=list)
    unread: list[bool] = field(default_factory=list)
    """Whether something stood in a spot that the reading does not explain."""

    def fresh(
        self, came: Sequence[Piece], outline: Callable[[Piece], Sequence[Point]], *, is_pile: bool = False
    ) -> list[Piece]:
        """Of the pieces that seem to have come, those that cover felt which was bare, the surest first: what lies
        wholly on what lay there before, or on a surer one, is a misread part of one, or a shadow on it. What a card
        covers beyond the edge of its place may have been bare. On a pile, whatever changed and was not read is one
        more."""
        assert self.covered is not None
        left, fresh = self.covered, []
        for piece in sorted(came, key=lambda each: -each.conf):
            covers = outline(piece)
            beyond = left.beyond(covers) if piece.label != UNREAD else 0.0
            bare = left.share(covers) * (1 - beyond) + beyond
            least = SURELY_FRESH_SHARE if piece.conf > SURELY else FRESH_SHARE
            if (is_pile and piece.label == UNREAD) or bare > least:
                left = left.outside([covers])
                fresh.append(piece)
        return [piece for piece in came if piece in fresh]

    @property
    def is_settled(self) -> bool:
        """Whether nothing more is to be learnt by reading again."""
        return _is_settled(self.pieces) or _is_settled(self.piles)


def _is_settled(readings: Sequence[Sequence[Piece]] | Sequence[Sequence[Pile]]) -> bool:
    """Two readings that say the same with high confidence need no third."""
    if len(readings) < 2 or len(readings) >= VOTES:
        return len(readings) >= VOTES
    one, other = readings[-2:]
    if any(each.conf < SURE for each in (*one, *other)):
        return False
    return sorted(map(_name, one)) == sorted(map(_name, other))


def _name(thing: Piece | Pile) -> tuple[str, ...]:
    return (thing.label, str(thing.up)) if isinstance(thing, Piece) else thing.chips
