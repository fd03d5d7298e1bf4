"""Discs and spheres that roll on planes: exact motions, and the reduced equations of a disc."""

import numpy as np
import pytest
from combinations import ROLLING
from scipy.integrate import solve_ivp

import linkwork as lw

TIGHT = {"until": 1.0, "step": 0.1, "rtol": 1e-11, "atol": 1e-13}
G, MASS, RADIUS, THICKNESS = 9.81, 1.5, 0.5, 0.3
ACROSS, AXIAL = MASS * (RADIUS**2 / 4 + THICKNESS**2 / 12), MASS * RADIUS**2 / 2
FORMULATIONS = (
    *ROLLING,
    ("relative:tait_bryan", "multipliers"),
    ("natural", "baumgarte"),
    ("relative", "augmented_lagrangian"),
    ("relative", "r_method"),
    ("natural", "r_projection"),
    ("natural", "range_space"),
    ("relative", "stabilised_partitioning"),
    *((kind, name) for kind in ("relative", "natural") for name in ("canonical", "canonical_augmented")),
    *((kind, "canonical_independent") for kind in ("relative", "natural")),
)
FLOOR = {"kind": "rolling", "centre": "disc.O", "axis": [0, 1, 0], "radius": RADIUS, "plane": "ground.E"}


def disc(lean: float, omega: np.ndarray, **changes: object) -> lw.Model:
    """A disc that heads along x, leaning by an angle about x; its angular velocity about heading, axis and e₂."""
    c, s = np.cos(lean), np.sin(lean)
    spin = omega[0] * np.array([1, 0, 0]) + omega[1] * np.array([0, c, s]) + omega[2] * np.array([0, -s, c])
    declared = {
        "space": "spatial",
        "gravity": [0, 0, -G],
        "points": {"E": [0, 0, 0]},
        "bodies": {
            "disc": {
                "points": {"O": [0, 0, 0]},
                "origin": [0, 0, RADIUS * c],
                "rotation": {"axis": [1, 0, 0], "angle": lean},
                "mass": MASS,
                "inertia": [ACROSS, AXIAL, ACROSS],
            }
        },
        "relations": {"floor": FLOOR},
        "initial": {"disc": {"omega": list(spin)}},
    }
    return lw.Model(**{**declared, **changes})


def reduced_rates(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rates of [lean, heading, x, y of the centre, ω₁, ω₂, ω₃], and the force of the floor; the balance about the contact.

    Components along the heading e₁, the axis u and e₂ = e₁ × u, up the disc; they turn with w. SOURCE: by hand.
    """
    lean, heading, omega = y[0], y[1], y[4:]
    inertia, arm = np.diag([ACROSS, AXIAL, ACROSS]), np.array([0, 0, RADIUS])
    w = np.array([omega[0], omega[2] * np.tan(lean), omega[2]])
    up = np.array([0, np.sin(lean), np.cos(lean)])
    v = np.cross(omega, arm)
    given = -np.cross(w, inertia @ omega) - MASS * np.cross(arm, np.cross(w, v) + G * up)
    change = np.linalg.solve(inertia + MASS * RADIUS**2 * np.diag([1, 1, 0]), given)
    force = MASS * (np.cross(change, arm) + np.cross(w, v) + G * up)
    e1 = np.array([np.cos(heading), np.sin(heading)])
    u = np.cos(lean) * np.array([-np.sin(heading), np.cos(heading)])
    e2 = -np.sin(lean) * np.array([-np.sin(heading), np.cos(heading)])
    place = v[0] * e1 + v[1] * u + v[2] * e2
    sideways = np.array([0, np.cos(lean), -np.sin(lean)])
    rates = np.array([omega[0], omega[2] / np.cos(lean), *place, *change])
    return rates, np.array([force[0], force @ sideways, force @ up])


def reduced_motion(t: np.ndarray, lean: float, omega: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    start = [lean, 0, 0, 0, *omega]
    y = solve_ivp(lambda _, y: reduced_rates(y)[0], (0, t[-1]), start, "DOP853", t, rtol=1e-12, atol=1e-14).y
    return y, np.array([reduced_rates(column)[1] for column in y.T]).T


@pytest.mark.matrix("coordinates", "formulation")
@pytest.mark.parametrize(("coordinates", "formulation"), FORMULATIONS)
def test_a_coin_rolls_and_falls_as_its_reduced_equations(coordinates, formulation):
    lean, omega = 0.3, np.array([0.2, 6.0, 0.4])
    result = lw.simulate(disc(lean, omega), coordinates=coordinates, formulation=formulation, **TIGHT)
    y, (traction, lateral, normal) = reduced_motion(result.time, lean, omega)
    assert np.allclose([result["disc.x"], result["disc.y"]], y[2:4], rtol=0, atol=2e-8)
    assert np.allclose(result["disc.z"], RADIUS * np.cos(y[0]), rtol=0, atol=2e-8)
    below = RADIUS * np.sin(y[0])
    assert np.allclose(result["floor.contact.x"], y[2] - below * np.sin(y[1]), rtol=0, atol=2e-8)
    assert np.allclose(result["floor.contact.y"], y[3] + below * np.cos(y[1]), rtol=0, atol=2e-8)
    assert np.max(np.abs(result["floor.contact.z"])) < 1e-10
    # forces by name, and that none of them works
    assert np.allclose(result["floor.traction"], traction, rtol=0, atol=1e-6)
    assert np.allclose(result["floor.lateral"], lateral, rtol=0, atol=1e-6)
    assert np.allclose(result["floor.normal"], normal, rtol=0, atol=1e-6)
    assert np.allclose(result["floor.fz"], normal, rtol=0, atol=1e-6)
    assert np.ptp(result["energy.total"]) < 1e-8


def test_a_thin_disc_in_coordinates_without_inertia():
    """The normal of a thin disc has no inertia in natural coordinates, and at times its components alone are good."""
    across = MASS * RADIUS**2 / 4
    start = disc(0.4, np.array([0.3, 4.0, 0.5])).to_dict()
    start["bodies"]["disc"]["inertia"] = [across, 2 * across, across]
    options = {"until": 3.0, "step": 0.1, "rtol": 1e-9, "atol": 1e-11}
    wanted = lw.simulate(lw.Model(**start), coordinates="relative", formulation="multipliers", **options)
    result = lw.simulate(lw.Model(**start), coordinates="natural", formulation="partitioning", **options)
    assert "disc.u2" in result.statistics["workings"]
    for name in ("disc.x", "disc.y", "disc.z"):
        np.testing.assert_allclose(result[name], wanted[name], rtol=0, atol=1e-6)


@pytest.mark.parametrize("lean", [0.3, -0.5])
@pytest.mark.parametrize("formulation", ["partitioning", "multipliers"])
def test_steady_rolling_in_a_circle(lean, formulation):
    """(C + m r²) Ω ω₃ cos θ = A Ω² sin θ cos θ − m g r sin θ; the centre goes round with radius |ω₃| r / Ω.

    SOURCE: the balance about the contact with all angular velocities constant, by hand; Routh, Advanced Part, 244.
    """
    turn, s, c = 2.5, np.sin(lean), np.cos(lean)
    spin = (ACROSS * turn**2 * s * c - MASS * G * RADIUS * s) / ((AXIAL + MASS * RADIUS**2) * turn * c)
    result = lw.simulate(disc(lean, np.array([0, spin, turn * c])), formulation=formulation, **TIGHT)
    t, reach = result.time, spin * RADIUS / turn
    assert np.allclose(result["disc.z"], RADIUS * c, rtol=0, atol=1e-9)
    assert np.allclose(result["disc.x"], reach * np.sin(turn * t), rtol=0, atol=1e-8)
    assert np.allclose(result["disc.y"], reach * (1 - np.cos(turn * t)), rtol=0, atol=1e-8)
    assert np.allclose(result["floor.normal"], MASS * G, rtol=1e-8)
    assert np.allclose(result["floor.lateral"], MASS * turn * spin * RADIUS, rtol=1e-7)
    assert np.max(np.abs(result["floor.traction"])) < 1e-7


def test_freedoms_of_a_disc_and_of_a_wheel_set():
    mobility = lw.analyse(disc(0.1, np.zeros(3))).mobility
    assert (mobility.by_rank, mobility.nonholonomic, mobility.free_velocities) == (5, 2, 3)
    wheel = {"mass": 1, "inertia": [0.1, 0.2, 0.1]}
    pair = lw.Model(
        space="spatial",
        gravity=[0, 0, -G],
        points={"E": [0, 0, 0], "L": [0, 1, 0.5], "R": [0, 0, 0.5]},
        bodies={
            "axle": {"bar": ["R", "L"], "mass": 2, "radius": 0.05},
            "left": {"points": ["L"], **wheel},
            "right": {"points": ["R"], **wheel},
        },
        joints={
            "L": {"kind": "revolute", "bodies": ["axle", "left"], "axis": [0, 1, 0]},
            "R": {"kind": "revolute", "bodies": ["axle", "right"], "axis": [0, 1, 0]},
        },
        relations={
            name: {**FLOOR, "centre": f"{body}.{point}"}
            for name, body, point in (("floor_l", "left", "L"), ("floor_r", "right", "R"))
        },
        initial={"L": {"speed": 4.0}, "R": {"speed": 2.0}, "axle": {"omega": [0, 0, -1]}},
    )
    topology = lw.analyse(pair)
    # place, heading, two wheels and the axle about itself; velocities: the wheels and the axle
    assert (topology.mobility.by_rank, topology.mobility.nonholonomic) == (6, 3)
    assert [str(label) for label in topology.mobility.redundant] == ["relation floor_r: lateral slip (velocity)"]
    # the right wheel at 2 · 0.5 m/s, the left one at 4 · 0.5: circles about a point 1 m to the right
    for formulation in ("partitioning", "multipliers"):
        result = lw.simulate(pair, formulation=formulation, until=1.0, step=0.1, rtol=1e-10, atol=1e-12)
        assert np.allclose(np.hypot(result["R.x"], result["R.y"] + 1), 1, rtol=0, atol=1e-8)
        assert np.allclose(np.hypot(result["L.x"], result["L.y"] + 1), 2, rtol=0, atol=1e-8)
        assert np.allclose(result["floor_l.normal"] + result["floor_r.normal"], 4 * G, rtol=0, atol=1e-6)


def test_the_conditions_of_the_book_for_a_wheel_in_space():
    """(3.70) and (3.71) give ω and three of the velocities of O and A from the others; (3.72) to (3.77) the accelerations.

    The signs of x_A − x_P and x_O − x_P in (3.71) are both +. The contact moves along the heading by r (ω·u − ω₃ tan θ):
    (3.78), the velocity of O in the plane of the disc, holds while the disc is upright or does not turn about e₂.
    """
    lean, omega = 0.3, np.array([0.2, 6.0, 0.4])
    points = {"O": [0, 0, 0], "A": [0.3, 0, 0.1], "U": [0, 1, 0]}
    body = {**disc(lean, omega).to_dict()["bodies"]["disc"], "points": points, "com": "O"}
    result = lw.simulate(disc(lean, omega, bodies={"disc": body}), formulation="multipliers", **TIGHT)
    y = reduced_motion(result.time, lean, omega)[0]
    names = ("O.", "A.", "floor.contact.", "U.", "O.v", "A.v", "O.a", "A.a")
    o, a, p, end, vo, va, ao, aa = (np.array([result[f"{name}{axis}"] for axis in "xyz"]) for name in names)
    u, forward = end - o, np.array([np.cos(y[1]), np.sin(y[1]), 0 * y[1]])
    rates = RADIUS * (y[5] - y[6] * np.tan(y[0]))
    for i in range(len(result.time)):
        (xo, yo, zo), (xa, ya, za) = (o - p)[:, i], (a - p)[:, i]
        chosen = np.array([[0, zo, -yo], [-zo, 0, xo], [ya, -xa, 0]])
        others = np.array([[yo, -xo, 0], [0, za, -ya], [-za, 0, xa]])
        spin = np.linalg.solve(chosen, [vo[0, i], vo[1, i], va[2, i]])
        assert np.allclose(spin, [result[f"disc.w{axis}"][i] for axis in "xyz"], rtol=0, atol=1e-9)
        assert np.allclose(others @ spin, [vo[2, i], va[0, i], va[1, i]], rtol=0, atol=1e-9)
        vp = rates[i] * forward[:, i]
        co, ca = np.cross(spin, vo[:, i] - vp), np.cross(spin, va[:, i] - vp)
        change = np.linalg.solve(chosen, [ao[0, i] - co[0], ao[1, i] - co[1], aa[2, i] - ca[2]])
        assert np.allclose(change, [result[f"disc.alpha{axis}"][i] for axis in "xyz"], rtol=0, atol=1e-6)
        found = [ao[2, i] - co[2], aa[0, i] - ca[0], aa[1, i] - ca[1]]
        assert np.allclose(others @ change, found, rtol=0, atol=1e-6)
        printed = vo[:, i] - (vo[:, i] @ u[:, i]) * u[:, i]
        turn = RADIUS * y[6, i] * np.tan(y[0, i])
        assert np.allclose(printed - vp, turn * forward[:, i], rtol=0, atol=1e-8)


def test_a_disc_that_slides():
    """Nothing holds its centre back sideways, and nothing turns it about its axis."""
    floor = {**FLOOR, "slides": True}
    result = lw.simulate(disc(0.3, np.array([0, 6.0, 0]), relations={"floor": floor}), **{**TIGHT, "until": 0.5})
    assert np.max(np.abs([result["disc.x"], result["disc.y"]])) < 1e-9
    assert np.ptp(result["disc.z"]) > 0.001
    q0, q1, q2, q3 = (result[f"disc.q{i}"] for i in range(4))
    axis = [2 * (q1 * q2 - q0 * q3), q0**2 - q1**2 + q2**2 - q3**2, 2 * (q2 * q3 + q0 * q1)]
    spin = sum(part * result[f"disc.w{name}"] for part, name in zip(axis, "xyz", strict=True))
    assert np.allclose(spin, 6.0, rtol=0, atol=1e-9)
    assert np.ptp(result["energy.total"]) < 1e-9
    assert "floor.traction" not in result.names("floor.*")


BALL = {"points": {"O": [0, 0, 0]}, "mass": 2.0, "inertia": [0.4 * 2 * 0.01] * 3}


@pytest.mark.parametrize(("coordinates", "formulation"), ROLLING)
def test_a_sphere_on_an_incline(coordinates, formulation):
    """a = 5/7 g sin α, friction 2/7 m g sin α; the slope and the radius are live."""
    model = lw.Model(
        space="spatial",
        gravity=[0, 0, -G],
        parameters={"alpha": {"value": 0.4, "live": True}, "r": 0.1},
        points={"E": [0, 0, 0]},
        bodies={"ball": {**BALL, "origin": ["r*sin(alpha)", 0, "r*cos(alpha)"]}},
        relations={
            "slope": {
                "kind": "rolling",
                "centre": "ball.O",
                "radius": "r",
                "plane": "ground.E",
                "normal": ["sin(alpha)", 0, "cos(alpha)"],
            }
        },
    )
    for alpha in (0.4, 0.7):
        run = {"coordinates": coordinates, "formulation": formulation, "parameters": {"alpha": alpha}}
        result = lw.simulate(model, **run, **TIGHT)
        down = 5 / 14 * G * np.sin(alpha) * result.time**2
        assert np.allclose(result["O.x"] - 0.1 * np.sin(alpha), down * np.cos(alpha), rtol=0, atol=1e-9)
        assert np.allclose(result["slope.normal"], 2 * G * np.cos(alpha), rtol=1e-8)
        friction = np.hypot(result["slope.friction_1"], result["slope.friction_2"])
        assert np.allclose(friction, 2 / 7 * 2 * G * np.sin(alpha), rtol=1e-7)


@pytest.mark.matrix("coordinates", "formulation")
@pytest.mark.parametrize(("coordinates", "formulation"), ROLLING)
def test_a_sphere_on_a_turntable_goes_in_circles(coordinates, formulation):
    """a = 2/7 Ω z × v: circles with the rate 2/7 Ω, wherever they begin. SOURCE: Neimark and Fufaev; by hand."""
    turn, speed, start = 3.0, 0.5, 0.4
    # v + ω × (−r z) = Ω z × p gives ω from v: ω_x = (Ω p − v)_y / r
    omega = [(turn * start - speed) / 0.1, 0, 0]
    model = lw.Model(
        space="spatial",
        gravity=[0, 0, -G],
        points={"C": [0, 0, 0]},
        bodies={
            "table": {"points": {"C": [0, 0, 0]}, "mass": 10, "inertia": [1, 1, 2]},
            "ball": {**BALL, "origin": [start, 0, 0.1]},
        },
        joints={"C": {"kind": "revolute", "bodies": ["ground", "table"], "axis": [0, 0, 1]}},
        relations={"top": {"kind": "rolling", "centre": "ball.O", "radius": 0.1, "plane": "table.C"}},
        drivers={"motor": {"joint": "C", "speed": turn}},
        initial={"ball": {"omega": omega}},
    )
    result = lw.simulate(model, coordinates=coordinates, formulation=formulation, **TIGHT)
    rate = 2 / 7 * turn
    reach, phase = speed / rate, rate * result.time
    assert np.allclose(result["O.x"], start + reach * (np.cos(phase) - 1), rtol=0, atol=1e-8)
    assert np.allclose(result["O.y"], reach * np.sin(phase), rtol=0, atol=1e-8)
    # what the motor gives is the moment of the friction on the table
    moment = result["O.x"] * result["top.fy"] - result["O.y"] * result["top.fx"]
    assert np.allclose(result["motor.effort"], moment, rtol=0, atol=1e-7)


@pytest.mark.parametrize("formulation", ["partitioning", "multipliers"])
def test_a_disc_that_falls_flat_ends_the_run(formulation):
    """It falls about its contact, which stays in place: ½ (A + m r²) θ̇² = m g r (cos θ₀ − cos θ)."""
    lean = 0.3
    result = lw.simulate(disc(lean, np.zeros(3)), formulation=formulation, until=2.0, rtol=1e-10, atol=1e-12)
    assert "relation 'floor' has come to" in str(result.outcome)
    assert "the disc lies on the plane" in str(result.outcome)
    fall = solve_ivp(
        lambda _, y: [y[1], MASS * G * RADIUS / (ACROSS + MASS * RADIUS**2) * np.sin(y[0])],
        (0, 2),
        [lean, 0],
        "DOP853",
        events=lambda _, y: np.cos(y[0]) - 1e-3,
        rtol=1e-12,
        atol=1e-14,
    )
    assert result.outcome.time == pytest.approx(fall.t_events[0][0], abs=1e-7)
    assert np.max(np.abs(result["floor.contact.x"])) < 1e-9


@pytest.mark.parametrize(
    ("floor", "words"),
    [
        ({"radius": -1}, "must be positive"),
        ({"radius": "2 kg"}, "radius"),
        ({"axis": [0, 0, 0]}, "axis: is zero"),
        ({"axis": [0, 1]}, "has 2 components"),
        ({"normal": [0, 0, 0]}, "normal: is zero"),
        ({"plane": "disc.O"}, "on 'disc' too"),
        ({"centre": "disc.Q"}, "Q"),
        ({"plane": None}, "plane"),
    ],
)
def test_faults_name_the_contact(floor, words):
    with pytest.raises(lw.errors.ModelError, match=r"relations\.floor") as error:
        disc(0.1, np.zeros(3), relations={"floor": {**FLOOR, **floor}})
    assert words in str(error.value)


def test_a_disc_drawn_flat_and_a_wheel_in_the_plane():
    with pytest.raises(lw.errors.ModelError, match=r"relations\.floor.*\n?.*drawn lying on the plane"):
        lw.analyse(disc(np.pi / 2, np.zeros(3)))
    with pytest.raises(lw.errors.ModelError, match="coupling of kind rack"):
        lw.Model(
            space="planar",
            points={"E": [0, 0]},
            bodies={"disc": {"points": {"O": [0, 0]}, "mass": 1, "inertia": 1}},
            relations={"floor": {**FLOOR, "axis": None}},
        )
