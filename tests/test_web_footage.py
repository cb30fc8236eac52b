"""Clips, crops and packs on the site: what may be fetched, by whom, and that nothing else can be."""

import io
import zipfile
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from footage import film, shade
from PIL import Image
from rooms import keep_filmed, opened
from sites import PASSWORD, browser, csrf, log_in, site

from auditor.clips import still
from auditor.pack import read_pack
from auditor.pack_proof import pack_faults
from auditor.retention import Old, remove
from web.people import accept, invite

RUN, ROUND = 4, 2


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("site")


@pytest.fixture(scope="module")
def app(folder: Path) -> Flask:
    """The site with a filmed log at table T-9, and a reviewer who is kept to T-1."""
    app = site(folder)
    with opened(folder) as store:
        assert keep_filmed(store, film(folder / "cam.mp4", 24), "T-9") == RUN
        accept(store, invite(store, "supervisor", "fairdeal", ["T-1"]), "elsewhere", PASSWORD)
    return app


@pytest.fixture(scope="module")
def supervisor(app: Flask) -> FlaskClient:
    return browser(app, "supervisor")


# ---- clips and crops -----------------------------------------------------------------------------------------------


def test_a_round_s_clip_is_cut_and_says_when_it_begins(supervisor: FlaskClient, tmp_path: Path) -> None:
    (clip,) = supervisor.get(f"/clips/{RUN}/{ROUND}").get_json()
    assert (clip["camera"], clip["width"], clip["height"]) == ("table", 320, 180)
    video = supervisor.get(clip["src"], buffered=True)
    assert (video.status_code, video.mimetype) == (200, "video/mp4")
    (tmp_path / "clip.mp4").write_bytes(video.data)
    picture = Image.open(io.BytesIO(still(tmp_path / "clip.mp4", 15.0 - clip["t"])))
    assert shade(picture) == pytest.approx(17.0, abs=0.6)  # the film began 2 s before the log


def test_a_clip_is_sent_in_the_ranges_a_browser_asks_for(supervisor: FlaskClient) -> None:
    (clip,) = supervisor.get(f"/clips/{RUN}/{ROUND}").get_json()
    whole = supervisor.get(clip["src"], buffered=True).data
    part = supervisor.get(clip["src"], headers={"Range": "bytes=100-299"}, buffered=True)
    assert (part.status_code, part.data) == (206, whole[100:300])
    beyond = supervisor.get(clip["src"], headers={"Range": f"bytes={len(whole)}-"}, buffered=True)
    assert beyond.status_code == 416


def test_a_crop_shows_where_an_event_was_read(supervisor: FlaskClient) -> None:
    answer = supervisor.get(f"/crops/{RUN}/15.jpg")
    assert answer.mimetype == "image/jpeg"
    width, height = Image.open(io.BytesIO(answer.data)).size
    assert width > 50
    assert height > 50


def test_the_page_has_the_clip_the_crops_and_what_the_plan_follows(supervisor: FlaskClient) -> None:
    text = supervisor.get(f"/findings/{RUN}/1").text
    assert f'data-clips="/clips/{RUN}/{ROUND}"' in text
    assert text.count('class="crop"') == 5
    assert text.count("data-since=") >= 6
    assert 'data-region="10.0,60.0 60.0,60.0 60.0,120.0 10.0,120.0"' in text
    assert "theatre" not in supervisor.get("/findings/1/1").text  # no footage of that log


@pytest.mark.parametrize(
    "path",
    ["/clips/4/99", "/clips/4/1/99.mp4", "/clips/1/1/1.mp4", "/crops/4/99.jpg", "/crops/1/1.jpg", "/clips/99/1",
     "/clips/4/1/../../../etc/passwd", "/clips/4/1/..%2f..%2fcam.mp4", "/crops/4/..%2f1.jpg", "/clips/4/%2e%2e/1.mp4",
     "/clips/-1/1", "/clips/4/1/1.mp4%00.jpg"],
)  # fmt: skip
def test_nothing_else_can_be_fetched(supervisor: FlaskClient, path: str) -> None:
    answer = supervisor.get(path)
    assert answer.status_code in (302, 404), path
    assert b"root:" not in answer.data


def test_a_path_in_the_room_that_is_no_longer_what_was_registered_is_not_sent(app: Flask, tmp_path: Path) -> None:
    """Somebody exchanges the footage for another file, or for a link to one: its size tells, and it is not a film."""
    folder = tmp_path / "room"
    folder.mkdir()
    other = site(folder)
    with opened(folder) as store:
        keep_filmed(store, film(folder / "cam.mp4", 24))
    (folder / "cam.mp4").unlink()
    (folder / "cam.mp4").symlink_to("/etc/passwd")
    client = browser(other, "supervisor")
    assert client.get("/clips/4/2").get_json() == []
    assert client.get("/clips/4/2/1.mp4").status_code == 404
    assert client.get("/crops/4/15.jpg").status_code == 404


def test_footage_that_retention_removed_is_not_offered(tmp_path: Path) -> None:
    app = site(tmp_path)
    with opened(tmp_path) as store:
        run = keep_filmed(store, film(tmp_path / "cam.mp4", 24))
        old = Old(footage=1, run=run, camera="table", path=tmp_path / "cam.mp4", held_by="")
        remove(store, old, who="fairdeal", why="routine")
    client = browser(app, "viewer")
    assert client.get(f"/clips/{run}/2").get_json() == []
    assert "was removed by fairdeal on" in client.get(f"/findings/{run}/1").text


# ---- across tables -------------------------------------------------------------------------------------------------


def test_who_is_kept_to_one_table_sees_nothing_of_another(app: Flask) -> None:
    client = app.test_client()
    assert log_in(client, "elsewhere").status_code == 303
    for path in (
        f"/findings/{RUN}/1", f"/rounds/{RUN}/1", f"/clips/{RUN}/2", f"/clips/{RUN}/2/1.mp4", f"/crops/{RUN}/15.jpg",
        "/table?name=T-9&game=act-blackjack", "/rounds?name=T-9&game=act-blackjack",
    ):  # fmt: skip
        assert client.get(path).status_code == 404, path
    token = csrf(client.get("/queue"))
    for path, values in (
        (f"/findings/{RUN}/1/decisions", {"decision": "confirm", "seen": "0"}),
        (f"/findings/{RUN}/1/release", {}),
        ("/exports", {"finding": f"{RUN}/1"}),
    ):
        assert client.post(path, data={"csrf": token, **values}).status_code == 404, path
    for path in ("/queue?state=all", "/queue?state=all&table=T-9", "/tables", "/queue?rows&state=all"):
        assert "T-9" not in client.get(path).text.replace('value="T-9"', ""), path
    assert client.get("/findings/1/1").status_code == 200


# ---- packs ---------------------------------------------------------------------------------------------------------


def post(client: FlaskClient, path: str, **values: str | list[str]) -> tuple[int, bytes]:
    answer = client.post(path, data={"csrf": csrf(client.get("/queue")), **values})
    return answer.status_code, answer.data


def test_a_pack_is_handed_out_and_written_down(app: Flask, folder: Path, supervisor: FlaskClient) -> None:
    code, content = post(supervisor, "/exports", finding=f"{RUN}/1")
    assert code == 200
    pack = read_pack(content)
    assert pack_faults(pack) == []
    assert pack.manifest.exported_by == "the supervisor"
    assert "clip-1.mp4" in pack.files
    text = supervisor.get(f"/findings/{RUN}/1").text
    assert "by <strong>the supervisor</strong>" in text
    assert 'been exported">exported' in supervisor.get("/queue?table=T-9").text


def test_many_packs_come_at_once_each_sealed(supervisor: FlaskClient) -> None:
    code, content = post(supervisor, "/exports", finding=[f"{RUN}/1", "1/1", "1/1"])
    assert code == 200
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        packs = [archive.read(name) for name in archive.namelist()]
    assert [pack_faults(read_pack(pack)) for pack in packs] == [[], []]


@pytest.mark.parametrize("named", ["", "1", "../etc/passwd", "1/1; DROP TABLE runs", "1/99", "99/1", f"{9**40}/1"])
def test_a_pack_of_nothing_is_refused(supervisor: FlaskClient, named: str) -> None:
    assert post(supervisor, "/exports", finding=named)[0] in (400, 404)


def test_packs_and_releases_are_a_supervisor_s_matter(app: Flask) -> None:
    for role in ("viewer", "reviewer"):
        client = browser(app, role)
        assert post(client, "/exports", finding="1/1")[0] == 403
        assert post(client, "/findings/1/1/release")[0] == 403
        assert "Export pack" not in client.get("/findings/1/1").text
