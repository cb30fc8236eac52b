"""Poker against pokerkit, and logs that are cut short or out of order."""

import io
import random

import msgspec
import pytest

from auditor.audit import audit
from auditor.log import LogError
from datasets.evaluate_poker import compare_random, compare_televised
from poker_hands import Hand


def test_random_hands_with_side_pots_give_what_pokerkit_gives() -> None:
    comparison = compare_random(300, seed=3)
    assert comparison.differences == []


def test_televised_hands_are_played_by_the_rules() -> None:
    comparison = compare_televised()
    assert comparison.hands >= 40
    assert comparison.differences == []


def some_hands() -> list[Hand]:
    """One hand of each game."""
    holdem = Hand("act-holdem").blinds().deal().bet(3, 6).bet(1, 6).fold(2).sweep()
    holdem.check_around("5c 4d 2h", "Ks", "Kd").show(1, "Ah Kc").show(3, "9c 8c").award(1).collect()
    faro = Hand("act-faro").blinds().deal().card("board", "Ah").bet(3, 2).fold(1).check(2).sweep()
    faro.check_around("9h", "Jd", "4d", "7s").show(2, "8d 6s 8c As 7d").show(3, "5d Qc 6h Jc 3h").award(2).collect()
    tas = Hand("tas-holdem", (1, 2, 3, 4)).blinds().deal().bet(3, 6).fold(4, 1).bet(2, 6).sweep()
    tas.check_around("5c 4d 2h", "Ks", "Kd").show(3, "Ah Kc").show(2, "9c 8c").award(3).collect()
    stud = Hand("tas-stud", min=2).antes(2).deal("As Qs 6h").bet(1, 3).bet(2, 3).fold(3).sweep()
    for cards in ("Kd Jd", "8h 7c"):
        stud.up(cards).check(1, 2)
    stud.up("4c 3h").bet(1, 2).bet(2, 2).sweep().show(1, "9s").show(2, "2d").award(1).collect()
    return [holdem, faro, tas, stud]


@pytest.mark.parametrize("hand", some_hands(), ids=lambda hand: hand.rulebook)
def test_a_hand_cut_short_anywhere_is_audited_as_far_as_it_goes(hand: Hand) -> None:
    lines = hand.written().splitlines(keepends=True)
    early = []
    for length in range(1, len(lines)):
        for round in audit(io.BytesIO(b"".join(lines[:length])), "cut").rounds:
            early += [(length, finding.kind, lines[length - 1]) for finding in round.findings]
    assert [fault for fault in early if fault[1] != "commission.short"] == []


@pytest.mark.parametrize("hand", some_hands(), ids=lambda hand: hand.rulebook)
def test_a_hand_in_disorder_never_breaks_the_auditor(hand: Hand) -> None:
    header, *lines = hand.written().splitlines()
    chance = random.Random(hand.rulebook)
    for _ in range(60):
        events = [msgspec.json.decode(line) for line in lines]
        times = [event["t"] for event in events]
        chance.shuffle(events)
        disorder = [event | {"t": t} for event, t in zip(events, times, strict=True)][: chance.randint(1, len(events))]
        log = b"\n".join([header, *map(msgspec.json.encode, disorder)]) + b"\n"
        try:
            list(audit(io.BytesIO(log), "disorder").rounds)
        except LogError:
            continue
