"""Short ways to write rounds of Ultimate Texas Hold-em for the tests."""

from playing import Answer, play

BOARD = ("9h", "8d", "6d", "4c", "2s")
PAIR = ("9c", "Jd")  # with BOARD: a pair of nines, the dealer qualifies
ODD = ("Qs", "Jd")  # with BOARD: queen high, the dealer does not
ACES, KINGS, FIVES, NOTHING = ("As", "Ad"), ("Ks", "Kd"), ("5s", "5d"), ("3h", "Kc")


def uth(script: str, **house: object) -> list[Answer]:
    return play("act-uth", script, **house)


def bets(box: str = "box1", ante: float = 10, trips: float = 0, blind: float | None = None) -> str:
    lines = [f"chips {box}/ante {ante:g} player", f"chips {box}/blind {ante if blind is None else blind:g} player"]
    return "\n".join([*lines, f"chips {box}/trips {trips:g} player"] if trips else lines) + "\n"


def cards(*places: str) -> str:
    return "".join(f"card {place} ??\n" for place in places)


def dealt(*boxes: str, shoe: str = "card") -> str:
    boxes = boxes or ("box1",)
    board = ["board"] * 5
    if shoe == "auto":
        return cards(*board, *(box for box in boxes for _ in range(2)), "dealer", "dealer")
    return cards(*board, *boxes, "dealer", *boxes, "dealer")


def turned(place: str, *names: str) -> str:
    return "".join(f"turn {place} {name}\n" for name in names)


def flop(board: tuple[str, ...] = BOARD) -> str:
    return turned("board", *board[:3])


def river(board: tuple[str, ...] = BOARD) -> str:
    return turned("board", *board[3:])


def shown(hand: tuple[str, ...] = PAIR) -> str:
    return "call dealer_hand dealer\n" + turned("dealer", *hand)


def bet(box: str, stake: float) -> str:
    return f"chips {box}/play {stake:g} player\n"


def check(*boxes: str) -> str:
    return "".join(f"call check {box} player\n" for box in boxes)


def settled(box: str, hand: tuple[str, ...], **spots: float) -> str:
    """Cards turned, then at each spot what stands there when the dealer is done; then chips and cards go."""
    lines = [*(f"turn {box} {card}" for card in hand)]
    for spot, amount in spots.items():
        lines += [f"chips {box}/{spot} {amount:g} dealer", f"chips {box}/{spot} 0 player"]
    return "\n".join([*lines, f"gone {box} to=discard"]) + "\n"


def back(*spots: str) -> str:
    return "".join(f"chips {spot} 0 player\n" for spot in spots)


def taken(*spots: str) -> str:
    return "".join(f"chips {spot} 0 dealer\n" for spot in spots)


def gathered(*boxes: str) -> str:
    return "".join(f"gone {place} to=discard\n" for place in (*boxes, "dealer", "board"))


WON = turned("box1", *ACES) + (
    "chips box1/ante 20 dealer\nchips box1/ante 0 player\nchips box1/blind 0 player\n"
    "chips box1/play 80 dealer\nchips box1/play 0 player\n"
)
"""Aces against a pair, 10 on ante and blind and 40 on play."""


def aces_win(before: str = "", after: str = WON, *, play_at: str = bet("box1", 40), dealer: str = shown()) -> str:
    """A whole round of one player, four times the ante before the flop."""
    return "shuffle\n" + bets() + before + dealt() + play_at + flop() + river() + dealer + after + gathered("box1")


def one_player(*, first: str = "", second: str = "", third: str = "", stake: float = 0) -> list[Answer]:
    """What box1 does before the flop, after it and on the river; then aces win and everything is paid in full."""
    script = "shuffle\n" + bets() + dealt() + first + flop() + second + river() + third + shown()
    script += turned("box1", *ACES) + "chips box1/ante 20 dealer\n" + back("box1/ante", "box1/blind")
    return uth(script + f"chips box1/play {2 * stake:g} dealer\n" + back("box1/play") + gathered("box1"))


KNOCK = check("box1")


def fold(after: str, *, trips: float = 5, before: str = "", **house: object) -> list[Answer]:
    """box2 folds after the deal, box1's aces win."""
    script = "shuffle\n" + bets() + bets("box2", trips=trips) + dealt("box1", "box2") + bet("box1", 40) + before
    script += flop() + river() + shown() + WON + "gone box1\n" + after
    return uth(script + gathered("box2"), **house)


GONE = "call fold box2 player\ngone box2 to=discard\n"
