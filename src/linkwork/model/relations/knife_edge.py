"""An edge that does not slip sideways."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from linkwork.elements.relations import knife_edge as mechanics
from linkwork.errors import Fault
from linkwork.model.draft import Draft
from linkwork.model.fields import Direction, ElementName
from linkwork.model.references import direction_faults, known_body_faults, other_body_faults
from linkwork.model.relations.base import RelationElement, Sketch


class KnifeEdge(RelationElement):
    """A point that does not move sideways over another body: the blade of a skate, a narrow wheel, a keel."""

    kind: Literal["knife_edge"] = "knife_edge"
    point: ElementName = Field(description="where the edge is: 'sleigh.P', or just 'P' when only one body has it")
    along: Direction | None = Field(
        None, description="the direction of the edge, in the axes of its body; default: none, then across"
    )
    across: Direction | None = Field(
        None, description="instead: the direction in which it does not move, body axes; default: none"
    )
    on: ElementName = Field("ground", description="the body that the edge runs on")
    normal: Direction | None = Field(
        None,
        description="space, with along: normal of the plane that the edge runs on, in the axes of on; "
        "default: none, required there",
    )

    def own_faults(self) -> Iterator[Fault]:
        if (self.along is None) == (self.across is None):
            reason = "is missing" if self.along is None else "conflicts with across"
            yield Fault("along", reason, "give the direction along the edge, or the one across it")
        if self.across is not None and self.normal is not None:
            yield Fault("normal", "belongs to along", "leave it out")

    def faults(self, draft: Draft, path: str) -> Iterator[Fault]:
        yield from known_body_faults(draft, f"{path}.on", self.on)
        yield from other_body_faults(draft, f"{path}.point", self.point, self.on)
        for key in ("along", "across", "normal"):
            yield from direction_faults(draft, f"{path}.{key}", getattr(self, key))
        if draft.space == "planar" and self.normal is not None:
            yield Fault(f"{path}.normal", "belongs to space", "leave it out")
        if draft.space == "spatial" and self.along is not None and self.normal is None:
            hint = "write the normal of the plane that the edge runs on, or across: in place of along:"
            yield Fault(f"{path}.normal", "is missing", hint)

    def relate(self, sketch: Sketch) -> mechanics.KnifeEdgeRelation:
        across, along, normal = (
            None if item is None else sketch.vector(item) for item in (self.across, self.along, self.normal)
        )
        return mechanics.KnifeEdgeRelation(self.on, sketch.place(self.point), across, along, normal)
