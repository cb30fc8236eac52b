"""Trains the object detector (stacks, dice, tiles, dolly, button, hands) from real pictures and drawn scenes.

`python -m models.train_objects --real DIR --start yolov5n-coco-backbone.safetensors --out RUN [--drawn N] [--epochs N]
[--weights LAST.pt]` needs the extra `[train]`. One third of every real set is never touched
here (`datasets.real_split`).
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.real_split import is_held_out

CLASSES = ("stack", "die", "tile", "dolly", "button", "hand")
TRAIN_PX = 256
_DICE_CROP_PX = 352

Labelled = tuple[NDArray[np.uint8], NDArray[np.float64]]
"""A picture and its boxes: class, centre x, centre y, width, height, as fractions of the picture."""


def real_pictures(folder: Path, *, held_out: bool) -> Iterator[Labelled]:
    """The pictures of one real set that are, or are not, kept out of training."""
    for position, path in enumerate(sorted((folder / "images").iterdir())):
        if is_held_out(position) == held_out:
            rows = np.loadtxt(folder / "labels" / f"{path.stem}.txt", ndmin=2).reshape(-1, 5)
            yield np.asarray(cv2.imread(str(path)), np.uint8), rows


def stacks_to_learn(real: Path) -> Iterator[Labelled]:
    """Real stacks: the set's one class is ours."""
    yield from real_pictures(real / "chip-stacks", held_out=False)


def dice_to_learn(real: Path, rng: np.random.Generator, crops: int = 1) -> Iterator[Labelled]:
    """Real dice, cut to the size they are trained at without scaling: their pips are few pixels as it is."""
    for image, rows in real_pictures(real / "dice", held_out=False):
        for _ in range(crops):
            yield crop_around(image, rows, rng)


def crop_around(image: NDArray[np.uint8], rows: NDArray[np.float64], rng: np.random.Generator) -> Labelled:
    """A crop that holds one of the picture's dice; dice that the crop cuts more than in half are dropped."""
    height, width = image.shape[:2]
    centres = rows[:, 1:3] * (width, height)
    anchor = centres[rng.integers(len(rows))] - rng.uniform(0.2, 0.8, 2) * _DICE_CROP_PX
    left, top = np.clip(anchor, 0, (width - _DICE_CROP_PX, height - _DICE_CROP_PX)).astype(int)
    low = np.clip(centres - rows[:, 3:] * (width, height) / 2 - (left, top), 0, _DICE_CROP_PX)
    high = np.clip(centres + rows[:, 3:] * (width, height) / 2 - (left, top), 0, _DICE_CROP_PX)
    shown = np.prod(high - low, axis=1) / np.prod(rows[:, 3:] * (width, height), axis=1)
    kept = shown > 0.5
    boxes = np.hstack([(low + high) / 2, high - low])[kept] / _DICE_CROP_PX
    classes = np.full((len(boxes), 1), CLASSES.index("die"), dtype=float)
    crop = image[top : top + _DICE_CROP_PX, left : left + _DICE_CROP_PX]
    return crop, np.hstack([classes, boxes])


def write_set(folder: Path, pictures: Iterator[Labelled], prefix: str) -> int:
    """Writes pictures and labels as Ultralytics reads them; returns how many."""
    for part in ("images", "labels"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    count = 0
    for image, rows in pictures:
        name = f"{prefix}-{count:05d}"
        cv2.imwrite(str(folder / "images" / f"{name}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, 95])
        np.savetxt(folder / "labels" / f"{name}.txt", rows, fmt=["%d", "%.6f", "%.6f", "%.6f", "%.6f"])
        count += 1
    return count


def prepare(real: Path, out: Path, drawn: int, seed: int) -> Path:
    """The training set on disk and the file that describes it."""
    rng = np.random.default_rng(seed)
    folder = out / "set"
    counts = {
        "stacks": write_set(folder, stacks_to_learn(real), "stacks"),
        "dice": write_set(folder, dice_to_learn(real, rng), "dice"),
    }
    if drawn:
        from datasets.object_pictures import detector_scenes

        counts["drawn"] = write_set(folder, detector_scenes(drawn, seed, CLASSES), "drawn")
    print(counts)
    description = out / "set.yaml"
    names = "\n".join(f"  {index}: {name}" for index, name in enumerate(CLASSES))
    # Ultralytics insists on validating once at the end; the figures that count come from `models.evaluate_objects`.
    few = sorted((folder / "images").iterdir())[:8]
    (folder / "val.txt").write_text("\n".join(str(path.resolve()) for path in few))
    description.write_text(f"path: {folder.resolve()}\ntrain: images\nval: val.txt\nnames:\n{names}\n")
    return description


def train(description: Path, start: Path, out: Path, epochs: int, weights: Path | None) -> None:
    """YOLOv5n from the COCO layers (or from an earlier run's weights); the first, dearest layers stay as they are."""
    import torch
    from safetensors.torch import load_file
    from ultralytics import YOLO

    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    if weights is None:
        model = YOLO("yolov5n.yaml")
        own = model.model.state_dict()
        given = {name: value.float() for name, value in load_file(start).items() if own[name].shape == value.shape}
        model.model.load_state_dict(own | given)
        model.ckpt = {"model": model.model}  # or the trainer builds a fresh network and forgets what was loaded
    else:
        model = YOLO(str(weights))
    model.train(
        data=str(description),
        epochs=epochs,
        imgsz=TRAIN_PX,
        batch=8,
        nbs=16,
        device="cpu",
        workers=0,
        project=str(out.resolve()),
        name="run",
        exist_ok=True,
        val=False,
        plots=False,
        freeze=3,
        optimizer="AdamW",
        lr0=1e-3,
        cos_lr=True,
        warmup_epochs=0.5,
        mosaic=0.0,
        scale=0.4,
        fliplr=0.5,
        degrees=0.0,
        hsv_h=0.5,
        hsv_s=0.6,
        hsv_v=0.4,
        amp=False,
        save_period=-1,
        seed=1,
    )
    best = YOLO(str(out / "run" / "weights" / "last.pt"))
    made = best.export(format="onnx", imgsz=TRAIN_PX, dynamic=True, simplify=False)
    Path(made).rename(out / "objects.onnx")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--real", type=Path, required=True)
    parser.add_argument("--start", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--drawn", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    description = prepare(asked.real, asked.out, asked.drawn, asked.seed)
    train(description, asked.start, asked.out, asked.epochs, asked.weights)


if __name__ == "__main__":
    main()
