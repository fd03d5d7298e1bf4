"""Gear trains, racks and belts against exact ratios and accelerations, in every kind of coordinates."""

from __future__ import annotations

from typing import Any

import gear_trains
import mechanisms
import numpy as np
import pytest
from combinations import every_combination
from gear_trains import PLANET, RING, SUN
from scipy.integrate import solve_ivp

import linkwork as lw
from linkwork.results import Result


def run(model: lw.Model, until: float = 1.0, **more: Any) -> Result:
    result = lw.simulate(model, until, **{"step": until / 2, "rtol": 1e-11, "atol": 1e-12, **more})
    assert result.outcome.completed, result.outcome
    return result


def torque(joint: str, value: float) -> dict[str, Any]:
    return {"kind": "effort", "joint": joint, "value": value}


def driven(**speeds: float) -> dict[str, Any]:
    return {f"motor_{joint}": {"joint": joint, "speed": speed} for joint, speed in speeds.items()}


# -- planetary trains ------------------------------------------------------------------------------------------------


WITH_PLANET = None
WITHOUT = {"train": {"kind": "planetary", "sun": "sun", "ring": "ring", "carrier": "arm", "radii": [SUN, RING]}}


@pytest.mark.parametrize("couplings", [WITH_PLANET, WITHOUT], ids=["with a planet", "without"])
@pytest.mark.parametrize(
    ("held", "input_", "output", "ratio"),
    [
        ("R", "S", "A", SUN / (SUN + RING)),
        ("S", "R", "A", RING / (SUN + RING)),
        ("A", "S", "R", -SUN / RING),
    ],
)
def test_willis_formula(couplings: Any, held: str, input_: str, output: str, ratio: float) -> None:
    """With the ring, the sun or the arm held the other two turn in the ratios of Willis."""
    drivers = driven(**{held: 0.0, input_: 3.0})
    if couplings is WITHOUT:
        drivers["planet"] = {"joint": "P", "speed": 0.0}  # nothing else turns it
    model = gear_trains.planetary(couplings, drivers=drivers)
    assert lw.analyse(model).plan.closed
    result = run(model)
    np.testing.assert_allclose(result[f"{output}.speed"], 3.0 * ratio, rtol=1e-12)
    turned = result[f"{output}.angle"] - result[f"{output}.angle"][0]
    np.testing.assert_allclose(turned, 3.0 * ratio * result.time, rtol=1e-10, atol=1e-12)


@pytest.mark.matrix("coordinates", "formulation")
@every_combination
def test_a_planetary_gearbox_accelerates_by_its_reduced_inertia(coordinates: str, formulation: str) -> None:
    """Ring fixed on the ground: all speeds are proportional to that of the sun, and T = ½ J ω² with constant J."""
    model = gear_trains.planetary(
        {
            "inner": {"bodies": ["sun", "planet"], "radii": [SUN, PLANET]},
            "outer": {"bodies": ["planet", "ground"], "radii": [PLANET, RING], "internal": True},
            "brake": {"kind": "linear", "terms": [{"joint": "R", "factor": 1}, {"joint": "P", "factor": 0.5}]},
        },
        forces={"motor": torque("S", 2.0)},
    )
    arm = SUN / (SUN + RING)
    planet = arm - (RING / PLANET) * arm  # against the world
    ring = -0.5 * (planet - arm)
    reduced = 0.02 + 0.05 * arm**2 + 1.0 * ((SUN + PLANET) * arm) ** 2 + 0.01 * planet**2 + 0.3 * ring**2
    result = run(model, coordinates=coordinates, formulation=formulation)
    alpha = 2.0 / reduced
    np.testing.assert_allclose(result["S.angle"], 0.5 * alpha * result.time**2, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(result["A.acceleration"], alpha * arm, rtol=1e-9)
    # the mesh pushes the sun back with what is left of the torque, the brake turns the ring
    np.testing.assert_allclose(result["inner.effort"], 0.02 * alpha - 2.0, rtol=1e-8)
    np.testing.assert_allclose(result["brake.effort"], 0.3 * ring * alpha, rtol=1e-8)


def test_a_ravigneaux_train() -> None:
    """Relative to the arm: ring = −(30/72) sun1 = (24/72) sun2, whatever the planets between have."""
    model = gear_trains.ravigneaux(drivers=driven(J_sun1=5.0, J_arm=1.0))
    topology = lw.analyse(model)
    assert topology.mobility.by_rank == 2 and topology.plan.closed and not topology.mobility.redundant
    result = run(model)
    np.testing.assert_allclose(result["J_ring.speed"] - 1.0, -(30 / 72) * 4.0, rtol=1e-12)
    np.testing.assert_allclose(result["J_sun2.speed"] - 1.0, -(30 / 24) * 4.0, rtol=1e-12)
    # another pair of inputs asks for several meshes to be solved at once
    result = run(gear_trains.ravigneaux(drivers=driven(J_ring=-2.0, J_sun2=4.0)))
    arm = result["J_arm.speed"]
    np.testing.assert_allclose(-2.0 - arm, (24 / 72) * (4.0 - arm), rtol=1e-12)
    np.testing.assert_allclose(result["J_sun1.speed"] - arm, -(72 / 30) * (-2.0 - arm), rtol=1e-12)


# -- bevel gears -----------------------------------------------------------------------------------------------------


@pytest.mark.matrix("coordinates", "formulation")
@every_combination
def test_a_differential_splits_the_torque(coordinates: str, formulation: str) -> None:
    """The cage turns with the mean speed of its wheels, and both get half of what the cage passes on.

    With the planet's spin σ: ω_l = Ω + σ, ω_r = Ω − σ (equal cones), J_Ω Ω̇ = T − (b_l + b_r), J_σ σ̇ = −(b_l − b_r).
    """
    t, left, right = 3.0, 0.5, 0.2
    model = gear_trains.differential(
        forces={"engine": torque("O", t), "left_load": torque("L", -left), "right_load": torque("R", right)}
    )
    assert lw.analyse(model).plan.closed
    result = run(model, coordinates=coordinates, formulation=formulation)
    whole = 0.08 + 2 * 0.02 + 0.003 + 0.5 * 0.1**2
    spin = 2 * 0.02 + 0.005
    mean, difference = (t - left - right) / whole, -(left - right) / spin
    np.testing.assert_allclose(result["O.acceleration"], mean, rtol=1e-9)
    np.testing.assert_allclose(result["L.acceleration"], mean + difference, rtol=1e-9)
    np.testing.assert_allclose(-result["R.acceleration"], mean - difference, rtol=1e-9)
    np.testing.assert_allclose((result["L.speed"] - result["R.speed"]) / 2, result["O.speed"], rtol=1e-9, atol=1e-12)
    # each mesh turns its wheel against the load and the inertia of the wheel
    np.testing.assert_allclose(result["left_mesh.effort"], left + 0.02 * (mean + difference), rtol=1e-8)
    np.testing.assert_allclose(-result["right_mesh.effort"], right + 0.02 * (mean - difference), rtol=1e-8)
    # without the inertia of the planet the two would be equal
    shares = result["left_mesh.effort"] + result["right_mesh.effort"]
    np.testing.assert_allclose(shares, -0.005 * difference, rtol=1e-7)


# -- racks and wheels that roll ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("axis", [-1, 1])
def test_a_rack_goes_to_its_side(side: int, axis: int) -> None:
    """A pinion that turns anticlockwise takes a rack below it to the right, one above it to the left."""
    result = run(gear_trains.rack(side, axis, drivers=driven(O=2.0)))
    np.testing.assert_allclose(result["rack.vx"], -side * 0.2 * 2.0, rtol=1e-12)
    np.testing.assert_allclose(result["B.speed"], -side * axis * 0.2 * 2.0, rtol=1e-12)


@every_combination
def test_a_rack_accelerates_by_its_mass_and_that_of_the_pinion(coordinates: str, formulation: str) -> None:
    model = gear_trains.rack(forces={"motor": torque("O", 1.5)})
    result = run(model, coordinates=coordinates, formulation=formulation)
    acceleration = 1.5 / 0.2 / (3 + 0.04 / 0.2**2)
    np.testing.assert_allclose(result["rack.ax"], acceleration, rtol=1e-9)
    # the force of the teeth
    np.testing.assert_allclose(result["mesh.effort"], 3 * acceleration, rtol=1e-9)


@pytest.mark.matrix("coordinates", "formulation")
@every_combination
@pytest.mark.parametrize("slope", [0.3, -0.2])
def test_a_wheel_rolls_down_a_slope(slope: float, coordinates: str, formulation: str) -> None:
    """a = g sin α / (1 + I / (m r²)), and the friction that keeps it rolling is I a / r²."""
    result = run(gear_trains.rolling_wheel(slope), coordinates=coordinates, formulation=formulation)
    acceleration = 9.81 * np.sin(slope) / (1 + 0.15 / (2 * 0.3**2))
    np.testing.assert_allclose(result["G.position"], 0.5 * acceleration * result.time**2, rtol=1e-9, atol=1e-12)
    # downhill to the right it turns clockwise
    np.testing.assert_allclose(result["C.speed"], -acceleration * result.time / 0.3, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(np.abs(result["rolling.effort"]), 0.15 * abs(acceleration) / 0.3**2, rtol=1e-8)
    assert np.ptp(result["energy.total"]) < 1e-9


@every_combination
def test_a_wheel_rolls_without_a_carrier(coordinates: str, formulation: str) -> None:
    """A point-on-line joint holds the centre; the motion is the same as with a carrier."""
    model = gear_trains.rolling_wheel(
        0.3,
        bodies={"wheel": gear_trains.wheel("C", 2, 0.15)},
        joints={
            "G": {
                "kind": "point_on_line",
                "bodies": ["ground", "wheel"],
                "at": "C",
                "axis": ["cos(slope)", "-sin(slope)"],
            }
        },
    )
    result = run(model, coordinates=coordinates, formulation=formulation)
    acceleration = 9.81 * np.sin(0.3) / (1 + 0.15 / (2 * 0.3**2))
    np.testing.assert_allclose(result["G.position"], 0.5 * acceleration * result.time**2, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(result["wheel.speed"], -acceleration * result.time / 0.3, rtol=1e-9, atol=1e-12)


@every_combination
def test_a_disk_rolls_on_a_rod_that_turns(coordinates: str, formulation: str) -> None:
    """Problem 2/2 of the book set free. Lagrange with the angle φ of the rod and the way x of the disk along it.

    The centre is at (x, r) in the axes of the rod, the disk turns by φ − (x − x₀)/r:
    T = ½ J φ̇² + ½ m ((ẋ − r φ̇)² + (x φ̇)²) + ½ I (φ̇ − ẋ/r)², V = g (M l/2 sin φ + m (x sin φ + r cos φ)).
    SOURCE: the equations of motion integrated by SciPy.
    """
    m, inertia, r, mass, length, g = 2.0, 0.04, 0.2, 3.0, 2.0, 9.81

    def rates(_: float, y: np.ndarray) -> list[float]:
        phi, x, w, v = y
        a = mass * length**2 / 3 + m * (r**2 + x**2) + inertia
        b = -m * r - inertia / r
        d = m + inertia / r**2
        right = [
            -2 * m * x * v * w - g * (mass * length / 2 * np.cos(phi) + m * (x * np.cos(phi) - r * np.sin(phi))),
            m * x * w**2 - m * g * np.sin(phi),
        ]
        return [w, v, *np.linalg.solve([[a, b], [b, d]], right)]

    result = run(gear_trains.wheel_on_a_rod(), 0.6, coordinates=coordinates, formulation=formulation)
    exact = solve_ivp(rates, (0, 0.6), [0, 0.5, 0, 0], t_eval=result.time, rtol=1e-12, atol=1e-13, method="DOP853").y
    np.testing.assert_allclose(result["O.angle"], exact[0], atol=1e-8)
    np.testing.assert_allclose(result["slot.position"], exact[1], atol=1e-8)
    turned = result["disk.angle"] - result["disk.angle"][0]
    np.testing.assert_allclose(turned, exact[0] - (exact[1] - 0.5) / r, atol=1e-8)


def test_the_radius_of_a_pinion_may_be_live() -> None:
    model = gear_trains.rolling_wheel(0.3, parameters={"slope": 0.3, "r": {"value": 0.3, "live": True}})
    for radius in (0.3, 0.45):
        result = run(model, parameters={"r": radius})
        acceleration = 9.81 * np.sin(0.3) / (1 + 0.15 / (2 * radius**2))
        np.testing.assert_allclose(result["G.acceleration"], acceleration, rtol=1e-9)


# -- belts and worms ---------------------------------------------------------------------------------------------------


@pytest.mark.matrix("coordinates", "formulation")
@every_combination
@pytest.mark.parametrize("crossed", [False, True])
def test_a_belt(crossed: bool, coordinates: str, formulation: str) -> None:
    model = gear_trains.belt(crossed, forces={"motor": torque("A", 0.7)})
    result = run(model, coordinates=coordinates, formulation=formulation)
    ratio = -0.4 if crossed else 0.4
    acceleration = 0.7 / (0.01 + ratio**2 * 0.2)
    np.testing.assert_allclose(result["A.acceleration"], acceleration, rtol=1e-10)
    np.testing.assert_allclose(result["B.speed"], ratio * result["A.speed"], rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize("hand", ["right", "left"])
def test_a_worm(hand: str) -> None:
    """A right-handed worm screws itself forward along its ω, or, held, moves the wheel above which it lies backwards.

    The top of the wheel then moves along −x: it turns about −y.
    """
    result = run(gear_trains.worm(hand, drivers=driven(W=10.0)))
    speed = 10.0 * 2 / 40
    np.testing.assert_allclose(result["V.speed"], -speed if hand == "right" else speed, rtol=1e-12)


def test_the_ratio_of_wheels_has_its_own_sign() -> None:
    model = gear_trains.worm(couplings={"mesh": {"bodies": ["worm", "wheel"], "ratio": -20}}, drivers=driven(W=10.0))
    np.testing.assert_allclose(run(model)["V.speed"], -0.5, rtol=1e-12)


@pytest.mark.matrix("coordinates", "formulation")
@every_combination
def test_geared_rotors_by_their_wheels(coordinates: str, formulation: str) -> None:
    """SOURCE: Modelica GearConstraint; the wheels mesh from outside, so that the slow one turns backwards.

    φ_b(t) = −20 / (100 J₁ + J₂) (t / 2π − sin(2πt) / 4π²), J = ½ m r²; φ_b(5) = −4.537446648, at rest.
    """
    data = mechanisms.geared_rotors().to_dict() | {
        "couplings": {"gear": {"bodies": ["fast", "slow"], "teeth": [10, 100]}}
    }
    result = run(lw.Model(**data), 5.0, coordinates=coordinates, formulation=formulation)
    assert result["B.angle"][-1] == pytest.approx(-4.537446648, abs=1e-7)
    assert result["B.speed"][-1] == pytest.approx(0.0, abs=1e-8)


def test_a_screw_drive_term_by_term() -> None:
    """Five millimetres to a turn; the force on the nut is that of the motor over the advance per radian."""
    model = gear_trains.rack(
        couplings={
            "drive": {
                "kind": "linear",
                "terms": [{"joint": "B", "factor": 1}, {"joint": "O", "factor": "-5 mm/(2*pi)"}],
            }
        },
        forces={"motor": torque("O", 0.3)},
    )
    advance = 0.005 / (2 * np.pi)
    result = run(model)
    acceleration = 0.3 * advance / (3 * advance**2 + 0.04)
    np.testing.assert_allclose(result["B.acceleration"], acceleration, rtol=1e-9)
    np.testing.assert_allclose(result["drive.effort"], 3 * acceleration, rtol=1e-8)
    assert "1 × B + -5 [mm]/(2*pi) × O = constant" in str(model)


# -- what all couplings have in common -----------------------------------------------------------------------------------


TRAINS = {
    "planetary": gear_trains.planetary,
    "differential": gear_trains.differential,
    "rack": gear_trains.rack,
    "rolling": lambda **more: gear_trains.rolling_wheel(0.3, **more),
    "crossed belt": lambda **more: gear_trains.belt(True, **more),
    "worm": gear_trains.worm,
    "ravigneaux": gear_trains.ravigneaux,
}


@pytest.mark.parametrize("name", list(TRAINS))
def test_couplings_do_no_work(name: str) -> None:
    """Σ cᵢ φ̇ᵢ = 0, so that the efforts cᵢ λ have no power; and the energy stays while they push."""
    model = TRAINS[name]()
    first = next(iter(model.joints))
    spring = {"kind": "torsion_spring", "joint": first, "stiffness": 3.0, "free_angle": 0}
    if name != "rolling":
        model = TRAINS[name](forces={"spring": spring}, initial={first: {"angle": 0.5}})
    result = run(model, 2.0, step=0.05)
    assert np.ptp(result["energy.total"]) < 1e-9
    geometry = lw.analyse(model).geometry
    for coupling, coupled in geometry.couplings.items():
        rates = [float(geometry.number(term.factor)) * result[f"{term.joint}.speed"] for term in coupled.terms]
        assert np.max(np.abs(rates)) > 0.1, "nothing moves"
        assert np.max(np.abs(result[f"{coupling}.effort"] * np.sum(rates, axis=0))) < 1e-9


@pytest.mark.parametrize("name", list(TRAINS))
def test_plans_of_geared_mechanisms_are_closed(name: str) -> None:
    plan = lw.analyse(TRAINS[name]()).plan
    assert plan.closed and plan.complete and not plan.iterated
