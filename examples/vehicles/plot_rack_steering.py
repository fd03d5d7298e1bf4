"""
A rack steering gear
====================

The pinion on the steering column moves a rack, tie rods turn the front wheels. In a bend the inner wheel runs on the smaller
circle and must turn more than the outer one: with track :math:`w` and wheelbase :math:`l`, Ackermann's condition is
:math:`\\cot\\delta_o - \\cot\\delta_i = w / l`. The rack is a coupling; both loops behind it are closed by formulas.

.. literalinclude:: ../../../src/linkwork/mechanisms/rack_steering.yaml
   :language: yaml
   :class: model-file
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
result.animate("rack_steering.html", trace=["L2", "R2"], plot=["L.angle", "R.angle"])

# %%
result.plot_path("L2", "R2", time="10 s")

# %%
figure, axes = plt.subplots(figsize=(7, 3.6), layout="constrained")
axes.plot(inner, outer, color="#0072b2", label="steering gear")
axes.plot(inner[1:], ackermann, "--", color="0.3", label="Ackermann")
axes.set(xlabel="inner wheel [deg]", ylabel="outer wheel [deg]")
axes.legend(frameon=False)
plt.show()

# %%
result.plot("hands.effort", over="wheel.angle", units={"wheel.angle": "deg"})
