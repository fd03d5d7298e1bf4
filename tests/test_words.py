"""The table of other tools' words: every row is true of what there is, and every place that asks for a name tells it."""

from __future__ import annotations

import csv
import inspect
import pickle
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer.main
import yaml

import linkwork as lw
from linkwork.algebra.unit_texts import proposed_quantity, proposed_unit, read_unit
from linkwork.cli import app, main
from linkwork.coordinates.numbering import ALL_COORDINATES
from linkwork.equations.formulations import ALL_FORMULATIONS
from linkwork.errors import LinkworkError, did_you_mean
from linkwork.model.contacts import Contact
from linkwork.model.joint_limits import JointFriction, JointStop
from linkwork.model.sections import KEYS, SECTIONS
from linkwork.model.surfaces import Surface
from linkwork.numerics.integrators import ALL_METHODS
from linkwork.numerics.timestepping.method import MoreauJean
from linkwork.words import meanings_of, table

ROOT = Path(__file__).parents[1]
with (ROOT / "src" / "linkwork" / "words.csv").open(encoding="utf-8", newline="") as file:
    ROWS = list(csv.DictReader(file))
KINDS = {section.one: section for section in SECTIONS if section.kinds is not None}
OPTIONS = {option for item in typer.main.get_command(app).commands["simulate"].params for option in item.opts}  # type: ignore[attr-defined]
FIELDS = {key for section in KINDS.values() for kind in section.kinds.values() for key in kind.model_fields}  # type: ignore[union-attr]
TOUCHING = {
    *Contact.model_fields,
    *Surface.model_fields,
    *(x.name for y in (JointFriction, JointStop) for x in fields(y)),
}
VIEWS = ("plot", "animate", "movie")
OURS: dict[str, set[str]] = {
    **{one: set(section.kinds or ()) for one, section in KINDS.items()},
    "section": set(KEYS),
    "key": FIELDS | TOUCHING | {"angle", "position", "speed", "acceleration", "omega"},
    "space": {"planar", "spatial"},
    "coordinates": {kind.name for kind in ALL_COORDINATES},
    "formulation": {formulation.name for formulation in ALL_FORMULATIONS},
    "integrator": {method.name for method in ALL_METHODS} | {MoreauJean.name},
    "function": set(lw.__all__),
    "argument": {
        name
        for function in (lw.simulate, lw.find_equilibrium, lw.realtime, *(getattr(lw.Result, v) for v in VIEWS))
        for name in inspect.signature(function).parameters
    },
    "option": OPTIONS,
}


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['asked']}-{row['ours']}-{row['words'].split()[0]}" for row in ROWS])
def test_a_row_names_what_there_is(row: dict[str, str]) -> None:
    """Our name is one of those that are asked for, no word is one already, and the line to write is read."""
    asked, ours = row["asked"], row["ours"]
    if asked == "unit":
        read_unit(ours)
        return
    if not ours:
        assert row["meaning"] and row["write"]
        return
    if asked == "quantity":
        return  # of results, below
    assert ours in OURS[asked]
    if asked in KINDS:
        data = yaml.safe_load(f"{{{row['write']}}}")
        needed = {"bodies": ["ground", "crank"]} if asked == "joint" else {}
        assert KINDS[asked].read(data | needed).kind == ours


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


def kind(section: str, word: str, **keys: Any) -> Callable[[], object]:
    more = {"bodies": ["ground", "crank"], "at": "A"} if section == "joints" else {}
    return lambda: model(**{section: {"it": {"kind": word, **more, **keys}}})


def racket(**outputs: str) -> lw.Model:
    return lw.Model(
        space="spatial",
        bodies={"racket": {"points": {"T": [0.1, 0, 0]}, "mass": 1, "inertia": [1, 2, 3]}},
        initial={"racket": {"velocity": [1, 0, 0], "omega": [0.3, 2, 0.5]}},
        outputs=outputs,
    )


def number(text: str) -> Callable[[], object]:
    return lambda: model(parameters={"p": text})


PENDULUM = lw.example("pendulum")


def rubbing(**keys: Any) -> Callable[[], object]:
    return lambda: model(joints={"O": {"kind": "revolute", "bodies": ["ground", "crank"], **keys}})


def touching(surface: dict[str, Any], **keys: Any) -> Callable[[], object]:
    contact = {"between": ["floor", "crank"], **keys}
    return lambda: model(surfaces={"floor": surface}, contacts={"landing": contact})


FLOOR = {"plane": [0, 1], "at": [0, -1]}
TOLD = [
    *(
        (
            lambda word=word: lw.simulate(PENDULUM, until=1, integrator=word),
            "did you mean 'moreau_jean'? write integrator=",
        )
        for word in ("moreau", "time stepping", "nsc", "psor")
    ),
    *(
        (rubbing(friction={word: 0.1, "radius": 0.01}), "did you mean 'coefficient'? write coefficient: 0.1")
        for word in ("mu", "mu_k", "dynamic", "coulomb", "kinetic friction")
    ),
    *(
        (rubbing(friction={"coefficient": 0.1, "radius": 0.01, word: 0.1}), f"did you mean '{ours}'?")
        for word, ours in (("mu_s", "static"), ("stiction", "static"), ("stiction_velocity", "smoothing"))
    ),
    *(
        (rubbing(limits=[0, 1], stops={word: 0.5}), f"did you mean '{ours}'?")
        for word, ours in (("cor", "restitution"), ("bounce", "restitution"), ("k", "stiffness"))
    ),
    (rubbing(limits=[0, 1], stops={"damping_ratio": 1}), "write damping: c with c = 2*zeta*sqrt(k*m)"),
    (rubbing(limits=[0, 1], joint_stop={"restitution": 0.1}), "did you mean 'stops'?"),
    (rubbing(limits=[0, 1], restitution=0.1), "did you mean 'stops'?"),
    *(
        (touching(FLOOR, **{word: 1}), f"did you mean '{ours}'?")
        for word, ours in (
            *(("mu", "friction"), ("dynamic_friction", "friction"), ("mu_s", "static"), ("cor", "restitution")),
            *(("solref", "damping"), ("solimp", "stiffness"), ("exponent", "law"), ("rolling_friction", "rolling")),
            *(
                ("torsional", "spinning"),
                ("contype", "ignore"),
                ("pairs", "between"),
                ("stiction velocity", "smoothing"),
            ),
        )
    ),
    (touching(FLOOR, margin=0.1), "contacts are exact"),
    (
        touching({**FLOOR, "friction": 0.5}),
        "what happens where things touch is told of the contact: contacts: {landing:",
    ),
    *(
        (touching({word: 1}), f"did you mean '{ours}'?")
        for word, ours in (("sphere", "ball"), ("halfspace", "plane"), ("capsule", "bar"), ("hfield", "heights"))
    ),
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
        (kind(section, "contact"), "contacts: {landing: {between: [floor, box]")
        for section in ("joints", "forces", "relations")
    ),
    *(
        (kind("forces", word, **{key: place}), f"'{ours}'? write kind: {ours}, {key}: ")
        for word in ("damper", "dashpot")
        for key, place, ours in (("between", ["O", "A"], "spring"), ("joint", "O", "torsion_spring"))
    ),
    (
        kind("forces", "damper"),
        "one of: spring (a damper between two points), torsion_spring (a damper against an angle)",
    ),
    (kind("joints", "revolute", damping=1), "forces: {damper: {kind: friction, joint: O, viscous: 0.1}}"),
    (kind("joints", "revolute", stiffness=1), "forces: {spring: {kind: torsion_spring, joint: O, stiffness:"),
    (kind("joints", "revolute", **{"5 mm": None}), "decimals are written with a point, 0.5 mm"),
    (number("0,5 kg"), "decimals are written with a point, 0.5"),
    (lambda: lw.simulate(PENDULUM, until="0,5 s"), "decimals are written with a point, 0.5 s"),
    (lambda: model(gravity=9.81), "write gravity: [0, -9.81]"),
    (lambda: model(gravity=[0, 0, -9.81]), "write gravity: [0, -9.81]"),
    (lambda: model(space="spatial", points={}, bodies={}, joints={}, gravity=9.81), "write gravity: [0, 0, -9.81]"),
    (lambda: lw.load("pendulum"), '"linkwork new pendulum" writes it to pendulum.yaml'),
    (lambda: model(outputs={"f": "O.fx"}), 'formulas do not know them: ask result["O.fx"]'),
    (lambda: model(outputs={"f": "motor.effort"}, drivers={"motor": {"joint": "O", "speed": 1}}), '["motor.effort"]'),
    (lambda: lw.simulate(PENDULUM, until=1, events={"e": "O.fy"}), 'formulas do not know them: ask result["O.fy"]'),
    (lambda: model(outputs={"f": "crank.lean"}), "did you mean 'angle'?"),
    (lambda: racket(f="racket.omega"), "one of: wx (about x of the world), wy (about y), wz (about z)?"),
    (
        lambda: racket(f="racket.angle"),
        "the attitude of a body in space is its quaternion q0 to q3, or roll, pitch and yaw",
    ),
    (lambda: lw.simulate(racket(), until=0.01)["racket.lean"], "did you mean 'racket.roll'?"),
    (
        lambda: model(forces={"m": {"kind": "effort", "joint": "O", "torque": "2 N*m"}}),
        "an effort force has no torque\n    -> did you mean 'value'? write value: 2 N*m",
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
    (lambda: model(collisions={}), "'contacts'? write contacts: {landing: "),
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
    *(
        (lambda word=word: lw.simulate(PENDULUM, **{word: 1}), f"simulate has no argument '{word}'; {hint}")
        for word, hint in (
            ("duration", "did you mean 'until'? write until="),
            ("t_end", "did you mean 'until'?"),
            ("dt", "did you mean one of: step (spacing of the output), fixed_step (size of the steps)?"),
            ("tol", "did you mean 'rtol'?"),
            ("initial", "where a motion begins is said by the model: model.with_(initial="),
        )
    ),
    (lambda: lw.simulate(PENDULUM, until=0.01)["O"], "name a quantity of it, such as O.angle, O.speed, O.x"),
    (
        lambda: lw.solve_kinematics(PENDULUM, {"O": "360 deg/sec*t"}, until=1),
        "the motion: 1 fault\n  O.angle: unknown name 'sec'",
    ),
    (lambda: lw.solve_kinematics(PENDULUM, {"O": "30 dg"}, until=1), "O.angle: '30 dg' is a mass"),
    (
        lambda: model(initial={"O": {"angle": "30 dg"}}),
        "-> did you mean '30 deg'? A product is written with a star: 30*dg",
    ),
    (lambda: lw.solve_kinematics(PENDULUM, {"O": "0 deg:360 deg"}), "ranges are for the command line; in Python give"),
    (lambda: lw.solve_kinematics(PENDULUM, {"O": "0:6"}, until=1), "np.linspace(0, 2*np.pi, 181)"),
    (lambda: lw.inverse_dynamics(PENDULUM, {"O": "0:6"}, times=[0, 1, 2]), "ranges are for the command line"),
    (lambda: lw.solve_kinematics(PENDULUM, {"O": "t"}, duration=1), "'until'?"),  # type: ignore[call-arg]
    (lambda: lw.find_equilibrium(PENDULUM, x0=1), "'start'?"),  # type: ignore[call-arg]
    (lambda: lw.realtime(PENDULUM, dt=1), "'fixed_step'?"),  # type: ignore[call-arg]
    (lambda: lw.simulate(PENDULUM, until=0.01).plot("O.angle", degrees=True), "plot has no argument 'degrees'; did"),
    (lambda: lw.simulate(PENDULUM, until=0.01).animate("x.html", file=1), "animate has no argument 'file'"),  # type: ignore[call-arg]
    (lambda: lw.simulate(PENDULUM, until=0.01).movie("x.gif", framerate=9), "'fps'?"),  # type: ignore[call-arg]
    (lambda: lw.simulate(PENDULUM, until=0.01).plot("O.angle", units="deg"), "as in {'O.angle': 'deg'}"),  # type: ignore[arg-type]
    (lambda: lw.simulate(PENDULUM, until=0.01).plot("O.angle", size=90), "size = 90: width and height"),  # type: ignore[arg-type]
    (lambda: lw.simulate(PENDULUM, until=0.01).movie("x.gif", size=90), "size = 90: width and height"),  # type: ignore[arg-type]
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


@pytest.mark.parametrize(
    "row", [row for row in ROWS if row["asked"] == "quantity" and row["ours"]], ids=lambda row: row["ours"]
)
def test_quantities_are_told_with_their_element(row: dict[str, str]) -> None:
    word, ours = row["words"].split()[0], row["ours"]
    assert did_you_mean(f"O.{word}", [f"O.{ours}", "O.zzzzzzz"], "quantity") == f"did you mean 'O.{ours}'?"


def test_arguments_that_are_unknown_are_errors_of_type_too_and_verbs_stay_what_they_are() -> None:
    with pytest.raises(TypeError, match="has no argument 'tend'"):
        lw.simulate(PENDULUM, tend=1)  # type: ignore[call-arg]
    assert pickle.loads(pickle.dumps(lw.simulate)) is lw.simulate
    assert "until" in inspect.signature(lw.simulate).parameters
    checked = [
        name for name in lw.__all__ if inspect.isfunction(verb := getattr(lw, name)) and hasattr(verb, "__wrapped__")
    ]
    assert {name for name in lw.__all__ if inspect.isfunction(getattr(lw, name))} - {*checked} == {
        "example",
        "forget",
        "register",
    }


def test_sizes_of_figures_may_have_units() -> None:
    figure = lw.simulate(PENDULUM, until=0.01).plot("O.angle", size=("9 cm", "60 mm"))
    assert figure.get_size_inches() == pytest.approx([90 / 25.4, 60 / 25.4])


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
