"""Training pictures of cards: faces laid on a backdrop, tilted, fanned and overlapping, with the truth about each."""

import cv2
import msgspec
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.backdrops import cover_with_hand, random_backdrop, scatter_clutter
from datasets.card_faces import CARD_HEIGHT_PX, CardFace, Pool
from datasets.weather import filmed, lit
from vision.seen import Box, Image

FrameArray = NDArray[np.float32]
"""Three rows of x, y: the centre, and from it the vectors to the right edge's middle and up to the top's.
An index's two vectors are equally long on the card (half its height): they tell how it is foreshortened."""

NONE = "none"  # the label of what looks like an index and is none
_FINE = 2  # cards are laid at twice the picture's resolution, so that their edges and print come out smooth


class IndexTruth(msgspec.Struct, frozen=True, kw_only=True):
    """One printed index: its card's label, where it lies, and how much of it shows."""

    label: str
    frame: FrameArray
    visible: float
    card: int
    lies: bool = False
    """Whether it is wider than it is high, as jokers' words may be."""


class CardTruth(msgspec.Struct, frozen=True, kw_only=True):
    """One card: its label (None: it lies on its face), where it lies, how much of it shows, and the box of that."""

    label: str | None
    frame: FrameArray
    visible: float
    box: Box | None


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """A picture and the truth about it."""

    image: Image
    indices: tuple[IndexTruth, ...]
    cards: tuple[CardTruth, ...]
    complete: bool = True
    """Whether the truth names everything that is there; a real photograph's labels may not."""


class Sizes(msgspec.Struct, frozen=True, kw_only=True):
    """How large things are to be: a range of heights in pixels, of the indices or of whole cards."""

    least_px: float
    most_px: float
    whole_cards: bool = False
    back_share: float = 0.1

    def draw(self, rng: Generator) -> float:
        """One height out of the range, small ones as often as large ones."""
        return float(np.exp(rng.uniform(np.log(self.least_px), np.log(self.most_px))))

    def printed_px(self, face: CardFace) -> float:
        """The height, on the face's picture, of what is measured."""
        if self.whole_cards:
            return float(face.picture.shape[0])
        return face.index_px or 0.2 * face.picture.shape[0]


def compose(pool: Pool, rng: Generator, *, size_px: int, sizes: Sizes, ground: Image | None = None) -> Scene:
    """A square picture with cards in it, or seldom with none; `ground` is what they lie on, else anything."""
    fine_px = size_px * _FINE
    height_px = sizes.draw(rng) * _FINE
    unit_px = height_px * (0.2 if sizes.whole_cards else 1.0)
    picture = _on(ground, fine_px) if ground is not None else random_backdrop(fine_px, rng)
    scatter_clutter(picture, rng, unit_px=unit_px)
    owner = np.full((size_px, size_px), -1, np.int16)
    view = _random_view(fine_px, rng)
    laid: list[tuple[CardFace, NDArray[np.float64]]] = []
    if rng.random() < 0.94:
        for face, pose in _layout(pool, rng, sizes, fine_px=fine_px, height_px=height_px):
            onto = view @ pose
            _lay(picture, face, onto, rng)
            cv2.fillConvexPoly(owner, (_project(onto, _outline(face)) / _FINE + 0.5).astype(np.int32), (len(laid),))
            laid.append((face, onto))
    if rng.random() < 0.2:
        covered = np.zeros((fine_px, fine_px), bool)
        cover_with_hand(picture, covered, rng, unit_px=unit_px)
        owner[covered[::_FINE, ::_FINE]] = -1
    picture = lit(np.asarray(cv2.resize(picture, (size_px, size_px), interpolation=cv2.INTER_AREA), np.uint8), rng)
    # Small print does not survive a bad camera, and what nobody can read teaches nothing.
    harm = float(np.clip(unit_px / _FINE / 20, 0.25, 1.1) * rng.uniform(0.3, 1.0))
    truths = [_truths(number, face, onto, owner) for number, (face, onto) in enumerate(laid)]
    return Scene(image=filmed(picture, rng, harm=harm), cards=tuple(card for card, _ in truths),
                 indices=tuple(index for _, indices in truths for index in indices))  # fmt: skip


def empty_table(rng: Generator, *, size_px: int) -> Scene:
    """A square picture without a card: print, sleeves, chips, dice, empty felt."""
    picture = random_backdrop(size_px, rng)
    for _ in range(3):
        scatter_clutter(picture, rng, unit_px=float(rng.uniform(10, 40)))
    cover_with_hand(picture, np.zeros(picture.shape[:2], bool), rng, unit_px=float(rng.uniform(10, 40)))
    return Scene(image=filmed(lit(picture, rng), rng), indices=(), cards=())


def _on(ground: Image, fine_px: int) -> Image:
    return np.asarray(cv2.resize(ground, (fine_px, fine_px)), np.uint8)


# ---- where cards lie -----------------------------------------------------------------------------------------------


def _layout(
    pool: Pool, rng: Generator, sizes: Sizes, *, fine_px: int, height_px: float
) -> list[tuple[CardFace, NDArray[np.float64]]]:
    """Faces and where they lie on the table's plane, the first at the bottom."""
    way, turn = rng.choice(["scattered", "fan", "spread"], p=[0.45, 0.25, 0.3]), rng.uniform(0, 360)
    faces = [pool.back() if rng.random() < sizes.back_share else pool.face() for _ in range(int(rng.integers(2, 10)))]
    start = rng.uniform(0.1, 0.9, 2) * fine_px
    step, climb = rng.uniform(0.12, 1.1), rng.normal(0, 0.15)
    angle_step = rng.uniform(4, 18) * rng.choice([-1, 1])
    laid = []
    for number, face in enumerate(faces):
        scale = height_px / sizes.printed_px(face)
        if way == "fan":
            at, angle = start, turn + (number - len(faces) / 2) * angle_step
            pivot = (face.picture.shape[1] / 2, face.picture.shape[0] * rng.uniform(0.95, 1.1))
        else:
            pivot = (face.picture.shape[1] / 2, face.picture.shape[0] / 2)
            along = np.array([np.cos(np.radians(turn)), np.sin(np.radians(turn))]) * number * step
            across = np.array([-np.sin(np.radians(turn)), np.cos(np.radians(turn))]) * number * climb
            at = start + (along + across) * CARD_HEIGHT_PX * 0.714 * scale
            angle = turn + rng.normal(0, 4) + rng.choice([0, 180], p=[0.8, 0.2])
            if way == "scattered":
                at, angle = rng.uniform(-0.1, 1.1, 2) * fine_px, rng.uniform(0, 360)
        laid.append((face, _pose(at, angle, scale, pivot)))
    return laid


def _pose(at: NDArray[np.float64], angle_deg: float, scale: float, pivot: tuple[float, float]) -> NDArray[np.float64]:
    c, s = np.cos(np.radians(angle_deg)) * scale, np.sin(np.radians(angle_deg)) * scale
    turn = np.array([[c, -s, at[0]], [s, c, at[1]], [0, 0, 1]])
    return np.asarray(turn @ np.array([[1, 0, -pivot[0]], [0, 1, -pivot[1]], [0, 0, 1]]))


def _random_view(fine_px: int, rng: Generator) -> NDArray[np.float64]:
    """The table's plane as a camera sees it that is tilted away from straight above."""
    tilt = np.radians(rng.uniform(0, 62)) if rng.random() < 0.7 else 0.0
    way, away = rng.uniform(0, 2 * np.pi), fine_px * rng.uniform(2.0, 8.0)
    middle = np.array([[1, 0, -fine_px / 2], [0, 1, -fine_px / 2], [0, 0, 1]])
    turn = np.array([[np.cos(way), -np.sin(way), 0], [np.sin(way), np.cos(way), 0], [0, 0, 1]])
    # Foreshortening keeps the mean size of print, so that tilted indices stay in the range asked for.
    grow = 1 / np.sqrt(np.cos(tilt))
    lean = np.array([[grow, 0, 0], [0, grow * np.cos(tilt), 0], [0, np.sin(tilt) / away, 1]])
    return np.asarray(np.linalg.inv(middle) @ turn.T @ lean @ turn @ middle)


def _outline(face: CardFace) -> NDArray[np.float64]:
    height, width = face.picture.shape[:2]
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], float)


def _project(onto: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    there = np.c_[points, np.ones(len(points))] @ onto.T
    return np.asarray(there[:, :2] / there[:, 2:])


# ---- laying one card -----------------------------------------------------------------------------------------------


def _lay(picture: Image, face: CardFace, onto: NDArray[np.float64], rng: Generator) -> None:
    outline = _project(onto, _outline(face))
    pad = 12
    x0, y0 = np.maximum(np.floor(outline.min(axis=0)).astype(int) - pad, 0)
    x1, y1 = np.minimum(np.ceil(outline.max(axis=0)).astype(int) + pad, picture.shape[1::-1])
    if x1 - x0 < 4 or y1 - y0 < 4:
        return
    printed, onto = _shrunk_to_fit(face.picture, onto, outline)
    local = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1]]) @ onto
    size = (int(x1 - x0), int(y1 - y0))
    card = cv2.warpPerspective(printed, local, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mask = cv2.warpPerspective(_rounded(printed.shape[:2]), local, size, flags=cv2.INTER_LINEAR)
    there = picture[y0:y1, x0:x1]
    if rng.random() < 0.6:
        shift = np.array([[1, 0, rng.uniform(-5, 5)], [0, 1, rng.uniform(-5, 5)]])
        shadow = cv2.GaussianBlur(cv2.warpAffine(mask, shift, size), (0, 0), rng.uniform(1, 5))
        there[:] = (there * (1 - shadow[..., None] / 255 * rng.uniform(0.1, 0.6))).astype(np.uint8)
    share = mask[..., None].astype(np.float32) / 255
    there[:] = (there * (1 - share) + card * (share * rng.uniform(0.85, 1.0))).astype(np.uint8)


def _shrunk_to_fit(
    printed: Image, onto: NDArray[np.float64], outline: NDArray[np.float64]
) -> tuple[Image, NDArray[np.float64]]:
    """The print at about the resolution it is seen at: otherwise thin strokes would break up."""
    seen_px = max(np.linalg.norm(outline[3] - outline[0]), np.linalg.norm(outline[2] - outline[1]))
    scale = min(1.0, max(0.1, float(seen_px) * 1.3 / printed.shape[0]))
    if scale > 0.8:
        return printed, onto
    small = np.asarray(cv2.resize(printed, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    grow = np.diag([printed.shape[1] / small.shape[1], printed.shape[0] / small.shape[0], 1.0])
    return small, onto @ grow


def _rounded(shape: tuple[int, ...]) -> Image:
    height, width = shape
    mask = np.zeros((height, width), np.uint8)
    radius = max(1, height // 24)
    cv2.rectangle(mask, (radius, 0), (width - radius - 1, height), (255,), -1)
    cv2.rectangle(mask, (0, radius), (width, height - radius - 1), (255,), -1)
    for x in (radius, width - radius - 1):
        for y in (radius, height - radius - 1):
            cv2.circle(mask, (x, y), radius, (255,), -1, cv2.LINE_AA)
    return mask


# ---- the truth -----------------------------------------------------------------------------------------------------


def _truths(
    number: int, face: CardFace, onto: NDArray[np.float64], owner: NDArray[np.int16]
) -> tuple[CardTruth, list[IndexTruth]]:
    height, width = face.picture.shape[:2]
    whole = _frame(onto, (width / 2, height / 2), (width / 2, 0), (0, -height / 2))
    visible = _visible(number, onto, _outline(face), owner)
    card = CardTruth(label=face.label, frame=whole, visible=visible, box=_shown_box(owner == number))
    if face.index is None or face.index_px is None or face.label is None:
        return card, []
    left, top, right, bottom = face.index
    x, y, half = (left + right) / 2, (top + bottom) / 2, face.index_px / 2
    places = [((x, y), 1), ((width - x, height - y), -1)]
    if face.corners == 4:
        places += [((width - x, y), 1), ((x, height - y), -1)]
    indices = []
    for (cx, cy), up in places:
        sides = np.array([right - left, bottom - top]) / 2
        rect = np.array([(cx, cy) + sides * way for way in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
        frame = _frame(onto, (cx, cy), (half * up, 0), (0, -half * up))
        shown, lies = _visible(number, onto, rect, owner), right - left > bottom - top
        indices.append(IndexTruth(label=face.label, frame=frame, visible=shown, card=number, lies=lies))
    return card, indices


def _frame(
    onto: NDArray[np.float64], centre: tuple[float, float], right: tuple[float, float], up: tuple[float, float]
) -> FrameArray:
    c, r, u = np.array(centre), np.array(right), np.array(up)
    points = _project(onto, np.stack([c, c + r, c - r, c + u, c - u])) / _FINE
    return np.stack([points[0], (points[1] - points[2]) / 2, (points[3] - points[4]) / 2]).astype(np.float32)


def _shown_box(pixels: NDArray[np.bool_]) -> Box | None:
    x, y, width, height = cv2.boundingRect(pixels.astype(np.uint8))
    return (float(x), float(y), float(x + width), float(y + height)) if width else None


def _visible(number: int, onto: NDArray[np.float64], region: NDArray[np.float64], owner: NDArray[np.int16]) -> float:
    """The share of a region of the card that nothing covers and that is inside the picture."""
    there = _project(onto, region) / _FINE
    inside = np.zeros_like(owner, np.uint8)
    cv2.fillConvexPoly(inside, (there + 0.5).astype(np.int32), (1,))
    area = cv2.contourArea(there.astype(np.float32))
    return float(min(1.0, np.count_nonzero(owner[inside > 0] == number) / max(area, 1.0)))
