"""The store: a log is kept whole, once, and for good; whatever is done to the file is found."""

import io
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from playing import GOOD, SHORT, answers, written
from rooms import UNREAD, fairdeal, furnish, keep, opened

from auditor.chain import Keys, SignedHead
from auditor.decisions import ConflictError
from auditor.log import FairdealError, LogError
from auditor.schema import LEDGERS, PARTS
from auditor.store import Store


@pytest.fixture
def room(tmp_path: Path) -> Path:
    return furnish(tmp_path)


def tamper(room: Path, *statements: str) -> None:
    """Change the file as somebody would who has it, but not the key: the guards are no hindrance to him."""
    connection = sqlite3.connect(room)
    triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        connection.execute(f"DROP TRIGGER {name}")
    for statement in statements:
        connection.execute(statement)
    for _, sql in triggers:
        connection.execute(sql)
    connection.commit()
    connection.close()


def faults(room: Path) -> list[str]:
    with Store.open_to_read(room, Keys(room.parent / "keys")) as store:
        return [str(fault) for fault in store.verify()]


# ---- keeping -----------------------------------------------------------------------------------------------------


def test_what_is_kept_is_what_the_auditor_says(tmp_path: Path) -> None:
    table_log = written("act-blackjack", GOOD + SHORT + GOOD, min=5, max=500)
    with opened(tmp_path) as store:
        run = keep(store, table_log)
        (kept,) = store.rows("SELECT * FROM runs")
        assert (kept["id"], kept["table_name"], kept["rulebook"]) == (run, "T-1", "act-blackjack")
        assert kept["house"] == '{"min":5,"max":500}'
        assert [row["status"] for row in store.rows("SELECT * FROM rounds")] == ["complete"] * 3
        (finding,) = store.rows("SELECT * FROM findings")
        told = answers(table_log)[1]["findings"][0]
        assert (finding["round"], finding["kind"], finding["message"]) == (2, told["kind"], told["message"])
        assert (finding["expected"], finding["observed"], finding["gain"]) == ("10", "5", -500)
        assert [row["due"] for row in store.rows("SELECT due FROM wagers")] == [1000] * 3


def test_the_lines_are_kept_as_they_were_read(tmp_path: Path) -> None:
    table_log = written("act-blackjack", GOOD).replace(b'{"t":', b'{ "unknown":"\xc3\xa9", "t": ')
    table_log = table_log.replace(b"\n", b"\r\n") + b"\n \n"
    with opened(tmp_path) as store:
        keep(store, table_log)
        (run,) = store.rows("SELECT header, tail FROM runs")
        lines = [row["raw"] for row in store.rows("SELECT raw FROM events ORDER BY n")]
        assert (run["header"] + "".join(lines) + run["tail"]).encode() == table_log
        assert store.verify() == []


def test_every_event_of_a_round_lies_between_its_first_and_its_last(room: Path) -> None:
    with opened(room.parent) as store:
        spans = [tuple(row) for row in store.rows("SELECT first_event, last_event FROM rounds WHERE run = 1")]
    assert spans == [(1, 9), (10, 18), (19, 27)]


def test_the_same_log_is_kept_once(tmp_path: Path) -> None:
    table_log = written("act-blackjack", SHORT)
    with opened(tmp_path) as store:
        assert keep(store, table_log) == 1
        with store.keeping(io.BytesIO(table_log), "copy.jsonl") as again:
            pass
        assert (again.run, again.is_new) == (1, False)
        assert len(store.rows("SELECT * FROM findings")) == 1


def test_a_log_that_breaks_off_leaves_nothing_behind(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        with pytest.raises(LogError, match="cut off"):
            keep(store, written("act-blackjack", SHORT) + b'{"t":99,"e":"chi')
        assert [len(store.rows(f"SELECT * FROM {table}")) for table in (*PARTS, *LEDGERS)] == [0] * 13
        assert keep(store, written("act-blackjack", SHORT)) == 1
        assert store.verify() == []


def test_nobody_waits_while_a_report_is_being_read(tmp_path: Path) -> None:
    table_log = written("act-blackjack", SHORT + GOOD)
    with opened(tmp_path) as slow, slow.keeping(io.BytesIO(table_log), "slow.jsonl") as kept:
        next(kept.audit.rounds)
        with opened(tmp_path) as quick:
            quick.note("kim", "logged in")
            assert quick.rows("SELECT * FROM runs") == []


def test_events_and_findings_only_grow(room: Path) -> None:
    with opened(room.parent) as store:
        for table in (*PARTS, *LEDGERS):
            for statement in (f"DELETE FROM {table}", f"UPDATE {table} SET hash = hash"):
                if store.rows(f"SELECT 1 FROM {table} LIMIT 1"):
                    with pytest.raises(sqlite3.IntegrityError, match="only grow"):
                        store.db.conn.execute(statement)
                    store.db.conn.rollback()


# ---- deciding ----------------------------------------------------------------------------------------------------


def test_undo_leads_back_one_decision_and_nothing_is_deleted(room: Path) -> None:
    with opened(room.parent) as store:
        first = store.decide(1, 1, who="kim", decision="confirm", note="seen", seen=0)
        second = store.decide(1, 1, who="lee", decision="dismiss", seen=first.id)
        third = store.decide(1, 1, who="lee", decision="undo", seen=second.id)
        fourth = store.decide(1, 1, who="lee", decision="undo", seen=third.id)
        states = [each.state for each in (first, second, third, fourth)]
        assert states == ["confirmed", "dismissed", "confirmed", "open"]
        with pytest.raises(ConflictError, match="nothing to undo"):
            store.decide(1, 1, who="lee", decision="undo", seen=fourth.id)
        assert [each.decision for each in store.reviews(1, 1)] == ["confirm", "dismiss", "undo", "undo"]
        assert store.verify() == []


def test_who_did_not_know_of_the_newest_decision_is_told(room: Path) -> None:
    with opened(room.parent) as store:
        store.decide(1, 1, who="kim", decision="confirm", seen=0)
        with pytest.raises(ConflictError, match="kim was quicker: the finding is confirmed"):
            store.decide(1, 1, who="lee", decision="dismiss", seen=0)
        assert len(store.reviews(1, 1)) == 1


def test_a_finding_that_is_not_there_cannot_be_decided(room: Path) -> None:
    with pytest.raises(FairdealError, match="FOREIGN KEY"), opened(room.parent) as store:
        store.decide(1, 99, who="kim", decision="confirm", seen=0)


# ---- proving -----------------------------------------------------------------------------------------------------


def test_a_room_left_alone_is_intact(room: Path) -> None:
    assert faults(room) == []


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ("UPDATE events SET raw = replace(raw, '15', '20') WHERE run = 2 AND n = 6", "run 2, event 6: was altered"),
        ("DELETE FROM events WHERE run = 1 AND n = 4", "run 1, event 4: was removed"),
        ("DELETE FROM events WHERE run = 1 AND n = 27", "run 1, events: 26 are there, 27 were kept"),
        ("UPDATE findings SET verdict = 'unsure' WHERE run = 1", "run 1, finding 1: was altered"),
        ("DELETE FROM findings WHERE run = 2 AND n = 2", "run 2, findings: 1 are there, 2 were kept"),
        ("UPDATE wagers SET due = 0 WHERE run = 1 AND n = 2", "run 1, wager 2: was altered"),
        ("UPDATE rounds SET status = 'void' WHERE run = 1 AND n = 2", "run 1, round 2: was altered"),
        ("UPDATE runs SET house = '{}', code = 'other' WHERE id = 2", "run 2: was altered"),
        ("DELETE FROM runs WHERE id = 3", "runs 3–3: the newest were removed"),
        ("DELETE FROM reviews WHERE id = 2", "reviews 2–2: the newest were removed"),
        ("UPDATE reviews SET who = 'lee' WHERE id = 1", "review 1: was altered"),
        ("UPDATE reviews SET id = id + 10", "review 1–10: was removed"),
        ("UPDATE activity SET what = 'nothing' WHERE id = 1", "activity 1: was altered"),
        ("UPDATE queue SET state = 'dismissed' WHERE run = 3", "run 3, finding 1: stands in the queue"),
        ("DELETE FROM queue WHERE run = 3", "run 3, finding 1: stands in the queue"),
        ("UPDATE tallies SET breaches = 0", "run 1: is counted as something else"),
        ("UPDATE spans SET rounds = 1 WHERE run = 2", "run 2: is counted as something else"),
        ("UPDATE queue SET dealer = 'Kim' WHERE run = 1", "run 1, finding 1: stands in the queue under another dealer"),
        ("UPDATE room SET head = '{}'", "signed head: was altered"),
        ("UPDATE room SET id = 'other'", "head beside the key: is missing"),
        ("INSERT INTO activity VALUES (99, '', 'kim', 'was never here', '', x'00')", "activity 6–98: was removed"),
    ],
)  # fmt: skip
def test_what_was_altered_is_found_at_its_place(room: Path, statement: str, fault: str) -> None:
    with opened(room.parent) as store:
        store.decide(1, 1, who="kim", decision="confirm", seen=0)
        store.decide(2, 1, who="kim", decision="dismiss", seen=0)
        store.note("kim", "logged in")
        store.note("kim", "logged out")
    tamper(room, statement)
    assert [each for each in faults(room) if each.startswith(fault)], faults(room)


def test_two_rows_that_changed_places_are_found(room: Path) -> None:
    moves = ["UPDATE events SET n = -1 WHERE run = 1 AND n = 3", "UPDATE events SET n = 3 WHERE run = 1 AND n = 5"]
    tamper(room, *moves, "UPDATE events SET n = 5 WHERE n = -1")
    assert [each.partition(":")[0] for each in faults(room)][:2] == ["run 1, event 3", "run 1, event 4"]


def test_a_run_removed_with_everything_of_it_is_found(room: Path) -> None:
    gone = [f"DELETE FROM {table} WHERE run = 3" for table in ("queue", *PARTS)]
    tamper(room, *gone, "DELETE FROM runs WHERE id = 3", "DELETE FROM activity WHERE id = 3")
    assert "runs 3–3: the newest were removed" in faults(room)


def test_an_older_copy_of_the_whole_file_is_found_and_not_written_to(room: Path) -> None:
    copy = room.with_name("copy.db")
    shutil.copy(room, copy)
    with opened(room.parent) as store:
        keep(store, written("act-blackjack", SHORT * 3))
    assert faults(room) == []
    shutil.copy(copy, room)
    assert any("4 were signed, 3 are there" in fault for fault in faults(room))
    with pytest.raises(FairdealError, match="not what was last signed"), opened(room.parent) as store:
        keep(store, written("act-blackjack", GOOD))


def test_a_chain_made_anew_without_the_key_is_found(room: Path, tmp_path: Path) -> None:
    """Whoever knows how the hashes are made still cannot sign where they end."""
    forged = tmp_path / "forged"
    forged.mkdir()
    with opened(forged) as store:
        keep(store, written("act-blackjack", GOOD))
    shutil.copy(forged / "room.db", room)
    assert any("not signed with this key" in fault for fault in faults(room))


def test_a_removed_guard_is_found(room: Path) -> None:
    connection = sqlite3.connect(room)
    connection.execute("DROP TRIGGER events_no_change")
    connection.close()
    assert faults(room) == ["trigger events_no_change: was removed"]


def test_a_power_cut_between_commit_and_head_is_no_fault(room: Path) -> None:
    (path,) = (room.parent / "keys").glob("*.head")
    before = path.read_bytes()
    with opened(room.parent) as store:
        store.note("kim", "logged in")
    path.write_bytes(before)
    assert faults(room) == []
    with opened(room.parent) as store:
        store.note("kim", "logged out")
    assert msgspec.json.decode(path.read_bytes(), type=SignedHead).head.marks["activity"].count == 5


def test_only_the_owner_can_read_room_and_key(room: Path) -> None:
    paths = [room, *(room.parent / "keys").glob("*.[ph]e*")]
    assert [oct(os.stat(path).st_mode & 0o777) for path in paths] == ["0o600"] * 3


# ---- the commands ------------------------------------------------------------------------------------------------


def test_check_keeps_what_it_audited_and_verify_vouches_for_it(tmp_path: Path) -> None:
    room, table_log = tmp_path / "room.db", tmp_path / "evening.jsonl"
    table_log.write_bytes(written("act-blackjack", SHORT))
    code, out, err = fairdeal(tmp_path, "check", "--store", room, table_log)
    assert (code, err) == (1, f"fairdeal: {table_log}: kept as run 1 in {room}\n")
    assert out == fairdeal(tmp_path, "check", table_log)[1]
    assert fairdeal(tmp_path, "check", "--store", room, table_log)[2].endswith(f"already kept, as run 1 in {room}\n")
    assert fairdeal(tmp_path, "verify", room)[:2] == (
        0, f"{room}: intact: 1 runs, 9 events, 1 rounds, 1 findings, 0 reviews\n"
    )  # fmt: skip


def test_verify_says_what_was_altered_and_where(room: Path) -> None:
    tamper(room, "UPDATE findings SET message = 'Nothing.' WHERE run = 1")
    code, out, _ = fairdeal(room.parent, "verify", room)
    assert code == 1
    assert f"{room}: run 1, finding 1: was altered" in out


@pytest.mark.parametrize("command", ["verify", "reaudit", "serve"])
def test_what_is_no_room_is_one_line_and_exit_2(tmp_path: Path, command: str) -> None:
    (tmp_path / "notes.db").write_text("shopping list" * 100)
    (tmp_path / "empty.db").touch()
    sqlite3.connect(tmp_path / "other.db").execute("CREATE TABLE other (id)").connection.close()
    for name in ("notes.db", "empty.db", "other.db", "nowhere.db"):
        code, out, err = fairdeal(tmp_path, command, tmp_path / name)
        assert (code, out, err.count("\n")) == (2, "", 1), err
        assert err.startswith("fairdeal: ")


def test_verify_without_the_key_cannot_tell(room: Path) -> None:
    shutil.rmtree(room.parent / "keys")
    code, out, err = fairdeal(room.parent, "verify", room)
    assert (code, out) == (2, "")
    assert "signing key is not there" in err


def test_reaudit_says_what_the_present_rulebooks_judge_otherwise(room: Path) -> None:
    assert fairdeal(room.parent, "reaudit", room)[0] == 0
    tamper(
        room,  # as if another rulebook had judged then
        "UPDATE wagers SET due = 500 WHERE run = 1 AND n = 2",
        "UPDATE findings SET kind = 'payout.over' WHERE run = 2 AND n = 2",
    )
    code, out, _ = fairdeal(room.parent, "reaudit", room)
    assert code == 1
    assert "  ~ round 2 · box1/main · due 5.00 → 10.00\n" in out
    assert "  − round 2 · payout.over box1/main · breach: 19 beats 17" in out
    assert "  + round 2 · payout.short box1/main · breach: 19 beats 17" in out
    assert out.count("judged the same as then") == 1


def test_the_report_may_be_left_early_and_the_log_is_kept_all_the_same(tmp_path: Path) -> None:
    table_log = tmp_path / "long.jsonl"
    table_log.write_bytes(written("act-blackjack", SHORT * 3000))
    program = f"{sys.executable} -c 'from auditor.cli import main; main()'"
    command = f"{program} check --store {tmp_path}/room.db {table_log} | head -1"
    environment = os.environ | {"FAIRDEAL_KEYS": str(tmp_path / "keys")}
    run = subprocess.run(["sh", "-c", command], capture_output=True, check=False, env=environment, text=True)
    assert "kept as run 1" in run.stderr
    with opened(tmp_path) as store:
        assert len(store.rows("SELECT 1 FROM rounds")) == 3000


def test_an_unsure_finding_is_kept_as_such(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        keep(store, written("act-blackjack", UNREAD))
        (finding,) = store.rows("SELECT verdict, reads, gain FROM findings WHERE kind = 'payout.over'")
    assert (finding["verdict"], finding["gain"]) == ("unsure", 0)
    assert "the card at dealer" in finding["reads"]


def test_check_alone_loads_neither_store_nor_site() -> None:
    heavy = ("flask", "sqlite3", "sqlite_utils", "cryptography", "argon2", "waitress")
    lines = ["import sys, auditor.cli", "sys.argv = ['fairdeal', 'check', '-']", "try: auditor.cli.main()"]
    lines += ["except SystemExit: pass", f"print([name for name in {heavy} if name in sys.modules])"]
    run = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], capture_output=True, check=True, input=written("act-blackjack", GOOD)
    )
    assert run.stdout.decode().splitlines()[-1] == "[]"
