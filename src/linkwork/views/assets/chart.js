// charts: the chosen quantities over time, one chart per unit, with a cursor at the present time

class Chart {
  constructor(unitName, members, onScrub) {
    this.members = members;
    this.root = document.createElement("div");
    this.root.className = "chart";
    this.legend = document.createElement("div");
    this.legend.className = "legend";
    this.canvas = document.createElement("canvas");
    this.canvas.setAttribute("aria-label", `Plot over ${scene.over.name}: ${members.map((m) => m.quantity.name).join(", ")}`);
    this.root.append(this.legend, this.canvas);
    this.unit = unitOf(unitName);
    this.factor = factorOf(unitName);
    this.readings = members.map(({ quantity, colour }) => this.addReading(quantity, colour));
    this.range = this.findRange();
    this.picture = document.createElement("canvas");
    const scrub = (event) => {
      const x = event.clientX - this.canvas.getBoundingClientRect().left;
      onScrub(start + ((x - this.left) / (this.w - this.left - 8)) * (end - start));
    };
    this.canvas.addEventListener("pointerdown", (event) => { this.canvas.setPointerCapture(event.pointerId); scrub(event); });
    this.canvas.addEventListener("pointermove", (event) => { if (event.buttons & 1) scrub(event); });
  }
  addReading(quantity, colour) {
    const entry = document.createElement("span"), swatch = document.createElement("i"), value = document.createElement("b");
    swatch.className = "swatch";
    swatch.style.background = colour;
    entry.title = quantity.text;
    entry.append(swatch, `${quantity.name} `, value);
    this.legend.append(entry);
    return value;
  }
  findRange() {
    let low = Infinity, high = -Infinity;
    for (const { quantity } of this.members) {
      for (const raw of quantity.values) {
        const value = raw * this.factor;
        if (value < low && Number.isFinite(value)) low = value;
        if (value > high && Number.isFinite(value)) high = value;
      }
    }
    this.empty = low > high;
    return limits(low, high, Math.max(...this.members.map(({ quantity }) => quantity.least)) * this.factor);
  }
  x(t) { return this.left + ((t - start) / (end - start || 1)) * (this.w - this.left - 8); }
  y(value) { return this.h - 20 - ((value - this.range[0]) / (this.range[1] - this.range[0])) * (this.h - 28); }
  // draw all that does not depend on the present time, once
  prepare() {
    const ratio = window.devicePixelRatio || 1;
    this.w = this.canvas.clientWidth; this.h = this.canvas.clientHeight;
    for (const sheet of [this.canvas, this.picture]) { sheet.width = Math.round(this.w * ratio); sheet.height = Math.round(this.h * ratio); }
    const pen = this.picture.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.font = '11px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';
    this.drawAxes(pen);
    pen.save();
    pen.beginPath(); pen.rect(this.left, 0, this.w - this.left, this.h - 19); pen.clip();
    for (const { quantity, colour } of this.members) this.drawSeries(pen, quantity, colour);
    pen.restore();
  }
  drawAxes(pen) {
    const rows = this.empty ? [] : ticks(this.range[0], this.range[1], 6), over = factorOf(scene.over.unit), columns = ticks(start * over, end * over, 6).map((t) => t / over);
    const texts = rowTexts(rows, this.range);
    this.left = Math.max(...texts.map((text) => pen.measureText(text).width), 20) + 8;
    pen.strokeStyle = ink.line; pen.fillStyle = ink.muted; pen.lineWidth = 1;
    pen.textAlign = "right"; pen.textBaseline = "middle";
    const stroke = (x1, y1, x2, y2) => { pen.beginPath(); pen.moveTo(x1, y1); pen.lineTo(x2, y2); pen.stroke(); };
    rows.forEach((value, i) => {
      const y = Math.round(this.y(value)) + 0.5;
      stroke(this.left, y, this.w - 8, y);
      pen.fillText(texts[i], this.left - 5, y);
    });
    pen.textAlign = "center"; pen.textBaseline = "top";
    for (const t of columns) {
      const x = Math.round(this.x(t)) + 0.5;
      stroke(x, this.h - 20, x, this.h - 16);
      pen.fillText(shortNumber(t * over), Math.min(x, this.w - 12), this.h - 14);
    }
    pen.save();
    pen.strokeStyle = ink.steel;
    if (scene.events.length > CROWD) pen.globalAlpha = Math.max(10 / scene.events.length, 0.05); else pen.setLineDash([4, 3]);
    for (const event of scene.events) stroke(this.x(event.time), 4, this.x(event.time), this.h - 20);
    pen.restore();
    if (this.empty) { pen.fillText("no values", (this.left + this.w) / 2, this.h / 2 - 10); }
    pen.textAlign = "left"; pen.textBaseline = "top";
    pen.fillText(this.unit ? `[${this.unit}]` : "", this.left + 4, 0);
    if (scene.over.name === "time") return;
    pen.textAlign = "right";
    pen.fillText(`over ${scene.over.name}${scene.over.unit ? ` [${unitOf(scene.over.unit)}]` : ""}`, this.w - 8, 0);
  }
  drawSeries(pen, quantity, colour) {
    pen.beginPath();
    let down = false;
    quantity.values.forEach((raw, i) => {
      const value = raw * this.factor;
      if (stills) { pen.moveTo(this.x(time[i]) + 3, this.y(value)); pen.arc(this.x(time[i]), this.y(value), 3, 0, 2 * Math.PI); return; }
      if (!Number.isFinite(value)) { down = false; return; }
      if (down) pen.lineTo(this.x(time[i]), this.y(value)); else pen.moveTo(this.x(time[i]), this.y(value));
      down = true;
    });
    pen.strokeStyle = colour; pen.lineWidth = 1.7; pen.lineJoin = "round";
    pen.stroke();
  }
  draw(t) {
    const pen = this.canvas.getContext("2d"), ratio = window.devicePixelRatio || 1, at = locate(t);
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    pen.drawImage(this.picture, 0, 0);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const x = this.x(t);
    pen.beginPath(); pen.moveTo(x, 4); pen.lineTo(x, this.h - 20);
    pen.strokeStyle = ink.ink; pen.lineWidth = 1; pen.stroke();
    this.members.forEach(({ quantity, colour }, i) => {
      const value = this.factor * blend(quantity.values, 1, 0, at);
      this.readings[i].textContent = shortNumber(Math.abs(value) < 0.02 * quantity.least * this.factor ? 0 : value);
      if (!Number.isFinite(value)) return;
      pen.beginPath(); pen.arc(x, this.y(value), 3.4, 0, 2 * Math.PI);
      pen.fillStyle = colour; pen.fill(); pen.strokeStyle = ink.panel; pen.lineWidth = 1.2; pen.stroke();
    });
  }
}

// what a chart shows of values from low to high; what changes by less than least says nothing, and is a level line
function limits(low, high, least) {
  if (low > high) return [-1, 1];
  const span = high - low, middle = (low + high) / 2, steady = Math.max(Math.abs(middle) * 0.05, least * 5e4) || 1;
  if (span < 0.02 * least || span <= 1e-12 * Math.abs(middle)) return [middle - steady, middle + steady];
  const half = Math.max(0.56 * span, 0.5 * least);
  return [middle - half, middle + half];
}

// what stands at lines: as many digits as tell one from the next; large numbers that change little by their change
function rowTexts(rows, range) {
  const base = Math.abs(range[0]) > 2000 * (range[1] - range[0]) ? rows[0] || 0 : 0, step = rows.length > 1 ? rows[1] - rows[0] : 1;
  const written = (value) => {
    const size = Math.abs(value), digits = 1 + Math.max(0, Math.min(15, Math.ceil(Math.log10(size / step) + 1e-9)));
    if (size < 1e-9 * step) return "0";
    const told = Number(value.toPrecision(digits));
    return size >= 1e6 || size < 1e-3 ? told.toExponential() : String(told);
  };
  return rows.map((value) => (base && value !== base ? `+${written(value - base)}` : written(value)));
}

// round numbers between low and high, at most as many as wanted and one
function ticks(low, high, wanted) {
  if (!(high > low)) return [low];
  const rough = (high - low) / wanted, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((m) => m * power >= rough * 0.999) * power, found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) found.push(i * step);
  return found;
}
