// symbols: how links, pins, sliders, springs, struts, supports and arrows look; all in screen pixels

// a rounded link, or a rounded plate where the points go round
function link(points, colour, thickness, plate) {
  pen.lineCap = pen.lineJoin = "round";
  const edge = mix(colour, ink.ink, 0.18), face = mix(colour, ink.stage, 0.42), inner = thickness - Math.min(3, 0.4 * thickness);
  line(points, edge, thickness, plate);
  line(points, face, inner, plate);
  if (!plate) return;
  // what is behind a plate in space shimmers through
  pen.globalAlpha *= planar ? 1 : 0.75;
  pen.fillStyle = mix(colour, ink.stage, 0.62); pen.fill();
  pen.globalAlpha /= planar ? 1 : 0.75;
  line(points, face, inner, true);
}

function pin(p, radius) {
  disc(p, radius, ink.stage, ink.ink, Math.min(1.7, 0.5 * radius));
}

// ground support: triangle below the pin, line, hatching
function support(p, radius) {
  const r = radius * 3.1, base = p[1] + r * 1.05;
  pen.lineJoin = "round";
  pen.beginPath();
  pen.moveTo(p[0], p[1]); pen.lineTo(p[0] - r * 0.8, base); pen.lineTo(p[0] + r * 0.8, base); pen.closePath();
  pen.fillStyle = mix(ink.steel, ink.stage, 0.65); pen.fill();
  pen.strokeStyle = ink.steel; pen.lineWidth = 1.5; pen.stroke();
  hatch([p[0] - r * 1.25, base], [p[0] + r * 1.25, base], r * 0.42);
}

// a ground line from a to b with hatching on its right-hand side
function hatch(a, b, depth) {
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  if (!(length > 0)) return;
  const ux = (b[0] - a[0]) / length, uy = (b[1] - a[1]) / length;
  pen.lineCap = "butt";
  line([a, b], ink.steel, 1.8);
  const count = Math.max(Math.floor(length / (depth * 0.95)), 1);
  for (let i = 0; i < count; i++) {
    const s = ((i + 0.9) * length) / count, x = a[0] + ux * s, y = a[1] + uy * s;
    line([[x, y], [x - (ux + uy) * depth, y - (uy - ux) * depth]], ink.steel, 1);
  }
}

// light and shade across a round bar of some thickness, in axes along it
function roundShade(thickness, colour) {
  const shade = pen.createLinearGradient(0, -thickness / 2, 0, thickness / 2);
  shade.addColorStop(0, mix(colour, "#000000", 0.22));
  shade.addColorStop(0.36, mix(colour, "#ffffff", 0.6));
  shade.addColorStop(1, mix(colour, "#000000", 0.34));
  return shade;
}

// a round bar from a to b, seen from the side
function roundBar(a, b, thickness, colour, corner = 0) {
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  if (!(length > 0.5)) return;
  pen.save();
  pen.translate(a[0], a[1]);
  pen.rotate(Math.atan2(b[1] - a[1], b[0] - a[0]));
  pen.beginPath();
  pen.roundRect(0, -thickness / 2, length, thickness, corner);
  pen.fillStyle = roundShade(thickness, colour); pen.fill();
  pen.strokeStyle = ink.ink; pen.lineWidth = Math.min(1.4, 0.2 * thickness); pen.stroke();
  pen.restore();
}

// a hydraulic strut from a to b: its cylinder takes a part of the length, the rod comes out of it
function strut(a, b, part, thickness, colour) {
  const at = (s) => [a[0] + (b[0] - a[0]) * s, a[1] + (b[1] - a[1]) * s];
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  if (!(length > 2)) return;
  const eye = Math.min(0.55 * thickness, 0.2 * length), collar = Math.min((0.35 * thickness) / length, 0.2 * part);
  roundBar(at(Math.min(part, 0.9)), b, 0.42 * thickness, ink.steel);
  roundBar(at(eye / length), at(part), thickness, colour, 0.16 * thickness);
  roundBar(at(part - collar), at(part + 0.3 * collar), 1.14 * thickness, mix(colour, ink.ink, 0.3), 0.1 * thickness);
  for (const p of [a, b]) { disc(p, eye, mix(ink.steel, ink.stage, 0.3), ink.ink, 1.2); disc(p, 0.4 * eye, ink.stage, ink.ink, 1); }
}

// a block with its length along the direction a to b
function block(p, direction, length, height, fill) {
  const angle = Math.atan2(direction[1], direction[0]);
  pen.save();
  pen.translate(p[0], p[1]);
  pen.rotate(angle);
  pen.beginPath();
  pen.roundRect(-length / 2, -height / 2, length, height, height * 0.18);
  pen.fillStyle = fill; pen.fill();
  pen.strokeStyle = ink.ink; pen.lineWidth = Math.min(1.7, 0.12 * height); pen.stroke();
  pen.restore();
}

function spring(a, b, amplitude) {
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  if (!(length > 0)) return;
  const u = [(b[0] - a[0]) / length, (b[1] - a[1]) / length], turns = 7;
  const at = (s, side) => [a[0] + u[0] * s * length - u[1] * side, a[1] + u[1] * s * length + u[0] * side];
  const points = [a, at(0.16, 0)];
  for (let i = 0; i < 2 * turns; i++) points.push(at(0.16 + (0.68 * (i + 0.5)) / (2 * turns), i % 2 ? -amplitude : amplitude));
  points.push(at(0.84, 0), b);
  const wire = Math.min(1.9, 0.3 * amplitude);
  pen.lineJoin = "round"; pen.lineCap = "round";
  line(points, ink.stage, 2.2 * wire);
  line(points, ink.muted, wire);
  disc(a, 1.4 * wire, ink.muted); disc(b, 1.4 * wire, ink.muted);
}

// slanted strokes across a rod from a to b
function thread(a, b, thickness) {
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  if (!(length > 0)) return;
  const u = [(b[0] - a[0]) / length, (b[1] - a[1]) / length], h = thickness / 2;
  pen.lineCap = "round";
  for (let s = h; s < length - h; s += thickness * 0.9) {
    const [x, y] = [a[0] + u[0] * s, a[1] + u[1] * s], [nx, ny] = [(u[0] * 0.35 - u[1]) * h, (u[1] * 0.35 + u[0]) * h];
    line([[x - nx, y - ny], [x + nx, y + ny]], ink.steel, 1.4);
  }
}

// heads: two for a moment in space
function arrow(a, b, colour, dashed = false, heads = 1) {
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  if (!(length > 3)) return;
  const u = [(b[0] - a[0]) / length, (b[1] - a[1]) / length], head = Math.min(11, length * (heads > 1 ? 0.4 : 0.6));
  const back = (s) => [b[0] - u[0] * s, b[1] - u[1] * s];
  pen.lineCap = "butt";
  if (dashed) pen.setLineDash([5, 4]);
  line([a, back(head)], ink.stage, 4.6);
  line([a, back(head)], colour, 2.6);
  pen.setLineDash([]);
  for (let i = 0; i < heads; i++) arrowHead(back(0.85 * head * i), u, head, colour);
}

function arrowHead(tip, u, head, colour) {
  const neck = [tip[0] - u[0] * head, tip[1] - u[1] * head];
  pen.beginPath();
  pen.moveTo(tip[0], tip[1]);
  pen.lineTo(neck[0] - u[1] * head * 0.45, neck[1] + u[0] * head * 0.45);
  pen.lineTo(neck[0] + u[1] * head * 0.45, neck[1] - u[0] * head * 0.45);
  pen.closePath(); pen.fillStyle = colour; pen.fill();
}

// a moment in the plane: an arc round p, so many radians, positive counter-clockwise
function turningArrow(p, radius, sweep, colour, dashed = false) {
  if (!(Math.abs(sweep) > 0.12)) return;
  const from = Math.PI / 2 - 0.5 * sweep, to = from + sweep, head = Math.min(10, 0.6 * radius * Math.abs(sweep));
  const short = Math.sign(sweep) * (0.8 * head) / radius, arc = (ink_, thickness) => {
    pen.beginPath(); pen.arc(p[0], p[1], radius, -from, -(to - short), sweep > 0);
    pen.strokeStyle = ink_; pen.lineWidth = thickness; pen.lineCap = "butt"; pen.stroke();
  };
  if (dashed) pen.setLineDash([5, 4]);
  arc(ink.stage, 4.6);
  arc(colour, 2.6);
  pen.setLineDash([]);
  const lean = to - 0.25 * short, way = Math.sign(sweep);
  arrowHead([p[0] + radius * Math.cos(to), p[1] - radius * Math.sin(to)], [-Math.sin(lean) * way, -Math.cos(lean) * way], head, colour);
}

// centre of mass: the quartered disc of drawings
function massCentre(p, radius) {
  disc(p, radius, ink.stage, ink.ink, 1.2);
  pen.fillStyle = ink.ink;
  for (const quarter of [0, 1]) {
    pen.beginPath(); pen.moveTo(p[0], p[1]);
    pen.arc(p[0], p[1], radius, quarter * Math.PI, (quarter + 0.5) * Math.PI);
    pen.closePath(); pen.fill();
  }
}
