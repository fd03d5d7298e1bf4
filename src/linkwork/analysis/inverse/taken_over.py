"""The motion of a result, taken over to a mechanism: its states, or where coordinates differ those of joints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from linkwork.analysis.kinematics.record import GivenMotion, level_names, read_record
from linkwork.analysis.motion.trajectory import Trajectory
from linkwork.analysis.motion.work import States
from linkwork.analysis.prepared.prepare import Mechanism, Start
from linkwork.errors import RefusedError
from linkwork.results.inverse_dynamics import SupplementedSource
from linkwork.results.quantities import LiveValue
from linkwork.results.result import Result


def every_coordinate(mechanism: Mechanism, motion: Result) -> GivenMotion:
    """The motion of all joint coordinates of a mechanism that a result has."""
    names = [name for name in level_names(mechanism.model) if name in motion]
    if not names:
        raise RefusedError(
            "the result is of another model or in other coordinates, and has no joint coordinates of this one: take the "
            "model and the coordinates of the run"
        )
    return read_record(mechanism.model, {"time": motion.time, **motion.values(names)}, None)


def start_with(mechanism: Mechanism, values: Mapping[str, LiveValue], explicit: Mapping[str, float]) -> Start:
    """Where a mechanism begins with values of live parameters, some of them at every sample of a run (N): p is (N, np) then.

    explicit: those that take their places
    """
    given = {**values, **explicit}
    along = {name: value for name, value in given.items() if isinstance(value, np.ndarray)}
    start = mechanism.start({name: float(np.ravel(value)[0]) for name, value in given.items()})
    if not along:
        return start
    names = mechanism.topology.geometry.parameter_names
    p = np.tile(start.p, (len(next(iter(along.values()))), 1))
    for name, column in along.items():
        p[:, names.index(name)] = column
    return replace(start, p=p)


def same_states(mechanism: Mechanism, start: Start, result: Result) -> tuple[Start, States] | None:
    """States of a run with the same coordinates, and its constants; None where they are others."""
    source = result.source.source if isinstance(result.source, SupplementedSource) else result.source
    if not isinstance(source, Trajectory):
        return None
    c, other = mechanism.coordinates, source.mechanism.coordinates
    names, theirs = c.state_names, list(other.state_names)
    motion = [*c.kinematics.q_names, *c.kinematics.v_names]
    if any(name not in theirs for name in motion) or c.kinematics.v_names != other.kinematics.v_names:
        return None
    y = np.tile(start.y, (source.t.size, 1))
    for i, name in enumerate(names):
        if name in theirs:
            y[:, i] = source.y[:, theirs.index(name)]
    fixed = len(c.geometry.defaults)
    p, mine = start.p.copy(), [constant.name for constant in c.constants]
    given = np.atleast_2d(source.p)[0]
    for i, constant in enumerate(other.constants):
        if constant.name in mine:
            p[..., fixed + mine.index(constant.name)] = given[len(other.geometry.defaults) + i]
    return replace(start, p=p), (source.t, y, source.vdot.copy())
