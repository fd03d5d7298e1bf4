"""A point on a curve: beads on wires, in the plane and in space, on the ground and on bodies that move."""

import numpy as np
import pytest
from combinations import COMBINATIONS
from scipy.integrate import solve_ivp

import linkwork as lw

TIGHT = {"until": 1.0, "step": 0.1, "rtol": 1e-11, "atol": 1e-13}
G = 9.81
PARABOLA = {"x": "u", "y": "k*u^2", "range": [-2, 2]}


def bead(curve: dict, place: tuple[float, float] = (0.5, 0.5), **extra: object) -> lw.Model:
    return lw.Model(
        space="planar",
        gravity=[0, -G],
        parameters={"k": {"value": 2, "live": True}},
        points={"P": place},
        bodies={"bead": {"points": ["P"], "mass": 0.5, "inertia": 0.01}},
        relations={"wire": {"kind": "curve", "point": "bead.P", "body": "ground", **curve}},
        **extra,
    )


def slide(k: float, times: np.ndarray) -> np.ndarray:
    """x and ẋ on y = k x² from (1 + 4k²x²) ẍ + 4k²x ẋ² + 2gk x = 0."""

    def rates(_: float, y: np.ndarray) -> list[float]:
        x, v = y
        return [v, -(4 * k**2 * x * v**2 + 2 * G * k * x) / (1 + 4 * k**2 * x**2)]

    return solve_ivp(rates, (0, times[-1]), [0.5, 0], "DOP853", times, rtol=1e-12, atol=1e-14).y


@pytest.mark.parametrize(("coordinates", "formulation"), COMBINATIONS)
def test_a_bead_on_a_parabola(coordinates, formulation):
    model = bead(PARABOLA, initial={"bead": {"speed": 0.2}})
    assert lw.analyse(model).mobility.by_rank == 2
    result = lw.simulate(model, coordinates=coordinates, formulation=formulation, **TIGHT)
    x = slide(2.0, result.time)[0]
    assert np.max(np.abs(result["P.x"] - x)) < 2e-8
    assert np.max(np.abs(result["wire.u"] - x)) < 2e-8
    assert np.allclose(result["bead.speed"], 0.2, atol=1e-9)
    normal = np.array([-4 * x, np.ones_like(x)]) / np.hypot(1, 4 * x)
    push = 0.5 * np.array([result["bead.ax"], result["bead.ay"] + G])
    assert np.allclose(result["wire.normal"], np.sum(push * normal, axis=0), atol=1e-6)
    assert np.allclose([result["wire.fx"], result["wire.fy"]], push, atol=1e-6)


def test_a_live_parameter_bends_the_wire():
    result = lw.simulate(bead(PARABOLA), parameters={"k": 1.0}, **TIGHT)
    assert result["P.y"][0] == pytest.approx(result["P.x"][0] ** 2, abs=1e-12)
    other = lw.simulate(bead({**PARABOLA, "y": "u^2"}), **TIGHT)
    assert np.max(np.abs(result["P.x"] - other["P.x"])) < 1e-8


@pytest.mark.matrix("coordinates", "formulation")
@pytest.mark.parametrize(("coordinates", "formulation"), COMBINATIONS)
def test_a_straight_slot_of_a_body_is_a_line(coordinates, formulation):
    """A slot that turns with a rod: the same motion and the same force as at a distance from its line."""
    pin = {"kind": "line_distance", "point": "bead.P", "line": ["rod.O", "rod.A"]}
    slot = {"kind": "curve", "point": "bead.P", "body": "rod", "x": "u", "y": "0.1", "range": [0, 1]}
    line, curve = (
        lw.Model(
            space="planar",
            gravity=[0, -G],
            points={"O": [0, 0], "A": [1.2, 0], "P": [0.4, 0.1]},
            bodies={
                "rod": {"bar": ["O", "A"], "mass": 2},
                "bead": {"points": ["P"], "mass": 0.5, "inertia": 0.01},
            },
            joints={"O": {"kind": "revolute", "bodies": ["ground", "rod"]}},
            relations={"hold": relation},
            initial={"O": {"speed": 1.5}},
        )
        for relation in (pin, slot)
    )
    short = {**TIGHT, "until": 0.5, "coordinates": coordinates, "formulation": formulation}
    reference, result = lw.simulate(line, **short), lw.simulate(curve, **short)
    assert result.outcome.completed
    assert np.max(np.abs(result["hold.u"] - reference["hold.along"])) < 2e-8
    assert np.max(np.abs(result["rod.angle"] - reference["rod.angle"])) < 2e-8
    assert np.allclose(result["hold.normal"], reference["hold.force"], atol=1e-6)
    assert np.allclose(result["O.fx"], reference["O.fx"], atol=1e-6)


@pytest.mark.parametrize(("coordinates", "formulation"), COMBINATIONS)
def test_a_bead_on_a_helix_falls_evenly(coordinates, formulation):
    """Along a helix of radius R that rises h per radian: ü = −g h / (R² + h²)."""
    radius, rise = 0.3, 0.1
    model = lw.Model(
        space="spatial",
        gravity=[0, 0, -G],
        points={"P": [radius, 0, 0]},
        bodies={"bead": {"points": ["P"], "mass": 0.5, "inertia": [0.01, 0.02, 0.025]}},
        relations={
            "wire": {
                "kind": "curve",
                "point": "bead.P",
                "body": "ground",
                "x": "0.3*cos(u)",
                "y": "0.3*sin(u)",
                "z": "0.1*u",
                "range": [-20, 20],
            }
        },
        initial={"bead": {"omega": [0.1, 0.2, 0.3]}},
    )
    result = lw.simulate(model, coordinates=coordinates, formulation=formulation, **TIGHT)
    u = -G * rise / (radius**2 + rise**2) * result.time**2 / 2
    assert np.max(np.abs(result["wire.u"] - u)) < 2e-8
    assert np.max(np.abs(result["P.y"] - radius * np.sin(u))) < 1e-8
    # across the wire: the weight, and what turns the bead round the axis
    rate = result.time * G * rise / (radius**2 + rise**2)
    upwards = 0.5 * G * radius**2 / (radius**2 + rise**2)
    assert np.allclose(result["wire.fz"], upwards, atol=1e-5)
    inwards = np.hypot(result["wire.fx"], result["wire.fy"])
    along = upwards * rise / radius
    assert np.allclose(inwards, np.hypot(0.5 * radius * rate**2, along), atol=1e-5)


HELD = [("relative", name) for name in ("baumgarte", "multipliers", "augmented_lagrangian", "r_method")]
SLOT = {"kind": "curve", "r": "0.5"}
ROLLER = {"kind": "cam", "follower": "roller", "radius": 0.1, "r": "0.4"}


@pytest.mark.parametrize(
    ("contact", "coordinates", "formulation"),
    [
        *((SLOT, *pair) for pair in (*HELD, ("natural", "baumgarte"), ("natural", "canonical"))),
        *(
            (cam, "relative", "baumgarte")
            for cam in (ROLLER, {**ROLLER, "follower": "knife", "radius": None, "r": "0.5"})
        ),
    ],
)
def test_a_slot_about_the_axis_of_a_crank(contact, coordinates, formulation):
    """The crank holds its pin on the curve: the contact is redundant in every position, and θ = M t²/2J."""
    crank = {"points": {"O": [0, 0], "P": [0.5, 0]}, "com": [0, 0], "mass": 1, "inertia": 0.5}
    model = lw.Model(
        space="planar",
        points={"O": [0, 0]},
        bodies={"crank": crank},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "crank"]}},
        relations={"slot": {"point": "crank.P", "body": "ground", **contact}},
        forces={"motor": {"kind": "torque", "body": "crank", "value": 1.0}},
    )
    assert lw.analyse(model).redundant == ("relation slot: contact",)
    result = lw.simulate(model, until=3.0, step=0.25, coordinates=coordinates, formulation=formulation, rtol=1e-10)
    assert np.allclose(result["O.angle"], result.time**2, rtol=0, atol=1e-6)
    assert np.allclose(result["slot.u"], result.time**2, rtol=0, atol=1e-6)


@pytest.mark.parametrize(("coordinates", "formulation"), [("relative", "baumgarte"), ("natural", "baumgarte")])
@pytest.mark.parametrize("first", ["x", "y", "z"])
def test_a_slot_in_space_about_the_axis_of_a_crank(first, coordinates, formulation):
    """The same in each of the planes of two axes; across that plane the slot is redundant too."""
    second, axis = ("xyz"["xyz".index(first) - k] for k in (2, 1))
    unit = dict(zip("xyz", np.eye(3).tolist(), strict=True))
    model = lw.Model(
        space="spatial",
        points={"O": [0, 0, 0]},
        bodies={
            "crank": {
                "points": {"O": [0, 0, 0], "P": (0.5 * np.array(unit[first])).tolist()},
                "com": [0, 0, 0],
                "mass": 1,
                "inertia": [0.5, 0.5, 0.5],
            }
        },
        joints={"O": {"kind": "revolute", "bodies": ["ground", "crank"], "axis": unit[axis]}},
        relations={
            "slot": {
                "kind": "curve",
                "point": "crank.P",
                "body": "ground",
                first: "0.5*cos(u)",
                second: "0.5*sin(u)",
                axis: "0",
                "closed": True,
            }
        },
        forces={"motor": {"kind": "torque", "body": "crank", "value": unit[axis]}},
    )
    assert lw.analyse(model).redundant == ("relation slot: contact", f"relation slot: point along {axis}")
    result = lw.simulate(model, until=3.0, step=0.25, coordinates=coordinates, formulation=formulation, rtol=1e-10)
    assert np.allclose(result["O.angle"], result.time**2, rtol=0, atol=1e-6)
    assert np.allclose(result["slot.u"], result.time**2, rtol=0, atol=1e-6)


@pytest.mark.parametrize("formulation", ["hybrid", "baumgarte"])
def test_a_hoop_that_a_live_parameter_tilts(formulation):
    """Drawn flat, and stood upright where its tangent passes the axis along which it was flat: ü = −(g/R) sin a cos u."""
    hoop = {"x": "0.5*cos(u)", "y": "0.5*sin(u)*cos(a)", "z": "0.5*sin(u)*sin(a)", "range": [-6, 3]}
    model = lw.Model(
        space="spatial",
        gravity=[0, 0, -G],
        parameters={"a": {"value": 0, "live": True}},
        points={"P": ["0.5*cos(0.3)", "0.5*sin(0.3)*cos(a)", "0.5*sin(0.3)*sin(a)"]},
        bodies={"bead": {"points": ["P"], "mass": 0.5, "inertia": [0.01, 0.01, 0.01]}},
        relations={"wire": {"kind": "curve", "point": "bead.P", "body": "ground", **hoop}},
    )
    for a in (1.0, np.pi / 2):
        result = lw.simulate(model, parameters={"a": a}, formulation=formulation, **{**TIGHT, "until": 2.0})
        rates = solve_ivp(
            lambda _, y, pull: [y[1], -pull * np.cos(y[0])],
            (0, 2),
            [0.3, 0],
            "DOP853",
            result.time,
            args=(2 * G * np.sin(a),),
            rtol=1e-12,
            atol=1e-14,
        )
        assert np.max(np.abs(result["wire.u"] - rates.y[0])) < 1e-7


def test_a_wire_along_every_axis():
    """No axis is across it everywhere: what it pushes with is still across the wire, and its energy stays."""
    legs = [[0, 0, 3], [0, 0, 2], [0, 0, 1], [1, 0, 0], [2, 0, 0], [3, 0, 0], [4, 1, 0], [4, 2, 0], [4, 3, 0]]
    wire = {"kind": "curve", "point": "bead.P", "body": "ground", "points": legs}
    model = lw.Model(
        space="spatial",
        gravity=[0, 0, -G],
        points={"P": [0, 0, 2]},
        bodies={"bead": {"points": ["P"], "mass": 0.5, "inertia": [0.01, 0.01, 0.01]}},
        relations={"wire": wire},
    )
    result = lw.simulate(model, until=1.5, step=0.05, rtol=1e-11, atol=1e-13)
    assert result["P.y"][-1] > 0.5
    assert np.ptp(result["energy.total"]) < 1e-7
    power = sum(result[f"wire.f{axis}"] * result[f"bead.v{axis}"] for axis in "xyz")
    assert np.max(np.abs(power)) < 1e-7


def ring(count: int) -> list[list[float]]:
    angle = np.linspace(0, 2 * np.pi, count, endpoint=False)
    return np.column_stack([np.sin(angle), -np.cos(angle)]).tolist()


def test_a_spline_through_points_of_a_circle_is_a_pendulum():
    """Errors of a spline fall with the fourth power of the spacing; round and round it never ends."""
    circle = {"x": "sin(u)", "y": "-cos(u)", "closed": True}
    start = {"initial": {"bead": {"vx": 7}}}
    short = {**TIGHT, "until": 2.0}
    exact = lw.simulate(bead(circle, (0, -1), **start), **short)
    assert exact["wire.u"][-1] > 2 * np.pi
    errors = []
    for count in (16, 32, 64):
        result = lw.simulate(bead({"points": ring(count), "closed": True}, (0, -1), **start), **short)
        assert result.outcome.completed
        energy = result["energy.total"]
        assert np.max(np.abs(energy - energy[0])) < 1e-7
        errors.append(np.max(np.abs(result["P.x"] - exact["P.x"])))
    assert errors[0] / errors[1] > 12
    assert errors[1] / errors[2] > 12


@pytest.mark.parametrize("curve", [{"r": "0.5 + 0.1*cos(3*u)"}, "table"])
def test_polar_curves(curve):
    if curve == "table":
        angles = np.arange(0, 360, 5)
        radii = 0.5 + 0.1 * np.cos(3 * np.radians(angles))
        curve = {"polar_points": [[f"{a} deg", float(r)] for a, r in zip(angles, radii, strict=True)]}
    result = lw.simulate(bead(curve, (0.6, 0), initial={"bead": {"vy": 2}}), until=1.0)
    radius = np.hypot(result["P.x"], result["P.y"])
    angle = np.unwrap(np.arctan2(result["P.y"], result["P.x"]))
    assert np.allclose(radius, 0.5 + 0.1 * np.cos(3 * angle), atol=2e-5)
    assert np.allclose(result["wire.u"], angle, atol=1e-9)
    assert result.quantity("wire.u").unit == "rad"


@pytest.mark.parametrize("formulation", ["hybrid", "multipliers"])
def test_a_run_stops_at_the_end_of_an_open_curve(formulation):
    model = bead({"x": "u", "y": "0", "range": [0, 1]}, (0.5, 0), initial={"bead": {"vx": 2}})
    result = lw.simulate(model, until=1.0, formulation=formulation)
    assert not result.outcome.completed
    assert result.outcome.reason == "relation 'wire' has come to the end of its curve"
    assert result.outcome.element == "wire"
    assert result.outcome.time == pytest.approx(0.25, abs=1e-9)
    assert not result.events


def test_a_mechanism_that_comes_together_beyond_the_end_is_refused():
    model = bead({"x": "u", "y": "0", "range": [0, 1]}, (1.2, 0), initial={"bead": {"x": 1.2}})
    with pytest.raises(lw.errors.AssemblyError, match=r"relation wire .* beyond the end of its curve"):
        lw.analyse(model)


@pytest.mark.parametrize(
    ("curve", "words"),
    [
        ({}, "no curve is given"),
        ({"x": "u"}, "y: is missing"),
        ({"y": "u"}, "stands without x"),
        ({"x": "u", "y": "w*u"}, "unknown name 'w'"),
        ({"x": "u", "y": "t*u"}, "may not depend on the time"),
        ({"x": "u", "y": "bead.x"}, "may not depend on the state"),
        ({"x": "u", "y": "u", "z": "u"}, "no z in the plane"),
        ({"x": "u", "y": "u", "r": "1"}, "conflicts with x"),
        ({"x": "u", "y": "u", "range": [1, 0]}, "goes from 1 to 0"),
        ({"x": "cos(u)", "y": "u*sin(u) + u", "closed": True}, "not closed: y = 0 m at u = 0, 6.28319 m"),
        ({"r": "1 + u"}, "not closed: r = 1 m"),
        ({"r": "1", "range": [0, 3]}, "not closed: the angle u goes from 0 to 3"),
        ({"points": [[0, 0], [1, 0]]}, "has 2 points; at least 3"),
        ({"points": [[0, 0], [1, 0], [1, 0], [2, 1]]}, r"points[2]: is the same as the point before"),
        ({"points": [[0, 0], [1, 0], [1, 1], [0, 0]], "closed": True}, "same as the first point"),
        ({"points": [[0, 0, 0], [1, 0, 0], [1, 1, 0]]}, "has 3 components"),
        ({"points": [[0, 0], [1, 0], [1, 1]], "range": [0, 1]}, "belongs to formulas"),
        ({"polar_points": [[0, 1], ["90 deg", 1], ["80 deg", 1]]}, "the angles must grow"),
        ({"polar_points": [[0, 1], ["90 deg", 1], ["360 deg", 1]]}, "full turn from the first"),
        ({"x": "u", "y": "u", "body": "nothing"}, "there is no body 'nothing'"),
        ({"x": "u", "y": "u", "body": "bead"}, "'bead.P' is on 'bead' too"),
    ],
)
def test_faults_name_the_curve(curve, words):
    with pytest.raises(lw.errors.ModelError, match=r"relations\.wire") as error:
        bead(curve)
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("curve", "words"),
    [
        ({"x": "u", "y": "log(u)", "range": [-1, 1]}, "no finite point at u = -1"),
        ({"x": "u^2", "y": "u^3", "range": [-1, 1]}, "stands still at u = 0"),
        ({"x": "sin(u/2)", "y": "sin(u)", "closed": True}, "has a corner where it closes"),
    ],
)
def test_curves_that_are_no_curves_are_refused(curve, words):
    with pytest.raises(lw.errors.ModelError, match=rf"relations\.wire.*{words}"):
        lw.analyse(bead(curve))


def test_a_parameter_named_u_is_refused():
    model = {**bead(PARABOLA).to_dict(), "parameters": {"k": 2, "u": 1}}
    with pytest.raises(lw.errors.ModelError, match="'u' is the place on the curve and a parameter"):
        lw.Model(**model)
