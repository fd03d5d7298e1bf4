"""The contacts of two shapes, for whoever asks from Python; kernels call ``touch`` themselves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwork.arrays import Array
from linkwork.errors import RefusedError
from linkwork.numerics.kernels.collision.features import FeatureRecord, TangentRecord
from linkwork.numerics.kernels.collision.manifolds import ManifoldRecord
from linkwork.numerics.kernels.collision.narrow import NarrowRecord, touch
from linkwork.numerics.kernels.collision.separating_axes import AxisRecord
from linkwork.numerics.kernels.collision.shape_record import PLANE, ContactRecord, ShapeRecord
from linkwork.numerics.kernels.collision.simplices import SimplexRecord
from linkwork.numerics.loader import compiled

FEATURES = ("corner", "edge", "face", "barrel")


@dataclass(frozen=True, eq=False)
class Contacts:
    """Where two shapes touch, the deepest first: gaps (n), normals from the first to the second and points of both (n, 3).

    features: on what either point lies; along (n, 3): the direction of its edge or generator; bends (n): the curvature
    across it, infinite of what is sharp
    """

    gap: Array
    normal: Array
    points: tuple[Array, Array]
    features: tuple[tuple[str, ...], tuple[str, ...]]
    along: tuple[Array, Array]
    bends: tuple[Array, Array]

    def __len__(self) -> int:
        return len(self.gap)


def narrow_record(*shapes: ShapeRecord) -> NarrowRecord:
    """Work for the pairs of some shapes."""
    most = 2 * max(max(shape.count, 4) for shape in shapes) + 12
    features = [FeatureRecord(most=most) for _ in range(2)]
    return NarrowRecord(
        most=most,
        simplex=SimplexRecord(),
        axis=AxisRecord(most=max(shape.edges for shape in shapes)),
        tangents=TangentRecord(),
        feature_one=features[0],
        feature_other=features[1],
        places=ManifoldRecord(most=most),
    )


def contacts(one: ShapeRecord, other: ShapeRecord, reach: float = 0.0) -> Contacts:
    """The contacts of two located shapes: the deepest, and all within a reach of touching, four at most."""
    if one.kind == other.kind == PLANE:
        raise RefusedError("two planes have no contact: make one of them a box, or fix it")
    out = ContactRecord()
    compiled(touch)(one, other, narrow_record(one, other), float(reach), out)
    return contacts_of(out)


def contacts_of(out: ContactRecord) -> Contacts:
    """What the kernels have written."""
    n = out.count

    def rows(values: Array) -> Array:
        return np.array(values[: 3 * n]).reshape(n, 3)

    def names(values: NDArray[np.int64]) -> tuple[str, ...]:
        return tuple(FEATURES[k] for k in values[:n])

    def bends(values: Array) -> Array:
        return np.where(values[:n] >= 1e300, np.inf, values[:n])

    return Contacts(
        np.array(out.gap[:n]),
        rows(out.normal),
        (rows(out.one), rows(out.other)),
        (names(out.feature_one), names(out.feature_other)),
        (rows(out.along_one), rows(out.along_other)),
        (bends(out.bend_one), bends(out.bend_other)),
    )
