"""Evaluation of the wheel eye on rendered wheels: `python -m models.evaluate_spins FOLDER`.

FOLDER holds clips as `fairdeal simulate` writes them, each a folder with `wheel.mp4` and `truth.json`.
"""

import json
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import cv2
import msgspec

from vision.frames import Footage
from vision.wheel.planes import read_planes
from vision.wheel.spin import Watch
from vision.wheel.told import BallSeen, Spin

CERTAIN = 0.9
LAPS_OFF = 0.25
LEAST_LAPS = 3


class TrueWheel(msgspec.Struct, frozen=True, kw_only=True):
    """How the wheel really turned."""

    dir: str
    rpm: float


class TrueSpin(msgspec.Struct, frozen=True, kw_only=True):
    """What really happened, as far as it is compared."""

    opened: float
    closed: float
    wheel: TrueWheel
    ball: BallSeen
    valid: bool | None
    rule: str | None
    bad: str | None = None
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Clip:
    """One clip: the truth, what the eye told, and how long that took."""

    name: str
    truth: list[TrueSpin]
    told: list[Spin]
    footage_s: float
    cpu_s: float


def look_at(folder: Path) -> Clip:
    """Run the eye over one clip."""
    truth = msgspec.json.decode((folder / "truth.json").read_bytes(), type=list[TrueSpin])
    began = time.process_time()
    told = list(Watch().spins(read_planes(folder / "wheel.mp4")))
    cpu_s = time.process_time() - began
    with Footage(folder / "wheel.mp4") as footage:
        footage_s = footage.duration_s or 0.0
    return Clip(name=folder.name, truth=truth, told=told, footage_s=footage_s, cpu_s=cpu_s)


def faults_of(truth: TrueSpin, told: Spin | None) -> list[str]:
    """What the eye got wrong of one spin; a certain error is marked, a confessed doubt is not an error of its own."""
    if told is None:
        return ["missed"]
    faults = []
    certain = told.conf >= CERTAIN
    if truth.ball.end == "rest" and told.ball.pocket != truth.ball.pocket:
        lost = told.ball.pocket is None
        faults.append("pocket-unseen" if lost else "pocket-WRONG" if certain else "pocket-wrong-unsure")
    if (told.ball.dir, told.wheel.dir) != (truth.ball.dir, truth.wheel.dir):
        faults.append("direction")
    if truth.ball.laps is not None and told.ball.laps is not None:
        if abs(told.ball.laps - truth.ball.laps) > LAPS_OFF:
            faults.append("laps")
        if (told.ball.laps < LEAST_LAPS) != (truth.ball.laps < LEAST_LAPS) and told.valid is not None and certain:
            faults.append("WRONG-SIDE-OF-THREE")
    elif truth.ball.laps is not None:
        faults.append("laps-unseen")
    if truth.valid and told.valid is False:
        faults.append("VOIDED")
    elif truth.valid is not None and told.valid is None:
        faults.append("undecided")
    elif truth.valid is False and (told.valid, told.rule) != (False, truth.rule):
        faults.append(f"not-found({truth.rule}!={told.rule})")
    if told.ball.end != truth.ball.end:
        faults.append(f"end({truth.ball.end}!={told.ball.end})")
    return faults


def matched(clip: Clip) -> list[tuple[TrueSpin, Spin | None]]:
    """Every true spin with what was told of it: the one that overlaps it most."""
    pairs = []
    for truth in clip.truth:
        shared = [(min(t.closed, truth.closed) - max(t.opened, truth.opened), t) for t in clip.told]
        best = max(shared, key=lambda each: each[0], default=None)
        pairs.append((truth, best[1] if best is not None and best[0] > 0 else None))
    return pairs


def main(folders: list[Path]) -> None:
    cv2.setNumThreads(1)
    counts: Counter[str] = Counter()
    kinds: dict[str, Counter[str]] = {}
    footage_s = cpu_s = 0.0
    for folder in folders:
        clip = look_at(folder)
        footage_s, cpu_s = footage_s + clip.footage_s, cpu_s + clip.cpu_s
        extra = len(clip.told) - sum(told is not None for _, told in matched(clip))
        counts["extra spins"] += max(0, extra)
        for truth, told in matched(clip):
            faults = faults_of(truth, told)
            counts["spins"] += 1
            kind = truth.bad or "valid"
            if truth.faults:
                kind += " under " + "+".join(truth.faults)
            kinds.setdefault(kind, Counter()).update(["all", *(faults or ["right"])])
            counts.update(fault.partition("(")[0] for fault in faults)
            print(_line(clip, truth, told, faults), flush=True)
        if extra > 0:
            print(f"{clip.name:26} EXTRA", [(each.opened, each.ball.end) for each in clip.told])
    print()
    for kind, each in sorted(kinds.items()):
        print(f"{kind:36} {json.dumps(dict(each))}")
    print(json.dumps(dict(counts)))
    print(f"{footage_s:.0f} s of footage in {cpu_s:.0f} s of one core: {footage_s / max(cpu_s, 1e-6):.1f} x real time")


def _line(clip: Clip, truth: TrueSpin, told: Spin | None, faults: list[str]) -> str:
    if told is None:
        return f"{clip.name:26} missed"
    ball, real = told.ball, truth.ball
    return (
        f"{clip.name:26} laps {ball.laps} ({real.laps}) launch {ball.launch} ({real.launch}) leave {ball.leave_track} "
        f"({real.leave_track}) rest {ball.rest} ({real.rest}) in {ball.pocket} ({real.pocket}) conf {told.conf} "
        f"{clip.footage_s / max(clip.cpu_s, 1e-6):.1f}x {' '.join(faults)}"
    )


if __name__ == "__main__":
    main([path.parent for root in sys.argv[1:] for path in sorted(Path(root).rglob("truth.json"))])
