"""A bushing: two bodies held together at a point by stiffness and damping in all directions.

Frame a is fixed in the first body, frame b in the second; both are parallel in the sketch. The deflection is

    x = [d; θ],   d = Aₐᵀ (r_b − r_a),   θ = φ n

with the relative rotation R = Aₐᵀ A_b by the angle φ about n. In the plane φ counts turns; in space θ is the rotation
vector, of up to half a turn, where n is lost: a bushing ends short of it. With w = Aₐᵀ(ω_b − ω_a), g = tan(φ/2) n, s = g·g,

    θ = 2 f g,   θ̇ = B w,   B = 1 − f g̃ + h g̃²,   f = atan(√s)/√s,   h = (1 − f)/s,

the inverse of the left Jacobian of the rotation vector; in the plane B = 1. The potential V = ½ xᵀ K x − pᵀ x, with a
preload p, gives the force −∂V/∂d and the moment −Bᵀ ∂V/∂θ on the second body exactly, in axes of a; the damper adds
−C [ḋ; w]. Force and reaction act at the same point, r_b.
Source: J. Solà, J. Deray, D. Atchuthan, A micro Lie theory for state estimation in robotics (2018), eq. 146.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca
import numpy as np

from linkwork.algebra.frames import Frame
from linkwork.algebra.space import Space
from linkwork.elements.contribution import Bound, Contribution, Load, Reading, Solid

FARTHEST = 170.0  # degrees, to which a bushing in space turns
SMALL, TERMS = 0.01, 10  # tan²(φ/2) below which series are taken, and of how many terms


@dataclass(frozen=True, eq=False)
class Seat:
    """One side of a bushing: the body, its frame there (in the plane with an angle), and the velocity (d) of its origin."""

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
        bounds=_room(space, a.frame, b.frame),
        readings=_readings(space, deflection, force, moment),
    )


def _rotation(space: Space, a: Frame, b: Frame) -> tuple[ca.SX, ca.SX]:
    """θ and B."""
    if space.planar:
        assert a.angle is not None
        assert b.angle is not None
        return b.angle - a.angle, ca.SX(1)
    r = a.axes.T @ b.axes
    g = ca.vertcat(r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]) / (1 + ca.trace(r))
    f, h = _arc(ca.dot(g, g))
    return 2 * f * g, ca.SX.eye(3) - f * ca.skew(g) + h * ca.skew(g) @ ca.skew(g)


def _arc(s: ca.SX) -> tuple[ca.SX, ca.SX]:
    """f = atan(√s)/√s and h = (1 − f)/s; by their series where s is small."""
    small = s < SMALL
    near, far = ca.if_else(small, s, 0), ca.if_else(small, SMALL, s)
    series = [sum((-1) ** k * near**k / (2 * k + first) for k in range(TERMS)) for first in (1, 3)]
    f = ca.atan(ca.sqrt(far)) / ca.sqrt(far)
    return ca.if_else(small, series[0], f), ca.if_else(small, series[1], (1 - f) / far)


def _room(space: Space, a: Frame, b: Frame) -> tuple[Bound, ...]:
    """In space, where the angle of rotation is still short of half a turn: tr R = 1 + 2 cos φ."""
    if space.planar:
        return ()
    room = ca.trace(a.axes.T @ b.axes) - (1 + 2 * np.cos(np.radians(FARTHEST)))
    end = f"a rotation by {FARTHEST:g} degrees (its axis is lost at half a turn; a torsion_spring on a joint goes further)"
    return (Bound(end, room),)


def _readings(space: Space, deflection: ca.SX, force: ca.SX, moment: ca.SX) -> dict[str, Reading]:
    found = {}
    words = "angle of rotation" if space.planar else "component along {axis} of angle times axis of rotation"
    for i, axis in enumerate(space.axis_names):
        found[f"d{axis}"] = Reading("m", f"deflection along {axis} of the bushing", deflection[i])
        found[f"f{axis}"] = Reading("N", f"{axis} force on the second body, world axes", force[i])
    for i, axis in enumerate(space.turn_names):
        rotation = deflection[space.dimension + i]
        found[f"r{axis}"] = Reading("rad", words.format(axis=axis), rotation)
        found[f"m{axis}"] = Reading("N*m", f"{axis} moment on the second body, world axes", moment[i])
    return found
