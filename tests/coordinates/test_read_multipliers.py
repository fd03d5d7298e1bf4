"""Forces from outside that read what conditions push with, in all coordinates and formulations: friction above all."""

from __future__ import annotations

from typing import Literal

import casadi as ca
import numpy as np
import pytest
from numpy.typing import NDArray
from pydantic import Field
from scipy.integrate import solve_ivp

import linkwork as lw
from linkwork import testing
from linkwork.coordinates.numbering import ALL_COORDINATES
from linkwork.elements.contribution import Contribution, JointEffort, Load, OwnState, Reading
from linkwork.equations.formulations import ALL_FORMULATIONS, Formulation
from linkwork.errors import RefusedError
from linkwork.model.fields import ElementName, Value
from linkwork.model.forces.base import AppliedForce, Scene

Array = NDArray[np.float64]
KINDS = tuple(kind.name for kind in ALL_COORDINATES)
G, SLOPE, MU = 9.81, np.radians(35), 0.3


class SlideFriction(AppliedForce):
    """A force −μ N along a slide, with its sense from a formula of the state."""

    kind: Literal["slide_friction"] = "slide_friction"
    joint: ElementName
    mu: Value = Field(description="1")
    width: float = Field(0.0, description="speed at which it is fully there, m/s; 0: always against the positive sense")
    reads: str = ""
    component: str = "position along y"
    law: str = "affine"
    heats: bool = True

    def contribute(self, scene: Scene) -> Contribution:
        normal = scene.multiplier(self.reads or self.joint, self.component)
        at = scene.coordinate(self.joint, None)
        sense = ca.tanh(at.rate / self.width) if self.width else ca.SX(1)
        laws = {
            "affine": 2 * (3 + normal) / 2 - 3,
            "chosen": ca.if_else(at.rate > -1, normal, -normal),
            "size": ca.fabs(normal),
            "step": ca.if_else(normal > 5, 10.0, 0.0),
            "square": normal * (1 + 1e-9 * normal),
        }
        force = -scene.value(self.mu) * sense * laws[self.law]
        heat = ca.SX.sym("heat")
        return Contribution(
            efforts=(JointEffort(self.joint, at.freedom, force),),
            dissipation=-force * at.rate,
            states=(OwnState("heat", heat, -force * at.rate, ca.SX(0)),) if self.heats else (),
            readings={
                "normal": Reading("N", "normal force", normal),
                **({"heat": Reading("J", "heat", heat)} if self.heats else {}),
            },
        )

    @property
    def joints(self) -> tuple[str, ...]:
        return (self.joint,)


@pytest.fixture(scope="module", autouse=True)
def _registered(kinds_of_the_file: None) -> None:
    lw.register(SlideFriction)


def incline(space: str = "planar", **friction: object) -> lw.Model:
    """A block that slides down a slope."""
    down = [float(np.cos(SLOPE)), -float(np.sin(SLOPE))]
    flat = space == "planar"
    turning = 1 if flat else [1, 1, 1]
    points = {"O": [0, 0] if flat else [0, 0, 0], "A": [1, 0] if flat else [1, 0, 0]}
    return lw.Model(
        space=space,
        gravity=[0, -G] if flat else [0, 0, -G],
        points=points,
        bodies={"block": {"points": ["O"], "mass": 2, "inertia": turning}},
        joints={
            "slide": {
                "kind": "prismatic",
                "bodies": ["ground", "block"],
                "at": "O",
                "axis": down if flat else [down[0], 0, down[1]],
            }
        },
        forces={"friction": {"kind": "slide_friction", "joint": "slide", "mu": MU, **friction}},
    )


def slider_crank(turning: bool = False, **friction: object) -> lw.Model:
    """Crank, rod and a heavy piston that its guide carries; it starts to fall, or is turned."""
    friction = {"joint": "guide", "mu": 0.2, "width": 0.3, **friction}
    return lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0], "A": [0, 0.1], "B": [0.3, 0], "C": [0.15, 0.05]},
        bodies={
            "crank": {"points": ["O", "A"], "com": "O", "mass": 1, "inertia": 0.02},
            "rod": {"points": ["A", "B", "C"], "com": "C", "mass": 0.5, "inertia": 0.006},
            "piston": {"points": ["B"], "mass": 3, "inertia": 0.01},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
            "A": {"kind": "revolute", "bodies": ["crank", "rod"]},
            "B": {"kind": "revolute", "bodies": ["rod", "piston"]},
            "guide": {"kind": "prismatic", "bodies": ["ground", "piston"], "at": "B", "axis": [1, 0]},
        },
        drivers={"motor": {"joint": "O", "position": "3*t + t**2"}} if turning else {},
        initial={} if turning else {"O": {"speed": 6.0}},
        forces={"friction": {"kind": "slide_friction", **friction}},
    )


def crank_equations(theta: float, speed: float, mu: float, width: float, torque: float = 0.0) -> tuple[float, float]:
    """θ̈ and N of the slider-crank by Newton and Euler for three free bodies: θ̈, forces in A and B on the rod and the piston.

    Rod from A = r (cos θ, sin θ) at angle φ to B on the x axis, r sin θ + l sin φ = 0.
    """
    r, l = 0.1, np.hypot(0.3, 0.1)
    phi = np.arcsin(-r * np.sin(theta) / l)
    ratio = -r * np.cos(theta) / (l * np.cos(phi))  # φ̇ / θ̇
    w = ratio * speed
    bend = (r * np.sin(theta) * speed**2 + l * np.sin(phi) * w**2) / (l * np.cos(phi))  # φ̈ = ratio θ̈ + bend
    along, across = np.array([np.cos(theta), np.sin(theta)]), np.array([-np.sin(theta), np.cos(theta)])
    rod, turn = np.array([np.cos(phi), np.sin(phi)]), np.array([-np.sin(phi), np.cos(phi)])
    a_slope, a_rest = r * across, -r * speed**2 * along
    g_slope, g_rest = a_slope + l / 2 * ratio * turn, a_rest + l / 2 * (bend * turn - w**2 * rod)
    b_slope, b_rest = a_slope + l * ratio * turn, a_rest + l * (bend * turn - w**2 * rod)
    velocity = r * speed * across + l * w * turn
    grip = mu * np.tanh(velocity[0] / width)
    matrix, right = np.zeros((6, 6)), np.zeros(6)  # θ̈, A on the rod, B on the piston, N
    matrix[0, :3], right[0] = [0.02, -r * np.sin(theta), r * np.cos(theta)], torque
    for i in range(2):
        matrix[1 + i, [0, 1 + i, 3 + i]] = 0.5 * g_slope[i], -1.0, 1.0
        right[1 + i] = -0.5 * g_rest[i] - (0.5 * G if i else 0.0)
    arm = l / 2 * rod
    # 0.006 φ̈ = (−arm) × A + arm × (−B)
    matrix[3] = [0.006 * ratio, -arm[1], arm[0], -arm[1], arm[0], 0.0]
    right[3] = -0.006 * bend
    matrix[4], right[4] = [3 * b_slope[0], 0, 0, -1.0, 0, grip], -3 * b_rest[0]
    matrix[5], right[5] = [0, 0, 0, 0, -1.0, -1.0], -3 * G
    found = np.linalg.solve(matrix, right)
    return float(found[0]), float(found[5])


@pytest.mark.matrix("formulation", "kind")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "formulation", ["partitioning", "multipliers", "r_method", "canonical", "index1", "index3", "ggl"]
)
def test_a_block_slides_down_against_friction(kind: str, formulation: str) -> None:
    """a = g (sin β − μ cos β), N = m g cos β."""
    result = lw.simulate(incline(), 1.0, step=0.1, coordinates=kind, formulation=formulation)
    a, normal = G * (np.sin(SLOPE) - MU * np.cos(SLOPE)), 2 * G * np.cos(SLOPE)
    assert np.abs(result["slide.acceleration"] - a).max() < 1e-9
    assert np.abs(result["slide.position"] - a * result.time**2 / 2).max() < 1e-9
    assert np.abs(result["friction.normal"] - normal).max() < 1e-9
    assert np.abs(result["friction.heat"] - MU * normal * result["slide.position"]).max() < 1e-8
    # the reaction on the block: the normal force alone, friction is a force of its own
    assert np.abs(result["slide.fx"] - normal * np.sin(SLOPE)).max() < 1e-8
    assert np.abs(result["slide.fy"] - normal * np.cos(SLOPE)).max() < 1e-8
    assert result.audit.passed


def test_friction_in_space_is_that_of_the_plane() -> None:
    """The block pushes along x or y of its guide, whichever stands upright."""
    a = G * (np.sin(SLOPE) - MU * np.cos(SLOPE))
    found = []
    for axis in "xy":
        result = lw.simulate(incline("spatial", component=f"position along {axis}"), 0.5, step=0.1)
        found.append(result["slide.acceleration"][-1])
        assert result.audit.passed
    frictionless = G * np.sin(SLOPE)
    assert sorted(abs(np.array(found) - frictionless)) == pytest.approx([0.0, frictionless - a], abs=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_a_slider_crank_with_friction_moves_as_scipy_says(kind: str) -> None:
    result = lw.simulate(slider_crank(), 1.0, step=0.02, coordinates=kind, rtol=1e-10, atol=1e-12)

    def rates(t: float, y: Array) -> list[float]:
        return [y[1], crank_equations(y[0], y[1], 0.2, 0.3)[0]]

    expected = solve_ivp(rates, (0, 1), [np.pi / 2, 6.0], "DOP853", t_eval=result.time, rtol=1e-12, atol=1e-13)
    assert np.abs(result["O.angle"] + np.pi / 2 - expected.y[0]).max() < 1e-8
    assert np.abs(result["O.speed"] - expected.y[1]).max() < 1e-7
    normal = [crank_equations(theta, speed, 0.2, 0.3)[1] for theta, speed in expected.y.T]
    assert np.abs(result["friction.normal"] - normal).max() < 1e-6
    assert result["friction.normal"].min() > 1.0
    assert result["guide.speed"].min() < -0.1 < 0.1 < result["guide.speed"].max()
    energy = result["energy.total"] + result["friction.heat"]
    assert np.abs(energy - energy[0]).max() < 1e-9
    assert result["friction.heat"][-1] > 0.1
    assert result.audit.passed


@pytest.mark.parametrize("formulation", [item for item in ALL_FORMULATIONS if not item.needs_fixed_step], ids=str)
def test_all_formulations_give_the_same_motion(formulation: Formulation) -> None:
    if formulation.kinds:
        with pytest.raises(RefusedError, match="has coordinates of its own, as a force reads"):
            lw.simulate(slider_crank(), 0.1, formulation=formulation)
        return
    result = lw.simulate(
        slider_crank(), 0.4, step=0.1, coordinates="reference_point", formulation=formulation, rtol=1e-8, atol=1e-10
    )
    expected = solve_ivp(
        lambda t, y: [y[1], crank_equations(*y, 0.2, 0.3)[0]],
        (0, 0.4),
        [np.pi / 2, 6.0],
        "DOP853",
        rtol=1e-12,
        atol=1e-13,
    )
    assert result["O.angle"][-1] + np.pi / 2 == pytest.approx(expected.y[0, -1], abs=1e-6)


def test_a_motor_works_against_friction() -> None:
    """All motion is given: θ̈ is affine in the torque of the driver, which makes it 2 rad/s²."""
    for mu in (0.0, 0.2):
        result = lw.simulate(slider_crank(turning=True, mu=mu), 1.0, step=0.1)
        for theta, speed, torque in zip(result["O.angle"], result["O.speed"], result["motor.effort"], strict=True):
            free, pushed = (crank_equations(np.pi / 2 + theta, speed, mu, 0.3, tau)[0] for tau in (0.0, 1.0))
            assert torque == pytest.approx((2.0 - free) / (pushed - free), rel=1e-8, abs=1e-9)


def test_the_effort_of_a_driver_can_be_read() -> None:
    """A brake that holds back a guide by a part of the torque of the motor; both by virtual power."""
    brake = {"reads": "motor", "component": "", "mu": 0.5, "width": 0}
    found = [lw.simulate(slider_crank(True, **brake), 1.0, step=0.1, coordinates=kind) for kind in KINDS]
    plain = lw.simulate(slider_crank(True, mu=0), 1.0, step=0.1)
    for result in found:
        # τ ω + (−μ τ) v = power without the brake
        power = result["motor.effort"] * result["O.speed"] - 0.5 * result["motor.effort"] * result["guide.speed"]
        assert np.abs(power - plain["motor.power"]).max() < 1e-8
        assert np.abs(result["friction.normal"] - result["motor.effort"]).max() < 1e-8


def test_bodies_without_inertia_do_no_harm() -> None:
    """M is singular with a rod without mass; the motion is that of a light one, and of other coordinates."""
    light = slider_crank().model_dump()
    light["bodies"]["rod"] |= {"mass": 0, "inertia": 0}
    model = lw.Model(**light)
    found = [lw.simulate(model, 0.5, step=0.1, coordinates=kind)["O.angle"] for kind in KINDS]
    for angle in found[1:]:
        assert np.abs(angle - found[0]).max() < 1e-7
    light["bodies"]["rod"] |= {"mass": 1e-9, "inertia": 1e-9}
    assert np.abs(lw.simulate(lw.Model(**light), 0.5, step=0.1)["O.angle"] - found[0]).max() < 1e-6


def test_readers_pass_the_checks_of_elements() -> None:
    testing.check_elements(incline(width=0.5))
    testing.check_elements(slider_crank())


def test_a_mechanism_rests_where_friction_holds_it() -> None:
    """A spring of stiffness k against weight and friction of a given sense: k x = m g (sin β − μ cos β)."""
    declared = incline(heats=False).model_dump()
    declared["forces"]["spring"] = {"kind": "effort", "joint": "slide", "value": "-100*slide.position"}
    found = lw.find_equilibrium(lw.Model(**declared))
    assert found["slide.position"] == pytest.approx(2 * G * (np.sin(SLOPE) - MU * np.cos(SLOPE)) / 100, rel=1e-9)


def test_all_coordinates_mean_the_same_multiplier() -> None:
    """A block that slides along an arm which turns, in space; two of the five conditions of its guide are read."""
    declared = {
        "space": "spatial",
        "gravity": [1.0, 2.0, -G],
        "points": {"O": [0, 0, 0], "C": [0.3, 0.2, 0.1]},
        "bodies": {
            "arm": {"points": ["O", "C"], "com": [0.2, 0.1, 0.3], "mass": 2, "inertia": [1, 2, 2.5]},
            "block": {"points": ["C"], "com": [0.05, -0.1, 0.2], "mass": 1.5, "inertia": [0.5, 0.4, 0.3]},
        },
        "joints": {
            "hinge": {"kind": "revolute", "bodies": ["ground", "arm"], "at": "O", "axis": [0, 0, 1]},
            "slide": {"kind": "prismatic", "bodies": ["arm", "block"], "at": "C", "axis": [1.0, 0.5, 0.2]},
        },
        "initial": {"hinge": {"speed": 2.0}, "slide": {"speed": 0.3}},
    }
    labels = lw.number(lw.Model(**declared), "reference_point").labels
    components = [label.component for label in labels if label.element == "slide"]
    assert len(components) == 5
    for component in components[1::2]:
        friction = {"kind": "slide_friction", "joint": "slide", "mu": 0.1, "component": component, "heats": False}
        model = lw.Model(**declared, forces={"friction": friction})
        found = [lw.simulate(model, 0.2, step=0.1, coordinates=kind) for kind in KINDS]
        for name in ("slide.position", "hinge.angle", "friction.normal"):
            values = np.array([result[name] for result in found])
            assert np.ptp(values, axis=0).max() < 1e-8


class Pressed(AppliedForce):
    """A push along x on a body, of the only force of a joint."""

    kind: Literal["pressed"] = "pressed"
    joint: ElementName
    component: str = ""

    def contribute(self, scene: Scene) -> Contribution:
        normal, at = scene.multiplier(self.joint, self.component), scene.station("bead.C")
        force = ca.vertcat(0.2 * normal, ca.SX(scene.space.dimension - 1, 1))
        load = Load(at.body, at.position, force, ca.SX(scene.space.rotations, 1), at.velocity)
        return Contribution(loads=(load,), supplies=True, readings={"normal": Reading("N", "of the joint", normal)})


def bead(space: str, **more: object) -> lw.Model:
    """A bead that one condition holds, on a line in the plane or on a plane in space, level and under its weight."""
    flat = space == "planar"
    centre, turning = ([0, 0], 0.1) if flat else ([0, 0, 0], [0.1, 0.1, 0.1])
    lw.register(Pressed)
    return lw.Model(
        space=space,
        gravity=[0, -G] if flat else [0, 0, -G],
        points={"C": centre},
        bodies={"bead": {"points": ["C"], "mass": 2, "inertia": turning}},
        joints={
            "rail": {
                "kind": "point_on_line" if flat else "point_on_plane",
                "bodies": ["ground", "bead"],
                "at": "C",
                "axis": [1, 0] if flat else [0, 0, 1],
            }
        },
        forces={"press": {"kind": "pressed", "joint": "rail", **more}},
    )


@pytest.mark.matrix("kind")
@pytest.mark.parametrize("kind", [*KINDS, "mixed:natural"])
@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_the_only_condition_of_a_joint_needs_no_name(space: str, kind: str) -> None:
    """N = m g, and the bead goes ½ (0.2 g) t²: rows that define relative variables are no conditions of the joint."""
    found = lw.simulate(bead(space), 0.5, step=0.1, coordinates=kind)
    assert np.abs(found["press.normal"]) == pytest.approx(2 * G, rel=1e-9)
    assert np.abs(found["C.x"]) == pytest.approx(0.1 * G * found.time**2, abs=1e-9)


def test_what_defines_a_variable_is_not_read() -> None:
    for kind in (*KINDS, "mixed:natural"):
        with pytest.raises(RefusedError, match=r"the multiplier of 'position' of 'rail' is read"):
            lw.simulate(bead("planar", component="position"), 0.1, coordinates=kind)


# -- refused -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("law", ["size", "step", "square"])
def test_loads_that_are_not_affine_are_refused(law: str) -> None:
    """A step in a multiplier too, whose derivative is zero."""
    with pytest.raises(RefusedError, match="force 'friction': its loads must be affine in the multipliers"):
        lw.number(incline(law=law), "relative")


def test_the_state_may_choose_between_loads() -> None:
    result = lw.simulate(incline(law="chosen"), 0.2, step=0.1)
    assert np.abs(result["slide.acceleration"] - G * (np.sin(SLOPE) - MU * np.cos(SLOPE))).max() < 1e-9


def test_what_cannot_be_read_is_refused_by_name() -> None:
    with pytest.raises(RefusedError, match=r"the multiplier of 'sleigh' is read, which has no conditions.*slide"):
        lw.number(incline(reads="sleigh", component=""), "reference_point")
    with pytest.raises(RefusedError, match="name one of position along y, rotation about z"):
        lw.number(incline(component=""), "relative")
    with pytest.raises(RefusedError, match="position along y"):
        lw.number(incline(component="position along z"), "relative")


def test_multipliers_that_are_not_unique_are_refused() -> None:
    declared = incline().model_dump()
    declared["joints"]["second"] = {**declared["joints"]["slide"]}
    with pytest.raises(RefusedError, match=r"'friction': loads read .*slide.* not unique.*second"):
        lw.number(lw.Model(**declared), "reference_point")


def test_joints_beside_wheels_that_touch_are_refused() -> None:
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "C": [0.3, 0], "A": [0, 0.1], "B": [0.3, 0.1]},
        bodies={
            "first": {"points": ["O", "A"], "com": "O", "mass": 1, "inertia": 1},
            "second": {"points": ["C", "B"], "com": "C", "mass": 1, "inertia": 1},
            "sled": {"points": ["B"], "mass": 1, "inertia": 1},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "first"]},
            "C": {"kind": "revolute", "bodies": ["ground", "second"]},
            "rail": {"kind": "prismatic", "bodies": ["ground", "sled"], "at": "B", "axis": [1, 0]},
        },
        couplings={"teeth": {"kind": "gear", "bodies": ["first", "second"], "radii": [0.1, 0.2]}},
        forces={"friction": {"kind": "slide_friction", "joint": "rail", "mu": 0.1}},
    )
    with pytest.raises(RefusedError, match=r"'friction': loads read .*rail.* does not know what 'teeth' pushes with"):
        lw.number(model, "reference_point")


def test_rest_beside_drivers_is_refused() -> None:
    with pytest.raises(RefusedError, match="which at rest is not what it is while drivers move"):
        lw.find_equilibrium(slider_crank(turning=True, heats=False))


def test_efforts_and_impulses_that_loads_do_not_know_of_are_refused() -> None:
    with pytest.raises(RefusedError, match="effort of an input changes what joint guide"):
        lw.measures.acceleration_ellipsoid(slider_crank(), "B", {"O": "1 N*m"})
    stepped = slider_crank(True).with_(
        drivers={"motor": {"joint": "O", "position": None, "speed": "3 + step(t - 0.1)"}}
    )
    outcome = lw.simulate(stepped, 0.2).outcome  # what was reached before it is kept
    assert not outcome.completed and outcome.time == pytest.approx(0.1)
    assert outcome.reason.startswith("an impulse at t = 0.1 s changes what joint guide")


def test_jamming_is_refused() -> None:
    """The power τ ω − μ τ v of motor and brake vanishes where μ v = ω, with v = −0.1 ω at the start."""
    model = slider_crank(True, reads="motor", component="", mu=-10.0, width=0)
    with pytest.raises(RefusedError, match=r"'friction': where the mechanism is assembled.*jam it"):
        lw.number(model, "relative")


def test_motors_and_ropes_beside_readers_are_refused() -> None:
    with pytest.raises(RefusedError, match="effort of a motor changes what joint guide: position along y pushes with"):
        lw.inverse_dynamics(slider_crank(), {"O.angle": "t**2"}, until=1.0)
    declared = incline().model_dump()
    declared["relations"] = {"rope": {"kind": "rope", "between": ["ground.A", "block.O"], "length": 2.0}}
    with pytest.raises(RefusedError, match="force 'friction' reads a multiplier, and relation rope"):
        lw.number(lw.Model(**declared), "reference_point")
