"""Vectors have two components in the plane and three in space."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from linkwork.errors import Fault
from linkwork.model.body import Body
from linkwork.model.inertia import InertiaMatrix, Moments
from linkwork.model.reading import GRAVITY_LINES, DraftModel
from linkwork.model.references import size_faults
from linkwork.model.rotation import PlanarAngle, Rotation
from linkwork.model.shapes import Shape
from linkwork.model.solids import Box, Plate


def faults(draft: DraftModel) -> Iterator[Fault]:
    """Vectors of the wrong size for the space."""
    if draft.space is None:
        return
    size = 2 if draft.space == "planar" else 3
    if draft.gravity is not None:
        for fault in size_faults("gravity", draft.gravity, size, draft.space):
            yield replace(fault, suggestion=GRAVITY_LINES[draft.space])
    for name, position in draft.points.items():
        yield from size_faults(f"points.{name}", position, size, draft.space)
    for name, body in draft.bodies.items():
        yield from vector_faults(f"bodies.{name}", body, draft.space)


def vector_faults(path: str, body: Body, space: str) -> Iterator[Fault]:
    """Vectors of the wrong size in one body."""
    size = 2 if space == "planar" else 3
    for point, position in body.local_points.items():
        yield from size_faults(f"{path}.points.{point}", position, size, space)
    for key in ("com", "origin"):
        place = getattr(body, key)
        if isinstance(place, tuple):
            yield from size_faults(f"{path}.{key}", place, size, space)
    yield from _inertia(f"{path}.inertia", body, space)
    yield from space_faults(f"{path}.rotation", body.rotation, space)
    for inner, part in body.parts.items():
        if isinstance(part.at, tuple):
            yield from size_faults(f"{path}.{inner}.at", part.at, size, space)
        yield from space_faults(f"{path}.{inner}.rotation", part.rotation, space)
        if isinstance(part, Shape) and space == "spatial":
            yield from _spatial_solid(f"{path}.{inner}", part)


def _spatial_solid(path: str, shape: Shape) -> Iterator[Fault]:
    match shape.solid:
        case Box(edges):
            yield from size_faults(f"{path}.box", edges, 3, "spatial")
        case Plate() as plate if plate.named:
            hint = "give the corners in the plane of the plate, and place it with at and rotation"
            yield Fault(
                f"{path}.plate", f"'{plate.named[0]}' is not a corner: points of the body serve in the plane", hint
            )


def space_faults(path: str, rotation: Rotation | None, space: str) -> Iterator[Fault]:
    """A rotation of another space."""
    if rotation is not None and isinstance(rotation, PlanarAngle) != (space == "planar"):
        hint = "write rotation: 30 deg" if space == "planar" else "write rotation: {axis: [0, 0, 1], angle: 30 deg}"
        yield Fault(path, f"is not a {space} rotation", hint)


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
