"""Periodic motions across impacts, stops and events of one's own: closed forms, publications, and differences of runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import RefusedError, UnknownNameError

G = 9.81
TIGHT = {"rtol": 1e-12, "atol": 1e-14}


# -- walking -------------------------------------------------------------------------------------------------------------


def simplest() -> lw.Model:
    """Two legs without mass and a hip, on a slope (Garcia, Chatterjee, Ruina and Coleman 1998), as equations."""
    fall = "sin(theta.angle - gam)"
    swing = f"{fall} + theta.speed^2*sin(phi.angle) - cos(theta.angle - gam)*sin(phi.angle)"
    return lw.Model(
        space="planar",
        parameters={"gam": 0.009},
        points={"O": [0, 0]},
        bodies={name: {"points": ["O"], "com": "O", "mass": 1, "inertia": 1} for name in ("stance", "swinging")},
        joints={
            "theta": {"kind": "revolute", "bodies": ["ground", "stance"], "at": "O"},
            "phi": {"kind": "revolute", "bodies": ["ground", "swinging"], "at": "O"},
        },
        forces={
            "fall": {"kind": "effort", "joint": "theta", "value": fall},
            "swing": {"kind": "effort", "joint": "phi", "value": swing},
        },
        initial={"theta": {"angle": 0.2, "speed": -0.2}, "phi": {"angle": 0.4, "speed": -0.016}},
    )


STRIKE = {"strike": lw.Event("phi.angle - 2*theta.angle", direction=1)}  # scuffing crosses the other way
LEGS = {
    "strike": {
        "theta.angle": "-theta.angle",
        "theta.speed": "cos(2*theta.angle)*theta.speed",
        "phi.angle": "-2*theta.angle",
        "phi.speed": "cos(2*theta.angle)*(1 - cos(2*theta.angle))*theta.speed",
    }
}


def test_the_simplest_walking_model() -> None:
    found = lw.floquet(simplest(), 3.9, find=True, events=STRIKE, maps=LEGS)
    start = dict(zip(found.states, found.start, strict=True))
    assert start["theta.angle"] == pytest.approx(0.2003109005, abs=1e-9)
    assert start["theta.speed"] == pytest.approx(-0.1998324730, abs=1e-9)
    assert start["phi.angle"] == pytest.approx(2 * start["theta.angle"], abs=1e-10)
    assert start["phi.speed"] == pytest.approx(-0.015822999948, abs=1e-10)
    assert found.period == pytest.approx(3.8824637529, abs=1e-8)
    assert found.multipliers[:2] == pytest.approx([-0.1900998 + 0.5575988j, -0.1900998 - 0.5575988j], abs=1e-6)
    # a step forgets where the legs were: two multipliers are none
    assert np.abs(found.multipliers[2:]).max() < 1e-10
    assert found.attracting
    assert found.gap < 1e-10


def test_the_short_period_gait_is_another_one() -> None:
    """The other fixed point of the same map, which is not stable (Garcia et al., figure 3: short-period gaits)."""
    model = simplest().with_(initial={"theta": {"angle": 0.19, "speed": -0.19}, "phi": {"angle": 0.38, "speed": -0.01}})
    found = lw.floquet(model, 3.8, find=True, events=STRIKE, maps=LEGS)
    again = lw.simulate(simplest().with_(initial=_started(found)), found.period, step=found.period, **TIGHT)
    ended = {name: again[name][-1] for name in found.states}
    back = dict(zip(found.states, found.start, strict=True))
    assert -ended["theta.angle"] == pytest.approx(back["theta.angle"], abs=1e-8)
    assert np.cos(2 * ended["theta.angle"]) * ended["theta.speed"] == pytest.approx(back["theta.speed"], abs=1e-8)


def _started(found: Any) -> dict[str, dict[str, float]]:
    given: dict[str, dict[str, float]] = {}
    for name, value in zip(found.states, found.start, strict=True):
        joint, what = name.split(".")
        given.setdefault(joint, {})[what] = float(value)
    return given


def walker() -> lw.Model:
    """The same with masses, as a mechanism: hip M = 1000 and feet of m = 1 on legs of length 1."""
    slope = 0.009
    return lw.Model(
        space="planar",
        gravity=[float(np.sin(slope)), float(-np.cos(slope))],
        parameters={"M": 1000, "m": 1},
        points={"O": [0, 0], "H": [0, 1], "F": [0, 0]},
        bodies={
            "stance": {"points": ["O", "H"], "com": "H", "mass": "M", "inertia": 0},
            "swing": {"points": ["H", "F"], "com": "F", "mass": "m", "inertia": 0},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "stance"], "reference": 0},
            "H": {"kind": "revolute", "bodies": ["stance", "swing"], "reference": 0},
        },
        initial={"O": {"angle": 0.2, "speed": -0.2}, "H": {"angle": -0.4, "speed": 0.0158}},
    )


def test_a_walker_with_masses_swaps_its_legs() -> None:
    """Momenta about the new foot and about the hip; the stance leg is the other one. By P. Bhounsule's program."""
    hit = "M*cos(2*O.angle)/(M + m*sin(2*O.angle)^2)*O.speed"
    found = lw.floquet(
        walker(),
        3.9,
        find=True,
        events={"strike": lw.Event("-H.angle - 2*O.angle", direction=1)},
        maps={
            "strike": {
                "O.angle": "-O.angle",
                "H.angle": "-H.angle",
                "O.speed": hit,
                "H.speed": f"-(1 - cos(2*O.angle))*{hit}",
            }
        },
    )
    start = dict(zip(found.states, found.start, strict=True))
    wanted = (0.200161072169750, -0.199906060087682, 0.400322144339512, -0.015805473227965)
    mine = (start["O.angle"], start["O.speed"], -start["H.angle"], -start["H.speed"])
    assert mine == pytest.approx(wanted, abs=1e-8)
    assert found.attracting


# -- impacts -------------------------------------------------------------------------------------------------------------


def juggler(
    restitution: float, speed: float, start: tuple[float, float] | None = None, omega: float = 10 * np.pi
) -> lw.Model:
    """A ball above a table that goes up and down with the largest speed *speed*."""
    initial = {} if start is None else {"ball": {"position": start[0], "speed": start[1]}}
    return lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"T": [0, 0], "B": [0, 0]},
        bodies={
            "plate": {"points": ["T"], "com": "T", "mass": 1},
            "marble": {"points": ["B"], "com": "B", "mass": 0.3},
        },
        joints={
            "table": {"kind": "prismatic", "bodies": ["ground", "plate"], "at": "T", "axis": [0, 1]},
            "ball": {
                "kind": "prismatic",
                "bodies": ["plate", "marble"],
                "at": "B",
                "axis": [0, 1],
                "limits": [0, None],
                "stops": {"restitution": restitution},
            },
        },
        drivers={"shake": {"joint": "table", "position": f"{speed / omega}*sin({omega}*t)"}},
        initial=initial,
    )


@pytest.mark.parametrize(("restitution", "speed"), [(0.8, 0.15), (0.5, 0.5), (0.9, 0.06)])
def test_a_ball_that_bounces_on_a_table_once_a_period(restitution: float, speed: float) -> None:
    """V = g T/2, u = V (1 − e)/(1 + e) at the impact, and the derivative of the map of times and speeds by hand."""
    e, omega = restitution, 10 * np.pi
    period = 2 * np.pi / omega
    v = G * period / 2
    u = v * (1 - e) / (1 + e)
    when = np.arccos(u / speed) / omega  # where the table slows down
    left = period - when  # since the last impact, at t = 0
    height = speed / omega * np.sin(omega * when) + v * left - G * left**2 / 2
    start = height, v - G * left - speed
    found = lw.floquet(juggler(e, speed, (start[0] + 1e-4, start[1] - 1e-3)), find=True)
    assert found.period == pytest.approx(period)
    assert found.start == pytest.approx(start, abs=1e-9)
    a, k = -speed * omega * np.sin(omega * when), period / (v + u)
    by_hand = np.array([[1.0, k], [(1 + e) * a, (1 + e) * a * k - e + e * G * k]])
    wanted = np.linalg.eigvals(by_hand)
    order = np.lexsort((wanted.imag, np.abs(wanted)))
    mine = found.multipliers[np.lexsort((found.multipliers.imag, np.abs(found.multipliers)))]
    assert mine == pytest.approx(wanted[order], abs=1e-8)
    assert np.prod(mine).real == pytest.approx(e**2, abs=1e-9)  # volume is lost in impacts alone
    assert "the motion crosses 1 event in a period" in found.notes
    assert found.motion["ball.position"].min() > -1e-9


def test_two_balls_at_once() -> None:
    """On tables apart from each other, hit at different times: the multipliers of both. At one instant: none, told."""

    def juggled(phase: float) -> lw.Model:
        one = juggler(0.8, 0.15, (0.0294, -0.92)).to_dict()
        omega = 10 * np.pi
        one["points"] |= {"S": [1, 0], "C": [1, 0]}
        one["bodies"] |= {
            "other_plate": {"points": ["S"], "com": "S", "mass": 1},
            "pea": {"points": ["C"], "com": "C", "mass": 0.1},
        }
        one["joints"] |= {
            "second": {"kind": "prismatic", "bodies": ["ground", "other_plate"], "at": "S", "axis": [0, 1]},
            "other": {
                "kind": "prismatic",
                "bodies": ["other_plate", "pea"],
                "at": "C",
                "axis": [0, 1],
                "limits": [0, None],
                "stops": {"restitution": 0.8},
            },
        }
        one["drivers"]["more"] = {"joint": "second", "position": f"{0.15 / omega}*sin({omega}*t + {phase})"}
        run = lw.floquet(juggler(0.8, 0.15, (0.0294, -0.92)), find=True).motion
        later = np.interp(phase / omega % 0.2, run.time, run["ball.position"])
        speed = np.interp(phase / omega % 0.2, run.time, run["ball.speed"])
        first = run["ball.position"][0], run["ball.speed"][0]
        one["initial"] = {
            "ball": {"position": first[0], "speed": first[1]},
            "other": {"position": float(later), "speed": float(speed)},
        }
        return lw.Model(**one)

    alone = lw.floquet(juggler(0.8, 0.15, (0.0294, -0.92)), find=True).multipliers
    both = lw.floquet(juggled(-0.4), find=True)
    assert np.sort_complex(np.round(both.multipliers, 6)) == pytest.approx(
        np.sort_complex(np.round(np.repeat(alone, 2), 6)), abs=1e-4
    )
    assert np.poly(both.monodromy) == pytest.approx(np.poly(np.repeat(alone, 2)).real, abs=1e-7)
    with pytest.raises(RefusedError, match="several events at one instant"):
        lw.floquet(juggled(0.0), find=True)


def oscillator(stop: dict[str, Any], start: tuple[float, float]) -> lw.Model:
    """A mass on a spring between the ground and a stop, shaken."""
    return lw.Model(
        space="planar",
        points={"P": [0, 0]},
        bodies={"mass": {"points": ["P"], "com": "P", "mass": 1}},
        joints={
            "x": {
                "kind": "prismatic",
                "bodies": ["ground", "mass"],
                "at": "P",
                "axis": [1, 0],
                "limits": [None, 0.02],
                "stops": stop,
            }
        },
        forces={"shake": {"kind": "effort", "joint": "x", "value": "-20*x.position - 0.4*x.speed + 3*cos(5*t)"}},
        initial={"x": {"position": start[0], "speed": start[1]}},
    )


def by_differences(make: Any, start: np.ndarray, period: float, names: tuple[str, ...]) -> np.ndarray:
    """Columns of the monodromy matrix by central differences of runs."""
    columns = []
    for i in range(len(start)):
        ends = []
        for h in (1e-5, -1e-5):
            moved = start.copy()
            moved[i] += h
            run = lw.simulate(make(moved), period, step=period, **TIGHT)
            ends.append(np.array([run[name][-1] for name in names]))
        columns.append((ends[0] - ends[1]) / 2e-5)
    return np.array(columns).T


@pytest.mark.parametrize("stop", [{"restitution": 0.7}, {"stiffness": 2000, "damping": 5}])
def test_an_oscillator_that_hits_a_stop(stop: dict[str, Any]) -> None:
    """Rigid with impacts, or a spring that begins and ends: against differences of runs."""
    run = lw.simulate(oscillator(stop, (-0.1, 0.0)), 40 * 2 * np.pi / 5, step=2 * np.pi / 5, rtol=1e-10, atol=1e-12)
    begin = run["x.position"][-1], run["x.speed"][-1]
    found = lw.floquet(oscillator(stop, begin), find=True)
    wanted = by_differences(lambda y: oscillator(stop, (y[0], y[1])), found.start, found.period, found.states)
    assert found.monodromy == pytest.approx(wanted, abs=2e-6 * max(1.0, np.abs(wanted).max()))
    assert found.attracting
    assert any("crosses" in note for note in found.notes)


def rubbing(start: tuple[float, float]) -> lw.Model:
    """A block on a spring and a rail that rubs, shaken slowly."""
    return lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"P": [0, 0]},
        bodies={"block": {"points": ["P"], "com": "P", "mass": 1}},
        joints={
            "x": {
                "kind": "prismatic",
                "bodies": ["ground", "block"],
                "at": "P",
                "axis": [1, 0],
                "friction": {"coefficient": 0.2, "static": 0.3},
            }
        },
        forces={"shake": {"kind": "effort", "joint": "x", "value": "-20*x.position + 6*sin(2*t + 1)"}},
        initial={"x": {"position": start[0], "speed": start[1]}},
    )


def test_a_block_that_sticks_forgets_its_speed() -> None:
    """It sticks twice a period: of two multipliers one is none, and the other that of differences of runs."""
    run = lw.simulate(rubbing((0.0, 0.0)), 10 * np.pi, step=np.pi, rtol=1e-10, atol=1e-12)
    begin = run["x.position"][-1], run["x.speed"][-1]
    assert abs(begin[1]) > 0.01
    found = lw.floquet(rubbing(begin), find=True)
    sizes = np.sort(np.abs(found.multipliers))
    assert sizes[0] < 1e-9
    wanted = by_differences(lambda y: rubbing((y[0], y[1])), found.start, found.period, found.states)
    assert found.monodromy == pytest.approx(wanted, abs=1e-6)
    assert found.motion["x.friction.force"].max() > 1.9


def pushed(start: tuple[float, float]) -> lw.Model:
    """A rod that is pushed one way and the other, by a torque that jumps."""
    return lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0], "A": [0, -1]},
        bodies={"rod": {"bar": ["O", "A"], "mass": 1}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "rod"], "reference": 0}},
        forces={"push": {"kind": "effort", "joint": "O", "value": "sign(sin(5*t + 0.3)) - 0.3*O.speed"}},
        initial={"O": {"angle": start[0], "speed": start[1]}},
    )


def test_a_torque_that_jumps() -> None:
    found = lw.floquet(pushed((0.0, 0.0)), find=True, period=2 * np.pi / 5)
    wanted = by_differences(lambda y: pushed((y[0], y[1])), found.start, found.period, found.states)
    assert found.monodromy == pytest.approx(wanted, abs=1e-7)
    assert "the motion crosses 2 events in a period" in found.notes


def test_what_has_no_multipliers_is_told() -> None:
    model = simplest()
    with pytest.raises(RefusedError, match="give one event"):
        lw.floquet(model, 3.9, maps=LEGS)
    with pytest.raises(UnknownNameError, match="no event 'strik'"):
        lw.floquet(model, 3.9, events=STRIKE, maps={"strik": {}})
    with pytest.raises(RefusedError, match=r"is no state in relative coordinates; states: theta\.angle"):
        lw.floquet(model, 3.9, find=True, events=STRIKE, maps={"strike": {"stance.O.x": "0"}})
    with pytest.raises(RefusedError, match="does not come back to its event"):
        lw.floquet(model, 0.1, find=True, events=STRIKE, maps=LEGS)
