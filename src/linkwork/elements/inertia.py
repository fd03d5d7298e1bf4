"""Mass and inertia of uniform shapes about their centre, in axes along their edges. Standard formulas, SI."""

from __future__ import annotations

import casadi as ca

from linkwork.algebra.space import Space


def point_inertia(space: Space) -> ca.SX:
    """No extent, no inertia."""
    return ca.SX(space.rotations, space.rotations)


def rod_inertia(space: Space, mass: ca.SX, length: ca.SX) -> ca.SX:
    """Slender rod along x: m L²/12 across."""
    across = mass * length**2 / 12
    return across if space.planar else ca.diag(ca.vertcat(0, across, across))


def box_inertia(space: Space, mass: ca.SX, edges: ca.SX) -> ca.SX:
    """Solid box: m (b² + c²)/12 about x, and so on; in the plane m (a² + b²)/12."""
    if space.planar:
        return mass * (edges[0] ** 2 + edges[1] ** 2) / 12
    a2, b2, c2 = edges[0] ** 2, edges[1] ** 2, edges[2] ** 2
    return mass / 12 * ca.diag(ca.vertcat(b2 + c2, a2 + c2, a2 + b2))


def cylinder_inertia(space: Space, mass: ca.SX, radius: ca.SX, length: ca.SX, axis: str = "x") -> ca.SX:
    """Solid cylinder: m r²/2 about its axis, m (3 r² + L²)/12 across; in the plane about the normal z."""
    along, across = mass * radius**2 / 2, mass * (3 * radius**2 + length**2) / 12
    if space.planar:
        return along if axis == "z" else across
    return ca.diag(ca.vertcat(*[along if name == axis else across for name in "xyz"]))
