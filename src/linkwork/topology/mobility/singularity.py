"""Why a position is singular: the rank of the conditions there, against the rank in the positions around it.

With J the rows of all joints, couplings and relations, D those of the drivers, B those of the independent coordinates, all
for the velocities of the bodies (García de Jalón and Bayo, section 10.6):

- *redundancy*: J lacks rank in every position; the motion is not affected;
- *branching*: J itself loses rank in this position alone; for a moment the mechanism has more freedoms, and branches of its
  motion meet;
- *dead centre*: J keeps its rank, [J; D] loses it: a driven coordinate can go no further;
- *inputs*: [J; D] keeps its rank, [J; D; B] loses it: other independent coordinates would do.

The positions around are found on the conditions themselves, along the motion where one is given, else along some of the
admissible motions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from linkwork.answer import Answer, Column
from linkwork.numerics.matrices.long_rows import AnyRows
from linkwork.numerics.policy import POLICY
from linkwork.position.condition_rows import ConditionRows, condition_rows
from linkwork.position.drives import Drives
from linkwork.position.geometry import Array, Pose
from linkwork.position.labels import RowLabel
from linkwork.position.newton import FULL, descend
from linkwork.position.poses import PoseConditions, Poses
from linkwork.position.rank import decompose, dependent_rows

FAINT = 1e-3  # singular value below which directions are left alone when positions around are closed
AWAY = 0.05  # rad, or part of the size of the mechanism: how far away the positions around are
TRIED = 4  # admissible motions that are followed where none is given
MOST = 16  # that are tried for it: where branches meet, few of them lead anywhere
LEFT = 0.1  # of a singular value around: less is left of it where it is lost
SHARE = 0.05  # of the largest part: who has less is not named


class Cause(Enum):
    """Why a position is singular, or that it is not; the value says it in words."""

    REGULAR = "regular"
    REDUNDANCY = "redundant constraints"
    BRANCHING = "branching of the motion"
    DEAD_CENTRE = "dead centre"
    INPUTS = "independent coordinates that do not determine the motion"


@dataclass(frozen=True, repr=False)
class Diagnosis(Answer):
    """The cause, and what it is about.

    freedoms, elsewhere: freedoms in this position and around it, drivers left out
    redundant: conditions that depend on the others everywhere
    joints: those that move in the motions which only this position admits, the one that moves most first
    rows: the conditions that have lost their independence
    inputs: drivers or independent coordinates that have
    """

    cause: Cause
    freedoms: int
    elsewhere: int
    redundant: int
    joints: tuple[str, ...] = ()
    rows: tuple[RowLabel, ...] = ()
    inputs: tuple[str, ...] = ()

    @property
    def singular(self) -> bool:
        """Whether this position differs from those around it."""
        return self.cause not in (Cause.REGULAR, Cause.REDUNDANCY)

    def columns(self) -> list[Column]:
        """One row: the cause, freedoms here and elsewhere, and what it is about."""
        counts = {"freedoms": self.freedoms, "elsewhere": self.elsewhere, "redundant": self.redundant}
        names = {"joints": self.joints, "rows": map(str, self.rows), "inputs": self.inputs}
        numbers = (Column(name, [count], "1") for name, count in counts.items())
        return [Column("cause", [self.cause.value]), *numbers, *(Column(k, [", ".join(v)]) for k, v in names.items())]

    @property
    def title(self) -> str:
        match self.cause:
            case Cause.REGULAR:
                return f"regular position: {_freedoms(self.freedoms)}"
            case Cause.REDUNDANCY:
                return f"{_freedoms(self.freedoms)}; redundant constraints: {self.redundant}, in every position"
            case Cause.BRANCHING:
                here = f"{_freedoms(self.freedoms)} here, {self.elsewhere} elsewhere"
                return f"branching of the motion: {here}; joints {', '.join(self.joints)}"
            case Cause.DEAD_CENTRE:
                return f"dead centre: {', '.join(self.inputs)} can go no further; joints {', '.join(self.joints)}"
        return f"{', '.join(self.inputs)} do not determine the motion here; joints {', '.join(self.joints)}"


def _freedoms(count: int) -> str:
    return "1 degree of freedom" if count == 1 else f"{count} degrees of freedom"


def diagnose_position(
    drives: Drives,
    conditions: PoseConditions,
    poses: Mapping[str, Pose],
    p: Array,
    *,
    time: float = 0.0,
    along: Array | None = None,
    inputs: Sequence[tuple[str, str]] = (),
    near: float = 0.0,
) -> Diagnosis:
    """Tell the cause at given poses.

    along: δ̇ (size) of the motion, as the conditions have it; inputs: joint coordinates (joint, name) that are meant to be
    independent; near: singular values that count as lost, where the poses are only near the position.
    """
    return _Position(drives, conditions.at(time), poses, p, near).diagnose(along, inputs)


def drives_nearby(drives: Drives, conditions: PoseConditions, poses: Mapping[str, Pose], p: Array, driver: str) -> bool:
    """Whether a driver that determines nothing in this position does so in others around it: then it is at a dead centre."""
    return _Position(drives, conditions, poses, p, 0.0).determines_nearby(driver)


class _Position:
    def __init__(
        self, drives: Drives, conditions: PoseConditions, poses: Mapping[str, Pose], p: Array, near: float
    ) -> None:
        self.drives, self.model, self.conditions = drives, drives.model, conditions
        self.poses, self.p, self.near = poses, p, near
        self.away = 4 * AWAY if near > FAINT else AWAY
        self.faint = min(near, FAINT) if near > POLICY.rank else FAINT
        self.rows = self._rows(poses)

    def _rows(self, poses: Mapping[str, Pose]) -> ConditionRows:
        return condition_rows(self.drives, self.conditions, poses, self.p)

    def diagnose(self, along: Array | None, inputs: Sequence[tuple[str, str]]) -> Diagnosis:
        held, size = self.rows.held, self.conditions.size
        left, values, right = decompose(held)
        counted = POLICY.count(values, self.near)
        around = [self._rows(poses) for poses in self._around(right[counted:], along)]
        here, elsewhere = self._ranks(values, [decompose(rows.held)[1] for rows in around])
        freedoms = (size - here, size - elsewhere, len(held) - elsewhere)
        if here < elsewhere:
            lost = self._lost(left[:, here:], [np.asarray(rows.held) for rows in around], elsewhere)
            joints = self._moving(right[here:], around, elsewhere)
            return Diagnosis(Cause.BRANCHING, *freedoms, joints, tuple(self.rows.labels[i] for i in lost))
        driven = np.vstack([held, self.rows.driven])
        found = self._without_rank(driven, counted, self.rows.drivers)
        if found is not None:
            return Diagnosis(Cause.DEAD_CENTRE, *freedoms, *found)
        wanted = [self.conditions.index(*key) for key in inputs]
        names = [".".join(key) for key in inputs]
        if wanted:
            full = np.vstack([driven, self.rows.readings[wanted] / self.conditions.units[wanted, None]])
            found = self._without_rank(full, POLICY.count(decompose(driven)[1], self.near), names)
            if found is not None:
                return Diagnosis(Cause.INPUTS, *freedoms, *found)
        return Diagnosis(Cause.REDUNDANCY if freedoms[2] else Cause.REGULAR, *freedoms)

    def _ranks(self, values: Array, around: Sequence[Array]) -> tuple[int, int]:
        """The ranks here and elsewhere, from the singular values here and in the positions around.

        Those are closed, and known better than this one: what is faint there, as in long chains of loops, is a condition all
        the same. Here a condition is lost where little is left of what it is there.
        """
        here = POLICY.count(values, self.near)
        if not around:
            return here, here
        usual = max(around, key=POLICY.count)
        elsewhere = max(here, POLICY.count(usual))
        limits = np.maximum(POLICY.rank, np.minimum(self.near, LEFT * usual[:elsewhere]))
        return int(np.sum(values[:elsewhere] > limits)), elsewhere

    def determines_nearby(self, driver: str) -> bool:
        _, values, right = decompose(self.rows.held)
        for rows in map(self._rows, self._around(right[POLICY.count(values, self.near) :], None)):
            if driver not in [rows.drivers[i] for i in dependent_rows(rows.driven, rows.held)]:
                return True
        return False

    def _without_rank(
        self, rows: Array, before: int, names: Sequence[str]
    ) -> tuple[tuple[str, ...], tuple[RowLabel, ...], tuple[str, ...]] | None:
        """Joints, rows and names of the last rows, where these are not independent of the first, whose rank is *before*."""
        left, values, right = decompose(rows)
        rank = POLICY.count(values, self.near)
        expected = min(before + len(names), rows.shape[1])
        if rank >= expected:
            return None
        # of the combinations of rows that vanish, those in which the last rows take part
        parts = np.linalg.norm(left[-len(names) :, rank:], axis=1)
        # a driver of a point has a row for each component
        blamed = tuple(dict.fromkeys(n for n, part in zip(names, parts, strict=True) if part > SHARE * max(parts)))
        motions = right[rank : rank + expected - rank]
        return self._named(np.abs(self._joint_rates() @ motions.T).max(axis=1)), (), blamed

    def _around(self, motions: Array, along: Array | None) -> Iterator[Poses]:
        """Positions on the conditions, a little way off in several directions."""
        if along is not None and np.linalg.norm(along) > 0:
            directions = [along]
        else:
            rng = np.random.default_rng(0)
            directions = [mix @ motions for mix in rng.normal(size=(MOST, len(motions)))] if len(motions) else []
        count = 0
        for direction in directions:
            if count >= 2 * TRIED:
                return
            for sense in (1.0, -1.0):
                length = sense * self.away / float(np.max(np.abs(direction)))
                found = self._close(self.conditions.move(self.poses, length * direction))
                if found is not None:
                    count += 1
                    yield found

    def _close(self, poses: Poses) -> Poses | None:
        """The nearest position on the conditions, by Gauss and Newton; faint directions are left alone."""
        holding = [i for i, label in enumerate(self.conditions.labels) if label.kind != "driver"]

        def system(poses: Poses) -> tuple[Array, AnyRows]:
            phi = self.conditions.residuals_at(poses, self.p)[holding]
            held = self._rows(poses).held
            # gears and the like hold as long as their rates do
            return np.concatenate([phi, np.zeros(len(held) - len(phi))]), held

        found = descend(self.conditions, system, poses, replace(FULL, most=30, leap=2 * self.away, followed=self.faint))
        return found.poses if found.closed else None

    def _lost(self, vanishing: Array, around: Sequence[Array], rank: int) -> list[int]:
        """Rows that take part in combinations which vanish here and not around."""
        usual = [left[:, rank:] for left, values, _ in map(decompose, around) if POLICY.count(values) == rank]
        shares = np.sum(vanishing**2, axis=1)
        if usual:
            # what vanishes everywhere, seen from here
            common = vanishing @ np.linalg.lstsq(vanishing, usual[0], rcond=None)[0]
            shares = shares - np.sum(np.linalg.qr(common)[0] ** 2, axis=1) if common.size else shares
        return [int(i) for i in np.argsort(-shares) if shares[i] > SHARE * np.max(shares)]

    def _moving(self, motions: Array, around: Sequence[ConditionRows], rank: int) -> tuple[str, ...]:
        """Joints that move in the motions which are admitted here and not around."""
        parts = [decompose(rows.held) for rows in around]
        usual = [right[rank:] for _, values, right in parts if POLICY.count(values) == rank]
        extra = motions
        if usual:
            extra = np.linalg.svd(usual[0] @ motions.T)[2][len(usual[0]) :] @ motions
        return self._named(np.abs(self._joint_rates() @ extra.T).max(axis=1, initial=0.0))

    def _joint_rates(self) -> Array:
        readings = self.conditions.readings
        chosen = [i for i, reading in enumerate(readings) if reading.element in self.model.joints]
        return np.asarray(self.rows.readings[chosen] / self.conditions.units[chosen, None])

    def _named(self, moved: Array) -> tuple[str, ...]:
        elements = [r.element for r in self.conditions.readings if r.element in self.model.joints]
        largest: dict[str, float] = {}
        for name, size in zip(elements, moved, strict=True):
            largest[name] = max(largest.get(name, 0.0), float(size))
        most = max(largest.values(), default=0.0)
        named = [name for name, size in largest.items() if size > SHARE * most]
        # equal but for rounding: in the order of the model
        return tuple(sorted(named, key=lambda name: -round(largest[name] / most, 6)))
