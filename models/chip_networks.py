"""The network that reads a stack of chips, in torch: only training sees it."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from vision.chip_chain import CHANGE, LONGEST_BAND
from vision.chip_stance import TALLEST
from vision.chip_strip import CHANNELS, COLUMNS, ROWS_PER_CHIP

_FIRST, _WIDE, _DEEP = 24, 48, 80
_CLAY, _OPINIONS = 32, 64
"""Numbers that are said about the clay of a row, of which the first three are its colour; and of a row and a colour."""
_LEAST = 1e-280


def conv(inside: int, outside: int, stride: tuple[int, int] | int = 1, dilation: int = 1) -> nn.Sequential:
    layer = nn.Conv2d(inside, outside, 3, stride, dilation, dilation, bias=False)
    return nn.Sequential(layer, nn.BatchNorm2d(outside), nn.ReLU(inplace=True))


class _Rows(nn.Module):
    """A look along the rows that adds to what is known already."""

    def __init__(self, dilation: int) -> None:
        super().__init__()
        self.layer = nn.Conv1d(_DEEP, _DEEP, 5, 1, 2 * dilation, dilation, bias=False)
        self.norm = nn.BatchNorm1d(_DEEP)

    def forward(self, features: Tensor) -> Tensor:
        return torch.relu(features + self.norm(self.layer(features)))


class StackReader(nn.Module):
    """Strips and a house's palette to what a chain of bands is scored by (`vision/chip_chain.py`): how much each row
    looks like foot, joint, top and each of the colours, and how long bands may be in this view."""

    def __init__(self) -> None:
        super().__init__()
        self.look = nn.Sequential(
            conv(CHANNELS, _FIRST, (1, 2)), conv(_FIRST, _WIDE, (1, 2)), conv(_WIDE, _WIDE, (1, 2)), conv(_WIDE, _WIDE)
        )
        self.flat = nn.Sequential(
            nn.Conv1d(_WIDE * COLUMNS // 8, _DEEP, 1, bias=False), nn.BatchNorm1d(_DEEP), nn.ReLU(inplace=True)
        )
        self.rows = nn.Sequential(*(_Rows(dilation) for dilation in (1, 2, 4, 8, 2, 1)))
        self.ends = nn.Conv1d(_DEEP, 3, 1)
        self.lengths = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, LONGEST_BAND))
        self.nothing = nn.Linear(2 * _DEEP, 1)
        self.clay = nn.Conv1d(_DEEP, _CLAY, 1)
        self.said = nn.Conv1d(_CLAY, _OPINIONS, 1)
        self.wanted = nn.Sequential(nn.Conv1d(3, 32, 1), nn.ReLU(), nn.Conv1d(32, _OPINIONS, 1))
        self.agreed = nn.Conv2d(_OPINIONS, 1, 1)
        off = torch.arange(1.0, LONGEST_BAND + 1) - ROWS_PER_CHIP
        self.register_buffer("usual", -0.5 * off**2)

    def forward(self, seen: Tensor, palette: Tensor) -> tuple[Tensor, ...]:
        """The score of no chips; per row how like a foot, a joint and a top it is; the scores of a band's length; per
        row how like each colour of the palette (one, or one per sample: n x colours x 3) it is; what of the clay is
        said, which only training asks for."""
        features = self.rows(self.flat(self.look(seen).permute(0, 1, 3, 2).flatten(1, 2)))
        foot, joint, top = self.ends(features).float().unbind(1)
        lengths = (self.lengths(seen[:, -3:-1, 0, 0]).float() + self.usual).log_softmax(1)
        nothing = self.nothing(torch.cat([features.amax(2), features.mean(2)], 1)).float()
        clay = self.clay(features)
        colours = palette.transpose(1, 2)
        both = torch.relu(self.said(clay)[:, :, None] + self.wanted(colours)[..., None])
        off = clay[:, :3, None].float() - colours[..., None]
        tints = self.agreed(both)[:, 0].float() - 10 * off.square().sum(1)
        return nothing, foot, joint, top, lengths, tints, clay[:, :3].float()


@dataclass(frozen=True, slots=True, kw_only=True)
class Bands:
    """What the chains of some stacks are summed from, as in `vision/chip_chain.py`, but with gradients."""

    foot: Tensor
    joint: Tensor
    top: Tensor
    weights: Tensor
    """Samples x colours x rows x lengths: of a band that ends before a row."""
    is_there: Tensor
    """Samples x colours."""

    @classmethod
    def of(cls, said: tuple[Tensor, ...], is_there: Tensor) -> "Bands":
        foot, joint, top, lengths, tints = (each.double() for each in said)
        tints = tints.masked_fill(~is_there[..., None], -1e4)
        houses = is_there.sum(1).double().log()[:, None, None]
        tints = (tints - tints.logsumexp(1, keepdim=True) + houses).clamp(min=-60)
        summed = nn.functional.pad(tints.cumsum(2), (1, 0))[..., :-1]
        steps = summed[..., None] - _before(summed)
        weights = (steps + lengths.flip(1)[:, None, None]).exp() * (_before(torch.ones_like(summed)) > 0)
        return cls(foot=foot, joint=joint, top=top, weights=weights, is_there=is_there)

    def only(self, on: Tensor) -> "Bands":
        """Those of some samples."""
        return Bands(**{name: getattr(self, name)[on] for name in Bands.__slots__})

    def numbers(self) -> Tensor:
        """The score of 1, 2, … chips, whatever their colours."""
        there = self.is_there[..., None].double()
        colours = there.sum(1, keepdim=True)
        stays = 1 / (1 + (colours - 1) * CHANGE)

        def mixed(ended: Tensor) -> Tensor:
            return there * stays * ((1 - CHANGE) * ended + CHANGE * ended.sum(1, keepdim=True))

        return self._scores(lambda _: self.weights, there / colours, mixed)

    def of_colours(self, own: Tensor, allowed: Tensor | None = None) -> Tensor:
        """The score of 1, 2, … chips of these colours (samples x TALLEST), bottom to top. `allowed` (samples x
        TALLEST + 1 x rows) says at which rows each chip may begin or end."""
        colours = self.is_there.sum(1, keepdim=True).double()
        changes = nn.functional.pad((own[:, 1:] != own[:, :-1]).double(), (1, 0)).cumsum(1)
        joints = torch.arange(own.shape[1])
        drawn = changes * torch.tensor(CHANGE).log() - joints * (1 + (colours - 1) * CHANGE).log() - colours.log()

        def weights(level: int) -> Tensor:
            return self.weights[torch.arange(len(own)), own[:, level - 1]][:, None]

        return self._scores(weights, torch.ones(1, 1, 1).double(), lambda ended: ended, allowed) + drawn

    def _scores(
        self, weights: Callable[[int], Tensor], first: Tensor, mixed: Callable[[Tensor], Tensor],
        allowed: Tensor | None = None,
    ) -> Tensor:  # fmt: skip
        ends = self.foot, self.joint, self.top
        foot, joint, top = ((each - each.amax(1, keepdim=True)).exp()[:, None] for each in ends)
        scale, jointed = self.foot.amax(1), self.joint.amax(1)
        reached = foot * first if allowed is None else foot * first * allowed[:, :1]
        scores = []
        for level in range(1, TALLEST + 1):
            ended = (_before(reached) * weights(level)).sum(3)
            if allowed is not None:
                ended = ended * allowed[:, level, None]
            most = ended.detach().amax((1, 2), keepdim=True).clamp(min=_LEAST)
            ended, scale = ended / most, scale + most[:, 0, 0].log()
            scores.append((ended * top).sum((1, 2)).clamp(min=_LEAST).log() + scale + self.top.amax(1))
            reached, scale = mixed(ended) * joint, scale + jointed
        return torch.stack(scores, 1)


def _before(reached: Tensor) -> Tensor:
    """What was reached LONGEST_BAND, … 2, 1 rows before each row (… x rows x lengths)."""
    return nn.functional.pad(reached, (LONGEST_BAND, 0))[..., :-1].unfold(-1, LONGEST_BAND, 1)
