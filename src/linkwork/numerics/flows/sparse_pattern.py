"""Where a large constrained system has entries, and in which order it is eliminated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from linkwork.numerics.kernels.constrained.sparse_system import SparseSystem
from linkwork.numerics.kernels.language.calling import MachineCode
from linkwork.numerics.kernels.language.records import ModelFunction
from linkwork.numerics.loader import open_gate
from linkwork.numerics.matrices.fill import Columns, Integers, by_columns

if TYPE_CHECKING:
    from scipy.sparse import csc_array

FUNCTIONS = {"closure": "sparse_closure", "terms": "sparse_terms"}
"""Functions of a model that give the entries, by the fields that call them."""
PREFERRED = 0.1  # part of the largest entry of a column with which a pivot of M stays on the diagonal


@dataclass(frozen=True, eq=False)
class SparsePattern:
    """The patterns of the conditions and of the mass matrix, each with an order.

    rows: (C S)ᵀ, a column for each condition, those of velocities last; mass: M; saddle: both together, and
    *source*, which entry of which its entries are; first, last: (nv) the pivots of M that a coordinate is tied to
    """

    rows: Columns
    mass: Columns
    saddle: Columns
    source: Integers
    first: Integers
    last: Integers

    @classmethod
    def of(cls, conditions: csc_array, mass: csc_array, holonomic: int) -> SparsePattern:
        """The orders for Cᵀ (nv × m) and M (nv × nv) of these patterns."""
        from scipy.sparse.csgraph import connected_components  # slow to import, and few mechanisms are large

        n, m = conditions.shape
        rows = by_columns(n, conditions.indptr, conditions.indices, range(holonomic, m))
        inertia = by_columns(n, mass.indptr, mass.indices)
        # coordinates that are tied to each other by M come in a row
        tied = connected_components(mass, directed=False)[1][inertia.order]
        order = np.argsort(tied, kind="stable")
        first, last = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
        chosen, groups = inertia.order[order], tied[order]
        first[chosen] = np.searchsorted(groups, groups, side="left")
        last[chosen] = np.searchsorted(groups, groups, side="right")
        return cls(rows, replace(inertia, order=chosen), *_together(rows, inertia), first, last)

    def memory(self, nq: int, ns: int, functions: Mapping[str, MachineCode]) -> SparseSystem:
        """What kernels know of it, with the functions that are there."""
        named = {field: name for field, name in FUNCTIONS.items() if name in functions}
        open_gate()
        memory = SparseSystem(
            nq=nq,
            nv=self.rows.size,
            ns=ns,
            every=self.rows.order.size,
            count=self.rows.rows.size,
            mass_count=self.mass.rows.size,
            rows=self.rows.memory(),
            mass=self.mass.memory(diagonal=PREFERRED),
            saddle=self.saddle.memory(diagonal=PREFERRED),
            source=self.source,
            **{field: ModelFunction(functions[name]) for field, name in named.items()},
        )
        memory.order[:], memory.first[:], memory.last[:] = self.rows.order, self.first, self.last
        return memory


def _together(rows: Columns, mass: Columns) -> tuple[Columns, Integers]:
    """[[M, Cᵀ], [C, 0]] with a place for every diagonal entry, and where each entry comes from."""
    n, m = rows.size, rows.order.size
    conditions, along = np.repeat(np.arange(n, n + m), np.diff(rows.starts)), rows.rows
    inertias, own = np.repeat(np.arange(n), np.diff(mass.starts)), np.arange(n, n + m)
    entries = np.arange(along.size)
    lines = np.concatenate([mass.rows, conditions, along, own])
    columns = np.concatenate([inertias, along, conditions, own])
    source = np.concatenate([1 + np.arange(inertias.size), -1 - entries, -1 - entries, np.zeros(m, dtype=np.int64)])
    order = np.lexsort((lines, columns))
    starts = np.concatenate([[0], np.cumsum(np.bincount(columns, minlength=n + m))])
    return by_columns(n + m, starts, lines[order]), np.ascontiguousarray(source[order], dtype=np.int64)
