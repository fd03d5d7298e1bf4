"""Rims of turned shapes as polygons, for the faces and edges that they meet others with.

A rim has eight corners round it and four more beside the one that the normal of the contact points to. Where a contact is
looked for the corners stand round the axis, and where its manifold is made those beside are as near to each other as
rounding errors allow: a chord over the angle δ is off by r δ²/8. Distances are those of the shapes themselves
(``simplices``).
"""

from __future__ import annotations

import math

from linkwork.numerics.kernels.collision.shape_record import TURNED, ShapeRecord, locate
from linkwork.numerics.kernels.language.calling import kernel
from linkwork.numerics.kernels.language.records import Floats

BESIDE = 2  # corners on either side of the one that is touched
EIGHTH = math.pi / 4
COARSE, FINE = math.pi / 12, 1e-8  # angles between the corners beside, to look for a contact and to have its manifold
ALONG = 1e-12  # part of a unit normal across the axis that has no direction


@kernel
def corner_angle(i: int, spacing: float) -> float:
    """The angle of a corner behind the first one, which is touched: two beside it, seven round, and two before it."""
    if i <= BESIDE:
        return i * spacing
    if i < BESIDE + 8:
        return (i - BESIDE) * EIGHTH
    return 2.0 * math.pi - (2 * BESIDE + 8 - i) * spacing


@kernel
def fit_rims(shape: ShapeRecord, angle: float, spacing: float) -> None:
    """Set corners and normals for a contact at an angle about the axis, and put them into the world."""
    sides = shape.count // 2
    low, r, high, s = shape.stations[0], shape.stations[1], shape.stations[2], shape.stations[3]
    for i in range(sides):
        here = corner_angle(i, spacing)
        ahead = corner_angle(i + 1, spacing) if i + 1 < sides else 2.0 * math.pi
        c, d = math.cos(angle + here), math.sin(angle + here)
        a, b = 3 * i, 3 * (sides + i)
        shape.local[a], shape.local[a + 1], shape.local[a + 2] = r * c, r * d, low
        shape.local[b], shape.local[b + 1], shape.local[b + 2] = s * c, s * d, high
        middle, rise = angle + (here + ahead) / 2, (r - s) * math.cos((ahead - here) / 2)
        size = ((high - low) ** 2 + rise**2) ** 0.5
        shape.local_normals[a] = (high - low) / size * math.cos(middle)
        shape.local_normals[a + 1] = (high - low) / size * math.sin(middle)
        shape.local_normals[a + 2] = rise / size
    for i in range(2):
        a = 3 * (sides + i)
        shape.local_normals[a], shape.local_normals[a + 1], shape.local_normals[a + 2] = 0.0, 0.0, 2.0 * i - 1.0
    locate(shape)


@kernel
def angle_of(shape: ShapeRecord, n: Floats, sign: float, before: float) -> float:
    """The angle about the axis of a turned shape to which ± n points; that before where it points along the axis."""
    x, y = 0.0, 0.0
    for k in range(3):
        x += sign * n[k] * shape.axes[3 * k]
        y += sign * n[k] * shape.axes[3 * k + 1]
    if x * x + y * y <= ALONG * ALONG:
        return before
    return math.atan2(y, x)


@kernel
def foot_on_axis(shape: ShapeRecord, place: Floats, out: Floats) -> None:
    """The foot of a place on the axis of a turned shape; of another one the place itself."""
    height = 0.0
    for k in range(3):
        height += shape.axes[3 * k + 2] * (place[k] - shape.place[k])
    for k in range(3):
        out[k] = shape.place[k] + height * shape.axes[3 * k + 2] if shape.kind == TURNED else place[k]
