"""The contacts of a model as elements of a mechanism in motion: each place at which a pair may touch is one of them.

A pair with one place has the name of its pair; of others places are numbered: ``landing.corner_2``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import casadi as ca
import numpy as np

from linkwork.algebra.rotations import frame_about
from linkwork.coordinates.scene import MovingScene
from linkwork.elements.contribution import Contribution
from linkwork.elements.shapes.forms import ContactShape, HalfSpace
from linkwork.elements.shapes.gaps import ContactGap
from linkwork.elements.shapes.pairs import gaps, offers
from linkwork.elements.shapes.touchables import HERTZ, ContactPair
from linkwork.elements.touching import TouchingPlace, touch, touch_softly
from linkwork.errors import RefusedError

TOUCHING = "contact"  # kind of their rows
WORDS = {"turned": "rim"}


def touching_of(scene: MovingScene, length: float, *, rubs: bool = True) -> Iterator[tuple[str, Contribution]]:
    """All places at which pairs may touch, by name, and what happens there.

    length: the size of the mechanism; rubs: with friction
    """
    touchables = scene.touchables
    for given in touchables.pairs:
        pair = given if rubs else replace(given, law=given.law.smooth)
        one, other = touchables.ends(pair)
        _require_known(scene, pair, one, other)
        # what gives way may be touched by all corners
        choose = scene.chooses(f"contact {given.name}") if given.law.compliance is None else None
        found = gaps(one, other, scene.frames, choose)
        drawn = gaps(one, other, scene.drawn_frames, _first) if not scene.space.planar else found
        names = place_names(pair, (one, other), len(found))
        for name, gap, start in zip(names, found, drawn, strict=True):
            place = _place(scene, name, (one, other), (gap, start), length)
            if pair.law.compliance is None:
                yield name, touch(place, pair.law, partial(scene.multiplier, name))
            else:
                _require_round(scene, pair, place)
                yield name, touch_softly(place, pair.law, scene.holds(f"contact {name}"))


def place_names(pair: ContactPair, ends: tuple[ContactShape, ContactShape], count: int) -> list[str]:
    """The names of the places at which a pair may touch."""
    word = next((WORDS[shape.word] for shape in ends if shape.word in WORDS), "corner")
    return [pair.name] if count == 1 else [f"{pair.name}.{word}_{number}" for number in range(1, count + 1)]


def _first(_measures: Sequence[ca.SX], _second: Sequence[ca.SX]) -> ca.SX:
    """Any of them: normals of planes are those of all corners."""
    return ca.SX(0)


def _place(
    scene: MovingScene,
    name: str,
    ends: tuple[ContactShape, ContactShape],
    found: tuple[ContactGap, ContactGap],
    length: float,
) -> TouchingPlace:
    """found: the gap in motion, and where the mechanism is put together."""
    gap, start = found
    bodies = ends[0].body, ends[1].body
    middle = (gap.points[0] + gap.points[1]) / 2
    velocities = scene.velocity_at(bodies[0], middle), scene.velocity_at(bodies[1], middle)
    remedy = f"draw '{ends[0].name}' and '{ends[1].name}' apart, or begin elsewhere"
    turning = scene.solid(bodies[1]).omega - scene.solid(bodies[0]).omega
    tangents = _tangents(scene, ends, gap, start)
    return TouchingPlace(name, bodies, gap, velocities, tangents, length, turning, remedy)


def _tangents(
    scene: MovingScene, ends: tuple[ContactShape, ContactShape], gap: ContactGap, start: ContactGap
) -> tuple[ca.SX, ...]:
    """Along the surface: in the plane one, in space two, that turn with a plane or else as little as the normal does.

    From the normal e at the start and a tangent b there, b − (n·b)/(1 + n·e) (e + n) lies across n.
    """
    n = gap.normal
    if scene.space.planar:
        return (ca.vertcat(n[1], -n[0]),)
    plane = next((shape for shape in ends if isinstance(shape.form, HalfSpace)), None)
    if plane is not None:
        frame = plane.seen(scene.frames)
        return frame.axis(0), frame.axis(1)
    e = np.ravel(scene.number(start.normal))
    axes = frame_about(e)
    return tuple(ca.SX(b) - ca.dot(n, b) / (1 + ca.dot(n, e)) * (ca.SX(e) + n) for b in (axes[:, 0], axes[:, 1]))


def _require_known(scene: MovingScene, pair: ContactPair, one: ContactShape, other: ContactShape) -> None:
    """Refuse what no run with events knows yet, by name."""
    told = f"contact '{pair.contact}' of '{one.name}' and '{other.name}'"
    if "expression" not in offers(scene.space, one.word, other.word):
        words = f"a {one.word} and a {other.word}"
        if "curve" in (one.word, other.word):
            raise RefusedError(f"{told}: no run follows {words} yet; take arcs, balls or polygons along the curve")
        raise RefusedError(
            f"{told}: the gap of {words} is no formula, and runs with events need one; take time stepping, or balls, "
            "points, bars on planes and boxes on planes"
        )
    law = pair.law
    if law.resists_turning and law.compliance is not None:
        raise RefusedError(f"{told}: rolling and spinning friction are those of rigid contacts; leave them out")
    if scene.space.planar and not law.spinning.is_zero():
        raise RefusedError(f"{told}: nothing spins about a normal in the plane; leave spinning out")
    if law.compliance is not None and law.rubs and law.smoothing is None:
        raise RefusedError(
            f"{told}: friction of a contact that gives way does not hold; give the speed below which it is smooth, such as "
            "smoothing: 1 mm/s"
        )


def _require_round(scene: MovingScene, pair: ContactPair, place: TouchingPlace) -> None:
    """Refuse Hertz's theory where surfaces are not round alike in all directions."""
    if pair.law.compliance is None or pair.law.compliance.law != HERTZ:
        return
    one, other = place.gap.bends
    curvature = scene.number(one.across + other.across) if (one.across + other.across).is_constant() else np.ones(1)
    alike = scene.space.planar or all(ca.is_equal(ca.SX(b.across), ca.SX(b.along), 3) for b in place.gap.bends)
    if not (np.all(np.isfinite(curvature)) and np.all(curvature > 0.0)) or not alike:
        raise RefusedError(
            f"contact '{pair.contact}' at {place.name}: Hertz's theory is used of balls on balls and planes; take the law "
            "hunt_crossley with a stiffness in N/m^1.5"
        )
