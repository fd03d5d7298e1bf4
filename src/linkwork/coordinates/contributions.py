"""What all elements contribute, gathered once: conditions, states, generalised forces, wrenches on bodies, energies.

A force f at a point with velocity w(q, v), linear in v, gives Q = (∂w/∂v)ᵀ f, in every kind of coordinates. Unknowns of a
relation stand behind those of the bodies. They share no inertia with these: their rows and columns of M have what they say
on the diagonal, and nothing else; those without any are determined by the conditions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import casadi as ca
import numpy as np

from linkwork.coordinates.acting import acted, check_readings, inside_bodies, known_symbols
from linkwork.coordinates.base import Array, ConstraintRow, Kinematics, constraint_row
from linkwork.coordinates.clearing import clearings
from linkwork.coordinates.coming import Coming, Connected, Grip, OneSided
from linkwork.coordinates.driving import driven
from linkwork.coordinates.meshing import MESH, meshes_of
from linkwork.coordinates.motion import Motion
from linkwork.coordinates.naming import Lookup
from linkwork.coordinates.rubbing import RUBBING, rubbings_of
from linkwork.coordinates.scene import MovingScene
from linkwork.coordinates.stops import STOP, limited, stops_of
from linkwork.coordinates.touching import TOUCHING, touching_of
from linkwork.elements.contribution import Condition, Contribution, Load, OwnState, Placement
from linkwork.elements.forces.moving_base import moving_base
from linkwork.errors import RefusedError
from linkwork.model import Model
from linkwork.outline import outlined
from linkwork.position.assembly import Assembly
from linkwork.position.geometry import GROUND, Geometry
from linkwork.position.labels import relation_label

BASE = "base"  # name of the inertia forces of a ground that moves, among the force elements


@outlined
@dataclass(frozen=True, eq=False)
class Loading:
    """All applied forces but gravity: generalised (nv), as loads on bodies, and with their energies.

    The potential energy is that of all elements and of gravity; the kinetic energy that of parts which elements have
    for themselves. actions: the force elements.
    """

    generalised: ca.SX
    loads: tuple[Load, ...]
    potential: ca.SX
    kinetic: ca.SX
    states: tuple[OwnState, ...]
    actions: Mapping[str, Contribution]

    @property
    def by_element(self) -> dict[str, ca.SX]:
        """All values that each force element applies, for diagnosis."""
        return {name: _values(action) for name, action in self.actions.items()}


@dataclass(frozen=True, eq=False)
class Contributed:
    """Of all elements: conditions, those on velocities last; states that conditions read; constants; forces."""

    rows: tuple[ConstraintRow, ...]
    states: tuple[OwnState, ...]
    constants: tuple[OwnState, ...]
    loading: Loading
    limits: tuple[Coming, ...]


# -- unknowns of their own -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Related:
    """What relations give, and drivers that guide bodies: their unknowns, which stand behind q and v, and contributions."""

    kinematics: Kinematics
    unknowns: Mapping[str, ca.SX]
    items: Mapping[str, Contribution]


def relate(geometry: Geometry, kinematics: Kinematics, t: ca.SX) -> Related:
    """Put the unknowns of all relations behind q and v, and ask these what they contribute."""
    k, q = _with_unknowns(geometry, kinematics)
    items = {
        name: relation.contribute(Placement(geometry.space, k.frames, t, q[name], k.twists)).plain
        for name, relation in geometry.relations.items()
    }
    return Related(k, q, items)


def _with_unknowns(geometry: Geometry, k: Kinematics) -> tuple[Kinematics, dict[str, ca.SX]]:
    q, v = {}, {}
    names: list[str] = []
    scales: list[float] = []
    masses: list[ca.SX] = []
    for name, relation in geometry.relations.items():
        count = len(relation.unknowns)
        q[name], v[name] = ca.SX.sym(f"u_{name}", count), ca.SX.sym(f"w_{name}", count)
        names += [f"{name}.{unknown.name}" for unknown in relation.unknowns]
        scales += [k.length if unknown.is_length else 1.0 for unknown in relation.unknowns]
        masses += [ca.SX(1, 1) if unknown.mass is None else unknown.mass for unknown in relation.unknowns]
    if not names:
        return k, q
    own, rates = ca.vertcat(*q.values()), ca.vertcat(*v.values())
    return k.extended(own, rates, (names, [f"{name}'" for name in names]), scales, ca.diagcat(*masses)), q


def own_rates(motion: Motion, relation: str) -> ca.SX:
    """The rates of the unknowns of a relation."""
    names = [f"{relation}.{unknown.name}'" for unknown in motion.geometry.relations[relation].unknowns]
    return ca.vertcat(ca.SX(0, 1), *[motion.kinematics.v[motion.kinematics.v_names.index(name)] for name in names])


def place_unknowns(geometry: Geometry, assembly: Assembly) -> tuple[Array, Array]:
    """Values and rates of the unknowns of all relations at an assembled position."""
    names = [name for name, relation in geometry.relations.items() if relation.unknowns]
    q = np.concatenate([np.zeros(0), *(assembly.poses[name].origin for name in names)])
    return q, np.concatenate([np.zeros(0), *(assembly.twists[name] for name in names)])


# -- all that they give --------------------------------------------------------------------------------------------------


def gather(lookup: Lookup, *, stops: bool, rubs: bool, touching: bool) -> Contributed:
    """Ask every element of the model, and put together what they contribute.

    stops: rigid ones of joints too, those that give way are forces and always act; rubs: friction of joints too
    touching: contacts as conditions that come and go
    """
    model, geometry, scene = lookup.model, lookup.motion.geometry, MovingScene(lookup)
    kinds = {name: relation_label(relation) for name, relation in geometry.relations.items()}
    holding = [(kinds[name], name, item) for name, item in lookup.related.items()]
    holding += [("driver", name, driven(lookup, scene, name).plain) for name in lookup.topology.drives.keys]
    holding += [("coupling", name, coupled.contribute(scene).plain) for name, coupled in geometry.couplings.items()]
    length = lookup.motion.kinematics.length
    ends = [*stops_of(model, scene, length, every=stops)]
    holding += [(STOP, name, item) for name, rigid, item in ends if rigid]
    meshes = [*meshes_of(scene, length, every=stops)]
    holding += [(MESH, name, item) for name, rigid, item in meshes if rigid]
    loose = [*clearings(scene, length, every=touching, rubs=rubs)]
    holding += [(TOUCHING, name, item) for name, rigid, item in loose if rigid]
    holding += [(RUBBING, name, item) for name, item in rubbings_of(model, scene)] if rubs else []
    holding += [(TOUCHING, name, item) for name, item in touching_of(scene, length, rubs=rubs)] if touching else []
    actions, known = inside_bodies(lookup), known_symbols(lookup)
    actions |= {name: acted(lookup, known, name, force.contribute(scene)) for name, force in model.forces.items()}
    actions |= {name: item for name, rigid, item in (*ends, *meshes, *loose) if not rigid}
    if model.base is not None:
        actions[BASE] = moving_base(scene.space, scene.base, scene.masses())
    limits = tuple(limit for kind, name, item in holding for limit in _coming(kind, name, item, length))
    selectors = {(limit.label.element, limit.label.group): limit.selector for limit in limits}
    rows = [_row(kind, name, c, length, selectors) for kind, name, item in holding for c in item.conditions]
    states = tuple(own for name, item in actions.items() for own in _owned(name, item.states, "force"))
    every = [(name, item) for _, name, item in holding] + list(actions.items())
    _check_own_forces(geometry, dict(every))
    axes = tuple(f"f{axis}" for axis in scene.space.axis_names)
    check_readings(dict(every), {name: (*axes, *item.pushes) for name, item in lookup.related.items()})
    actions |= {name: item for kind, name, item in holding if _acts(item) or kind in (TOUCHING, MESH)}
    return Contributed(
        rows=tuple(sorted(rows, key=lambda row: row.label.level == "velocity")),
        states=tuple(own for _, name, item in holding for own in _owned(name, item.states, "driver")),
        constants=tuple(own for name, item in every for own in _owned(name, item.constants, "constant")),
        loading=_loading(lookup.motion, actions, states),
        limits=limits,
    )


def acts_at_times(model: Model) -> bool:
    """Whether joints have stops or friction that is known, bodies touch, or are held for a while."""
    joints = any(True for _ in limited(model)) or any(joint.rubs for joint in model.joints.values())
    joints = joints or any(joint.clearance is not None and joint.clearance.touches for joint in model.joints.values())
    joints = joints or any(coupling.play is not None for coupling in model.couplings.values())
    return joints or bool(model.contacts or model.switches)


def _check_own_forces(geometry: Geometry, items: Mapping[str, Contribution]) -> None:
    """Refuse forces along unknowns that there are not, and masses that are none."""
    for name, item in items.items():
        unknowns = geometry.relations[name].unknowns if name in geometry.relations else ()
        if len(item.own_forces) not in (0, len(unknowns)):
            raise RefusedError(
                f"'{name}': its Contribution has {len(item.own_forces)} own_forces; they are one for each unknown of a "
                f"relation, and it has {len(unknowns)}"
            )
        for unknown in unknowns:
            mass = None if unknown.mass is None else float(geometry.number(unknown.mass))
            if mass is not None and not 0.0 < mass < np.inf:
                raise RefusedError(
                    f"'{name}': the mass of its unknown '{unknown.name}' is {mass:g}; it is positive, or None where the "
                    "conditions determine the unknown"
                )


def _acts(item: Contribution) -> bool:
    """Whether something that holds bodies also pushes by itself, or moves."""
    return bool(item.loads or item.efforts or item.own_forces or not item.kinetic.is_zero())


def _coming(kind: str, name: str, item: Contribution, length: float) -> Iterator[Coming]:
    """The conditions of an element that come and go."""
    if item.joined is not None:
        first, joined = constraint_row(kind, name, item.conditions[0], length), item.joined
        selector = ca.SX.sym(f"{name} holds")
        yield Connected(name, first.label, selector, joined.words, joined.while_held, (), joined.start)
    yield from _limits(kind, name, item, length)
    for grip in item.of("grip"):
        assert grip.grasp is not None
        own = f"{name}.{RUBBING}" if grip.grasp.on else name
        label, selector = constraint_row(kind, name, grip, length).label, ca.SX.sym(f"{own} {grip.component} holds")
        said = grip.words, grip.while_held, grip.unit
        yield Grip(own, label, selector, *said, grip.residual, *vars(grip.grasp).values())


def _limits(kind: str, name: str, item: Contribution, length: float) -> Iterator[OneSided]:
    """Its limits; beside each there may be conditions on velocities in its group."""
    limits = item.of("limit")
    for limit in limits:
        others = [c for c in item.conditions if c.switched == limit.switched and c is not limit]
        wrong = [c.component for c in others if c.level != "velocity"]
        if wrong:
            raise RefusedError(
                f"{kind} '{name}': '{limit.component}' and '{wrong[0]}' are in one group, '{limit.switched}': of these one "
                "comes and goes, and the others are conditions on velocities; give them groups of their own"
            )
        own = f"{name}.{limit.switched}" if len(limits) > 1 or kind == STOP else name
        label, back = constraint_row(kind, name, limit, length).label, limit.restitution
        selector, rest = ca.SX.sym(f"{own} holds"), ca.SX(0) if back is None else back
        said = limit.words, limit.while_held, limit.unit
        yield OneSided(own, label, selector, *said, limit.residual, rest, limit.lever, limit.remedy)


def _row(
    kind: str, name: str, condition: Condition, length: float, selectors: Mapping[tuple[str, str], ca.SX]
) -> ConstraintRow:
    row = constraint_row(kind, name, condition, length)
    return replace(row, residual=selectors.get((name, condition.switched), 1) * condition.residual)


def _owned(name: str, states: tuple[OwnState, ...], role: str) -> list[OwnState]:
    return [replace(own, name=f"{name}.{own.name}", role=role) for own in states]


def _loading(motion: Motion, actions: Mapping[str, Contribution], states: tuple[OwnState, ...]) -> Loading:
    generalised = ca.SX(motion.kinematics.v.numel(), 1)
    loads: list[Load] = []
    for name, action in actions.items():
        generalised += applied(motion, name, action)
        loads += action.loads
        for item in action.efforts:
            loads += effort_loads(motion, item.joint, item.freedom, item.value)
    return Loading(
        generalised=generalised,
        loads=tuple(loads),
        potential=sum((action.potential for action in actions.values()), motion.weight_potential()),
        kinetic=sum((action.kinetic for action in actions.values()), ca.SX(1, 1)),
        states=states,
        actions=actions,
    )


def applied(motion: Motion, name: str, action: Contribution) -> ca.SX:
    """The generalised forces (nv) of one element."""
    found = ca.SX(motion.kinematics.v.numel(), 1)
    if action.own_forces:
        found += _project(motion, own_rates(motion, name), ca.vertcat(*action.own_forces))
    for load in action.loads:
        found += _power_of_load(motion, load)
    for item in action.efforts:
        found += _project(motion, joint_rate(motion, item.joint, item.freedom), item.value)
    return found


def _values(action: Contribution) -> ca.SX:
    loads = [ca.vertcat(load.force, load.moment) for load in action.loads]
    return ca.vertcat(*loads, *[item.value for item in action.efforts], *action.own_forces)


def _project(motion: Motion, velocity: ca.SX, force: ca.SX) -> ca.SX:
    v = motion.kinematics.v
    return ca.jacobian(velocity, v).T @ force if v.numel() else ca.SX(0, 1)


def load_velocity(motion: Motion, load: Load) -> tuple[ca.SX, ca.SX]:
    """Velocity of the point on which a load acts, and the angular velocity there."""
    frame, twist = motion.kinematics.frames[load.body], motion.kinematics.twists[load.body]
    arm, omega = load.at - frame.origin, twist.omega if load.omega is None else load.omega
    if frame.seat is not None:
        return _moving_place(motion, load), omega
    if load.body not in motion.kinematics.of_points:
        return twist.at(motion.geometry.space, arm), omega
    # a combination of the velocities of its points: a force along a bar is a load of the bar
    local = ca.SX.sym("local", arm.numel())
    velocity = motion.drift(frame.origin + frame.axes @ local)
    return ca.substitute(velocity, local, ca.densify(frame.axes.T @ arm)), omega


def _moving_place(motion: Motion, load: Load) -> ca.SX:
    """The velocity of a place that moves in its body."""
    if load.velocity is not None:
        return load.velocity
    if load.force.is_zero():
        return load.force
    kind = motion.geometry.bodies[load.body].kind.name
    raise RefusedError(
        f"body '{load.body}' is {kind} and changes its shape: it takes forces at its named points; hold a rigid body there "
        "that takes them elsewhere"
    )


def _power_of_load(motion: Motion, load: Load) -> ca.SX:
    if load.body == GROUND:
        return ca.SX(motion.kinematics.v.numel(), 1)
    velocity, omega = load_velocity(motion, load)
    return _project(motion, velocity, load.force) + _project(motion, omega, load.moment)


def unfelt(motion: Motion, loading: Loading) -> list[ca.SX]:
    """What loads have on places that nothing moves: no equation contains it, and reactions do."""
    found, v = list[ca.SX](), motion.kinematics.v
    for load in (load for action in loading.actions.values() for load in action.loads):
        if load.body != GROUND:
            velocity, omega = load_velocity(motion, load)
            found += [
                value for value, rate in ((load.force, velocity), (load.moment, omega)) if not ca.depends_on(rate, v)
            ]
    return [value for value in found if not value.is_constant()]


def joint_rate(motion: Motion, joint: str, freedom: int) -> ca.SX:
    """The rate along which an effort acts: of a coordinate, of a joint or a body's own, or of a spin, u·(ω_b − ω_a)."""
    geometry, kinematics = motion.geometry, motion.kinematics
    if joint in kinematics.own:
        return kinematics.own[joint][1][freedom]
    declared = geometry.joints[joint]
    named = declared.kind.freedoms(geometry.space)[freedom]
    if named.kind != "spin":
        return motion.coordinates[joint, named.name].rate
    _, moment = declared.kind.efforts(geometry.space, *declared.frames(kinematics.frames))[freedom]
    return ca.dot(moment, motion.spin(joint))


def effort_loads(motion: Motion, joint: str, freedom: int, value: ca.SX) -> list[Load]:
    """An effort on the child and its opposite on the parent, at the same place; inside a body it is no load."""
    geometry = motion.geometry
    if joint in motion.kinematics.own:
        return []
    declared = geometry.joints[joint]
    a, b = declared.frames(motion.kinematics.frames)
    force, moment = declared.kind.efforts(geometry.space, a, b)[freedom]
    return [
        Load(declared.child, b.origin, force * value, moment * value),
        Load(declared.parent, b.origin, -force * value, -moment * value),
    ]
