"""Blinds, antes and stakes: what must be in before the cards, who may join how, what may become of a player's chips."""

from collections.abc import Iterator

from auditor.findings import Finding
from auditor.ledgers import Change, Ledger
from auditor.outcomes import amount_text
from auditor.poker_session import Session, eliminated
from auditor.poker_chips import NEVER
from auditor.poker_table import Table
from auditor.places import box_number
from auditor.rounds import Round


# ---- blinds and antes --------------------------------------------------------------------------------------------


def forced_bets(table: Table, session: Session) -> list[tuple[str, int]]:
    """Who posts which blind: the first players after the button, in their order."""
    seats, levels = table.seats, table.house.blind_levels  # also who posted and was then passed over
    if not levels or not seats:
        return []
    if table.heads_up_rule:
        seats = [seats[-1], seats[0]]
    vacated = table.rules.clauses.dead_small_blind and len(levels) > 1 and table.posted.get(seats[0]) == levels[-1]
    if vacated and _left_before(table, session, seats[0]):
        return [(seats[0], levels[-1])]
    return list(zip(seats, levels, strict=False))


def _left_before(table: Table, session: Session, first: str) -> bool:
    """Whether a player known from earlier rounds is missing between the button and the first player after it."""
    absent = {box for box in session.known if box not in table.seats}
    order = table.clockwise({*absent, first})
    return order[0] != first


def post_findings(table: Table, session: Session, blinds: list[tuple[str, int]]) -> Iterator[Finding]:
    """Blinds and antes: posted before the first card, by whom they are due, in the right amount."""
    house, clauses = table.house, table.rules.clauses
    if table.still_in(dict(session.standing)):
        return
    blind_game = house.ante_level is None
    if not blind_game:
        level = house.ante_after(len(eliminated(table, session))) or 0
        # In a freeze-out everybody with chips left plays every hand.
        bound = {box for box in table.stacks if house.frozen_stakes and table.has_stake(box)}
        boxes = table.clockwise({*table.dealt, *bound})
        due, rule, what = [(box, level) for box in boxes], clauses.ante, "ante"
    else:
        due, rule, what = blinds, table.heads_up_rule or clauses.blind, "blind"
    for box, level in due:
        yield from _posted_right(table, session, box, level, rule, what)
    if blind_game:
        yield from _other_posts(table, session, blinds)
        yield from _joining(table, session, dict(blinds))
        for box in table.dealt:
            known = box in table.stacks
            if known and table.lacks_stake(box) and box not in table.bets and box not in dict(blinds):
                yield Finding(
                    kind="deal.no_wager",
                    rule=clauses.stranger,
                    t=table.round.opened,
                    at=box,
                    message=f"A card was dealt to {box}, which has no stake at the table.",
                )


def _posted_right(table: Table, session: Session, box: str, level: int, rule: str, what: str) -> Iterator[Finding]:
    posted, house = table.posted.get(box, 0), table.house
    if posted == 0:
        if table.lacks_stake(box):
            yield Finding(
                kind="deal.no_wager",
                rule=rule,
                t=table.round.opened,
                at=box,
                message=f"A card was dealt to {box}, which has neither a stake nor an {what} in.",
            )
            return
        yield Finding(
            kind="blind.missing",
            rule=rule,
            t=table.round.opened,
            at=box,
            expected=level,
            observed=0,
            message=f"The {what} of {amount_text(level)} due from {box} was not in when the first card was dealt.",
            verdict="unsure" if table.unplaced_antes else "breach",
            reads=("whose antes are in the pot",) if table.unplaced_antes else (),
        )
        return
    tapped_out = posted < level and table.stack_at(box, table.opened_n) == 0
    joins = box in session.missed or (session.rounds > 0 and box not in session.known)
    over = posted > level and (house.allows_over_blind or joins)
    if level and posted != level and not tapped_out and not (over and what == "blind"):
        yield Finding(
            kind="bet.amount",
            rule=rule,
            t=_posted_t(table, box),
            at=f"{box}/bet",
            expected=level,
            observed=posted,
            message=f"{box} put in {amount_text(posted)}; the {what} is {amount_text(level)}.",
        )


def _posted_t(table: Table, box: str) -> float:
    bets = table.bets[box].changes if box in table.bets else ()
    changes = [change for change in (*bets, *table.from_stack.get(box, ())) if change.n < table.opened_n]
    return changes[-1].t if changes else table.round.opened


def _other_posts(table: Table, session: Session, blinds: list[tuple[str, int]]) -> Iterator[Finding]:
    """A bet before the cards that is no blind: an over-blind, or the price of joining."""
    levels, clauses = table.house.blind_levels, table.rules.clauses
    misplaced = [level for box, level in blinds if not table.posted.get(box)]
    for box, posted in table.posted.items():
        if not posted or box in dict(blinds) or table.house.allows_over_blind:
            continue
        # Another player may have sat down where one left, and whoever sat out may have changed his seat.
        may_join = box in session.missed or box not in session.known or box not in session.dealt
        if may_join and posted in (*levels, sum(levels)):
            continue
        if posted in misplaced:
            misplaced.remove(posted)  # the wrong player's blind: reported where it is missing
            continue
        yield Finding(
            kind="bet.invalid",
            rule=clauses.over_blind,
            t=_posted_t(table, box),
            at=f"{box}/bet",
            expected=0,
            observed=posted,
            message=f"{box} put in {amount_text(posted)} before the cards; no blind is due from it.",
        )


def _joining(table: Table, session: Session, blinds: dict[str, int]) -> Iterator[Finding]:
    """Who missed a blind, or is new, comes in by posting the big blind or in its place."""
    rules, clauses = table.rules, table.rules.clauses
    if session.blurred or len(session.dealt) < rules.least_players:
        return  # the log begins here, or a game that had too few players does
    big = table.house.big_blind
    moved = any(ledger.before(table.opened_n) == 0 and ledger.carried for ledger in table.stacks.values())
    for box in table.dealt:
        posted = table.posted.get(box, 0)
        on_button = box == table.button and not rules.joins_at_big_blind
        if box in session.missed:
            paid = posted >= min(table.house.blind_levels) if not rules.joins_at_big_blind else posted >= big
            rule, why = clauses.missed_blind, "sat out a blind"
            wrong = not paid or on_button
        elif box not in session.known and not session.partial and session.counted:  # a misdeal may not come to all
            may_be_exempt = not rules.joins_at_big_blind and box_number(box) not in session.passed
            rule, why = clauses.new_player, "is new in the game"
            wrong = on_button or (posted < big and not may_be_exempt)
        else:
            continue
        tapped_out = table.stack_at(box, table.opened_n) == 0
        if wrong and rule and not tapped_out and not (blinds.get(box) and not posted):
            yield Finding(
                kind="blind.missing",
                rule=rule,
                t=table.round.opened,
                at=box,
                expected=None if on_button else big,
                observed=None if on_button else posted,
                message=f"{box} {why}, and was dealt in "
                + ("on the button." if on_button else f"with {amount_text(posted)} of {amount_text(big)} posted."),
                verdict="unsure" if moved else "breach",
                reads=("who sits where",) if moved else (),
            )


# ---- stakes ------------------------------------------------------------------------------------------------------


def stake_findings(table: Table, session: Session) -> Iterator[Finding]:
    """A stake changes by bets and awards only while a round is on, and is not made smaller in between."""
    last_award = max((c.n for changes in table.awards.values() for c in changes), default=NEVER)
    for box, ledger in table.stacks.items():
        if table.bought[box]:
            yield _moved(table, session, box, table.bought[box][0], table.rules.clauses.stake, "during the round")
            continue
        loose = _unexplained(table, box, ledger)
        bets = table.bets[box].changes if box in table.bets else ()
        bought = [] if session.unpaid else table.handed_out(box)  # else it may be won
        for change in (*loose, *bought):
            # A stack first read while the round is on, after a bet, or of one who played the last, was there before.
            bet_before = any(bet.n < change.n for bet in bets)
            there_before = change.n >= table.opened_n or _played_unread(table.round, session, box) or bet_before
            first_read = change is ledger.changes[0] and not ledger.carried and there_before
            if not change.rise or first_read or _breaks_off(table, change):
                continue
            if table.opened_n <= change.n < min(table.end_n, last_award):
                yield _moved(table, session, box, change, table.rules.clauses.stake, "during the round")
                break
            elif change.n < table.opened_n or change.n > last_award:
                yield from _between(table, session, box, change)


def _breaks_off(table: Table, change: Change) -> bool:
    """Whether the log, which tells of stakes before the bets they go into, ends before it tells of this one's."""
    last = not table.round.ended and table.beside(change.n, len(table.round.events) - 1, 0)
    return last and change.rise < 0 and any(
        bet.rise == -fall.rise and bet.n >= fall.n and table.beside(bet.n, fall.n, 1)
        for box, stack in table.read.items() for fall in stack.changes if box in table.bets and fall.rise < 0
        for bet in table.bets[box].changes
    )  # fmt: skip


def _played_unread(round: Round, session: Session, box: str) -> bool:
    """Whether a box was dealt in last round with a stack that the log did not have then."""
    before = round.previous
    return box in session.dealt and before is not None and (f"{box}/stack", None) not in before.chips


def _unexplained(table: Table, box: str, ledger: Ledger) -> list[Change]:
    """Changes of the stack by the player, or between rounds by nobody knows whom, that no change of his bet answers."""
    antes = table.from_stack.get(box, ())
    changes = [
        change for change in ledger.changes
        if (change.by == "player" or (change.by is None and change.n < table.opened_n)) and change not in antes
    ]  # fmt: skip
    bets = [change for change in table.bets[box].changes if change.by != "dealer"] if box in table.bets else []
    in_play = [change for change in changes if change.n >= table.opened_n]
    if sum(c.rise for c in in_play) + sum(c.rise for c in bets if c.n >= table.opened_n) == 0:
        changes = [change for change in changes if change.n < table.opened_n]
    by_event = {each.n: each.amount for each in table.returned.get(box, ())}
    answers = list(({change.n: -change.rise for change in bets} | by_event).items())
    # Of several answers of one size the nearest in time is meant; it may stand just before or just after.
    fitting = sorted(
        (abs(n - change.n), index, number)
        for index, change in enumerate(changes)
        for number, (n, amount) in enumerate(answers)
        if amount == change.rise
    )
    answered: set[int] = set()
    used: set[int] = set()
    for _, index, number in fitting:
        if index not in answered and number not in used:
            answered.add(index)
            used.add(number)
    return [change for index, change in enumerate(changes) if index not in answered]


def _moved(table: Table, session: Session, box: str, change: Change, rule: str, when: str) -> Finding:
    """A stake changed; where an award was not read, a rise may be that, and bets not read with it may be in it."""
    verb = "added to" if change.rise > 0 else "taken from"
    reads = () if change.sure else (f"chips at {box}/stack",)
    unread = table.left[box] is not table.read[box] and box in table.bets
    bets = sum(bet.rise for bet in table.bets[box].changes if bet.rise > 0) if unread else 0
    if session.unpaid and -bets <= change.rise <= session.unpaid + bets:
        reads = (*reads, "what was paid in the rounds before")
    return Finding(
        kind="bet.moved",
        rule=rule,
        t=change.t,
        at=f"{box}/stack",
        expected=change.before,
        observed=change.after,
        message=f"{amount_text(abs(change.rise))} was {verb} the stake of {box} {when}.",
        verdict="unsure" if reads else "breach",
        reads=reads,
    )


def _between(table: Table, session: Session, box: str, change: Change) -> Iterator[Finding]:
    rules, house = table.rules, table.house
    tournament = rules.clauses.tournament_stake if house.tournament else ""
    fixed = rules.clauses.frozen_stake if house.frozen_stakes else tournament
    if fixed and _comes_later(session, box, change):
        yield _moved(table, session, box, change, fixed, "between rounds")
    elif change.rise < 0:
        # Before the log's first round the stakes are only being laid out; a charge by time is paid from them.
        if change.after and not rules.stake_may_shrink and session.rounds and not house.charged_by_time:
            yield _moved(table, session, box, change, rules.clauses.stake_between, "between rounds")
    elif not session.unpaid or change.by == "player":
        yield from _bounds(table, session, box, change)


def _comes_later(session: Session, box: str, change: Change) -> bool:
    """Whether a player adds to his stake; at an empty place where nobody was dealt in of late it may be a new one."""
    return session.rounds > 0 and (change.before > 0 or box in session.dealt)


def _bounds(table: Table, session: Session, box: str, change: Change) -> Iterator[Finding]:
    """A stake that is brought or added to lies within the table's bounds."""
    clauses, (least, most) = table.rules.clauses, table.house.stake_bounds
    if (least is not None and change.after < least) or (most is not None and change.after > most):
        too_small = least is not None and change.after < least
        side, bound = ("below the least", least) if too_small else ("above the largest", most)
        brought = clauses.stake_bounds if too_small else clauses.largest_stake or clauses.stake_bounds
        # What the log begins with may have been won and lost before it, unless it says that the player brings it.
        stood = change.by is None and not session.rounds and not change.before
        yield Finding(
            kind="bet.limit",
            rule=(clauses.stake_bounds_later if _comes_later(session, box, change) else "") or brought,
            t=change.t,
            at=f"{box}/stack",
            expected=bound,
            observed=change.after,
            message=f"{box} brings a stake of {amount_text(change.after)}, {side} of {amount_text(bound or 0)}.",
            verdict="unsure" if stood else "breach",
            reads=("whether the stake stood there before the log began",) if stood else (),
        )
