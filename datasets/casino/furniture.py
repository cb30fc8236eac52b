"""Furniture: what belongs to the table and never moves: rail, shoe, discard rack, float tray with its chips."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from datasets.casino import meshes
from datasets.casino.looks import Look
from datasets.casino.meshes import Mesh
from datasets.casino.pieces import Piece, shade
from datasets.casino.placing import placed, scaled, times
from datasets.casino.things import Pose
from vision.plan import Plan, Zone

Array = npt.NDArray[np.float64]
FLOOR_MM = -760.0
DEALER_Y_MM = -265.0
RAIL = ((0, -4), (-2, 10), (6, 25), (26, 35), (58, 38), (88, 31), (106, 12), (110, -14), (104, -50), (98, -90))
STOOL = ((40.0, -600.0), (40.0, -100.0), (165.0, -90.0), (180.0, -60.0), (172.0, -36.0), (0.0, -28.0))  # radius, height
TORSO = (
    (0.8, -700.0),
    (0.85, -50.0),
    (0.9, 60.0),
    (1.0, 300.0),
    (0.9, 390.0),
    (0.5, 430.0),
    (0.28, 440.0),
    (0.26, 500.0),
    (0.0, 510.0),
)
WOOD = ((0, -4), (0, 3), (3, 5), (38, 5), (42, 2), (42, -60))
TRAY_COLOURS = ("white", "red", "green", "black", "blue", "purple", "yellow", "orange")
_SLOPE = ((-75.0, 0.0), (-75.0, 88.0), (2.0, 76.0), (74.0, 8.0), (74.0, 0.0))  # the shoe seen from its side


def room_meshes(plan: Plan, felt_span: tuple[float, float, float, float]) -> dict[str, Mesh]:
    """The meshes of this very table: felt, floor, rail, the dealer's wooden edge, the shoe."""
    left, top, right, bottom = felt_span
    rail, wood = _edges(plan)
    book = {
        "felt": _sheet(left, top, right, bottom, 0.0, 40.0),
        "floor": _sheet(left - 4000, top - 4000, right + 4000, bottom + 2500, FLOOR_MM, 250.0),
        "rail": meshes.swept(rail, np.asarray(RAIL, np.float64), closed=len(wood) == 0),
        "stool": meshes.lathe(STOOL, 28),
        "torso": meshes.lathe(TORSO, 28),
        "shoe": _prism(_SLOPE, 104.0),
    }
    if len(wood):
        book["wood"] = meshes.swept(wood, np.asarray(WOOD, np.float64))
    return book


def _sheet(left: float, top: float, right: float, bottom: float, z: float, step: float) -> Mesh:
    """A flat sheet in small cells: the lens bends it vertex by vertex."""
    columns, rows = round((right - left) / step) + 1, round((bottom - top) / step) + 1
    u, v = np.meshgrid(np.linspace(0, 1, columns), np.linspace(0, 1, rows))
    points = np.stack([left + (right - left) * u, top + (bottom - top) * v, np.full_like(u, z)], axis=2)
    normals = np.broadcast_to([0.0, 0.0, 1.0], points.shape)
    return meshes.grid(points, normals, np.stack([u, v], 2))


def _edges(plan: Plan) -> tuple[Array, Array]:
    """The path of the padded rail, and of the wooden edge where the dealer stands (empty when the felt has none)."""
    outline = np.asarray(plan.felt, np.float64)
    path = []
    for start, end in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        steps = max(1, round(float(np.hypot(*(end - start))) / 25))
        path += [start + (end - start) * step / steps for step in range(steps)]
    dense = np.asarray(path)
    at_dealer = dense[:, 1] < 3.0
    if at_dealer.sum() < 8:
        return dense, np.empty((0, 2))
    first = int(np.flatnonzero(~at_dealer)[0])
    rolled, dealer = np.roll(dense, -first, axis=0), np.roll(at_dealer, -first)
    rail = rolled[~dealer]
    first_end, last_end = rail[0] - (rail[1] - rail[0]), rail[-1] + (rail[-1] - rail[-2])
    return np.concatenate([[first_end], rail, [last_end]]), rolled[dealer]


def _prism(profile: tuple[tuple[float, float], ...], width: float) -> Mesh:
    """A side view (y, z) given a width."""
    points = np.asarray(profile)
    parts = []
    for start, end in zip(points, np.roll(points, -1, axis=0), strict=True):
        step = end - start
        normal = np.array([0.0, -step[1], step[0]]) / max(float(np.hypot(*step)), 1e-9)
        lattice = np.array([[(x, *point) for x in (-width / 2, width / 2)] for point in (start, end)])
        parts.append(meshes.grid(lattice, np.broadcast_to(normal, (2, 2, 3)), np.zeros((2, 2, 2))))
    middle = points.mean(0)
    for x in (-width / 2, width / 2):
        lattice = np.array([[(x, *middle)] * (len(points) + 1), [(x, *point) for point in (*points, points[0])]])
        normals = np.broadcast_to([np.sign(x), 0.0, 0.0], lattice.shape)
        parts.append(meshes.grid(lattice, normals, np.zeros((*lattice.shape[:2], 2))))
    return meshes.joined(*parts)


def room_pieces(plan: Plan, look: Look) -> tuple[Piece, ...]:
    """Everything that stands at this table for good."""
    here = scaled(1, 1, 1)
    made = [Piece(mesh="rail", matrix=here, art=("leather", "leather"), tint=shade(look.rail), gloss=0.3)]
    if len(_edges(plan)[1]):
        made.append(Piece(mesh="wood", matrix=here, art=("wood", "wood"), tint=(0.24, 0.36, 0.52), gloss=0.45))
    made += _people_and_seats(plan, look)
    for zone in plan.of_kind("fixture"):
        if zone.name == "shoe":
            made += _shoe(zone, look)
        elif zone.name == "rack":
            made += _tray(zone, look)
        elif zone.name == "discard":
            made += _discard(zone)
    return tuple(made)


def _people_and_seats(plan: Plan, look: Look) -> list[Piece]:
    """The dealer's body, and stools along the rail on the players' side."""
    rng = np.random.default_rng(look.seed + 23)
    body = scaled(205.0, 125.0, 1.0, (0.0, DEALER_Y_MM, 0.0))
    made = [Piece(mesh="torso", matrix=body, art=("cloth", "cloth"), tint=(0.11, 0.10, 0.10), gloss=0.04)]
    rail, _ = _edges(plan)
    _, top, _, bottom = plan.bounds()
    way, last = np.cumsum(np.hypot(*np.diff(rail, axis=0).T)), -1e9
    for index in range(1, len(rail) - 1):
        if rail[index, 1] < top + 0.3 * (bottom - top) or way[index] - last < 430.0:
            continue
        last = float(way[index])
        ahead = rail[index + 1] - rail[index - 1]
        outward = np.array([ahead[1], -ahead[0]]) / max(float(np.hypot(*ahead)), 1e-9)
        x, y = rail[index] + outward * float(rng.uniform(270, 420))
        made.append(
            Piece(
                mesh="stool",
                matrix=scaled(1, 1, 1, (float(x), float(y), 0.0)),
                art=("leather", "leather"),
                tint=shade(look.rail),
                gloss=0.25,
            )
        )
    return made


def _shoe(zone: Zone, look: Look) -> list[Piece]:
    stand = placed(Pose(*zone.at, 0.0, zone.yaw))
    style = look.deck(0)
    kind = "bridge" if style.size_mm[0] < 60 else "poker"
    back = f"{style.name}/back"
    cheeks = [
        Piece(
            mesh="shoe",
            matrix=times(stand, scaled(0.11, 1.0, 1.05, (side * 50.0, 0.0, 0.0))),
            tint=(0.10, 0.09, 0.09),
            gloss=0.6,
        )
        for side in (-1, 1)
    ]
    slope = placed(Pose(0.0, 37.0, 46.0, 0.0, 43.4))
    mouth = Piece(mesh=f"card/{kind}", matrix=times(stand, slope), art=(back, back), gloss=look.card_gloss)
    body = Piece(mesh="shoe", matrix=times(stand, scaled(0.9, 0.99, 0.97)), tint=(0.16, 0.15, 0.15), gloss=0.5)
    return [body, *cheeks, mouth]


def _discard(zone: Zone) -> list[Piece]:
    """A rack of tinted plastic, open towards the players."""
    stand = placed(Pose(*zone.at, 0.0, zone.yaw))
    width, depth = min(zone.size[0], 84.0), min(zone.size[1], 108.0)
    walls = ((0.0, 0.0, width, depth, 2.0), (0.0, -depth / 2, width, 3.0, 62.0),
             (-width / 2, -depth / 4, 3.0, depth / 2, 62.0), (width / 2, -depth / 4, 3.0, depth / 2, 62.0))  # fmt: skip
    return [
        Piece(mesh="box", matrix=times(stand, scaled(w, d, h, (x, y, 0.0))), tint=(0.16, 0.14, 0.42), gloss=0.7)
        for x, y, w, d, h in walls
    ]


def _tray(zone: Zone, look: Look) -> list[Piece]:
    """A float: chips on edge in long grooves, in runs of one colour, with a marker of air here and there."""
    stand = placed(Pose(*zone.at, 0.0, zone.yaw))
    width, depth = zone.size
    rng = np.random.default_rng(look.seed + 11)
    made = [
        Piece(mesh="box", matrix=times(stand, scaled(width, depth, 7.0)), tint=(0.10, 0.10, 0.11), gloss=0.4),
        Piece(
            mesh="box",
            matrix=times(stand, scaled(width + 12, 5.0, 24.0, (0.0, depth / 2, 0.0))),
            tint=(0.16, 0.16, 0.17),
            gloss=0.5,
        ),
        Piece(
            mesh="box",
            matrix=times(stand, scaled(width + 12, 5.0, 24.0, (0.0, -depth / 2, 0.0))),
            tint=(0.16, 0.16, 0.17),
            gloss=0.5,
        ),
    ]
    x, run = -width / 2 + 6.0, int(rng.integers(8))
    while x < width / 2 - 54.0:
        pose = Pose(x, float(rng.normal(0, 0.4)), 8.0 + 19.5, float(rng.normal(0, 0.6)), 0.0, 90.0)
        roll = times(placed(pose), placed(Pose(0.0, 0.0, -53.0, float(rng.uniform(0, 360)))))
        colour = TRAY_COLOURS[run % len(TRAY_COLOURS)]
        made.append(
            Piece(mesh="roll", matrix=times(stand, roll), art=(f"roll/{colour}", "plain"), gloss=look.chips.gloss)
        )
        x += 53.0 + float(rng.uniform(0, 6))
        run += 1
    return made
