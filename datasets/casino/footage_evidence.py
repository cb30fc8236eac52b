"""Where the evidence is: each event of a take with its camera, its frame, and the part of the picture that shows it."""

import math

import msgspec

from auditor import log
from auditor.log import AnyEvent
from datasets.casino.cameras import Camera
from datasets.casino.choreography import Performance
from datasets.casino.encode import time_base
from datasets.casino.labels import card_quad, thing_box
from datasets.casino.looks import Look
from datasets.casino.things import Card, Thing

CAMERA = "table"
SEEN_BY_WHEEL_CAMERA = (log.Spin, log.Ball, log.Wheel)
Region = list[tuple[float, float]]


def with_evidence(performance: Performance, look: Look, camera: Camera, fps: float) -> list[AnyEvent]:
    """The events as a log keeps them: with the first frame that shows them, and where in it."""
    told: list[AnyEvent] = []
    for event, ids in zip(performance.events, performance.things, strict=True):
        if isinstance(event, SEEN_BY_WHEEL_CAMERA):
            told.append(event)
            continue
        frame = math.ceil(round(event.t / time_base(fps), 6))
        things = [performance.timeline.tracks[each].at(event.t) for each in ids]
        region = region_of(things, look, camera) if things else None
        told.append(msgspec.structs.replace(event, cam=CAMERA, frame=frame, region=region))
    return told


def region_of(things: list[Thing], look: Look, camera: Camera) -> Region:
    """The outline of a card, the box around anything else; pixels, to a tenth."""
    if len(things) == 1 and isinstance(things[0], Card):
        return [(round(float(x), 1), round(float(y), 1)) for x, y in card_quad(things[0], look, camera)]
    boxes = [thing_box(thing, look, camera) for thing in things]
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    right, bottom = max(box[2] for box in boxes), max(box[3] for box in boxes)
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    return [(round(x, 1), round(y, 1)) for x, y in corners]
