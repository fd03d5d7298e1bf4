"""
A car in real time
==================

A car of 25 bodies and 15 freedoms (``benchmarks/car.yaml``): McPherson struts and rack-and-pinion steering in front, arms
and links behind, springs, dampers and tyres. It is stepped by hand, a millisecond at a time. Between the steps somebody
turns the steering wheel, and the left wheels run over a kerb: both are live parameters, and nothing is compiled again.
"""

import numpy as np

import linkwork as lw

model = lw.load("../../benchmarks/car.yaml")
lw.analyse(model).plot()

# %%
rt = lw.realtime(model, "1 ms", outputs=["chassis.vx"], keep=500, every=10)

# 2 s of a lane change, and a kerb of 60 mm on the way of the left wheels, which are 2.6 m behind each other
while rt.time < 5.0:
    steer = np.radians(45) * np.sin(np.pi * (np.clip(rt.time, 0.5, 2.5) - 0.5))
    kerb = np.interp([15 * rt.time + 2.6, 15 * rt.time], [44, 44.5, 46.5, 47], [0, 0.06, 0.06, 0])
    rt.set(steer=steer, road_FL=kerb[0], road_RL=kerb[1])
    rt.step(10)
print(rt)

# %%
# The last 500 samples are a result like any other; each has the parameters of its time.

result = rt.result
result.animate("car.html", plot=["FL_spring.length", "FR_spring.length"], names=["*_spring.length", "chassis.w*"])

# %%
result.plot("FL_spring.length", "FR_spring.length", "chassis.wx", "chassis.wz")
