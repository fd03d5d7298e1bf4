"""A point at a distance from a line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

import casadi as ca
from pydantic import Field

from linkwork.elements.relations import line_distance as mechanics
from linkwork.errors import Fault
from linkwork.model.draft import Draft
from linkwork.model.element import TIME_ONLY
from linkwork.model.fields import ElementName, Length, pair_field, refused
from linkwork.model.references import line_faults, other_body_faults
from linkwork.model.relations.base import RelationElement, Sketch

ON_THE_LINE = "for a point on the line write a joint of kind point_on_line"


class LineDistance(RelationElement):
    """A point at a given distance from a line of another body; in the plane on the side where it is drawn."""

    SCOPES: ClassVar = {"distance": TIME_ONLY}
    READINGS: ClassVar[tuple[str, ...]] = ("distance", "along")

    kind: Literal["line_distance"] = "line_distance"
    point: ElementName = Field(description="the point: 'arm.P', or just 'P' when only one body has it")
    line: Annotated[tuple[str, str], pair_field("two points of another body")] = Field(
        description="two points of another body, or of the ground, through which the line goes"
    )
    distance: Length | None = Field(None, description="m, may be a formula of t; default: as drawn in the sketch")

    def faults(self, draft: Draft, path: str) -> Iterator[Fault]:
        owner = yield from line_faults(draft, f"{path}.line", self.line)
        yield from other_body_faults(draft, f"{path}.point", self.point, owner)
        distance = draft.number(self.distance)
        if distance is not None and distance <= 0.0:
            hint = ON_THE_LINE if distance == 0.0 else "in the plane the side is the one where the point is drawn"
            yield Fault(f"{path}.distance", f"is {distance:g} m; it must be positive", hint)

    def relate(self, sketch: Sketch) -> mechanics.LineDistanceRelation:
        first, second = (sketch.place(reference) for reference in self.line)
        point = sketch.place(self.point)
        start, end, place = (sketch.drawn(item.body).point(item.local) for item in (first, second, point))
        if float(sketch.number(ca.norm_2(end - start))[0]) == 0.0:
            raise refused(f"line: {self.line[0]} and {self.line[1]} lie in the same place", "name two points apart")
        along, gap = (end - start) / ca.norm_2(end - start), place - start
        drawn = ca.norm_2(gap - along * ca.dot(along, gap))
        if self.distance is None and float(sketch.number(drawn)[0]) < 1e-12 * float(sketch.number(ca.norm_2(gap))[0]):
            raise refused(f"point {self.point} is drawn on the line", f"give a distance; {ON_THE_LINE}")
        # drawn on the line, it is on the left
        side = ca.if_else(sketch.space.moment(along, gap) < 0, -1, 1) if sketch.space.planar else ca.SX(1)
        formula = (lambda t: drawn) if self.distance is None else sketch.formula(self.distance)
        return mechanics.LineDistanceRelation((first, second), point, formula, side)
