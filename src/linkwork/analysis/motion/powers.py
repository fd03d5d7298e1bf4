"""The powers whose integrals along a run are its works: of all elements by name, and two sums for its audit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import casadi as ca
import numpy as np

from linkwork.analysis.motion.ledger import DISSIPATED, SUPPLIED
from linkwork.analysis.motion.work import Gathered, PowersAlong, States, WorkAtOnce, steps_of
from linkwork.analysis.motion.written import written
from linkwork.analysis.prepared.prepare import Mechanism
from linkwork.arrays import Array
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.power import element_powers
from linkwork.equations.recursion.forces import needed_forces

GIVEN, LOST = "audit.given", "audit.lost"
BALANCE = (GIVEN, LOST)  # by expressions alone, without reactions and without compiled code


def balance(c: Coordinates, vdot: ca.SX) -> list[ca.SX]:
    """What comes in and what is destroyed. Conditions that move push with Cᵀλ = M v̇ − h and bring in vᵀ (M v̇ − h)."""
    powers = element_powers(c, vdot).values()
    given = sum((item.supplied for item in powers), ca.SX(1, 1))
    if not c.a.is_zero():
        given += ca.dot(c.v, needed_forces(c, vdot))
    return [given, sum((item.dissipated for item in powers), ca.SX(1, 1))]


@dataclass(frozen=True)
class RunPowers:
    """The powers along a run.

    gathered: what the run has left inside its steps
    read: the powers of works at other states, of which it is given the states, the parameters and the names
    """

    mechanism: Mechanism
    gathered: Gathered
    read: Callable[[States, Array, Sequence[str]], Mapping[str, Array]]

    def are_none(self, names: Sequence[str]) -> bool:
        """Whether all these powers are zero whatever the state, as those that springs bring in from outside."""
        return all(name in BALANCE for name in names) and written(self.mechanism.coordinates, balance).is_zero

    def of(self, names: Sequence[str]) -> PowersAlong:
        """The powers of some works, as a function of t (N), y (N, n) and p (N, np) that gives (N, q)."""
        audited = [name for name in names if name in BALANCE]
        others = [name for name in names if name not in BALANCE]

        def powers(t: Array, y: Array, p: Array) -> Array:
            found: dict[str, Array] = {}
            vdot = self._accelerations(t, y, p, bool(others))
            if audited:
                values = written(self.mechanism.coordinates, balance)(t, y, vdot, p)
                found |= {name: value[:, 0] for name, value in zip(BALANCE, values, strict=True)}
            if others:
                found |= self.read((t, y, vdot), p, others)
            return np.column_stack([found[name] for name in names])

        return powers

    def _accelerations(self, t: Array, y: Array, p: Array, needed: bool) -> Array:
        if not needed and not written(self.mechanism.coordinates, balance).needs_accelerations:
            return np.zeros((len(t), self.mechanism.coordinates.v.numel()))
        return self.gathered.states(t, y, p)[2]

    @staticmethod
    def at_once(name: str, impulses: Sequence[WorkAtOnce], outputs: Array) -> Array:
        """Works (N) that impulses add to one of the works."""
        if not impulses:
            return np.zeros(len(outputs))
        if name in (GIVEN, f"work.{SUPPLIED}"):
            return steps_of([item for item in impulses if not item.destroyed], outputs)
        if name in (LOST, f"work.{DISSIPATED}"):
            return -steps_of([item for item in impulses if item.destroyed], outputs)
        return steps_of(impulses, outputs, name.rpartition(".")[0])
