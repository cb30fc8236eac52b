"""Rendered tables full of chip stacks, to teach the eye for chips.

They are kept apart from the casino that it is measured on: chip designs, felts and cameras are drawn by lot here, and
none of the casino's own designs and felts is among them.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.casino.cameras import Camera, framed
from datasets.casino.chip_designs import COLOURS, CREAM, DESIGNS, ChipDesign, Paint
from datasets.casino.decks import CARDS
from datasets.casino.lens import Lens, Optics, random_optics
from datasets.casino.looks import FELTS, Look, random_look
from datasets.casino.pieces import stack_slips_mm
from datasets.casino.stage import Stage
from datasets.casino.things import CHIP_COLOURS, CHIP_THICK_MM, CHIP_WIDTH_MM, Card, ChipStack, Pose, Thing
from vision.plan import Plan, load_plan

Floats = NDArray[np.float64]
Picture = NDArray[np.uint8]
_PLANS = ("act-baccarat", "act-uth", "act-holdem", "act-canberra-poker", "act-blackjack")
_SIZES = ((1280, 720), (1920, 1080))
_GROUPS, _CARDS = 34, 10
_RECORDINGS = 2
"""So many cameras record what was drawn."""
_FELT_APART, _SPOT_APART = 30.0, 90.0
_PALE_SPOTS = 0.33
"""Of the chips with spots by lot so many have pale ones."""
_PAID, _MOST_OF_A_COLOUR = 0.25, 3
"""So many stacks are as winnings are paid: few chips of each colour."""
_USUAL = 0.85
"""So many cameras are less than 66 degrees above the table: from higher up edges hardly show."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneStack:
    """A stack as it stands: where each chip's middle is, and how much of the stack is seen."""

    clay: Floats
    """Chips x 3, BGR."""
    at_mm: Floats
    """Chips x 2."""
    visible: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A recorded picture with stacks, the same table without, and the camera."""

    image: Picture
    empty: Picture
    camera: Camera
    stacks: tuple[SceneStack, ...]


def chip_scenes(seed: int, moments: int = 2, by_lot: float = 0.0) -> Iterator[Scene]:
    """Scenes without end. The stacks of one table are set so many times: the table itself takes longest to draw.

    So many houses (`by_lot`) have clays and spots of their own; the others' colours are made as is usual.
    """
    rng = np.random.default_rng(seed)
    while True:
        plan = load_plan(str(rng.choice(_PLANS)))
        camera = _camera(rng, plan)
        look = _look(rng, by_lot)
        stage = Stage(plan, look, camera)
        cards = tuple(_cards(rng, plan))
        bare = stage.draw(cards)
        for _ in range(moments):
            stacks = _stacks(rng, plan)
            drawn = stage.draw((*cards, *stacks))
            for _ in range(_RECORDINGS):
                optics = _optics(rng)
                lens = Lens(optics, camera.size) if optics is not None else None
                empty, image = (
                    _packed(rng, picture if lens is None else lens.record(picture, frame))
                    for frame, picture in enumerate((bare, drawn))
                )
                yield Scene(image=image, empty=empty, camera=camera, stacks=_seen(stacks, look.chips, camera))


def _look(rng: np.random.Generator, by_lot: float) -> Look:
    """A house whose chips and felt the casino does not have."""
    look = random_look(rng)
    felt = rng.uniform((10, 20, 5), (170, 150, 150))
    while min(float(np.linalg.norm(felt - np.array(other))) for other in FELTS) < _FELT_APART:
        felt = rng.uniform((10, 20, 5), (170, 150, 150))
    blue, green, red = (int(value) for value in felt)
    return replace(look, chips=_design(rng, by_lot), felt=(blue, green, red))


def _design(rng: np.random.Generator, by_lot: float) -> ChipDesign:
    """A chip unlike the casino's own: another number of spots or another share of the rim, of which less than half is
    spots: otherwise nobody could tell clay from spots."""
    while True:
        spots, share = int(rng.integers(3, 15)), float(rng.uniform(0.12, 0.46))
        if all(spots != own.spots or abs(share - own.spot_share) > 0.05 for own in DESIGNS.values()):
            break
    return ChipDesign(
        name=f"lot-{int(rng.integers(1 << 30))}", spots=spots, spot_share=share, split_spots=bool(rng.random() < 0.4),
        inlay=str(rng.choice(["suits", "ring", "word", "none"])), inlay_share=float(rng.uniform(0.4, 0.68)),
        gloss=float(rng.uniform(0.1, 0.4)),
        paints=tuple((name, _paint(rng, name)) for name in COLOURS) if by_lot and rng.random() < by_lot else (),
    )  # fmt: skip


def _paint(rng: np.random.Generator, name: str) -> Paint:
    """A chip in a shade of its own, its spots pale or of any colour that is not the clay's."""
    clay = _shade(rng, COLOURS[name])
    spots = [_shade(rng, CREAM)] if rng.random() < _PALE_SPOTS else []
    while len(spots) < 2:
        spot = _shade(rng, list(COLOURS.values())[int(rng.integers(len(COLOURS)))])
        if np.linalg.norm(np.array(spot) - clay) > _SPOT_APART:
            spots.append(spot)
    return Paint(clay=clay, spot=spots[0], second=spots[1])


def _shade(rng: np.random.Generator, colour: tuple[int, int, int]) -> tuple[int, int, int]:
    """A colour as another maker has it."""
    varied = np.array(colour) * rng.normal(1, 0.06) + rng.normal(0, 7, 3)
    blue, green, red = (int(value) for value in np.clip(varied, 12, 243))
    return blue, green, red


def _camera(rng: np.random.Generator, plan: Plan) -> Camera:
    zoom = float(rng.uniform(0.85, 1.5))
    return framed(
        "random", plan.felt, _SIZES[int(rng.integers(len(_SIZES)))],
        elevation_deg=float(rng.uniform(30, 66) if rng.random() < _USUAL else rng.uniform(66, 80)),
        bearing_deg=float(rng.uniform(-60, 60)),
        distance_mm=float(rng.uniform(1400, 3200)), k1=float(rng.uniform(-0.14, 0.03)), margin=(1 - zoom) / 2 + 0.03,
    )  # fmt: skip


def _optics(rng: np.random.Generator) -> Optics | None:
    """Half of the cameras are as the casino's footage has them, the others better or worse."""
    lot = rng.random()
    if lot < 0.15:
        return None
    return Optics(seed=int(rng.integers(1 << 30))) if lot < 0.55 else random_optics(rng)


def _packed(rng: np.random.Generator, picture: Picture) -> Picture:
    if rng.random() < 0.4:
        return picture
    packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.uniform(55, 97))])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def _stacks(rng: np.random.Generator, plan: Plan) -> tuple[ChipStack, ...]:
    """Groups of one to five stacks all over the felt, no two in each other."""
    placed: list[ChipStack] = []
    for _ in range(_GROUPS):
        near: list[tuple[float, float]] = []
        colours = [str(each) for each in rng.choice(CHIP_COLOURS, int(rng.integers(1, 5)), replace=False)]
        for _ in range(int(rng.choice([1, 1, 1, 2, 2, 3, 4, 5]))):
            x, y = _beside(rng, near) if near else _on_felt(rng, plan)
            if all(np.hypot(x - other.pose.x, y - other.pose.y) > CHIP_WIDTH_MM + 0.5 for other in placed):
                near.append((x, y))
                placed.append(
                    ChipStack(
                        id=1000 + len(placed), chips=_chips(rng, colours),
                        pose=Pose(x, y, 0.0, float(rng.uniform(0, 360))), seed=int(rng.integers(1 << 30)),
                    )
                )  # fmt: skip
    return tuple(placed)


def _chips(rng: np.random.Generator, colours: list[str]) -> tuple[str, ...]:
    if rng.random() < _PAID:
        runs = rng.integers(1, _MOST_OF_A_COLOUR + 1, int(rng.integers(1, len(colours) + 1)))
        return tuple(np.repeat(colours[: len(runs)], runs).tolist())
    height = int(rng.integers(1, 21)) if rng.random() < 0.7 else int(rng.integers(1, 8))
    lots = rng.integers(0, min(len(colours), int(rng.integers(1, 5))), height)
    return tuple(colours[i] for i in (lots if rng.random() < 0.15 else np.sort(lots)))


def _beside(rng: np.random.Generator, near: list[tuple[float, float]]) -> tuple[float, float]:
    x, y = near[int(rng.integers(len(near)))]
    angle, away = rng.uniform(0, 2 * np.pi), CHIP_WIDTH_MM + 0.6 + rng.exponential(5)
    return float(x + away * np.cos(angle)), float(y + away * np.sin(angle))


def _on_felt(rng: np.random.Generator, plan: Plan) -> tuple[float, float]:
    left, top, right, bottom = plan.bounds()
    felt = np.array(plan.felt, np.float32)
    while True:
        x, y = float(rng.uniform(left, right)), float(rng.uniform(top, bottom))
        if cv2.pointPolygonTest(felt, (x, y), True) > 60:
            return x, y


def _cards(rng: np.random.Generator, plan: Plan) -> Iterator[Thing]:
    """Cards lie about too; they are there before the stacks."""
    for number in range(_CARDS):
        pose = Pose(*_on_felt(rng, plan), 0.0, float(rng.uniform(0, 360)))
        yield Card(id=1 + number, card=CARDS[int(rng.integers(52))], pose=pose, up=bool(rng.random() < 0.8))


def _seen(stacks: tuple[ChipStack, ...], design: ChipDesign, camera: Camera) -> tuple[SceneStack, ...]:
    """The stacks with how much of each is seen, from outlines laid over each other, the farthest first."""
    width, height = camera.size
    owner = np.zeros((height, width), np.uint16)
    areas = np.ones(len(stacks))
    around = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    ring = np.column_stack([np.cos(around), np.sin(around)]) * CHIP_WIDTH_MM / 2
    eye = np.array(camera.eye[:2])
    for index in sorted(range(len(stacks)), key=lambda i: -np.hypot(*(np.array(_foot(stacks[i])) - eye))):
        rim = ring + _foot(stacks[index])
        levels = [np.column_stack([rim, np.full(32, z)]) for z in (0.0, len(stacks[index].chips) * CHIP_THICK_MM)]
        hull = cv2.convexHull(camera.project(np.vstack(levels)).astype(np.float32))
        areas[index] = max(cv2.contourArea(hull), 1.0)
        cv2.fillConvexPoly(owner, np.round(hull).astype(np.int32), index + 1)
    shown = np.bincount(owner.ravel(), minlength=len(stacks) + 1)[1:] / areas
    return tuple(
        SceneStack(
            clay=np.array([design.paint(chip).clay for chip in stack.chips], float),
            at_mm=stack_slips_mm(stack) + _foot(stack), visible=float(share),
        )
        for stack, share in zip(stacks, shown, strict=True)
    )  # fmt: skip


def _foot(stack: ChipStack) -> tuple[float, float]:
    return stack.pose.x, stack.pose.y
