"""Runs: live parameters, events, output grids, early ends with their reasons, and names of quantities."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import linkages
import mechanisms
import numpy as np
import pytest
from combinations import every_kind

import linkwork as lw
from linkwork.machine import compilation_count
from linkwork.results.outcome import Status

G = 9.81


def four_bar(
    live: bool, coupler: float = 2.5, mass: float = 2.0, gravity: float = 9.81, stiffness: float = 30.0
) -> lw.Model:
    values = {"coupler": coupler, "heavy": mass, "g0": gravity, "k": stiffness, "speed": 2.0}
    data = mechanisms.four_bar().to_dict()
    data["parameters"] = {name: {"value": value, "live": live} for name, value in values.items()}
    data["gravity"] = [0, "-g0"]
    data["bodies"]["coupler"] = {"bar": ["A", "B"], "length": "coupler", "mass": "heavy"}
    data["forces"] = {"s": {"kind": "torsion_spring", "joint": "C", "stiffness": "k", "free_angle": 1.0}}
    data["initial"] = {"O": {"speed": "speed"}}
    return lw.Model(**data)


@pytest.mark.matrix("formulation", "kind")
@every_kind
@pytest.mark.parametrize("formulation", ["partitioning", "multipliers"])
def test_live_parameters_equal_fixed_ones_and_compile_nothing(
    kind: str, formulation: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # an empty cache, so that everything new would have to be compiled
    monkeypatch.setenv("LINKWORK_CACHE", str(tmp_path))
    options: dict[str, Any] = {"step": 0.1, "rtol": 1e-11, "coordinates": kind, "formulation": formulation}
    model = four_bar(True)
    start = compilation_count()
    first = lw.simulate(model, 0.5, **options)
    names = ("B.x", "B.vy", "rocker.ay", "C.fx", "energy.total", "O.angle")
    before = first.values(names)
    count = compilation_count()
    assert count > start
    changed = {"coupler": "2.2 m", "heavy": 3.5, "g0": 4.0, "k": 80.0}
    second = lw.simulate(model, 0.5, parameters=changed, **options)
    values = second.values(names)
    assert compilation_count() == count
    fixed = lw.simulate(four_bar(False, 2.2, 3.5, 4.0, 80.0), 0.5, **options)
    for name in names:
        np.testing.assert_allclose(values[name], fixed[name], atol=1e-8, err_msg=name)
    # and back again
    again = lw.simulate(model, 0.5, **options).values(names)
    for name in names:
        np.testing.assert_array_equal(again[name], before[name])
    assert abs(values["B.x"][0] - before["B.x"][0]) > 0.01


@every_kind
def test_live_points_of_the_sketch_move_what_is_drawn_at_them(kind: str) -> None:
    def model(live: bool, width: float, turn: float) -> lw.Model:
        data = mechanisms.four_bar().to_dict()
        data["parameters"] = {"width": {"value": width, "live": live}, "turn": {"value": turn, "live": live}}
        data["points"] = {**data["points"], "C": ["width", 0], "A": ["cos(turn)", "sin(turn)"]}
        return lw.Model(**data)

    options: dict[str, Any] = {"step": 0.1, "rtol": 1e-11, "coordinates": kind}
    varied = lw.simulate(model(True, 2.2, 0.9), 0.3, parameters={"width": 2.4, "turn": 1.1}, **options)
    fixed = lw.simulate(model(False, 2.4, 1.1), 0.3, **options)
    for name in ("C.x", "B.x", "O.angle", "rocker.vy"):
        np.testing.assert_allclose(varied[name], fixed[name], atol=1e-8, err_msg=name)


@every_kind
def test_live_directions_of_joints_turn_with_their_parameters(kind: str) -> None:
    def model(live: bool, tilt: float) -> lw.Model:
        return lw.Model(
            space="planar",
            gravity=[0, -G],
            parameters={"tilt": {"value": tilt, "live": live}},
            points={"O": [0, 0], "A": [0.1, 0]},
            bodies={"block": {"points": ["O", "A"], "com": "O", "mass": 1, "inertia": 0.1}},
            joints={"O": {"kind": "prismatic", "bodies": ["ground", "block"], "axis": ["cos(tilt)", "sin(tilt)"]}},
        )

    options: dict[str, Any] = {"step": 0.5, "coordinates": kind}
    result = lw.simulate(model(True, 0.3), 1.0, parameters={"tilt": 1.0}, **options)
    np.testing.assert_allclose(result["O.position"], -G * np.sin(1.0) * result.time**2 / 2, atol=1e-9)


def test_unknown_and_fixed_parameters_are_refused_by_name() -> None:
    with pytest.raises(lw.errors.UnknownNameError, match="coupler"):
        lw.simulate(four_bar(True), 0.1, parameters={"couplr": 2.0})
    with pytest.raises(lw.errors.UnknownNameError, match="live: true"):
        lw.simulate(four_bar(False), 0.1, parameters={"coupler": 2.0})


# -- events ------------------------------------------------------------------------------------------------------------


@every_kind
def test_events_are_found_where_energy_says(kind: str) -> None:
    """A point mass falls from the horizontal: at the bottom after K(1/√2) √(L/g) (complete elliptic integral)."""
    from scipy.special import ellipk

    quarter = float(ellipk(0.5)) * np.sqrt(1 / G)
    down = lw.Event("rod.x", direction=0)
    result = lw.simulate(
        mechanisms.simple_pendulum(), 2.0, events={"bottom": down, "rising": lw.Event("rod.vy", 1)}, coordinates=kind,
        rtol=1e-11,
    )  # fmt: skip
    bottoms = [event.time for event in result.events if event.name == "bottom"]
    np.testing.assert_allclose(bottoms, [quarter, 3 * quarter], atol=1e-9)
    rising = [event.time for event in result.events if event.name == "rising"]
    np.testing.assert_allclose(rising, [quarter, 3 * quarter], atol=1e-8)
    assert [event.time for event in result.events] == sorted(event.time for event in result.events)


@every_kind
def test_a_terminal_event_ends_the_run(kind: str) -> None:
    stop = {"low": lw.Event("rod.y + 0.5", -1, stop=True)}
    result = lw.simulate(mechanisms.simple_pendulum(), 2.0, events=stop, coordinates=kind, rtol=1e-11)
    assert result.status is Status.STOPPED_BY_EVENT
    assert "low" in str(result.outcome)
    assert result.time[-1] == pytest.approx(result.outcome.time)
    assert result["rod.y"][-1] == pytest.approx(-0.5, abs=1e-9)
    assert np.all(result["rod.y"][:-1] > -0.5)


def test_events_name_unknown_quantities() -> None:
    with pytest.raises(lw.LinkworkError, match=r"rod\.xx"):
        lw.simulate(mechanisms.simple_pendulum(), 1.0, events={"e": "rod.xx"})


# -- output grids ------------------------------------------------------------------------------------------------------


def test_output_grids() -> None:
    model = mechanisms.simple_pendulum()
    np.testing.assert_allclose(lw.simulate(model, 1.0, step=0.3).time, [0, 0.3, 0.6, 0.9, 1.0])
    np.testing.assert_allclose(lw.simulate(model, "1 s", step="250 ms").time, [0, 0.25, 0.5, 0.75, 1.0])
    np.testing.assert_array_equal(lw.simulate(model, 1.0, times=[0.1, 0.7]).time, [0.1, 0.7])
    assert len(lw.simulate(model, 0.5).time) == 1001


def test_times_that_are_asked_for_are_those_that_come() -> None:
    """A run begins at t = 0 all the same: works and balances count from there, and so does the audit."""
    data = mechanisms.four_bar().to_dict()
    data["forces"] = {"s": {"kind": "torsion_spring", "joint": "C", "stiffness": 30, "free_angle": 1.0, "damping": 2}}
    model = lw.Model(**data)
    whole, some = (lw.simulate(model, times=times) for times in ([0, 1, 2, 3], [1, 2, 3]))
    assert [*some.time] == [1.0, 2.0, 3.0]
    assert abs(whole["work.dissipated"][1]) > 1.0
    for name in whole.names():
        np.testing.assert_allclose(some[name], whole[name][1:], rtol=1e-8, atol=1e-8, err_msg=name)
    pushes = [result.reactions(axes="child")["C"]["fx"] for result in (whole, some)]
    np.testing.assert_allclose(pushes[1], pushes[0][1:], rtol=1e-9)
    assert some.audit.passed and some.audit.checks == whole.audit.checks
    assert [*lw.simulate(model, times=[3]).time] == [3.0]
    on = lw.simulate(some, times=[4, "5 s"])
    assert [*on.time] == [4.0, 5.0]
    np.testing.assert_allclose(on["O.angle"], lw.simulate(model, times=[4, 5])["O.angle"], atol=1e-6)


def test_times_of_a_motion_are_those_that_come_too() -> None:
    motion, times = {"O.speed": "2 + sin(t)"}, [0.0, 1.0, 2.5]
    whole, some = (lw.solve_kinematics(mechanisms.four_bar(), motion, times=asked) for asked in (times, times[1:]))
    assert [*some.time] == times[1:] and some.audit.passed
    for name in whole.names():
        np.testing.assert_allclose(some[name], whole[name][1:], rtol=1e-9, atol=1e-9, err_msg=name)


def test_a_run_that_comes_to_no_time_that_was_asked_for_has_where_it_began() -> None:
    event = {"soon": lw.Event("t - 0.25", stop=True)}
    run = lw.simulate(mechanisms.four_bar(), times=[1, 2], events=event)
    assert run.status is Status.STOPPED_BY_EVENT and [*run.time] == pytest.approx([0.25])
    data = mechanisms.simple_pendulum().to_dict()
    data["drivers"] = {"motor": {"joint": next(iter(data["joints"])), "position": "(100000*t)^60"}}
    run = lw.simulate(lw.Model(**{**data, "initial": {}}), times=[1, 2])
    assert run.status is Status.STOPPED_EARLY and [*run.time] == [0.0]
    with pytest.raises(lw.errors.RefusedError, match="times: there are none"):
        lw.simulate(mechanisms.four_bar(), times=[])


def test_the_grid_does_not_change_the_motion() -> None:
    model = mechanisms.four_bar()
    coarse = lw.simulate(model, 1.0, step=0.5)
    fine = lw.simulate(model, 1.0, step=0.01)
    np.testing.assert_allclose(fine["B.x"][::50], coarse["B.x"], atol=1e-14)
    np.testing.assert_array_equal(fine.steps, coarse.steps)


@pytest.mark.parametrize(("until", "step"), [(-1, None), (0, None), (1, 2), (1, 0), (1, -0.1)])
def test_impossible_grids_are_refused(until: float, step: float | None) -> None:
    with pytest.raises(lw.errors.RefusedError, match=r"until|step"):
        lw.simulate(mechanisms.simple_pendulum(), until, step=step)


# -- early ends --------------------------------------------------------------------------------------------------------


@pytest.mark.matrix("kind", "formulation")
@pytest.mark.parametrize("formulation", ["partitioning", "multipliers"])
@every_kind
def test_a_mechanism_driven_past_its_limit_stops_where_geometry_says(kind: str, formulation: str) -> None:
    """A four-bar that cannot turn round: the input stops where coupler and rocker are stretched."""
    data = mechanisms.four_bar().to_dict() | {"initial": {}}
    data["points"] = {"O": [0, 0], "A": [0, 1.5], "B": [1.8, 1.6], "C": [2, 0]}
    for name, length in (("crank", 1.5), ("coupler", 1.9), ("rocker", 1.2)):
        data["bodies"][name] = {**data["bodies"][name], "length": length}
    data["drivers"] = {"motor": {"joint": "O", "position": "pi/2 + t"}}
    result = lw.simulate(lw.Model(**data), 3.0, step=0.1, coordinates=kind, formulation=formulation)
    assert result.status is Status.STOPPED_EARLY
    limit = np.arccos((1.5**2 + 2.0**2 - (1.9 + 1.2) ** 2) / (2 * 1.5 * 2.0)) - np.pi / 2
    assert result.outcome.time == pytest.approx(limit, abs=2e-3)
    assert result.outcome.element in (*"OABC", "motor", "crank", "coupler", "rocker")
    assert result.outcome.element in str(result.outcome)
    assert f"{result.outcome.time:.6g}" in str(result.outcome)
    # what was reached is kept and sound
    assert np.max(result.closure_error) < 1e-9


@every_kind
def test_a_force_that_is_no_number_stops_the_run_and_says_so(kind: str) -> None:
    data = mechanisms.simple_pendulum().to_dict()
    data["forces"] = {"bad": {"kind": "effort", "joint": "O", "value": "sqrt(0.3 - t)"}}
    result = lw.simulate(lw.Model(**data), 1.0, step=0.05, coordinates=kind)
    assert result.status is Status.STOPPED_EARLY
    assert result.outcome.time == pytest.approx(0.3, abs=1e-3)
    assert "finite" in result.outcome.reason or "number" in result.outcome.reason
    assert np.all(np.isfinite(result["O.angle"]))


def test_a_run_that_stops_says_so_when_it_is_printed() -> None:
    data = mechanisms.simple_pendulum().to_dict()
    data["forces"] = {"bad": {"kind": "effort", "joint": "O", "value": "sqrt(0.3 - t)"}}
    assert "stopped at t = 0.3" in str(lw.simulate(lw.Model(**data), 1.0, step=0.05).outcome)


def test_unknown_methods_are_refused_with_the_known_ones() -> None:
    model = mechanisms.simple_pendulum()
    for option, wrong, right in (
        ("coordinates", "cartesian", "reference_point"),
        ("formulation", "lagrange", "multipliers"),
        ("integrator", "rk5", "dopri5"),
        ("backend", "gpux", "cpu"),
    ):
        with pytest.raises(lw.LinkworkError, match=right):
            lw.simulate(model, 1.0, **{option: wrong})


# -- quantities --------------------------------------------------------------------------------------------------------


def test_the_same_model_is_prepared_once() -> None:
    model = mechanisms.four_bar()
    assert lw.prepare(model) is lw.prepare(model)
    assert lw.prepare(model, formulation=lw.formulations.Baumgarte(1, 1)) is not lw.prepare(
        model, formulation=lw.formulations.Baumgarte(2, 2)
    )
    twin = mechanisms.four_bar()
    assert lw.prepare(twin) is lw.prepare(model)


@every_kind
def test_velocities_and_accelerations_are_derivatives(kind: str) -> None:
    for model in (linkages.rscr(), linkages.spatial_slider_crank()):
        h = 1e-4
        times = np.concatenate([[0.2 - h, 0.2, 0.2 + h], [0.31 - h, 0.31, 0.31 + h]])
        result = lw.simulate(model, 0.4, times=times, coordinates=kind, rtol=1e-12, atol=1e-13)
        moving = [name for name in result.names() if f"{name}"[-2:] in (".x", ".y", ".z") and "origin" not in name]
        moving = [name for name in moving if name.rsplit(".", 1)[0] + ".vx" in result]
        for name in moving:
            head, axis = name.rsplit(".", 1)
            for position, rate in ((name, f"{head}.v{axis}"), (f"{head}.v{axis}", f"{head}.a{axis}")):
                values = result[position]
                for k in (0, 3):
                    slope = (values[k + 2] - values[k]) / (2 * h)
                    size = max(1.0, float(np.max(np.abs(result[rate]))))
                    assert slope == pytest.approx(result[rate][k + 1], abs=2e-5 * size), rate


@every_kind
def test_joint_rates_are_derivatives_of_joint_coordinates(kind: str) -> None:
    h = 1e-4
    for model in (
        linkages.rscr(),
        linkages.spatial_slider_crank(),
        mechanisms.modelica_fourbar(),
        linkages.slider_crank(),
    ):
        result = lw.simulate(model, 0.1, times=[0.05 - h, 0.05, 0.05 + h], coordinates=kind, rtol=1e-12, atol=1e-13)
        for joint, declared in model.joints.items():
            for f in declared.freedoms:
                value, rate = result[f"{joint}.{f.name}"], result[f"{joint}.{f.rate}"]
                slope = (value[2] - value[0]) / (2 * h)
                assert slope == pytest.approx(rate[1], abs=1e-5 * max(1.0, abs(rate[1]))), (joint, f.rate)
                single = len(declared.freedoms) == 1
                name = f"{joint}.acceleration" if single else f"{joint}.{f.name}_acceleration"
                bend = (rate[2] - rate[0]) / (2 * h)
                size = max(1.0, abs(result[name][1]))
                assert bend == pytest.approx(result[name][1], abs=1e-4 * size), name


@pytest.mark.parametrize("formulation", ["partitioning", "multipliers"])
def test_points_that_slide_apart_have_their_own_names(formulation: str) -> None:
    result = lw.simulate(linkages.rscr(), 0.4, step=0.1, formulation=formulation)
    gap = np.sqrt(sum((result[f"rocker.B.{axis}"] - result[f"B.{axis}"]) ** 2 for axis in "xyz"))
    np.testing.assert_allclose(gap, np.abs(result["B.position"]), atol=1e-10)
    assert gap[-1] > 1e-3


@every_kind
def test_live_points_held_by_the_ground_move_what_is_fastened_there(kind: str) -> None:
    def model(live: bool, reach: float) -> lw.Model:
        return lw.Model(
            space="planar",
            gravity=[0, -G],
            parameters={"reach": {"value": reach, "live": live}},
            points={"O": [0, 0], "A": ["reach", 0], "Q": [0, -1]},
            bodies={
                "arm": {"bar": ["O", "A"], "length": 1, "mass": 1},
                "rod": {"bar": ["O", "Q"], "mass": 1},
            },
            joints={
                "first": {"kind": "revolute", "bodies": ["ground", "arm"], "at": "O"},
                "second": {"kind": "revolute", "bodies": ["ground", "rod"], "at": "O"},
            },
            # where A is drawn, not the end of the arm
            forces={"s": {"kind": "spring", "between": ["ground.A", "rod.Q"], "free_length": 0, "stiffness": 20}},
        )

    options: dict[str, Any] = {"step": 0.1, "rtol": 1e-11, "coordinates": kind}
    varied = lw.simulate(model(True, 1.0), 0.5, parameters={"reach": 1.7}, **options)
    fixed = lw.simulate(model(False, 1.7), 0.5, **options)
    np.testing.assert_allclose(varied["second.angle"], fixed["second.angle"], atol=1e-9)
    # at the start the spring pulls with k (1.7, 1) on a rod of m L²/3 that hangs down: τ = L k · 1.7
    assert abs(varied["second.acceleration"][0] - 3 * 20 * 1.7) < 1e-9
