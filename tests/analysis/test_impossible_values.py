"""Values of live parameters that no file may have are refused by every verb, by the parameter and the element."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

import linkwork as lw
from linkwork.errors import ModelError, UnitError
from linkwork.topology import topology

OWN = {"m": 1.0, "c": 0.1, "L": 1.0, "I": 0.1, "k": 10.0, "r": 0.05, "x": 1.0}


def arm(**changes: Any) -> lw.Model:
    """An arm with a spring, whose mass is a formula of another parameter, and a rod that is built of a shape with a bore."""
    return lw.Model(
        **{
            "space": "planar",
            "gravity": [0, -9.81],
            "parameters": {name: {"value": value, "live": True} for name, value in OWN.items()} | {"double": "2*m"},
            "points": {"O": [0, 0], "A": ["x", 0], "W": [2, 0]},
            "bodies": {"arm": {"bar": ["O", "A"], "length": "L", "mass": "double - 1", "inertia": "I", "width": "r"}},
            "joints": {"O": {"kind": "revolute", "bodies": ["ground", "arm"], "friction": {"viscous": "c"}}},
            "forces": {"s": {"kind": "spring", "between": ["arm.A", "ground.W"], "stiffness": "k", "damping": "c"}},
            **changes,
        }
    )


def along(parameters: dict[str, float]) -> dict[str, list[float]]:
    """From the impossible value to the one of the model."""
    return {name: [value, OWN[name]] for name, value in parameters.items()}


VERBS: dict[str, Callable[..., object]] = {
    "analyse": lw.analyse,
    "assemble": lw.assemble,
    "assembly_modes": lw.assembly_modes,
    "diagnose": lw.diagnose,
    "drag_point": lambda model, parameters: lw.drag_point(model, "arm.A", [[0, 1]], parameters=parameters),
    "inverse_function": lambda model, parameters: lw.inverse_function(model, ["O"], parameters=parameters),
    "frequency_response": lambda model, parameters: lw.frequency_response(model, inputs=["k"], parameters=parameters),
    "find_equilibrium": lw.find_equilibrium,
    "find_equilibria": lw.find_equilibria,
    "find_limits": lw.find_limits,
    "floquet": lambda model, parameters: lw.floquet(model, 1, parameters=parameters),
    "inverse_dynamics": lambda model, parameters: lw.inverse_dynamics(
        model, {"O": "t"}, until=1, parameters=parameters
    ),
    "linearise": lw.linearise,
    "modes": lw.modes,
    "realtime": lambda model, parameters: lw.realtime(model, "1 ms", parameters=parameters),
    "simulate": lambda model, parameters: lw.simulate(model, until=0.1, parameters=parameters),
    "solve_kinematics": lambda model, parameters: lw.solve_kinematics(
        model, {"O": "t"}, until=1, parameters=parameters
    ),
    "solve_positions": lambda model, parameters: lw.solve_positions(model, {"arm.A": [[0, 1]]}, parameters=parameters),
    # those that take them otherwise
    "RealTime.set": lambda model, parameters: lw.realtime(model, "1 ms").set(parameters),
    "RealTime.reset": lambda model, parameters: lw.realtime(model, "1 ms").reset(parameters),
    "going on": lambda model, parameters: lw.simulate(lw.simulate(model, until=0.1), until=0.2, parameters=parameters),
    "Mechanism.start": lambda model, parameters: lw.prepare(model).start(parameters),
    "equilibrium_path": lambda model, parameters: lw.equilibrium_path(model, along(parameters)),
    "equilibrium_path at its end": lambda model, parameters: lw.equilibrium_path(
        model, {name: series[::-1] for name, series in along(parameters).items()}
    ),
    "equilibrium_path by arc": lambda model, parameters: lw.equilibrium_path(
        model, {name: series[::-1] for name, series in along(parameters).items()}, arc_length=0.05
    ),
    "root_locus": lambda model, parameters: lw.root_locus(model, along(parameters)),
    "root_locus at rest": lambda model, parameters: lw.root_locus(model, along(parameters), about="equilibrium"),
}


def test_no_verb_with_parameters_is_left_out() -> None:
    asked = {name for name in lw.__all__ if callable(getattr(lw, name)) and name.islower()}
    taking = {name for name in asked if "parameters" in inspect.signature(getattr(lw, name)).parameters}
    assert {name for name in taking if not name.endswith("_many")} <= {*VERBS}


def test_a_study_tells_the_variant_that_is_impossible() -> None:
    study = lw.simulate_many(arm(), parameters={"m": [1.0, -1.0, 0.7]}, until=0.01, workers=1)
    assert "1 of 3 variants" in str(study.failures)
    assert "the mass is -3 kg; it cannot be negative, with m = -1" in " ".join(str(study.failures).split())


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("m", -1.0, r"bodies\.arm\.mass: the mass is -3 kg; it cannot be negative, with m = -1"),
        ("I", -1.0, r"bodies\.arm\.inertia: the inertia is -1 kg·m²; it cannot be negative, with I = -1"),
        ("L", 0.0, r"bodies\.arm\.length: the length is 0; it must be positive, with L = 0"),
        ("c", -0.5, r"joints\.O\.friction\.viscous: is -0.5; .* with c = -0.5"),
        ("c", -0.5, r"forces\.s\.damping: is -0.5; it cannot be negative, with c = -0.5"),
    ],
)
@pytest.mark.parametrize("verb", VERBS)
def test_an_impossible_value_is_refused_by_every_verb(verb: str, name: str, value: float, told: str) -> None:
    with pytest.raises(ModelError, match=told):
        VERBS[verb](arm(), parameters={name: value})


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"r": -0.05}, "bodies.arm.width: the width is -0.05; it must be positive, with r = -0.05"),
        ({"x": 0.0}, "bodies.arm.bar: its ends O and A lie in the same place of the sketch, with"),
        ({"m": -1.0, "k": 1.0}, "the mass is -3 kg; it cannot be negative, with m = -1\n"),
    ],
)
def test_other_numbers_too(values: dict[str, float], told: str) -> None:
    with pytest.raises(ModelError) as caught:
        lw.simulate(arm(), until=0.1, parameters=values)
    assert told in f"{caught.value}\n"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), "nan"])
def test_what_is_no_number_is_refused(value: float | str) -> None:
    with pytest.raises(UnitError, match="'m'"):
        lw.simulate(arm(), until=0.1, parameters={"m": value})


def test_a_body_of_shapes_weighs_something() -> None:
    """A bore that is wider than the plate that it goes through."""
    shapes = {
        "plate": {"cylinder": {"radius": 0.04, "length": 0.01, "axis": "z"}},
        "bore": {"cylinder": {"radius": "r", "length": 0.01, "axis": "z"}, "density": "-7850 kg/m^3"},
    }
    wheel = {"points": ["O"], "density": "7850 kg/m^3", "shapes": shapes}
    pinned = {"kind": "revolute", "bodies": ["ground", "wheel"]}
    model = arm(
        bodies={"wheel": wheel},
        joints={"O": pinned},
        forces={},
        parameters={"r": {"value": 0.01, "live": True}, "x": 1},
    )
    lw.simulate(model, until=0.1, parameters={"r": 0.03})
    with pytest.raises(ModelError, match=r"bodies\.wheel: the mass of the whole is -0.22.*, with r = 0\.05"):
        lw.simulate(model, until=0.1, parameters={"r": 0.05})


def test_what_a_file_may_have_is_taken() -> None:
    for values in ({"k": -10.0}, {"m": 0.5}, {"c": 0.0}, {"m": 40.0, "L": 3.0, "x": -2.0}):
        assert lw.simulate(arm(), until=0.01, parameters=values).time[-1] == 0.01


def test_a_run_goes_on_where_it_could_not_begin() -> None:
    """Limits that leave out the angle with which the model begins: a run that has left it goes on with them."""
    joint = {"kind": "revolute", "bodies": ["ground", "arm"], "limits": {"angle": ["low", 10]}}
    low = {"low": {"value": -10, "live": True}, **{name: {"value": value, "live": True} for name, value in OWN.items()}}
    model = arm(
        parameters=low | {"double": "2*m"}, joints={"O": joint}, initial={"O": {"angle": 0.1, "speed": 9}}, forces={}
    )
    run = lw.simulate(model, until=0.1)
    assert run["O.angle"][-1] > 0.4
    assert lw.simulate(run, until=0.12, parameters={"low": 0.4}).time[-1] == 0.12


def test_what_only_a_controller_changes_is_not_checked_at_every_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """A torque of live parameters may have any value: a loop with a controller sets it thousands of times in a second."""
    asked: list[dict[str, float]] = []
    monkeypatch.setattr(topology, "check_values", lambda model, values: asked.append(dict(values)))
    live = {name: {"value": 0.0, "live": True} for name in ("u", "push")}
    parameters = arm().to_dict()["parameters"] | live | {"efforts": "u + push"}
    forces = {"motor": {"kind": "effort", "joint": "O", "value": "efforts - c*O.speed"}}
    rt = lw.realtime(arm(parameters=parameters, forces=forces), "1 ms")
    before = len(asked)
    for i in range(20):
        rt.set(u=0.1 * i, push=-i)
        rt.step()
    assert len(asked) <= before + 1
    rt.set(m=1.5)
    assert len(asked) == before + 2 and asked[-1]["m"] == 1.5 and asked[-1]["double"] == 3.0
