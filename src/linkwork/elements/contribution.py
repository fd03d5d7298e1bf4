"""What an element contributes to a mechanism: conditions, loads, states, energies, ends, readings. One record for all.

A condition Φ = 0 pushes with λ ∂Φ/∂(displacement) on every body that it depends on. Residuals are scaled so that λ is the
force (or torque) that the element is known for: the gradient of a length with respect to the point that it is measured at
has size one. Some conditions restrict velocities and are nobody's derivative (an edge that does not slip sideways, a wheel
that rolls): ψ = A v + a = 0, which pushes with λ ∂ψ/∂(velocity). Conditions of one *group* hold, or do not hold, together.

A load is a force at a point of a body together with a moment, in world axes. An effort acts along the coordinate of a
joint, on the child, and with the opposite sign on the parent. With the potential V of an element, the kinetic energy T of
parts that it has for itself, the power D ≥ 0 that it destroys and S that it brings in, that of its loads and efforts is

    P = S − D − d(T + V)/dt.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import casadi as ca

from linkwork.algebra.frames import Frame, Twist
from linkwork.algebra.space import Space
from linkwork.elements.joining import Joined
from linkwork.elements.striking import Strike
from linkwork.errors import RefusedError
from linkwork.outline import outlined

Frames = Mapping[str, Frame]
COMING = ("limit", "grip")  # levels of conditions that come and go


def _zero() -> ca.SX:
    return ca.SX(1, 1)


# -- where it is asked ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Placement:
    """Where bodies are and how they move, as expressions: at a time, with values of the unknowns that are an element's own.

    Without ``twists`` all rests.
    """

    space: Space
    frames: Frames
    time: ca.SX
    own: ca.SX
    twists: Mapping[str, Twist] | None = None

    def velocity(self, body: str, world: ca.SX) -> ca.SX:
        """The velocity of the point of a body that is at a place of the world."""
        if self.twists is None:
            return ca.SX(self.space.dimension, 1)
        if self.frames[body].seat is not None:
            raise RefusedError(f"body '{body}' changes its shape: nothing can roll or cut on it; name a rigid body")
        return self.twists[body].at(self.space, world - self.frames[body].origin)


@dataclass(frozen=True, eq=False)
class Place:
    """A point fixed in a body, in the axes of the body."""

    body: str
    local: ca.SX

    def world(self, frames: Frames) -> ca.SX:
        return frames[self.body].point(self.local)


@dataclass(frozen=True, eq=False)
class Station:
    """A point of a body: where it is and how fast it moves (world axes)."""

    body: str
    position: ca.SX
    velocity: ca.SX


@dataclass(frozen=True, eq=False)
class Solid:
    """A body, or a place of it: its frame and angular velocity (k) in the world; in the plane its angle, counting turns."""

    body: str
    frame: Frame
    omega: ca.SX
    angle: ca.SX | None = None


@dataclass(frozen=True, eq=False)
class JointCoordinate:
    """Freedom number ``freedom`` of a joint: its coordinate, an angle counting turns, and its rate."""

    joint: str
    freedom: int
    value: ca.SX
    rate: ca.SX
    unit: str = "rad"  # 'rad' or 'm'

    @property
    def effort_unit(self) -> str:
        return "N" if self.unit == "m" else "N*m"

    @property
    def word(self) -> str:
        """What it is: 'angle' or 'position'."""
        return "position" if self.unit == "m" else "angle"


@dataclass(frozen=True, eq=False)
class MeasuredAngle:
    """An angle that an element answers to, counting turns, and its rate.

    counts: whether somebody gave its value at the start, with its turns; else it starts within half a turn
    """

    name: str
    value: ca.SX
    rate: ca.SX
    counts: bool = False


# -- what it gives -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Unknown:
    """An unknown of an element: a length (m), or a pure number.

    mass: m of an unknown u of a relation with the kinetic energy ½ m u̇², of parameters alone; without one the conditions
    of the relation determine it. Those of bodies have the inertia that their body says.
    """

    name: str
    is_length: bool = False
    mass: ca.SX | None = None


@dataclass(frozen=True, eq=False)
class Grasp:
    """How fast a grip holds: the largest |λ| of what does not slip, and |λ| of what does.

    direction: a symbol, into which ψ goes while it does not hold: 1 or −1, or less where others hold ψ
    on: the component of the limit with which alone it holds; empty: it may always
    coefficient: with which impulses of that limit rub; None: impulses do not
    mate: of a slip with two components that of the first, with which |λ| and |ψ| are one
    """

    bound: ca.SX
    sliding: ca.SX
    direction: ca.SX
    on: str = ""
    coefficient: ca.SX | None = None
    mate: str = ""


@dataclass(frozen=True, eq=False)
class Condition:
    """One condition; ``effort`` is the name of what it pushes with, if any: a force (N) where the residual is a length.

    level: 'position', or 'velocity' where it is nobody's derivative and linear in the velocities; 'limit' where Φ ≥ 0 is
        allowed: it holds, and pushes with λ ≥ 0, only while Φ = 0; 'grip' where ψ = 0 holds as long as |λ| is small enough
    group: conditions on velocities with the group of a limit hold while it does; without one a limit or grip is a group of
        its own
    words: what a limit or grip does where it begins to hold, where it ends, and where a limit is hit and sends back what
        hits it
    while_held: what it is while it holds, in a word or two: 'taut', 'sticks'
    restitution: of a limit, the part of the speed with which it is hit that comes back; None: it stays
    lever: length (m) by which an angle was multiplied, so that λ is the moment over it; None: it is a length by itself
    remedy: of a limit, what to do where a mechanism begins beyond it
    grasp: of a grip
    unit: between bodies that touch, what λ = 1 does to them; meaning: what λ is, in words; without it effort and component
    part: what it does in a joint, so that coordinates which satisfy it by sharing can leave it out: 'point' (the origins
        coincide), 'axis' (the z axes are parallel), 'slide' (the origin of b stays on an axis, a plane or a thread of a)
        or 'lock'
    guarded: a cosine vanishes also where an axis points the other way round. This does not: it has the value and the
        derivatives of the residual where the joint is closed, and grows beyond all bounds towards the wrong way round, so
        that a mechanism is put together with it from anywhere.
    """

    component: str
    residual: ca.SX
    effort: str = ""
    is_length: bool = True
    level: str = "position"
    group: str = ""
    words: tuple[str, ...] = ("holds", "lets go", "is hit")
    while_held: str = ""
    restitution: ca.SX | None = None
    lever: float | None = None
    remedy: str = "draw its points nearer to each other, or give it more length"
    grasp: Grasp | None = None
    unit: tuple[Load, ...] = ()
    meaning: str = ""
    part: str = ""
    guarded: ca.SX | None = None

    @property
    def switched(self) -> str:
        """The group with which it comes and goes."""
        return self.group or (self.component if self.level in COMING else "")

    @property
    def closing(self) -> ca.SX:
        """What vanishes where it holds, and nowhere else."""
        return self.residual if self.guarded is None else self.guarded


@dataclass(frozen=True, eq=False)
class Bound:
    """Where an element ends: it holds as long as ``room`` is not negative; ``end`` says what ends there."""

    end: str
    room: ca.SX


@dataclass(frozen=True, eq=False)
class Load:
    """A force (d) at the world point ``at`` (d) of a body, and a moment (k), world axes.

    velocity, omega: of that point and of its axes, where it is a place which may move in its body; without them those of a
    body which keeps its shape, and of its frame
    """

    body: str
    at: ca.SX
    force: ca.SX
    moment: ca.SX
    velocity: ca.SX | None = None
    omega: ca.SX | None = None


@dataclass(frozen=True, eq=False)
class JointEffort:
    """A force or torque along freedom number ``freedom`` of a joint, or along that coordinate which is a body's own."""

    joint: str
    freedom: int
    value: ca.SX


@dataclass(frozen=True, eq=False)
class Implied:
    """An unknown of the loads that is a formula of itself, and of what conditions push with.

    words: what it has come to where it has no value any more
    """

    symbol: ca.SX
    value: ca.SX
    words: str


@outlined
@dataclass(frozen=True, eq=False)
class OwnState:
    """A state of the element, or a constant: its rate, and its value at the start, both expressions."""

    name: str
    symbol: ca.SX
    rate: ca.SX
    start: ca.SX
    role: str = ""  # among the states of a mechanism: 'turns', 'driver' or 'force'


@dataclass(frozen=True, eq=False)
class OwnMotion:
    """An unknown u of the element with inertia, m ü = g, such as the place of a mass inside a body.

    symbol, rate: of u and u̇; mass: m > 0, of parameters alone; force: g, of the state; start, start_rate: u and u̇ at the
    start. Nothing but g joins it to the rest: what g does to bodies stands among the loads, and ½ m u̇² in no other place.
    """

    name: str
    symbol: ca.SX
    rate: ca.SX
    mass: ca.SX
    force: ca.SX
    start: ca.SX = field(default_factory=_zero)
    start_rate: ca.SX = field(default_factory=_zero)

    @property
    def states(self) -> tuple[OwnState, OwnState]:
        """u and u̇ as states."""
        speed = OwnState(f"{self.name}_rate", self.rate, self.force / self.mass, self.start_rate)
        return OwnState(self.name, self.symbol, self.rate, self.start), speed


@dataclass(frozen=True)
class DrivingJoint:
    """What a spin follows: *ratio* times the rate of freedom number *freedom* of a joint."""

    joint: str
    freedom: int
    ratio: ca.SX


@dataclass(frozen=True, eq=False)
class CarriedSpin:
    """A symmetric part that turns inside a body about an axis u (k, world axes) of it, with the inertia J about u.

    rate: its spin σ relative to the body, whose inertia includes the part as it stands still; *free*: all but J u uᵀ of it
    gear: of a part that joints drive. It is inertia of the mechanism then: the element says nothing else of what it does
    """

    body: str
    axis: ca.SX
    inertia: ca.SX
    rate: ca.SX
    free: bool = False
    gear: DrivingJoint | None = None

    def momentum(self, omega: ca.SX) -> ca.SX:
        """J σ u (k), or J (σ + u·ω) u: what it has beside the body, which turns with ω."""
        along = self.rate + ca.dot(self.axis, omega) if self.free else self.rate
        return self.inertia * along * self.axis

    @property
    def left_out(self) -> ca.SX:
        """(k × k) what the inertia of the body leaves out of it."""
        whole = self.inertia * self.axis @ self.axis.T
        return whole if self.free else ca.SX(*whole.shape)


@dataclass(frozen=True, eq=False)
class Reading:
    """A quantity of the element that results show."""

    unit: str
    text: str
    value: ca.SX


@dataclass(frozen=True, eq=False)
class Told:
    """What has to be known of an element where it starts: numbers of the constants there, and what they mean in words."""

    numbers: ca.SX
    words: Callable[..., str]  # of the numbers one by one; empty: nothing


@dataclass(frozen=True, eq=False)
class Contribution:
    """All that one element does.

    potential: V; kinetic: T; dissipation: D. supplies: whether the element has a source S of power; without one,
    P = −D − d(T + V)/dt. own_forces: along the unknowns of a relation, in their order. motions: unknowns with inertia that
    stand in no condition, whose kinetic energy is part of T. spins: parts that turn inside bodies. constants: numbers that
    the assembly fixes, such as the phase of a gear. weights: what it is known to push with, as columns of weights of the λ
    of its conditions; without them the efforts of these. implied: unknowns of its loads, such as friction that grows with
    what it takes part in. told: what notes say of its start. joined: of what switches connect. strike: of an impulse.
    """

    conditions: tuple[Condition, ...] = ()
    loads: tuple[Load, ...] = ()
    efforts: tuple[JointEffort, ...] = ()
    own_forces: tuple[ca.SX, ...] = ()
    potential: ca.SX = field(default_factory=_zero)
    kinetic: ca.SX = field(default_factory=_zero)
    dissipation: ca.SX = field(default_factory=_zero)
    supplies: bool = False
    states: tuple[OwnState, ...] = ()
    motions: tuple[OwnMotion, ...] = ()
    spins: tuple[CarriedSpin, ...] = ()
    constants: tuple[OwnState, ...] = ()
    bounds: tuple[Bound, ...] = ()
    readings: Mapping[str, Reading] = field(default_factory=dict)
    weights: Mapping[str, ca.SX] = field(default_factory=dict)
    implied: tuple[Implied, ...] = ()
    told: tuple[Told, ...] = ()
    joined: Joined | None = None
    strike: Strike | None = None

    @property
    def plain(self) -> Contribution:
        """The same with unknowns with inertia as pairs of states, and their energy."""
        moving = sum((item.mass * item.rate**2 / 2 for item in self.motions), ca.SX(1, 1))
        states = (*self.states, *(state for item in self.motions for state in item.states))
        return replace(self, motions=(), states=states, kinetic=self.kinetic + moving) if self.motions else self

    def of(self, level: str) -> tuple[Condition, ...]:
        """The conditions on positions or on velocities alone that hold at first, or limits or grips, which come and go."""
        if self.joined is not None and not self.joined.start:
            return ()
        loose = {condition.switched for condition in self.conditions if condition.level in COMING}
        found = [condition for condition in self.conditions if condition.level == level]
        return tuple(condition for condition in found if level in COMING or condition.switched not in loose)

    @property
    def pushes(self) -> Mapping[str, ca.SX]:
        """What it pushes with, as weights of the λ of its conditions."""
        unit = ca.SX.eye(len(self.conditions))
        return self.weights or {item.effort: unit[:, i] for i, item in enumerate(self.conditions) if item.effort}


def places(space: Space, world: ca.SX, what: str = "the contact", key: str = "contact") -> dict[str, Reading]:
    """Readings of the coordinates of a place."""
    return {f"{key}.{axis}": Reading("m", f"{axis} of {what}", world[i]) for i, axis in enumerate(space.axis_names)}
