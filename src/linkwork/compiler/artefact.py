"""A run as one artefact: the integrator, the procedure of a formulation and the functions of a model, linked by name.

What a run consists of is data: kernels and functions by name, and a record with all that they know (``numerics``). A backend
makes an `Artefact` of it, one LLVM module without an address of any machine, which becomes an object of this process, or one
for another processor or for a page (WebAssembly).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from linkwork.compiler.compiled import CompiledFunction
from linkwork.compiler.llvm import emitter
from linkwork.errors import RefusedError
from linkwork.machine import Module
from linkwork.machine.targets import Platform, emit_linked, load_linked, target_named
from linkwork.numerics.kernels.language.calling import Kernel
from linkwork.numerics.kernels.language.image import Image, image_of
from linkwork.numerics.kernels.language.records import Record
from linkwork.numerics.kernels.language.translation import translate

ENTRY = "linkwork_run"


@dataclass(frozen=True, eq=False)
class Artefact:
    """Code and data by name.

    kernels: the text of all kernels; functions: of each function of the model; image: of the records
    entry: ``void linkwork_run(void)``, which runs a kernel on the record that all begins with
    """

    kernels: str
    functions: tuple[str, ...]
    image: Image
    entry: str = ENTRY

    @property
    def places(self) -> Mapping[str, tuple[str, int]]:
        """Symbol and offset (bytes) of the arrays of the run, such as 'output', 'state' and 'step_times'."""
        return self.image.places

    def texts(self, pointer: int = 8) -> tuple[str, ...]:
        """The modules that are linked together, for a machine whose addresses have so many bytes."""
        return f"{self.kernels}\n{self.image.text(pointer)}", *self.functions

    def emit(self, target: str | Platform = "host") -> bytes:
        """An object file for a machine of ``machine/targets.py``; what it calls of the C library stays open."""
        machine = target if isinstance(target, Platform) else target_named(target)
        return emit_linked(self.texts(machine.pointer), machine)

    def load(self) -> Module:
        """Machine code and data in this process."""
        return load_linked(self.texts())


def link(kernel: Kernel[..., Any], root: Record) -> Artefact:
    """The artefact that runs a kernel such as ``advance`` on a record, and all that this refers to."""
    image = image_of(root)
    symbol, offset = image.root
    wanted = {**image.kernels, kernel.symbol: kernel}
    text = translate(list(wanted.values()))
    declared = "\n".join(f"declare void @{name}(double, ptr, ptr, ptr)" for name in image.functions)
    place = f"getelementptr (i8, ptr @{symbol}, i64 {offset})"
    entry = f"define void @{ENTRY}() {{\n  call void @{kernel.symbol}(ptr {place})\n  ret void\n}}"
    functions = tuple(_text(name, function) for name, function in image.functions.items())
    return Artefact("\n\n".join([text, declared, entry]), functions, image)


def _text(symbol: str, function: Any) -> str:
    """The module of a function of a model under another name."""
    if not isinstance(function, CompiledFunction):
        raise RefusedError(f"{function!r} is no function of a model: power series are compiled for this process alone")
    return re.sub(rf"@{emitter.SYMBOL}\(", f"@{symbol}(", function.text())
