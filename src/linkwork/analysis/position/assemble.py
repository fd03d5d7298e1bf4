"""``assemble(model, near)``: a mechanism put together as near to given values as it can be; ``drag_point``: a point led
along a path.

The search is that of ``position/nearest.py``, on the poses of all bodies. Drivers of joints are left out: they
would hold what is asked for; guides hold. The nearest pose is the nearest one on the way there: another assembly mode may
lie nearer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import overload

import numpy as np
from numpy.typing import ArrayLike

from linkwork.algebra.given import Parameters
from linkwork.analysis.kinematics.bare_angles import bare_angles
from linkwork.analysis.position.solve_positions import solve_positions
from linkwork.analysis.position.targets import is_array_of_targets
from linkwork.analysis.position.wishes import Board, WishedValue, board_of
from linkwork.analysis.walk.subject import Noun, topology_of
from linkwork.arguments import verb
from linkwork.arrays import Array
from linkwork.errors import AssemblyError, RefusedError, UnknownNameError, did_you_mean
from linkwork.model.remarks import unmoved
from linkwork.numerics.policy import POLICY
from linkwork.position.closing import CLOSINGS, close_by
from linkwork.position.condition_rows import relations_of
from linkwork.position.nearest import Nearest, PointGoal
from linkwork.position.poses import Poses
from linkwork.progress import counted
from linkwork.results.assembled import AssembledPose
from linkwork.results.dragged import DraggedPoint
from linkwork.results.sketch import draw
from linkwork.results.solved_positions import SolvedPositions
from linkwork.topology.analyse import assemble as assemble_near_sketch
from linkwork.topology.limits.declared_limits import are_beyond

STRIDE = 0.02  # of the size of the mechanism, by which a dragged point is led at a time


@overload
def assemble(
    model: Noun,
    near: Mapping[str, WishedValue] | None = None,
    *,
    weights: Mapping[str, float] | None = None,
    priorities: Mapping[str, int] | None = None,
    method: str = "damped",
    parameters: Parameters | None = None,
) -> AssembledPose: ...
@overload
def assemble(model: Noun, near: Mapping[str, Array], *, parameters: Parameters | None = None) -> SolvedPositions: ...
@verb
def assemble(
    model: Noun,
    near: Mapping[str, WishedValue] | Mapping[str, Array] | None = None,
    *,
    weights: Mapping[str, float] | None = None,
    priorities: Mapping[str, int] | None = None,
    method: str = "damped",
    parameters: Parameters | None = None,
) -> AssembledPose | SolvedPositions:
    """Put a mechanism together near given values; what cannot be reached is reported with the nearest pose that can.

    near: a joint or coordinate by a value (``{"O": "30 deg"}``), a point by its place (``{"coupler.P": (1, 2)}``, None where
    a component is free), or one component of a point (``{"P.x": 1}``).
    weights: of values of one priority (default 1; a length counts as a part of the size of the mechanism)
    priorities: whole numbers, 1 (default) before 2: later ones only get what the earlier ones leave free.
    method: how the sketch is closed: 'newton', 'damped', 'least_squares' or 'continuation'.

    Freedoms that nothing asks for keep the values of ``initial``, then those of the sketch, as nearly as can be.
    Arrays with a row for every one of many samples (``{"platform.P": places}``, N × 3) go to ``solve_positions``, which
    answers for all of them: those that cannot be reached are marked.
    """
    if any(is_array_of_targets(value) for value in (near or {}).values()):
        if weights or priorities or method != "damped":
            raise RefusedError("arrays of targets are met or not: leave weights, priorities and method out")
        return solve_positions(model, near or {}, parameters=parameters)  # type: ignore[arg-type]
    if method not in CLOSINGS:
        raise RefusedError(f"unknown method '{method}'; {did_you_mean(method, list(CLOSINGS))}")
    topology = topology_of(model, "assemble")
    board = board_of(topology, parameters)
    single: Mapping[str, WishedValue] = near or {}  # type: ignore[assignment]
    wanted = {name: board.goal(name, value, _weight(name, weights)) for name, value in single.items()}
    for name in (*(weights or {}), *(priorities or {})):
        if name not in wanted:
            raise UnknownNameError(
                f"'{name}' has a weight or a priority, but no value in near; {did_you_mean(name, list(wanted))}"
            )
    closed, iterations, left = close_by(method, board.conditions, board.p, board.sketch)
    if not left < POLICY.closed:
        closed = _from_elsewhere(board, method, closed, iterations)
    order = {name: (priorities or {}).get(name, 1) for name in wanted}
    levels = [[wanted[name] for name in wanted if order[name] == rank] for rank in sorted(set(order.values()))]
    search = Nearest(board.conditions, board.p, spins=board.still(list(wanted.values())))
    poses, steps = search.settle(closed, [*levels, *board.as_drawn(board.sketch)])
    pose = board.assembled(poses, wanted, (method, iterations, steps))
    beyond = (item.told("is") for item in are_beyond(topology, poses, board.p, parameters))
    doubts = (*bare_angles(board.model, board.model.with_names(single)), *beyond)
    return replace(pose, undriven=tuple(board.model.joint_drivers), doubts=doubts)


@verb
def drag_point(
    model: Noun,
    point: str,
    places: ArrayLike,
    *,
    parameters: Parameters | None = None,
) -> DraggedPoint:
    """Lead a point from place to place (N × d) with the mechanism holding together; where it cannot follow it stays near.

    model: a pose, too, from which it is dragged. Couplings hold; what the point leaves free moves as little as can be.
    """
    board = board_of(topology_of(model, "drag_point"), parameters)
    path = np.atleast_2d(np.asarray(places, dtype=float))
    body, local = board.point(point)
    if path.shape[1] != board.conditions.space.dimension or not np.all(np.isfinite(path)):
        raise RefusedError(f"the path of {point} needs rows of {board.conditions.space.dimension} finite numbers, m")
    poses: Poses = assemble(model, parameters=parameters).poses
    values = board.conditions.readings_at(poses, board.p)
    relations, still = tuple(relations_of(board.conditions, board.p)), board.still([PointGoal(body, local, path[0])])
    search = Nearest(board.conditions, board.p, relations, values, spins=still)
    wanted, found = poses[body].point(local), []
    for place in counted(path, f"dragging {point}"):
        count = max(1, int(np.ceil(np.linalg.norm(place - wanted) / (STRIDE * board.conditions.length))))
        for share in np.arange(1, count + 1) / count:
            goal = PointGoal(body, local, wanted + share * (place - wanted))
            poses, _ = search.settle(poses, [[goal], *board.as_drawn(poses)])
        wanted = place
        found.append(dict(poses))
    tables = [board.values(item) for item in found]
    series = {name: np.array([table[name] for table in tables]) for name in tables[0]}
    for reading in board.conditions.readings:
        name = f"{reading.element}.{reading.name}"
        if reading.wraps and name in series:
            series[name] = np.unwrap(series[name])
    return DraggedPoint(
        name=board.model.name or "the mechanism",
        point=point,
        path=path,
        places=np.array([item[body].point(local) for item in found]),
        values=series,
        units={name: "rad" if name in board.angles else "m" for name in series},
        poses=tuple(found),
        drawing=draw(board.topology, board.p),
        size=board.conditions.length,
        remarked=unmoved(board.model),
    )


def _from_elsewhere(board: Board, method: str, closed: Poses, iterations: int) -> Poses:
    """Poses that close where a method has not closed the sketch: those of the analysis, which tries other starts too."""
    if method != "damped":
        raise AssemblyError(board.open_message(method, closed, iterations))
    return assemble_near_sketch(board.topology, board.p).poses


def _weight(name: str, weights: Mapping[str, float] | None) -> float:
    weight = float((weights or {}).get(name, 1.0))
    if not 0.0 < weight < np.inf:
        raise RefusedError(f"weights: {name} = {weight:g}; a weight is a positive number")
    return weight
