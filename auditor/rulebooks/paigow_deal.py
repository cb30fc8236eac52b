"""Pai gow's rules on shuffling and dealing (8, 13): a shuffle each round, the first box, four tiles each, in turn."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from auditor import log
from auditor.deal_checks import shuffle_missing
from auditor.findings import Finding
from auditor.places import box_number
from auditor.rounds import Round
from auditor.rulebooks.paigow_play import BANK, BOXES, HAND_TILES, NEVER, Act, Deal
from auditor.slots import Slot

IN_TURN = [turn for turn in range(len(BOXES)) for _ in range(HAND_TILES)]  # 8.5


def first_box(total: int) -> str:
    """8.4: the dice are counted anticlockwise from the Chung, which is 1, 9 or 17.

    >>> first_box(3), first_box(9), first_box(16), first_box(18)
    ('box3', 'box1', 'box8', 'box2')
    """
    return BOXES[(total - 1) % len(BOXES)]


def deal_findings(act: Act) -> list[Finding]:
    """Everything about the tiles until the hands are looked at."""
    found = shuffle_findings(act.round)
    if _begun_unseen(act):
        return found
    for deal in act.deals:
        begun = list(first_box_findings(act, deal))
        # Boxes out of turn after a wrong beginning are part of the same error.
        begun_wrong = any(each.rule == "8.4" and each.verdict == "breach" for each in begun)
        in_turn = sequence_findings(act, deal)
        found += [*begun, *(each for each in in_turn if each.kind != "deal.order" or not begun_wrong)]
    if act.dealt:
        found += not_retrieved(act)
    return found


def _begun_unseen(act: Act) -> bool:
    """The log begins in the middle of a deal: neither wagers nor the shuffle, the call or the cup were seen before."""
    return act.round.previous is None and isinstance(act.round.events[0], (log.Tile, log.Turn, log.Gone, log.Set))


# ---- the shuffle (8.1, 13.3) -------------------------------------------------------------------------------------


def shuffle_findings(round: Round) -> list[Finding]:
    """8.1: the tiles are shuffled for each round, and 13.3: anew after a misdeal."""
    before = round.previous
    after_misdeal = before is not None and any(call.what == "misdeal" for _, call in before.calls)
    if after_misdeal:
        return shuffle_missing(round, "13.3", "after the misdeal")
    return shuffle_missing(round, "8.1", "between the round before and this one")


# ---- the deal (8.4, 8.5, 13.1) -----------------------------------------------------------------------------------


def first_box_findings(act: Act, deal: Deal) -> Iterator[Finding]:
    """8.4: the dice name the box dealt to first; 13.1: but not if one of them does not lie flat."""
    first = deal.slots[0]
    flat = [dice for dice in deal.openings if None not in dice.faces]
    if not deal.openings:
        started_unseen = act.round.previous is None and not any(isinstance(e, log.Shuffle) for e in act.round.events)
        if deal is act.deals[0] and not started_unseen:
            message = "Tiles were dealt, but the dice cup was not seen opened: the first box cannot be told."
            yield _first_box(first, "8.4", None, message, sure=False)
        return
    if not flat:
        sure = not act.round.is_weak(deal.openings[-1].conf)
        message = f"A die did not lie flat, so the cup must be shaken again, but {first.dealt_to} was dealt to."
        yield _first_box(first, "13.1", None, message, sure=sure)
        return
    total = sum(face or 0 for face in flat[0].faces)
    due = first_box(total)
    if first.dealt_to != due and not _passed_over(act, deal, due):
        message = f"The dice total {total}: {due} gets the first tiles, not {first.dealt_to}."
        yield _first_box(first, "8.4", due, message, sure=not act.round.is_weak(flat[0].conf))


def _passed_over(act: Act, deal: Deal, due: str) -> bool:
    """The dealer did not begin elsewhere, but left out the first box: that is told as `deal.missed`."""
    return all(slot.dealt_to != due for slot in deal.slots) and _deal_complete(act, deal)


def _first_box(first: Slot, rule: str, due: str | None, message: str, *, sure: bool) -> Finding:
    return Finding(
        kind="deal.first_box", rule=rule, t=first.t, at=first.dealt_to, expected=due, observed=first.dealt_to,
        message=message, verdict="breach" if sure else "unsure", reads=() if sure else ("the dice",),
    )  # fmt: skip


def sequence_findings(act: Act, deal: Deal) -> list[Finding]:
    """8.5: four tiles to each of the eight boxes, anticlockwise from the first."""
    start = _start(act, deal)
    turns = {BOXES[(start - 1 + turn) % len(BOXES)]: turn for turn in range(len(BOXES))}
    if [turns[slot.dealt_to] for slot in deal.slots] == IN_TURN:
        return []
    kept, found = _without_taken_back(deal.slots, turns)
    got = Counter(slot.dealt_to for slot in kept)
    complete = _deal_complete(act, deal)
    last_turn = max(turns[slot.dealt_to] for slot in kept)
    wrong = []
    for place, turn in turns.items():
        begun = turn < last_turn or complete
        if got[place] > HAND_TILES or (begun and got[place] < HAND_TILES):
            wrong.append(_count_finding(act, kept, place, got[place], turns))
    if wrong and not complete and act.void_n == NEVER and deal is act.deals[-1]:  # the log ends in the deal
        wrong = _first_wrong(kept, turns, wrong)
    if wrong or found:
        return found + wrong
    for before, slot in pairwise(kept):
        if turns[slot.dealt_to] < turns[before.dealt_to]:
            return [_order_finding(kept, turns)]
    return []


def _start(act: Act, deal: Deal) -> int:
    """The box the deal began with; the box that was due if it was passed over altogether."""
    first = box_number(deal.slots[0].dealt_to)
    flat = next((dice for dice in deal.openings if None not in dice.faces), None)
    if flat is None or act.round.is_weak(flat.conf):
        return first
    due = first_box(sum(face or 0 for face in flat.faces))
    return box_number(due) if _passed_over(act, deal, due) else first


def _without_taken_back(slots: list[Slot], turns: dict[str, int]) -> tuple[list[Slot], list[Finding]]:
    """The deal without the tiles that were taken back and dealt again, and what was wrong with the first of them.

    Tiles moved on to the box they belong to while the deal goes on (13.11) count there.
    """
    last_n = slots[-1].n
    surplus = Counter(slot.dealt_to for slot in slots)
    kept: list[Slot] = []
    found: list[Finding] = []
    for index, slot in enumerate(slots):
        moved = _moved_in_time(slot, slots, turns)
        taken_back = slot.gone_n is not None and slot.gone_n < last_n and surplus[slot.dealt_to] > HAND_TILES
        if moved is None and not taken_back:
            kept.append(slot)
            continue
        surplus[slot.dealt_to] -= 1
        held = sum(other.dealt_to == slot.dealt_to for other in kept)
        due_turn = len(kept) // HAND_TILES
        if not found and held >= HAND_TILES:
            found.append(_too_many(slot, _most_at_once(slots, slot.dealt_to)))
        elif not found and index and turns[slot.dealt_to] != due_turn < len(BOXES):
            found.append(_order_finding([*kept, slot], turns))
        kept += [moved] if moved is not None else []
    kept.sort(key=lambda slot: slot.n)
    full = all(count <= HAND_TILES for count in Counter(slot.dealt_to for slot in kept).values())
    return (kept, found) if full else (slots, [])


def _moved_in_time(slot: Slot, slots: list[Slot], turns: dict[str, int]) -> Slot | None:
    """The tile as if dealt to the box it was moved to, if that was done before the deal went on beyond that box."""
    if slot.moved_n is None or slot.place not in turns or slot.place == slot.dealt_to:
        return None
    beyond = (other for other in slots if other is not slot and turns[other.dealt_to] > turns[slot.place])
    if any(other.n < slot.moved_n and other.moved_n is None for other in beyond):
        return None
    return Slot(slot.place, slot.moved_n, slot.t, up=False)


def _most_at_once(slots: list[Slot], place: str) -> int:
    """How many tiles lay at a box together."""
    own = [slot for slot in slots if slot.dealt_to == place]
    left = [slot.moved_n if slot.moved_n is not None else slot.gone_n for slot in own]
    return max(sum(one.n <= at.n and (n is None or n > at.n) for one, n in zip(own, left, strict=True)) for at in own)


def _too_many(slot: Slot, number: int) -> Finding:
    one = number == HAND_TILES + 1
    return Finding(
        kind="deal.extra" if one else "deal.count", rule="8.5", t=slot.t, at=slot.dealt_to, expected=HAND_TILES,
        observed=number,
        message=f"{slot.dealt_to} was dealt {'a tile' if one else number - HAND_TILES} too many: a hand has "
        f"{HAND_TILES}.",
    )  # fmt: skip


def _deal_complete(act: Act, deal: Deal) -> bool:
    """Whether dealing was over: the hands were looked at, or the round was played to its end."""
    if act.void_n != NEVER or deal is not act.deals[-1]:
        return False
    later = act.round.events[act.dealt_n + 1 :]
    return act.round.ended or any(isinstance(e, log.Set) or (isinstance(e, log.Turn) and e.up) for e in later)


def _count_finding(act: Act, slots: list[Slot], place: str, number: int, turns: dict[str, int]) -> Finding:
    own = [slot for slot in slots if slot.dealt_to == place]
    if number > HAND_TILES:
        kind, t = "deal.extra" if number == HAND_TILES + 1 else "deal.count", own[HAND_TILES].t
    else:
        # It shows when the dealer goes on to the next box; for the last one, with whatever comes after the deal.
        after = [slot.t for slot in slots if turns[slot.dealt_to] > turns[place]]
        later = [event.t for event in act.round.events[act.dealt_n + 1 :]]
        kind, t = "deal.count" if number else "deal.missed", (after or later or [act.round.closed])[0]
    words = "was passed over" if not number else f"was dealt {number} tiles"
    return Finding(
        kind=kind, rule="8.5", t=t, at=place, expected=HAND_TILES, observed=number,
        message=f"{place} {words}: each box is dealt {HAND_TILES}.",
    )  # fmt: skip


def _first_wrong(slots: list[Slot], turns: dict[str, int], wrong: list[Finding]) -> list[Finding]:
    """What the first wrong tile of an unfinished deal proves: its box got too many, or the box before got too few. One
    from further on may be the same deal in another order.
    """
    in_turn = [place for place in turns for _ in range(HAND_TILES)]
    due, slot = next((due, slot) for due, slot in zip(in_turn, slots, strict=False) if slot.dealt_to != due)
    place = slot.dealt_to if turns[slot.dealt_to] == turns[due] - 1 else due
    told = [each for each in wrong if each.at == place and abs(turns[slot.dealt_to] - turns[due]) == 1]
    return told or [_order_finding(slots, turns)]


def _order_finding(slots: list[Slot], turns: dict[str, int]) -> Finding:
    in_turn = [place for place in turns for _ in range(HAND_TILES)]
    due, slot = next((due, slot) for due, slot in zip(in_turn, slots, strict=False) if slot.dealt_to != due)
    return Finding(
        kind="deal.order", rule="8.5", t=slot.t, at=slot.dealt_to, expected=due, observed=slot.dealt_to,
        message=f"Four tiles at a time are dealt anticlockwise: {due} was next, but {slot.dealt_to} got the tile.",
    )  # fmt: skip


# ---- boxes without a wager (8.5) ---------------------------------------------------------------------------------


def not_retrieved(act: Act) -> Iterator[Finding]:
    """8.5: the tiles of boxes without a wager are taken back after the deal; they are not played."""
    if act.void_n != NEVER:
        return
    played_n = _settlement_n(act)
    for place in sorted({*BOXES[1:]} - act.staked - act.late_boxes()):
        set_n = act.sets[place][0][0] if place in act.sets else NEVER
        untouched = all(slot.gone_n is None or slot.gone_n > played_n for slot in act.round.hand(place))
        n = min(set_n, played_n if untouched else NEVER)
        if n != NEVER and act.round.hand(place):
            yield Finding(
                kind="deal.no_wager", rule="8.5", t=act.round.events[n].t, at=place,
                message=f"{place} holds no wager: its tiles must be retrieved after the deal, but stayed in play.",
            )  # fmt: skip


def _settlement_n(act: Act) -> int:
    """When settlement began: with the bank's hand open, the dealer moved a wager, or collected an opened hand."""
    open_n = act.readable_n(BANK)
    moved = [change.n for change in act.moves() if change.n > open_n]
    collected = [
        slot.gone_n
        for place in (BANK, *act.staked)
        for slot in act.round.hand(place)
        if slot.gone_n is not None and slot.gone_n > max(open_n, act.readable_n(place))
    ]
    return min([*moved, *collected], default=NEVER)
