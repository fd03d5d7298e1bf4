"""``analyse(model)``: resolve, connect, assemble, and find out how the mechanism can move."""

from __future__ import annotations

import copyreg
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from linkwork.errors import Fault, ModelError, RefusedError
from linkwork.model import Model
from linkwork.position.assembly import Assembly, check_bounds
from linkwork.position.condition_rows import condition_rows, relations_of
from linkwork.position.drives import Drives, FreedomName
from linkwork.position.geometry import GROUND, Array, Geometry, Pose
from linkwork.position.opening import loop_of
from linkwork.position.placing import assemble_near, assemble_positions
from linkwork.position.poses import PoseConditions, wrap
from linkwork.position.preference import preference
from linkwork.position.redrawn import redrawn, ways_taken
from linkwork.position.velocities import assemble_velocities
from linkwork.topology.graph.graph import Link, SpanningTree, spanning_tree
from linkwork.topology.mobility.mobility import Mobility, find_mobility
from linkwork.topology.mobility.singularity import drives_nearby
from linkwork.topology.modes.chosen_branches import check_branches, place_in_branches
from linkwork.topology.modes.situation import Situation
from linkwork.topology.plan import blocks
from linkwork.topology.plan.blocks import Plan
from linkwork.topology.plan.planning import Planner
from linkwork.topology.resolve import resolve
from linkwork.topology.targets import position_targets, rate_targets
from linkwork.topology.topology import Topology

SAME = 1e-9  # rad, or part of the size of the mechanism: a coordinate that has moved by less has not


def analyse(model: Model, near: Mapping[str, Pose] | None = None, drives: Drives | None = None) -> Topology:
    """Analyse a model: tree, loops, assembled position, mobility and redundancy. The result prints as a report.

    near: for verbs that go on from a pose, the poses of all bodies near which it is put together, with the unknowns of
    relations; by default the sketch, with what ``start`` says of it. It is not the same: ``start`` belongs to the model, its
    free coordinates are held as in a sketch, and ``branches`` count. A user writes ``start``.
    drives: others than those that the model says
    """
    return _analysed(drives or Drives.of(model), _conditions(model), near)


def _conditions(model: Model) -> PoseConditions:
    geometry = resolve(model)
    return PoseConditions(geometry, sketch_size(geometry))


def restored(drives: Drives, near: Mapping[str, Pose] | None, assembly: Assembly, p: Array) -> Topology:
    """An analysis that was kept, as it was: expressions are made again from the model."""
    conditions = _conditions(drives.model).beginning(p, drives.time)
    return replace(_analysed(drives, conditions, near), assembly=assembly)


def _kept(topology: Topology) -> tuple[Callable[..., Topology], tuple[object, ...]]:
    return restored, (topology.drives, topology.near, topology.assembly, topology.geometry.defaults)


copyreg.pickle(Topology, _kept)


def with_drives(topology: Topology, drives: Drives, near: Mapping[str, Pose] | None = None) -> Topology:
    """The same mechanism with other drives: it is put together and planned with them; geometry and conditions are shared."""
    return _analysed(drives, topology.conditions, topology.near if near is None else near)


def begun_at(topology: Topology, drives: Drives, assembly: Assembly, p: Array) -> Topology:
    """The same mechanism as it begins in a state: poses and velocities of all bodies, live parameters, and a time."""
    found = _analysed(drives, topology.conditions.beginning(p, drives.time), assembly.poses)
    return replace(found, assembly=replace(found.assembly, poses=assembly.poses, twists=assembly.twists))


def _analysed(drives: Drives, conditions: PoseConditions, near: Mapping[str, Pose] | None) -> Topology:
    model, geometry, time = drives.model, conditions.geometry, drives.time
    conditions = conditions.at(time)
    poses, kept = _place(drives, conditions, geometry.defaults, time, near)
    planner = _plan(drives, conditions, poses, geometry.defaults)
    if model.branches and near is None:
        poses, kept = _change_branches(drives, conditions, planner, geometry.defaults, time, poses, kept=kept)
        planner = _plan(drives, conditions, poses, geometry.defaults, planner.best.inputs)
    tree = _connect(geometry, model, planner.best)
    rows = condition_rows(drives, conditions, poses, geometry.defaults)
    mobility = find_mobility(conditions, poses, geometry.defaults, rows, [link.name for link in tree.cuts])
    _check_drivers(drives, conditions, poses, mobility)
    assembly = _drawn(_set_moving(drives, conditions, geometry.defaults, time, poses, kept), near)
    return Topology(model, geometry, tree, conditions, assembly, mobility, planner, drives, near)


def _check_drivers(drives: Drives, conditions: PoseConditions, poses: Mapping[str, Pose], mobility: Mobility) -> None:
    """Refuse drivers that have nothing to move."""
    repeated = dict.fromkeys(mobility.repeated_drivers)
    if repeated:
        faults = [_driver_fault(drives, conditions, poses, name, mobility.by_rank) for name in repeated]
        raise ModelError(faults, drives.model.name or "model")


def check_drives(topology: Topology, poses: Mapping[str, Pose], p: Array) -> None:
    """Refuse drivers and inputs that have nothing to move in given poses, as in those of the analysis."""
    rows = condition_rows(topology.drives, topology.conditions, poses, p)
    mobility = find_mobility(topology.conditions, poses, p, rows, topology.cut_joints)
    _check_drivers(topology.drives, topology.conditions, poses, mobility)


def assemble(topology: Topology, p: Array, time: float | None = None, drives: Drives | None = None) -> Assembly:
    """Put the mechanism together near its sketch, with the values and speeds that drivers and ``initial`` ask for.

    drives: with other values at the start, or other numbers of its inputs
    """
    asked = drives or topology.drives
    time = asked.time if time is None else time
    conditions = topology.conditions.at(time)
    poses, kept = _place(asked, conditions, p, time, topology.near, topology.assembly.kept)
    if asked.model.branches and topology.near is None:
        poses, kept = _change_branches(asked, conditions, topology.planner, p, time, poses, kept=kept)
    return _drawn(_set_moving(asked, conditions, p, time, poses, kept), topology.near)


def _drawn(assembly: Assembly, near: Mapping[str, Pose] | None) -> Assembly:
    """An assembly without a word on the sketch, where other poses were meant."""
    return assembly if near is None else replace(assembly, redrawn=(), ways=())


def assemble_from(topology: Topology, poses: Mapping[str, Pose], p: Array, time: float = 0.0) -> Assembly:
    """Put the mechanism together near given poses, with the speeds that drivers and ``initial`` ask for."""
    drives, conditions = topology.drives, topology.conditions.at(time)
    targets = position_targets(drives, conditions, p, time)
    driven = [target for target in targets if target.asked_by.startswith("drivers.")]
    return _set_moving(drives, conditions, p, time, assemble_near(conditions, p, poses, driven), ())


def situate(topology: Topology, p: Array) -> Situation:
    """The plan at the position in which the mechanism is assembled with given parameters."""
    default = np.array_equal(p, topology.geometry.defaults)
    assembly = topology.assembly if default else assemble(topology, p)
    return _situation(topology.conditions, topology.planner, p, assembly.poses)


def situated(topology: Topology, p: Array, poses: Mapping[str, Pose], time: float) -> Situation:
    """The plan at a position with given parameters, at a time."""
    return _situation(topology.conditions.at(time), topology.planner, p, poses)


def refuse_loose_modes(topology: Topology) -> None:
    """Refuse to look for assembly modes of bodies that change their shape, and of relations that the inputs do not hold."""
    topology.geometry.require_shape(topology.geometry.bodies, "assembly modes")
    plan, relations = topology.planner.best, topology.geometry.relations
    if relations and (topology.steered > len(plan.inputs) or not plan.complete):
        raise RefusedError(
            f"the modes of a mechanism with relations between bodies ({', '.join(relations)}) are searched for with all of "
            "it held: give drivers to what can move, or find another position without a dead centre"
        )


def _situation(conditions: PoseConditions, planner: Planner, p: Array, poses: Mapping[str, Pose]) -> Situation:
    network = replace(planner.network, relations=tuple(_plan_relations(conditions, p)))
    return Situation(conditions, network, planner.best, poses, p)


def _plan(
    drives: Drives,
    conditions: PoseConditions,
    poses: Mapping[str, Pose],
    p: Array,
    inputs: tuple[blocks.Key, ...] | None = None,
) -> Planner:
    rows = condition_rows(drives, conditions, poses, p)
    return Planner(drives, conditions, poses, p, rows, _plan_relations(conditions, p), inputs=inputs)


def _change_branches(
    drives: Drives,
    conditions: PoseConditions,
    planner: Planner,
    p: Array,
    time: float,
    poses: dict[str, Pose],
    *,
    kept: tuple[str, ...],
) -> tuple[dict[str, Pose], tuple[str, ...]]:
    """From the branches of the sketch to those that the model names, with all that drivers and ``initial`` ask for."""
    conditions.geometry.require_shape(conditions.bodies, "branches", "leave them out")
    start = place_in_branches(drives.model, _situation(conditions, planner, p, poses))
    targets = position_targets(drives, conditions, p, time)
    placed = assemble_near(conditions, p, start, targets)
    check_branches(drives.model, _situation(conditions, planner, p, placed))
    moved = conditions.readings_at(placed, p) - conditions.readings_at(poses, p)
    unmoved = {
        f"{reading.element}.{reading.name}"
        for i, reading in enumerate(conditions.readings)
        if abs(wrap(moved[i]) if reading.wraps else moved[i]) < SAME * conditions.units[i]
    }
    return placed, tuple(name for name in kept if name in unmoved)


def _place(
    drives: Drives,
    conditions: PoseConditions,
    p: Array,
    time: float,
    near: Mapping[str, Pose] | None,
    known: Sequence[str] = (),
) -> tuple[dict[str, Pose], tuple[str, ...]]:
    """Poses with all joints closed, and the coordinates that kept their sketched values: the *known* ones where they can."""
    targets = position_targets(drives, conditions, p, time)
    if near is not None:
        return assemble_near(conditions, p, near, targets), ()
    named = [conditions.index(*name.rpartition(".")[::2]) for name in known]
    return assemble_positions(conditions, p, targets, preference(conditions, drives.initial), named)


def _set_moving(
    drives: Drives, conditions: PoseConditions, p: Array, time: float, poses: dict[str, Pose], kept: tuple[str, ...]
) -> Assembly:
    """Add the velocities to placed bodies."""
    check_bounds(conditions, poses, p)
    rates = rate_targets(drives, conditions, p, time)
    relations = relations_of(conditions, p)
    preferred = preference(conditions, drives.initial)
    twists, changed = assemble_velocities(conditions, p, poses, rates, relations, preferred)
    phi = conditions.residuals_at(poses, p)
    residual = float(np.max(np.abs(phi), initial=0.0)) * conditions.length
    moved, told = _moved(conditions.geometry, poses, p), redrawn(conditions, p, poses, kept)
    targets = position_targets(drives, conditions, p, time)
    given = [conditions.readings[item.reading] for item in targets if item.asked_by.startswith("initial.")]
    names = tuple(f"{reading.element}.{reading.name}" for reading in given)
    ways = ways_taken(conditions, p, poses, targets, preferred)
    return Assembly(poses, twists, residual, moved, kept, changed, names, told, ways)


def sketch_size(geometry: Geometry) -> float:
    """The size of the sketch in metres: the diagonal of the box around all points (1 when there is only one)."""
    poses = geometry.sketch()
    places = [
        poses[name].point(np.atleast_1d(geometry.number(point)))
        for name, body in geometry.bodies.items()
        for point in body.places
    ]
    places += [np.atleast_1d(geometry.number(point)) for point in geometry.ground_points.values()]
    size = float(np.linalg.norm(np.ptp(np.array(places), axis=0))) if places else 0.0
    return size if size > 0 else 1.0


def _connect(geometry: Geometry, model: Model, plan: Plan) -> SpanningTree:
    """The tree of the plan: every block closes with joints of its own."""
    links = [Link(name, joint.parent, joint.child, int(name not in plan.tree)) for name, joint in model.joints.items()]
    return spanning_tree(GROUND, geometry.outward, links)


def _driver_fault(
    drives: Drives, conditions: PoseConditions, poses: Mapping[str, Pose], name: str, freedoms: int
) -> Fault:
    """A driver that has nothing to move; *freedoms*: of the mechanism without drivers."""
    key = drives.keys.get(name)
    what = drives.model.guides[name].reference if key is None else f"joint {key[0]}"
    if freedoms == 0:
        reason = f"moves {what}, but nothing can move: the mechanism is a structure, its mobility is 0"
        hint = "take away the driver for its reactions; to let it move, take away a body or a joint of its loop"
        return Fault(f"drivers.{name}", reason, f"{hint}{_loop_text(conditions, key)}")
    if drives_nearby(drives, conditions, poses, conditions.geometry.defaults, name):
        reason = f"moves {what}, which is at a dead centre here: nothing says which way the rest of the loop turns"
        return Fault(f"drivers.{name}", reason, "start a little way from the dead centre, or drive another joint")
    others = [other for other in drives.names if other != name]
    if not others:
        reason = f"moves {what}, which the closed loops hold: its degrees of freedom ({freedoms}) are elsewhere"
        return Fault(f"drivers.{name}", reason, f"drive another joint{_loop_text(conditions, key)}")
    reason = (
        f"moves {what}, which the other drivers ({', '.join(others)}) and the closed loops determine already: the "
        f"mechanism has {freedoms} degree{'' if freedoms == 1 else 's'} of freedom for {len(drives.names)} drivers"
    )
    return Fault(
        f"drivers.{name}",
        reason,
        "remove this driver, or drive as many joints as there are degrees of freedom",
    )


def _loop_text(conditions: PoseConditions, key: FreedomName | None) -> str:
    loop = None if key is None else loop_of(conditions, key[0])
    return "" if loop is None else f" ({' - '.join(loop[0])})"


def _plan_relations(conditions: PoseConditions, p: Array) -> list[blocks.LinearRelation]:
    """The couplings as a plan knows them."""
    geometry = conditions.geometry
    return [
        blocks.LinearRelation(
            name, tuple((geometry.key(t.joint, t.freedom), float(geometry.number(t.factor, p))) for t in coupled.terms)
        )
        for name, coupled in geometry.couplings.items()
    ]


def _moved(geometry: Geometry, poses: Mapping[str, Pose], p: Array) -> float:
    """The largest distance of a point from where the sketch has it."""
    largest = 0.0
    drawn = geometry.sketch(p)
    for name, body in geometry.bodies.items():
        for point in body.points.values():
            local = np.atleast_1d(geometry.number(point, p))
            largest = max(largest, float(np.linalg.norm(poses[name].point(local) - drawn[name].point(local))))
    return largest
