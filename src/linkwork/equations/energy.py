"""The energy of a mechanism, and the power that changes it, as one function for methods that keep energies.

energy: (t, [y, v̇], p) → [T + V, power brought in less power destroyed, T]
"""

from __future__ import annotations

import casadi as ca

from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.power import element_powers
from linkwork.equations.terms import make_function


def kinetic_energy(c: Coordinates) -> ca.SX:
    """Of the bodies, and of parts that elements have of their own."""
    return _of_bodies(c) + c.loading.kinetic


def _of_bodies(c: Coordinates) -> ca.SX:
    """Body by body, or vᵀ M v / 2 where more than their bodies is in M."""
    if not c.along_tree:
        return ca.dot(c.v, c.mass @ c.v) / 2 if c.v.numel() else ca.SX(0)
    parts = [c.motion.inertia(name) for name in c.geometry.bodies]
    return sum((ca.dot(part.velocities, part.block @ part.velocities) / 2 for part in parts), ca.SX(0))


def potential_energy(c: Coordinates) -> ca.SX:
    """Of gravity and springs."""
    return ca.SX(c.loading.potential)


def energy_function(c: Coordinates) -> ca.Function:
    """Energy, power and kinetic energy; drivers are left out, which have reactions and no forces."""
    vdot = ca.SX.sym("vdot", c.v.numel())
    powers = element_powers(c, vdot).values()
    power = sum((item.supplied - item.dissipated for item in powers), ca.SX(1, 1))
    kinetic = kinetic_energy(c)
    outputs = {"energy": kinetic + potential_energy(c), "power": power, "kinetic": kinetic}
    return make_function("energy", c, outputs, vdot)
