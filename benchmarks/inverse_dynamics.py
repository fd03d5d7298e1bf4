"""A million inverse dynamics of a 7R arm and of a four-bar with all reactions, on one core, and reactions of a car.

Positions, speeds and accelerations of the arm of ``src/linkwork/mechanisms`` are drawn at random; the torques of its
motors are solved for by ``inverse_function``: recursion compiled to one function without branches, eight samples at a
time. Beside it stand recursion called from Python sample by sample, M v̇ − h written out, ``inverse_dynamics`` as a
user calls it, and ``pinocchio.rnea`` of the same arm called from Python, where it is installed. The four-bar is
driven: ``inverse_function`` has its loop in closed form and the loads of its bodies; then ``inverse_dynamics`` with
the torque and all reactions by name, beside singular values of the same equations by NumPy. The car (``car.yaml``, 25
bodies) has its reactions along a run. What all of them find is compared.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from pathlib import Path

import casadi as ca
import numpy as np
from numpy.typing import NDArray
from published import SPEED, START, driven_model

import linkwork as lw
from linkwork.analysis.motion.reactions import ReactionRun
from linkwork.analysis.motion.trajectory import Trajectory
from linkwork.bench.evaluations import arm, still
from linkwork.bench.timing import best_time
from linkwork.compiler.program import build
from linkwork.equations.recursion.forces import recursion_function
from linkwork.equations.terms import make_function

Array = NDArray[np.float64]
COUNT = 1_000_000
MANY = 1_000_000  # samples of the arm for what a user calls
FEW = 20_000  # samples of what is called one by one


def direct_function(c: lw.answers.Coordinates) -> ca.Function:
    """M v̇ − h, as the equations of motion have it."""
    vdot = ca.SX.sym("vdot", c.v.numel())
    return make_function("direct", c, {"e": ca.cse(c.mass @ vdot - c.forces)}, vdot)


def pinocchio_torques(states: Array) -> Callable[[], Array] | None:
    """Torques of the first samples by Pinocchio, whose arm is built from the same numbers."""
    if importlib.util.find_spec("pinocchio") is None:
        return None
    import pinocchio as pin

    from linkwork.bench.peers.layout import layout
    from linkwork.bench.peers.pinocchio_bodies import model_of

    model = model_of(layout(still(arm)))
    data = model.createData()
    q, v, a = (np.ascontiguousarray(states[:FEW, i : i + 7]) for i in (0, 7, 14))
    return lambda: np.array([pin.rnea(model, data, q[i], v[i], a[i]).copy() for i in range(FEW)])


def time_arm() -> None:
    rng = np.random.default_rng(0)
    states = rng.uniform(-2.0, 2.0, (COUNT, 21))
    c = lw.number(lw.analyse(arm()))
    _, p = lw.formulate(c).start
    model = arm()
    names = list(model.joints)
    function = lw.inverse_function(model, names, reactions=False)
    program = build({"recursion": recursion_function(c), "direct": direct_function(c)})
    direct = program["direct"]
    reference = direct.batch(0.0, states, p)
    rows: list[tuple[str, float, Array]] = [
        ("Linkwork, inverse_function", best_time(lambda: function.evaluate(states), COUNT, rounds=5),
         function.evaluate(states)),
        ("Linkwork, M v̇ − h, batch", best_time(lambda: direct.batch(0.0, states, p), COUNT, rounds=5), reference),
        ("Linkwork, from Python one by one",
         best_time(lambda: [function.evaluate(y) for y in states[:FEW]], FEW, rounds=5),
         np.array([function.evaluate(y) for y in states[:FEW]])),
    ]  # fmt: skip
    peer = pinocchio_torques(states)
    if peer is not None:
        rows.append(("Pinocchio, from Python one by one", best_time(peer, FEW, rounds=5), peer()))
    motion = {f"{name}.{what}": states[:MANY, 7 * i + j] for j, name in enumerate(names)
              for i, what in enumerate(("angle", "speed", "acceleration"))}  # fmt: skip
    times = np.arange(MANY) * 1e-3

    def ask() -> Array:
        found = lw.inverse_dynamics(model, motion, times=times, motors=names)
        return np.column_stack(list(found.efforts.values()))

    rows.insert(3, ("Linkwork, inverse_dynamics", best_time(ask, MANY, rounds=3), ask()))
    counts = ", ".join(f"{name} {program[name].instructions.operations}" for name in program)
    print(f"Inverse dynamics of a 7R arm (operations: {counts})")
    print_rows([(name, seconds, _difference(values, reference[: len(values)])) for name, seconds, values in rows])


def print_rows(rows: Sequence[tuple[str, float, float]]) -> None:
    """Names, seconds of one sample and differences; the ratio is to the first row."""
    print(f"{'':<40}{'each, ns':>12}{'a million, s':>14}{'ratio':>10}{'difference':>13}")
    for name, seconds, gap in rows:
        ratio = f"{seconds / rows[0][1]:.1f}"
        print(f"{name:<40}{seconds * 1e9:12.0f}{seconds * COUNT:14.3f}{ratio:>10}{gap:13.1e}")


def _difference(values: Array, reference: Array) -> float:
    return float(np.abs(values - reference).max() / np.abs(reference).max())


def named_loads(model: lw.Model, times: Array) -> Array:
    """The same as a user gets them by name."""
    found = lw.inverse_dynamics(model, times=times)
    names = [name for reaction in found.result.reactions.values() for name in reaction.names]
    loads = found.result.values(names)
    return np.column_stack([*loads.values(), found["motor"]])


def loads_by_singular_values(run: lw.Result) -> Array:
    """Components (N, nc) of least norm by NumPy, from whole matrices."""
    source = run.source
    assert isinstance(source, Trajectory)
    plan = source.mechanism.equations.reactions
    compiled = source.mechanism.compiled(plan.function)
    parts = compiled.unpack(compiled.batch(source.t, np.hstack([source.y, source.vdot]), source.p))
    u, sizes, vt = np.linalg.svd(parts["G"], full_matrices=False)
    along = np.einsum("nij,ni->nj", u, parts["r"][..., 0]) / sizes
    return np.einsum("nci,ni->nc", parts["W"], np.einsum("nij,ni->nj", vt, along))


def time_four_bar() -> None:
    """Torque and all reactions from the angle of the crank."""
    model, times, few = driven_model(), np.linspace(0.0, 1.0, COUNT), np.linspace(0.0, 1.0, FEW)
    function, angle = lw.inverse_function(model), START + SPEED * times
    run = lw.simulate(model, times=list(few))
    reference, found = loads_by_singular_values(run), function({"O.angle": run["O.angle"], "O.speed": SPEED})
    components = run.source.mechanism.equations.reactions.components
    one = np.column_stack([found[f"{element}.{name}"] for element, name in components])
    rows = [
        ("Linkwork, inverse_function",
         best_time(lambda: function({"O.angle": angle, "O.speed": SPEED}), COUNT, rounds=5, limit=10.0),
         _difference(one, reference)),
        ("Linkwork, inverse_dynamics, all by name",
         best_time(lambda: named_loads(model, times), COUNT, rounds=3, limit=10.0),
         _difference(named_loads(model, few), reference)),
        ("NumPy, singular values, reactions alone",
         best_time(lambda: loads_by_singular_values(run), FEW, rounds=3), 0.0),
    ]  # fmt: skip
    print("Four-bar: loop closed, torque and all reactions")
    print_rows(rows)


def time_car() -> None:
    """Reactions of a car along a run."""
    run = lw.simulate(lw.load(Path(__file__).parent / "car.yaml"), 0.2, step=0.0005)
    source, few = run.source, lw.simulate(lw.load(Path(__file__).parent / "car.yaml"), 0.02, step=0.001)
    assert isinstance(source, Trajectory)

    def solve() -> Array:
        return ReactionRun(source.mechanism, (source.t, source.y, source.vdot), source.p).solve()[0]

    reference = loads_by_singular_values(few)
    mine = np.column_stack(
        [few[f"{element}.{name}"] for element, name in source.mechanism.equations.reactions.components]
    )
    print("Car of 25 bodies: all reactions")
    print_rows([
        ("Linkwork, result.reactions", best_time(solve, len(run), rounds=5), _difference(mine, reference)),
        ("NumPy, singular values", best_time(lambda: loads_by_singular_values(few), len(few), rounds=2), 0.0),
    ])  # fmt: skip


if __name__ == "__main__":
    time_arm()
    time_four_bar()
    time_car()
