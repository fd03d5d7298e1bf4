"""Tables over time as forces and motions: impulses are the exact integrals, and no step goes across a row."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import PchipInterpolator

import linkwork as lw

MASS = 2.0
HEAD = f"""
space: planar
parameters: {{scale: {{value: 1, live: true}}}}
points: {{P: [0, 0]}}
bodies: {{cart: {{points: [P], mass: {MASS} kg}}}}
joints: {{J: {{kind: prismatic, bodies: [ground, cart], at: P, axis: [1, 0]}}}}
"""
HAND = "forces: {hand: {kind: force, at: cart.P, value: [scale*push, 0]}}\n"


def cart(definition: str, more: str = HAND) -> lw.Model:
    return lw.loads(HEAD + f"definitions: {{push: {definition}}}\n" + more)


@pytest.mark.parametrize("integrator", [None, "radau5", "rk4"])
@pytest.mark.parametrize("scale", [1.0, -3.0])
def test_a_triangle_gives_its_impulse(integrator, scale):
    """F from 0 to 100 N at 0.5 s and back at 1 s: m v = 50 N s, and x = 12.5 m at 1 s by symmetry."""
    options = {} if integrator is None else {"integrator": integrator}
    options |= {"fixed_step": 0.03} if integrator == "rk4" else {}
    run = lw.simulate(
        cart("{table: [[0, 0], [500 ms, 0.1 kN], [1, 0]]}"), until=2.0, step=0.5, parameters={"scale": scale}, **options
    )
    np.testing.assert_allclose(run["J.speed"][-3:], scale * 25.0, rtol=1e-12)
    np.testing.assert_allclose(run["J.position"][-1], scale * (12.5 + 25.0), rtol=1e-12)
    np.testing.assert_allclose(run["push"], [0.0, 100.0, 0.0, 0.0, 0.0], atol=1e-12)


def test_two_rows_at_one_time_are_a_jump_and_ends_go_on():
    """50 N up to 0.3 s, then 120 N until 0.7 s, then none; a row before the start counts too."""
    run = lw.simulate(cart("{table: [[-1, 50], [0.3, 50], [0.3, 120], [0.7, 120], [0.7, 0]]}"), until=1.0, rtol=1e-3)
    assert run["J.speed"][-1] == pytest.approx((50 * 0.3 + 120 * 0.4) / MASS, rel=1e-12)
    late = lw.simulate(cart("{table: [[0, 0], [1, 40]]}"), until=3.0)
    assert late["J.speed"][-1] == pytest.approx((20.0 + 80.0) / MASS, rel=1e-12)


def test_a_smooth_table_is_the_monotone_interpolation_of_fritsch_and_butland():
    x, f = np.array([0.0, 0.2, 0.5, 0.6, 1.0]), np.array([0.0, 30.0, 100.0, 100.0, -20.0])
    rows = ", ".join(f"[{a}, {b}]" for a, b in zip(x, f, strict=True))
    run = lw.simulate(cart(f"{{table: {{rows: [{rows}], interpolation: smooth}}}}"), until=1.0, step=0.01)
    exact = PchipInterpolator(x, f)
    np.testing.assert_allclose(run["push"], exact(run.time), atol=1e-11)
    np.testing.assert_allclose(run["J.speed"], exact.antiderivative()(run.time) / MASS, atol=1e-12)


def test_a_table_may_repeat_and_stand_in_formulas():
    once = cart('{table: [[0, 0], [0.5, 100], [1, 0]], over: "mod(t, 1 [s])"}')
    assert lw.simulate(once, until=4.0)["J.speed"][-1] == pytest.approx(100.0, rel=1e-11)
    inline = cart('"3*linear_table(t, 0, 0, 0.5 [s], scale*100 [N], 1, 0)"', HAND.replace("scale*", ""))
    run = lw.simulate(inline, until=1.0, parameters={"scale": 2.0})
    assert run["J.speed"][-1] == pytest.approx(6 * 25.0, rel=1e-12)


def test_a_table_over_the_way_jumps_where_the_way_is():
    """50 N falling to zero at x = 0, then −20 N: v² = 2/m ∫ F dx, from rest at −0.4 m, and back by 0.4 m · 25/2/20."""
    model = cart(
        "{table: [[-1, 50], [0, 0], [0, -20], [1, -20]], over: J.position}", HAND + "initial: {J: {position: -0.4}}"
    )
    run = lw.simulate(model, until=1.2, step=1e-3, rtol=1e-10)
    energy = 25 * 0.4**2
    x, v = run["J.position"], run["J.speed"]
    there = np.flatnonzero(x > 0)
    np.testing.assert_allclose(MASS / 2 * v[there] ** 2, energy - 20 * x[there], atol=1e-8)


def test_the_table_of_a_file_is_that_of_its_columns_and_units(tmp_path):
    times = np.linspace(0.0, 1.0, 51)
    fx, fy = np.sin(5 * times), times**2
    head = "time [ms],fx [kN],fy [N]"
    np.savetxt(tmp_path / "gait.csv", np.column_stack([1e3 * times, fx, fy]), delimiter=",", header=head, comments="")
    (tmp_path / "m.yaml").write_text(
        HEAD
        + "definitions: {push: {table: {file: gait.csv, column: fx}}, other: {table: {file: gait.csv, column: fy}}}\n"
        "outputs: {sum: push + 0*other}\n" + HAND
    )
    model = lw.load(tmp_path / "m.yaml")
    run = lw.simulate(model, until=1.0)
    assert run["J.speed"][-1] == pytest.approx(np.trapezoid(1e3 * fx, times) / MASS, rel=1e-10)
    assert lw.loads(lw.dump(model)) == model
    for column, text in (("fz", "no column 'fz'"), ("time", "no column 'time'")):
        (tmp_path / "m.yaml").write_text(
            HEAD + f"definitions: {{push: {{table: {{file: gait.csv, column: {column}}}}}}}"
        )
        with pytest.raises(lw.errors.ModelError, match=text):
            lw.load(tmp_path / "m.yaml")
    (tmp_path / "m.yaml").write_text(HEAD + "definitions: {push: {table: {file: gait.csv}}}")
    with pytest.raises(lw.errors.ModelError, match="has 3 columns, of which two are needed"):
        lw.load(tmp_path / "m.yaml")


def test_drivers_and_actuators_take_tables():
    """A driver of speed by a table ends where the area below it says; inverse dynamics of rest give the table back."""
    definition = "{table: [[0, 0], [0.5, 2 m/s], [1, 0]]}"
    driven = lw.simulate(cart(definition, "drivers: {d: {joint: J, speed: push}}"), until=2.0)
    assert driven["J.position"][-1] == pytest.approx(1.0, rel=1e-12)
    assert driven["d.effort"].max() == pytest.approx(MASS * 4.0, rel=1e-9)
    signal = cart("{table: [[0, 0], [0.5, 1], [1, 0]]}", "forces: {a: {kind: effort, joint: J, value: 30*push}}")
    assert lw.simulate(signal, until=1.0)["J.speed"][-1] == pytest.approx(7.5, rel=1e-12)
    held = lw.inverse_dynamics(cart("{table: [[0, 0], [0.5, 100], [1, 0]]}"), {"J": "0*t"}, until=1.0, step=0.25)
    np.testing.assert_allclose(held["J.position.effort"], [0, -50, -100, -50, 0], atol=1e-12)


@pytest.mark.parametrize(
    ("definition", "text"),
    [
        ("{table: [[0 m, 0], [1, 1]]}", "'0 m' is a length; a time such as '1 s' is needed"),
        ("{table: [[0, 0 m], [1, 1]]}", r"forces\.hand\.value\[0\].*a force such as"),
        ("{table: [[0, 1 N], [1, 1 m]]}", "cannot be the values of one table"),
        ("{table: [[0, 0], [0.5, 1], [0.2, 3]]}", "row 3 of the table begins with 0.2, which does not come after 0.5"),
        ("{table: [[0, 0], [scale, 1]]}", "'scale' in the first column of a table is not a number"),
        ("{table: [[0, 0], [1, 1], [1, 2], [1, 3]]}", "three rows of the table begin with 1"),
        ("{rows: [[0, 0], [1, 1]]}", "unknown key 'rows'"),
        ("{over: t}", "the table is missing"),
        ("{table: [[0, 0]]}", "at least two rows"),
    ],
)
def test_what_is_no_table_is_refused(definition, text):
    with pytest.raises(lw.errors.ModelError, match=text):
        cart(definition, HAND.replace("scale*", ""))


def test_a_table_in_the_place_of_a_value_is_told_where_it_belongs():
    with pytest.raises(lw.errors.ModelError, match="a table is a definition"):
        cart("1", "forces: {hand: {kind: force, at: cart.P, value: [{table: [[0, 0], [1, 1]]}, 0]}}")
