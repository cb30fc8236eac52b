"""What a lens, a lamp and a codec do to a picture: uneven light, glare, blur, noise, colour casts, compression."""

import cv2
import numpy as np
from numpy.random import Generator

from vision.seen import Image


def lit(picture: Image, rng: Generator) -> Image:
    """The scene under an uneven lamp, sometimes with glare, too dark or too bright, and with a colour cast."""
    height, width = picture.shape[:2]
    light = picture.astype(np.float32)
    if rng.random() < 0.5:
        field = cv2.resize(
            rng.normal(1, 0.2, (3, 3)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC
        )
        light *= np.clip(field, 0.35, 1.6)[..., None]
    if rng.random() < 0.2:
        edge = np.zeros((height, width), np.uint8)
        corner = rng.integers(-width, 2 * width, (4, 2))
        cv2.fillConvexPoly(edge, cv2.convexHull(corner.astype(np.int32)), (255,))
        shade = cv2.GaussianBlur(edge, (0, 0), rng.uniform(1, 10)).astype(np.float32) / 255
        light *= (1 - shade * rng.uniform(0.2, 0.6))[..., None]
    if rng.random() < 0.15:
        spot = np.zeros((height, width), np.float32)
        at = (int(rng.integers(0, width)), int(rng.integers(0, height)))
        axes = (int(rng.integers(4, max(6, width // 6))), int(rng.integers(3, max(5, width // 10))))
        cv2.ellipse(spot, at, axes, rng.uniform(0, 180), 0, 360, (1.0,), -1)
        light += cv2.GaussianBlur(spot, (0, 0), rng.uniform(3, 12))[..., None] * rng.uniform(60, 220)
    light *= rng.normal(1, 0.07, 3)
    contrast = rng.uniform(0.35, 1.3) if rng.random() < 0.5 else 1.0
    light = (light - 127) * contrast + 127 + rng.normal(0, 16)
    gamma = np.exp(rng.normal(-0.05, 0.25))
    light = 255 * (np.clip(light, 0, 255) / 255) ** gamma
    dim = rng.uniform(0.3, 1.0) if rng.random() < 0.15 else 1.0
    return np.asarray(np.clip(light * dim, 0, 255), np.uint8)


def filmed(picture: Image, rng: Generator, *, harm: float = 1.0) -> Image:
    """The picture as a camera hands it over; `harm` scales how bad the camera is."""
    picture = _blurred(picture, rng, harm)
    if rng.random() < 0.12:
        grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        picture = np.asarray(cv2.merge([grey] * 3), np.uint8)
    elif rng.random() < 0.2:
        picture = _resaturated(picture, rng.uniform(0.3, 1.5))
    if rng.random() < 0.7:
        noise = rng.normal(0, harm * rng.uniform(1, 10), picture.shape[:2] + ((1,) if rng.random() < 0.5 else (3,)))
        picture = np.clip(picture + noise, 0, 255).astype(np.uint8)
    if rng.random() < 0.06:
        specks = rng.random(picture.shape[:2])
        picture[specks < 0.004], picture[specks > 0.996] = 0, 255
    if rng.random() < 0.5:
        quality = int(rng.integers(28, 95))
        packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        picture = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return picture


def _resaturated(picture: Image, factor: float) -> Image:
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)[..., None].astype(np.float32)
    return np.clip(grey + (picture - grey) * factor, 0, 255).astype(np.uint8)


def _blurred(picture: Image, rng: Generator, harm: float) -> Image:
    draw = rng.random()
    if draw < 0.2:
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.3 + rng.uniform(0, 1.2) * harm), np.uint8)
    if draw < 0.32:
        length = 2 + rng.uniform(0, 5) * harm
        kernel = np.zeros((11, 11), np.float32)
        way = rng.uniform(0, np.pi)
        dx, dy = round(np.cos(way) * length / 2), round(np.sin(way) * length / 2)
        cv2.line(kernel, (5 - dx, 5 - dy), (5 + dx, 5 + dy), (1.0,), 1, cv2.LINE_AA)
        return np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.uint8)
    if draw < 0.45:  # a picture that was small once
        scale = 1 - rng.uniform(0.1, 0.5) * harm
        small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.resize(small, picture.shape[1::-1], interpolation=cv2.INTER_LINEAR), np.uint8)
    if draw < 0.52:  # sharpened by a phone
        soft = cv2.GaussianBlur(picture, (0, 0), 1.0)
        return np.asarray(cv2.addWeighted(picture, 1.8, soft, -0.8, 0), np.uint8)
    return picture
