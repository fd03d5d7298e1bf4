"""A ground that moves: the inertia forces that bodies feel in a frame with a known motion.

All vectors are components in the moving frame, whose origin has the acceleration a₀ and which turns with Ω. A body with
its centre of mass at r, moving with v and ω relative to the frame, feels the force

    F = −m (a₀ + Ω̇ × r + Ω × (Ω × r) + 2 Ω × v)

at its centre of mass. With the angular momentum H = I (ω + Ω), whose rate is dH/dt + Ω × H with dH/dt seen in the frame and
dI/dt·Ω = ω × IΩ − I(ω × Ω), Euler's equation I α + ω × Iω = N keeps its form with the moment

    N = −(I Ω̇ + ω × IΩ − I(ω × Ω) + Ω × I(ω + Ω)),

in the plane −I Ω̇. Source: García de Jalón and Bayo, eqs. 4.131 to 4.134, which leave out the terms with ω and v (Coriolis).
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from linkwork.algebra.space import Space
from linkwork.elements.contribution import Contribution, Load, Solid, Station
from linkwork.elements.inertia import Distribution


@dataclass(frozen=True, eq=False)
class BaseMotion:
    """Acceleration (d) of the origin, Ω (k) and Ω̇ (k), in the axes of the moving frame."""

    acceleration: ca.SX
    omega: ca.SX
    alpha: ca.SX


@dataclass(frozen=True, eq=False)
class CarriedBody:
    """A body with its centre of mass as a station, and its mass and inertia in world axes."""

    solid: Solid
    centre: Station
    matter: Distribution


def moving_base(space: Space, motion: BaseMotion, masses: list[CarriedBody]) -> Contribution:
    """The inertia forces of all bodies; their power comes from the base."""
    return Contribution(loads=tuple(_load(space, motion, mass) for mass in masses), supplies=True)


def _load(space: Space, motion: BaseMotion, mass: CarriedBody) -> Load:
    turn, r, omega = space.turn, mass.centre.position, motion.omega
    guided = motion.acceleration + turn(motion.alpha, r) + turn(omega, turn(omega, r))
    force, inertia = -mass.matter.mass * (guided + 2 * turn(omega, mass.centre.velocity)), mass.matter.inertia
    moment = -inertia @ motion.alpha
    if not space.planar:
        spin = mass.solid.omega
        moment -= ca.cross(spin, inertia @ omega) - inertia @ ca.cross(spin, omega)
        moment -= ca.cross(omega, inertia @ (spin + omega))
    return Load(mass.solid.body, r, force, moment)
