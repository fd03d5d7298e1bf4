"""The contacts of a model as elements of a mechanism in motion: each place at which a pair may touch is one of them.

A pair with one place has the name of its pair; of others places are numbered: ``landing.corner_2``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from linkwork.coordinates.scene import MovingScene
from linkwork.elements.contribution import Contribution
from linkwork.elements.shapes.forms import ContactShape
from linkwork.elements.shapes.gaps import ContactGap, gaps
from linkwork.elements.shapes.pairs import offers
from linkwork.elements.shapes.touchables import ContactPair
from linkwork.elements.touching import TouchingPlace, touch
from linkwork.errors import RefusedError

TOUCHING = "contact"  # kind of their rows
WORDS = {"turned": "rim"}


def touching_of(scene: MovingScene, *, rubs: bool = True) -> Iterator[tuple[str, Contribution]]:
    """All places at which pairs may touch, by name, and what happens there; *rubs*: with friction."""
    touchables = scene.touchables
    for given in touchables.pairs:
        pair = given if rubs else replace(given, law=given.law.smooth)
        one, other = touchables.ends(pair)
        _require_known(scene, pair, one, other)
        found = gaps(one, other, scene.frames)
        word = next((WORDS[shape.word] for shape in (one, other) if shape.word in WORDS), "corner")
        for number, gap in enumerate(found, start=1):
            name = pair.name if len(found) == 1 else f"{pair.name}.{word}_{number}"
            place = _place(scene, name, (one, other), gap)
            yield name, touch(place, pair.law, partial(scene.multiplier, name))


def _place(scene: MovingScene, name: str, ends: tuple[ContactShape, ContactShape], gap: ContactGap) -> TouchingPlace:
    bodies = ends[0].body, ends[1].body
    one, other = (scene.velocity_at(body, point) for body, point in zip(bodies, gap.points, strict=True))
    remedy = f"draw '{ends[0].name}' and '{ends[1].name}' apart, or begin elsewhere"
    return TouchingPlace(name, bodies, gap, (one, other), remedy)


def _require_known(scene: MovingScene, pair: ContactPair, one: ContactShape, other: ContactShape) -> None:
    """Refuse what no run with events knows yet, by name."""
    told = f"contact '{pair.contact}' of '{one.name}' and '{other.name}'"
    if "expression" not in offers(scene.space, one.word, other.word):
        words = f"a {one.word} and a {other.word}"
        raise RefusedError(
            f"{told}: the gap of {words} is no formula, and runs with events need one; take time stepping, or balls, "
            "points, bars on planes and boxes on planes"
        )
    law = pair.law
    if law.compliance is not None:
        raise RefusedError(f"{told}: contacts that give way do not act yet; leave its stiffness out")
    if law.resists_turning:
        raise RefusedError(f"{told}: rolling and spinning friction do not act yet; leave them out")
    if law.rubs and (law.smoothing is not None or not scene.space.planar):
        raise RefusedError(f"{told}: friction acts in the plane, without smoothing, so far; leave it out")
