"""A card that may not have come: nobody is accused because of one that was never dealt."""

import io
import random

import pytest

from auditor import log
from auditor.audit import audit
from datasets.dealers import DEALERS
from datasets.simulate import dealer_for
from playing import breaches, play, unsure, wager

WITH_CARDS = sorted(dealer.rulebook for dealer in DEALERS if "card.foreign" in dealer.mistakes)
STAKED = "chips box1/main 10 player\n"
DEALT = "card box1 Ts\ncard dealer 7c\ncard box1 9h\n"
PAID = "chips box1/main 20 dealer\nchips box1/main 0 player\ngone box1\ngone dealer\n"


def test_a_third_card_of_the_dealer_is_too_many_only_where_it_surely_came() -> None:
    third = STAKED + DEALT + "card dealer Td\ncard dealer 2c"
    assert ("draw.excess", "dealer") in breaches(play("act-blackjack", f"{third}\n{PAID}"))
    weakly = play("act-blackjack", f"{third} conf=0.5 there=0.5\n{PAID}")
    assert breaches(weakly) == []
    assert ("draw.excess", "dealer") in unsure(weakly)
    misread = play("act-blackjack", f"{third} conf=0.5\n{PAID}")
    assert ("draw.excess", "dealer") in breaches(misread), "some card came, whatever it is called"


def test_a_card_that_may_not_have_come_leaves_undecided_what_it_alone_decides() -> None:
    drawn = STAKED + "card box1 Ts\ncard dealer 7c\ncard box1 5h\ncard box1 4h {}\ncard dealer Td\n" + PAID
    for there, result in (("", "win"), ("there=0.5", None)):  # 19 against 17, or 15
        assert wager(play("act-blackjack", drawn.format(there)), "box1/main")["result"] == result


def test_what_holds_without_the_card_is_proved_however_unsure_it_is() -> None:
    taken = "chips box2/main 0 dealer\n" + PAID + "gone box2\n"
    dealt = "card box1 Ts\ncard box2 Ts\ncard dealer 7c\ncard box1 9h there=0.6\ncard box2 9h\ncard dealer Td\n"
    rounds = play("act-blackjack", STAKED + "chips box2/main 10 player\n" + dealt + taken)
    assert ("payout.winner_taken", "box2/main") in breaches(rounds)


@pytest.mark.parametrize("game", WITH_CARDS)
def test_no_phantom_in_a_legal_game_accuses_anybody(game: str) -> None:
    for seed in range(8):
        chance, dealer = random.Random(seed), dealer_for(game, seed)
        events = [event for round_events, _ in dealer.rounds(2, {}) for event in round_events]
        faces = [n for n, event in enumerate(events) if isinstance(event, log.Card) and event.card != "??"]
        for index in chance.sample(faces, min(2, len(faces))):
            beside = events[index]
            assert isinstance(beside, log.Card)
            name = chance.choice("23456789TJQKA") + chance.choice("cdhs")
            phantom = log.Card(at=beside.at, card=name, t=beside.t, conf=0.5, there=0.5)
            seen = [*events[: index + 1], phantom, *events[index + 1 :]]
            rounds = audit(io.BytesIO(log.log_bytes(dealer.header(), seen)), game).rounds
            accused = [(each.kind, each.at) for answer in rounds for each in answer.findings
                       if each.verdict == "breach"]  # fmt: skip
            assert accused == [], (seed, phantom)
