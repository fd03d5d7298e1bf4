"""
A car on a rough road
=====================

Half a car: its body bounces and pitches on two springs, its wheels hop between these and the tyres. What does the driver
feel of the road? First in frequencies, by the linear equations about the car at rest; then over a bump, mode by mode, and
beside the car itself, whose tyres can push but not pull, so that wheels leave the road.
"""

# sphinx_gallery_thumbnail_number = 4
import matplotlib.pyplot as plt

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

response.plot()

# %%
# Both wheels cross a bump, the rear one later. The linear motion is the sum of the parts of its modes. The car itself does
# the same on small bumps; on large ones its wheels take off, and the seat is shaken less for each millimetre of height.
hump = "0.001*sin(pi*(t - {0})/0.08)^2*step(t - {0})*step(0.08 + {0} - t)"
bump = linear.simulate("1 s", inputs={"front": hump.format(0), "rear": hump.format(0.16)})
print(bump)

bump.plot(modes=True)

# %%
figure, axes = plt.subplots(figsize=(8, 3.5), layout="constrained")
axes.plot(bump.time, bump["S.ay"], color="0.75", linewidth=5, label="linear")
runs = {height: lw.simulate(model, until="1 s", parameters={"bump": f"{height} mm"}) for height in (2, 50)}
for (height, run), style in zip(runs.items(), ("-", "--"), strict=True):
    axes.plot(run.time, run["S.ay"] / height, style, label=f"itself, bump of {height} mm")
axes.set(xlabel="time [s]", ylabel="seat [(m/s²) / mm]")
axes.legend(frameon=False, fontsize="small")
plt.show()

# %%
# The car on the larger bump.
runs[50].animate("half_car.html", trace=["S", "f", "r"], plot=["S.ay", "f.y", "r.y"])

# %%
runs[50].plot_path("S", "f", "r", time="0.12 s")
