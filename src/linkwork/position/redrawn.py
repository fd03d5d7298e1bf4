"""How a sketch was put together that does not close: what was kept as drawn, and how far the rest moved; and one that is at
a dead centre: which way was taken."""

from __future__ import annotations

from collections.abc import Sequence
from math import degrees

import numpy as np

from linkwork.arrays import Array
from linkwork.numerics.matrices.long_rows import row_of
from linkwork.position.assembly import Target
from linkwork.position.poses import PoseConditions, Poses, wrap
from linkwork.position.preference import Preference
from linkwork.position.rank import null_space

OPEN = 1e-6  # gap of a sketch, over the size of the mechanism, that is told
FLIPPED = 1e3  # gap that no length has: axes that stand against each other
STILL = 1e-6  # rate of a coordinate, over its unit, that is none
LISTED = 8  # joint coordinates that are told


def redrawn(conditions: PoseConditions, p: Array, poses: Poses, kept: Sequence[str]) -> tuple[str, ...]:
    """What a user should know of a sketch whose joints are open; nothing where it closes."""
    sketch = conditions.geometry.as_drawn(conditions.geometry.beginning(p))
    phi, drawn = conditions.evaluator(p).numbers(sketch)
    # what a driver asks for is no part of the sketch
    sketched = np.array([label.kind != "driver" for label in conditions.labels], dtype=bool)
    phi = np.where(sketched, np.nan_to_num(phi, nan=FLIPPED, posinf=FLIPPED, neginf=-FLIPPED), 0.0)
    gap = float(np.max(np.abs(phi), initial=0.0))
    if gap < OPEN:
        return ()
    # of gaps that are alike the first name
    widest, is_length = min(
        (conditions.labels[i].element, bool(conditions.lengths[i]))
        for i in np.flatnonzero(np.abs(phi) > (1 - OPEN) * gap)
    )
    values = conditions.readings_at(poses, p)
    moves = []
    for i, reading in enumerate(conditions.readings):
        name = f"{reading.element}.{reading.name}"
        if reading.element not in conditions.geometry.joints or reading.rate_only or name in kept:
            continue
        change = float(wrap(values[i] - drawn[i]) if reading.wraps else values[i] - drawn[i])
        size = abs(change) / float(conditions.units[i])
        text = f"{degrees(change):.3g} deg" if reading.angular else f"{change:.3g} m"
        moves.append((round(size, 9), name, f"{name} by {text}"))
    moves = sorted((move for move in moves if move[0] > OPEN), key=lambda move: (-move[0], move[1]))
    told = ", ".join(text for _, _, text in moves[:LISTED]) or _bodies(conditions, p, poses)
    more = f" and {len(moves) - LISTED} more" if len(moves) > LISTED else ""
    first = f"kept as drawn: {', '.join(kept)}; " if kept else ""
    wide = f"{gap * conditions.length:.3g} m" if is_length else f"{degrees(gap):.3g} deg"
    opened = f"open by {wide} at {widest}" if gap < FLIPPED else f"turned round at {widest}"
    return (f"the sketch does not close ({opened}): {first}moved: {told}{more}",)


def _bodies(conditions: PoseConditions, p: Array, poses: Poses) -> str:
    """How far bodies moved, where no coordinate of a joint tells: the largest way of an origin, and the largest turn."""
    drawn, ways, turns = conditions.geometry.as_drawn(conditions.geometry.beginning(p)), {}, {}
    for name in conditions.geometry.bodies:
        ways[name] = float(np.linalg.norm(poses[name].origin - drawn[name].origin))
        # |R - 1| of a turn by an angle, in the plane as in space: 2 sqrt(2) |sin(angle/2)|
        apart = float(np.linalg.norm(poses[name].axes - drawn[name].axes))
        turns[name] = 2 * float(np.arcsin(min(1.0, apart / np.sqrt(8.0))))
    far, turned = max(ways, key=ways.__getitem__), max(turns, key=turns.__getitem__)
    told = [f"{far} by {ways[far]:.3g} m"] if ways[far] > OPEN * conditions.length else []
    told += [f"{turned} turned by {degrees(turns[turned]):.3g} deg"] if turns[turned] > OPEN else []
    return f"no joint coordinate, but bodies, most of all {' and '.join(told)}" if told else "no joint coordinate"


def ways_taken(
    conditions: PoseConditions, p: Array, poses: Poses, targets: Sequence[Target], preferred: Preference
) -> tuple[str, ...]:
    """Which way was taken to values that are asked for, where the sketch closes and stands at a dead centre of theirs."""
    evaluate, sketch = conditions.evaluator(p), conditions.geometry.beginning(p)
    phi, drawn = evaluate.numbers(sketch)
    values, units = conditions.readings_at(poses, p), conditions.units
    change = np.array([wrap(x) if r.wraps else x for x, r in zip(values - drawn, conditions.readings, strict=True)])
    moved = [target.reading for target in targets if abs(change[target.reading]) > STILL * units[target.reading]]
    if not moved or float(np.max(np.abs(phi), initial=0.0)) > OPEN:
        return ()
    _, rows, _, rates = evaluate.rows(sketch)
    free = null_space(rows)
    still = [i for i in moved if free.shape[1] and float(np.linalg.norm(row_of(rates, i) @ free)) < STILL * units[i]]
    told = []
    for i in still:
        first = preferred.moved_first(change)
        if first is None or first == i:
            continue
        reading, asked = conditions.readings[first], conditions.readings[i]
        value = f"{degrees(values[first]):.6g} deg" if reading.angular else f"{values[first]:.6g} m"
        told.append(
            f"drawn at a dead centre of {asked.element}.{asked.name}, from which two ways lead: taken is the one with "
            f"{reading.element}.{reading.name} at {value}; for the other draw it a little that way, or "
            "begin in a pose of assemble"
        )
    return tuple(told)
