"""Numbers of a model become live parameters: dragging a point or a length then compiles nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from linkwork.algebra.expressions import Expression
from linkwork.errors import UnknownNameError, did_you_mean
from linkwork.model.described import Described
from linkwork.model.element import expressions_in
from linkwork.model.fields import write

SECTIONS = ("definitions", "points", "bodies", "joints", "couplings", "relations", "drivers", "forces", "initial")
AXES = "xyz"
Keys = tuple[str | int, ...]


def with_live(model: Described, places: tuple[str, ...]) -> dict[str, Any]:
    """The plain data of the changed mechanism; see `Model.with_live`."""
    data = model.plain()
    numbers = {path: keys for path, _, keys in _numbers(model, data)}
    formulas = {path: value for path, value, _ in _numbers(model, data)}
    lengths = [path for path in numbers if re.fullmatch(r"bodies\.[^.]+\.length", path)]
    wanted = places or ("points", *lengths)
    known = [*model.parameters, *SECTIONS, *numbers]
    chosen: dict[str, None] = {}
    live = {name for name in wanted if name in model.parameters}
    for place in wanted:
        found = [path for path in numbers if re.match(rf"{re.escape(place)}(?![^.\[])", path)]
        if not found and place not in (*live, "points"):
            raise UnknownNameError(
                f"with_live: there is no number '{place}' in the model; {did_you_mean(place, known)}"
            )
        chosen.update(dict.fromkeys(found))
    given: dict[str, Any] = dict(data.get("parameters", {}))
    for path in chosen:
        used = _parameters_in(model, formulas[path])
        live |= used
        if not used and not formulas[path].names():
            name = _new_name(path, model, given)
            given[name] = {"value": _swap(data, numbers[path], name), "live": True, "description": path}
    for name in live:
        given[name] = {**(given[name] if isinstance(given[name], dict) else {"value": given[name]}), "live": True}
    return {**data, "parameters": given}


def _numbers(model: Described, data: dict[str, Any]) -> Iterator[tuple[str, Expression, Keys]]:
    """Path, expression and keys in the data of all numbers and formulas that stand there as they are."""
    for section in SECTIONS:
        for path, value in expressions_in(getattr(model, section), section):
            keys = tuple(int(word) if word.isdigit() else word for word in re.findall(r"[^.\[\]]+", path))
            item: Any = data
            for key in keys:
                inside = key in item if isinstance(item, dict) else isinstance(item, list) and isinstance(key, int)
                item = item[key] if inside else None
            if item is not None and item == write(value):
                yield path, value, keys


def _parameters_in(model: Described, formula: Expression) -> set[str]:
    """The parameters of a formula that depend on no others."""
    found, left = set(), list(formula.names() & model.parameters.keys())
    while left:
        name = left.pop()
        deeper = model.parameters[name].value.names() & model.parameters.keys()
        left += deeper
        found |= set() if deeper else {name}
    return found


def _new_name(path: str, model: Described, given: dict[str, Any]) -> str:
    words = re.findall(r"[^.\[\]]+", path)[1:]
    if words[-1].isdigit() and int(words[-1]) < len(AXES):
        words[-1] = AXES[int(words[-1])]
    name = re.sub(r"\W", "_", "_".join(words))
    name = name if re.match(r"[A-Za-z]", name) else f"p_{name}"
    while name in given or any(name in getattr(model, section) for section in SECTIONS):
        name += "_"
    return name


def _swap(data: dict[str, Any], keys: Keys, name: str) -> Any:
    """Put a name in the place of a number, and give the number."""
    item: Any = data
    for key in keys[:-1]:
        item = item[key]
    number, item[keys[-1]] = item[keys[-1]], name
    return number
