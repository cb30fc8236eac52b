"""One roulette round seen through the rules: its options, its spins, its wagers, and what was not surely read of it."""

from typing import Annotated, Literal, NamedTuple

from msgspec import Meta

from auditor.ledgers import Change, Ledger
from auditor.outcomes import Outcome, voids
from auditor.slots import Slot
from auditor.wager_checks import Stake, stake_at
from auditor.findings import Finding, SpinResult
from auditor.house import House
from auditor.log import cents
from auditor.rounds import Round
from auditor.rulebooks.roulette_layout import POCKETS, Spot, complete, spot_at
from auditor.rulebooks.roulette_rounds import lifted_n, piles
from auditor.rulebooks.roulette_spins import PILE, attempts_of, sure, wagers
from auditor.worlds import Doubt

NEVER = 1 << 60
VALID, VOID = 1, 0


class RouletteHouse(House, frozen=True, kw_only=True):
    """Options of Tournament American Roulette."""

    colours: Annotated[
        dict[str, Annotated[float, Meta(gt=0)]], Meta(description="what a chip of each colour is worth (4.6)")
    ] = {}
    first_four: Annotated[bool, Meta(description="0-1-2-3 may be wagered on as a corner (4.3(d), 7.3(a))")] = True
    voisins: Annotated[
        Literal["nine", "seven"],
        Meta(description="pieces of Voisins de Zero: nine, two on 0-2-3 and 25-26-28-29; or one a spot (4.8(c))"),
    ] = "nine"


class Bet(NamedTuple):
    """A wager as it stood when betting closed; None for a spot where none is permitted.

    `reported` is the finding that the wager itself already is; it is then settled as the table settled it.
    """

    stake: Stake
    spot: Spot | None
    reported: Finding | None = None


class Play:
    """A round as the rules see it. `pocket` and `validity` hold what is assumed while a reading is judged."""

    def __init__(self, round: Round, house: RouletteHouse) -> None:
        self.round, self.house = round, house
        self.attempts = attempts_of(round)
        self.last = self.attempts[-1] if self.attempts else None
        self.decided_n = self.last.decided_n(round) if self.last else None
        closed_n = self.last.closed_n if self.last else None
        self.is_closed = closed_n is not None
        self.closed_n = len(round.events) if closed_n is None else closed_n
        self.piles = piles(round, self.closed_n)
        self.lifted_n = lifted_n(round)
        self.pocket, self.validity = self._pocket(), self._validity()
        self.bets = [Bet(stake, self._spot(stake)) for stake in self._stakes()]

    # ---- what was wagered ----

    def _stakes(self) -> list[Stake]:
        found = []
        for ledger in wagers(self.round):
            if not ledger.before(self.closed_n) or not (ledger.changes or ledger.carried_sure):
                continue  # left standing when the view was lost, and nothing since says that it still does
            found.append(stake_at(self.round, self.closed_n, ledger))
        return found

    def _spot(self, stake: Stake) -> Spot | None:
        """4.3, 4.7, 4.8: a marker with the maximum for all combinations of its number covers all of them."""
        ledger, most = stake.ledger, self.house.max_cents
        if ledger.marker and most:
            if not ledger.spot.isdecimal() or int(ledger.spot) >= POCKETS:
                return None
            whole = complete(int(ledger.spot), first_four=self.house.first_four)
            if stake.amount == most * whole.pieces:
                return whole
        return self.spot_at(ledger.at)

    def spot_at(self, at: str) -> Spot | None:
        """The wager that chips make at a place, under the house's options."""
        voisins_pieces = 9 if self.house.voisins == "nine" else 7
        return spot_at(at, first_four=self.house.first_four, voisins_pieces=voisins_pieces)

    def risk(self, bet: Bet) -> int:
        """3.4: what is paid or collected on; the maximum holds for each piece."""
        most = self.house.max_cents
        if most is None or bet.spot is None:
            return bet.stake.amount
        return min(bet.stake.amount, most * bet.spot.pieces)

    # ---- what was spun ----

    def _pocket(self) -> Slot:
        """Where the ball rests; where that was not read, the dolly tells what the dealer took it to be."""
        rest = self.last.rest if self.last else None
        slot = Slot("wheel", self.decided_n or 0, rest.t if rest else self.round.closed, up=True)
        if rest is not None and rest.pocket is not None:
            slot.card, slot.text, slot.conf = rest.pocket, str(rest.pocket), rest.conf
            slot.options = (rest.pocket,) if sure(self.round, rest) else None
        elif self.last is not None and self.last.dollies:
            slot.card = self.last.dollies[-1][1].at
        return slot

    def _validity(self) -> Slot:
        faults = self.last.faults if self.last else []
        slot = Slot("wheel", self.decided_n or 0, faults[0].t if faults else 0.0, up=True)
        slot.card = VOID if any(fault.as_read for fault in faults) else VALID
        valid = self.last.valid if self.last else True
        slot.options = None if valid is None else (VALID,) if valid else (VOID,)
        return slot

    @property
    def resolved(self) -> bool:
        """Whether the last spin came to a result."""
        return self.decided_n is not None

    @property
    def marked(self) -> bool:
        """Whether the ball was seen in its pocket and the dolly on that number."""
        rest = self.last.rest if self.last else None
        dollies = self.last.dollies if self.last else []
        return rest is not None and bool(dollies) and dollies[-1][1].at == rest.pocket

    @property
    def valid(self) -> bool:
        """Whether the last spin is taken to be valid."""
        return self.validity.card == VALID

    @property
    def voided(self) -> Outcome | None:
        """The outcome of every wager when the last spin is not valid, or the round was called off before it."""
        if self.last is None or not self.last.begun:
            if any(call.what == "void" and call.at is None for _, call in self.round.calls):
                return voids("10.4", "The round was declared void")
            return None
        fault = self.last.reason
        return None if self.valid or fault is None else voids(fault.rule, fault.why)

    def doubts(self) -> list[Doubt]:
        """The pocket and the spin's validity, where the reads leave them open and something hangs on them."""
        found = []
        if self.resolved and not self.validity.sure and self.last is not None:
            whys = "; ".join(dict.fromkeys(fault.why for fault in self.last.faults))
            what = f"the spin's validity ({whys}: a weak read)"
            found.append(Doubt(self.validity, (VALID, VOID), lambda card: "valid" if card else "void", what))
        void_for_sure = self.validity.sure and not self.valid
        if self.resolved and not self.pocket.sure and not void_for_sure:
            read = f"{self.pocket.text}, read at {self.pocket.conf:.0%}" if self.pocket.conf is not None else "not read"
            what = f"the ball's pocket at {self.pocket.t:.1f} s ({read})"
            found.append(Doubt(self.pocket, tuple(range(POCKETS)), str, what))
        return found

    def spin_result(self) -> SpinResult | None:
        """What is printed of the last spin; None where nothing was seen of one."""
        last = self.last
        if last is None or not last.begun:
            return None
        valid = last.valid if self.resolved or last.faults else None
        rule = last.reason.rule if valid is False and last.reason is not None else None
        pocket, laps = (last.rest.pocket if last.rest else None), (last.laps.laps if last.laps else None)
        return SpinResult(valid=valid, pocket=pocket, laps=laps, rule=rule)

    # ---- what the dealer did ----

    def dealer_moves(self, since: int, until: int = NEVER) -> list[tuple[Ledger, Change]]:
        """The dealer's chip movements between two events, on wagers and in piles, in order."""
        found = [
            (ledger, change)
            for ledger in self.round.chips.values() if ledger.at == PILE or ledger.at.startswith(("layout/", "track/"))
            for change in ledger.changes if change.by == "dealer" and since < change.n < until and change.rise
        ]  # fmt: skip
        found.sort(key=lambda move: move[1].n)
        return found

    def chip_value(self, colour: str | None) -> int:
        """4.6: what one chip of that colour is worth; a cent where the table does not say."""
        return max(cents(self.house.colours.get(colour, 0)), 1) if colour is not None else 1
