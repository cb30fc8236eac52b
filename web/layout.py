"""The roulette layout as a plan: where every number lies, and where the chips on a combination stand."""

from collections.abc import Sequence
from typing import Any

import msgspec

from auditor.places import spot_of
from auditor.rulebooks.roulette_layout import RED
from web.arrivals import Arrivals, Standing
from web.queries import FindingRow, RoundRow, WagerRow

LEFT, TOP, CELL_WIDTH, CELL_HEIGHT, ZERO_WIDTH = 14.0, 16.0, 70.0, 62.0, 52.0
INSIDE_STEP, OUTSIDE_STEP = 15.0, 25.0
TRACKS = ("voisins-zero", "orphelins", "tier", "zero-game", "neighbours")
_OUTSIDE = {"low": 0, "even": 1, "red": 2, "black": 3, "odd": 4, "high": 5}
_SHADES = {"blue", "yellow", "green", "pink", "brown", "red", "black", "white", "orange", "purple", "grey"}


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """A field of the layout."""

    name: str
    x: float
    y: float
    width: float
    height: float
    shade: str
    is_winner: bool = False


class Stack(msgspec.Struct, frozen=True, kw_only=True):
    """A wager's chips."""

    x: float
    y: float
    at: str
    stake: int
    colour: str
    shade: str
    result: str
    due: int | None
    paid: int | None
    is_marked: bool
    t: float


class Layout(msgspec.Struct, frozen=True, kw_only=True):
    """The whole layout."""

    cells: list[Cell]
    stacks: list[Stack]
    tracks: list[tuple[str, float, float]]
    spin: dict[str, Any] | None
    result_t: float


def layout(round: RoundRow, wagers: Sequence[WagerRow], finding: FindingRow | None, came: Arrivals) -> Layout:
    """The layout of a round of roulette, with the place of a finding marked, and when everything came."""
    spin: dict[str, Any] | None = msgspec.json.decode(round.answer).get("spin")
    stacks: list[Stack] = []
    standing: dict[tuple[float, float], int] = {}
    for each in wagers:
        place = spot_xy(spot_of(each.at), is_track=each.at.startswith("track/"))
        step = INSIDE_STEP if spot_of(each.at)[0].isdigit() else OUTSIDE_STEP
        height = standing[place] = standing.get(place, 0) + 1
        colour = each.colour or ""
        is_marked = finding is not None and (finding.at, finding.colour) == (each.at, each.colour)
        stood = came.chips.get((each.at, each.colour), Standing(t=0.0, settled_t=0.0))
        stacks.append(
            Stack(
                x=place[0] + step * (height - 1), y=place[1], at=each.at, stake=each.stake, colour=colour,
                shade=colour if colour in _SHADES else "value", result=each.result or "undecided", due=each.due,
                paid=each.paid, is_marked=is_marked, t=stood.t,
            )
        )  # fmt: skip
    stacks.sort(key=lambda stack: stack.is_marked)  # the marked one on top
    is_tracked = any(each.at.startswith("track/") for each in wagers)
    centres = {name: spot_xy(name, is_track=True) for name in TRACKS} if is_tracked else {}
    tracks = [(name, x - 20, y - 20) for name, (x, y) in centres.items()]
    cells = _cells(spin["pocket"] if spin else None)
    return Layout(cells=cells, stacks=stacks, tracks=tracks, spin=spin, result_t=came.result_t)


def number_xy(number: int) -> tuple[float, float]:
    """The centre of a number's field.

    >>> number_xy(1)[1] > number_xy(3)[1], number_xy(4)[0] - number_xy(1)[0]
    (True, 70.0)
    """
    if number == 0:
        return LEFT + ZERO_WIDTH / 2, TOP + CELL_HEIGHT * 1.5
    column, row = (number - 1) // 3, 2 - (number - 1) % 3
    return LEFT + ZERO_WIDTH + CELL_WIDTH * (column + 0.5), TOP + CELL_HEIGHT * (row + 0.5)


def spot_xy(spot: str, *, is_track: bool = False) -> tuple[float, float]:
    """Where chips for that spot stand: between the numbers, streets and six lines on the outer line."""
    bottom = TOP + 3 * CELL_HEIGHT
    if is_track:
        slot = TRACKS.index(spot) if spot in TRACKS else len(TRACKS) - 1
        return LEFT + ZERO_WIDTH + 22 + 172 * slot, bottom + CELL_HEIGHT * 2 + 52
    if spot in _OUTSIDE:
        return LEFT + ZERO_WIDTH + CELL_WIDTH * (2 * _OUTSIDE[spot] + 1), bottom + CELL_HEIGHT * 1.5
    if spot.startswith("dozen"):
        return LEFT + ZERO_WIDTH + CELL_WIDTH * (4 * int(spot[5:]) - 2), bottom + CELL_HEIGHT * 0.5
    if spot.startswith("column"):
        return LEFT + ZERO_WIDTH + CELL_WIDTH * 12.5, TOP + CELL_HEIGHT * (3.5 - int(spot[6:]))
    numbers = [int(part) for part in spot.split("-") if part.isdigit()]
    if not numbers:
        return LEFT + ZERO_WIDTH / 2, bottom + CELL_HEIGHT * 1.5
    places = [number_xy(number) for number in numbers if number or len(numbers) == 1]
    x, y = (sum(place[axis] for place in places) / len(places) for axis in (0, 1))
    if 0 in numbers and len(numbers) > 1:
        return LEFT + ZERO_WIDTH, bottom if len(numbers) == 4 else y
    return x, bottom if len(numbers) in (3, 6) else y


def _cell(
    name: str, corner: tuple[float, float], fields: tuple[int, int], shade: str, *, is_winner: bool = False
) -> Cell:
    """A field with that corner, so many numbers wide and high."""
    x, y = corner
    width, height = CELL_WIDTH * fields[0] or ZERO_WIDTH, CELL_HEIGHT * fields[1]
    return Cell(name=name, x=x, y=y, width=width, height=height, shade=shade, is_winner=is_winner)


def _cells(winner: int | None) -> list[Cell]:
    left, bottom = LEFT + ZERO_WIDTH, TOP + 3 * CELL_HEIGHT
    cells = [_cell("0", (LEFT, TOP), (0, 3), "green", is_winner=winner == 0)]
    for number in range(1, 37):
        x, y = number_xy(number)
        shade = "red" if number in RED else "black"
        corner = (x - CELL_WIDTH / 2, y - CELL_HEIGHT / 2)
        cells.append(_cell(str(number), corner, (1, 1), shade, is_winner=number == winner))
    for number in (1, 2, 3):
        cells.append(_cell(f"col {number}", (left + CELL_WIDTH * 12, TOP + CELL_HEIGHT * (3 - number)), (1, 1), "felt"))
        cells.append(_cell(f"dozen {number}", (left + CELL_WIDTH * 4 * (number - 1), bottom), (4, 1), "felt"))
    for spot, place in _OUTSIDE.items():
        cells.append(_cell(spot, (left + CELL_WIDTH * 2 * place, bottom + CELL_HEIGHT), (2, 1), f"felt {spot}"))
    return cells
