"""Efforts of motors from a known motion, in several ways that give the same.

With the forces e = M v̇ − h that the motion asks for, the rates B v of the coordinates of the motors and the conditions C,

    e = Bᵀ u + Cᵀ λ.

virtual power     Nᵀ Bᵀ u = Nᵀ e with C N = 0: only the motors do work in motions that the conditions allow
multipliers       [Bᵀ Cᵀ] [u; λ] = e: efforts and multipliers together
penalty           u and λ of the driven mechanism by penalties and their corrections (``penalty_estimate``)
recursion         virtual power with e by recursion along the tree, without M

(García de Jalón and Bayo, sections 6.2.2 and 6.2.4 to 6.2.6.) All divide by the sizes of the coordinates, so that
ranks can be told. From the equations of all bodies instead: ``inverse_bodies``. Where there are more motors than freedoms,
Σ wᵢ uᵢ² is least among all that give the motion. Which freedoms no motor reaches is found beforehand (``reach``): an effort
that is missing there is an unknown like those of the motors. Every method brings its own way to the reactions of joints.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import casadi as ca
import numpy as np

from linkwork.arrays import Array
from linkwork.coordinates.coordinates import Coordinates
from linkwork.equations.inverse.base import RANK, InverseMethod, Motorised, Samples, least, with_others
from linkwork.equations.inverse.bodies import ConstraintVariation, ElementElimination, JointElimination, Newton
from linkwork.equations.inverse.power_system import PowerSystem, write_power_system
from linkwork.equations.reactions.balance import OPEN
from linkwork.equations.reactions.base import ReactionScheme
from linkwork.equations.reactions.equilibrium import FromMultipliers, FromPenalties, TreeRecursion
from linkwork.equations.reactions.penalty_estimate import PenaltyEstimate
from linkwork.equations.reactions.schemes import Completed
from linkwork.equations.recursion.forces import recursive_forces
from linkwork.equations.terms import make_function
from linkwork.errors import RefusedError, did_you_mean
from linkwork.numerics.matrices.many_matrices import null_spaces, pseudo_inverse
from linkwork.numerics.policy import POLICY


class VirtualPower(InverseMethod):
    """Nᵀ Bᵀ u = Nᵀ (M v̇ − h)."""

    name = "virtual_power"
    summary = "power of the motors in all motions that the conditions allow"

    def needed(self, c: Coordinates, vdot: ca.SX) -> ca.SX:
        """e."""
        return c.mass @ vdot - c.forces

    def system(self, motorised: Motorised) -> PowerSystem:
        """[Cᵀ B] [λ; u] = e, or u = e where every freedom has its own motor and there are no conditions."""
        if self.name not in motorised.systems:
            c, vdot = motorised.coordinates, _accelerations(motorised.coordinates)
            needed, pushes = motorised.at_rest(self.needed(c, vdot)), ca.jacobian(c.forces, motorised.u)
            if not c.rows and _is_plain(pushes):
                function = make_function(self.name, c, {"entries": pushes.T @ needed}, vdot)
                motorised.systems[self.name] = PowerSystem(function, None)
            else:
                written = write_power_system(self.name, c, motorised.motors, motorised.u, (needed, vdot))
                motorised.systems[self.name] = written
        return motorised.systems[self.name]

    def solve(self, motorised: Motorised, samples: Samples) -> Array:
        system = self.system(motorised)
        entries = np.asarray(samples.evaluate(system.function)["entries"][..., 0])
        if system.solver is None:
            return entries
        found = system.solver.solve(entries, np.full(len(entries), RANK))
        if not (found.certain & (found.loose <= OPEN).all(axis=1)).all():
            return self._by_null_space(motorised, samples)
        return found.values

    def _by_null_space(self, motorised: Motorised, samples: Samples) -> Array:
        """With all motions, where there are more motors than freedoms or ranks are in doubt."""
        c, vdot = motorised.coordinates, _accelerations(motorised.coordinates)
        needed = motorised.at_rest(self.needed(c, vdot))
        outputs = {"e": needed, "B": ca.jacobian(c.forces, motorised.u), "C": c.jacobian}
        parts = samples.evaluate(make_function(f"{self.name}_null_space", c, outputs, vdot))
        power = allowed_motions(parts["C"], motorised.scale, motorised.rank).swapaxes(-1, -2)
        return least(power @ parts["B"], (power @ parts["e"])[..., 0], motorised.weights)


class Recursion(VirtualPower):
    """The same, with e by recursion."""

    name = "recursion"
    summary = "recursion of Newton's and Euler's equations along the tree; loops by virtual power"

    @property
    def reactions(self) -> ReactionScheme:
        return Completed(TreeRecursion())

    def needed(self, c: Coordinates, vdot: ca.SX) -> ca.SX:
        return ca.cse(recursive_forces(c, vdot))


class MultiplierMethod(InverseMethod):
    """[Bᵀ Cᵀ] [u; λ] = e."""

    name = "multipliers"
    summary = "efforts and multipliers of all conditions in one system"

    @property
    def reactions(self) -> ReactionScheme:
        return Completed(FromMultipliers())

    def solve(self, motorised: Motorised, samples: Samples) -> Array:
        c, vdot = motorised.coordinates, _accelerations(motorised.coordinates)
        e = motorised.at_rest(c.mass @ vdot - c.forces)
        outputs = {"e": e, "B": ca.jacobian(c.forces, motorised.u), "C": c.jacobian}
        parts = samples.evaluate(make_function(self.name, c, outputs, vdot))
        scale = motorised.scale[:, None]
        return with_others(
            scale * parts["B"],
            scale * parts["C"].swapaxes(-1, -2),
            motorised.scale * parts["e"][..., 0],
            motorised.weights,
        )


@dataclass(frozen=True)
class PenaltyMethod(InverseMethod):
    """λ* = −α (Φ̈ + 2 μ Ω Φ̇ + Ω² Φ) of all conditions, those of the motors among them: B v̇ is as the motion has it."""

    name: ClassVar[str] = "penalty"
    summary: ClassVar[str] = "penalties of the driven mechanism, corrected until the motion is met"

    estimate: PenaltyEstimate = field(default_factory=PenaltyEstimate)

    @property
    def reactions(self) -> ReactionScheme:
        return Completed(FromPenalties(self.estimate))

    def solve(self, motorised: Motorised, samples: Samples) -> Array:
        c = motorised.coordinates
        outputs = {"M": c.mass, "h": motorised.at_rest(c.forces), "C": c.jacobian, "b": c.b}
        outputs |= {"B": ca.jacobian(c.forces, motorised.u), "phi": c.phi, "rate": c.jacobian @ c.v + c.a}
        parts = samples.evaluate(make_function(self.name, c, outputs, _accelerations(c)))
        # conditions, velocities and multipliers count in metres and newtons
        size, rates = motorised.scale / c.kinematics.length, parts["B"].swapaxes(-1, -2)
        arms = [c.kinematics.length if motor.turns(c) else 1.0 for motor in motorised.motors]
        weights = np.array([row.weight for row in c.rows] + arms)
        held = -np.einsum("nij,nj->ni", rates, samples.vdot)
        jacobian = weights[:, None] * np.concatenate([parts["C"], rates], axis=1) * size
        curvature = weights * np.concatenate([self._curvature(parts), held], axis=1)
        mass = size[:, None] * parts["M"] * size
        found = weights * self.estimate.multipliers(mass, jacobian, size * parts["h"][..., 0], curvature)
        efforts = found[:, len(c.rows) :]
        rows = POLICY.unit_rows(jacobian)[0]
        reached = rows @ pseudo_inverse(rows, np.full(len(rows), RANK)) - np.eye(rows.shape[1])
        loose = np.abs(reached).max(axis=-1)[:, len(c.rows) :] > OPEN
        if not loose.any():
            return efforts
        needed = np.einsum("nij,nj->ni", mass, samples.vdot / size) - size * parts["h"][..., 0]
        conditions = jacobian[:, : len(c.rows)].swapaxes(-1, -2)
        return np.where(loose, with_others(size[:, None] * parts["B"], conditions, needed, motorised.weights), efforts)

    def _curvature(self, parts: Mapping[str, Array]) -> Array:
        """b + 2 μ Ω Φ̇ + Ω² Φ."""
        omega, mu = self.estimate.omega, self.estimate.mu
        return np.asarray((parts["b"] + 2 * mu * omega * parts["rate"] + omega**2 * parts["phi"])[..., 0])


ALL_INVERSE_METHODS: tuple[InverseMethod, ...] = (
    VirtualPower(),
    MultiplierMethod(),
    Newton(),
    Recursion(),
    PenaltyMethod(),
    JointElimination(),
    ElementElimination(),
    ConstraintVariation(),
)


def inverse_method(name: str | PenaltyEstimate) -> InverseMethod:
    """The method with this name; penalties may come with their numbers."""
    if isinstance(name, PenaltyEstimate):
        return PenaltyMethod(name)
    known = {method.name: method for method in ALL_INVERSE_METHODS}
    if name not in known:
        raise RefusedError(f"unknown method of inverse dynamics '{name}'; {did_you_mean(str(name), list(known))}")
    return known[name]


def allowed_motions(jacobian: Array, scale: Array, rank: int | None = None) -> Array:
    """N (N, nv, k): motions that the conditions C (N, m, nv) allow, orthonormal in sizes of the coordinates.

    Where rows depend on each other at single samples alone, the rank is that of other positions, by default of most samples.
    """
    count, m, nv = jacobian.shape
    if not m:
        return np.broadcast_to(np.diag(scale), (count, nv, nv))
    return np.asarray(scale[:, None] * null_spaces(POLICY.unit_rows(jacobian * scale)[0], RANK, rank))


@dataclass(frozen=True, eq=False)
class Reach:
    """Which coordinates motors would have to push besides the given ones to reach every freedom: places among all."""

    freedoms: int
    rank: int
    missing: tuple[int, ...]


def reach(motions: Array, given: Array, others: Array, scale: Array) -> Reach:
    """How far motors reach: N (nv, k) at one position, B (m, nv) of the motors, and of all coordinates (n, nv).

    scale (nv): sizes of the coordinates, in which N is orthonormal; every rate counts beside the largest that it may have
    """
    freedoms = motions.shape[-1]
    held, candidates = (_beside_largest(rows, scale) @ motions for rows in (given, others))
    rank = len(_span(held))
    missing: list[int] = []
    while rank + len(missing) < freedoms:
        basis = _span(held)
        left = candidates - (candidates @ basis.T) @ basis
        sizes = np.linalg.norm(left, axis=-1)
        best = int(np.argmax(sizes)) if sizes.size else -1
        if best < 0 or sizes[best] < RANK:
            break
        missing.append(best)
        held = np.vstack([held, candidates[best : best + 1]])
    return Reach(freedoms, rank, tuple(missing))


def _beside_largest(rows: Array, scale: Array) -> Array:
    """Rates (m, nv) over their sizes where all coordinates move by theirs: a metre is no measure of a small mechanism."""
    sizes = np.linalg.norm(rows * scale, axis=-1, keepdims=True)
    return np.asarray(rows / np.where(sizes > 0.0, sizes, 1.0))


def _span(powers: Array) -> Array:
    """An orthonormal basis (r, k) of rows (m, k) of rates of coordinates in motions of one size."""
    _, sizes, right = np.linalg.svd(powers, full_matrices=False)
    return np.asarray(right[: POLICY.count(sizes)])


def _accelerations(c: Coordinates) -> ca.SX:
    return ca.SX.sym("vdot", c.v.numel())


def _is_plain(matrix: ca.SX) -> bool:
    """Whether B is a permutation: every freedom has its own motor."""
    if not matrix.is_constant() or matrix.shape[0] != matrix.shape[1]:
        return False
    values = np.array(ca.DM(matrix))
    return bool(np.all((values == 0.0) | (values == 1.0)) and np.all(values.sum(0) == 1) and np.all(values.sum(1) == 1))
