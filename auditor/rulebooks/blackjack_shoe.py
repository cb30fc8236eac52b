"""Blackjack's shoe: cards drawn in error (14.2), and the shuffle that follows the cutting card (5.4)."""

from collections.abc import Iterator

from auditor import log
from auditor.deal_checks import shuffle_missing
from auditor.findings import Finding
from auditor.places import OFF_TABLE
from auditor.rounds import Round
from auditor.rulebooks.blackjack_deal import BlackjackHouse


def drawn_in_error(round: Round) -> Iterator[Finding]:
    """14.2: a card drawn in error is the next card; one that was burnt stays out."""
    aside = round.off_table or (round.previous is not None and round.previous.off_table)
    if not aside and log.Gone not in [type(round.events[slot.n]) for slot in round.slots]:
        return
    before = round.previous.events if round.previous is not None else []
    at_shoe: list[str] = []
    burnt: list[str] = []
    for n, event in enumerate((*before, *round.events), start=-len(before)):
        if isinstance(event, log.Gone) and event.at == "shoe":
            del at_shoe[: event.n or len(event.cards or at_shoe)]
        elif isinstance(event, log.Gone) and event.at in ("burn", "discard") and event.to not in (None, *OFF_TABLE):
            back = next((text for text in event.cards or burnt if text in burnt), None)
            if n >= 0 and back is not None:
                yield Finding(
                    kind="deal.burn", rule="14.2", t=event.t, at=event.to, observed=back,
                    message=f"{back} had been burnt and stays out, but it came to {event.to}.",
                )
        elif isinstance(event, log.Card) and event.at in ("burn", "discard"):
            burnt.append(event.card)
        elif isinstance(event, log.Card) and event.at == "shoe":
            at_shoe.append(event.card)
        elif isinstance(event, log.Turn) and event.at == "shoe" and event.up and "??" in at_shoe:
            at_shoe[at_shoe.index("??")] = event.card or "??"
        elif isinstance(event, log.Card) and at_shoe and event.at not in OFF_TABLE:
            due = at_shoe.pop(0)
            if n >= 0 and not _may_be(due, event.card):
                yield Finding(
                    kind="deal.order", rule="14.2", t=event.t, at=event.at, expected=due, observed=event.card,
                    message=f"{due} had been drawn in error and is the next card, but {event.at} got {event.card}.",
                )


def _may_be(first: str, second: str) -> bool:
    """Whether two readings can be of one card.

    >>> _may_be("A?", "As"), _may_be("??", "As"), _may_be("Ah", "As")
    (True, True, False)
    """
    return all("?" in pair or pair[0] == pair[1] for pair in zip(first, second, strict=False))


def shuffle_findings(round: Round, house: BlackjackHouse) -> list[Finding]:
    """5.4: a shuffle follows the cutting card; 20.1 waives it for an automated shuffling shoe."""
    if house.shoe == "auto":
        return []
    opened_n = round.opened_n or 0
    kinds = set(map(type, round.events[:opened_n]))
    if log.Shuffle in kinds:
        return []
    if log.CuttingCard in kinds and log.Cut not in kinds:  # after a cut, the cutting card was seen going in
        message = "The cutting card came first, but the cards were not shuffled before the deal."
        hidden = any(gap.n < opened_n for gap in round.gaps)
        return [] if hidden else [Finding(kind="shuffle.missing", rule="5.4", t=round.opened, message=message)]
    before = round.previous
    if before is None or before.opened_n is None:
        return []
    if log.CuttingCard in set(map(type, before.events[before.opened_n :])):
        return shuffle_missing(round, "5.4", "after the round in which the cutting card came")
    return []
