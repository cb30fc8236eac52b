"""Evidence packs: everything a finding stands on, sealed; whatever is done to a pack is found."""

import io
import random
import re
import zipfile
from pathlib import Path

import msgspec
import pytest
from footage import film, shade
from PIL import Image
from playing import SHORT, written
from rooms import fairdeal, filmed_log, keep, keep_filmed, opened

from auditor.chain import Keys
from auditor.clips import cut, still
from auditor.exports import export
from auditor.log import FairdealError
from auditor.pack import NotAPackError, read_pack, sealed
from auditor.pack_proof import pack_faults
from auditor.provenance import Footage, Origin

FILES = {
    "finding.json", "round.json", "clause.json", "chain.json", "log.jsonl", "report.html", "report.pdf", "clip-1.mp4",
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A room with one log and its footage."""
    folder = tmp_path_factory.mktemp("room")
    with opened(folder) as store:
        keep_filmed(store, film(folder / "cam.mp4", 24))
    return folder


@pytest.fixture(scope="module")
def pack(folder: Path) -> bytes:
    with opened(folder) as store:
        return export(store, 1, 1, who="kim").content


def faults(content: bytes) -> list[str]:
    try:
        return pack_faults(read_pack(content))
    except NotAPackError as error:
        return [str(error)]


def test_a_pack_holds_all_that_a_finding_stands_on(pack: bytes) -> None:
    found = read_pack(pack)
    assert {name for name in found.files if not name.startswith("stills/")} == FILES
    assert found.files["log.jsonl"] == filmed_log()
    told = msgspec.json.decode(found.files["finding.json"])["finding"]
    assert (told["kind"], told["expected"], told["observed"]) == ("payout.short", 10, 5)
    assert b"5.00 was paid" in found.files["report.html"]
    assert found.files["report.pdf"].startswith(b"%PDF")
    assert pack_faults(found) == []


def test_the_clip_shows_the_moment_and_was_not_encoded_anew(pack: bytes, folder: Path, tmp_path: Path) -> None:
    found = read_pack(pack)
    (clip,) = msgspec.json.decode(found.files["finding.json"])["clips"]
    (tmp_path / "clip.mp4").write_bytes(found.files["clip-1.mp4"])
    moment = 15.0  # of the finding, in the log; the film began 2 s before it
    picture = Image.open(io.BytesIO(still(tmp_path / "clip.mp4", moment - clip["t"])))
    assert shade(picture) == pytest.approx(moment + 2.0, abs=0.6)
    whole = cut(folder / "cam.mp4", tmp_path / "whole.mp4", 0, 24)
    assert clip["duration_s"] < whole.duration_s
    original = (folder / "cam.mp4").read_bytes()
    with zipfile.ZipFile(io.BytesIO(pack)) as archive:
        copied = archive.read("clip-1.mp4")
    run = copied.index(b"mdat") + 200
    assert copied[run : run + 400] in original


def test_a_flipped_byte_anywhere_is_found(pack: bytes) -> None:
    """The zip's own structure at both ends, the seal, and a sample of all other bytes."""
    structure = [*range(60), *range(len(pack) - 700, len(pack), 3), *range(len(pack) - 40, len(pack))]
    for place in [*structure, *random.Random(8).sample(range(len(pack)), 150)]:
        flipped = bytearray(pack)
        # 0x20 makes a capital letter of a small one: the hex digits of the seal must not be read alike.
        flipped[place] ^= 0x20 if place % 2 else 1 << random.Random(place).randrange(8)
        assert faults(bytes(flipped)), place


def test_a_longer_or_shorter_pack_is_found(pack: bytes) -> None:
    for changed in (pack[:-1], pack[1:], pack + b"\0", b"\0" + pack, pack[:5000] + pack[5001:]):
        assert faults(changed)


def rebuilt(pack: bytes, keys: Keys, **changes: bytes | None) -> bytes:
    """The same pack with files exchanged, sealed by whoever has that key."""
    found = read_pack(pack)
    files = {name: content for name, content in (found.files | changes).items() if content is not None}
    facts = msgspec.structs.asdict(found.manifest)
    return sealed(keys, files, **{name: facts[name] for name in facts if name not in ("key", "files", "pack")})


def test_a_pack_that_was_made_anew_carries_another_key(pack: bytes, tmp_path: Path) -> None:
    forger = Keys(tmp_path / "forger")
    forger.make()
    forged = rebuilt(pack, forger)
    assert read_pack(forged).key != read_pack(pack).key
    assert "the head of the chain is not signed with the pack's key" in faults(forged)


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        ("log.jsonl", b'"amount":15', b'"amount":20', "log.jsonl is not the log that was kept"),
        ("finding.json", b'"breach"', b'"unsure"', "finding.json is not among the findings of round.json"),
        ("round.json", b'"due": 10', b'"due": 5', "the round is not as round.json says"),
        ("chain.json", b'"payout.short"', b'"payout.over"', "the findings do not end in the hash"),
        ("chain.json", b'"T-1"', b'"T-2"', "the run's row in runs does not follow"),
    ],
)
def test_even_the_key_s_owner_cannot_tell_another_story(
    pack: bytes, folder: Path, name: str, old: bytes, new: bytes, fault: str
) -> None:
    changed = read_pack(pack).files[name].replace(old, new)
    told = faults(rebuilt(pack, Keys(folder / "keys"), **{name: changed}))
    assert any(fault in each for each in told), told


def test_footage_that_is_gone_or_another_is_left_out_and_said_so(folder: Path, tmp_path: Path) -> None:
    video = film(tmp_path / "cam.mp4", 5)
    origin = Origin(footage=(Footage(camera="table", path=video),))
    with opened(tmp_path) as store:
        with store.keeping(io.BytesIO(written("act-blackjack", SHORT)), "evening.jsonl", origin):
            pass
        video.write_bytes(b"another film")
        assert export(store, 1, 1, who="kim").without == [
            "camera table: its footage is not what was registered with the log"
        ]
        video.unlink()
        made = export(store, 1, 1, who="kim")
        assert made.without == ["camera table: its footage is not there any more"]
        assert b"not there any more" in read_pack(made.content).files["report.html"]


def test_who_exported_what_is_written_down(folder: Path, pack: bytes) -> None:
    with opened(folder) as store:
        (row,) = store.rows("SELECT * FROM exports WHERE who = 'kim'")
        assert (row["run"], row["finding"], row["name"]) == (1, 1, "T-1-run1-finding1.zip")
        assert store.verify() == []
        with pytest.raises(FairdealError, match="no such finding"):
            export(store, 1, 99, who="kim")


def test_a_table_called_like_a_path_leads_nowhere(tmp_path: Path) -> None:
    """Neither the pack's own name nor a name in it leaves the folder it is written or unpacked to."""
    with opened(tmp_path) as store:
        keep(store, filmed_log("../../../etc/cron.d/x"), name="../../evil.jsonl")
    out = tmp_path / "deep" / "packs"
    assert fairdeal(tmp_path, "export", tmp_path / "room.db", "1/1", "--out", out)[0] == 0
    (pack,) = out.iterdir()
    assert pack.name == "etc-cron-d-x-run1-finding1.zip"
    with zipfile.ZipFile(pack) as archive:
        assert all(re.fullmatch(r"[\w-]+(/[\w-]+)?\.\w+", name) for name in archive.namelist()), archive.namelist()


def test_export_and_verify_on_the_command_line(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "packs"
    code, told, _ = fairdeal(folder, "export", folder / "room.db", "1/1", "--out", out)
    assert code == 0
    pack = out / "T-1-run1-finding1.zip"
    assert str(pack) in told
    code, told, _ = fairdeal(tmp_path / "elsewhere", "verify", pack)  # without the room and without its key
    assert code == 0
    assert "intact" in told
    assert "payout.short" in told
    content = bytearray(pack.read_bytes())
    content[len(content) // 2] ^= 1
    pack.write_bytes(content)
    code, told, _ = fairdeal(tmp_path / "elsewhere", "verify", pack)
    assert code == 1
    assert "altered" in told
    assert fairdeal(folder, "export", folder / "room.db", "nonsense", "--out", out)[0] == 2
    new = tmp_path / "new"
    code, told, problem = fairdeal(folder, "export", folder / "room.db", "1/1", "99/7", "--out", new)
    assert (code, told) == (2, "")
    assert "there is no such finding: 99/7" in problem
    assert fairdeal(folder, "export", folder / "room.db", "1/1", "--out", new, "--texts", tmp_path / "none")[0] == 2
    assert not new.exists()
