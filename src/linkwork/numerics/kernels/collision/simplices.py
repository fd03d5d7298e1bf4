"""The nearest places of two cores that are apart, by the method of Gilbert, Johnson and Keerthi.

IEEE J. Robotics Automation 4 (1988) 193-203: the point v of a simplex of the difference C = {a − b} nearest to the origin is
replaced by that of the simplex with the support w of C against v, until v·v − v·w = 0. For hulls of corners this is finite.
Round shapes have their supports too, and the search goes on until the distance is known to as many digits: along v the
shapes are at least v·w/|v| apart.
"""

from __future__ import annotations

from linkwork.numerics.kernels.collision.shape_record import TURNED, ShapeRecord
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Floats, Record, array

STEPS = 200
EXACT = 1e-14  # v·v − v·w, of v·v, that counts as none
ROUNDED = 4e-16  # error of a coordinate, of the size
TOUCHING = 1e-12  # distance, of the size of both, that counts as none
FLAT = 1e-15  # volume of a simplex, of the cube of its size, that is none
THIN = 1e-14  # square of the sine between edges of a simplex that is flat


class SimplexRecord(Record):
    """A simplex of C: its corners w (4, 3), the places of both shapes that they come from, weights, and v (3).

    shift (3): how far the second shape stands from where it is
    """

    filled: int
    w: Floats = array("12")
    one: Floats = array("12")
    other: Floats = array("12")
    shift: Floats = array("3")
    weight: Floats = array("4")
    trial: Floats = array("4")
    best: Floats = array("4")
    v: Floats = array("3")
    squared: float


@kernel
def inner(a: Floats, b: Floats) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def support(shape: ShapeRecord, direction: Floats, sign: float) -> int:
    """The corner farthest along ± a direction."""
    found, best = 0, -1e300
    x, y, z = sign * direction[0], sign * direction[1], sign * direction[2]
    for k in range(shape.count):
        value = shape.corners[3 * k] * x + shape.corners[3 * k + 1] * y + shape.corners[3 * k + 2] * z
        if value > best:
            found, best = k, value
    return found


@kernel
def support_place(shape: ShapeRecord, direction: Floats, sign: float, out: Floats) -> None:
    """The place farthest along ± a direction: a corner, or of a turned shape a point of a rim: c + h a + r e.

    e is the direction across the axis a; along the axis any will do.
    """
    if shape.kind != TURNED:
        k = support(shape, direction, sign)
        for i in range(3):
            out[i] = shape.corners[3 * k + i]
        return
    x, y, z = 0.0, 0.0, 0.0
    for i in range(3):
        x += sign * direction[i] * shape.axes[3 * i]
        y += sign * direction[i] * shape.axes[3 * i + 1]
        z += sign * direction[i] * shape.axes[3 * i + 2]
    across = (x * x + y * y) ** 0.5
    upper = shape.stations[2] * z + shape.stations[3] * across > shape.stations[0] * z + shape.stations[1] * across
    height, radius = (
        shape.stations[2] if upper else shape.stations[0],
        shape.stations[3] if upper else shape.stations[1],
    )
    x, y = x / across if across > 0.0 else 1.0, y / across if across > 0.0 else 0.0
    for i in range(3):
        out[i] = shape.place[i] + height * shape.axes[3 * i + 2]
        out[i] += radius * (x * shape.axes[3 * i] + y * shape.axes[3 * i + 1])


@kernel
def reach_along(shape: ShapeRecord, n: Floats, sign: float, work: Floats) -> float:
    """How far a core reaches along ± n."""
    support_place(shape, n, sign, work)
    return sign * inner(n, work)


@kernel
def add_corner(s: SimplexRecord, one: ShapeRecord, other: ShapeRecord, direction: Floats) -> None:
    """Add a − b, farthest against a direction, as the last corner; the second shape stands shifted."""
    k = 3 * s.filled
    support_place(one, direction, -1.0, at(s.one, k))
    support_place(other, direction, 1.0, at(s.other, k))
    for i in range(k, k + 3):
        s.w[i] = s.one[i] - s.other[i] - s.shift[i - k]
    s.filled += 1


@kernel
def foot_of_two(s: SimplexRecord, i: int, j: int) -> int:
    """Weights of the foot of the origin on a line, in ``trial``; 0 if it is not inside."""
    dd, ad = 0.0, 0.0
    for k in range(3):
        d = s.w[3 * j + k] - s.w[3 * i + k]
        dd += d * d
        ad -= s.w[3 * i + k] * d
    if not (ad > 0.0 and ad < dd):
        return 0
    s.trial[:4] = 0.0
    s.trial[j] = ad / dd
    s.trial[i] = 1.0 - ad / dd
    return 1


@kernel
def foot_of_three(s: SimplexRecord, i: int, j: int, l: int) -> int:
    """The same on a plane, of a triangle whose first corner lies opposite to its longest side."""
    aa, ab, bb, pa, pb = 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(3):
        p = s.w[3 * i + k]
        a, b = s.w[3 * j + k] - p, s.w[3 * l + k] - p
        aa, ab, bb = aa + a * a, ab + a * b, bb + b * b
        pa, pb = pa - p * a, pb - p * b
    det = aa * bb - ab * ab
    if not det > THIN * aa * bb:
        return 0
    u, v = (bb * pa - ab * pb) / det, (aa * pb - ab * pa) / det
    if u < 0.0 or v < 0.0 or u + v > 1.0:
        return 0
    s.trial[:4] = 0.0
    s.trial[i], s.trial[j], s.trial[l] = 1.0 - u - v, u, v
    return 1


@kernel
def side(s: SimplexRecord, i: int, j: int) -> float:
    """The square of the distance of two corners."""
    total = 0.0
    for k in range(3):
        total += (s.w[3 * i + k] - s.w[3 * j + k]) ** 2
    return total


@kernel
def foot_on_triangle(s: SimplexRecord, i: int, j: int, l: int) -> int:
    """The same in whatever order its corners are given: sides from a needle's tip would be alike but for rounding errors."""
    a, b, c = side(s, j, l), side(s, l, i), side(s, i, j)
    if b > a and b >= c:
        return foot_of_three(s, j, l, i)
    if c > a and c > b:
        return foot_of_three(s, l, i, j)
    return foot_of_three(s, i, j, l)


@kernel
def volume(a: Floats, b: Floats, c: Floats) -> float:
    """a · (b × c)"""
    x, y, z = b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]
    return a[0] * x + a[1] * y + a[2] * z


@kernel
def holds_origin(s: SimplexRecord) -> int:
    """Whether the origin is inside of four corners; its weights are volumes."""
    a, b, c, d = at(s.w, 0), at(s.w, 3), at(s.w, 6), at(s.w, 9)
    wa, wb, wc, wd = volume(b, c, d), -volume(a, c, d), volume(a, b, d), -volume(a, b, c)
    total = wa + wb + wc + wd
    largest = max(max(inner(a, a), inner(b, b)), max(inner(c, c), inner(d, d)))
    # what is flat but for rounding errors holds nothing
    if abs(total) <= FLAT * largest**1.5 or min(wa / total, wb / total, wc / total, wd / total) < 0.0:
        return 0
    s.trial[0], s.trial[1], s.trial[2], s.trial[3] = wa / total, wb / total, wc / total, wd / total
    return 1


@kernel
def take_trial(s: SimplexRecord) -> None:
    """Keep the weights on trial if their point is nearer."""
    squared = 0.0
    for k in range(3):
        x = 0.0
        for i in range(4):
            if s.trial[i] != 0.0:
                x += s.trial[i] * s.w[3 * i + k]
        squared += x * x
    if squared < s.squared:
        s.squared = squared
        s.best[:4] = s.trial[:4]


@kernel
def reduce_simplex(s: SimplexRecord) -> None:
    """The point nearest to the origin; the last corner is in it, and corners without weight go."""
    last = s.filled - 1
    s.squared = 1e300
    s.trial[:4] = 0.0
    s.trial[last] = 1.0
    take_trial(s)
    for i in range(last):
        if foot_of_two(s, i, last) == 1:
            take_trial(s)
        for j in range(i + 1, last):
            if foot_on_triangle(s, i, j, last) == 1:
                take_trial(s)
    if s.filled == 4 and holds_origin(s) == 1:
        s.squared = 0.0
        s.best[:4] = s.trial[:4]


@kernel
def keep_weighted(s: SimplexRecord) -> None:
    """Take over the best weights, and drop corners without any."""
    kept = 0
    for i in range(s.filled):
        if s.best[i] > 0.0:
            s.weight[kept] = s.best[i]
            for k in range(3):
                s.one[3 * kept + k], s.other[3 * kept + k] = s.one[3 * i + k], s.other[3 * i + k]
                s.w[3 * kept + k] = s.w[3 * i + k]
            kept += 1
    s.filled = kept
    for k in range(3):
        s.v[k] = 0.0
        for i in range(kept):
            s.v[k] += s.weight[i] * s.w[3 * i + k]


@kernel
def nearest_cores(one: ShapeRecord, other: ShapeRecord, s: SimplexRecord, guess: Floats) -> float:
    """The distance of two cores, 0.0 where they overlap; v leads from the second, shifted, to the first.

    guess: a direction that may lead there, not zero
    """
    s.filled = 0
    add_corner(s, one, other, guess)
    s.best[0] = 1.0
    keep_weighted(s)
    squared, size = inner(s.v, s.v), one.size + other.size
    none, rounded = TOUCHING * size, ROUNDED * size
    for _ in range(STEPS):
        if squared <= none * none or s.filled == 4:
            return 0.0
        kept = s.filled
        add_corner(s, one, other, s.v)
        # the distance is then known to its last digits, or to those of coordinates
        if squared - inner(s.v, at(s.w, 3 * kept)) <= EXACT * squared + rounded * squared**0.5:
            s.filled = kept
            break
        reduce_simplex(s)
        if not s.squared < squared:
            s.filled = kept
            break
        keep_weighted(s)
        squared = s.squared
    return squared**0.5


@kernel
def weighted_place(s: SimplexRecord, which: Floats, out: Floats) -> None:
    """The place of a shape that the weights of the simplex stand for."""
    for k in range(3):
        out[k] = 0.0
        for i in range(s.filled):
            out[k] += s.weight[i] * which[3 * i + k]
