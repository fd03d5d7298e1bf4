"""Text of an LLVM module becomes code that computes; a second time it is loaded, not compiled."""

from __future__ import annotations

import ctypes
import math
import subprocess
import sys
from pathlib import Path

import pytest

from linkwork.errors import CompileError
from linkwork.machine import Module, ObjectCache, compilation_count, compile_ir, engine, load_object


def sine_plus(constant: float) -> str:
    return f"""
declare double @sin(double)
define double @f(double %x) {{
  %s = call double @sin(double %x)
  %r = fadd double %s, {constant!r}
  ret double %r
}}
"""


def call(module: Module, x: float) -> float:
    return float(ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(module.address("f"))(x))


def forget(module: Module) -> None:
    """Make the process forget a module, as if it had started anew."""
    del engine._LOADED[module.key]


def test_compiled_code_computes(tmp_path: Path) -> None:
    module = compile_ir(sine_plus(2.0), cache=ObjectCache(tmp_path))
    assert call(module, 0.5) == math.sin(0.5) + 2.0


def test_same_text_in_one_process_is_one_module(tmp_path: Path) -> None:
    cache = ObjectCache(tmp_path)
    assert compile_ir(sine_plus(3.0), cache=cache) is compile_ir(sine_plus(3.0), cache=cache)


def test_a_hit_loads_without_writing_or_compiling(tmp_path: Path) -> None:
    cache = ObjectCache(tmp_path)
    first = compile_ir(lambda: sine_plus(4.0), key="four", cache=cache)
    forget(first)
    before = compilation_count()

    def never() -> str:
        raise AssertionError("the text is not needed")

    second = compile_ir(never, key="four", cache=cache)
    assert not first.cached and second.cached
    assert compilation_count() == before
    assert call(second, 0.25) == call(first, 0.25)


def test_a_damaged_object_is_compiled_again(tmp_path: Path) -> None:
    cache = ObjectCache(tmp_path)
    forget(compile_ir(sine_plus(5.0), cache=cache))
    (entry,) = (tmp_path / "objects").iterdir()
    entry.write_bytes(entry.read_bytes()[:200])
    module = compile_ir(sine_plus(5.0), cache=cache)
    assert not module.cached
    assert call(module, 1.0) == math.sin(1.0) + 5.0


def test_the_level_of_optimisation_belongs_to_the_key(tmp_path: Path) -> None:
    cache = ObjectCache(tmp_path)
    keys = {compile_ir(sine_plus(6.0), opt=opt, cache=cache).key for opt in range(4)}
    keys.add(compile_ir(sine_plus(6.0), opt=0, codegen=1, cache=cache).key)
    assert len(keys) == 5


def test_an_object_file_can_be_loaded(tmp_path: Path) -> None:
    requires, data = engine._emit_object(sine_plus(7.0), 1, 1)
    assert requires == ("sin",)
    assert call(load_object(data, requires), 1.0) == math.sin(1.0) + 7.0


def test_faulty_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CompileError, match="does not accept"):
        compile_ir("this is not LLVM", cache=ObjectCache(tmp_path))


def test_a_function_without_key_is_refused() -> None:
    with pytest.raises(CompileError, match="needs a key"):
        compile_ir(lambda: sine_plus(8.0))


def test_an_unknown_external_function_is_named(tmp_path: Path) -> None:
    with pytest.raises(CompileError, match="'no_such_thing'"):
        compile_ir(sine_plus(9.0).replace("@sin", "@no_such_thing"), cache=ObjectCache(tmp_path))
    _, data = engine._emit_object(sine_plus(10.0), 1, 1)
    with pytest.raises(CompileError, match="'no_such_thing'"):
        load_object(data, requires=["no_such_thing"])


def test_an_unknown_symbol_is_named(tmp_path: Path) -> None:
    module = compile_ir(sine_plus(11.0), cache=ObjectCache(tmp_path))
    with pytest.raises(CompileError, match="'g'"):
        module.address("g")


def test_another_process_uses_the_cache(tmp_path: Path) -> None:
    script = (
        "from linkwork.machine import ObjectCache, compile_ir, compilation_count\n"
        f"module = compile_ir({sine_plus(12.0)!r}, cache=ObjectCache({str(tmp_path)!r}))\n"
        "print(module.cached, compilation_count())"
    )
    outputs = [subprocess.run([sys.executable, "-c", script], capture_output=True, text=True).stdout for _ in range(2)]
    assert [output.split() for output in outputs] == [["False", "1"], ["True", "0"]]
