"""Plots for the docs as SVG, drawn by hand: a few lines over one axis are no reason for a plotting library."""

from collections.abc import Mapping, Sequence
from pathlib import Path

Points = Sequence[tuple[float, float]]
_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _MARGIN = 560, 320, 56, 44, 16
_INKS = ("#1b6ca8", "#b4452f", "#4d7c3a", "#7b5aa6")


def line_plot(
    path: Path,
    series: Mapping[str, Points],
    *,
    x_name: str,
    y_name: str,
    x_ticks: Sequence[float],
    y_range: tuple[float, float],
) -> None:
    """Write one plot: named series of points, x by rank of its ticks (so that sizes spread evenly)."""
    low, high = y_range

    def across(x: float) -> float:
        ticks = list(x_ticks)
        below = max((at for at, tick in enumerate(ticks) if tick <= x), default=0)
        above = min(below + 1, len(ticks) - 1)
        part = 0.0 if above == below else (x - ticks[below]) / (ticks[above] - ticks[below])
        return _LEFT + (_WIDTH - _LEFT - _MARGIN) * (below + part) / max(1, len(ticks) - 1)

    def up(y: float) -> float:
        return _HEIGHT - _BOTTOM - (_HEIGHT - _BOTTOM - _MARGIN) * (min(max(y, low), high) - low) / (high - low)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}"',
        ' font-family="sans-serif" font-size="12">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
    ]
    for step in range(6):
        y = low + (high - low) * step / 5
        parts.append(f'<line x1="{_LEFT}" x2="{_WIDTH - _MARGIN}" y1="{up(y):.1f}" y2="{up(y):.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{up(y) + 4:.1f}" text-anchor="end">{y:.2f}</text>')
    for x in x_ticks:
        parts.append(f'<text x="{across(x):.1f}" y="{_HEIGHT - _BOTTOM + 16}" text-anchor="middle">{x:g}</text>')
    middle = (_LEFT + _WIDTH) / 2
    parts.append(f'<text x="{middle}" y="{_HEIGHT - 8}" text-anchor="middle">{x_name}</text>')
    parts.append(
        f'<text x="14" y="{_HEIGHT / 2}" text-anchor="middle" transform="rotate(-90 14 {_HEIGHT / 2})">{y_name}</text>'
    )
    for at, (name, points) in enumerate(series.items()):
        ink = _INKS[at % len(_INKS)]
        line = " ".join(f"{across(x):.1f},{up(y):.1f}" for x, y in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{ink}" stroke-width="2"/>')
        parts += [f'<circle cx="{across(x):.1f}" cy="{up(y):.1f}" r="3" fill="{ink}"/>' for x, y in points]
        place = f'x="{_WIDTH - _MARGIN}" y="{_HEIGHT - _BOTTOM - 10 - 16 * at}"'
        parts.append(f'<text {place} text-anchor="end" fill="{ink}">{name}</text>')
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([*parts, "</svg>"]) + "\n")
