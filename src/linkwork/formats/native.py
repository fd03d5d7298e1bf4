"""Model files: the native description as YAML or JSON, and ACUBE command files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from linkwork.algebra.given import FilePath
from linkwork.arguments import verb
from linkwork.errors import Fault, ModelError, did_you_mean
from linkwork.formats.base import Document, Format, SourceText
from linkwork.formats.files import seen_from, with_files
from linkwork.formats.json_text import JSON
from linkwork.formats.yaml_text import YAML
from linkwork.model import Model
from linkwork.model.named_files import files_within
from linkwork.plugins import discover
from linkwork.progress import told
from linkwork.storage import replaced
from linkwork.uncollected import uncollected

EXAMPLES = Path(__file__).parents[1] / "mechanisms"
"""The folder of the mechanisms that come with Linkwork."""


def _read_acube(source: SourceText) -> Document:
    from linkwork.formats.acube import read_acube  # only such files need it

    return Document(read_acube(source.text).model.to_dict())


def _write_acube(data: Mapping[str, Any]) -> str:
    from linkwork.formats.acube_writer import write_acube  # only such files need it

    return write_acube(Model(**data))


ACUBE = Format("ACUBE", (".dat",), _read_acube, _write_acube)
ALL_FORMATS: list[Format] = [YAML, JSON, ACUBE]
MAX_BYTES = 32 * 1024 * 1024


@verb
def load(path: FilePath, *, allow_outside: bool = False) -> Model:
    """Read a model file; the suffix (.yaml, .yml, .json, .dat) tells the format. All faults come in one ModelError.

    allow_outside: tables and meshes that it names may also lie outside its folder.
    """
    file = Path(path)
    source = str(path)
    format_ = _format_of(file, source)
    with files_within(None if allow_outside else file.parent):
        return _build(_text_of(file, source), format_, source, file.parent)


@verb
def loads(text: str, format: str = "yaml", *, allow_outside: bool = False) -> Model:
    """Read a model from a text in the named format ('yaml', 'json' or 'acube').

    allow_outside: tables and meshes that it names may also lie outside the working directory.
    """
    with files_within(None if allow_outside else Path()):
        return _build(text, _named(format), f"{format} text")


@verb
def dump(model: Model, format: str = "yaml") -> str:
    """Write a model as a text that loads to an equal model."""
    return _named(format).text(model.to_dict())


@verb
def save(model: Model, path: FilePath, *, overwrite: bool | None = None) -> Path:
    """Write a model file, whole or not at all; the suffix tells the format.

    overwrite: None refuses a file that is there with other content (a model file does not tell who wrote it), True replaces
    any file, False none.
    """
    text, file = file_text(model, path), Path(path)
    try:
        with replaced(file, lambda part: _check_target(file, part, overwrite)) as part:
            part.write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        raise _failed(str(path), f"cannot be written: {_reason(error)}") from None
    return file


def _check_target(file: Path, part: Path, overwrite: bool | None) -> None:
    """Complain if a file stands there that may not be replaced by *part*."""
    if overwrite or not file.exists():
        return
    if overwrite is False or not (file.is_file() and file.read_bytes() == part.read_bytes()):
        other = "" if overwrite is False else " with other content"
        raise _failed(str(file), f"exists already{other}", "choose another name, or allow it with overwrite=True")


def file_text(model: Model, path: FilePath) -> str:
    """The text of a model file with this name; files that it names are seen from its folder."""
    file = Path(path)
    return _format_of(file, str(path)).text(with_files(model.to_dict(), lambda name: seen_from(file.parent, name)))


@told("reading")
@uncollected()
def _build(text: str, format_: Format, source: str, folder: Path | None = None) -> Model:
    """Read a text and construct the model; faults carry the line where they are, files are sought in the *folder*."""
    try:
        document = format_.document(SourceText(text, folder))
    except ModelError as error:
        raise ModelError(error.faults, source) from None
    faults = list(document.faults)
    model: Model | None = None
    try:
        data = with_files(document.data, lambda name: (folder / name).as_posix() if folder else name)
        more: dict[str, Any] = {"notes": [*data.get("notes", ()), *document.notes]} if document.notes else {}
        more |= {"renames": document.renames} if document.renames else {}
        model = Model(**{**data, **more})
    except ModelError as error:
        faults += [_with_line(fault, document) for fault in error.faults]
    if model is None or faults:
        raise ModelError(faults, source)
    return model


def _with_line(fault: Fault, document: Document) -> Fault:
    line = _line_of(fault.path, document.lines)
    others = "".join(
        f" ('{document.renames[part]}' in the file)" for part in fault.path.split(".") if part in document.renames
    )
    return Fault(
        fault.path, f"line {line}: {fault.reason}{others}" if line else fault.reason + others, fault.suggestion
    )


def _line_of(path: str, lines: Mapping[str, int]) -> int | None:
    """The line of a path, or of the nearest one around it."""
    while path:
        if path in lines:
            return lines[path]
        path = path[: max(path.rfind("."), path.rfind("["), 0)]
    return None


def _text_of(file: Path, source: str) -> str:
    try:
        if file.stat().st_size > MAX_BYTES:
            raise _failed(source, f"is larger than {MAX_BYTES // 1024 // 1024} MB")
        return file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        hint = "save it as UTF-8 text"
        raise _failed(source, f"is not UTF-8 text (byte {error.start + 1})", hint) from None
    except (OSError, ValueError) as error:
        raise _failed(source, f"cannot be read: {_reason(error)}", _similar(file)) from None


def _reason(error: Exception) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)


def _similar(file: Path) -> str:
    """Model files of the same folder, when the named one is not there."""
    suffixes = {suffix for format_ in ALL_FORMATS for suffix in format_.suffixes}
    try:
        names = [entry.name for entry in file.parent.iterdir() if entry.suffix in suffixes and entry.name != file.name]
    except (OSError, ValueError):
        return ""
    return did_you_mean(file.name, names) if names else ""


def _format_of(file: Path, source: str) -> Format:
    for format_ in ALL_FORMATS:
        if file.suffix.lower() in format_.suffixes:
            return format_
    if discover():
        return _format_of(file, source)
    known = ", ".join(suffix for format_ in ALL_FORMATS for suffix in format_.suffixes)
    if (EXAMPLES / f"{file.name}.yaml").is_file():
        hint = f'"linkwork new {file.name}" writes it to {file.name}.yaml; in Python it is lw.example("{file.name}")'
        raise _failed(source, f"'{file.name}' is an example, not a file", hint)
    raise _failed(source, f"the suffix '{file.suffix}' does not tell the format", f"use one of: {known}")


def _named(name: str) -> Format:
    for format_ in ALL_FORMATS:
        if name.lower() in (format_.name.lower(), *(suffix[1:] for suffix in format_.suffixes)):
            return format_
    if discover():
        return _named(name)
    known = [format_.name.lower() for format_ in ALL_FORMATS]
    raise _failed("format", f"'{name}' is not a known format", did_you_mean(name, known))


def _failed(source: str, reason: str, suggestion: str = "") -> ModelError:
    return ModelError([Fault("", reason, suggestion)], source)
