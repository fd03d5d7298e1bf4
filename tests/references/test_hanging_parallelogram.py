"""Two hanging windows of parallelograms: every formulation finds the one frequency of the five bodies.

SOURCE: three rods and two couplers, 1 kg and 1 m each, stay parallel: 3 θ̈ = −3.5 g sin θ, with I = 3 · 1/3 + 2 and
W = 3 · 1/2 + 2 in units of m L² and m L; small oscillations with ω = √(3.5 g/3) = 3.383045964807 rad/s.
"""

import numpy as np
import pytest
from scipy.special import ellipk

import linkwork as lw
from linkwork.equations.equations import find_formulation
from linkwork.equations.formulations import ALL_FORMULATIONS

OMEGA = 3.383045964807
VELOCITIES = {"relative": "A0.speed", "natural": "B0.x'"}
PAIRS = [
    (formulation.name, kind)
    for formulation in ALL_FORMULATIONS
    for kind in VELOCITIES
    if not formulation.kinds or kind in formulation.kinds
]


def windows() -> lw.Model:
    rods, across = range(3), range(2)
    return lw.Model(
        space="planar",
        gravity=[0, -9.81],
        parameters={"a": {"value": 0.7, "live": True}, "w": {"value": 0.0, "live": True}},
        points={
            **{f"A{k}": [k, 0] for k in rods},
            **{f"B{k}": [f"{k} + sin(a)", "-cos(a)"] for k in rods},
        },
        bodies={
            **{f"rod{k}": {"bar": [f"A{k}", f"B{k}"], "length": 1, "mass": 1} for k in rods},
            **{f"coupler{k}": {"bar": [f"B{k}", f"B{k + 1}"], "length": 1, "mass": 1} for k in across},
        },
        joints={
            **{f"A{k}": {"kind": "revolute", "bodies": ["ground", f"rod{k}"]} for k in rods},
            "B0": {"kind": "revolute", "bodies": ["rod0", "coupler0"]},
            "B1": {"kind": "revolute", "bodies": ["rod1", "coupler0"]},
            "C1": {"kind": "revolute", "bodies": ["coupler0", "coupler1"], "at": "B1"},
            "B2": {"kind": "revolute", "bodies": ["rod2", "coupler1"]},
        },
        initial={"A0": {"speed": "w"}},
    )


MODEL = windows()


def acceleration(formulation: str, kind: str, a: float, w: float) -> float:
    """θ̈ or ẍ of B0 by the flow of a formulation; where its states are momenta, by the velocities that belong to them."""
    mechanism = lw.prepare(MODEL, coordinates=kind, formulation=formulation)
    start = mechanism.start({"a": a, "w": w})
    flow, place = mechanism.flow(start), mechanism.coordinates.kinematics.v_names.index(VELOCITIES[kind])
    place += mechanism.coordinates.q.numel()
    state = flow.encode(0.0, start.y)
    rates = np.zeros(state.size)
    assert flow.evaluate(0.0, state, rates) >= 0
    if flow.own is None:
        return float(rates[place])
    steps = 1e-3 * np.array([-2, -1, 1, 2])
    found = [flow.decode(0.0, state + step * rates, start.y.size)[place] for step in steps]
    return float(np.array([1, -8, 8, -1]) @ found / 0.012)


@pytest.mark.matrix("formulation", "kind")
@pytest.mark.parametrize(("formulation", "kind"), PAIRS)
def test_accelerations_of_every_formulation(formulation, kind):
    """To 1e-8, and with penalties to what they leave open."""
    for a, w in ((0.7, 0.0), (1e-3, 0.0), (-1.2, 2.0)):
        exact = -(OMEGA**2) * np.sin(a)
        if kind == "natural":
            exact = exact * np.cos(a) - w**2 * np.sin(a)
        tolerance = 2e-7 if formulation == "penalty" else 1e-8
        assert acceleration(formulation, kind, a, w) == pytest.approx(exact, rel=tolerance)


@pytest.mark.matrix("formulation", "kind")
@pytest.mark.parametrize(("formulation", "kind"), PAIRS)
def test_the_period_of_small_and_large_oscillations(formulation, kind):
    """T = 4 K(sin ½θ₀) / ω: after a period all rods are back, after a half they hang on the other side."""
    for a in (1e-3, 1.0):
        period = 4 * ellipk(np.sin(a / 2) ** 2) / OMEGA
        run = {"until": period, "step": period / 4, "parameters": {"a": a}, "rtol": 1e-10, "atol": 1e-13}
        implicit = find_formulation(formulation).implicit
        if implicit:
            run["fixed_step"] = period / 2000
        result = lw.simulate(MODEL, coordinates=kind, formulation=formulation, **run)
        tolerance = 2e-5 if formulation == "penalty" or implicit else 2e-8
        for k in range(3):
            swung = result[f"B{k}.x"] - k
            assert np.allclose(swung, np.sin(a) * np.array([1, 0, -1, 0, 1]), rtol=0, atol=tolerance * a)
