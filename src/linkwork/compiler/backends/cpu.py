"""Machine code for this processor, through LLVM."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

from linkwork.compiler.backends.base import FunctionCode, SeriesCode, Source
from linkwork.compiler.llvm import emitter
from linkwork.compiler.llvm.series import SYMBOL as SERIES
from linkwork.compiler.llvm.series import emit_series
from linkwork.compiler.llvm.width import SCALAR, VECTOR, Width
from linkwork.compiler.recurrences import expand
from linkwork.machine import compile_ir, fingerprint


@dataclass(frozen=True)
class Cpu:
    """Compile the instruction list with the code generator at level 1 and no passes before it.

    The list has no common subexpressions, no branches and no memory: on such code the passes of the optimiser and
    higher levels of the code generator cost time and gain nothing.

    contract: a product and a sum may become one fused operation, which changes last bits
    reciprocals: several divisions by one value become one division and products, which changes last bits
    block_limit, chunk_size: a list longer than the limit is compiled in chunks
    """

    contract: bool = True
    reciprocals: bool = True
    block_limit: int = emitter.BLOCK_LIMIT
    chunk_size: int = emitter.CHUNK_SIZE

    @property
    def name(self) -> str:
        """The name that `build` knows it by."""
        return "cpu"

    @property
    def summary(self) -> str:
        """What it does, in one line."""
        return "machine code for this processor, with eight lanes for batches"

    def text(self, source: Source) -> str:
        """Return the text of the LLVM module of the function, to be linked with others for any machine."""
        return emitter.emit(source.instructions, SCALAR, **self._options)

    def scalar(self, source: Source) -> FunctionCode:
        """Return the code that evaluates the function once."""
        return self._compile(source, SCALAR)

    def lanes(self, source: Source) -> FunctionCode:
        """Return the code that evaluates the function for eight lanes."""
        return self._compile(source, VECTOR)

    def series(self, source: Source, states: frozenset[int]) -> SeriesCode:
        """Return the code for the power series of the *states* and of all that they depend on."""
        instructions = source.instructions
        recurrences = expand(instructions, states)
        text, layout = emit_series(recurrences, instructions.size_y, instructions.size_p)
        module = compile_ir(text, opt=0, codegen=1)
        return SeriesCode(SERIES, module.cached, module.seconds, module, layout)

    @property
    def _options(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def _compile(self, source: Source, width: Width) -> FunctionCode:
        instructions, options = source.instructions, self._options
        module = compile_ir(
            lambda: emitter.emit(instructions, width, **options),
            opt=0,
            codegen=1,
            key=fingerprint(instructions.key, _emitter_key(), str(width.lanes), repr(options)),
        )
        return FunctionCode(emitter.SYMBOL, module.cached, module.seconds, module)


@cache
def _emitter_key() -> str:
    """Return a digest of the text of the emitter, so that no code of an older emitter is taken from the cache."""
    directory = Path(emitter.__file__).parent
    return fingerprint(*(path.read_bytes() for path in sorted(directory.glob("*.py"))))
