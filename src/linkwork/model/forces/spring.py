"""A spring with a damper between two points."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from linkwork.algebra.expressions import number
from linkwork.elements.contribution import Contribution
from linkwork.elements.drawings import Drawings, Pen
from linkwork.elements.forces.spring import Line, spring
from linkwork.errors import Fault
from linkwork.model.draft import Draft
from linkwork.model.element import STATE
from linkwork.model.fields import Damping, ForceValue, Length, Stiffness, pair_field
from linkwork.model.forces.base import AppliedForce, Scene
from linkwork.model.forces.law import Law, Side, Words
from linkwork.model.references import pair_faults
from linkwork.model.tables import Table, table_field

WORDS = Words("length", "extension", "force")


class Spring(AppliedForce):
    """A spring with a damper between two points: linear, by tables, or by a formula; also a cable or a stop."""

    SCOPES: ClassVar = {"force": STATE.knowing(**WORDS.meanings)}

    kind: Literal["spring"] = "spring"
    between: Annotated[tuple[str, str], pair_field("two points")] = Field(
        description="two points: 'crank.A', 'ground.O', or just 'A' when only one body has it"
    )
    stiffness: Stiffness = Field(number(0.0), description="force per length, N/m")
    damping: Damping = Field(number(0.0), description="force per speed, N*s/m")
    free_length: Length | None = Field(None, description="length without force, m; default: as drawn")
    only: Side | None = Field(None, description="pull: a cable, push: a stop; default: both")
    table: Annotated[Table, table_field("length", "force")] | None = Field(
        None, description="force over length; default: none"
    )
    damping_table: Annotated[Table, table_field("speed", "force")] | None = Field(
        None, description="force over the rate of the length; default: none"
    )
    force: ForceValue | None = Field(
        None,
        description="pull, N: formula of length, extension, speed, t and state; default: none",
        examples=["k*extension^3"],
    )

    @property
    def law(self) -> Law:
        """How it answers to its length."""
        return Law(
            words=WORDS,
            stiffness=self.stiffness,
            damping=self.damping,
            free=self.free_length,
            table=self.table,
            damping_table=self.damping_table,
            formula=self.force,
            only=self.only,
            given=frozenset(self.model_fields_set),
        )

    def own_faults(self) -> Iterator[Fault]:
        if self.between[0] == self.between[1]:
            yield Fault("between", f"joins '{self.between[0]}' with itself", "name two different points")
        yield from self.law.own_faults()

    def faults(self, draft: Draft, path: str) -> Iterator[Fault]:
        yield from pair_faults(draft, f"{path}.between", self.between, "the spring")
        free_length = draft.number(self.free_length)
        if free_length is not None and free_length < 0.0:
            yield Fault(f"{path}.free_length", f"is {free_length:g} m; it cannot be negative")
        yield from self.law.faults(draft, path)

    def drawings(self, pen: Pen) -> Drawings:
        return Drawings(spring=(pen.place(self.between[0]), pen.place(self.between[1])))

    @property
    def pointwise(self) -> bool:
        return True

    def contribute(self, scene: Scene) -> Contribution:
        line = Line((scene.station(self.between[0]), scene.station(self.between[1])), scene.never_part(self.between))
        answer = self.law.answer(scene, line.length, line.rate, partial(scene.drawn_length, self.between))
        return spring(scene.space, line, answer)
