"""Reading a zone that rests: its cards, tiles, chips or dice, each by the eye for them, as things in millimetres."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Literal, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image, Patch, View
from vision.chip_colours import Palette
from vision.chip_house import NO_LOOKS, EdgeLook, HouseLooks
from vision.chips import ChipEye, Stack
from vision.indices import read_cards
from vision.lying import UNREAD, Piece
from vision.plan import CARD_MM, CHIP_HEIGHT_MM, CHIP_MM, Point, Zone, turned
from vision.table_file import TableFile
from vision.unread import SMALLEST_SHARE, Rectangle, is_face, is_pipped, unexplained, white_share
from vision.window import Difference

if TYPE_CHECKING:
    from vision.card_trust import Trust
    from vision.cards import CardEye
    from vision.objects import ObjectEye

PATCH_MARGIN_MM = 14.0
PATCH_ZOOM = 1.15
OUTSIDE_MM = 6.0
"""How far outside its zone the middle of a card may lie and still be of it."""
LEGIBLE_INDEX_PX = 9.0
"""An index lower than this, in the direction in which it is seen smallest, is never read for certain. Of 283 between 9
and 10 pixels, of decks to tune by, 254 were read rightly at 0.9 and more, and four wrongly, each by its suit alone."""
INDEX_MM = 17.0
"""A usual card's index with its suit, from top to bottom."""
UNREAD_CONF, UNREAD_FACE_CONF = 0.9, 0.6
"""How sure it is which side of an unread piece is up. A face is mostly read: another may be an unusual back."""
FACE_SHARE = 0.25
LEAST_CONF = 0.25
"""What is read with less is not read: it may be the print of a back."""
SHRED_CONF, SHRED_MM = 0.8, 45.0
WHOLE_SHARE = 0.7
"""So much of a card that an index speaks of must be there."""
SAME_CARD_MM = 14.0
"""What is not explained so close to a card that was read is that card, a little aside of where it was thought."""
TILE_MM, SAME_TILE_MM = (25.0, 63.0), 20.0
LIKELY_TILE, TILE_SHARE, WHOLE_TILE = 0.4, 0.35, 0.5
LEGIBLE_TILE_PX = 28.0
"""A tile narrower than this, in the direction in which it is seen smallest, is never read for certain."""
BARE_MM2 = 400.0
"""A zone in which less than that is not felt is empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pile:
    """A stack of chips as it was read: colours bottom to top, where it stands, its pixels."""

    chips: tuple[str, ...]
    conf: float
    at: Point
    region: tuple[Point, ...]
    lesson: dict[str, EdgeLook] = field(default_factory=dict)
    """How chips of its colours look at this table, where that was sure."""


class ZoneReader(Protocol):
    """What a watcher asks about a zone in one picture."""

    def pieces(self, image: Image, zone: Zone, new: Difference, occupied: Difference) -> list[Piece]:
        """Cards or tiles. `new` is what changed since the last reading, `occupied` what is not bare felt."""
        ...

    def piles(
        self, image: Image, zone: Zone, bare: Image, known: Sequence[Pile], looks: HouseLooks = NO_LOOKS,
        others: Sequence[Pile] = (),
    ) -> list[Pile]:  # fmt: skip
        """Stacks of chips. `bare` is a picture of the table without chips, `known` are those that stood there, `looks`
        is how the house's chips have looked so far, `others` are those that stand at other places."""
        ...


class Eyes:
    """The eyes that ship, looking through one calibrated camera. Each is opened when it is first needed."""

    def __init__(self, view: View, table: TableFile) -> None:
        self.view, self.table = view, table

    @cached_property
    def _cards(self) -> "CardEye":
        from vision.cards import CardEye

        return CardEye()

    @cached_property
    def _trust(self) -> "Trust":
        from vision import weights
        from vision.card_reader import FILE
        from vision.card_trust import Trust

        return Trust.of(weights.entry(FILE).settings)

    @cached_property
    def _chips(self) -> ChipEye:
        return ChipEye(self._palette)

    @cached_property
    def _palette(self) -> Palette:
        return Palette.named().only(self.table.chip_values)

    @cached_property
    def _objects(self) -> "ObjectEye":
        from vision.objects import ObjectEye

        return ObjectEye(self._palette)

    def pieces(self, image: Image, zone: Zone, new: Difference, occupied: Difference) -> list[Piece]:
        """Cards, tiles or dice that lie in the zone."""
        if occupied.count < BARE_MM2 * self.view.px_per_mm(*zone.at) ** 2:
            return []
        if zone.kind == "cards":
            return self._in_cards(image, zone, new, occupied)
        if zone.kind == "dice":
            return self._small_things(image, zone, "die")
        return self._tiles(image, zone, new, occupied)

    def _tiles(self, image: Image, zone: Zone, new: Difference, occupied: Difference) -> list[Piece]:
        """Tiles that the eye finds where something lies, and what else came and has the size of one."""
        patch = self.view.cut_out(image, zone, self.patch_scale(zone), PATCH_MARGIN_MM)
        found = self._small_things(image, zone, "tile")
        tiles = [each for each in found if each.conf > LIKELY_TILE and occupied.share(each.region) > TILE_SHARE]
        return tiles + self._unread(patch, zone, new, occupied, tiles)

    def _small_things(self, image: Image, zone: Zone, kind: Literal["die", "tile"]) -> list[Piece]:
        """Dice or tiles: a tile whose face is not seen lies face down."""
        wide, long = (side + 2 * OUTSIDE_MM for side in zone.size)
        around = [zone.from_middle(*corner) for corner in _corners(wide, long)]
        legible = min(1.0, math.sqrt(TILE_MM[0] * self.view.px_per_mm(*zone.at) / LEGIBLE_TILE_PX))
        pieces = []
        for placed in self._objects.things_in(image, self.view, around, {kind}):
            label, (left, top, right, bottom) = placed.seen.label or UNREAD, placed.seen.box
            pieces.append(
                Piece(
                    label=label, up=kind == "die" or label != UNREAD, conf=round(placed.seen.conf * legible, 4),
                    at=placed.place_mm, region=((left, top), (right, top), (right, bottom), (left, bottom)),
                )
            )  # fmt: skip
        return pieces

    def _in_cards(self, image: Image, zone: Zone, new: Difference, occupied: Difference) -> list[Piece]:
        """Cards whose index can be read, and those of which only the outline shows."""
        px_per_mm = self.patch_scale(zone)
        patch = self.view.cut_out(image, zone, px_per_mm, PATCH_MARGIN_MM)
        middle = np.array(zone.size) / 2 + PATCH_MARGIN_MM
        readings = self._cards.read(patch.image, index_px=INDEX_MM * px_per_mm)
        legible = min(1.0, math.sqrt(INDEX_MM * self.view.px_per_mm(*zone.at) / LEGIBLE_INDEX_PX))
        pieces = []
        witness = partial(self._cards.witnessed, patch.image)
        for card in read_cards(
            readings, px_per_mm, self._trust, witness, lambda outline: occupied.share(patch.in_source(outline))
        ):
            right, down = np.array(card.middle) - middle
            region = patch.in_source([(x * px_per_mm, y * px_per_mm) for x, y in card.outline])
            is_inside = abs(right) <= zone.size[0] / 2 + OUTSIDE_MM and abs(down) <= zone.size[1] / 2 + OUTSIDE_MM
            outline = Rectangle(
                middle=(card.middle[0] * px_per_mm, card.middle[1] * px_per_mm), width=CARD_MM[0] * px_per_mm,
                height=CARD_MM[0] * px_per_mm,
            )  # fmt: skip
            is_white = white_share(patch.image, outline) > FACE_SHARE  # an index on a back is none
            conf = round(card.conf * legible, 4)
            if is_inside and is_white and conf > LEAST_CONF and occupied.share(region) > WHOLE_SHARE:
                at = zone.from_middle(float(right), float(down))
                pieces.append(
                    Piece(
                        label=card.label, up=True, conf=conf, rank_conf=round(card.rank_conf * legible, 4),
                        twin_conf=round(card.twin_conf * legible, 6), maybe=card.maybe if legible == 1 else (),
                        at=at, region=tuple(region),
                    )
                )  # fmt: skip
        pieces = [piece for piece in pieces if not _is_shred(piece, pieces)]
        return pieces + self._unread(patch, zone, new, occupied, pieces)

    def _unread(
        self, patch: Patch, zone: Zone, new: Difference, occupied: Difference, read: Sequence[Piece]
    ) -> list[Piece]:
        """Backs, and faces whose index or pips were not found."""
        is_tile = zone.kind == "tiles"
        size_mm, near_mm = (TILE_MM, SAME_TILE_MM) if is_tile else (CARD_MM, SAME_CARD_MM)
        least = WHOLE_TILE if is_tile else SMALLEST_SHARE
        new_mask, full_mask = (self._flat_mask(each, zone, patch.px_per_mm) for each in (new, occupied))
        explained = np.zeros(new_mask.shape, np.uint8)
        to_patch = np.linalg.inv(patch.to_source)
        for piece in read:
            outline = cv2.perspectiveTransform(np.array([piece.region], np.float64), to_patch)
            cv2.fillConvexPoly(explained, np.round(outline[0]).astype(np.int32), 1)
        pieces: list[Piece] = []
        for rectangle in unexplained(new_mask, full_mask, explained > 0, patch.px_per_mm, size_mm, least):
            right, down = np.array(rectangle.middle) / patch.px_per_mm - PATCH_MARGIN_MM - np.array(zone.size) / 2
            at = zone.from_middle(float(right), float(down))
            if any(math.dist(at, piece.at) < near_mm for piece in (*read, *(pieces if is_tile else ()))):
                continue
            up = is_pipped(patch.image, rectangle) if is_tile else is_face(patch.image, rectangle, new_mask)
            region = tuple(patch.in_source(rectangle.corners))
            conf = UNREAD_FACE_CONF if up and not is_tile else UNREAD_CONF
            pieces.append(Piece(label=UNREAD, up=up, conf=conf, at=at, region=region))
        return pieces

    def _flat_mask(self, difference: Difference, zone: Zone, px_per_mm: float) -> NDArray[np.bool_]:
        pixels = np.pad(difference.pixels.astype(np.uint8) * 255, 1)  # bare beyond the window
        corner = (difference.corner[0] - 1, difference.corner[1] - 1)
        return self.view.cut_out(pixels, zone, px_per_mm, PATCH_MARGIN_MM, corner).image > 127

    def patch_scale(self, zone: Zone) -> float:
        """Pixels per millimetre of the flattened zone: as many as the picture has in its better direction, and more."""
        return max(1.0, PATCH_ZOOM * self.view.px_per_mm(*zone.at, in_best_direction=True))

    def piles(
        self, image: Image, zone: Zone, bare: Image, known: Sequence[Pile], looks: HouseLooks = NO_LOOKS,
        others: Sequence[Pile] = (),
    ) -> list[Pile]:  # fmt: skip
        """Stacks of chips that stand in the zone."""
        before = [Stack(chips=pile.chips, conf=pile.conf, place_mm=pile.at) for pile in known]
        elsewhere = [(pile.at, len(pile.chips)) for pile in others]
        stacks = self._chips.stacks_in(image, self.view, zone.polygon, bare, before, looks, elsewhere)
        return [
            Pile(
                chips=stack.chips, conf=stack.conf, at=stack.place_mm, lesson=stack.lesson,
                region=tuple(stack_outline(self.view, stack.place_mm, len(stack.chips))),
            )
            for stack in stacks
        ]  # fmt: skip


def _is_shred(piece: Piece, pieces: Sequence[Piece]) -> bool:
    """Whether a half-read name is rather part of the print of a better read card that it lies upon."""
    if "?" not in piece.label or piece.conf > SHRED_CONF:
        return False
    return any(other.conf > piece.conf and math.dist(other.at, piece.at) < SHRED_MM for other in pieces)


def _corners(wide: float, long: float) -> tuple[Point, ...]:
    across, along = wide / 2, long / 2
    return (-across, -along), (across, -along), (across, along), (-across, along)


def card_outline(view: View, at: Point, yaw: float) -> list[Point]:
    """The pixels of a card that lies at a place."""
    mm = np.array([(*turned(corner, yaw, at), 0.0) for corner in _corners(*CARD_MM)])
    return [(float(x), float(y)) for x, y in view.all_to_px(mm)]


def stack_outline(view: View, at: Point, chips: int) -> list[Point]:
    """The pixels of a stack of chips that stands at a place: its lowest and highest rim, and all between."""
    around = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    rim = np.column_stack([at[0] + CHIP_MM / 2 * np.cos(around), at[1] + CHIP_MM / 2 * np.sin(around)])
    levels = [np.column_stack([rim, np.full(len(rim), z)]) for z in (0.0, chips * CHIP_HEIGHT_MM)]
    hull = cv2.convexHull(view.all_to_px(np.vstack(levels)).astype(np.float32))[:, 0, :]
    return [(float(x), float(y)) for x, y in hull]
