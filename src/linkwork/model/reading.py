"""Reading a description element by element, so that what is sound can be checked even when other parts are not."""

from __future__ import annotations

from collections.abc import Iterator, KeysView, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import Any

from linkwork.algebra.expressions import Defined, Expression, known_definitions, known_units, number
from linkwork.algebra.renames import Renames, find_renames, names_read
from linkwork.algebra.unit_words import Unit
from linkwork.errors import TOLD, Fault, LinkworkError, did_you_mean, printable
from linkwork.model.body import Body
from linkwork.model.contacts import Contact
from linkwork.model.couplings import CouplingElement
from linkwork.model.dependence import circles, in_order
from linkwork.model.drive import Driver
from linkwork.model.element import OUTPUT, PARAMETERS, Element, Scope, expressions_in, read_element
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
from linkwork.model.forces import AppliedForce
from linkwork.model.guide import Guide
from linkwork.model.joint import Joint
from linkwork.model.moving_base import MovingBase
from linkwork.model.parameters import Parameter, evaluate_what_can_be, units_of, value_or_none
from linkwork.model.pins import expand_pins
from linkwork.model.relations import RelationElement
from linkwork.model.seats import Seats
from linkwork.model.sections import KEYS, SECTIONS, InitialValue, Section
from linkwork.model.start import StartPose
from linkwork.model.surfaces import Surface
from linkwork.model.switches import JointSwitch

SPACES = ("planar", "spatial")
GRAVITY_LINES = {"planar": "write gravity: [0, -9.81]", "spatial": "write gravity: [0, 0, -9.81]"}


@dataclass
class DraftModel:
    """A description while it is read: the sound elements, the names of all that were written, and the faults."""

    name: str = ""
    description: str = ""
    notes: tuple[str, ...] = ()
    renames: dict[str, str] = field(default_factory=dict)
    space: str | None = None
    gravity: VectorOfExpressions | None = None
    base: MovingBase | None = None
    parameters: dict[str, Parameter] = field(default_factory=dict)
    definitions: dict[str, Expression] = field(default_factory=dict)
    points: dict[str, VectorOfExpressions] = field(default_factory=dict)
    bodies: dict[str, Body] = field(default_factory=dict)
    joints: dict[str, Joint] = field(default_factory=dict)
    couplings: dict[str, CouplingElement] = field(default_factory=dict)
    relations: dict[str, RelationElement] = field(default_factory=dict)
    surfaces: dict[str, Surface] = field(default_factory=dict)
    contacts: dict[str, Contact] = field(default_factory=dict)
    switches: dict[str, JointSwitch] = field(default_factory=dict)
    drivers: dict[str, Driver | Guide] = field(default_factory=dict)
    forces: dict[str, AppliedForce] = field(default_factory=dict)
    initial: dict[str, dict[str, InitialValue]] = field(default_factory=dict)
    start: dict[str, StartPose] = field(default_factory=dict)
    branches: dict[str, str] = field(default_factory=dict)
    groups: dict[str, tuple[str, ...]] = field(default_factory=dict)
    outputs: dict[str, Expression] = field(default_factory=dict)
    declared: dict[str, dict[str, None]] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    @cached_property
    def names_of_users(self) -> Renames:
        """What elements are called outside of formulas."""
        return Renames(self.renames)

    def names(self, section: str) -> KeysView[str]:
        """All names written in a section, of sound and faulty elements alike."""
        return self.declared.get(section, {}).keys()

    @property
    def is_hopeless(self) -> bool:
        """Whether so much of it is faulty that nothing more is read."""
        return len(self.faults) >= TOLD

    @cached_property
    def seats(self) -> Seats:
        """Where its joints sit, once all have been read."""
        return Seats(self.points, self.bodies, self.joints)

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
        for section in SECTIONS:
            for name, element in getattr(self, section.name).items() if section.elements else ():
                yield f"{section.name}.{name}", element
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
        for section in ("definitions", "outputs"):
            for path, expression in expressions_in(getattr(self, section), section):
                yield path, OUTPUT, expression


def read_draft(data: Mapping[str, Any]) -> DraftModel:
    """Read all sections of a description; faults are collected in the draft."""
    draft = DraftModel()
    data = expand_pins(data)
    for key in data:
        if key not in KEYS:
            draft.faults.append(Fault(str(key), f"unknown key '{key}'", did_you_mean(str(key), KEYS, "section")))
    draft.faults += islice(_half_characters(data), TOLD)
    _read_renames(draft, data)
    with names_read(draft.names_of_users):
        _read_section(draft, data, SECTIONS[0])
        with known_units(draft.units):
            draft.faults += _parameter_faults(draft)
            _read_definitions(draft, data)
            with known_definitions(draft.definitions):
                _read_head(draft, data)
                for section in SECTIONS[2:]:
                    _read_section(draft, data, section)
    return draft


def _read_definitions(draft: DraftModel, data: Mapping[str, Any]) -> None:
    """Read named formulas, then put those into each other that they use."""
    with known_definitions({}):
        _read_section(draft, data, SECTIONS[1])
    written, draft.definitions = draft.definitions, {}
    chains = circles(written)
    for chain in chains:
        reason = f"is defined in a circle: {' -> '.join(chain)}"
        draft.faults.append(Fault(f"definitions.{chain[0]}", reason, "write one of them without the others"))
    caught = {name for chain in chains for name in chain}
    for name in in_order({name: formula for name, formula in written.items() if name not in caught}):
        try:
            with known_definitions(draft.definitions):
                draft.definitions[name] = read_scalar(written[name])
        except LinkworkError as error:
            draft.faults += as_faults(f"definitions.{name}", error)
    draft.definitions = {name: draft.definitions[name] for name in written if name in draft.definitions}


def _read_renames(draft: DraftModel, data: Mapping[str, Any]) -> None:
    """Find names that must be others in formulas."""
    given = data.get("renames") or {}
    if not isinstance(given, Mapping) or not all(isinstance(text, str) for pair in given.items() for text in pair):
        hint = "write renames: {left_knee_2: left-knee}, what it is in formulas and what it is called"
        draft.faults.append(Fault("renames", f"{brief(given)} is not a mapping of names", hint))
        given = {}
    paths: dict[str, str] = {}
    for section in SECTIONS:
        entries = data.get(section.name)
        for name, entry in entries.items() if section.named and isinstance(entries, Mapping) else ():
            paths.setdefault(str(name), f"{section.name}.{name}")
            points = (entry if isinstance(entry, Mapping) else vars(entry) if isinstance(entry, Body) else {}).get(
                "points"
            )
            for point in points if section.name == "bodies" and isinstance(points, Mapping) else ():
                paths.setdefault(str(point), f"bodies.{name}.points.{point}")
    renames, faults = find_renames(paths, given)
    draft.renames = dict(renames.originals)
    draft.faults += faults


def _parameter_faults(draft: DraftModel) -> Iterator[Fault]:
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


def _read_head(draft: DraftModel, data: Mapping[str, Any]) -> None:
    version = data.get("linkwork", 1)
    if isinstance(version, bool) or version != 1:
        draft.faults.append(Fault("linkwork", f"format {brief(version)} is not known", "write linkwork: 1"))
    for key in ("name", "description"):
        text = data.get(key) or ""
        if isinstance(text, (str, int, float)):
            setattr(draft, key, str(text))
        else:
            draft.faults.append(Fault(key, f"{brief(text)} is not a text"))
    notes = as_list(data.get("notes") or [])
    if notes is None or not all(isinstance(note, str) for note in notes):
        draft.faults.append(Fault("notes", f"{brief(data['notes'])} is not a list of texts", "write notes: ['...']"))
    else:
        draft.notes = tuple(notes)
    space = data.get("space")
    if space in SPACES:
        draft.space = str(space)
    elif space is None:
        draft.faults.append(Fault("space", "is missing", "write space: planar or space: spatial"))
    else:
        hint = did_you_mean(space, SPACES, "space") if isinstance(space, str) else ""
        draft.faults.append(Fault("space", f"{brief(space)} is neither planar nor spatial", hint))
    _read_gravity(draft, data.get("gravity"))
    try:
        draft.base = None if data.get("base") is None else read_element(data["base"], MovingBase)
    except LinkworkError as error:
        draft.faults += as_faults("base", error)


def _read_gravity(draft: DraftModel, value: Any) -> None:
    if value is None:
        draft.gravity = tuple(number(0.0) for _ in range(3 if draft.space == "spatial" else 2))
        return
    try:
        draft.gravity = read_vector(value, "acceleration")
    except LinkworkError as error:
        hint = "" if as_list(value) is not None else GRAVITY_LINES.get(draft.space or "", "")
        draft.faults += [replace(fault, suggestion=fault.suggestion or hint) for fault in as_faults("gravity", error)]


def _read_section(draft: DraftModel, data: Mapping[str, Any], section: Section) -> None:
    """Read every entry of a section; sound ones go to the draft, and so do faults, with their paths."""
    content = data.get(section.name)
    if content is None:
        return
    if not isinstance(content, Mapping):
        hint = f"write {section.name}: {section.example}"
        draft.faults.append(Fault(section.name, f"{brief(content)} is not a mapping of names", hint))
        return
    users = draft.names_of_users
    known = {name: (users.of_block if section.name == "branches" else users.of)(str(name)) for name in content}
    draft.declared[section.name] = dict.fromkeys(known.values())
    target = getattr(draft, section.name)
    for given, value in content.items():
        if draft.is_hopeless:
            return
        name, path = known[given], f"{section.name}.{known[given]}"
        if isinstance(value, Element) and (users.originals or draft.definitions or _has_definitions(value)):
            value = value.to_dict()  # which may name others as users do, and formulas by their names
        if section.inside:
            _read_inside(draft, path, value, section, target.setdefault(name, {}))
            continue
        try:
            target[name] = section.read(value)
        except LinkworkError as error:
            draft.faults += as_faults(path, error)


def _has_definitions(element: Element) -> bool:
    """Whether formulas of an element use definitions, those of another model perhaps."""
    formulas = (formula for _, _, formula in element.expressions())
    return any(isinstance(node, Defined) for formula in formulas for node in formula.walk(written=True))


def _read_inside(draft: DraftModel, path: str, values: Any, section: Section, target: dict[str, Any]) -> None:
    """Read an entry that is a mapping itself; every value on its own, so that all faults show."""
    if not isinstance(values, Mapping):
        hint = f"write {path.partition('.')[2]}: {section.inside}"
        draft.faults.append(Fault(path, f"{brief(values)} is not a mapping", hint))
        return
    for key, value in values.items():
        try:
            target[str(key)] = section.read(value)
        except LinkworkError as error:
            draft.faults += as_faults(f"{path}.{key}", error)
