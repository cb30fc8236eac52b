"""The eye for chips: finds stacks, counts their chips and reads their colours, with a calibrated camera or without."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, product

import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.chip_colours import Palette
from vision.chip_count import Counted, Look, look_at
from vision.chip_edges import shown
from vision.chip_house import NO_LOOKS, EdgeLook, HouseLooks, edge_looks, lesson, likeness
from vision.chip_stance import TALLEST, Floats, Stance
from vision.chip_strip import FOOT_ROW, ROWS_PER_CHIP
from vision.chip_trust import NO_EVIDENCE, Evidence, Trust
from vision.chip_zone import ChipView, ChipZone, Standing, apart_mm
from vision.seen import Box, Image, Seen

_MOST = 10  # places looked at in one zone
_READ = 0.5  # without a calibrated camera, a number is said, and colours are, where likelier right than wrong
_TEACHES = 0.6  # how sure the colours of a stack must be, nothing known of the house's looks, to be learnt from
_SAME_PLACE_MM = 12.0
_KNOWN_ODDS, _HIDDEN_ODDS = 10.0, 30.0
"""How much likelier a stack is still what it was than something else; and one that others now hide in part."""
_PARTLY_HIDDEN = 0.1
_EDGE_TELLS, _FEWEST_PIXELS = 0.5, 8
"""Where less of the top chip's edge is seen, its face says what colour it has, if so much of that is."""
_TOO_TALL_CONF = 0.3  # of what goes on above the highest stack that can be counted
_HIDDEN_CONF = 0.8  # of what it was: a known stack of which others hide the foot
_ASPECTS = np.linspace(0.2, 0.94, 11)  # how round tops may look: cameras 12 to 70 degrees above the table
_WIDTHS, _FEET = (1.0, 0.93, 0.86), (0.0, 0.05)
"""Boxes are drawn loosely: how much of a box's width a stack may have, and how much of it its foot may lie higher."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """A stack that was read: its chips bottom to top, and where it stands."""

    chips: tuple[str, ...]
    conf: float
    place_mm: tuple[float, float]
    evidence: Evidence = NO_EVIDENCE
    """What its confidence is made of."""
    lesson: dict[str, EdgeLook] = field(default_factory=dict)
    """How chips of its colours look at this table, where that was sure."""
    is_too_tall: bool = False
    """Whether it goes on above the chips that were counted."""


class ChipEye:
    """Finds and reads stacks of chips; `palette` has the chips that may be there."""

    def __init__(self, palette: Palette | None = None) -> None:
        self.palette = palette or Palette.named()

    def stacks_in(
        self, image: Image, view: ChipView, zone_mm: Sequence[tuple[float, float]], empty: Image,
        known: Sequence[Stack] = (), looks: HouseLooks = NO_LOOKS, others: Sequence[Standing] = (),
    ) -> list[Stack]:  # fmt: skip
        """The stacks that stand in a zone of the plan (a polygon in mm), seen by a calibrated camera.

        `empty` is a picture of the table before anything stood there, `known` are stacks that were read there before,
        `looks` what the lessons of other stacks taught about the house's chips, `others` stacks of other zones.
        """
        zone = ChipZone(image, view, zone_mm, empty, self.palette.bgr, others)
        stacks, hidden = list[Stack](), list[Stack]()
        for _ in range(_MOST):
            look = zone.next_look()
            if look is None:
                break
            stack = self._read(zone, look, known, looks)
            if stack is not None and zone.is_near(stack.place_mm):
                stacks.append(stack)
                hidden += [each for each in known if each not in hidden and _is_hidden(each, stacks, zone)]
        left, missed = zone.unexplained(), zone.beside()
        stacks = [_trusted(stack, left, missed) for stack in stacks]
        return stacks + [replace(stack, conf=_HIDDEN_CONF * stack.conf) for stack in hidden]

    def _read(self, zone: ChipZone, look: Look, known: Sequence[Stack], looks: HouseLooks) -> Stack | None:
        place_mm = zone.place_of(look.stance)
        before = next((each for each in known if apart_mm(each.place_mm, place_mm) < _SAME_PLACE_MM), None)
        hidden = zone.hidden(look.stance)
        is_covered = before is not None and _is_covered(before, hidden)
        chances = look.chances.copy()
        if before is not None:
            chances[len(before.chips)] *= _HIDDEN_ODDS if is_covered else _KNOWN_ODDS
            chances /= chances.sum()
        count = int(chances.argmax())
        if count == 0:
            zone.nothing_at(look.stance)
            return None
        counted = replace(look.stack(count), conf=float(chances[count]), hidden=hidden)
        if zone.is_taken(counted.stance):
            zone.nothing_at(look.stance)
            return None
        clay = zone.clay(counted)
        zone.explain(counted.stance, count)
        tell, names = shown(hidden), list(self.palette.chips)
        chains, edges = counted.chains, edge_looks(counted)
        alone, sure_alone = chains.telling(tell, counted.rows).colours(count)
        chains = chains.told(counted.rows, likeness(edges, looks, names)).telling(tell, counted.rows)
        if before is not None and is_covered and len(before.chips) == count:
            was = np.array(before.chips)[:, None] == np.array(names)
            chains = chains.told(counted.rows, was * np.log(_HIDDEN_ODDS))
        if tell[int(counted.rows[-2]) : int(counted.rows[-1])].mean() < _EDGE_TELLS and len(clay) >= _FEWEST_PIXELS:
            face = np.zeros((count, len(names)))
            face[-1] = self.palette.likeness(np.median(clay, axis=0))
            chains = chains.told(counted.rows, face)
        colours, sure = chains.colours(count)
        is_whole = tell[int(counted.rows[0]) : int(counted.rows[-1])].all()
        return Stack(
            chips=tuple(names[each] for each in colours), conf=counted.conf, place_mm=zone.place_of(counted.stance),
            evidence=Evidence.of(
                counted.conf, sure, counted.stance.chip_px, is_hidden=look.is_foot_hidden, off_felt=counted.off_felt
            ),
            lesson=lesson(edges, [names[each] for each in alone]) if sure_alone > _TEACHES and is_whole else {},
            is_too_tall=count == TALLEST and zone.goes_on(counted),
        )  # fmt: skip

    def read_box(self, image: Image, box: Box, conf: float) -> Seen:
        """Reads the stack that a detector found in a box; a stack that cannot be read is still a stack."""
        counted = count_in_box(image, box, self.palette.bgr)
        seen = Seen(kind="chips", conf=conf, box=box)
        if counted is None:
            return seen
        if counted.conf < _READ:
            return seen
        seen = msgspec.structs.replace(seen, conf=round(conf * counted.conf, 4), count=counted.chips)
        colours, sure = counted.chains.colours(counted.chips)
        if counted.conf * sure < _READ:
            return seen
        chips = [list(self.palette.chips)[each] for each in colours]
        runs = tuple((colour, len(list(run))) for colour, run in groupby(chips))
        values = [self.palette.chips[colour].value for colour in chips]
        return msgspec.structs.replace(
            seen, conf=round(conf * counted.conf * sure, 4), colour=runs[0][0] if len(runs) == 1 else None,
            stack=runs, value=None if None in values else sum(each for each in values if each),
        )  # fmt: skip


def _trusted(stack: Stack, left: float, missed: float) -> Stack:
    """The stack with how likely it is right, now that it is known what else stands there."""
    evidence = stack.evidence.beside(left, missed)
    conf = Trust.shipped().conf(evidence)
    return replace(stack, conf=min(conf, _TOO_TALL_CONF) if stack.is_too_tall else conf, evidence=evidence)


def count_in_box(image: Image, box: Box, palette_bgr: Floats) -> Counted | None:
    """Counts the stack in a box around it, the camera's height not known.

    It is looked at from every height that it may be seen from and in every place it may have in its box. Each look
    votes for the numbers that its bands and the box's height agree in: what many looks say is surer than one.
    """
    left, top, right, bottom = box
    stances, highs = list[Stance](), list[float]()
    for part, raised, aspect in product(_WIDTHS, _FEET, _ASPECTS):
        width, height = (right - left) * part, bottom - top - (right - left) * raised
        if aspect * width < height * 1.05:
            foot = np.array([(left + right) / 2, top + height - aspect * width / 2])
            stances.append(Stance.guessed(foot, width, float(aspect)))
            highs.append((height - aspect * width) / stances[-1].chip_px)
    looks = look_at(image, stances, palette_bgr)
    if not looks:
        return None
    numbers = np.arange(len(looks[0].chances))
    is_as_high = np.exp(-(((numbers - np.array(highs)[:, None]) / 0.8) ** 2))
    fits = is_as_high * np.array([look.chances for look in looks])
    fits[:, 0] = 0.0
    votes = np.square(fits).sum(axis=0)
    chips = int(votes.argmax())
    best = int(fits[:, chips].argmax())
    if not fits[best, chips]:
        return None
    return replace(looks[best].stack(chips), conf=float(votes[chips] / votes.sum() * fits[best, chips]))


def _is_covered(known: Stack, hidden: NDArray[np.bool_]) -> bool:
    """Whether others hide part of a stack that was read when they did not."""
    return bool(hidden[FOOT_ROW : FOOT_ROW + ROWS_PER_CHIP * len(known.chips)].mean() > _PARTLY_HIDDEN)


def _is_hidden(known: Stack, stacks: Sequence[Stack], zone: ChipZone) -> bool:
    """Whether a stack that was read before still stands behind those that are found now: what shows of it is likelier
    it than another."""
    if any(apart_mm(known.place_mm, stack.place_mm) < 2 * _SAME_PLACE_MM for stack in stacks):
        return False
    return zone.stands_hidden(known.place_mm, len(known.chips))
