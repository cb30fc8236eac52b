"""Tournament Mini-Baccarat (ACT, NI2002-45): eight decks, a fixed tableau, even money on both sides.

The way through the file: options, the round's wagers and what is wrong with them, settlement, the judge. The cards of
a round are `baccarat_deal`, the shoe from round to round is `baccarat_shoe`.
"""

from collections.abc import Iterator
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta

from auditor import log
from auditor.cards import JOKER
from auditor.deal_checks import deck_findings
from auditor.ledgers import Ledger
from auditor.marker_checks import changed_after_turn, marker_moved, marker_order
from auditor.outcomes import Outcome, amount_text, loses, pays, pushes, undecided, voids
from auditor.settlement import Settlement, settled_early
from auditor.slots import Slot
from auditor.wager_checks import LimitRules, Stake, after_decision, frozen, stakes_at, stray_wagers, table_limits
from auditor.findings import Finding, Judgement
from auditor.game import Game, declared_void, not_voided
from auditor.house import House
from auditor.log import AnyEvent
from auditor.boundaries import CardsCollected
from auditor.places import box_of, spot_of
from auditor.rounds import Round
from auditor.rulebooks.baccarat_deal import BANKER, HANDS, PLAYER, POINTS, Deal, Hands
from auditor.rulebooks.baccarat_shoe import (
    bequeath, burn_findings, dealt_cards, excess_findings, legacy_of, non_betting, opening_findings, shuffle_findings,
)  # fmt: skip
from auditor.worlds import Doubt

DECKS = 8  # 2.1
EVEN_MONEY = (1, 1)  # 8.1
TIE_ODDS = (8, 1)  # 8.1
TIE = "tie"
SPOTS = frozenset({PLAYER, BANKER, TIE})  # 4.6
# 8.2, 8.3: the clauses by which a side wins, loses and stands off
SIDE_RULES = {BANKER: ("8.2(a)", "8.2(b)", "8.2(c)"), PLAYER: ("8.3(a)", "8.3(b)", "8.3(c)")}


class BaccaratHouse(House, frozen=True, kw_only=True):
    """Options of Tournament Mini-Baccarat."""

    face: Annotated[Literal["up", "down"], Meta(description="how the cards are dealt (2.2)")] = "up"
    box: Annotated[
        Literal["number", "area"],
        Meta(description="what 4.4 calls a box: a number's three areas, or each area (then a side and the tie clash)"),
    ] = "number"
    second_tie: Annotated[
        Literal["shuffle", "continue"],
        Meta(description="after the cutting card, when the one more round of 5.6 is a tie too"),
    ] = "shuffle"


class BaccaratRounds(CardsCollected):
    """A round is over, too, when all its cards are collected but the excess one that opens the next (9.2, 9.3)."""

    def ended(self, round: Round) -> bool:
        """All cards are in the discard rack, or all but one."""
        return super().ended(round) or (round.on_table == 1 and len(round.slots) > len(HANDS) * 2)

    def tells_of_the_past(self, round: Round, event: AnyEvent) -> bool:
        """As in every card game; or the first that the log tells of is a card of the Banker's, who gets none first."""
        begins = event is round.first_event and isinstance(event, log.Card) and event.at == BANKER
        return begins or super().tells_of_the_past(round, event)


class Wagers(NamedTuple):
    """The wagers of a round; `invalid` and `doubtful` ones may have been given back, `moved` ones changed."""

    placed: list[Stake]
    strays: list[Stake]
    invalid: dict[str, tuple[str, str]]
    doubtful: frozenset[str]
    moved: frozenset[str]
    findings: list[Finding]


# ---- checks ------------------------------------------------------------------------------------------------------


def read_wagers(round: Round, house: BaccaratHouse, decided_n: int) -> Wagers:
    """The wagers that stood when the first card came, and what the rules have against them."""
    opened_n = round.opened_n or 0
    placed = stakes_at(round, opened_n, SPOTS)
    may_touch = after_decision(round, decided_n, house.max_cents)
    touched = [
        *changed_after_turn(round, house, SPOTS, "13.14"),
        *frozen(round, SPOTS, opened_n, len(round.events), "4.5", may_touch),
    ]
    moved = frozenset(finding.at or "" for finding in touched)
    invalid, doubtful = _not_allowed(round, house, placed)
    strays = stray_wagers(round, SPOTS)
    findings = touched
    for stake in strays:
        invalid[stake.ledger.at] = ("4.6", "only Player, Banker and Tie are offered")
    for stake in placed:
        findings += table_limits(stake, house, house.max_cents, LimitRules("3.3", "3.4", "3.2", tournament="13.13"))
    for stake in (*placed, *strays):
        if stake.ledger.at in invalid:
            findings.append(_invalid(stake, *invalid[stake.ledger.at]))
    findings += marker_order(round, house, placed, "13.14")
    findings += marker_moved(round, house, placed, "def. Marker")
    return Wagers(placed, strays, invalid, doubtful, moved, findings)


def _invalid(stake: Stake, rule: str, why: str) -> Finding:
    at, amount = stake.ledger.at, stake.amount
    return Finding(
        kind="bet.invalid", rule=rule, t=stake.t, at=at, colour=stake.ledger.colour, expected=0, observed=amount,
        message=f"A wager of {amount_text(amount)} stands at {at}: {why}.",
        verdict="breach" if stake.there else "unsure", reads=() if stake.sure else (f"chips at {at}",),
    )


def _not_allowed(
    round: Round, house: BaccaratHouse, placed: list[Stake]
) -> tuple[dict[str, tuple[str, str]], frozenset[str]]:
    """4.4, 4.7, 9.2: the wagers that may not stand, and those the director may void with them (11.3)."""
    if non_betting(round):
        why = "this round opens with an exposed excess card and is played without wagers"
        return {stake.ledger.at: ("9.2", why) for stake in placed}, frozenset()
    invalid: dict[str, tuple[str, str]] = {}
    doubtful = set()
    by_box: dict[str, list[Stake]] = {}
    for stake in sorted(placed, key=lambda stake: _placed_n(stake.ledger)):
        by_box.setdefault(box_of(stake.ledger.at), []).append(stake)
    for stakes in by_box.values():
        sides = [stake for stake in stakes if spot_of(stake.ledger.at) != TIE]
        clashing, rule, why = sides, "4.7", "the box backs the other side already"
        if house.box == "area" and len(stakes) > len(sides):
            clashing, rule, why = stakes, "4.4", "the player has wagered on another box already"
        invalid |= {stake.ledger.at: (rule, why) for stake in clashing[1:]}
        doubtful |= {stake.ledger.at for stake in clashing[:1] if len(clashing) > 1}
    return invalid, frozenset(doubtful)


def _placed_n(ledger: Ledger) -> int:
    return next((change.n for change in ledger.changes if change.rise > 0), -1) if not ledger.carried else -1


def facing_findings(cards: list[Slot], excess: list[Slot], face: str) -> Iterator[Finding]:
    """2.2: face up or face down, as the director determined; a third card may lie either way in a face-down game."""
    for slot in cards if face == "up" else cards[:4]:
        if slot.dealt_up == (face == "up") or slot in excess:
            continue
        kind = "deal.facing" if face == "up" else "deal.exposed"
        lay = "down" if face == "up" else "up"
        yield Finding(
            kind=kind, rule="2.2", t=slot.t, at=slot.dealt_to, expected=face, observed=lay,
            message=f"A card at {slot.dealt_to} was dealt face {lay}; the cards are dealt face {face}.",
        )


def stranger_findings(round: Round) -> Iterator[Finding]:
    """6.2: cards go to the two hands only."""
    for slot in round.slots:
        if slot.dealt_to not in HANDS:
            yield Finding(
                kind="deal.order", rule="6.2", t=slot.t, at=slot.dealt_to, observed=slot.text,
                message=f"A card was dealt to {slot.dealt_to}; cards go to the Player and the Banker only.",
            )
            return


# ---- settlement --------------------------------------------------------------------------------------------------


def outcome_of(spot: str, stake: int, hands: Hands) -> Outcome:
    """8.1-8.4."""
    if not hands.decided:
        return undecided("8.1", "The hands were not completed")
    on_player, on_banker = hands.points
    if spot == TIE:
        if on_player == on_banker:
            return pays(stake, TIE_ODDS, "8.4(a)", f"{on_player} against {on_banker} is a tie, which pays 8 to 1")
        return loses(stake, "8.4(b)", f"{on_player} against {on_banker} is no tie")
    own, other = (on_player, on_banker) if spot == PLAYER else (on_banker, on_player)
    won, lost, stands_off = SIDE_RULES[spot]
    side = spot.capitalize()
    if own > other:
        return pays(stake, EVEN_MONEY, won, f"The {side}'s {own} beats {other} and pays even money")
    if own < other:
        return loses(stake, lost, f"The {side}'s {own} loses to {other}")
    return pushes(stands_off, f"{own} against {other} neither wins nor loses on the {side}")


def settle(settlement: Settlement, wagers: Wagers, hands: Hands, most: int | None) -> None:
    """Settle every wager, for one way to see the hands."""
    round = settlement.round
    for stake in wagers.placed:
        at, spot = stake.ledger.at, spot_of(stake.ledger.at)
        amounts = [stake.amount]
        if at in wagers.moved:  # the dealer may have acted on the wager as it stood before or after
            amounts += [change.after for change in stake.ledger.changes if change.by == "player" and change.after]
        outcomes = [outcome_of(spot, amount if most is None else min(amount, most), hands) for amount in amounts]
        if round.called("void", box_of(at)) is not None or round.called("void", at) is not None:
            outcomes = [voids("11.3 (second)", "The wager was declared void")]
        elif at in wagers.invalid and hands.decided:
            outcomes.insert(0, voids(wagers.invalid[at][0], "The wager was not allowed"))
        elif at in wagers.moved or at in wagers.doubtful:
            outcomes.append(voids("11.3 (second)", "The wager was given back"))
        reported = at in wagers.invalid or at in wagers.moved
        found = settlement.wager(stake.ledger, stake.amount, *outcomes, sure=stake.sure, reported=reported)
        if found is None and not reported and outcomes[0].result not in (None, "void") and settlement.voided is None:
            _settled_in_time(settlement, stake, hands, outcomes[0].rule, most)
    settlement.refuse_late(wagers.findings, lambda at, stake: outcome_of(spot_of(at), stake, hands))
    for stake in wagers.strays:
        settlement.wager(stake.ledger, stake.amount, undecided("4.6", "There is no such wager"), sure=stake.sure)


def _settled_in_time(settlement: Settlement, stake: Stake, hands: Hands, rule: str, most: int | None) -> None:
    """8.2-8.4: the totals of both hands decide, so nothing is settled before their last card lies open."""
    decided_n = max(slot.n if slot.seen_n is None else slot.seen_n for slot in (*hands.player, *hands.banker))
    why = "Wagers are settled by the totals of both hands, which were not complete"
    early = settled_early(stake.ledger, settlement.since, decided_n, rule, why, most)
    if early is not None:
        settlement.findings.append(early)


class Baccarat(Game[BaccaratHouse]):
    """The rulebook."""

    id = "act-baccarat"
    citation = "NI2002-45 Mini-Baccarat"
    house_type = BaccaratHouse
    boundary = BaccaratRounds()
    one_deck = False

    def doubts(self, round: Round, house: BaccaratHouse) -> list[Doubt]:
        """Only the point value of a card matters."""
        found = [_doubt(slot) for slot in dealt_cards(round) if not slot.sure]
        return [doubt for doubt in found if len(doubt.cards) > 1]

    def judge(self, round: Round, house: BaccaratHouse) -> Judgement:
        """The cards, then the wagers, then the money, for the way to see the hands that fits what the table did."""
        cards = dealt_cards(round)
        deal = Deal(round, cards)
        decided_n = max((max(slot.n, slot.turned_n or 0) for slot in round.slots), default=round.opened_n or 0)
        wagers = read_wagers(round, house, decided_n)
        findings = [
            *shuffle_findings(round), *burn_findings(round), *deck_findings(round, DECKS, "2.1", whole_shoe=True),
            *wagers.findings, *opening_findings(round, cards), *stranger_findings(round), *excess_findings(round),
        ]
        voided = declared_void(round, "def. Void")
        if deal.hopeless:
            findings += not_voided(round, "9.5", "A card of the initial deal never came")
            voided = voids("9.5", "The round could not be reconstructed")
        best: tuple[list[Finding], Settlement] | None = None
        for hands in deal.readings():
            settlement = Settlement(round, house, since=deal.undealt_n, decided=decided_n, voided=voided)
            settle(settlement, wagers, hands, house.max_cents)
            in_excess = [*hands.excess, *legacy_of(round).excess]
            faults = [*hands.faults, *facing_findings(cards, in_excess, house.face), *settlement.findings]
            if best is None or len(faults) < len(best[0]):
                best = faults, settlement
        assert best is not None
        faults, settlement = best
        settlement.findings.clear()
        settlement.view_gap("8.1")
        return Judgement(wagers=settlement.wagers, findings=[*findings, *faults, *settlement.findings])

    def audit(self, round: Round, house: BaccaratHouse) -> Judgement:
        """As every game; and remember what this round leaves to the next."""
        judgement = super().audit(round, house)
        known = not self.doubts(round, house)
        hands = Deal(round, dealt_cards(round)).readings()[0] if known else None
        round.legacy = bequeath(round, hands, house.second_tie)
        return judgement


def _doubt(slot: Slot) -> Doubt:
    options = tuple(range(JOKER)) if slot.options is None else slot.options
    one_each = {POINTS[card]: card for card in reversed(options)}
    return Doubt(slot, tuple(one_each[points] for points in sorted(one_each)), _value_name)


def _value_name(card: int) -> str:
    return f"a {POINTS[card]}" if POINTS[card] else "a ten or court card"
