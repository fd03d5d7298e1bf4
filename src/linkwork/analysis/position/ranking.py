"""``rank_coordinates``, ``rank_along`` and ``rank_cuts``: which coordinates to integrate, and where to cut loops.

The projective criterion of coordinate i at a position is the part of its direction that the conditions leave free, measured
with the mass matrix,

    cos²α_i = (D M'⁻¹ Dᵀ)_ii / (M⁻¹)_ii,   M' = DᵀM D,   C D = 0.

1: the conditions do not hinder it; 0: they hold it fixed, a singular choice. With several freedoms the best coordinate
joins the conditions and the others are ranked again, so that the set stays independent; the criterion of the last one says
how good the set is. The same with M = 1 in units of the coordinates knows the geometry alone, as the singular values of C.
Relative coordinates depend on the joints at which loops are cut, and a cut is as good as the best set that it leaves.

Source: W. Blajer, W. Schiehlen, W. Schirm, "A projective criterion to the coordinate partitioning method for multibody
dynamics", Arch. Appl. Mech. 64 (1994), eq. (23 a) and section 6.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from linkwork.algebra.given import Parameters
from linkwork.analysis.walk.subject import Moved, Noun, motion_of_noun, subject_of
from linkwork.answer import Answer, Column, Grid
from linkwork.arrays import Array
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.numbering import KindChoice, number
from linkwork.equations.equations import place_state
from linkwork.equations.terms import make_function
from linkwork.errors import RefusedError, UnknownNameError, did_you_mean
from linkwork.numerics.flows.closure import criterion, worth
from linkwork.position.geometry import GROUND
from linkwork.results.measured import NamedValues
from linkwork.topology import Topology
from linkwork.topology.analyse import assemble
from linkwork.topology.graph.graph import Link, spanning_tree

TAKEN = 1e-6  # opening of a loop, in units of the size of the mechanism, at positions that are taken from a result
INDEPENDENT = 1e-9  # criterion below which a coordinate is held fixed


@dataclass(frozen=True, eq=False, repr=False)
class CoordinateRanking(Answer):
    """Criteria of the velocities of a mechanism at one position, by name. Prints as a table, the best first.

    values: the projective criterion; geometric: the same without masses; chosen: the independent set in the order in
    which it is taken, each with its criterion at that moment; cut: the joints at which loops are cut
    """

    coordinates: str
    cut: tuple[str, ...]
    values: Mapping[str, float]
    geometric: Mapping[str, float]
    chosen: Mapping[str, float]

    @property
    def quality(self) -> float:
        """The criterion of the last coordinate of the set; 1 where nothing can move."""
        return min(self.chosen.values(), default=1.0)

    @property
    def title(self) -> str:
        best = f"best independent set: {', '.join(self.chosen)}" if self.chosen else "nothing can move"
        cut = f", cut at {', '.join(self.cut)}" if self.cut else ""
        return f"{best} ({self.coordinates} coordinates{cut})"

    @property
    def _best_first(self) -> list[str]:
        return sorted(self.values, key=lambda name: -self.values[name])

    def report(self) -> list[Grid]:
        marks = dict.fromkeys(self.chosen, "independent")
        rows = [(n, f"{self.values[n]:.4f}", f"{self.geometric[n]:.4f}", marks.get(n, "")) for n in self._best_first]
        return [Grid(rows, ("coordinate", "criterion", "geometry", ""))]

    def columns(self) -> list[Column]:
        """The criteria, the best first."""
        names = self._best_first
        return [
            Column("coordinate", names),
            Column("criterion", [self.values[name] for name in names], "1"),
            Column("geometry", [self.geometric[name] for name in names], "1"),
            Column("independent", [name in self.chosen for name in names]),
        ]


@dataclass(frozen=True, eq=False, repr=False)
class CutRanking(Answer):
    """How good it is to cut a loop at each of its joints, the others as they are. Prints as a table, the best first."""

    loops: tuple[Mapping[str, CoordinateRanking], ...]
    cut: tuple[str, ...]

    @property
    def title(self) -> str:
        return f"where to cut {len(self.loops)} loop{'' if len(self.loops) == 1 else 's'}" if self.loops else "no loops"

    def report(self) -> list[str | Grid]:
        lines: list[str | Grid] = []
        for i, loop in enumerate(self.loops, start=1):
            rows = [
                (joint, f"{found.quality:.4f}", ", ".join(found.chosen), "(the plan)" if joint in self.cut else "")
                for joint, found in _best_first(loop)
            ]
            lines += [f"loop {i}: {' - '.join(loop)}", Grid(rows, ("cut at", "criterion", "independent", ""), 4)]
        return lines

    def columns(self) -> list[Column]:
        """A row for every joint of every loop, the best first."""
        rows = [(i, *pair) for i, loop in enumerate(self.loops, start=1) for pair in _best_first(loop)]
        return [
            Column("cut at", [joint for _, joint, _ in rows]),
            Column("loop", [str(i) for i, _, _ in rows]),
            Column("criterion", [found.quality for _, _, found in rows], "1"),
            Column("independent", [", ".join(found.chosen) for _, _, found in rows]),
            Column("of the plan", [joint in self.cut for _, joint, _ in rows]),
        ]


def _best_first(loop: Mapping[str, CoordinateRanking]) -> list[tuple[str, CoordinateRanking]]:
    return sorted(loop.items(), key=lambda item: -item[1].quality)


def rank_coordinates(
    model: Noun,
    *,
    coordinates: KindChoice | None = None,
    cut: Sequence[str] | None = None,
    parameters: Parameters | None = None,
) -> CoordinateRanking:
    """Rank the coordinates of a mechanism by the projective criterion, at its assembled position.

    coordinates: by default those of what is given, else relative ones
    cut: for relative coordinates the joints at which loops are cut, by default those of the plan
    parameters: values of live parameters
    """
    subject = subject_of(model, "rank_coordinates")
    topology = subject.begun
    if cut is not None:
        topology = _recut(topology, cut)
    return _rank(topology, coordinates or subject.kind or "relative", _values(topology, parameters))


def rank_along(
    model: Noun,
    result: Moved,
    *,
    coordinates: KindChoice | None = None,
    cut: Sequence[str] | None = None,
    parameters: Parameters | None = None,
    masses: bool = True,
) -> NamedValues:
    """The criterion of every coordinate (N) along the motion of a result, which may have been found in other coordinates.

    result: a run, or what was found along one
    cut, parameters: as in `rank_coordinates`; masses: without them the geometry alone is ranked
    """
    subject, result = subject_of(model, "rank_along"), motion_of_noun(result, "rank_along")
    topology = subject.begun
    chosen = coordinates or subject.kind or "relative"
    c = number(topology if cut is None else _recut(topology, cut), chosen)
    unnamed = [name for name in c.kinematics.q_names if name not in result]
    if unnamed:
        raise RefusedError(
            f"positions such as '{unnamed[0]}' have no name in a result: rank other coordinates along it"
        )
    y, p = place_state(c, c.topology.assembly, _values(topology, parameters))
    function = make_function("matrices", c, {"M": c.mass, "C": c.jacobian, "phi": c.phi})
    nq, scale = c.q.numel(), c.kinematics.scale
    positions = np.array(list(result.values(list(c.kinematics.q_names)).values())).T
    found = np.empty((len(result), c.v.numel()))
    for i, (t, q) in enumerate(zip(result.time, positions, strict=True)):
        mass, conditions, phi = (np.array(item) for item in function(t, np.concatenate([q, y[nq:]]), p))
        if np.max(np.abs(phi), initial=0.0) > TAKEN * c.kinematics.length:
            raise RefusedError(f"the loops are not closed at t = {t:g} s: is this the result of the same mechanism?")
        found[i] = criterion(mass if masses else np.diag(1 / scale**2), conditions.reshape((-1, scale.size)), scale)
    by_name = dict(zip(c.kinematics.v_names, found.T, strict=True))
    return NamedValues(f"criterion of {c.kind} coordinates", result.variable.column(result.time), by_name)


def rank_cuts(model: Noun, *, parameters: Parameters | None = None) -> CutRanking:
    """Rank the joints of every loop as places to cut it, with relative coordinates, at the assembled position."""
    topology = subject_of(model, "rank_cuts").begun
    p, cuts = _values(topology, parameters), topology.cut_joints
    loops = tuple(
        {
            joint: _rank(_recut(topology, [joint if name == loop[0] else name for name in cuts]), "relative", p)
            for joint in loop
        }
        for loop in topology.loops
    )
    return CutRanking(loops, cuts)


def _values(topology: Topology, parameters: Parameters | None) -> Array:
    return topology.parameters(topology.model.in_si(parameters))


def _recut(topology: Topology, cut: Sequence[str]) -> Topology:
    """The same mechanism with its loops cut at other joints."""
    joints, cut = topology.model.joints, [topology.model.named(name) for name in cut]
    for name in cut:
        if name not in joints:
            raise UnknownNameError(f"there is no joint '{name}'; {did_you_mean(name, list(joints))}")
    links = [Link(name, joint.parent, joint.child, int(name in cut)) for name, joint in joints.items()]
    tree = spanning_tree(GROUND, topology.geometry.outward, links)
    left = {link.name for link in tree.cuts}
    if left != set(cut):
        reason = f"cut at {', '.join(cut)}, the loops are" if cut else "without a cut the loops are"
        raise RefusedError(f"{reason} not open in a tree; one that is: {', '.join(sorted(left)) or 'no cut at all'}")
    return replace(topology, tree=tree)


def _rank(topology: Topology, kind: KindChoice, p: Array) -> CoordinateRanking:
    numbered = number(topology, kind)
    mass, conditions = _matrices(numbered, p)
    names, scale = numbered.kinematics.v_names, numbered.kinematics.scale
    chosen = _choose(mass, conditions, scale)
    plain = criterion(np.diag(1 / scale**2), conditions, scale)
    return CoordinateRanking(
        coordinates=numbered.kind.name,
        cut=topology.cut_joints if numbered.kind.name == "relative" else (),
        values=dict(zip(names, map(float, criterion(mass, conditions, scale)), strict=True)),
        geometric=dict(zip(names, map(float, plain), strict=True)),
        chosen={names[i]: value for i, value in chosen.items()},
    )


def _matrices(c: Coordinates, p: Array) -> tuple[Array, Array]:
    """M and C at the assembled position."""
    default = np.array_equal(p, c.geometry.defaults)
    assembly = c.topology.assembly if default else assemble(c.topology, p)
    y, values = place_state(c, assembly, p)
    found = make_function("matrices", c, {"M": c.mass, "C": c.jacobian})(0.0, y, values)
    mass, conditions = (np.array(item).reshape(item.shape) for item in found)
    return mass, conditions


def _choose(mass: Array, conditions: Array, scale: Array) -> dict[int, float]:
    """The independent set: the best coordinate joins the conditions, then the next."""
    chosen: dict[int, float] = {}
    for _ in range(len(mass)):
        values = worth(mass, np.vstack([conditions, np.eye(len(mass))[list(chosen)]]), scale)
        best = int(np.argmax(values))
        if values[best] < INDEPENDENT:
            break
        chosen[best] = float(values[best])
    return chosen
