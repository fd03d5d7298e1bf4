"""A bushing: two bodies held together at a point by stiffness and damping in all directions.

Frame a is fixed in the first body, frame b in the second; both are parallel in the sketch. The deflection is

    x = [d; θ],   d = Aₐᵀ (r_b − r_a),   θ = 2 tan(φ/2) n

with the relative rotation R = Aₐᵀ A_b by the angle φ about n: θ is φ n up to φ³/12 and grows beyond all bounds at half a
turn, so that a bushing never snaps through. With w = Aₐᵀ(ω_b − ω_a) and g = θ/2

    θ̇ = B w,   B = 1 − g̃ + g gᵀ   (in the plane 1 + g²).

The potential V = ½ xᵀ K x − pᵀ x, with a preload p, gives the force −∂V/∂d and the moment −Bᵀ ∂V/∂θ on the second body
exactly, in axes of a; the damper adds −C [ḋ; w]. Force and reaction act at the same point, r_b.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from linkwork.algebra.frames import Frame
from linkwork.algebra.space import Space
from linkwork.elements.contribution import Contribution, Load, Reading, Solid


@dataclass(frozen=True, eq=False)
class Seat:
    """One side of a bushing: the body, the frame of the bushing on it, and the velocity (d) of its origin."""

    solid: Solid
    frame: Frame
    velocity: ca.SX


def bushing(space: Space, seats: tuple[Seat, Seat], stiffness: ca.SX, damping: ca.SX, preload: ca.SX) -> Contribution:
    """Hold the second body to the first; the matrices (k × k, forces first) are in axes of the first frame."""
    a, b = seats
    d, turn = space.dimension, ca.SX.eye(1) if space.planar else a.frame.axes
    gap = b.frame.origin - a.frame.origin
    swept = a.velocity + space.turn(a.solid.omega, gap)
    shift_rate, spin = a.frame.axes.T @ (b.velocity - swept), turn.T @ (b.solid.omega - a.solid.omega)
    theta, slope = _rotation(space, a.frame, b.frame)
    deflection = ca.vertcat(a.frame.axes.T @ gap, theta)
    elastic, rates = preload - stiffness @ deflection, ca.vertcat(shift_rate, spin)
    viscous = -damping @ rates
    force = a.frame.axes @ (elastic[:d] + viscous[:d])
    moment = turn @ (slope.T @ elastic[d:] + viscous[d:])
    at = b.frame.origin
    return Contribution(
        loads=(
            Load(b.solid.body, at, force, moment, b.velocity, b.solid.omega),
            Load(a.solid.body, at, -force, -moment, swept, a.solid.omega),
        ),
        potential=ca.dot(deflection, stiffness @ deflection) / 2 - ca.dot(preload, deflection),
        dissipation=-ca.dot(rates, viscous),
        readings=_readings(space, deflection, force, moment),
    )


def _rotation(space: Space, a: Frame, b: Frame) -> tuple[ca.SX, ca.SX]:
    """θ and B."""
    r = a.axes.T @ b.axes
    if space.planar:
        half = r[1, 0] / (1 + r[0, 0])
        return 2 * half, 1 + half**2
    g = ca.vertcat(r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]) / (1 + ca.trace(r))
    return 2 * g, ca.SX.eye(3) - ca.skew(g) + g @ g.T


def _readings(space: Space, deflection: ca.SX, force: ca.SX, moment: ca.SX) -> dict[str, Reading]:
    found = {}
    for i, axis in enumerate(space.axis_names):
        found[f"d{axis}"] = Reading("m", f"deflection along {axis} of the bushing", deflection[i])
        found[f"f{axis}"] = Reading("N", f"{axis} force on the second body, world axes", force[i])
    for i, axis in enumerate(space.turn_names):
        rotation = deflection[space.dimension + i]
        found[f"r{axis}"] = Reading("rad", f"rotation about {axis} of the bushing", rotation)
        found[f"m{axis}"] = Reading("N*m", f"{axis} moment on the second body, world axes", moment[i])
    return found
