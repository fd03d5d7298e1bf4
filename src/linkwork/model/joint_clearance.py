"""The clearance of a joint as it is declared.

A pin of radius R₁ in a hole of radius R₂ has the clearance R₂ − R₁: so far may their centres part. A slider has it on either
side when it stands in the middle of its guide.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Annotated, Any

from linkwork.algebra.expressions import Expression
from linkwork.elements.joints.clearance import LOOSE
from linkwork.errors import Fault, ModelError, did_you_mean
from linkwork.model.draft_numbers import DraftNumbers
from linkwork.model.fields import Read, literal_faults, read_each, read_scalar, refused, scalar_schema, write

DIMENSIONS = {
    "gap": "length",
    "restitution": "dimensionless",
    "length": "length",
    "width": "length",
    "radius": "length",
    "play": "length",
    "friction": "dimensionless",
    "static": "dimensionless",
    "smoothing": "speed",
    "stiffness": "any",
    "damping": "any",
}
LAW = "law"
LAWS = ("linear", "hunt_crossley")
RUBBING = ("friction", "static", "smoothing")
GIVING_WAY = ("stiffness", "damping", LAW)
SIZES = {
    ("prismatic", "planar"): ("length", "width"),
    ("revolute", "planar"): ("radius",),
    ("spherical", "spatial"): ("radius",),
    ("revolute", "spatial"): ("length", "radius", "play"),
    ("cylindrical", "spatial"): ("length", "radius"),
}
"""What belongs to a clearance beside its gap, by the kind of the joint and the space."""


@dataclass(frozen=True)
class JointClearance:
    """How far a joint gives way, m, and what happens at the end of it.

    gap: R₂ − R₁, or what is free on either side of a slider; restitution: the part of the speed that comes back
    length, width: of the slider in its guide, or of the pin in its bush; radius: of the hole, for the place of contact
    play: along the axis to either side, of a pin between two shoulders
    friction, static, smoothing: coefficients of what slides and of what sticks, and the speed below which friction is a
    smooth function and does not hold; stiffness, damping, law: of what gives way where it touches, as those of contacts
    """

    gap: Expression
    restitution: Expression | None = None
    length: Expression | None = None
    width: Expression | None = None
    radius: Expression | None = None
    play: Expression | None = None
    friction: Expression | None = None
    static: Expression | None = None
    smoothing: Expression | None = None
    stiffness: Expression | None = None
    damping: Expression | None = None
    law: str | None = None

    @property
    def touches(self) -> bool:
        """Whether its places are contacts of their own: they rub, or give way."""
        return self.friction is not None or self.stiffness is not None


def clearance_faults(
    draft: DraftNumbers, path: str, clearance: JointClearance, kind: str, space: str
) -> Iterator[Fault]:
    """Faults of a clearance in a joint of a kind."""
    if (kind, space) not in LOOSE:
        kinds = ", ".join(known for known, where in LOOSE if where == space)
        where = "in the plane" if space == "planar" else "in space"
        yield Fault(path, f"a {kind} joint has no clearance {where}", f"kinds that have: {kinds}")
        return
    known = SIZES[kind, space]
    for key in DIMENSIONS.keys() - {"gap", "restitution", *known, *RUBBING, *GIVING_WAY}:
        if getattr(clearance, key) is not None:
            yield Fault(f"{path}.{key}", f"a {kind} joint has none in its clearance", f"it has: {', '.join(known)}")
    if "length" in known and clearance.length is None:
        what = "slider in its guide" if kind == "prismatic" else "pin in its bush"
        yield Fault(f"{path}.length", f"is missing: of the {what}", "write {gap: 0.1 mm, length: 40 mm}")
    yield from _law_faults(path, clearance, kind, space)
    yield from _values(draft, path, clearance)


def _law_faults(path: str, clearance: JointClearance, kind: str, space: str) -> Iterator[Fault]:
    """Faults of what rubs and of what gives way."""
    if clearance.friction is None:
        for key in ("static", "smoothing"):
            if getattr(clearance, key) is not None:
                yield Fault(
                    f"{path}.{key}", "stands without friction", "give the coefficient of what slides: friction: 0.1"
                )
    elif kind == "spherical":
        yield Fault(f"{path}.friction", "a ball in a hollow ball does not rub yet", "leave it out")
    elif clearance.play is not None:
        yield Fault(f"{path}.friction", "shoulders do not rub yet", "leave out the friction or the play")
    elif kind != "prismatic" and clearance.radius is None:
        yield Fault(f"{path}.radius", "is missing: of the hole, whose surface rubs", "write radius: 10 mm")
    if clearance.stiffness is None:
        for key in ("damping", LAW):
            if getattr(clearance, key) is not None:
                yield Fault(f"{path}.{key}", "belongs to parts that give way", "give their stiffness, or leave it out")
        return
    if clearance.restitution is not None:
        reason = "conflicts with stiffness, whose damping says what comes back"
        yield Fault(f"{path}.restitution", reason, "give one of them")
    if clearance.friction is not None and clearance.smoothing is None:
        reason = "is missing: friction of what gives way does not hold"
        yield Fault(f"{path}.smoothing", reason, "give the speed below which it is smooth, such as 1 mm/s")


def _values(draft: DraftNumbers, path: str, clearance: JointClearance) -> Iterator[Fault]:
    values = {key: draft.number(getattr(clearance, key)) for key in DIMENSIONS}
    for key, least in (
        ("friction", ""),
        ("static", ""),
        ("damping", ""),
        ("stiffness", "positive"),
        ("smoothing", "positive"),
    ):
        value = values[key]
        if value is not None and (value < 0.0 or (value == 0.0 and least)):
            yield Fault(f"{path}.{key}", f"is {value:g}; it " + ("must be positive" if least else "cannot be negative"))
    for key, dimension in DIMENSIONS.items():
        yield from literal_faults(f"{path}.{key}", getattr(clearance, key), dimension)
        value, least = values[key], "must be positive" if key != "width" else "cannot be negative"
        if dimension == "length" and value is not None and (value < 0.0 or (value == 0.0 and key != "width")):
            hint = "leave the clearance out where the joint fits" if key == "gap" and value == 0.0 else ""
            yield Fault(f"{path}.{key}", f"is {value:g} m; it {least}", hint)
    gap, back = values["gap"], values["restitution"]
    if back is not None and not 0.0 <= back <= 1.0:
        reason = f"is {back:g}; it is the part of the speed that comes back"
        yield Fault(f"{path}.restitution", reason, "0 (it stays) to 1 (nothing is lost)")
    for key in ("length", "radius"):
        size = values[key]
        if gap is not None and size is not None and 0.0 < size <= gap:
            reason = f"{gap:g} m is as large as the part itself, whose {key} is {size:g} m"
            yield Fault(f"{path}.gap", reason, "a clearance is small beside the parts; was a unit forgotten?")


def _read_clearance(value: Any) -> JointClearance:
    if isinstance(value, JointClearance):
        return value
    if not isinstance(value, Mapping):
        return JointClearance(read_scalar(value, "length"))
    unknown = [
        Fault(str(key), "is not known", did_you_mean(str(key), [*DIMENSIONS, LAW]))
        for key in value
        if key not in (*DIMENSIONS, LAW)
    ]
    if unknown:
        raise ModelError(unknown)
    if "gap" not in value:
        raise refused("gap: is missing", "write {gap: 0.1 mm}, or clearance: 0.1 mm alone")
    law = value.get(LAW)
    if law not in (None, *LAWS):
        raise refused(f"law: {law!r} is not known", f"valid names: {', '.join(LAWS)}")
    given = {key: (key, item) for key, item in value.items() if key != LAW}
    found = read_each(given, lambda pair: read_scalar(pair[1], DIMENSIONS[pair[0]]))
    return JointClearance(**dict(zip(given, found, strict=True)), law=law)


def _write_clearance(value: JointClearance | None) -> Any:
    if value is None:
        return None
    given = {field.name: getattr(value, field.name) for field in fields(value)}
    written = {key: write(item) for key, item in given.items() if item is not None}
    return written["gap"] if len(written) == 1 else written


_SCHEMA = {
    "description": "clearance: the gap R₂ − R₁ between pin and hole, or on either side of a slider, alone or with "
    "restitution, length and width of the slider, length of the pin, play along its axis, radius of the hole; friction, "
    "static and smoothing; stiffness, damping and law (linear, hunt_crossley) of what gives way; default: none",
    "anyOf": [
        scalar_schema("length"),
        {
            "type": "object",
            "properties": {key: scalar_schema(dimension) for key, dimension in DIMENSIONS.items()}
            | {LAW: {"enum": list(LAWS)}},
            "required": ["gap"],
            "additionalProperties": False,
        },
    ],
    "examples": ["0.1 mm", {"gap": "0.1 mm", "restitution": 0.3}],
}
ClearanceField = Annotated[JointClearance, Read(_read_clearance, _SCHEMA, _write_clearance)]
