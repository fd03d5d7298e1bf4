"""Rack and pinion, or a wheel that rolls on a rail."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

import casadi as ca
from pydantic import Field

from linkwork.elements.couplings.base import Coupled
from linkwork.elements.couplings.contact import ToothForm
from linkwork.elements.couplings.rack import mesh_with_rack
from linkwork.errors import Fault
from linkwork.model.couplings.backlash import BacklashField, CouplingBacklash, backlash_faults
from linkwork.model.couplings.base import CouplingElement, Train, angle_faults, angle_value, body_faults, size_faults
from linkwork.model.draft import Draft
from linkwork.model.fields import Angle, ElementName, Length, pair_field
from linkwork.model.references import point_faults


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
    pressure_angle: Angle | None = Field(
        None, description="of the teeth, in their normal section; default 0: they push along the rack alone"
    )
    helix_angle: Angle | None = Field(None, description="of the teeth, positive for a right-handed pinion; default 0")
    backlash: BacklashField | None = None

    def faults(self, draft: Draft, path: str) -> Iterator[Fault]:
        yield from body_faults(draft, path, [("bodies", body) for body in self.bodies], ("arm", self.arm))
        yield from size_faults(draft, f"{path}.radius", [self.radius], " m")
        if self.at is not None:
            yield from point_faults(draft, f"{path}.at", self.at)
        yield from angle_faults(draft, path, self.pressure_angle, self.helix_angle)
        yield from backlash_faults(draft, f"{path}.backlash", self.backlash)

    @property
    def play(self) -> CouplingBacklash | None:
        return self.backlash

    def couple(self, train: Train) -> Coupled:
        pinion, rack = self.bodies
        arm, held = rack, train.rolling(pinion, rack) if self.arm is None else None
        if held is None:
            arm = self.arm or train.carrier([pinion], [rack])
            held = train.turning(pinion, arm), train.sliding(rack, arm)
        touching = None if self.at is None else train.point(self.at, arm)
        radius = train.value(self.radius)
        form = ToothForm(
            angle_value(train, self.pressure_angle),
            angle_value(train, self.helix_angle),
            level=ca.SX(0) if self.at is None else train.level(self.at, held[0]),
        )
        return mesh_with_rack(*held, radius, touching, train.number(radius), form=form)
