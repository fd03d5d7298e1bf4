"""What can be meant, but looks like a mistake: angles that may be degrees, joints that repeat each other, odd sizes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from linkwork.algebra.expressions import Expression, Number, to_float
from linkwork.errors import ExpressionError
from linkwork.model import Model
from linkwork.model.parameters import TURN
from linkwork.position.drives import key_of
from linkwork.position.geometry import Geometry
from linkwork.topology.graph.floating import floating_texts

APART = 1000.0  # times as long: lengths of two bars in different units, perhaps


def doubts(model: Model, geometry: Geometry) -> list[str]:
    """All that a user should look at again."""
    return [*floating_texts(geometry), *_degrees(model), *_repeated(model), *_sizes(model, geometry)]


def _degrees(model: Model) -> Iterator[str]:
    """Plain numbers of angles beyond a turn."""
    for path, joint, freedom, expression in _angles(model):
        kinds = {f.name: f for f in model.joints[joint].freedoms}
        if freedom not in kinds or not kinds[freedom].angular or model.joints[joint].kind == "helical":
            continue
        if any(isinstance(node, Number) and (node.unit or node.text == "pi") for node in expression.walk()):
            continue
        try:
            value = to_float(expression, {**model.parameter_values(), "t": 0.0}.__getitem__)
        except ExpressionError:
            continue
        if abs(value) > TURN:
            turns = f"{path} is {value:g} rad, {value / TURN:.3g} turns"
            yield f"{turns}: write '{value:g} deg' where degrees are meant, and a unit or pi where not"


def _angles(model: Model) -> Iterator[tuple[str, str, str, Expression]]:
    """Values of joint coordinates at the start: where they are given, joint, coordinate and formula."""
    for name, given in model.initial.items():
        for key, value in given.items() if name in model.joints else ():
            if isinstance(value, Expression):
                yield f"initial.{name}.{key}", name, key, value
    for name, driver in model.joint_drivers.items():
        start = driver.position if driver.position is not None else driver.initial
        if start is not None:
            yield f"drivers.{name}", *key_of(model, driver), start


def _repeated(model: Model) -> Iterator[str]:
    """Joints of one kind between the same bodies at the same point."""
    seen: dict[tuple[object, ...], str] = {}
    for name, joint in model.joints.items():
        key = joint.kind, frozenset(joint.bodies), model.joint_points(name), str(joint.directions)
        if key in seen:
            bodies = " and ".join(joint.bodies)
            yield f"joints {seen[key]} and {name} hold {bodies} at the same place: one of them is enough"
        seen.setdefault(key, name)


def _sizes(model: Model, geometry: Geometry) -> Iterator[str]:
    """Bars of very different lengths."""
    lengths = {
        name: float(
            np.linalg.norm(geometry.number(geometry.bodies[name].points[end] - geometry.bodies[name].points[start]))
        )
        for name, body in model.bodies.items()
        if body.bar is not None
        for start, end in [body.bar]
    }
    lengths = {name: size for name, size in lengths.items() if size > 0.0}
    if not lengths:
        return
    short, long = min(lengths, key=lengths.__getitem__), max(lengths, key=lengths.__getitem__)
    if lengths[long] > APART * lengths[short]:
        yield f"{long} is {lengths[long]:.4g} m long and {short} {lengths[short]:.4g} m: check the units of their points"
