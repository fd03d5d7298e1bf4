"""Declarations of forces, one class per kind; ``ALL_FORCES`` lists them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from linkwork.algebra.expressions import number
from linkwork.errors import Fault
from linkwork.model.element import STATE, Element
from linkwork.model.fields import (
    Angle,
    Damping,
    ElementName,
    ForceVector,
    Length,
    Read,
    RotationalDamping,
    RotationalStiffness,
    Stiffness,
    Value,
    VectorOfExpressions,
    as_list,
    pair_field,
    read_scalar,
    read_vector,
    scalar_schema,
    vector_schema,
    write,
)


def _read_torque(value: Any) -> VectorOfExpressions:
    if as_list(value) is None:
        return (read_scalar(value, "torque"),)
    return read_vector(value, "torque", (1, 3))


def _write_torque(value: VectorOfExpressions) -> Any:
    return write(value[0] if len(value) == 1 else value)


_TORQUE_SCHEMA = {"anyOf": [scalar_schema("torque"), vector_schema("torque", (3,))]}


class Force(Element):
    """A force on a point of a body; components may depend on time and state."""

    SCOPES: ClassVar = {"value": STATE}

    kind: Literal["force"] = "force"
    at: ElementName = Field(description="the loaded point, 'coupler.P' or just 'P' when only one body has it")
    body: ElementName | None = Field(None, description="the loaded body, when the point alone does not tell")
    value: ForceVector = Field(description="components, N: numbers or formulas of t, state and parameters")
    axes: Literal["world", "body"] = Field("world", description="axes of the components")


class Torque(Element):
    """A torque on a body: one number in the plane, three components in space."""

    SCOPES: ClassVar = {"value": STATE}

    kind: Literal["torque"] = "torque"
    body: ElementName = Field(description="the loaded body")
    value: Annotated[VectorOfExpressions, Read(_read_torque, _TORQUE_SCHEMA, _write_torque)] = Field(
        description="torque, N*m: number or formula (planar), three components (spatial)"
    )
    axes: Literal["world", "body"] = Field("world", description="axes of the components")


class Effort(Element):
    """The force or torque of an actuator along a joint coordinate, on the child; the parent feels the opposite."""

    SCOPES: ClassVar = {"value": STATE}

    kind: Literal["effort"] = "effort"
    joint: ElementName = Field(description="the joint whose coordinate the actuator works on")
    freedom: ElementName | None = Field(None, description="which coordinate, when the joint has several")
    value: Value = Field(description="N*m or N: number or formula of t, state and parameters")


class Spring(Element):
    """A spring with a damper between two points: force = stiffness·(length − free length) + damping·rate."""

    kind: Literal["spring"] = "spring"
    between: Annotated[tuple[str, str], pair_field("two points")] = Field(
        description="two points: 'crank.A', 'ground.O', or just 'A' when only one body has it"
    )
    stiffness: Stiffness = Field(number(0.0), description="N/m")
    damping: Damping = Field(number(0.0), description="N*s/m")
    free_length: Length = Field(number(0.0), description="length without force, m")

    def own_faults(self) -> Iterator[Fault]:
        if self.between[0] == self.between[1]:
            yield Fault("between", f"joins '{self.between[0]}' with itself", "name two different points")
        yield from _no_effect(self)


class TorsionSpring(Element):
    """A rotational spring with a damper: torque on the child = −stiffness·(angle − free angle) − damping·rate."""

    kind: Literal["torsion_spring"] = "torsion_spring"
    joint: ElementName = Field(description="a joint that turns")
    freedom: ElementName | None = Field(None, description="which angle, when the joint has several coordinates")
    stiffness: RotationalStiffness = Field(number(0.0), description="N*m/rad")
    damping: RotationalDamping = Field(number(0.0), description="N*m*s/rad")
    free_angle: Angle = Field(number(0.0), description="angle without torque, rad")

    def own_faults(self) -> Iterator[Fault]:
        yield from _no_effect(self)


def _no_effect(spring: Spring | TorsionSpring) -> Iterator[Fault]:
    if not {"stiffness", "damping"} & spring.model_fields_set:
        yield Fault("stiffness", "neither stiffness nor damping is given", "write stiffness, damping, or both")


AnyForce = Force | Torque | Effort | Spring | TorsionSpring
ALL_FORCES: tuple[type[AnyForce], ...] = (Force, Torque, Effort, Spring, TorsionSpring)
FORCE_KINDS: dict[str, type[AnyForce]] = {cls.model_fields["kind"].default: cls for cls in ALL_FORCES}
