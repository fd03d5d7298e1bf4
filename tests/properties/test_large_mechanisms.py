"""Large random mechanisms: every way to find accelerations, forces, reactions, energies and derivatives gives the same.

Trees of all joints with branches and chains, floating or not, with loops, forces of all kinds, drivers and live masses.
Independent: the Newton-Euler equations of all bodies with the conditions of all joints as one dense system
(``ways_beside.py``), whose differences say what derivatives are.
"""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest
from exploring import EXPLORING, some
from hypothesis import given
from large_mechanisms import Large, large_mechanism
from random_mechanisms import Array, examples, seeds
from ways_beside import NewtonEuler, State, elsewhere, moving_state

import linkwork as lw
from linkwork.analysis.motion.trajectory import Trajectory
from linkwork.analysis.prepared.prepare import Mechanism, Start
from linkwork.equations.linear.variations import Moment, VariationalEquations
from linkwork.equations.recursion.accelerations import tree_accelerations
from linkwork.equations.recursion.forces import needed_forces
from linkwork.equations.recursion.slopes import tree_slope
from linkwork.equations.saddle import Saddle
from linkwork.equations.terms import make_function
from linkwork.numerics.flows.flow import evaluate_flow

SPACES = pytest.mark.parametrize("space", ["planar", "spatial"])
LOOPED = pytest.mark.parametrize("looped", [False, True])
ROUNDING = 1e-12  # of what adds up
PROMISED = 1e-10  # of what adds up, for mechanisms of hundreds of bodies
TIME, LANES = 0.3, 9
# bodies, space, loops; more where faults are looked for
SIZES: tuple[tuple[int, str, int], ...] = ((20, "spatial", 0), (50, "planar", 4))
if EXPLORING:
    SIZES += ((20, "spatial", 2), (80, "spatial", 0), (130, "planar", 0), (200, "planar", 3), (200, "spatial", 0))
# coordinates, formulation and shape of the code; recursion where there is one, else elimination
WAYS = (
    ("relative", None, "straight"),
    ("relative", None, "tables"),
    ("relative", "multipliers", "straight"),
    ("relative", "partitioning", "tables"),
    ("reference_point", "multipliers", "straight"),
    ("reference_point", "multipliers", "tables"),
    ("natural", None, "tables"),
    ("mixed", None, "straight"),
)


def mechanism(rng: np.random.Generator, space: str, looped: bool, most: int) -> lw.Model:
    """Of up to *most* bodies, 200 at times where faults are looked for."""
    if EXPLORING:
        most = int(rng.choice([most, 40, 200], p=[0.7, 0.25, 0.05]))
    wanted = Large(
        bodies=int(rng.integers(most // 2, most + 1)),
        reach=rng.choice(np.array([1, 3, None])),
        floating=bool(rng.random() < 0.5),
        loops=int(rng.integers(1, 9 if EXPLORING else 5)) if looped else 0,
        forces=int(rng.integers(0, 2)),
        drivers=int(rng.integers(0, 2)),
        live=bool(rng.random() < 0.5),
        light=bool(rng.random() < 0.3),
    )
    return large_mechanism(rng, space, wanted)


def seen(seed: int, space: str, looped: bool, most: int) -> NewtonEuler:
    """A mechanism in a state that moves, in relative coordinates."""
    rng = np.random.default_rng(seed)
    c = lw.number(lw.analyse(mechanism(rng, space, looped, most)), "relative")
    found = NewtonEuler(moving_state(c, rng, TIME))
    assert found.independent
    agree(found.there.values(found.there.c.phi)[0], 0.0, c.kinematics.length)
    return found


def prepared(at: State, formulation: str | None = None, shape: str | None = None) -> Mechanism:
    return lw.prepare(at.c.topology, coordinates=at.c.kind.name, formulation=formulation, shape=shape)


def rates(made: Mechanism, at: State) -> Array:
    """v̇ of a compiled mechanism."""
    flow = made.flow(Start(at.y, at.p, at.c.topology.assembly, at.t))
    nq, nv = at.c.q.numel(), at.c.v.numel()
    return evaluate_flow(flow, np.array([at.t]), at.y[None])[0, nq : nq + nv]


def agree(found: Array, expected: Array, size: Array | float, part: float = ROUNDING) -> None:
    np.testing.assert_allclose(found, expected, rtol=0, atol=part * max(float(np.max(size, initial=0.0)), 1e-300))


@SPACES
@LOOPED
@examples(4)
@given(seed=seeds)
def test_masses_and_forces(space: str, looped: bool, seed: int) -> None:
    """M by composite bodies, M v̇ − h by recursion as an expression and in compiled code of both shapes, in lanes too."""
    bodies = seen(seed, space, looped, 12)
    at, c = bodies.at, bodies.at.c
    expected, size = bodies.mass()
    agree(at.values(c.mass)[0], expected, size)
    vdot = np.random.default_rng(seed).normal(size=c.v.numel())
    needed = make_function("needed", c, {"e": needed_forces(c, at.vdot)}, at.vdot)
    expected, size = bodies.forces(vdot)
    state = np.concatenate([at.y, vdot])
    agree(np.array(needed(at.t, state, at.p)).ravel(), expected, size)
    for shape in ("straight", "tables"):
        compiled = lw.build({"needed": needed}, shape=shape)["needed"]
        agree(np.ravel(compiled(at.t, state, at.p)), expected, size)
        for lane in compiled.batch(np.full(LANES, at.t), np.tile(state, (LANES, 1)), at.p):
            agree(lane, expected, size)


@SPACES
@LOOPED
@examples(4)
@given(seed=seeds)
def test_accelerations(space: str, looped: bool, seed: int) -> None:
    bodies = seen(seed, space, looped, 8)
    expected, _, size = bodies.solution
    for kind, formulation, shape in some(WAYS, 3, f"{space} {looped}"):
        at = bodies.at if kind == "relative" else elsewhere(bodies.at, kind)
        agree(at.body_accelerations(rates(prepared(at, formulation, shape), at)), expected, size)


@pytest.mark.parametrize(("bodies", "space", "loops"), SIZES)
def test_up_to_two_hundred_bodies(bodies: int, space: str, loops: int) -> None:
    """Accelerations by recursion in both shapes of the code, and the reactions of all joints, of some fixed mechanisms."""
    rng = np.random.default_rng(bodies + loops)
    wanted = Large(bodies, reach=None if bodies % 20 else 3, floating=bodies > 100, loops=loops, forces=1, drivers=1)
    model = large_mechanism(rng, space, wanted)
    at = moving_state(lw.number(lw.analyse(model), "relative"), rng, TIME)
    dense = NewtonEuler(at)
    assert dense.independent
    expected, _, size = dense.solution
    for shape in ("straight", "tables"):
        found = rates(prepared(at, None, shape), at)
        agree(at.body_accelerations(found), expected, size, PROMISED)
    run = Trajectory(prepared(at), (np.array([at.t]), at.y[None], found[None]), at.p)
    names = [f"{element}.{component}" for element, component in run.mechanism.equations.reactions.components]
    pushes = {name: value.item() for name, value in run.evaluate(names).items()}
    largest = max(map(abs, pushes.values()))
    letters = [f"f{axis}" for axis in at.c.space.axis_names] + [f"m{axis}" for axis in at.c.space.turn_names]
    for joint, wrench in dense.pushes().items():
        for letter, value in zip(letters, wrench, strict=True):
            assert pushes.get(f"{joint}.{letter}", 0.0) == pytest.approx(value, rel=0, abs=PROMISED * largest)


@SPACES
@LOOPED
@examples(4)
@given(seed=seeds)
def test_reactions_and_powers(space: str, looped: bool, seed: int) -> None:
    """Reactions against the multipliers of the conditions of the joints; energies and powers in other coordinates."""
    bodies = seen(seed, space, looped, 8)
    found: dict[str, dict[str, float]] = {}
    for at in (bodies.at, bodies.there):
        vdot = at.rates_of(bodies.solution[0])
        run = Trajectory(prepared(at), (np.array([at.t]), at.y[None], vdot[None]), at.p)
        pushes = [f"{element}.{component}" for element, component in run.mechanism.equations.reactions.components]
        powers = [name for name in run.catalogue if name.startswith("energy.") or name.endswith(".power")]
        found[at.c.kind.name] = {name: value.item() for name, value in run.evaluate([*pushes, *powers]).items()}
    first, other = found.values()
    largest = max(map(abs, first.values()))
    assert other == pytest.approx(first, rel=0, abs=ROUNDING * largest)
    letters = [f"f{axis}" for axis in bodies.at.c.space.axis_names] + [
        f"m{axis}" for axis in bodies.at.c.space.turn_names
    ]
    for joint, wrench in bodies.pushes().items():
        for letter, value in zip(letters, wrench, strict=True):
            assert first.get(f"{joint}.{letter}", 0.0) == pytest.approx(value, rel=0, abs=10 * ROUNDING * largest)


@SPACES
@LOOPED
@examples(4)
@given(seed=seeds)
def test_derivatives_of_accelerations(space: str, looped: bool, seed: int) -> None:
    """By recursion and by variations of the equations: against the differentiation of an elimination of all at once, and
    against differences."""
    bodies = seen(seed, space, looped, 6)
    at, c = bodies.at, bodies.at.c
    way = at.direction(np.random.default_rng(seed))
    first, nv = c.q.numel(), c.v.numel()
    variation = VariationalEquations(c, ca.SX(0, 1)).about(Moment(at.t, at.y, at.p))
    changes = [(variation.jacobian @ way)[first : first + nv]]
    if not c.rows and c.along_tree:
        accelerations = tree_accelerations(c, at.t, at.y, at.p)
        assert accelerations is not None
        slope = np.array(tree_slope(c, accelerations).function(at.t, at.y, at.p))
        changes.append((slope @ way)[first : first + nv])
    eliminated = Saddle.of(c, at.t, at.y, at.p).solve(c.b)
    assert eliminated is not None
    expected = at.values(ca.jtimes(eliminated.solution[:nv], c.y, way))[0].ravel()
    _, _, size = bodies.solution
    for found in changes:
        agree(found, expected, np.abs(expected).max() * np.max(size) / np.abs(bodies.solution[0]).max())
    step = 1e-4 * way
    one, two, three, four = (NewtonEuler(at.beside(k * step)).solution[0] for k in (-2, -1, 1, 2))
    differences = (one - 8 * two + 8 * three - four) / 12e-4
    found = at.change_of_accelerations(way, variation.vdot, changes[0])
    agree(found, differences, differences, 1e-7)
