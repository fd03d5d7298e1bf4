"""A spring with a damper between two points."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from linkwork.algebra.expressions import number
from linkwork.elements.forces import Action, spring
from linkwork.errors import Fault
from linkwork.model.fields import Damping, Length, Stiffness, pair_field
from linkwork.model.forces.base import AppliedForce, Scene
from linkwork.model.references import pair_faults

if TYPE_CHECKING:
    from linkwork.model.draft import Draft


class Spring(AppliedForce):
    """A spring with a damper between two points: force = stiffness·(length − free length) + damping·rate."""

    kind: Literal["spring"] = "spring"
    between: Annotated[tuple[str, str], pair_field("two points")] = Field(
        description="two points: 'crank.A', 'ground.O', or just 'A' when only one body has it"
    )
    stiffness: Stiffness = Field(number(0.0), description="N/m")
    damping: Damping = Field(number(0.0), description="N*s/m")
    free_length: Length = Field(number(0.0), description="length without force, m")

    def own_faults(self) -> Iterator[Fault]:
        if self.between[0] == self.between[1]:
            yield Fault("between", f"joins '{self.between[0]}' with itself", "name two different points")
        if not {"stiffness", "damping"} & self.model_fields_set:
            yield Fault("stiffness", "neither stiffness nor damping is given", "write stiffness, damping, or both")

    def faults(self, draft: Draft, path: str) -> Iterator[Fault]:
        yield from pair_faults(draft, f"{path}.between", self.between, "the spring")
        free_length = draft.number(self.free_length)
        if free_length is not None and free_length < 0.0:
            yield Fault(f"{path}.free_length", f"is {free_length:g} m; it cannot be negative")

    @property
    def drawn_between(self) -> tuple[str, str]:
        return self.between

    def act(self, scene: Scene) -> Action:
        first, second = (scene.station(name) for name in self.between)
        values = [scene.value(value) for value in (self.stiffness, self.damping, self.free_length)]
        return spring(scene.space, (first, second), *values)
