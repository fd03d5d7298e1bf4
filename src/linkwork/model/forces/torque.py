"""A given torque on a body."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field

from linkwork.elements.forces import Action, torque
from linkwork.errors import Fault
from linkwork.model.element import STATE
from linkwork.model.fields import (
    ElementName,
    Read,
    VectorOfExpressions,
    as_list,
    read_scalar,
    read_vector,
    scalar_schema,
    vector_schema,
    write,
)
from linkwork.model.forces.base import AppliedForce, Scene
from linkwork.model.references import body_faults, size_faults

if TYPE_CHECKING:
    from linkwork.model.draft import Draft


def _read_torque(value: Any) -> VectorOfExpressions:
    if as_list(value) is None:
        return (read_scalar(value, "torque"),)
    return read_vector(value, "torque", (1, 3))


def _write_torque(value: VectorOfExpressions) -> Any:
    return write(value[0] if len(value) == 1 else value)


_TORQUE_SCHEMA = {"anyOf": [scalar_schema("torque"), vector_schema("torque", (3,))]}


class Torque(AppliedForce):
    """A torque on a body: one number in the plane, three components in space."""

    SCOPES: ClassVar = {"value": STATE}

    kind: Literal["torque"] = "torque"
    body: ElementName = Field(description="the loaded body")
    value: Annotated[VectorOfExpressions, Read(_read_torque, _TORQUE_SCHEMA, _write_torque)] = Field(
        description="torque, N*m: number or formula (planar), three components (spatial)"
    )
    axes: Literal["world", "body"] = Field("world", description="axes of the components")

    def faults(self, draft: Draft, path: str) -> Iterator[Fault]:
        if draft.space is not None:
            yield from size_faults(f"{path}.value", self.value, 1 if draft.space == "planar" else 3, draft.space)
        yield from body_faults(draft, f"{path}.body", self.body)

    def act(self, scene: Scene) -> Action:
        solid = scene.solid(self.body)
        value = scene.vector(self.value)
        if self.axes == "body" and not scene.space.planar:
            value = solid.frame.vector(value)
        return torque(scene.space, solid, value)
