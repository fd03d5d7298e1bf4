"""Declaration of a contact: who touches whom, and what happens there."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Annotated, Any, Literal

from pydantic import Field

from linkwork.algebra.expressions import Expression
from linkwork.errors import Fault
from linkwork.model.element import Element
from linkwork.model.fields import (
    Length,
    Ratio,
    Read,
    Value,
    as_list,
    brief,
    names_schema,
    read_each,
    read_names,
    refused,
    scalar_field,
    write_names,
)

ListedNames = tuple[str, ...]


def _read_ignore(value: Any) -> tuple[ListedNames, ...]:
    items = as_list(value)
    if items is None or (items and isinstance(items[0], str)):
        raise refused(f"{brief(value)} is not a list of lists of names", "write ignore: [[arm, table]]")
    return read_each({f"[{i}]": item for i, item in enumerate(items)}, read_names)


def _write_ignore(value: tuple[ListedNames, ...] | None) -> Any:
    return None if value is None else [write_names(names) for names in value]


Speed = Annotated[Expression, scalar_field("speed")]


class Contact(Element):
    """Shapes that touch and do not pass through each other: of bodies, of parts of bodies, and surfaces.

    It is rigid and frictionless unless it says otherwise; all pairs among those named touch.
    """

    between: Annotated[ListedNames, Read(read_names, names_schema(None, "names of what touches"), write_names)] = Field(
        description="bodies, parts of bodies (box.hull), surfaces, groups, or 'ground' for all surfaces on it; two or more",
        examples=[["floor", "box"]],
    )
    friction: Ratio | None = Field(None, description="coefficient of friction of what slides; default 0")
    static: Ratio | None = Field(None, description="coefficient of what sticks; default: that of what slides")
    stribeck: Speed | None = Field(
        None, description="speed over which the coefficient falls from static to friction, m/s; default: at once"
    )
    smoothing: Speed | None = Field(
        None, description="speed below which friction is a smooth function and does not hold, m/s; default: it holds"
    )
    rolling: Length | None = Field(
        None, description="radius of rolling friction, m: its moment is that times the force; default 0"
    )
    spinning: Length | None = Field(None, description="radius of spinning friction about the normal, m; default 0")
    restitution: Ratio | None = Field(None, description="part of the speed that comes back, 0 to 1; default 0")
    stiffness: Value | None = Field(
        None,
        description="of a contact that gives way: N/m, N/m^1.5 (hunt_crossley), Pa (hertz: the effective modulus); "
        "default: rigid",
    )
    damping: Value | None = Field(
        None,
        description="with stiffness: N s/m (linear), or s/m of the others, a part of the force per speed; default 0",
    )
    law: Literal["linear", "hunt_crossley", "hertz"] | None = Field(
        None, description="with stiffness: how the force grows with depth; default: linear"
    )
    ignore: Annotated[tuple[ListedNames, ...], Read(_read_ignore, {"type": "array"}, _write_ignore)] | None = Field(
        None, description="lists of names of which none touches another; default: none", examples=[[["arm", "table"]]]
    )

    @property
    def rigid(self) -> bool:
        return self.stiffness is None

    def own_faults(self) -> Iterator[Fault]:
        if len(self.between) < 2:
            yield Fault("between", "a contact is between two at least", "write between: [floor, box]")
        for one, other in combinations(range(len(self.between)), 2):
            if self.between[one] == self.between[other]:
                yield Fault(f"between[{other}]", f"names '{self.between[other]}' twice", "leave it out once")
        if self.rigid:
            for key in ("damping", "law"):
                if getattr(self, key) is not None:
                    yield Fault(key, "belongs to a contact that gives way", "give its stiffness, or leave it out")
        elif self.restitution is not None:
            yield Fault(
                "restitution", "conflicts with stiffness, whose damping says what comes back", "give one of them"
            )
        if self.friction is None:
            for key in ("static", "stribeck", "smoothing"):
                if getattr(self, key) is not None:
                    yield Fault(key, "stands without friction", "give the coefficient of what slides: friction: 0.3")
