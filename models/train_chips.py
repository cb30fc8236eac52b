"""Trains the network that reads stacks of chips: how many there are, and which colours of a house's palette they have.

`python -m models.train_chips --lessons RUN/lessons-*.npz --out RUN` needs torch (extra `[train]`) and what
`models.chip_samples` wrote. What is made likely is the whole reading: of all chains of bands of all colours those with
the true number and the true colours.
"""

import argparse
import time
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from models.chip_batches import COLOURS, Batch, batch
from models.chip_networks import Bands, StackReader
from models.chip_samples import Lessons
from models.warm_start import take_up
from vision.chip_count import READER
from vision.chip_strip import CHANNELS, COLUMNS, ROWS

_BATCH, _EXAMPLES, _TOLD_EVERY, _SETTLED = 48, 400, 150, 100
"""From step _SETTLED on the weights are averaged."""
_HELD_OUT, _BESIDE = 300, 40
"""Samples of each part that are held out, and that are left out because they are of the same table."""
_CHAIN, _CLAY = 0.5, 3.0
"""What chains beside the true rows and clay of a wrong colour weigh against wrong readings."""
_SMALL_PX, _OF_SMALL, _STEEP, _OF_STEEP = 1.3, 0.15, 0.9, 0.4
"""Of bands less high and views from higher up (sine) so many are enough: there hardly anything tells the number."""
_TALL, _HARD_PX, _OFTENER = 8, (1.4, 2.6), 1.6
"""Stacks from so many chips on, and bands between these heights, are shown so much oftener: both are often misread."""


def loss_of(reader: nn.Module, of: Batch) -> tuple[Tensor, float, float]:
    """What is to be made small: unlikely readings, chains beside the true rows, clay of another colour. And the shares
    of samples whose number is right, and whose whole reading is likelier than all others."""
    with torch.autocast("cpu", dtype=torch.bfloat16):  # half the time on processors that know it
        nothing, *said, clay = reader(of.seen.to(memory_format=torch.channels_last), of.palettes)
    bands = Bands.of(tuple(said), of.is_there)
    scores = torch.cat([nothing.double(), bands.numbers()], 1)
    true = scores.gather(1, of.count[:, None])[:, 0]
    loss = torch.zeros(())
    if (on := of.is_followed).any():
        followed = bands.only(on)
        last = of.count[on, None] - 1
        read = followed.of_colours(of.own[on]).gather(1, last)[:, 0]
        beside = read - followed.of_colours(of.own[on], of.allowed[on]).gather(1, last)[:, 0]
        true = true.masked_scatter(on, read)
        loss = _CHAIN * (beside / (of.count[on] + 1)).clamp(max=20).mean()
        off = functional.smooth_l1_loss(clay, of.clay, beta=0.05, reduction="none").mean(1)
        loss = loss + _CLAY * (off * of.has_clay).sum() / of.has_clay.sum()
    unlikely = scores.logsumexp(1) - true
    right = (scores.argmax(1) == of.count).float().mean(), (unlikely < np.log(2)).float().mean()
    return loss + unlikely.clamp(max=60).mean(), float(right[0]), float(right[1])


def legible(of: Lessons, rng: np.random.Generator) -> Lessons:
    """The samples to learn from; all of those that are held out."""
    band_px, aspect = np.exp(2 * of.known[:, 0]), of.known[:, 1] + 0.7
    kept = (band_px > _SMALL_PX) | (rng.random(len(band_px)) < _OF_SMALL)
    kept &= (aspect < _STEEP) | (rng.random(len(band_px)) < _OF_STEEP)
    kept[:_HELD_OUT] = True
    return Lessons(**{field.name: getattr(of, field.name)[kept] for field in fields(Lessons)})


def train(
    lessons: Sequence[Path], out: Path, seed: int, steps: int, rate: float, start: Path | None, minutes: float = np.inf
) -> None:
    """Trains for so many steps, or minutes if these are over sooner; writes the network and a log of its progress."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    known, learnt, held_out = split(lessons, rng)
    often = _how_often(known, learnt)
    reader = begun(start, batch(known, rng.choice(learnt, _EXAMPLES), rng))
    average = torch.optim.swa_utils.AveragedModel(
        reader, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.998), use_buffers=True
    )
    optimiser = torch.optim.AdamW(reader.parameters(), lr=rate, weight_decay=1e-3)
    lines = ["step,loss,right_number,right,held_out_loss,held_out_right_number,held_out_right,cpu_minutes"]
    started, since, shown, spent, step = time.process_time(), time.monotonic(), [], 0.0, 0
    while spent < 1:
        step += 1
        spent = max(step / steps, (time.monotonic() - since) / 60 / minutes)
        for group in optimiser.param_groups:
            group["lr"] = rate * share_at(step, min(spent, 1.0))
        loss, *right = loss_of(reader, batch(known, rng.choice(learnt, _BATCH, p=often), rng))
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(reader.parameters(), 5.0)
        optimiser.step()
        if step >= _SETTLED:
            average.update_parameters(reader)
        shown.append((float(loss.detach()), *right))
        if step % _TOLD_EVERY == 0 or spent >= 1:
            best = average.module if step >= 2 * _SETTLED else reader
            numbers = [*np.mean(shown, axis=0), *right_on(best, known, held_out)]
            used = (time.process_time() - started) / 60
            lines.append(f"{step},{','.join(f'{number:.4f}' for number in numbers)},{used:.1f}")
            print(lines[-1], flush=True)
            shown = []
            export(best, out)
            torch.save(best.state_dict(), out / "chips.pt")
            (out / "chip-reader.csv").write_text("\n".join(lines) + "\n")


def split(lessons: Sequence[Path], rng: np.random.Generator) -> tuple[Lessons, NDArray[np.intp], NDArray[np.intp]]:
    """All samples, those to learn from, and those held out: a part's first table is not learnt from."""
    parts = [legible(Lessons.load(path), rng) for path in lessons]
    firsts = np.cumsum([0, *(len(part.count) for part in parts)])[:-1, None]
    known = Lessons.joined(parts)
    learnt = np.setdiff1d(np.arange(len(known.count)), (firsts + np.arange(_HELD_OUT + _BESIDE)).ravel())
    return known, learnt, (firsts + np.arange(_HELD_OUT)).ravel()


def begun(start: Path | None, example: Batch) -> StackReader:
    """A network with the weights of `start`: what training wrote, or a file that shipped."""
    reader = StackReader()
    if start is not None and start.suffix == ".onnx":
        take_up(reader, start, example.seen, example.palettes)
    elif start is not None:
        reader.load_state_dict(torch.load(start, weights_only=True))
    return reader


def _how_often(known: Lessons, learnt: NDArray[np.intp]) -> NDArray[np.float64]:
    band_px = np.exp(2 * known.known[learnt, 0])
    is_hard = (band_px > _HARD_PX[0]) & (band_px < _HARD_PX[1])
    often = np.where(known.count[learnt] >= _TALL, _OFTENER, 1.0) * np.where(is_hard, _OFTENER, 1.0)
    return np.asarray(often / often.sum())


def right_on(reader: nn.Module, known: Lessons, chosen: NDArray[np.intp]) -> tuple[float, ...]:
    """Loss and shares right on held-out samples, the network as it runs later."""
    reader.eval()
    rng = np.random.default_rng(0)
    with torch.no_grad():
        parts = [loss_of(reader, batch(known, chosen[at : at + 100], rng)) for at in range(0, len(chosen), 100)]
    reader.train()
    return tuple(float(np.mean([float(part[i]) for part in parts])) for i in range(3))


def share_at(step: int, spent: float) -> float:
    """The share of the learning rate: a short rise, then down along a cosine as the steps are spent (0 to 1)."""
    return min(1.0, step / 100) * (0.02 + 0.49 * (1 + float(np.cos(np.pi * spent))))


def export(reader: nn.Module, out: Path) -> None:
    """Writes the network as ONNX, for any number of stacks of one house at a time."""
    reader.eval()
    names = ["nothing", "foot", "joint", "top", "lengths", "tints", "clay"]
    axes = {name: {0: "n"} for name in ("seen", *names)} | {"palette": {1: "k"}, "tints": {0: "n", 1: "k"}}
    example = torch.zeros(2, CHANNELS, ROWS, COLUMNS), torch.zeros(1, COLOURS, 3)
    torch.onnx.export(
        reader, example, str(out / READER), input_names=["seen", "palette"], output_names=names, dynamo=False,
        dynamic_axes=axes,
    )  # fmt: skip
    reader.train()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lessons", type=Path, nargs="+", required=True, help="what models.chip_samples wrote")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--minutes", type=float, default=np.inf, help="stop after so many, steps done or not")
    parser.add_argument("--rate", type=float, default=2.5e-3)
    parser.add_argument("--start", type=Path, help="go on from these weights: chips.pt, or a reader that shipped")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    train(asked.lessons, asked.out, asked.seed, asked.steps, asked.rate, asked.start, asked.minutes)


if __name__ == "__main__":
    main()
