"""Weakly seen events that may not have been: a finding that is not there without one of them is no proof.

What a card, a tile or the ball may have been is weighed in `auditor/worlds.py`, and what a weakly read amount leaves
open of a payment in `auditor/settlement.py`. Here it is asked whether chips, a call, a marker were there at all, or a
card: of cards and chips `there` says so, while `conf` is about name and amount, and what is wrong whatever they are
stays proved. What was hidden for a while may have happened before other things that are told before it (`since`): a
finding that is not there in that order is no proof either. And since rounds are far oftener dealt rightly than read
rightly, a house may ask for surer reads of those who accuse (`proof`) than of those who tell what happened (`weak`).
"""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from auditor import log
from auditor.boundaries import replayed
from auditor.findings import Finding, Judgement, hanging, unsure
from auditor.game import Game
from auditor.house import House
from auditor.rounds import Round
from auditor.worlds import agreed

_SOME = 10.0
"""So much, where it only matters that chips were there."""
_CARDS = (log.Card, log.Tile, log.Turn, log.Gone)
_MAY_NOT_BE = (log.Chips, log.Call, log.Marker, log.Button)
_DECIDES = ("void", "misdeal", "no_spin", "fold", "even_money")
"""Calls by which alone a wager may be settled otherwise."""
# What hangs on whether chips stand at a spot rather than on how many.
_BY_PRESENCE = {"deal", "bet", "round", "action", "blind", "table", "payout.order"}
_SURELY_TWICE = 0.999
"""So surely both must be read where a card seems to be there twice."""
_LINGERED_S = 0.8
"""One hand lays cards one after the other, each in less: only what was hidden for longer may have come before another
card. Chips that changed meanwhile may have changed after it all the same."""
_JUST_WEAK = 0.999
"""Of the threshold: what is not sure enough to accuse is doubted as little as a weak read can be."""


def proved_without(judgement: Judgement, round: Round, game: Game[Any], house: House) -> Judgement:
    """What holds of a round without any one weakly seen event.

    A finding that such an event alone makes is `unsure` and says which; what a weak card or call alone decides of a
    wager (a fold, even money, a round declared void) is not decided. What weak chips leave open, their own wager says.
    """
    findings, wagers = judgement.findings, judgement.wagers
    for event, events in _otherwise(round):
        is_accused = any(each.verdict == "breach" for each in findings)
        decides = isinstance(event, log.Card) or (isinstance(event, log.Call) and event.what in _DECIDES)
        is_settled = decides and bool(wagers)
        if is_accused or is_settled:
            otherwise = _judged(round, game, house, events)
            findings = _softened(findings, event, otherwise)
            wagers = [agreed(wager, [otherwise]) for wager in wagers] if is_settled else wagers
    for event, events in _earlier(round):
        if any(each.verdict == "breach" for each in findings):
            otherwise = _judged(round, game, house, events)
            findings = hanging(findings, otherwise, f"what was seen only at {event.t:.1f} s")
    return msgspec.structs.replace(judgement, findings=findings, wagers=wagers)


def proved_by_sure_reads(judgement: Judgement, round: Round, game: Game[Any], house: House) -> Judgement:
    """What holds of a round when cards and amounts that are not sure enough to accuse are taken for weakly read: what
    is no breach then is `unsure`. Hands, wagers and results stay as they were read."""
    if house.proof > round.weak:
        judgement = msgspec.structs.replace(
            judgement, findings=[_twice_for_sure(each, round) for each in judgement.findings]
        )
    accused = bool(judgement.breaches)
    events = [_doubted(each, round.weak, house.proof) for each in round.events] if accused else round.events
    if events == round.events:
        return judgement
    doubted = replayed(round, game.boundary, events)
    otherwise = proved_without(game.audit(doubted, house), doubted, game, house)
    read = "reads that are less sure than an accusation asks for"
    return msgspec.structs.replace(judgement, findings=hanging(judgement.findings, otherwise, read))


def _judged(round: Round, game: Game[Any], house: House, events: list[log.AnyEvent]) -> Judgement:
    """What a round would be judged to be with other events; without any of its cards there was none."""
    if not events:
        return Judgement()
    otherwise = replayed(round, game.boundary, events)
    return Judgement() if round.slots and not otherwise.slots else game.audit(otherwise, house)


def _twice_for_sure(finding: Finding, round: Round) -> Finding:
    """A card read twice is far oftener one of the two misread than there twice: both must be read as good as surely."""
    if finding.kind != "card.duplicate" or finding.verdict != "breach":
        return finding
    confs: dict[int, list[float]] = {}
    for slot in round.slots:
        if slot.card is not None:
            confs.setdefault(slot.card, []).append(1.0 if slot.conf is None else slot.conf)
    here = {slot.card for slot in round.slots if slot.dealt_to == finding.at and slot.card is not None}
    twice = [min(confs[card]) for card in here if len(confs[card]) > 1]
    return finding if all(conf >= _SURELY_TWICE for conf in twice) else unsure(finding, "a card that was read twice")


def _doubted(event: log.AnyEvent, weak: float, proof: float) -> log.AnyEvent:
    """A card or an amount as one that was weakly read, unless it is as sure as proof has to be."""
    if not isinstance(event, log.Card | log.Turn | log.Tile | log.Chips):
        return event
    sure = {name: getattr(event, name, None) for name in ("conf", "rank_conf")}
    short = {name: _JUST_WEAK * weak for name, conf in sure.items() if conf is not None and weak <= conf < proof}
    return msgspec.structs.replace(event, **short) if short else event


def _otherwise(round: Round) -> Iterator[tuple[log.AnyEvent, list[log.AnyEvent]]]:
    """What was weakly seen, and the round with nothing in its place, or chips for none, or none for chips."""
    for ledger in round.chips.values():
        if not ledger.carried and not ledger.carried_sure:  # seen in the round before, and perhaps this one's wager
            none = log.Chips(t=round.events[0].t, at=ledger.at, colour=ledger.colour, amount=0)
            yield none, [msgspec.structs.replace(none, amount=_SOME), *round.events]
    for n, event in enumerate(round.events):
        sure = _sure_it_was(event)
        if sure is not None and sure < round.weak:
            before, after = round.events[:n], round.events[n + 1 :]
            yield event, [*before, *after]
            if isinstance(event, log.Chips):
                stood = [each.amount for each in round.events if isinstance(each, log.Chips) and each.at == event.at]
                amount = 0 if event.amount else max(stood) or _SOME
                yield event, [*before, msgspec.structs.replace(event, amount=amount), *after]
    yield from _without_several(round)
    yield from _face_down(round)


def _earlier(round: Round) -> Iterator[tuple[log.AnyEvent, list[log.AnyEvent]]]:
    """What was hidden until it was seen, and the round as if it had happened at any time since it may have: it alone,
    or with all else that may have happened by then and was seen later."""
    hidden = {n: event.since for n, event in enumerate(round.events) if event.since is not None}
    long = {n for n, since in hidden.items() if round.events[n].t - since > _LINGERED_S}
    for n, since in hidden.items():
        event = round.events[n]
        first = next(at for at, other in enumerate(round.events) if other.t >= since or other is event)
        if n not in long:
            first = max((at + 1 for at in range(first, n) if isinstance(round.events[at], _CARDS)), default=first)
        for at in range(first, n):
            yield event, _moved(round.events, [n], at)
            together = [m for m in hidden if m >= at and hidden[m] <= round.events[at].t and (m == n or m in long)]
            if len(together) > 1:
                yield event, _moved(round.events, together, at)


def _moved(events: list[log.AnyEvent], which: list[int], to: int) -> list[log.AnyEvent]:
    """The events as if those numbered `which` had happened, in their order, just before event `to`."""
    moved = [msgspec.structs.replace(events[n], t=events[to].t) for n in which]
    stayed = [(n, event) for n, event in enumerate(events) if n not in which]
    return [*(event for n, event in stayed if n < to), *moved, *(event for n, event in stayed if n >= to)]


def _without_several(round: Round) -> Iterator[tuple[log.AnyEvent, list[log.AnyEvent]]]:
    """The round without two and more of the cards that may have come to one place, and without all such cards: a count
    hangs on all of them."""
    weak: dict[str, list[log.Card]] = {}
    for event in round.events:
        if isinstance(event, log.Card) and event.there is not None and event.there < round.weak:
            weak.setdefault(event.at, []).append(event)
    for cards in weak.values():
        for number in range(2, len(cards) + 1):
            yield cards[-1], _without(round, cards[-number:])
    if len(weak) > 1:
        every = [card for cards in weak.values() for card in cards]
        yield every[-1], _without(round, every)


def _without(round: Round, cards: Sequence[log.Card]) -> list[log.AnyEvent]:
    gone = {id(card) for card in cards}
    return [event for event in round.events if id(event) not in gone]


def _face_down(round: Round) -> Iterator[tuple[log.AnyEvent, list[log.AnyEvent]]]:
    """The round with cards face down that nobody read and that only seem to lie face up."""
    doubtful = [event for event in round.events if _may_be_down(event, round.weak)]
    if doubtful:
        yield doubtful[0], [
            msgspec.structs.replace(event, up=False) if _may_be_down(event, round.weak) else event
            for event in round.events
        ]


def _may_be_down(event: log.AnyEvent, weak: float) -> bool:
    is_unread = isinstance(event, log.Card) and event.card == "??" and bool(event.up)
    return is_unread and event.conf is not None and event.conf < weak


def _sure_it_was(event: log.AnyEvent) -> float | None:
    """How sure it is that what an event tells of was there at all; None where that is certain."""
    if isinstance(event, log.Card):
        return event.there
    if isinstance(event, log.Chips) and event.there is not None:
        return event.there
    is_unread = isinstance(event, log.Turn) and "??" in (event.card, event.tile)  # then it is no name that is unsure
    return event.conf if is_unread or isinstance(event, _MAY_NOT_BE) else None


def _softened(findings: Sequence[Finding], event: log.AnyEvent, otherwise: Judgement) -> list[Finding]:
    by_presence = isinstance(event, log.Chips) and event.amount
    softened = hanging(findings, otherwise, f"what was weakly seen at {event.t:.1f} s")
    pairs = zip(findings, softened, strict=True)
    return [each if by_presence and not {each.family, each.kind} & _BY_PRESENCE else soft for each, soft in pairs]
