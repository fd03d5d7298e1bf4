"""What a coupling is made of: terms of a linear relation Σ cᵢ φᵢ = its value at the assembly, and motions against a carrier.

A wheel turns about an axis that is fixed in its carrier. Its angle is a sum of joint coordinates, such as
φ_sun − φ_arm for a sun and an arm that both turn on the ground; so is the way of a rack.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca
import numpy as np

from linkwork.algebra.frames import Frame
from linkwork.arrays import Array
from linkwork.elements.drawings import Wheel
from linkwork.errors import Fault, ModelError

ALIKE = 1e-6  # relative difference of lengths, or sine of an angle, that counts as none


@dataclass(frozen=True, eq=False)
class Term:
    """One joint coordinate in a coupling, with its factor."""

    joint: str
    freedom: str
    factor: ca.SX


@dataclass(frozen=True, eq=False)
class CoupledMotion:
    """A body that turns about, or slides along, a line of its carrier: the coordinate is the sum of its terms.

    point (3): where the body sits on the line; direction (3): unit vector; both in the axes of the carrier, at the
    default parameters. own_point and own_direction are the same in the axes of the body; so is the anchor, a frame on
    expressions whose axis *column* is the direction (in the plane, 2 is the normal). joints: those between the body and
    its carrier; loose: whether the body may slide along the axis about which it turns.
    """

    body: str
    terms: tuple[Term, ...]
    point: Array
    direction: Array
    own_point: Array
    own_direction: Array
    anchor: Frame | None = None
    column: int = 2
    joints: tuple[str, ...] = ()
    loose: bool = False

    def wheel(self, radius: float) -> Wheel:
        return Wheel(self.body, self.own_point, self.own_direction, radius)


def combine(*parts: tuple[ca.SX, CoupledMotion]) -> tuple[Term, ...]:
    """The terms of a weighted sum of motions; each coordinate once."""
    factors: dict[tuple[str, str], ca.SX] = {}
    for weight, motion in parts:
        for term in motion.terms:
            key = (term.joint, term.freedom)
            factors[key] = factors.get(key, ca.SX(0)) + weight * term.factor
    return tuple(Term(*key, factor) for key, factor in factors.items() if not factor.is_zero())


def misfit(key: str, reason: str, hint: str = "") -> ModelError:
    """The error of a coupling whose parts do not fit together; the path of the coupling is added by whoever knows it."""
    return ModelError([Fault(key, reason, hint)])


def are_parallel(one: Array, other: Array) -> bool:
    """Whether two unit vectors are parallel, either way."""
    return float(np.linalg.norm(np.cross(one, other))) < ALIKE


def differs(one: float, other: float) -> bool:
    """Whether two lengths or angles differ."""
    return abs(one - other) > ALIKE * max(abs(one), abs(other))
