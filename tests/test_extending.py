"""Elements, methods and formats from outside the package: their names work wherever those of Linkwork do."""

from __future__ import annotations

import ast
import pickle
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import casadi as ca
import numpy as np
import pytest
from pydantic import Field

import linkwork as lw
from linkwork import extending, testing
from linkwork.algebra.frames import Frame
from linkwork.algebra.rotations import about_x
from linkwork.algebra.space import Space
from linkwork.coordinates.reference_point import ReferencePoint
from linkwork.elements import joints
from linkwork.elements.bodies import BodyKind, Rigid
from linkwork.elements.contribution import Bound, Condition, Contribution, Load, OwnMotion, Place, Placement, Reading
from linkwork.elements.couplings.base import Coupled
from linkwork.elements.joints.base import gap_along, joint_row, turn_row
from linkwork.elements.joints.point_on_line import PointOnLine
from linkwork.elements.joints.prismatic import Prismatic
from linkwork.elements.joints.universal import Universal
from linkwork.elements.relations.base import Relation
from linkwork.equations.formulations import Multipliers
from linkwork.errors import Fault, ModelError, RefusedError
from linkwork.formats.base import Document, Format
from linkwork.model.couplings.base import CouplingElement, Train
from linkwork.model.fields import ElementName, Value, pair_field
from linkwork.model.forces import FORCE_KINDS
from linkwork.model.forces.base import AppliedForce, Scene
from linkwork.model.joint_kinds import JOINT_KINDS
from linkwork.model.references import freedom_faults, line_faults, other_body_faults, point_faults
from linkwork.model.relations.base import RelationElement, Sketch
from linkwork.numerics.integrators.base import RungeKutta, hermite, square


class QuadraticDrag(AppliedForce):
    """A force against the velocity of a point, coefficient times speed squared."""

    kind: Literal["quadratic_drag"] = "quadratic_drag"
    at: ElementName = Field(description="the point that moves through the fluid")
    coefficient: Value = Field(description="kg/m")

    def faults(self, draft, path: str) -> Iterator[Fault]:  # type: ignore[no-untyped-def]
        yield from point_faults(draft, f"{path}.at", self.at)

    def contribute(self, scene: Scene) -> Contribution:
        station = scene.station(self.at)
        speed = ca.sqrt(ca.dot(station.velocity, station.velocity))
        force = -scene.value(self.coefficient) * speed * station.velocity
        load = Load(station.body, station.position, force, ca.SX(scene.space.rotations, 1))
        return Contribution(loads=(load,), dissipation=-ca.dot(force, station.velocity))


@dataclass(frozen=True, eq=False)
class Bisected(Relation):
    """A point equally far from two points of another body, Φ = (|r₁|² − |r₂|²) / 2d, which is held back by c v."""

    kind: ClassVar[str] = "bisector"

    ends: tuple[Place, Place]
    point: Place
    drag: ca.SX

    @property
    def bodies(self) -> tuple[str, ...]:
        return self.ends[0].body, self.point.body

    def contribute(self, at: Placement) -> Contribution:
        place = self.point.world(at.frames)
        first, second = (place - end.world(at.frames) for end in self.ends)
        residual = (ca.dot(first, first) - ca.dot(second, second)) / (2 * ca.norm_2(second - first))
        velocity = at.velocity(self.point.body, place)
        load = Load(self.point.body, place, -self.drag * velocity, ca.SX(at.space.rotations, 1))
        return Contribution(
            (Condition("distance", residual, "force", group="held"),),
            loads=(load,),
            dissipation=self.drag * ca.dot(velocity, velocity),
            readings={"range": Reading("m", "distance of the ends", ca.norm_2(first))},
        )


class Bisector(RelationElement):
    """A point equally far from two points of another body."""

    READINGS = ("range",)

    kind: Literal["bisector"] = "bisector"
    point: ElementName = Field(description="the point that is held")
    between: Annotated[tuple[str, str], pair_field("two points")] = Field(description="two points of another body")
    drag: Value = Field(description="N*s/m")

    def faults(self, draft, path: str) -> Iterator[Fault]:  # type: ignore[no-untyped-def]
        owner = yield from line_faults(draft, f"{path}.between", self.between)
        yield from other_body_faults(draft, f"{path}.point", self.point, owner)

    def relate(self, sketch: Sketch) -> Bisected:
        first, second = (sketch.place(reference) for reference in self.between)
        return Bisected((first, second), sketch.place(self.point), sketch.value(self.drag))


class Doubler(CouplingElement):
    """The second joint turns twice as far as the first."""

    kind: Literal["doubler"] = "doubler"
    first: ElementName = Field(description="the slow joint")
    second: ElementName = Field(description="the fast joint")

    def faults(self, draft, path: str) -> Iterator[Fault]:  # type: ignore[no-untyped-def]
        yield from freedom_faults(draft, f"{path}.first", self.first, None)
        yield from freedom_faults(draft, f"{path}.second", self.second, None)

    def couple(self, train: Train) -> Coupled:
        return Coupled((train.term(self.first, None, ca.SX(2)), train.term(self.second, None, ca.SX(-1))))


class WaterBall(lw.elements.Body):
    """A thin shell full of water that does not turn with it: only the shell resists a rotation, with 2/3 m r²."""

    kind: Literal["water_ball"] = "water_ball"
    shell: Value = Field(description="mass of the shell, kg")
    width: Value = Field(description="diameter, m")

    def embody(self, values, points) -> BodyKind:  # type: ignore[no-untyped-def]
        whole = super().embody(values, points).matter
        turning = values.value(self.shell) * values.value(self.width) ** 2 / 6
        return Rigid(replace(whole, inertia=ca.SX.eye(3) * turning))


class Bead(PointOnLine):
    name = "bead"


class Swing(joints.JointKind):
    """The child moves on a circle and does not turn, as on two parallel cranks; the axis leads away from the centre."""

    name = "swing"
    axes: ClassVar = {"planar": 1}
    numbers = ("radius",)
    radius = ca.SX(1.0)

    def freedoms(self, space: Space) -> tuple[joints.Freedom, ...]:
        return (joints.Freedom("angle", "speed", "angle"),)

    def motion(self, space: Space, q: ca.SX) -> Frame:
        return Frame.planar(self.radius * ca.vertcat(ca.cos(q[0]) - 1, ca.sin(q[0])), ca.SX(0))

    def columns(self, space: Space, q: ca.SX) -> tuple[ca.SX, ca.SX]:
        return self.radius * ca.vertcat(-ca.sin(q[0]), ca.cos(q[0])), ca.SX(1, 1)

    def rows(self, space: Space, a: Frame, b: Frame) -> list[Condition]:
        arm = self._arm(a, b)
        away = (ca.dot(arm, arm) - self.radius**2) / (2 * self.radius)
        return [joint_row("distance", "slide", away), turn_row(space, a, b)]

    def measure(self, space: Space, a: Frame, b: Frame) -> tuple[joints.Measure, ...]:
        return (joints.Measure(sine=gap_along(a, b, 1) / self.radius, cosine=1 + gap_along(a, b, 0) / self.radius),)

    def reactions(self, space: Space, a: Frame, b: Frame) -> joints.Directions:
        return joints.Directions((self._arm(a, b) / self.radius,), (ca.SX(1),))

    def efforts(self, space: Space, a: Frame, b: Frame) -> tuple[tuple[ca.SX, ca.SX], ...]:
        arm = self._arm(a, b)
        return ((ca.vertcat(-arm[1], arm[0]) / self.radius**2, ca.SX(1, 1)),)

    def _arm(self, a: Frame, b: Frame) -> ca.SX:
        """From the centre to b."""
        return b.origin - a.origin + self.radius * a.axis(0)


class Stiffer(Multipliers):
    name = "stiffer"


RALSTON = RungeKutta(
    name="ralston",
    title="Ralston",
    order=2,
    dense_order=2,
    stages=2,
    nodes=np.array([0.0, 2 / 3, 1.0]),
    matrix=square([[], [2 / 3], [1 / 4, 3 / 4]]),
    error=np.zeros((0, 3)),
    dense=hermite([1 / 4, 3 / 4]),
    stability="conditionally stable",
    source="A. Ralston, Math. Comp. 16 (1962) 431-437",
)
LITERAL = Format(
    "Literal", (".pyd",), lambda source: Document(ast.literal_eval(source.text)), lambda data: repr(dict(data))
)


pytestmark = pytest.mark.usefixtures("kinds_as_before")


def falling(**more: object) -> dict[str, object]:
    """A ball on a vertical wire."""
    return {
        "space": "planar",
        "gravity": [0, -9.81],
        "points": {"O": [0, 0], "A": [0, -1]},
        "bodies": {"ball": {"points": ["O"], "mass": 2, "inertia": 1}},
        "joints": {"wire": {"kind": "prismatic", "bodies": ["ground", "ball"], "at": "O", "axis": [0, -1]}},
        **more,
    }


def test_a_force_from_outside_acts_and_is_read_written_and_described() -> None:
    drag = {"drag": {"kind": "quadratic_drag", "at": "ball.O", "coefficient": 0.5}}
    with pytest.raises(ModelError, match="is not one of"):
        lw.Model(**falling(forces=drag))
    lw.register(QuadraticDrag)
    model = lw.Model(**falling(forces=drag))
    assert lw.loads(lw.dump(model)) == model
    assert "quadratic_drag" in str(lw.formats.schema())
    testing.check_elements(model)
    limit = np.sqrt(2 * 9.81 / 0.5)
    for kind in ("relative", "natural", "reference_point", "mixed"):
        result = lw.simulate(model, 2.0, step=0.1, coordinates=kind)
        assert result["wire.speed"] == pytest.approx(limit * np.tanh(9.81 * result.time / limit), rel=1e-7, abs=1e-9)
        assert result.audit.passed
    assert result["drag.power"].min() < 0


def test_a_potential_from_outside_that_is_not_that_of_its_force_is_doubted() -> None:
    """Twice the potential of the pull: no tolerance helps."""

    class Attraction(AppliedForce):
        kind: Literal["attraction"] = "attraction"
        at: ElementName = Field(description="the point that is pulled")

        def contribute(self, scene: Scene) -> Contribution:
            station = scene.station(self.at)
            load = Load(station.body, station.position, -5 * station.position, ca.SX(scene.space.rotations, 1))
            return Contribution(loads=(load,), potential=5 * ca.dot(station.position, station.position))

    lw.register(Attraction)
    result = lw.simulate(lw.Model(**falling(forces={"pull": {"kind": "attraction", "at": "ball.O"}})), 1.0, step=0.1)
    with pytest.warns(
        lw.errors.AuditWarning, match="or potential and powers that 'pull' give do not belong to their loads"
    ):
        assert not result.audit.passed


def test_a_relation_from_outside_holds_and_pulls_in_all_coordinates() -> None:
    """A point mass on a slope through the middle of two pegs, held back by c v: v = v∞ (1 − exp(−c t / m))."""
    model = {
        "space": "planar",
        "gravity": [0, -9.81],
        "points": {"P": [-1, 1], "Q": [1, -1], "A": [0.0, 0.0]},
        "bodies": {"bead": {"points": ["A"], "mass": 2, "inertia": 1}},
        "relations": {"wire": {"kind": "bisector", "point": "bead.A", "between": ["ground.P", "ground.Q"], "drag": 3}},
        "outputs": {"far": "2*wire.range"},
    }
    with pytest.raises(ModelError, match="'bisector' is not one of"):
        lw.Model(**model)
    lw.register(Bisector)
    declared = lw.Model(**model)
    assert lw.loads(lw.dump(declared)) == declared
    assert "bisector" in str(lw.formats.schema())
    limit = 2 * 9.81 * np.sqrt(0.5) / 3
    for kind in ("relative", "natural", "reference_point", "mixed"):
        result = lw.simulate(declared, 1.0, step=0.1, coordinates=kind, rtol=1e-10, atol=1e-12)
        t = result.time
        down = limit * (t - 2 / 3 * (1 - np.exp(-1.5 * t)))
        assert result["A.x"] == pytest.approx(-down * np.sqrt(0.5), abs=1e-8)
        assert result["wire.force"] == pytest.approx(-2 * 9.81 * np.sqrt(0.5), rel=1e-8)
        assert result["wire.range"] == pytest.approx(np.sqrt(2 + down**2), rel=1e-8)
        assert result["far"] == pytest.approx(2 * result["wire.range"], rel=1e-12)
        assert result.audit.passed
    testing.check_elements(declared)
    groups = lw.number(declared, "reference_point").groups
    assert groups["wire", "held"] == (0,)


def test_a_coupling_from_outside_couples() -> None:
    """Two flywheels, the second twice as fast: α = τ / (I₁ + 4 I₂)."""
    lw.register(Doubler)
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "C": [1, 0], "A": [0.5, 0], "B": [1.5, 0]},
        bodies={
            "slow": {"points": ["O", "A"], "com": "O", "mass": 1, "inertia": 3},
            "fast": {"points": ["C", "B"], "com": "C", "mass": 1, "inertia": 0.5},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "slow"]},
            "C": {"kind": "revolute", "bodies": ["ground", "fast"]},
        },
        couplings={"teeth": {"kind": "doubler", "first": "O", "second": "C"}},
        forces={"motor": {"kind": "effort", "joint": "O", "value": 10}},
    )
    testing.check_elements(model)
    for kind in ("relative", "natural", "reference_point", "mixed"):
        result = lw.simulate(model, 0.5, step=0.1, coordinates=kind)
        assert result["O.speed"] == pytest.approx(10 / (3 + 4 * 0.5) * result.time, rel=1e-9, abs=1e-12)
        assert result["C.speed"] == pytest.approx(2 * result["O.speed"], rel=1e-12, abs=1e-12)


class Absorber(AppliedForce):
    """A mass of its own on a spring and a damper, which moves along x of the world, within a box."""

    kind: Literal["absorber"] = "absorber"
    at: ElementName
    mass: float
    width: float = 10.0
    start: float = 0.1

    def contribute(self, scene: Scene) -> Contribution:
        end = scene.station(self.at)
        place, speed = ca.SX.sym("place"), ca.SX.sym("speed")
        away, rate = place - end.position[0], speed - end.velocity[0]
        push = 40 * away + 0.5 * rate
        load = Load(end.body, end.position, ca.vertcat(push, ca.SX(scene.space.dimension - 1, 1)), ca.SX(1, 1))
        return Contribution(
            loads=(load,),
            potential=20 * away**2,
            dissipation=0.5 * rate**2,
            motions=(OwnMotion("place", place, speed, ca.SX(self.mass), -push, start=end.position[0] + self.start),),
            bounds=(Bound("the right end of its box", self.width - away),),
            readings={"place": Reading("m", "place of the mass", place)},
        )


def cart(**more: object) -> dict[str, object]:
    """A cart on a spring."""
    return {
        "space": "planar",
        "points": {"O": [0, 0], "A": [0.1, 0]},
        "bodies": {"cart": {"points": ["O"], "mass": 2, "inertia": 1}},
        "joints": {"rail": {"kind": "prismatic", "bodies": ["ground", "cart"], "at": "O", "axis": [1, 0]}},
        "forces": {"spring": {"kind": "effort", "joint": "rail", "value": "3 - 100*rail.position"}},
        **more,
    }


def test_a_force_may_have_a_mass_of_its_own() -> None:
    """The absorber against the same mass as a body on a rail of its own."""
    lw.register(Absorber)
    own = lw.Model(**cart()).with_(forces={"own": {"kind": "absorber", "at": "cart.O", "mass": 0.5}})
    testing.check_elements(own)
    body = lw.Model(**cart()).with_(
        bodies={"mass": {"points": ["A"], "mass": 0.5, "inertia": 1}},
        joints={"slot": {"kind": "prismatic", "bodies": ["ground", "mass"], "at": "A", "axis": [1, 0]}},
        forces={
            "away": {"kind": "effort", "joint": "slot", "value": "-40*(A.x - O.x) - 0.5*(slot.speed - rail.speed)"},
            "back": {"kind": "effort", "joint": "rail", "value": "40*(A.x - O.x) + 0.5*(slot.speed - rail.speed)"},
        },
        initial={"slot": {"position": 0.0}},
    )
    expected = lw.simulate(body, 2.0, step=0.1, rtol=1e-10, atol=1e-12)
    for kind in ("relative", "natural", "reference_point", "mixed"):
        result = lw.simulate(own, 2.0, step=0.1, coordinates=kind, rtol=1e-10, atol=1e-12)
        assert np.abs(result["cart.x"] - expected["cart.x"]).max() < 1e-8
        assert np.abs(result["own.place"] - expected["mass.x"]).max() < 1e-8
        assert result.audit.passed
        assert "energy" in result.audit
    assert np.ptp(result["own.place"]) > 0.1
    # nobody says what momentum the mass has; that of the bodies alone would be none of the mechanism
    assert "momentum.x" not in result and "cart.momentum.x" not in result and "centre_of_mass.x" in result
    with pytest.raises(RefusedError, match=r"'momentum\.x': 'own' has parts of its own that move"):
        lw.simulate(own.with_(outputs={"p": "momentum.x"}), 0.1)["p"]
    first, second = (sorted(abs(mode.eigenvalue.imag) for mode in lw.modes(model).modes) for model in (own, body))
    assert len(first) == 2
    assert first == pytest.approx(second, rel=1e-6)


def test_a_force_ends_where_it_says() -> None:
    lw.register(Absorber)
    keys = {"kind": "absorber", "at": "cart.O", "mass": 0.5}
    result = lw.simulate(
        lw.Model(**cart()).with_(forces={"own": {**keys, "start": -0.1, "width": 0.05}}), 2.0, step=0.1
    )
    assert result.outcome.element == "own"
    assert "force 'own' has come to the right end of its box" in str(result.outcome)
    assert result["own.place"][-1] - result["O.x"][-1] == pytest.approx(0.05, abs=1e-9)
    with pytest.raises(RefusedError, match="force 'own' is beyond the right end of its box at t = 0 s"):
        lw.simulate(lw.Model(**cart()).with_(forces={"own": {**keys, "width": 0.05}}), 2.0)


def test_conditions_of_a_force_are_refused() -> None:
    class Holding(QuadraticDrag):
        kind: Literal["holding"] = "holding"

        def contribute(self, scene: Scene) -> Contribution:
            return Contribution((Condition("length", scene.station(self.at).position[0]),))

    lw.register(Holding)
    held = {"h": {"kind": "holding", "at": "ball.O", "coefficient": 1}}
    with pytest.raises(RefusedError, match="force 'h': its Contribution has conditions; declare it as a relation"):
        lw.number(lw.Model(**falling(forces=held)), "relative")


def test_a_body_from_outside_resists_as_it_says() -> None:
    """A sphere that rolls down a slope: a = g sin β / (1 + I / m r²)."""
    ball = {"points": {"C": [0, 0, 0.1]}, "origin": [0, 0, 0], "com": "C", "mass": 3}
    slope, down = np.radians(20), lambda turning: 9.81 * np.sin(np.radians(20)) / (1 + turning / (3 * 0.1**2))
    rolling = {"kind": "rolling", "centre": "ball.C", "radius": 0.1, "plane": "ground.O"}

    def model(body: dict[str, object]) -> lw.Model:
        gravity = [9.81 * np.sin(slope), 0, -9.81 * np.cos(slope)]
        points = {"O": [0, 0, 0]}
        return lw.Model(
            space="spatial", gravity=gravity, points=points, bodies={"ball": body}, relations={"rolls": rolling}
        )

    water = {"kind": "water_ball", **ball, "shell": 1, "width": "20 cm"}
    with pytest.raises(ModelError, match="'water_ball' is not one of: rigid"):
        model(water)
    lw.register(WaterBall)
    testing.check_elements(model(water))
    assert "kind: rigid" not in lw.dump(model({**ball, "inertia": [1, 1, 1]}))
    for kind in ("relative", "reference_point", "natural"):
        for body, turning in ((water, 2 / 3 * 0.1**2), ({**ball, "inertia": [0.012] * 3}, 0.012)):
            result = lw.simulate(model(body), 0.5, step=0.1, coordinates=kind)
            assert result["ball.x"] == pytest.approx(down(turning) * result.time**2 / 2, rel=1e-6, abs=1e-9)


def test_a_body_that_is_not_rigid_is_refused_by_name() -> None:
    class Soft(Rigid):
        name = "soft"
        matter = None  # type: ignore[assignment]

    class SoftBody(lw.elements.Body):
        kind: Literal["soft"] = "soft"

        def embody(self, values, points) -> BodyKind:  # type: ignore[no-untyped-def]
            return Soft(super().embody(values, points).matter)

    lw.register(SoftBody)
    model = falling(bodies={"ball": {"kind": "soft", "points": ["O"], "mass": 2, "inertia": 1}})
    with pytest.raises(RefusedError, match="body 'ball' is soft, but relative coordinates take only rigid"):
        lw.simulate(lw.Model(**model), 1.0)


def test_a_joint_from_outside_works_as_its_model_does() -> None:
    lw.register(Bead())
    testing.check_joint(Bead())
    found = []
    for kind in ("point_on_line", "bead"):
        joint = {"wire": {"kind": kind, "bodies": ["ground", "ball"], "at": "O", "axis": [1, 1]}}
        found.append(lw.simulate(lw.Model(**falling(joints=joint)), 1.0)["wire.position"])
    assert np.array_equal(*found)
    assert found[0][-1] == pytest.approx(-0.25 * np.sqrt(2) * 9.81)


def test_a_joint_from_outside_has_keys_of_its_own(tmp_path: Path) -> None:
    """A box on parallel cranks swings as a point mass does on a rod, whatever its inertia."""
    swing = {"kind": "swing", "bodies": ["ground", "ball"], "at": "A", "axis": [1, 0], "radius": "r"}
    box = {
        "parameters": {"r": {"value": "0.5 m", "live": True}},
        "points": {"O": [0, 0], "A": ["r", 0]},
        "bodies": {"ball": {"points": ["A"], "mass": 2, "inertia": 7}},
    }
    with pytest.raises(ModelError, match="'swing' is not one of"):
        lw.Model(**falling(**box, joints={"O": swing}))
    lw.register(Swing)
    testing.check_joint(Swing())
    model = lw.Model(**falling(**box, joints={"O": swing}))
    testing.check_elements(model)
    assert lw.loads(lw.dump(model)) == model
    assert pickle.loads(pickle.dumps(model)) == model
    assert lw.formats.schema()["$defs"]["SwingJoint"]["required"] == ["kind", "bodies", "radius"]
    assert "swing ground - ball, at A, axis [1, 0], radius r" in str(model)
    rod = {"bar": ["O", "A"], "mass": 2, "com": "A", "inertia": 0}
    pin = {"O": {"kind": "revolute", "bodies": ["ground", "ball"]}}
    pendulum = lw.Model(**falling(**box | {"bodies": {"ball": rod}}, joints=pin))
    for radius in (0.5, 0.8):
        wanted = lw.simulate(pendulum, 2.0, step=0.1, parameters={"r": radius}, rtol=1e-10, atol=1e-12)
        for kind in ("relative", "natural", "reference_point", "mixed"):
            found = lw.simulate(
                model, 2.0, step=0.1, parameters={"r": radius}, coordinates=kind, rtol=1e-10, atol=1e-12
            )
            assert found["O.angle"] == pytest.approx(wanted["O.angle"], abs=1e-7)
            assert found["ball.A.x"] == pytest.approx(wanted["A.x"], abs=1e-7)
            assert found.audit.passed
    for wrong, path, why in (
        ({"raduis": 1}, "raduis", "did you mean one of: radius"),
        ({"lead": 1}, "lead", "valid names: at, axis, bodies, clearance, friction, kind, limits, radius, reference"),
    ):
        with pytest.raises(ModelError, match=why) as caught:
            lw.Model(**falling(**box, joints={"O": swing | wrong}))
        assert f"joints.O.{path}" in [fault.path for fault in caught.value.faults]
    with pytest.raises(ModelError, match=r"joints\.O\.radius: is missing\n +-> write radius: "):
        lw.Model(**falling(**box, joints={"O": {key: value for key, value in swing.items() if key != "radius"}}))


def test_a_joint_that_cannot_be_declared_is_refused_and_changes_nothing() -> None:
    class Numberless(Bead):
        name = "numberless"
        numbers = ("lead",)

    class Taken(Bead):
        name = "taken"
        numbers = ("limits",)
        limits = ca.SX(1)

    class ManyAxes(Bead):
        name = "many_axes"
        axes: ClassVar = {"planar": 1, "spatial": 3}

    for thing, why in (
        (Numberless, "'numberless' has a number 'lead': give it an attribute"),
        (Taken, "joints have a key 'limits' already"),
        (ManyAxes, "joints take none, and one or two"),
    ):
        with pytest.raises(RefusedError, match=why):
            lw.register(thing)
        assert thing.name not in JOINT_KINDS
        assert thing.name not in joints._BY_NAME


def test_formulations_integrators_and_formats_are_known_by_name(tmp_path: Path) -> None:
    model = lw.Model(**falling())
    with pytest.raises(RefusedError, match="unknown formulation 'stiffer'"):
        lw.simulate(model, 1.0, formulation="stiffer")
    assert lw.register(Stiffer) is Stiffer
    lw.register(RALSTON)
    testing.check_integrator(RALSTON)
    lw.register(LITERAL)
    result = lw.simulate(model, 1.0, formulation="stiffer", integrator="ralston", fixed_step=0.01)
    assert result["wire.position"][-1] == pytest.approx(9.81 / 2)
    path = tmp_path / "ball.pyd"
    lw.save(model, path)
    assert lw.load(path) == model


class Placed(ReferencePoint):
    """Reference points under another name."""

    name = "placed"


def test_coordinates_are_known_by_name() -> None:
    model = lw.Model(**falling())
    with pytest.raises(RefusedError, match="unknown coordinates 'placed'"):
        lw.simulate(model, 1.0, coordinates="placed")
    assert lw.register(Placed) is Placed
    assert lw.number(model, "placed").kind.name == "placed"
    assert lw.simulate(model, 1.0, coordinates="placed")["ball.y"][-1] == pytest.approx(-9.81 / 2)


def test_what_is_there_already_or_is_nothing_is_refused() -> None:
    class Other(QuadraticDrag):
        pass

    class Same(Multipliers):
        pass

    lw.register(QuadraticDrag)
    with pytest.raises(RefusedError, match="there is a kind of force 'quadratic_drag' already"):
        lw.register(Other)
    with pytest.raises(RefusedError, match="there is a formulation 'multipliers' already"):
        lw.register(Same())
    with pytest.raises(RefusedError, match="there is an integrator 'rk4' already"):
        lw.register(replace(RALSTON, name="rk4"))
    with pytest.raises(RefusedError, match="nothing that can be registered: it is none of AppliedForce, "):
        lw.register(3)
    assert extending.register is lw.register


def test_what_cannot_work_is_refused_and_changes_nothing() -> None:
    class AnyKind(QuadraticDrag):
        kind: str = "any"  # type: ignore[assignment]

    class NoKind(AppliedForce):
        pass

    class Idle(AppliedForce):
        kind: Literal["idle"] = "idle"

    class Nameless(Multipliers):
        name = None  # type: ignore[assignment]

    for thing, why in (
        (AnyKind, "Literal"),
        (NoKind, "Literal"),
        (Idle, "it has no contribute"),
        (Nameless, "needs a name"),
    ):
        with pytest.raises(RefusedError, match=why):
            lw.register(thing)
    assert lw.Model(**falling()) == lw.loads(lw.dump(lw.Model(**falling())))
    assert "idle" not in FORCE_KINDS
    lw.register(QuadraticDrag)


@pytest.mark.parametrize("wrong", [None, 3.0, Contribution(loads=(1, 2)), Contribution(loads=[])])  # type: ignore[arg-type]
def test_a_force_that_gives_something_else_than_an_action_is_named(wrong: object) -> None:
    class Odd(QuadraticDrag):
        kind: Literal["odd"] = "odd"  # type: ignore[assignment]

        def contribute(self, scene: Scene) -> Contribution:
            return wrong  # type: ignore[return-value]

    lw.register(Odd)
    model = lw.Model(**falling(forces={"drag": {"kind": "odd", "at": "ball.O", "coefficient": 1}}))
    with pytest.raises(RefusedError, match="force 'drag'"):
        lw.simulate(model, 0.1)


def test_a_formulation_can_be_given_as_a_class() -> None:
    assert lw.simulate(lw.Model(**falling()), 0.1, formulation=Stiffer).outcome.completed  # type: ignore[arg-type]


def test_installed_packages_offer_what_they_have_by_entry_points(tmp_path: Path) -> None:
    (tmp_path / "drags.py").write_text(
        "from linkwork.equations.formulations import Multipliers\n"
        "class Own(Multipliers):\n    name = 'own'\n    summary = 'offered'\n"
    )
    info = tmp_path / "drags-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: drags\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[linkwork]\na = drags:Nothing\nb = os:sep\nown = drags:Own\n")
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "import linkwork as lw\n"
        "assert 'drags' not in sys.modules\n"
        "print(lw.formulate, lw.prepare)\n"
        "from linkwork.equations.equations import find_formulation\n"
        "print(find_formulation('own'))\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout.split()[-1] == "own"
    assert "'a = drags:Nothing' that drags offers is left out (AttributeError" in run.stderr
    assert "'b = os:sep' that drags offers is left out (RefusedError" in run.stderr


def test_the_joint_of_the_page_is_one_class_that_slides() -> None:
    """A puck on a table moves as a point mass does: v t along the axis, −g t² / 2 across it."""
    page = (Path(__file__).parents[1] / "docs" / "howto" / "add_a_joint.md").read_text(encoding="utf-8")
    given: dict[str, Any] = {"__name__": "table"}
    exec(page.split("```python\n")[1].split("```")[0], given)
    lw.register(given["Table"])
    testing.check_joint(given["Table"]())
    puck = {"top": {"kind": "table", "bodies": ["ground", "ball"], "at": "O", "axis": [1, 0]}}
    model = lw.Model(**falling(joints=puck, initial={"top": {"position_x_rate": 2}}))
    for kind in ("relative", "natural", "reference_point", "mixed"):
        result = lw.simulate(model, 1.0, step=0.1, coordinates=kind)
        assert result["top.position_x"] == pytest.approx(2 * result.time, abs=1e-9)
        assert result["top.position_y"] == pytest.approx(-9.81 / 2 * result.time**2, abs=1e-9)


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"stages": 3}, "stages is 3 with 3 nodes.*2 or less"),
        ({"stages": 40}, "stages is 40"),
        ({"nodes": [0, 1]}, "stages is 2 with 2 nodes.*|matrix is 3 x 3"),
        ({"matrix": [[], [2 / 3], [1 / 4, 3 / 4]]}, "matrix is not made of finite numbers.*square"),
        ({"matrix": np.full((3, 3), np.nan)}, "matrix is not made of finite"),
        ({"matrix": np.eye(3)}, "the first stage is the start"),
        ({"matrix": np.ones((3, 3))}, "above its diagonal"),
        ({"matrix": np.zeros((3, 3), int)}, "do not add up to the nodes"),
        ({"dense": hermite([1 / 4, 3 / 4])[:2]}, "dense is 2 x 3; it is 3 rows"),
        ({"error": np.ones((1, 2))}, "error is 1 x 2"),
        ({"error": np.ones(3)}, "error is 3; it is none, one or two rows of 3"),
        ({"order": 0}, "order is 0; it is a whole number"),
        ({"order": 2.5}, "order is 2.5"),
        ({"exponents": (0.5,)}, "exponents is"),
        ({"stability": "blah"}, "stability is 'blah'; it is one of 'conditionally stable'"),
        ({"stages": 3, "order": 0, "stability": "stable"}, "order is 0.*stability is 'stable'.*stages is 3"),
    ],
)
def test_an_integrator_that_cannot_be_says_all_that_is_wrong(wrong: dict[str, Any], why: str) -> None:
    """Kernels read as far as the stages say: what does not fit is refused where it is made."""
    with pytest.raises(RefusedError, match=f"'ralston' cannot be an integrator: .*({why})"):
        replace(RALSTON, **wrong)


KNOWN = {method.name: method for method in lw.integrators.ALL}


@pytest.mark.parametrize(
    ("method", "wrong", "why"),
    [
        (
            "ab3",
            {"predictor": np.array([23.0, -16.0, 6.0]) / 12},
            r"predictor is not of order 3: x\^1 comes to 1\.08333",
        ),
        ("ab3", {"order": 4}, "predictor is not of order 4: x\\^4 comes to"),
        ("ab3", {"predictor": np.ones((2, 3))}, r"predictor is \(2, 3\); it has a finite number for each step"),
        ("ab3", {"predictor": []}, "predictor is"),
        ("ab3", {"end_weight": 0.5}, "end_weight is 0.5; it is a finite number, and that of a corrector"),
        ("abm3", {"corrector": [1, 0]}, r"corrector is \(2,\)"),
        ("abm3", {"end_weight": np.nan}, "end_weight is nan"),
        ("abm3", {"end_weight": 0.4}, "corrector is not of order 3"),
        ("abm3", {"corrections": -1}, "corrections is -1"),
        ("bdf2", {"end_weight": 0.5}, "corrector is not of order 2"),
        ("bdf2", {"corrector": [np.nan, 0]}, "corrector is"),
    ],
)
def test_a_multistep_method_that_cannot_be_says_what_is_wrong(method: str, wrong: dict[str, Any], why: str) -> None:
    with pytest.raises(RefusedError, match=f"'{method}' cannot be an integrator: .*{why}"):
        replace(KNOWN[method], **wrong)


def test_a_multistep_method_whose_history_grows_is_refused() -> None:
    """y₊ = −4 y + 5 y₋ + 6 h f₊ is of order 1, and errors grow by −5: z² + 4 z − 5 = (z − 1) (z + 5)."""
    growing = {"order": 1, "predictor": [0.0, 0.0], "corrector": [-5.0, 5.0], "end_weight": 6.0}
    with pytest.raises(RefusedError, match="'bdf2' cannot be an integrator: it is not zero-stable"):
        replace(KNOWN["bdf2"], **growing)


def test_lists_of_whole_numbers_make_an_integrator_and_its_exponents_follow() -> None:
    """Heun's method with the error of Euler's: y₁ − ŷ₁ = h (k₁ − k₀) / 2."""
    listed = replace(
        RALSTON,
        nodes=[0, 1, 1],
        matrix=[[0, 0, 0], [1, 0, 0], [0.5, 0.5, 0]],
        error=[[-0.5, 0.5, 0]],
        dense=hermite([0.5, 0.5]),
    )
    assert listed.exponents == (0.5, 0.0) and listed.nodes.dtype == float
    run = lw.simulate(lw.Model(**falling()), 1.0, integrator=listed, rtol=1e-6)
    assert run["wire.speed"][-1] == pytest.approx(9.81, rel=1e-9)
    testing.check_integrator(listed)
    with pytest.raises(AssertionError, match="it is conditionally stable, and says that it is A-stable"):
        testing.check_integrator(replace(listed, stability="A-stable"))


class Boom(joints.JointKind):
    """A slide along x of the parent that turns nothing; what it says of itself is at fault in the classes below."""

    name = "boom"
    axes: ClassVar = {"spatial": 1}

    def freedoms(self, space: Space) -> tuple[joints.Freedom, ...]:
        return Prismatic().freedoms(space)

    def motion(self, space: Space, q: ca.SX) -> Frame:
        return Prismatic().motion(space, q)

    def columns(self, space: Space, q: ca.SX) -> tuple[ca.SX, ca.SX]:
        return Prismatic().columns(space, q)

    def rows(self, space: Space, a: Frame, b: Frame) -> list[Condition]:
        return Prismatic().rows(space, a, b)

    def measure(self, space: Space, a: Frame, b: Frame) -> tuple[joints.Measure, ...]:
        return Prismatic().measure(space, a, b)

    def reactions(self, space: Space, a: Frame, b: Frame) -> joints.Directions:
        return Prismatic().reactions(space, a, b)


def _parts(word: str) -> Any:
    return lambda self, space, a, b: [replace(row, part=word) for row in Prismatic().rows(space, a, b)]


TWICE = (joints.Freedom("position", "speed", "length"), joints.Freedom("position", "speed", "length"))


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"shares_point": True}, "says shares_point, and the origins of a and b part"),
        ({"shares_axis": True, "rows": _parts("lock")}, "says shares_axis: 2 of its rows have the part 'axis'"),
        (
            {"shares_axis": True, "motion": lambda self, space, q: Frame(ca.SX(3, 1), about_x(q[0]))},
            "the z axes .* part",
        ),
        ({"motion": lambda self, space, q: Frame(ca.SX(3, 1), about_x(q[0]))}, "lengths alone, and its motion turns"),
        ({"rows": _parts("blah")}, "is 'blah'; it is one of point, axis, slide, lock"),
        ({"freedoms": lambda self, space: TWICE}, "two of its freedoms and rates are called 'position'"),
        ({"freedoms": lambda self, space: (joints.Freedom("x", "y", "angel"),)}, "is 'angel'; it is one of angle"),
    ],
)
def test_what_a_joint_says_of_itself_is_compared_with_its_motion_and_rows(wrong: dict[str, Any], why: str) -> None:
    """Natural coordinates leave out the rows of what is shared: a wrong word would be a wrong motion."""
    kind = type("Wrong", (Boom,), {"name": "wrong", **wrong})
    with pytest.raises(RefusedError, match=f"'wrong' cannot be a kind of joint: .*{why}"):
        lw.register(kind)
    with pytest.raises(AssertionError, match=why):
        testing.check_joint(kind)
    assert "wrong" not in JOINT_KINDS
    testing.check_joint(Boom)


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (
            {"numbers": {"reach": joints.JointNumber("lenght")}, "reach": 1.0},
            "'lenght', which is not known; did you mean 'len",
        ),
        ({"axes": {"3d": 1}}, "axes = {'3d': 1}"),
        ({"axes": {}}, "axes = {}"),
        ({"motion": lambda self, space, q: 1 / 0}, "ZeroDivisionError"),
    ],
)
def test_a_joint_that_cannot_be_declared_is_refused_by_name(wrong: dict[str, Any], why: str) -> None:
    with pytest.raises(RefusedError, match=f"'wrong' .*{why}"):
        lw.register(type("Wrong", (Boom,), {"name": "wrong", **wrong}))


def test_perpendicular_axes_are_asked_for_by_the_kind_that_needs_them() -> None:
    kind = type("Cross", (Universal,), {"name": "cross"})
    lw.register(kind)
    with pytest.raises(ModelError, match="the two axes of a cross joint cross at 45 degrees"):
        lw.analyse(
            lw.Model(
                space="spatial",
                points={"O": [0, 0, 0]},
                bodies={"b": {"points": ["O"], "mass": 1, "inertia": [1, 1, 1]}},
                joints={"O": {"kind": "cross", "bodies": ["ground", "b"], "axes": [[0, 0, 1], [1, 0, 1]]}},
            )
        )


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (
            lambda s, st: Load("bal", st.position, ca.SX(2, 1), ca.SX(1, 1)),
            "load is on 'bal', which is no body.*'ball'",
        ),
        (lambda s, st: Load("ball", st.position, ca.SX(3, 1), ca.SX(1, 1)), "the force of its load is 3 x 1; .* 2 x 1"),
        (
            lambda s, st: Load("ball", st.position, ca.SX(2, 1), ca.SX(3, 1)),
            "the moment of its load is 3 x 1; .* 1 x 1",
        ),
        (lambda s, st: Load("ball", st.position, "up", ca.SX(1, 1)), "the force of its load is a 'str'"),
        (
            lambda s, st: Load("ball", st.position, ca.SX.sym("u", 2), ca.SX(1, 1)),
            "load depends on 'u_0', which has no value",
        ),
    ],
)
def test_loads_that_cannot_be_are_refused_with_the_name_of_their_element(given: Any, why: str) -> None:
    class Odd(AppliedForce):
        kind: Literal["odd"] = "odd"

        def contribute(self, scene: Scene) -> Contribution:
            return Contribution(loads=(given(scene, scene.station("ball.O")),), supplies=True)

    lw.register(Odd)
    with pytest.raises(RefusedError, match=f"force 'push': .*{why}"):
        lw.simulate(lw.Model(**falling(forces={"push": {"kind": "odd"}})), 0.1)


def test_loads_of_numbers_act() -> None:
    class Lift(AppliedForce):
        kind: Literal["lift"] = "lift"

        def contribute(self, scene: Scene) -> Contribution:
            at = scene.station("ball.O")
            return Contribution(loads=(Load(at.body, at.position, np.array([0.0, 2 * 9.81]), 0.0),), supplies=True)  # type: ignore[arg-type]

    lw.register(Lift)
    result = lw.simulate(lw.Model(**falling(forces={"push": {"kind": "lift"}})), 0.5)
    assert result["wire.speed"][-1] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("key", ["power", "work"])
def test_a_reading_with_a_name_that_results_have_is_refused(key: str) -> None:
    class Loud(AppliedForce):
        kind: Literal["loud"] = "loud"

        def contribute(self, scene: Scene) -> Contribution:
            return Contribution(readings={key: Reading("N", "of nothing", ca.SX(3))})

    lw.register(Loud)
    with pytest.raises(RefusedError, match=f"results have a 'noise.{key}' already"):
        lw.simulate(lw.Model(**falling(forces={"noise": {"kind": "loud"}})), 0.1)


def test_a_cell_that_is_run_again_takes_the_place_of_what_it_made() -> None:
    def cell(strength: float) -> None:
        class Wind(AppliedForce):
            kind: Literal["wind"] = "wind"

            def contribute(self, scene: Scene) -> Contribution:
                at = scene.station("ball.O")
                load = Load(at.body, at.position, ca.vertcat(0, strength), ca.SX(1, 1))
                return Contribution(loads=(load,), supplies=True)

        class Mine(Multipliers):
            name = "mine"

        lw.register(Wind)
        lw.register(Mine())
        lw.register(type("Cell", (Boom,), {"name": "cell"}))
        lw.register(replace(RALSTON, dense=hermite([1 / 4, 3 / 4])))
        lw.register(LITERAL)

    for strength in (2 * 9.81, 9.81):
        cell(strength)
        result = lw.simulate(lw.Model(**falling(forces={"wind": {"kind": "wind"}})), 1.0)
        assert result["wire.speed"][-1] == pytest.approx(9.81 - strength / 2, rel=1e-9, abs=1e-12)
    assert [method.name for method in lw.integrators.ALL].count("ralston") == 1
    assert [form.name for form in lw.formats.ALL].count("Literal") == 1


GOOD = {"space": "planar", "points": {"O": [0, 0]}, "bodies": {"b": {"points": ["O"], "mass": 1, "inertia": 1}}}


@pytest.mark.parametrize(
    ("read", "why"),
    [
        (lambda source: GOOD, "the reader of the format 'Odd' gives a 'dict'; it has to give a Document"),
        (lambda source: None, "the reader of the format 'Odd' gives a 'NoneType'"),
        (lambda source: 1 / 0, "the reader of the format 'Odd' fails: ZeroDivisionError: division by zero"),
        (lambda source: Document([1]), "a list instead of keys"),  # type: ignore[arg-type]
    ],
)
def test_a_reader_that_fails_says_which_format_and_why(read: Any, why: str) -> None:
    lw.register(Format("Odd", (".odd",), read))
    with pytest.raises(ModelError, match=why):
        lw.loads("", "odd")


def test_formats_that_are_only_read_say_so_and_suffixes_are_one_format_s(tmp_path: Path) -> None:
    form = lw.register(Format("Odd", (".ODD",), lambda source: Document(GOOD, notes="one note")))  # type: ignore[arg-type]
    (tmp_path / "a.Odd").write_text("", encoding="utf-8")
    model = lw.load(tmp_path / "a.Odd")
    assert "one note" in model.remarks
    for write in (lambda: lw.dump(model, "odd"), lambda: lw.save(model, tmp_path / "b.odd")):
        with pytest.raises(RefusedError, match="the format 'Odd' is only read"):
            write()
    with pytest.raises(RefusedError, match="the format 'Odd' is only read"):
        testing.check_format(form, model)
    failing = replace(form, name="Failing", suffixes=(".f",), write=lambda data: data["nothing"])
    lw.register(failing)
    with pytest.raises(RefusedError, match="the format 'Failing' cannot write this model: KeyError"):
        lw.dump(model, "failing")
    with pytest.raises(RefusedError, match=r"files '.yaml' are of the format 'YAML' already; give 'Second' another"):
        lw.register(Format("Second", (".yaml",), form.read))
    with pytest.raises(RefusedError, match="begin with a dot"):
        Format("Dotless", ("yaml",), form.read)


@dataclass(frozen=True, eq=False, repr=False)
class Uneven(lw.answers.Answer):
    """Drawn by a module from outside of Linkwork."""

    view = f"{__name__}.drawn_outside"
    title = "uneven"

    def columns(self) -> list[lw.answers.Column]:
        return [lw.answers.Column("key", ["a", "b"]), lw.answers.Column("value", [1.0], "m")]


def drawn_outside(answer: Uneven, **options: object) -> str:
    """Stands for a figure."""
    return f"figure of {answer.title}"


def test_an_answer_from_outside_is_drawn_there_and_uneven_columns_are_refused() -> None:
    assert Uneven().plot() == "figure of uneven"  # type: ignore[comparison-overlap]
    with pytest.raises(RefusedError, match="Uneven: its columns are not of one length: key 2, value 1"):
        Uneven().table()
