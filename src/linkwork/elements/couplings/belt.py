"""Belt or chain between two pulleys on parallel axes: open, both turn the same way; crossed, they turn against each other.

    r₁ θ₁ ∓ r₂ θ₂ = constant

The angles are relative to the body that carries both axes. The belt is taut and does not slip.

Its strands lie along the common tangents of the pulleys and leave the first one at r₁ m, with n from the first axis to the
second, D apart, q = e × n, and sin φ = (r₁ ∓ r₂)/D:

    m = sin φ n ± cos φ q,   the strand along  s = cos φ n ∓ sin φ q

The strand at −q turns the first pulley forwards, that at +q backwards. The slack one has the tension that is given, the
other so much more that the torque on the first pulley is λ = r₁ (T₋ − T₊): T± = T + (|λ| ∓ λ) / 2 r₁.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca
import numpy as np

from linkwork.elements.couplings.base import Coupled
from linkwork.elements.couplings.contact import ContactForces, Frames, PointForce, Touch, across, unit, world_line
from linkwork.elements.couplings.motion import CoupledMotion, are_parallel, combine, misfit


@dataclass(frozen=True, eq=False)
class Strands(Touch):
    """The two strands of a belt or chain; tension: that of the slack one (N)."""

    radii: tuple[ca.SX, ca.SX]
    crossed: bool
    tension: ca.SX

    def forces(self, frames: Frames) -> ContactForces:
        (p1, e), (p2, _) = (world_line(motion, frames) for motion in (self.first, self.second))
        gap = across(p2 - p1, e)
        n, (r1, r2) = unit(gap), self.radii
        q, first = ca.cross(e, n), p1 + self.level * e
        sine = (r1 + r2 if self.crossed else r1 - r2) / ca.norm_2(gap)
        cosine = ca.sqrt(1 - sine**2)
        along, apart, steady = [], [], []
        for side in (1, -1):
            m, s = sine * n + side * cosine * q, cosine * n - side * sine * q
            ends = first + r1 * m, first + gap + (-r2 if self.crossed else r2) * m
            pull = [PointForce(self.first.body, ends[0], s), PointForce(self.second.body, ends[1], -s)]
            along += [_times(item, -side / (2 * r1)) for item in pull]
            apart += [_times(item, 1 / (2 * r1)) for item in pull]
            steady += [_times(item, self.tension) for item in pull]
        return ContactForces(tuple(along), tuple(apart), () if self.tension.is_zero() else tuple(steady))


def _times(item: PointForce, size: ca.SX) -> PointForce:
    return PointForce(item.body, item.at, size * item.force)


def run_belt(
    first: CoupledMotion,
    second: CoupledMotion,
    radii: tuple[ca.SX, ca.SX],
    crossed: bool,
    values: tuple[float, float],
    *,
    tension: ca.SX | None = None,
    level: ca.SX | None = None,
) -> Coupled:
    """Couple two pulleys; *values* are the radii at the default parameters."""
    if not are_parallel(first.direction, second.direction):
        angle = np.degrees(np.arccos(np.clip(abs(float(first.direction @ second.direction)), 0.0, 1.0)))
        raise misfit(
            "bodies", f"the axes are at {angle:.4g} degrees", "the axes of pulleys are parallel; use kind: linear"
        )
    gap = second.point - first.point
    distance = float(np.linalg.norm(gap - (gap @ first.direction) * first.direction))
    least = sum(values) if crossed else abs(values[0] - values[1])
    if distance <= least:
        what = "a crossed belt needs more than the sum" if crossed else "a belt needs more than the difference"
        raise misfit("radii", f"the axes are {distance:.6g} m apart; {what} of the radii, {least:.6g} m")
    sense = float(np.sign(first.direction @ second.direction)) * (-1.0 if crossed else 1.0)
    wheels = (first.wheel(values[0]), second.wheel(values[1]))
    contact = None
    if first.anchor is not None and second.anchor is not None:
        slack, where = (ca.SX(0) if item is None else item for item in (tension, level))
        contact = Strands(first, second, radii, crossed, slack, level=where)
    terms = combine((ca.SX(1), first), (-sense * radii[1] / radii[0], second))
    return Coupled(terms, wheels, contact, "crossed" if crossed else "belt")
