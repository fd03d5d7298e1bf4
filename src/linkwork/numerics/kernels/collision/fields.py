"""Contacts of shapes with ground that is given by heights over a grid, in triangles.

Two things are looked at, each exactly: the corners of a core against the nearest point of the surface, and the points of the
grid against the core. A ball has its contact by the first, a box on a peak by the second; edges of a core that cross a ridge
between two points of the grid are seen at these points and no nearer, so that a grid is finer than what stands on it.
Of a point of the grid a normal counts that no neighbour reaches beyond: others lead along the ground.
"""

from __future__ import annotations

import math

from linkwork.numerics.kernels.collision.features import LEVEL, name_feature
from linkwork.numerics.kernels.collision.rims import BESIDE, FINE, angle_of, fit_rims
from linkwork.numerics.kernels.collision.shape_record import EDGE, FACE, MOST, TURNED, ContactRecord, ShapeRecord
from linkwork.numerics.kernels.collision.simplices import inner
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Floats, Ints, Record, array

ROOM = 256  # places on trial
OVER = 1e-9  # of a spacing: by which neighbours may reach beyond a normal
TOUCHING = 1e-8  # of a spacing: distance below which a difference of points has no direction
APART = 1e-6  # distance of places, of the size of a shape, that are two


class FieldWork(Record):
    """Places on trial: gaps of the core, normals from the ground and points of the ground (3 each); and numbers of one."""

    room: int = ROOM
    count: int = 0
    gap: Floats = array("room")
    normal: Floats = array("3 * room")
    ground: Floats = array("3 * room")
    chosen: Ints = array("4")
    local: Floats = array("3")
    place: Floats = array("3")
    near: Floats = array("3")
    corners: Floats = array("9")
    up: Floats = array("3")


@kernel
def to_field(field: ShapeRecord, world: Floats, out: Floats) -> None:
    """A place of the world in the axes of the field, counted from its first point."""
    for i in range(3):
        out[i] = 0.0
        for k in range(3):
            out[i] += field.axes[3 * k + i] * (world[k] - field.place[k])
    out[0] += field.spacing[0] * (field.columns - 1) / 2.0
    out[1] += field.spacing[1] * (field.rows - 1) / 2.0


@kernel
def from_field(field: ShapeRecord, local: Floats, out: Floats) -> None:
    """The other way round."""
    x = local[0] - field.spacing[0] * (field.columns - 1) / 2.0
    y = local[1] - field.spacing[1] * (field.rows - 1) / 2.0
    for i in range(3):
        out[i] = field.place[i] + field.axes[3 * i] * x + field.axes[3 * i + 1] * y + field.axes[3 * i + 2] * local[2]


@kernel
def triangle_of(field: ShapeRecord, i: int, j: int, upper: int, out: Floats) -> None:
    """The corners (3, 3) of a triangle of the cell (i, j), below or above its diagonal, in the axes of the field."""
    for k in range(3):
        # (0, 0) (1, 0) (1, 1), and (0, 0) (1, 1) (0, 1)
        a = i + (1 if k == 1 or (k == 2 and upper == 0) else 0)
        b = j + (1 if k == 2 or (k == 1 and upper == 1) else 0)
        out[3 * k], out[3 * k + 1] = a * field.spacing[0], b * field.spacing[1]
        out[3 * k + 2] = field.heights[b * field.columns + a]


@kernel
def cell(place: float, spacing: float, count: int) -> int:
    """The cell in which a place is, the first or the last one beyond."""
    return min(max(int(math.copysign(1.0, place) * abs(place / spacing)), 0), count - 2)


@kernel
def height_over(field: ShapeRecord, local: Floats, corners: Floats, up: Floats) -> float:
    """How far a place is above the ground along z, with the unit normal of the triangle there."""
    i, j = cell(local[0], field.spacing[0], field.columns), cell(local[1], field.spacing[1], field.rows)
    u, v = local[0] / field.spacing[0] - i, local[1] / field.spacing[1] - j
    triangle_of(field, i, j, 1 if v > u else 0, corners)
    ax, ay, az = corners[3] - corners[0], corners[4] - corners[1], corners[5] - corners[2]
    bx, by, bz = corners[6] - corners[0], corners[7] - corners[1], corners[8] - corners[2]
    up[0], up[1], up[2] = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
    size = inner(up, up) ** 0.5
    for k in range(3):
        up[k] /= size
    slope = up[0] * (local[0] - corners[0]) + up[1] * (local[1] - corners[1])
    return local[2] - corners[2] + slope / up[2]


@kernel
def foot_between(p: Floats, a: Floats, b: Floats, out: Floats) -> float:
    """The nearest point of a segment, and the square of its distance."""
    along, squared = 0.0, 0.0
    for k in range(3):
        along += (p[k] - a[k]) * (b[k] - a[k])
        squared += (b[k] - a[k]) ** 2
    u, total = min(max(along / squared, 0.0), 1.0), 0.0
    for k in range(3):
        out[k] = a[k] + u * (b[k] - a[k])
        total += (p[k] - out[k]) ** 2
    return total


@kernel
def foot_on_tile(p: Floats, t: Floats, work: Floats, out: Floats) -> float:
    """The nearest point of a triangle (3, 3), and the square of its distance: inside of it, or on a side."""
    best = 1e300
    for i in range(3):
        squared = foot_between(p, at(t, 3 * i), at(t, 3 * (i + 1 if i < 2 else 0)), work)
        if squared < best:
            best = squared
            out[:3] = work[:3]
    aa, ab, bb, pa, pb = 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(3):
        a, b, d = t[3 + k] - t[k], t[6 + k] - t[k], p[k] - t[k]
        aa, ab, bb, pa, pb = aa + a * a, ab + a * b, bb + b * b, pa + d * a, pb + d * b
    det = aa * bb - ab * ab
    u, v = (bb * pa - ab * pb) / det, (aa * pb - ab * pa) / det
    if u > 0.0 and v > 0.0 and u + v < 1.0:
        best = 0.0
        for k in range(3):
            out[k] = t[k] + u * (t[3 + k] - t[k]) + v * (t[6 + k] - t[k])
            best += (p[k] - out[k]) ** 2
    return best


@kernel
def add_trial(field: ShapeRecord, w: FieldWork, gap: float, normal: Floats, ground: Floats) -> None:
    """A place on trial; where there is no room any more it takes that of the largest gap, if it is deeper."""
    k = w.count
    if k == w.room:
        k = 0
        for i in range(w.room):
            if w.gap[i] > w.gap[k]:
                k = i
        if gap >= w.gap[k]:
            return
    else:
        w.count = k + 1
    w.gap[k] = gap
    for i in range(3):
        w.normal[3 * k + i], w.ground[3 * k + i] = normal[i], ground[i]


@kernel
def corner_on_field(field: ShapeRecord, corner: Floats, limit: float, w: FieldWork) -> None:
    """A corner of a core and the nearest point of the ground, if it is no farther than a limit."""
    p = w.local
    to_field(field, corner, p)
    wide, deep = field.spacing[0] * (field.columns - 1), field.spacing[1] * (field.rows - 1)
    if p[0] < 0.0 or p[1] < 0.0 or p[0] > wide or p[1] > deep:
        return
    height = height_over(field, p, w.corners, w.up)
    # nothing that is nearer stands farther aside
    aside = min(height, limit) if height > 0.0 else -height
    best = 1e300
    for j in range(
        cell(p[1] - aside, field.spacing[1], field.rows), cell(p[1] + aside, field.spacing[1], field.rows) + 1
    ):
        for i in range(
            cell(p[0] - aside, field.spacing[0], field.columns), cell(p[0] + aside, field.spacing[0], field.columns) + 1
        ):
            for upper in range(2):
                triangle_of(field, i, j, upper, w.corners)
                squared = foot_on_tile(p, w.corners, w.near, w.place)
                if squared < best:
                    best = squared
                    from_field(field, w.place, w.up)
    gap = best**0.5 if height > 0.0 else -(best**0.5)
    if gap > limit:
        return
    w.place[:3] = w.up[:3]
    if best**0.5 > TOUCHING * (field.spacing[0] + field.spacing[1]):
        for k in range(3):
            w.near[k] = (corner[k] - w.place[k]) / gap
    else:
        height_over(field, p, w.corners, w.up)
        for k in range(3):
            w.near[k] = field.axes[3 * k] * w.up[0] + field.axes[3 * k + 1] * w.up[1] + field.axes[3 * k + 2] * w.up[2]
    add_trial(field, w, gap, w.near, w.place)


@kernel
def supports(field: ShapeRecord, i: int, j: int, n: Floats, w: FieldWork) -> int:
    """Whether no neighbour of a point of the grid lies beyond it along n, in the world."""
    here = field.heights[j * field.columns + i]
    x, y, z = 0.0, 0.0, 0.0
    for k in range(3):
        x += n[k] * field.axes[3 * k]
        y += n[k] * field.axes[3 * k + 1]
        z += n[k] * field.axes[3 * k + 2]
    for b in range(max(j - 1, 0), min(j + 2, field.rows)):
        for a in range(max(i - 1, 0), min(i + 2, field.columns)):
            # the diagonal of a cell goes up to the right
            if (a - i) * (b - j) >= 0:
                rise = field.heights[b * field.columns + a] - here
                beyond = x * (a - i) * field.spacing[0] + y * (b - j) * field.spacing[1] + z * rise
                if beyond > OVER * (field.spacing[0] + field.spacing[1]):
                    return 0
    return 1


@kernel
def low_corners(field: ShapeRecord, other: ShapeRecord, w: FieldWork) -> int:
    """The corners of a core that are looked at: all, or of a turned shape four of each rim, the lowest one among them."""
    if other.kind != TURNED:
        return other.count
    to_field(field, other.place, w.local)
    height_over(field, w.local, w.corners, w.up)
    for k in range(3):
        w.near[k] = field.axes[3 * k] * w.up[0] + field.axes[3 * k + 1] * w.up[1] + field.axes[3 * k + 2] * w.up[2]
    fit_rims(other, angle_of(other, w.near, -1.0, 0.0), FINE)
    return 8


@kernel
def low_corner(other: ShapeRecord, k: int) -> int:
    """The number of one of them."""
    if other.kind != TURNED:
        return k
    quarter = k % 4
    return other.count // 2 * (k // 4) + (0 if quarter == 0 else BESIDE + 2 * quarter)


@kernel
def distance_to_chosen(w: FieldWork, k: int, count: int) -> float:
    """How far a place on trial is from those that are chosen."""
    best = 1e300
    for i in range(count):
        squared = 0.0
        for l in range(3):
            squared += (w.ground[3 * k + l] - w.ground[3 * w.chosen[i] + l]) ** 2
        best = min(best, squared)
    return best**0.5


@kernel
def name_ground(field: ShapeRecord, n: Floats, place: Floats, w: FieldWork, feature: Ints, bend: Floats) -> None:
    """A face where the normal is that of the triangle at a place, else a ridge or a peak, which is sharp."""
    to_field(field, place, w.local)
    height_over(field, w.local, w.corners, w.up)
    off = 0.0
    for k in range(3):
        up = field.axes[3 * k] * w.up[0] + field.axes[3 * k + 1] * w.up[1] + field.axes[3 * k + 2] * w.up[2]
        off += (up - n[k]) ** 2
    feature[0], bend[0] = (FACE if off <= LEVEL * LEVEL else EDGE), (0.0 if off <= LEVEL * LEVEL else 1e300)


@kernel
def settle_on_field(field: ShapeRecord, other: ShapeRecord, w: FieldWork, limit: float, out: ContactRecord) -> None:
    """The deepest place, and three that are as far from those before as can be."""
    out.count = 0
    while out.count < MOST and w.count > 0:
        best, found = APART * other.size if out.count > 0 else -1e300, -1
        for k in range(w.count):
            value = -w.gap[k] if out.count == 0 else distance_to_chosen(w, k, out.count)
            if w.gap[k] <= limit and value > best:
                best, found = value, k
        if found < 0:
            return
        i = out.count
        w.chosen[i] = found
        out.gap[i] = w.gap[found] - other.radius
        for l in range(3):
            n = w.normal[3 * found + l]
            out.normal[3 * i + l], out.one[3 * i + l] = n, w.ground[3 * found + l]
            out.other[3 * i + l] = w.ground[3 * found + l] + w.gap[found] * n
            out.along_one[3 * i + l] = 0.0
        name_ground(field, at(out.normal, 3 * i), at(out.one, 3 * i), w, at(out.feature_one, i), at(out.bend_one, i))
        name_feature(
            other,
            at(out.normal, 3 * i),
            -1.0,
            at(out.other, 3 * i),
            at(out.feature_other, i),
            at(out.along_other, 3 * i),
            at(out.bend_other, i),
        )
        for l in range(3):
            out.other[3 * i + l] -= other.radius * w.normal[3 * found + l]
        out.count = i + 1
