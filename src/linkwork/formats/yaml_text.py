"""YAML texts: plain data with line numbers, built from parser events without recursion.

Words are read as in YAML 1.2: only ``true`` and ``false`` are booleans, so that points may be called ``y``, ``n`` or
``on``; ``1e3`` is a number. Keys are always texts. Tags are refused; anchors are allowed up to a total size.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import yaml

from linkwork.errors import Fault
from linkwork.formats.base import MAX_DEPTH, Document, Format, SourceText, checked_top, unreadable

MAX_NODES = 500_000
_INTEGER = re.compile(r"[+-]?[0-9]+")
_FLOAT = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_WORDS: dict[str, Any] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    ".inf": math.inf,
    "-.inf": -math.inf,
    ".nan": math.nan,
}
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass
class _Open:
    """A list or mapping that is not closed yet."""

    value: list[Any] | dict[str, Any]
    path: str
    anchor: str | None
    size: int = 1
    key: str | None = None
    key_lines: dict[str, int] = field(default_factory=dict)


class _Builder:
    """Builds plain data from events with an explicit stack."""

    def __init__(self) -> None:
        self.stack: list[_Open] = []
        self.anchors: dict[str, tuple[Any, int]] = {}
        self.lines: dict[str, int] = {}
        self.faults: list[Fault] = []
        self.result: Any = None
        self.documents = 0

    def handle(self, event: yaml.Event) -> None:
        line = event.start_mark.line + 1 if event.start_mark else 0
        if isinstance(event, yaml.DocumentStartEvent):
            self.documents += 1
            if self.documents > 1:
                raise unreadable(f"line {line}: a second document begins", "put one mechanism in a file")
        elif isinstance(event, yaml.AliasEvent):
            self._alias(str(event.anchor), line)
        elif isinstance(event, yaml.ScalarEvent):
            self._scalar(event, line)
        elif isinstance(event, yaml.CollectionStartEvent):
            self._open(event, line)
        elif isinstance(event, yaml.CollectionEndEvent):
            closed = self.stack.pop()
            self._put(closed.value, closed.size, closed.anchor)

    def _scalar(self, event: yaml.ScalarEvent, line: int) -> None:
        if event.tag not in (None, "!"):
            raise unreadable(f"line {line}: the tag {str(event.tag)[:40]} is not supported", "write plain values")
        if self._expects_key():
            self._key(event.value, line)
            return
        plain = not event.style and event.tag is None
        self._locate(line)
        self._put(plain_value(event.value) if plain else event.value, 1, event.anchor)

    def _open(self, event: yaml.CollectionStartEvent, line: int) -> None:
        if event.tag not in (None, "!"):
            raise unreadable(f"line {line}: the tag {str(event.tag)[:40]} is not supported", "write plain values")
        if self._expects_key():
            raise unreadable(f"line {line}: a key must be a name, not a list or mapping")
        if len(self.stack) >= MAX_DEPTH:
            raise unreadable(f"line {line}: nested more than {MAX_DEPTH} deep")
        self._locate(line)
        value: list[Any] | dict[str, Any] = [] if isinstance(event, yaml.SequenceStartEvent) else {}
        self.stack.append(_Open(value, self._path(), event.anchor))

    def _alias(self, anchor: str, line: int) -> None:
        if self._expects_key() or anchor not in self.anchors:
            raise unreadable(f"line {line}: *{anchor} refers to nothing that is complete at this place")
        value, size = self.anchors[anchor]
        self._locate(line)
        self._put(value, size, None)

    def _expects_key(self) -> bool:
        return bool(self.stack) and isinstance(self.stack[-1].value, dict) and self.stack[-1].key is None

    def _key(self, key: str, line: int) -> None:
        top = self.stack[-1]
        if key in top.key_lines:
            path = f"{top.path}.{key}" if top.path else key
            reason = f"line {line}: is given twice, first in line {top.key_lines[key]}"
            self.faults.append(Fault(path, reason, "remove or rename one of them"))
        top.key_lines[key] = line
        top.key = key
        self.lines[self._path()] = line

    def _path(self) -> str:
        """Path of the value that comes next."""
        if not self.stack:
            return ""
        top = self.stack[-1]
        if isinstance(top.value, list):
            return f"{top.path}[{len(top.value)}]"
        return f"{top.path}.{top.key}" if top.path else str(top.key)

    def _locate(self, line: int) -> None:
        self.lines.setdefault(self._path(), line)

    def _put(self, value: Any, size: int, anchor: str | None) -> None:
        if anchor is not None:
            self.anchors[anchor] = (value, size)
        if not self.stack:
            self.result = value
            return
        top = self.stack[-1]
        top.size += size
        if top.size > MAX_NODES:
            raise unreadable(f"the file expands to more than {MAX_NODES} values")
        if isinstance(top.value, dict):
            top.value[str(top.key)] = value
            top.key = None
        else:
            top.value.append(value)


def plain_value(text: str) -> Any:
    """The value of an unquoted word: number, true, false, nothing, or the text itself."""
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text) and len(text) < 20:
        return int(text)
    return float(text) if _FLOAT.fullmatch(text) else text


def read_yaml(source: SourceText) -> Document:
    """Read a YAML text."""
    builder = _Builder()
    try:
        for event in yaml.parse(source.text, Loader=_LOADER):
            builder.handle(event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        problem = str(error.problem or error.context)
        raise unreadable(f"{where}not valid YAML: {problem}", _advice(source.text, problem)) from None
    except (yaml.YAMLError, UnicodeError, RecursionError) as error:
        reason = " ".join(str(error).split())[:120]
        raise unreadable(f"not valid YAML: {reason or type(error).__name__}") from None
    return Document(checked_top(builder.result), builder.lines, tuple(builder.faults))


def _advice(text: str, problem: str) -> str:
    if "expected ','" in problem:
        return "inside { } and [ ] quote formulas that have brackets or commas"
    return "indent with spaces, YAML does not allow tabs" if "\t" in text else ""


class _OneLine(dict[str, Any]):
    """A mapping that is written on one line."""


class _Dumper(yaml.SafeDumper):
    """Writes no anchors."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


class _FastDumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
    """The same in compiled code, where the library has it."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


for _dumper in (_Dumper, _FastDumper):
    _dumper.add_representer(
        _OneLine, lambda dumper, data: dumper.represent_mapping("tag:yaml.org,2002:map", data, flow_style=True)
    )


def write_yaml(data: Mapping[str, Any]) -> str:
    """Write a YAML text: each section a block, each element on a line of its own."""
    lines = {key: _one_line_each(section) for key, section in data.items()}
    write: Any = partial(yaml.dump, lines, sort_keys=False, default_flow_style=None, allow_unicode=True, width=10**6)
    text: str = write(Dumper=_FastDumper)
    # compiled code knows no letters beyond the first 65 536
    if "\\U" in text:
        text = write(Dumper=_Dumper)
    return text


def _one_line_each(section: Any) -> Any:
    if not isinstance(section, Mapping):
        return section
    return {name: _OneLine(item) if isinstance(item, Mapping) else item for name, item in section.items()}


YAML = Format("YAML", (".yaml", ".yml"), read_yaml, write_yaml)
