"""Blackjack rounds in the script language of `playing`: bets, deal, draws, settlement, collection.

>>> print(one("Ts 9h", "7c Td", 10))
chips box1/main 10 player
card box1 Ts
card dealer 7c
card box1 9h
card dealer Td
chips box1/main 20 dealer
chips box1/main 0 player
gone box1 to=discard
gone dealer to=discard
<BLANKLINE>
"""

from typing import Any

from playing import Answer, breaches, play, unsure

MAIN = "box1/main"


def blackjack(script: str, **house: Any) -> list[Answer]:
    """What the auditor says of it."""
    return play("act-blackjack", script, **house)


def clean(script: str, **house: Any) -> bool:
    """Whether every round is complete and nothing is said against it; if not, the assertion shows what."""
    rounds = blackjack(script, **house)
    assert rounds
    assert (breaches(rounds), unsure(rounds)) == ([], [])
    assert {round["status"] for round in rounds} == {"complete"}
    return True


def bets(**stakes: float) -> str:
    """Main wagers."""
    return "".join(f"chips {box}/main {stake} player\n" for box, stake in stakes.items())


def cards(place: str, texts: str) -> str:
    """Cards drawn to a place."""
    return "".join(f"card {place} {text}\n" for text in texts.split())


def deal(up: str, **hands: str) -> str:
    """The initial deal, in the order given."""
    first, second = ("".join(f"card {box} {hand.split()[n]}\n" for box, hand in hands.items()) for n in (0, 1))
    return f"{first}card dealer {up}\n{second}"


def pays(at: str, stake: float, due: float) -> str:
    """The dealer pays, the player picks up."""
    return f"chips {at} {stake + due} dealer\nchips {at} 0 player\n"


def takes(at: str) -> str:
    """The dealer takes the stake."""
    return f"chips {at} 0 dealer\n"


def back(at: str) -> str:
    """The player picks up what stands there."""
    return f"chips {at} 0 player\n"


def collect(*places: str) -> str:
    """The cards go to the discard rack."""
    return "".join(f"gone {place} to=discard\n" for place in places)


def one(own: str, dealer: str, end: object, *, stake: float = 10, before_draws: str = "") -> str:
    """A round of one box: its two cards `|` its draws, the dealer's cards, and how the wager ends.

    `end` is what is paid, "taken", "back", or lines of the script.
    """
    first, _, draws = own.partition("|")
    up, *more = dealer.split()
    settled = str(end)
    if isinstance(end, int | float):
        settled = pays(MAIN, stake, end)
    elif end in ("taken", "back"):
        settled = takes(MAIN) if end == "taken" else back(MAIN)
    dealt = bets(box1=stake) + deal(up, box1=first) + before_draws + cards("box1", draws)
    return dealt + cards("dealer", " ".join(more)) + settled + collect("box1", "dealer")


def split(own: str, first: str, second: str, dealer: str, *, stake: float = 10) -> str:
    """Box1, wagering 10, splits; what both hands and the dealer draw. Settlement and collection are left to do."""
    up, *more = dealer.split()
    placed = f"chips box1#2/main {stake} player\n" if stake else ""
    script = bets(box1=10) + deal(up, box1=own) + placed + f"gone box1 cards={own.split()[1]} to=box1#2\n"
    return script + cards("box1", first) + cards("box1#2", second) + cards("dealer", " ".join(more))
