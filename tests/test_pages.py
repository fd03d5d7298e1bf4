"""The Python of every page runs, block by block, as somebody would who reads it from the top."""

from __future__ import annotations

import importlib
import linecache
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

import numpy as np
import pytest

import linkwork as lw
from linkwork import testing
from linkwork.elements.contribution import Contribution, JointEffort, Reading
from linkwork.elements.joints import ALL_JOINTS
from linkwork.model.forces.base import AppliedForce, Scene
from test_examples import PAGES, ROOT, blocks
from test_extending import LITERAL, RALSTON, Placed, Stiffer

Names = dict[str, Any]
Add = Callable[[str, Names], ModuleType]  # puts a module where an import finds it
PYTHON = [page for page in [ROOT / "README.md", *PAGES] if "```python" in page.read_text(encoding="utf-8")]
SECTION = re.compile(r"^## .*?`([\w/]+)\.py`$(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
FALLING = """
linkwork: 1
space: planar
gravity: [0, -9.81]
points: {O: [0, 0]}
bodies: {ball: {points: [O], mass: 2, inertia: 1}}
joints: {wire: {kind: prismatic, bodies: [ground, ball], at: O, axis: [0, -1]}}
forces: {drag: {kind: quadratic_drag, at: ball.O, coefficient: 0.5}}
"""


def page(name: str) -> Path:
    return ROOT / "docs" / name


def execute(code: str, known: Names, name: str) -> None:
    """Run a block; its lines are kept, since kernels are translated from them."""
    linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
    exec(compile(code, name, "exec", dont_inherit=True), known)


@pytest.fixture
def add(monkeypatch: pytest.MonkeyPatch) -> Add:
    """Modules that are there until the end of the test."""

    def added(name: str, known: Names) -> ModuleType:
        module = ModuleType(name)
        vars(module).update(known)
        monkeypatch.setitem(sys.modules, name, module)
        return module

    return added


def written(path: Path, add: Add) -> Names:
    """All that the files of a page define: each block is the file that its heading names, there already or new."""
    found: Names = {}
    for place, text in SECTION.findall(path.read_text(encoding="utf-8")):
        name = "linkwork." + place.replace("/", ".").removesuffix(".__init__")
        for code in re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
            there = (ROOT / "src" / "linkwork" / f"{place}.py").exists()
            module = ModuleType(name) if there else add(name, {})
            if there:  # a copy: what is there stays as it is
                vars(module).update(vars(importlib.import_module(name)))
            execute(code, vars(module), f"{path.name} {place}")
            found |= vars(module)
    return found


def test_the_force_of_the_page_resists(add: Add, kinds_as_before: None) -> None:
    """A ball that falls against quadratic drag: v = v∞ tanh(g t / v∞), as the page says."""
    lw.register(written(page("howto/add_a_force.md"), add)["QuadraticDrag"])
    model = lw.loads(FALLING)
    testing.check_elements(model)
    result, limit = lw.simulate(model, 2.0, step=0.1), np.sqrt(2 * 9.81 / 0.5)
    assert result["wire.speed"] == pytest.approx(limit * np.tanh(9.81 * result.time / limit), rel=1e-7, abs=1e-9)


def test_the_relation_of_the_page_holds(add: Add, kinds_as_before: None) -> None:
    """A point mass slides along the bisector, a straight line at 45°: g sin 45° / 2 t² along it."""
    lw.register(written(page("howto/add_a_relation.md"), add)["EqualDistance"])
    model = lw.Model(
        space="planar",
        gravity=[0, -9.81],
        points={"P": [-1, 1], "Q": [1, -1], "A": [0.0, 0.0]},
        bodies={"bead": {"points": ["A"], "mass": 2, "inertia": 1}},
        relations={"wire": {"kind": "equal_distance", "point": "bead.A", "between": ["ground.P", "ground.Q"]}},
    )
    testing.check_elements(model)
    result = lw.simulate(model, 1.0, step=0.1)
    for axis in "xy":
        assert result[f"A.{axis}"] == pytest.approx(-9.81 / 4 * result.time**2, abs=1e-9)


def test_the_list_of_the_page_on_joints_begins_and_ends_as_ours_does(
    add: Add,
) -> None:
    known = written(page("howto/add_a_joint.md"), add)
    begins, ends = ([type(kind) for kind in part] for part in (known["ALL_JOINTS"][:2], known["ALL_JOINTS"][3:-1]))
    ours = [type(kind) for kind in ALL_JOINTS]
    assert begins == ours[:2]
    assert ends == ours[-1:]
    assert known["ALL_JOINTS"][2] is ... and isinstance(known["ALL_JOINTS"][-1], known["Table"])


class Rubbing(AppliedForce):
    """A fifth of the normal force that the page on contributions reads, against the motion along the guide."""

    kind: Literal["rubbing"] = "rubbing"

    def contribute(self, scene: Scene) -> Contribution:
        (code,) = blocks(page("theory/contributions.md"), "python")
        known: Names = {"scene": scene}
        execute(code, known, "contributions.md")
        at, force = scene.coordinate("guide", None), -0.2 * known["normal"]
        return Contribution(
            efforts=(JointEffort("guide", at.freedom, force),),
            dissipation=-force * at.rate,
            readings={"normal": Reading("N", "normal force", known["normal"])},
        )

    @property
    def joints(self) -> tuple[str, ...]:
        return ("guide",)


def test_the_multiplier_of_the_page_is_the_normal_force(kinds_as_before: None) -> None:
    """A block of 2 kg on a level guide: N = m g, and it slows down by g / 5."""
    lw.register(Rubbing)
    model = lw.Model(
        space="planar",
        gravity=[0, -9.81],
        points={"O": [0, 0]},
        bodies={"block": {"points": ["O"], "mass": 2, "inertia": 1}},
        joints={"guide": {"kind": "prismatic", "bodies": ["ground", "block"], "at": "O", "axis": [1, 0]}},
        initial={"guide": {"position": 0, "speed": 3}},
        forces={"friction": {"kind": "rubbing"}},
    )
    result = lw.simulate(model, 1.0, step=0.1)
    assert result["friction.normal"] == pytest.approx(np.full(len(result.time), 2 * 9.81), rel=1e-9)
    assert result["guide.speed"] == pytest.approx(3 - 9.81 / 5 * result.time, abs=1e-9)


def four_bar(add: Add) -> Names:
    (text,) = blocks(page("start.md"), "yaml")
    Path("four_bar.yaml").write_text(text, encoding="utf-8")
    return {}


def four_bar_of_a_page(add: Add) -> Names:
    four_bar(add)
    return {"lw": lw, "model": lw.load("four_bar.yaml")}


def with_a_result(add: Add) -> Names:
    known = four_bar_of_a_page(add)
    return known | {"result": lw.simulate(known["model"], until="1 s")}


def with_a_spring(add: Add) -> Names:
    four_bar(add)
    (declared,) = blocks(page("howto/parameters.md"), "yaml")
    spring = "forces: {spring: {kind: torsion_spring, joint: O, free_angle: 0, stiffness: k * 1 m^2}}\n"
    with Path("four_bar.yaml").open("a", encoding="utf-8") as file:
        file.write(declared + spring)
    return {}


def with_a_load(add: Add) -> Names:
    four_bar(add)
    with Path("four_bar.yaml").open("a", encoding="utf-8") as file:
        file.write(
            "parameters: {load: {value: 1 N, live: true}}\nforces: {push: {kind: force, at: rocker.B, value: [load, 0]}}\n"
        )
    return {"lw": lw, "model": lw.load("four_bar.yaml")}


def of_the_description(add: Add) -> Names:
    text, *_ = (text for text in blocks(page("model.md"), "yaml") if text.startswith("linkwork: 1"))
    return {"lw": lw, "model": lw.loads(text)}


def acube(add: Add) -> Names:
    shutil.copy(ROOT / "tests" / "formats" / "models" / "fourbar.dat", ".")
    return {}


def nothing(add: Add) -> Names:
    return {}


def my_package(add: Add) -> Names:
    """A package with the force and the joint of their pages, and one of each other kind."""
    known = {name: written(page(f"howto/{name}.md"), add) for name in ("add_a_force", "add_a_joint")}
    drag, joint = known["add_a_force"]["QuadraticDrag"], known["add_a_joint"]["Table"]
    others = {"MyCoordinates": Placed, "MyFormulation": Stiffer, "MY_METHOD": RALSTON, "MY_FORMAT": LITERAL}
    add("my_package", {"QuadraticDrag": drag, "MyJoint": joint, **others})
    Path("parachute.yaml").write_text(FALLING, encoding="utf-8")
    return {}


def compiler(add: Add) -> Names:
    """What the kernels and records of the page are made of, and a run."""
    from linkwork.compiler.artefact import link
    from linkwork.numerics.integrators import method_named
    from linkwork.numerics.integrators.memory import Memory
    from linkwork.numerics.kernels.constrained.projection import project_positions
    from linkwork.numerics.kernels.constrained.workspace import Workspace
    from linkwork.numerics.kernels.language import records
    from linkwork.numerics.kernels.language.calling import kernel
    from linkwork.numerics.kernels.stepping.advance import advance
    from linkwork.numerics.kernels.stepping.newton import RatePolicy

    mechanism = lw.prepare(four_bar_of_a_page(add)["model"], formulation="multipliers")
    start = mechanism.start()
    known = {"mechanism": mechanism, "flow": mechanism.flow(start), "y0": start.y, "grid": np.linspace(0, 0.1, 3)}
    known |= {
        "method": method_named("rk4"),
        "Memory": Memory,
        "link": link,
        "advance": advance,
        "kernel": kernel,
        "RatePolicy": RatePolicy,
    }
    return known | vars(records) | {"Workspace": Workspace, "project_positions": project_positions}


TESTED = {
    "add_a_force",
    "add_a_joint",
    "add_a_relation",
    "contributions",
}  # by tests of their own: blocks are files, or lines of one
PREPARED: dict[str, Callable[[Add], Names]] = {
    "README": four_bar,
    "index": four_bar,
    "export_c": four_bar,
    "choose": four_bar_of_a_page,
    "start": with_a_result,
    "parameters": with_a_spring,
    "simulation": with_a_load,
    "model": of_the_description,
    "acube": acube,
    "add_a_formulation": nothing,
    "from_outside": my_package,
    "compiler": compiler,
    **dict.fromkeys(
        (
            "contact",
            "engine_balance",
            "go_on",
            "large",
            "many",
            "other_tools",
            "paper",
            "pictures",
            "rest_then_run",
            "study",
            "suspension",
            "workspace",
        ),
        nothing,
    ),
}
"""What a page takes for granted: the files that it reads, and names of the pages before it."""


def test_every_page_with_python_is_run() -> None:
    assert {page.stem for page in PYTHON} == TESTED | set(PREPARED)


@pytest.mark.parametrize("path", [page for page in PYTHON if page.stem not in TESTED], ids=lambda path: path.stem)
def test_the_blocks_of_a_page_run(
    path: Path,
    add: Add,
    kinds_as_before: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    known = PREPARED[path.stem](add) | {"__name__": path.stem}
    monkeypatch.setitem(sys.modules, path.stem, ModuleType(path.stem))
    vars(sys.modules[path.stem]).update(known)
    for i, code in enumerate(blocks(path, "python")):
        execute(code, vars(sys.modules[path.stem]), f"{path.name} {i}")


def test_what_the_page_on_compilers_shows_is_ours() -> None:
    kernels = ROOT / "src" / "linkwork" / "numerics" / "kernels"
    _, _, shown, record, _ = blocks(page("theory/compiler.md"), "python")
    assert shown in (kernels / "constrained" / "closing.py").read_text(encoding="utf-8")
    real = (kernels / "stepping" / "newton.py").read_text(encoding="utf-8")
    assert all(line.partition("  #")[0] + "\n" in real.replace("  #", "\n") + "\n" for line in record.splitlines())
