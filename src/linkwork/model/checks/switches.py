"""Switches: what they close and open exists, and their numbers make sense."""

from __future__ import annotations

from collections.abc import Iterator

from linkwork.errors import Fault, did_you_mean
from linkwork.model.reading import DraftModel
from linkwork.model.relations.connection import Connection
from linkwork.model.switches import ANYWHERE, JointSwitch

SHARING = ("relations", "drivers", "forces", "joints", "bodies")
"""Sections whose names are those of quantities, as that of a switch is which grounds a body."""


def faults(draft: DraftModel) -> Iterator[Fault]:
    """All faults of the sound switches."""
    for name, switch in draft.switches.items():
        path = f"switches.{name}"
        yield from _named(draft, path, switch)
        yield from _numbers(draft, path, switch)
        for section in SHARING if switch.ground is not None else ():
            if name in draft.names(section):
                reason = f"there is something of the same name under {section}"
                yield Fault(path, reason, "give the switch another name: what it holds the body with has its name")


def _numbers(draft: DraftModel, path: str, switch: JointSwitch) -> Iterator[Fault]:
    """Times and sizes that cannot be."""
    for i, time in enumerate(switch.at or ()):
        value = draft.number(time)
        if value is not None and value < 0.0:
            yield Fault(f"{path}.at[{i}]", f"is {value:g} s, before the start", "runs begin at 0 s")
    for key in ("force", "moment", "catching"):
        formula = getattr(switch, key)
        value = None if formula is None or formula == ANYWHERE else draft.number(formula)
        if value is not None and not (value > 0.0 or (key == "catching" and value == 0.0)):
            yield Fault(f"{path}.{key}", f"is {value:g}; it must be positive", "give a larger number")


def _named(draft: DraftModel, path: str, switch: JointSwitch) -> Iterator[Fault]:
    """The body or the connection that it names."""
    bodies = list(draft.names("bodies"))
    if switch.ground is not None and switch.ground not in bodies:
        yield Fault(f"{path}.ground", f"there is no body '{switch.ground}'", did_you_mean(switch.ground, bodies))
    joints = [name for name in draft.names("relations") if _is_connection(draft, name)]
    grounds = [name for name in draft.names("switches") if _is_grounding(draft, name)]
    for key, known in (("connect", joints), ("release", [*joints, *grounds])):
        name = getattr(switch, key)
        if name is None or name in known:
            continue
        if name in draft.names("joints"):
            hint = "a joint that closes and opens is a relation: {kind: connection, joint: {kind: ..., bodies: ...}}"
            yield Fault(f"{path}.{key}", f"'{name}' is a joint, which holds at all times", hint)
        else:
            hint = did_you_mean(name, known) if known else "there are none: declare one under relations"
            yield Fault(f"{path}.{key}", f"there is no connection '{name}'", hint)


def _is_connection(draft: DraftModel, name: str) -> bool:
    """Whether a relation is a connection, or has faults of its own."""
    return name not in draft.relations or isinstance(draft.relations[name], Connection)


def _is_grounding(draft: DraftModel, name: str) -> bool:
    return name not in draft.switches or draft.switches[name].ground is not None
