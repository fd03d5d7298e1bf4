"""A prescribed motion as a source of named quantities: those of every run, and the jerks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
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
from linkwork.results.quantities import TIME, Quantity, Variable


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
    ) -> None:
        """written: the model that moves on in this way, with inputs as drivers; None where these end with the motion."""
        super().__init__(mechanism, states, p)
        self.vddot, self.variable, self.written = vddot, variable, written

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
        return values | (self._third(jerks) if jerks else {})

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
        found = program["jerks"].batch(self.t, np.hstack([self.y, self.vdot, self.vddot]), self.p)
        return dict(zip(names, found.T, strict=True))


def jerk_name(acceleration: str) -> str:
    """``A.jerk`` of ``A.acceleration``, ``B.jx`` of ``B.ax``, ``link.jerkx`` of ``link.alphax``."""
    element, _, quantity = acceleration.rpartition(".")
    if quantity in ("ax", "ay", "az"):
        return f"{element}.j{quantity[1]}"
    return f"{element}.{quantity.replace('acceleration', 'jerk').replace('alpha', 'jerk')}"
