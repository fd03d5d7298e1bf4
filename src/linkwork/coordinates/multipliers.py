"""Loads that read what conditions push with, such as friction that grows with the normal force of a guide.

A force or moment π of a condition is a factor times its multiplier λ. Forces are affine in those π that they read,

    M v̇ = h₀ + H π + Cᵀ λ,   C v̇ + b = 0,

and what is found without π and for each of them alone adds up: λ = λ⁰ + Λ π. Of the rows that are read this leaves as many
equations as there are π,

    (1 − P) π = π⁰ + L x,

with the factors times the rows of Λ in P, and loads x that are formulas of themselves (``implied.py``). The π are then
expressions of the state, and so are the forces: every formulation, energies and reactions take them as any others. The
matrix [M Cᵀ; C 0] is eliminated M first, which needs no luck with its pivots; where M is singular, C v̇ + b = 0 makes it
M + Cᵀ D C, with any D > 0. 1 − P is singular where the loads that read jam the mechanism.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

import casadi as ca
import numpy as np

from linkwork.algebra.linear import saddle_order, solve_linear, solve_symmetric
from linkwork.coordinates.base import Array, ConstraintRow, CoordinateKind, Later, OrientedKind
from linkwork.coordinates.by_body import ALL_OTHERS, ByBody
from linkwork.coordinates.contributions import Loading
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.implied import ImpliedLoads, implied_of
from linkwork.coordinates.natural import Natural
from linkwork.coordinates.reference_point import ReferencePoint
from linkwork.coordinates.relative import Relative
from linkwork.elements.contribution import Bound, Contribution
from linkwork.errors import RefusedError, did_you_mean
from linkwork.position.geometry import GROUND
from linkwork.position.rank import dependent_rows
from linkwork.topology.topology import Topology

IDLE = 1e-9  # eigenvalue of the scaled M, of the largest, below which it counts as singular
SMALL = (
    1e-3  # square of a condition in scaled velocities, of the largest and of a length, that tells nothing of its size
)
DAMPED = (
    1e-8  # part of the answer of a condition to its own push by which those are damped that may depend on each other
)
JAMMED = 1e-9  # determinant of 1 − P below which the loads jam the mechanism

Asked = Mapping[tuple[str, str], ca.SX]
"""Symbols of π by the element and the component of the condition; '' stands for the only one."""


# -- whose multipliers ---------------------------------------------------------------------------------------------------


def with_rows(topology: Topology, kind: CoordinateKind, rows: Sequence[ConstraintRow], asked: Asked) -> CoordinateKind:
    """Coordinates in which the joints have conditions whose multipliers are asked for.

    Joints of a tree and joints that share points have none: there one of the bodies gets coordinates of its own.
    """
    # relative variables are defined by rows that push with nothing
    geometry, labels = topology.geometry, [row.label for row in rows if row.label.kind != "definition"]

    def bare(name: str, component: str) -> bool:
        own = [label.component for label in labels if label.element == name]
        joint = geometry.joints[name]
        return component not in own if component else len(own) < joint.kind.count_rows(geometry.space)

    outboard = {step.link.name: step.outboard for step in topology.tree.steps if step.link is not None}
    lacking = [geometry.joints[name] for name, component in asked if name in geometry.joints and bare(name, component)]
    if not lacking:
        return kind
    given = kind.kinds if isinstance(kind, ByBody) else {ALL_OTHERS: kind}
    others = given.get(ALL_OTHERS, Relative())
    if not isinstance(others, Relative | ReferencePoint | Natural):
        others = Natural()
    own = ReferencePoint(others.orientation) if isinstance(others, OrientedKind) else ReferencePoint()
    placed = {outboard.get(j.name, j.child if j.child != GROUND else j.parent): own for j in lacking}
    return ByBody({**given, ALL_OTHERS: others, **placed})


def _places(c: Coordinates, asked: Asked) -> list[int]:
    """The rows of the multipliers that are asked for."""
    return [_place(c, element, component) for element, component in asked]


def _place(c: Coordinates, element: str, component: str) -> int:
    own = [i for i, label in enumerate(c.labels) if label.element == element and label.kind != "definition"]
    fitting = [i for i in own if component in ("", c.labels[i].component)]
    if len(fitting) == 1:
        return fitting[0]
    components = [c.labels[i].component for i in own]
    if not own:
        hint = did_you_mean(element, list(dict.fromkeys(label.element for label in c.labels)))
        raise RefusedError(f"the multiplier of '{element}' is read, which has no conditions in {c.kind} ones; {hint}")
    what = f"of '{component}' " if component else ""
    raise RefusedError(
        f"the multiplier {what}of '{element}' is read, which has {len(own)} conditions; "
        + (did_you_mean(component, components) if component else f"name one of {', '.join(components)}")
    )


# -- what may read them --------------------------------------------------------------------------------------------------


def require_affine(c: Coordinates, asked: Asked) -> None:
    """Refuse readers whose loads are not affine in what they read, or which read it where it cannot be known."""
    pi = ca.vertcat(*asked.values())
    for name, action in c.loading.actions.items():
        for what, expressions in _unread(action).items():
            if any(ca.depends_on(item, pi) for item in expressions):
                raise RefusedError(f"force '{name}': its {what} must not depend on multipliers; its loads may")
        loads = ca.SX(ca.vertcat(c.loading.by_element[name]))
        if not _is_affine(loads, pi):
            raise RefusedError(
                f"force '{name}': its loads must be affine in the multipliers that they read, a part without them and a "
                "factor times each; products, sizes and signs of them are not"
            )
        if c.one_sided and ca.depends_on(loads, pi):
            limit = next(iter(c.one_sided.values()))
            raise RefusedError(
                f"force '{name}' reads a multiplier, and {limit.label} comes and goes: the impulse with which it "
                "takes hold has no part of such loads yet; leave one of them out"
            )


def _is_affine(expression: ca.SX, pi: ca.SX) -> bool:
    """Whether every operation on π keeps it affine. Steps in π have no derivative that would tell."""
    of_pi = {symbol.element_hash() for symbol in ca.vertsplit(pi)}
    others = [symbol for symbol in ca.symvar(expression) if symbol.element_hash() not in of_pi]
    f = ca.Function("f", [pi, ca.vertcat(ca.SX(0, 1), *others)], [expression])
    reads = [False] * f.sz_w()
    for k in range(f.n_instructions()):
        operation, into, out = f.instruction_id(k), f.instruction_input(k), f.instruction_output(k)
        if operation == ca.OP_OUTPUT:
            continue
        if operation in (ca.OP_INPUT, ca.OP_CONST):
            reads[out[0]] = operation == ca.OP_INPUT and into[0] == 0
            continue
        hit = [reads[i] for i in into]
        if any(hit) and not _keeps_affine(operation, hit):
            return False
        reads[out[0]] = any(hit)
    return True


def _keeps_affine(operation: int, hit: Sequence[bool]) -> bool:
    if operation in (ca.OP_MUL, ca.OP_DIV, ca.OP_IF_ELSE_ZERO):
        # a product with what does not read, a quotient by it, a choice by it
        return not all(hit) if operation == ca.OP_MUL else not hit[operation == ca.OP_DIV]
    return operation in (ca.OP_ADD, ca.OP_SUB, ca.OP_NEG, ca.OP_TWICE, ca.OP_ASSIGN)


def _unread(action: Contribution) -> dict[str, list[ca.SX]]:
    """Expressions that must be known without multipliers."""
    return {
        "places of loads": [load.at for load in action.loads],
        "potential and kinetic energy": [action.potential, action.kinetic],
        "conditions and bounds": [*(c.residual for c in action.conditions), *(b.room for b in action.bounds)],
        "states at the start": [own.start for own in (*action.states, *action.constants)],
    }


def readers(c: Coordinates, pi: ca.SX) -> list[str]:
    """The forces that read multipliers."""
    return [name for name, values in c.loading.by_element.items() if ca.depends_on(values, pi)]


def require_unread(c: Coordinates, what: str) -> None:
    """Refuse to change multipliers that forces read by *what* these forces do not know of."""
    if c.multipliers:
        raise RefusedError(
            f"{what} changes what {next(iter(c.multipliers))} pushes with, which a force reads and which is found without; "
            "leave that force out, or give the motion to a driver, smoothly, and take its reaction"
        )


# -- eliminated ----------------------------------------------------------------------------------------------------------


def settle(c: Coordinates, asked: Asked, y: Array, p: Array) -> Coordinates:
    """The coordinates with all multipliers that forces read as expressions of the state; y, p: where it is assembled."""
    pi, places = ca.vertcat(*asked.values()), _places(c, asked)
    items = [item for action in c.loading.actions.values() for item in action.implied]
    x = ca.vertcat(ca.SX(0, 1), *[item.symbol for item in items])
    p = _held(c, p)
    _require_unique(c, pi, places, y, p)
    _require_pushed_along(c, pi, places)
    factors, count = ca.vertcat(*[c.rows[i].meaning.factor for i in places]), len(places)
    unknown = ca.vertcat(pi, x)
    without = ca.substitute(c.forces, unknown, ca.SX.zeros(unknown.shape))
    pushed = _pushes(c, ca.horzcat(without, ca.jacobian(c.forces, unknown)), y, p)[places, :]
    scaled = ca.diag(factors) @ pushed
    matrix = ca.SX.eye(count) - scaled[:, 1 : 1 + count]
    right = ca.horzcat(scaled[:, 0], scaled[:, 1 + count :])
    read = bool(readers(c, pi))
    if read:
        right, determinant = solve_linear(ca.densify(matrix), ca.densify(right))
        _require_not_jammed(c, pi, places, _number(c, determinant, y, p).item())
    settled = implied_of(items, pi, (right[:, 0], right[:, 1:])) if items else None
    found = right[:, 0] if settled is None else right[:, 0] + right[:, 1:] @ settled.x

    def known(expression: ca.SX) -> ca.SX:
        if settled is None:
            return ca.substitute(expression, pi, found) if ca.depends_on(expression, pi) else expression
        values = ca.vertcat(found, settled.x)
        return ca.substitute(expression, unknown, values) if ca.depends_on(expression, unknown) else expression

    return replace(
        c,
        loading=_bounded(mapped(c.loading, known), settled),
        auxiliaries=mapped(c.auxiliaries, known),
        driving=Later(lambda: known(c.forces)),
        limits=mapped(c.limits, known),
        switches=mapped(c.switches, known),
        multipliers={c.labels[i]: found[k] for k, i in enumerate(places)} if read else {},
    )


def _require_not_jammed(c: Coordinates, pi: ca.SX, places: Sequence[int], determinant: float) -> None:
    if not abs(determinant) > JAMMED:
        names = ", ".join(f"'{name}'" for name in readers(c, pi))
        raise RefusedError(
            f"{names}: where the mechanism is assembled, loads that grow with {_told(c, places)} jam it: these have no "
            "value; draw another position, or make the loads smaller"
        )


def _bounded(loading: Loading, settled: ImpliedLoads | None) -> Loading:
    """The loading with the ends of what is a formula of itself."""
    if settled is None:
        return loading
    actions = {
        name: replace(action, bounds=(*action.bounds, *(Bound(item.words, settled.room) for item in action.implied)))
        for name, action in loading.actions.items()
    }
    return replace(loading, actions=actions)


def _pushes(c: Coordinates, forces: ca.SX, y: Array, p: Array) -> ca.SX:
    """λ (m × k) of columns of forces (nv × k), the first of them with b."""
    mass, rows, n = c.mass, c.jacobian, c.v.numel()
    curvature = ca.horzcat(c.b, ca.SX(len(c.rows), forces.shape[1] - 1))
    idle, weights = _idle(c, y, p)
    corner = ca.SX(len(c.rows), len(c.rows))
    for number, places in enumerate(c.coming):
        # λ = 0 while they do not hold
        for i in places:
            corner[i, i] = (c.limits[number].selector - 1) / weights[i]
    if idle:
        held = rows.T @ ca.diag(ca.SX(weights))
        mass, forces = mass + held @ rows, forces - held @ curvature
    matrix = ca.sparsify(ca.vertcat(ca.horzcat(mass, rows.T), ca.horzcat(rows, corner)))
    right, order = ca.vertcat(forces, -curvature), saddle_order(matrix.sparsity(), n)
    shared = _sharing(c)
    if not shared:
        return -solve_symmetric(matrix, right, order)[0][n:, :]
    # the least λ where they depend on each other: those of damped ones, of which the rest is found once more
    damping = DAMPED / float(np.max(weights[shared]))
    damped = matrix - damping * ca.diagcat(
        ca.SX(n, n), ca.diag(ca.SX([float(i in shared) for i in range(len(c.rows))]))
    )
    solution = solve_symmetric(damped, right, order)[0]
    solution += solve_symmetric(damped, right - matrix @ solution, order)[0]
    return -solution[n:, :]


def _sharing(c: Coordinates) -> list[int]:
    """The rows of the limits that rub, where they are so many that they may depend on each other."""
    rows = sorted({c.coming[i][0] for i in c.carriers.values()})
    return rows if len(rows) > 2 else []


def _idle(c: Coordinates, y: Array, p: Array) -> tuple[bool, Array]:
    """Whether M may be singular, and sizes of masses by the conditions (m)."""
    n, m, scale = c.v.numel(), len(c.rows), c.kinematics.scale
    mass = _number(c, c.mass, y, p).reshape(n, n) * np.outer(scale, scale)
    rows = _number(c, c.jacobian, y, p).reshape(m, n, order="F") * scale
    sizes = np.linalg.eigvalsh(mass)
    blocks = [c.motion.inertia(name).block for name in c.geometry.bodies]
    point = any(block[i, i].is_zero() for block in blocks for i in range(block.shape[0]))
    idle = point or any(item.numel() for item in c.unknowns.values()) or sizes[0] < IDLE * sizes[-1]
    squares = np.sum(rows**2, axis=1)
    # what is small as drawn, such as in the middle of a clearance, need not be small where it holds
    return bool(idle), sizes[-1] / np.maximum(squares, SMALL * max(float(np.max(squares, initial=0.0)), 1.0))


def _require_unique(c: Coordinates, pi: ca.SX, places: Sequence[int], y: Array, p: Array) -> None:
    """Refuse conditions that depend on each other: what each of them pushes with has no value."""
    weights = np.array([row.weight for row in c.rows])[:, None]
    jacobian = _number(c, c.jacobian, y, p).reshape(len(c.rows), c.v.numel(), order="F")
    always = [i for i in range(len(c.rows)) if not any(i in rows for rows in c.coming)]
    surplus = [always[i] for i in dependent_rows((weights * jacobian * c.kinematics.scale)[always])]
    if surplus:
        listed = ", ".join(str(c.labels[i]) for i in surplus[:4]) + (", ..." if len(surplus) > 4 else "")
        names = ", ".join(f"'{name}'" for name in readers(c, pi))
        raise RefusedError(
            f"{names}: loads read {_told(c, places)}, which is not unique, as conditions depend on each other ({listed}); "
            "take joints that hold no more than they have to, or a position that is not singular"
        )


def _require_pushed_along(c: Coordinates, pi: ca.SX, places: Sequence[int]) -> None:
    """Refuse joints beside wheels that touch: their multipliers do not know where these push each other."""
    touching = [name for name, coupled in c.geometry.couplings.items() if coupled.contact is not None]
    if touching and any(c.labels[i].kind == "joint" for i in places):
        names = ", ".join(f"'{name}'" for name in readers(c, pi))
        raise RefusedError(
            f"{names}: loads read {_told(c, places)}, which does not know what '{touching[0]}' pushes with where its bodies "
            "touch; couple joints instead of bodies, or leave one of them out"
        )


def _held(c: Coordinates, p: Array) -> Array:
    """p where all conditions that come and go hold."""
    found = np.array(p, dtype=float)
    found[c.limit_places] = 1.0
    return found


def _told(c: Coordinates, places: Sequence[int]) -> str:
    return "the multiplier of " + " and of ".join(str(c.labels[i]) for i in places)


def _number(c: Coordinates, expression: ca.SX, y: Array, p: Array) -> Array:
    f = ca.Function("f", [c.t, c.y, c.p], [ca.densify(ca.vec(expression))])
    return np.array(f(0.0, y, p)).ravel()


def mapped(item: Any, known: Any) -> Any:
    """A record with other expressions in their places."""
    if isinstance(item, ca.SX):
        return known(item)
    if isinstance(item, tuple):
        return tuple(mapped(part, known) for part in item)
    if isinstance(item, Mapping):
        return {key: mapped(part, known) for key, part in item.items()}
    if is_dataclass(item) and not isinstance(item, type):
        return replace(item, **{name: mapped(getattr(item, name), known) for name in _names(item)})
    return item


def _names(item: Any) -> Iterator[str]:
    return (field.name for field in fields(item) if field.init)
