"""Time of one contact of two shapes: the compiled narrow phase beside coal, on the same pairs in the same process.

Both are called from Python, pair by pair, so that every figure has a call in it (some 0.5 µs). Poses are drawn so that pairs
are apart, or overlap by a little as bodies do that touch. Coal finds a signed distance; Linkwork all points of the manifold
with their curvatures. Differences of gaps say how exact coal is at its own tolerance of 1e-6: those of Linkwork are checked
against support functions by its tests.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from linkwork.bench.timing import best_time
from linkwork.errors import RefusedError
from linkwork.extras import bring
from linkwork.numerics.collision.broad_phase import Kinship, pairs_of, scene_record
from linkwork.numerics.collision.narrow_phase import contacts, narrow_record
from linkwork.numerics.collision.solids import convex_record, located, turned_record
from linkwork.numerics.geometry.convex import convex_hull
from linkwork.numerics.kernels.collision.narrow import touch
from linkwork.numerics.kernels.collision.shape_record import ContactRecord, ShapeRecord

COUNT = 400  # poses of a pair
DEPTH = 0.01  # of those that overlap


@dataclass(frozen=True)
class Kind:
    """One shape twice: as Linkwork and as coal have it."""

    name: str
    record: Callable[[], ShapeRecord]
    peer: Callable[[Any], Any]


def _cloud() -> np.ndarray:
    points = np.random.default_rng(1).normal(size=(40, 3))
    return points / np.linalg.norm(points, axis=1)[:, None]


def _hull(coal: Any) -> Any:
    points, model = _cloud(), coal.BVHModelOBBRSS()
    hull = convex_hull(points)
    model.beginModel(len(hull.simplices), len(points))
    for triangle in points[hull.simplices]:
        model.addTriangle(*triangle)
    model.endModel()
    model.buildConvexHull(True, "Qt")
    return model.convex


KINDS = (
    Kind("ball", lambda: convex_record(np.zeros((1, 3)), 0.5), lambda coal: coal.Sphere(0.5)),
    Kind("capsule", lambda: convex_record([[0, 0, -0.5], [0, 0, 0.5]], 0.3), lambda coal: coal.Capsule(0.3, 1.0)),
    Kind(
        "box", lambda: convex_record(0.5 * np.array(list(product((-1, 1), repeat=3)))), lambda coal: coal.Box(1, 1, 1)
    ),
    Kind("cylinder", lambda: turned_record([(-0.5, 0.4), (0.5, 0.4)]), lambda coal: coal.Cylinder(0.4, 1.0)),
    Kind("hull of 40", lambda: convex_record(_cloud()), _hull),
)
Pose = tuple[np.ndarray, np.ndarray]


def drawn_poses(one: ShapeRecord, other: ShapeRecord, gap: float | None) -> list[Pose]:
    """Poses of the second shape beside the first: apart, or at a gap along the normal of the contact."""
    rng = np.random.default_rng(0)
    found = []
    while len(found) < COUNT:
        axes = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        axes[:, 0] *= np.sign(np.linalg.det(axes))
        way = rng.normal(size=3)
        place = 2.5 * way / np.linalg.norm(way)
        if gap is not None:
            contact = contacts(one, located(other, place, axes))
            place = place + (gap - contact.gap[0]) * contact.normal[0]
        found.append((place, axes))
    return found


def time_ours(one: ShapeRecord, kind: Kind, poses: list[Pose]) -> tuple[float, np.ndarray]:
    """Seconds of a contact, and the gaps; shapes are where they are before."""
    others = [located(kind.record(), *pose) for pose in poses]
    memory, outs = narrow_record(one, *others), [ContactRecord() for _ in poses]
    call = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * 3, ctypes.c_double, ctypes.c_void_p)(touch.address)
    rows = [
        (one.address, other.address, memory.address, 0.0, out.address) for other, out in zip(others, outs, strict=True)
    ]

    def run() -> None:
        for row in rows:
            call(*row)

    return best_time(run, len(poses)), np.array([out.gap[0] for out in outs])


def time_coal(coal: Any, shapes: tuple[Any, Any], poses: list[Pose]) -> tuple[float, np.ndarray]:
    """The same of coal: distances that are signed."""
    still, moved, request = coal.Transform3s(), [coal.Transform3s() for _ in poses], coal.DistanceRequest()
    request.enable_signed_distance = True
    for frame, (place, axes) in zip(moved, poses, strict=True):
        frame.setTranslation(place)
        frame.setRotation(axes)
    results = [coal.DistanceResult() for _ in poses]
    rows = [(shapes[0], still, shapes[1], *pair) for pair in zip(moved, [request] * len(poses), results, strict=True)]
    gaps = np.zeros(len(poses))

    def run() -> None:
        for i, row in enumerate(rows):
            row[-1].clear()
            gaps[i] = coal.distance(*row)

    return best_time(run, len(poses)), gaps


def sweep_times(coal: Any, count: int) -> tuple[float, float, int]:
    """Seconds of the broad phase of many balls that move a little: ours and coal's tree of boxes."""
    rng = np.random.default_rng(2)
    side = 1.2 * count ** (1 / 3)
    places = rng.uniform(0, side, (count, 3))
    shapes = [located(convex_record(np.zeros((1, 3)), 0.5), place) for place in places]
    scene = scene_record(shapes, Kinship(range(count)))
    found = len(pairs_of(scene))
    ours = best_time(lambda: pairs_of(scene), 1)
    manager = coal.DynamicAABBTreeCollisionManager()
    objects = [coal.CollisionObject(coal.Sphere(0.5), np.eye(3), place) for place in places]
    for item in objects:
        item.computeAABB()
        manager.registerObject(item)
    manager.setup()
    collect = coal.CollisionCallBackCollect(100 * count)

    def run() -> None:
        manager.update()
        collect.init()
        manager.collide(collect)

    return ours, best_time(run, 1), found


def main() -> None:
    try:
        coal = bring("coal")
    except RefusedError as missing:
        print(f"left out: {missing}")
        return
    print(
        f"One contact (µs), called from Python; ratio: coal {coal.__version__} over Linkwork; gap: largest difference"
    )
    print(f"{'pair':<24}{'apart':>8}{'coal':>8}{'ratio':>7}{'gap':>9}{'  overlap':>9}{'coal':>8}{'ratio':>7}{'gap':>9}")
    for i, first in enumerate(KINDS):
        for second in KINDS[i:]:
            one, other = first.record(), second.record()
            peers = first.peer(coal), second.peer(coal)
            cells = []
            for gap in (None, -DEPTH):
                poses = drawn_poses(one, other, gap)
                (ours, gaps), (theirs, others) = time_ours(one, second, poses), time_coal(coal, peers, poses)
                off = float(np.max(np.abs(gaps - others)))
                cells.append(f"{1e6 * ours:8.1f}{1e6 * theirs:8.1f}{theirs / ours:7.2f}{off:9.0e}")
            print(f"{first.name + ' - ' + second.name:<24}{cells[0]} {cells[1]}", flush=True)
    print(f"\n{'broad phase of balls':<24}{'ms':>8}{'coal':>8}{'ratio':>7}{'pairs':>9}")
    for count in (100, 1000):
        ours, theirs, found = sweep_times(coal, count)
        print(f"{count:<24}{1e3 * ours:8.2f}{1e3 * theirs:8.2f}{theirs / ours:7.2f}{found:9d}")


if __name__ == "__main__":
    main()
