"""Reactions as a table: in print their largest values, as an xarray Dataset all of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from linkwork.answer import Grid
from linkwork.arrays import Array
from linkwork.extras import bring
from linkwork.results.reaction import FORCE_COMPONENTS, MOMENT_COMPONENTS, Reaction
from linkwork.results.run_record import RunRecord

if TYPE_CHECKING:
    import xarray

HEADING = ("", "kind", "on", "by", "largest", "not unique")


def largest(reactions: Mapping[str, Reaction], on: str, result: RunRecord) -> list[str | Grid]:
    """The reactions in print: the largest size of each, and what is not unique."""
    lines: list[str | Grid] = [Grid([_row(reactions[name], on, result) for name in reactions], HEADING)]
    if any(not reactions[name].unique for name in reactions):
        lines.append("not unique: redundant constraints leave it open; the values of least norm are given")
    return [*lines, *torque_alone(reactions), *_singular(reactions)]


def torque_alone(reactions: Mapping[str, Reaction]) -> list[str]:
    """Couplings that do not know where they push: no bearing has their force."""
    names = [name for name in reactions if reactions[name].info.kind == "coupling" and not reactions[name].info.child]
    if not names:
        return []
    return [
        f"{', '.join(names)}: told without wheels that touch, so that efforts alone are passed on and no bearing has the "
        "force of teeth or belts; name bodies with radii or teeth"
    ]


def _row(reaction: Reaction, on: str, result: RunRecord) -> tuple[str, ...]:
    info = reaction.info
    body, other = (info.child, info.parent) if on == "child" else (info.parent, info.child)
    drawn = {joint.name: joint.kind for joint in result.drawing.joints}
    return (
        reaction.name,
        drawn.get(reaction.name, info.kind),
        body,
        other,
        _largest(reaction, result),
        " ".join(reaction.not_unique),
    )


def _largest(reaction: Reaction, result: RunRecord) -> str:
    """The largest force, moment and effort over the run."""
    parts = []
    for components, unit in ((FORCE_COMPONENTS, "N"), (MOMENT_COMPONENTS, "N*m")):
        held = [reaction[c] for c in components if c in reaction.info.components]
        if held:
            parts.append(f"{_peak(np.linalg.norm(held, axis=0)):.4g} {unit}")
    for name in reaction.info.components:
        if name not in (*FORCE_COMPONENTS, *MOMENT_COMPONENTS):
            quantity = result.quantity(f"{reaction.name}.{name}")
            label = "" if name == "effort" else f"{name} "
            parts.append(f"{label}{_peak(np.abs(reaction[name])):.4g} {quantity.unit}")
    return ", ".join(parts)


def _peak(sizes: Array) -> float:
    finite = sizes[np.isfinite(sizes)]
    return float(finite.max()) if finite.size else float("nan")


def _singular(reactions: Mapping[str, Reaction]) -> list[str]:
    """What is not unique at single moments, by their times."""
    at: dict[float, list[str]] = {}
    for name in reactions:
        for component, time in reactions[name].passing.items():
            at.setdefault(time, []).append(f"{name}.{component}")
    return [f"at t = {time:.6g} s the position is singular: {', '.join(at[time])} not unique" for time in sorted(at)]


def to_xarray(reactions: Mapping[str, Reaction], result: RunRecord) -> xarray.Dataset:
    """Forces and moments over time, joint and axis, efforts over time and actuator."""
    xarray = bring("xarray")
    d, over = result.drawing.dimension, result.variable
    acting = [reactions[name] for name in reactions if "effort" in reactions[name].info.components]
    pushing = [reactions[name] for name in reactions if set(reactions[name].info.components) - {"effort"}]
    turns = ["z"] if d == 2 else list("xyz")
    zero = np.zeros((len(result.time), 0))
    none = np.zeros((len(result.time), len(turns)))
    moments = [none if "effort" in item.info.components else np.reshape(item.moment, none.shape) for item in pushing]
    return xarray.Dataset(
        {
            "force": (("time", "joint", "axis"), _stack([item.force for item in pushing], zero), {"units": "N"}),
            "moment": (("time", "joint", "turn"), _stack(moments, zero), {"units": "N*m"}),
            "effort": (("time", "actuator"), np.column_stack([zero, *(item.effort for item in acting)])),
            "force_unique": (("joint", "axis"), _flags(pushing, FORCE_COMPONENTS[:d])),
            "moment_unique": (("joint", "turn"), _flags(pushing, tuple(f"m{turn}" for turn in turns))),
            "effort_unique": (("actuator",), [item.unique for item in acting]),
        },
        coords={
            "time": ("time", result.time, {"units": over.unit or "1", "long_name": over.name}),
            "joint": [item.name for item in pushing],
            "axis": list("xyz"[:d]),
            "turn": turns,
            "actuator": [item.name for item in acting],
        },
    )


def _stack(items: list[Array], zero: Array) -> Array:
    return np.stack(items, axis=1) if items else zero[:, :, None]


def _flags(items: list[Reaction], components: tuple[str, ...]) -> list[list[bool]]:
    return [[component not in item.not_unique for component in components] for item in items]
