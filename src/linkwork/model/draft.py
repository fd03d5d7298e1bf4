"""Reading a description element by element, so that what is sound can be checked even when other parts are not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from linkwork.algebra.expressions import Expression, known_units, number
from linkwork.algebra.units import Unit
from linkwork.errors import Fault, LinkworkError, ModelError, did_you_mean, printable
from linkwork.model.body import BODY_KINDS, DEFAULT_BODY, Body
from linkwork.model.couplings import COUPLING_KINDS, DEFAULT_KIND, CouplingElement
from linkwork.model.drive import Driver
from linkwork.model.element import OUTPUT, PARAMETERS, E, Element, Scope, expressions_in, read_element
from linkwork.model.fields import (
    VectorOfExpressions,
    as_faults,
    as_list,
    brief,
    join,
    literal_faults,
    read_scalar,
    read_vector,
)
from linkwork.model.forces import FORCE_KINDS, AppliedForce
from linkwork.model.guide import Guide
from linkwork.model.joint import Joint
from linkwork.model.moving_base import MovingBase
from linkwork.model.parameters import Parameter, evaluate_what_can_be, units_of, value_or_none
from linkwork.model.pins import expand_pins
from linkwork.model.relations import RELATION_KINDS, RelationElement
from linkwork.model.start import StartPose
from linkwork.plugins import discover

InitialValue = Expression | VectorOfExpressions
SPACES = ("planar", "spatial")
KEYS = (
    *("linkwork", "name", "description", "space", "gravity", "base", "parameters", "points", "bodies", "joints"),
    *("couplings", "relations", "drivers", "forces", "initial", "start", "branches", "outputs"),
)


@dataclass
class Draft:
    """A description while it is read: the sound elements, the names of all that were written, and the faults."""

    name: str = ""
    description: str = ""
    space: str | None = None
    gravity: VectorOfExpressions | None = None
    base: MovingBase | None = None
    parameters: dict[str, Parameter] = field(default_factory=dict)
    points: dict[str, VectorOfExpressions] = field(default_factory=dict)
    bodies: dict[str, Body] = field(default_factory=dict)
    joints: dict[str, Joint] = field(default_factory=dict)
    couplings: dict[str, CouplingElement] = field(default_factory=dict)
    relations: dict[str, RelationElement] = field(default_factory=dict)
    drivers: dict[str, Driver | Guide] = field(default_factory=dict)
    forces: dict[str, AppliedForce] = field(default_factory=dict)
    initial: dict[str, dict[str, InitialValue]] = field(default_factory=dict)
    start: dict[str, StartPose] = field(default_factory=dict)
    branches: dict[str, str] = field(default_factory=dict)
    outputs: dict[str, Expression] = field(default_factory=dict)
    declared: dict[str, list[str]] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    def names(self, section: str) -> list[str]:
        """All names written in a section, of sound and faulty elements alike."""
        return self.declared.get(section, [])

    @cached_property
    def values(self) -> dict[str, float]:
        """Default values of the parameters that have one."""
        return evaluate_what_can_be(self.parameters)

    @cached_property
    def units(self) -> dict[str, Unit]:
        """What those parameters measure that are given with units."""
        return units_of(self.parameters)

    def number(self, expression: Expression | None) -> float | None:
        """The value of a formula with the default parameters; None when it has none."""
        return None if expression is None else value_or_none(expression, self.values)

    def numbers(self, vector: VectorOfExpressions) -> list[float] | None:
        """The values of a vector; None when a component has none."""
        values = [self.number(component) for component in vector]
        return None if None in values else [value for value in values if value is not None]

    def elements(self) -> Iterator[tuple[str, Element]]:
        """All sound elements with their paths."""
        for section in ("parameters", "bodies", "joints", "couplings", "relations", "drivers", "forces", "start"):
            for name, element in getattr(self, section).items():
                yield f"{section}.{name}", element
        if self.base is not None:
            yield "base", self.base

    def expressions(self) -> Iterator[tuple[str, Scope, Expression]]:
        """All formulas: (path, scope, expression)."""
        for path, expression in expressions_in(self.gravity or (), "gravity"):
            yield path, PARAMETERS, expression
        for section in ("points", "initial"):
            for path, expression in expressions_in(getattr(self, section), section):
                yield path, PARAMETERS, expression
        for path, element in self.elements():
            for inner, scope, expression in element.expressions():
                yield path if isinstance(element, Parameter) else f"{path}.{inner}", scope, expression
        for path, expression in expressions_in(self.outputs, "outputs"):
            yield path, OUTPUT, expression


def read_draft(data: Mapping[str, Any]) -> Draft:
    """Read all sections of a description; faults are collected in the draft."""
    draft = Draft()
    data = expand_pins(data)
    for key in data:
        if key not in KEYS:
            draft.faults.append(Fault(str(key), f"unknown key '{key}'", did_you_mean(str(key), KEYS)))
    draft.faults += _half_characters(data)
    _read_section(draft, data, "parameters", draft.parameters, _read_parameter)
    with known_units(draft.units):
        draft.faults += _parameter_faults(draft)
        _read_head(draft, data)
        _read_parts(draft, data)
    return draft


def _read_parts(draft: Draft, data: Mapping[str, Any]) -> None:
    """All sections behind the parameters."""
    _read_section(draft, data, "points", draft.points, lambda value: read_vector(value, "length"))
    _read_section(draft, data, "bodies", draft.bodies, lambda value: _read_kind(value, BODY_KINDS, DEFAULT_BODY))
    _read_section(draft, data, "joints", draft.joints, lambda value: read_element(value, Joint))
    _read_section(
        draft, data, "couplings", draft.couplings, lambda value: _read_kind(value, COUPLING_KINDS, DEFAULT_KIND)
    )
    _read_section(draft, data, "relations", draft.relations, lambda value: _read_kind(value, RELATION_KINDS))
    _read_section(draft, data, "drivers", draft.drivers, _read_driver)
    _read_section(draft, data, "forces", draft.forces, lambda value: _read_kind(value, FORCE_KINDS))
    _read_initial(draft, data)
    _read_section(draft, data, "start", draft.start, lambda value: read_element(value, StartPose))
    _read_section(draft, data, "branches", draft.branches, read_branch)
    _read_section(draft, data, "outputs", draft.outputs, read_scalar)


def _parameter_faults(draft: Draft) -> Iterator[Fault]:
    """Parameters whose formulas put quantities together that do not fit."""
    for name, parameter in draft.parameters.items():
        if parameter.value.names():
            yield from literal_faults(f"parameters.{name}", parameter.value, "any")


def _half_characters(data: Any, path: str = "") -> Iterator[Fault]:
    """Texts with halves of characters, which no file and no terminal takes."""
    if isinstance(data, str):
        if not data.isascii() and printable(data) != data:
            hint = "a character beyond U+FFFF is written whole, not as two escapes"
            yield Fault(path, f"'{printable(data)[:60]}' has half a character", hint)
    elif isinstance(data, Mapping):
        for key, item in data.items():
            yield from _half_characters(key, join(path, str(key)))
            yield from _half_characters(item, join(path, str(key)))
    elif isinstance(data, list | tuple):
        for i, item in enumerate(data):
            yield from _half_characters(item, f"{path}[{i}]")


def _read_driver(value: Any) -> Driver | Guide:
    """A driver of a joint coordinate, or of a body or point."""
    if isinstance(value, Guide) or (
        isinstance(value, Mapping) and "joint" not in value and {"body", "point"} & {*value}
    ):
        return read_element(value, Guide)
    return read_element(value, Driver)


def _read_head(draft: Draft, data: Mapping[str, Any]) -> None:
    version = data.get("linkwork", 1)
    if isinstance(version, bool) or version != 1:
        draft.faults.append(Fault("linkwork", f"format {brief(version)} is not known", "write linkwork: 1"))
    for key in ("name", "description"):
        text = data.get(key) or ""
        if isinstance(text, (str, int, float)):
            setattr(draft, key, str(text))
        else:
            draft.faults.append(Fault(key, f"{brief(text)} is not a text"))
    space = data.get("space")
    if space in SPACES:
        draft.space = str(space)
    elif space is None:
        draft.faults.append(Fault("space", "is missing", "write space: planar or space: spatial"))
    else:
        hint = did_you_mean(space, SPACES) if isinstance(space, str) else ""
        draft.faults.append(Fault("space", f"{brief(space)} is neither planar nor spatial", hint))
    _read_gravity(draft, data.get("gravity"))
    try:
        draft.base = None if data.get("base") is None else read_element(data["base"], MovingBase)
    except LinkworkError as error:
        draft.faults += as_faults("base", error)


def _read_gravity(draft: Draft, value: Any) -> None:
    if value is None:
        draft.gravity = tuple(number(0.0) for _ in range(3 if draft.space == "spatial" else 2))
        return
    try:
        draft.gravity = read_vector(value, "acceleration")
    except LinkworkError as error:
        draft.faults += as_faults("gravity", error)


def _read_section(
    draft: Draft, data: Mapping[str, Any], section: str, target: dict[str, Any], reader: Callable[[Any], Any]
) -> None:
    """Read every element of a section; sound ones go to *target*, faults to the draft with their paths."""
    content = data.get(section)
    if content is None:
        return
    if not isinstance(content, Mapping):
        hint = f"write {section}: {{name: ...}}"
        draft.faults.append(Fault(section, f"{brief(content)} is not a mapping of names", hint))
        return
    draft.declared[section] = [str(name) for name in content]
    for name, value in content.items():
        path = f"{section}.{name}"
        try:
            target[str(name)] = reader(value)
        except LinkworkError as error:
            draft.faults += as_faults(path, error)


def _read_parameter(value: Any) -> Parameter:
    if isinstance(value, (Mapping, Parameter)):
        return read_element(value, Parameter)
    return Parameter(value=read_scalar(value))


def _read_kind(value: Any, kinds: Mapping[str, type[E]], default: str | None = None) -> E:
    """An element whose key ``kind`` says which of several it is."""
    for known in kinds.values():
        if isinstance(value, known):
            return value
    if not isinstance(value, Mapping):
        raise ModelError([Fault("", f"{brief(value)} is not a mapping with a kind")])
    kind = value.get("kind", default)
    if kind is None:
        raise ModelError([Fault("kind", "is missing", f"write one of: {', '.join(kinds)}")])
    if not isinstance(kind, str) or (kind not in kinds and not (discover() and kind in kinds)):
        hint = did_you_mean(str(kind), list(kinds))
        raise ModelError([Fault("kind", f"{brief(kind)} is not one of: {', '.join(kinds)}", hint)])
    return read_element(value, kinds[kind])


def read_branch(value: Any) -> str:
    """The name of a branch; branches that are numbered may be given as numbers."""
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        return str(value)
    raise ModelError([Fault("", f"{brief(value)} is not the name of a branch", "write a name, such as left")])


def _read_initial(draft: Draft, data: Mapping[str, Any]) -> None:
    """Read {element: {coordinate: value}}; every value on its own, so that all faults show."""
    content = data.get("initial")
    if content is None:
        return
    if not isinstance(content, Mapping):
        hint = "write initial: {O: {speed: 2 rad/s}}"
        draft.faults.append(Fault("initial", f"{brief(content)} is not a mapping of names", hint))
        return
    for name, values in content.items():
        if not isinstance(values, Mapping):
            hint = f"write {name}: {{angle: 30 deg, speed: 2 rad/s}}"
            draft.faults.append(Fault(f"initial.{name}", f"{brief(values)} is not a mapping", hint))
            continue
        entry = draft.initial.setdefault(str(name), {})
        for key, value in values.items():
            try:
                entry[str(key)] = read_initial_value(value)
            except LinkworkError as error:
                draft.faults += as_faults(f"initial.{name}.{key}", error)


def read_initial_value(value: Any) -> InitialValue:
    """A number, or a vector of three."""
    return read_scalar(value) if as_list(value) is None else read_vector(value, "any", (3,))
