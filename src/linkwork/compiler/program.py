"""Stage 5 of the walk: from expressions to a program, whose functions take and give arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Protocol, runtime_checkable

import casadi as ca

from linkwork.answer import Answer, Column
from linkwork.compiler.backends import ALL_BACKENDS, Backend, Cpu
from linkwork.compiler.compiled import CompiledFunction
from linkwork.errors import RefusedError, UnknownNameError, did_you_mean


class HasFunctions(Protocol):
    """Anything that offers functions of (t, y, p) by name, such as the equations of a mechanism."""

    @property
    def functions(self) -> Mapping[str, ca.Function]:
        """The functions by name."""


@runtime_checkable
class HasSeldomFunctions(HasFunctions, Protocol):
    """What knows which of its functions a run calls a few times only."""

    @property
    def seldom(self) -> frozenset[str]:
        """Their names."""


class Program(Answer, Mapping[str, CompiledFunction]):
    """Named functions of (t, y, p). A function that is not used is not compiled.

    source: what has the functions, such as the equations of a mechanism
    """

    plotted = ("operations",)

    def __init__(self, source: HasFunctions | Mapping[str, ca.Function], backend: Backend) -> None:
        self.source, self.backend = source, backend
        functions = source if isinstance(source, Mapping) else source.functions
        seldom = source.seldom if isinstance(source, HasSeldomFunctions) else frozenset()
        self._functions = {
            name: CompiledFunction(name, function, backend, name in seldom) for name, function in functions.items()
        }

    def __reduce__(self) -> tuple[object, ...]:
        return Program, (self.source, self.backend)

    def __getitem__(self, name: str) -> CompiledFunction:
        try:
            return self._functions[name]
        except KeyError:
            hint = did_you_mean(name, list(self._functions))
            raise UnknownNameError(f"the program has no function '{name}'; {hint}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._functions)

    def __len__(self) -> int:
        return len(self._functions)

    def __contains__(self, name: object) -> bool:
        return name in self._functions

    @property
    def title(self) -> str:
        return f"Program: {len(self)} function{'s' if len(self) != 1 else ''}, backend '{self.backend.name}'"

    def facts(self) -> list[tuple[str, str]]:
        """The functions: what they take and give, and what making them has cost."""
        return [(name, _describe(self[name])) for name in self]

    def columns(self) -> list[Column]:
        """The functions: how many operations they have, and how many numbers they take and give."""
        sizes = {"operations": "operations", "states": "size_y", "parameters": "size_p", "outputs": "size_out"}
        numbers = (Column(head, [getattr(self[name], key) for name in self], "1") for head, key in sizes.items())
        return [Column("function", list(self)), *numbers]


def build(equations: HasFunctions | Mapping[str, ca.Function], backend: str | Backend = "cpu") -> Program:
    """The program of some equations, or of functions of (t, y, p) by name; users call it of any noun of the walk."""
    return Program(equations, find_backend(backend) if isinstance(backend, str) else backend)


def in_shape(backend: str | Backend | None, shape: str | None) -> str | Backend | None:
    """A backend whose code has a shape, 'straight' or 'tables'; without one, what is given."""
    if shape is None:
        return backend
    chosen = find_backend(backend or "cpu") if backend is None or isinstance(backend, str) else backend
    if not isinstance(chosen, Cpu):
        raise RefusedError(f"shape='{shape}': the backend '{chosen.name}' has no shapes; leave it out, or take 'cpu'")
    return replace(chosen, shape=shape)


def find_backend(name: str) -> Backend:
    """Return the backend with this name."""
    for backend in ALL_BACKENDS:
        if backend.name == name:
            return backend
    valid = ", ".join(f"'{backend.name}' ({backend.summary})" for backend in ALL_BACKENDS)
    raise RefusedError(f"there is no backend '{name}'; valid are: {valid}")


def _describe(function: CompiledFunction) -> str:
    signature = f"y[{function.size_y}], p[{function.size_p}] -> out[{function.size_out}]"
    if not function.codes:
        return f"{signature}, not used yet"
    forms = [
        f"{form} {'loaded' if code.cached else 'made'} in {1e3 * code.seconds:.1f} ms"
        for form, code in function.codes.items()
    ]
    notes = dict.fromkeys(code.note for code in function.codes.values() if code.note)
    return ", ".join([signature, f"{function.instructions.operations} operations", *notes, *forms])
