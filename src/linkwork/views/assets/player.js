// player: controls, keyboard, and the clock that moves everything

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
  drawHolding(now);
  markEvents(now);
  for (const chart of charts) chart.draw(now);
  $("scrub").value = now;
  if (stills) { const [frame] = locate(now); markStill(frame); $("clock").textContent = `${frame + 1} of ${stills.length}`; return; }
  const k = factorOf(scene.over.unit);
  $("clock").textContent = `${(now * k).toFixed(decimals)} / ${(end * k).toFixed(decimals)} ${unitOf(scene.over.unit)}`;
}

function advance(stamp) {
  if (last !== null) now += ((stamp - last) / 1000) * rate;
  last = stamp;
  if (now < end + (stills ? 1 : 0)) return;
  if (stills && looping) { now = start; return; }
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
  prepareBand();
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
  $("no-charts").hidden = charts.length > 0 || stills !== null;
  for (const chart of charts) chart.prepare();
  prepareBand();
  // at once: a new size has wiped the canvas
  drawAll();
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
      // two fingers: spread to zoom, move together to shift
      const far = (e) => Math.hypot(e.clientX - others[0].clientX, e.clientY - others[0].clientY);
      camera.zoomAt(far(event) / Math.max(far(before), 1), others[0].clientX - box.left, others[0].clientY - box.top);
      camera.drag((event.clientX - before.clientX) / 2, (event.clientY - before.clientY) / 2, true);
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
  if (event.target.matches("input[type=search], select, #stretch") || event.ctrlKey || event.metaKey || event.altKey) return;
  const far = event.shiftKey ? 10 : 1;
  const actions = {
    " ": () => setPlaying(!playing), ArrowLeft: () => step(-far), ArrowRight: () => step(far),
    Home: () => { setPlaying(false); show(start); }, End: () => { setPlaying(false); show(end); },
    "+": () => changeSpeed(1), "-": () => changeSpeed(-1), l: toggleLoop, d: () => setDegrees(!degrees),
    f: () => { camera.reset(); show(now); }, "[": () => changeLength(-0.1), "]": () => changeLength(0.1),
    ...Object.fromEntries(Object.keys(shown).map((key) => [key[0], () => setShown(key, !shown[key])])),
  };
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const action = Object.hasOwn(actions, key) ? actions[key] : null;
  if (!action) return;
  // space on a focused button or box keeps its own meaning
  if (key === " " && event.target.matches("button, input[type=checkbox], summary")) return;
  event.preventDefault();
  action();
}

function begin() {
  readColours();
  // #t=0.5 opens the page at that time; #show=names,reactions and #hide=symbols switch drawings on and off; #degrees
  const wish = new URLSearchParams(location.hash.slice(1));
  for (const [word, on] of [["show", true], ["hide", false]]) for (const key of (wish.get(word) || "").split(",")) if (Object.hasOwn(shown, key)) shown[key] = on;
  degrees = wish.has("degrees");
  fillFacts();
  fillToggles();
  fillQuantities();
  fillTraces();
  fillEvents();
  fillStills();
  fillSpeed();
  $("degrees").setAttribute("aria-pressed", degrees);
  $("scrub").min = start;
  $("scrub").max = end;
  listen();
  camera.resize(1, 1);
  if (scene.followed !== null) follow(scene.followed);
  const wished = Number(wish.get("t")), placed = wish.has("t") && Number.isFinite(wished);
  // before the first drawing, which is at that time then: a page is ready as it was asked for
  if (placed) now = Math.min(Math.max(wished, start), end);
  rebuildCharts();
  resize();
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (!placed && scene.autoplay && !calm && !stills) setPlaying(true);
  document.documentElement.dataset.state = "ready";
}

window.addEventListener("error", (event) => { document.documentElement.dataset.state = `error: ${event.message}`; });
begin();
