"""Declarations of joints by kind. What a kind is stands in ``elements/joints``, once: its declaration is made from it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field, create_model

from linkwork.algebra.expressions import Expression, Number
from linkwork.algebra.unit_texts import read_unit
from linkwork.algebra.units import DIMENSIONS, counts_angles
from linkwork.elements.joints import ALL_JOINTS, JointKind, JointNumber
from linkwork.errors import Fault, RefusedError, did_you_mean
from linkwork.model.draft_numbers import DraftNumbers
from linkwork.model.fields import (
    Direction,
    Read,
    VectorOfExpressions,
    as_list,
    read_scalar,
    read_vector,
    refused,
    scalar_schema,
    vector_schema,
)
from linkwork.model.joint import JOINT_KINDS, Joint
from linkwork.model.references import direction_faults

__all__ = ["JOINT_KINDS", "declaration_of"]

_made: Any = create_model  # of keys that no checker of types can know
STRAIGHT = 1 - 1e-14  # cosine beyond which two directions are one


def _read_axes(value: Any) -> tuple[VectorOfExpressions, ...]:
    items = as_list(value)
    if items is None or len(items) != 2:
        raise refused("two axes are needed", "write axes: [[1, 0, 0], [0, 1, 0]]")
    return tuple(read_vector(item, "any", (3,)) for item in items)


_AXES = Read(_read_axes, {"type": "array", "items": vector_schema("any", (3,)), "minItems": 2, "maxItems": 2})


class OneAxis(Joint):
    """Declaration of joints with an axis, in one space or in both."""

    axis: Direction | None = Field(
        None,
        description="direction of the axis in world axes at the sketch; "
        "default: none where no axis is needed, else required",
    )

    @property
    def directions(self) -> tuple[VectorOfExpressions, ...]:
        return () if self.axis is None else (self.axis,)

    def _axis_faults(self, draft: DraftNumbers, path: str) -> Iterator[Fault]:
        what, needed = f"a {draft.space} {self.kind} joint", self.MECHANICS.axes[str(draft.space)]
        if needed and self.axis is None:
            example = "[1, 0]" if draft.space == "planar" else "[0, 0, 1]"
            yield Fault(f"{path}.axis", f"is missing: {what} needs its direction", f"write axis: {example}")
        elif not needed and self.axis is not None:
            yield Fault(f"{path}.axis", f"{what} does not have an axis", "leave it out")
        elif self.axis is not None:
            yield from direction_faults(draft, f"{path}.axis", self.axis)


class TwoAxes(Joint):
    """Declaration of joints with an axis on either body."""

    axes: Annotated[tuple[VectorOfExpressions, ...], _AXES] | None = Field(
        None,
        description="first axis fixed in the parent, second in the child; world axes at the sketch; default: required",
    )

    @property
    def directions(self) -> tuple[VectorOfExpressions, ...]:
        return self.axes or ()

    def _axis_faults(self, draft: DraftNumbers, path: str) -> Iterator[Fault]:
        what, needed = f"a {draft.space} {self.kind} joint", self.MECHANICS.axes[str(draft.space)]
        if needed and self.axes is None:
            yield Fault(f"{path}.axes", f"are missing: {what} needs two", "write axes: [[1, 0, 0], [0, 1, 0]]")
        elif not needed and self.axes is not None:
            yield Fault(f"{path}.axes", f"{what} does not have axes", "leave them out")
        for axis in self.directions:
            yield from direction_faults(draft, f"{path}.axes", axis)
        if abs(_cosine(draft, self.directions)) > STRAIGHT:
            yield Fault(f"{path}.axes", "are parallel", f"the two axes of a {self.kind} joint must differ")


class StraightOrBent(OneAxis):
    """Declaration of joints between two shafts: one axis where they are drawn straight, two where they are bent."""

    axes: Annotated[tuple[VectorOfExpressions, ...], _AXES] | None = Field(
        None,
        description="where it is drawn bent: shaft of the parent, shaft of the child; world axes at the sketch; "
        "default: axis, straight",
    )

    @property
    def directions(self) -> tuple[VectorOfExpressions, ...]:
        return super().directions if self.axes is None else self.axes

    def own_faults(self) -> Iterator[Fault]:
        if self.axis is not None and self.axes is not None:
            yield Fault("axis", "is given beside axes", "axis where it is drawn straight, axes where it is bent")

    def _axis_faults(self, draft: DraftNumbers, path: str) -> Iterator[Fault]:
        if self.axes is None:
            yield from super()._axis_faults(draft, path)
            return
        for axis in self.axes:
            yield from direction_faults(draft, f"{path}.axes", axis)
        if _cosine(draft, self.axes) < -STRAIGHT:
            reason = f"point against each other: a {self.kind} joint cannot bend by 180 degrees"
            hint = "both axes lead the same way along their shafts: from the driving end to the driven one"
            yield Fault(f"{path}.axes", reason, hint)


def _cosine(draft: DraftNumbers, axes: tuple[VectorOfExpressions, ...]) -> float:
    """Of the angle between two directions; 0 where they are not known."""
    values = [numbers for axis in axes if (numbers := draft.numbers(axis)) and any(numbers)]
    if len(values) < 2:
        return 0.0
    # lengths do not matter, and their squares need not be numbers
    one, two = (np.asarray(value) / np.max(np.abs(value)) for value in values)
    return float(np.dot(one, two) / (np.linalg.norm(one) * np.linalg.norm(two)))


def declaration_of(kind: JointKind) -> type[Joint]:
    """A declaration with the keys that joints of a kind have."""
    base = _with_axes(kind)
    taken = {*base.model_fields, "kind"} & {*kind.numbers}
    if taken:
        raise RefusedError(f"joints have a key '{min(taken)}' already; call the number of '{kind.name}' otherwise")
    for key, number in kind.described.items():
        if number.dimension not in DIMENSIONS:
            reason = f"the number '{key}' of '{kind.name}' has the dimension '{number.dimension}', which is not known"
            raise RefusedError(f"{reason}; {did_you_mean(number.dimension, list(DIMENSIONS))}")
    fields: dict[str, Any] = {key: _number_field(key, number) for key, number in kind.described.items()}
    fields["kind"] = Literal[kind.name], Field(kind.name, description="kind of the joint")
    name, told = kind.name.title().replace("_", ""), f"A {kind.name.replace('_', ' ')} joint between two bodies."
    declared: type[Joint] = _made(f"{name}Joint", __base__=base, __module__=__name__, __doc__=told, **fields)
    declared.MECHANICS = kind
    return declared


def _with_axes(kind: JointKind) -> type[Joint]:
    """The declaration with as many axes as a kind takes."""
    if kind.bends:
        return StraightOrBent
    counts = {*kind.axes.values()} - {0}
    if len(counts) > 1 or not counts <= {1, 2}:
        raise RefusedError(f"'{kind.name}' asks for axes by space {dict(kind.axes)}; joints take none, and one or two")
    return {0: Joint, 1: OneAxis, 2: TwoAxes}[max(counts, default=0)]


def _number_field(key: str, number: JointNumber) -> Any:
    def read(value: Any) -> Expression:
        expression = read_scalar(value, number.dimension)
        # angles have no dimension that could tell a length from one per radian or per revolution
        for node in expression.walk() if number.dimension == "length" else ():
            if isinstance(node, Number) and node.unit and counts_angles(read_unit(node.unit)):
                raise refused(f"'{node.text}': the {key} is the {number.meaning}, a length", f"write {key}: {example}")
        return expression

    example = number.example or DIMENSIONS[number.dimension].example
    words = {"description": number.meaning} if number.meaning else {}
    schema = {**scalar_schema(number.dimension), **words, "examples": [example]}
    hint = f"write {key}: {example}" + (f", the {number.meaning}" if number.meaning else "")
    return Annotated[Expression, Read(read, schema)], Field(description=hint)


JOINT_KINDS |= {kind.name: declaration_of(kind) for kind in ALL_JOINTS}
