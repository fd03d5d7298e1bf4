"""What all declarations have in common: immutable, no unknown keys, and a ModelError with all faults at once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from dataclasses import fields as dataclass_fields
from typing import Any, ClassVar, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from linkwork.algebra.expressions import Expression
from linkwork.errors import Fault, ModelError, did_you_mean
from linkwork.model.fields import Read, as_faults, brief, read_each, read_name, refused
from linkwork.model.frozen import Constant
from linkwork.plugins import discover
from linkwork.words import translated


@dataclass(frozen=True)
class Scope:
    """Which names a formula may use: parameters, the time, the state, everything; and names of its own element."""

    level: str
    meanings: tuple[tuple[str, str], ...] = ()  # of the names that the element gives

    @property
    def local(self) -> dict[str, str]:
        """The names that the element gives, with what they mean."""
        return dict(self.meanings)

    def knowing(self, **meanings: str) -> Scope:
        """The same scope with further names that the element gives."""
        return Scope(self.level, (*self.meanings, *meanings.items()))


PARAMETERS, TIME_ONLY, STATE, OUTPUT = Scope("parameters"), Scope("time"), Scope("state"), Scope("output")
PLACE = "u"
"""The name of the place along a curve in its formulas."""
CURVE = PARAMETERS.knowing(**{PLACE: "the place on the curve"})


class Element(Constant):
    """Base of the declarations."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True, defer_build=True)

    SCOPES: ClassVar[Mapping[str, Scope]] = {}
    """Field name -> which names its formulas may use (default: parameters only)."""

    def __init__(self, /, **data: Any) -> None:
        try:
            super().__init__(**data)
        except ValidationError as error:
            raise ModelError(structural_faults(error, type(self)), source=type(self).__name__) from None
        faults = tuple(self.own_faults())
        if faults:
            raise ModelError(faults, source=type(self).__name__)
        self._freeze()

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.to_dict().items() if name != "kind")
        return f"{type(self).__name__}({given})"

    def __str__(self) -> str:
        return repr(self)

    def own_faults(self) -> Iterator[Fault]:
        """Faults that are visible in this element alone."""
        yield from ()

    def expressions(self) -> Iterator[tuple[str, Scope, Expression]]:
        """All formulas of the element: (path inside the element, scope, expression)."""
        for field in type(self).model_fields:
            value = getattr(self, field)
            if type(value) in _PLAIN:
                continue
            scope = self.SCOPES.get(field, PARAMETERS)
            for path, expression in expressions_in(value, field):
                yield path, scope, expression

    def to_dict(self) -> dict[str, Any]:
        """Plain data that constructs an equal element; defaults are left out, except the kind."""
        data = self.model_dump(exclude_defaults=True)
        kind = {"kind": self.model_dump(include={"kind"})["kind"]} if "kind" in type(self).model_fields else {}
        return {**kind, **data}


E = TypeVar("E", bound=Element)
_PLAIN = frozenset({type(None), str, bool, int, float})
"""What has no formulas in it."""


def read_element(value: Any, kind: type[E]) -> E:
    """An element as it is, or from the plain mapping of a file."""
    if isinstance(value, kind):
        return value
    if not isinstance(value, Mapping):
        keys = ", ".join(list(kind.model_fields)[:4])
        raise refused(f"{brief(value)} is not a mapping with keys such as {keys}")
    return kind(**{str(key): item for key, item in value.items()})


def declared_kind(
    value: Mapping[str, Any], kinds: Mapping[str, type[E]], default: str | None = None, one: str = ""
) -> type[E]:
    """The declaration that the key ``kind`` asks for; *one*: what it is a kind of."""
    kind = value.get("kind", default)
    if kind is None:
        raise ModelError([Fault("kind", "is missing", f"write one of: {', '.join(kinds)}")])
    if not isinstance(kind, str) or (kind not in kinds and not (discover() and kind in kinds)):
        fitting = [name for name, item in kinds.items() if value.keys() <= item.model_fields.keys() | {"kind"}]
        named = str(kind)[:60]
        hint = did_you_mean(named, fitting if translated(named, fitting) else list(kinds), one)
        raise ModelError([Fault("kind", f"{brief(kind)} is not one of: {', '.join(kinds)}", hint)])
    return kinds[kind]


def read_elements(value: Any, kind: type[E]) -> dict[str, E]:
    """A mapping of names to elements; the faults of all of them come at once."""
    if not isinstance(value, Mapping):
        raise refused(f"{brief(value)} is not a mapping of names")
    content = {read_name(name): item for name, item in value.items()}
    return dict(zip(content, read_each(content, lambda item: read_element(item, kind)), strict=True))


def expressions_in(value: Any, path: str) -> Iterator[tuple[str, Expression]]:
    """All expressions inside tuples, mappings and small dataclasses, with their paths."""
    if isinstance(value, Expression):
        yield path, value
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from expressions_in(item, f"{path}[{index}]")
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from expressions_in(item, f"{path}.{key}")
    elif isinstance(value, Element):
        for name in type(value).model_fields:
            yield from expressions_in(getattr(value, name), f"{path}.{name}")
    elif is_dataclass(value):
        for field in dataclass_fields(value):
            yield from expressions_in(getattr(value, field.name), path)


def structural_faults(error: ValidationError, declaration: type[BaseModel]) -> list[Fault]:
    """Translate pydantic's findings: path, reason, suggestion."""
    faults: list[Fault] = []
    for finding in error.errors(include_url=False):
        path = ".".join(str(part) for part in finding["loc"])
        if finding["type"] == "linkwork":
            faults += as_faults(path, ModelError(finding["ctx"]["faults"]))
        else:
            faults.append(_fault(path, dict(finding), declaration))
    return faults


def _fault(path: str, finding: Mapping[str, Any], declaration: type[BaseModel]) -> Fault:
    context = finding.get("ctx", {})
    kind = finding["type"]
    if kind == "missing":
        return Fault(path, "is missing", _wanted(path, declaration))
    if kind == "extra_forbidden":
        hint = f"decimals are written with a point, 0.{path}" if re.match(r"\d+($|\s)", path) else ""
        hint = hint or did_you_mean(path, list(declaration.model_fields), "key")
        return Fault(path, f"unknown key '{path}'", hint)
    if kind == "literal_error":
        choices = re.findall(r"'([^']*)'", str(context.get("expected", ""))) or [str(context.get("expected", ""))]
        return Fault(path, f"{finding['input']!r:.60} is not one of: {', '.join(choices)}", _close(finding, choices))
    return Fault(path, str(finding["msg"]).lower())


def _wanted(path: str, declaration: type[BaseModel]) -> str:
    """What is written for a key that is missing: an example with its unit, and what it means."""
    field = declaration.model_fields.get(path)
    if field is None:
        return ""
    described = field.description or ""
    examples = [item for read in field.metadata if isinstance(read, Read) for item in read.schema.get("examples", ())]
    example = next((item for item in [*(field.examples or ()), *examples] if isinstance(item, str)), None)
    if example is None or described.startswith("write "):
        return described
    return f"write {path}: {example}" + (f", {described}" if " " in described else "")


def _close(finding: Mapping[str, Any], choices: list[str]) -> str:
    hint = did_you_mean(str(finding["input"])[:60], choices, "key")
    return hint if hint.startswith("did") else ""
