"""Many variants put together at once, where formulas close all loops: independent coordinates as drawn or asked for, and the
branches of the model as it is.

It is what `Mechanism.start` finds one by one, near the sketch. Where that may be another branch, near dead centres, and
where numbers are missing, a variant is left to it.
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
            (bool(topology.redundant), "conditions are redundant"),
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
        """The independent coordinates."""
        planner = self.mechanism.topology.planner
        return [planner.name_of(key) for key in self.mechanism.topology.plan.inputs]

    @cached_property
    def _inputs(self) -> ca.Function:
        """Values and rates of the independent coordinates, as a function of the live parameters."""
        topology = self.mechanism.topology
        drives, geometry, space = topology.drives, topology.geometry, topology.geometry.space
        if drives.inputs or any(driver.position is None for driver in drives.drivers.values()):
            raise LeftOutError("drivers give speeds")
        given: tuple[dict[str, Expression], ...] = ({}, {})
        for element, values in drives.initial.items():
            for key, value in values.items():
                level, name = self._meant(element, key)
                if isinstance(value, tuple) or name not in self._names:
                    raise LeftOutError(f"initial {element}.{key} is no coordinate that leads the others")
                given[level][name] = value
        kept = {*given[0], *topology.assembly.kept}
        if kept != {*self._names}:
            raise LeftOutError("others than the coordinates that lead are held where it is put together")
        if given[1].keys() != {*self._names} and (given[1] or drives.drivers):
            raise LeftOutError("speeds that nobody gives are those of least energy")
        outputs = []
        for (joint, place), name in zip(topology.plan.inputs, self._names, strict=True):
            own = geometry.joints[joint]
            drawn = own.kind.measure(space, *own.frames(self._drawn))[place].principal
            outputs.append(self._read(given[0][name]) if name in given[0] else drawn)
        outputs += [self._read(given[1][name]) if given[1] else ca.SX(0) for name in self._names]
        return ca.Function("inputs", [geometry.parameters], [ca.densify(ca.vertcat(ca.SX(0, 1), *outputs))])

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
        y[:, places] = wanted[:, : len(places)]
        y[:, [c.q.numel() + place for place in places]] = wanted[:, len(places) :]
        nearest = p.copy()
        system.select(0, time, y, nearest)
        first = len(known.p)
        p[:, first:] = reference[:, first:]
        closed, health = system.closed_states(0, time, y, p)
        with np.errstate(invalid="ignore"):
            sound = (health > WATCH) & np.isfinite(closed).all(axis=1) & (nearest == p)[:, first:].all(axis=1)
        self._fix(time, closed, p)
        return Starts(closed, p, sound & np.isfinite(p).all(axis=1))

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
