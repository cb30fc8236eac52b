"""From a roulette table's log to spins that can be rendered: each launch with what the log says became of it."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from auditor import log
from datasets.casino.wheel_spins import Bad, SpinPlan, sign

FALL_S = 2.5
"""From the track to the pocket, where the log does not say when the ball left the track."""
FLIGHT_S = 1.2
"""From the track over a deflector and out of the wheel."""
TAKEN_S = 3.0
"""A launch of which the log tells no end is taken back by the dealer so much later."""


@dataclass(slots=True)
class Story:
    """One launch, and the events up to the next."""

    spin: log.Spin
    moves: list[log.Ball] = field(default_factory=list)
    trouble: list[log.Wheel] = field(default_factory=list)

    def move(self, *kinds: str) -> log.Ball | None:
        """The first thing of these kinds that the ball did."""
        return next((ball for ball in self.moves if ball.event in kinds), None)


def spin_plans(events: Iterable[log.AnyEvent], seed: int, dealer_deg: float) -> list[SpinPlan]:
    """The spins of a log, launched from the dealer's side, with every time and number that the log names."""
    stories: list[Story] = []
    for event in events:
        if isinstance(event, log.Spin):
            stories.append(Story(event))
        elif isinstance(event, log.Ball) and stories:
            stories[-1].moves.append(event)
        elif isinstance(event, log.Wheel) and stories:
            stories[-1].trouble.append(event)
    chance = random.Random(seed)
    return [_plan(story, seed + index, dealer_deg, chance) for index, story in enumerate(_in_time(stories))]


def _in_time(stories: Sequence[Story]) -> Sequence[Story]:
    """Lift a ball that the log forgets before the next launch, so that one ball is on the wheel at a time."""
    for story in stories:
        if not story.move("rest", "stuck", "out", "lifted"):
            laps = next((ball.laps for ball in story.moves if ball.laps is not None), None)
            story.moves.append(log.Ball(t=story.spin.t + TAKEN_S, event="lifted", laps=laps))
    return stories


def _plan(story: Story, seed: int, dealer_deg: float, chance: random.Random) -> SpinPlan:
    launch_s = story.spin.t
    leave, end = story.move("leave_track"), story.move("rest", "stuck", "out", "lifted")
    assert end is not None
    laps = next((ball.laps for ball in story.moves if ball.laps), None)
    plan = SpinPlan(
        seed=seed,
        launch_s=launch_s,
        laps=laps if laps is not None else 2.0 if end.event == "lifted" else 6.0,
        pocket=end.pocket,
        ball=story.spin.ball,
        wheel=story.spin.wheel,
        rpm=chance.uniform(14, 30),
        launch_deg=dealer_deg - sign(story.spin.ball) * chance.uniform(10, 50),
    )
    lasted_s = max(end.t - launch_s, 1.0)
    if end.event in ("stuck", "lifted"):
        ending: Bad = "stuck" if end.event == "stuck" else "lifted"
        return replace(plan, bad=ending, track_s=lasted_s, mishap_s=lasted_s)
    if end.event == "out":
        return replace(plan, bad="out", track_s=max(lasted_s - FLIGHT_S, 0.8))
    track_s = leave.t - launch_s if leave is not None else lasted_s - FALL_S
    plan = replace(plan, track_s=max(track_s, 0.6), fall_s=max(lasted_s - max(track_s, 0.6), 0.6))
    if story.trouble:
        plan = replace(plan, bad=story.trouble[0].event, mishap_s=story.trouble[0].t - launch_s)
    return plan
