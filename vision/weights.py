"""The weights that ship in `models/`: found by name, held against the manifest's sha256, opened for ONNX Runtime."""

import functools
import hashlib
import importlib.util
import os
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from auditor.log import FairdealError

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

THREADS_VARIABLE = "FAIRDEAL_THREADS"
DEFAULT_THREADS = 2


class WeightsEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One file of weights: what it is for, what it was made from, and how it can be told from another."""

    file: str
    purpose: str
    sha256: str
    classes: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    """What it was trained on."""
    licence: str = ""
    """Licence and attribution of that data."""
    card: str = ""
    """Its model card in `models/`."""
    scores: dict[str, float] = {}
    settings: dict[str, float] = {}
    """Numbers that belong to these weights and no others: thresholds, temperatures."""


class Manifest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`models/manifest.toml`: every file of weights that ships."""

    weights: tuple[WeightsEntry, ...] = ()


class Weights(msgspec.Struct, frozen=True, kw_only=True):
    """A checked file of weights, opened: ready to run."""

    entry: WeightsEntry
    session: "InferenceSession"


@functools.cache
def manifest() -> Manifest:
    """The manifest that ships with this version."""
    text = (_folder() / "manifest.toml").read_bytes()
    try:
        return msgspec.toml.decode(text, type=Manifest)
    except msgspec.DecodeError as error:
        raise FairdealError(f"models/manifest.toml: {error}; reinstall fairdeal") from error


def entry(file: str) -> WeightsEntry:
    """What the manifest says about a file of weights."""
    for each in manifest().weights:
        if each.file == file:
            return each
    raise FairdealError(f"models/manifest.toml: no entry for {file}; add one with its sha256")


def checked_bytes(file: str) -> bytes:
    """The file's bytes, once they have been held against the manifest."""
    path = _folder() / file
    if not path.is_file():
        raise FairdealError(f"models/{file}: the weights are missing; reinstall fairdeal")
    found = path.read_bytes()
    digest = hashlib.sha256(found).hexdigest()
    if digest != entry(file).sha256:
        raise FairdealError(f"models/{file}: sha256 is {digest[:12]}…, not the manifest's; reinstall fairdeal")
    return found


@functools.cache
def load(file: str, threads: int | None = None) -> Weights:
    """The checked weights as an ONNX Runtime session on `threads` cores (default: $FAIRDEAL_THREADS, else two)."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads or int(os.environ.get(THREADS_VARIABLE, DEFAULT_THREADS))
    options.inter_op_num_threads = 1
    # Idle threads must sleep: a room runs many eyes on few cores.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = onnxruntime.InferenceSession(checked_bytes(file), options, providers=["CPUExecutionProvider"])
    return Weights(entry=entry(file), session=session)


def _folder() -> Path:
    # `resources.files` fails on an editable install's namespace package: it takes the installer's hook for a folder.
    spec = importlib.util.find_spec("models")
    places = spec.submodule_search_locations if spec is not None else None
    return next((Path(place) for place in places or () if Path(place).is_dir()), Path("models"))
