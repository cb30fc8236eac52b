"""A seat at Ultimate Texas Hold-em: its wagers, its hand and what its player decided; and the table's options."""

from typing import Annotated, Literal, NamedTuple

from msgspec import Meta

from auditor.ledgers import Ledger
from auditor.slots import Slot
from auditor.wager_checks import Stake
from auditor.house import House

BOARD, HOLE = 5, 2  # 7.2, 7.3: five communal cards, two to each box and to the dealer
FLOP = 3  # def. Flop
BEFORE_FLOP, AFTER_FLOP, ON_RIVER = 0, 1, 2
MULTIPLES = {BEFORE_FLOP: (3, 4), AFTER_FLOP: (2,), ON_RIVER: (1,)}  # 8.1(c), 8.3(c), 8.5(b): of the ante
OPENING = frozenset({"ante", "blind", "trips"})
NEVER = 1 << 60


class UthHouse(House, frozen=True, kw_only=True):
    """Options of Ultimate Texas Hold-em."""

    shoe: Annotated[
        Literal["card", "auto"], Meta(description="card shoe (7.3), or automated shuffling shoe (7.2)")
    ] = "card"
    fold_trips: Annotated[
        Literal["lose", "by_hand"],
        Meta(
            description="trips of a player who folds or concedes: lost with the rest (def. Fold, 9.1),"
            " or settled by the hand alone (9.7)"
        ),
    ] = "lose"
    late_reveal: Annotated[
        Literal["continue", "misdeal"],
        Meta(
            description="a dealer's card revealed too soon, but after the flop, with no play wager made:"
            " 13.4 does not say"
        ),
    ] = "continue"


class Play(NamedTuple):
    """A play wager: `n` is the event that placed it, `last_n` the end of that motion; `own`: by the player's hand."""

    ledger: Ledger
    stake: int
    n: int
    last_n: int
    t: float
    sure: bool
    own: bool


class Seat:
    """One box in the round: its opening wagers, its hand, and what its player decided."""

    def __init__(self, box: str, stakes: dict[str, Stake], hand: list[Slot], play: Play | None) -> None:
        self.box, self.stakes, self.hand, self.play = box, stakes, hand, play
        self.wagered = "ante" in stakes and "blind" in stakes
        self.dealt_in = self.wagered
        self.checks: list[int] = []
        self.fold_n: int | None = None
        self.void = False
        self.conceded = False
        self.most: int | None = None
        """The largest wager that counts here (5.5); None where there is no limit, or a marker lifts it (5.2)."""

    @property
    def ante(self) -> int:
        """What the play wager and the blind are measured by."""
        return self.stakes["ante"].amount if "ante" in self.stakes else 0

    @property
    def folded_early(self) -> bool:
        """Folded before any play wager was made."""
        return self.fold_n is not None and (self.play is None or self.fold_n < self.play.n)

    @property
    def shown(self) -> bool:
        """Whether any of the hand was ever turned up."""
        return any(slot.seen_n is not None for slot in self.hand)

    @property
    def known(self) -> bool:
        """Whether any of the hand was read, be it face down."""
        return any(slot.seen_n is not None or slot.sure for slot in self.hand)

    @property
    def ledgers(self) -> list[tuple[str, Ledger, int, int]]:
        """Its wagers: the spot, the chips there, the stake, and the event (-1: the first card) it stands since."""
        found = [(spot, stake.ledger, stake.amount, -1) for spot, stake in self.stakes.items()]
        return [*found, ("play", self.play.ledger, self.play.stake, self.play.last_n)] if self.play else found
