"""How many coordinates, equations and operations the mechanisms of the textbook need.

SOURCE: García de Jalón and Bayo, Kinematic and Dynamic Simulation of Multibody Systems, examples 2.1 to 2.10 and 3.9,
tables 2.1 to 2.3. Where our numbers are others, the book's stand beside them, with the reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import casadi as ca
import numpy as np
import pytest
import textbook

import linkwork as lw
from linkwork.coordinates.counting import count_operations
from linkwork.coordinates.natural import Natural
from linkwork.equations.equations import place_state

RELATIVE, REFERENCE, NATURAL, MIXED = "relative", "reference_point", "natural", "mixed"


@dataclass(frozen=True)
class Size:
    """A numbered mechanism and the rank of its conditions where it is assembled."""

    coordinates: lw.answers.Coordinates
    rank: int

    @property
    def counts(self) -> tuple[int, int]:
        """Positions, without the numbers of frames of orientations, and conditions."""
        c = self.coordinates
        return c.q.numel() - c.kinematics.charts, len(c.rows)

    @property
    def freedoms(self) -> int:
        return self.coordinates.v.numel() - self.rank


def size(model: lw.Model, kind: str | Natural) -> Size:
    c = lw.number(lw.analyse(model), kind)
    y, p = place_state(c, c.topology.assembly, c.geometry.defaults)
    jacobian = np.array(ca.Function("C", [c.t, c.y, c.p], [ca.densify(c.jacobian)])(0.0, y, p))
    return Size(c, int(np.linalg.matrix_rank(jacobian, tol=1e-9)) if jacobian.size else 0)


# the book's numbers of coordinates and equations, which are ours
SAME = {
    "2.1 natural": (textbook.four_bar, NATURAL, 4, 3),
    "2.2 open chain": (textbook.open_chain, RELATIVE, 3, 0),
    "2.2 relative": (textbook.four_bar, RELATIVE, 3, 2),
    "2.3 relative": (textbook.four_bar_with_slide, RELATIVE, 3, 2),
    "2.4 relative": (textbook.six_bodies, RELATIVE, 5, 4),
    "2.4 reference point": (textbook.six_bodies, REFERENCE, 15, 14),
    "2.4 natural": (textbook.six_bodies, NATURAL, 8, 7),
    "2.5 reference point": (textbook.four_bar, REFERENCE, 9, 8),
    "2.5 with a slide": (textbook.four_bar_with_slide, REFERENCE, 9, 8),
    "2.6 natural": (textbook.four_bar_with_slide, Natural(points=("three.P2", "four.P3")), 6, 5),
    # two lengths of the tube and the rod, the crank's, and the two alignments of the joint
    "2.7 natural": (textbook.telescope, Natural(points=("tube.P2", "rod.P3")), 6, 5),
    "2.10 relative": (textbook.rscr, RELATIVE, 4, 3),
    "2.10 natural": (textbook.rscr, Natural(points=("coupler.B", "rocker.B")), 12, 11),
}


@pytest.mark.parametrize("example", SAME)
def test_counts_of_the_book(example: str) -> None:
    make, kind, coordinates, equations = SAME[example]
    found = size(make(), kind)
    assert found.counts == (coordinates, equations)
    # none of these equations is redundant
    assert found.rank == equations
    assert found.freedoms == found.coordinates.topology.freedoms == (3 if make is textbook.open_chain else 1)


def test_two_of_the_three_loops_are_independent() -> None:
    """Example 2.4: six equations of three loops, four of them independent."""
    topology = lw.analyse(textbook.six_bodies())
    assert len(topology.loops) == 2
    assert topology.mobility.redundant == ()


@pytest.mark.parametrize(
    ("make", "least"), [(textbook.four_bar_with_slide, (4, 3)), (textbook.telescope, (4, 3)), (textbook.rscr, (9, 8))]
)
def test_points_on_an_axis_are_needed_by_nobody(make, least: tuple[int, int]) -> None:
    """Examples 2.6, 2.7 and 2.10: bodies that slide share an orientation, in space an axis, and need no points there.

    The book takes the points 2 and 3 as unknowns, which Natural(points=...) does as well; without them there are as many
    equations less.
    """
    found = size(make(), NATURAL)
    assert found.counts == least
    assert found.freedoms == 1


@pytest.mark.parametrize("case", textbook.PLATES)
def test_equations_of_a_rigid_body(case: str) -> None:
    """Example 2.8: 3, 3 and 5 equations; three distances of points in a line are only two, so another set is taken."""
    places = textbook.PLATES[case]
    found = size(textbook.plate(places), Natural(points=tuple(f"plate.P{i}" for i in range(len(places)))))
    assert found.counts == (2 * len(places), 2 * len(places) - 3)
    assert found.rank == 2 * len(places) - 3
    gradients = []
    for i, j in combinations(range(3), 2):
        row = np.zeros((3, 2))
        row[i] = np.subtract(places[i], places[j])
        row[j] = -row[i]
        gradients.append(row.ravel())
    assert np.linalg.matrix_rank(gradients) == (2 if case == "three points in a line" else 3)


def test_mixed_coordinates_add_an_equation_for_every_coordinate() -> None:
    """Example 2.9: 6 natural coordinates and 5 equations, 8 and 7 with an angle and a distance.

    Our mixed coordinates start from reference points, 9 and 8, and take the coordinates of all joints: an angle at each of
    the three pins and the distance in the slide, 13 and 12.
    """
    reference, mixed = (size(textbook.four_bar_with_slide(), kind) for kind in (REFERENCE, MIXED))
    added = np.subtract(mixed.counts, reference.counts)
    assert (*added,) == (4, 4)
    assert mixed.rank == 12


# coordinates of an orientation and conditions between them
ORIENTATIONS = {
    "euler_angles": (3, 0),
    "tait_bryan": (3, 0),
    "axis_angle": (4, 1),
    "euler_parameters": (4, 1),
    "rotation_matrix": (9, 6),
    "rotation_vector": (3, 0),
    "exponential": (3, 0),
}


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_reference_points_in_space(orientation: str) -> None:
    """Example 2.10 and section 2.2.2: 18 coordinates with Euler angles, 21 with Euler parameters (misprinted there).

    Our equations are those of the joints, 5 + 3 + 4 + 5. The conditions between the coordinates of one orientation are kept
    by its rates, q̇ = T(q) v, and are no rows; the book counts them, 20 = 17 + 3 with Euler parameters.
    """
    numbers, conditions = ORIENTATIONS[orientation]
    found = size(textbook.rscr(), f"reference_point:{orientation}")
    assert found.counts == (3 * (3 + numbers), 17)
    identities = len(found.coordinates.kinematics.identities)
    assert identities == 3 * conditions
    assert found.counts[0] - (17 + identities) == found.freedoms == 1
    assert found.rank == 17


def jacobian(c: lw.answers.Coordinates, rows: list[ca.SX]) -> tuple[tuple[int, int], int, int]:
    """Size, non-zero elements and operations of the Jacobian of some conditions with respect to q."""
    matrix = ca.sparsify(ca.jacobian(ca.vertcat(*rows), c.q))
    return matrix.shape, matrix.nnz(), count_operations([c.t, c.y, c.p], matrix)


def in_place_of(c: lw.answers.Coordinates, others: list[ca.SX]) -> list[ca.SX]:
    """All conditions, *others* in place of those that keep the coupler on the shaft."""
    rows = [row.residual for row in c.rows if not (row.label.element == "B" and "position" in row.label.component)]
    assert len(rows) == len(c.rows) - 2
    return [*rows, *(row.residual for row in c.kinematics.identities), *others]


def test_table_of_the_rscr_mechanism_with_euler_parameters() -> None:
    """Tables 2.1 and 2.3: 20 × 21 with 128 elements, in 988 operations.

    The book keeps two points on the shaft by two components of a vector product with 12 elements each. Ours are the
    components along two axes of the rocker, with 14 elements each, which need no choice among three. The book counts 988
    operations for the products of matrices as it writes them; here every common part is computed once, which leaves some
    850 in both.
    """
    c = lw.number(lw.analyse(textbook.rscr()), REFERENCE)
    a, b = c.geometry.joints["B"].frames(c.kinematics.frames)
    product = ca.cross(b.origin - a.origin, a.axis(2))
    book, ours = (jacobian(c, in_place_of(c, rows)) for rows in ([product[0], product[2]], positions_on_the_shaft(c)))
    assert book[:2] == ((20, 21), 128)
    assert ours[:2] == ((20, 21), 128 + 2 * 2)
    assert 600 < book[2] < 988
    assert 600 < ours[2] < 988


def positions_on_the_shaft(c: lw.answers.Coordinates) -> list[ca.SX]:
    return [row.residual for row in c.rows if row.label.element == "B" and "position" in row.label.component]


def test_table_of_the_rscr_mechanism_in_natural_coordinates() -> None:
    """Tables 2.2 and 2.3: 11 × 12 with 51 elements (57 with all three components), in 12 operations.

    All the rest are the book's conditions, and cost its differences of coordinates: nine for three segments. The vector
    product on the shaft makes three more of them. Our two rows in its place are regular wherever the shaft points, for which
    the book has to choose anew; they are combinations of three vectors and cost 45 operations.
    """
    topology = lw.analyse(textbook.rscr())
    c = lw.number(topology, Natural(points=("coupler.B", "rocker.B")))
    at = {name: c.q[i] for i, name in enumerate(c.kinematics.q_names)}
    end, start, axis = (ca.vertcat(*[at[f"{name}.{x}"] for x in "xyz"]) for name in ("coupler.B", "rocker.B", "B.axis"))
    product = ca.cross(end - start, axis)
    assert jacobian(c, in_place_of(c, [])) == ((9, 12), 39, 9)
    assert jacobian(c, in_place_of(c, [product[0], product[2]])) == ((11, 12), 51, 12)
    assert jacobian(c, in_place_of(c, [product])) == ((12, 12), 57, 12)
    counts = c.counts()
    assert (counts.conditions, counts.positions, counts.nonzeros) == (11, 12, 57)
    assert counts.operations <= 54
    # 988 : 12 in the book, where the vector product is the whole difference to our numbers
    reference = lw.number(topology, REFERENCE)
    parameters = jacobian(reference, in_place_of(reference, positions_on_the_shaft(reference)))
    assert parameters[2] > 10 * counts.operations


def test_spherical_four_bar_has_three_equations_too_many() -> None:
    """Example 3.9: n = 12, rank 11, one freedom where the count gives -2.

    The book writes 17 equations and needs 14 of them: two of three for every vector that is a combination of others. We
    write all three, and no unit length for a vector that three of them give: 15.
    """
    found = size(textbook.spherical_four_bar(), NATURAL)
    assert found.counts == (12, 15)
    assert (found.rank, found.freedoms) == (11, 1)
    topology = found.coordinates.topology
    assert (topology.mobility.by_count, topology.freedoms, len(topology.redundant)) == (-2, 1, 3)
