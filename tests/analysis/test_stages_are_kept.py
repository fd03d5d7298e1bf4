"""Analyses ask stages for other inputs and other starts: what was analysed and compiled once serves again."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from drawn_delta import HOME, delta
from exploring import EXPLORING

import linkwork as lw
from linkwork.analysis.prepared import prepare as preparing
from linkwork.compiler.backends.cpu import Cpu

FOLDER = Path(__file__).parents[2] / "src/linkwork/mechanisms"
TIMES = np.linspace(0.0, 0.5, 11)


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[str]]:
    """How often models are analysed, plans are made for other drives, unknowns are numbered, and functions are compiled."""
    found: Counter[str] = Counter()

    def watch(owner: object, name: str, what: str) -> None:
        made = getattr(owner, name)

        def call(*args: object, **options: object) -> object:
            found[what] += 1
            return made(*args, **options)

        monkeypatch.setattr(owner, name, call)

    watch(preparing, "_analyse", "analysed")
    watch(preparing, "with_drives", "planned")
    watch(preparing, "_number", "numbered")
    watch(Cpu, "_compile", "compiled")
    yield found
    monkeypatch.undo()


def four_bar() -> lw.Model:
    return lw.load(FOLDER / "four_bar.yaml")


@pytest.mark.parametrize("coordinates", ["relative", "natural"])
def test_another_formula_of_an_input_makes_nothing_anew(coordinates: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mechanism = lw.prepare(four_bar(), coordinates=coordinates)
    first = lw.solve_kinematics(mechanism, {"O": "1 + t"}, times=TIMES)
    assert first["O.speed"] == pytest.approx(1.0, abs=1e-12)
    with counted(monkeypatch) as found:
        for motion in ({"O": "1.2 + sin(3*t)"}, {"O.speed": "2 + t"}, {"O": np.linspace(1.0, 1.5, len(TIMES))}):
            lw.solve_kinematics(mechanism, motion, times=TIMES)
    assert not found


def test_links_on_two_balls_are_analysed_once_for_all_motions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passive spins follow the way of every motion by itself."""
    mechanism = lw.prepare(delta(rods=True))
    motions = [{f"O{i}": f"{size} * (1 - cos(t))" for i in range(3)} for size in (0.1, 0.2)]
    with counted(monkeypatch) as found:
        lw.solve_kinematics(mechanism, motions[0], times=TIMES)
    assert found["analysed"] == 0 and found["planned"] == found["numbered"] == 1
    with counted(monkeypatch) as found:
        lw.solve_kinematics(mechanism, motions[1], times=TIMES)
    assert not found


def test_targets_are_asked_of_the_mechanism_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Places, angles and values of joints are conditions behind those of the mechanism: they make no other one."""
    mechanism, places = lw.prepare(delta()), HOME + 0.01 * np.eye(3)
    with counted(monkeypatch) as found:
        lw.solve_positions(mechanism, {"platform.P": places})
    assert found["analysed"] == found["planned"] == found["numbered"] == 0
    with counted(monkeypatch) as found:
        lw.solve_positions(mechanism, {"O0": [0.0, 0.1], "O1": [0.0, 0.1]})
    assert found == {"compiled": 1}
    with counted(monkeypatch) as found:
        lw.solve_positions(mechanism, {"platform.P": places + 0.02})
        lw.solve_positions(mechanism, {"O0": [0.2], "O1": [0.3]})
    assert not found


def test_motors_in_the_place_of_efforts_are_another_model_once(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = four_bar().with_(gravity=[0.0, -9.79])  # which nobody has analysed before
    mechanism = lw.prepare(alone.with_(forces={"push": {"kind": "effort", "joint": "O", "value": 3}}))
    efforts = []
    for expected in (1, 0):
        with counted(monkeypatch) as found:
            asked = lw.inverse_dynamics(mechanism, {"O": "1.5 + 0.1*t"}, times=TIMES, motors=["push"])
        assert found["analysed"] == found["numbered"] == expected
        efforts.append(asked.result["push.effort"])
    by_joint = lw.inverse_dynamics(alone, {"O": "1.5 + 0.1*t"}, times=TIMES, motors=["O"])
    assert efforts[1] == pytest.approx(by_joint.result["O.angle.effort"], rel=1e-12)
    assert efforts[0] == pytest.approx(efforts[1], rel=1e-12)


def test_inputs_of_a_prepared_mechanism_do_not_analyse_it(monkeypatch: pytest.MonkeyPatch) -> None:
    mechanism = lw.prepare(four_bar().with_(drivers={"motor": {"joint": "O", "speed": 2}}))
    with counted(monkeypatch) as found:
        lw.solve_kinematics(mechanism, {"O": "1.5 + 0.1*t"}, times=TIMES)
        lw.assemble(mechanism, {"O": "60 deg"})
        lw.drag_point(mechanism, "A", [(0.5, 0.85)])
        lw.inverse_function(mechanism, ["C"])
        lw.inverse_dynamics(mechanism, {"O": "1.5 + 0.1*t"}, times=TIMES, motors=["C"])
    assert found["analysed"] == 0
    # moved at O, by nobody, and at C by a motor
    assert found["planned"] == 3


@pytest.mark.matrix
@pytest.mark.parametrize("name", ["slider_crank", "rscr", *(("four_bar", "watt_1") if EXPLORING else ())])
def test_inputs_move_as_drivers_of_a_model_do(name: str) -> None:
    """One formula as an input, whose numbers stand in p, and as a driver that is compiled."""
    model = lw.load(FOLDER / f"{name}.yaml")
    model = model.with_(drivers=dict.fromkeys(model.joint_drivers))
    topology = lw.analyse(model)
    key = topology.planner.name_of(topology.plan.inputs[0])
    joint, freedom = key.split(".")
    value = lw.assemble(model).values[key]
    formula = f"{value!r} + 0.2*sin(3*t) + 0.05*t^2"
    driver = {"joint": joint, "freedom": freedom, "position": formula}
    by_driver = lw.solve_kinematics(
        model.with_(drivers={"motor": driver}, initial=dict.fromkeys(model.initial)), times=TIMES
    )
    by_input = lw.solve_kinematics(model, {key: formula}, times=TIMES)
    assert by_input.settings == by_driver.settings
    for quantity in (item for item in by_driver.names() if not item.startswith(("motor", "energy", "work"))):
        scale = max(1.0, float(np.max(np.abs(by_driver[quantity]))))
        assert by_input[quantity] == pytest.approx(by_driver[quantity], abs=1e-11 * scale), quantity


def test_a_motion_by_formulas_goes_on_and_one_by_samples_ends() -> None:
    turned = lw.solve_kinematics(four_bar(), {"O": "1 + 2*t^2"}, times=TIMES)
    onwards = lw.simulate(turned, 0.7)
    assert onwards.time[0] == pytest.approx(0.5)
    assert onwards["O.angle"][-1] == pytest.approx(1 + 2 * 0.7**2, abs=1e-9)
    assert onwards["B.angle"][0] == pytest.approx(turned["B.angle"][-1], abs=1e-9)
    swept = lw.solve_kinematics(four_bar(), {"O": np.linspace(1.0, 1.2, 11)}, times=TIMES)
    with pytest.raises(lw.errors.RefusedError, match="samples"):
        lw.simulate(swept, 1.0)


def test_a_later_motion_may_not_begin_in_a_dead_centre() -> None:
    """The plan is that of the first motion; where another one begins is looked at by itself."""
    mechanism = lw.prepare(four_bar())
    dead = {"C": f"{lw.find_limits(mechanism).coordinates['C.angle'].range.high!r} - 0.1*t"}
    lw.solve_kinematics(mechanism, {"C": "1.8 + 0.1*t"}, times=TIMES)
    told = []
    for subject in (mechanism, four_bar()):
        lw.forget()
        with pytest.raises(lw.LinkworkError) as error:
            lw.solve_kinematics(subject, dead, times=TIMES)
        told.append(str(error.value))
    assert all(
        text.startswith("the input begins at a dead centre, the end of its way: C.angle at 125.685 deg")
        for text in told
    )


def test_the_start_of_a_search_for_rest_is_asked_of_the_mechanism(monkeypatch: pytest.MonkeyPatch) -> None:
    mechanism = lw.prepare(four_bar())
    with counted(monkeypatch) as found:
        rest = lw.find_equilibrium(mechanism, start={"O": "-80 deg"})
    assert found["analysed"] == found["planned"] == 0
    assert rest["O.angle"] == pytest.approx(
        lw.find_equilibrium(four_bar(), start={"O.angle": -1.4})["O.angle"], abs=1e-7
    )
    driven = four_bar().with_(drivers={"motor": {"joint": "O", "position": "1"}})
    with pytest.raises(lw.errors.RefusedError, match=r"start: O\.angle is where the driver 'motor' has it"):
        lw.find_equilibrium(driven, start={"O": 1.0})


def test_efforts_alone_after_all_reactions() -> None:
    """Two functions of one mechanism are two."""
    model = four_bar()
    whole, efforts = (lw.inverse_function(model, ["O"], reactions=item) for item in (True, False))
    motion = {"O.angle": [1.0, 1.3], "O.speed": [2.0, 1.0], "O.acceleration": [0.3, -2.0]}
    assert efforts(motion)["O.angle.effort"] == pytest.approx(whole(motion)["O.angle.effort"], rel=1e-12)
    assert len(efforts.outputs) == 1 < len(whole.outputs)
