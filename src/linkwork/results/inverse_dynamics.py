"""What inverse dynamics gives: efforts of motors, what is left over, loads of joints and of the ground."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from linkwork.errors import UnknownNameError, did_you_mean
from linkwork.results.quantities import Array, MultiplierValues, Quantity, QuantitySource, ReactionInfo, ReactionValues
from linkwork.results.reactions import FORCE_COMPONENTS, MOMENT_COMPONENTS
from linkwork.results.result import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HEADING = ("joint", "force, N", "at t, s", "moment, N*m", "at t, s", "not unique")


@dataclass(frozen=True, eq=False)
class SupplementedSource:
    """A source of quantities with further columns (N,) beside its own."""

    source: QuantitySource
    quantities: Mapping[str, Quantity]
    columns: Mapping[str, Array]

    @property
    def catalogue(self) -> Mapping[str, Quantity]:
        return {**self.quantities, **self.source.catalogue}

    @property
    def reaction_components(self) -> Mapping[str, ReactionInfo]:
        return self.source.reaction_components

    def undetermined(self, names: Sequence[str]) -> frozenset[str]:
        """Those of the names that are components of reactions which are not unique."""
        return self.source.undetermined([name for name in names if name not in self.columns])

    def reactions(self, scheme: str, axes: str) -> ReactionValues:
        """Reactions by a scheme, in axes of the world or others."""
        return self.source.reactions(scheme, axes)

    def multipliers(self, scheme: str) -> Sequence[MultiplierValues]:
        """The multipliers of all conditions."""
        return self.source.multipliers(scheme)

    def evaluate(self, names: Sequence[str]) -> dict[str, Array]:
        """Values of the named quantities, each (N,)."""
        others = [name for name in names if name not in self.columns]
        found = self.source.evaluate(others) if others else {}
        return {name: self.columns[name] if name in self.columns else found[name] for name in names}


@dataclass(frozen=True)
class PeakLoad:
    """The largest force and moment of one joint or relation, and when they occur."""

    element: str
    force: float
    force_time: float
    moment: float
    moment_time: float
    not_unique: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class InverseDynamics:
    """Efforts of the motors of a known motion; ``result`` has all quantities of the motion, reactions included.

    motors: names of the motors, with their coordinates; undriven: coordinates of freedoms that no motor reaches, where the
    efforts of ``left_over`` are missing to give the motion
    """

    result: Result
    method: str
    motors: Mapping[str, str]
    undriven: tuple[str, ...]
    freedoms: int
    notes: tuple[str, ...] = ()
    units: Mapping[str, str] = field(default_factory=dict)

    @property
    def time(self) -> Array:
        return self.result.time

    def __getitem__(self, name: str) -> Array:
        """The effort (N,) of a motor, or any quantity of the result."""
        if name in self.motors:
            return self.result[f"{name}.effort"]
        if name not in self.result:
            known = [*self.motors, *self.result.source.catalogue]
            raise UnknownNameError(f"there is no motor or quantity '{name}'; {did_you_mean(name, known)}")
        return self.result[name]

    @property
    def efforts(self) -> dict[str, Array]:
        """Force or torque (N,) of every motor along its coordinate, on the child."""
        return {name: self.result[f"{name}.effort"] for name in self.motors}

    @property
    def left_over(self) -> dict[str, Array]:
        """Efforts (N,) that are missing along the coordinates that no motor drives."""
        return {name: self.result[f"{name}.effort"] for name in self.undriven}

    @property
    def power(self) -> dict[str, Array]:
        """Power (N,) of every motor, W."""
        return {name: self.result[f"{name}.power"] for name in self.motors}

    @property
    def energy(self) -> dict[str, Array]:
        """Work (N,) of every motor since the first sample, J."""
        return {name: self.result[f"{name}.energy"] for name in self.motors}

    @property
    def shaking_force(self) -> Array:
        """Force (N, d) of the whole mechanism on the ground, N, weights included."""
        return self._ground(FORCE_COMPONENTS)

    @property
    def shaking_moment(self) -> Array:
        """Its moment about the origin, N m: (N, 1) about z in the plane, (N, 3) in space."""
        return self._ground(MOMENT_COMPONENTS)

    def _ground(self, components: Sequence[str]) -> Array:
        names = [f"ground.{component}" for component in components]
        return np.column_stack([self.result[name] for name in names if name in self.result])

    def peak_loads(self) -> list[PeakLoad]:
        """The largest force and moment of every joint and relation."""
        found = []
        for name, reaction in self.result.reactions.items():
            if reaction.info.kind in ("joint", "relation"):
                force, moment = (
                    self._largest(name, [c for c in components if c in reaction.info.components])
                    for components in (FORCE_COMPONENTS, MOMENT_COMPONENTS)
                )
                found.append(PeakLoad(name, *force, *moment, reaction.not_unique))
        return found

    def _largest(self, element: str, components: Sequence[str]) -> tuple[float, float]:
        if not components:
            return 0.0, float(self.time[0])
        size = np.hypot.reduce([self.result[f"{element}.{c}"] for c in components], axis=0)
        place = int(np.argmax(size))
        return float(size[place]), float(self.time[place])

    def table(self) -> list[tuple[str, ...]]:
        """Peak loads as rows of text below their headings."""
        rows = [
            (
                item.element,
                f"{item.force:.6g}",
                f"{item.force_time:.6g}",
                f"{item.moment:.6g}",
                f"{item.moment_time:.6g}",
            )
            + (" ".join(item.not_unique),)
            for item in self.peak_loads()
        ]
        return [HEADING, *rows]

    def __str__(self) -> str:
        n, samples = len(self.motors), len(self.time)
        count = f"{n} motor{'' if n == 1 else 's'} for {self.freedoms} freedom{'' if self.freedoms == 1 else 's'}"
        lines = [f"Inverse dynamics of '{self.result.name}': {count}, {samples} samples, by {self.method}"]
        lines += _aligned([("motor", "coordinate", "peak", "rms", "peak power, W", "energy, J"), *self._motor_rows()])
        if self.undriven:
            lines.append("  not driven, and left over:")
            lines += [f"    {name}: {_peak(values)} {self.units[name]}" for name, values in self.left_over.items()]
        lines.append("  peak loads")
        lines += _aligned(self.table())
        force, moment = (np.linalg.norm(item, axis=1).max() for item in (self.shaking_force, self.shaking_moment))
        lines.append(f"  on the ground: force up to {force:.6g} N, moment about the origin up to {moment:.6g} N*m")
        return "\n".join([*lines, *(f"  note: {note}" for note in self.notes)])

    def _motor_rows(self) -> list[tuple[str, ...]]:
        return [
            (
                name,
                coordinate,
                f"{_peak(self[name])} {self.units[name]}",
                f"{np.sqrt(np.mean(self[name] ** 2)):.6g}",
                _peak(self.power[name]),
                f"{self.energy[name][-1]:.6g}",
            )
            for name, coordinate in self.motors.items()
        ]

    def plot(self, *names: str, path: str | Path | None = None, show: bool = False, overwrite: bool = False) -> Figure:
        """Plot quantities over time; without names, efforts and powers of the motors and the force on the ground."""
        own = [f"{name}.{what}" for what in ("effort", "power") for name in (*self.motors, *self.undriven)]
        chosen = names or (*own, "ground.f*")
        return self.result.plot(*chosen, path=path, show=show, overwrite=overwrite)

    def save(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Write all quantities to a netCDF file (.nc), or as text (.csv); `load_result` reads the first."""
        if Path(path).suffix.lower() == ".csv":
            return self.result.to_csv(path, overwrite=overwrite)
        return self.result.save(path, overwrite=overwrite)


def _peak(values: Array) -> str:
    return f"{np.abs(values).max(initial=0.0):.6g}"


def _aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["    " + "  ".join(f"{cell:<{w}}" for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows]
