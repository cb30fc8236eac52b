"""Files of small networks: half as large.

Weights are kept in half precision and widened when a file is opened. It runs in single precision as before: ONNX
Runtime folds the widening away once, so it costs no time per picture.
"""

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

HALF = ".half"  # ends the name of a narrow tensor
_LEAST = 256  # smaller tensors are not worth it


def halved(path: Path) -> None:
    """Rewrites the file in place."""
    model = onnx.load(path)
    casts = []
    for tensor in model.graph.initializer:
        if tensor.data_type != TensorProto.FLOAT or np.prod(tensor.dims) < _LEAST:
            continue
        name, narrow = tensor.name, numpy_helper.to_array(tensor).astype(np.float16)
        tensor.CopyFrom(numpy_helper.from_array(narrow, name + HALF))
        casts.append(helper.make_node("Cast", [name + HALF], [name], to=TensorProto.FLOAT))
    for place, cast in enumerate(casts):
        model.graph.node.insert(place, cast)
    onnx.checker.check_model(model)
    onnx.save(model, path)
