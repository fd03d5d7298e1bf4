"""Write a planar four-bar as an ACUBE command file; the meaning of its numbers is told in ``acube.py``."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from linkwork.algebra.expressions import Expression
from linkwork.errors import Fault, LinkworkError, ModelError
from linkwork.formats.acube_commands import (
    BODIES,
    COORDINATES,
    DRIVER,
    END,
    FIXED_ANGLE,
    FIXED_X,
    FIXED_Y,
    FOURBAR,
    INERTIA,
)
from linkwork.model import GROUND, Body, Driver, Model
from linkwork.model.body import DEFAULT_BODY
from linkwork.model.inertia import Moments, PointMass
from linkwork.model.rotation import PlanarAngle

Analysis = Literal["kinematic", "force", "motion"]
"""ACUBE's analyses: kinematic; dynamic force (kinematically driven); dynamic motion (from initial conditions)."""

TwoNumbers = tuple[float, float]


@dataclass(frozen=True)
class _Loop:
    """Names of the links and of the joints O, A, B, D around the loop."""

    crank: str
    coupler: str
    follower: str
    joints: tuple[str, str, str, str]


@dataclass(frozen=True)
class _Link:
    """A link between two joints, in the sketch: places in the frame of the body, m; the frame in the world, m and rad."""

    first: TwoNumbers
    second: TwoNumbers
    com: TwoNumbers
    origin: TwoNumbers
    angle: float
    mass: float  # kg
    inertia: float  # kg·m², about the centre of mass

    def from_centre(self) -> tuple[float, float, float, float]:
        """Both joints seen from the centre of mass, in axes of the body: (x, y, x, y)."""
        (x, y), (x1, y1), (x2, y2) = self.com, self.first, self.second
        return x1 - x, y1 - y, x2 - x, y2 - y

    def centre(self) -> TwoNumbers:
        """World position of the centre of mass."""
        (x, y), c, s = self.com, math.cos(self.angle), math.sin(self.angle)
        return self.origin[0] + c * x - s * y, self.origin[1] + s * x + c * y

    def along(self) -> tuple[float, float, float, float]:
        """(length, a, b, angle): the first joint at (a, b) from the centre of mass in axes along the link, and their
        angle in the world; the link points from the first joint to the second."""
        dx, dy = self.second[0] - self.first[0], self.second[1] - self.first[1]
        length = math.hypot(dx, dy)
        ux, uy = dx / length, dy / length
        x, y, *_ = self.from_centre()
        return length, x * ux + y * uy, y * ux - x * uy, self.angle + math.atan2(dy, dx)


def write_acube(model: Model, analysis: Analysis | None = None) -> str:
    """Write a four-bar as a command file that reads to the same mechanism.

    analysis: 'kinematic', 'force' or 'motion'; by default what the model is made for: a free crank asks for motion, a
    driven one for forces, or for kinematics when no link has inertia. ModelError names what a file cannot express.
    """
    loop = _checked_loop(model)
    links = [_link(model, *parts) for parts in zip(_bodies(loop), _ends(loop), strict=True)]
    angle = links[0].along()[3]
    start, rates = _motion(model, loop, angle)
    chosen = analysis or _made_for(model, links)
    _refuse([*_line_faults(loop, links), *_analysis_faults(model, chosen, links)])
    return _text(model, chosen, _ground_joints(model, loop), links, (start, *rates))


def _refuse(faults: Sequence[Fault]) -> None:
    if faults:
        raise ModelError(faults, source="an ACUBE file cannot express this model")


def _number(model: Model, path: str, value: Expression) -> float:
    try:
        return model.number(value)
    except (LinkworkError, KeyError):
        _refuse([Fault(path, f"'{value}' is not a constant", "an ACUBE file holds numbers only")])
        raise


def _pair(model: Model, path: str, values: Sequence[Expression]) -> TwoNumbers:
    x, y = (_number(model, path, value) for value in values)
    return x, y


# -- which mechanisms --------------------------------------------------------------------------------------------------


def _checked_loop(model: Model) -> _Loop:
    _refuse(list(_section_faults(model)))
    _refuse(list(_joint_faults(model)))
    ground = [name for name, joint in model.joints.items() if GROUND in joint.bodies]
    inner = [name for name in model.joints if name not in ground]
    hint = "ground, crank, coupler and follower must form one loop with four revolute joints"
    if len(model.bodies) != 3 or len(ground) != 2 or len(inner) != 2:
        _refuse([Fault("joints", f"{len(model.bodies)} bodies with {len(model.joints)} joints are no four-bar", hint)])
    chosen = [driver.joint for driver in model.joint_drivers.values()] + list(model.initial)
    first = next((name for name in chosen if name in ground), ground[0])
    if first != ground[0]:
        ground.reverse()
    crank, follower = (next(body for body in model.joints[name].bodies if body != GROUND) for name in ground)
    couplers = [body for body in model.bodies if body not in (crank, follower)]
    if len(couplers) != 1:
        _refuse([Fault(f"joints.{ground[1]}", f"both joints of the ground hold '{crank}'", hint)])
    at_crank, at_follower = (
        next((name for name in inner if set(model.joints[name].bodies) == {side, couplers[0]}), "")
        for side in (crank, follower)
    )
    if not (at_crank and at_follower):
        _refuse([Fault(f"joints.{inner[0]}", "does not continue the loop", hint)])
    return _Loop(crank, couplers[0], follower, (ground[0], at_crank, at_follower, ground[1]))


def _section_faults(model: Model) -> Iterator[Fault]:
    if model.space != "planar":
        yield Fault("space", "is spatial", "only planar four-bars can be written")
    if any(_number(model, "gravity", component) != 0.0 for component in model.gravity):
        yield Fault("gravity", "is not zero", "the format knows no forces; write gravity: [0, 0]")
    if len(model.name.splitlines()) > 1:
        yield Fault("name", "has several lines", "a title is one line")
    if any(line.strip().startswith((">", "filename ")) for line in model.description.splitlines()):
        yield Fault("description", "has a line that a reader takes for more", "begin no line with '>' or 'filename'")
    if model.base is not None:
        yield Fault("base", "the ground moves", "the format knows no forces; leave it out")
    for section in ("couplings", "relations", "forces", "start", "branches", "groups", "definitions", "outputs"):
        for name in getattr(model, section):
            yield Fault(f"{section}.{name}", "has no command in the format", "leave it out")
    for name, body in model.bodies.items():
        if body.kind != DEFAULT_BODY:
            yield Fault(f"bodies.{name}.kind", f"is {body.kind}; the format holds rigid bodies only", "leave it out")
    for name in model.live_parameters:
        yield Fault(f"parameters.{name}", "is live, and the format holds numbers only", "make it a fixed parameter")
    for name in model.guides:
        yield Fault(f"drivers.{name}", "moves a body or a point", "drive the crank by its joint")
    for name in list(model.drivers)[1:]:
        yield Fault(f"drivers.{name}", "is a second driver; a four-bar has one degree of freedom", "leave it out")


def _joint_faults(model: Model) -> Iterator[Fault]:
    driven = {driver.joint for driver in model.joint_drivers.values()}
    for name, joint in model.joints.items():
        if joint.kind != "revolute":
            yield Fault(f"joints.{name}", f"is {joint.kind}", "all joints of a planar four-bar are revolute")
    for name in [*driven, *model.initial]:
        joint_ = model.joints.get(name)
        if joint_ is None or joint_.parent != GROUND or joint_.reference is not None:
            hint = "the crank is given by a joint with bodies: [ground, crank] and without reference"
            yield Fault(f"joints.{name}" if joint_ else f"initial.{name}", "does not give the angle of the crank", hint)
    for name in list(model.initial)[1:] if not driven else list(model.initial):
        yield Fault(f"initial.{name}", "is more than the start of the crank", "give angle and speed of the crank only")


# -- geometry ----------------------------------------------------------------------------------------------------------


def _bodies(loop: _Loop) -> tuple[str, str, str]:
    return loop.crank, loop.coupler, loop.follower


def _ends(loop: _Loop) -> tuple[tuple[str, str], ...]:
    """First and second joint of crank, coupler and follower; those on the ground come first."""
    o, a, b, d = loop.joints
    return (o, a), (a, b), (d, b)


def _point(model: Model, joint: str, body: str) -> str:
    on_parent, on_child = model.joint_points(joint)
    return on_parent if model.joints[joint].parent == body else on_child


def _ground_joints(model: Model, loop: _Loop) -> tuple[TwoNumbers, TwoNumbers]:
    names = [_point(model, joint, GROUND) for joint in (loop.joints[0], loop.joints[3])]
    first, second = (_pair(model, f"points.{name}", model.points[name]) for name in names)
    return first, second


def _link(model: Model, name: str, joints: tuple[str, str]) -> _Link:
    path, body = f"bodies.{name}", model.bodies[name]
    local, origin, angle = _frame(model, path, body)
    first, second = (local[_point(model, joint, name)] for joint in joints)
    length = math.dist(first, second)
    if not 0.0 < length < math.inf:
        _refuse([Fault(path, f"the distance of its joints is {length:g} m", "a link of a four-bar has a length")])
    com = _com(model, path, body, local)
    return _Link(first, second, com, origin, angle, _mass(model, path, body), _inertia(model, path, body, local))


def _frame(model: Model, path: str, body: Body) -> tuple[dict[str, TwoNumbers], TwoNumbers, float]:
    """Points of a body in its frame, world position of the frame in the sketch, and its angle."""
    local = {point: _pair(model, f"{path}.points", place) for point, place in body.local_points.items()}
    world = {point: _pair(model, f"points.{point}", model.points[point]) for point in body.sketch_points}
    if body.bar is not None:
        (x0, y0), (x1, y1) = (world[point] for point in body.bar)
        length = math.hypot(x1 - x0, y1 - y0)
        length = length if body.length is None else _number(model, f"{path}.length", body.length)
        return {body.bar[0]: (0.0, 0.0), body.bar[1]: (length, 0.0), **local}, (x0, y0), math.atan2(y1 - y0, x1 - x0)
    if world:
        x0, y0 = world[body.sketch_points[0]]
        return {point: (x - x0, y - y0) for point, (x, y) in world.items()}, (x0, y0), 0.0
    if body.origin is None:
        _refuse([Fault(path, "is placed neither by a bar nor by its origin", "give origin and rotation")])
    place = model.points[body.origin] if isinstance(body.origin, str) else body.origin or ()
    turned = body.rotation.angle if isinstance(body.rotation, PlanarAngle) else None
    angle = 0.0 if turned is None else _number(model, f"{path}.rotation", turned)
    return local, _pair(model, f"{path}.origin", place), angle


def _com(model: Model, path: str, body: Body, local: dict[str, TwoNumbers]) -> TwoNumbers:
    if isinstance(body.com, str):
        return local[body.com]
    if body.com is not None:
        return _pair(model, f"{path}.com", body.com)
    # a bar has it in the middle; a massless body may have it anywhere
    return (local[body.bar[1]][0] / 2, 0.0) if body.bar is not None else next(iter(local.values()))


def _mass(model: Model, path: str, body: Body) -> float:
    if body.assembled:
        _refuse([Fault(path, "is built from shapes, a mesh or point masses", "give mass, com and inertia as numbers")])
    if body.mass is None:
        _refuse([Fault(f"{path}.density", "the mass is given by a density", "give mass and inertia as numbers")])
        return 0.0
    return _number(model, f"{path}.mass", body.mass)


def _inertia(model: Model, path: str, body: Body, local: dict[str, TwoNumbers]) -> float:
    mass = _mass(model, path, body)
    match body.inertia:
        case Moments((single,)):
            return _number(model, f"{path}.inertia", single)
        case None if mass == 0.0 or body.bar is None:
            return 0.0
        case None if body.bar is not None and body.radius is None and body.section is None:
            return mass * local[body.bar[1]][0] ** 2 / 12.0
        case PointMass():
            return 0.0
    _refuse([Fault(f"{path}.inertia", "is given by a shape", "give the moment of inertia as a number")])
    return 0.0


def _line_faults(loop: _Loop, links: Sequence[_Link]) -> Iterator[Fault]:
    for name, link in ((loop.crank, links[0]), (loop.follower, links[2])):
        length, _, off, _ = link.along()
        if abs(off) > 1e-12 * length:
            hint = "crank and follower have their centres of mass on the line of their joints"
            yield Fault(f"bodies.{name}.com", f"lies {abs(off):g} m beside the line of the joints", hint)


# -- motion ------------------------------------------------------------------------------------------------------------


def _made_for(model: Model, links: Sequence[_Link]) -> Analysis:
    if not model.joint_drivers:
        return "motion"
    return "force" if any(link.mass or link.inertia for link in links) else "kinematic"


def _analysis_faults(model: Model, analysis: str, links: Sequence[_Link]) -> Iterator[Fault]:
    fitting = {_made_for(model, links)}
    if model.joint_drivers:
        # massless links have forces too: zero
        fitting |= {"force"}
    if analysis not in fitting:
        state = f"its crank is {'driven' if model.joint_drivers else 'free'}"
        state += " and its links have inertia" if "kinematic" not in fitting and model.joint_drivers else ""
        yield Fault(
            "", f"the model does not fit the analysis '{analysis}': {state}", f"ask for: {' or '.join(sorted(fitting))}"
        )


def _motion(model: Model, loop: _Loop, angle: float) -> tuple[float, TwoNumbers]:
    """Angle of the crank at the start, and (speed, acceleration)."""
    if not model.joint_drivers:
        joint = loop.joints[0]
        values = {
            key: _number(model, f"initial.{joint}.{key}", value)
            for key, value in model.initial.get(joint, {}).items()
            if isinstance(value, Expression)
        }
        return values.get("angle", angle), (values.get("speed", 0.0), 0.0)
    ((name, driver),) = model.joint_drivers.items()
    return _driven(model, f"drivers.{name}", driver, angle)


def _driven(model: Model, path: str, driver: Driver, angle: float) -> tuple[float, TwoNumbers]:
    if driver.level == "position":
        _refuse([Fault(f"{path}.position", "is given", "give a constant speed or acceleration, and initial")])
    start = angle if driver.initial is None else _number(model, f"{path}.initial", driver.initial)
    value = _number(model, f"{path}.{driver.level}", driver.motion)
    if driver.level == "speed":
        return start, (value, 0.0)
    speed = 0.0 if driver.initial_speed is None else _number(model, f"{path}.initial_speed", driver.initial_speed)
    return start, (speed, value)


# -- text --------------------------------------------------------------------------------------------------------------


def _text(
    model: Model,
    analysis: str,
    ground: tuple[TwoNumbers, TwoNumbers],
    links: Sequence[_Link],
    start: tuple[float, float, float],
) -> str:
    crank, coupler, follower = links
    (l1, a1, _, _), (l3, a3, _, psi3) = crank.along(), follower.along()
    psi1, speed, acceleration = start
    free = analysis == "motion"
    lines = ["ACUBE", *([f"filename {model.name}.dat"] if model.name else [])]
    lines += [line.strip() for line in model.description.splitlines() if line.strip()]
    lines += [f">{BODIES}", "2", f">{FOURBAR}"]
    lines += [f"0 {_row(*ground[0], *ground[1])}", f"1 {_row(*coupler.from_centre())}"]
    lines += [_row(a1, 0.0, a3, 0.0), _row(l1, l3, 0.0, 0.0), "The ground does not move"]
    lines += [f">{FIXED_X}", f"0 {_row(*[0.0] * 5)}", f">{FIXED_Y}", f"0 {_row(*[0.0] * 5)}"]
    lines += [f">{FIXED_ANGLE}", f"0 {_row(*[0.0] * 3)}", "Angle, speed and acceleration of the crank"]
    lines += [f">{DRIVER}", "0"]
    for flag, value in ((1, psi1), (1, speed), (0 if free else 1, acceleration)):
        lines.append(f"{flag} {_row(value, *[0.0] * 10)}")
    lines += ["Ground, crank, follower and coupler at the start", f">{COORDINATES}"]
    lines.append(_row(0.0, 0.0, 0.0, psi1, psi3, *coupler.centre(), coupler.angle))
    if analysis != "kinematic":
        lines += ["Masses and inertias of crank, coupler, follower and ground", f">{INERTIA}"]
        lines += [_row(*(link.mass for link in links), 0.0), _row(*(link.inertia for link in links), 0.0)]
    return "\n".join([*lines, f">{END}", ""])


def _row(*values: float) -> str:
    """Numbers that read back exactly; whole ones as ``4.``"""
    return " ".join(f"{text[:-1]}" if text.endswith(".0") else text for text in (repr(value + 0.0) for value in values))
