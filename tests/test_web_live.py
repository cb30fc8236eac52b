"""What comes without a reload, saved filters, the casino's clock, and log-ins counted over a restart."""

import json
import zoneinfo
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from flask import Flask
from playing import SHORT, written
from rooms import furnish, keep, opened
from sites import browser, csrf, log_in, site

from auditor.feeds import Beat, beat
from web.app import create_app
from web.attempts import BY_NAME, allow


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return site(tmp_path)


def news(stream: Iterator[bytes]) -> dict[str, object]:
    """The next message of an event stream."""
    for part in stream:
        if part.startswith(b"data: "):
            told: dict[str, object] = json.loads(part[6:])
            return told
    raise AssertionError("the stream ended")


def test_whoever_listens_hears_what_was_kept_decided_and_lost(app: Flask, tmp_path: Path) -> None:
    answer = browser(app, "viewer").get("/live")
    assert answer.mimetype == "text/event-stream"
    stream = iter(answer.response)
    first = news(stream)  # type: ignore[arg-type]
    assert first["down"] == []
    with opened(tmp_path) as store:
        keep(store, written("act-blackjack", SHORT * 3))
    second = news(stream)  # type: ignore[arg-type]
    assert second["room"] != first["room"]
    with opened(tmp_path) as store:
        beat(store, Beat(table="T-1", camera="table", rulebook="act-blackjack", state="lost"))
    assert news(stream)["down"] == [["T-1", "table", "lost"]]  # type: ignore[arg-type]
    answer.close()


def test_who_logs_out_hears_nothing_more(app: Flask, tmp_path: Path) -> None:
    client = browser(app, "viewer")
    answer = client.get("/live")
    stream = iter(answer.response)
    news(stream)  # type: ignore[arg-type]
    client.post("/logout", data={"csrf": csrf(client.get("/queue"))})
    with opened(tmp_path) as store:
        keep(store, written("act-blackjack", SHORT * 3))
    with pytest.raises(AssertionError, match="ended"):
        news(stream)  # type: ignore[arg-type]
    answer.close()


def test_rows_come_alone_for_a_page_that_is_open(app: Flask) -> None:
    text = browser(app, "viewer").get("/queue?rows&verdict=breach").text
    assert text.count("<li data-run=") == 3
    assert "<html" not in text
    assert 'data-count="3 open"' in text


def test_filters_are_saved_per_person_and_forgotten(app: Flask) -> None:
    reviewer = browser(app, "reviewer")
    values = {"csrf": csrf(reviewer.get("/queue")), "name": "Unsure <b>", "verdict": "unsure", "state": "open"}
    assert reviewer.post("/queue/filters", data=values).location == "/queue?state=open&verdict=unsure"
    assert "Unsure &lt;b&gt;</a>" in reviewer.get("/queue").text
    assert "Unsure &lt;b&gt;" not in browser(app, "viewer").get("/queue").text
    assert reviewer.post("/queue/filters", data=values | {"name": " "}).status_code == 400
    reviewer.post("/queue/filters", data=values | {"forget": "1"})
    assert "Unsure &lt;b&gt;</a>" not in reviewer.get("/queue").text


def test_time_and_dealer_narrow_the_queue(tmp_path: Path) -> None:
    room = furnish(tmp_path)
    with opened(tmp_path) as store:
        keep(store, written("act-blackjack", f"dealer Kim\n{SHORT}").replace(b"2026-11-15", b"2026-11-17"))
    site(tmp_path)
    app = create_app({"ROOM": room, "KEYS": tmp_path / "keys", "ZONE": zoneinfo.ZoneInfo("Australia/Sydney")})
    client = browser(app, "viewer")

    def count(query: str) -> int:
        return client.get(f"/queue?rows&{query}").text.count("<li data-run=")

    assert count("dealer=Kim") == 1
    assert count("since=2026-11-16T00:00") == 1
    assert count("until=2026-11-15T19:59") == 0  # in the casino's zone, not in UTC
    assert count("since=2026-11-15T19:59&until=2026-11-15T20:05") == 5
    assert count("since=nonsense") == 0
    assert "20:00" in client.get("/queue?dealer=Kim").text


def test_a_restart_of_the_site_does_not_forget_who_is_guessing(app: Flask) -> None:
    for n in range(5):
        assert log_in(app.test_client(), "the admin", f"guess number {n}").status_code == 403
    again = create_app(app.config)
    assert log_in(again.test_client(), "the admin").status_code == 429


def test_attempts_are_forgiven_after_a_while(tmp_path: Path) -> None:
    furnish(tmp_path)
    with opened(tmp_path) as store:
        assert [allow(store, "kim", BY_NAME, at=t) for t in (0, 1, 2, 3, 4, 5, 302)] == [True] * 5 + [False, True]


def test_the_wall_tells_which_camera_is_in_trouble(app: Flask, tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        live = Beat(table="T-1", camera="table", rulebook="act-blackjack", state="live", fps=25.0)
        beat(store, live)
        assert "<strong>live</strong>" in browser(app, "viewer").get("/tables").text
        beat(store, msgspec.structs.replace(live, at=0.0))
    assert "<strong>silent</strong>" in browser(app, "viewer").get("/tables").text
