"""What lies in a zone: cards and tiles followed from one reading to the next, so that each keeps its name.

Readings come one per still frame; several are put together by vote. A card that a later one covers keeps its name; one
that was face down and shows a face was turned; one that nothing covers and that is not seen any more has left.

>>> ace = Piece(label="As", up=True, conf=0.99, at=(0, 0), region=())
>>> changes = compare([], [ace])
>>> [piece.label for piece in changes.came]
['As']
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from vision.plan import CARD_MM, Point

UNREAD = "??"
COMMUNAL = "board"
"""Where cards lie for everybody."""
SAME_PLACE_MM = 22.0
SAME_OUTLINE_MM, TURNED_MM = 13.0, 22.0
LEFT_SHARE, CAME_SHARE, SHIFTED_SHARE = 0.3, 0.12, 0.08
BARED_SHARE = 0.15
"""Of the felt under a back that lies elsewhere now, so much is bare: the next back of a fan bares nothing."""
MISREAD = 50.0
"""What lies where another name lay costs more than anything else: either was read wrongly."""
SURELY, BESIDE_MM = 0.97, 5.0
"""Two names, each read more surely than that and so far apart, are two cards: the upper covers the other's face."""
SURELY_READ = 0.99
"""Two ranks, each read more surely than that in one place, are two cards, one after the other."""
SAME_CARD_MM = 34.0
"""How far the middle of one card may seem to move between readings; the next card of a fan lies hardly farther."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A card or tile as it was read: its name, which side is up, its middle in millimetres, its pixels.

    `conf` is about the whole name, `rank_conf` about a card's rank alone, which may be surer; `twin_conf` says how
    likely a card is the other suit's of its colour, and `maybe` which names it may have at all (none: any).
    """

    label: str
    up: bool
    conf: float
    rank_conf: float = 0.0
    twin_conf: float = 0.0
    maybe: tuple[str, ...] = ()
    at: Point
    region: tuple[Point, ...]
    is_hidden: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What happened in a zone between two readings; `kept` are the pieces that stay, as they are known best, and `was`
    says what of each was known before (None for one that came)."""

    came: tuple[Piece, ...] = ()
    turned: tuple[Piece, ...] = ()
    left: tuple[Piece, ...] = ()
    kept: tuple[Piece, ...] = ()
    was: tuple[Piece | None, ...] = ()

    def renamed(self, piece: Piece, other: Piece) -> "Changes":
        """The same with another name for one of the pieces."""
        came, turned, kept = (
            tuple(other if each is piece else each for each in pieces)
            for pieces in (self.came, self.turned, self.kept)
        )
        return replace(self, came=came, turned=turned, kept=kept)


def agree(one: str, other: str) -> bool:
    """Whether two names can be those of the same card.

    >>> agree("A?", "As"), agree("??", "Td"), agree("Ah", "As")
    (True, True, False)
    """
    if one == other or UNREAD in (one, other):
        return True
    return len(one) == len(other) == 2 and all(a == b or "?" in (a, b) for a, b in zip(one, other, strict=True))


def voted(readings: Sequence[Sequence[Piece]]) -> list[Piece]:
    """One reading out of several of the same still zone: pieces at the same place, named by most of the evidence."""
    heaps: list[list[Piece]] = []
    for number, reading in enumerate(readings):
        for piece in reading:
            near = [heap for heap in heaps if len(heap) <= number and _is_same(heap[0], piece)]
            if near:
                min(near, key=lambda heap: math.dist(heap[0].at, piece.at)).append(piece)
            else:
                heaps.append([piece])
    return [_winner(heap, len(readings)) for heap in heaps if 2 * len(heap) >= len(readings)]


def _is_same(one: Piece, other: Piece) -> bool:
    return one.up == other.up and math.dist(one.at, other.at) < SAME_PLACE_MM * (1 if one.label == other.label else 0.5)


def _winner(heap: Sequence[Piece], readings: int) -> Piece:
    weights: dict[str, float] = {}
    for piece in heap:
        weights[piece.label] = weights.get(piece.label, 0.0) + piece.conf * (0.3 if "?" in piece.label else 1.0)
    label = max(weights, key=lambda name: weights[name])
    best = max((piece for piece in heap if piece.label == label), key=lambda piece: piece.conf)
    conf = _weighed(
        [piece.conf for piece in heap if piece.label == label],
        [piece.conf for piece in heap if not agree(piece.label, label)],
    )
    of_rank = [piece for piece in heap if _rank(piece.label) == _rank(label)]
    rank_conf = _weighed(
        [piece.rank_conf for piece in of_rank],
        [piece.conf for piece in heap if piece not in of_rank and _rank(piece.label) != "?"],
    )
    return replace(best, conf=conf, rank_conf=rank_conf, maybe=_possible(heap))


def _possible(pieces: Sequence[Piece]) -> tuple[str, ...]:
    """The names that any of several looks at one card leaves open; none where one that read it leaves all open."""
    read = [piece for piece in pieces if piece.label != UNREAD]
    names = dict.fromkeys(name for piece in read for name in piece.maybe)
    return tuple(names) if all(piece.maybe for piece in read) else ()


def _rank(label: str) -> str:
    """A card's rank; a joker, or a tile, is a rank of its own.

    >>> _rank("Jh"), _rank("Jkr")
    ('J', 'Jkr')
    """
    return label[0] if len(label) == 2 else label


def _weighed(agreeing: Sequence[float], against: Sequence[float]) -> float:
    """The surest of those who agree, less the share of those who do not."""
    return round(max(agreeing) * (1 - sum(against) / (sum(against) + sum(agreeing) + 1e-9)), 4)


def compare(
    before: Sequence[Piece], now: Sequence[Piece], changed_share: Callable[[Piece], float] = lambda piece: 1.0,
    fresh: Callable[[Sequence[Piece]], Sequence[Piece]] = lambda came: came,
    bared_share: Callable[[Piece], float] = lambda piece: 1.0,
) -> Changes:  # fmt: skip
    """What happened between what lay there and what a reading shows.

    `changed_share` says how much of the picture has changed where a piece lies: where little has, nothing left and
    nothing came; `bared_share` how much of that is bare felt now. `fresh` says which of those that seem to have come
    really can have.
    """
    pairs = sorted(
        (cost, old, new)
        for old, lying in enumerate(before)
        for new, piece in enumerate(now)
        if (cost := _cost(lying, piece)) is not None
        # A turn that is weakly read shows all the same.
        and (lying.up == piece.up or piece.conf > SURELY or changed_share(lying) >= SHIFTED_SHARE)
    )
    match: dict[int, int] = {}
    _take([(old, new) for cost, old, new in pairs if cost < MISREAD], match)
    # A face is told from another by its print alone, of which little changes.
    ornament = min((bared_share(piece) for piece in now if not piece.up), default=0.0)  # in the felt's own colour
    bared = [lying.up or bared_share(lying) > BARED_SHARE + ornament for lying in before]
    gone = [
        old
        for old, lying in enumerate(before)
        if old not in match and bared[old] and changed_share(lying) >= (SHIFTED_SHARE if lying.up else LEFT_SHARE)
    ]
    _take(_shifted(before, now, gone, match), match)
    _take(_set_anew(before, now, match), match)
    _take([(old, new) for cost, old, new in pairs if cost >= MISREAD], match)
    changed_for = {
        old: new
        for old, new in match.items()
        if _is_another(before[old], now[new], changed_share) and not _is_covered(now[new], _above(now, match, old))
    }
    kept, was, turned, left = [], [], [], []
    for old, lying in enumerate(before):
        if old in changed_for:
            left.append(lying)
            continue
        if old in match:
            piece = now[match[old]]
            kept.append(_better(lying, piece))
            if piece.up != lying.up:
                turned.append(kept[-1])
        elif _is_covered(lying, _above(now, match, old)):
            kept.append(replace(lying, is_hidden=True))
        elif changed_share(lying) < LEFT_SHARE or not bared[old]:
            kept.append(lying)
        else:
            left.append(lying)
            continue
        was.append(lying)
    unmatched = [piece for new, piece in enumerate(now) if new not in match.values()]
    came = [
        *(now[new] for new in changed_for.values()),
        *fresh([piece for piece in unmatched if changed_share(piece) > CAME_SHARE]),
    ]
    return Changes(
        came=tuple(came), turned=tuple(turned), left=tuple(left), kept=(*kept, *came), was=(*was, *(None for _ in came))
    )


def _take(pairs: Sequence[tuple[int, int]], match: dict[int, int]) -> None:
    """Pairs, the likeliest first, of which neither has another partner yet."""
    for old, new in pairs:
        if old not in match and new not in match.values():
            match[old] = new


def _shifted(
    before: Sequence[Piece], now: Sequence[Piece], gone: Sequence[int], match: dict[int, int]
) -> list[tuple[int, int]]:
    """Pieces that lie elsewhere in the same zone: whoever sets or straightens a hand deals nothing anew. What came and
    what left of one name is one, wherever it lies; so is what came and left face down."""
    pairs = [
        (math.dist(before[old].at, piece.at), old, new)
        for old in gone
        for new, piece in enumerate(now)
        if new not in match.values() and not before[old].is_hidden and _is_alike(before[old], piece)
    ]
    return [(old, new) for _, old, new in sorted(pairs)]


def _set_anew(before: Sequence[Piece], now: Sequence[Piece], match: dict[int, int]) -> list[tuple[int, int]]:
    """Tiles are never dealt face up: one that seems to come so lay open there, and was read otherwise before."""
    pairs = [
        (math.dist(lying.at, piece.at), old, new)
        for old, lying in enumerate(before)
        for new, piece in enumerate(now)
        if old not in match and new not in match.values() and lying.up and piece.up and _is_tile(lying)
    ]
    return [(old, new) for _, old, new in sorted(pairs)]


def _is_tile(piece: Piece) -> bool:
    return len(piece.label) > 2 and piece.label != "Jkr"


def _is_alike(lying: Piece, piece: Piece) -> bool:
    if lying.up != piece.up:
        return False
    return not lying.up or ("?" not in lying.label and lying.label == piece.label)


def _cost(lying: Piece, piece: Piece) -> float | None:
    """How unlikely it is that the two are one card; None where it cannot be."""
    apart = math.dist(lying.at, piece.at)
    if apart > SAME_CARD_MM:
        return None
    if lying.up != piece.up:
        return apart + 8 if apart < (TURNED_MM if piece.up else SAME_OUTLINE_MM) else None
    if UNREAD in (lying.label, piece.label) and apart > SAME_OUTLINE_MM:  # found by its outline: the next of a fan
        return None
    if lying.label == piece.label:
        return apart
    if agree(lying.label, piece.label):
        return apart + 15
    is_another = min(lying.conf, piece.conf) > SURELY and apart > BESIDE_MM
    return apart + MISREAD if apart < SAME_PLACE_MM / 2 and not is_another else None


def _is_another(lying: Piece, piece: Piece, changed_share: Callable[[Piece], float]) -> bool:
    """Whether a card was put exactly where another lay: both ranks were surely read, and the print is not the same.
    One that another covers now may be misread."""
    is_read = "?" not in lying.label + piece.label and min(lying.rank_conf, piece.rank_conf) > SURELY_READ
    return is_read and _rank(lying.label) != _rank(piece.label) and changed_share(piece) > CAME_SHARE


def _better(lying: Piece, piece: Piece) -> Piece:
    """The name known best, at the place seen last."""
    if lying.up and (not piece.up or piece.label == lying.label):
        if not piece.up:
            return piece
        conf, rank_conf = max(piece.conf, lying.conf), max(piece.rank_conf, lying.rank_conf)
        return replace(piece, conf=conf, rank_conf=rank_conf, maybe=_possible((lying, piece)))
    if not lying.up:
        return piece
    unread = lying.label.count("?") - piece.label.count("?")
    if unread > 0 or (unread == 0 and piece.conf > lying.conf + 0.2):
        return replace(piece, maybe=_possible((lying, piece)))
    return replace(lying, at=piece.at, region=piece.region, is_hidden=False, maybe=_possible((lying, piece)))


def _above(now: Sequence[Piece], match: dict[int, int], old: int) -> list[Piece]:
    """Which of the pieces that are seen now may cover one that lay there: none that lay there before it came."""
    below = {new for earlier, new in match.items() if earlier < old}
    return [piece for new, piece in enumerate(now) if new not in below]


def _is_covered(lying: Piece, now: Sequence[Piece]) -> bool:
    """Whether a card that lies close enough could cover both its corners."""
    reach = 0.75 * CARD_MM[0]
    return any(0.01 < math.dist(lying.at, piece.at) < reach for piece in now)
