"""How crops are cut for the reader's training; needs the training extra."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the training extra is not installed")

from models.reader_patches import NO_RANK, PATCH, adjustments, cut  # noqa: E402
from vision.index_crops import CLOSE, WIDE, Cut, adjusted, upright_crop  # noqa: E402

_TRUE = np.array([(0, 0), (1, 0), (0, 1)], np.float32)


def test_what_the_reader_is_to_put_right_leads_back_to_the_true_frame() -> None:
    taken = np.array([(0.1, -0.05), (1.1, 0.1), (-0.15, 0.9)], np.float32)
    (by,) = adjustments(torch.tensor(taken[None, 0]), torch.tensor(taken[None, 1:]))
    assert np.allclose(adjusted(taken, by.numpy()), _TRUE, atol=1e-5)


@pytest.mark.parametrize("shown", [CLOSE, WIDE])
def test_a_crop_cut_without_a_mistake_is_the_crop_the_eye_would_cut(
    shown: Cut, monkeypatch: pytest.MonkeyPatch
) -> None:
    x, y = np.meshgrid(np.arange(200), np.arange(200))
    waves = np.dstack([np.sin(x / 9 + y / 13), np.cos(y / 8), np.sin(x / 10)])  # smooth: a patch is itself a copy
    picture = np.asarray(127 + 90 * waves, np.uint8)
    frame = np.array([(100, 100), (18, 0), (0, -18)], np.float32)
    patch = upright_crop(picture, frame, PATCH).astype(np.float32)
    still = (torch.zeros(1, 2), torch.eye(2)[None])
    monkeypatch.setattr("models.reader_patches._jitter", lambda count: still)
    monkeypatch.setattr("models.reader_patches._MISPLACED", 0.0)
    patches, known = torch.tensor(patch).permute(2, 0, 1)[None], [torch.tensor([each]) for each in (3, 1, True)]
    crops = cut(patches, *known, shown=shown)
    assert crops.images.shape[2:] == (shown.height_px, shown.width_px)
    assert np.abs(crops.images[0].permute(1, 2, 0).numpy() - upright_crop(picture, frame, shown)).max() < 1.5
    assert crops.rank.item() == 3
    assert crops.adjust.abs().max() < 1e-5


def test_a_crop_the_wrong_way_up_is_no_index(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("models.reader_patches._MISPLACED", 1.0)
    images = torch.zeros(5, 3, PATCH.height_px, PATCH.width_px)
    crops = cut(images, torch.tensor([3] * 5), torch.tensor([1] * 5), torch.tensor([True] * 5))
    assert crops.rank.tolist() == [NO_RANK] * 5
    assert crops.adjust.isnan().all()
