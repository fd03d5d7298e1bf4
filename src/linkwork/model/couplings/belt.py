"""A belt or a chain between two pulleys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from linkwork.elements.couplings import Coupled, run_belt
from linkwork.errors import Fault
from linkwork.model.couplings.base import CouplingElement, Train, body_faults, size_faults
from linkwork.model.couplings.gear import Radii
from linkwork.model.fields import ElementName, pair_field

if TYPE_CHECKING:
    from linkwork.model.draft import Draft


class Belt(CouplingElement):
    """Two pulleys on parallel axes with a belt that does not slip."""

    kind: Literal["belt"] = "belt"
    bodies: Annotated[tuple[str, str], pair_field("the two pulleys")] = Field(description="the two pulleys")
    radii: Radii = Field(description="radii of the two pulleys, m")
    crossed: bool = Field(False, description="whether the belt is crossed, so that the pulleys turn against each other")
    arm: ElementName | None = Field(None, description="the body that carries both axes; default: found by the joints")

    def faults(self, draft: Draft, path: str) -> Iterator[Fault]:
        yield from body_faults(draft, path, [("bodies", body) for body in self.bodies], ("arm", self.arm))
        yield from size_faults(draft, f"{path}.radii", self.radii, " m")

    def couple(self, train: Train) -> Coupled:
        arm = self.arm or train.carrier(self.bodies)
        first, second = (train.turning(body, arm) for body in self.bodies)
        one, two = (train.value(radius) for radius in self.radii)
        return run_belt(first, second, (one, two), self.crossed, (train.number(one), train.number(two)))
