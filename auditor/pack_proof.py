"""Proof that a pack is whole and right, anywhere and offline: its seal, its chain, and the round judged again."""

import hashlib
import io
from collections.abc import Iterator
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from auditor.audit import audit
from auditor.chain import GENESIS, is_signed, link
from auditor.evidence import Link, Proof
from auditor.exports import CHAIN, FINDING, LOG, ROUND
from auditor.findings import round_object
from auditor.intake import code_version
from auditor.log import FairdealError
from auditor.log_reader import LogReader
from auditor.pack import Pack
from auditor.schema import LEDGERS, PARTS


def pack_faults(pack: Pack) -> list[str]:
    """Everything that is wrong with a pack; a pack whose files were altered is not looked into further."""
    if pack.faults:
        return pack.faults
    try:
        proof = msgspec.json.decode(pack.files[CHAIN], type=Proof)
        finding = msgspec.json.decode(pack.files[FINDING])
        return [*_chain_faults(pack, proof), *_row_faults(pack, proof, finding), *_verdict_faults(pack, finding)]
    except (KeyError, TypeError, ValueError, msgspec.MsgspecError, FairdealError) as error:
        return [f"it does not hold what a pack must hold: {type(error).__name__}: {error}"]


def _chain_faults(pack: Pack, proof: Proof) -> Iterator[str]:
    """The log against the run's row, that row against its place in the chain, the head against the key."""
    public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(pack.key))
    if not is_signed(proof.head, public) or proof.head.head.room != pack.manifest.room:
        yield "the head of the chain is not signed with the pack's key"
    for ledger, each in (("runs", proof.run), ("growths", proof.growth)):
        if each is not None and not _follows(ledger, each):
            yield f"the run's row in {ledger} does not follow on the one before it"
        elif each is not None and each.number > proof.head.head.marks[ledger].count:
            yield f"the run's row in {ledger} lies beyond the signed head"
    if proof.run.number != pack.manifest.run or (proof.growth and proof.growth.row["run"] != pack.manifest.run):
        yield "the chain is another run's"
    said = proof.growth.row if proof.growth else proof.run.row
    if hashlib.sha256(pack.files[LOG]).hexdigest() != said["sha256"]:
        yield f"{LOG} is not the log that was kept"
    count, end = _events_end(pack.files[LOG])
    if (count, end) != (said["events"], said["events_hash"]):
        yield f"the events of {LOG} do not end in the hash that was chained"
    if (len(proof.findings), _end(proof.findings)) != (said["findings"], said["findings_hash"]):
        yield "the findings do not end in the hash that was chained"


def _row_faults(pack: Pack, proof: Proof, told: dict[str, Any]) -> Iterator[str]:
    """The finding against its own row in the chain."""
    row = dict(zip(PARTS["findings"], proof.findings[pack.manifest.finding - 1], strict=True))
    same = ("kind", "verdict", "t", "at", "message")
    if any(told["finding"][name] != row[name] for name in same) or told["number"] != pack.manifest.finding:
        yield f"{FINDING} is not the finding that was chained"


def _follows(ledger: str, each: Link) -> bool:
    row = [each.row[column] for column in LEDGERS[ledger]]
    return link(bytes.fromhex(each.previous), row).hex() == each.hash


def _end(rows: list[list[Any]]) -> str:
    hash = GENESIS
    for row in rows:
        hash = link(hash, row)
    return hash.hex()


def _events_end(content: bytes) -> tuple[int, str]:
    reader = LogReader(io.BytesIO(content), LOG)
    return (len(lines := [[reader.raw.decode()] for _ in reader]), _end(lines))


def _verdict_faults(pack: Pack, told: dict[str, Any]) -> Iterator[str]:
    """The round judged again from the log, by the rulebooks of the fairdeal that looks at the pack."""
    finding, kept = told["finding"], msgspec.json.decode(pack.files[ROUND])
    if finding not in kept["findings"]:
        yield f"{FINDING} is not among the findings of {ROUND}"
    by = "" if told["code"] == code_version() else " by this version of fairdeal, which is not the one that judged then"
    audited = audit(io.BytesIO(pack.files[LOG]), LOG)
    again = next((each for each in audited.rounds if each.number == kept["round"]), None)
    # Through JSON, because that is the form in which the pack holds it.
    found = msgspec.json.decode(msgspec.json.encode(round_object(again, audited.game.citation))) if again else {}
    if finding not in found.get("findings", []):
        yield f"judged again from the log{by}, this finding does not come out"
    elif any(found.get(name) != kept.get(name) for name in ("hands", "wagers", "pots", "spin", "status")):
        yield f"judged again from the log{by}, the round is not as {ROUND} says"
