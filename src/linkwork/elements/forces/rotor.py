"""A symmetric rotor inside a body: it spins about an axis u of the body, with inertia J about it.

The body carries the rotor as a part of its mass and inertia. What is left of the rotor is its angular momentum J σ u by
the spin σ relative to the body (García de Jalón and Bayo, problem 5/9). Newton and Euler for the body, with ω its angular
velocity, then have the additional moment

    −d(J σ u)/dt = −J σ̇ u − ω × J σ u.

*Given spin* σ(t): this moment is known. The kinetic energy has J σ²/2 + J σ u·ω more than that of the body.

*Free spin*: the state is the absolute speed ν = σ + u·ω about the axis, J ν̇ = τ − c σ with the torque τ of the motor and
bearing friction c. The body has the inertia I − J u uᵀ, as the rotor does not follow it about u, and the moment
−(τ − c σ) u − ω × J ν u; the kinetic energy of the rotor is J ν²/2.

*Geared*: the spin follows a joint coordinate, σ = n q̇. The rotor is inertia of the mechanism (``coordinates/gearing.py``).

Where the ground itself turns, ω is the absolute angular velocity of the body.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from linkwork.algebra.space import Space
from linkwork.elements.contribution import (
    CarriedSpin,
    Contribution,
    DrivingJoint,
    JointCoordinate,
    Load,
    OwnState,
    Reading,
    Solid,
)


def _turned(space: Space, omega: ca.SX, momentum: ca.SX) -> ca.SX:
    return ca.SX(1, 1) if space.planar else ca.cross(omega, momentum)


def _load(space: Space, solid: Solid, moment: ca.SX) -> tuple[Load]:
    return (Load(solid.body, solid.frame.origin, ca.SX(space.dimension, 1), moment),)


@dataclass(frozen=True, eq=False)
class Mount:
    """Where a rotor is: its body, the unit vector (k, world axes) of its axis, the absolute angular velocity (k)."""

    solid: Solid
    axis: ca.SX
    omega: ca.SX


def driven_rotor(space: Space, mount: Mount, inertia: ca.SX, sigma: ca.SX, rate: ca.SX) -> Contribution:
    """A rotor whose spin and its rate are given functions of time."""
    solid, axis = mount.solid, mount.axis
    along = ca.dot(axis, solid.omega)
    moment = -inertia * rate * axis - _turned(space, mount.omega, inertia * sigma * axis)
    return Contribution(
        loads=_load(space, solid, moment),
        kinetic=inertia * (sigma**2 / 2 + sigma * along),
        supplies=True,
        spins=(CarriedSpin(solid.body, axis, inertia, sigma),),
        readings=_spin(sigma),
    )


def geared_rotor(mount: Mount, inertia: ca.SX, coordinate: JointCoordinate, ratio: ca.SX) -> Contribution:
    """A rotor whose spin is *ratio* times the rate of a joint coordinate."""
    sigma, gear = ratio * coordinate.rate, DrivingJoint(coordinate.joint, coordinate.freedom, ratio)
    spin = CarriedSpin(mount.solid.body, mount.axis, inertia, sigma, gear=gear)
    return Contribution(spins=(spin,), readings=_spin(sigma))


def _spin(sigma: ca.SX) -> dict[str, Reading]:
    return {"spin": Reading("rad/s", "spin relative to the body", sigma)}


@dataclass(frozen=True, eq=False)
class RotorDrive:
    """Torque on the rotor, friction of its bearing, and the spin at the start."""

    torque: ca.SX
    friction: ca.SX
    start: ca.SX


def free_rotor(space: Space, mount: Mount, inertia: ca.SX, speed: ca.SX, motor: RotorDrive) -> Contribution:
    """A rotor with a motor; *speed* is the symbol of its absolute speed about the axis."""
    axis, along = mount.axis, ca.dot(mount.axis, mount.omega)
    sigma = speed - along
    net = motor.torque - motor.friction * sigma
    moment = -net * axis - _turned(space, mount.omega, inertia * speed * axis)
    return Contribution(
        loads=_load(space, mount.solid, moment),
        kinetic=inertia * speed**2 / 2,
        dissipation=motor.friction * sigma**2,
        supplies=True,
        states=(OwnState("speed", speed, net / inertia, motor.start + along),),
        spins=(CarriedSpin(mount.solid.body, axis, inertia, sigma, free=True),),
        readings=_spin(sigma) | {"torque": Reading("N*m", "torque of the motor on the rotor", motor.torque)},
    )
