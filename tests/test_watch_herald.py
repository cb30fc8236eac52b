"""When people are told of a breach: as soon as the round is over, and not of what the table still puts right."""

import io
from pathlib import Path

from playing import GOOD, SHORT, written

from auditor.alerts import Alert, Alerts
from auditor.audit import rules_of
from auditor.early import judged_early
from auditor.herald import Herald
from auditor.live_log import LiveLog, Tail
from auditor.log_reader import LogReader


class Heard(Alerts):
    """Alerts that go nowhere."""

    def __init__(self) -> None:
        super().__init__([], print)
        self.told: list[tuple[str, str | None, float | None]] = []

    def put(self, alert: Alert) -> None:
        self.told.append((alert.what, alert.kind, alert.event_at))


def heard(script: str, tmp_path: Path) -> tuple[list[tuple[str, str | None, float | None]], list[float]]:
    """What is told of a log, with the second it is told at; and when the events were."""
    content = written("act-blackjack", script)
    path = tmp_path / "log.jsonl"
    path.unlink(missing_ok=True)
    reader = LogReader(io.BytesIO(content), "log")
    events = list(reader)
    log = LiveLog(path, reader.header)
    log.append(events)
    log.close()
    alerts = Heard()
    tail = Tail(log)
    Herald("T", alerts, lambda line: None, started_at=0.0, tells_unsure=False, run=lambda: 1).follow(tail, "log")
    tail.close()
    return alerts.told, [event.t for event in events]


def test_a_breach_is_told_when_the_cards_are_gone_and_not_when_the_next_round_begins(tmp_path: Path) -> None:
    told, times = heard(SHORT + GOOD, tmp_path)
    assert told == [("breach", "payout.short", times[len(times) // 2 - 1])]


def test_what_was_not_paid_may_still_be_paid(tmp_path: Path) -> None:
    paid_late = """
        chips box1/main 10 player
        card box1 Ts
        card dealer 9c
        card box1 9d
        card dealer 8c
        gone box1
        gone dealer
        chips box1/main 20 dealer
    """
    assert heard(paid_late + GOOD, tmp_path)[0] == []
    late_short = paid_late.replace("20 dealer", "15 dealer") + "\nchips box1/main 20 dealer\n"
    assert [what[:2] for what in heard(late_short + GOOD, tmp_path)[0]] == [
        ("breach", "payout.short"), ("taken back", "payout.short")
    ]  # fmt: skip


def test_what_takes_very_many_readings_to_prove_is_told_when_the_round_is_closed(tmp_path: Path) -> None:
    def script(weak: str) -> str:
        """No shuffle follows the cutting card: so it is whatever the cards of the second round were."""
        return GOOD.replace("card dealer 9c", "cutting_card\n    card dealer 9c") + f"""
            chips box1/main 10 player
            card box1 8s {weak}
            card dealer 9c
            card box1 3s {weak}
            card box1 9s {weak}
            card dealer 8c
            chips box1/main 20 dealer
            chips box1/main 0 player
            gone box1
            gone dealer
        """

    def closings(table_log: str) -> int:
        reader = LogReader(io.BytesIO(written("act-blackjack", table_log)), "log")
        return sum(judged.is_closed for judged in judged_early(reader, *rules_of(reader.header, "log")))

    assert closings(script("")) == 2  # each round once
    assert closings(script("conf=0.3")) == 3  # the second one again, for all its readings
    over = 19  # the second round's last event
    (at_once,), times = heard(script("") + "\nshuffle\n" + GOOD, tmp_path)
    assert at_once == ("breach", "shuffle.missing", times[over])
    (later,), times = heard(script("conf=0.3") + "\nshuffle\n" + GOOD, tmp_path)
    assert later == ("breach", "shuffle.missing", times[over + 1])
