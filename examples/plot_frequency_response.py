"""
A car on a rough road
=====================

Half a car: its body bounces and pitches on two springs, its wheels hop between these and the tyres. What does the driver
feel of the road? First in frequencies, by the linear equations about the car at rest; then over a bump, mode by mode, and
beside the car itself, whose tyres can push but not pull, so that wheels leave the road.
"""

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

model = lw.loads("""
linkwork: 1
name: half car
space: planar
gravity: [0, -9.81]
parameters:
  front: {value: 0 m, live: true, description: height of the road at the front wheel}
  rear: {value: 0 m, live: true, description: height of the road at the rear wheel}
  bump: {value: 0 m, live: true, description: height of a bump that both wheels cross}
  span: {value: 80 ms, description: how long a wheel is on the bump}
  later: {value: 160 ms, description: when the rear wheel meets it}
  tyre: {value: 190 kN/m}
  front_load: {value: 600*9.81*1.2/2.5, description: weight of the car on the front spring}
  rear_load: {value: 600*9.81*1.3/2.5, description: weight of the car on the rear spring}
points:
  C: [1.2, 0.6]   # centre of mass
  S: [1.6, 0.6]   # seat of the driver
  F: [2.5, 0.6]
  R: [0, 0.6]
  f: [2.5, 0.3]
  r: [0, 0.3]
bodies:
  car: {points: [C, S, F, R], mass: 600, com: C, inertia: 620}
  front_wheel: {points: [f], mass: 40, com: f, inertia: 1}
  rear_wheel: {points: [r], mass: 45, com: r, inertia: 1}
joints:
  f: {kind: prismatic, bodies: [car, front_wheel], axis: [0, 1]}
  r: {kind: prismatic, bodies: [car, rear_wheel], axis: [0, 1]}
forces:
  # at rest as drawn: springs and tyres carry the weights
  front_spring:
    {kind: spring, between: [front_wheel.f, car.F], stiffness: 18000, free_length: 0.3 + front_load/18000, damping: 1000}
  rear_spring:
    {kind: spring, between: [rear_wheel.r, car.R], stiffness: 20000, free_length: 0.3 + rear_load/20000, damping: 1100}
  # a tyre pushes, but does not pull
  front_tyre:
    kind: force
    at: front_wheel.f
    value:
      - 0
      - max(0, front_load + 40*9.81 + tyre*(0.3 + front + bump*sin(pi*t/span)^2*step(span - t) - f.y))
  rear_tyre:
    kind: force
    at: rear_wheel.r
    value:
      - 0
      - max(0, rear_load + 45*9.81 + tyre*(0.3 + rear
        + bump*sin(pi*(t - later)/span)^2*step(t - later)*step(later + span - t) - r.y))
""")
linear = lw.linearise(model, states=["car.y", "car.angle", "f.y", "r.y"], inputs=["front", "rear"], outputs=["S.ay"])
print(lw.modes(linear))

# %%
# The car may roll away: two eigenvalues are zero. The road does not push it there, so that its response at rest has a bound.
response = linear.frequency_response()
print(response)

figure, (size, turn) = plt.subplots(2, 1, sharex=True, figsize=(8, 6), layout="constrained", height_ratios=[3, 2])
for wheel in ("front", "rear"):
    size.loglog(response.frequency, response.magnitude("S.ay", wheel), label=f"road at the {wheel} wheel")
    turn.semilogx(response.frequency, np.degrees(response.phase("S.ay", wheel)))
for peak in response.peaks[:2]:
    size.annotate(
        f"{peak.frequency:.2f} Hz", (peak.frequency, peak.gain), (0, 4), textcoords="offset points", ha="center"
    )
size.set(ylabel="acceleration of the seat [(m/s²)/m]", ylim=(0.3, 1000))
turn.set(ylabel="phase [°]", xlabel="frequency [Hz]")
size.legend(frameon=False)
plt.show()

# %%
# Both wheels cross a bump, the rear one later. The linear motion is the sum of the parts of its modes. The car itself does
# the same on small bumps; on large ones its wheels take off, and the seat is shaken less for each millimetre of height.
hump = "0.001*sin(pi*(t - {0})/0.08)^2*step(t - {0})*step(0.08 + {0} - t)"
bump = linear.simulate("1 s", inputs={"front": hump.format(0), "rear": hump.format(0.16)})
print(bump)

figure, (whole, parts) = plt.subplots(2, 1, sharex=True, figsize=(8, 6), layout="constrained")
whole.plot(bump.time, bump["S.ay"], color="0.75", linewidth=5, label="linear")
for height, style in ((2, "-"), (50, "--")):
    run = lw.simulate(model, until="1 s", parameters={"bump": f"{height} mm"})
    whole.plot(run.time, run["S.ay"] / height, style, label=f"itself, bump of {height} mm")
for name, values in bump.contributions("S.ay").items():
    if values.any():
        parts.plot(bump.time, values, label=name)
for axes in (whole, parts):
    axes.set_ylabel("seat [(m/s²) / mm]")
    axes.legend(frameon=False, fontsize="small")
parts.set_xlabel("time [s]")
plt.show()
