"""Stage 5 of the walk: expressions become an instruction list, and the list becomes code."""

from linkwork.compiler.backends import ALL_BACKENDS, Backend, Cpu, Reference
from linkwork.compiler.compiled import CompiledFunction
from linkwork.compiler.export import export_c
from linkwork.compiler.instructions import Instructions
from linkwork.compiler.lower import lower
from linkwork.compiler.operations import Op
from linkwork.compiler.program import Program, build

__all__ = [
    "ALL_BACKENDS",
    "Backend",
    "CompiledFunction",
    "Cpu",
    "Instructions",
    "Op",
    "Program",
    "Reference",
    "build",
    "export_c",
    "lower",
]
