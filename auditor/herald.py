"""The herald of a watched table: reads its log as it grows, and tells people of a breach as soon as it is proved."""

from collections.abc import Callable
from typing import BinaryIO, cast

from auditor.alerts import Alert, Alerts
from auditor.audit import rules_of
from auditor.early import Judged, judged_early
from auditor.findings import Finding
from auditor.live_log import Tail
from auditor.log_reader import LogReader

AT_THE_END = ("payout.missed",)
"""What was not paid can still be paid until the next round begins."""


class Herald:
    """One table's. A finding is told once; one that what follows takes back is taken back."""

    def __init__(
        self, table: str, alerts: Alerts, tell: Callable[[str], None], *, started_at: float, tells_unsure: bool,
        run: Callable[[], int],
    ) -> None:  # fmt: skip
        self._table, self._alerts, self._tell, self._run = table, alerts, tell, run
        self._started_at, self._tells_unsure = started_at, tells_unsure
        self._round = 0
        self._told: dict[tuple[str, str | None, str | None], Finding] = {}

    def follow(self, tail: Tail, name: str) -> None:
        """Read the log to its end."""
        reader = LogReader(cast(BinaryIO, tail), name)
        game, house = rules_of(reader.header, name)
        for judged in judged_early(reader, game, house):
            self._judge(judged, game.citation, self._started_at + tail.last_t)

    def _judge(self, judged: Judged, citation: str, event_at: float) -> None:
        audited = judged.audited
        if audited.number != self._round:
            self._round, self._told = audited.number, {}
        found = {(each.kind, each.at, each.colour): each for each in audited.findings if self._counts(each)}
        for key, finding in found.items():
            is_due = judged.is_closed or finding.kind not in AT_THE_END
            if is_due and key not in self._told:
                self._told[key] = finding
                self._proclaim(finding, citation, event_at)
        if judged.is_final:
            for key, finding in self._told.items():
                if key not in found:
                    self._take_back(finding, event_at)

    def _counts(self, finding: Finding) -> bool:
        return finding.verdict == "breach" or self._tells_unsure

    def _proclaim(self, finding: Finding, citation: str, event_at: float) -> None:
        self._tell(f"round {self._round}: {finding.kind}: {finding.message}")
        self._alerts.put(
            Alert(
                what="breach" if finding.verdict == "breach" else "unsure", table=self._table, run=self._run(),
                round=self._round, kind=finding.kind, rule=f"{citation} {finding.rule}", at=finding.at, t=finding.t,
                event_at=round(event_at, 3), message=finding.message,
            )
        )  # fmt: skip

    def _take_back(self, finding: Finding, event_at: float) -> None:
        message = f"Taken back, the table has put it right: {finding.message}"
        self._tell(f"round {self._round}: {finding.kind}: {message}")
        self._alerts.put(
            Alert(
                what="taken back", table=self._table, run=self._run(), round=self._round, kind=finding.kind,
                at=finding.at, t=finding.t, event_at=round(event_at, 3), message=message,
            )
        )  # fmt: skip
