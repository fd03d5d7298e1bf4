"""
A slider-crank with backlash
============================

The wrist pin of a slider-crank has 0.1 mm of clearance. The crank is driven; wherever the force on the pin turns round, the
pin leaves its side of the hole, flies across, and strikes the other one. The joint takes no freedom away: it pushes while
the parts touch, and not else.
"""

import numpy as np

import linkwork as lw

model = lw.loads("""
linkwork: 1
name: slider_crank_with_backlash
space: planar
points: {O: [0, 0], A: [0, 0.1], B: [0.282842712474619, 0]}
bodies:
  crank: {bar: [O, A], mass: 1 kg}
  rod: {bar: [A, B], mass: 0.6 kg}
  slider: {points: [B], com: B, mass: 0.8 kg}
joints:
  O: {kind: revolute, bodies: [ground, crank]}
  A: {kind: revolute, bodies: [crank, rod]}
  B: {kind: revolute, bodies: [rod, slider], clearance: {gap: 0.1 mm, restitution: 0.1, radius: 8 mm}}
  S: {kind: prismatic, bodies: [ground, slider], at: B, axis: [1, 0]}
drivers: {motor: {joint: O, position: "90 deg + 120 rpm*t"}}
initial: {A: {speed: -120 rpm}, S: {speed: -1.2566370614359172}}
""")
print(lw.analyse(model))

# %%
# The run begins as it would without clearance. Bounces are events with their impulses, contact and flight are modes.

result = lw.simulate(model, until="0.5 s", step="0.1 ms")
print(result)
hits = [event for event in result.events if event.values.get("impulse", 0.0) > 0.0]
print(f"{len(hits)} blows, the hardest {max(event.values['impulse'] for event in hits):.3g} N s")
print(f"the pin is never farther out than its hole by {max(0.0, -result['B.gap'].min()):.0e} m")

# %%
# What is left of the clearance: nothing while the pin is pressed, and it crosses where the force turns round.

result.plot("B.gap")

# %%
# The slider hardly notices. The force between pin and hole, which is none while the pin flies:

fitting = model.to_dict()
fitting["joints"]["B"].pop("clearance")
fitting["initial"] = {}
exact = lw.simulate(lw.Model(**fitting), times=result.time)
difference = np.abs(result["S.position"] - exact["S.position"]).max()
print(f"the slider is at most {difference * 1e3:.2g} mm from where it would be without clearance")
result.plot("B.force")
