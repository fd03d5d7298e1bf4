"""Any linear relation between joint coordinates, term by term."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import Field

from linkwork.elements.couplings.base import Coupled
from linkwork.errors import Fault
from linkwork.model.couplings.base import CouplingElement, Train
from linkwork.model.draft import Draft
from linkwork.model.element import Element, read_element
from linkwork.model.fields import ElementName, Read, Value, as_list, read_each, refused
from linkwork.model.references import freedom_faults


class LinearTerm(Element):
    """One joint coordinate with its factor."""

    joint: ElementName = Field(description="name of the joint")
    factor: Value = Field(description="number or formula of parameters; a length per angle where both kinds occur")
    freedom: ElementName | None = Field(
        None, description="which coordinate, when the joint has several; default: the only one"
    )


def _read_terms(value: Any) -> tuple[LinearTerm, ...]:
    items = as_list(value)
    if items is None or len(items) < 2:
        hint = "write terms: [{joint: A, factor: 1}, {joint: B, factor: -2}]"
        raise refused("a list of at least two terms is needed", hint)
    return read_each({f"[{i}]": item for i, item in enumerate(items)}, lambda item: read_element(item, LinearTerm))


def _write_terms(terms: tuple[LinearTerm, ...]) -> list[dict[str, Any]]:
    return [term.to_dict() for term in terms]


_NAME, _NUMBER = {"type": "string"}, {"anyOf": [{"type": "number"}, {"type": "string"}]}
_SCHEMA = {
    "type": "array",
    "minItems": 2,
    "items": {
        "type": "object",
        "properties": {"joint": _NAME, "factor": _NUMBER, "freedom": _NAME},
        "required": ["joint", "factor"],
        "additionalProperties": False,
    },
}


class LinearCoupling(CouplingElement):
    """The sum of factor × joint coordinate keeps its value at the assembly."""

    kind: Literal["linear"] = "linear"
    terms: Annotated[tuple[LinearTerm, ...], Read(_read_terms, _SCHEMA, _write_terms)] = Field(
        description="joint, freedom where it has several, and factor of every coordinate"
    )

    def own_faults(self) -> Iterator[Fault]:
        seen: set[tuple[str, str | None]] = set()
        for i, term in enumerate(self.terms):
            if (term.joint, term.freedom) in seen:
                yield Fault(f"terms[{i}]", f"names '{term.joint}' again", "add the factors of one coordinate")
            seen.add((term.joint, term.freedom))

    def faults(self, draft: Draft, path: str) -> Iterator[Fault]:
        for i, term in enumerate(self.terms):
            yield from freedom_faults(draft, f"{path}.terms[{i}]", term.joint, term.freedom)
            if draft.number(term.factor) == 0.0:
                yield Fault(f"{path}.terms[{i}].factor", "is zero", "leave the term out")

    def couple(self, train: Train) -> Coupled:
        return Coupled(tuple(train.term(t.joint, t.freedom, train.value(t.factor)) for t in self.terms))
