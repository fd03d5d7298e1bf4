"""Reactions and multipliers of a run, by a scheme and in axes that are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.motion.work import States
from linkwork.analysis.prepared.prepare import Mechanism
from linkwork.arrays import Array
from linkwork.compiler.compiled import CompiledFunction
from linkwork.equations.reactions.balance import (
    Balance,
    BodyInertia,
    Flags,
    decided,
    open_components,
    relative_zero,
    scaled_balance,
    scaled_inertia,
)
from linkwork.equations.reactions.multipliers import (
    conditions_function,
    estimate_penalties,
    scaled_conditions,
    solve_multipliers,
)
from linkwork.equations.reactions.places import CHILD
from linkwork.equations.reactions.reactions import OWN_AXES
from linkwork.equations.reactions.schemes import LEAST, ReactionScheme, reaction_scheme
from linkwork.errors import RefusedError, did_you_mean
from linkwork.progress import told
from linkwork.results.quantities import MultiplierValues, ReactionInfo, ReactionValues

WORLD = "world"
SamplesTaken = slice | NDArray[np.intp]
ENTRIES = 4_000_000  # of whole matrices that are solved at once
CACHED = 150_000  # of the entries of matrices that stay in the cache of the processor
FEWEST = 16  # samples of a portion
LASTS = 3  # samples of a mode that is no moment


class ReactionRun:
    """The reactions along a run with the states t (N), y (N, n), v̇ (N, nv) and the parameters p, (np) or (N, np).

    scheme: how they are found unless another one is asked for; at: where the moments of joints are taken
    """

    def __init__(
        self, mechanism: Mechanism, states: States, p: Array, scheme: ReactionScheme = LEAST, at: str = CHILD
    ) -> None:
        self.mechanism, self.p, self.scheme = mechanism, p, scheme
        self.t, self.y, self.vdot = states
        plan = mechanism.equations.reactions
        self.plan = plan if at == CHILD else plan.with_moments_at(at)
        self._found: dict[tuple[str, str], tuple[Array, Flags]] = {}

    def with_moments_at(self, at: str) -> ReactionRun:
        """The same with moments of joints at another place."""
        return ReactionRun(self.mechanism, (self.t, self.y, self.vdot), self.p, self.scheme, at)

    def solve(self, scheme: str | None = None, axes: str = WORLD) -> tuple[Array, Flags]:
        """All components (N, nc), and which of them are not unique."""
        scheme = scheme or self.scheme.name
        if (scheme, axes) not in self._found:
            chosen = self.scheme if scheme == self.scheme.name else reaction_scheme(scheme)
            self._check(axes)
            if chosen is LEAST:
                self._found[scheme, axes] = self._least() if axes == WORLD else self._turned(axes)
            else:
                self._found[scheme, axes] = self._by(chosen, axes)
        return self._found[scheme, axes]

    @told("finding reactions")
    def _least(self) -> tuple[Array, Flags]:
        """Least squares of least norm in world axes, by elimination; by singular values where the rank is in doubt."""
        plan, shape = self.plan, (len(self.t), len(self.plan.components))
        values, loose, doubtful = np.zeros(shape), np.zeros(shape, dtype=bool), np.zeros(shape[0], dtype=bool)
        if not values.size or not plan.pushes:
            return values, loose
        if plan.leaning:  # G depends on the signs of f
            return self._whole(values, loose)
        entries = self.mechanism.compiled(plan.entries)
        for part in self._portions(entries.size_out, CACHED):
            samples = self._batch(entries, part)
            found = plan.solver.solve(samples, relative_zero(samples[:, -1]))
            values[part], loose[part], unclear = found.values, *open_components(found)
            doubtful[part] = ~found.certain | unclear
        for i in np.flatnonzero(doubtful):
            (sample,) = self._batch(entries, slice(i, i + 1))
            values[i], loose[i] = decided(plan.solver.pattern, sample, float(relative_zero(sample[-1])))
        return values, loose

    def _whole(self, values: Array, loose: Flags) -> tuple[Array, Flags]:
        """The same by singular values, filled in."""
        for part in self._portions(self.plan.function.numel_out("G"), ENTRIES):
            balance = self._balance(WORLD, part)
            values[part], loose[part] = LEAST.solve(balance), balance.open
        return values, loose

    def _turned(self, axes: str) -> tuple[Array, Flags]:
        """The same in other axes; which components are open depends on these."""
        values, loose = self.solve(LEAST.name)
        if loose.any():
            return self._by(LEAST, axes)
        values = values.copy()
        self._turn(values[..., None], self._evaluate(self.plan.axes(axes), slice(None))["A"])
        return values, loose

    def _by(self, scheme: ReactionScheme, axes: str) -> tuple[Array, Flags]:
        """By a scheme that takes whole matrices."""
        values, loose = self.solve(LEAST.name)
        values, loose = values.copy(), loose.copy()
        if not self.plan.pushes:
            return values, loose
        for part in self._portions(self.plan.function.numel_out("G"), ENTRIES):
            balance = self._balance(axes, part)
            values[part] = scheme.solve(balance)
            if loose[part].any():
                loose[part] = balance.open
        return values, loose

    def values(self, scheme: str, axes: str) -> ReactionValues:
        """The components by their names, and what is to be said about them."""
        found, loose = self.solve(scheme, axes)
        names = [f"{element}.{component}" for element, component in self.plan.components]
        return ReactionValues(dict(zip(names, found.T, strict=True)), self.describe(loose))

    def describe(self, loose: Flags) -> dict[str, ReactionInfo]:
        """What each element gives: its components, and where they are not unique."""
        # at singular positions more is open than elsewhere, at symmetric ones less
        mostly = np.any(
            [2 * np.count_nonzero(loose[part], axis=0) > len(loose[part]) for part in self._modes()], axis=0
        )
        ever = np.atleast_1d(loose.any(axis=0))
        infos, parts = {}, dict[str, dict[str, int]]()
        for i, (owner, name) in enumerate(self.plan.components):
            parts.setdefault(owner, {})[name] = i
        for element, mine in parts.items():
            passing = {
                name: float(self.t[np.argmax(loose[:, i])]) for name, i in mine.items() if ever[i] and not mostly[i]
            }
            parent, child = self.plan.sides.get(element, ("", ""))
            open_ = tuple(name for name, i in mine.items() if mostly[i])
            infos[element] = ReactionInfo(tuple(mine), open_, self._kind(element), parent, child, passing)
        return infos

    def _modes(self) -> list[slice]:
        """The samples in which the same conditions hold, where there are enough of them; else all."""
        held = np.atleast_2d(self.p)[:, self.mechanism.coordinates.limit_places]
        edges = [0, *(np.flatnonzero(np.any(held[1:] != held[:-1], axis=1)) + 1).tolist(), len(self.t)]
        return [slice(low, high) for low, high in pairwise(edges) if high - low >= LASTS] or [slice(None)]

    def multipliers(self, scheme: str) -> list[MultiplierValues]:
        """The multipliers of all conditions, and what they stand for."""
        c, whole = self.mechanism.coordinates, slice(None)
        parts = self._evaluate(conditions_function(c, self.plan.vdot), whole)
        penalty = estimate_penalties(c, float(self.t[0]), self.y[0], np.atleast_2d(self.p)[0])
        found = solve_multipliers(scheme, c, parts, self.vdot, penalty)
        loose = np.atleast_1d(scaled_conditions(c, parts, self.vdot).open.all(axis=0))
        efforts = found * parts["factors"][..., 0]
        return [
            MultiplierValues(
                label=str(row.label),
                element=row.label.element,
                multiplier=found[:, i] / row.meaning.part,
                effort=efforts[:, i],
                unit=row.meaning.unit,
                meaning=row.meaning.text,
                unique=not loose[i],
            )
            for i, row in enumerate(c.rows)
        ]

    def _kind(self, element: str) -> str:
        model, relations = self.mechanism.model, self.mechanism.coordinates.geometry.relations
        if element in model.joints:
            return "joint"
        if element in relations:
            return "driver" if relations[element].driving else "relation"
        if element in self.mechanism.topology.drives.keys:
            return "driver"
        return "coupling" if element in model.couplings else "stop"

    def _check(self, axes: str) -> None:
        bodies = list(self.mechanism.coordinates.geometry.bodies)
        known = [WORLD, *OWN_AXES, *bodies]
        if axes not in known:
            raise RefusedError(
                f"axes = '{axes}': reactions are given in axes of the {WORLD}, of the parent, child or joint, or of a "
                f"body by its name; {did_you_mean(axes, known)}"
            )

    def _portions(self, width: int, numbers: int, count: int | None = None) -> Iterator[slice]:
        """Parts of *count* samples, by default of all, with at most so many *numbers*, *width* a sample."""
        size, count = max(FEWEST, numbers // max(width, 1)), len(self.t) if count is None else count
        yield from (slice(start, start + size) for start in range(0, count, size))

    def _balance(self, axes: str, part: SamplesTaken) -> Balance:
        wrenches = self._evaluate(self.plan.function, part)
        if axes != WORLD:
            turn = self._evaluate(self.plan.axes(axes), part)["A"]
            for name in wrenches.keys() & {"W", "V"}:
                self._turn(wrenches[name], turn)
        return scaled_balance(
            self.plan, self.t[part], wrenches, lambda: self._inertia(part), lambda f: self._evaluate(f, part)
        )

    def _inertia(self, part: SamplesTaken) -> BodyInertia:
        def right(vdot: Array) -> Array:
            return np.asarray(self._evaluate(self.plan.function, part, vdot)["r"][..., 0])

        return scaled_inertia(self.plan, self._evaluate(self.plan.inertia, part), right)

    def _turn(self, world: Array, axes: Array) -> None:
        """Turn the rows of forces and moments of joints and relations from world axes, in place."""
        space = self.mechanism.coordinates.space
        d, places = space.dimension, {name: i for i, name in enumerate(self.plan.components)}
        for i, element in enumerate(self.plan.sides):
            a = axes[:, :, i * d : (i + 1) * d].swapaxes(-1, -2)
            letters = ("f",) if space.planar else ("f", "m")
            for letter in letters:
                rows = [places.get((element, f"{letter}{axis}"), -1) for axis in space.axis_names]
                if min(rows) >= 0:
                    world[:, rows] = a @ world[:, rows]

    def _evaluate(self, function: ca.Function, part: SamplesTaken, vdot: Array | None = None) -> Mapping[str, Array]:
        compiled = self.mechanism.compiled(function)
        return compiled.unpack(self._batch(compiled, part, vdot))

    def _batch(self, compiled: CompiledFunction, part: SamplesTaken, vdot: Array | None = None) -> Array:
        states = np.hstack([self.y[part], self.vdot[part] if vdot is None else vdot])
        return compiled.sample(self.t[part], states, self.p if self.p.ndim == 1 else self.p[part])
