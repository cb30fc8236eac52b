"""The rendered wheel: spins go as they are asked to, pictures show what their truth says, clips keep the log's time."""

import math
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from auditor import log
from auditor.log import FairdealError

np = pytest.importorskip("numpy", reason="rendering footage needs the extra [simulate]")
av = pytest.importorskip("av", reason="rendering footage needs the extra [simulate]")
pytest.importorskip("cv2", reason="rendering footage needs the extra [simulate]")

from datasets.casino.wheel_camera import WheelCamera  # noqa: E402
from datasets.casino.wheel_footage import WheelShow, render_spins, wheel_clip  # noqa: E402
from datasets.casino.wheel_log import spin_plans  # noqa: E402
from datasets.casino.wheel_looks import Look  # noqa: E402
from datasets.casino.wheel_scene import WheelScene  # noqa: E402
from datasets.casino.wheel_shape import WheelShape, pocket_angle  # noqa: E402
from datasets.casino.wheel_spins import BAD, Bad, SpinPlan, play  # noqa: E402
from datasets.casino.wheel_timeline import Timeline  # noqa: E402
from datasets.casino.wheel_truth import SpinTruth  # noqa: E402

SHAPE = WheelShape()
SMALL = WheelCamera(size=(240, 240), tilt_deg=0)


def show_of(plan: SpinPlan, camera: WheelCamera) -> WheelShow:
    return WheelShow(Timeline([play(plan, SHAPE)], SHAPE, 180, 1), WheelScene(SHAPE, Look(), camera, 1))


def apart(a: float, b: float) -> float:
    return abs((a - b + 180) % 360 - 180)


@pytest.mark.parametrize("seed", range(6))
def test_a_spin_makes_its_laps_and_finds_its_pocket(seed: int) -> None:
    tape = play(SpinPlan(seed=seed, laps=3.5 + seed, pocket=6 * seed, ball="ccw", wheel="cw"), SHAPE)
    assert (tape.end, tape.pocket) == ("rest", 6 * seed)
    assert tape.leave_s is not None
    leave = round((tape.leave_s - tape.plan.launch_s) / 0.004)
    assert (tape.ball[0, 1] - tape.ball[leave, 1]) / (2 * math.pi) == pytest.approx(3.5 + seed, abs=0.02)
    assert tape.zero[-1] > tape.zero[0]
    lies = (tape.ball[-1, 1] - tape.zero[-1] - pocket_angle(6 * seed)) % (2 * math.pi)
    assert apart(math.degrees(lies), 0) < 180 / 37
    assert SHAPE.pockets_mm[0] < tape.ball[-1, 0] < SHAPE.pockets_mm[1]
    assert np.array_equal(play(tape.plan, SHAPE).ball, tape.ball)


def test_the_ball_slows_and_never_jumps() -> None:
    tape = play(SpinPlan(seed=4, laps=6), SHAPE)
    x, y = tape.ball[:, 0] * np.sin(tape.ball[:, 1]), tape.ball[:, 0] * np.cos(tape.ball[:, 1])
    assert np.hypot(np.diff(x), np.diff(y)).max() < 15  # mm in 4 ms: nothing teleports
    laps_s = np.diff([np.argmax(tape.ball[:, 1] - tape.ball[0, 1] > 2 * math.pi * lap) for lap in range(6)])
    assert (np.diff(laps_s) > 0).all()


@pytest.mark.parametrize("bad", BAD)
def test_bad_spins_go_wrong_as_asked(bad: Bad) -> None:
    wheel: log.Turning = "cw" if bad == "same_direction" else "ccw"
    plan = SpinPlan(seed=3, laps=2.2 if bad == "short" else 5, bad=bad, wheel=wheel)
    tape = play(plan, SHAPE)
    assert tape.end == {"out": "out", "stuck": "stuck", "lifted": "lifted"}.get(bad, "rest")
    turning = tape.rate[-1] / tape.rate[0]
    assert {"stopped": abs(turning) < 0.01, "reversed": turning < 0}.get(bad, turning > 0.5)
    if bad == "out":
        assert np.nanmax(tape.ball[:, 0]) > SHAPE.rim_mm[1]
    if bad == "stuck":
        assert tape.ball[-1, 0] == pytest.approx(SHAPE.track_mm, abs=3)
        assert tape.ball[-1, 1] == tape.ball[-200, 1]


def test_truth_is_where_ball_and_zero_are_in_the_picture() -> None:
    show = show_of(SpinPlan(seed=2, laps=4, pocket=11, rpm=12), SMALL)
    bare = show_of(SpinPlan(seed=2, laps=4, pocket=11, rpm=12), SMALL)
    bare.timeline.ball = lambda t: None  # type: ignore[method-assign]
    for t in (2.9, 4.3, 7.1, 11.0):
        picture, truth = show.frame(t)
        change = picture.astype(int).sum(2) - bare.frame(t)[0].astype(int).sum(2)
        y, x = np.argwhere(change > 0.5 * change.max()).mean(0) + 0.5 - show.centre[::-1]
        assert truth.ball_deg is not None
        assert apart(math.degrees(math.atan2(x, -y)), truth.ball_deg) < 2.5
        blue, green, red = np.moveaxis(picture.astype(int), 2, 0)
        y, x = np.argwhere((green > red + 40) & (green > blue + 30)).mean(0) + 0.5 - show.centre[::-1]
        assert truth.zero_deg is not None
        assert apart(math.degrees(math.atan2(x, -y)), truth.zero_deg) < 2.5


def test_the_near_rim_hides_the_ball_from_a_slanting_camera() -> None:
    plan = SpinPlan(seed=2, laps=5, launch_deg=0)
    slanting = show_of(plan, replace(SMALL, tilt_deg=40))
    seen = [angles for n in range(60) if (angles := slanting.frame(2.5 + n / 15)[1]) is not None]
    hidden = [n for n, angles in enumerate(seen) if angles.ball_deg is None]
    assert 0 < len(hidden) < 30
    assert all(angles.zero_deg is not None for angles in seen)


def test_a_clip_has_the_times_of_its_truth_and_loses_what_is_dropped(tmp_path: Path) -> None:
    plan = SpinPlan(seed=5, launch_s=0.5, laps=1.2, pocket=17, bad="short")
    kwargs = {"shape": SHAPE, "look": Look(), "camera": replace(SMALL, size=(160, 128)), "fps": 10}
    truth = render_spins([plan], tmp_path, **kwargs, faults=("drop", "freeze"), seed=3)  # type: ignore[arg-type]
    assert msgspec.json.decode((tmp_path / "truth.json").read_bytes(), type=list[SpinTruth]) == truth
    with av.open(str(tmp_path / "wheel.mp4")) as container:
        times = [float(frame.time or 0) for frame in container.decode(video=0)]
    assert len(times) < int((truth[0].closed + 2.5) * 10)  # some are gone
    assert {round(10 * t) for t, *_ in truth[0].track} <= {round(10 * t) for t in times}
    assert (truth[0].ball.pocket, truth[0].rule, truth[0].valid) == (17, "5.2", False)
    assert any(zero is None for _, _, zero in truth[0].track)  # frozen: nothing is to be seen there


def test_a_log_is_filmed_on_its_own_clock(tmp_path: Path) -> None:
    events: list[log.AnyEvent] = [
        log.Spin(t=1.5, ball="cw", wheel="ccw"), log.Ball(t=5.0, event="leave_track", laps=3.2),
        log.Ball(t=7.5, event="rest", pocket=17), log.Spin(t=11.0, ball="ccw", wheel="ccw"),
        log.Ball(t=13.0, event="lifted", laps=1.4), log.Spin(t=16.0, ball="cw", wheel="ccw"),
        log.Wheel(t=17.5, event="object"), log.Ball(t=19.0, event="leave_track", laps=3.0),
        log.Ball(t=21.0, event="rest", pocket=0),
    ]  # fmt: skip
    assert [plan.bad for plan in spin_plans(events, 1, 0.0)] == [None, "lifted", "object"]
    first, second, third = wheel_clip(events, tmp_path / "wheel.mp4", fps=2, size=(128, 128), seed=1)
    assert (first.ball.launch, first.ball.leave_track, first.ball.rest, first.ball.pocket) == (1.5, 5.0, 7.5, 17)
    assert (first.ball.laps, first.ball.dir, first.wheel.dir) == (3.2, "cw", "ccw")
    assert (second.ball.end, second.wheel.dir) == ("lifted", "ccw")
    assert second.closed == pytest.approx(13.0, abs=0.1)
    assert second.ball.laps == pytest.approx(1.4, abs=0.1)
    assert (third.mishap, third.ball.rest, third.ball.pocket) == (17.5, 21.0, 0)


def test_the_rotor_turns_on_between_spins_without_a_jump() -> None:
    first = play(SpinPlan(seed=0, launch_s=2, laps=4, ball="cw", wheel="ccw"), SHAPE)
    second = play(SpinPlan(seed=1, launch_s=22, laps=4, ball="ccw", wheel="cw"), SHAPE)
    third = play(SpinPlan(seed=2, launch_s=33.5, laps=4, bad="stuck", mishap_s=2.0), SHAPE)
    timeline = Timeline([first, second, third], SHAPE, 180, 1)
    zeros = np.array([timeline.zero(t) for t in np.arange(0, 40, 0.02)])
    assert np.abs(np.diff(zeros)).max() < math.radians(10)
    assert timeline.ball(21.0) is None  # the dealer has taken it out for the next launch
    assert timeline.ball(15.0) is not None


def test_an_unknown_fault_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FairdealError, match="no fault is called 'fog'"):
        render_spins([SpinPlan(seed=1)], tmp_path, shape=SHAPE, look=Look(), camera=SMALL, faults=("fog",))


def test_ball_pictures_have_their_ball_in_the_box() -> None:
    from datasets.casino.wheel_samples import ball_pictures

    pictures = list(ball_pictures(8, seed=3))
    boxes = [(picture, box) for picture, labelled in pictures for box in labelled]
    assert len(boxes) >= 6
    for picture, box in boxes:
        x, y, half_w, half_h = (round(part) for part in (box.x, box.y, box.width / 2, box.height / 2))
        inside = picture[max(0, y - half_h) : y + half_h, max(0, x - half_w) : x + half_w].max(2)
        assert inside.max() > np.median(picture.max(2)) + 60
