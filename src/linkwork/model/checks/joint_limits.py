"""Limits, stops and friction of joints: they belong to coordinates that the joint has, with sound values."""

from __future__ import annotations

from collections.abc import Iterator

from linkwork.errors import Fault
from linkwork.model.fields import literal_faults
from linkwork.model.joint import Joint
from linkwork.model.joint_limits import Ends, JointFriction, JointStop
from linkwork.model.reading import DraftModel


def faults(draft: DraftModel) -> Iterator[Fault]:
    """All faults of the limits and of the friction of sound joints."""
    for name, joint in draft.joints.items():
        yield from _limits(draft, f"joints.{name}.limits", joint)
        yield from _stops(draft, f"joints.{name}.stops", joint)
        if joint.friction is not None:
            yield from _friction(draft, f"joints.{name}.friction", joint, joint.friction)


def _limits(draft: DraftModel, path: str, joint: Joint) -> Iterator[Fault]:
    known = [freedom.name for freedom in joint.freedoms]
    if joint.limits is not None and not known:
        yield Fault(path, f"a {joint.kind} joint has no coordinate that could be limited", "leave them out")
        return
    if isinstance(joint.limits, tuple) and len(known) != 1:
        hint = f"write {{{known[0]}: [lowest, highest]}}; it has: {', '.join(known)}"
        yield Fault(path, f"a {joint.kind} joint has several coordinates", hint)
        return
    for name, ends in joint.ranges.items():
        freedom = joint.freedom(name)
        where = path if isinstance(joint.limits, tuple) else f"{path}.{name}"
        if freedom is None:
            yield Fault(where, f"a {joint.kind} joint has no coordinate '{name}'", "it has: " + ", ".join(known))
        else:
            yield from _ends(draft, where, ends, freedom.dimension)


def _stops(draft: DraftModel, path: str, joint: Joint) -> Iterator[Fault]:
    if joint.stops is None:
        return
    if not joint.ranges:
        yield Fault(path, "belongs to limits, which are missing", "write limits: [lowest, highest] as well")
        return
    given = joint.stops if isinstance(joint.stops, dict) else dict.fromkeys(joint.ranges, joint.stops)
    for name, stop in given.items():
        where, freedom = f"{path}.{name}" if isinstance(joint.stops, dict) else path, joint.freedom(name)
        if name not in joint.ranges:
            yield Fault(where, f"'{name}' has no limits", "those that have: " + ", ".join(joint.ranges))
        elif freedom is not None:
            yield from _stop(draft, where, stop, freedom.angular)


def _stop(draft: DraftModel, path: str, stop: JointStop, angular: bool) -> Iterator[Fault]:
    if stop == JointStop():
        yield Fault(path, "says nothing", "write {restitution: 0.3}, or {stiffness: 1e5, damping: 50}")
    if stop.restitution is not None and (stop.stiffness is not None or stop.damping is not None):
        hint = "a rigid stop has a restitution, one that gives way stiffness and damping"
        yield Fault(path, "is rigid and gives way", hint)
    elif stop.damping is not None and stop.stiffness is None:
        yield Fault(f"{path}.damping", "belongs to a stiffness", "write stiffness: as well, or restitution: alone")
    kinds = {"stiffness": "rotational_stiffness", "damping": "rotational_damping"} if angular else {}
    for key in ("stiffness", "damping"):
        yield from literal_faults(f"{path}.{key}", getattr(stop, key), kinds.get(key, key))
    values = {key: draft.number(getattr(stop, key)) for key in ("restitution", "stiffness", "damping")}
    back, stiffness, damping = values.values()
    if back is not None and not 0.0 <= back <= 1.0:
        reason = f"is {back:g}; it is the part of the speed that comes back"
        yield Fault(f"{path}.restitution", reason, "0 (it stays) to 1 (nothing is lost)")
    if stiffness is not None and not stiffness > 0.0:
        yield Fault(f"{path}.stiffness", f"is {stiffness:g}; it must be positive", "leave it out for a rigid stop")
    if damping is not None and damping < 0.0:
        yield Fault(f"{path}.damping", f"is {damping:g}; it cannot be negative")


def _ends(draft: DraftModel, path: str, ends: Ends, dimension: str) -> Iterator[Fault]:
    for i, end in enumerate(ends):
        yield from literal_faults(f"{path}[{i}]", end, dimension)
    low, high = (draft.number(end) for end in ends)
    if low is not None and high is not None and low >= high:
        yield Fault(path, f"the lower limit {low:g} is not below the upper limit {high:g}", "write [lowest, highest]")


def _friction(draft: DraftModel, path: str, joint: Joint, friction: JointFriction) -> Iterator[Fault]:
    if joint.clearance is not None:
        reason = "is that of parts that touch all the time, and the joint has a clearance"
        yield Fault(path, reason, "leave out the friction or the clearance")
        return
    turns = joint.spins or any(freedom.angular for freedom in joint.freedoms)
    slides = any(not freedom.angular for freedom in joint.freedoms)
    if not (turns or slides):
        yield Fault(path, f"nothing moves in a {joint.kind} joint", "leave it out")
        return
    if friction.coefficient is None and friction.viscous is None:
        yield Fault(path, "neither a coefficient nor a viscous part is given", "write {coefficient: 0.1, radius: 5 mm}")
    yield from _values(draft, path, friction)
    if friction.coefficient is None:
        for key in ("static", "radius", "length", "stribeck", "smoothing"):
            if getattr(friction, key) is not None:
                yield Fault(f"{path}.{key}", "belongs to a coefficient of friction", "write coefficient: as well")
    else:
        yield from _sizes(draft, path, joint, friction, slides)
    yield from _viscous(path, joint, friction, turns, slides)


def _sizes(draft: DraftModel, path: str, joint: Joint, friction: JointFriction, slides: bool) -> Iterator[Fault]:
    """Faults of the sizes of what touches."""
    bears = draft.space == "spatial" and joint.kind in ("revolute", "cylindrical")
    if friction.radius is None and not slides:
        hint = "write radius: 5 mm; the torque is coefficient × radius × force"
        yield Fault(f"{path}.radius", f"is missing: a {joint.kind} joint rubs on a pin, a ball or a thread", hint)
    if friction.radius is not None and joint.kind == "prismatic" and draft.space == "planar":
        yield Fault(f"{path}.radius", "a prismatic joint does not turn", "leave it out; length: takes moments")
    if friction.length is not None and not (joint.kind == "prismatic" or bears):
        hint = "leave it out; prismatic joints have guides, and in space revolute and cylindrical ones bearings"
        yield Fault(f"{path}.length", f"a {joint.kind} joint has no length that takes moments", hint)
    if friction.stribeck is not None and friction.static is None:
        hint = "write static: as well, the coefficient of what sticks"
        yield Fault(f"{path}.stribeck", "belongs to a static coefficient, from which the other falls", hint)


def _values(draft: DraftModel, path: str, friction: JointFriction) -> Iterator[Fault]:
    for key in ("coefficient", "static", "radius", "length", "stribeck", "smoothing", "viscous"):
        value, positive = draft.number(getattr(friction, key)), key in ("radius", "length", "stribeck", "smoothing")
        if value is not None and (value < 0 or (positive and value == 0)):
            rule = "must be positive" if positive else "cannot be negative"
            yield Fault(f"{path}.{key}", f"is {value:g}; it {rule}")
    sliding, sticking = draft.number(friction.coefficient), draft.number(friction.static)
    if sliding is not None and sticking is not None and sticking < sliding:
        reason = f"{sticking:g} is below the coefficient {sliding:g} of what slides"
        yield Fault(f"{path}.static", reason, "what sticks holds at least as well as what slides")


def _viscous(path: str, joint: Joint, friction: JointFriction, turns: bool, slides: bool) -> Iterator[Fault]:
    if friction.viscous is None:
        return
    if turns and slides:
        hint = "write a force of kind friction for each coordinate"
        yield Fault(f"{path}.viscous", f"a {joint.kind} joint turns and slides: one value does not fit both", hint)
    else:
        dimension = "rotational_damping" if turns else "damping"
        yield from literal_faults(f"{path}.viscous", friction.viscous, dimension)
