"""Training the reader of dice and tiles: weights taken up again from ONNX."""

from pathlib import Path

import numpy as np
import pytest

from vision import weights
from vision.die_witness import DIE_WITNESS


@pytest.mark.parametrize(("file", "has_layers"), [("small-faces.onnx", 11), ("die-faces.onnx", 13)])
def test_a_face_reader_taken_up_from_its_file_answers_as_the_file_does(file: str, has_layers: int) -> None:
    torch = pytest.importorskip("torch", reason="torch comes with the extra [train]")
    pytest.importorskip("onnx", reason="onnx comes with the extra [train]")
    from models.train_dice import DieReader
    from models.train_faces import FaceReader
    from models.warm_start import take_up_folded

    shipped = weights.load(file).session
    seen = np.random.default_rng(1).uniform(0, 1, (3, 3, *shipped.get_inputs()[0].shape[-2:])).astype(np.float32)
    net = DieReader() if file == DIE_WITNESS else FaceReader()
    layers = take_up_folded(net, Path(__file__).parent.parent / "models" / file, torch.from_numpy(seen))
    with torch.no_grad():
        scores = net(torch.from_numpy(seen))
    assert layers == has_layers
    assert scores.numpy() == pytest.approx(shipped.run(None, {"seen": seen})[0], abs=1e-3)


def test_a_patch_cut_upright_is_turned_little_and_any_other_by_any_angle() -> None:
    torch = pytest.importorskip("torch", reason="torch comes with the extra [train]")
    from models.die_batches import cut

    torch.manual_seed(3)
    patch = torch.zeros(1, 3, 112, 112)
    patch[:, :, :48] = 1.0  # bright above the middle
    upright = cut(patch.expand(40, -1, -1, -1), torch.zeros(40, dtype=torch.bool))
    turned = cut(patch.expand(40, -1, -1, -1), torch.ones(40, dtype=torch.bool))
    above = [(seen[:, :, :24].mean((1, 2, 3)) > seen[:, :, -24:].mean((1, 2, 3)) + 0.3) for seen in (upright, turned)]
    assert above[0].all()
    assert 0.2 < above[1].float().mean() < 0.7
