"""Where a poker round begins and ends: from the first card to the pots won and the cards collected."""

from auditor import log
from auditor.boundaries import Boundary
from auditor.places import OFF_TABLE, spot_of
from auditor.poker_chips import emptied_n
from auditor.rounds import Round


class PokerBoundary(Boundary):
    """«Commences when a card is first removed from the shoe and concludes with the winning of the pot/s.»

    The cards are still collected in it. A shuffle inside a round is the remedy for a card shown too early.
    """

    def opens(self, round: Round, event: log.AnyEvent) -> bool:
        """A card came to a hand or to the board; or the log begins with what happens to cards that it never had."""
        if isinstance(event, log.Card):
            return event.at not in OFF_TABLE
        return first_seen(round) and _is_played_on(event)

    def starts_next(self, round: Round, event: log.AnyEvent) -> bool:
        """After collection: whatever is not still settlement. Before it: a shuffle once the pots are won.

        Stacks may be read only now and then: then the pots, which stood and are empty, tell that they were won.
        """
        if round.opened_n is None:
            return False
        if _held_open(round):
            prepares = isinstance(event, (log.Shuffle, log.Button, log.Cut))
            emptied = emptied_n([*round.chips.values()]) is not None
            return prepares and (_over(round) or emptied or _unopposed(round))
        if isinstance(event, log.Chips):
            if spot_of(event.at) == "stack":
                taken_back = event.by == "dealer" and _rise(round, event) < 0
                if event.by == "player" and _no_pot_came(round):
                    return True
                if taken_back or _goes_back(round, event):
                    return False
                return _over(round) and (event.by != "dealer" or _balanced(round))
            return event.by != "dealer" and _rise(round, event) > 0
        if isinstance(event, log.Call):
            return event.what not in ("void", "misdeal")
        return not isinstance(event, (log.Gone, log.Feed, log.Hand, log.CuttingCard, log.Turn))

    def ended(self, round: Round) -> bool:
        """The pots are won: all that was put in is paid out, or no pot stands and the cards are collected."""
        if _held_open(round):
            return (_won(round) and _balanced(round)) or _won_unread(round) or _unopposed(round)
        return _declared_off(round) or not _chips_in_the_middle(round)

    def tells_of_the_past(self, round: Round, event: log.AnyEvent) -> bool:
        """Nothing does: stacks are read now and then, so chips never told of are no sign. See `begins_unseen`."""
        return False


def first_seen(round: Round) -> bool:
    """Whether no round before this one was seen dealt."""
    return round.previous is None or not round.previous.slots


def _is_played_on(event: log.AnyEvent) -> bool:
    """Whether players act, or their cards or the board are turned or go, as they do when a round is on."""
    if isinstance(event, log.Call):
        return event.what in ("check", "fold") and event.at is not None
    return isinstance(event, log.Gone | log.Turn) and event.at not in OFF_TABLE


def _held_open(round: Round) -> bool:
    """Whether cards lie on the table that are not of a folded hand: such a one may be swept in unseen."""
    return bool(round.on_table and _held(round))


def _held(round: Round) -> set[str]:
    """Where cards lie that are not of a folded hand."""
    folded = {call.at for _, call in round.calls if call.what == "fold"}
    return {slot.place for slot in round.slots if slot.gone_n is None and slot.place not in folded}


def _over(round: Round) -> bool:
    return _declared_off(round) or _won(round)


def _balanced(round: Round) -> bool:
    """Whether all that the players put in has come back to a stack or gone to the drop: what comes now is bought."""
    put_in = given = by_nobody = 0
    for ledger in round.chips.values():
        spot, opened = spot_of(ledger.at), round.opened_n or 0
        rises = [c for c in ledger.changes if c.rise > 0]
        if spot == "bet":
            put_in += ledger.carried + sum(c.rise for c in rises if c.by != "dealer")
            put_in += sum(c.rise for c in ledger.changes if c.rise < 0 and c.by == "player")
            by_nobody += sum(c.rise for c in ledger.changes if c.rise < 0 and c.by is None)
        elif ledger.at.startswith("pot"):
            put_in += ledger.carried + sum(c.rise for c in rises if c.by == "player")
            by_nobody += sum(c.rise for c in rises if c.by is None)
        elif spot == "stack":
            given += sum(c.rise for c in rises if c.n > opened and c.by != "player")
            given += sum(c.rise for c in ledger.changes if c.rise < 0 and c.n > opened and c.by == "dealer")
        elif ledger.at == "drop":
            given += sum(c.rise for c in ledger.changes if c.n > opened)
    # Where nobody is told to move chips, what came to the pots from no bet was put straight there.
    return put_in + max(by_nobody, 0) == given


def _no_pot_came(round: Round) -> bool:
    """Whether all bets went back, with no pot formed: everybody folded to the only blind."""
    return not any(
        (ledger.changes and ledger.at.startswith("pot")) or (ledger.amount and spot_of(ledger.at) == "bet")
        for ledger in round.chips.values()
    )


def _declared_off(round: Round) -> bool:
    return any(call.at is None and call.what in ("misdeal", "void") for _, call in round.calls)


def _goes_back(round: Round, event: log.Chips) -> bool:
    """Whether a player has back what he put into a round that was declared off: no more than he brought to it."""
    stack = round.chips.get((event.at, event.colour))
    if stack is None or not _declared_off(round):
        return False
    brought = max([stack.carried, *(change.after for change in stack.changes if change.n < (round.opened_n or 0))])
    return stack.amount <= log.cents(event.amount) <= brought


def _chips_in_the_middle(round: Round) -> bool:
    return any(ledger.amount and ledger.at.startswith("pot") for ledger in round.chips.values())


def _won(round: Round) -> bool:
    """Whether somebody was paid since the last bet, and no pot stands. The winner may have taken his stake and left.

    Where no stack is in the log, the pots were emptied.
    """
    ledgers = [*round.chips.values()]
    emptied = emptied_n(ledgers)
    stacks = [ledger for ledger in ledgers if spot_of(ledger.at) == "stack"]
    if not stacks and emptied is not None:
        return True
    bets = [c.n for ledger in ledgers if spot_of(ledger.at) == "bet" for c in ledger.changes if c.rise > 0]
    since = max([round.opened_n or 0, *(n for n in bets if emptied is None or n < emptied)])
    return not _chips_in_the_middle(round) and any(
        change.by != "player" and change.rise > 0 and change.n > since for stack in stacks for change in stack.changes
    )


def _won_unread(round: Round) -> bool:
    """Whether the pots were emptied in a round in which no stack is read when chips leave it: nor need awards be."""
    stacks = [ledger for ledger in round.chips.values() if spot_of(ledger.at) == "stack"]
    followed = any(change.rise < 0 and change.by != "dealer" for stack in stacks for change in stack.changes)
    return not followed and emptied_n([*round.chips.values()]) is not None


def _unopposed(round: Round) -> bool:
    """Whether one player is left and no pot came: the only blind went back to him."""
    return _no_pot_came(round) and len(_held(round) - {"board"}) == 1 and any(
        ledger.changes and ledger.changes[-1].rise < 0 for ledger in round.chips.values() if spot_of(ledger.at) == "bet"
    )  # fmt: skip


def _rise(round: Round, event: log.Chips) -> int:
    """By how much the chips at a spot grow; one that was not told of yet had none."""
    ledger = round.chips.get((event.at, event.colour))
    return log.cents(event.amount) - (ledger.amount if ledger is not None else 0)
