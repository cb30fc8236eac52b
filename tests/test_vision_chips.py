"""The eye for chips: its geometry, its colours, and what it reads in drawn pictures."""

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from auditor.cli_chips import chips as chips_command
from auditor.log import FairdealError
from datasets.chip_pictures import ChipPicture, PinholeView, TrueStack, chip_pictures, drawn_picture
from datasets.chip_looks import CHIP_BGR, ChipLook
from vision.chip_colours import Palette, load_palette
from vision.chip_count import count_chips
from vision.chip_mask import not_felt, outline_fit, possible_feet
from vision.chip_stance import Stance, place_at
from vision.chips import ChipEye

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


def test_a_stacks_outline_is_found_where_it_stands() -> None:
    picture = picture_of(*["red"] * 7)
    stance = Stance.at(picture.view.all_to_px, 6, -4)
    mask = not_felt(picture.image)
    feet = possible_feet(mask, stance)
    assert min(np.linalg.norm(foot - stance.foot) for foot in feet) < 4
    fits = {chips: outline_fit(mask, stance, chips)[0] for chips in (2, 7, 14)}
    assert max(fits, key=lambda chips: fits[chips]) == 7


def test_colours_are_matched_to_the_house_and_single_odd_ones_are_not_believed_easily() -> None:
    palette = Palette.named().only({"red": 5, "green": 25, "black": 100})
    names, sure = palette.match(np.array([CHIP_BGR["red"], CHIP_BGR["red"], CHIP_BGR["green"]], dtype=float))
    assert names == ("red", "red", "green")
    assert sure > 0.9
    assert palette.chips["green"].value == 25


def test_an_unknown_colour_says_how_to_teach_it() -> None:
    with pytest.raises(FairdealError, match="chips learn"):
        Palette.named().only({"mauve": 5})


@pytest.mark.parametrize("chips", [("red",), ("white",) * 3, ("black",) * 5, ("blue", "blue", "white", "white")])
def test_a_plain_stack_is_read_with_a_known_camera(chips: tuple[str, ...]) -> None:
    picture = picture_of(*chips)
    stacks = ChipEye(Palette.named(["white", "red", "green", "black", "blue"])).stacks_in(
        picture.image, picture.view, ZONE
    )
    assert [stack.chips for stack in stacks] == [chips]
    assert np.allclose(stacks[0].place_mm, (6, -4), atol=5)


def test_empty_felt_has_no_stacks() -> None:
    view = PinholeView(elevation_deg=45, azimuth_deg=0, distance_mm=2000, px_per_mm=1.2, middle_px=(120, 150))
    for seed in range(5):
        picture = drawn_picture(np.random.default_rng(seed), view, (), 240)
        assert ChipEye().stacks_in(picture.image, view, ZONE) == []


def test_most_drawn_stacks_are_counted_exactly() -> None:
    right = [
        counted is not None and len(counted.bgr) == len(stack.chips)
        for picture in chip_pictures(25, 4242, low_deg=35, high_deg=55, least_px=36, highest=10)
        for stack in picture.stacks
        if stack.visible > 0.9
        for counted in count_chips(picture.image, [Stance.at(picture.view.all_to_px, stack.x_mm, stack.y_mm)])
    ]
    assert np.mean(right) > 0.8


def test_a_chip_is_taught_from_one_picture(tmp_path: Path) -> None:
    import cv2

    photo, known = tmp_path / "coral.png", tmp_path / "chips.toml"
    cv2.imwrite(str(photo), picture_of(*["pink"] * 6, elevation_deg=35.0).image)
    result = CliRunner().invoke(
        chips_command, ["learn", str(photo), "--colour", "coral", "--value", "2.5", "--out", str(known)]
    )
    assert result.exit_code == 0, result.output
    taught = load_palette(known).only({"coral": 2.5, "green": 25})
    assert taught.match(np.array([CHIP_BGR["pink"]], dtype=float))[0] == ("coral",)


def test_a_picture_without_chips_teaches_nothing(tmp_path: Path) -> None:
    import cv2

    photo = tmp_path / "felt.png"
    cv2.imwrite(str(photo), np.full((200, 200, 3), (60, 90, 30), np.uint8))
    result = CliRunner().invoke(
        chips_command, ["learn", str(photo), "--colour", "red", "--out", str(tmp_path / "c.toml")]
    )
    assert isinstance(result.exception, FairdealError)
    assert "no chip" in str(result.exception)
