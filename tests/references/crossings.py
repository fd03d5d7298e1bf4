"""Cells of the cross test: every mechanism of the library, with forces that jump, springs, dampers and drivers added, in any
combination of coordinates, formulation and integrator.

A cell is right if its run moves as the usual combination does, with a clean audit; or if it is refused, stops, or fails its
audit, with a reason in words. What moves otherwise and says nothing is wrong.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

import linkwork as lw
from linkwork.numerics.integrators.base import Method

ROOT = Path(__file__).parents[2]
FILES = tuple(sorted([*ROOT.glob("examples/mechanisms/*.yaml"), *ROOT.glob("src/linkwork/templates/*.yaml")]))
KINDS = ("relative", "reference_point", "natural", "mixed")
UNTIL, SAMPLES = 0.25, 101
TIGHT = {"rtol": 1e-9, "atol": 1e-11, "max_steps": 30_000}
STEP = 2e-4  # s, of integrators with steps of one size
# how far a run may be from the usual one, of the largest value: adaptive, by penalties, of the first orders
CLOSE, PENALISED, COARSE = 1e-5, 1e-2, 5e-2
ORDERS_THAT_ARE_CLOSE = 4
REFUSED, STOPPED, TOLD, RIGHT = "refused", "stopped", "told by its audit", "right"
ALARM, WRONG, RAW = "FALSE ALARM", "WRONG", "RAW"
GOOD = (REFUSED, RIGHT, STOPPED, TOLD)  # each with its reason


@dataclass(frozen=True)
class Cell:
    """A mechanism with its additions, and how it is run."""

    number: int
    file: str
    additions: tuple[tuple[str, str, str], ...]  # section, name, data as text
    choice: tuple[tuple[str, Any], ...]
    model: lw.Model = field(repr=False, compare=False, hash=False)

    @property
    def options(self) -> dict[str, Any]:
        return dict(self.choice)

    def __str__(self) -> str:
        added = "; ".join(f"{section}.{name}: {data}" for section, name, data in self.additions)
        return f"#{self.number} {self.file} {self.options} + {added or 'nothing'}"


@dataclass(frozen=True)
class Verdict:
    cell: Cell
    kind: str
    text: str = ""

    @property
    def good(self) -> bool:
        return self.kind in GOOD

    def __str__(self) -> str:
        return f"{self.kind}: {self.cell}\n    {self.text}"


def cells(seed: int, numbers: Sequence[int], files: Sequence[Path] = FILES) -> Iterator[Cell]:
    """The cells of a seed with these numbers; each is the same whoever asks for it."""
    for number in numbers:
        random = np.random.default_rng([seed, number])
        # four cells of one model one after the other share what is compiled
        drawn = np.random.default_rng([seed, number // 4, 1])
        path = files[int(drawn.integers(len(files)))]
        model, added = _with_additions(lw.load(path), drawn)
        yield Cell(number, path.stem, added, tuple(_choice(model, random).items()), model)


def check(cell: Cell) -> Verdict:
    """Run a cell and compare it with the usual combination."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            usual, spread = _usual(cell.model)
        except lw.LinkworkError as error:
            return Verdict(cell, REFUSED, f"in the usual combination: {str(error)[:200]}")
        try:
            run = lw.simulate(cell.model, times=np.linspace(0.0, UNTIL, SAMPLES), **TIGHT, **cell.options)
            found = _observed(cell.model, run)
            audit = run.audit
        except lw.LinkworkError as error:
            return Verdict(cell, REFUSED, str(error)[:200])
        except Exception as error:
            return Verdict(cell, RAW, f"{type(error).__name__}: {str(error)[:200]}")
    if not run.outcome.completed:
        return Verdict(cell, STOPPED, str(run.outcome)[:300])
    if usual is None:
        return Verdict(cell, REFUSED, "the usual combination does not complete")
    apart, where = _apart(usual, found)
    if not audit.passed and (apart > _allowed(cell) or _is_coarse(cell)):
        return Verdict(cell, TOLD, f"{'; '.join(audit.findings)[:300]}; {apart:.1e} from the usual run in {where}")
    if not audit.passed:
        return Verdict(cell, ALARM, f"{'; '.join(audit.findings)[:300]}; {apart:.1e} from the usual run in {where}")
    if apart > max(_allowed(cell), 100 * spread):
        return Verdict(cell, WRONG, f"{apart:.1e} from the usual run in {where} (known to {spread:.0e}); {audit.line}")
    return Verdict(cell, RIGHT, f"{apart:.1e}")


def _is_coarse(cell: Cell) -> bool:
    """Whether steps or penalties are coarse, so that an audit may well find what is wrong."""
    coarse = {
        "penalty",
        "baumgarte",
        "index3",
        "index3_augmented_lagrangian",
        "canonical_augmented",
        "augmented_lagrangian",
    }
    options = cell.options
    return (
        "fixed_step" in options or options.get("formulation") in coarse or options.get("integrator") == "backward_euler"
    )


def _allowed(cell: Cell) -> float:
    method, formulation = _method(cell.options.get("integrator")), str(cell.options.get("formulation"))
    if "penalty" in formulation or "augmented" in formulation or "baumgarte" in formulation:
        return PENALISED
    if "fixed_step" in cell.options and (method is None or method.order < ORDERS_THAT_ARE_CLOSE):
        return COARSE
    return CLOSE


def _method(name: str | None) -> Method | None:
    return next((known for known in lw.ALL_METHODS if known.name == name), None)


# -- the usual run -------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4)
def _usual(model: lw.Model) -> tuple[dict[str, np.ndarray] | None, float]:
    """What moves in the usual combination, and how well that is known: two tolerances apart."""
    grid = np.linspace(0.0, UNTIL, SAMPLES)
    fine, coarse = (lw.simulate(model, times=grid, rtol=r, atol=r / 100, max_steps=30_000) for r in (1e-11, 1e-9))
    if not (fine.outcome.completed and coarse.outcome.completed):
        return None, 0.0
    found = _observed(model, fine)
    return found, _apart(found, _observed(model, coarse))[0]


def _observed(model: lw.Model, run: lw.Result) -> dict[str, np.ndarray]:
    axes = "xy" if model.space == "planar" else "xyz"
    names = [f"{body}.{kind}{axis}" for body in model.bodies for kind in ("", "v") for axis in axes]
    return run.values(names)


def _apart(usual: dict[str, np.ndarray], found: dict[str, np.ndarray]) -> tuple[float, str]:
    """The largest distance over the largest place, and the largest speed; and whose it is."""
    worst, where = 0.0, ""
    for speeds in (False, True):
        names = [name for name in usual if (name.split(".")[-1][0] == "v") == speeds]
        scale = max((float(np.max(np.abs(usual[name]))) for name in names), default=1.0) or 1.0
        for name in names:
            gap = float(np.max(np.abs(usual[name] - found[name]))) / max(scale, 1e-3)
            if not gap <= worst:
                worst, where = gap, name
    return worst, where


# -- additions -----------------------------------------------------------------------------------------------------------


def _with_additions(model: lw.Model, random: np.random.Generator) -> tuple[lw.Model, tuple[tuple[str, str, str], ...]]:
    """A model with up to three additions, each of which alone is sound."""
    added: list[tuple[str, str, str]] = []
    makers = (_jump, _spring, _damper, _jump, _driver)
    makers = makers if any(joint.freedoms for joint in model.joints.values()) else (_spring,)
    for i in range(int(random.integers(1, 4))):
        section, data = makers[int(random.integers(len(makers)))](model, random)
        name = f"added{i}"
        try:
            changed = model.with_(**{section: {name: data}})
            lw.analyse(changed)
        except lw.LinkworkError:
            continue
        model = changed
        added.append((section, name, str(data)))
    return model, tuple(added)


def _freedom(model: lw.Model, random: np.random.Generator) -> tuple[str, Any]:
    free = [(name, f) for name, joint in model.joints.items() for f in joint.freedoms]
    return free[int(random.integers(len(free)))]


def _strength(model: lw.Model, random: np.random.Generator) -> float:
    """A force or torque of about the weight of a body of the mechanism."""
    masses = [model.number(body.mass) for body in model.bodies.values() if body.mass is not None]
    return float(max([*masses, 0.1]) * 5.0 * 10.0 ** random.uniform(-1.0, 0.5))


def _jump(model: lw.Model, random: np.random.Generator) -> tuple[str, dict[str, Any]]:
    """An effort that jumps: with its own speed, with its place, at a time."""
    joint, freedom = _freedom(model, random)
    one, other = _strength(model, random), _strength(model, random)
    place, speed = f"{joint}.{freedom.coordinate}", f"{joint}.{freedom.rate}"
    formula = (
        f"if({speed} < 0, {one:.4g}, {other:.4g})",
        f"-{one:.4g}*sign({speed})",
        f"if({place} > {random.uniform(-1, 1):.3f}, {one:.4g}, -{other:.4g})",
        f"if(t > {random.uniform(0, UNTIL):.4f}, {one:.4g}, 0)",
        f"if(t < {random.uniform(0, UNTIL):.4f}, 0, if({speed} > 0, -{one:.4g}, {other:.4g}))",
        f"-{one:.4g}*max({place}, 0)",
    )[int(random.integers(6))]
    return "forces", {"kind": "effort", "joint": joint, "freedom": freedom.coordinate, "value": formula}


def _damper(model: lw.Model, random: np.random.Generator) -> tuple[str, dict[str, Any]]:
    joint, freedom = _freedom(model, random)
    value = f"-{_strength(model, random) / 5:.4g}*{joint}.{freedom.rate}"
    return "forces", {"kind": "effort", "joint": joint, "freedom": freedom.coordinate, "value": value}


def _spring(model: lw.Model, random: np.random.Generator) -> tuple[str, dict[str, Any]]:
    """A spring between points of two bodies, or of a body and the ground, sometimes with a damper."""
    ends = [f"{body}.{point}" for body, item in model.bodies.items() for point in item.point_names]
    one, other = (ends[int(random.integers(len(ends)))] for _ in range(2))
    if random.random() < 0.4:
        places = [f"ground.{name}" for name in model.points]
        other = places[int(random.integers(len(places)))] if places else other
    data: dict[str, Any] = {"kind": "spring", "between": (one, other), "stiffness": 20 * _strength(model, random)}
    if random.random() < 0.5:
        data["free_length"] = float(random.uniform(0.05, 0.5))
    if random.random() < 0.4:
        data["damping"] = _strength(model, random)
    return "forces", data


def _driver(model: lw.Model, random: np.random.Generator) -> tuple[str, dict[str, Any]]:
    """A driver of a freedom: by a speed, by an acceleration, or by a speed that jumps in its slope."""
    joint, freedom = _freedom(model, random)
    size = 10.0 ** random.uniform(-1.0, 0.7)
    motion = (
        {"speed": f"{size:.4g}"},
        {"speed": f"{size:.4g}*cos({random.uniform(2, 20):.3g}*t)"},
        {"acceleration": f"if(t > {random.uniform(0, UNTIL):.4f}, {size:.4g}, 0)"},
    )[int(random.integers(3))]
    return "drivers", {"joint": joint, "freedom": freedom.coordinate, **motion}


# -- combinations --------------------------------------------------------------------------------------------------------


def _choice(model: lw.Model, random: np.random.Generator) -> dict[str, Any]:
    """Coordinates, formulation and integrator; a fixed step where the integrator has one."""
    kind = KINDS[int(random.integers(len(KINDS)))]
    chosen: dict[str, Any] = {"coordinates": kind}
    known = [f for f in lw.ALL_FORMULATIONS if not f.kinds or kind in f.kinds]
    formulation = known[int(random.integers(len(known)))]
    if random.random() < 0.85:
        chosen["formulation"] = formulation.name
    if random.random() < 0.6:
        methods = [m for m in lw.ALL_METHODS if m.implicit] if formulation.implicit else list(lw.ALL_METHODS)
        method = methods[int(random.integers(len(methods)))]
        chosen["integrator"] = method.name
        if not method.adaptive:
            chosen["fixed_step"] = STEP
    elif formulation.name == "index3_augmented_lagrangian" and "formulation" in chosen:
        chosen["fixed_step"] = STEP
    return chosen
