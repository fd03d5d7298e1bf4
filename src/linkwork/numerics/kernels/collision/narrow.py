"""Where two shapes touch, for every pair of kinds; pairs are taken in the order of kinds, and turned round where they were.

A gap is that of the cores less both radii: as long as the cores are apart their distance (``simplices``), else minus their
depth (``separating_axes``). A sum with a ball moves both by its radius: this is exact for shapes with round edges too.
"""

from __future__ import annotations

from linkwork.numerics.kernels.collision.features import (
    FeatureRecord,
    TangentRecord,
    facing,
    find_feature,
    set_tangents,
)
from linkwork.numerics.kernels.collision.manifolds import (
    SAME,
    ManifoldRecord,
    add_place,
    add_witness,
    choose_places,
    least_place,
    overlap_of_features,
    write_contacts,
)
from linkwork.numerics.kernels.collision.separating_axes import AxisRecord, separating_axis
from linkwork.numerics.kernels.collision.shape_record import (
    PLANE,
    ContactRecord,
    ShapeRecord,
)
from linkwork.numerics.kernels.collision.simplices import SimplexRecord, inner, nearest_cores, weighted_place
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Floats, Record, array

SHALLOW = 1e-6  # distance, of the size, below which the direction of a difference of points is rough
AGREES = 1e-6  # of a distance: what separates two cores along an axis that is their normal
SLACK = 1e-11  # of the size: what is outside of a face by less is on its rim


class NarrowRecord(Record):
    """Work of the narrow phase; most: corners of the largest faces of both shapes, and twelve."""

    most: int
    simplex: SimplexRecord
    axis: AxisRecord
    tangents: TangentRecord
    feature_one: FeatureRecord
    feature_other: FeatureRecord
    places: ManifoldRecord
    guess: Floats = array("3")


@kernel
def core_gap(one: ShapeRecord, other: ShapeRecord, m: NarrowRecord) -> float:
    """The gap of two cores; ``axis`` has the normal from the first to the second, and the nearest points of both."""
    size, axis, s = one.size + other.size, m.axis, m.simplex
    distance = nearest_cores(one, other, s, m.guess)
    if distance <= SHALLOW * size:
        found = separating_axis(one, other, axis)
        # hulls that are apart have an axis that separates them; between corners it does by less than their distance
        if found <= 0.0 or found >= (1.0 - AGREES) * distance:
            return found
    weighted_place(one, s, s.one, axis.one)
    weighted_place(other, s, s.other, axis.other)
    for k in range(3):
        axis.normal[k] = -s.v[k] / distance
    if along_face(one, axis, 1.0, distance, size) == 0:
        along_face(other, axis, -1.0, distance, size)
    return distance


@kernel
def along_face(shape: ShapeRecord, axis: AxisRecord, sign: float, distance: float, size: float) -> int:
    """Take the normal of a face in place of a difference of points that is the same but for rounding errors."""
    f = facing(shape, axis.normal, sign)
    if f < 0:
        return 0
    n, off, rise = at(shape.normals, 3 * f), 0.0, 0.0
    for k in range(3):
        off += (n[k] - sign * axis.normal[k]) ** 2
        rise += n[k] * (axis.other[k] - axis.one[k])
    if off > AGREES * AGREES or abs(sign * rise - distance) > SAME * size:
        return 0
    for k in range(3):
        axis.normal[k] = sign * n[k]
    return 1


@kernel
def touch_of_cores(one: ShapeRecord, other: ShapeRecord, m: NarrowRecord, reach: float, out: ContactRecord) -> None:
    """The manifold of two cores whose normal and nearest points are known."""
    size, t = one.size + other.size, m.tangents
    t.n[:3] = m.axis.normal[:3]
    set_tangents(t)
    find_feature(one, t, 1.0, m.feature_one)
    find_feature(other, t, -1.0, m.feature_other)
    m.places.count = 0
    overlap_of_features(m.places, m.feature_one, m.feature_other, SLACK * size)
    add_witness(m.places, t, m.axis.one, m.axis.other, size)
    settle(one, other, m, reach, out)


@kernel
def settle(one: ShapeRecord, other: ShapeRecord, m: NarrowRecord, reach: float, out: ContactRecord) -> None:
    """Choose among the places on trial and write them."""
    p, radii = m.places, one.radius + other.radius
    best = least_place(p)
    least = p.high[best] - p.low[best] - radii
    choose_places(p, max(least, 0.0) + reach + radii, one.size + other.size)
    write_contacts(p, one, other, m.tangents, out)


@kernel
def plane_and_core(plane: ShapeRecord, other: ShapeRecord, m: NarrowRecord, reach: float, out: ContactRecord) -> None:
    """All corners of a core against a half-space."""
    t, p = m.tangents, m.places
    for k in range(3):
        t.n[k] = plane.axes[3 * k + 2]
    set_tangents(t)
    p.count = 0
    level = inner(t.n, plane.place)
    for k in range(other.count):
        corner = at(other.corners, 3 * k)
        add_place(p, inner(corner, t.first), inner(corner, t.second), level, inner(corner, t.n))
    settle(plane, other, m, reach, out)


@kernel
def flip(out: ContactRecord) -> None:
    """Exchange both shapes."""
    for i in range(out.count):
        out.feature_one[i], out.feature_other[i] = out.feature_other[i], out.feature_one[i]
        out.bend_one[i], out.bend_other[i] = out.bend_other[i], out.bend_one[i]
        for k in range(3 * i, 3 * i + 3):
            out.normal[k] = -out.normal[k]
            out.one[k], out.other[k] = out.other[k], out.one[k]
            out.along_one[k], out.along_other[k] = out.along_other[k], out.along_one[k]


@kernel
def touch(one: ShapeRecord, other: ShapeRecord, m: NarrowRecord, reach: float, out: ContactRecord) -> int:
    """The contacts of two located shapes: those with the least gap and all within a reach of touching; their count.

    out: normals point from the first to the second; the deepest contact is the first
    """
    if one.kind == PLANE or other.kind == PLANE:
        if one.kind == PLANE:
            plane_and_core(one, other, m, reach, out)
        else:
            plane_and_core(other, one, m, reach, out)
            flip(out)
        return out.count
    for k in range(3):
        m.guess[k] = one.place[k] - other.place[k]
    if inner(m.guess, m.guess) == 0.0:
        m.guess[0] = 1.0
    core_gap(one, other, m)
    touch_of_cores(one, other, m, reach, out)
    return out.count
