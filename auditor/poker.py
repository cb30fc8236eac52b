"""Poker tables: what the four poker rulebooks leave to the house, and a form for what they lay down differently.

A rulebook file fills in :class:`PokerRules` (its numbers and its clauses) and a :class:`PokerHouse` (its options); the
modules poker_table, poker_betting, poker_deal, poker_showdown, poker_pots and poker_session read a round by them.
"""

import dataclasses
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta

from auditor.hands import Order
from auditor.house import House
from auditor.log import cents

Limit = Literal["none", "pot", "half", "fixed"]
Win = Literal["high", "low", "split"]


class PokerHouse(House, frozen=True, kw_only=True):
    """The options of every poker table, as the engine asks for them; amounts are cents."""

    @property
    def blind_levels(self) -> tuple[int, ...]:
        """The blinds, from the first player after the button on; none in an ante game."""
        return ()

    @property
    def big_blind(self) -> int:
        """The second blind; the only one where there is one; 0 in an ante game."""
        return next(iter(self.blind_levels[1:] or self.blind_levels), 0)

    @property
    def ante_level(self) -> int | None:
        """The ante of every player, None where blinds are posted."""
        return None

    @property
    def charged_by_time(self) -> bool:
        """Whether players pay for their time, from their stakes, instead of a commission."""
        return False

    @property
    def limit_kind(self) -> Limit:
        """How the largest bet is fixed."""
        return "none"

    @property
    def fixed_bets(self) -> tuple[int, int] | None:
        """Fixed-limit bets of the first two betting rounds and of the later ones."""
        return None

    @property
    def limit_includes_call(self) -> bool:
        """Whether a pot limit is reckoned with the call added and measures the raise beyond it."""
        return True

    @property
    def unit(self) -> int:
        """The chips a pot is divided in."""
        return 100

    @property
    def burns(self) -> int:
        """Cards burnt before the flop, the turn and the river."""
        return 0

    @property
    def hand_order(self) -> Order:
        """The order of hands in force."""
        raise NotImplementedError

    @property
    def wins(self) -> Win:
        """Which hand takes the pot."""
        return "high"

    @property
    def low_limit(self) -> int | None:
        """The highest card of a low hand that qualifies in a split game."""
        return None

    @property
    def allows_over_blind(self) -> bool:
        """Whether a player may post a blind above the last one."""
        return False

    def raise_cap(self, street: int) -> int | None:
        """The most raises in that betting round, counted from 0, with more than two players; None: no cap."""
        return None

    @property
    def opener_fold_rule(self) -> str:
        """The clause that forbids the opening player of the first betting round to fold; "" if he may."""
        return ""

    @property
    def opener_call_rule(self) -> str:
        """The clause that forbids the opening player of the first betting round merely to call; "" if he may."""
        return ""

    @property
    def stake_bounds(self) -> tuple[int | None, int | None]:
        """The least and the largest stake a player may bring to the table."""
        return None, None

    @property
    def frozen_stakes(self) -> bool:
        """Whether no chips and no players come or go between rounds (freeze-out)."""
        return False

    def ante_after(self, eliminated: int) -> int | None:
        """The ante once so many players are out; None where its size is not known."""
        return self.ante_level

    def player_bounds(self, least: int) -> tuple[int, int | None]:
        """The least and the largest number of players, `least` being the rulebook's own."""
        return least, None

    @property
    def has_joker(self) -> bool:
        """Whether the deck holds a joker."""
        return False


Blinds = Annotated[tuple[Annotated[float, Meta(gt=0)], ...], Meta(min_length=1, max_length=3)]


class BettingHouse(PokerHouse, frozen=True, kw_only=True):
    """Options of the games with blinds or an ante and a choice of limits."""

    blinds: Annotated[Blinds | None, Meta(description="one to three blinds; 1 and 2 unless an ante is set")] = None
    ante: Annotated[
        Annotated[float, Meta(gt=0)] | None, Meta(description="ante of every player, instead of blinds")
    ] = None
    limit: Annotated[Limit, Meta(description="how the largest bet is fixed: none, pot, half pot or fixed bets")] = (
        "none"
    )
    fixed: Annotated[
        tuple[Annotated[float, Meta(gt=0)], Annotated[float, Meta(gt=0)]] | None,
        Meta(description="fixed bets of betting rounds 1-2 and of the later ones"),
    ] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.blinds is not None and self.ante is not None:
            raise ValueError("blinds and ante exclude each other")
        if self.fixed is not None and self.limit != "fixed":
            raise ValueError(f"fixed bets need limit fixed, not {self.limit}")

    @property
    def blind_levels(self) -> tuple[int, ...]:
        if self.ante is not None:
            return ()
        return tuple(map(cents, self.blinds or (1, 2)))

    @property
    def ante_level(self) -> int | None:
        return None if self.ante is None else cents(self.ante)

    @property
    def limit_kind(self) -> Limit:
        return self.limit

    @property
    def fixed_bets(self) -> tuple[int, int] | None:
        return None if self.fixed is None else (cents(self.fixed[0]), cents(self.fixed[1]))


class OutOfTurn(NamedTuple):
    """What binds a player who wagered out of turn, once those before him have acted.

    `smaller`, `bigger`: the clauses for those before betting no more, or more, than he did; `raise_…` says whether he
    may raise then; `returned`: whether his wager goes back if he folds to a bigger one (None: not stated).
    """

    smaller: str
    bigger: str
    raise_after_smaller: bool
    raise_after_bigger: bool
    returned: bool | None


ByRound = tuple[str, ...]
"""Clauses for one betting round after the other; the last one for all later rounds too."""


def of_round(clauses: ByRound, street: int) -> str:
    """The clause for that betting round, counted from 0.

    >>> of_round(("10.3", "12.3"), 0), of_round(("10.3", "12.3"), 3)
    ('10.3', '12.3')
    """
    return clauses[min(street, len(clauses) - 1)]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Clauses:
    """Where a rulebook says what; "" where it does not."""

    one_deck: str
    deck: str
    shuffle: str
    cut: str
    cut_exposed: str
    button: str
    blind: str
    ante: str
    deal: str
    board: ByRound
    betting_first: str
    burn: str
    opens: ByRound
    opens_for_absent: str = ""
    """Who opens in the place of the player whose it is, after the first betting round; "" if `opens` says it."""
    in_turn: ByRound
    no_first_check: str
    no_check: str
    late: ByRound
    least_bet: str
    least_bet_after_antes: str = ""
    most_bet: str
    pot_limit: str
    least_raise: str
    raises: str
    multiple: str
    under_raise: str
    under_raise_fixed: str = ""
    short_raise: str
    short_call: str
    tapped_out: str
    clock: str
    last_player: ByRound
    played_out: str
    show: str
    split: str
    side_pot: str
    wrong_count: str
    exchange: str = ""
    missed: str
    extra: str
    stranger: str
    exposed: str
    exposed_unburnt: str = ""
    """Where no card is burnt that could replace it."""
    replaced: str = ""
    misdeal: str
    premature: str
    shown_first: str = ""
    early_unstarted: str = ""
    stake: str
    stake_between: str
    stake_bounds: str
    stake_bounds_later: str = ""
    largest_stake: str = ""
    missed_blind: str = ""
    new_player: str = ""
    over_blind: str = ""
    heads_up: str = ""
    dead_small_blind: str = ""
    players: str = ""
    most_players: str = ""
    tournament_stake: str = ""
    frozen_stake: str = ""


@dataclasses.dataclass(frozen=True, kw_only=True)
class PokerRules:
    """What a poker rulebook lays down, as numbers and as clauses."""

    clauses: Clauses
    out_of_turn: OutOfTurn
    hole_cards: int
    """Cards dealt to each player before the betting starts (stud: the down card and the first up card)."""
    board: tuple[int, ...]
    """Communal cards before each betting round, the first round's included."""
    clock_s: float
    checks_on_time: bool
    """Whether a player out of time checks where nothing was bet, instead of folding."""
    short_call_returned: bool
    """Whether a bet short of the call goes back to a player who then folds."""
    raise_at_least_call: bool
    """Stud: a raise is measured against the amount to call, elsewhere against the opening bet and earlier raises."""
    shows: Literal["called", "aggressor", "all"]
    """Who must show first: the player called in the last betting round, the last aggressor of the round, no one."""
    rounds: int
    """Betting rounds at most."""
    commission_in_float: bool = False
    """Tasmania 1.1: commission may lie in its own part of the float until it is changed up and dropped."""
    least_players: int = 2
    joins_at_big_blind: bool = False
    """Tasmania: who missed a blind, or is new, comes back for the big blind alone."""
    misdeal_lapses: bool = False
    """ACT 17.2: a misdeal not detected by the end of the first betting round is none."""
    stake_may_shrink: bool = False
    """Whether a stake may be reduced between rounds."""
    early_card_stays: bool = False
    """Whether a communal card shown too early is used all the same (Faro)."""
    burns_known: bool = True
    """Whether the rules know a burn at all."""
    last_call_may_go_back: bool = False
    """Stud 17.2: the last call of the last betting round is given back to a player who cannot possibly win."""
    up_cards: bool = False
    """Stud: cards after the first are dealt face up, and what shows decides who opens."""
