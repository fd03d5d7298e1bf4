r"""
A mass on a belt, a gate with a stop
====================================

Two things that come and go while a mechanism moves: what sticks lets go and sticks again, and what hits its stop leaves
it. Both are modes of one run, and the changes are events, located to rounding errors.
"""

# %%
# Stick and slip
# --------------
# A belt carries a mass off until a spring pulls it back: more is needed to let it slip (``static``) than to keep it
# slipping (``coefficient``), and so it goes on forever. That is how a bow plays a string, and how brakes squeal.

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

bow = lw.loads("""
linkwork: 1
name: mass on a belt
space: planar
gravity: [0, -9.81]
points: {P: [0, 0], W: [-0.3, 0]}
bodies:
  belt: {points: [P], mass: 1, com: P}
  mass: {points: [P], mass: 1, com: P}
joints:
  drive: {kind: prismatic, bodies: [ground, belt], at: P, axis: [1, 0]}
  rub: {kind: prismatic, bodies: [belt, mass], at: P, axis: [1, 0], friction: {coefficient: 0.2, static: 0.4}}
drivers:
  motor: {joint: drive, speed: 0.1}
initial:
  rub: {speed: 0}
forces:
  string: {kind: spring, between: [ground.W, mass.P], stiffness: 100, free_length: 0.3}
""")
print(run := lw.simulate(bow, until="3 s"))

# %%
# Between two slips the mass is carried by 2 (μ₀ − μ) m g/k, which takes that distance over the speed of the belt; a slip
# takes :math:`\frac{2}{\omega}\left(\pi - \arctan\frac{(\mu_0 - \mu)\,g}{\omega v}\right)`.

slips, sticks = ([e.time for e in run.events if word in e.name] for word in ("slips", "sticks"))
omega, drop = 10.0, 0.2 * 9.81 / 100
print("carried for", np.subtract(slips[1:], sticks[: len(slips) - 1]), "by hand", 2 * drop / 0.1)
print(
    "slips for",
    np.subtract(sticks, slips[: len(sticks)]),
    "by hand",
    2 / omega * (np.pi - np.arctan(drop * omega / 0.1)),
)
run.plot("mass.P.x", "rub.friction.force")

# %%
# A gate that falls shut
# ----------------------
# It turns on a pin that rubs, hits its stop, loses more than half of its speed each time, and stays.

gate = lw.loads("""
linkwork: 1
name: gate
space: planar
gravity: [0, -9.81]
points: {O: [0, 0], A: [0.6, 0.8]}
bodies: {gate: {bar: [O, A], mass: 4}}
joints:
  O:
    kind: revolute
    bodies: [ground, gate]
    limits: [0, 100 deg]
    stops: {restitution: 0.4}
    friction: {coefficient: 0.2, radius: 20 mm}
""")
print(fall := lw.simulate(gate, until="1.5 s"))
print(fall.modes)
fall.plot("O.angle", units={"O.angle": "deg"})
plt.show()
