"""A second witness of a die's face: it sees light and colours apart, so that a lamp's gleam hides no coloured pips."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision import weights

DIE_WITNESS = "die-faces.onnx"
DIE_PX = 64
DIE_MARGIN = 1.12  # the square is that much larger than the die's box
_AXES = np.array([[1, 1, 1], [-1, 0, 1], [-1, 2, -1]], np.float32) / np.sqrt([[3], [2], [6]], dtype=np.float32)
_LEAST_SPREAD = np.array([0.04, 0.02, 0.02], np.float32)  # what varies less is even: its noise is not made larger still
_LARGEST = 1.5
_DOUBT = 0.02  # that each witness keeps, so that one sure mistake does not decide alone


def witnessed(squares: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
    """For each die's square (`DIE_PX` wide, colours first) the shares of the six faces and of nothing."""
    loaded = weights.load(DIE_WITNESS)
    seen = parted(np.stack(squares))
    twice = np.concatenate([seen, seen[..., ::-1]])  # a mirrored die shows as many pips
    scores = loaded.session.run(None, {"seen": twice})[0] / loaded.entry.settings.get("temperature", 1.0)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares = powers / powers.sum(axis=1, keepdims=True)
    return np.asarray(shares.reshape(2, len(seen), -1).mean(axis=0), np.float32)


def agreed(one: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.float32]:
    """Two witnesses' shares multiplied, each with some doubt.

    >>> both = agreed(np.array([0.9, 0.1], np.float32), np.array([0.9, 0.1], np.float32))
    >>> round(float(both[0]), 2)
    0.99
    """
    product = np.prod([(1 - _DOUBT) * each + _DOUBT / len(each) for each in (one, other)], axis=0)
    return np.asarray(product / product.sum(), np.float32)


def parted(squares: NDArray[np.float32]) -> NDArray[np.float32]:
    """Squares (n x blue, green, red) as light, red against blue and green against both, each by its own spread.

    Red pips on smoky glass differ from it by little, and by nothing of the light, of which a gleam has the most.
    """
    seen = np.einsum("ab,nbyx->nayx", _AXES, squares)
    quarter = squares.shape[-1] // 4
    inner = seen[:, :, quarter:-quarter, quarter:-quarter]
    own = inner.mean(axis=(2, 3), keepdims=True)
    spread = np.maximum(inner.std(axis=(2, 3), keepdims=True), _LEAST_SPREAD[:, None, None])
    return np.ascontiguousarray(np.clip((seen - own) / (3 * spread), -_LARGEST, _LARGEST), np.float32)
