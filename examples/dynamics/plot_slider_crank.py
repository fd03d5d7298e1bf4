"""
A slider-crank at constant speed
================================

A motor turns the crank at 600 rpm. All motion is prescribed, so nothing is integrated but the angle of the motor; what
is asked for is the torque that the motor needs. Its mean is zero without friction, its peaks are not.
"""

import numpy as np

import linkwork as lw

model = lw.loads("""
linkwork: 1
name: slider_crank
space: planar
parameters: {r: 60 mm, l: 200 mm}
points: {O: [0, 0], A: [r, 0], B: [r + l, 0]}
bodies:
  crank:  {bar: [O, A], mass: 1.2 kg}
  rod:    {bar: [A, B], mass: 0.5 kg}
  piston: {points: [B], mass: 0.8 kg}
joints:
  O: {kind: revolute, bodies: [ground, crank]}
  A: {kind: revolute, bodies: [crank, rod]}
  B: {kind: revolute, bodies: [rod, piston]}
  guide: {kind: prismatic, bodies: [ground, piston], at: B, axis: [1, 0]}
drivers:
  motor: {joint: O, speed: 600 rpm}
""")
print(lw.analyse(model))

# %%
# One turn takes 0.1 s. The effort of a driver is a quantity like any other.

result = lw.simulate(model, until="0.1 s")
torque = result["motor.effort"]
print(f"mean torque {np.trapezoid(torque, result.time) / 0.1:.2e} N m, largest {abs(torque).max():.1f} N m")

# %%
# The work of the motor is the change of the kinetic energy: an independent check of the torque.

work = np.concatenate([[0], np.cumsum(np.diff(result.time) * (torque[1:] + torque[:-1]) / 2)]) * 20 * np.pi
change = result["energy.kinetic"] - result["energy.kinetic"][0]
print(f"largest difference of work and energy: {abs(work - change).max():.1e} J of {abs(change).max():.1f} J")

# %%
# The engine as it turns, ten times slower than in truth, and what pins and guide carry over the crank angle.

result.animate("slider_crank.html", trace="A", plot="motor.effort")

# %%
result.plot_path("A", time="13 ms")

# %%
degrees = {"O.angle": "deg", "B.x": "mm"}
result.plot("B.x", "guide.fy", "A.fx", "motor.effort", over="O.angle", units=degrees)
