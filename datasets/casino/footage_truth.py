"""Is the truth true? What a log says lies on the table, against what the renderer's own object ids show of it.

`python -m datasets.casino.footage_truth` asks it of random frames of every game.
"""

import random
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from auditor import log
from auditor.log import AnyEvent, cents
from datasets.casino.cameras import PRESETS, preset
from datasets.casino.footage import Shoot, Take, look_of, prepare
from datasets.casino.footage_evidence import region_of
from datasets.casino.motion_chips import Bank, bank_of, cash_chips
from datasets.casino.stage import Stage
from datasets.casino.things import CHIP_THICK_MM, Card, ChipStack, Hand, Thing, Tile
from datasets.dealers import DEALERS

SOON_S = 1.2
"""A place is left out while the next event at it is so near: hands are at work there."""
HIDDEN_PX = 12
SEEN_SHARE = 0.5
STRAY_PX = 1.5
REST_S = 0.02
EVALUATED_FRAMES = 500
NO_TRUTH = ("discard", "shoe", "shuffle", "rack")


@dataclass(slots=True)
class Lying:
    """What the log says lies at one place: cards or tiles by name (`??` face down), and cents by colour."""

    cards: Counter[str] = field(default_factory=Counter)
    cents: dict[str | None, int] = field(default_factory=dict)


def lying_at(events: Iterable[AnyEvent], t: float) -> dict[str, Lying]:
    """The state of every place at a time, from the events up to it alone."""
    places: dict[str, Lying] = {}
    for event in events:
        if event.t > t:
            break
        match event:
            case log.Card(at=at, card=name) | log.Tile(at=at, tile=name):
                shown = name if event.up is not False else "??"
                places.setdefault(at, Lying()).cards[shown] += 1
            case log.Turn(at=at):
                name = event.card or event.tile or "??"
                old, new = ("??", name) if event.up else (name, "??")
                places[at].cards[old] -= 1
                places[at].cards[new] += 1
            case log.Gone(at=at):
                _take_away(places, event)
            case log.Chips(at=at):
                places.setdefault(at, Lying()).cents[event.colour] = 0 if event.marker else cents(event.amount)
            case _:
                pass
    return places


def _take_away(places: dict[str, Lying], event: log.Gone) -> None:
    here = places.setdefault(event.at, Lying()).cards
    names = event.cards if event.cards is not None else list(here.elements())
    if event.cards is None and event.n:
        names = names[-event.n :]
    for name in names:
        here[name if here[name] > 0 else "??"] -= 1
        if event.to is not None and event.to not in NO_TRUTH:
            places.setdefault(event.to, Lying()).cards[name] += 1


def seen_in(take: Take, stage: Stage, t: float) -> dict[str, list[Thing]]:
    """Which things at rest are seen in which zone, by the pixels that carry their ids."""
    moment = take.timeline.at(t)
    ids = stage.ids(moment)
    zones: dict[str, list[Thing]] = {}
    for thing in moment:
        if not isinstance(thing, (Card, ChipStack, Tile)) or not _rests(take, thing, t):
            continue
        where = np.argwhere(ids == thing.id)
        if len(where) < HIDDEN_PX:  # under a hand, or under other cards: taken at its word
            x, y = thing.pose.x, thing.pose.y
        else:
            x, y = stage.camera.on_felt(_middle(where), thing.pose.z + _half_height(thing))
        zone = take.plan.zone_at(x, y, "chips" if isinstance(thing, ChipStack) else "cards", "tiles")
        zones.setdefault(zone.name if zone is not None else "", []).append(thing)
    return zones


def _rests(take: Take, thing: Thing, t: float) -> bool:
    """Whether a thing lies still; one on its way may cross any zone."""
    return take.timeline.tracks[thing.id].at(t + REST_S) is thing


def _middle(where: NDArray[np.int64]) -> tuple[float, float]:
    down, across = where.mean(axis=0)
    return float(across) + 0.5, float(down) + 0.5


def _half_height(thing: Thing) -> float:
    return CHIP_THICK_MM * len(thing.chips) / 2 if isinstance(thing, ChipStack) else 0.0


def disagreements(take: Take, stage: Stage, bank: Bank, t: float) -> list[str]:
    """What the log and the ids say differently about one moment."""
    busy = {place for event in take.performance.events for place in _places(event) if t < event.t <= t + SOON_S}
    seen, told = seen_in(take, stage, t), lying_at(take.performance.events, t)
    wrong = []
    for place, lying in told.items():
        if place in busy or place in NO_TRUTH:
            continue
        things = seen.get(place, [])
        names = Counter(_shown(thing) for thing in things if not isinstance(thing, ChipStack))
        if names != +lying.cards:
            wrong.append(f"{t:.2f} {place}: the log has {dict(+lying.cards)}, seen are {dict(names)}")
        value = sum(bank.value(thing.chips) for thing in things if isinstance(thing, ChipStack))
        if value != sum(lying.cents.values()):
            wrong.append(f"{t:.2f} {place}: the log has {sum(lying.cents.values())} cents, seen are {value}")
    return wrong


def hidden(take: Take, stage: Stage, number: int) -> list[str]:
    """What a hand still hides of an event's things, at the time from which the log says they can be seen."""
    event, ids = take.performance.events[number], take.performance.things[number]
    moment = take.timeline.at(event.t + 0.005)
    bare = tuple(thing for thing in moment if not isinstance(thing, Hand))
    pictures = (stage.ids(bare), stage.ids(moment)) if ids else ()
    wrong = []
    for thing_id in ids:
        free, seen = (int((picture == thing_id).sum()) for picture in pictures)
        if free >= HIDDEN_PX and seen < SEEN_SHARE * free:
            wrong.append(f"{event.t:.2f} {event}: a hand hides {1 - seen / free:.0%} of it")
    return wrong


def astray(take: Take, stage: Stage, number: int) -> list[str]:
    """Which things of an event show pixels outside the region that the log gives for it."""
    event, ids = take.performance.events[number], take.performance.things[number]
    things = [take.timeline.tracks[each].at(event.t) for each in ids]
    if not things:
        return []
    outline = np.array(region_of(things, stage.look, stage.camera), np.float32)
    seen = np.argwhere(np.isin(stage.ids(take.timeline.at(event.t)), ids))
    far = [-cv2.pointPolygonTest(outline, (float(x) + 0.5, float(y) + 0.5), True) for y, x in seen]
    strayed = max(far, default=0.0)
    return [f"{event.t:.2f} {event}: {strayed:.1f} px outside its region"] if strayed > STRAY_PX else []


def _places(event: AnyEvent) -> set[str]:
    return {place for place in (getattr(event, "at", None), getattr(event, "to", None)) if isinstance(place, str)}


def _shown(thing: Thing) -> str:
    if isinstance(thing, Card):
        return thing.card if thing.up else "??"
    return thing.tile if isinstance(thing, Tile) and thing.up else "??"


def evaluate(frames: int = EVALUATED_FRAMES, seed: int = 7) -> list[str]:
    """Random frames of every game, half of them at the very time of an event; all disagreements."""
    wrong: list[str] = []
    chance = random.Random(seed)
    for number, dealer in enumerate(DEALERS):
        shoot = Shoot(pace="fast", size=(960, 540), camera=PRESETS[number % len(PRESETS)])
        take = prepare(dealer.rulebook, rounds=3, seed=seed, errors={}, shoot=shoot)
        bank = bank_of(cash_chips(dealer.rulebook), take.dealer.house.get("colours", {}))
        # Positions are checked from straight above, where no stack stands before another.
        above = Stage(take.plan, look_of(seed, shoot.decks), preset("overhead", take.plan.felt, shoot.size))
        aslant = Stage(take.plan, look_of(seed, shoot.decks), preset(shoot.camera, take.plan.felt, shoot.size))
        found: list[str] = []
        for _ in range(frames // len(DEALERS) // 2):
            found += disagreements(take, above, bank, chance.uniform(0, take.duration_s))
            number = chance.randrange(len(take.performance.events))
            found += hidden(take, aslant, number)
            found += astray(take, aslant, number)
        wrong += [f"{dealer.rulebook} {each}" for each in found]
    return wrong


def main(frames: int = EVALUATED_FRAMES) -> int:
    """Print what disagrees; how much does."""
    found = evaluate(frames)
    print("\n".join([*found, f"{frames} frames, {len(found)} disagreements"]))
    return len(found)


if __name__ == "__main__":
    sys.exit(bool(main(*map(int, sys.argv[1:]))))
