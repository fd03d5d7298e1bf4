"""Mobility at the assembled position: by count, by rank, with the redundant constraints by name.

The conditions of all joints and couplings act on the velocities of the bodies, rank by rank: freedoms = unknowns − rank.
A condition is called redundant when it depends on those before it, tree joints first and cut joints last, so that it is
the closing of a loop that repeats what the rest of the loop ensures already.

Conditions on velocities alone (rolling, knife edges) leave the freedoms of position as they are and take freedoms of
velocity away: they are counted apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from linkwork.numerics.matrices.long_rows import AnyRows, LongRows, stacked
from linkwork.numerics.policy import POLICY
from linkwork.position.condition_rows import ConditionRows
from linkwork.position.geometry import Array, Pose
from linkwork.position.inertia import body_inertia, body_inertias, own_inertias
from linkwork.position.labels import RowLabel
from linkwork.position.poses import PoseConditions
from linkwork.position.rank import dependent_rows, null_space


@dataclass(frozen=True)
class Mobility:
    """Freedoms of a mechanism.

    by_count: Grübler's count; by_rank: with drivers left out; driven: freedoms that drivers take away.
    """

    by_count: int
    by_rank: int
    driven: int
    redundant: tuple[RowLabel, ...]
    repeated_drivers: tuple[str, ...]
    unresisted: tuple[str, ...]  # bodies that could move without any inertia
    nonholonomic: int = 0  # freedoms of velocity that conditions on velocities alone take away

    @property
    def free(self) -> int:
        """Freedoms that are left to the dynamics."""
        return self.by_rank - self.driven

    @property
    def free_velocities(self) -> int:
        """Independent velocities that are left to the dynamics; fewer than independent positions where something rolls."""
        return self.free - self.nonholonomic


def find_mobility(
    conditions: PoseConditions, poses: Mapping[str, Pose], p: Array, rows: ConditionRows, cut: Sequence[str]
) -> Mobility:
    """Analyse the mobility at given poses."""
    order = sorted(
        range(len(rows.labels)), key=lambda i: rows.labels[i].element in cut or rows.labels[i].kind != "joint"
    )
    held = rows.held[order]
    dependent = dependent_rows(held)
    over = dependent_rows(rows.driven, held)
    before = stacked([held, rows.driven])
    repeated = dependent_rows(rows.rolling, before)
    return Mobility(
        by_count=conditions.size - len(held),
        by_rank=conditions.size - len(held) + len(dependent),
        driven=len(rows.drivers) - len(over),
        redundant=(*(rows.labels[order[i]] for i in dependent), *(rows.rolling_labels[i] for i in repeated)),
        repeated_drivers=tuple(rows.drivers[i] for i in over),
        unresisted=_unresisted(conditions, poses, p, stacked([before, rows.rolling])),
        nonholonomic=len(rows.rolling) - len(repeated),
    )


def _unresisted(conditions: PoseConditions, poses: Mapping[str, Pose], p: Array, rows: AnyRows) -> tuple[str, ...]:
    """Bodies that take part in an admissible motion without kinetic energy."""
    alone = _idle_alone(conditions, poses, p)
    if not alone.size or not len(null_space(_met(rows, alone)).T):
        return ()
    space = null_space(rows).T
    if not len(space):
        return ()
    reduced = space @ body_inertia(conditions, poses, p) @ space.T
    sizes, vectors = np.linalg.eigh(reduced)
    scale = max(float(sizes[-1]), 0.0)
    idle = vectors[:, sizes <= POLICY.unresisted * scale] if scale > 0 else vectors
    largest = np.abs(space.T @ idle).max(axis=1, initial=0.0)[: conditions.moving]
    motions = largest.reshape(len(conditions.bodies), -1).max(axis=1)
    return tuple(name for name, size in zip(conditions.bodies, motions, strict=True) if size > 1e-6)


def _idle_alone(conditions: PoseConditions, poses: Mapping[str, Pose], p: Array) -> LongRows:
    """Displacements of single bodies, and of unknowns of relations, that meet no inertia: a spin of a slender bar."""
    k, behind = conditions.space.freedoms, own_inertias(conditions, p)
    sizes, vectors = np.linalg.eigh(body_inertias(conditions, poses, p))
    limit = POLICY.unresisted * max(np.max(sizes, initial=0.0), np.max(behind, initial=0.0))
    bodies, which = np.nonzero(sizes <= limit)
    free = np.flatnonzero(behind <= limit)
    rows = np.concatenate([np.repeat(np.arange(bodies.size), k), bodies.size + np.arange(free.size)])
    columns = np.concatenate([(bodies[:, None] * k + np.arange(k)).ravel(), conditions.moving + free])
    values = np.concatenate([vectors[bodies, :, which].ravel(), np.ones(free.size)])
    return LongRows.of_entries((bodies.size + free.size, conditions.size), rows, columns, values)


def _met(rows: AnyRows, moves: LongRows) -> LongRows:
    """What conditions on displacements (rows of length one) make of *moves*, without those that do not notice them."""
    long = rows if isinstance(rows, LongRows) else LongRows.of_array(rows)
    found = (long / POLICY.sizes(long.lengths())).onto(moves)
    return found[np.flatnonzero(found.lengths() > POLICY.rank)]
