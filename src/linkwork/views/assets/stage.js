// stage: one picture of the mechanism at one time

const traced = new Set(scene.traced);
const isPlate = (body) => body.segments.length > 2 && body.segments.length === new Set(body.segments.flat()).size;

function drawStage(t) {
  poses = posesAt(t);
  camera.aim(locate(t));
  pen.clearRect(0, 0, camera.w, camera.h);
  if (shown.grid) { if (planar) drawGridPlanar(); else drawFloor(); }
  if (stills && scene.used !== null && locate(t)[0] !== scene.used) drawGhost(t);
  if (planar) drawPlanar(t); else drawSpatial(t);
  for (const index of traced) {
    const { body, point } = scene.tracks[index];
    disc(screen(place(poses[body], point)), Math.min(4, Math.max(0.3 * linkWidth(camera.scale), 2)), toneOf(index + 1), ink.stage, 1.5);
  }
  drawLoads(t);
  if (shown.masses) for (const [i, body] of scene.bodies.entries()) if (body.com) massCentre(screen(place(poses[i], body.com)), 6);
  if (shown.names) drawNames();
  drawScales();
}

// the position in use, pale behind the others
function drawGhost(t) {
  poses = posesAt(time[scene.used]);
  pen.globalAlpha = 0.16;
  if (planar) drawPlanar(t); else drawSpatial(t);
  pen.globalAlpha = 1;
  poses = posesAt(t);
}

function drawPlanar(t) {
  const w = linkWidth(camera.scale), r = Math.max(w * 0.27, 1.2), symbols = shown.symbols ? scene.joints : [];
  for (const joint of symbols) if (slides(joint)) drawGuide(joint, w);
  for (const joint of symbols) {
    if (!slides(joint) && !slotted(joint) && joint.kind !== "free" && (joint.parent < 0 || joint.body < 0)) support(screen(spot(joint)), r);
  }
  drawGroundLines(w);
  drawPlanes(w);
  drawTraces(t);
  scene.wheels.forEach(drawWheel);
  scene.belts.forEach(drawBelt);
  scene.springs.filter((item) => item.kind !== "strut").forEach(drawSpring);
  scene.bodies.forEach((body, i) => drawBody(body, i, w));
  for (const joint of symbols) if (slotted(joint)) drawSlot(joint, w);
  scene.springs.filter((item) => item.kind === "strut").forEach(drawSpring);
  scene.strings.forEach(drawString);
  for (const joint of symbols) drawJointPlanar(joint, w, r);
  if (shown.symbols) scene.stops.forEach((stop) => drawStop(stop, w));
}

// what is solid below a plane, as far as it is seen; its hatching stands in the world
function drawPlanes(w) {
  const depth = Math.max(0.36 * w, 6), step = (0.95 * depth) / camera.scale, reach = (camera.w + camera.h) / camera.scale;
  const middle = in3(camera.unproject(camera.w / 2, camera.h / 2));
  for (const plane of scene.planes) {
    const pose = poseBy(plane.body), p = place(pose, plane.point), n = rotate(pose, plane.normal), along = [n[1], -n[0], 0];
    const from = Math.floor((dot(sub(middle, p), along) - reach) / step) * step, to = from + Math.ceil((2 * reach) / step) * step;
    hatch(...[from, to].map((s) => screen(add(p, scaled(along, s)))), depth);
  }
}

// a stop, hatched where nothing can go; in the colour of contact while it is pressed
function drawStop(stop, w) {
  const pose = poseBy(stop.body), p = screen(place(pose, stop.point)), d = rotate(pose, stop.direction), [x, y] = [d[0], -d[1]];
  const before = ink.steel, upper = stop.condition.endsWith("upper");
  if (scene.holding.some((row) => row.condition === stop.condition && row.holds)) ink.steel = ink.contact;
  if (stop.turns) {
    // beside the link that lies on it
    const aside = upper ? [y, -x] : [-y, x], at = (s) => [p[0] + s * w * x + 0.58 * w * aside[0], p[1] + s * w * y + 0.58 * w * aside[1]];
    hatch(...(upper ? [at(2.6), at(1.1)] : [at(1.1), at(2.6)]), 0.3 * w);
  } else {
    const at = (s) => [p[0] + 1.1 * w * x + s * w * y, p[1] + 1.1 * w * y - s * w * x];
    hatch(at(-0.8), at(0.8), 0.3 * w);
  }
  ink.steel = before;
}

// tracks and wires of the ground, hatched where they are lines
function drawGroundLines(w) {
  for (const outline of scene.outlines) {
    const path = outline.map(screen);
    if (path.length === 2) hatch(...(path[0][0] <= path[1][0] ? path : [path[1], path[0]]), Math.max(0.36 * w, 5));
    else line(path, ink.steel, 2);
  }
}

const slides = (joint) => ["prismatic", "cylindrical", "helical"].includes(joint.kind);
const pucks = { planar: [0.2, 2.6], parallel: [0.12, 1.8], point_on_plane: [0.1, 2.6] };
const slotted = (joint) => joint.kind === "point_on_line";

function drawBody(body, index, thickness) {
  const points = body.points.map((p) => screen(place(poses[index], p))), colour = colourOf(index);
  for (const [a, b] of body.stays) link([points[a], points[b]], colour, thickness * 0.45, false);
  if (isPlate(body)) link(ringOf(body).map((i) => points[i]), colour, thickness, true);
  else for (const [a, b] of body.segments) link([points[a], points[b]], colour, thickness, false);
  if (!body.segments.length && points.length && !wheeled(index)) disc(points[0], thickness * 0.75, mix(colour, ink.stage, 0.42), mix(colour, ink.ink, 0.18));
  for (const outline of body.outlines) {
    const path = outline.map((p) => screen(place(poses[index], p)));
    line(path, outlineOf(colour), 1.3);
    // areas such as cams and boxes
    if (Math.hypot(...sub(in3(outline[0]), in3(outline[outline.length - 1]))) > 1e-6 * size || path.length < 4) continue;
    pen.globalAlpha *= 0.3;
    pen.fillStyle = mix(colour, ink.stage, 0.5); pen.fill();
    pen.globalAlpha /= 0.3;
  }
}

// whether a wheel shows where a body is
const wheeled = (index) => scene.wheels.some((wheel) => wheel.body === index);

// thin lines along the edges of shapes and meshes
const outlineOf = (colour) => mix(colour, ink.ink, 0.25);

// corners of a plate in order along its edges
function ringOf(body) {
  if (!body.ring) {
    const next = new Map();
    for (const [a, b] of body.segments) { next.set(a, [...(next.get(a) || []), b]); next.set(b, [...(next.get(b) || []), a]); }
    const ring = [body.segments[0][0]];
    for (let last = -1, here = ring[0]; ;) {
      const step = (next.get(here) || []).find((i) => i !== last && (i !== ring[0] || ring.length > 2));
      if (step === undefined || step === ring[0]) break;
      ring.push(step); last = here; here = step;
      if (ring.length > body.segments.length) break;
    }
    body.ring = ring;
  }
  return body.ring;
}

// a slot in its parent, as long as the pin needs it
function drawSlot(joint, w) {
  const travel = travelOf(joint), parent = poseBy(joint.parent);
  if (!travel) return;
  const ends = [travel.from, travel.to].map((s) => screen(place(parent, add(travel.base, scaled(travel.axis, s)))));
  pen.lineCap = "round";
  line(ends, joint.parent < 0 ? ink.steel : mix(colourOf(joint.parent), ink.ink, 0.25), w * 1.25);
  line(ends, ink.stage, w * 0.85);
}

function drawGuide(joint, w) {
  const travel = travelOf(joint);
  if (!travel) return;
  const pad = (1.4 * w) / camera.scale, parent = poseBy(joint.parent);
  const ends = [travel.from - pad, travel.to + pad].map((s) => screen(place(parent, add(travel.base, scaled(travel.axis, s)))));
  if (joint.parent >= 0) { pen.lineCap = "round"; line(ends, mix(colourOf(joint.parent), ink.ink, 0.18), w * 0.3); return; }
  // the hatched wall lies below the slider, or left of it where it runs upright
  const [a, b] = ends[0][0] <= ends[1][0] ? ends : [ends[1], ends[0]];
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
  const n = [(-(b[1] - a[1]) / length) * w * 0.72, ((b[0] - a[0]) / length) * w * 0.72];
  hatch([a[0] + n[0], a[1] + n[1]], [b[0] + n[0], b[1] + n[1]], w * 0.36);
}

function drawJointPlanar(joint, w, r) {
  const pose = poseBy(joint.body), point = place(pose, joint.point), p = screen(point);
  if (slides(joint)) {
    const q = screen(add(point, scaled(rotate(poseBy(joint.carrier), joint.axis || [1, 0, 0]), size * 0.01)));
    const colour = joint.body < 0 ? "#8a94a3" : colourOf(joint.body), u = [q[0] - p[0], q[1] - p[1]], n = Math.hypot(...u) || 1;
    if (joint.parent < 0 || joint.body < 0) block(p, u, w * 2.1, w * 1.35, mix(colour, ink.stage, 0.42));
    // on a rod of another body: a sleeve
    else roundBar([p[0] - (1.3 * w * u[0]) / n, p[1] - (1.3 * w * u[1]) / n], [p[0] + (1.3 * w * u[0]) / n, p[1] + (1.3 * w * u[1]) / n], 1.3 * w, mix(colour, ink.stage, 0.25), 0.12 * w);
    disc(p, r * 0.45, ink.ink);
  } else if (joint.kind === "fixed") {
    block(p, [1, 0], r * 2.2, r * 2.2, ink.stage);
  } else if (joint.kind !== "free") {
    pin(p, r);
  }
}

// the path of a traced point: pale as a whole, strong up to now
function drawTraces(t) {
  pen.lineJoin = pen.lineCap = "round";
  for (const index of traced) {
    const track = scene.tracks[index], colour = toneOf(index + 1), path = pathOf(track), points = path.map(({ p }) => screen(p));
    line(points, mix(colourOf(index + 1), ink.stage, 0.7), 1.5);
    let [low, high] = [0, path.length];
    while (low < high) { const m = (low + high) >> 1; if (path[m].t <= t) low = m + 1; else high = m; }
    line([...points.slice(0, low), screen(spot(track))], colour, 2);
  }
}

function drawNames() {
  const taken = [];
  const put = (text, p, colour, weight) => {
    const at = [p[0] + 12, p[1] - 13];
    while (taken.some((q) => Math.abs(q[0] - at[0]) < 60 && Math.abs(q[1] - at[1]) < 14)) at[1] += 15;
    taken.push(at);
    label(text, at, colour, weight);
  };
  for (const joint of scene.joints) put(joint.name, screen(place(poseBy(joint.body), joint.point)), ink.ink, 600);
  scene.bodies.forEach((body, i) => {
    const points = body.points.length ? body.points : body.com ? [body.com] : [[0, 0, 0]];
    const middle = scaled(points.map(in3).reduce(add), 1 / points.length);
    put(body.name, screen(place(poses[i], middle)), mix(colourOf(i), ink.ink, 0.3));
  });
  for (const track of scene.tracks) if (track.free) put(track.name, screen(place(poses[track.body], track.point)), ink.ink);
  for (const item of scene.springs) {
    const [a, b] = item.ends.map((end) => screen(place(poseBy(end.body), end.point)));
    put(item.name, [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2], ink.muted);
  }
  for (const item of scene.strings) {
    const [a, b] = [item.stops[0], item.stops[item.stops.length - 1]].map((stop) => screen(spot(stop)));
    put(item.name, [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2], ink.muted);
  }
}

function drawGridPlanar() {
  const step = roundDown(110 / camera.scale), low = camera.unproject(0, camera.h), high = camera.unproject(camera.w, 0);
  pen.lineCap = "butt";
  for (let i = Math.ceil(low[0] / step); i * step <= high[0]; i++) {
    const x = screen([i * step, 0, 0])[0];
    line([[x, 0], [x, camera.h]], ink.grid, i === 0 ? 2 : 1);
  }
  for (let i = Math.ceil(low[1] / step); i * step <= high[1]; i++) {
    const y = screen([0, i * step, 0])[1];
    line([[0, y], [camera.w, y]], ink.grid, i === 0 ? 2 : 1);
  }
}

// bottom left: axes and a length scale, and a force scale while arrows are shown
function drawScales() {
  const y = camera.h - 20;
  let x = 20;
  if (!planar) { drawTriad([44, camera.h - 46]); x = 96; }
  const metres = roundDown(130 / camera.scale);
  x = drawScale(x, y, metres * camera.scale, `${shortNumber(metres)} m`, ink.muted);
  drawLoadScales(x, y);
}

function drawScale(x, y, length, text, colour) {
  pen.lineCap = "butt";
  line([[x, y - 4], [x, y], [x + length, y], [x + length, y - 4]], colour, 1.5);
  label(text, [x + 5, y - 11], colour);
  return x + length + 28;
}

function drawTriad(at) {
  const axes = [["x", [1, 0, 0], "#d0453b"], ["y", [0, 1, 0], "#3a9a4b"], ["z", [0, 0, 1], "#3b6fd0"]];
  axes.sort((a, b) => dot(a[1], camera.toEye) - dot(b[1], camera.toEye));
  for (const [name, axis, colour] of axes) {
    const tip = [at[0] + dot(axis, camera.right) * 28, at[1] - dot(axis, camera.up) * 28];
    pen.lineCap = "round";
    line([at, tip], colour, 2);
    label(name, [tip[0] + (tip[0] - at[0]) * 0.22 - 4, tip[1] + (tip[1] - at[1]) * 0.22], colour, 600);
  }
}
