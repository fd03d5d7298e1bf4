// cameras: world to screen; project() gives [x, y, depth, pixels per metre, behind the eye], depth growing away from the eye
// a camera looks at a box that stands, or that goes along with a point which it follows

const upward = (() => {
  const g = in3(scene.gravity.length ? scene.gravity : [0, 0, 0]);
  return planar || Math.hypot(...g) === 0 ? [0, 0, 1] : unit(scaled(g, -1));
})();

// the box of all bodies as a followed point sees them
function seenFrom(target) {
  if (!target.box) {
    let low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    const some = (lines, every) => lines.flatMap((line) => line.filter((_, i) => i % every === 0));
    const ends = scene.bodies.map((body, index) => {
      const rims = scene.wheels.filter((wheel) => wheel.body === index).map((wheel) => wheel.rings[0]);
      return [...body.points, body.centre, ...some(body.outlines, 8), ...some(rims, 5)];
    });
    for (const at of someFrames(240)) {
      const eye = pointAt(target, at);
      ends.forEach((points, index) => {
        for (const point of points) {
          const p = sub(pointAt({ body: index, point }, at), eye);
          if (!p.every(Number.isFinite)) continue;
          low = low.map((x, i) => Math.min(x, p[i])); high = high.map((x, i) => Math.max(x, p[i]));
        }
      });
    }
    target.box = low[0] <= high[0] ? boxOf(low, high) : whole;
  }
  return target.box;
}

class PlanarCamera {
  constructor() { this.box = whole; this.centre = whole.centre; this.target = null; this.reset(); }
  follow(target) { this.target = target; this.box = target ? seenFrom(target) : whole; this.resize(this.w, this.h); this.reset(); }
  // where it looks at a time
  aim(at) { this.centre = this.target ? add(this.box.centre, pointAt(this.target, at)) : this.box.centre; }
  resize(w, h) {
    this.w = w; this.h = h;
    const { low, high } = this.box, span = sub(high, low), least = Math.max(0.25 * this.box.size, 0.4 * size);
    const room = [Math.max(w - 150, 60), Math.max(h - 170, 60)];
    this.fit = Math.min(room[0] / Math.max(span[0], least), room[1] / Math.max(span[1], least));
  }
  get scale() { return this.fit * this.zoom; }
  project(p) {
    const k = this.scale;
    return [this.w / 2 + this.pan[0] + (p[0] - this.centre[0]) * k, this.h / 2 + this.pan[1] - (p[1] - this.centre[1]) * k, 0, k, false];
  }
  unproject(x, y) {
    const k = this.scale;
    return [(x - this.w / 2 - this.pan[0]) / k + this.centre[0], this.centre[1] - (y - this.h / 2 - this.pan[1]) / k];
  }
  drag(dx, dy) { this.pan[0] += dx; this.pan[1] += dy; }
  zoomAt(factor, x, y) {
    const zoom = Math.min(Math.max(this.zoom * factor, 0.02), 500), k = zoom / this.zoom;
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
    this.box = whole; this.centre = whole.centre; this.target = null;
    this.reset();
  }
  follow(target) { PlanarCamera.prototype.follow.call(this, target); }
  aim(at) { PlanarCamera.prototype.aim.call(this, at); }
  reset() { this.azimuth = -0.95; this.elevation = 0.38; this.zoom = 1; this.pan = [0, 0]; this.turn(); this.home = { right: this.right, up: this.up, toEye: this.toEye }; }
  turn() {
    const ca = Math.cos(this.azimuth), sa = Math.sin(this.azimuth), ce = Math.cos(this.elevation), se = Math.sin(this.elevation);
    const flat = add(scaled(this.side, ca), scaled(this.ahead, sa));
    this.toEye = add(scaled(flat, ce), scaled(upward, se));
    this.right = cross(upward, flat);
    this.up = cross(this.toEye, this.right);
  }
  // the box fills the stage in the first view
  resize(w, h) {
    this.w = w; this.h = h;
    const { low, high, centre } = this.box, least = Math.max(0.2 * this.box.size, 0.3 * size);
    let [wide, high2] = [least, least];
    for (let i = 0; i < 8; i++) {
      const corner = [[low, high][i & 1][0], [low, high][(i >> 1) & 1][1], [low, high][i >> 2][2]], d = sub(corner, centre);
      // what is nearer than the centre looks larger
      const k = 2 * this.distance / (this.distance - dot(d, this.home.toEye));
      wide = Math.max(wide, k * Math.abs(dot(d, this.home.right)));
      high2 = Math.max(high2, k * Math.abs(dot(d, this.home.up)));
    }
    this.fit = Math.min(Math.max(w - 170, 60) / wide, Math.max(h - 190, 60) / high2);
  }
  get scale() { return this.fit * this.zoom; }
  get distance() { return 3.2 * Math.max(this.box.size, size); }
  project(p) {
    const d = sub(p, this.centre), depth = -dot(d, this.toEye), distance = this.distance;
    const k = (this.scale * distance) / Math.max(distance + depth, 0.02 * distance);
    return [this.w / 2 + this.pan[0] + dot(d, this.right) * k, this.h / 2 + this.pan[1] - dot(d, this.up) * k, depth, k, distance + depth < 0.03 * distance];
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
const screen = (p) => camera.project(p);
