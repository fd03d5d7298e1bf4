"""Branches by name: the assembly, the run and the file follow them, and a wrong name is told with the right ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import linkages
import mechanisms
import numpy as np
import pytest

import linkwork as lw
from linkwork.topology.analyse import situate
from linkwork.topology.modes.chosen_branches import check_branches
from linkwork.topology.topology import Topology

LIBRARY = Path(__file__).parents[2] / "src" / "linkwork" / "mechanisms"


def library(name: str) -> lw.Model:
    return lw.load(LIBRARY / f"{name}.yaml")


def reading(topology: Topology, element: str, name: str) -> float:
    c = topology.conditions
    return float(c.evaluate(topology.assembly.poses, topology.geometry.defaults)[2][c.index(element, name)])


def changed(model: lw.Model, **more: Any) -> lw.Model:
    return lw.Model(**{**model.to_dict(), **more})


@pytest.mark.parametrize(
    "make",
    [
        mechanisms.four_bar,
        mechanisms.spatial_four_bar,
        lambda: library("stephenson_2"),
        lambda: library("quick_return"),
        lambda: library("spherical_four_bar"),
        lambda: library("rggr"),
        lambda: library("rccc"),
        lambda: library("rgrrr"),
        lambda: mechanisms.n_four_bar(1),
    ],
)
def test_every_mode_can_be_asked_for(make: Any) -> None:
    model = make()
    drawn = lw.analyse(model)
    modes = lw.assembly_modes(drawn)
    assert len(modes) > 1
    for mode in modes:
        topology = lw.analyse(model.with_branches(mode.branches))
        assert topology.assembly.residual < 1e-10 * topology.conditions.length
        assert topology.plan.inputs == drawn.plan.inputs
        for name, pose in mode.poses.items():
            np.testing.assert_allclose(topology.assembly.poses[name].origin, pose.origin, atol=1e-9)
            np.testing.assert_allclose(topology.assembly.poses[name].axes, pose.axes, atol=1e-9)
        for name in map(topology.planner.name_of, topology.plan.inputs):
            assert reading(topology, *name.split(".")) == pytest.approx(reading(drawn, *name.split(".")), abs=1e-9)


@pytest.mark.parametrize("key", ["A-B-C", "A", "B", "C"])
def test_a_block_is_named_by_its_joints_or_by_one_of_them(key: str) -> None:
    assert lw.analyse(mechanisms.four_bar().with_branches({key: "right"})).branches == {"A-B-C": "right"}


def test_a_run_in_a_chosen_branch_is_the_run_from_a_sketch_of_that_branch() -> None:
    model = mechanisms.four_bar()
    # B where the circles about A and C meet below: drawn by hand
    drawn = changed(model, points={"O": [0, 0], "A": [0.6, 0.8], "B": [1.3, -1.6], "C": [2.2, 0]})
    times = np.linspace(0, 2, 41)
    runs = [lw.simulate(item, times=times) for item in (model.with_branches({"B": "right"}), drawn)]
    assert runs[0]["B.y"][0] < -1
    for name in ("B.x", "B.y", "crank.angle", "energy.kinetic"):
        np.testing.assert_allclose(runs[0][name], runs[1][name], atol=1e-7)


def test_other_parameters_are_assembled_in_the_chosen_branch_too() -> None:
    data = mechanisms.four_bar().to_dict()
    data["parameters"] = {"l": {"value": 2.5, "live": True}}
    data["bodies"]["coupler"]["length"] = "l"
    for branch, side in (("left", 1), ("right", -1)):
        model = lw.Model(**data, branches={"A-B-C": branch})
        for length in (2.4, 2.6):
            result = lw.simulate(model, 0.01, step=0.01, parameters={"l": length})
            a, b, c = (np.array([result[f"{name}.x"][0], result[f"{name}.y"][0]]) for name in "ABC")
            assert np.linalg.norm(b - a) == pytest.approx(length, abs=1e-9)
            assert side * np.cross(np.append(c - a, 0), np.append(b - a, 0))[2] > 1


def test_a_crossed_square_stays_crossed_with_other_parameters() -> None:
    data = mechanisms.n_four_bar(1).to_dict()
    data["parameters"] = {"m": {"value": 1.0, "live": True}}
    data["bodies"]["coupler0"]["mass"] = "m"
    model = lw.Model(**data, branches={"left0": "crossed"})
    for mass in (1.0, 2.0):
        result = lw.simulate(model, 0.01, step=0.01, parameters={"m": mass})
        corner = np.array([result["B1.x"][0], result["B1.y"][0]])
        # the corner of the square has gone to the other crossing of the circles about (0, 1) and (1, 0)
        np.testing.assert_allclose(corner, [0, 0], atol=1e-9)


@pytest.mark.parametrize("branch", ["left", "right"])
def test_what_drivers_and_initial_ask_for_holds_in_the_chosen_branch(branch: str) -> None:
    model = changed(mechanisms.four_bar(), branches={"B": branch})
    driven = changed(model, initial={}, drivers={"motor": {"joint": "O", "position": "1.2 + 0.5*sin(3*t)"}})
    topology = lw.analyse(driven)
    assert reading(topology, "O", "angle") == pytest.approx(1.2, abs=1e-10)
    assert topology.assembly.twists["crank"][2] == pytest.approx(1.5, abs=1e-9)
    assert topology.branches["A-B-C"] == branch
    started = lw.analyse(changed(model, initial={"O": {"angle": "100 deg", "speed": 3}}))
    assert reading(started, "O", "angle") == pytest.approx(np.radians(100), abs=1e-10)
    assert started.branches["A-B-C"] == branch
    # a value of a joint that is no input: the assembly moves within the branch until it is reached
    angle = reading(lw.analyse(model), "A", "angle") + 0.05
    moved = lw.analyse(changed(model, initial={"A": {"angle": angle}}))
    assert reading(moved, "A", "angle") == pytest.approx(angle, abs=1e-9)


def test_other_blocks_stay_as_they_are_drawn() -> None:
    model = library("stephenson_1")
    assert dict(lw.analyse(model).branches) == {"A-B-C": "left", "D-F-E": "left"}
    assert dict(lw.analyse(model.with_branches({"F": "right"})).branches) == {"A-B-C": "left", "D-F-E": "right"}


def test_a_block_by_iteration_comes_near_its_sketch() -> None:
    model = library("eight_bar")
    topology = lw.analyse(model.with_branches({"B": "right"}))
    assert topology.branches == {"A-B-C": "right"}
    modes = lw.assembly_modes(topology)
    assert modes.in_use is not None and modes.in_use.branches == {"A-B-C": "right"}


def test_crossed_squares_are_known_by_both_names() -> None:
    model = mechanisms.n_four_bar(1)
    by_shape, by_side = (lw.analyse(model.with_branches({"left0": name})) for name in ("crossed", "left"))
    assert by_shape.branches == by_side.branches == {"A1-right0-left0": "crossed"}
    assert by_shape.plan.loops[0].family.name == "dyad RRR"
    corner = by_shape.assembly.poses["rod1"].point(np.array([1.0, 0.0]))
    np.testing.assert_allclose(corner, by_side.assembly.poses["rod1"].point(np.array([1.0, 0.0])), atol=1e-10)
    assert np.linalg.norm(corner - [1, 1]) > 0.5


@pytest.mark.parametrize(
    ("branches", "path", "words"),
    [
        ({"A-C": "left"}, "branches.A-C", ("no block", "A-B-C (left, right)", "did you mean 'A-B-C'")),
        ({"O": "left"}, "branches.O", ("no block", "A-B-C (left, right)")),
        ({"B": "leeft"}, "branches.B", ("no branch of A-B-C", "A-B-C (left, right)", "did you mean 'left'")),
        ({"A": "left", "C": "right"}, "branches.C", ("A-B-C is chosen already",)),
    ],
)
def test_wrong_names_are_told_with_the_right_ones(branches: dict[str, str], path: str, words: tuple[str, ...]) -> None:
    with pytest.raises(lw.errors.ModelError) as caught:
        lw.analyse(mechanisms.four_bar().with_branches(branches))
    assert [fault.path for fault in caught.value.faults] == [path]
    for word in words:
        assert word in str(caught.value)


def test_iteration_has_no_names() -> None:
    with pytest.raises(lw.errors.ModelError, match=r"D-E-F-P-Q-R is solved by iteration") as caught:
        lw.analyse(library("eight_bar").with_branches({"P": "1"}))
    assert "A-B-C (left, right); D-E-F-P-Q-R (by iteration)" in str(caught.value)


def test_no_loops_no_branches() -> None:
    with pytest.raises(lw.errors.ModelError, match="there are no loops"):
        lw.analyse(mechanisms.simple_pendulum().with_branches({"O": "left"}))


def test_a_branch_that_is_not_real_is_refused_with_those_that_are() -> None:
    # with the first dyad on its other side the second one cannot reach
    with pytest.raises(
        lw.errors.AssemblyError, match=r"branches\.A-B-C: right: .* not real .* real there: A-B-C \(left\)"
    ):
        lw.analyse(library("watt_2").with_branches({"B": "right"}))
    model = library("rgcr")
    real = {mode.branches["A-B-C"] for mode in lw.assembly_modes(model)}
    missing = sorted({"1", "2", "3", "4"} - real)[0]
    with pytest.raises(lw.errors.AssemblyError, match=rf"A-B-C: {missing}: .* A-B-C \({', '.join(sorted(real))}\)"):
        lw.analyse(model.with_branches({"A": missing}))


def test_an_assembly_that_has_left_the_branch_is_refused() -> None:
    model = mechanisms.four_bar()
    topology = lw.analyse(model)
    situation = situate(topology, topology.geometry.defaults)
    check_branches(model.with_branches({"B": "left"}), situation)
    with pytest.raises(lw.errors.AssemblyError, match=r"branches\.A-B-C: right: .* comes out in 'left'"):
        check_branches(model.with_branches({"B": "right"}), situation)


def test_a_value_out_of_reach_is_refused_in_every_branch() -> None:
    # crank 0.3 m and rod 0.9 m: the slider comes no farther than 1.2 m
    near, far = (
        linkages.slider_crank(initial={"guide": {"position": at}}, branches={"A": "right"}) for at in (1.1, 1.25)
    )
    assert reading(lw.analyse(near), "guide", "position") == pytest.approx(1.1, abs=1e-9)
    with pytest.raises(lw.errors.AssemblyError, match=r"guide\.position|stays open"):
        lw.analyse(far)


def test_a_copy_with_other_branches_keeps_the_others() -> None:
    model = library("stephenson_1").with_branches({"A-B-C": "right"})
    assert model.with_branches({"D": "right"}).branches == {"A-B-C": "right", "D": "right"}
    assert model.with_branches({"B": "left"}).branches == {"B": "left"}
    assert library("stephenson_1").branches == {}
