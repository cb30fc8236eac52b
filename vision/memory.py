"""What a watcher knows at one frame, as bytes: data alone, so that reading it back can run nobody's code."""

from typing import Any, TypeVar, get_origin

import msgspec
import numpy as np

T = TypeVar("T")


def to_bytes(known: object) -> bytes:
    """A dataclass, with all dataclasses, structs, events and pictures in it."""
    return msgspec.msgpack.encode(known, enc_hook=_as_data)


def from_bytes(data: bytes, kind: type[T]) -> T | None:
    """The same again; None where the bytes are anything else."""
    try:
        return msgspec.msgpack.decode(data, type=kind, dec_hook=_as_array)
    except (msgspec.DecodeError, ValueError, TypeError):
        return None


def _as_data(value: object) -> object:
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, np.generic):
        return value.item()
    raise NotImplementedError(f"a checkpoint cannot hold {type(value).__name__}")


def _as_array(kind: Any, value: Any) -> object:
    if get_origin(kind) is not np.ndarray:
        raise NotImplementedError(f"a checkpoint cannot hold {kind}")
    dtype, shape, data = value
    if np.dtype(dtype).hasobject:
        raise ValueError("a checkpoint holds no objects")
    return np.frombuffer(data, dtype).reshape(shape).copy()
