"""Flows of constrained systems by projection: on the range of the conditions, on the admissible velocities, on a set.

The rows of B say which velocities are independent, ż = B v; R gives all velocities, v = R ż + S̄(−a) (kernels/inputs.py).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from linkwork.numerics.constrained import LOG_LIMIT, PartitionError, multipliers_flow, partition_flow
from linkwork.numerics.context import ConstrainedSystem, allocate, call_refresh, failure_of
from linkwork.numerics.integrators.flow import Flow
from linkwork.numerics.kernels import slots
from linkwork.numerics.loader import kernel_address

BASES = {"gauss": slots.GAUSS, "qr": slots.QR, "svd": slots.SVD, "gram_schmidt": slots.GRAM_SCHMIDT}
"""Ways to choose a constant B, by name."""
ANEW = {"svd_each": slots.SVD, "eigen_each": slots.EIGENVECTORS}
"""Ways to R at every position anew, by name."""
DIFFERENTIABLE = "differentiable"
"""R by rows that are made orthonormal, with its derivative."""


def range_space_flow(system: ConstrainedSystem, *, project: bool = True) -> Flow:
    """Flow in all coordinates by the range space of the conditions; steps projected as with multipliers."""
    return replace(multipliers_flow(system, project=project), flow=kernel_address("range_space.flow_range_space"))


def r_projection_flow(
    system: ConstrainedSystem, t0: float, y0: np.ndarray, *, basis: str, switch_ratio: float, project: bool = True
) -> Flow:
    """Flow in all coordinates by the equations that R projects; y0 satisfies the constraints."""
    return _begin(system, t0, y0, ("projected", "projected" if project else "drifting"), basis, switch_ratio, 0.0)


def r_method_flow(
    system: ConstrainedSystem,
    t0: float,
    y0: np.ndarray,
    *,
    basis: str,
    switch_ratio: float,
    tolerance: float | None = None,
) -> Flow:
    """Flow in z, or with a tolerance in ż and all positions, which are corrected when a row is open by more than it."""
    name = "independent" if tolerance is None else "all"
    return _begin(system, t0, y0, (name, name), basis, switch_ratio, tolerance or 0.0)


def moving_r_flow(
    system: ConstrainedSystem,
    t0: float,
    y0: np.ndarray,
    *,
    basis: str,
    switch_ratio: float,
    tolerance: float,
    jacobian_rate: int,
) -> Flow:
    """Flow in all of q and v with an R that has a derivative, from Ċ (address), or that is found anew at every position."""
    ic, w = begin_inputs(system, t0, y0, basis=basis, switch_ratio=switch_ratio)
    w[slots.TOLERANCE], ic[slots.JACOBIAN_RATE] = tolerance, jacobian_rate
    if basis == DIFFERENTIABLE:
        names = "differentiable_r.flow_differentiable", "r_matrix.refresh_all"
    else:
        names = "r_anew.flow_anew", "r_anew.refresh_anew"
    flow, refresh = (kernel_address(name) for name in names)
    return Flow(flow, refresh, ic, w, (system.p, system.keepalive))


def begin_inputs(
    system: ConstrainedSystem, t0: float, y0: np.ndarray, *, basis: str, switch_ratio: float
) -> tuple[np.ndarray, np.ndarray]:
    """The context and the work of a flow in ż = B v with its first B; y0 satisfies the constraints."""
    ic, w = allocate(system, LOG_LIMIT)
    w[slots.SWITCH_RATIO] = switch_ratio
    ic[slots.BASIS_KIND] = {**BASES, **ANEW, DIFFERENTIABLE: slots.GAUSS}[basis]
    if call_refresh("r_matrix.start_inputs", t0, np.array(y0, dtype=float), ic, w) < 0:
        raise PartitionError(failure_of(ic, w))
    return ic, w


def _begin(
    system: ConstrainedSystem,
    t0: float,
    y0: np.ndarray,
    names: tuple[str, str],
    basis: str,
    switch_ratio: float,
    tolerance: float,
) -> Flow:
    ic, w = begin_inputs(system, t0, y0, basis=basis, switch_ratio=switch_ratio)
    w[slots.TOLERANCE] = tolerance
    flow, refresh = kernel_address(f"r_matrix.flow_{names[0]}"), kernel_address(f"r_matrix.refresh_{names[1]}")
    return Flow(flow, refresh, ic, w, (system.p, system.keepalive))


def extended_flow(
    system: ConstrainedSystem, t0: float, y0: np.ndarray, *, switch_ratio: float, tolerance: float
) -> Flow:
    """Partition flow with all positions integrated; they are corrected when a row is open by more than the tolerance."""
    flow = partition_flow(system, t0, y0, switch_ratio=switch_ratio)
    flow.w[slots.TOLERANCE] = tolerance
    return _with_kernels(flow, "extended")


def stabilised_flow(
    system: ConstrainedSystem,
    t0: float,
    y0: np.ndarray,
    *,
    switch_ratio: float,
    tolerance: float,
    damping: tuple[float, float],
) -> Flow:
    """Partition flow in all coordinates; damping (α, β) acts where a row is open by more than the tolerance."""
    flow = partition_flow(system, t0, y0, switch_ratio=switch_ratio)
    flow.w[slots.TOLERANCE] = tolerance
    flow.w[[slots.ALPHA, slots.BETA]] = damping
    return _with_kernels(flow, "stabilised")


def _with_kernels(flow: Flow, name: str) -> Flow:
    addresses = {what: kernel_address(f"extended.{what}_{name}") for what in ("flow", "refresh")}
    return replace(flow, flow=addresses["flow"], refresh=addresses["refresh"])


@dataclass(frozen=True)
class StepCounts:
    """Steps of a run after which positions were solved for, and steps taken with damped errors."""

    solved: int
    damped: int


def step_counts(flow: Flow) -> StepCounts:
    """Read the counters of an extended or stabilised flow, or of one in ż and all positions."""
    return StepCounts(int(flow.ic[slots.FALLBACKS]), int(flow.ic[slots.EVALUATIONS]))


def r_matrix(flow: Flow, t: float, y: np.ndarray) -> np.ndarray:
    """R (nv, k) of the B that a flow uses now, at a state."""
    if call_refresh("r_matrix.find_r", t, np.array(y, dtype=float), flow.ic, flow.w) < 0:
        raise ValueError("the rows of B depend on the constraints at this state")
    nv, rank = int(flow.ic[slots.NV]), int(flow.ic[slots.RANK])
    return flow.w[int(flow.ic[slots.BASIS]) :][: nv * (nv - rank)].reshape((nv, nv - rank), order="F").copy()


def moving_r(flow: Flow, t: float, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """R and Ṙ (nv, k) of a flow with a differentiable R, at a state."""
    if call_refresh("differentiable_r.find_rows", t, np.array(y, dtype=float), flow.ic, flow.w) < 0:
        raise ValueError("the rows of B depend on the constraints at this state")
    nv, rank = int(flow.ic[slots.NV]), int(flow.ic[slots.RANK])
    scale = flow.w[int(flow.ic[slots.SCALE]) :][:nv]
    rows, rates = (flow.w[int(flow.ic[slot]) :][: nv * nv].reshape(nv, nv) for slot in (slots.MASS, slots.MASS_FACTOR))
    return (rows[rank:] * scale).T, (rates[rank:] * scale).T


def input_rows(flow: Flow) -> np.ndarray:
    """B (k, nv) that a flow uses now, for the velocities in their own units."""
    nv, rank = int(flow.ic[slots.NV]), int(flow.ic[slots.RANK])
    rows = flow.w[int(flow.ic[slots.INPUTS]) :][: nv * (nv - rank)].reshape(nv - rank, nv)
    return np.asarray(rows / flow.w[int(flow.ic[slots.SCALE]) :][:nv])
