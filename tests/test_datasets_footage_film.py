"""Filming: the footage is what the log says it is, with true times, and faults do to it what they are said to."""

import contextlib
import json
import math
from pathlib import Path

import av
import numpy as np
import pytest

from auditor.cli import cli
from auditor.cli_casino import CAMERAS
from auditor.log import FairdealError
from auditor.log_reader import LogReader
from datasets.casino.cameras import PRESETS, preset
from datasets.casino.encode import FootageWriter
from datasets.casino.faults import FAULTS, Fault, FaultyLens, parse_faults, schedule
from datasets.casino.footage import Shoot, frame_times, look_of, prepare, simulate_footage
from vision.table_file import load_table

SMALL = Shoot(size=(320, 180), fps=2, pace="fast", exposures=1)


@pytest.fixture(scope="module")
def rendering() -> None:
    from datasets.casino import gl

    try:
        gl.context()
    except FairdealError as error:
        pytest.skip(f"nothing can be rendered here: {error}")


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory, rendering: None) -> Path:
    """One round of blackjack, small and jerky, with the lights out for a while."""
    out = tmp_path_factory.mktemp("night")
    simulate_footage(
        "act-blackjack", rounds=1, seed=2, errors={"payout.short": 1}, out=out,
        shoot=Shoot(size=(256, 144), fps=2, pace="fast", exposures=1, faults=("dark",)),
    )  # fmt: skip
    return out


def _pictures(path: Path) -> list[tuple[float, np.ndarray]]:
    with av.open(str(path)) as container:
        return [(float(frame.time or 0), frame.to_ndarray(format="gray")) for frame in container.decode(video=0)]


def test_the_folder_holds_everything_and_reads_back(night: Path) -> None:
    names = {"footage.mp4", "table.toml", "truth.jsonl", "seeded.jsonl", "scene.json"}
    assert {path.name for path in night.iterdir()} == names
    table = load_table(night / "table.toml")
    camera = table.camera()
    assert camera is not None
    assert camera.view((256, 144)).error_px < 0.5
    assert table.chips["red"] == 5
    assert json.loads((night / "scene.json").read_text())["seed"] == 2
    with (night / "truth.jsonl").open("rb") as stream:
        events = list(LogReader(stream, "truth"))
    seeded = json.loads((night / "seeded.jsonl").read_text())
    assert seeded["kind"] == "payout.short"
    assert any(abs(event.t - seeded["t"]) < 2 and getattr(event, "at", "") == seeded["at"] for event in events)
    card = next(event for event in events if hasattr(event, "card"))
    assert card.region is not None
    assert len(card.region) == 4
    assert card.frame == math.ceil(card.t * 2)


def test_frames_carry_true_times_and_the_dark_is_in_the_log(night: Path) -> None:
    pictures = _pictures(night / "footage.mp4")
    assert [t for t, _ in pictures] == pytest.approx([number / 2 for number in range(len(pictures))])
    with (night / "truth.jsonl").open("rb") as stream:
        feeds = [(event.t, event.state) for event in LogReader(stream, "") if hasattr(event, "state")]
    assert [state for _, state in feeds] == ["lost", "back"]
    (lost, _), (back, _) = feeds
    dark = [picture.mean() for t, picture in pictures if lost + 0.4 < t < back - 0.4]
    light = [picture.mean() for t, picture in pictures if t < lost]
    assert dark
    assert max(dark) < 0.3 * min(light)


@pytest.mark.usefixtures("rendering")
def test_the_log_agrees_with_the_ids_of_the_renderer() -> None:
    from datasets.casino.footage_truth import astray, disagreements, hidden
    from datasets.casino.motion_chips import bank_of, cash_chips
    from datasets.casino.stage import Stage

    take = prepare("act-blackjack", rounds=1, seed=3, errors={}, shoot=SMALL)
    stage = Stage(take.plan, look_of(3, "house"), preset("overhead", take.plan.felt, (640, 360)))
    bank = bank_of(cash_chips("act-blackjack"), {})
    for share in (0.35, 0.5, 0.6, 0.7, 0.8, 0.9):
        assert disagreements(take, stage, bank, share * take.duration_s) == []
        number = int(share * len(take.performance.events)) - 1
        assert hidden(take, stage, number) == []
        assert astray(take, stage, number) == []


def test_the_command_offers_the_cameras_there_are() -> None:
    assert (*PRESETS, "random") == CAMERAS


def test_the_same_seed_gives_the_same_truth() -> None:
    one, two = (prepare("act-uth", rounds=1, seed=4, errors={}, shoot=SMALL) for _ in range(2))
    assert one.events() == two.events()


def test_faults_are_spread_and_parsed() -> None:
    faults = schedule(FAULTS, 120.0, 1)
    assert {fault.kind for fault in faults} == set(FAULTS)
    assert all(0 < fault.start < fault.end <= 120.0 for fault in faults)
    assert schedule(("dark",), 120.0, 1) == [fault for fault in faults if fault.kind == "dark"]
    with pytest.raises(FairdealError, match="--faults: 'fog'"):
        parse_faults("fog")


@pytest.mark.parametrize("kind", [kind for kind in FAULTS if kind not in ("drop", "freeze", "head")])
def test_a_fault_changes_the_picture_while_it_lasts_and_only_then(kind: str) -> None:
    lens = FaultyLens([Fault(kind=kind, start=1.0, end=3.0, lot=77)])
    image = np.random.default_rng(1).integers(40, 200, (90, 160, 3)).astype(np.uint8)
    before, during = lens.see(image, 0.5), lens.see(image, 2.0)
    assert before is image
    assert during is not None
    assert np.abs(during.astype(int) - image).mean() > 1


def test_frozen_pictures_repeat_and_dropped_ones_are_missing() -> None:
    frozen = FaultyLens([Fault(kind="freeze", start=1.0, end=2.0, lot=1)])
    images = [np.full((8, 8, 3), number, np.uint8) for number in range(30)]
    seen = [frozen.see(image, number / 10) for number, image in enumerate(images)]
    assert seen[15] is images[9]
    assert seen[25] is images[25]
    dropping = FaultyLens([Fault(kind="drop", start=0.0, end=30.0, lot=1)])
    kept = [dropping.see(images[0], number / 10) is not None for number in range(300)]
    assert 0 < sum(kept) < len(kept)


def test_footage_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    image = np.zeros((64, 64, 3), np.uint8)
    with FootageWriter(tmp_path / "a.mp4", size=(64, 64), fps=12.5) as writer:
        for index in (0, 1, 2, 5):  # two frames dropped
            writer.write(index, image)
    assert [round(t, 3) for t, _ in _pictures(tmp_path / "a.mp4")] == [0.0, 0.08, 0.16, 0.4]
    with contextlib.suppress(RuntimeError), FootageWriter(tmp_path / "b.mp4", size=(64, 64), fps=25) as writer:
        writer.write(0, image)
        raise RuntimeError
    assert [path.name for path in tmp_path.iterdir()] == ["a.mp4"]
    assert frame_times(1.0, 12.5)[:3] == [0.0, 0.08, 0.16]


@pytest.mark.parametrize(("option", "value"), [("--size", "1281x720"), ("--faults", "fog"), ("--decks", "tarot")])
def test_bad_options_are_told_in_one_line(option: str, value: str, tmp_path: Path) -> None:
    arguments = ["simulate", "--game", "act-blackjack", "--rounds", "1", "--out", str(tmp_path), option, value]
    with pytest.raises(FairdealError, match=option) as told:
        cli.main(arguments, standalone_mode=False)
    assert "\n" not in str(told.value)
    assert list(tmp_path.iterdir()) == []
