"""Results with exactly known motion, from closed formulas: what the tests of results and views look at."""

from __future__ import annotations

import numpy as np

from linkwork.arrays import Array
from linkwork.results import (
    ArraySource,
    BodyDrawing,
    Drawing,
    EventRecord,
    JointDrawing,
    Outcome,
    Quantity,
    ReactionInfo,
    Result,
    SpringDrawing,
)
from linkwork.results.audit import Audit, Check

CRANK, COUPLER, ROCKER, BASE, SPEED = 1.0, 2.5, 2.0, 2.2, 2 * np.pi
GRAVITY, LENGTH, CONE = 9.81, 1.2, 0.6
AUDIT = Audit(
    (
        Check("energy", 4e-7, 1e-4, "energy 3e-09 of 135 J"),
        Check("closure", 2e-15, 1e-9, "closure 2e-15 m"),
        Check("branch", 0.0, 0.5, "branch kept"),
    )
)


def four_bar_result(samples: int = 201, until: float = 2.0, outcome: Outcome | None = None) -> Result:
    """Crank-rocker with lengths 1, 2.5, 2, 2.2 m driven at 60 rpm, from the two-circle closed form."""
    t = np.linspace(0.0, until, samples)
    columns = _four_bar_columns(t)
    catalogue = {name: Quantity(name, unit, text) for name, (unit, text, _) in columns.items()}
    arrays = {name: np.asarray(values, dtype=float) for name, (_, _, values) in columns.items()}
    reactions = {"A": ReactionInfo(("fx", "fy")), "B": ReactionInfo(("fx", "fy", "mz"), not_unique=("mz",))}
    return Result(
        name="four_bar",
        time=t,
        source=ArraySource(catalogue, arrays, reactions),
        drawing=four_bar_drawing(),
        outcome=outcome or Outcome(time=until),
        model_text="name: four_bar\nspace: planar\n",
        steps=np.linspace(0.0, until, 37),
        events=(EventRecord("rocker turns", 0.25, {"rocker.angle": 1.5}),),
        settings={"coordinates": "relative", "formulation": "partitioning", "integrator": "dop853", "rtol": "1e-09"},
        statistics={"steps": 36, "rejected": 2, "wall time in s": 0.0123},
        noted=("independent coordinate changed 3 times",),
        auditor=lambda: AUDIT,
    )


def _four_bar_columns(t: Array) -> dict[str, tuple[str, str, Array]]:
    theta = SPEED * t
    ax, ay = CRANK * np.cos(theta), CRANK * np.sin(theta)
    # B = upper intersection of the circles about A (coupler) and C (rocker)
    dx, dy = BASE - ax, -ay
    d2 = dx**2 + dy**2
    along = (COUPLER**2 - ROCKER**2 + d2) / (2 * d2)
    off = np.sqrt(COUPLER**2 / d2 - along**2)
    bx, by = ax + along * dx - off * dy, ay + along * dy + off * dx
    coupler, rocker = np.arctan2(by - ay, bx - ax), np.arctan2(by, bx - BASE)
    zero = np.zeros_like(t)
    return {
        "crank.angle": ("rad", "angle of crank", theta),
        "crank.speed": ("rad/s", "angular speed of crank", SPEED + zero),
        "coupler.angle": ("rad", "angle of coupler", coupler),
        "rocker.angle": ("rad", "angle of rocker", rocker),
        "A.x": ("m", "x of joint A (world)", ax),
        "A.y": ("m", "y of joint A (world)", ay),
        "B.x": ("m", "x of joint B (world)", bx),
        "B.y": ("m", "y of joint B (world)", by),
        "crank.origin.x": ("m", "x of the origin of crank", zero),
        "crank.origin.y": ("m", "y of the origin of crank", zero),
        "coupler.origin.x": ("m", "x of the origin of coupler", ax),
        "coupler.origin.y": ("m", "y of the origin of coupler", ay),
        "rocker.origin.x": ("m", "x of the origin of rocker", BASE + zero),
        "rocker.origin.y": ("m", "y of the origin of rocker", zero),
        "A.fx": ("N", "x reaction at A", 40 * np.cos(coupler)),
        "A.fy": ("N", "y reaction at A", 40 * np.sin(coupler) + 10),
        "B.fx": ("N", "x reaction at B", -40 * np.cos(coupler)),
        "B.fy": ("N", "y reaction at B", -40 * np.sin(coupler)),
        "B.mz": ("N m", "moment at B", zero),
        "energy.total": ("J", "total energy", 1000.0 + 1e-6 * np.sin(theta)),
        "closure": ("m", "largest opening of a loop", np.abs(np.hypot(bx - BASE, by) - ROCKER)),
    }


def four_bar_drawing() -> Drawing:
    """Three bars, four pins, a coupler point P and a spring from the ground."""
    return Drawing(
        space="planar",
        ground={"O": (0.0, 0.0), "C": (BASE, 0.0)},
        bodies={
            "crank": BodyDrawing({"O": (0.0, 0.0), "A": (CRANK, 0.0)}, (("O", "A"),), (CRANK / 2, 0.0)),
            "coupler": BodyDrawing(
                {"A": (0.0, 0.0), "B": (COUPLER, 0.0), "P": (1.1, 0.9)},
                (("A", "B"), ("B", "P"), ("P", "A")),
                (1.2, 0.3),
            ),
            "rocker": BodyDrawing({"C": (0.0, 0.0), "B": (ROCKER, 0.0)}, (("C", "B"),), (ROCKER / 2, 0.0)),
        },
        joints=(
            JointDrawing("O", "revolute", "crank", (0.0, 0.0), "ground"),
            JointDrawing("A", "revolute", "coupler", (0.0, 0.0), "crank"),
            JointDrawing("B", "revolute", "rocker", (ROCKER, 0.0), "coupler"),
            JointDrawing("C", "revolute", "rocker", (0.0, 0.0), "ground"),
        ),
        springs=(SpringDrawing("return", (("ground", (3.4, 1.2)), ("rocker", (1.0, 0.0)))),),
        gravity=(0.0, -9.81),
    )


def conical_pendulum_result(samples: int = 301, until: float = 3.0) -> Result:
    """Conical pendulum: bob on a rod at a constant angle to the vertical, Ω² = g / (L cos α)."""
    t = np.linspace(0.0, until, samples)
    phase = np.sqrt(GRAVITY / (LENGTH * np.cos(CONE))) * t
    zero = np.zeros_like(t)
    # body to world = Rz(Ω t) Ry(-α): the rod hangs along -z of the body
    q = (
        np.cos(phase / 2) * np.cos(CONE / 2),
        np.sin(phase / 2) * np.sin(CONE / 2),
        -np.cos(phase / 2) * np.sin(CONE / 2),
        np.sin(phase / 2) * np.cos(CONE / 2),
    )
    columns = {
        **{f"rod.origin.{axis}": ("m", zero) for axis in "xyz"},
        **{f"rod.q{i}": ("1", q[i]) for i in range(4)},
        "bob.x": ("m", LENGTH * np.sin(CONE) * np.cos(phase)),
        "bob.y": ("m", LENGTH * np.sin(CONE) * np.sin(phase)),
        "bob.z": ("m", -LENGTH * np.cos(CONE) + zero),
        "S.fx": ("N", -20 * np.sin(CONE) * np.cos(phase)),
        "S.fy": ("N", -20 * np.sin(CONE) * np.sin(phase)),
        "S.fz": ("N", 20 * np.cos(CONE) + zero),
    }
    catalogue = {name: Quantity(name, unit, "") for name, (unit, _) in columns.items()}
    drawing = Drawing(
        space="spatial",
        ground={"S": (0.0, 0.0, 0.0)},
        bodies={
            "rod": BodyDrawing({"S": (0.0, 0.0, 0.0), "bob": (0.0, 0.0, -LENGTH)}, (("S", "bob"),), (0.0, 0.0, -LENGTH))
        },
        joints=(JointDrawing("S", "spherical", "rod", (0.0, 0.0, 0.0), "ground"),),
        gravity=(0.0, 0.0, -GRAVITY),
    )
    source = ArraySource(catalogue, {name: np.asarray(v) for name, (_, v) in columns.items()})
    return Result(name="conical pendulum", time=t, source=source, drawing=drawing, outcome=Outcome(time=until))
