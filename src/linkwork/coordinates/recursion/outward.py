"""Positions, velocities and accelerations of the bodies of a tree, from the ground outwards:

    ω = ω₀ + w,   α = α₀ + ω₀ × w + ẇ,   a = a₀ + α₀ × d + ω₀ × (ω₀ × d) + 2 ω₀ × u + u̇,

with the relative velocity u and angular velocity w in a joint, and the way d from joint to joint. All vectors stand in the
axes of the joint frame of their own body, where inertias and places are constant, so that a revolute joint costs one turn
about its axis and no more. Source: García de Jalón and Bayo, section 6.2.6; Luh, Walker and Paul (1980).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import casadi as ca
import numpy as np

from linkwork.algebra.space import Space, numbers
from linkwork.algebra.written import written_by_pattern
from linkwork.coordinates.tree import TreeJoint
from linkwork.elements.inertia import Distribution
from linkwork.position.geometry import GROUND, Geometry

ROUNDING = 1e-15  # entries of constants below this part of the largest are zero


@dataclass(frozen=True, eq=False)
class TreeBody:
    """A body of the tree in the axes of its joint frame, at the origin of that.

    Beside these axes there are those of the inboard body's joint frame and, between them, the *near* axes, those of this
    joint in the inboard body.

    step: constant rotation from near to inboard axes; back: from near axes to its own; arm: d, in inboard axes
    columns: U (d × n) and W (k × n) of the joint, in its own axes
    swung: what velocities add to the acceleration in near axes, ω × (ω × d) + u̇; swept: the rest in its own axes, and to the
    angular acceleration
    """

    axes: ca.SX  # of the joint frame in the body
    origin: ca.SX  # of the joint frame in the body
    omega: ca.SX
    step: ca.SX
    back: ca.SX
    arm: ca.SX
    columns: tuple[ca.SX, ca.SX]
    swung: ca.SX
    swept: tuple[ca.SX, ca.SX]

    @property
    def drift(self) -> tuple[ca.SX, ca.SX]:
        """Acceleration (d) and angular acceleration (k) where neither v̇ nor the inboard body accelerates."""
        return self.back @ self.swung + self.swept[0], self.swept[1]

    def inwards(self, space: Space, f: ca.SX, n: ca.SX) -> tuple[ca.SX, ca.SX]:
        """Forces and moments about the origin (columns) as the inboard body feels them: R f, R n + d × R f."""
        force = self.step @ (self.back.T @ f)
        moment = turned(space, self.step, turned(space, self.back.T, n))
        return force, moment + sweep(space, self.arm).T @ force

    def outwards(self, space: Space, a: ca.SX, alpha: ca.SX) -> tuple[ca.SX, ca.SX]:
        """Accelerations (columns) that the inboard body hands on, in its own axes: Rᵀ (a + α × d), Rᵀ α."""
        carried = self.back @ (self.step.T @ (a + sweep(space, self.arm) @ alpha))
        return carried, turned(space, self.back, turned(space, self.step.T, alpha))

    def moving_outwards(self, space: Space, a: ca.SX, alpha: ca.SX) -> tuple[ca.SX, ca.SX]:
        """The same with what velocities add."""
        carried = self.back @ (self.step.T @ (a + space.turn(alpha, self.arm)) + self.swung)
        turning = turned(space, self.back, turned(space, self.step.T, alpha))
        return carried + self.swept[0], turning + self.swept[1]


def go_outwards(geometry: Geometry, joints: Sequence[TreeJoint]) -> dict[str, TreeBody]:
    """All bodies of a tree by name, and the ground."""
    space = geometry.space
    fixed, zero, still = ca.SX.eye(space.dimension), ca.SX(space.dimension, 1), ca.SX(space.rotations, 1)
    ground = TreeBody(fixed, zero, still, fixed, fixed, zero, (zero, still), zero, (zero, still))
    bodies = {GROUND: ground}
    for joint in joints:
        bodies[joint.outboard] = advance(space, joint, bodies[joint.inboard])
    return bodies


def upward(geometry: Geometry) -> ca.SX:
    """Gravity as an acceleration of the ground, in its axes."""
    return geometry.ground_frame.axes.T @ (-geometry.gravity)


def matter_of(geometry: Geometry, name: str, bodies: Mapping[str, TreeBody]) -> Distribution:
    """The mass of a body about the origin of its joint frame."""
    body = bodies[name]
    seen = geometry.rigid(name, "relative coordinates").seen(geometry.space, body.axes.T, body.origin)
    return replace(seen, centre=_constant(seen.centre), inertia=_constant(seen.inertia))


def advance(space: Space, joint: TreeJoint, inner: TreeBody) -> TreeBody:
    """The outboard body of a joint."""
    step = _constant(inner.axes.T @ joint.near.axes)  # near axes in the joint axes of the inboard body
    place = _constant(inner.axes.T @ (joint.near.origin - inner.origin))
    own = joint.passage(space)
    moving = own.origin, own.axes, own.along, own.about, own.slide, own.spin
    back, omega, arm, swung, *swept = _advanced(step, place, inner.omega, joint.v, *moving, space=space)
    return TreeBody(
        axes=joint.far.axes,
        origin=joint.far.origin,
        omega=omega,
        step=step,
        back=back,
        arm=arm,
        columns=(own.along, own.about),
        swung=swung,
        swept=(swept[0], swept[1]),
    )


@written_by_pattern
def _advanced(*given: ca.SX, space: Space) -> list[ca.SX]:
    """What a joint makes of the angular velocity of the inboard body: back, ω, d, and what velocities add."""
    (step, place, omega0, v), (origin, axes, along, about, slide, spin) = given[:4], given[4:]
    back = axes.T
    omega = turned(space, step.T, omega0)
    arm = step.T @ place + origin  # near axes
    u, w = along @ v, about @ v
    carried = turned(space, back, omega)  # the angular velocity that the inboard body hands on
    swept = ca.SX(1, 1) if space.planar else ca.cross(carried, w)
    return [
        back,
        carried + w,
        place + step @ origin,
        space.turn(omega, space.turn(omega, arm)) + slide,
        2 * space.turn(carried, u),
        swept + turned(space, back, spin),
    ]


def sweep(space: Space, r: ca.SX) -> ca.SX:
    """X (d × k) with X ω = ω × r and Xᵀ f = r × f."""
    return ca.sparsify(ca.vertcat(-r[1], r[0]) if space.planar else -ca.skew(r))


def turned(space: Space, axes: ca.SX, rotation: ca.SX) -> ca.SX:
    """A rotation vector in other axes; there is one in the plane."""
    return rotation if space.planar else axes @ rotation


def _constant(matrix: ca.SX) -> ca.SX:
    """The matrix without entries that are rounding errors of zero, where it is one of numbers."""
    if not matrix.is_constant():
        return matrix
    values = np.abs(numbers(matrix))
    least = ROUNDING * np.max(values, initial=0.0)
    if np.any((values > 0.0) & (values <= least)):
        matrix = ca.SX(np.where(values > least, numbers(matrix), 0.0))
    return ca.sparsify(matrix)
