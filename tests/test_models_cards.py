"""Training and measuring the card eye: weights taken up again from ONNX, and cards held against labels of ranks."""

from pathlib import Path

import numpy as np
import pytest

from datasets.importers import LabelledBox, LabelledPhoto
from models.score_cards import Score, add_ranked
from vision import weights
from vision.card_reader import CROP_HEIGHT_PX, CROP_WIDTH_PX
from vision.card_reader import FILE as READER_FILE
from vision.seen import Seen


def test_a_network_taken_up_from_its_file_answers_as_the_file_does() -> None:
    torch = pytest.importorskip("torch", reason="torch comes with the extra [train]")
    pytest.importorskip("onnx", reason="onnx comes with the extra [train]")
    from models.card_nets import Reader
    from models.warm_start import take_up

    crops = np.random.default_rng(1).uniform(0, 255, (6, 3, CROP_HEIGHT_PX, CROP_WIDTH_PX)).astype(np.float32)
    net = Reader()
    take_up(net, Path(__file__).parent.parent / "models" / READER_FILE, torch.from_numpy(crops))
    net.eval()
    with torch.no_grad():
        rank, suit, *_ = net(torch.from_numpy(crops))
    wanted = weights.load(READER_FILE).session.run(["rank", "suit"], {"image": crops})
    assert rank.numpy() == pytest.approx(wanted[0], abs=1e-2)
    assert suit.numpy() == pytest.approx(wanted[1], abs=1e-2)


def test_labels_that_name_the_rank_alone_count_once_per_card() -> None:
    boxes = (LabelledBox("K", 50, 50, 60, 90), LabelledBox("9", 150, 50, 60, 90))
    photo = LabelledPhoto(path=Path("a.jpg"), position=0, boxes=boxes)
    seen = [
        Seen(kind="card", label="Ks", conf=0.9, box=(30, 20, 50, 40)),
        Seen(kind="card", label="Ks", conf=0.9, box=(60, 60, 75, 80)),  # its other corner, not merged
        Seen(kind="card", label="6d", conf=0.9, box=(140, 20, 160, 40)),
        Seen(kind="card", label="9d", conf=0.3, box=(140, 20, 160, 40)),
        Seen(kind="card", label="9?", conf=0.9, box=(140, 20, 160, 40)),
    ]
    score = Score()
    add_ranked(score, photo, seen, threshold=0.5)
    assert (score.right, score.wrong, score.found, score.truths) == (2, 1, 1, 2)
