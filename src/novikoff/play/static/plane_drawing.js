// Draw points, lines, hulls and the violated point in the plane. Lines are computed from their weights.
import { make, text, tickText, ticks } from "./charts.js";

export const SIZE = 560;
const EDGE = 46;
const LETTERS = 5; // of a number beside the plane; longer ones are drawn narrower

export class PlaneDrawing {
  constructor(svg) {
    this.svg = svg;
    this.box = [-4, 4, -4, 4];
    this.layers = {};
    for (const name of ["grid", "band", "runs", "hulls", "lines", "points", "marks", "cursor"]) {
      this.layers[name] = make("g", { "aria-hidden": "true" });
      svg.append(this.layers[name]);
    }
  }

  // show all points with room around them; whole numbers at the edges, the same unit in both directions
  fit(points) {
    if (points.length === 0) this.box = [-4, 4, -4, 4];
    else {
      const [xs, ys] = [points.map((p) => p.x), points.map((p) => p.y)];
      const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
      const half = Math.max(x1 - x0, y1 - y0, 1) * 0.5 * 1.5 + 0.25;
      const [cx, cy] = [(x0 + x1) / 2, (y0 + y1) / 2];
      this.box = [cx - half, cx + half, cy - half, cy + half];
    }
    this.grid();
  }

  shows(points) {
    const [x0, x1, y0, y1] = this.box;
    return points.every((p) => p.x >= x0 && p.x <= x1 && p.y >= y0 && p.y <= y1);
  }

  at(x, y) {
    const [x0, x1, y0, y1] = this.box;
    return [EDGE + ((x - x0) / (x1 - x0)) * (SIZE - 2 * EDGE), SIZE - EDGE - ((y - y0) / (y1 - y0)) * (SIZE - 2 * EDGE)];
  }

  // the point of the plane under a pointer event
  under(event) {
    const corner = this.svg.getBoundingClientRect();
    const scale = Math.min(corner.width, corner.height) / SIZE;
    const px = (event.clientX - corner.left - (corner.width - SIZE * scale) / 2) / scale;
    const py = (event.clientY - corner.top - (corner.height - SIZE * scale) / 2) / scale;
    const [x0, x1, y0, y1] = this.box;
    return [x0 + ((px - EDGE) / (SIZE - 2 * EDGE)) * (x1 - x0), y0 + ((SIZE - EDGE - py) / (SIZE - 2 * EDGE)) * (y1 - y0)];
  }

  get unit() { return (this.box[1] - this.box[0]) / (SIZE - 2 * EDGE); }

  clear(name) { this.layers[name].replaceChildren(); return this.layers[name]; }

  grid() {
    const layer = this.clear("grid");
    const [x0, x1, y0, y1] = this.box;
    for (const x of ticks(x0, x1, 8)) {
      const [px] = this.at(x, 0);
      layer.append(make("line", { x1: px, x2: px, y1: EDGE, y2: SIZE - EDGE, class: x === 0 ? "axis" : "gridline" }), text(px, SIZE - 8, tickText(x), "middle", "soft"));
    }
    for (const y of ticks(y0, y1, 8)) {
      const [, py] = this.at(0, y);
      layer.append(make("line", { x1: EDGE, x2: SIZE - EDGE, y1: py, y2: py, class: y === 0 ? "axis" : "gridline" }), text(EDGE - 4, py + 4, tickText(y), "end", "soft"));
      const last = layer.lastChild;
      if (last.textContent.length > LETTERS) for (const [key, value] of [["textLength", EDGE - 8], ["lengthAdjust", "spacingAndGlyphs"]]) last.setAttribute(key, value);
    }
  }

  // ends of a·x + b·y + c = 0 in the window, or null
  ends([a, b, c]) {
    const [x0, x1, y0, y1] = this.box;
    const found = [];
    const add = (x, y) => { if (x >= x0 - 1e-9 && x <= x1 + 1e-9 && y >= y0 - 1e-9 && y <= y1 + 1e-9) found.push([x, y]); };
    if (Math.abs(b) > 0) for (const x of [x0, x1]) add(x, -(a * x + c) / b);
    if (Math.abs(a) > 0) for (const y of [y0, y1]) add(-(b * y + c) / a, y);
    if (found.length < 2) return null;
    found.sort((p, q) => p[0] - q[0] || p[1] - q[1]);
    return [found[0], found[found.length - 1]];
  }

  line(name, weights, kind) {
    const found = this.ends(weights);
    if (!found) return;
    const [[x1, y1], [x2, y2]] = found.map((p) => this.at(...p));
    this.layers[name].append(make("line", { x1, y1, x2, y2, class: kind }));
  }

  // the curve where w·(x, y, x², xy, y²) + b = 0: marching squares, corners interpolated
  conic(name, w, kind) {
    const value = (x, y) => w[0] * x + w[1] * y + w[2] * x * x + w[3] * x * y + w[4] * y * y + (w[5] ?? 0);
    const [x0, x1, y0, y1] = this.box;
    const n = 140;
    const at = (i, j) => [x0 + ((x1 - x0) * i) / n, y0 + ((y1 - y0) * j) / n];
    const values = [];
    for (let i = 0; i <= n; i++) { values.push([]); for (let j = 0; j <= n; j++) values[i].push(value(...at(i, j))); }
    let path = "";
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) {
      const corners = [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]];
      const crossings = [];
      for (let k = 0; k < 4; k++) {
        const [p, q] = [corners[k], corners[(k + 1) % 4]];
        const [u, v] = [values[p[0]][p[1]], values[q[0]][q[1]]];
        if (u > 0 !== v > 0) {
          const share = u / (u - v), [a, b] = [at(...p), at(...q)];
          crossings.push(this.at(a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])));
        }
      }
      for (let k = 0; k + 1 < crossings.length; k += 2) path += `M${crossings[k].map((v) => v.toFixed(1))}L${crossings[k + 1].map((v) => v.toFixed(1))}`;
    }
    this.layers[name].append(make("path", { d: path, class: kind }));
  }

  // the strip |w·x + b| ≤ distance·|w|
  band([a, b, c], distance) {
    const length = Math.hypot(a, b);
    const [x0, x1, y0, y1] = this.box;
    const far = 2 * Math.hypot(x1 - x0, y1 - y0) + Math.abs(c / length);
    const [nx, ny] = [a / length, b / length];
    const [fx, fy] = [-nx * (c / length), -ny * (c / length)];
    const corners = [[-far, -1], [far, -1], [far, 1], [-far, 1]].map(([t, s]) => this.at(fx - ny * t + nx * distance * s, fy + nx * t + ny * distance * s));
    const clip = make("clipPath", { id: "window" }, make("rect", { x: EDGE, y: EDGE, width: SIZE - 2 * EDGE, height: SIZE - 2 * EDGE }));
    this.layers.band.append(clip, make("polygon", { points: corners.map((p) => p.map((v) => v.toFixed(1)).join(",")).join(" "), class: "band", "clip-path": "url(#window)" }));
  }

  // the direction of w, as an arrow from the line
  normal([a, b, c]) {
    const ends = this.ends([a, b, c]);
    const length = Math.hypot(a, b);
    if (!ends || !length) return;
    const [x, y] = this.at((ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2);
    const [dx, dy] = [(a / length) * 34, (-b / length) * 34];
    const [px, py] = [-dy * 0.16, dx * 0.16];
    this.layers.lines.append(make("line", { x1: x, y1: y, x2: x + dx, y2: y + dy, class: "normal" }),
      make("polygon", { points: [[x + dx * 1.25, y + dy * 1.25], [x + dx * 0.85 + px, y + dy * 0.85 + py], [x + dx * 0.85 - px, y + dy * 0.85 - py]].map((p) => p.map((v) => v.toFixed(1)).join(",")).join(" "), class: "normal" }));
  }

  points(points, isTest, numbered) {
    const layer = this.clear("points");
    points.forEach((p, i) => {
      const [x, y] = this.at(p.x, p.y);
      const kind = `${p.s > 0 ? "red" : "blue"}${isTest(i) ? " test" : ""}`;
      layer.append(p.s > 0 ? make("circle", { cx: x, cy: y, r: 8, class: kind, "data-point": i }) : make("rect", { x: x - 7, y: y - 7, width: 14, height: 14, class: kind, "data-point": i }));
      if (numbered) layer.append(text(x + 14, y - 12, String(i + 1)));
    });
  }

  ring(p, kind, r = 14) {
    const [cx, cy] = this.at(p.x, p.y);
    this.layers.marks.append(make("circle", { cx, cy, r, class: kind }));
  }

  hull(points, kind) {
    const corners = hullOf(points.map((p) => [p.x, p.y]));
    this.layers.hulls.append(make("polygon", { points: corners.map((p) => this.at(...p).map((v) => v.toFixed(1)).join(",")).join(" "), class: kind }));
  }

  cross(x, y, kind = "meeting", half = 9, layer = "marks") {
    const [px, py] = this.at(x, y);
    this.layers[layer].append(make("line", { x1: px - half, y1: py - half, x2: px + half, y2: py + half, class: kind }), make("line", { x1: px - half, y1: py + half, x2: px + half, y2: py - half, class: kind }));
  }

  cursor(x, y) {
    const [px, py] = this.at(x, y);
    this.clear("cursor").append(make("line", { x1: px - 14, x2: px + 14, y1: py, y2: py, class: "cursor" }), make("line", { x1: px, x2: px, y1: py - 14, y2: py + 14, class: "cursor" }));
  }
}

// corners of the convex hull (Andrew's monotone chain)
export function hullOf(points) {
  const sorted = [...points].sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  if (sorted.length < 3) return sorted;
  const half = (list) => {
    const found = [];
    for (const p of list) {
      while (found.length > 1 && (found.at(-1)[0] - found.at(-2)[0]) * (p[1] - found.at(-2)[1]) - (found.at(-1)[1] - found.at(-2)[1]) * (p[0] - found.at(-2)[0]) <= 0) found.pop();
      found.push(p);
    }
    return found.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}
