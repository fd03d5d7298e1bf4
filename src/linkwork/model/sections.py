"""The sections of a model, once: what an entry is, how it is read, who gives the names. Everything that goes through a
model section by section goes through this table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from linkwork.algebra.expressions import Expression
from linkwork.errors import Fault, ModelError, did_you_mean
from linkwork.model.body import BODY_KINDS, DEFAULT_BODY
from linkwork.model.couplings import COUPLING_KINDS, DEFAULT_KIND
from linkwork.model.drive import Driver
from linkwork.model.element import E, Element, read_element
from linkwork.model.fields import VectorOfExpressions, as_list, brief, read_scalar, read_vector
from linkwork.model.forces import FORCE_KINDS
from linkwork.model.guide import Guide
from linkwork.model.joint import Joint
from linkwork.model.parameters import Parameter
from linkwork.model.relations import RELATION_KINDS
from linkwork.model.start import StartPose
from linkwork.plugins import discover

InitialValue = Expression | VectorOfExpressions


@dataclass(frozen=True)
class Section:
    """One section: entries by name.

    one: what an entry is called; read: an entry from plain data
    elements: its entries are elements, with formulas of their own; named: users give the names, else those of others stand
    kinds: declarations by what the key kind says, where there are several; files: entries may name files
    inside: an example of an entry that is a mapping of values, which are read one by one; example: of the whole
    """

    name: str
    one: str
    read: Callable[[Any], Any]
    elements: bool = True
    named: bool = True
    kinds: Mapping[str, type[Element]] | None = None
    files: bool = False
    inside: str = ""
    example: str = "{name: ...}"


def _one(kind: type[Element]) -> Callable[[Any], Element]:
    return lambda value: read_element(value, kind)


def _of_kinds(kinds: Mapping[str, type[E]], default: str | None = None) -> Callable[[Any], E]:
    return lambda value: _read_kind(value, kinds, default)


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


def read_initial_value(value: Any) -> InitialValue:
    """A number, or a vector of three."""
    return read_scalar(value) if as_list(value) is None else read_vector(value, "any", (3,))


SECTIONS = (
    Section("parameters", "parameter", _read_parameter),
    Section("points", "point", lambda value: read_vector(value, "length"), elements=False),
    Section("bodies", "body", _of_kinds(BODY_KINDS, DEFAULT_BODY), kinds=BODY_KINDS, files=True),
    Section("joints", "joint", _one(Joint)),
    Section("couplings", "coupling", _of_kinds(COUPLING_KINDS, DEFAULT_KIND), kinds=COUPLING_KINDS),
    Section("relations", "relation", _of_kinds(RELATION_KINDS), kinds=RELATION_KINDS),
    Section("drivers", "driver", _read_driver),
    Section("forces", "force", _of_kinds(FORCE_KINDS), kinds=FORCE_KINDS, files=True),
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
    Section("outputs", "output", read_scalar, elements=False),
)
"""In the order in which they are read and written; parameters first, as formulas of the others have their units."""
KEYS = (
    *("linkwork", "name", "description", "notes", "space", "gravity", "base"),
    *(section.name for section in SECTIONS),
)
