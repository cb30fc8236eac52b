"""The dealers and the auditor keep each other honest: neither was written from the other."""

import io

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from auditor.audit import audit
from auditor.findings import KINDS
from auditor.log import FairdealError, log_bytes
from auditor.log_reader import LogReader
from auditor.boundaries import split
from auditor.rounds import Round
from auditor.rulebooks import RULEBOOKS
from datasets.dealer import Dealer, reason_why_not
from datasets.dealers import DEALERS
from datasets.demo import demo_log, demo_logs
from datasets.simulate import dealer_for, parse_errors, played
from datasets.trial import try_dealer

BY_RULEBOOK = pytest.mark.parametrize("dealer", DEALERS, ids=lambda dealer: dealer.rulebook)
KIND_OF = [(dealer, kind) for dealer in DEALERS for kind in dealer.mistakes]
HOUSE_BANKED = [dealer for dealer in DEALERS if "pot.winner" not in dealer.mistakes]


def test_every_rulebook_has_a_dealer() -> None:
    assert {dealer.rulebook for dealer in DEALERS} == set(RULEBOOKS)


@BY_RULEBOOK
def test_legal_rounds_give_no_breach(dealer: type[Dealer]) -> None:
    assert try_dealer(dealer, 150, seed=11).disagreements == []


@pytest.mark.parametrize(("dealer", "kind"), KIND_OF, ids=lambda value: getattr(value, "rulebook", value))
def test_a_seeded_mistake_is_found_at_its_place_and_nothing_else(dealer: type[Dealer], kind: str) -> None:
    trial = try_dealer(dealer, 16, {kind: 5}, seed=12)
    assert trial.seeded == 5
    assert trial.disagreements == []


@BY_RULEBOOK
def test_every_kind_is_seeded_or_has_a_reason_why_not(dealer: type[Dealer]) -> None:
    assert set(dealer.mistakes) <= set(KINDS)
    excused = {kind for kind in KINDS if reason_why_not(dealer, kind)}
    assert not set(dealer.mistakes) & excused
    assert set(KINDS) - set(dealer.mistakes) - excused == set()


@BY_RULEBOOK
def test_the_same_seed_deals_the_same_events(dealer: type[Dealer]) -> None:
    assert played(dealer(3), 10, {}) == played(dealer(3), 10, {})
    assert played(dealer(3), 10, {})[0] != played(dealer(4), 10, {})[0]


@pytest.mark.parametrize("dealer", HOUSE_BANKED, ids=lambda dealer: dealer.rulebook)
def test_every_chip_the_dealer_moves_is_accounted_for(dealer: type[Dealer]) -> None:
    """Results alone must explain the house's net outgo: what was due on wins less what was lost."""
    table_log, _ = played(dealer(21), 60, {})
    reader = LogReader(io.BytesIO(table_log), "")
    game = RULEBOOKS[dealer.rulebook]
    moved = [_dealer_net(each) for each in split(reader, game.boundary, 0.9, game.readings) if game.printed(each)]
    owed = [
        sum((wager.due or 0) - (wager.stake if wager.result == "lose" else 0) for wager in each.wagers)
        for each in audit(io.BytesIO(table_log), "").rounds
    ]
    assert moved == owed


def _dealer_net(seen: Round) -> int:
    return sum(
        change.rise
        for ledger in seen.chips.values()
        if not ledger.at.startswith(("rack", "drop"))
        for change in ledger.changes
        if change.by == "dealer"
    )


@st.composite
def disturbed_logs(draw: st.DrawFn) -> bytes:
    """A simulated log with lines dropped, doubled, cut off or put in another order."""
    dealer = draw(st.sampled_from(DEALERS))
    table_log, _ = played(dealer(draw(st.integers(0, 3))), 3, {})
    reader = LogReader(io.BytesIO(table_log), "")
    events = list(reader)
    chance = draw(st.randoms(use_true_random=False))
    how = draw(st.sampled_from(["cut", "drop", "double", "shuffle", "swap"]))
    if how == "cut":
        events = events[: chance.randrange(len(events) + 1)]
    elif how == "drop":
        events = [event for event in events if chance.random() > 0.2]
    elif how == "double":
        events = [event for event in events for _ in range(2 if chance.random() < 0.2 else 1)]
    elif how == "shuffle":
        chance.shuffle(events)
    else:
        for _ in range(10):
            here = chance.randrange(len(events) - 1)
            events[here], events[here + 1] = events[here + 1], events[here]
    return log_bytes(reader.header, [msgspec.structs.replace(event, t=float(t)) for t, event in enumerate(events)])


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(disturbed_logs())
def test_no_disturbed_log_makes_the_auditor_stumble(table_log: bytes) -> None:
    for each in audit(io.BytesIO(table_log), "disturbed").rounds:
        assert each.status in ("complete", "void", "misdeal", "unfinished")
        assert {finding.kind for finding in each.findings} <= set(KINDS)


def test_a_truncated_legal_log_is_no_breach() -> None:
    for dealer in DEALERS:
        table_log, _ = played(dealer(5), 2, {})
        lines = table_log.splitlines(keepends=True)
        for end in range(1, len(lines), 3):
            audited = audit(io.BytesIO(b"".join(lines[:end])), "cut")
            assert [f for each in audited.rounds for f in each.findings if f.verdict == "breach"] == [], (dealer, end)


def test_the_shipped_logs_are_what_the_dealers_deal() -> None:
    assert {path.stem for path in demo_logs()} == {dealer.rulebook for dealer in DEALERS}
    for number, dealer in enumerate(DEALERS):
        path = next(path for path in demo_logs() if path.stem == dealer.rulebook)
        assert path.read_bytes() == demo_log(number), "run `make docs`"


def test_errors_that_cannot_be_are_refused() -> None:
    with pytest.raises(FairdealError, match="not KIND=N"):
        parse_errors("payout.short")
    with pytest.raises(FairdealError, match="no such kind"):
        played(dealer_for("act-blackjack", 1), 5, {"payout.weird": 1})
    with pytest.raises(FairdealError, match="only 2 rounds"):
        played(dealer_for("act-blackjack", 1), 2, {"payout.short": 3})
    with pytest.raises(FairdealError, match="nobody deals"):
        dealer_for("act-whist", 1)
