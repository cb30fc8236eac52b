"""A wheel's statistics as pictures: small SVG texts that a page can hold as they are."""

import math
from collections.abc import Sequence

from auditor.rulebooks.roulette_layout import RED
from auditor.wheel_statistics import SECTORS, WheelStatistics

_WIDTH, _HEIGHT, _FOOT = 740, 180, 22
_SIDE = 220


def pocket_plot(statistics: WheelStatistics) -> str:
    """How often each number came, in the order of the wheel, with the line of equal chances."""
    counts = statistics.by_place
    step = _WIDTH / len(counts)
    room = _HEIGHT - _FOOT - 8
    top = max([count for _, count in counts] + [1])
    parts = []
    for place, (number, count) in enumerate(counts):
        tall = room * count / top
        colour = "zero" if number == 0 else "red" if number in RED else "black"
        x = place * step
        parts.append(
            f'<rect class="{colour}" x="{x + 2:.1f}" y="{_HEIGHT - _FOOT - tall:.1f}" width="{step - 4:.1f}" '
            f'height="{tall:.1f}"><title>{number}: {count}</title></rect>'
            f'<text x="{x + step / 2:.1f}" y="{_HEIGHT - 6}" text-anchor="middle">{number}</text>'
        )
    even = _HEIGHT - _FOOT - room * statistics.fairness.spins / len(counts) / top
    parts.append(f'<line class="even" x1="0" x2="{_WIDTH}" y1="{even:.1f}" y2="{even:.1f}"/>')
    return _svg(_WIDTH, _HEIGHT, "pockets", "Pockets in the order of the wheel", parts)


def drop_plot(statistics: WheelStatistics) -> str:
    """Where round the wheel the ball left the track: one sector each, as long as it came often."""
    middle = _SIDE / 2
    top = max(*statistics.drops, 1)
    parts = [f'<circle class="rim" cx="{middle}" cy="{middle}" r="{middle - 2}"/>']
    for sector, count in enumerate(statistics.drops):
        reach = (middle - 6) * math.sqrt(count / top)
        ends = [2 * math.pi * (sector + end) / SECTORS for end in (0, 1)]
        (x1, y1), (x2, y2) = ((middle + reach * math.sin(a), middle - reach * math.cos(a)) for a in ends)
        parts.append(
            f'<path class="drop" d="M{middle} {middle}L{x1:.1f} {y1:.1f}A{reach:.1f} {reach:.1f} 0 0 1 {x2:.1f} '
            f'{y2:.1f}Z"><title>{count}</title></path>'
        )
    return _svg(_SIDE, _SIDE, "drops", "Where the ball left the track", parts)


def _svg(width: int, height: int, kind: str, title: str, parts: Sequence[str]) -> str:
    return (
        f'<svg class="wheel-{kind}" viewBox="0 0 {width} {height}" role="img" xmlns="http://www.w3.org/2000/svg">'
        f"<title>{title}</title>{''.join(parts)}</svg>"
    )
