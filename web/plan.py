"""The table as a plan: where cards, chips and results lie, worked out here, drawn by the template.

The dealer sits at the top and looks down the picture, so box 1, on his left, is on the right. Pai gow counts its boxes
the other way round and the house holds box 1. Roulette is drawn as its layout (:mod:`web.layout`).
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from auditor.log import TILES, cents
from auditor.places import box_number, hand_of, spot_of
from web.arrivals import Arrivals, Laid, Standing
from web.queries import FindingRow, RoundRow, WagerRow

WIDTH, ARC_DEPTH = 1000.0, 40.0
FEWEST_BOXES = 5
CARD_WIDTH, CARD_STEP, TILE_STEP = 28.0, 22.0, 24.0
CARD_HEIGHT, TILE_HEIGHT, SPOT_HEIGHT, HEAD_HEIGHT = 38.0, 44.0, 32.0, 20.0
_SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠", "?": "?"}
_PIPS = dict(
    zip(
        TILES,
        ("66", "11", "44", "31", "55", "33", "22", "65", "64", "61", "51",
         "63", "54", "62", "53", "52", "43", "41", "32", "42", "21"),
        strict=True,
    )
)  # fmt: skip


class Piece(msgspec.Struct, frozen=True, kw_only=True):
    """A card or a tile."""

    x: float
    rank: str = ""
    suit: str = ""
    pips: tuple[int, ...] = ()
    name: str
    t: float = 0.0
    face_t: float = 0.0

    @property
    def is_red(self) -> bool:
        """Hearts and diamonds."""
        return self.suit in "♥♦" and self.suit != ""


class Hand(msgspec.Struct, frozen=True, kw_only=True):
    """The cards of one hand."""

    place: str
    y: float
    pieces: list[Piece]


class Spot(msgspec.Struct, frozen=True, kw_only=True):
    """A wager."""

    name: str
    at: str
    y: float
    stake: int
    result: str
    due: int | None
    paid: int | None
    is_marked: bool
    t: float
    settled_t: float

    @property
    def is_wrong(self) -> bool:
        """Whether something else was paid than was due."""
        return self.due is not None and self.paid is not None and self.due != self.paid and self.result != "void"


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    """A place at the table with what lies there; x and y are its upper left corner."""

    name: str
    x: float
    y: float
    width: float
    height: float
    hands: list[Hand]
    spots: list[Spot]
    gets: int | None
    is_marked: bool


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """The whole table."""

    height: float
    seats: list[Seat]
    pots: list[tuple[str, int, int | None]]


def piece(text: str, x: float) -> Piece:
    """A card or a tile as it is drawn; what was not read keeps its question marks.

    >>> piece("Td", 0).rank, piece("Td", 0).suit, piece("gj6", 0).pips, piece("??", 0).name
    ('10', '♦', (4, 2), 'face down or not read')
    """
    if text in _PIPS:
        return Piece(x=x, pips=tuple(map(int, _PIPS[text])), name=text)
    if text == "??":
        return Piece(x=x, name="face down or not read")
    if text == "Jkr":
        return Piece(x=x, rank="★", suit="", name="joker")
    return Piece(x=x, rank="10" if text[0] == "T" else text[0], suit=_SUITS.get(text[1:], "?"), name=text)


def plan(round: RoundRow, wagers: Sequence[WagerRow], finding: FindingRow | None, came: Arrivals) -> Plan:
    """The table of a round, with the place of a finding marked, and when everything came."""
    answer: dict[str, Any] = msgspec.json.decode(round.answer)
    hands: dict[str, list[str]] = answer.get("hands", {})
    pots: list[dict[str, Any]] = answer.get("pots") or []
    gets: dict[str, int] = {}
    for pot in pots:
        for place, share in (pot["winners"] or {}).items():
            gets[place] = gets.get(place, 0) + cents(share)
    marked = (finding.at or "") if finding else ""
    boxes = {box_number(place) for place in (*hands, *(each.at for each in wagers), *gets)} - {0}
    is_paigow = round.rulebook == "act-paigow"
    has_dealer = "dealer" in hands
    centre = {place: texts for place, texts in hands.items() if not box_number(place)}
    seats = [_centre(place, texts, marked, came, has_dealer=has_dealer) for place, texts in centre.items()]
    top = max([seat.y + seat.height for seat in seats] or [80.0]) + 16
    around = max([FEWEST_BOXES, *boxes])
    for number in range(1, around + 1):
        corner = _corner(number, around, top, is_paigow=is_paigow)
        seats.append(_seat(number, corner, hands, wagers, gets.get(f"box{number}"), marked, came))
    bottom = max(seat.y + seat.height for seat in seats)
    return Plan(
        height=bottom + 24,
        seats=seats,
        pots=[(pot["at"], cents(pot["amount"]), cents(pot["commission"] or 0)) for pot in pots],
    )


def _corner(number: int, around: int, top: float, *, is_paigow: bool) -> tuple[float, float, float]:
    """Left, top and width of a box: side by side along the table's edge, the middle ones lower."""
    if is_paigow and number == 1:
        return WIDTH / 2 - 70, 12.0, 140.0
    seats = around - 1 if is_paigow else around
    place = number - 2 if is_paigow else around - number  # from the left of the picture
    room = (WIDTH - 24) / seats
    width = min(room - 8, 170.0)
    x = 12 + room * place + (room - width) / 2
    off_centre = (x + width / 2 - WIDTH / 2) / (WIDTH / 2)
    return x, top + ARC_DEPTH * (1 - off_centre**2), width


def _pieces(texts: Sequence[str], width: float, laid: Sequence[Laid]) -> list[Piece]:
    wanted = TILE_STEP if texts and texts[0] in _PIPS else CARD_STEP
    step = min(wanted, (width - 16 - CARD_WIDTH) / max(len(texts) - 1, 1))
    pieces = [piece(text, 8 + step * index) for index, text in enumerate(texts)]
    if len(laid) != len(pieces):
        return pieces  # the log does not say when each came: all lie there from the start
    return [
        msgspec.structs.replace(each, t=when.t, face_t=when.face_t) for each, when in zip(pieces, laid, strict=True)
    ]


def _laid(hands: dict[str, list[str]], width: float, came: Arrivals) -> tuple[list[Hand], float]:
    """Hands one below the other, and where the last ends."""
    laid, y = [], HEAD_HEIGHT
    for place, texts in hands.items():
        laid.append(Hand(place=place, y=y, pieces=_pieces(texts, width, came.cards.get(place, []))))
        y += (TILE_HEIGHT if any(text in _PIPS for text in texts) else CARD_HEIGHT) + 6
    return laid, y


def _centre(place: str, texts: list[str], marked: str, came: Arrivals, *, has_dealer: bool) -> Seat:
    """Dealer, board, player and banker: in the middle, above the boxes."""
    board = (500.0, 82.0 if has_dealer else 14.0)
    x, y = {"board": board, "player": (400.0, 24.0), "banker": (600.0, 24.0)}.get(place, (500.0, 10.0))
    width = max(16 + CARD_WIDTH + CARD_STEP * (len(texts) - 1), 76.0)
    laid, height = _laid({place: texts}, width, came)
    return Seat(
        name=place, x=x - width / 2, y=y, width=width, height=height + 2, hands=laid, spots=[], gets=None,
        is_marked=place == marked,
    )  # fmt: skip


def _seat(
    number: int, corner: tuple[float, float, float], hands: dict[str, list[str]], wagers: Sequence[WagerRow],
    gets: int | None, marked: str, came: Arrivals,
) -> Seat:  # fmt: skip
    x, y, width = corner
    laid, below = _laid({place: texts for place, texts in hands.items() if box_number(place) == number}, width, came)
    own = [each for each in wagers if box_number(each.at) == number]
    spots = []
    for each in own:
        name = spot_of(each.at) + (" #" + hand_of(each.at).partition("#")[2] if "#" in each.at else "")
        stood = came.chips.get((each.at, each.colour), Standing(t=0.0, settled_t=0.0))
        spots.append(
            Spot(
                name=name, at=each.at, y=below, stake=each.stake, result=each.result or "undecided", due=each.due,
                paid=each.paid, is_marked=each.at == marked, t=stood.t, settled_t=stood.settled_t,
            )
        )  # fmt: skip
        below += SPOT_HEIGHT
    height = below + (18 if gets is not None else 0) + 4
    return Seat(
        name=f"box {number}", x=x, y=y, width=width, height=height, hands=laid, spots=spots, gets=gets,
        is_marked=box_number(marked) == number,
    )  # fmt: skip
