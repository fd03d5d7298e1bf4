"""Formulas that are named once: what they mean, where they may stand, and what is told of them."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.algebra.expressions import parse
from linkwork.errors import ModelError

HEAD = """
space: planar
gravity: [0, -9.81]
parameters: {k: {value: 20 N/m, live: true}, a: 0.2 m}
points: {O: [0, 0], A: [1, 0]}
bodies: {arm: {bar: [O, A], mass: 1 kg}}
joints: {O: {kind: revolute, bodies: [ground, arm]}}
"""
NAMED = """
definitions:
  pull: k*stretch          # before what it needs
  stretch: A.x - a
  late: if(t > 0.5, 1, 0)
forces:
  f: {kind: force, at: arm.A, value: [-pull, late*pull]}
  g: {kind: effort, joint: O, value: 2*late - O.speed}
outputs: {twice: 2*pull}
"""
PASTED = """
forces:
  f: {kind: force, at: arm.A, value: [-k*(A.x - a), "if(t > 0.5, 1, 0)*(k*(A.x - a))"]}
  g: {kind: effort, joint: O, value: "2*if(t > 0.5, 1, 0) - O.speed"}
outputs: {twice: 2*(k*(A.x - a)), pull: k*(A.x - a), stretch: A.x - a, late: "if(t > 0.5, 1, 0)"}
"""


def model(text: str, **changes: Any) -> lw.Model:
    return lw.loads(HEAD + text).with_(**changes)


def told(text: str) -> str:
    with pytest.raises(ModelError) as caught:
        lw.loads(HEAD + text)
    return re.sub(r"line \d+: ", "", str(caught.value))


@pytest.mark.parametrize("parameters", [None, {"k": 35.0}])
def test_definitions_move_as_the_formulas_that_they_stand_for(parameters: dict[str, float] | None) -> None:
    runs = [lw.simulate(model(text), until=1.0, step=0.01, parameters=parameters) for text in (NAMED, PASTED)]
    for name in ("O.angle", "O.speed", "twice", "pull", "stretch", "late", "f.power"):
        assert np.allclose(runs[0][name], runs[1][name], rtol=1e-9, atol=1e-9), name
    assert runs[0].quantity("stretch").unit == "m"
    assert runs[0].quantity("pull").unit == runs[1].quantity("pull").unit == "N"
    assert np.allclose(runs[0]["pull"], (parameters or {"k": 20.0})["k"] * (runs[0]["A.x"] - 0.2), atol=1e-12)


def test_a_jump_in_a_definition_is_one_switch_however_often_it_is_used() -> None:
    named, pasted = (lw.prepare(model(text)).coordinates.switches for text in (NAMED, PASTED))
    assert (len(named), len(pasted)) == (1, 2)


def test_definitions_are_written_and_read_again() -> None:
    first = model(NAMED)
    text = lw.dump(first)
    assert "pull: k*stretch" in text and "-pull" in text
    again = lw.loads(text)
    assert again == first and hash(again) == hash(first)
    assert lw.loads(lw.dump(first, format="json"), format="json") == first


def test_a_changed_definition_changes_all_that_use_it_and_one_that_is_gone_is_missed() -> None:
    first = model(NAMED)
    changed = first.with_(definitions={"stretch": "A.x - 2*a"})
    assert changed.forces["f"].value[0].names() == {"k", "A.x", "a"}
    assert changed == model(NAMED.replace("A.x - a", "A.x - 2*a"))
    with pytest.raises(ModelError, match="unknown name 'late'"):
        first.with_(definitions={"late": None})
    with pytest.raises(ModelError, match="unknown name 'pull'"):
        first.with_(definitions=None)


def test_an_element_from_a_model_with_other_definitions_takes_those_of_its_new_model() -> None:
    other = model("definitions: {pull: 3 N, late: 0}\n", forces={"f": model(NAMED).forces["f"]})
    assert [str(part) for part in other.forces["f"].value] == ["-pull", "late*pull"]
    assert other.forces["f"].value[0].names() == set()
    with pytest.raises(ModelError, match="unknown name 'pull'"):
        model("", forces={"f": model(NAMED).forces["f"]})


def test_elements_of_python_use_definitions() -> None:
    push = lw.elements.Force(at="arm.A", value=("-pull", 0))
    assert model("definitions: {pull: 3 N}\n", forces={"f": push}).forces["f"].value[0] != push.value[0]


def test_definitions_drive() -> None:
    formula = "{joint: O, position: wanted}"
    driven = model(f"definitions: {{wanted: 0.3*sin(3*t)}}\ndrivers: {{motor: {formula}}}\n")
    result = lw.solve_kinematics(driven, until=1.0, step=0.1)
    assert np.allclose(result["O.angle"], 0.3 * np.sin(3 * result.time), atol=1e-12)
    assert np.allclose(result["O.acceleration"], -2.7 * np.sin(3 * result.time), atol=1e-10)
    given = lw.solve_kinematics(model("definitions: {wanted: 0.3*sin(3*t)}\n"), {"O.angle": "2*wanted"}, until=1.0)
    assert np.allclose(given["O.angle"], 0.6 * np.sin(3 * given.time), atol=1e-12)


def test_events_know_definitions() -> None:
    result = lw.simulate(model(NAMED), until=2.0, events={"slack": lw.Event("stretch - 0.5", stop=True)})
    assert result["stretch"][-1] == pytest.approx(0.5, abs=1e-8)


def test_definitions_of_parameters_may_stand_where_numbers_do() -> None:
    heavy = model("definitions: {half: a/2, mass: 4 kg}\n", bodies={"arm": {"bar": ["O", "A"], "mass": "mass*half/a"}})
    assert heavy.number(heavy.bodies["arm"].mass) == 2.0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("definitions: {p: q + 1, q: r, r: 2*p}\n", "definitions.p: is defined in a circle: p -> q -> r -> p"),
        ("definitions: {p: p + 1}\n", "definitions.p: is defined in a circle: p -> p"),
        ("definitions: {p: 2*missing}\n", "definitions.p: unknown name 'missing'"),
        ("definitions: {k: 3}\n", "definitions.k: there is a parameter of the same name"),
        ("definitions: {p: 3}\noutputs: {p: 4}\n", "definitions.p: there is an output of the same name"),
        ("definitions: {sin: 3}\n", "definitions.sin: 'sin' is reserved"),
        (
            "definitions: {p: 2*O.angle}\ndrivers: {motor: {joint: O, position: 3*p}}\n",
            "drivers.motor.position: may not depend on the state ('O.angle'), by the definition of 'p'",
        ),
        (
            "definitions: {p: arm.ax, q: p*1 kg}\nforces: {f: {kind: effort, joint: O, value: q}}\n",
            "forces.f.value: 'arm.ax': body 'arm' has no 'ax', by the definition of 'q'",
        ),
        (
            "definitions: {p: 3 m}\nforces: {f: {kind: force, at: arm.A, value: [p, 0]}}\n",
            "forces.f.value[0]: 'p' is a length",
        ),
        ("definitions: {p: 3 m, q: p + 2 s}\n", "definitions.q: 'p + 2 s': a length and a time cannot be added"),
        (
            "definitions: {p: t}\ninitial: {O: {angle: p}}\n",
            "initial.O.angle: may not depend on the time t, by the defin",
        ),
        (
            "definitions: {length: 3}\n"
            "forces: {s: {kind: spring, between: [ground.O, arm.A], free_length: 1, force: 3*length}}\n",
            "forces.s.force: 'length' is",
        ),
    ],
)
def test_faults_name_the_definition_and_the_place_of_use(text: str, words: str) -> None:
    assert words in told(text)


def test_a_parameter_does_not_use_definitions() -> None:
    with pytest.raises(ModelError, match=re.escape("parameters.b: 'p' is a definition")):
        model("definitions: {p: 3}\n", parameters={"b": "2*p"})


def test_a_fault_inside_a_definition_is_told_once() -> None:
    uses = "".join(f"  f{i}: {{kind: effort, joint: O, value: p}}\n" for i in range(5))
    assert told(f"definitions: {{p: 2*missing}}\nforces:\n{uses}").count("missing") == 1


def test_definitions_that_grow_without_bound_are_refused() -> None:
    doubled = {"d0": "t"} | {f"d{i}": f"d{i - 1} + d{i - 1}" for i in range(1, 40)}
    with pytest.raises(ModelError, match="more than 20000 parts"):
        model("", definitions=doubled)
    nested = {"d0": "t"} | {f"d{i}": "sin(" * 10 + f"d{i - 1}" + ")" * 10 for i in range(1, 40)}
    with pytest.raises(ModelError, match="nested more than 150 deep"):
        model("", definitions=nested)


def test_a_definition_without_a_value_ends_the_run_by_its_name() -> None:
    text = "definitions: {root: sqrt(0.5 - t)}\nforces: {g: {kind: effort, joint: O, value: 2*root}}\n"
    result = lw.simulate(model(text), until=1.0)
    assert not result.outcome.completed and result.time[-1] <= 0.5
    assert "definition of root" in str(result.outcome) or "definition of root" in " ".join(result.notes)


def test_attitudes_that_definitions_ask_for_count() -> None:
    text = """
space: spatial
points: {A: [0, 0, 0], B: [1, 0, 0]}
bodies: {rod: {bar: [A, B], mass: 1 kg}, block: {points: [B], mass: 1 kg, inertia: [1, 1, 1]}}
joints:
  A: {kind: spherical, bodies: [ground, rod]}
  B: {kind: spherical, bodies: [rod, block]}
  S: {kind: prismatic, bodies: [ground, block], at: B, axis: [1, 0, 0]}
"""
    from linkwork.topology.mobility.slender import concern_of

    plain = lw.loads(text)
    assert concern_of(plain, "rod", ["A", "B"]) == ""
    force = {"f": {"kind": "force", "at": "block.B", "value": ["spin", 0, 0]}}
    spinning = plain.with_(definitions={"spin": "rod.wx"}, forces=force)
    assert "orientation of rod" in concern_of(spinning, "rod", ["A", "B"])


def test_a_definition_is_a_polynomial_where_its_formula_is() -> None:
    spring = {"kind": "spring", "between": ["ground.O", "arm.A"], "free_length": 0.4, "force": "stiff*extension"}
    held = model("definitions: {stiff: 3*k}\n", forces={"s": spring})
    result = lw.simulate(held, until=0.1)
    assert result["energy.potential"][0] == pytest.approx(0.5 * 60.0 * 0.6**2, rel=1e-12)


def test_names_of_users() -> None:
    odd = lw.loads(HEAD + "definitions: {gas-force: 3*t}\nforces: {g: {kind: effort, joint: O, value: gas_force}}\n")
    assert odd.definitions["gas_force"] == parse("3*t")
    assert "gas-force" in lw.dump(odd) and lw.loads(lw.dump(odd)) == odd
    assert lw.simulate(odd, until=0.1)["gas-force"][-1] == pytest.approx(0.3)
