"""Runs as one artefact, linked by name: the same motion as in this process, and objects for other machines."""

from __future__ import annotations

import ctypes

import mechanisms
import numpy as np
import pytest

import linkwork as lw
from linkwork.compiler.artefact import Artefact, link
from linkwork.errors import RefusedError
from linkwork.machine import Module
from linkwork.numerics.integrators import method_named
from linkwork.numerics.integrators.memory import Memory
from linkwork.numerics.integrators.run import with_solver
from linkwork.numerics.kernels.language.calling import kernel
from linkwork.numerics.kernels.language.records import Floats, ModelFunction, Record, array, borrowed
from linkwork.numerics.kernels.stepping.advance import advance
from linkwork.numerics.loader import compiled

RTOL = 1e-9


class Part(Record):
    factor: float
    numbers: Floats = borrowed()


class Whole(Record):
    count: int
    parts: list[Part] = array("count")
    numbers: Floats = borrowed()
    function: ModelFunction | None = None
    sums: Floats = array("count")


@kernel
def add_up(whole: Whole) -> None:
    """The sums of what each part sees, times its factor."""
    for i in range(whole.count):
        part = whole.parts[i]
        total = 0.0
        for k in range(3):
            total += part.numbers[k]
        whole.sums[i] = part.factor * total
        whole.numbers[0] += 1.0


def memory_of(formulation: str, integrator: str, backend: str = "cpu") -> Memory:
    """A run of a four-bar that has begun."""
    mechanism, method = (
        lw.prepare(mechanisms.four_bar(), formulation=formulation, backend=backend),
        method_named(integrator),
    )
    start = mechanism.start()
    flow = with_solver(method, mechanism.flow(start, slope=method.implicit), start.y.size)
    memory = Memory(method, flow, start.y.copy(), np.linspace(0.0, 2.0, 21), None)
    memory.set_tolerances(RTOL, 1e-11, np.inf, 10**6)
    memory.begin(None)
    memory.run.chunk_steps, memory.run.pause = 10**6, np.inf
    return memory


def run(artefact: Artefact, name: str, size: int) -> np.ndarray:
    """Run an artefact in this process, and read one of its arrays."""
    module: Module = artefact.load()
    ctypes.CFUNCTYPE(None)(module.address(artefact.entry))()
    symbol, offset = artefact.places[name]
    return np.frombuffer(ctypes.string_at(module.data(symbol) + offset, 8 * size))


def test_records_rows_and_shared_memory_are_linked_by_name() -> None:
    """Parts see the array of the whole from different elements on, and what the kernel writes there the next one sees."""
    shared = np.arange(5.0)
    whole = Whole(count=2, numbers=shared)
    for i, part in enumerate(whole.parts):
        part.factor, part.numbers = 10.0 ** (i + 1), shared[i:]
    artefact = link(add_up, whole)
    found = run(artefact, "sums", 2)
    assert found.tolist() == [10 * (0 + 1 + 2), 100 * (1 + 2 + 3)]
    assert whole.sums.tolist() == [0.0, 0.0] and shared[0] == 0.0  # memory of its own


@pytest.mark.parametrize(("formulation", "integrator"), [("hybrid", "dop853"), ("partitioning", "radau5")])
def test_a_run_is_one_artefact_with_the_same_motion(formulation: str, integrator: str) -> None:
    memory = memory_of(formulation, integrator)
    artefact = link(advance, memory.run)
    found = run(artefact, "output", memory.run.output.size)
    compiled(advance)(memory.run)
    assert memory.run.accepted > 40 and np.isfinite(memory.run.output).all()
    np.testing.assert_allclose(found, memory.run.output, rtol=0, atol=100 * RTOL)


def test_an_artefact_holds_no_address_and_is_emitted_for_other_machines() -> None:
    artefact = link(advance, memory_of("multipliers", "dopri5").run)
    assert not any("inttoptr" in text for text in artefact.texts())
    page, arm = artefact.emit("wasm32"), artefact.emit("aarch64")
    assert page[:4] == b"\0asm"
    assert arm[:4] == b"\x7fELF" and arm[18] == 0xB7  # e_machine
    with pytest.raises(RefusedError, match="there is no target 'wasm'; did you mean 'wasm32'"):
        artefact.emit("wasm")


def test_what_has_no_code_is_not_linked() -> None:
    with pytest.raises(RefusedError, match="the backend 'reference' makes no code"):
        link(advance, memory_of("multipliers", "dopri5", backend="reference").run)
    with pytest.raises(RefusedError, match="'function' of a Whole is known by its address in this process alone"):
        link(add_up, Whole(count=1, numbers=np.zeros(1), function=12345))
