"""The network that counts chips, in torch: only training sees it, the shipped weights run without torch."""

import torch
from torch import Tensor, nn

from vision.chip_count import LONGEST_BAND
from vision.chip_stance import TALLEST
from vision.chip_strip import CHANNELS, COLUMNS, ROWS, ROWS_PER_CHIP

_NEVER = -1e4
_FIRST, _WIDE, _DEEP, _HINT = 24, 40, 64, 8


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


class Counter(nn.Module):
    """Strips to a score for every number of chips.

    A stack is read as a chain of bands: it begins at a foot's row, every chip ends at a joint some rows higher, the
    last at the top. The network says how much each row looks like foot, joint and top, and how long bands may be in
    this view; the score of a number is the sum over all chains of so many bands. Where joints are seen they decide,
    where they are not the height does.
    """

    def __init__(self) -> None:
        super().__init__()
        self.first = conv(CHANNELS, _FIRST, (1, 2))
        self.look = nn.Sequential(conv(_FIRST, _WIDE, (1, 2)), conv(_WIDE, _WIDE, (1, 2)), conv(_WIDE, _WIDE))
        self.flat = nn.Sequential(
            nn.Conv1d(_WIDE * COLUMNS // 8, _DEEP, 1, bias=False), nn.BatchNorm1d(_DEEP), nn.ReLU(inplace=True)
        )
        self.rows = nn.Sequential(*(_Rows(dilation) for dilation in (1, 2, 4, 8, 2, 1)))
        self.ends = nn.Conv1d(_DEEP, 4, 1)
        self.lengths = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, LONGEST_BAND))
        self.hint = nn.Conv1d(_DEEP, _HINT, 1)
        self.clay = nn.Sequential(conv(_FIRST + _HINT, 16), nn.Conv2d(16, 1, 1))
        self.gain = nn.Conv1d(_DEEP, 1, 1)
        self.nothing = nn.Linear(2 * _DEEP, 1)
        off = torch.arange(1.0, LONGEST_BAND + 1) - ROWS_PER_CHIP
        self.register_buffer("usual", -0.5 * off**2)

    def forward(self, seen: Tensor) -> tuple[Tensor, ...]:
        """Scores for 0 … TALLEST chips; per row how like a foot, a joint and a top it is; the scores of a band's
        length; each row's chip's own colour; per row whether a joint is seen (only training asks)."""
        first = self.first(seen)
        features = self.rows(self.flat(self.look(first).permute(0, 1, 3, 2).flatten(1, 2)))
        foot, joint, top, edge = self.ends(features).float().unbind(1)
        lengths = (self.lengths(seen[:, -3:-1, 0, 0]).float() + self.usual).log_softmax(1)
        nothing = self.nothing(torch.cat([features.amax(2), features.mean(2)], 1)).float()
        scores = torch.cat([nothing, *self._chains(foot, joint, top, lengths)], 1)
        return scores, foot, joint, top, lengths, self._colours(seen, first, features), edge

    def _chains(self, foot: Tensor, joint: Tensor, top: Tensor, lengths: Tensor) -> list[Tensor]:
        """The score of 1, 2, … chips: of all chains of bands that begin at any foot and end at any top."""
        reached, scores = foot, []
        for _ in range(TALLEST):
            padded = nn.functional.pad(reached, (LONGEST_BAND, 0), value=_NEVER)
            shifted = [
                padded[:, LONGEST_BAND - band : LONGEST_BAND - band + ROWS] + lengths[:, band - 1 : band]
                for band in range(1, LONGEST_BAND + 1)
            ]
            ended = torch.logsumexp(torch.stack(shifted, 1), 1)
            scores.append(torch.logsumexp(ended + top, 1, keepdim=True))
            reached = ended + joint
        return scores

    def _colours(self, seen: Tensor, first: Tensor, features: Tensor) -> Tensor:
        """Each row's colour: a mean of the near strip's pixels, weighted by how like clay they look, times a gain."""
        across = self.hint(features)[:, :, :, None].expand(-1, -1, -1, first.shape[3])
        shares = self.clay(torch.cat([first, across], 1)).float().softmax(3)
        pixels = nn.functional.avg_pool2d(seen[:, :3], (1, 2)) + 0.5
        colours: Tensor = (pixels * shares).sum(3) * nn.functional.softplus(self.gain(features).float()) - 0.5
        return colours
