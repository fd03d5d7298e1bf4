"""Rack and pinion: the pitch circle of the pinion rolls on the pitch line of the rack.

With the angle θ of the pinion about e and the way s of the rack along u, both relative to the body that carries them,
and n the direction from the axis of the pinion to the rack (e, u, n are perpendicular to each other):

    s − r θ (e × n)·u = constant

A wheel that rolls on a rail is the same, with a carrier that slides along the rail.

The force λ along the rack acts where they touch, at C = r n from the axis; teeth that lie askew by the helix angle β of the
pinion (positive: right-handed) also push along e, and teeth with the pressure angle α drive each other apart:

    on the rack   λ (u − tan β (e × n)·u e) + |λ| tan α / cos β n,     on the pinion the opposite
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca
import numpy as np

from linkwork.arrays import Array
from linkwork.elements.couplings.base import Coupled
from linkwork.elements.couplings.contact import ContactForces, Frames, ToothForm, Touch, refuse_loose, world_line
from linkwork.elements.couplings.motion import ALIKE, CoupledMotion, combine, differs, misfit


@dataclass(frozen=True, eq=False)
class RackTeeth(Touch):
    """The first body is the pinion; side: +1 where n is u × e, −1 where it is e × u."""

    radius: ca.SX
    side: float
    form: ToothForm

    def forces(self, frames: Frames) -> ContactForces:
        (centre, e), (_, u) = (world_line(motion, frames) for motion in (self.first, self.second))
        n = self.side * ca.cross(u, e)
        at = centre + self.radius * n + self.level * e
        on_rack = u - ca.tan(self.form.helix) * ca.dot(ca.cross(e, n), u) * e
        return ContactForces(self.pair(at, -on_rack), self.pair(at, -self.form.separation(on_rack) * n))


def mesh_with_rack(
    pinion: CoupledMotion,
    rack: CoupledMotion,
    radius: ca.SX,
    touching: Array | None,
    value: float,
    *,
    form: ToothForm | None = None,
) -> Coupled:
    """*touching* (3) is a point where they touch, in the axes of the carrier; *value* the radius at the defaults."""
    form = form or ToothForm()
    refuse_loose((pinion,), form)
    e, u = pinion.direction, rack.direction
    if abs(float(e @ u)) > ALIKE:
        angle = np.degrees(np.arccos(np.clip(abs(float(e @ u)), 0.0, 1.0)))
        raise misfit(
            "bodies", f"'{rack.body}' slides at {angle:.4g} degrees to the axis of '{pinion.body}'",
            "a rack slides at right angles to the axis of its pinion",
        )  # fmt: skip
    across = np.cross(u, e)
    height = float(((rack.point if touching is None else touching) - pinion.point) @ across)
    if abs(height) <= ALIKE * value:
        key, what = ("at", "the point lies") if touching is not None else ("at", "is missing: the rack is drawn")
        raise misfit(
            key, f"{what} level with the axis of '{pinion.body}': the side of the rack cannot be told",
            "write at: with a point where pinion and rack touch",
        )  # fmt: skip
    if touching is not None and differs(abs(height), value):
        raise misfit(
            "radius", f"is {value:g} m; the point where they touch is {abs(height):.8g} m from the axis",
            "change the radius or the point",
        )  # fmt: skip
    # (e × n)·u with n = ± u × e
    sense = float(np.sign(height)) * float(np.cross(e, across) @ u)
    contact = None
    if pinion.anchor is not None and rack.anchor is not None:
        contact = RackTeeth(pinion, rack, radius, float(np.sign(height)), form, level=form.level)
    terms = combine((ca.SX(1), rack), (-round(sense) * radius, pinion))
    return Coupled(terms, (pinion.wheel(value),), contact, "rack")
