"""Rack and pinion, or a wheel that rolls on a rail."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from linkwork.elements.couplings import Coupled, mesh_with_rack
from linkwork.errors import Fault
from linkwork.model.couplings.base import CouplingElement, Train, body_faults, size_faults
from linkwork.model.fields import ElementName, Length, pair_field
from linkwork.model.references import point_faults

if TYPE_CHECKING:
    from linkwork.model.draft import Draft


class Rack(CouplingElement):
    """A wheel that rolls on a straight rack: its angle and the way of the rack, both against their carrier."""

    kind: Literal["rack"] = "rack"
    bodies: Annotated[tuple[str, str], pair_field("[pinion, rack]")] = Field(
        description="[pinion, rack]; the rack may be the ground", examples=[["pinion", "rack"]]
    )
    radius: Length = Field(description="pitch radius of the pinion, m")
    arm: ElementName | None = Field(
        None, description="the body on which the pinion turns and along which the rack slides; default: found"
    )
    at: ElementName | None = Field(
        None, description="a point where they touch; default: the rack lies on the side of its joint"
    )

    def faults(self, draft: Draft, path: str) -> Iterator[Fault]:
        yield from body_faults(draft, path, [("bodies", body) for body in self.bodies], ("arm", self.arm))
        yield from size_faults(draft, f"{path}.radius", [self.radius], " m")
        if self.at is not None:
            yield from point_faults(draft, f"{path}.at", self.at)

    def couple(self, train: Train) -> Coupled:
        pinion, rack = self.bodies
        arm, held = rack, train.rolling(pinion, rack) if self.arm is None else None
        if held is None:
            arm = self.arm or train.carrier([pinion], [rack])
            held = train.turning(pinion, arm), train.sliding(rack, arm)
        touching = None if self.at is None else train.point(self.at, arm)
        radius = train.value(self.radius)
        return mesh_with_rack(*held, radius, touching, train.number(radius))
