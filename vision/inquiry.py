"""An inquiry: a zone that came to rest and looks different is read a few times while it lies still."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from vision.gate import Rest
from vision.lying import Piece
from vision.reading import Pile
from vision.window import Difference

VOTES = 3
SURE = 0.9


@dataclass(slots=True, kw_only=True)
class Inquiry:
    """A zone being read: how it came to rest, what is new there and what is not bare felt, the readings so far."""

    rest: Rest
    frame: int
    new: Difference
    occupied: Difference
    pieces: list[Sequence[Piece]] = field(default_factory=list)
    piles: list[Sequence[Pile]] = field(default_factory=list)
    unread: list[bool] = field(default_factory=list)
    """Whether something stood in a spot that the reading does not explain."""

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
