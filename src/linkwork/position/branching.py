"""Branches of a motion that meet in a singular position: along which velocities they leave it.

Where the rows J of the conditions lose rank, more velocities δ̇ satisfy J δ̇ = 0 than any motion has. With the rows L for
which Lᵀ J = 0, a motion Φ(δ(s)) = 0 has to second order

    Φ'' δ̇ δ̇ + J δ̈ = 0,   so that   Lᵀ Φ'' δ̇ δ̇ = 0:

quadratic equations for the velocities, whose solutions are the directions of the branches (J. M. McCarthy and G. S. Soh,
"Geometric Design of Linkages", on the coupler curves' double points; A. Müller, "Local kinematic analysis of closed-loop
linkages", J. Mechanisms Robotics 10, 2018: the kinematic tangent cone).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from linkwork.numerics.policy import POLICY
from linkwork.position.condition_rows import condition_rows, relations_of
from linkwork.position.drives import Drives
from linkwork.position.geometry import GROUND, Array, Pose
from linkwork.position.poses import PoseConditions
from linkwork.position.rank import decompose, free_rows

SAME = (
    10 * POLICY.rank
)  # of the size of the quadratic forms: what counts as satisfied, where a position counts as singular


@dataclass(frozen=True)
class Branch:
    """A direction in which a branch of the motion leaves a position: rates of independent joint coordinates, by name."""

    rates: Mapping[str, float]  # 'O.speed': 1.0

    def __str__(self) -> str:
        joints: dict[str, list[str]] = {}
        for name, rate in self.rates.items():
            joint, _, word = name.partition(".")
            joints.setdefault(joint, []).append(f"{word}: {rate:.9g}")
        return "initial: {" + ", ".join(f"{joint}: {{{', '.join(words)}}}" for joint, words in joints.items()) + "}"


class Meeting:
    """The branches that meet in given poses. rows: J; motions (k, size): all velocities that it admits."""

    def __init__(self, drives: Drives, conditions: PoseConditions, poses: Mapping[str, Pose], p: Array) -> None:
        self.drives, self.model, self.conditions, self.poses, self.p = drives, drives.model, conditions, dict(poses), p
        self._holding = [i for i, label in enumerate(conditions.labels) if label.kind != "driver"]
        self._relations = relations_of(conditions, p)
        found = condition_rows(drives, conditions, poses, p)
        self._readings = np.asarray(found.readings)
        left, values, right = decompose(found.held)
        rank = POLICY.count(values)
        # of the conditions as they are
        self.vanishing, self.motions = (
            (left[:, rank:] / POLICY.unit_rows(np.asarray(found.held))[1][:, None]).T,
            right[rank:],
        )

    @cached_property
    def _forms(self) -> Array:
        """Lᵀ Φ'' (· × k × k) of all combinations of the motions."""
        bent = [self.conditions.bend(self.poses, self.p, weights, self.motions.T) for weights in self._weights()]
        return np.array([self.motions @ item for item in bent]).reshape(-1, len(self.motions), len(self.motions))

    def _weights(self) -> Array:
        """What residuals and readings weigh in the conditions that vanish (· × m + r): couplings are sums of readings."""
        units, holding = self.conditions.units, len(self._holding)
        residuals = np.zeros((len(self.vanishing), len(self.conditions.labels)))
        residuals[:, self._holding] = self.vanishing[:, :holding]
        readings = np.zeros((len(self.vanishing), len(units)))
        for item, weights in zip(self._relations, self.vanishing[:, holding:].T, strict=True):
            for reading, factor in item.terms:
                readings[:, reading] += weights * factor / item.size(units)
        return np.hstack([residuals, readings])

    def bend(self, motion: Array) -> Array:
        """Lᵀ Φ'' δ̇ δ̇ of a velocity (size) that the rows admit."""
        parts = self.motions @ motion
        return np.asarray(self._forms @ parts @ parts)

    def belongs(self, motion: Array) -> bool:
        """Whether a velocity is that of some branch; rest is that of all."""
        size = float(np.sum(motion**2))
        return bool(np.all(np.abs(self.bend(motion)) <= SAME * max(1.0, self._size) * size))

    @property
    def _size(self) -> float:
        """How large the quadratic forms are for velocities of size 1."""
        return max((float(np.max(np.abs(self.bend(motion)), initial=0.0)) for motion in self.motions), default=0.0)

    def locked(self) -> tuple[str, ...]:
        """Joints that move in velocities which no motion follows, where a position only seems to be movable."""
        found = [motion for motion in self.motions if not self.belongs(motion)]
        if not found:
            return ()
        readings = self.conditions.readings
        moved = np.abs(self._readings @ np.array(found).T).max(axis=1)
        names = [
            r.element for i, r in enumerate(readings) if r.element in self.model.joints and moved[i] > POLICY.faint
        ]
        return tuple(dict.fromkeys(names))

    def branches(self) -> list[Branch]:
        """The directions of all branches of one freedom, where two freedoms are here; none where there are more."""
        if len(self.motions) != 2:
            return []
        first, second = self.motions
        a, c = self.bend(first), self.bend(second)
        b = self.bend(first + second) - a - c
        row = int(np.argmax(np.max(np.abs([a, b, c]), axis=0)))
        found = [x * first + y * second for x, y in _roots(float(a[row]), float(b[row]), float(c[row]))]
        return [self._branch(motion) for motion in found if self.belongs(motion)]

    def _branch(self, motion: Array) -> Branch:
        names = self._independent()
        rates = np.array([float(self._readings[i] @ motion) for i in names.values()])
        largest = float(np.max(np.abs(rates), initial=0.0)) or 1.0
        lead = next((rate for rate in rates if abs(rate) > SAME * largest), 1.0)
        rates = np.where(np.abs(rates) > SAME * largest, rates / lead, 0.0)
        return Branch(dict(zip(names, np.round(rates, 9).tolist(), strict=True)))

    def _independent(self) -> dict[str, int]:
        """Rates of joint coordinates that tell all velocities here, with their readings; drivers and ground first."""
        readings, driven = self.conditions.readings, {joint for joint, _ in self.drives.keys.values()}
        words = {(name, f.name): f.rate for name, joint in self.model.joints.items() for f in joint.freedoms}
        known = [i for i, r in enumerate(readings) if (r.element, r.name) in words]
        grounded = {name for name, joint in self.model.joints.items() if GROUND in joint.bodies}
        known.sort(key=lambda i: (readings[i].element not in driven, readings[i].element not in grounded))
        candidates = self._readings @ self.motions.T
        chosen = free_rows(np.eye(len(self.motions)), candidates, known)
        return {f"{readings[i].element}.{words[readings[i].element, readings[i].name]}": i for i in chosen}


def _roots(a: float, b: float, c: float) -> list[tuple[float, float]]:
    """Real directions (x, y) with a x² + b x y + c y² = 0."""
    size = max(abs(a), abs(b), abs(c))
    if size == 0.0:
        return []
    if max(abs(a), abs(c)) < SAME * size:
        return [(1.0, 0.0), (0.0, 1.0)]
    disc = b * b - 4 * a * c
    if disc < -SAME * size * size:
        return []
    root = np.sqrt(max(disc, 0.0))
    # one root without cancellation, the other by the product of both
    q = -0.5 * (b + (root if b >= 0 else -root))
    pairs = [(q, a), (c, q)] if abs(a) >= abs(c) else [(c, q), (q, a)]
    found: list[tuple[float, float]] = []
    for x, y in pairs:
        length = float(np.hypot(x, y))
        unit = (x / length, y / length) if length > 0.0 else None
        if unit is not None and not any(abs(unit[0] * v - unit[1] * u) < SAME for u, v in found):
            found.append(unit)
    return found
