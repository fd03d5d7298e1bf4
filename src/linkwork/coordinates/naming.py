"""Names for everything a user may ask for: from "B.x" and "crank.angle" to expressions.

Points: ``P.x``, ``P.vx``, ``P.ax`` (a point given in a body's own list: ``body.P.x`` as well). Bodies: ``b.x`` of the
centre of mass, ``b.vx``, ``b.ax``; in the plane ``b.angle``, ``b.speed``, ``b.acceleration``; in space the quaternion
``b.q0`` to ``b.q3``, ``b.roll``, ``b.pitch`` and ``b.yaw``, ``b.wx`` and ``b.alphax``; ``b.origin.x`` of the body frame.
Joints: the names of their freedoms and rates, ``O.angle``, ``O.speed``, ``O.acceleration``. The mechanism and groups of
bodies: ``centre_of_mass.x``, ``.vx`` and ``.ax``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import casadi as ca

from linkwork.algebra.expressions import Defined, Expression, to_sx
from linkwork.algebra.expressions.switches import Switches
from linkwork.algebra.rotations import roll_pitch_yaw, to_quaternion
from linkwork.coordinates.bodies_together import BodiesTogether, weightless
from linkwork.coordinates.motion import Coordinate, Motion
from linkwork.elements.contribution import Contribution, OwnState, Station
from linkwork.elements.relations.guidance import ANGLES
from linkwork.errors import ExpressionError, RefusedError, did_you_mean
from linkwork.model import Model
from linkwork.model.places import seat_of
from linkwork.model.quantities import CENTRE, LOADS, REACTIONS, of_results
from linkwork.position.geometry import GROUND
from linkwork.topology.as_drawn import AsDrawn
from linkwork.topology.topology import Topology

DrawnNumber = Callable[[AsDrawn], float]


@dataclass(frozen=True, eq=False)
class Entry:
    """A named quantity: unit, description, and how to build its expression when somebody asks."""

    unit: str
    description: str
    build: Callable[[], ca.SX]


def known(expression: ca.SX) -> Callable[[], ca.SX]:
    """What builds an expression that is there."""
    return lambda: expression


def _element(i: int, build: Callable[[], ca.SX]) -> Callable[[], ca.SX]:
    """What builds one element of what is built."""
    return lambda: build()[i]


class Lookup:
    """Turns the expressions of a model into SX, with the names of the state."""

    def __init__(
        self,
        topology: Topology,
        motion: Motion,
        t: ca.SX,
        related: Mapping[str, Contribution],
        inputs: Mapping[str, ca.SX] | None = None,
    ) -> None:
        self.topology, self.inputs = topology, inputs or {}
        self.motion = motion
        self.t = t
        self.related = related
        self.states = state_entries(topology, motion, related)
        k, counters = motion.kinematics, [counter.symbol for counter in motion.counters]
        self.switches = Switches(t, ca.vertcat(k.q, k.v, *counters))
        self._definitions: dict[Defined, ca.SX] = {}
        self.multipliers: dict[tuple[str, str], ca.SX] = {}  # that forces have asked for, by element and component
        # what forces have asked, by name: constants that are read off the drawing, and whole turns at the start
        self.drawn: dict[str, tuple[OwnState, DrawnNumber]] = {}
        self.settled: dict[str, OwnState] = {}

    @property
    def model(self) -> Model:
        return self.topology.model

    def expression(self, expression: Expression, local: Mapping[str, ca.SX] | None = None) -> ca.SX:
        """An expression of a model as SX, with its switches; *local*: names that mean something else here."""
        known = local or {}
        self.switches.formula = str(expression)
        values = lambda name: known[name] if name in known else self.name(name)  # noqa: E731
        return ca.SX(to_sx(expression, values, {**self.switches.functions, "defined": self._definition}))

    def _definition(self, definition: Defined, value: Callable[[], ca.SX]) -> ca.SX:
        """What a definition gives: one expression, with its switches, wherever it is used."""
        if definition not in self._definitions:
            user, self.switches.formula = self.switches.formula, f"{definition}: {definition.meaning}"
            self._definitions[definition] = value()
            self.switches.formula = user
        return self._definitions[definition]

    def name(self, name: str) -> ca.SX:
        """What a name in an expression stands for."""
        if name == "t":
            return self.t
        values = self.motion.geometry.fixed_values
        if name in values:
            return values[name]
        known = resolve_point_name(self.topology, name)
        if known in self.states:
            return self.states[known].build()
        raise ExpressionError(f"unknown name '{name}'; {self._hint(known, [*values, *self.states])}")

    def _hint(self, name: str, valid: Sequence[str]) -> str:
        head, _, rest = name.partition(".")
        held = rest in REACTIONS and (head in self.model.joints or head in self.model.relations)
        if held or (rest and any(head in getattr(self.model, section) for section in LOADS)):
            return of_results(head, rest)
        return did_you_mean(name, valid, "quantity")

    def as_drawn(self, name: str, number: DrawnNumber) -> ca.SX:
        """A number of the mechanism as it is drawn: a constant of p where live parameters may change it."""
        geometry = self.topology.geometry
        if not geometry.parameters.numel():
            return ca.SX(number(AsDrawn(self.topology, geometry.defaults)))
        if name not in self.drawn:
            symbol = ca.SX.sym(name)
            self.drawn[name] = OwnState(name, symbol, ca.SX(0), symbol), number
        return self.drawn[name][0].symbol

    def turns(self, name: str, at_start: ca.SX) -> ca.SX:
        """A number of whole turns, as it is at the start, by a name of its own."""
        if name not in self.settled:
            self.settled[name] = OwnState(name, ca.SX.sym(name), ca.SX(0), at_start)
        return self.settled[name].symbol

    def coordinate(self, joint: str, freedom: str | None) -> Coordinate:
        """A joint coordinate; the freedom may be left out when there is only one."""
        found = {key[1]: value for key, value in self.motion.coordinates.items() if key[0] == joint}
        return found[freedom] if freedom is not None else next(iter(found.values()))

    def freedom_index(self, joint: str, freedom: str | None) -> int:
        """The number of a freedom among those of its joint."""
        kind = self.motion.geometry.joints[joint].kind
        names = [f.name for f in kind.freedoms(self.motion.geometry.space)]
        return 0 if freedom is None else names.index(freedom)

    def freedom_name(self, joint: str, freedom: str | None) -> str:
        """The name of a freedom, by default that of the first."""
        return freedom or self.motion.geometry.joints[joint].kind.freedoms(self.motion.geometry.space)[0].name

    def station(self, reference: str, body: str | None = None) -> Station:
        """A point by name: 'body.point', or the name of a point of the sketch or of one body."""
        owner, point = reference.split(".", 1) if "." in reference else (body, reference)
        owner = owner or self.topology.owner(point)
        return self.motion.station(owner, self.topology.local_point(owner, point))


def resolve_point_name(topology: Topology, name: str) -> str:
    """'coupler.B.x' of a sketch point B that the body carries is 'B.x', unless bodies move apart there."""
    name = topology.model.named(name)
    body, _, rest = name.partition(".")
    point, _, quantity = rest.partition(".")
    if body in topology.geometry.bodies and quantity:
        point = seat_of(topology.model, body, point)
        name, rest = f"{body}.{point}.{quantity}", f"{point}.{quantity}"
    carried = body in topology.geometry.bodies and topology.carries(body, point)
    shared = carried and bool(quantity) and point in topology.model.points
    return rest if shared and f"{body}.{point}" not in topology.named_points() else name


def state_entries(topology: Topology, motion: Motion, related: Mapping[str, Contribution]) -> dict[str, Entry]:
    """All named quantities that depend on positions and velocities only."""
    entries: dict[str, Entry] = {}
    for name in topology.geometry.bodies:
        entries |= _body_entries(motion, name)
    for name, (owner, local) in topology.named_points().items():
        entries |= _point_entries(motion, name, partial(motion.station, owner, local))
    for name in topology.geometry.joints:
        entries |= _joint_entries(motion, name)
    for name, item in (*motion.insides().items(), *related.items()):
        for key, reading in item.readings.items():
            if f"{name}.{key}" in entries:
                raise RefusedError(
                    f"'{name}': results have a '{name}.{key}' already; call this reading of it otherwise"
                )
            text = f"{reading.text} of {'relation' if name in related else 'body'} {name}"
            entries[f"{name}.{key}"] = Entry(reading.unit, text, known(reading.value))
    for prefix, bodies in massive_groups(topology).items():
        centre = partial(getattr, BodiesTogether(motion, bodies), "centre")
        found = _point_entries(motion, f"{prefix}{CENTRE}", centre)
        entries |= _described(found, f"point {prefix}{CENTRE}", f"the centre of mass of {whose(prefix)}")
    return entries


def massive_groups(topology: Topology) -> dict[str, tuple[str, ...]]:
    """Bodies that have a centre of mass together, by what stands before the names of their quantities."""
    every = {"": tuple(topology.geometry.bodies)}
    every |= {f"{name}.": bodies for name, bodies in topology.model.groups.items()}
    return {prefix: bodies for prefix, bodies in every.items() if not weightless(topology.geometry, bodies)}


def whose(prefix: str) -> str:
    """Whose quantities have a prefix."""
    return prefix.removesuffix(".") or "the mechanism"


def _described(entries: Mapping[str, Entry], old: str, new: str) -> dict[str, Entry]:
    """Entries with other words in their descriptions."""
    return {key: Entry(e.unit, e.description.replace(old, new), e.build) for key, e in entries.items()}


def acceleration_entries(topology: Topology, motion: Motion, vdot: ca.SX) -> dict[str, Entry]:
    """All named quantities that depend on v̇ too."""
    space = motion.geometry.space
    entries: dict[str, Entry] = {}

    def add(name: str, unit: str, text: str, velocity: Callable[[], ca.SX]) -> None:
        entries[name] = Entry(unit, text, lambda: motion.acceleration(velocity(), vdot))

    def add_vector(name: str, station: Callable[[], Station], text: str) -> None:
        for i, axis in enumerate(space.axis_names):
            add(f"{name}.a{axis}", "m/s^2", f"{axis} acceleration of {text}", _element(i, lambda: station().velocity))

    for name in topology.geometry.bodies:
        add_vector(name, partial(motion.centre, name), f"the centre of mass of {name}")
        omega = known(motion.kinematics.twists[name].omega)
        for i, axis in enumerate(space.turn_names):
            key = f"{name}.acceleration" if space.planar else f"{name}.alpha{axis}"
            add(key, "rad/s^2", f"angular acceleration of {name}", _element(i, omega))
    for name, (owner, local) in topology.named_points().items():
        add_vector(name, partial(motion.station, owner, local), f"point {name}")
    for prefix, bodies in massive_groups(topology).items():
        centre = partial(getattr, BodiesTogether(motion, bodies), "centre")
        add_vector(f"{prefix}{CENTRE}", centre, f"the centre of mass of {whose(prefix)}")
    for name, geometry in motion.geometry.joints.items():
        for f in geometry.kind.scalars(space):
            speed = motion.coordinates[name, f.name].rate
            add(f"{name}.{f.acceleration}", f"{f.unit}/s^2", f"acceleration of {name}", known(speed))
        for g in geometry.kind.followers(space):
            rate = g.ratio * motion.coordinates[name, g.freedom].rate
            add(f"{name}.{g.name}_acceleration", "m/s^2", f"acceleration of {name}.{g.name}", known(rate))
    return entries


def _point_entries(motion: Motion, name: str, station: Callable[[], Station]) -> dict[str, Entry]:
    entries = {}
    for i, axis in enumerate(motion.geometry.space.axis_names):
        position = Entry("m", f"{axis} of point {name}", _element(i, lambda: station().position))
        velocity = Entry("m/s", f"{axis} velocity of point {name}", _element(i, lambda: station().velocity))
        entries[f"{name}.{axis}"], entries[f"{name}.v{axis}"] = position, velocity
    return entries


def _body_entries(motion: Motion, name: str) -> dict[str, Entry]:
    space = motion.geometry.space
    frame, twist = motion.kinematics.frames[name], motion.kinematics.twists[name]
    entries = _described(_point_entries(motion, name, lambda: motion.centre(name)), "point ", "the centre of mass of ")
    for i, axis in enumerate(space.axis_names):
        entries[f"{name}.origin.{axis}"] = Entry(
            "m", f"{axis} of the frame of {name}", _element(i, lambda: frame.origin)
        )
    if space.planar:
        entries[f"{name}.angle"] = Entry("rad", f"angle of {name}", lambda: motion.angles[name])
        entries[f"{name}.speed"] = Entry("rad/s", f"angular velocity of {name}", lambda: twist.omega)
        return entries
    for i in range(4):
        text = f"quaternion of {name}, component {i} (w first, body to world)"
        entries[f"{name}.q{i}"] = Entry("", text, _element(i, lambda: to_quaternion(frame.axes)))
    for i, (angle, axis) in enumerate(zip(ANGLES, "xyz", strict=True)):
        text = f"{angle} of {name}, about {axis}: R_z(yaw) R_y(pitch) R_x(roll)"
        entries[f"{name}.{angle}"] = Entry("rad", text, _element(i, lambda: roll_pitch_yaw(frame.axes)))
    for i, axis in enumerate("xyz"):
        text = f"{axis} angular velocity of {name} (world axes)"
        entries[f"{name}.w{axis}"] = Entry("rad/s", text, _element(i, lambda: twist.omega))
    return entries


def _joint_entries(motion: Motion, name: str) -> dict[str, Entry]:
    joint = motion.geometry.joints[name]
    entries: dict[str, Entry] = {}
    for f in joint.kind.scalars(motion.geometry.space):
        coordinate = motion.coordinates[name, f.name]
        entries[f"{name}.{f.name}"] = Entry(f.unit, f"{f.name} of joint {name}", known(coordinate.value))
        entries[f"{name}.{f.rate}"] = Entry(f"{f.unit}/s", f"rate of {name}.{f.name}", known(coordinate.rate))
    for g in joint.kind.followers(motion.geometry.space):
        coordinate = motion.coordinates[name, g.freedom]
        length, rate = g.ratio * coordinate.value, g.ratio * coordinate.rate
        entries[f"{name}.{g.name}"] = Entry("m", f"{g.name} of joint {name}", known(length))
        entries[f"{name}.{g.rate}"] = Entry("m/s", f"rate of {name}.{g.name}", known(rate))
    if joint.kind.spins(motion.geometry.space):
        spin = known(motion.spin(name))
        for i, axis in enumerate("xyz"):
            text = f"{axis} of the relative angular velocity in joint {name} (world axes)"
            entries[f"{name}.w{axis}"] = Entry("rad/s", text, _element(i, spin))
    return entries


__all__ = ["GROUND", "Entry", "Lookup", "acceleration_entries", "known", "massive_groups", "state_entries", "whose"]
