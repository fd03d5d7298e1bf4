"""Accelerations v̇ of given states of a constrained system, also where its conditions lose their independence.

The null space of the conditions gives v̇ at regular states, whatever was integrated. At singular ones, where fewer
conditions are independent than elsewhere, b determines nothing in some directions: there others are asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from linkwork.numerics.flows.closure import count_ranks, evaluate_closure, rank_at
from linkwork.numerics.flows.constrained import SETTLED, by_multipliers
from linkwork.numerics.flows.context import ConstrainedSystem, memory_of
from linkwork.numerics.flows.flow import Flow, evaluate_flow
from linkwork.numerics.kernels.constrained import codes
from linkwork.numerics.policy import POLICY

TRIED = 5  # states at which the rank is counted
DRIFT = 10.0  # singular values below so many errors of the positions count as zero
SINGULAR = POLICY.worthless  # singular values below this make such v̇ worthless
SUSPICIOUS = 100.0  # v̇ that are so many times as large as usual are looked at


def accelerations(
    system: ConstrainedSystem, t: np.ndarray, y: np.ndarray, others: Iterable[Callable[[], Flow | None]]
) -> np.ndarray:
    """v̇ (N, nv) at the times t (N) and states y (N, n); *others*: flows that give it at singular states, the best first."""
    # nothing is stepped: branches need no watching
    flow = replace(by_multipliers(project=False), refresh=SETTLED).begin(system)
    rank = _regular_rank(flow, system, t, y)
    found = _rates(flow, system, t, y)
    sizes = _sizes(found, system)
    limit = SUSPICIOUS * float(np.median(sizes[np.isfinite(sizes)])) if np.isfinite(sizes).any() else np.inf
    wrong = ~np.isfinite(sizes)
    if "closure" in system.functions and system.m:
        steep = np.flatnonzero(np.isfinite(sizes) & (sizes > limit))
        wrong[steep] = count_ranks(system, t[steep], y[steep], tolerance=SINGULAR) < rank
    for other in others:
        asked = other() if wrong.any() else None
        if asked is not None:
            found[wrong] = _rates(asked, system, t[wrong], y[wrong])
            wrong &= ~(_sizes(found, system) <= limit)
    return found


def _rates(flow: Flow, system: ConstrainedSystem, t: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.array(evaluate_flow(flow, t, y)[:, system.nq : system.nq + system.nv])


def _sizes(found: np.ndarray, system: ConstrainedSystem) -> np.ndarray:
    """(N,) the largest of all v̇, in sizes of their coordinates; not a number where one is not."""
    return np.asarray(np.max(np.abs(found / system.scale), axis=1, initial=0.0))


def _regular_rank(flow: Flow, system: ConstrainedSystem, t: np.ndarray, y: np.ndarray) -> int:
    """Let the flow expect the largest rank of a few states: the first one may be singular."""
    memory = memory_of(flow)
    ranks = [memory.rank]
    for i in np.unique(np.linspace(0, len(t) - 1, min(TRIED, len(t))).astype(int)) if ranks[0] < 0 else ():
        memory.rank = -1
        evaluate_flow(flow, t[i : i + 1], y[i : i + 1])
        found = memory.rank
        # pivots of sparse factors are clear by far more than loops are open
        known = "closure" in system.functions and found > 0 and memory.at_hand == 0
        ranks.append(min(found, _rank_of_open_loops(system, t[i], y[i])) if known else found)
    memory.rank = max(ranks)
    return max(ranks)


def _rank_of_open_loops(system: ConstrainedSystem, t: float, y: np.ndarray) -> int:
    """Redundant constraints look independent by as much as their loops are open: nothing below that is counted."""
    phi, c, _ = evaluate_closure(system, t, y)
    lengths = np.linalg.norm(c * system.scale, axis=1)
    error = float(np.max(np.abs(phi) / np.where(lengths > 0.0, lengths, np.inf), initial=0.0))
    return rank_at(system, t, y, tolerance=max(codes.RANK_TOLERANCE, DRIFT * error))
