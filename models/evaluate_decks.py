"""What `deck learn` is worth: a deck with other letters (1, V, D, R), read before and after it was shown."""

import numpy as np

from datasets import deck_art
from datasets.card_faces import CardFace, Pool
from datasets.composites import Scene, Sizes, compose
from models.score_cards import Score, add_scene
from vision import card_decks
from vision.card_reader import Reading
from vision.cards import READ, READ_LEARNT, CardEye

DECK = "ancient_french"
_LESSONS_PX = Sizes(least_px=26, most_px=36, back_share=0.0)
_TEST_PX = Sizes(least_px=18, most_px=32, back_share=0.0)


def before_and_after(rng: np.random.Generator, *, scenes: int) -> tuple[Score, Score] | None:
    """The same scenes without and with the learnt deck; None where the deck is not installed."""
    faces = tuple(face for face in deck_art.load_decks((DECK,)) if face.label is not None)
    if not faces:
        return None
    plain = CardEye()
    taught = CardEye(deck=card_decks.learn(_lessons(plain, faces, rng)))
    pool = Pool(rng, drawn=1, art=faces, art_share=1.0)
    before, after = Score(), Score()
    for _ in range(scenes):
        scene = compose(pool, rng, size_px=320, sizes=_TEST_PX)
        add_scene(before, scene, plain.look(scene.image), threshold=READ)
        add_scene(after, scene, taught.look(scene.image), threshold=READ_LEARNT)
    return before, after


def _lessons(eye: CardEye, faces: tuple[CardFace, ...], rng: np.random.Generator) -> list[tuple[str, Reading]]:
    """Two pictures of each card; of what is found in them, what lies on an index is the lesson."""
    lessons = []
    for face in faces:
        pool = Pool(rng, drawn=1, art=(face,), art_share=1.0)
        for _ in range(2):
            scene = compose(pool, rng, size_px=256, sizes=_LESSONS_PX)
            lessons += [(str(face.label), reading) for reading in eye.read(scene.image) if _is_on_index(reading, scene)]
    return lessons


def _is_on_index(reading: Reading, scene: Scene) -> bool:
    near = (
        np.linalg.norm(reading.frame[0] - index.frame[0]) / np.linalg.norm(index.frame[2]) for index in scene.indices
    )
    return any(distance < 0.8 for distance in near)
