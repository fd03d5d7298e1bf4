"""Works that are integrated with a run are those of its motion, whatever the stages of its integrator are."""

import pytest

import linkwork as lw

STAGED = [method.name for method in lw.integrators.ALL if method.adaptive]


def damped() -> lw.Model:
    """A pendulum that nothing but a damper takes energy from."""
    return lw.Model(
        space="planar",
        gravity=(0, -9.81),
        points={"O": (0, 0), "A": (1, 0)},
        bodies={"rod": {"bar": ("O", "A"), "mass": 1}},
        joints={"O": {"kind": "revolute", "bodies": ("ground", "rod")}},
        forces={"brake": {"kind": "effort", "joint": "O", "value": "-0.5*O.speed"}},
    )


@pytest.mark.parametrize("integrator", STAGED)
def test_a_damper_takes_what_the_energy_loses(integrator: str) -> None:
    """E(t) − E(0) = W(t), at outputs inside of steps too."""
    loose = {"rtol": 1e-6, "atol": 1e-8} if integrator == "backward_euler" else {}
    run = lw.simulate(damped(), 0.5, step=0.01, integrator=integrator, **loose)
    lost = run["energy.total"] - run["energy.total"][0]
    assert run["brake.work"] == pytest.approx(lost, abs=1e-2 if loose else 1e-6)
    assert lost[-1] < -1.0
