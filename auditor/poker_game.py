"""The poker rulebooks' common judge: what all four have in common, in the order in which a round goes."""

from collections.abc import Iterator, Sequence
from typing import ClassVar, TypeVar

from auditor import log
from auditor.cards import JOKER, name
from auditor.deal_checks import shuffle_missing
from auditor.findings import Finding, Judgement, unsure
from auditor.game import Game, not_voided, open_cards, status_of
from auditor.hands import low_strength, strength
from auditor.ledgers import Gap
from auditor.poker import PokerHouse, PokerRules
from auditor.poker_betting import Betting
from auditor.poker_awards import Awards
from auditor.poker_cut import cut_exposed, cut_findings, cut_missing
from auditor.poker_deal import Deal
from auditor.poker_doubt import (
    as_well_if, begins_unseen, blurred, heard_otherwise, hidden_shuffle, unless, unless_begun,
    unless_paid_before, weak_chips,
)  # fmt: skip
from auditor.poker_hole_cards import deck_findings, initial_findings, later_findings
from auditor.poker_pots import Charge, Pots, Taking
from auditor.poker_rounds import PokerBoundary
from auditor.poker_session import (
    Session, button_findings, button_now, player_findings, reading_of, remember, session_of,
)  # fmt: skip
from auditor.poker_showdown import Showdown
from auditor.poker_stakes import forced_bets, post_findings, stake_findings
from auditor.poker_table import Reading, Spent, Table
from auditor.rounds import Round
from auditor.settlement import Settlement
from auditor.worlds import Doubt, judge_all

PokerHouseType = TypeVar("PokerHouseType", bound=PokerHouse)
_BY_THE_WHOLE_ROUND = (
    "deal.missed", "deal.count", "deal.order", "deal.no_wager", "round.not_voided", "bet.amount", "bet.limit",
)  # fmt: skip


class PokerGame(Game[PokerHouseType]):
    """A poker rulebook: its rules and clauses, and the few things that are not a number."""

    boundary = PokerBoundary()
    rules: ClassVar[PokerRules]
    deal_type: ClassVar[type[Deal]] = Deal
    hand_size: ClassVar[int]
    one_commission: ClassVar[bool] = False
    """Whether one commission is charged on all pots together (ACT) or one on each (Tasmania)."""
    odd_chip_rule: ClassVar[bool] = True

    def sequence(self, seats: Sequence[str], house: PokerHouseType) -> list[str]:
        """The places of the initial deal, in order: one card at a time, unless a rulebook says otherwise."""
        return [*seats] * self.rules.hole_cards

    def ranking(self, hole: Sequence[int], board: Sequence[int], house: PokerHouse) -> tuple[int | None, int | None]:
        """High and low strength of a hand."""
        cards = [*hole, *board]
        low = None if house.wins == "high" else low_strength(cards, house.hand_order, house.low_limit)
        return strength(cards, house.hand_order), low

    def commission(self, house: PokerHouse, pots: Sequence[int], taking: Taking) -> Charge:
        """What each pot is charged."""
        raise NotImplementedError

    def misdeals(self, deal: Deal) -> Iterator[tuple[str, str]]:
        """Clause and reason of everything that makes this round a misdeal; a rulebook adds its own."""
        clauses, round = self.rules.clauses, deal.table.round
        if deal.misdealt is not None:
            yield deal.misdealt
        if cut_missing(round):
            yield clauses.cut, "The cards were shuffled and not cut"
        off = max((n for n, call in round.calls if call.what == "misdeal" and n < (round.opened_n or 0)), default=-1)
        if any(slot.n > off for slot in cut_exposed(round)):
            yield clauses.cut_exposed, "A card was exposed in the cut"

    # ---- judging ----

    def printed(self, round: Round) -> bool:
        """A round of which a card was seen to come; what a log begins with may be the end of another."""
        return bool(round.slots)

    def audit(self, round: Round, house: PokerHouseType) -> Judgement:
        session = session_of(round)
        judgement, deal = self._heard(round, house, session, "nobody")
        if deal.table.stakes_unread and judgement.breaches:
            tapped_out: tuple[Spent, ...] = ("short", "silent")
            heard = [(judgement, deal), *(self._heard(round, house, session, spent) for spent in tapped_out)]
            (judgement, deal), *others = sorted(heard, key=lambda each: each[0].breaches.total())
            read = "what was left of a stake that is not in the log"
            judgement = unless(judgement, [otherwise for otherwise, _ in others], read)
        status = status_of(round)
        counted, void = status != "misdeal", status == "void"
        partial = begins_unseen(round, session, judgement.findings)
        round.legacy = remember(
            deal.table, session, counted=counted, void=void, partial=partial, betting=deal.betting
        )
        return judgement

    def _heard(self, round: Round, house: PokerHouseType, session: Session, spent: Spent) -> tuple[Judgement, Deal]:
        """What holds however weak calls were meant, and whether or not checks are in the log."""
        reading = reading_of(round, session)._replace(spent=spent)
        judgement, deal = self._audit(round, house, session, reading)
        for calls in heard_otherwise(round):
            otherwise = self._audit(round, house, session, reading._replace(calls=calls))[0]
            judgement = as_well_if(judgement, otherwise, "a call weakly heard")
        if deal.table.checks_in_doubt and judgement.breaches:
            otherwise = self._audit(round, house, session, reading._replace(checks="spoken"))[0]
            judgement = as_well_if(judgement, otherwise, "checks, of which this log has none")
        return judgement, deal

    def _audit(
        self, round: Round, house: PokerHouseType, session: Session, reading: Reading
    ) -> tuple[Judgement, Deal]:
        deal = self._deal(round, house, session, reading)
        doubts = self._doubts(deal)
        # Only where open cards decide whose turn it is does the walk hang on what a doubtful card is.
        again = bool(doubts) and self.rules.up_cards
        judgement = judge_all(
            lambda: self._judge(self._deal(round, house, session, reading) if again else deal, session),
            doubts,
            one_deck=True,
        )
        return judgement, deal

    def hides(self, round: Round, gap: Gap, finding: Finding) -> bool:
        """Hands and bets are told by the whole round, also by what came after the finding's own time."""
        if gap.n < 0:  # over before the round was seen to begin; who sits there then is the session's to know
            prepared = (log.Shuffle, log.Cut, log.Button)
            return not any(isinstance(event, prepared) for event in round.events[: round.opened_n])
        if finding.kind in _BY_THE_WHOLE_ROUND:
            return gap.since <= round.closed
        if finding.family in ("bet", "action") and round.events[gap.n - 1].t <= finding.t:
            return True  # what a player did is told by what comes next, which the gap hides
        return gap.since <= finding.t or self._run_together(round)

    def _run_together(self, round: Round) -> bool:
        """Whether more cards lie in one place than a round deals there: a gap hid where one round ended."""
        counts = {place: len(slots) for place, slots in round.hands.items()}
        board = counts.pop("board", 0)
        return board > max(sum(self.rules.board), 1) or max(counts.values(), default=0) > self.hand_size + 1

    def doubts(self, round: Round, house: PokerHouseType) -> list[Doubt]:
        """Cards that were shown, not surely read, and can matter: of the board and of hands that were not folded."""
        session = session_of(round)
        return self._doubts(self._deal(round, house, session, reading_of(round, session)))

    def _doubts(self, deal: Deal) -> list[Doubt]:
        round, house = deal.table.round, deal.house
        doubtful = [
            slot for slot in round.slots if not slot.sure and slot.seen_n is not None and slot.gone_to != "shoe"
        ]
        if not doubtful:
            return []
        live = {player.box for player in deal.betting.in_hand}
        seen = frozenset(slot.card for slot in round.slots if slot.sure)
        deck = (*house.hand_order.deck, *([JOKER] if house.has_joker else []))
        return [
            Doubt(slot, open_cards(slot, seen, deck), name)
            for slot in doubtful
            if slot.place == "board" or slot.place in live or (self.rules.up_cards and slot.dealt_up)
        ]

    def _deal(self, round: Round, house: PokerHouseType, session: Session, reading: Reading) -> Deal:
        # Who left behind a gap in the round before is not waiting for cards.
        expected = None if not session.rounds else frozenset[str]() if session.blurred else session.dealt
        table = Table(round, house, self.rules, button_now(round, session), expected, reading, dict(session.unread))
        blinds = forced_bets(table, session)
        betting = Betting(table, blinds, table.still_in(dict(session.standing)))
        places = table.clockwise({*table.seats, *table.passed_over})
        deal = self.deal_type(table, betting, self.sequence(places, house), self.hand_size)
        deal.run()
        return deal

    def judge(self, round: Round, house: PokerHouseType) -> Judgement:
        session = session_of(round)
        return self._judge(self._deal(round, house, session, reading_of(round, session)), session)

    def _judge(self, deal: Deal, session: Session) -> Judgement:
        table, clauses = deal.table, self.rules.clauses
        round, house = table.round, table.house
        findings = [
            *(blurred(self._who_plays(deal, session), session) if deal.dealt_out else ()),
            *shuffle_missing(round, clauses.shuffle, "since the round before"),
            *(deck_findings(table) if not round.gaps else map(hidden_shuffle, deck_findings(table))),
            *stake_findings(table, session),
            *initial_findings(deal),
            *cut_findings(round, clauses.cut_exposed),
            *deal.findings,
            *later_findings(deal),
            *self.extra_findings(deal),
        ]
        voided = status_of(round) in ("void", "misdeal")
        for rule, why in self.misdeals(deal):
            findings += not_voided(round, rule, why)[: 0 if voided else 1]
            voided = True
        findings += self._unfinished_board(deal) if not voided else []
        showdown = Showdown(deal, self.ranking, self.hand_size)
        pots = Pots(showdown, self.commission, odd_chip_rule=self.odd_chip_rule)
        if not voided:
            findings += [*showdown.order_findings(), *showdown.unpaid_findings()]
            findings += self._money(round, house, pots, showdown)
        findings = [weak_chips(finding, table) for finding in findings]
        tapped_out = table.reckoned_empty or any(player.all_in for player in deal.betting.order)
        if session.unpaid and table.unread_in_part and tapped_out:
            findings = [unless_paid_before(each) for each in findings]
        if session.cut_off:
            findings = [each if each.verdict == "unsure" else unsure(each, "feed") for each in findings]
        elif begins_unseen(round, session, findings):
            findings = [unless_begun(each) for each in findings]
        return Judgement(findings=findings, pots=pots.stated(void=voided))

    def _who_plays(self, deal: Deal, session: Session) -> Iterator[Finding]:
        """What can be said once it is clear who is dealt in."""
        yield from player_findings(deal.table, session)
        yield from button_findings(deal.table, session)
        yield from post_findings(deal.table, session, deal.betting.blinds)

    def extra_findings(self, deal: Deal) -> Iterator[Finding]:
        """What only one rulebook asks."""
        yield from ()

    def _unfinished_board(self, deal: Deal) -> list[Finding]:
        """Play goes on until all communal cards are out, unless one player is left."""
        need, betting = sum(self.rules.board), deal.betting
        if (
            not deal.table.round.ended
            or len(betting.in_hand) < 2
            or deal.board_count >= need
            or betting.due() is not None
            or any(finding.kind == "deal.count" and finding.at == "board" for finding in deal.findings)
        ):
            return []
        message = f"The pot was contested to the end with {deal.board_count} of {need} communal cards dealt."
        return [
            Finding(
                kind="deal.count",
                rule=self.rules.clauses.played_out,
                t=deal.table.round.closed,
                at="board",
                expected=need,
                observed=deal.board_count,
                message=message,
            )
        ]

    def _money(self, round: Round, house: PokerHouse, pots: Pots, showdown: Showdown) -> list[Finding]:
        if not round.ended or showdown.deal.betting.taken_back:
            return []
        settlement = Settlement(round, house, since=showdown.over_n, decided=showdown.over_n)
        if settlement.gap is not None:
            settlement.hidden = True
            settlement.view_gap(self.rules.clauses.split)
            return settlement.findings
        awards = Awards(pots)
        found = [*awards.commission_findings(together=self.one_commission), *awards.award_findings()]
        # Commission of the round before may be in the first rise that is seen after a gap.
        first_read = round.first_reads.get(("drop", None), round.closed)
        stale = round.blind_since is not None and first_read >= round.events[0].t
        interrupted = any(gap.n >= 0 for gap in round.gaps)
        return [
            unsure(finding, "feed") if interrupted or (stale and finding.kind != "pot.winner") else finding
            for finding in found
        ]
