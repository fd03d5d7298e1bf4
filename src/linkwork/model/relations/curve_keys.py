"""The keys by which a curve of a body is declared: formulas of u, a polar formula, points, or points in polar form.

Formulas and points are in the axes of the body, from ``origin``. Through points goes a cubic spline; its u is the length
along the straight lines between the points. In polar form u is the angle.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar

import casadi as ca
import numpy as np
from pydantic import Field

from linkwork.algebra.expressions import Expression, parse, to_float
from linkwork.algebra.splines import cubic_spline
from linkwork.elements.contribution import Place
from linkwork.elements.curves import BodyCurve, derivative
from linkwork.errors import ExpressionError, Fault
from linkwork.model.draft import Draft
from linkwork.model.element import CURVE, PLACE
from linkwork.model.fields import (
    ElementName,
    Read,
    Value,
    VectorOfExpressions,
    as_list,
    brief,
    literal_faults,
    read_each,
    read_scalar,
    read_vector,
    refused,
    vector_schema,
)
from linkwork.model.references import known_body_faults, point_faults, size_faults
from linkwork.model.relations.base import Array, RelationElement, Sketch

Rows = tuple[VectorOfExpressions, ...]
FORMS = ("x", "r", "points", "polar_points")
TURN = parse("2*pi")


def _read_points(value: Any) -> Rows:
    items = as_list(value)
    if items is None:
        raise refused(f"{brief(value)} is not a list of points", "write [[0.1, 0], [0.12, 0.03], ...]")
    return read_each({f"[{i}]": item for i, item in enumerate(items)}, lambda item: read_vector(item, "length"))


def _read_polar(value: Any) -> Rows:
    items = as_list(value)
    if items is None:
        raise refused(
            f"{brief(value)} is not a list of angles and radii", "write [[0 deg, 50 mm], [30 deg, 52 mm], ...]"
        )
    return read_each({f"[{i}]": item for i, item in enumerate(items)}, _read_polar_point)


def _read_polar_point(value: Any) -> VectorOfExpressions:
    pair = as_list(value)
    if pair is None or len(pair) != 2:
        raise refused("an angle and a radius are needed", "write [30 deg, 52 mm]")
    return read_scalar(pair[0], "angle"), read_scalar(pair[1], "length")


def _points_schema(dimension: str) -> dict[str, Any]:
    return {"type": "array", "items": vector_schema(dimension), "minItems": 3}


class CurveElement(RelationElement):
    """Base of the relations with a curve."""

    SCOPES: ClassVar = dict.fromkeys(("x", "y", "z", "r"), CURVE)

    body: ElementName = Field(description="the body in which the curve is fixed, or 'ground'")
    origin: ElementName | None = Field(
        None, description="point of that body from which it is measured; default: its frame"
    )
    x: Value | None = Field(
        None, description="formula of u in the axes of the body, m; default: none", examples=["0.1*cos(u)"]
    )
    y: Value | None = Field(None, description="formula of u, m; default: none")
    z: Value | None = Field(None, description="formula of u, m; in space; default: none")
    r: Value | None = Field(
        None, description="instead of x and y: the radius as a formula of the angle u, m; default: none"
    )
    points: Annotated[Rows, Read(_read_points, _points_schema("length"))] | None = Field(
        None, description="instead of formulas: points through which a spline goes, m; default: none"
    )
    polar_points: Annotated[Rows, Read(_read_polar, _points_schema("any"))] | None = Field(
        None, description="instead of formulas: [angle, radius] through which a spline goes round; default: none"
    )
    range: (
        Annotated[VectorOfExpressions, Read(lambda value: read_vector(value, "any", (2,)), vector_schema("any", (2,)))]
        | None
    ) = Field(None, description="from which u to which u, for formulas; default [0, 2*pi]")

    # -- checks ------------------------------------------------------------------------------------------------------

    def own_faults(self) -> Iterator[Fault]:
        given = [form for form in FORMS if getattr(self, form) is not None]
        if not given:
            yield from self._formless_faults()
        elif len(given) > 1:
            yield Fault(given[1], f"conflicts with {given[0]}", f"give one of {', '.join(FORMS)}")
        if self.x is not None and self.y is None:
            yield Fault("y", "is missing", "write both x and y as formulas of u")
        if self.x is None:
            for key in ("y", "z"):
                if getattr(self, key) is not None:
                    yield Fault(key, "stands without x", "write x as a formula of u")
        if self.range is not None and self.x is None and self.r is None:
            yield Fault("range", "belongs to formulas of u", "leave it out")
        if self.points is not None and len(self.points) < 3:
            yield Fault("points", f"has {len(self.points)} points; at least 3 are needed")
        if self.polar_points is not None and len(self.polar_points) < 3:
            yield Fault("polar_points", f"has {len(self.polar_points)} points; at least 3 are needed")

    def _formless_faults(self) -> Iterator[Fault]:
        yield Fault("", "no curve is given", "write x and y, or r, as formulas of u; or points; or polar_points")

    def curve_faults(self, draft: Draft, path: str, closed: bool, flat: bool = False) -> Iterator[Fault]:
        """Faults of the curve beside the rest of the model; *flat*: it lies in a plane, in space too."""
        planar = flat or draft.space == "planar"
        yield from known_body_faults(draft, f"{path}.body", self.body)
        if self.origin is not None and (self.body in draft.bodies or self.body == "ground"):
            yield from point_faults(draft, f"{path}.origin", self.origin, self.body)
        if planar and self.z is not None:
            yield Fault(f"{path}.z", "there is no z in the plane", "leave it out")
        if draft.space == "spatial" and not planar and self.x is not None and self.z is None:
            yield Fault(f"{path}.z", "is missing", "in space write x, y and z as formulas of u")
        for i, point in enumerate(self.points or ()):
            if draft.space is not None:
                size, where = (2, "planar") if planar else (3, draft.space)
                yield from size_faults(f"{path}.points[{i}]", point, size, where)
        yield from self._distinct_faults(draft, path, closed)
        yield from self._range_faults(draft, path, closed)

    def _distinct_faults(self, draft: Draft, path: str, closed: bool) -> Iterator[Fault]:
        numbers = [draft.numbers(point) for point in self.points or ()]
        if numbers and None not in numbers and len({len(point or ()) for point in numbers}) == 1:
            places = np.array(numbers, dtype=float)
            for i in np.flatnonzero(np.linalg.norm(np.diff(places, axis=0), axis=1) == 0.0):
                yield Fault(f"{path}.points[{i + 1}]", "is the same as the point before it", "leave one of them out")
            if closed and np.array_equal(places[0], places[-1]):
                hint = "leave it out: a closed curve returns to its first point by itself"
                yield Fault(f"{path}.points[{len(places) - 1}]", "is the same as the first point", hint)
        angles = [draft.number(angle) for angle, _ in self.polar_points or ()]
        if angles and None not in angles:
            steps = np.diff(np.array(angles, dtype=float))
            for i in np.flatnonzero(steps <= 0.0):
                yield Fault(f"{path}.polar_points[{i + 1}]", "the angles must grow", "sort them, each angle once")
            if steps.sum() >= 2 * math.pi - 1e-9:
                last = f"{path}.polar_points[{len(angles) - 1}]"
                yield Fault(last, "is a full turn from the first", "leave it out: the curve closes by itself")

    def _range_faults(self, draft: Draft, path: str, closed: bool) -> Iterator[Fault]:
        for i, end in enumerate(self.range or () if self.r is not None else ()):
            yield from literal_faults(f"{path}.range[{i}]", end, "angle")
        ends = draft.numbers(self._ends)
        if ends is None or (self.x is None and self.r is None):
            return
        if not ends[0] < ends[1]:
            yield Fault(f"{path}.range", f"goes from {ends[0]:g} to {ends[1]:g}", "the second value must be larger")
        elif closed and self.r is not None and abs(math.remainder(ends[1] - ends[0], 2 * math.pi)) > 1e-9:
            reason = f"the curve is not closed: the angle u goes from {ends[0]:g} to {ends[1]:g}"
            yield Fault(f"{path}.range", reason, "it must go once round: leave the range out")
        elif closed:
            formulas = {key: getattr(self, key) for key in ("x", "y", "z", "r") if getattr(self, key) is not None}
            yield from self.open_faults(draft, path, formulas, ends)

    def open_faults(
        self, draft: Draft, path: str, formulas: Mapping[str, Expression], ends: list[float]
    ) -> Iterator[Fault]:
        """A closed curve whose formulas do not return to where they began."""
        values = {
            key: [_value_at(formula, {**draft.values, PLACE: u}) for u in (ends[0], ends[1], (ends[0] + ends[1]) / 2)]
            for key, formula in formulas.items()
        }
        size = max((abs(value) for row in values.values() for value in row if value is not None), default=0.0)
        for key, (first, last, _) in values.items():
            if first is not None and last is not None and abs(last - first) > 1e-9 * size + 1e-15:
                found = f"{key} = {first:g} m at u = {ends[0]:g}, {last:g} m at u = {ends[1]:g}"
                yield Fault(f"{path}.{key}", f"the curve is not closed: {found}", "change the formula or the range")

    @property
    def _ends(self) -> VectorOfExpressions:
        return self.range or (parse("0"), TURN)

    # -- mechanics ---------------------------------------------------------------------------------------------------

    def place_origin(self, sketch: Sketch) -> Place:
        """Where the curve is measured from."""
        if self.origin is None:
            return Place(self.body, ca.SX(sketch.space.dimension, 1))
        return sketch.place(f"{self.body}.{self.origin}")

    def closes(self, closed: bool | None) -> bool:
        """Whether the curve closes; where that is not said, it does in polar form."""
        return (self.r is not None or self.polar_points is not None) if closed is None else closed

    def build_curve(self, sketch: Sketch, closed: bool) -> BodyCurve:
        """The declared curve, checked at the default parameters."""
        return self.checked(sketch, self._curve(sketch, closed), closed)

    def checked(self, sketch: Sketch, curve: BodyCurve, closed: bool) -> BodyCurve:
        """A curve, refused where it is undefined, stands still, or has a corner where it closes."""
        u, points = curve.tabulate(curve.point, sketch.number)
        undefined = ~np.isfinite(points).all(axis=1)
        if undefined.any():
            raise refused(f"the curve has no finite point at u = {u[np.argmax(undefined)]:g}", "check its formulas")
        tangents = curve.tabulate(lambda u: derivative(curve.formula, u), sketch.number)[1]
        sizes = np.linalg.norm(tangents, axis=1)
        size = float(np.max(sizes, initial=0.0))
        if not size > 0.0 or np.min(sizes) < 1e-9 * size:
            raise refused(
                f"the curve stands still at u = {u[np.argmin(sizes)]:g}", "its point must move with u everywhere"
            )
        if closed and np.linalg.norm(tangents[0] - tangents[-1]) > 1e-6 * size:
            raise refused(f"the curve has a corner where it closes (u = {u[0]:g})", "its derivatives must agree there")
        return curve

    def check_hollows(self, sketch: Sketch, curve: BodyCurve, side: float, radius: ca.SX, refusal: str) -> None:
        """Whatever is round with a *radius* fits into every hollow of a curve on the *side* (±1) of its normal."""
        u, bends = curve.tabulate(lambda x: side * curve.curvature(x), sketch.number)
        size, i = float(sketch.number(radius)[0]), int(np.argmax(bends[:, 0]))
        if size * bends[i, 0] >= 1.0:
            reason = f"{refusal}: its radius is {size:g} m, that of the hollow at u = {u[i]:.4g} is"
            raise refused(f"{reason} {1 / bends[i, 0]:.4g} m", f"take a radius below {1 / bends[i, 0]:.4g} m")

    def _curve(self, sketch: Sketch, closed: bool) -> BodyCurve:
        if self.points is not None:
            return _through_points(sketch, self.points, closed)
        if self.polar_points is not None:
            return _through_radii(sketch, self.polar_points)
        first, last = (sketch.value(end) for end in self._ends)
        if self.r is not None:
            radius = sketch.formula(self.r, PLACE)
            return BodyCurve(lambda u: radius(u) * ca.vertcat(ca.cos(u), ca.sin(u)), first, last, closed, "rad")
        formulas = [sketch.formula(part, PLACE) for part in (self.x, self.y, self.z) if part is not None]
        return BodyCurve(lambda u: ca.vertcat(*[formula(u) for formula in formulas]), first, last, closed)


def _value_at(formula: Expression, values: Mapping[str, float]) -> float | None:
    try:
        return to_float(formula, values.__getitem__)
    except (ExpressionError, KeyError):  # both have faults of their own
        return None


def _through_points(sketch: Sketch, points: Rows, closed: bool) -> BodyCurve:
    """A spline whose knots are the lengths along the points, at the default parameters."""
    places = ca.horzcat(*[sketch.vector(point) for point in points])
    if closed:
        places = ca.horzcat(places, places[:, 0])
    numbers = _sized(sketch, places)
    knots = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(numbers, axis=1), axis=0))])
    return BodyCurve(cubic_spline(knots, places, closed), ca.SX(0), ca.SX(float(knots[-1])), closed, "m")


def _sized(sketch: Sketch, table: ca.SX) -> Array:
    return sketch.number(ca.vec(table)).reshape(table.shape, order="F")


def _through_radii(sketch: Sketch, points: Rows) -> BodyCurve:
    """A spline of the radius over the angle, once round."""
    angles = _sized(sketch, ca.vertcat(*[sketch.value(angle) for angle, _ in points])).ravel()
    radii = ca.horzcat(*[sketch.value(radius) for _, radius in points])
    knots = np.concatenate([angles, [angles[0] + 2 * math.pi]])
    radius = cubic_spline(knots, ca.horzcat(radii, radii[0]), True)
    ends = ca.SX(float(knots[0])), ca.SX(float(knots[-1]))
    return BodyCurve(lambda u: radius(u) * ca.vertcat(ca.cos(u), ca.sin(u)), *ends, True, "rad")
