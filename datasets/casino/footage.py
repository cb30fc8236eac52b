"""Simulated footage: a dealer's rounds, performed on a table, filmed, and written down as they could be seen."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np

from auditor import log
from auditor.log import AnyEvent, FairdealError, log_bytes
from datasets.casino.cameras import Camera, preset, random_camera
from datasets.casino.choreography import Interval, Performance, choreograph
from datasets.casino.decks import STYLES, installed_styles
from datasets.casino.encode import FootageWriter, time_base
from datasets.casino.faults import LOSING, Fault, FaultyLens, Image, schedule
from datasets.casino.footage_evidence import with_evidence
from datasets.casino.footage_files import calibration_points, table_toml
from datasets.casino.lens import Lens, Optics
from datasets.casino.looks import Look, random_look
from datasets.casino.motion import Timeline
from datasets.casino.motion_chips import bank_of, cash_chips
from datasets.casino.stage import Stage
from datasets.casino.things import Moment, Pose, Prop
from datasets.dealer import Dealer, Seeded
from datasets.simulate import dealer_for, json_lines, write_whole
from vision.plan import Plan, load_plan

TAIL_S = 1.5
SHUTTER_S = 1 / 90
BLURRED_MM = 5.0  # what moves less while the shutter is open looks sharp
HEAD_Z_MM = 380.0
WHEEL_PX = (640, 640)
Progress = Callable[[int, int], None]
"""Told after each frame: how many are done, of how many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shoot:
    """How a table is filmed."""

    size: tuple[int, int] = (1280, 720)
    fps: float = 25.0
    camera: str = "dome60"
    decks: str = "house"
    pace: str = "real"
    faults: tuple[str, ...] = ()
    exposures: int = 2
    """Moments averaged into one frame while something moves; 1 draws twice as fast, without motion blur."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Take:
    """Everything that is known before the first frame is drawn: who moves when, what is seen, what goes wrong."""

    dealer: Dealer
    plan: Plan
    performance: Performance
    seeded: list[Seeded]
    faults: list[Fault]
    duration_s: float

    @property
    def timeline(self) -> Timeline:
        return self.performance.timeline

    def events(self, told: list[AnyEvent] | None = None) -> list[AnyEvent]:
        """The log as it really happened (`told`: with its evidence), and the gaps in the view."""
        known = {gap.start for gap in self.performance.unseen}
        feeds = lost_views([fault for fault in self.faults if fault.start not in known])
        return sorted([*(told or self.performance.events), *feeds], key=lambda event: event.t)


def lost_views(faults: list[Fault]) -> list[AnyEvent]:
    """What a log says of faults in which nothing can be seen."""
    feeds: list[AnyEvent] = []
    for fault in faults:
        if fault.kind in LOSING:
            feeds += [log.Feed(t=fault.start, state=LOSING[fault.kind]), log.Feed(t=fault.end, state="back")]
    return feeds


def prepare(rulebook: str, *, rounds: int, seed: int, errors: dict[str, int], shoot: Shoot) -> Take:
    """Play the rounds and choreograph them. Nothing is drawn yet."""
    dealer, plan = dealer_for(rulebook, seed), load_plan(rulebook)
    bank = bank_of(cash_chips(rulebook), dealer.house.get("colours", {}))
    played = list(dealer.rounds(rounds, errors))
    performance = choreograph((events for events, _ in played), plan, bank, pace=shoot.pace, seed=seed)
    seeded = [
        msgspec.structs.replace(mistake, t=performance.when(mistake.t)) for _, mistake in played if mistake is not None
    ]
    duration_s = max(performance.timeline.end(), performance.events[-1].t) + TAIL_S
    faults = schedule(shoot.faults, duration_s, seed) + [_as_fault(gap) for gap in performance.unseen]
    for fault in faults:
        if fault.kind == "head":
            _lean_in(performance.timeline, plan, fault)
    return Take(dealer=dealer, plan=plan, performance=performance, seeded=seeded, faults=faults, duration_s=duration_s)


def _as_fault(gap: Interval) -> Fault:
    return Fault(kind="dark" if gap.state == "lost" else "cover", start=gap.start, end=gap.end, lot=0)


def _lean_in(timeline: Timeline, plan: Plan, fault: Fault) -> None:
    """Somebody's head comes over the table, stays a while and goes."""
    left, _, right, bottom = plan.bounds()
    x = left + (right - left) * (0.2 + 0.6 * (fault.lot % 100) / 100)
    away, over = Pose(x, bottom + 600, HEAD_Z_MM), Pose(x, bottom - 20, HEAD_Z_MM)
    head = Prop(id=timeline.new_id(), kind="head", pose=away)
    edge = min(0.8, (fault.end - fault.start) / 3)
    timeline.put(head, fault.start)
    timeline.move(head.id, fault.start, fault.start + edge, over)
    timeline.move(head.id, fault.end - edge, fault.end, away)
    timeline.remove(head.id, fault.end)


# ---- filming -----------------------------------------------------------------------------------------------------


def frame_times(duration_s: float, fps: float) -> list[float]:
    """When each frame is taken, by the clock the file is written with."""
    tick = time_base(fps)
    return [float(index * tick) for index in range(math.ceil(duration_s / tick))]


def film(timeline: Timeline, stage: Stage, times: list[float], *, exposures: int = 2) -> Iterator[Image]:
    """The pictures of a timeline; while something moves, the mean of what an open shutter sees of it."""
    offsets = [SHUTTER_S * number for number in range(exposures)]
    moments = timeline.moments(t + offset for t in times for offset in offsets)
    last: Moment | None = None
    image: Image | None = None
    for _ in times:
        open_shutter = [next(moments) for _ in offsets]
        if image is None or not all(_same(moment, last) for moment in open_shutter):
            blurred = _way_mm(open_shutter[0], open_shutter[-1]) > BLURRED_MM
            image = stage.expose(open_shutter) if blurred else stage.draw(open_shutter[0])
        last = open_shutter[-1]
        yield image


def _same(one: Moment, other: Moment | None) -> bool:
    return other is not None and len(one) == len(other) and all(a is b for a, b in zip(one, other, strict=True))


def _way_mm(start: Moment, end: Moment) -> float:
    """How far the fastest thing gets from one moment to another."""
    before = {thing.id: thing.pose for thing in start}
    ways = (math.dist(_point(before[thing.id]), _point(thing.pose)) for thing in end if thing.id in before)
    return max(ways, default=0.0)


def _point(pose: Pose) -> tuple[float, float, float]:
    return pose.x, pose.y, pose.z


def simulate_footage(
    rulebook: str, *, rounds: int, seed: int, errors: dict[str, int], out: Path, shoot: Shoot,
    progress: Progress | None = None,
) -> Take:  # fmt: skip
    """Write footage and everything that belongs to it to a folder."""
    take = prepare(rulebook, rounds=rounds, seed=seed, errors=errors, shoot=shoot)
    camera = camera_of(shoot, take.plan, seed)
    look = look_of(seed, shoot.decks)
    stage = Stage(take.plan, look, camera)
    header = take.dealer.header()
    told = with_evidence(take.performance, look, camera, shoot.fps)
    write_whole(out / "truth.jsonl", log_bytes(header, take.events(told)))
    write_whole(out / "seeded.jsonl", json_lines(take.seeded))
    wheel = _film_wheel(take, out, shoot, seed)
    points = calibration_points(take.plan, camera)
    table = table_toml(header, cash_chips(rulebook), shoot.size, points, wheel)
    write_whole(out / "table.toml", table.encode())
    record = scene_record(take, shoot, camera, look, seed, rounds, errors)
    write_whole(out / "scene.json", msgspec.json.format(record, indent=1))
    times = frame_times(take.duration_s, shoot.fps)
    lens, faulty = Lens(Optics(seed=seed), shoot.size), FaultyLens(take.faults)
    with FootageWriter(out / "footage.mp4", size=shoot.size, fps=shoot.fps) as writer:
        for index, image in enumerate(film(take.timeline, stage, times, exposures=shoot.exposures)):
            seen = faulty.see(lens.record(image, index), times[index])
            if seen is not None:
                writer.write(index, seen)
            if progress is not None:
                progress(index + 1, len(times))
    return take


def camera_of(shoot: Shoot, plan: Plan, seed: int) -> Camera:
    """The camera a table is filmed by: a preset, or one that somebody hung as chance has it."""
    if shoot.camera == "random":
        return random_camera(np.random.default_rng(seed), plan.felt, shoot.size)
    return preset(shoot.camera, plan.felt, shoot.size)


def look_of(seed: int, decks: str) -> Look:
    """A casino's look by lot, dealt with one deck: our own, or one that is installed here and not taught with."""
    styles = STYLES | {style.name: style for style in installed_styles("valid")} if decks not in STYLES else STYLES
    if decks not in styles:
        raise FairdealError(f"--decks: there is no deck {decks!r} (decks: {', '.join(styles)})")
    return random_look(np.random.default_rng(seed), (styles[decks],))


def _film_wheel(take: Take, out: Path, shoot: Shoot, seed: int) -> str | None:
    """Roulette has a camera of its own on the wheel."""
    if take.plan.rulebook != "act-roulette":
        return None
    from datasets.casino.wheel_footage import wheel_clip

    wheel_clip(
        take.performance.events, out / "wheel.mp4", fps=shoot.fps, size=WHEEL_PX, seed=seed, until_s=take.duration_s
    )
    return "wheel.mp4"


def scene_record(
    take: Take, shoot: Shoot, camera: Camera, look: Look, seed: int, rounds: int, errors: dict[str, int]
) -> bytes:
    """What was rendered, for the record, and so that it can be played again."""
    return msgspec.json.encode(
        {
            "rulebook": take.plan.rulebook, "seed": seed, "rounds": rounds, "errors": errors,
            "duration": round(take.duration_s, 3), "shoot": shoot, "camera": camera, "faults": take.faults,
            "felt_bgr": look.felt, "decks": [deck.name for deck in look.decks],
        }
    )  # fmt: skip
