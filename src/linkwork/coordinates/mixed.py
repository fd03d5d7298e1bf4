"""Mixed coordinates: the place of every body, plus the relative variables of the joints.

The bodies are those of reference-point or of natural coordinates. A joint adds one unknown for each angle and each length
that it leaves free, with one more condition that says what it is: drivers, gears and springs in joints act on these
unknowns themselves, and angles count their turns. Relative variables have no inertia of their own: their rows of M are
zero.

Sources: García de Jalón and Bayo, sections 2.1.4 and 2.2.4; Lee, Youm and Chung, "Dynamics of multibody systems with
analytical kinematics", section 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import casadi as ca
import numpy as np

from linkwork.algebra.frames import Frame
from linkwork.algebra.space import Space
from linkwork.coordinates.base import Array, ConstraintRow, CoordinateKind, Kinematics, Meaning, OrientedKind, RowLabel
from linkwork.coordinates.natural import Natural
from linkwork.coordinates.reference_point import ReferencePoint
from linkwork.elements.joints.base import Freedom, Measure
from linkwork.position.geometry import Geometry, JointGeometry, Pose
from linkwork.topology.graph.graph import SpanningTree


@dataclass(frozen=True, eq=False)
class JointVariables:
    """The angles and lengths that a joint leaves free, as unknowns."""

    joint: JointGeometry
    freedoms: tuple[Freedom, ...]
    q: ca.SX
    v: ca.SX

    @property
    def name(self) -> str:
        return self.joint.name

    def measures(self, space: Space, frames: Mapping[str, Frame]) -> tuple[Measure, ...]:
        """What the frames of the bodies say about them."""
        return self.joint.kind.measure(space, *self.joint.frames(frames))

    def rows(self, space: Space, frames: Mapping[str, Frame], length: float) -> list[ConstraintRow]:
        """One condition for each of them: it is what the frames of the bodies say."""
        return [
            ConstraintRow(
                RowLabel(self.name, freedom.name, "definition"),
                define(measure, self.q[i]),
                1.0 if freedom.kind == "length" else length,
                Meaning(f"effort along {self.name}.{freedom.name}, on the child", freedom.kind != "length"),
            )
            for i, (freedom, measure) in enumerate(zip(self.freedoms, self.measures(space, frames), strict=True))
        ]


def define(measure: Measure, q: ca.SX) -> ca.SX:
    """What vanishes when *q* is the measured coordinate.

    An angle α that is known by its sine and cosine: sin(α − q) = sin α cos q − cos α sin q, of slope ∓1 wherever it
    vanishes, whereas the scalar and the vector product (García de Jalón and Bayo, eqs. 2.63 and 2.65) take turns.
    """
    if measure.value is not None:
        return measure.value - q
    assert measure.sine is not None and measure.cosine is not None
    return measure.sine * ca.cos(q) - measure.cosine * ca.sin(q)


@dataclass(frozen=True)
class Mixed(OrientedKind):
    """*orientation*: how bodies in space are turned."""

    name: ClassVar[str] = "mixed"
    summary: ClassVar[str] = "centres of mass and orientations of the bodies, plus the relative variables of the joints"

    def variant(self, text: str) -> CoordinateKind:
        return MixedNatural() if text == Natural.name else super().variant(text)

    def describe(self, geometry: Geometry, tree: SpanningTree) -> Kinematics:
        return with_variables(geometry, ReferencePoint(self.orientation).describe(geometry, tree))

    def place(
        self, geometry: Geometry, tree: SpanningTree, poses: Mapping[str, Pose], twists: Mapping[str, Array], p: Array
    ) -> tuple[Array, Array]:
        bodies = ReferencePoint(self.orientation)
        placed = bodies.place(geometry, tree, poses, twists, p)
        return place_variables(geometry, bodies.describe(geometry, tree), placed, p)


@dataclass(frozen=True)
class MixedNatural(CoordinateKind):
    """Natural coordinates with relative variables of all joints; further *points* as in ``Natural``."""

    name: ClassVar[str] = "mixed"
    summary: ClassVar[str] = "points and unit vectors, plus the relative variables of the joints"

    points: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"mixed:{Natural(self.points)}"

    def describe(self, geometry: Geometry, tree: SpanningTree) -> Kinematics:
        return with_variables(geometry, Natural(self.points).describe(geometry, tree))

    def place(
        self, geometry: Geometry, tree: SpanningTree, poses: Mapping[str, Pose], twists: Mapping[str, Array], p: Array
    ) -> tuple[Array, Array]:
        bodies = Natural(self.points)
        placed = bodies.place(geometry, tree, poses, twists, p)
        return place_variables(geometry, bodies.describe(geometry, tree), placed, p)


def with_variables(geometry: Geometry, bodies: Kinematics) -> Kinematics:
    """The motion of the bodies with the relative variables of all joints behind it, and what these are."""
    joints, empty = name_variables(geometry), ca.SX(0, 1)
    q, v = (ca.vertcat(empty, *parts) for parts in ([joint.q for joint in joints], [joint.v for joint in joints]))
    freedoms = [(joint.name, f) for joint in joints for f in joint.freedoms]
    names = [f"{name}.{f.name}" for name, f in freedoms], [f"{name}.{f.rate}" for name, f in freedoms]
    scale = [bodies.length if f.kind == "length" else 1.0 for _, f in freedoms]
    rows = [row for joint in joints for row in joint.rows(geometry.space, bodies.frames, bodies.length)]
    return replace(
        bodies.extended(q, v, names, scale),
        joint_values={joint.name: joint.q for joint in joints},
        joint_rates={joint.name: joint.v for joint in joints},
        rows=(*bodies.rows, *rows),
    )


def place_variables(
    geometry: Geometry, bodies: Kinematics, placed: tuple[Array, Array], p: Array
) -> tuple[Array, Array]:
    """q and v with the relative variables, which follow from the bodies."""
    joints = name_variables(geometry)
    measures = [item.principal for joint in joints for item in joint.measures(geometry.space, bodies.frames)]
    values = ca.vertcat(ca.SX(0, 1), *measures)
    speeds = ca.jtimes(values, bodies.q, bodies.rates) if bodies.q.numel() else ca.SX(*values.shape)
    f = ca.Function("variables", [bodies.q, bodies.v, geometry.parameters], [ca.densify(values), ca.densify(speeds)])
    found = [np.array(item).ravel() for item in f(*placed, p)]
    return np.concatenate([placed[0], found[0]]), np.concatenate([placed[1], found[1]])


def name_variables(geometry: Geometry) -> list[JointVariables]:
    """Give every joint with an angle or a length its symbols; the spins of a ball are nobody's rates."""
    joints = []
    for name, joint in geometry.joints.items():
        freedoms = joint.kind.scalars(geometry.space)
        if freedoms:
            q, v = (ca.SX.sym(f"{letter}_{name}", len(freedoms)) for letter in "qv")
            joints.append(JointVariables(joint, freedoms, q, v))
    return joints
