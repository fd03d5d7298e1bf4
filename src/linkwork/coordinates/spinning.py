"""Slender bars between balls in coordinates that know their spin: it stays what it is.

Such a bar (``topology.slender``, or a link whose points beside its line carry no mass and no force) has no inertia about its
line, and M no full rank. Its spin moves nothing else: a moment about the line acts on the spin alone, whatever it is. So one
is added that leaves no other rate to the spin than zero, with the angular acceleration α and the direction u of the line,

    −J u (u·α),   M ← M + J wᵀ w,   h ← h − J wᵀ (u·α₀),   u·ω = w v,   α₀ = α where v̇ = 0,

for any J > 0. No gyroscopic moment belongs to it: for every spin at the start all other motions are what they are without.

Of a motion that is given by the motors alone, passive spins (``topology.spins``) are no part: they are held at u·ω = 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import casadi as ca
import numpy as np

from linkwork.coordinates.base import Kinematics
from linkwork.position.geometry import Geometry
from linkwork.topology.mobility.slender import line_of_balls
from linkwork.topology.mobility.spins import PassiveSpin
from linkwork.topology.topology import Topology


def hold_spins(topology: Topology, kinematics: Kinematics) -> Kinematics:
    """The kinematics with full rank of M in the spins of slender bars."""
    k = kinematics
    known = _known(topology, k)
    if not known:
        return k
    mass, bias = spin_inertia(topology, k)
    turning = {name for spin in topology.idle_spins if spin.name in known for name in spin.bodies}
    return replace(k.heavier(mass, bias), spins_held=frozenset({*known, *turning}))


def spin_inertia(topology: Topology, kinematics: Kinematics) -> tuple[ca.SX, ca.SX]:
    """What M and h have more by the moments that hold the spins."""
    k, n = kinematics, kinematics.v.numel()
    mass, bias = ca.SX(n, n), ca.SX(n, 1)
    size = _size(topology.geometry, k.length)
    for name, line in _known(topology, k).items():
        u, omega = k.frames[name].axes @ line, k.twists[name].omega
        w = u.T @ ca.jacobian(omega, k.v)
        mass += size * (w.T @ w)
        bias -= size * (w.T @ ca.dot(u, ca.jtimes(omega, k.q, k.rates)))
    return mass, bias


@dataclass(frozen=True, eq=False)
class SpinRates:
    """Passive spins that coordinates know: u·ω (k); of each body the line u, a direction across it, and ω."""

    names: tuple[str, ...]
    rates: ca.SX
    lines: tuple[ca.SX, ...]
    across: tuple[ca.SX, ...]
    omegas: tuple[ca.SX, ...]
    label: str  # tells functions of these spins from those of others


def spin_rates(geometry: Geometry, spins: Sequence[PassiveSpin], kinematics: Kinematics) -> SpinRates:
    """The rates of passive spins in given coordinates, where these know them."""
    k = kinematics
    known = [(spin, spin.name) for spin in spins if spin.name not in k.spinless]
    lines, across, omegas = [], [], []
    for spin, name in known:
        local = spin.lines[name]
        # the axis of the body that is farthest from the line, made perpendicular to it
        aside = ca.SX.eye(3)[:, int(np.argmin(np.abs(geometry.number(local))))]
        e = aside - local * ca.dot(local, aside)
        lines.append(k.frames[name].axes @ local)
        across.append(k.frames[name].axes @ (e / ca.norm_2(e)))
        omegas.append(k.twists[name].omega)
    rates = ca.vertcat(ca.SX(0, 1), *[ca.dot(u, omega) for u, omega in zip(lines, omegas, strict=True)])
    places = [str(list(geometry.bodies).index(name)) for _, name in known]
    label = "_".join(["spins", *places])
    return SpinRates(tuple(name for _, name in known), rates, tuple(lines), tuple(across), tuple(omegas), label)


def _known(topology: Topology, k: Kinematics) -> dict[str, ca.SX]:
    """Lines, in their own axes, of bodies without inertia about them whose spin these coordinates know."""
    geometry = topology.geometry
    lines = {name: line_of_balls(geometry, name) for name in geometry.bodies if name in geometry.slender}
    lines |= {spin.name: spin.lines[spin.name] for spin in topology.idle_spins if spin.weightless(geometry)}
    return {name: line for name, line in lines.items() if line is not None and name not in k.spinless}


def _size(geometry: Geometry, length: float) -> float:
    """J: that of a rod of mean mass and of the size of the mechanism, or 1 where nothing has mass."""
    masses = geometry.masses()
    return sum(masses) / max(len(masses), 1) * length**2 / 12 or 1.0
