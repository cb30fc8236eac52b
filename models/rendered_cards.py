"""The card eye on frames of the rendered casino with decks of held-back families: identity by the index's height."""

from collections.abc import Iterable

import cv2
import numpy as np

from datasets.casino.samples import Label, sample
from models.score_cards import Score, covers, is_read
from vision.cards import CardEye
from vision.seen import Seen

HEIGHTS_PX = (8, 10, 12, 16, 24, 32, 48)
SIZE = (960, 540)
_SHOWN = 0.9


def rendered_by_height(eye: CardEye, *, frames: int, threshold: float, first_seed: int = 0) -> dict[int, Score]:
    """Every index of which nine tenths show is a truth; it and the readings at it count for the nearest height."""
    scores = {height: Score() for height in HEIGHTS_PX}
    for seed in range(first_seed, first_seed + frames):
        made = sample(seed, "cards", SIZE, "valid")
        indices = [label for label in made.labels if label.kind == "index"]
        seen = [each for each in eye.look(made.image) if is_read(each)]
        for index in indices:
            if index.shows >= _SHOWN:
                score = scores[_nearest(_height_px(index))]
                score.truths += 1
                score.found += any(
                    each.label == index.label and _is_at(each, index) and each.conf >= threshold for each in seen
                )
        for each in seen:
            _add_claim(scores, each, made.labels, threshold)
    return scores


def _add_claim(scores: dict[int, Score], seen: Seen, labels: tuple[Label, ...], threshold: float) -> None:
    at = [label for label in labels if label.kind == "index" and _is_at(seen, label)]
    right = any(index.label == seen.label for index in at) or lies_on_its_card(seen, labels)
    x1, y1, x2, y2 = seen.box
    height_px = _height_px(at[0]) if at else min(x2 - x1, y2 - y1)
    score = scores[_nearest(height_px)]
    score.claims.append((seen.conf, right))
    if seen.conf >= threshold:
        score.right, score.wrong = score.right + right, score.wrong + (not right)


def lies_on_its_card(seen: Seen, labels: Iterable[Label]) -> bool:
    """Whether a card of that name lies there: an index that is half covered has no label, and may yet be read right."""
    x1, y1, x2, y2 = seen.box
    middle = ((x1 + x2) / 2, (y1 + y2) / 2)
    named = (label.quad for label in labels if label.kind == "card" and label.label == seen.label)
    return any(cv2.pointPolygonTest(quad.astype(np.float32), middle, False) >= 0 for quad in named)


def _height_px(index: Label) -> float:
    """As tall as the index is seen, from the middle of its top to the middle of its foot."""
    top, foot = index.quad[:2].mean(axis=0), index.quad[2:].mean(axis=0)
    return float(np.linalg.norm(top - foot))


def _nearest(height_px: float) -> int:
    return min(HEIGHTS_PX, key=lambda height: abs(np.log(height / max(height_px, 1.0))))


def _is_at(seen: Seen, index: Label) -> bool:
    x, y = index.quad.mean(axis=0)
    return covers(seen, float(x), float(y))
