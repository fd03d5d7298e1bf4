"""The contract of a declared coupling: its keys, what it demands of the rest of the model, and its linear relation.

A declaration asks the train, by the names of the model, how its bodies turn or slide against their carrier, and hands that
to the mechanics in ``elements/couplings``. Numbers are expressions of the live parameters.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import casadi as ca
from pydantic import BaseModel, ConfigDict

from linkwork.algebra.expressions import Expression
from linkwork.arrays import Array
from linkwork.elements.couplings.base import Coupled
from linkwork.elements.couplings.motion import CoupledMotion, Term
from linkwork.errors import Fault
from linkwork.model.couplings.backlash import CouplingBacklash
from linkwork.model.draft import Draft
from linkwork.model.element import Element
from linkwork.model.references import known_body_faults

DEFAULT_KIND = "gear"
RIGHT = math.pi / 2


class Train(Protocol):
    """What a coupling may ask about the mechanism."""

    def value(self, expression: Expression) -> ca.SX:
        """A number of the declaration."""
        ...

    def number(self, expression: ca.SX) -> float:
        """Its value at the default parameters."""
        ...

    def term(self, joint: str, freedom: str | None, factor: ca.SX) -> Term:
        """A joint coordinate; the freedom may be left out when there is only one."""
        ...

    def carrier(self, turning: Sequence[str], sliding: Sequence[str] = ()) -> str:
        """The body against which some bodies turn about fixed axes and others slide along fixed lines."""
        ...

    def turning(self, body: str, carrier: str) -> CoupledMotion:
        """How a body turns against its carrier."""
        ...

    def sliding(self, body: str, carrier: str) -> CoupledMotion:
        """How a body slides against its carrier."""
        ...

    def rolling(self, wheel: str, rail: str) -> tuple[CoupledMotion, CoupledMotion] | None:
        """How a wheel turns and its rail slides, seen from the centre of the wheel, where a point-on-line joint holds it."""
        ...

    def point(self, reference: str, carrier: str) -> Array:
        """A point (3) as it is drawn, in the axes of the carrier."""
        ...

    def level(self, reference: str, motion: CoupledMotion) -> ca.SX:
        """How far a point is drawn along the axis of a motion, from the point of its joint."""
        ...

    def share(self, reference: str, first: CoupledMotion, second: CoupledMotion) -> ca.SX:
        """Which part of the way between two skew axes lies before a point that is drawn between them."""
        ...


def _require_kind(schema: dict[str, Any], declaration: type[BaseModel]) -> None:
    """In a file, only the kind of a gear may be left out."""
    if declaration.model_fields["kind"].default != DEFAULT_KIND:
        schema.setdefault("required", []).append("kind")


class CouplingElement(Element):
    """Base of the declarations of couplings."""

    model_config = ConfigDict(json_schema_extra=_require_kind)

    @property
    def play(self) -> CouplingBacklash | None:
        """The backlash of its teeth, of kinds that have any."""
        return None

    @abstractmethod
    def couple(self, train: Train) -> Coupled:
        """The linear relation."""

    def faults(self, draft: Draft, path: str) -> Iterator[Fault]:
        """Faults that show only beside the rest of the model."""
        yield from ()


def body_faults(
    draft: Draft, path: str, bodies: Sequence[tuple[str, str]], carrier: tuple[str, str | None]
) -> Iterator[Fault]:
    """Coupled bodies and their carrier, each with its key: they exist, and no two are the same."""
    named = [*bodies, *([(carrier[0], carrier[1])] if carrier[1] is not None else [])]
    seen: list[str] = []
    for key, body in named:
        yield from known_body_faults(draft, f"{path}.{key}", body)
        if body in seen:
            yield Fault(f"{path}.{key}", f"names '{body}' twice", "name different bodies")
        seen.append(body)


def size_faults(draft: Draft, path: str, sizes: Sequence[Expression], unit: str = "") -> Iterator[Fault]:
    """Radii or numbers of teeth, which are positive."""
    for size in sizes:
        value = draft.number(size)
        if value is not None and not value > 0.0:
            yield Fault(path, f"has {value:g}{unit}; the sizes of wheels are positive")


def angle_faults(draft: Draft, path: str, pressure: Expression | None, helix: Expression | None) -> Iterator[Fault]:
    """Pressure angles from 0 to below a right angle, helix angles below one either way, and those in space alone."""
    slope = draft.number(pressure)
    if slope is not None and not 0.0 <= slope < RIGHT:
        reason = f"is {math.degrees(slope):g} deg; teeth lean by 0 to less than 90 deg, mostly by 20 deg"
        yield Fault(f"{path}.pressure_angle", reason, "write pressure_angle: 20 deg")
    if helix is None:
        return
    lean = draft.number(helix)
    if draft.space == "planar":
        reason = "the thrust of such teeth leaves the plane"
        yield Fault(f"{path}.helix_angle", reason, "write space: spatial, or leave it out")
    elif lean is not None and not -RIGHT < lean < RIGHT:
        reason = f"is {math.degrees(lean):g} deg; it must be below 90 deg"
        yield Fault(f"{path}.helix_angle", reason, "write helix_angle: 15 deg, negative for a left-handed first wheel")


def angle_value(train: Train, angle: Expression | None) -> ca.SX:
    """An angle that may be left out."""
    return ca.SX(0) if angle is None else train.value(angle)


def teeth_faults(draft: Draft, path: str, teeth: Sequence[Expression]) -> Iterator[Fault]:
    """Numbers of teeth, which are whole and positive."""
    yield from size_faults(draft, path, teeth)
    for number in teeth:
        value = draft.number(number)
        if value is not None and value > 0.0 and value != round(value):
            yield Fault(path, f"has {value:g}; numbers of teeth are whole", "give radii, or the ratio")
