"""One evaluation of equations: accelerations of chains, and of an arm inverse dynamics, mass matrix and accelerations.

Linkwork as runs use it, in compiled loops, and called from Python sample by sample as the others are. All of them are
compared before they are timed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

import linkwork as lw
from linkwork.arrays import Array
from linkwork.bench.peers.layout import layout
from linkwork.bench.peers.linkwork_flow import prepared
from linkwork.bench.task import Task
from linkwork.equations.terms import make_function
from linkwork.numerics.flows.flow import evaluate_flow

LINKS = (10, 40, 100)
LENGTH, GRAVITY = 0.5, 9.81
SAMPLES = 200  # in a loop
FROM_PYTHON = "Linkwork from Python"
Evaluate = Callable[[], Array]


@dataclass(frozen=True)
class Evaluation:
    """What is evaluated; ways: by program, of the same *states*, each a function that does all of them.

    accuracy: largest difference to the first way, over the largest number
    """

    name: str
    title: str
    ways: Callable[[], Mapping[str, Evaluate]]
    count: int = SAMPLES
    accuracy: float = 1e-6


def chain(links: int, space: str) -> lw.Model:
    """Bars of 1 kg in a row; in space their axes are by turns vertical and across."""
    zero = [0.0] * (1 if space == "planar" else 2)
    joints = {}
    for i in range(links):
        joint = {"kind": "revolute", "bodies": ["ground" if i == 0 else f"b{i - 1}", f"b{i}"]}
        joints[f"P{i}"] = joint if space == "planar" else joint | {"axis": [0, 0, 1] if i % 2 else [0, -1, 0]}
    return lw.Model(
        space=space,
        gravity=[*zero, -GRAVITY],
        points={f"P{i}": [LENGTH * i, *zero] for i in range(links + 1)},
        bodies={f"b{i}": {"bar": [f"P{i}", f"P{i + 1}"], "mass": 1} for i in range(links)},
        joints=joints,
    )


def arm() -> lw.Model:
    """The arm of the library without the torques of its file."""
    model = lw.example("seven_axis_arm")
    kept = {key: getattr(model, key) for key in type(model).model_fields}
    return lw.Model(**{**kept, "forces": {}, "initial": {}})


def evaluations(links: tuple[int, ...] = LINKS) -> tuple[Evaluation, ...]:
    """All of them."""
    chains = [
        Evaluation(
            f"chain_{space}_{n}", f"chain of {n} bars, {where}", partial(accelerations, partial(chain, n, space))
        )
        for space, where in (("planar", "in the plane"), ("spatial", "in space"))
        for n in links
    ]
    return (
        *chains,
        Evaluation("arm_inverse", "7R arm, inverse dynamics", arm_inverse),
        Evaluation("arm_mass", "7R arm, mass matrix", arm_mass),
        Evaluation("arm_forward", "7R arm, accelerations", partial(accelerations, arm)),
    )


def still(model: Callable[[], lw.Model]) -> Task:
    """A model as a task, of which nothing but its bodies is asked."""
    return Task(model().name or "bodies", "", model, 1.0, None)


def accelerations(model: Callable[[], lw.Model]) -> dict[str, Evaluate]:
    """v̇ from q and v."""
    task = still(model)
    mechanism, _ = prepared(task)
    start = mechanism.start()
    n = start.y.size // 2
    start.y[:] = 0.3 * np.random.default_rng(n).normal(size=start.y.size)
    y, p = start.y.copy(), start.p
    flow, states, times = mechanism.flow(start), np.tile(y, (SAMPLES, 1)), np.zeros(SAMPLES)
    compiled, single = mechanism.program["accelerate"], np.zeros((1, y.size))
    single[0] = y
    ways: dict[str, Evaluate] = {
        "Linkwork": lambda: evaluate_flow(flow, times, states)[:, n:],
        FROM_PYTHON: lambda: np.array([compiled(0.0, y, p)[n : 2 * n] for _ in range(SAMPLES)]),
    }
    return ways | _pinocchio_accelerations(task, y) | _mujoco_accelerations(task, y)


def _pinocchio_accelerations(task: Task, y: Array) -> dict[str, Evaluate]:
    try:
        import pinocchio as pin

        from linkwork.bench.peers.pinocchio_bodies import model_of
    except ImportError:
        return {}
    model = model_of(layout(task))
    data, n = model.createData(), model.nv
    q, v, none = y[:n].copy(), y[n:].copy(), np.zeros(model.nv)
    return {"Pinocchio": lambda: np.array([pin.aba(model, data, q, v, none) for _ in range(SAMPLES)])}


def _mujoco_accelerations(task: Task, y: Array) -> dict[str, Evaluate]:
    try:
        import mujoco

        from linkwork.bench.peers.mujoco_bodies import model_text
    except ImportError:
        return {}
    model = mujoco.MjModel.from_xml_string(model_text(layout(task), 1e-3, "RK4"))
    data, n = mujoco.MjData(model), model.nv
    data.qpos[:], data.qvel[:] = y[:n], y[n:]

    def run() -> Array:
        for _ in range(SAMPLES):
            mujoco.mj_forward(model, data)
        return np.tile(np.array(data.qacc), (SAMPLES, 1))

    return {"MuJoCo": run}


def _arm_states() -> Array:
    return np.random.default_rng(0).uniform(-2.0, 2.0, (SAMPLES, 21))


def arm_inverse() -> dict[str, Evaluate]:
    """Torques of the motors from q, v and v̇."""
    states, model = _arm_states(), arm()
    function = lw.inverse_function(model, list(model.joints), reactions=False)
    ways: dict[str, Evaluate] = {
        "Linkwork": lambda: function.evaluate(states),
        FROM_PYTHON: lambda: np.array([function.evaluate(y) for y in states]),
    }
    try:
        import pinocchio as pin

        from linkwork.bench.peers.pinocchio_bodies import model_of
    except ImportError:
        return ways
    peer = model_of(layout(still(arm)))
    data, parts = peer.createData(), [(y[:7].copy(), y[7:14].copy(), y[14:].copy()) for y in states]
    return ways | {"Pinocchio": lambda: np.array([pin.rnea(peer, data, *part) for part in parts])}


def arm_mass() -> dict[str, Evaluate]:
    """The whole mass matrix from q."""
    states = _arm_states()[:, :14]
    mechanism, _ = prepared(still(arm))
    c, p = mechanism.coordinates, mechanism.start().p
    compiled = mechanism.compiled(make_function("mass", c, {"M": c.mass}))
    ways: dict[str, Evaluate] = {
        "Linkwork": lambda: compiled.batch(0.0, states, p).reshape(SAMPLES, 7, 7),
        FROM_PYTHON: lambda: np.array([compiled(0.0, y, p) for y in states]).reshape(SAMPLES, 7, 7),
    }
    try:
        import pinocchio as pin

        from linkwork.bench.peers.pinocchio_bodies import model_of
    except ImportError:
        return ways
    peer = model_of(layout(still(arm)))
    data, parts = peer.createData(), [y[:7].copy() for y in states]

    def run() -> Array:
        upper = np.triu(np.array([pin.crba(peer, data, q) for q in parts]))
        return upper + np.triu(upper, 1).transpose(0, 2, 1)

    return ways | {"Pinocchio": run}
