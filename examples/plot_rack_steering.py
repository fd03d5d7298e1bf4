"""
A rack steering gear
====================

The pinion on the steering column moves a rack, tie rods turn the front wheels. In a bend the inner wheel runs on the smaller
circle and must turn more than the outer one: with track :math:`w` and wheelbase :math:`l`, Ackermann's condition is
:math:`\\cot\\delta_o - \\cot\\delta_i = w / l`. The rack is a coupling; both loops behind it are closed by formulas.

.. literalinclude:: ../../src/linkwork/mechanisms/rack_steering.yaml
   :language: yaml
"""

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

model = lw.example("rack_steering")
print(lw.analyse(model))

# %%
# Turn the steering wheel slowly to the left, up to 180 degrees. The effort of the driver is the torque of the hands, that of
# the coupling the force in the rack.

hands = {"hands": {"joint": "wheel", "position": "180 deg*t/(10 s)"}}
result = lw.simulate(lw.Model(**model.to_dict() | {"drivers": hands, "initial": {}}), until="10 s")
inner, outer = np.degrees(result["L.angle"]), np.degrees(result["R.angle"])
ackermann = np.degrees(np.arctan2(1, 1 / np.tan(result["L.angle"][1:]) + 1.2 / 2.6))
print(f"inner wheel {inner[-1]:.1f} deg, outer wheel {outer[-1]:.1f} deg, by Ackermann {ackermann[-1]:.1f} deg")
print(f"force in the rack {result['teeth.effort'][-1]:.0f} N, torque of the hands {result['hands.effort'][-1]:.1f} N m")

# %%
figure, axes = plt.subplot_mosaic("SS;AT", figsize=(10, 7), layout="constrained", height_ratios=(1.4, 1))
scene, angles, torque = (axes[name] for name in "SAT")
for k, shade in ((0, 0.25), (-1, 1.0)):
    place = {name: np.array([result[f"{name}.{axis}"][k] for axis in "xy"]) for name in model.points}
    for line, colour in zip(("L L2", "R R2", "L2 L1 G R1 R2"), ("#0072b2", "#0072b2", "#009e73"), strict=True):
        scene.plot(*np.transpose([place[name] for name in line.split()]), "o-", color=colour, alpha=shade, linewidth=3)
    for side in "LR":
        angle = result[f"{side}.angle"][k]
        tyre = place[side] + np.outer([-0.25, 0.25], [-np.sin(angle), np.cos(angle)])
        scene.plot(*tyre.T, color="0.2", alpha=shade, linewidth=9, solid_capstyle="round")
circle = np.array(result.drawing.bodies["column"].outlines[0]) + place["pinion"]
scene.plot(*circle.T, color="#d55e00", linewidth=2)
scene.set(aspect="equal", ylim=(-0.28, 0.28), title="straight on (pale) and 180 degrees to the left")
scene.set_axis_off()
angles.plot(inner, outer, color="#0072b2", label="steering gear")
angles.plot(inner[1:], ackermann, "--", color="0.3", label="Ackermann")
angles.set(xlabel="inner wheel [deg]", ylabel="outer wheel [deg]")
angles.legend(frameon=False)
torque.plot(np.degrees(result["wheel.angle"]), result["hands.effort"], color="#d55e00")
torque.set(xlabel="steering wheel [deg]", ylabel="torque of the hands [N m]")
plt.show()
