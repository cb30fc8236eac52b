"""Checks on the starting marker of tournaments: wagers in turn, and the marker's way round the table.

Each check takes the clause it enforces, so that the finding cites the rulebook at hand.
"""

from collections.abc import Iterable, Iterator, Sequence

from auditor.findings import Finding
from auditor.house import House
from auditor.ledgers import Change, Ledger
from auditor.outcomes import amount_text
from auditor.places import box_number, box_of
from auditor.rounds import Round
from auditor.wager_checks import Stake


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
        # Chips paid or taken up after the last round, or read once more, are no wager yet.
        laid_n = next((change.n for change in ledger.changes if change.rise > 0 and change.by != "dealer"), opened_n)
        if laid_n < opened_n:
            began[box] = min(laid_n, began.get(box, laid_n))
    first = box_number(marker)
    highest = max([first, *began])
    turn = {box: (box - first) % (highest + 1) for box in began}
    for ledger in ledgers:
        box = box_number(ledger.at)
        over = [n for other, n in began.items() if box in turn and turn[other] > turn[box] and n > began[box]]
        for change in ledger.changes if over else ():
            if min(over) < change.n < opened_n and change.by == "player" and change.before and change.rise:
                sure = change.sure and ledger.sure_before(change.n)
                yield Finding(
                    kind="bet.moved", rule=rule, t=change.t, at=ledger.at, colour=ledger.colour,
                    expected=change.before, observed=change.after,
                    message=f"The wager at {ledger.at} was changed from {amount_text(change.before)} to "
                    f"{amount_text(change.after)} after the next player had wagered.",
                    verdict="breach" if sure else "unsure", reads=() if sure else (f"chips at {ledger.at}",),
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
    if was == now and before.calls_off():
        return  # whether a round that did not count moves the marker on, the rules do not say
    opened_n = before.opened_n or 0
    standing = [each for each in before.chips.values() if each.before(opened_n) and each.sure_before(opened_n)]
    then = {box_number(ledger.at) for ledger in standing} - {0, was, house_box}
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
