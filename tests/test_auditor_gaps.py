"""The view is lost while legal rounds are played: whatever went unseen, nobody is accused."""

import io
import random
from collections.abc import Iterator

import pytest

from auditor import log
from auditor.audit import audit
from auditor.findings import AuditedRound
from datasets.dealer import Dealer
from datasets.dealers import DEALERS
from datasets.simulate import dealer_for
from playing import breaches, play, unsure

GAMES = sorted(dealer.rulebook for dealer in DEALERS)
GAPS_S = (2.0, 5.0, 15.0, 40.0, 90.0)


def interrupted(game: str, seed: int) -> list[AuditedRound]:
    """Four legal rounds, of which everything in one stretch of time went unseen."""
    chance, dealer = random.Random(seed), dealer_for(game, seed)
    events = [event for round_events, _ in dealer.rounds(4, {}) for event in round_events]
    lost = round(chance.uniform(events[0].t, events[-1].t), 2)
    back = lost + chance.choice(GAPS_S)
    before, after = [e for e in events if e.t < lost], [e for e in events if e.t >= back]
    seen = [*before, log.Feed(t=lost, state="lost"), log.Feed(t=back, state="back"), *after]
    return list(audit(io.BytesIO(log.log_bytes(dealer.header(), seen)), game).rounds)


@pytest.mark.parametrize("game", GAMES)
def test_no_gap_in_a_legal_game_accuses_anybody(game: str) -> None:
    for seed in range(1000, 1020):
        accused = [(each.kind, each.at, each.t) for answer in interrupted(game, seed) for each in answer.findings
                   if each.verdict == "breach"]  # fmt: skip
        assert accused == [], seed


@pytest.mark.parametrize("game", GAMES)
def test_a_view_that_is_back_unbroken_leaves_every_finding_as_it_was(game: str) -> None:
    """A knocked camera that finds its place again within a blink: nobody could do anything meanwhile."""
    for seed in range(6):
        chance, dealer = random.Random(seed), dealer_for(game, seed)
        kinds = chance.sample([kind for kind in dealer.mistakes if kind != "view.gap"], 2)
        events = [event for round_events, _ in dealer.rounds(4, dict.fromkeys(kinds, 1)) for event in round_events]
        index = chance.randrange(len(events))
        t = events[index].t
        blink: list[log.AnyEvent] = [log.Feed(t=t, state="lost"), log.Feed(t=t + 0.2, state="back", unbroken=True)]
        seen = [*events[:index], *blink, *events[index:]]
        told = [
            [(each.kind, each.at, each.verdict) for answer in rounds for each in answer.findings]
            for rounds in (list(_audited(dealer, events)), list(_audited(dealer, seen)))
        ]
        assert told[0] == told[1], seed


def _audited(dealer: Dealer, events: list[log.AnyEvent]) -> Iterator[AuditedRound]:
    ordered = sorted(events, key=lambda event: event.t)
    return audit(io.BytesIO(log.log_bytes(dealer.header(), ordered)), dealer.rulebook).rounds


WON = "chips box1/main 10 player\ncard box1 Ts\ncard dealer 7c\ncard box1 9h\ncard dealer Td\n"
PAID, SHORT = "chips box1/main 20 dealer\n", "chips box1/main 15 dealer\n"
CLEARED = "chips box1/main 0 player\ngone box1\ngone dealer\n"


def test_a_gap_s_shadow_ends_when_the_table_was_seen_cleared() -> None:
    """The round after an interrupted one proves again, once the interrupted one was seen to its end."""
    rounds = play("act-blackjack", WON + "feed lost\nfeed back\n" + PAID + CLEARED + WON + SHORT + CLEARED)
    assert breaches(rounds) == [("payout.short", "box1/main")]
    never_cleared = play("act-blackjack", WON + "feed lost\nfeed back\ncall no_more_bets\n" + WON + SHORT + CLEARED)
    assert breaches(never_cleared) == []
    assert any(kind.startswith("payout") for kind, _ in unsure(never_cleared))


def test_a_gap_s_shadow_ends_when_cards_left_lying_are_gathered_in_before_the_next_are_dealt() -> None:
    """A round of Ultimate Texas Hold-em concludes with its last wager; its cards may be collected after the next."""
    bets = "chips box1/ante 10 player\nchips box1/blind 10 player\n"
    dealt = "shuffle\n" + "card board ??\n" * 5 + "card box1 ??\ncard dealer ??\n" * 2 + "chips box1/play 40 player\n"
    shown = [("board", "9h 8d 6d 4c 2s"), ("dealer", "Qs Qd"), ("box1", "Ah Ac")]
    turned = "".join(f"turn {at} {card}\n" for at, cards in shown for card in cards.split())
    settled = "chips box1/ante 20 dealer\nchips box1/ante 0 player\nchips box1/blind 0 player\n"
    settled += "chips box1/play {} dealer\nchips box1/play 0 player\n"
    gathered = "gone box1\ngone dealer\ngone board\n"
    first = bets + dealt + "feed lost\nfeed back\n" + turned + settled.format(80)
    second = dealt + turned + settled.format(60) + gathered
    assert breaches(play("act-uth", first + bets + gathered + second)) == [("payout.short", "box1/play")]
    assert breaches(play("act-uth", first + bets + second)) == []


def test_a_stake_not_read_since_the_view_was_lost_may_have_been_another() -> None:
    """Chips may be added or taken up while betting is open; all or nothing is wrong whatever stood there."""
    wager, cards = WON.split("\n", 1)
    lost = wager + "\nfeed lost\nfeed back\ncall no_more_bets\n" + cards
    assert breaches(play("act-blackjack", lost + SHORT + CLEARED)) == []
    assert ("payout.short", "box1/main") in unsure(play("act-blackjack", lost + SHORT + CLEARED))
    paid = play("act-blackjack", lost + PAID + CLEARED)
    assert [(each["due"], each["paid"]) for each in paid[0]["wagers"]] == [(10, 10)]
    taken = play("act-blackjack", lost + "chips box1/main 0 dealer\n" + CLEARED)
    assert breaches(taken) == [("payout.winner_taken", "box1/main")]
    read_again = lost.replace("call no_more_bets", "chips box1/main 10 player\ncall no_more_bets")
    assert breaches(play("act-blackjack", read_again + SHORT + CLEARED)) == [("payout.short", "box1/main")]


def test_a_wager_placed_unseen_explains_whose_turn_it_was_and_for_whom_the_dealer_drew() -> None:
    """box2's wager was not seen: the dealer draws on for it, though box1 is out."""
    rounds = play("act-blackjack", """
        chips box1/main 10 player
        feed lost
        feed back
        call no_more_bets
        card box1 Ts
        card box2 9s
        card dealer 6c
        card box1 6h
        card box2 9h
        card box1 Kd
        chips box1/main 0 dealer
        gone box1
        call stand at=box2
        card dealer Td
        card dealer 5d
        gone box2
        gone dealer
    """)  # fmt: skip
    assert breaches(rounds) == []


def test_a_wager_placed_unseen_may_be_what_a_roulette_pile_pays() -> None:
    spun = """
        spin cw ccw
        call no_more_bets
        ball leave_track laps=9
        ball rest pocket=18
        dolly 18
        chips layout/paid 30 dealer colour=blue
        chips layout/paid 0 player colour=blue
    """
    red = "dolly null\nchips layout/red 10 player colour=blue\n"
    assert breaches(play("act-roulette", red + spun, colours={"blue": 1})) == [("payout.over", "layout/paid")]
    assert breaches(play("act-roulette", red + "feed lost\nfeed back\n" + spun, colours={"blue": 1})) == []


def test_a_winner_placed_unseen_and_left_standing_may_be_what_the_next_roulette_pile_pays() -> None:
    spun = "spin cw ccw\ncall no_more_bets\nball leave_track laps=9\nball rest pocket=18\ndolly 18\n"
    piled = "chips layout/paid {} dealer colour=blue\nchips layout/paid 0 player colour=blue\n"
    first = "dolly null\nfeed lost\nfeed back\n" + spun + piled.format(20)
    later = "dolly null\nchips layout/red 10 player colour=blue\n" + spun
    for paid, found in ((30, []), (5, [("payout.short", "layout/paid")])):
        rounds = play("act-roulette", first + later + piled.format(paid), colours={"blue": 1})
        assert (breaches(rounds), len(rounds)) == (found, 2)


def test_uth_8_2_a_flop_card_turned_while_the_view_was_lost() -> None:
    script = """
        shuffle
        cut
        chips box1/ante 10 player
        chips box1/blind 10 player
    """
    script += "card board ??\n" * 5 + "card box1 ??\ncard dealer ??\n" * 2
    script += """
        call check box1
        turn board 7c
        feed lost
        feed back
        turn board Ts
        call check box1
        turn board 9c
        turn board 6h
        call fold box1
        gone box1
        chips box1/ante 0 dealer
        chips box1/blind 0 dealer
        gone board
        gone dealer
    """
    assert breaches(play("act-uth", script)) == []
    seen = script.replace("feed lost\n", "").replace("feed back\n", "")
    assert breaches(play("act-uth", seen)) == [("deal.facing", "board")]


def test_uth_9_1_a_fold_after_the_hand_was_shown_and_collected_is_another_rounds() -> None:
    script = """
        shuffle
        cut
        chips box1/ante 10 player
        chips box1/blind 10 player
        chips box2/ante 10 player
        chips box2/blind 10 player
    """
    script += "card board ??\n" * 5 + "card box1 ??\ncard box2 ??\ncard dealer ??\n" * 2
    script += "chips box1/play 40 player\nchips box2/play 40 player\n"
    script += "turn board 9h\nturn board 8d\nturn board 6d\nturn board 4c\nturn board 2s\n"
    script += """
        turn dealer 9s
        turn dealer Kd
        turn box2 Ah
        turn box2 Ac
        chips box2/ante 20 dealer
        chips box2/ante 0 player
        chips box2/blind 0 player
        chips box2/play 80 dealer
        chips box2/play 0 player
        gone box2
        feed lost
        feed back
        call fold box2
        gone dealer
        gone board
    """
    wagers = play("act-uth", script)[0]["wagers"]
    assert [wager["result"] for wager in wagers if wager["at"].startswith("box2")] == ["win", "push", "win"]


def test_a_brief_knock_while_the_view_is_blocked_does_not_unblock_it() -> None:
    """What went on before the knock was not seen either."""
    blocked = "feed blocked\ncard dealer 7c\nfeed lost\nfeed back unbroken=true\n"
    script = "chips box1/main 10 player\ncard box1 Ts\n" + blocked + "card dealer 9c\n"
    assert breaches(play("act-blackjack", script)) == []
    assert breaches(play("act-blackjack", script.replace("feed blocked\n", ""))) != []


def test_chips_picked_up_before_a_gap_that_hides_the_rounds_end_were_not_moved() -> None:
    pushed = "chips box1/main 10 player\ncard box1 Ts\ncard dealer Tc\ncard box1 9d\ncard dealer 9c\n"
    next_deal = "card box1 8d\ncard dealer 3c\ncard box1 Ts\ncard dealer Qh\ncard dealer 4s\n"
    end = "chips box1/main 0 dealer\ngone box1\ngone dealer\n"
    rounds = play("act-blackjack", pushed + "chips box1/main 0 player\nfeed lost\nfeed back\n" + next_deal + end)
    assert (breaches(rounds), ("bet.moved", "box1/main") in unsure(rounds)) == ([], True)
    in_the_deal = pushed.replace("card dealer Tc", "chips box1/main 20 player\ncard dealer Tc")
    seen = in_the_deal + "feed lost\nfeed back\n" + "card dealer 2h\nchips box1/main 0 player\ngone box1\ngone dealer\n"
    assert ("bet.moved", "box1/main") in breaches(play("act-blackjack", seen))


@pytest.mark.parametrize("gap", ["feed lost\nfeed back\n", "feed blocked\nfeed back\n"])
@pytest.mark.parametrize("close", ["", "call no_more_bets\n"])
def test_the_rest_of_a_stake_may_be_laid_or_taken_back_while_the_view_is_lost(gap: str, close: str) -> None:
    """What stood when betting closed was read before the gap: neither limit nor multiple is proved broken by it."""
    cards = WON.split("\n", 1)[1]
    for stake, house in (("3", {"multiple": 5}), ("3", {"min": 5}), ("8", {"max": 5})):
        laid, end = f"chips box1/main {stake} player\n", "chips box1/main 10 dealer\n" + CLEARED
        at = ("bet.multiple" if "multiple" in house else "bet.limit", "box1/main")
        lost = play("act-blackjack", laid + gap + close + cards + end, **house)
        assert (at in breaches(lost), at in unsure(lost)) == (False, True)
        read_again = play("act-blackjack", laid + gap + laid + "call no_more_bets\n" + cards + end, **house)
        assert at in breaches(read_again)
        later = (laid + close + cards).replace("card dealer 7c\n", gap + "card dealer 7c\n")
        assert at in breaches(play("act-blackjack", later + end, **house))


def test_a_roulette_wager_may_be_put_right_while_the_view_is_lost_until_no_more_bets() -> None:
    spin = "call no_more_bets\nball leave_track laps=8\nball rest pocket=17\ndolly 17\n"
    for at, kind in (("layout/red", "bet.multiple"), ("track/tier", "bet.amount"), ("layout/1-5", "bet.invalid")):
        laid = f"dolly null\nchips {at} 7 player colour=blue\nchips layout/low 10 player\nspin ccw cw\n"
        end = "chips layout/low 20 dealer\nchips layout/low 0 player\n"
        gone = end + "dolly null\n"
        lost = play("act-roulette", laid + "feed lost\nfeed back\n" + spin + gone, colours={"blue": 5})
        assert (kind, at) not in breaches(lost)
        assert (kind, at) in unsure(lost)
        taken = end + f"chips {at} 0 dealer colour=blue\ndolly null\n"
        assert (kind, at) in breaches(play("act-roulette", laid + spin + taken, colours={"blue": 5}))
    seen_to_lie = play("act-roulette", laid + "feed lost\nfeed back\n" + spin + taken, colours={"blue": 5})
    assert ("bet.invalid", "layout/1-5") in breaches(seen_to_lie)  # whoever takes chips away proves that they lay there


def test_a_wager_laid_in_play_may_be_put_right_unseen_until_the_next_card() -> None:
    dealt = "chips box1/main 10 player\ncard box1 5s\ncard dealer {}\ncard box1 6h\n"
    end = "card box1 Ts\ncard dealer Td\nchips {} 0 dealer\nchips box1/main 0 player\ngone box1\ngone dealer\n"
    for at, up, amount, kind in (
        ("box1/main", "7s", 25, "bet.amount"),
        ("box1/insurance", "As", 6, "bet.amount"),
        ("box1/insurance", "As", 0.25, "bet.multiple"),
    ):
        laid, after = dealt.format(up) + f"chips {at} {amount} player\n", end.format(at)
        assert (kind, at) in breaches(play("act-blackjack", laid + after))
        lost = play("act-blackjack", laid + "feed lost\nfeed back\n" + after)
        assert ((kind, at) in breaches(lost), (kind, at) in unsure(lost)) == (False, True)
        bound = after.replace("card dealer Td", "feed lost\nfeed back\ncard dealer Td")
        assert (kind, at) in breaches(play("act-blackjack", laid + bound))
