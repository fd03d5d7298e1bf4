"""Stops and friction of joints: they belong to coordinates that the joint has, with sound values."""

from __future__ import annotations

from collections.abc import Iterator

from linkwork.errors import Fault
from linkwork.model.fields import literal_faults
from linkwork.model.joint import Joint
from linkwork.model.joint_limits import Ends, JointFriction
from linkwork.model.reading import DraftModel


def faults(draft: DraftModel) -> Iterator[Fault]:
    """All faults of the limits and of the friction of sound joints."""
    for name, joint in draft.joints.items():
        yield from _limits(draft, f"joints.{name}.limits", joint)
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


def _ends(draft: DraftModel, path: str, ends: Ends, dimension: str) -> Iterator[Fault]:
    for i, end in enumerate(ends):
        yield from literal_faults(f"{path}[{i}]", end, dimension)
    low, high = (draft.number(end) for end in ends)
    if low is not None and high is not None and low >= high:
        yield Fault(path, f"the lower limit {low:g} is not below the upper limit {high:g}", "write [lowest, highest]")


def _friction(draft: DraftModel, path: str, joint: Joint, friction: JointFriction) -> Iterator[Fault]:
    turns = joint.spins or any(freedom.angular for freedom in joint.freedoms)
    slides = any(not freedom.angular for freedom in joint.freedoms)
    if not (turns or slides):
        yield Fault(path, f"nothing moves in a {joint.kind} joint", "leave it out")
        return
    if friction.coefficient is None and friction.viscous is None:
        yield Fault(path, "neither a coefficient nor a viscous part is given", "write {coefficient: 0.1, radius: 5 mm}")
    yield from _values(draft, path, friction)
    if friction.coefficient is None:
        for key in ("static", "radius"):
            if getattr(friction, key) is not None:
                yield Fault(f"{path}.{key}", "belongs to a coefficient of friction", "write coefficient: as well")
    elif friction.radius is None and not slides:
        hint = "write radius: 5 mm; the torque is coefficient × radius × force"
        yield Fault(f"{path}.radius", f"is missing: a {joint.kind} joint rubs on a pin or a ball", hint)
    elif friction.radius is not None and not turns:
        yield Fault(f"{path}.radius", f"a {joint.kind} joint does not turn", "leave it out")
    yield from _viscous(path, joint, friction, turns, slides)


def _values(draft: DraftModel, path: str, friction: JointFriction) -> Iterator[Fault]:
    for key in ("coefficient", "static", "radius", "viscous"):
        value = draft.number(getattr(friction, key))
        if value is not None and (value < 0 or (key == "radius" and value == 0)):
            rule = "must be positive" if key == "radius" else "cannot be negative"
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
