"""The readable report: what it shows, and what the money comes to."""

import io

import pytest
from playing import written

from auditor.audit import audit
from auditor.report import Totals, report

ROUND = """
    chips box1/main 10 player
    card box1 Ts
    card dealer {up}
    card box1 9d
    card dealer 8c
    {settlement}
    gone box1
    gone dealer
"""


def lines_of(up: str, *settlement: str) -> tuple[list[str], Totals]:
    table_log = written("act-blackjack", ROUND.format(up=up, settlement="\n".join(settlement)))
    audited, totals = audit(io.BytesIO(table_log), "night.jsonl"), Totals()
    return list(report(audited.header, audited.game.citation, "night.jsonl", audited.rounds, totals)), totals


def test_a_right_round_is_only_counted() -> None:
    lines, totals = lines_of("9c", "chips box1/main 20 dealer", "chips box1/main 0 player")
    assert lines == [
        "T-1 · act-blackjack · 2026-11-15 20:00 · night.jsonl",
        "  1 round (1 complete), 0 breaches, 0 unsure",
    ]
    assert totals.breaches == 0


def test_a_finding_shows_round_clock_clause_and_sentence() -> None:
    lines, _ = lines_of("9c", "chips box1/main 15 dealer", "chips box1/main 0 player")
    assert lines[1:4] == [
        "  round 1 · 20:00:02 · complete · box1 T♠ 9♦ · dealer 9♣ 8♣",
        "    ✗ payout.short         box1/main    19 beats 17 and pays 1 to 1: 10.00 is due on 10.00, 5.00 was paid.",
        "      20:00:07, rule NI2002-45 Blackjack 13.2(b)",
    ]
    assert lines[-1] == "  players underpaid 5.00, overpaid 0.00"


@pytest.mark.parametrize(
    ("up", "settlement", "underpaid", "overpaid"),
    [
        ("9c", ["chips box1/main 0 dealer"], 2000, 0),  # a winner's stake taken: the stake and what was due on it
        ("Ac", ["chips box1/main 20 dealer", "chips box1/main 0 player"], 0, 1000),  # a stand-off paid as a win
        ("Kc", ["chips box1/main 0 player"], 1000, 0),  # 19 against 18 went unpaid
        ("Ac", ["chips box1/main 0 dealer"], 1000, 0),  # 19 against 19: the stand-off's stake
    ],
)
def test_the_money_wrongly_kept_or_given(up: str, settlement: list[str], underpaid: int, overpaid: int) -> None:
    _, totals = lines_of(up, *settlement)
    assert (totals.underpaid, totals.overpaid) == (underpaid, overpaid)
