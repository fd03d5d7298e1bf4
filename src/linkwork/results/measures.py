"""What one reads off the motion of a plane mechanism: instant centres, centrodes, curvature, transmission, advantage.

Of a body with angular velocity ω and a point at r with velocity v, the instant centre is r + k × v / ω; in world axes its
path is the fixed centrode, in those of the body the moving one, and they roll on each other. The curvature of the path of a
point is (ẋ ÿ − ẏ ẍ) / |v|³.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from linkwork.answer import Answer, Column
from linkwork.arrays import Array
from linkwork.errors import RefusedError, UnknownNameError, did_you_mean
from linkwork.results.drawing import GROUND, Drawing, JointDrawing, Vector
from linkwork.results.measured import MeasuredValues
from linkwork.results.result import Result
from linkwork.results.result_answer import ResultAnswer, motion_of

SLIDES = ("prismatic", "point_on_line")
FOLDED = "from 0 to 90 deg: angles beyond are given by 180 deg less them, which transmit alike; curves turn back there"
PIN = 1e-6  # of the largest body: joints that are nearer are on one pin, which runs keep closed to less


@dataclass(frozen=True, eq=False, repr=False)
class Centrodes(Answer):
    """The path of an instant centre: ``fixed`` (N, 2) in world axes, ``moving`` (N, 2) in those of the body, m."""

    view = "paths.plot_centrodes"

    body: str
    fixed: Array
    moving: Array
    result: Result

    @property
    def title(self) -> str:
        return f"centrodes of {self.body}, {len(self.fixed)} samples"

    def facts(self) -> list[tuple[str, str]]:
        """How far both reach, where they are not infinitely far away."""
        rows = []
        for name, path in (("fixed", self.fixed), ("moving", self.moving)):
            known = path[np.all(np.isfinite(path), axis=1)]
            box = " × ".join(f"{x:.4g}" for x in np.ptp(known, axis=0)) if len(known) else ""
            rows.append((name, f"in a box of {box} m" if box else "infinitely far away"))
        return rows

    def columns(self) -> list[Column]:
        """Both, sample by sample."""
        paths = (("fixed", self.fixed), ("moving", self.moving))
        places = (Column(f"{name} {axis}", path[:, i], "m") for name, path in paths for i, axis in enumerate("xy"))
        return [self.result.variable.column(self.result.time), *places]


def instant_centre(result: Result | ResultAnswer, body: str, *, relative_to: str | None = None) -> MeasuredValues:
    """The instant centre (N, 2) of a body of a plane mechanism against the ground, or against another one, m.

    Where the body does not turn (relative to the other) it is infinitely far away.
    """
    result = _plane(result)
    body, other = _body(result, body), GROUND if relative_to is None else _body(result, relative_to)
    if body == other:
        raise RefusedError(f"{body} does not move against itself: an instant centre is that of two bodies")
    against = "" if other == GROUND else f" against {other}"
    centre = _centre(result, body, other)
    return _measured(result, f"instant centre of {body}{against}", centre, "m", axes=("x", "y"))


def _centre(result: Result, body: str, relative_to: str = GROUND) -> Array:
    place, velocity, omega = _motion(result, body)
    other, drift, turning = _motion(result, relative_to)
    arm = place - other
    velocity = velocity - drift - turning[:, None] * np.column_stack([-arm[:, 1], arm[:, 0]])
    omega = omega - turning
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(place + np.column_stack([-velocity[:, 1], velocity[:, 0]]) / omega[:, None])


def centrodes(result: Result | ResultAnswer, body: str) -> Centrodes:
    """The fixed and the moving centrode of a body of a plane mechanism."""
    result = _plane(result)
    body = _body(result, body, ())
    fixed = _centre(result, body)
    arm = fixed - np.column_stack([result[f"{body}.origin.x"], result[f"{body}.origin.y"]])
    c, s = np.cos(result[f"{body}.angle"]), np.sin(result[f"{body}.angle"])
    moving = np.column_stack([c * arm[:, 0] + s * arm[:, 1], -s * arm[:, 0] + c * arm[:, 1]])
    return Centrodes(body, fixed, moving, result)


def path_curvature(result: Result | ResultAnswer, point: str) -> MeasuredValues:
    """The curvature (N) of the path of a point in the plane, 1/m: positive where it bends to the left."""
    result = _plane(result)
    vx, vy, ax, ay = (result[f"{point}.{name}"] for name in ("vx", "vy", "ax", "ay"))
    with np.errstate(divide="ignore", invalid="ignore"):
        curvature = np.asarray((vx * ay - vy * ax) / np.hypot(vx, vy) ** 3)
    return _measured(result, f"curvature of the path of {point}", curvature, "1/m")


def transmission_angle(
    result: Result | ResultAnswer, joint: str, *, ends: Mapping[str, str] | None = None
) -> MeasuredValues:
    """The transmission angle (N) at the revolute joint between coupler and follower: between their bars, 0 to 90 degrees.

    An angle of 100 degrees transmits as one of 80 does, and is given as 80: where it passes 90, its curve turns back.
    A bar is that of the two points that the body declares, or goes from the joint to the other joints of the body; the bar
    of one that slides stands across its guide, as one of endless length would.

    ends: bodies with the point or joint at the other end of their bar, where that is not clear: {"plate": "B"}
    """
    result = _plane(result)
    joints, joint, ends = {item.name: item for item in result.drawing.joints}, result.drawing.named(joint), ends or {}
    if joint not in joints:
        raise UnknownNameError(_no_joint(joint, result.drawing))
    bodies = (joints[joint].parent, joints[joint].body)
    for body in ends:
        if body not in bodies:
            raise UnknownNameError(f"ends names '{body}', which is not at {joint}: {' and '.join(bodies)} are")
    bars = [_bar(result, body, joints[joint], ends.get(body)) for body in bodies]
    # by sine and cosine, since either alone loses digits near its extremes
    cosine, sine = np.sum(bars[0] * bars[1], axis=1), _cross(*bars)
    found = _measured(result, f"transmission angle at {joint}", np.arctan2(np.abs(sine), np.abs(cosine)), "rad")
    folded = bool(np.any(cosine > 0.0) and np.any(cosine < 0.0))
    return replace(found, notes=(FOLDED,)) if folded else found


def _no_joint(name: str, drawing: Drawing) -> str:
    """What to say of a name that is none of a joint; that of a pin is of several."""
    known = [item.name for item in drawing.joints]
    return drawing.told_of_pin(name) or f"'{name}' is no joint; {did_you_mean(name, known)}"


def _bar(result: Result, body: str, joint: JointDrawing, end: str | None) -> Array:
    """The bar (N, 2) of a body from one of its joints, to an end of that name if one is given; of a slide its normal."""
    if body == GROUND:
        raise RefusedError(f"the bar of ground at {joint.name} is not clear: ask at the joint of coupler and follower")
    others = _others(result, body, joint)
    declared = _declared_bar(result, body, joint)
    if end is not None:
        others, declared = {end: _end(result, body, joint, end)}, None
    if declared is not None and not (len(others) == 1 and _slides(result, *others)):
        return declared
    bars = list(others.values())
    if not bars or any(not _parallel(bars[0], bar) for bar in bars[1:]):
        found = f"other joints in several directions: {', '.join(others)}" if bars else "no other joint away from it"
        choice = next(iter(others), next(iter(result.drawing.bodies[body].points), "P"))
        raise RefusedError(
            f"the bar of {body} at {joint.name} is not clear: it has {found}; choose a point or joint of {body}, such as "
            f"ends={{'{body}': '{choice}'}}"
        )
    return bars[0]


def _others(result: Result, body: str, joint: JointDrawing) -> dict[str, Array]:
    """Bars (N, 2) of a body to all of its other joints; those on the same pin are no other ends."""
    mine = [item for item in result.drawing.joints if item.name != joint.name and body in (item.parent, item.body)]
    bars = {item.name: _direction(result, joint, item) for item in mine}
    return {name: bar for name, bar in bars.items() if not _is_pin(result, bar)}


def _declared_bar(result: Result, body: str, joint: JointDrawing) -> Array | None:
    """The bar (N, 2) between the two points that a body declares, where the joint is at one of them."""
    drawn = result.drawing.bodies[body]
    if len(drawn.segments) != 1:
        return None
    first, last = (_world(result, body, drawn.points[name]) for name in drawn.segments[0])
    at_end = any(_is_pin(result, _place(result, joint) - end) for end in (first, last))
    return last - first if at_end and not _is_pin(result, last - first) else None


def _end(result: Result, body: str, joint: JointDrawing, end: str) -> Array:
    """The bar (N, 2) of a body from its joint to a point or another joint of it that is named."""
    points = result.drawing.bodies[body].points
    others = {item.name: item for item in result.drawing.joints if body in (item.parent, item.body)}
    if end not in points and end not in others:
        raise UnknownNameError(f"ends: {body} has no point or joint '{end}'; {did_you_mean(end, [*points, *others])}")
    if end in points:
        bar = _world(result, body, points[end]) - _place(result, joint)
    else:
        bar = _direction(result, joint, others[end])
    if _is_pin(result, bar):
        raise RefusedError(
            f"{body} has no bar from {joint.name} to {end}: both are at the same point; name another end"
        )
    return bar


def _slides(result: Result, name: str) -> bool:
    return any(item.name == name and item.kind in SLIDES for item in result.drawing.joints)


def _direction(result: Result, joint: JointDrawing, other: JointDrawing) -> Array:
    """From one joint to another (N, 2); of a slide the normal of its guide."""
    if other.kind in SLIDES and other.axis is not None:
        turned = np.zeros(len(result)) if other.carrier == GROUND else result[f"{other.carrier}.angle"]
        (x, y), c, s = other.axis[:2], np.cos(turned), np.sin(turned)
        return np.column_stack([-(s * x + c * y), c * x - s * y])
    return _place(result, other) - _place(result, joint)


def _is_pin(result: Result, bar: Array) -> bool:
    """Whether a bar (N, 2) is none: its ends are on one pin, as near as conditions are kept."""
    drawn = result.drawing
    sizes = [
        np.linalg.norm(np.ptp(list(body.points.values()), axis=0)) for body in drawn.bodies.values() if body.points
    ]
    return float(np.max(np.linalg.norm(bar, axis=1))) <= PIN * float(max(sizes, default=0.0))


def _parallel(one: Array, other: Array) -> bool:
    """Whether two bars (N, 2) have one line at all samples, which is all that an angle of at most 90 degrees asks for."""
    sizes = np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1)
    return bool(np.all(np.abs(_cross(one, other)) <= PIN * sizes))


def _cross(one: Array, other: Array) -> Array:
    return np.asarray(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0])


def mechanical_advantage(result: Result | ResultAnswer, input: str, output: str) -> MeasuredValues:
    """Output effort over input effort of an ideal mechanism (N): the speed of the input over that of the output.

    input, output: joints, or quantities that are speeds, such as 'O.speed' and 'B.vx'.
    """
    result = motion_of(result)
    input, output = _speed(result, input), _speed(result, output)
    with np.errstate(divide="ignore", invalid="ignore"):
        advantage = np.asarray(result[input] / result[output])
    # both are over time, or over an input
    one, other = (result.quantity(name).unit.rpartition("/")[0] for name in (input, output))
    return _measured(result, f"{input} over {output}", advantage, "1" if one == other else f"{one}/{other}")


def _measured(result: Result, of: str, values: Array, unit: str, *, axes: tuple[str, ...] = ()) -> MeasuredValues:
    over = result.variable.column(result.time)
    return MeasuredValues(of, over, values, unit, axes, result.name, partial(_column, result))


def _column(result: Result, name: str) -> Column:
    return result.shown([name])[-1]


def _place(result: Result, joint: JointDrawing) -> Array:
    """Where a joint is (N, 2)."""
    return _world(result, joint.body, joint.point)


def _world(result: Result, body: str, point: Vector) -> Array:
    """Where a point of a body is (N, 2)."""
    if body == GROUND:
        return np.tile(point, (len(result), 1))
    angle, (x, y) = result[f"{body}.angle"], point
    c, s = np.cos(angle), np.sin(angle)
    return np.column_stack([result[f"{body}.origin.x"] + c * x - s * y, result[f"{body}.origin.y"] + s * x + c * y])


def _body(result: Result, name: str, beside: Sequence[str] = (GROUND,)) -> str:
    """A body by its name, or what is known *beside* those that move."""
    known, name = [*result.drawing.bodies, *beside], result.drawing.named(name)
    if name not in known:
        raise UnknownNameError(f"'{name}' is no body{'' if beside else ' that moves'}; {did_you_mean(name, known)}")
    return name


def _motion(result: Result, body: str) -> tuple[Array, Array, Array]:
    if body == GROUND:
        return np.zeros((len(result), 2)), np.zeros((len(result), 2)), np.zeros(len(result))
    place = np.column_stack([result[f"{body}.x"], result[f"{body}.y"]])
    velocity = np.column_stack([result[f"{body}.vx"], result[f"{body}.vy"]])
    return place, velocity, result[f"{body}.speed"]


def _plane(result: Result | ResultAnswer) -> Result:
    result = motion_of(result)
    if result.drawing.space != "planar":
        raise RefusedError(f"'{result.name}' moves in space: this is asked of plane mechanisms")
    return result


def _speed(result: Result, name: str) -> str:
    """The name of a speed; that of a joint stands for its own."""
    joint, over = result.drawing.named(name), f"/{result.variable.unit}"
    speeds = [f"{item.name}.speed" for item in result.drawing.joints if f"{item.name}.speed" in result]
    if f"{joint}.speed" in speeds:
        return f"{joint}.speed"
    if name not in result:
        known = [item.removesuffix(".speed") for item in speeds] if "." not in name else speeds
        raise UnknownNameError(f"'{name}' is no joint or speed; {did_you_mean(name, known)}")
    unit = result.quantity(name).unit
    if unit not in (f"m{over}", f"rad{over}"):
        raise RefusedError(f"{name} [{unit}] is no speed: name a joint, or a speed such as 'O.speed' or 'B.vx'")
    return name
