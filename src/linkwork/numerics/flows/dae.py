"""Procedures of differential and algebraic equations F(t, z, ż) = 0 (``kernels/constrained/dae.py``)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwork.numerics.flows.constrained import RETURNED, SETTLED
from linkwork.numerics.flows.context import ConstrainedSystem, allocate
from linkwork.numerics.flows.procedure import Implicit, OwnTerms, Procedure
from linkwork.numerics.kernels.constrained import dae as kernels
from linkwork.numerics.kernels.constrained.multipliers import evaluate_terms, solve_null_space
from linkwork.numerics.loader import compiled


@dataclass(frozen=True, eq=False)
class DaePlaces:
    """The places of the entries of the tangent, levels and grades (n) of the states, and how many multipliers of positions
    stand behind λ."""

    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    levels: NDArray[np.int64]
    grades: NDArray[np.float64]
    stabilised: int


def by_residual(places: DaePlaces, nq: int, size: int, project: str) -> Procedure:
    """z = [q, v, s, λ, ...] by the functions 'residual' and 'tangent', with nq positions and *size* states q, v, s.

    project: what is returned to the conditions, 'steps', 'output' or 'nothing'
    """
    n = len(places.levels)
    # v̇ stands behind z, and as a part of ż behind q̇
    column = np.where(places.columns < n, places.columns, places.columns + nq)
    found = places.rows + column * n
    settled = (*(RETURNED if project == "steps" else SETTLED), kernels.choose_rows)
    return Procedure(
        flow=(kernels.rest, evaluate_terms, solve_null_space),
        refresh=settled if project == "nothing" else (*settled, kernels.evaluate_anew),
        functions={"dae_residual": "residual", "dae_tangent": "tangent"},
        numbers={"dae_size": n, "dae_count": len(found), "dae_stabilised": places.stabilised, "dae_places": found},
        own=OwnTerms(kernels.encode, kernels.decode_projection if project == "output" else kernels.decode, n - size),
        implicit=Implicit(
            residual=kernels.residual, tangent=kernels.tangent, levels=places.levels.astype(float), grades=places.grades
        ),
    )


def find_multipliers(system: ConstrainedSystem, t: np.ndarray, y: np.ndarray) -> NDArray[np.float64]:
    """λ (N, m) of states y (N, size) that satisfy their conditions, least ones where redundant; undefined where it fails."""
    n, times, states = system.size + system.m, np.ascontiguousarray(t), np.ascontiguousarray(y)
    found = np.zeros((len(times), n))
    compiled(kernels.encode_samples)(len(times), times, states, found, allocate(system, dae_size=n))
    return found[:, system.size :]
