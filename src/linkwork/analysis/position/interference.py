"""``interference``: how near the bodies of a mechanism come to each other in a motion, and when they overlap.

Distances of all pairs of convex pieces are found at all samples at once (``numerics/geometry/distances.py``). The smallest
ones, and the times at which a distance passes the wanted clearance, are then found between the samples, where bodies move
along polynomials that fit their places, velocities and accelerations (``results/courses.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from linkwork.algebra.given import Scalar
from linkwork.algebra.units import si
from linkwork.analysis.walk.subject import Moved, motion_of_noun
from linkwork.arguments import verb
from linkwork.arrays import Array
from linkwork.errors import RefusedError, UnknownNameError, did_you_mean
from linkwork.numerics.geometry.convex import Convex, hull_of
from linkwork.numerics.geometry.distances import Gaps, signed_distances
from linkwork.progress import counted
from linkwork.results.courses import BodyCourse, courses_of
from linkwork.results.interference import Encounter, Interference, PairClearance
from linkwork.results.outcome import refuse_without_samples
from linkwork.results.result import Result
from linkwork.results.rising import rising

BodyPair = tuple[str, str]
PARTS, LEVELS = 8, 9  # an interval with a minimum is divided so often, in so many parts: by 4^9 in all
MOST = 60  # steps of a root
TOUCHING = 1e-12  # of their places: bodies that are nearer than this touch, and do not overlap


@verb
def interference(
    result: Moved,
    bodies: Sequence[str | BodyPair] | str | None = None,
    *,
    clearance: Scalar = 0.0,
    joined: bool = False,
) -> Interference:
    """The least clearance of every pair of bodies over a motion, with times and places, and when they are too near.

    result: a run, or what was found along one
    bodies: one body (against all others), several (among each other), or pairs of them; all by default
    clearance: the distance that they must keep, m; zero for bodies that must not overlap
    joined: whether pairs that a joint connects count too; those asked for as pairs always do
    """
    result, wanted = rising(motion_of_noun(result, "interference")), si(clearance, "length")
    if not np.isfinite(wanted):
        raise RefusedError(f"clearance = {wanted:g}: give a finite length, such as '2 mm'")
    refuse_without_samples(result.name, len(result), result.outcome)
    pairs = _pairs(result, bodies, joined)
    shapes = moving_bodies(result, list(dict.fromkeys(name for pair in pairs for name in pair)))
    found = [
        _watch(result.time, pair, (shapes[pair[0]], shapes[pair[1]]), wanted)
        for pair in counted(pairs, "measuring distances")
    ]
    found.sort(key=lambda item: item.least)
    return Interference(result.name, wanted, result.time, tuple(found), result)


@dataclass(frozen=True, eq=False)
class Moving:
    """The convex pieces of a body and its course."""

    pieces: tuple[Convex, ...]
    course: BodyCourse


def moving_bodies(result: Result, names: Sequence[str]) -> dict[str, Moving]:
    """Bodies of a result with their pieces and courses."""
    for name in names:
        if not result.drawing.bodies[name].pieces:
            raise RefusedError(
                f"the result is from an older file and does not say how much room '{name}' takes; run it again"
            )
    pieces = {name: tuple(hull_of(x.corners, x.radius) for x in result.drawing.bodies[name].pieces) for name in names}
    return {name: Moving(pieces[name], course) for name, course in courses_of(result, names).items()}


@dataclass(frozen=True, eq=False)
class BodyDistance:
    """The distance of two bodies as a function of time."""

    bodies: tuple[Moving, Moving]

    def __call__(self, times: Array) -> Array:
        return self.gaps(times).distance

    @cached_property
    def size(self) -> float:
        """The largest coordinate of their places, m, which rounding errors are measured by."""
        found = self.samples
        return float(max(np.max(np.abs(found.one), initial=0.0), np.max(np.abs(found.other), initial=0.0)))

    @cached_property
    def samples(self) -> Gaps:
        return self._nearest(self.bodies[0].course.time, sampled=True)

    def gaps(self, times: Array) -> Gaps:
        """Distances and places at any times."""
        return self._nearest(times, sampled=False)

    def _nearest(self, times: Array, *, sampled: bool) -> Gaps:
        poses = tuple(body.course.samples() if sampled else body.course.at(times) for body in self.bodies)
        best: Gaps | None = None
        for a in self.bodies[0].pieces:
            for b in self.bodies[1].pieces:
                best = _nearer(best, signed_distances(a, b, (poses[0], poses[1])))
        assert best is not None
        return best


def _nearer(best: Gaps | None, found: Gaps) -> Gaps:
    if best is None:
        return found
    less = found.distance < best.distance
    return Gaps(
        np.where(less, found.distance, best.distance),
        np.where(less[:, None], found.one, best.one),
        np.where(less[:, None], found.other, best.other),
    )


def _watch(time: Array, pair: BodyPair, bodies: tuple[Moving, Moving], wanted: float) -> PairClearance:
    """All that is asked of one pair."""
    distance = BodyDistance(bodies)
    times, values = _with_minima(distance, time)
    lowest = int(np.argmin(values))
    contacts = _contacts(distance, times, values, wanted)
    at = distance.gaps(times[[lowest]])
    return PairClearance(pair, distance.samples.distance, float(values[lowest]), float(times[lowest]),
                         (_place(at.one), _place(at.other)), contacts)  # fmt: skip


def _place(rows: Array) -> tuple[float, ...]:
    return tuple(float(x) for x in rows[0])


def _with_minima(distance: BodyDistance, time: Array) -> tuple[Array, Array]:
    """Samples with the minima between them."""
    values = distance.samples.distance
    if len(time) < 3:
        return time, values
    inner = np.flatnonzero((values[1:-1] <= values[:-2]) & (values[1:-1] <= values[2:])) + 1
    ends = [i for i, k in ((0, 1), (len(time) - 1, len(time) - 2)) if values[i] <= values[k]]
    middle = np.unique([*inner, *ends]).astype(int)
    low, high = time[np.maximum(middle - 1, 0)], time[np.minimum(middle + 1, len(time) - 1)]
    share = np.linspace(0.0, 1.0, PARTS + 1)
    for _ in range(LEVELS):
        grid = low[:, None] + (high - low)[:, None] * share
        found = distance(grid.ravel()).reshape(grid.shape)
        k, rows = np.argmin(found, axis=1), np.arange(len(grid))
        best, least = grid[rows, k], found[rows, k]
        low, high = grid[rows, np.maximum(k - 1, 0)], grid[rows, np.minimum(k + 1, PARTS)]
    fresh = ~np.isin(best, time)
    times, values = np.concatenate([time, best[fresh]]), np.concatenate([values, least[fresh]])
    order = np.argsort(times, kind="stable")
    return times[order], values[order]


def _contacts(distance: BodyDistance, times: Array, values: Array, wanted: float) -> tuple[Encounter, ...]:
    """Intervals in which the distance is less than is wanted."""
    near = values < wanted - TOUCHING * distance.size
    edges = np.flatnonzero(near[1:] != near[:-1])
    if not np.any(near):
        return ()
    crossings = _roots(lambda t: distance(t) - wanted, times[edges], times[edges + 1], values[edges] - wanted,
                       values[edges + 1] - wanted)  # fmt: skip
    starts = [times[0]] * bool(near[0]) + list(crossings[near[edges + 1]])
    ends = list(crossings[~near[edges + 1]]) + [times[-1]] * bool(near[-1])
    found = []
    for start, end in zip(starts, ends, strict=True):
        inside = np.flatnonzero(near & (times >= start) & (times <= end))
        if not inside.size:
            continue
        worst = inside[int(np.argmin(values[inside]))]
        places = distance.gaps(times[[worst]])
        found.append(Encounter(float(start), float(end), float(values[worst]), float(times[worst]),
                             tuple((np.asarray(_place(places.one)) + _place(places.other)) / 2)))  # fmt: skip
    return tuple(found)


def _roots(f: Callable[[Array], Array], low: Array, high: Array, at_low: Array, at_high: Array) -> Array:
    """Where a function changes its sign, in many intervals at once: false position with halved ends (Illinois)."""
    low, high, at_low, at_high = (np.array(x) for x in (low, high, at_low, at_high))
    width = high - low
    if not low.size:
        return low
    kept = np.zeros(len(low))
    for step in range(MOST):
        with np.errstate(invalid="ignore", divide="ignore"):
            middle = (low * at_high - high * at_low) / (at_high - at_low)
        # every third step halves, so that jumps do not hold it up
        middle = np.where(np.isfinite(middle) & (step % 3 != 2), middle, 0.5 * (low + high))
        value = f(middle)
        below = np.sign(value) == np.sign(at_low)
        at_high = np.where(below, np.where(kept == 1.0, at_high / 2, at_high), value)
        at_low = np.where(below, value, np.where(kept == -1.0, at_low / 2, at_low))
        low, high = np.where(below, middle, low), np.where(below, high, middle)
        kept = np.where(below, 1.0, -1.0)
        if np.all((high - low <= 1e-13 * width) | (value == 0.0)):
            break
    return np.where(np.abs(at_low) < np.abs(at_high), low, high)


# -- pairs -----------------------------------------------------------------------------------------------------------


def _pairs(result: Result, bodies: Sequence[str | BodyPair] | str | None, joined: bool) -> list[BodyPair]:
    known = list(result.drawing.bodies)
    called = result.drawing.named
    listed = [bodies] if isinstance(bodies, str) else list(bodies or ())
    given = [called(item) if isinstance(item, str) else tuple(map(called, item)) for item in listed]
    names = [name for item in given for name in ([item] if isinstance(item, str) else item)]
    for name in names:
        if name not in known:
            raise UnknownNameError(f"'{name}' is no body; {did_you_mean(name, known)}")
    asked = [(item[0], item[1]) for item in given if not isinstance(item, str) and len(item) == 2]
    if len(asked) < sum(not isinstance(item, str) for item in given) or any(a == b for a, b in asked):
        raise RefusedError("a pair has two different bodies: write ('crank', 'rocker')")
    single = [item for item in given if isinstance(item, str)]
    among: list[BodyPair] = []
    if not given or single:
        chosen = single if len(single) > 1 else known
        among = [pair for pair in combinations(chosen, 2) if len(single) != 1 or single[0] in pair]
    ties = {frozenset((joint.parent, joint.body)) for joint in result.drawing.joints}
    among = [pair for pair in among if joined or frozenset(pair) not in ties]
    pairs = list(dict.fromkeys([*asked, *among]))
    if not pairs:
        raise RefusedError(
            "there is no pair of bodies without a joint between them; joined=True takes those with one too"
        )
    return pairs
