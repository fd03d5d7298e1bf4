"""Antiparallelograms: the lengths are those of a parallelogram, the motion is not."""

import numpy as np
import pytest

import linkwork as lw


def crossed(turn: float = 0.0, size: float = 1.0, space: str = "planar") -> lw.Model:
    """Cranks of 1 and coupler of 2, turned in the plane, ten times as large, or built in space."""
    spatial = space == "spatial"

    def place(x: float, y: float) -> list[float]:
        c, s = np.cos(turn), np.sin(turn)
        return [size * (c * x - s * y), size * (s * x + c * y), *([0.0] if spatial else [])]

    bar = {"radius": 0.01 * size} if spatial else {}
    axis = {"axis": [0, 0, 1]} if spatial else {}
    return lw.Model(
        space=space,
        gravity=[0, -9.81, *([0] if spatial else [])],
        points={"O": place(0, 0), "A": place(0.5, np.sqrt(0.75)), "B": place(1.9, -0.9), "C": place(2, 0)},
        bodies={
            "crank": {"bar": ["O", "A"], "length": size, "mass": 1, **bar},
            "coupler": {"bar": ["A", "B"], "length": 2 * size, "mass": 2, **bar},
            "rocker": {"bar": ["C", "B"], "length": size, "mass": 1, **bar},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "crank"], **axis},
            "A": {"kind": "revolute", "bodies": ["crank", "coupler"], **axis},
            "B": {"kind": "revolute", "bodies": ["coupler", "rocker"], **axis},
            "C": {"kind": "revolute", "bodies": ["ground", "rocker"], **axis},
        },
    )


@pytest.mark.parametrize("build", [{}, {"turn": np.pi / 4}, {"size": 10.0}, {"space": "spatial"}])
def test_the_hybrid_plan_keeps_the_energy_of_a_crossed_parallelogram(build):
    model = crossed(**build)
    times = np.linspace(0.0, 0.4, 21)
    result = lw.simulate(model, times=times)
    assert "crossed (in use)" in str(lw.analyse(model))
    energy, kinetic = result["energy.total"], result["energy.kinetic"]
    assert np.max(np.abs(energy - energy[0])) < 1e-7 * np.max(kinetic)
    other = lw.simulate(model, times=times, formulation="multipliers", coordinates="natural")
    assert result["O.angle"] == pytest.approx(other["O.angle"], abs=1e-6)
