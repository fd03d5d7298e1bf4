"""Freedoms by rank where counting fails, redundant constraints by name, and motions without inertia."""

from __future__ import annotations

from typing import Any

import casadi as ca
import linkages
import mechanisms
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_mechanisms import examples, random_kinds, random_tree, seeds

import linkwork as lw
from linkwork.elements.joints import joint_kind
from linkwork.position.inertia import body_inertia
from linkwork.position.rank import dependent_rows


@pytest.mark.parametrize(
    ("model", "freedoms", "redundant"),
    [
        (mechanisms.four_bar(), 1, 0),
        (mechanisms.spatial_four_bar(), 1, 3),
        (mechanisms.bricard(), 1, 1),
        (mechanisms.modelica_fourbar(), 1, 0),
        (mechanisms.andrews(), 1, 0),
        (mechanisms.heavy_top(), 3, 0),
        (mechanisms.geared_rotors(), 1, 0),
        (linkages.slider_crank(), 1, 0),
        (linkages.spatial_slider_crank(), 1, 0),
        (linkages.six_bar(), 1, 0),
        (linkages.rscr(), 1, 0),
        (linkages.sarrus(), 1, 1),
        (linkages.spherical_four_bar(), 1, 3),
        (linkages.arm(), 3, 0),
        (linkages.spherical_chain(), 6, 0),
        (linkages.floating_pair("planar"), 4, 0),
        (linkages.floating_pair(), 7, 0),
    ],
)
def test_freedoms_and_redundancy(model: lw.Model, freedoms: int, redundant: int) -> None:
    topology = lw.analyse(model)
    assert (topology.freedoms, len(topology.redundant)) == (freedoms, redundant)
    # Grübler's count misses exactly the redundant constraints
    assert topology.mobility.by_count == freedoms - redundant
    assert topology.mobility.unresisted == ()


def test_redundant_conditions_of_a_flat_loop_are_the_ones_out_of_its_plane() -> None:
    topology = lw.analyse(mechanisms.spatial_four_bar())
    (cut,) = topology.cut_joints
    named = {(label.element, label.component) for label in topology.mobility.redundant}
    assert named == {(cut, "position z"), (cut, "rotation about x"), (cut, "rotation about y")}
    report = str(topology)
    assert "3 redundant constraints" in report and f"joint {cut}: position z" in report


def test_the_redundant_condition_of_bricard_belongs_to_the_cut_joint() -> None:
    topology = lw.analyse(mechanisms.bricard())
    assert {label.element for label in topology.mobility.redundant} == set(topology.cut_joints)


@examples(6)
@given(seed=seeds, space=st.sampled_from(["planar", "spatial"]), floating=st.booleans())
def test_an_open_chain_has_the_freedoms_of_its_joints(seed: int, space: str, floating: bool) -> None:
    rng = np.random.default_rng(seed)
    topology = lw.analyse(lw.Model(**random_tree(rng, space, random_kinds(rng, space, 4), floating)))
    joints = topology.geometry.joints.values()
    expected = sum(len(joint.kind.freedoms(topology.geometry.space)) for joint in joints)
    assert topology.freedoms == expected + (topology.geometry.space.freedoms if floating else 0)
    assert topology.loops == () and topology.redundant == ()


@pytest.mark.parametrize(("space", "freedoms"), [("planar", 3), ("spatial", 6)])
def test_a_single_body_floats(space: str, freedoms: int) -> None:
    body = {"points": {"P": [1, 0, 0][: 2 if space == "planar" else 3]}, "mass": 1, "origin": [0, 0, 0]}
    body |= {"com": "P", "inertia": 1 if space == "planar" else [1, 1, 1]}
    body["origin"] = [0.0] * (2 if space == "planar" else 3)
    assert lw.analyse(lw.Model(space=space, bodies={"stone": body})).freedoms == freedoms


def driven(drivers: dict[str, Any]) -> lw.Model:
    return lw.Model(**{**mechanisms.four_bar().to_dict(), "initial": {}, "drivers": drivers})


def test_a_second_driver_on_the_same_freedom_is_refused_by_name() -> None:
    topology = lw.analyse(driven({"motor": {"joint": "O", "speed": 1}}))
    assert (topology.mobility.driven, topology.mobility.free, topology.freedoms) == (1, 0, 1)
    both = {"motor": {"joint": "O", "speed": 1}, "brake": {"joint": "C", "position": "1.2"}}
    with pytest.raises((lw.errors.ModelError, lw.errors.AssemblyError), match="brake"):
        lw.analyse(driven(both))
    both["brake"] = {"joint": "C", "acceleration": "0"}
    with pytest.raises((lw.errors.ModelError, lw.errors.AssemblyError), match="brake"):
        lw.analyse(driven(both))


def test_conflicting_drivers_at_rest_are_refused_by_name() -> None:
    both = {"motor": {"joint": "O", "acceleration": 1}, "brake": {"joint": "C", "acceleration": "0"}}
    with pytest.raises(lw.errors.ModelError, match=r"drivers\.brake: moves joint C"):
        lw.analyse(driven(both))


def test_a_massless_body_that_can_move_is_named() -> None:
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [1, 0], "B": [2, 0]},
        bodies={"one": {"bar": ["O", "A"], "mass": 1}, "ghost": {"bar": ["A", "B"], "mass": 0}},
        joints={"O": linkages.revolute("ground", "one"), "A": linkages.revolute("one", "ghost")},
    )
    assert lw.analyse(model).mobility.unresisted == ("ghost",)
    with pytest.raises(lw.errors.ModelError, match=r"bodies\.ghost\.mass: is zero") as caught:
        lw.simulate(model, 0.1)
    assert [fault.path for fault in caught.value.faults] == ["bodies.ghost.mass"]


def test_a_massless_link_inside_a_loop_is_welcome() -> None:
    data = mechanisms.four_bar().to_dict()
    data["bodies"]["coupler"] = {**data["bodies"]["coupler"], "mass": 0}
    result = lw.simulate(lw.Model(**data), 0.2, step=0.1, rtol=1e-10)
    assert result.outcome.completed
    np.testing.assert_allclose(result.energy, result.energy[0], rtol=1e-8)


def test_a_slender_bar_between_spherical_joints_may_not_spin() -> None:
    model = lw.Model(
        space="spatial",
        points={"O": [0, 0, 0], "A": [1, 0, 0]},
        bodies={"bar": {"bar": ["O", "A"], "mass": 1}},
        joints={"O": {"kind": "spherical", "bodies": ["ground", "bar"]}},
    )
    with pytest.raises(lw.errors.ModelError, match=r"bodies\.bar\.inertia: is zero about an axis.*\n.*radius"):
        lw.simulate(model, 0.1)


@examples(10)
@given(seed=seeds, space=st.sampled_from(["planar", "spatial"]), floating=st.booleans())
def test_idle_bodies_are_those_of_all_admissible_motions(seed: int, space: str, floating: bool) -> None:
    """Of bodies some of which have no inertia: against the eigenvectors of the inertia of all motions of the joints."""
    rng = np.random.default_rng(seed)
    data = random_tree(rng, space, random_kinds(rng, space, 6), floating)
    for body in data["bodies"].values():
        if rng.random() < 0.5:
            body |= {"mass": 0, "inertia": 0 if space == "planar" else [0, 0, 0]}
    topology = lw.analyse(lw.Model(**data))
    c = lw.number(topology)
    y, p = lw.formulate(c, "multipliers").start
    lift = ca.vertcat(
        *[ca.vertcat(c.kinematics.twists[name].velocity, c.kinematics.twists[name].omega) for name in data["bodies"]]
    )
    f = ca.Function("f", [c.t, c.y, c.p], [ca.densify(c.mass), ca.densify(ca.jacobian(lift, c.v))])
    mass, moved = map(np.array, f(0.0, y, p))
    sizes, motions = np.linalg.eigh(mass)
    moved = np.abs(moved @ motions[:, sizes <= 1e-11 * max(sizes[-1], 1e-300)]).max(axis=1, initial=0.0)
    expected = {
        name for name, own in zip(data["bodies"], np.split(moved, len(data["bodies"])), strict=True) if own.max() > 1e-6
    }
    assert set(topology.mobility.unresisted) == expected


def test_a_long_chain_of_slender_bars_needs_no_matrix_of_all_motions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of them could spin without inertia, but none does: its joints hold it."""
    bars = 30
    joint = {"kind": "revolute", "axis": [0, 1, 0]}
    model = lw.Model(
        space="spatial",
        points={f"P{i}": [float(i), 0, 0] for i in range(bars + 1)},
        bodies={f"b{i}": {"bar": [f"P{i}", f"P{i + 1}"], "mass": 1} for i in range(bars)},
        joints={f"P{i}": joint | {"bodies": ["ground" if i == 0 else f"b{i - 1}", f"b{i}"]} for i in range(bars)},
    )
    monkeypatch.setattr("linkwork.topology.mobility.mobility.body_inertia", None)
    assert lw.analyse(model).mobility.unresisted == ()


def test_dependent_rows_are_found_in_order() -> None:
    rows = np.array([[1.0, 0, 0], [2, 0, 0], [0, 1, 0], [3, -2, 0], [0, 0, 0], [0, 0, 1e-3]])
    assert dependent_rows(rows) == [1, 3, 4]


def test_rounding_errors_do_not_make_a_faint_row_independent() -> None:
    rows = np.array([[1.0, 2, 3], [1e-11, 2e-11, 3e-11 + 1e-17], [0, 0, 1e-17], [0, 1e-9, 0]])
    assert dependent_rows(rows) == [1, 2]


def test_inertia_of_the_bodies_gives_their_kinetic_energy() -> None:
    topology = lw.analyse(linkages.rscr())
    c, poses, p = topology.conditions, topology.assembly.poses, topology.geometry.defaults
    rng = np.random.default_rng(3)
    rate = rng.normal(size=c.size)
    energy = 0.0
    for name, twist in c.twists(rate).items():
        body, pose = topology.geometry.bodies[name], poses[name]
        mass = float(topology.geometry.number(body.kind.mass))
        com, inertia = (np.array(topology.geometry.number(item)) for item in (body.centre, body.kind.matter.inertia))
        speed = twist[:3] + np.cross(twist[3:], pose.axes @ com)
        omega = pose.axes.T @ twist[3:]
        energy += mass * speed @ speed / 2 + omega @ inertia @ omega / 2
    assert rate @ body_inertia(c, poses, p) @ rate / 2 == pytest.approx(energy, rel=1e-12)


def test_joints_with_many_freedoms_are_cut() -> None:
    topology = lw.analyse(mechanisms.modelica_fourbar())
    assert topology.cut_joints == ("j5",)
    assert joint_kind(topology.model.joints["j5"].kind).name == "spherical"


def test_a_rope_of_universal_joints_between_two_points_has_its_inputs() -> None:
    """Its first sets of inputs leave motions out of its plane; one that determines all of them is found in a few tries."""
    n = 12
    angles = np.linspace(1.2 * np.pi, 1.8 * np.pi, n + 1)
    names = [f"P{i}" for i in range(n + 1)]
    ends = ["ground", *(f"b{i}" for i in range(n)), "ground"]
    kinds = [{"kind": "universal", "axes": [[0, 1, 0], [0, 0, 1]]}] * n + [{"kind": "spherical"}]
    model = lw.Model(
        space="spatial",
        points={name: [np.cos(a), 0.0, np.sin(a)] for name, a in zip(names, angles, strict=True)},
        bodies={f"b{i}": {"bar": [names[i], names[i + 1]], "mass": 1} for i in range(n)},
        joints={name: kinds[i] | {"bodies": ends[i : i + 2]} for i, name in enumerate(names)},
    )
    topology = lw.analyse(model)
    # two angles at each universal joint, less the three conditions of the last point
    assert topology.mobility.free == 2 * n - 3
    assert topology.plan.complete and len(topology.plan.inputs) == 2 * n - 3
