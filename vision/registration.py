"""Registration: moving a view until the plan's printed lines lie on lines of the picture.

From a rough view this finds the exact one; from the view of a camera that was knocked, where it looks now.
"""

import itertools
import math
from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Array, View
from vision.plan import Plan, Point

STEP_MM = 12.0
"""How far apart on the printed lines the points are that are compared."""
FARTHEST_PX = 1e3


def distance_to(line: NDArray[np.uint8]) -> NDArray[np.float32]:
    """How far every pixel is from the nearest that is set."""
    return np.asarray(cv2.distanceTransform(1 - line, cv2.DIST_L2, 5), np.float32)


def mark_points(plan: Plan) -> Array:
    """Points along all printed lines, as rows of x, y, z."""
    return np.vstack([dense(path) for mark in plan.marks if (path := mark.path())])


def dense(path: Sequence[Point]) -> Array:
    """Points along a path, as rows of x, y, z."""
    rows = []
    for (x1, y1), (x2, y2) in itertools.pairwise(path):
        steps = max(1, round(math.dist((x1, y1), (x2, y2)) / STEP_MM))
        shares = np.arange(steps)[:, None] / steps
        rows.append(np.hstack([x1 + (x2 - x1) * shares, y1 + (y2 - y1) * shares, np.zeros((steps, 1))]))
    return np.vstack(rows)


def looking(eye: Array, target: Array, focal_px: float, size: tuple[int, int]) -> View:
    """A camera at a place that looks at another, upright."""
    flip = np.array([1.0, 1.0, -1.0])  # to the right-handed frame of View
    where, ahead = eye * flip, (target - eye) * flip
    ahead = ahead / np.linalg.norm(ahead)
    down = np.array([0.0, 0.0, 1.0]) - ahead[2] * ahead
    down = down / max(float(np.linalg.norm(down)), 1e-9)
    turn = np.stack([np.cross(down, ahead), down, ahead])
    return View(
        size=size, focal_px=focal_px, bend=np.zeros(5), turn=np.asarray(cv2.Rodrigues(turn)[0], np.float64),
        shift=np.asarray(-turn @ where, np.float64)[:, None], error_px=0.0,
    )  # fmt: skip


def enlarged(view: View, size: tuple[int, int]) -> View:
    """The same camera with more pixels."""
    scale = size[0] / view.size[0]
    return View(
        size=size, focal_px=view.focal_px * scale, bend=view.bend, turn=view.turn, shift=view.shift,
        error_px=view.error_px * scale,
    )  # fmt: skip


def moved_onto(
    view: View, points: Array, distance_px: NDArray[np.float32], *, reach_px: float, bends: bool = False
) -> View:
    """The view after moving it (Levenberg and Marquardt's way) so that points come to lie on lines. Distances beyond
    `reach_px` count as that: what is hidden or not printed must not pull."""
    count = 8 if bends else 7
    scales = np.array([1e-2, 1e-2, 1e-2, 10.0, 10.0, 10.0, 0.02, 0.02])[:count]

    def residuals(step: Array) -> Array:
        return np.minimum(_distances(_stepped(view, step * scales), points, distance_px), reach_px)

    step = _least_squares(residuals, np.zeros(count))
    return _stepped(view, step * scales)


def _least_squares(residuals: Callable[[Array], Array], start: Array, rounds: int = 25) -> Array:
    step, damping = start, 1e-2
    now = residuals(step)
    for _ in range(rounds):
        slopes = np.column_stack([(residuals(step + nudge) - now) / 0.05 for nudge in np.eye(len(step)) * 0.05])
        square = slopes.T @ slopes
        better = False
        for _ in range(5):
            move = np.linalg.solve(square + damping * np.diag(np.diag(square) + 1e-6), -slopes.T @ now)
            then = residuals(step + move)
            if then @ then < now @ now:
                step, now, damping, better = step + move, then, damping / 3, True
                break
            damping *= 4
        if not better or float(np.abs(move).max()) < 1e-3:
            break
    return step


def _stepped(view: View, step: Array) -> View:
    bend = view.bend.copy()
    if len(step) > 7:
        bend[0] += step[7]
    return View(
        size=view.size, focal_px=view.focal_px * math.exp(step[6]), bend=bend, turn=view.turn + step[:3, None],
        shift=view.shift + step[3:6, None], error_px=view.error_px,
    )  # fmt: skip


def _distances(view: View, points: Array, distance_px: NDArray[np.float32]) -> Array:
    """How far each point, where it is seen, is from the nearest line; between pixels as well."""
    px = view.all_to_px(points).astype(np.float32)
    across, down = px[:, :1] - 0.5, px[:, 1:] - 0.5
    border = {"borderMode": cv2.BORDER_CONSTANT, "borderValue": (FARTHEST_PX,)}
    seen = cv2.remap(distance_px, across, down, cv2.INTER_LINEAR, **border)  # type: ignore[call-overload]
    return np.asarray(seen[:, 0], np.float64)


def miss(view: View, points: Array, distance_px: NDArray[np.float32]) -> float:
    """The mean distance of the points from lines; infinite where most of them are not in the picture."""
    distances = _distances(view, points, distance_px)
    in_picture = distances < FARTHEST_PX
    return float(np.minimum(distances[in_picture], 12.0).mean()) if in_picture.mean() > 0.5 else math.inf
