"""The stops at the limits of joint coordinates, as elements of a mechanism in motion.

Each coordinate with limits is an element of its own, by the name of the coordinate: ``O.angle``. Its push is the quantity
``O.angle.stop``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import casadi as ca

from linkwork.algebra.expressions import Expression
from linkwork.algebra.whole_turns import TURN
from linkwork.coordinates.scene import MovingScene
from linkwork.elements.contribution import Contribution, JointCoordinate
from linkwork.elements.stops import Travel, rigid_stops, sprung_stops
from linkwork.model import Model

STOP = "stop"  # kind of their rows, and name of their quantity


def stop_name(joint: str, freedom: str) -> str:
    """The name of the element that is the stops of a coordinate."""
    return f"{joint}.{freedom}"


def limited(model: Model) -> Iterator[tuple[str, str]]:
    """Joint and freedom of all coordinates with limits."""
    return ((name, freedom) for name, joint in model.joints.items() for freedom in joint.ranges)


def stops_of(
    model: Model, scene: MovingScene, length: float, *, every: bool
) -> Iterator[tuple[str, bool, Contribution]]:
    """The stops by name, whether they are rigid, and what they do; *every*: rigid ones too."""
    for joint, freedom in limited(model):
        stop, name = model.joints[joint].stop(freedom), stop_name(joint, freedom)
        if stop.rigid and not every:
            continue
        coordinate, range_ = limits_of(model, scene, joint, freedom)
        if stop.stiffness is None:
            yield name, True, rigid_stops(coordinate, range_, _value(scene, stop.restitution, 0.0), length)
        else:
            law = scene.value(stop.stiffness), _value(scene, stop.damping, 0.0)
            yield name, False, sprung_stops(coordinate, range_, law, scene.holds(f"stop of {name}"))


def limits_of(model: Model, scene: MovingScene, joint: str, freedom: str) -> tuple[JointCoordinate, Travel]:
    """A coordinate and its range; an angle whose turns nobody has counted begins with those that bring it inside."""
    coordinate = scene.coordinate(joint, freedom)
    low, high = (None if end is None else scene.value(end) for end in model.joints[joint].ranges[freedom])
    if coordinate.unit == "rad" and low is not None and high is not None:
        angle = scene.angle(joint, freedom)
        if not angle.counts:
            coordinate = replace(coordinate, value=coordinate.value + TURN * scene.turns_into(angle, low, high))
    return coordinate, Travel(low, high)


def _value(scene: MovingScene, expression: Expression | None, otherwise: float) -> ca.SX:
    return ca.SX(otherwise) if expression is None else scene.value(expression)
