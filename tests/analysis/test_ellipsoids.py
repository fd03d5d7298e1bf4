"""Ellipsoids of velocities, accelerations and forces against Jacobians written by hand."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw

MECHANISMS = Path(__file__).parents[2] / "src" / "linkwork" / "mechanisms"
L1, L2 = 1.0, 0.7


@cache
def arm(q1: float = 0.4, q2: float = 0.9, gravity: float = 9.81) -> lw.Model:
    """A planar arm of two bars, 2 kg and 1 kg."""
    a = L1 * np.array([np.cos(q1), np.sin(q1)])
    b = a + L2 * np.array([np.cos(q1 + q2), np.sin(q1 + q2)])
    return lw.Model(
        name="arm",
        space="planar",
        gravity=[0, -gravity],
        points={"O": [0, 0], "A": a.tolist(), "B": b.tolist()},
        bodies={"upper": {"bar": ["O", "A"], "mass": 2}, "fore": {"bar": ["A", "B"], "mass": 1}},
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "upper"]},
            "A": {"kind": "revolute", "bodies": ["upper", "fore"]},
        },
        initial={"O": {"speed": 0.5}, "A": {"speed": -0.8}},
    )


def jacobian(q1: float, q2: float) -> np.ndarray:
    s1, s12, c1, c12 = np.sin(q1), np.sin(q1 + q2), np.cos(q1), np.cos(q1 + q2)
    return np.array([[-L1 * s1 - L2 * s12, -L2 * s12], [L1 * c1 + L2 * c12, L2 * c12]])


def arm_dynamics(q2: float) -> np.ndarray:
    """M of the arm of slender bars (any textbook): masses 2 and 1, centres in the middle."""
    i1, i2 = 2 * L1**2 / 12, L2**2 / 12
    m22 = i2 + (L2 / 2) ** 2
    m12 = m22 + L1 * L2 / 2 * np.cos(q2)
    m11 = i1 + 2 * (L1 / 2) ** 2 + i2 + L1**2 + (L2 / 2) ** 2 + L1 * L2 * np.cos(q2)
    return np.array([[m11, m12], [m12, m22]])


def test_velocities_of_an_arm():
    j = jacobian(0.4, 0.9)
    found = lw.measures.velocity_ellipsoid(arm(), "B")
    np.testing.assert_allclose(found.matrix(), j @ j.T, atol=1e-13)
    assert found.measure[0] == pytest.approx(L1 * L2 * abs(np.sin(0.9)))  # Yoshikawa 1985
    assert found.volume[0] == pytest.approx(np.pi * found.measure[0])
    assert found.condition[0] == pytest.approx(np.linalg.cond(j))
    np.testing.assert_allclose(found.centres, 0.0, atol=1e-13)
    weights = np.diag([2.0, np.pi / 2])
    limited = lw.measures.velocity_ellipsoid(arm(), "fore.B", {"O": 2.0, "A.angle": "90 deg"})
    np.testing.assert_allclose(limited.matrix(), j @ weights**2 @ j.T, atol=1e-13)
    direction = np.array([0.6, 0.8])
    assert limited.along([3, 4])[0] == pytest.approx(np.linalg.norm(weights @ j.T @ direction))


def test_forces_are_dual_to_velocities():
    j = jacobian(0.4, 0.9)
    found = lw.measures.force_ellipsoid(arm(), "B", {"O": "20 N*m", "A": "5 N*m"})
    hold = np.linalg.inv(j).T @ np.diag([20.0, 5.0])  # F = J⁻ᵀ τ
    np.testing.assert_allclose(found.matrix(), hold @ hold.T, rtol=1e-12)
    assert found.unit == "N"
    one, other = lw.measures.velocity_ellipsoid(arm(), "B"), lw.measures.force_ellipsoid(arm(), "B")
    np.testing.assert_allclose(one.semi_axes[0] * other.semi_axes[0, ::-1], 1.0, rtol=1e-12)


def test_accelerations_of_an_arm():
    j, mass = jacobian(0.4, 0.9), arm_dynamics(0.9)
    found = lw.measures.acceleration_ellipsoid(arm(), "B", {"O": 20, "A": 5})
    pushed = j @ np.linalg.inv(mass) @ np.diag([20.0, 5.0])
    np.testing.assert_allclose(found.matrix(), pushed @ pushed.T, rtol=1e-12)
    # the centre is how it falls, weights and the squares of speeds included
    fall = lw.simulate(arm(), until=0.01, step=0.005)
    np.testing.assert_allclose(found.centres[0], [fall["B.ax"][0], fall["B.ay"][0]], rtol=1e-12)
    still = lw.measures.acceleration_ellipsoid(arm(gravity=0.0), "B")
    speeds = np.array([0.5, -0.8])
    h = -L1 * L2 / 2 * np.sin(0.9)
    coriolis = np.array([h * (2 * speeds[0] * speeds[1] + speeds[1] ** 2), -h * speeds[0] ** 2])
    sums = np.array([speeds[0], speeds.sum()])
    bend = -(
        L1 * sums[0] ** 2 * np.array([np.cos(0.4), np.sin(0.4)])
        + L2 * sums[1] ** 2 * np.array([np.cos(1.3), np.sin(1.3)])
    )
    np.testing.assert_allclose(still.centres[0], bend - j @ np.linalg.solve(mass, coriolis), rtol=1e-12)


def test_one_motor_of_two_accelerates_along_a_line():
    found = lw.measures.acceleration_ellipsoid(arm(), "B", ["A"])
    pushed = jacobian(0.4, 0.9) @ np.linalg.inv(arm_dynamics(0.9))[:, 1]
    assert found.semi_axes[0] == pytest.approx([np.linalg.norm(pushed), 0.0])
    assert any("cannot be accelerated" in note for note in found.singularities())
    with pytest.raises(lw.errors.RefusedError, match=r"1 input \(A.angle\) for 2 degrees of freedom"):
        lw.measures.velocity_ellipsoid(arm(), "B", ["A"])


def test_a_stretched_arm_is_singular():
    found = lw.measures.velocity_ellipsoid(arm(q2=0.0), "B")
    assert found.semi_axes[0, 1] == 0.0 and found.measure[0] == 0.0 and np.isinf(found.condition[0])
    np.testing.assert_allclose(np.abs(found.directions[0, :, 1]), [np.cos(0.4), np.sin(0.4)], atol=1e-12)
    assert "singular: B cannot move along" in str(found)
    force = lw.measures.force_ellipsoid(arm(q2=0.0), "B")
    assert np.isinf(force.semi_axes[0, 0]) and "holds any force without efforts along" in str(force)


def five_bar(angles: tuple[float, float], reach: float = 1.0) -> tuple[lw.Model, dict[str, np.ndarray]]:
    """Two driven arms of 0.6 m at x = ±0.4, their ends tied to P by bars of the length *reach*."""
    ends = [np.array([x + 0.6 * np.cos(q), 0.6 * np.sin(q)]) for x, q in zip((-0.4, 0.4), angles, strict=True)]
    gap = ends[1] - ends[0]
    up = np.sqrt(max(reach**2 - gap @ gap / 4, 0.0))
    p = (ends[0] + ends[1]) / 2 + up * np.array([-gap[1], gap[0]]) / np.linalg.norm(gap)
    places = {"O1": np.array([-0.4, 0.0]), "O2": np.array([0.4, 0.0]), "A1": ends[0], "A2": ends[1], "P": p}
    bars = {"arm1": ["O1", "A1"], "arm2": ["O2", "A2"], "rod1": ["A1", "P"], "rod2": ["A2", "P"]}
    pairs = {
        "O1": ["ground", "arm1"],
        "O2": ["ground", "arm2"],
        "A1": ["arm1", "rod1"],
        "A2": ["arm2", "rod2"],
        "P": ["rod1", "rod2"],
    }
    model = lw.Model(
        name="five-bar",
        space="planar",
        points={name: place.tolist() for name, place in places.items()},
        bodies={name: {"bar": bar, "mass": 1} for name, bar in bars.items()},
        joints={name: {"kind": "revolute", "bodies": bodies} for name, bodies in pairs.items()},
    )
    return model, places


def five_bar_jacobian(at: dict[str, np.ndarray]) -> np.ndarray:
    """The velocity of P by those of the arms: (P − Aᵢ)·ṗ = (P − Aᵢ)·Ȧᵢ."""
    rods = [at["P"] - at[f"A{i}"] for i in (1, 2)]
    arms = [at[f"A{i}"] - at[f"O{i}"] for i in (1, 2)]
    right = np.diag([rod @ np.array([-a[1], a[0]]) for rod, a in zip(rods, arms, strict=True)])
    return np.linalg.solve(np.array(rods), right)


@pytest.mark.parametrize("kind", ["relative", "natural"])
def test_a_closed_loop(kind):
    model, places = five_bar((2.1, 0.8))
    j = five_bar_jacobian(places)
    found = lw.measures.velocity_ellipsoid(model, "P", ["O1", "O2"], coordinates=kind)
    np.testing.assert_allclose(found.matrix(), j @ j.T, rtol=1e-11)
    hold = np.linalg.inv(j).T
    np.testing.assert_allclose(
        lw.measures.force_ellipsoid(model, "P", ["O1", "O2"], coordinates=kind).matrix(), hold @ hold.T, rtol=1e-11
    )


def test_rods_in_one_line_let_the_point_move_while_the_inputs_stand():
    angles = (np.pi / 2, np.pi / 2)
    ends = five_bar(angles)[1]
    model, _ = five_bar(angles, reach=float(np.linalg.norm(ends["A2"] - ends["A1"])) / 2)
    found = lw.measures.velocity_ellipsoid(model, "P", ["O1", "O2"])
    assert np.isinf(found.semi_axes[0, 0]) and found.singular[0]
    across = found.directions[0, :, 0] @ (ends["A2"] - ends["A1"])
    assert across == pytest.approx(0.0, abs=1e-6)
    assert "can move while all inputs stand" in str(found)
    assert "cannot hold any force" in str(lw.measures.force_ellipsoid(model, "P", ["O1", "O2"]))


def test_along_a_motion():
    model, _ = five_bar((2.1, 0.8))
    times = np.linspace(0.0, 1.0, 6)
    run = lw.solve_kinematics(model, {"O1": "2.1 + 0.4*t", "O2": "0.8 - 0.3*t"}, times=times)
    found = lw.measures.velocity_ellipsoid(run, "P")
    for i in range(len(times)):
        at = {name: np.array([run[f"{name}.x"][i], run[f"{name}.y"][i]]) for name in ("O1", "O2", "A1", "A2", "P")}
        j = five_bar_jacobian(at)
        np.testing.assert_allclose(found.matrix(i), j @ j.T, rtol=1e-10)
        # the speed of the point itself is in it
        np.testing.assert_allclose([run["P.vx"][i], run["P.vy"][i]], j @ [0.4, -0.3], rtol=1e-10)
    assert len(lw.measures.velocity_ellipsoid(run, "P", time=0.4)) == 1
    assert lw.measures.velocity_ellipsoid(run, "P", time=0.4).time[0] == pytest.approx(0.4)
    # one input drives while the other is looked at: the centre is what the other one does alone
    half = lw.measures.velocity_ellipsoid(run, "P", ["O1"])
    np.testing.assert_allclose(
        half.centres[0],
        five_bar_jacobian(
            {name: np.array([run[f"{name}.x"][0], run[f"{name}.y"][0]]) for name in ("O1", "O2", "A1", "A2", "P")}
        )
        @ [0.0, -0.3],
        rtol=1e-9,
    )
    assert half.semi_axes[0, 1] == 0.0


@cache
def puma_fall() -> lw.Result:
    return lw.simulate(lw.load(MECHANISMS / "puma_560.yaml"), until=0.2, step=0.1)


def puma_tool(angles: np.ndarray) -> np.ndarray:
    """The product of exponentials of the six joints as drawn; complex angles serve too."""
    places = [[0, 0, 0], [0, 0, 0.67183], [0.4318, 0, 0.67183], *[[0.4521, -0.15005, 1.10363]] * 3]
    point = np.array([0.4521, -0.15005, 1.16], dtype=complex)
    for place, axis, angle in reversed(list(zip(places, ("z", "y", "y", "z", "y", "z"), angles, strict=True))):
        unit = np.array([0, 0, 1.0] if axis == "z" else [0, -1.0, 0])
        arm = point - place
        point = (
            place
            + arm * np.cos(angle)
            + np.cross(unit, arm) * np.sin(angle)
            + unit * (unit @ arm) * (1 - np.cos(angle))
        )
    return point


def test_a_puma_by_complex_steps():
    run = puma_fall()
    found = lw.measures.velocity_ellipsoid(run, "tool", time=0.2)
    angles = np.array([run[f"j{i}.angle"][-1] for i in range(1, 7)])
    np.testing.assert_allclose(puma_tool(angles).real, [run[f"tool.{axis}"][-1] for axis in "xyz"], atol=1e-9)
    j = np.column_stack([puma_tool(angles + 1e-30j * np.eye(6)[i]).imag / 1e-30 for i in range(6)])
    np.testing.assert_allclose(found.matrix(), j @ j.T, atol=1e-9)
    np.testing.assert_allclose(found.jacobian[0], j, atol=1e-9)
    assert found.components == ("tool.vx", "tool.vy", "tool.vz") and list(found.inputs)[5] == "j6.angle"


def test_accelerations_of_a_puma_as_linear_equations_have_them():
    run, motors = puma_fall(), [f"j{i}" for i in range(1, 7)]
    linear = lw.linearise(
        run, 0.2, inputs=[f"{name}.effort" for name in motors], outputs=["tool.ax", "tool.ay", "tool.az"]
    )
    found = lw.measures.acceleration_ellipsoid(run, "tool", motors, time=0.2)
    np.testing.assert_allclose(found.matrix(), linear.d @ linear.d.T, rtol=1e-8)
    np.testing.assert_allclose(found.centres[0], [run[f"tool.a{axis}"][-1] for axis in "xyz"], rtol=1e-8)


@pytest.mark.parametrize("kind", ["relative", "natural"])
def test_a_stewart_platform_by_the_inverse_of_its_legs(kind):
    model = lw.load(MECHANISMS / "stewart_platform.yaml")
    at = {name: np.array([float(x.value) for x in place]) for name, place in model.points.items()}
    legs = {f"leg{i}": 0.5 * i for i in range(1, 7)}
    rows = []
    for i in range(1, 7):
        way = at[f"B{i}"] - at[f"A{i}"]
        unit = way / np.linalg.norm(way)
        rows.append([*unit, *np.cross(at[f"B{i}"] - at["G"], unit)])
    twist = np.linalg.inv(rows) @ np.diag(list(legs.values()))
    for of, part in (("platform.G", twist[:3]), ("platform.w", twist[3:])):
        found = lw.measures.velocity_ellipsoid(model, of, legs, coordinates=kind)
        np.testing.assert_allclose(found.matrix(), part @ part.T, atol=1e-11)
    assert lw.measures.velocity_ellipsoid(model, "platform.w", legs).unit == "rad/s"
    names = [f"platform.{part}{axis}" for part in ("G.v", "w") for axis in "xyz"]
    whole = lw.measures.velocity_ellipsoid(model, names, list(legs), coordinates=kind)
    np.testing.assert_allclose(whole.jacobian[0], np.linalg.inv(rows), atol=1e-11)


def test_the_jacobian_knows_no_passive_spins():
    """A delta robot: each arm leads a rod of length l on two balls, (P + r − E)·(Ṗ − Ė) = 0, and the rods may spin."""
    base, top, arm, rod = 0.2, 0.045, 0.35, 0.8
    height = -np.sqrt(rod**2 - (base + arm - top) ** 2)
    points, bodies, joints, rows, speeds = {"P": [0, 0, height]}, {}, {}, [], []
    for i, angle in enumerate(2 * np.pi * np.arange(3) / 3):
        out, along = np.array([np.cos(angle), np.sin(angle), 0]), np.array([-np.sin(angle), np.cos(angle), 0])
        elbow = (base + arm) * out
        points |= {f"H{i}": (base * out).tolist(), f"E{i}": elbow.tolist()}
        bodies[f"arm{i}"] = {"bar": [f"H{i}", f"E{i}"], "mass": 1}
        joints[f"H{i}"] = {"kind": "revolute", "bodies": ["ground", f"arm{i}"], "axis": along.tolist()}
        for side in (-0.05, 0.05):
            name = f"{i}{'lr'[side > 0]}"
            held = top * out + side * along + np.array([0, 0, height])
            points |= {f"E{name}": (elbow + side * along).tolist(), f"Q{name}": held.tolist()}
            bodies[f"rod{name}"] = {"bar": [f"E{name}", f"Q{name}"], "mass": 0.1}
            joints[f"E{name}"] = {"kind": "spherical", "bodies": [f"arm{i}", f"rod{name}"]}
            joints[f"Q{name}"] = {"kind": "spherical", "bodies": [f"rod{name}", "platform"]}
        line = np.array([0, 0, height]) + top * out - elbow
        rows.append(line)
        speeds.append(line @ np.cross(along, arm * out))
    bodies["platform"] = {"points": ["P"], "com": "P", "mass": 1, "inertia": [0.01, 0.01, 0.01]}
    delta = lw.Model(space="spatial", points=points, bodies=bodies, joints=joints)
    found = lw.measures.velocity_ellipsoid(delta, "platform.P", ["H0", "H1", "H2"])
    np.testing.assert_allclose(found.jacobian[0], np.linalg.solve(rows, np.diag(speeds)), atol=1e-12)


def test_the_jacobian_is_no_number_in_components_that_move_alone():
    """Rods in one line: the pin moves across them while the cranks stand, and along them not at all."""
    model, _ = five_bar((np.pi / 2, np.pi / 2), reach=0.4)
    found = lw.measures.velocity_ellipsoid(model, "P", ["O1", "O2"])
    assert found.singularities()
    assert np.isnan(found.jacobian[0, 1]).all() and np.isfinite(found.jacobian[0, 0]).all()


def test_components_of_several_units_have_their_own(tmp_path):
    """Rows of metres and of radians: each centre in its unit, what mixes them says so."""
    names = ["tool.vx", "link6.wz"]
    found = lw.measures.velocity_ellipsoid(puma_fall(), names, time=0.1)
    units = {column.name: column.unit for column in found.columns()}
    assert units["centre tool.vx"] == "m/s" and units["centre link6.wz"] == "rad/s"
    assert units["semi-axis 1"] == "m/s, rad/s"
    assert "mix these units" in str(found)
    assert '"centre link6.wz [rad/s]"' in found.save(tmp_path / "e.csv").read_text()
    force = lw.measures.force_ellipsoid(puma_fall(), names, time=0.1)
    assert force.units == ("N", "N*m")
    assert "mix" not in str(lw.measures.velocity_ellipsoid(puma_fall(), "tool", time=0.1))


def test_along_the_motion_of_inverse_dynamics():
    """Its motors are the inputs; centres of accelerations are what is left of them without their efforts."""
    motion = {"O": "0.4 + 0.3*t + 0.5*t^2", "A": "0.9 - 0.8*t"}
    known = lw.inverse_dynamics(arm(), motion, times=np.linspace(0.0, 1.0, 5))
    torques = np.column_stack(list(known.efforts.values()))
    for subject in (known, known.result):
        speeds = lw.measures.velocity_ellipsoid(subject, "B")
        forces = lw.measures.force_ellipsoid(subject, "B", {"O": 20, "A": 5})
        pushed = lw.measures.acceleration_ellipsoid(subject, "B", {"O": 20, "A": 5})
        assert list(speeds.inputs) == ["O.angle", "A.angle"] and len(speeds) == 5
        for k, (q1, q2) in enumerate(zip(known["O.angle"], known["A.angle"], strict=True)):
            j, by_torque = jacobian(q1, q2), jacobian(q1, q2) @ np.linalg.inv(arm_dynamics(q2))
            np.testing.assert_allclose(speeds.jacobian[k], j, atol=1e-12)
            np.testing.assert_allclose(speeds.matrix(k), j @ j.T, atol=1e-12)
            hold = np.linalg.inv(j).T @ np.diag([20.0, 5.0])
            np.testing.assert_allclose(forces.matrix(k), hold @ hold.T, rtol=1e-9)
            of_torques = by_torque @ np.diag([20.0, 5.0])
            np.testing.assert_allclose(pushed.matrix(k), of_torques @ of_torques.T, rtol=1e-9)
            now = np.array([known["B.ax"][k], known["B.ay"][k]])
            np.testing.assert_allclose(pushed.centres[k], now - by_torque @ torques[k], atol=1e-9)
    one = lw.measures.velocity_ellipsoid(known, "B", time=0.5)
    np.testing.assert_allclose(one.jacobian[0], jacobian(known["O.angle"][2], known["A.angle"][2]), atol=1e-12)


def test_what_a_user_reads(tmp_path):
    model, _ = five_bar((2.1, 0.8))
    one = lw.measures.velocity_ellipsoid(model, "P", ["O1", "O2"])
    assert str(one).startswith(
        "five-bar: velocity ellipsoid of P by O1.angle, O2.angle\n  semi-axis, m/s  along (P.vx, P.vy)\n"
    )
    run = lw.solve_kinematics(model, {"O1": "2.1 + 0.4*t", "O2": "0.8 - 0.3*t"}, times=np.linspace(0.0, 1.0, 6))
    several = lw.measures.acceleration_ellipsoid(run, "P", {"O1": "3 N*m", "O2": "3 N*m"})
    assert "condition  up to" in str(several) and len(several.table()) == 7
    assert several.save(tmp_path / "e.csv").read_text().startswith('"time [s]","centre P.ax [m/s^2]",')
    for i, item in enumerate((one, several, lw.measures.velocity_ellipsoid(puma_fall(), "tool", time=0.1))):
        item.plot(path=tmp_path / f"{i}.png")
        assert (tmp_path / f"{i}.png").stat().st_size > 1000


def test_what_cannot_be_answered():
    with pytest.raises(lw.errors.UnknownNameError, match="'C' is no point or body"):
        lw.measures.velocity_ellipsoid(arm(), "C")
    with pytest.raises(lw.errors.RefusedError, match="limit of the input 'O' is -1"):
        lw.measures.velocity_ellipsoid(arm(), "B", {"O": -1, "A": 1})
    with pytest.raises(lw.errors.UnknownNameError, match="no coordinate of a joint"):
        lw.measures.velocity_ellipsoid(arm(), "B", ["Q"])
    with pytest.raises(lw.errors.RefusedError, match="which inputs move the 2 degrees of freedom"):
        lw.measures.velocity_ellipsoid(five_bar((2.1, 0.8))[0], "P")
    with pytest.raises(lw.errors.RefusedError, match=r"t = 5 s is not in it"):
        lw.measures.velocity_ellipsoid(puma_fall(), "tool", time=5)


@pytest.mark.parametrize("inputs", [None, ["O", "A"]])
def test_an_arm_that_is_led_along_a_path_has_the_ellipsoid_of_its_motors(inputs):
    model = arm(gravity=0.0)
    x, y = (float(np.round(value, 12)) for value in lw.analyse(model).assembly.poses["fore"].point([L2, 0]))
    data = model.to_dict() | {"drivers": {"hand": {"point": "fore.B", "position": [f"{x} - 0.2*t", f"{y} + 0.1*t"]}}}
    data.pop("initial")
    data.pop("linkwork", None)
    led = lw.Model(**data)
    run = lw.simulate(led, until=1.0, step=0.25)
    for subject in (led, run):
        found = lw.measures.velocity_ellipsoid(subject, "B", inputs)
        samples = run if subject is run else {"O.angle": [0.4], "A.angle": [0.9]}
        for k, (q1, q2) in enumerate(zip(samples["O.angle"], samples["A.angle"], strict=True)):
            j = jacobian(q1, q2)
            np.testing.assert_allclose(found.matrix(k), j @ j.T, atol=1e-9)


def test_what_leads_a_base_stays_where_motors_stand_on_it():
    """A slide that a driver of a point leads, an arm on it: the arm alone is the input, the hand drifts with the slide."""
    model = lw.Model(
        space="planar",
        points={"S": [0, 0], "B": [1, 0]},
        bodies={"sled": {"points": ["S"], "mass": 1}, "arm": {"bar": ["S", "B"], "mass": 1}},
        joints={
            "rail": {"kind": "prismatic", "bodies": ["ground", "sled"], "at": "S", "axis": [1, 0]},
            "hinge": {"kind": "revolute", "bodies": ["sled", "arm"], "at": "S"},
        },
        drivers={"pull": {"point": "sled.S", "position": ["0.5*t", None]}},
    )
    found = lw.measures.velocity_ellipsoid(model, "B", ["hinge"])
    np.testing.assert_allclose(found.semi_axes[0], [1.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(found.centres[0], [0.5, 0.0], atol=1e-12)


@pytest.mark.parametrize("motors", [["O1", "A1"], ["A1", "A2"], ["O2", "P"]])
def test_motors_other_than_those_that_lead_a_run(motors):
    """What a run is led by is not what moves it: motors that are named have the ellipsoids of the model itself."""
    model, _ = five_bar((2.1, 0.8))
    asked = lw.measures.velocity_ellipsoid(model, "P", motors).semi_axes
    run = lw.solve_kinematics(model, {"O1.speed": "0.1", "O2.speed": "0.2"}, until=0.2, step=0.1)
    np.testing.assert_allclose(lw.measures.velocity_ellipsoid(run, "P", motors).semi_axes[:1], asked, rtol=1e-9)
    with pytest.raises(lw.errors.RefusedError, match=r"nothing moves by A1.angle"):
        lw.measures.velocity_ellipsoid(run, "P", ["A1"])
