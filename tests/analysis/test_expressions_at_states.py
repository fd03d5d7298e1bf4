"""Expressions at many states: the same numbers as CasADi's own calls, written once for a mechanism."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace

import casadi as ca
import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.motion import written as module
from linkwork.analysis.motion.written import AT_ONCE, Written, written
from linkwork.coordinates.coordinates import Coordinates


def model(**forces: object) -> lw.Model:
    return lw.Model(
        space="planar",
        gravity=[0, -9.81],
        parameters={"k": 50},
        points={"O": [0, 0], "A": [1, 0], "B": [1.5, 0.5], "W": [0, 1]},
        bodies={"rod": {"bar": ["O", "A"], "mass": 2}, "tip": {"bar": ["A", "B"], "mass": 1}},
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "rod"]},
            "A": {"kind": "revolute", "bodies": ["rod", "tip"]},
        },
        forces={"s": {"kind": "spring", "between": ["W", "B"], "stiffness": "k", "free_length": 1}, **forces},
    )


def powers(c: Coordinates, vdot: ca.SX) -> list[ca.SX]:
    return [ca.dot(c.v, c.mass @ vdot - c.forces), c.mass, ca.SX(0, 1), ca.sin(c.y) * c.t]


def nothing(c: Coordinates, vdot: ca.SX) -> list[ca.SX]:
    return [ca.SX(1, 1), ca.SX(2, 2)]


@pytest.mark.parametrize("count", [0, 1, AT_ONCE[2], AT_ONCE[1] + 1, AT_ONCE[0] - 1, AT_ONCE[0], 300])
def test_columns_are_those_of_casadi(count: int) -> None:
    c = lw.prepare(model()).coordinates
    vdot = ca.SX.sym("vdot", c.v.numel())
    f = ca.Function("f", [c.t, c.y, vdot, c.p], [ca.densify(ca.vec(part)) for part in powers(c, vdot)])
    rng = np.random.default_rng(1)
    sizes = (1, c.y.numel(), c.v.numel(), c.p.numel() + 2)  # behind p may stand what others look at
    t, y, a, p = (rng.normal(size=(count, size)) for size in sizes)
    found = Written(c, powers)(t[:, 0], y, a, p)
    assert [part.shape for part in found] == [(count, f.numel_out(i)) for i in range(4)]
    for row in range(count):
        expected = f(t[row], y[row], a[row], p[row, : c.p.numel()])
        for part, value in zip(found, expected, strict=True):
            np.testing.assert_array_equal(part[row], np.array(value).ravel())


def test_what_is_zero_is_known_to_be() -> None:
    c = lw.prepare(model()).coordinates
    assert Written(c, nothing).is_zero
    assert not Written(c, nothing).needs_accelerations
    assert Written(c, powers).needs_accelerations
    found = Written(c, nothing)(*(np.ones(shape) for shape in ((3,), (3, c.y.numel()), (3, c.v.numel()), (3, 9))))
    assert [part.shape for part in found] == [(3, 1), (3, 4)]
    assert not any(part.any() for part in found)


def test_a_second_audit_of_a_mechanism_writes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    mechanism = lw.prepare(model(d={"kind": "spring", "between": ["W", "rod.A"], "damping": 3}))
    first = lw.simulate(mechanism, until=0.5).audit
    monkeypatch.setattr(module, "Written", None)
    second = lw.simulate(mechanism, until=0.5).audit
    assert first.passed
    assert second["energy"].value == first["energy"].value


def test_an_audit_looks_once_at_its_outputs_and_once_inside_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Energies, conditions, ways and branches share what they are made of."""
    crank = lw.load("src/linkwork/mechanisms/slider_crank.yaml")
    result = lw.simulate(crank, until=0.3, step=0.01)
    looked: list[int] = []
    plain = Written.__call__
    monkeypatch.setattr(Written, "__call__", lambda self, t, *rest: looked.append(len(t)) or plain(self, t, *rest))
    assert {"energy", "closure", "speeds", "branch"} <= {check.name for check in result.audit.checks}
    assert looked.count(len(result.time)) == 1
    assert len(looked) <= 2


def test_springs_alone_need_no_states_inside_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """What they bring in from outside is zero whatever the state; their own work is not."""
    result = lw.simulate(model(), until=0.5)
    with monkeypatch.context() as patch:
        patch.setattr("linkwork.analysis.motion.work.Gathered._along", None)
        assert result.audit.passed
        assert "energy" in str(result.audit)
    assert np.abs(result["s.work"]).max() > 1.0


def test_what_is_written_goes_with_its_coordinates() -> None:
    own = replace(lw.prepare(model()).coordinates)
    gone = weakref.ref(own)
    columns = written(own, powers)
    assert written(own, powers) is columns
    assert written(replace(own), powers) is not columns
    del own
    gc.collect()
    assert gone() is None
