"""The names of the state that formulas may use: ``O.angle``, ``crank.speed``, ``B.x``, ``coupler.P.vx``.

Several bodies together, the whole mechanism or a group, have a centre of mass (``centre_of_mass.x``,
``upper_body.centre_of_mass.vx``) and, for outputs, mass, momentum, angular momentum and inertia: ``momentum.x``,
``upper_body.angular_momentum.z`` about the origin, ``angular_momentum.hip.z`` about a point, ``inertia.xy``.
"""

from __future__ import annotations

from dataclasses import dataclass

from linkwork.elements.relations.guidance import ANGLES
from linkwork.errors import did_you_mean
from linkwork.model.fields import refused
from linkwork.model.joint import Joint
from linkwork.model.places import Places, pins_of

AXES: dict[str, tuple[str, ...]] = {"planar": ("x", "y"), "spatial": ("x", "y", "z")}
ENERGY = "energy"
"""First part of the quantities of the whole mechanism."""
ENERGIES = ("kinetic", "potential", "total")
TURNS: dict[str, tuple[str, ...]] = {"planar": ("z",), "spatial": ("x", "y", "z")}
PAIRS: dict[str, tuple[str, ...]] = {"planar": ("zz",), "spatial": ("xx", "yy", "zz", "xy", "yz", "zx")}
"""Moments of inertia; those of two axes are −∫ x y dm, as in the matrix."""
MOMENTUM, ANGULAR, CENTRE, INERTIA, MASS = "momentum", "angular_momentum", "centre_of_mass", "inertia", "mass"
TOGETHER = (MOMENTUM, ANGULAR, CENTRE)
"""First parts of vectors of several bodies, which no point or body may be called."""
LOADS = ("forces", "drivers", "couplings")
"""Sections of what has quantities in results alone, beside reactions of joints and relations."""
REACTIONS = ("fx", "fy", "fz", "mx", "my", "mz", "effort", "tension")

HEADS = ("body", "joint", "relation", "group", "point")
"""Kinds of what may stand first in a quantity of the state."""


@dataclass(frozen=True)
class Vocabulary:
    """The quantities that formulas may use: positions and velocities, for outputs also accelerations."""

    space: str
    accelerations: bool = False

    @property
    def point(self) -> tuple[str, ...]:
        """Quantities of a point in world axes: x y (z), m; vx vy (vz), m/s; ax ay (az), m/s²."""
        kinds = ("", "v", "a") if self.accelerations else ("", "v")
        return tuple(f"{kind}{axis}" for kind in kinds for axis in AXES[self.space])

    @property
    def body(self) -> tuple[str, ...]:
        """Quantities of a body.

        Those of its centre of mass, ``origin.x`` of its frame; angle and speed (planar), or the quaternion q0 to q3
        (scalar first, body to world), roll, pitch and yaw, and the angular velocity wx wy wz in world axes (spatial).
        """
        if self.space == "planar":
            turning: tuple[str, ...] = ("angle", "speed", "acceleration")
            turning = turning if self.accelerations else turning[:2]
        else:
            kinds = ("w", "alpha") if self.accelerations else ("w",)
            turning = ("q0", "q1", "q2", "q3", *ANGLES, *(f"{kind}{axis}" for kind in kinds for axis in "xyz"))
        moved = (*self.momenta, *(f"{ANGULAR}.{CENTRE}.{axis}" for axis in TURNS[self.space]))
        origin = tuple(f"origin.{axis}" for axis in AXES[self.space])
        return (*self.point, *origin, *turning, *(moved if self.accelerations else ()))

    @property
    def momenta(self) -> tuple[str, ...]:
        """Momentum, N s, and angular momentum about the origin, N m s, in world axes."""
        linear = (f"{MOMENTUM}.{axis}" for axis in AXES[self.space])
        return (*linear, *(f"{ANGULAR}.{axis}" for axis in TURNS[self.space]))

    def together(self, places: Places) -> tuple[str, ...]:
        """Quantities of a group: its centre of mass; for outputs its mass, its inertia about that, and its momenta."""
        centre = tuple(f"{CENTRE}.{quantity}" for quantity in self.point)
        if not self.accelerations:
            return centre
        about = (f"{ANGULAR}.{point}.{axis}" for point in (CENTRE, *_points(places)) for axis in TURNS[self.space])
        return (*centre, MASS, *(f"{INERTIA}.{pair}" for pair in PAIRS[self.space]), *self.momenta, *about)

    def whole(self, places: Places) -> tuple[str, ...]:
        """The same of the whole mechanism, whose mass is ``mass.total``."""
        return tuple(f"{MASS}.total" if name == MASS else name for name in self.together(places))

    def joint(self, joint: Joint) -> tuple[str, ...]:
        """Coordinates and rates of a joint; one whose child can turn anyhow has the relative angular velocity too."""
        names = [name for freedom in joint.freedoms for name in (freedom.name, freedom.rate)]
        names += [name for name in joint.followers if self.accelerations or not name.endswith("_acceleration")]
        names += [freedom.acceleration for freedom in joint.freedoms if self.accelerations]
        return (*names, *(("wx", "wy", "wz") if joint.spins else ()))

    def of(self, places: Places, head: str) -> list[str]:
        """Everything that may follow ``head.``."""
        valid: list[str] = []
        if head in places.bodies:
            joints = [name for name, joint in places.joints.items() if head in joint.bodies]
            points = dict.fromkeys([*places.bodies[head].point_names, *pins_of(places, head), *joints])
            valid += [*self.body, *(f"{point}.{quantity}" for point in points for quantity in self.point)]
            valid += places.bodies[head].READINGS
        if head in places.joints:
            valid += self.joint(places.joints[head])
        if head in places.points or len(_carriers(places, head)) == 1:
            valid += self.point
        if head in places.relations:
            valid += places.relations[head].READINGS
        if head in places.groups:
            valid += self.together(places)
        if head == ENERGY and self.accelerations:
            valid += ENERGIES
        valid += [name.partition(".")[2] for name in self.whole(places) if name.partition(".")[0] == head]
        return valid


def check_state(places: Places, vocabulary: Vocabulary, head: str, rest: str) -> None:
    """Raise when ``head.rest`` is not a quantity of a body, of a joint or of a point."""
    valid = vocabulary.of(places, head)
    if rest in valid:
        return
    what = [kind for kind in HEADS if head in _holders(places, kind)]
    carriers = _carriers(places, head)
    if len(carriers) > 1 and head not in places.points:
        choices = " or ".join(f"{name}.{head}.{rest}" for name in carriers)
        raise refused(f"point '{head}' belongs to {', '.join(carriers)}", f"write {choices}")
    held = head in places.joints or head in places.relations
    hint = of_results(head, rest) if held and rest in REACTIONS else did_you_mean(rest, valid, "quantity")
    raise refused(f"{' and '.join(what) or 'the mechanism:'} '{head}' has no '{rest}'", hint)


def of_results(head: str, rest: str) -> str:
    """Where reactions and forces are told, which follow from the motion."""
    return f'reactions and forces follow from the motion, and formulas do not know them: ask result["{head}.{rest}"]'


def _carriers(places: Places, point: str) -> list[str]:
    return [name for name, body in places.bodies.items() if point in body.point_names]


def _holders(places: Places, kind: str) -> list[str]:
    """All names of a kind that may stand first in a quantity."""
    if kind == "body":
        return list(places.bodies)
    if kind == "joint":
        return list(places.joints)
    if kind == "relation":
        return list(places.relations)
    if kind == "group":
        return list(places.groups)
    return [*places.points, *(point for body in places.bodies.values() for point in body.point_names)]


def heads(places: Places) -> list[str]:
    """All names that may stand first in a quantity of the state."""
    return list(dict.fromkeys(name for kind in HEADS for name in _holders(places, kind)))


def _points(places: Places) -> list[str]:
    """Points about which angular momenta are known: those of the sketch, and others that one body alone has."""
    found = dict.fromkeys(_holders(places, "point"))
    return [name for name in found if name in places.points or len(_carriers(places, name)) == 1]
