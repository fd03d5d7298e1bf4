"""Studies: each variant is the run that ``simulate`` gives for it, whoever found it, and failures disturb no other."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from varied_mechanisms import four_bar

import linkwork as lw
from linkwork.errors import ArgumentError, RefusedError, ResultError, UnitError, UnknownNameError
from linkwork.studies import finding
from linkwork.studies import folder as folder_module
from linkwork.studies.one_by_one import OneByOne
from linkwork.studies.processes import Worker, framed

KEPT = ("O.angle", "B.vx", "A.fx", "energy.total")


def pendulum() -> lw.Model:
    """A uniform rod of 1 m: ω² = 3 g / 2 l for small angles."""
    return lw.Model(
        name="rod",
        space="planar",
        gravity=[0, -9.81],
        parameters={"l": {"value": "1 m", "live": True}},
        points={"O": [0, 0], "P": [0, -1]},
        bodies={"rod": {"bar": ["O", "P"], "length": "l", "mass": 1}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "rod"]}},
    )


def test_each_variant_is_the_run_that_simulate_gives() -> None:
    lengths, masses = [0.2, 0.35, 0.5], ["1 kg", "2 kg", "4 kg"]
    study = lw.simulate_many(four_bar(), 1.0, parameters={"a": lengths, "m": masses}, quantities=KEPT, step=0.05)
    assert len(study) == 3 and study.completed.all() and not len(study.failures)
    for i, (a, m) in enumerate(zip(lengths, masses, strict=True)):
        run = lw.simulate(four_bar(), 1.0, parameters={"a": a, "m": m}, step=0.05)
        np.testing.assert_array_equal(study.time, run.time)
        for name in KEPT:
            np.testing.assert_allclose(study[name][i], run[name], rtol=1e-7, atol=1e-7)
        assert study.variant(i) == pytest.approx({"a": a, "m": float(m.split()[0])})


def test_times_that_are_asked_for_are_those_that_come() -> None:
    study = lw.simulate_many(four_bar(), times=["0.5 s", 1.0], parameters={"a": [0.2, 0.4]}, quantities=KEPT)
    assert [*study.time] == [0.5, 1.0]
    for i, a in enumerate([0.2, 0.4]):
        run = lw.simulate(four_bar(), times=[0.0, 0.5, 1.0], parameters={"a": a})
        for name in KEPT:
            np.testing.assert_allclose(study[name][i], run[name][1:], rtol=1e-7, atol=1e-7)


def test_last_samples_and_peaks_are_those_of_all_samples() -> None:
    lengths = [0.2, 0.4]
    every = lw.simulate_many(four_bar(), 1.0, parameters={"a": lengths}, quantities=KEPT, step=0.01, peaks=True)
    last = lw.simulate_many(four_bar(), 1.0, parameters={"a": lengths}, quantities=KEPT, final=True)
    both = lw.simulate_many(
        four_bar(), 1.0, parameters={"a": lengths}, quantities=KEPT, step=0.01, final=True, peaks=True
    )
    for name in KEPT:
        np.testing.assert_allclose(last[name], every[name][:, -1], rtol=1e-7, atol=1e-7)
        np.testing.assert_allclose(both[name], every[name][:, -1], rtol=1e-7, atol=1e-7)
        found = every.peaks[name]
        np.testing.assert_array_equal(found[:, 0], every[name].min(axis=1))
        np.testing.assert_array_equal(found[:, 1], every[name].max(axis=1))
        np.testing.assert_array_equal(found[:, 3], every.time[every[name].argmax(axis=1)])
        np.testing.assert_allclose(both.peaks[name], found, rtol=1e-7, atol=1e-7)


def test_values_at_the_start_vary() -> None:
    """A rod that is let go at rest from small angles swings as the cosine; initial speeds as the sine."""
    omega = np.sqrt(1.5 * 9.81)
    angles = np.array([1e-4, -2e-4, 3e-4])
    # the angle of the joint is that of the drawn rod, straight down
    rest = lw.simulate(pendulum(), 0.1, step=0.1)["O.angle"][0]
    study = lw.simulate_many(pendulum(), 1.0, initial={"O.angle": rest + angles}, quantities=["O.angle"], step=0.1)
    np.testing.assert_allclose(study["O.angle"] - rest, np.outer(angles, np.cos(omega * study.time)), atol=1e-9)
    pushed = lw.simulate_many(pendulum(), 1.0, initial={"O.speed": ["1e-4 rad/s", "-1 deg/h"]}, quantities=["O.angle"])
    speeds = np.array([1e-4, -np.pi / 180 / 3600])
    expected = np.outer(speeds / omega, np.sin(omega * pushed.time))
    np.testing.assert_allclose(pushed["O.angle"] - rest, expected, atol=1e-9)
    assert [(c.name, c.unit) for c in pushed.given] == [("O.speed", "rad/s")]


def test_a_variant_that_fails_says_why_and_disturbs_no_other() -> None:
    lengths = [0.4, 3.8, 0.3]
    study = lw.simulate_many(four_bar(), 0.5, parameters={"a": lengths}, quantities=KEPT, step=0.1, peaks=True)
    assert study.completed.tolist() == [True, False, True]
    assert "cannot be assembled" in study.outcomes[1].reason and "coupler" in study.outcomes[1].reason
    assert np.isnan(study["O.angle"][1]).all() and np.isnan(study.peaks["O.angle"][1]).all()
    alone = lw.simulate_many(four_bar(), 0.5, parameters={"a": [0.3]}, quantities=KEPT, step=0.1)
    np.testing.assert_array_equal(study["A.fx"][2], alone["A.fx"][0])
    assert study.failures.numbers == [1] and "variant 1 (a = 3.8 m)" in str(study.failures)
    assert study.failures.table()[1][2] == 3.8


def test_a_run_that_ends_early_keeps_what_it_has_and_the_time() -> None:
    ends = {"down": lw.Event("O.angle - 8", stop=True)}
    study = lw.simulate_many(four_bar(), 2.0, parameters={"a": [0.4]}, quantities=["O.angle"], step=0.1, events=ends)
    outcome = study.outcomes[0]
    there = study.time <= outcome.time
    assert outcome.status.name == "STOPPED_BY_EVENT" and 0.5 < outcome.time < 2.0
    assert np.isfinite(study["O.angle"][0][there]).all() and np.isnan(study["O.angle"][0][~there]).all()
    last = lw.simulate_many(four_bar(), 2.0, parameters={"a": [0.4]}, quantities=["O.angle"], final=True, events=ends)
    assert last["O.angle"][0] == pytest.approx(8.0, abs=1e-9)


def test_a_grid_is_all_combinations_the_last_name_first() -> None:
    made = lw.studies.grid({"a": [0.3, "400 mm"], "m": [1, 2, 3]})
    assert made.shape == (2, 3) and list(made["a"]) == [0.3, 0.3, 0.3, "400 mm", "400 mm", "400 mm"]
    study = lw.simulate_many(four_bar(), 0.1, parameters=made, quantities=["O.angle"], final=True)
    assert [tuple(study.variant(i).values()) for i in range(6)] == [(a, m) for a in (0.3, 0.4) for m in (1, 2, 3)]
    assert made.only("m") == {"m": [1, 2, 3, 1, 2, 3]}


def test_tables_and_datasets_are_taken_with_their_units() -> None:
    pandas, xarray = pytest.importorskip("pandas"), pytest.importorskip("xarray")
    frame = pandas.DataFrame({"a": [300, 400], "m": [1.0, 2.0]})
    frame.attrs["units"] = {"a": "mm"}
    by_table = lw.simulate_many(four_bar(), 0.1, parameters=frame, quantities=["O.angle"], final=True)
    assert by_table.variant(1) == {"a": 0.4, "m": 2.0}
    data = xarray.Dataset(
        {"a": ("i", [30.0, 40.0], {"units": "cm"}), "m": (("i", "j"), [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])}
    )
    by_data = lw.simulate_many(four_bar(), 0.1, parameters=data, quantities=["O.angle"], final=True)
    assert [tuple(by_data.variant(i).values()) for i in (0, 2, 3)] == [(0.3, 1.0), (0.3, 3.0), (0.4, 4.0)]


def test_a_dataset_has_units_and_parameters_as_coordinates() -> None:
    pytest.importorskip("xarray")
    study = lw.simulate_many(
        four_bar(), 0.2, parameters={"a": [0.3, 3.8]}, quantities=["O.angle"], step=0.1, peaks=True
    )
    data = study.to_xarray()
    assert data["O.angle"].dims == ("variant", "time") and data["O.angle"].attrs["units"] == "rad"
    assert data["a"].attrs["units"] == "m" and data["outcome"].values.tolist() == ["completed", "stopped"]
    assert data["O.angle largest"].dims == ("variant",)
    assert "cannot be assembled" in str(data["reason"].values[1])
    assert data.where(data["a"] < 1, drop=True).sizes["variant"] == 1


@pytest.mark.parametrize("options", [{"step": 0.1, "peaks": True}, {"final": True}])
def test_a_file_gives_everything_back(options: dict[str, Any], tmp_path: Path) -> None:
    study = lw.simulate_many(four_bar(), 0.2, parameters={"a": [0.3, 3.8]}, quantities=KEPT, **options)
    found = lw.studies.load_study(study.save(tmp_path / "study.nc"))
    assert str(found) == str(study) and found.outcomes == study.outcomes
    np.testing.assert_equal(found.table(), study.table())
    for name in KEPT:
        np.testing.assert_array_equal(found[name], study[name])
    content = (tmp_path / "study.nc").read_bytes()
    (tmp_path / "cut.nc").write_bytes(content[:-100])
    with pytest.raises(ResultError, match="damaged"):
        lw.studies.load_study(tmp_path / "cut.nc")
    run = lw.simulate(pendulum(), 0.1, step=0.1).save(tmp_path / "run.nc")
    with pytest.raises(ResultError, match="load_result"):
        lw.studies.load_study(run)


def test_work_that_was_interrupted_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lengths = np.linspace(0.2, 0.5, 7)
    asked: list[int] = []
    answers = OneByOne.answers

    def stopped(self: OneByOne, numbers: Any) -> Any:
        for number, answer in answers(self, numbers):
            asked.append(number)
            yield number, answer
            if len(asked) == 3:
                raise KeyboardInterrupt

    given: dict[str, Any] = {"parameters": {"a": lengths}, "quantities": KEPT, "step": 0.1, "peaks": True}
    whole = lw.simulate_many(four_bar(), 0.5, **given)
    monkeypatch.setattr(OneByOne, "answers", stopped)
    monkeypatch.setattr(finding, "by_lanes", lambda *_: iter(()), raising=False)
    first = lw.simulate_many(four_bar(), 0.5, **given, folder=tmp_path / "kept")
    assert int(first.completed.sum()) == 3 and "4 variants to go" in first.notes[0]
    assert "4 variants not begun" in str(first.failures)
    second = lw.simulate_many(four_bar(), 0.5, **given, folder=tmp_path / "kept")
    assert asked == [0, 1, 2, 3, 4, 5, 6] and "3 of 7 variants" in second.notes[0]
    for name in KEPT:
        np.testing.assert_allclose(second[name], whole[name], rtol=1e-7, atol=1e-7)
    third = lw.simulate_many(four_bar(), 0.5, **given, folder=tmp_path / "kept")
    assert len(asked) == 7 and third.outcomes == second.outcomes
    np.testing.assert_equal(third.table(), second.table())


def test_a_damaged_part_is_found_again(tmp_path: Path) -> None:
    given: dict[str, Any] = {
        "parameters": {"a": [0.3, 0.4]},
        "quantities": ["O.angle"],
        "final": True,
        "folder": tmp_path,
    }
    first = lw.simulate_many(four_bar(), 0.2, **given)
    (part,) = tmp_path.glob("*.part")
    content = bytearray(part.read_bytes())
    content[len(content) // 2] ^= 1
    part.write_bytes(content)
    again = lw.simulate_many(four_bar(), 0.2, **given)
    np.testing.assert_array_equal(again["O.angle"], first["O.angle"])
    assert "cannot be read" in again.notes[0]


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"until": 0.3}, "options and quantities"),
        ({"parameters": {"a": [0.3, 0.5]}}, "variants"),
        ({"rtol": 1e-8}, "options"),
        ({"model": four_bar(gravity=[0, -1.62])}, "model"),
        ({"quantities": ["C.angle"]}, "quantities"),
    ],
)
def test_the_folder_of_another_study_is_refused(change: dict[str, Any], what: str, tmp_path: Path) -> None:
    given: dict[str, Any] = {
        "model": four_bar(), "until": 0.2, "parameters": {"a": [0.3, 0.4]}, "quantities": ["O.angle"], "folder": tmp_path,
        "step": 0.1,
    }  # fmt: skip
    lw.simulate_many(**given)
    with pytest.raises(ResultError, match=f"holds another study: {what} differ"):
        lw.simulate_many(**given | change)


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(ResultError, match="other files and no study"):
        lw.simulate_many(four_bar(), 0.1, parameters={"a": [0.3]}, folder=tmp_path)
    assert [item.name for item in tmp_path.iterdir()] == ["letter.txt"]


@pytest.fixture
def in_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other processes take over as soon as they may."""
    monkeypatch.setattr(OneByOne, "_worth_it", lambda self, *_: not self._here)
    monkeypatch.setattr(finding, "by_lanes", lambda *_: iter(()), raising=False)


def test_numbers_do_not_depend_on_who_finds_them(in_processes: None) -> None:
    given: dict[str, Any] = {"parameters": {"a": [*np.linspace(0.2, 0.5, 6), 3.8]}, "quantities": KEPT, "step": 0.1}
    alone = lw.simulate_many(four_bar(), 0.5, **given, workers=1)
    together = lw.simulate_many(four_bar(), 0.5, **given, workers=2)
    assert alone.outcomes == together.outcomes and not together.notes
    for name in KEPT:
        np.testing.assert_array_equal(alone[name], together[name])


def test_a_process_that_is_lost_takes_one_variant_with_it(in_processes: None, monkeypatch: pytest.MonkeyPatch) -> None:
    ask, lock, lost = Worker.ask, threading.Lock(), []

    def losing(self: Worker, parameters: dict[str, float]) -> Any:
        with lock:
            kill = parameters["a"] == 0.35
        if kill:
            lost.append(parameters["a"])
            os.kill(self._process.pid, signal.SIGKILL)
        return ask(self, parameters)

    monkeypatch.setattr(Worker, "ask", losing)
    study = lw.simulate_many(four_bar(), 0.2, parameters={"a": [0.2, 0.25, 0.3, 0.35, 0.4]}, final=True, workers=2)
    assert lost == [0.35] and study.completed.tolist() == [True, True, True, False, True]
    assert "signal 9" in study.outcomes[3].reason


def test_what_no_other_process_knows_is_done_here(in_processes: None) -> None:
    ends = {"down": type("Local", (lw.Event,), {})("O.angle - 8")}
    study = lw.simulate_many(four_bar(), 0.2, parameters={"a": [0.2, 0.3, 0.4]}, final=True, workers=2, events=ends)
    assert study.completed.all() and "on one core" in study.notes[0]
    with pytest.raises(Exception, match="Local"):
        framed(object.__new__(type("Local", (), {})))  # type: ignore[arg-type]


def test_a_pose_and_what_was_prepared_are_taken() -> None:
    model = four_bar()
    pose = lw.assemble(model, {"O": "60 deg"})
    study = lw.simulate_many(pose, 0.2, parameters={"m": [1, 3]}, quantities=["O.angle"], step=0.1)
    run = lw.simulate(pose, 0.2, parameters={"m": 3}, step=0.1)
    np.testing.assert_allclose(study["O.angle"][1], run["O.angle"], rtol=1e-9)
    natural = lw.prepare(model, coordinates="natural")
    found = lw.simulate_many(natural, 0.2, parameters={"m": [1, 3]}, quantities=["O.angle"], step=0.1)
    assert found.settings["coordinates"] == "natural"
    whole = lw.simulate(model, 0.2, parameters={"m": 3}, step=0.1)
    np.testing.assert_allclose(found["O.angle"][1], whole["O.angle"], rtol=1e-7)


@pytest.mark.parametrize(
    ("given", "error", "told"),
    [
        ({"parameters": {}}, RefusedError, "a study is of many variants"),
        ({"parameters": {"a": [0.3, 0.4], "m": [1, 2, 3]}}, RefusedError, "not of one length: a 2, m 3"),
        ({"parameters": {"a": ["3 kg"]}}, UnitError, "in the model it is"),
        ({"parameters": {"a": [0.3, float("nan")]}}, UnitError, "variant 1"),
        ({"parameters": {"crank": [0.3]}}, UnknownNameError, "no parameter 'crank'"),
        ({"parameters": {"fixed": [0.3]}}, UnknownNameError, "live: true"),
        ({"parameters": 3}, RefusedError, "lists by name"),
        ({"parameters": {"a": [0.3]}, "quantities": ["O.angel"]}, UnknownNameError, "O.angle"),
        ({"initial": {"O.sped": [1]}}, UnknownNameError, "O.speed"),
        ({"initial": {"O.speed": ["3 m"]}}, UnitError, "O.speed"),
        ({"parameters": {"a": [0.3]}, "workers": 0}, RefusedError, "workers"),
        ({"parameters": {"a": [0.3]}, "integrator": "rk5"}, UnknownNameError, "dopri5"),
        ({"parameters": {"a": [0.3]}, "quantity": ["O.angle"]}, ArgumentError, "quantities"),
    ],
)
def test_what_makes_no_sense_is_refused_before_the_run(given: Any, error: type[Exception], told: str) -> None:
    with pytest.raises(error, match=told):
        lw.simulate_many(four_bar(), 0.1, **given)


def test_a_run_is_no_beginning_of_many() -> None:
    run = lw.simulate(four_bar(), 0.1, step=0.1)
    with pytest.raises(RefusedError, match="parameters of one variant"):
        lw.simulate_many(run, 0.2, parameters={"a": [0.3]})
    with pytest.raises(RefusedError, match="belong to the model"):
        lw.simulate_many(lw.prepare(four_bar()), 0.2, initial={"O.speed": [1]})


def test_one_process_at_a_time_works_on_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {
        "parameters": {"a": [0.3, 0.4]},
        "quantities": ["O.angle"],
        "final": True,
        "folder": tmp_path,
    }
    answers, told = OneByOne.answers, list[str]()

    def meanwhile(self: OneByOne, numbers: Any) -> Any:
        if not told:
            with pytest.raises(ResultError) as refused:
                lw.simulate_many(four_bar(), 0.2, **given)
            told.append(str(refused.value))
        return answers(self, numbers)

    monkeypatch.setattr(OneByOne, "answers", meanwhile)
    first = lw.simulate_many(four_bar(), 0.2, **given)
    assert told == [
        f"another process is at work on folder '{tmp_path}'; wait until it has ended, or give another folder"
    ]
    assert bool(first.completed.all())
    assert "2 of 2 variants were in" in lw.simulate_many(four_bar(), 0.2, **given).notes[0]


def test_a_full_disk_leaves_what_was_found_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {
        "parameters": {"a": [0.3, 0.4]},
        "quantities": ["O.angle"],
        "final": True,
        "folder": tmp_path,
    }
    write = folder_module.write_bytes

    def full(path: Path, content: bytes, **options: Any) -> Path:
        if path.suffix == ".part":
            raise ResultError(f"cannot write '{path}': no space left on device; write it to another folder")
        return write(path, content, **options)

    monkeypatch.setattr(folder_module, "write_bytes", full)
    with pytest.warns(UserWarning, match="no space left on device.*kept in memory alone"):
        study = lw.simulate_many(four_bar(), 0.2, **given)
    assert bool(study.completed.all()) and bool(np.isfinite(study["O.angle"]).all())
    assert "not all of it is in" in study.notes[-1]
    monkeypatch.setattr(folder_module, "write_bytes", write)
    again = lw.simulate_many(four_bar(), 0.2, **given)
    np.testing.assert_array_equal(again["O.angle"], study["O.angle"])
