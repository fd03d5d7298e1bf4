"""Curves on curves, discs and lines: circles and arcs by formulas, ellipses and splines against many samples."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from linkwork.algebra.frames import Frame
from linkwork.algebra.space import PLANAR
from linkwork.elements.curves import BodyCurve
from linkwork.elements.extents import Extent
from linkwork.elements.shapes.curve_gaps import curve_gap, nearest_places
from linkwork.elements.shapes.forms import ContactShape, Form, HalfSpace, Outline, arc
from linkwork.elements.shapes.pairs import offers
from linkwork.errors import RefusedError

SEEDS = st.integers(0, 2**32 - 1)
TURN = 2 * np.pi


def ellipse(a: float, b: float) -> BodyCurve:
    return BodyCurve(lambda u: ca.vertcat(a * ca.cos(u), b * ca.sin(u)), ca.SX(0), ca.SX(TURN), True)


def wave() -> BodyCurve:
    """An open curve, above which is outside."""
    return BodyCurve(lambda u: ca.vertcat(u, 0.2 * ca.sin(2 * u)), ca.SX(-3), ca.SX(3), False, "m")


def placed(q: np.ndarray) -> Frame:
    return Frame.planar(ca.SX(q[:2]), ca.SX(q[2]))


def shape(form: Form, body: str) -> ContactShape:
    return ContactShape(body, body, form, Frame.planar(ca.SX([0.1, 0.05]), ca.SX(0.3)))


def numbers(x: ca.SX) -> np.ndarray:
    return np.array(ca.DM(x))


def met(one: Form, other: Form, poses: tuple) -> tuple[float, np.ndarray, np.ndarray, list[np.ndarray]]:
    """Gap, normal, points and bends at the nearest places, whose conditions hold."""
    shapes = shape(one, "a"), shape(other, "b")
    frames = {"a": placed(np.array(poses[0])), "b": placed(np.array(poses[1]))}
    places = nearest_places(*shapes, frames, numbers)
    found = curve_gap(*shapes, frames, ca.SX(places))
    np.testing.assert_allclose([float(x) for x in found.conditions], 0.0, atol=1e-11)
    assert all(float(x) >= 0.0 for x in found.bounds)
    gap = found.gap
    bends = [numbers(bend.across).ravel() for bend in gap.bends]
    return float(gap.gap), numbers(gap.normal).ravel(), np.hstack([numbers(x) for x in gap.points]).T, bends


@given(seed=SEEDS)
def test_circles_by_their_centres(seed):
    """|c₂ − c₁| − r₁ − r₂, also where they overlap."""
    rng = np.random.default_rng(seed)
    r, s = rng.uniform(0.2, 1.0, 2)
    way, apart = rng.uniform(0, 6), r + s + rng.choice([-0.8 * min(r, s), 1e-9, 1.0])
    poses = [(0.0, 0.0, 0.5), (apart * np.cos(way), apart * np.sin(way), 0.5)]
    gap, normal, points, bends = met(
        Outline(arc(ca.SX([0, 0]), r, 0.0, TURN), -1.0), Outline(arc(ca.SX([0, 0]), s, 0.0, TURN), -1.0), tuple(poses)
    )
    centres = [numbers((placed(np.array(p)) @ shape(HalfSpace(), "a").frame).origin).ravel() for p in poses]
    apart = centres[1] - centres[0]
    assert gap == pytest.approx(np.linalg.norm(apart) - r - s, abs=1e-11)
    np.testing.assert_allclose(normal, apart / np.linalg.norm(apart), atol=1e-9)
    np.testing.assert_allclose(points[1] - points[0], gap * normal, atol=1e-10)
    np.testing.assert_allclose([bends[0][0], bends[1][0]], [1 / r, 1 / s], rtol=1e-10)


@given(seed=SEEDS)
def test_ellipses_apart_against_a_search(seed):
    """The least distance of all pairs of points, by a simplex from the best of many."""
    rng = np.random.default_rng(seed)
    sizes = rng.uniform(0.3, 1.0, (2, 2))
    poses = ((0.0, 0.0, rng.uniform(0, 6)), (2.5 * np.cos(seed), 2.5 * np.sin(seed), rng.uniform(0, 6)))
    gap = met(*[Outline(ellipse(*size), -1.0) for size in sizes], poses)[0]
    frames = [placed(np.array(pose)) @ shape(HalfSpace(), "a").frame for pose in poses]
    origins, axes = [numbers(f.origin).ravel() for f in frames], [numbers(f.axes) for f in frames]

    def at(i, u):
        return origins[i][:, None] + axes[i] @ (sizes[i][:, None] * np.array([np.cos(u), np.sin(u)]))

    u = np.linspace(0, TURN, 200)
    table = np.linalg.norm(at(0, u)[:, :, None] - at(1, u)[:, None, :], axis=0)
    i, j = np.unravel_index(np.argmin(table), table.shape)
    best = minimize(
        lambda x: np.linalg.norm(at(0, x[:1]) - at(1, x[1:])), [u[i], u[j]], method="Nelder-Mead",
        options={"xatol": 1e-9, "fatol": 1e-13},
    )  # fmt: skip
    assert gap == pytest.approx(best.fun, abs=1e-10)


@given(seed=SEEDS)
def test_discs_and_flat_faces_on_an_ellipse(seed):
    """A disc inside or outside; the height of an ellipse over a line by its support function √(a² m₁² + b² m₂²)."""
    rng = np.random.default_rng(seed)
    a, b, r = rng.uniform(0.3, 1.0, 3)
    pose, other = (0.0, 0.0, rng.uniform(0, 6)), (*rng.uniform(-1.5, 1.5, 2), rng.uniform(0, 6))
    gap, normal, points, bends = met(Outline(ellipse(a, b), -1.0), Extent(ca.SX(2, 1), r), (pose, other))
    frame = placed(np.array(pose)) @ shape(HalfSpace(), "a").frame
    centre = numbers((placed(np.array(other)) @ shape(HalfSpace(), "a").frame).origin).ravel()
    origin, axes = numbers(frame.origin).ravel(), numbers(frame.axes)
    u = np.linspace(0, TURN, 40001)
    away = np.linalg.norm(origin + (axes @ np.array([a * np.cos(u), b * np.sin(u)])).T - centre, axis=1).min()
    local = (axes.T @ (centre - origin)) / [a, b]
    assert gap == pytest.approx((away if local @ local > 1 else -away) - r, abs=1e-6)
    np.testing.assert_allclose(points[1] - points[0], gap * normal, atol=1e-9)
    assert bends[1][0] == pytest.approx(1 / r)
    gap = met(Outline(ellipse(a, b), -1.0), HalfSpace(), (pose, other))[0]
    line = placed(np.array(other)) @ shape(HalfSpace(), "a").frame
    m = numbers(line.axis(1)).ravel()
    height = m @ (origin - numbers(line.origin).ravel())
    assert gap == pytest.approx(height - np.linalg.norm([a, b] * (axes.T @ m)), abs=1e-12)


def test_a_disc_in_a_trough_and_beyond_an_end():
    """Above a wave the outside is on the left; over its end a disc is nearest to that."""
    shapes = [
        ContactShape("wave", "a", Outline(wave()), Frame.identity(2)),
        ContactShape("disc", "b", Extent(ca.SX(2, 1), 0.1), Frame.identity(2)),
    ]
    for place, wanted in (((-np.pi / 4, 0.3), -np.pi / 4), ((4.0, 0.2 * np.sin(6)), 3.0)):
        frames = {"a": Frame.identity(2), "b": Frame(ca.SX(list(place)), ca.SX.eye(2))}
        at = nearest_places(*shapes, frames, numbers)
        assert at[0] == pytest.approx(wanted, abs=1e-12)
    # at the bottom of the trough, y = -0.2, the disc stands 0.5 above it
    low = curve_gap(*shapes, {**frames, "b": Frame(ca.SX([-np.pi / 4, 0.3]), ca.SX.eye(2))}, ca.SX(-np.pi / 4)).gap
    assert float(low.gap) == pytest.approx(0.4, abs=1e-14)
    assert float(low.bends[0].across) == pytest.approx(-0.8, abs=1e-12)


@given(seed=SEEDS)
def test_gradients_with_places_held_are_those_of_the_gap(seed):
    """∂g/∂q with u and v held, against differences of gaps whose places follow."""
    rng = np.random.default_rng(seed)
    forms = Outline(ellipse(0.8, 0.5), -1.0), Outline(ellipse(0.4, 0.6), -1.0)
    shapes = shape(forms[0], "a"), shape(forms[1], "b")
    q, u = ca.SX.sym("q", 6), ca.SX.sym("u", 2)
    frames = {"a": Frame.planar(q[:2], q[2]), "b": Frame.planar(q[3:5], q[5])}
    expression = curve_gap(*shapes, frames, u).gap.gap
    slope = ca.Function("slope", [q, u], [ca.jacobian(expression, q)])
    now = np.array([0, 0, rng.uniform(0, 6), 1.5 * np.cos(seed), 1.5 * np.sin(seed), rng.uniform(0, 6)])

    def gap(where: np.ndarray) -> tuple[float, np.ndarray]:
        there = {"a": placed(where[:3]), "b": placed(where[3:])}
        at = nearest_places(*shapes, there, numbers)
        return float(curve_gap(*shapes, there, ca.SX(at)).gap.gap), at

    step = 1e-5
    wanted = [(gap(now + step * e)[0] - gap(now - step * e)[0]) / (2 * step) for e in np.eye(6)]
    np.testing.assert_allclose(np.array(slope(now, gap(now)[1])).ravel(), wanted, atol=1e-7)


def test_what_curves_do_not_touch():
    assert offers(PLANAR, "curve", "hull") == () and offers(PLANAR, "ball", "curve") == ("conditions",)
    still = {"a": Frame.identity(2), "b": Frame.identity(2)}
    square = shape(Extent(ca.SX([[0, 1, 1, 0], [0, 0, 1, 1]])), "b")
    with pytest.raises(RefusedError, match="not a hull such as 'b'"):
        curve_gap(shape(Outline(wave()), "a"), square, still, ca.SX(0.5))
