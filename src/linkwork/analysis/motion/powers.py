"""The powers whose integrals along a run are its works: of all elements by name, and two sums for its audit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import casadi as ca
import numpy as np

from linkwork.analysis.audit.written import written
from linkwork.analysis.motion.ledger import DISSIPATED, SUPPLIED
from linkwork.analysis.motion.work import Impulse, PowersAlong, steps_of
from linkwork.arrays import Array
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.power import element_powers

if TYPE_CHECKING:
    from linkwork.analysis.motion.trajectory import Trajectory

GIVEN, LOST = "audit.given", "audit.lost"
BALANCE = (GIVEN, LOST)  # by expressions alone, without reactions and without compiled code


def _balance(c: Coordinates, vdot: ca.SX) -> list[ca.SX]:
    """What comes in and what is destroyed. Conditions that move push with Cᵀλ = M v̇ − h and bring in vᵀ (M v̇ − h)."""
    powers = element_powers(c, vdot).values()
    given = sum((item.supplied for item in powers), ca.SX(1, 1))
    if not c.a.is_zero():
        given += ca.dot(c.v, c.mass @ vdot - c.forces)
    return [given, sum((item.dissipated for item in powers), ca.SX(1, 1))]


class RunPowers:
    """The powers along a run."""

    def __init__(self, run: Trajectory) -> None:
        self._run, self._mechanism = run, run.mechanism

    @property
    def all_names(self) -> tuple[str, ...]:
        """Names of all works."""
        return (*BALANCE, *self._run.ledger.integrals)

    def are_none(self, names: Sequence[str]) -> bool:
        """Whether all these powers are zero whatever the state, as those that springs bring in from outside."""
        return all(name in BALANCE for name in names) and written(self._mechanism.coordinates, _balance).is_zero

    def of(self, names: Sequence[str]) -> PowersAlong:
        """The powers of some works, as a function of t (N), y (N, n) and p (N, np) that gives (N, q)."""
        audited = [name for name in names if name in BALANCE]
        others = [name for name in names if name not in BALANCE]

        def powers(t: Array, y: Array, p: Array) -> Array:
            found: dict[str, Array] = {}
            vdot = self._accelerations(t, y, p, bool(others))
            if audited:
                values = written(self._mechanism.coordinates, _balance)(t, y, vdot, p)
                found |= {name: value[:, 0] for name, value in zip(BALANCE, values, strict=True)}
            if others:
                found |= self._by_name(others, (t, y, vdot), p)
            return np.column_stack([found[name] for name in names])

        return powers

    def _accelerations(self, t: Array, y: Array, p: Array, needed: bool) -> Array:
        if not needed and not written(self._mechanism.coordinates, _balance).needs_accelerations:
            return np.zeros((len(t), self._mechanism.coordinates.v.numel()))
        assert self._run.gathered is not None
        return self._run.gathered.states(t, y, p)[2]

    def _by_name(self, names: Sequence[str], states: tuple[Array, Array, Array], p: Array) -> dict[str, Array]:
        integrals = self._run.ledger.integrals
        found = self._run.at_states(states, p).evaluate([integrals[name][1] for name in names])
        return {name: found[integrals[name][1]] for name in names}

    @staticmethod
    def at_once(name: str, impulses: Sequence[Impulse], outputs: Array) -> Array:
        """Works (N) that impulses add to one of the works."""
        if not impulses:
            return np.zeros(len(outputs))
        if name in (GIVEN, f"work.{SUPPLIED}"):
            return steps_of([item for item in impulses if not item.destroyed], outputs)
        if name in (LOST, f"work.{DISSIPATED}"):
            return -steps_of([item for item in impulses if item.destroyed], outputs)
        return steps_of(impulses, outputs, name.rpartition(".")[0])
