"""How far two cores overlap, and the shortest way out, by the theorem of separating axes.

The way out goes along a normal of a face of either core or across an edge of both. Two edges span a face of the
difference of both cores where the arcs between the normals of their faces cross on the unit sphere (Gregorius, *The
separating axis test between convex polyhedra*, Game Developers Conference 2013). All are looked at, which is exact.
"""

from __future__ import annotations

from linkwork.numerics.kernels.collision.shape_record import TURNED, ShapeRecord
from linkwork.numerics.kernels.collision.simplices import inner, reach_along, support, volume
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Floats, Ints, Record, array

ALIKE = 1e-13  # of the size: a way out along a face is taken before one across edges that is no longer
NOWHERE = -1e300  # separation along no axis
SLIVER = 1e-12  # square of the sine between edges that are parallel


class AxisRecord(Record):
    """The best axis: separation (negative inside), normal from the first core to the second, points of both, and work."""

    separation: float
    normal: Floats = array("3")
    one: Floats = array("3")
    other: Floats = array("3")
    most: int  # edges of the second shape
    kept: Ints = array("most")
    middle: Floats = array("3")
    edge_one: Floats = array("3")
    edge_other: Floats = array("3")
    across: Floats = array("3")
    work: Floats = array("3")


@kernel
def cross(a: Floats, b: Floats, out: Floats) -> None:
    x, y, z = a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
    out[0], out[1], out[2] = x, y, z


@kernel
def itself(one: ShapeRecord, other: ShapeRecord, n: Floats, separation: float, axis: AxisRecord) -> float:
    """The separation of turned shapes in place of that of their polygons, which is none too small: never more than that."""
    if max(one.kind, other.kind) != TURNED or separation <= axis.separation:
        return separation
    return separation_along(one, other, n, axis.work)


@kernel
def along_faces(shape: ShapeRecord, other: ShapeRecord, axis: AxisRecord, swapped: int) -> None:
    """Keep the face of a shape that separates it most from the other one."""
    for f in range(shape.faces):
        n = at(shape.normals, 3 * f)
        b, a = support(other, n, -1.0), shape.ring[shape.first[f]]
        separation = inner(n, at(other.corners, 3 * b)) - inner(n, at(shape.corners, 3 * a))
        separation = itself(shape, other, n, separation, axis)
        if separation > axis.separation:
            axis.separation = separation
            sign = -1.0 if swapped == 1 else 1.0
            for k in range(3):
                axis.normal[k] = sign * n[k]
                deepest = other.corners[3 * b + k]
                axis.one[k] = deepest if swapped == 1 else deepest - separation * n[k]
                axis.other[k] = deepest - separation * n[k] if swapped == 1 else deepest


@kernel
def arcs_cross(a: Floats, b: Floats, e: Floats, c: Floats, d: Floats, g: Floats) -> int:
    """Whether the arc between normals a and b crosses that between −c and −d; e, g: along the edges of either."""
    # on which side of the plane of the first arc the ends of the other one lie, and the other way round
    ce, de = inner(c, e), inner(d, e)
    if ce * de > 0.0:
        return 0
    ag, bg = inner(a, g), inner(b, g)
    if ag * bg > 0.0:
        return 0
    # and not behind: both on the same half of the sphere
    turn = (de - ce) * (bg - ag)
    if (volume(e, a, b) > 0.0) != (volume(g, c, d) > 0.0):
        turn = -turn
    return 1 if turn > 0.0 else 0


@kernel
def edge_of(shape: ShapeRecord, e: int, out: Floats) -> None:
    """From one end of an edge to the other."""
    for k in range(3):
        out[k] = shape.corners[3 * shape.ends[2 * e + 1] + k] - shape.corners[3 * shape.ends[2 * e] + k]


@kernel
def middle_of(shape: ShapeRecord, out: Floats) -> None:
    """A place inside of a core."""
    out[:3] = 0.0
    for k in range(shape.count):
        for i in range(3):
            out[i] += shape.corners[3 * k + i] / shape.count


@kernel
def may_separate(shape: ShapeRecord, e: int, inside: Floats, least: float) -> int:
    """Whether a normal of an edge may separate a shape by more than *least* < 0 from one that a place is inside of.

    Along such a normal n = α a + β b, α + β ≥ 1, between those of its faces, the place is less than *least* above the edge
    if it is along both.
    """
    p, a, b = 3 * shape.ends[2 * e], 3 * shape.sides[2 * e], 3 * shape.sides[2 * e + 1]
    above, beside = 0.0, 0.0
    for k in range(3):
        d = inside[k] - shape.corners[p + k]
        above, beside = above + shape.normals[a + k] * d, beside + shape.normals[b + k] * d
    return 0 if max(above, beside) < min(least, 0.0) else 1


@kernel
def across_edges(one: ShapeRecord, other: ShapeRecord, axis: AxisRecord, least: float) -> None:
    """Keep the two edges that separate both shapes by more than *least* and all others."""
    best = least
    middle_of(one, axis.middle)
    kept = 0
    for j in range(other.edges):
        if may_separate(other, j, axis.middle, least) == 1:
            axis.kept[kept] = j
            kept += 1
    middle_of(other, axis.middle)
    for i in range(one.edges):
        if may_separate(one, i, axis.middle, best) == 0:
            continue
        edge_of(one, i, axis.edge_one)
        length = inner(axis.edge_one, axis.edge_one)
        a, b = at(one.normals, 3 * one.sides[2 * i]), at(one.normals, 3 * one.sides[2 * i + 1])
        for k in range(kept):
            j = axis.kept[k]
            edge_of(other, j, axis.edge_other)
            c, d = at(other.normals, 3 * other.sides[2 * j]), at(other.normals, 3 * other.sides[2 * j + 1])
            if arcs_cross(a, b, axis.edge_one, c, d, axis.edge_other) == 0:
                continue
            cross(axis.edge_one, axis.edge_other, axis.across)
            squared = inner(axis.across, axis.across)
            if squared <= SLIVER * length * inner(axis.edge_other, axis.edge_other):
                continue
            scale = 1.0 / squared**0.5
            if inner(axis.across, a) + inner(axis.across, b) < 0.0:
                scale = -scale
            for l in range(3):
                axis.across[l] *= scale
            p, q = one.ends[2 * i], other.ends[2 * j]
            separation = inner(axis.across, at(other.corners, 3 * q)) - inner(axis.across, at(one.corners, 3 * p))
            if separation > best:
                # edges that are nearly parallel may be no supports by rounding errors
                separation = min(separation, separation_along(one, other, axis.across, axis.work))
            if separation > best:
                best = separation
                axis.separation = separation
                axis.normal[:3] = axis.across[:3]
                meet_of_lines(at(one.corners, 3 * p), at(other.corners, 3 * q), axis)


@kernel
def separation_along(one: ShapeRecord, other: ShapeRecord, n: Floats, work: Floats) -> float:
    """How far two cores are apart along a direction from the first to the second."""
    return -reach_along(one, n, 1.0, work) - reach_along(other, n, -1.0, work)


@kernel
def meet_of_lines(p: Floats, q: Floats, axis: AxisRecord) -> None:
    """The nearest points of two lines through p and q along the edges at hand, which are not parallel."""
    e, g = axis.edge_one, axis.edge_other
    ee, eg, gg, de, dg = 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(3):
        d = q[k] - p[k]
        ee, eg, gg = ee + e[k] * e[k], eg + e[k] * g[k], gg + g[k] * g[k]
        de, dg = de + d * e[k], dg + d * g[k]
    det = ee * gg - eg * eg
    s, t = (gg * de - eg * dg) / det, (eg * de - ee * dg) / det
    s, t = min(max(s, 0.0), 1.0), min(max(t, 0.0), 1.0)
    for k in range(3):
        axis.one[k] = p[k] + s * e[k]
        axis.other[k] = q[k] + t * g[k]


@kernel
def separating_axis(one: ShapeRecord, other: ShapeRecord, axis: AxisRecord) -> float:
    """The separation along the best axis: minus the depth of cores that overlap."""
    axis.separation = NOWHERE
    along_faces(one, other, axis, 0)
    along_faces(other, one, axis, 1)
    across_edges(one, other, axis, axis.separation + ALIKE * (one.size + other.size))
    return axis.separation
