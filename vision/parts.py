"""What lies still though an arm seems to be over its place: it may be gone before the place ever rests.

A card lies in plain sight while an arm works over another part of its place; chips are put down beside a player's
resting hand, and look like a part of it.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.frames import Frame
from vision.inquiry import SURE
from vision.lying import SAME_CARD_MM, SAME_PLACE_MM, Piece, agree
from vision.plan import CARD_MM, CHIP_MM, Point, Zone
from vision.rests import Rest
from vision.small_table import Mask, SmallTable
from vision.watched import Watched
from vision.window import Difference

STILL_S = {"cards": 0.3, "chips": 0.15}
"""What lies so long beside an arm lies there; a stack is read surely or not at all, a card may be half hidden."""
UNTOUCHED_S = 0.05
"""So long lies a card in a place over which no arm is at this moment: the next may come at once and gather it."""
AGAIN_S = 0.4
"""How soon a place is looked at again."""
NEW_MM2 = {"cards": 0.5 * CARD_MM[0] * CARD_MM[1], "chips": 0.5 * CHIP_MM * CHIP_MM}
"""So much must be new: half of a card, most of a chip."""
CLEAR_SHARE = 0.9
"""So much of a card, or of a spot, must be clear of whatever moves."""
HAND_MM2 = 4000.0
"""More than that at one spot is a hand, and reading it takes long."""
NEWEST = 0.1
"""So much of what is new came last."""
BESIDE_ARM_PX = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What of a place lies still, and since when what is new in it has."""

    zone: Zone
    t: float
    still: Difference
    stirred_from: float
    """When an arm reached the place: what lies still may have come at any time from then on."""

    @property
    def rest(self) -> Rest:
        return Rest(
            zone=self.zone, t=self.t, stirred_from=self.stirred_from, touched={}, is_different=True,
            dealer_s=self.t - self.stirred_from,  # it lies in plain sight: nothing was out of sight for long
        )  # fmt: skip

    def clear(
        self, seen: Sequence[Piece], lying: Sequence[Piece], outline: Callable[[Piece], Sequence[Point]]
    ) -> list[Piece]:
        """Of the cards that were read those that are new, sure, and whole in what rests."""
        return [
            piece
            for piece in seen
            if piece.up and "?" not in piece.label and piece.conf >= SURE
            and self.still.share(outline(piece)) >= CLEAR_SHARE and not any(_may_be(piece, each) for each in lying)
        ]  # fmt: skip


def resting_part(watched: Watched, frame: Frame, new: Mask, arms: Mask | None, small: SmallTable) -> Part | None:
    """The part of a stirring place in which something of the size of a card or a chip is new and lies still."""
    doing, kind = watched.doing, watched.zone.kind
    if kind not in NEW_MM2 or doing.look is None or doing.stirred_from is None:
        return None
    if frame.t - max(doing.stirred_from, doing.part_t) < AGAIN_S:
        return None
    still_s = small.memory.still_s.ravel()[watched.small]
    is_reached = arms is not None and bool(arms.ravel()[watched.small].any())
    is_still = still_s >= (STILL_S[kind] if is_reached or kind != "cards" else UNTOUCHED_S)
    if kind == "chips" and is_still.mean() < CLEAR_SHARE:  # stacks hide one another: a spot is read as a whole
        return None
    if kind == "cards" and arms is not None:
        beside = cv2.dilate(arms.view(np.uint8), np.ones((BESIDE_ARM_PX, BESIDE_ARM_PX), np.uint8))
        is_still &= beside.ravel()[watched.small] == 0
    lies = is_still & new.ravel()[watched.small]
    lies_mm2 = np.count_nonzero(lies) / (watched.px_per_mm / small.scale) ** 2
    if lies_mm2 < NEW_MM2[kind] or (kind == "chips" and lies_mm2 > HAND_MM2):
        return None
    if doing.part_t > frame.t - float(np.quantile(still_s[lies], NEWEST)):  # it was looked at as it lies
        return None
    doing.part_t = frame.t
    pixels = np.zeros(small.size[::-1], np.uint8)
    pixels.ravel()[watched.small[is_still]] = 1
    t = frame.t - float(np.median(still_s[lies]))
    still = _in_picture(pixels, watched, small.scale)
    return Part(zone=watched.zone, t=t, still=still, stirred_from=min(t, doing.stirred_from))


def _in_picture(small: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], watched: Watched, scale: int) -> Difference:
    """Small pixels as those of the zone's window in the picture."""
    window = watched.window
    rows, columns = (np.arange(side.start, side.stop) // scale for side in (window.rows, window.columns))
    rows, columns = np.minimum(rows, small.shape[0] - 1), np.minimum(columns, small.shape[1] - 1)
    pixels = (small[np.ix_(rows, columns)] > 0) & window.mask
    return Difference(corner=(window.columns.start, window.rows.start), pixels=pixels)


def _may_be(piece: Piece, lying: Piece) -> bool:
    """Whether a card that was read may be one that is known to lie there."""
    apart = math.dist(piece.at, lying.at)
    return apart < SAME_PLACE_MM / 2 or (apart < SAME_CARD_MM and agree(piece.label, lying.label))
