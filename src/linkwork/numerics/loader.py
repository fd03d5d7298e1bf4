"""Compiled kernels by name.

The kernels in ``numerics/kernels/*/*.py`` are translated and compiled the first time that a machine needs them; after
that their objects come from the cache on disk. With LINKWORK_CHECK_BOUNDS=1 they check every access to memory
(``numerics/kernels/language/bounds.py``). How a kernel is declared: ``numerics/kernels/language/calling.py``.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ParamSpec, TypeVar, cast

from linkwork.errors import CompileError, did_you_mean
from linkwork.machine import Module, ObjectCache, compile_ir, fingerprint
from linkwork.numerics.kernels.language import bounds
from linkwork.numerics.kernels.language.calling import Kernel, kernels_of
from linkwork.numerics.kernels.language.records import as_c, passed
from linkwork.numerics.policy import POLICY

P = ParamSpec("P")
R = TypeVar("R")
KERNELS = Path(__file__).parent / "kernels"
PREFIX = "linkwork_"  # of all names of kernels
OPTIMISATION = 2
UNITS = {
    "sparse": ("sparse_terms", "sparse_factors", "sparse_mass", "sparse_saddle", "sparse_passes", "sparse_lu"),
    "closing": ("closing", "projection", "active"),
    "null_space": ("multipliers", "reduction"),
    "state": ("state", "partition", "passage", "choice", "criterion"),
    "advance": ("advance", "runge_kutta", "first_step"),
    "moreau": ("moreau", "live_steps"),
}
"""Files that are compiled together; every other file is a unit of its own."""
LINKED = ("sparse", "closing", "null_space", "state")
"""Units whose kernels later units of this list, and all others, call where they are; of other files callers have copies."""
GATED = "sparse"
"""The unit that few mechanisms need: others are linked to its gate, which leads nowhere until `open_gate`."""


@cache
def kernel_address(name: str) -> int:
    """Return the address of the C function of the kernel ``"file.function"``, compiling its file on first need."""
    file, _, function = name.partition(".")
    return load_kernels(_unit_of(file)).address(f"{PREFIX}{file}_{function}")


def _unit_of(file: str) -> str:
    return next((unit for unit, files in UNITS.items() if file in files), file)


def linked_address(symbol: str) -> int:
    """Where a kernel of a linked unit is, for a module that calls it."""
    names = sorted((file for unit in LINKED for file in UNITS[unit]), key=len)
    file = next(file for file in reversed(names) if symbol.startswith(f"{PREFIX}{file}_"))
    unit = _unit_of(file)
    return (_gate() if unit == GATED else load_kernels(unit)).address(symbol)


@cache
def _gate() -> Module:
    """Functions with the names of the unit that few mechanisms need."""

    def write() -> str:
        from linkwork.numerics.kernels.language.translation import write_gate

        return write_gate(UNITS[GATED])

    return compile_ir(write, opt=0, key=fingerprint("gate", *_sources().values()))


@cache
def open_gate() -> None:
    """Let all that is linked to the gate reach the unit behind it: whoever makes memory for its kernels has to."""
    gate, unit = _gate(), load_kernels(GATED)
    for kernel in (kernel for file in UNITS[GATED] for kernel in kernels_of(file)):
        ctypes.c_void_p.from_address(gate.data(f"slot_{kernel.symbol}")).value = unit.address(kernel.symbol)


@cache
def address_of(kernel: Kernel[..., Any]) -> int:
    """Where the machine code of a kernel is: the one place at which names become addresses of this process."""
    if kernel.function.__module__.startswith("linkwork.numerics.kernels."):
        return kernel_address(f"{kernel.file}.{kernel.name}")
    return _module_of(kernel).address(kernel.symbol)


@cache
def _module_of(kernel: Kernel[..., Any]) -> Module:
    """The machine code of a kernel from outside, and of what it calls; it stays as long as the process."""
    from linkwork.numerics.kernels.language.translation import translate  # slow to import, and few kernels are new

    return compile_ir(translate([kernel]), opt=OPTIMISATION)


def compiled(kernel: Kernel[P, R]) -> Callable[P, R]:
    """A declared kernel in compiled code, to be called from Python with numbers, arrays and records."""
    return kernel.called


def call_of(kernel: Kernel[P, R]) -> Callable[P, R]:
    """The call, made once for every kernel."""
    signature = kernel.signature
    function = ctypes.CFUNCTYPE(as_c(signature.result), *map(as_c, signature.arguments))(kernel.address)

    def call(*values: P.args, **named: P.kwargs) -> R:
        return cast(R, function(*map(passed, values)))

    return call


@cache
def load_kernels(unit: str) -> Module:
    """Return the machine code of a unit, or of the file ``numerics/kernels/*/<unit>.py``, and of what it calls."""
    texts, files = _sources(), UNITS.get(unit, (unit,))
    if missing := set(files) - texts.keys():
        raise CompileError(f"there are no kernels in a file '{unit}'; {did_you_mean(missing.pop(), list(texts))}")
    before = LINKED[: LINKED.index(unit)] if unit in LINKED else LINKED
    apart = [file for other in before for file in UNITS[other]]

    def write() -> str:
        from linkwork.numerics.kernels.language.translation import Bounds, translate_files  # not where objects are kept

        checked = Bounds(bounds.table_address(), bounds.place_of) if bounds.ACTIVE else None
        return translate_files(files, checked, apart)

    if bounds.ACTIVE:
        # the code holds addresses of this process: nobody else can use it
        with TemporaryDirectory() as directory:
            return compile_ir(write(), opt=OPTIMISATION, cache=ObjectCache(directory))
    key = fingerprint("kernels", *files, *apart, repr(POLICY), *texts.values())
    return compile_ir(write, opt=OPTIMISATION, key=key)


@cache
def _sources() -> dict[str, str]:
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(KERNELS.glob("*/*.py"))}
