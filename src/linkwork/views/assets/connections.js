// connections: springs, struts, rods, ropes, belts and wheels, between bodies and on them

const shown = { symbols: true, names: false, reactions: false, applied: false, contacts: true, masses: false, grid: true };
let poses = [];
const poseBy = (number) => (number < 0 ? null : poses[number]);
const spot = ({ body, point }) => place(poseBy(body), point);

// thickness of a link in pixels at a scale of k pixels per metre
const linkWidth = (k) => Math.min(Math.max(scene.width * k, 2.5), planar ? 34 : 26);

function drawSpring(item) {
  const [a, b] = item.ends.map((end) => screen(spot(end))), w = linkWidth(a[3]);
  drawFeet(item.ends, w, item.kind === "spring");
  if (item.kind === "strut") drawStrut(item, item.ends, a, b, w);
  else spring(a, b, Math.min(Math.max(0.72 * w, 2), 15));
}

// ends on the ground in the plane stand on it
function drawFeet(ends, w, light = false) {
  for (const end of ends) {
    if (end.body >= 0 || !planar || !shown.symbols) continue;
    const p = screen(in3(end.point));
    if (light) hatch([p[0] - 0.6 * w, p[1] + 1], [p[0] + 0.6 * w, p[1] + 1], 0.34 * w); else support(p, Math.max(w * 0.27, 1.2));
  }
}

function drawStrut(item, ends, a, b, w) {
  const now = Math.hypot(...sub(spot(ends[1]), spot(ends[0])));
  strut(a, b, Math.min(item.cylinder / now, 0.94), 0.95 * w, "#c98b2b");
}

// a rod, a strut, or a rope over its pulleys
const stopsOf = (item) => item.stops.map(spot);
function drawString(item) {
  const places = stopsOf(item), ends = [item.stops[0], item.stops[item.stops.length - 1]];
  const path = (item.radii.some((r) => r !== 0) ? overPulleys(places, item.radii) : places).map(screen), w = linkWidth(path[0][3]);
  if (item.kind !== "rope") drawFeet(ends, w);
  if (item.kind === "strut") { drawStrut(item, ends, path[0], path[path.length - 1], w); return; }
  pen.lineCap = pen.lineJoin = "round";
  const dark = mix(ink.steel, ink.ink, 0.45);
  if (item.kind === "rod") {
    line(path, dark, Math.max(0.42 * w, 2)); line(path, mix(ink.steel, ink.stage, 0.35), Math.max(0.42 * w - 2, 0.8));
    for (const p of path) disc(p, Math.max(0.3 * w, 1.8), mix(ink.steel, ink.stage, 0.5), dark, 1.2);
    return;
  }
  const thick = Math.min(Math.max(0.2 * w, 1.4), 4);
  line(path, ink.stage, thick + 2);
  line(path, mix("#8a6a3b", ink.ink, 0.25), thick);
  for (const p of [path[0], path[path.length - 1]]) disc(p, 1.1 * thick, mix("#8a6a3b", ink.ink, 0.25));
}

// straight from tangent to tangent, and round the pulleys; radii are positive where the pulley is on the left, in the plane
function overPulleys(centres, radii) {
  const path = [];
  const heading = (i) => {
    const d = sub(centres[i + 1], centres[i]), dd = dot(d, d), step = radii[i + 1] - radii[i], straight = Math.sqrt(Math.max(dd - step * step, 0));
    return [(straight * d[0] + step * d[1]) / dd, (straight * d[1] - step * d[0]) / dd];
  };
  for (let i = 0; i < centres.length; i++) {
    const into = i > 0 ? heading(i - 1) : null, out = i + 1 < centres.length ? heading(i) : null, r = radii[i];
    if (!r || !into || !out) { path.push(r ? beside(centres[i], into || out, r) : centres[i]); continue; }
    const from = Math.atan2(into[1], into[0]), turn = (Math.atan2(out[1], out[0]) - from) * Math.sign(r);
    const angle = ((turn % (2 * Math.PI)) + 2 * Math.PI) % (2 * Math.PI);
    for (let k = 0; k <= 16; k++) { const a = from + (Math.sign(r) * angle * k) / 16; path.push(beside(centres[i], [Math.cos(a), Math.sin(a)], r)); }
  }
  return path;
}
// where a string with a heading touches a pulley, which is on its left
const beside = (centre, [x, y], r) => [centre[0] + y * r, centre[1] - x * r, 0];

// a belt as a closed line: along the common tangents of its pulleys, and round them on the far sides
function beltLine(belt) {
  const [one, two] = belt.wheels, [c1, c2] = belt.wheels.map((wheel) => place(poseBy(wheel.body), wheel.centre));
  const e = unit(rotate(poseBy(one.body), one.axis)), all = sub(c2, c1), gap = sub(all, scaled(e, dot(all, e)));
  const n = unit(gap), q = cross(e, n), sine = (belt.crossed ? one.radius + two.radius : one.radius - two.radius) / Math.hypot(...gap);
  const cosine = Math.sqrt(Math.max(1 - sine * sine, 0));
  const touch = Math.atan2(cosine, sine), other = belt.crossed ? Math.PI - touch : touch;
  const arc = (c, r, from, to) => Array.from({ length: 25 }, (_, i) => {
    const angle = from + ((to - from) * i) / 24;
    return add(c, add(scaled(n, r * Math.cos(angle)), scaled(q, r * Math.sin(angle))));
  });
  const far = arc(add(c1, gap), two.radius, -other, other);
  return [...arc(c1, one.radius, touch, 2 * Math.PI - touch), ...(belt.crossed ? far.reverse() : far)];
}
function drawBelt(belt) {
  const path = beltLine(belt).map(screen);
  pen.lineCap = pen.lineJoin = "round";
  line(path, mix(ink.ink, ink.stage, 0.25), Math.max(0.24 * linkWidth(path[0][3]), 1.8), true);
}

// a wheel: its first ring filled, the others holes in it; spokes
function drawWheel(wheel) {
  const pose = poseBy(wheel.body), colour = wheel.body < 0 ? ink.steel : colourOf(wheel.body);
  pen.beginPath();
  for (const ring of wheel.rings) {
    ring.forEach((point, i) => { const p = screen(place(pose, point)); if (i) pen.lineTo(p[0], p[1]); else pen.moveTo(p[0], p[1]); });
    pen.closePath();
  }
  pen.globalAlpha *= 0.88;
  pen.fillStyle = mix(colour, ink.stage, 0.55); pen.fill("evenodd");
  pen.globalAlpha /= 0.88;
  pen.strokeStyle = mix(colour, ink.ink, 0.3); pen.lineWidth = 1.2; pen.lineJoin = "round"; pen.stroke();
  for (const spoke of wheel.spokes || []) line(spoke.map((p) => screen(place(pose, p))), mix(colour, ink.ink, 0.1), 1);
}
