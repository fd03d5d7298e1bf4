"""What every integrator declares, and what a Runge-Kutta method is: data, run by ``kernels/stepping/advance.py``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from linkwork.arrays import Array
from linkwork.errors import RefusedError
from linkwork.numerics.integrators.nodes import NodeRule, gauss_rule, stage_rule
from linkwork.numerics.kernels.stepping.run import Stepping

Integers = NDArray[np.int64]
Stability = Literal["conditionally stable", "A(α)-stable", "A-stable", "L-stable"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Method(ABC):
    """A method of integration. Its family is a file of ``numerics/kernels`` with the kernels that ``advance.py`` calls.

    stability: on ẏ = λ y with Re λ < 0: for short steps only; for every step (A-stable); and dying out in one step as
        Re hλ → −∞ (L-stable). A(α)-stable: for every step where λ is within an angle α of the negative real axis
    exponents: α and β of the step control h ← h · 0.9 · err^-α · err_last^β
    orientation: parametrisation in which free rotations in space are stepped; "": that of the coordinates
    """

    memory: ClassVar[type[Stepping]] = Stepping  # of a run
    family: ClassVar[str]
    remembers: ClassVar[bool] = False  # whether a step is made from positions of former steps
    carries: ClassVar[bool] = False  # whether accelerations go from step to step beside the state
    own_control: ClassVar[bool] = False  # whether the family chooses its steps itself
    keeps_energy: ClassVar[bool] = False  # whether the family must be told the energy of what it integrates
    coupled: ClassVar[bool] = False  # whether all stages of a step are solved for at once
    uses_series: ClassVar[bool] = False  # whether it needs power series of the flow
    variable_order: ClassVar[bool] = False  # whether it chooses its order with its steps, none of a size given
    knot_rows: ClassVar[int] = (
        0  # whether steps are polynomials through former states (1) or their rates (2), see trails.py
    )

    name: str
    title: str
    order: int
    dense_order: int
    stability: Stability
    source: str
    exponents: tuple[float, float] = (0.0, 0.0)
    orientation: str = ""

    def __post_init__(self) -> None:
        faults = [*self.faults()]
        if faults:
            raise RefusedError(f"'{self.name}' cannot be an integrator: " + "; ".join(faults))

    def faults(self) -> Iterator[str]:
        """What cannot be of all that it says."""
        for key in ("order", "dense_order"):
            if not isinstance(given := getattr(self, key), int | np.integer) or given < 1:
                yield f"{key} is {given!r}; it is a whole number from 1 on"
        if self.stability not in get_args(Stability):
            yield f"stability is {self.stability!r}; it is one of {', '.join(map(repr, get_args(Stability)))}"

    @property
    @abstractmethod
    def adaptive(self) -> bool:
        """Whether the method estimates its error and can choose its step."""

    @property
    @abstractmethod
    def implicit(self) -> bool:
        """Whether a step solves equations for its end or its stages."""

    @property
    @abstractmethod
    def evaluations(self) -> str:
        """Evaluations of the derivative a step, those for output inside it apart; systems to solve if implicit."""

    @property
    def stiffly_accurate(self) -> bool:
        """Whether the end of a step is solved for, so that conditions hold there; else its derivative is evaluated."""
        return self.implicit

    @property
    def damps(self) -> bool:
        """Whether vibrations die out that steps of fixed size do not resolve, and their energy with them."""
        return self.stability in ("L-stable", "A(α)-stable") or self.carries

    @property
    def orders(self) -> str:
        """The order, or those between which a method of variable order chooses."""
        return str(self.order)

    @property
    def first_order(self) -> int:
        """The power of the step with which the error estimate of the first step goes, which its size is chosen by: that of a
        method of first order comes from one of second order."""
        return max(self.order, 2)

    @property
    def rows(self) -> tuple[int, int]:
        """Row of the derivative at the end of a step among the derivatives that are kept, row 0 being at its start; and the
        number of these rows."""
        return 1, 2

    @property
    def estimate(self) -> str:
        """How the error of a step is estimated."""
        return "" if self.adaptive else "none: fixed step"

    @cached_property
    def node_rule(self) -> NodeRule:
        """Where steps are looked at for integrals along a run that are as good as the run."""
        return gauss_rule(self.order)

    @property
    def numbers(self) -> Mapping[str, float]:
        """What the family wants in the memory of a run, by field."""
        return {}

    def coefficients(self) -> Mapping[str, Array]:
        """Coefficients by the field that holds them."""
        return {}

    def own(self) -> Mapping[str, float | Array]:
        """What the memory of the family holds at the start of a run, by field; all else is 0."""
        return {}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}: {self.title}, order {self.order})"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RungeKutta(Method):
    """A tableau, its error estimators and its dense output.

    With s stages, stage s is the derivative at the end of the step (and the first stage of the next one); e extra
    stages may follow for the dense output. S = s + 1 + e.

    nodes: c (S)
    matrix: A (S, S), lower triangular but for methods of collocation; row s holds the weights b. Stages with a_ii ≠ 0 are
        implicit. The first stage is explicit: methods that do not use it give it no weight
    error: (1 or 2, S), h Σ_j E_j k_j estimates the error; empty for a method of fixed step
    second_weight: weight w of the second estimator in err = |h| e₁² / √(n (e₁² + w e₂²))
    dense: P (S, degree), y(t + θ h) = y + h Σ_i k_i Σ_j P_ij θ^j with j = 1 ... degree
    exponents: 1 / order and 0 where none are given
    stability: ``stability.py`` computes the same from the tableau
    """

    family: ClassVar[str] = "runge_kutta"

    stages: int
    nodes: Array
    matrix: Array
    error: Array
    dense: Array
    second_weight: float = 0.0

    def __post_init__(self) -> None:
        for key in ("nodes", "matrix", "error", "dense"):
            object.__setattr__(self, key, as_numbers(getattr(self, key)))
        if not self.error.size:
            object.__setattr__(self, "error", np.zeros((0, self.nodes.size)))
        super().__post_init__()
        if self.adaptive and tuple(self.exponents) == (0.0, 0.0):
            object.__setattr__(self, "exponents", (1 / self.order, 0.0))

    def faults(self) -> Iterator[str]:
        yield from super().faults()
        yield from _shape_faults(self, count := self.nodes.size)
        s = self.stages
        if not isinstance(s, int | np.integer) or not 0 < s < count:
            yield (
                f"stages is {s!r} with {count} nodes: behind the stages stand the derivative at the end of the step, and "
                f"those that only the dense output needs; here it is {count - 1} or less"
            )
        if np.shape(self.exponents) != (2,) or not np.all(np.isfinite(self.exponents)):
            yield f"exponents is {self.exponents!r}; it is two numbers: (1 / order, 0) is the plain choice"
        if self.matrix.shape != (count, count):
            return
        if not np.allclose(self.matrix.sum(axis=1), self.nodes, atol=1e-9):
            yield "the rows of matrix do not add up to the nodes"
        if self.family == RungeKutta.family:
            if np.any(np.triu(self.matrix, 1)):
                yield "matrix has numbers above its diagonal; stages of this family follow each other"
            if np.any(self.matrix[0]) or np.any(self.nodes[:1]):
                yield "the first row of matrix and the first node are not 0; the first stage is the start of the step"

    @property
    def adaptive(self) -> bool:
        return self.error.size > 0

    @cached_property
    def implicit(self) -> bool:
        return bool(np.any(np.diag(self.matrix)))

    @property
    def stiffly_accurate(self) -> bool:
        return bool(self.matrix[self.stages, self.stages])

    @property
    def all_stages(self) -> int:
        """S, the derivative at the end and the extra stages of the dense output included."""
        return len(self.nodes)

    @property
    def evaluations(self) -> str:
        solved = int(np.count_nonzero(np.diag(self.matrix)))
        extra = self.all_stages - 1 - (solved or self.stages)
        return (f"{solved} solved" if solved else f"{self.stages}") + (f" + {extra}" if extra else "")

    @property
    def rows(self) -> tuple[int, int]:
        return self.stages, self.all_stages

    @property
    def estimate(self) -> str:
        return f"{len(self.error)} embedded formula{'s' * (len(self.error) > 1)}" if self.adaptive else super().estimate

    @property
    def numbers(self) -> Mapping[str, float]:
        return {"degree": self.dense.shape[1], "second_weight": self.second_weight}

    @cached_property
    def node_rule(self) -> NodeRule:
        if self.family != RungeKutta.family:
            return gauss_rule(self.order)
        return stage_rule(self.nodes, self.matrix[self.stages], self.dense, self.error, self.second_weight)

    def coefficients(self) -> Mapping[str, Array]:
        error = np.zeros((2, self.all_stages))
        error[: len(self.error)] = self.error
        return {"nodes": self.nodes, "matrix": self.matrix, "estimators": error, "dense": self.dense}


def as_numbers(given: ArrayLike) -> Array:
    """An array of numbers; one that is not a number for what is none."""
    try:
        return np.ascontiguousarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        return np.array([np.nan])


def _shape_faults(method: RungeKutta, count: int) -> Iterator[str]:
    """Arrays that are none, or do not belong to so many nodes."""
    wanted: dict[str, tuple[str, Callable[..., bool]]] = {
        "nodes": ("a number for each stage", lambda *n: n == (count,)),
        "matrix": (
            f"{count} x {count}: a row for each node; square([...]) fills rows up",
            lambda *n: n == (count, count),
        ),
        "error": (f"none, one or two rows of {count} numbers", lambda *n: n in ((0, count), (1, count), (2, count))),
        "dense": (
            f"{count} rows, with a column for each power of θ",
            lambda *n: len(n) == 2 and n[0] == count and n[1] > 0,
        ),
    }
    for key, (told, fits) in wanted.items():
        given = getattr(method, key)
        if not np.all(np.isfinite(given)):
            yield f"{key} is not made of finite numbers; it is {told}"
        elif not fits(*given.shape):
            yield f"{key} is {' x '.join(map(str, given.shape))}; it is {told}"


def square(rows: list[list[float]]) -> Array:
    """Fill a list of rows of a lower triangle up to a square matrix."""
    matrix = np.zeros((len(rows), len(rows)))
    for i, row in enumerate(rows):
        matrix[i, : len(row)] = row
    return matrix


def hermite(weights: list[float], end: float = 0.0) -> Array:
    """Dense output of the cubic with the states and derivatives at both ends, for a method with these weights b.

    *end* is the weight of the derivative at the end, which implicit methods may have.

    y(θ) = y + θ² (3 − 2θ) (y_new − y) + (θ − 2θ² + θ³) h k_0 + (θ³ − θ²) h k_s (Hairer, Nørsett, Wanner I, section II.6).
    Its order is 3, or the order of the method where that is lower.
    """
    dense = np.outer([*weights, end], [0.0, 3.0, -2.0])
    dense[0] += [1.0, -2.0, 1.0]
    dense[-1] += [0.0, -1.0, 1.0]
    return dense
