"""The object detector in torch: YOLOv5n's layers, named as its published weights are, and a head of our own.

Only training sees it; the shipped weights run without torch.
"""

from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from models.warm_start import take_up_folded

STRIDES = (8, 16, 32)
_HEAD = 64
_AT_FIRST = -4.6  # next to nothing is something


class Conv(nn.Module):
    def __init__(self, inside: int, outside: int, size: int = 1, stride: int = 1, pad: int | None = None) -> None:
        super().__init__()
        self.conv = nn.Conv2d(inside, outside, size, stride, size // 2 if pad is None else pad, bias=False)
        self.bn = nn.BatchNorm2d(outside, eps=1e-3, momentum=0.03)

    def forward(self, seen: Tensor) -> Tensor:
        return functional.silu(self.bn(self.conv(seen)))


class Bottleneck(nn.Module):
    def __init__(self, width: int, *, shortcut: bool) -> None:
        super().__init__()
        self.cv1, self.cv2, self.shortcut = Conv(width, width), Conv(width, width, 3), shortcut

    def forward(self, seen: Tensor) -> Tensor:
        changed: Tensor = self.cv2(self.cv1(seen))
        return seen + changed if self.shortcut else changed


class C3(nn.Module):
    def __init__(self, inside: int, outside: int, deep: int = 1, *, shortcut: bool = True) -> None:
        super().__init__()
        half = outside // 2
        self.cv1, self.cv2, self.cv3 = Conv(inside, half), Conv(inside, half), Conv(outside, outside)
        self.m = nn.Sequential(*(Bottleneck(half, shortcut=shortcut) for _ in range(deep)))

    def forward(self, seen: Tensor) -> Tensor:
        joined: Tensor = self.cv3(torch.cat([self.m(self.cv1(seen)), self.cv2(seen)], 1))
        return joined


class SPPF(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.cv1, self.cv2 = Conv(width, width // 2), Conv(width * 2, width)

    def forward(self, seen: Tensor) -> Tensor:
        pooled = [self.cv1(seen)]
        for _ in range(3):
            pooled.append(functional.max_pool2d(pooled[-1], 5, 1, 2))
        joined: Tensor = self.cv2(torch.cat(pooled, 1))
        return joined


class Head(nn.Module):
    """One level's answers: for each cell a score for every kind and the distances to its box's four sides."""

    def __init__(self, inside: int, kinds: int) -> None:
        super().__init__()
        self.shared = Conv(inside, _HEAD, 3)
        self.kinds = nn.Sequential(Conv(_HEAD, _HEAD, 3), _answers(kinds, _AT_FIRST))
        self.sides = nn.Sequential(Conv(_HEAD, _HEAD, 3), _answers(4, 1.0))

    def forward(self, seen: Tensor) -> tuple[Tensor, Tensor]:
        shared = self.shared(seen)
        return self.kinds(shared).flatten(2), self.sides(shared).flatten(2)


def _answers(number: int, at_first: float) -> nn.Conv2d:
    layer = nn.Conv2d(_HEAD, number, 1)
    nn.init.constant_(layer.bias, at_first)  # type: ignore[arg-type]  # it has one
    return layer


def _widened(known: nn.Conv2d, number: int) -> nn.Conv2d:
    """Answers for more kinds: those that are known already stay as they are."""
    layer = _answers(number, _AT_FIRST)
    with torch.no_grad():
        layer.weight[: len(known.weight)] = known.weight
        layer.bias[: len(known.weight)] = known.bias  # type: ignore[index]  # it has one
    return layer


class ObjectNetwork(nn.Module):
    """A picture (colours first, 0 to 1, sides multiples of 32) to scores and sides of every cell of three levels."""

    def __init__(self, kinds: int) -> None:
        super().__init__()
        self._number = kinds
        nothing = nn.Identity()  # stands where YOLOv5n enlarges and joins
        self.model = nn.ModuleList([
            Conv(3, 16, 6, 2, 2), Conv(16, 32, 3, 2), C3(32, 32), Conv(32, 64, 3, 2), C3(64, 64, 2),
            Conv(64, 128, 3, 2), C3(128, 128, 3), Conv(128, 256, 3, 2), C3(256, 256), SPPF(256),
            Conv(256, 128), nothing, nothing, C3(256, 128, shortcut=False),
            Conv(128, 64), nothing, nothing, C3(128, 64, shortcut=False),
            Conv(64, 64, 3, 2), nothing, C3(128, 128, shortcut=False),
            Conv(128, 128, 3, 2), nothing, C3(256, 256, shortcut=False),
        ])  # fmt: skip
        self.heads = nn.ModuleList(Head(width, kinds) for width in (64, 128, 256))

    def forward(self, seen: Tensor) -> list[tuple[Tensor, Tensor]]:
        """For each level scores (n x kinds x cells) and sides (n x 4 x cells) as the head gives them."""
        layer = self.model
        with torch.no_grad():  # these are held fast: `start_from`
            early = layer[2](layer[1](layer[0](seen)))
        eighth = layer[4](layer[3](early))
        sixteenth = layer[6](layer[5](eighth))
        deep = layer[10](layer[9](layer[8](layer[7](sixteenth))))
        middle = layer[14](layer[13](torch.cat([_doubled(deep), sixteenth], 1)))
        fine = layer[17](torch.cat([_doubled(middle), eighth], 1))
        middle = layer[20](torch.cat([layer[18](fine), middle], 1))
        coarse = layer[23](torch.cat([layer[21](middle), deep], 1))
        return [head(level) for head, level in zip(self.heads, (fine, middle, coarse), strict=True)]

    def start_from(self, path: Path) -> int:
        """Takes published weights where name and shape agree, holds the first, dearest layers fast; how many fit."""
        from safetensors.torch import load_file

        own = self.state_dict()
        given = {name: value for name, value in load_file(path).items() if name in own}
        fits = {name: value.to(own[name].dtype) for name, value in given.items() if own[name].shape == value.shape}
        self.load_state_dict(own | fits)
        self._hold_first()
        return len(fits)

    def resume_from(self, path: Path) -> int:
        """Goes on from weights as they ship, also from such as know fewer kinds; how many layers were taken."""
        taken = take_up_folded(self, path, torch.zeros(1, 3, 64, 64))
        for head in self.heads:
            head.kinds[1] = _widened(head.kinds[1], self._number)
        self._hold_first()
        return taken

    def _hold_first(self) -> None:
        for layer in self.model[:3]:
            layer.requires_grad_(False)

    def learning(self) -> "ObjectNetwork":
        """Ready to train: the layers that are held fast keep their statistics too."""
        self.train()
        for layer in self.model[:3]:
            layer.eval()
        return self


class Exported(nn.Module):
    """The network as it ships: one column per cell, a box (centre, width, height) in pixels and a score per kind."""

    def __init__(self, network: ObjectNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, seen: Tensor) -> Tensor:
        rows = []
        for stride, (kinds, sides) in zip(STRIDES, self.network(seen), strict=True):
            cells = centres(seen.shape[2] // stride, seen.shape[3] // stride, stride)
            box = boxes(cells, sides.transpose(1, 2), stride)
            middle, size = (box[..., :2] + box[..., 2:]) / 2, box[..., 2:] - box[..., :2]
            rows.append(torch.cat([middle, size, kinds.transpose(1, 2).sigmoid()], 2))
        return torch.cat(rows, 1).transpose(1, 2)


def centres(rows: int, columns: int, stride: int) -> Tensor:
    """The cells' middles in pixels, row by row."""
    down = (torch.arange(rows) + 0.5) * stride
    across = (torch.arange(columns) + 0.5) * stride
    return torch.stack(torch.meshgrid(across, down, indexing="xy"), 2).reshape(-1, 2)


def boxes(cells: Tensor, sides: Tensor, stride: int | Tensor) -> Tensor:
    """Boxes (corners) from distances to the left, upper, right and lower side."""
    away = functional.softplus(sides) * stride * 2
    return torch.cat([cells - away[..., :2], cells + away[..., 2:]], -1)


def _doubled(seen: Tensor) -> Tensor:
    return functional.interpolate(seen, scale_factor=2.0, mode="nearest")
