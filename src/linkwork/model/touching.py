"""Who touches whom, by names: parts of bodies and surfaces, and the pairs that contacts mean.

The same names serve the checks of a description and the geometry that is made of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Protocol

from linkwork.model.body import Body
from linkwork.model.contacts import Contact
from linkwork.model.joint import GROUND, Joint
from linkwork.model.surfaces import Surface


class Touched(Protocol):
    """What is asked of a description."""

    @property
    def bodies(self) -> Mapping[str, Body]: ...
    @property
    def surfaces(self) -> Mapping[str, Surface]: ...
    @property
    def contacts(self) -> Mapping[str, Contact]: ...
    @property
    def groups(self) -> Mapping[str, tuple[str, ...]]: ...
    @property
    def joints(self) -> Mapping[str, Joint]: ...


@dataclass(frozen=True)
class NamedShape:
    """A shape by its name: ``box.hull``, ``box.mesh``, a surface, or a body that is a bar or a point."""

    name: str
    body: str


def shapes_of(model: Touched, name: str) -> tuple[NamedShape, ...]:
    """What a name in a contact stands for; nothing where it stands for nothing."""
    if name in model.surfaces:
        return (NamedShape(name, model.surfaces[name].on),)
    if name == GROUND:
        return tuple(NamedShape(key, GROUND) for key, surface in model.surfaces.items() if surface.on == GROUND)
    if name in model.bodies:
        return (*_parts(name, model.bodies[name]), *_carried(model, name))
    if name in model.groups:
        return tuple(shape for body in model.groups[name] for shape in shapes_of(model, body))
    body, _, part = name.partition(".")
    if body in model.bodies and part:
        return tuple(shape for shape in _parts(body, model.bodies[body]) if shape.name == name)
    return ()


def _parts(name: str, body: Body) -> Iterator[NamedShape]:
    for key in body.parts:
        yield NamedShape(f"{name}.{key.removeprefix('shapes.')}", name)
    # a bar, and a body that is one point, touch as they are drawn
    if not body.parts and (body.bar is not None or len(body.point_names) == 1):
        yield NamedShape(name, name)


def _carried(model: Touched, body: str) -> Iterator[NamedShape]:
    for key, surface in model.surfaces.items():
        if surface.on == body:
            yield NamedShape(key, body)


def joined(model: Touched) -> set[frozenset[str]]:
    """Bodies that joints connect."""
    return {frozenset(joint.bodies) for joint in model.joints.values()}


def fixed(model: Touched) -> dict[str, str]:
    """One body for each, the same for all that fixed joints make one."""
    leader = {name: name for name in (GROUND, *model.bodies)}

    def find(name: str) -> str:
        while leader.get(name, name) != name:
            name = leader[name]
        return name

    for joint in model.joints.values():
        if joint.kind == "fixed":
            one, other = (find(body) for body in joint.bodies)
            if other == GROUND:
                one, other = other, one
            leader[other] = one
    return {name: find(name) for name in leader}


def pairs_of(model: Touched, contact: Contact) -> Iterator[tuple[NamedShape, NamedShape]]:
    """The pairs that a contact means: all among those named, but for one body, rigid pairs, neighbours and the ignored."""
    alone = len(contact.between) == 2
    together, near = fixed(model), joined(model)
    for one, other in combinations(contact.between, 2):
        for first in shapes_of(model, one):
            for second in shapes_of(model, other):
                if together.get(first.body, first.body) == together.get(second.body, second.body):
                    continue
                if not alone and frozenset((first.body, second.body)) in near:
                    continue
                if not ignored(model, contact, first, second):
                    yield first, second


def ignored(model: Touched, contact: Contact, one: NamedShape, other: NamedShape) -> bool:
    """Whether a contact says that two shapes go through each other."""
    for names in contact.ignore or ():
        known = [{shape.name for shape in shapes_of(model, name)} for name in names]
        if any(
            (one.name in a and other.name in b) or (one.name in b and other.name in a)
            for a, b in combinations(known, 2)
        ):
            return True
    return False
