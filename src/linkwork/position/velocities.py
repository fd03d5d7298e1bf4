"""Velocities at the start: those asked for, and for the freedoms that are left those of least kinetic energy.

Of all velocities with which the joints stay closed, and which drivers and ``initial`` allow, the ones that the mechanism
takes when it is set in motion suddenly by those who ask for speeds, and by nobody else (Kelvin's theorem of 1863):

    minimise ½ ẋᵀ M ẋ   subject to   A ẋ = b.

Motions without kinetic energy (of bodies without mass) have the least sum of squares of the velocities of the centres of
mass, over the size of the mechanism, and of the angular velocities. The order of a file plays no part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from linkwork.arrays import Array
from linkwork.errors import AssemblyError
from linkwork.numerics.matrices.long_rows import AnyRows, stacked
from linkwork.numerics.matrices.many_matrices import pseudo_inverse
from linkwork.numerics.policy import POLICY
from linkwork.position.assembly import CoupledReadings, Target
from linkwork.position.inertia import body_inertia, unit_inertia
from linkwork.position.insides import PoseReading
from linkwork.position.poses import PoseConditions, Poses
from linkwork.position.preference import Preference
from linkwork.position.rank import free_rows, least_solution, null_space

ROUNDING = 64 * float(np.finfo(float).eps)  # of a scalar product, in the sizes of its vectors
LISTED = 8  # speeds in a note
COARSE, AGREED = 1e-5, 1e-11  # of a speed: changes that its last digit may hide, and those that rounding makes
SILENT = 1e-12  # of the largest speed: less is 0


@dataclass(frozen=True, eq=False)
class _Asked:
    """Rows of what must hold with their right sides, what ``initial`` asks for, and all readings with the rates that these
    have by themselves; lengths in sizes of the mechanism."""

    hard: AnyRows
    due: Array
    given: tuple[Target, ...]
    soft: AnyRows
    wanted: Array
    rates: AnyRows
    moved: Array


def assemble_velocities(
    conditions: PoseConditions,
    p: Array,
    poses: Poses,
    targets: Sequence[Target],
    relations: Sequence[CoupledReadings],
    preferred: Preference,
) -> tuple[dict[str, Array], tuple[str, ...]]:
    """Velocities that keep the joints closed and have the rates asked for, and what a user should know about them.

    What drivers ask for must be possible. Speeds of ``initial`` that are not are replaced by the nearest ones that are:
    those with the smallest sum of squares of the changes, lengths in sizes of the mechanism. What has changed is told.
    """
    asked = _collect(conditions, p, poses, targets, relations, conditions.units)
    if not (np.any(asked.due) or np.any(asked.wanted)):
        return conditions.twists(np.zeros(conditions.size)), ()
    taken, rows = asked.wanted, stacked([asked.hard, asked.soft])
    solution, free = _solved(rows, np.concatenate([asked.due, taken]))
    if asked.given and not _satisfied(rows, solution, np.concatenate([asked.due, taken])):
        taken = _nearest(asked)
        solution, free = _solved(rows, np.concatenate([asked.due, taken]))
    if not _satisfied(rows, solution, np.concatenate([asked.due, taken])):
        names = ", ".join(dict.fromkeys(target.asked_by for target in targets))
        raise AssemblyError(
            f"the speeds asked for ({names}) contradict each other or the closed loops; "
            "give as many independent speeds as there are degrees of freedom"
        )
    if free.shape[1]:
        solution = _least_energy(solution, free, body_inertia(conditions, poses, p), unit_inertia(conditions, poses, p))
    units = _units(asked.given, conditions.units)
    notes = [
        _change(conditions, target, target.value, target.value + unit * (found - wanted))
        for target, wanted, found, unit in zip(asked.given, asked.wanted, taken, units, strict=True)
        if _differs(target.value, unit * (found - wanted), unit * float(np.max(np.abs(asked.wanted))))
    ]
    left = free_rows(free, asked.rates, preferred.order(asked.rates @ free)) if free.shape[1] else []
    solution, speeds = _settled(rows, np.concatenate([asked.due, taken]), asked.rates, left, solution)
    notes += _told(conditions, left, (speeds + asked.moved) * conditions.units)
    return conditions.twists(solution), tuple(notes)


def _collect(
    conditions: PoseConditions,
    p: Array,
    poses: Poses,
    targets: Sequence[Target],
    relations: Sequence[CoupledReadings],
    units: Array,
) -> _Asked:
    _, jacobian, _, rates = conditions.rows(poses, p)
    drift, moved = conditions.drift(poses, p)
    gears = [relation.row(rates) for relation in relations]
    sizes = [float(np.linalg.norm(row)) or 1.0 for row in gears]
    turned = [-float(relation.of(moved)) / size for relation, size in zip(relations, sizes, strict=True)]
    gears = [row / size for row, size in zip(gears, sizes, strict=True)]
    rates = rates / units[:, None]
    rolling, rolled = conditions.rate_rows(poses, p)
    driven = [target for target in targets if not target.asked_by.startswith("initial.")]
    given = [target for target in targets if target.asked_by.startswith("initial.")]
    hard = stacked([jacobian, rolling, *gears, rates[[target.reading for target in driven]]])
    still = [-drift, -rolled, np.array(turned)]
    values = [
        np.array([target.value - moved[target.reading] for target in items]) / _units(items, units)
        for items in (driven, given)
    ]
    soft = rates[[target.reading for target in given]]
    return _Asked(hard, np.concatenate([*still, values[0]]), tuple(given), soft, values[1], rates, moved / units)


def _solved(rows: AnyRows, right: Array) -> tuple[Array, Array]:
    """x of least length with rows x = right, in the sense of least squares, and a basis of what the rows leave free."""
    return least_solution(rows, right), null_space(rows)


def _units(targets: Sequence[Target], units: Array) -> Array:
    return units[[target.reading for target in targets]]


def _least_energy(start: Array, free: Array, inertia: Array, plain: Array) -> Array:
    """ẋ = x₀ + N z of least ẋᵀ M ẋ, and among those of least ẋᵀ W ẋ.

    In the basis of N in which NᵀWN = 1 and NᵀMN = diag(μ): zᵢ = −nᵢᵀM x₀ / μᵢ, and where μᵢ = 0, −nᵢᵀW x₀ for what is then.
    """
    sizes, turn = np.linalg.eigh(free.T @ plain @ free)
    basis = free @ (turn / np.sqrt(sizes))
    energies, turn = np.linalg.eigh(basis.T @ inertia @ basis)
    basis = basis @ turn
    heavy = energies > POLICY.unresisted * float(np.max(np.diag(inertia) / np.diag(plain)))
    moving, idle = basis[:, heavy], basis[:, ~heavy]
    pull = inertia @ start
    drawn = moving.T @ pull
    # beside a heavy flywheel the rounding errors of nᵢᵀM x₀ would set light bodies in motion
    drawn[np.abs(drawn) < ROUNDING * np.linalg.norm(moving, axis=0) * np.linalg.norm(pull)] = 0.0
    found = start - moving @ (drawn / energies[heavy])
    return np.asarray(found - idle @ (idle.T @ plain @ found))


def _settled(rows: AnyRows, right: Array, rates: AnyRows, left: Sequence[int], solution: Array) -> tuple[Array, Array]:
    """The same velocities, and all rates, with those of the readings *left* at exactly zero that are so but for rounding."""
    speeds = rates @ solution
    speeds[np.abs(speeds) < SILENT * float(np.max(np.abs(speeds), initial=0.0))] = 0.0
    if not left:
        return solution, speeds
    chosen = list(left)
    all_rows, all_right = stacked([rows, rates[chosen]]), np.concatenate([right, speeds[chosen]])
    return least_solution(all_rows, all_right), speeds


def _nearest(asked: _Asked) -> Array:
    """The rates nearest to those asked for that *hard* x = *due* allows."""
    start, free = _solved(asked.hard, asked.due)
    rates, missed = asked.soft @ free, asked.wanted - asked.soft @ start
    # as they are asked for: rows that are stretched would count for more
    inverse = pseudo_inverse(rates[None], np.array([POLICY.rank]))[0]
    return np.asarray(asked.soft @ start + rates @ (inverse @ missed))


def _satisfied(system: AnyRows, solution: Array, right: Array) -> bool:
    gap = np.abs(system @ solution - right)
    return not gap.size or float(np.max(gap)) <= POLICY.agreed * max(1.0, float(np.max(np.abs(right), initial=0.0)))


def _differs(given: float, change: float, size: float) -> bool:
    """Whether a change shows in the digits with which a value was given, and in the eleventh of the *size* of speeds."""
    last = float(Decimal(1).scaleb(int(Decimal(repr(float(given))).as_tuple().exponent)))
    return abs(change) > max(min(last / 2, COARSE * abs(given)), AGREED * size)


def _change(conditions: PoseConditions, target: Target, asked: float, taken: float) -> str:
    unit, name = _unit(conditions.readings[target.reading]), _rate_name(conditions, target.reading)
    digits = next(n for n in range(6, 18) if n == 17 or f"{asked:.{n}g}" != f"{taken:.{n}g}")
    component = "" if target.asked_by.endswith(name) else f" ({name})"
    return (
        f"{target.asked_by}{component} = {asked:.{digits}g} {unit} does not agree with the other speeds and the closed "
        f"joints: {taken:.{digits}g} {unit} taken"
    )


def _told(conditions: PoseConditions, left: Sequence[int], speeds: Array) -> list[str]:
    """What was taken for freedoms of which nobody gave the speed; that they rest is what everybody expects."""
    left = [i for i in left if speeds[i]]
    if not left:
        return []
    texts = [f"{_rate_name(conditions, i)} = {speeds[i]:.6g} {_unit(conditions.readings[i])}" for i in left[:LISTED]]
    more = f" and {len(left) - LISTED} more" if len(left) > LISTED else ""
    return [
        f"speeds that the start does not give are those of least kinetic energy: {', '.join(texts)}{more}; name them under "
        "'initial' to have others"
    ]


def _rate_name(conditions: PoseConditions, reading: int) -> str:
    """A rate as a user names it: 'A.speed', 'slider.vx', 'rod.omega about x'."""
    item = conditions.readings[reading]
    if item.rate_only:
        return f"{item.element}.omega about {'xyz'[int(item.name[-1])]}"
    joint = conditions.geometry.joints.get(item.element)
    if joint is None:
        return f"{item.element}.{'speed' if item.name == 'angle' else f'v{item.name}'}"
    rates = {freedom.name: freedom.rate for freedom in joint.kind.scalars(conditions.space)}
    return f"{item.element}.{rates[item.name]}"


def _unit(reading: PoseReading) -> str:
    return "rad/s" if reading.angular else "m/s"
