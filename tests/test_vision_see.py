"""`fairdeal see`: one line per picture as the contract has it, videos sampled, bad input told in one line."""

import json
import subprocess
import sys
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from auditor.cli import cli
from auditor.log import FairdealError
from vision.see import caption, drawn, read_picture, see, write_drawn, write_picture
from vision.seen import Image, Seen, Sight, to_json


class OneCard:
    """An eye that sees the same card in every picture."""

    def look(self, image: Image) -> list[Seen]:
        return [Seen(kind="card", label="As", conf=0.987654, box=(10, 10, 40, 60), quad=None)]


def picture(path: Path) -> Path:
    cv2.imwrite(str(path), np.full((80, 120, 3), 90, np.uint8))
    return path


def video(path: Path, seconds: int = 3, fps: int = 10) -> Path:
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=fps)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for number in range(seconds * fps):
            image = np.full((48, 64, 3), number * 3, np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(image, format="bgr24")))
        container.mux(stream.encode())
    return path


def test_a_picture_is_one_line_of_the_contract(tmp_path: Path) -> None:
    source = str(picture(tmp_path / "a.png"))
    ((sight, _),) = see(source, OneCard())
    assert json.loads(to_json(sight)) == {
        "source": source, "t": 0.0, "frame": 0, "size": [120, 80],
        "seen": [{"kind": "card", "label": "As", "conf": 0.9877, "box": [10, 10, 40, 60], "quad": None}],
    }  # fmt: skip


def test_a_video_is_sampled_by_its_own_clock(tmp_path: Path) -> None:
    sights = [sight for sight, _ in see(str(video(tmp_path / "v.mp4")), OneCard(), every_s=1.0)]
    assert [sight.t for sight in sights] == pytest.approx([0, 1, 2], abs=0.11)
    assert [sight.frame for sight in sights] == [0, 10, 20]


def test_chips_say_null_for_a_mixed_stack_and_leave_out_what_is_not_theirs() -> None:
    stack = Seen(kind="chips", conf=0.9, box=(0, 0, 1, 1), count=5, stack=(("red", 3), ("green", 2)))
    line = json.loads(to_json(Sight(source="a", t=0, frame=0, size=(1, 1), seen=(stack,))))["seen"][0]
    assert line["colour"] is None
    assert line["stack"] == [["red", 3], ["green", 2]]
    assert "label" not in line
    assert caption(stack) == "3 red, 2 green"


def test_a_drawn_copy_shows_what_was_seen(tmp_path: Path) -> None:
    ((sight, image),) = see(str(picture(tmp_path / "a.png")), OneCard())
    assert np.any(drawn(sight, image) != image)
    path = write_drawn(sight, image, tmp_path / "out.png", alone=True)
    assert read_picture(path).shape == image.shape


@pytest.mark.parametrize("content", [b"", b"no picture at all"])
def test_a_file_that_is_no_picture_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.jpg").write_bytes(content)
    with pytest.raises(FairdealError, match=r"a\.jpg"):
        read_picture(tmp_path / "a.jpg")


def test_see_goes_on_after_a_bad_file_and_exits_with_2(tmp_path: Path) -> None:
    good, bad = picture(tmp_path / "good.png"), tmp_path / "bad.jpg"
    bad.write_bytes(b"x")
    ran = subprocess.run(
        [sys.executable, "-c", "from auditor.cli import main; main()", "see", "--json", str(bad), str(good)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 2
    assert [json.loads(line)["source"] for line in ran.stdout.splitlines()] == [str(good)]
    assert ran.stderr.count("\n") == 1
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize("name", ["copy.txt", "nowhere/copy.png"])
def test_a_picture_that_cannot_be_written_is_told_with_what_would_do(tmp_path: Path, name: str) -> None:
    with pytest.raises(FairdealError, match=r"give a name ending in \.jpg or \.png"):
        write_picture(tmp_path / name, np.zeros((4, 4, 3), np.uint8))


def test_many_pictures_are_not_drawn_into_one_file(tmp_path: Path) -> None:
    for sources in (["a.png", "b.png"], ["evening.mp4"]):
        with pytest.raises(FairdealError, match="name a folder"):
            cli.main(["see", *sources, "--draw", str(tmp_path / "out.png")], standalone_mode=False)
