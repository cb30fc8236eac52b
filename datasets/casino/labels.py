"""Labels: where a thing is in the picture, from the measured scene and not from the pixels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from datasets.casino.cameras import Camera
from datasets.casino.decks import index_boxes_mm
from datasets.casino.looks import Look
from datasets.casino.pieces import Piece, mesh, pieces
from datasets.casino.placing import Matrix, placed
from datasets.casino.things import CARD_THICK_MM, Card, Hand, Thing

Points = npt.NDArray[np.float64]
Box = tuple[float, float, float, float]


def thing_box(thing: Thing, look: Look, camera: Camera) -> Box:
    """The upright box of pixels around all of a thing, hidden or not."""
    return _box(pieces(thing, look), camera)


def bare_hand_box(hand: Hand, look: Look, camera: Camera) -> Box:
    """The box of a hand up to its wrist, without the sleeve."""
    return _box(pieces(hand, look)[:1], camera)


def _box(parts: Sequence[Piece], camera: Camera) -> Box:
    pixels = np.concatenate([camera.project(_corners(piece.mesh, piece.matrix)) for piece in parts])
    return float(pixels[:, 0].min()), float(pixels[:, 1].min()), float(pixels[:, 0].max()), float(pixels[:, 1].max())


def card_quad(card: Card, look: Look, camera: Camera) -> Points:
    """A card's four corners in pixels, from its own upper left, clockwise as its face is read."""
    width, height = look.deck(card.deck).size_mm
    return camera.project(_on_face(card, (-width / 2, -height / 2, width / 2, height / 2)))


def index_quads(card: Card, look: Look, camera: Camera) -> tuple[Points, ...]:
    """The corner indices of a card that shows its face, each as a quad in pixels, upright as the index is read."""
    if not face_shows(card, camera):
        return ()
    quads = []
    for box in index_boxes_mm(look.deck(card.deck)):
        quad = camera.project(_on_face(card, box))
        quads.append(quad if box[1] < 0 else np.roll(quad, -2, axis=0))  # the lower indices stand on their heads
    return tuple(quads)


def face_shows(card: Card, camera: Camera) -> bool:
    """Whether the camera is on the face's side of the card."""
    stand = placed(card.pose)
    outward = stand[:, 2] * (1.0 if card.up else -1.0)
    return bool(outward @ (np.asarray(camera.eye) - stand[:, 3]) > 0)


def _on_face(card: Card, box: Box) -> Points:
    """The corners of a box on a card's face (millimetres, as the face is read) in the plan frame."""
    x0, y0, x1, y1 = box
    corners = np.array([(x0, y0, 0.0), (x1, y0, 0.0), (x1, y1, 0.0), (x0, y1, 0.0)])
    bend = card.bend * (corners[:, 1] / 44.5) ** 2
    corners[:, 2] = (CARD_THICK_MM if card.up else 0.0) + bend
    if not card.up:
        corners[:, 0] *= -1
    stand = placed(card.pose)
    return np.asarray(corners @ stand[:, :3].T + stand[:, 3], np.float64)


def _corners(name: str, matrix: Matrix) -> Points:
    vertices = mesh(name).vertices[:, :3].astype(np.float64)
    return np.asarray(vertices @ matrix[:, :3].T + matrix[:, 3], np.float64)
