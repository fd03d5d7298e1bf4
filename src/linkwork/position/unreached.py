"""Why a mechanism cannot be put together: a value that nothing reaches, with the nearest one, or a joint that stays open.

Where the joints close without what drivers and initial values ask for, these are met one after the other; the first that is
not is named, with the value nearest to it that the mechanism does reach: a minimum of the distance (``nearest.py``), the
least of those that are found from several starts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import casadi as ca
import numpy as np

from linkwork.arrays import Array
from linkwork.elements.relations.guidance import Guidance
from linkwork.numerics.policy import POLICY
from linkwork.position.assembly import Target, bodies_of, close_joints
from linkwork.position.nearest import REACHED, AttitudeGoal, Goal, Nearest, PointGoal, ReadingGoal
from linkwork.position.opening import loop_text
from linkwork.position.poses import PoseConditions, Poses

TORN = 10.0  # sizes of the mechanism by which something is open: no sketch is as rough as that
STARTS = 12  # from which the nearest value is looked for
STEPS = 60  # to close the joints from each of them


@dataclass(frozen=True, eq=False)
class _Wanted:
    """What somebody asks for: who, as goals, and in words."""

    asked_by: str
    goals: tuple[Goal, ...]
    what: str


def open_message(conditions: PoseConditions, p: Array, poses: Poses, targets: Sequence[Target], worst: int) -> str:
    """Why these poses, where closing has come to an end, are not closed."""
    guides = {name: r for name, r in conditions.geometry.relations.items() if isinstance(r, Guidance)}
    wanted = list(_of_targets(conditions, targets))
    missed = _first_missed(conditions, p, poses, wanted) if wanted else None
    if missed is None and guides:
        without = _without(conditions, tuple(guides))
        missed = _first_missed(without, p, poses, [*_of_guides(conditions, p, guides), *wanted])
    return missed or _open_joint(conditions, p, poses, targets, worst)


def _without(conditions: PoseConditions, guides: Sequence[str]) -> PoseConditions:
    """The conditions without those of drivers of bodies and points."""
    relations = {name: item for name, item in conditions.geometry.relations.items() if name not in guides}
    return PoseConditions(replace(conditions.geometry, relations=relations), conditions.length).at(conditions.time)


def _of_targets(conditions: PoseConditions, targets: Sequence[Target]) -> Iterator[_Wanted]:
    for target in targets:
        reading = conditions.readings[target.reading]
        what = f"{reading.element}.{reading.name} = {_number(target.value, reading.angular)}"
        yield _Wanted(target.asked_by, (ReadingGoal(target.reading, target.value),), what)


def _of_guides(conditions: PoseConditions, p: Array, guides: dict[str, Guidance]) -> Iterator[_Wanted]:
    """What drivers of bodies and points ask for: their places, then their attitudes. Single angles in space are no goals."""
    t, number = ca.SX(conditions.time), conditions.geometry.number
    for name, guide in guides.items():
        if guide.position:
            place = np.array([np.nan if f is None else float(number(f(t), p)) for f in guide.position])
            local = np.atleast_1d(number(guide.place.local, p)).astype(float)
            goal = PointGoal(guide.place.body, local, place)
            yield _Wanted(f"drivers.{name}", (goal,), f"a point of {guide.place.body} at {_place(place)}")
        axes = _axes(conditions, p, guide)
        if axes is not None:
            attitude = AttitudeGoal(guide.place.body, axes)
            yield _Wanted(f"drivers.{name}", (attitude,), f"{_attitude(axes)} of {guide.place.body}")


def _axes(conditions: PoseConditions, p: Array, guide: Guidance) -> Array | None:
    """The axes that a driver asks for; None where it leaves some of the turn free."""
    t, number = ca.SX(conditions.time), conditions.geometry.number
    if conditions.space.planar:
        turns = [float(number(formula(t), p)) for formula in guide.angles.values()]
        return (
            np.array([[np.cos(turns[0]), -np.sin(turns[0])], [np.sin(turns[0]), np.cos(turns[0])]]) if turns else None
        )
    whole = guide.orientation(t)
    return None if whole is None else np.asarray(number(whole[1], p), dtype=np.float64).reshape(3, 3)


def _first_missed(conditions: PoseConditions, p: Array, poses: Poses, wanted: Sequence[_Wanted]) -> str | None:
    """The first of the wishes that cannot be met together with those before it; None where the joints do not close."""
    starts = _closed(conditions, p, poses)
    met: tuple[Goal, ...] = ()
    for wish in wanted:
        search = Nearest(conditions, p, reached=met)
        ends = [search.minimise(start, wish.goals)[0] for start in starts]
        misses = [float(np.linalg.norm(search.residual(end, wish.goals)[0])) for end in ends]
        if not misses:
            return None
        if min(misses) > REACHED:
            before = wanted[: wanted.index(wish)]
            return _missed(search, wish, ends[int(np.argmin(misses))], before)
        met = (*met, *wish.goals)
        starts = [end for end, miss in zip(ends, misses, strict=True) if miss <= REACHED]
    return None


def _closed(conditions: PoseConditions, p: Array, poses: Poses) -> list[Poses]:
    """Poses near given ones, and from elsewhere, in which all joints are closed and nothing else is asked for."""
    own = conditions.move(poses, np.zeros(conditions.size))
    first, worst, _ = close_joints(conditions, p, own, ())
    if worst is not None:
        return []
    random = np.random.default_rng(0)
    found: list[Poses] = [first]
    for _ in range(STARTS - 1):
        thrown = conditions.thrown(first, random)
        closed, worst, _ = close_joints(conditions, p, thrown, (), STEPS)
        found += [closed] if worst is None else []
    return found


def _missed(search: Nearest, wish: _Wanted, nearest: Poses, before: Sequence[_Wanted]) -> str:
    """What cannot be met in the nearest poses: by itself, or because of the wishes before it."""
    goal, gaps = wish.goals[0], search.residual(nearest, wish.goals)[0]
    if isinstance(goal, PointGoal):
        asked = np.isfinite(goal.place)
        found = np.where(asked, nearest[goal.body].point(goal.local), np.nan)
        text = f"{_place(found)}, {float(np.linalg.norm((found - goal.place)[asked])):.6g} m away"
    elif isinstance(goal, AttitudeGoal):
        away = 2.0 * np.arcsin(min(float(np.linalg.norm(gaps)) / 2.0, 1.0))
        text = f"{_attitude(nearest[goal.body].axes)}, {_number(float(away), True)} away"
    else:
        angular = search.conditions.readings[goal.reading].angular
        miss = float(gaps[0] * search.conditions.units[goal.reading])
        text = _number(goal.value + miss, angular)
    alone = Nearest(search.conditions, search.p)
    end = alone.minimise(nearest, wish.goals)[0]
    if before and float(np.linalg.norm(alone.residual(end, wish.goals)[0])) <= REACHED:
        told = " and ".join(f"{item.asked_by} ({item.what})" for item in (*before, wish))
        several, kept = "both" if len(before) == 1 else "all of them", ", ".join(item.asked_by for item in before)
        return (
            f"{told} contradict each other: the closed joints do not allow {several}. With {kept}, nearest to the last is "
            f"{text}: leave one of them out, or give that value"
        )
    beside = f" beside {', '.join(item.asked_by for item in before)}" if before else ""
    return (
        f"{wish.asked_by}: {wish.what} cannot be reached with the joints closed{beside} (nearest: {text}), it lies beyond "
        "the limits of the mechanism; change the value or the lengths"
    )


def _open_joint(conditions: PoseConditions, p: Array, poses: Poses, targets: Sequence[Target], worst: int) -> str:
    phi = np.nan_to_num(conditions.residuals_at(poses, p), nan=np.inf, posinf=np.inf, neginf=-np.inf)
    if worst >= len(phi):
        target = targets[worst - len(phi)]
        reading = conditions.readings[target.reading]
        return (
            f"{target.asked_by}: {reading.element}.{reading.name} = {_number(target.value, reading.angular)} cannot be "
            "reached near the sketch with the joints closed; change the value or the lengths, or draw it nearer to there"
        )
    label = conditions.labels[worst]
    loop = loop_text(conditions, p, poses, label.element) if label.element in conditions.geometry.joints else ""
    if loop:
        return (
            f"the mechanism cannot be assembled near the sketch: joint {label.element} between "
            f"{' and '.join(bodies_of(conditions, label.element))} stays open {loop}"
        )
    gaps = {row.element: 0.0 for row in conditions.labels}
    for row, size in zip(conditions.labels, np.abs(phi), strict=True):
        gaps[row.element] = max(gaps[row.element], float(size) * conditions.length)
    widest = sorted(gaps.items(), key=lambda item: -item[1])[:4]
    endless = [name for name, gap in gaps.items() if not np.isfinite(gap)]
    if endless:
        return (
            f"the mechanism cannot be assembled: {label.kind} {' and '.join(endless)} has no finite value at t = "
            f"{conditions.time:.6g} s near the sketch (an overflow, or a division by zero): check its formula and numbers"
        )
    still = ", ".join(f"{name} by {gap:.4g} m" for name, gap in widest if gap > POLICY.closed * conditions.length)
    if widest[0][1] > TORN * conditions.length:
        still += "; was a unit forgotten?"
    return (
        f"the mechanism cannot be assembled near the sketch: {label.kind} {label.element} between "
        f"{' and '.join(bodies_of(conditions, label.element))} stays open (still open: {still}); check the "
        "lengths of the bodies in its loop, or draw the sketch nearer to a position in which they fit"
    )


def _number(value: float, angular: bool) -> str:
    return f"{value:.6g} rad, {np.degrees(value):.6g} deg" if angular else f"{value:.6g} m"


def _place(place: Array) -> str:
    return f"({', '.join('any' if np.isnan(x) else f'{x:.6g}' for x in place)}) m"


def _attitude(axes: Array) -> str:
    """The angle of axes in the plane, or yaw, pitch and roll in space: Rz(yaw) Ry(pitch) Rx(roll)."""
    if len(axes) == 2:
        return f"angle {_number(float(np.arctan2(axes[1, 0], axes[0, 0])), True)}"
    yaw, roll = np.arctan2(axes[1, 0], axes[0, 0]), np.arctan2(axes[2, 1], axes[2, 2])
    pitch = np.arctan2(-axes[2, 0], np.hypot(axes[0, 0], axes[1, 0]))
    angles = {"yaw": yaw, "pitch": pitch, "roll": roll}
    return ", ".join(f"{name} {round(float(angle), 9) + 0.0:.6g}" for name, angle in angles.items()) + " rad"
