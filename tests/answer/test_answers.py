"""The contract of answers, of every class that there is: found by subclass, so that a new one cannot stay away."""

from __future__ import annotations

import csv
import inspect
import json
import pickle
from collections.abc import Callable, Iterator
from functools import cache
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

import casadi as ca
import numpy as np
import pytest
from matplotlib.figure import Figure

import linkwork
import linkwork as lw
from linkwork.answer import Answer, AnswerList, Column, Grid, Sections
from linkwork.answer.own_files import is_own
from linkwork.results.comparison import Compared, Comparison, Setting, Sweep
from linkwork.results.loads import LoadTable
from linkwork.results.result_answer import ResultAnswer

NAME = "<script>alert(1)</script> & co"
PROTOCOLS = {Answer, AnswerList, LoadTable, ResultAnswer}


@cache
def four_bar() -> lw.Model:
    """A crank that is held by a spring and pushed by a live force."""
    return lw.Model(
        name=NAME,
        space="planar",
        gravity=[0, -9.81],
        parameters={"F": {"value": 1, "live": True}},
        points={"O": [0, 0], "A": [0.6, 0.8], "B": [2.9, 1.9], "C": [2.2, 0]},
        bodies={
            "crank": {"bar": ["O", "A"], "length": 1, "mass": 1},
            "coupler": {"bar": ["A", "B"], "length": 2.5, "mass": 2},
            "rocker": {"bar": ["C", "B"], "length": 2, "mass": 1.5},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
            "A": {"kind": "revolute", "bodies": ["crank", "coupler"]},
            "B": {"kind": "revolute", "bodies": ["coupler", "rocker"]},
            "C": {"kind": "revolute", "bodies": ["ground", "rocker"]},
        },
        forces={
            "spring": {"kind": "torsion_spring", "joint": "O", "stiffness": 80, "damping": 3, "free_angle": "50 deg"},
            "push": {"kind": "force", "at": "coupler.B", "value": ["F", 0]},
        },
    )


@cache
def run() -> lw.Result:
    return lw.simulate(four_bar(), until=0.2, step=0.02)


@cache
def turn() -> lw.Result:
    return lw.solve_kinematics(four_bar(), {"O": "0.9 + t"}, until=0.2, step=0.02)


@cache
def study() -> lw.answers.Study:
    """Six runs, one of which a force blows up."""
    forces = [0.0, 1.0, 2.0, 3.0, 4.0, 1e30]
    return lw.simulate_many(
        four_bar(), 0.2, parameters={"F": forces}, quantities=["O.angle", "A.f*"], step=0.02, peaks=True
    )


@cache
def linear() -> lw.answers.Linearisation:
    rest = lw.find_equilibrium(four_bar())
    return lw.linearise(rest, inputs=["F"], outputs=["B.x"])


@cache
def pushed() -> lw.answers.InverseDynamics:
    return lw.inverse_dynamics(four_bar(), {"O.angle": "0.9 + t"}, until=0.2, step=0.02)


def shaken() -> lw.answers.FloquetMultipliers:
    """A rod that hangs from a pivot which is shaken up and down."""
    shaken = lw.Model(
        name=NAME,
        space="planar",
        gravity=[0, -9.81],
        points={"O": [0, 0], "P": [0, -1]},
        bodies={"slide": {"points": ["O"], "mass": 1, "com": "O", "inertia": 1}, "rod": {"bar": ["O", "P"], "mass": 1}},
        joints={
            "S": {"kind": "prismatic", "bodies": ["ground", "slide"], "axis": [0, 1], "at": "O"},
            "O": {"kind": "revolute", "bodies": ["slide", "rod"]},
        },
        drivers={"shaker": {"joint": "S", "position": "0.01*cos(60*t)"}},
    )
    return lw.floquet(shaken)


def hung() -> lw.Result:
    """A load that falls into its rope."""
    load = lw.Model(
        name=NAME,
        space="planar",
        gravity=[0, -9.81],
        points={"O": [0, 0], "A": [0.6, 0]},
        bodies={"load": {"points": ["A"], "com": "A", "mass": 2, "inertia": 0.1}},
        relations={"rope": {"kind": "rope", "between": ["ground.O", "load.A"], "length": 1}},
    )
    return lw.simulate(load, until=0.6, step=0.1)


def stepped() -> lw.answers.RealTime:
    found = lw.realtime(four_bar(), "1 ms", keep=20)
    found.step(20)
    return found


def rolling() -> lw.answers.EquivalentLinkage:
    wheel = {"points": {"O": [0, 0], "A": [0.15, 0.08]}, "com": "O", "mass": 2, "inertia": 0.05, "origin": [0.3, -0.65]}
    track = {"kind": "track", "centre": "wheel.O", "radius": 0.2, "body": "ground", "r": 1.0}
    model = lw.Model(name=NAME, space="planar", bodies={"wheel": wheel}, relations={"track": track})
    return lw.measures.equivalent_linkage(model, "track", "wheel.A")


def written() -> lw.answers.EquationRun:
    q, v = ca.SX.sym("q", 2), ca.SX.sym("v", 2)
    pendulum = lw.ConstrainedEquations(q, v, mass=[1, 1], forces=[0, -9.81], conditions=ca.sumsqr(q) - 1)
    return lw.integrate(pendulum, 0.1, q=[1, 0], v=[0, 0])


MAKERS: dict[str, Callable[[], Answer]] = {
    "Result": run,
    "Audit": lambda: run().audit,
    "Accuracy": lambda: lw.simulate(four_bar(), until=0.05, accuracy=1e-6).accuracy or pytest.fail("no accuracy"),
    "Reactions": lambda: run().reactions,
    "Reaction": lambda: run().reactions["A"],
    "MultiplierTable": lambda: lw.simulate(four_bar(), until=0.05, coordinates="natural").multipliers,
    "AssembledPose": lambda: lw.assemble(four_bar(), {"O": "50 deg"}),
    "AssemblyModes": lambda: lw.assembly_modes(four_bar()),
    "DraggedPoint": lambda: lw.drag_point(four_bar(), "B", [(2.9, 1.9), (2.8, 1.95), (9.0, 9.0)]),
    "SolvedPositions": lambda: lw.solve_positions(four_bar(), {"O.angle": [0.8, 0.9, 1.0]}),
    "Ellipsoid": lambda: lw.measures.velocity_ellipsoid(turn(), "A", ["O"]),
    "Envelope": lambda: lw.envelope(turn(), ["crank"]),
    "Interference": lambda: lw.interference(turn(), [("crank", "rocker")]),
    "PointPath": lambda: lw.measures.point_path(turn(), "B"),
    "Study": study,
    "Failures": lambda: study().failures,
    "Equilibrium": lambda: lw.find_equilibrium(four_bar()),
    "Equilibria": lambda: lw.find_equilibria(four_bar()),
    "FrictionAtRest": lambda: lw.measures.friction_at_rest(four_bar()),
    "EquilibriumPath": lambda: lw.equilibrium_path(four_bar(), {"F": [1.0, 2.0, 3.0]}),
    "Linearisation": linear,
    "LinearMotion": lambda: linear().simulate(0.5, step=0.05, inputs={"F": 1.0}),
    "FrequencyResponse": lambda: linear().frequency_response([1.0, 2.0, 5.0]),
    "VibrationModes": lambda: lw.modes(linear()),
    "VibrationMode": lambda: lw.modes(linear())[0],
    "RootLocus": lambda: lw.root_locus(four_bar(), {"F": [1.0, 2.0, 3.0]}),
    "FloquetMultipliers": shaken,
    "InverseDynamics": lambda: pushed(),
    "RealTime": stepped,
    "Timing": lambda: stepped().timing,
    "Pacing": lambda: lw.realtime(four_bar(), "1 ms").pace("3 ms"),
    "Topology": lambda: lw.analyse(four_bar()),
    "Coordinates": lambda: lw.number(four_bar()),
    "Equations": lambda: lw.formulate(four_bar()),
    "Program": lambda: lw.build(lw.formulate(four_bar())),
    "Mechanism": lambda: lw.prepare(four_bar()),
    "MotionLimits": lambda: lw.find_limits(four_bar()),
    "Diagnosis": lambda: lw.diagnose(four_bar()),
    "AssemblyMode": lambda: lw.assembly_modes(four_bar())[0],
    "CoordinateRanking": lambda: lw.measures.rank_coordinates(four_bar()),
    "CutRanking": lambda: lw.measures.rank_cuts(four_bar()),
    "EquivalentLinkage": rolling,
    "OscillatorTable": lambda: lw.integrators.oscillator_table(["rk4", "trapezoidal"]),
    "StabilityLimits": lambda: lw.integrators.stability_limits("bdf3"),
    "EquationRun": written,
    "InverseFunction": lambda: lw.inverse_function(four_bar(), ["O"]),
    "Comparison": lambda: compared(),
    "Centrodes": lambda: lw.measures.centrodes(turn(), "coupler"),
    "MeasuredValues": lambda: lw.measures.transmission_angle(turn(), "B"),
    "NamedValues": lambda: lw.measures.rank_along(four_bar(), turn()),
    "MotorLoads": lambda: pushed().motor_loads(),
    "PeakLoads": lambda: pushed().peak_loads(),
    "RunModes": lambda: hung().modes,
    "StabilityRegions": lambda: lw.integrators.stability_region("rk4", "bdf2"),
}


def compared() -> Comparison:
    """Two programs on one problem."""
    own = Sweep("Linkwork", "Linkwork, default", "tolerance", (Setting(1e-3, 1e-4, 1e-3), Setting(1e-6, 1e-7, 2e-3)))
    other = Sweep("Other", "Other, best", "step", (Setting(0.1, 1e-3, 5e-3), Setting(0.01, 1e-9, 6e-3)))
    problem = Compared("swing", "a swing", 1e-6, "rad", False, (own, other))
    return Comparison((problem,), {"Linkwork": "1.2", "Other": "4.5"}, {"drake": "it is not installed"}, "2 cores")


@cache
def made(kind: str) -> Answer:
    return MAKERS[kind]()


def subclasses(of: type) -> Iterator[type]:
    for kind in of.__subclasses__():
        yield kind
        yield from subclasses(kind)


def test_every_answer_is_here() -> None:
    for module in walk_packages(linkwork.__path__, "linkwork."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    found = {kind.__name__ for kind in subclasses(Answer) if kind.__module__.startswith("linkwork.")}
    assert found - {kind.__name__ for kind in PROTOCOLS} == set(MAKERS)


class Tags(HTMLParser):
    """The elements of a page outside of frames, and its texts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.mark.parametrize("kind", MAKERS)
def test_it_prints_and_its_representation_is_short(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    answer = made(kind)
    print(answer)
    text = capsys.readouterr().out
    assert text == f"{answer}\n" and text.startswith(answer.title + "\n")
    told = " ".join(text.split())
    assert all(" ".join(note.split()) in told for note in answer.notes)
    assert all(len(line) <= 100 or line == answer.title for line in text.splitlines())
    assert len(repr(answer)) < 120 and "\n" not in repr(answer) and repr(answer).startswith("<")


@pytest.mark.parametrize("kind", MAKERS)
def test_what_users_write_is_text_in_a_notebook(kind: str) -> None:
    answer = made(kind)
    page = Tags(answer._repr_html_())
    assert page.tags <= {"div", "b", "p", "pre", "table", "tr", "th", "td", "br", "iframe", "img"}
    if "iframe" not in page.tags:
        assert answer.title in "".join(page.texts)


@pytest.mark.parametrize("kind", MAKERS)
def test_table_and_frame_are_one(kind: str) -> None:
    answer = made(kind)
    heads, *rows = answer.table()
    columns = answer.columns()
    assert list(heads) == [column.label for column in columns] and len(set(heads)) == len(heads)
    assert all(len(row) == len(heads) for row in rows) and rows
    frame = answer.to_dataframe()
    assert [frame.index.name, *frame.columns] == [column.name for column in columns]
    assert frame.attrs["units"] == {column.name: column.unit for column in columns[1:]}
    for i, row in enumerate(rows):
        assert row[0] == frame.index[i]
        np.testing.assert_equal(list(row[1:]), list(frame.iloc[i]))
    some = answer.to_dataframe([columns[-1].name])
    assert some.columns[-1] == columns[-1].name and len(some) == len(frame)
    with pytest.raises(lw.errors.UnknownNameError, match="nothing"):
        answer.table(["nothing"])


@pytest.mark.parametrize("kind", MAKERS)
def test_files_give_the_table_back_and_belong_to_us(kind: str, tmp_path: Path) -> None:
    answer = made(kind)
    assert {".csv", ".json"} <= set(answer.endings)
    for ending in answer.endings:
        path = tmp_path / f"answer{ending}"
        assert answer.save(path) == path
        assert is_own(path) or ending == ".yaml"
        answer.save(path)
        with pytest.raises(lw.errors.ResultError, match="exists already"):
            answer.save(path, overwrite=False)
    heads, *rows = answer.table()
    with (tmp_path / "answer.csv").open(newline="", encoding="utf-8") as file:
        read = list(csv.reader(file))
    assert read == [list(heads), *([_written(cell) for cell in row] for row in rows)]
    kept = json.loads((tmp_path / "answer.json").read_text(encoding="utf-8"))
    assert kept["program"] == "Linkwork" and kept["title"] == answer.title
    assert list(kept["columns"]) == [column.name for column in answer.columns()]
    for column in answer.columns():
        assert [str(x) for x in kept["columns"][column.name]] == [str(x) for x in column.cells()]
    with pytest.raises(lw.errors.ResultError, match=r"endings that work for .* are .*\.csv, \.json"):
        answer.save(tmp_path / "answer.txt")


def _written(cell: object) -> str:
    return "" if cell is None else str(cell)


@pytest.mark.parametrize("kind", MAKERS)
def test_it_is_drawn(kind: str, tmp_path: Path) -> None:
    answer = made(kind)
    path = tmp_path / "answer.png"
    assert isinstance(answer.plot(path=path), Figure)
    assert path.read_bytes().startswith(b"\x89PNG") and is_own(path)
    with pytest.raises(lw.errors.RefusedError, match=r"plot\(path="):
        answer.plot("answer.png")


@pytest.mark.parametrize("kind", MAKERS)
def test_figures_are_asked_for_in_one_way(kind: str) -> None:
    asked = inspect.signature(type(made(kind)).plot).parameters
    frame = inspect.signature(Answer.plot).parameters
    words = ("names", "path", "show", "overwrite", "axes")
    assert [asked[word].replace(annotation=Any) for word in words] == [
        frame[word].replace(annotation=Any) for word in words
    ]


@pytest.mark.parametrize("kind", sorted(set(MAKERS) - {"RealTime"}))
def test_it_pickles(kind: str) -> None:
    answer = made(kind)
    kept = pickle.loads(pickle.dumps(answer))
    assert kept.title == answer.title and repr(kept) == repr(answer)
    np.testing.assert_equal(kept.table(), answer.table())


def test_what_runs_does_not_pickle() -> None:
    with pytest.raises(lw.errors.RefusedError, match="keep its result"):
        pickle.dumps(made("RealTime"))


def test_what_was_kept_answers_as_before() -> None:
    mode = made("VibrationMode")
    kept = pickle.loads(pickle.dumps(mode))
    assert kept.shape("B.x") == mode.shape("B.x")  # type: ignore[attr-defined]
    np.testing.assert_array_equal(kept.motion()["B.x"], mode.motion()["B.x"])  # type: ignore[attr-defined]
    held = pickle.loads(pickle.dumps(lw.assembly_modes(four_bar())))
    assert held[1].coordinates == lw.assembly_modes(four_bar())[1].coordinates
    solved = lw.solve_positions(four_bar(), {"O.angle": [0.8, 0.9, 1.0]})
    assert pickle.loads(pickle.dumps(solved)).model(1) == solved.model(1)
    mechanism = pickle.loads(pickle.dumps(lw.prepare(four_bar(), coordinates="natural")))
    again = lw.simulate(mechanism, until=0.1, step=0.05)
    np.testing.assert_array_equal(
        again["B.x"], lw.simulate(four_bar(), until=0.1, step=0.05, coordinates="natural")["B.x"]
    )
    function = lw.inverse_function(four_bar(), ["O"])
    assert pickle.loads(pickle.dumps(function))({"O.angle": 0.9}) == function({"O.angle": 0.9})


class Weights(Answer):
    """What a stranger writes."""

    notes = ("weighed on Monday",)

    @property
    def title(self) -> str:
        return "weights of " + "x" * 200

    def facts(self) -> list[tuple[str, str]]:
        return [("heaviest", "3 kg\nof lead"), ("lightest", "1 g")]

    def columns(self) -> list[Column]:
        return [
            Column("part", ["a", "b"]),
            Column("mass", np.array([3.0, np.inf]), "kg"),
            Column("size", [1.0, 2.0], "1"),
        ]


def test_a_new_answer_says_what_it_is_and_gets_the_rest(tmp_path: Path) -> None:
    found = Weights()
    assert str(found).splitlines()[1:] == [
        "  heaviest  3 kg",
        "            of lead",
        "  lightest  1 g",
        "  note: weighed on Monday",
    ]
    assert len(repr(found)) < 120 and repr(found).endswith("...>")
    assert found.table(units={"mass": "g"}) == [
        ("part", "mass [g]", "size [1]"),
        ("a", 3000.0, 1.0),
        ("b", np.inf, 2.0),
    ]
    assert json.loads(found.save(tmp_path / "w.json").read_text())["columns"]["mass"] == [3.0, "inf"]
    with pytest.raises(lw.errors.UnitError, match="mass is a mass, in kg; 'm' is a length"):
        found.table(units={"mass": "m"})
    with pytest.raises(lw.errors.UnitError, match="size has no unit of its own"):
        found.table(units={"size": "m"})
    with pytest.raises(lw.errors.UnknownNameError, match="did you mean 'mass'"):
        found.table(["mas"])


def test_a_grid_has_lines_and_html() -> None:
    grid = Grid([("a", "1\n2"), ("long", "<b>")], ("", "head"))
    assert grid.lines() == ["        head", "  a     1", "        2", "  long  <b>"]
    assert "&lt;b&gt;" in grid.html() and "1<br>2" in grid.html()
    assert Grid([]).lines() == []


def test_reactions_are_drawn_in_their_own_axes_and_on_their_own_side() -> None:
    found = run().reactions(axes="child", on="parent")["A"]
    (axes,) = found.plot().axes
    for line, component in zip(axes.lines, found.info.components, strict=True):
        np.testing.assert_array_equal(line.get_ydata(), found[component])
        assert not np.allclose(line.get_ydata(), run()[f"A.{component}"])
    assert axes.get_ylabel() == "A.fx, A.fy [N]" and axes.get_xlabel() == "time [s]"


def test_a_column_has_a_name_of_its_own() -> None:
    declared = four_bar().to_dict()
    push = {"kind": "force", "at": "coupler.B", "value": ["stability", "position"]}
    live = {name: {"value": 1, "live": True} for name in ("stability", "position")}
    model = lw.Model(**{**declared, "parameters": live, "forces": {**declared["forces"], "push": push}})
    found = lw.equilibrium_path(model, {"stability": [1.0, 2.0], "position": [3.0, 4.0]})
    heads, first, second = found.table()
    assert heads[:4] == ("position", "stability", "position (2)", "stability (2)")
    assert (first[:4], second[:4]) == ((0, 1.0, 3.0, "stable"), (1, 2.0, 4.0, "stable"))
    assert list(found.to_dataframe().columns[:3]) == ["stability", "position (2)", "stability (2)"]


def test_nothing_is_an_answer_too(tmp_path: Path) -> None:
    body = {"points": {"P": [0, 0, 0]}, "mass": 1, "com": [0, 0, 0], "inertia": [1, 1, 1]}
    free = lw.Model(space="spatial", bodies={"b": body})
    run = lw.simulate(free, until=0.1, step=0.05)
    for answer in (run.reactions, run.multipliers, lw.analyse(free), lw.measures.rank_cuts(free), lw.modes(free)):
        assert answer.title in str(answer) and len(repr(answer)) < 120
        assert len(answer.to_dataframe()) == len(answer.table()) - 1
        for ending in answer.endings:
            answer.save(tmp_path / f"answer{ending}", overwrite=True)
    with pytest.raises(lw.errors.ResultError, match="no numbers to plot"):
        run.reactions.plot()


def test_a_measure_is_an_array_too() -> None:
    angle = lw.measures.transmission_angle(turn(), "B")
    values = angle.values
    assert np.max(angle) == values.max() and len(angle) == len(values) and angle[-1] == values[-1]
    for found, expected in ((angle * 2, values * 2), (1 - angle, 1 - values), (angle > 1, values > 1)):
        assert type(found) is np.ndarray
        np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(np.degrees(angle), np.degrees(values))
    np.testing.assert_array_equal(np.cumsum(angle), np.cumsum(values))
    np.testing.assert_array_equal(np.array(list(angle)), np.asarray(angle))
    assert angle.table(units={"*": "deg"})[0] == ("time [s]", "transmission angle at B [deg]")
    centre = lw.measures.instant_centre(turn(), "coupler")
    assert np.shape(centre) == (len(turn()), 2) and centre.table()[0] == ("time [s]", "x [m]", "y [m]")


def test_a_picture_of_one_axis_is_drawn_where_it_is_wanted() -> None:
    axes = Figure().subplots()
    for answer in (run(), made("Topology"), made("StabilityLimits"), made("MeasuredValues")):
        names = ("B.x",) if isinstance(answer, lw.Result) else ()
        before = len(axes.get_children())
        assert answer.plot(*names, axes=axes) is axes.figure and len(axes.get_children()) > before
    with pytest.raises(lw.errors.RefusedError, match="several axes"):
        run().plot("B.x", "O.angle", axes=axes)


def test_a_model_shows_itself_in_a_notebook() -> None:
    model = four_bar().with_(name="<b>" + 200 * "x")
    assert len(repr(model)) < 120
    page = Tags(model._repr_html_())
    assert {"img", "pre", "details"} <= page.tags and "b" not in page.tags
    assert str(model) in "".join(page.texts)


def test_headings_with_their_lines_are_a_table_in_notebooks() -> None:
    page = Sections("\nFreedoms\n  by count: 1\n\nTree\n  ground - O\n    crank - A<b>")
    assert page.lines()[1:3] == ["Freedoms", "  by count: 1"]
    html = page.html()
    assert html.count("<tr>") == 2 and "A&lt;b&gt;" in html and "ground - O<br>\u2003crank" in html
