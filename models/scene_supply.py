"""Scenes to train on: made by a process of their own while the network learns, each used many times before it goes."""

import contextlib
import multiprocessing
import os
from collections.abc import Callable, Iterable
from multiprocessing.queues import Queue
from queue import Empty, Full

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.composites import Scene
from vision.seen import Image

MakeScene = Callable[[], Scene]
Patch = tuple[Image, tuple[float, ...]]
"""A piece of a scene, and what is known of it."""
_ON_THE_WAY = 64


class Supply:
    """A process that makes scenes without end; `recipe` and what it is called with must be picklable."""

    def __init__(self, recipe: Callable[..., MakeScene], *ingredients: object) -> None:
        spawning = multiprocessing.get_context("spawn")
        self._queue: Queue[Scene] = spawning.Queue(_ON_THE_WAY)
        self._maker = spawning.Process(target=_make, args=(self._queue, recipe, ingredients), daemon=True)
        self._maker.start()

    def wait(self) -> Scene:
        """The next scene."""
        return self._queue.get()

    def ready(self) -> list[Scene]:
        """What has been made meanwhile."""
        scenes: list[Scene] = []
        try:
            while len(scenes) < _ON_THE_WAY:
                scenes.append(self._queue.get_nowait())
        except Empty:
            pass
        return scenes


def _make(queue: "Queue[Scene]", recipe: Callable[..., MakeScene], ingredients: tuple[object, ...]) -> None:
    cv2.setNumThreads(1)
    os.nice(3)  # learning goes before making, but must not starve for it
    parent = os.getppid()  # asked before it can have ended: what is at hand takes a while to gather
    make = recipe(*ingredients)
    while os.getppid() == parent:  # who has lost his parent is another's child
        with contextlib.suppress(Full):
            queue.put(make(), timeout=10)
    queue.cancel_join_thread()  # nobody will take what is still on its way


class Replay:
    """A store of scenes; new ones take the place of the oldest as they come."""

    def __init__(self, supply: Supply, *, size: int, first: int) -> None:
        self._supply, self._size = supply, size
        self._scenes = [supply.wait() for _ in range(first)]
        self.made = first

    def draw(self, count: int, rng: Generator) -> list[Scene]:
        """Scenes at random, after the new ones have come in."""
        for scene in self._supply.ready():
            if len(self._scenes) < self._size:
                self._scenes.append(scene)
            else:
                self._scenes[self.made % self._size] = scene
            self.made += 1
        return [self._scenes[at] for at in rng.integers(len(self._scenes), size=count)]


def seeded(seed: int) -> Generator:
    """Numbers for a process of its own: other ones than its parent draws."""
    return np.random.default_rng([seed, 1])


class Bank:
    """Patches at hand, cut from a supply's scenes; when it is full, new ones take the place of the oldest."""

    def __init__(
        self, supply: Supply, rng: Generator, cut: Callable[[Scene], Iterable[Patch]], *,
        patch_px: tuple[int, int], numbers: int, size: int, first: int,
    ) -> None:  # fmt: skip
        self._supply, self._rng, self._cut, self._size = supply, rng, cut, size
        self._images = np.zeros((size, patch_px[1], patch_px[0], 3), np.uint8)
        self._numbers = np.zeros((size, numbers), np.float32)
        self.made = 0
        while self.made < first:
            self._take(supply.wait())

    def _take(self, scene: Scene) -> None:
        for image, numbers in self._cut(scene):
            at = self.made % self._size
            self._images[at], self._numbers[at] = image, numbers
            self.made += 1

    def drawn(self, count: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """So many pictures of 0..255 by lot, colours first, and what is known of each."""
        for scene in self._supply.ready():
            self._take(scene)
        at = self._rng.integers(min(self.made, self._size), size=count)
        return self._images[at].astype(np.float32).transpose(0, 3, 1, 2), self._numbers[at]
