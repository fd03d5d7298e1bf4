"""The memory in which kernels leave what is kept of steps for the integrals of powers; see ``kernels/stepping/keeping.py``.

Nothing is computed here while a run goes on: a run of a tenth of a millisecond must not wait for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from linkwork.numerics.integrators.base import Array, Integers, Method
from linkwork.numerics.integrators.blocks import SharedNumbers
from linkwork.numerics.integrators.nodes import Gather, Kept, NodeRule, Nodes, Steps
from linkwork.numerics.integrators.trails import RateTrail, SeriesTrail, ValueTrail
from linkwork.numerics.kernels.stepping import status, taylor
from linkwork.numerics.kernels.stepping.run import Stepping

GROWTH, LARGEST = 4, 1 << 18  # of blocks; numbers in one: what is integrated before an interrupt is looked for
FEWEST = 32  # steps in a block, at least
REMEMBERED = 16  # knots before a block, which the polynomials of its first steps go through
ROWS = 3  # numbers of a step beside its states: size, end, order


class Keeper:
    """Keeps the steps of a run for somebody, in blocks; the first one has room for so many numbers.

    run: memory of the run
    """

    def __init__(self, method: Method, run: Stepping, gather: Gather) -> None:
        self._method, self._run, self._gather = method, run, gather
        rule = method.node_rule
        nodes = rule.places.size
        self._kind, rows = status.NODE_STAGES if rule.rows.size else status.NODE_DENSE, nodes
        if run.decode is None and method.knot_rows:
            self._kind, rows, nodes = status.NODE_KNOTS, method.knot_rows, method.knot_rows
        elif run.decode is None and method.uses_series and run.series is not None:
            self._kind, rows = status.NODE_SERIES, max(nodes, run.order + 1)
            assert isinstance(run, taylor.PowerSeries)
            run.node_source = run.coefficients
        self._shape = rows, run.shown
        self._width = rows * self._shape[1]
        run.node_count, run.node_kind, run.node_width = nodes, self._kind, self._width
        run.node_rows, run.node_places = rule.rows, rule.places

    def begin(self, start: float, room: int) -> None:
        """Keep steps from this time on."""
        self._last, self._room, self._first = start, room, 0
        self._begin_block(None)

    def _begin_block(self, before: _Kept | None) -> None:
        """A new block; its first knots are the last ones of the block before it."""
        numbers = max(self._room, (FEWEST + 1) * (self._width + ROWS))
        self._room = min(GROWTH * self._room, LARGEST)
        block, places = SharedNumbers(numbers), numbers // (self._width + ROWS)
        self._kept = _Kept(block, places, self._shape)
        if before is not None and self._kind == status.NODE_KNOTS:
            index = self._run.node_index
            self._first = min(index, REMEMBERED)
            for old, new in zip(before.parts(before.block.numbers), self._kept.parts(block.numbers), strict=True):
                new[: self._first] = old[index - self._first : index]
        run = self._run
        states, run.node_sizes, run.node_ends, run.node_orders = self._kept.parts(block.numbers)
        # a step may take two places, and the end of a run one more
        run.node_states, run.node_index, run.node_capacity = states, self._first, places - 3

    def collect(self, time: float, state: Array, rate: Array) -> None:
        """Make room where there is none. The run is at a time, with a state and its rate (n)."""
        if self._run.node_index > self._run.node_capacity:
            self.hand_on(time, state, rate)
            self._begin_block(self._kept)

    def hand_on(self, time: float, state: Array, rate: Array) -> None:
        """Give away what was kept."""
        index = self._run.node_index
        if index == self._first:
            return
        kept, rule = self._kept, self._method.node_rule
        begin, self._last = self._last, time
        make = partial(_steps, kept, rule, index, begin)
        if self._kind == status.NODE_KNOTS:
            rows, numbers = self._shape[0], kept.block.numbers
            numbers[index * self._width : (index + 1) * self._width] = (
                state if rows == 1 else np.concatenate([state, rate])
            )
            numbers[kept.places * self._width + index] = time
            make = partial(_trail, kept, rule, self._first, index)
        elif self._kind == status.NODE_SERIES:
            make = partial(_series, kept, rule, index, begin)
        self._gather(Kept(8 * (index - self._first) * (self._width + ROWS), make))


@dataclass(frozen=True, eq=False)
class _Kept:
    """A block with places for so many steps, of *shape* (rows, n) each."""

    block: SharedNumbers
    places: int
    shape: tuple[int, int]

    def parts(self, numbers: Array) -> tuple[Array, Array, Array, Integers]:
        """States (places, rows, n), sizes of steps or times of knots, ends and orders."""
        places, width = self.places, self.shape[0] * self.shape[1]
        states = numbers[: places * width].reshape(places, *self.shape)
        sizes, ends, orders = numbers[places * width : places * (width + ROWS)].reshape(ROWS, places)
        return states, sizes, ends, orders.view(np.int64)


def _steps(kept: _Kept, rule: NodeRule, count: int, begin: float) -> Steps:
    """Steps from states at their nodes, the first of which begins at a time."""
    states, sizes, ends, _ = kept.parts(kept.block.shared())
    return Nodes(rule, np.concatenate([[begin], ends[: count - 1]]), sizes[:count], ends[:count], states[:count])


def _series(kept: _Kept, rule: NodeRule, count: int, begin: float) -> Steps:
    """Steps from their power series."""
    states, _, _, orders = kept.parts(kept.block.shared())
    plain = _steps(kept, rule, count, begin)
    return SeriesTrail(rule, plain.start, plain.size, plain.end, states[:count], orders[:count])


def _trail(kept: _Kept, rule: NodeRule, first: int, count: int) -> Steps:
    """Steps from knots: those of order 0 are at ends that no step goes on from, and so is what follows the last one."""
    states, times, ends, orders = kept.parts(kept.block.shared())
    knots = first + np.flatnonzero(orders[first:count])
    kinds = np.minimum(orders[knots], knots + 1)
    trail = RateTrail if kept.shape[0] == 2 else ValueTrail
    start, size = times[knots], times[knots + 1] - times[knots]
    return trail(rule, start, size, ends[knots], states, times, knots, kinds)
