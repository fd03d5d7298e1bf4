// pen: colours, strokes and letters, in screen pixels

const canvas = document.getElementById("stage");
const pen = canvas.getContext("2d");
const ink = {};

function readColours() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ["paper", "panel", "stage", "ink", "muted", "line", "grid", "accent", "steel", "force", "applied", "contact", "shadow"]) {
    ink[name] = style.getPropertyValue(`--${name}`).trim();
  }
}
// colours of lines are lighter on a dark page
const toneOf = (index) => mix(colourOf(index), "#ffffff", channels(ink.stage)[0] < 128 ? 0.3 : 0);
const colourOf = (index) => scene.palette[index % scene.palette.length];
const channels = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
const mixed = new Map();
const mix = (a, b, part) => {
  const key = `${a}${b}${part}`;
  if (!mixed.has(key)) {
    const [p, q] = [channels(a), channels(b)];
    mixed.set(key, `#${p.map((value, i) => Math.round(value + (q[i] - value) * part).toString(16).padStart(2, "0")).join("")}`);
  }
  return mixed.get(key);
};

function line(points, colour, thickness, closed = false) {
  pen.beginPath();
  let down = false;
  for (const p of points) {
    // what is behind the eye is not seen
    if (p[4]) { down = false; continue; }
    if (down) pen.lineTo(p[0], p[1]); else pen.moveTo(p[0], p[1]);
    down = true;
  }
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
