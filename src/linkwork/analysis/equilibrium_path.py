"""``equilibrium_path(model, {"F": loads})``: positions of rest along live parameters, each followed from the last.

A step of the parameters is halved until Newton's method stays near: it may not go much further than its own first step says,
and what was stable must stay stable. Where the smallest step fails, the position nearby has ceased to exist or to be stable
(a limit point or a bifurcation): the mechanism snaps, downhill to another one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linkwork.algebra.units import si
from linkwork.analysis.resting import Found, Quantity, Question, ask, joint_units, rest, sampled
from linkwork.coordinates.numbering import KindChoice
from linkwork.errors import EquilibriumError, RefusedError
from linkwork.model import Model
from linkwork.numerics.rest import Search, balance
from linkwork.results.equilibrium import NEUTRAL, STABLE, UNSTABLE, EquilibriumPath, Snap

Array = NDArray[np.float64]
SMALLEST = 2.0**-12  # of a step of the parameters
FURTHER = 3.0  # than the first step of Newton's method: no longer nearby
NEWTON = 25  # steps of Newton's method that a position nearby may take
NEARBY = 1e-6  # rad, or lengths by the size of the mechanism: always nearby


@dataclass(frozen=True, eq=False)
class _Point:
    """A position of rest and the share of a step of the parameters at which it was found."""

    question: Question
    found: Found


def equilibrium_path(
    model: Model,
    along: Mapping[str, Sequence[Quantity]],
    *,
    method: str = "virtual_power",
    coordinates: KindChoice = "relative",
    at: Mapping[str, Quantity] | None = None,
    parameters: Mapping[str, Quantity] | None = None,
    time: Quantity = 0.0,
    stable: bool = True,
    tolerance: float = 1e-12,
    limit: int = 200,
) -> EquilibriumPath:
    """Follow a position of rest along live parameters: loads, springs, lengths, speeds of the ground.

    along: their values, of all parameters as many; the first ones are where the path begins
    stable: keep to stable positions and snap where they end; else follow positions of any sort, and end in an error
    Everything else is as in `find_equilibrium`.
    """
    values = _values(along)
    names = list(values)
    first = {name: float(series[0]) for name, series in values.items()}
    search = Search(tolerance, limit, stable)
    begun = ask(
        model,
        search,
        method=method,
        coordinates=coordinates,
        at=at,
        parameters={**(parameters or {}), **first},
        time=time,
    )
    table = np.column_stack([values[name] for name in names])
    points, snaps = [_Point(begun, rest(begun, begun.start))], []
    places = [begun.mechanism.coordinates.geometry.parameter_names.index(name) for name in names]
    for i in range(1, len(table)):
        point, snapped_at = _follow(points[-1], places, table[i])
        if snapped_at is not None:
            snaps.append(_snap(i, dict(zip(names, map(float, snapped_at), strict=True)), points[-1], point))
        points.append(point)
    return _path(points, values, snaps)


def _values(along: Mapping[str, Sequence[Quantity]]) -> dict[str, Array]:
    values = {name: np.array([si(value, "any") for value in series]) for name, series in along.items()}
    sizes = {name: len(series) for name, series in values.items()}
    if not values or len(set(sizes.values())) > 1 or 0 in sizes.values():
        told = ", ".join(f"{name}: {size}" for name, size in sizes.items()) or "nothing"
        raise RefusedError(f"a path needs live parameters with as many values each, at least one; it got {told}")
    return values


def _follow(last: _Point, places: Sequence[int], end: Array) -> tuple[_Point, Array | None]:
    """The position of rest at the next parameters; with the parameters at which it snaps, where it does."""
    here = last
    done, share, begin = 0.0, 1.0, last.question.statics.p[list(places)]
    while done < 1.0:
        share = min(share, 1.0 - done)
        question = _changed(here.question, places, begin + (done + share) * (end - begin))
        try:
            here = _Point(question, _nearby(question, here.found))
            done, share = done + share, 2.0 * share
        except EquilibriumError:
            share *= 0.5
            if share < SMALLEST:
                if not question.search.downhill:
                    raise
                here = _Point(question, rest(question, here.found.rest.x))
                return _onwards(here, places, end), begin + (done + share) * (end - begin)
    return here, None


def _onwards(here: _Point, places: Sequence[int], end: Array) -> _Point:
    """From behind a snap to the end of the step, downhill."""
    question = _changed(here.question, places, end)
    return _Point(question, rest(question, here.found.rest.x))


def _changed(question: Question, places: Sequence[int], values: Array) -> Question:
    p = question.statics.p.copy()
    p[list(places)] = values
    return replace(question, statics=question.statics.with_parameters(p))


def _nearby(question: Question, before: Found) -> Found:
    """The position of rest that belongs to the last one; an error where there is none of the same stability."""
    statics, search = (
        question.statics,
        replace(question.search, downhill=False, limit=min(question.search.limit, NEWTON)),
    )
    start, closed = statics.close(before.rest.x)
    if not closed:
        raise EquilibriumError(f"{question.name}: all joints cannot be closed with these parameters")
    now = balance(statics, start)
    expected = float(np.linalg.norm(_twists(question, start, now.directions, now.stiffness, now.force)))
    found = rest(question, start, search)
    moved = float(np.linalg.norm(statics.places(found.rest.x) - statics.places(start)))
    if moved > FURTHER * expected + NEARBY:
        raise EquilibriumError(f"{question.name}: the position of rest is not near the last one")
    if question.search.downhill and _kind(before) != UNSTABLE and _kind(found) == UNSTABLE:
        raise EquilibriumError(f"{question.name}: the position of rest is no longer stable")
    return found


def _twists(question: Question, x: Array, directions: Array, stiffness: Array, force: Array) -> Array:
    """How far bodies go in the first step of Newton's method."""
    step = np.linalg.lstsq(stiffness, force, rcond=1e-13)[0]
    return np.asarray(np.sqrt(2.0) * question.statics.rates(x)[1] @ (directions @ step))


def _kind(found: Found) -> str:
    kinds = {direction.kind for direction in found.directions}
    return next((kind for kind in (UNSTABLE, NEUTRAL) if kind in kinds), STABLE)


def _snap(index: int, parameters: dict[str, float], before: _Point, after: _Point) -> Snap:
    """What jumps: joint coordinates by how much they differ, largest first."""
    statics = before.question.statics
    states = np.array([statics.state(point.found.rest.x) for point in (before, after)])
    ps = np.array([point.question.statics.p for point in (before, after)])
    result = sampled(before.question, np.arange(2.0), states, ps)
    jumps = {name: float(np.diff(series)[0]) for name, series in result.values(statics.joint_names).items()}
    order = sorted(jumps, key=lambda name: -abs(jumps[name]))[:3]
    return Snap(index, parameters, {name: jumps[name] for name in order})


def _path(points: list[_Point], values: dict[str, Array], snaps: list[Snap]) -> EquilibriumPath:
    first = points[0].question
    states = np.array([point.question.statics.state(point.found.rest.x) for point in points])
    p = np.array([point.question.statics.p for point in points])
    curvatures = [[d.curvature for d in point.found.directions] or [np.inf] for point in points]
    return EquilibriumPath(
        name=first.name,
        parameters=values,
        result=sampled(first, np.arange(float(len(points))), states, p),
        energy=np.array([point.question.statics.energy(point.found.rest.x) for point in points]),
        softest=np.array([min(item) for item in curvatures]),
        stability=tuple(_kind(point.found) for point in points),
        snaps=tuple(snaps),
        joints=joint_units(first.statics),
    )
