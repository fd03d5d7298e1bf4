r"""
A ratchet and its pawl
======================

A wheel turns one way. A pawl clicks over its teeth, pressed by a spring; where the wheel wants to come back, the pawl
stands in a notch, between the face of one tooth and the back of another, and holds it.
"""

# %%
# Teeth are triangles on the wheel: a face along a radius and a long back. The pawl is a lever with a round tip.

import numpy as np

import linkwork as lw

TEETH, ROOT, TIP, ROUND = 8, 0.04, 0.05, 1e-3
STEP = 2 * np.pi / TEETH
PIVOT, REACH = np.array([0.045, 0.06]), 0.06


def at(radius: float, angle: float) -> list[float]:
    return [float(radius * np.cos(angle)), float(radius * np.sin(angle))]


teeth = {
    f"tooth_{k}": {"polygon": [at(ROOT, k * STEP), at(TIP, k * STEP), at(ROOT, (k + 1) * STEP)], "on": "wheel"}
    for k in range(TEETH)
}
tip = PIVOT + REACH * np.array([np.cos(np.radians(197)), np.sin(np.radians(197))])
ratchet = lw.Model(
    name="ratchet",
    space="planar",
    points={"O": [0, 0], "P": PIVOT.tolist(), "T": tip.tolist()},
    bodies={
        "wheel": {"points": ["O"], "com": "O", "mass": 0.5, "inertia": 5e-4},
        "pawl": {"points": ["P", "T"], "com": "P", "mass": 0.05, "inertia": 2e-5},
    },
    joints={name: {"kind": "revolute", "bodies": ["ground", body]} for name, body in (("O", "wheel"), ("P", "pawl"))},
    forces={
        "hand": {"kind": "effort", "joint": "O", "value": "0.3*if(t < 0.5, -1, 1)"},
        "bearing": {"kind": "friction", "joint": "O", "viscous": 0.05},
        "spring": {"kind": "torsion_spring", "joint": "P", "stiffness": 0.02, "free_angle": "40 deg", "damping": 1e-4},
    },
    surfaces={"tip": {"ball": ROUND, "on": "pawl", "at": tip.tolist()}, **teeth},
    contacts={"click": {"between": ["tip", *teeth], "ignore": [[*teeth]]}},
)
run = lw.simulate(ratchet, times=np.linspace(0, 1, 1001))
print(run.outcome, run.audit)
run.plot("O.angle", "P.angle", units={"O.angle": "deg", "P.angle": "deg"})

# %%
# Turned back it comes to the notch and stays there: two faces press, for the wheel and the pawl that they hold.

rests = np.searchsorted(run.time, 0.4)
pressing = {f"tooth_{k}": run[f"click.tip_tooth_{k}.force"][rests] for k in range(TEETH)}
print({name: force for name, force in pressing.items() if force > 0.0})
clicks = [event.time for event in run.events if event.time > 0.5 and "touches" in event.name]
print("clicks at", clicks)
run.animate("ratchet.html", plot=["O.angle", "P.angle"])
