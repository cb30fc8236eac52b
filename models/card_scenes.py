"""The scenes that the card eye's networks learn from: composited, real and rendered, and what is no index in them."""

import argparse
import itertools

import msgspec
import numpy as np

from datasets import deck_art
from datasets.card_faces import Pool
from datasets.composites import NONE, FrameArray, IndexTruth, Scene, Sizes, compose, empty_table
from datasets.own_decks import own_faces
from datasets.real_cards import RealScenes, RenderedScenes
from models.dealt_scenes import DealtScenes
from models.real_frames import WITHOUT_CARDS
from models.scene_supply import MakeScene, seeded
from vision.card_finder import FrameFinder
from vision.cards import FINDER_FILE

SCENE_PX = 160
READER_SCENE_PX = 112  # one crop needs no more, and costs a fifth
FACE_SCENE_PX = 192
SIZES = {
    "finder": Sizes(least_px=9.0, most_px=30.0),
    "reader": Sizes(least_px=8.0, most_px=56.0),
    "face": Sizes(least_px=8.0, most_px=36.0),
}
_TOO_LARGE = 0.15  # share of a finder's scenes that only show pieces of things too large for it
_FOUND_PX = (12.0, 17.0, 17.0, 28.0, 45.0)  # the finder looks at a scene once, at the scale of one of these indices
_MOST_STRAYS, _MOST_ON_EMPTY = 2, 6
_EMPTY, _EMPTY_PX = 0.06, 256  # share of a reader's scenes without a card, and their size
_STRAY = 0.08  # so likely the finder holds what is taught as none: less than it takes to be read
_ON_PHOTO = 0.15  # share of the drawn scenes that lie on photographs of chips and dice


def scenes_for(args: argparse.Namespace, seed: int) -> MakeScene:
    """Makes scenes as the network needs them: composited ones, and shares of real photographs and rendered frames."""
    rng = seeded(seed)
    art = deck_art.load_decks(deck_art.TRAINING) + own_faces(held_back=False)
    pool = Pool(rng, drawn=args.faces, art=art)
    taught = "reader" if args.net == "witness" else args.net  # both readers have the same lessons
    size_px = {"finder": SCENE_PX, "reader": READER_SCENE_PX, "face": FACE_SCENE_PX}[taught]
    finder = FrameFinder(FINDER_FILE, threads=1, threshold=_STRAY) if taught == "reader" else None
    rendered = None if args.rendered is None else RenderedScenes(args.rendered)
    dealt = DealtScenes(pool)
    real = (
        None
        if args.real is None
        else RealScenes(
            args.real / "cards",
            frames=args.frames,
            negatives=tuple(args.real / name for name in WITHOUT_CARDS if args.frames is not None or name == "dice"),
        )
    )

    def scene() -> Scene:
        sizes = SIZES[taught]
        if taught == "finder" and rng.random() < _TOO_LARGE:
            sizes = msgspec.structs.replace(sizes, least_px=sizes.most_px * 1.3, most_px=sizes.most_px * 4)
        draw = rng.random()
        if real is not None and draw < args.real_share:
            return real.compose(rng, size_px=size_px, sizes=sizes)
        if rendered is not None and draw < args.real_share + args.rendered_share:
            return rendered.compose(rng, size_px=size_px, sizes=sizes)
        if draw > 1 - args.dealt_share:
            return dealt.compose(rng, size_px=size_px)
        ground = real.ground(rng, size_px=size_px) if real is not None and rng.random() < _ON_PHOTO else None
        return compose(pool, rng, size_px=size_px, sizes=sizes, ground=ground)

    def with_strays() -> Scene:
        if finder is None:
            return scene()
        empty = rng.random() < _EMPTY
        made, most = (empty_table(rng, size_px=_EMPTY_PX), _MOST_ON_EMPTY) if empty else (scene(), _MOST_STRAYS)
        if not made.complete:
            return made
        strays = strays_in(made, finder, float(rng.choice(_FOUND_PX)), most)
        return msgspec.structs.replace(made, indices=made.indices + strays)

    return with_strays


def strays_in(scene: Scene, finder: FrameFinder, index_px: float, most: int = _MOST_STRAYS) -> tuple[IndexTruth, ...]:
    """What the finder that ships likeliest takes for an index in a scene and is none: what the reader most needs to
    refuse."""
    found = (each.frame for each in finder.find(scene.image, height_px=index_px))
    strays = (frame for frame in found if all(_are_apart(frame, index.frame) for index in scene.indices))
    return tuple(IndexTruth(label=NONE, frame=frame, visible=0.0, card=-1) for frame in itertools.islice(strays, most))


def _are_apart(stray: FrameArray, index: FrameArray) -> bool:
    return bool(np.linalg.norm(stray[0] - index[0]) > np.linalg.norm(stray[2]) + np.linalg.norm(index[2]))
