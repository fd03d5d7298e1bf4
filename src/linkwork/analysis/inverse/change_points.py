"""Motions of inverse dynamics that go through change points: positions where branches of the mechanism meet.

Conditions that are closed sample by sample do not tell branches apart there. So the motion of the inputs is taken from
``solve_kinematics``, which goes on smoothly; efforts and reactions are not determined at such a sample itself.
"""

from __future__ import annotations

import numpy as np

from linkwork.analysis.kinematics.closed_motion import close_record
from linkwork.analysis.kinematics.closing_motion import MotionClosing
from linkwork.analysis.kinematics.record import GivenMotion, level_names
from linkwork.analysis.motion.driven_trajectory import KinematicTrajectory
from linkwork.analysis.prepared.prepare import Mechanism, Start
from linkwork.analysis.runs.solve_kinematics import solve_kinematics
from linkwork.arrays import Array
from linkwork.errors import LinkworkError, RefusedError
from linkwork.model.parameters import ReadNumber
from linkwork.numerics.paths.meetings import TINY
from linkwork.numerics.paths.prescribed_motion import dips
from linkwork.results.result import Result


def through_change_points(mechanism: Mechanism, start: Start, motion: GivenMotion) -> Result | None:
    """The motion of the whole mechanism, if it is one of independent coordinates through change points; else None."""
    topology = mechanism.topology
    if not topology.loops or len(motion.values) != topology.mobility.free or motion.time.size < 2 or start.p.ndim > 1:
        return None
    try:
        _, y, _ = close_record(mechanism, start, motion, np.inf)
    except RefusedError:
        return None
    if not _comes_near(mechanism, start, motion, y):
        return None
    names = {(key, level): name for name, (key, level) in level_names(mechanism.model).items()}
    given = {names[key, i]: item for key, levels in motion.values.items() for i, item in enumerate(levels)}
    try:
        found = solve_kinematics(
            topology,
            given,
            times=motion.time,
            coordinates=mechanism.coordinates.kind,
            parameters=live_values(mechanism, start),
            audit=False,
        )
    except LinkworkError:
        return None
    if isinstance(found.source, KinematicTrajectory) and found.source.passed:
        if not found.outcome.completed:
            raise RefusedError(f"the motion cannot be followed: {found.outcome}")
        return found
    return None


def live_values(mechanism: Mechanism, start: Start) -> dict[str, float]:
    """The live parameters of a start by name."""
    return dict(zip(mechanism.topology.geometry.parameter_names, map(ReadNumber, start.p.tolist()), strict=False))


def _comes_near(mechanism: Mechanism, start: Start, motion: GivenMotion, y: Array) -> bool:
    """Whether conditions and inputs may lose their independence near some sample."""
    closing = MotionClosing(mechanism, start.p, list(motion.values))
    parts = closing.parts(motion.time, y)
    rows = np.concatenate([parts["C"] * closing.weights[:, None], parts["D"]], axis=1) * closing.scale
    lengths = np.maximum(np.linalg.norm(rows, axis=2).max(axis=0), 1e-300)
    sizes = np.linalg.svd(rows / lengths[:, None], compute_uv=False)
    smallest = sizes[:, min(rows.shape[1:]) - 1]
    return bool(dips(motion.time, smallest, TINY * float(np.median(smallest))).any())


def singular_samples(motion: Result) -> tuple[int, ...]:
    """Samples of a motion that are change points themselves."""
    if not isinstance(motion.source, KinematicTrajectory):
        return ()
    return tuple(motion.source.singular.tolist())
