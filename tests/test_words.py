"""The table of other tools' words: every row is true of what there is, and every place that asks for a name tells it."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer.main
import yaml

import linkwork as lw
from linkwork.algebra.units import proposed_quantity, proposed_unit, read_unit
from linkwork.cli import app, main
from linkwork.coordinates.numbering import ALL_COORDINATES
from linkwork.equations.formulations import ALL_FORMULATIONS
from linkwork.errors import LinkworkError, did_you_mean
from linkwork.model.sections import KEYS, SECTIONS
from linkwork.numerics.integrators import ALL_METHODS
from linkwork.words import meanings_of, table

ROOT = Path(__file__).parents[1]
with (ROOT / "src" / "linkwork" / "words.csv").open(encoding="utf-8", newline="") as file:
    ROWS = list(csv.DictReader(file))
KINDS = {section.one: section for section in SECTIONS if section.kinds is not None}
OPTIONS = {option for item in typer.main.get_command(app).commands["simulate"].params for option in item.opts}  # type: ignore[attr-defined]
FIELDS = {key for section in KINDS.values() for kind in section.kinds.values() for key in kind.model_fields}  # type: ignore[union-attr]
OURS: dict[str, set[str]] = {
    **{one: set(section.kinds or ()) for one, section in KINDS.items()},
    "section": set(KEYS),
    "key": FIELDS | {"angle", "position", "speed", "acceleration", "omega"},
    "space": {"planar", "spatial"},
    "coordinates": {kind.name for kind in ALL_COORDINATES},
    "formulation": {formulation.name for formulation in ALL_FORMULATIONS},
    "integrator": {method.name for method in ALL_METHODS},
    "function": set(lw.__all__),
    "option": OPTIONS,
    "missing": {""},
}


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['asked']}-{row['ours']}-{row['words'].split()[0]}" for row in ROWS])
def test_a_row_names_what_there_is(row: dict[str, str]) -> None:
    """Our name is one of those that are asked for, no word is one already, and the line to write is read."""
    asked, ours = row["asked"], row["ours"]
    if asked == "unit":
        read_unit(ours)
        return
    if asked == "quantity":
        return  # of results, below
    assert ours in OURS[asked]
    if asked in KINDS:
        data = yaml.safe_load(f"{{{row['write']}}}")
        needed = {"bodies": ["ground", "crank"]} if asked == "joint" else {}
        assert KINDS[asked].read(data | needed).kind == ours
    if asked == "missing":
        assert row["meaning"] and row["write"]


def model(**sections: Any) -> lw.Model:
    data: dict[str, Any] = {
        "space": "planar",
        "points": {"O": [0, 0], "A": [1, 0]},
        "bodies": {"crank": {"bar": ["O", "A"], "mass": 1}},
        "joints": {"O": {"kind": "revolute", "bodies": ["ground", "crank"]}},
    }
    for key, entry in sections.items():
        data[key] = {**data.get(key, {}), **entry} if isinstance(entry, dict) else entry
    return lw.Model(**data)


def kind(section: str, word: str) -> Callable[[], object]:
    more = {"bodies": ["ground", "crank"], "at": "A"} if section == "joints" else {}
    return lambda: model(**{section: {"it": {"kind": word, **more}}})


def number(text: str) -> Callable[[], object]:
    return lambda: model(parameters={"p": text})


PENDULUM = lw.example("pendulum")
TOLD = [
    *((kind("joints", word), "did you mean 'revolute'? write kind: revolute") for word in ("pin", "hinge", "pivot")),
    *(
        (kind("joints", word), "'prismatic'? write kind: prismatic, axis:")
        for word in ("slider", "slide", "translational")
    ),
    *(
        (kind("joints", word), "'spherical'? write kind: spherical")
        for word in ("ball", "ball joint", "ball-and-socket")
    ),
    *((kind("joints", word), "'fixed'? write kind: fixed") for word in ("weld", "Weld Joint", "rigid")),
    *((kind("joints", word), "'universal'?") for word in ("cardan", "hooke", "Hooke's".replace("'", ""), "U-joint")),
    (kind("joints", "Revolute Joint"), "did you mean 'revolute'?"),
    (kind("joints", "continuous"), "'revolute'?"),
    (kind("joints", "screw"), "'helical'? write kind: helical, axis: [0, 0, 1], pitch: 2 mm"),
    (kind("joints", "cylinder"), "'cylindrical'?"),
    (kind("joints", "cylinder"), "forces: {cylinder: {kind: actuator"),
    *(
        (kind("joints", word), "floats with all its degrees of freedom: leave the joint out")
        for word in ("free", "floating")
    ),
    (kind("joints", "motor"), "drivers: {motor: {joint: O, speed: 60 rpm}}"),
    (kind("joints", "motor"), "forces: {motor: {kind: actuator"),
    (kind("joints", "bushing"), "forces: {bushing: {kind: bushing"),
    (kind("joints", "distance"), "relations: {distance: {kind: distance"),
    *(
        (kind(section, "contact"), "there is no contact between bodies yet")
        for section in ("joints", "forces", "relations")
    ),
    *(
        (kind("forces", word), "'spring'? write kind: spring, between: [A, B], damping:")
        for word in ("damper", "dashpot")
    ),
    (kind("forces", "spring-damper"), "'spring'? write kind: spring, between: [A, B], stiffness:"),
    (kind("forces", "strut"), "one of: spring (a strut with a spring and a damper), actuator (a strut that pushes"),
    (kind("forces", "motor"), "actuator (a torque by a control signal), effort (a torque by a formula)"),
    (kind("forces", "stop"), "only: push"),
    (kind("forces", "pin"), "joints: {pin: {kind: revolute, bodies: [ground, crank]}}"),
    *(
        (kind("relations", word), "'distance'? write kind: distance, between: [A, B]")
        for word in ("rod", "link", "bar")
    ),
    (kind("couplings", "mimic"), "'linear'?"),
    (
        lambda: model(constraints={}),
        "joints (constraints between two bodies), relations (constraints that are no joints)",
    ),
    (lambda: model(parts={}), "'bodies'? write bodies: {crank: {bar: [O, A], mass: 1 kg}}"),
    (lambda: model(markers={}), "'points'?"),
    (lambda: model(DOF=1), "print(lw.analyse(model))"),
    (lambda: model(contacts={}), "there is no contact"),
    (lambda: model(space="2d"), "'planar'? write space: planar"),
    (lambda: model(initial={"O": {"velocity": 1}}), "'speed'?"),
    (lambda: model(bodies={"b": {"bar": ["O", "A"], "mass": 1, "CoG": "A"}}), "'com'?"),
    (
        lambda: model(forces={"s": {"kind": "spring", "between": ["O", "A"], "k": 3}}),
        "'stiffness'? write stiffness: 1000 N/m",
    ),
    (lambda: model(joints={"P": {"type": "pin"}}), "is missing"),
    (
        lambda: model(joints={"P": {"kind": "fixed", "bodies": ["ground", "crank"], "location": "A"}}),
        "'at'? write at: A",
    ),
    (number("1 kilo"), "-> write 1 kg"),
    (number("9.81 m/s2"), "-> a unit is written so: 9.81 m/s^2"),
    (number("1 N.m"), "-> write 1 N*m"),
    (number("60 RPM"), "-> write 60 rpm"),
    (number("0.1 kgm2"), "-> write 0.1 kg*m^2"),
    (lambda: model(gravity=[0, "-9.81 m/s2"]), "-> a unit is written so: -9.81 m/s^2"),
    (lambda: lw.simulate(PENDULUM, until=1, integrator="ode45"), "'dopri5'?"),
    (lambda: lw.simulate(PENDULUM, until=1, integrator="GSTIFF"), "'bdf'?"),
    (lambda: lw.simulate(PENDULUM, until=1, formulation="Lagrange multipliers"), "'multipliers'?"),
    (lambda: lw.simulate(PENDULUM, until=1, coordinates="cartesian"), "'reference_point'?"),
    (lambda: lw.simulate(PENDULUM, until=0.01)["O.omega"], "'O.speed'?"),
    (lambda: lw.simulate(PENDULUM, until=0.01)["kinetic energy"], "'energy.kinetic'?"),
    (lambda: lw.run, "'simulate'? write lw.simulate"),
    (lambda: lw.inverse_kinematics, "'solve_positions'?"),
    (lambda: lw.dof, "'analyse'?"),
    (lambda: lw.plot, "result.plot("),
]


@pytest.mark.parametrize(("ask", "told"), TOLD, ids=[f"{i}-{told[:30]}" for i, (_, told) in enumerate(TOLD)])
def test_every_place_knows_them(ask: Callable[[], object], told: str) -> None:
    with pytest.raises((LinkworkError, AttributeError)) as caught:
        ask()
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["dof", "x.yaml"], "'analyse'? write linkwork analyse FILE"),
        (["statics", "x.yaml"], "'find-equilibrium'?"),
        (["simulat", "x.yaml"], "did you mean 'simulate'?"),
        (["simulate", "x.yaml", "--tend", "3"], "--tend; did you mean '--until'? write --until 10s"),
        (["simulate", "x.yaml", "--csv=a.csv"], "--csv; did you mean '--save'? write --save run.csv"),
        (["simulate", "x.yaml", "--rtoll", "1"], "did you mean one of: --rtol"),
    ],
)
def test_commands_and_options_know_them(words: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    assert told in capsys.readouterr().err


def test_names_of_users_are_not_taken_for_words() -> None:
    """A body that is called 'pin' is looked for among bodies alone."""
    assert did_you_mean("slidr", ["slider", "rod"]) == "did you mean 'slider'?"
    assert did_you_mean("motor", ["crank", "rod"]) == "valid names: crank, rod"
    assert did_you_mean("Pin", ["pin", "revolute"], "joint") == "did you mean 'pin'?"


@pytest.mark.parametrize("row", [row for row in ROWS if row["asked"] == "quantity"], ids=lambda row: row["ours"])
def test_quantities_are_told_with_their_element(row: dict[str, str]) -> None:
    word, ours = row["words"].split()[0], row["ours"]
    assert did_you_mean(f"O.{word}", [f"O.{ours}", "O.zzzzzzz"], "quantity") == f"did you mean 'O.{ours}'?"


def test_units_that_are_nearly_right_are_put_right() -> None:
    right = {
        "m/s2": "m/s^2",
        "kg-m2": "kg*m^2",
        "N.m": "N*m",
        "N/mm2": "N/mm^2",
        "m.s-2": "m*s^-2",
        "Kg": "kg",
        "RPM": "rpm",
    }
    for text, unit in right.items():
        assert proposed_unit(text) == unit
        read_unit(unit)
        with pytest.raises(LinkworkError, match="did you mean"):
            read_unit(text)
    assert proposed_unit("m/s") is None
    assert proposed_unit("blub") is None
    assert proposed_unit("NM") is None  # a torque or a nanometre
    assert proposed_quantity("3 m/s2") == "3 m/s^2"


def test_a_parameter_is_no_unit() -> None:
    """Two metres over a parameter s2 stay what they are."""
    assert model(parameters={"s2": 4, "p": "2 m/s2"}).parameter_values()["p"] == 0.5


def test_words_with_two_meanings_have_both() -> None:
    assert {item.ours for item in meanings_of("strut")} == {"spring", "actuator", "distance"}
    assert {item.asked for item in meanings_of("motor")} >= {"force", "section"}
    assert len(table()) > 400


def test_what_shakes_the_ground_is_found_and_motors_are_plotted_by_name() -> None:
    found = lw.inverse_dynamics(lw.example("driven_four_bar"), until=0.1, step=0.01)
    for word, ours in {"shaking_force": "ground.fx", "shaking torque": "ground.mz", "A.force": "A.fy"}.items():
        with pytest.raises(lw.errors.UnknownNameError, match=f"did you mean .*{ours}"):
            found.plot(word)
    motor = next(iter(found.motors))
    (axis,) = found.plot(motor).axes
    np.testing.assert_array_equal(axis.lines[0].get_ydata(), found[motor])
    assert [column.name for column in found.pick([motor])][1:] == [f"{motor}.effort"]
    run = lw.simulate(lw.example("four_bar"), until=0.1, step=0.05)
    with pytest.raises(lw.errors.UnknownNameError, match=r"told by inverse dynamics: lw\.inverse_dynamics"):
        run.plot("shaking_force")
