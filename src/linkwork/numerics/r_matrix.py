"""Flows of constrained systems by projection: on the range of the conditions, on the admissible velocities, on a set.

The rows of B say which velocities are independent, ż = B v; R gives all velocities, v = R ż + S̄(−a) (kernels/inputs.py).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from linkwork.numerics.constrained import LOG_LIMIT, PartitionError, multipliers_flow, partition_flow
from linkwork.numerics.context import ConstrainedSystem, allocate, failure_of, memory_of
from linkwork.numerics.integrators.flow import Flow
from linkwork.numerics.kernels import codes, differentiable_r
from linkwork.numerics.kernels import r_matrix as kernels
from linkwork.numerics.kernels.records import ModelFunction
from linkwork.numerics.kernels.workspace import Workspace
from linkwork.numerics.loader import compiled, kernel_address

BASES = {"gauss": codes.GAUSS, "qr": codes.QR, "svd": codes.SVD, "gram_schmidt": codes.GRAM_SCHMIDT}
"""Ways to choose a constant B, by name."""
ANEW = {"svd_each": codes.SVD, "eigen_each": codes.EIGENVECTORS}
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
    memory = begin_inputs(system, t0, y0, basis=basis, switch_ratio=switch_ratio)
    memory.tolerance, memory.jacobian_rate = tolerance, ModelFunction(jacobian_rate)
    if basis == DIFFERENTIABLE:
        names = "differentiable_r.flow_differentiable", "r_matrix.refresh_all"
    else:
        names = "r_anew.flow_anew", "r_anew.refresh_anew"
    flow, refresh = (kernel_address(name) for name in names)
    return Flow(flow, refresh, memory, (system.p, system.keepalive))


def begin_inputs(system: ConstrainedSystem, t0: float, y0: np.ndarray, *, basis: str, switch_ratio: float) -> Workspace:
    """The memory of a flow in ż = B v with its first B; y0 satisfies the constraints."""
    kind = {**BASES, **ANEW, DIFFERENTIABLE: codes.GAUSS}[basis]
    memory = allocate(system, LOG_LIMIT, switch_ratio=switch_ratio, basis_kind=kind)
    if compiled(kernels.start_inputs)(t0, np.array(y0, dtype=float), memory) < 0:
        raise PartitionError(failure_of(memory))
    return memory


def _begin(
    system: ConstrainedSystem,
    t0: float,
    y0: np.ndarray,
    names: tuple[str, str],
    basis: str,
    switch_ratio: float,
    tolerance: float,
) -> Flow:
    memory = begin_inputs(system, t0, y0, basis=basis, switch_ratio=switch_ratio)
    memory.tolerance = tolerance
    flow, refresh = kernel_address(f"r_matrix.flow_{names[0]}"), kernel_address(f"r_matrix.refresh_{names[1]}")
    return Flow(flow, refresh, memory, (system.p, system.keepalive))


def extended_flow(
    system: ConstrainedSystem, t0: float, y0: np.ndarray, *, switch_ratio: float, tolerance: float
) -> Flow:
    """Partition flow with all positions integrated; they are corrected when a row is open by more than the tolerance."""
    flow = partition_flow(system, t0, y0, switch_ratio=switch_ratio)
    memory_of(flow).tolerance = tolerance
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
    memory = memory_of(flow)
    memory.tolerance = tolerance
    memory.alpha, memory.beta = damping
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
    memory = memory_of(flow)
    return StepCounts(memory.fallbacks, memory.evaluations)


def r_matrix(flow: Flow, t: float, y: np.ndarray) -> np.ndarray:
    """R (nv, k) of the B that a flow uses now, at a state."""
    memory = memory_of(flow)
    if compiled(kernels.find_r)(t, np.array(y, dtype=float), memory) < 0:
        raise ValueError("the rows of B depend on the constraints at this state")
    nv, k = memory.nv, memory.nv - memory.rank
    return memory.basis[: nv * k].reshape((nv, k), order="F").copy()


def moving_r(flow: Flow, t: float, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """R and Ṙ (nv, k) of a flow with a differentiable R, at a state."""
    memory = memory_of(flow)
    if compiled(differentiable_r.find_rows)(t, np.array(y, dtype=float), memory) < 0:
        raise ValueError("the rows of B depend on the constraints at this state")
    rows, rates = (block.reshape(memory.nv, -1)[memory.rank :] for block in (memory.mass, memory.mass_factor))
    return (rows * memory.scale).T, (rates * memory.scale).T


def input_rows(flow: Flow) -> np.ndarray:
    """B (k, nv) that a flow uses now, for the velocities in their own units."""
    memory = memory_of(flow)
    rows = memory.inputs.reshape(-1, memory.nv)[: memory.nv - memory.rank]
    return np.asarray(rows / memory.scale)
