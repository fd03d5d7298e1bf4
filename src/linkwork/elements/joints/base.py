"""The contract of a joint: one object per kind, without state; a kind with numbers of its own, one object per joint.

A joint connects two joint frames: frame *a* fixed in the parent and frame *b* fixed in the child. Its axis is the z axis
of both in space; in the plane a revolute joint turns about the normal, and a prismatic one slides along x.

Every coordinate kind builds on the same five answers:

* ``freedoms``: the names of its relative velocities;
* ``motion`` and ``columns``: frame b seen from frame a as a function of its own coordinates, and the relative velocity
  as columns times the rates, both in the axes of a (what a spanning tree needs);
* ``rows``: what must vanish when the two frames move independently (what a cut joint, natural and mixed coordinates need);
* ``measure``: its coordinates read off two frames that satisfy the rows;
* ``reactions``: the directions in which it can push, which are those in which it cannot move.

Angles and lengths come first among the coordinates. A joint in which the child can turn anyhow has three spins behind
them: the relative angular velocity in the axes of the child, q̇ = T(q) v. Its position is the attitude of the child in
the parent, in a parametrisation that a kind of coordinates may choose; by default a unit quaternion (w first).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass, replace
from typing import ClassVar

import casadi as ca
import numpy as np

from linkwork.algebra.frames import Frame
from linkwork.algebra.orientations import EULER_PARAMETERS, Orientation
from linkwork.algebra.space import Space
from linkwork.elements.contribution import Condition


@dataclass(frozen=True)
class Freedom:
    """One relative velocity of a joint."""

    name: str
    rate: str
    kind: str  # 'angle', 'length' or 'spin' (a component of an angular velocity that is nobody's rate)
    winds: bool = False  # an angle of which every turn is another position (a screw)

    @property
    def unit(self) -> str:
        return "m" if self.kind == "length" else "rad"

    @property
    def angular(self) -> bool:
        """Whether it turns."""
        return self.kind != "length"

    @property
    def dimension(self) -> str:
        """Dimension of the coordinate."""
        return "angle" if self.angular else "length"

    @property
    def rate_dimension(self) -> str:
        """Dimension of the rate."""
        return "angular_speed" if self.angular else "speed"

    @property
    def acceleration_dimension(self) -> str:
        """Dimension of the second derivative."""
        return "angular_acceleration" if self.angular else "acceleration"

    @property
    def effort_dimension(self) -> str:
        """Dimension of the force or torque along the coordinate."""
        return "torque" if self.angular else "force"

    @property
    def acceleration(self) -> str:
        """The name of its second derivative."""
        return "acceleration" if self.rate == "speed" else f"{self.name}_acceleration"


SPINS = tuple(Freedom(f"spin{axis}", f"spin{axis}", "spin") for axis in "xyz")


def joint_row(component: str, part: str, residual: ca.SX, guarded: ca.SX | None = None) -> Condition:
    """One condition between frames a and b: a length where a point is held or slides, else an angle or a cosine."""
    return Condition(component, residual, is_length=part in ("point", "slide"), part=part, guarded=guarded)


@dataclass(frozen=True, eq=False)
class Measure:
    """A coordinate read off two frames: a length, or an angle by its sine and cosine."""

    value: ca.SX | None = None
    sine: ca.SX | None = None
    cosine: ca.SX | None = None
    axis: ca.SX | None = None  # world axis about which the rate is (ω_b − ω_a)·axis, where that holds

    @property
    def principal(self) -> ca.SX:
        """The value; of an angle that is known by its sine and cosine, the one in (−π, π]."""
        if self.value is not None:
            return self.value
        assert self.sine is not None and self.cosine is not None
        return ca.atan2(self.sine, self.cosine)


@dataclass(frozen=True, eq=False)
class Follower:
    """A length that follows a freedom in a fixed ratio (m/rad): the advance of a screw."""

    name: str
    rate: str
    freedom: str
    ratio: ca.SX


@dataclass(frozen=True, eq=False)
class Directions:
    """Unit directions (world axes) of the forces and moments that a joint can transmit to the child.

    ``combined``: unit forces that come with a moment (m) at the origin of b.
    """

    forces: tuple[ca.SX, ...]
    moments: tuple[ca.SX, ...]
    combined: tuple[tuple[ca.SX, ca.SX], ...] = ()


@dataclass(frozen=True)
class JointNumber:
    """A number that joints of one kind differ by, as declarations give it.

    dimension: what it measures; meaning: what it is, in a few words; example: of a value, as users write it
    otherwise: where it must not be zero, what to do instead
    """

    dimension: str = "any"
    meaning: str = ""
    example: str = ""
    otherwise: str = ""


class JointKind(ABC):
    """What a kind of joint is and does."""

    name: ClassVar[str]
    axes: ClassVar[Mapping[str, int]]  # how many axes must be given, by space; absent: not for that space
    symbol: ClassVar[str] = ""  # the kind as which it is drawn, where that is another
    letter: ClassVar[str] = ""  # in the names of chains: R, P, S, C, U, G, F, L; empty: a rigid or a free connection
    numbers: ClassVar[tuple[str, ...] | Mapping[str, JointNumber]] = ()  # keys of declarations, attributes of the kind
    bends: ClassVar[bool] = False  # may be drawn bent: instead of the axis, one of the parent and one of the child
    axis_on_parent: ClassVar[bool] = False  # the axis is that of a line or plane of the parent, not of the child too
    shares_point: ClassVar[bool] = False
    shares_axis: ClassVar[bool] = False
    orientation: Orientation = EULER_PARAMETERS  # of a child that can turn anyhow
    compared_axes: ClassVar[tuple[int, int] | None] = None  # axes of a and b, not shared, whose angle a row holds

    @property
    def spaces(self) -> tuple[str, ...]:
        """The spaces in which this kind exists."""
        return tuple(self.axes)

    @property
    def described(self) -> Mapping[str, JointNumber]:
        """The numbers with what they are."""
        return self.numbers if isinstance(self.numbers, Mapping) else dict.fromkeys(self.numbers, JointNumber())

    def with_numbers(self, values: Mapping[str, ca.SX]) -> JointKind:
        """This kind with the numbers of one joint (SI, by their keys in the declaration)."""
        return self._with(values)

    def evaluated(self, number: Callable[[ca.SX], ca.SX]) -> JointKind:
        """This kind with its own numbers, which may depend on live parameters, evaluated by *number*."""
        return self._with({key: number(ca.SX(getattr(self, key))) for key in self.numbers})

    def _with(self, attributes: Mapping[str, object]) -> JointKind:
        if not attributes:
            return self
        twin = copy(self)
        for name, value in attributes.items():
            object.__setattr__(twin, name, value)
        return twin

    def oriented(self, orientation: Orientation) -> JointKind:
        """This kind with the attitude of its child, where that is free, in the given parametrisation."""
        return self if orientation is self.orientation else self._with({"orientation": orientation})

    def seat(self, space: Space, a: Frame, b: Frame) -> Frame | None:
        """How frame a is moved in its own axes so that the joint fits as it is drawn; None: it stays."""
        return None

    @abstractmethod
    def freedoms(self, space: Space) -> tuple[Freedom, ...]:
        """The relative velocities, in order."""

    def followers(self, space: Space) -> tuple[Follower, ...]:
        """Further lengths that can be read."""
        return ()

    def scalars(self, space: Space) -> tuple[Freedom, ...]:
        """The freedoms that are rates of an angle or a length; spins, if there are any, follow."""
        return tuple(freedom for freedom in self.freedoms(space) if freedom.kind != "spin")

    def spins(self, space: Space) -> bool:
        """Whether the child can turn anyhow: its attitude stands behind the scalar coordinates."""
        return len(self.scalars(space)) < len(self.freedoms(space))

    def position_names(self, space: Space) -> tuple[str, ...]:
        """Names of the position coordinates."""
        scalars = tuple(freedom.name for freedom in self.scalars(space))
        return (*scalars, *self.orientation.names) if self.spins(space) else scalars

    def count_positions(self, space: Space) -> int:
        """Number of position coordinates."""
        return len(self.position_names(space))

    def count_rows(self, space: Space) -> int:
        """Number of conditions that the joint imposes."""
        return space.freedoms - len(self.freedoms(space))

    @abstractmethod
    def motion(self, space: Space, q: ca.SX) -> Frame:
        """Frame b seen from frame a."""

    @abstractmethod
    def columns(self, space: Space, q: ca.SX) -> tuple[ca.SX, ca.SX]:
        """Velocity of b's origin (d × n) and angular velocity of b (k × n) relative to a, in a's axes."""

    def rates(self, space: Space, q: ca.SX, v: ca.SX) -> ca.SX:
        """q̇ as a function of the relative velocities v."""
        n = len(self.scalars(space))
        return ca.vertcat(v[:n], self.orientation.rates(q[n:], v[n:])) if self.spins(space) else v

    def retract(self, space: Space, q: ca.SX, delta: ca.SX) -> ca.SX:
        """q moved by the small relative displacement *delta*, back on its manifold."""
        n = len(self.scalars(space))
        if not self.spins(space):
            return q + delta
        return ca.vertcat(q[:n] + delta[:n], self.orientation.retract(q[n:], delta[n:]))

    def identities(self, space: Space, q: ca.SX) -> tuple[tuple[str, ca.SX], ...]:
        """What vanishes between the position coordinates themselves, by name: the unit length of a quaternion."""
        return self.orientation.conditions(q[len(self.scalars(space)) :]) if self.spins(space) else ()

    def reframe(self, space: Space, q: ca.SX) -> tuple[ca.SX, ca.SX] | None:
        """The same position in coordinates away from their singularity, and whether they are others; None: none needed."""
        n = len(self.scalars(space))
        framed = self.orientation.reframe(q[n:]) if self.spins(space) else None
        return None if framed is None else (ca.vertcat(q[:n], framed[0]), framed[1])

    def positions(self, space: Space, a: Frame, b: Frame) -> ca.SX:
        """The position coordinates between two frames of numbers."""
        scalars = self.values(space, a, b)
        return ca.vertcat(scalars, self._read(a.axes.T @ b.axes)) if self.spins(space) else scalars

    def values(self, space: Space, a: Frame, b: Frame) -> ca.SX:
        """The angles and lengths between two frames, angles in (−π, π]."""
        return ca.vertcat(ca.SX(0, 1), *[measure.principal for measure in self.measure(space, a, b)])

    def _read(self, axes: ca.SX) -> ca.SX:
        """The coordinates of an attitude without symbols."""
        return ca.SX(self.orientation.coordinates(np.array(ca.DM(axes))))

    @abstractmethod
    def rows(self, space: Space, a: Frame, b: Frame) -> list[Condition]:
        """Conditions between the two frames, seen from the world."""

    @abstractmethod
    def measure(self, space: Space, a: Frame, b: Frame) -> tuple[Measure, ...]:
        """The angles and lengths read off the frames, in the order of the freedoms."""

    @abstractmethod
    def reactions(self, space: Space, a: Frame, b: Frame) -> Directions:
        """Directions of the transmitted forces and moments."""

    def efforts(self, space: Space, a: Frame, b: Frame) -> tuple[tuple[ca.SX, ca.SX], ...]:
        """Unit force and moment (world axes, at b's origin) on the child that act along each freedom."""
        # kinds whose scalar columns depend on the coordinates give their own directions
        translation, rotation = self.columns(space, self.neutral(space))
        turn = a.axes if not space.planar else ca.SX.eye(1)
        scalars = range(len(self.scalars(space)))
        spins = [(ca.SX(3, 1), b.axis(i)) for i in range(3)] if self.spins(space) else []
        return (*((a.axes @ translation[:, i], turn @ rotation[:, i]) for i in scalars), *spins)

    def neutral(self, space: Space) -> ca.SX:
        """The coordinates of coincident frames."""
        scalars = ca.SX(len(self.scalars(space)), 1)
        return ca.vertcat(scalars, self._read(ca.SX.eye(3))) if self.spins(space) else scalars


def point_rows(space: Space, a: Frame, b: Frame) -> list[Condition]:
    """The origins coincide (world components)."""
    gap = b.origin - a.origin
    return [joint_row(f"position {name}", "point", gap[i]) for i, name in enumerate(space.axis_names)]


def axis_rows(a: Frame, b: Frame) -> list[Condition]:
    """The z axes are parallel (space only). With θ between them the residuals have the size sin θ, guarded 2 tan(θ/2)."""
    about_y, about_x = ca.dot(a.axis(0), b.axis(2)), -ca.dot(a.axis(1), b.axis(2))
    half = (1 + ca.dot(a.axis(2), b.axis(2))) / 2
    return [
        joint_row("rotation about y", "axis", about_y, about_y / half),
        joint_row("rotation about x", "axis", about_x, about_x / half),
    ]


def without_turn(a: Frame, b: Frame, rows: list[Condition]) -> list[Condition]:
    """Rows that exclude all three rotations (space only), guarded by those of Rodrigues: with E = AᵀB, a rotation by φ
    about n,

        2 (E − Eᵀ)ˇ / (1 + tr E) = 2 tan(φ/2) n.
    """
    error = a.axes.T @ b.axes
    aside = error - error.T
    turn = 2 * ca.vertcat(aside[2, 1], aside[0, 2], aside[1, 0]) / (1 + ca.trace(error))
    return [
        replace(row, guarded=turn["xyz".index(row.component[-1])]) if row.component.startswith("rotation") else row
        for row in rows
    ]


def gap_along(a: Frame, b: Frame, i: int) -> ca.SX:
    """How far the origin of b lies along an axis of a."""
    return ca.dot(a.axis(i), b.origin - a.origin)


def slide_row(a: Frame, b: Frame, i: int) -> Condition:
    """The origin of b does not leave that of a along an axis of a."""
    return joint_row(f"position along {'xyz'[i]}", "slide", gap_along(a, b, i))


def slide_rows(space: Space, a: Frame, b: Frame) -> list[Condition]:
    """The origin of b stays on the axis of a."""
    return [slide_row(a, b, i) for i in ((1,) if space.planar else (0, 1))]


def turn_row(space: Space, a: Frame, b: Frame) -> Condition:
    """No rotation about the normal of the plane, or about z in space, given that the other two are excluded."""
    if a.angle is not None and b.angle is not None:
        return joint_row("rotation about z", "lock", b.angle - a.angle)
    return joint_row("rotation about z", "lock", ca.dot(a.axis(1), b.axis(0)))


def world_directions(space: Space) -> tuple[ca.SX, ...]:
    return tuple(ca.SX.eye(space.dimension)[:, i] for i in range(space.dimension))


def turn_directions(space: Space, a: Frame) -> tuple[ca.SX, ...]:
    """Directions of all moments: the normal of the plane, or a's axes."""
    return (ca.SX(1),) if space.planar else tuple(a.axis(i) for i in range(3))


def angle_about_z(space: Space, a: Frame, b: Frame) -> Measure:
    """The angle from a's x axis to b's, about the common z axis."""
    if a.angle is not None and b.angle is not None:
        return Measure(value=b.angle - a.angle, axis=ca.SX(1))
    axis = ca.SX(1) if space.planar else a.axis(2)
    return Measure(sine=ca.dot(a.axis(1), b.axis(0)), cosine=ca.dot(a.axis(0), b.axis(0)), axis=axis)
