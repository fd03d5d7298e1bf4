"""Surfaces and contacts: what they name is there, may touch, and has sound numbers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from linkwork.errors import Fault, did_you_mean
from linkwork.model.checks.solids import polygon_faults, positive, rotation_faults, solid_faults
from linkwork.model.contacts import Contact
from linkwork.model.fields import VectorOfExpressions
from linkwork.model.joint import GROUND
from linkwork.model.reading import DraftModel
from linkwork.model.references import direction_faults, known_body_faults, point_faults, size_faults
from linkwork.model.solids import Plate
from linkwork.model.surfaces import PLANAR_ALONE, SPATIAL_ALONE, Surface
from linkwork.model.touching import NamedShape, fixed, pairs_of, shapes_of

FLAT = 1e-9  # part of the square of a side by which a corner may be hollow


def faults(draft: DraftModel) -> Iterator[Fault]:
    """All faults of sound surfaces and contacts."""
    for name, surface in draft.surfaces.items():
        yield from _surface(draft, f"surfaces.{name}", surface)
    for section in ("surfaces", "contacts"):
        for name in draft.names(section):
            yield from _shared(draft, section, name)
    taken: dict[frozenset[str], str] = {}
    for name, contact in draft.contacts.items():
        yield from _numbers(draft, f"contacts.{name}", contact)
        wrong = [*_names(draft, f"contacts.{name}", contact)]
        yield from wrong
        if not wrong:
            yield from _pairs(draft, name, contact, taken)


def _shared(draft: DraftModel, section: str, name: str) -> Iterator[Fault]:
    """Names that would mean two things."""
    if section == "surfaces":
        others = [("bodies", "body"), ("groups", "group")]
    else:
        others = [("relations", "relation"), ("forces", "force"), ("drivers", "driver"), ("couplings", "coupling")]
        others += [("joints", "joint"), ("bodies", "body"), ("groups", "group"), ("points", "point")]
    for other, word in others:
        if name in draft.names(other):
            yield Fault(
                f"{section}.{name}", f"there is a {word} of the same name", f"give the {section[:-1]} another name"
            )


# -- surfaces -----------------------------------------------------------------------------------------------------------


def _surface(draft: DraftModel, path: str, surface: Surface) -> Iterator[Fault]:
    form = surface.form
    yield from known_body_faults(draft, f"{path}.on", surface.on)
    if draft.space == "planar" and form in SPATIAL_ALONE:
        yield Fault(f"{path}.{form}", "belongs to space", "in the plane write a polygon or a curve")
    if draft.space == "spatial" and form in PLANAR_ALONE:
        yield Fault(f"{path}.{form}", "belongs to the plane", "in space write a box, a hull or a cylinder")
    yield from direction_faults(draft, f"{path}.plane", surface.plane)
    yield from rotation_faults(draft, f"{path}.rotation", surface.rotation)
    for key, place in (("at", surface.at), ("point", surface.point), *_ends(surface)):
        yield from _place(draft, f"{path}.{key}", place)
    for key in ("ball", "radius"):
        yield from positive(draft, f"{path}.{key}", "radius", getattr(surface, key))
    for key in ("box", "cylinder", "cone"):
        if getattr(surface, key) is not None:
            yield from solid_faults(draft, f"{path}.{key}", getattr(surface, key))
    if surface.polygon is not None and draft.space == "planar":
        yield from _convex(draft, f"{path}.polygon", surface.polygon)
    if surface.hull is not None and draft.space is not None:
        for corner in surface.hull.points[:8]:
            yield from size_faults(f"{path}.hull", corner, 2 if draft.space == "planar" else 3, draft.space)
    if surface.arc is not None:
        yield from positive(draft, f"{path}.arc", "radius", surface.arc.radius)
    for key in ("arc", "curve"):
        ends = None if getattr(surface, key) is None else getattr(surface, key).range
        span = None if ends is None else draft.numbers(ends)
        if span is not None and not span[0] < span[1]:
            yield Fault(f"{path}.{key}.range", f"goes from {span[0]:g} to {span[1]:g}", "write the lower end first")
    if surface.heights is not None:
        for step in surface.heights.spacing:
            yield from positive(draft, f"{path}.heights.spacing", "spacing", step)


def _ends(surface: Surface) -> Iterator[tuple[str, str | VectorOfExpressions]]:
    for i, place in enumerate(surface.bar or ()):
        yield f"bar[{i}]", place


def _place(draft: DraftModel, path: str, place: str | VectorOfExpressions | None) -> Iterator[Fault]:
    if isinstance(place, str):
        yield from point_faults(draft, path, place)
    elif place is not None and draft.space is not None:
        yield from size_faults(path, place, 2 if draft.space == "planar" else 3, draft.space)


def _convex(draft: DraftModel, path: str, corners: tuple[VectorOfExpressions, ...]) -> Iterator[Fault]:
    """A polygon that crosses itself, or has a hollow."""
    places = [draft.numbers(corner) for corner in corners]
    if any(place is None or len(place) != 2 for place in places):
        for corner in corners:
            yield from size_faults(path, corner, 2, "planar")
        return
    known = [place for place in places if place is not None]
    wrong = [*polygon_faults(path, known)]
    yield from wrong
    if not wrong and (hollow := hollow_corner(known)):
        hint = "divide it into convex ones, each a surface or shape"
        yield Fault(path, f"is hollow at its corner {hollow}: contacts take convex polygons", hint)


def hollow_corner(places: list[list[float]]) -> int:
    """The number, from 1, of the first corner at which a polygon turns the other way; 0: none."""
    n, turns = len(places), []
    for i in range(n):
        (ax, ay), (bx, by), (cx, cy) = places[i - 1], places[i], places[(i + 1) % n]
        cross = (bx - ax) * (cy - by) - (by - ay) * (cx - bx)
        size = max((bx - ax) ** 2 + (by - ay) ** 2, (cx - bx) ** 2 + (cy - by) ** 2)
        turns.append(0.0 if abs(cross) <= FLAT * size else cross)
    way = sum(turns)
    return next((i + 1 for i, turn in enumerate(turns) if turn * way < 0.0), 0)


# -- contacts -----------------------------------------------------------------------------------------------------------


def _numbers(draft: DraftModel, path: str, contact: Contact) -> Iterator[Fault]:
    for key in ("friction", "static", "rolling", "spinning", "damping"):
        value = draft.number(getattr(contact, key))
        if value is not None and value < 0.0:
            yield Fault(f"{path}.{key}", f"is {value:g}; it cannot be negative", "leave it out where there is none")
    for key in ("stribeck", "smoothing"):
        yield from positive(draft, f"{path}.{key}", "speed", getattr(contact, key))
    yield from positive(draft, f"{path}.stiffness", "stiffness", contact.stiffness)
    back = draft.number(contact.restitution)
    if back is not None and not 0.0 <= back <= 1.0:
        more = "; more than all would bring energy in" if back > 1.0 else ""
        yield Fault(f"{path}.restitution", f"is {back:g}, the part of the speed that comes back{more}", "write 0 to 1")
    sliding, sticking = draft.number(contact.friction), draft.number(contact.static)
    if sliding is not None and sticking is not None and sticking < sliding:
        reason = f"is {sticking:g}, less than the {sliding:g} of what slides"
        yield Fault(f"{path}.static", reason, "give the coefficient of what sticks, or leave it out")


def _known(draft: DraftModel) -> list[str]:
    bodies = [f"{name}.{key.removeprefix('shapes.')}" for name, body in draft.bodies.items() for key in body.parts]
    return [*draft.names("surfaces"), *draft.names("bodies"), *bodies, *draft.names("groups"), GROUND]


def _names(draft: DraftModel, path: str, contact: Contact) -> Iterator[Fault]:
    given = [(f"{path}.between[{i}]", name) for i, name in enumerate(contact.between)]
    given += [
        (f"{path}.ignore[{i}][{k}]", name)
        for i, names in enumerate(contact.ignore or ())
        for k, name in enumerate(names)
    ]
    for where, name in given:
        if name not in _known(draft):
            yield Fault(where, f"there is no body, part, surface or group '{name}'", did_you_mean(name, _known(draft)))
        elif not shapes_of(draft, name) and name.partition(".")[0] not in _faulty(draft):
            yield _bare(where, name)


def _faulty(draft: DraftModel) -> set[str]:
    """Bodies and surfaces with faults of their own."""
    return {
        name
        for section in ("bodies", "surfaces")
        for name in draft.names(section)
        if name not in getattr(draft, section)
    }


def _bare(where: str, name: str) -> Fault:
    if name == GROUND:
        return Fault(where, "no surface lies on the ground", "write surfaces: {floor: {plane: [0, 1], at: [0, 0]}}")
    hint = "give it shapes: {hull: {box: [0.2, 0.1]}}, or a surface: {tip: {point: P, on: " + name + "}}"
    return Fault(where, f"'{name}' has no shape that could touch", hint)


def _pairs(draft: DraftModel, name: str, contact: Contact, taken: dict[frozenset[str], str]) -> Iterator[Fault]:
    path, pairs = f"contacts.{name}", [*pairs_of(draft, contact)]
    rigid = fixed(draft)
    for i, k in combinations(range(len(contact.between)), 2):
        names = contact.between[i], contact.between[k]
        found = [{rigid.get(shape.body, shape.body) for shape in shapes_of(draft, key)} for key in names]
        bodies, alike = found[0] | found[1], len({key.partition(".")[0] for key in names}) == 1
        # of what has a fault of its own there is nothing to say
        if all(found) and len(bodies) == 1 and (len(contact.between) == 2 or alike):
            whose = next(iter(bodies))
            reason = f"'{names[0]}' and '{names[1]}' never move against each other: they are one with '{whose}'"
            yield Fault(f"{path}.between", reason, "name what moves against it")
    if not pairs and len(contact.between) > 2:
        yield Fault(
            f"{path}.between", "no pair of these may touch: joints connect them or they are ignored", "name two alone"
        )
    for one, other in pairs:
        both = frozenset((one.name, other.name))
        if taken.setdefault(both, name) != name:
            reason = f"'{one.name}' and '{other.name}' touch in '{taken[both]}' already"
            yield Fault(f"{path}.between", reason, "leave the pair out once, by ignore or by other names")
        yield from _impossible(draft, path, one, other)
    for shape in dict.fromkeys(shape for pair in pairs for shape in pair):
        yield from _hollow_plate(draft, path, shape)


def _impossible(draft: DraftModel, path: str, one: NamedShape, other: NamedShape) -> Iterator[Fault]:
    """Pairs of forms that have no contact."""
    forms = [draft.surfaces[shape.name].form if shape.name in draft.surfaces else "" for shape in (one, other)]
    open_ones = [form for form in forms if form in ("plane", "heights")]
    if len(open_ones) == 2:
        reason = f"'{one.name}' and '{other.name}' reach without end and always meet"
        yield Fault(f"{path}.between", reason, "make one of them a box or a hull")
    curves = [form for form in forms if form in ("curve", "arc")]
    if curves and not open_ones and len(curves) == 1:
        partner, form = (other, forms[1]) if forms[0] in ("curve", "arc") else (one, forms[0])
        if form not in ("", "point", "ball"):
            reason = (
                f"the {curves[0]} of a pair touches points, balls, planes and curves, not '{partner.name}' ({form})"
            )
            yield Fault(f"{path}.between", reason, "write the partner as a curve, a ball or a point")


def _hollow_plate(draft: DraftModel, path: str, shape: NamedShape) -> Iterator[Fault]:
    """A plate of a body that is no convex polygon."""
    body, _, part = shape.name.partition(".")
    solid = (
        draft.bodies[body].shapes[part].solid if body in draft.bodies and part in draft.bodies[body].shapes else None
    )
    if not isinstance(solid, Plate) or solid.named:
        return
    places = [draft.numbers(corner) for corner in solid.points if not isinstance(corner, str)]
    if all(place is not None for place in places) and (hollow := hollow_corner([p for p in places if p is not None])):
        reason = f"the plate '{shape.name}' is hollow at its corner {hollow}: contacts take convex polygons"
        yield Fault(f"{path}.between", reason, "divide it into convex plates, or name other parts")
