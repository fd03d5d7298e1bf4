"""How far a planar four-bar or slider-crank can move: its class, the ranges of its joints, its dead centres.

Numbers only. Angles are in radians, lengths in one unit. Every angle comes from the half-angle formula of a triangle,
which keeps the digits that an arc cosine loses near an aligned position.

Four-bar: crank pivot O, output pivot B, angles of the input OA and of the output BC against the direction from O to B.
Slider-crank: crank pivot O; the slider pin travels along the direction from which the crank angle is measured, *offset*
to the left of O, and its travel is zero beside O.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, copysign, degrees, pi, sqrt

from linkwork.closed_form.limits import LinkageClass, Range, grashof_class, slider_crank_class
from linkwork.errors import AssemblyError


@dataclass(frozen=True)
class DeadCentre:
    """A position where the joint ``stops`` ('input' or 'output') turns back, because ``links`` have come into ``shape``.

    The shape of two links is 'stretched' (one behind the other), 'folded' (one over the other) or 'at right angles'.
    """

    stops: str
    links: str
    shape: str
    input: float
    output: float


@dataclass(frozen=True)
class LinkageLimits:
    """Class, ranges and dead centres; prints as a short table.

    ``input`` and ``output`` are the ranges that the joints can reach, one per separate part; the output is an angle or,
    of a slider-crank (``slides``), a travel. A full turn is the range from −π to π. ``change_points`` are input angles
    inside the ranges where the two branches meet, and the motion may pass from one to the other.
    """

    kind: LinkageClass
    input: tuple[Range, ...]
    output: tuple[Range, ...]
    dead_centres: tuple[DeadCentre, ...]
    change_points: tuple[float, ...] = ()
    slides: bool = False

    def __str__(self) -> str:
        lines = [
            self.kind.value,
            f"  input   {_ranges_text(self.input, slides=False)}",
            f"  output  {_ranges_text(self.output, self.slides)}",
        ]
        for dead in self.dead_centres:
            where = f"input {_text(dead.input, slides=False)}, output {_text(dead.output, self.slides)}"
            lines.append(f"  {dead.stops} turns back at {where}: {dead.links} {dead.shape}")
        if self.change_points:
            angles = ", ".join(_text(angle, slides=False) for angle in self.change_points)
            lines.append(f"  branches meet at input {angles}")
        return "\n".join(lines)


def four_bar_limits(
    crank: float, coupler: float, rocker: float, ground: float, tolerance: float = 1e-12
) -> LinkageLimits:
    """Limits of a four-bar that is driven at *crank*.

    The distance AB from the crank pin to the output pivot must lie between |b − c| and b + c; likewise OC for the
    output. Lengths within *tolerance* (relative to the longest) of a change point count as one: links that come into
    line without turning back do not limit a range.
    """
    sides = {"crank": crank, "coupler": coupler, "rocker": rocker, "ground": ground}
    small = tolerance * max(sides.values())
    _refuse_if_open(sides, small)
    driving = _dead_centres(crank, coupler, rocker, ground, small)
    # read from the output pivot, the linkage is its mirror image: every angle becomes π minus itself
    driven = _dead_centres(rocker, coupler, crank, ground, small)
    back = {shape: (pi - output, pi - arm) for shape, (arm, output) in driven.items()}
    dead = [("input", "coupler and output", shape, *angles) for shape, angles in driving.items()]
    dead += [("output", "input and coupler", shape, *angles) for shape, angles in back.items()]
    meeting = {0.0: abs(abs(coupler - rocker) - abs(crank - ground)), pi: abs(coupler + rocker - crank - ground)}
    return LinkageLimits(
        grashof_class(crank, coupler, rocker, ground, tolerance),
        _symmetric_ranges(*(driving[shape][0] if shape in driving else None for shape in ("folded", "stretched"))),
        _symmetric_ranges(*(back[shape][1] if shape in back else None for shape in ("stretched", "folded"))),
        tuple(_both_sides(dead)),
        tuple(angle for angle, gap in meeting.items() if gap <= small),
    )


def slider_crank_limits(crank: float, coupler: float, offset: float, tolerance: float = 1e-12) -> LinkageLimits:
    """Limits of a slider-crank that is driven at *crank*.

    The crank pin must stay within the coupler's length of the line of travel, |e − a sin θ| ≤ b, and the slider pin
    between |a − b| and a + b from the crank pivot. The *tolerance* is that of :func:`four_bar_limits`.
    """
    lengths = {"crank": crank, "coupler": coupler, "offset": abs(offset)}
    small = tolerance * max(lengths.values())
    _refuse_if_open(lengths, small)
    kind = slider_crank_class(crank, coupler, offset, tolerance)
    assert kind is not None
    reach = _leg(crank + coupler, offset)
    nearest = _leg(crank - coupler, offset) if abs(crank - coupler) - abs(offset) > small else None
    travel = (Range(-reach, reach),) if nearest is None else (Range(-reach, -nearest), Range(nearest, reach))
    upper, lower = offset + coupler, offset - coupler
    return LinkageLimits(
        kind,
        _crank_ranges(crank, lower, upper, small),
        travel,
        (*_crank_stops(crank, lower, upper, small), *_slider_stops(crank, coupler, offset, reach, nearest)),
        tuple(angle for angle, gap in ((pi / 2, crank - upper), (-pi / 2, crank + lower)) if abs(gap) <= small),
        slides=True,
    )


def _refuse_if_open(lengths: dict[str, float], small: float) -> None:
    """Refuse lengths of which one is not positive (an offset may be zero), or not shorter than all others together."""
    listed = ", ".join(f"{name} {value:g}" for name, value in lengths.items())
    for name, value in lengths.items():
        if value <= 0 and name != "offset":
            raise AssemblyError(f"{listed}: the {name} has no length; give it a positive one")
    longest = max(lengths, key=lambda name: lengths[name])
    others = sum(lengths.values()) - lengths[longest]
    # of a slider-crank only the offset can be too long: the slider goes as far as it must
    if lengths[longest] >= others - small and (longest == "offset" or "offset" not in lengths):
        raise AssemblyError(
            f"{listed}: the links cannot move, because the {longest} is not shorter than the others together; "
            f"shorten it below {others:g}"
        )


def _angle_opposite(opposite: float, x: float, y: float) -> float:
    """Angle of a triangle between its sides *x* and *y*: tan²(θ/2) = (o² − (x − y)²) / ((x + y)² − o²)."""
    across = (opposite - x + y) * (opposite + x - y)
    along = (x + y - opposite) * (x + y + opposite)
    return 2 * atan2(sqrt(max(across, 0.0)), sqrt(max(along, 0.0)))


def _leg(hypotenuse: float, leg: float) -> float:
    """The other leg of a right-angled triangle."""
    return sqrt(max((hypotenuse - leg) * (hypotenuse + leg), 0.0))


def _dead_centres(arm: float, b: float, c: float, ground: float, small: float) -> dict[str, tuple[float, float]]:
    """Angles (arm, output) where the arm of a four-bar turns back, on the side where the arm's angle is positive."""
    found = {}
    for shape, distance in (("stretched", b + c), ("folded", abs(b - c))):
        if abs(arm - ground) + small < distance < arm + ground - small:
            at_output = _angle_opposite(arm, distance, ground)
            # a folded coupler that is longer than the output link reaches past the output pivot
            output = -at_output if shape == "folded" and b > c else pi - at_output
            found[shape] = (_angle_opposite(distance, arm, ground), output)
    return found


def _symmetric_ranges(low: float | None, high: float | None) -> tuple[Range, ...]:
    """Ranges of an angle whose magnitude lies between *low* and *high*, where there are such limits."""
    if low is None:
        return (Range(-pi, pi),) if high is None else (Range(-high, high),)
    if high is None:
        return (Range(low, 2 * pi - low),)
    return Range(-high, -low), Range(low, high)


def _both_sides(dead: list[tuple[str, str, str, float, float]]) -> list[DeadCentre]:
    """Dead centres and their mirror images about the line of the ground."""
    return [
        DeadCentre(stops, links, shape, _wrapped(sign * angle), _wrapped(sign * output))
        for stops, links, shape, angle, output in dead
        for sign in (1, -1)
    ]


def _crank_ranges(crank: float, lower: float, upper: float, small: float) -> tuple[Range, ...]:
    """Ranges of θ with lower ≤ a sin θ ≤ upper."""
    top = atan2(upper, _leg(crank, upper)) if upper < crank - small else None
    bottom = atan2(lower, _leg(crank, lower)) if lower > small - crank else None
    if top is None:
        return (Range(-pi, pi),) if bottom is None else (Range(bottom, pi - bottom),)
    if bottom is None:
        return (Range(-pi - top, top),)
    return Range(bottom, top), Range(pi - top, pi - bottom)


def _crank_stops(crank: float, lower: float, upper: float, small: float) -> list[DeadCentre]:
    """Where the crank turns back: the coupler stands across the line of travel."""
    return [
        DeadCentre("input", "coupler and slide", "at right angles", atan2(height, side * leg), side * leg)
        for height in (upper, lower)
        if abs(height) < crank - small
        for leg in (_leg(crank, height),)
        for side in (1, -1)
    ]


def _slider_stops(crank: float, coupler: float, offset: float, reach: float, nearest: float | None) -> list[DeadCentre]:
    """Where the slider turns back: crank and coupler in line; the pin is then a ± b along the crank from its pivot."""
    shapes = [("stretched", reach, 1.0)]
    if nearest is not None:
        shapes.append(("folded", nearest, copysign(1.0, crank - coupler)))
    return [
        DeadCentre("output", "input and coupler", shape, atan2(sense * offset, sense * side * travel), side * travel)
        for shape, travel, sense in shapes
        for side in (1, -1)
    ]


def _wrapped(angle: float) -> float:
    """*angle* in the turn from −π to π."""
    return angle - 2 * pi if angle > pi else angle + 2 * pi if angle < -pi else angle


def _text(value: float, slides: bool) -> str:
    return f"{value:.6g}" if slides else f"{degrees(value):.4f}°"


def _ranges_text(ranges: tuple[Range, ...], slides: bool) -> str:
    if not slides and ranges[0].full_turn:
        return "full turn"
    return " or ".join(f"{_text(part.low, slides)} to {_text(part.high, slides)}" for part in ranges)
