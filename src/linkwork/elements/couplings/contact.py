"""Where a coupling that knows its wheels pushes, and along which directions.

The forces of teeth, of the strands of a belt and of a wheel on its rail act at places that stand still in the carrier. For
every effort λ of the coupling they are found so that their power on the two bodies is that of its relation, λ Σ cᵢ φ̇ᵢ,
while the bodies move as their joints let them: the motion does not notice them, the bearings do. Three parts:

    along    per unit of λ: forces along the teeth's common tangent, thrust of teeth that lie askew
    apart    per unit of |λ|: what drives teeth apart, and what a belt needs to stay taut, whichever way it pulls
    steady   whatever λ is

Places and forces are three-dimensional; in the plane z = 0. On each body the forces of ``along``, ``apart`` and ``steady``
are opposite to those on the other: nothing else is pushed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field

import casadi as ca

from linkwork.elements.contribution import Frames
from linkwork.elements.couplings.motion import CoupledMotion, misfit


@dataclass(frozen=True, eq=False)
class PointForce:
    """A force (3) at a place (3) of a body, world axes."""

    body: str
    at: ca.SX
    force: ca.SX


@dataclass(frozen=True, eq=False)
class ContactForces:
    """All forces of a contact: N per unit of the effort, per unit of its size, and always."""

    along: tuple[PointForce, ...]
    apart: tuple[PointForce, ...] = ()
    steady: tuple[PointForce, ...] = ()


@dataclass(frozen=True, eq=False)
class Touch(ABC):
    """How two coupled bodies touch. level: how far along the first axis, from the point of the first body (m)."""

    first: CoupledMotion
    second: CoupledMotion
    level: ca.SX = field(default_factory=lambda: ca.SX(0), kw_only=True)

    @abstractmethod
    def forces(self, frames: Frames) -> ContactForces:
        """In the world, for given frames of the bodies."""

    @property
    def bearings(self) -> frozenset[str]:
        """The joints that hold the two bodies in their carrier, and so take what the contact pushes."""
        return frozenset((*self.first.joints, *self.second.joints))

    def pair(self, at: ca.SX, force: ca.SX) -> tuple[PointForce, ...]:
        """A force on the first body, and the opposite on the second, at one place; none where it vanishes."""
        if force.is_zero():
            return ()
        return PointForce(self.first.body, at, force), PointForce(self.second.body, at, -force)


@dataclass(frozen=True, eq=False)
class ToothForm:
    """Pressure angle α in the normal section, and helix angle β, positive for a right-handed first wheel (rad).

    level: where the mesh lies along the first axis; share: on skew axes, which part of the way from the first to the
    second it takes, where no radii say so.
    """

    pressure: ca.SX = field(default_factory=lambda: ca.SX(0))
    helix: ca.SX = field(default_factory=lambda: ca.SX(0))
    level: ca.SX = field(default_factory=lambda: ca.SX(0))
    share: ca.SX | None = None

    @property
    def is_plain(self) -> bool:
        """Whether teeth push along the common tangent alone."""
        return self.pressure.is_zero() and self.helix.is_zero()

    def separation(self, tangential: ca.SX) -> ca.SX:
        """|F| tan α: what drives teeth apart that push with F (3) in the common tangent plane."""
        return ca.tan(self.pressure) * ca.norm_2(tangential)


def refuse_loose(wheels: Sequence[CoupledMotion], form: ToothForm, bevel: bool = False) -> None:
    """Thrust along an axis would do work on a wheel that may slide along it."""
    key = "pressure_angle" if bevel and not form.pressure.is_zero() else "helix_angle"
    for wheel in wheels:
        if wheel.loose and not (form.is_plain if bevel else form.helix.is_zero()):
            raise misfit(
                key, f"pushes '{wheel.body}' along its axis, along which it may slide",
                "hold it by revolute joints, or leave the angle out",
            )  # fmt: skip


def world_line(motion: CoupledMotion, frames: Frames) -> tuple[ca.SX, ca.SX]:
    """Point (3) and direction (3) of the line about which, or along which, a body moves."""
    assert motion.anchor is not None
    frame, anchor = frames[motion.body], motion.anchor
    return embed(frame.point(anchor.origin)), axes_in_space(frame.axes @ anchor.axes)[:, motion.column]


def embed(place: ca.SX) -> ca.SX:
    """A place or force of the plane in space, z = 0."""
    return ca.vertcat(place, ca.SX(3 - place.numel(), 1))


def axes_in_space(axes: ca.SX) -> ca.SX:
    """Axes of the plane in space, with the normal as third."""
    return axes if axes.shape[0] == 3 else ca.diagcat(axes, ca.SX(1))


def across(vector: ca.SX, direction: ca.SX) -> ca.SX:
    """The part of a vector that is perpendicular to a unit vector."""
    return vector - ca.dot(vector, direction) * direction


def unit(vector: ca.SX) -> ca.SX:
    return vector / ca.norm_2(vector)
