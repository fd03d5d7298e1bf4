"""
A four-bar linkage from a YAML text
===================================

Crank, coupler and rocker between two fixed pins, pushed once and left to gravity. The description says where the
points are, which bars join them and where the joints are; Linkwork finds the loop and closes it.
"""

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
# The result as a page that moves: play it, drag the time, look at other quantities. It is one file that opens anywhere,
# without a server and without a network.

result.animate("four_bar.html", trace="coupler.P", plot=["C.fx", "C.fy"])

# %%
# The mechanism at one moment, with the path of a point of the coupler.

result.plot_path("coupler.P", time="1.2 s")

# %%
# Every point, body and joint is there by name: positions, speeds, accelerations and reactions.

result.plot("crank.speed", "A.f*", "C.f*")
