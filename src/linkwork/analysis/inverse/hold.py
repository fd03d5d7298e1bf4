"""Where motors hold a mechanism: the freedoms that they reach, and the positions at which they lose their hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.inverse.inverse_question import InverseQuestion
from linkwork.analysis.inverse.motor_choice import check_reach
from linkwork.analysis.kinematics.record import GivenMotion
from linkwork.analysis.motion.work import States
from linkwork.analysis.prepared.prepare import Mechanism, Start
from linkwork.arrays import Array
from linkwork.coordinates.motors import Motor, motor_rates
from linkwork.coordinates.spinning import spin_rates
from linkwork.equations.inverse.base import RANK, Motorised
from linkwork.equations.inverse.ways import VirtualPower, allowed_motions, reach
from linkwork.equations.terms import make_function
from linkwork.numerics.matrices.many_matrices import greatest_lengths, most_independent
from linkwork.numerics.paths.meetings import VANISHED
from linkwork.numerics.policy import POLICY
from linkwork.results.quantities import Variable
from linkwork.topology.mobility.spins import spin_texts

DEAD = POLICY.rank  # part of their usual hold on a freedom below which motors are at a dead centre
STEEP = 1e4  # condition number above which that is looked at
LISTED = 6  # times in a note
LOOKED = 17  # samples among which a regular one is looked for
USUAL = 999  # samples that tell what is usual
PORTION = 4096  # samples whose matrices are solved at once


@dataclass(frozen=True, eq=False)
class Problem:
    """A mechanism whose motors are among its forces; behind the motors stand efforts where no motor reaches."""

    mechanism: Mechanism
    motorised: Motorised
    motors: tuple[Motor, ...]
    missing: tuple[Motor, ...]
    freedoms: int
    lengths: Array  # (m) the greatest ones of the conditions
    usual: float  # smallest singular value of the conditions, beside these, in a position that is not singular
    notes: tuple[str, ...]


def pose_problem(mechanism: Mechanism, start: Start, states: States, asked: InverseQuestion) -> Problem:
    """Who pushes, and what no motor reaches, by a position that is not singular."""
    c, motors = mechanism.coordinates, asked.choice.motors
    keys = list(c.motion.coordinates)
    all_rates = motor_rates(c, [Motor("", *key) for key in keys])
    pushed = [(m.joint, m.freedom) for m in motors if not m.between]
    given = asked.motion.values if isinstance(asked.motion, GivenMotion) else pushed
    left = c.topology.spins_beside(given)
    idle, others = ([spin for spin in left if bool(spin.matters) == told] for told in (False, True))
    spins = ca.jacobian(spin_rates(c.geometry, idle, c.kinematics).rates, c.v)
    held = ca.vertcat(c.jacobian, spins)
    f = make_function("reach", c, {"C": held, "B": motor_rates(c, motors), "all": all_rates})
    time, parts, lengths = _regular_position(mechanism, start, states, f)
    motions = allowed_motions(parts[0][None], c.kinematics.scale)[0]
    found = reach(motions, parts[1], parts[2], c.kinematics.scale)
    lengths, rows = lengths[: len(c.rows)], parts[0][: len(c.rows)] * c.kinematics.scale
    sizes = np.linalg.svd(rows / lengths[:, None], compute_uv=False)
    rank = POLICY.count(sizes)
    usual = float(sizes[rank - 1]) if rank else 1.0
    guides = ", ".join(mechanism.model.guides)
    check_reach(motors, guides, found, time, bool(left))
    missing = tuple(Motor(".".join(keys[i]), *keys[i]) for i in found.missing)
    notes = [f"passive spins, driven by nothing: {', '.join(spin.name for spin in idle)}"] if idle else []
    notes += [f"{text}; it is as the motion has it" for text in spin_texts(others)]
    if found.rank + len(missing) + len(others) < found.freedoms:
        notes.append("some degrees of freedom are those of no joint coordinate: reactions are of least squares there")
    if len(motors) > found.rank:
        notes.append(
            f"{len(motors)} motors for {found.rank} degree{'' if found.rank == 1 else 's'} of freedom in reach: least "
            f"weighted squares of efforts{f'; {guides} pushes too' if guides else ''}"
        )
    acted, u = mechanism.with_motors((*motors, *missing))
    size = np.concatenate([asked.weights, np.ones(len(missing))])
    motorised = Motorised(acted.coordinates, (*motors, *missing), u, size, rank)
    return Problem(acted, motorised, motors, missing, found.freedoms, lengths, usual, tuple(notes))


def _regular_position(
    mechanism: Mechanism, start: Start, states: States, f: ca.Function
) -> tuple[float, list[Array], Array]:
    """A time of a motion where C is as independent as it can be, the rows C, B and those of all coordinates there, and the
    greatest lengths of C."""
    c, (t, y, _) = mechanism.coordinates, states
    middle = len(t) // 3  # away from symmetric and dead positions, where motions like to begin and end
    chosen = [middle, *np.linspace(0, len(t) - 1, min(LOOKED, len(t))).astype(int)]
    times, where = np.append(t[chosen], start.time), np.vstack([y[chosen], start.y])
    p = np.vstack([np.broadcast_to(start.p, (len(t), start.p.shape[-1]))[chosen], np.atleast_2d(start.p)[:1]])
    rows = [
        [np.array(item).reshape(-1, c.v.numel()) for item in f.call([time, one, values])]
        for time, one, values in zip(times, where, p, strict=True)
    ]
    conditions = np.array([found[0] for found in rows]) * c.kinematics.scale
    best = most_independent(conditions)
    return float(times[best]), rows[best], greatest_lengths(conditions)


def with_efforts(p: Array, efforts: Array) -> Array:
    """Parameters (np), or (N, np) at every sample, with the efforts of motors (k) or (N, k) behind them."""
    if p.ndim == efforts.ndim == 1:
        return np.concatenate([p, efforts])
    count = max(len(p) if p.ndim == 2 else 0, len(efforts) if efforts.ndim == 2 else 0)
    return np.ascontiguousarray(np.hstack([np.broadcast_to(item, (count, item.shape[-1])) for item in (p, efforts)]))


def among(p: Array, places: slice | NDArray[np.intp]) -> Array:
    """Parameters of some samples."""
    return p if p.ndim == 1 else p[places]


@dataclass(frozen=True, eq=False)
class WeakPositions:
    """Samples (N,) at which no effort gives the motion, since motors are at a dead centre or branches meet."""

    dead: NDArray[np.bool_]
    meeting: NDArray[np.bool_]

    def notes(self, t: Array, over: Variable) -> tuple[str, ...]:
        """What to know of them, with the places of the samples (N)."""
        dead, meeting = t[self.dead & ~self.meeting], t[self.meeting]
        told = []
        if dead.size:
            more = f" and {dead.size - 1} more times" if dead.size > 1 else ""
            told.append(
                f"the motors are at a dead centre at {_listed(dead[:1], over)}{more}: no effort gives the motion there, and "
                "efforts and reactions are no numbers"
            )
        if meeting.size:
            smooth = "the motion goes on smoothly, and " if over.is_time else ""
            told.append(
                f"at {_listed(meeting, over)} branches meet (change point): {smooth}efforts and reactions are not "
                "determined there (nan)"
            )
        return tuple(told)


def _listed(places: Array, over: Variable) -> str:
    listed = ", ".join(f"{place:.6g}" for place in places[:LISTED]) + (", ..." if len(places) > LISTED else "")
    return f"{'t' if over.is_time else over.name} = {listed} {over.unit}".rstrip()


def weak_positions(problem: Problem, states: States, p: Array, met: Sequence[int]) -> WeakPositions:
    """Where no effort gives the motion; *met*: samples that are known to be change points."""
    count = len(states[0])
    dead, meeting = np.zeros(count, dtype=bool), np.zeros(count, dtype=bool)
    meeting[[i for i in met if i < count]] = True
    k = problem.motorised.u.numel()
    if not problem.motorised.coordinates.rows or not k:
        return WeakPositions(dead, meeting)
    full = with_efforts(p, np.zeros(k))
    steep = _steep(problem, states, full)
    if steep.any():
        usual = np.arange(0, count, 1 + count // max(USUAL, 2 * int(np.count_nonzero(steep))))
        looked_at = np.union1d(usual, np.flatnonzero(steep))
        hold, kept = _hold(problem, states[0][looked_at], states[1][looked_at], among(full, looked_at))
        dead[looked_at] = hold < DEAD * np.median(hold)
        meeting[looked_at] |= kept < max(POLICY.rank, VANISHED * problem.usual)
    return WeakPositions(dead, meeting)


def _steep(problem: Problem, states: States, p: Array) -> NDArray[np.bool_]:
    """(N,) where the equations for the efforts are ill-conditioned, or dependent as nowhere else."""
    t, y, vdot = states
    steepness, nullity = np.zeros(len(t)), np.zeros(len(t))
    system = VirtualPower().system(problem.motorised)
    compiled = problem.mechanism.compiled(system.function)
    assert system.solver is not None  # there are conditions
    for first in range(0, len(t), PORTION):
        part = slice(first, first + PORTION)
        entries = compiled.sample(t[part], np.hstack([y[part], vdot[part]]), among(p, part))
        found = system.solver.solve(entries, np.full(len(entries), RANK))
        steepness[part], nullity[part] = np.where(found.certain, found.condition, np.inf), found.nullity
    count = problem.motorised.u.numel() + len(problem.motorised.coordinates.rows)
    usual = count - (problem.motorised.rank or 0) - problem.freedoms
    return np.asarray((steepness > STEEP) | (nullity > max(usual, 0)))


def _hold(problem: Problem, t: Array, y: Array, p: Array) -> tuple[Array, Array]:
    """(N,) the least speed of the motors in a motion of unit size; the smallest singular value of the conditions."""
    c = problem.motorised.coordinates
    rates = motor_rates(c, (*problem.motors, *problem.missing))
    compiled = problem.mechanism.compiled(make_function("hold", c, {"C": c.jacobian, "B": rates}))
    parts = compiled.unpack(compiled.sample(t, y, p))
    rank = problem.motorised.rank or 0
    rows = parts["C"] * c.kinematics.scale
    rows = rows / np.maximum(problem.lengths, greatest_lengths(rows))[:, None]
    kept = np.linalg.svd(rows, compute_uv=False)[:, rank - 1] if rank else np.ones(len(t))
    motions = c.kinematics.scale[:, None] * np.linalg.svd(rows)[2][:, rank:].swapaxes(-1, -2)
    hold = np.linalg.svd(parts["B"] @ motions, compute_uv=False).min(axis=-1, initial=np.inf)
    return np.asarray(hold), np.asarray(kept)
