"""Cards dealt before a camera to measure how surely they are misread."""

import numpy as np

from datasets.casino.decks import STYLES
from models.evaluate_dealt import Dealt, dealt, table_of
from vision.cards import CardEye
from vision.plan import load_plan


def test_a_deck_that_was_taught_is_dealt_and_read() -> None:
    cards = list(dealt(CardEye(threads=1), STYLES["house"], load_plan("act-holdem"), 8, np.random.default_rng(4)))
    assert len(cards) >= 6
    assert sum(each.card == each.label for each in cards) >= len(cards) - 1
    assert cards[0].conf == cards[0].beside_others


def test_what_is_wrong_and_counts_as_sure_is_told_alone_and_beside_what_came_lately() -> None:
    cards = [Dealt("Ac", "As", 0.95, 0.8), Dealt("Kd", "Kd", 0.99, 0.98), Dealt("7c", "7s", 0.4, 0.4)]
    told = table_of("deck", cards)
    assert "3 read,   2 wrong; sure:  1 wrong,    1 right; beside what came lately:  0 wrong,    1 right" in told
