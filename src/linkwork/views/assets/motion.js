// motion: data of the run, and where everything is at a given time

const unpack = (text, Kind) => {
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return new Kind(bytes.buffer);
};

const scene = JSON.parse(document.getElementById("scene").textContent);
const planar = scene.space === "planar";
const dim = planar ? 2 : 3;
const width = planar ? 3 : 7; // numbers per pose
const time = unpack(scene.time, Float64Array);
const start = time[0], end = time[time.length - 1];

for (const body of scene.bodies) body.poses = unpack(body.poses, Float32Array);
for (const joint of scene.joints) joint.force = joint.force && unpack(joint.force, Float32Array);
for (const quantity of scene.quantities) {
  const deviations = unpack(quantity.values, Float32Array);
  quantity.values = Float64Array.from(deviations, (value) => quantity.offset + value);
}

// frame before time t, and how far it is towards the next one (0 to 1)
function locate(t) {
  let low = 0, high = time.length - 1;
  if (t <= start || high === 0) return [0, 0];
  if (t >= end) return [high, 0];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (time[middle] <= t) low = middle; else high = middle;
  }
  return [low, (t - time[low]) / (time[high] - time[low])];
}

const blend = (values, stride, offset, [frame, part]) => {
  const a = values[frame * stride + offset];
  return part ? a + part * (values[(frame + 1) * stride + offset] - a) : a;
};

// pose of a body: origin [x, y, z] and rotation matrix by rows; null is the ground
function poseOf(body, at) {
  const p = (i) => blend(body.poses, width, i, at);
  if (planar) {
    const c = Math.cos(p(2)), s = Math.sin(p(2));
    return { origin: [p(0), p(1), 0], turn: [c, -s, 0, s, c, 0, 0, 0, 1] };
  }
  let w = p(3), x = p(4), y = p(5), z = p(6);
  const size = Math.hypot(w, x, y, z);
  w /= size; x /= size; y /= size; z /= size;
  return {
    origin: [p(0), p(1), p(2)],
    turn: [
      1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
      2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
      2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
    ],
  };
}

const rotate = (pose, v) => {
  const [x, y, z = 0] = v;
  if (!pose) return [x, y, z];
  const r = pose.turn;
  return [r[0] * x + r[1] * y + r[2] * z, r[3] * x + r[4] * y + r[5] * z, r[6] * x + r[7] * y + r[8] * z];
};
const rotateBack = (pose, [x, y, z]) => {
  if (!pose) return [x, y, z];
  const r = pose.turn;
  return [r[0] * x + r[3] * y + r[6] * z, r[1] * x + r[4] * y + r[7] * z, r[2] * x + r[5] * y + r[8] * z];
};
const place = (pose, point) => (pose ? add(pose.origin, rotate(pose, point)) : rotate(null, point));
const posesAt = (t) => {
  const at = locate(t);
  return scene.bodies.map((body) => poseOf(body, at));
};

const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scaled = (a, k) => [a[0] * k, a[1] * k, a[2] * k];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => { const n = Math.hypot(...a); return n > 0 ? scaled(a, 1 / n) : [0, 0, 1]; };
const in3 = ([x, y, z = 0]) => [x, y, z];

const corner = scene.bounds.map(in3);
const centre = scaled(add(corner[0], corner[1]), 0.5);
const size = Math.max(Math.hypot(...sub(corner[1], corner[0])), 1e-9);

// path of a point over the whole run, computed once: [x, y, z] per frame
const pathOf = (track) => {
  if (!track.path) {
    const body = scene.bodies[track.body];
    track.path = Array.from(time, (_, frame) => place(poseOf(body, [frame, 0]), track.point));
  }
  return track.path;
};

// force scale: the length of one newton on the stage, from the 95th percentile of all reactions
const forceOf = (joint, at) => in3(Array.from({ length: dim }, (_, i) => blend(joint.force, dim, i, at)));
const typicalForce = (() => {
  const sizes = [];
  for (const joint of scene.joints) {
    for (let frame = 0; joint.force && frame < time.length; frame++) sizes.push(Math.hypot(...forceOf(joint, [frame, 0])));
  }
  const finite = sizes.filter(Number.isFinite).sort((a, b) => a - b);
  return finite.length ? finite[Math.floor(0.95 * (finite.length - 1))] : 0;
})();
const metresPerNewton = typicalForce > 0 ? (0.2 * size) / typicalForce : 0;

// how far each sliding joint travels along its axis, seen from its parent: [from, to, point, axis]
function travelOf(joint) {
  if (joint.travel !== undefined) return joint.travel;
  joint.travel = null;
  if (!joint.axis) return null;
  const on = (list, number, frame) => (number < 0 ? null : poseOf(list[number], [frame, 0]));
  let from = 0, to = 0, base = null, axis = null;
  for (let frame = 0; frame < time.length; frame++) {
    const child = on(scene.bodies, joint.body, frame), parent = on(scene.bodies, joint.parent, frame);
    const point = rotateBack(parent, sub(place(child, joint.point), parent ? parent.origin : [0, 0, 0]));
    if (!base) { base = point; axis = unit(rotateBack(parent, rotate(on(scene.bodies, joint.carrier, frame), joint.axis))); }
    const along = dot(sub(point, base), axis);
    if (along < from) from = along;
    if (along > to) to = along;
  }
  joint.travel = { from, to, base, axis };
  return joint.travel;
}
