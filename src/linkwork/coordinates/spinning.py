"""Slender bars between balls in coordinates that know their spin: it stays what it is.

Such a bar (``topology.slender``) has no inertia about its line, and M no full rank. Its spin moves nothing else: a moment
about the line acts on the spin alone, whatever it is. So one is added that leaves no other rate to the spin than zero, with
the angular acceleration α and the direction u of the line,

    −J u (u·α),   M ← M + J wᵀ w,   h ← h − J wᵀ (u·α₀),   u·ω = w v,   α₀ = α where v̇ = 0,

for any J > 0. No gyroscopic moment belongs to it: for every spin at the start all other motions are what they are without.
"""

from __future__ import annotations

from dataclasses import replace

import casadi as ca

from linkwork.coordinates.base import Kinematics
from linkwork.topology.geometry import Geometry
from linkwork.topology.slender import line_of_balls


def hold_spins(geometry: Geometry, kinematics: Kinematics) -> Kinematics:
    """The kinematics with full rank of M in the spins of slender bars."""
    k = kinematics
    known = _known(geometry, k)
    if not known:
        return k
    mass, bias = spin_inertia(geometry, k)
    return replace(k, mass=k.mass + mass, bias=k.bias + bias, spins_held=frozenset(known))


def spin_inertia(geometry: Geometry, kinematics: Kinematics) -> tuple[ca.SX, ca.SX]:
    """What M and h have more by the moments that hold the spins."""
    k, n = kinematics, kinematics.v.numel()
    mass, bias = ca.SX(n, n), ca.SX(n, 1)
    size = _size(geometry, k.length)
    for name in _known(geometry, k):
        u, omega = line_in_space(geometry, k, name), k.twists[name].omega
        w = u.T @ ca.jacobian(omega, k.v)
        mass += size * (w.T @ w)
        bias -= size * (w.T @ ca.dot(u, ca.jtimes(omega, k.q, k.rates)))
    return mass, bias


def line_in_space(geometry: Geometry, kinematics: Kinematics, name: str) -> ca.SX:
    """u of a body between two balls."""
    line = line_of_balls(geometry, name)
    assert line is not None  # it has two balls
    return kinematics.frames[name].axes @ line


def _known(geometry: Geometry, k: Kinematics) -> list[str]:
    """Slender bars whose spin these coordinates know."""
    return [name for name in geometry.bodies if name in geometry.slender and name not in k.spinless]


def _size(geometry: Geometry, length: float) -> float:
    """J: that of a rod of mean mass and of the size of the mechanism, or 1 where nothing has mass."""
    masses = [float(geometry.number(body.mass)) for body in geometry.bodies.values()]
    return sum(masses) / max(len(masses), 1) * length**2 / 12 or 1.0
