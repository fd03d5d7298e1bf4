"""What is kept of every step, so that powers along the run can be integrated afterwards (``integrators/nodes.py``).

Nothing is evaluated that the step has not evaluated itself, where that can be avoided. By NODE_KIND:

    NODE_STAGES     the states of the stages of a Runge-Kutta method
    NODE_KNOTS      the state where the step begins, its derivative where NODE_ROWS says so, and the order of the step: with
                    those of the steps before and after it they are the polynomial of a method that remembers steps. Where
                    none follows, the end of the step is kept behind it, as one of order 0
    NODE_SERIES     the power series of the state, and its order; order 0: as NODE_DENSE
    NODE_DENSE      the dense output at the nodes, which has to be evaluated

A family that has a series controls its steps itself.
"""

from __future__ import annotations

from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Code, Floats
from linkwork.numerics.kernels.stepping import status
from linkwork.numerics.kernels.stepping.run import Stepping
from linkwork.numerics.kernels.stepping.stages import show


@kernel
def looks_inside(run: Stepping) -> int:
    """1 where nodes of the dense output are kept of the step attempted."""
    if run.node_count == 0:
        return 0
    return (
        1 if run.node_kind == status.NODE_DENSE or (run.node_kind == status.NODE_SERIES and run.own_control == 0) else 0
    )


@kernel
def keep(run: Stepping, h: float, t_new: float, dense: int, last: int) -> Code:
    """Keep the step of size h, which counts up to t_new; *last*: none follows that goes on from its end.

    Stages behind the end of the step are there where it is *dense*.
    """
    index = run.node_index
    kept = at(run.node_states, index * run.node_width)
    sizes = at(run.node_sizes, index)
    sizes[0] = h
    run.node_ends[index] = t_new
    code = 0
    if run.node_kind == status.NODE_KNOTS:
        sizes[0] = run.time
        keep_knot(run, run.state, 0, run.order, kept)
        if last == 1:
            sizes[1] = run.time + h
            run.node_index += 1
            keep_knot(run, run.new_state, run.stages, 0, at(kept, run.node_width))
    elif run.node_kind == status.NODE_STAGES:
        code = keep_stages(run, h, dense, kept)
    elif looks_inside(run) == 0:
        keep_series(run, index, kept)
    else:
        code = keep_dense(run, h, t_new, kept)
        run.node_orders[index] = 0
    if code >= 0:
        run.node_index += 1
    return code


@kernel
def keep_knot(run: Stepping, y: Floats, row: int, order: int, kept: Floats) -> None:
    """A state and perhaps a row of the derivatives."""
    n = run.states
    run.node_orders[run.node_index] = order
    kept[:n] = y[:n]
    if run.node_count > 1:
        rate = at(run.derivatives, row * n)
        kept[n : 2 * n] = rate[:n]


@kernel(vectorise=True)
def keep_series(run: Stepping, index: int, kept: Floats) -> None:
    """The coefficients of all powers up to the order."""
    order, series = run.order, run.node_source
    run.node_orders[index] = order
    kept[: (order + 1) * run.states] = series[: (order + 1) * run.states]


@kernel
def keep_stages(run: Stepping, h: float, dense: int, kept: Floats) -> Code:
    """The states of some stages."""
    n, shown, plain = run.states, run.shown, run.decode is None
    rows, end = run.node_rows, run.stages
    for j in range(run.node_count):
        row = rows[j]
        if row > end and dense == 0:
            return 0
        state = at(run.stage_states, row * n)
        if row == 0:
            state = run.state
        if row == end:
            state = run.new_state
        out = at(kept, j * shown)
        if plain:
            out[:n] = state[:n]
        else:
            code = show(run, run.time + run.node_places[j] * h, state, out)
            if code < 0:
                return code
    return 0


@kernel
def keep_dense(run: Stepping, h: float, t_new: float, kept: Floats) -> Code:
    """The dense output at the nodes of the part of the step that counts."""
    places, state = run.node_places, run.scratch
    part = (t_new - run.time) / h
    for j in range(run.node_count):
        theta = part * places[j]
        code = run.interpolate(run, h, theta, state)
        if code >= 0:
            code = show(run, run.time + theta * h, state, at(kept, j * run.shown))
        if code < 0:
            return code
    return 0
