"""The form of an evidence pack: a zip file with a signed list of what is in it, sealed from its first byte to its last.

The seal is the zip's own comment, its very end: the public key, and a signature over every byte before the signature.
So nothing in the file can be changed unnoticed, not even what programs that read zip files do not look at. The list,
`manifest.json`, is signed by itself too, so that a pack that was unpacked can still be held against it.
"""

import hashlib
import io
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from auditor.chain import Keys
from auditor.log import FairdealError

MANIFEST, SIGNATURE = "manifest.json", "manifest.sig"
MAGIC = b"fairdeal pack 1 "
_SEAL = re.compile(re.escape(MAGIC) + rb"([0-9a-f]{64}) ([0-9a-f]{128})\Z")  # small letters only: one form of each seal
SEAL_BYTES = len(MAGIC) + 64 + 1 + 128
_SIGNATURE_CHARACTERS = 128
_FIXED_DATE = (1980, 1, 1, 0, 0, 0)


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A file of the pack."""

    sha256: str
    bytes: int


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What the pack holds, about what, and who made it when."""

    pack: str = "fairdeal pack 1"
    room: str
    run: int
    finding: int
    exported_by: str
    exported_at: str
    code: str
    key: str
    files: dict[str, Entry]


class NotAPackError(FairdealError):
    """A file that is no pack, or one that was cut or altered at its very end."""


class Pack(msgspec.Struct, frozen=True, kw_only=True):
    """A pack that was read: who signed it, what is in it, and everything that is wrong with its form."""

    key: str
    manifest: Manifest
    files: dict[str, bytes]
    faults: list[str]


def fingerprint(key: str) -> str:
    """A public key as people compare it.

    >>> fingerprint("00" * 32)
    '6668 7aad f862 bd77'
    """
    digest = hashlib.sha256(bytes.fromhex(key)).hexdigest()
    return " ".join(digest[place : place + 4] for place in range(0, 16, 4))


def sealed(keys: Keys, files: Mapping[str, bytes], **facts: str | int) -> bytes:
    """A pack of these files; `facts` are the manifest's other fields."""
    entries = {name: Entry(sha256=hashlib.sha256(files[name]).hexdigest(), bytes=len(files[name])) for name in files}
    key = keys.public().public_bytes_raw().hex()
    manifest = msgspec.json.encode(msgspec.convert({**facts, "key": key, "files": entries}, Manifest))
    signature = keys.sign_bytes(manifest).hex().encode()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {MANIFEST: manifest, SIGNATURE: signature, **files}.items():
            info = zipfile.ZipInfo(name, _FIXED_DATE)
            is_packed = name.endswith((".mp4", ".jpg"))
            info.compress_type = zipfile.ZIP_STORED if is_packed else zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            archive.writestr(info, content)
        archive.comment = MAGIC + key.encode() + b" " + b"0" * _SIGNATURE_CHARACTERS
    unsigned = out.getvalue()[:-_SIGNATURE_CHARACTERS]
    return unsigned + keys.sign_bytes(unsigned).hex().encode()


def is_pack(path: Path) -> bool:
    """Whether a file looks like a pack, whole or damaged, from either end."""
    with path.open("rb") as stream:
        starts = stream.read(4) == b"PK\x03\x04"
        stream.seek(0, io.SEEK_END)
        stream.seek(max(0, stream.tell() - SEAL_BYTES))
        return starts or MAGIC in stream.read()


def read_pack(content: bytes) -> Pack:
    """Read a pack; raises NotAPackError where there is nothing to hold it against."""
    seal = _SEAL.search(content[-SEAL_BYTES:])
    if seal is None:
        raise NotAPackError("its seal is missing or was altered")
    key = seal[1].decode()
    faults = []
    if not _is_signed(key, content[:-_SIGNATURE_CHARACTERS], seal[2].decode()):
        faults.append("the file was altered since it was sealed")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            files = {name: archive.read(name) for name in archive.namelist()}
        listed, signature = files.pop(MANIFEST), files.pop(SIGNATURE).decode("ascii", "replace")
        manifest = msgspec.json.decode(listed, type=Manifest)
    except Exception as error:  # zipfile raises whatever a damaged file leads it to
        raise NotAPackError(f"it was altered: {type(error).__name__}: {error}") from None
    if manifest.key != key or not _is_signed(key, listed, signature):
        faults.append(f"{MANIFEST} was altered")
    return Pack(key=key, manifest=manifest, files=files, faults=[*faults, *_differing(manifest, files)])


def _differing(manifest: Manifest, files: Mapping[str, bytes]) -> list[str]:
    """Files that are not as the list says."""
    faults = []
    for name in sorted(manifest.files.keys() - files.keys()):
        faults.append(f"{name} is missing")
    for name, content in sorted(files.items()):
        if name not in manifest.files:
            faults.append(f"{name} was added")
        elif hashlib.sha256(content).hexdigest() != manifest.files[name].sha256:
            faults.append(f"{name} was altered")
    return faults


def _is_signed(key: str, content: bytes, signature: str) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(signature), content)
    except (InvalidSignature, ValueError):
        return False
    return True
