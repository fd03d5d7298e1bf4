"""Forces that bend or jump where a mechanism is linearised: there its linear equations are those of neither side.

``max(0, k*x)`` at x = 0, a rope that is just taut, a knot of a table: the slope of one side is not that of the other, and a
derivative in between is that of nothing. In the expression of a force every ``max``, ``min``, ``abs``, ``sign`` and
comparison changes where a *measure* of the state is zero. Where one is, within NEAR of the sizes of the coordinates, the
force and its slopes are compared at both sides of the place. What differs there by as much when one comes nearer is a jump,
or a corner; what vanishes on the way, such as the slopes of ``v*abs(v)``, is neither.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import casadi as ca
import numpy as np

from linkwork.algebra.expressions.tree import Call, Compare, Expression
from linkwork.analysis.prepared.memo import of_noun
from linkwork.analysis.prepared.prepare import Mechanism
from linkwork.arrays import Array
from linkwork.coordinates.coordinates import Coordinates

NEAR = 1e-9  # of the sizes of the coordinates: a place no further away is the place itself
BESIDE = (1e-6, 1e-8)  # of these sizes: how far at both sides forces and slopes are compared
SEEN = 1e-6  # of a force or its slopes: a smaller difference is none
LEFT = 0.5  # of a difference, nearer to the place: less vanishes there
COMPARED = (ca.OP_FMAX, ca.OP_FMIN, ca.OP_LT, ca.OP_LE)  # what changes where two arguments are equal
SIGNED = (ca.OP_FABS, ca.OP_SIGN)  # what changes where its argument is zero
CHANGING = frozenset(
    {"abs", "min", "max", "sign", "step", "if", "linear_table", "smooth_table"}
)  # functions of formulas


@dataclass(frozen=True, eq=False)
class Bending:
    """A force that may bend or jump: its values by (t, y, p), their slopes by y, and the measures (k) with theirs."""

    values: ca.Function
    measures: ca.Function


def corner_notes(mechanism: Mechanism, t: float, y: Array, p: Array, ways: Array) -> tuple[str, ...]:
    """What to say of forces at a corner or a jump of theirs.

    ways: admissible variations of y (n, k), each in units of the coordinates
    """
    found = of_noun(mechanism, "bending forces", None, lambda: _bending(mechanism.coordinates))
    at = p[: mechanism.coordinates.p.numel()]
    kinds = {name: kind for name, item in found.items() if (kind := _kind(item, t, y, at, ways))}
    return tuple(_told(mechanism, name, kind) for name, kind in kinds.items())


def _told(mechanism: Mechanism, name: str, kind: str) -> str:
    force = mechanism.model.forces.get(name)
    own = [] if force is None else [item for _, _, item in force.expressions() if _changes(item)]
    formula = f": '{own[0]}'" if own else ""
    return (
        f"force '{name}' is exactly at a {kind} of its own here{formula}. The linear equations are those of neither side: "
        "frequencies, stiffness and stability are not to be relied on. Begin a little to the side that is meant, or at rest "
        "(find_equilibrium)"
    )


def _changes(formula: Expression) -> bool:
    return any(isinstance(x, Compare) or (isinstance(x, Call) and x.function in CHANGING) for x in formula.walk())


def _bending(c: Coordinates) -> dict[str, Bending]:
    """The forces that may bend or jump with the state."""
    found = {}
    for name, values in c.loading.by_element.items():
        measures = [x for x in _measures(c, values) if ca.depends_on(x, c.y)]
        if measures:
            pairs = [(item, ca.jacobian(item, c.y)) for item in (ca.vec(values), ca.vertcat(*measures))]
            found[name] = Bending(*(_function(c, *pair) for pair in pairs))
    return found


def _function(c: Coordinates, *outputs: ca.SX) -> ca.Function:
    return ca.Function("bending", [c.t, c.y, c.p], [ca.densify(item) for item in outputs])


def _measures(c: Coordinates, values: ca.SX) -> Iterator[ca.SX]:
    """What the changing operations of an expression compare: differences that are zero where one changes."""
    function = _function(c, ca.vec(values))
    used = {function.instruction_id(i) for i in range(function.n_instructions())}
    if not used & {*COMPARED, *SIGNED}:
        return
    dense = ca.densify(ca.vec(values))
    left, seen = [dense[i] for i in range(dense.numel())], set()
    while left:
        node = left.pop()
        if (key := node.element_hash()) in seen:
            continue
        seen.add(key)
        parts = [node.dep(i) for i in range(node.n_dep())]
        if parts and node.op() in COMPARED:
            yield parts[0] - parts[1]
        elif parts and node.op() in SIGNED:
            yield parts[0]
        left.extend(parts)


def _kind(force: Bending, t: float, y: Array, p: Array, ways: Array) -> str:
    """'corner' or 'jump' where a force has one, else nothing."""
    values, slopes = (np.array(item) for item in force.measures.call([t, y, p]))
    for value, slope in zip(values.ravel(), slopes.reshape(values.size, -1) @ ways, strict=True):
        size = float(np.linalg.norm(slope))
        if 0.0 < size < np.inf and abs(value) <= NEAR * size:
            across = ways @ (slope / size)
            sides = [[_at(force, t, y + way * across, p, ways) for way in (part, -part)] for part in BESIDE]
            for kind, pairs in zip(("jump", "corner"), zip(*map(_differences, sides), strict=True), strict=True):
                (far, _), (near, whole) = pairs
                if near > SEEN * whole and near > LEFT * far:
                    return kind
    return ""


def _at(force: Bending, t: float, y: Array, p: Array, ways: Array) -> tuple[Array, Array]:
    """A force and its slopes along all ways."""
    values, slopes = (np.array(item) for item in force.values.call([t, y, p]))
    return values, slopes.reshape(values.size, -1) @ ways


def _differences(sides: list[tuple[Array, Array]]) -> Iterator[tuple[float, float]]:
    """Of forces, then of slopes: how much the sides differ, and their size."""
    for one, other in zip(*sides, strict=True):
        yield float(np.max(np.abs(one - other), initial=0.0)), float(np.max(np.abs([one, other]), initial=0.0))
