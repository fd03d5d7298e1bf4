"""Spring and damper between two points: f = k (L − L₀) + c L̇ pulls the ends together, V = ½ k (L − L₀)².

Source: García de Jalón and Bayo, eqs. 4.102 to 4.107, with the sign of an applied force.
"""

from __future__ import annotations

import casadi as ca

from linkwork.algebra.space import Space
from linkwork.elements.forces.base import Action, Load, Station


def spring(space: Space, ends: tuple[Station, Station], stiffness: ca.SX, damping: ca.SX, free_length: ca.SX) -> Action:
    """Pull two stations together."""
    first, second = ends
    line = second.position - first.position
    length = ca.sqrt(ca.dot(line, line))
    still = ca.SX(space.rotations, 1)
    if stiffness.is_zero() and damping.is_zero():
        return Action()
    direction = line / length
    rate = ca.dot(direction, second.velocity - first.velocity)
    pull = (stiffness * (length - free_length) + damping * rate) * direction
    return Action(
        loads=(Load(first.body, first.position, pull, still), Load(second.body, second.position, -pull, still)),
        potential=stiffness * (length - free_length) ** 2 / 2,
    )
