"""A planetary train by its sun, ring and carrier alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from linkwork.elements.couplings.base import Coupled
from linkwork.elements.couplings.planetary import couple_planetary
from linkwork.errors import Fault
from linkwork.model.couplings.backlash import BacklashField, CouplingBacklash, backlash_faults
from linkwork.model.couplings.base import CouplingElement, Train, body_faults, size_faults, teeth_faults
from linkwork.model.couplings.gear import Radii, Teeth
from linkwork.model.draft import Draft
from linkwork.model.fields import ElementName


class Planetary(CouplingElement):
    """Sun, ring and carrier that turn about one line; the planets between them are not modelled."""

    kind: Literal["planetary"] = "planetary"
    sun: ElementName = Field(description="the wheel in the middle")
    ring: ElementName = Field(description="the wheel with the teeth inside")
    carrier: ElementName = Field(description="the body that carries the planets")
    teeth: Teeth | None = Field(
        None, description="numbers of teeth of sun and ring; default: none", examples=[[24, 72]]
    )
    radii: Radii | None = Field(None, description="pitch radii of sun and ring, m, in place of teeth; default: none")
    backlash: BacklashField | None = None

    def own_faults(self) -> Iterator[Fault]:
        if (self.teeth is None) == (self.radii is None):
            reason = "are missing" if self.teeth is None else "conflict with radii"
            yield Fault("teeth", reason, "write teeth: [24, 72] or radii: [0.1, 0.3], of sun and ring")

    def faults(self, draft: Draft, path: str) -> Iterator[Fault]:
        yield from body_faults(draft, path, [("sun", self.sun), ("ring", self.ring)], ("carrier", self.carrier))
        yield from teeth_faults(draft, f"{path}.teeth", self.teeth or ())
        yield from size_faults(draft, f"{path}.radii", self.radii or (), " m")
        yield from backlash_faults(draft, f"{path}.backlash", self.backlash)

    @property
    def play(self) -> CouplingBacklash | None:
        return self.backlash

    def couple(self, train: Train) -> Coupled:
        sun, ring = (train.turning(body, self.carrier) for body in (self.sun, self.ring))
        given = self.teeth or self.radii
        assert given is not None
        one, two = (train.value(size) for size in given)
        return couple_planetary(sun, ring, (one, two), (train.number(one), train.number(two)))
