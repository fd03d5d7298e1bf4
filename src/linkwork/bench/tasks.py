"""The problems that all programs are given: seven of work and precision, and those of IFToMM."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import linkwork as lw
from linkwork.arrays import Array
from linkwork.bench import iftomm
from linkwork.bench.peers import equation
from linkwork.bench.task import ByHand, Task, angle

PENDULUM = """
linkwork: 1
space: planar
gravity: [0, {gravity}]
points: {{O: [0, 0], A: [1, 0], B: [2, 0]}}
bodies: {{upper: {upper}, lower: {lower}}}
joints: {{O: {{kind: revolute, bodies: [ground, upper]}}, A: {{kind: revolute, bodies: [upper, lower]}}}}
forces: {forces}
initial: {{O: {{speed: {speed}}}, A: {{speed: {speed}}}}}
"""
TOP = """
linkwork: 1
space: spatial
gravity: [0, 0, -9.81]
points: {O: [0, 0, 0], G: [0, 1, 0]}
bodies: {top: {points: [O, G], mass: 15 kg, com: G, inertia: [0.234375, 0.46875, 0.234375]}}
joints: {O: {kind: spherical, bodies: [ground, top]}}
initial: {O: {omega: [0, 150, -4.61538]}}
"""


def quaternion_place(names: Sequence[str], y: Array) -> Array:
    """x of the centre of mass, at (0, 1, 0) in the body; the quaternion comes first."""
    w, x, y_, z = y[:, :4].T
    return 2 * (x * y_ - w * z) / (w * w + x * x + y_ * y_ + z * z)


def four_bar_rates(y: Sequence[Any], m: Any) -> list[Any]:
    return [y[1], equation.acceleration(y[0], y[1], m.sin, m.cos, m.sqrt)]


def pendulum_rates(stiffness: float) -> Callable[[Sequence[Any], Any], list[Any]]:
    """García de Jalón and Bayo, example 7.2: tip masses of 1 kg, links of 1 m, springs in both joints."""

    def rates(y: Sequence[Any], m: Any) -> list[Any]:
        a, b, u, v = y
        c, s = m.cos(b), m.sin(b)
        first, second = s * (2 * u * v + v * v) - stiffness * a, -s * u * u - stiffness * b
        determinant = (3 + 2 * c) - (1 + c) * (1 + c)
        return [u, v, (first - (1 + c) * second) / determinant, ((3 + 2 * c) * second - (1 + c) * first) / determinant]

    return rates


def bushing_rates(y: Sequence[Any], m: Any) -> list[Any]:
    """Two uniform bars of 1 kg and 1 m, angles from the x axis, with a spring and a damper between them."""
    a, b, u, v = y
    torque = -1e5 * (b - a) - 1e4 * (v - u)
    c, s = m.cos(a - b) / 2, m.sin(a - b) / 2
    first = -torque - s * v * v - 1.5 * 9.81 * m.cos(a)
    second = torque + s * u * u - 0.5 * 9.81 * m.cos(b)
    determinant = 4 / 9 - c * c
    return [u, v, (first / 3 - c * second) / determinant, (second * (4 / 3) - c * first) / determinant]


def top_rates(y: Sequence[Any], m: Any) -> list[Any]:
    """Euler's equations about the support, in axes of the body; q̇ = q ω / 2."""
    w, x, y_, z, a, b, c = y
    inertia, axial, weight = 0.234375 + 15, 0.46875, 15 * 9.81
    down = [2 * (x * z - w * y_), 2 * (y_ * z + w * x), w * w - x * x - y_ * y_ + z * z]  # z axis of the world
    return [
        (-x * a - y_ * b - z * c) / 2,
        (w * a + y_ * c - z * b) / 2,
        (w * b + z * a - x * c) / 2,
        (w * c + x * b - y_ * a) / 2,
        ((axial - inertia) * b * c - weight * down[2]) / inertia,
        0 * a,
        ((inertia - axial) * a * b + weight * down[0]) / inertia,
    ]


def bars(mass: str) -> dict[str, str]:
    return {"upper": f"{{bar: [O, A], {mass}}}", "lower": f"{{bar: [A, B], {mass}}}"}


def sprung(stiffness: float) -> Callable[[], lw.Model]:
    bodies = {
        "upper": "{points: [O, A], mass: 1, com: A, inertia: 0}",
        "lower": "{points: [A, B], mass: 1, com: B, inertia: 0}",
    }
    spring = "{{kind: torsion_spring, joint: {}, free_angle: 0, stiffness: {!r}}}"
    forces = f"{{first: {spring.format('O', stiffness)}, second: {spring.format('A', stiffness)}}}"
    return lambda: lw.loads(PENDULUM.format(gravity=0, speed=100, forces=forces, **bodies))


def bushed() -> lw.Model:
    forces = "{bushing: {kind: torsion_spring, joint: A, free_angle: 0, stiffness: 1e5, damping: 1e4}}"
    return lw.loads(PENDULUM.format(gravity=-9.81, speed=0, forces=forces, **bars("mass: 1")))


def first_angle(y: Array) -> Array:
    return y[:, 0] - y[0, 0]


def stiff_tasks() -> tuple[Task, ...]:
    """Springs and dampers that are stiff beside the motion."""
    return (
        *(
            Task(
                f"pendulum_{name}",
                f"double pendulum, springs of {name} N m/rad, 0.2 s",
                sprung(stiffness),
                0.2,
                angle("O.angle"),
                ByHand((0.0, 0.0, 100.0, 100.0), pendulum_rates(stiffness), first_angle),
            )
            for name, stiffness in (("1e6", 1e6), ("1e8", 1e8))
        ),
        Task(
            "bushing",
            "double pendulum, stiff damped bushing, 2 s",
            bushed,
            2.0,
            angle("O.angle"),
            ByHand((0.0, 0.0, 0.0, 0.0), bushing_rates, first_angle),
        ),
    )


@cache
def smooth_tasks() -> tuple[Task, ...]:
    """Those of the work-precision diagrams, compared by their motion."""
    return (
        Task(
            "four_bar",
            "four-bar from rest, 10 s",
            lambda: lw.example("four_bar"),
            10.0,
            angle("O.angle"),
            ByHand((equation.START, 0.0), four_bar_rates, first_angle),
        ),
        Task(
            "n_four_bar",
            "ten windows of parallel rods, 10 s",
            lambda: iftomm.n_four_bar(10),
            10.0,
            angle("A0.angle", -1.0),
            ByHand((0.0, 1.0), iftomm.windows_rates(10), first_angle),
        ),
        *stiff_tasks(),
        Task(
            "heavy_top",
            "heavy top, 1 s",
            lambda: lw.loads(TOP),
            1.0,
            quaternion_place,
            ByHand((1.0, 0.0, 0.0, 0.0, 0.0, 150.0, -4.61538), top_rates, lambda y: quaternion_place((), y)),
            "m",
        ),
    )


def all_tasks() -> tuple[Task, ...]:
    return (*iftomm.tasks(), *smooth_tasks())


def task_named(name: str) -> Task:
    return next(task for task in all_tasks() if task.name == name)
