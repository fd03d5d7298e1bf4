"""From a motion of some joint coordinates to that of the whole mechanism, closed at every sample.

Positions by Newton's method on Φ(q, t) = 0 and g(q) = what is given, rates and accelerations from

    C v = −a,   D v = ġ      and      C v̇ = −b,   D v̇ = g̈ − Ḋ v,

all in the least-squares sense with what is given held (García de Jalón and Bayo, chapter 3). What is then left of Φ is the
violation of the conditions by the motion: above a tolerance it is refused, below it the nearest motion that satisfies them
is taken.

Passive spins of round links (``topology.spins``) are given by nobody: they are held, u·ω = 0 and u·α = 0, and the positions
turn with that (``carried_spins``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from functools import cached_property

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.kinematics.carried_spins import angles_about
from linkwork.analysis.prepared.prepare import Mechanism
from linkwork.arrays import Array
from linkwork.compiler.compiled import CompiledFunction
from linkwork.coordinates.spinning import spin_rates
from linkwork.equations.prescribed import counted
from linkwork.equations.terms import make_function
from linkwork.numerics.matrices.least_norm import LeastNormSolver
from linkwork.numerics.matrices.many_matrices import least_solutions
from linkwork.numerics.policy import POLICY
from linkwork.topology.mobility.spins import PassiveSpin

HELD = 1e3  # weight of what is given against the conditions
CONVERGED = 1e-14  # scaled correction that ends Newton's method
ITERATIONS = 40
LARGEST = 0.5  # scaled correction of one iteration
APPROACH = 24  # steps from the assembled position to the first sample
FIRST, LONGEST = 8, 8192  # samples that are followed at once
SAME = 1e-9  # relative difference of positions that are the same
ROUNDING = 1e-15  # scaled residual that no step can improve
PORTION = 8192  # samples that are closed together


class MotionClosing:
    """The conditions of a mechanism together with the coordinates that a motion gives.

    p: its parameters, or (N × np) those at every sample
    """

    def __init__(
        self, mechanism: Mechanism, p: Array, keys: Sequence[tuple[str, str]], spins: Sequence[PassiveSpin] = ()
    ) -> None:
        self.mechanism, self.p, self.keys = mechanism, p, list(keys)
        self.c = mechanism.coordinates
        self.spins = spin_rates(self.c.geometry, spins, self.c.kinematics)
        self.nq, self.nv, self.holonomic = self.c.q.numel(), self.c.v.numel(), self.c.holonomic
        self.scale = self.c.kinematics.scale
        self.weights = np.array([row.weight for row in self.c.rows]) / self.c.kinematics.length
        self.independent = False  # whether what is given is no more than the mechanism needs
        self._solvers: dict[bytes, LeastNormSolver] = {}
        self._turning = np.array([self._is_angle(key) for key in self.keys], dtype=bool)

    def _is_angle(self, key: tuple[str, str]) -> bool:
        coordinate = self.c.motion.coordinates[key]
        return coordinate.kind == "angle" and not coordinate.winds

    @cached_property
    def _function(self) -> CompiledFunction:
        """Φ, C, a, b; g, D and the part of g̈ that comes without v̇."""
        c = self.c
        held, spins = [c.motion.coordinates[key] for key in self.keys], self.spins
        values = ca.vertcat(ca.SX(0, 1), *[item.value for item in held])
        rates = ca.vertcat(ca.SX(0, 1), *[item.rate for item in held], spins.rates)
        outputs = {"phi": c.phi, "C": c.jacobian, "a": c.a, "b": c.b, "g": values}
        if spins.names:
            outputs |= {"u": ca.vertcat(*spins.lines), "e": ca.vertcat(*spins.across), "shape": self._shape()}
        outputs |= {"D": ca.jacobian(rates, c.v), "drift": c.motion.drift(rates)}
        if c.kinematics.retract is not None:
            outputs["retracted"] = c.kinematics.retract
        if c.motion.counters:
            outputs["counted"] = counted(c)
        places = [list(c.motion.coordinates).index(key) for key in self.keys]
        name = "_".join(["closing", *map(str, places), *([spins.label] if spins.names else [])])
        return self.mechanism.compiled(make_function(name, c, outputs))

    def _shape(self) -> ca.SX:
        """What tells positions apart that are more than turned about passive spins."""
        frames, space = self.c.kinematics.frames, {n for spin in self.c.topology.spins for n in spin.bodies}
        axes = [ca.vec(ca.densify(frame.axes)) for name, frame in frames.items() if name not in space]
        return ca.vertcat(*[frame.origin for frame in frames.values()], *axes, *self.spins.lines)

    def parts(self, t: Array, y: Array, places: NDArray[np.intp] | None = None) -> dict[str, Array]:
        """The outputs at N samples, which stand at these *places* in a table of parameters, or first; columns as (N, m)."""
        f, chosen = self._function, slice(len(t)) if places is None else places
        found = f.unpack(f.batch(t, y, self.p if self.p.ndim == 1 else self.p[chosen]))
        return {name: item if name in ("C", "D") else item[..., 0] for name, item in found.items()}

    def among(self, part: slice) -> MotionClosing:
        """The same of some of the samples."""
        if self.p.ndim == 1:
            return self
        found = copy(self)
        found.p = self.p[part]
        return found

    # -- positions ---------------------------------------------------------------------------------------------

    def positions(self, t: Array, y: Array, given: Array, across: Array | None = None) -> Array:
        """States (N, ny) near *y* in which the coordinates are as *given* (N, k), as far as the conditions allow.

        across (N, spins, 3): where the directions across passive spins shall point; by default these move without spin
        """
        found = y.copy()
        for first in range(0, len(t), PORTION):
            left = np.arange(first, min(first + PORTION, len(t)))
            for _ in range(ITERATIONS):
                left = left[~self._improve(t, found, (given, across), left)]
                if not left.size:
                    break
        return found

    def _improve(
        self, t: Array, y: Array, wanted: tuple[Array, Array | None], places: NDArray[np.intp]
    ) -> NDArray[np.bool_]:
        """One step of Newton's method at some samples, in place; tells which of them have got there."""
        now, (given, across) = y[places], wanted
        parts = self.parts(t[places], now, places)
        used, gap = slice(self.holonomic), self._gap(parts["g"], given[places])
        if self.spins.names:
            turned = np.zeros((len(places), len(self.spins.names)))
            if across is not None:
                lines, directions = (parts[name].reshape(len(places), -1, 3) for name in ("u", "e"))
                turned = angles_about(lines, across[places], directions)
            gap = np.concatenate([gap, turned], axis=1)
        residual = np.concatenate([parts["phi"][:, used] * self.weights[used], HELD * gap], axis=1)
        closed = largest(residual) <= ROUNDING
        off = np.flatnonzero(~closed)
        if off.size:
            step = -self._solve(self._rows(parts, used, off), residual[off])
            longest = largest(step)
            kept = np.minimum(1.0, LARGEST / np.maximum(longest, LARGEST))[:, None]
            y[places[off]] = moved = self._moved(t, now[off], step * kept, places[off])
            closed[off] = longest < CONVERGED * np.maximum(1.0, largest(moved[:, : self.nq]))
        return closed

    def in_turn(self, start: Array, given: Array) -> Array:
        """The coordinates (1 + N, k) of a state and of rows (N, k), angles on the turn next to the ones before."""
        first = self.parts(np.zeros(1), start[None])["g"]
        rows = np.vstack([first, given])
        return np.asarray(first + np.vstack([np.zeros_like(first), np.cumsum(self._gap(rows[1:], rows[:-1]), axis=0)]))

    def follow(self, t: Array, start: Array, given: Array) -> Array:
        """The same from an assembled state, as if sample by sample, so that the branch is kept."""
        found = np.empty((t.size, start.size))
        now = start[None].copy()
        first = self.parts(t[:1], now)["g"]
        gap = self._gap(given[:1], first)
        for fraction in np.linspace(0.0, 1.0, APPROACH + 1)[1:]:
            now = self.positions(t[:1], now, first + fraction * gap)
        found[0] = self.positions(t[:1], now, given[:1])[0]
        done, size = 1, FIRST
        while done < t.size:
            block = slice(done, min(done + size, t.size))
            kept = self.among(block)._follow_block(t[block], found[done - 1], given[block], found[block])
            done, size = done + kept, min(2 * size, LONGEST) if done + kept == block.stop else max(FIRST, kept)
        return found

    def _follow_block(self, t: Array, before: Array, given: Array, found: Array) -> int:
        """The states of some samples behind a known one, all at once, into *found*; how many are those of single steps.

        Each is sought from the known one. Those that are found again from the one before them are what steps from sample
        to sample would have given, and so is the first that is not, when it is taken from there.
        """
        far = self.positions(t, np.tile(before, (t.size, 1)), given)
        found[:] = self.positions(t, np.vstack([before, far[:-1]]), given)
        one, two = (self.parts(t, y)["shape"] if self.spins.names else y[:, : self.nq] for y in (found, far))
        size = np.maximum(1.0, np.abs(one).max(axis=-1, initial=0.0))
        other = np.flatnonzero(~(np.abs(one - two).max(axis=-1, initial=0.0) < SAME * size))
        return int(other[0]) + 1 if other.size else t.size

    def _gap(self, a: Array, b: Array) -> Array:
        """a − b, angles to the nearest turn."""
        gap = a - b
        turned = gap - 2 * np.pi * np.round(gap / (2 * np.pi))
        return np.where(self._turning, turned, gap) if gap.shape[-1] else gap

    def _moved(self, t: Array, y: Array, step: Array, places: NDArray[np.intp]) -> Array:
        """q ⊕ δ at some samples, with the turns that it counts."""
        moved = y.copy()
        if self.c.kinematics.retract is None:
            moved[:, : self.nq] += step * self.scale
        else:
            moved[:, self.nq : self.nq + self.nv] = step * self.scale
            moved[:, : self.nq] = self.parts(t[places], moved, places)["retracted"]
            moved[:, self.nq : self.nq + self.nv] = y[:, self.nq : self.nq + self.nv]
        if self.c.motion.counters:
            moved[:, self.nq + self.nv :] = self.parts(t[places], moved, places)["counted"]
        return moved

    # -- velocities and accelerations --------------------------------------------------------------------------

    def _rows(self, parts: Mapping[str, Array], used: slice, places: NDArray[np.intp] | slice) -> Array:
        """Rows of the conditions and of what is given at some samples, in sizes of the coordinates."""
        conditions, held = parts["C"][places, used], parts["D"][places]
        return np.concatenate(
            [conditions * (self.weights[used, None] * self.scale), held * (HELD * self.scale)], axis=1
        )

    def _solve(self, rows: Array, right: Array) -> Array:
        return least_solutions(rows, right, POLICY.followed, self._solvers)

    def rates(self, t: Array, y: Array, bias: str, given: Array | None, guess: Array) -> tuple[Array, Array]:
        """x (N, nv) with C x = −bias and D x = *given*, or nearest to a guess; and what of C x + bias it had to give up.

        bias: 'a' for speeds, 'b' for accelerations, of which D x is less by what the speeds give
        """
        x, left = guess.copy(), np.zeros((len(t), len(self.weights)))
        for first in range(0, len(t), PORTION):
            part = slice(first, first + PORTION)
            parts = self.among(part).parts(t[part], y[part])
            if given is not None:
                held = np.zeros((len(parts["drift"]), len(self.keys) + len(self.spins.names)))
                held[:, : len(self.keys)] = given[part]
                held -= parts["drift"] if bias == "b" else 0.0
                right = np.concatenate([-parts[bias] * self.weights, HELD * held], axis=1)
                x[part] = self.scale * self._solve(self._rows(parts, slice(None), slice(None)), right)
            left[part] = np.einsum("nij,nj->ni", parts["C"], x[part]) + parts[bias]
            size = np.maximum(1.0, largest(x[part] / self.scale))
            off = np.flatnonzero(largest(left[part] * self.weights) > ROUNDING * size)
            scaled = parts["C"][off] * (self.weights[:, None] * self.scale)
            x[first + off] -= self.scale * self._solve(scaled, left[first + off] * self.weights)
        return x, left

    def openings(self, t: Array, y: Array) -> Array:
        """Φ (N, m) of the positions."""
        portions = range(0, max(len(t), 1), PORTION)
        parts = [slice(i, i + PORTION) for i in portions]
        found = [self.among(part).parts(t[part], y[part])["phi"][:, : self.holonomic] for part in parts]
        return np.concatenate(found)


def largest(values: Array) -> Array:
    """(N,) the largest magnitude of each of N rows; column by column, as rows are short."""
    found = np.zeros(len(values))
    for column in values.T:
        np.maximum(found, np.abs(column), out=found)
    return found
