"""A legal round is declared void at some moment and everybody gets his stake back: nobody is accused of anything."""

import random
from collections import Counter

import pytest

from auditor import log
from auditor.places import OFF_TABLE
from datasets.dealers import DEALERS
from datasets.simulate import dealer_for
from playing import answers, breaches

GAMES = sorted(dealer.rulebook for dealer in DEALERS)
Events = list[log.AnyEvent]


def called_off(before: Events, part: Events, t: float) -> Events:
    """The dealer declares the round void, stakes go back to where they came from, the cards are collected."""
    standing = {(each.at, each.colour): each.amount for each in (*before, *part) if isinstance(each, log.Chips)}
    bets = Counter({at.partition("/")[0]: amount for (at, _), amount in standing.items() if at.endswith("/bet")})
    stacks = {at.partition("/")[0]: amount for (at, _), amount in standing.items() if at.endswith("/stack")}
    events: Events = [log.Call(t=t, what="void", by="dealer")]
    for (at, colour), amount in standing.items():
        if amount and "/" in at and not at.endswith("/stack"):
            events.append(log.Chips(t=t, at=at, colour=colour, amount=0, by="dealer" if stacks else "player"))
    for box, stack in stacks.items():
        if bets[box]:
            events.append(log.Chips(t=t, at=f"{box}/stack", amount=stack + bets[box], by="dealer"))
    places = {each.at for each in part if isinstance(each, log.Card | log.Tile)}
    places |= {each.to for each in part if isinstance(each, log.Gone) and each.to is not None}
    return [*events, *(log.Gone(t=t, at=place, to="discard") for place in sorted(places - {*OFF_TABLE}))]


@pytest.mark.parametrize("game", GAMES)
def test_def_void_a_legal_round_called_off_at_any_moment_accuses_nobody(game: str) -> None:
    for seed in range(8):
        chance, dealer = random.Random(seed), dealer_for(game, 300 + seed)
        first, second = (list(events) for events, _ in dealer.rounds(2, {}))
        kinds = (log.Card, log.Tile, log.Spin)
        begun = next(n for n, each in enumerate(second) if isinstance(each, kinds) and not _is_aside(each))
        paid = (n for n, each in enumerate(second) if n > begun and isinstance(each, log.Chips) and each.by == "dealer")
        settled = next(paid, len(second))
        last = min(begun + 4, settled) if seed % 2 else settled  # every other one is hardly begun
        part = second[: chance.randint(begun + 1, last)]
        events = [*first, *part, *called_off(first, part, part[-1].t + 1)]
        rounds = answers(log.log_bytes(dealer.header(), events))
        assert breaches(rounds) == [], seed
        assert rounds[-1]["status"] == "void"


def _is_aside(event: log.AnyEvent) -> bool:
    return isinstance(event, log.Card) and event.at in OFF_TABLE
