"""A rope between two points, which goes slack and taut."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from linkwork.elements.relations import rope as mechanics
from linkwork.errors import Fault
from linkwork.model.draft import Draft
from linkwork.model.fields import Length, pair_field
from linkwork.model.references import pair_faults
from linkwork.model.relations.base import RelationElement, Sketch


class Rope(RelationElement):
    """Two points that are never farther apart than a length: slack it does nothing, taut it pulls.

    It does not stretch and does not bounce: where it goes taut, an impulse takes the speed along it.
    """

    READINGS: ClassVar[tuple[str, ...]] = ("distance",)

    kind: Literal["rope"] = "rope"
    between: Annotated[tuple[str, str], pair_field("two points")] = Field(
        description="two points: 'load.A', 'ground.O', or just 'A' when only one body has it"
    )
    length: Length = Field(description="m; at least the distance of the points in the sketch")

    def own_faults(self) -> Iterator[Fault]:
        if self.between[0] == self.between[1]:
            yield Fault("between", f"joins '{self.between[0]}' with itself", "name two different points")

    def faults(self, draft: Draft, path: str) -> Iterator[Fault]:
        yield from pair_faults(draft, f"{path}.between", self.between, "the rope")
        length = draft.number(self.length)
        if length is not None and length <= 0.0:
            yield Fault(f"{path}.length", f"is {length:g} m; it must be positive", "give the length of the rope")

    def relate(self, sketch: Sketch) -> mechanics.RopeRelation:
        first, second = (sketch.place(reference) for reference in self.between)
        return mechanics.RopeRelation((first, second), sketch.value(self.length))
