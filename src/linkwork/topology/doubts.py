"""What can be meant, but looks like a mistake: joints that repeat each other, odd sizes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from linkwork.model import Model
from linkwork.position.geometry import Geometry
from linkwork.topology.graph.floating import floating_texts

APART = 1000.0  # times as long: lengths of two bars in different units, perhaps


def doubts(model: Model, geometry: Geometry) -> list[str]:
    """All that a user should look at again."""
    return [*floating_texts(geometry), *_repeated(model), *_sizes(model, geometry)]


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
