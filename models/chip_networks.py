"""The networks that count chips and judge their colours, in torch: only training sees them."""

import torch
from torch import Tensor, nn

from vision.chip_clay import CLAY
from vision.chip_count import LONGEST_BAND
from vision.chip_stance import TALLEST
from vision.chip_strip import CHANNELS, COLUMNS, ROWS, ROWS_PER_CHIP

NEVER = -1e4
_FIRST, _WIDE, _DEEP = 24, 48, 80


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
    """Strips to a score for every number of chips, and how each row's clay looks.

    A stack is read as a chain of bands: it begins at a foot's row, every chip ends at a joint some rows higher, the
    last at the top. The network says how much each row looks like foot, joint and top, and how long bands may be in
    this view; the score of a number is the sum over all chains of so many bands. Where joints are seen they decide,
    where they are not the height does.
    """

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
        self.clay = nn.Conv1d(_DEEP, CLAY, 1)
        self.nothing = nn.Linear(2 * _DEEP, 1)
        off = torch.arange(1.0, LONGEST_BAND + 1) - ROWS_PER_CHIP
        self.register_buffer("usual", -0.5 * off**2)

    def forward(self, seen: Tensor) -> tuple[Tensor, ...]:
        """Scores for 0 … TALLEST chips; per row how like a foot, a joint and a top it is; the scores of a band's
        length; per row what the judge of colours is told of the clay."""
        features = self.rows(self.flat(self.look(seen).permute(0, 1, 3, 2).flatten(1, 2)))
        foot, joint, top = self.ends(features).float().unbind(1)
        lengths = (self.lengths(seen[:, -3:-1, 0, 0]).float() + self.usual).log_softmax(1)
        nothing = self.nothing(torch.cat([features.amax(2), features.mean(2)], 1)).float()
        scores = torch.cat([nothing, *chains(foot, joint, top, lengths)], 1)
        return scores, foot, joint, top, lengths, self.clay(features).float()


def chains(foot: Tensor, joint: Tensor, top: Tensor, lengths: Tensor, allowed: Tensor | None = None) -> list[Tensor]:
    """The score of 1, 2, … chips: of all chains of bands that begin at any foot and end at any top.

    `allowed` (samples x TALLEST + 1 x rows; 0, or NEVER where not) says at which rows each chip may begin or end.
    """
    reached = foot if allowed is None else foot + allowed[:, 0]
    scores = []
    for level in range(1, TALLEST + 1):
        ended = torch.logsumexp(_before(reached) + lengths[:, :, None], 1)
        if allowed is not None:
            ended = ended + allowed[:, level]
        scores.append(torch.logsumexp(ended + top, 1, keepdim=True))
        reached = ended + joint
    return scores


def _before(reached: Tensor) -> Tensor:
    """What was reached 1, 2, … rows before each row (samples x bands x rows)."""
    padded = nn.functional.pad(reached, (LONGEST_BAND, 0), value=NEVER)
    if not torch.onnx.is_in_onnx_export():  # ONNX does not know what is quicker
        return padded[:, :-1].unfold(1, ROWS, 1).flip(1)
    return torch.stack([padded[:, LONGEST_BAND - band : LONGEST_BAND - band + ROWS] for band in _BANDS], 1)


_BANDS = range(1, LONGEST_BAND + 1)


class Judge(nn.Module):
    """How likely a chip that looks so has a certain colour: what the counter says of its rows, and the colour itself.

    It makes the counter say what can be told of colours, and does not ship: `models/train_chip_colours.py` trains the
    judge that does, which looks at the pixels as well.
    """

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(CLAY + 9, 96), nn.ReLU(), nn.Linear(96, 48), nn.ReLU(), nn.Linear(48, 1))

    def forward(self, seen: Tensor) -> Tensor:
        off = seen[..., :3] - seen[..., -3:]
        scores: Tensor = self.layers(torch.cat([seen, off, off.abs()], -1))
        return scores - 10 * off.square().sum(-1, keepdim=True)
