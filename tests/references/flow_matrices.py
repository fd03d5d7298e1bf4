"""The matrices R and B that a flow of independent velocities works with now, read from its memory."""

from __future__ import annotations

import numpy as np

from linkwork.numerics.flows.context import memory_of
from linkwork.numerics.flows.flow import Flow
from linkwork.numerics.kernels.constrained import differentiable_r, inputs
from linkwork.numerics.kernels.constrained.projection import evaluate_closure
from linkwork.numerics.loader import compiled


def r_matrix(flow: Flow, t: float, y: np.ndarray) -> np.ndarray:
    """R (nv, k) of the B that a flow uses now, at a state."""
    memory = memory_of(flow)
    compiled(evaluate_closure)(t, np.array(y, dtype=float), memory)
    if compiled(inputs.factor_square)(memory) < 0:
        raise ValueError("the rows of B depend on the constraints at this state")
    compiled(inputs.build_r)(memory)
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
