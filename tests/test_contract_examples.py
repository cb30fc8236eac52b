"""The contract's example logs, where they are at hand: what must be found is, and nothing else."""

import fnmatch
import json
from pathlib import Path
from typing import Any

import pytest
from playing import Answer, answers

EXAMPLES = Path(__file__).parent.parent.parent / "shared" / "contracts" / "examples"
EXPECTED = (
    [json.loads(line) for line in (EXAMPLES / "expect.jsonl").read_text().splitlines()] if EXAMPLES.is_dir() else []
)


def holds(finding: Answer, wanted: dict[str, Any]) -> bool:
    """`payout.*` stands for any kind of that family; fields that are not named are free."""
    if not fnmatch.fnmatch(finding["kind"], wanted["kind"]) or finding["verdict"] != wanted.get("verdict", "breach"):
        return False
    return all(finding[field] == value for field, value in wanted.items() if field != "kind")


def check_round(round_: Answer, expected: Answer) -> None:
    assert round_["status"] == expected.get("status", round_["status"])
    settled = {wager["at"]: wager for wager in round_["wagers"]}
    for at, fields in expected.get("wagers", {}).items():
        assert {name: settled[at][name] for name in fields} == fields, at
    for pot, fields in zip(round_.get("pots", []), expected.get("pots", []), strict=False):
        assert {name: pot[name] for name in fields} == fields
    assert len(round_.get("pots", [])) >= len(expected.get("pots", []))
    spin = expected.get("spin", {})
    assert {name: round_["spin"][name] for name in spin} == spin
    unexplained = [finding for finding in round_["findings"] if finding["verdict"] == "breach"]
    for wanted in expected.get("must", []):
        assert any(holds(finding, wanted) for finding in round_["findings"]), wanted
        unexplained = [finding for finding in unexplained if not holds(finding, wanted)]
    for kinds in expected.get("any", []):
        assert any(finding["kind"] in kinds for finding in unexplained), kinds
        unexplained = [finding for finding in unexplained if finding["kind"] not in kinds]
    allowed = expected.get("allow", [])
    assert [each for each in unexplained if not any(fnmatch.fnmatch(each["kind"], kind) for kind in allowed)] == []


@pytest.mark.skipif(not EXPECTED, reason="the contract's examples are not beside this checkout")
@pytest.mark.parametrize("expected", EXPECTED, ids=lambda expected: expected["log"])
def test_an_example_is_answered_as_the_contract_says(expected: Answer) -> None:
    rounds = answers((EXAMPLES / expected["log"]).read_bytes())
    breached = any(finding["verdict"] == "breach" for round_ in rounds for finding in round_["findings"])
    assert int(breached) == expected["exit"]
    assert len(rounds) == len(expected["rounds"])
    for round_, wanted in zip(rounds, expected["rounds"], strict=True):
        check_round(round_, wanted)
