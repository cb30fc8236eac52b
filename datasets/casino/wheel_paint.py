"""The painted skins of a wheel in polar form: rows are radii from the spindle out, columns angles clockwise.

A skin holds linear light: blue, green, red and how much of the place is bare metal.
"""

import cv2
import numpy as np
import numpy.typing as npt

from auditor.rulebooks.roulette_layout import RED, WHEEL
from datasets.casino.wheel_looks import Colour, Look
from datasets.casino.wheel_shape import Floats, WheelShape

ROWS_PER_MM = 3
COLUMNS = 37 * 112


def linear(colour: Colour) -> Floats:
    """A screen colour as linear light."""
    return np.array(colour, np.float32) ** 2.2


def wood(shape: tuple[int, int], colour: Colour, grain: float, seed: int) -> Floats:
    """Turned wood: figure along the columns, streaks of several widths."""
    noise = np.random.default_rng(seed)
    figure = np.zeros(shape, np.float32)
    for across, along, weight in ((shape[0] // 4 + 1, 12, 0.5), (shape[0] // 2 + 1, 60, 0.3), (shape[0], 300, 0.2)):
        rough = noise.normal(0, 1, (across, along)).astype(np.float32)
        rough[:, -1] = rough[:, 0]  # the figure closes on itself
        figure += weight * cv2.resize(rough, shape[::-1], interpolation=cv2.INTER_CUBIC)
    tone = np.exp(grain * figure)
    return np.asarray(linear(colour) * tone[..., None])


def rotor_skin(shape: WheelShape, look: Look, seed: int) -> Floats:
    """Cone, pockets with frets, numbers and edge (rows, columns, 4)."""
    rows = int(shape.rotor_mm * ROWS_PER_MM) + 4
    skin = np.zeros((rows, COLUMNS, 4), np.float32)
    skin[..., :3] = wood((rows, COLUMNS), look.cone, look.grain, seed)
    _spokes(skin, look, shape)
    width = COLUMNS // 37
    for place, pocket in enumerate(WHEEL):
        colour = linear(look.green if pocket == 0 else look.red if pocket in RED else look.black)
        cell = _rolled(place * width - width // 2, width)
        floor = skin[_rows(shape.pockets_mm)][:, cell]
        floor[..., :3] = colour * look.pocket_shade * _shaded_floor(floor.shape[0], width)
        floor[..., 3] = 0
        skin[_rows(shape.pockets_mm)][:, cell] = floor
        skin[_rows(shape.numbers_mm)][:, cell] = _number(pocket, shape.numbers_mm, colour, width, look)
    _frets(skin, shape, look)
    for radius, thick in ((shape.pockets_mm[0], 3.0), (shape.pockets_mm[1], 3.0), (shape.rotor_mm - 4, 7.0)):
        _metal(skin, (radius - thick / 2, radius + thick / 2), look)
    _metal(skin, (0, 42), look)
    _metal(skin, (54, 58), look)
    outer = max(shape.numbers_mm[1], shape.pockets_mm[1])
    _metal(skin, (outer - 1.5, outer + 1.5), look)
    _metal(skin, (shape.numbers_mm[0] - 1, shape.numbers_mm[0] + 1), look)
    return skin


def bowl_skin(shape: WheelShape, look: Look, seed: int) -> Floats:
    """The standing part, on the same polar grid out to the rim: apron, deflectors, track, rim (rows, columns, 4)."""
    rows = int((shape.rim_mm[1] + 6) * ROWS_PER_MM)
    columns = COLUMNS // 2
    skin = np.zeros((rows, columns, 4), np.float32)
    skin[..., :3] = wood((rows, columns), look.wood, look.grain, seed)
    track = _rows((shape.track_mm - 16, shape.rim_mm[0] - 2))
    skin[track, :, :3] = wood((track.stop - track.start, columns), look.track, look.grain * 0.5, seed + 1)
    veneer = (np.arange(columns) * 24 // columns) % 2
    rim = _rows(shape.rim_mm)
    skin[rim, :, :3] *= (0.75 + 0.35 * veneer)[None, :, None]
    _metal(skin, (shape.rim_mm[0] - 1, shape.rim_mm[0] + 2), look, 0.5)
    _metal(skin, (shape.rotor_mm, shape.rotor_mm + 2), look, 0.4)
    mask = deflector_heights(shape, rows, columns) > 0.3
    skin[mask, :3] = linear(look.metal) * 0.35
    skin[mask, 3] = 1.0
    return skin


def deflector_heights(shape: WheelShape, rows: int, columns: int) -> Floats:
    """How high the deflectors stand over the bowl, in millimetres, on the bowl's polar grid."""
    heights = np.zeros((rows, columns), np.float32)
    radius = np.arange(rows, dtype=np.float32)[:, None] / ROWS_PER_MM
    angle = np.arange(columns, dtype=np.float32)[None] * np.float32(2 * np.pi / columns)
    for index in range(shape.deflectors):
        along_r, along_t = shape.deflector_axes_mm(index)
        away = (angle - shape.deflector_angle(index) + np.pi) % (2 * np.pi) - np.pi
        near = np.abs(radius - shape.deflector_mm) / along_r + np.abs(away * shape.deflector_mm) / along_t
        heights = np.maximum(heights, 8 * np.clip(1 - near, 0, 1))
    return heights


def _rows(band: tuple[float, float]) -> slice:
    return slice(round(band[0] * ROWS_PER_MM), round(band[1] * ROWS_PER_MM))


def _rolled(start: int, count: int) -> npt.NDArray[np.int64]:
    return np.arange(start, start + count) % COLUMNS


def _shaded_floor(rows: int, columns: int) -> Floats:
    """Pockets are darker along the walls."""
    across = np.abs(np.linspace(-1, 1, columns, dtype=np.float32))
    along = np.linspace(-1, 1, rows, dtype=np.float32)
    return np.asarray((1 - 0.45 * across**3)[None, :, None] * (1 - 0.3 * np.abs(along) ** 4)[:, None, None])


def _number(pocket: int, band: tuple[float, float], colour: Floats, width: int, look: Look) -> Floats:
    """One field of the number ring, its digits' heads outwards."""
    rows = round(band[1] * ROWS_PER_MM) - round(band[0] * ROWS_PER_MM)
    canvas = np.zeros((160, 120), np.uint8)
    text = str(pocket)
    (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, 2.6, 7)
    cv2.putText(canvas, text, ((120 - wide) // 2, (160 + high) // 2), cv2.FONT_HERSHEY_DUPLEX, 2.6, 255, 7, cv2.LINE_AA)
    ink = cv2.resize(canvas, (width, rows), interpolation=cv2.INTER_AREA)[::-1, :, None] / np.float32(255)
    field = np.zeros((rows, width, 4), np.float32)
    field[..., :3] = colour * (1 - ink) + linear(look.digits) * ink
    return field


def _frets(skin: Floats, shape: WheelShape, look: Look) -> None:
    """Metal walls between pockets, and hair lines between the numbers."""
    arc_mm = 2 * np.pi * sum(shape.pockets_mm) / 2 / COLUMNS
    half = max(1, round(look.fret_mm / arc_mm / 2))
    width = COLUMNS // 37
    for place in range(37):
        edge = place * width + width // 2
        for band, reach, strength in ((shape.pockets_mm, half, 1.0), (shape.numbers_mm, half // 3, 0.6)):
            columns = _rolled(edge - reach, 2 * reach + 1)
            block = _rows(band)
            skin[block, columns, :3] = linear(look.metal) * 0.3
            skin[block, columns, 3] = strength


def _metal(skin: Floats, band: tuple[float, float], look: Look, strength: float = 1.0) -> None:
    skin[_rows(band), :, :3] = linear(look.metal) * 0.3
    skin[_rows(band), :, 3] = strength


def _spokes(skin: Floats, look: Look, shape: WheelShape) -> None:
    """Inlays on the cone of some makes."""
    if not look.cone_spokes:
        return
    phase = (np.arange(COLUMNS) * look.cone_spokes / COLUMNS) % 1
    block = skin[_rows((66, min(shape.pockets_mm[0], shape.numbers_mm[0]) - 6))]
    taper = np.linspace(0.10, 0.3, len(block))[:, None]
    inlay = np.abs(phase[None] - 0.5) < taper
    block[..., :3] *= np.where(inlay, 2.2, 1.0)[..., None].astype(np.float32)
