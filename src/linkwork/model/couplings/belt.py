"""A belt or a chain between two pulleys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from linkwork.elements.couplings.base import Coupled
from linkwork.elements.couplings.belt import run_belt
from linkwork.errors import Fault
from linkwork.model.couplings.base import CouplingElement, Train, body_faults, size_faults
from linkwork.model.couplings.gear import Radii
from linkwork.model.draft import Draft
from linkwork.model.fields import ElementName, ForceValue, pair_field
from linkwork.model.references import point_faults


class Belt(CouplingElement):
    """Two pulleys on parallel axes with a belt that does not slip."""

    kind: Literal["belt"] = "belt"
    bodies: Annotated[tuple[str, str], pair_field("the two pulleys")] = Field(description="the two pulleys")
    radii: Radii = Field(description="radii of the two pulleys, m")
    crossed: bool = Field(False, description="whether the belt is crossed, so that the pulleys turn against each other")
    arm: ElementName | None = Field(None, description="the body that carries both axes; default: found by the joints")
    tension: ForceValue | None = Field(
        None, description="of the slack strand, N; default 0, as in a chain: the other has the whole pull"
    )
    at: ElementName | None = Field(
        None, description="a point in the plane of the belt; default: that of the joint next to the first pulley"
    )

    def faults(self, draft: Draft, path: str) -> Iterator[Fault]:
        yield from body_faults(draft, path, [("bodies", body) for body in self.bodies], ("arm", self.arm))
        yield from size_faults(draft, f"{path}.radii", self.radii, " m")
        slack = draft.number(self.tension)
        if slack is not None and slack < 0.0:
            yield Fault(f"{path}.tension", f"is {slack:g} N; a belt does not push", "give that of the slack strand")
        if self.at is not None:
            yield from point_faults(draft, f"{path}.at", self.at)

    def couple(self, train: Train) -> Coupled:
        arm = self.arm or train.carrier(self.bodies)
        first, second = (train.turning(body, arm) for body in self.bodies)
        one, two = (train.value(radius) for radius in self.radii)
        values = train.number(one), train.number(two)
        slack = None if self.tension is None else train.value(self.tension)
        level = None if self.at is None else train.level(self.at, first)
        return run_belt(first, second, (one, two), self.crossed, values, tension=slack, level=level)
