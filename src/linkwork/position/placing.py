"""Placing: the poses near the sketch in which all joints are closed.

Where no joint closes a loop, bodies are placed one after the other (``outward.py``). Elsewhere the closing conditions come
first, then what drivers and initial values ask for. The freedoms that are left keep their sketched values, as
``preference.py`` orders them.

A body that a driver turns stands in the sketch as it is drawn, perhaps by half a turn away. It is turned first, and the
others follow; where they do not, everything starts as it is drawn, and after that from bodies that are thrown about, further
and further: the first that closes is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import casadi as ca
import numpy as np

from linkwork.errors import AssemblyError
from linkwork.position.assembly import Target, close_joints, independent_readings
from linkwork.position.geometry import Array, Pose
from linkwork.position.nearest import Nearest, ReadingGoal
from linkwork.position.opening import is_stretched
from linkwork.position.outward import held_outward, place_outward
from linkwork.position.poses import PoseConditions, Poses
from linkwork.position.preference import Preference
from linkwork.position.unreached import open_message

STAGE = 1.0  # rad by which a screw is turned at a time
THROWS = 24  # starts elsewhere, where a driver turns a body
PATIENCE = 60  # steps from each of them


def assemble_positions(
    conditions: PoseConditions, p: Array, targets: Sequence[Target], preferred: Preference, known: Sequence[int] = ()
) -> tuple[dict[str, Pose], tuple[str, ...]]:
    """Close all joints near the sketch; then once more with the free coordinates held at their sketched values.

    *known*: readings that are free elsewhere, as with other parameters, and are held where they can be.
    """
    sketch = conditions.geometry.beginning(p)
    turned = conditions.turned(sketch, p)
    outward = place_outward(conditions, p, turned, targets)
    # what hangs on places that start elsewhere than drawn is where these carry it
    carried = turned if outward is None or not conditions.geometry.insides else outward
    drawn = conditions.readings_at(carried, p)
    start = _wind(conditions, p, turned, targets) if outward is None else outward
    closed = _close_from(conditions, p, start, targets, sketch)
    if outward is not None and (held := held_outward(preferred, targets)) is not None:
        return closed, _names(conditions, held)
    for choice in (lambda: known, lambda: independent_readings(conditions, p, closed, targets, preferred)):
        held = list(choice())
        wanted = [Target(i, float(drawn[i]), "sketch") for i in held]
        kept, failed, _ = close_joints(conditions, p, closed, [*targets, *wanted])
        if held and failed is None:
            return kept, _names(conditions, held)
    return closed, ()


def _names(conditions: PoseConditions, readings: Sequence[int]) -> tuple[str, ...]:
    return tuple(f"{conditions.readings[i].element}.{conditions.readings[i].name}" for i in readings)


def assemble_near(conditions: PoseConditions, p: Array, start: Poses, targets: Sequence[Target]) -> dict[str, Pose]:
    """Close all joints near given poses, with the values that are asked for."""
    return _close_from(conditions, p, start, targets, start)


def _close_from(
    conditions: PoseConditions, p: Array, start: Poses, targets: Sequence[Target], sketch: Poses
) -> dict[str, Pose]:
    closed, worst, _ = close_joints(conditions, p, start, targets)
    if worst is None:
        return closed
    led = _led(conditions, p, start, targets)
    if led is not None:
        return led
    for other in starts_elsewhere(conditions, p, sketch):
        found, open_row, _ = close_joints(conditions, p, other, targets, PATIENCE)
        if open_row is None:
            return found
    raise AssemblyError(open_message(conditions, p, closed, targets, worst))


def _led(conditions: PoseConditions, p: Array, start: Poses, targets: Sequence[Target]) -> dict[str, Pose] | None:
    """The joints closed first, then led to the values that are asked for: also out of a dead centre, where steps that do
    both at once have no slope to follow."""
    if not targets:
        return None
    closed, worst, _ = close_joints(conditions, p, start, ())
    if worst is not None:
        return None
    goals = [ReadingGoal(target.reading, target.value) for target in targets]
    near, _ = Nearest(conditions, p).minimise(closed, goals)
    found, open_row, _ = close_joints(conditions, p, near, targets)
    return found if open_row is None else None


def starts_elsewhere(conditions: PoseConditions, p: Array, sketch: Poses) -> Iterator[Poses]:
    """Where else to begin, if a driver turns a body or a loop closes in one line alone: the sketch as it is drawn, then
    thrown about further and further."""
    turns = any(relation.orientation(ca.SX(0.0)) is not None for relation in conditions.geometry.relations.values())
    if not (turns or is_stretched(conditions, p)):
        return
    yield sketch
    random = np.random.default_rng(0)
    # by names: the order of a file decides nothing
    k, names = conditions.space.freedoms, conditions.bodies
    places = [names.index(name) * k + i for name in sorted(names) for i in range(k)]
    places += range(conditions.moving, conditions.size)
    for i in range(THROWS):
        thrown = np.zeros(conditions.size)
        thrown[places] = np.pi * (i + 1) / THROWS * random.uniform(-1.0, 1.0, conditions.size)
        yield conditions.move(sketch, thrown)


def _wind(conditions: PoseConditions, p: Array, start: Poses, targets: Sequence[Target]) -> Poses:
    """Turn screws to within a stage of the turns that are asked for, stage by stage: all joints follow."""
    values = conditions.readings_at(start, p)
    gaps = [target.value - values[target.reading] for target in targets]
    winding = [gap for gap, target in zip(gaps, targets, strict=True) if conditions.readings[target.reading].winds]
    stages = int(np.ceil(max(np.abs(winding), default=0.0) / STAGE))
    for left in np.arange(stages - 1, 0, -1) / max(stages, 1):
        on_the_way = [
            replace(target, value=target.value - left * gap)
            for gap, target in zip(gaps, targets, strict=True)
            if conditions.readings[target.reading].winds
        ]
        start = close_joints(conditions, p, start, on_the_way)[0]
    return start
