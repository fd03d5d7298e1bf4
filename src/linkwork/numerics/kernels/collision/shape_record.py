"""The memory of shapes that may touch: corners, faces and edges in own axes and in the world, and where they touch.

A shape is the core that its corners span, blown up by a radius. A core has the normals of its faces, the rings of corners
round them, and its edges, each with both ends and the two faces whose normals bound its own. Cores without an inside are
thin prisms: a flat polygon has its sides as faces of two corners, a segment four faces round it, and a point six of one
corner; a shape of the plane, which lies in z = 0, has its sides alone. Every direction in which a shape can be left is then
a normal of a face or is spanned by two edges, whatever the shapes.
"""

from __future__ import annotations

from linkwork.numerics.kernels.language.calling import kernel
from linkwork.numerics.kernels.language.records import Floats, Ints, Record, array

HULL, TURNED, FIELD, PLANE = 0, 1, 2, 3  # kinds of shapes, in the order in which pairs are taken
MOST = 4  # points of a manifold
VERTEX, EDGE, FACE, BARREL = 0, 1, 2, 3  # features of a shape on which a contact may be


class ShapeRecord(Record):
    """A shape and its pose. A plane is the half-space below z = 0; a turned shape goes round the local z axis.

    faces: normals (3 each), whose rings of corners lie one behind the other from first[i] to first[i + 1]
    edges: ends (two corners each), sides (two faces each)
    place (3), axes (9, rows): the pose; corners, normals: in the world; box (6): lower and upper ends in the world
    """

    kind: int = HULL
    count: int
    faces: int
    rims: int
    edges: int
    flat: int = 0  # whether it is a shape of the plane
    radius: float
    size: float  # largest distance of a corner from the own origin
    local: Floats = array("3 * count")
    local_normals: Floats = array("3 * faces")
    first: Ints = array("faces + 1")
    ring: Ints = array("rims")
    ends: Ints = array("2 * edges")
    sides: Ints = array("2 * edges")
    place: Floats = array("3")
    axes: Floats = array("9")
    corners: Floats = array("3 * count")
    normals: Floats = array("3 * faces")
    box: Floats = array("6")
    stations: Floats = array("4")  # of a turned shape: height and radius of both ends
    columns: int = 0  # of a field: points along x
    rows: int = 0  # and along y
    spacing: Floats = array("2")
    heights: Floats = array("columns * rows")


class ContactRecord(Record):
    """Where two shapes touch: gaps (negative inside), normals from the first to the second, and the points of both.

    features: on which kind of feature of either shape every point lies; along (3 each): the direction of their edges or
    generators; bends: the curvature across it
    """

    count: int
    most: int = MOST
    gap: Floats = array("most")
    normal: Floats = array("3 * most")
    one: Floats = array("3 * most")
    other: Floats = array("3 * most")
    feature_one: Ints = array("most")
    feature_other: Ints = array("most")
    along_one: Floats = array("3 * most")
    along_other: Floats = array("3 * most")
    bend_one: Floats = array("most")
    bend_other: Floats = array("most")


@kernel
def turned_by(axes: Floats, x: float, y: float, z: float, out: Floats) -> None:
    """A direction of the shape in the world."""
    for i in range(3):
        out[i] = axes[3 * i] * x + axes[3 * i + 1] * y + axes[3 * i + 2] * z


@kernel
def locate(shape: ShapeRecord) -> None:
    """Corners, normals and box in the world, from the pose."""
    for i in range(3):
        a, b, c = shape.axes[3 * i], shape.axes[3 * i + 1], shape.axes[3 * i + 2]
        low, high = 1e300, -1e300
        for k in range(shape.count):
            x = a * shape.local[3 * k] + b * shape.local[3 * k + 1] + c * shape.local[3 * k + 2] + shape.place[i]
            shape.corners[3 * k + i] = x
            low, high = min(low, x), max(high, x)
        for k in range(shape.faces):
            n = a * shape.local_normals[3 * k] + b * shape.local_normals[3 * k + 1]
            shape.normals[3 * k + i] = n + c * shape.local_normals[3 * k + 2]
        if shape.kind == PLANE:
            # below the plane there is no end, but along an axis that is its normal
            low, high = -1e300, shape.place[i] if c == 1.0 else 1e300
            low = shape.place[i] if c == -1.0 else low
        shape.box[i] = low - shape.radius
        shape.box[3 + i] = high + shape.radius
    if shape.kind == TURNED:
        box_of_turned(shape)


@kernel
def box_of_turned(shape: ShapeRecord) -> None:
    """The exact box of a turned shape: each rim reaches r √(1 − a²) along an axis at the cosine a to its own."""
    for i in range(3):
        a = shape.axes[3 * i + 2]
        reach = max(1.0 - a * a, 0.0) ** 0.5
        low, high = 1e300, -1e300
        for k in range(2):
            middle, r = shape.place[i] + a * shape.stations[2 * k], shape.stations[2 * k + 1] * reach
            low, high = min(low, middle - r), max(high, middle + r)
        shape.box[i] = low - shape.radius
        shape.box[3 + i] = high + shape.radius
