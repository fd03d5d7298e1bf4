"""Machine code for this processor, through LLVM."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from linkwork.compiler import folding
from linkwork.compiler.backends.base import FunctionCode, SeriesCode, Source
from linkwork.compiler.instructions import Instructions
from linkwork.compiler.llvm import emitter, tables
from linkwork.compiler.llvm.series import SYMBOL as SERIES
from linkwork.compiler.llvm.series import emit_series
from linkwork.compiler.llvm.width import SCALAR, VECTOR, Width
from linkwork.compiler.recurrences import expand
from linkwork.errors import RefusedError, did_you_mean
from linkwork.machine import ModuleText, compile_ir, fingerprint

AUTOMATIC, STRAIGHT, TABLES = "automatic", "straight", "tables"
SHAPES = (AUTOMATIC, STRAIGHT, TABLES)
LONG = 20_000  # operations and stores beyond which one function takes too long to compile, however little repeats
REPEATING = (
    2_500  # those beyond which tables are ahead where more than half repeats; and what is called seldom is hasty
)


@dataclass(frozen=True)
class Cpu:
    """Compile the instruction list with the code generator at level 1 and no passes before it.

    The list has no common subexpressions, no branches and no memory: on such code the passes of the optimiser and
    higher levels of the code generator cost time and gain nothing. A long list that runs call a few times only is
    compiled at level 0: that takes a tenth of the time, and evaluations two to three times as long.

    contract: a product and a sum may become one fused operation, which changes last bits
    reciprocals: several divisions by one value become one division and products, which changes last bits
    shape: 'straight', one line after another; 'tables', loops over sections that repeat (`linkwork.compiler.folding`); by
        default the first for short lists and the second for long ones
    """

    contract: bool = True
    reciprocals: bool = True
    shape: str = AUTOMATIC

    def __post_init__(self) -> None:
        if self.shape not in SHAPES:
            raise RefusedError(f"there is no shape '{self.shape}' of compiled code; {did_you_mean(self.shape, SHAPES)}")

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
        if self.shape_of(source) == STRAIGHT:
            return emitter.emit(source.instructions, SCALAR, **self._options)
        return tables.emit_whole(source.folded, SCALAR, **self._options)

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
        return SeriesCode(SERIES, module.cached, module.seconds, module, layout=layout)

    def shape_of(self, source: Source) -> str:
        """The shape that the function takes: 'straight' or 'tables'."""
        if self.shape != AUTOMATIC:
            return self.shape
        lines = _lines(source.instructions)
        return TABLES if lines > LONG or (lines > REPEATING and source.folded.written < lines / 2) else STRAIGHT

    @property
    def _options(self) -> dict[str, bool]:
        return {"contract": self.contract, "reciprocals": self.reciprocals}

    def _compile(self, source: Source, width: Width) -> FunctionCode:
        instructions, options = source.instructions, self._options
        name = fingerprint(instructions.key, _emitter_key(), str(width.lanes), repr(options))
        hasty = source.seldom and width.is_scalar and self.shape == AUTOMATIC and _lines(instructions) > REPEATING
        if hasty or self.shape_of(source) == STRAIGHT:
            texts = [ModuleText(lambda: emitter.emit(instructions, width, **options), name)]
        else:
            folded = source.folded
            known = fingerprint(
                "kinds", *(kind.text for kind in folded.kinds), _emitter_key(), str(width.lanes), repr(options)
            )
            texts = [
                ModuleText(lambda: tables.emit_kinds(folded, width, **options), known),
                ModuleText(
                    lambda: tables.emit_tables(folded, width), fingerprint("tables", name), tables.symbols_of(folded)
                ),
            ]
        module = compile_ir(texts, opt=0, codegen=0 if hasty else 1)
        note = f"as tables: {source.folded.summary}" if len(texts) > 1 else "compiled quickly" * hasty
        return FunctionCode(emitter.SYMBOL, module.cached, module.seconds, module, note)


def _lines(instructions: Instructions) -> int:
    """Operations and stores."""
    return instructions.operations + instructions.stores


@cache
def _emitter_key() -> str:
    """Return a digest of the text of the emitter, so that no code of an older emitter is taken from the cache."""
    folders = [Path(emitter.__file__).parent, *map(Path, folding.__path__)]
    return fingerprint(*(path.read_bytes() for folder in folders for path in sorted(folder.glob("*.py"))))
