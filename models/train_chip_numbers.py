"""Goes on with a counter of chips for its numbers alone: the file that tells of clay stays what it was.

`python -m models.train_chip_numbers --lessons RUN/lessons-*.npz --out RUN` needs torch (extra `[train]`). The judge of
colours knows how the counter before spoke of clay, which therefore ships as a file of its own (`chip-clay.onnx`).
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
from torch import nn

from models.chip_batches import batch
from models.chip_networks import Counter
from models.chip_samples import Lessons
from models.ship import MODELS
from models.train_chips import export, numbers_loss, share_at
from models.warm_start import take_up
from vision.chip_count import COUNTER

_BATCH, _EXAMPLES, _TOLD_EVERY, _SETTLED = 48, 400, 150, 100
_HELD_OUT, _BESIDE = 300, 40
"""Samples of each part that are held out, and that are left out because they are of the same table."""
_SMALL_PX, _OF_SMALL, _STEEP, _OF_STEEP = 1.3, 0.15, 0.9, 0.4
"""Of bands less high and views from higher up (sine) so many are enough: there hardly anything tells the number."""
_TALL, _HARD_PX, _OFTENER = 8, (1.4, 2.6), 1.6
"""Stacks from so many chips on, and bands between these heights, are shown so much oftener: both are often misread."""


def legible(of: Lessons, rng: np.random.Generator) -> Lessons:
    """The samples to learn from; all of those that are held out."""
    band_px, aspect = np.exp(2 * of.known[:, 0]), of.known[:, 1] + 0.7
    kept = (band_px > _SMALL_PX) | (rng.random(len(band_px)) < _OF_SMALL)
    kept &= (aspect < _STEEP) | (rng.random(len(band_px)) < _OF_STEEP)
    kept[:_HELD_OUT] = True
    return Lessons(**{field.name: getattr(of, field.name)[kept] for field in fields(Lessons)})


def train(lessons: Sequence[Path], start: Path, out: Path, seed: int, steps: int, rate: float) -> None:
    """Trains for so many steps, writes the counter and a log of its progress."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    parts = [legible(Lessons.load(path), rng) for path in lessons]
    known = Lessons.joined(parts)
    firsts = np.cumsum([0, *(len(part.count) for part in parts)])[:-1, None]
    held_out = (firsts + np.arange(_HELD_OUT)).ravel()
    learnt = np.setdiff1d(np.arange(len(known.count)), (firsts + np.arange(_HELD_OUT + _BESIDE)).ravel())
    often = _how_often(known, learnt)
    counter = Counter()
    take_up(counter, start, batch(known, rng.choice(learnt, _EXAMPLES), rng).seen)
    trained = nn.ModuleList([counter])
    average = torch.optim.swa_utils.AveragedModel(
        trained, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.996), use_buffers=True
    )
    optimiser = torch.optim.AdamW(counter.parameters(), lr=rate, weight_decay=1e-3)
    lines, started, losses = ["step,loss,held_out_right,held_out_tall_right,cpu_minutes"], time.process_time(), []
    for step in range(1, steps + 1):
        for group in optimiser.param_groups:
            group["lr"] = rate * share_at(step, step / steps)
        of = batch(known, rng.choice(learnt, _BATCH, p=often), rng)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            *said, _ = counter(of.seen.to(memory_format=torch.channels_last))
        loss = numbers_loss(tuple(said), of)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(counter.parameters(), 5.0)
        optimiser.step()
        if step >= _SETTLED:
            average.update_parameters(trained)
        losses.append(float(loss.detach()))
        if step % _TOLD_EVERY == 0 or step == steps:
            best = average.module if step >= 2 * _SETTLED else trained
            right = right_on(next(best.children()), known, held_out)
            minutes = (time.process_time() - started) / 60
            lines.append(f"{step},{np.mean(losses):.4f},{right[0]:.4f},{right[1]:.4f},{minutes:.1f}")
            print(lines[-1], flush=True)
            losses = []
            export(best, out)
            (out / "chip-numbers.csv").write_text("\n".join(lines) + "\n")


def _how_often(known: Lessons, learnt: NDArray[np.intp]) -> NDArray[np.float64]:
    band_px = np.exp(2 * known.known[learnt, 0])
    is_hard = (band_px > _HARD_PX[0]) & (band_px < _HARD_PX[1])
    often = np.where(known.count[learnt] >= _TALL, _OFTENER, 1.0) * np.where(is_hard, _OFTENER, 1.0)
    return np.asarray(often / often.sum())


def right_on(counter: nn.Module, known: Lessons, chosen: NDArray[np.intp]) -> tuple[float, float]:
    """The shares of held-out stacks whose number is right: up to ten chips, and taller ones."""
    counter.eval()
    rng, right = np.random.default_rng(0), []
    with torch.no_grad():
        for at in range(0, len(chosen), 100):
            of = batch(known, chosen[at : at + 100], rng)
            right.append((counter(of.seen)[0].argmax(1) == of.count).numpy())
    counter.train()
    is_right, is_tall = np.concatenate(right), known.count[chosen] > 10
    return float(is_right[~is_tall].mean()), float(is_right[is_tall].mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lessons", type=Path, nargs="+", required=True, help="what models.chip_samples wrote")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--start", type=Path, default=MODELS / COUNTER, help="the counter to go on from")
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--steps", type=int, default=2100)
    parser.add_argument("--rate", type=float, default=1.5e-3)
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    train(asked.lessons, asked.start, asked.out, asked.seed, asked.steps, asked.rate)


if __name__ == "__main__":
    main()
