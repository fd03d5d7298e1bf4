"""Friction in a joint."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from linkwork.algebra.expressions import number
from linkwork.elements.contribution import Contribution
from linkwork.elements.forces.friction import ball_friction, joint_friction
from linkwork.errors import Fault
from linkwork.model.draft import Draft
from linkwork.model.fields import ElementName, Value, literal_faults
from linkwork.model.forces.base import AppliedForce, Scene
from linkwork.model.references import freedom_faults, freedom_of


class Friction(AppliedForce):
    """Friction in a joint against its rate, or in a spherical joint against its angular velocity: viscous, dry, or both."""

    kind: Literal["friction"] = "friction"
    joint: ElementName = Field(description="the joint")
    freedom: ElementName | None = Field(
        None, description="which coordinate, when the joint has several; default: the only one"
    )
    viscous: Value = Field(number(0.0), description="torque or force per rate, N*m*s/rad or N*s/m")
    dry: Value = Field(number(0.0), description="size of the dry friction, N*m or N")
    smoothing: Value = Field(number(1e-3), description="speed below which dry friction fades away, rad/s or m/s")

    def own_faults(self) -> Iterator[Fault]:
        if not {"viscous", "dry"} & self.model_fields_set:
            yield Fault("viscous", "neither viscous nor dry friction is given", "write viscous, dry, or both")

    def _is_ball(self, draft: Draft) -> bool:
        joint = draft.joints.get(self.joint)
        return joint is not None and joint.spins and not joint.freedoms

    def faults(self, draft: Draft, path: str) -> Iterator[Fault]:
        if self._is_ball(draft):
            dimensions = ("rotational_damping", "torque", "angular_speed")
            if self.freedom is not None:
                yield Fault(f"{path}.freedom", f"a ball such as '{self.joint}' has none", "leave it out")
        else:
            yield from freedom_faults(draft, path, self.joint, self.freedom)
            freedom = freedom_of(draft, self.joint, self.freedom)
            if freedom is None:
                return
            damping = "rotational_damping" if freedom.angular else "damping"
            dimensions = (damping, freedom.effort_dimension, freedom.rate_dimension)
        for key, dimension in zip(("viscous", "dry", "smoothing"), dimensions, strict=True):
            yield from literal_faults(f"{path}.{key}", getattr(self, key), dimension)
            value = draft.number(getattr(self, key))
            if value is not None and (value < 0.0 or (key == "smoothing" and value == 0.0)):
                yield Fault(f"{path}.{key}", f"is {value:g}; it must be positive")

    @property
    def joints(self) -> tuple[str, ...]:
        return (self.joint,)

    def contribute(self, scene: Scene) -> Contribution:
        values = [scene.value(value) for value in (self.viscous, self.dry, self.smoothing)]
        if scene.is_ball(self.joint):
            return ball_friction(scene.space, scene.sides(self.joint), *values)
        return joint_friction(scene.coordinate(self.joint, self.freedom), *values)
