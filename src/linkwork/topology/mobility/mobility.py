"""Mobility at the assembled position: by count, by rank, with the redundant conditions by name.

The conditions of all joints and couplings act on the velocities of the bodies, rank by rank: freedoms = unknowns − rank.
A condition is called redundant when it depends on those before it, tree joints first and cut joints last, so that it is
the closing of a loop that repeats what the rest of the loop ensures already.

Conditions on velocities alone (rolling, knife edges) leave the freedoms of position as they are and take freedoms of
velocity away: they are counted apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from linkwork.topology.geometry import Array, Geometry, Pose
from linkwork.topology.labels import RowLabel
from linkwork.topology.mobility.row_space import row_space
from linkwork.topology.position.poses import PoseConditions

FAINT = 1e-6  # of the longest row; fainter ones are not stretched to full length, lest their rounding errors count


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


@dataclass(frozen=True, eq=False)
class ConditionRows:
    """Rates of conditions as rows for δ̇: of joints and couplings (``held``, labelled), of drivers, and of all readings.

    ``all`` are those of positions; ``rolling`` restricts velocities alone.
    """

    held: Array
    labels: tuple[RowLabel, ...]
    driven: Array
    drivers: tuple[str, ...]
    readings: Array
    rolling: Array  # conditions on velocities alone
    rolling_labels: tuple[RowLabel, ...]

    @property
    def all(self) -> Array:
        return np.vstack([self.held, self.driven])


def find_mobility(
    conditions: PoseConditions, poses: Mapping[str, Pose], p: Array, rows: ConditionRows, cut: Sequence[str]
) -> Mobility:
    """Analyse the mobility at given poses."""
    order = sorted(
        range(len(rows.labels)), key=lambda i: rows.labels[i].element in cut or rows.labels[i].kind != "joint"
    )
    held = rows.held[order]
    dependent = dependent_rows(held)
    over = [i - len(held) for i in dependent_rows(np.vstack([held, rows.driven])) if i >= len(held)]
    before = len(held) + len(rows.driven)
    slipless = np.vstack([held, rows.driven, rows.rolling])
    repeated = [i - before for i in dependent_rows(slipless) if i >= before]
    return Mobility(
        by_count=conditions.size - len(held),
        by_rank=conditions.size - len(held) + len(dependent),
        driven=len(rows.drivers) - len(over),
        redundant=(*(rows.labels[order[i]] for i in dependent), *(rows.rolling_labels[i] for i in repeated)),
        repeated_drivers=tuple(rows.drivers[i] for i in over),
        unresisted=_unresisted(conditions, poses, p, slipless),
        nonholonomic=len(rows.rolling) - len(repeated),
    )


def dependent_rows(rows: Array) -> list[int]:
    """The rows that depend linearly on the rows before them; one that is a rounding error beside the others does."""
    basis = np.zeros((0, rows.shape[1]))
    found = []
    sizes = np.linalg.norm(rows, axis=1)
    faint = FAINT * float(np.max(sizes, initial=0.0)) or 1.0
    for i, (row, size) in enumerate(zip(rows, sizes, strict=True)):
        rest = row / max(size, faint)
        for _ in range(2):
            rest = rest - basis.T @ (basis @ rest)
        left = float(np.linalg.norm(rest))
        if left > 1e-7:
            basis = np.vstack([basis, rest / left])
        else:
            found.append(i)
    return found


def _unresisted(conditions: PoseConditions, poses: Mapping[str, Pose], p: Array, rows: Array) -> tuple[str, ...]:
    """Bodies that take part in an admissible motion without kinetic energy."""
    space = np.linalg.svd(row_space(rows))[2][len(row_space(rows)) :] if rows.size else np.eye(conditions.size)
    if not len(space):
        return ()
    inertia = body_inertia(conditions, poses, p)
    reduced = space @ inertia @ space.T
    sizes, vectors = np.linalg.eigh(reduced)
    scale = max(float(sizes[-1]), 0.0)
    idle = vectors[:, sizes <= 1e-12 * scale] if scale > 0 else vectors
    largest = np.abs(space.T @ idle).max(axis=1, initial=0.0)[: conditions.moving]
    motions = largest.reshape(len(conditions.bodies), -1).max(axis=1)
    return tuple(name for name, size in zip(conditions.bodies, motions, strict=True) if size > 1e-6)


def body_inertia(conditions: PoseConditions, poses: Mapping[str, Pose], p: Array) -> Array:
    """Mass matrix of all bodies for δ̇ (size × size)."""
    geometry: Geometry = conditions.geometry

    def matter(name: str) -> tuple[float, Array]:
        body = geometry.bodies[name]
        inertia = np.atleast_2d(geometry.number(body.inertia, p))
        turned = inertia if conditions.space.planar else poses[name].axes @ inertia @ poses[name].axes.T
        return float(geometry.number(body.mass, p)), turned

    return _inertia(conditions, poses, p, matter)


def unit_inertia(conditions: PoseConditions, poses: Mapping[str, Pose], p: Array) -> Array:
    """That of bodies of one mass and one radius of gyration, the size of the mechanism, and 1 for other unknowns."""
    spins = np.eye(conditions.space.rotations)
    total = _inertia(conditions, poses, p, lambda name: (conditions.length**-2, spins))
    total[range(conditions.moving, conditions.size), range(conditions.moving, conditions.size)] = 1.0
    return total


def _inertia(
    conditions: PoseConditions,
    poses: Mapping[str, Pose],
    p: Array,
    matter: Callable[[str], tuple[float, Array]],
) -> Array:
    """The mass matrix of bodies with given masses and moments of inertia (world axes)."""
    d, k = conditions.space.dimension, conditions.space.freedoms
    total = np.zeros((conditions.size, conditions.size))
    for i, (name, body) in enumerate(conditions.geometry.bodies.items()):
        mass, inertia = matter(name)
        arm = poses[name].axes @ np.atleast_1d(conditions.geometry.number(body.com, p))
        if d == 2:
            sweep = np.array([[-arm[1]], [arm[0]]])
        else:
            sweep = -np.array([[0, -arm[2], arm[1]], [arm[2], 0, -arm[0]], [-arm[1], arm[0], 0]])
        # velocity of the centre of mass from δ̇
        centre = np.hstack([conditions.length * np.eye(d), sweep])
        block = mass * centre.T @ centre
        block[d:, d:] += inertia
        total[i * k : (i + 1) * k, i * k : (i + 1) * k] = block
    return total
