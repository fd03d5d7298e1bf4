// symbols: how links, pins, sliders, springs, arrows and supports look; all in screen pixels

const canvas = document.getElementById("stage");
const pen = canvas.getContext("2d");
const ink = {};

function readColours() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ["paper", "panel", "stage", "ink", "muted", "line", "grid", "accent", "steel", "force", "shadow"]) {
    ink[name] = style.getPropertyValue(`--${name}`).trim();
  }
}
// colours of lines are lighter on a dark page
const toneOf = (index) => mix(colourOf(index), "#ffffff", channels(ink.stage)[0] < 128 ? 0.3 : 0);
const colourOf = (index) => scene.palette[index % scene.palette.length];
const channels = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
const mix = (a, b, part) => {
  const [p, q] = [channels(a), channels(b)];
  return `rgb(${p.map((value, i) => Math.round(value + (q[i] - value) * part)).join(",")})`;
};

function line(points, colour, thickness, closed = false) {
  pen.beginPath();
  points.forEach((p, i) => (i ? pen.lineTo(p[0], p[1]) : pen.moveTo(p[0], p[1])));
  if (closed) pen.closePath();
  pen.strokeStyle = colour;
  pen.lineWidth = thickness;
  pen.stroke();
}

function disc(p, radius, fill, edge, thickness = 1.5) {
  pen.beginPath();
  pen.arc(p[0], p[1], Math.max(radius, 0.5), 0, 2 * Math.PI);
  if (fill) { pen.fillStyle = fill; pen.fill(); }
  if (edge) { pen.strokeStyle = edge; pen.lineWidth = thickness; pen.stroke(); }
}

// a rounded link, or a rounded plate where the points go round
function link(points, colour, thickness, plate) {
  pen.lineCap = pen.lineJoin = "round";
  const edge = mix(colour, ink.ink, 0.18), face = mix(colour, ink.stage, 0.42);
  line(points, edge, thickness, plate);
  line(points, face, thickness - 3, plate);
  if (plate) { pen.fillStyle = mix(colour, ink.stage, 0.62); pen.fill(); line(points, face, thickness - 3, true); }
}

function pin(p, radius) {
  disc(p, radius, ink.stage, ink.ink, 1.7);
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

// a block with its length along the direction a to b
function block(p, direction, length, height, fill) {
  const angle = Math.atan2(direction[1], direction[0]);
  pen.save();
  pen.translate(p[0], p[1]);
  pen.rotate(angle);
  pen.beginPath();
  pen.roundRect(-length / 2, -height / 2, length, height, height * 0.18);
  pen.fillStyle = fill; pen.fill();
  pen.strokeStyle = ink.ink; pen.lineWidth = 1.7; pen.stroke();
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
  pen.lineJoin = "round"; pen.lineCap = "round";
  line(points, ink.stage, 4);
  line(points, ink.muted, 1.8);
  disc(a, 2.6, ink.muted); disc(b, 2.6, ink.muted);
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

function arrow(a, b, colour, dashed) {
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  if (!(length > 3)) return;
  const u = [(b[0] - a[0]) / length, (b[1] - a[1]) / length], head = Math.min(11, length * 0.6);
  const neck = [b[0] - u[0] * head, b[1] - u[1] * head];
  pen.lineCap = "butt";
  if (dashed) pen.setLineDash([5, 4]);
  line([a, neck], colour, 2.6);
  pen.setLineDash([]);
  pen.beginPath();
  pen.moveTo(b[0], b[1]);
  pen.lineTo(neck[0] - u[1] * head * 0.45, neck[1] + u[0] * head * 0.45);
  pen.lineTo(neck[0] + u[1] * head * 0.45, neck[1] - u[0] * head * 0.45);
  pen.closePath(); pen.fillStyle = colour; pen.fill();
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

function label(text, p, colour = ink.ink, weight = 400) {
  pen.font = `${weight} 12.5px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif`;
  pen.textAlign = "left"; pen.textBaseline = "middle"; pen.lineJoin = "round";
  pen.strokeStyle = ink.stage; pen.lineWidth = 3.5;
  pen.strokeText(text, p[0], p[1]);
  pen.fillStyle = colour;
  pen.fillText(text, p[0], p[1]);
}

// 1, 2 or 5 times a power of ten, not above x
const roundDown = (x) => {
  const power = 10 ** Math.floor(Math.log10(x)), digit = x / power;
  return (digit >= 5 ? 5 : digit >= 2 ? 2 : 1) * power;
};
const shortNumber = (x) => {
  if (!Number.isFinite(x)) return "–";
  const a = Math.abs(x);
  return a !== 0 && (a >= 1e6 || a < 1e-3) ? x.toExponential(2) : String(Number(x.toPrecision(4)));
};
