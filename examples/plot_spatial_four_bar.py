"""
Redundant constraints: which reactions are unique
=================================================

A four-bar built of rigid bars and revolute joints in space has three conditions too many: each joint insists on
keeping its bars in the plane, and one of them would do without. The motion is what it is in the plane. The forces in
the plane are determined too. How the joints share a load *across* the plane is not: that depends on their stiffness,
which a rigid model does not have. Linkwork says so instead of hiding it.
"""

import matplotlib.pyplot as plt

import linkwork as lw

model = lw.loads("""
linkwork: 1
name: spatial_four_bar
space: spatial
gravity: [0, -9.81, 0]
points: {O: [0, 0, 0], A: [0.6, 0.8, 0], B: [2.9, 1.9, 0], C: [2.2, 0, 0]}
bodies:
  crank:   {bar: [O, A], mass: 1 kg}
  coupler: {bar: [A, B], mass: 2 kg, points: {M: [1.2, 0, 0]}}
  rocker:  {bar: [C, B], mass: 1.5 kg}
joints:
  O: {kind: revolute, bodies: [ground, crank], axis: [0, 0, 1]}
  A: {kind: revolute, bodies: [crank, coupler], axis: [0, 0, 1]}
  B: {kind: revolute, bodies: [coupler, rocker], axis: [0, 0, 1]}
  C: {kind: revolute, bodies: [ground, rocker], axis: [0, 0, 1]}
forces:
  wind: {kind: force, at: coupler.M, value: [0, 0, 10 N]}
initial: {O: {speed: 5 rad/s}}
""")
print(lw.analyse(model))

# %%
result = lw.simulate(model, until="3 s")
for name, reaction in result.reactions.items():
    print(f"{name}: not unique: {', '.join(reaction.not_unique) or 'none'}")

# %%
# The two ground joints together must hold the 10 N of the wind. That sum is determined at every moment; its parts are
# the ones of least norm.

figure, axes = plt.subplots(2, 1, figsize=(7, 5.5), sharex=True, layout="constrained")
axes[0].plot(result.time, result["B.fx"], color="#0072b2", label="B.fx")
axes[0].plot(result.time, result["B.fy"], color="#009e73", label="B.fy")
axes[0].set(ylabel="force [N]", title="in the plane: unique")
total = result["O.fz"] + result["C.fz"]
axes[1].plot(result.time, result["O.fz"], "--", color="#d55e00", label="O.fz, least norm")
axes[1].plot(result.time, result["C.fz"], "--", color="#cc79a7", label="C.fz, least norm")
axes[1].plot(result.time, total, color="0.2", label="their sum")
axes[1].set(ylabel="force [N]", xlabel="time [s]", title="across the plane: only the sum is unique")
axes[0].legend(frameon=False, loc="lower left")
axes[1].legend(frameon=False, loc="center left")
plt.show()
