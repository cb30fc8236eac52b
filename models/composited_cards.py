"""Composited scenes with the true box of every card that lies in them, face up or face down: taught and measured on."""

from collections.abc import Iterator

import numpy as np

from datasets import deck_art
from datasets.card_faces import Pool
from datasets.casino.installed_decks import Split
from datasets.composites import CardTruth, Sizes, compose
from datasets.own_decks import own_backs, own_faces
from vision.seen import Image, Seen

SIDE_PX = 384
_SIZES = Sizes(least_px=34.0, most_px=330.0, whole_cards=True, back_share=0.45)
_SHOWN = 0.05  # a card of which less than this shows is not there


def composited_cards(number: int, seed: int, split: Split) -> Iterator[tuple[Image, list[Seen]]]:
    """Scenes of any deck to teach with, or of held-back decks and backs by another lot; `conf` is how much shows."""
    rng = np.random.default_rng((seed, split == "valid"))
    held_back = split == "valid"
    art = deck_art.load_decks(deck_art.VALIDATION if held_back else deck_art.TRAINING)
    art += own_faces(held_back=held_back) + own_backs(held_back=held_back)
    pool = Pool(rng, drawn=1, art=art, art_share=1.0) if held_back else Pool(rng, drawn=200, art=art)
    for _ in range(number):
        scene = compose(pool, rng, size_px=SIDE_PX, sizes=_SIZES)
        yield scene.image, [seen for card in scene.cards for seen in _seen(card)]


def _seen(card: CardTruth) -> Iterator[Seen]:
    if card.box is not None and card.visible > _SHOWN:
        yield Seen(kind="back" if card.label is None else "card", label=card.label, conf=card.visible, box=card.box)
