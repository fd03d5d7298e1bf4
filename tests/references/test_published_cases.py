"""Published cases with their own tolerances, in every kind of coordinates and both formulations.

Each test names its source. Digits marked 'tight' were computed independently of any multibody program.
"""

from __future__ import annotations

import itertools

import mechanisms
import numpy as np
import pytest
from combinations import KINDS, every_combination

import linkwork as lw


def run(model: lw.Model, times: list[float], coordinates: str, formulation: str, rtol: float = 1e-10) -> lw.Result:
    result = lw.simulate(
        model, times=[0.0, *times], coordinates=coordinates, formulation=formulation, rtol=rtol, atol=rtol / 100
    )
    assert result.outcome.completed, result.outcome
    assert result.closure_error.max() <= 1e-8
    return result


def at(result: lw.Result, names: list[str], time: float) -> np.ndarray:
    index = int(np.argmin(np.abs(result.time - time)))
    return np.array([result[name][index] for name in names])


@every_combination
def test_simple_pendulum(coordinates: str, formulation: str) -> None:
    # SOURCE: IFToMM library of computational benchmark problems, A01; exact elliptic solution
    result = run(mechanisms.simple_pendulum(), list(np.linspace(0.1, 10, 100)), coordinates, formulation, rtol=1e-9)
    position = at(result, ["P.x", "P.y"], 10.0)
    np.testing.assert_allclose(position, [-0.2750874625764, -0.9614192050990], rtol=0, atol=1e-6)
    assert abs(result["rod.speed"][-1] - 4.343160692864) < 1e-6
    assert np.abs(result.energy - result.energy[0]).max() < 1e-6


def test_pendulum_period_from_events() -> None:
    # SOURCE: period 4 sqrt(L/g) K(1/2) of the pendulum that starts level
    event = {"level": lw.Event("rod.speed", direction=-1)}
    result = lw.simulate(mechanisms.simple_pendulum(), 8, events=event, rtol=1e-11, atol=1e-13)
    times = [record.time for record in result.events]
    np.testing.assert_allclose(np.diff(times), 2.3678419475762, rtol=0, atol=1e-8)


# near an aligned position rounding errors of dependent rates grow like 1/distance³: in natural coordinates a change of
# gravity by 1e-14 decides whether 1e-11 is reached; in mixed coordinates they meet angles of couplers that stay zero,
# which have the absolute tolerance alone: tighter ones are out of reach there
PASSES = [("relative", rtol) for rtol in (1e-8, 1e-9, 1e-10, 1e-11)]
PASSES += [("natural", rtol) for rtol in (1e-8, 1e-9, 1e-10)]
PASSES += [("mixed", 1e-8), ("mixed", 1e-9)]


@pytest.mark.matrix("coordinates")
@pytest.mark.parametrize(("coordinates", "rtol"), PASSES)
def test_two_window_four_bar_passes_the_aligned_positions(coordinates: str, rtol: float) -> None:
    # SOURCE: IFToMM A02 with N = 2; exact one-freedom reduction I θ'' = W sin θ
    result = run(mechanisms.n_four_bar(2), list(np.linspace(0.1, 10, 100)), coordinates, "partitioning", rtol)
    np.testing.assert_allclose(at(result, ["B0.x", "B0.y"], 10.0), [0.328458111536, 0.944518538180], atol=1e-4)
    np.testing.assert_allclose(at(result, ["B0.x", "B0.y"], 4.0), [0.117616102376, 0.993059138451], atol=1e-4)
    assert np.abs(result.energy - result.energy[0]).max() < 1e-3
    for k in (1, 2):
        assert np.abs(result[f"A{k}.angle"] - result["A0.angle"]).max() < 1e-6


@pytest.mark.filterwarnings("ignore::linkwork.errors.AuditWarning")
def test_two_window_four_bar_with_multipliers_passes_or_stops_honestly() -> None:
    # SOURCE: as above. Index-1 equations lose their rank when aligned; steps that land there cannot be continued, and
    # whether one does is decided by rounding errors
    passed = 0
    for coordinates, rtol in itertools.product(KINDS, (1e-8, 1e-9, 1e-10, 1e-11, 1e-12)):
        result = lw.simulate(
            mechanisms.n_four_bar(2),
            times=np.linspace(0.1, 10, 100),
            coordinates=coordinates,
            formulation="multipliers",
            rtol=rtol,
            atol=rtol / 100,
        )
        for k in (1, 2):
            assert np.abs(result[f"A{k}.angle"] - result["A0.angle"]).max() < 1e-6
        if result.outcome.completed:
            # steps just beside the position lose energy, and say so
            right = np.allclose(at(result, ["B0.x", "B0.y"], 10.0), [0.328458111536, 0.944518538180], rtol=0, atol=1e-4)
            assert right or not result.audit.passed
            passed += bool(right)
            continue
        assert "singular position" in result.outcome.reason
        assert result.outcome.element in result.source.mechanism.model.joints
        # it stopped where the rods lie along the ground
        assert abs(np.sin(result["A0.angle"][-1])) < 0.5
    assert passed


@pytest.mark.matrix("coordinates")
@pytest.mark.parametrize("windows", [2, 5])
@pytest.mark.parametrize("coordinates", KINDS)
def test_baumgarte_stops_at_the_aligned_position_before_its_rods_fold(coordinates: str, windows: int) -> None:
    # SOURCE: as above. Nothing but damped errors holds the branch there, and both branches satisfy the conditions
    for rtol in (1e-6, 1e-9):
        result = lw.simulate(
            mechanisms.n_four_bar(windows),
            until=3.0,
            step=0.01,
            coordinates=coordinates,
            formulation="baumgarte",
            rtol=rtol,
            atol=rtol / 100,
        )
        assert not result.outcome.completed
        assert "singular" in result.outcome.reason and "'partitioning' passes such positions" in result.outcome.reason
        assert abs(np.sin(result["A0.angle"][-1])) < 0.1
        for k in range(1, windows + 1):
            assert np.abs(result[f"A{k}.angle"] - result["A0.angle"]).max() < 1e-5


@pytest.mark.parametrize("windows", [10, 20])
def test_many_windows_pass_the_aligned_positions_in_natural_coordinates(windows: int) -> None:
    # SOURCE: as above, with the exact reduction of the next test
    from scipy.integrate import solve_ivp

    inertia, weight = (windows + 1) / 3 + windows, ((windows + 1) / 2 + windows) * 9.81
    exact = solve_ivp(
        lambda t, y: [y[1], weight / inertia * np.sin(y[0])], (0, 1.0), [0.0, 1.0], "DOP853", rtol=1e-12, atol=1e-12
    )
    result = lw.simulate(mechanisms.n_four_bar(windows), until=1.0, step=0.1, coordinates="natural")
    assert result.outcome.completed
    assert result["A0.angle"][0] - result["A0.angle"][-1] == pytest.approx(exact.y[0, -1], abs=1e-5)
    for k in range(1, windows + 1):
        assert np.abs(result[f"A{k}.angle"] - result["A0.angle"]).max() < 1e-6


@pytest.mark.parametrize("windows", [2, 10, pytest.param(100, marks=pytest.mark.slow)])
def test_parallelograms_in_closed_form_know_no_aligned_position(windows: int) -> None:
    # SOURCE: IFToMM A02; exact reduction I θ'' = W sin θ with I = (N+1)/3 + N, W = ((N+1)/2 + N) g
    from scipy.integrate import solve_ivp

    times = np.linspace(0.1, 10, 100)
    result = lw.simulate(mechanisms.n_four_bar(windows), times=[0.0, *times], rtol=1e-11, atol=1e-12)
    inertia, weight = (windows + 1) / 3 + windows, ((windows + 1) / 2 + windows) * 9.81
    exact = solve_ivp(
        lambda t, y: [y[1], weight / inertia * np.sin(y[0])],
        (0, 10),
        [0.0, 1.0],
        method="DOP853",
        t_eval=times,
        rtol=1e-13,
        atol=1e-13,
    )
    assert result.outcome.completed
    turned = result["A0.angle"][0] - result["A0.angle"][1:]
    np.testing.assert_allclose(turned, exact.y[0], atol=2e-8)
    for k in range(1, windows + 1, max(1, windows // 5)):
        assert np.abs(result[f"A{k}.angle"] - result["A0.angle"]).max() < 1e-12
    assert np.abs(result.energy - result.energy[0]).max() < 1e-9 * windows * result.energy[0]
    assert [block.family.name for block in lw.analyse(mechanisms.n_four_bar(2)).plan.loops] == ["parallelogram"] * 2


ANDREWS_NAMES = ["K1.angle", "F.angle", "K3.angle", "G.angle", "K5.angle", "H.angle", "K7.angle"]
ANDREWS_END = np.array([
    15.81077119629904, -15.75637105984298, 0.04082224013073101, -0.5347301163226948, 0.5244099658805304,
    0.5347301163226948, 1.048080741042263,
])  # fmt: skip
ANDREWS_FORCES = ["E3.fx", "E3.fy", "E4.fx", "E4.fy", "E6.fx", "E6.fy"]


@pytest.mark.matrix("coordinates", "formulation")
@every_combination
def test_andrews_squeezing_mechanism(coordinates: str, formulation: str) -> None:
    # SOURCE: IVP Test Set (PSIDE, tolerance 1e-14); IFToMM A03. The multipliers of its loop equations are the forces
    # that the three bodies which meet the second one in point E receive from it.
    result = run(mechanisms.andrews(), [0.01, 0.02, 0.03], coordinates, formulation)
    error = np.abs(at(result, ANDREWS_NAMES, 0.03) - ANDREWS_END) / (1 + np.abs(ANDREWS_END))
    assert -np.log10(error.max()) >= 6
    multipliers = [199.1753333731910, -29.75531228015052, 23.06654119098399, 31.45271365475927, 22.64249232082739,
                   11.61740700019673]  # fmt: skip
    np.testing.assert_allclose(at(result, ANDREWS_FORCES, 0.03), multipliers, rtol=1e-5)
    balance = result.energy - result.energy[0] - 0.033 * (result["K1.angle"] - result["K1.angle"][0])
    assert np.abs(balance).max() < 1e-6


@pytest.mark.matrix("coordinates", "formulation")
@every_combination
def test_andrews_initial_accelerations_and_multipliers(coordinates: str, formulation: str) -> None:
    # SOURCE: IVP Test Set; a pure check of linear algebra
    result = run(mechanisms.andrews(), [1e-9], coordinates, formulation)
    accelerations = at(result, ["O.acceleration", "F.acceleration"], 0.0)
    np.testing.assert_allclose(accelerations, [14222.4439199541, -10666.8329399656], rtol=1e-8)
    rest = at(
        result, ["K3.acceleration", "G.acceleration", "K5.acceleration", "H.acceleration", "K7.acceleration"], 0.0
    )
    assert np.abs(rest).max() < 1e-8 * 14222
    forces = at(result, ANDREWS_FORCES, 0.0)
    np.testing.assert_allclose(forces, [98.5668703962411, -6.12268834425566, 0, 0, 0, 0], rtol=1e-8, atol=1e-6)


@pytest.mark.matrix("coordinates", "formulation")
@every_combination
def test_bricard_mechanism(coordinates: str, formulation: str) -> None:
    # SOURCE: IFToMM A04; tight values of the third point
    model = mechanisms.bricard()
    topology = lw.analyse(model)
    assert topology.freedoms == 1
    assert len(topology.redundant) == 1
    result = run(model, [1, 2, 3, 5, 8, 10], coordinates, formulation)
    expected = {
        1: (0.27448132, -0.88670794, -0.46233000),
        2: (-0.77813537, -0.98035268, -0.19725267),
        3: (-0.77128136, -0.97926933, -0.20256253),
        5: (0.99993274, -1.0000000, -0.0000672554),
        8: (-0.76435260, -0.97815379, -0.20788255),
        10: (0.99973099, -0.99999996, -0.00026897651),
    }
    for time, place in expected.items():
        np.testing.assert_allclose(at(result, ["P3.x", "P3.y", "P3.z"], time), place, rtol=0, atol=1e-5)
    assert np.abs(result.energy - result.energy[0]).max() < 1e-4


@pytest.mark.matrix("coordinates", "formulation")
@every_combination
def test_modelica_fourbar(coordinates: str, formulation: str) -> None:
    # SOURCE: Modelica Standard Library, MultiBody.Examples.Loops.Fourbar1; tight values
    result = run(mechanisms.modelica_fourbar(), [1, 2, 5], coordinates, formulation)
    for time, values in {1: (7.802163426, 9.361708252), 2: (16.536122507, 10.441778899)}.items():
        np.testing.assert_allclose(at(result, ["j1.angle", "j1.speed"], time), values, rtol=0, atol=1e-4)
    last = at(result, ["j1.angle", "j1.speed", "j2.position"], 5.0)
    np.testing.assert_allclose(last, [40.329165465, 11.740442805, -0.421526638], rtol=0, atol=1e-4)


@pytest.mark.matrix("coordinates", "formulation")
@every_combination
def test_heavy_top(coordinates: str, formulation: str) -> None:
    # SOURCE: Geradin and Cardona's top as in the Exudyn test heavyTop; tight values
    result = run(mechanisms.heavy_top(), [0.2, 1.0], coordinates, formulation)
    centre = ["G.x", "G.y", "G.z"]
    np.testing.assert_allclose(at(result, centre, 0.2), [0.605550561, 0.598957682, -0.523983027], atol=1e-5)
    np.testing.assert_allclose(at(result, centre, 1.0), [0.173343964, 0.640088593, -0.748490791], atol=1e-5)
    quaternion = at(result, [f"top.q{i}" for i in range(4)], 0.2)
    expected = np.array([-0.708279153, 0.438781088, 0.545728396, 0.089399753])
    assert min(np.abs(quaternion - expected).max(), np.abs(quaternion + expected).max()) < 1e-5


@pytest.mark.parametrize("coordinates", KINDS)
@pytest.mark.parametrize(("integrator", "order", "steps"), [("rk4", 4, (1000, 2000)), ("dopri5", 5, (800, 1600))])
def test_heavy_top_shows_the_order_of_the_integrator(
    coordinates: str, integrator: str, order: int, steps: tuple[int, int]
) -> None:
    # SOURCE: judging rule of the heavy top: observed order within 0.2 of the nominal one
    errors = []
    exact = lw.simulate(mechanisms.heavy_top(), 0.2, times=[0.2], coordinates="relative", rtol=1e-13, atol=1e-15)
    for count in steps:
        result = lw.simulate(
            mechanisms.heavy_top(),
            0.2,
            times=[0.2],
            coordinates=coordinates,
            formulation="multipliers",
            integrator=integrator,
            fixed_step=0.2 / count,
        )
        names = ["G.x", "G.y", "G.z"]
        errors.append(np.linalg.norm(at(result, names, 0.2) - at(exact, names, 0.2)))
    assert abs(np.log2(errors[0] / errors[1]) - order) < 0.2


@pytest.mark.matrix("coordinates", "formulation")
@every_combination
def test_double_pendulum_with_damper(coordinates: str, formulation: str) -> None:
    # SOURCE: Modelica Standard Library, MultiBody.Examples.Elementary.DoublePendulum; tight values
    result = run(mechanisms.double_pendulum(), [1, 2, 3], coordinates, formulation)
    names = ["O.angle", "O.speed", "P.angle", "P.speed"]
    expected = {
        1: (-2.91566116, 2.94455532, -0.51521475, -7.24909266),
        2: (-0.03596728, -2.48731313, -0.90410459, -0.63667101),
        3: (-2.31791568, 4.09416473, -1.73653457, -0.05039453),
    }
    for time, values in expected.items():
        np.testing.assert_allclose(at(result, names, time), values, rtol=0, atol=1e-6)


@pytest.mark.matrix("coordinates", "formulation")
@every_combination
def test_geared_rotors(coordinates: str, formulation: str) -> None:
    # SOURCE: Modelica Standard Library, MultiBody.Examples.Rotational3DEffects.GearConstraint; exact solution
    result = run(mechanisms.geared_rotors(), [1, 2, 5], coordinates, formulation)
    assert abs(result["B.angle"][-1] - 4.537446648) < 1e-7
    assert abs(result["B.speed"][-1]) < 1e-7
    np.testing.assert_allclose(result["A.angle"], 10 * result["B.angle"], rtol=0, atol=1e-9)


@every_combination
def test_spring_constant_by_equilibrium_of_accelerations(coordinates: str, formulation: str) -> None:
    # SOURCE: Modelica Standard Library, InitSpringConstant: c = m g / 2 / (1 × 0.1) = 49.03325 N/m
    result = run(mechanisms.spring_bar(), [0.5, 1.0], coordinates, formulation)
    assert np.abs(result["bar.acceleration"]).max() < 1e-9
    assert np.abs(result["bar.angle"]).max() < 1e-10
    off = run(mechanisms.spring_bar(50.0), [0.01], coordinates, formulation)
    # α = (c · 0.1 · 1 − m g / 2) / (m / 3)
    assert abs(off["bar.acceleration"][0] - (5.0 - 9.80665 / 2) * 3) < 1e-9


@pytest.mark.matrix("coordinates", "formulation")
@every_combination
def test_planar_four_bar_in_space(coordinates: str, formulation: str) -> None:
    # the same motion as in the plane, with three redundant constraints named
    model = mechanisms.spatial_four_bar()
    topology = lw.analyse(model)
    assert topology.freedoms == 1 and topology.mobility.by_count == -2
    assert [name.split(":")[0] for name in topology.redundant] == ["joint B"] * 3
    times = list(np.linspace(0.5, 10, 20))
    result = run(model, times, coordinates, formulation)
    flat = run(mechanisms.four_bar(), times, "relative", "partitioning")
    for name in ("B.x", "B.y", "A.x", "O.fx", "O.fy"):
        np.testing.assert_allclose(result[name], flat[name], rtol=1e-6, atol=1e-6)
    for joint in "OABC":
        assert set(result.reactions[joint].not_unique) == {"fz", "mx", "my"}
