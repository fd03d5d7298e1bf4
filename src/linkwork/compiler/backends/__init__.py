"""The backends: each makes code for the same functions, with the same signatures."""

from linkwork.compiler.backends.base import Backend, FunctionCode, Source
from linkwork.compiler.backends.cpu import Cpu
from linkwork.compiler.backends.reference import Reference

ALL_BACKENDS: tuple[Backend, ...] = (Cpu(), Reference())

__all__ = ["ALL_BACKENDS", "Backend", "Cpu", "FunctionCode", "Reference", "Source"]
