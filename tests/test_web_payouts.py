"""The pit manager's page: mistakes and money by table and hour and by dealer, without what was dismissed."""

import csv
import io
import re
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playing import GOOD, SHORT, written
from rooms import keep, opened
from sites import PASSWORD, browser, log_in, site

from auditor.schema_sql import SHIFTS
from auditor.verify import verify
from web.people import accept, invite

OVER = GOOD.replace("chips box1/main 20 dealer", "chips box1/main 27 dealer")
LATER = b"2026-11-16T01:30:00+11:00"  # the same gaming day


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    made = site(tmp_path)
    with opened(tmp_path) as store:
        keep(store, written("act-blackjack", f"dealer Kim\n{OVER}").replace(b"2026-11-15T20:00:00+11:00", LATER))
        accept(store, invite(store, "viewer", "fairdeal", ["T-8"]), "elsewhere", PASSWORD)
    return made


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return browser(app, "viewer")


def cells(page: str, table: str = "T-1") -> dict[str, str]:
    """The hours of a table, with what stands in them."""
    hours = re.findall(r"from </span>(\d\d)</th>", page)
    row = re.search(rf">{table}</a>.*?</tr>", page, re.S)
    assert row, page
    found = [re.sub(r"<span class=\"unseen\">.*?</span>|<[^>]+>|\s", "", cell) for cell in row[0].split("<td")[1:]]
    return dict(zip(hours, [cell.partition(">")[2] for cell in found], strict=False))


def test_money_stands_in_its_hour_on_the_casino_s_clock(client: FlaskClient) -> None:
    page = client.get("/payouts").text
    assert "Sunday 15 November 2026, 06:00 to 06:00" in page  # half past one belongs to the evening before
    assert cells(page) == {"20": "▼15", "21": "", "22": "", "23": "", "00": "", "01": "▲7"}
    numbers = dict(re.findall(r"<dt>([^<]+)</dt><dd[^>]*>([^<]+)</dd>", page))
    assert numbers["Players overpaid"] == "7.00"
    assert numbers["Players underpaid"] == "15.00"
    assert numbers["Rounds"] == "7"


def test_a_day_leaves_as_a_spreadsheet_hour_by_hour(client: FlaskClient) -> None:
    answer = client.get("/payouts.csv?day=2026-11-15")
    assert answer.mimetype == "text/csv"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="payouts-2026-11-15.csv"'
    rows = [row for row in csv.DictReader(io.StringIO(answer.text)) if row["table"] == "T-1"]
    assert [(row["from"], row["overpaid"], row["underpaid"]) for row in rows] == [
        ("2026-11-15T20:00:00", "0.00", "15.00"), ("2026-11-16T01:00:00", "7.00", "0.00"),
    ]  # fmt: skip
    assert rows[1]["rounds"] == rows[1]["breaches"] == "1"


def test_a_spreadsheet_takes_no_table_s_name_for_a_formula(app: Flask, tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        keep(store, written("act-blackjack", SHORT).replace(b'"T-1"', b'"=HYPERLINK(1)"'))
    assert "\n'=HYPERLINK(1),act-blackjack," in browser(app, "viewer").get("/payouts.csv").text.replace("\r", "")


def test_an_hour_leads_to_its_findings_in_the_queue(client: FlaskClient) -> None:
    found = re.search(r'href="(/queue\?[^"]+)" title="1 rounds', client.get("/payouts").text)
    assert found
    assert client.get(found[1].replace("&amp;", "&") + "&rows").text.count("<li data-run=") == 1


def test_dealers_are_told_apart_where_the_log_names_them(client: FlaskClient) -> None:
    for path in ("/payouts", "/table?name=T-1&game=act-blackjack"):
        assert re.search(r">Kim</a></td>\s*<td class=\"end\">1</td>", client.get(path).text), path


def test_another_day_is_empty_and_says_so(client: FlaskClient) -> None:
    assert "Nothing was played on this day" in client.get("/payouts?day=2026-11-14").text
    for day in ("nonsense", "0001-01-01", "9999-12-31", "2026-02-31"):
        assert "15 November 2026" in client.get(f"/payouts?day={day}").text, day


def test_who_is_kept_to_other_tables_learns_nothing_here_or_from_the_filters(app: Flask) -> None:
    client = app.test_client()
    assert log_in(client, "elsewhere").status_code == 303
    for path in ("/payouts", "/payouts?day=2026-11-15", "/payouts.csv", "/queue"):
        page = client.get(path).text
        assert not [name for name in ("T-1", "Kim", "payout · short") if name in page], path


def test_what_is_dismissed_is_held_against_nobody_until_that_is_undone(
    app: Flask, client: FlaskClient, tmp_path: Path
) -> None:
    before = client.get("/payouts").text
    with opened(tmp_path) as store:
        decided = store.decide(4, 1, who="the reviewer", decision="dismiss", seen=0)
    assert cells(client.get("/payouts").text)["01"] == ""
    assert "<dt>Players overpaid</dt><dd>0.00</dd>" in client.get("/table?name=T-1&game=act-blackjack").text
    with opened(tmp_path) as store:
        assert store.verify() == []
        store.decide(4, 1, who="the reviewer", decision="undo", seen=decided.id)
        assert store.verify() == []
    assert cells(client.get("/payouts").text) == cells(before)


def test_counts_that_were_changed_are_found(app: Flask, tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        store.db.conn.execute("UPDATE shifts SET overpaid = 0 WHERE dealer = 'Kim'")
        store.db.conn.commit()
        assert [fault.where for fault in verify(store.db.conn, store.keys)] == ["run 4"]


def test_a_room_of_an_older_version_is_counted_when_it_is_brought_up_to_date(tmp_path: Path) -> None:
    """The counts made at once for what was kept before are those that the triggers would have made."""
    with opened(tmp_path) as store:
        keep(store, written("act-blackjack", f"dealer Kim\n{SHORT + OVER + SHORT}"))
        store.decide(1, 2, who="somebody", decision="dismiss", seen=0)
        connection = store.db.conn
        kept = [connection.execute(f"SELECT * FROM {table}").fetchall() for table in ("shifts", "tallies")]
        for name in ("rounds_shift", "findings_shift", "reviews_dismiss"):
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("DROP VIEW round_shifts")
        connection.execute("DROP TABLE shifts")
        connection.execute("UPDATE tallies SET breaches = 1, overpaid = 700 WHERE kind = 'payout.over'")
        connection.executescript(SHIFTS)
        assert kept == [connection.execute(f"SELECT * FROM {table}").fetchall() for table in ("shifts", "tallies")]
