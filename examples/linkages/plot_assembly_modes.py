"""
Plan and assembly modes of a six-bar
====================================

With its crank held, Watt's six-bar can be put together in four ways: each of its two dyads has a left and a right
assembly. The plan says so; the branches are chosen by name.
"""

# %%
# The plan: the crank is the input, then two dyads in closed form.

import linkwork as lw

model = lw.loads("""
linkwork: 1
name: watt_1
space: planar
gravity: [0, -9.81]

points:
  O: [0, 0]
  A: [0.06, 0.13]
  B: [0.36, 0.27]
  C: [0.35, 0]
  D: [0.3, 0.55]
  E: [0.55, 0.25]
  F: [0.62, 0.55]

bodies:
  crank: {bar: [O, A], mass: 1 kg}
  coupler: {points: [A, B, D], mass: 3 kg, com: [0.18, 0.19], inertia: 0.04}
  rocker: {points: [C, B, E], mass: 2 kg, com: [0.07, 0.17], inertia: 0.02}
  upper: {bar: [D, F], mass: 1 kg}
  lower: {bar: [E, F], mass: 1 kg}

joints:
  O: {kind: revolute, bodies: [ground, crank]}
  A: {kind: revolute, bodies: [crank, coupler]}
  B: {kind: revolute, bodies: [coupler, rocker]}
  C: {kind: revolute, bodies: [ground, rocker]}
  D: {kind: revolute, bodies: [coupler, upper]}
  E: {kind: revolute, bodies: [rocker, lower]}
  F: {kind: revolute, bodies: [upper, lower]}
""")
print(lw.analyse(model))

# %%
# All assembly modes, drawn. The one in use is that of the sketch.

modes = lw.assembly_modes(model)
print(modes)
modes.plot()

# %%
# The same mechanism in another mode, chosen by name, swings differently.

usual = lw.simulate(model, until="2 s")
other = lw.simulate(model.with_branches({"D-F-E": "right"}), until="2 s")
assert usual.outcome.completed and other.outcome.completed
usual.plot("O.angle", units={"O.angle": "deg"}, label="as drawn", beside={"D-F-E to the right": other})

# %%
other.animate("other_mode.html", trace="F", plot="O.angle")

# %%
# How far each joint moves when the crank is turned.

print(lw.find_limits(model))
