"""Limits, stops and friction of a joint as they are declared.

A stop is rigid, and sends back the part ``restitution`` of the speed with which it is hit, or it is a spring with a damper.
Friction follows Coulomb, with the normal forces from the reaction of the joint itself. It acts on a pin or a ball of the
``radius`` given, and in a guide of the ``length`` given, whose ends take moments; ``static`` is the coefficient of what
sticks, by default that of what slides (García de Jalón and Bayo, section 10.1). With ``stribeck``, a speed, the coefficient
falls from the one to the other as what slides becomes faster. ``viscous`` adds a part in proportion to the rate.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Annotated, Any

from linkwork.algebra.expressions import Expression
from linkwork.errors import Fault, ModelError, did_you_mean
from linkwork.model.fields import Read, as_list, brief, read_each, read_scalar, refused, scalar_schema, write

Ends = tuple[Expression | None, Expression | None]
"""The lowest and the highest value of a coordinate; None: there is no stop on that side."""
EndsByFreedom = Ends | dict[str, Ends]
"""Ends by coordinate, or those of the only one."""


@dataclass(frozen=True)
class JointFriction:
    """Coefficients of sliding and of sticking, sizes of what touches, and a viscous part (N s/m or N m s/rad).

    radius of the pin, ball or thread, and length of the guide or bearing (m); stribeck: speed (m/s) over which the
    coefficient falls from that of sticking; smoothing: speed below which friction is a smooth function, and does not hold
    """

    coefficient: Expression | None = None
    static: Expression | None = None
    radius: Expression | None = None
    length: Expression | None = None
    stribeck: Expression | None = None
    smoothing: Expression | None = None
    viscous: Expression | None = None


@dataclass(frozen=True)
class JointStop:
    """What a coordinate meets at its limits: rigid with a restitution (0: it stays), or stiffness and damping.

    stiffness in N/m or N m/rad, damping in N s/m or N m s/rad
    """

    restitution: Expression | None = None
    stiffness: Expression | None = None
    damping: Expression | None = None

    @property
    def rigid(self) -> bool:
        return self.stiffness is None


StopsByFreedom = JointStop | dict[str, JointStop]
"""One for all coordinates with limits, or by coordinate."""
STOP_DIMENSIONS = {"restitution": "dimensionless", "stiffness": "any", "damping": "any"}
DIMENSIONS = {
    "coefficient": "dimensionless",
    "static": "dimensionless",
    "radius": "length",
    "length": "length",
    "stribeck": "speed",
    "smoothing": "speed",
    "viscous": "any",
}


def _read_ends(value: Any) -> Ends:
    items = as_list(value)
    if items is None or len(items) != 2:
        raise refused(f"{brief(value)} is not a pair of limits", "write [-30 deg, 30 deg]; null where there is no stop")
    ends = read_each({f"[{i}]": item for i, item in enumerate(items)}, _read_end)
    if ends == (None, None):
        raise refused("has a stop on neither side", "leave it out")
    return ends[0], ends[1]


def _read_end(value: Any) -> Expression | None:
    return None if value is None else read_scalar(value)


def _read_limits(value: Any) -> EndsByFreedom:
    if isinstance(value, Mapping) and value:
        names = [str(name) for name in value]
        return dict(zip(names, read_each({str(name): ends for name, ends in value.items()}, _read_ends), strict=True))
    if as_list(value) is None:
        hint = "write [-30 deg, 30 deg], or {angle: [-30 deg, 30 deg]}"
        raise refused(f"{brief(value)} is not a pair of limits, nor such pairs by coordinate", hint)
    return _read_ends(value)


def _read_friction(value: Any) -> JointFriction:
    if isinstance(value, JointFriction):
        return value
    return JointFriction(**read_numbers(value, DIMENSIONS, "write {coefficient: 0.1, radius: 5 mm}"))


def _read_stop(value: Any) -> JointStop:
    if isinstance(value, JointStop):
        return value
    return JointStop(**read_numbers(value, STOP_DIMENSIONS, "write {restitution: 0.3}"))


def _read_stops(value: Any) -> StopsByFreedom:
    if isinstance(value, Mapping) and value and all(isinstance(item, Mapping | JointStop) for item in value.values()):
        names = [str(name) for name in value]
        return dict(zip(names, read_each({str(name): item for name, item in value.items()}, _read_stop), strict=True))
    return _read_stop(value)


def read_numbers(value: Any, dimensions: Mapping[str, str], hint: str) -> dict[str, Expression]:
    """Named numbers, each of its dimension."""
    if not isinstance(value, Mapping):
        raise refused(f"{brief(value)} does not say what it means", hint)
    unknown = [
        Fault(str(key), "is not known", did_you_mean(str(key), list(dimensions), "key"))
        for key in value
        if key not in dimensions
    ]
    if unknown:
        raise ModelError(unknown)
    given = {key: (key, item) for key, item in value.items()}
    found = read_each(given, lambda pair: read_scalar(pair[1], dimensions[pair[0]]))
    return dict(zip(given, found, strict=True))


def _write_numbers(value: JointFriction | JointStop | None) -> Any:
    if value is None:
        return None
    given = {field.name: getattr(value, field.name) for field in fields(value)}
    return {key: write(item) for key, item in given.items() if item is not None}


def _write_stops(value: StopsByFreedom | None) -> Any:
    if isinstance(value, dict):
        return {name: _write_numbers(item) for name, item in value.items()}
    return _write_numbers(value)


_PAIR_SCHEMA = {
    "type": "array",
    "items": {"anyOf": [{"type": "number"}, {"type": "string"}, {"type": "null"}]},
    "minItems": 2,
    "maxItems": 2,
}
_LIMITS_SCHEMA = {
    "description": "stops: [lowest, highest] value of the coordinate, or such pairs by coordinate; null: no stop there; "
    "default: none",
    "anyOf": [_PAIR_SCHEMA, {"type": "object", "additionalProperties": _PAIR_SCHEMA, "minProperties": 1}],
    "examples": [["-30 deg", "30 deg"], {"position": [0, "40 mm"]}],
}
_FRICTION_SCHEMA = {
    "type": "object",
    "description": "friction: coefficients of sliding and (static) of sticking, radius of the pin, ball or thread, length "
    "of the guide, speeds of stribeck and smoothing, viscous part; default: none",
    "properties": {key: scalar_schema(dimension) for key, dimension in DIMENSIONS.items()},
    "additionalProperties": False,
    "examples": [{"coefficient": 0.1, "radius": "5 mm"}],
}
_STOP_SCHEMA = {
    "type": "object",
    "properties": {key: scalar_schema(dimension) for key, dimension in STOP_DIMENSIONS.items()},
    "additionalProperties": False,
}
_STOPS_SCHEMA = {
    "description": "what its limits do: restitution of rigid stops (0 to 1), or stiffness and damping; or such by "
    "coordinate; default: rigid stops without restitution",
    "anyOf": [_STOP_SCHEMA, {"type": "object", "additionalProperties": _STOP_SCHEMA, "minProperties": 1}],
    "examples": [{"restitution": 0.3}, {"stiffness": 1e5, "damping": 50}],
}
LimitsField = Annotated[EndsByFreedom, Read(_read_limits, _LIMITS_SCHEMA)]
FrictionField = Annotated[JointFriction, Read(_read_friction, _FRICTION_SCHEMA, _write_numbers)]
StopsField = Annotated[StopsByFreedom, Read(_read_stops, _STOPS_SCHEMA, _write_stops)]
