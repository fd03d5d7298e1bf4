"""Vibrations of mechanisms of which something holds that comes and goes: stops, ropes, joints that stick."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import RefusedError, UnknownNameError

G = 9.81


def frequencies(found: Any) -> list[float]:
    """Of all modes that swing, Hz."""
    return sorted(float(mode.omega / (2 * np.pi)) for mode in found.modes if mode.oscillates)


def chain(**joints: Any) -> lw.Model:
    """Two rods of 1 m and 1 kg."""
    return lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0], "A": [1, 0], "B": [2, 0]},
        bodies={"one": {"bar": ["O", "A"], "mass": 1}, "two": {"bar": ["A", "B"], "mass": 1}},
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "one"], **joints.get("O", {})},
            "A": {"kind": "revolute", "bodies": ["one", "two"], **joints.get("A", {})},
        },
    )


@pytest.mark.parametrize("kind", ["relative", "reference_point", "natural"])
def test_a_chain_that_rests_on_its_stop_swings_with_one_rod(kind: str) -> None:
    """ω² = 3 g/2 l of the rod below; with the stop let go, of a double pendulum about that state for a moment."""
    eq = lw.find_equilibrium(chain(O={"limits": ["-20 deg", None]}), coordinates=kind)
    found = lw.modes(eq)
    assert frequencies(found) == pytest.approx([np.sqrt(1.5 * G) / (2 * np.pi)], rel=1e-9)
    assert "linear within one mode: O.angle.lower hold" in found.notes
    free = lw.linearise(eq, holds=[])
    assert len(free.eigenvalues) == 4
    assert "linear within one mode: nothing that comes and goes holds" in free.notes
    again = lw.modes(eq, holds=["O.angle.lower"])
    assert frequencies(again) == pytest.approx(frequencies(found), rel=1e-12)


def test_a_model_that_begins_at_its_stop_is_held_by_it() -> None:
    data = {"limits": ["-20 deg", None]}
    model = chain(O=data).with_(initial={"O": {"angle": "-20 deg"}, "A": {"angle": "-70 deg"}})
    found = lw.modes(model)
    assert frequencies(found) == pytest.approx([np.sqrt(1.5 * G) / (2 * np.pi)], rel=1e-9)
    away = lw.linearise(chain(O=data))
    assert len(away.eigenvalues) == 4


def two_blocks() -> lw.Model:
    """A block that rubs on a rail, and one on a spring beside it that does not."""
    rail = {"kind": "prismatic", "at": "P", "axis": [1, 0]}
    return lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"P": [0, 0], "Q": [1, 0]},
        bodies={
            "rough": {"points": ["P"], "com": "P", "mass": 2},
            "smooth": {"points": ["Q"], "com": "Q", "mass": 3},
        },
        joints={
            "rail": {**rail, "bodies": ["ground", "rough"], "friction": {"coefficient": 0.5}},
            "ice": {**rail, "bodies": ["ground", "smooth"], "at": "Q"},
        },
        forces={"spring": {"kind": "spring", "between": ["rough.P", "smooth.Q"], "stiffness": 50, "free_length": 1}},
        initial={"ice": {"position": 0.01}},
    )


def test_what_sticks_in_a_run_is_held() -> None:
    """ω² = k/m of the other block; let go, k (1/m + 1/M)."""
    run = lw.simulate(two_blocks(), 0.1, step=0.05)
    assert run.modes.rows[0].holds == ("rail.friction",)
    stuck = lw.modes(run, time=0.05)
    assert frequencies(stuck) == pytest.approx([np.sqrt(50 / 3) / (2 * np.pi)], rel=1e-9)
    free = lw.modes(run, time=0.05, holds=[])
    assert max(frequencies(free)) == pytest.approx(np.sqrt(50 * (1 / 2 + 1 / 3)) / (2 * np.pi), rel=1e-6)


def test_a_load_on_a_taut_rope_is_a_pendulum() -> None:
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0], "P": [0, -0.8]},
        bodies={"load": {"points": ["P"], "com": "P", "mass": 2, "inertia": 0.1}},
        relations={"line": {"kind": "rope", "between": ["ground.O", "load.P"], "length": 0.8}},
    )
    found = lw.modes(model)
    assert max(frequencies(found)) == pytest.approx(np.sqrt(G / 0.8) / (2 * np.pi), rel=1e-9)


def test_what_cannot_hold_is_told() -> None:
    model = chain(O={"limits": ["-20 deg", None]})
    with pytest.raises(UnknownNameError, match=r"nothing that comes and goes is called 'O\.lower'"):
        lw.linearise(model, holds=["O.lower"])
    with pytest.raises(RefusedError, match=r"O\.angle\.lower does not hold in this state: 20 deg are left"):
        lw.linearise(model, holds=["O.angle.lower"])
    with pytest.raises(RefusedError, match="nothing comes and goes"):
        lw.linearise(chain(), holds=["O.angle.lower"])
    moving = chain(O={"limits": [0, None]}).with_(initial={"O": {"speed": 1}})
    with pytest.raises(RefusedError, match="it moves by"):
        lw.linearise(moving, holds=["O.angle.lower"])
