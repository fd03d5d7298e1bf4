"""Reactions and multipliers of a run, by a scheme and in axes that are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.prepare import Mechanism
from linkwork.analysis.work import States
from linkwork.equations.balance import Balance, BodyInertia, Flags, scaled_balance, scaled_inertia
from linkwork.equations.multipliers import (
    conditions_function,
    estimate_penalties,
    scaled_conditions,
    solve_multipliers,
)
from linkwork.equations.reaction_schemes import LEAST, ReactionScheme, reaction_scheme
from linkwork.equations.reactions import OWN_AXES, ReactionPlan
from linkwork.errors import RefusedError, did_you_mean
from linkwork.results.quantities import MultiplierValues, ReactionInfo, ReactionValues

Array = NDArray[np.float64]
WORLD = "world"
ENTRIES = 4_000_000  # of the matrices that are solved at once


class ReactionRun:
    """The reactions along a run with the states t (N), y (N, n), v̇ (N, nv) and the parameters p, (np) or (N, np).

    scheme: how they are found unless another one is asked for
    """

    def __init__(self, mechanism: Mechanism, states: States, p: Array, scheme: ReactionScheme = LEAST) -> None:
        self.mechanism, self.p, self.scheme = mechanism, p, scheme
        self.t, self.y, self.vdot = states
        self._found: dict[tuple[str, str], tuple[Array, Flags]] = {}

    @property
    def plan(self) -> ReactionPlan:
        return self.mechanism.equations.reactions

    def solve(self, scheme: str | None = None, axes: str = WORLD) -> tuple[Array, Flags]:
        """All components (N, nc), and which of them are not unique."""
        scheme = scheme or self.scheme.name
        if (scheme, axes) not in self._found:
            chosen = self.scheme if scheme == self.scheme.name else reaction_scheme(scheme)
            self._check(axes)
            parts = [self._solve_portion(chosen, axes, part) for part in self._portions()]
            values, loose = (np.concatenate(items) for items in zip(*parts, strict=True))
            self._found[scheme, axes] = values, loose
        return self._found[scheme, axes]

    def values(self, scheme: str, axes: str) -> ReactionValues:
        """The components by their names, and what is to be said about them."""
        found, loose = self.solve(scheme, axes)
        names = [f"{element}.{component}" for element, component in self.plan.components]
        return ReactionValues(dict(zip(names, found.T, strict=True)), self.describe(loose))

    def describe(self, loose: Flags) -> dict[str, ReactionInfo]:
        """What each element gives: its components, and where they are not unique."""
        # at singular positions more is open than elsewhere, at symmetric ones less
        mostly, ever = loose.mean(axis=0) > 0.5, np.atleast_1d(loose.any(axis=0))
        infos = {}
        for element in dict.fromkeys(element for element, _ in self.plan.components):
            mine = {name: i for i, (owner, name) in enumerate(self.plan.components) if owner == element}
            passing = {
                name: float(self.t[np.argmax(loose[:, i])]) for name, i in mine.items() if ever[i] and not mostly[i]
            }
            parent, child = self.plan.sides.get(element, ("", ""))
            open_ = tuple(name for name, i in mine.items() if mostly[i])
            infos[element] = ReactionInfo(tuple(mine), open_, self._kind(element), parent, child, passing)
        return infos

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
                multiplier=found[:, i],
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
        return "driver" if element in model.joint_drivers else "coupling"

    def _check(self, axes: str) -> None:
        bodies = list(self.mechanism.coordinates.geometry.bodies)
        known = [WORLD, *OWN_AXES, *bodies]
        if axes not in known:
            raise RefusedError(
                f"axes = '{axes}': reactions are given in axes of the {WORLD}, of the parent, child or joint, or of a "
                f"body by its name; {did_you_mean(axes, known)}"
            )

    def _portions(self) -> Iterator[slice]:
        size = max(1, ENTRIES // max(1, self.plan.function.numel_out("G")))
        yield from (slice(start, start + size) for start in range(0, max(len(self.t), 1), size))

    def _solve_portion(self, scheme: ReactionScheme, axes: str, part: slice) -> tuple[Array, Flags]:
        balance = self._balance(axes, part)
        if not balance.matrix.shape[-1]:
            return np.zeros(balance.world.shape[:2]), np.zeros(balance.world.shape[:2], dtype=bool)
        return scheme.solve(balance), balance.open

    def _balance(self, axes: str, part: slice) -> Balance:
        wrenches = self._evaluate(self.plan.function, part)
        if axes != WORLD:
            self._turn(wrenches["W"], self._evaluate(self.plan.axes(axes), part)["A"])
        return scaled_balance(
            self.plan, self.t[part], wrenches, lambda: self._inertia(part), lambda f: self._evaluate(f, part)
        )

    def _inertia(self, part: slice) -> BodyInertia:
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

    def _evaluate(self, function: ca.Function, part: slice, vdot: Array | None = None) -> Mapping[str, Array]:
        compiled = self.mechanism.compiled(function)
        states = np.hstack([self.y[part], self.vdot[part] if vdot is None else vdot])
        return compiled.unpack(compiled.batch(self.t[part], states, self.p if self.p.ndim == 1 else self.p[part]))
