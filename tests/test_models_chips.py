"""Training the eye for chips: weights taken up again from ONNX."""

from pathlib import Path

import numpy as np
import pytest

from vision import weights
from vision.chip_count import COUNTER
from vision.chip_strip import CHANNELS, COLUMNS, ROWS


def test_a_counter_taken_up_from_its_file_answers_as_the_file_does() -> None:
    torch = pytest.importorskip("torch", reason="torch comes with the extra [train]")
    pytest.importorskip("onnx", reason="onnx comes with the extra [train]")
    from models.chip_networks import Counter
    from models.warm_start import take_up

    seen = np.random.default_rng(1).uniform(-0.5, 0.5, (4, CHANNELS, ROWS, COLUMNS)).astype(np.float32)
    net = Counter()
    take_up(net, Path(__file__).parent.parent / "models" / COUNTER, torch.from_numpy(seen))
    net.eval()
    with torch.no_grad():
        scores, *_, clay = net(torch.from_numpy(seen))
    wanted = weights.load(COUNTER).session.run(["scores", "clay"], {"seen": seen})
    assert scores.numpy() == pytest.approx(wanted[0], abs=1e-2)
    assert clay.numpy() == pytest.approx(wanted[1], abs=1e-2)
