r"""
A four-bar that coasts to rest
==============================

All four pins rub, each with the force that it carries itself: the faster the crank turns, the more its pins press, and
the more they brake. Nothing else takes energy from it, so that the works of the four pins have to be what it loses.
"""

# %%
# The coefficient is a live parameter: both runs come from the same compiled mechanism.

import matplotlib.pyplot as plt

import linkwork as lw

four_bar = lw.loads("""
linkwork: 1
name: coasting four-bar
space: planar
gravity: [0, -9.81]
points: {O: [0, 0], A: [0, 0.08], B: [0.25, 0.17], C: [0.22, 0]}
parameters: {mu: {value: 0.3, live: true}}
bodies:
  crank:   {bar: [O, A], mass: 2}
  coupler: {bar: [A, B], mass: 0.4}
  rocker:  {bar: [C, B], mass: 0.4}
joints:
  O: {kind: revolute, bodies: [ground, crank], friction: {coefficient: mu, radius: 10 mm}}
  A: {kind: revolute, bodies: [crank, coupler], friction: {coefficient: mu, radius: 10 mm}}
  B: {kind: revolute, bodies: [coupler, rocker], friction: {coefficient: mu, radius: 10 mm}}
  C: {kind: revolute, bodies: [ground, rocker], friction: {coefficient: mu, radius: 10 mm}}
initial: {O: {speed: 300 rpm}}
""")
print(run := lw.simulate(four_bar, until="4 s"))

# %%
# Half the friction, and it goes on for longer. At rest all pins stick at once: together they hold the cranks against
# their weight, and what each of them holds is shared out between them.

slick = lw.simulate(four_bar, until="4 s", parameters={"mu": 0.15})
run.plot("O.speed", label="0.3", beside={"0.15": slick}, units={"O.speed": "rpm"})

# %%
# Torques of friction follow the forces in the pins, and change their signs where pins turn back.

run.plot("?.friction.torque", "?.friction.contact")

# %%
# Energy lost, and works of the pins. The loads are those of one motion: no pin is braked with a force that was guessed.

lost = run["energy.total"][0] - run["energy.total"]
works = {pin: -run[f"{pin}.friction.work"] for pin in "OABC"}
print("lost", lost[-1], "J, taken by the pins", sum(works.values())[-1], "J")

figure, axis = plt.subplots(figsize=(7, 3.5), layout="constrained")
axis.stackplot(run.time, *works.values(), labels=[f"pin {pin}" for pin in works], alpha=0.75)
axis.plot(run.time, lost, "k--", label="energy lost")
axis.set(xlabel="time [s]", ylabel="energy [J]")
axis.legend(frameon=False)
plt.show()
