"""Relations in any kind of coordinates: their unknowns stand behind those of the bodies, their conditions behind the rest.

The unknowns of a relation have no inertia: their rows and columns of M are zero, and the conditions determine them.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca
import numpy as np

from linkwork.coordinates.base import Array, ConstraintRow, Kinematics, Meaning, RowLabel
from linkwork.elements.relations import Condition
from linkwork.position.assembly import Assembly
from linkwork.position.geometry import Geometry
from linkwork.position.labels import relation_label


@dataclass(frozen=True, eq=False)
class Related:
    """The kinematics with the unknowns of the relations, and these by relation."""

    kinematics: Kinematics
    unknowns: dict[str, ca.SX]
    rates: dict[str, ca.SX]


def add_unknowns(geometry: Geometry, kinematics: Kinematics) -> Related:
    """Put the unknowns of all relations behind q and v."""
    k, q, v = kinematics, {}, {}
    names: list[str] = []
    scales: list[float] = []
    for name, relation in geometry.relations.items():
        count = len(relation.unknowns)
        q[name], v[name] = ca.SX.sym(f"u_{name}", count), ca.SX.sym(f"w_{name}", count)
        names += [f"{name}.{unknown.name}" for unknown in relation.unknowns]
        scales += [k.length if unknown.is_length else 1.0 for unknown in relation.unknowns]
    if not names:
        return Related(k, q, v)
    own, rates = ca.vertcat(*q.values()), ca.vertcat(*v.values())
    extended = k.extended(own, rates, (names, [f"{name}'" for name in names]), scales)
    return Related(extended, q, v)


def relate(geometry: Geometry, related: Related, t: ca.SX) -> tuple[ConstraintRow, ...]:
    """The conditions of all relations."""
    k = related.kinematics
    return tuple(
        ConstraintRow(
            RowLabel(name, condition.component, relation_label(relation)),
            condition.residual,
            1.0 if condition.is_length else k.length,
            _meaning(name, condition),
        )
        for name, relation in geometry.relations.items()
        for condition in relation.conditions(geometry.space, k.frames, related.unknowns[name], t)
    )


def relate_rates(geometry: Geometry, related: Related, t: ca.SX) -> tuple[ConstraintRow, ...]:
    """The conditions of all relations that restrict velocities only."""
    k = related.kinematics
    return tuple(
        ConstraintRow(
            RowLabel(name, condition.component, relation_label(relation), "velocity"),
            condition.residual,
            1.0 if condition.is_length else k.length,
            _meaning(name, condition),
        )
        for name, relation in geometry.relations.items()
        for condition in relation.rate_conditions(geometry.space, k.frames, related.unknowns[name], k.twists, t)
    )


def _meaning(name: str, condition: Condition) -> Meaning:
    what = condition.effort or ("force" if condition.is_length else "moment")
    return Meaning(f"{what} of {name}: {condition.component}", not condition.is_length)


def place_unknowns(geometry: Geometry, assembly: Assembly) -> tuple[Array, Array]:
    """Values and rates of the unknowns of all relations at an assembled position."""
    names = [name for name, relation in geometry.relations.items() if relation.unknowns]
    q = np.concatenate([np.zeros(0), *(assembly.poses[name].origin for name in names)])
    return q, np.concatenate([np.zeros(0), *(assembly.twists[name] for name in names)])
