"""What a hand of Ultimate Texas Hold-em is worth to each wager (9.5-9.8), and the odds it is paid at (10.1)."""

from functools import lru_cache

from auditor.hands import UTH, Category, at_least, category, describe
from auditor.log import cents
from auditor.outcomes import Outcome, loses, pays, pushes, undecided

EVEN_MONEY = (1, 1)  # 10.1: ante and play
BLIND_ODDS = {  # 10.1, first table: up to the displayed maximum payout, and only against a beaten dealer (9.6(a))
    Category.ROYAL_FLUSH: (500, 1),
    Category.STRAIGHT_FLUSH: (50, 1),
    Category.FOURS: (10, 1),
    Category.FULL_HOUSE: (3, 1),
    Category.FLUSH: (3, 2),
    Category.STRAIGHT: (1, 1),
}
TRIPS_ODDS = {  # 10.1, second table
    Category.ROYAL_FLUSH: (50, 1),
    Category.STRAIGHT_FLUSH: (40, 1),
    Category.FOURS: (30, 1),
    Category.FULL_HOUSE: (8, 1),
    Category.FLUSH: (7, 1),
    Category.STRAIGHT: (4, 1),
    Category.THREES: (3, 1),
}


@lru_cache(maxsize=4096)
def _named(value: int) -> str:
    return describe(value, UTH)


def _words(own: int, verb: str, dealer: int) -> str:
    return f"{_named(own)} {verb} the dealer's {_named(dealer)}"


def ante_outcome(risk: int, dealer: int, own: int) -> Outcome:
    """9.5."""
    if not at_least(dealer, Category.PAIR, UTH):
        return pushes("9.5(c)(ii)", f"The dealer's {_named(dealer)} does not qualify")
    if own > dealer:
        return pays(risk, EVEN_MONEY, "9.5(a)", f"{_words(own, 'beats', dealer)}, the ante pays 1 to 1")
    if own < dealer:
        return loses(risk, "9.5(b)", _words(own, "loses to", dealer))
    return pushes("9.5(c)(i)", _words(own, "equals", dealer))


def blind_outcome(risk: int, dealer: int, own: int, max_payout: float | None) -> Outcome:
    """9.6, 10.1."""
    if own < dealer:
        return loses(risk, "9.6(b)", _words(own, "loses to", dealer))
    if own == dealer:
        return pushes("9.6(c)(i)", _words(own, "equals", dealer))
    odds = BLIND_ODDS.get(category(own, UTH))
    if odds is None:
        return pushes("9.6(c)(ii)", f"{_words(own, 'beats', dealer)}, but is less than a straight")
    cap = None if max_payout is None else cents(max_payout)
    return pays(risk, odds, "9.6(a)", f"{_words(own, 'beats', dealer)}, the blind pays {odds[0]} to {odds[1]}", cap)


def trips_outcome(risk: int, own: int | None) -> Outcome:
    """9.7, 10.1."""
    if own is None:
        return undecided("9.7", "The player's hand was not seen")
    odds = TRIPS_ODDS.get(category(own, UTH))
    if odds is None:
        return loses(risk, "9.7(b)", f"{_named(own)} is less than three of a kind")
    return pays(risk, odds, "9.7(a)", f"Trips pays {odds[0]} to 1 for {_named(own)}")


def play_outcome(risk: int, dealer: int, own: int) -> Outcome:
    """9.8."""
    if own > dealer:
        return pays(risk, EVEN_MONEY, "9.8(a)", f"{_words(own, 'beats', dealer)}, the play wager pays 1 to 1")
    if own < dealer:
        return loses(risk, "9.8(b)", _words(own, "loses to", dealer))
    return pushes("9.8(c)", _words(own, "equals", dealer))
