"""Rotational springs with dampers: on a joint coordinate, or between two bodies in the plane.

The angle counts turns, ψ + 2nπ (García de Jalón and Bayo, eqs. 4.123 to 4.127).
"""

from __future__ import annotations

import casadi as ca

from linkwork.algebra.space import PLANAR
from linkwork.elements.contribution import (
    Contribution,
    JointCoordinate,
    JointEffort,
    Load,
    MeasuredAngle,
    Reading,
    Solid,
)
from linkwork.elements.forces.law import LawForce


def torsion_spring(coordinate: JointCoordinate, answer: LawForce) -> Contribution:
    """A spring and damper against the angle of a joint: the torque on the child is opposite to the answer."""
    return answer.acting(
        efforts=(JointEffort(coordinate.joint, coordinate.freedom, -answer.force),),
        readings=_readings(coordinate.value, coordinate.rate, answer, "torque on the child"),
    )


def torsion_spring_between(pair: tuple[Solid, Solid], angle: MeasuredAngle, answer: LawForce) -> Contribution:
    """A spring and damper against the relative angle of two bodies in the plane."""
    none = ca.SX(PLANAR.dimension, 1)
    first, second = pair
    return answer.acting(
        loads=(
            Load(first.body, first.frame.origin, none, answer.force),
            Load(second.body, second.frame.origin, none, -answer.force),
        ),
        readings=_readings(angle.value, angle.rate, answer, "torque on the second body"),
    )


def _readings(angle: ca.SX, rate: ca.SX, answer: LawForce, text: str) -> dict[str, Reading]:
    return {
        "angle": Reading("rad", "angle", angle),
        "deflection": Reading("rad", "angle less the free one", answer.deflection),
        "speed": Reading("rad/s", "rate of the angle", rate),
        "torque": Reading("N*m", text, -answer.force),
    }
