"""Vectors have two components in the plane and three in space."""

from __future__ import annotations

from collections.abc import Iterator

from linkwork.errors import Fault
from linkwork.model.body import Body
from linkwork.model.draft import Draft
from linkwork.model.inertia import Box, InertiaMatrix, Moments
from linkwork.model.references import size_faults
from linkwork.model.rotation import PlanarAngle


def faults(draft: Draft) -> Iterator[Fault]:
    """Vectors of the wrong size for the space."""
    if draft.space is None:
        return
    size = 2 if draft.space == "planar" else 3
    if draft.gravity is not None:
        yield from size_faults("gravity", draft.gravity, size, draft.space)
    for name, position in draft.points.items():
        yield from size_faults(f"points.{name}", position, size, draft.space)
    for name, body in draft.bodies.items():
        yield from _body(f"bodies.{name}", body, size, draft.space)
    for name, joint in draft.joints.items():
        if joint.axis is not None:
            yield from size_faults(f"joints.{name}.axis", joint.axis, size, draft.space)


def _body(path: str, body: Body, size: int, space: str) -> Iterator[Fault]:
    for point, position in body.local_points.items():
        yield from size_faults(f"{path}.points.{point}", position, size, space)
    for key in ("com", "origin"):
        place = getattr(body, key)
        if isinstance(place, tuple):
            yield from size_faults(f"{path}.{key}", place, size, space)
    yield from _inertia(f"{path}.inertia", body, space)
    if body.rotation is not None and isinstance(body.rotation, PlanarAngle) != (space == "planar"):
        hint = "write rotation: 30 deg" if space == "planar" else "write rotation: {axis: [0, 0, 1], angle: 30 deg}"
        yield Fault(f"{path}.rotation", f"is not a {space} rotation", hint)


def _inertia(path: str, body: Body, space: str) -> Iterator[Fault]:
    match body.inertia:
        case Moments(values) if (len(values) == 1) != (space == "planar"):
            needed = "one number" if space == "planar" else "[Ixx, Iyy, Izz], six numbers or a matrix"
            yield Fault(path, f"a {space} inertia is {needed}")
        case InertiaMatrix() if space == "planar":
            yield Fault(path, "a planar inertia is one number")
        case Box(edges):
            if space == "spatial" or body.density is None:
                yield from size_faults(path, edges, 2 if space == "planar" else 3, space)
            else:
                yield Fault(path, "a planar box has no volume for the density", "give the mass")
