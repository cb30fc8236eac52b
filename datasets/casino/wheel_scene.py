"""The rendered wheel: one camera, one look; what stands is drawn once, per frame only rotor, ball and what lies in it.

The wheel is a turned body, so a pixel sees the same radius and angle of it for ever: a frame is the rotor's polar skin
looked up at (radius, angle - rotor angle), times light that does not move. The skin is smeared along the angle by as
much as the rotor turns while the shutter is open.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from datasets.casino.wheel_camera import Sight, WheelCamera, sight
from datasets.casino.wheel_light import Lighting, lamp_direction, light, normals
from datasets.casino.wheel_looks import Look
from datasets.casino.wheel_paint import COLUMNS, ROWS_PER_MM, bowl_skin, deflector_heights, linear, rotor_skin
from datasets.casino.wheel_shape import Array, Floats, Picture, WheelShape
from datasets.casino.wheel_surround import HALF_MM, SIDE_PX, surround


@dataclass(frozen=True, slots=True)
class Rect:
    """A part of the picture."""

    x1: int
    y1: int
    x2: int
    y2: int

    @property
    def slices(self) -> tuple[slice, slice]:
        """For indexing pictures."""
        return slice(self.y1, self.y2), slice(self.x1, self.x2)

    @property
    def empty(self) -> bool:
        """Whether nothing of it is inside the picture."""
        return self.x2 <= self.x1 or self.y2 <= self.y1


def around(points: Array, margin: float, size: tuple[int, int]) -> Rect:
    """The part of the picture around some pixels."""
    (x1, y1), (x2, y2) = points.min(0) - margin, points.max(0) + margin
    x1, y1, x2, y2 = (int(np.clip(v, -1e6, 1e6)) for v in (x1, y1, x2 + 1, y2 + 1))
    return Rect(max(0, x1), max(0, y1), min(size[0], x2), min(size[1], y2))


def place(radius: float, angle: float, z: float) -> Array:
    """A point of the wheel frame from its polar form."""
    return np.array([radius * np.sin(angle), -radius * np.cos(angle), z])


class WheelScene:
    """Draws the wheel at any moment. `canvas` is linear light; what was drawn over is restored for the next frame."""

    def __init__(self, shape: WheelShape, look: Look, camera: WheelCamera, seed: int) -> None:
        self.shape, self.look, self.camera = shape, look, camera
        self.seen = sight(camera, shape)
        self._lighting = light(camera, shape, look, self.seen, normals(shape, self.seen))
        lamps = sum((np.array(lamp.tint) * lamp.power * lamp_direction(lamp)[2] for lamp in look.lamps), np.zeros(3))
        self._open_light = ((look.ambient + 0.9 * lamps) * look.exposure * np.array(look.tint)).astype(np.float32)
        self.standing = self._standing(seed)
        self._standing_picture = self._developed(self.standing)
        self.canvas = self.standing.copy()
        self._dirty: list[Rect] = []
        self._rotor_part()
        self._skin = self._sized(rotor_skin(shape, look, seed))
        self._smeared: dict[int, Floats] = {}

    def light_at(self, pixel: Array) -> Floats:
        """The light that falls on a thing standing at a pixel: it rises out of the shadow that lies there."""
        w, h = self.camera.size
        x, y = int(np.clip(pixel[0], 0, w - 1)), int(np.clip(pixel[1], 0, h - 1))
        return np.asarray(0.5 * self._lighting.falling[y, x] + 0.5 * self._open_light)

    def lamp(self) -> Array:
        """The direction of the strongest lamp, for shadows."""
        return lamp_direction(max(self.look.lamps, key=lambda lamp: lamp.power))

    def begin(self, zero: float, turned: float) -> None:
        """A new frame: the standing wheel, and the rotor at an angle, smeared by what it turns during the exposure."""
        for rect in self._dirty[1:]:  # the first is the rotor, which is drawn over anyway
            self.canvas[rect.slices] = self.standing[rect.slices]
        skin = self._smear(turned)
        columns = skin.shape[1] // 2
        map_x = self._map_x + np.float32((-zero / (2 * np.pi)) % 1 * columns)
        painted = cv2.remap(skin, map_x, self._map_y, cv2.INTER_LINEAR)
        lit = cv2.multiply(cv2.cvtColor(painted, cv2.COLOR_BGRA2BGR), self._rotor_light.falling)
        metal = cv2.cvtColor(cv2.extractChannel(painted, 3), cv2.COLOR_GRAY2BGR)
        cv2.accumulateProduct(metal, self._rotor_light.glint, lit)
        cv2.add(lit, self._rotor_light.mirrored, dst=self.canvas[self.rotor.slices])
        self._dirty = [self.rotor]

    def touched(self, rect: Rect) -> None:
        """Something was drawn over this part of the canvas."""
        self._dirty.append(rect)

    def develop(self) -> Picture:
        """The canvas as the sensor shows it. What stands was developed before: only what was touched is done again."""
        picture = self._standing_picture.copy()
        for rect in self._dirty:
            picture[rect.slices] = self._developed(self.canvas[rect.slices])
        return picture

    def _developed(self, linear_light: Floats) -> Picture:
        return cv2.convertScaleAbs(cv2.sqrt(cv2.threshold(linear_light, 0, 0, cv2.THRESH_TOZERO)[1]), alpha=255.0)

    # ---- what is worked out once ----

    def _standing(self, seed: int) -> Floats:
        """Bowl, deflectors, rim and surround under their light."""
        seen = self.seen
        skin = bowl_skin(self.shape, self.look, seed)
        rows, columns = skin.shape[:2]
        bumps = cv2.GaussianBlur(deflector_heights(self.shape, rows, columns), (0, 0), 2)
        rise_r = np.gradient(bumps, axis=0) * ROWS_PER_MM
        rise_t = np.gradient(bumps, axis=1) * columns / (2 * np.pi * self.shape.deflector_mm)
        map_x = seen.angle * np.float32(columns / (2 * np.pi))
        map_y = seen.radius * ROWS_PER_MM

        def looked_up(polar: Floats) -> Floats:
            return cv2.remap(polar.astype(np.float32), map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)

        bump_r, bump_t = looked_up(rise_r), looked_up(rise_t)
        outside = seen.radius > self.shape.rim_mm[1] + 2
        bump_r[outside] = bump_t[outside] = 0
        lighting = light(self.camera, self.shape, self.look, seen, normals(self.shape, seen, bump_r, bump_t))
        painted = looked_up(skin)
        ground = self._ground(seen, seed)
        painted[outside, :3], painted[outside, 3] = ground[outside], 0
        lacquer = np.where(outside, 0.05, 1.0)[..., None].astype(np.float32)
        drawn = (
            painted[..., :3] * lighting.falling
            + lacquer * lighting.mirrored
            + painted[..., 3:] * (0.4 * lighting.glint + 4 * lighting.mirrored)
        )
        return np.asarray(drawn, np.float32)

    def _ground(self, seen: Sight, seed: int) -> Floats:
        scale = np.float32(SIDE_PX / (2 * HALF_MM))
        map_x, map_y = seen.x * scale + SIDE_PX / 2, seen.y * scale + SIDE_PX / 2
        return np.asarray(
            cv2.remap(surround(self.look, seed), map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
        )

    def _rotor_part(self) -> None:
        """Which pixels show the rotor, how much of each, and where on the skin they look."""
        scale_px = self.camera.scale_px(np.zeros(3))
        share = np.clip((self.shape.rotor_mm - self.seen.radius) * np.float32(scale_px) + 0.5, 0, 1)
        rows, columns = np.nonzero(share)
        self.rotor = Rect(int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1)
        part = self.rotor.slices
        cover, whole = share[part][..., None], self._lighting
        beside = (1 - cover) * self.standing[part]  # pixels on the rotor's edge show some of the bowl
        self._rotor_light = Lighting(
            falling=cover * whole.falling[part],
            mirrored=cover * whole.mirrored[part] + beside,
            glint=cover * whole.glint[part],
        )
        self._columns = min(COLUMNS, int(2 * np.pi * self.shape.rotor_mm * scale_px * 1.3) // 37 * 37)
        self._rows_per_mm = min(float(ROWS_PER_MM), 1.3 * scale_px)
        self._map_x = self.seen.angle[part] * np.float32(self._columns / (2 * np.pi))
        self._map_y = np.minimum(self.seen.radius[part], self.shape.rotor_mm) * np.float32(self._rows_per_mm)

    def _sized(self, skin: Floats) -> Floats:
        """The skin at the picture's own fineness: a finer one would sparkle."""
        rows = int(skin.shape[0] * self._rows_per_mm / ROWS_PER_MM)
        return np.asarray(cv2.resize(skin, (self._columns, rows), interpolation=cv2.INTER_AREA))

    def _smear(self, turned: float) -> Floats:
        """The skin blurred by a turn of so many radians, twice side by side: every shift of it is there."""
        width = min(max(1, round(abs(turned) * self._columns / (2 * np.pi))), 200)
        if width not in self._smeared:
            if len(self._smeared) > 3:  # the rotor's speed changes slowly: the oldest is the least wanted
                del self._smeared[next(iter(self._smeared))]
            twice = np.hstack([self._skin, self._skin])
            self._smeared[width] = cv2.blur(twice, (width, 1), borderType=cv2.BORDER_REFLECT) if width > 1 else twice
        return self._smeared[width]


def shade(colour: tuple[float, float, float], falling: Floats) -> Floats:
    """A matt colour under the light that falls on it."""
    return linear(colour) * falling
