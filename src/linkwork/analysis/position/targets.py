"""What many positions are asked for, by name: places of points, attitudes and angles of bodies, coordinates of joints.

Targets are conditions of a mechanism, their values x numbers behind its state.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import casadi as ca
import numpy as np

from linkwork.algebra.rotations import why_no_rotation
from linkwork.analysis.position.wishes import Board
from linkwork.arrays import Array
from linkwork.coordinates.coordinates import Coordinates
from linkwork.elements.contribution import Condition, Place, Placement
from linkwork.elements.relations.guidance import ANGLES, Guidance
from linkwork.errors import RefusedError, UnknownNameError, did_you_mean
from linkwork.position.geometry import GROUND
from linkwork.position.poses import Poses

ROTATION = "rotation"
COMPONENTS = ("x", "y", "z")


@dataclass(frozen=True, eq=False)
class TargetRows:
    """What is asked of one name: components (k) of the place of a point, the attitude or angle of a body, a coordinate.

    owner: a joint or a body; part: of a joint its freedom, of a body 'rotation', 'angle', or the name of the point
    first, values: where the mechanism begins (k), and what is asked for (N × k)
    """

    owner: str
    part: str
    components: tuple[int, ...]
    first: Array
    values: Array
    angular: bool

    @property
    def key(self) -> tuple[str, str, tuple[int, ...]]:
        """All of it but numbers."""
        return self.owner, self.part, self.components


def is_array_of_targets(value: object) -> bool:
    """Whether a target has a row for every one of many samples, as no single place of a point has."""
    return not isinstance(value, str) and not callable(value) and np.ndim(value) >= 2  # type: ignore[arg-type]


def read_target(board: Board, poses: Poses, name: str, value: Array) -> TargetRows:
    """What is asked of one name, and what it is where the mechanism begins."""
    owner, _, last = name.rpartition(".")
    if value.dtype.kind not in "fiu":
        raise RefusedError(f"targets: {name} needs an array of numbers in SI units; this has the type {value.dtype}")
    value = np.asarray(value, dtype=float)
    if owner in board.model.bodies and last == ROTATION and not board.conditions.space.planar:
        return _attitude(poses, owner, value)
    readings = {f"{item.element}.{item.name}" for item in board.conditions.readings}
    coordinate = name in board.model.joints or name in readings
    if _is_point(board, name) and not (coordinate and value.ndim < 2):
        return _place(board, poses, name, value)
    if not coordinate:
        raise _unknown(board, name)
    if value.ndim > 1:
        raise RefusedError(
            f"targets: {name} is a coordinate: give one value for each sample (N), not an array of the shape {value.shape}"
        )
    return _coordinate(board, poses, name, np.atleast_1d(value))


def _is_point(board: Board, name: str) -> bool:
    try:
        board.place(name)
    except (RefusedError, UnknownNameError):
        return False
    return True


def _unknown(board: Board, name: str) -> UnknownNameError:
    """A name that is no target: what is meant, and what else a body or a point can be asked for."""
    model, planar = board.model, board.conditions.space.planar
    owner, _, last = name.rpartition(".")
    if last in COMPONENTS and _is_point(board, owner):
        return UnknownNameError(
            f"'{name}' is a component of a point: give '{owner}' its places, nan where they are free"
        )
    turn = "angle" if planar else ROTATION
    if name in model.bodies:
        points = [f"{name}.{point}" for point in model.bodies[name].point_names]
        listed = ", ".join([*(f"'{point}'" for point in points[:3]), *(["..."] if len(points) > 3 else [])])
        which = f"name one of its points ({listed}) or" if points else "name"
        return UnknownNameError(f"'{name}' is a body: {which} its attitude, '{name}.{turn}'")
    if owner in model.bodies:
        told = did_you_mean(last, [turn, *model.bodies[owner].point_names])
        return UnknownNameError(f"'{name}': of a body its {turn} and its points can be asked for; {told}")
    of_bodies = [f"{body}.{item}" for body, held in model.bodies.items() for item in (turn, *held.point_names)]
    known = [f"{key}.{f.name}" for key, joint in model.joints.items() for f in joint.freedoms]
    told = did_you_mean(name, [*of_bodies, *board.places, *known])
    return UnknownNameError(f"'{name}' is no point or {turn} of a body and no coordinate of a joint; {told}")


def _place(board: Board, poses: Poses, name: str, value: Array) -> TargetRows:
    d = board.conditions.space.dimension
    value = value[None] if value.shape == (d,) else value
    if value.ndim != 2 or value.shape[1] != d:
        raise RefusedError(
            f"targets: {name} has the shape {value.shape}; places of a point are (N, {d}), one is ({d},)"
        )
    body, local = board.point(name)
    asked = [i for i in range(d) if not np.all(np.isnan(value[:, i]))]
    if not asked or not np.all(np.isfinite(value[:, asked])):
        raise RefusedError(f"targets: {name} must be finite; a column of nan leaves a component free for all samples")
    return TargetRows(body, name, tuple(asked), poses[body].point(local)[asked], value[:, asked], False)


def _attitude(poses: Poses, body: str, value: Array) -> TargetRows:
    from scipy.spatial.transform import Rotation

    one = value.shape == (3,) or (value.shape == (3, 3) and not why_no_rotation(value))
    value = value[None] if one else value
    if not np.all(np.isfinite(value)) or value.shape[1:] not in ((3,), (3, 3)):
        raise RefusedError(
            f"targets: {body}.rotation needs finite numbers: roll, pitch and yaw (N, 3) in rad, or matrices (N, 3, 3); its "
            f"shape is {value.shape}"
        )
    if value.ndim == 3:
        for sample, matrix in enumerate(value):
            if why := why_no_rotation(matrix):
                raise RefusedError(
                    f"targets: {body}.rotation: the matrix of sample {sample}, counted from 0, is no rotation: {why}; its "
                    "columns are the axes of the body in world axes, of length 1, perpendicular and right-handed"
                )
        value = Rotation.from_matrix(value).as_euler("ZYX")[:, ::-1]
    first = Rotation.from_matrix(poses[body].axes).as_euler("ZYX")[::-1]
    return TargetRows(body, ROTATION, (0, 1, 2), first, value, True)


def _coordinate(board: Board, poses: Poses, name: str, value: Array) -> TargetRows:
    """A coordinate of a joint, or the angle of a body in the plane."""
    goal = board.goal(name, 0.0, 1.0)
    if not hasattr(goal, "reading") or not np.all(np.isfinite(value)):
        raise RefusedError(f"targets: {name} needs a finite number for each sample; of a point give places (N, d)")
    reading = board.conditions.readings[goal.reading]
    if reading.element not in board.model.joints and reading.name != "angle":
        raise RefusedError(f"targets: {name}: of a body give its angle, or places of one of its points")
    now = board.conditions.readings_at(poses, board.p)[[goal.reading]]
    return TargetRows(reading.element, reading.name, (0,), now, value[:, None], reading.wraps)


def target_conditions(c: Coordinates, board: Board, target: TargetRows, x: ca.SX) -> Iterator[Condition]:
    """What vanishes where a target has the values x."""
    if target.owner in board.model.joints:
        coordinate = c.motion.coordinates[target.owner, target.part]
        gap = coordinate.value - x
        yield Condition(
            target.part,
            ca.atan2(ca.sin(gap), ca.cos(gap)) if target.angular else gap,
            is_length=coordinate.kind == "length",
        )
        return
    formulas = {i: lambda t, n=n: x[n] for n, i in enumerate(target.components)}
    if target.angular:
        names = ANGLES if target.part == ROTATION else ("angle",)
        angles, local = dict(zip(names, formulas.values(), strict=True)), ca.SX(c.space.dimension, 1)
        guidance = Guidance(Place(target.owner, local), GROUND, (), angles)
    else:
        position = tuple(formulas.get(i) for i in range(c.space.dimension))
        guidance = Guidance(Place(*board.place(target.part)), GROUND, position, {})
    yield from guidance.contribute(Placement(c.space, c.kinematics.frames, c.t, ca.SX(0, 1))).conditions
