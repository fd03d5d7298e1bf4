"""Procedures: operations on one record, linked into a flow."""

from __future__ import annotations

import pickle
import re
from dataclasses import is_dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.compiler.program import build
from linkwork.errors import RefusedError
from linkwork.numerics.flows.constrained import by_multipliers, by_penalties
from linkwork.numerics.flows.context import ConstrainedSystem, memory_of
from linkwork.numerics.flows.flow import Flow
from linkwork.numerics.flows.procedure import Procedure, kind_of
from linkwork.numerics.integrators import method_named
from linkwork.numerics.integrators.run import integrate
from linkwork.numerics.integrators.solution import RunStatus
from linkwork.numerics.kernels.constrained import closing, multipliers, straight
from linkwork.numerics.kernels.constrained import procedure as interpreter
from linkwork.numerics.kernels.constrained.operations import ACCELERATIONS, RATES, STATE, VELOCITIES
from linkwork.numerics.kernels.constrained.partition import solve_velocities
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import Kernel, kernel
from linkwork.numerics.kernels.language.records import Code, Floats
from linkwork.numerics.kernels.linear import dense as linear

ROOT = Path(__file__).parents[2]
PAGE, EXAMPLES = ROOT / "docs/howto/add_a_formulation.md", ROOT / "src/linkwork/mechanisms"


def example(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the page defines."""
    monkeypatch.chdir(ROOT)
    names: dict[str, Any] = {}
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S)
    exec(code, names)
    return names


def system(coordinates: str) -> tuple[ConstrainedSystem, np.ndarray]:
    mechanism = lw.prepare(lw.load(EXAMPLES / "rscr.yaml"), coordinates=coordinates, formulation="penalty")
    start = mechanism.start()
    return mechanism.system(start.p), start.y


@pytest.mark.parametrize("kind", ["relative", "natural", "reference_point", "mixed"])
def test_a_formulation_from_outside_moves_as_others_do(
    kind: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    formulation = example(monkeypatch)["NullSpace"]()
    assert "closure" in capsys.readouterr().out
    for name in ("four_bar", "rscr"):
        model = lw.load(EXAMPLES / f"{name}.yaml")
        own, usual = (lw.simulate(model, 0.5, coordinates=kind, formulation=f) for f in (formulation, "partitioning"))
        assert own.audit.passed
        body = next(iter(model.bodies))
        assert own[f"{body}.x"] == pytest.approx(usual[f"{body}.x"], abs=1e-7)
        assert own["closure"].max() < 1e-12


def test_parameters_say_what_an_operation_is_called_with() -> None:
    kinds = [closing.project, multipliers.evaluate_terms, solve_velocities, multipliers.solve_null_space]
    assert [kind_of(item) for item in kinds] == [STATE, RATES, VELOCITIES, ACCELERATIONS]
    with pytest.raises(RefusedError, match=r"'dot\(.*\)' is no operation: those take \(t, y, ws\) or"):
        kind_of(linear.dot)


def test_a_single_operation_is_the_flow_itself() -> None:
    flow = by_multipliers().begin(system("natural")[0])
    assert flow.flow == interpreter.evaluate
    assert Procedure(flow=(straight.accelerate_straight,)).begin(system("natural")[0]).flow == (
        straight.accelerate_straight
    )
    assert flow.refresh == closing.project  # points and vectors have no charts


def test_what_has_nothing_to_do_is_left_out() -> None:
    """Points and vectors need no retraction; quaternions are no plain numbers, and have no charts."""
    penalty = np.ones(100)
    natural, quaternions = (system(kind)[0] for kind in ("natural", "reference_point"))
    assert by_penalties(penalty[: natural.m]).begin(natural).refresh is None
    assert by_penalties(penalty[: quaternions.m]).begin(quaternions).refresh == straight.settle_state


def test_a_failure_ends_the_list_and_is_told() -> None:
    chosen, y = system("natural")
    procedure = Procedure(flow=(multipliers.evaluate_terms, multipliers.solve_null_space))
    flow, rates = procedure.begin(chosen), np.empty(y.size)
    assert flow.evaluate(0.0, y.copy(), rates) == 0
    expected = rates.copy()
    assert reference(chosen, y) == pytest.approx(expected, rel=1e-9, abs=1e-9)
    memory_of(flow).rank = chosen.nv  # more independent conditions than there are
    assert flow.evaluate(0.0, y.copy(), rates) < 0


def reference(chosen: ConstrainedSystem, y: np.ndarray) -> np.ndarray:
    """ẏ by a dense solution of the equations with multipliers, from the terms themselves."""
    flow: Flow = Procedure(flow=(multipliers.evaluate_terms,)).begin(chosen)
    rates, n, m = np.empty(y.size), chosen.nv, chosen.m
    flow.evaluate(0.0, y.copy(), rates)
    out = memory_of(flow).terms_out[chosen.nq + chosen.ns :]
    h, b = out[:n], out[n : n + m]
    mass = out[n + m : n + m + n * n].reshape(n, n, order="F")
    c = out[n + m + n * n :].reshape(m, n, order="F")
    matrix = np.block([[mass, c.T], [c, np.zeros((m, m))]])
    rates[chosen.nq : chosen.nq + n] = np.linalg.lstsq(matrix, np.concatenate([h, -b]), rcond=1e-12)[0][:n]
    return rates


def test_procedures_that_cannot_run_are_refused() -> None:
    chosen, _ = system("natural")
    with pytest.raises(RefusedError, match="needs operations that give the rates"):
        Procedure(flow=())
    with pytest.raises(RefusedError, match="is no operation"):
        Procedure(flow=(reference,))  # type: ignore[arg-type]
    # a single operation that is called otherwise than a flow is a list of one
    assert Procedure(flow=(solve_velocities,)).begin(chosen).flow == interpreter.evaluate
    alone = Procedure(flow=multipliers.evaluate_terms)  # type: ignore[arg-type]
    assert alone.flow == (multipliers.evaluate_terms,)
    for name in ("terms", "closure"):
        with pytest.raises(RefusedError, match=f"there is no '{name}'"):
            alone.begin(replace(chosen, functions={k: f for k, f in chosen.functions.items() if k != name}))


@kernel
def own_operation(t: float, y: Floats, ws: Workspace) -> Code:
    """Half of the first state."""
    y[0] *= 0.5
    return 1


def test_kernels_from_outside_are_operations_too() -> None:
    chosen, y = system("natural")
    procedure = Procedure(flow=(multipliers.evaluate_terms,), refresh=(own_operation,))
    corrected = y.copy()
    assert procedure.begin(chosen).correct(0.0, corrected) == 1
    assert corrected.tolist() == [0.5 * y[0], *y[1:]]


@pytest.mark.parametrize(
    ("formulation", "kind", "method"),
    [
        ("hybrid", "relative", "dop853"),
        ("partitioning", "natural", "dop853"),
        ("index2", "natural", "radau5"),
        ("canonical", "reference_point", "adams"),
        ("index3_augmented_lagrangian", "natural", "trapezoidal"),
    ],
)
def test_a_run_is_described_without_addresses_and_bound_afterwards(formulation: str, kind: str, method: str) -> None:
    """Procedure, integrator and functions by name go through a pickle, and on to another program."""
    model = lw.load(EXAMPLES / "four_bar.yaml")
    mechanism, again = (lw.prepare(model, coordinates=kind, formulation=formulation) for _ in range(2))
    scheme, start = mechanism.equations.scheme, mechanism.start()
    described = pickle.dumps((scheme.procedure, method_named(method), tuple(scheme.functions)))
    assert described == pickle.dumps(
        (again.equations.scheme.procedure, method_named(method), tuple(again.equations.scheme.functions))
    )
    procedure, chosen, names = pickle.loads(described)
    assert not [number for number in numbers_in(procedure) if abs(number) > 2**32]
    program = build(scheme.functions, again.program.backend)
    bound = replace(mechanism.system(start.p), functions={name: program[name] for name in names})
    step = None if chosen.adaptive and formulation != "index3_augmented_lagrangian" else 1e-3
    grid, nq = np.linspace(0.0, 0.05, 6), mechanism.coordinates.q.numel()
    runs = [
        integrate(which, replace(flow, positions=nq), start.y, grid, step=step, rtol=1e-6)
        for which, flow in ((chosen, procedure.begin(bound, 0.0, start.y)), (method, mechanism.flow(start)))
    ]
    assert runs[0].status is runs[1].status is RunStatus.COMPLETED
    assert runs[0].y.tolist() == runs[1].y.tolist()


def numbers_in(data: Any) -> list[float]:
    """All numbers of a description."""
    if isinstance(data, dict):
        return [number for value in data.values() for number in numbers_in(value)]
    if isinstance(data, list | tuple | np.ndarray):
        return [number for value in data for number in numbers_in(value)]
    if isinstance(data, Kernel):
        return []
    if is_dataclass(data):
        return numbers_in(vars(data))
    return [float(data)] if isinstance(data, int | float | np.number) else []
