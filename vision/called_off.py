"""Rounds called off: a word that nobody hears, told by what follows it. All players take their stakes back.

Who has cards that nobody turned takes nothing back while they lie, unless the round does not count. Once the dealer has
moved chips, the round is being settled.
"""

from dataclasses import dataclass

from auditor.log import Call
from vision.table_cards import CardTable
from vision.table_chips import ChipTable
from vision.writer import Evidence, WaitingRoom

UNHEARD_CONF = 0.5
JUST_BEFORE_S = 0.1


@dataclass(slots=True, kw_only=True)
class CalledOffMemory:
    """Since when players have taken stakes back in this round, and whether it can have been called off unheard."""

    since: float | None = None
    is_settled: bool = False


class CalledOff:
    """`word`: what is said (a `call`) when a round is called off; None where stakes are taken back for other reasons
    too."""

    def __init__(self, word: str | None, cards: CardTable, chips: ChipTable, room: WaitingRoom) -> None:
        self.memory = CalledOffMemory()
        self._word, self._cards, self._chips, self._room = word, cards, chips, room

    def changed(self, place: str, before: int, evidence: Evidence) -> None:
        """The chips of a spot were read again; `before` is how much stood there, in cents."""
        after = sum(self._chips.standing(place).values())
        if not self._cards.is_dealt:
            self.memory = CalledOffMemory()
        if self._word is None or after == before or not self._cards.is_dealt or self.memory.is_settled:
            return
        if evidence.by != "player":
            self.memory.is_settled = True
        elif not after and self.memory.since is None:
            self.memory.since = evidence.t
        if self.memory.since is not None and not self.memory.is_settled and self._is_all_taken():
            self.memory.is_settled = True
            t = round(self.memory.since - JUST_BEFORE_S, 3)
            call = Call(what=self._word, t=t, by="dealer", conf=UNHEARD_CONF, cam=evidence.cam, frame=evidence.frame)
            self._room.add(call)

    def _is_all_taken(self) -> bool:
        """Whether no wager stands any more, and somebody's cards lie as they came."""
        is_standing = any(
            amounts for place, amounts in self._chips.memory.standing.items() if place.startswith("box")
        )
        cards = [piece for box in self._cards.holders for piece in self._cards.lying(box)]
        return not is_standing and any(not piece.up for piece in cards)
