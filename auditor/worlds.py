"""Weak and missing reads: judge the round for every reading they leave open, and say what holds in all of them.

A finding that every reading gives is a breach. One that only some give is `unsure`, names the reads it hangs on, and
says which readings would make the table right.
"""

import itertools
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import NamedTuple

import msgspec

from auditor.findings import Finding, Judgement, Pot, Wager
from auditor.places import box_number, box_of
from auditor.slots import Slot

MAX_WORLDS = 5_000
SAMPLED_WORLDS = 500
_haste: ContextVar["Haste | None"] = ContextVar("haste", default=None)

# At most one of these per spot is true of a round, whatever its exact kind; `payout.order` stands beside them.
_EXCLUSIVE = ("payout", "draw", "pot", "commission")


class Doubt(NamedTuple):
    """A card that matters and was not surely read: the readings to try, and how to name one in a sentence."""

    slot: Slot
    cards: tuple[int, ...]
    label: Callable[[int], str]
    what: str = ""
    """What was not surely read, where it is not a card."""

    @property
    def text(self) -> str:
        """«the 2nd card of box1 (9h, read at 35 %)»."""
        if self.what:
            return self.what
        if self.slot.text == "??":
            read = "not read"
        elif self.slot.conf is None:
            read = f"{self.slot.text}, half read"
        else:
            read = f"{self.slot.text}, read at {self.slot.conf:.0%}"
        return f"the card at {self.slot.place} of {self.slot.t:.1f} s ({read})"


class Haste:
    """How many readings are tried at the most, and whether there were more (`cut_short`)."""

    def __init__(self, most_readings: int) -> None:
        self.most_readings, self.cut_short = most_readings, False


@contextmanager
def in_haste(most_readings: int) -> Iterator[Haste]:
    """Within it so many readings are tried at the most: what would take more to prove is `unsure`."""
    haste = Haste(most_readings)
    before = _haste.set(haste)
    try:
        yield haste
    finally:
        _haste.reset(before)


def judge_all(
    judge: Callable[[], Judgement], doubts: list[Doubt], *, one_deck: bool, samples: int | None = None,
    boxes_apart: bool = False,
) -> Judgement:  # fmt: skip
    """The judgement that holds whatever the doubtful cards are; with `samples`, only so many readings are tried.

    `boxes_apart`: every box plays against the dealer alone. Then, where there are too many readings to try them all,
    what all those give that were tried is proved of a box by the readings of its own cards and the dealer's.
    """
    if not doubts:
        return judge()
    worlds, complete = _worlds(doubts, one_deck=one_deck, samples=samples)
    if not worlds:  # the readings contradict each other: as read is as good as any
        return judge()
    judgements = _judged(judge, doubts, worlds)

    @cache
    def proved_of(box: str) -> frozenset[tuple[object, ...]]:
        own = [doubt for doubt in doubts if not box_number(doubt.slot.place) or box_of(doubt.slot.place) == box]
        readings, has_all = _worlds(own, one_deck=one_deck, samples=samples)
        if not has_all or not readings or len(own) == len(doubts):
            return frozenset()
        return frozenset.intersection(*(
            frozenset(_key(each) for each in judgement.findings) for judgement in _judged(judge, own, readings)
        ))  # fmt: skip

    def is_proved(finding: Finding) -> bool:
        if complete or not boxes_apart or not box_number(finding.at or ""):
            return complete
        return _key(finding) in proved_of(box_of(finding.at or ""))

    return _merge(judgements, worlds, doubts, is_proved)


def _judged(judge: Callable[[], Judgement], doubts: list[Doubt], worlds: list[tuple[int, ...]]) -> list[Judgement]:
    """What is judged of each reading of the doubtful cards; the others are what they are taken for."""
    as_read = [doubt.slot.card for doubt in doubts]
    judgements = []
    for world in worlds:
        for doubt, card in zip(doubts, world, strict=True):
            doubt.slot.card = card
        judgements.append(judge())
    for doubt, read in zip(doubts, as_read, strict=True):
        doubt.slot.card = read
    return judgements


def _worlds(doubts: list[Doubt], *, one_deck: bool, samples: int | None) -> tuple[list[tuple[int, ...]], bool]:
    """The readings to try, the one closest to what was read first; and whether they are all there are."""
    domains = [_as_read_first(doubt) for doubt in doubts]
    size = math.prod(map(len, domains))
    haste = _haste.get()
    most = MAX_WORLDS if haste is None else haste.most_readings
    if size <= (most if samples is None else samples):
        found = [world for world in itertools.product(*domains) if not one_deck or len(set(world)) == len(world)]
        return found, True
    if haste is not None and samples is None:
        haste.cut_short = True
    return list(itertools.islice(_samples(domains, one_deck=one_deck), samples or min(SAMPLED_WORLDS, most))), False


def _samples(domains: list[tuple[int, ...]], *, one_deck: bool) -> Iterator[tuple[int, ...]]:
    chance = random.Random(0)
    as_read = tuple(domain[0] for domain in domains)
    drawn = (tuple(chance.choice(domain) for domain in domains) for _ in range(20 * SAMPLED_WORLDS))
    for world in itertools.chain([as_read], drawn):
        if not one_deck or len(set(world)) == len(world):
            yield world


def _as_read_first(doubt: Doubt) -> tuple[int, ...]:
    read = doubt.slot.card
    if read is None:
        return doubt.cards
    same = [card for card in doubt.cards if doubt.label(card) == doubt.label(read)]
    return (*same, *(card for card in doubt.cards if card not in same))


def _key(finding: Finding) -> tuple[object, ...]:
    if finding.family in _EXCLUSIVE and finding.kind != "payout.order":
        return finding.family, finding.at, finding.colour
    return finding.kind, finding.at, finding.colour, finding.t


def _merge(
    judgements: list[Judgement], worlds: list[tuple[int, ...]], doubts: list[Doubt],
    is_proved: Callable[[Finding], bool],
) -> Judgement:  # fmt: skip
    givers: dict[tuple[object, ...], dict[int, Finding]] = {}
    for number, judgement in enumerate(judgements):
        for finding in judgement.findings:
            givers.setdefault(_key(finding), {}).setdefault(number, finding)
    clean = [world for world, judgement in zip(worlds, judgements, strict=True) if not judgement.findings]
    findings = []
    for given in _one_wrong(givers, len(judgements)):
        finding = _likeliest(given, doubts)
        if len(given) == len(judgements) and is_proved(finding):
            findings.append(_proved(finding, given, doubts))
        else:
            right = [world for number, world in enumerate(worlds) if number not in given]
            findings.append(_unsure(finding, doubts, right, clean))
    first = judgements[0]
    return Judgement(
        wagers=[agreed(wager, judgements) for wager in first.wagers],
        findings=findings,
        pots=_merge_pots(judgements),
        spin=first.spin,
    )


def _one_wrong(givers: dict[tuple[object, ...], dict[int, Finding]], number: int) -> Iterator[dict[int, Finding]]:
    """What each reading finds, by what is found. A wager (or its payment) in which every reading finds something else
    wrong is wrong: that is one thing to tell.
    """
    deeds: dict[tuple[object, ...], list[dict[int, Finding]]] = {}
    for given in givers.values():
        finding = given[min(given)]
        deed = finding.t if finding.family == "bet" else finding.family == "payout" or finding.kind
        key = (finding.kind, finding.t) if len(given) == number else (finding.family, deed)
        deeds.setdefault((*key, finding.at, finding.colour), []).append(given)
    for several in deeds.values():
        together = {world: finding for given in reversed(several) for world, finding in given.items()}
        yield from [together] if len(together) == number else several


def _proved(finding: Finding, given: dict[int, Finding], doubts: list[Doubt]) -> Finding:
    """What every reading gives; where they give it for different reasons, the sentence says that it is one of them."""
    if any(each.verdict == "unsure" for each in given.values()):
        return msgspec.structs.replace(finding, verdict="unsure")
    if len({each.message for each in given.values()}) == 1:
        return finding
    reads = _reads(doubts)
    message = f"{finding.message} So for one reading of {'; '.join(reads)}; it is wrong for every other as well."
    return msgspec.structs.replace(finding, message=message, reads=reads)


def _likeliest(given: dict[int, Finding], doubts: list[Doubt]) -> Finding:
    """The finding as read; where cards were not read, of the kind that most of their readings give."""
    kinds = Counter(finding.kind for finding in given.values())
    if len(kinds) == 1 or all(doubt.what or "?" not in doubt.slot.text for doubt in doubts):
        return given[min(given)]
    kind = kinds.most_common(1)[0][0]
    return next(finding for finding in given.values() if finding.kind == kind)


def _unsure(
    finding: Finding, doubts: list[Doubt], right: list[tuple[int, ...]], clean: list[tuple[int, ...]]
) -> Finding:
    """The finding, with the reads it hangs on and what they would have to be."""
    hints = []
    for index, doubt in enumerate(doubts):
        fits = _labels(doubt, {world[index] for world in right})
        misfits = [label for label in _labels(doubt, set(doubt.cards)) if label not in fits]
        if fits and 4 * len(misfits) < len(fits):
            hints.append(f"it is wrong only if that was {' or '.join(misfits)}")
        elif fits and len(fits) < len(doubt.cards):
            hints.append(f"it is right only if that was {' or '.join(fits)}")
        consistent = _labels(doubt, {world[index] for world in clean})
        if len(consistent) == 1:
            hints.append(f"everything else seen fits only {consistent[0]} there")
    reads = _reads(doubts)
    message = f"{finding.message} Unsure, it hangs on {'; '.join(reads)}"
    message += f": {'; '.join(dict.fromkeys(hints))}." if hints and len(reads) == 1 else "."
    return msgspec.structs.replace(finding, verdict="unsure", reads=reads, message=message)


def _reads(doubts: list[Doubt]) -> tuple[str, ...]:
    """The reads that leave something open: a card whose suit alone is in doubt, where suits do not matter, does not."""
    return tuple(doubt.text for doubt in doubts if len(doubt.cards) > 1)


def _labels(doubt: Doubt, cards: set[int]) -> list[str]:
    return list(dict.fromkeys(doubt.label(card) for card in doubt.cards if card in cards))


def agreed(wager: Wager, judgements: list[Judgement]) -> Wager:
    """The wager, without the result or the amount due that not all of these give it."""
    for judgement in judgements:
        for other in judgement.wagers:
            if (other.at, other.colour) == (wager.at, wager.colour):
                if other.result != wager.result:
                    return msgspec.structs.replace(wager, result=None, due=None)
                if other.due != wager.due:
                    wager = msgspec.structs.replace(wager, due=None)
    return wager


def _merge_pots(judgements: list[Judgement]) -> list[Pot] | None:
    """The pots of the first reading, without the winners and the commission that others would change."""
    first = judgements[0].pots
    if first is None:
        return None
    merged = []
    for index, pot in enumerate(first):
        others = [each.pots[index] for each in judgements if each.pots is not None and index < len(each.pots)]
        if any(other.winners != pot.winners for other in others):
            pot = msgspec.structs.replace(pot, winners=None)
        if any(other.commission != pot.commission for other in others):
            pot = msgspec.structs.replace(pot, commission=None)
        merged.append(pot)
    return merged
