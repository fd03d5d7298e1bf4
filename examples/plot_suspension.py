"""
Camber, toe and roll centre of a suspension
===========================================

How a wheel stands on the road is a question of positions alone. A suspension engineer reads it off curves over the travel
of the wheel and over the travel of the steering rack: camber (leaning), toe (steering by itself), the changes of track
and wheelbase, the height of the roll centre, and where the steering axis, the kingpin, meets the road.

This is the left front wheel of a car with double wishbones; x points forward, y to the left, z up. Two drivers move it:
one lifts the centre of the wheel, the other shifts the rack. Their strokes are live parameters, so that every curve below
comes from the same compiled mechanism.
"""

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

model = lw.loads("""
linkwork: 1
name: suspension
space: spatial
parameters:
  bump: {value: 0, live: true, description: stroke of the wheel to either side}
  steer: {value: 0, live: true, description: stroke of the rack to either side}
points:
  LF: [0.15, 0.36, 0.20]   # lower arm: hinges, ball joint
  LR: [-0.18, 0.36, 0.19]
  L: [0.01, 0.70, 0.18]
  UF: [0.12, 0.44, 0.45]   # upper arm
  UR: [-0.12, 0.44, 0.44]
  U: [-0.02, 0.67, 0.47]
  R: [-0.12, 0.38, 0.231]   # tie rod, from the rack to the steering arm
  arm: [-0.13, 0.64, 0.225]
  centre: [0, 0.75, 0.30]   # the wheel, and a point on its axis
  axle: [0, 0.85, 0.30]
bodies:
  lower_arm: {points: [LF, LR, L], mass: 0}
  upper_arm: {points: [UF, UR, U], mass: 0}
  upright: {points: [centre, L, U, arm, axle], mass: 0, com: centre}
  rack: {points: [R], mass: 0}
joints:
  lower: {kind: revolute, bodies: [ground, lower_arm], at: LF, axis: [0.33, 0, 0.01]}
  upper: {kind: revolute, bodies: [ground, upper_arm], at: UF, axis: [0.24, 0, 0.01]}
  L: {kind: spherical, bodies: [lower_arm, upright]}
  U: {kind: spherical, bodies: [upper_arm, upright]}
  R: {kind: prismatic, bodies: [ground, rack], axis: [0, 1, 0]}
relations:
  tie_rod: {kind: distance, between: [rack.R, upright.arm]}
drivers:
  lift: {point: upright.centre, position: [null, null, "0.30 + bump*(2*t - 1)"]}
  turn: {joint: R, position: "steer*(2*t - 1)"}
""")
RADIUS = 0.30  # of the wheel

# %%
# The measures
# ------------
# A wheel touches the road at its lowest point, ``p``. Everything is read off named quantities of the result: the axis of the
# wheel, the two ball joints, the velocity and the angular velocity of the upright.


def vectors(result, name, quantity=""):
    return np.column_stack([result[f"{name}.{quantity}{axis}"] for axis in "xyz"])


def measure(result):
    """Angles in degrees, lengths in millimetres, over the samples of a result."""
    centre, axle = vectors(result, "centre"), vectors(result, "axle")
    a = (axle - centre) / 0.1
    down = -np.array([0, 0, 1]) + a[:, 2:] * a
    p = centre + RADIUS * down / np.linalg.norm(down, axis=1, keepdims=True)
    # the point of the upright that is at p, seen from the front: the line across its velocity meets the middle of the car
    v = vectors(result, "upright", "v") + np.cross(vectors(result, "upright", "w"), p - centre)
    # the kingpin goes through both ball joints and meets the road at k
    lower = vectors(result, "L")
    pin = vectors(result, "U") - lower
    k = lower + pin * ((p - lower)[:, 2:] / pin[:, 2:])
    with np.errstate(invalid="ignore", divide="ignore"):
        roll = p[:, 1] * v[:, 1] / v[:, 2]
    return {
        "travel": 1000 * (centre[:, 2] - 0.30),
        "camber": -np.degrees(np.arcsin(a[:, 2])),
        "toe-in": np.degrees(np.arctan2(a[:, 0], a[:, 1])),
        "track": 1000 * (p[:, 1] - 0.75),
        "wheelbase": 1000 * p[:, 0],
        "roll centre": 1000 * roll,
        "caster": np.degrees(np.arctan2(-pin[:, 0], pin[:, 2])),
        "inclination": np.degrees(np.arctan2(-pin[:, 1], pin[:, 2])),
        "scrub radius": 1000 * (p - k)[:, 1],
        "trail": 1000 * (k - p)[:, 0],
    }


# %%
# Over the travel of the wheel
# ----------------------------
# In bump the wheel leans inwards and so stands upright when the body rolls over it in a bend; the tie rod is placed so that
# toe changes by less than a degree. The contact moves sideways on its way up, and the slope of its path is the
# height of the roll centre over half the track.

moments = np.linspace(0.0, 1.0, 81)
bumped = lw.solve_kinematics(model, times=moments, parameters={"bump": 0.08})
ride = measure(bumped)
at = {name: float(np.interp(0.0, ride["travel"], values)) for name, values in ride.items()}
print(f"as drawn: caster {at['caster']:.2f} deg, kingpin inclination {at['inclination']:.2f} deg, ", end="")
print(f"scrub radius {at['scrub radius']:.1f} mm, trail {at['trail']:.1f} mm, roll centre {at['roll centre']:.1f} mm")
print(f"camber gain {np.interp(50, ride['travel'], ride['camber']):.2f} deg at 50 mm of bump")

figure, panels = plt.subplots(2, 2, figsize=(10, 7), sharex=True, layout="constrained")
curves = [("camber", "toe-in"), ("track", "wheelbase"), ("roll centre",), ("caster", "inclination")]
units = ("[deg]", "change at the road [mm]", "height of the roll centre [mm]", "kingpin [deg]")
for panel, names, unit in zip(panels.flat, curves, units, strict=True):
    for name, colour in zip(names, ("#d55e00", "#009e73"), strict=False):
        panel.plot(ride["travel"], ride[name], color=colour, label=name)
    panel.axvline(0, color="0.7", linewidth=0.8)
    panel.set(ylabel=unit)
    panel.grid(alpha=0.3)
    panel.legend(frameon=False)
for panel in panels[1]:
    panel.set(xlabel="travel of the wheel, bump positive [mm]")
plt.show()

# %%
# The roll centre from the front
# ------------------------------
# The construction of the textbooks: the planes of both arms cut the plane across the car through the wheel in two lines.
# Where these meet, the upright turns for an instant; the line from there to the road meets the middle of the car in the roll
# centre. That holds where the arms alone guide the wheel. The tie rod guides it too, and turns it a little on its way: the
# velocities above know of that, and differ from the construction as much as there is toe.


def trace(first, second, ball):
    """Where the plane of an arm cuts x = 0: a point and a direction, (y, z)."""
    hinge, reach = (np.array(model_point[name]) - model_point[first] for name in (second, ball))
    normal = np.cross(hinge, reach)
    along = np.array([-normal[2], normal[1]])
    foot = np.dot(normal, model_point[first]) * normal[1:] / np.dot(normal[1:], normal[1:])
    return foot, along / np.linalg.norm(along)


model_point = {name: np.array([bumped[f"{name}.{axis}"][40] for axis in "xyz"]) for name in model.points}
(lower_at, lower_way), (upper_at, upper_way) = trace("LF", "LR", "L"), trace("UF", "UR", "U")
share = np.linalg.solve(np.column_stack([lower_way, -upper_way]), upper_at - lower_at)
pole = lower_at + share[0] * lower_way
contact = np.array([0.75, 0.0])
height = contact[1] + (pole - contact)[1] / (pole - contact)[0] * (0.0 - contact[0])
print(f"roll centre by construction {1000 * height:.2f} mm, by velocities {at['roll centre']:.2f} mm")

figure, axis = plt.subplots(figsize=(10, 4.2), layout="constrained")
for names, colour in (("LF L", "#0072b2"), ("UF U", "#56b4e9"), ("L U centre L", "#d55e00"), ("R arm", "#009e73")):
    axis.plot(*np.transpose([model_point[name][1:] for name in names.split()]), "o-", color=colour, linewidth=3)
wheel = plt.Rectangle((0.67, 0), 0.16, 0.6, facecolor="0.85", edgecolor="0.5", zorder=0)
axis.add_patch(wheel)
for start in (lower_at, upper_at):
    axis.plot(*np.transpose([model_point["L" if start is lower_at else "U"][1:], pole]), ":", color="0.4")
axis.plot(*np.transpose([contact, pole]), "--", color="#cc79a7")
axis.plot([0, 0], [-0.05, 0.62], color="0.7", linewidth=0.8)
axis.plot(*pole, "s", color="0.3", label="instant centre")
axis.plot(0, height, "o", color="#cc79a7", markersize=9, label="roll centre")
axis.axhline(0, color="0.4", linewidth=0.8)
axis.set(
    aspect="equal", xlabel="y [m]", ylabel="z [m]", title="from the front: the left wheel and the middle of the car"
)
axis.legend(frameon=False)
plt.show()

# %%
# Over the travel of the rack
# ---------------------------
# The wheel steers about an inclined axis: it leans as it turns, and its caster makes it lean into the bend on the outside. The
# right wheel is the mirror image, so that one run gives both angles of a bend. All wheels roll about one point when the inner
# one turns farther, by the rule of Ackermann: cot(outer) - cot(inner) = track/wheelbase. The arms point inwards for that.

steered = lw.solve_kinematics(model, times=moments, parameters={"steer": 0.06})
turned = measure(steered)
shift = 1000 * steered["R.position"]
left, right = -turned["toe-in"], turned["toe-in"][::-1]
bend = left > 0.5  # to the left: the left wheel is the inner one
inner, outer = left[bend], right[bend]
ackermann = np.degrees(np.arctan(1 / (1 / np.tan(np.radians(inner)) + 1.5 / 2.6)))

figure, panels = plt.subplots(1, 3, figsize=(12, 4), layout="constrained")
panels[0].plot(shift, left, color="#0072b2", label="left wheel")
panels[0].plot(shift, right, "--", color="#0072b2", label="right wheel")
panels[0].set(xlabel="rack to the left [mm]", ylabel="steered to the left [deg]")
panels[1].plot(shift, turned["camber"], color="#d55e00", label="camber [deg]")
panels[1].plot(shift, turned["track"], color="#009e73", label="contact outwards [mm]")
panels[1].plot(shift, turned["wheelbase"], color="#cc79a7", label="contact forwards [mm]")
panels[1].set(xlabel="rack to the left [mm]", title="left wheel")
panels[2].plot(inner, outer, color="#0072b2", label="this steering")
panels[2].plot(inner, ackermann, ":", color="0.3", label="Ackermann, 1.5 m / 2.6 m")
panels[2].plot(inner, inner, color="0.8", label="parallel")
panels[2].set(xlabel="inner wheel [deg]", ylabel="outer wheel [deg]")
for panel in panels:
    panel.grid(alpha=0.3)
    panel.legend(frameon=False)
plt.show()
