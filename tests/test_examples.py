"""Every example runs and draws something, and the texts of the documentation are true."""

from __future__ import annotations

import doctest
import re
import runpy
from pathlib import Path

import matplotlib
import pytest
from matplotlib.figure import Figure

import linkwork as lw
from linkwork.views import notebook
from linkwork.views.notebook import ShownFigure

matplotlib.use("Agg")

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*/plot_*.py"))
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = sorted(path for path in (ROOT / "docs").rglob("*.md") if "generated" not in path.parts)


def blocks(path: Path, language: str) -> list[str]:
    """The fenced blocks of a page in one language."""
    return [text for name, text in BLOCK.findall(path.read_text(encoding="utf-8")) if name == language]


def code_lines(path: Path) -> int:
    """Lines of an example that are Python: no comments, no texts in triple quotes, no blank lines."""
    text = re.sub(r'""".*?"""', '""', path.read_text(encoding="utf-8"), flags=re.DOTALL)
    return sum(bool(line.strip()) and not line.strip().startswith("#") for line in text.splitlines())


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Figure]:
    """The figures that results draw, which belong to no window."""
    made: list[Figure] = []

    def kept(size: tuple[float, float]) -> Figure:
        made.append(ShownFigure(size))
        return made[-1]

    monkeypatch.setattr(notebook, "ShownFigure", kept)
    return made


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs_and_draws(
    path: Path, tmp_path: Path, drawn: list[Figure], monkeypatch: pytest.MonkeyPatch
) -> None:
    import matplotlib.pyplot as plt

    folder = tmp_path / path.parent.relative_to(ROOT)
    folder.mkdir(parents=True)
    (tmp_path / "benchmarks").symlink_to(ROOT / "benchmarks")
    monkeypatch.chdir(folder)
    plt.close("all")
    runpy.run_path(str(path), run_name="__main__")
    figures = [*map(plt.figure, plt.get_fignums()), *drawn]
    assert figures
    for figure in figures:
        figure.canvas.draw()
        assert all(axis.has_data() for axis in figure.axes)
    plt.close("all")
    assert all(file.suffix == ".html" for file in folder.iterdir()), "an example leaves animated pages behind, no more"


def test_every_script_is_in_a_group_of_the_gallery() -> None:
    groups = {path.parent.name for path in (ROOT / "examples").rglob("*.py")}
    told = re.search(r"^GROUPS = \((.*)\)$", (ROOT / "docs" / "conf.py").read_text(encoding="utf-8"), re.MULTILINE)
    assert told is not None and groups == set(re.findall(r'"(\w+)"', told[1]))
    assert all((ROOT / "examples" / group / "README.txt").exists() for group in groups)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_is_short(path: Path) -> None:
    assert code_lines(path) <= 40


CONSOLES = [path for path in PAGES if "```pycon" in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("page", CONSOLES, ids=lambda path: path.stem)
def test_pages_print_what_they_say(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    if page.stem == "start":
        (model,) = blocks(page, "yaml")
        Path("four_bar.yaml").write_text(model, encoding="utf-8")
    test = doctest.DocTestParser().get_doctest("\n".join(blocks(page, "pycon")), {}, page.name, str(page), 0)
    report: list[str] = []
    outcome = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.append)
    assert outcome.attempted > 2
    assert outcome.failed == 0, "".join(report)


def test_there_are_pages_with_a_console() -> None:
    assert {"start", "loops"} <= {page.stem for page in CONSOLES}


@pytest.mark.parametrize("path", [ROOT / "README.md", *PAGES], ids=lambda path: path.stem)
def test_complete_models_of_pages_simulate(path: Path) -> None:
    for text in blocks(path, "yaml"):
        if text.startswith("linkwork: 1"):
            assert lw.simulate(lw.loads(text), until="0.1 s").outcome.completed
