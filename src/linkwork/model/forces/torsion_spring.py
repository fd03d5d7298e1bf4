"""A rotational spring with a damper on a joint."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from linkwork.algebra.expressions import number
from linkwork.elements.forces import Action, torsion_spring
from linkwork.errors import Fault
from linkwork.model.fields import Angle, ElementName, RotationalDamping, RotationalStiffness
from linkwork.model.forces.base import AppliedForce, Scene
from linkwork.model.references import freedom_faults, freedom_of

if TYPE_CHECKING:
    from linkwork.model.draft import Draft


class TorsionSpring(AppliedForce):
    """A rotational spring with a damper: torque on the child = −stiffness·(angle − free angle) − damping·rate."""

    kind: Literal["torsion_spring"] = "torsion_spring"
    joint: ElementName = Field(description="a joint that turns")
    freedom: ElementName | None = Field(None, description="which angle, when the joint has several coordinates")
    stiffness: RotationalStiffness = Field(number(0.0), description="N*m/rad")
    damping: RotationalDamping = Field(number(0.0), description="N*m*s/rad")
    free_angle: Angle = Field(number(0.0), description="angle without torque, rad")

    def own_faults(self) -> Iterator[Fault]:
        if not {"stiffness", "damping"} & self.model_fields_set:
            yield Fault("stiffness", "neither stiffness nor damping is given", "write stiffness, damping, or both")

    def faults(self, draft: Draft, path: str) -> Iterator[Fault]:
        yield from freedom_faults(draft, path, self.joint, self.freedom)
        freedom = freedom_of(draft, self.joint, self.freedom)
        if freedom is not None and not freedom.angular:
            reason = f"{self.joint}.{freedom.coordinate} is not an angle"
            yield Fault(f"{path}.joint", reason, "use kind: spring between two points")

    @property
    def joints(self) -> tuple[str, ...]:
        return (self.joint,)

    def act(self, scene: Scene) -> Action:
        values = [scene.value(value) for value in (self.stiffness, self.damping, self.free_angle)]
        return torsion_spring(scene.coordinate(self.joint, self.freedom), *values)
