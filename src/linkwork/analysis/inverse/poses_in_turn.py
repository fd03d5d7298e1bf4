"""Poses at rest, one after the other: each is on the branch that the way there from the pose before leads to.

Conditions that are closed pose by pose do not tell branches apart where these meet. So the inputs are led from the drawn
position straight from pose to pose (``kinematics/pose_path``), smoothly through change points. Where such a way ends at a
change point, nothing says how it goes on around a corner: the next one begins at the last pose before it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import casadi as ca
import numpy as np

from linkwork.analysis.inverse.taken_over import every_coordinate, same_states
from linkwork.analysis.kinematics.closed_motion import close_record
from linkwork.analysis.kinematics.closing_motion import MotionClosing
from linkwork.analysis.kinematics.enough_inputs import refuse_change_point
from linkwork.analysis.kinematics.pose_path import PART, PosePath, pose_path, straight_on
from linkwork.analysis.kinematics.position_search import PositionSearch, prescribed_system
from linkwork.analysis.kinematics.record import GivenMotion
from linkwork.analysis.motion.trajectory import Trajectory
from linkwork.analysis.prepared.prepare import Mechanism, Start
from linkwork.analysis.runs.solve_kinematics import begin_inputs, ending
from linkwork.arrays import Array
from linkwork.errors import AssemblyError, RefusedError
from linkwork.numerics.paths.displacement import Displacements
from linkwork.results.outcome import Outcome
from linkwork.results.result import Result

PARTS = (1.0, 0.125, 0.016)  # of the usual length, one after the other where it cannot be told how a way goes on
AT_POSE = 1e-3  # of the way, within which a change point is that of a pose
PREDICTION = 2
TOLERANCE = 1e-12


@dataclass(frozen=True, eq=False)
class PosesInTurn:
    """Positions (N, ny) of poses, those of them that are change points, and what to know of them."""

    y: Array
    singular: tuple[int, ...]
    notes: tuple[str, ...]


def poses_in_turn(
    mechanism: Mechanism, start: Start, motion: GivenMotion, parameters: Mapping[str, float]
) -> PosesInTurn | None:
    """The poses on their branches, where coordinates that are independent give them, and loops have branches; else None."""
    topology, c = mechanism.topology, mechanism.coordinates
    led = topology.drives.names or ca.depends_on(ca.densify(ca.vertcat(c.phi, c.a)), c.t)
    if not topology.loops or led or set(c.kinematics.q_names) <= set(motion.names):
        return None
    closing = MotionClosing(mechanism, start.p, list(motion.values))
    rows = closing.in_turn(start.y, np.column_stack([levels[0] for levels in motion.values.values()]))
    if len(pose_path(closing.keys, rows, np.ones(rows.shape[1])).lengths) < 2:
        return None
    refuse_change_point(topology, start.assembly.poses, start.p[: len(topology.geometry.defaults)])
    if len(motion.values) != topology.mobility.free:
        return None
    try:
        return _PoseWalk(mechanism, start, closing, parameters, rows).all()
    except AssemblyError:
        return None


@dataclass(frozen=True, eq=False)
class _Leg:
    """A way through some rows, what was found of it, and how it ends."""

    path: PosePath
    found: Displacements
    ending: Callable[[], Outcome]

    @property
    def met(self) -> int | None:
        """Which of the rows is a change point where it cannot be told how the way goes on."""
        return None if self.found.lost is None else self.path.row_at(self.found.lost, AT_POSE)

    @property
    def sure(self) -> bool:
        """Whether it goes on, or ends, in a way that can be told."""
        return self.found.lost is None or bool(self.met)


@dataclass(eq=False)
class _PoseWalk:
    """Rows (1 + N, k) of the inputs, in the drawn position and in the poses, and what is known of them.

    known: positions by the numbers of rows, in coordinates of the mechanism with its inputs; singular: those that are change
    points; stopped: how the way ends, if it cannot be followed to the last row
    """

    mechanism: Mechanism
    start: Start
    closing: MotionClosing
    parameters: Mapping[str, float]
    rows: Array
    known: dict[int, Array] = field(default_factory=dict)
    singular: set[int] = field(default_factory=set)
    stopped: Outcome | None = None

    def all(self) -> PosesInTurn:
        """Way by way, each of which goes straight on."""
        c, keys = self.mechanism.coordinates, self.closing.keys
        sizes = np.where([c.motion.coordinates[key].kind == "angle" for key in keys], 1.0, c.kinematics.length)
        search, following = self._search(pose_path(keys, self.rows, sizes)), 1
        self.known[0] = search.start.y
        while following < len(self.rows) and self.stopped is None:
            regular = next(i for i in reversed(range(following)) if i in self.known and i not in self.singular)
            way = [regular, *straight_on(self.rows / sizes, regular, following)]
            following = self._go(search, way, sizes)
        return self._placed(search)

    def _search(self, path: PosePath) -> PositionSearch:
        """The mechanism with its inputs, in the drawn position."""
        mechanism = self.mechanism
        asked = path.driven(mechanism.topology, self.parameters)
        kind, backend = mechanism.coordinates.kind, mechanism.program.backend
        driven, start = begin_inputs(mechanism.topology, asked, kind, backend, ", ".join(map(".".join, path.keys)))
        return PositionSearch(driven, prescribed_system(driven, start), start, "modified", PREDICTION, TOLERANCE)

    def _go(self, search: PositionSearch, way: Sequence[int], sizes: Array) -> int:
        """From the first of some rows through the others; the number of the row that follows."""
        leg = self._leg(search, way, sizes, PARTS[0])
        for part in PARTS[1:]:
            leg = leg if leg is None or leg.sure else self._leg(search, way, sizes, part)
        if leg is None:
            self.known |= dict.fromkeys(way, self.known[way[0]])
            return way[-1] + 1
        if not leg.sure:
            raise RefusedError(f"the poses cannot be followed one after the other: {leg.ending()}")
        self._keep(way, leg.path, leg.found)
        if leg.met:
            self.singular.add(way[leg.met])
            return way[leg.met] + 1
        if len(leg.found.y) < len(leg.path.lengths):
            self.stopped = leg.ending()
        return way[-1] + 1

    def _leg(self, search: PositionSearch, way: Sequence[int], sizes: Array, part: float) -> _Leg | None:
        """From the first of some rows through the others, in parts of some length; None where that is no way."""
        path = pose_path(self.closing.keys, self.rows[list(way)], sizes, PART * part)
        if len(path.lengths) < 2:
            return None
        asked = path.driven(self.mechanism.topology, self.parameters)
        along = asked.along(search.start.p, len(search.mechanism.topology.geometry.defaults))
        begun = replace(search.start, y=self.known[way[0]])
        found, _ = replace(search, start=begun).all(path.lengths, along, False)
        table = search.start.p if along is None else along
        return _Leg(path, found, partial(ending, search.mechanism, replace(begun, p=table), asked, found))

    def _keep(self, way: Sequence[int], path: PosePath, found: Displacements) -> None:
        """Enter the rows that were reached."""
        met = set() if found.singular is None else set(found.singular.tolist())
        for row, place in zip(way[1:], path.places[1:].tolist(), strict=True):
            if place < len(found.y):
                self.known[row] = found.y[place]
                self.singular |= {row} if place in met else set()

    def _placed(self, search: PositionSearch) -> PosesInTurn:
        """All poses at rest; those beside a way or behind its end are closed from the ones before them."""
        c, t = self.mechanism.coordinates, np.zeros(1)
        known = dict(zip(self.known, self._own(search), strict=True))
        y = np.zeros((len(self.rows), self.start.y.size))
        for i, row in enumerate(self.rows):
            y[i] = known[i] if i in known else self.closing.follow(t, y[i - 1], row[None])[0]
        y[:, c.q.numel() : c.q.numel() + c.v.numel()] = 0.0
        told = (
            f"from sample {max(known)} on each pose is the nearest to the one before: straight from there the way ends "
            f"({self.stopped})"
        )
        return PosesInTurn(
            y[1:], tuple(i - 1 for i in sorted(self.singular)), (told,) if self.stopped is not None else ()
        )

    def _own(self, search: PositionSearch) -> Array:
        """The known positions in coordinates of the mechanism without inputs."""
        y = np.array(list(self.known.values()))
        states = np.arange(float(len(y))), y, np.zeros((len(y), search.mechanism.coordinates.v.numel()))
        source = Trajectory(search.mechanism, states, search.start.p)
        found = Result("poses", states[0], source, search.mechanism.drawing(search.start.p))
        same = same_states(self.mechanism, self.start, found)
        if same is not None:
            return same[1][1]
        return close_record(self.mechanism, self.start, every_coordinate(self.mechanism, found), np.inf)[1]
