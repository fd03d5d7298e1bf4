"""
Camber, toe and roll centre of a suspension
===========================================

How a wheel stands on the road is a question of positions alone. A suspension engineer reads it off curves over the travel
of the wheel and over the travel of the steering rack: camber (leaning), toe (steering by itself), the changes of track
and wheelbase, the height of the roll centre, and where the steering axis, the kingpin, meets the road.

This is the left front wheel of a car with double wishbones; x points forward, y to the left, z up. Two drivers move it:
one lifts the centre of the wheel, the other shifts the rack. Their strokes are live parameters, so that every curve below
comes from the same compiled mechanism. The measures are formulas of the model; the kingpin goes through both ball joints.
"""

# sphinx_gallery_thumbnail_number = 2
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
  patch: [0, 0.75, 0]   # where it meets the road
bodies:
  lower_arm: {points: [LF, LR, L], mass: 0}
  upper_arm: {points: [UF, UR, U], mass: 0}
  upright: {points: [centre, L, U, arm, axle, patch], mass: 0, com: centre}
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
outputs:
  travel: centre.z - 0.30
  camber: -asin((axle.z - centre.z)/0.1)
  toe_in: atan2(axle.x - centre.x, axle.y - centre.y)
  half_track: patch.y - 0.75
  wheelbase: centre.x
  caster: atan2(L.x - U.x, U.z - L.z)
  inclination: atan2(L.y - U.y, U.z - L.z)
  # from the kingpin, where it meets the road, to the contact: sideways and backwards
  scrub_radius: patch.y - L.y - (U.y - L.y)*(patch.z - L.z)/(U.z - L.z)
  trail: L.x + (U.x - L.x)*(patch.z - L.z)/(U.z - L.z) - centre.x
  # seen from the front, the line across the way of the contact meets the middle of the car
  roll_centre: patch.y*patch.vy/patch.vz
  # where the upright turns for an instant, seen from the front
  pole_y: centre.y - upright.vz/upright.wx
  pole_z: centre.z + upright.vy/upright.wx
""")

# %%
# Over the travel of the wheel
# ----------------------------
# In bump the wheel leans inwards and so stands upright when the body rolls over it in a bend; the tie rod is placed so that
# toe changes by less than a degree. The contact moves sideways on its way up, and the slope of its path is the
# height of the roll centre over half the track.

ride = lw.solve_kinematics(model, times=np.linspace(0, 1, 82), parameters={"bump": 0.08})
ride.values([*model.outputs, *(f"{point}.{axis}" for point in model.points for axis in "yz")])  # evaluated together
travel, units = 1000 * ride["travel"], {"travel": "mm", "half_track": "mm", "wheelbase": "mm", "roll_centre": "mm"}
angles, lengths = ("camber", "toe_in", "caster", "inclination"), ("half_track", "wheelbase", "roll_centre")
figure = ride.plot(*angles, *lengths, over="travel", units=units)
figure.axes[0].set_ylabel("angles [rad]")

# %%
scrub, trail, height = (1000 * np.interp(0, travel, ride[name]) for name in ("scrub_radius", "trail", "roll_centre"))
print(f"as drawn: scrub radius {scrub:.1f} mm, trail {trail:.1f} mm, roll centre {height:.1f} mm above the road")
ride.animate("suspension.html", trace=["centre", "patch"], plot=["camber", "toe_in"])

# %%
ride.plot_path("centre", "patch", time=1.0)

# %%
# The roll centre from the front
# ------------------------------
# The construction of the textbooks: the lines of both arms, prolonged, meet where the upright turns for an instant; the line
# from there to the contact meets the middle of the car in the roll centre. Here the instant centre comes from the velocity
# and the angular velocity of the upright, which know of the tie rod too, and the arms do point at it.

at = {name: [np.interp(0, travel, ride[f"{name}.{axis}"]) for axis in "yz"] for name in model.points}
at["pole"] = [np.interp(0, travel, ride[f"pole_{axis}"]) for axis in "yz"]
figure, axis = plt.subplots(figsize=(10, 4.2), layout="constrained")
axis.add_patch(plt.Rectangle((0.67, 0), 0.16, 0.6, facecolor="0.88", edgecolor="0.5"))
for part in ("LF L LR", "UF U UR", "L U centre L arm", "R arm", "L pole U", "patch pole"):
    look = {"linestyle": ":", "color": "k"} if "pole" in part else {"linewidth": 3, "marker": "o"}
    axis.plot(*np.transpose([at[name] for name in part.split()]), **look)
axis.plot([0, 0], [0, height / 1000], "ko-")
axis.set(aspect="equal", xlabel="y [m]", ylabel="z [m]", title="the roll centre, from the front")
plt.show()

# %%
# Over the travel of the rack
# ---------------------------
# The wheel steers about an inclined axis: it leans as it turns, and its caster makes it lean into the bend on the outside.
# The right wheel is the mirror image, so that one run gives both angles of a bend. All wheels roll about one point when the
# inner one turns farther, by the rule of Ackermann: cot(outer) - cot(inner) = track/wheelbase. The arms point inwards for
# that.

turn = lw.solve_kinematics(model, times=np.linspace(0, 1, 81), parameters={"steer": 0.06})
left, camber = -np.degrees(turn["toe_in"]), np.degrees(turn["camber"])
inner, outer = left[left > 0.5], -left[::-1][left > 0.5]
ackermann = np.degrees(np.arctan(1 / (1 / np.tan(np.radians(inner)) + 1.5 / 2.6)))
figure, (first, second) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
first.plot(left, camber)
first.set(xlabel="left wheel steered to the left [deg]", ylabel="camber [deg]")
second.plot(inner, np.column_stack([outer, ackermann, inner]), label=["this steering", "Ackermann", "parallel"])
second.set(xlabel="inner wheel [deg]", ylabel="outer wheel [deg]")
second.legend(frameon=False)
plt.show()
