"""``solve_positions(model, targets)``: inverse kinematics of many places of points, attitudes of bodies, values of joints.

Every target is a driver whose values are live parameters, so that one set of compiled functions serves all samples; they are
solved from one another (``numerics/paths/neighbours.py``). Drivers of joints are left out, as in ``assemble``; guides hold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from time import perf_counter
from typing import Any

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike, NDArray

from linkwork.algebra.given import Parameters
from linkwork.analysis.position.wishes import Board, board_of
from linkwork.analysis.prepared.prepare import Mechanism, Start, prepare
from linkwork.analysis.walk.subject import Noun, subject_of
from linkwork.arrays import Array
from linkwork.coordinates.numbering import KindChoice
from linkwork.equations.prescribed import prescribed_functions
from linkwork.equations.terms import make_function
from linkwork.errors import AssemblyError, ModelError, RefusedError
from linkwork.model import Model
from linkwork.numerics.paths.many_newton import ManySystems
from linkwork.numerics.paths.neighbours import spread
from linkwork.position.geometry import Pose
from linkwork.results.quantities import Called
from linkwork.results.solved_positions import SolvedPositions
from linkwork.topology import Topology
from linkwork.topology.standing import standing_model, start_poses

ANGLES = ("roll", "pitch", "yaw")


@dataclass(frozen=True, eq=False)
class _Target:
    """What is asked of one name: a driver with live parameters, their first values and those of all samples (N × k)."""

    driver: Mapping[str, Any]
    parameters: tuple[str, ...]
    first: Array
    values: Array
    angular: bool


def solve_positions(
    model: Noun, targets: Mapping[str, ArrayLike], *, parameters: Parameters | None = None
) -> SolvedPositions:
    """Find the positions of a mechanism for many targets at once; those out of reach are marked, the others solved.

    targets: by name, with a row for every sample: a point by its places (``{"platform.P": places}``, N × 3 or N × 2 in the
    plane, a column of nan where a component is free), the attitude of a body (``{"hand.rotation": angles}``, N × 3 of roll,
    pitch and yaw, rad, or matrices N × 3 × 3), the angle of a body in the plane (``{"coupler.angle": angles}``), or a
    coordinate of a joint (``{"q6": angles}``, N). Several hold together, sample by sample.

    Samples are solved from their neighbours, beginning in the assembled position, so that all of them are in the branch of
    the sketch as far as reachable targets lead there. In what they leave free, the mechanism moves as little as it can.
    """
    subject = subject_of(model, "solve_positions")
    topology = subject.begun
    return positions_of(topology, targets, parameters, subject.kind or "relative")[0]


def positions_of(
    topology: Topology,
    targets: Mapping[str, ArrayLike],
    parameters: Parameters | None,
    kind: KindChoice = "relative",
) -> tuple[SolvedPositions, Callable[[int], dict[str, Pose]]]:
    """The positions of an analysed mechanism for all targets, and the poses of all bodies at a sample."""
    begun, board = perf_counter(), board_of(topology, parameters)
    mechanism, targets = board.model, board.model.with_names(targets)
    if not targets:
        raise RefusedError(
            "targets: give places of points, attitudes of bodies or values of joints, a row for each sample"
        )
    asked = {name: _target(board, name, np.asarray(value), i) for i, (name, value) in enumerate(targets.items())}
    counts = {name: len(target.values) for name, target in asked.items()}
    if len(set(counts.values())) != 1:
        listed = ", ".join(f"{name} {count}" for name, count in counts.items())
        raise RefusedError(f"targets need as many rows each; they have: {listed}")
    batch = _Batch(board, tuple(asked.values()), kind)
    q, reached = batch.solve()
    values = batch.values(q, reached)
    found = SolvedPositions(
        name=mechanism.name or "the mechanism",
        targets={name: np.asarray(value, dtype=float) for name, value in targets.items()},
        reached=reached,
        values=values,
        units={name: "rad" if name in board.angles else "m" for name in values},
        wall_time=perf_counter() - begun,
        called=Called({name: body.point_names for name, body in mechanism.bodies.items()}, dict(mechanism.renames)),
        starting=partial(_started, batch, q),
    )
    return found, lambda i: batch.poses(q[i])


def _started(batch: _Batch, q: Array, sample: int) -> Model:
    """The model that starts in a sample."""
    return batch.model(q[sample])


def is_array_of_targets(value: object) -> bool:
    """Whether a target has a row for every one of many samples, as no single place of a point has."""
    return not isinstance(value, str) and not callable(value) and np.ndim(value) >= 2  # type: ignore[arg-type]


def _target(board: Board, name: str, value: Array, number: int) -> _Target:
    """The driver for one name, and what it asks for."""
    owner, _, last = name.rpartition(".")
    if value.dtype.kind not in "fiu":
        raise RefusedError(f"targets: {name} needs an array of numbers in SI units; this has the type {value.dtype}")
    value = np.asarray(value, dtype=float)
    bodies, planar = board.model.bodies, board.conditions.space.planar
    if owner in bodies and last == "rotation" and not planar:
        return _attitude(board, owner, value, number)
    if value.ndim == 1:
        return _coordinate(board, name, value, number)
    d = board.conditions.space.dimension
    if value.ndim != 2 or value.shape[1] != d:
        raise RefusedError(f"targets: {name} has the shape {value.shape}; places of a point are (N, {d})")
    body, local = board.point(name)
    asked = [i for i in range(d) if not np.all(np.isnan(value[:, i]))]
    if not asked or not np.all(np.isfinite(value[:, asked])):
        raise RefusedError(f"targets: {name} must be finite; a column of nan leaves a component free for all samples")
    names = tuple(f"target{number}_{'xyz'[i]}" for i in asked)
    place = board.topology.assembly.poses[body].point(local)
    point = name if "." in name else f"{body}.{name}"
    driver = {"point": point, "position": [names[asked.index(i)] if i in asked else None for i in range(d)]}
    return _Target(driver, names, place[asked], value[:, asked], False)


def _attitude(board: Board, body: str, value: Array, number: int) -> _Target:
    from scipy.spatial.transform import Rotation

    if value.ndim == 3 and value.shape[1:] == (3, 3):
        value = Rotation.from_matrix(value).as_euler("ZYX")[:, ::-1]
    if value.ndim != 2 or value.shape[1] != 3 or not np.all(np.isfinite(value)):
        raise RefusedError(
            f"targets: {body}.rotation needs finite numbers: roll, pitch and yaw (N, 3) in rad, or matrices (N, 3, 3); its "
            f"shape is {value.shape}"
        )
    names = tuple(f"target{number}_{angle}" for angle in ANGLES)
    first = Rotation.from_matrix(board.topology.assembly.poses[body].axes).as_euler("ZYX")[::-1]
    return _Target({"body": body, "rotation": dict(zip(ANGLES, names, strict=True))}, names, first, value, True)


def _coordinate(board: Board, name: str, value: Array, number: int) -> _Target:
    """A coordinate of a joint, or the angle of a body in the plane."""
    goal = board.goal(name, 0.0, 1.0)
    if not hasattr(goal, "reading") or not np.all(np.isfinite(value)):
        raise RefusedError(f"targets: {name} needs a finite number for each sample; of a point give places (N, d)")
    reading = board.conditions.readings[goal.reading]
    own = f"target{number}"
    now = float(board.conditions.evaluate(board.topology.assembly.poses, board.p)[2][goal.reading])
    joint = reading.element in board.model.joints
    driver: dict[str, Any] = {"body": reading.element, "angle": own}
    if joint:
        driver = {"joint": reading.element, "freedom": reading.name, "position": own}
    if not joint and reading.name != "angle":
        raise RefusedError(f"targets: {name}: of a body give its angle, or places of one of its points")
    return _Target(driver, (own,), np.array([now]), value[:, None], reading.wraps)


class _Batch:
    """The mechanism with its targets as drivers, and the functions for all samples."""

    def __init__(self, board: Board, targets: tuple[_Target, ...], kind: KindChoice) -> None:
        self.board, self.targets, self.kind = board, targets, kind
        names = [name for target in targets for name in target.parameters]
        first = np.concatenate([target.first for target in targets])
        live = {name: {"value": float(value), "live": True} for name, value in zip(names, first, strict=True)}
        drivers: dict[str, Any] = dict.fromkeys(board.model.joint_drivers)
        drivers |= {f"target{i}": dict(target.driver) for i, target in enumerate(targets)}
        # positions and speeds of the start would be asked for beside the targets; the poses that they gave are kept
        still = dict.fromkeys(board.model.initial)
        model = board.model.with_(drivers=drivers, parameters=live, start=_standing(board), initial=still)
        given = board.model.in_si(board.given)
        try:
            self.mechanism: Mechanism = prepare(model, coordinates=kind)
            self.start: Start = self.mechanism.start(given)
        except (AssemblyError, ModelError) as error:
            raise RefusedError(f"the targets cannot all be asked for at once: {error}") from None
        known = self.mechanism.topology.geometry.parameter_names
        self.slots = [known.index(name) for name in names]
        self.first = first
        self.wanted = np.hstack([target.values for target in targets])
        self.turns = np.concatenate([np.full(len(target.first), target.angular) for target in targets])
        self.unit = np.where(self.turns, 1.0, board.conditions.length)
        c = self.mechanism.coordinates
        functions = prescribed_functions(c)
        self.closure = self.mechanism.compiled(functions["closure"])
        self.retract = self.mechanism.compiled(functions["retract"]) if "retract" in functions else None
        self.weight = np.array([row.weight for row in c.rows]) / board.conditions.length

    def __reduce__(self) -> tuple[object, ...]:
        return _Batch, (self.board, self.targets, self.kind)

    def solve(self) -> tuple[Array, NDArray[np.bool_]]:
        """Coordinates (N × nq) of all samples, and which are reached."""
        c = self.mechanism.coordinates
        systems = ManySystems(self._residual, self._move, np.asarray(c.kinematics.scale, dtype=float))
        x, first = self.wanted / self.unit, self.first / self.unit
        features = self._features(np.vstack([x, first]))
        return spread(systems, x, (self.start.y[: c.q.numel()], first), features, self.turns)

    def _features(self, x: Array) -> Array:
        """Data by which neighbours are near: angles by their cosines and sines."""
        angles = x[:, self.turns]
        return np.hstack([x[:, ~self.turns], np.cos(angles), np.sin(angles)])

    def _states(self, q: Array, delta: Array | None = None) -> Array:
        c = self.mechanism.coordinates
        y = np.tile(self.start.y, (len(q), 1))
        y[:, : c.q.numel()] = q
        y[:, c.q.numel() : c.q.numel() + c.v.numel()] = 0.0 if delta is None else delta
        return y

    def _data(self, x: Array) -> Array:
        p = np.tile(self.start.p, (len(x), 1))
        p[:, self.slots] = x * self.unit
        return p

    def _residual(self, q: Array, x: Array) -> tuple[Array, Array]:
        found = self.closure.unpack(self.closure.batch(0.0, self._states(q), self._data(x)))
        return found["phi"][:, :, 0] * self.weight, found["C"] * self.weight[:, None]

    def _move(self, q: Array, delta: Array) -> Array:
        if self.retract is None:
            return q + delta
        return self.retract.batch(0.0, self._states(q, delta), self._data(np.tile(self.first / self.unit, (len(q), 1))))

    def values(self, q: Array, reached: NDArray[np.bool_]) -> dict[str, Array]:
        """Coordinates of joints and places of points of all samples; not a number where they are out of reach."""
        names = tuple(self._outputs)
        function = make_function(
            "positions", self.mechanism.coordinates, {"values": ca.vertcat(*self._outputs.values())}
        )
        compiled = self.mechanism.compiled(function)
        table = np.full((len(q), len(names)), np.nan)
        if np.any(reached):
            x = self.wanted[reached] / self.unit
            table[reached] = compiled.batch(0.0, self._states(q[reached]), self._data(x))
        return dict(zip(names, table.T.copy(), strict=True))

    def model(self, q: Array) -> Model:
        """The model that starts in a position, without drivers of joints."""
        model = standing_model(self.board.topology, self.poses(q), self.board.p)
        return model.with_(drivers=dict.fromkeys(model.joint_drivers))

    def poses(self, q: Array) -> dict[str, Pose]:
        """The poses of all bodies in a position."""
        c, board = self.mechanism.coordinates, self.board
        frames = [c.kinematics.frames[body] for body in board.model.bodies]
        angles = [frame.angle if frame.angle is not None else ca.SX(0) for frame in frames]
        parts = [part for frame in frames for part in (frame.origin, ca.vec(frame.axes))]
        function = make_function("frames", c, {"frames": ca.vertcat(*parts), "angles": ca.vertcat(*angles)})
        found = function(0.0, self._states(q[None])[0], self._data(self.first[None] / self.unit)[0])
        numbers, turned = (np.array(item).ravel() for item in found)
        d, known = c.space.dimension, board.topology.assembly.poses
        poses = {name: pose for name, pose in known.items() if name not in board.model.bodies}
        for body, angle, part in zip(board.model.bodies, turned, numbers.reshape(len(turned), -1), strict=True):
            axes = part[d:].reshape(d, d).T
            poses[body] = Pose(part[:d], axes, float(angle) if c.space.planar else None)
        return poses

    @cached_property
    def _outputs(self) -> dict[str, ca.SX]:
        c, topology = self.mechanism.coordinates, self.mechanism.topology
        found: dict[str, ca.SX] = {}
        for (joint, freedom), item in c.motion.coordinates.items():
            if joint in self.mechanism.model.joints:
                wraps = topology.conditions.readings[topology.conditions.index(joint, freedom)].wraps
                found[f"{joint}.{freedom}"] = ca.atan2(ca.sin(item.value), ca.cos(item.value)) if wraps else item.value
        for name, (body, local) in topology.named_points().items():
            if body in self.mechanism.model.bodies:
                place = c.kinematics.frames[body].point(local)
                found |= {f"{name}.{axis}": place[i] for i, axis in enumerate(c.space.axis_names)}
        return found


def _standing(board: Board) -> dict[str, Any]:
    """Where the bodies start, so that the first values of the targets hold at once."""
    return start_poses(board.topology.assembly.poses, board.model.bodies)
