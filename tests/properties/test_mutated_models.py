"""Models with plausible mistakes: from every verb come results or Linkwork's own errors, in time, and no silent NaN.

``python tests/properties/mutated_models.py --count 5000`` goes on for hours; this is a small choice of it.
"""

import sys

import mutated_models
import pytest
from mutated_models import sources, watch

COUNT = 15
# slopes without a value at rest; equations without accelerations beside a position; works of steps that creep
REPAIRED = (1358, 1702, 10082)


def test_only_own_errors_come_out_of_every_verb():
    tally, faults = watch(0, COUNT)
    assert not faults, "\n\n".join(faults)
    assert sum(count for what, count in tally.items() if what.startswith(("load", "analyse"))) == COUNT
    verbs = {what.split()[0] for what in tally if not what.startswith("load")}
    assert len(verbs) == 8 and any(what.endswith("fine") for what in tally) and len(sources(long=False)) > 20


def test_so_with_what_else_can_be_asked():
    tally, faults = watch(800001, 4, "--further")
    assert not faults, "\n\n".join(faults)
    assert "find_limits fine" in tally and "save fine" in tally and "views fine" in tally


def test_so_with_stops_and_friction_in_joints():
    tally, faults = watch(900040, 8, "--stopped")  # among them friction of many pins that is far too little
    assert not faults, "\n\n".join(faults)
    assert tally["simulate fine"] and tally["load refused"]


@pytest.mark.parametrize("seed", REPAIRED)
def test_what_longer_runs_have_found(seed):
    assert not watch(seed, 1)[1]


@pytest.mark.parametrize(
    ("end", "told"),
    [
        ("import time; time.sleep(60)", "case 7: analyse does not come back"),
        ("import os; os.kill(os.getpid(), 9)", "case 7: analyse ends the process with -9"),
        ("raise KeyError('lost')", "KeyError: 'lost'"),
    ],
)
def test_what_hangs_or_ends_its_process_is_told_as_it_goes(end, told, monkeypatch, capsys):
    monkeypatch.setattr(mutated_models, "HUNG", 1.0)
    says = f"print('case 7 none', flush=True); print('begin 7 analyse', flush=True); {end}"
    faults: list[str] = []
    assert mutated_models._watched([sys.executable, "-c", says, "--seed", "1"], {}, faults) == 7
    assert len(faults) == 1 and told in faults[0] and told in capsys.readouterr().out
