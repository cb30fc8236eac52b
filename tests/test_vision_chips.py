"""The eye for chips: its geometry, its colours, and what it reads in drawn pictures."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

from auditor.cli_chips import chips as chips_command
from auditor.log import FairdealError
from datasets.chip_pictures import ChipPicture, PinholeView, TrueStack, chip_pictures, drawn_picture
from datasets.chip_looks import CHIP_BGR, ChipLook
from vision.chip_chain import LONGEST_BAND, Chains
from vision.chip_colours import Palette, lab_of, load_palette
from vision.chip_count import Look, look_at
from vision.chip_edges import bands, shown
from vision.chip_feet import Feet, off_felt, standing
from vision.chip_stance import Stance, place_at
from vision.chip_strip import FOOT_ROW, ROWS
from vision.chip_trust import Evidence, Trust
from vision.chip_zone import ChipZone
from vision.chips import ChipEye, Stack

PALETTE_BGR = Palette.named().bgr
ZONE = [(-90.0, -90.0), (90.0, -90.0), (90.0, 90.0), (-90.0, 90.0)]


def look(colour: str) -> ChipLook:
    return ChipLook(
        colour=colour, bgr=CHIP_BGR[colour], spot_bgr=CHIP_BGR["white"], spots=6, spot_share=0.3,
        inlay_bgr=(230, 230, 230), inlay_radius=0.6,
    )  # fmt: skip


def picture_of(*chips: str, elevation_deg: float = 42.0, x_mm: float = 6.0, seed: int = 3) -> ChipPicture:
    view = PinholeView(
        elevation_deg=elevation_deg, azimuth_deg=20.0, distance_mm=2000.0, px_per_mm=1.2, middle_px=(120.0, 150.0)
    )
    stack = TrueStack(x_mm=x_mm, y_mm=-4.0, chips=tuple(look(chip) for chip in chips))
    return drawn_picture(np.random.default_rng(seed), view, (stack,), 240)


def test_a_stance_follows_the_camera() -> None:
    view = PinholeView(elevation_deg=50, azimuth_deg=200, distance_mm=1500, px_per_mm=1.0, roll_deg=12)
    stance = Stance.at(view.all_to_px, 30, -20)
    top = view.all_to_px(np.array([[30.0, -20.0, 10 * 3.3]]))[0]
    assert np.allclose(stance.centres(np.array([10.0]))[0], top, atol=0.05)
    assert stance.aspect == pytest.approx(np.sin(np.radians(50)), abs=0.02)
    assert np.allclose(place_at(view.all_to_px, stance.foot, np.zeros(2)), (30, -20), atol=0.01)


def test_a_stacks_foot_is_found_where_it_stands_and_what_it_explains_is_not_looked_at_again() -> None:
    stance = Stance.guessed(np.array([120.0, 140.0]), 40.0, 0.7)
    evidence = np.full((240, 240), -1, np.float32)
    hull = cv2.convexHull(stance.outline(7).astype(np.float32))
    cv2.fillConvexPoly(evidence, np.round(hull).astype(np.int32), 1)
    feet, everywhere = Feet(evidence, stance), np.ones(evidence.shape, bool)
    found = feet.next(everywhere)
    assert found is not None
    assert np.linalg.norm(found[0] - stance.foot) < 4
    assert feet.may_hide(stance, 7)
    assert not feet.may_hide(stance, 20)
    assert feet.felt_under(stance, 7) < 0.05 < 0.3 < feet.felt_under(stance.moved(stance.across), 7)
    feet.explain(stance, 7)
    again = feet.next(everywhere)
    assert again is None or again[1] < 0.4


def test_feet_are_found_on_neither_side_of_where_stacks_stand() -> None:
    asides = []
    for x_mm in np.arange(-8.0, 8.0, 1.0):
        picture = picture_of("red", "red", "red", "red", x_mm=float(x_mm))
        found = ChipZone(picture.image, picture.view, ZONE, picture.empty, PALETTE_BGR).next_look()
        assert found is not None
        away = found.stance.foot - Stance.at(picture.view.all_to_px, float(x_mm), -4.0).foot
        asides.append(float(away @ found.stance.across) / np.linalg.norm(found.stance.across) ** 2)
    assert abs(np.mean(asides)) < 0.02  # radii: half a pixel of the crop is 0.04


def test_spots_below_what_looks_like_a_foot_are_seen_and_bare_felt_is_not() -> None:
    stance = Stance.guessed(np.array([120.0, 170.0]), 40.0, 0.7)
    higher = stance.moved(4 * stance.rise)
    evidence = np.full((240, 240), -1, np.float32)
    cv2.fillConvexPoly(evidence, np.round(cv2.convexHull(higher.outline(5).astype(np.float32))).astype(np.int32), 1)
    assert not Feet(evidence, stance).stands_below(stance, 4, higher)
    spots = np.round(cv2.convexHull(stance.outline(4).astype(np.float32))).astype(np.int32)
    speckled = np.zeros(evidence.shape, np.uint8)
    cv2.fillConvexPoly(speckled, spots, 1)
    evidence[(speckled > 0) & (np.arange(240) % 8 < 3)] = 1  # of chips in the felt's colour only spots are told from it
    assert Feet(evidence, stance).stands_below(stance, 4, higher)


def test_felt_in_shade_is_still_felt() -> None:
    felt = np.full((60, 60, 3), (60, 100, 40), np.uint8)
    shaded = felt.copy()
    shaded[:, 30:] = (felt[:, 30:] * 0.7).astype(np.uint8)
    assert (standing(shaded, felt) < 0).all()
    shaded[20:40, 10:20] = (40, 30, 190)
    assert (standing(shaded, felt)[23:37, 13:17] > 0).all()


def test_a_dark_chip_on_dark_felt_is_told_from_shade_by_its_marks() -> None:
    felt = np.full((60, 60, 3), (76, 74, 70), np.uint8)
    chip = felt.copy()
    cv2.circle(chip, (30, 30), 13, (38, 37, 35), -1)
    assert not (standing(chip, felt) > 0).any()
    cv2.circle(chip, (30, 30), 6, (150, 150, 150), -1)
    for x, y in ((22, 22), (38, 22), (22, 38), (38, 38)):
        cv2.circle(chip, (x, y), 3, (150, 150, 150), -1)
    inside = cv2.circle(np.zeros((60, 60), np.uint8), (30, 30), 8, 1, -1) > 0
    assert (standing(chip, felt)[inside] > 0).mean() > 0.8
    assert (standing(chip, felt)[:14] < 0).all()


def test_what_a_stack_before_another_covers_says_nothing_of_the_others_colours() -> None:
    strips = np.full((ROWS, 32, 9), 200, np.uint8)
    hidden = np.zeros((ROWS, 32), bool)
    hidden[:, :20] = True
    strips[hidden] = 10
    rows = FOOT_ROW + 4.0 * np.arange(4, dtype=np.float64)
    assert all(part.min() == 10 for part in bands(strips, rows, 0.7)[:-1])
    assert all((part == 200).all() for part in bands(strips, rows, 0.7, hidden)[:-1])
    assert (shown(hidden) > 0).all()
    assert (shown(hidden) < shown(np.zeros_like(hidden))).all()
    hidden[: int(rows[1]) + 1] = True  # the lowest chip is hidden whole: its neighbours tell its colour
    assert (shown(hidden) > 0).tolist() == [row > rows[1] for row in range(ROWS)]
    hidden[:] = True  # where all of it is hidden, something must be said
    assert all(len(part) for part in bands(strips, rows, 0.7, hidden))


def test_a_stack_goes_on_where_something_stands_above_the_chips_that_can_be_counted() -> None:
    stance = Stance.guessed(np.array([120.0, 180.0]), 40.0, 0.7)
    for chips, goes_on in ((20, False), (23, True)):
        evidence = np.full((240, 240), -1, np.float32)
        hull = cv2.convexHull(stance.outline(chips).astype(np.float32))
        cv2.fillConvexPoly(evidence, np.round(hull).astype(np.int32), 1)
        feet = Feet(evidence, stance)
        feet.explain(stance, 20)
        assert feet.stands_above(stance, 20) == goes_on


def test_only_the_stack_in_front_hides() -> None:
    picture = picture_of("red", "red", "red", "red", "red", "red")
    zone = ChipZone(picture.image, picture.view, ZONE, picture.empty, PALETTE_BGR)
    behind = Stance.at(picture.view.all_to_px, 6.0 - 45 * np.sin(np.radians(20)), -4.0 + 45 * np.cos(np.radians(20)))
    assert not zone.hidden(behind).any()
    found = zone.next_look()
    assert found is not None
    assert not zone.is_taken(found.stance)
    zone.explain(found.stance, found.likeliest)
    assert zone.is_taken(found.stance)
    assert not zone.is_taken(behind)
    assert zone.hidden(found.stance)[FOOT_ROW + 8, 16]
    assert not zone.hidden(found.stance)[:, 0].any()


def test_what_rises_into_a_zone_from_a_stack_before_it_is_that_stacks() -> None:
    """A tall stack's top shows over the felt of the zone behind it: nothing stands there."""
    picture, chips, at = picture_of(*("red",) * 14), 14, np.array([6.0, -4.0])
    to_px = picture.view.all_to_px
    behind = place_at(to_px, to_px(np.array([(*at, chips * 3.3)]))[0], at)
    before = 2 * at - behind
    known = [((6.0, -4.0), chips)]
    zones = {
        name: ChipZone(picture.image, picture.view, _square(middle), picture.empty, PALETTE_BGR, others)
        for name, middle, others in (("alone", behind, []), ("behind", behind, known), ("before", before, known))
    }
    assert zones["alone"].unexplained() > 0.6
    assert zones["behind"].unexplained() < 0.4  # a rim, as drawn chips lie crooked
    assert zones["behind"].hidden(Stance.at(to_px, *behind)).any()
    assert not zones["before"].hidden(Stance.at(to_px, *before)).any()


def _square(middle: NDArray[np.float64]) -> list[tuple[float, float]]:
    return [(middle[0] + x, middle[1] + y) for x, y in ((-22, -22), (22, -22), (22, 22), (-22, 22))]


def test_what_shows_of_a_stack_behind_another_is_left_beside_it() -> None:
    alone = picture_of("red", "red", "red", "red", "red", "red")
    toward = alone.view.all_to_px(np.array([(6.0, -4.0, 0.0), (6.0, -4.0, 60.0)]))
    behind = place_at(alone.view.all_to_px, toward[1], np.array([6.0, -4.0]))
    away = (behind - (6.0, -4.0)) / np.linalg.norm(behind - (6.0, -4.0)) * 40.0
    left = {}
    front = TrueStack(x_mm=6.0, y_mm=-4.0, chips=(look("red"),) * 6)
    back = TrueStack(x_mm=6.0 + away[0], y_mm=-4.0 + away[1], chips=(look("blue"),))
    for name, stacks in (("alone", (front,)), ("two", (front, back))):
        picture = drawn_picture(np.random.default_rng(3), alone.view, stacks, 240)
        zone = ChipZone(picture.image, picture.view, ZONE, picture.empty, PALETTE_BGR)
        found = zone.next_look()
        assert found is not None
        assert zone.beside() == 0.0  # beside nothing, nothing is
        zone.explain(found.stance, found.likeliest)
        left[name] = zone.beside()
    assert left["alone"] < 0.1  # a rim, as chips lie crooked
    assert left["two"] > left["alone"] + 0.15


def chains_of(joints: list[int], tints: NDArray[np.float64]) -> Chains:
    """A stack whose joints show at these rows, with what its rows (colours x rows) say of colours."""
    foot, joint, top = np.zeros((3, 1, ROWS))
    foot[0, joints[0]], joint[0, joints[1:-1]], top[0, joints[-1]] = 50.0, 30.0, 50.0
    lengths = -0.5 * (np.arange(1.0, LONGEST_BAND + 1) - 4) ** 2
    return Chains(foot=foot, joint=joint, top=top, lengths=lengths[None], tints=tints[None])


def test_a_crooked_stacks_chips_are_followed_joint_by_joint() -> None:
    joints = [FOOT_ROW + 1, FOOT_ROW + 5, FOOT_ROW + 8, FOOT_ROW + 13]
    stance = Stance.guessed(np.array([100.0, 100.0]), 40.0, 0.7)
    chains = chains_of(joints, np.zeros((2, ROWS)))
    assert chains.numbers()[0].argmax() == 2
    look = Look(stance=stance, strips=np.zeros((ROWS, 32, 9), np.uint8), chances=np.eye(21)[3], chains=chains)
    stack = look.stack(look.likeliest)
    assert np.allclose(stack.rows, joints, atol=1e-3)
    assert np.allclose(stack.stance.foot, stance.foot + stance.rise / 4, atol=1e-3)


def test_where_no_joint_shows_a_change_of_colour_is_one() -> None:
    foot, joint, top = np.full((3, 1, ROWS), -20.0)
    foot[0, 16], top[0, 26], joint[:] = 0.0, 0.0, 0.0  # ten rows: two chips of any heights, or three
    tints = np.zeros((1, 2, ROWS))
    tints[0, 0, 16:22], tints[0, 1, 22:26] = 3.0, 3.0
    lengths = -0.5 * (np.arange(1.0, LONGEST_BAND + 1) - 4) ** 2
    chains = Chains(foot=foot, joint=joint, top=top, lengths=lengths[None], tints=tints)
    assert np.allclose(chains.rows(2), [16, 22, 26], atol=0.2)
    colours, sure = chains.colours(2)
    assert colours.tolist() == [0, 1]
    assert sure > 0.95
    hidden = chains.telling(np.zeros(ROWS), chains.rows(2))  # of which nothing is seen but the outline
    assert np.allclose(hidden.rows(2), [16, 21, 26], atol=0.2)
    seen_at_the_top = chains.telling((np.arange(ROWS) >= 22).astype(float), chains.rows(2))
    colours, likely = seen_at_the_top.colours(2)
    assert colours.tolist() == [1, 1]  # what is hidden is likely like what is seen
    assert likely > 0.85


def test_one_of_several_stacks_is_what_it_would_be_alone() -> None:
    rng = np.random.default_rng(2)
    said: dict[str, Any] = {name: rng.normal(0, 3, (3, ROWS)) for name in ("foot", "joint", "top")}
    said |= {"lengths": rng.normal(0, 1, (3, LONGEST_BAND)), "tints": rng.normal(0, 2, (3, 4, ROWS))}
    every = Chains(**said)
    numbers = every.numbers()
    for one in range(3):
        alone = Chains(**{name: each[one : one + 1] for name, each in said.items()})
        assert np.array_equal(every[one].rows(5), alone.rows(5))  # of which nothing was worked out before
        assert np.array_equal(alone.numbers()[0], numbers[one])
        assert np.array_equal(every[one].colours(7)[0], alone.colours(7)[0])


def test_felt_in_shade_is_felt_and_no_lowest_chip() -> None:
    picture = picture_of("red", "red", "red")
    felt = picture.empty[:20, :20]
    assert off_felt((felt * 0.5).astype(np.uint8), felt)[0].max() < 4
    assert off_felt(np.full_like(felt, CHIP_BGR["red"]), felt)[0].min() > 20
    stance = Stance.at(picture.view.all_to_px, 6.0, -4.0)
    shaded = (picture.empty * 0.6).astype(np.uint8)
    for image, least, most in ((picture.image, 20, 300), (shaded, 0, 4)):
        (seen,) = look_at(image, [stance], PALETTE_BGR, picture.empty)
        assert seen.off_felt is not None
        assert least <= seen.off_felt[FOOT_ROW] < most
    assert look_at(shaded, [stance], PALETTE_BGR)[0].off_felt is None


def test_whatever_speaks_against_a_reading_makes_the_eye_less_sure() -> None:
    trust = Trust(missed=-1.0, found_offset=6.0, number=0.8, left=-1.5, like_felt=-1.2, number_offset=0.3, size=1.5)
    sure = Evidence.of(0.995, 0.995, 3.0, off_felt=40.0)
    assert trust.conf(sure) > 0.96
    for worse in (
        Evidence.of(0.995, 0.6, 3.0, off_felt=40.0), Evidence.of(0.995, 0.995, 1.0, off_felt=40.0),
        Evidence.of(0.995, 0.995, 3.0, off_felt=4.0), sure.beside(1.0, 0.0), sure.beside(0.0, 0.3),
    ):  # fmt: skip
        assert trust.conf(worse) < trust.conf(sure)
    assert trust.conf(Evidence.of(0.6, 0.999, 3.0)) < 0.7  # sure colours do not make up for a doubtful number
    assert Trust().conf(Evidence.of(0.9, 0.8, 2.0)) == pytest.approx(0.72, abs=0.001)


def test_a_known_stack_that_is_gone_is_not_said_to_be_hidden() -> None:
    picture = picture_of(*["red"] * 7)
    gone = Stack(chips=("red",) * 7, conf=0.9, place_mm=(6.0, -4.0))
    assert ChipEye(Palette.named(["red"])).stacks_in(picture.empty, picture.view, ZONE, picture.empty, [gone]) == []


def two_stacks(front: tuple[str, ...], back: tuple[str, ...]) -> tuple[ChipPicture, Stack, Stack]:
    """A stack that hides the foot of another, and what there is to read."""
    alone, at = picture_of(*front), np.array([6.0, -4.0])
    toward = alone.view.all_to_px(np.array([(*at, 60.0)]))
    away = place_at(alone.view.all_to_px, toward[0], at) - at
    behind = at + 41.0 * away / np.linalg.norm(away)
    places = (6.0, -4.0), (float(behind[0]), float(behind[1]))
    stacks = [
        TrueStack(x_mm=x, y_mm=y, chips=tuple(look(chip) for chip in chips))
        for (x, y), chips in zip(places, (front, back), strict=True)
    ]
    picture = drawn_picture(np.random.default_rng(3), alone.view, tuple(stacks), 240)
    known = [Stack(chips=chips, conf=0.99, place_mm=at) for chips, at in zip((front, back), places, strict=True)]
    return picture, known[0], known[1]


@pytest.mark.parametrize("front", [6, 18])  # the top of the other shows, or nothing of it
def test_a_known_stack_of_which_another_hides_the_foot_still_stands_behind_it(front: int) -> None:
    picture, _, known = two_stacks(("red",) * front, ("red",) * 7)
    eye = ChipEye(Palette.named(["red", "white"]))
    stacks = eye.stacks_in(picture.image, picture.view, ZONE, picture.empty, [known])
    assert sorted(len(stack.chips) for stack in stacks) == sorted((front, 7))
    gone = picture_of(*["red"] * front)
    there = eye.stacks_in(gone.image, gone.view, ZONE, gone.empty, [known])
    assert len(there) == (1 if front == 6 else 2)  # where nothing of it would show, nobody can see that it is gone


@pytest.mark.parametrize(("before", "behind"), [(5, 1), (6, 2), (7, 3), (8, 4)])
def test_the_face_of_a_stack_says_its_colour_where_its_edges_are_hidden(before: int, behind: int) -> None:
    picture, front, _ = two_stacks(("white",) * before, ("green",) * behind)
    palette = Palette.named(["white", "pink", "green", "black", "blue"])
    stacks = ChipEye(palette).stacks_in(picture.image, picture.view, ZONE, picture.empty, [front])
    assert {chip for stack in stacks[1:] for chip in stack.chips} == {"green"}


def test_colours_are_read_in_the_chain_and_single_odd_ones_are_not_believed_easily() -> None:
    joints = [16, 20, 24, 28]
    chances = [0.98, 0.01, 0.01], [0.01, 0.98, 0.01], [0.35, 0.6, 0.05]
    red, green, doubt = (np.log(each)[:, None] / 4 for each in chances)
    tints = np.zeros((3, ROWS))
    tints[:, 16:24], tints[:, 24:28] = red, green
    colours, sure = chains_of(joints, tints).colours(3)
    assert colours.tolist() == [0, 0, 1]
    assert sure > 0.85
    tints[:, 20:24], tints[:, 24:28] = doubt, red
    colours, unsure = chains_of(joints, tints).colours(3)
    assert colours.tolist() == [0, 0, 0]
    assert unsure < 0.97
    likely = np.log([[1.0, 1.0, 1.0], [0.01, 0.98, 0.01], [1.0, 1.0, 1.0]])  # the house's green chips looked so before
    assert chains_of(joints, tints).told(np.array(joints, float), likely).colours(3)[0].tolist() == [0, 1, 0]


def test_an_unknown_colour_says_how_to_teach_it() -> None:
    with pytest.raises(FairdealError, match="chips learn"):
        Palette.named().only({"mauve": 5})


@pytest.mark.parametrize("chips", [("red",), ("white",) * 3, ("black",) * 5, ("blue", "blue", "red", "red")])
def test_a_plain_stack_is_read_with_a_known_camera(chips: tuple[str, ...]) -> None:
    picture = picture_of(*chips, seed=8)
    stacks = ChipEye(Palette.named(["white", "red", "green", "black", "blue"])).stacks_in(
        picture.image, picture.view, ZONE, picture.empty
    )
    assert [stack.chips for stack in stacks] == [chips]
    assert np.allclose(stacks[0].place_mm, (6, -4), atol=5)


def test_empty_felt_has_no_stacks() -> None:
    view = PinholeView(elevation_deg=45, azimuth_deg=0, distance_mm=2000, px_per_mm=1.2, middle_px=(120, 150))
    for seed in range(5):
        picture = drawn_picture(np.random.default_rng(seed), view, (), 240)
        assert ChipEye().stacks_in(picture.image, view, ZONE, picture.empty) == []


def test_most_drawn_stacks_are_counted_exactly() -> None:
    right = [
        look.likeliest == len(stack.chips)
        for picture in chip_pictures(25, 4242, low_deg=35, high_deg=55, least_px=36, highest=10)
        for stack in picture.stacks
        if stack.visible > 0.9
        for look in look_at(picture.image, [Stance.at(picture.view.all_to_px, stack.x_mm, stack.y_mm)], PALETTE_BGR)
    ]
    assert np.mean(right) > 0.8


def test_a_chip_is_taught_from_one_picture(tmp_path: Path) -> None:
    photo, known = tmp_path / "coral.png", tmp_path / "chips.toml"
    cv2.imwrite(str(photo), picture_of(*["pink"] * 6, elevation_deg=35.0).image)
    result = CliRunner().invoke(
        chips_command, ["learn", str(photo), "--colour", "coral", "--value", "2.5", "--out", str(known)]
    )
    assert result.exit_code == 0, result.output
    taught = load_palette(known).only({"coral": 2.5, "green": 25})
    lab = lab_of(np.array([CHIP_BGR["pink"], taught.bgr[0]], dtype=float))
    assert np.arctan2(*lab[0, 1:]) == pytest.approx(np.arctan2(*lab[1, 1:]), abs=0.15)  # its hue, in that light


def test_a_picture_without_chips_teaches_nothing(tmp_path: Path) -> None:
    photo = tmp_path / "felt.png"
    cv2.imwrite(str(photo), np.full((200, 200, 3), (60, 90, 30), np.uint8))
    result = CliRunner().invoke(
        chips_command, ["learn", str(photo), "--colour", "red", "--out", str(tmp_path / "c.toml")]
    )
    assert isinstance(result.exception, FairdealError)
    assert "no chip" in str(result.exception)
