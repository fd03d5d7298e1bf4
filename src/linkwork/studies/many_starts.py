"""Many variants put together at once, where formulas close all loops: what leads as drawn or asked for, and the branches of
the model as it is.

It is what `Mechanism.start` finds one by one, near the sketch. Where that may be another branch, near dead centres, far from
the sketch, and where numbers are missing, a variant is left to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.algebra.expressions import Expression, to_sx
from linkwork.algebra.frames import Frame
from linkwork.analysis.prepared.prepare import Mechanism
from linkwork.arrays import Array
from linkwork.compiler.compiled import CompiledFunction
from linkwork.numerics.integrators.lanes import LaneSystem
from linkwork.numerics.kernels.constrained.explicit import WATCH
from linkwork.position.geometry import GROUND

CHECKED = 3  # variants that are put together one by one too
FAR = 1.5  # rad, or sizes of the mechanism
ROUNDS = 4  # of states and constants that read each other
AGREED = 1e-7  # rad, m and their rates, relative to values above 1


class LeftOutError(Exception):
    """Lanes cannot do what is asked; says why."""


@dataclass(frozen=True, eq=False)
class Starts:
    """States (N, n), parameters with branches (N, np), and which of them (N) are known."""

    states: Array
    parameters: Array
    known: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class ManyStarts:
    """Puts variants of a mechanism together. system: its functions; varied: names of live parameters that change"""

    mechanism: Mechanism
    system: LaneSystem
    varied: tuple[str, ...]

    def __post_init__(self) -> None:
        c, topology = self.mechanism.coordinates, self.mechanism.topology
        for wrong, why in (
            (topology.near is not None, "it begins near given poses"),
            (bool(topology.model.couplings), "it has couplings"),
            (bool(topology.model.relations), "it has relations"),
            (
                bool(topology.redundant) and self._sketch_changes,
                "conditions are redundant with special dimensions alone",
            ),
            (bool(c.drawn) and self._sketch_changes, "numbers are read off the sketch, which is another for each"),
            (bool(c.geometry.insides), "bodies have coordinates of their own"),
            (c.q.numel() != c.v.numel() or c.kinematics.retract is not None, "attitudes are coordinates"),
            (bool(topology.plan.passive), "links spin passively"),
        ):
            if wrong:
                raise LeftOutError(why)
        self._inputs  # noqa: B018

    @property
    def _drawn(self) -> dict[str, Frame]:
        """Frames of all bodies where it is put together from."""
        geometry = self.mechanism.topology.geometry
        begun = {name: geometry.start.get(name, body.drawn) for name, body in geometry.bodies.items()}
        return {GROUND: geometry.ground_frame, **begun}

    @property
    def _sketch_changes(self) -> bool:
        """Whether what places bodies and joints in the sketch depends on parameters that change."""
        geometry = self.mechanism.topology.geometry
        frames = [frame for joint in geometry.joints.values() for frame in joint.frames(self._drawn)]
        points = [point for body in geometry.bodies.values() for point in body.points.values()]
        numbers = [
            ca.SX(getattr(joint.kind, name)) for joint in geometry.joints.values() for name in joint.kind.numbers
        ]
        parts = [ca.vec(ca.densify(ca.SX(item))) for frame in frames for item in (frame.origin, frame.axes)]
        stacked = ca.vertcat(
            ca.SX(0, 1), *parts, *map(ca.vec, map(ca.densify, [*points, *geometry.ground_points.values()])), *numbers
        )
        if any(self.mechanism.model.parameters[name].value.names() for name in geometry.parameter_names):
            return True  # live parameters follow from others
        changing = [geometry.parameters[geometry.parameter_names.index(name)] for name in self.varied]
        return bool(changing) and bool(ca.depends_on(stacked, ca.vertcat(*changing)))

    @cached_property
    def _names(self) -> list[str]:
        """The coordinates that lead: independent ones, and those whose drivers give speeds or accelerations."""
        topology = self.mechanism.topology
        names = [topology.planner.name_of(key) for key in topology.plan.inputs]
        names += [".".join(topology.drives.keys[name]) for name in self._placeless]
        known = self.mechanism.coordinates.kinematics.q_names
        if any(name not in known for name in names):
            raise LeftOutError("a coordinate that leads stands at a joint that is cut")
        return names

    @property
    def _placeless(self) -> list[str]:
        """Drivers that do not say where they are."""
        return [name for name, driver in self.mechanism.topology.drives.drivers.items() if driver.position is None]

    @cached_property
    def _given(self) -> tuple[dict[str, Expression], dict[str, Expression]]:
        """Values at the start and their rates, by coordinate."""
        drives = self.mechanism.topology.drives
        given: tuple[dict[str, Expression], dict[str, Expression]] = ({}, {})
        for name in self._placeless:
            start = drives.drivers[name].initial
            if start is not None:
                given[0][".".join(drives.keys[name])] = start
        for element, values in drives.initial.items():
            for key, value in values.items():
                level, name = self._meant(element, key)
                if isinstance(value, tuple):
                    raise LeftOutError(f"initial {element}.{key} has several values")
                given[level][name] = value
        return given

    @cached_property
    def _inputs(self) -> ca.Function:
        """Values of the coordinates that lead, then the rates that are given, as a function of the live parameters."""
        topology, (places, rates) = self.mechanism.topology, self._given
        if topology.drives.inputs or topology.model.guides:
            raise LeftOutError("it has inputs, or points that are led")
        if {*places, *topology.assembly.kept} != {*self._names}:
            raise LeftOutError("others than the coordinates that lead are held where it is put together")
        if rates.keys() - {*self.mechanism.coordinates.kinematics.q_names}:
            raise LeftOutError("speeds are given at joints that are cut")
        if topology.drives.drivers and topology.plan.inputs:
            raise LeftOutError("speeds beside drivers are those of least energy")
        drawn = [self._read(places[name]) if name in places else self._sketched(name) for name in self._names]
        outputs = [*drawn, *map(self._read, rates.values())]
        return ca.Function("inputs", [topology.geometry.parameters], [ca.densify(ca.vertcat(ca.SX(0, 1), *outputs))])

    @cached_property
    def _sketch(self) -> ca.Function:
        """All coordinates as they are drawn, as a function of the live parameters."""
        names = self.mechanism.coordinates.kinematics.q_names
        drawn = ca.vertcat(ca.SX(0, 1), *map(self._sketched, names))
        return ca.Function("sketch", [self.mechanism.topology.geometry.parameters], [ca.densify(drawn)])

    def _sketched(self, name: str) -> ca.SX:
        """A coordinate as it is drawn."""
        geometry, (joint, _, freedom) = self.mechanism.topology.geometry, name.rpartition(".")
        own = geometry.joints[joint]
        measures = own.kind.measure(geometry.space, *own.frames(self._drawn))
        return measures[geometry.key(joint, freedom)[1]].principal

    def _meant(self, element: str, key: str) -> tuple[int, str]:
        """The level and the coordinate of a value at the start."""
        joint = self.mechanism.model.joints.get(element)
        for freedom in () if joint is None else joint.freedoms:
            if key in (freedom.name, freedom.rate):
                return int(key == freedom.rate), f"{element}.{freedom.name}"
        raise LeftOutError(f"initial {element}.{key} is no coordinate of a joint")

    def _read(self, value: Expression) -> ca.SX:
        geometry = self.mechanism.topology.geometry
        values: Mapping[str, ca.SX] = {**geometry.fixed_values, "t": ca.SX(self.mechanism.topology.drives.time)}
        return ca.SX(to_sx(value, values.__getitem__))

    def begin(self, live: Array) -> Starts:
        """Put variants with these live parameters (N, np) together."""
        c, system, count = self.mechanism.coordinates, self.system, len(live)
        time = self.mechanism.topology.drives.time
        known = self.mechanism.start()
        p = np.zeros((count, system.parameters))
        p[:, : len(known.p)] = known.p
        p[:, : live.shape[1]] = live
        y = np.tile(known.y, (count, 1))
        reference = p[:1].copy()
        reference[0, : len(known.p)] = known.p
        system.select(0, time, known.y[None], reference)
        places = [c.kinematics.q_names.index(name) for name in self._names]
        wanted = np.array(self._inputs(live.T)).T.reshape(count, -1)
        drawn = np.array(self._sketch(live.T)).T.reshape(count, -1)
        y[:, : c.q.numel()] = drawn
        y[:, places] = wanted[:, : len(places)]
        y[:, c.q.numel() : c.q.numel() + c.v.numel()] = 0.0
        self._fix(time, y, p)
        nearest = p.copy()
        system.select(0, time, y, nearest)
        first = len(known.p)
        p[:, first:] = reference[:, first:]
        closed, health = system.closed_states(0, time, y, p)
        with np.errstate(invalid="ignore"):
            sound = (health > WATCH) & np.isfinite(closed).all(axis=1) & (nearest == p)[:, first:].all(axis=1)
            sound &= self._near(closed, drawn)
        if self._given[1]:
            closed[sound] = self._moving(time, closed[sound], p[sound], wanted[sound, len(places) :])
        self._fix(time, closed, p)
        return Starts(closed, p, sound & np.isfinite(closed).all(axis=1) & np.isfinite(p).all(axis=1))

    def _near(self, y: Array, drawn: Array) -> NDArray[np.bool_]:
        """Whether what leads is near to where it is drawn: else the nearest branch is not the one that closes first."""
        c, topology = self.mechanism.coordinates, self.mechanism.topology
        led = {*self._names, *(".".join(key) for key in topology.drives.keys.values())}
        places = [i for i, name in enumerate(c.kinematics.q_names) if name in led]
        angular = np.array([c.kinematics.q_names[i].endswith("angle") for i in places], dtype=bool)
        gaps = np.abs(y[:, places] - drawn[:, places])
        gaps = np.where(angular, np.abs((gaps + np.pi) % (2 * np.pi) - np.pi), gaps / topology.geometry.length)
        return np.asarray((gaps <= FAR).all(axis=1))

    def _moving(self, time: float, y: Array, p: Array, rates: Array) -> Array:
        """States with the rates (N, g) given, of least kinetic energy: M v = Cᵀλ + Eᵀμ, C v = 0, E v = rates."""
        c, count = self.mechanism.coordinates, len(y)
        nq, nv, m, g = c.q.numel(), c.v.numel(), len(c.rows), rates.shape[1]
        found = self._inertia.batch(time, y, np.ascontiguousarray(p[:, : c.p.numel()]))
        rows = np.zeros((count, m + g, nv))
        rows[:, :m] = found[:, nv * nv :].reshape(count, nv, m).swapaxes(1, 2)
        rows[:, range(m, m + g), [c.kinematics.q_names.index(name) for name in self._given[1]]] = 1.0
        whole, right = np.zeros((count, nv + m + g, nv + m + g)), np.zeros((count, nv + m + g, 1))
        whole[:, :nv, :nv] = found[:, : nv * nv].reshape(count, nv, nv)
        whole[:, nv:, :nv], whole[:, :nv, nv:] = rows, rows.swapaxes(1, 2)
        right[:, nv + m :, 0] = rates
        try:
            y[:, nq : nq + nv] = np.linalg.solve(whole, right)[:, :nv, 0]
        except np.linalg.LinAlgError:
            raise LeftOutError("speeds that are given do not agree, or something moves without inertia") from None
        return self.system.closed_states(0, time, y, p)[0]

    @cached_property
    def _inertia(self) -> CompiledFunction:
        """M and C."""
        c = self.mechanism.coordinates
        outputs = [ca.densify(ca.vec(c.mass)), ca.densify(ca.vec(c.jacobian))]
        function = ca.Function("inertia_and_rows", [c.t, c.y, c.p], outputs, ["t", "y", "p"], ["M", "C"])
        return self.mechanism.compiled(function)

    def _fix(self, time: float, y: Array, p: Array) -> None:
        """States of their own and constants of the assembly, in place; see `starting_state`."""
        c = self.mechanism.coordinates
        moved, live = c.q.numel() + c.v.numel(), len(c.geometry.defaults)
        if self._own is None:
            return
        fixed = slice(live, live + len(c.constants))
        for _ in range(ROUNDS):
            found = self._own.batch(time, y, np.ascontiguousarray(p[:, : c.p.numel()]))
            same = np.array_equal(found, np.hstack([y[:, moved:], p[:, fixed]]), equal_nan=True)
            y[:, moved:], p[:, fixed] = np.split(found, [c.s.numel()], axis=1)
            if same:
                return

    @cached_property
    def _own(self) -> CompiledFunction | None:
        """States of their own and constants of the assembly where it begins."""
        c = self.mechanism.coordinates
        if not c.auxiliaries and not c.constants:
            return None
        starts = ca.densify(ca.vertcat(ca.SX(0, 1), *[item.start for item in (*c.auxiliaries, *c.constants)]))
        function = ca.Function("starting", [c.t, c.y, c.p], [starts], ["t", "y", "p"], ["start"])
        return self.mechanism.compiled(function)

    def check(self, live: Array) -> None:
        """Compare some variants with what is found one by one."""
        names = self.mechanism.topology.geometry.parameter_names
        some = live[np.unique(np.linspace(0, len(live) - 1, CHECKED).astype(int))]
        starts, nq = self.begin(some), self.mechanism.coordinates.q.numel()
        for i in np.flatnonzero(starts.known):
            alone = self.mechanism.start(dict(zip(names, some[i].tolist(), strict=True)))
            gaps = np.abs(alone.y - starts.states[i])
            gaps[:nq] = np.minimum(gaps[:nq], np.abs((gaps[:nq] + np.pi) % (2 * np.pi) - np.pi))
            if np.any(gaps > AGREED * np.maximum(1.0, np.abs(alone.y))):
                raise LeftOutError("variants are put together otherwise one by one")
