"""Ultimate Texas Hold-em as it was played: who was in with what, what each player decided, and what was shown when.

Nothing here hangs on which card was read: a round is taken apart once, however many readings are then judged.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator

from auditor import log
from auditor.ledgers import Change, Ledger
from auditor.settlement import flow_since
from auditor.slots import Slot
from auditor.wager_checks import Stake, stakes_at, taken_back_n
from auditor.places import box_number, box_of, spot_of
from auditor.rounds import Round
from auditor.rulebooks.uth_seats import (
    AFTER_FLOP, BEFORE_FLOP, BOARD, FLOP, HOLE, MULTIPLES, NEVER, ON_RIVER, OPENING, Play, Seat, UthHouse,
)  # fmt: skip


class Act:
    """One round, seen through the rules."""

    def __init__(self, round: Round, house: UthHouse) -> None:
        assert round.opened_n is not None
        self.round, self.house, self.opened_n = round, house, round.opened_n
        self.stop_n = min((n for n, _ in round.calls_off()), default=NEVER)
        self.board, self.dealer = round.hand("board"), round.hand("dealer")
        self.board_shown = self._shown(self.board)
        self.dealer_shown = self._shown(self.dealer)
        self._board_ns = [slot.seen_n or 0 for slot in self.board_shown]
        whole = min(BOARD, len(self.board)) or BOARD
        self.board_full_n = self._board_ns[whole - 1] if len(self._board_ns) >= whole else None
        self.seats = self._seats()
        self.players = [seat for seat in self.seats if seat.dealt_in]
        self.all_dealt = False
        self.deal_end_n = self._deal_end()
        self._take_calls()
        self.close_n = self._close()
        self.showdown_n = self._showdown()
        self.end_n = self._end() if self.showdown_n is None else self.showdown_n
        for seat in self.players:
            seat.conceded = self._conceded(seat)

    def _shown(self, slots: list[Slot]) -> list[Slot]:
        """The cards that could be seen while the round counted, in the order they were shown."""
        seen = [slot for slot in slots if slot.seen_n is not None and slot.seen_n < self.stop_n]
        return sorted(seen, key=lambda slot: slot.seen_n or 0)

    # ---- who is in ----

    def _seats(self) -> list[Seat]:
        round = self.round
        stakes: dict[str, dict[str, Stake]] = {}
        for stake in stakes_at(round, self.opened_n, OPENING):
            stakes.setdefault(box_of(stake.ledger.at), {})[spot_of(stake.ledger.at)] = stake
        for box, hand in round.hands.items():
            if box_number(box) and hand and not {"ante", "blind"} <= stakes.get(box, {}).keys():
                # Wagers laid after the first card but before the box got its own: late, not missing.
                late = [each for each in stakes_at(round, hand[0].n, OPENING) if box_of(each.ledger.at) == box]
                stakes[box] = {spot_of(each.ledger.at): each for each in late}
        plays = {box_of(ledger.at): ledger for ledger in round.chips.values() if spot_of(ledger.at) == "play"}
        seats = []
        for box in sorted(stakes.keys() | plays.keys(), key=box_number):
            seat = Seat(box, stakes.get(box, {}), round.hand(box), None)
            seat.play = self._play(plays[box], seat.ante) if box in plays else None
            seat.most = None if self._marked(box) else self.house.max_cents
            seat.dealt_in = seat.dealt_in and not (self.dealer and self._left(seat, self.dealer[0].n))
            seats.append(seat)
        return seats

    def _left(self, seat: Seat, dealt_n: int) -> bool:
        """Whether a player took the ante or the blind up again before he had cards (4.6): none are due to him."""
        stakes = [stake for spot, stake in seat.stakes.items() if spot != "trips"]
        taken = (taken_back_n(stake.ledger, self.opened_n, dealt_n) for stake in stakes)
        return not seat.hand and any(n is not None for n in taken)

    def _marked(self, box: str) -> bool:
        """5.2: a marker beside the box lets its wagers exceed the maximum; a tournament's starts the wagers."""
        if any(ledger.marker and box_of(ledger.at) == box for ledger in self.round.chips.values()):
            return True
        marker = self.round.opening_marker
        return not self.house.tournament and marker is not None and box_of(marker) == box

    def _play(self, ledger: Ledger, ante: int) -> Play | None:
        """The play wager laid in this round; chips left over from the round before are none."""
        placed, last = None, None
        for change in ledger.changes:
            if change.n >= self.stop_n or (change.by == "dealer" and placed is not None):
                break
            if change.by == "dealer":
                continue
            if placed is None or last is None:
                on_left_over = change.before == ledger.carried and (change.rise or not ledger.carried_sure)
                if change.after and (change.rise > 0 or on_left_over):
                    placed = last = change
            elif change.n < self.opened_n or (change.rise > 0 and self._one_motion(ledger.at, last, change, ante)):
                placed, last = (placed, change) if change.after else (None, None)
            else:
                break
        if placed is None or last is None:
            return None
        return Play(ledger, last.after, placed.n, last.n, last.t, last.sure, placed.by == "player")

    def _one_motion(self, at: str, last: Change, change: Change, ante: int) -> bool:
        """Chips laid down in several goes: nothing came in between, or only other boxes' chips and calls as long as
        these were too few for a play wager. Chips told once more as they stand are nothing new.
        """
        seen = self.seen_before(last.n)
        stage = ON_RIVER if seen >= BOARD else AFTER_FLOP if seen >= FLOP else BEFORE_FLOP
        too_few = last.after < min(MULTIPLES[stage]) * ante
        moved = {each.n for ledger in self.round.chips.values() for each in ledger.changes if each.rise}
        for n, event in enumerate(self.round.events[last.n + 1 : change.n], start=last.n + 1):
            elsewhere = isinstance(event, (log.Chips, log.Call)) and box_of(event.at or "") not in ("", box_of(at))
            told_again = isinstance(event, log.Chips) and n not in moved
            if not (isinstance(event, log.Hand) or told_again or (elsewhere and too_few)):
                return False
        return True

    # ---- the deal ----

    def expected_deal(self) -> list[str]:
        """7.2, 7.3: the places in the order they get cards. Among the boxes no order is laid down: it is as it was."""
        boxes = [seat.box for seat in self.players]
        if self.house.shoe == "auto":
            boxes.sort(key=lambda box: self._nth_card(box, 0))
            return ["board"] * BOARD + [box for box in boxes for _ in range(HOLE)] + ["dealer"] * HOLE
        sequence = ["board"] * BOARD
        for turn in range(HOLE):
            boxes.sort(key=lambda box: self._nth_card(box, turn))
            sequence += [*boxes, "dealer"]
        return sequence

    def _nth_card(self, box: str, turn: int) -> int:
        hand = self.round.hand(box)
        return hand[turn].n if turn < len(hand) else NEVER

    def _deal_end(self) -> int:
        """The card with which everybody had what is due; the last card where somebody never had."""
        wanting = Counter(["board"] * BOARD + ["dealer"] * HOLE + [seat.box for seat in self.players] * HOLE)
        for slot in self.round.slots:
            wanting[slot.dealt_to] -= 1
            if wanting[slot.dealt_to] == 0 and all(count <= 0 for count in wanting.values()):
                self.all_dealt = True
                return slot.n
        return self.round.slots[-1].n if self.round.slots else self.opened_n

    # ---- what the players decided ----

    def _take_calls(self) -> None:
        by_box = {seat.box: seat for seat in self.seats}
        for n, call in self.round.calls:
            seat = by_box.get(box_of(call.at)) if call.at is not None else None
            if seat is None or n >= self.stop_n or n < self.opened_n:
                continue
            if call.what == "check":
                seat.checks.append(n)
            elif call.what == "fold" and seat.fold_n is None and not _put_away(seat, n):
                seat.fold_n = n
            elif call.what == "void":
                seat.void = True
        shown_n = self.dealer_shown[-1].seen_n if self.dealer_shown else None
        end_n = self.stop_n if shown_n is None else min(self.stop_n, shown_n or 0)
        for seat in self.players:
            passed_n = min((slot.gone_n for slot in seat.hand if slot.gone_n is not None), default=NEVER)
            if seat.fold_n is None and seat.play is None and not seat.shown and passed_n < end_n:
                seat.fold_n = None if self.unseen_before(passed_n) else passed_n

    def unseen_before(self, n: int) -> bool:
        """Whether anything of the round went unseen before that event."""
        gap = self.round.gap_after(self.opened_n)
        return gap is not None and gap.n < n

    def seen_before(self, n: int) -> int:
        """How many communal cards had been shown before that event."""
        return bisect_left(self._board_ns, n)

    def _close(self) -> int:
        """When betting was over for good: «dealer's hand» was announced, or, without that, both its cards lay open."""
        if self.board_full_n is None:
            return NEVER
        announced = self.round.called("dealer_hand")
        if announced is not None:
            return announced if announced > self.board_full_n else NEVER
        if len(self.dealer_shown) < HOLE:
            return NEVER
        last = self.dealer_shown[-1].seen_n or 0
        return last if last > self.board_full_n else NEVER

    # ---- the end ----

    def _showdown(self) -> int | None:
        """The event after which all seven cards of the dealer's choice lay open."""
        if self.board_full_n is None or len(self.dealer_shown) < HOLE:
            return None
        return max(self.board_full_n, self.dealer_shown[-1].seen_n or 0)

    def _end(self) -> int:
        """The first sign that play was over, where not every card of the showdown was seen: «dealer's hand», the
        dealer's cards open, a player's hand turned, cards of dealer or board gathered in.
        """
        called_n = self.round.called("dealer_hand")
        signs = [slot.gone_n for slot in (*self.board, *self.dealer)]
        signs += [called_n, self.dealer_shown[-1].seen_n if len(self.dealer_shown) >= HOLE else None]
        signs += [slot.turned_n for seat in self.players for slot in seat.hand]
        return min([n for n in signs if n is not None and n > self.deal_end_n], default=NEVER)

    def _conceded(self, seat: Seat) -> bool:
        """9.1: given up after the play wager, by word, or by cards gathered in unturned with the wagers."""
        if seat.play is None or seat.folded_early:
            return False
        if seat.fold_n is not None:
            return True
        gathered_n = [slot.gone_n for slot in seat.hand if slot.gone_n is not None]
        if seat.known or not seat.hand or len(gathered_n) < len(seat.hand) or self.unseen_before(max(gathered_n)):
            return False
        flows = [
            flow_since(ledger, max(since, self.opened_n))
            for spot, ledger, _, since in seat.ledgers if spot != "ante"
        ]  # fmt: skip
        return any(flow.net < 0 for flow in flows) and all(min(flow.possible_nets()) < 0 for flow in flows)

    def late(self, seat: Seat) -> bool:
        """Whether the play wager came after betting was over."""
        return seat.play is not None and seat.play.n > self.close_n

    def out(self, seat: Seat) -> bool:
        """Whether the player has folded, or counts as one who has: no play wager in time, and the cards not shown."""
        return seat.folded_early or (self.late(seat) and not seat.shown)

    @property
    def continuing(self) -> list[Seat]:
        """9.3: the players whose hands meet the dealer's."""
        return [
            seat for seat in self.players
            if seat.play is not None and not (seat.void or seat.conceded or self.out(seat))
        ]  # fmt: skip

    def settling(self) -> Iterator[int]:
        """The dealer's movements of chips after the showdown."""
        for ledger in self.round.chips.values():
            for change in ledger.changes:
                if change.by == "dealer" and self.showdown_n is not None and change.n > self.showdown_n:
                    yield change.n


def _put_away(seat: Seat, n: int) -> bool:
    """Whether the hand was shown and collected before event `n`: a fold after that is another round's."""
    return bool(seat.hand) and all(
        slot.seen_n is not None and slot.gone_n is not None and slot.gone_n < n for slot in seat.hand
    )
