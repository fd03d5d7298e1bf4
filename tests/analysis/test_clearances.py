"""Joints with a clearance: against closed forms, against small steps of a penalty method, and tried to be broken."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import linkwork as lw
from linkwork import testing
from linkwork.elements.joints.clearance import LOOSE
from linkwork.errors import AssemblyError, ModelError, RefusedError

G = 9.81
GAP = 1e-3
ALL_KINDS = ("relative", "reference_point", "natural", "mixed")
TIGHT = {"rtol": 1e-11, "atol": 1e-13}


def rod_on_a_pin(restitution: float = 0.0, *, turned: float = 0.0, size: float = 1.0, gravity: float = G) -> lw.Model:
    """A slender rod of 1 m whose end is a pin in a wide hole; gravity across it, all lengths *size* times."""
    c, s = np.cos(turned), np.sin(turned)
    return lw.Model(
        space="planar",
        gravity=[size * gravity * s, -size * gravity * c],
        points={"O": [0, 0], "A": [size * c, size * s]},
        bodies={"rod": {"bar": ["O", "A"], "mass": 2}},
        joints={
            "O": {
                "kind": "revolute",
                "bodies": ["ground", "rod"],
                "clearance": {"gap": size * GAP, "restitution": restitution, "radius": size * 0.01},
            }
        },
    )


def slider_crank(restitution: float = 0.2, gap: float = 1e-4, **joints: Any) -> lw.Model:
    """A slider-crank with a clearance in its wrist pin B, which begins as one without would, its crank at 40 degrees."""
    a, w, rod = np.radians(40.0), 20.0, 0.3
    crank = 0.1 * np.array([np.cos(a), np.sin(a)])
    lean = -np.arcsin(crank[1] / rod)
    turning = -crank[0] * w / (rod * np.cos(lean))
    wrist = [crank[0] + rod * np.cos(lean), 0.0]
    return lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0], "A": crank, "B": wrist},
        bodies={
            "crank": {"bar": ["O", "A"], "mass": 1},
            "rod": {"bar": ["A", "B"], "mass": 0.6},
            "slider": {"points": ["B"], "com": "B", "mass": 0.8, "inertia": 1e-3},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
            "A": {"kind": "revolute", "bodies": ["crank", "rod"]},
            "B": {
                "kind": "revolute",
                "bodies": ["rod", "slider"],
                "clearance": {"gap": gap, "restitution": restitution},
            },
            "S": {"kind": "prismatic", "bodies": ["ground", "slider"], "at": "B", "axis": [1, 0]},
        }
        | joints,
        initial={
            "O": {"speed": w},
            "A": {"speed": turning - w},
            "S": {"speed": -crank[1] * w - rod * np.sin(lean) * turning},
        },
    )


# -- closed forms --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
@pytest.mark.parametrize(("turned", "size"), [(0.0, 1.0), (np.pi / 4, 1.0), (2.0, 10.0)])
def test_a_pin_falls_through_its_clearance(restitution: float, turned: float, size: float) -> None:
    """All of the rod falls by c with √(2 g c); its end has the mass m/4 across the rod and takes m/4 (1 + e) √(2 g c)."""
    model = rod_on_a_pin(restitution, turned=turned, size=size)
    result = lw.simulate(model, until=0.02, **TIGHT)
    first, speed = result.events[0], np.sqrt(2 * G * size * size * GAP)
    assert first.name == ("O touches" if restitution == 0.0 else "O bounces")
    assert first.time == pytest.approx(np.sqrt(2 * GAP / G), rel=1e-11)
    assert first.values["impulse"] == pytest.approx(2 / 4 * (1 + restitution) * speed, rel=1e-10)
    assert result["O.gap"].min() > -1e-15 * size


def test_without_weight_a_pin_goes_to_and_fro_through_the_middle() -> None:
    """Where the centres meet nothing has a direction; a pin that loses nothing needs 2c/v for every way across."""
    model = rod_on_a_pin(1.0, gravity=0.0)
    model = lw.Model(**{**model.to_dict(), "initial": {"O": {"position_x_rate": 0.03}}})
    result = lw.simulate(model, until=0.5, **TIGHT)
    times = np.array([event.time for event in result.events])
    assert times == pytest.approx(GAP / 0.03 * (1 + 2 * np.arange(len(times))), rel=1e-10)
    assert len(times) == 7
    assert np.abs(result["rod.vx"]) == pytest.approx(0.03, rel=1e-12)
    assert np.all(np.isfinite(result["O.contact.x"]))


@pytest.mark.parametrize("place", [[0.0, 0.0], [0.0, -GAP], [GAP / np.sqrt(2), GAP / np.sqrt(2)]])
def test_it_starts_centred_and_touching(place: list[float]) -> None:
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0], "P": place, "A": [place[0] + 1.0, place[1]]},
        bodies={"rod": {"bar": ["P", "A"], "mass": 2}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "rod"], "at": ["O", "P"], "clearance": GAP}},
    )
    result = lw.simulate(model, until=0.1, **TIGHT)
    assert result["O.gap"].min() > -1e-15
    assert result["O.eccentricity"][0] == pytest.approx(np.hypot(*place), abs=1e-18)
    held = result.modes.rows[0].holds
    assert bool(held) == (place[1] < 0.0)  # it hangs in the hole from below, and falls from elsewhere
    if held:
        assert result["O.force"][0] == pytest.approx(2 * G / 4, rel=1e-10)  # as of a rod on a pivot


def test_beyond_the_clearance_it_does_not_begin() -> None:
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "P": [2e-3, 0], "A": [1, 0]},
        bodies={"rod": {"bar": ["P", "A"], "mass": 2}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "rod"], "at": ["O", "P"], "clearance": GAP}},
    )
    with pytest.raises(AssemblyError, match=r"relation O between ground and rod cannot be closed.*beyond its contact"):
        lw.simulate(model, until=0.1)


def test_a_small_clearance_does_as_a_joint_that_fits() -> None:
    """What the clearance changes is in proportion to it."""
    fitting = rod_on_a_pin().to_dict()
    fitting["joints"]["O"].pop("clearance")
    exact = lw.simulate(lw.Model(**fitting), until=1.0, **TIGHT)["rod.angle"][-1]
    found = []
    for gap in (1e-4, 1e-5):
        data = rod_on_a_pin().to_dict()
        data["joints"]["O"]["clearance"] = {"gap": gap, "restitution": 0.0}
        found.append(lw.simulate(lw.Model(**data), until=1.0, **TIGHT)["rod.angle"][-1] - exact)
    assert 0.0 < abs(found[0]) < 1e-3
    assert found[1] / found[0] == pytest.approx(0.1, rel=0.01)


# -- another method ------------------------------------------------------------------------------------------------------


def guide(load: tuple[float, float] = (5.0, 60.0)) -> lw.Model:
    """A block in a guide that is wider than it by 1 mm on either side, pulled at a corner to and fro."""
    return lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"P": [0, 0], "Q": [0.02, 0.01]},
        bodies={"block": {"points": ["P", "Q"], "com": "P", "mass": 2, "inertia": 2e-3}},
        joints={
            "S": {
                "kind": "prismatic",
                "bodies": ["ground", "block"],
                "at": "P",
                "axis": [1, 0],
                "clearance": {"gap": GAP, "length": 0.05, "width": 0.02},
            }
        },
        forces={
            "pull": {
                "kind": "force",
                "at": "block.Q",
                "value": [f"{load[0]}*sin(20*t)", f"{load[1]}*sin(7*t)"],
            }
        },
    )


def pressed_block(stiffness: float, times: np.ndarray) -> np.ndarray:
    """x, y, φ of the block by springs and dampers at its corners that only push, in small steps: independent of all here."""
    m, inertia, half, width = 2.0, 2e-3, 0.025, 0.01
    damping = 2.0 * 10.0 * np.sqrt(stiffness * 0.5)  # what comes back is a hundredth

    def rates(t: float, s: np.ndarray) -> np.ndarray:
        y, angle, vx, vy, omega = s[1:]
        c, n = np.cos(angle), np.sin(angle)
        fx, fy = 5.0 * np.sin(20 * t), 60.0 * np.sin(7 * t)
        arm = np.array([0.02 * c - 0.01 * n, 0.02 * n + 0.01 * c])
        force, moment = fy - m * G, arm[0] * fy - arm[1] * fx
        for along in (half, -half):
            for side in (1.0, -1.0):
                corner = np.array([along * c - side * width * n, along * n + side * width * c])
                depth = side * (y + corner[1]) - (width + GAP)
                rate = side * (vy + omega * corner[0])
                push = max(0.0, stiffness * depth + damping * rate) if depth > 0.0 else 0.0
                force -= side * push
                moment -= side * push * corner[0]
        return np.array([vx, vy, omega, fx / m, force / m, moment / inertia])

    found = solve_ivp(rates, (0.0, times[-1]), np.zeros(6), "LSODA", t_eval=times, rtol=1e-9, atol=1e-13, max_step=2e-4)
    return np.asarray(found.y[:3].T)


def test_a_slider_in_a_wide_guide_goes_as_small_steps_of_a_penalty_method_do() -> None:
    """The stiffer the springs, the nearer: 2e-6 m and 1e-4 rad at 1e8 N/m, a quarter at 1e9, 1e-8 m and 3e-7 rad at 1e10."""
    times = np.linspace(0.0, 0.4, 81)
    result = lw.simulate(guide(), times=times, **TIGHT)
    found = np.column_stack([result["S.position"], result["S.position_y"], result["S.angle"]])
    soft, stiff = (np.max(np.abs(pressed_block(k, times) - found), axis=0) for k in (1e8, 1e9))
    assert np.all(stiff < [1e-7, 1e-6, 4e-5])  # m, m, rad, of a motion of 4e-2 m, 1e-3 m and 4e-2 rad
    assert np.all(stiff[1:] < 0.3 * soft[1:])
    names = {event.name for event in result.events}
    assert {"S.front_left touches", "S.rear_right touches"} <= names
    assert min(result[f"S.gap.{end}_{side}"].min() for end in ("front", "rear") for side in ("left", "right")) > -1e-15


# -- mechanisms ----------------------------------------------------------------------------------------------------------


def test_a_slider_crank_over_100_turns() -> None:
    """No impact brings energy in, nothing passes through the hole, and all other joints stay closed."""
    result = lw.simulate(slider_crank(), until=30.0, rtol=1e-10, atol=1e-12)
    assert result.outcome.completed
    assert result["O.angle"][-1] - result["O.angle"][0] > 100 * 2 * np.pi
    assert result["B.gap"].min() > -1e-13
    total = result["energy.kinetic"] + result["energy.potential"]
    assert np.all(np.diff(total) < 1e-8 * total[0])
    assert total[0] - total[-1] == pytest.approx(result["work.dissipated"][-1], rel=1e-3)
    assert result.audit.passed
    impacts = [event for event in result.events if event.values.get("impulse", 0.0) > 0.0]
    assert len(impacts) > 200


@pytest.mark.matrix("coordinates")
@pytest.mark.parametrize("coordinates", ALL_KINDS)
def test_all_coordinates_agree(coordinates: str) -> None:
    expected = lw.simulate(slider_crank(), until=0.3, **TIGHT)
    found = lw.simulate(slider_crank(), until=0.3, coordinates=coordinates, **TIGHT)
    assert [event.name for event in found.events] == [event.name for event in expected.events]
    assert found["S.position"] == pytest.approx(expected["S.position"], abs=1e-8)
    assert found["B.gap"].min() > -1e-14


def test_the_force_in_the_clearance_is_that_of_the_slider() -> None:
    """m ẍ of the slider, which nothing else pushes along its guide; B.force is its size, along the line of the centres."""
    result = lw.simulate(slider_crank(), until=0.3, **TIGHT)
    assert result["B.fx"] == pytest.approx(0.8 * result["slider.ax"], abs=1e-7 * np.max(np.abs(result["B.fx"])))
    assert np.hypot(result["B.fx"], result["B.fy"]) == pytest.approx(result["B.force"], rel=1e-11)
    assert np.all(result["B.force"] >= 0.0)
    assert np.all(result["B.force"][result["B.gap"] > 1e-9] == 0.0)


def test_both_ends_of_a_rod_may_be_loose() -> None:
    model = slider_crank(
        A={"kind": "revolute", "bodies": ["crank", "rod"], "clearance": {"gap": 1e-4, "restitution": 0.2}}
    )
    result = lw.simulate(model, until=0.02, **TIGHT)
    assert result.outcome.completed
    assert min(result["A.gap"].min(), result["B.gap"].min()) > -1e-14
    assert result.audit.passed
    assert lw.analyse(model).freedoms == 5


def test_freedoms_are_counted_with_the_clearance_open() -> None:
    topology = lw.analyse(slider_crank())
    assert topology.freedoms == 3
    assert "freedoms are counted with clearances open: B (0.0001 m, restitution 0.2)" in str(topology)
    assert "revolute rod - slider, clearance 0.0001 m, restitution 0.2" in str(topology.model)


def test_a_live_clearance_changes_without_compiling_anew() -> None:
    data = rod_on_a_pin().to_dict()
    data["joints"]["O"]["clearance"] = "c"
    data["parameters"] = {"c": {"value": 1e-3, "live": True}}
    model = lw.Model(**data)
    for gap in (1e-3, 4e-3):
        result = lw.simulate(model, until=0.05, parameters={"c": gap}, **TIGHT)
        assert result.events[0].time == pytest.approx(np.sqrt(2 * gap / G), rel=1e-10)


# -- space ---------------------------------------------------------------------------------------------------------------


def in_space(kind: str, **clearance: Any) -> lw.Model:
    """A body that stands out by 1 m from what holds it, along the axis of its bush where it has one."""
    return lw.Model(
        space="spatial",
        gravity=[0, 0, -G],
        points={"O": [0, 0, 0], "A": [1, 0, 0]},
        bodies={"rod": {"points": ["O", "A"], "com": [0.5, 0, 0], "mass": 2, "inertia": [1e-3, 1 / 6, 1 / 6]}},
        joints={
            "O": {
                "kind": kind,
                "bodies": ["ground", "rod"],
                "clearance": {"gap": GAP, **clearance},
                **({"axis": [1, 0, 0]} if kind != "spherical" else {}),
            }
        },
    )


@pytest.mark.parametrize("coordinates", ["relative", "reference_point", "natural"])
def test_a_ball_in_a_hollow_ball_falls_and_swings_as_the_rod_in_the_plane(coordinates: str) -> None:
    planar = lw.simulate(rod_on_a_pin(0.3), until=0.5, **TIGHT)
    spatial = lw.simulate(in_space("spherical", restitution=0.3), until=0.5, coordinates=coordinates, **TIGHT)
    assert [event.time for event in spatial.events] == pytest.approx([event.time for event in planar.events], rel=1e-8)
    assert spatial["A.z"] == pytest.approx(planar["A.y"], abs=1e-8)
    assert spatial["O.gap"].min() > -1e-14


@pytest.mark.parametrize("kind", ["revolute", "cylindrical"])
def test_a_pin_tilts_in_its_bush_until_both_ends_hold(kind: str) -> None:
    """Where nothing bounces it comes to rest on opposite sides: with 2c over L it leans, and W (1/2 ± a/L) hold it."""
    length = 0.2
    data = in_space(kind, length=length, **({"play": 2e-3} if kind == "revolute" else {})).to_dict()
    data["bodies"]["rod"]["mass"] = 2.0
    result = lw.simulate(lw.Model(**data), until=0.5, **TIGHT)
    assert result.modes.rows[-1].holds == ("O.front", "O.rear")
    lean = -result["A.z"][-1] + result["rod.z"][-1]
    assert lean / 0.5 == pytest.approx(2 * GAP / length, rel=1e-4)
    # the ends lie at ±L/2, the weight acts at 1/2: F = W (1/2 + 1/2 L⁻¹), R = W (1/2 L⁻¹ − 1/2) across the axis
    weight, lever = 2.0 * G, 0.5 / length
    assert result["O.force_front"][-1] == pytest.approx(weight * (lever + 0.5), rel=1e-3)
    assert result["O.force_rear"][-1] == pytest.approx(weight * (lever - 0.5), rel=1e-3)
    assert min(result["O.gap.front"].min(), result["O.gap.rear"].min()) > -1e-13


def test_shoulders_hold_along_the_axis() -> None:
    """A revolute joint in space has a play along its axis, by which it falls where that is upright."""
    data = in_space("revolute", length=0.1, play=5e-4, restitution=0.5).to_dict()
    data["gravity"] = [-G, 0, 0]
    result = lw.simulate(lw.Model(**data), until=0.1, **TIGHT)
    assert result.events[0].name == "O.behind bounces"
    assert result.events[0].time == pytest.approx(np.sqrt(2 * 5e-4 / G), rel=1e-10)
    assert result["O.gap.behind"].min() > -1e-15
    assert result["O.force_behind"][-1] == pytest.approx(2 * G, rel=1e-9)


@pytest.mark.parametrize("key", LOOSE, ids=" in ".join)
def test_what_carries_a_loose_joint_answers_as_any_kind_of_joint(key: tuple[str, str]) -> None:
    testing.check_joint(LOOSE[key])


# -- what is refused -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clearance", "message"),
    [
        (-1e-3, r"O.clearance.gap: is -0.001 m; it must be positive"),
        (0, r"is 0 m; it must be positive\n.*leave the clearance out where the joint fits"),
        ("2 kg", r"O.clearance: '2 kg' is a mass"),
        (1.5, r"O.clearance: 1.5 m is as large as 'rod' itself, whose points are at most 1 m apart"),
        ({"restitution": 0.5}, r"gap: is missing"),
        ({"gap": 1e-3, "restitution": 1.2}, r"clearance.restitution: is 1.2; it is the part of the speed"),
        ({"gap": 1e-3, "length": 0.1}, r"clearance.length: a revolute joint has none in its clearance\n.*radius"),
        ({"gap": 1e-3, "radius": 1e-4}, r"0.001 m is as large as the part itself, whose radius is 0.0001 m"),
        ({"gap": 1e-3, "restitutoin": 0.1}, r"restitutoin: is not known\n.*did you mean one of: restitution"),
    ],
)
def test_clearances_that_make_no_sense_are_refused(clearance: Any, message: str) -> None:
    data = rod_on_a_pin().to_dict()
    data["joints"]["O"]["clearance"] = clearance
    with pytest.raises(ModelError, match=message):
        lw.analyse(lw.Model(**data))


def test_a_slider_says_how_long_it_is() -> None:
    data = guide().to_dict()
    data["joints"]["S"]["clearance"] = "0.1 mm"
    with pytest.raises(ModelError, match=r"S.clearance.length: is missing: of the slider in its guide"):
        lw.Model(**data)


def test_other_joints_have_no_clearance() -> None:
    data = rod_on_a_pin().to_dict()
    data["joints"]["O"] |= {"kind": "fixed"}
    with pytest.raises(ModelError, match=r"a fixed joint has no clearance in the plane\n.*revolute, prismatic"):
        lw.Model(**data)


def test_friction_and_clearance_do_not_go_together() -> None:
    data = rod_on_a_pin().to_dict()
    data["joints"]["O"]["friction"] = {"coefficient": 0.1, "radius": 0.01}
    with pytest.raises(ModelError, match=r"O.friction: is that of parts that touch all the time"):
        lw.Model(**data)


def test_other_verbs_do_not_take_it() -> None:
    with pytest.raises(RefusedError, match=r"come and go yet: 'O'.*leave the clearance of a joint out"):
        lw.solve_kinematics(rod_on_a_pin(), until=1)


def test_at_rest_it_hangs_in_its_hole() -> None:
    """The rod hangs below its pin, which lies at the bottom of the hole and rolls there with W/c."""
    rest = lw.find_equilibrium(rod_on_a_pin())
    assert rest["rod.angle"] == pytest.approx(-np.pi / 2, abs=1e-9)
    assert rest["O.position_y"] == pytest.approx(-GAP, abs=1e-12)
    assert rest["O.force"] == pytest.approx(2 * G, rel=1e-9)
    assert rest.stability == "stable"


def test_it_swings_there_as_a_double_pendulum_on_a_massless_bar_of_its_gap() -> None:
    """M = m [[c², c L/2], [c L/2, L²/3]], K = m g diag(c, L/2), by hand."""
    mass = 2.0 * np.array([[GAP**2, GAP / 2], [GAP / 2, 1 / 3]])
    stiffness = 2.0 * G * np.diag([GAP, 0.5])
    expected = np.sort(np.sqrt(np.linalg.eigvals(np.linalg.solve(mass, stiffness)).real))
    found = lw.modes(lw.find_equilibrium(rod_on_a_pin()))
    assert sorted(mode.omega for mode in found) == pytest.approx(expected, rel=1e-6)


def test_a_clearance_is_written_and_read() -> None:
    model = guide()
    assert lw.Model(**model.to_dict()) == model
    assert slider_crank(0.0).to_dict()["joints"]["B"]["clearance"] == {"gap": 1e-4, "restitution": 0.0}


# -- works of motions that magnify errors --------------------------------------------------------------------------------


def whirling(gap: float) -> lw.Model:
    """The slider-crank with its crank driven at 20 rad/s."""
    data = slider_crank(0.0, gap).to_dict()
    data["initial"] = {name: data["initial"][name] for name in ("A", "S")}
    return lw.Model(**{**data, "drivers": {"motor": {"joint": "O", "position": "40 deg + 20*t"}}})


@pytest.mark.parametrize("gap", [1e-3, 1e-4])
def test_a_driven_pin_that_whirls_keeps_its_balance_of_energy(gap: float) -> None:
    """Small errors grow a thousand times between blows, and the balance of the motion that there is does not know of it."""
    coarse, fine = (lw.simulate(whirling(gap), until=2.0, rtol=rtol, atol=rtol / 100) for rtol in (1e-8, 1e-10))
    apart = np.abs(coarse["S.speed"] - fine["S.speed"]).max()
    for result, within in ((coarse, 2e-5), (fine, 2e-7)):
        assert np.ptp(result["energy.balance"]) < within
        assert result.audit.passed
    assert apart > 1e-4
