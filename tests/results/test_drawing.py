"""Drawings survive JSON, and know the quantities that move them."""

import json

import pytest

from exact_results import conical_pendulum_result, four_bar_drawing
from linkwork.results import BodyDrawing, Drawing

BUILT = Drawing("planar", bodies={"b": BodyDrawing(outlines=(((0.0, 1.0), (2.0, 3.0)), ((1.0, 1.0), (0.5, 0.0))))})


@pytest.mark.parametrize("drawing", [four_bar_drawing(), conical_pendulum_result().drawing, BUILT, Drawing()])
def test_json_round_trip(drawing: Drawing) -> None:
    assert Drawing.from_dict(json.loads(json.dumps(drawing.to_dict()))) == drawing


def test_pose_names_depend_on_the_space() -> None:
    assert Drawing("planar").pose_names("b") == ("b.origin.x", "b.origin.y", "b.angle")
    assert Drawing("spatial").pose_names("b")[3:] == ("b.q0", "b.q1", "b.q2", "b.q3")
