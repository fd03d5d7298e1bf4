"""Extras: what is missing is told with the words that bring it, and nothing of them is needed before."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

import linkwork as lw
from linkwork.extras import EXTRAS, bring

PROJECT = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())["project"]


@pytest.mark.parametrize("module", EXTRAS)
def test_an_extra_brings_its_package(module: str) -> None:
    extra = EXTRAS[module]
    assert any(line.startswith(extra.package + ">=") for line in PROJECT["optional-dependencies"][extra.name])
    assert not any(line.startswith(extra.package) for line in PROJECT["dependencies"])


@pytest.mark.parametrize("module", [*EXTRAS, "sksundae.ida"])
def test_a_missing_package_is_told_with_its_extra(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    extra = EXTRAS[module.partition(".")[0]]
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(lw.errors.RefusedError) as caught:
        bring(module)
    assert str(caught.value).endswith(f'need the package {extra.package}: pip install "linkwork[{extra.name}]"')


@pytest.mark.parametrize(
    ("module", "ask"),
    [
        ("pandas", lambda run: run.to_dataframe(["B.x"])),
        ("xarray", lambda run: run.to_xarray(["B.x"])),
        ("xarray", lambda run: run.reactions().to_xarray()),
        ("control", lambda run: lw.linearise(lw.example("pendulum")).to_control()),
    ],
)
def test_users_are_told_so(module: str, ask: Callable[[lw.Result], object], monkeypatch: pytest.MonkeyPatch) -> None:
    run = lw.simulate(lw.example("four_bar"), until=0.1)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(lw.errors.RefusedError, match=rf"{module}: pip install .linkwork\[{EXTRAS[module].name}\]"):
        ask(run)
