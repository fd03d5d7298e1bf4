"""Drag of a fluid at a point: f = −(c₁ + c₂ |w|) w with the velocity w of the point relative to the fluid.

What the motion relative to the fluid destroys is −f·w; a wind u brings in f·u.
"""

from __future__ import annotations

import casadi as ca

from linkwork.algebra.space import Space
from linkwork.elements.contribution import Contribution, Load, Reading, Station

TINY = 1e-300  # keeps the speed differentiable at rest


def drag(space: Space, station: Station, linear: ca.SX, quadratic: ca.SX, wind: ca.SX | None = None) -> Contribution:
    """Resist the motion of a station relative to the fluid."""
    velocity = station.velocity if wind is None else station.velocity - wind
    speed = ca.sqrt(ca.dot(velocity, velocity) + TINY)
    force = -(linear + quadratic * speed) * velocity
    return Contribution(
        loads=(Load(station.body, station.position, force, ca.SX(space.rotations, 1), station.velocity),),
        dissipation=-ca.dot(force, velocity),
        supplies=wind is not None,
        readings={
            "speed": Reading("m/s", "speed relative to the fluid", speed),
            "force": Reading("N", "size of the drag", (linear + quadratic * speed) * speed),
        },
    )
