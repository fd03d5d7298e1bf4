"""Linkwork itself, through the interface of the peers: relative coordinates, its formulations and integrators."""

from __future__ import annotations

from functools import partial

from contenders import FORMULATIONS, INTEGRATORS
from mechanisms import load_mechanism

import linkwork as lw
from linkwork.numerics.integrators.run import integrate
from peers.base import Contender, Run
from peers.equation import GRID, Array

TOLERANCES = tuple(10.0**-k for k in range(3, 14))
ATOL = 1e-2  # of rtol, as in the defaults of ``simulate``


def contenders() -> list[Contender]:
    return [
        Contender(f"Linkwork {formulation} {integrator}", TOLERANCES, partial(_prepare, formulation, integrator))
        for formulation in FORMULATIONS
        for integrator in INTEGRATORS
    ]


def _prepare(formulation: str, integrator: str, rtol: float) -> Run:
    mechanism = lw.prepare(_MODEL, formulation=formulation)
    start = mechanism.start()
    flow = mechanism.flow(start)
    index = mechanism.coordinates.kinematics.q_names.index("O.angle")
    memory = flow.ic.copy(), flow.w.copy()

    def run() -> Array:
        # a flow belongs to one run (it remembers its independent coordinates): put its memory back to the start
        flow.ic[:], flow.w[:] = memory
        return integrate(integrator, flow, start.y, GRID, rtol=rtol, atol=ATOL * rtol).y[:, index]

    return run


_MODEL = load_mechanism("four_bar")
