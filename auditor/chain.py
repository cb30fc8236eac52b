"""The chain: rows that follow on each other by hash, and a signed head that says where they end.

A row's hash is taken over the hash of the row before it and its own canonical form, so a row that was changed, removed
or moved breaks the chain at its place. The newest rows are vouched for by the :class:`Head`: how many there are and the
last hash, signed with a key that lies outside the database; the newest head lies beside the key as well, so that an
older copy of the whole database is found too.

>>> first = link(GENESIS, ["a", 1]); second = link(first, ["b", 2])
>>> second == link(first, ["b", 2]), second == link(first, ["b", 3])
(True, False)
"""

import fcntl
import os
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from auditor.log import FairdealError

GENESIS = bytes(32)


def link(previous: bytes, row: Sequence[Any]) -> bytes:
    """The hash of a row that follows on one with the hash `previous`."""
    return sha256(previous + msgspec.json.encode(row)).digest()


class Mark(msgspec.Struct, frozen=True, array_like=True):
    """How far one chain goes: the number of its rows and the hash of the last."""

    count: int
    hash: str


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """Where the chains of one room end."""

    room: str
    marks: dict[str, Mark]

    def signed_bytes(self) -> bytes:
        """What the signature is over: the same bytes for the same head, whatever the order of the marks."""
        return b"fairdeal head 1\n" + msgspec.json.encode(self, order="sorted")


class SignedHead(msgspec.Struct, frozen=True, kw_only=True):
    """A head and the signature over it."""

    head: Head
    signature: str


class Keys:
    """The folder with the signing key and the newest head of every room; nobody else may read it.

    It should lie where whoever can change the database cannot write: another user, another disk.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or _default_folder()

    @property
    def key_path(self) -> Path:
        """The private key, as PEM."""
        return self.folder / "signing.pem"

    def make(self) -> None:
        """Make the key, unless there is one already."""
        if self.key_path.exists():
            return
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        pem = Ed25519PrivateKey.generate().private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        _write_new(self.key_path, pem)

    def _private(self) -> Ed25519PrivateKey:
        try:
            key = serialization.load_pem_private_key(self.key_path.read_bytes(), password=None)
        except FileNotFoundError:
            raise FairdealError(f"{self.key_path}: the room's signing key is not there (see --keys)") from None
        except (OSError, ValueError) as error:
            raise FairdealError(f"{self.key_path}: the signing key cannot be read: {error}") from None
        if not isinstance(key, Ed25519PrivateKey):
            raise FairdealError(f"{self.key_path}: not an Ed25519 key")
        return key

    def public(self) -> Ed25519PublicKey:
        """The key that signatures are checked with."""
        return self._private().public_key()

    def sign(self, head: Head) -> SignedHead:
        """The head, signed."""
        return SignedHead(head=head, signature=self.sign_bytes(head.signed_bytes()).hex())

    def sign_bytes(self, content: bytes) -> bytes:
        """The signature over something else that leaves the room; what is signed names itself in its first bytes."""
        return self._private().sign(content)

    # ---- the newest head, beside the key ----

    def _head_path(self, room: str) -> Path:
        return self.folder / f"{room}.head"

    def newest(self, room: str) -> SignedHead | None:
        """The newest head that was signed for that room; None if none is kept."""
        try:
            return msgspec.json.decode(self._head_path(room).read_bytes(), type=SignedHead)
        except FileNotFoundError:
            return None
        except (OSError, msgspec.MsgspecError) as error:
            raise FairdealError(f"{self._head_path(room)}: {error}") from None

    def keep(self, signed: SignedHead) -> None:
        """Keep a head as the newest, unless a newer one is there: two processes may come in either order."""
        path = self._head_path(signed.head.room)
        with open(self.folder / "lock", "a+b") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            kept = self.newest(signed.head.room)
            if kept is not None and _rows(kept.head) >= _rows(signed.head):
                return
            fresh = path.with_suffix(".new")
            _write(fresh, msgspec.json.encode(signed), os.O_TRUNC)
            os.replace(fresh, path)


def is_signed(signed: SignedHead, key: Ed25519PublicKey) -> bool:
    """Whether the signature over the head is that key's."""
    try:
        key.verify(bytes.fromhex(signed.signature), signed.head.signed_bytes())
    except (InvalidSignature, ValueError):
        return False
    return True


def _rows(head: Head) -> int:
    return sum(mark.count for mark in head.marks.values())


def _default_folder() -> Path:
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(os.environ.get("FAIRDEAL_KEYS") or Path(data) / "fairdeal" / "keys")


def _write(path: Path, content: bytes, flags: int) -> None:
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | flags, 0o600), "wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())


def _write_new(path: Path, content: bytes) -> None:
    """Write a file whole or not at all, and never over another."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    _write(fresh, content, os.O_EXCL)
    try:
        os.link(fresh, path)
    except FileExistsError:
        pass  # another process was first: its key counts
    finally:
        fresh.unlink()
