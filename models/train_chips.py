"""Trains the network that counts a stack's chips and tells their colours.

`python -m models.train_chips --out RUN` needs torch (extra `[train]`) and the renderer (extra `[simulate]`). All
pictures are made by our own code from `--seed` (`models.chip_samples`); they are kept in RUN for a second run.
"""

import argparse
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from models.chip_networks import Counter
from models.chip_samples import Lessons, batch, lessons
from vision.chip_strip import CHANNELS, COLUMNS, ROWS

_BATCH = 48
_RATE = 2.5e-3
_HELD_OUT = 600
_TOLD_EVERY = 200
_SETTLING = 0.3
"""The last part of the training whose weights are averaged."""


def loss_of(model: Counter, batch: tuple[Tensor, ...]) -> tuple[Tensor, float]:
    seen, count, row, clay, edge = batch
    with torch.autocast("cpu", dtype=torch.bfloat16):  # half the time on processors that know it
        scores, foot, _, _, _, colour, seen_edge = model(seen.to(memory_format=torch.channels_last))
    loss = functional.cross_entropy(scores, count, label_smoothing=0.01)
    standing = count > 0
    if standing.any():
        loss = loss + 0.1 * functional.cross_entropy(foot[standing], row[standing])
        told = (edge != 2) & standing[:, None]
        loss = loss + 0.2 * functional.binary_cross_entropy_with_logits(seen_edge[told], edge[told].float())
        has = clay[:, 3:].expand(-1, 3, -1) > 0
        loss = loss + 3 * functional.smooth_l1_loss(colour[has], clay[:, :3][has] - 0.5, beta=0.05)
    return loss, float((scores.argmax(1) == count).float().mean())


def train(out: Path, seed: int, parts: int, rendered: int, drawn: int, steps: int) -> None:
    """Makes the samples, trains for so many steps, writes the network and a log of its progress."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    known = Lessons.joined([taught(out, seed, part, rendered, drawn) for part in range(parts)])
    order = rng.permutation(len(known.count))
    kept_back, learnt = order[:_HELD_OUT], order[_HELD_OUT:]
    model = Counter()
    average = torch.optim.swa_utils.AveragedModel(
        model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.998), use_buffers=True
    )
    optimiser = torch.optim.AdamW(model.parameters(), lr=_RATE, weight_decay=1e-3)
    lines, started, shown = ["step,loss,right,held_out_right,cpu_minutes"], time.process_time(), []
    for step in range(1, steps + 1):
        for group in optimiser.param_groups:
            group["lr"] = rate_at(step, step / steps)
        loss, right = loss_of(model, batch(known, rng.choice(learnt, _BATCH), rng))
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimiser.step()
        if step > steps * (1 - _SETTLING):
            average.update_parameters(model)
        shown.append((float(loss.detach()), right))
        if step % _TOLD_EVERY == 0 or step == steps:
            best = average.module if step > steps * (1 - _SETTLING) else model
            mean_loss, mean_right = np.mean(shown, axis=0)
            held = right_on(best, known, kept_back)
            minutes = (time.process_time() - started) / 60
            lines.append(f"{step},{mean_loss:.4f},{mean_right:.4f},{held:.4f},{minutes:.1f}")
            print(lines[-1], flush=True)
            shown = []
            export(best, out / "chip-counter.onnx")
            (out / "chip-counter.csv").write_text("\n".join(lines) + "\n")


def taught(out: Path, seed: int, part: int, rendered: int, drawn: int) -> Lessons:
    """One part of the samples, made once; every part has a seed of its own."""
    path = out / f"lessons-{seed}-{part}-{rendered}-{drawn}.npz"
    if not path.exists():
        made = lessons(seed * 1000 + part, rendered, drawn, lambda text: print(f"part {part}: {text}", flush=True))
        made.save(path.with_suffix(".new.npz"))
        path.with_suffix(".new.npz").replace(path)
    return Lessons.load(path)


def right_on(model: nn.Module, known: Lessons, chosen: np.ndarray[tuple[int], np.dtype[np.intp]]) -> float:
    """The share of held-out samples whose number is right, the network as it runs later."""
    model.eval()
    rng = np.random.default_rng(0)
    with torch.no_grad():
        parts = [batch(known, chosen[at : at + 100], rng) for at in range(0, len(chosen), 100)]
        right = [(model(seen)[0].argmax(1) == count).float().mean() for seen, count, *_ in parts]
    model.train()
    return float(np.mean(right))


def rate_at(step: int, spent: float) -> float:
    """The learning rate: a short rise, then down along a cosine as the steps are spent (0 to 1)."""
    return _RATE * min(1.0, step / 100) * (0.02 + 0.49 * (1 + float(np.cos(np.pi * spent))))


def export(model: nn.Module, path: Path) -> None:
    """Writes the network as ONNX, for any number of stacks at a time."""
    model.eval()
    example = torch.zeros(1, CHANNELS, ROWS, COLUMNS)
    names = ["scores", "foot", "joint", "top", "lengths", "clay", "edge"]
    torch.onnx.export(
        model, (example,), str(path), input_names=["seen"], output_names=names, dynamo=False,
        dynamic_axes={name: {0: "n"} for name in ("seen", *names)},
    )  # fmt: skip
    model.train()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--parts", type=int, default=2, help="parts that the samples are made in")
    parser.add_argument("--rendered", type=int, default=5500, help="stacks of rendered scenes in each part")
    parser.add_argument("--drawn", type=int, default=1000, help="stacks of drawn pictures in each part")
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--only-part", type=int, help="make the samples of this part and stop: for a second processor")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    if asked.only_part is not None:
        taught(asked.out, asked.seed, asked.only_part, asked.rendered, asked.drawn)
    else:
        train(asked.out, asked.seed, asked.parts, asked.rendered, asked.drawn, asked.steps)


if __name__ == "__main__":
    main()
