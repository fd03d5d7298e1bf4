r"""
A Geneva drive with real contact
================================

A pin on a crank enters a slot of a wheel, turns it by a quarter and leaves. Between two steps a disc of the crank holds
the wheel between two ends of a hollow. Nothing here is a relation that knows how a Geneva drive moves: there are walls of
slots, a pin that is thinner than they are apart, an arc, and what touches when.
"""

# %%
# The wheel turns about W, 100 mm from the crank. Each of its slots has two walls, each of its hollows two round ends; all
# are surfaces without mass. The disc of the crank leaves out the quarter in which the pin works.

import numpy as np

import linkwork as lw

D, SLOTS = 0.1, 4
A = D / np.sqrt(2)  # radius of the crank, and of the mouths of the slots
PIN, PLAY, DISC, ROUND, LOCK = 5e-3, 0.1e-3, 0.06, 1e-3, 0.02e-3
WALL, DEEP, REACH = 4e-3, 0.025, DISC + LOCK + ROUND


def on_wheel(angle: float, x: float, y: float) -> list[float]:
    """A place beside W, where the wheel is turned by an angle."""
    return [float(D + x * np.cos(angle) - y * np.sin(angle)), float(x * np.sin(angle) + y * np.cos(angle))]


start, around = [A * np.cos(-1.5), A * np.sin(-1.5)], [-1.5 + np.pi / 4, -1.5 + 7 * np.pi / 4]
surfaces = {
    "pin": {"ball": PIN, "on": "crank", "at": start},
    "disc": {"arc": {"radius": DISC, "range": around}, "on": "crank"},
}
for k in range(SLOTS):
    slot, hollow = np.pi / 4 + k * np.pi / 2, k * np.pi / 2
    for name, side in (("a", 1), ("b", -1)):
        at = on_wheel(slot, (A + DEEP) / 2, side * (PIN + PLAY + WALL / 2))
        surfaces[f"wall_{k}{name}"] = {"box": [A - DEEP, WALL], "on": "wheel", "at": at, "rotation": slot}
        # an end of the hollow that lies about the crank where slot number k stands at 45 degrees
        at = on_wheel(hollow, REACH * np.cos(0.57) - D, side * REACH * np.sin(0.57))
        surfaces[f"end_{k}{name}"] = {"ball": ROUND, "on": "wheel", "at": at}

walls, ends = ([name for name in surfaces if name.startswith(word)] for word in ("wall", "end"))
frame = lw.loads("""
linkwork: 1
name: Geneva drive
space: planar
points: {O: [0, 0], W: [0.1, 0]}
bodies:
  crank: {points: [O], com: O, mass: 0.5, inertia: 5e-4}
  wheel: {points: [W], com: W, mass: 0.4, inertia: 4e-4}
joints:
  O: {kind: revolute, bodies: [ground, crank]}
  W: {kind: revolute, bodies: [ground, wheel]}
drivers: {motor: {joint: O, speed: 4 rad/s}}
forces:
  bearing: {kind: friction, joint: W, viscous: 2e-3}
  load: {kind: effort, joint: W, value: -0.02*(step(t - 0.9) - step(t - 1.4))}
""")
drive, lock = {"between": ["pin", *walls], "ignore": [walls]}, {"between": ["disc", *ends], "ignore": [ends]}
geneva = frame.with_(surfaces=surfaces, contacts={"drive": drive, "lock": lock})
run = lw.simulate(geneva, times=np.linspace(0, 3.3, 1651))
print(run.outcome, run.audit)
run.plot("W.angle", "W.speed", units={"W.angle": "deg"})

# %%
# Two steps of a quarter. While the pin presses on a wall its centre lies beside the
# middle of the slot by the play, and the angle of the wheel follows from that alone.

turned = run["O.angle"] - 1.5
pin = np.column_stack([A * np.cos(turned) - D, A * np.sin(turned)])
beside = np.arcsin(PLAY / np.hypot(*pin.T))
drives, brakes = (run[f"drive.pin_wall_2{name}.force"] > 0.0 for name in "ba")
towards = np.arctan2(pin[:, 1], pin[:, 0]) % (2 * np.pi) - 5 * np.pi / 4
print("off by", np.max(np.abs(run["W.angle"] - towards - beside)[drives]), "rad where the pin drives")
print("off by", np.max(np.abs(run["W.angle"] - towards + beside)[brakes]), "rad where it brakes")

# %%
# Between two steps a load turns the wheel on, and the disc holds it by an end of a hollow.

waits = np.searchsorted(run.time, 1.2)
held = {name: run[f"lock.disc_{name}.force"][waits] for name in ends if run[f"lock.disc_{name}.force"][waits] > 0.0}
print("held by", held)
run.animate("geneva.html", plot=["W.angle", "drive.pin_wall_2b.force"])
