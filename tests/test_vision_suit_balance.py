"""Suits that never come: a deck of which one suit is taken for the other is noticed by what came at the table."""

from itertools import cycle

from auditor.log import Card
from vision.lying import Piece
from vision.memory import from_bytes, to_bytes
from vision.plan import load_plan
from vision.suit_balance import LATELY, kept_by_suit, remembered
from vision.table_cards import CardMemory, CardTable
from vision.writer import Evidence, WaitingRoom

RANKS = "A23456789TJQK"
PLAYER = load_plan("act-baccarat").zone("player")


def test_a_suit_that_came_alone_is_doubted_the_more_the_more_often_and_never_wholly() -> None:
    kept = [kept_by_suit("Ks", [rank + "s" for rank in RANKS[:number]]) for number in range(len(RANKS))]
    assert kept[0] == 1.0
    assert kept == sorted(kept, reverse=True)
    assert kept[5] > 0.9 > kept[6]
    assert 0.55 < kept[-1] < 0.6


def test_suits_that_came_unevenly_as_they_do_by_chance_are_believed() -> None:
    lately = [rank + "s" for rank in RANKS[:9]] + [rank + "c" for rank in RANKS[:3]]
    assert kept_by_suit("Ks", lately) > 0.98
    assert kept_by_suit("Kc", lately) == 1.0


def test_a_card_that_is_told_again_and_again_counts_once() -> None:
    lately: list[str] = []
    for _ in range(20):
        lately = remembered(lately, ["As"])
    assert lately == ["As"]


def test_a_new_deck_is_noticed_where_an_old_one_was_read_well() -> None:
    lately = [rank + suit for rank in RANKS for suit in "cdhs"][-LATELY:]
    assert kept_by_suit("Ks", lately) > 0.99
    for rank in RANKS:
        lately = remembered(lately, [rank + "s", rank + "s", rank + "d", rank + "h"])
    assert len(lately) == LATELY
    assert kept_by_suit("Ks", lately) < 0.7


def dealt(names: list[str]) -> tuple[CardTable, list[Card]]:
    """A card that comes and leaves again, for each name."""
    room = WaitingRoom()
    table = CardTable(room)
    for second, name in enumerate(names):
        card = Piece(label=name, up=True, conf=0.99, rank_conf=0.99, at=PLAYER.at, region=())
        for step, pieces in enumerate(([card], [])):
            table.conclude(PLAYER, [pieces, pieces], Evidence(t=second + step / 2, cam="table", frame=second))
    return table, [event for event in room.release(100.0) if isinstance(event, Card)]


def test_clubs_that_are_surely_read_as_spades_become_uncertain_and_their_ranks_do_not() -> None:
    suits = cycle("shsd")  # the clubs of the second deck are called spades
    _, cards = dealt([rank + next(suits) for rank in RANKS])
    spades = [card for card in cards if card.card[1] == "s"]
    assert spades[0].conf == 0.99
    assert (spades[-1].conf or 1) < 0.9
    assert spades[-1].rank_conf == 0.99
    assert all((card.conf or 0) > 0.95 for card in cards if card.card[1] != "s")
    _, fair = dealt([rank + suit for rank, suit in zip(RANKS, cycle("shcd"), strict=False)])
    assert all((card.conf or 0) > 0.97 for card in fair)


def test_what_came_lately_is_in_the_checkpoint() -> None:
    table, _ = dealt(["As", "Kd", "7?"])
    again = from_bytes(to_bytes(table.memory), CardMemory)
    assert again is not None
    assert again.lately == ["As", "Kd"]
