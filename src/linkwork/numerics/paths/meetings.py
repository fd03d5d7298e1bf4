"""Through positions where the conditions of a prescribed motion are dependent: on the smooth branch, or not at all.

Where C has no inverse, branches of Φ(q, t) = 0 meet (a change point), or nearly do, or the motion turns back. Neither
formulas nor iterations tell the branches apart there, and a position that is found on another one is closed as well as any.
But the motion that goes on is smooth. So whatever has found a motion, every dip of the smallest pivot of C at its positions
is looked at closely:

    approach   steps that shorten with the smallest singular value of C, until it vanishes or grows again
    passage    positions at P points before t*, which is where that value vanishes, at distances s; then each of P points
               behind from the polynomial through the P points before it, by Newton's method:
               q(t* + (j − ½) s), j = 1 − P ... P
    test       v at the innermost points against the polynomial through all others: a kink, or two branches that pass close
               to each other without meeting, leave an error that no smooth motion has

Nearer to t* than these points the motion is that polynomial, q as well as v, v̇ and v̈. What was found behind on another
branch is found anew from there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from linkwork.arrays import Array
from linkwork.numerics.paths.displacement import Displacements, PrescribedSystem
from linkwork.numerics.paths.prescribed_motion import (
    POINTS,
    PrescribedMotion,
    SmoothPassage,
    dips,
    joined,
    lagrange,
    points_around,
)

SPACING = 0.04  # of the points, in units of the coordinate scale
TRIALS = 4  # with half the spacing each
LEAST = 2e-3  # spacing beside SPACING that is still tried where the motion begins near by
SMOOTH = 1e-8  # error of v at the innermost points, over its size, of a motion that goes through
STRAYED = 0.02  # of v: a position that is found behind so far from where the points before lead is on another branch
FLOORS = (0.05, 0.01, 2e-3, 4e-4)  # of the usual pivot, at which a passage is tried
SHRINK = 0.4  # of the way to where the pivot would vanish, of one step
FINEST = 1e-9  # of an approach: shorter steps lead nowhere
SLOW = 0.1  # the same where branches may come near to each other without meeting
STEPS = 400  # of an approach
TINY = 1e-3  # of the usual pivot: looked at in any case
CENTRED = 4  # corrections of t*
GROWS = 1.5  # times which the pivot is larger at the points next to the innermost ones
INSIDE = 0.75  # spacings from t* within which the polynomial is the motion
VANISHED = 1e-5  # of the usual singular value: a position is singular itself
LOOKED = 33  # positions that tell what is usual
EDGE = 3  # positions at the end of what is known, whose neighbours are not
WINDOW = 256  # positions that are found anew at once, at first

GoOn = Callable[[float, Array, int, int], Displacements]
"""From a time and the state (n) there: positions at the times number i to j − 1, as many as can be found."""


@dataclass(eq=False)
class SmoothCourse:
    """A motion whose positions are known up to some time; those that are found wrong are replaced."""

    motion: PrescribedMotion
    go_on: GoOn
    rows: Array  # (N, n + 2 nv): y, v̇ and v̈
    pivots: Array  # (N)
    spent: NDArray[np.int64]  # (N)
    filled: int
    ended: bool  # whether nothing more can be found after what is known
    behind: SmoothPassage | None = None  # the last one
    passed: list[float] = field(default_factory=list)
    near: list[tuple[float, float]] = field(default_factory=list)
    singular: list[int] = field(default_factory=list)
    lost: float | None = None
    window: int = WINDOW
    changed: bool = False
    trail: list[tuple[float, Array]] = field(default_factory=list)  # of the last approach: times and rows
    _known: tuple[int, float] = (0, 1.0)  # how many positions have said what pivot is usual

    @property
    def times(self) -> Array:
        return self.motion.times

    # -- dips --------------------------------------------------------------------------------------------------

    @property
    def usual(self) -> float:
        """The usual pivot."""
        if self.filled > 2 * self._known[0]:
            self._known = self.filled, float(np.median(self.pivots[: self.filled]))
        return self._known[1]

    @cached_property
    def common(self) -> float:
        """The usual smallest singular value."""
        chosen = np.linspace(0, self.filled - 1, min(LOOKED, self.filled)).astype(int)
        return float(np.median(self.motion.measured(self.times[chosen], self.rows[chosen])[1]))

    def next_dip(self, after: int) -> int | None:
        """The next position after one at which the pivot may vanish near by."""
        begin, count = max(0, after - EDGE), self.filled
        if count - begin < 2:
            return None
        p = self.pivots[begin:count]
        found = np.flatnonzero(dips(self.times[begin:count], p, TINY * self.usual, begin == 0)) + begin
        if self.complete and not p[-1] < FLOORS[0] * self.usual:
            found = found[found < count - 1]
        if not self.complete and not self.ended:
            found = found[found < count - EDGE]
        found = found[(found > after) & (found > 0)]
        return int(found[0]) if len(found) else count - 1 if self.ended and after < count - 1 else None

    @property
    def complete(self) -> bool:
        return self.filled == len(self.times)

    # -- approach and passage ----------------------------------------------------------------------------------

    def approach(self, first: int, end: float) -> SmoothPassage | Array | float:
        """From a position to a later time: the passage on the way; the row there, if nothing is met; or where it is lost."""
        t, row = float(self.times[first]), self.rows[first]
        pivot = float(self.motion.measured(self.times[first : first + 1], row[None])[1][0])
        hurry, longest, floors, share = self.motion.hurry(row), (end - t) / 8, list(FLOORS), SHRINK
        steep, self.trail = hurry * self.common, [(t, row)]
        for i in range(STEPS):
            h = min(longest, share * pivot / steep if steep > 0.0 else np.inf)
            h = end - t if h > (1.0 - 1e-6) * (end - t) else h
            times = np.array([t, t + h])
            rows, pivots = self.motion.walk(times, row[: self.motion.sizes[2]])
            if len(rows) < 2 or h < FINEST * longest:
                return t
            if self.motion.turned_over(times, rows):
                longest = h / 4
                continue
            fall = (pivot - pivots[1]) / h
            steep = max(steep if i else 0.0, fall, -fall)
            t, row, pivot = (end if h == end - t else t + h), rows[1], float(pivots[1])
            self.trail.append((t, row))
            if fall > 0.0 and floors and pivot < floors[0] * self.common:
                floors.pop(0)
                share = SLOW
                passage = self.passage(t + pivot / fall, hurry, first)
                if passage is not None:
                    return passage
            if t >= end:
                return row
            if not floors and pivot < 0.1 * FLOORS[-1] * self.common:
                return t
        return t

    def passage(self, centre: float, hurry: float, first: int) -> SmoothPassage | None:
        """The motion around t*, which is near *centre*; None where no smooth one goes through."""
        room = self.room(centre)
        for trial in range(TRIALS):
            spacing = min(SPACING / hurry / 2**trial, room / (POINTS - 0.45))
            if spacing < LEAST * SPACING / hurry:
                return None
            found = self.through(centre, spacing, first)
            if found is not None:
                return found
        return None

    def room(self, centre: float) -> float:
        """How much time before t* belongs to this motion, and is not that of another singular position."""
        last = self.behind
        return centre - (float(self.times[0]) if last is None else max(float(self.times[0]), last.points[POINTS]))

    def through(self, centre: float, spacing: float, first: int) -> SmoothPassage | None:
        """The points around t* with a spacing; None where they do not belong to one smooth motion."""
        for left in reversed(range(CENTRED)):
            before = self.before(centre, spacing, first)
            if before is None:
                return None
            pivots = before[1]
            fall = pivots[-2] - pivots[-1]
            off = (pivots[-1] / fall - 0.5) * spacing if fall > 0.0 else np.inf
            if abs(off) < 0.1 * spacing or not left:
                return self.onwards(centre, spacing, *before)
            if abs(off) > POINTS * spacing:
                return None
            centre += off
        return None

    def before(self, centre: float, spacing: float, first: int) -> tuple[Array, Array] | None:
        """Rows and pivots at the points before t*."""
        points = points_around(centre, spacing)[:POINTS]
        begun, y = self.known(points[0], first)
        if begun > points[0]:
            return None
        rows, pivots = self.motion.walk(np.append(begun, points), y)
        return (rows[1:], pivots[1:]) if len(rows) > POINTS else None

    def onwards(self, centre: float, spacing: float, rows: Array, pivots: Array) -> SmoothPassage | None:
        """The passage from its points before t*."""
        n, points = self.motion.sizes[2], points_around(centre, spacing)
        for j in range(POINTS, 2 * POINTS):
            ahead = lagrange(points[j - POINTS : j], points[j : j + 1]) @ rows[j - POINTS : j]
            found, pivot = self.motion.closed(points[j : j + 1], ahead[:, :n])
            if not len(found) or self.motion.apart(found, ahead) > STRAYED:
                return None
            rows, pivots = np.vstack([rows, found]), np.append(pivots, pivot)
        inner = [POINTS - 1, POINTS]
        others = [j for j in range(2 * POINTS) if j not in inner]
        left = lagrange(points[others], points[inner]) @ rows[others]
        # the pivot vanishes between the innermost points, and grows away from them
        falls = pivots[[POINTS - 2, POINTS + 1]] > GROWS * pivots[inner]
        if not falls.all() or not self.motion.apart(rows[inner], left) < SMOOTH:
            return None
        low, high = pivots[inner]
        return SmoothPassage(centre + 0.5 * spacing * (low - high) / (low + high), spacing, points, rows)

    def known(self, time: float, first: int) -> tuple[float, Array]:
        """A time up to another one, and the state there."""
        n, place = self.motion.sizes[2], int(np.searchsorted(self.times[: first + 1], time, "right")) - 1
        place = max(place, 0)
        last = self.behind
        if last is not None and last.points[POINTS] > self.times[place]:
            j = max(POINTS, int(np.searchsorted(last.points, time, "right")) - 1)
            if last.points[j] <= time:
                return float(last.points[j]), last.rows[j, :n]
        return float(self.times[place]), self.rows[place, :n]

    # -- the whole ---------------------------------------------------------------------------------------------

    def take(self, passage: SmoothPassage, first: int) -> int:
        """Set the positions around t*; returns the number of the first one behind them."""
        n, (low, high) = self.motion.sizes[2], (passage.points[0], passage.points[-1])
        t = self.times
        there = np.arange(np.searchsorted(t, low), np.searchsorted(t, high, "right"))
        there = there[there > first]
        if len(there):
            self.rows[there] = passage.at(t[there])
            self.pivots[there] = np.interp(t[there], [low, passage.time, high], [1.0, 0.0, 1.0]) * self.usual
            for i in there[np.abs(t[there] - passage.time) > INSIDE * passage.spacing]:
                found, pivot = self.motion.closed(t[i : i + 1], self.rows[i : i + 1, :n])
                if len(found):
                    self.rows[i], self.pivots[i] = found[0], pivot[0]
            near = there[np.abs(t[there] - passage.time) <= INSIDE * passage.spacing]
            self.singular += near[self.motion.measured(t[near], self.rows[near])[1] < VANISHED * self.common].tolist()
        self.behind = passage
        self.passed.append(passage.time)
        return int(np.searchsorted(t, high, "right"))

    def renew(self, time: float, y: Array, place: int) -> None:
        """Find what follows anew from a state, the first at the time number *place*."""
        stop = min(len(self.times), place + self.window)
        self.window *= 2
        found = self.go_on(time, y, place, stop)
        count = place + len(found.y)
        self.rows[place:count], self.pivots[place:count] = joined(found), found.pivots
        self.spent[place:count] = found.iterations
        self.filled, self.ended, self.changed = count, count < stop, True

    def keep_smooth(self) -> None:
        """Look at all dips, one after the other."""
        seen, n = 0, self.motion.sizes[2]
        while self.lost is None:
            dip = self.next_dip(seen)
            if dip is not None:
                seen = self.look(dip, seen)
            elif self.complete or self.ended or not self.filled:
                return
            else:
                last = self.filled - 1
                self.renew(float(self.times[last]), self.rows[last, :n], last + 1)

    def look(self, dip: int, seen: int) -> int:
        """One dip; returns up to which position the motion is sure."""
        n, t, known = self.motion.sizes[2], self.times, self.filled
        first = min(max(dip - 2, seen), dip - 1)
        end = min(dip + 2, known if self.ended else known - 1)
        beyond = float(t[end]) if end > dip else float(2 * t[dip] - t[dip - 1])
        found = self.approach(first, beyond)
        if isinstance(found, SmoothPassage):
            place = self.take(found, first)
            self.window = WINDOW
            self.settle(found.points[-1], found.rows[-1, :n], place)
            return max(place - 1, dip)
        if isinstance(found, float):
            if end > dip and end < known:
                self.filled, self.lost, self.changed = first + 1, found, True
            return known
        self.near.append((float(self.times[first]), beyond))
        if end > dip and not (end < known and self.motion.same(self.rows[end], found)):
            self.retrace(first, end)
            self.window = WINDOW
            self.renew(beyond, found[:n], end)
        return max(end - 1, dip)

    def retrace(self, first: int, end: int) -> None:
        """Set the positions between two others to those of the way on which the second was reached."""
        times = [time for time, _ in self.trail]
        for i in range(first + 1, min(end, self.filled)):
            time, row = self.trail[max(0, int(np.searchsorted(times, self.times[i], "right")) - 1)]
            rows, _ = self.motion.walk(np.array([time, self.times[i]]), row[: self.motion.sizes[2]])
            self.rows[i] = rows[-1]

    def settle(self, time: float, y: Array, place: int) -> None:
        """Compare what was found at a position with what a state before it leads to, and find it anew where they differ."""
        if place >= len(self.times):
            self.filled, self.ended = len(self.times), False
            return
        rows, _ = self.motion.walk(np.array([time, self.times[place]]), y)
        if place < self.filled and len(rows) == 2 and self.motion.same(self.rows[place], rows[1]):
            return
        self.renew(time, y, place)


def keep_smooth(
    system: PrescribedSystem, times: Array, along: Array | None, found: Displacements, go_on: GoOn
) -> Displacements:
    """A motion that was found, on its smooth branch through all singular positions; *go_on* finds it anew behind one."""
    count, width = len(times), found.y.shape[1] + 2 * found.vdot.shape[1]
    if found.interrupted or count < 2 or not len(found.y):
        return found
    filled = len(found.y)
    course = SmoothCourse(
        PrescribedMotion(system, times, along),
        go_on,
        np.vstack([joined(found), np.zeros((count - filled, width))]),
        np.append(found.pivots, np.zeros(count - filled)),
        np.append(found.iterations, np.zeros(count - filled, np.int64)),
        filled,
        filled < count,
    )
    course.keep_smooth()
    if not course.passed and not course.changed:
        return replace(found, near=tuple(course.near))
    n, nv = found.y.shape[1], found.vdot.shape[1]
    rows = course.rows[: course.filled]
    reached = float(times[course.filled - 1]) if course.filled == count else course.lost
    return replace(
        found,
        y=rows[:, :n].copy(),
        vdot=rows[:, n : n + nv].copy(),
        jerk=rows[:, n + nv :].copy(),
        iterations=course.spent[: course.filled],
        pivots=course.pivots[: course.filled],
        reached=found.reached if reached is None else reached,
        last=found.last if reached is None else rows[-1, :n].copy(),
        passed=tuple(course.passed),
        near=tuple(course.near),
        singular=np.array([i for i in course.singular if i < course.filled], dtype=np.intp),
        lost=course.lost,
    )
