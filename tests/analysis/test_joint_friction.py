"""Coulomb friction in joints: sticking, slipping and jamming, against closed forms and against equations written apart."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import linkwork as lw
from linkwork.analysis.motion.gripping import Gripping
from linkwork.equations.formulations import ALL_FORMULATIONS
from linkwork.errors import RefusedError

G = 9.81
ALL_KINDS = ("relative", "reference_point", "natural", "mixed")
TIGHT = {"rtol": 1e-11, "atol": 1e-13}


def names(result: lw.Result) -> list[str]:
    return [event.name for event in result.events]


# -- one joint -----------------------------------------------------------------------------------------------------------


def block(
    friction: dict[str, Any], force: str = "0", *, turned: float = 0.0, size: float = 1.0, speed: float = 0.0
) -> lw.Model:
    """A block of 2 kg on a rail across gravity, pulled along it; all of it turned, all lengths *size* times."""
    along, up = [np.cos(turned), np.sin(turned)], [-np.sin(turned), np.cos(turned)]
    return lw.Model(
        space="planar",
        gravity=[-G * size * x for x in up],
        points={"P": [0, 0]},
        bodies={"block": {"points": ["P"], "mass": 2, "com": "P"}},
        joints={
            "rail": {
                "kind": "prismatic",
                "bodies": ["ground", "block"],
                "at": "P",
                "axis": along,
                "friction": friction,
            }
        },
        forces={"pull": {"kind": "effort", "joint": "rail", "value": f"{size}*({force})"}},
        initial={"rail": {"speed": speed * size}},
    )


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("static", [0.3, 0.45])
def test_a_block_sticks_breaks_away_and_slips_as_by_hand(static: float, size: float) -> None:
    """F sin ω t against μ₀ m g, then x = ∫∫ (F sin ω t − μ m g)/m."""
    force, omega, mu, mass = 12.0, 2.0, 0.3, 2.0
    result = lw.simulate(
        block({"coefficient": mu, "static": static}, f"{force}*sin({omega}*t)", turned=np.pi / 4, size=size),
        until=1.2,
        rtol=1e-11,
        atol=1e-13 * size,
    )
    first = np.arcsin(static * mass * G / force) / omega
    (slips,) = result.events
    assert slips.name == "rail slips"
    assert slips.time == pytest.approx(first, abs=1e-8)
    t = result.time[result.time > first + 1e-3]
    a, b = force / mass / omega, mu * G
    speed = a * (np.cos(omega * first) - np.cos(omega * t)) - b * (t - first)
    place = (
        a * np.cos(omega * first) * (t - first)
        - a / omega * (np.sin(omega * t) - np.sin(omega * first))
        - b * (t - first) ** 2 / 2
    )
    assert result["rail.speed"][-t.size :] == pytest.approx(speed * size, abs=1e-7 * size)
    assert result["rail.position"][-t.size :] == pytest.approx(place * size, abs=1e-7 * size)
    stuck = result.time < first
    assert result["rail.friction.force"][stuck] == pytest.approx(-size * force * np.sin(omega * result.time[stuck]))
    assert np.abs(result["rail.position"][stuck]).max() < 1e-12 * size
    assert result["rail.friction.contact"] == pytest.approx(mass * G * size)
    assert result.audit.passed, str(result.audit)
    assert [mode.holds for mode in result.modes] == [("rail.friction",), ()]


def test_a_block_comes_to_rest_and_stays() -> None:
    """v₀²/2μg, on a slope that it would slide down with less friction."""
    result = lw.simulate(block({"coefficient": 0.3}, "4", speed=2.0), until=3, **TIGHT)
    slowing = 0.3 * G - 4 / 2
    (stuck,) = result.events
    assert (stuck.name, stuck.time) == ("rail sticks", pytest.approx(2 / slowing, abs=1e-9))
    assert result["rail.position"][-1] == pytest.approx(2 / slowing, abs=1e-9)
    assert result["rail.friction.force"][-1] == pytest.approx(-4.0)
    assert result["rail.friction.work"][-1] == pytest.approx(-0.3 * 2 * G * 2 / slowing, rel=1e-8)


def test_a_pin_rubs_on_the_circle_of_friction() -> None:
    """θ̈ of a rod on a pin of radius R, with the torque R sin(arctan μ) |F| of the force F at the pin; events too."""
    mu, radius, mass, length = 0.2, 0.05, 2.0, 1.0
    inertia, arm = mass * length**2 / 3, radius * mu / np.sqrt(1 + mu**2)

    def acceleration(angle: float, speed: float, way: int) -> float:
        def left(a: float) -> float:
            ax = -length / 2 * (np.cos(angle) * speed**2 + np.sin(angle) * a)
            ay = length / 2 * (-np.sin(angle) * speed**2 + np.cos(angle) * a)
            force = mass * np.hypot(ax, ay + G)
            return float(inertia * a + mass * G * length / 2 * np.cos(angle) + way * arm * force)

        return float(brentq(left, -100, 100, xtol=1e-15, rtol=1e-15))

    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0], "A": [length, 0]},
        bodies={"rod": {"bar": ["O", "A"], "mass": mass}},
        joints={
            "O": {
                "kind": "revolute",
                "bodies": ["ground", "rod"],
                "friction": {"coefficient": mu, "radius": radius},
            }
        },
    )
    result = lw.simulate(model, until=30, **TIGHT)
    t, angle, way = 0.0, 0.0, -1

    def turns(_: float, y: np.ndarray) -> float:
        return float(y[1])

    turns.terminal = True  # type: ignore[attr-defined]
    while abs(mass * G * length / 2 * np.cos(angle)) > arm * mass * G:
        turns.direction = -way  # type: ignore[attr-defined]
        run = solve_ivp(
            lambda _, y, way=way: [y[1], acceleration(y[0], y[1], way)],
            [t, 40],
            [angle, 0.0],
            method="DOP853",
            events=turns,
            rtol=1e-12,
            atol=1e-13,
            first_step=1e-4,
        )
        t, angle, way = run.t[-1], run.y[0, -1], -way
    (stuck,) = result.events
    assert (stuck.name, stuck.time) == ("O sticks", pytest.approx(t, abs=1e-9))
    assert result["O.angle"][-1] == pytest.approx(angle, abs=1e-9)
    assert result["O.friction.torque"][-1] == pytest.approx(mass * G * length / 2 * np.cos(angle), rel=1e-9)
    assert result.audit.passed, str(result.audit)


@pytest.mark.parametrize(("mu", "arm"), [(0.3, 0.1), (0.3, 0.2), (0.6, 0.1), (0.6, 0.05)])
def test_a_guide_jams_where_the_load_is_far_from_it(mu: float, arm: float) -> None:
    """A load P at an arm e presses with 2 P e/L at the ends of a guide of length L: it moves where 2 μ e/L < 1."""
    length, load = 0.1, 10.0
    model = lw.Model(
        space="planar",
        points={"P": [0, 0], "E": [arm, 0]},
        bodies={"slide": {"points": ["P", "E"], "mass": 1, "com": "P", "inertia": 0.01}},
        joints={
            "guide": {
                "kind": "prismatic",
                "bodies": ["ground", "slide"],
                "at": "P",
                "axis": [0, 1],
                "friction": {"coefficient": mu, "length": length},
            }
        },
        forces={"load": {"kind": "force", "at": "slide.E", "value": [0, -load]}},
    )
    result = lw.simulate(model, until=1)
    left = load * max(1 - 2 * mu * arm / length, 0.0)
    assert result["guide.position"][-1] == pytest.approx(-left / 2, abs=1e-9)
    assert result["guide.friction.contact"][-1] == pytest.approx(2 * load * arm / length)
    assert result.modes.rows[0].holds == (("guide.friction",) if left == 0.0 else ())


@pytest.mark.parametrize("part", [0.5, 0.99, 1.01, 2.0])
@pytest.mark.parametrize("hand", [1, -1])
def test_a_screw_locks_itself_beyond_its_lead(part: float, hand: int) -> None:
    """A nut under its weight on a vertical screw: it runs down where μ is below tan(lead), as Newton and Euler say."""
    radius, pitch, weight, inertia = 0.01, 0.01, 100.0, 0.01
    advance = pitch / (2 * np.pi)
    mu = part * advance / radius
    model = lw.Model(
        space="spatial",
        gravity=[0, 0, -G],
        points={"P": [0, 0, 0]},
        bodies={"nut": {"points": ["P"], "mass": weight / G, "com": "P", "inertia": [inertia] * 3}},
        joints={
            "screw": {
                "kind": "helical",
                "bodies": ["ground", "nut"],
                "at": "P",
                "axis": [0, 0, 1],
                "pitch": hand * pitch,
                "friction": {"coefficient": mu, "radius": radius},
            }
        },
    )
    result = lw.simulate(model, until=1, **TIGHT)
    if part > 1:
        assert not result.events
        assert abs(result["screw.angle"][-1]) < 1e-9
        # T/N = tan(lead): the torque that holds is that of the weight on the thread
        assert result["screw.friction.torque"][-1] == pytest.approx(hand * weight * advance)
    else:
        slope = np.hypot(radius, advance)
        cosine, sine = radius / slope, advance / slope
        # n normal to the thread, T = μ n up along it: m h a = −W + n cos + T sin, I a = R (T cos − n sin)
        matrix = [
            [weight / G * advance, -(cosine + mu * sine)],
            [inertia, radius * (sine - mu * cosine)],
        ]
        a, n = np.linalg.solve(matrix, [-weight, 0.0])
        assert result["screw.angle"][-1] == pytest.approx(hand * a / 2, rel=1e-8)
        assert result["screw.friction.contact"] == pytest.approx(n)
    assert result.audit.passed, str(result.audit)


def test_a_bearing_in_space_takes_bending_at_its_ends_and_thrust() -> None:
    """A fly weight that turns about a vertical shaft: radial force and bending from its place, thrust from its weight."""
    mu, radius, length, mass, arm, speed = 0.1, 0.02, 0.2, 3.0, 0.5, 4.0
    model = lw.Model(
        space="spatial",
        gravity=[0, 0, -G],
        points={"O": [0, 0, 0], "W": [arm, 0, 0]},
        bodies={"fly": {"points": ["O", "W"], "mass": mass, "com": "W", "inertia": [0.1, 0.1, 0.1]}},
        joints={
            "shaft": {
                "kind": "revolute",
                "bodies": ["ground", "fly"],
                "at": "O",
                "axis": [0, 0, 1],
                "friction": {"coefficient": mu, "radius": radius, "length": length},
            }
        },
        initial={"shaft": {"speed": speed}},
    )
    result = lw.simulate(model, until=0.1, **TIGHT)
    inertia = 0.1 + mass * arm**2

    def torque(a: float, w: float) -> float:
        # F on the fly: m a of W and the weight; M about O that it takes beside: −W × (weight), about y
        force = np.array([-mass * arm * w**2, mass * arm * a])
        bending = np.array([0.0, -mass * G * arm])
        couple = np.array([-bending[1], bending[0]]) / length
        ends = [np.linalg.norm(force / 2 + couple), np.linalg.norm(force / 2 - couple)]
        return -radius * (mu / np.sqrt(1 + mu**2) * sum(ends) + mu * mass * G)

    for k in (0, 100, -1):
        w = result["shaft.speed"][k]
        a = brentq(lambda a, w=w: inertia * a - torque(a, w), -100, 100, xtol=1e-14)
        assert result["shaft.acceleration"][k] == pytest.approx(a, rel=1e-9)
        assert result["shaft.friction.torque"][k] == pytest.approx(torque(a, w), rel=1e-9)


def test_a_pin_in_a_slot_rubs_along_it() -> None:
    """A pin that is driven along a slot in a lever: μ |N| against its way, N from the torque on the lever."""
    friction = {"coefficient": 0.25}
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [0, 0.1], "C": [0, -0.3]},
        bodies={"crank": {"bar": ["O", "A"], "mass": 1e-6}, "lever": {"bar": ["C", "A"], "mass": 1, "inertia": 0.05}},
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
            "C": {"kind": "revolute", "bodies": ["ground", "lever"]},
            "slot": {
                "kind": "point_on_line",
                "bodies": ["lever", "crank"],
                "at": ["C", "A"],
                "axis": [0, 1],
                "friction": friction,
            },
        },
        drivers={"motor": {"joint": "O", "speed": 3}},
    )
    result = lw.simulate(model, until=1, **TIGHT)
    k = slice(5, None)
    normal = 0.05 + 0.2**2  # inertia about C, with the middle of the bar 0.2 m away
    normal = np.abs(normal * result["lever.acceleration"] / result["slot.position"])
    assert result["slot.friction.contact"][k] == pytest.approx(normal[k], rel=1e-7)
    pushed = -0.25 * normal * np.sign(result["slot.position_rate"])
    assert result["slot.friction.force"][k] == pytest.approx(pushed[k], rel=1e-7)
    assert result.audit.passed, str(result.audit)


def test_a_mass_on_a_belt_sticks_and_slips_periodically() -> None:
    """From k x = μ₀ m g it slips about μ m g/k until it has the speed of the belt again, then is carried on."""
    mass, stiffness, belt, static, sliding = 1.0, 100.0, 0.1, 0.4, 0.2
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"P": [0, 0], "Q": [0, 0], "W": [-1, 0]},
        bodies={
            "belt": {"points": ["P"], "mass": 1, "com": "P"},
            "mass": {"points": ["Q"], "mass": mass, "com": "Q"},
        },
        joints={
            "drive": {"kind": "prismatic", "bodies": ["ground", "belt"], "at": "P", "axis": [1, 0]},
            "rub": {
                "kind": "prismatic",
                "bodies": ["belt", "mass"],
                "at": ["P", "Q"],
                "axis": [1, 0],
                "friction": {"coefficient": sliding, "static": static},
            },
        },
        drivers={"motor": {"joint": "drive", "speed": belt}},
        initial={"rub": {"speed": 0}},
        forces={
            "spring": {"kind": "spring", "between": ["ground.W", "mass.Q"], "stiffness": stiffness, "free_length": 1}
        },
    )
    result = lw.simulate(model, until=4, **TIGHT)
    omega, lead = np.sqrt(stiffness / mass), mass * G / stiffness
    slips, sticks = (
        np.array([e.time for e in result.events if e.name == f"rub {word}"]) for word in ("slips", "sticks")
    )
    drop = (static - sliding) * lead
    slipping = 2 / omega * (np.pi - np.arctan(drop * omega / belt))
    carried = 2 * drop / belt
    assert slips[0] == pytest.approx(static * lead / belt, abs=1e-8)
    count = min(len(slips), len(sticks))
    assert sticks[:count] - slips[:count] == pytest.approx(np.full(count, slipping), abs=1e-8)
    assert np.diff(slips) == pytest.approx(np.full(len(slips) - 1, slipping + carried), abs=1e-8)
    assert result.audit.passed, str(result.audit)


def test_the_coefficient_falls_with_the_speed() -> None:
    """μ(s) = μ + (μ₀ − μ) exp(−s²/s₀²), and a part in proportion to the speed."""
    friction = {"coefficient": 0.1, "static": 0.3, "stribeck": "0.5 m/s", "viscous": "0.7 N*s/m"}
    result = lw.simulate(block(friction, "8"), until=1, **TIGHT)
    v = result["rail.speed"][1:]
    mu = 0.1 + 0.2 * np.exp(-((v / 0.5) ** 2))
    assert result["rail.friction.force"][1:] == pytest.approx(-mu * 2 * G - 0.7 * v, rel=1e-12)
    assert result["rail.acceleration"][1:] == pytest.approx((8 - mu * 2 * G - 0.7 * v) / 2, rel=1e-10)


def test_smooth_friction_comes_near_the_exact_one() -> None:
    exact = lw.simulate(block({"coefficient": 0.3}, "12*sin(2*t)"), until=4, **TIGHT)
    errors = []
    for smoothing in (1e-2, 1e-3, 1e-4):
        smooth = lw.simulate(block({"coefficient": 0.3, "smoothing": smoothing}, "12*sin(2*t)"), until=4)
        assert not smooth.events
        assert smooth.audit.passed, str(smooth.audit)
        errors.append(abs(smooth["rail.position"][-1] - exact["rail.position"][-1]))
    assert errors[0] > 5 * errors[1] > 25 * errors[2]


# -- what has no solution ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("push", [3.0, -3.0])
@pytest.mark.parametrize("part", [0.9, 1.1])
def test_what_slips_and_presses_the_harder_the_more_it_rubs(part: float, push: float) -> None:
    """A centre of mass at an arm e of a guide: m a (1 ± 2 μ e/L) is what is left, and none beyond L/2e (Painlevé)."""
    length, arm, mass = 0.1, 0.2, 1.0
    mu = part * length / (2 * arm)
    model = lw.Model(
        space="planar",
        points={"P": [0, 0], "S": [arm, 0]},
        bodies={"slide": {"points": ["P", "S"], "mass": mass, "com": "S", "inertia": 0.01}},
        joints={
            "guide": {
                "kind": "prismatic",
                "bodies": ["ground", "slide"],
                "at": "P",
                "axis": [0, 1],
                "friction": {"coefficient": mu, "length": length},
            }
        },
        forces={"push": {"kind": "force", "at": "slide.P", "value": [0, push]}},
        initial={"guide": {"speed": 1.0}},
    )
    way = 1.0 if push > 0 else -1.0
    if part > 1 and push < 0:
        with pytest.raises(RefusedError, match="friction of guide has no solution"):
            lw.simulate(model, until=0.01)
        return
    result = lw.simulate(model, until=0.01, **TIGHT)
    assert result["guide.acceleration"][0] == pytest.approx(push / (mass * (1 + way * part)), rel=1e-9)


def test_a_run_ends_where_what_slips_begins_to_jam() -> None:
    """The load moves outwards until its arm is L/2μ: there the run ends and says why."""
    length, mu = 0.1, 0.3
    model = lw.Model(
        space="planar",
        points={"P": [0, 0], "S": [0.1, 0]},
        bodies={
            "slide": {"points": ["P"], "mass": 1e-9, "com": "P", "inertia": 0.01},
            "load": {"points": ["S"], "mass": 1, "com": "S"},
        },
        joints={
            "guide": {
                "kind": "prismatic",
                "bodies": ["ground", "slide"],
                "at": "P",
                "axis": [0, 1],
                "friction": {"coefficient": mu, "length": length},
            },
            "arm": {"kind": "prismatic", "bodies": ["slide", "load"], "at": ["P", "S"], "axis": [1, 0]},
        },
        drivers={"motor": {"joint": "arm", "speed": 0.1}},
        forces={"push": {"kind": "force", "at": "slide.P", "value": [0, -0.01]}},
        initial={"guide": {"speed": 1.0}},
    )
    result = lw.simulate(model, until=2)
    assert not result.outcome.completed
    assert result.outcome.reason.startswith("the friction of joint 'guide' has come to a place where it has no value")
    assert result.outcome.time == pytest.approx((length / (2 * mu) - 0.1) / 0.1, abs=1e-3)


# -- several joints ------------------------------------------------------------------------------------------------------

POINTS = {"O": (0.0, 0.0), "A": (0.2, 0.2), "B": (1.0, 0.7), "C": (0.9, 0.0)}
BARS = {"crank": ("O", "A", 1.0), "coupler": ("A", "B", 3.0), "rocker": ("B", "C", 2.0)}
PINS = {"O": ["ground", "crank"], "A": ["crank", "coupler"], "B": ["coupler", "rocker"], "C": ["ground", "rocker"]}


def four_bar(friction: dict[str, Any], turned: float = 0.0, **more: Any) -> lw.Model:
    """A four-bar with friction in all its pins, turned with gravity."""
    c, s = np.cos(turned), np.sin(turned)
    return lw.Model(
        space="planar",
        gravity=[s * G, -c * G],
        points={name: [c * x - s * y, s * x + c * y] for name, (x, y) in POINTS.items()},
        bodies={name: {"bar": [a, b], "mass": mass} for name, (a, b, mass) in BARS.items()},
        joints={name: {"kind": "revolute", "bodies": pair, "friction": friction} for name, pair in PINS.items()},
        **more,
    )


class Apart:
    """The same by reference points, its friction by repeated solution (García de Jalón and Bayo, algorithm 10-1)."""

    def __init__(self, mu: float, radius: float) -> None:
        ends = [(POINTS[a], POINTS[b], mass) for a, b, mass in BARS.values()]
        self.lengths = [float(np.hypot(*np.subtract(b, a))) for a, b, _ in ends]
        self.mass = [mass for *_, mass in ends]
        self.arm = radius * mu / np.sqrt(1 + mu**2)

    def solve(self, angles: np.ndarray, speeds: np.ndarray, ways: np.ndarray, torque: float = 0.0) -> np.ndarray:
        """Angular accelerations and the torques of friction."""
        inertia = np.diag([x for m, h in zip(self.mass, self.lengths, strict=True) for x in (m, m, m * h**2 / 12)])

        def end(i: int, side: int) -> tuple[np.ndarray, np.ndarray]:
            along = np.array([np.cos(angles[i]), np.sin(angles[i])])
            rows, arm = np.zeros((2, 9)), side * self.lengths[i] / 2
            rows[:, 3 * i : 3 * i + 2] = np.eye(2)
            rows[:, 3 * i + 2] = arm * np.array([-along[1], along[0]])
            return rows, -arm * along * speeds[i] ** 2

        pairs = [(end(0, -1), None), (end(1, -1), end(0, 1)), (end(2, -1), end(1, 1)), (end(2, 1), None)]
        rows = np.vstack([a[0] if b is None else a[0] - b[0] for a, b in pairs])
        drift = np.concatenate([a[1] if b is None else a[1] - b[1] for a, b in pairs])
        system = np.block([[inertia, rows.T], [rows, np.zeros((8, 8))]])
        rubbing = np.zeros(4)
        for _ in range(200):
            forces = np.zeros(9)
            forces[1::3] = -np.array(self.mass) * G
            forces[2::3] = (
                rubbing[0] - rubbing[1] + torque,
                rubbing[1] - rubbing[2],
                rubbing[2] + rubbing[3],
            )
            found = np.linalg.solve(system, np.concatenate([forces, -drift]))
            rubbing = -ways * self.arm * np.hypot(found[9::2], found[10::2])
        return np.concatenate([found[2:9:3], rubbing])


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_a_four_bar_with_four_pins_that_rub(kind: str) -> None:
    mu, radius = 0.25, 0.02
    result = lw.simulate(four_bar({"coefficient": mu, "radius": radius}), until=2, coordinates=kind, **TIGHT)
    apart, speeds = Apart(mu, radius), np.array([result[f"{body}.speed"] for body in BARS])
    slips = np.array([speeds[0], speeds[1] - speeds[0], speeds[2] - speeds[1], speeds[2]])
    for k in range(7, len(result.time), 83):
        angles = np.array([result[f"{body}.angle"][k] for body in BARS])
        found = apart.solve(angles, speeds[:, k], np.sign(slips[:, k]))
        mine = [result[f"{body}.acceleration"][k] for body in BARS]
        rubbing = [result[f"{pin}.friction.torque"][k] for pin in PINS]
        assert [*mine, *rubbing] == pytest.approx(found, abs=1e-10)
    assert result.audit.passed, str(result.audit)


@pytest.mark.parametrize(("turned", "kind"), [(0.0, None), (np.pi / 4, None), (0.0, "mixed"), (np.pi / 4, "mixed")])
def test_pins_that_depend_on_each_other_stick_and_let_go_together(turned: float, kind: str | None) -> None:
    """They share what they hold, none more than the others, and move where the same equations begin to move."""
    mu, radius = 0.5, 0.05
    model = four_bar(
        {"coefficient": mu, "radius": radius},
        turned,
        forces={"motor": {"kind": "effort", "joint": "O", "value": "3*t"}},
    )
    result = lw.simulate(model, until=3, coordinates=kind, rtol=1e-10, atol=1e-12)
    assert names(result) == [f"{pin} {word}" for word in ("sticks", "slips") for pin in PINS]
    sticks, slips = result.events[0].time, result.events[-1].time
    stuck = (result.time > sticks) & (result.time < slips)
    assert np.abs(result["O.speed"][stuck]).max() < 1e-7
    apart = Apart(mu, radius)
    parts = [np.abs(result[f"{pin}.friction.torque"]) / (result[f"{pin}.friction.contact"] * apart.arm) for pin in PINS]
    assert np.array(parts)[:, stuck].max() <= 1 + 1e-8
    # where they let go, the equations of what slips begin to accelerate that way
    k = int(np.searchsorted(result.time, slips)) - 1
    angles = np.array([result[f"{body}.angle"][k] for body in BARS]) - turned
    after = np.array([result[f"{body}.speed"][k + 2] for body in BARS])
    ways = np.sign([after[0], after[1] - after[0], after[2] - after[1], after[2]])
    before, behind = (apart.solve(angles, np.zeros(3), ways, 3 * slips + more)[0] for more in (-1e-5, 1e-5))
    assert before * ways[0] < 0 < behind * ways[0]
    assert result.audit.passed, str(result.audit)


def test_pins_that_rest_share_what_they_hold() -> None:
    """None has a larger part of its friction than the others: no motion of the bar could be held with less."""
    mu, radius = 0.5, 0.05
    result = lw.simulate(four_bar({"coefficient": mu, "radius": radius}), until=5, **TIGHT)
    assert names(result) == [f"{pin} sticks" for pin in PINS]
    assert result.modes.rows[-1].holds == tuple(f"{pin}.friction" for pin in PINS)
    arm = radius * mu / np.sqrt(1 + mu**2)
    parts = [abs(result[f"{pin}.friction.torque"][-1]) / (result[f"{pin}.friction.contact"][-1] * arm) for pin in PINS]
    assert parts == pytest.approx([parts[0]] * 4, rel=1e-9)
    assert parts[0] < 1


ABLE = [item for item in ALL_FORMULATIONS if item.able.limits and not item.kinds]


@pytest.mark.parametrize("formulation", ABLE, ids=lambda item: item.name)
def test_every_formulation_that_takes_limits_takes_friction(formulation: Any) -> None:
    model = four_bar({"coefficient": 0.5, "radius": 0.05})
    reference = lw.simulate(model, until=2)
    options = {} if formulation.name != "index3_augmented_lagrangian" else {"fixed_step": 1e-4}
    result = lw.simulate(model, until=2, formulation=formulation, **options)
    assert names(result) == names(reference)
    assert result["O.angle"] == pytest.approx(reference["O.angle"], abs=1e-5)


# -- together with what else comes and goes ------------------------------------------------------------------------------


def test_a_block_slides_into_a_stop_and_comes_to_rest() -> None:
    """v² − 2 μ g s at the stop, e of it back, and v²/2μg from there."""
    mu, e, way, speed = 0.2, 0.6, 0.5, 2.0
    model = block({"coefficient": mu}, speed=speed)
    rail = {
        "kind": "prismatic",
        "bodies": ["ground", "block"],
        "at": "P",
        "axis": [1, 0],
        "friction": {"coefficient": mu},
        "limits": [None, way],
        "stops": {"restitution": e},
    }
    result = lw.simulate(model.with_(joints={"rail": rail}), until=2, **TIGHT)
    assert names(result) == ["rail.position.upper is hit", "rail sticks"]
    hit = np.sqrt(speed**2 - 2 * mu * G * way)
    assert result.events[0].time == pytest.approx((speed - hit) / (mu * G), abs=1e-9)
    assert result.events[0].values["impulse"] == pytest.approx(2 * (1 + e) * hit, rel=1e-9)
    assert result["rail.position"][-1] == pytest.approx(way - (e * hit) ** 2 / (2 * mu * G), abs=1e-9)
    assert result.audit.passed, str(result.audit)


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_friction_goes_on_to_hold_where_a_stop_would_have_to_pull(kind: str) -> None:
    """A block is pressed on its stop with F cos t: the stop lets go at F = 0, friction at −μ m g."""
    mu, force, mass = 0.3, 20.0, 2.0
    model = block({"coefficient": mu}, f"{force}*cos(t)")
    rail = model.joints["rail"].to_dict() | {"limits": [None, 0]}
    result = lw.simulate(model.with_(joints={"rail": rail}), until=3, coordinates=kind, **TIGHT)
    assert names(result) == ["rail.position.upper is left", "rail slips"]
    first, (left, slips) = np.arccos(-mu * mass * G / force), (event.time for event in result.events)
    assert (left, slips) == pytest.approx((np.pi / 2, first), abs=1e-8)
    t = 3.0
    way = force / mass * (np.cos(first) - np.cos(t) - np.sin(first) * (t - first)) + mu * G * (t - first) ** 2 / 2
    assert result["rail.position"][-1] == pytest.approx(way, abs=1e-8)
    pressed = result["rail.position.stop"] + result["rail.friction.force"]
    stuck = result.time < slips
    assert pressed[stuck] == pytest.approx(-force * np.cos(result.time[stuck]), abs=1e-9)
    assert result.audit.passed, str(result.audit)


def test_a_stop_that_is_pressed_again_and_again_beside_friction() -> None:
    """F sin² t is held by friction up to μ m g, and by the stop beyond; nothing moves, whoever holds."""
    model = block({"coefficient": 0.3}, "20*sin(t)^2")
    rail = model.joints["rail"].to_dict() | {"limits": [None, 0]}
    result = lw.simulate(model.with_(joints={"rail": rail}), until=8)
    assert result.outcome.completed
    assert np.abs(result["rail.position"]).max() < 1e-12
    assert np.abs(result["rail.friction.force"]).max() <= 0.3 * 2 * G * (1 + 1e-8)
    assert result["rail.position.stop"].max() <= 1e-8
    assert result.audit.passed, str(result.audit)


def test_a_run_goes_on_in_its_mode() -> None:
    model = block({"coefficient": 0.3, "static": 0.5}, "7")
    first = lw.simulate(model, until=1)
    second = lw.simulate(first, until=2)
    assert second.modes.rows[0].holds == ("rail.friction",)
    assert not second.events
    moving = lw.simulate(lw.simulate(block({"coefficient": 0.3}, "7"), until=1), until=2)
    assert moving["rail.position"][-1] == pytest.approx((7 / 2 - 0.3 * G) * 2, abs=1e-8)
    assert not moving.events


def test_redundant_joints_are_refused_as_their_forces_are_not_unique() -> None:
    rail = {"kind": "prismatic", "bodies": ["ground", "block"], "axis": [1, 0], "friction": {"coefficient": 0.1}}
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"P": [0, 0], "Q": [1, 0]},
        bodies={"block": {"points": ["P", "Q"], "mass": 1, "com": "P", "inertia": 1}},
        joints={"one": {**rail, "at": "P"}, "other": {**rail, "at": "Q"}},
    )
    with pytest.raises(RefusedError, match="not unique"):
        lw.simulate(model, until=1)


# -- joints that slip along several coordinates ---------------------------------------------------------------------------


def flying(kind: str, rates: dict[str, float], friction: dict[str, Any], **more: Any) -> lw.Model:
    """A body of 3 kg whose centre of mass is off its joint, in motion."""
    return lw.Model(
        space="spatial",
        gravity=[0, 0, -G],
        points={"O": [0, 0, 0], "S": [0.3, 0.1, 0.0]},
        bodies={"body": {"points": ["O", "S"], "mass": 3, "com": "S", "inertia": [0.2, 0.25, 0.3]}},
        joints={"O": {"kind": kind, "bodies": ["ground", "body"], "at": "O", "friction": friction, **more}},
        initial={"O": rates},
    )


def test_a_pin_that_turns_and_slides_rubs_against_both() -> None:
    """T = −μ N s/|s| with s = (R ω, v), and of it only what lies across turns the force on the pin."""
    mu, radius, length = 0.2, 0.05, 0.4
    friction = {"coefficient": mu, "radius": radius, "length": length, "smoothing": 1e-6}
    model = flying("cylindrical", {"angle_rate": 6.0, "position_rate": 0.4}, friction, axis=[0, 0, 1])
    result = lw.simulate(model, until=0.02, **TIGHT)
    for k in (0, 500, -1):
        slip = np.array([radius * result["O.angle_rate"][k], result["O.position_rate"][k]])
        whole = float(np.hypot(*slip))
        force = np.array([result[f"O.f{axis}"][k] for axis in "xyz"])
        moment = np.array([result[f"O.m{axis}"][k] for axis in "xyz"])
        couple = np.cross([0, 0, 1], [moment[0], moment[1], 0]) / length
        across = np.array([force[0], force[1], 0])
        pressed = np.linalg.norm(across / 2 + couple) + np.linalg.norm(across / 2 - couple)
        normal = pressed / np.sqrt(1 + (mu * slip[0] / whole) ** 2)
        assert result["O.friction.torque"][k] == pytest.approx(-mu * normal * slip[0] / whole * radius, rel=1e-9)
        assert result["O.friction.force"][k] == pytest.approx(-mu * normal * slip[1] / whole, rel=1e-9)
    assert result.audit.passed, str(result.audit)


def test_a_ball_rubs_against_its_spin() -> None:
    mu, radius = 0.3, 0.04
    friction = {"coefficient": mu, "radius": radius, "smoothing": 1e-6}
    model = flying("spherical", {"omega": [1.0, -2.0, 3.0]}, friction)
    result = lw.simulate(model, until=0.5, **TIGHT)
    for k in (0, 400, -1):
        axes = "xyz"
        spin = np.array([result[f"body.w{axis}"][k] for axis in axes])
        force = np.array([result[f"O.f{axis}"][k] for axis in axes])
        torque = np.array([result[f"O.friction.torque_{axis}"][k] for axis in axes])  # in the axes of the child
        size = radius * mu / np.sqrt(1 + mu**2) * np.linalg.norm(force)
        assert np.linalg.norm(torque) == pytest.approx(size, rel=1e-9)
        # against the spin: its power is that of the size along the spin
        assert result["O.friction.power"][k] == pytest.approx(-size * np.linalg.norm(spin), rel=1e-8)
    assert result.audit.passed, str(result.audit)


def test_a_foot_on_a_plane_is_slowed_along_its_way() -> None:
    """A sliding block on a plane without turning: μ g against its velocity, and it stops on a straight line."""
    friction = {"coefficient": 0.25, "smoothing": 1e-5}
    model = lw.Model(
        space="spatial",
        gravity=[0, 0, -G],
        points={"O": [0, 0, 0]},
        bodies={"foot": {"points": ["O"], "mass": 2, "com": "O", "inertia": [0.1, 0.1, 0.1]}},
        joints={"O": {"kind": "point_on_plane", "bodies": ["ground", "foot"], "axis": [0, 0, 1], "friction": friction}},
        initial={"O": {"position_x_rate": 3.0, "position_y_rate": 4.0}},
    )
    result = lw.simulate(model, until=3)
    way = 25 / (2 * 0.25 * G)
    assert result["foot.x"][-1] == pytest.approx(0.6 * way, abs=1e-4)
    assert result["foot.y"][-1] == pytest.approx(0.8 * way, abs=1e-4)
    assert result.audit.passed, str(result.audit)


def test_pins_of_several_loops_that_hold_far_too_little_let_go_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What they would have to hold is sixty times their friction, for which what they press with has no value."""
    model = lw.example("peaucellier")
    rubs = {"coefficient": 0.2, "radius": 0.01}
    pins = {name: joint.to_dict() | {"friction": rubs} for name, joint in list(model.joints.items())[1::2]}
    model = model.with_(joints={name: joint.to_dict() for name, joint in model.joints.items()} | pins)
    tried, solved = [], Gripping._solved
    monkeypatch.setattr(Gripping, "_solved", lambda self, choice: tried.append(choice) or solved(self, choice))
    result = lw.simulate(model, until=0.1)
    assert not result.events
    assert len(tried) < 200
    assert result.audit.passed, str(result.audit)


def test_a_spring_that_does_nothing_beside_friction() -> None:
    """Its ends are one point: its loads are no expressions, and so no obstacle for what reads multipliers."""
    spring = {"kind": "spring", "between": ["rod.O", "ground.O"], "stiffness": 100.0}
    rod = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0], "A": [1, 0]},
        bodies={"rod": {"bar": ["O", "A"], "mass": 2}},
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "rod"], "friction": {"coefficient": 0.2, "radius": 0.05}}
        },
    )
    with_spring = lw.simulate(rod.with_(forces={"idle": spring}), until=1)
    assert with_spring["O.angle"] == pytest.approx(lw.simulate(rod, until=1)["O.angle"], abs=1e-12)
