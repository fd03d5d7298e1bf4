"""The readable report of a model: what was declared, section by section."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from linkwork.algebra.expressions import Expression
from linkwork.answer.grid import Grid, wrapped
from linkwork.model.body import Body
from linkwork.model.couplings import Gear, LinearCoupling
from linkwork.model.described import Described
from linkwork.model.drive import Driver
from linkwork.model.element import Element
from linkwork.model.fields import write
from linkwork.model.forces import Spring, TorsionSpring
from linkwork.model.guide import Guide
from linkwork.model.joint import Joint
from linkwork.model.joint_clearance import DIMENSIONS
from linkwork.model.joint_limits import Ends
from linkwork.model.parameters import Parameter
from linkwork.model.sections import SECTIONS


def report(model: Described) -> str:
    """Several lines: space, gravity, then every element with its main data."""
    title = f" '{model.name}'" if model.name else ""
    lines = [
        f"{model.space} mechanism{title}: {count(model.bodies, 'bod', 'y', 'ies')}, {count(model.joints, 'joint')}"
    ]
    if model.description:
        lines += wrapped(f"  {model.description}")
    gravity = ", ".join(f"{model.number(component):g}" for component in model.gravity)
    lines.append(f"  gravity [{gravity}] m/s²")
    if model.base is not None:
        lines.append("  base " + ", ".join(f"{key} {_plain(value)}" for key, value in model.base.to_dict().items()))
    for section in SECTIONS:
        if section.name != "points":  # those stand with their bodies
            lines += _section(section.name, getattr(model, section.name))
    return "\n".join(lines)


def count(items: Mapping[str, Any], word: str, one: str = "", many: str = "s") -> str:
    """So many of them, in words."""
    return f"{len(items)} {word}{one if len(items) == 1 else many}"


def _section(title: str, items: Mapping[str, Any]) -> Iterator[str]:
    if not items:
        return
    yield f"  {title}"
    width = max(map(len, items))
    for name, item in items.items():
        yield from Grid([(f"{name:<{width}}", _text(item))], indent=4).lines()


def _text(item: Any) -> str:
    match item:
        case Body():
            return _body(item)
        case Joint():
            return _joint(item)
        case Parameter():
            return " ".join(filter(None, (str(item.value), "(live)" if item.live else "", item.description)))
        case Driver():
            which = f"{item.joint}.{item.freedom}" if item.freedom else item.joint
            return f"{which} {item.level} = {item.motion}"
        case Guide():
            motion = {key: write(getattr(item, key)) for key in ("position", "angle", "rotation")}
            return ", ".join([item.reference, *(f"{key} {_plain(v)}" for key, v in motion.items() if v is not None)])
        case Gear() if item.joints is not None:
            return f"{item.kind} {item.joints[0]} = {item.ratio} × {item.joints[1]}"
        case LinearCoupling():
            parts = (f"{t.factor} × {t.joint}{f'.{t.freedom}' if t.freedom else ''}" for t in item.terms)
            return f"{item.kind} {' + '.join(parts)} = constant"
        case Element():
            data = item.to_dict()
            told = ["without force as drawn"] if isinstance(item, Spring | TorsionSpring) and item.law.as_drawn else []
            kind = [data.pop("kind")] if "kind" in data else []
            return ", ".join([*kind, *(f"{key} {_plain(value)}" for key, value in data.items()), *told])
        case Expression():
            return str(item)
        case tuple():
            return f"[{', '.join(map(_text, item))}]"
        case Mapping():
            return ", ".join(f"{key} = {_text(value)}" for key, value in item.items())
    return str(item)


def _plain(value: Any) -> str:
    return f"[{', '.join(map(_plain, value))}]" if isinstance(value, list) else str(value)


def _body(body: Body) -> str:
    parts = [f"bar {body.bar[0]}-{body.bar[1]}"] if body.bar else [f"points {', '.join(body.point_names)}"]
    if body.bar and body.points:
        parts.append(f"points {', '.join(body.local_points)}")
    data = body.to_dict()
    for key in ("length", "mass", "density", "com", "inertia", "radius", "section", "width"):
        if key in data:
            unit = {"length": " m", "mass": " kg", "density": " kg/m³"}.get(key, "")
            parts.append(f"{key} {_plain(data[key])}{unit if isinstance(data[key], (int, float)) else ''}")
    if body.shapes:
        parts.append("shapes " + ", ".join(f"{name} ({shape.kind})" for name, shape in body.shapes.items()))
    if body.mesh is not None:
        parts.append(f"mesh {body.mesh.file}")
    if body.masses:
        parts.append("masses " + ", ".join(f"{point} {_kilograms(mass)}" for point, mass in data["masses"].items()))
    return ", ".join(parts)


def range_text(ends: Ends, angular: bool) -> str:
    """The stops of a coordinate; those without a unit are SI."""
    unit = " rad" if angular else " m"
    low, high = ("" if end is None else f"{write(end)}{unit if _is_bare(end) else ''}" for end in ends)
    return f"from {low} to {high}" if low and high else f"from {low}" if low else f"up to {high}"


def _is_bare(end: Expression) -> bool:
    return isinstance(write(end), (int, float))


def _kilograms(mass: Any) -> str:
    return f"{mass:g} kg" if isinstance(mass, (int, float)) else str(mass)


def _joint(joint: Joint) -> str:
    parts = [f"{joint.kind} {joint.parent} - {joint.child}"]
    if joint.at is not None:
        parts.append(f"at {', '.join(joint.at)}")
    match joint.directions:
        case (axis,):
            parts.append(f"axis {_text(axis)}")
        case (_, _) as axes:
            parts.append(f"axes {_text(axes)}")
    for key, number in joint.MECHANICS.described.items():
        value = joint.numbers[key]
        unit = " m" if number.dimension == "length" and _is_bare(value) else ""
        parts.append(f"{key} {write(value)}{unit}")
    for freedom in joint.freedoms:
        if freedom.name in joint.ranges:
            parts.append(f"{freedom.name} {range_text(joint.ranges[freedom.name], freedom.angular)}")
    if joint.stops is not None:
        parts.append(f"stops {stops_text(joint)}")
    if joint.friction is not None:
        parts.append(f"friction {friction_text(joint)}")
    if joint.clearance is not None:
        parts.append(f"clearance {clearance_text(joint)}")
    return ", ".join(parts)


def clearance_text(joint: Joint) -> str:
    """The clearance that a joint declares."""
    given = joint.to_dict()["clearance"]
    parts = given if isinstance(given, dict) else {"gap": given}
    shown = {
        key: f"{value} m" if isinstance(value, (int, float)) and DIMENSIONS.get(key) == "length" else str(value)
        for key, value in parts.items()
    }
    return ", ".join([shown.pop("gap"), *(f"{key} {value}" for key, value in shown.items())])


def stops_text(joint: Joint) -> str:
    """The stops that a joint declares, of each coordinate where they differ."""
    given = joint.to_dict()["stops"]
    by_freedom = given if isinstance(joint.stops, dict) else {"": given}
    return "; ".join(
        " ".join(filter(None, [name, ", ".join(f"{key} {value}" for key, value in numbers.items())]))
        for name, numbers in by_freedom.items()
    )


def friction_text(joint: Joint) -> str:
    """The friction that a joint declares."""
    return ", ".join(f"{key} {value}" for key, value in joint.to_dict()["friction"].items())
