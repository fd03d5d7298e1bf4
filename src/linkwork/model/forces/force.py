"""A given force on a point of a body."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import ClassVar, Literal

from pydantic import Field

from linkwork.elements.contribution import Contribution
from linkwork.elements.drawings import Drawings, DrawnLoad, Pen
from linkwork.elements.forces.point_force import point_force
from linkwork.errors import Fault
from linkwork.model.draft import Draft
from linkwork.model.element import STATE
from linkwork.model.fields import ElementName, ForceVector
from linkwork.model.forces.base import AppliedForce, Scene
from linkwork.model.joint import GROUND
from linkwork.model.references import body_faults, known_body_faults, point_faults, size_faults


class Force(AppliedForce):
    """A force on a point of a body; components may depend on time and state."""

    SCOPES: ClassVar = {"value": STATE}

    kind: Literal["force"] = "force"
    at: ElementName = Field(description="the loaded point, 'coupler.P' or just 'P' when only one body has it")
    body: ElementName | None = Field(
        None, description="the loaded body, when the point alone does not tell; default: the body of the point"
    )
    value: ForceVector = Field(description="components, N: numbers or formulas of t, state and parameters")
    axes: Literal["world", "body"] = Field("world", description="axes of the components")
    reaction: ElementName | None = Field(
        None, description="a body that feels the opposite force, at the same place; default: none"
    )

    def faults(self, draft: Draft, path: str) -> Iterator[Fault]:
        if draft.space is not None:
            yield from size_faults(f"{path}.value", self.value, 2 if draft.space == "planar" else 3, draft.space)
        body = yield from loaded_point_faults(draft, path, self.at, self.body)
        yield from reaction_faults(draft, path, self.reaction, body)

    @property
    def pointwise(self) -> bool:
        return self.axes == "world" and self.reaction is None

    def drawings(self, pen: Pen) -> Drawings:
        at = pen.place(self.at if self.body is None else f"{self.body}.{self.at}")
        return Drawings(loads=(DrawnLoad(at, force=tuple(f"f{axis}" for axis in pen.space.axis_names)),))

    def contribute(self, scene: Scene) -> Contribution:
        station = scene.station(self.at, self.body)
        value = scene.vector(self.value)
        if self.axes == "body":
            value = scene.solid(station.body).frame.vector(value)
        return point_force(scene.space, station, value, self.reaction)


def loaded_point_faults(
    draft: Draft, path: str, at: str, body: str | None, key: str = "at"
) -> Generator[Fault, None, str | None]:
    """Faults of the keys ``at`` (or another *key*) and ``body`` of a force on a point that moves; returns its body, where it
    is known."""
    if body is not None and "." in at:
        yield Fault(f"{path}.body", f"at: {at} names the body already", "leave one of them out")
        return None
    if body is not None and (body == GROUND or body not in draft.names("bodies")):
        yield from body_faults(draft, f"{path}.body", body)
        return None
    place = yield from point_faults(draft, f"{path}.{key}", at, body)
    if place is not None and place[0] == GROUND:
        hint = f"write a point of a body, or body: with the name of the body that carries '{at}'"
        yield Fault(f"{path}.{key}", f"'{at}' is on no body: the force would act on the ground", hint)
    return None if place is None else place[0]


def reaction_faults(draft: Draft, path: str, reaction: str | None, loaded: str | None) -> Iterator[Fault]:
    """The body that feels the reaction exists, and is another one."""
    if reaction is None:
        return
    yield from known_body_faults(draft, f"{path}.reaction", reaction)
    if reaction == loaded:
        reason = f"is '{reaction}', on which the force acts already: they would cancel"
        yield Fault(f"{path}.reaction", reason, "name another body")
