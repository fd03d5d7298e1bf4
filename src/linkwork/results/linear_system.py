"""Linear equations as modes, responses and motions of them read these: δẋ = A δx + B δu, δz = C δx + D δu."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from linkwork.arrays import Array
from linkwork.errors import UnknownNameError, did_you_mean
from linkwork.results.result import Result

ComplexArray = NDArray[np.complex128]


class LinearSource(Protocol):
    """What a linearisation can be asked for later."""

    def slopes(self, names: Sequence[str]) -> tuple[Array, Array]:
        """C and D of named quantities."""
        ...

    def swing(self, shape: ComplexArray, amplitude: float | None, frames: int, title: str) -> Result:
        """The mechanism along the variation Re(shape e^{iθ}) of x, θ from 0 to 2π."""
        ...

    def follow(self, x: Array, u: Array, time: Array, title: str) -> Result:
        """The mechanism along variations of x (N, n) and u (N, nu) over time (N)."""
        ...

    def unit(self, name: str) -> str:
        """The unit of a quantity or of an input, empty where it has none or it is not known."""
        ...

    @property
    def steady(self) -> bool:
        """Whether A stays what it is while the motion goes on."""
        ...


class LinearSystem(Protocol):
    """The equations about a state of a mechanism; `Linearisation` says what each of these is."""

    @property
    def name(self) -> str: ...
    @property
    def states(self) -> tuple[str, ...]: ...
    @property
    def inputs(self) -> tuple[str, ...]: ...
    @property
    def outputs(self) -> tuple[str, ...]: ...
    @property
    def positions(self) -> tuple[bool, ...]: ...
    @property
    def a(self) -> Array: ...
    @property
    def b(self) -> Array: ...
    @property
    def c(self) -> Array: ...
    @property
    def d(self) -> Array: ...
    @property
    def projected(self) -> tuple[Array, Array] | None: ...
    @property
    def physical(self) -> tuple[Array, Array]: ...
    @property
    def source(self) -> LinearSource: ...
    @property
    def eigenvalues(self) -> ComplexArray: ...
    @property
    def stable(self) -> bool: ...
    @property
    def resting(self) -> bool: ...
    @property
    def where(self) -> str: ...
    @property
    def remarks(self) -> tuple[str, ...]: ...
    @property
    def notes(self) -> tuple[str, ...]: ...


def written(value: complex) -> str:
    """An eigenvalue, or a pair of conjugate ones, as text."""
    if abs(value.imag) <= 1e-9 * max(abs(value), 1e-9):
        return f"{value.real + 0.0:.6g}"
    real = value.real if abs(value.real) > 1e-9 * abs(value) else 0.0
    return f"{real + 0.0:.6g} ± {abs(value.imag):.6g}i"


def place(name: str, known: Sequence[str], what: str) -> int:
    """Where a name stands among those that are known."""
    if name not in known:
        raise UnknownNameError(f"there is no {what} '{name}'; {did_you_mean(name, list(known))}")
    return known.index(name)
