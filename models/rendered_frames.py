"""Renders frames of the casino, with decks to teach with or to tune by: `python -m models.rendered_frames OUT`.

Footage is where the eye works: felt with print, rails, chips, hands, lenses and codecs. `OUT` gets the pictures and
`frames.json`, which tells how every index in them lies, in the form of `models/real_frames.py`.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import cv2
import msgspec
import numpy as np

from datasets.casino.decks import index_boxes_mm
from datasets.casino.labels import Box, Points, index_quads
from datasets.casino.samples import Sample, sample
from datasets.casino.things import Card
from datasets.index_art import JOKER
from datasets.real_cards import FRAMES_FILE, RealFrame

SIZE = (640, 480)
_SHOWN = 0.9


def frames_of(made: Sample) -> Iterator[RealFrame]:
    """Every index; one that is hidden, or partly so, has no label and does not count; nor do jokers' words, which
    are longer than an index of their deck."""
    indices = [label for label in made.labels if label.kind == "index" and label.label != JOKER]
    shown = {index.quad.tobytes() for index in indices if index.shows >= _SHOWN}
    for card in made.moment:
        if isinstance(card, Card):
            quads = index_quads(card, made.look, made.camera)
            for quad, box_mm in zip(quads, index_boxes_mm(made.look.deck(card.deck)), strict=False):
                yield _frame(card.card if quad.tobytes() in shown else "", quad, box_mm)


def _frame(label: str, quad: Points, box_mm: Box) -> RealFrame:
    """An index's two vectors are equally long on the card, which its quad's sides are not."""
    left, top, right, bottom = box_mm
    centre = quad.mean(axis=0)
    across = (quad[1] + quad[2] - quad[0] - quad[3]) / 4 * (bottom - top) / (right - left)
    up = (quad[0] + quad[1] - quad[2] - quad[3]) / 4
    frame = np.stack([centre, across, up]).tolist()
    return RealFrame(label=label, x=frame[0][0], y=frame[0][1], half_px=float(np.linalg.norm(up)), frame=frame)


def main() -> None:
    """Render, and keep each picture with what it shows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--frames", type=int, default=150)
    parser.add_argument("--first-seed", type=int, default=10_000)
    parser.add_argument("--split", choices=["train", "tune"], default="train", help="which decks")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    held: dict[str, list[RealFrame]] = {}
    for seed in range(args.first_seed, args.first_seed + args.frames):
        made = sample(seed, "cards", SIZE, args.split)
        cv2.imwrite(str(args.out / f"{seed}.png"), made.image)
        held[f"{seed}.png"] = list(frames_of(made))
        (args.out / FRAMES_FILE).write_bytes(msgspec.json.encode(held))


if __name__ == "__main__":
    main()
