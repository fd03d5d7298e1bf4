"""A body that has its own place: the position of its centre of mass as it is drawn, and its angle or orientation."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca
import numpy as np

from linkwork.algebra.frames import Frame
from linkwork.algebra.orientations import Orientation
from linkwork.algebra.space import Space, numbers
from linkwork.coordinates.base import Array, Twist
from linkwork.elements.bodies import BodyKind
from linkwork.elements.joints import FREE, JointKind
from linkwork.position.geometry import Geometry, Pose


@dataclass(frozen=True, eq=False)
class PlacedBody:
    """A body whose centre of mass, as it is drawn, moves like a frame without a joint, with its unknowns."""

    name: str
    body: BodyKind
    kind: JointKind
    q: ca.SX  # position of the centre of mass; angle, or orientation
    v: ca.SX  # velocity of the centre of mass (world axes); angular velocity (in space: body axes)

    def motion(self, space: Space) -> tuple[Frame, Twist]:
        """The body frame and its velocity, led back from the centre of mass."""
        centre = self.kind.motion(space, self.q)
        translation, rotation = self.kind.columns(space, self.q)
        back, omega = -(centre.axes @ self.body.drawn.centre), rotation @ self.v
        frame = Frame(centre.origin + back, centre.axes, centre.angle)
        return frame, Twist(translation @ self.v + space.turn(omega, back), omega)

    def inertia(self, space: Space, gravity: ca.SX) -> tuple[ca.SX, ca.SX]:
        """Of a rigid body: diag(m 1, I), and its weight and gyroscopic moment, [m g; −ω × I ω]."""
        matter = self.body.matter
        if matter is None:
            return ca.SX(space.freedoms, space.freedoms), ca.SX(space.freedoms, 1)
        return matter.block(space), matter.load(space, gravity, self.v[space.dimension :])

    def place(self, geometry: Geometry, pose: Pose, twist: Array, p: Array) -> tuple[Array, Array]:
        """q and v from the pose and the velocity of the body frame."""
        space, d = geometry.space, geometry.space.dimension
        arm = pose.axes @ np.atleast_1d(geometry.number(self.body.drawn.centre, p))
        swept = numbers(space.turn(ca.SX(twist[d:]), ca.SX(arm))).ravel()
        centre = Pose(pose.origin + arm, pose.axes, pose.angle).frame()
        q = numbers(self.kind.positions(space, Frame.identity(d), centre)).ravel()
        spin = twist[d:] if space.planar else pose.axes.T @ twist[d:]
        return q, np.concatenate([twist[:d] + swept, spin])


def place_body(geometry: Geometry, name: str, orientation: Orientation) -> PlacedBody:
    """Give a body its symbols."""
    space, kind = geometry.space, FREE.oriented(orientation)
    q, v = ca.SX.sym(f"q_{name}", kind.count_positions(space)), ca.SX.sym(f"v_{name}", space.freedoms)
    return PlacedBody(name, geometry.bodies[name].kind, kind, q, v)
