"""Pages of the reference: of declarations their keys, each with what it means and its default, and no machinery."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

import linkwork
from linkwork import elements
from linkwork.answer.base import Answer
from linkwork.model.joint import JOINT_KINDS, Joint
from linkwork.model.shapes import SOLIDS, Shape
from linkwork.model.surfaces import FORMS, Surface

SHARED = ("with_", "to_dict")  # what declarations have of their own, besides their keys
BEYOND = "Prints, plots, tabulates and saves as every :class:`answer <linkwork.answers.Answer>`."


def declarations() -> dict[str, list[str]]:
    """Members on the pages of declarations, by the full name of the class; keys are in a table instead."""
    names = {f"linkwork.elements.{name}": [] for name in elements.__all__ if _declared(getattr(elements, name))}
    return {**names, "linkwork.Model": [*_methods(linkwork.Model), *SHARED]}


def _declared(found: object) -> bool:
    return isinstance(found, type) and issubclass(found, BaseModel)


def _methods(declared: type[BaseModel]) -> list[str]:
    """What a class adds to pydantic's, in the order of its source."""
    machinery = {*dir(BaseModel), *declared.model_fields, "SCOPES", *SHARED}
    return [
        name for name, found in vars(declared).items() if name[0] != "_" and name not in machinery and found.__doc__
    ]


def add_keys(app: Any, what: str, name: str, found: Any, options: Any, lines: list[str]) -> None:
    """Sphinx calls this for every docstring: to those of declarations it adds the table of their keys."""
    if what != "class" or not isinstance(found, type):
        return
    if _declared(found):
        lines += ["", *_table(found)]
    elif issubclass(found, Answer) and found is not Answer:
        lines += ["", BEYOND]


def shorten(
    app: Any, what: str, name: str, found: Any, options: Any, *signature: str | None
) -> tuple[str, None] | None:
    """Sphinx calls this for every signature: declarations are called with the keys that the table has."""
    if what != "class" or not _declared(found):
        return None
    needed = [key for key, field in found.model_fields.items() if field.is_required()]
    return f"(*, {', '.join([*needed, '...'])})", None


def _table(declared: type[BaseModel]) -> Iterator[str]:
    yield from (".. list-table::", "   :header-rows: 1", "   :widths: auto", "   :class: keys", "")
    yield from _row("key", "what it is", "default")
    for key, text, default in rows(declared):
        yield from _row(f"``{key}``", text.replace("*", r"\*").replace("|", r"\|"), default.replace("*", r"\*"))
    yield ""


def rows(declared: type[BaseModel]) -> Iterator[tuple[str, str, str]]:
    """Every key of a declaration with what it is, its unit, and its default."""
    for key, (field, text) in _keys(declared).items():
        words, otherwise = _parted(text)
        yield key, words, otherwise or _default(declared, key, field)


def _parted(text: str) -> tuple[str, str]:
    """What a key is, and the default that its words tell."""
    words, default, told = re.split(r"[;:,] (default:? )", text, maxsplit=1) if _TELLS.search(text) else (text, "", "")
    return words, told if default else ""


_TELLS = re.compile(r"[;:,] default:? ")


def _keys(declared: type[BaseModel]) -> dict[str, tuple[FieldInfo, str]]:
    """Fields by key, with what they are; those of joints of all kinds together."""
    kinds = tuple(JOINT_KINDS.values()) if declared is Joint else (declared,)
    found: dict[str, tuple[FieldInfo, str]] = {}
    for kind in kinds:
        schema = kind.model_json_schema()["properties"]
        for key, field in kind.model_fields.items():
            found.setdefault(key, (field, _meaning(declared, key, field, schema[key])))
    return {key: found[key] for key in sorted(found, key="kind".__ne__)}


def _meaning(declared: type[BaseModel], key: str, field: FieldInfo, schema: Mapping[str, Any]) -> str:
    if key == "kind":
        return "which kind it is" if declared is Joint else f"``{field.default}``"
    words = field.description or next((text for text in _descriptions(schema)), "")
    if declared is Shape and key in SOLIDS:
        words = f"{words.rstrip('.')}; default: none, one solid is required"
    if declared is Surface and key in FORMS:
        words = f"{words}; default: none, one form is required"
    if not words:
        raise ValueError(f"the key '{key}' of {declared.__name__} says nowhere what it is")
    return words


def _descriptions(schema: Mapping[str, Any]) -> Iterator[str]:
    if "description" in schema:
        yield schema["description"]
    for part in schema.get("anyOf", ()):
        yield from _descriptions(part)


def _default(declared: type[BaseModel], key: str, field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    value = field.get_default(call_default_factory=True)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or value is PydanticUndefined or (not isinstance(value, (int, float)) and not str(value)):
        raise ValueError(f"the key '{key}' of {declared.__name__} says nowhere what holds without it")
    return inspect.cleandoc(str(value))


def _row(*cells: str) -> Iterator[str]:
    for i, cell in enumerate(cells):
        yield f"   {'*' if i == 0 else ' '} - {' '.join(cell.split())}"
