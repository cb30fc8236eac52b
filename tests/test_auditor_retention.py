"""Retention: routine footage goes when its days are over, incidents stay until released; nothing else ever goes."""

import datetime
import io
from pathlib import Path

import pytest
from footage import film
from playing import GOOD, SHORT, written
from rooms import opened

from auditor.log import FairdealError
from auditor.provenance import Footage, Origin
from auditor.retention import footage_faults, old_footage, release, remove
from auditor.store import Store

LATER = datetime.datetime(2026, 12, 25, tzinfo=datetime.UTC)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two logs of one evening, each with its film; the second holds a breach."""
    with opened(tmp_path) as store:
        for name, script in (("quiet", GOOD), ("bad", SHORT)):
            origin = Origin(footage=(Footage(camera="table", path=film(tmp_path / f"{name}.mp4", 2)),))
            with store.keeping(io.BytesIO(written("act-blackjack", script)), name, origin):
                pass
    return tmp_path


def held(store: Store, days: float = 30) -> dict[str, str]:
    return {each.path.name: each.held_by for each in old_footage(store, days, LATER)}


def test_nothing_is_old_before_its_days_are_over(folder: Path) -> None:
    with opened(folder) as store:
        assert held(store, days=60) == {}
        assert held(store) == {"quiet.mp4": "", "bad.mp4": "2/1"}


def test_an_incident_is_held_until_dismissed_or_released(folder: Path) -> None:
    with opened(folder) as store:
        store.decide(2, 1, who="kim", decision="confirm", seen=0)
        assert held(store)["bad.mp4"] == "2/1"
        with pytest.raises(FairdealError, match="held back by finding 2/1"):
            remove(store, old_footage(store, 30, LATER)[1], who="kim", why="tidy")
        release(store, 2, 1, who="lee", note="settled with the player")
        assert held(store)["bad.mp4"] == ""
        store.decide(2, 1, who="kim", decision="dismiss", seen=1)
        assert held(store)["bad.mp4"] == ""


def test_only_footage_goes_and_that_it_went_is_written_down(folder: Path) -> None:
    with opened(folder) as store:
        remove(store, old_footage(store, 30, LATER)[0], who="fairdeal", why="older than 30 routine days")
        assert not (folder / "quiet.mp4").exists()
        assert (folder / "bad.mp4").exists()
        assert held(store) == {"bad.mp4": "2/1"}
        assert store.rows("SELECT what, detail FROM activity ORDER BY id DESC LIMIT 1")[0]["what"] == "removed footage"
        assert len(store.rows("SELECT 1 FROM rounds")) == 2
        assert store.verify() == []
        assert list(footage_faults(store)) == []


def test_footage_that_vanished_or_was_altered_is_found(folder: Path) -> None:
    (folder / "quiet.mp4").unlink()
    (folder / "bad.mp4").write_bytes(b"another film")
    with opened(folder) as store:
        told = [str(fault) for fault in footage_faults(store)]
    assert told[0].startswith("run 1, footage of camera table: is not there")
    assert told[1].startswith("run 2, footage of camera table: was altered")
