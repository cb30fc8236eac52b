"""Logs that begin or end in the middle of a round, and wagers told step by step: only what is proved is told."""

import re
from collections.abc import Iterator

import msgspec
import pytest

from auditor.log import log_bytes
from datasets.dealer import Dealer
from datasets.dealers import DEALERS
from datasets.dealers.poker import PokerDealer
from playing import GOOD, SHORT, Answer, answers, breaches, play, unsure, wager, written

HOUSE_GAMES = [dealer for dealer in DEALERS if not issubclass(dealer, PokerDealer)]

BOARD = "card board ??\n" * 5
HOLE = "card box1 ??\ncard dealer ??\n" * 2
UTH = "shuffle\ncut\nchips box1/ante 10 player\nchips box1/blind 10 player\n"
TWO = "chips box2/ante 10 player\nchips box2/blind 10 player\n"
HOLE_OF_TWO = "card box1 ??\ncard box2 ??\ncard dealer ??\n" * 2
FLOP, RIVER = "turn board 9h\nturn board 8d\nturn board 6d\n", "turn board 4c\nturn board 2s\n"
SHOWN = FLOP + RIVER + "turn dealer 9c\nturn dealer Ks\nturn box1 Ah\nturn box1 Ac\n"
PAID = (
    "chips box1/blind 0 player\nchips box1/ante 20 dealer\nchips box1/ante 0 player\nchips box1/play 80 dealer\n"
    "chips box1/play 0 player\ngone box1\n"
)
CLEARED = "gone dealer\ngone board\n"
CANBERRA = (
    "shuffle\ncut\nchips box1/ante 100 player\n" + "card box1 ??\ncard dealer ??\n" * 4
    + "card box1 ??\ncard dealer 2c\n"
)  # fmt: skip
GAP = "feed lost\nfeed back\n"


# ---- the log ends ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tiles", range(5, 33))
def test_paigow_8_5_a_deal_in_the_wrong_direction_passes_nobody_over_while_it_goes_on(tiles: int) -> None:
    places = [f"box{box}" for box in (7, 6, 5, 4, 3, 2, 1, 8) for _ in range(4)]
    dealt = "".join(f"tile {place} ??\n" for place in places[:tiles])
    start = "shuffle\ncut\nchips box2/main 50 player\ncall no_more_bets dealer\ndice 5,4,6\n"
    rounds = play("act-paigow", start + dealt)
    assert breaches(rounds) == [("deal.order", "box6")]


def test_paigow_8_5_a_box_passed_over_or_dealt_too_many_is_proved_at_once() -> None:
    start = "shuffle\ncut\nchips box2/main 50 player\ndice 5,4,6\n" + "tile box7 ??\n" * 4
    assert breaches(play("act-paigow", start + "tile box1 ??\n")) == [("deal.missed", "box8")]
    assert breaches(play("act-paigow", start + "tile box7 ??\n")) == [("deal.extra", "box7")]


@pytest.mark.parametrize(("cards", "found"), [
    ("card box1 ??\n", [("deal.order", "box1")]),
    ("card box1 ??\ncard dealer ??\n", [("deal.order", "box1")]),
    (BOARD + "card board ??\n", [("deal.count", "board")]),
    (BOARD + "card dealer ??\n", [("deal.missed", "box1")]),
    (BOARD + "card box2 ??\n", [("deal.no_wager", "box2")]),
    (BOARD + "card box1 ??\n", []),
])  # fmt: skip
def test_uth_7_3_first_wrong_card_of_a_deal_that_the_log_cuts_off(
    cards: str, found: list[tuple[str, str | None]]
) -> None:
    assert breaches(play("act-uth", UTH + cards)) == found


def test_blackjack_6_2_a_box_passed_over_stays_the_one_fault_when_the_dealer_draws() -> None:
    script = (
        "chips box1/main 10 player\nchips box2/main 10 player\ncard box1 Ts\ncard dealer 6c\ncard box1 8h\n"
        "call stand box1 player\ncard dealer Td\n"
    )
    assert breaches(play("act-blackjack", script)) == [("deal.missed", "box2")]


@pytest.mark.parametrize(("game", "script"), [
    ("act-uth", UTH + BOARD + HOLE + "chips box1/play 20 player\n"),
    ("act-canberra-poker", CANBERRA + "chips box1/bet 100 player\n"),
    ("act-blackjack", "chips box1/main 10 player\ncard box1 8s\ncard dealer 6c\ncard box1 8h\n"
                      "gone box1 cards=8h to=box1#2\nchips box1#2/main 5 player\n"),
])  # fmt: skip
def test_a_wager_still_being_laid_when_the_log_ends_is_not_too_small(game: str, script: str) -> None:
    assert breaches(play(game, script)) == []
    went_on = {"act-uth": FLOP, "act-canberra-poker": "turn dealer Th\n", "act-blackjack": "card box1 Td\n"}
    assert [kind for kind, _ in breaches(play(game, script + went_on[game]))] == ["bet.amount"]


def test_baccarat_6_2_cards_that_went_to_boxes_alone() -> None:
    script = "chips box1/player 10 player\ncard box1 As\ncard box2 5h\nchips box1/player 0 dealer\n"
    rounds = play("act-baccarat", script + "gone box1\ngone box2\n")
    assert ("deal.order", "box1") in breaches(rounds)


# ---- wagers laid in steps, or partly unseen ----------------------------------------------------------------------


def test_uth_8_1_a_play_wager_is_laid_in_steps_told_twice_and_beside_another_s() -> None:
    steps = "chips box1/play 20 player\nchips box1/play 20 player\nchips box1/play 40 player\n"
    rounds = play("act-uth", UTH + BOARD + HOLE + steps + SHOWN + PAID + CLEARED)
    assert breaches(rounds) == []
    assert wager(rounds, "box1/play")["stake"] == 40
    for other in ("chips box1/ante 10\n", "chips box1/blind 10 player\n"):  # read once more as it stands
        read_again = steps.replace("chips box1/play 40", other + "chips box1/play 40")
        assert breaches(play("act-uth", UTH + BOARD + HOLE + read_again + SHOWN + PAID + CLEARED)) == []
    mixed = "chips box1/play 20 player\nchips box2/play 40 player\ncall check box2 player\nchips box1/play 40 player\n"
    assert breaches(play("act-uth", UTH + TWO + BOARD + HOLE_OF_TWO + mixed + FLOP)) == []


def test_uth_4_6_a_whole_play_wager_is_not_raised_after_others_have_acted() -> None:
    raised = "chips box1/play 30 player\nchips box2/play 40 player\nchips box1/play 40 player\n"
    rounds = play("act-uth", UTH + TWO + BOARD + HOLE_OF_TWO + raised + FLOP)
    assert breaches(rounds) == [("bet.moved", "box1/play")]


@pytest.mark.parametrize(("game", "script"), [
    ("act-uth", UTH + BOARD + HOLE + "chips box1/play 20 player\n" + GAP + SHOWN + PAID + CLEARED),
    ("act-canberra-poker", CANBERRA + "chips box1/bet 100 player\n" + GAP + "turn dealer Th\ngone box1\ngone dealer\n"),
])  # fmt: skip
def test_the_rest_of_a_wager_may_have_been_laid_unseen(game: str, script: str) -> None:
    assert "bet.amount" in [kind for kind, _ in unsure(play(game, script))]
    assert breaches(play(game, script)) == []
    assert "bet.amount" in [kind for kind, _ in breaches(play(game, script.replace(GAP, "")))]


def test_a_gap_after_a_wager_was_settled_hides_nothing_of_its_size() -> None:
    script = UTH + BOARD + HOLE + "chips box1/play 20 player\n" + SHOWN + PAID + GAP + CLEARED
    assert ("bet.amount", "box1/play") in breaches(play("act-uth", script))


def test_blackjack_11_1_the_card_of_a_double_on_three_cards_may_have_come_unseen() -> None:
    start = "chips box1/main 10 player\ncard box1 2s\ncard dealer 6c\ncard box1 3h\ncard box1 4d\n"
    end = "card dealer Td\ncard dealer 2h\nchips box1/main 40 dealer\nchips box1/main 0 player\n"
    end += "gone box1\ngone dealer\n"
    assert breaches(play("act-blackjack", start + "chips box1/main 20 player\n" + GAP + end)) == []
    assert ("bet.moved", "box1/main") in breaches(play("act-blackjack", start + "chips box1/main 20 player\n" + end))


# ---- the log begins ----------------------------------------------------------------------------------------------

LINES = SHORT.strip().splitlines()


def headless(game: str, script: str) -> list[Answer]:
    """What is answered to a log whose first line comes a minute after it was started."""
    header, *events = written(game, script).splitlines()
    later = [msgspec.json.encode(event | {"t": event["t"] + 60}) for event in map(msgspec.json.decode, events)]
    return answers(b"\n".join([header, *later, b""]))


def begun_anywhere(dealer: type[Dealer], seed: int) -> Iterator[tuple[int, list[tuple[str, str | None]]]]:
    """A right log without its first events, as many as there are: the breaches that are told of what is left."""
    events = [event for round_events, _ in dealer(seed).rounds(3, {}) for event in round_events]
    for start in range(1, len(events), 7):
        yield start, breaches(answers(log_bytes(dealer(seed).header(), events[start:])))


@pytest.mark.parametrize("dealer", HOUSE_GAMES, ids=lambda dealer: dealer.rulebook)
def test_a_right_log_accuses_nobody_wherever_it_begins(dealer: type[Dealer]) -> None:
    for seed in (1, 2, 3):
        assert [found for found in begun_anywhere(dealer, seed) if found[1]] == []


@pytest.mark.parametrize("start", range(1, 6))
def test_a_log_that_begins_in_mid_round_accuses_nobody_of_what_it_did_not_see(start: int) -> None:
    assert breaches(play("act-blackjack", "\n".join(LINES[start:]))) == []


def test_the_round_after_one_that_began_unseen_is_judged() -> None:
    assert breaches(play("act-blackjack", "\n".join(LINES[2:]) + SHORT)) == [("payout.short", "box1/main")]


@pytest.mark.parametrize("before", [
    "shuffle dealer\n", "chips box1/main 0\n", "chips box2/main 10 player\n"
])  # fmt: skip
def test_a_table_seen_before_the_deal_proves_that_a_box_held_no_wager(before: str) -> None:
    rounds = play("act-blackjack", before + GOOD.replace("chips box1/main 10 player", ""))
    assert ("deal.no_wager", "box1") in breaches(rounds)


@pytest.mark.parametrize("unlaid", [
    "chips box1/main 20 dealer\nchips box1/main 0 player\n", "chips box1/main 0 dealer\n", "chips box1/main 0\n",
])  # fmt: skip
def test_blackjack_6_2_a_wager_that_is_settled_stood_before_the_log_began(unlaid: str) -> None:
    script = "chips box2/main 10 player\ncard box1 Ts\ncard box2 Td\ncard dealer 9c\ncard box1 9d\ncard box2 8d\n"
    script += "card dealer 8c\n" + unlaid + "chips box2/main 15 dealer\nchips box2/main 0 player\n"
    script += "gone box1\ngone box2\ngone dealer\n"
    rounds = headless("act-blackjack", script)
    assert ("deal.no_wager", "box1") in unsure(rounds)
    assert breaches(rounds) == [("payout.short", "box2/main")]  # of what was seen laid nothing is in doubt
    assert ("deal.no_wager", "box1") in breaches(play("act-blackjack", script))  # a log from the start tells of all


def test_blackjack_11_1_a_wager_that_is_doubled_stood_before_the_log_began() -> None:
    script = "chips box2/main 10 player\ncard box1 6s\ncard box2 Td\ncard dealer 9c\ncard box1 5d\ncard box2 8d\n"
    script += "chips box1/main 20 player\ncard box1 9h\ncard dealer 8c\nchips box1/main 40 dealer\n"
    script += "chips box1/main 0 player\nchips box2/main 20 dealer\nchips box2/main 0 player\n"
    assert breaches(headless("act-blackjack", script + "gone box1\ngone box2\ngone dealer\n")) == []


def test_blackjack_11_1_a_standing_wager_doubled_after_a_gap_is_no_wager_of_the_next_round() -> None:
    """The deal went unseen, and the first hand was out and gathered in before the second was doubled."""
    laid = "chips box1/main 10 player\nchips box2/main 10 player\n"
    script = laid + GAP + "chips box1/main 0 dealer\ngone box1\nchips box2/main 20 player\ncard box2 Th\n"
    script += "card dealer 3h\ncard dealer 6d\nchips box2/main 40 dealer\nchips box2/main 0 player\n"
    assert breaches(headless("act-blackjack", script + "gone box2\ngone dealer\n")) == []


def test_blackjack_the_round_after_one_of_which_only_the_last_card_was_seen_is_judged() -> None:
    last = "call stand box1 player\ncard dealer Ac\nchips box1/main 0 dealer\ngone box1\ngone dealer\n"
    assert breaches(play("act-blackjack", last + SHORT)) == [("payout.short", "box1/main")]


def test_paigow_10_1_the_bank_s_hand_is_proof_whoever_wagered_before_the_log_began() -> None:
    deal = "".join(f"tile box{box} ??\n" * 4 for box in (5, 6, 7, 8, 1, 2, 3, 4))
    deal += "".join(f"gone box{box} n=4\n" for box in (3, 4, 5, 6, 7, 8))
    hands = "set box1 low=day,look high=ng32,gj3\nset box2 low=day,gow54 high=teen,teen\n"
    end = "chips box2/main 100 dealer\nchips box2/main 0 player\ngone box2\ngone box1\n"
    rounds = headless("act-paigow", "shuffle dealer\ncut dealer\ndice 2,1,2\n" + deal + hands + end)
    assert ("deal.no_wager", "box2") in unsure(rounds)
    assert breaches(rounds) == [("set.house_way", "box1")]


REMNANT = (
    "set box1 low=chong,ng32 high=teen,yun\nturn box3 look\nturn box3 ng41\nturn box3 day\nturn box3 yun\n"
    "set box3 low=look,ng41 high=day,yun\nchips box3/main 0 dealer\ngone box3\ngone box1\n"
)


def test_paigow_what_is_left_of_a_round_is_not_the_next_one_s() -> None:
    """The hands set at the end of a round that was not seen dealt are not compared for the wagers of the next."""
    start = "shuffle dealer\ncut dealer\nchips box3/main 50 player\ncall no_more_bets dealer\ndice 2,1,2\n"
    deal = "".join(f"tile box{box} ??\n" * 4 for box in (5, 6, 7, 8, 1, 2, 3, 4))
    deal += "".join(f"gone box{box} n=4\n" for box in (2, 4, 5, 6, 7, 8))
    hands = "set box1 low=day,ng32 high=gj3,look\nset box3 low=day,gow54 high=teen,teen\n"
    end = "chips box3/main 75 dealer\nchips box3/main 0 player\ngone box3\ngone box1\n"
    rounds = play("act-paigow", REMNANT + start + deal + hands + end)
    assert len(rounds) == 1
    assert breaches(rounds) == [("payout.short", "box3/main")]
    assert play("act-paigow", REMNANT) == []


def test_paigow_8_5_a_hand_that_is_set_had_its_wager_before_the_log_began() -> None:
    deal = "".join(f"tile box{box} ??\n" * 4 for box in (5, 6, 7, 8, 1, 2, 3, 4))
    deal += "".join(f"gone box{box} n=4\n" for box in (4, 5, 6, 7, 8))
    hands = "set box1 low=day,ng32 high=gj3,look\nset box2 low=day,gow54 high=teen,teen\n"
    hands += "set box3 low=mooy,ping high=foo,chit43\n"
    end = "chips box2/main 100 dealer\nchips box2/main 0 player\ngone box2\ngone box3\ngone box1\n"
    script = "chips box2/main 50 player\ncall no_more_bets dealer\ndice 2,1,2\n" + deal + hands + end
    assert ("deal.no_wager", "box3") in unsure(headless("act-paigow", script))
    assert breaches(play("act-paigow", script)) == [("deal.no_wager", "box3")]


def test_roulette_9_2_a_no_spin_for_a_launch_that_nobody_saw() -> None:
    end = "chips layout/red 0 dealer\n"
    spun = "spin cw ccw dealer\ncall no_more_bets dealer\nball leave_track laps=9\nball rest pocket=2\ndolly 2\n"
    called = "chips layout/red 10 player\ncall no_spin dealer\nball leave_track laps=1\nball rest pocket=5\n"
    assert breaches(play("act-roulette", called + spun + end)) == []
    unseen = "ball leave_track laps=1\nball rest pocket=5\nchips layout/red 10 player\n"
    assert ("spin.laps", None) in unsure(play("act-roulette", unseen + spun + end))


def test_roulette_7_1_a_round_is_judged_that_begins_with_the_lifting_of_the_dolly() -> None:
    lost = "ball rest pocket=5\ndolly 5\nchips layout/black 0 dealer\ndolly null\n"
    spun = "spin cw ccw dealer\ncall no_more_bets dealer\nball leave_track laps=9\nball rest pocket=2\ndolly 2\n"
    end = "chips layout/red 20 dealer\nchips layout/red 0 player\n"
    rounds = play("act-roulette", lost + "chips layout/red 10 player\n" + spun + end)
    assert breaches(rounds) == [("payout.loser_paid", "layout/red")]


def test_uth_6_1_a_shuffle_that_is_missing_after_a_round_whose_beginning_was_not_seen() -> None:
    again = UTH.replace("shuffle\ncut\n", "") + BOARD + HOLE + "chips box1/play 40 player\n" + SHOWN + PAID + CLEARED
    assert ("shuffle.missing", None) in breaches(play("act-uth", SHOWN + PAID + CLEARED + again))


def test_cards_dealt_without_a_wager_that_nobody_settles_are_no_sign_of_a_log_cut_short() -> None:
    rounds = play("act-blackjack", "card box1 Ts\ncard dealer 9c\ncard box1 9d\ngone box1\ngone dealer\n")
    assert ("deal.no_wager", "box1") in breaches(rounds)


# ---- what several readings find wrong ----------------------------------------------------------------------------


def test_blackjack_7_1_7_2_insurance_wrong_for_every_card_of_the_dealer_s_is_a_breach() -> None:
    script = (
        "chips box1/main 100 player\ncard box1 5s\ncard dealer ?? up=true\ncard box1 9h\ncard box1 3d\n"
        "chips box1/insurance 50 player\ncard dealer 7d\nchips box1/insurance 0 dealer\nchips box1/main 0 dealer\n"
        "gone box1\ngone dealer\n"
    )
    found = [kind for kind, at in breaches(play("act-blackjack", script)) if at == "box1/insurance"]
    assert found == ["bet.invalid"]  # most readings show no ace; with one it is too late
    in_time = script.replace("card box1 3d\nchips box1/insurance 50 player\n", "chips box1/insurance 50 player\n")
    assert ("bet.invalid", "box1/insurance") in unsure(play("act-blackjack", in_time))


def test_blackjack_8_1_a_payment_wrong_for_every_card_is_a_breach_though_of_several_kinds() -> None:
    script = (
        "chips box1/main 100 player\ncard box1 As\ncard dealer Tc\ncard box1 Kh conf=0.3\nchips box1/main 250 dealer\n"
        "chips box1/main 0 player\ncard dealer 9d\ngone box1\ngone dealer\n"
    )
    assert breaches(play("act-blackjack", script)) == [("payout.order", "box1/main")]
    assert unsure(play("act-blackjack", script)) == []


# ---- cards turned down again -------------------------------------------------------------------------------------

EXPOSED = (
    "shuffle\ncut\nchips box1/ante 100 player\ncard box1 Qs\nturn box1 {down} up=false\ncard dealer ??\n"
    + "card box1 ??\ncard dealer ??\n" * 3 + "card box1 ??\ncard dealer 2c\nchips box1/bet 200 player\n"
    "turn dealer Th\nturn dealer Tc\nturn dealer 6d\nturn dealer 3h\n{hand}"
    "chips box1/ante 200 dealer\nchips box1/ante 0 player\nchips box1/bet 800 dealer\nchips box1/bet 0 player\n"
    "gone box1\ngone dealer\n"
)  # fmt: skip


def _later(table_log: bytes, seconds: float) -> bytes:
    """The same log, so much longer after recording began."""
    head, *events = map(msgspec.json.decode, table_log.splitlines())
    lines = [head, *(event | {"t": event["t"] + seconds} for event in events)]
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


def test_canberra_a_log_that_begins_at_any_event_of_a_round_accuses_nobody_of_it() -> None:
    """Recording began at once, or a minute ago; with and without saying who moved the chips."""
    dealt = [f"card {place} ??" for _ in range(5) for place in ("box1", "box2", "dealer")]
    lines = ["shuffle", "cut", "chips box1/ante 100 player", "chips box2/ante 100 player"]
    lines += [*dealt[:-1], "card dealer 2c"]
    lines += ["chips box1/bet 200 player", "call fold box2 by=player", "gone box2", "chips box2/ante 0 dealer"]
    lines += [f"turn dealer {card}" for card in ("Th", "Tc", "6d", "3h")]
    lines += [f"turn box1 {card}" for card in ("Qs", "Qh", "Qd", "8c", "5s")]
    lines += ["chips box1/ante 200 dealer", "chips box1/ante 0 player", "chips box1/bet 800 dealer"]
    lines += ["chips box1/bet 0 player", "gone box1", "gone dealer"]
    short = [line.replace("bet 800", "bet 700") for line in lines]
    for start in range(4, len(lines)):
        cut, after = "\n".join(lines[start:]), "\n" + "\n".join(short)
        nobodys = re.sub(r"^(chips .*) (player|dealer)$", r"\1", cut, flags=re.MULTILINE)
        for script in (cut, nobodys):
            for later in (0, 60):
                assert breaches(answers(_later(written("act-canberra-poker", script), later))) == [], lines[start]
        assert breaches(play("act-canberra-poker", cut + after)) == [("payout.short", "box1/bet")], lines[start]


@pytest.mark.parametrize("down", ["Qs", "??", "Q?"])
@pytest.mark.parametrize("first", ["Qs", "Q?", "?s"])
def test_canberra_11_1_an_exposed_card_turned_over_is_one_card_however_it_is_read_again(down: str, first: str) -> None:
    hand = "".join(f"turn box1 {card}\n" for card in (first, "Qh", "Qd", "8c", "5s"))
    rounds = play("act-canberra-poker", EXPOSED.format(down=down, hand=hand))
    assert breaches(rounds) == [("deal.exposed", "box1")]
    assert wager(rounds, "box1/bet")["result"] in ("win", None)


def test_canberra_11_1_a_half_read_card_beside_the_exposed_one_stays_another_card() -> None:
    hand = "".join(f"turn box1 {card}\n" for card in ("Q?", "Qs", "Qd", "8c", "5s"))
    rounds = play("act-canberra-poker", EXPOSED.format(down="Qs", hand=hand))
    assert breaches(rounds) == [("deal.exposed", "box1")]
    assert wager(rounds, "box1/bet")["due"] == 600


def test_blackjack_a_log_that_begins_with_a_double_whose_stake_is_picked_up_accuses_nobody() -> None:
    later = "shuffle\n" * 11  # the log does not tell of the table from its own start
    doubled = "chips box1/main 30 player\ncard box1 Jh\ncard dealer 3c\ncard dealer Jd\nchips box1/main 0 player\n"
    table_log = written("act-blackjack", later + doubled + "gone box1\ngone dealer\n").splitlines(keepends=True)
    assert breaches(answers(b"".join([table_log[0], *table_log[12:]]))) == []


def test_baccarat_6_2_a_log_that_begins_with_the_bankers_card_may_lack_the_players() -> None:
    cards = "card banker 6d\ncard player Ts\ncard banker Ac\ncard player 7h\ngone player\ngone banker\n"
    rounds = play("act-baccarat", cards)
    assert breaches(rounds) == []
    assert breaches(play("act-baccarat", "chips box1/player 10 player\n" + cards)) == [("deal.order", "banker")]
