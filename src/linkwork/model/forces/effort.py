"""A given force or torque along a joint coordinate."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from pydantic import Field

from linkwork.elements.contribution import Contribution
from linkwork.elements.forces.point_force import effort
from linkwork.errors import Fault
from linkwork.model.draft import Draft
from linkwork.model.element import STATE
from linkwork.model.fields import ElementName, Value, literal_faults
from linkwork.model.forces.base import AppliedForce, Scene
from linkwork.model.references import freedom_faults, freedom_of


class Effort(AppliedForce):
    """The force or torque of an actuator along a joint coordinate, on the child; the parent feels the opposite."""

    SCOPES: ClassVar = {"value": STATE}

    kind: Literal["effort"] = "effort"
    joint: ElementName = Field(description="the joint whose coordinate the actuator works on")
    freedom: ElementName | None = Field(
        None, description="which coordinate, when the joint has several; default: the only one"
    )
    value: Value = Field(description="N*m or N: number or formula of t, state and parameters")

    def faults(self, draft: Draft, path: str) -> Iterator[Fault]:
        yield from freedom_faults(draft, path, self.joint, self.freedom)
        freedom = freedom_of(draft, self.joint, self.freedom)
        if freedom is not None:
            yield from literal_faults(f"{path}.value", self.value, freedom.effort_dimension)

    @property
    def joints(self) -> tuple[str, ...]:
        return (self.joint,)

    def contribute(self, scene: Scene) -> Contribution:
        return effort(scene.coordinate(self.joint, self.freedom), scene.value(self.value))
