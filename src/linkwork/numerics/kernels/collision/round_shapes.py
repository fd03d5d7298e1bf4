"""Contacts of turned shapes that are written down: against a plane, and against a point."""

from __future__ import annotations

from linkwork.numerics.kernels.collision.features import TangentRecord
from linkwork.numerics.kernels.collision.manifolds import ManifoldRecord, add_place
from linkwork.numerics.kernels.collision.rims import BESIDE, FINE, angle_of, fit_rims
from linkwork.numerics.kernels.collision.shape_record import ShapeRecord
from linkwork.numerics.kernels.language.calling import kernel
from linkwork.numerics.kernels.language.records import Floats


@kernel
def add_rims(shape: ShapeRecord, t: TangentRecord, p: ManifoldRecord, level: float) -> None:
    """Four points of either rim over a plane whose normal is n: the lowest, the highest, and those between."""
    down = angle_of(shape, t.n, -1.0, 0.0)
    fit_rims(shape, down, FINE)
    sides = shape.count // 2
    for end in range(2):
        for quarter in range(4):
            # the corners behind those beside stand an eighth of a turn apart
            k = sides * end + (0 if quarter == 0 else BESIDE + 2 * quarter)
            x, y, z = shape.corners[3 * k], shape.corners[3 * k + 1], shape.corners[3 * k + 2]
            u = x * t.first[0] + y * t.first[1] + z * t.first[2]
            v = x * t.second[0] + y * t.second[1] + z * t.second[2]
            add_place(p, u, v, level, x * t.n[0] + y * t.n[1] + z * t.n[2])


@kernel
def turned_and_point(shape: ShapeRecord, point: Floats, normal: Floats, place: Floats) -> float:
    """The signed distance of a point from a turned shape, with the outward normal there and the nearest place of it.

    In the half-plane of the axis through the point the shape is a trapezoid: outside the nearest of its three sides counts,
    inside the line that is nearest.
    """
    height, off = 0.0, 0.0
    for k in range(3):
        height += shape.axes[3 * k + 2] * (point[k] - shape.place[k])
    for k in range(3):
        normal[k] = point[k] - shape.place[k] - height * shape.axes[3 * k + 2]
        off += normal[k] * normal[k]
    off = off**0.5
    for k in range(3):
        # on the axis any direction across it will do
        normal[k] = normal[k] / off if off > 0.0 else shape.axes[3 * k]
    low, r, high, s = shape.stations[0], shape.stations[1], shape.stations[2], shape.stations[3]
    length = ((high - low) ** 2 + (r - s) ** 2) ** 0.5
    outward, upward = (high - low) / length, (r - s) / length
    side = (off - r) * outward + (height - low) * upward
    u = ((off - r) * (s - r) + (height - low) * (high - low)) / (length * length)
    beyond = max(low - height, height - high)
    across, along, distance = outward, upward, side
    if max(side, beyond) <= 0.0:
        if beyond > side:
            across, along, distance = 0.0, 1.0 if height - high > low - height else -1.0, beyond
    elif not (side > 0.0 and u > 0.0 and u < 1.0):
        # a face at an end, or its rim
        upper = u >= 1.0 if side > 0.0 else height > high
        across, along = max(off - (s if upper else r), 0.0), height - (high if upper else low)
        distance = (across * across + along * along) ** 0.5
        across, along = across / distance, along / distance
    for k in range(3):
        normal[k] = across * normal[k] + along * shape.axes[3 * k + 2]
        place[k] = point[k] - distance * normal[k]
    return distance
