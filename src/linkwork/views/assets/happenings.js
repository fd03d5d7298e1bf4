// happenings: what holds when, as a band with the present time, and events to go to

const CROWD = 40; // more events than that are pale lines
const LISTED = 8; // what holds now, in words on the stage
const ROW = 24, BAR = 7; // pixels of a row of the band and of its bar

for (const row of scene.holding) { row.spans = unpack(row.spans, Float64Array); row.holds = false; }

// whether something holds at a time: its spans are in the order of time, and the last one holds at the end too
function holdsAt({ spans }, t) {
  let low = 0, high = spans.length / 2;
  while (low < high) { const m = (low + high) >> 1; if (spans[2 * m] <= t) low = m + 1; else high = m; }
  return low > 0 && (t < spans[2 * low - 1] || (t === end && spans[2 * low - 1] === end));
}

class Band {
  constructor(rows, onScrub) {
    this.rows = rows;
    this.root = make("div", "chart band");
    this.canvas = make("canvas");
    this.canvas.style.height = `${rows.length * ROW + 4}px`;
    this.canvas.setAttribute("aria-label", `What holds when: ${rows.map((row) => row.name).join(", ")}`);
    this.root.append(this.canvas);
    this.picture = make("canvas");
    const timeAt = (event) => start + ((event.clientX - this.canvas.getBoundingClientRect().left - this.left) / (this.w - this.left - 8)) * (end - start);
    this.canvas.addEventListener("pointerdown", (event) => { this.canvas.setPointerCapture(event.pointerId); onScrub(timeAt(event)); });
    this.canvas.addEventListener("pointermove", (event) => { if (event.buttons & 1) onScrub(timeAt(event)); else this.explain(event, timeAt(event)); });
  }
  // the row below the pointer, and from when to when it holds there
  explain(event, t) {
    const row = this.rows[Math.floor((event.clientY - this.canvas.getBoundingClientRect().top) / ROW)];
    let text = row ? row.name : "";
    for (let i = 0; row && i < row.spans.length; i += 2) if (row.spans[i] <= t && t <= row.spans[i + 1]) text += `\n${timeText(row.spans[i])} to ${timeText(row.spans[i + 1])}`;
    this.canvas.title = text;
  }
  x(t) { return this.left + ((t - start) / (end - start || 1)) * (this.w - this.left - 8); }
  // bars below the plots, whose time begins where theirs does
  prepare() {
    const ratio = window.devicePixelRatio || 1;
    this.left = charts.length ? Math.max(...charts.map((chart) => chart.left)) : 0;
    this.w = this.canvas.clientWidth; this.h = this.canvas.clientHeight;
    for (const sheet of [this.canvas, this.picture]) { sheet.width = Math.round(this.w * ratio); sheet.height = Math.round(this.h * ratio); }
    const paint = this.picture.getContext("2d");
    paint.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.rows.forEach((row, i) => {
      const y = i * ROW + ROW - BAR - 1;
      paint.fillStyle = ink.grid;
      paint.fillRect(this.left, y, this.w - this.left - 8, BAR);
      paint.fillStyle = toneOf(row.colour);
      // what is shorter than a pixel is seen too
      for (let k = 0; k < row.spans.length; k += 2) paint.fillRect(this.x(row.spans[k]), y, Math.max(this.x(row.spans[k + 1]) - this.x(row.spans[k]), 1), BAR);
    });
  }
  draw(t) {
    const paint = this.canvas.getContext("2d"), ratio = window.devicePixelRatio || 1;
    paint.setTransform(1, 0, 0, 1, 0, 0);
    paint.clearRect(0, 0, this.canvas.width, this.canvas.height);
    paint.drawImage(this.picture, 0, 0);
    paint.setTransform(ratio, 0, 0, ratio, 0, 0);
    paint.textAlign = "left"; paint.textBaseline = "alphabetic";
    this.rows.forEach((row, i) => {
      paint.font = `${row.holds ? 650 : 400} 11.5px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif`;
      paint.fillStyle = row.holds ? ink.ink : ink.muted;
      paint.fillText(row.name, this.left, i * ROW + ROW - BAR - 5);
    });
    paint.beginPath(); paint.moveTo(this.x(t), 2); paint.lineTo(this.x(t), this.h);
    paint.strokeStyle = ink.ink; paint.lineWidth = 1; paint.stroke();
  }
}

const band = scene.holding.length ? new Band(scene.holding, (t) => { setPlaying(false); show(t); }) : null;
const timeText = (t) => `${Number((t * factorOf(scene.over.unit)).toPrecision(7))} ${unitOf(scene.over.unit)}`;

function prepareBand() {
  if (!band) return;
  if (!band.root.isConnected) { $("band").hidden = false; $("band").append(band.root); }
  band.prepare();
}

// what holds at a time, on the stage; its words change where the mode does
function drawHolding(t) {
  if (!band) return;
  for (const row of scene.holding) row.holds = holdsAt(row, t);
  const now = scene.holding.filter((row) => row.holds), key = now.map((row) => row.name).join("|");
  if ($("holding").dataset.key !== key) {
    $("holding").dataset.key = key;
    const pills = now.slice(0, LISTED).map((row) => { const pill = make("li", "", row.name), dot = make("i"); dot.style.background = toneOf(row.colour); pill.prepend(dot); return pill; });
    if (now.length > LISTED) pills.push(make("li", "", `${now.length - LISTED} more`));
    $("holding").replaceChildren(...pills);
  }
  band.draw(t);
}

// -- events

const goTo = (event) => { setPlaying(false); show(event.time); };
const eventButtons = [];

function fillEvents() {
  $("events").hidden = !scene.events.length;
  $("events").querySelector(".count").textContent = scene.events.length + scene.events_left_out;
  for (const event of scene.events) {
    const item = make("li"), button = make("button", "still"), mark = make("button");
    button.append(make("b", "", timeText(event.time)), make("span", "name", event.name), make("span", "what", event.text));
    mark.title = [`${event.name} at ${timeText(event.time)}`, event.text].filter(Boolean).join("\n");
    mark.style.left = `${(100 * (event.time - start)) / (end - start || 1)}%`;
    mark.tabIndex = -1;
    for (const each of [button, mark]) each.addEventListener("click", () => goTo(event));
    item.append(button);
    eventButtons.push(button);
    $("event-list").append(item);
    $("marks").append(mark);
  }
}

// the events at the present time
let passed = [0, 0];
function markEvents(t) {
  const near = 1e-9 * (end - start), first = firstFrom(t - near), last = firstFrom(t + near);
  if (first === passed[0] && last === passed[1]) return;
  for (const button of eventButtons.slice(...passed)) button.removeAttribute("aria-pressed");
  for (const button of eventButtons.slice(first, last)) button.setAttribute("aria-pressed", "true");
  passed = [first, last];
}
// how many events are before a time
function firstFrom(t) {
  let low = 0, high = scene.events.length;
  while (low < high) { const m = (low + high) >> 1; if (scene.events[m].time < t) low = m + 1; else high = m; }
  return low;
}
