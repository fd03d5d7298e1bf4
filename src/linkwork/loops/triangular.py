"""Block triangular form: in which order, and in how small groups, linear equations can be solved.

A perfect matching of rows and columns, then the strongly connected components of the graph in which a row points at the
rows that determine its other unknowns (Dulmage and Mendelsohn), as CasADi finds them.
"""

from __future__ import annotations

from itertools import pairwise

import casadi as ca
import numpy as np
from numpy.typing import NDArray

Dependence = NDArray[np.bool_]
SolvedTogether = tuple[tuple[int, ...], tuple[int, ...]]
"""Rows and columns of one square group."""


def block_triangular(pattern: Dependence) -> list[SolvedTogether] | None:
    """Groups of a square *pattern* (n × n) in the order in which they are solved; None where it is singular."""
    rows, columns = np.nonzero(pattern)
    sparsity = ca.Sparsity.triplet(len(pattern), len(pattern), rows.tolist(), columns.tolist())
    if ca.sprank(sparsity) < len(pattern):
        return None
    # in the orders found the pattern is block lower triangular: the first group needs no other
    _, row_order, column_order, row_edges, column_edges, _, _ = sparsity.btf()
    return [
        (tuple(sorted(row_order[slice(*own)])), tuple(sorted(column_order[slice(*other)])))
        for own, other in zip(pairwise(row_edges), pairwise(column_edges), strict=True)
    ]
