"""Training the eye for chips: weights taken up again from ONNX, and chains summed as the eye sums them."""

from itertools import product
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision import weights
from vision.chip_chain import LONGEST_BAND, Chains
from vision.chip_colours import Palette
from vision.chip_count import READER
from vision.chip_stance import TALLEST, Stance, foot_seen
from vision.chip_strip import CHANNELS, COLUMNS, ROWS
from vision.chip_trust import Evidence
from vision.plan import load_plan

torch = pytest.importorskip("torch", reason="torch comes with the extra [train]")
pytest.importorskip("onnx", reason="onnx comes with the extra [train]")

pytest.importorskip("moderngl", reason="moderngl comes with the extra [simulate]")

from models.calibrate_chips import Judged, fitted  # noqa: E402
from models.chip_networks import Bands, StackReader  # noqa: E402
from models.evaluate_rendered_chips import part_of  # noqa: E402
from models.warm_start import take_up  # noqa: E402


def test_a_reader_taken_up_from_its_file_answers_as_the_file_does() -> None:
    rng = np.random.default_rng(1)
    seen = rng.uniform(-0.5, 0.5, (4, CHANNELS, ROWS, COLUMNS)).astype(np.float32)
    palette = (Palette.named().bgr / 255 - 0.5).astype(np.float32)[None]
    net, given = StackReader(), (torch.from_numpy(seen), torch.from_numpy(palette))
    take_up(net, Path(__file__).parent.parent / "models" / READER, *given)
    net.eval()
    with torch.no_grad():
        said = net(*given)
    shipped = weights.load(READER).session.run(None, {"seen": seen, "palette": palette})
    for ours, wanted in zip(said, shipped, strict=True):
        assert ours.numpy() == pytest.approx(wanted, abs=2e-2)


def test_training_sums_the_chains_that_the_eye_sums_and_all_colourings_are_the_number() -> None:
    rng, colours = np.random.default_rng(2), 3
    foot, joint, top = rng.normal(0, 2, (3, 2, ROWS))
    lengths, tints = rng.normal(0, 1, (2, LONGEST_BAND)), rng.normal(0, 2, (2, colours, ROWS))
    chains = Chains(foot=foot, joint=joint, top=top, lengths=lengths, tints=tints)
    said = tuple(torch.from_numpy(each) for each in (foot, joint, top, lengths, tints))
    bands = Bands.of(said, torch.ones(2, colours, dtype=torch.bool))
    assert bands.numbers().numpy() == pytest.approx(chains.numbers(), abs=1e-6)
    ways = {}
    for way in product(range(colours), repeat=3):
        own = torch.zeros(2, TALLEST, dtype=torch.long)
        own[:, :3] = torch.tensor(way)
        ways[way] = bands.of_colours(own)[:, 2].numpy()
    total = np.logaddexp.reduce(list(ways.values()))
    assert total == pytest.approx(chains.numbers()[:, 2], abs=1e-6)
    for one in range(2):
        chosen, sure = chains[one].colours(3)
        assert np.exp(ways[tuple(chosen.tolist())][one] - total[one]) == pytest.approx(sure, abs=1e-6)


def test_fitted_trust_is_as_often_right_as_it_says() -> None:
    rng, results = np.random.default_rng(3), []
    for number, colours, felt, left in rng.uniform([0.5, 0.5, 0, -0.3], [1, 1, 40, 0.3], (4000, 4)):
        missed = max(0.0, left)  # half of the spots have nothing left over; where much is, one in three misses a stack
        evidence = Evidence.of(number, colours, 2.5, off_felt=felt).beside(missed, missed)
        are_all_found = rng.random() > missed
        is_counted = are_all_found and rng.random() < (number if felt > 10 else 0.6 * number)
        is_right = is_counted and rng.random() < colours
        results.append(
            Judged(evidence=evidence, are_all_found=are_all_found, is_number_right=is_counted, is_right=is_right)
        )
    trust = fitted(results)
    assert trust.like_felt < -1  # what stands on felt of its own colour is misread oftener
    assert trust.missed < -0.5
    says = np.array([trust.conf(each.evidence) for each in results])
    right = np.array([each.is_right for each in results])
    for low in (0.3, 0.5, 0.7):
        some = (says >= low) & (says < low + 0.2)
        assert says[some].mean() == pytest.approx(right[some].mean(), abs=0.04)


def test_a_zoomed_camera_frames_a_part_of_the_felt_with_a_spot_in_it() -> None:
    plan = load_plan("act-blackjack")
    felt, part = np.array(plan.felt), np.array(part_of(np.random.default_rng(5), plan, 2.5))
    assert np.ptp(part, axis=0) == pytest.approx(np.ptp(felt, axis=0) / 2.5)
    assert (part >= felt.min(axis=0)).all()
    assert (part <= felt.max(axis=0)).all()
    inside = cv2.convexHull(part.astype(np.float32))
    assert any(cv2.pointPolygonTest(inside, zone.at, False) > 0 for zone in plan.zones if zone.kind == "chips")


def test_a_foot_is_hidden_by_stacks_nearer_to_the_camera_and_by_no_others() -> None:
    stance = Stance.guessed(np.array([100.0, 100.0]), 40.0, 0.7)
    before, aside = stance.moved(np.array([0.0, 32.0])), stance.moved(np.array([24.0, 26.0]))
    assert foot_seen(stance, [(stance, 3)]) == 1.0
    assert foot_seen(stance, [(before, 8)]) < 0.2
    assert 0.2 < foot_seen(stance, [(aside, 8)]) < 0.8
    assert foot_seen(before, [(stance, 8)]) == 1.0
