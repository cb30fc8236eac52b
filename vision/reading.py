"""Reading a zone that rests: its cards, tiles, chips or dice, each by the eye for them, as things in millimetres."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image, Patch, View
from vision.indices import read_cards
from vision.lying import UNREAD, Piece
from vision.plan import CARD_MM, Point, Zone, turned
from vision.table_file import TableFile
from vision.unread import is_face, unexplained
from vision.window import Difference

PATCH_MARGIN_MM = 14.0
OUTSIDE_MM = 6.0
"""How far outside its zone the middle of a card may lie and still be of it."""
INDEX_MM = 17.0
"""A usual card's index with its suit, from top to bottom."""
UNREAD_CONF = 0.9
BARE_MM2 = 400.0
"""A zone in which less than that is not felt is empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pile:
    """A stack of chips as it was read: colours bottom to top, where it stands, its pixels."""

    chips: tuple[str, ...]
    conf: float
    at: Point
    region: tuple[Point, ...]


class ZoneReader(Protocol):
    """What a watcher asks about a zone in one picture."""

    def pieces(self, image: Image, zone: Zone, new: Difference, occupied: Difference) -> list[Piece]:
        """Cards or tiles. `new` is what changed since the last reading, `occupied` what is not bare felt."""
        ...

    def piles(self, image: Image, zone: Zone, bare: Image) -> list[Pile]:
        """Stacks of chips. `bare` is a picture of the table with nothing on it."""
        ...


class Eyes:
    """The eyes that ship, looking through one calibrated camera. Each is opened when it is first needed."""

    def __init__(self, view: View, table: TableFile) -> None:
        self.view, self.table = view, table

    @cached_property
    def _cards(self):  # type: ignore[no-untyped-def]
        from vision.cards import CardEye

        return CardEye()

    @cached_property
    def _chips(self):  # type: ignore[no-untyped-def]
        from vision.chip_colours import Palette
        from vision.chips import ChipEye

        return ChipEye(Palette.named().only(self.table.chip_values))

    def pieces(self, image: Image, zone: Zone, new: Difference, occupied: Difference) -> list[Piece]:
        """Cards that lie in the zone: those whose index can be read, and those of which only the outline shows."""
        if occupied.count < BARE_MM2 * self.view.px_per_mm(*zone.at) ** 2:
            return []
        px_per_mm = self.patch_scale(zone)
        patch = self.view.cut_out(image, zone, px_per_mm, PATCH_MARGIN_MM)
        middle = np.array(zone.size) / 2 + PATCH_MARGIN_MM
        pieces = []
        for card in read_cards(self._cards.corners(patch.image, index_px=INDEX_MM * px_per_mm), px_per_mm):
            right, down = np.array(card.middle) - middle
            if abs(right) <= zone.size[0] / 2 + OUTSIDE_MM and abs(down) <= zone.size[1] / 2 + OUTSIDE_MM:
                outline = [(x * px_per_mm, y * px_per_mm) for x, y in card.outline]
                pieces.append(
                    Piece(
                        label=card.label, up=True, conf=card.conf, at=zone.from_middle(float(right), float(down)),
                        region=tuple(patch.in_source(outline)),
                    )
                )  # fmt: skip
        return pieces + self._unread(patch, zone, new, occupied, pieces)

    def _unread(
        self, patch: Patch, zone: Zone, new: Difference, occupied: Difference, read: Sequence[Piece]
    ) -> list[Piece]:
        """Backs, and faces whose index was not found."""
        new_mask, full_mask = (self._flat_mask(each, zone, patch.px_per_mm) for each in (new, occupied))
        explained = np.zeros(new_mask.shape, np.uint8)
        to_patch = np.linalg.inv(patch.to_source)
        for piece in read:
            outline = cv2.perspectiveTransform(np.array([piece.region], np.float64), to_patch)
            cv2.fillConvexPoly(explained, np.round(outline[0]).astype(np.int32), 1)
        pieces = []
        for rectangle in unexplained(new_mask, full_mask, explained > 0, patch.px_per_mm):
            right, down = np.array(rectangle.middle) / patch.px_per_mm - PATCH_MARGIN_MM - np.array(zone.size) / 2
            pieces.append(
                Piece(
                    label=UNREAD, up=is_face(patch.image, rectangle), conf=UNREAD_CONF,
                    at=zone.from_middle(float(right), float(down)), region=tuple(patch.in_source(rectangle.corners)),
                )
            )  # fmt: skip
        return pieces

    def _flat_mask(self, difference: Difference, zone: Zone, px_per_mm: float) -> NDArray[np.bool_]:
        pixels = np.pad(difference.pixels.astype(np.uint8) * 255, 1)  # bare beyond the window
        corner = (difference.corner[0] - 1, difference.corner[1] - 1)
        return self.view.cut_out(pixels, zone, px_per_mm, PATCH_MARGIN_MM, corner).image > 127

    def patch_scale(self, zone: Zone) -> float:
        """Pixels per millimetre of the flattened zone: as many as the picture has in its better direction."""
        return max(1.0, 1.25 * self.view.px_per_mm(*zone.at))

    def piles(self, image: Image, zone: Zone, bare: Image) -> list[Pile]:
        """Stacks of chips that stand in the zone."""
        return [
            Pile(
                chips=stack.chips, conf=stack.conf, at=stack.place_mm, region=_box(stack.stance.box(len(stack.chips)))
            )
            for stack in self._chips.stacks_in(image, self.view, zone.polygon, bare)
        ]


def card_outline(view: View, at: Point, yaw: float) -> list[Point]:
    """The pixels of a card that lies at a place."""
    across, along = CARD_MM[0] / 2, CARD_MM[1] / 2
    corners = ((-across, -along), (across, -along), (across, along), (-across, along))
    mm = np.array([(*turned(corner, yaw, at), 0.0) for corner in corners])
    return [(float(x), float(y)) for x, y in view.all_to_px(mm)]


def _box(box: tuple[float, float, float, float]) -> tuple[Point, ...]:
    left, top, right, bottom = box
    return ((left, top), (right, top), (right, bottom), (left, bottom))
