"""Logs that grow while a table is watched, and where a log came from."""

import io
import threading
from pathlib import Path

import pytest
from footage import film
from playing import GOOD, SHORT, written
from rooms import keep, opened

from auditor.chain import Keys
from auditor.growing import Clerk, Direct, growing
from auditor.log import FairdealError
from auditor.provenance import Footage, Origin, recording, sha256_of, source
from auditor.store import Store


def faults(folder: Path) -> list[str]:
    with Store.open_to_read(folder / "room.db", Keys(folder / "keys")) as store:
        return [str(fault) for fault in store.verify()]


def test_a_round_is_in_the_room_as_soon_as_it_is_over(tmp_path: Path) -> None:
    table_log = written("act-blackjack", SHORT + GOOD + SHORT)
    with opened(tmp_path) as store, growing(Direct(store), io.BytesIO(table_log), "live") as kept:
        for audited in kept.audit.rounds:
            with opened(tmp_path) as reader:
                assert len(reader.rows("SELECT 1 FROM rounds")) == audited.number
                assert reader.verify() == []
    with opened(tmp_path) as store:
        assert [row["round"] for row in store.rows("SELECT round FROM findings")] == [1, 3]
        assert keep(store, table_log) == kept.run  # the finished file is known as the log that was watched
        assert store.rows("SELECT rounds FROM spans")[0][0] == 3
    assert faults(tmp_path) == []


class Broken(io.BytesIO):
    """A stream whose other end goes away: what comes after its last line is an error, not an end."""

    def readline(self, size: int | None = -1, /) -> bytes:
        line = super().readline(size)
        if not line:
            raise ConnectionError("gone")
        return line


def test_a_log_that_was_broken_off_goes_on_where_it_was(tmp_path: Path) -> None:
    whole = written("act-blackjack", SHORT * 4)
    part = Broken(whole[: len(whole) // 2].rpartition(b"\n")[0] + b"\n")
    with pytest.raises(ConnectionError), opened(tmp_path) as store, growing(Direct(store), part, "live"):
        pass
    with opened(tmp_path) as store:
        assert len(store.rows("SELECT 1 FROM rounds")) == 1
        with growing(Direct(store), io.BytesIO(whole), "live") as kept:
            pass
        assert (kept.run, kept.is_new) == (1, False)
        assert [row["n"] for row in store.rows("SELECT n FROM rounds")] == [1, 2, 3, 4]
        assert store.verify() == []


def test_another_log_with_the_same_header_is_refused(tmp_path: Path) -> None:
    with opened(tmp_path) as store, growing(Direct(store), io.BytesIO(written("act-blackjack", SHORT * 2)), "live"):
        pass
    other = io.BytesIO(written("act-blackjack", GOOD * 3))
    refused = pytest.raises(FairdealError, match="goes on otherwise")
    with refused, opened(tmp_path) as store, growing(Direct(store), other, "x"):
        pass
    assert faults(tmp_path) == []


def test_a_run_that_grew_and_was_cut_back_is_found(tmp_path: Path) -> None:
    with opened(tmp_path) as store, growing(Direct(store), io.BytesIO(written("act-blackjack", SHORT * 2)), "live"):
        pass
    with opened(tmp_path) as store:
        connection = store.db.conn
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("DELETE FROM growths WHERE id = 2")
        connection.commit()
    assert any(fault.startswith("growths 2–2: the newest were removed") for fault in faults(tmp_path))


def test_a_clerk_writes_together_what_comes_together(tmp_path: Path) -> None:
    """Twenty tables at once, one of which breaks off: the others are kept, and the room is whole."""
    with opened(tmp_path):
        pass
    refused: list[str] = []

    def watch(number: int, clerk: Clerk) -> None:
        table_log = written("act-blackjack", SHORT * 3).replace(b'"T-1"', f'"T-{number}"'.encode())
        stream = Broken(table_log) if number == 7 else io.BytesIO(table_log)
        try:
            with growing(clerk, stream, f"table {number}"):
                pass
        except ConnectionError as error:
            refused.append(str(error))

    with Clerk(tmp_path / "room.db", Keys(tmp_path / "keys")) as clerk:
        threads = [threading.Thread(target=watch, args=(number, clerk)) for number in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert refused == ["gone"]
    with opened(tmp_path) as store:
        assert [row[0] for row in store.rows("SELECT rounds FROM spans ORDER BY rounds")] == [2] + [3] * 19
        assert store.verify() == []


def test_a_job_that_fails_takes_only_itself_back(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        keep(store, written("act-blackjack", SHORT))
    with Clerk(tmp_path / "room.db", Keys(tmp_path / "keys")) as clerk:
        with pytest.raises(ZeroDivisionError):
            clerk.transact(lambda store: store.append("activity", at="", who="", what="", detail=str(1 // 0)))
        assert clerk.transact(lambda store: store.known("nothing")) == 0
    assert faults(tmp_path) == []


def test_a_log_is_kept_with_its_footage_and_what_read_it(tmp_path: Path) -> None:
    video, model = film(tmp_path / "cam.mp4", 3), tmp_path / "cards.onnx"
    model.write_bytes(b"weights")
    origin = Origin(footage=(Footage(camera="table", path=video, t0=-1.0),), sources=(source("model", model),))
    table_log = written("act-blackjack", SHORT)
    with opened(tmp_path) as store:
        for _ in range(2):  # the second time nothing is new
            with store.keeping(io.BytesIO(table_log), "evening.jsonl", origin):
                pass
        (row,) = store.rows("SELECT * FROM footage")
        assert (row["camera"], row["path"], row["sha256"]) == ("table", str(video), sha256_of(video))
        assert (row["t0"], row["duration_s"], row["bytes"]) == (-1.0, pytest.approx(3.0), video.stat().st_size)
        sources = {row["what"]: row["name"] for row in store.rows("SELECT * FROM sources")}
        assert sources == {"model": "cards.onnx", "rulebook": "act-blackjack"}
        assert store.verify() == []


def test_footage_that_is_none_is_refused_before_anything_is_kept(tmp_path: Path) -> None:
    (tmp_path / "notes.mp4").write_text("not a film")
    origin = Origin(footage=(Footage(camera="table", path=tmp_path / "notes.mp4"),))
    table_log = io.BytesIO(written("act-blackjack", SHORT))
    refused = pytest.raises(FairdealError, match=r"notes\.mp4")
    with opened(tmp_path) as store, refused, store.keeping(table_log, "evening.jsonl", origin):
        pass
    with opened(tmp_path) as store:
        assert store.rows("SELECT 1 FROM runs") == []


def test_where_a_log_came_from_can_be_added_later(tmp_path: Path) -> None:
    first, second = film(tmp_path / "1.mp4", 2), film(tmp_path / "2.mp4", 3)
    table_log = tmp_path / "evening.jsonl"
    table_log.write_bytes(written("act-blackjack", SHORT))
    origin = Origin(footage=recording("table", [first, second]))
    with opened(tmp_path) as store:
        keep(store, table_log.read_bytes())
        assert store.add_origin(sha256_of(table_log), origin) == 1
        assert [row["t0"] for row in store.rows("SELECT t0 FROM footage ORDER BY id")] == [0.0, pytest.approx(2.0)]
        with pytest.raises(FairdealError, match="no log with the sha256"):
            store.add_origin("0" * 64, origin)
