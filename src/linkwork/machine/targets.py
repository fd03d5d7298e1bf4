"""Machines for which one module can be made of several texts: this one, and others that LLVM knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from linkwork.errors import CompileError, RefusedError, did_you_mean
from linkwork.machine.engine import Module, load_object, target_machine

OPTIMISATION = 1


@dataclass(frozen=True)
class Platform:
    """A machine. triple: as LLVM names it, empty for this one; pointer: bytes of an address."""

    name: str
    summary: str
    triple: str = ""
    pointer: int = 8


TARGETS = (
    Platform("host", "this machine"),
    Platform("aarch64", "64-bit ARM processors", "aarch64-unknown-linux-gnu"),
    Platform("wasm32", "WebAssembly, for pages", "wasm32-unknown-unknown", pointer=4),
)


def target_named(name: str) -> Platform:
    """The machine with this name."""
    for target in TARGETS:
        if target.name == name:
            return target
    hint = did_you_mean(name, [target.name for target in TARGETS])
    raise RefusedError(f"there is no target '{name}'; {hint}")


def emit_linked(texts: Sequence[str], target: Platform) -> bytes:
    """One object file of all texts, for a machine."""
    machine = _machine(target)
    return bytes(machine.emit_object(_linked(texts, machine)))


def load_linked(texts: Sequence[str]) -> Module:
    """All texts as one module of this process."""
    return load_object(emit_linked(texts, TARGETS[0]))


def _linked(texts: Sequence[str], machine: Any) -> Any:
    import llvmlite.binding as binding

    try:
        first, *others = (_parsed(text, machine) for text in texts)
        for other in others:
            first.link_in(other)
        first.verify()
    except RuntimeError as error:
        raise CompileError(f"LLVM does not accept the generated code: {error}") from error
    builder = binding.create_pass_builder(machine, binding.create_pipeline_tuning_options(speed_level=OPTIMISATION))
    builder.getModulePassManager().run(first, builder)
    return first


def _parsed(text: str, machine: Any) -> Any:
    import llvmlite.binding as binding

    module = binding.parse_assembly(text)
    module.triple, module.data_layout = machine.triple, str(machine.target_data)
    return module


@cache
def _machine(target: Platform) -> Any:
    import llvmlite.binding as binding

    if not target.triple:
        return target_machine(codegen=OPTIMISATION)
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    return binding.Target.from_triple(target.triple).create_target_machine(opt=OPTIMISATION)
