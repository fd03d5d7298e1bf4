"""The points at which two features touch that face each other along a normal: their overlap, seen along it.

Polygons are clipped by each other (Sutherland and Hodgman, *Reentrant polygon clipping*, Comm. ACM 17 (1974) 32-42) in the
plane across the normal. Over it both heights are linear, so that the least gaps of the overlap are at its corners. Of these
are kept those within a reach, and at most four: the deepest, the farthest from it, and two that span the largest areas.
"""

from __future__ import annotations

from linkwork.numerics.kernels.collision.features import FeatureRecord, TangentRecord, height_at, name_feature
from linkwork.numerics.kernels.collision.shape_record import MOST, ContactRecord, ShapeRecord
from linkwork.numerics.kernels.collision.simplices import inner
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Floats, Ints, Record, array

SAME = 1e-12  # difference of gaps, of the size, that is a rounding error
APART = 1e-6  # distance of points, of the size, that are two
PARALLEL = 1e-14  # square of the sine between segments that are parallel


class ManifoldRecord(Record):
    """Places on trial: their spots (t₁, t₂) across the normal and the heights of both cores; the ones chosen; work."""

    most: int
    count: int
    spot: Floats = array("2 * most")
    low: Floats = array("most")
    high: Floats = array("most")
    left: Ints = array("most")
    chosen: Ints = array("4")
    taken: int
    ring: Floats = array("2 * most")
    next: Floats = array("2 * most")


@kernel
def add_place(m: ManifoldRecord, x: float, y: float, low: float, high: float) -> None:
    """A place on trial."""
    k = m.count
    if k < m.most:
        m.spot[2 * k], m.spot[2 * k + 1], m.low[k], m.high[k] = x, y, low, high
        m.count = k + 1


@kernel
def turning(f: FeatureRecord) -> float:
    """Twice the signed area of a feature as it is seen."""
    total = 0.0
    for i in range(f.count):
        j = i + 1 if i + 1 < f.count else 0
        total += f.spot[2 * i] * f.spot[2 * j + 1] - f.spot[2 * j] * f.spot[2 * i + 1]
    return total


@kernel
def cut(m: ManifoldRecord, count: int, x: float, y: float, dx: float, dy: float, slack: float) -> int:
    """Keep the part of the ring on the left of the line through (x, y) along (dx, dy); its corners go to ``next``."""
    kept = 0
    for i in range(count):
        j = i + 1 if i + 1 < count else 0
        ax, ay, bx, by = m.ring[2 * i], m.ring[2 * i + 1], m.ring[2 * j], m.ring[2 * j + 1]
        a, b = dx * (ay - y) - dy * (ax - x), dx * (by - y) - dy * (bx - x)
        if a >= -slack and kept < m.most:
            m.next[2 * kept], m.next[2 * kept + 1] = ax, ay
            kept += 1
        if min(a, b) < -slack and max(a, b) > slack and kept < m.most:
            u = a / (a - b)
            m.next[2 * kept], m.next[2 * kept + 1] = ax + u * (bx - ax), ay + u * (by - ay)
            kept += 1
    return kept


@kernel
def clip_by_polygon(m: ManifoldRecord, subject: FeatureRecord, window: FeatureRecord, slack: float) -> int:
    """The part of a feature inside of a polygon, in ``ring``; its count."""
    count = subject.count
    m.ring[: 2 * count] = subject.spot[: 2 * count]
    side = 1.0 if turning(window) > 0.0 else -1.0
    for i in range(window.count):
        j = i + 1 if i + 1 < window.count else 0
        dx, dy = (
            side * (window.spot[2 * j] - window.spot[2 * i]),
            side * (window.spot[2 * j + 1] - window.spot[2 * i + 1]),
        )
        size = (dx * dx + dy * dy) ** 0.5
        if size > slack:
            count = cut(m, count, window.spot[2 * i], window.spot[2 * i + 1], dx / size, dy / size, slack)
            m.ring[: 2 * count] = m.next[: 2 * count]
    return count


@kernel
def overlap_of_segments(m: ManifoldRecord, f: FeatureRecord, g: FeatureRecord, slack: float) -> int:
    """Both ends of the overlap of two segments in one line, in ``ring``; 0 if they are not."""
    dx, dy = f.spot[2] - f.spot[0], f.spot[3] - f.spot[1]
    ex, ey = g.spot[2] - g.spot[0], g.spot[3] - g.spot[1]
    squared, other = dx * dx + dy * dy, ex * ex + ey * ey
    turn = dx * ey - dy * ex
    if not squared > slack * slack or not other > slack * slack or turn * turn > PARALLEL * squared * other:
        return 0
    a = (dx * (g.spot[0] - f.spot[0]) + dy * (g.spot[1] - f.spot[1])) / squared
    b = (dx * (g.spot[2] - f.spot[0]) + dy * (g.spot[3] - f.spot[1])) / squared
    low, high = max(min(a, b), 0.0), min(max(a, b), 1.0)
    if low > high:
        return 0
    m.ring[0], m.ring[1] = f.spot[0] + low * dx, f.spot[1] + low * dy
    m.ring[2], m.ring[3] = f.spot[0] + high * dx, f.spot[1] + high * dy
    return 2


@kernel
def overlap_of_features(m: ManifoldRecord, f: FeatureRecord, g: FeatureRecord, slack: float) -> None:
    """The corners of the overlap as places on trial."""
    count = 0
    if f.count >= 2 and g.count >= 3:
        count = clip_by_polygon(m, f, g, slack)
    elif f.count >= 3 and g.count == 2:
        count = clip_by_polygon(m, g, f, slack)
    elif f.count == 2 and g.count == 2:
        count = overlap_of_segments(m, f, g, slack)
    for i in range(count):
        x, y = m.ring[2 * i], m.ring[2 * i + 1]
        add_place(m, x, y, height_at(f, x, y), height_at(g, x, y))


@kernel
def least_place(m: ManifoldRecord) -> int:
    """The place with the least gap."""
    best = 0
    for i in range(m.count):
        if m.high[i] - m.low[i] < m.high[best] - m.low[best]:
            best = i
    return best


@kernel
def area(m: ManifoldRecord, i: int, j: int, k: int) -> float:
    """Twice the signed area of three places."""
    ax, ay = m.spot[2 * j] - m.spot[2 * i], m.spot[2 * j + 1] - m.spot[2 * i + 1]
    bx, by = m.spot[2 * k] - m.spot[2 * i], m.spot[2 * k + 1] - m.spot[2 * i + 1]
    return ax * by - ay * bx


@kernel
def worth(m: ManifoldRecord, k: int) -> float:
    """How far a place lies outside of those that are chosen: a distance, then areas."""
    a, b, c = m.chosen[0], m.chosen[1], m.chosen[2]
    if m.taken == 1:
        return ((m.spot[2 * k] - m.spot[2 * a]) ** 2 + (m.spot[2 * k + 1] - m.spot[2 * a + 1]) ** 2) ** 0.5
    if m.taken == 2:
        return abs(area(m, a, b, k))
    side = 1.0 if area(m, a, b, c) > 0.0 else -1.0
    return max(-side * area(m, a, b, k), -side * area(m, b, c, k), -side * area(m, c, a, k))


@kernel
def choose_places(m: ManifoldRecord, limit: float, size: float) -> None:
    """At most four places whose gaps stay below a limit: the least first."""
    m.chosen[0] = least_place(m)
    m.taken = 1
    while m.taken < MOST:
        best, found = APART * size, -1
        if m.taken > 1:
            a, b = m.chosen[0], m.chosen[1]
            long = ((m.spot[2 * b] - m.spot[2 * a]) ** 2 + (m.spot[2 * b + 1] - m.spot[2 * a + 1]) ** 2) ** 0.5
            best *= long
        for k in range(m.count):
            if m.high[k] - m.low[k] <= limit:
                value = worth(m, k)
                if value > best:
                    best, found = value, k
        if found < 0:
            break
        m.chosen[m.taken] = found
        m.taken += 1


@kernel
def write_contacts(
    m: ManifoldRecord, one: ShapeRecord, other: ShapeRecord, t: TangentRecord, out: ContactRecord
) -> None:
    """The chosen places as contacts of both shapes with their radii."""
    out.count = m.taken
    for i in range(m.taken):
        k = m.chosen[i]
        out.gap[i] = m.high[k] - m.low[k] - one.radius - other.radius
        for j in range(3):
            spot = t.first[j] * m.spot[2 * k] + t.second[j] * m.spot[2 * k + 1]
            out.normal[3 * i + j] = t.n[j]
            out.one[3 * i + j] = spot + t.n[j] * m.low[k]
            out.other[3 * i + j] = spot + t.n[j] * m.high[k]
        name_contact(one, other, i, out)
        for j in range(3):
            out.one[3 * i + j] += one.radius * t.n[j]
            out.other[3 * i + j] -= other.radius * t.n[j]


@kernel
def name_contact(one: ShapeRecord, other: ShapeRecord, i: int, out: ContactRecord) -> None:
    """Features and curvatures of both cores at a contact; its points are still those of the cores."""
    n = at(out.normal, 3 * i)
    name_feature(one, n, 1.0, at(out.one, 3 * i), at(out.feature_one, i), at(out.along_one, 3 * i), at(out.bend_one, i))
    name_feature(
        other,
        n,
        -1.0,
        at(out.other, 3 * i),
        at(out.feature_other, i),
        at(out.along_other, 3 * i),
        at(out.bend_other, i),
    )


@kernel
def add_witness(m: ManifoldRecord, t: TangentRecord, one: Floats, other: Floats, size: float) -> None:
    """The nearest points themselves, where no corner of the overlap is as deep; one that is deeper is a rounding error."""
    low, high = inner(one, t.n), inner(other, t.n)
    kept = 0
    for i in range(m.count):
        if m.high[i] - m.low[i] >= high - low - SAME * size:
            m.spot[2 * kept], m.spot[2 * kept + 1] = m.spot[2 * i], m.spot[2 * i + 1]
            m.low[kept], m.high[kept] = m.low[i], m.high[i]
            kept += 1
    m.count = kept
    if m.count > 0:
        best = least_place(m)
        if m.high[best] - m.low[best] <= high - low + SAME * size:
            return
    add_place(m, inner(one, t.first), inner(one, t.second), low, high)
