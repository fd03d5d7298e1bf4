"""Multistep methods on mechanisms: conditions solved with every step, events, charts, energies."""

from __future__ import annotations

import numpy as np
import pytest
from test_orientation_runs import changes, thrown

import linkwork as lw
from linkwork.testing.integrators import UNTIL, course, crank_rocker, reference


@pytest.mark.matrix("formulation")
@pytest.mark.parametrize("order", [1, 2, 4])
@pytest.mark.parametrize("formulation", ["ggl", "index3"])
def test_backward_differences_keep_their_order_with_conditions(order: int, formulation: str) -> None:
    """Also in their first steps. SOURCE: K. E. Brenan, B. E. Engquist, Math. Comp. 51 (1988) 659, order k in index 3."""
    errors = [
        np.linalg.norm(
            course(integrator=f"bdf{order}", formulation=formulation, fixed_step=UNTIL / count) - reference()
        )
        for count in (128, 256)
    ]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.2)


@pytest.mark.parametrize("formulation", ["canonical_index2", "ggl", "hybrid"])
def test_steps_of_variable_order_are_not_held_up_by_conditions(formulation: str) -> None:
    result = lw.simulate(
        crank_rocker(), until=UNTIL, step=UNTIL / 8, integrator="bdf", formulation=formulation, rtol=1e-6, atol=1e-6
    )
    assert result.statistics["steps"] < 90
    np.testing.assert_allclose([result["O.angle"], result["O.speed"]], reference(), atol=2e-4)


@pytest.mark.parametrize("integrator", ["adams", "bdf"])
def test_events_end_a_run_where_they_should(integrator: str) -> None:
    stop = {"slow": lw.Event("O.speed + 8", stop=True)}
    found, exact = (
        lw.simulate(crank_rocker(), until=2, integrator=name, events=stop) for name in (integrator, "dop853")
    )
    assert found.events[-1].time == pytest.approx(exact.events[-1].time, abs=1e-7)
    assert found["O.speed"][-1] == pytest.approx(-8.0, abs=1e-9)


@pytest.mark.parametrize("integrator", ["adams", "bdf", "abm4", "bdf4"])
def test_charts_change_on_the_way(integrator: str) -> None:
    """Angles of Tait and Bryan of a tumbling body: each change of frame begins the history anew."""
    model = thrown([2.0, 3.0, 0.5], [0.3, 0.5, 0.7])
    fixed = {} if integrator in ("adams", "bdf") else {"fixed_step": 0.002}
    run = lw.simulate(model, 4, step=0.02, coordinates="relative:tait_bryan", integrator=integrator, **fixed)  # type: ignore[arg-type]
    exact = lw.simulate(model, 4, step=0.02, rtol=1e-12, atol=1e-14)
    assert changes(run) >= 1
    for name in ("q0", "q1", "q2", "q3", "wx", "wy", "wz"):
        np.testing.assert_allclose(run[f"body.{name}"], exact[f"body.{name}"], atol=2e-6)


def test_conditions_that_a_method_does_not_keep_are_refused() -> None:
    with pytest.raises(lw.errors.RefusedError, match=r"'am4' cannot integrate.*'bdf'"):
        course(integrator="am4", formulation="ggl", fixed_step=0.01)
    with pytest.raises(lw.errors.RefusedError, match=r"'adams' remembers former steps.*'canonical_independent'"):
        course(integrator="adams", formulation="canonical")
    with pytest.raises(lw.errors.RefusedError, match="'adams' chooses its steps itself"):
        course(integrator="adams", fixed_step=0.01)


@pytest.mark.parametrize("integrator", ["bdf", "adams", "abm4", "bdf3", "newmark", "generalised_alpha"])
def test_momenta_that_are_taken_anew_have_no_history(integrator: str) -> None:
    with pytest.raises(lw.errors.RefusedError, match=rf"'{integrator}'.*momenta anew.*'canonical_independent'"):
        course(
            integrator=integrator,
            formulation="canonical",
            fixed_step=0.01 if integrator not in ("bdf", "adams") else None,
        )


@pytest.mark.parametrize("integrator", ["abm4", "bdf3"])
def test_steps_by_hand_are_those_of_a_run(integrator: str) -> None:
    by_hand = lw.realtime(crank_rocker(), fixed_step=0.001, integrator=integrator, max_iterations=6)
    by_hand.step(100)
    run = lw.simulate(crank_rocker(), until=0.1, step=0.1, integrator=integrator, fixed_step=0.001)
    assert by_hand["O.angle"] == pytest.approx(run["O.angle"][-1], abs=1e-11)
    with pytest.raises(lw.errors.RefusedError, match=r"'bdf' chooses its steps itself.*'abm4'"):
        lw.realtime(crank_rocker(), fixed_step=0.001, integrator="bdf")


def test_the_choice_of_corrections_is_told() -> None:
    result = lw.simulate(
        crank_rocker(), until=0.1, integrator=lw.integrators.adams_bashforth_moulton(4, corrections=0), fixed_step=0.001
    )
    assert "abm4 to convergence" in " ".join(str(result).split())
