"""Cards dealt before a camera to measure how surely they are misread."""

import numpy as np

from datasets.casino.decks import STYLES
from datasets.card_faces import CardFace, Pool
from datasets.own_decks import own_faces
from models.dealt_scenes import DealtScenes, Laid, hand_in, indices_in
from models.evaluate_dealt import Dealt, dealt, table_of
from vision.card_finder import Found, FrameArray
from vision.card_reader import RANKS, SUITS, IndexReader
from vision.cards import CardEye
from vision.plan import load_plan
from vision.seen import Image


def test_a_deck_that_was_taught_is_dealt_and_read() -> None:
    cards = list(dealt(CardEye(threads=1), STYLES["house"], load_plan("act-holdem"), 8, np.random.default_rng(4)))
    assert len(cards) >= 6
    assert sum(each.card == each.label for each in cards) >= len(cards) - 1
    assert cards[0].conf == cards[0].beside_others


def test_what_is_wrong_and_counts_as_sure_is_told_alone_and_beside_what_came_lately() -> None:
    cards = [Dealt("Ac", "As", 0.95, 0.8), Dealt("Kd", "Kd", 0.99, 0.98), Dealt("7c", "7s", 0.4, 0.4)]
    told = table_of("deck", cards)
    assert "3 read,   2 wrong; sure:  1 wrong,    1 right; beside what came lately:  0 wrong,    1 right" in told


def test_lessons_of_a_dealt_table_say_truly_where_its_indices_lie_and_what_they_are() -> None:
    """Which scenes come, and how blurred, hangs on the typefaces installed: frames beside them are the measure."""
    rng = np.random.default_rng(3)
    house = tuple(face for face in own_faces(held_back=False)[:52])
    scenes, reader = DealtScenes(Pool(rng, drawn=1, art=house, art_share=1.0)), IndexReader(threads=1)
    right, aside, told = 0, 0, 0
    for scene in (scenes.compose(rng, size_px=112) for _ in range(60)):
        shown = [index for index in scene.indices if index.visible > 0.9 and 2 * np.linalg.norm(index.frame[2]) > 14]
        labels, told = [index.label for index in shown], told + len(shown)
        right += _read_right(reader, scene.image, [index.frame for index in shown], labels)
        beside = [np.stack([index.frame[0] + index.frame[2], *index.frame[1:]]) for index in shown]
        aside += _read_right(reader, scene.image, beside, labels)
    assert told > 40
    assert right > max(told / 4, 3 * aside)


def _read_right(reader: IndexReader, image: Image, frames: list[FrameArray], labels: list[str]) -> int:
    read = reader.read_once(image, [Found(kind=0, conf=1.0, frame=frame) for frame in frames])
    names = [RANKS[int(each.ranks.argmax())] + SUITS[int(each.suits.argmax())] for each in read]
    return sum(name == label for name, label in zip(names, labels, strict=True))


def test_an_index_under_another_card_does_not_show_in_a_dealt_lesson() -> None:
    zone = next(iter(load_plan("act-holdem").of_kind("cards")))
    face = CardFace(label="As", picture=np.full((320, 228, 3), 255, np.uint8), index=(10, 10, 30, 60))
    (card, *_) = hand_in(zone, Pool(np.random.default_rng(1), drawn=1, art=(face,), art_share=1.0),
                         np.random.default_rng(2))  # fmt: skip
    patch = np.zeros((round((zone.size[1] + 28) * 2), round((zone.size[0] + 28) * 2), 3), np.uint8)
    aside = Laid(face, card.to_mm + np.array([[0, 0, 30], [0, 0, 0]]))
    alone = list(indices_in(patch, zone, [card], 2.0))
    assert [index.visible for index in alone] == [1.0, 1.0]
    upper, lower, *_ = indices_in(patch, zone, [card, aside], 2.0)
    assert upper.visible > 0.9
    assert lower.visible < 0.3
