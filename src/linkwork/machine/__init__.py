"""Machine code: made from LLVM IR, kept on disk, loaded into the process. Knows neither mechanics nor expressions."""

from linkwork.machine.cache import ObjectCache, cache_directory
from linkwork.machine.engine import (
    Module,
    ModuleText,
    compilation_count,
    compile_ir,
    fingerprint,
    host_key,
    load_object,
)

__all__ = [
    "Module",
    "ModuleText",
    "ObjectCache",
    "cache_directory",
    "compilation_count",
    "compile_ir",
    "fingerprint",
    "host_key",
    "load_object",
]
