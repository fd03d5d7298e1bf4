"""What inverse dynamics gives: efforts of motors, what is left over, loads of joints and of the ground."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from linkwork.answer import Column, Grid, Units
from linkwork.arguments import verb
from linkwork.errors import RefusedError, UnknownNameError, did_you_mean
from linkwork.outline import outlined
from linkwork.results.audit import Audit
from linkwork.results.loads import MotorLoad, MotorLoads, PeakLoads, largest_of
from linkwork.results.quantities import (
    Array,
    LiveValue,
    MultiplierValues,
    Quantity,
    QuantitySource,
    ReactionInfo,
    ReactionValues,
)
from linkwork.results.reaction import FORCE_COMPONENTS, MOMENT_COMPONENTS
from linkwork.results.reaction_table import torque_alone
from linkwork.results.result import Result
from linkwork.results.result_answer import ResultAnswer


@dataclass(frozen=True, eq=False)
class Undetermined:
    """Samples (N,) at which some quantities, by name, have no value."""

    there: NDArray[np.bool_]
    names: frozenset[str]

    def blank(self, name: str, values: Array) -> Array:
        """The values, no numbers where they are unknown."""
        return np.where(self.there, np.nan, values) if name in self.names else values


@outlined
@dataclass(frozen=True, eq=False)
class SupplementedSource:
    """A source of quantities with further columns (N,) beside its own, and samples at which some are unknown.

    columns: what gives their values, when these are asked for
    motors, missing: coordinates of the efforts that are the last numbers of p, in this order
    """

    source: QuantitySource
    quantities: Mapping[str, Quantity]
    columns: Mapping[str, Callable[[], Array]]
    unknown: Undetermined
    motors: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def catalogue(self) -> Mapping[str, Quantity]:
        return {**self.quantities, **self.source.catalogue}

    @property
    def reaction_components(self) -> Mapping[str, ReactionInfo]:
        return self.source.reaction_components

    @property
    def parameters(self) -> Mapping[str, LiveValue]:
        return self.source.parameters

    def undetermined(self, names: Sequence[str]) -> frozenset[str]:
        """Those of the names that are components of reactions which are not unique."""
        return self.source.undetermined([name for name in names if name not in self.columns])

    def reactions(self, scheme: str, axes: str, at: str) -> ReactionValues:
        """Reactions by a scheme, in axes of the world or others, with moments at a place."""
        found = self.source.reactions(scheme, axes, at)
        return replace(found, values={n: self.unknown.blank(n, values) for n, values in found.values.items()})

    def multipliers(self, scheme: str) -> Sequence[MultiplierValues]:
        """The multipliers of all conditions."""
        return self.source.multipliers(scheme)

    def evaluate(self, names: Sequence[str]) -> dict[str, Array]:
        """Values of the named quantities, each (N,)."""
        others = [name for name in names if name not in self.columns]
        found = self.source.evaluate(others) if others else {}
        return {n: self.columns[n]() if n in self.columns else self.unknown.blank(n, found[n]) for n in names}


class ByMotor(dict[str, Array]):
    """What (N,) of every motor, such as 'effort', by names that mean it in the answer too; asked for by those of motors."""

    def __init__(self, what: str, values: Mapping[str, Array]) -> None:
        super().__init__(values)
        self.what = what

    def __missing__(self, name: str) -> Array:
        full = f"{name}.{self.what}"
        if dict.__contains__(self, full):
            return dict.__getitem__(self, full)
        motors = [key.removesuffix(f".{self.what}") for key in self]
        raise UnknownNameError(f"there is no motor '{name}'; {did_you_mean(name, motors)}")

    def __contains__(self, name: object) -> bool:
        return dict.__contains__(self, name) or dict.__contains__(self, f"{name}.{self.what}")

    def __reduce__(self) -> tuple[type[ByMotor], tuple[str, dict[str, Array]]]:
        return ByMotor, (self.what, dict(self))


@dataclass(frozen=True, eq=False, repr=False)
class InverseDynamics(ResultAnswer):
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

    @property
    def audit(self) -> Audit:
        """What the result says about itself: power of the motors against the change of energy, conditions, branches."""
        return self.result.audit

    def __getitem__(self, name: str) -> Array:
        """Any quantity of the result (N,), ``found["A.angle"]`` or ``found["A.angle.effort"]``; the effort of a motor by its
        name, where no quantity is called so, or by that of its joint, ``found["A.effort"]``."""
        if name not in self.result:
            owner = self.result.drawing.named(name.removesuffix(".effort"))
            own = [motor for motor, c in self.motors.items() if owner in (motor, c, c.rpartition(".")[0])]
            if len(own) == 1 and (owner in self.motors or name.endswith(".effort")):
                return self.result[f"{own[0]}.effort"]
            known = [*self.motors, *self.result.source.catalogue]
            if own:
                told = " or ".join(f"'{motor}.effort'" for motor in own)
                coordinates = " or ".join(f"'{self.motors[motor]}'" for motor in own)
                raise UnknownNameError(f"'{name}' is a joint: its effort is {told}, its coordinate {coordinates}")
            hint = self.result.drawing.told_of_pin(name) or did_you_mean(name, known)
            raise UnknownNameError(f"there is no motor or quantity '{name}'; {hint}")
        return self.result[name]

    def select(self, names: Sequence[str]) -> list[str]:
        """Names of quantities; that of a motor stands for its effort, where no quantity is called so."""
        asked, named = [names] if isinstance(names, str) else names, self.result.drawing.named
        motors = {name for name in asked if named(name) in self.motors and name not in self.result}
        return self.result.select([f"{name}.effort" if name in motors else name for name in asked])

    @property
    def efforts(self) -> ByMotor:
        """Force or torque (N,) of every motor along its coordinate, on the child; a key means the same in ``found[key]``."""
        return self._by_motor("effort", self.motors)

    @property
    def left_over(self) -> ByMotor:
        """Efforts (N,) that are missing along the coordinates that no motor drives."""
        return self._by_motor("effort", self.undriven)

    @property
    def power(self) -> ByMotor:
        """Power (N,) of every motor, W."""
        return self._by_motor("power", self.motors)

    @property
    def energy(self) -> ByMotor:
        """Work (N,) of every motor since the first sample, J."""
        return self._by_motor("energy", self.motors)

    def _by_motor(self, what: str, motors: Iterable[str]) -> ByMotor:
        full = {motor: f"{motor}.{what}" for motor in motors}
        found = self.result.values(list(full.values()))
        short = {motor for motor in full if what == "effort" and motor in self.motors and motor not in self.result}
        return ByMotor(what, {motor if motor in short else name: found[name] for motor, name in full.items()})

    @property
    def shaking_force(self) -> Array:
        """Force (N, d) of the whole mechanism on the ground, N, weights included."""
        return self._ground(FORCE_COMPONENTS)

    @property
    def shaking_moment(self) -> Array:
        """Its moment about the origin, N m: (N, 1) about z in the plane, (N, 3) in space."""
        return self._ground(MOMENT_COMPONENTS)

    def shaking_moment_about(self, point: str | Sequence[float]) -> Array:
        """The same moment about another point: one of the model by name, which may move, or a place (m) in world axes."""
        force, moment = self.shaking_force, self.shaking_moment
        d = force.shape[1]
        if isinstance(point, str):
            arm = np.column_stack([self.result[f"{point}.{axis}"] for axis in "xyz"[:d]])
        else:
            arm = np.asarray(point, dtype=float)
            if arm.shape != (d,) or not np.all(np.isfinite(arm)):
                raise RefusedError(f"the point is {point!r}; it must be the name of one, or {d} coordinates in metres")
        turned = np.cross(np.broadcast_to(_spatial(arm), (len(force), 3)), _spatial(force))
        return np.asarray(moment - (turned if d == 3 else turned[:, 2:]))

    @verb
    def motor_loads(self, units: Units | None = None) -> MotorLoads:
        """Peak, root mean square, power and work of every motor; *units*: ``{"ram": "kN", "energy": "kJ"}``.

        The name of a motor stands for its effort, other names for columns.
        """
        span = float(self.time[-1] - self.time[0]) if self.result.variable.is_time else 0.0
        asked = {self.result.drawing.named(name): unit for name, unit in (units or {}).items()}
        found, efforts, powers, works = [], self.efforts, self.power, self.energy
        for name, coordinate in self.motors.items():
            shown = Column(name, efforts[name], self.units[name])
            shown = shown.shown_in(asked.pop(name)) if name in asked else shown
            effort, power, work = shown.values, powers[name], float(works[name][-1])
            size, when = largest_of(self.time, np.abs(effort))
            found.append(
                MotorLoad(
                    motor=name,
                    coordinate=coordinate,
                    unit=shown.unit,
                    peak=size,
                    peak_time=when,
                    rms=float(np.sqrt(_mean(self.time, effort**2))),
                    peak_power=largest_of(self.time, np.abs(power))[0],
                    mean_power=work / span if span else _mean(self.time, power),
                    energy=work,
                )
            )
        table = MotorLoads(self.result.name, tuple(found), self.result.variable.at, units=asked)
        # units that do not fit are told now
        table.shown()
        return table

    def _ground(self, components: Sequence[str]) -> Array:
        names = [f"ground.{component}" for component in components]
        return np.column_stack([self.result[name] for name in names if name in self.result])

    @verb
    def peak_loads(self, units: Units | None = None) -> PeakLoads:
        """The largest force and moment of every joint and relation, and of teeth where they touch; *units*:
        ``{"force": "kN"}``."""
        return self.result.reactions.peaks(units)

    @property
    def title(self) -> str:
        counts = (len(self.motors), "motor"), (self.freedoms, "degree"), (len(self.time), "sample")
        motors, freedoms, samples = (f"{n} {word}{'' if n == 1 else 's'}" for n, word in counts)
        return (
            f"Inverse dynamics of '{self.result.name}': {motors} for {freedoms} of freedom, {samples}, by {self.method}"
        )

    def report(self) -> list[str | Grid]:
        """Motors, what is left over, peak loads of joints and of the ground, the audit."""
        lines: list[str | Grid] = [] if self.result.outcome.completed else [f"outcome: {self.result.outcome}"]
        if self.motors:
            lines += ["motors", *(replace(grid, indent=4) for grid in self.motor_loads().report())]
        if self.undriven:
            lines.append("not driven, and left over:")
            lines += [f"  {name}: {_peak(self.left_over[name])} {self.units[name]}" for name in self.undriven]
        lines += ["peak loads", *(replace(grid, indent=4) for grid in self.peak_loads().report())]
        force, moment = (
            np.linalg.norm(item, axis=1).max(initial=0.0) for item in (self.shaking_force, self.shaking_moment)
        )
        lines += torque_alone(self.result.reactions)
        lines.append(f"on the ground: force up to {force:.4g} N, moment about the origin up to {moment:.4g} N*m")
        if self.result.auditor is not None:
            lines += [self.audit.title, *(f"  {text}" for text in self.audit.findings)]
        return lines

    @property
    def plotted(self) -> tuple[str, ...]:
        """Efforts and powers of the motors and the force on the ground."""
        own = [f"{name}.{what}" for what in ("effort", "power") for name in (*self.motors, *self.undriven)]
        return (*own, "ground.f*")


def _peak(values: Array) -> str:
    return f"{largest_of(np.zeros(values.size), np.abs(values))[0]:.6g}"


def _mean(time: Array, values: Array) -> float:
    """The mean over time of what is known, by trapezoids."""
    known = np.isfinite(values)
    t, f = time[known], values[known]
    if t.size < 2:
        return float(f.mean()) if f.size else float("nan")
    return float(np.sum(np.diff(t) * (f[1:] + f[:-1]) / 2) / (t[-1] - t[0]))


def _spatial(vectors: Array) -> Array:
    """Vectors of the plane or of space with three components."""
    return np.concatenate([vectors, np.zeros((*vectors.shape[:-1], 3 - vectors.shape[-1]))], axis=-1)
