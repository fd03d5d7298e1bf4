// player: controls, keyboard, and the clock that moves everything

const $ = (id) => document.getElementById(id);
const plotted = new Set(scene.plotted);
let now = start, playing = false, looping = true, rate = 1, last = null, pending = false, charts = [];

function show(t) {
  now = Math.min(Math.max(t, start), end);
  if (!pending) { pending = true; requestAnimationFrame(paint); }
}

function paint(stamp) {
  pending = false;
  if (playing) advance(stamp);
  drawAll();
  if (playing) show(now);
}

function drawAll() {
  drawStage(now);
  for (const chart of charts) chart.draw(now);
  $("scrub").value = now;
  $("clock").textContent = `${now.toFixed(decimals)} / ${end.toFixed(decimals)} ${scene.over.unit}`;
}

function advance(stamp) {
  if (last !== null) now += ((stamp - last) / 1000) * rate;
  last = stamp;
  if (now < end) return;
  if (looping && end > start) now = start + ((now - end) % (end - start));
  else { now = end; setPlaying(false); }
}

const decimals = Math.min(Math.max(3 - Math.floor(Math.log10(Math.max(end - start, 1e-9))), 1), 6);

function setPlaying(value) {
  playing = value && end > start;
  last = null;
  document.body.classList.toggle("playing", playing);
  $("play").setAttribute("aria-label", playing ? "Pause" : "Play");
  if (playing && now >= end) now = start;
  show(now);
}

function step(count) {
  setPlaying(false);
  const [frame, part] = locate(now);
  const next = frame + (count < 0 && part > 0 ? count + 1 : count);
  show(time[Math.min(Math.max(next, 0), time.length - 1)]);
}

// -- size and colours

function resize() {
  const ratio = window.devicePixelRatio || 1, box = canvas.parentElement.getBoundingClientRect();
  canvas.width = Math.round(box.width * ratio);
  canvas.height = Math.round(box.height * ratio);
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  camera.resize(box.width, box.height);
  for (const chart of charts) chart.prepare();
  // at once: a new size has wiped the canvas
  drawAll();
}

function rebuildCharts() {
  const groups = new Map();
  let order = 0;
  for (const index of plotted) {
    const quantity = scene.quantities[index];
    if (!groups.has(quantity.unit)) groups.set(quantity.unit, []);
    groups.get(quantity.unit).push({ quantity, colour: toneOf(order++) });
  }
  charts = [...groups].map(([unitName, members]) => new Chart(unitName, members, (t) => { setPlaying(false); show(t); }));
  $("charts").replaceChildren(...charts.map((chart) => chart.root));
  $("no-charts").hidden = charts.length > 0;
  for (const chart of charts) chart.prepare();
  // at once: a new size has wiped the canvas
  drawAll();
}

// -- lists of choices

function choice(text, what, checked, onChange, title = "") {
  const item = document.createElement("li"), label = document.createElement("label");
  const box = document.createElement("input"), name = document.createElement("span"), note = document.createElement("span");
  box.type = "checkbox";
  box.checked = checked;
  box.addEventListener("change", () => onChange(box.checked));
  name.className = "name"; name.textContent = text;
  note.className = "what"; note.textContent = what;
  label.title = title;
  label.append(box, name, note);
  item.append(label);
  return item;
}

function fillChoices() {
  const items = scene.quantities.map((quantity, index) => choice(quantity.name, quantity.unit, plotted.has(index), (on) => {
    if (on) plotted.add(index); else plotted.delete(index);
    rebuildCharts();
  }, quantity.text));
  $("quantity-list").append(...items);
  $("quantities").querySelector(".count").textContent = scene.quantities.length;
  $("search").addEventListener("input", () => {
    const wanted = $("search").value.trim().toLowerCase();
    scene.quantities.forEach(({ name, text, unit: u }, i) => { items[i].hidden = !`${name} ${text} ${u}`.toLowerCase().includes(wanted); });
  });
  $("trace-list").append(...scene.tracks.map((track, index) => choice(track.label, "", traced.has(index), (on) => {
    if (on) traced.add(index); else traced.delete(index);
    show(now);
  })));
  $("traces").querySelector(".count").textContent = scene.tracks.length;
  $("quantities").hidden = !scene.quantities.length;
  $("traces").hidden = !scene.tracks.length;
}

function fillToggles() {
  const kinds = [["names", "Names", true], ["forces", "Reactions", metresPerNewton > 0],
    ["masses", "Centres of mass", scene.bodies.some((body) => body.com)], ["grid", planar ? "Grid" : "Floor", true]];
  for (const [key, text, possible] of kinds) {
    if (!possible) continue;
    const chip = document.createElement("button");
    chip.className = "chip";
    chip.textContent = text;
    chip.style.background = "var(--panel)";
    chip.setAttribute("aria-pressed", shown[key]);
    if (key === "forces") chip.title = "Force on the child by the parent; dashed where redundant constraints leave it open";
    chip.addEventListener("click", () => { shown[key] = !shown[key]; chip.setAttribute("aria-pressed", shown[key]); show(now); });
    $("toggles").append(chip);
  }
  const fit = document.createElement("button");
  fit.className = "chip";
  fit.textContent = "Fit";
  fit.title = "Show all (double click, F)";
  fit.addEventListener("click", () => { camera.reset(); show(now); });
  $("toggles").append(fit);
}

function fillFacts() {
  $("name").textContent = scene.name;
  document.title = scene.name;
  $("span").textContent = `${shortNumber(end - start)} ${scene.over.unit}`;
  $("outcome").textContent = $("outcome").title = scene.outcome.text;
  $("outcome").classList.toggle("bad", !scene.outcome.good);
  $("hint").textContent = planar ? "drag to move, wheel to zoom" : "drag to turn, shift and drag to move, wheel to zoom";
  for (const [term, text] of [...scene.facts, ...scene.remarks.map((text) => ["remark", text])]) {
    const dt = document.createElement("dt"), dd = document.createElement("dd");
    dt.textContent = term; dd.textContent = text;
    $("facts").append(dt, dd);
  }
  for (const event of scene.events) {
    const mark = document.createElement("i");
    mark.title = event.name;
    mark.style.left = `${(100 * (event.time - start)) / (end - start || 1)}%`;
    $("marks").append(mark);
  }
}

// real time where that can be watched, else the rate that takes about six seconds
const rates = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 1000];
function fillSpeed() {
  const span = end - start, ideal = span >= 1 && span <= 60 ? 1 : span / 6;
  rate = rates.reduce((best, r) => (Math.abs(Math.log(r / ideal)) < Math.abs(Math.log(best / ideal)) ? r : best), 1);
  if (!(span > 0)) rate = 1;
  for (const r of rates) $("speed").add(new Option(`${r} ×`, r, false, r === rate));
  $("speed").addEventListener("change", () => { rate = Number($("speed").value); });
}
function changeSpeed(by) {
  const index = Math.min(Math.max(rates.indexOf(rate) + by, 0), rates.length - 1);
  rate = rates[index];
  $("speed").value = rate;
}

// -- mouse, touch and keys

function listen() {
  const fingers = new Map();
  canvas.addEventListener("pointerdown", (event) => { canvas.setPointerCapture(event.pointerId); fingers.set(event.pointerId, event); });
  const lift = (event) => fingers.delete(event.pointerId);
  canvas.addEventListener("pointerup", lift);
  canvas.addEventListener("pointercancel", lift);
  canvas.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const others = [...fingers.values()].filter((f) => f.pointerId !== event.pointerId);
    const box = canvas.getBoundingClientRect();
    if (others.length) {
      const far = (e) => Math.hypot(e.clientX - others[0].clientX, e.clientY - others[0].clientY);
      camera.zoomAt(far(event) / Math.max(far(before), 1), others[0].clientX - box.left, others[0].clientY - box.top);
    } else {
      camera.drag(event.clientX - before.clientX, event.clientY - before.clientY, event.shiftKey || event.buttons === 2 || event.buttons === 4);
    }
    fingers.set(event.pointerId, event);
    show(now);
  });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const box = canvas.getBoundingClientRect();
    camera.zoomAt(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), event.clientX - box.left, event.clientY - box.top);
    show(now);
  }, { passive: false });
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("dblclick", () => { camera.reset(); show(now); });
  $("play").addEventListener("click", () => setPlaying(!playing));
  $("back").addEventListener("click", () => step(-1));
  $("forward").addEventListener("click", () => step(1));
  $("loop").addEventListener("click", toggleLoop);
  $("scrub").addEventListener("input", () => { setPlaying(false); show(Number($("scrub").value)); });
  document.addEventListener("keydown", onKey);
  new ResizeObserver(resize).observe(canvas.parentElement);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readColours(); rebuildCharts(); });
}

function toggleLoop() {
  looping = !looping;
  $("loop").setAttribute("aria-pressed", looping);
}

function onKey(event) {
  if (event.target.matches("input[type=search], select") || event.ctrlKey || event.metaKey || event.altKey) return;
  const far = event.shiftKey ? 10 : 1;
  const actions = {
    " ": () => setPlaying(!playing), ArrowLeft: () => step(-far), ArrowRight: () => step(far),
    Home: () => { setPlaying(false); show(start); }, End: () => { setPlaying(false); show(end); },
    "+": () => changeSpeed(1), "-": () => changeSpeed(-1), l: toggleLoop, L: toggleLoop,
    f: () => { camera.reset(); show(now); }, F: () => { camera.reset(); show(now); },
  };
  const action = Object.hasOwn(actions, event.key) ? actions[event.key] : null;
  if (!action) return;
  // space on a focused button or box keeps its own meaning
  if (event.key === " " && event.target.matches("button, input[type=checkbox], summary")) return;
  event.preventDefault();
  action();
}

function begin() {
  readColours();
  // #t=0.5 opens the page at that time; #show=names,forces switches drawings on
  const wish = new URLSearchParams(location.hash.slice(1));
  for (const key of (wish.get("show") || "").split(",")) if (Object.hasOwn(shown, key)) shown[key] = true;
  fillFacts();
  fillToggles();
  fillChoices();
  fillSpeed();
  $("scrub").min = start;
  $("scrub").max = end;
  listen();
  camera.resize(1, 1);
  rebuildCharts();
  resize();
  const wished = Number(wish.get("t"));
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (wish.has("t") && Number.isFinite(wished)) show(wished);
  else if (scene.autoplay && !calm) setPlaying(true);
  document.documentElement.dataset.state = "ready";
}

window.addEventListener("error", (event) => { document.documentElement.dataset.state = `error: ${event.message}`; });
begin();
