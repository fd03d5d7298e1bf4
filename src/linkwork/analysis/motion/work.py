"""Works: powers integrated along a run, from states that the run itself has left inside its steps.

The integrators hand on what they have of every step (``numerics/integrators/nodes.py``). Nothing is evaluated while the run
goes on: powers are, when a work or an audit is asked for. Only where a run has more steps than memory should hold,
everything is integrated on the way, and let go.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from linkwork.arrays import Array
from linkwork.numerics.integrators.nodes import Kept, Steps, join_steps

States = tuple[Array, Array, Array]  # t (N), y (N, n), v̇ (N, nv)
PowersAlong = Callable[[Array, Array, Array], Array]  # of t (N), y (N, n) and p (N, np): (N, q)
MOST = 1 << 26  # bytes of nodes that are kept
AT_ONCE = 1 << 21  # bytes of nodes that are integrated before an interrupt is looked for
RESOLVED = (
    1.0  # tolerances rtol: what a step may miss of all that a power turns over, as of a state in the step control
)
ROUNDED = 1e-12  # of all that powers turn over: less is what rounding errors leave of powers that are none
FINER, ROUNDS = 3.0, 5  # how much shorter steps are tried, and how often
WORTH, FEW = 3.0, 10_000  # times the steps of the run, and steps in all, that shorter ones may take


@dataclass(frozen=True)
class WorkAtOnce:
    """Work (J) that an element has done at once, at a time (s); destroyed: it took energy away for good."""

    time: float
    element: str
    work: float
    destroyed: bool = False


@dataclass(frozen=True, eq=False)
class Seam:
    """A time (s) at which something has changed: the state that a leg of the run has left, that with which the next one
    begins, the parameters (np) from then on, and what comes and goes and held before or holds then, by numbers;
    single: whether it is one turn, and not several at once."""

    time: float
    before: Array
    behind: Array
    p: Array
    held: tuple[int, ...]
    single: bool = True


@dataclass(eq=False)
class Gathered:
    """What a run over a grid of outputs has left inside its steps. It is called with nodes, and reads what p holds there.

    overflow: makes powers that are integrated on the way, where nodes take too much room
    states: from t (N), y (N, n) and p (N, np) to accelerations; close: to states whose loops are closed
    impulses: works that were done at once
    turns: where states have jumped; law: of impacts
    rtol: of the run; again: from outputs and the longest step to what the same run leaves with it, None: steps are as wished
    """

    grid: Array
    p: Array
    overflow: Callable[[Gathered], PowersAlong]
    states: Callable[[Array, Array, Array], States]
    close: PowersAlong
    impulses: list[WorkAtOnce] = field(default_factory=list)
    turns: list[Seam] = field(default_factory=list)
    law: str = ""
    wanted: bool = True  # whether there can be powers at all
    rtol: float = 0.0
    again: Callable[[Array, float], Gathered | None] | None = None

    def __post_init__(self) -> None:
        self._parts: list[tuple[Kept, Array]] = []
        self._size = 0
        self._powers: PowersAlong | None = None
        self._early: list[Array] = []  # integrals at outputs of parts that were let go
        self._total: Array | float = 0.0
        self._finer: Gathered | None = None  # the same run in shorter steps
        self.unresolved = False  # whether powers change faster than steps that were tried

    def __call__(self, kept: Kept) -> None:
        """Keep what is left of further steps."""
        self._parts.append((kept, self.p.copy()))
        self._size += kept.nbytes
        if self._size > MOST and len(self._parts) > 1:
            self._let_go()

    @property
    def let_go(self) -> bool:
        """Whether only the integrals of the overflow are left of a part of the run."""
        return self._powers is not None

    def _let_go(self) -> None:
        """Integrate the oldest parts, few enough that an interrupt need not wait; the last one may be cut short."""
        if self._powers is None:
            self._powers = self._of_closed(self.overflow(self))
        before = sum(len(found) for found in self._early)
        sizes = np.cumsum([kept.nbytes for kept, _ in self._parts[:-1]])
        count = min(int(np.searchsorted(sizes, AT_ONCE)) + 1, len(sizes))
        found, self._total, _ = _sum(self._parts[:count], self._powers, self.grid[before:], self._total)
        self._early.append(found)
        self._parts = self._parts[count:]
        self._size -= int(sizes[count - 1])

    def integrate(self, powers: PowersAlong, outputs: Array, count: int, least: float = 0.0) -> tuple[Array, Array]:
        """Integrals (N, count) of powers from the first output to each of them (N), and how much (count) these turn over.

        Steps are chosen by the errors of the states. Powers that the states do not feel, such as those of forces on driven
        bodies, may change within them: what is estimated to be wrong is found along the same run with shorter steps. Errors
        count over what a power turns over, or over the *least* energy (J) that works are compared with. It is given up
        where shorter steps are no better or cost far more, as beside singular positions: in steps that are short already
        powers are the noise of their states.
        Where parts were let go, integrals are those of the overflow, whatever is asked for.
        """
        powers = self._of_closed(powers)
        found, turned, missed, span = (self._finer or self)._along(powers, outputs, count, least)
        for _ in range(ROUNDS):
            if self.again is None or not missed > RESOLVED * self.rtol:
                break
            longest, last = span / FINER, missed
            if (self.reached - self.grid[0]) / longest > max(WORTH * self.steps, FEW):
                break
            finer = self.again(outputs, longest)
            if finer is None or finer.let_go or finer.reached < self.reached:
                break  # it has stopped on the way, for the number of its steps, and knows no more
            self._finer = finer
            found, turned, missed, span = finer._along(powers, outputs, count, least)
            if missed >= last:
                break
        self.unresolved |= self.again is not None and missed > RESOLVED * self.rtol
        return found, turned

    def _of_closed(self, powers: PowersAlong) -> PowersAlong:
        """The same, of states that are closed before."""
        if not any(kept.steps.rule.partial for kept, _ in self._parts):
            return powers
        return lambda t, y, p: powers(t, self.close(t, y, p), p)

    @property
    def any(self) -> bool:
        """Whether nodes of steps are there."""
        return bool(self._parts)

    @property
    def extremes(self) -> Array:
        """The largest size (n) of each state where the run was looked at inside its steps."""
        return np.asarray(np.max([kept.steps.extremes for kept, _ in self._parts], axis=0))

    @property
    def steps(self) -> int:
        """How many steps there are whose nodes are kept."""
        return sum(len(kept.steps.end) for kept, _ in self._parts)

    @property
    def reached(self) -> float:
        """The end of the last step, s."""
        return float(self._parts[-1][0].steps.end[-1]) if self._parts else -math.inf

    def _along(
        self, powers: PowersAlong, outputs: Array, count: int, least: float
    ) -> tuple[Array, Array, float, float]:
        """Integrals along these steps, what is turned over, the largest part of it which a step may miss, and how long (s)
        that step is."""
        early = np.concatenate(self._early)[: len(outputs)] if self._early else np.zeros((0, count))
        if not self._parts:
            return np.zeros((len(outputs), count)), np.zeros(count), 0.0, math.inf
        found, total, (turned, doubts, spans) = _sum(
            self._parts, self._powers or powers, outputs[len(early) :], self._total
        )
        rest = np.tile(total, (len(outputs) - len(early) - len(found), 1))
        every = np.concatenate([early, found, rest])
        sizes = np.maximum(turned, least)
        felt = doubts > ROUNDED * np.max(sizes, initial=0.0)
        parts = np.divide(doubts, sizes, out=np.zeros_like(doubts), where=felt)
        worst = int(np.argmax(parts)) if parts.size and not self.let_go else None
        missed, span = (0.0, math.inf) if worst is None else (float(parts[worst]), float(spans[worst]))
        return every, np.maximum(turned, np.max(np.abs(every), axis=0)), missed, span


def _sum(
    parts: Sequence[tuple[Kept, Array]], powers: PowersAlong, outputs: Array, total: Array | float
) -> tuple[Array, Array, tuple[Array, Array, Array]]:
    """Integrals (N, q) up to the outputs that parts contain, and up to their end (q); *total*: before them.

    The last ones are what powers turn over in all steps, the largest error of a step, and the length of that step (q).
    """
    if not parts:
        nothing = np.zeros(np.size(total))
        return np.zeros((0, np.size(total))), np.asarray(total), (nothing, nothing, nothing)
    joined = _joined(parts)
    edges = [0, *outputs.searchsorted([steps.end[-1] for steps, _ in joined], side="right").tolist()]
    pieces = [_Piece(steps, outputs[low:high]) for (steps, _), (low, high) in zip(joined, pairwise(edges), strict=True)]
    counts = [piece.count for piece in pieces]
    if len(pieces) == 1:
        p = joined[0][1]
        values = powers(pieces[0].times, pieces[0].states, np.broadcast_to(p, (counts[0], len(p))))
    else:
        values = powers(
            np.concatenate([piece.times for piece in pieces]),
            np.concatenate([piece.states for piece in pieces]),
            np.repeat([p for _, p in joined], counts, axis=0),
        )
    found = []
    turned, doubts, spans = np.zeros((3, values.shape[1]))
    for piece, (low, high) in zip(pieces, pairwise(accumulate(counts, initial=0)), strict=True):
        every = piece.spread(values[low:high])
        rows, total = piece.integrate(every, total)
        found.append(rows)
        turned += piece.turned(every)
        errors, own_spans = piece.doubts(every)
        doubts, spans = np.where(errors > doubts, errors, doubts), np.where(errors > doubts, own_spans, spans)
    return np.concatenate(found), np.asarray(total), (turned, doubts, spans)


def _joined(parts: Sequence[tuple[Kept, Array]]) -> list[tuple[Steps, Array]]:
    """Steps and p (np) of all parts; those that follow each other with the same nodes and the same p are one."""
    found: list[tuple[list[Steps], Array]] = []
    for kept, p in parts:
        before = found[-1] if found else None
        if before is not None and before[0][0].rule is kept.steps.rule and np.array_equal(before[1], p):
            before[0].append(kept.steps)
        else:
            found.append(([kept.steps], p))
    return [(join_steps(steps), p) for steps, p in found]


class _Piece:
    """The outputs (N) that some steps contain, and the nodes that integrals up to them need.

    Stages that serve the dense output alone are there only in steps with outputs inside, and in those that events have cut.
    """

    def __init__(self, nodes: Steps, outputs: Array) -> None:
        self.nodes, self.outputs = nodes, outputs
        self.step = np.minimum(np.searchsorted(nodes.end, outputs), len(nodes.end) - 1)
        self.first = outputs <= nodes.start[0]  # the first output of all
        self.inside = (outputs < nodes.end[self.step]) & ~self.first
        self.staged = nodes.rule.rows.size > 0
        self.cut = np.zeros(0, dtype=np.intp)
        if self.staged:
            short = nodes.start + nodes.size - nodes.end
            self.cut = np.flatnonzero(short > 64 * np.spacing(np.abs(nodes.end)))
            self.wanted = np.repeat(nodes.rule.used[None], len(nodes.end), axis=0)
            self.wanted[self.step[self.inside]] = True
            self.wanted[self.cut] = True
            self._counts = np.count_nonzero(self.wanted, axis=1)
            self.count = int(self._counts.sum())
        else:
            self._counts, self.count = len(nodes.rule.whole), nodes.end.size * len(nodes.rule.whole)

    @property
    def times(self) -> Array:
        return np.asarray(self.nodes.times[self.wanted] if self.staged else self.nodes.times.ravel())

    @property
    def states(self) -> Array:
        states = self.nodes.states
        return np.asarray(states[self.wanted] if self.staged else states.reshape(self.count, -1))

    def spread(self, found: Array) -> Array:
        """Powers (S, k, q) at all nodes, from those that were wanted."""
        shape = len(self.nodes.end), len(self.nodes.rule.whole), found.shape[1]
        if not self.staged:
            return found.reshape(shape)
        values = np.zeros(shape)
        values[self.wanted] = found
        return values

    def turned(self, values: Array) -> Array:
        """How much (q) powers (S, k, q) turn over, back and forth."""
        return np.asarray((self.nodes.span / self._counts) @ np.abs(values).sum(axis=1))

    def doubts(self, values: Array) -> tuple[Array, Array]:
        """The largest error (q) of a step, and the length (q) of that step."""
        errors = self.nodes.span[:, None] * np.abs(self.nodes.rule.doubts(values))
        worst = errors.argmax(axis=0)
        return errors[worst, np.arange(worst.size)], self.nodes.span[worst]

    def integrate(self, values: Array, total: Array | float) -> tuple[Array, Array]:
        """Integrals (N, q) up to the outputs, and up to the end of the last step (q), of powers (S, k, q) at all nodes."""
        nodes, step, inside = self.nodes, self.step, self.inside
        weights = nodes.span[:, None] * nodes.rule.whole
        if len(self.cut):
            weights[self.cut] = self._weights(nodes.end[self.cut], self.cut)
        parts = np.einsum("sk,skq->sq", weights, values)
        sums = np.zeros((len(parts) + 1, parts.shape[1]))
        np.cumsum(parts, axis=0, out=sums[1:])
        sums += total
        rows = sums[np.where(self.first, 0, step + 1)]
        at = step[inside]
        within = self._weights(self.outputs[inside], at)
        rows[inside] = sums[at] + np.einsum("nk,nkq->nq", within, values[at])
        return rows, sums[-1]

    def _weights(self, times: Array, steps: NDArray[np.intp]) -> Array:
        """(N, k) of the nodes of steps up to times inside them."""
        nodes = self.nodes
        span = nodes.span[steps]
        theta = np.minimum(np.maximum((times - nodes.start[steps]) / span, 0.0), 1.0)
        return np.asarray(nodes.rule.weights(theta) * span[:, None])


def steps_of(impulses: Sequence[WorkAtOnce], outputs: Array, element: str | None = None) -> Array:
    """Works (N) that impulses have done up to each output; of one element, or of all."""
    found = np.zeros(len(outputs))
    for impulse in impulses:
        if element is None or impulse.element == element:
            found[outputs > impulse.time] += impulse.work
    return found
