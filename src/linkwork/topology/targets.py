"""What drivers, inputs and ``initial`` ask of a mechanism where it is put together: coordinates and their rates."""

from __future__ import annotations

import math
from collections.abc import Mapping

import casadi as ca

from linkwork.algebra.expressions import Expression, Name, to_sx
from linkwork.algebra.expressions.undefined import find_hole
from linkwork.errors import ExpressionError
from linkwork.model import Model
from linkwork.position.assembly import Target
from linkwork.position.drives import Drives
from linkwork.position.geometry import Array, Geometry
from linkwork.position.poses import PoseConditions


def position_targets(drives: Drives, conditions: PoseConditions, p: Array, time: float) -> list[Target]:
    """The coordinates that drivers and ``initial`` ask for at a time."""
    reader = _Reader(conditions.geometry, p, time)
    targets = _input_targets(drives, conditions, time, 0)
    for name, driver in drives.drivers.items():
        wanted = driver.position if driver.position is not None else driver.initial
        if wanted is not None:
            where = conditions.index(*drives.keys[name])
            targets.append(Target(where, reader.value(wanted, f"drivers.{name}"), f"drivers.{name}"))
    for name, values in drives.initial.items():
        for key, value in values.items():
            targets += _initial_targets(conditions, reader, name, key, value, _keys(drives.model, name, False))
    return targets


def _input_targets(drives: Drives, conditions: PoseConditions, time: float, level: int) -> list[Target]:
    """Where the inputs of an analysis begin, or (level 1) how fast."""
    return [
        Target(conditions.index(*drives.inputs[name]), levels[level], f"drivers.{name}")
        for name, levels in drives.starts(time).items()
    ]


def rate_targets(drives: Drives, conditions: PoseConditions, p: Array, time: float) -> list[Target]:
    """The rates that they ask for."""
    reader = _Reader(conditions.geometry, p, time)
    targets = _input_targets(drives, conditions, time, 1)
    for name, driver in drives.drivers.items():
        if driver.position is not None:
            rate = reader.rate(driver.position, f"drivers.{name}")
        elif driver.speed is not None:
            rate = reader.value(driver.speed, f"drivers.{name}")
        else:
            rate = 0.0 if driver.initial_speed is None else reader.value(driver.initial_speed, f"drivers.{name}")
        targets.append(Target(conditions.index(*drives.keys[name]), rate, f"drivers.{name}"))
    for name, values in drives.initial.items():
        for key, value in values.items():
            targets += _initial_targets(conditions, reader, name, key, value, _keys(drives.model, name, True))
    return targets


# what the keys of ``initial`` set for a body: key -> readings
OMEGA = ("omega0", "omega1", "omega2")
BODY_POSITIONS: Mapping[str, tuple[str, ...]] = {
    **{name: (name,) for name in ("x", "y", "z", "angle")},
    "position": ("x", "y", "z"),
}
BODY_RATES: Mapping[str, tuple[str, ...]] = {
    **{f"v{name}": (name,) for name in "xyz"},
    "speed": ("angle",),
    "velocity": ("x", "y", "z"),
    "omega": OMEGA,
}


def _keys(model: Model, element: str, rates: bool) -> Mapping[str, tuple[str, ...]]:
    """What the keys of ``initial`` set for an element; for a joint its coordinates or their rates."""
    if element not in model.joints:
        return BODY_RATES if rates else BODY_POSITIONS
    freedoms = model.joints[element].freedoms
    if rates:
        return {f.rate: (f.name,) for f in freedoms} | {"omega": OMEGA}
    return {f.name: (f.name,) for f in freedoms}


def _initial_targets(
    conditions: PoseConditions,
    reader: _Reader,
    element: str,
    key: str,
    value: Expression | tuple[Expression, ...],
    keys: Mapping[str, tuple[str, ...]],
) -> list[Target]:
    if key not in keys:
        return []
    present = {reading.name for reading in conditions.readings if reading.element == element}
    names = [name for name in keys[key] if name in present]
    values = value if isinstance(value, tuple) else (value,)
    path = f"initial.{element}.{key}"
    return [
        Target(conditions.index(element, name), reader.value(item, path), path)
        for name, item in zip(names, values, strict=False)
    ]


class _Reader:
    """Values of expressions of t and parameters, and of their rates, at the start."""

    def __init__(self, geometry: Geometry, p: Array, time: float) -> None:
        self.geometry = geometry
        self.p = p
        self.time = time
        self.t = ca.SX.sym("t")

    def _build(self, expression: Expression) -> ca.SX:
        values = {**self.geometry.fixed_values, "t": self.t}
        return ca.SX(to_sx(expression, values.__getitem__))

    def value(self, expression: Expression, asked_by: str) -> float:
        found = self._number(self._build(expression))
        if not math.isfinite(found):
            hole = find_hole(expression, lambda name: self._number(self._build(Name(name))))
            raise self._undefined(
                expression, asked_by, "no finite value" if hole is None else f"no value ({hole.reason})"
            )
        return found

    def rate(self, expression: Expression, asked_by: str) -> float:
        found = self._number(ca.jacobian(self._build(expression), self.t))
        if not math.isfinite(found):
            raise self._undefined(expression, asked_by, "no finite rate of change")
        return found

    def _undefined(self, expression: Expression, asked_by: str, what: str) -> ExpressionError:
        return ExpressionError(
            f"{asked_by}: '{expression}' has {what} at t = {self.time:.6g} s, where the mechanism is put together; give a "
            "formula that has one there"
        )

    def _number(self, expression: ca.SX) -> float:
        f = ca.Function("f", [self.t, self.geometry.parameters], [ca.densify(expression)])
        return float(f(self.time, self.p))
