"""Pins on which three bodies or more turn: one entry of a file, a joint for every body but one.

``A: {kind: revolute, bodies: [arm, rod, link]}`` becomes the joints ``A_link`` and ``A_rod``: each holds its body to the one
of them that is nearest to the ground (of equals the first name). The order of the list decides nothing, and of all ways
to pair the bodies this is the one from which dyads come, as every body is held to what moves it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from linkwork.model.joint import GROUND

KINDS = ("revolute", "spherical")
SINGLE = ("reference", "limits", "stops", "friction", "clearance")  # keys that are those of one pair of bodies


def expand_pins(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """The data of a model with a joint for every pair; what cannot be taken apart stays as it is, to be refused."""
    joints = data.get("joints")
    if not isinstance(joints, Mapping) or not any(_is_pin(joint) for joint in joints.values()):
        return data
    steps = _steps_from_ground([_bodies(joint) for joint in joints.values()])
    found: dict[str, Any] = {}
    for name, joint in joints.items():
        parts = _parts(str(name), joint, steps) if _is_pin(joint) else {}
        fits = parts and not any(part in joints for part in parts)
        found |= parts if fits else {name: joint}
    return {**data, "joints": found}


def _is_pin(joint: Any) -> bool:
    bodies = _bodies(joint)
    return (
        len(bodies) > 2
        and len(set(bodies)) == len(bodies)
        and joint.get("kind") in KINDS
        and not isinstance(joint.get("at"), list | tuple)
        and not any(joint.get(key) is not None for key in SINGLE)
    )


def _bodies(joint: Any) -> list[str]:
    bodies = joint.get("bodies") if isinstance(joint, Mapping) else getattr(joint, "bodies", None)
    if not isinstance(bodies, list | tuple) or not all(isinstance(body, str) for body in bodies):
        return []
    return list(bodies)


def _parts(name: str, joint: Mapping[str, Any], steps: Mapping[str, int]) -> dict[str, Any]:
    """The joints of a pin by their names."""
    hub, *others = sorted(_bodies(joint), key=lambda body: (steps.get(body, len(steps)), body))
    at = joint.get("at") or name
    return {f"{name}_{body}": {**joint, "bodies": [hub, body], "at": at} for body in sorted(others)}


def _steps_from_ground(joined: list[list[str]]) -> dict[str, int]:
    """How many joints lie between a body and the ground."""
    steps, rim = {GROUND: 0}, [GROUND]
    while rim:
        body = rim.pop(0)
        for other in (other for bodies in joined if body in bodies for other in bodies):
            if other not in steps:
                steps[other] = steps[body] + 1
                rim.append(other)
    return steps
