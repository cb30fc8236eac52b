"""Trains the card eye's networks on composited scenes and writes them as ONNX: `python -m models.train_cards finder`.

A checkpoint is kept every few hundred steps; `--resume` goes on from it. Every line of the log is one row of a CSV.
"""

import argparse
import csv
import math
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from datasets import deck_art
from datasets.card_faces import Pool
from datasets.composites import Scene, Sizes, compose
from datasets.own_decks import own_faces
from datasets.real_cards import RealScenes
from models.card_batches import CropSample, Replay, Things, finder_targets, quarter_turned, reader_samples, to_tensor
from models.card_nets import CROP_HEIGHT_PX, CROP_WIDTH_PX, Finder, Reader, export, parameters

SCENE_PX = 160
READER_SCENE_PX = 112  # one crop needs no more, and costs a fifth
SIZES = {
    "finder": Sizes(least_px=9.0, most_px=30.0),
    "reader": Sizes(least_px=8.0, most_px=56.0),
    "outliner": Sizes(least_px=24.0, most_px=90.0, whole_cards=True, back_share=0.35),
}
_KEEP_EVERY = 250


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
    """What the finder is to find."""
    return [(0, index.frame, index.visible) for index in scene.indices]


def cards_of(scene: Scene) -> Things:
    """What the outliner is to find: faces and backs, of which at least half shows."""
    return [(int(card.label is None), card.frame, min(1.0, card.visible * 1.4)) for card in scene.cards]


def finder_step(net: Finder, replay: Replay, rng: np.random.Generator, things_of: Callable[[Scene], Things],
                batch: int) -> tuple[Tensor, dict[str, float]]:  # fmt: skip
    """One batch: its loss, and the parts of it for the log."""
    classes = net.heat.out_channels
    scenes = replay.draw(batch, rng)
    pairs = [quarter_turned(scene.image, things_of(scene), int(rng.integers(4))) for scene in scenes]
    targets = [finder_targets(things, SCENE_PX, classes) for _, things in pairs]
    heat, weight, wanted, counts = (torch.from_numpy(np.stack(part)) for part in zip(*targets, strict=True))
    logits, frames = net(to_tensor([image for image, _ in pairs]))
    # Some indices of the real photographs are not labelled: what the network is sure of there is not held against it.
    real = torch.tensor([any(np.isnan(frame).any() for _, frame, _ in things) for _, things in pairs])
    unlabelled = (
        real[:, None, None, None] & (logits.detach() > 0).any(1, keepdim=True) & (heat.amax(1, keepdim=True) < 0.3)
    )
    weight = weight * ~unlabelled
    of_heat, of_frames = heat_loss(logits, heat, weight), frame_loss(frames, wanted, counts)
    return of_heat + 4 * of_frames, {"heat": of_heat.item(), "frames": of_frames.item()}


def reader_step(net: Reader, replay: Replay, rng: np.random.Generator, batch: int) -> tuple[Tensor, dict[str, float]]:
    """One batch of crops: its loss, and the share read right."""
    samples: list[CropSample] = []
    while len(samples) < batch:
        samples += [sample for scene in replay.draw(batch // 4, rng) for sample in reader_samples(scene, rng)]
    crops, ranks, suits, adjusts = zip(*samples[:batch], strict=True)
    rank, suit, _, adjust = net(to_tensor(crops))
    wanted_rank, wanted_suit = torch.tensor(ranks), torch.tensor(suits)
    loss = nn.functional.cross_entropy(rank, wanted_rank, label_smoothing=0.02)
    loss = loss + nn.functional.cross_entropy(suit, wanted_suit, ignore_index=-1, label_smoothing=0.02)
    wanted = torch.from_numpy(np.stack(adjusts))
    counts = ~wanted.isnan()
    off = (adjust - wanted.nan_to_num())[counts].abs().mean()
    right = (rank.argmax(1) == wanted_rank) & ((suit.argmax(1) == wanted_suit) | (wanted_suit < 0))
    return loss + 3 * off, {"right": right.float().mean().item(), "off": off.item()}


def train(args: argparse.Namespace) -> None:
    """Train one network for the given minutes of this process's own time."""
    rng = np.random.default_rng(args.seed or time.time_ns())
    torch.manual_seed(int(rng.integers(1 << 30)))
    net: nn.Module = Reader() if args.net == "reader" else Finder(classes=2 if args.net == "outliner" else 1)
    net = net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    print(f"{args.net}: {parameters(net)} parameters", flush=True)
    art = deck_art.load_decks(deck_art.TRAINING) + own_faces(held_back=False)
    pool = Pool(rng, drawn=args.faces, art=art)
    real = (
        None
        if args.real is None or args.net == "outliner"
        else RealScenes(args.real / "cards", frames=args.frames, negatives=(args.real / "dice",))
    )

    size_px = READER_SCENE_PX if args.net == "reader" else SCENE_PX

    def scene() -> Scene:
        if real is not None and rng.random() < args.real_share:
            return real.compose(rng, size_px=size_px, sizes=SIZES[args.net])
        return compose(pool, rng, size_px=size_px, sizes=SIZES[args.net])

    replay = Replay(scene, size=args.scenes, fresh=args.fresh)
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=1e-4)
    kept = args.out / f"{args.net}.pt"
    step = _resume(net, optimiser, kept) if args.resume else 0
    _run(net, optimiser, replay, rng, args, first=step)
    _write(net, args.net, args.out / f"card-{args.net}.onnx")


def _run(net: nn.Module, optimiser: torch.optim.Optimizer, replay: Replay, rng: np.random.Generator,
         args: argparse.Namespace, *, first: int) -> None:  # fmt: skip
    things_of = cards_of if args.net == "outliner" else indices_of
    started, log = time.process_time(), args.out / f"{args.net}.csv"
    sums: dict[str, float] = {}
    logged = first
    net.train()
    for step in range(first + 1, first + args.steps + 1):
        spent = (time.process_time() - started) / 60
        done = max(spent / args.minutes, (step - first) / args.steps)
        for group in optimiser.param_groups:
            group["lr"] = args.rate * min(1.0, (step - first) / 100) * (0.5 + 0.5 * math.cos(math.pi * min(1.0, done)))
        if isinstance(net, Finder):
            loss, parts = finder_step(net, replay, rng, things_of, args.batch)
        else:
            assert isinstance(net, Reader)
            loss, parts = reader_step(net, replay, rng, args.batch)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        for name, value in ({"loss": loss.item()} | parts).items():
            sums[name] = sums.get(name, 0.0) + value
        if step % _KEEP_EVERY == 0 or done >= 1:
            _keep(net, optimiser, step, args.out / f"{args.net}.pt")
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
    if name == "reader":
        size, names = (CROP_HEIGHT_PX, CROP_WIDTH_PX), ("rank", "suit", "embedding", "adjust")
        export(net, str(path), size=size, names=names, dynamic={0: "n"})
    else:
        dynamic = {0: "n", 2: "height", 3: "width"}
        export(net, str(path), size=(SCENE_PX, SCENE_PX), names=("heat", "frame"), dynamic=dynamic)


def main(given: list[str] | None = None) -> None:
    """Read the options and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("net", choices=["finder", "reader", "outliner"])
    parser.add_argument("--minutes", type=float, default=30.0, help="processor minutes")
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--faces", type=int, default=400, help="drawn faces at hand at one time")
    parser.add_argument("--scenes", type=int, default=1200, help="scenes at hand at one time")
    parser.add_argument("--fresh", type=float, default=0.3, help="new scenes per scene used")
    parser.add_argument("--real", type=Path, help="the folder of real photographs")
    parser.add_argument("--frames", type=Path, help="how real indices lie: what models.real_frames wrote")
    parser.add_argument("--real-share", type=float, default=0.25)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--export-only", action="store_true")
    parser.add_argument("--out", type=Path, default=Path("runs"))
    args = parser.parse_args(given)
    args.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    if args.export_only:
        args.resume, args.steps, args.minutes = True, 0, 1.0
        args.faces = args.scenes = 2
    train(args)


if __name__ == "__main__":
    main()
