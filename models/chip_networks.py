"""The network that counts chips, in torch: only training sees it, the shipped weights run without torch."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.chip_stance import TALLEST
from vision.chip_strip import CHANNELS, ROWS, ROWS_PER_CHIP


def conv(inside: int, outside: int, stride: tuple[int, int] | int = 1, dilation: int = 1) -> nn.Sequential:
    layer = nn.Conv2d(inside, outside, 3, stride, dilation, dilation, bias=False)
    return nn.Sequential(layer, nn.BatchNorm2d(outside), nn.ReLU(inplace=True))


def _row_conv(inside: int, outside: int, dilation: int) -> nn.Sequential:
    layer = nn.Conv1d(inside, outside, 5, 1, 2 * dilation, dilation, bias=False)
    return nn.Sequential(layer, nn.BatchNorm1d(outside), nn.ReLU(inplace=True))


class Counter(nn.Module):
    """Strips to a score for every number of chips, from two witnesses that must agree.

    One asks how well a foot at some row goes with a top that many chips above it; the other sums over the rows what
    part of a chip each holds, which follows the joints between chips where they are seen and the stack is crooked.
    """

    def __init__(self) -> None:
        super().__init__()
        self.look = nn.Sequential(conv(CHANNELS, 24, (1, 2)), conv(24, 32, (1, 2)), conv(32, 32, (1, 2)), conv(32, 32))
        self.rows = nn.Sequential(
            _row_conv(128, 64, 1),
            _row_conv(64, 64, 2),
            _row_conv(64, 64, 4),
            _row_conv(64, 64, 8),
            _row_conv(64, 64, 1),
        )
        self.ends = nn.Conv1d(64, 3, 1)
        self.clay = nn.Sequential(conv(24 + 64, 24), nn.Conv2d(24, 1, 1))
        self.gain = nn.Conv1d(64, 1, 1)
        self.whole = nn.Sequential(nn.Linear(128, 32), nn.ReLU(), nn.Linear(32, 2))
        self.register_buffer("numbers", torch.arange(1.0, TALLEST + 1)[None])

    def forward(self, seen: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Scores for 0 … TALLEST chips; per row how much it looks like foot and top, and its chip's own colour."""
        first = self.look[0](seen)
        features = self.rows(self.look[1:](first).permute(0, 1, 3, 2).flatten(1, 2))
        foot, top, part = self.ends(features).unbind(1)
        nothing, doubt = self.whole(torch.cat([features.amax(2), features.mean(2)], 1)).split(1, 1)
        total = functional.softplus(part - 1.0).sum(1, keepdim=True)
        by_sum = -((self.numbers - total) ** 2) / (2 * (0.15 + functional.softplus(doubt)) ** 2)
        by_ends = [
            torch.logsumexp(foot[:, : ROWS - chips * ROWS_PER_CHIP] + top[:, chips * ROWS_PER_CHIP :], 1, keepdim=True)
            for chips in range(1, TALLEST + 1)
        ]
        return torch.cat([nothing, torch.cat(by_ends, 1) + by_sum], 1), foot, top, self._colours(seen, first, features)

    def _colours(self, seen: Tensor, first: Tensor, features: Tensor) -> Tensor:
        """Each row's colour: a mean of the near strip's pixels, weighted by how like clay they look, times a gain."""
        across = features[:, :, :, None].expand(-1, -1, -1, first.shape[3])
        shares = self.clay(torch.cat([first, across], 1)).softmax(3)
        pixels = functional.avg_pool2d(seen[:, :3], (1, 2)) + 0.5
        return (pixels * shares).sum(3) * functional.softplus(self.gain(features)) - 0.5
