"""Who ignores whom among shapes of bodies: those of one body, of joined bodies, of a group, and those that are named."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from linkwork.elements.shapes.forms import ContactShape
from linkwork.errors import UnknownNameError, did_you_mean
from linkwork.numerics.collision.broad_phase import Kinship


def kinship_of(
    shapes: Sequence[ContactShape],
    joined: Collection[tuple[str, str]] = (),
    ignore: Collection[tuple[str, str]] = (),
) -> Kinship:
    """Who may touch among *shapes*.

    joined: bodies that joints connect; ignore: further pairs of bodies or of shapes that go through each other
    """
    bodies = list(dict.fromkeys(shape.body for shape in shapes))
    names = [shape.name for shape in shapes]
    groups = [set(shape.groups) for shape in shapes]
    apart = {(bodies.index(a), bodies.index(b)) for a, b in joined if a in bodies and b in bodies}
    for a, b in ignore:
        for name in (a, b):
            if name not in names and name not in bodies:
                raise UnknownNameError(
                    f"'{name}' is no shape and no body with one; {did_you_mean(name, names + bodies)}"
                )
        if a in bodies and b in bodies:
            apart.add((bodies.index(a), bodies.index(b)))
            continue
        for shape, own in zip(shapes, groups, strict=True):
            if {shape.name, shape.body} & {a, b}:
                own.add(f"{a} and {b}")
    return Kinship([bodies.index(shape.body) for shape in shapes], [frozenset(own) for own in groups], frozenset(apart))
