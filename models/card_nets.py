"""The networks of the card eye, in torch, for training alone: at run time they are ONNX files.

They are far smaller than the usual detectors: an index is 8 to 60 pixels high, and depth beyond that buys nothing.
"""

import torch
from torch import Tensor, nn

from vision.index_crops import CLOSE, WIDE, Cut

STRIDE = 4
FRAME_UNIT_PX = 16.0  # what one unit of the finder's offsets and vectors stands for
FRAME_NUMBERS = 6  # offset of the centre, right vector, up vector

RANK_CLASSES = ("2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A", "Jkr", "none")
SUIT_CLASSES = ("c", "d", "h", "s", "none")
FACE_WIDTH_PX, FACE_HEIGHT_PX = 64, 88
EMBEDDING = 128


def _conv(inputs: int, outputs: int, *, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, padding=dilation, dilation=dilation, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class Finder(nn.Module):
    """Where things are: per cell of four pixels, how likely one is centred there, and how it lies."""

    def __init__(self, classes: int = 1) -> None:
        super().__init__()
        self.fine = nn.Sequential(_conv(3, 16, stride=2), _conv(16, 32, stride=2), _conv(32, 32))
        self.coarse = nn.Sequential(
            _conv(32, 64, stride=2), *(_conv(64, 64, dilation=1 + step % 2) for step in range(5)), nn.Conv2d(64, 32, 1)
        )
        self.join = _conv(32, 48)
        self.heat = nn.Conv2d(48, classes, 1)
        self.frame = nn.Conv2d(48, FRAME_NUMBERS, 1)
        nn.init.constant_(self.heat.bias, -4.0)  # type: ignore[arg-type]

    def forward(self, image: Tensor) -> tuple[Tensor, Tensor]:
        """Logits and frames for pictures of 0..255, whose sides are multiples of eight."""
        fine = self.fine(image * (1 / 128.0) - 1.0)
        coarse = nn.functional.interpolate(self.coarse(fine), scale_factor=2.0, mode="nearest")
        joined = self.join(fine + coarse)
        return self.heat(joined), self.frame(joined)


class _Residual(nn.Module):
    """Two convolutions whose outcome is added to what came in."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.change = nn.Sequential(
            _conv(width, width), nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width)
        )

    def forward(self, given: Tensor) -> Tensor:
        return nn.functional.relu(given + self.change(given))


class Reader(nn.Module):
    """Which card an upright crop of an index belongs to, or that it is none; and how the crop should have been cut."""

    shown: Cut = CLOSE

    def __init__(self) -> None:
        super().__init__()
        stem = nn.Sequential(nn.Conv2d(3, 32, 5, 2, padding=2, bias=False), nn.BatchNorm2d(32), nn.ReLU(inplace=True))
        self.body = nn.Sequential(
            stem, _Residual(32), _conv(32, 64, stride=2), _Residual(64), _conv(64, 128, stride=2), _Residual(128),
            nn.Flatten(),
        )  # fmt: skip
        cells = -(-self.shown.width_px // 8) * -(-self.shown.height_px // 8)
        self.embed = nn.Sequential(nn.Dropout(0.2), nn.Linear(128 * cells, EMBEDDING), nn.ReLU(inplace=True))
        self.rank = nn.Linear(EMBEDDING, len(RANK_CLASSES))
        self.suit = nn.Linear(EMBEDDING, len(SUIT_CLASSES))
        self.adjust = nn.Linear(128 * cells, FRAME_NUMBERS)
        nn.init.zeros_(self.adjust.weight)
        nn.init.zeros_(self.adjust.bias)

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Logits of rank and suit, the embedding that learnt decks are compared by, and the better frame."""
        body = self.body(self.levelled(crops))
        embedding = self.embed(body)
        return self.rank(embedding), self.suit(embedding), embedding, self.adjust(body)

    def levelled(self, crops: Tensor) -> Tensor:
        """Crops as the network sees them."""
        return _levelled(crops)


class Witness(Reader):
    """The second reader. It is to err elsewhere than the first: it sees more of the card, less finely, and every colour
    by its own mean, so that coloured light and coloured paper tell it nothing."""

    shown = WIDE

    def levelled(self, crops: Tensor) -> Tensor:
        """Crops whose colours each have a mean of nothing."""
        level = crops - crops.mean((2, 3), keepdim=True)
        return level / (level.abs().mean((1, 2, 3), keepdim=True) + 3.0)


def _levelled(crops: Tensor) -> Tensor:
    """Dim, bright and pale prints look alike to the networks: it is their shape that tells."""
    level = crops - crops.mean((1, 2, 3), keepdim=True)
    return level / (level.abs().mean((1, 2, 3), keepdim=True) + 3.0)


class FaceReader(nn.Module):
    """Which card a face without its indices belongs to, by pips or court; or that it is no card's face."""

    def __init__(self) -> None:
        super().__init__()
        stem = nn.Sequential(nn.Conv2d(3, 24, 5, 2, padding=2, bias=False), nn.BatchNorm2d(24), nn.ReLU(inplace=True))
        self.body = nn.Sequential(
            stem, _conv(24, 48, stride=2), _Residual(48), _conv(48, 80, stride=2), _Residual(80),
            nn.Conv2d(80, 24, 1, bias=False), nn.BatchNorm2d(24), nn.ReLU(inplace=True), nn.Flatten(),
        )  # fmt: skip
        cells = (FACE_WIDTH_PX // 8) * (FACE_HEIGHT_PX // 8)
        self.embed = nn.Sequential(nn.Dropout(0.2), nn.Linear(24 * cells, EMBEDDING), nn.ReLU(inplace=True))
        self.rank = nn.Linear(EMBEDDING, len(RANK_CLASSES))
        self.suit = nn.Linear(EMBEDDING, len(SUIT_CLASSES))

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of rank and suit."""
        embedding = self.embed(self.body(_levelled(crops)))
        return self.rank(embedding), self.suit(embedding)


def parameters(net: nn.Module) -> int:
    """How many numbers the network has learnt."""
    return sum(each.numel() for each in net.parameters())


def export(
    net: nn.Module, path: str, *, size: tuple[int, int], names: tuple[str, ...], dynamic: dict[int, str]
) -> None:
    """Write the network as ONNX, for any number (and for finders any size) of pictures."""
    net.eval()
    axes = {"image": dynamic} | {
        name: {0: "n"} if len(dynamic) == 1 else {0: "n", 2: "rows", 3: "columns"} for name in names
    }
    torch.onnx.export(net, (torch.zeros(1, 3, *size),), path, input_names=["image"], output_names=list(names),
                      dynamic_axes=axes, dynamo=False)  # fmt: skip
