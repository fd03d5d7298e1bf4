"""Which of many shapes may touch: their boxes are kept in the order of their lower ends and swept (sweep and prune).

From one state to the next the order hardly changes, so that it is kept up by insertion in a time that grows with the number
of shapes and of exchanges (Baraff, *Dynamic simulation of non-penetrating rigid bodies*, Cornell 1992). Boxes that overlap
along the axis of the sweep are compared along the other two.
"""

from __future__ import annotations

from linkwork.numerics.kernels.collision.narrow import NarrowRecord, touch
from linkwork.numerics.kernels.collision.shape_record import PLANE, ContactRecord, ShapeRecord, locate
from linkwork.numerics.kernels.language.calling import kernel
from linkwork.numerics.kernels.language.records import Floats, Ints, Record, array, borrowed


class ShapeEntry(Record):
    """A shape of a scene: its body, and the set of groups that it is in."""

    shape: ShapeRecord
    body: int
    kin: int


class SceneRecord(Record):
    """Many shapes, the pairs that may touch, and their contacts.

    order: shapes by the lower ends of their boxes along the axis
    distant: whether sets of groups ignore each other; apart: bodies that a body ignores, from first_apart[i] to the next
    pairs: of shapes (2 each), of which there is room for so many, and for MOST contacts of each: contact_pair (2), gap,
    normal, one, other (3)
    """

    count: int
    axis: int = 0
    reach: float
    entries: list[ShapeEntry] = array("count")
    order: Ints = array("count")
    kins: int
    distant: Ints = array("kins * kins")
    bodies: int
    first_apart: Ints = array("bodies + 1")
    aparts: int
    apart: Ints = array("aparts")
    room: int
    found: int = 0
    pairs: Ints = borrowed()
    contacts: int = 0
    contact_pair: Ints = borrowed()
    gap: Floats = borrowed()
    normal: Floats = borrowed()
    one: Floats = borrowed()
    other: Floats = borrowed()
    narrow: NarrowRecord
    contact: ContactRecord


@kernel
def keep_order(scene: SceneRecord) -> int:
    """Put the shapes into the order of their lower ends; returns how many exchanges that took."""
    exchanges, side = 0, scene.axis
    for i in range(1, scene.count):
        shape, k = scene.order[i], i
        low = scene.entries[shape].shape.box[side]
        while k > 0 and scene.entries[scene.order[k - 1]].shape.box[side] > low:
            scene.order[k] = scene.order[k - 1]
            k -= 1
            exchanges += 1
        scene.order[k] = shape
    return exchanges


@kernel
def may_touch(scene: SceneRecord, i: int, j: int) -> int:
    """Whether nothing keeps two shapes from touching: they are parts of one body, of bodies or of groups that ignore."""
    a, b = scene.entries[i], scene.entries[j]
    if a.body == b.body or scene.distant[a.kin * scene.kins + b.kin] == 1:
        return 0
    if a.shape.kind == PLANE and b.shape.kind == PLANE:
        return 0
    for k in range(scene.first_apart[a.body], scene.first_apart[a.body + 1]):
        if scene.apart[k] == b.body:
            return 0
    return 1


@kernel
def boxes_meet(one: ShapeRecord, other: ShapeRecord, reach: float) -> int:
    """Whether the boxes of two shapes are no farther apart than a reach."""
    for k in range(3):
        if one.box[k] > other.box[3 + k] + reach or other.box[k] > one.box[3 + k] + reach:
            return 0
    return 1


@kernel
def sweep(scene: SceneRecord) -> int:
    """Find all pairs whose boxes meet, the lower number first; returns their number, of which so many are kept as fit."""
    keep_order(scene)
    scene.found = 0
    side, wanted = scene.axis, 0
    for i in range(scene.count):
        first = scene.order[i]
        end = scene.entries[first].shape.box[3 + side] + scene.reach
        for k in range(i + 1, scene.count):
            second = scene.order[k]
            if scene.entries[second].shape.box[side] > end:
                break
            if boxes_meet(scene.entries[first].shape, scene.entries[second].shape, scene.reach) == 0:
                continue
            if may_touch(scene, first, second) == 1:
                if wanted < scene.room:
                    scene.pairs[2 * wanted] = min(first, second)
                    scene.pairs[2 * wanted + 1] = max(first, second)
                    scene.found += 1
                wanted += 1
    return wanted


@kernel
def locate_all(scene: SceneRecord) -> None:
    """Put all shapes to where their poses are."""
    for i in range(scene.count):
        locate(scene.entries[i].shape)


@kernel
def touch_all(scene: SceneRecord) -> int:
    """The contacts of all pairs that were found, within the reach; returns their number."""
    scene.contacts = 0
    out = scene.contact
    for i in range(scene.found):
        a, b = scene.pairs[2 * i], scene.pairs[2 * i + 1]
        touch(scene.entries[a].shape, scene.entries[b].shape, scene.narrow, scene.reach, out)
        for k in range(out.count):
            if out.gap[k] > scene.reach:
                continue
            c = scene.contacts
            scene.contact_pair[2 * c], scene.contact_pair[2 * c + 1] = a, b
            scene.gap[c] = out.gap[k]
            for l in range(3):
                scene.normal[3 * c + l] = out.normal[3 * k + l]
                scene.one[3 * c + l], scene.other[3 * c + l] = out.one[3 * k + l], out.other[3 * k + l]
            scene.contacts = c + 1
    return scene.contacts
