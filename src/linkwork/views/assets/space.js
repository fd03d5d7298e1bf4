// space: a floor with shadows, and everything else sorted from far to near

const lowest = Math.min(...[0, 1, 2, 3, 4, 5, 6, 7].map((i) => dot(upward, [[whole.low, whole.high][i & 1][0], [whole.low, whole.high][(i >> 1) & 1][1], [whole.low, whole.high][i >> 2][2]])));
// what rolls has the ground below it
const rolls = scene.wheels.some((wheel) => wheel.rolls);
// a level plane that things touch is the floor; others are squares
const level = scene.planes.filter((plane) => plane.body < 0 && dot(upward, plane.normal) > 0.9999);
const floorPlane = level.length ? level.reduce((a, b) => (dot(upward, a.point) < dot(upward, b.point) ? a : b)) : null;
const floor = floorPlane ? dot(upward, floorPlane.point) : lowest - (rolls ? 0 : 0.06 * size);
const dropped = (p) => add(p, scaled(upward, floor - dot(upward, p)));

function drawSpatial(t) {
  for (const plane of scene.planes) if (plane !== floorPlane) drawSquare(plane);
  drawTraces(t);
  const items = [];
  // what sits on a link is painted after it: its depth is that of the link where the link is nearer
  const middles = scene.bodies.map((body, i) => screen(place(poses[i], middle(body.points)))[2]);
  const at = (p, paint, nearer = 0, on = []) => {
    const depth = Math.min(screen(p)[2], ...on.filter((i) => i >= 0).map((i) => middles[i]));
    items.push({ depth: depth - nearer * size, paint });
  };
  scene.bodies.forEach((body, i) => bodyItems(body, i, at));
  for (const item of [...scene.springs.map(({ ends }) => ends), ...scene.strings.map(({ stops }) => stops)]) {
    for (const stop of item) if (stop.body < 0 && shown.symbols) at(in3(stop.point), () => pedestal(in3(stop.point), screen(in3(stop.point))), -0.05);
  }
  for (const item of scene.springs) at(scaled(add(...item.ends.map((end) => place(poseBy(end.body), end.point))), 0.5), () => drawSpring(item));
  for (const item of scene.strings) at(middle(stopsOf(item)), () => drawString(item));
  for (const wheel of scene.wheels) at(place(poseBy(wheel.body), wheel.centre), () => drawWheel(wheel));
  for (const belt of scene.belts) at(middle(beltLine(belt)), () => drawBelt(belt));
  for (const outline of scene.outlines) at(middle(outline), () => line(outline.map(screen), ink.steel, 2));
  if (shown.symbols) for (const joint of scene.joints) jointItems(joint, at);
  if (shown.symbols) for (const stop of scene.stops) stopItem(stop, at);
  items.sort((a, b) => b.depth - a.depth).forEach((item) => item.paint());
}

// a part of a plane below the mechanism, with lines across it
function drawSquare(plane) {
  const pose = poseBy(plane.body), n = rotate(pose, plane.normal), p = place(pose, plane.point), half = 0.75 * Math.max(whole.size, size);
  const middle = sub(whole.centre, scaled(n, dot(sub(whole.centre, p), n)));
  const a = unit(cross(n, Math.abs(dot(n, camera.side)) < 0.9 ? camera.side : camera.ahead)), b = cross(n, a);
  const at = (i, j) => screen(add(middle, add(scaled(a, (i * half) / 4), scaled(b, (j * half) / 4))));
  pen.lineCap = "butt";
  for (let i = -4; i <= 4; i++) for (const ends of [[at(i, -4), at(i, 4)], [at(-4, i), at(4, i)]]) line(ends, Math.abs(i) === 4 ? ink.steel : ink.line, 1.2);
}

// a stop in space: a line that the child's lies along, or a ball that it meets
function stopItem(stop, at) {
  const pose = poseBy(stop.body), p = place(pose, stop.point), d = rotate(pose, stop.direction), w = linkWidth(screen(p)[3]), k = w / screen(p)[3];
  const held = scene.holding.some((row) => row.condition === stop.condition && row.holds), colour = held ? ink.contact : ink.steel;
  const ends = stop.turns ? [1.2, 2.6].map((s) => add(p, scaled(d, s * k))) : [add(p, scaled(d, 1.9 * k))];
  at(ends[0], () => { pen.lineCap = "round"; if (stop.turns) line(ends.map(screen), colour, Math.max(0.3 * w, 2.5)); else disc(screen(ends[0]), 0.45 * w, colour); }, 0.02);
}

function drawFloor() {
  const step = roundDown(camera.box.size / 4), reach = 6, below = dropped(camera.centre);
  const side = camera.side, ahead = camera.ahead;
  const snapped = sub(below, add(scaled(side, dot(below, side) % step), scaled(ahead, dot(below, ahead) % step)));
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
  if (shown.symbols && !wheeled(index)) flat.forEach((p, i) => {
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
  const shade = pen.createLinearGradient(far[0] - n[0], far[1] - n[1], far[0] + n[0], far[1] + n[1]);
  shade.addColorStop(0, mix(ink.steel, "#000000", 0.15)); shade.addColorStop(0.4, mix(ink.steel, "#ffffff", 0.62)); shade.addColorStop(1, mix(ink.steel, "#000000", 0.3));
  pen.fillStyle = shade; pen.fill();
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
  const hangs = dot(sub(point, whole.centre), upward) > 0, w = linkWidth(p[3]);
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
