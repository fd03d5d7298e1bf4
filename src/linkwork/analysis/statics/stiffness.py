"""The stiffness of a mechanism at rest, direction by direction, with the names of what moves.

Principal directions solve K x = κ G x, where G x·x = Σ (|v|²/L² + |ω|²) over all bodies: the same ones in all coordinates.
Where forces have no potential K is not symmetric, and masses tell: with M ẍ + K x = 0 a complex κ of K x = κ M x is flutter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linkwork.arrays import Array
from linkwork.equations.statics.forces_at_rest import Statics
from linkwork.numerics.paths.rest import RestForces
from linkwork.numerics.policy import POLICY
from linkwork.results.equilibrium import NEUTRAL, STABLE, UNSTABLE, EquilibriumDirection

NONE = 1e-10  # of the largest stiffness, that counts as none
FLUTTER = 1e-7  # imaginary part of an eigenvalue, beside its size, that is not rounding
SEEN = 0.05  # of the largest motion, that is told
MOST = 6  # motions that are told


@dataclass(frozen=True)
class Leading:
    """What moves most in a direction: its name, its rate and the unit of a stiffness along it; and all that moves."""

    name: str
    rate: float
    unit: str
    force_unit: str
    moves: Mapping[str, float]


def principal(statics: Statics, x: Array, now: RestForces) -> tuple[list[EquilibriumDirection], Array]:
    """Directions of the stiffness, softest first, and as displacements (nv, k); passive spins are none of them."""
    now = _without_spins(statics, x, now)
    basis = now.directions
    if not basis.shape[1]:
        return [], basis
    twists = statics.rates(x)[1] @ basis
    metric = _definite(twists.T @ twists)
    if now.symmetric:
        values, vectors = _by_energy(now, metric)
    else:
        values, vectors = _by_masses(now, metric, _definite(basis.T @ statics.inertia(x) @ basis))
    found = [_direction(statics, x, now, value, vector) for value, vector in zip(values, vectors.T, strict=True)]
    return found, basis @ vectors


def _without_spins(statics: Statics, x: Array, now: RestForces) -> RestForces:
    """The same in directions without passive spins, along which nothing pushes and nothing is stiff."""
    if not statics.spin_names or not now.directions.shape[1]:
        return now
    rows = statics.spins(x) @ now.directions
    _, sizes, right = np.linalg.svd(rows)
    kept = right[POLICY.count(sizes) :].T
    return replace(
        now, directions=now.directions @ kept, force=kept.T @ now.force, stiffness=kept.T @ now.stiffness @ kept
    )


def leading(statics: Statics, x: Array, delta: Array) -> Leading:
    """What moves most in a displacement (nv): joints, or bodies where no joint coordinate tells."""
    joints, bodies = statics.rates(x)
    lengths = statics.c.kinematics.length
    units = ["rad" if item.kind == "angle" else "m" for item in statics.c.motion.coordinates.values()]
    rates, names = joints @ delta, statics.joint_names
    size = np.abs(rates) / np.where([unit == "m" for unit in units], lengths, 1.0)
    twist = bodies @ delta
    if not size.size or np.max(size) < 1e-6 * max(float(np.max(np.abs(twist), initial=0.0)), 1e-300):
        names, size = statics.body_names, np.abs(twist)
        units = ["m" if name.rpartition(".")[2] in statics.c.space.axis_names else "rad" for name in names]
        rates = twist * np.where([unit == "m" for unit in units], lengths, 1.0)
    most = int(np.argmax(size))
    order = [i for i in np.argsort(-size, kind="stable")[:MOST] if size[i] > SEEN * size[most]]
    moves = {names[i]: float(rates[i] / rates[most]) for i in order}
    unit = "N*m/rad" if units[most] == "rad" else "N/m"
    return Leading(names[most], float(rates[most]), unit, unit.partition("/")[0], moves)


def _definite(metric: Array) -> Array:
    return np.asarray(metric + 1e-12 * max(float(np.trace(metric)), 1e-300) * np.eye(len(metric)))


def _by_energy(now: RestForces, metric: Array) -> tuple[NDArray[np.complex128], Array]:
    """κ and x of the Hessian of the energy, softest first."""
    from scipy.linalg import eigh

    values, vectors = eigh(0.5 * (now.stiffness + now.stiffness.T), metric)
    return values.astype(complex), vectors


def _by_masses(now: RestForces, metric: Array, inertia: Array) -> tuple[NDArray[np.complex128], Array]:
    """κ and x of K x = κ M x, κ in units of the metric; of complex pairs the real part of x."""
    from scipy.linalg import eig

    values, vectors = eig(now.stiffness, inertia)
    sizes = [np.real(np.vdot(v, inertia @ v)) / np.real(np.vdot(v, metric @ v)) for v in vectors.T]
    values = values * np.array(sizes)
    order = np.argsort(values.real, kind="stable")
    return values[order], np.real(vectors[:, order])


def _direction(statics: Statics, x: Array, now: RestForces, value: complex, vector: Array) -> EquilibriumDirection:
    most = leading(statics, x, now.directions @ vector)
    stiffness = float(vector @ now.stiffness @ vector) / most.rate**2
    limit = NONE * max(now.stiffest, now.size if now.size > 1e-290 else 0.0)
    kind = stability(value, max(limit, 1e-290))
    return EquilibriumDirection(most.name, stiffness, most.unit, most.moves, kind, float(value.real))


def stability(value: complex, none: float) -> str:
    """What an eigenvalue κ of the stiffness means, where *none* and less counts as none: there its phase is rounding."""
    if abs(value) <= none:
        return NEUTRAL
    flutters = abs(value.imag) > FLUTTER * abs(value)
    return STABLE if value.real > 0.0 and not flutters else UNSTABLE
