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
from linkwork.numerics.kernels.language.calling import Kernel
from linkwork.numerics.kernels.language.records import as_c, passed
from linkwork.numerics.policy import POLICY

P = ParamSpec("P")
R = TypeVar("R")
KERNELS = Path(__file__).parent / "kernels"
OPTIMISATION = 2
HOSTS = {"state": "explicit", "multipliers": "explicit", "runge_kutta": "advance", "first_step": "advance"}
"""Files that are compiled together with another one, which calls most of what they have."""


@cache
def kernel_address(name: str) -> int:
    """Return the address of the C function of the kernel ``"file.function"``, compiling its file on first need."""
    file, _, function = name.partition(".")
    return load_kernels(HOSTS.get(file, file)).address(f"linkwork_{file}_{function}")


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
    function = _function(kernel)

    def call(*values: P.args, **named: P.kwargs) -> R:
        return cast(R, function(*map(passed, values)))

    return call


@cache
def _function(kernel: Kernel[..., Any]) -> Callable[..., Any]:
    signature = kernel.signature
    return ctypes.CFUNCTYPE(as_c(signature.result), *map(as_c, signature.arguments))(kernel.address)


@cache
def load_kernels(file: str) -> Module:
    """Return the machine code of ``numerics/kernels/*/<file>.py`` and of what it calls."""
    texts = _sources()
    if file not in texts:
        raise CompileError(f"there are no kernels in a file '{file}'; {did_you_mean(file, list(texts))}")

    guests = [guest for guest, host in HOSTS.items() if host == file]

    def write() -> str:
        from linkwork.numerics.kernels.language.translation import Bounds, translate_file  # not where objects are kept

        checked = Bounds(bounds.table_address(), bounds.place_of) if bounds.ACTIVE else None
        return translate_file(file, *guests, bounds=checked)

    if bounds.ACTIVE:
        # the code holds addresses of this process: nobody else can use it
        with TemporaryDirectory() as directory:
            return compile_ir(write(), opt=OPTIMISATION, cache=ObjectCache(directory))
    key = fingerprint("kernels", file, *guests, repr(POLICY), *texts.values())
    return compile_ir(write, opt=OPTIMISATION, key=key)


@cache
def _sources() -> dict[str, str]:
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(KERNELS.glob("*/*.py"))}
