"""One mechanism under many formulations: its conditions and terms are compiled once, and flows begin on them."""

from dataclasses import replace
from functools import cache

import linkages
import mechanisms
import numpy as np

import linkwork as lw
from linkwork.compiler.program import build
from linkwork.equations import formulate
from linkwork.equations.formulations.base import Compiled

ROTATED = {"motor": {"joint": "O", "position": "1 + 7*t + 0.2*sin(5*t)"}}
ARM = {
    "space": "planar",
    "points": {"A": [0, 0], "P": [0.6, 0.8], "Q": [1.5, 0.7]},
    "bodies": {"upper": {"bar": ["A", "P"], "mass": 1}, "lower": {"bar": ["P", "Q"], "mass": 1}},
    "joints": {
        "A": {"kind": "revolute", "bodies": ["ground", "upper"]},
        "P": {"kind": "revolute", "bodies": ["upper", "lower"]},
    },
}
MODELS = {
    "arm": lambda: lw.Model(**ARM),
    "led_arm": lambda: lw.Model(**ARM, gravity=[0, -9.81], drivers={"motor": {"joint": "A", "speed": "3 + sin(40*t)"}}),
    "six_bar": linkages.six_bar,
    "rscr": linkages.rscr,
    "redundant": mechanisms.modelica_fourbar,
    "tree": linkages.spherical_chain,
    "parallelogram": lambda: mechanisms.n_four_bar(1),
    "driven": lambda: linkages.slider_crank(drivers=ROTATED, initial={}),
}


@cache
def mechanism_of(name, kind):
    """The conditions and terms, compiled once: all formulations here start from them."""
    model = MODELS[name]() if name in MODELS else getattr(mechanisms, name)()
    return lw.prepare(model, coordinates=kind, formulation="partitioning", backend="reference")


def begin(mechanism, formulation, y=None):
    """The flow of another formulation on the functions that are compiled already, and its start."""
    start = mechanism.start()
    y = start.y if y is None else y
    scheme = formulate(mechanism.coordinates, formulation).scheme
    # straight-line accelerations of an open mechanism are not needed
    system = mechanism.system(start.p)
    known = {*system.functions, "accelerate"}
    missing = {name: function for name, function in scheme.functions.items() if name not in known}
    program = build(missing, mechanism.program.backend)
    system = replace(system, functions={**system.functions, **{name: program[name] for name in missing}})
    return scheme.begin(system, Compiled(dict), 0.0, y), y, system


def velocities(mechanism, flow, t, y):
    """v̇ of a flow at a state."""
    rates = np.zeros(y.size)
    assert flow.evaluate(t, y.copy(), rates) >= 0
    nq = mechanism.coordinates.q.numel()
    return rates[nq : nq + mechanism.coordinates.v.numel()]
