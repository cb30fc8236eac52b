"""How drawn dice, tiles, dollies, buttons, cards and hands look, each drawn through a camera's projection."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.chip_looks import Canvas, Floats, Project, fixed, fill

TILE_PIPS: dict[str, tuple[int, int]] = {
    "teen": (6, 6), "day": (1, 1), "yun": (4, 4), "gor": (3, 1), "mooy": (5, 5), "chong": (3, 3), "bon": (2, 2),
    "foo": (6, 5), "ping": (6, 4), "tit": (6, 1), "look": (5, 1), "gow63": (6, 3), "gow54": (5, 4), "bot62": (6, 2),
    "bot53": (5, 3), "chit52": (5, 2), "chit43": (4, 3), "ng41": (4, 1), "ng32": (3, 2), "gj6": (4, 2), "gj3": (2, 1),
}  # fmt: skip
TILE_MM = (25.0, 63.0, 10.0)
DIE_MM = 16.0
_PIPS = {
    1: [(0, 0)], 2: [(-1, -1), (1, 1)], 3: [(-1, -1), (0, 0), (1, 1)], 4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)], 6: [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
}  # fmt: skip
_NEXT_FACE = {1: 2, 2: 3, 3: 1, 4: 5, 5: 6, 6: 4}  # some face that lies beside this one
_RED, _WHITE = np.array([40.0, 40, 200]), np.array([235.0, 235, 235])


def turned(points: Sequence[tuple[float, float]] | Floats, yaw_deg: float, at: Floats) -> Floats:
    """Points of a thing's own frame in the plan, the thing turned clockwise seen from above."""
    yaw = np.radians(yaw_deg)
    turn = np.array([[np.cos(yaw), np.sin(yaw)], [-np.sin(yaw), np.cos(yaw)]])
    return np.asarray(np.asarray(points, dtype=np.float64) @ turn + at)


def rectangle(width: float, length: float) -> Floats:
    return np.array([(-width, -length), (width, -length), (width, length), (-width, length)]) / 2


def circle(radius: float, points: int = 28, middle: tuple[float, float] = (0.0, 0.0)) -> Floats:
    angles = np.linspace(0, 2 * np.pi, points, endpoint=False)
    return np.asarray(np.stack([np.cos(angles), np.sin(angles)], axis=1) * radius + np.array(middle))


def raised(plan: Floats, z_mm: float) -> Floats:
    return np.column_stack([plan, np.full(len(plan), z_mm)])


def draw_prism(
    canvas: Canvas, project: Project, low: Floats, high: Floats, side: Floats, top: Floats, supersampled: int
) -> Floats:
    """A convex body between two outlines (n x 3); returns its outline in pixels."""
    hull = cv2.convexHull(project(np.vstack([low, high])).astype(np.float32))[:, 0].astype(np.float64)
    fill(canvas, hull, side, supersampled)
    fill(canvas, project(high), top, supersampled)
    return hull


def draw_tile(
    canvas: Canvas, project: Project, tile: str | None, at: Floats, yaw_deg: float, shade: float, supersampled: int
) -> Floats:
    """A pai gow tile, or its back for None; returns its outline in pixels."""
    width, length, thick = TILE_MM
    outline = turned(rectangle(width, length), yaw_deg, at)
    body = np.array([32.0, 30, 30]) * shade
    hull = draw_prism(canvas, project, raised(outline, 0), raised(outline, thick), body * 0.6, body, supersampled)
    if tile is None:
        return hull
    for half, pips in zip((-1, 1), TILE_PIPS[tile], strict=True):
        for x, y in _PIPS[pips]:
            red = pips in (1, 4) or (tile == "teen" and x < 0)
            radius = 4.2 if pips == 1 else 2.5
            dot = turned(circle(radius, 12, (x * 6.0, half * length / 4 + y * 8.5)), yaw_deg, at)
            fill(canvas, project(raised(dot, thick)), (_RED if red else _WHITE) * shade, supersampled)
    return hull


def draw_die(
    canvas: Canvas,
    project: Project,
    face: int,
    at: Floats,
    yaw_deg: float,
    body: Floats,
    ink: Floats,
    supersampled: int,
    side_mm: float = DIE_MM,
) -> Floats:
    """A die with `face` up; the pips of two walls are drawn too where the camera sees them."""
    outline = turned(rectangle(side_mm, side_mm), yaw_deg, at)
    hull = draw_prism(canvas, project, raised(outline, 0), raised(outline, side_mm), body * 0.65, body, supersampled)
    _draw_walls(canvas, project, face, outline, body, ink, supersampled, side_mm)
    for x, y in _PIPS[face]:
        dot = turned(circle(side_mm * 0.095, 10, (x * side_mm * 0.27, y * side_mm * 0.27)), yaw_deg, at)
        fill(canvas, project(raised(dot, side_mm)), ink, supersampled)
    return hull


def _draw_walls(
    canvas: Canvas,
    project: Project,
    face: int,
    outline: Floats,
    body: Floats,
    ink: Floats,
    supersampled: int,
    side_mm: float,
) -> None:
    beside = _NEXT_FACE[face]
    for i, number in enumerate((beside, _NEXT_FACE[beside], 7 - beside, 7 - _NEXT_FACE[beside])):
        start, end = outline[i], outline[(i + 1) % 4]
        wall = project(np.array([[*start, 0], [*end, 0], [*end, side_mm], [*start, side_mm]]))
        if cv2.contourArea(wall.astype(np.float32), oriented=True) >= 0:
            continue
        fill(canvas, wall, body * (0.55 + 0.1 * i), supersampled)
        for x, y in _PIPS[number]:
            dots = circle(0.095, 10, (0.5 + 0.27 * x, 0.5 + 0.27 * y))
            points = np.column_stack([start + dots[:, :1] * (end - start), dots[:, 1] * side_mm])
            fill(canvas, project(points), ink * 0.8, supersampled)


def draw_button(
    canvas: Canvas,
    project: Project,
    text: str,
    at: Floats,
    yaw_deg: float,
    radius: float,
    body: Floats,
    ink: Floats,
    supersampled: int,
) -> Floats:
    """A disc with a word on it."""
    outline = circle(radius) + at
    hull = draw_prism(canvas, project, raised(outline, 0), raised(outline, 8), body * 0.7, body, supersampled)
    draw_text(canvas, project, text, turned(rectangle(radius * 1.7, radius * 0.6), yaw_deg, at), 8.0, ink, supersampled)
    return hull


def draw_text(
    canvas: Canvas, project: Project, text: str, quad: Floats, z_mm: float, ink: Floats, supersampled: int
) -> None:
    """A word stretched over a rectangle of the plan (upper left first, clockwise)."""
    (width, height), low = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, 1.0, 2)
    mask = np.zeros((height + low + 4, width + 4), np.uint8)
    cv2.putText(mask, text, (2, height + 2), cv2.FONT_HERSHEY_DUPLEX, 1.0, 255, 2)
    corners = np.array([(0, 0), (mask.shape[1], 0), (mask.shape[1], mask.shape[0]), (0, mask.shape[0])], np.float32)
    target = (project(raised(quad, z_mm)) * supersampled).astype(np.float32)
    laid = cv2.warpPerspective(mask, cv2.getPerspectiveTransform(corners, target), canvas.shape[1::-1])
    canvas[:] = (canvas + (ink - canvas.astype(np.float64)) * (laid[..., None] / 255)).clip(0, 255).astype(np.uint8)


def draw_dolly(
    canvas: Canvas,
    project: Project,
    at: Floats,
    body: Floats,
    supersampled: int,
    height: float = 55.0,
    radius: float = 15.0,
) -> Floats:
    """The winning-number marker: a foot, a waist and a knob."""
    points = []
    for low, high, wide, narrow in ((0, 0.25, 1.0, 0.8), (0.25, 0.7, 0.45, 0.35), (0.7, 1.0, 0.75, 0.55)):
        rings = raised(circle(radius * wide) + at, low * height), raised(circle(radius * narrow) + at, high * height)
        points.append(draw_prism(canvas, project, *rings, body * 0.75, body, supersampled))
    return np.vstack(points)


def draw_card(
    canvas: Canvas, project: Project, at: Floats, yaw_deg: float, red: bool, back: Floats | None, supersampled: int
) -> Floats:
    """A card, much simplified; returns its corners in pixels."""
    corners = project(raised(turned(rectangle(63, 88), yaw_deg, at), 0.3))
    paper = np.array([238.0, 240, 240]) if back is None else np.array([225.0, 225, 225])
    fill(canvas, corners, paper, supersampled)
    if back is not None:
        fill(canvas, project(raised(turned(rectangle(55, 80), yaw_deg, at), 0.3)), back, supersampled)
        return corners
    ink = _RED if red else np.array([20.0, 20, 20])
    for x, y in ((-25, -36), (25, 36), (0, 0), (-12, -20), (12, 20)):
        fill(canvas, project(raised(turned(circle(4, 6, (x, y)), yaw_deg, at), 0.3)), ink, supersampled)
    return corners


def draw_hand(
    canvas: Canvas,
    project: Project,
    at: Floats,
    yaw_deg: float,
    skin: Floats,
    sleeve: Floats,
    rng: np.random.Generator,
    supersampled: int,
) -> Floats:
    """A hand palm down with its forearm; returns points of the hand's outline in pixels, without the sleeve."""
    shadow = canvas.copy()
    fill(shadow, project(raised(turned(circle(55, middle=(0, 20)), yaw_deg, at), 0)), np.zeros(3), supersampled)
    canvas[:] = cv2.addWeighted(canvas, 0.75, cv2.GaussianBlur(shadow, (0, 0), 4.0 * supersampled), 0.25, 0)
    arm = [(0.0, 60.0, 30.0), (float(rng.normal(0, 40)), 320.0, 48.0)]
    _draw_limb(canvas, project, arm, at, yaw_deg, 45, sleeve, supersampled)
    outline = [_draw_limb(canvas, project, [(0, 62, 26), (0, 10, 38)], at, yaw_deg, 42, skin, supersampled)]
    curl = rng.uniform(0.3, 1.0)
    for finger, (side, long) in enumerate(((-46, 25), (-24, 60), (-8, 68), (9, 62), (25, 48))):
        tip = (side * rng.uniform(0.9, 1.25), -long * curl, 8.5)
        root = (side * 0.8, 25.0 if finger == 0 else -8.0, 10.0)
        outline.append(
            _draw_limb(canvas, project, [root, tip], at, yaw_deg, 34, skin * rng.uniform(0.9, 1.05), supersampled)
        )
    return np.vstack(outline)


def _draw_limb(
    canvas: Canvas,
    project: Project,
    ends: Sequence[tuple[float, float, float]],
    at: Floats,
    yaw_deg: float,
    z_mm: float,
    bgr: Floats,
    supersampled: int,
) -> NDArray[np.float64]:
    """A limb between two round ends, each x, y and radius in the hand's frame."""
    points = np.vstack([turned(circle(radius, 16, (x, y)), yaw_deg, at) for x, y, radius in ends])
    hull = cv2.convexHull(project(raised(points, z_mm)).astype(np.float32))[:, 0].astype(np.float64)
    cv2.fillPoly(canvas, [fixed(hull, supersampled)], bgr.tolist(), cv2.LINE_8, 4)
    cv2.polylines(canvas, [fixed(hull, supersampled)], True, (bgr * 0.75).tolist(), supersampled, cv2.LINE_AA, 4)
    return hull
