"""Compiled kernels by name.

The kernels in ``numerics/kernels/*.py`` are translated and compiled the first time that a machine needs them; after
that their objects come from the cache on disk. How a kernel is declared: ``numerics/kernels/calling.py``.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from linkwork.errors import CompileError, did_you_mean
from linkwork.machine import Module, compile_ir, fingerprint

KERNELS = Path(__file__).parent / "kernels"
OPTIMISATION = 2
HOSTS = {"constrained": "explicit", "runge_kutta": "advance", "first_step": "advance"}
"""Files that are compiled together with another one, which calls most of what they have."""


@cache
def kernel_address(name: str) -> int:
    """Return the address of the C function of the kernel ``"file.function"``, compiling its file on first need."""
    file, _, function = name.partition(".")
    return load_kernels(HOSTS.get(file, file)).address(f"linkwork_{file}_{function}")


@cache
def load_kernels(file: str) -> Module:
    """Return the machine code of ``numerics/kernels/<file>.py`` and of what it calls."""
    texts = _sources()
    if file not in texts:
        raise CompileError(f"there are no kernels in a file '{file}'; {did_you_mean(file, list(texts))}")

    def write() -> str:
        from linkwork.numerics.kernels.translation import translate_file

        return translate_file(file, *[guest for guest, host in HOSTS.items() if host == file])

    key = fingerprint("kernels", file, *texts.values())
    return compile_ir(write, opt=OPTIMISATION, key=key)


@cache
def _sources() -> dict[str, str]:
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(KERNELS.glob("*.py"))}
