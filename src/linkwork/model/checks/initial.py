"""Initial values: they belong to a joint or to a body that floats, and have that element's names, sizes and units."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from linkwork.errors import Fault, did_you_mean
from linkwork.model.connected import reached
from linkwork.model.fields import literal_faults
from linkwork.model.joint import GROUND, Joint
from linkwork.model.reading import DraftModel
from linkwork.model.sections import TURNED_START, InitialValue

BODY_KEYS: dict[str, dict[str, str]] = {
    "planar": {
        "x": "length",
        "y": "length",
        "angle": "angle",
        "vx": "speed",
        "vy": "speed",
        "speed": "angular_speed",
    },
    "spatial": {"position": "length", "velocity": "speed", "omega": "angular_speed"},
}
"""Initial values of a body that floats -> dimension; numbers in the plane, vectors of three in space."""
TURNED = re.compile(
    r"x|y|z|origin|angles?|rotation|orientation|attitude|quaternion|wxyz|axis|matrix|euler|roll|pitch|yaw|rpy"
)
"""Words for where a body is and how it is turned."""


def joint_keys(joint: Joint) -> dict[str, str]:
    """Initial values that a joint takes -> dimension."""
    keys = {freedom.name: freedom.dimension for freedom in joint.freedoms}
    keys |= {freedom.rate: freedom.rate_dimension for freedom in joint.freedoms}
    return keys | ({"omega": "angular_speed"} if joint.spins else {})


def faults(draft: DraftModel) -> Iterator[Fault]:
    """All faults of the initial values."""
    grounded = connected_to_ground(draft.joints)
    for name, values in draft.initial.items():
        path = f"initial.{name}"
        if name in draft.joints:
            yield from _keys(path, values, joint_keys(draft.joints[name]), ("omega",))
        elif name in draft.names("bodies"):
            if name in grounded:
                reason = f"'{name}' is connected to the ground by joints"
                yield Fault(path, reason, "give initial values of joints instead")
            elif draft.space is not None:
                keys = BODY_KEYS[draft.space]
                yield from _keys(path, values, keys, tuple(keys) if draft.space == "spatial" else (), name)
        elif name not in draft.names("joints"):
            known = [*draft.names("joints"), *(body for body in draft.names("bodies") if body not in grounded)]
            yield Fault(path, f"there is no joint or floating body '{name}'", did_you_mean(name, known))


def _keys(
    path: str, values: dict[str, InitialValue], keys: dict[str, str], vectors: tuple[str, ...], floating: str = ""
) -> Iterator[Fault]:
    for key, value in values.items():
        if key not in keys:
            hint = did_you_mean(key, list(keys), "value") or "leave it out"
            if floating and vectors and TURNED.fullmatch(key.lower()):
                hint = f"a body in space begins as its points are drawn; or write start: {{{floating}: {TURNED_START}}}"
            yield Fault(f"{path}.{key}", f"unknown initial value '{key}'", hint)
        elif isinstance(value, tuple) != (key in vectors):
            needed = "three components are" if key in vectors else "one number is"
            yield Fault(f"{path}.{key}", f"{needed} needed")
        else:
            for component in value if isinstance(value, tuple) else (value,):
                yield from literal_faults(f"{path}.{key}", component, keys[key])


def connected_to_ground(joints: Mapping[str, Joint]) -> set[str]:
    """The bodies that joints connect to the ground, directly or through others; the rest has initial values of its own."""
    return reached(GROUND, [joint.bodies for joint in joints.values()]) - {GROUND}
