"""Poker against pokerkit: random hands with side pots, and televised hands, must be audited without a difference.

    python -m datasets.evaluate_poker [HANDS]

prints how many hands were compared, and how many differed (which must be none).
"""

import io
import random
import sys
from typing import Any, NamedTuple

import msgspec
from pokerkit import State
from pokerkit.state import ChipsPushing

from auditor.audit import audit
from auditor.findings import AuditedRound
from auditor.log import Header, log_bytes
from datasets.poker_oracle import Played, Writer, expected_shares, random_hand, televised_hands

HANDS = 20_000


class Comparison(NamedTuple):
    """How many hands were compared, and what differed, in words."""

    hands: int
    differences: list[str]


def audited(state: State, boxes: list[int], rulebook: str, house: dict[str, Any]) -> AuditedRound:
    """What the auditor says of a hand that pokerkit played."""
    events = Writer(state, boxes, shows_aggressor=rulebook == "tas-holdem").write()
    header = {"log": "fairdeal/1", "table": "PK-1", "rulebook": rulebook, "started": "2026-11-15T20:00:00+11:00"}
    table_log = log_bytes(msgspec.convert(header | {"house": {"commission": "none"} | house}, Header), events)
    [round] = audit(io.BytesIO(table_log), rulebook).rounds
    return round


def compare_random(count: int, seed: int = 1) -> Comparison:
    """Random hands of three to six players: no finding, the same pots, the same shares."""
    chance = random.Random(seed)
    differences = []
    for number in range(count):
        rulebook, limit = chance.choice(["act-holdem", "tas-holdem"]), chance.choice(["none", "fixed"])
        players = chance.randint(3, 6)
        boxes = sorted(chance.sample(range(1, 10), players))
        turn = chance.randrange(players)
        boxes = boxes[turn:] + boxes[:turn]
        played = random_hand(chance, players, limit)
        house: dict[str, Any] = {"limit": limit, "blinds": [1, 2], "chip": 1}
        if limit == "fixed":
            house["fixed"] = [2, 4]
        problem = difference(audited(played.state, boxes, rulebook, house), played, boxes)
        if problem:
            differences.append(f"hand {number} ({rulebook}, {limit}): {problem}")
    return Comparison(count, differences)


def difference(round: AuditedRound, played: Played, boxes: list[int]) -> str | None:
    """What differs, if anything. pokerkit divides pots of equal winners as one, so odd chips may lie elsewhere."""
    if round.findings or round.status != "complete":
        return f"{round.status} {[(finding.kind, finding.at) for finding in round.findings]}"
    pots = round.pots or []
    amounts = [pot.amount // 100 for pot in pots]
    if amounts != [amount for amount, _ in played.pots if amount]:
        return f"pots {amounts}, not {played.pots}"
    shares: dict[str, int] = {}
    for pot in pots:
        for box, share in (pot.winners or {}).items():
            shares[box] = shares.get(box, 0) + share
    due = expected_shares(played, boxes)
    if set(shares) != set(due) or any(abs(shares[box] - due[box]) > 100 * len(pots) for box in due):
        return f"shares {shares}, not {due}"
    return None


def compare_televised() -> Comparison:
    """The televised hands whose structure the rulebooks allow: no finding in either rulebook."""
    count, differences = 0, []
    for name, state in televised_hands():
        blinds = [blind for blind in state.blinds_or_straddles if blind]
        winners = {
            player for each in state.operations if isinstance(each, ChipsPushing)
            for player, amount in enumerate(each.amounts) if amount
        }  # fmt: skip
        if any(state.antes) and len(winners) > 1:
            continue  # the ante that is left out would have to be taken from two winners
        house: dict[str, Any] = {"blinds": blinds, "chip": 1000}
        if state.betting_structure.name == "FIXED_LIMIT":
            house |= {"limit": "fixed", "fixed": [blinds[-1], 2 * blinds[-1]]}
        boxes = list(range(1, state.player_count + 1))
        for rulebook in ("act-holdem", "tas-holdem"):
            count += 1
            round = audited(state, boxes, rulebook, house)
            if round.findings or round.status != "complete":
                differences.append(f"{name} ({rulebook}): {[(each.kind, each.message) for each in round.findings]}")
    return Comparison(count, differences)


def main(count: int = HANDS) -> int:
    """Compare, and answer with the number of differences."""
    differences = 0
    for what, comparison in (("random hands", compare_random(count)), ("televised hands", compare_televised())):
        print(f"{what}: {comparison.hands} compared, {len(comparison.differences)} differences")
        for line in comparison.differences[:10]:
            print("  ", line)
        differences += len(comparison.differences)
    return differences


if __name__ == "__main__":
    raise SystemExit(1 if main(*map(int, sys.argv[1:2])) else 0)
