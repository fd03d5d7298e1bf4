"""A quantity means the same wherever formulas stand, and a unit that is also a name is never taken for it in silence."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import linkwork as lw
from linkwork.cli import app
from linkwork.errors import LinkworkError

AREA = "2*100 cm^2"  # 0.02 m²


def cart(parameters: dict[str, Any] | None = None, **changes: Any) -> lw.Model:
    return lw.Model(
        **{
            "space": "planar",
            "parameters": {"a": {"value": 1, "live": True}, **(parameters or {})},
            "points": {"P": [0, 0]},
            "bodies": {"cart": {"points": ["P"], "mass": 1}},
            "joints": {"track": {"kind": "prismatic", "bodies": ["ground", "cart"], "axis": [1, 0], "at": "P"}},
            "forces": {"push": {"kind": "effort", "joint": "track", "value": "a*1 N"}},
            **changes,
        }
    )


def pushed(model: lw.Model, **given: Any) -> float:
    """The force of the push, N, of a cart of 1 kg."""
    return float(lw.simulate(model, until=0.1, **given)["track.acceleration"][-1])


def test_in_every_place_of_a_model() -> None:
    force = "value"
    push = {"kind": "effort", "joint": "track"}
    assert pushed(cart({"A": AREA}, forces={"push": {**push, force: "A*1 Pa"}})) == pytest.approx(0.02)
    assert pushed(cart(definitions={"A": AREA}, forces={"push": {**push, force: "A*1 Pa"}})) == pytest.approx(0.02)
    assert pushed(cart(forces={"push": {**push, force: f"{AREA}*3 Pa"}})) == pytest.approx(0.06)
    assert lw.simulate(cart(outputs={"A": AREA}), until=0.1)["A"][0] == pytest.approx(0.02)
    assert cart(bodies={"cart": {"points": ["P"], "mass": "2*3 kg/m^2*1 m^2"}}).bodies["cart"].mass is not None


def test_in_motions_and_on_the_command_line(tmp_path) -> None:
    times = [0.0, 0.5, 1.0]
    moved = lw.solve_kinematics(cart(), {"track": "3*100 cm^2/1 m*t/1 s"}, times=times)
    np.testing.assert_allclose(moved["track.position"], [0, 0.015, 0.03])
    file = tmp_path / "cart.yaml"
    lw.save(cart(), file)
    kept = tmp_path / "terminal.nc"
    words = ["--motion", "track=3*100 cm^2/1 m*t/1 s", "--until", "1", "--save", str(kept)]
    answer = CliRunner().invoke(app, ["solve-kinematics", str(file), *words])
    assert answer.exit_code == 0, answer.output
    assert lw.load_result(kept)["track.position"][-1] == pytest.approx(0.03)


NAMED = [("m", "5 N/m*2"), ("m", "2*5 N/m"), ("m", "2*5 m"), ("h", "2*5 N h"), ("h", "2*5 N*h^2")]


@pytest.mark.parametrize(("name", "text"), NAMED)
@pytest.mark.parametrize("section", ["parameters", "definitions"])
def test_a_unit_that_is_a_name_is_told_apart(name: str, text: str, section: str) -> None:
    named = {"parameters": {name: 3}, "definitions": {}} if section == "parameters" else {"definitions": {name: "3"}}
    spring = {"kind": "spring", "between": ["ground.O", "cart.P"], "free_length": 1}
    with pytest.raises(LinkworkError, match=f"'{name}' is a unit and a {section[:-1]}") as caught:
        cart(**named, points={"P": [0, 0], "O": [1, 0]}, outputs={"k": text}, forces={"s": {**spring, "stiffness": 1}})
    written = re.search(r"-> write (.*) for the name, (.*) for the unit", str(caught.value))
    assert written
    for proposed in written.groups():
        cart(**named, outputs={"k": proposed}, forces={})


@pytest.mark.parametrize(("name", "text"), [("N", "5 N/m"), ("h", "2*3 N*h/m"), ("m", "2*5 N/(m)"), ("s", "3 N*m/s/s")])
def test_one_in_the_midst_of_a_unit_is_told_too(name: str, text: str) -> None:
    with pytest.raises(
        LinkworkError, match=f"'{name}' is a unit and a parameter\\n.*write (.*) for the unit"
    ) as caught:
        cart({name: 3}, outputs={"k": text}, forces={})
    proposed = re.search(r"(?:write|name,) ([^,]*) for the unit", str(caught.value))
    assert proposed
    assert cart({name: 3}, outputs={"k": proposed[1]}, forces={}).outputs["k"]


def test_units_win_where_a_field_takes_a_quantity() -> None:
    spring = {"kind": "spring", "between": ["ground.O", "cart.P"], "free_length": 1, "stiffness": "5 N/m"}
    model = cart({"m": 3}, points={"P": [0, 0], "O": [2, 0]}, forces={"s": spring})
    assert model.number(model.forces["s"].stiffness) == 5.0
    with pytest.raises(LinkworkError, match="'m' is a unit and a parameter"):
        cart({"m": 3}, points={"P": [0, 0], "O": [2, 0]}, forces={"s": {**spring, "stiffness": "5 N/m*2"}})


def test_formulas_of_verbs_are_told_too() -> None:
    for ask in (
        lambda: lw.solve_kinematics(cart({"m": 3}), {"track": "2*5 mm*m*t"}, until=1),
        lambda: lw.simulate(cart({"m": 3}), until=0.1, events={"e": lw.Event("track.position - 2*5 mm*m")}),
    ):
        with pytest.raises(LinkworkError, match="'m' is a unit and a parameter"):
            ask()
