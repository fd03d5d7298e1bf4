"""``solve_positions(model, targets)``: inverse kinematics of many places of points, attitudes of bodies, values of joints.

Targets are conditions behind those of the mechanism, and their values x stand behind its state: one compiled function serves
all samples and all questions of the same names. Samples are solved from one another (``numerics/paths/neighbours.py``).
Drivers of joints are let go, as in ``assemble``; guides hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from time import perf_counter

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike, NDArray

from linkwork.algebra.given import Parameters
from linkwork.analysis.motion.singular import poses_of
from linkwork.analysis.position.wishes import Board, board_of
from linkwork.analysis.prepared.memo import of_noun
from linkwork.analysis.prepared.prepare import Mechanism, Start, compiled, formulated, numbered
from linkwork.analysis.walk.subject import Noun, subject_of
from linkwork.arguments import verb
from linkwork.arrays import Array
from linkwork.compiler.compiled import CompiledFunction
from linkwork.compiler.program import build
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.numbering import KindChoice
from linkwork.elements.contribution import Condition, Place, Placement
from linkwork.elements.relations.guidance import ANGLES, Guidance
from linkwork.equations.inverse.ways import allowed_motions, reach
from linkwork.equations.terms import make_function
from linkwork.errors import RefusedError
from linkwork.model import Model
from linkwork.numerics.paths.many_newton import ManySystems
from linkwork.numerics.paths.neighbours import Spread, spread
from linkwork.position.geometry import GROUND, Pose
from linkwork.position.poses import Poses
from linkwork.progress import told
from linkwork.results.quantities import Called
from linkwork.results.solved_positions import SolvedPositions
from linkwork.topology import Topology
from linkwork.topology.standing import standing_model


@dataclass(frozen=True, eq=False)
class _Target:
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


@verb
@told("solving positions")
def solve_positions(
    model: Noun, targets: Mapping[str, ArrayLike], *, parameters: Parameters | None = None
) -> SolvedPositions:
    """Find the positions of a mechanism for many targets at once; those out of reach are marked, the others solved.

    targets: by name, with a row for every sample: a point by its places (``{"platform.P": places}``, N × 3 or N × 2 in the
    plane, a column of nan where a component is free), the attitude of a body (``{"hand.rotation": angles}``, N × 3 of roll,
    pitch and yaw, rad, or matrices N × 3 × 3), the angle of a body in the plane (``{"coupler.angle": angles}``), or a
    coordinate of a joint (``{"q6": angles}``, N). Several hold together, sample by sample.

    Samples are solved from their neighbours, beginning in the assembled position, in steps that are too short to come to
    another branch: all that are reached are in the branch of the sketch. Those with a position to which no such way was
    found are marked as ``elsewhere``. In what targets leave free, the mechanism moves as little as it can.
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
    model, targets = board.model, board.model.with_names(targets)
    if not targets:
        raise RefusedError(
            "targets: give places of points, attitudes of bodies or values of joints, a row for each sample"
        )
    mechanism = compiled(formulated(numbered(board.topology, kind), None), "cpu")
    start = mechanism.start(model.in_si(board.given))
    asked = {name: _target(board, start.assembly.poses, name, np.asarray(value)) for name, value in targets.items()}
    counts = {name: len(target.values) for name, target in asked.items()}
    if len(set(counts.values())) != 1:
        listed = ", ".join(f"{name} {count}" for name, count in counts.items())
        raise RefusedError(f"targets need as many rows each; they have: {listed}")
    batch = _Batch(board, mechanism, start, tuple(asked.values()))
    batch.check(", ".join(targets))
    solution = batch.solve()
    q, reached = solution.q, solution.solved
    values = batch.values(q, reached)
    found = SolvedPositions(
        name=model.name or "the mechanism",
        targets={name: np.asarray(value, dtype=float) for name, value in targets.items()},
        reached=reached,
        elsewhere=solution.elsewhere,
        values=values,
        units={name: "rad" if name in board.angles else "m" for name in values},
        wall_time=perf_counter() - begun,
        called=Called({name: body.point_names for name, body in model.bodies.items()}, dict(model.renames)),
        starting=partial(_started, batch, q),
    )
    return found, lambda i: batch.poses(q[i])


def _started(batch: _Batch, q: Array, sample: int) -> Model:
    """The model that starts in a sample."""
    return batch.model(q[sample])


def is_array_of_targets(value: object) -> bool:
    """Whether a target has a row for every one of many samples, as no single place of a point has."""
    return not isinstance(value, str) and not callable(value) and np.ndim(value) >= 2  # type: ignore[arg-type]


def _target(board: Board, poses: Poses, name: str, value: Array) -> _Target:
    """What is asked of one name, and what it is where the mechanism begins."""
    owner, _, last = name.rpartition(".")
    if value.dtype.kind not in "fiu":
        raise RefusedError(f"targets: {name} needs an array of numbers in SI units; this has the type {value.dtype}")
    value = np.asarray(value, dtype=float)
    if owner in board.model.bodies and last == "rotation" and not board.conditions.space.planar:
        return _attitude(poses, owner, value)
    if value.ndim == 1:
        return _coordinate(board, poses, name, value)
    d = board.conditions.space.dimension
    if value.ndim != 2 or value.shape[1] != d:
        raise RefusedError(f"targets: {name} has the shape {value.shape}; places of a point are (N, {d})")
    body, local = board.point(name)
    asked = [i for i in range(d) if not np.all(np.isnan(value[:, i]))]
    if not asked or not np.all(np.isfinite(value[:, asked])):
        raise RefusedError(f"targets: {name} must be finite; a column of nan leaves a component free for all samples")
    return _Target(body, name, tuple(asked), poses[body].point(local)[asked], value[:, asked], False)


def _attitude(poses: Poses, body: str, value: Array) -> _Target:
    from scipy.spatial.transform import Rotation

    if value.ndim == 3 and value.shape[1:] == (3, 3):
        value = Rotation.from_matrix(value).as_euler("ZYX")[:, ::-1]
    if value.ndim != 2 or value.shape[1] != 3 or not np.all(np.isfinite(value)):
        raise RefusedError(
            f"targets: {body}.rotation needs finite numbers: roll, pitch and yaw (N, 3) in rad, or matrices (N, 3, 3); its "
            f"shape is {value.shape}"
        )
    first = Rotation.from_matrix(poses[body].axes).as_euler("ZYX")[::-1]
    return _Target(body, "rotation", (0, 1, 2), first, value, True)


def _coordinate(board: Board, poses: Poses, name: str, value: Array) -> _Target:
    """A coordinate of a joint, or the angle of a body in the plane."""
    goal = board.goal(name, 0.0, 1.0)
    if not hasattr(goal, "reading") or not np.all(np.isfinite(value)):
        raise RefusedError(f"targets: {name} needs a finite number for each sample; of a point give places (N, d)")
    reading = board.conditions.readings[goal.reading]
    if reading.element not in board.model.joints and reading.name != "angle":
        raise RefusedError(f"targets: {name}: of a body give its angle, or places of one of its points")
    now = board.conditions.evaluate(poses, board.p)[2][[goal.reading]]
    return _Target(reading.element, reading.name, (0,), now, value[:, None], reading.wraps)


def _conditions(c: Coordinates, board: Board, target: _Target, x: ca.SX) -> Iterator[Condition]:
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
        names = ANGLES if target.part == "rotation" else ("angle",)
        angles, local = dict(zip(names, formulas.values(), strict=True)), ca.SX(c.space.dimension, 1)
        guidance = Guidance(Place(target.owner, local), GROUND, (), angles)
    else:
        position = tuple(formulas.get(i) for i in range(c.space.dimension))
        guidance = Guidance(Place(*board.place(target.part)), GROUND, position, {})
    yield from guidance.contribute(Placement(c.space, c.kinematics.frames, c.t, ca.SX(0, 1))).conditions


@dataclass(frozen=True, eq=False)
class _Rows:
    """Φ and C of a mechanism with targets behind its conditions, compiled, and the weights (m) of all rows."""

    function: CompiledFunction
    weight: Array


def _with_targets(mechanism: Mechanism, board: Board, targets: tuple[_Target, ...]) -> _Rows:
    c, found = mechanism.coordinates, list[Condition]()
    x = [ca.SX.sym("x", len(target.first)) for target in targets]
    for target, values in zip(targets, x, strict=True):
        found += _conditions(c, board, target, values)
    gaps = ca.vertcat(*[item.residual for item in found])
    rows = ca.vertcat(c.jacobian, ca.jacobian(c.motion.drift(gaps), c.v))
    function = make_function("targets", c, {"phi": ca.vertcat(c.phi, gaps), "C": rows}, ca.vertcat(*x))
    weight = [row.weight for row in c.rows] + [1.0 if item.is_length else c.kinematics.length for item in found]
    code = build({"targets": function}, mechanism.program.backend)["targets"]
    return _Rows(code, np.array(weight) / c.kinematics.length)


class _Batch:
    """The mechanism with its targets, and the functions for all samples."""

    def __init__(self, board: Board, mechanism: Mechanism, start: Start, targets: tuple[_Target, ...]) -> None:
        self.board, self.mechanism, self.start, self.targets = board, mechanism, start, targets
        self.first = np.concatenate([target.first for target in targets])
        self.wanted = np.hstack([target.values for target in targets])
        self.turns = np.concatenate([np.full(len(target.first), target.angular) for target in targets])
        self.unit = np.where(self.turns, 1.0, board.conditions.length)
        key = tuple(target.key for target in targets)
        self.rows = of_noun(mechanism, "targets", key, lambda: _with_targets(mechanism, board, targets))

    def __reduce__(self) -> tuple[object, ...]:
        return _Batch, (self.board, self.mechanism, self.start, self.targets)

    def check(self, names: str) -> None:
        """Refuse targets that cannot all be moved from where the mechanism begins."""
        c, k = self.mechanism.coordinates, len(self.first)
        rows = self._residual(self.start.y[None, : c.q.numel()], self.first[None] / self.unit)[1]
        motions = allowed_motions(rows[:, :-k], c.kinematics.scale)[0]
        found = reach(motions, rows[0, -k:], rows[0, :0], c.kinematics.scale)
        if found.rank < k:
            raise RefusedError(
                f"the targets cannot all be asked for at once: {names} ask for {k} values, and {found.rank} of them can be "
                f"moved on their own where the mechanism begins, which has {found.freedoms} "
                f"degree{'' if found.freedoms == 1 else 's'} of freedom there: leave some out, or begin "
                "away from a dead centre"
            )

    def solve(self) -> Spread:
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

    def _states(self, q: Array, delta: Array | float = 0.0) -> Array:
        c = self.mechanism.coordinates
        y = np.tile(self.start.y, (len(q), 1))
        y[:, : c.q.numel()] = q
        y[:, c.q.numel() : c.q.numel() + c.v.numel()] = delta
        return y

    def _residual(self, q: Array, x: Array) -> tuple[Array, Array]:
        code, weight = self.rows.function, self.rows.weight
        states = np.hstack([self._states(q), x * self.unit])
        found = code.unpack(code.batch(self.start.time, states, self.start.p))
        return found["phi"][:, :, 0] * weight, found["C"] * weight[:, None]

    def _move(self, q: Array, delta: Array) -> Array:
        if "retract" not in self.mechanism.program:
            return q + delta
        return self.mechanism.program["retract"].batch(self.start.time, self._states(q, delta), self.start.p)

    def values(self, q: Array, reached: NDArray[np.bool_]) -> dict[str, Array]:
        """Coordinates of joints and places of points of all samples; not a number where they are out of reach."""
        names = tuple(self._outputs)
        function = make_function(
            "positions", self.mechanism.coordinates, {"values": ca.vertcat(*self._outputs.values())}
        )
        compiled = self.mechanism.compiled(function)
        table = np.full((len(q), len(names)), np.nan)
        if np.any(reached):
            table[reached] = compiled.batch(self.start.time, self._states(q[reached]), self.start.p)
        return dict(zip(names, table.T.copy(), strict=True))

    def model(self, q: Array) -> Model:
        """The model that starts in a position, without drivers of joints."""
        model = standing_model(self.board.topology, self.poses(q), self.board.p)
        return model.with_(drivers=dict.fromkeys(model.joint_drivers))

    def poses(self, q: Array) -> dict[str, Pose]:
        """The poses of all bodies in a position."""
        return poses_of(self.mechanism, self.start.time, self._states(q[None])[0], self.start.p)

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
