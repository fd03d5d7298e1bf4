"""Clearances of joints whose places rub or give way: each place is a contact of its own, by the name of joint and place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from linkwork.coordinates.scene import MovingScene
from linkwork.elements.contribution import Contribution, Reading
from linkwork.elements.relations.clearance import REMEDY, TOUCH, ClearancePlace, ClearanceRelation
from linkwork.elements.shapes.gaps import ContactGap, FlatBend
from linkwork.elements.touching import TouchingPlace, touch, touch_softly


def clearings(
    scene: MovingScene, length: float, *, every: bool, rubs: bool
) -> Iterator[tuple[str, bool, Contribution]]:
    """All such places by name, whether they are rigid, and what happens there.

    length: the size of the mechanism; every: rigid ones too; rubs: with friction
    """
    for joint, (relation, given) in scene.clearings.items():
        law = given if rubs else given.smooth
        for key, found in relation.places(scene.frames).items():
            name, rigid = f"{joint}.{key}", law.compliance is None
            if rigid and not every:
                continue
            place = _place(scene, name, relation, found, length, rigid=rigid)
            item = (
                touch(place, law, partial(scene.multiplier, name))
                if rigid
                else touch_softly(place, law, scene.holds(f"clearance {name}"))
            )
            yield name, rigid, _told(item, found)


def _place(
    scene: MovingScene, name: str, relation: ClearanceRelation, found: ClearancePlace, length: float, *, rigid: bool
) -> TouchingPlace:
    gap = ContactGap(found.room if rigid else found.gap, found.normal, (found.at, found.at), (FlatBend, FlatBend))
    velocities = scene.velocity_at(relation.pair[0], found.at), scene.velocity_at(relation.pair[1], found.at)
    turning = scene.solid(relation.pair[1]).omega - scene.solid(relation.pair[0]).omega
    return TouchingPlace(name, relation.pair, gap, velocities, found.tangents, length, turning, REMEDY)


def _told(item: Contribution, found: ClearancePlace) -> Contribution:
    """The same in the words of clearances, with the gap that is a length everywhere."""
    conditions = tuple(replace(c, words=TOUCH) if c.level == "limit" else c for c in item.conditions)
    readings = {**item.readings, "gap": Reading("m", found.told, found.gap)}
    return replace(item, conditions=conditions, readings=readings)
