"""What a table's own chips look like: learnt from sure readings, and used where the judge of colours hesitates."""

import numpy as np
import pytest

from datasets.chip_looks import CHIP_BGR, ChipLook
from datasets.chip_pictures import PinholeView, TrueStack, drawn_picture
from vision.chip_colours import Palette
from vision.chip_house import NO_LOOKS, EdgeLook, learnt, lesson, likeness
from vision.chips import ChipEye, Stack
from vision.memory import from_bytes, to_bytes
from vision.plan import Zone
from vision.reading import Pile
from vision.table_chips import ChipMemory, ChipTable
from vision.writer import Evidence, WaitingRoom

ZONE = [(-90.0, -90.0), (90.0, -90.0), (90.0, 90.0), (-90.0, 90.0)]
COLOURS = ["white", "blue", "red"]
WHITE, BLUE = np.full(24, 0.6), np.full(24, 0.3)
SEEN = {"white": EdgeLook(9, tuple(WHITE)), "blue": EdgeLook(9, tuple(BLUE))}


def drawn(colour: str) -> ChipLook:
    return ChipLook(
        colour=colour, bgr=CHIP_BGR[colour], spot_bgr=CHIP_BGR["white"], spots=6, spot_share=0.3,
        inlay_bgr=(230, 230, 230), inlay_radius=0.6,
    )  # fmt: skip


def test_an_edge_that_looks_as_blue_did_here_is_likelier_blue_than_anything_else() -> None:
    white, blue, red = likeness(BLUE[None] + 0.02, SEEN, COLOURS)[0]
    assert blue > 0.5 > 0 > max(white, red)


def test_an_edge_like_none_of_those_seen_here_is_likelier_of_a_colour_never_seen() -> None:
    white, blue, red = likeness(BLUE[None] - 0.25, SEEN, COLOURS)[0]
    assert red > 0.5 > 0 > max(white, blue)
    assert np.allclose(likeness(BLUE[None], NO_LOOKS, COLOURS), 0)


def test_one_chip_seen_excludes_less_than_many() -> None:
    doubtful = BLUE[None] + 0.08
    for chips, is_blue in ((1, True), (30, False)):
        _, blue, red = likeness(doubtful, {"blue": EdgeLook(chips, tuple(BLUE))}, COLOURS)[0]
        assert (blue > red) == is_blue


def test_looks_are_means_of_all_lessons_and_follow_the_light() -> None:
    edges = np.vstack([WHITE, BLUE, BLUE + 0.1])
    looks = learnt(learnt({}, lesson(edges, ("white", "blue", "blue"))), lesson(BLUE[None] - 0.1, ("blue",)))
    assert looks["white"] == EdgeLook(1, tuple(WHITE))
    assert looks["blue"].chips == 3
    assert looks["blue"].mean == pytest.approx(tuple(BLUE), abs=1e-9)
    for _ in range(60):  # the lamps are turned up: what was long ago is forgotten
        looks = learnt(looks, lesson(np.tile(BLUE + 0.2, (5, 1)), ("blue",) * 5))
    assert looks["blue"].mean == pytest.approx(tuple(BLUE + 0.2), abs=0.01)


def test_a_table_learns_from_what_it_reads_and_a_checkpoint_keeps_it() -> None:
    table = ChipTable(WaitingRoom(), {"white": 1.0}, frozenset())
    spot = Zone(name="box1/main", kind="chips", at=(0, 0), size=(80, 80))
    pile = Pile(chips=("white",) * 9, conf=0.99, at=(0, 0), region=(), lesson={"white": SEEN["white"]})
    table.conclude(spot, [[pile]] * 2, Evidence(t=1.0, cam="table", frame=1, by="player"))
    assert table.memory.looks == {"white": SEEN["white"]}
    again = from_bytes(to_bytes(table.memory), ChipMemory)
    assert again is not None
    assert again.looks == table.memory.looks


def test_a_stack_read_surely_teaches_its_colours_and_one_behind_another_does_not_stand_in_it() -> None:
    view = PinholeView(
        elevation_deg=42.0, azimuth_deg=20.0, distance_mm=2000.0, px_per_mm=1.2, middle_px=(120.0, 150.0)
    )
    x_mm, y_mm = -41 * np.sin(np.radians(20)), 41 * np.cos(np.radians(20))
    behind = TrueStack(x_mm=0.0, y_mm=0.0, chips=tuple(drawn("green") for _ in range(7)))
    front = TrueStack(x_mm=float(x_mm), y_mm=float(y_mm), chips=tuple(drawn("red") for _ in range(7)))
    picture = drawn_picture(np.random.default_rng(3), view, (behind, front), 240)
    eye = ChipEye(Palette.named(["white", "red", "green", "black"]))
    stacks = eye.stacks_in(picture.image, view, ZONE, picture.empty)
    assert [set(stack.chips) for stack in stacks] == [{"red"}, {"green"}]
    assert stacks[0].lesson["red"].chips == len(stacks[0].chips)
    apart = float(np.hypot(*np.subtract(stacks[0].place_mm, stacks[1].place_mm)))
    assert 38 < apart < 48
    known = Stack(chips=("green",) * 7, conf=0.95, place_mm=(0.0, 0.0))  # what stood there before the other hid it
    again = eye.stacks_in(picture.image, view, ZONE, picture.empty, [known])
    assert again[1].chips == known.chips
    assert again[1].conf >= stacks[1].conf
