"""Eyes that know what was filmed: whatever a watcher still gets wrong with them is its own fault, not the eyes'.

Simulated footage can be played again from its `scene.json`. These eyes answer every question about a zone with what
truly lies there at that moment; gate, trackers, signs and writer have to do the rest from the pictures.
"""

import json
import math
from collections.abc import Sequence
from pathlib import Path

from auditor.log import AnyEvent
from auditor.pipeline import Job
from datasets.casino.footage import Shoot, prepare
from datasets.casino.things import Card, ChipStack, Die, Moment, Pose, Tile
from vision.camera import Image, View
from vision.chip_house import NO_LOOKS, HouseLooks
from vision.frames import Frame, Recording
from vision.lying import UNREAD, Piece
from vision.plan import Zone
from vision.reading import OUTSIDE_MM, Pile, card_outline, stack_outline
from vision.watcher import TableWatcher
from vision.window import Difference

SURE = 0.99
REST_S = 0.04


class KnowingEyes:
    """Answers for the moment `t`."""

    def __init__(self, folder: Path, view: View) -> None:
        scene = json.loads((folder / "scene.json").read_text())
        shoot = Shoot(pace=scene["shoot"]["pace"], faults=tuple(scene["shoot"]["faults"]))
        take = prepare(
            scene["rulebook"], rounds=scene["rounds"], seed=scene["seed"], errors=scene["errors"], shoot=shoot
        )
        self._timeline, self._view = take.timeline, view
        self.t = 0.0

    def _resting(self) -> Moment:
        """What does not move just now."""
        here = {id(thing) for thing in self._timeline.at(self.t)}
        return tuple(thing for thing in self._timeline.at(self.t + REST_S) if id(thing) in here)

    def pieces(self, image: Image, zone: Zone, new: Difference, occupied: Difference) -> list[Piece]:
        """The cards, tiles or dice whose middles lie in the zone."""
        if zone.kind == "dice":
            dice = [thing for thing in self._resting() if isinstance(thing, Die) and _lies_in(zone, thing.pose)]
            return [_die(thing) for thing in dice]
        found = []
        for thing in self._resting():
            if not isinstance(thing, Card | Tile) or not _lies_in(zone, thing.pose):
                continue
            up = thing.up != (abs(math.remainder(thing.pose.roll, 360)) > 90)
            name = thing.card if isinstance(thing, Card) else thing.tile
            at = (thing.pose.x, thing.pose.y)
            region = tuple(card_outline(self._view, at, thing.pose.yaw))
            found.append(Piece(label=name if up else "??", up=up, conf=SURE, at=at, region=region))
        return found

    def piles(
        self, image: Image, zone: Zone, bare: Image, known: Sequence[Pile], looks: HouseLooks = NO_LOOKS,
        others: Sequence[Pile] = (),
    ) -> list[Pile]:  # fmt: skip
        """The stacks whose middles stand in the zone."""
        found = []
        for thing in self._resting():
            if isinstance(thing, ChipStack) and zone.holds(thing.pose.x, thing.pose.y):
                at = (thing.pose.x, thing.pose.y)
                region = tuple(stack_outline(self._view, at, len(thing.chips)))
                found.append(Pile(chips=thing.chips, conf=SURE, at=at, region=region))
        return found


class KnowingWatcher(TableWatcher):
    """A watcher that tells its knowing eyes the time of each frame."""

    reader: KnowingEyes

    def feed(self, frame: Frame) -> list[AnyEvent]:
        """Look at a frame."""
        self.reader.t = frame.t
        return super().feed(frame)


def knowing_watcher(job: Job, recording: Recording) -> TableWatcher:
    """The watcher of a job whose footage lies beside its `scene.json`."""
    camera = job.table.camera("table")
    assert camera is not None
    view = camera.view(recording.size)
    eyes = KnowingEyes(job.files[0].parent, view)
    return KnowingWatcher(job.table, view, eyes, cam=camera.name, fps=recording.fps)


def _die(die: Die) -> Piece:
    label = UNREAD if die.pose.pitch else str(die.face)
    return Piece(label=label, up=True, conf=SURE, at=(die.pose.x, die.pose.y), region=())


def _lies_in(zone: Zone, pose: Pose) -> bool:
    right, down = zone.to_middle(pose.x, pose.y)
    return abs(right) <= zone.size[0] / 2 + OUTSIDE_MM and abs(down) <= zone.size[1] / 2 + OUTSIDE_MM
