"""Loops along a spanning tree by articulated bodies: against the dense system of M and C, and against other coordinates."""

from __future__ import annotations

import numpy as np
import pytest

import linkwork as lw
from linkwork.compiler.lower import lower
from linkwork.coordinates.coordinates import Coordinates
from linkwork.equations.equations import start_of
from linkwork.equations.formulations import multipliers
from linkwork.equations.recursion.loops import fewer_than_minimal, loop_accelerations
from linkwork.equations.terms import make_function
from linkwork.numerics.flows.constrained import last_failure
from linkwork.numerics.flows.flow import evaluate_flow

LOOPS = ["four_bar", "slider_crank", "stephenson_1", "rggr", "bricard", "spatial_slider_crank", "stewart_platform", "watt_2",
         "double_wishbone", "peaucellier", "sarrus", "quick_return", "spherical_four_bar"]  # fmt: skip


def rope(bars: int, space: str = "planar", turn: float = 0.0, mass: float = 1.0, limited: bool = False) -> lw.Model:
    """Bars between two pins, hanging in a parabola; in space every second joint is a ball; turn: of all, weight too."""
    x = np.linspace(0.0, 0.06 * bars, bars + 1)
    span, sag = x[-1], 0.04 * bars
    places = np.column_stack([x, -4 * sag * x * (span - x) / span**2])
    cos, sin = np.cos(turn), np.sin(turn)
    places = places @ np.array([[cos, sin], [-sin, cos]])
    down = [9.81 * sin, -9.81 * cos]
    more = [0.0] if space == "spatial" else []
    joints = {}
    for i in range(bars + 1):
        pair = ["ground" if i == 0 else f"b{i - 1}", "ground" if i == bars else f"b{i}"]
        joints[f"P{i}"] = {"kind": "revolute", "bodies": pair} | ({"axis": [0, 0, 1]} if more else {})
        if more and i % 2:
            joints[f"P{i}"] = {"kind": "spherical", "bodies": pair}
    bodies = {f"b{i}": {"bar": [f"P{i}", f"P{i + 1}"], "mass": mass * (1 + i % 3)} for i in range(bars)}
    if more:
        bodies = {name: body | {"inertia": [0.01, 0.02, 0.02, 0, 0, 0]} for name, body in bodies.items()}
    points = {f"P{i}": [*place.tolist(), *more] for i, place in enumerate(places)}
    pairs = {"P2": "b1", "P4": "b3"} if limited else {}
    ropes = {
        f"r{end}": {"kind": "rope", "between": ["ground.P0", f"{body}.{end}"], "length": 1}
        for end, body in pairs.items()
    }
    return lw.Model(space=space, gravity=[*down, *more], points=points, bodies=bodies, joints=joints, relations=ropes)


def along(model: lw.Model, seed: int = 0) -> tuple[Coordinates, np.ndarray, np.ndarray]:
    """Coordinates along the joints, and a state that moves: C v is not zero, which accelerations need not know."""
    c = lw.number(lw.analyse(model), "relative")
    y, p = start_of(c)
    n = c.q.numel()
    y[n : n + c.v.numel()] = np.random.default_rng(seed).normal(size=c.v.numel())
    return c, y, p


def compare(c: Coordinates, y: np.ndarray, p: np.ndarray, held: list[int] | None = None) -> None:
    """v̇ against the dense system [M Cᵀ; C 0]; held: the rows that hold there."""
    t = c.topology.drives.time
    found = loop_accelerations(c, c.b, t, *start_of(c))
    assert found is not None
    terms = make_function("terms", c, {"M": c.mass, "C": c.jacobian, "h": c.forces, "b": c.b})(t, y, p)
    mass, jacobian, forces, b = (np.array(item) for item in terms)
    rows = list(found.rows) if held is None else held
    n, jacobian, b = len(mass), jacobian[rows], b[rows]
    matrix = np.block([[mass, jacobian.T], [jacobian, np.zeros((len(rows), len(rows)))]])
    expected = np.linalg.solve(matrix, np.concatenate([forces.ravel(), -b.ravel()]))[:n]
    derivative, health = found.function(t, y, p)
    q = c.q.numel()
    actual = np.array(derivative).ravel()[q : q + n]
    np.testing.assert_allclose(actual, expected, rtol=0, atol=1e-11 * np.abs(expected).max())
    assert 0.1 < float(health) <= 10.0


@pytest.mark.parametrize("name", LOOPS)
def test_loops_of_the_library(name: str) -> None:
    compare(*along(lw.example(name)))


@pytest.mark.parametrize("space", ["planar", "spatial"])
@pytest.mark.parametrize("turn", [0.0, np.pi / 4, np.pi / 2])
@pytest.mark.parametrize("bars", [3, 9])
def test_ropes_however_they_are_turned(space: str, turn: float, bars: int) -> None:
    compare(*along(rope(bars, space, turn, mass=1e3)))


def test_conditions_that_come_and_go_follow_their_selectors() -> None:
    c, y, p = along(rope(6, limited=True))
    coming = [row for rows in c.coming for row in rows]
    always = [i for i in range(len(c.rows)) if i not in coming]
    assert len(coming) == 2
    for number, row in enumerate(coming):
        for selector in (0.0, 1.0):
            values = p.copy()
            values[c.limit_places] = 0.0
            values[c.limit_places.start + number] = selector
            compare(c, y, values, [*always, *([row] if selector else [])])


def test_operations_grow_with_the_length_of_a_rope() -> None:
    counts = {}
    for bars in (40, 70, 100):  # all of which are cut at their right ends
        c, _, _ = along(rope(bars))
        counts[bars] = lower(loop_accelerations(c, c.b, 0.0, *start_of(c)).function).operations
    assert counts[100] - counts[70] == pytest.approx(counts[70] - counts[40], rel=0.01)


def test_the_recursion_is_taken_where_freedoms_are_many_and_told() -> None:
    long, short, bar = (lw.prepare(model) for model in (rope(20), rope(6), lw.example("four_bar")))
    assert long.equations.formulation.name == "multipliers"
    assert "articulated bodies and 2 conditions of joints that were cut" in str(long.equations)
    assert short.equations.formulation.name == bar.equations.formulation.name == "hybrid"
    c = bar.coordinates
    assert not fewer_than_minimal(c, 0.0, *start_of(c))


def test_many_small_loops_are_left_to_minimal_coordinates() -> None:
    """A row of four-bars that share nothing has many freedoms, each with few operations."""
    parts: dict[str, dict[str, object]] = {"points": {}, "bodies": {}, "joints": {}}
    for i in range(10):
        places = {"O": [3 * i, 0], "A": [3 * i + 0.3, 0.4], "B": [3 * i + 1.2, 1.1], "C": [3 * i + 1.5, 0]}
        parts["points"] |= {f"{name}{i}": place for name, place in places.items()}
        bars = {"a": "OA", "b": "AB", "c": "CB"}
        parts["bodies"] |= {f"{name}{i}": {"bar": [f"{x}{i}" for x in ends], "mass": 1} for name, ends in bars.items()}
        pairs = {"O": ("ground", f"a{i}"), "A": (f"a{i}", f"b{i}"), "B": (f"b{i}", f"c{i}"), "C": (f"c{i}", "ground")}
        parts["joints"] |= {f"{name}{i}": {"kind": "revolute", "bodies": list(pair)} for name, pair in pairs.items()}
    assert lw.prepare(lw.Model(space="planar", **parts)).equations.formulation.name == "hybrid"


def test_a_rope_swings_as_in_other_coordinates() -> None:
    model = rope(14, turn=0.2)
    start = {"until": 0.5, "rtol": 1e-10, "atol": 1e-12}
    natural, relative = (lw.simulate(model, coordinates=kind, **start) for kind in ("natural", "relative"))
    for body in ("b3", "b9"):
        for axis in ("x", "y"):
            np.testing.assert_allclose(relative[f"{body}.{axis}"], natural[f"{body}.{axis}"], rtol=0, atol=2e-8)
    assert relative.audit.passed


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_long_ropes_move_by_the_recursion_alone(space: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any function that has all entries of M, and as with them."""
    found = []
    for entries in (multipliers.ENTRIES, 0):
        monkeypatch.setattr(multipliers, "ENTRIES", entries)
        drawn = rope(12, space)
        # of another name, as what is made of a model is kept
        model = lw.Model(**{key: getattr(drawn, key) for key in type(drawn).model_fields} | {"name": f"rope {entries}"})
        mechanism = lw.prepare(model, formulation="multipliers")
        assert ("terms" in mechanism.equations.scheme.functions) is (entries > 0)
        found.append(lw.simulate(model, until=0.2, formulation="multipliers"))
        assert found[-1].audit.passed
    for name in ("b5.x", "b5.angle" if space == "planar" else "b5.wz", "P0.fx"):
        np.testing.assert_allclose(found[1][name], found[0][name], rtol=0, atol=1e-9)


def test_a_recursion_that_stands_alone_says_so_at_singular_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    """A parallelogram that is flat, where its conditions depend on each other."""
    monkeypatch.setattr(multipliers, "ENTRIES", 0)
    points = {"A": [0, 0], "B": [0, 1], "C": [2, 1], "D": [2, 0]}
    bodies = {
        "ab": {"bar": ["A", "B"], "mass": 1},
        "bc": {"bar": ["B", "C"], "mass": 1},
        "dc": {"bar": ["D", "C"], "mass": 1},
    }
    pairs = {"A": ["ground", "ab"], "B": ["ab", "bc"], "C": ["bc", "dc"], "D": ["ground", "dc"]}
    joints = {name: {"kind": "revolute", "bodies": pair} for name, pair in pairs.items()}
    model = lw.Model(space="planar", points=points, bodies=bodies, joints=joints)
    mechanism = lw.prepare(model, formulation="multipliers")
    start = mechanism.start()
    flow, flat, beside = mechanism.flow(start), start.y.copy(), start.y.copy()
    for y, turn in ((flat, np.pi / 2), (beside, 1.0)):
        y[:3] += turn * np.array([-1.0, 1.0, -1.0])
    assert np.isfinite(evaluate_flow(flow, np.zeros(1), beside[None])).all()
    assert not np.isfinite(evaluate_flow(flow, np.zeros(1), flat[None])).all()
    assert "the position is singular" in last_failure(flow).message


def test_a_body_without_inertia_is_left_to_other_ways() -> None:
    model = lw.Model(
        space="planar", points={"A": [0, 0], "B": [1, 1], "C": [2, 0]},
        bodies={"a": {"bar": ["A", "B"], "mass": 0}, "b": {"bar": ["B", "C"], "mass": 0}},
        joints={"A": {"kind": "revolute", "bodies": ["ground", "a"]}, "B": {"kind": "revolute", "bodies": ["a", "b"]},
                "C": {"kind": "revolute", "bodies": ["b", "ground"]}},
    )  # fmt: skip
    c = lw.number(lw.analyse(model), "relative")
    assert loop_accelerations(c, c.b, 0.0, *start_of(c)) is None
