"""Tournament Pai Gow (ACT, NI2002-45): the house banks, and sets its hand the House Way.

The round as it was played is in `paigow_play`, the shuffle and the deal are in `paigow_deal`, tiles exposed in them in
`paigow_exposed`, the wagers in `paigow_wagers`, hands as they were read in `paigow_hands`; the ranking of tiles and the
House Way are `auditor.tiles` and `auditor.house_way`. Here are the setting of hands and the settlement.
"""

from collections.abc import Iterator

import msgspec

from auditor import tiles
from auditor.outcomes import Outcome, fault, loses, pays, pushes, undecided, voids
from auditor.settlement import Settlement, flow_since
from auditor.wager_checks import Stake
from auditor.findings import Finding, Judgement
from auditor.game import Game, declared_void, not_voided, status_of
from auditor.house_way import Setting
from auditor.places import box_of
from auditor.rounds import Round
from auditor.rulebooks.paigow_deal import deal_findings
from auditor.rulebooks.paigow_exposed import duplicate_findings, exposed_findings, exposed_in_shuffle
from auditor.rulebooks.paigow_hands import ShownHand, doubts, final, read_hand
from auditor.rulebooks.paigow_play import BANK, NEVER, Act, PaiGowHouse, TilesCollected
from auditor.rulebooks.paigow_wagers import bets, changed_wagers, paid_early
from auditor.worlds import judge_all

EVEN_MONEY = (1, 1)  # 11.8
Outcomes = list[Outcome]


class PaiGow(Game[PaiGowHouse]):
    """The rulebook."""

    id = "act-paigow"
    citation = "NI2002-45 Pai Gow"
    house_type = PaiGowHouse
    boundary = TilesCollected()
    one_deck = False

    def readings(self, text: str) -> tuple[int, ...] | None:
        """The tile of that name; whatever is not a tile's name was not read."""
        return tiles.readings(text) if text in tiles.NAMES else None

    def audit(self, round: Round, house: PaiGowHouse) -> Judgement:
        """Tiles and settings that were not surely read are tried out; all the rest is looked at once."""
        table = Table(Act(round, house))
        return judge_all(table.judge, table.doubts, one_deck=False)

    def judge(self, round: Round, house: PaiGowHouse) -> Judgement:
        return Table(Act(round, house)).judge()


class Table:
    """A round with its hands read: what no reading of them alters, and the judgement for the reading at hand."""

    def __init__(self, act: Act) -> None:
        self.act = act
        places = sorted((act.staked | act.late_boxes()) - {BANK})
        shown = {place: read_hand(act, place) for place in (BANK, *places)}
        self.hands = {place: hand for place, hand in shown.items() if hand is not None}
        self.doubts = doubts(act, self.hands) if act.void_n == NEVER else []
        exposed, spoilt = exposed_in_shuffle(act.round)
        self.settled_facts = [*exposed, *deal_findings(act), *exposed_findings(act), *bets(act)]
        self.settled_facts += duplicate_findings(act, {place: hand.slots for place, hand in self.hands.items()})
        self.voided = declared_void(act.round, "13.3" if status_of(act.round) == "misdeal" else "16.4")
        if spoilt and self.voided is None:
            why = "A tile was exposed in the shuffle or cut"
            self.settled_facts += not_voided(act.round, "13.3", why, is_compared=len(self.hands) > 1)
            self.voided = voids("13.3", why)

    def judge(self) -> Judgement:
        """What the rules say of the round for one reading of the hands."""
        act = self.act
        bank = self.hands.get(BANK)
        banks = bank_settings(act, bank) if bank is not None else []
        read_n = [n for place in self.hands if (n := act.readable_n(place)) != NEVER]
        settlement = Settlement(
            act.round, act.house, since=act.closed_n, decided=max([act.dealt_n, *read_n]), voided=self.voided
        )
        findings = settlement.findings
        findings += self.settled_facts
        for hand in self.hands.values():
            findings += set_findings(act, hand)
        changed = list(changed_wagers(act, lambda box: {each.result for each in self.outcomes(box, 1, banks)}))
        findings += changed
        for stake in act.on_bank:
            refused = voids("7.3", "No wager is accepted on box one")
            settlement.wager(stake.ledger, stake.amount, refused, sure=stake.sure, reported=True)
        for stake in act.stakes:
            self.settle(settlement, stake, banks, [each for each in changed if each.at == stake.ledger.at])
        for finding in changed:
            if finding.kind in ("bet.late", "bet.invalid"):
                self.settle_late(settlement, finding, banks)
        settlement.view_gap("11.8")
        return Judgement(wagers=settlement.wagers, findings=findings)

    def outcomes(self, box: str, risk: int, banks: list[Setting]) -> Outcomes:
        """What a wager of that much comes to; several where the rules leave a choice, none where reads do not say."""
        hand = self.hands.get(box)
        if self.act.hand_voided_n(box) != NEVER:
            return [voids("13.8", "The hand was called void")]
        if hand is None or not banks:
            return []
        own = hand.setting(self.act.options)
        found = [compared(self.act, bank, own, risk) for bank in banks]
        if is_foul(self.act, hand):
            found = foul_outcomes(self.act, banks, own, risk)
        return found

    def settle(self, settlement: Settlement, stake: Stake, banks: list[Setting], changed: list[Finding]) -> None:
        """11, 5.4: one wager. Where it was changed after betting closed, as it stood before or after, or returned."""
        box, most = box_of(stake.ledger.at), self.act.house.max_cents
        amounts = [stake.amount, *(n for each in changed for n in (each.expected, each.observed) if n)]
        risks = dict.fromkeys(amount if most is None else min(amount, most) for amount in amounts)
        outcomes = [each for risk in risks for each in self.outcomes(box, risk, banks)]
        if not outcomes:
            outcomes = [self.undisplayed(stake, box, list(risks))]
        if changed:
            outcomes.append(voids("7.4", "The wager was changed after betting closed and given back"))
        unread = outcomes[0].result is None and not changed
        wrong = settlement.wager(stake.ledger, stake.amount, *outcomes, sure=stake.sure, reported=bool(changed))
        if wrong is None and not changed and self.voided is None and outcomes[0].result != "void":
            early = list(paid_early(self.act, stake))
            settlement.findings += early or (unread_findings(self.act, stake) if unread else ())

    def undisplayed(self, stake: Stake, box: str, risks: list[int]) -> Outcome:
        """11.7: a wager taken while the hand was not displayed was given up; nothing else can be told of it."""
        flow = flow_since(stake.ledger, self.act.closed_n)
        for risk in risks:
            given_up = loses(risk, "11.7", "The wager was taken without the hand being displayed")
            taken = any(fault(given_up, net) is None for net in (flow.net, flow.net + sum(flow.unknown)))
            if taken and self.act.readable_n(box) == NEVER:
                return given_up
        return undecided("11.1", "The hands were not seen")

    def settle_late(self, settlement: Settlement, finding: Finding, banks: list[Setting]) -> None:
        """7.4: a late wager may be refused; if it was not, it is settled like any other. 7.3: box one is refused."""
        assert finding.at is not None
        ledger = self.act.round.chips[finding.at, finding.colour]
        placed = next(change for change in ledger.changes if change.t == finding.t and change.n > self.act.closed_n)
        on_bank = box_of(finding.at) == BANK
        outcomes = [] if on_bank else self.outcomes(box_of(finding.at), finding.observed, banks)
        refused = voids("7.3" if on_bank else "7.4", "The wager should not have been placed")
        settlement.wager(ledger, finding.observed, *outcomes, refused, sure=placed.sure, since=placed.n, reported=True)


# ---- setting (9, 10, 13.9) ---------------------------------------------------------------------------------------


def bank_settings(act: Act, bank: ShownHand) -> list[Setting]:
    """10.1, 13.9: the house's hand as it counts: as it lies if that is the House Way, else as it must be re-set."""
    way = bank.way(act.options)
    lies = bank.setting(act.options)
    return [lies] if bank.event is not None and way.accepts(*lies) else list(way.settings)


def is_foul(act: Act, hand: ShownHand) -> bool:
    """Whether the Low Part outranks the High Part."""
    return hand.event is not None and tiles.is_foul(*hand.setting(act.options), act.options)


def set_findings(act: Act, hand: ShownHand) -> Iterator[Finding]:
    """10, 9.2: what the dealer sets is set the House Way; 9.1: a player's High Part is the higher."""
    if hand.event is None or hand.set_n is None or not final(act, hand):
        return
    lies = hand.setting(act.options)
    set_t = hand.event.t
    if hand.place == BANK or hand.set_by_dealer:
        way = hand.way(act.options)
        if way.accepts(*lies):
            return
        whose = "The house's hand" if hand.place == BANK else f"The hand of {hand.place}, set by the dealer,"
        due = " or ".join(_words(setting) for setting in way.settings)
        finding = Finding(
            kind="set.house_way", rule=way.clause if hand.place == BANK else "9.2", t=set_t, at=hand.place,
            expected=due, observed=_words(lies),
            message=f"{whose} was set {_words(lies)}; the House Way is {due} ({way.clause}: {way.why}).",
        )  # fmt: skip
    elif is_foul(act, hand):
        low, high = (tiles.describe(part, act.options) for part in lies)
        finding = Finding(
            kind="set.foul",
            rule="def. High Part of the Hand",
            t=set_t,
            at=hand.place,
            observed=_words(lies),
            message=f"{hand.place} was set with {low} in the Low Part, which outranks {high} in the High Part.",
        )
    else:
        return
    gap = next((gap for gap in act.round.gaps if gap.n > hand.set_n), None)
    if gap is not None and not any(hand.set_n < change.n < gap.n for change in act.moves()):
        finding = msgspec.structs.replace(finding, verdict="unsure", reads=("feed",))  # it may have been re-set unseen
    yield finding


def _words(setting: Setting) -> str:
    return " / ".join(" ".join(tiles.name(tile) for tile in part) for part in setting)


# ---- settlement (11) ---------------------------------------------------------------------------------------------


def compared(act: Act, bank: Setting, own: Setting, risk: int) -> Outcome:
    """11.1 to 11.6, 11.8: one hand against the bank's."""
    settled = tiles.settle(*bank, *own, act.options)
    if settled.result == "win":
        return pays(risk, EVEN_MONEY, "11.8", f"Both parts win ({settled.why}), which pays even money")
    if settled.result == "lose":
        return loses(risk, settled.clause, f"The bank wins both parts ({settled.why})")
    return pushes(settled.clause, f"One part each is a push ({settled.why})")


def unread_findings(act: Act, stake: Stake) -> Iterator[Finding]:
    """Both hands lay open, but too little was read to try out what they were: whatever was done may be wrong."""
    box, flow = box_of(stake.ledger.at), flow_since(stake.ledger, act.closed_n)
    blind = [place for place in (BANK, box) if act.readable_n(place) == NEVER]
    if blind or flow.unknown or act.round.gaps or not act.round.ended:
        return
    kind = "payout.over" if flow.net > 0 else "payout.winner_taken" if flow.net < 0 else "payout.missed"
    yield Finding(
        kind=kind, rule="11.1", t=flow.t or act.round.closed, at=stake.ledger.at, verdict="unsure",
        observed=flow.paid, reads=(f"the tiles at {BANK} and {box}",),
        message=f"The hands of {BANK} and {box} lay open, but could not be read: whether this is right cannot be told.",
    )  # fmt: skip


def foul_outcomes(act: Act, banks: list[Setting], own: Setting, risk: int) -> Outcomes:
    """A hand set the wrong way round: the rules do not say what becomes of it (option `foul_hand`)."""
    treatments = {
        "as_set": [compared(act, bank, own, risk) for bank in banks],
        "exchange": [compared(act, bank, Setting(own.high, own.low), risk) for bank in banks],
        "lose": [loses(risk, "def. High Part of the Hand", "The hand was set with its higher part low")],
    }
    if act.house.foul_hand == "open":
        return [outcome for outcomes in treatments.values() for outcome in outcomes]
    return treatments[act.house.foul_hand]
