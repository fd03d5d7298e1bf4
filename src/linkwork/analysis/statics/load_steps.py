"""A position of rest followed from one set of parameters to the next, by the load.

A step of the parameters is halved until Newton's method stays near: it may not go much further than its own first step says,
and what was stable must stay stable. Where the smallest step fails, the position nearby has ceased to exist or to be stable:
the mechanism snaps, downhill to another one. At which load it does, and whether at a limit point or a bifurcation, is found
by following the path round it by its length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from linkwork.analysis.statics.path_points import LoadedCurve, PathPoint, changed
from linkwork.analysis.statics.resting import FoundRest, RestQuestion, rest, sampled
from linkwork.arrays import Array
from linkwork.errors import EquilibriumError
from linkwork.numerics.paths.arc_length import BIFURCATION, LIMIT, Walk, walk
from linkwork.numerics.paths.rest import balance
from linkwork.results.equilibrium import NEUTRAL, UNSTABLE
from linkwork.results.equilibrium_path import FLUTTER, Snap
from linkwork.results.quantities import Variable

SMALLEST = 2.0**-12  # of a step of the parameters
FURTHER = 3.0  # than the first step of Newton's method: no longer nearby
NEWTON = 25  # steps of Newton's method that a position nearby may take
NEARBY = 1e-6  # rad, or lengths by the size of the mechanism: always nearby
BISECTIONS = 40
ROUND = 40  # positions within which a path has turned
LONGEST = 0.05  # step round it, rad, or lengths by the size of the mechanism


@dataclass(frozen=True, eq=False)
class Break:
    """Where a position ends: values of the parameters, and how."""

    values: Array
    kind: str


def follow(last: PathPoint, places: Sequence[int], end: Array) -> tuple[PathPoint, Break | None]:
    """The position of rest at the next parameters; with what it breaks off at, where it does."""
    here = last
    done, share, begin = 0.0, 1.0, last.question.statics.p[list(places)]
    while done < 1.0:
        share = min(share, 1.0 - done)
        question = changed(here.question, places, begin + (done + share) * (end - begin))
        try:
            here = PathPoint(question, _nearby(question, here))
            done, share = done + share, 2.0 * share
        except EquilibriumError:
            share *= 0.5
            if share < SMALLEST:
                broken = _broken(here, places, (begin, end), done, done + share)
                if not question.search.downhill:
                    raise EquilibriumError(_ended(question, places, broken)) from None
                return _behind(changed(question, places, end), here, _ended(question, places, broken)), broken
    return here, None


def _behind(question: RestQuestion, before: PathPoint, ended: str) -> PathPoint:
    """Where a position goes downhill that has ended."""
    try:
        return PathPoint(question, rest(question, before.found.rest.x))
    except EquilibriumError as error:
        raise EquilibriumError(f"{ended}. Beyond it: {error}") from None


def _nearby(question: RestQuestion, before: PathPoint) -> FoundRest:
    """The position of rest that belongs to the last one; an error where there is none of the same stability."""
    statics = question.statics
    search = replace(question.search, downhill=False, limit=min(question.search.limit, NEWTON))
    start, closed = statics.close(before.found.rest.x)
    if not closed:
        raise EquilibriumError(f"{question.name}: all joints cannot be closed with these parameters")
    now = balance(statics, start)
    step = np.linalg.lstsq(now.stiffness, now.force, rcond=1e-13)[0]
    # how far bodies go in the first step of Newton's method
    expected = float(np.linalg.norm(np.sqrt(2.0) * statics.rates(start)[1] @ (now.directions @ step)))
    found = rest(question, start, search)
    moved = float(np.linalg.norm(statics.places(found.rest.x) - statics.places(start)))
    if moved > FURTHER * expected + NEARBY:
        raise EquilibriumError(f"{question.name}: the position of rest is not near the last one")
    if question.search.downhill and before.kind != UNSTABLE and PathPoint(question, found).kind == UNSTABLE:
        raise EquilibriumError(f"{question.name}: the position of rest is no longer stable")
    return found


def _broken(here: PathPoint, places: Sequence[int], ends: tuple[Array, Array], done: float, gone: float) -> Break:
    """Where the position ends behind the last one that was found: exactly, where the path turns or branches there."""
    begin, end = ends
    change = np.zeros_like(here.question.statics.p)
    change[list(places)] = end - begin
    curve, x = LoadedCurve(here.question, change), here.found.rest.x
    if here.kind == NEUTRAL:
        # the step has met the point itself
        return Break(begin + done * (end - begin), BIFURCATION if curve.slope(x, 0.0).singular else LIMIT)
    steps = walk(curve, x, Walk(longest=LONGEST, tolerance=here.question.search.tolerance))
    try:
        found = next((point for point in islice(steps, ROUND) if point.kind in (LIMIT, BIFURCATION)), None)
    except (EquilibriumError, np.linalg.LinAlgError):
        found = None
    if found is not None and abs(found.load) <= 4.0 * SMALLEST:
        return Break(begin + (done + found.load) * (end - begin), found.kind)
    return _fluttering(here, places, ends, done) or Break(begin + gone * (end - begin), "")


def _fluttering(here: PathPoint, places: Sequence[int], ends: tuple[Array, Array], done: float) -> Break | None:
    """Where a position that goes on becomes unstable by forces without a potential, by bisection."""
    begin, end = ends

    def unstable(share: float) -> bool:
        question = changed(here.question, places, begin + share * (end - begin))
        plain = replace(question, search=replace(question.search, downhill=False))
        found = _nearby(plain, here)
        return not found.balance.symmetric and PathPoint(plain, found).kind == UNSTABLE

    low, high = done, done + 4.0 * SMALLEST
    try:
        if here.found.balance.symmetric or not unstable(high):
            return None
        for _ in range(BISECTIONS):
            middle = 0.5 * (low + high)
            low, high = (low, middle) if unstable(middle) else (middle, high)
    except EquilibriumError:
        return None
    return Break(begin + high * (end - begin), FLUTTER)


def _ended(question: RestQuestion, places: Sequence[int], broken: Break) -> str:
    names = question.mechanism.coordinates.geometry.parameter_names
    at = ", ".join(f"{names[i]} = {value:.6g}" for i, value in zip(places, broken.values, strict=True))
    if not broken.kind:
        return f"{question.name}: the position of rest ends at {at}"
    return f"{question.name}: the position of rest ends at {at}, a {broken.kind}; arc_length=0.05 goes on round it"


def snap(index: int, names: Sequence[str], broken: Break, before: PathPoint, after: PathPoint) -> Snap:
    """What jumps: joint coordinates by how much they differ, largest first."""
    statics = before.question.statics
    states = np.array([statics.state(point.found.rest.x) for point in (before, after)])
    ps = np.array([point.question.statics.p for point in (before, after)])
    result = sampled(before.question, np.arange(2.0), states, ps, Variable("position", ""))
    jumps = {name: float(np.diff(series)[0]) for name, series in result.values(statics.joint_names).items()}
    order = [name for name in sorted(jumps, key=lambda name: -abs(jumps[name]))[:3] if abs(jumps[name]) > NEARBY]
    values = dict(zip(names, map(float, broken.values), strict=True))
    return Snap(index, values, {name: jumps[name] for name in order}, broken.kind)
