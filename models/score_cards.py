"""How cards that were seen are held against the truth: one truth per label and picture; and calibration."""

from collections.abc import Iterable, Sequence

import msgspec
import numpy as np

from datasets.composites import IndexTruth, Scene
from datasets.importers import LabelledBox, LabelledPhoto
from vision.seen import Seen

BINS = 10
IN_FULL_VIEW = 0.9


class Score(msgspec.Struct, kw_only=True):
    """Counts over many pictures."""

    right: int = 0
    wrong: int = 0
    truths: int = 0
    found: int = 0
    claims: list[tuple[float, bool]] = []
    """How sure each reading was, and whether it was right."""

    @property
    def precision(self) -> float:
        """Of what was said, how much was right."""
        return self.right / max(1, self.right + self.wrong)

    @property
    def recall(self) -> float:
        """Of what was there, how much was said."""
        return self.found / max(1, self.truths)


def is_read(seen: Seen) -> bool:
    """Whether a card was named in full."""
    return seen.kind == "card" and seen.label is not None and "?" not in seen.label


def covers(seen: Seen, x: float, y: float) -> bool:
    """Whether the box of what was seen holds the point."""
    x1, y1, x2, y2 = seen.box
    return x1 <= x <= x2 and y1 <= y <= y2


def add_photo(score: Score, photo: LabelledPhoto, seen: Iterable[Seen], *, threshold: float) -> list[str]:
    """Hold one photograph's cards against its labels; returns what went wrong, for looking at."""
    truths = {name for name, *_ in photo.boxes if name != "back"}
    found, faults = set(), []
    for each in seen:
        if not is_read(each):
            continue
        right = any(name == each.label and covers(each, x, y) for name, x, y, _, _ in photo.boxes)
        score.claims.append((each.conf, right))
        if each.conf < threshold:
            continue
        if right:
            score.right += 1
            found.add(each.label)
        else:
            score.wrong += 1
            faults.append(f"+{each.label}")
    score.truths += len(truths)
    score.found += len(found)
    return faults + [f"-{name}" for name in sorted(truths - found)]


def add_ranked(score: Score, photo: LabelledPhoto, seen: Iterable[Seen], *, threshold: float) -> None:
    """Hold one photograph's cards against labels of whole cards that name the rank alone: one truth per card.

    A card where there is no label is wrong too, although the label may merely be missing.
    """
    found: set[int] = set()
    for each in seen:
        if not is_read(each) or each.conf < threshold:
            continue
        rank = (each.label or "?")[0]
        there = {at for at, box in enumerate(photo.boxes) if _middle_in(each, box) and box.name == rank}
        score.claims.append((each.conf, bool(there)))
        score.right, score.wrong = score.right + bool(there), score.wrong + (not there)
        found |= there
    score.truths += len(photo.boxes)
    score.found += len(found)


def _middle_in(seen: Seen, box: LabelledBox) -> bool:
    x1, y1, x2, y2 = seen.box
    return abs((x1 + x2) / 2 - box.x) < box.width / 2 and abs((y1 + y2) / 2 - box.y) < box.height / 2


def add_scene(score: Score, scene: Scene, seen: Iterable[Seen], *, threshold: float) -> None:
    """Hold a composited scene's cards against its truth: a card with an index in full view is to be named."""
    named = [each for each in seen if is_read(each)]
    for each in named:
        right = any(index.label == each.label and _is_at(each, index) for index in scene.indices)
        score.claims.append((each.conf, right))
        if each.conf >= threshold:
            score.right, score.wrong = score.right + right, score.wrong + (not right)
    sure = [each for each in named if each.conf >= threshold]
    for card in {index.card for index in scene.indices if index.visible >= IN_FULL_VIEW}:
        shown = [index for index in scene.indices if index.card == card and index.visible >= IN_FULL_VIEW]
        score.truths += 1
        score.found += any(each.label == index.label and _is_at(each, index) for each in sure for index in shown)


def _is_at(seen: Seen, index: IndexTruth) -> bool:
    return covers(seen, float(index.frame[0][0]), float(index.frame[0][1]))


def reliability(claims: Sequence[tuple[float, bool]]) -> list[tuple[float, float, int]]:
    """Per bin of confidence: mean confidence, share right, how many."""
    if not claims:
        return []
    said, right = np.array([conf for conf, _ in claims]), np.array([was for _, was in claims], float)
    bins = np.minimum((said * BINS).astype(int), BINS - 1)
    return [(float(said[bins == at].mean()), float(right[bins == at].mean()), int((bins == at).sum()))
            for at in range(BINS) if (bins == at).any()]  # fmt: skip


def calibration_error(claims: Sequence[tuple[float, bool]]) -> float:
    """Expected calibration error: how far the share that is right is from what was said, on average.

    >>> calibration_error([(0.75, True), (0.75, True), (0.75, True), (0.75, False)])
    0.0
    """
    return float(sum(abs(said - right) * count for said, right, count in reliability(claims)) / max(1, len(claims)))
