"""Wheels on tracks in the plane: troughs, inclines, moving rings, and curves on which the motion is known."""

import numpy as np
import pytest
from combinations import COMBINATIONS, EVERY_ROLLING, ROLLING
from scipy.integrate import solve_ivp
from scipy.special import ellipk

import linkwork as lw
from linkwork.equations.equations import find_formulation

G, MASS, WHEEL, TROUGH = 9.81, 2.0, 0.2, 1.0  # radii of the wheel and the trough
INERTIA = 0.5 * MASS * WHEEL**2
HEAVIER = 1 + INERTIA / (MASS * WHEEL**2)  # by how much rolling adds to the mass: 3/2
TIGHT = {"rtol": 1e-11, "atol": 1e-13}
# the place of contact has no inertia
FORMULATIONS = [pair for pair in EVERY_ROLLING if find_formulation(pair[1]).abilities.massless]
BODY = {"points": {"O": [0, 0], "A": ["r", 0]}, "com": "O", "mass": MASS, "inertia": INERTIA}
LOWEST = ["(R-r)*sin(start)", "-(R-r)*cos(start)"]


def wheel_on(centre: list, track: dict, **changes: object) -> lw.Model:
    """A wheel drawn about a place, on a track; in a trough it starts at an angle from the lowest place."""
    declared = {
        "space": "planar",
        "gravity": [0, -G],
        "parameters": {
            "r": WHEEL,
            "R": {"value": TROUGH, "live": True},
            "start": {"value": 2.0, "live": True},
            "spin": {"value": 0.0, "live": True},
        },
        "bodies": {"wheel": {**BODY, "origin": centre}},
        "relations": {"track": {"kind": "track", "centre": "wheel.O", "radius": "r", "body": "ground", **track}},
        "initial": {"wheel": {"speed": "spin"}},
    }
    return lw.Model(**{**declared, **changes})


def pendulum(t: np.ndarray, square: float, phi: float, rate: float = 0.0) -> np.ndarray:
    """φ̈ = −ω² sin φ: φ and its rate (2 × n)."""
    swing = solve_ivp(
        lambda _, y: [y[1], -square * np.sin(y[0])], (0, t[-1]), [phi, rate], "DOP853", t, rtol=1e-12, atol=1e-14
    )
    return swing.y


@pytest.mark.matrix("coordinates", "formulation")
@pytest.mark.parametrize(("coordinates", "formulation"), FORMULATIONS)
def test_the_period_of_a_wheel_in_a_trough(coordinates, formulation):
    """φ̈ = −(2/3) g/(R − r) sin φ: T = 4 K(sin ½φ₀) √(3 (R − r)/2g); the wheel turns by −φ (R − r)/r."""
    model = wheel_on(LOWEST, {"r": "R"})
    for start, size in ((2.0, TROUGH), (1e-3, 0.7)):
        period = 4 * ellipk(np.sin(start / 2) ** 2) * np.sqrt(HEAVIER * (size - WHEEL) / G)
        run = {"until": period, "step": period / 4, "parameters": {"start": start, "R": size}, **TIGHT}
        result = lw.simulate(model, coordinates=coordinates, formulation=formulation, **run)
        phi = start * np.array([1, 0, -1, 0, 1])
        assert np.allclose(result["O.x"], (size - WHEEL) * np.sin(phi), rtol=0, atol=5e-9 * start)
        assert np.allclose(result["wheel.angle"], (start - phi) * (size - WHEEL) / WHEEL, rtol=0, atol=5e-8 * start)
        assert np.allclose(result["track.contact.x"], size * np.sin(phi), rtol=0, atol=5e-9 * start)
        # m (R − r) φ̇² = 2 m g (cos φ − cos φ₀) / heavier
        normal = MASS * G * (np.cos(phi) + 2 * (np.cos(phi) - np.cos(start)) / HEAVIER)
        assert np.allclose(result["track.normal"], normal, rtol=0, atol=1e-6)
        # growing u goes counter-clockwise, up the right side
        assert np.allclose(result["track.traction"], MASS * G * np.sin(phi) * (1 - 1 / HEAVIER), rtol=0, atol=1e-6)
        assert np.ptp(result["energy.total"]) < 1e-8


def test_a_wheel_that_loops_the_loop():
    """Fast enough it goes round and round: the place on a closed track counts its turns."""
    rate = 12.0
    run = {"start": 0.0, "spin": -rate * (TROUGH - WHEEL) / WHEEL}
    result = lw.simulate(wheel_on(LOWEST, {"r": "R"}), until=2.0, step=0.05, parameters=run, **TIGHT)
    phi = pendulum(result.time, G / (HEAVIER * (TROUGH - WHEEL)), 0.0, rate)[0]
    assert phi[-1] > 6 * np.pi
    assert np.allclose(result["track.u"] - result["track.u"][0], phi, rtol=0, atol=1e-7)
    assert np.allclose(result["wheel.angle"], -phi * (TROUGH - WHEEL) / WHEEL, rtol=0, atol=1e-7)


@pytest.mark.parametrize(("coordinates", "formulation"), COMBINATIONS)
def test_a_wheel_that_slides(coordinates, formulation):
    """φ̈ = −g/(R − r) sin φ, while it goes on turning as it did. The contact is holonomic: every formulation holds it."""
    model = wheel_on(LOWEST, {"r": "R", "slides": True})
    run = {"until": 1.0, "step": 0.1, "parameters": {"start": 2.0, "spin": 3.0}, **TIGHT}
    result = lw.simulate(model, coordinates=coordinates, formulation=formulation, **run)
    phi = pendulum(result.time, G / (TROUGH - WHEEL), 2.0)[0]
    assert np.allclose(result["O.x"], (TROUGH - WHEEL) * np.sin(phi), rtol=0, atol=1e-8)
    assert np.allclose(result["wheel.angle"], 3.0 * result.time, rtol=0, atol=1e-8)
    assert "track.traction" not in result.names("track.*")


@pytest.mark.matrix("coordinates", "formulation")
@pytest.mark.parametrize(("coordinates", "formulation"), ROLLING)
def test_a_wheel_in_a_ring_that_turns(coordinates, formulation):
    """(m + I/r²)(R − r) φ̈ = −m g sin φ + (I/r²) R Ω̇; without slip (R − r) φ̇ + r ω = R Ω. SOURCE: balances, by hand."""
    swing, beat, start = 0.8, 3.0, 0.5
    model = wheel_on(
        LOWEST,
        {"body": "ring", "r": "R"},
        points={"C": [0, 0]},
        bodies={"wheel": {**BODY, "origin": LOWEST}, "ring": {"points": {"C": [0, 0]}, "mass": 3, "inertia": 2}},
        joints={"C": {"kind": "revolute", "bodies": ["ground", "ring"]}},
        drivers={"motor": {"joint": "C", "position": f"{swing}*sin({beat}*t)"}},
        initial={"wheel": {"speed": f"{swing * beat * TROUGH / WHEEL}"}},  # φ̇ = 0
    )
    run = {"until": 1.5, "step": 0.1, "parameters": {"start": start}, **TIGHT}
    result = lw.simulate(model, coordinates=coordinates, formulation=formulation, **run)
    t, across, heavy = result.time, TROUGH - WHEEL, INERTIA / WHEEL**2

    def rates(time: float, y: np.ndarray) -> list[float]:
        jerked = -swing * beat**2 * np.sin(beat * time)
        return [y[1], (heavy * TROUGH * jerked - MASS * G * np.sin(y[0])) / ((MASS + heavy) * across)]

    phi, rate = solve_ivp(rates, (0, t[-1]), [start, 0], "DOP853", t, rtol=1e-12, atol=1e-14).y
    assert np.allclose(result["O.x"], across * np.sin(phi), rtol=0, atol=1e-8)
    turning = (TROUGH * swing * beat * np.cos(beat * t) - across * rate) / WHEEL
    assert np.allclose(result["wheel.speed"], turning, rtol=0, atol=1e-7)
    # the motor turns the ring against its inertia and the traction
    twist = 2 * -swing * beat**2 * np.sin(beat * t) + TROUGH * result["track.traction"]
    assert np.allclose(result["motor.effort"], twist, rtol=0, atol=1e-6)


@pytest.mark.matrix("coordinates", "formulation")
@pytest.mark.parametrize(("coordinates", "formulation"), FORMULATIONS)
def test_a_friction_drive(coordinates, formulation):
    """Wheels on fixed axles: the contact is redundant in every position, whichever way the track faces."""
    model = lw.Model(
        space="planar",
        points={"P": [0, 0], "Q": [0.5, 0]},
        bodies={
            "one": {"points": {"P": [0, 0]}, "mass": 1, "inertia": 0.1},
            "two": {"points": {"Q": [0, 0]}, "mass": 1, "inertia": 0.02, "origin": [0.5, 0]},
        },
        joints={name: {"kind": "revolute", "bodies": ["ground", body]} for name, body in (("P", "one"), ("Q", "two"))},
        relations={"touch": {"kind": "track", "centre": "two.Q", "radius": 0.2, "body": "one", "r": 0.3}},
        forces={"motor": {"kind": "torque", "body": "one", "value": 1.0}},
    )
    assert lw.analyse(model).redundant == ("relation touch: contact",)
    result = lw.simulate(model, coordinates=coordinates, formulation=formulation, until=1.0, step=0.25, rtol=1e-10)
    # J = 0.1 + 0.02 · 1.5²; the second wheel is turned by 0.2 T
    speed = result.time / 0.145
    assert np.allclose(result["one.speed"], speed, rtol=0, atol=1e-6)
    assert np.allclose(result["two.speed"], -1.5 * speed, rtol=0, atol=1e-6)
    assert np.allclose(result["touch.traction"], 0.02 * 1.5 / 0.145 / 0.2, rtol=1e-6)


CYCLOID = {"x": "R*(u + sin(u)) + r*sin(u/2)", "y": "R*(1 - cos(u)) - r*cos(u/2)", "range": [-3.1, 3.1]}


@pytest.mark.parametrize("start", [0.3, 2.5])
def test_on_the_track_whose_wheel_is_a_tautochrone(start):
    """With its centre on the cycloid s = 4 R sin ½u, y = s²/8R it swings with ω² = g/(4 R) · 2/3, however far."""
    model = wheel_on(["R*(start + sin(start))", "R*(1 - cos(start))"], CYCLOID)
    result = lw.simulate(model, until=5.0, step=0.1, parameters={"start": start, "R": 0.4}, **TIGHT)
    s = 1.6 * np.sin(start / 2) * np.cos(np.sqrt(G / (1.6 * HEAVIER)) * result.time)
    assert np.allclose(result["O.y"], s**2 / 3.2, rtol=0, atol=1e-8)
    assert np.allclose(result["track.u"], 2 * np.arcsin(s / 1.6), rtol=0, atol=1e-8)
    # v = ω r: the angle is the way of the centre
    assert np.allclose(result["wheel.angle"], (s[0] - s) / WHEEL, rtol=0, atol=1e-7)


def ellipse(u: float, side: float) -> tuple[complex, complex]:
    """ds/du and the height of the centre of a wheel inside (1) or outside (−1) the ellipse with the halves 1 and 0.6."""
    size = np.sqrt(np.sin(u) ** 2 + 0.36 * np.cos(u) ** 2)
    return size - side * WHEEL * 0.6 / size**2, 0.6 * np.sin(u) - side * WHEEL * np.sin(u) / size


@pytest.mark.parametrize(("side", "start"), [(1.0, -0.4), (-1.0, 1.2)])
def test_on_an_ellipse(side, start):
    """½ (m + I/r²) ṡ² + m g y = E of the centre: s'² ü + s' s'' u̇² = −(2/3) g y'. Derivatives by a complex step."""
    centre = [np.cos(start), 0.6 * np.sin(start)]
    normal = np.array([-0.6 * np.cos(start), -np.sin(start)])
    origin = list(np.array(centre) + side * WHEEL * normal / np.linalg.norm(normal))
    model = wheel_on(origin, {"x": "cos(u)", "y": "0.6*sin(u)", "closed": True})
    result = lw.simulate(model, until=1.5, step=0.1, **TIGHT)

    def rates(_: float, y: np.ndarray) -> list[float]:
        s, height = ellipse(y[0] + 1e-20j, side)
        pull = -G / HEAVIER * height.imag / 1e-20 - s.real * s.imag / 1e-20 * y[1] ** 2
        return [y[1], pull / s.real**2]

    u = solve_ivp(rates, (0, 1.5), [start, 0], "DOP853", result.time, rtol=1e-12, atol=1e-14).y[0]
    assert abs(u[-1] - start) > 1
    assert np.allclose(result["track.u"] - result["track.u"][0], u - start, rtol=0, atol=1e-7)
    assert np.allclose(result["O.y"], [ellipse(x, side)[1] for x in u], rtol=0, atol=1e-7)


@pytest.mark.parametrize(("coordinates", "formulation"), ROLLING)
def test_down_an_incline_to_its_end(coordinates, formulation):
    """a = 2/3 g sin α; the track ends after 3 m."""
    slope = 0.3
    model = wheel_on(
        ["r*sin(slope)", "r*cos(slope)"],
        {"x": "u*cos(slope)", "y": "-u*sin(slope)", "range": [-1, 3]},
        parameters={"r": WHEEL, "slope": slope},
        initial={},
    )
    result = lw.simulate(model, coordinates=coordinates, formulation=formulation, until=5.0, step=0.1, **TIGHT)
    way = G * np.sin(slope) / HEAVIER * result.time**2 / 2
    assert np.allclose(result["track.u"], way, rtol=0, atol=1e-8)
    assert np.allclose(result["track.normal"], MASS * G * np.cos(slope), rtol=1e-8)
    assert "the end of its curve" in str(result.outcome)
    assert result.outcome.time == pytest.approx(np.sqrt(6 * HEAVIER / (G * np.sin(slope))), abs=1e-8)


def test_the_conditions_of_the_book():
    """(3.53) to (3.57): v_O ⟂ PO, v_A ⟂ PA and their rates, with the contact that moves by O'P/O'O of the centre."""
    result = lw.simulate(wheel_on(LOWEST, {"r": "R"}), until=1.0, step=0.1, **TIGHT)
    o, a, p = (np.array([result[f"{name}.{axis}"] for axis in "xy"]) for name in ("O", "A", "track.contact"))
    vo, va, ao, aa = (np.array([result[f"{n}.{k}{axis}"] for axis in "xy"]) for k in "va" for n in "OA")
    vp = TROUGH / (TROUGH - WHEEL) * vo
    for place, v, acceleration in ((o, vo, ao), (a, va, aa)):
        assert np.max(np.abs(np.sum((place - p) * v, axis=0))) < 1e-12
        assert np.max(np.abs(np.sum((place - p) * acceleration + (v - vp) * v, axis=0))) < 1e-10


@pytest.mark.parametrize(
    ("track", "words"),
    [
        ({"radius": -1}, "must be positive"),
        ({"centre": "ground.E"}, "is on 'ground' too"),
        ({"r": "0.19"}, "does not fit into the track: its radius is 0.2 m, that of the hollow at u = "),
        ({"r": None}, "no curve is given"),
        ({"r": None, "x": "u", "y": "0*u", "range": [-1, 1]}, "is drawn on the track"),
    ],
)
def test_tracks_that_cannot_be(track, words):
    faulty = {"kind": "track", "centre": "wheel.O", "radius": "r", "body": "ground", "r": "R", **track}
    parts = {"points": {"E": [0, 0]}, "relations": {"track": {k: v for k, v in faulty.items() if v is not None}}}
    with pytest.raises(lw.errors.ModelError, match="track") as error:
        lw.analyse(wheel_on([0, 0], {}, **parts))
    assert words in str(error.value)


def test_in_space_there_are_other_wheels():
    with pytest.raises(lw.errors.ModelError, match="belongs to the plane"):
        lw.Model(
            space="spatial",
            bodies={"wheel": {"points": {"O": [0, 0, 0]}, "mass": 1, "inertia": [1, 1, 1]}},
            relations={"track": {"kind": "track", "centre": "wheel.O", "radius": 1, "body": "ground", "r": 2}},
        )
