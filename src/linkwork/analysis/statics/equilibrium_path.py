"""``equilibrium_path(model, {"F": loads})``: positions of rest along live parameters, each followed from the last.

By the load (``load_steps.py``) it stays on stable positions, and snaps where they end. By its own length
(``numerics/paths/arc_length.py``) it goes round limit points, along unstable positions too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from linkwork.algebra.given import Along, GivenValues, Parameters, Scalar
from linkwork.analysis.motion.output_units import parameter_unit
from linkwork.analysis.statics.load_steps import follow, snap
from linkwork.analysis.statics.path_points import LoadedCurve, PathPoint
from linkwork.analysis.statics.resting import (
    RestQuestion,
    ask,
    joint_units,
    moved_from_start,
    rest,
    sampled,
    singular_note,
)
from linkwork.analysis.statics.singular_rest import UsualFreedoms
from linkwork.analysis.walk.subject import Noun, subject_of
from linkwork.arguments import verb
from linkwork.arrays import Array
from linkwork.coordinates.numbering import KindChoice
from linkwork.coordinates.told import remarks
from linkwork.errors import EquilibriumError, RefusedError
from linkwork.model.parameters import ReadNumber
from linkwork.model.remarks import unstruck
from linkwork.numerics.paths.arc_length import END, Walk, walk
from linkwork.numerics.paths.rest import Search
from linkwork.progress import counted
from linkwork.results.equilibrium import stability_of
from linkwork.results.equilibrium_path import CriticalPoint, EquilibriumPath, Snap
from linkwork.results.quantities import Variable

PATH = "equilibrium_path"


@verb
def equilibrium_path(
    model: Noun,
    along: Along,
    *,
    method: str = "virtual_power",
    coordinates: KindChoice | None = None,
    start: GivenValues | None = None,
    parameters: Parameters | None = None,
    time: Scalar | None = None,
    stable: bool = True,
    arc_length: float | None = None,
    switch: bool = False,
    max_steps: int = 400,
    tolerance: float = 1e-12,
    max_iterations: int = 200,
) -> EquilibriumPath:
    """Follow a position of rest along live parameters: loads, springs, lengths, speeds of the ground.

    along: their values, of all parameters as many; the first ones are where the path begins
    stable: keep to stable positions and snap where they end; else follow positions of any sort, and end in an error
    arc_length: the longest step along the path, in radians, lengths by the size of the mechanism, shares of the range of the
    load (0.05 is a good one). The path then goes from the first to the last of two values in steps of its own, round limit
    points and through unstable positions, until it comes to the last one or goes as far to the other side; *stable* tells
    where it begins only. None: a position for all values
    switch: with *arc_length* it turns off at the first bifurcation, onto the path that crosses there
    max_steps: with *arc_length* at most so many
    Everything else is as in `find_equilibrium`.
    """
    series = subject_of(model, PATH).model.series_in_si(along)
    values = _values(series, arc_length is not None)
    search = Search(tolerance, max_iterations, stable)
    given = {**(parameters or {}), **{name: each[0] for name, each in series.items()}}
    begun = ask(
        model, search, method=method, coordinates=coordinates, at=start, parameters=given, time=time, asking=PATH
    )
    topology, known = begun.mechanism.topology, begun.mechanism.model.in_si(given)
    for row in zip(*values.values(), strict=True):
        topology.parameters(known | dict(zip(series, map(ReadNumber, row), strict=True)))
    first_rest = PathPoint(begun, rest(begun, begun.start))
    if arc_length is None:
        if switch:
            raise RefusedError("along the load a path goes where it is stable: switch belongs to arc_length=0.05")
        found, snaps = _by_load(first_rest, values)
        return _path(found, values, snaps=tuple(snaps))
    if not arc_length > 0.0 or max_steps < 2:
        raise RefusedError(
            f"arc_length = {arc_length}, max_steps = {max_steps}: it needs steps above zero, two or more of them"
        )
    return _by_arc(first_rest, values, Walk(longest=arc_length, tolerance=tolerance, switch=switch), max_steps)


def _values(given: Mapping[str, Sequence[float]], by_arc: bool) -> dict[str, Array]:
    values = {name: np.array(series) for name, series in given.items()}
    sizes = {name: len(series) for name, series in values.items()}
    told = ", ".join(f"{name}: {size}" for name, size in sizes.items()) or "nothing"
    if not values or len(set(sizes.values())) > 1 or 0 in sizes.values():
        raise RefusedError(f"a path needs live parameters with as many values each, at least one; it got {told}")
    if by_arc and (set(sizes.values()) != {2} or not any(np.ptp(series) for series in values.values())):
        raise RefusedError(
            f"with arc_length it goes from a first to another last value in steps of its own; it got {told}"
        )
    return values


def _places(question: RestQuestion, names: Sequence[str]) -> list[int]:
    return [question.mechanism.coordinates.geometry.parameter_names.index(name) for name in names]


def _by_load(start: PathPoint, values: Mapping[str, Array]) -> tuple[list[PathPoint], list[Snap]]:
    names = list(values)
    places, found, snaps = _places(start.question, names), [start], []
    rows = np.column_stack([values[name] for name in names])[1:]
    for i, row in enumerate(counted(rows, "following the equilibrium"), start=1):
        point, broken = follow(found[-1], places, row)
        if broken is not None:
            snaps.append(snap(i, names, broken, found[-1], point))
        found.append(point)
    return found, snaps


def _by_arc(start: PathPoint, values: Mapping[str, Array], how: Walk, points: int) -> EquilibriumPath:
    """From the first to the last values in steps of the path, its special points among them."""
    question, names = start.question, list(values)
    change = np.zeros_like(question.statics.p)
    change[_places(question, names)] = [series[1] - series[0] for series in values.values()]
    curve, kind = LoadedCurve(question, change), ""
    found: list[PathPoint] = []
    critical: list[CriticalPoint] = []
    loads: list[float] = []
    for point in walk(curve, start.found.rest.x, how):
        if not found and abs(point.turn) < 1e-9:
            loose = ", ".join(_critical("", 0, {}, start).moves)
            raise EquilibriumError(f"{question.name}: nothing holds {loose} against the load where the path begins")
        found.append(curve.point(point.x, point.load))
        loads.append(point.load)
        kind = point.kind
        if kind and kind != END:
            at = {name: float(series[0] + point.load * np.diff(series)[0]) for name, series in values.items()}
            critical.append(_critical(kind, len(found) - 1, at, found[-1]))
        if len(found) >= points:
            break
    if not found:
        raise EquilibriumError(f"{question.name}: the path cannot be followed from where it begins")
    shares = np.array(loads)
    taken = {name: series[0] + shares * (series[1] - series[0]) for name, series in values.items()}
    notes = _ends(taken, values, kind, len(found) >= points)
    return _path(found, taken, critical=tuple(critical), notes=notes)


def _critical(kind: str, index: int, parameters: dict[str, float], point: PathPoint) -> CriticalPoint:
    softest = min(point.found.directions, key=lambda direction: abs(direction.curvature))
    return CriticalPoint(kind, index, parameters, softest.along, softest.moves)


def _ends(taken: Mapping[str, Array], values: Mapping[str, Array], kind: str, many: bool) -> tuple[str, ...]:
    """Why a path ended, where it did not come to its last values."""
    at = ", ".join(f"{name} = {series[-1]:.6g}" for name, series in taken.items())
    if kind == END:
        name, series = next((n, s) for n, s in values.items() if np.ptp(s))
        reached = abs(taken[name][-1] - series[1]) < abs(taken[name][-1] - series[0])
        return () if reached else (f"it went to the other side: it ends at {at}",)
    return (
        f"it ends at {at} after {len(taken[next(iter(taken))])} points; allow more with max_steps"
        if many
        else f"it cannot be followed beyond {at}",
    )


def _path(
    points: list[PathPoint],
    values: Mapping[str, Array],
    *,
    snaps: tuple[Snap, ...] = (),
    critical: tuple[CriticalPoint, ...] = (),
    notes: tuple[str, ...] = (),
) -> EquilibriumPath:
    first = points[0].question
    states = np.array([point.question.statics.state(point.found.rest.x) for point in points])
    p = np.array([point.question.statics.p for point in points])
    singular = _singular(points)
    curvatures = [[d.curvature for d in point.found.directions] or [np.inf] for point in points]
    return EquilibriumPath(
        name=first.name,
        parameters=dict(values),
        result=sampled(first, np.arange(float(len(points))), states, p, Variable("position", "")),
        energy=np.array([point.question.statics.energy(point.found.rest.x) for point in points]),
        softest=np.array([min(item) for item in curvatures]),
        stability=tuple(
            stability_of(point.found.directions, bool(told)) for point, told in zip(points, singular, strict=True)
        ),
        snaps=snaps,
        joints=joint_units(first.statics),
        critical=critical,
        notes=(
            *_singular_notes(singular, values),
            *remarks(first.mechanism.coordinates, p),
            *unstruck(first.mechanism.model),
            *notes,
        ),
        moved=moved_from_start(first, points[0].found.rest.x),
        units={name: parameter_unit(first.mechanism.model.parameters, name) for name in values},
    )


def _singular(points: Sequence[PathPoint]) -> list[str]:
    """What is singular about each position; empty where it is regular."""
    first = points[0].question
    usual = UsualFreedoms(first.mechanism, first.statics, first.start)
    return [usual.exceeded(each.question.statics, each.found.rest.x, each.found.directions) for each in points]


def _singular_notes(singular: Sequence[str], values: Mapping[str, Array]) -> tuple[str, ...]:
    """A note with the loads between which positions are singular, and how the first of them is."""
    first, (name, series) = next(filter(None, singular), ""), next(iter(values.items()))
    if not first:
        return ()
    there = series[list(map(bool, singular))]
    to = f" to {np.max(there):.6g}, in {len(there)} of {len(singular)} samples" if len(there) > 1 else ""
    return (singular_note(first, f" at {name} = {np.min(there):.6g}{to},"),)
