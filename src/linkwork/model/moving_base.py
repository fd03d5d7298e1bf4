"""The declaration of a ground that moves in a known way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

import casadi as ca
from pydantic import Field

from linkwork.elements.forces.moving_base import BaseMotion
from linkwork.errors import Fault
from linkwork.model.draft_numbers import DraftNumbers
from linkwork.model.element import TIME_ONLY, Element
from linkwork.model.fields import Acceleration, VectorOfExpressions, turn_field
from linkwork.model.forces.base import Scene
from linkwork.model.references import size_faults


class MovingBase(Element):
    """A ground that moves: acceleration of its origin and angular velocity, as functions of time, in its own axes."""

    SCOPES: ClassVar = {"acceleration": TIME_ONLY, "omega": TIME_ONLY}

    acceleration: Acceleration | None = Field(
        None,
        description="acceleration of the origin, m/s^2, axes of the base: formulas of t; default: 0",
        examples=[["sin(t)", 0]],
    )
    omega: Annotated[VectorOfExpressions, turn_field("angular_speed")] | None = Field(
        None,
        description="angular velocity, rad/s, axes of the base: formula of t (planar), three of them (spatial); "
        "default: 0",
    )

    def own_faults(self) -> Iterator[Fault]:
        if self.acceleration is None and self.omega is None:
            yield Fault("acceleration", "no motion of the base is given", "write acceleration, omega, or both")

    def faults(self, draft: DraftNumbers, path: str) -> Iterator[Fault]:
        """Vectors of the wrong size."""
        if draft.space is None:
            return
        if self.acceleration is not None:
            size = 2 if draft.space == "planar" else 3
            yield from size_faults(f"{path}.acceleration", self.acceleration, size, draft.space)
        if self.omega is not None:
            yield from size_faults(f"{path}.omega", self.omega, 1 if draft.space == "planar" else 3, draft.space)

    def motion(self, scene: Scene) -> BaseMotion:
        """Its motion, with the exact rate of the angular velocity."""
        space = scene.space
        acceleration = ca.SX(space.dimension, 1) if self.acceleration is None else scene.vector(self.acceleration)
        omega = ca.SX(space.rotations, 1) if self.omega is None else scene.vector(self.omega)
        return BaseMotion(acceleration, omega, ca.jacobian(omega, scene.time))
