"""Followers of cams that lift off: the time from the force in closed form, landings, and the two-sided cam before that."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import linkwork as lw
from linkwork.errors import ModelError, RefusedError

G, M, K = 9.81, 0.5, 50.0
RADIUS, ECCENTRICITY, FREE, SPEED = 0.05, 0.02, 0.04, 40.0  # m, m, m, rad/s
ROLLER = 0.01
TIGHT = {"rtol": 1e-11, "atol": 1e-13}
KINDS = ("relative", "reference_point", "natural", "mixed")


def flat(t: float) -> float:
    """s = R + e sin θ."""
    return RADIUS + ECCENTRICITY * np.sin(SPEED * t)


def rolling(t: float) -> float:
    """s = e sin θ + √((R + r)² − e² cos² θ)."""
    return ECCENTRICITY * np.sin(SPEED * t) + np.sqrt((RADIUS + ROLLER) ** 2 - (ECCENTRICITY * np.cos(SPEED * t)) ** 2)


def cam(follower: str, *, turned: float = 0.0, size: float = 1.0, **keys: Any) -> lw.Model:
    """An eccentric disc under a sprung follower that begins on it and with it; all turned, and all lengths *size* times."""
    law = flat if follower == "flat" else rolling
    along, across = np.array([-np.sin(turned), np.cos(turned)]), np.array([np.cos(turned), np.sin(turned)])
    start = size * law(0.0)
    points = {"O": [0, 0], "T": start * along, "F": start * along - size * across, "H": start * along + size * across}
    touch = {"follower": "flat", "face": ["tappet.F", "tappet.H"]}
    if follower == "roller":
        touch = {"follower": "roller", "point": "tappet.T", "radius": size * ROLLER}
    centre = size * ECCENTRICITY * across
    names = ["T", "F", "H"] if follower == "flat" else ["T"]
    return lw.Model(
        space="planar",
        gravity=-G * size * along,
        points={name: points[name] for name in ("O", *names)},
        bodies={
            "cam": {"points": ["O"], "com": "O", "mass": 1, "inertia": 1e-3},
            "tappet": {"points": names, "com": "T", "mass": M, "inertia": 1e-3},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "cam"]},
            "guide": {
                "kind": "prismatic",
                "bodies": ["ground", "tappet"],
                "at": "T",
                "axis": along,
                "reference": start,
            },
        },
        initial={"guide": {"speed": size * ECCENTRICITY * SPEED}},
        drivers={"turn": {"joint": "O", "position": f"{SPEED}*t"}},
        forces={"spring": {"kind": "effort", "joint": "guide", "value": f"-{K}*(guide.position - {size * FREE})"}},
        relations={
            "touch": {
                "kind": "cam",
                "body": "cam",
                "origin": "O",
                "x": f"{centre[0]} + {size * RADIUS}*cos(u)",
                "y": f"{centre[1]} + {size * RADIUS}*sin(u)",
                **touch,
                "lifts": True,
                **keys,
            }
        },
    )


def pressed(law: Any, t: float) -> float:
    """N = m (s'' + g) + k (s − s_free), s'' by a difference of eighth order."""
    h, weights = 2e-4, (-205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560)
    second = weights[0] * law(t) + sum(w * (law(t + i * h) + law(t - i * h)) for i, w in enumerate(weights) if i)
    return float(M * (second / h**2 + G) + K * (law(t) - FREE))


@pytest.mark.parametrize("coordinates", KINDS)
def test_a_flat_face_lifts_off_where_the_force_ends(coordinates: str) -> None:
    """N = m g + k (R − s_free) − e (m ω² − k) sin θ vanishes at a sine that is known."""
    sine = (M * G + K * (RADIUS - FREE)) / (ECCENTRICITY * (M * SPEED**2 - K))
    result = lw.simulate(cam("flat"), until=0.1, coordinates=coordinates, **TIGHT)
    assert result.events[0].name == "touch lifts off"
    assert result.events[0].time == pytest.approx(np.arcsin(sine) / SPEED, abs=1e-12)


@pytest.mark.parametrize(("turned", "size"), [(0.0, 1.0), (np.pi / 4, 1.0), (0.0, 10.0)])
def test_a_roller_lifts_off_where_the_force_ends(turned: float, size: float) -> None:
    expected = brentq(lambda t: pressed(rolling, t), 1e-3, 0.03, xtol=1e-13)
    result = lw.simulate(cam("roller", turned=turned, size=size), until=0.1, **TIGHT)
    assert result.events[0].name == "touch lifts off"
    assert result.events[0].time == pytest.approx(expected, abs=1e-9)
    assert result["touch.gap"].min() > -1e-14 * size


@pytest.mark.parametrize(("follower", "law"), [("flat", flat), ("roller", rolling)])
@pytest.mark.parametrize("restitution", [0.0, 0.4])
def test_it_flies_lands_and_leaves_as_a_mass_over_a_wave_does(follower: str, law: Any, restitution: float) -> None:
    """The flight of a mass on a spring, integrated by another program, and the speed of the landing against the lift's."""
    result = lw.simulate(cam(follower, restitution=restitution), until=0.3, **TIGHT)
    leaving, landing = result.events[0].time, result.events[1]

    def apart(t: float, s: np.ndarray) -> float:
        return float(s[0] - law(t)) if t > leaving + 1e-3 else 1.0

    apart.terminal, apart.direction = True, -1  # type: ignore[attr-defined]
    rate = (law(leaving + 1e-6) - law(leaving - 1e-6)) / 2e-6
    flight = solve_ivp(
        lambda t, s: [s[1], -G - K / M * (s[0] - FREE)],
        (leaving, 0.3),
        [law(leaving), rate],
        "DOP853",
        events=apart,
        rtol=1e-12,
        atol=1e-14,
    )
    assert landing.name == ("touch touches" if restitution == 0.0 else "touch bounces")
    assert landing.time == pytest.approx(flight.t_events[0][0], abs=1e-8)
    closing = flight.y_events[0][0][1] - (law(landing.time + 1e-6) - law(landing.time - 1e-6)) / 2e-6
    # of a flat face the normal is that of the guide; of a roller it leans, and the mass along it is larger
    normal = 1.0
    if follower == "roller":
        normal = (law(landing.time) - ECCENTRICITY * np.sin(SPEED * landing.time)) / (RADIUS + ROLLER)
    assert landing.values["impulse"] * normal == pytest.approx(-M * closing * (1 + restitution), rel=1e-6)
    assert result["touch.gap"].min() > -1e-14


def test_before_it_lifts_it_is_the_two_sided_cam() -> None:
    two_sided = cam("roller").to_dict()
    del two_sided["relations"]["touch"]["lifts"]
    times = np.linspace(0.0, 0.01, 21)
    expected = lw.simulate(lw.Model(**two_sided), times=times, **TIGHT)
    found = lw.simulate(cam("roller"), times=times, **TIGHT)
    assert found["touch.force"] == pytest.approx(expected["touch.force"], rel=1e-9)
    assert found["guide.position"] == pytest.approx(expected["guide.position"], abs=1e-13)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        (
            {"lifts": False, "restitution": 0.5},
            r"restitution: belongs to a follower that lifts off\n.*write lifts: true",
        ),
        ({"restitution": 1.5}, "touch.restitution: is 1.5; it is the part of the speed"),
    ],
)
def test_keys_that_make_no_sense_are_refused(keys: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        lw.analyse(cam("flat", **keys))


def test_other_verbs_do_not_take_it() -> None:
    with pytest.raises(RefusedError, match="come and go yet: 'touch'"):
        lw.solve_kinematics(cam("flat"), until=0.1)
