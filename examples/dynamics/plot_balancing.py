"""
Shaking force of an engine, and its balancing
=============================================

A piston that goes to and fro shakes the engine that holds it. How much is a question of inverse dynamics: the crank
turns evenly, and the forces that the mechanism passes on to the ground follow. A counterweight on the crank takes part
of them away.
"""

# %%
# The engine
# ----------
# One cylinder, along x. The crank of 50 mm leads a rod of 200 mm. The counterweight opposite to the crank pin has the
# moment ``U`` (mass × radius), a live parameter: changing it compiles nothing again.

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

engine = lw.loads("""
linkwork: 1
name: engine
space: planar
gravity: [0, 0]
parameters:
  r: 0.05
  l: 0.2
  U: {value: 0, live: true}
points:
  O: [0, 0]
  A: [r, 0]
  B: [r + l, 0]
bodies:
  crank: {points: [O, A], mass: 2, com: [(0.024 - U)/2, 0], inertia: 0.002}
  rod: {points: [A, B], mass: 0.8, com: [0.3*l, 0], inertia: 0.004}
  piston: {points: [B], mass: 0.6, com: B, inertia: 0.0005}
joints:
  O: {kind: revolute, bodies: [ground, crank]}
  A: {kind: revolute, bodies: [crank, rod]}
  B: {kind: revolute, bodies: [rod, piston]}
  cylinder: {kind: prismatic, bodies: [ground, piston], at: B, axis: [1, 0]}
""")

speed, theta = 3000 * 2 * np.pi / 60, np.linspace(0.0, 2 * np.pi, 241)


def run(counterweight):
    return lw.inverse_dynamics(engine, {"O": f"{speed}*t"}, times=theta / speed, parameters={"U": counterweight})


print(plain := run(0.0))

# %%
plain.animate("engine.html", trace="A", plot="O.angle.effort")

# %%
plain.result.plot_path("A", time=0.003)

# %%
# The textbook
# ------------
# For forces the rod may be replaced by two masses at its pins, 70 % at the crank and 30 % at the piston. What turns
# with the crank pin is then :math:`m_{rot}`, what goes to and fro :math:`m_{rec}`, and with the piston's acceleration
# up to its second harmonic the force along the cylinder is
#
# .. math:: F_x \approx m_{rot}\,r\omega^2\cos\theta + m_{rec}\,r\omega^2\left(\cos\theta + \tfrac{r}{l}\cos 2\theta\right),
#    \qquad F_y = m_{rot}\,r\omega^2\sin\theta.
#
# The exact force differs by the fourth harmonic and by higher ones, of the order :math:`(r/l)^3`.

r, l = 0.05, 0.2
rotating, reciprocating = 0.024 / r + 0.7 * 0.8, 0.6 + 0.3 * 0.8
piston = reciprocating * r * speed**2 * np.array([np.cos(theta), r / l * np.cos(2 * theta)])
textbook = rotating * r * speed**2 * np.cos(theta) + piston.sum(axis=0)
assert np.abs(plain.shaking_force[:, 0] - textbook).max() < (r / l) ** 3 * piston.max()

fig, axes = plt.subplots(figsize=(7.5, 4), layout="constrained")
axes.plot(np.degrees(theta), plain.shaking_force / 1e3, lw=2.5, label=["along the cylinder, exact", "across"])
axes.plot(np.degrees(theta), textbook / 1e3, "k--", lw=1, label="along it, two harmonics")
axes.plot(np.degrees(theta), piston[1] / 1e3, "C2:", label="second harmonic of the piston")
axes.set(xlabel="crank angle [deg]", ylabel="force on the ground [kN]", xlim=(0, 360), xticks=range(0, 361, 60))
axes.legend(loc="upper center", fontsize="small")

# %%
# Counterweights
# --------------
# A counterweight of :math:`U = m_{rot} r` takes away all that turns. One that is heavier fights the piston as well, at
# the price of a force across the cylinder: what goes to and fro along one line can never be met by what turns in a
# circle. With half of :math:`m_{rec}` the first harmonic becomes a vector of constant size that turns backwards, and
# its peak is half of what it was.

share = {"of what turns": 0.0, "and half of the piston": 0.5, "and all of the piston": 1.0}
balanced = {name: run((rotating + part * reciprocating) * r) for name, part in share.items()}
fig, axes = plt.subplots(figsize=(8, 4), layout="constrained")
for name, found in {"none": plain, **balanced}.items():
    axes.plot(*found.shaking_force.T / 1e3, label=name)
axes.set(xlabel="along the cylinder [kN]", ylabel="across [kN]", aspect="equal")
axes.legend(title="counterweight", fontsize="small", loc="upper left", bbox_to_anchor=(1.0, 1.0))

# %%
# How much of the piston should be met? Without the second harmonic, which no counterweight on the crank reaches, it
# would be one half. With it the peak is least a little further on.

for part in (0.4, 0.5, 0.6, 0.7):
    print(part, np.linalg.norm(run((rotating + part * reciprocating) * r).shaking_force, axis=1).max().round(), "N")

# %%
# Torque, and a flywheel
# ----------------------
# A counterweight changes nothing of the torque that turns the crank evenly: it moves on a circle at a constant speed.
# The torque swings to both sides, as the piston takes energy and gives it back, and its mean is zero without gas forces
# and friction. What a flywheel has to store is the swing of the work, :math:`\Delta E`; for a speed that varies by the
# part :math:`\delta` of its mean it needs the inertia :math:`J = \Delta E / (\delta\,\omega^2)`.

half = balanced["and half of the piston"]
stored = np.ptp(half.energy["O.angle"])
print(f"stored in each turn: {stored:.1f} J; a flywheel for 1 %: {stored / (0.01 * speed**2):.3f} kg m²")
assert np.allclose(half["O.angle.effort"], plain["O.angle.effort"], atol=1e-6)
half.plot("O.angle.effort", "O.angle.energy", over="O.angle", units={"O.angle": "deg"})

# %%
# The bearing of the crank feels the counterweight too, the other joints do not:

for name, found in {"none": plain, "half of the piston": half}.items():
    print(name, *(f"{load.element} {load.force / 1e3:.2f} kN" for load in found.peak_loads()), sep=", ")
