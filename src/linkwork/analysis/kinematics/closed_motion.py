"""The states of a whole mechanism from a motion of some of its joint coordinates, or from states that somebody found.

What is not given is looked at first, then positions, rates and accelerations are closed (``closing_motion``), each of them
checked: what is then left of the conditions is their violation by the motion.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca
import numpy as np

from linkwork.analysis.kinematics.carried_spins import carry_spins
from linkwork.analysis.kinematics.closing_motion import MotionClosing, largest
from linkwork.analysis.kinematics.record import GivenMotion
from linkwork.analysis.motion.singular import diagnose_state
from linkwork.analysis.motion.work import States
from linkwork.analysis.prepared.prepare import Mechanism, Start
from linkwork.arrays import Array
from linkwork.coordinates.motors import Motor, motor_rates
from linkwork.equations.inverse.ways import allowed_motions, reach
from linkwork.equations.terms import make_function
from linkwork.errors import RefusedError
from linkwork.numerics.matrices.many_matrices import most_independent
from linkwork.numerics.policy import POLICY
from linkwork.topology.graph.floating import floating_texts
from linkwork.topology.mobility.singularity import Cause
from linkwork.topology.mobility.spins import spin_texts

LOOKED = 17  # positions among which a regular one is looked for


@dataclass(frozen=True)
class Tolerance:
    """How much a motion may violate conditions: relative to the size of the mechanism, and of its rates."""

    positions: float
    rates: float


def close_record(
    mechanism: Mechanism, start: Start, record: GivenMotion, tolerance: float, near: Array | None = None
) -> States:
    """t, y and v̇ of the whole mechanism from a motion of some of its joint coordinates.

    near: positions (N, ny) that are nearly its own; by default they are followed from the start
    """
    spins = [spin for spin in mechanism.topology.spins_beside(record.values) if not spin.matters]
    closing = MotionClosing(mechanism, start.p, list(record.values), spins)
    c, t = mechanism.coordinates, record.time
    given = [np.column_stack([item[i] for item in record.values.values()]) for i in range(3)]
    names = c.kinematics.q_names
    if near is not None:
        y = near
    elif set(names) <= set(record.names):
        y = np.tile(start.y, (t.size, 1))
        y[:, : len(names)] = given[0][:, [record.names.index(name) for name in names]]
    else:
        y = closing.follow(t, start.y, given[0])
    closing.independent = check_given(closing, np.append(t, start.time), np.vstack([y, start.y]))
    # derivatives by splines need not fit each other: they are brought together
    allowed = Tolerance(tolerance, np.inf if record.measured else tolerance)
    none = np.zeros((t.size, closing.nv))
    found = _completed(closing, (t, closing.positions(t, y, given[0]), none), allowed, given)
    if not closing.spins.names or t.size < 2:
        return found
    y = closing.positions(t, found[1], given[0], carry_spins(mechanism, closing.spins, found, start.p))
    return _completed(closing, (t, y, none), allowed, given)


def close_states(mechanism: Mechanism, start: Start, states: States, tolerance: float) -> States:
    """The same from states that somebody found, with all coordinates."""
    closing = MotionClosing(mechanism, start.p, [])
    return _completed(closing, states, Tolerance(tolerance, tolerance))


def _completed(
    closing: MotionClosing, states: States, tolerance: Tolerance, given: Sequence[Array] | None = None
) -> States:
    """Positions, then rates, then accelerations, each checked and brought onto the conditions."""
    (t, y, vdot), v = states, slice(closing.nq, closing.nq + closing.nv)
    _check(closing, t, closing.openings(t, y), "positions", tolerance.positions)
    y = MotionClosing(closing.mechanism, closing.p, []).positions(t, y, np.zeros((len(t), 0)))
    speeds, accelerations = (None, None) if given is None else given[1:]
    y[:, v], left = closing.rates(t, y, "a", speeds, y[:, v])
    _check(closing, t, left, "speeds", tolerance.rates * _size(closing, y[:, v]))
    found, left = closing.rates(t, y, "b", accelerations, vdot)
    _check(closing, t, left, "accelerations", tolerance.rates * _size(closing, found))
    return t, _counted(closing, t, y), found


def check_given(closing: MotionClosing, t: Array, y: Array) -> bool:
    """Refuse a motion that leaves freedoms of the mechanism open, naming coordinates that would fix them; tells whether it
    gives no more than it needs.

    t (N), y (N, ny): of positions, one of which is looked at that is not singular
    """
    c, k, p = closing.c, len(closing.keys), np.atleast_2d(closing.p)
    chosen = np.linspace(0, len(t) - 1, min(LOOKED, len(t))).astype(int)
    every = closing.parts(t[chosen], y[chosen], np.minimum(chosen, len(p) - 1))
    best = most_independent(every["C"] * closing.scale)
    held = np.concatenate([every["C"], every["D"][:, k:]], axis=1)[best : best + 1]
    keys = list(c.motion.coordinates)
    function = make_function("rates", c, {"B": motor_rates(c, [Motor("", *key) for key in keys])})
    at = float(t[chosen[best]]), y[chosen[best]], p[0]
    others = np.array(function.call(list(at))[0]).reshape(len(keys), closing.nv)
    found = reach(allowed_motions(held, closing.scale)[0], every["D"][best, :k], others, closing.scale)
    if found.rank == found.freedoms:
        return found.freedoms == k
    cause = diagnose_state(closing.mechanism, *at, near=POLICY.rank)
    if cause.cause is Cause.BRANCHING:
        raise RefusedError(
            f"the motion begins at a change point ({cause}): nothing says on which branch it is; draw it, and begin, a "
            "little way from there"
        )
    dependent = (
        f"the {k} coordinates that it gives depend on each other in its positions (a singular position, or a gear); "
    )
    raise RefusedError(
        f"the motion gives {found.rank} of the {found.freedoms} degrees of freedom of the mechanism; "
        + (dependent if found.rank < k else "")
        + _missing(closing, [".".join(keys[i]) for i in found.missing])
    )


def _missing(closing: MotionClosing, names: Sequence[str]) -> str:
    """What a motion does not give, and what to do: *names* of joint coordinates that would give it."""
    loose = "".join(f". {text}" for text in floating_texts(closing.c.geometry))
    spins = "; ".join(spin_texts(closing.c.topology.spins_beside(closing.keys)))
    if spins and not names:
        return (
            f"{spins}. Give the motion as drivers of the model, whose run finds the spin, or take a universal joint in "
            f"place of a ball{loose}"
        )
    wanted = " and ".join(names) or "bodies that no joint coordinate describes"
    return f"give {wanted} as well{f'. {spins}' if spins else ''}{loose}"


def _size(closing: MotionClosing, rates: Array) -> float:
    return max(1.0, float(largest(rates / closing.scale).max(initial=0.0)))


def _check(closing: MotionClosing, t: Array, left: Array, what: str, tolerance: float) -> None:
    """Refuse what violates the conditions, with where and by how much."""
    if not left.size:
        return
    relative = np.abs(left) * closing.weights[: left.shape[1]]
    sample, row = np.unravel_index(int(np.argmax(relative)), relative.shape)
    if relative[sample, row] <= tolerance:
        return
    label = closing.c.rows[row].label
    unit = {"positions": "m", "speeds": "m/s", "accelerations": "m/s^2"}[what]
    amount = abs(left[sample, row]) * closing.c.rows[row].weight
    if closing.independent:
        names = ", ".join(".".join(key) for key in closing.keys)
        raise RefusedError(
            f"the mechanism cannot follow {names} at t = {t[sample]:.6g} s (sample {sample}): with its {what} {label} is "
            f"off by {amount:.3g} {unit}; the motion goes through a dead centre or out of reach"
        )
    raise RefusedError(
        f"the {what} of the motion violate the conditions: {label} is off by {amount:.3g} {unit} at t = {t[sample]:.6g} s "
        f"(sample {sample}); give independent coordinates alone and the rest follows, or allow it with a larger tolerance "
        f"than {tolerance:.2g}"
    )


def _counted(closing: MotionClosing, t: Array, y: Array) -> Array:
    """The states with their turn counters."""
    c = closing.c
    counters = {i: state for i, state in enumerate(c.auxiliaries) if state.role == "turns"}
    if not counters:
        return y
    starts = ca.vertcat(*[state.start for state in counters.values()])
    f = ca.Function("turns", [c.t, c.y, c.p], [ca.densify(starts)]).map(t.size)
    p = np.broadcast_to(closing.p, (t.size, closing.p.shape[-1]))
    found = np.array(f(t.reshape(1, -1), y.T, p.T)).T
    first = c.q.numel() + c.v.numel()
    for column, i in enumerate(counters):
        y[:, first + i] = np.unwrap(found[:, column])
    return y
