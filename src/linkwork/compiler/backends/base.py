"""What a backend is: it turns a function of (t, y, p) into code under a name, to be loaded or linked with others."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import casadi as ca

from linkwork.compiler.folding import Folded, fold
from linkwork.compiler.instructions import Instructions
from linkwork.compiler.interpreter import Interpreter
from linkwork.compiler.llvm.series import SeriesLayout
from linkwork.compiler.lower import lower

SCALAR_CALL = ctypes.CFUNCTYPE(None, ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
LANES_CALL = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4)


class Source:
    """A function to be compiled: as expressions, and (made on demand) as an instruction list.

    seldom: it is called so seldom that a long one is compiled quickly rather than well
    """

    def __init__(self, function: ca.Function, seldom: bool = False) -> None:
        self.function, self.seldom = function, seldom

    @cached_property
    def instructions(self) -> Instructions:
        """The instruction list."""
        return lower(self.function)

    @cached_property
    def folded(self) -> Folded:
        """The list as sections."""
        return fold(self.instructions)

    @cached_property
    def interpreter(self) -> Interpreter:
        """CasADi's evaluator of the function."""
        return Interpreter(self.function)


class Loaded(Protocol):
    """What has code in this process under names."""

    def address(self, symbol: str) -> int: ...


@dataclass(frozen=True)
class FunctionCode:
    """Code of a function in this process; it lives as long as this object.

    cached: loaded from disk; seconds: time it took; note: what else there is to tell of it
    """

    symbol: str
    cached: bool
    seconds: float
    owner: Loaded = field(repr=False)
    note: str = ""

    @cached_property
    def address(self) -> int:
        """Where it was loaded."""
        return self.owner.address(self.symbol)


@dataclass(frozen=True)
class SeriesCode(FunctionCode):
    """Code of ``void series(double t, double* y, double* p, double* out, double* work, int64 order)``.

    It fills out (order + 1, n) with the power series of y; *layout* says how much work it needs.
    """

    layout: SeriesLayout = field(kw_only=True)


class Backend(Protocol):
    """One way to make code. Both forms obey the signatures that `linkwork.compiler.llvm.emitter` states."""

    @property
    def name(self) -> str:
        """The name that `build` knows it by."""

    @property
    def summary(self) -> str:
        """What it does, in one line."""

    def text(self, source: Source) -> str:
        """Return the text of the LLVM module of the function, to be linked with others for any machine."""

    def scalar(self, source: Source) -> FunctionCode:
        """Return the code that evaluates the function once."""

    def lanes(self, source: Source) -> FunctionCode:
        """Return the code that evaluates the function for eight lanes."""

    def series(self, source: Source, states: frozenset[int]) -> SeriesCode:
        """Return the code for the power series of the *states*, where the function gives [ẏ, ...]."""
