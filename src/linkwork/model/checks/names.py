"""Names: identifiers, not reserved, and not shared between kinds that formulas could confuse."""

from __future__ import annotations

import re
from collections.abc import Iterator

from linkwork.algebra.expressions import RESERVED_NAMES, TIME
from linkwork.algebra.renames import is_other
from linkwork.errors import Fault
from linkwork.model.body import DEFAULT_BODY
from linkwork.model.joint import GROUND
from linkwork.model.quantities import ENERGY, TOGETHER
from linkwork.model.reading import DraftModel
from linkwork.model.sections import SECTIONS

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ONE = {section.name: section.one for section in SECTIONS if section.named}


def faults(draft: DraftModel) -> Iterator[Fault]:
    """Bad, reserved and shared names; a description without bodies."""
    for section in _ONE:
        for name in draft.names(section):
            yield from _spelling(f"{section}.{name}", name)
            yield from _reserved(section, name)
    for name, body in draft.bodies.items():
        for point in body.local_points:
            yield from _spelling(f"bodies.{name}.points.{point}", point)
            yield from _of_several(f"bodies.{name}.points.{point}", point)
    for name in draft.names("bodies"):
        for section in ("points", "joints"):
            if name in draft.names(section):
                reason = f"there is a {_ONE[section]} of the same name"
                yield Fault(f"bodies.{name}", reason, "give the body another name")
    for name in draft.names("groups"):
        for section in ("bodies", "points", "joints"):
            if name in draft.names(section):
                reason = f"there is a {_ONE[section]} of the same name"
                yield Fault(f"groups.{name}", reason, "give the group another name")
    yield from _shared_powers(draft)
    for name in draft.names("definitions"):
        for section in ("parameters", "outputs"):
            if name in draft.names(section):
                reason = f"there is {'an' if section == 'outputs' else 'a'} {_ONE[section]} of the same name"
                yield Fault(f"definitions.{name}", reason, "give the definition another name")
    for name in draft.names("relations"):
        if name in draft.names("drivers"):
            yield Fault(f"relations.{name}", "there is a driver of the same name", "give the relation another name")
    if not draft.names("bodies"):
        yield Fault("bodies", "there are none", "write bodies: {crank: {bar: [O, A], mass: 1 kg}}")


def _shared_powers(draft: DraftModel) -> Iterator[Fault]:
    """Forces, drivers, relations and a moving base have a power each, by name, and so have bodies with forces inside."""
    for name in (name for name, body in draft.bodies.items() if body.kind != DEFAULT_BODY):
        for section in ("forces", "drivers", "relations"):
            if name in draft.names(section):
                reason = f"there is a {_ONE[section]} of the same name"
                yield Fault(f"bodies.{name}", reason, "give the body another name")
    for name in draft.names("forces"):
        for section in ("drivers", "relations"):
            if name in draft.names(section):
                reason = f"there is a {_ONE[section]} of the same name"
                yield Fault(f"forces.{name}", reason, "give the force another name")
        if name == "base" and draft.base is not None:
            yield Fault(f"forces.{name}", "'base' is the moving ground", "give the force another name")


def _spelling(path: str, name: str) -> Iterator[Fault]:
    if _IDENTIFIER.fullmatch(name) is None and not is_other(name):
        hint = "a dot leads from a body to its points; use another character" if "." in name else "write some letters"
        yield Fault(path, f"'{name}' is not a valid name", hint)


def _reserved(section: str, name: str) -> Iterator[Fault]:
    taken = {GROUND}
    if section in ("parameters", "definitions", "bodies", "joints", "groups", "outputs"):
        taken |= RESERVED_NAMES | {ENERGY}
    if section in ("points", "bodies", "joints", "groups", "relations"):
        yield from _of_several(f"{section}.{name}", name)
    if name in taken:
        meanings = {GROUND: "the frame", TIME: "the time", ENERGY: "the energy of the mechanism"}
        what = meanings.get(name, "a function or constant of formulas")
        yield Fault(f"{section}.{name}", f"'{name}' is reserved: it is {what}", "use another name")


def _of_several(path: str, name: str) -> Iterator[Fault]:
    if name in TOGETHER:
        reason = f"'{name}' is reserved: it is the {name.replace('_', ' ')} of the mechanism, or of a body"
        yield Fault(path, reason, "use another name")
