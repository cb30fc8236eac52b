"""Files of small networks: half as large, and taken up again by a later training.

Weights are kept in half precision and widened when a file is opened. It runs in single precision as before: ONNX
Runtime folds the widening away once, so it costs no time per picture.
"""

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn

_LEAST = 256  # smaller tensors are not worth it


def halved(path: Path) -> None:
    """Rewrites the file in place."""
    model = onnx.load(path)
    casts = []
    for tensor in model.graph.initializer:
        if tensor.data_type != TensorProto.FLOAT or np.prod(tensor.dims) < _LEAST:
            continue
        name, narrow = tensor.name, numpy_helper.to_array(tensor).astype(np.float16)
        tensor.CopyFrom(numpy_helper.from_array(narrow, f"{name}.half"))
        casts.append(helper.make_node("Cast", [f"{name}.half"], [name], to=TensorProto.FLOAT))
    for place, cast in enumerate(casts):
        model.graph.node.insert(place, cast)
    onnx.checker.check_model(model)
    onnx.save(model, path)


def take_up(network: nn.Module, path: Path, example: Tensor) -> int:
    """Puts the weights of a file that ships into a network; how many layers that were.

    Export has made every normalisation part of the layer before it, so those are left out from here on.
    """
    graph = onnx.load(path).graph
    given = {each.name.removesuffix(".half"): numpy_helper.to_array(each) for each in graph.initializer}
    shipped = [node.input for node in graph.node if node.op_type in ("Conv", "Gemm")]
    called: list[nn.Conv2d | nn.Linear] = []
    layers = [each for each in network.modules() if isinstance(each, nn.Conv2d | nn.Linear)]
    hooks = [layer.register_forward_hook(lambda layer, *_: called.append(layer)) for layer in layers]
    network.eval()(example)  # an exported file has its layers in the order of their use
    for hook in hooks:
        hook.remove()
    for layer, (_, weight, bias) in zip(called, shipped, strict=True):
        layer.weight = nn.Parameter(torch.tensor(given[weight], dtype=torch.float32))
        layer.bias = nn.Parameter(torch.tensor(given[bias], dtype=torch.float32))
    for each in list(network.modules()):
        for name, child in each.named_children():
            if isinstance(child, nn.BatchNorm2d):
                setattr(each, name, nn.Identity())
    return len(called)
