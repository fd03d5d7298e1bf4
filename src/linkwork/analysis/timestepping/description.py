"""A mechanism as it is stepped: islands of velocities, and functions that give what a step needs of all of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import casadi as ca
import numpy as np

from linkwork.analysis.prepared.memo import of_noun
from linkwork.analysis.prepared.prepare import Mechanism
from linkwork.arrays import Array
from linkwork.compiler.program import build
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.power import element_powers
from linkwork.elements.curves import ToNumbers
from linkwork.elements.shapes.records import pose_of, record_of
from linkwork.elements.shapes.touchables import ContactLaw, Touchables
from linkwork.equations.terms import make_function, position_functions
from linkwork.numerics.kernels.language.calling import MachineCode
from linkwork.numerics.timestepping.system import BodyPlan, IslandPlan, LimitPlan, ShapePlan, StepSystem, TouchLaw
from linkwork.position.geometry import GROUND

UNTOUCHED = -1  # law of a pair that does not touch


class Listed:
    """Expressions one behind the other, as a function gives them; every one is told where it begins."""

    def __init__(self) -> None:
        self.parts: list[ca.SX] = []
        self.size = 0

    def add(self, expression: ca.SX) -> int:
        """Where its numbers begin, by columns."""
        begin, column = self.size, ca.vec(ca.densify(expression))
        self.parts.append(column)
        self.size += column.numel()
        return begin

    @property
    def stacked(self) -> ca.SX:
        return ca.vertcat(ca.SX(0, 1), *self.parts)


@dataclass(frozen=True, eq=False)
class SteppedParts:
    """What does not change from run to run: plans and compiled functions."""

    islands: tuple[IslandPlan, ...]
    bodies: tuple[BodyPlan, ...]
    limits: tuple[LimitPlan, ...]
    of_body: tuple[int, ...]
    poses: int
    out_size: int
    closure_size: int
    functions: Mapping[str, MachineCode]
    moving: bool
    driven: bool


def step_system(mechanism: Mechanism, p: Array) -> StepSystem:
    """The mechanism with parameters p, which are read in place."""
    c = mechanism.coordinates
    known = of_noun(mechanism, "stepped", None, lambda: describe(mechanism))
    functions = known.functions
    return StepSystem(
        nq=c.q.numel(),
        nv=c.v.numel(),
        ns=c.s.numel(),
        m=len(kept(c)),
        terms=functions["stepped_terms"],
        closure=functions.get("stepped_closure"),
        retract=functions.get("retract"),
        powers=functions.get("stepped_powers"),
        out_size=known.out_size,
        closure_size=known.closure_size,
        poses=known.poses,
        islands=known.islands,
        bodies=known.bodies,
        limits=known.limits,
        shapes=shapes_of(c, known.of_body, p),
        size=float(c.kinematics.length),
        moving=known.moving,
        driven=known.driven,
        p=p,
    )


def kept(c: Coordinates) -> list[int]:
    """The rows that always hold, and those that hold while nobody releases them: these are zero while they are open."""
    coming = {row for number, rows in enumerate(c.coming) if number not in c.connections for row in rows}
    return [row for row in range(len(c.rows)) if row not in coming]


def describe(mechanism: Mechanism) -> SteppedParts:
    """Islands, plans, and functions in machine code."""
    c = mechanism.coordinates
    rows = kept(c)
    jacobian, shapes = ca.sparsify(c.jacobian[rows, :]), c.geometry.touchables.shapes
    names = list(dict.fromkeys(shape.body for shape in shapes))
    slopes = [_body_slopes(c, name) for name in names]
    limits = [_limit_row(c, number) for number in c.one_sided]
    groups = find_islands(c.v.numel(), ca.sparsify(c.mass), jacobian, [*slopes, *limits])
    out, closing = Listed(), Listed()
    for item in (c.s_rates, c.forces, c.b[rows] if rows else ca.SX(0, 1)):
        out.add(item)
    closing.add(c.phi[rows] if rows else ca.SX(0, 1))
    islands = [_island(c, group, jacobian, rows, out, closing) for group in groups]
    closing.add(c.a[rows] if rows else ca.SX(0, 1))
    poses = out.size
    for shape in shapes:
        out.add(pose_of(shape, c.kinematics.frames))
    bodies = [_body(c, name, slope, islands, out) for name, slope in zip(names, slopes, strict=True)]
    planned = [_limit(c, number, row, islands, out) for number, row in zip(c.one_sided, limits, strict=True)]
    written = {"stepped_terms": make_function("stepped_terms", c, {"out": out.stacked})}
    if rows:
        written["stepped_closure"] = make_function("stepped_closure", c, {"out": closing.stacked})
    written |= {name: f for name, f in position_functions(c).items() if name == "retract"} | _powers(c)
    felt = ca.vertcat(c.forces, c.b[rows] if rows else ca.SX(0, 1))
    program = build(written, mechanism.program.backend)
    return SteppedParts(
        tuple(islands),
        tuple(bodies),
        tuple(planned),
        tuple(names.index(shape.body) for shape in shapes),
        poses,
        out.size,
        closing.size,
        {name: program[name] for name in written},
        moving=bool(ca.depends_on(felt, c.v)) if c.v.numel() else False,
        driven=not c.a.is_zero(),
    )


def find_islands(count: int, mass: ca.SX, jacobian: ca.SX, slopes: Sequence[ca.SX]) -> list[tuple[int, ...]]:
    """Velocities that M, conditions, bodies with shapes or limits couple."""
    leader = list(range(count))

    def find(i: int) -> int:
        while leader[i] != i:
            leader[i] = leader[leader[i]]
            i = leader[i]
        return i

    def join(found: Iterable[int]) -> None:
        listed = list(found)
        for other in listed[1:]:
            leader[find(other)] = find(listed[0])

    for i, k in zip(*mass.sparsity().get_triplet(), strict=True):
        join((i, k))
    for row in range(jacobian.shape[0]):
        join(jacobian[row, :].sparsity().get_triplet()[1])
    for item in slopes:
        join(item.sparsity().get_triplet()[1])
    groups: dict[int, list[int]] = {}
    for i in range(count):
        groups.setdefault(find(i), []).append(i)
    return [tuple(group) for group in groups.values()]


def _island(
    c: Coordinates, group: tuple[int, ...], jacobian: ca.SX, rows: Sequence[int], out: Listed, closing: Listed
) -> IslandPlan:
    """The plan of an island, whose M and C go among the numbers."""
    own = [k for k in range(len(rows)) if any(j in group for j in jacobian[k, :].sparsity().get_triplet()[1])]
    columns = list(group)
    slopes = jacobian[own, columns] if own else ca.SX(0, len(group))
    return IslandPlan(group, tuple(own), out.add(c.mass[columns, columns]), out.add(slopes), closing.add(slopes))


def _body_slopes(c: Coordinates, body: str) -> ca.SX:
    """∂(velocity of its origin, angular velocity)/∂v (6, nv)."""
    nv = c.v.numel()
    if body == GROUND or not nv:
        return ca.SX(6, nv)
    twist, space = c.kinematics.twists[body], c.space
    linear, turning = ca.jacobian(twist.velocity, c.v), ca.jacobian(twist.omega, c.v)
    if space.planar:
        return ca.sparsify(ca.vertcat(linear, ca.SX(3, nv), turning))
    return ca.sparsify(ca.vertcat(linear, turning))


def _body(c: Coordinates, name: str, slopes: ca.SX, islands: Sequence[IslandPlan], out: Listed) -> BodyPlan:
    """A body with shapes."""
    origin = ca.SX(3, 1)
    seen = c.kinematics.frames[name].origin
    origin[: seen.numel()] = seen
    columns = sorted(set(slopes.sparsity().get_triplet()[1]))
    island, local = _places(columns, islands)
    return BodyPlan(island, local, out.add(origin), out.add(slopes[:, columns]) if columns else out.size)


def _places(columns: Sequence[int], islands: Sequence[IslandPlan]) -> tuple[int, tuple[int, ...]]:
    """The island of some velocities, and their places in it."""
    if not columns:
        return -1, ()
    number = next(i for i, island in enumerate(islands) if columns[0] in island.columns)
    return number, tuple(islands[number].columns.index(column) for column in columns)


def _limit_row(c: Coordinates, number: int) -> ca.SX:
    """∂Φ̇/∂v of a limit, as it is where it holds."""
    row, limit = c.coming[number][0], c.limits[number]
    return ca.sparsify(ca.substitute(c.jacobian[row, :], limit.selector, ca.SX(1)))


def _limit(c: Coordinates, number: int, row: ca.SX, islands: Sequence[IslandPlan], out: Listed) -> LimitPlan:
    limit = c.one_sided[number]
    columns = sorted(row.sparsity().get_triplet()[1])
    island, local = _places(columns, islands)
    drift = ca.substitute(c.a[c.coming[number][0]], limit.selector, ca.SX(1))
    places = [out.add(item) for item in (limit.room, row[:, columns], drift, limit.restitution)]
    return LimitPlan(island, local, *places)


def _powers(c: Coordinates) -> dict[str, ca.Function]:
    """What elements bring in and destroy, of (t, [y, v̇], p); nothing where both are zero whatever the state."""
    vdot = ca.SX.sym("vdot", c.v.numel())
    powers = element_powers(c, vdot).values()
    given = sum((item.supplied for item in powers), ca.SX(1, 1))
    lost = sum((item.dissipated for item in powers), ca.SX(1, 1))
    if given.is_zero() and lost.is_zero():
        return {}
    return {"stepped_powers": make_function("stepped_powers", c, {"given": given, "lost": lost}, vdot)}


# -- shapes with numbers --------------------------------------------------------------------------------------------------


def shapes_of(c: Coordinates, of_body: Sequence[int], p: Array) -> ShapePlan:
    """Shapes, pairs and laws with the values of live parameters."""
    touchables = c.geometry.touchables
    values = p[: c.geometry.parameters.numel()]

    def number(expression: ca.SX) -> Array:
        return c.geometry.number(expression, values)

    records = [record_of(shape, number) for shape in touchables.shapes]
    laws, pairs = _laws(touchables, number)
    planar = c.space.planar
    return ShapePlan(records, of_body, touchables.kinship, laws, pairs, planar) if records else ShapePlan(planar=planar)


def _laws(touchables: Touchables, number: ToNumbers) -> tuple[list[TouchLaw], np.ndarray]:
    """The laws, and the number of that of each pair of shapes."""
    count = len(touchables.shapes)
    table, known = np.full((count, count), UNTOUCHED), list[ContactLaw]()
    for (one, other), pair in touchables.law_of.items():
        place = next((i for i, law in enumerate(known) if law is pair.law), len(known))
        if place == len(known):
            known.append(pair.law)
        table[one, other] = table[other, one] = place
    return [_law(law, number) for law in known], table


def _law(law: ContactLaw, number: ToNumbers) -> TouchLaw:
    def one(expression: ca.SX | None) -> float:
        return 0.0 if expression is None else float(number(expression))

    return TouchLaw(one(law.friction), one(law.static), one(law.stribeck), one(law.restitution))
