"""The backlash of a coupling as it is declared: how far its teeth stand apart, and what they do where they meet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Annotated, Any

from linkwork.algebra.expressions import Expression
from linkwork.errors import Fault
from linkwork.model.draft_numbers import DraftNumbers
from linkwork.model.fields import Read, literal_faults, read_scalar, refused, scalar_schema, write
from linkwork.model.joint_limits import read_numbers

DIMENSIONS = {
    "gap": "length",
    "angle": "angle",
    "restitution": "dimensionless",
    "stiffness": "any",
    "damping": "any",
    "start": "dimensionless",
}


@dataclass(frozen=True)
class CouplingBacklash:
    """How far the teeth of one wheel move from flank to flank while the other stands, and what flanks do.

    gap: along the pitch circles, or the way of the first coordinate where it slides (m); angle: of the first wheel, in place
    of it (rad); restitution: the part of the speed that comes back; stiffness, damping: of a flank that gives way, along the
    gap (N/m, N s/m) or the angle (N m/rad, N m s/rad); start: where in it the first stands, from −1 (behind) to 1 (ahead)
    """

    gap: Expression | None = None
    angle: Expression | None = None
    restitution: Expression | None = None
    stiffness: Expression | None = None
    damping: Expression | None = None
    start: Expression | None = None


def backlash_faults(draft: DraftNumbers, path: str, backlash: CouplingBacklash | None) -> Iterator[Fault]:
    """Faults of a backlash by itself."""
    if backlash is None:
        return
    values = {field.name: draft.number(getattr(backlash, field.name)) for field in fields(backlash)}
    for key, dimension in DIMENSIONS.items():
        yield from literal_faults(f"{path}.{key}", getattr(backlash, key), dimension)
    for key, unit in (("gap", "m"), ("angle", "rad")):
        value = values[key]
        if value is not None and not value > 0.0:
            hint = "leave the backlash out where teeth fit" if value == 0.0 else ""
            yield Fault(f"{path}.{key}", f"is {value:g} {unit}; it must be positive", hint)
    for key, least, most, hint in (
        ("restitution", 0.0, 1.0, "0 (flanks stay together) to 1 (nothing is lost)"),
        ("start", -1.0, 1.0, "-1 (the first wheel touches behind) to 1 (it touches ahead), 0 in the middle"),
    ):
        value = values[key]
        if value is not None and not least <= value <= most:
            yield Fault(f"{path}.{key}", f"is {value:g}; it is from {least:g} to {most:g}", hint)
    yield from _law_faults(path, backlash, values)


def _law_faults(path: str, backlash: CouplingBacklash, values: Mapping[str, float | None]) -> Iterator[Fault]:
    for key, least in (("stiffness", "must be positive"), ("damping", "cannot be negative")):
        value = values[key]
        if value is not None and (value < 0.0 or (value == 0.0 and key == "stiffness")):
            yield Fault(f"{path}.{key}", f"is {value:g}; it {least}")
    if backlash.damping is not None and backlash.stiffness is None:
        yield Fault(
            f"{path}.stiffness", "is missing beside damping", "write {gap: 0.1 mm, stiffness: 1e8, damping: 500}"
        )
    if backlash.restitution is not None and backlash.stiffness is not None:
        reason = "conflicts with stiffness: a flank that gives way bounces by itself"
        yield Fault(f"{path}.restitution", reason, "leave one of them out")


def _read_backlash(value: Any) -> CouplingBacklash:
    if isinstance(value, CouplingBacklash):
        return value
    if not isinstance(value, Mapping):
        return CouplingBacklash(gap=read_scalar(value, "length"))
    found = CouplingBacklash(**read_numbers(value, DIMENSIONS, "write {gap: 0.1 mm}"))
    if (found.gap is None) == (found.angle is None):
        reason = "gap: is missing" if found.gap is None else "angle: conflicts with gap"
        raise refused(reason, "write {gap: 0.1 mm}, along the pitch circles, or {angle: 0.2 deg}, of the first wheel")
    return found


def _write_backlash(value: CouplingBacklash | None) -> Any:
    if value is None:
        return None
    given = {field.name: getattr(value, field.name) for field in fields(value)}
    written = {key: write(item) for key, item in given.items() if item is not None}
    return written["gap"] if list(written) == ["gap"] else written


_SCHEMA = {
    "description": "backlash: the gap along the pitch circles alone, or with restitution, or stiffness and damping of the "
    "flanks, and start, from -1 to 1, where in it the first wheel stands; angle: of the first wheel, in place of a gap; "
    "default: none, teeth fit",
    "anyOf": [
        scalar_schema("length"),
        {
            "type": "object",
            "properties": {key: scalar_schema(dimension) for key, dimension in DIMENSIONS.items()},
            "additionalProperties": False,
        },
    ],
    "examples": ["0.1 mm", {"gap": "0.1 mm", "restitution": 0.3}],
}
BacklashField = Annotated[CouplingBacklash, Read(_read_backlash, _SCHEMA, _write_backlash)]
