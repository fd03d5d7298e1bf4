"""Stage 3: from a topology and a coordinate kind to expressions of everything the equations of motion need."""

from __future__ import annotations

import copyreg
from collections.abc import Callable, Iterable, Mapping
from functools import partial

import casadi as ca
import numpy as np

from linkwork.algebra.expressions.switches import FREE
from linkwork.coordinates.base import Array, ConstraintRow, CoordinateKind, Later
from linkwork.coordinates.by_body import ByBody
from linkwork.coordinates.coming import Connected, Grip
from linkwork.coordinates.contributions import Contributed, gather, place_unknowns, relate
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.driving import MovedInput, asked_angles, input_motions
from linkwork.coordinates.effective import effective_rows
from linkwork.coordinates.gearing import with_gears
from linkwork.coordinates.mixed import Mixed
from linkwork.coordinates.motion import Motion, trace_motion
from linkwork.coordinates.multipliers import Asked, require_affine, settle, with_rows
from linkwork.coordinates.naming import Lookup
from linkwork.coordinates.natural import Natural
from linkwork.coordinates.reference_point import ReferencePoint
from linkwork.coordinates.relative import Relative
from linkwork.coordinates.spinning import hold_spins
from linkwork.elements.contribution import OwnState
from linkwork.errors import RefusedError, did_you_mean
from linkwork.plugins import discover
from linkwork.position.assembly import Assembly
from linkwork.topology.as_drawn import AsDrawn
from linkwork.topology.topology import Topology

KindChoice = str | CoordinateKind | Mapping[str, str | CoordinateKind]
"""A kind of coordinates by name or as an object, or one for each body."""

ALL_COORDINATES: list[CoordinateKind] = [Relative(), ReferencePoint(), Natural(), Mixed()]


def number(
    topology: Topology,
    kind: KindChoice = "relative",
    *,
    stops: bool = False,
    rubs: bool | None = None,
    touching: bool = True,
) -> Coordinates:
    """Number the unknowns of a mechanism in the given kind of coordinates.

    stops: those of joints act; rubs: joints rub, by default where stops act
    touching: contacts act where stops do, as conditions, and are not left to time stepping
    """
    rubs = stops if rubs is None else rubs
    chosen = coordinate_kind(kind)
    c, asked = _numbered(topology, chosen, stops=stops, rubs=rubs, touching=touching)
    if not asked:
        return c
    having = with_rows(topology, chosen, c.rows, asked)
    if having is not chosen:
        c, asked = _numbered(topology, having, stops=stops, rubs=rubs, touching=touching)
    require_affine(c, asked)
    return settle(c, asked, *place_state(c, topology.assembly, topology.geometry.defaults))


def _kept(c: Coordinates) -> tuple[Callable[..., Coordinates], tuple[object, ...]]:
    """Coordinates as what they are numbered from."""
    if c.p.numel() != c.geometry.parameters.numel() + len(c.constants):
        raise RefusedError("coordinates with motors are not kept: keep those without, or what was found with them")
    return partial(number, stops=c.stops, rubs=c.rubs, touching=c.touching), (c.topology, c.kind)


copyreg.pickle(Coordinates, _kept)


def _numbered(
    topology: Topology, chosen: CoordinateKind, *, stops: bool, rubs: bool, touching: bool
) -> tuple[Coordinates, Asked]:
    """The coordinates, and the symbols of multipliers that forces read."""
    geometry = topology.geometry
    described = hold_spins(topology, chosen.describe(geometry, topology.tree))
    for name, body in geometry.bodies.items():
        if body.kind.unknowns and name not in described.own:
            geometry.rigid(name, f"{chosen} coordinates")
    t = ca.SX.sym("t")
    related, inputs = relate(geometry, described, t), input_motions(topology.drives, t)
    motion = trace_motion(geometry, related.kinematics, asked_angles(topology.drives, geometry, t, inputs))
    lookup = Lookup(topology, motion, t, related.items, {name: item.value for name, item in inputs.items()})
    gathered = gather(lookup, stops=stops, rubs=rubs, touching=stops and touching)
    rows, loading = (*effective_rows(geometry, described), *gathered.rows), gathered.loading
    motion = with_gears(motion, loading.actions)
    switches = tuple(lookup.switches.found)
    constants = _constants(lookup, gathered, inputs.values())
    p = ca.vertcat(geometry.parameters, *[constant.symbol for constant in constants])
    jacobian, a, b = _differentiate(motion, rows, t, gathered.states)
    found = Coordinates(
        topology=topology,
        kind=chosen,
        motion=motion,
        unknowns=related.unknowns,
        related=related.items,
        loading=loading,
        rows=rows,
        auxiliaries=(*motion.counters, *gathered.states, *loading.states),
        constants=constants,
        drawn=tuple(number for _, number in lookup.drawn.values()),
        limits=gathered.limits,
        stops=stops,
        rubs=rubs,
        touching=touching,
        switches=switches,
        t=t,
        p=p,
        jacobian=jacobian,
        a=a,
        b=b,
        driving=Later(lambda: motion.kinematics.bias + loading.generalised),
    )
    return found, lookup.multipliers


def _constants(lookup: Lookup, gathered: Contributed, inputs: Iterable[MovedInput]) -> tuple[OwnState, ...]:
    """What p holds behind the live parameters; selectors of what comes and goes last."""
    given = [number for item in inputs for number in item.numbers] + [own for own, _ in lookup.drawn.values()]
    settled = [*lookup.motion.constants, *gathered.constants, *lookup.settled.values()]
    limits, switches = ([item.selector for item in items] for items in (gathered.limits, lookup.switches.found))
    grips = [item.direction for item in gathered.limits if isinstance(item, Grip)]
    sides = [ca.SX.sym(f"{name} side {i}") for name, item in lookup.model.switches.items() for i in range(item.sides)]
    first = {str(item.selector): ca.SX(1) for item in gathered.limits if isinstance(item, Connected) and item.start}
    holding = [OwnState(str(own), own, ca.SX(0), first.get(str(own), ca.SX(0))) for own in (*sides, *grips, *limits)]
    branches = [OwnState(str(selector), selector, ca.SX(0), ca.SX(FREE)) for selector in switches]
    return (*given, *settled, *holding, *branches)


def coordinate_kind(kind: KindChoice) -> CoordinateKind:
    """The coordinate kind with this name; a variant may follow behind a colon: 'relative:tait_bryan', 'mixed:natural'.

    A mapping gives every body a kind of its own; those that are not named have that of '*', or else relative ones.
    """
    if isinstance(kind, CoordinateKind):
        return kind
    if isinstance(kind, Mapping):
        return ByBody({body: coordinate_kind(chosen) for body, chosen in kind.items()})
    name, colon, variant = kind.partition(":")
    names = {known.name: known for known in ALL_COORDINATES}
    if name not in names and discover():
        names = {known.name: known for known in ALL_COORDINATES}
    if name not in names:
        raise RefusedError(f"unknown coordinates '{name}'; {did_you_mean(name, list(names), 'coordinates')}")
    return names[name].variant(variant) if colon else names[name]


def _differentiate(
    motion: Motion, rows: tuple[ConstraintRow, ...], t: ca.SX, states: tuple[OwnState, ...]
) -> tuple[ca.SX, ca.SX, ca.SX]:
    """C, a and b by exact differentiation. Turn counters are left out: an angle does not depend on its counter."""
    k = motion.kinematics
    phi = ca.vertcat(ca.SX(0, 1), *[row.residual for row in rows if row.label.level == "position"])
    psi = ca.vertcat(ca.SX(0, 1), *[row.residual for row in rows if row.label.level == "velocity"])
    s = ca.vertcat(*[state.symbol for state in states]) if states else ca.SX(0, 1)
    s_rates = ca.vertcat(*[state.rate for state in states]) if states else ca.SX(0, 1)
    m, nv = len(rows), k.v.numel()
    if m == 0:
        return ca.SX(0, nv), ca.SX(0, 1), ca.SX(0, 1)
    along_q = motion.drift(phi)
    jacobian = ca.jacobian(along_q, k.v) if k.retract is not None else ca.jacobian(phi, k.q)

    def partial(expression: ca.SX) -> ca.SX:
        change = ca.jtimes(expression, t, ca.SX(1))
        return change + ca.jtimes(expression, s, s_rates) if states else change

    jacobian = ca.vertcat(jacobian, ca.jacobian(psi, k.v))
    a = ca.vertcat(partial(phi), ca.substitute(psi, k.v, ca.SX.zeros(nv)))
    rate = jacobian @ k.v + a
    return jacobian, a, motion.drift(rate) + partial(rate)


def starting_state(coordinates: Coordinates, q: Array, v: Array, time: float, parameters: Array) -> tuple[Array, Array]:
    """The full state y = [q, v, s] and the parameters p with the constants of the assembly.

    parameters: live ones, and the numbers of inputs where they are others than those of the topology
    """
    c, live = coordinates, len(coordinates.geometry.defaults)
    numbers = parameters[live:] if parameters.size > live else np.array(c.topology.drives.first)
    start = ca.vertcat(*[state.start for state in c.auxiliaries]) if c.auxiliaries else ca.SX(0, 1)
    fixed = ca.vertcat(*[constant.start for constant in c.constants]) if c.constants else ca.SX(0, 1)
    f = ca.Function("start", [c.t, c.q, c.v, c.s, c.p], [ca.densify(start), ca.densify(fixed)])
    s, extra = np.zeros(c.s.numel()), np.zeros(len(c.constants))
    sketch = AsDrawn(c.topology, parameters[:live])
    given = np.concatenate([numbers, [number(sketch) for number in c.drawn]])
    extra[: given.size] = given
    # selectors and counters first, then the driver states and constants that read them
    for _ in range(4):
        p = np.concatenate([parameters[:live], extra])
        found = f(time, q, v, s, p)
        s, extra = np.array(found[0]).ravel(), np.array(found[1]).ravel()
    y, p = np.concatenate([q, v, s]), np.concatenate([parameters[:live], extra])
    _require_room(c, time, y, p)
    return y, p


def _require_room(c: Coordinates, time: float, y: Array, p: Array) -> None:
    """Refuse to begin where a force or a body has ended; relations are assembled within their ends."""
    ends = [(name, bound) for name, bound in c.bounds if name not in c.related]
    if not ends:
        return
    rooms = ca.Function("rooms", [c.t, c.y, c.p], [ca.densify(ca.vertcat(*[bound.room for _, bound in ends]))])
    for (name, bound), room in zip(ends, np.array(rooms(time, y, p)).ravel(), strict=True):
        if not room >= 0.0:
            raise RefusedError(f"{c.told(name)} is beyond {bound.end} at t = {time:.6g} s; begin elsewhere")


def place_state(
    coordinates: Coordinates,
    assembly: Assembly,
    parameters: Array,
    time: float | None = None,
    known: tuple[Array, Array] | None = None,
) -> tuple[Array, Array]:
    """The state y and the full parameters p of an assembled position; *known*: its q and v.

    parameters: live ones, and the numbers of inputs where they are others than those of the topology
    """
    c, time = coordinates, coordinates.topology.drives.time if time is None else time
    if known is not None:
        return starting_state(c, *known, time, parameters)
    q, v = c.kind.place(
        c.geometry, c.topology.tree, assembly.poses, assembly.twists, parameters[: len(c.geometry.defaults)]
    )
    own, rates = place_unknowns(c.geometry, assembly)
    return starting_state(c, np.concatenate([q, own]), np.concatenate([v, rates]), time, parameters)
