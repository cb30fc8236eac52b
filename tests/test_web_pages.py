"""The pages: what a reviewer sees and decides, and what does not get through to him."""

import io
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playing import SHORT, written
from rooms import UNREAD, keep, opened
from sites import browser, csrf, site

from datasets.demo import demo_logs

SCRIPT = '<script>alert("x")</script>'


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return site(tmp_path)


@pytest.fixture
def reviewer(app: Flask) -> FlaskClient:
    return browser(app, "reviewer")


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    """For tests that only look: one site for all of them."""
    return browser(site(tmp_path_factory.mktemp("read")), "reviewer")


def rows(text: str) -> list[tuple[int, int]]:
    """The findings a queue lists: run and number."""
    return [(int(run), int(n)) for run, n in re.findall(r'<li data-run="(\d+)" data-n="(\d+)"', text)]


def post(client: FlaskClient, path: str, **values: str) -> tuple[int, dict[str, object]]:
    data = {"csrf": csrf(client.get("/queue")), "seen": "0"} | values
    answer = client.post(path, data=data, headers={"Accept": "application/json"})
    return answer.status_code, answer.get_json()


# ---- the queue -----------------------------------------------------------------------------------------------------


def test_the_worst_come_first_and_among_them_the_newest(reader: FlaskClient) -> None:
    listed = rows(reader.get("/queue").text)
    assert listed[:3] == [(1, 1), (2, 2), (2, 1)] or listed[:3] == [(2, 2), (1, 1), (2, 1)]
    assert {run for run, _ in listed[3:]} == {3}  # what is unsure


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("verdict=breach", {1, 2}), ("verdict=unsure", {3}), ("kind=payout.short", {1, 2}), ("table=T-1", {1, 2, 3}),
        ("table=T-2", set()), ("game=act-blackjack&verdict=unsure", {3}), ("clause=13.2(b)", {1, 2}),
        ("state=confirmed", set()), ("state=all", {1, 2, 3}), ("state=dismissed&kind=payout.short", set()),
    ],
)  # fmt: skip
def test_filters_narrow_the_queue(reader: FlaskClient, query: str, expected: set[int]) -> None:
    assert {run for run, _ in rows(reader.get(f"/queue?{query}").text)} == expected


@pytest.mark.parametrize("field", ["table", "game", "kind", "verdict", "state", "clause", "after"])
@pytest.mark.parametrize(
    "attack", ["' OR 1=1 --", "x'); DROP TABLE findings; --", "\" UNION SELECT password", "\0", "%", f"0:0:{9**30}:0"]
)
def test_sql_in_a_filter_is_a_value_like_any_other(reader: FlaskClient, field: str, attack: str) -> None:
    answer = reader.get("/queue", query_string={field: attack})
    assert answer.status_code == 200
    assert len(rows(answer.text)) == (len(rows(reader.get("/queue").text)) if field == "after" else 0)


def test_a_long_queue_is_paged_without_losing_or_repeating_any(app: Flask) -> None:
    with opened(Path(app.config["ROOM"]).parent) as store:
        keep(store, written("act-blackjack", SHORT * 120))
        total = store.rows("SELECT count(*) FROM findings")[0][0]
    reviewer, seen, path = browser(app, "reviewer"), list[tuple[int, int]](), "/queue"
    while path:
        text = reviewer.get(path).text
        seen += rows(text)
        found = re.search(r'<a href="(/queue\?[^"]+)" rel="next"', text)
        path = found[1].replace("&amp;", "&") if found else ""
    assert len(seen) == len(set(seen)) == total > 120


# ---- deciding ------------------------------------------------------------------------------------------------------


def test_a_decision_is_stored_with_who_when_and_why(app: Flask, reviewer: FlaskClient) -> None:
    code, told = post(reviewer, "/findings/2/1/decisions", decision="confirm", note="on camera 4")
    assert (code, told["state"]) == (200, "confirmed")
    assert (2, 1) not in rows(reviewer.get("/queue").text)
    assert rows(reviewer.get("/queue?state=confirmed").text) == [(2, 1)]
    page = reviewer.get("/findings/2/1").text
    assert "the reviewer</strong> confirmed" in page
    assert "<q>on camera 4</q>" in page
    code, told = post(reviewer, "/findings/2/1/decisions", decision="undo", seen=str(told["review"]))
    assert (code, told["state"]) == (200, "open")
    with opened(Path(app.config["ROOM"]).parent) as store:
        assert [review.decision for review in store.reviews(2, 1)] == ["confirm", "undo"]
        assert store.verify() == []


def test_who_comes_second_is_told_so(app: Flask, reviewer: FlaskClient) -> None:
    post(reviewer, "/findings/1/1/decisions", decision="dismiss")
    code, told = post(browser(app, "admin"), "/findings/1/1/decisions", decision="confirm")
    assert (code, told["problem"]) == (409, "The reviewer was quicker: the finding is dismissed.")


@pytest.mark.parametrize(
    ("path", "values", "code"),
    [
        ("/findings/1/99/decisions", {"decision": "confirm"}, 404),
        ("/findings/1/1/decisions", {"decision": "delete"}, 400),
        ("/findings/1/1/decisions", {"decision": "confirm", "seen": "-1"}, 400),
        ("/findings/1/1/decisions", {"decision": "confirm", "note": "x" * 2001}, 400),
        ("/findings/1/1/decisions", {"decision": "undo"}, 409),
    ],
)
def test_a_decision_that_makes_no_sense_is_refused(
    reviewer: FlaskClient, path: str, values: dict[str, str], code: int
) -> None:
    assert post(reviewer, path, **values)[0] == code


def test_enter_in_the_note_decides_nothing(reader: FlaskClient) -> None:
    """Enter presses a form's first button; where that is disabled, nothing is sent."""
    form = reader.get("/findings/1/1").text.partition('/decisions">')[2].partition("</form>")[0]
    assert re.findall(r"<button([^>]*)>", form)[0] == " disabled hidden"


def test_it_works_without_scripts_too(reviewer: FlaskClient) -> None:
    values = {"csrf": csrf(reviewer.get("/findings/1/1")), "seen": "0", "decision": "confirm", "note": ""}
    answer = reviewer.post("/findings/1/1/decisions", data=values)
    assert (answer.status_code, answer.location) == (303, "/findings/1/1")


# ---- stored script -------------------------------------------------------------------------------------------------


def test_script_in_a_note_stays_text(reviewer: FlaskClient) -> None:
    post(reviewer, "/findings/1/1/decisions", decision="confirm", note=SCRIPT)
    text = reviewer.get("/findings/1/1").text
    assert SCRIPT not in text
    assert "&lt;script&gt;" in text


def test_script_in_a_table_s_name_dealer_or_file_stays_text(app: Flask) -> None:
    header, _, rest = written("act-blackjack", f"dealer who\n{SHORT}").partition(b"\n")
    table_log = header.replace(b'"T-1"', b'"<script>alert(1)</script>../\\"T"') + b"\n" + rest
    table_log = table_log.replace(b'"who":"who"', b'"who":"<img src=x onerror=alert(1)>"')
    with opened(Path(app.config["ROOM"]).parent) as store:
        with store.keeping(io.BytesIO(table_log), f"{SCRIPT}.jsonl") as kept:
            pass
        table = store.rows("SELECT table_name FROM runs WHERE id = ?", [kept.run])[0][0]
    assert table.startswith("<script>")
    viewer = browser(app, "viewer")
    query = {"name": table, "game": "act-blackjack"}
    pages = [viewer.get(path, query_string=query) for path in ("/table", "/rounds")]
    pages += [viewer.get(path) for path in ("/queue", "/tables", f"/findings/{kept.run}/1", f"/rounds/{kept.run}/1")]
    for page in pages:
        assert page.status_code == 200
        assert "<script>alert" not in page.text
        assert "<img src=x" not in page.text
        assert re.findall(r"<script(?! type=\"module\" src=\"/static/| src=\"/static/)", page.text) == []


# ---- every page ----------------------------------------------------------------------------------------------------


class Checker(HTMLParser):
    """Counts what a page needs for people who do not see it, and what the policy would not let run."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.forbidden: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            if name == "style" or name.startswith("on") or (name in ("src", "href") and "//" in (value or "")):
                self.forbidden.append(f"{tag} {name}={value}")
            if name == "id":
                self.ids.append(value or "")


def checked(text: str) -> Checker:
    checker = Checker()
    checker.feed(text)
    return checker


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    """The site with the demo's logs in it: every game."""
    folder = tmp_path_factory.mktemp("demo")
    app = site(folder)
    with opened(folder) as store:
        for path in demo_logs():
            keep(store, path.read_bytes(), path.name)
    return browser(app, "admin")


def test_every_page_of_every_game_can_be_drawn(demo: FlaskClient) -> None:
    listed = rows(demo.get("/queue?state=all").text)
    paths = ["/queue", "/tables", "/people", *(f"/findings/{run}/{n}" for run, n in listed)]
    text = demo.get("/tables").text
    paths += [path.replace("&amp;", "&") for path in re.findall(r'href="(/table\?[^"]+)"', text)]
    paths += [f"/rounds/{run}/{n}" for run in range(4, 4 + len(demo_logs())) for n in (1, 5, 12)]
    assert len(paths) > 70
    for path in paths:
        answer = demo.get(path)
        page = checked(answer.text)
        assert answer.status_code == 200, path
        assert page.forbidden == [], path
        assert page.tags.count("main") == page.tags.count("h1") == page.tags.count("nav") == 1, path
        assert len(page.ids) == len(set(page.ids)), path


def test_a_wheel_is_judged_over_its_spins(demo: FlaskClient) -> None:
    text = demo.get("/wheel?name=RO-02&game=act-roulette").text
    assert re.search(r"<dt>Spins</dt><dd>1\d</dd>", text)
    assert "spins are too few to say whether the pockets are fair" in text
    assert text.count('class="red"') == text.count('class="black"') == 18
    assert demo.get("/wheel?name=BJ-04&game=act-blackjack").status_code == 404


def test_links_lead_somewhere(demo: FlaskClient) -> None:
    seen, waiting = set[str](), ["/queue?state=all", "/tables", "/people"]
    while waiting and len(seen) < 90:
        path = waiting.pop()
        seen.add(path)
        answer = demo.get(path, follow_redirects=True, buffered=True)
        assert answer.status_code == 200, path
        links = re.findall(r'(?:href|src)="(/[^"#]*)', answer.text)
        found = {link.replace("&amp;", "&") for link in links}
        waiting += sorted(found - seen - set(waiting))


def test_the_finding_page_shows_what_it_stands_on(reader: FlaskClient) -> None:
    text = reader.get("/findings/1/1").text
    assert "19 beats 17 and pays 1 to 1: 10.00 is due on 10.00, 5.00 was paid." in text
    assert re.search(r"<dt>Expected</dt><dd>10.00\s*</dd>", text)
    assert re.search(r"<dt>Observed</dt><dd>5.00\s*</dd>", text)
    assert "13.2(b)" in text
    assert "5.00 kept from the player" in text
    assert "20:00:16 payout.short" in text  # the moment, in the casino's own time
    assert text.count('class="tick ') == 9


def test_an_unsure_finding_names_its_reads(reader: FlaskClient) -> None:
    text = reader.get("/findings/3/1").text
    assert "Hangs on" in text
    assert "Read weakly or not at all in this round" in text


def test_only_weak_reads_are_called_so(tmp_path: Path) -> None:
    app = site(tmp_path)
    with opened(tmp_path) as store:
        weak = UNREAD.replace("card box1 Ts", "card box1 Ts conf=0.98").replace("card box1 9d", "card box1 9d conf=0.6")
        run = keep(store, written("act-blackjack", weak).replace(b'"T-1"', b'"T-2"'))
    text = browser(app, "viewer").get(f"/findings/{run}/1").text
    told = text.partition("Read weakly or not at all in this round")[2].partition("</p>")[0]
    assert "box1 9d (60 %)" in told
    assert "box1 Ts" not in told


def test_a_round_says_what_was_not_seen_of_it(reader: FlaskClient) -> None:
    assert "Nothing: the view was never lost" in reader.get("/rounds/1/1").text
    unread = reader.get("/rounds/3/1").text
    assert "card at dealer was not read" in unread
    assert "box1/main was not judged" in unread
    assert "clauses of this rulebook are held against nobody" in unread


def test_a_table_s_page_counts_findings_and_money(reader: FlaskClient) -> None:
    text = reader.get("/table?name=T-1&game=act-blackjack").text
    numbers = dict(re.findall(r"<dt>([^<]+)</dt><dd>([^<]+)</dd>", text))
    assert numbers["Rounds"] == "6"
    assert numbers["Breaches"] == "3"
    assert numbers["per 1,000 rounds"] == "500.0"
    assert numbers["Players underpaid"] == "15.00"


@pytest.mark.parametrize(
    "path",
    ["/findings/9/9", "/rounds/1/99", "/table?name=no&game=no", "/rounds?name=no", "/findings/1/x", "/../etc/passwd",
     "/findings/99999999999999999999/1"],
)  # fmt: skip
def test_what_is_not_there_is_said_so(reader: FlaskClient, path: str) -> None:
    assert reader.get(path).status_code == 404


def test_a_room_that_was_put_back_is_shown_but_not_written_to(app: Flask, tmp_path: Path) -> None:
    """An older copy of the room in its place: people can read, and every decision is refused with the reason."""
    room = Path(app.config["ROOM"])
    reviewer = browser(app, "reviewer")
    with opened(room.parent) as store:
        store.db.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    older = room.read_bytes()
    assert post(reviewer, "/findings/1/1/decisions", decision="confirm")[0] == 200
    for path in room.parent.glob("room.db-*"):
        path.unlink()
    room.write_bytes(older)
    assert reviewer.get("/queue").status_code == 200
    code, told = post(reviewer, "/findings/1/1/decisions", decision="dismiss")
    assert code == 503
    assert "not what was last signed" in str(told["problem"])
