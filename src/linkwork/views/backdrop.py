"""What a motion needs as a whole: where everything is at all samples, the box round it, and how far sliders travel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from linkwork.arrays import Array
from linkwork.errors import ResultError
from linkwork.numerics.geometry.distances import PoseSamples
from linkwork.results.courses import plane_axes, space_axes
from linkwork.results.drawing import GROUND, Drawing, JointDrawing, Vector
from linkwork.results.result import Result
from linkwork.views.picture import Picture

SLIDING = ("prismatic", "cylindrical", "helical")
SLOTTED = ("point_on_line",)
STANDING = 0.12  # half the length of the guide of a slider that stands, beside the size of the mechanism
BELOW = 0.06  # of the floor, beside the size
CYLINDER, INSIDE = 0.62, 0.9  # of a strut: beside its longest, and at most beside its shortest position
CHANGES = 1e-3  # a rod whose length changes by more than this part is a strut


@dataclass(frozen=True, eq=False)
class Backdrop:
    """What stays while a mechanism moves: corners (d) of the box round it, world, and the ends of its guides.

    guides: by joints, (2 × d) in the axes of the parent; lowest: of a whole motion, where the box goes along with a body
    cylinders: how long those of struts are, m
    """

    low: Array
    high: Array
    guides: Mapping[str, Array] = field(default_factory=dict)
    lowest: Array | None = None
    cylinders: Mapping[str, float] = field(default_factory=dict)

    @property
    def floor(self) -> Array:
        """How low (d) the floor is along every axis."""
        return np.asarray((self.low if self.lowest is None else self.lowest) - BELOW * self.size)

    @property
    def centre(self) -> Array:
        return np.asarray(0.5 * (self.low + self.high))

    @property
    def size(self) -> float:
        """The diagonal of the box, m."""
        return float(np.linalg.norm(self.high - self.low)) or 1.0


def backdrop_of(result: Result) -> Backdrop:
    """That of all samples of a result."""
    drawing = result.drawing
    poses = {body: body_poses(result, body) for body in drawing.bodies}
    low, high = bounds(drawing, poses)
    slides = [joint for joint in drawing.joints if joint.kind in SLIDING + SLOTTED and joint.axis is not None]
    moving = {body for joint in slides for body in (joint.body, joint.parent, joint.carrier) if body != GROUND}
    samples = {body: pose_samples(poses[body]) for body in moving}
    guides = {joint.name: _travel(drawing, joint, samples) for joint in slides}
    return Backdrop(low, high, guides, cylinders=cylinders(drawing, poses))


def standing(picture: Picture) -> Backdrop:
    """That of a mechanism that stands: a piece of guide on both sides of every slider."""
    found = Backdrop(picture.low, picture.high)
    guides = {}
    for joint in picture.drawing.joints:
        axis = picture.axis(joint)
        if joint.kind in SLIDING + SLOTTED and axis is not None:
            along, place = STANDING * found.size * axis, picture.place(joint.body, joint.point)
            guides[joint.name] = np.array([picture.local(joint.parent, x) for x in (place - along, place + along)])
    struts = [spring for spring in picture.drawing.springs if spring.kind == "strut"]
    lengths = {s.name: np.linalg.norm(np.diff([picture.place(*end) for end in s.ends], axis=0)) for s in struts}
    return Backdrop(found.low, found.high, guides, cylinders={name: CYLINDER * float(x) for name, x in lengths.items()})


def cylinders(drawing: Drawing, poses: Mapping[str, Array]) -> dict[str, float]:
    """How long the cylinders of struts are, m: actuators, and rods whose length changes; their rods always look out."""
    ties = {s.name: s.ends for s in drawing.springs if s.kind == "strut"}
    rods = {s.name: (s.stops[0], s.stops[-1]) for s in drawing.strings if s.kind == "rod"}
    found = {}
    for name, ends in (ties | rods).items():
        first, last = (place(poses[body], point) if body in poses else np.asarray([point]) for body, point in ends)
        lengths = np.linalg.norm(last - first, axis=1)
        lengths = lengths[np.isfinite(lengths)]
        if len(lengths) and (name in ties or np.ptp(lengths) > CHANGES * np.max(lengths)):
            found[name] = float(min(CYLINDER * np.max(lengths), INSIDE * np.min(lengths)))
    return found


def has_rates(result: Result) -> bool:
    """Whether speeds and accelerations are those over the variable of a result; samples without a unit have none."""
    last = "ax" if result.drawing.space == "planar" else "alphax"
    return bool(result.variable.unit) and all(f"{body}.{last}" in result for body in result.drawing.bodies)


def _travel(drawing: Drawing, joint: JointDrawing, samples: Mapping[str, PoseSamples]) -> Array:
    """How far a joint slides along its axis (2 × d), seen from its parent."""
    local = np.asarray(joint.point)[None, :]
    place = samples[joint.body].points(local)[:, 0] if joint.body in samples else local
    axis = np.asarray(joint.axis)[: drawing.dimension]
    axis = samples[joint.carrier].axes[0] @ axis if joint.carrier in samples else axis
    if joint.parent in samples:
        parent = samples[joint.parent]
        place = np.einsum("nij,ni->nj", parent.axes, place - parent.origin)
        axis = axis @ parent.axes[0]
    along = (place - place[0]) @ axis
    return np.array([place[0] + np.nanmin(along) * axis, place[0] + np.nanmax(along) * axis])


def body_poses(result: Result, body: str) -> Array:
    """Poses of *body* (N, 3) or (N, 7) without jumps: angles unwrapped, quaternions of one sign."""
    names = result.drawing.pose_names(body)
    values = result.values(names)
    poses = np.column_stack([values[name] for name in names])
    if result.drawing.space == "planar":
        poses[:, 2] = np.unwrap(poses[:, 2])
        return poses
    quaternions = poses[:, 3:]
    flips = np.where(np.sum(quaternions[1:] * quaternions[:-1], axis=1) < 0, -1.0, 1.0)
    poses[1:, 3:] *= np.cumprod(flips)[:, None]
    return poses


def pose_samples(poses: Array) -> PoseSamples:
    """Poses (N, 3) or (N, 7) as places and axes."""
    if poses.shape[1] == 3:
        return PoseSamples(poses[:, :2], plane_axes(poses[:, 2]))
    return PoseSamples(poses[:, :3], space_axes(poses[:, 3:]))


def place(poses: Array, point: Vector) -> Array:
    """World positions (N, d) of a point fixed in a body with the given poses."""
    if poses.shape[1] == 3:
        x, y, angle = poses.T
        c, s = np.cos(angle), np.sin(angle)
        return np.column_stack([x + c * point[0] - s * point[1], y + s * point[0] + c * point[1]])
    # p' = p + 2 w (u × p) + 2 u × (u × p) for the unit quaternion (w, u)
    w, u, p = poses[:, 3:4], poses[:, 4:7], np.asarray(point, dtype=float)
    turn = np.cross(u, p)
    return np.asarray(poses[:, :3] + p + 2 * w * turn + 2 * np.cross(u, turn))


def bounds(drawing: Drawing, poses: Mapping[str, Array], about: Array | None = None) -> tuple[Array, Array]:
    """Corners (d,) of the box that holds all that is drawn, over all frames, metres.

    about (N, d): where the camera goes along; the box is then that of the bodies seen from there
    """
    clouds = _standing_clouds(drawing) if about is None else []
    for name, body in drawing.bodies.items():
        local = [*body.points.values(), *([] if body.com is None else [body.com]), *_box_round(body.outlines)]
        found = [place(poses[name], point) for point in local or [(0.0,) * drawing.dimension]]
        clouds += found if about is None else [cloud - about for cloud in found]
    cloud = np.vstack(clouds or [np.zeros((1, drawing.dimension))])
    cloud = cloud[np.all(np.isfinite(cloud), axis=1)]
    if not len(cloud):
        raise ResultError("no body has a finite position in any frame; there is nothing to draw")
    return cloud.min(axis=0), cloud.max(axis=0)


def _standing_clouds(drawing: Drawing) -> list[Array]:
    clouds = [np.asarray([point], dtype=float) for point in drawing.ground.values()]
    clouds += [np.asarray([p], dtype=float) for spring in drawing.springs for b, p in spring.ends if b == GROUND]
    clouds += [np.asarray([p], dtype=float) for item in drawing.strings for b, p in item.stops if b == GROUND]
    clouds += [np.asarray([stop.point], dtype=float) for stop in drawing.stops if stop.body == GROUND]
    return clouds + [np.asarray(line, dtype=float) for line in drawing.outlines]


def _box_round(outlines: Sequence[Sequence[Vector]]) -> list[Vector]:
    """Corners of the box round polylines, in the axes of their body."""
    if not outlines:
        return []
    cloud = np.array([point for line in outlines for point in line])
    return [tuple(corner) for corner in product(*zip(cloud.min(axis=0), cloud.max(axis=0), strict=True))]
