"""Trains the card eye's networks on composited scenes and writes them as ONNX: `python -m models.train_cards finder`.

Scenes are made by a second process meanwhile. A checkpoint is kept every few hundred steps; `--resume` goes on from it,
`--start models/card-reader.onnx` from weights that ship.
Every line of the log is one row of a CSV. What ships is the running mean of the weights: steadier than any one step.
"""

import argparse
import csv
import functools
import math
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from datasets.composites import Scene
from datasets.index_art import JOKER, JOKER_PART
from models.card_batches import Things, finder_targets, quarter_turned, to_tensor
from models.card_nets import FACE_HEIGHT_PX, FACE_WIDTH_PX, FaceReader, Finder, Reader, Witness, export, parameters
from models.card_scenes import SCENE_PX, SIZES, scenes_for
from models.face_patches import FaceBank, cut_faces, wipe
from models.reader_patches import Crops, PatchBank, cut, weathered
from models.scene_supply import Replay, Supply
from models.small_onnx import halved
from models.warm_start import take_up

_KEEP_EVERY = 250
_MEAN_OVER = 0.998  # the running mean of the weights reaches back some 500 steps
_NETS: dict[str, type[nn.Module]] = {"finder": Finder, "reader": Reader, "witness": Witness, "face": FaceReader}
_COLOURLESS = {Reader: 0.15, Witness: 0.25}  # the second reader is to go by shapes more than the first
Lesson = Callable[[], tuple[Tensor, dict[str, float]]]


def heat_loss(logits: Tensor, heat: Tensor, weight: Tensor) -> Tensor:
    """CenterNet's focal loss: cells near a centre are punished less than those far from any."""
    likely = torch.sigmoid(logits)
    right = heat.ge(0.999).float()
    found = -nn.functional.logsigmoid(logits) * (1 - likely) ** 2 * right
    stray = -nn.functional.logsigmoid(-logits) * likely**2 * (1 - heat) ** 4 * (1 - right)
    return ((found + stray) * weight).sum() / right.sum().clamp(min=1)


def frame_loss(frames: Tensor, wanted: Tensor, counts: Tensor) -> Tensor:
    """How far offsets and vectors are off, in units, where something is."""
    return ((frames - wanted).abs() * counts).sum() / (counts.sum().clamp(min=1) * frames.shape[1])


def indices_of(scene: Scene) -> Things:
    """What the finder is to find; of a joker's long word the midst, as its letters are too small to see it whole."""
    part = np.array([[1], [JOKER_PART], [JOKER_PART]], np.float32)
    return [(0, index.frame * part if index.label == JOKER else index.frame, index.visible) for index in scene.indices]


def finder_step(net: Finder, replay: Replay, rng: np.random.Generator, most_px: float,
                batch: int) -> tuple[Tensor, dict[str, float]]:  # fmt: skip
    """One batch: its loss, and the parts of it for the log."""
    classes = net.heat.out_channels
    scenes = replay.draw(batch, rng)
    pairs = [quarter_turned(scene.image, indices_of(scene), int(rng.integers(4))) for scene in scenes]
    targets = [finder_targets(things, SCENE_PX, classes, most_px) for _, things in pairs]
    heat, weight, wanted, counts = (torch.from_numpy(np.stack(part)) for part in zip(*targets, strict=True))
    with torch.autocast("cpu", torch.bfloat16):
        logits, frames = net(to_tensor([image for image, _ in pairs]))
    logits, frames = logits.float(), frames.float()
    # Some indices of the real photographs are not labelled: what the network is sure of there is not held against it.
    real = torch.tensor([any(np.isnan(frame).any() for _, frame, _ in things) for _, things in pairs])
    unlabelled = (
        real[:, None, None, None] & (logits.detach() > 0).any(1, keepdim=True) & (heat.amax(1, keepdim=True) < 0.3)
    )
    weight = weight * ~unlabelled
    of_heat, of_frames = heat_loss(logits, heat, weight), frame_loss(frames, wanted, counts)
    return of_heat + 4 * of_frames, {"heat": of_heat.item(), "frames": of_frames.item()}


def reader_step(net: Reader, bank: PatchBank, batch: int) -> tuple[Tensor, dict[str, float]]:
    """One batch of crops: its loss, and the share read right."""
    crops = _reader_crops(net, bank, batch)
    with torch.autocast("cpu", torch.bfloat16):
        answers = net(crops.images.contiguous(memory_format=torch.channels_last))
    rank, suit, _, adjust = (answer.float() for answer in answers)
    loss = nn.functional.cross_entropy(rank, crops.rank, label_smoothing=0.02)
    loss = loss + nn.functional.cross_entropy(suit, crops.suit, ignore_index=-1, label_smoothing=0.02)
    counts = ~crops.adjust.isnan()
    off = (adjust - crops.adjust.nan_to_num())[counts].abs().mean()
    right = (rank.argmax(1) == crops.rank) & ((suit.argmax(1) == crops.suit) | (crops.suit < 0))
    return loss + 3 * off, {"right": right.float().mean().item(), "off": off.item()}


def _reader_crops(net: Reader, bank: PatchBank, count: int) -> Crops:
    crops = cut(*bank.draw(count), shown=net.shown)
    return crops._replace(images=weathered(crops.images, without_colour=_COLOURLESS[type(net)]))


def face_step(net: FaceReader, bank: FaceBank, batch: int) -> tuple[Tensor, dict[str, float]]:
    """One batch of faces: its loss, and the shares of ranks and suits told right. Labels are not smoothed: where
    nothing can be told, the answer is to be even by itself."""
    crops = cut_faces(*bank.draw(batch))
    images = wipe(weathered(crops.images), crops.wiped)
    with torch.autocast("cpu", torch.bfloat16):
        answers = net(images.contiguous(memory_format=torch.channels_last))
    rank, suit = (answer.float() for answer in answers)
    loss = nn.functional.cross_entropy(rank, crops.rank)
    loss = loss + nn.functional.cross_entropy(suit, crops.suit, ignore_index=-1)
    right = {"rank": rank.argmax(1) == crops.rank, "suit": (suit.argmax(1) == crops.suit) | (crops.suit < 0)}
    return loss, {name: each.float().mean().item() for name, each in right.items()}


def train(args: argparse.Namespace) -> None:
    """Train one network for the given minutes of this process's own time."""
    torch.manual_seed(args.seed)
    net = _NETS[args.net]()
    net = net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    mean = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(_MEAN_OVER), use_buffers=True)
    print(f"{args.net}: {parameters(net)} parameters", flush=True)
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=1e-4)
    step = _resume(mean, optimiser, args.out / f"{args.net}.pt") if args.resume else 0
    if step:
        net.load_state_dict(mean.module.state_dict())
    if not args.export_only:
        _run(net, mean, optimiser, _lesson(net, args), args, first=step)
    _write(mean.module, args.net, args.out / f"card-{args.net}.onnx")


def _lesson(net: nn.Module, args: argparse.Namespace) -> Lesson:
    """What one step of learning is: a loss and its parts."""
    supply, rng = Supply(scenes_for, args, args.seed), np.random.default_rng(args.seed)
    if isinstance(net, Reader):
        bank = PatchBank(supply, rng, size=args.scenes * 4, first=args.first * 4)
        if args.start is not None:
            take_up(net, args.start, _reader_crops(net, bank, 512).images)
        return functools.partial(reader_step, net, bank, args.batch)
    if isinstance(net, FaceReader):
        faces = FaceBank(supply, rng, size=args.scenes, first=args.first)
        if args.start is not None:
            take_up(net, args.start, cut_faces(*faces.draw(512)).images)
        return functools.partial(face_step, net, faces, args.batch)
    assert isinstance(net, Finder)
    replay, most_px = Replay(supply, size=args.scenes, first=args.first), SIZES[args.net].most_px * 1.1
    if args.start is not None:
        take_up(net, args.start, to_tensor([scene.image for scene in replay.draw(64, rng)]))
    return functools.partial(finder_step, net, replay, rng, most_px, args.batch)


def _run(net: nn.Module, mean: AveragedModel, optimiser: torch.optim.Optimizer, lesson: Lesson,
         args: argparse.Namespace, *, first: int) -> None:  # fmt: skip
    started, log = time.process_time(), args.out / f"{args.net}.csv"
    sums: dict[str, float] = {}
    logged = first
    net.train()
    for step in range(first + 1, first + args.steps + 1):
        spent = (time.process_time() - started) / 60
        done = max(spent / args.minutes, (step - first) / args.steps)
        for group in optimiser.param_groups:
            group["lr"] = args.rate * min(1.0, (step - first) / 100) * (0.5 + 0.5 * math.cos(math.pi * min(1.0, done)))
        loss, parts = lesson()
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        mean.update_parameters(net)
        for name, value in ({"loss": loss.item()} | parts).items():
            sums[name] = sums.get(name, 0.0) + value
        if step % _KEEP_EVERY == 0 or done >= 1:
            _keep(mean, optimiser, step, args.out / f"{args.net}.pt")
            means = {name: round(value / (step - logged), 4) for name, value in sums.items()}
            _log(log, {"step": step, "minutes": round(spent, 2)} | means)
            sums, logged = {}, step
        if done >= 1:
            return


def _keep(net: nn.Module, optimiser: torch.optim.Optimizer, step: int, path: Path) -> None:
    held = {"net": net.state_dict(), "optimiser": optimiser.state_dict(), "step": step}
    torch.save(held, path.with_suffix(".part"))
    path.with_suffix(".part").replace(path)


def _resume(net: nn.Module, optimiser: torch.optim.Optimizer, path: Path) -> int:
    held = torch.load(path, weights_only=True)
    net.load_state_dict(held["net"])
    optimiser.load_state_dict(held["optimiser"])
    return int(held["step"])


def _log(path: Path, row: dict[str, float]) -> None:
    print(row, flush=True)
    new = not path.exists()
    with path.open("a", newline="") as file:
        writer = csv.DictWriter(file, row)
        if new:
            writer.writeheader()
        writer.writerow(row)


def _write(net: nn.Module, name: str, path: Path) -> None:
    if name == "face":
        export(net, str(path), size=(FACE_HEIGHT_PX, FACE_WIDTH_PX), names=("rank", "suit"), dynamic={0: "n"})
    elif isinstance(net, Reader):
        size, names = (net.shown.height_px, net.shown.width_px), ("rank", "suit", "embedding", "adjust")
        export(net, str(path), size=size, names=names, dynamic={0: "n"})
        halved(path)
    else:
        dynamic = {0: "n", 2: "height", 3: "width"}
        export(net, str(path), size=(SCENE_PX, SCENE_PX), names=("heat", "frame"), dynamic=dynamic)


def main(given: list[str] | None = None) -> None:
    """Read the options and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("net", choices=list(_NETS))
    parser.add_argument("--minutes", type=float, default=30.0, help="processor minutes")
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--batch", type=int, help="scenes of a finder (16), crops of a reader (128)")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--faces", type=int, default=400, help="drawn faces at hand at one time")
    parser.add_argument("--scenes", type=int, default=16_000, help="scenes at hand at one time")
    parser.add_argument("--first", type=int, default=1200, help="scenes to wait for before the first step")
    parser.add_argument("--real", type=Path, help="the folder of real photographs")
    parser.add_argument("--frames", type=Path, help="how real indices lie: what models.real_frames wrote")
    parser.add_argument("--real-share", type=float, default=0.25)
    parser.add_argument("--rendered", type=Path, help="what models.rendered_frames wrote")
    parser.add_argument("--rendered-share", type=float, default=0.15)
    parser.add_argument("--dealt-share", type=float, default=0.0, help="of zones as footage has them")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="an ONNX file of this network, to go on from its weights")
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--export-only", action="store_true")
    parser.add_argument("--out", type=Path, default=Path("runs"))
    args = parser.parse_args(given)
    args.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    args.resume |= args.export_only
    args.batch = args.batch or (16 if args.net == "finder" else 128)
    train(args)


if __name__ == "__main__":
    main()
