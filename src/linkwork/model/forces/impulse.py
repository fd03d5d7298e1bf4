"""A given impulse at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from linkwork.elements.contribution import Contribution
from linkwork.elements.forces.impulse import impulse
from linkwork.elements.forces.point_force import effort, point_force, torque
from linkwork.errors import Fault
from linkwork.model.draft import Draft
from linkwork.model.element import PARAMETERS
from linkwork.model.fields import Duration, ElementName, VectorOfExpressions, impulse_field, literal_faults
from linkwork.model.forces.base import AppliedForce, Scene
from linkwork.model.forces.force import loaded_point_faults
from linkwork.model.references import body_faults, freedom_faults, freedom_of, size_faults

PLACES = ("on", "body", "joint")


class Impulse(AppliedForce):
    """An impulse at a time: on a point, on a body as a moment, or along a joint coordinate; velocities jump there."""

    SCOPES: ClassVar = {"value": PARAMETERS, "at": PARAMETERS}

    kind: Literal["impulse"] = "impulse"
    on: ElementName | None = Field(
        None, description="the point that is struck, 'arm.P'; default: none", examples=["arm.P"]
    )
    body: ElementName | None = Field(
        None, description="instead of a point: the body that is struck by a moment; default: none"
    )
    joint: ElementName | None = Field(
        None, description="instead of a point: the joint along whose coordinate it acts; default: none"
    )
    freedom: ElementName | None = Field(
        None, description="which coordinate, when the joint has several; default: the only one"
    )
    value: Annotated[VectorOfExpressions, impulse_field()] = Field(
        description="impulse, formulas of parameters: components in world axes, N*s, on a point; along a joint, or about "
        "the axis of the plane, one number, N*s or N*m*s; on a body in space the components of the moment",
        examples=[[3, 0]],
    )
    at: Duration = Field(description="time at which it strikes, s: number or formula of parameters", examples=["0.5 s"])

    def own_faults(self) -> Iterator[Fault]:
        given = [key for key in PLACES if getattr(self, key) is not None]
        if len(given) != 1:
            reason = "strikes nothing" if not given else f"names {' and '.join(given)}"
            yield Fault("", reason, "write one of on: arm.P, body: arm, joint: O")
        if self.freedom is not None and self.joint is None:
            yield Fault("freedom", "goes with joint", "leave it out, or name a joint")

    def faults(self, draft: Draft, path: str) -> Iterator[Fault]:
        time = draft.number(self.at)
        if time is not None and time < 0.0:
            yield Fault(f"{path}.at", f"is {time:g} s, before the start", "runs begin at 0 s")
        if self.joint is not None:
            yield from self._joint_faults(draft, path)
            return
        planar = draft.space == "planar"
        if self.on is not None:
            yield from loaded_point_faults(draft, path, self.on, None, key="on")
            size, dimension = 2 if planar else 3, "impulse"
        else:
            assert self.body is not None
            yield from body_faults(draft, f"{path}.body", self.body)
            size, dimension = 1 if planar else 3, "angular_impulse"
        if draft.space is not None:
            yield from size_faults(f"{path}.value", self.value, size, draft.space)
        for i, item in enumerate(self.value):
            yield from literal_faults(f"{path}.value[{i}]", item, dimension)

    def _joint_faults(self, draft: Draft, path: str) -> Iterator[Fault]:
        assert self.joint is not None
        yield from freedom_faults(draft, path, self.joint, self.freedom)
        freedom = freedom_of(draft, self.joint, self.freedom)
        if draft.space is not None:
            yield from size_faults(f"{path}.value", self.value, 1, "along a joint coordinate")
        if freedom is not None:
            dimension = "impulse" if freedom.effort_dimension == "force" else "angular_impulse"
            yield from literal_faults(f"{path}.value", self.value[0], dimension)

    @property
    def joints(self) -> tuple[str, ...]:
        return () if self.joint is None else (self.joint,)

    def contribute(self, scene: Scene) -> Contribution:
        value, unit = scene.vector(self.value), "N*s"
        if self.joint is not None:
            coordinate = scene.coordinate(self.joint, self.freedom)
            given, unit = effort(coordinate, value), f"{coordinate.effort_unit}*s"
        elif self.on is not None:
            given = point_force(scene.space, scene.station(self.on), value)
        else:
            assert self.body is not None
            given, unit = torque(scene.space, scene.solid(self.body), value), "N*m*s"
        return impulse("blow", given, value, scene.value(self.at), unit)
