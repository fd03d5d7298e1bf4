"""Actions along the coordinate of a joint: an actuator, and a torsion spring with a damper.

The torsion spring τ = −k (φ − φ₀) − c φ̇ uses the joint coordinate that counts turns (eqs. 4.123 to 4.127).
"""

from __future__ import annotations

import casadi as ca

from linkwork.elements.forces.base import Action, Effort


def effort(joint: str, freedom: int, value: ca.SX) -> Action:
    """A given force or torque on the child along a freedom of the joint."""
    return Action(efforts=(Effort(joint, freedom, value),))


def torsion_spring(
    joint: str, freedom: int, state: tuple[ca.SX, ca.SX], stiffness: ca.SX, damping: ca.SX, free_angle: ca.SX
) -> Action:
    """A spring and damper on a joint coordinate; *state* is the coordinate and its rate."""
    value, rate = state
    pull = -stiffness * (value - free_angle) - damping * rate
    return Action(efforts=(Effort(joint, freedom, pull),), potential=stiffness * (value - free_angle) ** 2 / 2)
