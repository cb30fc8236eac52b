"""Two sets of wheel clips: one to tune the wheel's eye on, and a final one it is measured on. They share no seed and no
wood; tilt, zoom and picture size come from the same ranges in both. Either has a part that stands in for films of real
wheels (`--film`): 1920×1080 at 30 pictures a second, near overhead, dark around, all that is against the eye at once.

`python -m datasets.casino.wheel_sets --set tuning --out DIR --n N` (a clip that is there already is not made again).
"""

import random
from dataclasses import dataclass, replace
from pathlib import Path
from typing import get_args

import click
import msgspec

from datasets.casino.wheel_camera import WheelCamera
from datasets.casino.wheel_footage import render_spins
from datasets.casino.wheel_looks import Look, Pool, random_look, random_shape
from datasets.casino.wheel_shape import WheelShape
from datasets.casino.wheel_spins import BAD, Bad, SpinPlan, Turning

VALID_SPINS = 60
FINAL_SEED = 600_000
FINAL_FAULTS = (
    *((fault,) for fault in ("glare", "flicker", "drop", "hand") for _ in range(3)),
    ("glare", "flicker", "drop"), ("noise", "blur"), ("bump",), ("freeze",), ("dark",), ("cover",),
)  # fmt: skip
FILM_SEED: dict[Pool, int] = {"tuning": 300_000, "final": 700_000}
FILM_FAULTS = ("reflections", "exposure", "sway", "starved")
STRIDE = 6
_SIZES = ((640, 480), (640, 480), (640, 480), (640, 640), (640, 480), (640, 480), (720, 576), (960, 720))


@dataclass(frozen=True, slots=True, kw_only=True)
class ClipPlan:
    """A clip to be rendered."""

    name: str
    spins: tuple[SpinPlan, ...]
    shape: WheelShape
    look: Look
    camera: WheelCamera
    fps: float
    faults: tuple[str, ...]
    seed: int


def final_clip(index: int) -> ClipPlan:
    """Sixty valid spins, then three of each kind of bad spin, then valid spins with faults."""
    bad: Bad | None = None
    faults: tuple[str, ...] = ()
    if index >= VALID_SPINS + 3 * len(BAD):
        faults = FINAL_FAULTS[(index - VALID_SPINS - 3 * len(BAD)) % len(FINAL_FAULTS)]
    elif index >= VALID_SPINS:
        bad = BAD[(index - VALID_SPINS) // 3]
    kind = "+".join(faults) or bad or "valid"
    return _clip("final", FINAL_SEED + index, f"{index:03d}-{kind}", bad, faults)


def tuning_clip(index: int) -> ClipPlan:
    """Valid and bad spins by turns, and now and then a fault."""
    bad = BAD[index // 2 % len(BAD)] if index % 2 else None
    faults = FINAL_FAULTS[index // 8 % len(FINAL_FAULTS)] if index % 8 == 6 else ()
    return _clip("tuning", index, f"{index:03d}-{'+'.join(faults) or bad or 'valid'}", bad, faults)


def film_clip(pool: Pool, index: int) -> ClipPlan:
    """A good spin as somebody films it: slow shutter, mirrored lamps that move, breathing exposure, few bits."""
    seed = FILM_SEED[pool] + index
    plan = _clip(pool, seed, f"film-{index:03d}", None, FILM_FAULTS)
    chance = random.Random(seed)
    look = replace(
        plan.look,
        surround="dark" if pool == "tuning" else "night",
        gloss=chance.uniform(0.7, 1.0),
        exposure=chance.uniform(0.45, 1.1),
        shutter_s=1 / chance.choice((30, 40, 60)),
        ball=chance.choice(((0.93, 0.95, 0.96), (0.66, 0.80, 0.88))),
    )
    camera = replace(
        plan.camera, size=(1920, 1080), tilt_deg=chance.uniform(0, 12), zoom=chance.uniform(0.7, 1.3), k1=0.0
    )
    return replace(plan, look=look, camera=camera, fps=30)


def _clip(pool: Pool, seed: int, name: str, bad: Bad | None, faults: tuple[str, ...]) -> ClipPlan:
    chance = random.Random(seed)
    look, shape = random_look(chance, pool), random_shape(chance)
    spin = _spin(chance, seed, look, bad)
    return ClipPlan(
        name=name,
        spins=(spin,),
        shape=shape,
        look=look,
        camera=_camera(chance, pool, seed),
        fps=chance.choice((25, 25, 25, 25, 30, 30, 30, 50)),
        faults=faults,
        seed=seed,
    )


def _spin(chance: random.Random, seed: int, look: Look, bad: Bad | None) -> SpinPlan:
    ball: Turning = chance.choice(("cw", "ccw"))
    against: Turning = "ccw" if ball == "cw" else "cw"
    laps = chance.uniform(0.9, 2.7) if bad == "short" else 3.3 + 5 * chance.random() ** 1.5
    return SpinPlan(
        seed=seed,
        launch_s=chance.uniform(1.1, 1.9),
        laps=laps + (1.5 if bad in ("stuck", "lifted") else 0),
        ball=ball,
        wheel=ball if bad == "same_direction" else against,
        rpm=chance.uniform(6, 38),
        pocket=chance.randrange(37),
        launch_deg=look.dealer_deg + chance.uniform(-50, 50),
        bad=bad,
    )


def _camera(chance: random.Random, pool: Pool, seed: int) -> WheelCamera:
    """From overhead to 40 degrees; some as a film of a wheel is: 1920×1080, near overhead."""
    cinema = seed % 10 == 5 if pool == "tuning" else seed % 20 == 5
    zoom = chance.uniform(0.85, 1.02) if chance.random() < 0.8 else chance.uniform(1.02, 1.10)
    return WheelCamera(
        size=(1920, 1080) if cinema else chance.choice(_SIZES),
        tilt_deg=chance.uniform(0, 14) if cinema else chance.uniform(0, 40),
        side_deg=chance.uniform(0, 360),
        roll_deg=chance.uniform(-12, 12) if pool == "tuning" else chance.uniform(-25, 25),
        distance_mm=chance.uniform(1000, 1900) if pool == "tuning" else chance.uniform(900, 2600),
        zoom=zoom,
        aim_mm=(chance.uniform(-25, 25), chance.uniform(-25, 25)),
        k1=chance.choice((0.0, 0.0, chance.uniform(-0.12, 0.02))),
    )


def render(plan: ClipPlan, folder: Path) -> None:
    """One clip with its truth, and what was rendered for the record."""
    render_spins(
        plan.spins, folder, shape=plan.shape, look=plan.look, camera=plan.camera, fps=plan.fps, faults=plan.faults,
        seed=plan.seed,
    )  # fmt: skip
    (folder / "scene.json").write_bytes(msgspec.json.encode(plan))


@click.command()
@click.option("--set", "pool", type=click.Choice(get_args(Pool)), required=True)
@click.option("--out", type=click.Path(path_type=Path), required=True)
@click.option("--n", "count", default=VALID_SPINS + 3 * len(BAD) + len(FINAL_FAULTS), show_default=True)
@click.option("--first", default=0, help="Number of the first clip.", show_default=True)
@click.option("--film", is_flag=True, help="Clips like films of a real wheel.")
def main(pool: Pool, out: Path, count: int, first: int, film: bool) -> None:
    """Render a set of wheel clips with their truth."""
    # By strides, so that a set cut short still has some of everything.
    for index in (index for start in range(STRIDE) for index in range(first + start, first + count, STRIDE)):
        plan = film_clip(pool, index) if film else final_clip(index) if pool == "final" else tuning_clip(index)
        folder = out / plan.name
        if (folder / "scene.json").exists():
            continue
        render(plan, folder)
        click.echo(folder)


if __name__ == "__main__":
    main()
