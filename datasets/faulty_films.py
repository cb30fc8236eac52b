"""The same footage with a worse camera: `python -m datasets.faulty_films FROM TO KIND,...`.

Faults are laid over the pictures of footage that was filmed without any, which costs no rendering. What the table log
says of lost views is added to its truth. Heads that lean in have to be filmed.
"""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import msgspec

from auditor.log import FairdealError, log_bytes
from auditor.log_reader import LogReader
from datasets.casino.encode import FootageWriter
from datasets.casino.faults import Fault, FaultyLens, parse_faults, schedule
from datasets.casino.footage import lost_views
from datasets.simulate import write_whole
from vision.frames import Recording

SHARED = ("table.toml", "seeded.jsonl", "wheel.mp4")


def with_faults(source: Path, target: Path, kinds: tuple[str, ...]) -> list[Fault]:
    """Write the footage of one folder to another, as a camera with these faults would have taken it."""
    scene = json.loads((source / "scene.json").read_text(encoding="utf-8"))
    if scene["faults"] or "head" in kinds:
        raise FairdealError(f"{source}: only footage without faults can be given some, and no heads")
    faults = schedule(kinds, scene["duration"], scene["seed"])
    target.mkdir(parents=True, exist_ok=True)
    for name in SHARED:
        if (source / name).exists():
            shutil.copy(source / name, target / name)
    with (source / "truth.jsonl").open("rb") as stream:
        reader = LogReader(stream, str(source))
        events = sorted([*reader, *lost_views(faults)], key=lambda event: event.t)
        write_whole(target / "truth.jsonl", log_bytes(reader.header, events))
    _film(source, target, scene, faults)
    scene["shoot"]["faults"], scene["faults"] = kinds, msgspec.to_builtins(faults)
    write_whole(target / "scene.json", json.dumps(scene, indent=1).encode())
    return faults


def _film(source: Path, target: Path, scene: dict[str, Any], faults: list[Fault]) -> None:
    lens, fps = FaultyLens(faults), scene["shoot"]["fps"]
    with FootageWriter(target / "footage.mp4", size=tuple(scene["shoot"]["size"]), fps=fps) as writer:
        for frame in Recording([source / "footage.mp4"]).frames():
            seen = lens.see(frame.image, frame.t)
            if seen is not None:
                writer.write(round(frame.t * fps), seen)


if __name__ == "__main__":
    for fault in with_faults(Path(sys.argv[1]), Path(sys.argv[2]), parse_faults(sys.argv[3])):
        print(f"{fault.kind} from {fault.start} to {fault.end} s")
