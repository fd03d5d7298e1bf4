"""Mixed coordinates: what they are, what they weigh, and that they move mechanisms like relative coordinates."""

from __future__ import annotations

from typing import Any

import casadi as ca
import linkages
import mechanisms
import numpy as np
import pytest
from hypothesis import given
from random_mechanisms import Array, Numbers, examples, numbers, random_kinds, random_state, random_tree, seeds

import linkwork as lw
from linkwork.coordinates.mixed import define
from linkwork.elements.joints import Measure
from linkwork.equations.equations import place_state
from linkwork.position.geometry import Pose

few = examples(4)
spaces = pytest.mark.parametrize("space", ["planar", "spatial"])
formulations = pytest.mark.parametrize("formulation", ["partitioning", "multipliers"])
TIGHT: dict[str, Any] = {"rtol": 1e-12, "atol": 1e-14}


# -- what they are -----------------------------------------------------------------------------------------------------


def test_a_four_bar_has_the_places_of_its_bodies_and_the_angles_of_its_joints() -> None:
    c = numbers(mechanisms.four_bar(), "mixed").coordinates
    bodies = [f"{body}.{name}" for body in ("crank", "coupler", "rocker") for name in ("x", "y", "angle")]
    assert list(c.kinematics.q_names) == bodies + [f"{joint}.angle" for joint in "OABC"]
    assert list(c.kinematics.v_names)[:3] == ["crank.vx", "crank.vy", "crank.speed"]
    # two conditions hold each pin together, one says what each angle is; nothing counts turns beside them
    assert [label.kind for label in c.labels] == ["joint"] * 8 + ["definition"] * 4
    assert str(c.labels[-1]) == "definition C: angle"
    assert c.auxiliaries == ()


def test_counts_in_space() -> None:
    c = numbers(linkages.rscr(), "mixed").coordinates
    # three bodies with quaternions; two revolutes, a cylindrical joint with two variables, a ball with none
    assert (c.q.numel(), c.v.numel(), len(c.rows)) == (3 * 7 + 4, 3 * 6 + 4, 5 + 3 + 4 + 5 + 4)
    assert c.kinematics.q_names[-4:] == ("O.angle", "B.angle", "B.position", "C.angle")
    assert c.auxiliaries == ()


def test_motors_and_springs_in_joints_act_on_one_unknown() -> None:
    data = mechanisms.spatial_four_bar().to_dict() | {"initial": {}}
    data["drivers"] = {"motor": {"joint": "O", "speed": 2.0}}
    data["forces"] = {"spring": {"kind": "torsion_spring", "joint": "C", "stiffness": 3.0, "free_angle": 0.2}}
    n = numbers(lw.Model(**data), "mixed")
    c = n.coordinates
    names = c.kinematics.v_names
    row = [i for i, label in enumerate(c.labels) if label.kind == "driver"]
    pattern = np.array(ca.DM(c.jacobian.sparsity(), 1))[row[0]]
    assert [names[i] for i in np.flatnonzero(pattern)] == ["O.speed"]
    y, p = place_state(c, c.topology.assembly, c.geometry.defaults)
    pulled = n.value(c.loading.generalised, 0, y, p).ravel()
    assert [names[i] for i in np.flatnonzero(pulled)] == ["C.speed"]
    angle = n.value(c.motion.coordinates["C", "angle"].value, 0, y, p).item()
    assert pulled[names.index("C.speed")] == pytest.approx(-3.0 * (angle - 0.2))


@pytest.mark.parametrize("turns", [0, 3, -2])
def test_the_definition_of_an_angle_is_regular_at_every_angle(turns: int) -> None:
    q = ca.SX.sym("q")
    alpha = ca.SX.sym("alpha")
    row = define(Measure(sine=ca.sin(alpha), cosine=ca.cos(alpha)), q)
    f = ca.Function("row", [alpha, q], [row, ca.jacobian(row, q), ca.jacobian(row, alpha)])
    for angle in np.linspace(-np.pi, np.pi, 25):
        value, slope, other = (float(item) for item in f(angle, angle + 2 * np.pi * turns))
        np.testing.assert_allclose([value, slope, other], [0.0, -1.0, 1.0], atol=1e-14)


# -- what they weigh ---------------------------------------------------------------------------------------------------


def poses_of(n: Numbers, y: Array) -> dict[str, Pose]:
    """Poses whose angles count turns, as those of an assembly do."""
    found = {}
    for name, pose in n.poses(y).items():
        angle = n.coordinates.kinematics.frames[name].angle
        found[name] = pose if angle is None else Pose(pose.origin, pose.axes, n.value(angle, 0.0, y).item())
    return found


@spaces
@few
@given(seed=seeds)
def test_they_move_and_weigh_like_relative_ones(space: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    data = random_tree(rng, space, random_kinds(rng, space, 4), floating=bool(rng.random() < 0.4))
    relative, mixed = numbers(lw.Model(**data)), numbers(lw.Model(**data), "mixed")
    r, c = relative.coordinates, mixed.coordinates
    y = random_state(rng, relative)
    poses, twists = poses_of(relative, y), relative.twists(y)
    z = np.concatenate(c.kind.place(c.geometry, c.topology.tree, poses, twists, np.zeros(0)))
    for name in c.geometry.bodies:
        np.testing.assert_allclose(mixed.poses(z)[name].axes, poses[name].axes, atol=1e-11)
        np.testing.assert_allclose(mixed.poses(z)[name].origin, poses[name].origin, atol=1e-11)
        np.testing.assert_allclose(mixed.twists(z)[name], twists[name], atol=1e-11)
    # positions satisfy all conditions, velocities their rates
    np.testing.assert_allclose(mixed.value(c.phi, 0, z), 0.0, atol=1e-11)
    np.testing.assert_allclose(mixed.value(c.jacobian @ c.v, 0, z), 0.0, atol=1e-10)
    energies = [
        n.value(ca.dot(n.coordinates.v, n.coordinates.mass @ n.coordinates.v) / 2, 0, state).item()
        for n, state in ((relative, y), (mixed, z))
    ]
    assert energies[0] == pytest.approx(energies[1], rel=1e-11, abs=1e-12)
    # M is constant, nothing weighs a relative variable, and ω × I ω does no work
    assert c.mass.is_constant()
    relative_count = sum(joint.numel() for joint in c.kinematics.joint_values.values())
    assert relative_count == sum(f.kind != "spin" for j in c.geometry.joints.values() for f in j.kind.freedoms(c.space))
    body_count = c.v.numel() - relative_count
    assert c.mass[:, body_count:].nnz() == 0 and c.mass[:body_count, :body_count].nnz() >= body_count
    potential_rate = relative.value(r.motion.drift(r.loading.potential), 0, y).item()
    power = mixed.value(ca.dot(c.v, c.forces), 0, z).item()
    assert power == pytest.approx(-potential_rate, rel=1e-10, abs=1e-10)


@spaces
@few
@given(seed=seeds)
def test_accelerations_on_the_conditions_are_those_of_relative_coordinates(space: str, seed: int) -> None:
    """Dense saddle-point solutions of both kinds give every centre of mass the same acceleration."""
    rng = np.random.default_rng(seed)
    data = random_tree(rng, space, random_kinds(rng, space, 3))
    relative, mixed = numbers(lw.Model(**data)), numbers(lw.Model(**data), "mixed")
    y = random_state(rng, relative)
    place, tree = mixed.coordinates.kind.place, mixed.coordinates.topology.tree
    z = np.concatenate(place(mixed.coordinates.geometry, tree, poses_of(relative, y), relative.twists(y), np.zeros(0)))
    found = []
    for n, state in ((relative, y), (mixed, z)):
        c, nv, m = n.coordinates, n.coordinates.v.numel(), len(n.coordinates.rows)
        rows = n.value(c.jacobian, 0, state).reshape(m, nv)
        matrix = np.block([[n.value(c.mass, 0, state).reshape(nv, nv), rows.T], [rows, np.zeros((m, m))]])
        right = np.concatenate([n.value(c.forces, 0, state).ravel(), -n.value(c.b, 0, state).ravel()])
        vdot = ca.SX(ca.DM(np.linalg.lstsq(matrix, right, rcond=1e-12)[0][:nv]))
        speeds = [c.motion.centre(name).velocity for name in c.geometry.bodies]
        found.append(n.value(c.motion.acceleration(ca.vertcat(*speeds), vdot), 0, state))
    np.testing.assert_allclose(found[1], found[0], atol=1e-8 * max(1.0, float(np.max(np.abs(found[0])))))


# -- how they move -----------------------------------------------------------------------------------------------------


def driven_four_bar() -> lw.Model:
    spring = {"kind": "torsion_spring", "joint": "B", "stiffness": 4.0, "damping": 0.1, "free_angle": 0.3}
    data = mechanisms.four_bar().to_dict() | {"initial": {}, "forces": {"spring": spring}}
    return lw.Model(**data, drivers={"motor": {"joint": "O", "speed": "3 + sin(2*t)"}})


def sprung_slider_crank() -> lw.Model:
    spring = {"kind": "torsion_spring", "joint": "A", "stiffness": 6.0, "damping": 0.2, "free_angle": -0.5}
    return linkages.slider_crank(forces={"spring": spring})


MODELS = {
    "four-bar": mechanisms.four_bar,
    "driven four-bar": driven_four_bar,
    "slider-crank": linkages.slider_crank,
    "slider-crank with a spring": sprung_slider_crank,
    "double pendulum": mechanisms.double_pendulum,
    "overconstrained": mechanisms.spatial_four_bar,
    "spatial slider-crank": linkages.spatial_slider_crank,
    "rscr": linkages.rscr,
    "universal": mechanisms.modelica_fourbar,
    "bricard": mechanisms.bricard,
    "gear": mechanisms.geared_rotors,
}


def observed(model: lw.Model, **options: Any) -> dict[str, Array]:
    """Motions, joint coordinates, reactions and efforts."""
    result = lw.simulate(model, 0.3, step=0.1, **TIGHT, **options)
    assert result.outcome.completed, result.outcome
    assert np.max(result.closure_error) < 1e-12
    axes = "xy" if model.space == "planar" else "xyz"
    names = [f"{body}.{letter}{axis}" for body in model.bodies for letter in ("", "v", "a") for axis in axes]
    for joint, declared in model.joints.items():
        names += [f"{joint}.{name}" for f in declared.freedoms for name in (f.name, f.rate)]
        names += result.reactions[joint].names
    names += [f"{name}.effort" for name in (*model.drivers, *model.couplings)]
    return result.values(names)


@pytest.mark.parametrize("name", list(MODELS))
def test_motions_and_reactions_are_those_of_relative_coordinates(name: str) -> None:
    model = MODELS[name]()
    expected = observed(model, coordinates="relative", formulation="partitioning")
    for formulation in ("partitioning", "multipliers"):
        found = observed(model, coordinates="mixed", formulation=formulation)
        for quantity, values in expected.items():
            size = max(1.0, float(np.max(np.abs(values))))
            np.testing.assert_allclose(found[quantity], values, atol=1e-8 * size, err_msg=f"{quantity}, {formulation}")


def test_relative_variables_beside_natural_coordinates() -> None:
    # SOURCE: García de Jalón and Bayo, sections 2.1.4 and 2.2.4: one more equation for each
    data = mechanisms.four_bar().to_dict() | {"initial": {}, "drivers": {"motor": {"joint": "O", "speed": 2.0}}}
    c = lw.number(lw.analyse(lw.Model(**data)), "mixed:natural")
    assert c.kinematics.q_names == ("A.x", "A.y", "B.x", "B.y", *(f"{joint}.angle" for joint in "OABC"))
    assert [label.kind for label in c.labels] == ["body"] * 3 + ["definition"] * 4 + ["driver"]
    pattern = np.array(ca.DM(c.jacobian.sparsity(), 1))[-1]
    assert [c.kinematics.v_names[i] for i in np.flatnonzero(pattern)] == ["O.speed"]
    assert str(c).startswith("mixed:natural coordinates: 8 positions, 8 velocities, 8 conditions")


@pytest.mark.matrix("formulation")
@formulations
@pytest.mark.parametrize("name", ["driven four-bar", "slider-crank with a spring", "rscr", "gear"])
def test_mixed_natural_coordinates_move_like_relative_ones(name: str, formulation: str) -> None:
    model = MODELS[name]()
    expected = observed(model, coordinates="relative", formulation="partitioning")
    found = observed(model, coordinates="mixed:natural", formulation=formulation)
    for quantity, values in expected.items():
        size = max(1.0, float(np.max(np.abs(values))))
        np.testing.assert_allclose(found[quantity], values, atol=1e-8 * size, err_msg=f"{quantity}, {formulation}")


@formulations
@spaces
def test_angles_count_several_turns(space: str, formulation: str) -> None:
    """A constant torque about a principal axis turns a rotor by τ t² / 2I; its shaft leans anyhow."""
    axis = np.array([0.0, 0.0, 1.0]) if space == "planar" else np.array([0.48, -0.6, 0.64])
    turned = 0.4 if space == "planar" else {"axis": [-axis[1], axis[0], 0], "angle": float(np.arccos(axis[2]))}
    where = slice(2 if space == "planar" else 3)
    inertia = 0.25 if space == "planar" else [0.2, 0.2, 0.25]
    rotor = {"points": {"C": [0, 0, 0][where]}, "origin": [0.3, 0.2, 0.1][where], "rotation": turned, "mass": 2}
    joint = {"kind": "revolute", "bodies": ["ground", "rotor"], "at": "C"}
    model = lw.Model(
        space=space,
        points={"C": [0.3, 0.2, 0.1][where]},
        bodies={"rotor": {**rotor, "inertia": inertia}},
        joints={"C": joint if space == "planar" else {**joint, "axis": axis.tolist()}},
        forces={"motor": {"kind": "effort", "joint": "C", "value": -3.0}},
    )
    result = lw.simulate(model, 3.0, step=0.25, coordinates="mixed", formulation=formulation, **TIGHT)
    start = result["C.angle"][0]
    np.testing.assert_allclose(result["C.angle"], start - 6.0 * result.time**2, atol=1e-8)
    assert result["C.angle"][-1] < -8 * 2 * np.pi


@formulations
def test_a_driven_loop_goes_round_and_round(formulation: str) -> None:
    """Five turns of the crank bring the loop back, with the rocker swinging and the pins of crank and coupler winding."""
    for make in (mechanisms.four_bar, mechanisms.spatial_four_bar):
        data = make().to_dict() | {"initial": {}}
        model = lw.Model(**data, drivers={"motor": {"joint": "O", "speed": "10*pi"}})
        result = lw.simulate(model, 1.0, step=0.1, coordinates="mixed", formulation=formulation, **TIGHT)
        assert np.max(result.closure_error) < 1e-12
        # the crank of 1 m is the shortest link and not the ground: it turns round, and so do both of its pins
        turned = {joint: result[f"{joint}.angle"][-1] - result[f"{joint}.angle"][0] for joint in "OABC"}
        np.testing.assert_allclose(turned["O"], 10 * np.pi, atol=1e-10)
        np.testing.assert_allclose(turned["A"], -10 * np.pi, atol=1e-9)
        np.testing.assert_allclose([turned["B"], turned["C"]], 0.0, atol=1e-9)
        np.testing.assert_allclose(result["B.x"][::2], result["B.x"][0], atol=1e-9)
        assert np.ptp(result["B.x"]) > 0.3


def test_relative_variables_are_never_the_first_choice() -> None:
    """They have no inertia of their own, so that the projective criterion prefers the bodies that do."""
    for make in (mechanisms.four_bar, linkages.rscr, linkages.arm):
        model = make()
        result = lw.simulate(model, 0.3, step=0.1, coordinates="mixed", formulation="partitioning")
        chosen = str(result.statistics["workings"]).split(";")[0].removeprefix("independent: ").split(", ")
        assert {name.split(".")[0] for name in chosen} <= set(model.bodies)
