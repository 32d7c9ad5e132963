// Handwritten digits: weights as images, and the class of a drawing.
import { bars, image, tag } from "./charts.js";
import { number } from "./plane_words.js";
import { call } from "./server_calls.js";

const $ = (id) => document.getElementById(id);
const SIDE = 32;
const SCALE = 8;
const PEN = 2.6; // radius

export class DigitsPane {
  constructor(app) {
    this.app = app;
    this.bitmap = new Uint8Array(SIDE * SIDE);
    this.pen = [16, 16];
    this.events();
    addEventListener("theme", () => this.paint());
    $("digit-clear").addEventListener("click", () => this.clear());
  }

  async open() {
    this.paint();
    if (this.model) { this.app.ready(); return; }
    $("digits-text").textContent = "Training on 1,348 digits … (a first run on this machine also compiles)";
    try {
      this.model = await call("/api/digits");
      this.app.message("");
    } catch (error) { this.app.message(error.message); $("digits-text").textContent = "Not trained."; return; }
    const { train, test, classes, weights } = this.model;
    const rate = (part) => `${(100 * (1 - part.errors / part.n)).toFixed(1)} % of ${part.n.toLocaleString("en")}`;
    $("digits-text").textContent = `right: ${rate(train)} training digits, ${rate(test)} test digits`;
    const sizes = weights.flat().map(Math.abs).sort((a, b) => a - b);
    const largest = sizes[Math.floor(0.97 * sizes.length)]; // larger weights have the full colour
    $("digit-weights").replaceChildren(...classes.map((digit, k) => {
      const figure = tag("figure");
      figure.append(image(`Weights of the digit ${digit}: red for, blue against`, weights[k], 8, largest), tag("figcaption", `for ${digit}`));
      return figure;
    }));
    this.app.ready();
    this.classify(); // what was drawn before the training ended
  }

  // ---- drawing

  events() {
    const canvas = $("drawing");
    const place = (event) => { const box = canvas.getBoundingClientRect(); return [((event.clientX - box.left) / box.width) * SIDE, ((event.clientY - box.top) / box.height) * SIDE]; };
    let last = null;
    canvas.addEventListener("pointerdown", (event) => { last = place(event); this.stroke(last, last); canvas.setPointerCapture(event.pointerId); event.preventDefault(); });
    canvas.addEventListener("pointermove", (event) => { if (!last) return; const here = place(event); this.stroke(last, here); last = here; });
    const end = () => { if (last) { last = null; this.classify(); } };
    canvas.addEventListener("pointerup", end);
    canvas.addEventListener("pointercancel", end);
    canvas.addEventListener("keydown", (event) => {
      const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
      if (event.key in moves) {
        const before = [...this.pen];
        this.pen = this.pen.map((v, k) => Math.min(Math.max(v + moves[event.key][k], 0), SIDE - 1));
        if (this.down) { this.stroke(before, this.pen); this.classify(); }
      } else if (event.key === " ") { this.down = !this.down; if (this.down) { this.stroke(this.pen, this.pen); this.classify(); } } else if (event.key === "Delete") this.clear();
      else return;
      event.preventDefault();
      this.paint(true);
    });
  }

  clear() {
    this.asked = (this.asked ?? 0) + 1; // a class on its way is of the old drawing
    this.bitmap.fill(0); this.down = false;
    this.paint(); $("digit-class").textContent = ""; $("digit-cells").replaceChildren(); $("digit-scores").replaceChildren();
  }

  // a pen of about five cells, as the strokes of the set are
  stroke([x1, y1], [x2, y2]) {
    const steps = Math.max(1, Math.ceil(2 * Math.hypot(x2 - x1, y2 - y1)));
    for (let k = 0; k <= steps; k++) {
      const [x, y] = [x1 + ((x2 - x1) * k) / steps, y1 + ((y2 - y1) * k) / steps];
      for (let i = 0; i < SIDE * SIDE; i++) if (Math.hypot((i % SIDE) + 0.5 - x, Math.floor(i / SIDE) + 0.5 - y) <= PEN) this.bitmap[i] = 1;
    }
    this.paint();
  }

  paint(cursor = false) {
    const context = $("drawing").getContext("2d");
    const style = getComputedStyle(document.documentElement);
    context.fillStyle = style.getPropertyValue("--panel");
    context.fillRect(0, 0, SIDE * SCALE, SIDE * SCALE);
    context.fillStyle = style.getPropertyValue("--ink");
    this.bitmap.forEach((ink, i) => { if (ink) context.fillRect((i % SIDE) * SCALE, Math.floor(i / SIDE) * SCALE, SCALE, SCALE); });
    if (cursor) { context.strokeStyle = style.getPropertyValue("--accent"); context.lineWidth = 2; context.strokeRect(this.pen[0] * SCALE - 6, this.pen[1] * SCALE - 6, 12, 12); }
  }

  async classify() {
    const cells = cellsOf(this.bitmap);
    const wanted = (this.asked = (this.asked ?? 0) + 1);
    if (!this.model || cells.every((v) => v === 0)) return;
    $("digit-cells").replaceChildren(image("The drawing as 8 by 8 counts of ink", cells, 8, 16));
    try {
      const found = await call("/api/digit", { cells });
      if (wanted !== this.asked) return;
      $("digit-class").textContent = `this is a ${found.class}`;
      $("digit-scores").replaceChildren(bars("Score of each digit", this.model.classes.map((c) => `score of ${c}`), found.scores, found.scores.map(number)));
    } catch (error) { this.app.message(error.message); }
  }
}

// the ink, centred, and counted in blocks of 4 × 4: 64 numbers from 0 to 16
export function cellsOf(bitmap) {
  const ink = [];
  bitmap.forEach((one, i) => { if (one) ink.push([i % SIDE, Math.floor(i / SIDE)]); });
  const cells = new Array(64).fill(0);
  if (!ink.length) return cells;
  const [xs, ys] = [ink.map((p) => p[0]), ink.map((p) => p[1])];
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const dx = Math.round((SIDE - 1 - x0 - x1) / 2), dy = Math.round((SIDE - 1 - y0 - y1) / 2);
  for (const [x, y] of ink) {
    const [cx, cy] = [x + dx, y + dy];
    if (cx >= 0 && cx < SIDE && cy >= 0 && cy < SIDE) cells[Math.floor(cy / 4) * 8 + Math.floor(cx / 4)] += 1;
  }
  return cells;
}
