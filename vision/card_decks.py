"""A casino's own deck, learnt from photographs without training: how its indices look to the reading network."""

import re
from collections.abc import Iterable
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from auditor.log import FairdealError
from vision import weights
from vision.card_reader import FILE as READER_FILE
from vision.card_reader import JOKER, RANKS, SUITS, Reading, Shares

_NAME = re.compile(r"(10|[2-9TJQKA])([cdhs])(?![a-z0-9])|Jkr", re.IGNORECASE)
_SHARPNESS = 24.0  # how fast likeness falls off, per unit of cosine
_TRUST = 0.75  # how much the learnt deck says beside the network


class Deck(msgspec.Struct, frozen=True, kw_only=True):
    """Prototypes of one deck's indices: names, and for each the embedding of one photographed index."""

    reader: str
    """The sha256 of the reading network that the embeddings come from."""
    labels: tuple[str, ...]
    embeddings: bytes
    """Half precision, one row per label, each of length one."""

    @property
    def rows(self) -> NDArray[np.float32]:
        """The prototypes, one per row."""
        return np.frombuffer(self.embeddings, np.float16).reshape(len(self.labels), -1).astype(np.float32)

    def reread(self, reading: Reading) -> Reading:
        """The reading, with what this deck's own indices say about it."""
        likeness = np.exp(_SHARPNESS * (self.rows @ _unit(reading.embedding) - 1))
        ranks, suits = np.full(len(RANKS), 1e-6, np.float32), np.full(len(SUITS), 1e-6, np.float32)
        for label, alike in zip(self.labels, likeness, strict=True):
            rank, suit = _classes(label)
            ranks[rank] = max(ranks[rank], alike)
            if suit is not None:
                suits[suit] = max(suits[suit], alike)
        return msgspec.structs.replace(
            reading, ranks=_joined(reading.ranks, ranks), suits=_joined(reading.suits, suits)
        )


def _classes(label: str) -> tuple[int, int | None]:
    return (RANKS.index(JOKER), None) if label == JOKER else (RANKS.index(label[0]), SUITS.index(label[1]))


def _joined(network: Shares, deck: Shares) -> Shares:
    product = (network + 1e-4) ** (1 - _TRUST) * (deck / deck.sum() + 1e-4) ** _TRUST
    return np.asarray(product / product.sum(), np.float32)


def _unit(embedding: Shares) -> Shares:
    return np.asarray(embedding / max(float(np.linalg.norm(embedding)), 1e-6), np.float32)


def label_of(path: Path) -> str | None:
    """The card a photograph is named after.

    >>> label_of(Path("As-2.jpg")), label_of(Path("10h_dark.png")), label_of(Path("IMG_2041.jpg"))
    ('As', 'Th', None)
    """
    match = _NAME.match(path.stem)
    if match is None:
        return None
    return JOKER if match[1] is None else match[1].upper().replace("10", "T") + match[2].lower()


def learn(examples: Iterable[tuple[str, Reading]]) -> Deck:
    """A deck from indices whose names are known."""
    known = list(examples)
    if not known:
        raise FairdealError("deck learn: no index was found in the photographs; show the cards larger and sharper")
    rows = np.stack([_unit(reading.embedding) for _, reading in known]).astype(np.float16)
    return Deck(
        reader=weights.entry(READER_FILE).sha256, labels=tuple(label for label, _ in known), embeddings=rows.tobytes()
    )


def save(deck: Deck, path: Path) -> None:
    """Write the deck to a small file."""
    path.write_bytes(msgspec.msgpack.encode(deck))


def load(path: Path) -> Deck:
    """The deck in a file; it must have been learnt with the weights that are in use."""
    try:
        deck = msgspec.msgpack.decode(path.read_bytes(), type=Deck)
    except OSError as error:
        raise FairdealError(f"{path}: {error.strerror}; make it with «fairdeal deck learn»") from error
    except msgspec.DecodeError as error:
        raise FairdealError(f"{path}: not a learnt deck ({error}); make it with «fairdeal deck learn»") from error
    if deck.reader != weights.entry(READER_FILE).sha256:
        raise FairdealError(f"{path}: learnt with other weights; run «fairdeal deck learn» again")
    return deck
