"""A constrained system whose C and M are known by their entries: what kernels share of it beside the workspace."""

from __future__ import annotations

from linkwork.numerics.kernels.language.records import Floats, Ints, ModelFunction, Record, array, borrowed, part
from linkwork.numerics.kernels.linear.sparse_lu import SparseLu


class SparseSystem(Record):
    """Entries of C, row by row, and of M, column by column; places of rows are those of all rows, whether they hold or not.

    Their factors belong to what was factored last: all rows that hold, or the dependent block.
    """

    nq: int
    nv: int
    ns: int
    every: int  # rows of C
    count: int  # entries of C
    mass_count: int  # and of M
    closure: ModelFunction = borrowed()  # Φ (every), entries of C, a (every)
    terms: ModelFunction = borrowed()  # q̇ (nq), ṡ (ns), h (nv), b (every), entries of M, entries of C
    rows: SparseLu  # (C S)ᵀ: a column for each row of C
    mass: SparseLu  # M
    saddle: SparseLu  # M and all rows together, see ``sparse_saddle.py``
    source: Ints = borrowed()  # of its entries: 1 + entry of M, −1 − entry of C, 0: the diagonal of a row
    order: Ints = array("every")  # in which rows come, those of positions first
    number: Ints = array("every")  # of a row among those that hold
    used: Ints = array("every")  # 1: the row is to be factored
    right: Floats = array("every")
    first: Ints = array("nv")  # the pivots of M that a coordinate is tied to: from this one
    last: Ints = array("nv")  # to the one before this

    closure_out: Floats = array("2 * every + count")
    all_phi: Floats = part("closure_out", "every")
    closure_c: Floats = part("closure_out", "count")
    all_a: Floats = part("closure_out", "every")
    terms_out: Floats = array("nq + ns + nv + every + mass_count + count")
    plain: Floats = part("terms_out", "nq + ns + nv")  # q̇, ṡ, h
    all_b: Floats = part("terms_out", "every")
    inertia: Floats = part("terms_out", "mass_count")
    terms_c: Floats = part("terms_out", "count")

    c: Floats = array("count")  # C at hand
    before: Floats = array("count")  # at a state nearby
    passed: Floats = array("count")  # at the last state at which the set was examined
    most: Floats = array(
        "nv"
    )  # the largest part of a row of length one that a coordinate has had at any state of a run
    examined: float  # smallest pivot of the dependent block when its set was examined last, 0: not since it was chosen
    served: int  # pivots of rows that restrict positions
    x: Floats = array("nv")
    sizes: Floats = array("nv")  # E
    given: Floats = array("nv + every")
    found: Floats = array("nv + every")
    rest: Floats = array("nv + every")
    t: Floats = array("nv")  # of conjugate gradients
    r: Floats = array("nv")
    d: Floats = array("nv")
