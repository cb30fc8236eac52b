"""Pai gow tiles that were seen before their time, or too often (2.1, 8.5, 13.2, 13.5 to 13.8)."""

from collections import Counter
from collections.abc import Iterator

from auditor import log, tiles
from auditor.findings import Finding
from auditor.rounds import Round
from auditor.rulebooks.paigow_play import BANK, BOXES, HAND_TILES, Act
from auditor.slots import Slot

COPIES = Counter(tiles.FULL_SET)  # 2.1


def exposed_in_shuffle(round: Round) -> tuple[list[Finding], bool]:
    """13.2: tiles exposed in the shuffle or cut; and whether the round went on without a new shuffle (13.3)."""
    shuffled = False
    exposed: list[log.Tile | log.Turn] = []
    pending: list[log.Tile | log.Turn] = []
    for event in round.events[: round.opened_n]:
        if isinstance(event, log.Shuffle):
            # What lay open before the first shuffle was not exposed in it: tiles are checked, and collected, face up.
            exposed += pending if shuffled else []
            pending, shuffled = [], True
        elif isinstance(event, (log.Tile, log.Turn)) and event.at not in (*BOXES, "discard") and _face_up(event):
            pending += [event] if event.by != "player" else []
    exposed += pending
    sure = [event for event in exposed if not round.is_weak(event.conf)]
    if not exposed:
        return [], False
    finding = Finding(
        kind="deal.exposed", rule="13.2", t=exposed[0].t, at=exposed[0].at, expected=0, observed=len(exposed),
        message="A tile was exposed in the shuffle or cut: a misdeal.",
        verdict="breach" if sure else "unsure", reads=() if sure else (f"the tile at {exposed[0].at}",),
    )  # fmt: skip
    return [finding], any(not round.is_weak(event.conf) for event in pending)


def _face_up(event: log.Tile | log.Turn) -> bool:
    if isinstance(event, log.Turn):
        return event.up
    return event.up if event.up is not None else event.tile != "??"


def exposed_findings(act: Act) -> Iterator[Finding]:
    """8.5: tiles are dealt face down; what follows hangs on whose they are and how many (13.5, 13.7, 13.8)."""
    for slot in act.round.off_table:
        if slot.place == "shoe" and slot.dealt_up and act.opened_n < slot.n < act.dealt_n:
            yield _exposed("shoe", [slot], "8.5", "A tile was exposed in the deal", act)
    for place in BOXES:
        own = [slot for deal in act.deals for slot in deal.slots if slot.dealt_to == place]
        early = [slot for slot in own if slot.dealt_up or _turned_early(act, place, slot)]
        if not early:
            continue
        number = "One tile" if len(early) == 1 else f"{len(early)} tiles"
        if place == BANK:
            yield _exposed(place, early, "13.5", f"{number} of the house's hand lay open in the deal", act)
        elif place not in act.staked:
            yield _exposed(place, early, "8.5", f"{number} of {place} lay open in the deal", act)
        elif len(early) == 1:
            yield _exposed(place, early, "13.7", f"{number} of {place} was exposed by the dealer; it is played", act)
        else:
            words = f"{number} of {place} were exposed by the dealer; the player may call the hand void"
            yield _exposed(place, early, "13.8", words, act)


def _exposed(place: str, slots: list[Slot], rule: str, message: str, act: Act) -> Finding:
    sure = any(not act.round.is_weak(slot.conf) and _by_dealer(act, place, slot) for slot in slots)
    return Finding(
        kind="deal.exposed", rule=rule, t=min(slot.t if slot.dealt_up else slot.turned_t or slot.t for slot in slots),
        at=place, expected=0, observed=len(slots), message=f"{message}.",
        verdict="breach" if sure else "unsure", reads=() if sure else (f"who turned the tile at {place}",),
    )  # fmt: skip


def _turned_early(act: Act, place: str, slot: Slot) -> bool:
    """Turned while tiles were being dealt; or by the dealer alone, before the bank's hand was opened."""
    if slot.turned_n is None:
        return False
    event = act.round.events[slot.turned_n]
    if slot.turned_n < act.dealt_n:
        return event.by != "player"
    before_bank = place != BANK and slot.turned_n < act.readable_n(BANK)
    return before_bank and event.by == "dealer" and not _opened_whole(act, slot)


def _opened_whole(act: Act, slot: Slot) -> bool:
    """Whether the hand was opened in one go, as hands are for settlement."""
    turned = [other.turned_n for other in act.round.hand(slot.place) if other.turned_n is not None]
    between = act.round.events[min(turned) : max(turned)]
    alone = all(isinstance(e, log.Hand) or (isinstance(e, log.Turn) and e.at == slot.place) for e in between)
    return len(turned) >= HAND_TILES and alone


def _by_dealer(act: Act, place: str, slot: Slot) -> bool:
    if slot.dealt_up or place == BANK or slot.turned_n is None:
        return True
    return act.round.events[slot.turned_n].by == "dealer"


def duplicate_findings(act: Act, shown: dict[str, list[Slot]]) -> Iterator[Finding]:
    """2.1: two tiles of each of eleven faces, one of each of ten. `shown` are the hands that were displayed."""
    seen: Counter[int] = Counter()
    slots = [slot for hand in shown.values() for slot in hand]
    slots += [
        slot for slot in act.dealt
        if slot.place not in shown and (slot.gone_n is None or slot.gone_n > act.dealt_n)
    ]  # fmt: skip
    for slot in sorted(slots, key=lambda slot: slot.seen_n if slot.seen_n is not None else slot.n):
        if not slot.sure or slot.card is None:
            continue
        seen[slot.card] += 1
        if seen[slot.card] > COPIES[slot.card]:
            name, copies = tiles.name(slot.card), COPIES[slot.card]
            yield Finding(
                kind="card.duplicate", rule="2.1", t=slot.turned_t or slot.t, at=slot.dealt_to, expected=copies,
                observed=seen[slot.card],
                message=f"{name} was seen {seen[slot.card]} times; the set of 32 has {copies}.",
            )  # fmt: skip
