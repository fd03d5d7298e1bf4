"""Every run audits itself: what is right passes, and each check fails where it should."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mechanisms import four_bar

import linkwork as lw
from linkwork.analysis.audit import Auditor
from linkwork.analysis.trajectory import Trajectory
from linkwork.results.audit import Audit


def audited(result: lw.Result, **changed: Any) -> Audit:
    """The audit of a run whose states have been changed behind its back."""
    auditor, source = result.auditor, result.source
    assert isinstance(auditor, Auditor)
    assert isinstance(source, Trajectory)
    broken = Trajectory(source.mechanism, (source.t, source.y.copy(), source.vdot.copy()), source.p)
    for name, change in changed.items():
        change(getattr(broken, name), broken.t)
    return replace(auditor, trajectory=broken)()


def test_a_run_prints_its_audit_in_one_line() -> None:
    result = lw.simulate(four_bar(), until=2)
    assert result.audit.passed
    assert str(result.audit).startswith("audit: energy ")
    assert "closure" in str(result.audit)
    assert "branch kept" in str(result.audit)
    assert "changes by at most" not in str(result)
    assert result.audit["energy"].value < 1e-6


def test_energy_that_comes_from_nowhere_fails() -> None:
    result = lw.simulate(four_bar(), until=2)
    nq = result.source.mechanism.coordinates.q.numel()  # type: ignore[attr-defined]

    def faster(y: np.ndarray, t: np.ndarray) -> None:
        y[:, nq:] *= 1.0 + 1e-3 * t[:, None]

    found = audited(result, y=faster)
    assert not found.passed
    assert "the energy is off by" in "\n".join(found.findings)


def test_loops_that_are_open_fail_and_are_named() -> None:
    result = lw.simulate(four_bar(), until=2)

    def opened(y: np.ndarray, t: np.ndarray) -> None:
        y[300, 0] += 1e-4

    found = audited(result, y=opened)
    assert not found["closure"].passed
    assert "loops are open by" in "\n".join(found.findings)
    assert f"t = {result.time[300]:.6g} s" in "\n".join(found.findings)


def test_states_that_are_no_numbers_fail() -> None:
    result = lw.simulate(four_bar(), until=2)

    def lost(y: np.ndarray, t: np.ndarray) -> None:
        y[777, 1] = np.nan

    found = audited(result, y=lost)
    assert found.passed is False
    assert f"t = {result.time[777]:.6g} s" in found.findings[0]


def test_an_audit_is_kept_in_files(tmp_path: Path) -> None:
    result = lw.simulate(four_bar(), until=1)
    loaded = lw.load_result(result.save(tmp_path / "run.nc"))
    assert loaded.audit == result.audit
    assert result.audit.line in str(loaded)


def test_a_failed_audit_warns_once() -> None:
    result = lw.simulate(four_bar(), until=1)
    failing = Audit((replace(result.audit["energy"], value=1.0, finding="the energy is off"),))
    shown = replace(result, auditor=lambda: failing)
    with pytest.warns(lw.AuditWarning, match="the energy is off"):
        shown["B.x"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        shown["B.y"]
    assert "FAILED" in str(shown)
    assert "the energy is off" in str(shown)


def test_no_audit_where_nobody_wants_one() -> None:
    result = lw.simulate(four_bar(), until=1, audit=False)
    assert result.audit.passed is None
    assert "audit" not in dict(result.table())


def test_kinematics_is_audited() -> None:
    result = lw.solve_kinematics(four_bar(), {"O": "2*pi*t"}, until=1)
    assert result.audit.passed
    assert "energy" not in result.audit
    assert result.audit["velocities"].value < 1e-10
