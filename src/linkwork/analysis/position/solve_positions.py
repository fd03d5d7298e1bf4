"""``solve_positions(model, targets)``: inverse kinematics of many places of points, attitudes of bodies, values of joints.

Targets are conditions behind those of the mechanism, and their values x stand behind its state: one compiled function serves
all samples and all questions of the same names. Samples are solved from one another (``numerics/paths/neighbours.py``).
Drivers of joints are let go, as in ``assemble``; guides hold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from time import perf_counter

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike, NDArray

from linkwork.algebra.given import Parameters
from linkwork.algebra.rotations import roll_pitch_yaw, to_quaternion
from linkwork.analysis.kinematics.bare_angles import bare_angles
from linkwork.analysis.motion.singular import poses_of
from linkwork.analysis.position.targets import TargetRows, read_target, target_conditions
from linkwork.analysis.position.wishes import Board, board_of
from linkwork.analysis.prepared.memo import of_noun
from linkwork.analysis.prepared.prepare import Mechanism, Start, compiled, formulated, numbered
from linkwork.analysis.walk.subject import Noun, subject_of
from linkwork.arguments import verb
from linkwork.arrays import Array
from linkwork.compiler.compiled import CompiledFunction
from linkwork.compiler.program import build
from linkwork.coordinates.numbering import KindChoice
from linkwork.elements.contribution import Condition
from linkwork.elements.relations.guidance import ANGLES
from linkwork.equations.inverse.ways import allowed_motions, reach
from linkwork.equations.terms import make_function
from linkwork.errors import RefusedError
from linkwork.model import Model
from linkwork.model.remarks import unmoved
from linkwork.numerics.paths.many_newton import ManySystems
from linkwork.numerics.paths.neighbours import Spread, spread
from linkwork.position.geometry import Pose
from linkwork.progress import told
from linkwork.results.quantities import Called
from linkwork.results.solved_positions import SolvedPositions
from linkwork.topology import Topology
from linkwork.topology.standing import standing_model


@verb
@told("solving positions")
def solve_positions(
    model: Noun, targets: Mapping[str, ArrayLike], *, parameters: Parameters | None = None
) -> SolvedPositions:
    """Find the positions of a mechanism for many targets at once; those out of reach are marked, the others solved.

    targets: by name, with a row for every sample: a point by its places (``{"platform.P": places}``, N × 3 or N × 2 in the
    plane, a column of nan where a component is free; one place alone is one target), the attitude of a body
    (``{"hand.rotation": angles}``, N × 3 of roll, pitch and yaw, rad, as of drivers, or matrices N × 3 × 3 whose columns
    are its axes; one matrix alone is one target), the angle of a body in the plane (``{"coupler.angle": angles}``), or a
    coordinate of a joint (``{"q6": angles}``, N). Several hold together, sample by sample; one row alone is that of all.

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
    asked = {name: read_target(board, start.assembly.poses, name, np.asarray(value)) for name, value in targets.items()}
    batch = _Batch(board, mechanism, start, _side_by_side(asked))
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
        attitudes={body: partial(batch.attitudes, q, reached, body) for body in model.bodies},
        doubts=(
            *bare_angles(model, model.with_names(targets)),
            *unmoved(model),
        ),
    )
    return found, lambda i: batch.poses(q[i])


def _side_by_side(asked: Mapping[str, TargetRows]) -> tuple[TargetRows, ...]:
    """Targets with as many rows each; one row alone is that of all samples."""
    counts = {name: len(target.values) for name, target in asked.items()}
    most = max(counts.values())
    if any(count not in (1, most) for count in counts.values()):
        listed = ", ".join(f"{name} {count}" for name, count in counts.items())
        raise RefusedError(f"targets need as many rows each, or one for all samples; they have: {listed}")
    return tuple(
        target if len(target.values) == most else replace(target, values=np.repeat(target.values, most, axis=0))
        for target in asked.values()
    )


def _started(batch: _Batch, q: Array, sample: int) -> Model:
    """The model that starts in a sample."""
    return batch.model(q[sample])


QUATERNION = ("q0", "q1", "q2", "q3")


@dataclass(frozen=True, eq=False)
class _Rows:
    """Φ and C of a mechanism with targets behind its conditions, compiled, and the weights (m) of all rows."""

    function: CompiledFunction
    weight: Array


def _with_targets(mechanism: Mechanism, board: Board, targets: tuple[TargetRows, ...]) -> _Rows:
    c, found = mechanism.coordinates, list[Condition]()
    x = [ca.SX.sym("x", len(target.first)) for target in targets]
    for target, values in zip(targets, x, strict=True):
        found += target_conditions(c, board, target, values)
    gaps = ca.vertcat(*[item.residual for item in found])
    rows = ca.vertcat(c.jacobian, ca.jacobian(c.motion.drift(gaps), c.v))
    function = make_function("targets", c, {"phi": ca.vertcat(c.phi, gaps), "C": rows}, ca.vertcat(*x))
    weight = [row.weight for row in c.rows] + [1.0 if item.is_length else c.kinematics.length for item in found]
    code = build({"targets": function}, mechanism.program.backend)["targets"]
    return _Rows(code, np.array(weight) / c.kinematics.length)


class _Batch:
    """The mechanism with its targets, and the functions for all samples."""

    def __init__(self, board: Board, mechanism: Mechanism, start: Start, targets: tuple[TargetRows, ...]) -> None:
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
        return spread(systems, x, (self.start.y[: c.q.numel()], first), self.turns)

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
        return self._table("positions", self._outputs, q, reached)

    def attitudes(self, q: Array, reached: NDArray[np.bool_], body: str) -> dict[str, Array]:
        """The same of the attitude of a body."""
        c = self.mechanism.coordinates
        if c.space.planar:
            return self._table("attitude", {"angle": c.motion.angles[body]}, q, reached)
        axes = c.kinematics.frames[body].axes
        parts = ca.vertsplit(ca.vertcat(roll_pitch_yaw(axes), to_quaternion(axes)))
        return self._table("attitude", dict(zip((*ANGLES, *QUATERNION), parts, strict=True)), q, reached)

    def _table(self, name: str, outputs: Mapping[str, ca.SX], q: Array, reached: NDArray[np.bool_]) -> dict[str, Array]:
        function = make_function(name, self.mechanism.coordinates, {"values": ca.vertcat(*outputs.values())})
        compiled = self.mechanism.compiled(function)
        table = np.full((len(q), len(outputs)), np.nan)
        if np.any(reached):
            table[reached] = compiled.batch(self.start.time, self._states(q[reached]), self.start.p)
        return dict(zip(outputs, table.T.copy(), strict=True))

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
