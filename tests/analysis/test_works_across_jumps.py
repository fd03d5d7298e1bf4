"""Works of motors where forces jump between samples, compared with force times way.

A gas force F acts on a part of a stroke alone: whatever the motion and its samples, a motor does F times that part. From
pose to pose it does so slowly.
"""

from __future__ import annotations

import numpy as np
import pytest

import linkwork as lw

PUSH, EDGE = -500.0, 0.5123


def carts(force: str | None, count: int = 1, **more: object) -> lw.Model:
    """Carts of 2 kg on rails beside each other, the first of them pushed."""
    names = range(count)
    forces = {} if force is None else {"gas": {"kind": "effort", "joint": "s0", "value": force}}
    return lw.Model(
        space="planar",
        points={f"O{i}": [0, i] for i in names},
        bodies={f"cart{i}": {"points": [f"O{i}"], "mass": 2, "inertia": 1} for i in names},
        joints={
            f"s{i}": {"kind": "prismatic", "bodies": ["ground", f"cart{i}"], "at": f"O{i}", "axis": [1, 0]}
            for i in names
        },
        forces={**forces, **more},  # type: ignore[dict-item]
    )


FORCES = {
    "if": f"if(s0.position > {EDGE}, {PUSH}, 0)",
    "step": f"{PUSH}*step(s0.position - {EDGE})",
    "table": f"linear_table(s0.position, 0, 0, {EDGE - 1e-9}, 0, {EDGE + 1e-9}, {PUSH}, 2, {PUSH})",
}
MOTIONS = {"evenly": "t", "back and forth": "t - 0.1*sin(2*pi*t)", "there at last": "t^2*(3 - 2*t)"}


@pytest.mark.parametrize("force", FORCES)
@pytest.mark.parametrize("motion", MOTIONS)
@pytest.mark.parametrize("count", [37, 181, 721])
def test_a_gas_force_over_a_part_of_the_stroke(force: str, motion: str, count: int) -> None:
    model, times = carts(FORCES[force], 2), np.linspace(0, 1, count)
    given = {"s0": MOTIONS[motion], "s1": "sin(3*t)"}
    found = lw.inverse_dynamics(model, given, times=times, motors=["s0", "s1"])
    speed = found["s0.speed"]
    beyond = np.maximum(found["s0.position"] - EDGE, 0.0)
    own = speed**2 - speed[0] ** 2 - PUSH * beyond
    assert found.energy["s0.position"] == pytest.approx(own, abs=2e-7)
    # what jumps is no matter of another motor
    assert found.energy["s1.position"] == pytest.approx(9 * np.cos(3 * times) ** 2 - 9, abs=1e-8)


def test_one_motor_of_two_freedoms_knows_its_own_work() -> None:
    """What is left over is no work of it."""
    times = np.linspace(0, 1, 181)
    found = lw.inverse_dynamics(carts(FORCES["if"], 2), {"s0": "t", "s1": "sin(3*t)"}, times=times, motors=["s0"])
    assert found.undriven == ("s1.position",)
    own = -PUSH * np.maximum(times - EDGE, 0.0)
    assert found.energy["s0.position"] == pytest.approx(own, abs=1e-8)


def engine(gas: str) -> lw.Model:
    """A crank of 1 m, a rod of 3 m, and a gas on the piston."""
    pin = {"kind": "revolute"}
    return lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [0.5, 0.8], "B": [3.4, 0.0]},
        bodies={
            "crank": {"bar": ["O", "A"], "length": 1, "mass": 1},
            "rod": {"bar": ["A", "B"], "length": 3, "mass": 2},
            "piston": {"points": ["B"], "mass": 3},
        },
        joints={
            "O": {**pin, "bodies": ["ground", "crank"]},
            "A": {**pin, "bodies": ["crank", "rod"]},
            "B": {**pin, "bodies": ["rod", "piston"]},
            "slide": {"kind": "prismatic", "bodies": ["ground", "piston"], "at": ["O", "B"], "axis": [1, 0]},
        },
        forces={"gas": {"kind": "effort", "joint": "slide", "value": gas}},
    )


@pytest.mark.parametrize(("count", "allowed"), [(37, 2e-7), (181, 2e-8), (721, 5e-9)])
def test_an_engine_that_is_pushed_on_its_way_back(count: int, allowed: float) -> None:
    """The gas pushes from 3.2 m inwards to the dead centre at 2 m, over 1.2 m; the rest of the turn is free."""
    model = engine("if(slide.position < 3.2, if(slide.speed < 0, -100, 0), 0)")
    found = lw.inverse_dynamics(model, {"O": "2*pi*t + 0.3"}, times=np.linspace(0, 1, count), motors=["O"])
    assert found.energy["O.angle"][-1] == pytest.approx(-120.0, abs=allowed)
    table = found.motor_loads().loads[0]
    assert table.mean_power == pytest.approx(-120.0, abs=allowed)


def test_poses_are_gone_through_slowly_against_forces_that_are_no_potentials() -> None:
    """A gas is pushed back, a damper and an inertia are not felt; in any samples."""
    damper = {"kind": "spring", "between": ["ground.W", "cart0.O0"], "stiffness": 0, "free_length": 9, "damping": 50}
    model = lw.Model(**{**carts(FORCES["if"], 2).to_dict(), "points": {"O0": [0, 0], "O1": [0, 1], "W": [-9, 0]}})
    data = model.to_dict()
    data["forces"]["damper"] = damper
    rows = np.array([0.0, 0.25, 0.5, 0.9, 1.0, 0.2])
    found = lw.inverse_dynamics(lw.Model(**data), {"s0": rows, "s1": 2 * rows}, motors=["s0", "s1"])
    assert found.energy["s0.position"] == pytest.approx(-PUSH * np.maximum(rows - EDGE, 0.0), abs=1e-6)
    assert found.energy["s1.position"] == pytest.approx(0.0, abs=1e-9)


def test_slow_works_around_a_loop() -> None:
    """The crank pushes the piston slowly against a constant force: F times the way of the piston, and no more."""
    rows = np.linspace(0.3, 0.3 + 2 * np.pi, 13)
    found = lw.inverse_dynamics(engine("-100"), {"O": rows}, motors=["O"])
    way = found["slide.position"] - found["slide.position"][0]
    assert found.energy["O.angle"] == pytest.approx(100 * way, abs=1e-6)


def test_nothing_changes_with_time_from_pose_to_pose() -> None:
    """A force that is a cosine of time is the one at the start in every pose, and a note says so."""
    rows = np.linspace(0.0, 1.0, 5)
    found = lw.inverse_dynamics(carts("-100*cos(t)"), {"s0": rows}, motors=["s0"])
    assert found["s0.position.effort"] == pytest.approx(100.0, abs=1e-9)
    assert found.energy["s0.position"] == pytest.approx(100 * rows, abs=1e-9)
    assert any("this is the balance at t = 0 s" in note for note in found.notes)
    assert found.time == pytest.approx(np.arange(5)) and found.result.outcome.time == pytest.approx(4)
