"""Checks that several rulebooks share: limits, frozen wagers, dealing sequence, shuffles, the deck, the marker.

Each takes the clause it enforces, so that the finding cites the rulebook at hand, and answers with findings.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from auditor.cards import NAMES
from auditor.findings import Finding
from auditor.house import House
from auditor.log import cents
from auditor.rounds import Change, Ledger, Round, Slot, box_number, box_of
from auditor.settlement import amount_text


class Stake(NamedTuple):
    """A wager as it stood when betting closed."""

    ledger: Ledger
    amount: int
    sure: bool
    t: float


def stakes_at(round: Round, n: int, spots: frozenset[str]) -> list[Stake]:
    """The wagers standing just before event `n` on spots of these names, by box."""
    found = []
    for ledger in round.chips.values():
        if ledger.spot in spots and (amount := ledger.before(n)):
            placed = [change.t for change in ledger.changes if change.n < n]
            if not placed and not ledger.carried_sure and box_of(ledger.at) not in round.hands:
                continue  # left standing when the view was lost, and nothing since says that it still does
            found.append(Stake(ledger, amount, ledger.sure_before(n), placed[-1] if placed else round.opened))
    found.sort(key=lambda stake: box_number(stake.ledger.at))
    return found


def stray_wagers(round: Round, spots: frozenset[str]) -> list[Stake]:
    """Chips on spots of a box that are no wager of the game; a player's own stack is none."""
    found = []
    for ledger in round.chips.values():
        if not ledger.spot or ledger.spot in spots or ledger.spot == "stack" or not box_number(ledger.at):
            continue
        placed = [change for change in ledger.changes if change.by != "dealer" and change.after]
        if placed:
            found.append(Stake(ledger, placed[-1].after, placed[-1].sure, placed[-1].t))
        elif ledger.carried:
            found.append(Stake(ledger, ledger.carried, ledger.carried_sure, round.opened))
    return found


def limits(stake: Stake, least: int, most: int | None, multiple: float | None, rules: tuple[str, str]) -> list[Finding]:
    """`rules`: the clauses on the displayed limits and on the permitted multiples."""
    found = []
    amount, at = stake.amount, stake.ledger.at
    verdict = "breach" if stake.sure else "unsure"
    reads = () if stake.sure else (f"chips at {at}",)
    if amount < least or (most is not None and amount > most):
        side, bound = ("below the minimum", least) if amount < least else ("above the maximum", most or 0)
        found.append(
            Finding(
                kind="bet.limit", rule=rules[0], t=stake.t, at=at, colour=stake.ledger.colour,
                expected=bound, observed=amount, verdict=verdict, reads=reads,  # type: ignore[arg-type]
                message=f"A wager of {amount_text(amount)} is {side} of {amount_text(bound)}.",
            )
        )
    if multiple is not None and amount % cents(multiple):
        found.append(
            Finding(
                kind="bet.multiple", rule=rules[1], t=stake.t, at=at, colour=stake.ledger.colour,
                expected=cents(multiple), observed=amount, verdict=verdict, reads=reads,  # type: ignore[arg-type]
                message=f"A wager of {amount_text(amount)} is not a multiple of {amount_text(cents(multiple))}.",
            )
        )
    return found


def frozen(
    round: Round,
    spots: frozenset[str],
    closed_n: int,
    decided_n: int,
    rule: str,
    allowed: Callable[[Ledger, Change], bool] | None = None,
) -> Iterator[Finding]:
    """No wager may be placed or changed by a player between the closing of bets and the settlement of it."""
    for ledger in round.chips.values():
        if ledger.spot not in spots or not ledger.changes:
            continue
        found = touched(ledger, closed_n, decided_n, rule, allowed) or _past_posted(ledger, closed_n, decided_n, rule)
        if found is not None:
            yield found


def touched(
    ledger: Ledger,
    closed_n: int,
    decided_n: int,
    rule: str,
    allowed: Callable[[Ledger, Change], bool] | None = None,
) -> Finding | None:
    """The first change of one wager that was no longer allowed, if any."""
    standing = ledger.before(closed_n)
    for change in ledger.changes:
        if change.n <= closed_n or change.n >= decided_n:
            continue
        if change.by == "dealer":
            return None  # the decision on this wager was implemented
        if change.after == change.before or (allowed is not None and allowed(ledger, change)):
            continue
        if change.by is None and (standing or change.rise < 0):
            continue
        sure = change.by == "player" and change.sure
        return _frozen_finding(ledger, change, standing, rule, sure=sure)
    return None


def _past_posted(ledger: Ledger, closed_n: int, decided_n: int, rule: str) -> Finding | None:
    """Chips put on a known result: a player laid them down (or left some) and the dealer then settled them.

    A player who takes all his chips up, or wagers for the next round, does no wrong.
    """
    earlier: Change | None = None
    standing = ledger.before(closed_n)
    for change in ledger.changes:
        if change.n <= closed_n:
            continue
        if change.by == "dealer":
            return None if earlier is None else _frozen_finding(ledger, earlier, standing, rule, sure=earlier.sure)
        if earlier is None and change.n >= decided_n and change.by == "player" and change.after not in (0, standing):
            earlier = change  # chips seen once more as they stood, or put back, are the old wager
    return None


def _frozen_finding(ledger: Ledger, change: Change, standing: int, rule: str, *, sure: bool) -> Finding:
    if standing:
        words = f"was changed from {amount_text(change.before)} to {amount_text(change.after)} after betting closed"
    else:
        words = f"of {amount_text(change.after)} was placed after betting closed"
    return Finding(
        kind="bet.moved" if standing else "bet.late", rule=rule, t=change.t, at=ledger.at, colour=ledger.colour,
        expected=standing, observed=change.after, message=f"The wager at {ledger.at} {words}.",
        verdict="breach" if sure else "unsure", reads=() if sure else (f"who moved the chips at {ledger.at}",),
    )


def after_decision(round: Round, decided_n: int, most: int | None = None) -> Callable[[Ledger, Change], bool]:
    """What `frozen` allows players once the cards have decided: to pick up, and to wager anew when settlement began.

    A wager that is raised, lowered or placed between the last card and its settlement profits from what the cards
    showed. What lies above the maximum, `most`, does not count and may go back at any time.
    """
    dealer_moves = [
        change.n for ledger in round.chips.values() for change in ledger.changes
        if change.by == "dealer" and change.n > decided_n
    ]  # fmt: skip
    settling_n = min(dealer_moves, default=decided_n)

    def allowed(ledger: Ledger, change: Change) -> bool:
        if most is not None and change.after == most < change.before:
            return True
        if change.n <= decided_n or change.after == 0:
            return change.n > decided_n
        if change.rise > 0 and not ledger.before(round.opened_n or 0):
            return change.n > settling_n
        return all(later.by != "dealer" for later in ledger.changes if later.n > change.n)

    return allowed


# ---- dealing -----------------------------------------------------------------------------------------------------


class DealRules(NamedTuple):
    """The clauses a dealing sequence is held against."""

    sequence: str
    number: str
    stranger: str


def deal_findings(
    expected: Sequence[str], slots: Sequence[Slot], rules: DealRules, *, ended: bool = True
) -> list[Finding]:
    """Compare the places that got cards with those that should have, in order.

    In a round that was not seen to its end (`ended` false) cards may still come: only surplus ones are wrong.
    """
    if [slot.dealt_to for slot in slots] == list(expected):
        return []
    found = []
    entitled = set(expected)
    strangers = {slot.dealt_to: slot for slot in reversed(slots) if slot.dealt_to not in entitled}
    for place, slot in sorted(strangers.items(), key=lambda item: item[1].n):
        found.append(
            Finding(
                kind="deal.no_wager", rule=rules.stranger, t=slot.t, at=place,
                message=f"A card was dealt to {place}, which holds no wager.",
            )
        )
    known = [slot for slot in slots if slot.dealt_to in entitled]
    compared = _compare_deal(expected, known, rules)
    if not ended and len(known) < len(expected):
        compared = [each for each in compared if each.observed > each.expected]
    return found + compared


def _compare_deal(expected: Sequence[str], slots: Sequence[Slot], rules: DealRules) -> list[Finding]:
    should, got = Counter(expected), Counter(slot.dealt_to for slot in slots)
    if should == got:
        for slot, place in zip(slots, expected, strict=True):
            if slot.dealt_to != place:
                return [
                    Finding(
                        kind="deal.order", rule=rules.sequence, t=slot.t, at=slot.dealt_to,
                        expected=place, observed=slot.dealt_to,
                        message=f"The card was due to {place}, but {slot.dealt_to} got it.",
                    )
                ]
        return []
    found = []
    for place in should:
        surplus = got[place] - should[place]
        if not surplus:
            continue
        own = [slot for slot in slots if slot.dealt_to == place]
        kind = "deal.count"
        if box_number(place) and (surplus in (1, -1) or not got[place]):
            kind = "deal.extra" if surplus > 0 else "deal.missed"
        t = own[should[place]].t if surplus > 0 else (slots[-1].t if slots else 0.0)
        found.append(
            Finding(
                kind=kind, rule=rules.number, t=t, at=place, expected=should[place], observed=got[place],
                message=f"{place} is dealt {should[place]} cards here, it got {got[place]}.",
            )
        )
    return found


def initial_deal(expected: Sequence[str], slots: Sequence[Slot]) -> int:
    """How many of the cards best make up the expected sequence, where more cards (draws) may follow it.

    Edit distance; a swap of neighbours costs as much as a card too many or too few. Cards for places that are not in
    the sequence count as part of the deal up to its end.
    """
    if [slot.dealt_to for slot in slots[: len(expected)]] == list(expected):
        return len(expected)
    entitled = set(expected)
    known = [index for index, slot in enumerate(slots) if slot.dealt_to in entitled]
    observed = [slots[index].dealt_to for index in known]
    columns = min(len(observed), len(expected) + 2) + 1
    cost = [[row + column for column in range(columns)] for row in range(len(expected) + 1)]
    for row in range(1, len(expected) + 1):
        for column in range(1, columns):
            best = min(cost[row - 1][column], cost[row][column - 1]) + 1
            if expected[row - 1] == observed[column - 1]:
                best = min(best, cost[row - 1][column - 1])
            if row > 1 and column > 1 and expected[row - 2 : row] == [observed[column - 1], observed[column - 2]]:
                best = min(best, cost[row - 2][column - 2] + 1)
            cost[row][column] = best
    if Counter(observed[: len(expected)]) == Counter(expected):
        cost[-1][len(expected)] = min(cost[-1][len(expected)], 2)  # right counts, however mixed up
    length = min(range(columns), key=lambda column: (cost[-1][column], abs(column - len(expected)), -column))
    return known[length - 1] + 1 if length else 0


def shuffle_missing(round: Round, rule: str, why: str) -> list[Finding]:
    """No shuffle between this round and the one before, though the rules demand one."""
    before = round.previous
    if before is None or before.opened_n is None or round.shuffled() or round.gaps or before.gaps:
        return []
    return [Finding(kind="shuffle.missing", rule=rule, t=round.opened, message=f"No shuffle was seen {why}.")]


def deck_findings(
    round: Round, decks: int, rule: str, *, joker: bool = False, whole_shoe: bool = False
) -> list[Finding]:
    """Cards that cannot be there: strangers to the deck, and more copies than the decks hold.

    With `whole_shoe`, copies count since the last shuffle; else within the round.
    """
    found = []
    seen: Counter[int] = Counter()
    in_order = round.slots
    if not whole_shoe:
        in_order = sorted(round.slots, key=lambda slot: slot.n if slot.seen_n is None else slot.seen_n)
    for slot in in_order:
        if not slot.sure:
            continue
        card = slot.card
        assert card is not None
        seen[card] += 1
        copies = slot.copy if whole_shoe else seen[card]
        if card == 52 and not joker:
            found.append(
                Finding(
                    kind="card.foreign", rule=rule, t=slot.turned_t or slot.t, at=slot.dealt_to, observed=NAMES[card],
                    message="A joker came up; the game is played without jokers.",
                )
            )
        elif copies > decks:
            found.append(
                Finding(
                    kind="card.duplicate", rule=rule, t=slot.turned_t or slot.t, at=slot.dealt_to, expected=decks,
                    observed=copies, message=f"{NAMES[card]} was seen {copies} times; there are {decks} in play.",
                )
            )
    return found


# ---- the starting marker of tournaments --------------------------------------------------------------------------


def marker_order(
    round: Round, house: House, placed: Iterable[Stake], rule: str, *, closed_n: int | None = None
) -> Iterator[Finding]:
    """In a tournament the marker's player wagers first, the others in turn; it moves on by one player each round.

    Boxes are numbered in the direction of play, so «in turn» is by rising box number from the marker on. Betting closes
    with event `closed_n`, by default with the round's opening.
    """
    marker = round.opening_marker
    if not house.tournament or marker is None:
        return
    first = box_number(marker)
    closed_n = (round.opened_n or 0) if closed_n is None else closed_n
    first_wager: dict[int, tuple[int, Ledger, Change]] = {}
    for stake in placed:
        box = box_number(stake.ledger.at)
        began: Change | None = None
        for change in stake.ledger.changes:
            if change.n >= closed_n:
                break
            if change.after > change.before and (began is None or not change.before):
                began = change  # from nothing: what was taken up again, or settled unseen, does not count
        if began is not None and began.by != "dealer" and (box not in first_wager or began.n < first_wager[box][0]):
            first_wager[box] = (began.n, stake.ledger, began)
    highest = max([first, *first_wager]) if first_wager else first
    turns = sorted(first_wager, key=lambda box: (box - first) % (highest + 1))
    by_time = sorted(first_wager, key=lambda box: first_wager[box][0])
    for due, box in zip(turns, by_time, strict=True):
        if due != box:
            _, ledger, change = first_wager[box]
            yield Finding(
                kind="bet.order", rule=rule, t=change.t, at=ledger.at, expected=f"box{due}", observed=f"box{box}",
                message=f"box{box} wagered before box{due}, though the marker stands at {box_of(marker)}.",
            )
            return


def changed_after_turn(
    round: Round, house: House, spots: frozenset[str], rule: str, *, house_box: int = 0
) -> Iterator[Finding]:
    """In a tournament a wager may not be changed once its player's turn is over: when a later player has wagered.

    `house_box`: the number of a box where nobody plays (pai gow's first).
    """
    opened_n, marker = round.opened_n or 0, round.opening_marker
    if not house.tournament or marker is None:
        return
    ledgers = [led for led in round.chips.values() if led.spot in spots and box_number(led.at) != house_box]
    began: dict[int, int] = {}
    for ledger in ledgers:
        box = box_number(ledger.at)
        for change in ledger.changes[:1]:
            if change.by != "dealer" and change.n < opened_n:
                began[box] = min(change.n, began.get(box, change.n))
    first = box_number(marker)
    highest = max([first, *began])
    turn = {box: (box - first) % (highest + 1) for box in began}
    for ledger in ledgers:
        box = box_number(ledger.at)
        over = [n for other, n in began.items() if box in turn and turn[other] > turn[box] and n > began[box]]
        for change in ledger.changes if over else ():
            if min(over) < change.n < opened_n and change.by == "player" and change.before and change.rise:
                yield Finding(
                    kind="bet.moved", rule=rule, t=change.t, at=ledger.at, colour=ledger.colour,
                    expected=change.before, observed=change.after,
                    message=f"The wager at {ledger.at} was changed from {amount_text(change.before)} to "
                    f"{amount_text(change.after)} after the next player had wagered.",
                    verdict="breach" if change.sure else "unsure",
                    reads=() if change.sure else (f"chips at {ledger.at}",),
                )
                break


def marker_moved(
    round: Round, house: House, placed: Sequence[Stake], rule: str, *, house_box: int = 0
) -> Iterator[Finding]:
    """After each round the marker goes to the next player in the direction of play.

    Who sat down or left in between is not in the log; a box that played in both rounds was there to get it, and it
    cannot stay where it was as long as anybody else plays.
    """
    before = round.previous
    if not house.tournament or before is None or before.gaps:
        return
    stood, stands = before.opening_marker, round.opening_marker
    if stood is None or stands is None:
        return
    was, now = box_number(stood), box_number(stands)
    if was == now and any(call.at is None and call.what in ("void", "misdeal") for _, call in before.calls):
        return  # whether a round that did not count moves the marker on, the rules do not say
    then = {box_number(ledger.at) for ledger in before.chips.values() if ledger.before(before.opened_n or 0)}
    then -= {0, was, house_box}
    here = {box_number(stake.ledger.at) for stake in placed} - {was}
    stayed = (then & here) or (then if now == was and here else set())
    lap = max([was, now, *stayed]) + 1
    passed_over = [box for box in stayed if (box - was) % lap < ((now - was) % lap or lap)]
    if passed_over:
        due = f"box{min(passed_over, key=lambda box: (box - was) % lap)}"
        yield Finding(
            kind="button.move", rule=rule, t=round.opened, expected=due, observed=stands,
            message=f"The marker stood at {stood} and moves on to {due}; it stands at {stands}.",
        )
