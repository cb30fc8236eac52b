"""Write roulette rounds the short way."""

from typing import Any

from playing import Answer, play

GAME = "act-roulette"


def spun(pocket: Any = 17, *, dolly: Any = None, laps: float = 10.4, launch: str = "spin cw ccw dealer") -> str:
    """A spin from its launch to the dolly."""
    return f"""
        {launch}
        call no_more_bets dealer
        ball leave_track laps={laps}
        ball rest pocket={pocket}
        dolly {pocket if dolly is None else dolly}
    """


def bet(at: str, amount: float, colour: str = "blue") -> str:
    return f"chips {at} {amount} player colour={colour}\n"


def pay(at: str, amount: float, colour: str = "blue") -> str:
    """The dealer leaves so much at a spot: the stake with its gain, or nothing."""
    return f"chips {at} {amount} dealer colour={colour}\n"


def pick(at: str, colour: str = "blue") -> str:
    return f"chips {at} 0 player colour={colour}\n"


def roulette(*parts: str, **house: Any) -> list[Answer]:
    return play(GAME, "dolly null\n" + "\n".join(parts), **house)


def won(at: str, stake: float, due: float, pocket: int, **house: Any) -> list[Answer]:
    return roulette(bet(at, stake), spun(pocket), pay(at, stake + due), pick(at), **house)
