"""The command line, run as a user runs it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from playing import GOOD, SHORT, written



def fairdeal(*arguments: str | Path, stdin: bytes = b"") -> tuple[int, str, str]:
    run = subprocess.run(
        [sys.executable, "-c", "from auditor.cli import main; main()", *map(str, arguments)],
        input=stdin, capture_output=True, check=False,
    )  # fmt: skip
    return run.returncode, run.stdout.decode(), run.stderr.decode()


@pytest.fixture
def logs(tmp_path: Path) -> dict[str, Path]:
    paths = {}
    for name, content in {
        "good": written("act-blackjack", GOOD),
        "bad": written("act-blackjack", SHORT),
        "broken": written("act-blackjack", GOOD) + b'{"t":99,"e":"chi',
        "empty": b"",
        "unknown_rulebook": written("act-whist", GOOD),
        "unknown_option": written("act-blackjack", GOOD, desks=6),
        "impossible_option": written("act-blackjack", GOOD, decks=4),
        "contradiction": written("act-blackjack", GOOD, min=50, max=5),
        "too_large": written("act-blackjack", GOOD, max=1e308),
    }.items():
        paths[name] = tmp_path / f"{name}.jsonl"
        paths[name].write_bytes(content)
    return paths


def test_a_right_round_exits_0(logs: dict[str, Path]) -> None:
    code, out, err = fairdeal("check", logs["good"])
    assert (code, err) == (0, "")
    assert "1 round (1 complete), 0 breaches, 0 unsure" in out


def test_a_breach_exits_1_and_shows_the_arithmetic(logs: dict[str, Path]) -> None:
    code, out, _ = fairdeal("check", logs["bad"])
    assert code == 1
    assert "19 beats 17 and pays 1 to 1: 10.00 is due on 10.00, 5.00 was paid." in out
    assert "rule NI2002-45 Blackjack 13.2(b)" in out


def test_json_is_one_object_a_round(logs: dict[str, Path]) -> None:
    code, out, _ = fairdeal("check", "--json", logs["bad"])
    (round_,) = map(json.loads, out.splitlines())
    assert code == 1
    assert round_["wagers"] == [
        {"at": "box1/main", "stake": 10, "result": "win", "due": 10, "paid": 5, "rule": "13.2(b)"}
    ]
    assert round_["findings"][0]["expected"] == 10
    assert round_["findings"][0]["observed"] == 5
    assert "log" not in round_


def test_several_logs_are_all_audited_and_the_highest_code_wins(logs: dict[str, Path]) -> None:
    code, out, err = fairdeal("check", "--json", logs["bad"], logs["broken"], logs["good"])
    assert code == 2
    assert [json.loads(line)["log"] for line in out.splitlines()] == [
        str(logs["bad"]), str(logs["broken"]), str(logs["good"])
    ]  # fmt: skip
    assert err.count("\n") == 1


def test_rounds_closed_before_an_unreadable_line_stay_printed(logs: dict[str, Path]) -> None:
    code, out, err = fairdeal("check", "--json", logs["broken"])
    assert code == 2
    assert json.loads(out)["status"] == "complete"
    assert err == f"fairdeal: {logs['broken']}:11: the last line is cut off\n"


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("empty", ":1: the file is empty"),
        ("unknown_rulebook", ":1: rulebook: unknown rulebook 'act-whist'"),
        ("unknown_option", ":1: house: Object contains unknown field desks"),
        ("impossible_option", ":1: house.decks: Expected int >= 5"),
        ("contradiction", ":1: house: min 50.0 is above max 5.0"),
        ("too_large", ":1: house.max: 1e+308 is no amount of money"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(logs: dict[str, Path], name: str, complaint: str) -> None:
    code, out, err = fairdeal("check", "--json", logs[name])
    assert (code, out) == (2, "")
    assert err.startswith(f"fairdeal: {logs[name]}{complaint}")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("check",), ("check", "nowhere.jsonl"), ("check", "/"), ("check", "--xml", "a"), ("shuffle",),
        ("rules", "act-whist"), ("simulate",),
    ],
)
def test_misuse_is_one_line_and_exit_2(arguments: tuple[str, ...]) -> None:
    code, out, err = fairdeal(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("fairdeal: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("group", [(), ("chips",), ("deck",)])
def test_a_group_without_a_command_shows_its_help_line_by_line(group: tuple[str, ...]) -> None:
    code, out, err = fairdeal(*group)
    assert (code, out) == (2, "")
    assert err.startswith("Usage:")
    assert "\nCommands:\n" in err


def test_what_cannot_be_written_is_one_line_and_exit_2(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    code, out, err = fairdeal("dataset", "--how", "drawn", "--n", "1", "--out", tmp_path / "file" / "folder")
    assert (code, out) == (2, "")
    assert err == f"fairdeal: {tmp_path}/file/folder/images/train: Not a directory\n"


def test_standard_input_is_a_log_too() -> None:
    code, out, _ = fairdeal("check", "-", stdin=written("act-blackjack", GOOD))
    assert code == 0
    assert "1 round" in out


def test_a_reader_that_goes_away_is_no_error(logs: dict[str, Path]) -> None:
    command = f"{sys.executable} -c 'from auditor.cli import main; main()' check --json {logs['good']} | true"
    run = subprocess.run(["sh", "-c", command], capture_output=True, check=False)
    assert run.stderr == b""


def test_every_command_shows_an_example() -> None:
    for command in ("check", "demo", "reaudit", "rules", "serve", "simulate", "verify"):
        code, out, _ = fairdeal(command, "--help")
        assert code == 0
        assert "Example:" in out


def test_simulate_writes_the_same_bytes_for_the_same_seed(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        code, _, err = fairdeal(
            "simulate", "--no-video", "--game", "act-blackjack", "--rounds", "12", "--seed", "5",
            "--errors", "payout.short=1,draw.excess=1", "--out", tmp_path / folder,
        )  # fmt: skip
        assert (code, err) == (0, "")
    assert (tmp_path / "one/truth.jsonl").read_bytes() == (tmp_path / "two/truth.jsonl").read_bytes()
    seeded = [json.loads(line) for line in (tmp_path / "one/seeded.jsonl").read_text().splitlines()]
    assert sorted(mistake["kind"] for mistake in seeded) == ["draw.excess", "payout.short"]
    code, out, _ = fairdeal("check", "--json", tmp_path / "one/truth.jsonl")
    found = [
        {"round": round_["round"], "kind": each["kind"], "at": each["at"]}
        for round_ in map(json.loads, out.splitlines())
        for each in round_["findings"]
    ]
    assert code == 1
    assert found == [{name: mistake[name] for name in ("round", "kind", "at")} for mistake in seeded]


def test_simulate_says_what_a_game_cannot_have(tmp_path: Path) -> None:
    code, _, err = fairdeal(
        "simulate", "--no-video", "--game", "act-blackjack", "--errors", "deal.exposed=1", "--out", tmp_path
    )
    assert code == 2
    assert "all cards are dealt face up" in err


def test_demo_audits_every_shipped_log() -> None:
    code, out, err = fairdeal("demo")
    assert code == 0
    assert err == "fairdeal: the review site is served on a terminal only: run `fairdeal demo` there\n"
    assert "act-blackjack" in out
    assert "✗" in out


def test_the_list_of_commands_breaks_no_sentence_off() -> None:
    _, out, _ = fairdeal("--help")
    assert "..." not in out.partition("Commands:")[2]
