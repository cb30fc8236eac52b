"""Counts the chips of stacks and tells each chip's own colour, from the stacks' straightened outlines."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision import weights
from vision.chip_stance import Floats, Stance
from vision.chip_strip import FOOT_ROW, ROWS, ROWS_PER_CHIP, strips
from vision.seen import Image

COUNTER = "chip-counter.onnx"
_RING = (0.82, 0.88, 0.94)  # of a face's radius
_SIDE_LACKS = (0.7, 3.0)  # how much brighter a face may be than a side is thought to be
_STEPS_UP, _STEPS_ASIDE = (-0.5, 0.5), (-0.04, 0.04)  # of second looks, in chips and in chip widths


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """A stack whose chips are counted: each chip's own colour bottom to top, and where exactly the stack stands."""

    bgr: Floats
    """Chips x 3: what the chips would look like in good light."""
    conf: float
    stance: Stance


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    """What the network says about one straightened stack."""

    stance: Stance
    chances: Floats
    """Of 0, 1, 2, … chips."""
    foot: Floats
    top: Floats
    clay: Floats

    def counted(self, image: Image, chances: Floats) -> Counted | None:
        """The stack with its likeliest number of chips; None where that is none."""
        count = int(chances.argmax())
        if count == 0:
            return None
        rise = count * ROWS_PER_CHIP
        row = int((self.foot[: ROWS - rise] + self.top[rise:]).argmax())
        # A chip's joints belong half to its neighbours: its colour is that of the rows between them.
        inner = row + np.arange(count)[:, None] * ROWS_PER_CHIP + np.arange(1, ROWS_PER_CHIP)
        bgr = np.asarray((self.clay.T[inner].mean(axis=1) + 0.5) * 255, dtype=np.float64)
        exact = self.stance.moved(self.stance.rise * (row - FOOT_ROW) / ROWS_PER_CHIP)
        # The top chip shows its colour twice, on its lit face and on its side: what the side lacks, all sides lack.
        lit = top_colour(image, exact, count)
        bgr *= np.clip(lit.sum() / max(float(bgr[-1].sum()), 1.0), *_SIDE_LACKS)
        bgr[-1] = lit
        return Counted(bgr=bgr, conf=float(chances[count]), stance=exact)


def count_chips(image: Image, stances: Sequence[Stance]) -> list[Counted | None]:
    """Counts the stacks whose feet are about where the stances say; None where there is no stack."""
    return [answer.counted(image, answer.chances) for answer in _answers(image, stances)]


def count_again(image: Image, first: Counted) -> Counted | None:
    """A second opinion, now that it is known where the stack stands: looks from a little beside, above and below."""
    steps = [first.stance.across * (2 * side) + first.stance.rise * up for up in _STEPS_UP for side in _STEPS_ASIDE]
    answers = _answers(image, [first.stance, *(first.stance.moved(step) for step in steps)])
    return answers[0].counted(image, np.mean([answer.chances for answer in answers], axis=0))


def top_colour(image: Image, stance: Stance, count: int) -> Floats:
    """The top chip's colour, from the ring of its face between inlay and rim: most of it is clay, the rest spots."""
    angles = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    circle = np.multiply.outer(np.cos(angles), stance.across) + np.multiply.outer(np.sin(angles), stance.away)
    centre, scale = stance.centres(np.array([float(count)]))[0], 1 + stance.growth * count
    points = np.stack([centre + circle * scale * radius for radius in _RING]).astype(np.float32)
    ring = cv2.remap(image, points[..., 0], points[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    pixels = ring.reshape(-1, 3).astype(np.float32)
    cv2.setRNGSeed(1)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 12, 1.0)
    _, owners, middles = cv2.kmeans(pixels, 2, np.zeros(0, np.int32), stop, 1, cv2.KMEANS_PP_CENTERS)
    return np.asarray(middles[np.bincount(owners.ravel(), minlength=2).argmax()], dtype=np.float64)


def _answers(image: Image, stances: Sequence[Stance]) -> list[_Answer]:
    if not stances:
        return []
    loaded = weights.load(COUNTER)
    seen = np.stack([strips(image, stance) for stance in stances])
    scores, *rows = loaded.session.run(None, {"seen": seen})
    powers = np.exp((scores - scores.max(axis=1, keepdims=True)) / loaded.entry.settings.get("temperature", 1.0))
    chances = powers / powers.sum(axis=1, keepdims=True)
    return [
        _Answer(stance=stance, chances=chance, foot=foot, top=top, clay=clay)
        for stance, chance, foot, top, clay in zip(stances, chances, *rows, strict=True)
    ]
