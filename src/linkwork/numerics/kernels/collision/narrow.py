"""Where two shapes touch, for every pair of kinds; pairs are taken in the order of kinds, and turned round where they were.

A gap is that of the cores less both radii: as long as the cores are apart their distance (``simplices``), else minus their
depth (``separating_axes``). A sum with a ball moves both by its radius: this is exact for shapes with round edges too.
"""

from __future__ import annotations

from linkwork.numerics.kernels.collision.features import (
    FeatureRecord,
    TangentRecord,
    find_feature,
    near_face,
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
from linkwork.numerics.kernels.collision.rims import COARSE, FINE, angle_of, fit_rims, foot_on_axis
from linkwork.numerics.kernels.collision.round_shapes import add_rims, turned_and_point
from linkwork.numerics.kernels.collision.separating_axes import AxisRecord, separating_axis, separation_along
from linkwork.numerics.kernels.collision.shape_record import (
    PLANE,
    TURNED,
    ContactRecord,
    ShapeRecord,
)
from linkwork.numerics.kernels.collision.simplices import (
    ROUNDED,
    TOUCHING,
    SimplexRecord,
    inner,
    nearest_cores,
    weighted_place,
)
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Floats, Record, array

SHALLOW = 1e-6  # distance, of the size, below which the direction of a difference of points is rough
AGREES = 1e-6  # of a distance: what separates two cores along an axis that is their normal
ROUNDS = 100  # of normals, at most
CLEAR = 1e-3  # of the size: how far shapes are shifted apart
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
    best: Floats = array("3")


@kernel
def core_gap(one: ShapeRecord, other: ShapeRecord, m: NarrowRecord) -> float:
    """The gap of two cores; ``axis`` has the normal from the first to the second, and the nearest points of both."""
    size, axis, s = one.size + other.size, m.axis, m.simplex
    s.shift[:3] = 0.0
    distance = nearest_cores(one, other, s, m.guess)
    if distance <= SHALLOW * size:
        if max(one.kind, other.kind) == TURNED:
            return gap_of_turned(one, other, m, distance)
        found = separating_axis(one, other, axis)
        # hulls that are apart have an axis that separates them; between corners it does by less than their distance
        if found <= 0.0 or found >= (1.0 - AGREES) * distance:
            return found
    take_nearest(m, distance)
    sharpen(one, other, m, distance)
    return distance


@kernel
def take_nearest(m: NarrowRecord, distance: float) -> None:
    """The normal and the points of the last simplex."""
    axis, s = m.axis, m.simplex
    weighted_place(s, s.one, axis.one)
    weighted_place(s, s.other, axis.other)
    for k in range(3):
        axis.normal[k] = -s.v[k] / distance


@kernel
def gap_of_turned(one: ShapeRecord, other: ShapeRecord, m: NarrowRecord, distance: float) -> float:
    """The gap of cores that touch or overlap, one of which is turned.

    Of the ways out of their polygons the one is taken that is the shortest for the shapes themselves. With the second shape
    shifted along a normal n by more than it needs, t, the normal m of their distance is the largest of D(m) + t m·n, where
    D is the separation: D(m) ≥ D(n) + t (1 − m·n), and the normals go to the next way out that cannot be made shorter.
    """
    size, axis, s = one.size + other.size, m.axis, m.simplex
    take_nearest(m, max(distance, TOUCHING * size))
    if separation_along(one, other, axis.normal, axis.work) < distance / 2.0 or distance == 0.0:
        coarsen(one)
        coarsen(other)
        separating_axis(one, other, axis)
    gap = separation_along(one, other, axis.normal, axis.work)
    for _ in range(ROUNDS):
        away = CLEAR * size - gap
        for k in range(3):
            s.shift[k] = away * axis.normal[k]
            m.best[k] = axis.normal[k]
            m.guess[k] = -axis.normal[k]
        distance = nearest_cores(one, other, s, m.guess)
        if distance < away + gap - SAME * size:
            break
        take_nearest(m, distance)
        sharpen(one, other, m, separation_along(one, other, axis.normal, axis.work))
        found = separation_along(one, other, axis.normal, axis.work)
        if found <= gap + SAME * AGREES * size:
            axis.normal[:3] = m.best[:3]
            break
        gap = found
    for k in range(3):
        axis.one[k] = axis.other[k] - gap * axis.normal[k]
    return gap


@kernel
def coarsen(shape: ShapeRecord) -> None:
    """Put the corners of rims round them, none of which is touched."""
    if shape.kind == TURNED:
        fit_rims(shape, 0.0, COARSE)


@kernel
def sharpen(one: ShapeRecord, other: ShapeRecord, m: NarrowRecord, gap: float) -> None:
    """Take a normal that a face or an axis gives in place of one that is the same but for rounding errors."""
    axis, least = m.axis, gap - 8.0 * ROUNDED * (one.size + other.size)
    if max(one.kind, other.kind) == TURNED and between_axes(one, other, axis) == 1:
        take_direction(one, other, axis, least)
    if near_face(one, axis.normal, 1.0, axis.across) == 1:
        take_direction(one, other, axis, least)
    if near_face(other, axis.normal, -1.0, axis.across) == 1:
        take_direction(one, other, axis, least)


@kernel
def take_direction(one: ShapeRecord, other: ShapeRecord, axis: AxisRecord, least: float) -> None:
    """Take the direction on trial if both shapes are at least so far apart along it."""
    if separation_along(one, other, axis.across, axis.work) >= least:
        axis.normal[:3] = axis.across[:3]


@kernel
def between_axes(one: ShapeRecord, other: ShapeRecord, axis: AxisRecord) -> int:
    """The direction between both axes at the nearest points, of what is not turned from the point itself; 0 if they meet."""
    foot_on_axis(one, axis.one, axis.across)
    foot_on_axis(other, axis.other, axis.work)
    squared = 0.0
    for k in range(3):
        axis.across[k] = axis.work[k] - axis.across[k]
        squared += axis.across[k] ** 2
    if squared <= (AGREES * (one.size + other.size)) ** 2:
        return 0
    for k in range(3):
        axis.across[k] /= squared**0.5
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
def plane_and_other(plane: ShapeRecord, other: ShapeRecord, m: NarrowRecord, reach: float, out: ContactRecord) -> None:
    """All corners of a core against a half-space; of a turned shape four points of both rims."""
    t, p = m.tangents, m.places
    for k in range(3):
        t.n[k] = plane.axes[3 * k + 2]
    set_tangents(t)
    p.count = 0
    level = inner(t.n, plane.place)
    if other.kind == TURNED:
        add_rims(other, t, p, level)
        settle(plane, other, m, reach, out)
        return
    for k in range(other.count):
        corner = at(other.corners, 3 * k)
        add_place(p, inner(corner, t.first), inner(corner, t.second), level, inner(corner, t.n))
    settle(plane, other, m, reach, out)


@kernel
def turned_and_ball(one: ShapeRecord, other: ShapeRecord, m: NarrowRecord, reach: float, out: ContactRecord) -> None:
    """A turned shape and the core of one corner."""
    t, axis = m.tangents, m.axis
    axis.other[:3] = other.corners[:3]
    turned_and_point(one, axis.other, axis.normal, axis.one)
    t.n[:3] = axis.normal[:3]
    set_tangents(t)
    fit_feature(one, t.n, 1.0)
    m.places.count = 0
    add_witness(m.places, t, axis.one, axis.other, one.size + other.size)
    settle(one, other, m, reach, out)


@kernel
def fit_feature(shape: ShapeRecord, n: Floats, sign: float) -> None:
    """Put corners of the rims of a turned shape to where a normal touches them."""
    if shape.kind == TURNED:
        fit_rims(shape, angle_of(shape, n, sign, 0.0), FINE)


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
            plane_and_other(one, other, m, reach, out)
        else:
            plane_and_other(other, one, m, reach, out)
            flip(out)
        return out.count
    for k in range(3):
        m.guess[k] = one.place[k] - other.place[k]
    if inner(m.guess, m.guess) == 0.0:
        m.guess[0] = 1.0
    if max(one.kind, other.kind) == TURNED and min(one.count, other.count) == 1:
        if one.kind == TURNED:
            turned_and_ball(one, other, m, reach, out)
        else:
            turned_and_ball(other, one, m, reach, out)
            flip(out)
        return out.count
    core_gap(one, other, m)
    fit_feature(one, m.axis.normal, 1.0)
    fit_feature(other, m.axis.normal, -1.0)
    touch_of_cores(one, other, m, reach, out)
    return out.count
