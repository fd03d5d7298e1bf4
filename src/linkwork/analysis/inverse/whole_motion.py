"""The motion of the whole mechanism from what is given of it: closed at every sample, on the branch that it is on."""

from __future__ import annotations

from dataclasses import dataclass

from linkwork.analysis.inverse.change_points import live_values, singular_samples, through_change_points
from linkwork.analysis.inverse.inverse_question import told_of_pace
from linkwork.analysis.inverse.poses_in_turn import poses_in_turn
from linkwork.analysis.inverse.taken_over import every_coordinate, same_states
from linkwork.analysis.kinematics.closed_motion import close_record, close_states
from linkwork.analysis.kinematics.record import SAMPLE, GivenMotion
from linkwork.analysis.motion.work import States
from linkwork.analysis.prepared.prepare import Mechanism, Start
from linkwork.analysis.walk.structures import structure_error
from linkwork.errors import RefusedError
from linkwork.results.result import Result


@dataclass(frozen=True, eq=False)
class WholeMotion:
    """A start with the constants of a motion, its states, samples that are known to be change points, and what to know."""

    start: Start
    states: States
    singular: tuple[int, ...]
    notes: tuple[str, ...]


def whole_motion(mechanism: Mechanism, start: Start, motion: Result | GivenMotion, tolerance: float) -> WholeMotion:
    """The motion of a result, of joint coordinates over time, or poses."""
    notes = told_of_pace(motion)
    if not isinstance(motion, Result):
        return _closed(mechanism, start, motion, tolerance)
    if not len(motion):
        raise RefusedError(f"the motion has no samples: its run has {motion.outcome}")
    singular, found = singular_samples(motion), same_states(mechanism, start, motion)
    if found is not None:
        return WholeMotion(found[0], close_states(mechanism, *found, tolerance), singular, notes)
    record = every_coordinate(mechanism, motion)
    closed = _closed(mechanism, start, record, tolerance)
    return WholeMotion(closed.start, closed.states, closed.singular or singular, (*notes, *closed.notes))


def _closed(mechanism: Mechanism, start: Start, motion: GivenMotion, tolerance: float) -> WholeMotion:
    """The same from joint coordinates."""
    held = structure_error(mechanism.topology, ", ".join(motion.names) or "it")
    if held is not None:
        raise held
    notes = told_of_pace(motion)
    if motion.variable == SAMPLE:
        poses = poses_in_turn(mechanism, start, motion, live_values(mechanism, start))
        if poses is not None:
            states = close_record(mechanism, start, motion, tolerance, poses.y)
            return WholeMotion(start, states, poses.singular, (*notes, *poses.notes))
        return WholeMotion(start, close_record(mechanism, start, motion, tolerance), (), notes)
    passed = through_change_points(mechanism, start, motion)
    if passed is None:
        return WholeMotion(start, close_record(mechanism, start, motion, tolerance), (), notes)
    singular, same = singular_samples(passed), same_states(mechanism, start, passed)
    if same is not None:
        return WholeMotion(start, close_states(mechanism, start, same[1], tolerance), singular, notes)
    states = close_record(mechanism, start, every_coordinate(mechanism, passed), tolerance)
    return WholeMotion(start, states, singular, notes)
