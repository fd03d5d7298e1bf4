"""What one reads off the motion of a plane mechanism: instant centres, centrodes, curvature, transmission, advantage.

Of a body with angular velocity ω and a point at r with velocity v, the instant centre is r + k × v / ω; in world axes its
path is the fixed centrode, in those of the body the moving one, and they roll on each other. The curvature of the path of a
point is (ẋ ÿ − ẏ ẍ) / |v|³.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from linkwork.answer import Answer, Column
from linkwork.arrays import Array
from linkwork.errors import RefusedError, UnknownNameError, did_you_mean
from linkwork.results.drawing import GROUND, JointDrawing
from linkwork.results.measured import MeasuredValues
from linkwork.results.result import Result, ResultAnswer

SLIDES = ("prismatic", "point_on_line")
SHORT = 1e-12  # of the places of joints: a bar that is no bar


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
    """The instant centre (N, 2) of a body of a plane mechanism against the ground, or against another body, m.

    Where the body does not turn (relative to the other) it is infinitely far away.
    """
    result = _plane(result)
    against = "" if relative_to is None else f" against {relative_to}"
    centre = _centre(result, body, relative_to)
    return _measured(result, f"instant centre of {body}{against}", centre, "m", axes=("x", "y"))


def _centre(result: Result, body: str, relative_to: str | None) -> Array:
    place, velocity, omega = _motion(result, body)
    if relative_to is not None:
        other, drift, turning = _motion(result, relative_to)
        arm = place - other
        velocity = velocity - drift - turning[:, None] * np.column_stack([-arm[:, 1], arm[:, 0]])
        omega = omega - turning
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(place + np.column_stack([-velocity[:, 1], velocity[:, 0]]) / omega[:, None])


def centrodes(result: Result | ResultAnswer, body: str) -> Centrodes:
    """The fixed and the moving centrode of a body of a plane mechanism."""
    result = _plane(result)
    fixed = _centre(result, body, None)
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


def transmission_angle(result: Result | ResultAnswer, joint: str) -> MeasuredValues:
    """The transmission angle (N) at the revolute joint between coupler and follower: between their bars, at most 90 degrees.

    The bars go from the joint to the other joints of its two bodies; the bar of one that slides stands across its guide, as
    one of endless length would.
    """
    result = _plane(result)
    joints, joint = {item.name: item for item in result.drawing.joints}, result.drawing.named(joint)
    if joint not in joints:
        raise UnknownNameError(f"'{joint}' is no joint; {did_you_mean(joint, list(joints))}")
    ends = []
    for body in (joints[joint].parent, joints[joint].body):
        others = [item for item in joints.values() if item.name != joint and body in (item.parent, item.body)]
        if body == GROUND or len(others) != 1:
            raise RefusedError(f"the bar of {body} at {joint} is not clear: it has {len(others)} other joints")
        ends.append(_bar(result, body, joints[joint], others[0]))
    cosine = np.sum(ends[0] * ends[1], axis=1) / np.prod([np.linalg.norm(end, axis=1) for end in ends], axis=0)
    angle = np.arccos(np.clip(cosine, -1.0, 1.0))
    return _measured(result, f"transmission angle at {joint}", np.minimum(angle, np.pi - angle), "rad")


def _bar(result: Result, body: str, joint: JointDrawing, other: JointDrawing) -> Array:
    """The bar (N, 2) of a body from one of its joints to the other; of a slide the normal of its guide."""
    if other.kind in SLIDES and other.axis is not None:
        turned = np.zeros(len(result)) if other.carrier == GROUND else result[f"{other.carrier}.angle"]
        (x, y), c, s = other.axis[:2], np.cos(turned), np.sin(turned)
        return np.column_stack([-(s * x + c * y), c * x - s * y])
    bar = _place(result, other) - _place(result, joint)
    shortest = float(np.min(np.linalg.norm(bar, axis=1)))
    if shortest <= SHORT * max(float(np.max(np.abs(_place(result, joint)))), 1e-300):
        raise RefusedError(
            f"{body} has no bar at {joint.name}: its other joint {other.name} lies at the same point; ask at another joint"
        )
    return bar


def mechanical_advantage(result: Result | ResultAnswer, input: str, output: str) -> MeasuredValues:
    """Output effort over input effort of an ideal mechanism (N): the speed of the input over that of the output.

    input, output: joints, or quantities that are speeds, such as 'O.speed' and 'B.vx'.
    """
    result = _run(result)
    input, output = _speed(result, input), _speed(result, output)
    with np.errstate(divide="ignore", invalid="ignore"):
        advantage = np.asarray(result[input] / result[output])
    unit = f"({result.quantity(input).unit})/({result.quantity(output).unit})"
    same = result.quantity(input).unit == result.quantity(output).unit
    return _measured(result, f"{input} over {output}", advantage, "1" if same else unit)


def _measured(result: Result, of: str, values: Array, unit: str, *, axes: tuple[str, ...] = ()) -> MeasuredValues:
    over = result.variable.column(result.time)
    return MeasuredValues(of, over, values, unit, axes, result.name, partial(_column, result))


def _column(result: Result, name: str) -> Column:
    return result.shown([name])[1]


def _place(result: Result, joint: JointDrawing) -> Array:
    """Where a joint is (N, 2)."""
    if joint.body == GROUND:
        return np.tile(joint.point, (len(result), 1))
    angle, (x, y) = result[f"{joint.body}.angle"], joint.point
    c, s = np.cos(angle), np.sin(angle)
    return np.column_stack(
        [result[f"{joint.body}.origin.x"] + c * x - s * y, result[f"{joint.body}.origin.y"] + s * x + c * y]
    )


def _motion(result: Result, body: str) -> tuple[Array, Array, Array]:
    place = np.column_stack([result[f"{body}.x"], result[f"{body}.y"]])
    velocity = np.column_stack([result[f"{body}.vx"], result[f"{body}.vy"]])
    return place, velocity, result[f"{body}.speed"]


def _plane(result: Result | ResultAnswer) -> Result:
    result = _run(result)
    if result.drawing.space != "planar":
        raise RefusedError(f"'{result.name}' moves in space: this is asked of plane mechanisms")
    return result


def _run(result: Result | ResultAnswer) -> Result:
    """The motion of an answer, such as that of inverse dynamics."""
    return result.result if isinstance(result, ResultAnswer) else result


def _speed(result: Result, name: str) -> str:
    """The name of a speed; that of a joint stands for its own."""
    joint = result.drawing.named(name)
    return f"{joint}.speed" if joint in {item.name for item in result.drawing.joints} else name
