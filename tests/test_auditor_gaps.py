"""The view is lost while legal rounds are played: whatever went unseen, nobody is accused."""

import io
import random

import pytest

from auditor import log
from auditor.audit import audit
from auditor.findings import AuditedRound
from datasets.dealers import DEALERS
from datasets.simulate import dealer_for
from playing import breaches, play, unsure

GAMES = sorted(dealer.rulebook for dealer in DEALERS)
GAPS_S = (2.0, 5.0, 15.0, 40.0, 90.0)


def interrupted(game: str, seed: int) -> list[AuditedRound]:
    """Four legal rounds, of which everything in one stretch of time went unseen."""
    chance, dealer = random.Random(seed), dealer_for(game, seed)
    events = [event for round_events, _ in dealer.rounds(4, {}) for event in round_events]
    lost = round(chance.uniform(events[0].t, events[-1].t), 2)
    back = lost + chance.choice(GAPS_S)
    before, after = [e for e in events if e.t < lost], [e for e in events if e.t >= back]
    seen = [*before, log.Feed(t=lost, state="lost"), log.Feed(t=back, state="back"), *after]
    return list(audit(io.BytesIO(log.log_bytes(dealer.header(), seen)), game).rounds)


@pytest.mark.parametrize("game", GAMES)
def test_no_gap_in_a_legal_game_accuses_anybody(game: str) -> None:
    for seed in range(1000, 1020):
        accused = [(each.kind, each.at, each.t) for answer in interrupted(game, seed) for each in answer.findings
                   if each.verdict == "breach"]  # fmt: skip
        assert accused == [], seed


WON = "chips box1/main 10 player\ncard box1 Ts\ncard dealer 7c\ncard box1 9h\ncard dealer Td\n"
PAID, SHORT = "chips box1/main 20 dealer\n", "chips box1/main 15 dealer\n"
CLEARED = "chips box1/main 0 player\ngone box1\ngone dealer\n"


def test_a_gap_s_shadow_ends_when_the_table_was_seen_cleared() -> None:
    """The round after an interrupted one proves again, once the interrupted one was seen to its end."""
    rounds = play("act-blackjack", WON + "feed lost\nfeed back\n" + PAID + CLEARED + WON + SHORT + CLEARED)
    assert breaches(rounds) == [("payout.short", "box1/main")]
    never_cleared = play("act-blackjack", WON + "feed lost\nfeed back\ncall no_more_bets\n" + WON + SHORT + CLEARED)
    assert breaches(never_cleared) == []
    assert any(kind.startswith("payout") for kind, _ in unsure(never_cleared))
