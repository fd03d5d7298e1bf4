"""Results as data: they pickle, go to other processes, and need no mechanism."""

from __future__ import annotations

import gc
import pickle
import subprocess
import sys
import warnings
import weakref
from pathlib import Path

import numpy as np
import pytest
from mechanisms import four_bar

import linkwork as lw
from linkwork.errors import RefusedError
from linkwork.results.store import identical


@pytest.fixture(scope="module")
def result() -> lw.Result:
    return lw.simulate(four_bar(), until=0.5, step=0.05, events={"down": "O.angle - 0.3"})


def test_a_detached_result_is_the_same_without_its_mechanism(result: lw.Result) -> None:
    data = result.detach()
    assert identical(result, data)
    assert str(data) == str(result)
    assert data.audit == result.audit
    assert data.detach() is data
    assert type(data.source).__name__ == "ArraySource"
    with pytest.raises(RefusedError, match="no state to go on from"):
        lw.simulate(data, until=1)


def test_a_pickled_result_comes_back(result: lw.Result) -> None:
    back = pickle.loads(pickle.dumps(result))
    assert identical(result, back)
    assert list(back.reactions) == list(result.reactions)
    assert not back["O.angle"].flags.writeable


def test_another_process_reads_it_without_compiling(result: lw.Result, tmp_path: Path) -> None:
    path = tmp_path / "result.pickle"
    path.write_bytes(pickle.dumps(result))
    code = (
        "import pickle, sys; result = pickle.load(open(sys.argv[1], 'rb')); print(repr(float(result['O.angle'][-1])));"
        "print('llvmlite' in sys.modules, 'casadi' in sys.modules); result.save(sys.argv[2])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, str(path), str(tmp_path / "x.nc")], capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == [repr(float(result["O.angle"][-1])), "False", "False"]
    assert identical(lw.load_result(tmp_path / "x.nc"), result)


def test_nothing_holds_on_to_the_mechanism() -> None:
    run = lw.simulate(four_bar(), until=0.1)
    trajectory = weakref.ref(run.source)
    data = run.detach()
    del run
    gc.collect()
    assert trajectory() is None
    assert len(data["O.angle"]) == len(data)


def test_a_failed_audit_stays_with_the_data() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        coarse = lw.simulate(four_bar(), until=2, integrator="euler", fixed_step=0.02)
        back = pickle.loads(pickle.dumps(coarse))
    assert not back.audit.passed
    assert back.audit.findings == coarse.audit.findings
    assert "FAILED" in str(back)


def test_results_of_other_verbs_pickle_too(tmp_path: Path) -> None:
    driven = four_bar().with_(initial=None, drivers={"motor": {"joint": "O", "speed": "3"}})
    for found in (
        lw.solve_kinematics(driven, until=0.3, step=0.1),
        lw.inverse_dynamics(driven, until=0.3, step=0.1).result,
        lw.simulate(four_bar(), until=0.2, step=0.1, accuracy=1e-6),
        lw.load_result(lw.simulate(four_bar(), until=0.1).save(tmp_path / "run.nc")),
    ):
        back = pickle.loads(pickle.dumps(found))
        assert identical(found, back)
        assert back.audit.passed == found.audit.passed
        assert np.array_equal(back.time, found.time)
