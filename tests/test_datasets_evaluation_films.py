"""The set that is scored once: what is filmed, by which cameras, and the same footage with a worse camera."""

import itertools
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from auditor.log import FairdealError, Feed
from datasets.casino.encode import FootageWriter
from datasets.evaluation_films import OTHERS, ROUNDS, SHOOT, is_accepted, programme
from datasets.faulty_films import with_faults
from datasets.score import account
from datasets.simulate import simulate_log
from vision.frames import Recording

SIZE, FPS, LASTS_S = (96, 64), 12.5, 20.0


def test_whenever_it_is_stopped_the_set_is_balanced_and_every_game_comes() -> None:
    clips = list(itertools.islice(programme(), 35))
    plain = Counter(clip.game for clip in clips if not clip.faults)
    assert {plain[game] for game in ROUNDS} == {5}
    assert {plain[game] for game in OTHERS} == {1}
    assert sorted(clip.game for clip in clips if clip.faults) == sorted(ROUNDS)


def test_only_cameras_that_the_doctor_accepts_are_filmed_by() -> None:
    assert any(is_accepted("act-baccarat", seed, SHOOT) for seed in range(40))
    assert not all(is_accepted("act-baccarat", seed, SHOOT) for seed in range(40))


def _filmed(folder: Path) -> Path:
    simulate_log("act-baccarat", rounds=1, seed=1, errors={}, out=folder)
    shoot = {"fps": FPS, "size": SIZE, "faults": []}
    (folder / "scene.json").write_text(json.dumps({"seed": 1, "duration": LASTS_S, "faults": [], "shoot": shoot}))
    with FootageWriter(folder / "footage.mp4", size=SIZE, fps=FPS) as writer:
        for index in range(round(LASTS_S * FPS)):
            writer.write(index, np.full((SIZE[1], SIZE[0], 3), 120, np.uint8))
    return folder


def test_a_fault_darkens_the_pictures_of_its_time_and_is_in_the_truth(tmp_path: Path) -> None:
    night = _filmed(tmp_path / "night")
    (fault,) = with_faults(night, tmp_path / "dark", ("dark",))
    grey = {frame.t: frame.luma.mean() for frame in Recording([tmp_path / "dark" / "footage.mp4"]).frames()}
    dark = [t for t, mean in grey.items() if mean < 60]
    assert fault.start < min(dark) < max(dark) < fault.end
    assert len(grey) == round(LASTS_S * FPS)
    told = [(event.t, event.state) for event in account(tmp_path / "dark" / "truth.jsonl").events
            if isinstance(event, Feed)]  # fmt: skip
    assert told == [(fault.start, "lost"), (fault.end, "back")]
    with pytest.raises(FairdealError):
        with_faults(tmp_path / "dark", tmp_path / "again", ("blur",))


def test_good_cameras_are_fewer_and_need_larger_pictures() -> None:
    large = replace(SHOOT, size=(2560, 1440))
    good = [seed for seed in range(40) if is_accepted("act-baccarat", seed, large, ("good",))]
    assert good
    assert all(is_accepted("act-baccarat", seed, large) for seed in good)
    assert not any(is_accepted("act-baccarat", seed, SHOOT, ("good",)) for seed in range(40))
