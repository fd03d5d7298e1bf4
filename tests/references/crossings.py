"""Cells of the cross test: every mechanism of the library, with forces that jump, springs, dampers, drivers, stops and
friction of joints added, in any combination of coordinates, formulation and integrator.

Twenty-five cells, a group, are one model in five combinations of coordinates and formulation with five integrators each, so
that what is compiled is shared. ``crossing_checks`` runs and judges them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

import linkwork as lw
from linkwork.equations.formulations import Formulation
from linkwork.numerics.integrators import method_named

ROOT = Path(__file__).parents[2]
FILES = tuple(sorted(ROOT.glob("src/linkwork/mechanisms/*.yaml")))
KINDS = ("relative", "reference_point", "natural", "mixed")
UNTIL, SAMPLES = 0.25, 101
GROUP, METHODS = 25, 5  # cells of one model, and of one combination of coordinates and formulation
STEP, OF_ORDER = 2e-4, {1: 4e-5, 2: 1e-4}  # s, of integrators with steps of one size, and of those of low order
SLIPPING = ("revolute", "prismatic", "helical", "point_on_line", "cylindrical", "spherical", "point_on_plane")
SUITED = 0.9  # of all combinations have integrators that can step the formulation; others are to be refused


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


def cells(seed: int, numbers: Sequence[int], files: tuple[Path, ...] = FILES) -> Iterator[Cell]:
    """The cells of a seed with these numbers; each is the same whoever asks for it."""
    for number in numbers:
        name, model, added = _group(seed, number // GROUP, files)
        yield Cell(number, name, added, tuple(_choice(seed, number).items()), model)


@lru_cache(maxsize=2)
def _group(seed: int, group: int, files: tuple[Path, ...]) -> tuple[str, lw.Model, tuple[tuple[str, str, str], ...]]:
    """The model of a group: all files in turn, in an order that is drawn for each round."""
    turn, place = divmod(group, len(files))
    path = files[int(np.random.default_rng([seed, turn]).permutation(len(files))[place])]
    return f"{path.parent.name}/{path.stem}", *_with_additions(lw.load(path), np.random.default_rng([seed, group, 1]))


# -- combinations --------------------------------------------------------------------------------------------------------


def _choice(seed: int, number: int) -> dict[str, Any]:
    """Coordinates, formulation and integrator; a fixed step where there is one."""
    random = np.random.default_rng([seed, number // METHODS, 2])
    kind = KINDS[int(random.integers(len(KINDS)))]
    known = [f for f in lw.formulations.ALL if not f.kinds or kind in f.kinds]
    formulation = known[int(random.integers(len(known)))]
    chosen: dict[str, Any] = {"coordinates": kind, "formulation": formulation.name}
    methods = _integrators(formulation, suited=bool(random.random() < SUITED))
    method = methods[int(random.permutation(len(methods))[number % METHODS])]
    if method:
        chosen["integrator"] = method
    if formulation.needs_fixed_step or (method and not method_named(method).adaptive):
        chosen["fixed_step"] = OF_ORDER.get(method_named(method).order, STEP) if method else OF_ORDER[2]
    return chosen


def _integrators(formulation: Formulation, suited: bool) -> list[str]:
    """Names of integrators, of those alone that can step a formulation where they are *suited*; '' is its own choice."""
    able = [
        method.name
        for method in lw.integrators.ALL
        if (method.stiffly_accurate or not formulation.implicit)
        and not (formulation.renews and (method.remembers or method.carries))
    ]
    return ["", *(able if suited else [method.name for method in lw.integrators.ALL])]


# -- additions -----------------------------------------------------------------------------------------------------------


def _with_additions(model: lw.Model, random: np.random.Generator) -> tuple[lw.Model, tuple[tuple[str, str, str], ...]]:
    """A model with up to three additions, each of which alone is sound."""
    added: list[tuple[str, str, str]] = []
    makers = (_jump, _spring, _damper, _jump, _driver, _stop, _friction)
    makers = makers if any(joint.freedoms for joint in model.joints.values()) else (_spring,)
    for i in range(int(random.integers(1, 4))):
        section, data = makers[int(random.integers(len(makers)))](model, random)
        name = data.pop("name", f"added{i}")
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
    place, speed = f"{joint}.{freedom.name}", f"{joint}.{freedom.rate}"
    formula = (
        f"if({speed} < 0, {one:.4g}, {other:.4g})",
        f"-{one:.4g}*sign({speed})",
        f"if({place} > {random.uniform(-1, 1):.3f}, {one:.4g}, -{other:.4g})",
        f"if(t > {random.uniform(0, UNTIL):.4f}, {one:.4g}, 0)",
        f"if(t < {random.uniform(0, UNTIL):.4f}, 0, if({speed} > 0, -{one:.4g}, {other:.4g}))",
        f"-{one:.4g}*max({place}, 0)",
    )[int(random.integers(6))]
    return "forces", {"kind": "effort", "joint": joint, "freedom": freedom.name, "value": formula}


def _damper(model: lw.Model, random: np.random.Generator) -> tuple[str, dict[str, Any]]:
    joint, freedom = _freedom(model, random)
    value = f"-{_strength(model, random) / 5:.4g}*{joint}.{freedom.rate}"
    return "forces", {"kind": "effort", "joint": joint, "freedom": freedom.name, "value": value}


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
    return "drivers", {"joint": joint, "freedom": freedom.name, **motion}


def _stop(model: lw.Model, random: np.random.Generator) -> tuple[str, dict[str, Any]]:
    """Limits of a freedom on both sides of where it is drawn: rigid with some restitution, or springs."""
    joint, freedom = _freedom(model, random)
    value = lw.assemble(model, {}).values[f"{joint}.{freedom.name}"] if freedom.kind != "spin" else 0.0
    below, above = (float(value + side * 10.0 ** random.uniform(-2.0, 0.0)) for side in (-1, 1))
    law = (
        {"restitution": 0.0},
        {"restitution": float(random.uniform(0.1, 1.0))},
        {"stiffness": 200 * _strength(model, random), "damping": _strength(model, random)},
    )[int(random.integers(3))]
    limits = {freedom.name: [below, None if random.random() < 0.3 else above]}
    return "joints", {"name": joint, **model.joints[joint].to_dict(), "limits": limits, "stops": law}


def _friction(model: lw.Model, random: np.random.Generator) -> tuple[str, dict[str, Any]]:
    """Friction of a joint, and of a third of them smooth."""
    names = [name for name, joint in model.joints.items() if joint.kind in SLIPPING]
    joint = names[int(random.integers(len(names)))] if names else next(iter(model.joints))
    data = model.joints[joint].to_dict()
    friction: dict[str, Any] = {"coefficient": float(random.uniform(0.02, 0.4))}
    if data["kind"] in ("revolute", "helical", "cylindrical", "spherical"):
        friction["radius"] = float(random.uniform(0.005, 0.05))
    if random.random() < 0.3:
        friction["static"] = 1.3 * friction["coefficient"]
    if random.random() < 0.33:
        friction["smoothing"] = 1e-3
    return "joints", {"name": joint, **data, "friction": friction}
