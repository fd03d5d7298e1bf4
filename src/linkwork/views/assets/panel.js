// panel: what is drawn and plotted, chosen from toggles and lists in groups

const $ = (id) => document.getElementById(id);
const plotted = new Set(scene.plotted);
const make = (tag, className = "", text = "") => { const found = document.createElement(tag); found.className = className; found.textContent = text; return found; };

// -- angles in degrees

let degrees = false;
const angular = (unitName) => /^rad(\/|$)/.test(unitName);
const factorOf = (unitName) => (degrees && angular(unitName) ? 180 / Math.PI : 1);
const unitOf = (unitName) => (degrees && angular(unitName) ? unitName.replace("rad", "deg") : unitName);

function setDegrees(on) {
  degrees = on;
  $("degrees").setAttribute("aria-pressed", on);
  for (const note of document.querySelectorAll("#quantity-list .what")) note.textContent = unitOf(note.dataset.unit);
  rebuildCharts();
}

// -- quantities in groups

const SECTIONS = ["bodies", "joints", "points", "relations", "couplings", "drivers", "forces", "outputs", "definitions", "whole mechanism", "others"];
const MANY = 12;

function choice(text, what, checked, onChange, title = "") {
  const item = make("li"), label = make("label"), box = make("input"), note = make("span", "what", what);
  box.type = "checkbox";
  box.checked = checked;
  box.addEventListener("change", () => onChange(box.checked));
  label.title = title;
  label.append(box, make("span", "name", text), note);
  item.append(label);
  return item;
}

function quantityItem(quantity, index) {
  const item = choice(quantity.name, unitOf(quantity.unit), plotted.has(index), (on) => {
    if (on) plotted.add(index); else plotted.delete(index);
    rebuildCharts();
  }, quantity.text);
  item.querySelector(".what").dataset.unit = quantity.unit;
  item.dataset.words = `${quantity.name} ${quantity.text} ${quantity.unit} ${quantity.section}`.toLowerCase();
  return item;
}

function fillQuantities() {
  const sections = new Map();
  scene.quantities.forEach((quantity, index) => {
    const elements = sections.get(quantity.section) || new Map();
    sections.set(quantity.section, elements.set(quantity.element, [...(elements.get(quantity.element) || []), [quantity, index]]));
  });
  const order = [...sections.keys()].sort((a, b) => SECTIONS.indexOf(a) - SECTIONS.indexOf(b));
  for (const section of order) $("quantity-list").append(sectionOf(section, sections.get(section)));
  $("quantities").querySelector(".count").textContent = scene.quantities.length;
  $("quantities").hidden = !scene.quantities.length;
  $("search").hidden = scene.quantities.length <= MANY;
  $("search").addEventListener("input", search);
  $("degrees").hidden = !scene.quantities.some((quantity) => angular(quantity.unit)) && !angular(scene.over.unit);
  $("degrees").addEventListener("click", () => setDegrees(!degrees));
}

function sectionOf(name, elements) {
  const group = make("details", "group"), head = make("summary", "", `${name[0].toUpperCase()}${name.slice(1)} `);
  const entries = [...elements.values()].flat();
  head.append(make("span", "count muted", entries.length));
  group.append(head);
  group.open = scene.quantities.length <= MANY || entries.some(([, index]) => plotted.has(index));
  for (const [element, members] of elements) {
    const list = make("ul", "choices"), block = make("div", "element");
    if (elements.size > 1) block.append(make("h3", "", element));
    list.append(...members.map(([quantity, index]) => quantityItem(quantity, index)));
    block.append(list);
    group.append(block);
  }
  return group;
}

// rows that have all words; groups open where something is found, and as they were without words
function search() {
  const words = $("search").value.trim().toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const group of $("quantity-list").querySelectorAll(".group")) {
    for (const item of group.querySelectorAll("li")) { item.hidden = !words.every((word) => item.dataset.words.includes(word)); found += item.hidden ? 0 : 1; }
    for (const block of group.querySelectorAll(".element")) block.hidden = !block.querySelector("li:not([hidden])");
    group.hidden = !group.querySelector("li:not([hidden])");
    if (group.dataset.open === undefined) group.dataset.open = group.open;
    group.open = words.length ? true : group.dataset.open === "true";
    if (!words.length) delete group.dataset.open;
  }
  $("none-found").hidden = found > 0;
}

function fillTraces() {
  $("trace-list").append(...scene.tracks.map((track, index) => choice(track.label, "", traced.has(index), (on) => {
    if (on) traced.add(index); else traced.delete(index);
    show(now);
  })));
  $("traces").querySelector(".count").textContent = scene.tracks.length;
  $("traces").hidden = !scene.tracks.length || stills !== null;
}

// -- positions to click through

function fillStills() {
  $("stills").hidden = stills === null;
  if (!stills) return;
  $("stills").querySelector(".count").textContent = stills.length;
  stills.forEach((still, index) => {
    const item = make("li"), button = make("button", "still");
    button.append(make("b", "", index + 1), make("span", "name", still.name), make("span", "what", still.text));
    button.addEventListener("click", () => { setPlaying(false); show(time[index]); });
    item.append(button);
    $("still-list").append(item);
  });
}
function markStill(frame) {
  const buttons = $("still-list").querySelectorAll("button");
  buttons.forEach((button, index) => button.setAttribute("aria-pressed", index === frame));
}

// -- toggles on the stage

function chip(text, title, onClick, pressed = null) {
  const found = make("button", "chip", text);
  found.title = title;
  if (pressed !== null) found.setAttribute("aria-pressed", pressed);
  found.addEventListener("click", () => { onClick(found); show(now); });
  return found;
}

function fillToggles() {
  const dashed = "dashed where redundant constraints leave it open";
  const kinds = [
    ["symbols", "Symbols", "Pins, bearings, sliders and supports (S)", true],
    ["names", "Names", "Names of bodies, joints and points (N)", true],
    ["reactions", "Reactions", `Forces and moments on the child by the parent; ${dashed} (R)`, hasLoads("reaction")],
    ["applied", "Applied loads", "Forces and moments of forces, springs, actuators and drivers (A)", hasLoads("applied")],
    ["contacts", "Contact", "What stops, friction and contacts push with (C)", hasLoads("contact")],
    ["masses", "Centres of mass", "Where the centres of mass are (M)", scene.bodies.some((body) => body.com)],
    ["grid", planar ? "Grid" : "Floor", "Lines that stand still (G)", true],
  ];
  for (const [key, text, title, possible] of kinds) {
    if (!possible) continue;
    const toggle = chip(text, title, () => setShown(key, !shown[key]), shown[key]);
    toggle.dataset.key = key;
    $("toggles").append(toggle);
  }
  $("toggles").append(chip("Fit", "Show all (double click, F)", () => camera.reset()), lengthOfArrows(), followChoice());
  showLength();
}

function setShown(key, on) {
  shown[key] = on;
  const toggle = $("toggles").querySelector(`[data-key="${key}"]`);
  if (toggle) toggle.setAttribute("aria-pressed", on);
  showLength();
  show(now);
}

function lengthOfArrows() {
  const label = make("label", "chip field"), slider = make("input");
  Object.assign(slider, { type: "range", min: -2, max: 2, step: 0.05, value: 0, id: "stretch", title: "How long arrows are ([ and ])" });
  slider.setAttribute("aria-label", "Length of arrows");
  slider.addEventListener("input", () => { stretch = 10 ** Number(slider.value); show(now); });
  label.id = "arrow-length";
  label.append("Arrows ", slider);
  return label;
}
function showLength() { const field = $("arrow-length"); if (field) field.hidden = !arrowsShown().length; }
function changeLength(by) { $("stretch").value = Number($("stretch").value) + by; stretch = 10 ** Number($("stretch").value); show(now); }

function followChoice() {
  const label = make("label", "chip field"), select = make("select");
  select.id = "follow";
  select.setAttribute("aria-label", "What the camera follows");
  select.add(new Option("nothing", ""));
  const names = new Set(scene.bodies.map((body) => body.name));
  for (const [title, wanted] of [["Bodies", true], ["Joints and points", false]]) {
    const group = document.createElement("optgroup");
    group.label = title;
    scene.targets.forEach((target, index) => { if (names.has(target.label) === wanted) group.append(new Option(target.label, index)); });
    if (group.children.length) select.append(group);
  }
  select.addEventListener("change", () => { follow(select.value === "" ? null : Number(select.value)); select.blur(); });
  label.hidden = stills !== null;
  label.append("Follow ", select);
  return label;
}
function follow(index) {
  camera.follow(index === null ? null : scene.targets[index]);
  $("follow").value = index === null ? "" : index;
  show(now);
}

// -- what is to be known

function fillFacts() {
  $("name").textContent = scene.name;
  document.title = scene.name;
  $("span").textContent = stills ? "" : `${shortNumber((end - start) * factorOf(scene.over.unit))} ${unitOf(scene.over.unit)}`;
  $("outcome").textContent = $("outcome").title = scene.outcome.text;
  $("outcome").classList.toggle("bad", !scene.outcome.good);
  $("hint").textContent = planar ? "drag to move, wheel to zoom" : "drag to turn, shift and drag to move, wheel to zoom";
  for (const [term, text] of [...scene.facts, ...scene.remarks.map((text) => ["remark", text])]) $("facts").append(make("dt", "", term), make("dd", "", text));
  $("run").hidden = !$("facts").children.length;
}
