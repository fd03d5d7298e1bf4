// cameras: world to screen; project() gives [x, y, depth, pixels per metre], depth growing away from the eye

const upward = (() => {
  const g = in3(scene.gravity.length ? scene.gravity : [0, 0, 0]);
  return planar || Math.hypot(...g) === 0 ? [0, 0, 1] : unit(scaled(g, -1));
})();

class PlanarCamera {
  constructor() { this.zoom = 1; this.pan = [0, 0]; }
  resize(w, h) {
    this.w = w; this.h = h;
    const span = sub(corner[1], corner[0]);
    const room = [Math.max(w - 150, 60), Math.max(h - 150, 60)];
    this.fit = Math.min(room[0] / Math.max(span[0], 0.25 * size), room[1] / Math.max(span[1], 0.25 * size));
  }
  get scale() { return this.fit * this.zoom; }
  project(p) {
    const k = this.scale;
    return [this.w / 2 + this.pan[0] + (p[0] - centre[0]) * k, this.h / 2 + this.pan[1] - (p[1] - centre[1]) * k, 0, k];
  }
  unproject(x, y) {
    const k = this.scale;
    return [(x - this.w / 2 - this.pan[0]) / k + centre[0], centre[1] - (y - this.h / 2 - this.pan[1]) / k];
  }
  drag(dx, dy) { this.pan[0] += dx; this.pan[1] += dy; }
  zoomAt(factor, x, y) {
    const zoom = Math.min(Math.max(this.zoom * factor, 0.05), 200), k = zoom / this.zoom;
    this.pan[0] = (x - this.w / 2) * (1 - k) + this.pan[0] * k;
    this.pan[1] = (y - this.h / 2) * (1 - k) + this.pan[1] * k;
    this.zoom = zoom;
  }
  reset() { this.zoom = 1; this.pan = [0, 0]; }
}

class OrbitCamera {
  constructor() {
    this.side = unit(cross(Math.abs(upward[1]) < 0.9 ? [0, 1, 0] : [0, 0, 1], upward));
    this.ahead = cross(upward, this.side);
    this.reset();
  }
  reset() { this.azimuth = -0.95; this.elevation = 0.38; this.zoom = 1; this.pan = [0, 0]; this.turn(); this.home = { right: this.right, up: this.up }; }
  turn() {
    const ca = Math.cos(this.azimuth), sa = Math.sin(this.azimuth), ce = Math.cos(this.elevation), se = Math.sin(this.elevation);
    const flat = add(scaled(this.side, ca), scaled(this.ahead, sa));
    this.toEye = add(scaled(flat, ce), scaled(upward, se));
    this.right = cross(upward, flat);
    this.up = cross(this.toEye, this.right);
  }
  // the box of the whole motion fills the stage in the first view
  resize(w, h) {
    this.w = w; this.h = h;
    let [wide, high] = [0.2 * size, 0.2 * size];
    for (let i = 0; i < 8; i++) {
      const d = sub([corner[i & 1][0], corner[(i >> 1) & 1][1], corner[i >> 2][2]], centre);
      wide = Math.max(wide, 2 * Math.abs(dot(d, this.home.right)));
      high = Math.max(high, 2 * Math.abs(dot(d, this.home.up)));
    }
    this.fit = Math.min(Math.max(w - 170, 60) / wide, Math.max(h - 190, 60) / high);
  }
  get scale() { return this.fit * this.zoom; }
  project(p) {
    const d = sub(p, centre), depth = -dot(d, this.toEye), distance = 3.2 * size;
    const k = (this.scale * distance) / Math.max(distance + depth, 0.05 * size);
    return [this.w / 2 + this.pan[0] + dot(d, this.right) * k, this.h / 2 + this.pan[1] - dot(d, this.up) * k, depth, k];
  }
  drag(dx, dy, shifted) {
    if (shifted) { this.pan[0] += dx; this.pan[1] += dy; return; }
    this.azimuth -= dx * 0.008;
    this.elevation = Math.min(Math.max(this.elevation + dy * 0.008, -1.54), 1.54);
    this.turn();
  }
  zoomAt(factor, x, y) { PlanarCamera.prototype.zoomAt.call(this, factor, x, y); }
}

const camera = planar ? new PlanarCamera() : new OrbitCamera();
