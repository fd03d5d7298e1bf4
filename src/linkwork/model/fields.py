"""Types of the fields of declarations: numbers, vectors and names as users write them, stored as expressions in SI."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from numbers import Real
from typing import Annotated, Any, TypeVar

import numpy as np
from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import PydanticCustomError, core_schema

from linkwork.algebra.expressions import TIME, Expression, Number, check_formula, number, parse, with_definitions
from linkwork.algebra.renames import reading, write_names
from linkwork.algebra.unit_texts import read_unit
from linkwork.algebra.unit_words import UNIT_WORDS
from linkwork.algebra.units import DIMENSIONS, check_dimension
from linkwork.errors import ExpressionError, Fault, LinkworkError, ModelError, UnitError, nearest

VectorOfExpressions = tuple[Expression, ...]
V = TypeVar("V")
ANGLE = "angle"
_TOLD: ContextVar[dict[str, Expression] | None] = ContextVar(
    "angles of fields that have others elsewhere", default=None
)


def refused(reason: str, suggestion: str = "") -> ModelError:
    """The error of one value that a field cannot take; the path is added by whoever knows it."""
    return ModelError([Fault("", reason, suggestion)])


def as_faults(path: str, error: LinkworkError) -> list[Fault]:
    """Turn an error of the edge (unit, formula, field) into faults; a hint after an arrow becomes their suggestion."""
    if isinstance(error, ModelError):
        return [Fault(join(path, fault.path), fault.reason, fault.suggestion) for fault in error.faults]
    reason, _, suggestion = str(error).partition("\n    -> ")
    return [Fault(path, reason, suggestion)]


def join(path: str, inner: str) -> str:
    """Join two parts of a path: ``bodies.crank`` and ``mass``, ``gravity`` and ``[1]``."""
    return f"{path}.{inner}" if path and inner and not inner.startswith("[") else f"{path}{inner}"


# -- reading ---------------------------------------------------------------------------------------------------------


def read_scalar(value: Any, dimension: str = "any") -> Expression:
    """Read a number, a quantity or a formula; check the dimension of a quantity."""
    if isinstance(value, Expression):
        expression = value
    elif isinstance(value, str):
        reading().check_formula(value)
        expression = parse(value)
    elif isinstance(value, Real) and not isinstance(value, (bool, np.bool_)):
        expression = _from_number(value)
    else:
        example, hint = DIMENSIONS[dimension].example, ""
        if isinstance(value, Mapping) and {"table", "rows", "file"} & {*value}:
            hint = (
                "; a table is a definition, definitions: {push: {table: [[0, 0], [0.5, 100]]}}, whose name stands here"
            )
        raise refused(f"{brief(value)} is not a number", f"write a number, '{example}', or a formula{hint}")
    expression = with_definitions(expression)
    check_literal(expression, dimension)
    return replace(expression, angle=True) if dimension == ANGLE else expression


def _from_number(value: Real) -> Expression:
    try:
        return number(float(value))
    except OverflowError:
        raise ExpressionError("the number is too large") from None


def _units_of(dimension: str) -> list[str]:
    return [word for word, (_, exponents) in UNIT_WORDS.items() if exponents == DIMENSIONS[dimension].exponents]


def check_literal(expression: Expression, dimension: str) -> None:
    """Raise UnitError when a quantity such as ``25 mm``, or a formula of such, does not have the *dimension*."""
    if not (isinstance(expression, Number) and expression.unit):
        check_formula(expression, dimension)
        return
    try:
        check_dimension(expression.text, read_unit(expression.unit), dimension)
    except UnitError as error:
        word = expression.unit
        if word != TIME and (word in UNIT_WORDS or not word.isidentifier()):
            raise
        digits = expression.text.removesuffix(word).strip()
        product = f"a product is written with a star: {digits}*{word}"
        meant = nearest(word, _units_of(dimension), 1)
        hint = f"did you mean '{digits} {meant[0]}'? {product[0].upper()}{product[1:]}" if meant else product
        raise UnitError(f"{error}\n    -> {hint}") from None


@contextmanager
def angles_told() -> Iterator[dict[str, Expression]]:
    """While a model is checked: the formulas by their paths that turn out to be angles, as another element says so."""
    found: dict[str, Expression] = {}
    token = _TOLD.set(found)
    try:
        yield found
    finally:
        _TOLD.reset(token)


def literal_faults(path: str, expression: Expression | None, dimension: str) -> Iterator[Fault]:
    """The same check as a fault, for fields whose dimension depends on another element."""
    if expression is None:
        return
    if dimension == ANGLE and (told := _TOLD.get()) is not None:
        told[path] = expression
    try:
        check_literal(expression, dimension)
    except UnitError as error:
        yield from as_faults(path, error)


def read_vector(value: Any, dimension: str = "any", sizes: Sequence[int] = (2, 3)) -> VectorOfExpressions:
    """Read a list of numbers, quantities or formulas with one of the *sizes*."""
    items = as_list(value)
    wanted = " or ".join(map(str, sizes))
    if items is None:
        raise refused(f"{brief(value)} is not a list of {wanted} numbers")
    if len(items) not in sizes:
        raise refused(f"{wanted} numbers are needed, not {len(items)}")
    return read_each(
        {f"[{index}]": item for index, item in enumerate(items)}, lambda item: read_scalar(item, dimension)
    )


def read_place(value: Any) -> str | VectorOfExpressions:
    """The name of a point, or a position."""
    return read_name(value) if isinstance(value, str) and value else read_vector(value, "length")


def read_each(items: Mapping[str, Any], reader: Callable[[Any], V]) -> tuple[V, ...]:
    """Read every item; all their faults come at once, with the keys of *items* as paths."""
    values: list[V] = []
    faults: list[Fault] = []
    for path, item in items.items():
        try:
            values.append(reader(item))
        except LinkworkError as error:
            faults += as_faults(path, error)
    if faults:
        raise ModelError(faults)
    return tuple(values)


def read_matrix(value: Any, dimension: str = "any") -> tuple[VectorOfExpressions, ...]:
    """Read three rows of three numbers."""
    rows = as_list(value)
    if rows is None or len(rows) != 3:
        raise refused("three rows of three numbers are needed")
    numbered = {f"[{index}]": row for index, row in enumerate(rows)}
    return read_each(numbered, lambda row: read_vector(row, dimension, (3,)))


def read_name(value: Any) -> str:
    """Read the name of an element."""
    if not isinstance(value, str) or not value:
        raise refused(f"{brief(value)} is not a name", "write the name of an element; quote it when it is a number")
    return reading().of(value)


def read_names(value: Any, count: int | None = None) -> tuple[str, ...]:
    """Read a list of names, exactly *count* when given."""
    items = as_list(value)
    wanted = {None: "a list of names", 2: "two names"}.get(count, f"{count} names")
    if items is None:
        raise refused(f"{wanted} is needed, not {brief(value)}" if count is None else f"{wanted} are needed")
    if count is not None and len(items) != count:
        blank = next((item for item in items if isinstance(item, str) and " " in item.strip()), None)
        hint = "" if blank is None else f"separate names by commas: [{', '.join(blank.split())}]"
        raise refused(f"{wanted} are needed, not {len(items)}", hint)
    return tuple(read_name(item) for item in items)


def as_list(value: Any) -> list[Any] | None:
    """The items of a list, tuple or array; None for anything else."""
    if isinstance(value, np.ndarray):
        return list(value.tolist()) if value.ndim else None
    return list(value) if isinstance(value, (list, tuple)) else None


def only_key(value: Mapping[Any, Any], allowed: Iterable[str], what: str) -> str:
    """The single key of a one-entry mapping such as ``{box: [1, 2]}``."""
    keys = [str(key) for key in value]
    choices = list(allowed)
    if len(keys) != 1 or keys[0] not in choices:
        raise refused(f"{brief(value)} is not {what}", "use exactly one of: " + ", ".join(choices))
    return keys[0]


def brief(value: Any) -> str:
    """A short text of any value for messages."""
    if value is None:
        return "nothing"
    text = repr(value) if isinstance(value, (str, int, float, bool)) else f"a {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."


# -- writing ---------------------------------------------------------------------------------------------------------


def write(value: Any) -> Any:
    """Turn a stored value back into plain data: numbers, texts, lists and dictionaries."""
    if isinstance(value, Number) and not value.text:
        whole = value.value == int(value.value) and abs(value.value) < 1e15
        return int(value.value) if whole else value.value
    if isinstance(value, Expression):
        return str(value)
    if isinstance(value, (tuple, list)):
        return [write(item) for item in value]
    if isinstance(value, Mapping):
        return {key: write(item) for key, item in value.items()}
    return value


# -- pydantic annotations --------------------------------------------------------------------------------------------


def guarded(reader: Callable[[Any], V]) -> Callable[[Any], V]:
    """A reader whose errors pydantic collects."""

    def validate(value: Any) -> V:
        try:
            return reader(value)
        except LinkworkError as error:
            context = {"reason": str(error), "faults": as_faults("", error)}
            raise PydanticCustomError("linkwork", "{reason}", context) from None

    return validate


@dataclass(frozen=True, eq=False)
class Read:
    """Pydantic annotation: validate with *reader*, serialise with *writer*, publish *schema*."""

    reader: Callable[[Any], Any]
    schema: Mapping[str, Any]
    writer: Callable[[Any], Any] = write

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(
            guarded(self.reader), serialization=core_schema.plain_serializer_function_ser_schema(self.writer)
        )

    def __get_pydantic_json_schema__(
        self, core: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return dict(self.schema)


def scalar_schema(dimension: str) -> dict[str, Any]:
    """JSON schema of a number, quantity or formula."""
    named = DIMENSIONS[dimension]
    what = "A number" if dimension in ("any", "dimensionless") else named.spoken.capitalize()
    text = f"{what} in SI units, a text with a unit such as '{named.example}', or a formula of parameters"
    return {"anyOf": [{"type": "number"}, {"type": "string"}], "description": text, "examples": [1.0, named.example]}


def vector_schema(dimension: str, sizes: Sequence[int] = (2, 3)) -> dict[str, Any]:
    """JSON schema of a list of numbers, quantities or formulas."""
    items = {"anyOf": [{"type": "number"}, {"type": "string"}]}
    text = f"{' or '.join(map(str, sizes))} components in SI units, or texts with units or formulas"
    bounds = {"minItems": min(sizes), "maxItems": max(sizes)}
    return {"type": "array", "items": items, "description": text, **bounds, "examples": [[0.0] * min(sizes)]}


def names_schema(count: int | None, what: str) -> dict[str, Any]:
    """JSON schema of a list of names."""
    bounds = {} if count is None else {"minItems": count, "maxItems": count}
    return {"type": "array", "items": {"type": "string"}, "description": what, **bounds}


def scalar_field(dimension: str) -> Read:
    """Annotation of a scalar field."""
    return Read(lambda value: read_scalar(value, dimension), scalar_schema(dimension))


def vector_field(dimension: str, sizes: Sequence[int] = (2, 3)) -> Read:
    """Annotation of a vector field."""
    return Read(lambda value: read_vector(value, dimension, sizes), vector_schema(dimension, sizes))


def pair_field(what: str) -> Read:
    """Annotation of a field with two names."""
    return Read(lambda value: read_names(value, 2), names_schema(2, what), write_names)


def turn_field(dimension: str) -> Read:
    """Annotation of a rotation vector: one number in the plane, three components in space."""

    def read(value: Any) -> VectorOfExpressions:
        return (read_scalar(value, dimension),) if as_list(value) is None else read_vector(value, dimension, (1, 3))

    def write_turn(value: VectorOfExpressions | None) -> Any:
        return write(value[0] if value is not None and len(value) == 1 else value)

    return Read(read, {"anyOf": [scalar_schema(dimension), vector_schema(dimension, (3,))]}, write_turn)


def impulse_field() -> Read:
    """Annotation of an impulse: one number, or components."""

    def read(value: Any) -> VectorOfExpressions:
        return (read_scalar(value),) if as_list(value) is None else read_vector(value, sizes=(1, 2, 3))

    def write_one(value: VectorOfExpressions | None) -> Any:
        return write(value[0] if value is not None and len(value) == 1 else value)

    return Read(read, {"anyOf": [scalar_schema("any"), vector_schema("any", (2, 3))]}, write_one)


ElementName = Annotated[str, Read(read_name, {"type": "string"}, write_names)]
Value = Annotated[Expression, scalar_field("any")]
Ratio = Annotated[Expression, scalar_field("dimensionless")]
Length = Annotated[Expression, scalar_field("length")]
Mass = Annotated[Expression, scalar_field("mass")]
Density = Annotated[Expression, scalar_field("density")]
Angle = Annotated[Expression, scalar_field("angle")]
Stiffness = Annotated[Expression, scalar_field("stiffness")]
Damping = Annotated[Expression, scalar_field("damping")]
RotationalStiffness = Annotated[Expression, scalar_field("rotational_stiffness")]
RotationalDamping = Annotated[Expression, scalar_field("rotational_damping")]
Position = Annotated[VectorOfExpressions, vector_field("length")]
Direction = Annotated[VectorOfExpressions, vector_field("any")]
Acceleration = Annotated[VectorOfExpressions, vector_field("acceleration")]
ForceVector = Annotated[VectorOfExpressions, vector_field("force")]
PlaceField = Annotated[
    str | VectorOfExpressions,
    Read(
        read_place,
        {"anyOf": [{"type": "string", "description": "name of a point"}, vector_schema("length")]},
        lambda value: write_names(value) if isinstance(value, str) else write(value),
    ),
]
SpeedVector = Annotated[VectorOfExpressions, vector_field("speed")]
ForceValue = Annotated[Expression, scalar_field("force")]
TorqueValue = Annotated[Expression, scalar_field("torque")]
AngularSpeed = Annotated[Expression, scalar_field("angular_speed")]
Duration = Annotated[Expression, scalar_field("time")]
Inertia = Annotated[Expression, scalar_field("inertia")]
