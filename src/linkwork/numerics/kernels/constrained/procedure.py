"""Operations one after the other: the flow and the refresh of whatever is written as a list of them."""

from __future__ import annotations

from linkwork.numerics.kernels.constrained.operations import ACCELERATIONS, FINISHED, RATES, STATE, Operation
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Code, Floats


@kernel
def perform(operation: Operation, t: float, y: Floats, ydot: Floats, ws: Workspace) -> Code:
    """One operation."""
    if operation.kind == STATE:
        return operation.on_state(t, y, ws)
    if operation.kind == RATES:
        return operation.on_rates(t, y, ydot, ws)
    if operation.kind == ACCELERATIONS:
        return operation.on_numbers(at(ydot, ws.nq), ws)
    return operation.on_numbers(y, ws)


@kernel
def evaluate(t: float, y: Floats, ydot: Floats, ws: Workspace) -> Code:
    """ẏ by the operations of a flow."""
    for i in range(ws.evaluation_count):
        code = perform(ws.evaluation[i], t, y, ydot, ws)
        if code < 0 or code == FINISHED:
            return min(code, 0)
    return 0


@kernel
def correct(t: float, y: Floats, ws: Workspace) -> Code:
    """Put an accepted state right by the operations of a refresh; what means most to the integrator is returned."""
    result = 0
    for i in range(ws.refreshing_count):
        code = perform(ws.refreshing[i], t, y, ws.rates_out, ws)
        if code < 0:
            return code
        result = max(result, code)
    return result
