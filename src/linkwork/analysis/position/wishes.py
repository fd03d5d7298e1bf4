"""What a pose is asked for, by the names of joints and points, as goals of ``position/nearest.py``, and what it
reaches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import casadi as ca
import numpy as np

from linkwork.algebra.given import Parameters, Scalar
from linkwork.algebra.units import si
from linkwork.analysis.kinematics.inputs import coordinate_key
from linkwork.analysis.prepared.prepare import driven
from linkwork.arrays import Array
from linkwork.errors import RefusedError, UnknownNameError, did_you_mean
from linkwork.model import Model
from linkwork.model.places import seat_of
from linkwork.position.geometry import Pose
from linkwork.position.nearest import REACHED, Goal, Nearest, PointGoal, ReadingGoal
from linkwork.position.poses import PoseConditions, Poses
from linkwork.results.assembled import AssembledPose, Wish
from linkwork.results.sketch import draw
from linkwork.topology import Topology
from linkwork.topology.standing import standing_model

WishedValue = float | str | Sequence[float | str | None]


def board_of(topology: Topology, given: Parameters | None) -> Board:
    """The mechanism of an analysis with its drivers let go: they would hold what is asked for."""
    topology.geometry.require_shape(topology.geometry.bodies, "positions without forces")
    return Board(driven(topology, topology.drives.released), topology.model.with_names(given))


@dataclass(frozen=True, eq=False)
class Board:
    """A mechanism whose joints nobody drives, with the names of its coordinates and points, for given live parameters."""

    topology: Topology
    given: Parameters

    def __reduce__(self) -> tuple[object, ...]:
        return Board, (self.topology, self.given)

    @property
    def model(self) -> Model:
        return self.topology.model

    @cached_property
    def p(self) -> Array:
        return self.topology.parameters(self.model.in_si(self.given))

    @property
    def conditions(self) -> PoseConditions:
        return self.topology.conditions

    @cached_property
    def sketch(self) -> dict[str, Pose]:
        return self.conditions.turned(self.topology.near or self.topology.geometry.beginning(self.p), self.p)

    @cached_property
    def places(self) -> dict[str, tuple[str, ca.SX]]:
        """Body and local place of every named point of a body, as expressions."""
        named = self.topology.named_points().items()
        return {name: item for name, item in named if item[0] in self.conditions.bodies}

    @cached_property
    def points(self) -> dict[str, tuple[str, Array]]:
        """The same in numbers."""
        return {name: self.point(name) for name in self.places}

    @cached_property
    def angles(self) -> frozenset[str]:
        """Names of the coordinates that are angles."""
        return frozenset(f"{r.element}.{r.name}" for r in self.conditions.readings if r.angular)

    def place(self, name: str) -> tuple[str, ca.SX]:
        """Body and local place of a point, 'P' or 'coupler.P', as an expression."""
        name = self.model.named(name)
        body, _, rest = name.partition(".")
        if name not in self.places and body in self.topology.geometry.bodies:
            point = seat_of(self.model, body, rest)
            if self.topology.carries(body, point):
                return body, self.topology.local_point(body, point)
        if name not in self.places:
            readings = {f"{item.element}.{item.name}" for item in self.conditions.readings}
            if name in readings:
                raise RefusedError(
                    f"'{name}' is a coordinate: give it one value, or a row of values, not several in one place"
                )
            if body in self.topology.geometry.bodies and rest == "rotation":
                raise RefusedError(
                    f"'{name}' is an attitude: lw.solve_positions(model, {{'{name}': [0, 0, 0.1]}}) takes those"
                )
            raise UnknownNameError(f"'{name}' is no point of a body; {did_you_mean(name, list(self.places))}")
        return self.places[name]

    def point(self, name: str) -> tuple[str, Array]:
        """The same in numbers."""
        body, local = self.place(name)
        return body, np.atleast_1d(self.topology.geometry.number(local, self.p))

    def goal(self, name: str, value: WishedValue, weight: float) -> Goal:
        """What is asked of one name."""
        name = self.model.named(name)
        if isinstance(value, str) or np.ndim(value) == 0:  # type: ignore[arg-type]
            return self._scalar(name, value, weight)  # type: ignore[arg-type]
        items = list(value)  # type: ignore[arg-type]
        d = self.conditions.space.dimension
        if len(items) != d:
            raise RefusedError(
                f"near: {name} needs {d} components, such as {(1.0, 2.0, 3.0)[:d]}; {len(items)} were given"
            )
        place = [np.nan if item is None else si(item, "length") for item in items]
        return PointGoal(*self.point(name), np.array(place), weight)

    def _scalar(self, name: str, value: Scalar, weight: float) -> Goal:
        owner, _, axis = name.rpartition(".")
        axes = self.conditions.space.axis_names
        if axis in axes and owner not in self.model.joints and owner not in self.model.bodies:
            place = np.full(len(axes), np.nan)
            place[axes.index(axis)] = si(value, "length")
            return PointGoal(*self.point(owner), place, weight)
        if owner in self.model.bodies and (owner, axis) in [(r.element, r.name) for r in self.conditions.readings]:
            key = owner, axis
        else:
            key = coordinate_key(self.model, name)
        reading = self.conditions.index(*key)
        dimension = "angle" if self.conditions.readings[reading].angular else "length"
        return ReadingGoal(reading, si(value, dimension), weight)

    def as_drawn(self, poses: Poses) -> list[list[Goal]]:
        """Joints as they are in given poses, those of ``initial`` first as they are asked to be; then bodies."""
        values = self.conditions.readings_at(poses, self.p)
        asked: list[Goal] = []
        for name, given in self.topology.drives.initial.items() if poses is self.sketch else ():
            known = [f.name for f in self.model.joints[name].freedoms] if name in self.model.joints else []
            asked += [
                ReadingGoal(self.conditions.index(name, key), self.model.number(value))
                for key, value in given.items()
                if key in known and not isinstance(value, tuple)
            ]
        levels: list[list[Goal]] = [asked, [], []]
        for i, reading in enumerate(self.conditions.readings):
            if not reading.rate_only:
                levels[1 if reading.element in self.model.joints else 2].append(ReadingGoal(i, float(values[i])))
        return [level for level in levels if level]

    def still(self, goals: Sequence[Goal]) -> tuple[tuple[str, Array], ...]:
        """Passive spins that no goal, joint coordinate or centre of mass shows: bodies, and lines in their axes."""
        geometry, bodies = self.topology.geometry, self.topology.geometry.bodies
        read = {reading.element for reading in self.conditions.readings if not reading.rate_only}
        points = [(goal.body, goal.local) for goal in goals if isinstance(goal, PointGoal)]
        points += [(name, np.asarray(geometry.number(body.centre))) for name, body in bodies.items()]
        return tuple(
            (spin.name, np.asarray(geometry.number(spin.lines[spin.name])))
            for spin in self.topology.spins
            if not read.intersection(spin.joints) and not any(spin.moves(geometry, *point) for point in points)
        )

    def values(self, poses: Poses) -> dict[str, float]:
        """Coordinates of joints, and places of points."""
        found = self.conditions.readings_at(poses, self.p)
        table = {
            f"{r.element}.{r.name}": self.conditions.told(r, found[i], self.p)
            for i, r in enumerate(self.conditions.readings)
            if r.element in self.model.joints and not r.rate_only
        }
        for name, (body, local) in self.points.items():
            place = poses[body].point(local)
            table |= {f"{name}.{axis}": float(place[i]) for i, axis in enumerate(self.conditions.space.axis_names)}
        return table

    def open_message(self, method: str, poses: Poses, iterations: int) -> str:
        """Which joint stays open and by how much, and what else could be tried."""
        phi = np.nan_to_num(self.conditions.residuals_at(poses, self.p), nan=np.inf)
        worst = int(np.argmax(np.abs(phi)))
        gap = abs(float(phi[worst])) * self.conditions.length
        where = (
            f"stays open by {gap:.4g} m" if gap < 1e3 * self.conditions.length else "is torn further and further apart"
        )
        others = " or ".join(f"'{name}'" for name in ("damped", "continuation") if name != method)
        return (
            f"'{method}' does not close the mechanism from its sketch in {iterations} iterations: "
            f"{self.conditions.labels[worst]} {where}; take {others}, or draw it nearer to a position in which it fits"
        )

    def assembled(self, poses: Poses, wanted: Mapping[str, Goal], how: tuple[str, int, int]) -> AssembledPose:
        """The pose as a user reads it."""
        method, iterations, steps = how
        phi = self.conditions.residuals_at(poses, self.p)
        values = self.values(poses)
        return AssembledPose(
            name=self.model.name or "the mechanism",
            wishes=tuple(self._wish(poses, name, goal) for name, goal in wanted.items()),
            values=values,
            units={name: "rad" if name in self.angles else "m" for name in values},
            poses=dict(poses),
            model=self._starting(poses),
            drawing=draw(self.topology, self.p),
            method=method,
            residual=float(np.max(np.abs(phi), initial=0.0)) * self.conditions.length,
            iterations=iterations,
            steps=steps,
        )

    def _wish(self, poses: Poses, name: str, goal: Goal) -> Wish:
        gaps = Nearest(self.conditions, self.p).residual(poses, [goal])[0]
        reached = float(np.max(np.abs(gaps), initial=0.0)) < REACHED * max(1.0, goal.weight)
        if isinstance(goal, PointGoal):
            asked = np.isfinite(goal.place)
            place = poses[goal.body].point(goal.local)[asked]
            wanted = goal.place[asked]
            miss = float(np.linalg.norm(place - wanted))
            return Wish(name, tuple(map(float, wanted)), tuple(map(float, place)), miss, False, reached)
        assert isinstance(goal, ReadingGoal)
        reading = self.conditions.readings[goal.reading]
        miss = float(gaps[0] * self.conditions.units[goal.reading]) / goal.weight
        return Wish(name, (goal.value,), (goal.value + miss,), abs(miss), reading.angular, reached)

    def _starting(self, poses: Poses) -> Model:
        """The model whose assembly begins in a pose, without drivers of joints."""
        return standing_model(self.topology, poses, self.p).with_(drivers=dict.fromkeys(self.model.joint_drivers))
