"""Calibration without clicks: the layout found in a still by its felt and its printed lines, which the plan knows.

First the felt: the cameras from which a felt of the plan's outline would look like the one in the picture. Then the
print: from each of them the view is moved until the plan's lines lie on lines of the picture; the best fit is it.
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from auditor.log import FairdealError
from vision.camera import CalibrationPoint, Image, View
from vision.plan import Plan, Point
from vision.registration import dense, distance_to, enlarged, looking, mark_points, miss, moved_onto

WORKING_PX = 960  # the longer side of the picture that is worked on
LEAST_PX = 64
BEARINGS_DEG = range(0, 360, 20)
ELEVATIONS_DEG = (38, 52, 66, 82)
DISTANCE_MM = 2300.0
CANDIDATES = 5
GOOD_FIT_PX = 2.5
"""Mean distance from the plan's lines to the picture's, of a layout that was found (in a picture 960 pixels wide)."""
POINTS = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """A view and how far, in the mean, the plan's print is from lines of the picture, in pixels of 960."""

    view: View
    miss_px: float


def find_layout(image: Image, plan: Plan) -> Fit:
    """The camera from which the plan's layout looks as in the picture."""
    if min(image.shape[:2]) < LEAST_PX:
        raise FairdealError(f"a picture of {image.shape[1]}x{image.shape[0]} is too small to find a layout in")
    scale = min(1.0, WORKING_PX / max(image.shape[:2]))
    small = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    felt = felt_mask(small)
    edge_px = distance_to(_outline_of(felt))
    print_px = distance_to(printed(small, felt))
    outline = dense([*plan.felt, plan.felt[0]])
    marks = mark_points(plan)
    fits = []
    for view in _candidates(plan, felt):
        view = moved_onto(view, outline, edge_px, reach_px=60.0)
        for reach_px in (40.0, 15.0, 6.0):
            view = moved_onto(view, marks, print_px, reach_px=reach_px, bends=reach_px < 10)
        fits.append(Fit(view=view, miss_px=miss(view, marks, print_px)))
    best = min(fits, key=lambda fit: fit.miss_px, default=None)
    if best is None or best.miss_px > GOOD_FIT_PX:
        missed = (
            "no felt is seen" if best is None
            else "no print is seen on the felt" if math.isinf(best.miss_px)
            else f"the best fit misses its lines by {best.miss_px:.1f} pixels"
        )  # fmt: skip
        raise FairdealError(f"the layout of {plan.rulebook} was not found ({missed}): give four points by hand")
    return Fit(view=enlarged(best.view, (image.shape[1], image.shape[0])), miss_px=best.miss_px)


def points_of(view: View, plan: Plan) -> list[CalibrationPoint]:
    """Known points spread over the plan, for a table file."""
    spread: list[Point] = []
    candidates = [point for mark in plan.marks for point in mark.path()]
    inside = [point for point in candidates if _is_seen(view, point)]
    while inside and len(spread) < POINTS:
        farthest = max(inside, key=lambda point: min((math.dist(point, other) for other in spread), default=math.inf))
        spread.append(farthest)
        inside.remove(farthest)
    return [CalibrationPoint(mm=_rounded(point, 1), px=_rounded(view.to_px(*point), 2)) for point in spread]


def _is_seen(view: View, point: Point) -> bool:
    x, y = view.to_px(*point)
    return 0 <= x < view.size[0] and 0 <= y < view.size[1]


def _rounded(point: Point, digits: int) -> Point:
    return (round(point[0], digits), round(point[1], digits))


def overlay(image: Image, view: View, plan: Plan) -> Image:
    """The picture with the plan's print and zones drawn over it."""
    drawn = image.copy()
    for mark in plan.marks:
        if path := mark.path():
            px = view.all_to_px(np.array([(*point, 0.0) for point in path]))
            cv2.polylines(drawn, [np.round(px).astype(np.int32)], False, (60, 60, 255), 1, cv2.LINE_AA)
    for zone in plan.zones:
        px = view.all_to_px(np.array([(*corner, 0.0) for corner in zone.polygon]))
        cv2.polylines(drawn, [np.round(px).astype(np.int32)], True, (60, 255, 60), 1, cv2.LINE_AA)
    return np.asarray(drawn, np.uint8)


# ---- the picture -------------------------------------------------------------------------------------------------


def felt_mask(image: Image) -> NDArray[np.uint8]:
    """The felt: the colour that most of the picture's middle has, in one piece, print and things on it included."""
    lab = cv2.cvtColor(cv2.medianBlur(image, 5), cv2.COLOR_BGR2LAB).astype(np.float32)
    height, width = lab.shape[:2]
    middle = lab[height // 4 : 3 * height // 4, width // 4 : 3 * width // 4].reshape(-1, 3)[::7]
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 1.0)
    cv2.setRNGSeed(1)
    _, labels, centres = cv2.kmeans(middle, 5, np.empty(0, np.int32), stop, 2, cv2.KMEANS_PP_CENTERS)
    colour = centres[np.bincount(labels.ravel()).argmax()]
    apart = np.linalg.norm((lab - colour) * np.array([0.45, 1, 1], np.float32), axis=2)
    near = (apart < 22).astype(np.uint8)
    closed = cv2.morphologyEx(near, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    _, pieces, stats, _ = cv2.connectedComponentsWithStats(closed)
    if len(stats) < 2:
        raise FairdealError("no felt is seen in the picture: give four points by hand")
    largest = (pieces == 1 + stats[1:, cv2.CC_STAT_AREA].argmax()).astype(np.uint8)
    contours, _ = cv2.findContours(largest, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = np.zeros_like(largest)
    cv2.fillPoly(filled, [cv2.convexHull(max(contours, key=cv2.contourArea))], 1)
    return np.asarray(filled, np.uint8)


def printed(image: Image, felt: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Thin things on the felt that are lighter or of another colour than the felt beside them."""
    lab = cv2.cvtColor(image, cv2.COLOR_BGR2LAB)
    apart = cv2.absdiff(lab, cv2.medianBlur(lab, 21)).astype(np.float32)
    strength = apart.sum(axis=2)
    inside = cv2.erode(felt, np.ones((7, 7), np.uint8)) > 0
    if not inside.any():
        return np.zeros_like(felt)
    limit = max(18.0, float(np.percentile(strength[inside], 88)))
    return np.asarray((strength > limit) & inside, np.uint8)


def _outline_of(felt: NDArray[np.uint8]) -> NDArray[np.uint8]:
    contours, _ = cv2.findContours(felt, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    line = np.zeros_like(felt)
    cv2.drawContours(line, contours, -1, 1, 1)
    # The picture's own edge is no edge of the felt.
    line[[0, 1, -2, -1], :] = line[:, [0, 1, -2, -1]] = 0
    return line


# ---- the plan ----------------------------------------------------------------------------------------------------


def _candidates(plan: Plan, felt: NDArray[np.uint8]) -> list[View]:
    """Cameras all around the table, framed as the felt in the picture is, best likeness first."""
    rated = []
    for bearing in BEARINGS_DEG:
        for elevation in ELEVATIONS_DEG:
            view = _framed(plan, felt, math.radians(bearing), math.radians(elevation))
            seen = np.zeros_like(felt)
            outline = view.all_to_px(np.array([(x, y, 0.0) for x, y in plan.felt]))
            cv2.fillPoly(seen, [np.round(outline).astype(np.int32)], 1)
            likeness = int(np.count_nonzero(seen & felt)) / max(1, int(np.count_nonzero(seen | felt)))
            rated.append((likeness, bearing, elevation, view))
    rated.sort(key=lambda each: -each[0])
    return [view for *_, view in rated[:CANDIDATES]]


def _framed(plan: Plan, felt: NDArray[np.uint8], bearing: float, elevation: float) -> View:
    """A camera in that direction, aimed and zoomed until the plan's felt fills what the picture's fills."""
    rows, columns = np.nonzero(felt)
    wanted_middle, wanted_area = np.array([columns.mean(), rows.mean()]), float(len(rows))
    left, top, right, bottom = plan.bounds()
    middle = np.array([(left + right) / 2, (top + bottom) / 2, 0.0])
    flat = math.cos(elevation)
    way = np.array([math.sin(bearing) * flat, math.cos(bearing) * flat, math.sin(elevation)])
    eye, target, focal_px = middle + way * DISTANCE_MM, middle, float(felt.shape[1])
    size = (felt.shape[1], felt.shape[0])
    outline = np.array([(x, y, 0.0) for x, y in plan.felt])
    for _ in range(5):
        view = looking(eye, target, focal_px, size)
        seen = view.all_to_px(outline).astype(np.float32)
        moments = cv2.moments(seen)
        focal_px *= math.sqrt(wanted_area / max(1.0, abs(moments["m00"])))
        at = np.array([moments["m10"], moments["m01"]]) / (moments["m00"] or 1.0)
        aim = view.to_mm(*(np.array(size) / 2 - (wanted_middle - at)))
        target = np.array([*aim, 0.0])
    return looking(eye, target, focal_px, size)
