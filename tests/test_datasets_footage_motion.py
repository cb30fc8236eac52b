"""Choreography: events become movements that no camera could tell from people's, at times that are true."""

import io
import math
import random
from collections import Counter

import pytest

from auditor import log
from auditor.audit import audit
from auditor.log import log_bytes
from datasets.casino.choreography import Performance, choreograph
from datasets.casino.choreography_stacks import Stacks
from datasets.casino.footage_truth import Lying, lying_at
from datasets.casino.motion import Timeline
from datasets.casino.motion_chips import Bank, bank_of, cash_chips, stacks_of
from datasets.casino.motion_places import Places
from datasets.casino.things import Card, ChipStack, Dolly, Hand, Marker, Pose, Thing, Tile
from datasets.dealer import Dealer
from datasets.dealers import DEALERS
from vision.plan import BESIDE_MM, SIDES, Plan, load_plan

BY_RULEBOOK = pytest.mark.parametrize("game", DEALERS, ids=lambda dealer: dealer.rulebook)
FASTEST_MM_S = 9000.0  # a hand at its fastest; anything quicker has jumped


def performed(game: type[Dealer], *, pace: str = "fast", rounds: int = 2, seed: int = 5, **errors: int) -> Performance:
    dealer = game(seed)
    bank = bank_of(cash_chips(game.rulebook), dealer.house.get("colours", {}))
    played = [events for events, _ in dealer.rounds(rounds, errors)]
    return choreograph(iter(played), load_plan(game.rulebook), bank, pace=pace, seed=seed)


@BY_RULEBOOK
def test_every_event_is_performed_in_its_order_and_the_table_stays_clean(game: type[Dealer]) -> None:
    dealt = [event for events, _ in game(5).rounds(2, {}) for event in events]
    performance = performed(game)
    assert [type(event) for event in performance.events] == [type(event) for event in dealt]
    times = [event.t for event in performance.events]
    assert times == sorted(times)
    truth = log_bytes(game(5).header(), performance.events)
    assert [found for each in audit(io.BytesIO(truth), "").rounds for found in each.findings] == []


def test_the_same_seed_moves_the_same() -> None:
    one, two = performed(DEALERS[0]), performed(DEALERS[0])
    assert one.events == two.events
    assert one.timeline.at(7.3) == two.timeline.at(7.3)


def test_real_people_take_their_time() -> None:
    real, fast = (performed(DEALERS[0], pace=pace, rounds=6).events[-1].t for pace in ("real", "fast"))
    assert 30 < real / 6 < 100  # a blackjack round lasts about a minute
    assert fast < real / 2


@BY_RULEBOOK
def test_nothing_teleports_and_nothing_moves_without_a_hand(game: type[Dealer]) -> None:
    timeline = performed(game).timeline
    step = 1 / 40
    frames = math.ceil(min(timeline.end(), 24.0) / step)
    before: dict[int, Thing] = {}
    for moment in timeline.moments(number * step for number in range(frames)):
        hands = [thing.pose for thing in moment if isinstance(thing, Hand)]
        now = {thing.id: thing for thing in moment}
        for thing in moment:
            was = before.get(thing.id)
            if was is None or isinstance(thing, Hand):
                continue
            way = _distance(was.pose, thing.pose)
            assert way < FASTEST_MM_S * step, f"{was} jumped to {thing}"
            if way > 1:
                assert min(_distance(thing.pose, hand) for hand in hands) < 330, f"{thing} moves by itself"
        for key in before.keys() ^ now.keys() if before else ():
            thing = now.get(key) or before[key]
            if isinstance(thing, (Card, ChipStack, Marker, Dolly)):
                nearest = min(_distance(thing.pose, hand) for hand in hands)
                assert nearest < 330, f"{thing} comes or goes with no hand near"
        before = now


def _distance(one: Pose, other: Pose) -> float:
    return math.dist((one.x, one.y, one.z), (other.x, other.y, other.z))


@BY_RULEBOOK
def test_cards_and_chips_lie_in_the_zones_the_log_names(game: type[Dealer]) -> None:
    """By the plan, and without the renderer: what the log says of a place once it is at rest."""
    dealer, plan = game(5), load_plan(game.rulebook)
    bank = bank_of(cash_chips(game.rulebook), dealer.house.get("colours", {}))
    performance = performed(game)
    for event in performance.events[:: max(1, len(performance.events) // 40)]:
        place = getattr(event, "at", None)
        if place not in {zone.name for zone in plan.of_kind("cards", "tiles", "chips")}:
            continue
        lying = lying_at(performance.events, event.t).get(place, Lying())
        there = [thing for thing in performance.timeline.at(event.t + 0.005) if _zone(plan, thing) == place]
        cards = sorted(_name(thing) for thing in there if isinstance(thing, (Card, Tile)))
        assert cards == sorted((+lying.cards).elements()), (event, there)
        assert _value(bank, there) == sum(lying.cents.values()), (event, there)


def _zone(plan: Plan, thing: Thing) -> str | None:
    if isinstance(thing, ChipStack):
        zone = plan.zone_at(thing.pose.x, thing.pose.y, "chips")
    elif isinstance(thing, (Card, Tile)):
        zone = plan.zone_at(thing.pose.x, thing.pose.y, "cards", "tiles")
    else:
        return None
    return zone.name if zone is not None else None


def _name(thing: Card | Tile) -> str:
    name = thing.card if isinstance(thing, Card) else thing.tile
    return name if thing.up else "??"


def _value(bank: Bank, things: list[Thing]) -> int:
    return sum(bank.value(thing.chips) for thing in things if isinstance(thing, ChipStack))


def test_any_amount_can_be_made_and_taken_apart() -> None:
    bank, chance = bank_of(cash_chips("act-blackjack"), {}), random.Random(2)
    for amount in (50, 1250, 3750, 10000, 61700):
        chips = bank.make(amount, chance)
        assert bank.value(chips) == amount
        assert all(len(stack) <= 20 for stack in stacks_of(chips))
    stake = bank.small_change(17300)
    assert bank.value(stake) == 17300
    part = bank.part(stake, 1700)
    assert part is not None
    assert bank.value(part) == 1700
    assert bank.part(("black",), 500) is None


def test_a_player_is_paid_in_his_colour_as_far_as_there_is_room() -> None:
    bank = bank_of(cash_chips("act-roulette"), {"brown": 25})
    for room in (8, 15, 40):
        chips = bank.make(87500, random.Random(3), colour="brown", room=room)
        assert bank.value(chips) == 87500
        assert len(chips) <= room
    assert set(bank.make(87500, random.Random(3), colour="brown", room=40)) == {"brown"}


def test_no_stack_is_built_higher_than_twenty_while_there_is_room() -> None:
    places = Places(load_plan("act-roulette"))
    stacks = Stacks(Timeline(), places, bank_of(cash_chips("act-roulette"), {"brown": 25}), random.Random(4))
    spot = "layout/24"
    for amount in (125.0, 900.0):
        event = log.Chips(t=1.0, at=spot, amount=amount, colour="brown")
        stacks.stand(event, stacks.chips_for(event, stacks.difference(event)))
    assert stacks.amount(spot, "brown") == 90000
    heights = Counter[int]()
    for stack in stacks.spots[spot]:
        heights[stack.slot] += len(stack.chips)
    assert max(heights.values()) <= 20


@BY_RULEBOOK
def test_winnings_are_put_where_the_plan_says(game: type[Dealer]) -> None:
    plan = load_plan(game.rulebook)
    places = Places(plan)
    if plan.winnings is None:
        return
    right, down = SIDES[plan.winnings]
    for zone in plan.of_kind("chips"):
        stake, winnings = (zone.to_middle(pose.x, pose.y) for pose in places.stack_spots(zone.name)[:2])
        assert (winnings[0] - stake[0], winnings[1] - stake[1]) == pytest.approx((right * BESIDE_MM, down * BESIDE_MM))


def test_a_thing_on_its_way_is_lifted_and_rests_as_the_same_object() -> None:
    timeline = Timeline()
    card = Card(id=timeline.new_id(), card="As", pose=Pose(0, 0))
    timeline.put(card, 0.0)
    timeline.move(card.id, 1.0, 2.0, Pose(100, 0), lift_mm=20)
    assert timeline.at(0.5)[0] is timeline.at(0.9)[0]
    half = timeline.at(1.5)[0].pose
    assert (round(half.x), round(half.z)) == (50, 20)
    timeline.interrupt(card.id, 1.5)
    assert timeline.at(9.0)[0].pose == half
