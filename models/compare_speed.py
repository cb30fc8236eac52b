"""The card eye beside what a user would run instead, on the same pictures in one run: `yolo predict` on the CPU.

`python -m models.compare_speed` (with the extra `[train]`) times YOLOv5n and YOLO26n through ultralytics at the
picture's width. They carry no card weights here: the comparison is of time alone, whatever was learnt.
"""

import contextlib
import functools
import importlib
import os
import time
from collections.abc import Callable

import numpy as np

from datasets import deck_art
from datasets.card_faces import Pool
from datasets.composites import Sizes, compose
from vision.cards import CardEye
from vision.seen import Image

Clock = Callable[[], float]
RIVALS = ("yolov5n.yaml", "yolo26n.yaml")


def pictures(count: int, seed: int) -> list[Image]:
    """1080p pictures with about twenty cards each."""
    rng = np.random.default_rng(seed)
    pool = Pool(rng, drawn=40, art=deck_art.load_decks(deck_art.VALIDATION))
    made = []
    for _ in range(count):
        tiles = [compose(pool, rng, size_px=540, sizes=Sizes(least_px=22, most_px=30)).image for _ in range(8)]
        made.append(np.ascontiguousarray(np.vstack([np.hstack(tiles[:4]), np.hstack(tiles[4:])])[:, :1920]))
    return made


def median_ms(look: Callable[[Image], object], images: list[Image], clock: Clock = time.perf_counter) -> float:
    """The median time per picture, after one to warm up."""
    look(images[0])
    times = []
    for image in images:
        started = clock()
        look(image)
        times.append(clock() - started)
    return float(np.median(times)) * 1000


def spent(look: Callable[[Image], object], images: list[Image]) -> str:
    """What a picture costs by the clock, and of the processor: the latter tells on a machine that others use too."""
    return f"{median_ms(look, images):.0f} ms, {median_ms(look, images, time.process_time):.0f} ms of the processor"


def rival(name: str, width_px: int) -> Callable[[Image], object]:
    """`yolo predict` of ultralytics on all cores, with weights that know nothing."""
    import torch
    from ultralytics import YOLO

    torch.set_num_threads(os.cpu_count() or 1)
    _define_suppression()
    return functools.partial(YOLO(name).predict, imgsz=width_px, device="cpu", verbose=False)


@functools.cache  # a definition lasts as long as its library
def _define_suppression() -> object:
    """A torchvision built for CUDA brings no operators to torch for the CPU. Nets that know no card find nothing that
    would have to be suppressed: any definition serves, and costs no time."""
    import torch

    with contextlib.suppress(ImportError, RuntimeError):
        importlib.import_module("torchvision")  # it defines its operators where it can
    if hasattr(torch.ops.torchvision, "nms"):
        return None
    library = torch.library.Library("torchvision", "FRAGMENT")
    for name in ("nms", "qnms"):
        library.define(f"{name}(Tensor boxes, Tensor scores, float iou_threshold) -> Tensor")
        library.impl(name, lambda boxes, scores, iou_threshold: scores.argsort(descending=True), "CPU")
    return library


def main() -> None:
    """Print one line per contender."""
    images = pictures(5, 3)
    eye = CardEye()
    seen = float(np.mean([len(eye.look(image)) for image in images]))
    print(f"fairdeal card eye: {spent(eye.look, images)}, {seen:.0f} cards seen per picture", flush=True)
    for name in RIVALS:
        try:
            told = spent(rival(name, 1920), images)
        except ImportError as error:
            raise SystemExit(f"ultralytics: {error}; install the extra [train] to time `yolo predict` too") from error
        print(f"ultralytics {name.removesuffix('.yaml')}, 1920 px: {told}")


if __name__ == "__main__":
    main()
