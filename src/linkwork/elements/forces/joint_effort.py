"""Actions along the coordinate of a joint: an actuator, and a torsion spring with a damper.

The torsion spring τ = −k (φ − φ₀) − c φ̇ uses the joint coordinate that counts turns (eqs. 4.123 to 4.127).
"""

from __future__ import annotations

import casadi as ca

from linkwork.elements.forces.base import Action, Effort, JointCoordinate


def effort(coordinate: JointCoordinate, value: ca.SX) -> Action:
    """A given force or torque on the child along a freedom of the joint."""
    return Action(efforts=(Effort(coordinate.joint, coordinate.freedom, value),))


def torsion_spring(coordinate: JointCoordinate, stiffness: ca.SX, damping: ca.SX, free_angle: ca.SX) -> Action:
    """A spring and damper on a joint coordinate."""
    turned = coordinate.value - free_angle
    pull = -stiffness * turned - damping * coordinate.rate
    return Action(efforts=(Effort(coordinate.joint, coordinate.freedom, pull),), potential=stiffness * turned**2 / 2)
