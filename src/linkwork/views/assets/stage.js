// stage: one picture of the mechanism at one time

const shown = { names: false, forces: false, masses: false, grid: true };
const traced = new Set(scene.traced);
let poses = [];
const poseBy = (number) => (number < 0 ? null : poses[number]);
const screen = (p) => camera.project(p);
const isPlate = (body) => body.segments.length > 2 && body.segments.length === new Set(body.segments.flat()).size;

// thickness of a link in pixels at a scale of k pixels per metre
const linkWidth = (k) => Math.min(Math.max(0.032 * size * k, 8), planar ? 30 : 22);

function drawStage(t) {
  poses = posesAt(t);
  pen.clearRect(0, 0, camera.w, camera.h);
  if (planar) drawPlanar(t); else drawSpatial(t);
  for (const index of traced) {
    const { body, point } = scene.tracks[index];
    disc(screen(place(poses[body], point)), 4, toneOf(index + 1), ink.stage, 1.5);
  }
  if (shown.forces) drawForces(t);
  if (shown.masses) for (const [i, body] of scene.bodies.entries()) if (body.com) massCentre(screen(place(poses[i], body.com)), 6);
  if (shown.names) drawNames();
  drawScales();
}

function drawPlanar(t) {
  if (shown.grid) drawGridPlanar();
  const w = linkWidth(camera.scale), r = Math.max(w * 0.27, 3);
  for (const joint of scene.joints) if (slides(joint)) drawGuide(joint, w);
  for (const joint of scene.joints) {
    if (!slides(joint) && !slotted(joint) && (joint.parent < 0 || joint.body < 0)) support(screen(place(poseBy(joint.body), joint.point)), r);
  }
  for (const outline of scene.outlines) line(outline.map(screen), ink.steel, 2);
  drawTraces(t);
  scene.springs.forEach(drawSpring);
  scene.bodies.forEach((body, i) => drawBody(body, i, w));
  for (const joint of scene.joints) if (slotted(joint)) drawSlot(joint, w);
  scene.strings.forEach(drawString);
  for (const joint of scene.joints) drawJointPlanar(joint, w, r);
}

const slides = (joint) => ["prismatic", "cylindrical", "helical"].includes(joint.kind);
const pucks = { planar: [0.2, 2.6], parallel: [0.12, 1.8], point_on_plane: [0.1, 2.6] };
const slotted = (joint) => joint.kind === "point_on_line";

function drawBody(body, index, thickness) {
  const points = body.points.map((p) => screen(place(poses[index], p))), colour = colourOf(index);
  for (const [a, b] of body.stays) link([points[a], points[b]], colour, thickness * 0.45, false);
  if (isPlate(body)) link(ringOf(body).map((i) => points[i]), colour, thickness, true);
  else for (const [a, b] of body.segments) link([points[a], points[b]], colour, thickness, false);
  if (!body.segments.length && points.length) disc(points[0], thickness * 0.75, mix(colour, ink.stage, 0.42), mix(colour, ink.ink, 0.18));
  for (const outline of body.outlines) line(outline.map((p) => screen(place(poses[index], p))), outlineOf(colour), 1.3);
}

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
    const q = screen(add(point, scaled(rotate(pose, joint.axis || [1, 0, 0]), size * 0.01)));
    block(p, [q[0] - p[0], q[1] - p[1]], w * 2.1, w * 1.35, mix(joint.body < 0 ? "#8a94a3" : colourOf(joint.body), ink.stage, 0.42));
    disc(p, r * 0.45, ink.ink);
  } else if (joint.kind === "fixed") {
    block(p, [1, 0], r * 2.2, r * 2.2, ink.stage);
  } else if (joint.kind !== "free") {
    pin(p, r);
  }
}

function drawSpring(item) {
  const [a, b] = item.ends.map((end) => screen(place(poseBy(end.body), end.point)));
  const amplitude = Math.min(Math.max(0.024 * size * a[3], 5), 14);
  item.ends.forEach((end, i) => {
    if (end.body < 0 && planar) { const p = i ? b : a; hatch([p[0] - 11, p[1] + 1], [p[0] + 11, p[1] + 1], 6); }
  });
  spring(a, b, amplitude);
}

// a rod or a cable
const stopsOf = (item) => item.stops.map((stop) => place(poseBy(stop.body), stop.point));
function drawString(item) {
  const path = stopsOf(item).map(screen);
  pen.lineCap = pen.lineJoin = "round";
  line(path, ink.stage, 4.5);
  line(path, mix(ink.steel, ink.ink, 0.45), 2.2);
  for (const p of path) disc(p, 2.6, mix(ink.steel, ink.ink, 0.45));
}

// the path of a traced point: pale as a whole, strong up to now
function drawTraces(t) {
  const [frame] = locate(t);
  pen.lineJoin = pen.lineCap = "round";
  for (const index of traced) {
    const track = scene.tracks[index], colour = toneOf(index + 1), path = pathOf(track).map(screen);
    line(path, mix(colourOf(index + 1), ink.stage, 0.7), 1.5);
    const now = screen(place(poses[track.body], track.point));
    line([...path.slice(0, frame + 1), now], colour, 2);
  }
}

function drawForces(t) {
  const at = locate(t);
  for (const joint of scene.joints) {
    if (!joint.force) continue;
    const point = place(poseBy(joint.body), joint.point);
    const tip = add(point, scaled(forceOf(joint, at), metresPerNewton));
    arrow(screen(point), screen(tip), ink.force, joint.loose);
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
    const [a, b] = stopsOf(item).map(screen);
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
  if (shown.forces && metresPerNewton) {
    const newtons = roundDown(130 / (camera.scale * metresPerNewton));
    arrow([x, y], [x + newtons * metresPerNewton * camera.scale, y], ink.force);
    label(`${shortNumber(newtons)} N`, [x, y - 11], ink.force);
  }
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

// -- space: a floor with shadows, and everything else sorted from far to near

const lowest = Math.min(...[0, 1, 2, 3, 4, 5, 6, 7].map((i) => dot(upward, [corner[i & 1][0], corner[(i >> 1) & 1][1], corner[i >> 2][2]])));
const floor = lowest - 0.06 * size;
const dropped = (p) => add(p, scaled(upward, floor - dot(upward, p)));

function drawSpatial(t) {
  if (shown.grid) drawFloor();
  drawTraces(t);
  const items = [];
  // what sits on a link is painted after it: its depth is that of the link where the link is nearer
  const middles = scene.bodies.map((body, i) => screen(place(poses[i], scaled(body.points.map(in3).reduce(add, [0, 0, 0]), 1 / (body.points.length || 1))))[2]);
  const at = (p, paint, nearer = 0, on = []) => {
    const depth = Math.min(screen(p)[2], ...on.filter((i) => i >= 0).map((i) => middles[i]));
    items.push({ depth: depth - nearer * size, paint });
  };
  scene.bodies.forEach((body, i) => bodyItems(body, i, at));
  for (const item of scene.springs) at(scaled(add(...item.ends.map((end) => place(poseBy(end.body), end.point))), 0.5), () => drawSpring(item));
  for (const item of scene.strings) at(scaled(stopsOf(item).reduce(add), 1 / item.stops.length), () => drawString(item));
  for (const outline of scene.outlines) at(scaled(outline.map(in3).reduce(add), 1 / outline.length), () => line(outline.map(screen), ink.steel, 2));
  for (const joint of scene.joints) jointItems(joint, at);
  items.sort((a, b) => b.depth - a.depth).forEach((item) => item.paint());
}

function drawFloor() {
  const step = roundDown(size / 4), reach = 5, middle = dropped(centre);
  const side = camera.side, ahead = camera.ahead;
  const snapped = sub(middle, add(scaled(side, dot(middle, side) % step), scaled(ahead, dot(middle, ahead) % step)));
  const at = (i, j) => screen(add(snapped, add(scaled(side, i * step), scaled(ahead, j * step))));
  pen.lineCap = "butt";
  for (let i = -reach; i <= reach; i++) {
    line([at(i, -reach), at(i, reach)], ink.grid, 1.2);
    line([at(-reach, i), at(reach, i)], ink.grid, 1.2);
  }
  pen.lineCap = pen.lineJoin = "round";
  scene.bodies.forEach((body, index) => {
    const points = body.points.map((p) => screen(dropped(place(poses[index], p))));
    for (const [a, b] of body.segments) line([points[a], points[b]], ink.shadow, linkWidth(points[a][3]) * 0.8);
  });
}

function bodyItems(body, index, at) {
  const points = body.points.map((p) => place(poses[index], p)), colour = colourOf(index);
  const flat = points.map(screen);
  for (const outline of body.outlines) {
    const path = outline.map((p) => place(poses[index], p));
    at(scaled(path.reduce(add), 1 / path.length), () => line(path.map(screen), outlineOf(colour), 1.3));
  }
  if (isPlate(body)) {
    at(scaled(points.reduce(add), 1 / points.length), () => link(ringOf(body).map((i) => flat[i]), colour, linkWidth(flat[0][3]) * 0.8, true));
    return;
  }
  for (const [a, b] of body.stays) {
    at(scaled(add(points[a], points[b]), 0.5), () => link([flat[a], flat[b]], colour, linkWidth(flat[a][3]) * 0.45, false));
  }
  for (const [a, b] of body.segments) {
    at(scaled(add(points[a], points[b]), 0.5), () => link([flat[a], flat[b]], colour, linkWidth((flat[a][3] + flat[b][3]) / 2), false));
  }
  // a ball at an end that carries no joint
  const jointed = scene.joints.flatMap((j) => (j.body === index || j.parent === index ? [screen(place(poseBy(j.body), j.point))] : []));
  flat.forEach((p, i) => {
    if (!jointed.some((q) => Math.hypot(q[0] - p[0], q[1] - p[1]) < 2)) at(points[i], () => ball(p, linkWidth(p[3]) * 0.8, colour), 0.02, [index]);
  });
}

function ball(p, radius, colour) {
  const glow = pen.createRadialGradient(p[0] - radius * 0.35, p[1] - radius * 0.35, radius * 0.1, p[0], p[1], radius);
  glow.addColorStop(0, mix(colour, "#ffffff", 0.65));
  glow.addColorStop(1, mix(colour, "#000000", 0.15));
  disc(p, radius, glow, mix(colour, ink.ink, 0.35), 1.2);
}

function jointItems(joint, at) {
  const pose = poseBy(joint.body), point = place(pose, joint.point), p = screen(point), w = linkWidth(p[3]);
  const grounded = joint.parent < 0 || joint.body < 0;
  if (grounded) at(point, () => pedestal(point, p), -0.05);
  if (slides(joint) || slotted(joint)) guideItem(joint, w, at);
  if (joint.kind === "free") return;
  at(point, () => {
    const centred = ["spherical", "universal", "constant_velocity", "point_on_line"].includes(joint.kind) || !joint.axis;
    if (!centred) {
      // a sleeve on a guide, a puck on a plane, or a pin: half its length and its diameter in widths of a link
      const [long, wide] = slides(joint) ? [1.5, 1.25] : pucks[joint.kind] || [0.95, 1.05];
      const axis = unit(rotate(poseBy(joint.carrier), joint.axis)), half = (w * long) / p[3];
      const [a, b] = [-half, half].map((s) => screen(add(point, scaled(axis, s))));
      barrel(a, b, w * wide);
      if (joint.kind !== "point_on_plane") return;
    }
    ball(p, w * 0.62, "#8a94a3");
    if (joint.kind === "universal") crossPin(p, w * 0.4);
    if (joint.kind === "constant_velocity") ring(p, w * 0.4);
  }, 0.03, [joint.body, joint.parent]);
}

// a short cylinder seen from the side, with its nearer end face
function barrel(a, b, thickness) {
  pen.lineCap = "butt";
  const [far, near] = a[2] > b[2] ? [a, b] : [b, a];
  const length = Math.hypot(near[0] - far[0], near[1] - far[1]), angle = Math.atan2(near[1] - far[1], near[0] - far[0]);
  const open = Math.min(Math.abs(near[2] - far[2]) * near[3] / (Math.hypot(length, (near[2] - far[2]) * near[3]) || 1), 1);
  const r = thickness / 2, face = (p, fill) => {
    pen.beginPath(); pen.ellipse(p[0], p[1], Math.max(r * open, 0.5), r, angle, 0, 2 * Math.PI);
    pen.fillStyle = fill; pen.fill(); pen.strokeStyle = ink.ink; pen.lineWidth = 1.4; pen.stroke();
  };
  face(far, mix(ink.steel, ink.ink, 0.1));
  const n = [-Math.sin(angle) * r, Math.cos(angle) * r];
  pen.beginPath();
  pen.moveTo(far[0] + n[0], far[1] + n[1]); pen.lineTo(near[0] + n[0], near[1] + n[1]);
  pen.lineTo(near[0] - n[0], near[1] - n[1]); pen.lineTo(far[0] - n[0], far[1] - n[1]); pen.closePath();
  pen.fillStyle = mix(ink.steel, ink.stage, 0.25); pen.fill();
  line([[far[0] + n[0], far[1] + n[1]], [near[0] + n[0], near[1] + n[1]]], ink.ink, 1.4);
  line([[far[0] - n[0], far[1] - n[1]], [near[0] - n[0], near[1] - n[1]]], ink.ink, 1.4);
  face(near, mix(ink.steel, ink.stage, 0.55));
}

function ring(p, r) {
  pen.beginPath(); pen.arc(p[0], p[1], r, 0, 2 * Math.PI);
  pen.strokeStyle = ink.ink; pen.lineWidth = 1.4; pen.stroke();
}

function crossPin(p, r) {
  line([[p[0] - r, p[1]], [p[0] + r, p[1]]], ink.ink, 1.4);
  line([[p[0], p[1] - r], [p[0], p[1] + r]], ink.ink, 1.4);
}

// a stand from a ground joint down to the floor, or a bracket above it where the mechanism hangs below
function pedestal(point, p) {
  const hangs = dot(sub(point, centre), upward) > 0, w = linkWidth(p[3]);
  const foot = screen(hangs ? add(point, scaled(upward, 0.09 * size)) : dropped(point));
  pen.lineCap = "round";
  line([foot, p], mix(ink.steel, ink.stage, 0.45), Math.max(w * 0.28, 2));
  pen.beginPath();
  pen.ellipse(foot[0], foot[1], w * 0.9, w * 0.9 * Math.abs(Math.sin(camera.elevation)) + 1, 0, 0, 2 * Math.PI);
  pen.fillStyle = mix(ink.steel, ink.stage, 0.45); pen.fill();
  pen.strokeStyle = ink.steel; pen.lineWidth = 1.2; pen.stroke();
}

function guideItem(joint, w, at) {
  const travel = travelOf(joint), parent = poseBy(joint.parent);
  if (!travel) return;
  const pad = 0.05 * size, ends = [travel.from - pad, travel.to + pad].map((s) => place(parent, add(travel.base, scaled(travel.axis, s))));
  at(scaled(add(...ends), 0.5), () => {
    pen.lineCap = "round";
    line(ends.map(screen), ink.steel, w * 0.32);
    if (joint.kind === "helical") thread(...ends.map(screen), w * 0.5);
  }, -0.02);
}
