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
const stills = scene.stills || null; // positions that have nothing to do with each other

for (const body of scene.bodies) { body.poses = unpack(body.poses, Float32Array); body.rates = unpack(body.rates, Float32Array); }
for (const load of scene.loads) for (const key of ["path", "force", "moment"]) load[key] = load[key] && unpack(load[key], Float32Array);
for (const quantity of scene.quantities) {
  const deviations = unpack(quantity.values, Float32Array);
  quantity.values = Float64Array.from(deviations, (value) => quantity.offset + value);
}

// frame before time t, how far it is towards the next one (0 to 1), and the time between them
function locate(t) {
  let low = 0, high = time.length - 1;
  if (t <= start || high === 0) return [0, 0, 0];
  if (t >= end) return [high, 0, 0];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (time[middle] <= t) low = middle; else high = middle;
  }
  return stills ? [low, 0, 0] : [low, (t - time[low]) / (time[high] - time[low]), time[high] - time[low]];
}

const blend = (values, stride, offset, [frame, part]) => {
  const a = values[frame * stride + offset];
  return part ? a + part * (values[(frame + 1) * stride + offset] - a) : a;
};

// numbers of a pose between two frames, from their values x and rates v at both (Hermite):
// x(s) = x0 + h v0 s + (3 d − 2 h v0 − h v1) s² + (h v0 + h v1 − 2 d) s³,  d = x1 − x0
function fitted({ poses, rates }, offset, [frame, part, h]) {
  const i = frame * width + offset, x = poses[i];
  if (!part) return x;
  const d = poses[i + width] - x, a = h * rates[i], b = h * rates[i + width];
  return x + part * (a + part * (3 * d - 2 * a - b + part * (a + b - 2 * d)));
}

// pose of a body: origin [x, y, z] and rotation matrix by rows; the numbers place its centre
function poseOf(body, at) {
  const p = (i) => fitted(body, i, at);
  const pose = planar ? turned([p(0), p(1), 0], Math.cos(p(2) / 2), 0, 0, Math.sin(p(2) / 2)) : turned([p(0), p(1), p(2)], p(3), p(4), p(5), p(6));
  pose.origin = sub(pose.origin, rotate(pose, body.centre));
  return pose;
}

function turned(origin, w, x, y, z) {
  const n = Math.hypot(w, x, y, z);
  w /= n; x /= n; y /= n; z /= n;
  return {
    origin,
    turn: [
      1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
      2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
      2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
    ],
  };
}

// null is the pose of the ground
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
// where a point of a body is: number and place in its axes
const pointAt = ({ body, point }, at) => place(body < 0 ? null : poseOf(scene.bodies[body], at), point);

const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scaled = (a, k) => [a[0] * k, a[1] * k, a[2] * k];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => { const n = Math.hypot(...a); return n > 0 ? scaled(a, 1 / n) : [0, 0, 1]; };
const in3 = ([x, y, z = 0]) => [x, y, z];
const middle = (points) => scaled(points.map(in3).reduce(add, [0, 0, 0]), 1 / (points.length || 1));

const boxOf = (low, high) => ({ low, high, centre: scaled(add(low, high), 0.5), size: Math.max(Math.hypot(...sub(high, low)), 1e-9) });
const whole = boxOf(...scene.bounds.map(in3));
const size = scene.size; // of the mechanism itself, however far it goes

// frames that tell enough of a motion as a whole, at most so many
const someFrames = (most) => {
  const count = Math.min(time.length, most);
  return Array.from({ length: count }, (_, i) => [Math.round((i * (time.length - 1)) / Math.max(count - 1, 1)), 0, 0]);
};

// path of a point over the whole run, computed once: {t, p}, so fine that its corners are not seen
function pathOf(track) {
  if (track.path) return track.path;
  const path = [], smallest = 0.0004 * size;
  const between = (frame, a, b, depth) => {
    const part = (a.part + b.part) / 2, h = time[frame + 1] - time[frame], m = { part, p: pointAt(track, [frame, part, h]) };
    const off = sub(m.p, scaled(add(a.p, b.p), 0.5)), bent = Math.hypot(...off);
    if (depth > 1 && !(bent > smallest)) return;
    if (depth < 6) between(frame, a, m, depth + 1);
    path.push({ t: time[frame] + part * h, p: m.p });
    if (depth < 6) between(frame, m, b, depth + 1);
  };
  for (let frame = 0; frame < time.length; frame++) {
    const p = pointAt(track, [frame, 0, 0]);
    path.push({ t: time[frame], p });
    if (frame + 1 < time.length && !stills) between(frame, { part: 0, p }, { part: 1, p: pointAt(track, [frame + 1, 0, 0]) }, 0);
  }
  track.path = path;
  return path;
}

// how far each sliding joint travels along its axis, seen from its parent: {from, to, base, axis}
function travelOf(joint) {
  if (joint.travel !== undefined) return joint.travel;
  joint.travel = null;
  if (!joint.axis) return null;
  const on = (number, at) => (number < 0 ? null : poseOf(scene.bodies[number], at));
  let from = 0, to = 0, base = null, axis = null;
  for (const at of someFrames(600)) {
    const child = on(joint.body, at), parent = on(joint.parent, at);
    const point = rotateBack(parent, sub(place(child, joint.point), parent ? parent.origin : [0, 0, 0]));
    if (!base) { base = point; axis = unit(rotateBack(parent, rotate(on(joint.carrier, at), joint.axis))); }
    const along = dot(sub(point, base), axis);
    if (along < from) from = along;
    if (along > to) to = along;
  }
  joint.travel = { from, to, base, axis };
  return joint.travel;
}
