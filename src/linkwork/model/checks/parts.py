"""Bodies built from parts: each part is possible and has its place, and the whole is a body that can exist."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import casadi as ca
import numpy as np

from linkwork.algebra.expressions import Expression
from linkwork.algebra.space import column, space_named
from linkwork.elements.inertia import Distribution
from linkwork.errors import Fault, did_you_mean
from linkwork.model.body import Body
from linkwork.model.checks.bodies import TOLERANCE, real_body
from linkwork.model.checks.sizes import vector_faults
from linkwork.model.checks.solids import polygon_faults, positive, rotation_faults, solid_faults
from linkwork.model.mass import mass_of
from linkwork.model.reading import DraftModel
from linkwork.model.shapes import Mesh, Part, Shape


class _Unknown(Exception):
    """A formula has no value; it has a fault of its own."""


class _Defaults:
    """Values of formulas at the default parameters."""

    def __init__(self, draft: DraftModel, space: str) -> None:
        self.draft = draft
        self.space = space_named(space)

    def value(self, expression: Expression) -> ca.SX:
        number = self.draft.number(expression)
        if number is None:
            raise _Unknown
        return ca.SX(number)

    def vector(self, expressions: tuple[Expression, ...]) -> ca.SX:
        return column([self.value(expression) for expression in expressions])


def faults(draft: DraftModel) -> Iterator[Fault]:
    """Faults of all bodies that have shapes, a mesh or point masses."""
    for name, body in draft.bodies.items():
        if not body.assembled:
            continue
        path = f"bodies.{name}"
        found = [
            *_masses(path, body),
            *(fault for key, part in body.parts.items() for fault in _part(draft, f"{path}.{key}", body, part)),
        ]
        yield from found
        if not found and draft.space is not None and not list(vector_faults(path, body, draft.space)):
            yield from _whole(_Defaults(draft, draft.space), path, body)


def _masses(path: str, body: Body) -> Iterator[Fault]:
    for point in body.masses:
        if point not in body.point_names:
            yield _not_a_point(f"{path}.masses.{point}", point, body)


def _part(draft: DraftModel, path: str, body: Body, part: Part) -> Iterator[Fault]:
    if isinstance(part.at, str) and part.at not in body.point_names:
        yield _not_a_point(f"{path}.at", part.at, body)
    yield from rotation_faults(draft, f"{path}.rotation", part.rotation)
    if isinstance(part, Mesh):
        yield from positive(draft, f"{path}.scale", "scale", part.scale)
    elif isinstance(part, Shape):
        yield from solid_faults(draft, f"{path}.{part.kind}", part.solid)
        for corner in () if part.plate is None else part.plate.named:
            if corner not in body.point_names:
                yield _not_a_point(f"{path}.plate.points", corner, body)


def _not_a_point(path: str, point: str, body: Body) -> Fault:
    return Fault(path, f"'{point}' is not a point of this body", did_you_mean(point, body.point_names))


def _whole(values: _Defaults, path: str, body: Body) -> Iterator[Fault]:
    """Polygons are simple; the mass is positive, and the inertia that of a real body."""
    d = values.space.dimension
    places = {name: values.draft.points.get(name, ()) for name in body.sketch_points}
    if any(len(place) != d for place in places.values()):
        return
    try:
        points = body.placed_points(values, {name: values.vector(place) for name, place in places.items()})
        crossed = [
            fault
            for name, shape in body.shapes.items()
            for fault in _polygon(values, f"{path}.shapes.{name}", shape, points)
        ]
        yield from crossed or _sound(path, mass_of(values, body, points), points)
    except _Unknown:
        return


def _sound(path: str, whole: Distribution, points: Mapping[str, ca.SX]) -> Iterator[Fault]:
    mass = float(whole.mass)
    if not mass > 0.0:
        hint = "holes and negative masses must weigh less than the rest"
        yield Fault(path, f"the mass of the whole is {mass:.6g} kg; it must be positive", hint)
        return
    inertia = np.array(ca.DM(ca.densify(whole.inertia)))
    size = mass * max(float(ca.norm_2(place)) for place in (whole.centre, *points.values())) ** 2
    if inertia.size > 1:
        yield from real_body(path, inertia, size)
    elif inertia[0, 0] < -TOLERANCE * size:
        reason = f"no body has the moment of inertia {inertia[0, 0]:.4g} kg·m² about its centre of mass"
        yield Fault(path, reason, "check the negative masses")


def _polygon(values: _Defaults, path: str, shape: Shape, points: Mapping[str, ca.SX]) -> Iterator[Fault]:
    if shape.plate is not None:
        corners = [points[c] if isinstance(c, str) else values.vector(c) for c in shape.plate.points]
        yield from polygon_faults(
            f"{path}.plate", [np.array(ca.DM(ca.densify(corner))).ravel().tolist() for corner in corners]
        )
