r"""
A walker without a motor, on both of its feet
=============================================

Two legs and a hip walk down a gentle slope, without motor and without control (McGeer 1990; with light feet Garcia,
Chatterjee, Ruina and Coleman 1998). The foot that stands is a pin on the ground. Where the other one comes down its pin
closes and the first one opens: legs change their roles, and the model stays one.
"""

# %%
# The axes lie along the slope, so that gravity leans. Legs have the length one, feet the mass one, and gravity is one.
# A foot lands where it comes down to the height of the other one in front of it. Without knees legs of one length scuff
# the ground as they pass; behind, and less than 0.3 in front, the formula is positive and nothing lands. The other foot
# lifts at the same instant.

import numpy as np
from scipy.optimize import root

import linkwork as lw

walker = lw.loads("""
linkwork: 1
name: compass walker
space: planar
parameters:
  slope: {value: 0.009, live: true}
  speed: {value: -0.06, live: true}
  between: {value: 0.05, live: true}
  swing: {value: 0.33, live: true}
  M: 1000
  m: 1
gravity: [sin(slope), -cos(slope)]
points: {H: [0, 1], A: [0, 0], B: [0, 0]}
bodies:
  one: {points: [H, A], masses: {H: M/2, A: m}}
  two: {points: [H, B], masses: {H: M/2, B: m}}
joints:
  hip: {kind: revolute, bodies: [one, two], at: H, reference: 0}
relations:
  foot_a: {kind: connection, joint: {kind: revolute, bodies: [ground, one], at: [A, A]}}
  foot_b: {kind: connection, joint: {kind: revolute, bodies: [ground, two], at: [A, B]}, active: false}
definitions:
  a_comes: max(A.y - B.y, 0.3 - (A.x - B.x))
  b_comes: max(B.y - A.y, 0.3 - (B.x - A.x))
switches:
  a_lands: {connect: foot_a, when: a_comes, crossing: falling, catching: anywhere}
  b_lifts: {release: foot_b, when: a_comes, crossing: falling}
  b_lands: {connect: foot_b, when: b_comes, crossing: falling, catching: anywhere}
  a_lifts: {release: foot_a, when: b_comes, crossing: falling}
initial:
  one: {angle: 0, speed: speed}
  hip: {angle: between, speed: swing}
""")

# %%
# It starts with its first leg upright, somewhat wrong, and finds its gait: legs that stand and swing in turn, and steps that
# take ever more exactly the same time. The pins of the feet do not hold anything down, they push.

run = lw.simulate(walker, until=60)
print(run.modes)
landed = np.array([event.time for event in run.events if event.name.endswith("connects")])
print("steps take", np.diff(landed))
print("least push", np.min(np.maximum(run["foot_a.fy"], run["foot_b.fy"])), "of a weight of 1002")
run.plot("one.angle", "two.angle", "foot_a.fy", "foot_b.fy")

# %%
# The gait itself is a fixed point. From one leg upright to the other one upright a run is a function of three numbers, with
# the legs swapped in what it returns, and SciPy finds where it returns what it got.

upright = lw.Event("two.angle", direction=-1, stop=True)
PRECISE = {"rtol": 1e-12, "atol": 1e-13}


def step(state: np.ndarray) -> np.ndarray:
    """Speed of the leg that stands, angle and speed of the hip, a step later."""
    start = dict(zip(("speed", "between", "swing"), state, strict=True))
    later = lw.simulate(walker, until=8, parameters=start, events={"upright": upright}, **PRECISE)
    return np.array([later["two.speed"][-1], -later["hip.angle"][-1], -later["hip.speed"][-1]])


gait = root(lambda state: step(state) - state, [-0.06, 0.05, 0.33], tol=1e-12).x
print("gait", gait, "comes back to", np.abs(step(gait) - gait).max())

# %%
# What becomes of a small deviation says the derivative of the function. All of its eigenvalues are inside the unit
# circle: the walker is stable. One is zero, for behind an impact the swinging leg is as fast as the impact leaves it.

slopes = np.transpose([(step(gait + e) - step(gait - e)) / 2e-5 for e in 1e-5 * np.eye(3)])
multipliers = np.linalg.eigvals(slopes)
print("multipliers", multipliers, "of size", np.abs(multipliers))

# %%
# The impact by hand. All that acts on the walker acts at the foot that lands: about it the moment of momentum stays. What
# acts on the leg behind acts at the hip: about that its own stays.

start = dict(zip(("speed", "between", "swing"), gait, strict=True))
(strike,) = (e.time for e in lw.simulate(walker, until=5, parameters=start, **PRECISE).events if "connects" in e.name)
print("a foot lands at", strike)
both = lw.simulate(walker, times=[0, strike - 1e-7, strike + 1e-7], parameters=start, **PRECISE)


def moment(body: str, mass: float, about: str) -> np.ndarray:
    """Moment of momentum of a point mass about a point, at all instants."""
    x, y = (both[f"{body}.{axis}"] - both[f"{about}.{axis}"] for axis in "xy")
    return mass * (x * both[f"{body}.vy"] - y * both[f"{body}.vx"])


print("about the foot", sum(moment(*part, "B") for part in (("H", 1000), ("A", 1), ("B", 1)))[1:])
print("leg behind, about the hip", moment("A", 1, "H")[1:])

# %%
# On steeper slopes its steps become unlike: it limps, and then repeats itself only after four of them. Each run goes on from
# the last one, in its mode, and no foot has to be told that it is the other.

walked, steps = run, {}
for slope in (0.012, 0.0155, 0.017, 0.018):
    walked = lw.simulate(walked, until=walked.time[-1] + 200, parameters={"slope": slope})
    landed = np.array([event.time for event in walked.events if event.name.endswith("connects")])
    steps[slope] = np.diff(landed)[-4:]
    print(slope, steps[slope])
run.animate("compass_walker.html", plot=["one.angle", "two.angle"])
