"""The files beside simulated footage: the table file with its cameras, and the record of what was rendered."""

from auditor.log import Header
from datasets.casino.cameras import Camera
from datasets.simulate import toml
from vision.camera import CalibrationPoint
from vision.plan import Plan

POINTS = 16
EDGE_PX = 4.0


def calibration_points(plan: Plan, camera: Camera) -> list[CalibrationPoint]:
    """Points of the plan and where the camera truly sees them: the felt's corners and the middles of zones."""
    known = [*plan.felt, *(zone.at for zone in plan.of_kind("cards", "tiles", "chips"))]
    pixels = camera.project([(x, y, 0.0) for x, y in known])
    width, height = camera.size
    inside = [
        CalibrationPoint(px=(round(float(px), 2), round(float(py), 2)), mm=(round(x, 2), round(y, 2)))
        for (x, y), (px, py) in zip(known, pixels, strict=True)
        if EDGE_PX < px < width - EDGE_PX and EDGE_PX < py < height - EDGE_PX
    ]
    step = max(1, len(inside) // POINTS)
    return inside[::step]


def table_toml(
    header: Header, chips: dict[str, float], size: tuple[int, int], points: list[CalibrationPoint], wheel: str | None
) -> str:
    """The table file. JSON scalars and arrays are TOML as well; tables are written inline."""
    lines = [
        f'table = "{header.table}"', f'rulebook = "{header.rulebook}"', f"started = {header.started.isoformat()}",
        "", "[house]", *(f"{name} = {toml(value)}" for name, value in header.house.items()),
        "", "[chips]", *(f"{colour} = {toml(value)}" for colour, value in chips.items()),
        "", "[[camera]]", 'name = "table"', 'source = "footage.mp4"', 'watches = "table"',
        f"size = [{size[0]}, {size[1]}]", "points = [",
        *(f"  {{ px = [{p.px[0]}, {p.px[1]}], mm = [{p.mm[0]}, {p.mm[1]}] }}," for p in points), "]",
    ]  # fmt: skip
    if wheel is not None:
        lines += ["", "[[camera]]", 'name = "wheel"', f'source = "{wheel}"', 'watches = "wheel"']
    return "\n".join([*lines, ""])
