"""Gaps as expressions: against the compiled narrow phase, formulas and differences, at feet inside and at ends."""

from __future__ import annotations

from itertools import product

import casadi as ca
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from linkwork.algebra.frames import Frame
from linkwork.algebra.rotations import from_quaternion
from linkwork.algebra.space import PLANAR, SPATIAL, Space
from linkwork.elements.curves import BodyCurve
from linkwork.elements.extents import Extent, ball, bar, block
from linkwork.elements.shapes.forms import ContactShape, Form, HalfSpace, HeightField, Outline, arc, turned
from linkwork.elements.shapes.pairs import PLANAR_WORDS, SPATIAL_WORDS, gaps, offers
from linkwork.elements.shapes.polygon_gaps import largest
from linkwork.elements.shapes.records import pose_of, record_of
from linkwork.errors import RefusedError
from linkwork.numerics.collision.narrow_phase import Contacts, contacts
from linkwork.numerics.kernels.collision.shape_record import ShapeRecord, locate
from linkwork.numerics.loader import compiled

SEEDS = st.integers(0, 2**32 - 1)
R, L = ca.SX(0.2), ca.SX(1.5)
FORMS: dict[Space, dict[str, Form]] = {
    SPATIAL: {
        "point": Extent(ca.SX(3, 1)),
        "ball": ball(R),
        "bar": bar(L, R),
        "hull": block(L, 2 * R, 0.7),
        "turned": turned(SPATIAL, "y", ((-0.5, R), (0.7, 2 * R))),
        "plane": HalfSpace(),
    },
    PLANAR: {
        "point": Extent(ca.SX(2, 1)),
        "ball": Extent(ca.SX(2, 1), R),
        "bar": Extent(bar(L).corners[:2, :], R),
        "hull": Extent(ca.SX([[-1, 1, 1.2, -0.3], [-0.5, -0.4, 0.6, 0.9]]), 0.1),
        "plane": HalfSpace(),
    },
}
PAIRS = [
    (space, one, other)
    for space, words in ((SPATIAL, SPATIAL_WORDS), (PLANAR, PLANAR_WORDS))
    for one, other in product(words, words)
    if {"expression", "kernel"} <= {*offers(space, one, other)}
]
THICK = {"bar": 0.2, "hull": 0.1}  # radii of what has two corners and more


def placed(space: Space, q: ca.SX) -> Frame:
    """Where a body is by coordinates: its place, and an angle or a quaternion that need not be of unit length."""
    if space.planar:
        return Frame.planar(q[:2], q[2])
    return Frame(q[:3], from_quaternion(q[3:] / ca.norm_2(q[3:])))


def seat(space: Space) -> Frame:
    """Where the shape is in its body: not at its origin, and turned."""
    if space.planar:
        return Frame.planar(ca.SX([0.1, -0.2]), ca.SX(0.4))
    return Frame(ca.SX([0.1, -0.2, 0.3]), from_quaternion(ca.SX([0.8, 0.0, 0.6, 0.0])))


class Meeting:
    """Two shapes on two bodies whose coordinates are free."""

    def __init__(self, space: Space, one: str, other: str) -> None:
        count = 3 if space.planar else 7
        self.q = ca.SX.sym("q", 2 * count)
        frames = {"a": placed(space, self.q[:count]), "b": placed(space, self.q[count:])}
        forms = FORMS[space]
        self.shapes = [ContactShape(body, body, forms[word], seat(space)) for body, word in (("a", one), ("b", other))]
        found = gaps(*self.shapes, frames)
        self.gap = ca.vertcat(*[gap.gap for gap in found])
        values = [
            ca.horzcat(*[getattr(gap, name) for gap in found]) if name else self.gap for name in ("", "normal")
        ] + [ca.horzcat(*[gap.points[i] for gap in found]) for i in (0, 1)]
        self.function = ca.Function("gaps", [self.q], [*values, ca.jacobian(self.gap, self.q)])
        self.poses = ca.Function("poses", [self.q], [pose_of(shape, frames) for shape in self.shapes])
        self.records = [record_of(shape, lambda x: np.array(ca.DM(x))) for shape in self.shapes]
        self.dimension = space.dimension

    def compiled(self, q: np.ndarray) -> Contacts:
        for record, pose in zip(self.records, self.poses(q), strict=True):
            put(record, np.ravel(np.array(pose)))
        return contacts(*self.records, reach=100.0)

    def drawn(self, rng: np.random.Generator) -> np.ndarray:
        count = len(np.ravel(self.q.elements())) // 2
        size = rng.choice([0.4, 2.0])
        halves = [(size * rng.normal(size=self.dimension), rng.normal(size=count - self.dimension)) for _ in range(2)]
        return np.concatenate([*halves[0], *halves[1]])


def put(record: ShapeRecord, pose: np.ndarray) -> None:
    record.place[:], record.axes[:] = pose[:3], pose[3:]
    compiled(locate)(record)


MEETINGS: dict[tuple[Space, str, str], Meeting] = {}


def meeting(pair: tuple[Space, str, str]) -> Meeting:
    if pair not in MEETINGS:
        MEETINGS[pair] = Meeting(*pair)
    return MEETINGS[pair]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: "-".join((pair[0].name, *pair[1:])))
@given(seed=SEEDS)
def test_expressions_agree_with_kernels(pair, seed):
    """The least gap, with its normal and points; cores of bars and polygons that overlap are what expressions leave out."""
    meets = meeting(pair)
    q = meets.drawn(np.random.default_rng(seed))
    gap, normal, one, other = (np.array(value) for value in meets.function(q)[:4])
    found, k = meets.compiled(q), int(np.argmin(gap))
    d = meets.dimension
    if {*pair[1:]} <= THICK.keys():
        assume(found.gap[0] > -sum(THICK[word] for word in pair[1:]))
    np.testing.assert_allclose(other - one, gap.ravel() * normal, atol=1e-12)
    assert gap[k, 0] == pytest.approx(found.gap[0], abs=1e-12)
    near = np.argmin(np.abs(found.gap - gap[k, 0]) + np.linalg.norm(found.points[0][:, :d] - one[:, k], axis=1))
    np.testing.assert_allclose(found.normal[near, :d], normal[:, k], atol=1e-7)
    np.testing.assert_allclose(found.points[0][near, :d], one[:, k], atol=1e-7)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: "-".join((pair[0].name, *pair[1:])))
@given(seed=SEEDS)
def test_gradients_are_those_of_differences(pair, seed):
    """By central differences; a selector may switch between both, where the slope changes continuously."""
    meets, step = meeting(pair), 1e-6
    q = meets.drawn(np.random.default_rng(seed))
    slope = np.array(meets.function(q)[4])
    for i in range(len(q)):
        ahead, behind = q.copy(), q.copy()
        ahead[i], behind[i] = q[i] + step, q[i] - step
        gaps_of = [np.array(meets.function(where)[0]).ravel() for where in (ahead, behind)]
        np.testing.assert_allclose(slope[:, i], (gaps_of[0] - gaps_of[1]) / (2 * step), rtol=1e-4, atol=2e-4)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: "-".join((pair[0].name, *pair[1:])))
@given(seed=SEEDS)
def test_gradients_are_velocities_along_normals(pair, seed):
    """∂g/∂q = n · (∂x_b/∂q − ∂x_a/∂q) of the material points: those of the frames, with the points held in their bodies."""
    meets = meeting(pair)
    q = meets.drawn(np.random.default_rng(seed))
    values = [np.array(value) for value in meets.function(q)]
    space, count = pair[0], meets.q.numel() // 2
    local = ca.SX.sym("local", space.dimension, 2)
    halves = placed(space, meets.q[:count]), placed(space, meets.q[count:])
    moved = [half.point(local[:, i]) for i, half in enumerate(halves)]
    back = [half.axes.T @ (local[:, i] - half.origin) for i, half in enumerate(halves)]
    to_local = ca.Function("local", [meets.q, local], [ca.horzcat(*back)])
    rates = ca.Function("rates", [meets.q, local], [ca.jacobian(x, meets.q) for x in moved])
    for k in range(values[0].size):
        points = np.column_stack([values[2][:, k], values[3][:, k]])
        of_one, of_other = (np.array(x) for x in rates(q, to_local(q, points)))
        np.testing.assert_allclose(values[4][k], values[1][:, k] @ (of_other - of_one), atol=1e-7)


def test_other_pairs_say_where_they_are_found():
    shapes = [ContactShape(name, name, FORMS[SPATIAL]["hull"], seat(SPATIAL)) for name in ("crate", "box")]
    assert offers(SPATIAL, "hull", "hull") == ("kernel",)
    assert offers(SPATIAL, "plane", "plane") == offers(SPATIAL, "plane", "field") == ()
    frames = {name: Frame.identity(3) for name in ("crate", "box")}
    with pytest.raises(RefusedError, match=r"'crate' \(hull\) and 'box' \(hull\) is not smooth"):
        gaps(*shapes, frames)


def measured(shapes: list[ContactShape], frames: dict[str, Frame], q: ca.SX, at: np.ndarray) -> float:
    """The gap that the kernel has."""
    records = [record_of(shape, lambda x: np.array(ca.DM(x))) for shape in shapes]
    poses = ca.Function("poses", [q], [pose_of(shape, frames) for shape in shapes])
    for record, pose in zip(records, poses(at), strict=True):
        put(record, np.ravel(np.array(pose)))
    return float(contacts(*records, reach=100.0).gap[0])


def test_arcs_are_as_far_as_their_nearest_point():
    """Against many points on the arc, round and hollow, closed and open, beside it and beyond its ends."""
    rng = np.random.default_rng(3)
    for first, last in ((0.0, 2 * np.pi), (-0.4, 1.1), (1.0, 5.6)):
        for side in (1.0, -1.0):
            form = Outline(arc(ca.SX(2, 1), 0.8, first, last), side, 0.8)
            q = ca.SX.sym("q", 2)
            shapes = [
                ContactShape("a", "a", form, seat(PLANAR)),
                ContactShape("b", "b", Extent(ca.SX(2, 1), 0.05), Frame.identity(2)),
            ]
            (gap,) = gaps(*shapes, {"a": Frame.identity(2), "b": Frame(q, ca.SX.eye(2))})
            values = ca.Function("gap", [q], [gap.gap, gap.normal, *gap.points, ca.jacobian(gap.gap, q)])
            own = seat(PLANAR)
            angles = np.linspace(first, last, 40001)
            points = (np.array(ca.DM(own.axes)) @ (0.8 * np.array([np.cos(angles), np.sin(angles)]))).T
            points += np.array(ca.DM(own.origin)).ravel()
            middle = np.array(ca.DM(own.origin)).ravel()
            for _ in range(60):
                place = middle + rng.uniform(-1.5, 1.5, 2)
                found, normal, on, other, slope = (np.ravel(np.array(item)) for item in values(place))
                distances = np.linalg.norm(points - place, axis=1)
                k = int(np.argmin(distances))
                out = -side * np.sign(np.linalg.norm(place - middle) - 0.8)
                if out < 0 and last - first < 6.2:
                    continue  # behind an open arc nothing is
                out = out if 0 < k < len(angles) - 1 or last - first > 6.2 else 1.0
                assert found[0] == pytest.approx(out * distances[k] - 0.05, abs=1e-6)
                assert on == pytest.approx(points[k], abs=1e-4)
                assert other - on == pytest.approx(found[0] * normal, abs=1e-12)
                assert slope == pytest.approx(normal, abs=1e-9)


def regular(count: int, size: float) -> Extent:
    """A sharp regular polygon."""
    q = 2 * np.pi * np.arange(count) / count
    return Extent(ca.SX(size * np.array([np.cos(q), np.sin(q)])))


@pytest.mark.parametrize(("first", "second"), [(3, 3), (4, 4), (5, 4), (6, 3)])
def test_sharp_polygons_overlap_where_a_corner_is_inside(first: int, second: int) -> None:
    """Sides and corners that are chosen give the least of all corners; a corner over a polygon is no farther than it is."""
    q, rng = ca.SX.sym("q", 6), np.random.default_rng(first + second)
    shapes = [
        ContactShape("a", "a", regular(first, 1.0), seat(PLANAR)),
        ContactShape("b", "b", regular(second, 0.7), seat(PLANAR)),
    ]
    frames = {"a": placed(PLANAR, q[:3]), "b": placed(PLANAR, q[3:])}
    every, chosen = (gaps(*shapes, frames, choose) for choose in (None, largest))
    assert len(chosen) == sum(2 if count % 2 == 0 else 3 for count in (first, second))
    assert len(every) == first + second
    values = ca.Function("gaps", [q], [ca.vertcat(*[gap.gap for gap in found]) for found in (every, chosen)])
    seen = set()
    for _ in range(300):
        at = rng.uniform(-1.2, 1.2, 6)
        one, other = (np.array(item).ravel() for item in values(at))
        assert np.min(other) == pytest.approx(np.min(one), abs=1e-14)
        kernel = measured(shapes, frames, q, at)
        seen.add(bool(kernel > 0.0))
        if kernel > 0.0:
            assert 0.0 < np.min(one) <= kernel + 1e-12
        if np.min(one) < 0.0:
            assert kernel < 1e-12
    assert len(seen) == 2


def test_curvatures():
    """1/r of a ball; of a bar none along it, but at its ends."""
    still = Frame.identity(3)
    shapes = [ContactShape("bar", "a", bar(L, R), still), ContactShape("ball", "b", ball(R / 2), still)]
    place = ca.SX.sym("place", 3)
    (found,) = gaps(*shapes, {"a": still, "b": Frame(place, ca.SX.eye(3))})
    of = ca.Function("bends", [place], [found.bends[0].across, found.bends[0].along, found.bends[1].across])
    np.testing.assert_allclose([float(x) for x in of([0.2, 0.5, 0.1])], [5, 0, 10])
    np.testing.assert_allclose([float(x) for x in of([1.2, 0.5, 0.1])], [5, 5, 10])


def test_forms_have_records():
    """Every form of space, with live parameters, has the memory of the narrow phase; curves have conditions."""
    radius = ca.SX.sym("radius")
    still = Frame.identity(3)

    def number(x: ca.SX) -> np.ndarray:
        return np.array(ca.DM(ca.substitute(x, radius, 0.2)))

    ground = record_of(ContactShape("ground", "a", HeightField(np.zeros((3, 3)), (1.0, 1.0)), still), number)
    for form, bottom in (
        (ball(radius), 0.2),
        (bar(L, radius), 0.2),
        (turned(SPATIAL, "x", ((0.0, radius), (1.0, radius))), 0.2),
    ):
        shape = ContactShape("shape", "b", form, still)
        record = record_of(shape, number)
        put(record, np.ravel(numbers(pose_of(shape, {"b": Frame(ca.SX([0, 0, 1]), ca.SX.eye(3))}))))
        assert contacts(ground, record, reach=2.0).gap[0] == pytest.approx(1.0 - bottom, abs=1e-14)
    round_it = Outline(BodyCurve(lambda u: ca.vertcat(ca.cos(u), ca.sin(u)), ca.SX(0), ca.SX(6), False))
    with pytest.raises(RefusedError, match="'rim' is a curve"):
        record_of(ContactShape("rim", "a", round_it, Frame.identity(2)), number)


def numbers(x: ca.SX) -> np.ndarray:
    return np.array(ca.DM(x))
