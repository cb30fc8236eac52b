"""Drawn pictures of a table's small things with their true boxes: stacks, dice, tiles, dolly, button, hands.

`WRITERS` has one maker per thing for `fairdeal dataset --what`; `mixed_scene` mixes them all, with cards between.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from datasets import object_looks as looks
from datasets.chip_looks import (
    CHIP_BGR,
    CHIP_THICK_MM,
    CHIP_WIDTH_MM,
    Canvas,
    ChipLook,
    Floats,
    Light,
    draw_chip,
    draw_felt,
    draw_shadows,
    fill,
)
from datasets.chip_pictures import PinholeView, photographed
from vision.seen import Kind, Seen

SIDE_PX = 320
_SUPERSAMPLED = 2
_SKINS = np.array([[150.0, 180, 224], [104, 138, 190], [84, 116, 166], [58, 84, 128], [38, 56, 88]])


@dataclass(slots=True)
class Scene:
    """A picture being drawn: what is put on it later lies in front of what was there before."""

    rng: np.random.Generator
    canvas: Canvas
    view: PinholeView
    light: Light
    seen: list[Seen]

    @classmethod
    def begun(
        cls, rng: np.random.Generator, side_px: int = SIDE_PX, px_per_mm: tuple[float, float] = (0.35, 1.8)
    ) -> "Scene":
        """Empty felt and a camera; a millimetre has between so and so many pixels."""
        scale = float(np.exp(rng.uniform(*np.log(px_per_mm))))
        view = PinholeView(
            elevation_deg=float(rng.uniform(32, 88)),
            azimuth_deg=float(rng.uniform(0, 360)),
            distance_mm=float(rng.uniform(1200, 3200)),
            px_per_mm=scale,
            roll_deg=float(rng.normal(0, 6)),
            middle_px=(side_px / 2, side_px / 2),
        )
        canvas = draw_felt(rng, view.all_to_px, side_px, _SUPERSAMPLED)
        return cls(rng, canvas, view, Light.random(rng, canvas), [])

    @property
    def reach_mm(self) -> float:
        """Half of what the picture shows of the felt, from side to side."""
        return float(self.canvas.shape[1] / _SUPERSAMPLED / self.view.px_per_mm / 2)

    def free_places(self, count: int, apart_mm: float) -> list[Floats]:
        """Places in the picture, the farthest from the camera first."""
        places: list[Floats] = []
        for _ in range(count * 3):
            place = self.rng.uniform(-0.85, 0.85, 2) * self.reach_mm
            if len(places) < count and all(np.linalg.norm(place - other) > apart_mm for other in places):
                places.append(place)
        turn = np.radians(self.view.azimuth_deg)
        return sorted(places, key=lambda place: -float(place[0] * np.sin(turn) - place[1] * np.cos(turn)))

    def note(self, kind: Kind, outline: Floats, label: str | None = None, chips: Sequence[ChipLook] = ()) -> None:
        """Writes down what was drawn, if most of it is in the picture."""
        side = self.canvas.shape[1] / _SUPERSAMPLED
        low, high = outline.min(axis=0), outline.max(axis=0)
        shown_low, shown_high = np.clip(low, 0, side), np.clip(high, 0, side)
        if np.prod(shown_high - shown_low) < 0.5 * np.prod(high - low):
            return
        box = (float(shown_low[0]), float(shown_low[1]), float(shown_high[0]), float(shown_high[1]))
        stack = tuple((chip.colour, 1) for chip in chips) or None
        self.seen.append(Seen(kind=kind, label=label, conf=1.0, box=box, count=len(chips) or None, stack=stack))

    def finished(self) -> tuple[NDArray[np.uint8], list[Seen]]:
        side = self.canvas.shape[1] // _SUPERSAMPLED
        return photographed(self.rng, self.canvas, side, _SUPERSAMPLED), self.seen

    # ---- what can be put down ------------------------------------------------------------------------------------

    def put_stack(self, at: Floats) -> None:
        kinds = [ChipLook.random(self.rng) for _ in range(self.rng.integers(1, 4))]
        chips = [
            kinds[i]
            for i in np.sort(
                self.rng.integers(
                    0, len(kinds), int(self.rng.integers(1, 21) if self.rng.random() < 0.5 else self.rng.integers(1, 6))
                )
            )
        ]
        height_mm = len(chips) * CHIP_THICK_MM
        draw_shadows(self.canvas, self.view.all_to_px, [(at[0], at[1], height_mm)], self.light, _SUPERSAMPLED)
        for level, chip in enumerate(chips):
            foot = np.array([*(at + self.rng.normal(0, 0.4, 2)), level * CHIP_THICK_MM])
            draw_chip(
                self.canvas,
                self.view.all_to_px,
                chip,
                foot,
                self.light,
                float(self.rng.uniform(0, 360)),
                _SUPERSAMPLED,
                level + 1 < len(chips),
            )
        ring = looks.circle(CHIP_WIDTH_MM / 2) + at
        outline = self.view.all_to_px(np.vstack([looks.raised(ring, 0), looks.raised(ring, height_mm)]))
        self.note("chips", outline, chips=chips)

    def put_die(self, at: Floats) -> None:
        face = int(self.rng.integers(1, 7))
        body = np.array(CHIP_BGR[str(self.rng.choice(list(CHIP_BGR)))]) * self.rng.uniform(0.8, 1.1)
        ink = np.array([235.0, 235, 235]) if body.mean() < 120 else np.array([25.0, 25, 25])
        if body.mean() > 180 and face in (1, 4) and self.rng.random() < 0.5:
            ink = np.array([40.0, 34, 196])
        side_mm = float(self.rng.uniform(14, 22))
        yaw_deg = float(self.rng.uniform(0, 360))
        self.note(
            "die",
            looks.draw_die(self.canvas, self.view.all_to_px, face, at, yaw_deg, body, ink, _SUPERSAMPLED, side_mm),
            label=str(face),
        )

    def put_tile(self, at: Floats) -> None:
        shade, yaw_deg = float(self.rng.uniform(0.7, 1.3)), float(self.rng.uniform(0, 360))
        for neighbour in range(self.rng.choice([1, 1, 2])):
            tile = None if self.rng.random() < 0.2 else str(self.rng.choice(list(looks.TILE_PIPS)))
            beside = looks.turned(np.array([[neighbour * self.rng.uniform(25.2, 30), 0]]), yaw_deg, at)[0]
            self.note(
                "tile",
                looks.draw_tile(self.canvas, self.view.all_to_px, tile, beside, yaw_deg, shade, _SUPERSAMPLED),
                label=tile or "??",
            )

    def put_dolly(self, at: Floats) -> None:
        body = np.array([[76.0, 158, 204], [230, 232, 235], [200, 210, 215], [40, 40, 190]])[
            self.rng.integers(4)
        ] * self.rng.uniform(0.7, 1.1)
        size = {"height": float(self.rng.uniform(38, 80)), "radius": float(self.rng.uniform(12, 19))}
        self.note("dolly", looks.draw_dolly(self.canvas, self.view.all_to_px, at, body, _SUPERSAMPLED, **size))

    def put_button(self, at: Floats) -> None:
        body, ink = np.array([236.0, 238, 240]), np.array([25.0, 25, 25])
        if self.rng.random() < 0.25:
            body, ink = ink, body
        text, radius = str(self.rng.choice(["DEALER", "D", "BUTTON"])), float(self.rng.uniform(24, 38))
        yaw_deg = float(self.rng.uniform(0, 360))
        self.note(
            "button",
            looks.draw_button(self.canvas, self.view.all_to_px, text, at, yaw_deg, radius, body, ink, _SUPERSAMPLED),
        )

    def put_hand(self, at: Floats) -> None:
        skin = _SKINS[self.rng.integers(len(_SKINS))] * self.rng.uniform(0.85, 1.1)
        sleeve, yaw_deg = self.rng.uniform(20, 230, 3), float(self.rng.uniform(0, 360))
        self.note(
            "hand",
            looks.draw_hand(self.canvas, self.view.all_to_px, at, yaw_deg, skin, sleeve, self.rng, _SUPERSAMPLED),
        )

    def put_card(self, at: Floats) -> None:
        back = self.rng.uniform(20, 200, 3) if self.rng.random() < 0.3 else None
        yaw_deg, red = float(self.rng.uniform(0, 360)), bool(self.rng.random() < 0.5)
        self.note(
            "card" if back is None else "back",
            looks.draw_card(self.canvas, self.view.all_to_px, at, yaw_deg, red, back, _SUPERSAMPLED),
        )


Put = Callable[[Scene, Floats], None]
_PUTS: dict[str, tuple[Put, float]] = {  # how it is put down, and how far (mm) others keep away
    "stack": (Scene.put_stack, 46.0), "die": (Scene.put_die, 30.0), "tile": (Scene.put_tile, 75.0),
    "dolly": (Scene.put_dolly, 60.0), "button": (Scene.put_button, 80.0), "hand": (Scene.put_hand, 120.0),
    "card": (Scene.put_card, 95.0),
}  # fmt: skip
_OFTEN = {"stack": 0.32, "die": 0.16, "tile": 0.16, "dolly": 0.06, "button": 0.08, "hand": 0.08, "card": 0.14}


def mixed_scene(rng: np.random.Generator, what: str | None = None) -> tuple[NDArray[np.uint8], list[Seen]]:
    """A picture of some things, or of one kind of thing only."""
    scene = Scene.begun(rng)
    kinds = (
        [what] * int(rng.integers(1, 7))
        if what
        else [str(kind) for kind in rng.choice(list(_OFTEN), rng.integers(3, 10), p=list(_OFTEN.values()))]
    )
    apart = max(_PUTS[kind][1] for kind in kinds)
    for at, kind in zip(
        scene.free_places(len(kinds), apart), sorted(kinds, key=lambda kind: kind == "hand"), strict=False
    ):
        _PUTS[kind][0](scene, at)
    return scene.finished()


def printed_felt(rng: np.random.Generator, side_px: int = SIDE_PX) -> NDArray[np.uint8]:
    """Felt with much print and nothing on it: boxes with numbers, rings, words, rows of dots."""
    scene = Scene.begun(rng, side_px, (0.5, 4.0))
    for _ in range(int(rng.integers(1, 5))):
        at, yaw_deg = rng.uniform(-0.8, 0.8, 2) * scene.reach_mm, float(rng.choice([0, 90, 180, rng.uniform(0, 360)]))
        ink = np.array(rng.uniform(130, 250, 3) if rng.random() < 0.6 else rng.uniform(0, 255, 3))
        _PRINTS[rng.integers(len(_PRINTS))](scene, at, yaw_deg, ink)
    return scene.finished()[0]


def _print_numbers(scene: Scene, at: Floats, yaw_deg: float, ink: Floats) -> None:
    """Boxes with numbers on red and black, as roulette has them."""
    rng, box = scene.rng, scene.rng.uniform(25, 70, 2)
    for column, row in np.ndindex(int(rng.integers(2, 6)), int(rng.integers(1, 4))):
        middle = looks.turned(np.array([[column * box[0], row * box[1]]]), yaw_deg, at)[0]
        ground = np.array([[30.0, 25, 170], [25, 25, 25]])[rng.integers(2)]
        patch = looks.circle(float(box.min()) * 0.42) if rng.random() < 0.5 else looks.rectangle(*(box * 0.9))
        _fill(scene, looks.turned(patch, yaw_deg, middle), ground)
        _print_word(scene, middle, yaw_deg, ink, str(rng.integers(1, 37)), float(box.min()) * 0.5)


def _print_word(
    scene: Scene, at: Floats, yaw_deg: float, ink: Floats, word: str | None = None, high_mm: float | None = None
) -> None:
    word = word or str(scene.rng.choice(["DEALER", "PAYS 2 TO 1", "BANKER", "8", "EVEN", "ANTE", "1st 12", "TIE", "X"]))
    high = high_mm or float(scene.rng.uniform(12, 60))
    quad = looks.turned(looks.rectangle(high * 0.7 * len(word), high), yaw_deg, at)
    looks.draw_text(scene.canvas, scene.view.all_to_px, word, quad, 0.0, ink, _SUPERSAMPLED)


def _print_rings(scene: Scene, at: Floats, yaw_deg: float, ink: Floats) -> None:
    """A betting circle with a word in it, larger than a chip."""
    radius = float(scene.rng.uniform(28, 70))
    _fill(scene, looks.circle(radius) + at, ink)
    _fill(scene, looks.circle(radius * 0.88) + at, scene.rng.uniform(0, 160, 3))
    _print_word(scene, at, yaw_deg, ink, None, radius * 0.35)


def _print_dots(scene: Scene, at: Floats, yaw_deg: float, ink: Floats) -> None:
    """Dots or diamonds in rows: pips that are on nothing."""
    size, apart = float(scene.rng.uniform(2, 9)), float(scene.rng.uniform(8, 30))
    for column, row in np.ndindex(int(scene.rng.integers(1, 5)), int(scene.rng.integers(1, 4))):
        middle = looks.turned(np.array([[column * apart, row * apart]]), yaw_deg, at)[0]
        _fill(scene, looks.circle(size, int(scene.rng.choice([4, 20]))) + middle, ink)


def _fill(scene: Scene, plan: Floats, bgr: Floats) -> None:
    fill(scene.canvas, scene.view.all_to_px(looks.raised(plan, 0.0)), bgr, _SUPERSAMPLED)


_PRINTS = (_print_numbers, _print_word, _print_rings, _print_dots)


def _writer(what: str) -> Callable[[int, int], Iterator[tuple[NDArray[np.uint8], list[Seen]]]]:
    def pictures(count: int, seed: int) -> Iterator[tuple[NDArray[np.uint8], list[Seen]]]:
        rng = np.random.default_rng(seed)
        for _ in range(count):
            yield mixed_scene(rng, what)

    return pictures


WRITERS = {
    "chips": _writer("stack"),
    "tiles": _writer("tile"),
    "dice": _writer("die"),
    "buttons": _writer("button"),
    "hands": _writer("hand"),
}
