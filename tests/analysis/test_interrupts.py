"""Ctrl-C ends every verb within a second or so, and what it had found is kept."""

from __future__ import annotations

import math
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def heard() -> Iterator[None]:
    """Interrupts are told as in a program of its own; a shell lets programs in its background ignore them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


HEAD = """
import os, signal, sys, threading, time
import linkwork as lw
from linkwork.formats.examples import example_text

pressed = []

def press():
    pressed.append(time.perf_counter())
    os.kill(os.getpid(), signal.SIGINT)

def press_within(module, name):
    # a little after compiled code was entered
    inner = getattr(module, name)

    def outer(*arguments):
        threading.Timer(0.3, press).start()
        return inner(*arguments)

    setattr(module, name, outer)

def tell(result):
    print(round(time.perf_counter() - pressed[0], 2), result.status.name, len(result.time), flush=True)

model = lw.loads(example_text("driven_four_bar"))
"""

VERBS = {
    "kinematics by iterations": """
        from linkwork.numerics.paths import displacement
        press_within(displacement, "_watched")
        tell(lw.solve_kinematics(model, until=200.0, step=2e-4, method="newton"))
    """,
    "the reference backend": """
        from linkwork.numerics.integrators import run
        press_within(run, "_advance")
        tell(lw.simulate(lw.loads(example_text("double_pendulum")), 2000.0, backend="reference"))
    """,
    "simulation": """
        from linkwork.numerics.integrators import run
        press_within(run, "_advance")
        tell(lw.simulate(lw.loads(example_text("double_pendulum")), 1e6, step=10.0))
    """,
}


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
@pytest.mark.parametrize("verb", VERBS)
def test_an_interrupt_keeps_what_was_found(verb: str) -> None:
    program = HEAD + textwrap.dedent(VERBS[verb])
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    assert "Exception ignored" not in done.stderr
    waited, status, count = done.stdout.split()[-3:]
    assert status == "INTERRUPTED" and int(count) > 0
    assert float(waited) < 5.0  # about a second, on a machine that does other things too


def test_inverse_dynamics_keeps_the_portions_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    import linkwork as lw
    from linkwork.analysis.inverse import inverse_dynamics as verb
    from linkwork.equations.inverse.ways import VirtualPower
    from linkwork.formats.examples import example_text
    from linkwork.results import Status

    model = lw.loads(example_text("driven_four_bar"))
    whole = lw.inverse_dynamics(model, until=1.0, step=0.01)
    solve, calls = VirtualPower.solve, []

    def interrupted(self, *arguments):
        calls.append(1)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return solve(self, *arguments)

    monkeypatch.setattr(verb, "PORTION", 20)
    monkeypatch.setattr(VirtualPower, "solve", interrupted)
    part = lw.inverse_dynamics(model, until=1.0, step=0.01)
    (motor,) = part.motors
    assert part.result.status is Status.INTERRUPTED and len(part.time) == 40
    assert part[motor] == pytest.approx(whole[motor][:40], rel=1e-9, abs=1e-9)
    calls[:] = [1, 1]
    with pytest.raises(KeyboardInterrupt):  # nothing was found yet
        lw.inverse_dynamics(model, until=1.0, step=0.01)


def test_interrupts_are_held_and_told() -> None:
    from linkwork.machine.interrupts import held

    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt), held() as check:
        check()
        signal.raise_signal(signal.SIGINT)
        reached = time.perf_counter()
        check()
    assert reached
    assert signal.getsignal(signal.SIGINT) is before
    with pytest.raises(KeyboardInterrupt), held():
        signal.raise_signal(signal.SIGINT)  # told at the end
    with pytest.raises(KeyboardInterrupt), held():
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        pytest.fail("the second one is raised at once")
    assert signal.getsignal(signal.SIGINT) is before


def jumping() -> object:
    """A turning bar whose motor jumps every 0.05 s: the run has a leg between any two jumps."""
    import linkwork as lw

    return lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [1, 0]},
        bodies={"bar": {"bar": ["O", "A"], "mass": 1}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "bar"]}},
        forces={"motor": {"kind": "effort", "joint": "O", "value": "if(sin(20*pi*t) > 0, 1, -1)"}},
    )


def test_an_interrupt_at_the_end_of_a_leg_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    import linkwork as lw
    from linkwork.numerics.integrators import run
    from linkwork.results import Status

    inner, legs = run._advance, []

    def pressed(*arguments):
        inner(*arguments)
        legs.append(1)
        if len(legs) == 3:
            signal.raise_signal(signal.SIGINT)

    whole = lw.simulate(jumping(), 1.0, step=0.01)
    monkeypatch.setattr(run, "_advance", pressed)
    part = lw.simulate(jumping(), 1.0, step=0.01)
    assert part.status is Status.INTERRUPTED and len(legs) == 3
    assert part.time[-1] == pytest.approx(0.1, abs=0.011)  # the first jump is that at the start
    assert part["O.angle"] == pytest.approx(whole["O.angle"][: len(part)], rel=1e-9, abs=1e-12)


def test_an_interrupt_between_two_legs_keeps_them(monkeypatch: pytest.MonkeyPatch) -> None:
    import linkwork as lw
    from linkwork.analysis.motion.switching import Switching
    from linkwork.results import Status

    inner, jumps = Switching.change, []

    def pressed(self, *arguments):
        jumps.append(1)
        if len(jumps) == 3:
            raise KeyboardInterrupt
        return inner(self, *arguments)

    monkeypatch.setattr(Switching, "change", pressed)
    part = lw.simulate(jumping(), 1.0, step=0.01)
    assert part.status is Status.INTERRUPTED
    assert part.time[-1] == pytest.approx(0.1, abs=0.011)  # the first jump is that at the start


def test_works_are_never_those_of_a_part_of_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Works that need shorter steps are found along a second run: where that is interrupted, there are none."""
    import linkwork as lw
    from linkwork.numerics.integrators import run

    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [1, 0]},
        bodies={"arm": {"bar": ["O", "A"], "mass": 1}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "arm"]}},
        drivers={"turn": {"joint": "O", "speed": 2}},
        forces={"shaker": {"kind": "effort", "joint": "O", "value": "5*sin(200*t)"}},
    )
    result = lw.simulate(model, 1.0, step=0.01)
    inner = run._advance

    def pressed(*arguments):
        signal.raise_signal(signal.SIGINT)
        inner(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(run, "_advance", pressed)
        with pytest.raises(KeyboardInterrupt):
            result["shaker.work"]
    # W = ∫ 5 sin(200 t) 2 dt
    assert result["shaker.work"][-1] == pytest.approx((1 - math.cos(200.0)) / 20.0, rel=1e-6)


def test_an_interrupt_of_floquet_is_no_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    import linkwork as lw
    from linkwork.numerics.integrators import run

    inner = run._advance

    def pressed(*arguments):
        signal.raise_signal(signal.SIGINT)
        inner(*arguments)

    model = lw.Model(
        space="planar",
        gravity=[0, -9.81],
        points={"O": [0, 0], "A": [0, -1]},
        bodies={"rod": {"bar": ["O", "A"], "mass": 1}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "rod"]}},
        forces={"motor": {"kind": "effort", "joint": "O", "value": "-O.speed*(2 + sin(2*pi*t))"}},
    )
    monkeypatch.setattr(run, "_advance", pressed)
    with pytest.raises(KeyboardInterrupt):
        lw.floquet(model, period=1.0)
