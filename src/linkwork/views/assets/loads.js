// loads: reactions and applied forces as arrows, moments as arcs (in space as double arrows), with a scale that can be changed

const turns = planar ? 1 : 3;
const vectorAt = (values, count, at) => Array.from({ length: count }, (_, i) => blend(values, count, i, at));

// how large the largest force, or moment, usually is while it acts: the 95th percentile over the run
function typical(key, count) {
  const usual = (load) => {
    const sizes = someFrames(400).map((at) => Math.hypot(...vectorAt(load[key], count, at)));
    const most = Math.max(0, ...sizes.filter(Number.isFinite)), finite = sizes.filter((x) => x > 1e-6 * most && x < Infinity).sort((a, b) => a - b);
    return finite.length ? finite[Math.floor(0.95 * (finite.length - 1))] : 0;
  };
  return Math.max(0, ...scene.loads.filter((load) => load[key]).map(usual));
}
const typicalLoad = (() => {
  const force = typical("force", dim), moment = typical("moment", turns);
  // what is rounding errors beside the other is nothing
  return { force: force > 1e-9 * (moment / size) ? force : 0, moment: moment > 1e-9 * force * size ? moment : 0 };
})();
let stretch = 1; // of all arrows, by the user
const metresPerNewton = () => (typicalLoad.force ? (0.34 * size * stretch) / typicalLoad.force : 0);
const metresPerNewtonMetre = () => (typicalLoad.moment ? (0.34 * size * stretch) / typicalLoad.moment : 0);
const radiansPerNewtonMetre = () => (typicalLoad.moment ? (1.4 * Math.PI * stretch) / typicalLoad.moment : 0);
// kinds of loads: what switches them on, their colours, and what they are called
const KINDS = { reaction: ["reactions", "force", "reactions"], applied: ["applied", "applied", "applied"], contact: ["contacts", "contact", "contact"] };
const loadColour = (kind) => ink[KINDS[kind][1]];
const hasLoads = (kind) => scene.loads.some((load) => load.kind === kind);
const arrowsShown = () => Object.keys(KINDS).filter((kind) => shown[KINDS[kind][0]] && hasLoads(kind));
const arcRadius = () => Math.min(Math.max(1.5 * linkWidth(camera.scale), 13), 26);

function drawLoads(t) {
  const at = locate(t), kinds = arrowsShown();
  for (const load of scene.loads) {
    if (!kinds.includes(load.kind)) continue;
    const point = load.path ? in3(vectorAt(load.path, dim, at)) : spot(load), p = screen(point), colour = loadColour(load.kind);
    if (!point.every(Number.isFinite) || p[4]) continue;
    if (load.kind === "contact" && load.path && Math.hypot(...vectorAt(load.force, dim, at)) > 0) disc(p, 3.2, ink.contact, ink.stage, 1);
    if (load.moment && typicalLoad.moment) drawMoment(point, p, vectorAt(load.moment, turns, at), colour, load);
    if (load.force && typicalLoad.force) {
      arrow(p, screen(add(point, scaled(in3(vectorAt(load.force, dim, at)), metresPerNewton()))), colour, load.loose);
    }
  }
}

function drawMoment(point, p, moment, colour, { loose, kind }) {
  if (!planar) { arrow(p, screen(add(point, scaled(moment, metresPerNewtonMetre()))), colour, loose, 2); return; }
  const sweep = moment[0] * radiansPerNewtonMetre();
  // those of contact lie round those of the joint
  turningArrow(p, arcRadius() * (kind === "contact" ? 1.45 : 1), Math.sign(sweep) * Math.min(Math.abs(sweep), 5.6), colour, loose);
}

const loadText = (value, unitName) => (value >= 1000 ? `${shortNumber(value / 1000)} k${unitName}` : `${shortNumber(value)} ${unitName}`);

// what a length means, from x on
function drawLoadScales(x, y) {
  const kinds = arrowsShown();
  if (!kinds.length) return;
  const colour = kinds.length > 1 ? ink.ink : loadColour(kinds[0]), shownKinds = scene.loads.filter((load) => kinds.includes(load.kind));
  if (typicalLoad.force && shownKinds.some((load) => load.force)) {
    const k = metresPerNewton() * camera.scale, newtons = roundDown(110 / k);
    arrow([x, y], [x + newtons * k, y], colour);
    label(loadText(newtons, "N"), [x, y - 12], colour);
    x += newtons * k + 34;
  }
  if (typicalLoad.moment && shownKinds.some((load) => load.moment)) x = drawMomentScale(x, y, colour);
  for (const kind of kinds) {
    disc([x + 4, y - 2], 4, loadColour(kind));
    label(KINDS[kind][2], [x + 13, y - 2], loadColour(kind));
    x += 88;
  }
}

function drawMomentScale(x, y, colour) {
  if (!planar) {
    const k = metresPerNewtonMetre() * camera.scale, moment = roundDown(110 / k);
    arrow([x, y], [x + moment * k, y], colour, false, 2);
    label(loadText(moment, "N m"), [x, y - 12], colour);
    return x + moment * k + 34;
  }
  const r = arcRadius(), moment = roundDown(Math.PI / radiansPerNewtonMetre());
  turningArrow([x + r, y + 2], r, moment * radiansPerNewtonMetre(), colour);
  label(loadText(moment, "N m"), [x + 2 * r + 8, y - 2], colour);
  return x + 2 * r + 84;
}
