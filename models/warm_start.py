"""Takes a shipped network up again: its ONNX file's weights put back into the network that training changes.

Export folds every batch norm into the layer before it. `take_up` gives each layer one again, set so that the network
answers as before: it takes away what the convolution puts out on average and adds it back. `take_up_folded` goes on
without them.
"""

import itertools
from pathlib import Path
from typing import TypeAlias

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from models.small_onnx import HALF

_FOLDED = "onnx::Conv"
_Conv: TypeAlias = nn.Conv1d | nn.Conv2d
_Norm: TypeAlias = nn.BatchNorm1d | nn.BatchNorm2d


def take_up(net: nn.Module, path: Path, *examples: Tensor) -> None:
    """Load the weights of `path`; `examples` are what the network will be given."""
    held = _tensors(onnx.load(path).graph)
    named = dict(net.named_parameters())
    folded = [held[name] for name in held if name.startswith(_FOLDED)]
    pairs = _convolutions_with_norms(net)
    if len(folded) != 2 * len(pairs):
        raise SystemExit(f"{path}: {len(folded) // 2} convolutions, the network has {len(pairs)}: not its weights")
    with torch.no_grad():
        for name, value in held.items():
            if name in named and named[name].shape == value.shape:  # another number of classes begins anew
                named[name].copy_(value)
        for (conv, norm), weight, bias in zip(pairs, folded[::2], folded[1::2], strict=True):
            conv.weight.copy_(weight)
            norm.bias.copy_(bias)
            norm.eps = 0.0
        _measure_norms(net, [norm for _, norm in pairs], *examples)


def take_up_folded(net: nn.Module, path: Path, example: Tensor) -> int:
    """Load the weights of `path` and leave the norms, which are part of them, out; how many layers were loaded."""
    graph = onnx.load(path).graph
    held = _tensors(graph)
    shipped = [node.input for node in graph.node if node.op_type in ("Conv", "Gemm")]
    used: list[nn.Conv2d | nn.Linear] = []
    layers = [each for each in net.modules() if isinstance(each, nn.Conv2d | nn.Linear)]
    hooks = [layer.register_forward_hook(lambda layer, *_: used.append(layer)) for layer in layers]
    net.eval()(example)  # an exported file has its layers in the order of their use
    for hook in hooks:
        hook.remove()
    for layer, (_, weight, bias) in zip(used, shipped, strict=True):
        layer.weight, layer.bias = nn.Parameter(held[weight]), nn.Parameter(held[bias])
    for each in list(net.modules()):
        for name, child in each.named_children():
            if isinstance(child, nn.BatchNorm2d):
                setattr(each, name, nn.Identity())
    return len(used)


def _tensors(graph: onnx.GraphProto) -> dict[str, Tensor]:
    """The file's tensors in single precision, also those that `halved` has narrowed."""
    return {
        tensor.name.removesuffix(HALF): torch.tensor(numpy_helper.to_array(tensor)).float()
        for tensor in graph.initializer
    }


def _convolutions_with_norms(net: nn.Module) -> list[tuple[_Conv, _Norm]]:
    """In the order in which pictures pass them, which is the order in which they were declared."""
    modules = [module for module in net.modules() if isinstance(module, _Conv | _Norm)]
    return [
        (conv, norm)
        for conv, norm in itertools.pairwise(modules)
        if isinstance(conv, _Conv) and isinstance(norm, _Norm)
    ]


def _measure_norms(net: nn.Module, norms: list[_Norm], *examples: Tensor) -> None:
    """While the norms change nothing, see what they are given, and take it for their mean and spread."""
    given: dict[nn.Module, tuple[Tensor, Tensor]] = {}

    def note(norm: nn.Module, inputs: tuple[Tensor, ...]) -> None:
        others = [axis for axis in range(inputs[0].dim()) if axis != 1]
        given[norm] = inputs[0].mean(others), inputs[0].var(others)

    hooks = [norm.register_forward_pre_hook(note) for norm in norms]
    net.eval()
    net(*examples)
    net.train()
    for hook in hooks:
        hook.remove()
    for norm in norms:
        mean, spread = given[norm]
        norm.eps = 1e-5
        norm.running_mean, norm.running_var = mean, spread  # type: ignore[assignment]
        norm.weight.copy_((spread + norm.eps).sqrt())
        norm.bias.add_(mean)
