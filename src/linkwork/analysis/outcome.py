"""Why a run ended, in words that name the element of the model."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.prepare import Mechanism
from linkwork.numerics.constrained import last_failure
from linkwork.numerics.integrators.flow import Flow
from linkwork.numerics.integrators.solution import Solution
from linkwork.numerics.integrators.solution import Status as RunStatus
from linkwork.results.outcome import Outcome, Status

Array = NDArray[np.float64]


def explain(mechanism: Mechanism, flow: Flow, solution: Solution, p: Array, events: Sequence[str]) -> Outcome:
    """Turn the status of an integration into an outcome with its reason and element."""
    time = solution.t_reached
    if solution.status is RunStatus.COMPLETED:
        return Outcome(Status.COMPLETED, "", time)
    if solution.status is RunStatus.EVENT:
        last = solution.events[-1]
        return Outcome(Status.STOPPED_BY_EVENT, f"event '{events[last.index]}'", last.t, events[last.index])
    if solution.status is RunStatus.INTERRUPTED:
        return Outcome(Status.INTERRUPTED, "the run was interrupted; what it had reached is kept", time)
    failure = last_failure(flow) if solution.failure else None
    if failure is None:
        return Outcome(Status.STOPPED_EARLY, solution.status.value, time, _weakest_row(mechanism, solution, p)[0])
    element, where = _element(mechanism, failure.row, failure.coordinate)
    if not element:
        element, where = _weakest_row(mechanism, solution, p)
    reason = f"{failure.message}{where}"
    return Outcome(Status.STOPPED_EARLY, reason, time, element)


def _element(mechanism: Mechanism, row: int | None, coordinate: int | None) -> tuple[str, str]:
    c = mechanism.coordinates
    if row is not None and row < len(c.labels):
        label = c.labels[row]
        return label.element, f" at {label}"
    if coordinate is not None:
        name = c.kinematics.v_names[coordinate]
        return name.split(".")[0], f" at {name}"
    return "", ""


def _weakest_row(mechanism: Mechanism, solution: Solution, p: Array) -> tuple[str, str]:
    """The condition that takes the largest part in the near-singular combination at the last state, if there is one."""
    c = mechanism.coordinates
    if not c.rows:
        return "", ""
    closure = mechanism.program["closure"]
    parts = closure.unpack(closure(solution.t_reached, solution.y_reached, p))
    rows = parts["C"]
    sizes = np.linalg.norm(rows, axis=1)
    scaled = rows / np.where(sizes > 0, sizes, 1.0)[:, None]
    left, values, _ = np.linalg.svd(scaled)
    if values.size == 0 or values[-1] > 1e-3 * values[0]:
        return "", ""
    label = c.labels[int(np.argmax(np.abs(left[:, len(values) - 1])))]
    return label.element, f" at {label}"
