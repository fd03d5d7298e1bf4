"""What contacts of a run by time stepping pushed and rubbed with at outputs, and which held from when to when."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from linkwork.arrays import Array
from linkwork.coordinates.coordinates import Coordinates
from linkwork.numerics.kernels.timestepping.step_memory import StepMemory
from linkwork.numerics.kernels.timestepping.step_touches import PARTED, PLACE, STICKS
from linkwork.results.quantities import Quantity
from linkwork.results.run_modes import RunMode, RunModes

MEAN = "mean of the step before"


@dataclass(frozen=True, eq=False)
class TouchedPair:
    """A pair of shapes that has touched, or a limit: its name, and whether its first shape is the second of the kernel."""

    name: str
    turned: bool = False
    limit: bool = False


@dataclass(frozen=True, eq=False)
class Touches:
    """Places that pushed: their outputs (M), pairs (M) and numbers (M, 13), of N outputs; see ``step_touches.py``."""

    pairs: Mapping[int, TouchedPair]
    samples: NDArray[np.int64]
    numbers: NDArray[np.int64]
    values: Array
    outputs: int
    planar: bool

    @classmethod
    def of(cls, c: Coordinates, memory: StepMemory, outputs: int) -> Touches:
        """Those of a run."""
        kept = memory.kept
        numbers = kept.pair[: kept.shown].copy()
        touched = np.flatnonzero(memory.tally.impulse > 0.0)
        pairs = {int(number): pair_of(c, memory.shape_count, int(number)) for number in touched}
        values = kept.values.reshape(-1, PLACE)[: kept.shown].copy()
        return cls(pairs, kept.sample[: kept.shown].copy(), numbers, values, outputs, c.space.planar)

    @classmethod
    def seen(cls, c: Coordinates, shapes: int, numbers: Sequence[int], values: Array) -> Touches:
        """Those of steps that are taken by hand: values (N, 13 of each pair), see ``live_steps.py``."""
        rows = values.reshape(len(values), len(numbers), PLACE)
        at, which = np.nonzero(rows[:, :, 6] > 0.0)
        own = rows[at, which].copy()
        for part in (slice(0, 6), slice(10, PLACE)):
            own[:, part] /= own[:, 6:7]
        pairs = {number: pair_of(c, shapes, number) for number in numbers}
        return cls(pairs, at, np.array(numbers, dtype=int)[which], own, len(values), c.space.planar)

    @cached_property
    def catalogue(self) -> dict[str, Quantity]:
        """What can be asked for: of every pair of shapes that has touched."""
        axes = "xy" if self.planar else "xyz"
        found: dict[str, Quantity] = {}
        for pair in self.pairs.values():
            if pair.limit:
                continue
            told = {
                "force": ("N", f"force across the surfaces, apart, of all places together, {MEAN}"),
                "friction": ("N", f"force along the surface, on the second, of all places together, {MEAN}"),
                "slip": ("m/s", "speed of the second along the surface of the first where it presses, behind the step"),
            }
            told |= {axis: ("m", f"{axis} of the middle of what presses, none where nothing does") for axis in axes}
            told |= {f"n{axis}": ("", f"{axis} of the normal, from the first to the second") for axis in axes}
            if not self.planar:
                more = "of the force along the surface, on the second, world axes"
                told |= {f"friction_{axis}": ("N", f"{axis} {more}, {MEAN}") for axis in axes}
            found |= {f"{pair.name}.{part}": Quantity(f"{pair.name}.{part}", *two) for part, two in told.items()}
        return found

    @cached_property
    def _by_name(self) -> dict[str, int]:
        return {pair.name: number for number, pair in self.pairs.items()}

    def evaluate(self, name: str) -> Array:
        """Values (N) of a quantity."""
        owner, part = name.rsplit(".", 1)
        number = self._by_name[owner]
        sums = self._sums(number)
        parts: dict[str, Callable[[], Array]] = {
            "force": lambda: sums[:, 6],
            "friction": lambda: self._along(sums, sums[:, 7:10]),
            "slip": lambda: self._along(sums, sums[:, 10:13]),
        }
        for k, axis in enumerate("xyz"):
            parts[axis] = lambda k=k: np.where(sums[:, 6] > 0.0, sums[:, k], np.nan)  # type: ignore[misc]
            parts[f"n{axis}"] = lambda k=k: np.where(sums[:, 6] > 0.0, sums[:, 3 + k], np.nan)  # type: ignore[misc]
            parts[f"friction_{axis}"] = lambda k=k: sums[:, 7 + k]  # type: ignore[misc]
        return parts[part]()

    def _along(self, sums: Array, vector: Array) -> Array:
        """A vector along the surface: with its sign along t = (n_y, −n_x) in the plane, its size in space."""
        if not self.planar:
            return np.linalg.norm(vector, axis=1)
        return sums[:, 4] * vector[:, 0] - sums[:, 3] * vector[:, 1]

    def _sums(self, number: int) -> Array:
        """Of a pair at all outputs (N, 13): forces as sums, places, normals and slips as means by what presses."""
        mine = self.numbers == number
        rows, at = self.values[mine], self.samples[mine]
        force = np.bincount(at, rows[:, 6], self.outputs)
        share = rows[:, 6] / np.where(force[at] > 0.0, force[at], 1.0)
        sums = np.empty((self.outputs, PLACE))
        for k in range(PLACE):
            weight = 1.0 if 6 <= k < 10 else share
            sums[:, k] = np.bincount(at, weight * rows[:, k], self.outputs)
        length = np.linalg.norm(sums[:, 3:6], axis=1)
        sums[:, 3:6] /= np.where(length > 0.0, length, 1.0)[:, None]
        if self.pairs[number].turned:
            sums[:, 3:6] *= -1.0
            sums[:, 7:13] *= -1.0
        return sums


def pair_of(c: Coordinates, shapes: int, number: int) -> TouchedPair:
    """The pair of a number."""
    one, other = divmod(number, shapes) if number < shapes * shapes else (-1, number - shapes * shapes)
    if one < 0:
        return TouchedPair(list(c.one_sided.values())[other].name, limit=True)
    meant = c.geometry.touchables.law_of[min(one, other), max(one, other)]
    return TouchedPair(meant.name, turned=meant.shapes != (one, other))


def modes_of(c: Coordinates, memory: StepMemory) -> RunModes:
    """What touched, stuck or held from when to when, as far as changes were kept; times are middles of steps."""
    kept, shapes = memory.kept, memory.shape_count
    if not (c.one_sided or c.geometry.touchables):
        return RunModes()
    limits = list(c.one_sided.values())
    names, words = dict[int, tuple[str, str]](), dict[str, str]()
    holds, why, rows, begun = dict[int, int](), "", list[RunMode](), float(memory.start)
    count = min(kept.changes, kept.change_room)
    times, which, what = (getattr(kept, name)[:count] for name in ("when", "which", "what"))
    for time in dict.fromkeys(times.tolist()):
        if time > begun:
            rows.append(RunMode(begun, time, _names(holds, names), why))
        told = list[str]()
        for number, state in zip(which[times == time].tolist(), what[times == time].tolist(), strict=True):
            if number not in names:
                pair = pair_of(c, shapes, number)
                own = limits[number - shapes * shapes] if pair.limit else None
                names[number] = (pair.name, "" if own else f"{pair.name}.friction")
                words[pair.name] = own.while_held if own else "touches"
                words |= {} if own else {f"{pair.name}.friction": "sticks"}
            told.append(_change(names[number], holds.get(number, PARTED), state))
            holds[number] = state
        begun, why = time, "; ".join(told) if time > memory.start else ""
    if kept.changes <= kept.change_room:
        rows.append(RunMode(begun, float(memory.t), _names(holds, names), why))
    return RunModes(tuple(rows), True, words)


def _names(holds: Mapping[int, int], names: Mapping[int, tuple[str, str]]) -> tuple[str, ...]:
    found: list[str] = []
    for number, state in holds.items():
        name, friction = names[number]
        found += [name] if state != PARTED else []
        found += [friction] if state == STICKS and friction else []
    return tuple(found)


def _change(names: tuple[str, str], before: int, state: int) -> str:
    name, friction = names
    if state == PARTED:
        return f"{name} {'parts' if friction else 'lets go'}"
    word = "holds" if not friction else "sticks" if state == STICKS else "slips" if before == STICKS else "touches"
    return f"{name} {word}"


def told_of_changes(memory: StepMemory) -> Sequence[str]:
    """What is to be known of modes that were not all kept."""
    kept = memory.kept
    if kept.changes <= kept.change_room:
        return ()
    return (f"contacts changed {kept.changes} times; the first {kept.change_room} changes are among the modes",)
