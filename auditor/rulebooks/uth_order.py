"""The order of settlement in Ultimate Texas Hold-em (8.8, 9.2, 9.3): who is paid or taken from when."""

from collections.abc import Iterator
from typing import NamedTuple

from auditor.findings import Finding
from auditor.ledgers import Change, Ledger
from auditor.places import box_number
from auditor.rulebooks.uth_play import Act
from auditor.rulebooks.uth_seats import Seat
from auditor.settlement import settled_at_wrong_time, settled_early


class Move(NamedTuple):
    """The dealer's first movement at a spot; a second one would be a correction."""

    ledger: Ledger
    change: Change

    @property
    def n(self) -> int:
        """The event's number."""
        return self.change.n


def order_findings(act: Act, *, qualified: bool) -> Iterator[Finding]:
    """After the dealer's hand; antes that go back first; then one player at a time, from the dealer's right.

    Folded and conceded hands are gathered in when they are given up: no order is laid down for them.
    """
    shown_n = act.showdown_n
    if shown_n is None:
        return
    # Boxes are numbered clockwise from the dealer's left, so the dealer's right is the highest number.
    seats = sorted(act.continuing, key=lambda seat: -box_number(seat.box))
    for seat in seats:
        yield from _before_the_showdown(act, seat, shown_n)
    turns = [(seat, _moves(seat, shown_n)) for seat in seats]
    if not qualified:
        yield from _antes_first(turns, shown_n)
        turns = [(seat, [move for move in moves if not move.ledger.at.endswith("/ante")]) for seat, moves in turns]
    for place, (seat, moves) in enumerate(turns):
        if not moves:
            continue  # only pushes: when the player picks them up is his affair
        settled = _settled(seat, shown_n, antes=qualified)
        first_n = min(move.n for move in moves)
        for earlier, earlier_moves in turns[:place]:
            if first_n < _done_n(earlier, earlier_moves, first_n):
                first = min(settled, key=lambda move: move.n)
                why = f"Hands are settled one at a time from the dealer's right, {earlier.box} was not done"
                yield settled_at_wrong_time(first.ledger, first.change, "9.3", why)
                break


def _settled(seat: Seat, shown_n: int, *, antes: bool) -> list[Move]:
    """All that was settled of a hand, in whatever way: a push is taken back by the player."""
    return [
        Move(ledger, change)
        for spot, ledger, _, _ in seat.ledgers if antes or spot != "ante"
        for change in ledger.changes
        if change.n > shown_n and change.rise and (change.rise < 0 or change.by == "dealer")
    ]  # fmt: skip


def _moves(seat: Seat, since_n: int) -> list[Move]:
    return [
        Move(ledger, first)
        for _, ledger, _, _ in seat.ledgers
        if (first := next((c for c in ledger.changes if c.n > since_n and c.by == "dealer" and c.rise), None))
    ]


def _done_n(seat: Seat, moves: list[Move], next_n: int) -> int:
    """9.3(a), (c): when a hand was last acted on, as its cards were turned and its wagers taken or paid.

    When its cards go into the discard rack is not held against anybody, they may all be gathered in at the end; but
    once they are there, chips that still come are a mistake mended.
    """
    gone_n = min((slot.gone_n for slot in seat.hand if slot.gone_n is not None), default=None)
    if gone_n is not None and gone_n < next_n and any(move.n < gone_n for move in moves):
        return 0
    turned = [slot.turned_n for slot in seat.hand if slot.turned_n is not None]
    return max([0, *(move.n for move in moves), *turned])


def _before_the_showdown(act: Act, seat: Seat, shown_n: int) -> Iterator[Finding]:
    for _, ledger, _, since in seat.ledgers:
        why = "Wagers are settled after the dealer's hand is revealed"
        if (early := settled_early(ledger, max(since, act.opened_n), shown_n, "9.3", why)) is not None:
            yield early
            return


def _antes_first(turns: list[tuple[Seat, list[Move]]], shown_n: int) -> Iterator[Finding]:
    """9.2: the antes go back before anything else is settled. One left standing stays the player's: nothing is seen."""
    others = [move.n for _, moves in turns for move in moves if not move.ledger.at.endswith("/ante")]
    if not others:
        return
    for seat, moves in turns:
        ledger = seat.stakes["ante"].ledger
        if any(move.ledger is ledger for move in moves):
            continue  # it did not go back: reported as such
        back = next((c for c in ledger.changes if c.n > shown_n and c.by == "player" and c.rise < 0), None)
        if back is not None and back.n > min(others):
            why = "The dealer does not qualify, so all antes are refunded first"
            yield settled_at_wrong_time(ledger, back, "9.2", why)
