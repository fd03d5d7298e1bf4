"""Many systems Φ(q; x) = 0 with the same unknowns q and other data x each, solved from one another in batches.

Solutions spread from where one is known: every sample is approached from the nearest solved one, in short steps of x
(continuation), each by Newton's method (``many_newton``). A sample that fails is tried again as soon as one that is nearer
has been solved; it is out of reach when none is. A few samples, spread over all, are solved first, so that the rest has near
neighbours.

A solution of another branch is not taken: one to which Newton's steps do not shrink quickly, that lies far from where it was
begun, or on the other side of a singular position, det(G G₀ᵀ) < 0 with G = ∂Φ/∂q, and G₀ at the begin of a step (where the
conditions are independent). Such samples are tried again in shorter steps. Steps of least length have no part along motions
that change no condition, such as the spin of a rod between balls, and these do not matter.

What is left over is asked whether it has a solution at all, by undamped and damped steps from the nearest solved one. Those
that do are led there from several neighbours and from the known one, by steps that are halved where they fail and grow
again. Where there are few samples, or none on a way round, the search lays stepping stones: samples of its own, around those
that are asked for. What is reached so hardly depends on what else is asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from linkwork.arrays import Array
from linkwork.numerics.paths.many_newton import ManyDescent, ManySystems, damped_steps, descend_many

Mask = NDArray[np.bool_]
Samples = NDArray[np.intp]
FIRST = 300  # samples that are solved first
STRIDE = 0.1  # of x in one step
NEARER = 0.7  # a sample is tried again from a neighbour at this part of the distance of the last one
ROUNDS = 40
HALVINGS = 10  # of the stride, for samples that have a solution somewhere
FURTHER = 20  # steps for each halving
OTHERS = 3  # neighbours from which these are tried
STONES = 300  # samples of the search's own, around those that are asked for
AROUND = 0.5  # of the longest side of the box of all samples, by which stones lie outside of it
PORTION = 4096  # samples that are looked at together
KEPT = ManyDescent(contraction=0.2)
ANY = ManyDescent()
DAMPED = ManyDescent(most=60, farthest=np.inf, steps=partial(damped_steps, near=1e-3))


@dataclass(frozen=True, eq=False)
class Spread:
    """Solutions q (N × nq), not a number where none is found; which are *solved*; and which of the others (*elsewhere*) have
    a solution, but none to which the branch of the known one leads."""

    q: Array
    solved: Mask
    elsewhere: Mask


def spread(systems: ManySystems, x: Array, known: tuple[Array, Array], turns: Mask) -> Spread:
    """Solve for all x (N × k) from one that is *known* (q, x); turns (k): components of x that are angles."""
    search, count = _Search(systems, x, known, turns), len(x)
    search.sow(np.random.default_rng(0).permutation(count)[:FIRST])
    search.grow(count)
    has, asked = np.zeros(count, dtype=bool), np.full(count, np.inf)
    for laid in (False, True):
        if laid and len(search.left(count)):
            search.lay(_stones(np.vstack([x, known[1]]), turns))
            search.grow(count)
        left, start = search.nearer(search.left(count), asked)
        has[left] |= search.solvable(left, start)
        search.lead(left[has[left]])
    solved = search.solved[:count]
    return Spread(search.q[:count], solved, has & ~solved)


def _features(x: Array, turns: Mask) -> Array:
    """Data by which neighbours are near: angles by their cosines and sines."""
    return np.hstack([x[:, ~turns], np.cos(x[:, turns]), np.sin(x[:, turns])])


def _stones(x: Array, turns: Mask) -> Array:
    """Samples in and around the box of others; of angles all round at most."""
    low, high = x.min(axis=0), x.max(axis=0)
    reach, middle = (high - low) / 2 + AROUND * np.max(high - low), (low + high) / 2
    reach = np.where(turns, np.minimum(reach, np.pi), reach)
    return middle + np.random.default_rng(1).uniform(-1.0, 1.0, (STONES, len(low))) * reach


class _Search:
    """Samples with what is known of them: those that are asked for, the known one, stones.

    tried: how near the neighbour was from which a sample was tried last
    """

    def __init__(self, systems: ManySystems, x: Array, known: tuple[Array, Array], turns: Mask) -> None:
        self.systems, self.turns, self.home = systems, turns, len(x)
        self.x, self.q = np.vstack([x, known[1]]), np.vstack([np.full((len(x), len(known[0])), np.nan), known[0]])
        self.features = _features(self.x, turns)
        self.solved, self.tried = np.zeros(len(self.x), dtype=bool), np.full(len(self.x), np.inf)
        self.solved[self.home] = True

    def left(self, count: int) -> Samples:
        """Which of the first samples are not solved."""
        return np.flatnonzero(~self.solved[:count])

    def nearest(self, todo: Samples, rank: int = 1) -> tuple[Array, Samples]:
        """The solved neighbour of a rank of each, and its distance."""
        from scipy.spatial import cKDTree

        distance, place = cKDTree(self.features[self.solved]).query(self.features[todo], [rank])
        return distance[:, 0], np.flatnonzero(self.solved)[place[:, 0]]

    def sow(self, some: Samples) -> None:
        """Try some samples first, those that fail again from those that do not."""
        for _ in range(3):
            self.again(some[~self.solved[some]])

    def grow(self, count: int) -> None:
        """Try all of the first samples, until none is solved any more."""
        for _ in range(ROUNDS):
            if not self.again(self.left(count)):
                break

    def nearer(self, todo: Samples, tried: Array) -> tuple[Samples, Samples]:
        """Those with a nearer neighbour than the one before, and these neighbours."""
        distance, start = self.nearest(todo)
        again = distance < NEARER * tried[todo]
        tried[todo[again]] = distance[again]
        return todo[again], start[again]

    def again(self, todo: Samples) -> bool:
        """Try those with a nearer neighbour than before; whether any arrives."""
        return bool(np.any(self.keep(*self.nearer(todo, self.tried))))

    def keep(self, todo: Samples, start: Samples, halvings: int = 0) -> Mask:
        """Solve samples from others in their branch; who arrives."""
        found, ok = self.approach(todo, start, KEPT, halvings)
        self.q[todo[ok]], self.solved[todo[ok]] = found[ok], True
        return ok

    def approach(self, todo: Samples, start: Samples, way: ManyDescent, halvings: int = 0) -> tuple[Array, Mask]:
        """Solutions of samples from those of others, and which are found."""
        between = self.q[start], self.x[start], self.x[todo]
        return _approach(self.systems, between, self.turns, way, halvings)

    def lay(self, stones: Array) -> None:
        """Add samples of our own, and solve them."""
        count, new = len(self.x), len(stones)
        self.x, self.features = np.vstack([self.x, stones]), np.vstack([self.features, _features(stones, self.turns)])
        self.q = np.vstack([self.q, np.full((new, self.q.shape[1]), np.nan)])
        self.solved, self.tried = (
            np.append(self.solved, np.zeros(new, bool)),
            np.append(self.tried, np.full(new, np.inf)),
        )
        self.sow(count + np.arange(new))

    def solvable(self, todo: Samples, start: Samples) -> Mask:
        """Which samples have a solution in any branch, as far as Newton's method finds one."""
        has = self.approach(todo, start, ANY)[1]
        for at in range(0, len(todo), PORTION):
            part = np.flatnonzero(~has[at : at + PORTION]) + at
            has[part] = descend_many(self.systems, self.q[start[part]], self.x[todo[part]], DAMPED)[1]
        return has

    def lead(self, todo: Samples) -> None:
        """Solve samples by steps as short as need be, from neighbours and from the known one, and from one another."""
        for rank in range(min(OTHERS, int(self.solved.sum())) + 1):
            while len(todo):
                start = self.nearest(todo, rank)[1] if rank else np.full(len(todo), self.home)
                arrived = self.keep(todo, start, HALVINGS)
                todo = todo[~arrived]
                if not rank or not np.any(arrived):
                    break


def _approach(
    systems: ManySystems, between: tuple[Array, Array, Array], turns: Mask, descent: ManyDescent, halvings: int
) -> tuple[Array, Mask]:
    """From solutions q at the *start* to those at the *end*, in short steps of x, halved where they fail and
    doubled after two that do not; which arrive."""
    q, start, end = between[0].copy(), between[1], between[2]
    # angles the shorter way
    ways = np.where(turns, (end - start + np.pi) % (2 * np.pi) - np.pi, end - start)
    longest = 1.0 / np.maximum(1, np.ceil(np.max(np.abs(ways), axis=1, initial=0.0) / STRIDE - 1e-9))
    done, step, smooth = np.zeros(len(q)), longest.copy(), np.zeros(len(q), dtype=bool)
    going = np.arange(len(q))
    for _ in range(int(np.ceil(1.0 / longest.min(initial=1.0))) + FURTHER * halvings):
        for at in range(0, len(going), PORTION):
            part = going[at : at + PORTION]
            share = done[part] + step[part]
            share[share > 1.0 - 1e-9] = 1.0
            wanted = np.where(share[:, None] >= 1.0, end[part], start[part] + share[:, None] * ways[part])
            found, ok, _ = descend_many(systems, q[part], wanted, descent)
            q[part[ok]], done[part[ok]] = found[ok], share[ok]
            longer = part[ok & smooth[part]]
            step[longer] = np.minimum(2 * step[longer], longest[longer])
            step[part[~ok]] /= 2
            smooth[part] = ok
        going = going[(done[going] < 1.0) & (step[going] >= longest[going] / 2.0**halvings)]
    return q, done >= 1.0
