"""The rates of all conditions of a mechanism at given poses: joints, couplings, relations, drivers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from linkwork.numerics.matrices.long_rows import AnyRows, row_of, stacked
from linkwork.position.assembly import CoupledReadings
from linkwork.position.drives import Drives
from linkwork.position.geometry import Array, Pose
from linkwork.position.labels import RowLabel
from linkwork.position.poses import PoseConditions


@dataclass(frozen=True, eq=False)
class ConditionRows:
    """Rates of conditions as rows for δ̇: of joints and couplings (``held``, labelled), of drivers, and of all readings.

    ``all`` are those of positions; ``rolling`` restricts velocities alone.
    """

    held: AnyRows
    labels: tuple[RowLabel, ...]
    driven: AnyRows
    drivers: tuple[str, ...]
    readings: AnyRows
    rolling: Array  # conditions on velocities alone
    rolling_labels: tuple[RowLabel, ...]

    @cached_property
    def all(self) -> AnyRows:
        return stacked([self.held, self.driven])


def condition_rows(drives: Drives, conditions: PoseConditions, poses: Mapping[str, Pose], p: Array) -> ConditionRows:
    """The rates of all conditions of a mechanism at given poses: joints, couplings, drivers."""
    _, jacobian, _, rates = conditions.rows(poses, p)
    # lengths over the size of the mechanism, so that its size makes no row faint
    gears = [relation.row(rates) / relation.size(conditions.units) for relation in relations_of(conditions, p)]
    drivers = [row_of(rates, i) / conditions.units[i] for i in (conditions.index(*key) for key in drives.keys.values())]
    labels = [RowLabel(name, coupled.component, "coupling") for name, coupled in conditions.geometry.couplings.items()]
    guiding = [i for i, label in enumerate(conditions.labels) if label.kind == "driver"]
    holding = [i for i, label in enumerate(conditions.labels) if label.kind != "driver"]
    return ConditionRows(
        held=stacked([jacobian[holding], *gears]),
        labels=(*(conditions.labels[i] for i in holding), *labels),
        driven=stacked([jacobian[guiding], *drivers]),
        drivers=(*(conditions.labels[i].element for i in guiding), *drives.keys),
        readings=rates,
        rolling=conditions.rate_rows(poses, p)[0],
        rolling_labels=conditions.rate_labels,
    )


def relations_of(conditions: PoseConditions, p: Array) -> list[CoupledReadings]:
    """The couplings between readings."""
    number = conditions.geometry.number
    return [
        CoupledReadings(
            name, tuple((conditions.index(t.joint, t.freedom), float(number(t.factor, p))) for t in coupled.terms)
        )
        for name, coupled in conditions.geometry.couplings.items()
    ]
