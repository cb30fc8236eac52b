"""Trains the network that counts a stack's chips, and says how their clay looks.

`python -m models.train_chips --lessons RUN/lessons-*.npz --out RUN` needs torch (extra `[train]`) and what
`models.chip_samples` wrote.
"""

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from models.chip_batches import Batch, batch
from models.chip_networks import NEVER, Counter, Judge, chains
from models.chip_samples import Lessons
from models.warm_start import take_up
from vision.chip_count import COUNTER
from vision.chip_strip import CHANNELS, COLUMNS, ROWS

_BATCH, _EXAMPLES = 48, 400
_HELD_OUT, _BESIDE = 300, 60
"""Samples of each part that are held out, and that are left out because they are of the same table."""
_TOLD_EVERY = 200
_CHAIN, _COLOUR = 0.5, 0.7
"""What chains beside the true rows and wrong colours weigh against wrong numbers."""
_SMALL_PX, _OF_SMALL = 1.0, 0.25
"""Where a band is less than that high only the height tells the number: so many of those are enough."""
_SETTLED = 200
"""From this step on the weights are averaged."""


def loss_of(both: nn.Module, of: Batch) -> tuple[Tensor, float, float]:
    """What is to be made small: wrong numbers, chains beside the true rows, wrong colours. And the shares right.

    `both` is a list of the counter and the judge.
    """
    counter, judge = both.children()
    with torch.autocast("cpu", dtype=torch.bfloat16):  # half the time on processors that know it
        scores, foot, joint, top, lengths, clay = counter(of.seen.to(memory_format=torch.channels_last))
    loss = numbers_loss((scores, foot, joint, top, lengths), of)
    right, right_colours = float((scores.argmax(1) == of.count).float().mean()), 1.0
    if of.is_followed.any():
        mean = banded(clay, of)
        of_colours = judged(judge, mean, of)
        loss = loss + _COLOUR * functional.cross_entropy(of_colours, torch.zeros(len(of_colours), dtype=torch.long))
        loss = loss + 3 * functional.smooth_l1_loss(mean[:, :3], of.palettes[:, 0], beta=0.05)
        right_colours = float((of_colours.argmax(1) == 0).float().mean())
    return loss, right, right_colours


def numbers_loss(said: tuple[Tensor, ...], of: Batch) -> Tensor:
    """What wrong numbers and chains beside the true rows cost; `said` are the counter's answers but for the clay."""
    scores, foot, joint, top, lengths = said
    loss = functional.cross_entropy(scores, of.count)
    if not of.is_followed.any():
        return loss
    on = of.is_followed
    followed = torch.cat(chains(foot[on], joint[on], top[on], lengths[on], of.allowed[on]), 1)
    count = of.count[on, None]
    beside = (scores[on].gather(1, count) - followed.gather(1, count - 1)) / (count + 1)
    return loss + _CHAIN * beside.clamp(max=20).mean()


def banded(clay: Tensor, of: Batch) -> Tensor:
    """What is said of each chip's rows, as a mean."""
    summed = functional.pad(clay.cumsum(2), (1, 0))
    sample, low, high = of.bands.unbind(1)
    return (summed[sample, :, high] - summed[sample, :, low]) / (high - low)[:, None]


def judged(judge: nn.Module, mean: Tensor, of: Batch) -> Tensor:
    """The scores of every chip's palette; the first of them should win."""
    told = torch.cat([mean[:, None].expand(-1, of.palettes.shape[1], -1), of.palettes], 2)
    scores: Tensor = judge(told)[..., 0].masked_fill(~of.is_there, NEVER)
    return scores


def train(lessons: Sequence[Path], out: Path, seed: int, steps: int, rate: float, start: Path | None) -> None:
    """Trains for so many steps, writes the networks and a log of their progress."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    parts = [Lessons.load(path) for path in lessons]
    known = Lessons.joined(parts)
    firsts = np.cumsum([0, *(len(part.count) for part in parts)])[:-1]
    kept_back = (firsts[:, None] + np.arange(_HELD_OUT)).ravel()  # a part's first table is not learnt from
    learnt = np.setdiff1d(np.arange(len(known.count)), (firsts[:, None] + np.arange(_HELD_OUT + _BESIDE)).ravel())
    is_small = np.exp(2 * known.known[learnt, 0]) < _SMALL_PX
    learnt = learnt[~is_small | (rng.random(len(learnt)) < _OF_SMALL)]
    both = nn.ModuleList([Counter(), Judge()])
    if start is not None and start.suffix == ".onnx":
        take_up(next(both.children()), start, batch(known, rng.choice(learnt, _EXAMPLES), rng).seen)
    elif start is not None:
        both.load_state_dict(torch.load(start, weights_only=True))
    average = torch.optim.swa_utils.AveragedModel(
        both, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.998), use_buffers=True
    )
    optimiser = torch.optim.AdamW(both.parameters(), lr=rate, weight_decay=1e-3)
    lines = ["step,loss,right,colours_right,held_out_right,held_out_colours_right,cpu_minutes"]
    started, shown = time.process_time(), []
    for step in range(1, steps + 1):
        for group in optimiser.param_groups:
            group["lr"] = rate * share_at(step, step / steps)
        loss, *right = loss_of(both, batch(known, rng.choice(learnt, _BATCH), rng))
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(both.parameters(), 5.0)
        optimiser.step()
        if step >= _SETTLED:
            average.update_parameters(both)
        shown.append((float(loss.detach()), *right))
        if step % _TOLD_EVERY == 0 or step == steps:
            best = average.module if step >= 2 * _SETTLED else both
            numbers = [*np.mean(shown, axis=0), *right_on(best, known, kept_back)]
            minutes = (time.process_time() - started) / 60
            lines.append(f"{step},{','.join(f'{number:.4f}' for number in numbers)},{minutes:.1f}")
            print(lines[-1], flush=True)
            shown = []
            export(best, out)
            torch.save(best.state_dict(), out / "chips.pt")
            (out / "chip-counter.csv").write_text("\n".join(lines) + "\n")


def right_on(both: nn.Module, known: Lessons, chosen: NDArray[np.intp]) -> tuple[float, float]:
    """The shares of held-out stacks and chips whose number and colour are right, the networks as they run later."""
    both.eval()
    rng = np.random.default_rng(0)
    with torch.no_grad():
        parts = [loss_of(both, batch(known, chosen[at : at + 100], rng)) for at in range(0, len(chosen), 100)]
    both.train()
    return float(np.mean([right for _, right, _ in parts])), float(np.mean([right for *_, right in parts]))


def share_at(step: int, spent: float) -> float:
    """The share of the learning rate: a short rise, then down along a cosine as the steps are spent (0 to 1)."""
    return min(1.0, step / 100) * (0.02 + 0.49 * (1 + float(np.cos(np.pi * spent))))


def export(both: nn.Module, out: Path) -> None:
    """Writes the counter as ONNX, for any number of stacks at a time."""
    both.eval()
    names = ["scores", "foot", "joint", "top", "lengths", "clay"]
    torch.onnx.export(
        next(both.children()), (torch.zeros(1, CHANNELS, ROWS, COLUMNS),), str(out / COUNTER), input_names=["seen"],
        output_names=names, dynamo=False, dynamic_axes={name: {0: "n"} for name in ("seen", *names)},
    )  # fmt: skip
    both.train()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lessons", type=Path, nargs="+", required=True, help="what models.chip_samples wrote")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--rate", type=float, default=2.5e-3)
    parser.add_argument("--start", type=Path, help="go on from these weights: chips.pt, or a counter that shipped")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    train(asked.lessons, asked.out, asked.seed, asked.steps, asked.rate, asked.start)


if __name__ == "__main__":
    main()
