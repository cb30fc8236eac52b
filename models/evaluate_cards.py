"""The card eye, measured on what it was not trained on: `python -m models.evaluate_cards [--real FOLDER]`."""

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path

import cv2
import numpy as np

from datasets.casino.samples import What, sample
from datasets.composites import empty_table
from datasets.importers import read_yolo
from datasets.real_split import is_held_out
from models.compare_speed import median_ms
from models.compare_speed import pictures as large_pictures
from models.evaluate_decks import DECK, before_and_after
from models.plots import line_plot
from models.rendered_cards import HEIGHTS_PX, rendered_by_height
from models.score_cards import BINS, Score, add_photo, add_ranked, calibration_error, is_read, reliability
from vision.cards import READ, CardEye
from vision.see import drawn
from vision.seen import Image, Seen, Sight

_LARGE_PX = 16  # what is asked of rendered frames is asked of indices so high
_BARE_SEED, _BARE_SIZE = 500_000, (960, 540)
_BARE: tuple[What, ...] = ("chips", "cards", "tiles", "chips", "dice")  # tables by what else is strewn over them


def real_photographs(eye: CardEye, folder: Path, *, held_out: bool = True, faults: Path | None = None) -> Score:
    """Precision and recall on photographs: a label counts once per picture."""
    score = Score()
    for photo in read_yolo(folder):
        if is_held_out(photo.position) != held_out:
            continue
        image = photo.read()
        seen = eye.look(image)
        wrong = add_photo(score, photo, seen, threshold=READ)
        if wrong and faults is not None:
            _draw_fault(image, seen, wrong, faults / f"{photo.path.stem}.png")
    return score


def _draw_fault(image: Image, seen: list[Seen], wrong: list[str], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    copy = drawn(Sight(source="", t=0, frame=0, size=(0, 0), seen=tuple(seen)), image)
    cv2.putText(copy, " ".join(wrong), (5, 20), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (255, 0, 255), 2)
    cv2.imwrite(str(path), copy)


def whole_cards(eye: CardEye, folder: Path) -> Score:
    """Cards of which the labels tell the rank alone, in photographs that were never trained or tuned on."""
    score = Score()
    for photo in read_yolo(folder):
        add_ranked(score, photo, eye.look(photo.read()), threshold=READ)
    return score


def without_cards(
    rng: np.random.Generator, *, pictures: int, rendered: int, real: Path | None
) -> Iterator[tuple[str, str, Image]]:
    """Pictures without an open card, by sort and name: print, sleeves, chips, backs, felt, drawn and rendered; held-out
    photographs of dice, chips."""
    for name in ("dice", "chip-stacks") if real is not None else ():
        for photo in read_yolo(Path(real or "") / name):
            if is_held_out(photo.position):
                yield f"photographs of {name}", photo.path.stem, photo.read()
    for number in range(pictures):
        yield "drawn tables", str(number), empty_table(rng, size_px=480).image
    for number in range(rendered):
        seed, what = _BARE_SEED + number, _BARE[number % len(_BARE)]
        yield "rendered tables", str(seed), sample(seed, what, _BARE_SIZE, "valid", without_faces=True).image


def false_reads(
    eye: CardEye, pictures: Iterable[tuple[str, str, Image]], faults: Path | None
) -> dict[str, tuple[int, int]]:
    """By sort: how many pictures, and in how many a card is named."""
    counts: dict[str, tuple[int, int]] = {}
    for sort, name, picture in pictures:
        seen = eye.look(picture)
        named = any(is_read(each) and each.conf >= READ for each in seen)
        if faults is not None and named:
            _draw_fault(picture, seen, [sort], faults / f"{sort}-{name}.png")
        all_of, with_name = counts.get(sort, (0, 0))
        counts[sort] = all_of + 1, with_name + named
    return counts


# ---- the tables ----------------------------------------------------------------------------------------------------


def print_real(eye: CardEye, folder: Path, faults: Path | None) -> Score:
    """The held-out third of the real photographs."""
    score = real_photographs(eye, folder / "cards", faults=faults)
    said = score.right + score.wrong
    print(f"real photographs, held-out third: precision {score.precision:.3f} ({score.right}/{said}), ", end="")
    print(f"recall {score.recall:.3f} ({score.found}/{score.truths}), ", end="")
    print(f"calibration error {calibration_error(score.claims):.3f}")
    ranks = whole_cards(eye, folder / "card-ranks")
    said = ranks.right + ranks.wrong
    print(f"real/card-ranks, by rank: precision {ranks.precision:.3f} ({ranks.right}/{said}), ", end="")
    print(f"recall {ranks.recall:.3f} ({ranks.found}/{ranks.truths})", flush=True)
    return score


def print_rendered(eye: CardEye, frames: int, plots: Path | None) -> list[tuple[float, bool]]:
    """Identity by the index's height, on rendered frames with held-back decks."""
    scores = rendered_by_height(eye, frames=frames, threshold=READ)
    print(f"rendered casino, {frames} frames, decks of held-back families\nheight px   precision   recall   indices")
    for height_px, score in scores.items():
        print(f"{height_px:9d}   {score.precision:9.3f}   {score.recall:6.3f}   {score.truths:7d}")
    large = [score for height_px, score in scores.items() if height_px >= _LARGE_PX]
    right, said, found, there = (
        sum(each) for each in zip(*((s.right, s.right + s.wrong, s.found, s.truths) for s in large), strict=True)
    )
    print(f"{_LARGE_PX} and more: precision {right}/{said}, recall {found}/{there}", flush=True)
    if plots is not None:
        curves = {
            "precision": [(height, score.precision) for height, score in scores.items()],
            "recall": [(height, score.recall) for height, score in scores.items()],
        }
        path = plots / "cards-by-height.svg"
        names = {"x_name": "height of the index, pixels", "y_name": "share"}
        line_plot(path, curves, **names, x_ticks=HEIGHTS_PX, y_range=(0.0, 1.0))
    return [claim for score in scores.values() for claim in score.claims]


def print_calibration(claims: list[tuple[float, bool]], plots: Path | None) -> None:
    """Whether confidence is a probability."""
    print(f"calibration error {calibration_error(claims):.3f} over {len(claims)} readings")
    bins = reliability(claims)
    for said, right, count in bins:
        print(f"  said {said:.2f}   right {right:.2f}   {count}")
    if plots is not None:
        curves = {"as it is": [(said, right) for said, right, _ in bins], "as it should be": [(0.0, 0.0), (1.0, 1.0)]}
        ticks = [step / BINS for step in range(BINS + 1)]
        names = {"x_name": "confidence", "y_name": "share that is right"}
        line_plot(plots / "cards-reliability.svg", curves, **names, x_ticks=ticks, y_range=(0.0, 1.0))


def main() -> None:
    """Print every table of the card eye."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--real", type=Path, help="the folder of real photographs")
    parser.add_argument("--frames", type=int, default=60, help="rendered frames")
    parser.add_argument("--empty", type=int, default=700, help="drawn pictures without a card")
    parser.add_argument("--bare", type=int, default=1000, help="rendered tables on which no card lies open")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--faults", type=Path, help="a folder for annotated pictures of what went wrong")
    parser.add_argument("--plots", type=Path, help="a folder for the plots")
    args = parser.parse_args()
    rng = np.random.default_rng(args.seed)
    eye = CardEye()
    claims = print_rendered(eye, args.frames, args.plots)
    if args.real is not None:
        claims += print_real(eye, args.real, args.faults).claims
    print_calibration(claims, args.plots)
    empty = without_cards(rng, pictures=args.empty, rendered=args.bare, real=args.real)
    for sort, (pictures, named) in false_reads(eye, empty, args.faults).items():
        print(f"without cards, {sort}: a card named in {named} of {pictures} pictures")
    learnt = before_and_after(rng, scenes=40)
    if learnt is not None:
        before, after = learnt
        print(f"deck learn, {DECK}: recall {before.recall:.3f} before, {after.recall:.3f} after; ", end="")
        print(f"precision {before.precision:.3f} before, {after.precision:.3f} after ({after.truths} cards)")
    print(f"1080p, about twenty cards: {median_ms(eye.look, large_pictures(6, args.seed)):.0f} ms")


if __name__ == "__main__":
    main()
