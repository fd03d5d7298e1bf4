"""Friction in a joint against its relative velocity, viscous and dry: f = −(c + F / √(w² + ε²)) w.

At a joint with a coordinate w is its rate; at a spherical joint the relative angular velocity, and f a moment (García de
Jalón and Bayo, problem 4/5). Dry friction F is a given size, smoothed below the speed ε: at rest it does not hold.
"""

from __future__ import annotations

import casadi as ca

from linkwork.algebra.space import Space
from linkwork.elements.contribution import Contribution, JointCoordinate, JointEffort, Load, Reading, Solid


def _coefficient(speed2: ca.SX, viscous: ca.SX, dry: ca.SX, smoothing: ca.SX) -> ca.SX:
    return viscous if dry.is_zero() else viscous + dry / ca.sqrt(speed2 + smoothing**2)


def joint_friction(coordinate: JointCoordinate, viscous: ca.SX, dry: ca.SX, smoothing: ca.SX) -> Contribution:
    """Friction along a joint coordinate."""
    value = -_coefficient(coordinate.rate**2, viscous, dry, smoothing) * coordinate.rate
    word = "force" if coordinate.unit == "m" else "torque"
    return Contribution(
        efforts=(JointEffort(coordinate.joint, coordinate.freedom, value),),
        dissipation=-value * coordinate.rate,
        readings={word: Reading(coordinate.effort_unit, f"friction {word} on the child", value)},
    )


def ball_friction(
    space: Space, pair: tuple[Solid, Solid], viscous: ca.SX, dry: ca.SX, smoothing: ca.SX
) -> Contribution:
    """A friction moment on the second of two bodies, against its angular velocity relative to the first."""
    parent, child = pair
    spin, none = child.omega - parent.omega, ca.SX(space.dimension, 1)
    moment = -_coefficient(ca.dot(spin, spin), viscous, dry, smoothing) * spin
    return Contribution(
        loads=(
            Load(child.body, child.frame.origin, none, moment, omega=child.omega),
            Load(parent.body, parent.frame.origin, none, -moment, omega=parent.omega),
        ),
        dissipation=-ca.dot(moment, spin),
        readings={
            f"m{axis}": Reading("N*m", f"{axis} friction moment on the child, world axes", moment[i])
            for i, axis in enumerate(space.turn_names)
        },
    )
