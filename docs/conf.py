"""Configuration of the documentation. Build: ``sphinx-build -W -b html docs docs/_build/html``."""

import csv
import json
import math
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from pydantic import BaseModel
from sphinx.application import Sphinx

import linkwork
from linkwork.algebra.expressions import CONSTANTS, FUNCTIONS
from linkwork.algebra.orientations import ALL_ORIENTATIONS
from linkwork.algebra.space import PLANAR, SPATIAL, Space
from linkwork.algebra.unit_words import UNIT_WORDS
from linkwork.algebra.units import DIMENSIONS
from linkwork.closed_form.recognise import all_rows
from linkwork.compiler.backends import ALL_BACKENDS
from linkwork.coordinates.numbering import ALL_COORDINATES
from linkwork.elements.joints import ALL_JOINTS, JointKind
from linkwork.equations.formulations import ALL_FORMULATIONS, Formulation
from linkwork.extras import EXTRAS
from linkwork.model import JOINT_KINDS, Joint
from linkwork.model.forces import ALL_FORCES
from linkwork.model.relations import ALL_RELATIONS
from linkwork.model.sections import SECTIONS
from linkwork.numerics.integrators import ALL_METHODS
from linkwork.numerics.integrators.base import Method

sys.path.insert(0, str(Path(__file__).parent))  # where sphinx-gallery finds gallery_figures
import drawings
import house
import made
import measured
import reference

project = "Linkwork"
author = "The Linkwork developers"
copyright = "The Linkwork developers"
version = release = linkwork.__version__
language = "en"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx-mathjax-offline",
    "sphinx.ext.viewcode",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_build", "sg_execution_times.rst"]
# links between pages use the headings; equations are numbered through the whole book by chapter
myst_enable_extensions = ["amsmath", "dollarmath", "colon_fence", "deflist"]
myst_heading_anchors = 3
numfig = True
math_number_all = False
math_numfig = True
numfig_secnum_depth = 1

autosummary_generate = True
autosummary_context = {"declarations": reference.declarations()}
templates_path = ["_templates"]
autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_default_options = {"members": True}

html_theme = "pydata_sphinx_theme"
html_title = "Linkwork"
html_show_sourcelink = False
html_static_path = ["_static"]
html_css_files = ["wide.css"]
html_extra_path = ["api/generated/published"]
html_sidebars = {page: [] for page in ("index", "start", "model", "choose")}
html_theme_options = {
    "navbar_end": ["theme-switcher"],
    "show_toc_level": 2,
    "header_links_before_dropdown": 7,
    "navigation_with_keys": False,
    "footer_start": ["copyright"],
    "footer_end": [],
}

GROUPS = ("linkages", "dynamics", "contact", "vibration", "gears", "vehicles", "robots", "methods")
sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "subsection_order": [f"../examples/{group}" for group in GROUPS],
    "filename_pattern": r"/plot_",
    "image_scrapers": ("gallery_figures",),
    "image_srcset": ["2x"],
    "ignore_repr_types": r"Figure|Path",
    "within_subsection_order": "ExampleTitleSortKey",
    "remove_config_comments": True,
    "show_memory": False,
    "min_reported_time": 1e9,
    "write_computation_times": False,
    "download_all_examples": False,
    "abort_on_example_error": True,
    "show_signature": False,
}
TABLES = Path(__file__).parent / "api" / "generated" / "tables"
PUBLISHED = TABLES.parent / "published"
DRAWN, PICTURES = TABLES.parent / "drawn", TABLES.parent / "made"
MEASURED = Path(__file__).parent.parent / "benchmarks" / "formulations.csv"


def write_tables() -> None:
    """Write the tables that the lists of the program feed; pages include them."""
    TABLES.mkdir(parents=True, exist_ok=True)
    _table(
        "joints", ("kind", "space", "keys of its own", "coordinates", "rates", "conditions"), map(_joint, ALL_JOINTS)
    )
    _table("forces", ("kind", "what it is"), ((f"`{f.model_fields['kind'].default}`", f.__doc__) for f in ALL_FORCES))
    _table(
        "relations", ("kind", "what it is"), ((f"`{r.model_fields['kind'].default}`", r.__doc__) for r in ALL_RELATIONS)
    )
    for section in SECTIONS:
        if section.kinds is not None and len(section.kinds) > 1:
            own = {**section.kinds} if section.name != "joints" else {"every kind": Joint}
            _table(f"{section.name}_keys", ("kind", "key", "what it is", "default"), _keys(own))
    _table("coordinates", ("name", "what they are"), ((f"`{k.name}`", k.summary) for k in ALL_COORDINATES))
    _table("orientations", ("name", "what it is"), ((f"`{o.name}`", o.summary) for o in ALL_ORIENTATIONS))
    _formulations()
    _table(
        "integrators",
        ("name", "method", "order", "output", "cost", "step", "stability"),
        ((f"`{m.name}`", m.title, m.orders, m.dense_order, m.evaluations, _step(m), m.stability) for m in ALL_METHODS),
    )
    _table(
        "integrator_sources",
        ("name", "error estimate", "source"),
        ((f"`{m.name}`", m.estimate, m.source) for m in ALL_METHODS),
    )
    _table("words", ("their words", "what is asked for", "here", "what it is", "whose"), _words())
    _table("extras", ("extra", "brings"), ((f"`{e.name}`", f"{e.gives} (`{e.package}`)") for e in EXTRAS.values()))
    _table("compared", measured.HEADS, measured.runs())
    (TABLES / "beside.inc").write_text(measured.text(), encoding="utf-8")
    _table("backends", ("name", "what it does"), ((f"`{b.name}`", b.summary) for b in ALL_BACKENDS))
    _table("chains", ("loop", "family", "equation", "degree", "source"), _chains())
    _table("units", ("dimension", "units with a short name"), _units())
    _table("functions", ("function", "arguments"), ((f"`{name}`", _count(*n)) for name, n in FUNCTIONS.items()))
    (TABLES / "house.svg").write_text(house.picture(), encoding="utf-8")
    (TABLES / "constants.inc").write_text(", ".join(f"`{name}`" for name in CONSTANTS) + "\n", encoding="utf-8")


def _table(name: str, heads: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> None:
    lines = ["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)]
    lines += ["| " + " | ".join(" ".join(str(cell).split()) for cell in row) + " |" for row in rows]
    (TABLES / f"{name}.inc").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _keys(kinds: Mapping[str, type[BaseModel]]) -> Iterable[tuple[str, ...]]:
    """Every key of every kind with its unit and its default; the kind stands in its first row."""
    for kind, declared in kinds.items():
        rows = [row for row in reference.rows(declared) if row[0] != "kind"]
        for i, (key, words, default) in enumerate(rows):
            yield f"`{kind}`" if i == 0 else "", f"`{key}`", _plain(words), _plain(default)


def _words() -> Iterable[tuple[str, ...]]:
    """The words of other tools, as in the table that messages are made of."""
    text = (Path(linkwork.__file__).parent / "words.csv").read_text(encoding="utf-8")
    for row in csv.DictReader(text.splitlines()):
        here = f"`{row['write']}`" if row["write"] else f"`{row['ours']}`"
        yield row["words"].replace(" ", ", "), row["asked"], here, _plain(row["meaning"]), row["source"]


def _plain(text: str) -> str:
    """Words as they are, in a table of Markdown."""
    return text.replace("|", "\\|").replace("*", "\\*").replace("[", "\\[")


def _chains() -> Iterable[tuple[object, ...]]:
    return ((f"`{r.row}`", r.family, f"`{r.equation}`", r.degree, r.source) for r in all_rows())


def _joint(kind: JointKind) -> tuple[str, ...]:
    spaces = [space for space in (PLANAR, SPATIAL) if space.name in kind.spaces]
    names, rates = ([*dict.fromkeys(_coordinates(kind, space)[i] for space in spaces)] for i in (0, 1))
    keys = ", ".join(
        f"`{key}`" for key in JOINT_KINDS[kind.name].model_fields if key not in ("kind", *Joint.model_fields)
    )
    return f"`{kind.name}`", ", ".join(kind.spaces), keys, "; ".join(names), "; ".join(rates), _rows(kind, spaces)


def _coordinates(kind: JointKind, space: Space) -> tuple[str, str]:
    """Names of the coordinates and of their rates in one space."""
    scalars = kind.scalars(space)
    names, rates = [f"`{f.name}`" for f in scalars], [f"`{f.rate}`" for f in scalars]
    if kind.spins(space):
        names, rates = [*names, "unit quaternion"], [*rates, "`wx`", "`wy`", "`wz`"]
    return ", ".join(names) or "-", ", ".join(rates) or "-"


def _rows(kind: JointKind, spaces: list[Space]) -> str:
    return ", ".join(f"{kind.count_rows(space)} ({space.name})" for space in spaces)


def _formulations() -> None:
    """One table of what formulations declare and of what benchmarks/formulations.py has measured."""
    made, *lines = MEASURED.read_text(encoding="utf-8").splitlines()
    measured: dict[str, list[dict[str, str]]] = {}
    for row in csv.DictReader(lines):
        measured.setdefault(row["formulation"], []).append(row)
    declared = ("kinds", "redun&shy;dant", "singu&shy;lar", "mass&shy;less", "rolling")
    heads = ("formulation", "what it does", *declared, "loops, m", "rates, m/s", "energy", "time")
    rows = ((f, _measured(measured.get(f.name, []))) for f in ALL_FORMULATIONS)
    _table("formulations", heads, ((_named(f), f.summary, *_declared(f), *figures) for f, figures in rows))
    (TABLES / "measured.inc").write_text(f"Measured: {made.removeprefix('#').strip()}.\n", encoding="utf-8")


def _named(formulation: Formulation) -> str:
    """In code type, with breaks after underscores."""
    parts = formulation.name.split("_")
    return "<code>" + "_<wbr>".join(parts) + "</code>"


def _declared(formulation: Formulation) -> tuple[str, ...]:
    can = formulation.abilities
    singular = "yes" if can.singular_start else "moving" if can.singular_positions else "no"
    redundant, massless, rolling = ("yes" if able else "no" for able in (can.redundant, can.massless, can.rolling))
    return " ".join(formulation.kinds) or "all", redundant, singular, massless, rolling


def _measured(rows: list[dict[str, str]]) -> tuple[str, ...]:
    """The worst errors of a formulation over all mechanisms; of its times over the default's the mean and the range."""
    if not rows:
        return ("-",) * 4
    worst = [max(float(row[key]) for row in rows) for key in ("position_drift", "velocity_drift", "energy_error")]
    ratios = [float(row["time_ratio"]) for row in rows]
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    return *(f"{error:.0e}" for error in worst), f"{mean:.1f}<br>({min(ratios):.1f} to {max(ratios):.1f})"


def _step(method: Method) -> str:
    if method.variable_order:
        return "adaptive"
    return "any" if method.adaptive else "fixed"


def _units() -> Iterable[tuple[str, str]]:
    for name, dimension in DIMENSIONS.items():
        words = [word for word, (_, powers) in UNIT_WORDS.items() if powers == dimension.exponents]
        if name == "angular_speed":
            words = [word for word in words if not word.endswith("Hz")]
        if name == "angle":
            words = [word for word in words if word != "%"]
        if name in ("any", "dimensionless"):
            continue
        yield name.replace("_", " "), ", ".join(f"`{w}`" for w in words) or f"compound, such as `{dimension.example}`"
    yield "cycles per second, in formulas such as `2*pi*50 [Hz]`", "`Hz`, `kHz`"


def _count(least: int, most: int) -> str:
    return str(least) if least == most else f"{least} or more"


def write_moving(path: Path) -> None:
    """Write the animated page that the front page shows."""
    result = linkwork.simulate(linkwork.example("four_bar"), until="6 s", step="20 ms")
    result.animate(path, trace="B", plot=["O.speed"], overwrite=True)


def setup(app: Sphinx) -> None:
    """Sphinx calls this; the tables must be there before the pages are read."""
    app.connect("autodoc-process-docstring", reference.add_keys)
    app.connect("autodoc-process-signature", reference.shorten)
    write_tables()
    captions = [TABLES / f"{section}_drawn.inc" for section in drawings.sections()]
    made.Kept(DRAWN, "drawings").make(drawings.sections(), captions, lambda: drawings.write_drawings(DRAWN, TABLES))
    for folder in ("howto", "theory"):
        made.run_pages(Path(__file__).parent / folder, PICTURES)
    PUBLISHED.mkdir(parents=True, exist_ok=True)
    moving = PUBLISHED / "moving.html"
    made.Kept(PUBLISHED.parent, "moving").make("a front page that moves", [moving], lambda: write_moving(moving))
    (PUBLISHED / "linkwork.schema.json").write_text(
        json.dumps(linkwork.formats.schema(), indent=2) + "\n", encoding="utf-8"
    )
