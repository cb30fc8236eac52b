"""The roulette wheel, layout and race track against geometry and arithmetic of their own."""

from fractions import Fraction
from itertools import pairwise, product

import pytest

from auditor.rulebooks.roulette_layout import NAMED, ODDS, RED, TRACK, WHEEL, complete, neighbours, spot_at


# ---- the wheel and the layout, by arithmetic of their own --------------------------------------------------------


def test_2_1_the_wheel_holds_every_number_once_and_its_colours_alternate() -> None:
    assert sorted(WHEEL) == list(range(37))
    colours = ["green" if number == 0 else "red" if number in RED else "black" for number in WHEEL]
    assert colours[0] == "green"
    assert all(a != b for a, b in pairwise([*colours, colours[0]]))


def test_4_8_the_sectors_partition_the_wheel_in_arcs() -> None:
    sector: dict[int, str] = {}
    for name in ("tier", "orphelins", "voisins-zero"):
        for spot in TRACK[name][1]:
            for number in map(int, spot.split("-")):
                assert sector.setdefault(number, name) == name
    assert sorted(sector) == list(range(37))
    around = [sector[number] for number in WHEEL]
    arcs = [name for name, before in zip(around, [around[-1], *around], strict=False) if name != before]
    assert sorted(arcs) == ["orphelins", "orphelins", "tier", "voisins-zero"]


def geometry() -> dict[str, set[str]]:
    """Every inside spot, from where a chip can lie: a number is a square, zero a bar across the head of the layout.

    Squares are two units wide. A chip lies at whole coordinates, and covers the areas it touches; on the long edge it
    stands for the whole rows it touches.
    """
    areas = {0: (-2, 0, 0, 6)} | {
        number: (2 * row, 2 * row + 2, 2 * column, 2 * column + 2)
        for number, (row, column) in enumerate(product(range(12), range(3)), 1)
    }
    kinds = {1: "straight up", 2: "split", 3: "street", 4: "corner", 6: "six-line"}
    found: dict[str, set[str]] = {kind: set() for kind in kinds.values()}
    for y, x in product(range(-1, 25), range(7)):
        touched = {n for n, (top, bottom, left, right) in areas.items() if top <= y <= bottom and left <= x <= right}
        if x == 0 and y > 0:
            touched = {n + step for n in touched for step in (0, 1, 2)}
        elif x == 0 and y == 0:
            touched = {0, 1, 2, 3}
        elif x == 6 or y == 24:
            continue
        found[kinds[len(touched)]].add("-".join(map(str, sorted(touched))))
    return found


def test_4_3_exactly_the_spots_of_the_layout_are_wagers() -> None:
    legal = geometry()
    assert {kind: len(spots) for kind, spots in legal.items()} == {
        "straight up": 37, "split": 60, "street": 14, "corner": 23, "six-line": 11,
    }  # fmt: skip
    names = {name for spots in legal.values() for name in spots}
    assert len(names) + len(NAMED) == 157
    for kind, spots in legal.items():
        for name in spots:
            spot = spot_at(f"layout/{name}")
            assert spot is not None
            assert spot.name == kind
    for size in (1, 2, 3):
        for numbers in product(range(38), repeat=size):
            if sorted(set(numbers)) == list(numbers):
                name = "-".join(map(str, numbers))
                assert (spot_at(f"layout/{name}") is not None) == (name in names), name


def test_4_3_no_other_four_or_six_numbers_are_a_wager() -> None:
    legal = geometry()
    for first in range(34):
        for steps in product((1, 2, 3, 4), repeat=3):
            numbers = [first, first + steps[0], first + sum(steps[:2]), first + sum(steps)]
            name = "-".join(map(str, numbers))
            assert (spot_at(f"layout/{name}") is not None) == (name in legal["corner"]), name
    for first in range(1, 32):
        name = "-".join(map(str, range(first, first + 6)))
        assert (spot_at(f"layout/{name}") is not None) == (name in legal["six-line"]), name
    for odd in ("17-17", "37", "1-2-3-4-5", "paid", "green", "", "1-"):
        assert spot_at(f"layout/{odd}") is None


def all_spots() -> list[str]:
    inside = [f"layout/{name}" for spots in geometry().values() for name in spots]
    track = [f"track/{name}" for name in TRACK] + [f"track/neighbours-{number}" for number in range(37)]
    return inside + [f"layout/{name}" for name in NAMED] + track


def test_6_1_the_house_edge_is_one_thirty_seventh_on_every_wager() -> None:
    spots = [spot_at(at) for at in all_spots()]
    spots += [complete(number) for number in range(37)]
    spots.append(spot_at("track/voisins-zero", voisins_pieces=7))
    for spot in spots:
        assert spot is not None
        assert Fraction(sum(spot.gains), 37 * spot.pieces) == Fraction(-1, 37), spot.name


def test_6_1_odds_follow_from_the_numbers_covered() -> None:
    for at in all_spots():
        spot = spot_at(at)
        assert spot is not None
        if spot.pieces == 1:
            assert ODDS[spot.name][0] == Fraction(36, len(spot.covered)) - 1
            assert spot.gains == tuple(ODDS[spot.name][0] if n in spot.covered else -1 for n in range(37))


@pytest.mark.parametrize(
    ("name", "pieces", "gains"),
    [
        ("tier", 6, {5: 12, 36: 12, 0: -6}),
        ("orphelins", 5, {1: 31, 17: 31, 6: 13, 20: 13, 2: -5}),
        ("voisins-zero", 9, {0: 15, 2: 15, 3: 15, 4: 9, 25: 9, 29: 9, 35: 9, 5: -9}),
        ("zero-game", 4, {26: 32, 0: 14, 12: 14, 35: 14, 2: -4}),
        ("neighbours-17", 5, {17: 31, 2: 31, 25: 31, 34: 31, 6: 31, 27: -5}),
    ],
)
def test_4_8_net_gains_of_the_race_track(name: str, pieces: int, gains: dict[int, int]) -> None:
    spot = spot_at(f"track/{name}")
    assert spot is not None
    assert spot.pieces == pieces
    assert {pocket: spot.gains[pocket] for pocket in gains} == gains


def test_4_8_e_neighbours_reach_across_the_zero() -> None:
    assert set(neighbours(26)) == {35, 3, 26, 0, 32}
    assert spot_at("track/neighbours-37") is None
