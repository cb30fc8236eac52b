"""Training the reader of dice and tiles: weights taken up again from ONNX."""

from pathlib import Path

import numpy as np
import pytest

from vision import weights

_FILE = "small-faces.onnx"


def test_a_face_reader_taken_up_from_its_file_answers_as_the_file_does() -> None:
    torch = pytest.importorskip("torch", reason="torch comes with the extra [train]")
    pytest.importorskip("onnx", reason="onnx comes with the extra [train]")
    from models.train_faces import FaceReader
    from models.warm_start import take_up_folded

    shipped = weights.load(_FILE).session
    seen = np.random.default_rng(1).uniform(0, 1, (3, 3, *shipped.get_inputs()[0].shape[-2:])).astype(np.float32)
    net = FaceReader()
    layers = take_up_folded(net, Path(__file__).parent.parent / "models" / _FILE, torch.from_numpy(seen))
    with torch.no_grad():
        scores = net(torch.from_numpy(seen))
    assert layers == 11
    assert scores.numpy() == pytest.approx(shipped.run(None, {"seen": seen})[0], abs=1e-3)
