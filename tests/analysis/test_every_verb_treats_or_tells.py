"""Every verb with everything that comes and goes: it acts, or it is told by name, or refused by name, as its page says.

The table is that of ``docs/howto/contact.md``. A cell is found out, not declared: an answer that names the element in a note
is *told*; one whose numbers are not those of the same model without it *acts*; an error that names it is *refused*. What is
none of these is silent, which only verbs may be that ask for positions alone, of what has no part in positions.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import LinkworkError
from linkwork.model import Model

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "contact.md"
HINGE = {"kind": "revolute", "bodies": ["ground", "arm"], "at": "O"}
BASE: dict[str, Any] = {
    "space": "planar",
    "gravity": [0, -9.81],
    "parameters": {"k": {"value": "30 N*m/rad", "live": True}, "push": {"value": "0 N*m", "live": True}},
    "points": {"O": [0, 0], "A": [1, 0], "P": [0.4, 1.2]},
    "bodies": {"arm": {"bar": ["O", "A"], "mass": 2, "com": [0.5, 0], "inertia": 0.2}},
    "joints": {"hinge": HINGE},
    "forces": {
        "coil": {"kind": "torsion_spring", "joint": "hinge", "stiffness": "k", "damping": 0.5},
        "motor": {"kind": "effort", "joint": "hinge", "value": "push"},
    },
}
SURFACES = {"floor": {"plane": [0, 1], "at": [0, -0.25]}, "tip": {"ball": 0.05, "on": "arm", "at": [1, 0]}}
FIXED = {"kind": "fixed", "bodies": ["ground", "arm"], "at": ["O", "O"]}


def with_(**further: dict[str, Any]) -> Model:
    """An arm on a spring, with something besides."""
    return Model(**{**BASE, **{key: {**BASE.get(key, {}), **item} for key, item in further.items()}})


def hinged(**keys: Any) -> Model:
    return with_(joints={"hinge": {**HINGE, **keys}})


def touching(**keys: Any) -> Model:
    return with_(surfaces=SURFACES, contacts={"landing": {"between": ["floor", "tip"], **keys}})


def rubbing(**keys: Any) -> Model:
    return hinged(friction={"coefficient": 0.2, "radius": 0.1, **keys})


CART = {
    "points": {**BASE["points"], "C": [-0.5, 0]},
    "bodies": {**BASE["bodies"], "cart": {"points": ["O"], "com": "O", "mass": 1, "inertia": 0.1}},
    "joints": {
        "track": {"kind": "prismatic", "bodies": ["ground", "cart"], "at": "O", "axis": [1, 0]},
        "hinge": {**HINGE, "bodies": ["cart", "arm"]},
    },
    "forces": {
        **BASE["forces"],
        "tie": {
            "kind": "spring",
            "between": ["ground.C", "cart.O"],
            "stiffness": 400,
            "damping": 8,
            "free_length": 0.5,
        },
    },
}


def carried(**keys: Any) -> Model:
    """The arm on a cart, so that what touches may slip."""
    contact = {"between": ["floor", "tip"], "restitution": 0.5, **keys}
    return Model(**{**BASE, **CART, "surfaces": SURFACES, "contacts": {"landing": contact}})


STOPS = ["-12 deg", "12 deg"]
PLAIN = with_()
FEATURES: dict[str, tuple[Model, str, Model]] = {
    "stop": (hinged(limits=STOPS), "hinge", PLAIN),
    "stop with stiffness": (hinged(limits=STOPS, stops={"stiffness": 500, "damping": 5}), "hinge", PLAIN),
    "rope": (
        with_(relations={"line": {"kind": "rope", "between": ["ground.P", "arm.A"], "length": 1.5}}),
        "line",
        PLAIN,
    ),
    "contact": (touching(), "landing", PLAIN),
    "its friction": (carried(friction=0.6), "landing", carried()),
    "contact with stiffness": (touching(stiffness=1e4, damping=100), "landing", PLAIN),
    "friction of joints": (rubbing(), "hinge", PLAIN),
    "with smoothing": (rubbing(smoothing="1 mm/s"), "hinge", PLAIN),
    "connection": (with_(relations={"hook": {"kind": "connection", "joint": FIXED}}), "hook", PLAIN),
    "switch": (with_(switches={"hold": {"ground": "arm", "at": 0.05}}), "hold", PLAIN),
    "impulse": (
        with_(forces={**BASE["forces"], "blow": {"kind": "impulse", "joint": "hinge", "value": 1, "at": 0.05}}),
        "blow",
        PLAIN,
    ),
    "clearance": (hinged(clearance="1 mm"), "hinge", PLAIN),
}

Numbers = Sequence[float]
Asked = Callable[[Model], tuple[object, Numbers]]


def motion(model: Model) -> dict[str, str]:
    return {"hinge": "0.5*sin(4*t)", **({"track": "0.1*t"} if "track" in model.joints else {})}


def ran(**how: Any) -> Asked:
    def asked(model: Model) -> tuple[object, Numbers]:
        found = lw.simulate(model, 1.0, **how)
        return found, found["arm.angle"]

    return asked


def live(model: Model) -> tuple[object, Numbers]:
    rt, found = lw.realtime(model, "1 ms", outputs=["arm.angle"]), list[float]()
    for _ in range(10):
        rt.step(100)
        found.append(rt["arm.angle"])
    return rt, found


def many(model: Model) -> tuple[object, Numbers]:
    found = lw.simulate_many(model, 1.0, parameters={"k": [20.0, 30.0]}, quantities=["arm.angle"])
    return found, np.ravel(found["arm.angle"])


def followed(model: Model) -> tuple[object, Numbers]:
    found = lw.solve_kinematics(model, motion(model), until=1.5)
    return found, found["input_hinge_angle.effort"]


def driven(model: Model) -> tuple[object, Numbers]:
    found = lw.inverse_dynamics(model, motion(model), until=1.5)
    return found, found.result["motor.effort"]


def rested(model: Model) -> tuple[object, Numbers]:
    found = lw.find_equilibrium(model)
    return found, [found.result["arm.angle"][0], len(found.holds), len(found.directions)]


def all_rests(model: Model) -> tuple[object, Numbers]:
    found = lw.find_equilibria(model, tries=3)
    return found, [x for item in found for x in (item.result["arm.angle"][0], len(item.holds))]


def path(model: Model) -> tuple[object, Numbers]:
    found = lw.equilibrium_path(model, {"push": (0.0, 5.0)})
    return found, found.result["arm.angle"]


def linear(model: Model) -> tuple[object, Numbers]:
    found = lw.linearise(lw.find_equilibrium(model))
    return found, [*np.ravel(found.eigenvalues).real, len(found.states)]


def vibrating(model: Model) -> tuple[object, Numbers]:
    found = lw.modes(lw.find_equilibrium(model))
    return found, [*np.ravel(found.linearisation.eigenvalues).real, len(found)]


def shaken(model: Model) -> tuple[object, Numbers]:
    found = lw.frequency_response(lw.find_equilibrium(model), inputs=["push"], outputs=["arm.angle"])
    return found, np.abs(np.ravel(found.values))


def locus(model: Model) -> tuple[object, Numbers]:
    found = lw.root_locus(lw.find_equilibrium(model), {"k": [20.0, 30.0, 40.0]})
    return found, np.ravel(found.eigenvalues).real


def periodic(model: Model) -> tuple[object, Numbers]:
    drive = {"drive": {"kind": "effort", "joint": "hinge", "value": "8*cos(2*pi*t)"}}
    found = lw.floquet(model.with_(forces={**model.to_dict()["forces"], **drive}), 1.0, find=True)
    return found, np.abs(found.multipliers)


def held(model: Model) -> tuple[object, Numbers]:
    found = lw.measures.friction_at_rest(lw.find_equilibrium(model))
    return found, [found.usage, len(found.shares), len(found.holds), found.result["arm.angle"][0]]


def still(model: Model) -> Model:
    """With the cart where it is, if there is one."""
    return model.with_(drivers={"brake": {"joint": "track", "position": 0}}) if "track" in model.joints else model


def shown(ask: Callable[[Model], Any]) -> Asked:
    """Of verbs whose numbers are those of positions."""
    return lambda model: (ask(model), [])


VERBS: dict[str, Asked] = {
    "simulate": ran(),
    "simulate, moreau_jean": ran(integrator="moreau_jean", fixed_step="1 ms"),
    "simulate_many": many,
    "realtime": live,
    "floquet": periodic,
    "inverse_dynamics": driven,
    "solve_kinematics": followed,
    "find_equilibrium": rested,
    "find_equilibria": all_rests,
    "equilibrium_path": path,
    "measures.friction_at_rest": held,
    "linearise": linear,
    "modes": vibrating,
    "frequency_response": shaken,
    "root_locus": locus,
    "find_limits": shown(lambda model: lw.find_limits(still(model), "hinge.angle")),
    "drag_point": shown(lambda model: lw.drag_point(model, "A", [[1, 0], [0.9, 0.4]])),
    "solve_positions": shown(lambda model: lw.solve_positions(model, {"hinge": [0.0, 0.3, 0.5]})),
}
CODES = {"acts": "●", "told": "○", "refused": "×", "silent": "·"}
TOLD = re.compile(r"(?:nothing|no rope|holds nothing)\b[^:]*\bhere\b[^:]*:[^:]*")
# where positions alone are asked for, forces and impulses have no part
POSITIONS = ("find_limits", "drag_point", "solve_positions")
NO_PART = ("stop with stiffness", "friction of joints", "with smoothing", "impulse")


@cache
def numbers_of(verb: str, model: Model) -> tuple[float, ...]:
    return tuple(float(x) for x in VERBS[verb](model)[1])


def seen(verb: str, feature: str) -> str:
    """What becomes of a feature in a verb."""
    model, name, plain = FEATURES[feature]
    named = re.compile(rf"\b{name}\b")
    try:
        answer, numbers = VERBS[verb](model)
    except LinkworkError as error:
        return (
            "refused"
            if named.search(str(error)) or "are driven" in str(error)
            else f"an error without its name: {error}"
        )
    notes = " ".join([*getattr(answer, "notes", ()), str(answer)])
    if any(named.search(part) for part in TOLD.findall(" ".join(notes.split()))):
        return "told"
    try:
        before = numbers_of(verb, plain)
    except LinkworkError:
        return "acts"
    alike = len(before) == len(numbers) and np.allclose(before, list(numbers), rtol=1e-9, atol=1e-9)
    return "silent" if alike else "acts"


def table() -> dict[str, list[str]]:
    """The cells of the page by verb."""
    rows = [
        line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `") and "●" in line + "●"
    ]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in rows]
    return {row[0].strip("`"): row[1:] for row in cells if row[0].strip("`") in VERBS}


@pytest.mark.parametrize("verb", list(VERBS))
def test_a_verb_treats_or_tells_what_comes_and_goes_as_its_page_says(verb: str) -> None:
    found = {feature: seen(verb, feature) for feature in FEATURES}
    for feature, what in found.items():
        assert what in CODES, (verb, feature, what)
        if what == "silent":
            assert verb in POSITIONS, (verb, feature)
            assert feature in NO_PART or feature == "its friction", (verb, feature)
    assert table()[verb] == [CODES[what] for what in found.values()], (verb, found)


def test_the_page_has_every_verb_and_feature() -> None:
    assert set(table()) == set(VERBS)
    (head,) = (line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| verb |"))
    assert [cell.strip() for cell in head.strip("|").split("|")][1:] == list(FEATURES)


@pytest.mark.parametrize("verb", ["number", "formulate", "build", "prepare"])
def test_what_is_prepared_has_all_conditions(verb: str) -> None:
    """Stages of the walk leave nothing out: what comes of them is asked by the verbs above."""
    for feature, (model, _, _) in FEATURES.items():
        found = getattr(lw, verb)(model)
        assert str(found), feature


def test_code_in_c_says_what_it_has() -> None:
    for feature, (model, _, _) in FEATURES.items():
        with tempfile.TemporaryDirectory() as folder:
            assert str(lw.export_c(model, Path(folder) / "code.c")), feature
