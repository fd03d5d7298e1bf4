"""
Gears that rattle
=================

The shaft of an engine does not turn evenly. A gear on it drives an idle wheel, which nothing brakes but oil, with 1.2 mm of
backlash: far more than a gearbox has, so that it can be seen. Where the shaft slows down the wheel runs on, crosses the gap,
and strikes the next tooth.
"""

import linkwork as lw

model = lw.loads("""
linkwork: 1
name: gear_rattle
space: planar
parameters: {sway: {value: 0.06, live: true}}
points: {O: [0, 0], P: [0.18, 0]}
bodies:
  shaft: {points: [O], com: O, mass: 3, inertia: 5e-3}
  idler: {points: [P], com: P, mass: 4, inertia: 1.2e-2}
joints:
  A: {kind: revolute, bodies: [ground, shaft], at: O}
  B: {kind: revolute, bodies: [ground, idler], at: P}
couplings:
  mesh:
    bodies: [shaft, idler]
    radii: [0.06, 0.12]
    pressure_angle: 20 deg
    backlash: {gap: 1.2 mm, restitution: 0.5, start: 1}
drivers: {engine: {joint: A, position: "10*t + sway*sin(20*t)"}}
forces: {oil: {kind: friction, joint: B, viscous: 4e-3}}
initial: {B: {speed: -5 - 10*sway}}
""")
print(lw.analyse(model))

# %%
# Teeth push with one flank or with the other one, never with both. The force between them, along the line that stands at the
# pressure angle, is in the bearings too.

result = lw.simulate(model, until="3 s", step="1 ms")
print(result)
result.plot("mesh.gap.ahead", "B.speed", "mesh.fy", units={"mesh.gap.ahead": "mm"})

# %%
result.animate("gear_rattle.html", plot=["mesh.gap.ahead", "mesh.gap.behind"])

# %%
# Whether it rattles depends on how unevenly the shaft turns. The wheel stays on its flank while oil slows it down faster
# than the shaft loses speed, :math:`c\,\omega_2/J_2 > |\ddot\varphi_1| r_1/r_2`, which is, up to a sway of

print(f"{4e-3 * 5.0 / 1.2e-2 / (0.5 * 20**2):.4f} rad")
for sway in (0.008, 0.009, 0.02, 0.06):
    run = lw.simulate(model, until="3 s", parameters={"sway": sway})
    blows = [event for event in run.events if event.values.get("impulse", 0.0) > 1e-6 and event.time > 1.0]
    hardest = max((event.values["impulse"] for event in blows), default=0.0)
    print(f"sway {sway:.3f} rad: {len(blows)} blows in two seconds, the hardest {hardest:.3g} N s")
