"""A bushing between two bodies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Any, Literal

import casadi as ca
import numpy as np
from pydantic import Field

from linkwork.algebra.frames import Frame
from linkwork.algebra.whole_turns import TURN
from linkwork.elements.contribution import Contribution, MeasuredAngle, Told
from linkwork.elements.drawings import Drawings, DrawnLoad, Pen
from linkwork.elements.forces.bushing import Seat, bushing
from linkwork.errors import Fault
from linkwork.model.draft import Draft
from linkwork.model.fields import Read, VectorOfExpressions, as_list, pair_field, read_each, read_vector, refused, write
from linkwork.model.forces.base import AppliedForce, Scene
from linkwork.model.references import pair_faults

Matrix = tuple[VectorOfExpressions, ...]
SIZES = (3, 6)


def _read_matrix(value: Any) -> Matrix:
    """One row: the diagonal; else a square of rows."""
    items = as_list(value)
    if items is None or len(items) not in SIZES:
        raise refused("3 (planar) or 6 (spatial) numbers are needed, or as many rows", "forces first, then moments")
    if as_list(items[0]) is None:
        return (read_vector(value, "any", SIZES),)
    return read_each({f"[{i}]": row for i, row in enumerate(items)}, lambda row: read_vector(row, "any", (len(items),)))


def _write_matrix(value: Matrix) -> Any:
    return write(value[0] if len(value) == 1 else value)


_NUMBERS = {"type": "array", "items": {"anyOf": [{"type": "number"}, {"type": "string"}]}, "minItems": 3, "maxItems": 6}
_SCHEMA = {"anyOf": [_NUMBERS, {"type": "array", "items": _NUMBERS, "minItems": 3, "maxItems": 6}]}
_MatrixField = Annotated[Matrix, Read(_read_matrix, _SCHEMA, _write_matrix)]
_VectorField = Annotated[VectorOfExpressions, Read(lambda value: read_vector(value, "any", SIZES), _NUMBERS)]


class Bushing(AppliedForce):
    """A bushing between points of two bodies: stiffness, damping and preload in all directions."""

    kind: Literal["bushing"] = "bushing"
    between: Annotated[tuple[str, str], pair_field("a point of each body")] = Field(
        description="a point of each body; the second is held to the first"
    )
    stiffness: _MatrixField = Field(
        description="diagonal or matrix, forces first: N/m and N*m/rad (x, y, angle in the plane; in space angle "
        "times axis of the rotation); world axes at the sketch"
    )
    damping: _MatrixField = Field((), description="diagonal or matrix, N*s/m and N*m*s/rad; default 0")
    preload: _VectorField = Field(
        (), description="force and moment on the second body without deflection, N and N*m; default: 0"
    )

    def own_faults(self) -> Iterator[Fault]:
        if self.between[0] == self.between[1]:
            yield Fault("between", f"joins '{self.between[0]}' with itself", "name points of two bodies")

    def faults(self, draft: Draft, path: str) -> Iterator[Fault]:
        yield from pair_faults(draft, f"{path}.between", self.between, "the bushing")
        for key in ("stiffness", "damping"):
            yield from _matrix_faults(draft, f"{path}.{key}", getattr(self, key))
        size = {"planar": 3, "spatial": 6}.get(draft.space or "")
        if size is not None and self.preload and len(self.preload) != size:
            yield Fault(f"{path}.preload", f"has {len(self.preload)} components; {size} are needed ({draft.space})")

    def drawings(self, pen: Pen) -> Drawings:
        first, second = pen.place(self.between[0]), pen.place(self.between[1])
        axes, turns = pen.space.axis_names, pen.space.turn_names
        load = DrawnLoad(second, tuple(f"f{axis}" for axis in axes), tuple(f"m{axis}" for axis in turns))
        return Drawings(spring=(first, second), loads=(load,))

    def contribute(self, scene: Scene) -> Contribution:
        size = scene.space.freedoms
        first, second = (self._seat(scene, reference) for reference in self.between)
        told: tuple[Told, ...] = ()
        if scene.space.planar:
            second, told = self._turned(scene, first, second)
        matrices = [_matrix(scene, rows, size) for rows in (self.stiffness, self.damping)]
        preload = scene.vector(self.preload) if self.preload else ca.SX(size, 1)
        return replace(bushing(scene.space, (first, second), matrices[0], matrices[1], preload), told=told)

    def _seat(self, scene: Scene, reference: str) -> Seat:
        """The frame of the bushing on a body: parallel to the world in the sketch."""
        station = scene.station(reference)
        solid, drawn = scene.solid(station.body, reference.rpartition(".")[2]), scene.sketch.drawn(station.body)
        turned, sketched = (ca.SX(0) if angle is None else angle for angle in (solid.angle, drawn.angle))
        angle = turned - sketched if scene.space.planar else None
        return Seat(solid, Frame(station.position, solid.frame.axes @ drawn.axes.T, angle), station.velocity)

    def _turned(self, scene: Scene, first: Seat, second: Seat) -> tuple[Seat, tuple[Told, ...]]:
        """The second seat in the turn in which it starts nearest to the first, unless the bodies count their turns."""
        one, other = (first.frame.angle, second.frame.angle)
        assert one is not None
        assert other is not None
        counts = scene.angle_between((first.solid.body, second.solid.body)).counts
        name, speed = f"{self.between[1]} on {self.between[0]}", second.solid.omega - first.solid.omega
        turns = scene.turns_beyond(MeasuredAngle(name, other - one, speed), ca.SX(0))
        if counts:
            return second, (Told(turns, wound),)
        return replace(second, frame=replace(second.frame, angle=other - TURN * turns)), ()


def wound(turns: float) -> str:
    """That it starts wound by whole turns."""
    return f"starts wound by {turns:+g} {'turn' if abs(turns) == 1 else 'turns'}" if turns else ""


def _matrix(scene: Scene, rows: Matrix, size: int) -> ca.SX:
    if not rows:
        return ca.SX(size, size)
    if len(rows) == 1:
        return ca.diag(scene.vector(rows[0]))
    return ca.sparsify(ca.vertcat(*[scene.vector(row).T for row in rows]))


def _matrix_faults(draft: Draft, path: str, rows: Matrix) -> Iterator[Fault]:
    """A matrix of the right size, symmetric, without a direction in which it would push or drive."""
    if not rows:
        return
    size = {"planar": 3, "spatial": 6}.get(draft.space or "")
    if size is not None and len(rows[0]) != size:
        yield Fault(path, f"has {len(rows[0])} components; {size} are needed ({draft.space})")
        return
    numbers = [draft.numbers(row) for row in rows]
    if any(row is None for row in numbers):
        return
    values = np.diag(np.array(numbers[0])) if len(rows) == 1 else np.array(numbers)
    if not np.allclose(values, values.T, rtol=1e-9, atol=0.0):
        yield Fault(path, "is not symmetric", "a matrix of a bushing has equal numbers on both sides of its diagonal")
    elif np.linalg.eigvalsh(values)[0] < -1e-9 * np.max(np.abs(values)):
        yield Fault(path, "is negative in some direction", "give numbers that are not negative")
