"""Measures the eyes for chips, dice, tiles and small things on what they were not taught.

`python -m models.evaluate_objects [--real DIR] [--traced N] [--dice N] [--stacks N] [--things N] [--frames N]` prints
every table of the model card: real held-out thirds, `--traced` dice and tiles by size, `--dice`: whole pictures with
traced dice, `--stacks` drawn from near, `--things`: frames of the rendered casino, false reads, `--frames` with stacks.
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import cv2
import numpy as np

from datasets.backdrops import random_backdrop
from datasets.chip_pictures import close_stacks
from datasets.pipped import random_die, random_tile
from datasets.traced_bodies import Sprite
from datasets.sprites import paste
from models.die_pictures import CLOSE_PX, FAR_PX, LOOKS, VIEWS_DEG, die_pictures
from models.score_objects import FELT, Reliability, Tally, real_pictures, without_things
from vision.chip_stance import Stance
from vision.chips import ChipEye
from vision.object_faces import DIE_FACES, read_faces
from vision.objects import CLASSES, WHOLE_CARDS, ObjectEye, detect
from vision.seen import Image, Kind, Seen

_SIZES_PX: dict[Kind, tuple[int, ...]] = {
    "die": (8, 10, 12, 14, 16, 20, 24, 32, 48),
    "tile": (16, 20, 24, 32, 40, 60, 90),
}
_SURE = 0.9
_LOOSE = 0.1  # of a stack's width, by which each side of its box may be too far out
_DICE: tuple[Kind, ...] = ("die",)


def real_stacks(real: Path) -> Tally:
    """Stacks of chips, where they are: real/chip-stacks."""
    tally = Tally()
    for image, truths in real_pictures(real / "chip-stacks", ["chips"]):
        tally.add(truths, [(found.kind, found.box) for found in detect(image) if found.kind == "chips"])
    return tally


def real_dice(real: Path, trust: Reliability) -> tuple[Tally, Tally]:
    """Dice: found, and found with the right face."""
    found, read, eye = Tally(), Tally(), ObjectEye()
    for image, truths in real_pictures(real / "dice", DIE_FACES):
        said = [each for each in eye.look(image) if each.kind == "die"]
        found.add([("die", box) for _, box in truths], [("die", each.box) for each in said])
        answers = read.add(truths, [(each.label or "", each.box) for each in said])
        trust.add([each.conf for each in said], answers)
    return found, read


def traced_dice(number: int, seed: int) -> Iterator[str]:
    """Traced dice in whole pictures: found, and found with the right face, by look and by the camera's height."""
    far = [(look, view_deg, FAR_PX) for look in LOOKS for view_deg in VIEWS_DEG]
    for look, view_deg, die_px in far + [(look, (35.0, 80.0), CLOSE_PX) for look in LOOKS]:
        found, read, eye = Tally(), Tally(), ObjectEye()
        for image, truths in die_pictures(number, seed, look, view_deg, die_px):
            said = eye.look(image, _DICE)
            found.add([("die", box) for _, box in truths], [("die", each.box) for each in said])
            read.add(truths, [(each.label or "", each.box) for each in said])
        sizes = f"{die_px[0]:.0f} to {die_px[1]:.0f} px, from {view_deg[0]:.0f} to {view_deg[1]:.0f} degrees"
        yield f"traced dice, {look}, {sizes}: {found}; face right: {read}"


def near_stacks(number: int, seed: int) -> str:
    """Drawn stacks in large, low views, their boxes loose as detectors' are: numbers and stacks that are told."""
    rng, eye, counts, stacks = np.random.default_rng(seed), ChipEye(), list[bool](), list[bool]()
    for picture in close_stacks(number, seed):
        true = [chip.colour for chip in picture.stacks[0].chips]
        box = np.array(Stance.at(picture.view.all_to_px, 0.0, 0.0).box(len(true)))
        left, top, right, bottom = (box + rng.uniform(0, _LOOSE, 4) * (box[2] - box[0]) * (-1, -1, 1, 1)).tolist()
        seen = eye.read_box(picture.image, (left, top, right, bottom), 1.0)
        counts += [] if seen.count is None else [seen.count == len(true)]
        stacks += [] if seen.stack is None else [[c for c, many in seen.stack for _ in range(many)] == true]
    numbers = f"{sum(counts)} of {len(counts)} numbers told are right"
    return f"drawn stacks from near ({number}): {numbers}, {sum(stacks)} of {len(stacks)} stacks with their colours"


def rendered(frames: Iterable[tuple[Image, list[Seen]]], trust: Reliability) -> tuple[dict[str, Tally], list[bool]]:
    """Things in rendered frames: found (and read) by kind; and whether tiles whose box is known are read right."""
    from models.rendered_objects import is_whole

    tallies: dict[str, Tally] = defaultdict(Tally)
    eye, tiles = ObjectEye(), list[bool]()
    for image, seen in frames:
        said = eye.look(image)
        whole = [each for each in seen if is_whole(each, image)]
        for kind in (*CLASSES[1:], "die read", "tile read"):  # stacks have tables of their own
            reads = kind.endswith(" read")
            named = kind.removesuffix(" read")
            truths = [((each.label or "") if reads else named, each.box) for each in whole if each.kind == named]
            mine = [each for each in said if each.kind == named]
            unsure = [each.box for each in seen if each.kind == named and each not in whole]
            answers = tallies[kind].add(
                truths, [((each.label or "") if reads else named, each.box) for each in mine], unsure
            )
            if reads:
                trust.add([each.conf for each in mine], answers)
        known = [each for each in whole if each.kind == "tile"]
        labels = read_faces(image, [("tile", each.box) for each in known])
        tiles += [label == each.label for each, (label, _) in zip(known, labels, strict=True)]
    return tallies, tiles


def by_size(number: int, seed: int) -> Iterator[str]:
    """How many traced dice and tiles are read right at which size, their boxes known, cameras from 35 to 90 degrees."""
    makers: dict[Kind, Callable[..., Sprite]] = {"die": random_die, "tile": random_tile}
    for kind, make in makers.items():
        rng = np.random.default_rng(seed)
        sprites = [make(rng, low_deg=35.0) for _ in range(number)]
        for size_px in _SIZES_PX[kind]:
            right, sure = 0, list[bool]()
            for sprite in sprites:
                canvas = random_backdrop(int(size_px * 2), rng).astype(np.float32)
                box = paste(canvas, sprite, (size_px, size_px), size_px, 0)
                label, conf = read_faces(np.clip(canvas, 0, 255).astype(np.uint8), [(kind, box)])[0]
                right += label == sprite.label
                sure += [label == sprite.label] if conf > _SURE else []
            said = f"{len(sure)} said with over {_SURE}, right {sum(sure) / max(len(sure), 1):.3f}"
            yield f"{kind}, longer side {size_px} px: right {right / number:.3f} of {number}; {said}"


def false_reads(real: Path | None, felts: int, seed: int) -> tuple[Counter[str], Counter[str]]:
    """How many pictures without things there were of each sort, and in how many something was said to be, by kind."""
    pictures, wrong, eye = Counter[str](), Counter[str](), ObjectEye()
    for sort, image in without_things(real, felts, seed):
        pictures[sort] += 1
        for kind in {each.kind for each in eye.look(image)}:
            if kind not in WHOLE_CARDS or sort == FELT:  # card photographs: `models.evaluate_backs`
                wrong[f"{sort}: {kind}"] += 1
    return pictures, wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--real", type=Path)
    parser.add_argument("--things", type=int, default=0)
    parser.add_argument("--frames", type=int, default=0)
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--traced", type=int, default=0)
    parser.add_argument("--dice", type=int, default=0)
    parser.add_argument("--stacks", type=int, default=0)
    parser.add_argument("--felts", type=int, default=700)
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    width, height = (int(side) for side in asked.size.split("x"))
    trust = Reliability()
    if asked.real:
        print(f"real/chip-stacks, held-out third, IoU 0.5: {real_stacks(asked.real)}")
        found, read = real_dice(asked.real, trust)
        print(f"real/dice, held-out third, IoU 0.5: {found}\nreal/dice, the same, face right: {read}", flush=True)
    if asked.traced:
        print("\n".join(by_size(asked.traced, asked.seed + 1000)), flush=True)
    if asked.dice:
        for line in traced_dice(asked.dice, asked.seed + 2000):
            print(line, flush=True)
    if asked.stacks:
        print(near_stacks(asked.stacks, asked.seed + 3000), flush=True)
    if asked.things:
        from models.rendered_objects import rendered_objects

        for name, tables in (("pai gow table, whole", ("act-paigow",)), ("all tables, zoom 1 to 4", None)):
            more = {} if tables is None else {"tables": tables, "most_zoom": 1.3}
            frames = rendered_objects(asked.things, asked.seed, (width, height), "valid", **more)  # type: ignore[arg-type]
            tallies, tiles = rendered(frames, trust)
            for kind, tally in tallies.items():
                print(f"rendered {asked.size}, {name}, {kind}: {tally}")
            print(
                f"rendered, {name}, tiles read where their box is known: {np.mean(tiles):.3f} of {len(tiles)}",
                flush=True,
            )
    if trust.confs:
        print(
            f"confidence of dice and tiles: expected calibration error {trust.error():.3f} ({len(trust.confs)} reads)"
        )
    pictures, wrong = false_reads(asked.real, asked.felts, asked.seed)
    print(f"pictures with none of these things: {dict(pictures)}; said to be there, in pictures: {dict(wrong)}")
    if asked.frames:
        from models.evaluate_rendered_chips import measured, table_views

        print(f"stacks in rendered frames, {asked.size}")
        print("\n".join(measured(table_views(asked.frames, (width, height), asked.seed))))


if __name__ == "__main__":
    main()
