"""Every unknown of a mechanism with a name and an index, and all that the equations of motion need as expressions of them.

With q̇ = T(q) v and states s of their own (drivers given by speed or acceleration, turn counters, forces with a lag):

    Φ(q, s, t) = 0,   Φ̇ = C v + a,   Φ̈ = C v̇ + b,   M v̇ = h + Cᵀ λ.

Conditions on velocities alone, ψ = A v + a = 0, are further rows of C behind the others: they have an a and a b, and no Φ.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import casadi as ca
import numpy as np

from linkwork.algebra.expressions.switches import Switch
from linkwork.algebra.space import Space
from linkwork.answer import Answer, Column
from linkwork.coordinates.base import Array, ConstraintRow, CoordinateKind, Kinematics, Later, RowLabel
from linkwork.coordinates.coming import Coming, Connected, Grip, OneSided
from linkwork.coordinates.contributions import Loading
from linkwork.coordinates.counting import Counts, count_operations
from linkwork.coordinates.gearing import gear_inertia, geared
from linkwork.coordinates.motion import Motion
from linkwork.coordinates.naming import DrawnNumber
from linkwork.coordinates.rubbing import joint_of
from linkwork.coordinates.spinning import spin_inertia
from linkwork.elements.contribution import Bound, Contribution, OwnState
from linkwork.elements.striking import Strike
from linkwork.position.geometry import Geometry
from linkwork.topology.topology import Topology


@dataclass(frozen=True, eq=False, repr=False)
class Coordinates(Answer):
    """Every unknown of a mechanism with a name and an index, and everything else as expressions of them.

    Sizes: q (nq), v (nv), s (ns), Φ, a, b (m), C (m × nv), M (nv × nv), h (nv). ``p`` holds the live parameters and,
    behind them, the numbers of inputs, lengths and angles as drawn, constants that the assembly fixes (phases of gears), and
    what changes in a run: the directions of grips, the selectors of limits and those of formulas that jump, which are free.
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
    limits: tuple[Coming, ...]  # conditions that come and go; their selectors stand in p before those of the formulas
    switches: tuple[Switch, ...]  # of the formulas; their selectors are the last of p
    t: ca.SX
    p: ca.SX
    jacobian: ca.SX
    a: ca.SX
    b: ca.SX
    driving: Later  # h
    drawn: tuple[
        DrawnNumber, ...
    ] = ()  # constants that are read off the mechanism as it is drawn, behind those of inputs
    stops: bool = False  # whether those of joints act
    touching: bool = True  # whether contacts do then, as conditions; those of others are left to time stepping
    rubs: bool = False  # whether joints rub
    multipliers: Mapping[RowLabel, ca.SX] = field(default_factory=dict)  # what loads read of conditions, of the state

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

    @property
    def forces(self) -> ca.SX:
        """h."""
        return self.driving.expression

    @cached_property
    def phi(self) -> ca.SX:
        """Φ, zero where a row restricts velocities only."""
        positions = [row.residual for row in self.rows[: self.holonomic]]
        return ca.vertcat(ca.SX(0, 1), *positions, ca.SX(len(self.rows) - self.holonomic, 1))

    @property
    def along_tree(self) -> bool:
        """Whether v is that of the joints of a tree, and M that of its rigid bodies alone."""
        k = self.kinematics
        if self.kind.name != "relative" or k.spins_held or k.own or any(True for _ in geared(self.loading.actions)):
            return False
        return sum(rate.numel() for rate in k.joint_rates.values()) == k.v.numel()

    @property
    def holonomic(self) -> int:
        """How many rows restrict positions; the others, behind them, restrict velocities only."""
        return sum(label.level == "position" for label in self.labels)

    @property
    def labels(self) -> tuple[RowLabel, ...]:
        return tuple(row.label for row in self.rows)

    @property
    def bounds(self) -> list[tuple[str, Bound]]:
        """Where relations, forces and bodies end."""
        every = [*self.related.items(), *self.loading.actions.items()]
        return [(name, bound) for name, item in dict(every).items() for bound in item.bounds]

    def told(self, name: str) -> str:
        """What has bounds, by its kind and name."""
        if name in self.loading.actions and self.loading.actions[name].implied:
            joint = joint_of(name)
            return f"the friction of {'contact' if joint == name else 'joint'} '{joint}'"
        inside = "body" if name in self.kinematics.own else "force"
        return f"{'relation' if name in self.related else inside} '{name}'"

    @property
    def groups(self) -> dict[tuple[str, str], tuple[int, ...]]:
        """The rows that hold, or do not hold, together: by element and name of the group, their places."""
        found: dict[tuple[str, str], tuple[int, ...]] = {}
        for i, label in enumerate(self.labels):
            key = label.element, label.group
            found[key] = (*found.get(key, ()), i)
        return found

    @property
    def coming(self) -> tuple[tuple[int, ...], ...]:
        """The rows that come and go with each of the limits, its own first."""
        places, groups = self.labels, self.groups
        own = [places.index(limit.label) for limit in self.limits]
        every = [groups[limit.label.element, limit.label.group] for limit in self.limits]
        return tuple((i, *(j for j in rows if j != i)) for i, rows in zip(own, every, strict=True))

    @property
    def limit_places(self) -> slice:
        """Where the selectors of the limits stand in p."""
        last = self._settled - len(self.switches)
        return slice(last - len(self.limits), last)

    @property
    def one_sided(self) -> dict[int, OneSided]:
        """Those that come and go with a room, by their numbers."""
        return {i: item for i, item in enumerate(self.limits) if isinstance(item, OneSided)}

    @property
    def grips(self) -> dict[int, Grip]:
        """Those that come and go with a largest push, by their numbers."""
        return {i: item for i, item in enumerate(self.limits) if isinstance(item, Grip)}

    @cached_property
    def carriers(self) -> dict[int, int]:
        """The limits with which alone grips hold, by the numbers of these; of those of joints there is none."""
        own = {(item.label.element, item.label.component): i for i, item in self.one_sided.items()}
        return {i: own[item.label.element, item.on] for i, item in self.grips.items() if item.on}

    @cached_property
    def cones(self) -> tuple[tuple[int, ...], ...]:
        """Grips that stick and slip together, by their numbers: one, or the two components of a slip in space."""
        found: dict[tuple[str, str], tuple[int, ...]] = {}
        for i, item in self.grips.items():
            key = item.label.element, item.mate or item.label.component
            found[key] = (*found.get(key, ()), i)
        return tuple(found.values())

    @property
    def strikes(self) -> dict[str, Strike]:
        """The impulses that are given, by name."""
        return {name: item.strike for name, item in self.loading.actions.items() if item.strike is not None}

    def constant_place(self, name: str) -> int:
        """Where a constant stands in p: that of an element by both names, with a dot between."""
        return len(self.geometry.defaults) + [constant.name for constant in self.constants].index(name)

    @property
    def connections(self) -> dict[int, Connected]:
        """Those that hold while nobody releases them, by their numbers."""
        return {i: item for i, item in enumerate(self.limits) if isinstance(item, Connected)}

    @property
    def side_places(self) -> slice:
        """Where the sides of the switches stand in p, 1 or −1, before the directions of the grips."""
        return slice(
            self.slide_places.start - sum(switch.sides for switch in self.topology.model.switches.values()),
            self.slide_places.start,
        )

    @property
    def seat_places(self) -> dict[int, list[int]]:
        """Where the numbers of the seats of those that hold while nobody releases them stand in p."""
        first = len(self.geometry.defaults)
        names = [constant.name for constant in self.constants]
        return {
            i: [first + names.index(f"{item.name}.{own.name}") for own in self.related[item.name].constants]
            for i, item in self.connections.items()
        }

    @property
    def slide_places(self) -> slice:
        """Where the directions of the grips stand in p, before the selectors of all limits."""
        return slice(self.limit_places.start - len(self.grips), self.limit_places.start)

    @property
    def selectors(self) -> Array:
        """(m) where p says whether a row holds, -1: it always does."""
        found = np.full(len(self.rows), -1)
        for number, rows in enumerate(self.coming):
            found[list(rows)] = self.limit_places.start + number
        return found

    @property
    def switch_places(self) -> slice:
        """Where the selectors of formulas that jump stand in p."""
        return slice(self._settled - len(self.switches), self._settled)

    @property
    def _settled(self) -> int:
        """How many numbers p has, but those that are given at its end, such as efforts of motors."""
        return self.geometry.parameters.numel() + len(self.constants)

    @property
    def state_names(self) -> tuple[str, ...]:
        names = tuple(state.name for state in self.auxiliaries)
        return (*self.kinematics.q_names, *self.kinematics.v_names, *names)

    def with_inertia(self, mass: ca.SX, bias: ca.SX) -> Coordinates:
        """These coordinates with M (nv × nv), and with the weights and quadratic velocity forces (nv), found otherwise."""
        further = spin_inertia(self.topology, self.kinematics), gear_inertia(self.motion, geared(self.loading.actions))
        for more_mass, more_bias in further:
            mass, bias = mass + more_mass, bias + more_bias
        motion = replace(
            self.motion, kinematics=replace(self.kinematics, inertia=Later(lambda: mass), weights=Later(lambda: bias))
        )
        return replace(self, motion=motion, driving=Later(lambda: bias + self.loading.generalised))

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
