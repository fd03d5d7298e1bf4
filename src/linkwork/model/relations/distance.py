"""A distance link between two points."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

import casadi as ca
from pydantic import Field

from linkwork.elements.relations import distance as mechanics
from linkwork.errors import Fault
from linkwork.model.draft import Draft
from linkwork.model.element import TIME_ONLY
from linkwork.model.fields import Length, pair_field
from linkwork.model.references import pair_faults
from linkwork.model.relations.base import RelationElement, Sketch


class Distance(RelationElement):
    """Two points at a given distance: a massless rod between balls, or a strut whose length is prescribed."""

    SCOPES: ClassVar = {"length": TIME_ONLY}
    READINGS: ClassVar[tuple[str, ...]] = ("length",)

    kind: Literal["distance"] = "distance"
    between: Annotated[tuple[str, str], pair_field("two points")] = Field(
        description="two points: 'crank.A', 'ground.O', or just 'A' when only one body has it"
    )
    length: Length | None = Field(None, description="m, may be a formula of t; default: as drawn in the sketch")

    def own_faults(self) -> Iterator[Fault]:
        if self.between[0] == self.between[1]:
            yield Fault("between", f"joins '{self.between[0]}' with itself", "name two different points")

    def faults(self, draft: Draft, path: str) -> Iterator[Fault]:
        yield from pair_faults(draft, f"{path}.between", self.between, "the link")
        length = draft.number(self.length)
        if length is not None and length <= 0.0:
            reason = f"is {length:g} m; it must be positive"
            yield Fault(f"{path}.length", reason, "for points that coincide write a spherical joint (plane: revolute)")

    def relate(self, sketch: Sketch) -> mechanics.DistanceRelation:
        first, second = (sketch.place(reference) for reference in self.between)
        if self.length is not None:
            return mechanics.DistanceRelation((first, second), sketch.formula(self.length))
        gap = sketch.drawn(second.body).point(second.local) - sketch.drawn(first.body).point(first.local)
        length = ca.norm_2(gap)
        return mechanics.DistanceRelation((first, second), lambda t: length)
