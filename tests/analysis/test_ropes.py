"""Ropes go slack and taut: conditions that come and go, against exact motions and another scheme."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import nnls

import linkwork as lw

G = 9.81
ALL_KINDS = ("relative", "reference_point", "natural", "mixed")


def hung(
    at: tuple[float, ...],
    velocity: tuple[float, float] = (0.0, 0.0),
    ropes: dict[str, tuple[tuple[float, ...], float]] | None = None,
    *,
    gravity: tuple[float, float] = (0.0, -G),
    mass: float = 2.0,
) -> lw.Model:
    """A load on ropes from fixed points, each with its length."""
    given = ropes or {"rope": ((0.0, 0.0), 1.0)}
    return lw.Model(
        space="planar",
        gravity=list(gravity),
        points={"A": list(at)} | {f"O_{name}": list(place) for name, (place, _) in given.items()},
        bodies={"load": {"points": ["A"], "com": "A", "mass": mass, "inertia": 0.1}},
        relations={
            name: {"kind": "rope", "between": [f"ground.O_{name}", "load.A"], "length": length}
            for name, (_, length) in given.items()
        },
        initial={"load": {"vx": velocity[0], "vy": velocity[1]}},
    )


def turned(vector: tuple[float, float], angle: float) -> tuple[float, float]:
    x, y = vector
    return np.cos(angle) * x - np.sin(angle) * y, np.sin(angle) * x + np.cos(angle) * y


def changes(result: lw.Result) -> list[str]:
    return [event.name for event in result.events]


# -- one rope ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_a_load_falls_into_its_rope(kind: str) -> None:
    result = lw.simulate(hung((0.6, 0.0)), until=0.9, coordinates=kind, rtol=1e-11, atol=1e-13)
    (taut,) = result.events
    speed = np.sqrt(2 * G * 0.8)
    assert taut.name == "rope goes taut"
    assert taut.time == pytest.approx(np.sqrt(1.6 / G), abs=1e-11)
    assert taut.values["impulse"] == pytest.approx(2.0 * 0.8 * speed, rel=1e-9)
    before, after = result.time < taut.time, result.time > taut.time
    assert np.all(result["rope.tension"][before] == 0.0)
    assert np.all(result["rope.tension"][after] > 0.0)
    assert result["rope.distance"][after] == pytest.approx(1.0, abs=1e-9)
    # what is left is the speed across the rope, and then it is a pendulum
    energy = result["energy.total"]
    assert energy[before] == pytest.approx(0.0, abs=1e-9)
    assert energy[after] == pytest.approx(-0.5 * 2.0 * (0.8 * speed) ** 2, rel=1e-9)
    assert result["work.dissipated"][-1] == pytest.approx(0.5 * 2.0 * (0.8 * speed) ** 2, rel=1e-9)
    v2 = result["A.vx"] ** 2 + result["A.vy"] ** 2
    expected = 2.0 * v2 / 1.0 - 2.0 * G * result["A.y"]
    assert result["rope.tension"][after] == pytest.approx(expected[after], rel=1e-8)
    assert result.audit.passed, str(result.audit)


@pytest.mark.matrix("integrator")
@pytest.mark.parametrize("degrees", [10.0, 30.0, 50.0])
@pytest.mark.parametrize("integrator", ["dop853", "radau5", "adams", "taylor"])
def test_a_load_that_leaves_its_circle_comes_back_at_three_times_the_angle(degrees: float, integrator: str) -> None:
    """From the lowest point with v² = g L (2 + 3 sin α) the string is slack at α above the horizontal, and the parabola
    meets the circle again at 3 α below it, on the other side for α < 60 degrees."""
    alpha = np.radians(degrees)
    start = np.sqrt(G * (2 + 3 * np.sin(alpha)))
    result = lw.simulate(hung((0.0, -1.0), (start, 0.0)), until=2.0, integrator=integrator, step=0.001)
    assert changes(result)[:2] == ["rope goes slack", "rope goes taut"]
    slack, taut = result.events[0].time, result.events[1].time
    assert [mode.holds for mode in result.modes][:3] == [("rope",), (), ("rope",)]
    # the place and the speed where it leaves, and the parabola
    speed = np.sqrt(G * np.sin(alpha))
    assert taut - slack == pytest.approx(4 * speed * np.cos(alpha) / G, rel=1e-8)
    last = np.flatnonzero(result.time < taut)[-1]
    left = taut - result.time[last]
    height = result["A.y"][last] + result["A.vy"][last] * left - G * left**2 / 2
    assert height == pytest.approx(-np.sin(3 * alpha), abs=1e-7)
    flight = (result.time > slack) & (result.time < taut)
    t = result.time[flight] - slack
    assert result["A.x"][flight] == pytest.approx(np.cos(alpha) - speed * np.sin(alpha) * t, abs=1e-7)
    assert result["A.y"][flight] == pytest.approx(np.sin(alpha) + speed * np.cos(alpha) * t - G * t**2 / 2, abs=1e-7)
    assert result.audit.passed, str(result.audit)


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("angle", [0.0, np.pi / 4, 2.0])
def test_the_same_whatever_the_size_and_the_direction(size: float, angle: float) -> None:
    """Ten or a thousand times as large, turned: times grow as √size, impulses as mass √size."""

    def model(scale: float, turn: float) -> lw.Model:
        first = turned((0.6 * scale, 0.1 * scale), turn)
        return hung(first, ropes={"rope": ((0.0, 0.0), scale)}, gravity=turned((0.0, -G), turn))

    usual = lw.simulate(model(1.0, 0.0), until=1.5)
    other = lw.simulate(model(size, angle), until=1.5 * np.sqrt(size))
    assert changes(other) == changes(usual)
    for one, two in zip(usual.events, other.events, strict=True):
        assert two.time == pytest.approx(one.time * np.sqrt(size), rel=1e-7)
        for name, value in one.values.items():
            assert two.values[name] == pytest.approx(value * np.sqrt(size), rel=1e-7)
    assert other.audit.passed, str(other.audit)


def test_a_load_that_hangs_stays_taut() -> None:
    result = lw.simulate(hung((0.0, -1.0)), until=1.0)
    assert changes(result) == []  # it is so from the start: its first mode, and no event
    assert [(mode.start, mode.end, mode.holds) for mode in result.modes] == [(0.0, 1.0, ("rope",))]
    assert result["rope.tension"] == pytest.approx(2.0 * G, rel=1e-9)
    assert result["A.y"] == pytest.approx(-1.0, abs=1e-12)


def test_without_a_load_a_taut_rope_is_slack() -> None:
    result = lw.simulate(hung((1.0, 0.0), gravity=(0.0, 0.0)), until=1.0)
    assert changes(result) == []
    assert np.all(result["rope.tension"] == 0.0)


# -- several -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_two_ropes_at_one_time(kind: str) -> None:
    ropes = {"left": ((-0.6, 0.0), 1.0), "right": ((0.6, 0.0), 1.0)}
    result = lw.simulate(hung((0.0, 0.0), ropes=ropes), until=1.0, coordinates=kind)
    assert sorted(changes(result)) == ["left goes taut", "right goes taut"]
    after = result.time > result.events[0].time
    assert result["A.y"][after] == pytest.approx(-0.8, abs=1e-9)
    for name in ropes:
        assert result[f"{name}.tension"][after] == pytest.approx(2.0 * G / 2 / 0.8, rel=1e-7)


def test_two_loads_that_fly_apart_share_the_impulse() -> None:
    model = lw.Model(
        space="planar",
        points={"A": [0, 0], "B": [1, 0]},
        bodies={
            "a": {"points": ["A"], "com": "A", "mass": 1, "inertia": 0.1},
            "b": {"points": ["B"], "com": "B", "mass": 3, "inertia": 0.1},
        },
        relations={"rope": {"kind": "rope", "between": ["a.A", "b.B"], "length": 2}},
        initial={"a": {"vx": -1, "vy": 2}, "b": {"vx": 3}},
    )
    result = lw.simulate(model, until=2.0)
    (taut, *_) = result.events
    # they part with (4, −2) m/s from (1, 0) m
    time = (-8 + np.sqrt(8**2 + 4 * 20 * 3)) / 40
    along = np.array([1 + 4 * time, -2 * time]) / 2
    assert taut.time == pytest.approx(time, rel=1e-10)
    assert taut.values["impulse"] == pytest.approx(0.75 * (4 * along[0] - 2 * along[1]), rel=1e-9)
    for axis, total in (("vx", 8.0), ("vy", 2.0)):
        assert result[f"A.{axis}"] + 3 * result[f"B.{axis}"] == pytest.approx(total, abs=1e-9)
    assert np.max(result["rope.distance"]) <= 2 * (1 + 1e-9)
    assert result.audit.passed, str(result.audit)


def test_a_rope_in_space_between_a_bar_and_a_free_load() -> None:
    model = lw.Model(
        space="spatial",
        gravity=[0, 0, -G],
        points={"O": [0, 0, 0], "E": [1, 0, 0], "A": [1, 0.3, -0.1]},
        bodies={
            "bar": {"points": ["O", "E"], "com": [0.5, 0, 0], "mass": 1, "inertia": [0.01, 0.1, 0.1]},
            "load": {"points": ["A"], "com": "A", "mass": 0.5, "inertia": [0.01, 0.01, 0.01]},
        },
        joints={"O": {"kind": "revolute", "axis": [0, 1, 0], "bodies": ["ground", "bar"]}},
        relations={"rope": {"kind": "rope", "between": ["bar.E", "load.A"], "length": 0.5}},
        initial={"load": {"velocity": [0, 2, 0]}},
    )
    results = [lw.simulate(model, until=0.6, coordinates=kind) for kind in ("relative", "natural", "reference_point")]
    for result in results:
        assert changes(result) == changes(results[0])
        assert result["A.z"] == pytest.approx(results[0]["A.z"], abs=1e-6)
        assert np.min(result["rope.tension"]) >= 0.0
        assert np.max(result["rope.distance"]) <= 0.5 * (1 + 1e-9)
        assert result.audit.passed, str(result.audit)
    assert "rope goes taut" in changes(results[0])


def stepped(
    places: np.ndarray, lengths: np.ndarray, x: np.ndarray, v: np.ndarray, until: float, h: float
) -> np.ndarray:
    """Another scheme: a point with ropes by steps of impulses (Moreau), each a problem of non-negative least squares."""
    for _ in range(round(until / h)):
        x = x + 0.5 * h * v
        free = v + h * np.array([0.0, -G])
        gaps = x - places
        sizes = np.linalg.norm(gaps, axis=1)
        near = lengths - sizes <= 0.0
        v = free
        if near.any():
            # min ½ |v − free|² with u·v ≤ 0: v = free − U Λ, Λ ≥ 0 the least squares of U Λ ≈ free
            directions = (gaps[near] / sizes[near, None]).T
            v = free - directions @ nnls(directions, free)[0]
        x = x + 0.5 * h * v
    return x


@pytest.mark.parametrize("seed", range(6))
def test_three_ropes_against_another_scheme(seed: int) -> None:
    rng = np.random.default_rng(seed)
    places = rng.uniform(-1, 1, (3, 2))
    x, v = rng.uniform(-0.5, 0.5, 2), rng.uniform(-3, 3, 2)
    lengths = np.linalg.norm(x - places, axis=1) * rng.uniform(1.05, 1.4, 3)
    ropes = {name: (tuple(place), float(length)) for name, place, length in zip("abc", places, lengths, strict=True)}
    result = lw.simulate(hung(tuple(x), tuple(v), ropes), until=1.0)
    assert result.outcome.completed
    assert result.audit.passed, str(result.audit)
    assert result.events
    for name, length in zip("abc", lengths, strict=True):
        assert np.max(result[f"{name}.distance"]) <= length * (1 + 1e-9)
        assert np.min(result[f"{name}.tension"]) >= 0.0
    assert np.all(np.diff(result["work.dissipated"]) >= 0.0)
    coarse, fine = (stepped(places, lengths, x, v, 1.0, h) for h in (2e-4, 5e-5))
    end = np.array([result["A.x"][-1], result["A.y"][-1]])
    assert np.linalg.norm(fine - end) < 5e-3
    assert np.linalg.norm(fine - end) < np.linalg.norm(coarse - end) + 1e-4


def test_a_rope_stops_a_bar_that_swings() -> None:
    """The bar comes to rest on the rope, whose tension balances its weight."""
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0], "E": [1, 0], "P": [0, 1]},
        bodies={"bar": {"bar": ["O", "E"], "mass": 3}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "bar"]}},
        relations={"stop": {"kind": "rope", "between": ["ground.P", "bar.E"], "length": 1.8}},
    )
    result = lw.simulate(model, until=2.0)
    assert changes(result) == ["stop goes taut"]
    rest = np.pi / 2 - 2 * np.arcsin(0.9)
    assert result["O.angle"][-1] == pytest.approx(rest, abs=1e-9)
    assert result["O.speed"][-1] == pytest.approx(0.0, abs=1e-12)
    lever = np.cos(np.arcsin(0.9))  # of the rope about O
    assert result["stop.tension"][-1] == pytest.approx(3 * G * 0.5 * np.cos(rest) / lever, rel=1e-9)


def test_a_force_that_jumps_lets_go_of_a_taut_rope() -> None:
    ropes = {"rope": ((0.0, 0.0), 1.0)}
    model = hung((0.0, -1.0), ropes=ropes).with_(
        forces={"lift": {"kind": "force", "at": "load.A", "value": [0, "if(t < 0.5, 0, 40)"]}}
    )
    result = lw.simulate(model, until=0.8)
    assert changes(result) == ["rope goes slack"]
    assert result.events[0].time == pytest.approx(0.5, abs=1e-12)
    assert result.modes[1].why == "if(t < 0.5, 0, 40) jumps; rope goes slack"
    assert result["rope.tension"][result.time <= 0.5] == pytest.approx(2.0 * G, rel=1e-9)  # also at the very jump
    rise = (40 / 2.0 - G) * (result.time - 0.5) ** 2 / 2
    late = result.time > 0.5
    assert result["A.y"][late] == pytest.approx(-1.0 + rise[late], abs=1e-8)


def test_a_mechanism_that_its_ropes_lock_stays_there() -> None:
    """Two ropes leave a chain of three bars no freedom; where one of them lets go, the other goes on to hold."""
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"P0": [0, 0], "P1": [0.8, 0], "P2": [0.8, -0.6], "G0": [0.3, 0.4]},
        bodies={"a": {"bar": ["P0", "P1"], "mass": 1}, "b": {"bar": ["P1", "P2"], "mass": 2}},
        joints={
            "P0": {"kind": "revolute", "bodies": ["ground", "a"]},
            "P1": {"kind": "revolute", "bodies": ["a", "b"]},
        },
        relations={
            "first": {"kind": "rope", "between": ["a.P1", "ground.G0"], "length": 0.75},
            "second": {"kind": "rope", "between": ["b.P2", "ground.G0"], "length": 1.25},
        },
        initial={"P1": {"speed": 1.5}},
    )
    results = [lw.simulate(model, until=3.0, coordinates=kind) for kind in ALL_KINDS]
    for result in results:
        assert result.outcome.completed
        assert result.audit.passed, str(result.audit)
        assert changes(result) == changes(results[0])
        assert result["P2.x"] == pytest.approx(results[0]["P2.x"], abs=1e-6)


def test_a_rope_that_is_taut_and_pulled_at_the_start_begins_behind_the_impulse() -> None:
    result = lw.simulate(hung((0.0, -1.0), (1.0, -2.0)), until=0.5)
    assert result.events[0].time == 0.0
    assert result.events[0].values["impulse"] == pytest.approx(4.0, rel=1e-12)
    assert result["A.vy"][0] == pytest.approx(0.0, abs=1e-12)
    assert result.audit.passed, str(result.audit)


@pytest.mark.parametrize("rtol", [1e-3, 1e-5, 1e-11])
def test_coarse_runs_decide_as_fine_ones(rtol: float) -> None:
    ropes = {"a": ((-0.5, 0.6), 1.3), "b": ((0.7, 0.2), 1.2), "c": ((0.0, -0.9), 1.4)}
    result = lw.simulate(hung((0.1, 0.1), (2.0, 1.0), ropes), until=1.0, rtol=rtol, atol=rtol / 100)
    fine = lw.simulate(hung((0.1, 0.1), (2.0, 1.0), ropes), until=1.0, rtol=1e-12, atol=1e-14)
    assert changes(result) == changes(fine)
    assert result["A.x"][-1] == pytest.approx(fine["A.x"][-1], abs=max(100 * rtol, 1e-8))


# -- what is refused -----------------------------------------------------------------------------------------------------


def test_a_rope_that_is_too_short_is_told() -> None:
    with pytest.raises(
        lw.errors.AssemblyError,
        match=r"relation rope between ground and load.* beyond its length",
    ):
        lw.simulate(hung((2.0, 0.0)), until=1.0)


@pytest.mark.parametrize("verb", ["equilibrium_path", "find_limits"])
def test_other_verbs_say_that_they_do_not_take_it(verb: str) -> None:
    with pytest.raises(lw.errors.RefusedError, match="does not take relations that come and go yet: 'rope'"):
        getattr(lw, verb)(hung((0.6, 0.0)), *([{}] if verb == "equilibrium_path" else []))


def test_a_run_goes_on_from_its_end(tmp_path: Any) -> None:
    whole = lw.simulate(hung((0.6, 0.0)), until=1.0)
    half = lw.simulate(hung((0.6, 0.0)), until=0.6)
    rest = lw.simulate(half, until=1.0)
    assert rest["A.x"][-1] == pytest.approx(whole["A.x"][-1], abs=1e-8)
    whole.save(tmp_path / "run.nc")
    again = lw.load_result(tmp_path / "run.nc")
    assert [event.name for event in again.events] == changes(whole)


@pytest.mark.parametrize("beyond", [1e-2, 1e-4, 1e-6])
@pytest.mark.parametrize("kind", ["relative", "natural"])
def test_a_throw_that_hardly_reaches_the_end_of_the_rope_is_not_missed(beyond: float, kind: str) -> None:
    """A parabola takes one step, and the room is used up for milliseconds within it."""
    speed = np.sqrt(2 * G * (1 + beyond))
    result = lw.simulate(hung((0.0, 0.1), (0.0, np.sqrt(speed**2 - 0.2 * G))), until=0.8, coordinates=kind)
    assert changes(result) == ["rope goes taut", "rope goes slack"]
    assert result.events[0].values["impulse"] == pytest.approx(2.0 * np.sqrt(2 * G * beyond), rel=1e-4)
    assert np.max(result["rope.distance"]) <= 1 + 1e-9


def test_one_that_does_not_reach_it_feels_nothing() -> None:
    speed = np.sqrt(2 * G * (0.9 - 1e-6))
    assert changes(lw.simulate(hung((0.0, 0.1), (0.0, speed)), until=0.8)) == []
