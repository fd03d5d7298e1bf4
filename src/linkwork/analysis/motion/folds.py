"""Relations that move a mechanism by themselves, such as a cylinder by its length, and can move it no further.

With conditions C v = −a there is a combination u of them with uᵀC → 0 where the mechanism folds, or is stretched, and no
velocity answers uᵀa ≠ 0. Those whose a it contains push against their end.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkwork.algebra.expressions import to_float
from linkwork.analysis.motion.singular import state_values
from linkwork.analysis.prepared.prepare import Mechanism
from linkwork.arrays import Array
from linkwork.coordinates.motors import Motor, motor_rates
from linkwork.errors import LinkworkError
from linkwork.model.relations.distance import Distance

FOLDED = 1e-3  # singular value, in sizes of the mechanism, of a combination that vanishes where a motion has stopped
TOLD = 0.05  # of the largest part: who has less is not named


@dataclass(frozen=True)
class Fold:
    """The relation that can go no further, its length there (m), whether it grows, and the joints at their dead centre."""

    relation: str
    length: float | None
    grows: bool
    joints: tuple[str, ...]

    def __str__(self) -> str:
        end = (
            ""
            if self.length is None
            else f" of {self.length:.6g} m, its {'longest' if self.grows else 'shortest'} there"
        )
        return (
            f"'{self.relation}' can go no further{' than its length' * bool(end)}{end}: dead centre of "
            f"{', '.join(self.joints)}, and the loop cannot close beyond it"
        )


def fold_at(mechanism: Mechanism, time: float, y: Array, p: Array) -> Fold | None:
    """The fold that a state is next to, if a relation moves the mechanism into it."""
    c = mechanism.coordinates
    if c.a.is_zero() or not c.rows:
        return None
    keys = list(c.motion.coordinates)
    wanted = [c.jacobian, c.a, motor_rates(c, [Motor("", *key) for key in keys])]
    rows, pushed, rates = state_values(mechanism, time, y, p, wanted)
    scale, weights = c.kinematics.scale, np.array([row.weight for row in c.rows]) / c.kinematics.length
    pushed = pushed.ravel() * weights
    # rows are not stretched to one length: that of a strut in line with what it moves vanishes
    left, sizes, right = np.linalg.svd(rows * scale * weights[:, None], full_matrices=False)
    asked = left.T * pushed
    owners = np.array([label.element for label in c.labels])
    for k in np.flatnonzero(sizes < FOLDED * sizes.max(initial=1.0))[::-1]:
        parts = {
            name: abs(float(asked[k, owners == name].sum()))
            for name in c.geometry.relations
            if name in mechanism.model.relations
        }
        name = max(parts, key=parts.__getitem__, default="")
        if not name or parts[name] <= TOLD * float(np.abs(pushed).max()):
            continue
        moved = np.abs(rates * scale @ right[k]) / np.maximum(np.linalg.norm(rates * scale, axis=1), 1e-300)
        largest = dict.fromkeys((key[0] for key in keys), 0.0)
        for key, size in zip(keys, moved.tolist(), strict=True):
            largest[key[0]] = max(largest[key[0]], size)
        most = max(largest.values())
        joints = tuple(joint for joint, size in largest.items() if size > TOLD * most)
        return Fold(name, *_length(mechanism, name, time, p), joints)
    return None


def _length(mechanism: Mechanism, name: str, time: float, p: Array) -> tuple[float | None, bool]:
    """The length of a relation at a time and whether it grows; None of what has none."""
    relation, geometry = mechanism.model.relations[name], mechanism.topology.geometry
    if not isinstance(relation, Distance) or relation.length is None:
        return None, False
    live = dict(zip(geometry.parameter_names, p.tolist(), strict=False))
    values = mechanism.model.parameter_values(live)
    try:
        now, before = (
            to_float(relation.length, {**values, "t": t}.__getitem__) for t in (time, time - 1e-6 * max(1.0, time))
        )
    except (LinkworkError, KeyError):
        return None, False
    return now, now > before
