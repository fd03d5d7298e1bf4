"""Multipliers of periodic motions: Mathieu's equation, a limit cycle, bodies that spin, linkages that turn."""

import csv
import json
from functools import cache

import mechanisms
import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from scipy.special import ellipk

import linkwork as lw

G, LENGTH, MASS = 9.81, 0.5, 2.0
INERTIA, MOMENT = MASS * LENGTH**2 / 3, MASS * LENGTH / 2
KINDS = ("relative", "reference_point", "natural", "mixed")


@cache
def shaken(position: str = "a*cos(w*t)") -> lw.Model:
    """A rod that stands on a pivot which is shaken up and down: (I φ̈ + c φ̇ = (m l/2) (g − a w² cos wt) φ near the top)."""
    return lw.Model(
        name="shaken rod",
        space="planar",
        gravity=[0, -G],
        parameters={name: {"value": value, "live": True} for name, value in {"a": 0.05, "w": 60.0, "c": 0.0}.items()},
        points={"O": [0, 0], "P": [0, LENGTH]},
        bodies={"slide": {"points": ["O"], "mass": 1, "com": "O", "inertia": 1}, "rod": {"bar": ["O", "P"], "mass": MASS}},
        joints={
            "S": {"kind": "prismatic", "bodies": ["ground", "slide"], "axis": [0, 1], "at": "O"},
            "O": {"kind": "revolute", "bodies": ["slide", "rod"]},
        },
        forces={"bearing": {"kind": "torsion_spring", "joint": "O", "stiffness": 0, "damping": "c"}},
        drivers={"shaker": {"joint": "S", "position": position}},
    )  # fmt: skip


def mathieu(a: float, w: float, c: float) -> np.ndarray:
    """The monodromy matrix of the rod by SciPy."""

    def rate(t: float, y: np.ndarray) -> np.ndarray:
        matrix = np.array([[0.0, 1.0], [MOMENT * (G - a * w * w * np.cos(w * t)) / INERTIA, -c / INERTIA]])
        return (matrix @ y.reshape(2, 2)).ravel()

    found = solve_ivp(rate, (0.0, 2 * np.pi / w), np.eye(2).ravel(), method="DOP853", rtol=1e-13, atol=1e-15)
    return found.y[:, -1].reshape(2, 2)


@pytest.mark.matrix("kind")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("a", "c"), [(0.05, 0.0), (0.02, 0.0), (0.05, 0.3)])
def test_mathieu(kind, a, c):
    found = lw.floquet(shaken(), coordinates=kind, parameters={"a": a, "c": c})
    exact = np.linalg.eigvals(mathieu(a, 60.0, c))
    np.testing.assert_allclose(np.sort_complex(found.multipliers), np.sort_complex(exact), atol=1e-10)
    # Liouville: the product is e^{−cT/I}
    assert found.period == pytest.approx(2 * np.pi / 60, rel=1e-14)
    assert np.prod(found.multipliers) == pytest.approx(np.exp(-c / INERTIA * found.period), rel=1e-11)
    assert not found.autonomous
    assert (found.stable, found.attracting) == (a == 0.05, c > 0.0)
    assert max(found.error, found.gap) < 1e-10


def test_the_edge_of_stability_is_that_of_mathieu():
    """The amplitude from which the rod stands up: a multiplier 1, tr M = 2."""
    ours = brentq(lambda a: lw.floquet(shaken(), parameters={"a": a}).monodromy.trace() - 2, 0.02, 0.05, xtol=1e-13)
    exact = brentq(lambda a: mathieu(a, 60.0, 0.0).trace() - 2, 0.02, 0.05, xtol=1e-13)
    assert ours == pytest.approx(exact, rel=1e-8)


@pytest.mark.parametrize(
    ("position", "period"),
    [
        ("a*sin(w*t)^2", 2 * np.pi / 60),
        ("0.01*cos(30*t + 1) + 0.01*sin(w*t*3/4)", 2 * np.pi / 15),
        ("a*cos(w*t) + 0.001*sin(sqrt(2)*w*t)", None),
        ("a*exp(-t)", None),
    ],
)
def test_periods_are_read_off_formulas(position, period):
    model = shaken(position)
    if period is None:
        with pytest.raises(lw.errors.RefusedError, match=r"no common period|cannot be read off"):
            lw.floquet(model)
    else:
        assert lw.floquet(model).period == pytest.approx(period, rel=1e-12)


@pytest.mark.parametrize("kind", ["relative", "natural"])
def test_a_linkage_that_turns_freely_neither_grows_nor_decays(kind):
    """Of a conservative loop with one freedom both multipliers are 1, with a drift between them: M is a Jordan block."""
    model = mechanisms.four_bar().to_dict() | {"initial": {"O": {"speed": 12.0}}}
    run = lw.simulate(lw.Model(**model), until=1.2, coordinates=kind, rtol=1e-12, atol=1e-13)
    found = lw.floquet(run)
    assert found.autonomous
    assert found.multipliers[0] == 1.0
    assert abs(found.others[0] - 1.0) < 1e-8
    assert np.linalg.norm(found.monodromy - np.eye(2)) > 0.1
    assert "the motion itself" in str(found)
    assert not found.attracting
    # a turn of the crank
    turned = np.interp(run.time[-1] - found.period, run.time, run["O.angle"])
    assert run["O.angle"][-1] - turned == pytest.approx(2 * np.pi, abs=1e-4)


def test_a_large_swing_has_the_period_of_the_elliptic_integral():
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0], "P": [0, -1]},
        bodies={"bob": {"points": ["P"], "mass": 2, "com": "P", "inertia": 0}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "bob"]}},
        initial={"O": {"angle": 1.5}},
    )
    found = lw.floquet(model, 2.2)
    assert found.period == pytest.approx(4 / np.sqrt(G) * ellipk(np.sin(0.75) ** 2), rel=1e-11)
    np.testing.assert_allclose(found.multipliers, 1.0, atol=1e-10)
    # T' = dT/dφ₀ shears variations: M = 1 − f T'
    rate = 1e-4
    periods = [4 / np.sqrt(G) * ellipk(np.sin((1.5 + d) / 2) ** 2) for d in (-rate, rate)]
    slope = (periods[1] - periods[0]) / (2 * rate)
    assert found.monodromy[1, 0] == pytest.approx(G * np.sin(1.5) * slope, rel=1e-6)


@pytest.mark.parametrize("kind", ["relative", "natural"])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_free_body_that_spins_about_a_principal_axis(axis, kind):
    """e^{±σT} with σ² = Ω² (J₂ − J₁)(J₃ − J₂)/(J₁ J₃) about the middle axis; swings about the others."""
    own, spin = np.array([1.0, 2.0, 2.5]), np.zeros(3)
    spin[axis] = 3.0
    model = lw.Model(
        space="spatial",
        gravity=[0, 0, 0],
        points={"C": [0, 0, 0]},
        bodies={"box": {"points": ["C"], "mass": 1, "com": "C", "inertia": own.tolist()}},
        initial={"box": {"omega": spin.tolist()}},
    )
    found = lw.floquet(model, 2 * np.pi / 3, coordinates=kind)
    a, b, c = own[axis], *np.delete(own, axis)
    rate = 3.0 * np.sqrt(complex((b - a) * (a - c) / (b * c)))
    exact = np.exp(np.array([rate, -rate]) * found.period)
    for value in exact:
        assert np.min(np.abs(found.multipliers - value)) < 1e-8 * max(1, abs(value))
    assert np.sum(np.abs(found.multipliers - 1.0) < 1e-5) == 10
    assert found.stable == (axis != 1)


@cache
def van_der_pol() -> lw.Model:
    force = ["-P.position + (1 - P.position^2)*P.speed", 0]
    return lw.Model(
        name="van der Pol",
        space="planar",
        points={"P": [0, 0]},
        bodies={"mass": {"points": ["P"], "mass": 1, "com": "P", "inertia": 1}},
        joints={"P": {"kind": "prismatic", "bodies": ["ground", "mass"], "axis": [1, 0]}},
        forces={"f": {"kind": "force", "at": "mass.P", "value": force}},
        initial={"P": {"position": 2.0}},
    )


def test_a_limit_cycle_is_found():
    found = lw.floquet(van_der_pol(), 6.5, find=True)

    def rate(t: float, z: np.ndarray) -> np.ndarray:
        x, v = z[:2]
        matrix = np.array([[0.0, 1.0], [-1 - 2 * x * v, 1 - x * x]])
        return np.concatenate([[v, -x + (1 - x * x) * v], (matrix @ z[2:].reshape(2, 2)).ravel()])

    first = np.concatenate([found.start, np.eye(2).ravel()])
    end = solve_ivp(rate, (0.0, found.period), first, method="DOP853", rtol=1e-13, atol=1e-15).y[:, -1]
    np.testing.assert_allclose(end[:2], found.start, atol=1e-11)
    np.testing.assert_allclose(found.monodromy, end[2:].reshape(2, 2), atol=1e-10)
    assert found.others[0].real == pytest.approx(np.linalg.det(end[2:].reshape(2, 2)), rel=1e-8)
    assert found.attracting
    # and by a run that has come to it
    other = lw.floquet(lw.simulate(van_der_pol(), until=40, rtol=1e-12, atol=1e-13))
    assert other.period == pytest.approx(found.period, rel=1e-10)
    assert other.others[0] == pytest.approx(found.others[0], rel=1e-6)
    third = lw.floquet(
        lw.simulate(van_der_pol(), until=40, formulation="multipliers", coordinates="natural"), find=True
    )
    assert third.others[0] == pytest.approx(found.others[0], rel=1e-8)
    # the motion is a result: it closes
    assert found.motion["P.position"][-1] == pytest.approx(found.motion["P.position"][0], abs=1e-10)
    assert found.motion.time[-1] == pytest.approx(found.period)


def soft_shaft(drive: dict[str, str]) -> lw.Model:
    """A slider-crank on a shaft that a motor turns evenly, with a spring and a damper between the two."""
    return lw.Model(
        name="soft shaft",
        space="planar",
        parameters={name: {"value": 0.0, "live": True} for name in ("lead", "rush")},
        points={"O": [0, 0], "A": [0.2, 0], "B": [0.9, 0], "M": [0.1, 0]},
        bodies={
            "shaft": {"bar": ["O", "M"], "mass": 0.1},
            "crank": {"bar": ["O", "A"], "mass": 1},
            "rod": {"bar": ["A", "B"], "mass": 1},
            "piston": {"points": ["B"], "mass": 1, "com": "B", "inertia": 0.1},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "shaft"]},
            "S": {"kind": "revolute", "bodies": ["shaft", "crank"], "at": "O"},
            "A": {"kind": "revolute", "bodies": ["crank", "rod"]},
            "B": {"kind": "revolute", "bodies": ["rod", "piston"]},
            "X": {"kind": "prismatic", "bodies": ["ground", "piston"], "axis": [1, 0], "at": "B"},
        },
        forces={"soft": {"kind": "torsion_spring", "joint": "S", "free_angle": 0, "stiffness": 300, "damping": 0.3}},
        drivers={"motor": {"joint": "O", **drive}},
        initial={"S": {"angle": "lead", "speed": "rush"}},
    )


@pytest.mark.parametrize("drive", [{"position": "25*t"}, {"speed": "25 rad/s"}], ids=["position", "speed"])
def test_a_driven_slider_crank_with_a_soft_shaft(drive):
    """The inertia of the loop changes in a turn: against differences of runs from starts beside the periodic motion."""
    model = soft_shaft(drive)
    found = lw.floquet(model, "0.2513 s" if "speed" in drive else None, find=True)
    assert found.period == pytest.approx(2 * np.pi / 25, rel=1e-12)
    assert found.gap < 1e-10
    assert found.autonomous == ("speed" in drive)
    assert found.attracting
    names = ("S.angle", "S.speed")
    if "speed" in drive:
        # the shaft stands elsewhere at the start of this period
        run = lw.simulate(model, until=100 * found.period, rtol=1e-10)
        np.testing.assert_allclose(lw.floquet(run, found.period, find=True).others, found.others, rtol=1e-6)
        return
    base = [found.motion[name][0] for name in names]
    columns = []
    for i, step in enumerate((1e-4, 1e-3)):
        ends = []
        for sign in (1, -1):
            start = {"lead": base[0] + sign * step * (i == 0), "rush": base[1] + sign * step * (i == 1)}
            run = lw.simulate(model, times=[found.period], parameters=start, rtol=1e-12, atol=1e-13)
            ends.append([run[name][-1] for name in names])
        columns.append((np.array(ends[0]) - ends[1]) / (2 * step))
    exact = np.linalg.eigvals(np.column_stack(columns))
    np.testing.assert_allclose(np.sort_complex(found.multipliers), np.sort_complex(exact), atol=2e-6)


def test_what_it_says_and_writes(tmp_path):
    found = lw.floquet(shaken(), parameters={"c": 0.3})
    first = str(found).splitlines()[0]
    assert first.startswith("shaken rod, a motion with the period 0.10471975")
    assert first.endswith(" s: stable, small variations decay")
    np.testing.assert_allclose(np.exp(found.exponents * found.period), found.multipliers, rtol=1e-12)
    with found.save(tmp_path / "floquet.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [float(row["re multiplier [1]"]) for row in rows] == found.multipliers.real.tolist()
    assert [float(row["im multiplier [1]"]) for row in rows] == found.multipliers.imag.tolist()
    kept = json.loads(found.save(tmp_path / "floquet.json").read_text())
    assert (kept["period"], kept["monodromy"]) == (found.period, found.monodromy.tolist())
    found.plot(path=tmp_path / "circle.png")
    assert (tmp_path / "circle.png").stat().st_size > 1000
    assert found.motion.animate(tmp_path / "motion.html").stat().st_size > 1000
    with pytest.raises(lw.errors.ResultError, match="exists already"):
        found.save(tmp_path / "floquet.csv", overwrite=False)


def rod(**options) -> lw.Model:
    return lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0], "P": [0, -1]},
        bodies={"rod": {"bar": ["O", "P"], "mass": 2}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "rod"]}},
        **options,
    )


DAMPED = {"kind": "torsion_spring", "joint": "O", "stiffness": 0, "damping": 1}
WINDING = {"kind": "torsion_spring", "joint": "O", "free_angle": 0, "stiffness": 5}


@pytest.mark.parametrize(
    ("model", "options", "says"),
    [
        (van_der_pol(), {"period": 6.5}, "not periodic: after 6.65.* s 'P.position' is off by 0.0086.*find=True"),
        (van_der_pol(), {}, "give the period, roughly, or a run that comes back"),
        (van_der_pol(), {"period": -1}, "positive time"),
        (shaken(), {"period": 0.1}, "not periodic"),
        (rod(drivers={"m": {"joint": "O", "position": "sin(t)"}}), {}, "all degrees of freedom of the mechanism are driven"),
        (rod(initial={"O": {"speed": 20}}, forces={"s": WINDING}), {"period": 0.32}, "not periodic"),
    ],
    ids=["gap", "no period", "negative", "other period", "driven", "winds up"],
)  # fmt: skip
def test_what_is_not_periodic_is_refused(model, options, says):
    with pytest.raises(lw.LinkworkError, match=says):
        lw.floquet(model, **options)


def test_a_run_that_does_not_come_back():
    run = lw.simulate(rod(initial={"O": {"angle": 1.0}}, forces={"s": DAMPED}), until=0.3)
    with pytest.raises(lw.errors.RefusedError, match="does not come back"):
        lw.floquet(run)
    with pytest.raises(lw.errors.RefusedError, match="parameters already"):
        lw.floquet(run, parameters={"x": 1})


def test_a_stored_run_has_no_equations(tmp_path):
    run = lw.simulate(rod(initial={"O": {"angle": 1.0}}), until=0.1, step=0.05)
    stored = lw.load_result(run.save(tmp_path / "run.nc"))
    with pytest.raises(lw.errors.RefusedError, match="a stored result has no equations"):
        lw.floquet(stored)


def test_a_motion_without_a_neighbour_that_is_periodic():
    """A rod that is driven round by a steady torque without damping only becomes faster."""
    model = rod(initial={"O": {"speed": 8}}, forces={"e": {"kind": "effort", "joint": "O", "value": 20}})
    with pytest.raises(lw.errors.RefusedError, match="no periodic motion was found"):
        lw.floquet(model, 0.7, find=True)
