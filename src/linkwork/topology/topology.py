"""Stage 2: what a mechanism is made of and how it can move, before any coordinates are chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

import casadi as ca
import numpy as np

from linkwork.above import ask
from linkwork.algebra.expressions import Expression
from linkwork.answer import Answer, Column, Sections, Text
from linkwork.elements.joints import FREE
from linkwork.errors import Fault, ModelError
from linkwork.model import Model
from linkwork.model.element import expressions_in
from linkwork.model.parameters import ReadNumber, value_or_none
from linkwork.model.places import seat_of
from linkwork.model.varied import check_values, names_of_numbers
from linkwork.numerics.matrices.long_rows import stacked
from linkwork.position.assembly import Assembly
from linkwork.position.condition_rows import condition_rows
from linkwork.position.drives import Drives
from linkwork.position.geometry import GROUND, Array, Geometry, Pose
from linkwork.position.held_places import never_part
from linkwork.position.poses import PoseConditions
from linkwork.position.rank import free_rows, null_space
from linkwork.topology.graph.graph import SpanningTree
from linkwork.topology.mobility.mobility import Mobility
from linkwork.topology.mobility.spins import PassiveSpin, find_spins
from linkwork.topology.modes.modes import names_in_use
from linkwork.topology.modes.situation import Situation
from linkwork.topology.plan.blocks import Plan
from linkwork.topology.plan.planning import Planner

MAKING = ("gravity", "base", "points", "bodies", "joints", "couplings", "relations", "initial")
"""Sections of a model without which it is not put together; forces are told about by the runs that meet them."""


@dataclass(frozen=True, eq=False, repr=False)
class Topology(Answer):
    """Connectivity, spanning tree, loops, assembled position and mobility of a model. Prints as a report."""

    view = "modes.plot_start"

    model: Model
    geometry: Geometry
    tree: SpanningTree
    conditions: PoseConditions
    assembly: Assembly
    mobility: Mobility
    planner: Planner
    drives: Drives
    near: Mapping[str, Pose] | None = None  # poses near which it was put together, where it was not the sketch

    @property
    def freedoms(self) -> int:
        """Freedoms of the mechanism, drivers left out, by rank at the assembled position."""
        return self.mobility.by_rank

    @property
    def plan(self) -> Plan:
        """Inputs, and the blocks that close the loops one after the other."""
        return self.planner.best

    @property
    def freedom_names(self) -> tuple[str, ...]:
        """Coordinates in which its motion is told: the independent and the driven ones of the plan, else all of the tree."""
        keys = [*self.plan.inputs, *self.plan.driven]
        for step in () if keys else self.tree.steps:
            name = step.outboard if step.link is None else step.link.name
            kind = FREE if step.link is None else self.geometry.joints[name].kind
            keys += [(name, i) for i in range(len(kind.freedoms(self.geometry.space)))]
        return tuple(map(self.planner.name_of, keys))

    @cached_property
    def spins(self) -> tuple[PassiveSpin, ...]:
        """Passive spins of links and legs between balls, without those that drivers or couplings give."""
        return self.spins_beside(())

    def spins_beside(self, given: Iterable[tuple[str, str]]) -> tuple[PassiveSpin, ...]:
        """The passive spins that joint coordinates (joint, name) leave, if they are given."""
        found, poses = find_spins(self.model, self.geometry), self.assembly.poses
        if not found:
            return ()
        rows = condition_rows(self.drives, self.conditions, poses, self.geometry.defaults)
        given = list(given)
        readings = rows.readings[[self.conditions.index(*key) for key in given]]
        turns = np.zeros((len(found), self.conditions.size))
        k = self.geometry.space.freedoms
        for turn, spin in zip(turns, found, strict=True):
            end = (self.conditions.bodies.index(spin.name) + 1) * k
            turn[end - 3 : end] = poses[spin.name].axes @ self.geometry.number(spin.lines[spin.name])
        left = free_rows(null_space(stacked([rows.all, readings])), turns, range(len(found)))
        given += self.drives.keys.values()
        return tuple(found[i].turned_by(given) for i in left)

    @property
    def idle_spins(self) -> tuple[PassiveSpin, ...]:
        """Those of them that stay what they are, and that nothing else depends on."""
        return tuple(spin for spin in self.spins if not spin.matters)

    @cached_property
    def passive(self) -> tuple[str, ...]:
        """Bodies that spin freely between two balls, and that no relation holds; of those that spin as one, the first."""
        held = {name for relation in self.geometry.relations.values() for name in relation.bodies}
        held |= {name for spin in self.spins for name in spin.bodies}
        return (*(spin.name for spin in self.spins), *(name for name in self.plan.passive if name not in held))

    @property
    def steered(self) -> int:
        """Degrees of freedom that are no passive spins: what inputs or motors have to lead."""
        return self.mobility.free - len(self.passive)

    @cached_property
    def branches(self) -> Mapping[str, str]:
        """Of every block with a closed form, by its name, the branch in which it is assembled."""
        network, poses, p = self.planner.network, self.assembly.poses, self.geometry.defaults
        found = names_in_use(Situation(self.conditions, network, self.plan, poses, p))
        return {self.plan.blocks[place].name: name for place, name in found.items()}

    @property
    def redundant(self) -> tuple[str, ...]:
        """The redundant constraints by name."""
        return tuple(str(label) for label in self.mobility.redundant)

    @property
    def loops(self) -> tuple[tuple[str, ...], ...]:
        """The independent loops, each by its joints, the cut one first."""
        return tuple(tuple(link.name for link in loop.links) for loop in self.tree.loops)

    @property
    def cut_joints(self) -> tuple[str, ...]:
        return tuple(link.name for link in self.tree.cuts)

    def owner(self, point: str) -> str:
        """The body that carries a named point: one that lists it, or that a joint holds there; else the ground."""
        listed, pinned = self._carriers
        if point in listed:
            return listed[point][0]
        return pinned[point][0] if point in pinned and point not in self.geometry.ground_points else GROUND

    def local_point(self, body: str, point: str) -> ca.SX:
        """Local coordinates of a point of a body or of the ground; of a joint its seat there."""
        point = seat_of(self.model, body, point)
        if body != GROUND:
            own = self.geometry.bodies[body].points
            return own[point] if point in own else self.geometry.pins[body][point]
        return self.geometry.sketch_points[point]

    def never_part(self, between: tuple[str, str]) -> bool:
        """Whether joints hold two points, given by references, together at all times."""
        one, other = (self.model.locate(reference) for reference in between)
        return never_part(self.geometry, (one[0], self.local_point(*one)), (other[0], self.local_point(*other)))

    @cached_property
    def remarks(self) -> tuple[str, ...]:
        """Those of the model, and what its numbers tell: lines between two ends that are one place."""
        found = {name: getattr(force, "between", None) for name, force in self.model.forces.items() if force.pointwise}
        idle = [
            f"force {name} never acts: joints hold its ends {ends[0]} and {ends[1]} together, so that it has no length"
            for name, ends in found.items()
            if ends is not None and self.never_part(ends)
        ]
        return (*self.model.remarks, *idle)

    def named_points(self) -> Mapping[str, tuple[str, ca.SX]]:
        """All points with a name of their own: those of the sketch, and those of the bodies as 'body.point'.

        A sketch point that several bodies carry has one name where joints hold it together. Where a joint lets it slide
        apart, the name alone means the point of the first body, and the others are there as 'body.point'.
        """
        return self._named

    @cached_property
    def _named(self) -> Mapping[str, tuple[str, ca.SX]]:
        points: dict[str, tuple[str, ca.SX]] = {}
        for name in self.model.points:
            owner = self.owner(name)
            if owner != GROUND or name in self.geometry.ground_points:
                points[name] = (owner, self.local_point(owner, name))
            points |= {f"{body}.{name}": (body, self.local_point(body, name)) for body in self._apart(name, owner)}
        for body, declared in self.model.bodies.items():
            for name in declared.local_points:
                points[f"{body}.{name}"] = (body, self.local_point(body, name))
                points.setdefault(name, (body, self.local_point(body, name)))
        return points

    def _apart(self, point: str, owner: str) -> list[str]:
        """The bodies that carry a point without being held to the owner's by joints there."""
        held, (listed, pinned) = self.model.seats.held_with(owner, point), self._carriers
        carrying = {*listed.get(point, ()), *pinned.get(point, ())}
        apart = [name for name in carrying if name in self.geometry.bodies and (name, point) not in held]
        return sorted(apart, key=self._order.__getitem__)

    @cached_property
    def _carriers(self) -> tuple[Mapping[str, list[str]], Mapping[str, list[str]]]:
        """The bodies that list every point, and those that joints hold there."""
        listed: dict[str, list[str]] = {}
        pinned: dict[str, list[str]] = {}
        for name, body in self.geometry.bodies.items():
            for point in body.points:
                listed.setdefault(point, []).append(name)
        for name, points in self.geometry.pins.items():
            for point in points:
                pinned.setdefault(point, []).append(name)
        return listed, pinned

    @cached_property
    def _order(self) -> Mapping[str, int]:
        return {name: i for i, name in enumerate(self.geometry.bodies)}

    def carries(self, body: str, point: str) -> bool:
        """Whether a body that moves lists a point, or a joint holds it there."""
        return point in self.geometry.bodies[body].points or point in self.geometry.pins.get(body, {})

    def parameters(self, values: Mapping[str, float] | None = None) -> Array:
        """Values of the live parameters in their order; formulas that have no value with them are refused by name."""
        found = self.model.parameter_values(self.live | dict(values or {}))
        faults = [
            Fault(path, f"{formula} has no value with {', '.join(f'{name} = {found[name]:g}' for name in names)}")
            for path, formula, names in (self._varied if values or self.live else ())
            if value_or_none(formula, found) is None
        ]
        if faults:
            raise ModelError(faults, self.model.name or "model")
        if values or self.live:
            self._check(tuple((name, found[name]) for name in found if name in self._checked))
        return np.array([found[name] for name in self.geometry.parameter_names])

    @cached_property
    def _check(self) -> Callable[[tuple[tuple[str, float], ...]], None]:
        """Refuses values of parameters that cannot be; it remembers the last ones, as verbs ask more than once."""
        return lru_cache(maxsize=64)(
            lambda values: check_values(self.model, self.model.parameter_values() | dict(values))
        )

    @cached_property
    def _checked(self) -> frozenset[str]:
        """Parameters that are checked; others, such as the efforts of a controller, change at every step."""
        return names_of_numbers(self.model)

    @cached_property
    def live(self) -> dict[str, float]:
        """Live parameters with which it begins, where they are not those of the model."""
        known = self.model.parameter_values()
        given = zip(self.geometry.parameter_names, self.geometry.defaults.tolist(), strict=True)
        return {name: ReadNumber(value) for name, value in given if value != known[name]}

    @cached_property
    def _varied(self) -> list[tuple[str, Expression, list[str]]]:
        """Formulas of parameters alone that make the mechanism, with their paths and names; no plain numbers."""
        model, found = self.model, []
        for key in MAKING:
            for path, formula in expressions_in(getattr(model, key), key):
                names = sorted(formula.names())
                if names and all(name in model.parameters for name in names):
                    found.append((path, formula, names))
        return found

    @property
    def title(self) -> str:
        model = self.model
        title = model.name or "mechanism"
        counts = [many(self.freedoms, "degree of freedom", "degrees of freedom")]
        counts += [many(len(self.redundant), "redundant constraint")] if self.redundant else []
        counts += [many(len(model.bodies), "moving body", "moving bodies"), many(len(model.joints), "joint")]
        drivers = self.drives.names
        counts += [many(len(drivers), "driver")] if drivers else []
        counts += [many(len(model.forces), "force element")] if model.forces else []
        return f"{title} ({model.space}): {', '.join(counts)}"

    def report(self) -> list[Text]:
        """Freedoms, loops, redundant constraints, drivers, the plan and its branches in a page of text."""
        return [Sections(ask("reports", "page")(self))]

    def columns(self) -> list[Column]:
        """The joints: whom they connect, what they leave free, and where loops are cut."""
        joints, cut = self.model.joints, set(self.cut_joints)
        return [
            Column("joint", list(joints)),
            Column("kind", [joint.kind for joint in joints.values()]),
            Column("parent", [joint.parent for joint in joints.values()]),
            Column("child", [joint.child for joint in joints.values()]),
            Column("freedoms", [len(joint.freedoms) for joint in joints.values()], "1"),
            Column("in", ["cut" if name in cut else "tree" for name in joints]),
        ]


def many(count: int, one: str, several: str | None = None) -> str:
    return f"{count} {one if count == 1 else several or one + 's'}"
