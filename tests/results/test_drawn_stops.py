"""Where stops, planes and surfaces are drawn, and what stops and friction push with."""

from __future__ import annotations

from math import cos, radians, sin

import numpy as np
import pytest

import linkwork as lw
from linkwork.results.drawing import Drawing
from linkwork.results.sketch import draw
from linkwork.views.scene import build_scene

G = 9.81


def swinging(space: str, low: str | None, high: str | None, turned: float = 0.0, **further: object) -> lw.Model:
    """An arm of 1 m that points 30 degrees up, all of it turned, with limits of its angle."""
    a = radians(30 + turned)
    end, gravity = [cos(a), sin(a), 0.0], [0.0, -G, 0.0]
    d = 2 if space == "planar" else 3
    axis = {} if space == "planar" else {"axis": [0, 0, 1]}
    return lw.Model(
        space=space,
        gravity=gravity[:d],
        points={"O": [0.0] * d, "A": end[:d]},
        bodies={"arm": {"bar": ["O", "A"], "mass": 1} | ({} if space == "planar" else {"radius": 0.01})},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "arm"], "limits": [low, high], **axis}},
        **further,
    )


@pytest.mark.parametrize("space", ["planar", "spatial"])
@pytest.mark.parametrize("turned", [0.0, 45.0, 200.0])
def test_a_stop_is_where_the_arm_points_when_it_meets_it(space: str, turned: float) -> None:
    """The run that is stopped ends in the direction that is drawn."""
    start = lw.simulate(swinging(space, None, "10000 deg", turned), until=0.001)["O.angle"][0]
    model = swinging(space, f"{np.degrees(start) - 20} deg", f"{np.degrees(start) + 20} deg", turned)
    run = lw.simulate(model, until=2)
    (lower, upper) = run.drawing.stops
    assert (lower.condition, upper.condition) == ("O.angle.lower", "O.angle.upper") and lower.turns
    for stop, sign in ((lower, -1), (upper, 1)):
        at = radians(30 + turned + 20 * sign)
        assert stop.point[:2] == pytest.approx((0, 0)) and stop.direction[:2] == pytest.approx((cos(at), sin(at)))
    (held,) = run.modes.spans
    stop = lower if held == lower.condition else upper
    arm = np.array([run[f"A.{axis}"][-1] for axis in "xy"])
    assert arm == pytest.approx(stop.direction[:2], abs=1e-9)


@pytest.mark.parametrize("axis", [(1.0, 0.0), (0.6, 0.8), (0.0, -1.0)])
def test_a_stop_of_a_guide_is_where_the_body_comes_to(axis: tuple[float, float]) -> None:
    model = lw.Model(
        space="planar",
        gravity=[5 * x for x in axis],
        points={"P": [0.3, 0.1]},
        bodies={"block": {"points": ["P"], "com": "P", "mass": 2}},
        joints={
            "rail": {
                "kind": "prismatic",
                "bodies": ["ground", "block"],
                "at": "P",
                "axis": [*axis],
                "limits": [-1, 0.2],
            }
        },
    )
    run = lw.simulate(model, until=1)
    lower, upper = run.drawing.stops
    assert [run["P.x"][-1], run["P.y"][-1]] == pytest.approx(upper.point, abs=1e-9)
    assert upper.direction == pytest.approx(axis) and lower.direction == pytest.approx([-x for x in axis])
    assert np.subtract(upper.point, lower.point) == pytest.approx([1.2 * x for x in axis])
    load = next(item for item in build_scene(run)["loads"] if item["name"] == "rail.position")
    assert (
        load["kind"] == "contact" and load["moment"] is None and run["rail.position.stop"][-1] == pytest.approx(-10.0)
    )


def test_stops_of_one_side_and_of_live_parameters() -> None:
    live = {"parameters": {"high": {"value": "40 deg", "live": True}}}
    model = swinging("planar", None, "high", **live)
    for high in (40, 70):
        (stop,) = lw.simulate(model, until=0.1, parameters={"high": f"{high} deg"}).drawing.stops
        assert stop.condition == "O.angle.upper"
        assert stop.direction == pytest.approx((cos(radians(high)), sin(radians(high))))


def test_friction_of_joints_has_an_arrow_of_its_own_kind() -> None:
    model = lw.loads(f"""
        linkwork: 1
        space: planar
        gravity: [0, -{G}]
        points: {{O: [0, 0], A: [1, 0]}}
        bodies: {{arm: {{bar: [O, A], mass: 1}}}}
        joints: {{O: {{kind: revolute, bodies: [ground, arm], friction: {{coefficient: 0.2, radius: 3 cm}}}}}}
        """)
    run = lw.simulate(model, until=0.5)
    (load,) = [item for item in build_scene(run)["loads"] if item["kind"] == "contact"]
    assert load["name"] == "O.friction" and load["force"] is None and load["moment"] is not None


def drawn(text: str) -> Drawing:
    """What a model looks like, without a run."""
    topology = lw.analyse(lw.loads(text))
    return draw(topology, topology.geometry.defaults)


SURFACES = """
linkwork: 1
space: planar
gravity: [0, -9.81]
bodies:
  box: {points: {G: [0, 0]}, origin: [0, 0.5], shapes: {hull: {box: [0.2, 0.1], mass: 1 kg}}}
surfaces:
  floor: {plane: [0.6, 0.8], at: [0, -0.2]}
  wedge: {polygon: [[0, 0], [0.3, 0], [0, 0.2]], at: [1, 0], rotation: 90 deg}
  bump: {ball: 0.1, at: [-0.5, 0]}
  rod: {bar: [[0.3, 0.2], [0.6, 0.6]], radius: 3 cm}
  hill: {arc: {radius: 0.3, range: [0, 90 deg]}, at: [-1, 0]}
  spike: {point: [3, 3]}
contacts:
  landing: {between: [ground, box]}
"""


def test_planes_and_edges_of_surfaces_are_those_of_their_forms() -> None:
    drawing = drawn(SURFACES)
    (plane,) = drawing.planes
    assert (plane.name, plane.body) == ("floor", "ground")
    assert plane.normal == pytest.approx((0.6, 0.8)) and plane.point == pytest.approx((0, -0.2))
    wedge, bump, rod, hill = (np.array(line) for line in drawing.outlines)
    # turned by a right angle: (x, y) is at (1 − y, x)
    assert {tuple(p) for p in np.round(wedge, 9).tolist()} == {(1.0, 0.0), (1.0, 0.3), (0.8, 0.0)}
    assert np.linalg.norm(bump - (-0.5, 0), axis=1) == pytest.approx(0.1)
    # what is 3 cm away from a segment of 0.5 m
    along = np.clip((rod - (0.3, 0.2)) @ (0.6, 0.8), 0, 0.5)
    assert np.linalg.norm(rod - (0.3, 0.2) - np.outer(along, (0.6, 0.8)), axis=1) == pytest.approx(0.03)
    assert np.linalg.norm(hill - (-1, 0), axis=1) == pytest.approx(0.3) and hill[-1] == pytest.approx((-1, 0.3))


def test_surfaces_in_space_have_the_edges_of_their_forms() -> None:
    drawing = drawn("""
        linkwork: 1
        space: spatial
        gravity: [0, 0, -9.81]
        bodies:
          box: {points: {G: [0, 0, 0]}, origin: [0, 0, 2], shapes: {hull: {box: [0.2, 0.1, 0.1], mass: 1 kg}}}
        surfaces:
          slope: {plane: [0, 3, 4], at: [0, 0, -1]}
          block: {box: [0.3, 0.2, 0.1], at: [0.5, 0.5, 0]}
          field: {heights: {rows: [[0, 0.1, 0.3], [0.1, 0.2, 0.5]], spacing: [0.3, 0.4]}}
          pole: {cylinder: {radius: 0.1, length: 0.5, axis: z}}
          cap: {bar: [[0, 0, 1], [0, 0, 1.5]], radius: 0.2}
        contacts: {landing: {between: [ground, box]}}
        """)
    assert drawing.planes[0].normal == pytest.approx((0, 0.6, 0.8))
    lines = [np.array(line) for line in drawing.outlines]
    edges, (field, poles, caps) = lines[:12], (lines[12:17], lines[17:23], lines[23:])
    assert sorted(round(float(np.linalg.norm(b - a)), 9) for a, b in edges) == [0.1] * 4 + [0.2] * 4 + [0.3] * 4
    assert {tuple(p) for line in field for p in np.round(line, 9).tolist()} == {
        (x, y, z)
        for y, row in ((-0.2, (0, 0.1, 0.3)), (0.2, (0.1, 0.2, 0.5)))
        for x, z in zip((-0.3, 0, 0.3), row, strict=False)
    }
    assert all(np.hypot(*line.T[:2]) == pytest.approx(0.1) for line in poles[:2])
    for line in caps:
        height = np.clip(line[:, 2], 1, 1.5)
        assert np.linalg.norm(line - np.column_stack([0 * height, 0 * height, height]), axis=1) == pytest.approx(0.2)


def test_drawings_of_stops_and_planes_are_kept_in_files() -> None:
    for drawing in (lw.simulate(swinging("planar", "0", "1"), until=0.01).drawing, drawn(SURFACES)):
        assert Drawing.from_dict(drawing.to_dict()) == drawing
