"""Money the dealer puts right before the next round begins: what was paid in the end is what counts (def. `paid`)."""

import pytest

from playing import GOOD, breaches, play, unsure, wager

CARDS = "chips box1/main 10 player\ncard box1 Ts\ncard dealer 9c\ncard box1 {}\ncard dealer {}\n"
WIN, LOSS, PUSH = CARDS.format("9d", "8c"), CARDS.format("7d", "Tc"), CARDS.format("7d", "8c")
GONE, UP = "gone box1\ngone dealer\n", "chips box1/main 0 player\n"


def by_dealer(*amounts: float) -> str:
    return "".join(f"chips box1/main {amount:g} dealer\n" for amount in amounts)


RIGHT_IN_THE_END = {
    "short, then the rest": WIN + by_dealer(15, 20) + UP + GONE,
    "too much, then some back": WIN + by_dealer(30, 20) + UP + GONE,
    "taken, then given back with the winnings": WIN + by_dealer(0, 20) + UP + GONE,
    "a loss paid, then taken": LOSS + by_dealer(20, 0) + GONE,
    "a push taken, then given back": PUSH + by_dealer(0, 10) + UP + GONE,
    "a push paid, then the payment taken back": PUSH + by_dealer(20, 10) + UP + GONE,
    "paid when the cards are gone": WIN + GONE + by_dealer(20) + UP,
    "the rest when the cards are gone": WIN + by_dealer(15) + GONE + by_dealer(20) + UP,
    "the rest when the first part was picked up": WIN + by_dealer(15) + UP + by_dealer(5) + UP + GONE,
    "the winnings picked up, the stake left": WIN + by_dealer(20) + "chips box1/main 10 player\n" + GONE,
    "the next wager before the cards are gone": WIN + by_dealer(20) + UP + "chips box1/main 25 player\n" + GONE,
}
WRONG_IN_THE_END = {
    "short and picked up": (WIN + by_dealer(15) + UP + GONE, "payout.short"),
    "a loss taken in part": (LOSS + by_dealer(5) + UP + GONE, "payout.loser_paid"),
    "a loss left for the next round": (LOSS + GONE + WIN.partition("\n")[2] + by_dealer(20) + UP + GONE,
                                       "payout.loser_paid"),
}  # fmt: skip


@pytest.mark.parametrize("script", RIGHT_IN_THE_END.values(), ids=RIGHT_IN_THE_END)
def test_13_2_a_payment_put_right_is_right(script: str) -> None:
    assert breaches(play("act-blackjack", script)) == []


@pytest.mark.parametrize(("script", "kind"), WRONG_IN_THE_END.values(), ids=WRONG_IN_THE_END)
def test_13_2_a_payment_left_wrong_is_one_finding(script: str, kind: str) -> None:
    assert breaches(play("act-blackjack", script)) == [(kind, "box1/main")]


def test_blackjack_13_1_e_paid_on_a_loss_and_gone_again_by_nobody_known() -> None:
    """The dealer may have taken it back, or the player may have it."""
    lost = "chips box1/main 10\ncard box1 Ts\ncard dealer 9c\ncard box1 8d\ncard dealer Tc\n"
    gathered = "gone box1\ngone dealer\n"
    rounds = play("act-blackjack", lost + "chips box1/main 20\nchips box1/main 0\n" + gathered)
    assert breaches(rounds) == []
    assert unsure(rounds) == [("payout.loser_paid", "box1/main")]
    taken_and_staked_anew = play("act-blackjack", lost + "chips box1/main 0\nchips box1/main 10\n" + gathered)
    assert breaches(taken_and_staked_anew) == unsure(taken_and_staked_anew) == []


def test_a_wager_placed_too_late_is_listed_and_goes_back() -> None:
    late = "chips box2/main 20 player\n"
    script = GOOD.replace("card dealer 9c", late + "card dealer 9c")
    script = script.replace("gone box1", "chips box2/main 0 player\ngone box1")
    rounds = play("act-blackjack", script)
    assert breaches(rounds) == [("bet.late", "box2/main")]
    refused = wager(rounds, "box2/main")
    assert (refused["stake"], refused["result"], refused["due"], refused["paid"]) == (20, "void", 0, 0)


def test_a_late_baccarat_wager_that_was_settled_all_the_same_is_told_as_settled() -> None:
    cards = "card player 9h\nchips box2/banker 50 player\ncard banker 6c\ncard player Kd\ncard banker Qs\n"
    for settled, result in (("chips box2/banker 0 dealer\n", "lose"), ("chips box2/banker 0 player\n", "void")):
        paid = "chips box1/player 20 dealer\nchips box1/player 0 player\n" + settled + "gone player\ngone banker\n"
        rounds = play("act-baccarat", "chips box1/player 10 player\n" + cards + paid)
        assert breaches(rounds) == [("bet.late", "box2/banker")]
        assert wager(rounds, "box2/banker")["result"] == result
