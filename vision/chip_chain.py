"""A stack as a chain of bands: it begins at a foot's row, every chip ends at a joint higher up, the last at the top.

Each band has one colour of the house's palette. The score of a number of chips, or of its colours, is the sum over all
chains that have them: where joints show they decide, where colours change these do, else the height does.
"""

from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vision.chip_stance import TALLEST, Floats
from vision.chip_strip import ROWS

LONGEST_BAND = 8
"""Rows that one chip may take in a straightened stack: a chip that slipped away from the camera shows more."""
CHANGE = 0.135
"""A house keeps colours together: how much less likely another colour follows than the same."""
UNSEEN_CHANGE = 0.03
"""Among chips that are hidden: what nobody sees is likely like what is seen beside it."""
_LEAST_TINT = -60.0


@dataclass(frozen=True, kw_only=True)
class Chains:
    """What a network says of some stacks, row by row, in logs: the chains that each of them may be. What follows from
    it is worked out once."""

    foot: Floats
    """Stacks x rows; so are joints and tops."""
    joint: Floats
    top: Floats
    lengths: Floats
    """Stacks x LONGEST_BAND: of a band of 1, 2, … rows."""
    tints: Floats
    """Stacks x colours x rows."""
    change: float = CHANGE

    def __getitem__(self, one: int) -> "Chains":
        just = slice(one, one + 1)
        chains = Chains(**{name: getattr(self, name)[just] for name in SAID}, change=self.change)
        chains.__dict__["_weights"] = self._weights[just]
        chains.__dict__["_ended"] = [(ended[just], log[just]) for ended, log in self._ended]
        return chains

    def numbers(self) -> Floats:
        """The scores of 1, 2, … chips (stacks x TALLEST), whatever their colours."""
        top = np.exp(self.top - (highest := self.top.max(axis=1, keepdims=True)))
        every = self._first(TALLEST)
        sums = [np.log(np.maximum(np.einsum("nkr,nr->n", ended, top), 1e-300)) + log for ended, log in every]
        return np.asarray(np.stack(sums, axis=1) + highest)

    def rows(self, chips: int) -> Floats:
        """The rows of foot, joints and top of one stack of so many chips, on average over all chains: where a joint
        does not show, it is between its neighbours."""
        joint, top, foot = (_powers(each[0]) for each in (self.joint, self.top, self.foot))
        ended, weights = [each[0] for each, _ in self._first(chips)], self._weights[0]
        chances = [ended[-1].sum(axis=0) * top]
        ahead = np.broadcast_to(top, ended[-1].shape)
        for below in reversed(ended[:-1]):
            begun = _begun(weights, ahead)
            chances.append((_mixed(below[None], self.change)[0] * begun).sum(axis=0) * joint)
            ahead = _mixed(begun[None] * joint, self.change)[0]
            ahead = ahead / max(float(ahead.max()), 1e-300)
        chances.append(_begun(weights, ahead).sum(axis=0) * foot)
        shares = np.array(chances[::-1])
        return np.asarray(shares @ np.arange(ROWS) / np.maximum(shares.sum(axis=1), 1e-300))

    def colours(self, chips: int) -> tuple[NDArray[np.intp], float]:
        """Which colours the chips of one stack have, if there are so many, bottom to top, and how likely all of them
        are right: from the top down the likeliest, given those above it."""
        joint, ahead = _powers(self.joint[0]), _powers(self.top[0])
        weights, chosen, sure = self._weights[0], [], 1.0
        follows = np.ones(len(weights))
        for ended, _ in reversed(self._first(chips)):
            chances = (ended[0] @ ahead) * follows
            best = int(chances.argmax())
            sure *= float(chances[best] / max(float(chances.sum()), 1e-300))
            chosen.append(best)
            follows = np.where(np.arange(len(weights)) == best, 1.0, self.change)
            ahead = _begun(weights[best][None], ahead[None])[0] * joint
            ahead = ahead / max(float(ahead.max()), 1e-300)
        return np.array(chosen[::-1]), sure

    def told(self, rows: Floats, likely: Floats) -> "Chains":
        """The chains of one stack when it is also known how likely (log) each of its chips, at these rows, has each
        colour (chips x colours)."""
        level = np.searchsorted(rows, np.arange(ROWS) + 0.5) - 1
        on = (level >= 0) & (level < len(likely))
        tints = _normed(self.tints).copy()
        share = np.bincount(level[on], minlength=len(likely)).astype(np.float64)
        tints[0][:, on] += (likely / np.maximum(share, 1)[:, None])[level[on]].T
        return replace(self, tints=tints)

    def telling(self, how_much: Floats, rows: Floats) -> "Chains":
        """The chains when a row tells only so much of colours (0 to 1), as another stack covers part of it. `rows` are
        those of the stack's foot, joints and top."""
        seen = float(how_much[int(rows[0]) : int(rows[-1])].mean())
        change = CHANGE**seen * UNSEEN_CHANGE ** (1 - seen)
        return replace(self, tints=_normed(self.tints) * how_much, change=change)

    def _first(self, chips: int) -> list[tuple[Floats, Floats]]:
        """For 1, 2, … chips how likely the last of them has each colour and ends at each row (stacks x colours x rows),
        but for a factor of which the log is told."""
        while len(self._ended) < chips:
            self._ended.append(self._next())
        return self._ended[:chips]

    @cached_property
    def _ended(self) -> list[tuple[Floats, Floats]]:
        """What `_first` has worked out so far."""
        return []

    def _next(self) -> tuple[Floats, Floats]:
        """One chip more."""
        if self._ended:
            ended, log = self._ended[-1]
            reached, log = _mixed(ended, self.change) * self._joints, log + self.joint.max(axis=1)
        else:
            colours = self.tints.shape[1]
            reached = np.broadcast_to(_powers(self.foot)[:, None] / colours, self.tints.shape)
            log = self.foot.max(axis=1)
        ended = np.einsum("nkrl,nkrl->nkr", _before(reached), self._weights)
        most = np.maximum(ended.max(axis=(1, 2)), 1e-300)
        return ended / most[:, None, None], log + np.log(most)

    @cached_property
    def _joints(self) -> Floats:
        return _powers(self.joint)[:, None]

    @cached_property
    def _weights(self) -> Floats:
        """Of bands by colour, the row behind them, and their length, the longest first (stacks x colours x rows x
        LONGEST_BAND)."""
        summed = np.pad(_normed(self.tints).cumsum(axis=2), ((0, 0), (0, 0), (1, 0)))[..., :-1]
        weights = np.exp(summed[..., None] - _before(summed) + self.lengths[:, None, None, ::-1])
        return np.asarray(weights * _IN_STRIP)


def _normed(tints: Floats) -> Floats:
    """How much likelier each row is of a colour than of any of the house's."""
    most = tints.max(axis=1, keepdims=True)
    return np.asarray(np.maximum(tints - most - np.log(np.exp(tints - most).mean(axis=1, keepdims=True)), _LEAST_TINT))


def _before(reached: Floats) -> Floats:
    """What was reached LONGEST_BAND, … 2, 1 rows before each row (… x rows x LONGEST_BAND)."""
    padded = np.zeros((*reached.shape[:-1], LONGEST_BAND + ROWS))
    padded[..., LONGEST_BAND:] = reached
    shape, strides = (*reached.shape, LONGEST_BAND), (*padded.strides, padded.itemsize)
    return np.ndarray(shape, padded.dtype, padded, strides=strides)  # a sliding window, in a tenth of its time


SAID = tuple(field.name for field in fields(Chains) if field.name != "change")
"""What the network says, by name."""
_IN_STRIP = _before(np.ones(ROWS))


def _begun(weights: Floats, ahead: Floats) -> Floats:
    """From each row all bands that begin there, by colour, and what lies ahead where they end (colours x rows)."""
    begun = np.zeros_like(ahead)
    for length in range(1, LONGEST_BAND + 1):
        begun[:, :-length] += weights[:, length:, LONGEST_BAND - length] * ahead[:, length:]
    return begun


def _mixed(ended: Floats, change: float) -> Floats:
    """How likely the next chip has each colour (stacks x colours x rows)."""
    stays = 1 / (1 + (ended.shape[1] - 1) * change)
    return np.asarray(stays * ((1 - change) * ended + change * ended.sum(axis=1, keepdims=True)))


def _powers(logs: Floats) -> Floats:
    return np.asarray(np.exp(logs - logs.max(axis=-1, keepdims=True)))
