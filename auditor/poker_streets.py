"""The streets: communal cards, burns and cards shown at the shoe, against the betting rounds they come between."""

from collections.abc import Sequence

from auditor.findings import Finding
from auditor.poker import of_round
from auditor.poker_betting import Betting
from auditor.poker_chips import NEVER
from auditor.poker_table import Step, Table
from auditor.slots import Slot


class Streets:
    """The betting rounds of one round and the cards between them; `sequence` are the places of the initial deal."""

    def __init__(self, table: Table, betting: Betting, sequence: Sequence[str], hand_size: int) -> None:
        self.hand_size = hand_size
        self.table, self.betting, self.rules = table, betting, table.rules
        self.clauses, self.house = table.rules.clauses, table.house
        self.sequence = sequence
        self.findings: list[Finding] = []
        self.faults: list[Finding] | None = None
        """What is wrong with the initial deal, once it was asked for."""
        self.initial: list[Slot] = []
        self.first_action_n = NEVER
        steps = [step.n for step in table.steps if step.kind in ("chips", "check", "fold", "board")]
        self.over_n = max(steps, default=table.opened_n)
        """When the last thing before the showdown happened: betting, or a communal card."""
        self.street = 0
        self.second_round_n = NEVER
        """When the first card of the second betting round came."""
        self.begun = False
        self.board_count = self.group = self.burnt = self.early = self.early_group = 0
        self.discarded = 0
        """Cards laid straight with the discards since the last communal card: burnt, where a burn is due."""
        self.exposed_at_shoe: list[Slot] = []
        self.shown_next: Slot | None = None
        """A card shown at the shoe when the betting was over: it must be the next one used."""
        self.shown_early = False
        self.early_at: tuple[int, int] | None = None
        """Where in the betting a communal card was shown too early and withdrawn: more may come and go with it."""
        self.misdealt: tuple[str, str] | None = None
        self.bet_before = False
        """Whether the first betting round, which is the first communal card's, was over before that card came."""

    # ---- betting rounds ----

    def begin(self) -> None:
        if not self.begun:
            self.begun = True
            self.betting.begin(self.street, self.opener())

    def opener(self) -> str | None:
        """Who opens the betting round, where the button does not say."""
        return None

    def next_street(self, n: int) -> None:
        self.street += 1
        self.second_round_n = min(self.second_round_n, n)
        self.group = self.burnt = self.discarded = 0
        self.begun = False

    def end_early(self, n: int) -> None:
        """The betting that communal cards came into is over: they are the next betting round's."""
        burnt = self.burnt
        self.next_street(n)
        self.begin()
        self.burnt, self.group, self.early_group = burnt, self.early_group, 0

    # ---- communal cards ----

    @property
    def board_rule(self) -> str:
        """What communal cards are dealt by before this betting round."""
        return of_round(self.clauses.board, max(self.street - 1, 0))

    def board_card(self, step: Step, slot: Slot) -> None:
        sizes = self.rules.board
        shown, self.shown_next = self.shown_next, None
        if shown is not None and shown.card is not None and shown.card != slot.card and not self.burnt:
            self.report(
                "deal.order", self.clauses.shown_first, step, "board", f"came instead of {shown.text}, shown first"
            )
        if not sizes:
            self.report("deal.count", self.board_rule, step, "board", "has no place in this game")
            return
        first_street = sizes[0] > 0
        if first_street and not self.board_count:
            self.board_count += 1
            if self.begun and self.betting.complete(step.n):
                self.betting.begin(1)  # the betting before it is reported; this card may have its own
                self.bet_before = True
            return
        self.begin()
        if self.early_group and self.betting.complete(step.n):
            self.end_early(step.n)
        elif self.early_group:
            self.early_group += 1
            self.board_count += 1
            return
        size = sizes[self.street] if self.street < len(sizes) else 0
        idle = not self.betting.actions and not (self.burnt or self.discarded) and self.street > 0
        run_out = self.betting.due() is None
        # Without burns, a card after the flop may as well be the turn, where checks are only spoken.
        more = size > 0 and not run_out and (self.house.burns > 0 or (size == 3 and self.table.checks_seen))
        if idle and not first_street and (self.group < size or more):
            self.group += 1
            self.board_count += 1
            return
        reshuffled = self.table.withdrawn(slot)
        complete = self.betting.complete(step.n) or (self.bet_before and not self.betting.actions)
        self.bet_before = False
        silent = not complete and not reshuffled and self.checked_unseen(step)
        if not complete and not silent:
            if self.early_at != (self.street, self.betting.actions):
                self.premature(step, "board")
            self.early_at = (self.street, self.betting.actions) if reshuffled else None
            if reshuffled:
                return
            if self.goes_on(step):
                self.early_group = 1
                self.burnt = 0
                self.board_count += 1
                return
            if self.rules.early_card_stays:
                self._cap_bets()
                self.board_count += 1
                self.early += 1
                return
        elif reshuffled:
            return
        self._close_street(step)
        self.group = 1
        self.board_count += 1

    def goes_on(self, step: Step) -> bool:
        """Whether the betting that a communal card came into is gone on with after it (Faro has its own rule)."""
        betting, after = self.betting, next(self.table.acts_after(step.n, past_cards=True), None)
        due, first = betting.due(), next((player for player in betting.in_hand if not player.all_in), None)
        if self.rules.early_card_stays or due is None or after is None or after.box != due.box:
            return False
        return due is not first if betting.may_check(due) else after.kind != "check"

    def checked_unseen(self, step: Step) -> bool:
        """Whether the last to act may have checked by voice; one who acts next in his old turn had not."""
        betting, after = self.betting, next(self.table.acts_after(step.n, past_cards=True), None)
        if not betting.actions and self.table.checks_seen:
            return False
        waiting = [player for player in betting.in_hand if not player.all_in and not player.acted]
        if not all(betting.may_check(player) for player in waiting):
            return False
        if any(not player.all_in and player.put < betting.to_call for player in betting.in_hand):
            return False
        opener = next((player for player in betting.in_hand if not player.all_in), None)
        if after is None or self.table.checks_spoken or self.table.swept_before(step.n):
            return True
        return after.box not in {player.box for player in waiting if player is not opener}

    def _close_street(self, step: Step) -> None:
        sizes = self.rules.board
        self.check_group(step.t)
        burnt, discarded, premature = self.burnt, self.discarded, self.shown_early
        self.next_street(step.n)
        self.begin()
        self.shown_early = False
        if self.street >= len(sizes):
            if self.board_count >= sum(sizes):
                self.report(
                    "deal.count", self.board_rule, step, "board", f"is one more than the {sum(sizes)} there are"
                )
            return
        exposed = len(self.exposed_hole()) if self.street == 1 else 0
        if exposed > 1:
            return  # one is replaced by the first burn card; two are a misdeal, or not provided for
        replaced = self.clauses.replaced if exposed else ""
        due = 0 if replaced else self.house.burns
        if self.rules.burns_known and not burnt <= due <= burnt + discarded and not premature:
            self.report(
                "deal.burn", replaced or self.clauses.burn, step, "burn",
                f"came after {burnt} burnt cards; {due} must be burnt", expected=due, observed=burnt,
            )  # fmt: skip

    def check_group(self, t: float) -> None:
        """The flop has three cards, the turn and the river one each."""
        sizes = self.rules.board
        size = sizes[self.street] if self.street < len(sizes) else self.group
        if self.street > 0 and not sizes[0] and self.group != size:
            self.findings.append(
                Finding(
                    kind="deal.count",
                    rule=self.board_rule,
                    t=t,
                    at="board",
                    expected=size,
                    observed=self.group,
                    message=f"{size} communal card{'s are' if size > 1 else ' is'} dealt here, {self.group} came.",
                )
            )

    def premature(self, step: Step, place: str) -> None:
        due = self.betting.due()
        self.shown_early = True
        who = f"{due.box} had still to act" if due is not None else "the betting was not over"
        rule = self.clauses.early_unstarted if self._unstarted else self.clauses.premature
        self.report("deal.exposed", rule, step, place, f"came too early: {who}")

    @property
    def _unstarted(self) -> bool:
        """Faro 17.18: nobody has bet yet on the communal card before, the second or a later one."""
        return bool(self.clauses.early_unstarted) and not self.betting.actions and self.board_count >= 2

    def _cap_bets(self) -> None:
        """Faro 17.17, 17.18: what may still be bet after a communal card was shown too early."""
        betting = self.betting
        if self._unstarted:
            least = self.house.min_cents or max(self.house.blind_levels, default=0)
            betting.ceiling = (least, self.clauses.early_unstarted) if least else None
        else:
            largest = max((player.put for player in betting.order), default=0)
            betting.ceiling = (largest, self.clauses.premature)

    # ---- burns and the shoe ----

    def burn(self, step: Step) -> None:
        self.burnt += 1
        self.shown_next = None
        if self.rules.burns_known or self.exposed_at_shoe:
            return
        self.report("deal.burn", self.clauses.burn, step, "burn", "was burnt, though no card is burnt in this game")

    def shoe_card(self, step: Step, slot: Slot) -> None:
        """A card shown at the shoe while betting goes on (stud 17.5, 17.6; faro 17.1(c))."""
        if self.first_action_n == NEVER and len(self.initial) < len(self.sequence):
            return
        self.begin()
        acts_on = next(self.table.acts_after(step.n), None) is not None
        if self.betting.complete(step.n) or (not acts_on and self.checked_unseen(step)):
            self.shown_next = slot
            return
        self.exposed_at_shoe.append(slot)
        second = self.rules.early_card_stays and self.board_count == 1
        rule = self.clauses.exposed if second else self.clauses.premature
        self.report("deal.exposed", rule, step, "shoe", "was shown before the betting was over")
        if second:
            self.misdealt = (rule, "The second communal card lay face up in the shoe")

    # ---- hole cards that lay open ----

    def exposed_hole(self) -> list[Slot]:
        """Hole cards that lay open in the initial deal: dealt face up, or turned before anybody acted."""
        found = []
        served: set[str] = set()
        for slot in self.initial:
            if self.rules.up_cards and slot.dealt_to in served:
                break  # the cards face up begin
            served.add(slot.dealt_to)
            turned = slot.turned_n is not None and slot.turned_n < min(self.first_action_n, self._board_n())
            by = self.table.round.events[slot.turned_n or 0].by
            by_dealer = turned and (by == "dealer" or (by is None and self._made_good(slot)))
            # A second card dealt face down (stud) is what the dealer turns then.
            by_dealer = by_dealer and not (self.rules.up_cards and self._second_down(slot))
            if slot.dealt_up or by_dealer:
                found.append(slot)
        return found

    def _made_good(self, slot: Slot) -> bool:
        """Whether a card that was turned is treated as exposed: taken away, or followed by one face down (stud)."""
        taken = slot.gone_n is not None and slot.gone_n < self.first_action_n
        later = [each for each in self.initial if each.dealt_to == slot.dealt_to and each.n > (slot.turned_n or 0)]
        return taken or (self.rules.up_cards and any(not each.dealt_up for each in later))

    def _second_down(self, first: Slot) -> bool:
        """Whether the player had a second card face down when one of his was turned."""
        own = [slot for slot in self.initial if slot.dealt_to == first.dealt_to and slot is not first]
        return any(slot.n < (first.turned_n or 0) and not slot.dealt_up for slot in own)

    def _board_n(self) -> int:
        return self.table.board[0].n if self.table.board else NEVER

    def report(
        self, kind: str, rule: str, step: Step, at: str, words: str, *, expected: object = None, observed: object = None
    ) -> None:
        card = step.slot.text if step.slot is not None and step.slot.dealt_up else "A card"
        self.findings.append(
            Finding(
                kind=kind,
                rule=rule,
                t=step.t,
                at=at,
                expected=expected,
                observed=observed,
                message=f"{card} at {step.box} {words}.",
            )
        )
