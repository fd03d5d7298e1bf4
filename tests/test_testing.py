"""The checks for kinds from outside find what is wrong with them, and say it."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import Any, Literal

import casadi as ca
import pytest

import linkwork as lw
from linkwork import testing
from linkwork.algebra.frames import Frame
from linkwork.algebra.space import Space
from linkwork.coordinates.base import Array, Kinematics, Later
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.reference_point import ReferencePoint
from linkwork.elements.bodies import BodyKind, Carrier, Resistance, Rigid
from linkwork.elements.contribution import Condition, Contribution, Load, Place, Placement
from linkwork.elements.joints.base import Measure
from linkwork.elements.joints.prismatic import Prismatic
from linkwork.elements.relations.base import Relation
from linkwork.equations.formulations import Canonical, Multipliers
from linkwork.equations.formulations.base import Scheme
from linkwork.formats.base import Document, Format, SourceText
from linkwork.model.fields import ElementName
from linkwork.model.forces.base import AppliedForce, Scene
from linkwork.model.relations.base import RelationElement, Sketch
from linkwork.numerics.integrators import method_named
from linkwork.position.geometry import Geometry
from linkwork.topology.graph.graph import SpanningTree

pytestmark = pytest.mark.usefixtures("kinds_as_before")


def model(**more: Any) -> lw.Model:
    return lw.Model(
        space="planar",
        gravity=[1, -9.81],
        points={"O": [0, 0], "A": [0.5, 0.2]},
        bodies={"bead": {"points": ["A"], "mass": 2, "inertia": 1, **more.pop("body", {})}},
        **more,
    )


class Lagging(Prismatic):
    """Columns that are not its motion."""

    name = "lagging"

    def columns(self, space: Space, q: ca.SX) -> tuple[ca.SX, ca.SX]:
        translation, rotation = super().columns(space, q)
        return 1.1 * translation, rotation


class Misread(Prismatic):
    """A length that is read off from the wrong end."""

    name = "misread"

    def measure(self, space: Space, a: Frame, b: Frame) -> tuple[Measure, ...]:
        return (Measure(value=-super().measure(space, a, b)[0].principal),)


@pytest.mark.parametrize(("kind", "why"), [(Lagging(), "work of efforts: .*1.21"), (Misread(), "measure of pos")])
def test_wrong_joints_are_found(kind: Prismatic, why: str) -> None:
    testing.check_joint(Prismatic())
    with pytest.raises(AssertionError, match=why):
        testing.check_joint(kind)


class Pull(AppliedForce):
    """A spring towards the origin, k = 3 N/m, and c = 2 N·s/m."""

    kind: Literal["pull"] = "pull"
    at: ElementName

    def contribute(self, scene: Scene) -> Contribution:
        end = scene.station(self.at)
        force = -3 * end.position - 2 * end.velocity
        load = Load(end.body, end.position, force, ca.SX(scene.space.rotations, 1))
        lost = 2 * ca.dot(end.velocity, end.velocity)
        return Contribution(loads=(load,), potential=1.5 * ca.dot(end.position, end.position), dissipation=lost)


class TooDear(Pull):
    kind: Literal["too_dear"] = "too_dear"  # type: ignore[assignment]

    def contribute(self, scene: Scene) -> Contribution:
        found = super().contribute(scene)
        return replace(found, potential=2 * found.potential)


class Giving(Pull):
    kind: Literal["giving"] = "giving"  # type: ignore[assignment]

    def contribute(self, scene: Scene) -> Contribution:
        found = super().contribute(scene)
        return replace(found, dissipation=-found.dissipation)


def test_wrong_energies_are_found() -> None:
    for kind in (Pull, TooDear, Giving):
        lw.register(kind)
    testing.check_elements(model(forces={"it": {"kind": "pull", "at": "bead.A"}}))
    for name, why in (("too_dear", r"it: P \+ D \+ d\(T \+ V\)/dt"), ("giving", "it: it gives power")):
        with pytest.raises(AssertionError, match=why):
            testing.check_elements(model(forces={"it": {"kind": name, "at": "bead.A"}}))


@dataclass(frozen=True, eq=False)
class Held(Relation):
    """A point at x = 0.5 of the ground, of the world, or with x'² = 0."""

    place: Place
    how: str

    kind = "held"

    @property
    def bodies(self) -> tuple[str, ...]:
        return "ground", self.place.body

    def contribute(self, at: Placement) -> Contribution:
        world = self.place.world(at.frames)
        if self.how == "square":
            speed = at.velocity(self.place.body, world)[0]
            return Contribution((Condition("slip", speed + 0.1 * speed**2, level="velocity"),))
        if self.how.startswith("limit"):
            room = world[0] + 0.5 if self.how == "limit" else ca.floor(1e6 * world[0]) / 1e6 + 0.5
            return Contribution((Condition("x", room, "push", level="limit"),))
        ground = at.frames["ground"]
        seen = world if self.how == "world" else ground.axes.T @ (world - ground.origin)
        return Contribution((Condition("x", seen[0] - 0.5, "force"),))


class HeldPoint(RelationElement):
    kind: Literal["held"] = "held"
    at: ElementName
    how: str = "ground"

    def relate(self, sketch: Sketch) -> Held:
        return Held(sketch.place(self.at), self.how)


def test_wrong_relations_are_found() -> None:
    lw.register(HeldPoint)
    testing.check_elements(model(relations={"it": {"kind": "held", "at": "bead.A"}}))
    for how, why in (("world", "it: x, moved with all"), ("square", "relation 'it': slip: .*not linear")):
        with pytest.raises((AssertionError, lw.errors.RefusedError), match=why):
            testing.check_elements(model(relations={"it": {"kind": "held", "at": "bead.A", "how": how}}))


def test_conditions_that_come_and_go_are_looked_at_where_they_hold() -> None:
    """A wall that stands still in the world is right; one of steps has no derivatives, which shows only where it holds."""
    lw.register(HeldPoint)
    testing.check_elements(model(relations={"it": {"kind": "held", "at": "bead.A", "how": "limit"}}))
    with pytest.raises(AssertionError, match="relation it: x: first derivative"):
        testing.check_elements(model(relations={"it": {"kind": "held", "at": "bead.A", "how": "limit of steps"}}))


@dataclass(frozen=True, eq=False)
class Wrong(Rigid):
    """A body that resists otherwise than its matter says, or has places elsewhere."""

    how: str = ""

    def inertia(self, space: Space, carrier: Carrier, gravity: ca.SX, own_axes: bool = False) -> Resistance:
        found = super().inertia(space, carrier, gravity, own_axes)
        block, velocities = (2 if self.how == item else 1 for item in ("heavier", "faster"))
        return replace(found, block=block * found.block, velocities=velocities * found.velocities)

    def seat(self, own: ca.SX, place: Frame) -> Frame:
        return replace(place, origin=place.origin + (0.1 if self.how == "elsewhere" else 0))


class WrongBody(lw.elements.Body):
    kind: Literal["wrong"] = "wrong"
    how: str

    def embody(self, values, points) -> BodyKind:  # type: ignore[no-untyped-def]
        return Wrong(super().embody(values, points).drawn, self.how)


def test_wrong_bodies_are_found() -> None:
    lw.register(WrongBody)
    testing.check_elements(model())
    reasons = {"heavier": "inertia of body 'bead'", "faster": "kinetic energy", "elsewhere": "place of joint 'wire'"}
    wire = {"kind": "prismatic", "bodies": ["ground", "bead"], "at": "A", "axis": [1, 0]}
    for how, reason in reasons.items():
        joints = {"wire": wire} if how == "elsewhere" else {}
        with pytest.raises(AssertionError, match=reason):
            testing.check_elements(model(body={"kind": "wrong", "how": how}, joints=joints))


class Heavy(ReferencePoint):
    """Coordinates whose inertia is not that of the bodies."""

    name = "heavy"

    def describe(self, geometry: Geometry, tree: SpanningTree) -> Kinematics:
        found = super().describe(geometry, tree)
        return replace(found, inertia=Later(lambda: 1.01 * found.mass))


class Displaced(ReferencePoint):
    """Coordinates that are placed beside the pose."""

    name = "displaced"

    def place(self, *given: Any) -> tuple[Array, Array]:
        q, v = super().place(*given)
        return q + 1e-3, v


def test_wrong_coordinates_are_found() -> None:
    testing.check_coordinates(ReferencePoint())
    for kind, why in ((Heavy(), "kinetic energy in heavy"), (Displaced(), "displaced: origin of crank")):
        with pytest.raises(AssertionError, match=why):
            testing.check_coordinates(kind)


class Weightless(Multipliers):
    """Forces are a little too small."""

    name = "weightless"

    def write(self, coordinates: Coordinates, t: float, y: Array, p: Array) -> Scheme:
        return super().write(replace(coordinates, driving=Later(lambda: 0.999 * coordinates.forces)), t, y, p)


class Boasting(Canonical):
    """It says that it can hold what comes and goes."""

    name = "boasting"
    abilities = replace(Canonical.abilities, limits=True)


def test_wrong_formulations_are_found() -> None:
    with pytest.raises(AssertionError, match=r"weightless: crank rocker: crank\.x"):
        testing.check_formulation(Weightless())
    with pytest.raises(AssertionError, match="boasting: roped"):
        testing.check_formulation(Boasting())


def test_wrong_integrators_are_found() -> None:
    heun = method_named("heun")
    with pytest.raises(AssertionError, match="heun: condition of order 3"):
        testing.check_integrator(replace(heun, order=3))  # type: ignore[type-var]
    with pytest.raises(AssertionError, match=r"heun: order: 1\.99"):
        testing.integrators.check_order(replace(heun, order=3))  # type: ignore[type-var]


def test_formats_that_lose_something_are_found() -> None:
    def read(source: SourceText) -> Document:
        return Document(ast.literal_eval(source.text))

    testing.check_format(Format("whole", (".w",), read, lambda data: repr(dict(data))), model())
    lossy = Format("lossy", (".l",), read, lambda data: repr({key: data[key] for key in data if key != "gravity"}))
    with pytest.raises(AssertionError, match="format 'lossy'"):
        testing.check_format(lossy, model())
