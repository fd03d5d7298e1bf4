"""Linear equations of a mechanism about one of its states, as a user reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from linkwork.algebra.given import GivenValues, Scalar
from linkwork.answer import Answer, Column, Grid, Units
from linkwork.arrays import Array
from linkwork.errors import RefusedError
from linkwork.extras import bring
from linkwork.numerics.systems.eigenvalues import block_eigenvalues, sorted_eigenvalues
from linkwork.results.frequency_response import FrequencyResponse
from linkwork.results.input_signals import InputMotion
from linkwork.results.linear_motion import LinearMotion
from linkwork.results.linear_system import ComplexArray, LinearSource, place, written
from linkwork.results.summary import many
from linkwork.results.time_grid import first_asked, time_grid
from linkwork.results.vibration_modes import VibrationMode

if TYPE_CHECKING:
    import scipy.signal

RESTING = 1e-9  # of a rate, beside values of 1 and more, that counts as none


@dataclass(frozen=True, eq=False, repr=False)
class Linearisation(Answer):
    """δẋ = A δx + B δu, δz = C δx + D δu about a state of a mechanism; prints as a summary.

    states, inputs, outputs: names of x (n), u and z; positions: which of x are positions
    at: x at the state; rates: ẋ there, zero at an equilibrium; time: of the state, s
    form: 'independent', or that in which x is all of the state: 'dependent' or 'canonical'
    projected: A on the variations that satisfy the conditions (k, k), and these as columns (n, k), where x is dependent
    """

    view = "vibrations.plot_eigenvalues"

    name: str
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    a: Array
    b: Array
    c: Array
    d: Array
    at: Array
    rates: Array
    time: float
    positions: tuple[bool, ...]
    source: LinearSource
    form: str = "independent"
    projected: tuple[Array, Array] | None = None
    notes: tuple[str, ...] = ()

    @property
    def physical(self) -> tuple[Array, Array]:
        """A on the variations that satisfy the conditions (k, k), and these variations of x (n, k)."""
        return (self.a, np.eye(len(self.states))) if self.projected is None else self.projected

    @cached_property
    def eigenvalues(self) -> ComplexArray:
        """Those of A, the slowest first, conjugate ones side by side; 1/s. Dependent states have those of conditions too."""
        return block_eigenvalues(self.a) if self.projected is None else sorted_eigenvalues(self.a)

    @property
    def stable(self) -> bool:
        """Whether every eigenvalue of the mechanism has a negative real part."""
        return bool(np.all(block_eigenvalues(self.physical[0]).real < 0.0))

    @property
    def resting(self) -> bool:
        """Whether the state is an equilibrium."""
        return bool(np.all(np.abs(self.rates) <= RESTING * np.maximum(1.0, np.abs(self.at))))

    @property
    def steady(self) -> bool:
        """Whether A stays what it is: about an equilibrium, or a motion that is steady in these states."""
        return self.resting or self.source.steady

    @property
    def where(self) -> str:
        """What the equations hold about."""
        if self.resting:
            return "about an equilibrium"
        return "about a steady motion" if self.steady else f"about the motion at t = {self.time:g} s"

    @property
    def remarks(self) -> tuple[str, ...]:
        """What has to be known about the eigenvalues."""
        held = "not at rest, and not steady in these states: A changes, and its eigenvalues hold for this moment"
        return () if self.steady else (held,)

    def frequency_response(
        self, omega: ArrayLike | None = None, *, between: tuple[float, float] | None = None
    ) -> FrequencyResponse:
        """How outputs swing when inputs do, at angular frequencies ω, rad/s: C (iω − A)⁻¹ B + D.

        Without frequencies they are chosen so that every mode shows, from a tenth of the slowest to ten times the
        fastest, or in the range *between* two of them.
        """
        return FrequencyResponse.of(self, omega, between)

    def simulate(
        self,
        until: Scalar | None = None,
        *,
        step: Scalar | None = None,
        times: ArrayLike | None = None,
        initial: GivenValues | None = None,
        inputs: Mapping[str, InputMotion] | None = None,
        modes: Sequence[int | str | VibrationMode] | None = None,
    ) -> LinearMotion:
        """The motion of the linear equations from t = 0, without a step error.

        initial: variations of states at the start, by name; inputs: their variations, by name: a number, a formula of t,
        a function, samples at the output times, or a pair of times and samples
        modes: those that are kept, by their numbers or as they are in ``modes``, and 'free' for free motions; all by default
        until, step, times: as in ``lw.simulate``
        """
        grid = time_grid(until, step, times)
        motion = LinearMotion.of(self, grid, initial or {}, inputs or {}, modes)
        first = first_asked(times, grid)
        return replace(motion, time=motion.time[first:], x=motion.x[first:], u=motion.u[first:])

    def entry(self, output: str, of: str) -> float:
        """One number by its names: of C where *of* is a state, of D where it is an input."""
        row = place(output, self.outputs, "output")
        if of in self.states:
            return float(self.c[row, self.states.index(of)])
        return float(self.d[row, place(of, self.inputs, "state or input")])

    def to_scipy(self) -> scipy.signal.StateSpace:
        """The same as a system of SciPy, which needs inputs and outputs."""
        import scipy.signal

        if not self.inputs or not self.outputs:
            raise RefusedError("a system of SciPy needs inputs and outputs: linearise(..., inputs=..., outputs=...)")
        return scipy.signal.StateSpace(self.a, self.b, self.c, self.d)

    def to_control(self) -> Any:
        """The same as a system of python-control, with its names."""
        control = bring("control")
        # dots are not allowed in its names
        names = {
            key: [name.replace(".", "_") for name in getattr(self, key)] for key in ("states", "inputs", "outputs")
        }
        return control.ss(self.a, self.b, self.c, self.d, name=self.name.replace(".", "_"), **names)

    def columns(self) -> list[Column]:
        """All matrices: rows are rates of the states, then outputs; columns are states, then inputs."""
        rows = [*(f"d {name} / dt" for name in self.states), *self.outputs]
        matrix = np.block([[self.a, self.b], [self.c, self.d]])
        columns = (Column(name, matrix[:, i]) for i, name in enumerate([*self.states, *self.inputs]))
        return [Column("rate or output [SI]", rows), *columns]

    def to_dict(self, names: Sequence[str] | None = None, *, units: Units | None = None) -> dict[str, Any]:
        """All names and numbers as plain lists."""
        told = {key: list(getattr(self, key)) for key in ("states", "inputs", "outputs")}
        matrices = {key: getattr(self, key).tolist() for key in ("a", "b", "c", "d", "at", "rates")}
        found = {"name": self.name, "time": self.time, "form": self.form, **told, **matrices}
        return super().to_dict(names, units=units) | found

    @property
    def title(self) -> str:
        kind = "" if self.projected is None else f" of the {self.form} form"
        return f"{self.name}, linearised {self.where}: {many(len(self.states), 'states')}{kind}"

    def facts(self) -> list[tuple[str, str]]:
        """Names with values, and the eigenvalues of the mechanism."""
        pairs = zip(self.states, self.at + 0.0, strict=True)
        values = [f"{name} = {value:.6g} {self.source.unit(name)}".rstrip() for name, value in pairs]
        names = (("states", values), ("inputs", self.inputs), ("outputs", self.outputs))
        roots = [written(value) for value in block_eigenvalues(self.physical[0]) if value.imag >= 0]
        told = [(label, ", ".join(texts)) for label, texts in names if texts]
        return [*told, ("eigenvalues", ", ".join(roots) + " 1/s" if roots else "none")]

    def report(self) -> list[str | Grid]:
        """The facts; eigenvalues of conditions are counted."""
        others = len(self.states) - len(self.physical[0])
        counted = [f"{others} more of A belong to conditions, which penalties keep"] if others else []
        return [Grid(self.facts()), *counted, *self.remarks]
