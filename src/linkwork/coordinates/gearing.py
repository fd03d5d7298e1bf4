"""Rotors that joints drive by gears: their inertia is that of the mechanism.

A rotor with the inertia J about an axis u of its body, which has the angular velocity ω, spins with σ = n q̇ beside it. Its
body includes it as it stands still; what it has besides is the angular momentum J σ u, and T = J σ²/2 + J σ u·ω. With the
torque τ of the gear on the rotor,

    J (σ̇ + u·ω̇) = τ,    moment on the body −d(J σ u)/dt = −J σ̇ u − ω × J σ u,    effort along q: −n τ,

all of them linear in v̇. With g = ∂σ/∂v and w = ∂ω/∂v,

    M ← M + J (gᵀ g + gᵀ uᵀ w + wᵀ u g),    h ← h − wᵀ (J σ̇₀ u + ω × J σ u) − gᵀ J (σ̇₀ + u·ω̇₀),

where σ̇₀ and ω̇₀ are what the rates are without v̇: n² J at the joint, and the gyroscopic moments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import casadi as ca

from linkwork.coordinates.contributions import effort_loads
from linkwork.coordinates.motion import Motion
from linkwork.elements.contribution import CarriedSpin, Contribution, DrivingJoint, Load


def geared(actions: Mapping[str, Contribution]) -> Iterator[tuple[CarriedSpin, DrivingJoint]]:
    """The spins of all elements that follow a joint, with what they follow."""
    for action in actions.values():
        yield from ((spin, spin.gear) for spin in action.spins if spin.gear is not None)


def with_gears(motion: Motion, actions: Mapping[str, Contribution]) -> Motion:
    """The motion with the inertia of geared rotors in M and h."""
    return replace(motion, kinematics=motion.kinematics.heavier(*gear_inertia(motion, geared(actions))))


def gear_inertia(motion: Motion, spins: Iterable[tuple[CarriedSpin, DrivingJoint]]) -> tuple[ca.SX, ca.SX]:
    """What M (nv × nv) and h (nv) have more by geared rotors."""
    v = motion.kinematics.v
    mass, bias = ca.SX(v.numel(), v.numel()), ca.SX(v.numel(), 1)
    for spin, _ in spins:
        omega, u = motion.kinematics.twists[spin.body].omega, spin.axis
        g, w = ca.jacobian(spin.rate, v), ca.jacobian(omega, v)
        along = u.T @ w
        mass += spin.inertia * (g.T @ g + g.T @ along + along.T @ g)
        moment, torque = _needed(motion, spin, ca.SX(v.numel(), 1))
        bias -= w.T @ moment + g.T @ torque
    return mass, bias


def gear_loads(motion: Motion, actions: Mapping[str, Contribution], vdot: ca.SX) -> list[Load]:
    """What geared rotors do to bodies, as loads that depend on v̇."""
    space, found = motion.geometry.space, list[Load]()
    for spin, gear in geared(actions):
        moment, torque = _needed(motion, spin, vdot)
        at = motion.kinematics.frames[spin.body].origin
        found.append(Load(spin.body, at, ca.SX(space.dimension, 1), -moment))
        found += effort_loads(motion, gear.joint, gear.freedom, -gear.ratio * torque)
    return found


def _needed(motion: Motion, spin: CarriedSpin, vdot: ca.SX) -> tuple[ca.SX, ca.SX]:
    """J σ̇ u + ω × J σ u (k), and the torque J (σ̇ + u·ω̇) of the gear."""
    omega, u = motion.kinematics.twists[spin.body].omega, spin.axis
    rate, alpha = motion.acceleration(spin.rate, vdot), motion.acceleration(omega, vdot)
    carried = ca.SX(1, 1) if motion.geometry.space.planar else ca.cross(omega, spin.inertia * spin.rate * u)
    return spin.inertia * rate * u + carried, spin.inertia * (rate + ca.dot(u, alpha))
