"""The sections of a model, once: what an entry is, how it is read, who gives the names. Everything that goes through a
model section by section goes through this table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from linkwork.algebra.expressions import Expression
from linkwork.errors import Fault, ModelError, did_you_mean, nearest
from linkwork.model.body import BODY_KINDS, DEFAULT_BODY
from linkwork.model.contacts import Contact
from linkwork.model.couplings import COUPLING_KINDS, DEFAULT_KIND
from linkwork.model.definitions import read_definition, write_definition
from linkwork.model.drive import Driver
from linkwork.model.element import E, Element, declared_kind, read_element
from linkwork.model.fields import VectorOfExpressions, as_list, brief, read_names, read_scalar, read_vector
from linkwork.model.forces import FORCE_KINDS
from linkwork.model.guide import Guide
from linkwork.model.joint_kinds import JOINT_KINDS
from linkwork.model.parameters import Parameter
from linkwork.model.relations import RELATION_KINDS
from linkwork.model.start import StartPose
from linkwork.model.surfaces import Surface
from linkwork.model.switches import JointSwitch
from linkwork.words import translated

InitialValue = Expression | VectorOfExpressions
TURNED_START = "{origin: [0, 0, 0.3], rotation: {axis: [1, 0, 0], angle: 5 deg}}"
"""An example of where a body in space begins, as messages show it."""

ANY_VALUE = "write value: 5"
"""What the table of words proposes for a number or a formula by another name."""


@dataclass(frozen=True)
class Section:
    """One section: entries by name.

    one: what an entry is called; read: an entry from plain data
    elements: its entries are elements, with formulas of their own; named: users give the names, else those of others stand
    kinds: declarations by what the key kind says, where there are several, of which one may be the default
    files: entries may name files
    inside: an example of an entry that is a mapping of values, which are read one by one; example: of the whole
    write: an entry as plain data, where it is not written as elements and formulas are
    """

    name: str
    one: str
    read: Callable[[Any], Any]
    elements: bool = True
    named: bool = True
    kinds: Mapping[str, type[Element]] | None = None
    default: str | None = None
    files: bool = False
    inside: str = ""
    example: str = "{name: ...}"
    write: Callable[[Any], Any] | None = None


def _one(kind: type[Element]) -> Callable[[Any], Element]:
    return lambda value: read_element(value, kind)


def _of_kinds(
    name: str, one: str, kinds: Mapping[str, type[Element]], default: str | None = None, files: bool = False
) -> Section:
    """A section of elements of several kinds."""
    return Section(
        name, one, lambda value: _read_kind(value, one, kinds, default), kinds=kinds, default=default, files=files
    )


def _read_parameter(value: Any) -> Parameter:
    if isinstance(value, (Mapping, Parameter)):
        return read_element(value, Parameter)
    return Parameter(value=read_scalar(value))


def _read_driver(value: Any) -> Driver | Guide:
    """A driver of a joint coordinate, or of a body or point."""
    if isinstance(value, Guide) or (
        isinstance(value, Mapping) and "joint" not in value and {"body", "point"} & {*value}
    ):
        return read_element(value, Guide)
    return read_element(value, Driver)


def _read_kind(value: Any, what: str, kinds: Mapping[str, type[E]], default: str | None) -> E:
    """An element whose key ``kind`` says which of several it is."""
    for known in kinds.values():
        if isinstance(value, known):
            return value
    if not isinstance(value, Mapping):
        raise ModelError([Fault("", f"{brief(value)} is not a mapping with a kind")])
    declaration = declared_kind(value, kinds, default, what)
    try:
        return read_element(value, declaration)
    except ModelError as error:
        keys = list(declaration.model_fields)
        kind = str(value.get("kind", default))
        told = f"{'an' if kind[0] in 'aeio' else 'a'} {kind} {what} has no"
        faults = [_of_others(fault, told, keys, kinds) for fault in error.faults]
        raise ModelError([_with_value(fault, value) for fault in faults]) from None


def _of_others(fault: Fault, told: str, keys: list[str], kinds: Mapping[str, type[Element]]) -> Fault:
    """The fault of a key that other kinds have says so."""
    others = [name for name, kind in kinds.items() if fault.path in kind.model_fields]
    if fault.path in keys or not others:
        return fault
    hint = translated(fault.path, keys, "key") or (did_you_mean(fault.path, keys) if nearest(fault.path, keys) else "")
    return Fault(fault.path, f"{told} {fault.path}", hint or f"leave it out, or write kind: {' or '.join(others)}")


def _with_value(fault: Fault, given: Mapping[str, Any]) -> Fault:
    """A fault that proposes a value in the place of a key, with what was given for this key."""
    value = given.get(fault.path)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return fault
    return replace(fault, suggestion=fault.suggestion.replace(ANY_VALUE, f"write value: {value}"))


def read_branch(value: Any) -> str:
    """The name of a branch; branches that are numbered may be given as numbers."""
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        return str(value)
    raise ModelError([Fault("", f"{brief(value)} is not the name of a branch", "write a name, such as left")])


def read_initial_value(value: Any) -> InitialValue:
    """A number, or a vector of three."""
    if isinstance(value, Mapping):
        hint = f"they are numbers and vectors; where a body begins, and how it is turned, is start: {{body: {TURNED_START}}}"
        raise ModelError([Fault("", "a mapping is not an initial value", hint)])
    return read_scalar(value) if as_list(value) is None else read_vector(value, "any", (3,))


SECTIONS = (
    Section("parameters", "parameter", _read_parameter),
    Section(
        "definitions",
        "definition",
        read_definition,
        elements=False,
        files=True,
        write=write_definition,
        example="{pull: 3*O.angle - 2 N}",
    ),
    Section("points", "point", lambda value: read_vector(value, "length"), elements=False),
    _of_kinds("bodies", "body", BODY_KINDS, DEFAULT_BODY, files=True),
    _of_kinds("joints", "joint", JOINT_KINDS),
    _of_kinds("couplings", "coupling", COUPLING_KINDS, DEFAULT_KIND),
    _of_kinds("relations", "relation", RELATION_KINDS),
    Section("surfaces", "surface", _one(Surface), files=True, example="{floor: {plane: [0, 1]}}"),
    Section("contacts", "contact", _one(Contact), example="{landing: {between: [floor, box], friction: 0.6}}"),
    Section("switches", "switch", _one(JointSwitch), example="{catch: {connect: hook, at: 2 s}}"),
    Section("drivers", "driver", _read_driver),
    _of_kinds("forces", "force", FORCE_KINDS, files=True),
    Section(
        "initial",
        "initial value",
        read_initial_value,
        elements=False,
        named=False,
        inside="{angle: 30 deg, speed: 2 rad/s}",
        example="{O: {speed: 2 rad/s}}",
    ),
    Section("start", "pose", _one(StartPose), named=False),
    Section("branches", "branch", read_branch, elements=False, named=False),
    Section("groups", "group", read_names, elements=False, example="{upper_body: [torso, head]}"),
    Section("outputs", "output", read_scalar, elements=False),
)
"""In the order in which they are read and written; parameters and definitions first, as formulas of the others use them."""
KEYS = (
    *("linkwork", "name", "description", "notes", "renames", "space", "gravity", "base"),
    *(section.name for section in SECTIONS),
)
