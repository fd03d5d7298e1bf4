"""Procedures: operations on one record, linked into a flow."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import RefusedError
from linkwork.numerics.flows.constrained import ConstrainedSystem, by_multipliers, by_penalties
from linkwork.numerics.flows.context import memory_of
from linkwork.numerics.flows.procedure import Procedure, address_of, kind_of
from linkwork.numerics.integrators.flow import Flow
from linkwork.numerics.kernels.constrained import multipliers
from linkwork.numerics.kernels.constrained import procedure as interpreter
from linkwork.numerics.kernels.constrained import state as constrained
from linkwork.numerics.kernels.constrained.operations import ACCELERATIONS, RATES, STATE, VELOCITIES
from linkwork.numerics.kernels.constrained.partition import solve_velocities
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import kernel
from linkwork.numerics.kernels.language.records import Code, Floats
from linkwork.numerics.kernels.linear import dense as linear

ROOT = Path(__file__).parents[2]
PAGE, EXAMPLES = ROOT / "docs/howto/add_a_formulation.md", ROOT / "examples/mechanisms"


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
    kinds = [constrained.project, multipliers.evaluate_terms, solve_velocities, multipliers.solve_null_space]
    assert [kind_of(item) for item in kinds] == [STATE, RATES, VELOCITIES, ACCELERATIONS]
    with pytest.raises(RefusedError, match=r"'dot\(.*\)' is no operation: those take \(t, y, ws\) or"):
        kind_of(linear.dot)


def test_a_single_operation_is_the_flow_itself() -> None:
    flow = by_multipliers().begin(system("natural")[0])
    assert flow.flow == address_of(constrained.flow_multipliers)
    assert flow.refresh == address_of(constrained.project)  # points and vectors have no charts


def test_what_has_nothing_to_do_is_left_out() -> None:
    """Points and vectors need no retraction; quaternions are no plain numbers, and have no charts."""
    penalty = np.ones(100)
    natural, quaternions = (system(kind)[0] for kind in ("natural", "reference_point"))
    assert by_penalties(penalty[: natural.m]).begin(natural).refresh == 0
    assert by_penalties(penalty[: quaternions.m]).begin(quaternions).refresh == address_of(constrained.settle_state)


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
    assert Procedure(flow=(solve_velocities,)).begin(chosen).flow == address_of(interpreter.evaluate)
    alone = Procedure(flow=constrained.flow_multipliers)  # type: ignore[arg-type]
    assert alone.flow == (constrained.flow_multipliers,)
    for name in ("terms", "closure"):
        with pytest.raises(RefusedError, match=f"there is no '{name}'"):
            alone.begin(replace(chosen, **{name: 0}))


@kernel
def own_operation(t: float, y: Floats, ws: Workspace) -> Code:
    """Nothing."""
    return 0


def test_kernels_from_outside_are_refused_by_name() -> None:
    chosen, _ = system("natural")
    procedure = Procedure(flow=(constrained.flow_multipliers,), refresh=(own_operation,))
    with pytest.raises(RefusedError, match="'own_operation' is of the module 'test_procedures'"):
        procedure.begin(chosen)
