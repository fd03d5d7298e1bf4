"""A result in a few lines of text: how it ended, what can be said of its numbers, how far it moved, its largest loads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import degrees

import numpy as np

from linkwork.arrays import Array
from linkwork.results.loads import PeakLoad, extreme_of
from linkwork.results.outcome import EventRecord
from linkwork.results.reaction import TENSION
from linkwork.results.reactions import Reactions
from linkwork.results.run_record import RunRecord
from linkwork.results.timing import duration

Fact = tuple[str, str]
LISTED = 8  # freedoms, drivers, events and names of quantities that are told one by one
STEPPED = ("rtol", "atol", "fixed step")  # settings that say how accurate a step is
COSTS = ("steps", "rejected", "positions", "evaluations", "iterations", "Newton iterations")
NOTHING = 1e-9  # of the largest load, and m/s² of all masses: a load that is less is a rounding error
SPIN = ".spinx"  # of the three components of a turning that is the rate of no coordinate, the first


def summarise(result: RunRecord) -> list[Fact]:
    """Rows (label, text): outcome, span, quality, motion, loads, events, settings, costs, quantities."""
    rows: list[Fact] = [("outcome", str(result.outcome)), (result.variable.name, _span(result)), *_quality(result)]
    rows += [(label, "\n".join(lines)) for label, lines in _motion(result) if lines]
    if result.events:
        rows.append(("events", "\n".join(_events(result))))
    if result.modes.loose:
        rows.append(("modes", "\n".join(_shortened(result.modes.lines))))
    settings = {name: text for name, text in result.settings.items() if name not in STEPPED}
    if settings:
        rows.append(("settings", ", ".join(f"{name} {text}" for name, text in settings.items())))
    if result.statistics:
        rows.append(("cost", ", ".join(_costs(result.statistics))))
    names = result.names()
    return [*rows, ("quantities", f"{len(names)}: " + ", ".join(_shortened(names)))]


def _span(result: RunRecord) -> str:
    if not len(result):
        return "no samples"
    unit = f" {result.variable.unit}" if result.variable.unit else ""
    return f"{result.time[0]:g} to {result.time[-1]:g}{unit}, {many(len(result), 'samples')}"


def many(count: int, words: str) -> str:
    """So many of something that is named in the plural: ``1 step``, ``2 steps of rk4``."""
    first, space, others = words.partition(" ")
    return f"{count} {first.removesuffix('s') if count == 1 else first}{space}{others}"


def _events(result: RunRecord) -> list[str]:
    """Each of a few; of many how often each of them was, from when to when, with their largest values."""
    if len(result.events) <= LISTED:
        return [str(event) for event in result.events]
    alike: dict[str, list[EventRecord]] = {}
    for event in result.events:
        alike.setdefault(event.name, []).append(event)
    return _shortened([_often(events) for events in alike.values()])


def _often(events: Sequence[EventRecord]) -> str:
    """Events of one name, with the largest of their values other than times."""
    first, last = events[0], events[-1]
    if len(events) == 1:
        return str(first)
    peaks = {
        name: max(events, key=lambda e: abs(e.values.get(name, 0.0)))
        for name in first.values
        if first.units.get(name) != "s"
    }
    most = "".join(f", {name} at most {event.told(name)}" for name, event in peaks.items())
    return f"{first.name} {len(events)} times, from t = {first.time:.6g} s to {last.time:.6g} s{most}"


# -- what can be said of its numbers ---------------------------------------------------------------------------


def _quality(result: RunRecord) -> list[Fact]:
    rows = []
    if result.auditor is not None:
        rows.append(("audit", "\n".join([result.audit.line, *result.audit.findings])))
    told = str(result.accuracy) if result.accuracy is not None else _tolerances(result.settings)
    return [*rows, ("accuracy", told)] if told else rows


def _tolerances(settings: Mapping[str, str]) -> str:
    """What was asked of a step, where nobody has asked for an error of the whole run."""
    asked = " and ".join(f"{name} {settings[name]}" for name in STEPPED if name in settings)
    return f"{asked} at every step (accuracy=1e-6 bounds that of the whole run)" if asked else ""


def _costs(statistics: Mapping[str, float | int | str]) -> Iterator[str]:
    """What a user can judge of what it took, in words; all numbers are in ``statistics``."""
    for name, value in statistics.items():
        if name.startswith("wall time"):
            yield f"{duration(float(value))} of computing"
        elif value and (name in COSTS or name.startswith("steps of ")):
            yield many(int(value), name)


# -- how far it moved, and what it had to bear -----------------------------------------------------------------


def _motion(result: RunRecord) -> Iterator[tuple[str, list[str]]]:
    if len(result):
        yield "freedoms", _freedoms(result)
        peaks = Reactions(result).peaks()
        least = smallest_load(result, peaks)
        yield "peaks", [*largest_loads(result, peaks, least), *_shortened(list(_drivers(result, least)))]
        yield "contacts", _shortened(list(_pulling(result, least)))


def _freedoms(result: RunRecord) -> list[str]:
    """How far the first of them went; those that are not told are not looked at."""
    known = [name for name in result.freedoms if name in result]
    told = [name.removesuffix(SPIN) for name in result.freedoms if name.endswith(SPIN) and _tells_turning(result, name)]
    result.values(known[:LISTED])
    texts = [_range(result, name) for name in known[:LISTED]]
    texts += [_turning(result, name) for name in told[: LISTED - len(texts)]]
    more = len(known) + len(told) - len(texts)
    return [*texts, *([f"... and {more} more"] if more else [])]


def _tells_turning(result: RunRecord, spin: str) -> bool:
    return all(f"{spin.removesuffix(SPIN)}.w{axis}" in result for axis in "xyz")


def _turning(result: RunRecord, name: str) -> str:
    """How a body or a ball joint turns, which no coordinates tell: how far from its first attitude, and how fast."""
    rates, parts = [f"{name}.w{axis}" for axis in "xyz"], [f"{name}.q{i}" for i in range(4)]
    texts = [f"at up to {_largest(np.degrees(np.linalg.norm([result[x] for x in rates], axis=0)))} deg/s"]
    if all(part in result for part in parts):
        texts.insert(0, f"by up to {_largest(np.degrees(_turned(np.array([result[part] for part in parts]))))} deg")
    return f"{name} turns {', '.join(texts)}"


def _turned(q: Array) -> Array:
    """Angle (N) between the first attitude and that of every sample, of unit quaternions (4 × N), rad."""
    # q conj(q₀) = (cos α/2, n sin α/2)
    w, u = (
        q[0] * q[0, 0] + q[1:].T @ q[1:, 0],
        q[1:].T * q[0, 0] - np.outer(q[0], q[1:, 0]) - np.cross(q[1:].T, q[1:, 0]),
    )
    return np.asarray(2.0 * np.arctan2(np.linalg.norm(u, axis=1), np.abs(w)))


def _largest(values: Array) -> str:
    size = float(np.nanmax(values, initial=0.0))
    return f"{size if size > NOTHING else 0.0:.5g}"


def _range(result: RunRecord, name: str) -> str:
    """From where to where a coordinate went."""
    values, unit = result[name], result.quantity(name).unit
    known = values[np.isfinite(values)]
    if not known.size:
        return f"{name} has no value"
    low, high = (degrees(end) if unit == "rad" else float(end) for end in (known.min(), known.max()))
    shown = "deg" if unit == "rad" else unit
    size = max(abs(low), abs(high))
    texts = [f"{end if abs(end) > 1e-9 * size else 0.0:.5g}" for end in (low, high)]
    return f"{name} {' to '.join(dict.fromkeys(texts))} {shown}".rstrip()


def largest_loads(result: RunRecord, peaks: Sequence[PeakLoad], least: float) -> Iterator[str]:
    """The largest force and the largest moment of any joint or relation; *least*: what is more than a rounding error."""
    for what, unit in (("force", "N"), ("moment", "N*m")):
        known = [peak for peak in peaks if np.isfinite(getattr(peak, what))]
        largest = max(known, key=lambda peak: float(getattr(peak, what)), default=None)
        size = 0.0 if largest is None else float(getattr(largest, what))
        if largest is not None and size > least:
            loose = " (not unique)" if _is_loose(largest, what) else ""
            when = getattr(largest, f"{what}_time")
            at = f" at {result.variable.place(when)}" if len(result) > 1 else ""
            loose += _pulled(result, largest.element, when) if what == "force" else ""
            yield f"{what} {size:.4g} {unit} in {largest.element}{loose}{at}"


def _pulling(result: RunRecord, least: float) -> Iterator[str]:
    """Wheels that would lift off: what holds them pulls where a contact can only push."""
    names = [
        name
        for name, info in result.source.reaction_components.items()
        if info.kind == "relation" and "normal" in info.components and f"{name}.contact.x" in result
    ]
    for name in names:
        push = result[f"{name}.normal"]
        pulls = np.flatnonzero(push < -least)
        if pulls.size:
            since = result.variable.place(float(result.time[pulls[0]]))
            yield f"{name} pulls, first at {since}, with up to {-float(np.nanmin(push)):.4g} N: a real wheel would lift off"


def smallest_load(result: RunRecord, peaks: Sequence[PeakLoad]) -> float:
    """What is more than a rounding error of a load, N or N m."""
    drivers = (abs(extreme_of(result.time, effort)[0]) for effort in _efforts(result).values())
    sizes = [*(x for peak in peaks for x in (peak.force, peak.moment)), *drivers]
    mass = float(result["mass.total"][0]) if "mass.total" in result else 0.0
    return NOTHING * max(mass, *(float(size) for size in sizes if np.isfinite(size)), 0.0)


def _efforts(result: RunRecord) -> dict[str, Array]:
    """What every driver gives (N), N or N m."""
    infos = result.source.reaction_components.items()
    return {name: result[f"{name}.effort"] for name, x in infos if x.kind == "driver" and "effort" in x.components}


def _pulled(result: RunRecord, element: str, when: float) -> str:
    """Which way a rod or strut is loaded, whose force has a sign of its own."""
    name = f"{element}.{TENSION}"
    return f" ({TENSION} {result[name][result.time == when][0]:.4g} N)" if name in result else ""


def _is_loose(peak: PeakLoad, what: str) -> bool:
    return any(component.startswith(what[0]) for component in peak.not_unique)


def _drivers(result: RunRecord, least: float) -> Iterator[str]:
    """What each driver has to give at most; inputs of a motion are told by their coordinates."""
    inputs = {f"input_{name.replace('.', '_')}": name for name in result.freedoms}
    for name, effort in _efforts(result).items():
        size, place = extreme_of(result.time, effort)
        if abs(size) > least:
            unit = result.quantity(f"{name}.effort").unit
            what = "torque" if unit == "N*m" else "force"
            whose = f"along {inputs[name]}" if name in inputs else f"of {name}"
            yield f"{what} {size:.4g} {unit} {whose} at {result.variable.place(place)}"


def _shortened(entries: Sequence[str], most: int = LISTED) -> list[str]:
    return [*entries] if len(entries) <= most else [*entries[:most], f"... and {len(entries) - most} more"]
