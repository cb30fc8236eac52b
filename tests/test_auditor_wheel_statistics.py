"""A wheel's statistics: fair wheels pass, leaning ones do not, and what was not seen is not counted."""

import random

from auditor import log
from auditor.wheel_plots import drop_plot, pocket_plot
from auditor.wheel_statistics import WheelSpin, spins_of, statistics


def test_a_leaning_wheel_is_told_from_a_fair_one() -> None:
    chance = random.Random(7)
    fair = statistics([WheelSpin(t=45.0 * n, pocket=chance.randrange(37)) for n in range(3700)])
    leaning = statistics([WheelSpin(t=45.0 * n, pocket=chance.choice([*range(37), 17, 34, 25])) for n in range(3700)])
    assert fair.fairness.p_value is not None
    assert leaning.fairness.p_value is not None
    assert fair.fairness.p_value > 0.01
    assert leaning.fairness.p_value < 1e-6
    assert fair.spins_per_hour == 80


def test_too_few_spins_say_nothing() -> None:
    assert statistics([WheelSpin(t=0.0, pocket=3)]).fairness.p_value is None
    assert statistics([]).spins_per_hour is None


def test_speeds_and_their_drift() -> None:
    slowing = statistics([WheelSpin(t=60.0 * n, rpm=25 - n / 60) for n in range(121)])
    assert slowing.rotor_rpm is not None
    assert round(slowing.rotor_rpm.mean, 6) == 24
    assert round(slowing.rotor_rpm.drift_per_hour, 6) == -1
    assert slowing.ball_rps is None


def test_spins_are_read_from_the_events_of_several_logs() -> None:
    events: list[tuple[float, log.AnyEvent]] = [
        (1000.0, log.Spin(t=2.0, ball="cw", wheel="ccw", rpm=20.0, rps=1.5)),
        (1000.0, log.Ball(t=12.0, event="leave_track", laps=8.5, deg=100.0)),
        (1000.0, log.Ball(t=15.0, event="rest", pocket=17)),
        (5000.0, log.Spin(t=1.0, ball="cw", wheel="ccw")),
    ]
    first, second = spins_of(events)
    assert first == WheelSpin(t=1002.0, pocket=17, laps=8.5, rpm=20.0, rps=1.5, drop_deg=100.0)
    assert second == WheelSpin(t=5001.0)
    answer = statistics([first, second])
    assert (sum(answer.pockets), answer.pockets[17], answer.drops) == (1, 1, (0, 0, 1, 0, 0, 0, 0, 0))
    assert pocket_plot(answer).count("<rect") == 37
    assert drop_plot(answer).startswith("<svg")
