"""
A four-bar linkage from a YAML text
===================================

Crank, coupler and rocker between two fixed pins, pushed once and left to gravity. The description says where the
points are, which bars join them and where the joints are; Linkwork finds the loop and closes it.
"""

import matplotlib.pyplot as plt

import linkwork as lw

model = lw.loads("""
linkwork: 1
name: four_bar
space: planar
gravity: [0, -9.81]
points: {O: [0, 0], A: [0.6, 0.8], B: [2.9, 1.9], C: [2.2, 0]}
bodies:
  crank:   {bar: [O, A], length: 1 m, mass: 1 kg}
  coupler: {bar: [A, B], length: 2.5 m, mass: 2 kg, points: {P: [1.1, 0.9]}}
  rocker:  {bar: [C, B], length: 2 m, mass: 1.5 kg}
joints:
  O: {kind: revolute, bodies: [ground, crank]}
  A: {kind: revolute, bodies: [crank, coupler]}
  B: {kind: revolute, bodies: [coupler, rocker]}
  C: {kind: revolute, bodies: [ground, rocker]}
initial: {O: {speed: 5 rad/s}}
""")

# %%
# What was understood: one freedom, no redundant constraint, one loop, and the branch in which it was assembled. The
# sketch was not exact; the bars have the lengths that were asked for.

print(lw.analyse(model))

# %%
# A run has the same defaults on the command line and in Python. Its summary says how well energy and loops were kept.

result = lw.simulate(model, until="4 s")
print(result)

# %%
# Every point, body and joint is there by name: positions, speeds, accelerations and reactions.

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
left.plot(result["coupler.P.x"], result["coupler.P.y"], color="0.75", label="path of P")
for k, shade in ((0, 0.35), (300, 1.0)):
    place = {name: (result[f"{name}.x"][k], result[f"{name}.y"][k]) for name in ("O", "A", "B", "C", "coupler.P")}
    for ends in (("O", "A"), ("A", "B"), ("B", "C"), ("A", "coupler.P"), ("coupler.P", "B")):
        left.plot(*zip(*(place[end] for end in ends), strict=True), "o-", color="#0072b2", alpha=shade)
left.set(xlabel="x [m]", ylabel="y [m]", title="at 0 s (pale) and 1.2 s", aspect="equal")
left.legend(loc="center right", frameon=False)
for joint in ("O", "A", "B", "C"):
    right.plot(result.time, (result.reactions[joint].force ** 2).sum(axis=1) ** 0.5, label=joint)
right.set(xlabel="time [s]", ylabel="force [N]", title="reactions of the joints")
right.legend(frameon=False)
plt.show()
