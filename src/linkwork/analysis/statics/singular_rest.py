"""Whether a position of rest is singular: branches of the motion meet there, or more can move than where the search began.

Searches close conditions to ε = ``POLICY.exact``. Where links lie on each other that is a double root: the position is known
to √ε, and so is what vanishes there. Singular values below ``POLICY.reached`` count as none then, those of rows for the
velocities of all bodies: rows for joint coordinates may vanish altogether where loops fold, and tell nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from linkwork.analysis.motion.singular import diagnose_state, poses_of
from linkwork.analysis.prepared.prepare import Mechanism
from linkwork.arrays import Array
from linkwork.equations.statics.forces_at_rest import Statics
from linkwork.numerics.policy import POLICY
from linkwork.position.condition_rows import condition_rows
from linkwork.position.rank import decompose
from linkwork.results.equilibrium import EquilibriumDirection
from linkwork.topology.mobility.singularity import Cause, Diagnosis


class UsualFreedoms:
    """How much of a mechanism can move where a search begins, and around what it finds; and where that is more.

    One of them judges all positions that belong to one search or one path.
    """

    def __init__(self, mechanism: Mechanism, statics: Statics, start: Array) -> None:
        self._mechanism = mechanism
        self._around: int | None = None
        self._joints, self._all = self._count(statics, start) if mechanism.topology.loops else (0, 0)

    def exceeded(self, statics: Statics, x: Array, directions: Iterable[EquilibriumDirection]) -> str:
        """What is singular about a position, in words; empty where it is regular."""
        if not self._mechanism.topology.loops:
            return ""
        joints, every = self._count(statics, x)
        if self._around is not None and joints <= self._around and every <= self._all:
            return ""
        cause = self._diagnose(statics, x)
        self._around = cause.elsewhere if self._around is None else min(self._around, cause.elsewhere)
        if cause.cause is Cause.BRANCHING:
            return str(cause)
        if every <= self._all:
            return ""
        moving = (name.rpartition(".")[0] for direction in directions for name in direction.moves)
        named = ", ".join(dict.fromkeys((*cause.joints, *moving)))
        return f"{every} degrees of freedom here, {self._all} where the search began; joints {named}"

    def _count(self, statics: Statics, x: Array) -> tuple[int, int]:
        """Freedoms that joints and relations leave in a position, and those left by drivers and rolling too."""
        topology = self._mechanism.topology
        poses = poses_of(self._mechanism, statics.t, statics.state(x), statics.p)
        p, conditions = statics.p[: len(topology.geometry.defaults)], topology.conditions.at(statics.t)
        rows = condition_rows(topology.drives, conditions, poses, p)
        whole = np.vstack([rows.held, rows.driven, rows.rolling])
        first, second = (
            conditions.size - POLICY.count(decompose(item)[1], POLICY.reached) for item in (rows.held, whole)
        )
        return first, second

    def _diagnose(self, statics: Statics, x: Array) -> Diagnosis:
        return diagnose_state(self._mechanism, statics.t, statics.state(x), statics.p, near=POLICY.reached)
