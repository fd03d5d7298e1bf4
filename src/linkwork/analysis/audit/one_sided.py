"""Limits of a run: none may be exceeded, and none may pull where it can only push, whatever has decided that they hold.
Nothing sticks with more than its friction, and what slips is not pushed on by it."""

from __future__ import annotations

import casadi as ca
import numpy as np

from linkwork.analysis.audit.limits import ROUNDING, Limits
from linkwork.analysis.audit.measures import Measures
from linkwork.analysis.audit.pushing import push
from linkwork.arrays import Array
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.rubbing import joint_of
from linkwork.elements.touching import SLIPPING
from linkwork.equations.recursion.forces import needed_forces
from linkwork.numerics.matrices.many_matrices import multipliers
from linkwork.numerics.policy import POLICY
from linkwork.results.audit import Check

PUSH = 1e-5  # of the largest push: what is found of one that is none
SOME = 50  # outputs at which pushes that are not unique are looked for


def check_limits(measures: Measures, limits: Limits) -> list[Check]:
    """Rooms Φ ≥ 0 at the outputs, and λ ≥ 0 of M v̇ = h + Cᵀ λ, as far as it is unique."""
    run, c = measures.trajectory, measures.c
    if not c.one_sided:
        return []
    pushes = {item.label: item for item in run.multipliers("least_norm") if item.unique}
    known = [limit for limit in c.one_sided.values() if str(limit.label) in pushes]
    rooms, names = measures.at(_rooms)[0], [limit.name for limit in c.one_sided.values()]
    found = np.column_stack([np.zeros(len(run.t)), *(pushes[str(limit.label)].multiplier for limit in known)])
    # where none of them pushes, rounding errors of what moves and weighs are all there is
    largest = max(PUSH * float(np.max(np.abs(found))), measures.least_push)
    pulls = _check("pushes", found, largest, ["", *(limit.name for limit in known)], "acts the wrong way with")
    if not pulls.finding and len(known) < len(c.one_sided):
        pulls = _together(measures)
    return [_check("limits", rooms, limits.closure * measures.length, names, "is exceeded by"), pulls]


def check_friction(measures: Measures, limits: Limits) -> list[Check]:
    """|T| ≤ μ₀ N of what sticks, as far as T is unique, and slips that friction is against, at the outputs."""
    run, c = measures.trajectory, measures.c
    if not c.grips:
        return []
    bounds, slips, ways = measures.at(_grips)
    p = np.broadcast_to(run.p, (len(run.t), run.p.shape[-1]))[measures.picked]
    holds, grips, errors = p[:, c.limit_places] > 0.5, list(c.grips), [(0.0, "")]
    forces, jacobians = measures.at(_forces)
    rows = jacobians.reshape(len(p), forces.shape[1], -1).swapaxes(-1, -2) * measures.sizes.scale
    pushes = multipliers(rows, forces * measures.sizes.scale)
    for cone in c.cones:
        name, columns = joint_of(c.grips[cone[0]].name), [grips.index(i) for i in cone]
        force = np.linalg.norm(pushes[:, [c.coming[i][0] for i in cone]], axis=1)
        stuck = holds[:, cone[0]]
        over, allowed = np.where(stuck, force - bounds[:, columns[0]], 0.0), PUSH * float(np.max(force, initial=0.0))
        for i in np.argsort(-over)[:SOME]:
            if over[i] <= allowed or _are_unique(rows[i]):
                words = f"{name} sticks with {over[i]:.4g} N more than its friction at t = {run.t[measures.picked[i]]:.6g} s"
                errors.append((float(over[i]) / max(allowed, measures.least_push), words))
                break
        touches = holds[:, c.carriers[cone[0]]] if cone[0] in c.carriers else True
        way, along = ways[:, columns], np.sum(ways[:, columns] * slips[:, columns], axis=1)
        slides = ~stuck & touches & (np.abs(np.sum(way**2, axis=1) - 1.0) <= SLIPPING)
        pushed = np.max(np.where(slides, -along, 0.0), initial=0.0)
        errors.append((float(pushed) / (limits.velocity * measures.speed), f"{name} is pushed on by its friction"))
    worst, finding = max(errors, key=lambda item: item[0])
    return [Check("friction", worst, 1.0, finding=f"{finding}: tighten rtol" if worst > 1.0 else "")]


def _are_unique(rows: Array) -> bool:
    """Whether rows (m × n) that are not zero do not depend on each other."""
    used = rows[np.any(rows != 0.0, axis=1)]
    return bool(np.linalg.matrix_rank(POLICY.unit_rows(used)[0], tol=POLICY.rank) == len(used))


def _together(measures: Measures) -> Check:
    """Limits that hold with others, so that none of their pushes is unique: whether some λ ≥ 0 is there at all."""
    c, run = measures.c, measures.trajectory
    p = np.broadcast_to(run.p, (len(run.t), run.p.shape[-1]))
    holds = p[:, c.limit_places] > 0.5
    some = np.flatnonzero(holds[:, list(c.one_sided)].any(axis=1))
    worst, finding = 0.0, ""
    if not len(some):
        return Check("pushes", worst, 1.0)
    chosen = some[np.unique(np.linspace(0, len(some) - 1, min(len(some), SOME)).astype(int))]
    forces, jacobians = measures.at(_forces, chosen)
    for i, force, row in zip(chosen, forces, jacobians, strict=True):
        rows = row.reshape(len(force), -1).T * measures.sizes.scale
        pushing = [c.coming[k][0] for k in c.one_sided if holds[i, k]]
        coming = {j for k, group in enumerate(c.coming) if not holds[i, k] for j in group}
        others = [j for j in range(len(rows)) if j not in pushing and j not in coming]
        needed = force * measures.sizes.scale
        floor = ROUNDING * measures.sizes.mass * (measures.pull + measures.gravity) * measures.length
        part = push(rows, others, pushing, needed)[1] / (PUSH * float(np.linalg.norm(needed)) + floor)
        if part > worst:
            names = ", ".join(limit.name for k, limit in c.one_sided.items() if holds[i, k])
            worst, finding = part, f"{names} cannot all push at t = {run.t[i]:.6g} s: tighten rtol"
    return Check("pushes", worst, 1.0, finding=finding if worst > 1.0 else "")


def _forces(c: Coordinates, vdot: ca.SX) -> list[ca.SX]:
    return [needed_forces(c, vdot), c.jacobian]


def _grips(c: Coordinates, _vdot: ca.SX) -> list[ca.SX]:
    parts = [[getattr(grip, name) for grip in c.grips.values()] for name in ("bound", "slip", "direction")]
    return [ca.vertcat(ca.SX(0, 1), *items) for items in parts]


def _rooms(c: Coordinates, _vdot: ca.SX) -> list[ca.SX]:
    return [ca.vertcat(*[limit.room for limit in c.one_sided.values()])]


def _check(name: str, values: np.ndarray, allowed: float, names: list[str], what: str) -> Check:
    error = max(-float(np.min(values)), 0.0)
    unit, who = "m" if name == "limits" else "N", names[int(np.argmin(np.min(values, axis=0)))]
    finding = f"{who} {what} {error:.3g} {unit} ({allowed:.2g} {unit} are allowed): tighten rtol"
    return Check(name, error, allowed, finding="" if error <= allowed else finding)
