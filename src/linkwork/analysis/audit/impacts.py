"""What velocities jump by, at every instant at which something changes: places stay, and impulses are those of what touches.

With the velocities v⁻ that the integrator has left and v⁺ with which it goes on, and the impulses P that are given,

    M (v⁺ − v⁻) − P = Cᵀ Λ,   Λ ≥ 0 of what has no room left,   |Λ_t| ≤ μ Λ_n,   γ⁺ ≥ 0,

for some Λ, which is looked for here once more; and Newton's law, 0 ≤ γ⁺ + e min(γ⁻, 0) ⊥ Λ ≥ 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import casadi as ca
import numpy as np

from linkwork.analysis.audit.audited import write_along
from linkwork.analysis.audit.limits import CLOSED, DIGITS, ROUNDING, STEPS, Limits
from linkwork.analysis.audit.measures import MOST, Measures
from linkwork.analysis.audit.pushing import push
from linkwork.analysis.motion.holding import MET
from linkwork.analysis.motion.work import Seam
from linkwork.analysis.motion.written import written
from linkwork.arrays import Array
from linkwork.coordinates.contributions import applied
from linkwork.coordinates.coordinates import Coordinates
from linkwork.equations.energy import kinetic_energy
from linkwork.results.audit import Check

WITHIN = 10.0  # times what velocities may break conditions by: what a jump may be off, of its size
UNSEEN = 1e-11  # height of a jump, of the size of the mechanism, that may be left out
DEPENDENT = 1e-8  # singular value of rows of length one: what they push with is not unique
INSTANT = 1e-12  # of the time: at once


@dataclass(frozen=True, eq=False)
class Jump:
    """One instant, in velocities of size one.

    single: whether one law of impacts has given it; held: what comes and goes, and held before or behind
    free (n): M (v⁺ − v⁻) − P, what conditions have pushed with; size: of what that is made of
    inertia (m): what a speed along a row takes of momentum; rows (m × n); before, behind (m): their speeds
    fast: what speeds are made of; room, back (k): of limits, with the restitution; friction (g): coefficients of grips
    energy: what T has changed by, and its size
    """

    time: float
    single: bool
    held: tuple[int, ...]
    free: Array
    size: float
    inertia: Array
    rows: Array
    before: Array
    behind: Array
    fast: float
    room: Array
    back: Array
    friction: Array
    energy: tuple[float, float]


def write_jump(c: Coordinates, _vdot: ca.SX) -> list[ca.SX]:
    """M, C and a, rooms and restitutions, coefficients of grips, T, and times and impulses that are given."""
    none, limits, strikes = ca.SX(0, 1), c.one_sided.values(), c.strikes
    rubs = [ca.SX(0) if grip.coefficient is None else grip.coefficient for grip in c.grips.values()]
    given = [ca.jacobian(applied(c.motion, name, c.loading.actions[name]), item.acts) for name, item in strikes.items()]
    return [
        c.mass,
        c.jacobian,
        c.a,
        ca.vertcat(none, *[item.room for item in limits]),
        ca.vertcat(none, *[item.restitution for item in limits]),
        ca.vertcat(none, *rubs),
        kinetic_energy(c),
        ca.vertcat(none, *[item.time for item in strikes.values()]),
        ca.horzcat(ca.SX(c.v.numel(), 0), *given),
    ]


def check_jumps(measures: Measures, limits: Limits) -> list[Check]:
    """Of all instants of a run, of many of them some."""
    kept = measures.trajectory.gathered
    turns = _at_once(kept.turns) if kept is not None else []
    if not turns or kept is None:
        return []
    chosen = [turns[i] for i in np.unique(np.linspace(0, len(turns) - 1, min(len(turns), MOST)).astype(int))]
    part = WITHIN * limits.velocity
    errors = [(0.0, "")]
    for found in (_moved(measures, limits, chosen), _thrown(measures, chosen, part, kept.law == "newton")):
        errors += found
    worst, finding = max(errors, key=lambda item: item[0])
    finding = f"{finding}: the motion is not that of the model; tighten rtol" if worst > 1.0 else ""
    return [Check("jumps", worst, 1.0, finding=finding)]


def _at_once(turns: Sequence[Seam]) -> list[Seam]:
    """The same, with what follows at the same time as one: a blow behind an impact."""
    found = list[Seam]()
    for turn in turns:
        if found and turn.time - found[-1].time <= INSTANT * max(1.0, abs(turn.time)):
            first = found.pop()
            turn = replace(turn, before=first.before, held=tuple({*first.held, *turn.held}), single=False)
        found.append(turn)
    return found


def _moved(measures: Measures, limits: Limits, turns: list[Seam]) -> list[tuple[float, str]]:
    """How far places have moved at once, over what is allowed."""
    c, time = measures.c, np.array([turn.time for turn in turns])
    p, still = np.array([turn.p for turn in turns]), np.zeros((len(turns), c.v.numel()))
    before, behind = (
        written(c, write_along)(time, np.array([getattr(turn, name) for turn in turns]), still, p)[0]
        for name in ("before", "behind")
    )
    rtol, atol = limits.position
    reach = measures.sizes.reach * float(c.kinematics.length if not measures.sizes.plain else 1.0)
    allowed = limits.closure * reach + STEPS * (rtol * np.max(np.abs(behind), axis=0, initial=0.0) + atol)
    if limits.position == (0.0, 0.0):
        allowed = allowed + DIGITS * reach  # inside steps of one size places are no better known
    parts = np.abs(behind - before) / allowed
    if not parts.size:
        return []
    row, column = np.unravel_index(int(np.argmax(parts)), parts.shape)
    gap = float(np.abs(behind - before)[row, column])
    name = measures.sizes.compared[column]
    return [(float(parts[row, column]), f"{name} leaps by {gap:.3g} at t = {time[row]:.6g} s")]


def _thrown(measures: Measures, turns: list[Seam], part: float, newton: bool) -> list[tuple[float, str]]:
    """How far velocities behind are no answer of what touches, over what is allowed."""
    found = list[tuple[float, str]]()
    for jump in _jumps(measures, turns):
        place = f"at t = {jump.time:.6g} s"
        pushes, left, unique = _pushes(measures.c, jump)
        stays = _slow(measures) * sum(
            jump.inertia[measures.c.coming[i][0]] for i in jump.held if i in measures.c.one_sided
        )
        off = left / (part * float(np.linalg.norm(jump.free)) + ROUNDING * jump.size + stays)
        found.append((off, f"velocities jump by what no impulse of what touches gives {place}"))
        found += _energies(measures, jump, part, place)
        found += _sent_back(measures, jump, pushes if unique else None, part, newton and jump.single, place)
        found += _rubbed(measures.c, jump, pushes, part, place) if unique else []
    return found


def _jumps(measures: Measures, turns: list[Seam]) -> Iterator[Jump]:
    """All in which velocities change, as if all conditions held."""
    c, scale = measures.c, measures.sizes.scale
    nq, nv, m = c.q.numel(), c.v.numel(), len(c.rows)
    velocities = slice(nq, nq + nv)
    p = np.array([turn.p for turn in turns])
    p[:, c.limit_places], p[:, c.slide_places] = 1.0, 0.0
    behind = np.array([turn.behind for turn in turns])
    before = behind.copy()
    before[:, velocities] = [turn.before[velocities] for turn in turns]
    time, still = np.array([turn.time for turn in turns]), np.zeros((len(turns), nv))
    one, other = (written(c, write_jump)(time, y, still, p) for y in (before, behind))
    for i, (t, start, end) in enumerate(zip(time, before[:, velocities], behind[:, velocities], strict=True)):
        mass = other[0][i].reshape(nv, nv).T * np.outer(scale, scale)
        rows = other[1][i].reshape(nv, m).T * scale
        fast = float(np.max(np.abs(rows) @ np.abs(start / scale) + np.abs(other[2][i]), initial=0.0))
        change, size = (end - start) / scale, float(np.linalg.norm(np.abs(mass) @ np.abs(start / scale)))
        given = other[8][i].reshape(-1, nv).T * scale[:, None]
        strike = np.abs(other[7][i] - t) <= INSTANT * max(1.0, abs(t))
        free = mass @ change - given[:, strike].sum(axis=1)
        size += float(np.linalg.norm(mass @ change)) + measures.rate * float(np.max(np.abs(mass), initial=0.0))
        if float(np.linalg.norm(mass @ change)) <= CLOSED * size and not strike.any():
            continue
        answers = np.sum(rows * np.linalg.lstsq(mass, rows.T, rcond=1e-12)[0].T, axis=1)
        inertia = np.linalg.norm(rows, axis=1) / np.maximum(answers, 1e-300)
        yield Jump(
            float(t),
            turns[i].single and not strike.any(),
            turns[i].held,
            free,
            size,
            inertia,
            rows,
            one[2][i] + rows @ (start / scale),
            other[2][i] + rows @ (end / scale),
            fast + float(np.max(np.abs(rows) @ np.abs(change), initial=0.0)),
            other[3][i],
            other[4][i],
            other[5][i],
            (float(other[6][i, 0] - one[6][i, 0]), float(max(other[6][i, 0], one[6][i, 0]))),
        )


def _pushes(c: Coordinates, jump: Jump) -> tuple[Array, float, bool]:
    """Impulses (m) of all rows that may push, of limits such as do not pull; what is left, and whether they are unique."""
    touching = [i for room, i in zip(jump.room, c.one_sided, strict=True) if room <= _none(c)]
    rubbing = [i for i, carrier in c.carriers.items() if carrier in touching]
    # a connection may have closed, and broken at once
    acting = {row for i in (*touching, *rubbing, *jump.held, *c.connections) for row in c.coming[i]}
    coming, pushing = {row for group in c.coming for row in group}, [c.coming[i][0] for i in touching]
    away = (coming - acting) | {c.coming[i][0] for i in c.one_sided}
    holding = [row for row in range(len(c.rows)) if row not in away]
    impulses, left = push(jump.rows, holding, pushing, jump.free)
    used = [*holding, *pushing]
    unit = jump.rows[used] / np.maximum(np.linalg.norm(jump.rows[used], axis=1, keepdims=True), 1e-300)
    unique = bool(np.linalg.matrix_rank(unit, tol=DEPENDENT) == len(used))
    return impulses, left, unique


def _none(c: Coordinates) -> float:
    """A room that is none, m."""
    return CLOSED * float(c.kinematics.length)


def _slow(measures: Measures) -> float:
    """m/s: what throws something off by less is none, and it stays."""
    return float(np.sqrt(2.0 * UNSEEN * measures.length * measures.pull))


def _energies(measures: Measures, jump: Jump, part: float, place: str) -> list[tuple[float, str]]:
    """What T has lost against the works that were told."""
    kept = measures.trajectory.gathered
    assert kept is not None
    near = INSTANT * max(1.0, abs(jump.time))
    told = sum(item.work for item in kept.impulses if abs(item.time - jump.time) <= near)
    change, size = jump.energy
    allowed = part * max(abs(change), abs(told)) + ROUNDING * (size + measures.thrust)
    words = f"impulses take {-told:.6g} J, and the energy falls by {-change:.6g} J {place}"
    return [(abs(change - told) / allowed if allowed > 0.0 else 0.0, words)]


def _sent_back(
    measures: Measures, jump: Jump, pushes: Array | None, part: float, newton: bool, place: str
) -> list[tuple[float, str]]:
    """Limits that are passed, and those that do not send back the part of the speed that they should."""
    c, found = measures.c, list[tuple[float, str]]()
    slow, allowed = _slow(measures), part * jump.fast + ROUNDING * measures.speed
    for (i, limit), room, e in zip(c.one_sided.items(), jump.room, jump.back, strict=True):
        row = c.coming[i][0]
        before, behind = float(jump.before[row]), float(jump.behind[row])
        pushed = pushes is not None and pushes[row] > part * float(np.max(np.abs(pushes)))
        # what nearly touches comes down next
        if allowed == 0.0 or not (pushed or room <= MET * measures.length):
            continue
        found.append((-behind / allowed, f"{limit.name} is passed at {-behind:.3g} m/s {place}"))
        if not newton or 0.0 < e * -before <= slow:
            continue
        wanted = -e * before
        words = f"{limit.name} is hit at {-before:.6g} m/s and left at {behind:.6g} m/s, not {wanted:.6g} m/s, {place}"
        found.append(((wanted - behind) / allowed, words))
        if pushed:
            found.append((abs(behind - wanted) / allowed, words))
    return found


def _rubbed(c: Coordinates, jump: Jump, pushes: Array, part: float, place: str) -> list[tuple[float, str]]:
    """Impulses of friction beyond what the coefficient allows."""
    found = list[tuple[float, str]]()
    for cone in c.cones:
        carrier, mu = c.carriers.get(cone[0]), float(jump.friction[list(c.grips).index(cone[0])])
        if carrier is None or mu == 0.0:
            continue
        along = float(np.linalg.norm(pushes[[c.coming[i][0] for i in cone]]))
        most = mu * float(pushes[c.coming[carrier][0]])
        allowed = part * float(np.max(np.abs(pushes), initial=0.0))
        if allowed > 0.0:
            words = (
                f"friction of {c.limits[carrier].name} gives {along:.3g} N*s, of {most:.3g} N*s that it can, {place}"
            )
            found.append(((along - most) / allowed, words))
    return found
