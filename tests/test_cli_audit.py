"""What commands say about audits, and --strict."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import linkwork as lw
from linkwork.cli import app

STIFF = """
linkwork: 1
name: stiff
space: planar
points: {O: [0, 0], P: [1, 0], W: [2, 0]}
bodies:
  cart: {mass: 1, inertia: 1, points: [P]}
joints:
  S: {kind: prismatic, bodies: [ground, cart], at: P, axis: [1, 0]}
forces:
  k: {kind: spring, between: [cart.P, W], stiffness: 1e7, free_length: 0.9}
"""


@pytest.fixture
def stiff(tmp_path: Path) -> Path:
    file = tmp_path / "stiff.yaml"
    file.write_text(STIFF, encoding="utf-8")
    return file


def test_strict_ends_with_the_exit_code_of_a_failed_audit(stiff: Path, tmp_path: Path) -> None:
    coarse = ["run", str(stiff), "--until", "10ms", "--integrator", "rk4", "--fixed-step", "1ms", "-o", str(tmp_path)]
    found = CliRunner().invoke(app, coarse)
    assert found.exit_code == 0
    assert "the energy is off by" in found.output
    assert CliRunner().invoke(app, [*coarse, "--strict", "--force"]).exit_code == 4
    kept = lw.load_result(tmp_path / "stiff.nc")
    assert kept.audit.passed is False
    fine = ["run", str(stiff), "--until", "10ms", "-o", str(tmp_path), "--strict", "--force"]
    assert CliRunner().invoke(app, fine).exit_code == 0


def test_an_accuracy_can_be_asked_for(stiff: Path, tmp_path: Path) -> None:
    found = CliRunner().invoke(app, ["run", str(stiff), "--until", "10ms", "--accuracy", "1e-7", "-o", str(tmp_path)])
    assert found.exit_code == 0
    assert "1e-07 asked for" in found.output


def test_a_page_has_a_failed_audit_in_its_heading(stiff: Path, tmp_path: Path) -> None:
    result = lw.simulate(lw.load(stiff), until=0.01, integrator="rk4", fixed_step="1 ms")
    with pytest.warns(lw.errors.AuditWarning):
        page = result.animate(tmp_path / "stiff.html").read_text(encoding="utf-8")
    assert "audit failed: the energy is off by" in page
    assert '"good":false' in page
