"""What a model declares and what does not act, or acts on something that its author may not have meant.

Every check, analysis and run of such a model prints these lines: one text, told wherever its numbers are.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import dist

from linkwork.elements.rubbing import RUBS, SEVERAL
from linkwork.model.described import Described
from linkwork.model.forces import Impulse
from linkwork.model.joint import GROUND, Joint
from linkwork.model.places import locate, pin_owner
from linkwork.model.quantities import Vocabulary
from linkwork.model.relations import Distance, Rope
from linkwork.model.report import clearance_text, friction_text, range_text

FAR = 50.0  # times the length that is drawn: roughly drawn is something else
ENDS = ("between", "at", "point")  # keys of forces and relations that name the points on which they act


def remarks(model: Described) -> tuple[str, ...]:
    """All of them: notes, names, lengths, friction of joints and points that are nobody's."""
    return (
        *model.notes,
        *_names(model),
        *_lengths(model),
        *_friction(model),
        *_clearances(model),
        *_ends(model),
        *_outputs(model),
    )


def _names(model: Described) -> Iterator[str]:
    if model.renames:
        yield f"names that are others in formulas and tables: {model.names_of_users.shown()}"


def _lengths(model: Described) -> Iterator[str]:
    """Lengths of bars and links that are far from those drawn, as numbers are that want a unit."""
    far = [*_links(model)]
    for name, body in model.bodies.items():
        if body.bar is None or body.length is None:
            continue
        ends = [[model.number(x) for x in model.points[point]] for point in body.bar if point in model.points]
        drawn, length = dist(*ends) if len(ends) == len(body.bar) else 0.0, model.number(body.length)
        if drawn > 0.0 and not 1 / FAR < length / drawn < FAR:
            far.append(f"{name} ({length:.6g} m, drawn as about {drawn:.3g} m)")
    if far:
        yield f"lengths that are far from the sketch, was a unit forgotten? {', '.join(far)}"


def _links(model: Described) -> Iterator[str]:
    """Links of a given distance between two points of the sketch that are drawn much longer or shorter."""
    for name, relation in model.relations.items():
        if not isinstance(relation, Distance) or relation.length is None or "t" in relation.length.names():
            continue
        points = [locate(model, reference)[1] for reference in relation.between]
        ends = [[model.number(x) for x in model.points[point]] for point in points if point in model.points]
        drawn, length = dist(*ends) if len(ends) == len(points) else 0.0, model.number(relation.length)
        if drawn > 0.0 and not 1 / FAR < length / drawn < FAR:
            yield f"{name} ({length:.6g} m, drawn as about {drawn:.3g} m)"


def unfelt(model: Described, *, stops: bool, rubs: bool, touching: bool = True) -> tuple[str, ...]:
    """What is told wherever the rigid stops or the friction of joints do not act; *stops*, *rubs*: whether they do.

    touching: whether contacts are conditions, which rub where joints do; those of time stepping always do
    """
    named = [f"{name} ({text})" for name, joint in model.joints.items() if (text := _ranges(joint))]
    rubbing = [f"{name} ({friction_text(joint)})" for name, joint in model.joints.items() if joint.rubs]
    loose = {name: joint.clearance for name, joint in model.joints.items() if joint.clearance is not None}
    rubbing += [f"{name} (in its clearance)" for name, item in loose.items() if item.friction is not None]
    contacts = [name for name, contact in model.contacts.items() if touching and contact.friction is not None]
    return (
        *((f"nothing stops at the limits of joints here: {', '.join(named)}",) if named and not stops else ()),
        *((f"nothing rubs in joints here: {', '.join(rubbing)}",) if rubbing and not rubs else ()),
        *((f"nothing rubs in contacts here: {', '.join(contacts)}",) if contacts and stops and not rubs else ()),
    )


def unpulled(model: Described) -> tuple[str, ...]:
    """What is told wherever ropes are passed."""
    named = ", ".join(name for name, relation in model.relations.items() if isinstance(relation, Rope))
    return (f"no rope pulls here: {named}",) if named else ()


def unmoved(model: Described) -> tuple[str, ...]:
    """What is told where positions are taken one by one: what stops and what touches does not count."""
    return (*unfelt(model, stops=False, rubs=True), *untouched(model))


def untouched(model: Described) -> tuple[str, ...]:
    """What is told wherever contacts do not act."""
    named = [f"{name} ({', '.join(contact.between)})" for name, contact in model.contacts.items()]
    return (f"nothing touches here, bodies go through each other: {', '.join(named)}",) if named else ()


def unswitched(model: Described) -> tuple[str, ...]:
    """What is told wherever switches do not act."""
    named = ", ".join(model.switches)
    return (f"nothing is connected, grounded or released here: {named}",) if named else ()


def unstruck(model: Described) -> tuple[str, ...]:
    """What is told wherever given impulses do not act."""
    named = ", ".join(name for name, force in model.forces.items() if isinstance(force, Impulse))
    return (f"nothing strikes here: {named}",) if named else ()


def _ranges(joint: Joint) -> str:
    known, rigid = {freedom.name: freedom for freedom in joint.freedoms}, joint.ranges.items()
    return ", ".join(f"{n} {range_text(ends, known[n].angular)}" for n, ends in rigid if joint.stop(n).rigid)


def _friction(model: Described) -> Iterator[str]:
    free = {name: joint for name, joint in model.joints.items() if joint.friction is not None and not joint.rubs}
    if free:
        named, kinds = ", ".join(f"{name} ({joint.kind})" for name, joint in free.items()), ", ".join(RUBS)
        several = f", of the last {len(SEVERAL)} with smoothing: such as 1 mm/s" if set(SEVERAL) <= set(RUBS) else ""
        yield f"friction acts in joints of kind {kinds}{several}; these move freely: {named}"


def _clearances(model: Described) -> Iterator[str]:
    loose = [f"{name} ({clearance_text(joint)})" for name, joint in model.joints.items() if joint.clearance is not None]
    if loose:
        yield f"freedoms are counted with clearances open: {', '.join(loose)}"


def _ends(model: Described) -> Iterator[str]:
    """Forces and relations on points that no body lists."""
    users: dict[str, list[str]] = {}
    for name, element in {**model.forces, **model.relations}.items():
        named = [getattr(element, key, None) for key in ENDS if getattr(element, "body", None) is None]
        # the at of an impulse is a time
        for point in [item for value in named for item in (value if isinstance(value, tuple) else (value,))]:
            if isinstance(point, str) and _is_unlisted(model, point):
                users.setdefault(point, []).append(name)
    nobody = {point: names for point, names in users.items() if not model.seats.joints(point)}
    if nobody:
        ends = ", ".join(f"{point} ({', '.join(names)})" for point, names in nobody.items())
        example = next(iter(nobody))
        yield f"points of no body and no joint take the ground: {ends}; write ground.{example} if it is meant"
    yield from (_pin(model, point, names) for point, names in users.items() if point not in nobody)


def _pin(model: Described, point: str, names: list[str]) -> str:
    joints = model.seats.joints(point)
    bodies = dict.fromkeys(body for joint in joints.values() for body in joint.bodies)
    told = f"no body lists the pin {point} of {', '.join(joints)}, on which {', '.join(names)} ends"
    return f"{told}: {pin_owner(model, point)} is taken; write {' or '.join(f'{body}.{point}' for body in bodies)}"


def _is_unlisted(model: Described, point: str) -> bool:
    """Whether a name stands for a sketch point that no body lists, and that is no pin of the ground."""
    if "." in point or point not in model.points or model.seats.owners(point):
        return False
    return not model.seats.joints(point) or pin_owner(model, point) != GROUND


def _outputs(model: Described) -> Iterator[str]:
    """Outputs and definitions that read the place of a point which nothing moves."""
    quantities = Vocabulary(model.space, accelerations=True).point
    for name, formula in model.named_formulas.items():
        read = sorted(
            {head for head, _, rest in (item.partition(".") for item in formula.names()) if rest in quantities}
        )
        for point in read:
            if _is_unlisted(model, point) and not model.seats.joints(point):
                what = "output" if name in model.outputs else "definition"
                yield f"{what} {name}: {point} is a point of no body and no joint, and rests with the ground"
