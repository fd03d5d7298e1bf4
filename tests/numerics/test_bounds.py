"""Kernels that check every access to memory: no run leaves its blocks, and one that does is told."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from linkwork.machine import ObjectCache, compile_ir
from linkwork.numerics.kernels.language import bounds
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Floats
from linkwork.numerics.kernels.language.translation import Bounds, translate

RUNS = """
import sys
import linkwork as lw
from linkwork.bench.evaluations import chain
from linkwork.numerics.kernels.language import bounds
sys.path.insert(0, sys.argv[1])
from references import mechanisms

model = mechanisms.four_bar()
runs = [
    {}, {"integrator": "taylor"}, {"integrator": "abm4", "fixed_step": 0.01},
    {"formulation": "multipliers", "integrator": "adams"},
    {"formulation": "penalty"}, {"formulation": "baumgarte", "integrator": "esdirk43"},
    *({"coordinates": "natural", "formulation": name} for name in
      ("partitioning", "canonical", "canonical_index2", "r_projection", "r_method", "augmented_lagrangian",
       "stabilised_partitioning", "range_space", "canonical_independent")),
    {"coordinates": "natural", "formulation": "ggl", "integrator": "radau5"},
    {"coordinates": "natural", "formulation": "ggl", "integrator": "bdf"},
    {"coordinates": "natural", "formulation": "index3_augmented_lagrangian", "fixed_step": 0.01},
    {"coordinates": "reference_point", "formulation": "index3", "integrator": "generalised_alpha", "fixed_step": 0.01},
    {"integrator": "energy_midpoint", "fixed_step": 0.01}, {"integrator": "gauss6"}, {"integrator": "bdf"},
    {"integrator": "am3", "fixed_step": 0.01}, {"formulation": "velocity_transformation"},
    {"formulation": "index1", "integrator": "radau5"},
]
for options in runs:
    bounds.clear()
    result = lw.simulate(model, until=0.1, step=0.05, events={"half": "O.angle - 0.3"}, **options)
    assert result.outcome.completed, options
    assert bounds.share() > 0.8, (options, bounds.share())
    assert not bounds.findings(), (options, bounds.findings())

window, flat = mechanisms.n_four_bar(2), dict(until=1.0, step=0.25)
for what in (
    lambda: lw.simulate(window, coordinates="natural", formulation="partitioning", **flat),  # through aligned positions
    lambda: lw.solve_kinematics(model, {"O": "0.6 + t"}, until=0.5, step=0.1, coordinates="natural"),
    lambda: lw.inverse_dynamics(model, {"O.angle": "0.6 + t"}, until=0.5, step=0.1),
    lambda: lw.find_equilibrium(model),
    lambda: lw.simulate_many(model, 0.1, initial={"O.speed": [0.1 * i for i in range(16)]}, step=0.05, workers=1),
):
    bounds.clear()
    what()
    assert not bounds.findings(), bounds.findings()
from linkwork.equations import terms
from linkwork.equations.formulations import multipliers
terms.LARGE, terms.FILLED, multipliers.WRITTEN = 0, 1.0, 0
for what in ({"formulation": "partitioning", **flat}, {"formulation": "multipliers", "until": 0.3}):
    for kind in ("natural", "reference_point"):
        bounds.clear()
        str(lw.simulate(mechanisms.n_four_bar(3), coordinates=kind, **what))  # by their entries
        assert bounds.share() > 0.8 and not bounds.findings(), (kind, what, bounds.share(), bounds.findings())
bounds.clear()
str(lw.simulate(chain(8, "spatial"), coordinates="reference_point", until=0.1))
assert bounds.share() > 0.8 and not bounds.findings(), (bounds.share(), bounds.findings())
bounds.clear()
rt = lw.realtime(model, "1 ms")
rt.advance(0.05)
assert bounds.share() > 0.8 and not bounds.findings(), bounds.findings()
"""


CONTACTS = """
import sys
import numpy as np
from linkwork.numerics.complementarity.choice import ALL_SOLVERS
from linkwork.numerics.complementarity.contact_problem import ContactProblem, within
from linkwork.numerics.complementarity.linear import solve_box, solve_linear
from linkwork.numerics.complementarity.semismooth_newton import SemismoothNewton
from linkwork.numerics.complementarity.solving import solve_contacts
from linkwork.numerics.kernels.complementarity.cones import FREE
from linkwork.numerics.kernels.language import bounds

rng = np.random.default_rng(1)
for sizes, freedoms in (([3] * 4, 10), ([3] * 3, 5), ([3, 1, 2, 3], 9)):
    rows = sum(sizes)
    jacobian = rng.normal(size=(rows, freedoms))
    problem = ContactProblem.of(jacobian @ jacobian.T, jacobian @ rng.normal(size=freedoms), 0.5, sizes)
    held = ContactProblem.of(jacobian @ jacobian.T, problem.b, [FREE, *[0.5] * (len(sizes) - 1)], sizes)
    for solver in ALL_SOLVERS:
        bounds.clear()
        assert solve_contacts(held, solver).solved and not bounds.findings(), (solver, bounds.findings())
        if solver.bounded:
            rubbed = ContactProblem.of(jacobian @ jacobian.T, problem.b, [within(0.1), *[0.5] * (len(sizes) - 1)], sizes)
            assert solve_contacts(rubbed, solver).solved and not bounds.findings(), (solver, bounds.findings())
    for solver in (*ALL_SOLVERS, SemismoothNewton(function="alart_curnier")):
        for law in solver.laws:
            bounds.clear()
            assert solve_contacts(problem, solver, law=law).solved, (solver, law)
            assert bounds.share() > 0.99 and not bounds.findings(), (solver, law, bounds.findings())
    for ask in (solve_linear, lambda a, b: solve_box(a, b, -1.0, 1.0)):
        bounds.clear()
        assert ask(jacobian @ jacobian.T, problem.b).solved
        assert bounds.share() > 0.99 and not bounds.findings(), bounds.findings()
"""


@pytest.mark.parametrize("runs", [RUNS, CONTACTS], ids=["runs", "contacts"])
def test_no_run_leaves_its_memory(runs: str) -> None:
    tests = Path(__file__).parents[1]
    source = Path(sys.modules["linkwork"].__file__ or "").parents[1]
    environment = os.environ | {"LINKWORK_CHECK_BOUNDS": "1", "PYTHONPATH": str(source)}
    ran = subprocess.run(
        [sys.executable, "-c", runs, str(tests)], env=environment, capture_output=True, text=True, timeout=600
    )
    assert ran.returncode == 0, ran.stderr[-2000:]


@kernel
def reach(x: Floats, i: int, j: int) -> float:
    """An element of a part of an array."""
    part = at(x, i)
    part[j] += 1.0
    return part[j]


def test_an_access_outside_of_its_block_is_told_and_harmless(tmp_path: Path) -> None:
    numbers, safe = np.zeros(10), np.zeros(1)
    table = np.zeros(bounds.BLOCKS + 6, np.int64)
    begin = numbers.ctypes.data
    # all ten, and two blocks of five
    table[bounds.BLOCKS :] = begin, begin + 80, begin, begin + 40, begin + 40, begin + 80
    table[[bounds.COUNT, bounds.SAFE]] = 3, safe.ctypes.data
    text = translate([reach], Bounds(table.ctypes.data, lambda file, line: line))
    code = compile_ir(text, cache=ObjectCache(tmp_path))
    prototype = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
    function = prototype(code.address(reach.symbol))
    for i, j in ((0, 0), (5, 4), (6, -1), (0, 8)):  # the last one from the beginning of all
        assert function(begin, i, j) == 1.0
    assert table[bounds.WRONG] == 0
    for count, (i, j) in enumerate(((1, 4), (5, 5), (7, -3), (5, -1)), 1):
        function(begin, i, j)
        assert table[bounds.WRONG] == 3 * count  # it is read, written and read again
    assert sorted(np.flatnonzero(numbers)) == [0, 5, 8, 9]
    assert table[bounds.FIRST + 2] == 4
    assert table[bounds.UNKNOWN] == 0
