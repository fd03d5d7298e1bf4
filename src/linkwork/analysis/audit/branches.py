"""The branches of all loops along a run.

With the conditions C v + a = 0 and the rates u = B v of the inputs of the plan, a mechanism passes from one branch of a
loop to another where det [C; B] changes its sign: there the loop is at a dead centre of its inputs. A motion may pass one;
a loop that was closed the other way round by mistake changes the sign without the motion that leads there. Where C itself
loses rank, branches meet: through such a change point a smooth motion keeps to its own.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.audit.measures import Measures
from linkwork.analysis.motion.driven_trajectory import KinematicTrajectory
from linkwork.analysis.motion.singular import passages, poses_of
from linkwork.analysis.motion.trajectory import Trajectory
from linkwork.arrays import Array
from linkwork.errors import LinkworkError
from linkwork.numerics.policy import POLICY
from linkwork.topology.modes.modes import branches_in_use
from linkwork.topology.modes.situation import Situation

LARGEST = 400_000  # numbers in all matrices
KINK = 0.03  # change of a speed between two outputs that accelerations do not explain, over the usual one
OUTLYING = 10.0  # times the same between the outputs around
SEARCHED = 50  # kinks that are looked at
ROUNDED = 1e-3  # of the way between two outputs: how well a change point is known


@dataclass(frozen=True)
class Change:
    """A change of sign between the outputs number *low* and *high*: where that is, and whether branches meet there."""

    low: int
    high: int
    time: float
    meeting: bool = False


def follow_branches(measures: Measures) -> tuple[Change, ...] | None:
    """All changes of branch that outputs show; None where there are no inputs to tell branches by."""
    run, sizes = measures.trajectory, measures.sizes
    inputs = run.mechanism.topology.plan.inputs
    width = (sizes.holonomic + len(inputs)) * sizes.v
    if not run.mechanism.topology.loops or not sizes.holonomic or len(run.t) < 2 or width > LARGEST:
        return None
    if any(name not in run.mechanism.model.joints for name, _ in inputs):
        return None
    picked = _few(measures.picked, width)
    found = measures.branch_rows(picked).reshape(len(picked), sizes.v, -1).swapaxes(1, 2) * sizes.scale
    if not np.isfinite(found).all():
        return None
    determinants = _determinants(found)
    if determinants is None:
        return None
    signs, logarithms = determinants
    known = np.flatnonzero(signs)
    places = known[1:][signs[known][1:] != signs[known][:-1]]
    before = known[np.searchsorted(known, places) - 1]
    passed = np.array(getattr(run, "passed", ()) or (passages(run) if len(places) else ()))
    return tuple(
        _change(run, (int(picked[low]), int(picked[high])), logarithms[high] - logarithms[low], passed)
        for low, high in zip(before, places, strict=True)
    )


def _change(run: Trajectory, outputs: tuple[int, int], growth: float, passed: Array) -> Change:
    """Where a determinant that grows by a factor of exp *growth* is zero between two outputs, or branches meet."""
    low, high = outputs
    first, last = float(run.t[low]), float(run.t[high])
    met = passed[(passed > first - ROUNDED * (last - first)) & (passed < last + ROUNDED * (last - first))]
    if len(met):
        return Change(low, high, float(met[0]), meeting=True)
    return Change(low, high, first + (last - first) / (1.0 + math.exp(min(growth, 700.0))))


def find_kinks(measures: Measures) -> list[int]:
    """Numbers of outputs of a prescribed motion behind which its speeds have a kink: on to the next one they change by far
    more than accelerations say, and than between the outputs around, while the conditions nearly lose rank.

    So it is where a loop has gone on in the other branch from a change point. What was looked at closely, and found to turn
    off sharply beside one, has none.
    """
    run, nq, nv = measures.trajectory, measures.sizes.q, measures.sizes.v
    if not isinstance(run, KinematicTrajectory) or len(run.t) < 6 or not measures.sizes.holonomic:
        return []
    v, vdot = run.y[:, nq : nq + nv] / measures.sizes.scale, run.vdot / measures.sizes.scale
    h = np.diff(run.t)[:, None]
    left = np.abs(np.diff(v, axis=0) - h / 2 * (vdot[1:] + vdot[:-1])).max(axis=1)
    usual = float(np.median(np.abs(v).max(axis=1)))
    around = np.maximum(np.append([np.inf, np.inf], left[:-2]), np.append(left[2:], [np.inf, np.inf]))
    found = []
    for k in np.flatnonzero((left > KINK * usual) & (left > OUTLYING * around))[:SEARCHED]:
        if any(low <= run.t[k + 1] and run.t[k] <= high for low, high in run.near):
            continue
        places = np.arange(k - 1, k + 3)
        rows = measures.branch_rows(places).reshape(4, nv, -1).swapaxes(1, 2) * measures.sizes.scale
        rows = rows / np.maximum(np.linalg.norm(rows, axis=2).max(axis=0), 1e-300)[:, None]
        sizes = np.linalg.svd(rows, compute_uv=False).min(axis=1)
        if min(sizes[1:3]) < min(sizes[0], sizes[3]):
            found.append(int(k))
    return found


def _few(picked: NDArray[np.intp], width: int) -> NDArray[np.intp]:
    most = max(2, LARGEST // max(width, 1))
    return picked if len(picked) <= most else picked[np.linspace(0, len(picked) - 1, most).astype(int)]


def _determinants(rows: Array) -> tuple[Array, Array] | None:
    """Signs and logarithms (N) of det of the rows (N, r, nv) that are independent in the first state; None: not nv of them.

    Pivots of unit rows are at most 1, and their product is the determinant: where this is large, none of them is small.
    """
    if rows.shape[1] == rows.shape[2]:
        signs, sizes = np.linalg.slogdet(rows)
        lengths = np.linalg.norm(rows[0], axis=1)
        if signs[0] and sizes[0] - np.log(lengths).sum() > math.log(POLICY.rank):
            return np.asarray(signs), np.asarray(sizes)
    kept = _independent(rows[0])
    if len(kept) < rows.shape[2]:
        return None
    signs, sizes = np.linalg.slogdet(rows[:, kept])
    return np.asarray(signs), np.asarray(sizes)


def _independent(rows: Array) -> list[int]:
    """Numbers of independent rows of the first state, by elimination with the largest remainder first."""
    left = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-300)
    kept: list[int] = []
    for _ in range(min(rows.shape)):
        squares = np.einsum("ij,ij->i", left, left)
        best = int(np.argmax(squares))
        if not squares[best] > POLICY.rank**2:
            break
        kept.append(best)
        unit = left[best] / math.sqrt(squares[best])
        left = left - (left @ unit)[:, None] * unit
    return sorted(kept)


def name_change(run: Trajectory, change: Change) -> str:
    """The blocks whose branch is another behind a change, in words; '' where closed forms do not tell."""
    first, second = _branches(run, change.low), _branches(run, change.high)
    return " and ".join(
        f"{name} ({first[name][0]} to {second[name][0]})"
        for name in first
        if name in second and not set(first[name]) & set(second[name])
    )


def _branches(run: Trajectory, i: int) -> Mapping[str, tuple[str, ...]]:
    """By block, the names by which its branch may be called at an output; more than one where branches meet."""
    mechanism = run.mechanism
    topology, p = mechanism.topology, np.atleast_2d(run.p)[0 if run.p.ndim == 1 else i]
    values = p[: len(topology.geometry.defaults)]
    try:
        poses = poses_of(mechanism, float(run.t[i]), run.y[i], p[: mechanism.coordinates.p.numel()])
        found = branches_in_use(Situation(topology.conditions, topology.planner.network, topology.plan, poses, values))
    except LinkworkError:
        return {}
    return {topology.plan.blocks[place].name: item.called for place, item in found.items()}
