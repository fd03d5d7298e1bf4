"""What is kept of every step, so that powers along the run can be integrated afterwards (``integrators/nodes.py``).

Nothing is evaluated that the step has not evaluated itself, where that can be avoided. By NODE_KIND:

    NODE_STAGES     the states of the stages of a Runge-Kutta method
    NODE_KNOTS      the state where the step begins, its derivative where NODE_ROWS says so, and the order of the step: with
                    those of the steps before and after it they are the polynomial of a method that remembers steps. Where
                    none follows, the end of the step is kept behind it, as one of order 0
    NODE_SERIES     the power series of the state, and its order; order 0: as NODE_DENSE
    NODE_DENSE      the dense output at the nodes, which has to be evaluated

The order of a step stands first in the memory of its family; a family that has a series controls its steps itself.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from linkwork.numerics.kernels import control as slot
from linkwork.numerics.kernels.calling import at, call_interpolate, doubles, integers, kernel
from linkwork.numerics.kernels.stages import show


@kernel("int64(int64* c)")
def looks_inside(c):
    """1 where nodes of the dense output are kept of the step attempted."""
    if c[slot.NODE_COUNT] == 0:
        return 0
    return (
        1
        if c[slot.NODE_KIND] == slot.NODE_DENSE or (c[slot.NODE_KIND] == slot.NODE_SERIES and c[slot.OWN_CONTROL] == 0)
        else 0
    )


@kernel("int32(int64* c, double* r, double h, double t_new, int64 dense, int64 last)")
def keep(c, r, h, t_new, dense, last):
    """Keep the step of size h, which counts up to t_new; *last*: none follows that goes on from its end.

    Stages behind the end of the step are there where it is *dense*.
    """
    index = c[slot.NODE_INDEX]
    kept = at(doubles(c[slot.NODE_STATES]), index * c[slot.NODE_WIDTH])
    sizes = at(doubles(c[slot.NODE_SIZES]), index)
    sizes[0] = h
    doubles(c[slot.NODE_ENDS])[index] = t_new
    code = 0
    if c[slot.NODE_KIND] == slot.NODE_KNOTS:
        sizes[0] = r[slot.TIME]
        keep_knot(c, doubles(c[slot.STATE]), 0, integers(c[slot.OWN_INTEGERS])[0], kept)
        if last == 1:
            sizes[1] = r[slot.TIME] + h
            c[slot.NODE_INDEX] += 1
            keep_knot(c, doubles(c[slot.NEW_STATE]), c[slot.STAGES], 0, at(kept, c[slot.NODE_WIDTH]))
    elif c[slot.NODE_KIND] == slot.NODE_STAGES:
        code = keep_stages(c, r, h, dense, kept)
    elif looks_inside(c) == 0:
        keep_series(c, index, kept)
    else:
        code = keep_dense(c, r, h, t_new, kept)
        integers(c[slot.NODE_ORDERS])[index] = 0
    if code >= 0:
        c[slot.NODE_INDEX] += 1
    return code


@kernel("void(int64* c, double* y, int64 row, int64 order, double* kept)")
def keep_knot(c, y, row, order, kept):
    """A state and perhaps a row of the derivatives."""
    n = c[slot.STATES]
    integers(c[slot.NODE_ORDERS])[c[slot.NODE_INDEX]] = order
    for i in range(n):
        kept[i] = y[i]
    if c[slot.NODE_COUNT] > 1:
        rate = at(doubles(c[slot.DERIVATIVES]), row * n)
        for i in range(n):
            kept[n + i] = rate[i]


@kernel("void(int64* c, int64 index, double* kept)", vectorise=True)
def keep_series(c, index, kept):
    """The coefficients of all powers up to the order."""
    order, series = integers(c[slot.OWN_INTEGERS])[0], doubles(c[slot.NODE_SOURCE])
    integers(c[slot.NODE_ORDERS])[index] = order
    for i in range((order + 1) * c[slot.STATES]):
        kept[i] = series[i]


@kernel("int32(int64* c, double* r, double h, int64 dense, double* kept)")
def keep_stages(c, r, h, dense, kept):
    """The states of some stages."""
    n, shown, plain = c[slot.STATES], c[slot.SHOWN], c[slot.DECODE] == 0
    rows, end = integers(c[slot.NODE_ROWS]), c[slot.STAGES]
    for j in range(c[slot.NODE_COUNT]):
        row = rows[j]
        if row > end and dense == 0:
            return 0
        state = at(doubles(c[slot.STAGE_STATES]), row * n)
        if row == 0:
            state = doubles(c[slot.STATE])
        if row == end:
            state = doubles(c[slot.NEW_STATE])
        out = at(kept, j * shown)
        if plain:
            for i in range(n):
                out[i] = state[i]
        else:
            code = show(c, r[slot.TIME] + doubles(c[slot.NODE_PLACES])[j] * h, state, out)
            if code < 0:
                return code
    return 0


@kernel("int32(int64* c, double* r, double h, double t_new, double* kept)")
def keep_dense(c, r, h, t_new, kept):
    """The dense output at the nodes of the part of the step that counts."""
    places, state = doubles(c[slot.NODE_PLACES]), doubles(c[slot.SCRATCH])
    part = (t_new - r[slot.TIME]) / h
    for j in range(c[slot.NODE_COUNT]):
        theta = part * places[j]
        code = call_interpolate(c[slot.INTERPOLATE], c, r, h, theta, state)
        if code >= 0:
            code = show(c, r[slot.TIME] + theta * h, state, at(kept, j * c[slot.SHOWN]))
        if code < 0:
            return code
    return 0
