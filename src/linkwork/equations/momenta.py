"""Equations of motion in momenta, as functions for ``numerics/kernels/constrained/canonical.py``.

With velocities that need not be rates of coordinates, q̇ = T(q) v, the momentum is that of v and takes up what the
conditions give to it (García de Jalón and Bayo, eq. 5.100):

    π = M v + Cᵀ τ

d/dt of it and M v̇ = h + Cᵀ λ give, with τ̇ = −λ,

    π̇ = h + Ṁ v + Ċᵀ τ

where h is the same as in the equations of the accelerations: Ṁ v + h takes the place of the derivative of the Lagrangian
by the coordinates in eq. 5.101, which exists for rates of coordinates only. Each momentum is counted in units of an
inertia of its own coordinate, so that the tolerances of velocities serve for it.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca
import numpy as np

from linkwork.arrays import Array
from linkwork.coordinates.coordinates import Coordinates
from linkwork.equations.terms import closure_function, make_function, position_functions, rate_of, terms_function

LEAST_UNIT = 1e-3  # of the largest inertia, for coordinates with little or none


@dataclass(frozen=True, eq=False)
class MomentumTerms:
    """What differs between canonical formulations.

    mismatch: e (m), so that C v + e shall vanish; integrals: symbols of ∫Φ (m or none); push: further forces (nv)
    """

    mismatch: ca.SX
    integrals: ca.SX
    push: ca.SX


def momentum_functions(c: Coordinates, terms: MomentumTerms, unit: Array) -> dict[str, ca.Function]:
    """Everything that a canonical flow needs."""
    count = terms.integrals.numel()
    tau = ca.SX.sym("tau", len(c.rows))
    gain = (c.forces + momentum_rate(c, tau) + terms.push) / unit
    rates = ca.vertcat(c.kinematics.rates, gain, c.s_rates, c.phi if count else ca.SX(0, 1))
    functions = velocity_functions(c, terms.mismatch, unit, terms.integrals)
    return functions | {"momentum_rates": make_function("momentum_rates", c, {"zdot": rates}, tau)}


def velocity_functions(
    c: Coordinates, mismatch: ca.SX, unit: Array, integrals: ca.SX | None = None
) -> dict[str, ca.Function]:
    """What turns velocities into momenta and back, and the terms of the accelerations, which outputs ask for."""
    count = 0 if integrals is None else integrals.numel()
    empty = {"q_rate": ca.SX(c.q.numel(), 1), "s_rate": ca.SX(c.s.numel(), 1)}
    solved: dict[str, ca.SX] = empty | {"momenta": ca.SX(unit) * c.v, "e": mismatch, "M": c.mass, "C": c.jacobian}
    coded = ca.vertcat(c.q, (c.mass @ c.v) / unit, c.s, ca.SX(count, 1))
    return {
        "closure": closure_function(c),
        "terms": terms_function(c, c.b),
        "momenta": make_function("momenta", c, solved, integrals),
        "encode": make_function("encode", c, {"z": coded}),
        **position_functions(c),
    }


def momentum_units(c: Coordinates, t: float, y: Array, p: Array) -> Array:
    """The inertia that each momentum is counted in (nv), from a typical state."""
    (found,) = make_function("inertia", c, {"M": ca.diag(c.mass)}).call([t, y, p])
    inertia, scale = np.array(found).ravel(), c.kinematics.scale
    largest = float(np.max(inertia * scale**2, initial=0.0))
    return np.maximum(inertia, LEAST_UNIT * (largest or 1.0) / scale**2)


def momentum_rate(c: Coordinates, tau: ca.SX) -> ca.SX:
    """Ṁ v + Ċᵀ τ."""
    speed = ca.SX.sym("speed", c.v.numel())
    momentum = c.mass @ speed + (c.jacobian.T @ tau if c.rows else ca.SX(c.v.numel(), 1))
    return ca.substitute(rate_of(c, momentum), speed, c.v)
