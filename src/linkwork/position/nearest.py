"""The pose nearest to what is wanted, with all joints closed: weighted goals in the order of their priority.

Goals of one priority are met in the sense of least squares, E = ½ Σ w² r², on the positions that close all joints and leave
the goals before them where they are. A step goes along the directions Z that these leave free, by Newton's method on the
Lagrange function L = E + λᵀφ,

    (Zᵀ ∇²L Z) s = −Zᵀ ∇E,    x ← x ⊕ Z s,  then back onto φ = 0 by steps of least length

(J. Nocedal, S. J. Wright, *Numerical Optimization*, Springer 2006, section 18.3). Where a goal is reached it becomes one of
the conditions φ; where it is not, the directions in which its ∇²L vanishes stay free for those behind it. A stationary
position that is no minimum is left along its most negative curvature, to the side
on which the coordinate that is kept first grows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from linkwork.numerics.matrices.many_matrices import multipliers
from linkwork.numerics.policy import POLICY
from linkwork.position.assembly import CoupledReadings
from linkwork.position.evaluator import Evaluator
from linkwork.position.geometry import GROUND, Array
from linkwork.position.newton import FULL, descend
from linkwork.position.poses import PoseConditions, Poses, wrap
from linkwork.position.preference import Preference, preference
from linkwork.position.rank import null_space

REACHED = POLICY.closed  # residual of a goal that counts as met: rad, or part of the size of the mechanism
STEP = 0.3  # longest step, rad or part of the size
SMALLEST = 1e-12  # step after which none follows
NOISE = 1e-7  # step that may be one of rounding
FLAT = 1e-6  # curvature, over the largest, of a direction that a goal leaves free
UNFELT = 1e-9  # curvature, over that of a goal which moves freely, that rounding errors may leave
AWAY = 0.1  # step from a position that is stationary without being a minimum
MOST = 200
BACK = replace(FULL, most=12)  # onto the conditions


@dataclass(frozen=True)
class ReadingGoal:
    """A coordinate of a joint or a body near a value, rad or m."""

    reading: int
    value: float
    weight: float = 1.0


@dataclass(frozen=True, eq=False)
class PointGoal:
    """Components of a point of a body near given values, m; not a number where one is free."""

    body: str
    local: Array
    place: Array
    weight: float = 1.0


@dataclass(frozen=True, eq=False)
class AttitudeGoal:
    """The axes (columns) of a body near given ones, in the world.

    ‖A − R‖ / √2 = 2 sin(θ/2) grows with the angle θ between them, whatever the axis: the nearest axes are those of the
    smallest turn.
    """

    body: str
    axes: Array
    weight: float = 1.0


Goal = ReadingGoal | PointGoal | AttitudeGoal


@dataclass(frozen=True, eq=False)
class Nearest:
    """Where the search for the nearest pose stands: conditions, and those goals that have become conditions.

    relations: couplings, which keep the values *reference* (r) of the readings where the search began
    spins: bodies that do not spin about a line in their own axes (3), as nothing that is wanted depends on it
    """

    conditions: PoseConditions
    p: Array
    relations: tuple[CoupledReadings, ...] = ()
    reference: Array = field(default_factory=lambda: np.zeros(0))
    reached: tuple[Goal, ...] = ()
    kept: tuple[tuple[Goal, ...], ...] = ()  # goals before that are not reached
    spins: tuple[tuple[str, Array], ...] = ()

    @cached_property
    def _evaluate(self) -> Evaluator:
        return self.conditions.evaluator(self.p)

    def settle(self, poses: Poses, levels: Sequence[Sequence[Goal]]) -> tuple[Poses, int]:
        """Meet the goals level by level; returns the poses and how many steps were taken. The joints are closed before."""
        search, taken = self, 0
        for level in levels:
            poses, steps = search.minimise(poses, level)
            taken += steps
            met = float(np.max(np.abs(search.residual(poses, level)[0]), initial=0.0)) < REACHED
            search = (
                replace(search, reached=(*search.reached, *level))
                if met
                else replace(search, kept=(*search.kept, tuple(level)))
            )
        return poses, taken

    def minimise(self, poses: Poses, level: Sequence[Goal]) -> tuple[Poses, int]:
        """Newton's method on the goals of one level."""
        last = np.inf
        for taken in range(MOST):
            free = self.directions(poses)
            if not free.shape[1]:
                return poses, taken
            step = self._step(poses, level, free)
            size = float(np.max(np.abs(step)))
            # near the minimum steps shrink with their square; where they do not, rounding is all that is left
            if size < SMALLEST or (size < NOISE and size > 0.1 * last):
                return poses, taken
            last = size
            moved = self._search(poses, level, step * min(1.0, STEP / size))
            if moved is None:
                return poses, taken
            poses = moved
        return poses, MOST

    def residual(
        self, poses: Poses, goals: Sequence[Goal], read: tuple[Array, Array] | None = None
    ) -> tuple[Array, Array]:
        """What goals miss, times their weights, and its derivative (n × size); *read*: all readings and their rates."""
        c = self.conditions
        if read is None and any(isinstance(goal, ReadingGoal) for goal in goals):
            read = self._evaluate(poses)[2:]
        values, rates = read or (np.zeros(0), np.zeros((0, c.size)))
        gaps, rows = [np.zeros(0)], [np.zeros((0, c.size))]
        for goal in goals:
            if isinstance(goal, ReadingGoal):
                reading = c.readings[goal.reading]
                gap = values[goal.reading] - goal.value
                scale = goal.weight / float(c.units[goal.reading])
                gaps.append(np.array([scale * (float(wrap(gap)) if reading.wraps else gap)]))
                rows.append(scale * rates[[goal.reading]])
            elif isinstance(goal, AttitudeGoal):
                gap, slope = self._attitude(poses, goal)
                gaps.append(goal.weight * gap)
                rows.append(goal.weight * slope)
            else:
                gap, slope = self._point(poses, goal)
                gaps.append(goal.weight / c.length * gap)
                rows.append(goal.weight / c.length * slope)
        return np.concatenate(gaps), np.vstack(rows)

    def _attitude(self, poses: Poses, goal: AttitudeGoal) -> tuple[Array, Array]:
        """(A − R) / √2, column by column, and its derivative."""
        c = self.conditions
        d, k = c.space.dimension, c.space.freedoms
        axes, end = poses[goal.body].axes, (c.bodies.index(goal.body) + 1) * k
        slope = np.zeros((d * d, c.size))
        slope[:, end - (k - d) : end] = np.vstack([_turned(axis) for axis in axes.T])
        return (axes - goal.axes).T.ravel() / np.sqrt(2.0), slope / np.sqrt(2.0)

    def _point(self, poses: Poses, goal: PointGoal) -> tuple[Array, Array]:
        c = self.conditions
        d, k = c.space.dimension, c.space.freedoms
        slope = np.zeros((d, c.size))
        asked = np.isfinite(goal.place)
        if goal.body == GROUND:
            return (goal.local - goal.place)[asked], slope[asked]
        arm, first = poses[goal.body].axes @ goal.local, c.bodies.index(goal.body) * k
        slope[:, first : first + d] = c.length * np.eye(d)
        slope[:, first + d : first + k] = _turned(arm)
        return (poses[goal.body].origin + arm - goal.place)[asked], slope[asked]

    def conditions_at(self, poses: Poses) -> tuple[Array, Array]:
        """φ and its derivative: joints, couplings, and goals that are reached."""
        return self._closed(poses, self._evaluate(poses))

    def _closed(self, poses: Poses, found: tuple[Array, Array, Array, Array]) -> tuple[Array, Array]:
        phi, rows, values, rates = found
        gaps, slopes = self.residual(poses, self.reached, (values, rates))
        extra = [gaps]
        for relation in self.relations:
            moved = np.array(
                [
                    wrap(x) if r.wraps else x
                    for x, r in zip(values - self.reference, self.conditions.readings, strict=True)
                ]
            )
            extra.append(np.atleast_1d(relation.of(moved)))
            slopes = np.vstack([slopes, relation.of(rates)])
        return np.concatenate([phi, *extra]), np.vstack([rows, slopes])

    def directions(self, poses: Poses) -> Array:
        """Z (size × f): what conditions and goals that are kept leave free."""
        free = null_space(np.vstack([self.conditions_at(poses)[1], self._spin_rows(poses)]))
        for goals in self.kept:
            if free.shape[1]:
                curvature, frame = np.linalg.eigh(self._curvature(poses, goals, free))
                free = free @ frame[:, np.abs(curvature) < FLAT * max(float(np.max(np.abs(curvature))), FLAT)]
        return free

    def _spin_rows(self, poses: Poses) -> Array:
        """u·δθ (· × size) of the bodies that do not spin."""
        c, rows = self.conditions, np.zeros((len(self.spins), self.conditions.size))
        for row, (body, line) in zip(rows, self.spins, strict=True):
            end = (c.bodies.index(body) + 1) * c.space.freedoms
            row[end - 3 : end] = poses[body].axes @ line
        return rows

    def _step(self, poses: Poses, level: Sequence[Goal], free: Array) -> Array:
        gaps, rows = self.residual(poses, level)
        slope = free.T @ (rows.T @ gaps)
        curvature, frame = np.linalg.eigh(self._curvature(poses, level, free))
        largest = max(float(np.max(np.abs(curvature))), 1e-300)
        if float(np.max(np.abs(slope))) < 1e-9 and curvature[0] < -1e-6:
            return AWAY * self._one_way(poses, free @ frame[:, 0])
        # a goal that nothing moves has the curvature of rounding errors
        none = UNFELT * float(np.sum(rows**2) + np.linalg.norm(rows) * np.linalg.norm(gaps))
        felt = np.abs(curvature) > max(FLAT * largest, none)
        inverse = np.where(felt, 1 / np.maximum(np.abs(curvature), 1e-300), 0.0)
        return np.asarray(-free @ (frame @ (inverse * (frame.T @ slope))))

    @cached_property
    def _preference(self) -> Preference:
        return preference(self.conditions)

    def _one_way(self, poses: Poses, direction: Array) -> Array:
        """A direction (size) with its sign, which no arithmetic decides: the coordinate that is kept first grows."""
        moves = self._evaluate(poses)[3] @ direction
        first = self._preference.moved_first(moves)
        return direction if first is None or moves[first] > 0.0 else -direction

    def _curvature(self, poses: Poses, level: Sequence[Goal], free: Array) -> Array:
        """Zᵀ ∇²L Z, where ∇²L = Σ (∇r ∇rᵀ + r ∇²r) + Σ λ ∇²φ."""
        gaps, rows = self.residual(poses, level)
        _, held = self.conditions_at(poses)
        push = multipliers(held, -rows.T @ gaps)
        m, k = len(self.conditions.labels), len(self.relations)
        reached = push[m : len(push) - k]
        readings = self._reading_weights(level, gaps) + self._reading_weights(self.reached, reached)
        for relation, weight in zip(self.relations, push[len(push) - k :], strict=True):
            for reading, factor in relation.terms:
                readings[reading] += factor * weight
        bent = self.conditions.bend(poses, self.p, np.concatenate([push[:m], readings]), free)
        bent += self._turned_goals(poses, level, gaps, free)
        bent += self._turned_goals(poses, self.reached, reached, free)
        along = rows @ free
        return np.asarray(along.T @ along + free.T @ bent)

    def _reading_weights(self, goals: Sequence[Goal], weights: Array) -> Array:
        """What every reading weighs in the sum of weights times what goals miss."""
        found = np.zeros(len(self.conditions.readings))
        for goal, part in self._parts(goals, weights):
            if isinstance(goal, ReadingGoal):
                found[goal.reading] += goal.weight / self.conditions.units[goal.reading] * float(part[0])
        return found

    def _turned_goals(self, poses: Poses, goals: Sequence[Goal], weights: Array, free: Array) -> Array:
        """Σ w ∇²r Z (size × f) of goals of points and attitudes: of g·exp(θ) a it is (g aᵀ + a gᵀ)/2 − (g·a) 1 in θ."""
        c, found = self.conditions, np.zeros_like(free)
        d, k = c.space.dimension, c.space.freedoms
        for goal, part in self._parts(goals, weights):
            if isinstance(goal, ReadingGoal) or goal.body == GROUND:
                continue
            axes = poses[goal.body].axes
            if isinstance(goal, PointGoal):
                pull = np.zeros(d)
                pull[np.isfinite(goal.place)] = goal.weight / c.length * part
                pairs = [(pull, axes @ goal.local)]
            else:
                pairs = list(zip(goal.weight / np.sqrt(2.0) * part.reshape(d, d), axes.T, strict=True))
            end = (c.bodies.index(goal.body) + 1) * k
            turn = slice(end - (k - d), end)
            for g, a in pairs:
                plain = -float(g @ a) * np.eye(k - d)
                found[turn] += (plain if d == 2 else plain + (np.outer(g, a) + np.outer(a, g)) / 2) @ free[turn]
        return found

    def _parts(self, goals: Sequence[Goal], weights: Array) -> Iterator[tuple[Goal, Array]]:
        """Goals with their parts of weights."""
        at, d = 0, self.conditions.space.dimension
        for goal in goals:
            count = 1 if isinstance(goal, ReadingGoal) else d * d
            count = int(np.sum(np.isfinite(goal.place))) if isinstance(goal, PointGoal) else count
            yield goal, weights[at : at + count]
            at += count

    def _search(self, poses: Poses, level: Sequence[Goal], step: Array) -> Poses | None:
        """The poses moved by as much of a step as brings the goals nearer; None where nothing does."""
        before = float(np.sum(self.residual(poses, level)[0] ** 2))
        size = float(np.max(np.abs(step)))
        for halved in range(40):
            if size / 2**halved < SMALLEST:
                return None
            trial = self._restore(self.conditions.move(poses, step / 2**halved))
            if trial is None:
                continue
            after = float(np.sum(self.residual(trial, level)[0] ** 2))
            if after < before:
                return trial
            if after <= before * (1 + 1e-9) + 1e-26 and size < 1e-6:
                return trial if halved == 0 else None
        return None

    def _restore(self, poses: Poses) -> Poses | None:
        """Back onto the conditions by steps of least length, and the goals before back to where they were best."""
        found = descend(self.conditions, self.conditions_at, poses, BACK)
        if not found.closed:
            return None
        poses = found.poses
        for i, goals in enumerate(self.kept):
            poses = replace(self, kept=self.kept[:i]).minimise(poses, goals)[0]
        return poses


def _turned(arm: Array) -> Array:
    """δθ × arm as a matrix of δθ."""
    return np.array([[-arm[1]], [arm[0]]]) if len(arm) == 2 else np.asarray(np.cross(np.eye(3), arm).T)
