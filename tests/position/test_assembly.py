"""Assembly: exact lengths from rough sketches, on the branch of the sketch, with the values that were asked for."""

from __future__ import annotations

from typing import Any

import linkages
import mechanisms
import numpy as np
import pytest
from combinations import KINDS, every_kind
from hypothesis import given
from hypothesis import strategies as st
from random_mechanisms import examples, random_tree, seeds

import linkwork as lw
from linkwork.numerics.policy import POLICY
from linkwork.topology.topology import Topology

few = examples(8)
shifts = st.lists(st.floats(-0.12, 0.12), min_size=4, max_size=4)


def place(topology: Topology, body: str, point: str) -> np.ndarray:
    local = np.atleast_1d(topology.geometry.number(topology.geometry.bodies[body].points[point]))
    return topology.assembly.poses[body].point(local)


def four_bar_data(**more: Any) -> dict[str, Any]:
    return {**mechanisms.four_bar().to_dict(), **more}


def reading(topology: Topology, element: str, name: str) -> float:
    c = topology.conditions
    return float(c.evaluate(topology.assembly.poses, topology.geometry.defaults)[2][c.index(element, name)])


@pytest.mark.parametrize("side", [1.0, -1.0])
@few
@given(shift=shifts)
def test_a_rough_sketch_gives_exact_lengths_on_its_own_branch(side: float, shift: list[float]) -> None:
    a, b = [0.6 + shift[0], 0.8 + shift[1]], [2.6 + shift[2], side * 1.9 + shift[3]]
    topology = lw.analyse(lw.Model(**four_bar_data(points={"O": [0, 0], "A": a, "B": b, "C": [2.2, 0]})))
    A, B, C = place(topology, "crank", "A"), place(topology, "coupler", "B"), np.array([2.2, 0])
    # every row of the joints on the way closes to its tolerance
    close = 4 * POLICY.exact * topology.conditions.length
    lengths = [np.linalg.norm(A), np.linalg.norm(B - A), np.linalg.norm(B - C)]
    np.testing.assert_allclose(lengths, [1.0, 2.5, 2.0], rtol=0, atol=close)
    np.testing.assert_allclose(place(topology, "rocker", "B"), B, atol=close)
    assert topology.assembly.residual < close
    # the branch: on which side of the line from A to C the point B lies
    assert side * np.sign(np.cross(np.append(C - A, 0), np.append(B - A, 0))[2]) > 0
    assert topology.branches == {"A-B-C": "left" if side > 0 else "right"}
    # the crank keeps its sketched angle
    assert np.arctan2(A[1], A[0]) == pytest.approx(np.arctan2(a[1], a[0]), abs=1e-10)
    assert topology.assembly.kept == ("O.angle",)


def test_the_joint_named_in_initial_keeps_its_sketch_before_the_others() -> None:
    topology = lw.analyse(lw.Model(**four_bar_data(initial={"C": {"speed": 1.0}})))
    assert topology.assembly.kept == ("C.angle",)
    drawn = np.arctan2(1.9, 2.9 - 2.2)
    assert reading(topology, "C", "angle") == pytest.approx(drawn, abs=1e-10)


def test_initial_values_are_reached() -> None:
    topology = lw.analyse(lw.Model(**four_bar_data(initial={"O": {"angle": "100 deg", "speed": 3}})))
    assert reading(topology, "O", "angle") == pytest.approx(np.radians(100), abs=1e-10)
    assert topology.assembly.twists["crank"][2] == pytest.approx(3.0, abs=1e-9)


@pytest.mark.parametrize(
    ("driver", "angle", "speed"),
    [
        ({"position": "1.2 + 0.5*sin(3*t)"}, 1.2, 1.5),
        ({"speed": "2*cos(t)", "initial": 1.4}, 1.4, 2.0),
        ({"acceleration": "4", "initial": 1.1, "initial_speed": -0.7}, 1.1, -0.7),
        ({"acceleration": "4", "initial": 1.1}, 1.1, 0.0),
    ],
)
def test_drivers_set_position_and_speed_at_the_start(driver: dict[str, Any], angle: float, speed: float) -> None:
    topology = lw.analyse(lw.Model(**four_bar_data(initial={}, drivers={"motor": {"joint": "O", **driver}})))
    assert reading(topology, "O", "angle") == pytest.approx(angle, abs=1e-10)
    assert topology.assembly.twists["crank"][2] == pytest.approx(speed, abs=1e-9)


def test_velocities_satisfy_the_closed_joints() -> None:
    for model in (mechanisms.four_bar(), linkages.rscr(), linkages.sarrus(), mechanisms.modelica_fourbar()):
        topology = lw.analyse(model)
        c, assembly = topology.conditions, topology.assembly
        _, jacobian, _, _ = c.evaluate(assembly.poses, topology.geometry.defaults)
        d = c.space.dimension
        rate = np.concatenate([assembly.twists[name] for name in c.bodies]).reshape(len(c.bodies), -1)
        rate[:, :d] /= c.length
        assert np.max(np.abs(jacobian @ rate.ravel())) < 1e-10 * np.max(np.abs(rate))
        assert np.max(np.abs(rate)) > 0.1


def test_impossible_lengths_name_a_joint_and_its_bodies() -> None:
    data = four_bar_data()
    data["bodies"] = {**data["bodies"], "coupler": {"bar": ["A", "B"], "length": 9.0, "mass": 2}}
    with pytest.raises(lw.errors.AssemblyError, match=r"joint [OABC] between (\w+) and (\w+) stays open") as caught:
        lw.analyse(lw.Model(**data))
    assert "length" in str(caught.value)


def test_a_value_out_of_reach_names_who_asked_for_it() -> None:
    model = lw.Model(**four_bar_data(initial={"C": {"angle": "170 deg"}}))
    with pytest.raises(lw.errors.AssemblyError, match=r"initial\.C\.angle: C\.angle = .*170 deg cannot be reached"):
        lw.analyse(model)


def rocker_angles() -> np.ndarray:
    """All angles of the rocker of the four-bar, in both of its assemblies, by circles about A and C."""
    turn = np.linspace(0, 2 * np.pi, 400_001)
    away = np.stack([np.cos(turn) - 2.2, np.sin(turn)])
    span, heading = np.hypot(*away), np.arctan2(away[1], away[0])
    cosine = (2.0**2 + span**2 - 2.5**2) / (2 * 2.0 * span)
    corner = np.arccos(cosine[np.abs(cosine) <= 1])
    return np.concatenate([heading[np.abs(cosine) <= 1] + side * corner for side in (1, -1)])


@pytest.mark.parametrize("asked", [170.0, 10.0, -10.0, -170.0, 40.0, -100.0, 60.0])
@pytest.mark.parametrize("by", ["driver", "initial"])
def test_the_nearest_value_is_the_nearest_of_all(asked: float, by: str) -> None:
    """Against a sweep of the crank in both assemblies; a driver beyond the limit of its joint is named with it."""
    gaps = (rocker_angles() - np.radians(asked) + np.pi) % (2 * np.pi) - np.pi
    exact = np.radians(asked) + gaps[np.argmin(np.abs(gaps))]
    how = {"initial": {"C": {"angle": f"{asked} deg"}}} if by == "initial" else {}
    how |= {"drivers": {"m": {"joint": "C", "position": f"{asked} deg + t"}}} if by == "driver" else {}
    model = lw.Model(**four_bar_data(**{"initial": {}, **how}))
    if np.min(np.abs(gaps)) < 1e-4:
        assert reading(lw.analyse(model), "C", "angle") == pytest.approx(np.radians(asked), abs=1e-9)
        return
    with pytest.raises(lw.errors.AssemblyError) as caught:
        lw.analyse(model)
    text = str(caught.value)
    assert ("drivers.m: C.angle" if by == "driver" else "initial.C.angle: C.angle") in text and "stays open" not in text
    assert float(text.split("(nearest: ")[1].split(" rad")[0]) == pytest.approx(exact, abs=2e-5)


def test_a_point_led_out_of_reach_is_told_with_its_nearest_place() -> None:
    """The end of two bars of 1 and 0.7 m goes anywhere between circles of 0.3 and 1.7 m about the first pin."""
    bars = {"upper": {"bar": ["O", "A"], "mass": 1}, "lower": {"bar": ["A", "B"], "mass": 1}}
    joints = {"O": {"kind": "revolute", "bodies": ["ground", "upper"]}, "A": {"kind": "revolute", "bodies": list(bars)}}
    for place, nearest in (((2.0, 1.5), 1.7), ((0.05, 0.1), 0.3)):
        model = lw.Model(
            space="planar",
            points={"O": [0, 0], "A": [1, 0], "B": [1, 0.7]},
            bodies=bars,
            joints=joints,
            drivers={"lead": {"point": "lower.B", "position": list(place)}},
        )
        with pytest.raises(lw.errors.AssemblyError, match=r"drivers\.lead: a point of lower") as caught:
            lw.analyse(model)
        x, y = map(float, str(caught.value).split("(nearest: (")[1].split(") m")[0].split(","))
        exact = nearest * np.array(place) / np.hypot(*place)
        np.testing.assert_allclose([x, y], exact, atol=1e-5)


def test_speeds_that_contradict_a_loop_are_replaced_by_the_nearest() -> None:
    def rates(**initial: float) -> tuple[np.ndarray, tuple[str, ...]]:
        topology = lw.analyse(lw.Model(**four_bar_data(initial={name: {"speed": w} for name, w in initial.items()})))
        twists = topology.assembly.twists
        return np.array([twists["crank"][2], twists["rocker"][2]]), topology.assembly.changed

    (along, silent), (found, told) = rates(O=1.0), rates(O=1.0, C=1.0)
    assert not silent
    # the projection of (1, 1) on the direction in which the loop lets both turn
    np.testing.assert_allclose(found, along * np.sum(along) / np.sum(along**2), atol=1e-12)
    assert [text.split(" =")[0] for text in told] == ["initial.O.speed", "initial.C.speed"]
    assert f"{found[0]:.6g} rad/s taken" in told[0]


@few
@given(seed=seeds, space=st.sampled_from(["planar", "spatial"]))
def test_a_sketch_that_closes_already_is_not_moved(seed: int, space: str) -> None:
    rng = np.random.default_rng(seed)
    kinds = ["revolute", "prismatic", "revolute"] if space == "planar" else ["universal", "cylindrical", "spherical"]
    topology = lw.analyse(lw.Model(**random_tree(rng, space, kinds, closing=["revolute"])))
    assert topology.assembly.moved < 1e-9
    for name in topology.geometry.bodies:
        np.testing.assert_allclose(topology.assembly.poses[name].axes, topology.geometry.sketch()[name].axes, atol=1e-9)


def test_floating_bodies_start_where_initial_says() -> None:
    flat = lw.analyse(linkages.floating_pair("planar"))
    centre = flat.assembly.poses["a"].point(np.array([0.05, -0.02]))
    np.testing.assert_allclose(centre, [0.1, -0.2], atol=1e-10)
    twist = flat.assembly.twists["a"]
    arm = centre - flat.assembly.poses["a"].origin
    np.testing.assert_allclose(twist[:2] + twist[2] * np.array([-arm[1], arm[0]]), [0.4, 0.3], atol=1e-9)
    assert flat.assembly.twists["b"][2] - twist[2] == pytest.approx(-3.0, abs=1e-9)
    space = lw.analyse(linkages.floating_pair())
    twist, pose = space.assembly.twists["a"], space.assembly.poses["a"]
    np.testing.assert_allclose(twist[3:], [1.0, 2.0, -0.5], atol=1e-9)
    arm = pose.axes @ np.array([0.05, -0.02, 0.03])
    np.testing.assert_allclose(twist[:3] + np.cross(twist[3:], arm), [0.4, 0.3, -0.2], atol=1e-9)


def test_a_relative_spin_of_a_spherical_joint_is_counted_from_parent_to_child() -> None:
    topology = lw.analyse(linkages.spherical_chain())
    twists = topology.assembly.twists
    np.testing.assert_allclose(twists["upper"][3:], [0.5, -1.0, 2.0], atol=1e-10)
    # the joint was declared from the lower rod to the upper one
    np.testing.assert_allclose(twists["upper"][3:] - twists["lower"][3:], [0.3, 0.2, -0.8], atol=1e-10)


def test_the_angle_of_a_planar_joint_starts_within_half_a_turn() -> None:
    # the two bars point at 169 and -171 degrees: the joint is bent by 20 degrees, not by -340
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [-1, 0.2], "B": [-2, 0.05]},
        bodies={"a": {"bar": ["O", "A"], "mass": 1}, "b": {"bar": ["A", "B"], "mass": 1}},
        joints={"O": linkages.revolute("ground", "a"), "A": linkages.revolute("a", "b")},
    )
    bent = np.arctan2(-0.15, -1) - np.arctan2(0.2, -1) + 2 * np.pi
    for kind in KINDS:
        result = lw.simulate(model, 0.01, step=0.01, coordinates=kind)
        assert result["A.angle"][0] == pytest.approx(bent, abs=1e-12)


@pytest.mark.matrix("kind")
@every_kind
@pytest.mark.parametrize("angle", [190.0, -200.0, 400.0])
def test_an_angle_that_was_asked_for_keeps_its_turns(kind: str, angle: float) -> None:
    model = lw.Model(**{**mechanisms.simple_pendulum().to_dict(), "initial": {"O": {"angle": f"{angle} deg"}}})
    result = lw.simulate(model, 0.01, step=0.01, coordinates=kind)
    assert result["O.angle"][0] == pytest.approx(np.radians(angle), abs=1e-10)
    driven = lw.Model(
        **{**model.to_dict(), "initial": {}, "drivers": {"motor": {"joint": "O", "position": f"{angle} deg"}}}
    )
    result = lw.simulate(driven, 0.01, step=0.01, coordinates=kind)
    assert result["O.angle"][0] == pytest.approx(np.radians(angle), abs=1e-10)


@few
@given(degrees=st.integers(-179, 180), turn=st.integers(-179, 180))
def test_sliding_and_fixed_joints_close_whichever_way_the_bodies_point(degrees: int, turn: int) -> None:
    way = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "A": way.tolist(), "P": (way / 2).tolist(), "Q": (way / 2 + [0.3, 0.2]).tolist()},
        bodies={
            "bar": {"bar": ["O", "A"], "mass": 1},
            "collar": {"points": ["P"], "mass": 1, "inertia": 0.1},
            "fin": {"bar": ["P", "Q"], "mass": 1},
        },
        joints={
            "O": linkages.revolute("ground", "bar"),
            "P": {"kind": "prismatic", "bodies": ["bar", "collar"], "axis": way.tolist()},
            "weld": {"kind": "fixed", "bodies": ["collar", "fin"], "at": "P"},
        },
        initial={"O": {"angle": f"{turn} deg"}},
    )
    topology = lw.analyse(model)
    # everything turns together: the angles between the bodies stay as they were drawn
    poses = topology.assembly.poses
    swing = np.radians(turn - degrees)
    for name in topology.geometry.bodies:
        gap = poses[name].angle - topology.geometry.sketch()[name].angle - swing
        assert abs((gap + np.pi) % (2 * np.pi) - np.pi) < 1e-9
    np.testing.assert_allclose(np.linalg.norm(place(topology, "fin", "P")), 0.5, atol=1e-9)


# -- remedies ----------------------------------------------------------------------------------------------------------


def bars(a: float, b: float, c: float, **more: object) -> lw.Model:
    """A four-bar on pins 3 m apart; the sketch is that of bars of 1, 4 and 3.5 m."""
    return lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [0.5, 0.8], "B": [3.57, 3.45], "C": [3, 0]},
        bodies={
            "crank": {"bar": ["O", "A"], "length": a, "mass": 1},
            "coupler": {"bar": ["A", "B"], "length": b, "mass": 4},
            "rocker": {"bar": ["C", "B"], "length": c, "mass": 3.5},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
            "A": {"kind": "revolute", "bodies": ["crank", "coupler"]},
            "B": {"kind": "revolute", "bodies": ["coupler", "rocker"]},
            "C": {"kind": "revolute", "bodies": ["ground", "rocker"]},
        },
        **more,
    )


@pytest.mark.parametrize(
    ("lengths", "miss", "side"),
    [
        ((1, 10, 3.5), 2.5, "coupler is 10 m from A to B, more than rocker, the ground and crank together (7.5 m)"),
        ((0.5, 0.5, 0.5), 1.5, "the ground is 3 m from C to O, more than rocker, crank and coupler together (1.5 m)"),
        ((20, 4, 3.5), 9.5, "crank is 20 m from O to A, more than"),
    ],
)
def test_lengths_that_cannot_close_are_told_with_what_they_miss(lengths, miss, side):
    """The least opening of a loop of pins is that of its longest side over the sum of the others."""
    with pytest.raises(lw.errors.AssemblyError) as caught:
        lw.analyse(bars(*lengths))
    text = str(caught.value)
    assert f"by at least {miss:g} m" in text and side in text
    assert all(name in text for name in ("O", "A", "B", "C")) and "nearest: " in text


def test_initial_positions_that_contradict_each_other_are_both_named():
    with pytest.raises(lw.errors.AssemblyError) as caught:
        lw.analyse(bars(1, 4, 3.5, initial={"O": {"angle": 1}, "C": {"angle": 1.9}}))
    text = str(caught.value)
    assert "initial.O.angle (O.angle = 1 rad" in text and "initial.C.angle (C.angle = 1.9 rad" in text
    # the rocker where the crank is at 1 rad: |B − A| = 4, |B − C| = 3.5
    a, c = np.array([np.cos(1), np.sin(1)]), np.array([3.0, 0.0])
    d = np.linalg.norm(a - c)
    inner = np.arccos((3.5**2 + d**2 - 16) / (2 * 3.5 * d))
    assert f"{np.arctan2(*(a - c)[::-1]) - inner:.5g}" in text
