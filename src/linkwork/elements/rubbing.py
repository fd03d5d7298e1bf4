"""Coulomb friction in a joint, from what the joint itself transmits.

A joint touches where it can slip. Of the force F and the moment M on the child at the origin of its frame each place takes
a part P, which the contact turns by friction where it slips across P, as on a pin:

    N = Σ |P| / √(1 + μ²)  (across),   N = Σ |P|  (along: a guide, a thread)

so that a pin of radius R rubs with R N μ = R sin(arctan μ) |F|, the circle of friction. What slips at the velocity s is held
back by

    T = −μ(s) N s/|s|,   μ(s) = μ + (μ₀ − μ) exp(−s²/s₀²),

and what does not slip by any |T| ≤ μ₀ N. Along a coordinate x of which the slip is s = l ẋ that is the effort l T. Joints
that slip along several coordinates have as many components s: a pin that turns and slides, a ball, a point on a plane.

A guide or bearing of length L takes moments at both ends, P = F/2 ± u × M/L. The thread of a screw, which advances by h for
a radian, has l = √(R² + h²): with its axial force f and the torque τ of friction about the axis, N = |f l/R − τ h/(R l)|.
Sources: García de Jalón and Bayo, section 10.1; Shigley, "Mechanical Engineering Design", for screws.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import casadi as ca

from linkwork.algebra.frames import Frame
from linkwork.algebra.space import Space
from linkwork.elements.joints.base import JointKind
from linkwork.elements.joints.helical import Helical

TINY = 1e-200  # added to squares: the size of a force that vanishes has the slope zero


@dataclass(frozen=True, eq=False)
class JointWrench:
    """Force (d) and moment (k) of a joint on its child at the origin of frame b, and the effort of friction with them."""

    force: ca.SX
    moment: ca.SX
    friction: ca.SX


@dataclass(frozen=True, eq=False)
class RubbingSizes:
    """Radius of the pin, ball or thread and length of the guide or bearing, in m; None: not given."""

    radius: ca.SX | None = None
    length: ca.SX | None = None


@dataclass(frozen=True, eq=False)
class Touching:
    """All P of a joint: those that friction turns, since it lies across them, and those along which it does not lie.

    share: the part of friction that lies across, as of a pin that turns and slides
    """

    across: tuple[ca.SX, ...] = ()
    along: tuple[ca.SX, ...] = ()
    share: ca.SX = field(default_factory=lambda: ca.SX(1))

    def normal(self, mu: ca.SX | float) -> ca.SX:
        """N with the coefficient μ of what lies across."""
        turned = sum((size(part) for part in self.across), ca.SX(0))
        return turned / ca.sqrt(1 + (self.share * mu) ** 2) + sum((size(part) for part in self.along), ca.SX(0))


@dataclass(frozen=True, eq=False)
class Coefficients:
    """μ of what slides and μ₀ of what sticks; stribeck: speed over which the one becomes the other, None: at once."""

    sliding: ca.SX
    sticking: ca.SX
    stribeck: ca.SX | None = None

    def at(self, squared: ca.SX) -> ca.SX:
        """μ(s), of s²."""
        if self.stribeck is None:
            return self.sliding
        return self.sliding + (self.sticking - self.sliding) * ca.exp(-squared / self.stribeck**2)


def size(part: ca.SX) -> ca.SX:
    """|P|."""
    return ca.fabs(part) if part.numel() == 1 else ca.sqrt(ca.dot(part, part) + TINY)


# -- by kinds of joints --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class TouchedJoint:
    """What the kind of a joint is asked with."""

    space: Space
    kind: JointKind
    a: Frame
    wrench: JointWrench
    sizes: RubbingSizes
    slips: tuple[ca.SX, ...]
    axis: ca.SX = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "axis", self.a.axis(0 if self.space.planar else 2))

    def part(self, *axes: int) -> ca.SX:
        """The force along axes of a."""
        return ca.vertcat(*[ca.dot(self.wrench.force, self.a.axis(i)) for i in axes])

    def ends(self, force: ca.SX) -> tuple[ca.SX, ...]:
        """What the ends of a guide or bearing take of a force across it, and of the moment."""
        length, moment = self.sizes.length, self.wrench.moment
        if length is None:
            return (force,)
        if self.space.planar:
            couple = moment / length
        else:
            turned = ca.cross(self.axis, moment) / length
            couple = ca.vertcat(*[ca.dot(turned, self.a.axis(i)) for i in (0, 1)])
        return force / 2 + couple, force / 2 - couple


def _revolute(joint: TouchedJoint) -> Touching:
    if joint.space.planar:
        return Touching(across=(joint.wrench.force,))
    return Touching(across=joint.ends(joint.part(0, 1)), along=(joint.part(2),))


def _prismatic(joint: TouchedJoint) -> Touching:
    if joint.space.planar:
        return Touching(along=joint.ends(joint.part(1)))
    turning = ca.dot(joint.axis, joint.wrench.moment)
    twisted = () if joint.sizes.radius is None else (turning / joint.sizes.radius,)
    return Touching(along=(*joint.ends(joint.part(0, 1)), *twisted))


def _helical(joint: TouchedJoint) -> Touching:
    slip, pitch = levers(joint.kind, joint.sizes)[0], _pitch(joint.kind)
    assert joint.sizes.radius is not None
    return Touching(along=((joint.part(2) * slip - joint.wrench.friction * pitch / slip) / joint.sizes.radius,))


def _point_on_line(joint: TouchedJoint) -> Touching:
    return Touching(along=(joint.part(1) if joint.space.planar else joint.part(0, 1),))


def _cylindrical(joint: TouchedJoint) -> Touching:
    turning = joint.slips[0] if len(joint.slips) > 1 else ca.SX(0)
    whole = ca.sqrt(sum((slip**2 for slip in joint.slips), ca.SX(TINY)))
    return Touching(across=joint.ends(joint.part(0, 1)), share=turning / whole)


def _spherical(joint: TouchedJoint) -> Touching:
    return Touching(across=(joint.wrench.force,))


def _point_on_plane(joint: TouchedJoint) -> Touching:
    return Touching(along=(joint.part(2),))


RUBS: dict[str, Callable[[TouchedJoint], Touching]] = {
    "revolute": _revolute,
    "prismatic": _prismatic,
    "helical": _helical,
    "point_on_line": _point_on_line,
    "cylindrical": _cylindrical,
    "spherical": _spherical,
    "point_on_plane": _point_on_plane,
}
"""The kinds of joints whose friction is known."""
SEVERAL = ("cylindrical", "spherical", "point_on_plane")
"""Those that slip along several coordinates: their friction is smooth."""


def touching(joint: TouchedJoint) -> Touching:
    """How a joint touches."""
    return RUBS[joint.kind.name](joint)


def levers(kind: JointKind, sizes: RubbingSizes) -> dict[int, ca.SX]:
    """Slip per rate, by the numbers of the coordinates along which a joint slips."""
    radius, one = sizes.radius, ca.SX(1)
    if kind.name == "cylindrical":
        return {0: radius, 1: one} if radius is not None else {1: one}
    if kind.name == "point_on_plane":
        return {0: one, 1: one}
    if radius is None or kind.name == "prismatic":
        return {0: one}
    if kind.name == "helical":
        return {0: ca.sqrt(radius**2 + _pitch(kind) ** 2)}
    return dict.fromkeys(range(3 if kind.name == "spherical" else 1), radius)


def _pitch(kind: JointKind) -> ca.SX:
    assert isinstance(kind, Helical)
    return kind.pitch


def wrench_of(
    space: Space, kind: JointKind, ends: tuple[Frame, Frame], multipliers: Sequence[ca.SX], friction: ca.SX
) -> JointWrench:
    """What a joint does to its child where its conditions push with *multipliers*: by displacements of frame b."""
    a, b = ends
    d, delta = space.dimension, ca.SX.sym("delta", space.freedoms)
    turn = delta[d:] * ca.SX([[0, -1], [1, 0]]) if space.planar else ca.skew(delta[d:])
    angle = None if b.angle is None else b.angle + delta[d]
    moved = Frame(b.origin + delta[:d], b.axes + turn @ b.axes, angle)
    rows = ca.vertcat(*[row.residual for row in kind.rows(space, a, moved)])
    gradient = ca.substitute(ca.jacobian(rows, delta), delta, ca.SX.zeros(delta.numel()))
    wrench = gradient.T @ ca.vertcat(*multipliers)
    return JointWrench(wrench[:d], wrench[d:], friction)
