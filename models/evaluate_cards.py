"""The card eye, measured on what it was not trained on: `python -m models.evaluate_cards [--real FOLDER]`."""

import argparse
import time
from pathlib import Path

import cv2
import numpy as np

from datasets import deck_art
from datasets.backdrops import cover_with_hand, random_backdrop, scatter_clutter
from datasets.card_faces import Pool
from datasets.composites import IndexTruth, Scene, Sizes, compose
from datasets.importers import read_yolo
from datasets.real_split import is_held_out
from datasets.weather import filmed, lit
from models.score_cards import Score, add_photo, calibration_error, covers, is_read, reliability
from vision.cards import CardEye
from vision.seen import Image, Seen

HEIGHTS_PX = (8, 10, 12, 16, 24, 32, 48)
SHIPPED_THRESHOLD = 0.5
_SHOWN = 0.9


def real_photographs(eye: CardEye, folder: Path, *, held_out: bool = True, faults: Path | None = None) -> Score:
    """Precision and recall on photographs: a label counts once per picture."""
    score = Score()
    for photo in read_yolo(folder):
        if is_held_out(photo.position) != held_out:
            continue
        image = photo.read()
        seen = eye.look(image)
        wrong = add_photo(score, photo, seen, threshold=SHIPPED_THRESHOLD)
        if wrong and faults is not None:
            _draw_fault(image, seen, wrong, faults / f"{photo.path.stem}.png")
    return score


def _draw_fault(image: Image, seen: list[Seen], wrong: list[str], path: Path) -> None:
    from vision.see import drawn
    from vision.seen import Sight

    path.parent.mkdir(parents=True, exist_ok=True)
    copy = drawn(Sight(source="", t=0, frame=0, size=(0, 0), seen=tuple(seen)), image)
    cv2.putText(copy, " ".join(wrong), (5, 20), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (255, 0, 255), 2)
    cv2.imwrite(str(path), copy)


# ---- composited frames of decks the networks have not seen ---------------------------------------------------------


def by_height(eye: CardEye, pool: Pool, rng: np.random.Generator, *, scenes: int) -> dict[int, Score]:
    """Identity by the height of the index: every index of which at least nine tenths show is a truth."""
    scores = {}
    for height_px in HEIGHTS_PX:
        score = Score()
        for _ in range(scenes):
            scene = compose(
                pool, rng, size_px=max(192, height_px * 12), sizes=Sizes(least_px=height_px, most_px=height_px)
            )
            add_scene(score, scene, eye.look(scene.image, index_px=float(height_px)))
        scores[height_px] = score
    return scores


def add_scene(score: Score, scene: Scene, seen: list[Seen]) -> None:
    """Each card with an index in view is to be named; a name where no index of that card is, is wrong."""
    shown = [index for index in scene.indices if index.visible >= _SHOWN]
    for each in seen:
        if not is_read(each):
            continue
        right = any(_is_of(each, index) and index.label == each.label for index in scene.indices)
        score.claims.append((each.conf, right))
        if each.conf >= SHIPPED_THRESHOLD:
            score.right, score.wrong = score.right + right, score.wrong + (not right)
    sure = [each for each in seen if is_read(each) and each.conf >= SHIPPED_THRESHOLD]
    for card in {index.card for index in shown}:
        score.truths += 1
        score.found += any(each.label == index.label and _is_of(each, index)
                           for each in sure for index in shown if index.card == card)  # fmt: skip


def _is_of(seen: Seen, index: IndexTruth) -> bool:
    return covers(seen, float(index.frame[0][0]), float(index.frame[0][1]))


def false_reads(eye: CardEye, rng: np.random.Generator, *, pictures: int) -> int:
    """In how many pictures of tables without a card something is named: print, sleeves, chips, felt."""
    fooled = 0
    for _ in range(pictures):
        picture = random_backdrop(480, rng)
        for _ in range(3):
            scatter_clutter(picture, rng, unit_px=float(rng.uniform(10, 40)))
        cover_with_hand(picture, np.zeros(picture.shape[:2], bool), rng, unit_px=float(rng.uniform(10, 40)))
        picture = filmed(lit(picture, rng), rng)
        fooled += any(is_read(each) and each.conf >= SHIPPED_THRESHOLD for each in eye.look(picture))
    return fooled


def seconds_per_picture(eye: CardEye, pool: Pool, rng: np.random.Generator, *, pictures: int = 6) -> float:
    """The median time for a 1080p picture with about twenty cards."""
    times = []
    for _ in range(pictures):
        tiles = [compose(pool, rng, size_px=540, sizes=Sizes(least_px=22, most_px=30)).image for _ in range(8)]
        picture = np.vstack([np.hstack(tiles[:4]), np.hstack(tiles[4:])])[:, :1920]
        started = time.perf_counter()
        eye.look(np.ascontiguousarray(picture))
        times.append(time.perf_counter() - started)
    return float(np.median(times))


# ---- the tables ----------------------------------------------------------------------------------------------------


def main() -> None:
    """Print every table of the card eye."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--real", type=Path, help="the folder of real photographs")
    parser.add_argument("--scenes", type=int, default=60, help="composited scenes per height")
    parser.add_argument("--empty", type=int, default=200, help="pictures without a card")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--faults", type=Path, help="a folder for annotated pictures of what went wrong")
    args = parser.parse_args()
    rng = np.random.default_rng(args.seed)
    eye = CardEye()
    claims: list[tuple[float, bool]] = []
    if args.real is not None:
        score = real_photographs(eye, args.real / "cards", faults=args.faults)
        claims += score.claims
        said = score.right + score.wrong
        print(f"real photographs, held-out third: precision {score.precision:.3f} ({score.right}/{said}), ", end="")
        print(f"recall {score.recall:.3f} ({score.found}/{score.truths})")
    art = deck_art.load_decks(deck_art.VALIDATION)
    pool = Pool(rng, drawn=4, art=art, art_share=1.0)
    print(f"composited frames, decks of validation families ({len(art)} faces and backs)")
    print("height px   precision   recall   cards")
    for height_px, score in by_height(eye, pool, rng, scenes=args.scenes).items():
        claims += score.claims
        print(f"{height_px:9d}   {score.precision:9.3f}   {score.recall:6.3f}   {score.truths:5d}")
    print(f"calibration error {calibration_error(claims):.3f} over {len(claims)} readings")
    for said, right, count in reliability(claims):
        print(f"  said {said:.2f}   right {right:.2f}   {count}")
    print(f"false reads: {false_reads(eye, rng, pictures=args.empty)} of {args.empty} pictures without a card")
    print(f"1080p, about twenty cards: {seconds_per_picture(eye, pool, rng) * 1000:.0f} ms")


if __name__ == "__main__":
    main()
