"""Couplings with backlash: by hand, against events written out with SciPy, in all coordinates, and tried to be broken."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import linkwork as lw
from linkwork import testing
from linkwork.errors import ModelError, RefusedError
from linkwork.model.couplings import ALL_COUPLINGS

ALL_KINDS = ("relative", "reference_point", "natural", "mixed")
TIGHT = {"rtol": 1e-12, "atol": 1e-14}
J1, J2, R1, R2 = 4e-4, 2e-3, 0.03, 0.06
GAP = 2e-4
M1, M2 = J1 / R1**2, J2 / R2**2  # of the wheels, as masses on their pitch circles


def pair(
    backlash: Any, *, turned: float = 0.0, size: float = 1.0, mesh: dict[str, Any] | None = None, **more: Any
) -> lw.Model:
    """Two wheels on axes of the ground; all lengths *size* times, the line of their axes *turned*."""
    place = [size * 0.09 * np.cos(turned), size * 0.09 * np.sin(turned)]
    coupling = {"bodies": ["pinion", "wheel"], "radii": [size * R1, size * R2], "pressure_angle": "20 deg"}
    data: dict[str, Any] = {
        "space": "planar",
        "points": {"O": [0, 0], "P": place},
        "bodies": {
            "pinion": {"points": ["O"], "com": "O", "mass": 1, "inertia": J1 * size**2},
            "wheel": {"points": ["P"], "com": "P", "mass": 2, "inertia": J2 * size**2},
        },
        "joints": {
            "A": {"kind": "revolute", "bodies": ["ground", "pinion"], "at": "O"},
            "B": {"kind": "revolute", "bodies": ["ground", "wheel"], "at": "P"},
        },
        "couplings": {"mesh": {**(coupling if mesh is None else mesh), "backlash": backlash}},
        "initial": {"A": {"speed": 1.0}},
    }
    return lw.Model(**{**data, **more})


def hits(result: lw.Result) -> list[tuple[float, float]]:
    """Times and impulses of all blows."""
    return [(event.time, event.values["impulse"]) for event in result.events if event.values.get("impulse", 0.0) > 0.0]


# -- by hand -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("restitution", [0.3, 0.7, 1.0])
@pytest.mark.parametrize(("turned", "size"), [(0.0, 1.0), (np.pi / 4, 1.0), (2.0, 10.0)])
def test_two_wheels_rattle_until_the_impact_that_takes_all(restitution: float, turned: float, size: float) -> None:
    """Nothing acts between blows: way j/2, then j with e times the speed, each blow m (1 + e) u with 1/m = 1/m₁ + 1/m₂."""
    model = pair({"gap": size * GAP, "restitution": restitution}, turned=turned, size=size)
    result = lw.simulate(model, until=0.15, **TIGHT)
    u, mass = R1 * size, 1 / (1 / M1 + 1 / M2)
    t, expected = size * GAP / 2 / u, []
    while t < 0.15 and len(expected) < 12:
        expected.append((t, mass * (1 + restitution) * u))
        u *= restitution
        t += size * GAP / u
    found = hits(result)[: len(expected)]
    assert len(expected) > 2
    assert np.array(found) == pytest.approx(np.array(expected), rel=1e-10)
    sides = [event.name for event in result.events][: len(expected)]
    assert sides == [f"mesh.{'ahead' if k % 2 == 0 else 'behind'} bounces" for k in range(len(expected))]
    assert result.audit.passed


def test_without_restitution_flanks_stay_together_and_the_energy_of_the_blow_is_lost() -> None:
    result = lw.simulate(pair(GAP), until=0.05, **TIGHT)
    assert result.events[0].name == "mesh.ahead touches"
    assert R1 * result["A.speed"][-1] == pytest.approx(M1 * R1 / (M1 + M2), rel=1e-12)
    assert R2 * result["B.speed"][-1] == pytest.approx(-M1 * R1 / (M1 + M2), rel=1e-12)
    assert result["work.dissipated"][-1] == pytest.approx(R1**2 / 2 / (1 / M1 + 1 / M2), rel=1e-10)
    assert np.abs(result["mesh.effort"]).max() < 1e-12  # nothing drives them, and nothing presses the flank


def rattling(amplitude: float, rate: float, gap: float, e: float) -> tuple[float, float]:
    """Phase of the driver where the wheel hits ahead, and speed of the wheel's circle, of the symmetric periodic rattle.

    The circle of the driver goes to and fro as x = A sin Ωt, the other one at v from flank to flank and back. It reverses
    where −v − ẋ = −e (v − ẋ), and needs half a period for its way 2 x + j.
    """

    def misses(phase: float) -> float:
        v = (2 * amplitude * np.sin(phase) + gap) * rate / np.pi
        return float(amplitude * rate * np.cos(phase) + v * (1 - e) / (1 + e))

    phase = brentq(misses, np.pi / 2, np.pi, xtol=1e-15)
    return phase, (2 * amplitude * np.sin(phase) + gap) * rate / np.pi


def test_a_driven_wheel_makes_the_other_rattle_periodically() -> None:
    amplitude, rate, e = 1e-4, 40.0, 0.6
    phase, v = rattling(amplitude, rate, GAP, e)
    # w, the circle of the wheel, is ahead of x by j/2 where they meet; there the pinion is behind
    x, w = amplitude * np.sin(phase), amplitude * np.sin(phase) + GAP / 2
    model = pair(
        {"gap": GAP, "restitution": e, "start": (x - w) / (GAP / 2) + 1e-9},
        drivers={"motor": {"joint": "A", "position": f"{amplitude / R1}*sin({rate}*t + {phase})"}},
        initial={"B": {"angle": 0.0, "speed": v / R2}},
    )
    # the wheel runs back from a flank that it has just left
    result = lw.simulate(model, until=1.0, **TIGHT)
    times, impulses = np.array(hits(result)).T
    assert len(times) == 12
    assert np.diff(times) == pytest.approx(np.pi / rate, rel=1e-6)
    assert impulses == pytest.approx(2 * M2 * v, rel=1e-5)


# -- another method ------------------------------------------------------------------------------------------------------


def events_by_hand(
    torque: float, rate: float, drag: float, e: float, until: float
) -> tuple[list[tuple[float, float]], np.ndarray]:
    """Blows and last state (φ₁, φ₂, ω₁, ω₂) of two wheels, one of which a torque shakes and the other drags, by SciPy."""
    mass = 1 / (1 / M1 + 1 / M2)

    def flow(t: float, y: np.ndarray) -> list[float]:
        return [y[2], y[3], torque * np.cos(rate * t) / J1, -drag * y[3] / J2]

    def ahead(_: float, y: np.ndarray) -> float:
        return float(GAP / 2 - (R1 * y[0] + R2 * y[1]))

    def behind(_: float, y: np.ndarray) -> float:
        return float(GAP / 2 + (R1 * y[0] + R2 * y[1]))

    for event in (ahead, behind):
        event.terminal, event.direction = True, -1  # type: ignore[attr-defined]
    t, y, found = 0.0, np.array([0.0, 0.0, 1.0, 0.0]), []
    while t < until:
        run = solve_ivp(flow, (t, until), y, method="DOP853", rtol=1e-13, atol=1e-16, events=(ahead, behind))
        t, y = float(run.t[-1]), run.y[:, -1]
        if run.status == 0:
            break
        u = R1 * y[2] + R2 * y[3]
        blow = -(1 + e) * mass * u
        found.append((t, abs(blow)))
        y = y + np.array([0.0, 0.0, blow * R1 / J1, blow * R2 / J2])
    return found, y


def test_shaken_wheels_rattle_as_events_by_hand() -> None:
    torque, rate, drag, e, until = 0.5, 200.0, 2e-3, 0.8, 0.12
    expected, last = events_by_hand(torque, rate, drag, e, until)
    model = pair(
        {"gap": GAP, "restitution": e},
        forces={
            "shaker": {"kind": "effort", "joint": "A", "value": f"{torque}*cos({rate}*t)"},
            "oil": {"kind": "friction", "joint": "B", "viscous": drag},
        },
    )
    result = lw.simulate(model, until=until, **TIGHT)
    found = hits(result)
    assert len(found) == len(expected) > 20
    assert [item[0] for item in found] == pytest.approx([item[0] for item in expected], rel=1e-7)
    assert [result[name][-1] for name in ("A.angle", "B.angle", "A.speed", "B.speed")] == pytest.approx(last, rel=1e-6)
    assert result["mesh.gap.ahead"].min() > -1e-15
    assert result["mesh.gap.behind"].min() > -1e-15
    assert result.audit.passed


def test_flanks_that_give_way_go_the_way_of_scipy() -> None:
    k, c, until = 1e6, 40.0, 0.05

    def flow(_: float, y: np.ndarray) -> list[float]:
        s, u = R1 * y[0] + R2 * y[1], R1 * y[2] + R2 * y[3]
        push = -max(0.0, k * (s - GAP / 2) + c * u) if s > GAP / 2 else 0.0
        push = max(0.0, k * (-s - GAP / 2) - c * u) if s < -GAP / 2 else push
        return [y[2], y[3], (push * R1 + 0.4) / J1, push * R2 / J2]

    run = solve_ivp(flow, (0.0, until), [0.0, 0.0, 1.0, 0.0], method="DOP853", rtol=1e-12, atol=1e-14, max_step=2e-5)
    model = pair(
        {"gap": GAP, "stiffness": k, "damping": c}, forces={"motor": {"kind": "effort", "joint": "A", "value": 0.4}}
    )
    for coordinates in ALL_KINDS:
        result = lw.simulate(model, until=until, coordinates=coordinates, rtol=1e-10, atol=1e-13)
        found = [result[name][-1] for name in ("A.angle", "B.angle", "A.speed", "B.speed")]
        assert found == pytest.approx(run.y[:, -1], rel=1e-6)
        assert result.audit.passed


# -- forces --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("turned", [0.0, np.pi / 4])
@pytest.mark.parametrize("internal", [False, True])
@pytest.mark.parametrize("torque", [0.3, -0.3])
def test_bearings_carry_what_the_flank_that_touches_gives(turned: float, internal: bool, torque: float) -> None:
    """Without backlash the same wheels push with the same forces, teeth driven apart included; without contact none."""
    if internal:
        place = [(R2 - R1) * np.cos(turned), (R2 - R1) * np.sin(turned)]
        points = {"O": [0, 0], "P": place}
        mesh = {"bodies": ["pinion", "wheel"], "radii": [R1, R2], "pressure_angle": "20 deg", "internal": True}
        base = pair(GAP, mesh=mesh, points=points, initial={})
    else:
        base = pair(GAP, turned=turned, initial={})
    base = base.with_(forces={"motor": {"kind": "effort", "joint": "A", "value": torque}})
    data = base.to_dict()
    data["couplings"]["mesh"].pop("backlash")
    rigid = lw.simulate(lw.Model(**data), until=0.05)
    for coordinates in ALL_KINDS:
        loose = lw.simulate(base, until=0.05, coordinates=coordinates)
        assert loose.modes.rows[-1].holds
        assert [str(name) for name in loose.modes.spans] == [f"mesh.{'ahead' if torque > 0 else 'behind'}"]
        for name in ("A.fx", "A.fy", "B.fx", "B.fy", "mesh.fx", "mesh.fy", "mesh.effort"):
            assert loose[name][-1] == pytest.approx(rigid[name][-1], rel=1e-9, abs=1e-9), name
            assert abs(loose[name][0]) < 1e-12


def test_the_force_changes_flanks_with_the_torque() -> None:
    model = pair(
        {"gap": GAP, "start": 1.0},
        forces={"motor": {"kind": "effort", "joint": "A", "value": "0.4*cos(60*t)"}},
        initial={},
    )
    result = lw.simulate(model, until=0.1, **TIGHT)
    effort, ahead, behind = result["mesh.effort"], result["mesh.gap.ahead"], result["mesh.gap.behind"]
    tangential = -effort / R1
    touching = np.isclose(ahead, 0.0, atol=1e-13) | np.isclose(behind, 0.0, atol=1e-13)
    assert np.all(np.abs(effort[~touching]) < 1e-12)
    assert effort.min() < -0.1 < 0.1 < effort.max()  # pushed back ahead, and on behind
    # the pitch point lies at (r₁, 0): forces along the teeth are along y, what drives them apart pushes the wheel along x
    assert result["mesh.fy"] == pytest.approx(tangential, abs=1e-12)
    assert result["mesh.fx"] == pytest.approx(np.abs(tangential) * np.tan(np.radians(20)), abs=1e-12)
    assert J1 * result["A.acceleration"] == pytest.approx(0.4 * np.cos(60 * result.time) + effort, abs=1e-10)


# -- kinds, and both at once ---------------------------------------------------------------------------------------------


def spatial(
    mesh: dict[str, Any], axes: tuple[list[float], list[float]], places: tuple[list[float], list[float]]
) -> lw.Model:
    return lw.Model(
        space="spatial",
        points={"O": places[0], "P": places[1]},
        bodies={
            "pinion": {"points": ["O"], "com": "O", "mass": 1, "inertia": [J1, J1, J1]},
            "wheel": {"points": ["P"], "com": "P", "mass": 2, "inertia": [J2, J2, J2]},
        },
        joints={
            "A": {"kind": "revolute", "bodies": ["ground", "pinion"], "at": "O", "axis": axes[0]},
            "B": {"kind": "revolute", "bodies": ["ground", "wheel"], "at": "P", "axis": axes[1]},
        },
        couplings={"mesh": {"bodies": ["pinion", "wheel"], **mesh}},
        forces={"motor": {"kind": "effort", "joint": "A", "value": 0.3}},
    )


@pytest.mark.parametrize(
    ("mesh", "axes", "places", "backlash", "turns"),
    [
        (
            {"radii": [0.03, 0.06], "pressure_angle": "20 deg", "helix_angle": "15 deg"},
            ([0, 0, 1], [0, 0, 1]), ([0, 0, 0], [0.09, 0, 0]), GAP, GAP / 0.03,
        ),
        (
            {"radii": [0.03, 0.06], "pressure_angle": "20 deg"},
            ([1, 0, 0], [0, 0, 1]), ([0.06, 0, 0], [0, 0, 0.03]), GAP, GAP / 0.03,
        ),
        (
            {"radii": [0.02, 0.05], "hand": "right", "pressure_angle": "20 deg"},
            ([1, 0, 0], [0, 0, 1]), ([0, 0.02, 0], [0, -0.05, 0.0]), {"angle": 0.01}, 0.01,
        ),
    ],
    ids=["helical", "bevel", "worm"],
)  # fmt: skip
def test_wheels_in_space(mesh: dict[str, Any], axes: Any, places: Any, backlash: Any, turns: float) -> None:
    """The first wheel turns by half of the play before it takes the other along, with the forces of teeth that fit."""
    model = spatial({**mesh, "backlash": backlash}, axes, places)
    loose, fitting = lw.simulate(model, until=0.05, **TIGHT), spatial(mesh, axes, places)
    rigid = lw.simulate(fitting, until=0.05, **TIGHT)
    first = loose.events[0]
    assert first.time == pytest.approx(np.sqrt(2 * (turns / 2) / (0.3 / J1)), rel=1e-9)
    lag = loose["B.angle"][-1] - loose["A.angle"][-1] * rigid["B.angle"][-1] / rigid["A.angle"][-1]
    assert abs(lag) == pytest.approx(turns / 2 * abs(rigid["B.angle"][-1] / rigid["A.angle"][-1]), rel=1e-6)
    for name in ("A.fx", "A.fy", "A.fz", "B.fx", "B.fy", "B.fz", "A.mx", "A.my", "B.mx", "mesh.effort"):
        assert loose[name][-1] == pytest.approx(rigid[name][-1], rel=1e-8, abs=1e-8), name


def test_a_rack_has_its_play_along_its_way() -> None:
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "R": [0, -0.03]},
        bodies={
            "pinion": {"points": ["O"], "com": "O", "mass": 1, "inertia": J1},
            "rack": {"points": ["R"], "com": "R", "mass": 0.5},
        },
        joints={
            "A": {"kind": "revolute", "bodies": ["ground", "pinion"], "at": "O"},
            "S": {"kind": "prismatic", "bodies": ["ground", "rack"], "at": "R", "axis": [1, 0]},
        },
        couplings={
            "mesh": {
                "kind": "rack",
                "bodies": ["pinion", "rack"],
                "radius": 0.03,
                "backlash": {"gap": GAP, "restitution": 0.5},
            }
        },
        initial={"S": {"speed": 0.2}},
    )
    result = lw.simulate(model, until=0.01, **TIGHT)
    (time, impulse), mass = hits(result)[0], 1 / (1 / M1 + 1 / 0.5)
    assert time == pytest.approx(GAP / 2 / 0.2, rel=1e-12)
    assert impulse == pytest.approx(1.5 * mass * 0.2, rel=1e-12)
    assert result.events[0].name == "mesh.ahead bounces"


def test_planetary_and_joints_by_an_angle() -> None:
    """Told by a ratio, the play is an angle of the first, and no bearing is loaded."""
    model = pair(
        {"angle": 0.01}, mesh={"joints": ["A", "B"], "ratio": -2},
        forces={"motor": {"kind": "effort", "joint": "A", "value": 0.3}}, initial={},
    )  # fmt: skip
    result = lw.simulate(model, until=0.05, **TIGHT)
    assert result.events[0].time == pytest.approx(np.sqrt(0.01 / (0.3 / J1)), rel=1e-10)
    assert result.events[0].values["impulse"] == pytest.approx(np.sqrt(0.01 * 0.3 / J1) / (1 / J1 + 4 / J2), rel=1e-9)
    assert result["mesh.effort"][-1] == pytest.approx(-0.3 * (J2 / 4) / (J1 + J2 / 4), rel=1e-10)
    assert np.abs(result["A.fx"]).max() < 1e-12
    sun = pair(
        {"angle": 0.01},
        mesh={"kind": "planetary", "sun": "pinion", "ring": "wheel", "carrier": "ground", "teeth": [20, 60]},
        points={"O": [0, 0], "P": [0, 0]},
    )
    met = lw.simulate(sun, until=0.02, **TIGHT).events[0]
    assert met.time == pytest.approx(0.005, rel=1e-10)


def idler(back: Any) -> lw.Model:
    """Three equal wheels in a row."""
    return lw.Model(
        space="planar",
        points={"O": [0, 0], "P": [0.06, 0], "Q": [0.12, 0]},
        bodies={n: {"points": [p], "com": p, "mass": 1, "inertia": J1} for n, p in zip("abc", "OPQ", strict=True)},
        joints={
            j: {"kind": "revolute", "bodies": ["ground", n], "at": p}
            for j, n, p in zip("ABC", "abc", "OPQ", strict=True)
        },
        couplings={
            "first": {"bodies": ["a", "b"], "radii": [R1, R1], "pressure_angle": "20 deg", "backlash": back},
            "second": {"bodies": ["b", "c"], "radii": [R1, R1], "pressure_angle": "20 deg", "backlash": back},
        },
        initial={"B": {"speed": 1.0}},
    )


def test_both_meshes_of_an_idler_at_one_instant() -> None:
    """It meets both neighbours at once: alike, each takes a third of its speed, and nothing comes back."""
    result = lw.simulate(idler(GAP), until=0.02, **TIGHT)
    assert [result[f"{j}.speed"][-1] for j in "ABC"] == pytest.approx([-1 / 3, 1 / 3, -1 / 3], rel=1e-12)
    assert [event.time for event in result.events] == pytest.approx([GAP / 2 / R1] * len(result.events), rel=1e-12)
    elastic = lw.simulate(idler({"gap": GAP, "restitution": 1.0}), until=0.006, **TIGHT)
    assert [elastic[f"{j}.speed"][-1] for j in "ABC"] == pytest.approx([-2 / 3, -1 / 3, -2 / 3], rel=1e-12)


def test_small_backlash_does_as_teeth_that_fit() -> None:
    force = {"motor": {"kind": "effort", "joint": "A", "value": "0.4*sin(30*t)"}}
    data = pair(GAP, forces=force, initial={}).to_dict()
    data["couplings"]["mesh"].pop("backlash")
    exact = lw.simulate(lw.Model(**data), until=0.3)["B.angle"]
    off = [
        np.abs(lw.simulate(pair(gap, forces=force, initial={}), until=0.3)["B.angle"] - exact).max()
        for gap in (1e-4, 1e-6)
    ]
    assert off[1] < 0.05 * off[0] < 0.05 * 1e-1


def test_live_numbers_need_no_other_program() -> None:
    live = {name: {"value": value, "live": True} for name, value in (("j", GAP), ("back", 0.5), ("r", R1), ("p", 0.0))}
    mesh = {"bodies": ["pinion", "wheel"], "radii": ["r", "0.09 - r"]}
    model = pair({"gap": "j", "restitution": "back", "start": "p"}, mesh=mesh, parameters=live)
    for r in (R1, 0.02):
        result = lw.simulate(model, until=0.02, parameters={"j": 1e-4, "back": 0.25, "r": r, "p": -0.5}, **TIGHT)
        time, impulse = hits(result)[0]
        assert time == pytest.approx(0.75 * 1e-4 / r, rel=1e-10)
        assert impulse == pytest.approx(1.25 * r / (r**2 / J1 + (0.09 - r) ** 2 / J2), rel=1e-10)


# -- rest, other verbs, what is refused ----------------------------------------------------------------------------------


def test_at_rest_the_flank_that_touches_carries_the_load() -> None:
    forces = {
        "weight": {"kind": "effort", "joint": "A", "value": 0.5},
        "spring": {"kind": "torsion_spring", "joint": "B", "stiffness": 10, "free_angle": 0},
    }
    rest = lw.find_equilibrium(pair(GAP, forces=forces, initial={}))
    assert rest.result["B.angle"][0] == pytest.approx(-1.0 / 10, rel=1e-9)
    assert R1 * rest.result["A.angle"][0] == pytest.approx(R2 * 0.1 + GAP / 2, rel=1e-9)
    assert [str(item) for item in rest.holds] == ["mesh.ahead (16.6667 N)"]


@pytest.mark.parametrize("verb", ["inverse_dynamics", "solve_kinematics"])
def test_where_no_flank_can_be_told_it_is_refused(verb: str) -> None:
    model = pair(
        GAP, drivers={"d": {"joint": "A", "position": "t"}, "e": {"joint": "B", "position": "-t/2"}}, initial={}
    )
    with pytest.raises(RefusedError, match=r"teeth whose flanks come and go: 'mesh'.*give its flanks a stiffness"):
        getattr(lw, verb)(model, until=1.0)


def test_flanks_act_in_real_time() -> None:
    model = pair({"gap": GAP, "restitution": 0.4}, forces={"motor": {"kind": "effort", "joint": "A", "value": 0.3}})
    machine, result = lw.realtime(model, fixed_step=1e-5), lw.simulate(model, until=0.05)
    for _ in range(5000):
        machine.step()
    for name in ("A.angle", "B.angle"):
        assert machine[name] == pytest.approx(result[name][-1], abs=1e-6)


@pytest.mark.parametrize(
    ("backlash", "reason"),
    [
        ({"gap": -1e-4}, "must be positive"),
        ({"gap": 0}, "leave the backlash out where teeth fit"),
        ({"gap": 1e-4, "angle": 0.1}, "angle: conflicts with gap"),
        ({"restitution": 0.2}, "gap: is missing"),
        ({"gap": 1e-4, "restitution": 1.2}, "from 0 to 1"),
        ({"gap": 1e-4, "start": 2}, "from -1 to 1"),
        ({"gap": 1e-4, "damping": 5}, "is missing beside damping"),
        ({"gap": 1e-4, "stiffness": -5}, "must be positive"),
        ({"gap": 1e-4, "stiffness": 1e5, "restitution": 0.5}, "bounces by itself"),
        ({"gap": "2 deg"}, "a length such as"),
        ({"play": 1e-4}, "is not known"),
    ],
)
def test_what_makes_no_sense_is_told(backlash: Any, reason: str) -> None:
    with pytest.raises(ModelError, match=reason):
        pair(backlash)


def test_a_length_needs_circles() -> None:
    with pytest.raises(ModelError, match=r"couplings.mesh.backlash.gap.*how large the pitch circles are"):
        lw.analyse(pair(GAP, mesh={"joints": ["A", "B"], "ratio": -2}))


def test_it_is_written_and_read_back() -> None:
    testing.check_saved(pair({"gap": "0.2 mm", "restitution": 0.3}))
    testing.check_saved(pair({"angle": "0.2 deg", "stiffness": 100, "damping": 0.1, "start": -0.5}))
    assert "Couplings with backlash" in str(lw.analyse(pair("0.2 mm")))
    assert sum("backlash" in kind.model_fields for kind in ALL_COUPLINGS) == 3


def test_elements_do_what_they_say() -> None:
    testing.check_elements(pair({"gap": GAP, "stiffness": 1e6, "damping": 40.0}))
