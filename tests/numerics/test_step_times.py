"""Times of steps: all of them up to a limit, then evenly fewer, in memory that stays flat."""

import numpy as np
import pytest

from linkwork.numerics.integrators import step_times
from linkwork.numerics.integrators.step_times import StepTimes


@pytest.mark.parametrize("chunk", [1, 7, 64, 1000])
def test_few_steps_are_all_kept(chunk):
    found, times = StepTimes(0.0), np.arange(1, 1001) / 8
    for first in range(0, 1000, chunk):
        found.add(times[first : first + chunk])
        found.add(times[:0])
    assert np.array_equal(found.array(), np.concatenate([[0.0], times]))


@pytest.mark.parametrize("chunk", [1, 7, 64, 1000])
@pytest.mark.parametrize("count", [99, 100, 101, 1000, 2345])
def test_many_steps_are_thinned_out_evenly(monkeypatch, chunk, count):
    monkeypatch.setattr(step_times, "MOST", 100)
    found, times = StepTimes(0.0), np.arange(1.0, count + 1)
    for first in range(0, count, chunk):
        found.add(times[first : first + chunk])
        assert len(found.array()) <= 102
    kept = found.array()
    assert kept[0] == 0.0
    assert list(kept[-2:]) == [count - 1, count]
    inner = np.diff(kept[kept % max(1, np.max(np.diff(kept))) == 0])
    stride = int(np.max(np.diff(kept)))
    assert stride & (stride - 1) == 0, "a power of two"
    assert np.all(inner == stride)
    assert len(kept) > min(count, 48)
