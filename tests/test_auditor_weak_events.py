"""Chips, calls and markers that were weakly seen may not have been there: what hangs on that alone is no proof."""

import random

import msgspec
import pytest

from auditor import log
from datasets.dealer import Dealer
from datasets.dealers import DEALERS
from playing import SHORT, answers, breaches, findings, play, unsure, wager

CARDS = "card box1 Ts\ncard dealer 7c\ncard box1 9h\ncard dealer Td\n"
PAID = "chips box1/main 20 dealer\nchips box1/main 0 player\ngone box1\ngone dealer\n"


def test_chips_weakly_read_as_none_may_be_a_wager() -> None:
    script = "chips box1/main 0 player conf=0.5\n" + CARDS + PAID
    sure = play("act-blackjack", script.replace(" conf=0.5", ""))
    assert ("deal.no_wager", "box1") in breaches(sure)
    assert breaches(play("act-blackjack", script)) == []
    assert ("deal.no_wager", "box1") in unsure(play("act-blackjack", script))


def test_chips_weakly_read_may_be_none_and_the_box_not_passed_over() -> None:
    rounds = play("act-blackjack", "chips box1/main 10 player\nchips box2/main 10 player conf=0.5\n" + CARDS + PAID)
    assert breaches(rounds) == []
    assert ("deal.missed", "box2") in unsure(rounds)


def test_chips_that_are_there_for_sure_are_a_wager_however_many_they_are() -> None:
    script = "chips box1/main 10 player\nchips box2/main 10 player conf=0.5 there={}\n" + CARDS + PAID
    assert ("deal.missed", "box2") in breaches(play("act-blackjack", script.format(0.95)))
    assert breaches(play("act-blackjack", script.format(0.6))) == []


def test_a_wager_that_may_not_stand_is_wrong_however_much_it_is() -> None:
    both = "chips box1/player 10 player\nchips box1/banker 15 player conf=0.5{}\ncard player 9s\n"
    assert breaches(play("act-baccarat", both.format(""))) == []
    assert ("bet.invalid", "box1/banker") in breaches(play("act-baccarat", both.format(" there=0.95")))


def test_what_was_hidden_together_may_have_happened_together() -> None:
    script = "shuffle\nchips box1/ante 10 player\nchips box1/blind 10 player\n" + 3 * "card board ??\n"
    script += "card box1 ??\n" + 2 * "card board ??{}\n" + "card dealer ??\ncard box1 ??\ncard dealer ??\n"
    assert ("deal.order", "box1") in breaches(play("act-uth", script.format("", "")))
    assert breaches(play("act-uth", script.format(" since=6.5", " since=6.5"))) == []


def test_cards_that_may_not_be_there_at_several_places() -> None:
    phantoms = "card player 9s conf=0.5 there=0.5\ncard banker 4s conf=0.5 there=0.5\n"
    dealt = "card player 9s\ncard banker 7h\ncard player Kd\ncard banker Kc\n"
    script = "chips box1/player 10 player\n" + phantoms + "chips box2/tie 10 player\n" + dealt
    rounds = play("act-baccarat", script + "chips box1/player 20 dealer\nchips box2/tie 0 dealer\n")
    assert breaches(rounds) == []


def test_a_card_that_may_not_be_there_may_be_all_there_was_of_a_round() -> None:
    assert breaches(play("act-uth", "card dealer Ad conf=0.5 there=0.5\ncall void conf=0.5\n")) == []


def test_chips_weakly_seen_in_the_dealers_hand_are_no_early_settlement() -> None:
    early = "chips box1/main 5 dealer conf=0.5\nchips box1/main 10 dealer\n"
    dealt = CARDS.replace("card dealer Td", early + "card dealer Td")
    assert breaches(play("act-blackjack", "chips box1/main 10 player\n" + dealt + PAID)) == []


def test_a_call_weakly_heard_divides_no_round() -> None:
    script = "shuffle\nchips box1/ante 10 player\nchips box1/blind 10 player\ncard board ??\ncall void conf=0.5\n"
    script += 4 * "card board ??\n" + 2 * "card box1 ??\ncard dealer ??\n" + "call fold box1 player\ngone box1\n"
    rounds = play("act-uth", script + "chips box1/ante 0 dealer\nchips box1/blind 0 dealer\ngone dealer\ngone board\n")
    assert (len(rounds), breaches(rounds)) == (1, [])


def test_a_double_of_a_weakly_read_stake_may_be_right() -> None:
    script = "chips box1/main 10 player\ncard box1 8s\ncard dealer 6h\ncard box1 8d\n"
    script += "chips box1#2/main 5 player conf=0.5\ngone box1 cards=8d to=box1#2\ncard box1 Ts\ncard box1#2 3s\n"
    script += "chips box1#2/main 20 player\ncard box1#2 Tc\ncard dealer Ts\n"
    assert breaches(play("act-blackjack", script)) == []


def test_chips_put_down_too_late_are_late_however_many_and_moved_only_if_they_are_others() -> None:
    late = "chips box1/main 10 player\ncard box1 Ts\nchips box2/main 10 player conf=0.5 there=0.95\n"
    rounds = play("act-blackjack", late + CARDS.partition("\n")[2] + PAID)
    assert ("bet.late", "box2/main") in breaches(rounds)
    moved = late.replace("box2/main 10", "box1/main 15")
    rounds = play("act-blackjack", moved + CARDS.partition("\n")[2] + PAID)
    assert ("bet.moved", "box1/main") in unsure(rounds)


def test_chips_left_on_a_lost_wager_are_wrong_however_many_they_are() -> None:
    lost = "chips box1/main 10 player conf=0.9 there=0.97\ncard box1 Ts\ncard dealer 9c\ncard box1 7d\ncard dealer Td\n"
    paid = "chips box1/main {} dealer conf=0.9{}\nchips box1/main 0 player\ngone box1\ngone dealer\n"
    rounds = [play("act-blackjack", lost + paid.format(20, there), proof=0.96) for there in (" there=0.97", "")]
    assert [breaches(each) for each in rounds] == [[("payout.loser_paid", "box1/main")], []]
    unmade = lost.replace(" there=0.97", "") + paid.format(20, " there=0.97")
    assert breaches(play("act-blackjack", unmade, proof=0.96)) == []
    taken = lost + paid.format(20, " there=0.97").replace("0 player", "0 dealer")
    assert breaches(play("act-blackjack", taken, proof=0.96)) == []


def test_what_does_not_hang_on_the_weak_event_stays_proof() -> None:
    short = PAID.replace("20 dealer", "15 dealer")
    rounds = play("act-blackjack", "chips box1/main 10 player\ncall stand box3 conf=0.5\n" + CARDS + short)
    assert breaches(rounds) == [("payout.short", "box1/main")]


def test_19_14_a_weakly_seen_marker_tells_neither_the_order_of_wagers_nor_its_own_move() -> None:
    one = f"marker box2{{}}\nchips box1/main 10 player\nchips box2/main 10 player\n{CARDS}"
    one = one.replace("card dealer 7c", "card box2 Ts\ncard dealer 7c").replace("card dealer Td", "card box2 9s")
    one += "card dealer Td\nchips box2/main 20 dealer\nchips box2/main 0 player\ngone box2\n" + PAID
    assert breaches(play("act-blackjack", one.format(""), tournament=True)) == [("bet.order", "box1/main")]
    assert breaches(play("act-blackjack", one.format(" conf=0.5"), tournament=True)) == []


def test_where_cameras_write_the_log_a_card_is_there_twice_only_if_both_are_surely_read() -> None:
    deal = "chips box1/ante 10 player\n" + "card box1 ??\ncard dealer ??\n" * 4 + "card box1 ??\ncard dealer 8d{}\n"
    shown = "chips box1/bet 20 player\n" + "".join(f"turn dealer {card}\n" for card in ("2c", "4c", "Th", "Kd"))
    shown += "turn box1 8d{}\n" + "".join(f"turn box1 {card}\n" for card in ("3s", "5h", "Jc", "Qd"))
    for proof, conf, is_proved in ((0.96, 0.98, False), (0.96, 0.9995, True), (0.0, 0.98, True)):
        script = (deal + shown).format(f" conf={conf}", " conf=1.0")
        rounds = play("act-canberra-poker", script, **({"proof": proof} if proof else {}))
        assert (("card.duplicate", "box1") in breaches(rounds)) is is_proved, (proof, conf)


def test_what_was_hidden_until_it_was_seen_may_have_come_before_what_is_told_before_it() -> None:
    dealt = "chips box1/main 10 player\ncard box1 Ts\ncard dealer 9c\ncard box1 7d\n"
    taken = "chips box1/main 0 dealer\ncard dealer Td{}\ngone box1\ngone dealer\n"
    for since, is_proved in (("", True), (" since=5.5", True), (" since=4.5", False)):
        rounds = play("act-blackjack", dealt + taken.format(since))
        found = [("payout.order", "box1/main")]
        assert (breaches(rounds), unsure(rounds)) == ((found, []) if is_proved else ([], found)), since


def test_what_one_hand_hid_for_a_moment_came_before_chips_perhaps_but_not_before_another_card() -> None:
    """A third card told just after a wager was taken, under the arm since before that: which was first is not known."""
    taken = "card player 9h\ncard banker Ks\ncard player 8h\ncard banker 4d\nchips box1/banker 0 dealer t=6\n"
    dealt = "chips box1/banker 10 player\ncall no_more_bets\n" + taken + "card banker 7h t=6.3{}\n"
    for since, is_proved in (("", True), (" since=6.1", True), (" since=5.8", False)):
        assert (("payout.order", "box1/banker") in breaches(play("act-baccarat", dealt.format(since)))) is is_proved
    swapped = "chips box1/main 10 player\nchips box2/main 10 player\ncard box2 Ts t=3\ncard box1 9s t=3.4{}\n"
    swapped += "card dealer 5c\ncard box1 8s\ncard box2 7s\n"
    for since, is_proved in (("", True), (" since=2.9", True), (" since=2.5", False)):
        assert bool(breaches(play("act-blackjack", swapped.format(since)))) is is_proved, since


def _otherwise(event: log.AnyEvent, chance: random.Random) -> log.AnyEvent | None:
    """The event misread: another amount, another word, another place."""
    if isinstance(event, log.Chips):
        amount = chance.choice([event.amount + 5, 2 * event.amount, 0 if event.amount else 10])
        is_there = amount and event.amount and chance.random() < 0.5
        return msgspec.structs.replace(event, amount=amount, conf=0.5, there=0.95 if is_there else None)
    if isinstance(event, log.Call) and event.what in ("check", "fold"):
        return msgspec.structs.replace(event, what="fold" if event.what == "check" else "check", conf=0.5)
    if isinstance(event, log.Marker | log.Button):
        return msgspec.structs.replace(event, at="box2", conf=0.5)
    return None


@pytest.mark.parametrize("dealer", DEALERS, ids=lambda dealer: dealer.rulebook)
def test_one_weak_misreading_of_a_right_round_accuses_nobody(dealer: type[Dealer]) -> None:
    for seed in range(4):
        chance, table = random.Random(seed), dealer(7000 + seed)
        events = [event for dealt, _ in table.rounds(2, {}) for event in dealt]
        for n in chance.sample(range(len(events)), 5):
            misread = _otherwise(events[n], chance)
            if misread is not None:
                written = log.log_bytes(table.header(), [*events[:n], misread, *events[n + 1 :]])
                assert breaches(answers(written)) == [], misread


@pytest.mark.parametrize(
    ("card", "verdicts"),
    [
        ("Ts conf=0.6 rank_conf=0.99", ["breach"]), ("Ts conf=0.6 rank_conf=0.7", ["unsure"]),
        ("Kh conf=0.6", ["unsure"]), ('Kh conf=0.6 maybe=["Qh","Jh"]', ["breach"]),
        ('Kh conf=0.6 maybe=["2h"]', ["unsure"]), ('Kh conf=0.6 maybe=["K?"]', ["breach"]),
        ('?h maybe=["Qh","Jh","2s"]', ["breach"]),
    ],
)  # fmt: skip
def test_what_all_names_prove_that_a_card_may_have_is_proved(card: str, verdicts: list[str]) -> None:
    """Its rank may be surer than its suit, or it may surely have one of some names: each of them counts ten."""
    rounds = play("act-blackjack", SHORT.replace("card box1 Ts", f"card box1 {card}"))
    short = ("payout.short", "box1/main")
    assert [verdict for verdict in ("breach", "unsure") if short in findings(rounds, verdict)] == verdicts
    assert breaches(rounds) == [short] * verdicts.count("breach")


def test_a_weakly_heard_call_that_alone_decides_a_wager_leaves_it_undecided() -> None:
    script = """
        chips box1/main 10 player
        card box1 Ts
        card dealer 9c
        card box1 9d
        call void dealer {}
        card dealer 8c
        chips box1/main 20 dealer
        chips box1/main 0 player
        gone box1
        gone dealer
    """
    sure, weak = (wager(play("act-blackjack", script.format(conf)), "box1/main") for conf in ("", "conf=0.5"))
    assert (sure["result"], sure["due"]) == ("void", 0)
    assert (weak["result"], weak["due"]) == (None, None)
    twice = script.replace("card dealer 8c", "call void dealer\n        card dealer 8c")
    assert wager(play("act-blackjack", twice.format("conf=0.5")), "box1/main")["result"] == "void"


@pytest.mark.parametrize(("conf", "proof", "accuses"), [(0.93, 0.0, True), (0.93, 0.96, False), (0.97, 0.96, True)])
def test_a_house_may_ask_surer_reads_of_those_who_accuse(conf: float, proof: float, accuses: bool) -> None:
    """What was read counts all the same: stake, hands and result are told."""
    short = PAID.replace("20 dealer", f"15 dealer conf={conf}")
    rounds = play("act-blackjack", "chips box1/main 10 player\n" + CARDS + short, proof=proof)
    assert ("payout.short", "box1/main") in (breaches if accuses else unsure)(rounds)
    told = wager(rounds, "box1/main")
    assert (told["stake"], told["result"], told["paid"]) == (10, "win", 5)


def test_a_card_that_is_not_sure_enough_to_accuse_by_still_has_its_name() -> None:
    script = "chips box1/main 10 player\n" + CARDS.replace("box1 9h", "box1 9h conf=0.92")
    rounds = play("act-blackjack", script + PAID.replace("20 dealer", "0 dealer"), proof=0.96)
    assert (breaches(rounds), unsure(rounds)) == ([], [("payout.winner_taken", "box1/main")])
    assert rounds[0]["hands"]["box1"] == ["Ts", "9h"]
    assert wager(rounds, "box1/main")["result"] == "win"


@pytest.mark.parametrize(("conf", "accuses"), [("", True), (" conf=0.6", False)])
def test_a_card_that_nobody_read_and_that_weakly_seems_turned_may_lie_as_it_was(conf: str, accuses: bool) -> None:
    """A shadow on a communal card's back, once: it has no name that could be unsure."""
    staked = "".join(f"chips box1/{spot} 10 player\n" for spot in ("ante", "blind"))
    dealt = "card board ??\n" * 5 + f"turn board ??{conf}\n" + "card box1 ??\ncard dealer ??\n" * 2
    rounds = play("act-uth", staked + dealt)
    assert (("deal.exposed", "board") in breaches(rounds)) == accuses
    assert (("deal.exposed", "board") in unsure(rounds)) != accuses
