"""A prescribed motion as a source of named quantities: those of every run, and the jerks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import casadi as ca
import numpy as np

from linkwork.analysis.motion.trajectory import Trajectory
from linkwork.analysis.motion.work import States
from linkwork.analysis.prepared.prepare import Mechanism
from linkwork.arrays import Array
from linkwork.compiler.program import build
from linkwork.coordinates.naming import Entry, acceleration_entries
from linkwork.equations.prescribed import rate_along
from linkwork.model import Model
from linkwork.results.quantities import TIME, Quantity, ReactionValues, Variable


@dataclass(frozen=True)
class LookedAt:
    """Singular positions of a motion: passed, times of those that it goes through smoothly; singular, samples that are such
    positions, where no forces are determined; near, times between which branches were looked for, and do not meet."""

    passed: tuple[float, ...] = ()
    singular: tuple[int, ...] = ()
    near: tuple[tuple[float, float], ...] = ()


NOTHING = LookedAt()


class KinematicTrajectory(Trajectory):
    """States with v̈ (N, nv): beside ``A.acceleration`` and ``P.ax`` there are ``A.jerk`` and ``P.jx``."""

    def __init__(
        self,
        mechanism: Mechanism,
        states: States,
        p: Array,
        vddot: Array,
        variable: Variable = TIME,
        written: Model | None = None,
        *,
        dips: LookedAt = NOTHING,
    ) -> None:
        """written: the model that moves on in this way, with inputs as drivers; None where these end with the motion.

        dips: what is known of singular positions on the way
        """
        super().__init__(mechanism, states, p)
        self.passed, self.near = dips.passed, dips.near
        self.singular = np.asarray(dips.singular, dtype=np.intp)
        self.vddot, self.variable, self.written = vddot, variable, written

    def since(self, first: int) -> KinematicTrajectory:
        """The same motion without its samples before one of them."""
        kept = tuple(int(i) - first for i in self.singular if i >= first)
        states = self.t[first:], self.y[first:], self.vdot[first:]
        dips = LookedAt(self.passed, kept, self.near)
        p = self._p_since(first)
        return KinematicTrajectory(
            self.mechanism, states, p, self.vddot[first:], self.variable, self.written, dips=dips
        )

    def backwards(self) -> KinematicTrajectory:
        """The same samples from the last to the first."""
        p = self.p if self.p.ndim == 1 else self.p[::-1]
        states = self.t[::-1], self.y[::-1], self.vdot[::-1]
        singular = tuple((len(self.t) - 1 - self.singular[::-1]).tolist())
        dips = LookedAt(self.passed[::-1], singular, self.near[::-1])
        found = tuple(np.ascontiguousarray(part) for part in states)
        given = np.ascontiguousarray(p), np.ascontiguousarray(self.vddot[::-1]), self.variable, self.written
        return KinematicTrajectory(self.mechanism, (found[0], found[1], found[2]), *given, dips=dips)

    @cached_property
    def catalogue(self) -> Mapping[str, Quantity]:
        """Every quantity that can be asked for."""
        jerks = {name: Quantity(name, entry.unit, entry.description) for name, entry in self._jerks.items()}
        known = {**super().catalogue, **jerks}
        return {name: replace(item, unit=self.variable.rate(item.unit)) for name, item in known.items()}

    def evaluate(self, names: Sequence[str]) -> dict[str, Array]:
        """Values of the named quantities, each (N,)."""
        jerks = [name for name in names if name in self._jerks]
        others = [name for name in names if name not in self._jerks]
        values = super().evaluate(others) if others else {}
        if self.singular.size:
            pushes = {f"{element}.{component}" for element, component in self.mechanism.equations.reactions.components}
            values = {n: self._blank(v) if pushes.intersection(self.ingredients([n])) else v for n, v in values.items()}
        return values | (self._third(jerks) if jerks else {})

    def reactions(self, scheme: str, axes: str, at: str) -> ReactionValues:
        """Reactions by a scheme, in axes of the world or others, with moments at a place."""
        found = super().reactions(scheme, axes, at)
        return replace(found, values={name: self._blank(values) for name, values in found.values.items()})

    def _blank(self, values: Array) -> Array:
        """Values (N), no numbers at samples that are singular positions."""
        known = np.array(values, dtype=float)
        known[self.singular] = np.nan
        return known

    @cached_property
    def _vddot_symbol(self) -> ca.SX:
        return ca.SX.sym("vddot", self.mechanism.coordinates.v.numel())

    @cached_property
    def _jerks(self) -> dict[str, Entry]:
        c, vdot = self.mechanism.coordinates, self.vdot_symbol
        found = {}
        for name, entry in acceleration_entries(c.topology, c.motion, vdot).items():
            text = entry.description.replace("acceleration", "jerk")
            found[jerk_name(name)] = Entry(entry.unit.replace("s^2", "s^3"), text, partial(self._rate, entry))
        return found

    def _rate(self, entry: Entry) -> ca.SX:
        vdot = self.vdot_symbol
        return rate_along(self.mechanism.coordinates, ca.densify(entry.build()), vdot, (vdot, self._vddot_symbol))

    def _third(self, names: Sequence[str]) -> dict[str, Array]:
        c = self.mechanism.coordinates
        stacked = ca.vertcat(*[ca.densify(self._jerks[name].build()) for name in names])
        state = ca.vertcat(c.y, self.vdot_symbol, self._vddot_symbol)
        function = ca.Function("jerks", [c.t, state, c.p], [stacked], ["t", "y", "p"], ["x"])
        program = build({"jerks": function}, self.mechanism.program.backend)
        found = program["jerks"].sample(self.t, np.hstack([self.y, self.vdot, self.vddot]), self.p)
        return dict(zip(names, found.T, strict=True))


def jerk_name(acceleration: str) -> str:
    """``A.jerk`` of ``A.acceleration``, ``B.jx`` of ``B.ax``, ``link.jerkx`` of ``link.alphax``."""
    element, _, quantity = acceleration.rpartition(".")
    if quantity in ("ax", "ay", "az"):
        return f"{element}.j{quantity[1]}"
    return f"{element}.{quantity.replace('acceleration', 'jerk').replace('alpha', 'jerk')}"
