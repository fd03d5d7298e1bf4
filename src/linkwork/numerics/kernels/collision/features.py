"""The part of a core that a direction meets first: a face, an edge or a corner, and how it rises from the plane across.

Seen along the normal n of a contact, a feature is a polygon in the plane (t₁, t₂) across n, a segment or a point, and the
height of the core along n is a linear function over it.
"""

from __future__ import annotations

from linkwork.numerics.kernels.collision.shape_record import BARREL, EDGE, FACE, PLANE, TURNED, VERTEX, ShapeRecord
from linkwork.numerics.kernels.collision.simplices import inner, support
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Floats, Ints, Record, array

STEEP = 0.5  # cosine between n and the normal of a face that is not seen any more
NEARLY = 1e-5  # sine of the angle between a normal and that of a face that may be the same
LEVEL = 1e-7  # sine of the angle at which a face or an edge lies across n


class FeatureRecord(Record):
    """A feature: its corners in the plane across n and their heights; the height is base + slope · (t₁, t₂)."""

    most: int
    count: int
    spot: Floats = array("2 * most")
    height: Floats = array("most")
    base: float
    slope: Floats = array("2")


class TangentRecord(Record):
    """The normal n of a contact, and unit vectors across it."""

    n: Floats = array("3")
    first: Floats = array("3")
    second: Floats = array("3")


@kernel
def set_tangents(t: TangentRecord) -> None:
    """Unit vectors across n: the first one across the axis along which n is least; of a normal of the plane, in it."""
    x, y, z = abs(t.n[0]), abs(t.n[1]), abs(t.n[2])
    if z <= x and z <= y:
        a, b = t.n[0], t.n[1]
        size = (a * a + b * b) ** 0.5
        t.first[0], t.first[1], t.first[2] = -b / size, a / size, 0.0
    elif y <= x:
        a, b = t.n[0], t.n[2]
        size = (a * a + b * b) ** 0.5
        t.first[0], t.first[1], t.first[2] = -b / size, 0.0, a / size
    else:
        a, b = t.n[1], t.n[2]
        size = (a * a + b * b) ** 0.5
        t.first[0], t.first[1], t.first[2] = 0.0, -b / size, a / size
    t.second[0] = t.n[1] * t.first[2] - t.n[2] * t.first[1]
    t.second[1] = t.n[2] * t.first[0] - t.n[0] * t.first[2]
    t.second[2] = t.n[0] * t.first[1] - t.n[1] * t.first[0]


@kernel
def facing(shape: ShapeRecord, n: Floats, sign: float) -> int:
    """The face that looks most along ± n, or -1 of those that it sees from the side."""
    best, found = STEEP, -1
    for f in range(shape.faces):
        cosine = sign * inner(n, at(shape.normals, 3 * f))
        if cosine > best:
            best, found = cosine, f
    return found


@kernel
def near_face(shape: ShapeRecord, n: Floats, sign: float, out: Floats) -> int:
    """The normal of a face, of an end or of the barrel of a shape that ± n nearly is, with the sign of n; 0 without one."""
    if shape.kind == TURNED:
        return near_barrel(shape, n, sign, out)
    f, off = facing(shape, n, sign), 0.0
    if f < 0:
        return 0
    for k in range(3):
        out[k] = sign * shape.normals[3 * f + k]
        off += (out[k] - n[k]) ** 2
    return 1 if off <= NEARLY * NEARLY else 0


@kernel
def near_barrel(shape: ShapeRecord, n: Floats, sign: float, out: Floats) -> int:
    """That of a turned shape: along its axis, or across the generator that n points to."""
    cosine, across = 0.0, 0.0
    for k in range(3):
        cosine += sign * n[k] * shape.axes[3 * k + 2]
    for k in range(3):
        out[k] = n[k] - sign * cosine * shape.axes[3 * k + 2]
        across += out[k] * out[k]
    across = across**0.5
    if across <= NEARLY:
        for k in range(3):
            out[k] = shape.axes[3 * k + 2] if sign * cosine > 0.0 else -shape.axes[3 * k + 2]
        return 1
    rise, run = shape.stations[1] - shape.stations[3], shape.stations[2] - shape.stations[0]
    length = (rise * rise + run * run) ** 0.5
    if abs(cosine * run - across * rise) > NEARLY * length:
        return 0
    for k in range(3):
        out[k] = run / length * out[k] / across + sign * rise / length * shape.axes[3 * k + 2]
    return 1


@kernel
def crosswise(shape: ShapeRecord, corner: int, n: Floats) -> int:
    """The edge at a corner that lies across n most, or -1."""
    best, found = 0.25, -1
    for e in range(shape.edges):
        p, q = shape.ends[2 * e], shape.ends[2 * e + 1]
        if p == corner or q == corner:
            rise, squared = 0.0, 0.0
            for k in range(3):
                d = shape.corners[3 * q + k] - shape.corners[3 * p + k]
                rise, squared = rise + n[k] * d, squared + d * d
            if rise * rise < best * squared:
                best, found = rise * rise / squared, e
    return found


@kernel
def add_spot(shape: ShapeRecord, corner: int, t: TangentRecord, f: FeatureRecord) -> None:
    """A corner of a feature."""
    place, i = at(shape.corners, 3 * corner), f.count
    f.spot[2 * i], f.spot[2 * i + 1] = inner(place, t.first), inner(place, t.second)
    f.height[i] = inner(place, t.n)
    f.count = i + 1


@kernel
def find_feature(shape: ShapeRecord, t: TangentRecord, sign: float, f: FeatureRecord) -> None:
    """The feature that looks along ± n."""
    f.count = 0
    face = facing(shape, t.n, sign)
    if face >= 0:
        for i in range(shape.first[face], shape.first[face + 1]):
            add_spot(shape, shape.ring[i], t, f)
    else:
        corner = support(shape, t.n, sign)
        edge = crosswise(shape, corner, t.n)
        if edge >= 0:
            add_spot(shape, shape.ends[2 * edge], t, f)
            add_spot(shape, shape.ends[2 * edge + 1], t, f)
        else:
            add_spot(shape, corner, t, f)
    f.slope[0], f.slope[1], f.base = 0.0, 0.0, f.height[0]
    if face >= 0 and f.count > 2:
        m = at(shape.normals, 3 * face)
        along = inner(m, t.n)
        f.slope[0], f.slope[1] = -inner(m, t.first) / along, -inner(m, t.second) / along
    elif f.count == 2:
        x, y = f.spot[2] - f.spot[0], f.spot[3] - f.spot[1]
        squared = x * x + y * y
        if squared > 0.0:
            rise = (f.height[1] - f.height[0]) / squared
            f.slope[0], f.slope[1] = rise * x, rise * y
    f.base -= f.slope[0] * f.spot[0] + f.slope[1] * f.spot[1]


@kernel
def height_at(f: FeatureRecord, x: float, y: float) -> float:
    """The height of a feature above a place across n."""
    return f.base + f.slope[0] * x + f.slope[1] * y


@kernel
def name_feature(
    shape: ShapeRecord, n: Floats, sign: float, place: Floats, feature: Ints, along: Floats, bend: Floats
) -> None:
    """Which kind of feature of a shape lies at a place of its core with the outward normal ± n, and its curvature.

    A corner with a radius is a part of a ball, an edge with one of a cylinder along it: 1/r across. Without a radius they
    are sharp, and their curvature is infinite.
    """
    sharp = 1.0 / shape.radius if shape.radius > 0.0 else 1e300
    if shape.kind == TURNED:
        name_turned(shape, n, sign, place, feature, along, bend)
        return
    feature[0], bend[0] = VERTEX, sharp
    along[:3] = 0.0
    if shape.kind == PLANE:
        feature[0], bend[0] = FACE, 0.0
        return
    for f in range(shape.faces):
        m = at(shape.normals, 3 * f)
        # the sine between both, squared; a cosine is too blunt for it
        off = 0.0
        for k in range(3):
            off += (sign * n[k] - m[k]) ** 2
        if off <= LEVEL * LEVEL and shape.first[f + 1] - shape.first[f] > (1 if shape.flat == 1 else 2):
            feature[0], bend[0] = FACE, 0.0
            return
    find_edge_at(shape, n, place, feature, along)


@kernel
def name_turned(
    shape: ShapeRecord, n: Floats, sign: float, place: Floats, feature: Ints, along: Floats, bend: Floats
) -> None:
    """The same of a turned shape: a face at an end, its barrel, or a rim between, which is sharp.

    The curvature across a generator is cos β/ρ, at the distance ρ of the place from the axis, and with the angle β between
    the normal and the direction across the axis.
    """
    low, r, high, s = shape.stations[0], shape.stations[1], shape.stations[2], shape.stations[3]
    length = ((high - low) ** 2 + (r - s) ** 2) ** 0.5
    cosine, height, off, across = 0.0, 0.0, 0.0, 0.0
    for k in range(3):
        cosine += sign * n[k] * shape.axes[3 * k + 2]
        height += shape.axes[3 * k + 2] * (place[k] - shape.place[k])
    for k in range(3):
        along[k] = sign * n[k] - cosine * shape.axes[3 * k + 2]
        across += along[k] * along[k]
        off += (place[k] - shape.place[k] - height * shape.axes[3 * k + 2]) ** 2
    across = across**0.5
    feature[0], bend[0] = EDGE, 1e300
    if across <= LEVEL:
        feature[0], bend[0] = FACE, 0.0
    elif abs(cosine * (high - low) - across * (r - s)) <= LEVEL * length:
        feature[0] = BARREL
        bend[0] = 1.0 / (off**0.5 * length / (high - low) + shape.radius)
    for k in range(3):
        radial = along[k] / across if feature[0] == BARREL else 0.0
        rise = shape.axes[3 * k + 2] if feature[0] == BARREL else 0.0
        along[k] = ((s - r) * radial + (high - low) * rise) / length


@kernel
def find_edge_at(shape: ShapeRecord, n: Floats, place: Floats, feature: Ints, along: Floats) -> None:
    """Name an edge that lies across n and holds a place between its ends."""
    near = LEVEL * shape.size
    for e in range(shape.edges):
        p, q = shape.ends[2 * e], shape.ends[2 * e + 1]
        rise, squared, to, gone = 0.0, 0.0, 0.0, 0.0
        for k in range(3):
            d = shape.corners[3 * q + k] - shape.corners[3 * p + k]
            g = place[k] - shape.corners[3 * p + k]
            rise, squared, to, gone = rise + n[k] * d, squared + d * d, to + g * d, gone + g * g
        if squared == 0.0 or rise * rise > LEVEL * LEVEL * squared:
            continue
        off = gone - to * to / squared
        if off <= near * near and to >= -near * squared**0.5 and to <= squared + near * squared**0.5:
            feature[0] = EDGE
            for k in range(3):
                along[k] = (shape.corners[3 * q + k] - shape.corners[3 * p + k]) / squared**0.5
            return
