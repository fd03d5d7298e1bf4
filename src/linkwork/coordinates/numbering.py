"""Stage 3: from a topology and a coordinate kind to expressions of everything the equations of motion need.

With q̇ = T(q) v and states s of their own (drivers given by speed or acceleration, turn counters, forces with a lag):

    Φ(q, s, t) = 0,   Φ̇ = C v + a,   Φ̈ = C v̇ + b,   M v̇ = h + Cᵀ λ.

Conditions on velocities alone, ψ = A v + a = 0, are further rows of C behind the others: they have an a and a b, and no Φ.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import casadi as ca
import numpy as np

from linkwork.algebra.expressions.switches import FREE, Switch
from linkwork.algebra.space import Space
from linkwork.answer import Answer, Column
from linkwork.coordinates.base import Array, ConstraintRow, CoordinateKind, Kinematics, RowLabel
from linkwork.coordinates.by_body import ByBody
from linkwork.coordinates.contributions import Loading, OneSided, add_unknowns, gather, relate
from linkwork.coordinates.counting import Counts, count_operations
from linkwork.coordinates.driving import asked_angles, input_motions
from linkwork.coordinates.effective import effective_rows
from linkwork.coordinates.mixed import Mixed
from linkwork.coordinates.motion import Motion, trace_motion
from linkwork.coordinates.naming import Lookup
from linkwork.coordinates.natural import Natural
from linkwork.coordinates.reference_point import ReferencePoint
from linkwork.coordinates.relative import Relative
from linkwork.coordinates.spinning import hold_spins, spin_inertia
from linkwork.elements.contribution import Bound, Contribution, OwnState
from linkwork.errors import RefusedError, did_you_mean
from linkwork.plugins import discover
from linkwork.position.geometry import Geometry
from linkwork.topology.topology import Topology

KindChoice = str | CoordinateKind | Mapping[str, str | CoordinateKind]
"""A kind of coordinates by name or as an object, or one for each body."""

ALL_COORDINATES: list[CoordinateKind] = [Relative(), ReferencePoint(), Natural(), Mixed()]


@dataclass(frozen=True, eq=False, repr=False)
class Coordinates(Answer):
    """Every unknown of a mechanism with a name and an index, and everything else as expressions of them.

    Sizes: q (nq), v (nv), s (ns), Φ, a, b (m), C (m × nv), M (nv × nv), h (nv). ``p`` holds the live parameters and,
    behind them, the numbers of inputs, the constants that the assembly fixes (phase of a gear, whole turns of an angle) and
    the selectors of formulas that jump, which are free.
    """

    view = "modes.plot_start"

    topology: Topology
    kind: CoordinateKind
    motion: Motion
    unknowns: Mapping[str, ca.SX]  # those of the relations
    related: Mapping[str, Contribution]  # what these contribute
    loading: Loading
    rows: tuple[ConstraintRow, ...]
    auxiliaries: tuple[OwnState, ...]
    constants: tuple[OwnState, ...]
    limits: tuple[OneSided, ...]  # conditions that come and go; their selectors stand in p before those of the formulas
    switches: tuple[Switch, ...]  # of the formulas; their selectors are the last of p
    t: ca.SX
    p: ca.SX
    jacobian: ca.SX
    a: ca.SX
    b: ca.SX
    forces: ca.SX

    def __reduce__(self) -> tuple[object, ...]:
        if self.p.numel() != self.geometry.parameters.numel() + len(self.constants):
            raise RefusedError("coordinates with motors are not kept: keep those without, or what was found with them")
        return number, (self.topology, self.kind)

    @property
    def geometry(self) -> Geometry:
        return self.topology.geometry

    @property
    def space(self) -> Space:
        return self.geometry.space

    @property
    def kinematics(self) -> Kinematics:
        return self.motion.kinematics

    @property
    def q(self) -> ca.SX:
        return self.kinematics.q

    @property
    def v(self) -> ca.SX:
        return self.kinematics.v

    @property
    def rates(self) -> ca.SX:
        """q̇."""
        return self.kinematics.rates

    @cached_property
    def s(self) -> ca.SX:
        return ca.vertcat(*[state.symbol for state in self.auxiliaries]) if self.auxiliaries else ca.SX(0, 1)

    @cached_property
    def s_rates(self) -> ca.SX:
        return ca.vertcat(*[state.rate for state in self.auxiliaries]) if self.auxiliaries else ca.SX(0, 1)

    @cached_property
    def y(self) -> ca.SX:
        """The state of the mechanism: [q, v, s]. A flow may integrate another one of its own."""
        return ca.vertcat(self.q, self.v, self.s)

    @property
    def mass(self) -> ca.SX:
        return self.kinematics.mass

    @cached_property
    def phi(self) -> ca.SX:
        """Φ, zero where a row restricts velocities only."""
        positions = [row.residual for row in self.rows[: self.holonomic]]
        return ca.vertcat(ca.SX(0, 1), *positions, ca.SX(len(self.rows) - self.holonomic, 1))

    @property
    def holonomic(self) -> int:
        """How many rows restrict positions; the others, behind them, restrict velocities only."""
        return sum(label.level == "position" for label in self.labels)

    @property
    def labels(self) -> tuple[RowLabel, ...]:
        return tuple(row.label for row in self.rows)

    @property
    def bounds(self) -> list[tuple[str, Bound]]:
        """Where relations end."""
        return [(name, bound) for name, item in self.related.items() for bound in item.bounds]

    @property
    def groups(self) -> dict[tuple[str, str], tuple[int, ...]]:
        """The rows that hold, or do not hold, together: by element and name of the group, their places."""
        found: dict[tuple[str, str], tuple[int, ...]] = {}
        for i, label in enumerate(self.labels):
            key = label.element, label.group
            found[key] = (*found.get(key, ()), i)
        return found

    @property
    def state_names(self) -> tuple[str, ...]:
        names = tuple(state.name for state in self.auxiliaries)
        return (*self.kinematics.q_names, *self.kinematics.v_names, *names)

    def with_inertia(self, mass: ca.SX, bias: ca.SX) -> Coordinates:
        """These coordinates with M (nv × nv), and with the weights and quadratic velocity forces (nv), found otherwise."""
        held = spin_inertia(self.topology, self.kinematics)
        mass, bias = mass + held[0], bias + held[1]
        motion = replace(self.motion, kinematics=replace(self.kinematics, mass=mass, bias=bias))
        return replace(self, motion=motion, forces=bias + self.loading.generalised)

    def counts(self) -> Counts:
        """How large this description of the mechanism is."""
        jacobian = ca.sparsify(self.jacobian)
        operations = count_operations([self.t, self.y, self.p], jacobian)
        positions = self.q.numel() - self.kinematics.charts
        return Counts(positions, self.v.numel(), len(self.rows), jacobian.nnz(), operations)

    @property
    def title(self) -> str:
        k, nv, m = self.kinematics, self.v.numel(), len(self.rows)
        own = f", {len(k.identities)} of the orientations by themselves" if k.identities else ""
        return f"{self.kind} coordinates: {self.q.numel() - k.charts} positions, {nv} velocities, {m} conditions{own}"

    def report(self) -> list[str]:
        """Positions and conditions by name."""
        conditions = [f"Φ{i}: {label}" for i, label in enumerate(self.labels, start=1)]
        return ["q: " + ", ".join(self.kinematics.q_names), *conditions]

    def columns(self) -> list[Column]:
        """The velocities, with the size that each is measured by."""
        k = self.kinematics
        return [Column("velocity", list(k.v_names)), Column("scale", k.scale, "1")]


def number(topology: Topology, kind: KindChoice = "relative") -> Coordinates:
    """Number the unknowns of a mechanism in the given kind of coordinates."""
    chosen = coordinate_kind(kind)
    geometry = topology.geometry
    described = hold_spins(topology, chosen.describe(geometry, topology.tree))
    for name, body in geometry.bodies.items():
        if body.kind.unknowns and name not in described.own:
            geometry.rigid(name, f"{chosen} coordinates")
    kinematics, unknowns = add_unknowns(geometry, described)
    t = ca.SX.sym("t")
    inputs = input_motions(topology.drives, t)
    motion = trace_motion(geometry, kinematics, asked_angles(topology.drives, geometry, t, inputs))
    related = relate(geometry, kinematics, unknowns, t)
    lookup = Lookup(topology, motion, t, related, {name: item.value for name, item in inputs.items()})
    gathered = gather(lookup)
    rows, loading = (*effective_rows(geometry, described), *gathered.rows), gathered.loading
    switches = tuple(lookup.switches.found)
    holding = [OwnState(str(limit.selector), limit.selector, ca.SX(0), ca.SX(0)) for limit in gathered.limits]
    branches = [OwnState(str(switch.selector), switch.selector, ca.SX(0), ca.SX(FREE)) for switch in switches]
    numbers = [number for item in inputs.values() for number in item.numbers]
    constants = (*numbers, *motion.constants, *gathered.constants, *holding, *branches)
    p = ca.vertcat(geometry.parameters, *[constant.symbol for constant in constants])
    jacobian, a, b = _differentiate(motion, rows, t, gathered.states)
    return Coordinates(
        topology=topology,
        kind=chosen,
        motion=motion,
        unknowns=unknowns,
        related=related,
        loading=loading,
        rows=rows,
        auxiliaries=(*motion.counters, *gathered.states, *loading.states),
        constants=constants,
        limits=gathered.limits,
        switches=switches,
        t=t,
        p=p,
        jacobian=jacobian,
        a=a,
        b=b,
        forces=kinematics.bias + loading.generalised,
    )


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
        raise RefusedError(f"unknown coordinates '{name}'; {did_you_mean(name, list(names))}")
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
    extra[: numbers.size] = numbers
    # selectors and counters first, then the driver states and constants that read them
    for _ in range(4):
        p = np.concatenate([parameters[:live], extra])
        found = f(time, q, v, s, p)
        s, extra = np.array(found[0]).ravel(), np.array(found[1]).ravel()
    return np.concatenate([q, v, s]), np.concatenate([parameters[:live], extra])
