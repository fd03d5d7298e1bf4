"""Bodies: their points exist, their lengths and masses are possible, and their inertia belongs to a real body."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from linkwork.errors import Fault, did_you_mean
from linkwork.model.body import Body
from linkwork.model.checks.solids import positive, rotation_faults, solid_faults
from linkwork.model.inertia import Centred, InertiaMatrix, Moments
from linkwork.model.reading import DraftModel

TOLERANCE = 1e-9
MOST = 1e300  # kg·m²; sums of a few of these are numbers


def faults(draft: DraftModel) -> Iterator[Fault]:
    """All faults of the sound bodies."""
    for name, body in draft.bodies.items():
        path = f"bodies.{name}"
        yield from _points(draft, path, body)
        yield from _sizes(draft, path, body)
        yield from _mass(draft, path, body)
        yield from _inertia(draft, f"{path}.inertia", body)
        yield from rotation_faults(draft, f"{path}.rotation", body.rotation)


def _points(draft: DraftModel, path: str, body: Body) -> Iterator[Fault]:
    key = "bar" if body.bar else "points"
    known = draft.names("points")
    for point in body.sketch_points:
        if point not in known:
            yield Fault(f"{path}.{key}", f"there is no sketch point '{point}'", did_you_mean(point, known))
    if isinstance(body.com, str) and body.com not in body.point_names:
        hint = did_you_mean(body.com, body.point_names)
        yield Fault(f"{path}.com", f"'{body.com}' is not a point of this body", hint)
    if isinstance(body.origin, str) and body.origin not in known:
        yield Fault(f"{path}.origin", f"there is no sketch point '{body.origin}'", did_you_mean(body.origin, known))
    if body.bar is not None and body.bar[0] != body.bar[1]:
        ends = [draft.numbers(draft.points[point]) for point in body.bar if point in draft.points]
        if len(ends) == 2 and ends[0] is not None and ends[0] == ends[1]:
            reason = f"its ends {body.bar[0]} and {body.bar[1]} lie in the same place of the sketch"
            yield Fault(f"{path}.bar", reason, "move one of them: the sketch gives the direction of the bar")


def _sizes(draft: DraftModel, path: str, body: Body) -> Iterator[Fault]:
    """Lengths that must be positive."""
    yield from positive(draft, f"{path}.length", "length", body.length)
    yield from positive(draft, f"{path}.radius", "radius", body.radius)
    yield from positive(draft, f"{path}.width", "width", body.width)
    yield from positive(draft, f"{path}.density", "density", body.density)
    for edge in body.section or ():
        yield from positive(draft, f"{path}.section", "edge", edge)
    if isinstance(body.inertia, Centred):
        yield from solid_faults(draft, f"{path}.inertia", body.inertia)


def _mass(draft: DraftModel, path: str, body: Body) -> Iterator[Fault]:
    mass = draft.number(body.mass)
    if mass is not None and mass < 0.0:
        yield Fault(f"{path}.mass", f"the mass is {mass:g} kg; it cannot be negative")
    heavy = body.density is not None or (mass is not None and mass > 0.0)
    if not heavy or not body.has_own_mass or body.bar is not None or len(body.point_names) == 1:
        return
    if body.com is None:
        hint = "write com: [0.1, 0.2] in local coordinates, or the name of a point of the body"
        yield Fault(f"{path}.com", "the centre of mass is missing", hint)
    if body.inertia is None:
        hint = "write inertia: a number, a shape such as {box: [...]}, or point"
        yield Fault(f"{path}.inertia", "is missing", hint)


def _inertia(draft: DraftModel, path: str, body: Body) -> Iterator[Fault]:
    match body.inertia:
        case Moments((single,)):
            value = draft.number(single)
            if value is not None and value < 0.0:
                yield Fault(path, f"the inertia is {value:g} kg·m²; it cannot be negative")
        case Moments(values):
            yield from real_body(path, _matrix(draft.numbers(values)))
        case InertiaMatrix(rows):
            numbers = [draft.numbers(row) for row in rows]
            if None not in numbers:
                yield from real_body(path, np.array(numbers, dtype=float))


def _matrix(values: list[float] | None) -> np.ndarray | None:
    """The symmetric matrix of [Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz], (3, 3)."""
    if values is None or len(values) not in (3, 6):
        return None
    xx, yy, zz, xy, xz, yz = [*values, 0.0, 0.0, 0.0][:6]
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def real_body(path: str, matrix: np.ndarray | None, size: float = 0.0) -> Iterator[Fault]:
    """A real body has non-negative principal moments, none larger than the sum of the other two.

    size: what the moments came from, kg·m², where large ones cancel.
    """
    if matrix is None:
        return
    scale = max(float(np.abs(matrix).max()), size)
    if not scale < MOST:
        yield Fault(
            path, f"a moment of inertia of {scale:.4g} kg·m² is beyond what can be computed with", "check units"
        )
        return
    if np.abs(matrix - matrix.T).max() > TOLERANCE * scale:
        yield Fault(path, "the matrix is not symmetric")
        return
    if scale == 0.0:
        return
    small, middle, large = np.linalg.eigvalsh(matrix / scale)
    principal = ", ".join(f"{moment * scale:.4g}" for moment in (small, middle, large))
    if small < -TOLERANCE:
        yield Fault(path, f"no body has the principal moments {principal} kg·m²: one is negative")
    elif large > small + middle + TOLERANCE:
        reason = f"no body has the principal moments {principal} kg·m²: the largest exceeds the sum of the others"
        yield Fault(path, reason, "check units, axes, and that the inertia is about the centre of mass")
