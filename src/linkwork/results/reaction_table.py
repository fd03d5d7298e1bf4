"""Reactions as a table: in print their largest values, as an xarray Dataset all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from linkwork.answer import Grid, Units
from linkwork.arrays import Array
from linkwork.extras import bring
from linkwork.results.loads import PeakLoad, PeakLoads, extreme_of, largest_of
from linkwork.results.reaction import FORCE_COMPONENTS, MOMENT_COMPONENTS, Reaction
from linkwork.results.run_record import RunRecord

if TYPE_CHECKING:
    import xarray

HEADING = ("", "kind", "on", "by", "not unique", "largest")
NOTHING = 1e-12  # of the largest of all: what is less is a rounding error


def largest(reactions: Mapping[str, Reaction], on: str, result: RunRecord) -> list[str | Grid]:
    """The reactions in print: the largest size of each, and what is not unique."""
    sizes = {name: dict(_sizes(reactions[name], result)) for name in reactions}
    tiny = NOTHING * max((abs(size) for own in sizes.values() for (size, _), _ in own.values()), default=0.0)
    rows = [_row(reactions[name], on, result, sizes[name], tiny) for name in reactions]
    loose = any(not reactions[name].unique for name in reactions)
    # a column without entries tells nothing
    kept = [i for i, head in enumerate(HEADING) if loose or head != "not unique"]
    lines: list[str | Grid] = [Grid([[row[i] for i in kept] for row in rows], [HEADING[i] for i in kept])]
    if loose:
        lines.append("not unique: redundant constraints leave it open; the values of least norm are given")
    return [*lines, *torque_alone(reactions), *_singular(reactions)]


def peak_loads(reactions: Mapping[str, Reaction], result: RunRecord, units: Units | None = None) -> PeakLoads:
    """The largest force and moment of every joint and relation, and of teeth where they touch; *units*: of the columns."""
    found = []
    for name, reaction in reactions.items():
        info = reaction.info
        if info.kind in ("joint", "relation") or set(info.components) & set(FORCE_COMPONENTS):
            force, moment = (
                _peak_of(reaction, [c for c in components if c in info.components], result.time)
                for components in (FORCE_COMPONENTS, MOMENT_COMPONENTS)
            )
            found.append(PeakLoad(name, *force, *moment, reaction.not_unique))
    table = PeakLoads(result.name, tuple(found), result.variable.at, units=units or {})
    # units that do not fit are told now
    table.shown()
    return table


def _peak_of(reaction: Reaction, components: Sequence[str], time: Array) -> tuple[float, float]:
    if not components or not len(time):
        return 0.0, float("nan")
    return largest_of(time, np.hypot.reduce([reaction[c] for c in components], axis=0))


def torque_alone(reactions: Mapping[str, Reaction]) -> list[str]:
    """Couplings that do not know where they push: no bearing has their force."""
    names = [name for name in reactions if reactions[name].info.kind == "coupling" and not reactions[name].info.child]
    if not names:
        return []
    return [
        f"{', '.join(names)}: told without wheels that touch, so that efforts alone are passed on and no bearing has the "
        "force of teeth or belts; name bodies with radii or teeth"
    ]


ReactionPeaks = Mapping[str, tuple[tuple[float, float], str]]
"""Of a reaction the largest force, moment and others by name, each with its place, and its unit."""


def _row(reaction: Reaction, on: str, result: RunRecord, sizes: ReactionPeaks, tiny: float) -> tuple[str, ...]:
    info = reaction.info
    body, other = (info.child, info.parent) if on == "child" else (info.parent, info.child)
    drawn = {joint.name: joint.kind for joint in result.drawing.joints}
    return (
        reaction.name,
        drawn.get(reaction.name, info.kind),
        body,
        other,
        " ".join(reaction.not_unique),
        ", ".join(_told(name, found, unit, tiny, result) for name, (found, unit) in sizes.items()),
    )


def _sizes(reaction: Reaction, result: RunRecord) -> Iterator[tuple[str, tuple[tuple[float, float], str]]]:
    """The largest force, moment and effort over the run, and when; what is one number has its sign."""
    for name, components, unit in (("force", FORCE_COMPONENTS, "N"), ("moment", MOMENT_COMPONENTS, "N*m")):
        held = [c for c in components if c in reaction.info.components]
        if held:
            yield name, (_peak_of(reaction, held, result.time), unit)
    for name in reaction.info.components:
        if name not in (*FORCE_COMPONENTS, *MOMENT_COMPONENTS):
            unit = result.quantity(f"{reaction.name}.{name}").unit
            yield name, (extreme_of(result.time, reaction[name]), unit)


def _told(name: str, found: tuple[float, float], unit: str, tiny: float, result: RunRecord) -> str:
    """A size in words: 148.4 N at 0.5 s; forces, moments and efforts are told by their units."""
    size, place = found
    label = "" if name in ("force", "moment", "effort") else f"{name} "
    if abs(size) <= tiny or len(result) < 2:
        return f"{label}{0.0 if abs(size) <= tiny else size:.4g} {unit}"
    return f"{label}{size:.4g} {unit} at {place:.4g} {result.variable.unit}".rstrip()


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
