"""Flows of differential and algebraic equations F(t, z, ż) = 0 (``kernels/dae.py``)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwork.numerics.context import ConstrainedSystem, allocate
from linkwork.numerics.integrators.flow import Flow, OwnState
from linkwork.numerics.kernels import dae as kernels
from linkwork.numerics.loader import compiled, kernel_address
from linkwork.numerics.newton import ImplicitEquations, newton_solver


@dataclass(frozen=True, eq=False)
class DaeFunctions:
    """Addresses of residual and tangent, the places of the entries of the tangent, levels and grades (n) of the states, and
    how many multipliers of positions stand behind λ."""

    residual: int
    tangent: int
    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    levels: NDArray[np.int64]
    grades: NDArray[np.float64]
    stabilised: int


def dae_flow(system: ConstrainedSystem, functions: DaeFunctions, project: str) -> Flow:
    """Flow of z = [q, v, s, λ, ...]; *project*: what is returned to the conditions, 'steps', 'output' or 'nothing'."""
    n = len(functions.levels)
    # v̇ stands behind z, and as a part of ż behind q̇
    column = np.where(functions.columns < n, functions.columns, functions.columns + system.nq)
    places = functions.rows + column * n
    memory = allocate(
        system,
        dae_residual=functions.residual,
        dae_tangent=functions.tangent,
        dae_size=n,
        dae_count=len(places),
        dae_stabilised=functions.stabilised,
        dae_places=places,
    )
    refresh = "refresh_projection" if project == "steps" else "refresh"
    if project == "output":
        refresh = "refresh_renewed"
    decode = "decode_projection" if project == "output" else "decode"
    flow, again, *maps, residual, tangent = (
        kernel_address(f"dae.{name}") for name in ("flow", refresh, "encode", decode, "residual", "tangent")
    )
    kept = (system.p, system.keepalive)
    levels = functions.levels.astype(float)
    equations = ImplicitEquations(
        residual, tangent, memory, n, system.nq, levels, functions.grades, kept, rated=system.size
    )
    own = OwnState(n, *maps)
    return Flow(flow, again, memory, kept, own=own, positions=system.nq, solver=newton_solver(equations))


def find_multipliers(system: ConstrainedSystem, t: np.ndarray, y: np.ndarray) -> NDArray[np.float64]:
    """λ (N, m) of states y (N, size) that satisfy their conditions, least ones where redundant; undefined where it fails."""
    n, times, states = system.size + system.m, np.ascontiguousarray(t), np.ascontiguousarray(y)
    found = np.zeros((len(times), n))
    compiled(kernels.encode_samples)(len(times), times, states, found, allocate(system, dae_size=n))
    return found[:, system.size :]
