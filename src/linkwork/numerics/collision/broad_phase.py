"""Many shapes at once: pairs that may touch are found without being listed, and their contacts in one call."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from linkwork.numerics.collision.narrow_phase import narrow_record
from linkwork.numerics.kernels.collision.broad import SceneRecord, locate_all, sweep, touch_all
from linkwork.numerics.kernels.collision.shape_record import MOST, ContactRecord, ShapeRecord
from linkwork.numerics.loader import compiled

EACH = 8  # pairs for which there is room at first, for each shape
HUGE = 1e200  # ends of boxes beyond which there is no end


@dataclass(frozen=True)
class Kinship:
    """Which shapes ignore each other: those of one body, of bodies that are *apart*, and those that share a group.

    bodies: the body of each shape, from 0; groups: its groups; apart: pairs of bodies, such as those that a joint connects
    """

    bodies: Sequence[int]
    groups: Sequence[Collection[str]] = ()
    apart: Collection[tuple[int, int]] = field(default_factory=frozenset)

    def sets(self) -> tuple[list[int], list[frozenset[str]]]:
        """The number of the set of groups of each shape, and the sets."""
        given = [frozenset(groups) for groups in self.groups] or [frozenset()] * len(self.bodies)
        known = list(dict.fromkeys(given))
        return [known.index(one) for one in given], known

    def neighbours(self) -> list[list[int]]:
        """The bodies that each body ignores."""
        found: list[set[int]] = [set() for _ in range(max(self.bodies, default=-1) + 1)]
        for a, b in self.apart:
            if max(a, b) < len(found):
                found[a].add(b)
                found[b].add(a)
        return [sorted(one) for one in found]


def scene_record(shapes: Sequence[ShapeRecord], kinship: Kinship, reach: float = 0.0, room: int = 0) -> SceneRecord:
    """The memory of a scene: pairs and contacts are looked for among shapes no farther apart than a reach."""
    numbers, sets = kinship.sets()
    around = kinship.neighbours()
    scene = SceneRecord(
        count=len(shapes),
        reach=float(reach),
        kins=len(sets),
        bodies=len(around),
        aparts=sum(map(len, around)),
        narrow=narrow_record(*shapes),
        contact=ContactRecord(),
    )
    for entry, shape, body, number in zip(scene.entries, shapes, kinship.bodies, numbers, strict=True):
        entry.shape, entry.body, entry.kin = shape, body, number
    shared = np.array([[bool(a & b) for b in sets] for a in sets], np.int64)
    scene.distant[:] = shared.ravel()
    scene.first_apart[:] = np.cumsum([0, *map(len, around)])
    scene.apart[:] = [body for one in around for body in one]
    make_room(scene, room or EACH * len(shapes))
    begin_order(scene)
    return scene


def begin_order(scene: SceneRecord) -> None:
    """Sweep along the axis along which the shapes are spread most, and sort them along it."""
    compiled(locate_all)(scene)
    boxes = np.array([entry.shape.box for entry in scene.entries]).reshape(-1, 2, 3)
    near = np.all(np.abs(boxes) < HUGE, axis=(1, 2))
    if np.any(near):
        scene.axis = int(np.argmax(np.var(boxes[near].mean(axis=1), axis=0)))
    scene.order[:] = np.argsort(boxes[:, 0, scene.axis], kind="stable")


def pairs_of(scene: SceneRecord) -> NDArray[np.int64]:
    """All pairs of shapes (n, 2) whose boxes meet where they are now, the lower number first."""
    compiled(locate_all)(scene)
    wanted = compiled(sweep)(scene)
    if wanted > scene.room:
        make_room(scene, 2 * wanted)
        compiled(sweep)(scene)
    return scene.pairs[: 2 * scene.found].reshape(-1, 2).copy()


def all_contacts(scene: SceneRecord) -> int:
    """Find all pairs and all contacts within the reach; these stand in the scene, as many as is returned."""
    pairs_of(scene)
    return int(compiled(touch_all)(scene))


def make_room(scene: SceneRecord, room: int) -> None:
    """Make room for so many pairs and their contacts."""
    scene.room, most = room, MOST * room
    scene.pairs, scene.contact_pair = np.zeros(2 * room, np.int64), np.zeros(2 * most, np.int64)
    scene.gap = np.zeros(most)
    scene.normal, scene.one, scene.other = (np.zeros(3 * most) for _ in range(3))
