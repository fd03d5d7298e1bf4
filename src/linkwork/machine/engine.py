"""LLVM: from the text of a module to callable addresses. The only file that touches ``llvmlite.binding``.

A module is compiled to an object file in memory, the object goes to the cache on disk, and the object is loaded. A
hit in the cache only loads (about a millisecond): nothing is parsed and nothing is optimised. Loaded code stays in
memory as long as somebody holds its `Module`: whoever keeps an address keeps what it came from.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from weakref import WeakValueDictionary

from linkwork.above import ask
from linkwork.errors import CompileError
from linkwork.machine.cache import ObjectCache, cache_directory
from linkwork.progress import working

_LOCK = threading.RLock()
_LOADED: WeakValueDictionary[str, Module] = WeakValueDictionary()
_compilations = 0
LAPACK, KERNELS = "lapack_", "linkwork_"  # with which names of functions that others have begin in compiled code

# what the code generator may call although the text of the module does not mention it
_IMPLIED_SYMBOLS = ("sin", "cos", "fma", "floor", "ceil", "fmin", "fmax", "memcpy", "memset", "memmove")


@dataclass(frozen=True, eq=False)
class Module:
    """Machine code in memory, which goes with it. *cached*: it came from the disk; *seconds*: the time to get it."""

    key: str
    cached: bool
    seconds: float
    size: int
    _engine: Any = field(repr=False)

    def address(self, symbol: str) -> int:
        """Return the address of a function of this module."""
        found = int(self._engine.get_function_address(symbol))
        if found == 0:
            raise CompileError(f"the compiled module {self.key[:12]} has no function '{symbol}'")
        return found

    def data(self, symbol: str) -> int:
        """Return the address of a variable of this module."""
        return int(self._engine.get_global_value_address(symbol))


@dataclass(frozen=True)
class ModuleText:
    """The text of an LLVM module, or a function that writes it and is called where no object of it is kept.

    key: name of the content; by default the digest of the text
    calls: functions that another text of the same call defines
    """

    ir: str | Callable[[], str]
    key: str | None = None
    calls: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        if self.key is not None:
            return self.key
        if not isinstance(self.ir, str):
            raise CompileError("a function that writes LLVM IR needs a key that names its content")
        return fingerprint("ir", self.ir)


def compile_ir(
    ir: str | Callable[[], str] | Sequence[ModuleText],
    *,
    opt: int = 1,
    codegen: int | None = None,
    key: str | None = None,
    cache: ObjectCache | None = None,
) -> Module:
    """Compile the text of an LLVM module for this machine, or load what an earlier compilation left in the cache.

    ir: the text, or a function that writes it; the function is only called on a miss, and needs a *key*. Or several that
        are loaded together, each with an object of its own in the cache.
    opt: level of the passes over the module, 0 to 3.
    codegen: level of the code generator, 0 to 3; by default the same.
    key: name of the content; by default the digest of the text. Versions, processor and levels are always added to it.
    cache: where objects are kept; by default the user's cache directory.
    """
    texts = [ModuleText(ir, key)] if isinstance(ir, str) or callable(ir) else list(ir)
    levels = (opt, opt if codegen is None else codegen)
    keys = [fingerprint(text.name, host_key(), repr(levels)) for text in texts]
    whole = keys[0] if len(keys) == 1 else fingerprint("together", *keys)
    with _LOCK:
        found = _LOADED.get(whole)
        if found is not None:
            return found
        store, start = cache if cache is not None else _default_cache(), time.perf_counter()
        objects = [_object(text, one, levels, store) for text, one in zip(texts, keys, strict=True)]
        own = {symbol for text in texts for symbol in text.calls}
        requires = [symbol for needed, _, _ in objects for symbol in needed if symbol not in own]
        cached = all(kept for *_, kept in objects)
        module = _load(whole, requires, [data for _, data, _ in objects], cached=cached, start=start)
        _LOADED[whole] = module
        return module


def _object(
    text: ModuleText, key: str, levels: tuple[int, int], store: ObjectCache
) -> tuple[tuple[str, ...], bytes, bool]:
    """The symbols that a module needs from outside, its object file, and whether that was kept."""
    packed = store.get(key)
    if packed is not None:
        return *_unpack(packed), True
    with working("compiling"):
        made = _emit_object(text.ir if isinstance(text.ir, str) else text.ir(), *levels, own=text.calls)
    store.put(key, _pack(*made))
    return *made, False


def load_object(data: bytes, requires: Iterable[str] = ()) -> Module:
    """Load an object file of this machine that was made elsewhere; *requires* names the symbols that it calls.

    A call of a symbol that cannot be found would end the process; those named in *requires* raise an error instead.
    """
    with _LOCK:
        key = fingerprint("object", data)
        found = _LOADED.get(key)
        if found is None:
            found = _LOADED[key] = _load(key, requires, [data], cached=True, start=time.perf_counter())
        return found


def compilation_count() -> int:
    """Return how many modules this process has compiled; those loaded from the cache do not count."""
    return _compilations


def fingerprint(*parts: str | bytes) -> str:
    """Return a digest of the parts: 64 hexadecimal digits."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()


@cache
def host_key() -> str:
    """Return a digest of all that decides about machine code besides its source: versions, processor, system."""
    import llvmlite

    binding = _binding()
    parts = [llvmlite.__version__, str(binding.llvm_version_info), binding.get_process_triple()]
    return fingerprint("1", *parts, binding.get_host_cpu_name(), _host_features())


@cache
def _default_cache_at(directory: str) -> ObjectCache:
    return ObjectCache(directory)


def _default_cache() -> ObjectCache:
    return _default_cache_at(str(cache_directory()))


@cache
def _binding() -> Any:
    import llvmlite.binding as binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    return binding


@cache
def _host_features() -> str:
    try:
        return str(_binding().get_host_cpu_features().flatten())
    except RuntimeError:  # some processors do not tell
        return ""


def target_machine(codegen: int, *, loads: bool = False) -> Any:
    """What emits code for this processor; *loads*: what only loads it, and is made in half the time."""
    binding = _binding()
    target = binding.Target.from_triple(binding.get_process_triple())
    return target.create_target_machine(
        cpu="" if loads else binding.get_host_cpu_name(),
        features="" if loads else _host_features(),
        opt=codegen,
        reloc="default" if sys.maxsize > 2**32 else "static",
        codemodel="jitdefault",
        jit=True,
    )


def _emit_object(ir: str, opt: int, codegen: int, own: Collection[str] = ()) -> tuple[tuple[str, ...], bytes]:
    """Return the symbols that the module needs from outside, and its object file. *own*: those that come with it."""
    global _compilations
    binding = _binding()
    try:
        module = binding.parse_assembly(ir)
        module.triple = binding.get_process_triple()
        module.verify()
    except RuntimeError as error:
        raise CompileError(f"LLVM does not accept the generated code: {error}") from error
    requires = tuple(sorted(f.name for f in module.functions if f.is_declaration and not f.name.startswith("llvm.")))
    for symbol in set(requires) - set(own):
        _ensure_symbol(symbol)
    machine = target_machine(codegen)
    builder = binding.create_pass_builder(machine, binding.create_pipeline_tuning_options(speed_level=opt))
    builder.getModulePassManager().run(module, builder)
    _compilations += 1
    return requires, machine.emit_object(module)


def _load(key: str, requires: Iterable[str], objects: Sequence[bytes], *, cached: bool, start: float) -> Module:
    binding = _binding()
    for symbol in (*_IMPLIED_SYMBOLS, *requires):
        _ensure_symbol(symbol)
    backing = binding.parse_assembly("")
    backing.triple = binding.get_process_triple()
    engine = binding.create_mcjit_compiler(backing, target_machine(codegen=0, loads=True))
    for data in objects:
        engine.add_object_file(binding.ObjectFileRef.from_data(data))
    engine.finalize_object()
    return Module(key, cached, time.perf_counter() - start, sum(map(len, objects)), engine)


@cache
def _ensure_symbol(symbol: str) -> None:
    """Make sure that the loader will find *symbol*: in the process, in LAPACK, or in the library of mathematics."""
    binding = _binding()
    if binding.address_of_symbol(symbol):
        return
    if symbol.startswith(LAPACK):
        binding.add_symbol(symbol, _lapack(symbol.removeprefix(LAPACK)))
        return
    if symbol.startswith(KERNELS):
        binding.add_symbol(symbol, ask("loads", "linked_address")(symbol))
        return
    for library in _mathematics():
        function = getattr(library, symbol, None)
        if function is not None:
            binding.add_symbol(symbol, ctypes.cast(function, ctypes.c_void_p).value)
            return
    raise CompileError(f"the compiled code calls '{symbol}', which neither this process nor its C library provides")


def _lapack(name: str) -> int:
    """The address of a function of LAPACK that SciPy offers to compiled code."""
    from scipy.linalg import cython_lapack

    python, capsule = ctypes.pythonapi, ctypes.py_object(cython_lapack.__pyx_capi__[name])
    python.PyCapsule_GetName.restype, python.PyCapsule_GetPointer.restype = ctypes.c_char_p, ctypes.c_void_p
    return int(python.PyCapsule_GetPointer(capsule, ctypes.c_char_p(python.PyCapsule_GetName(capsule))))


@cache
def _mathematics() -> tuple[ctypes.CDLL, ...]:
    """Return the libraries to search: what this process has already loaded, then the C library by its usual names."""
    names: dict[str, tuple[str | None, ...]] = {
        "win32": ("ucrtbase", "vcruntime140", "msvcrt"),
        "darwin": (None, "libSystem.dylib"),
    }
    libraries = []
    for name in names.get(sys.platform, (None, "libm.so.6", "libc.so.6")):
        with suppress(OSError):
            libraries.append(ctypes.CDLL(name))
    return tuple(libraries)


def _pack(requires: tuple[str, ...], data: bytes) -> bytes:
    return json.dumps(requires).encode() + b"\n" + data


def _unpack(packed: bytes) -> tuple[tuple[str, ...], bytes]:
    head, _, data = packed.partition(b"\n")
    return tuple(json.loads(head)), data
