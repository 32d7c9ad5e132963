// Put, move and erase points by pointer and by keyboard.
import { MOST_POINTS } from "./page_state.js";
import { PlaneView } from "./plane_view.js";

const $ = (id) => document.getElementById(id);
const NEAR = 15; // units of the drawing

export class PlaneInput extends PlaneView {
  constructor(app) {
    super(app);
    this.held = null; // the point that is dragged, or picked up by keyboard
    this.pointer();
    this.keys();
  }

  snapped([x, y]) {
    const snap = Number($("snap").value);
    return [x, y].map((v) => Math.round(v / snap) * snap + 0);
  }

  // the nearest multiples of the snap inside the window; its edge where it has none
  snappedInside(place) {
    const [snap, [x0, x1, y0, y1]] = [Number($("snap").value), this.drawing.box];
    const inside = (v, low, high) => {
      const multiple = Math.min(Math.max(v, Math.ceil(low / snap) * snap), Math.floor(high / snap) * snap) + 0;
      return Math.min(Math.max(multiple, low), high);
    };
    const [x, y] = this.snapped(place);
    return [inside(x, x0, x1), inside(y, y0, y1)];
  }

  near([x, y], reach = NEAR) {
    let [best, at] = [reach * this.drawing.unit, -1];
    this.state.points.forEach((p, i) => { const far = Math.hypot(p.x - x, p.y - y); if (far <= best) [best, at] = [far, i]; });
    return at;
  }

  get tool() { return document.querySelector('input[name="tool"]:checked').value; }

  pointer() {
    const svg = $("plane");
    svg.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      svg.focus({ preventScroll: true });
      const place = this.drawing.under(event);
      const found = this.near(place);
      event.preventDefault();
      if (this.tool === "erase") { if (found >= 0) { this.edit(() => this.state.points.splice(found, 1)); this.refresh(); } return; }
      if (found < 0 && this.tool === "move") return;
      if (found < 0 && !this.put(place, this.tool === "red" ? 1 : -1)) return;
      if (found >= 0) this.edit(() => {});
      this.held = found < 0 ? this.state.points.length - 1 : found;
      svg.setPointerCapture(event.pointerId);
      this.refresh(true);
    });
    svg.addEventListener("pointermove", (event) => {
      if (this.held === null || !svg.hasPointerCapture(event.pointerId)) return;
      const [x, y] = this.snappedInside(this.drawing.under(event));
      const p = this.state.points[this.held];
      if (p && (p.x !== x || p.y !== y)) { Object.assign(p, { x, y }); this.refresh(true); }
    });
    const end = () => { if (this.held !== null) { this.held = null; this.refresh(); } };
    svg.addEventListener("pointerup", end);
    svg.addEventListener("pointercancel", end);
  }

  // whether there was room for one more point
  put(place, s) {
    if (this.state.points.length >= MOST_POINTS) { this.app.message(`The page takes up to ${MOST_POINTS.toLocaleString("en")} points.`); return false; }
    const [x, y] = this.snapped(place);
    this.edit(() => this.state.points.push({ x, y, s }));
    return true;
  }

  keys() {
    $("plane").addEventListener("keydown", (event) => {
      const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      this.cursor ??= this.snapped([(this.drawing.box[0] + this.drawing.box[1]) / 2, (this.drawing.box[2] + this.drawing.box[3]) / 2]);
      const here = this.near(this.cursor, 4);
      if (key in moves) this.moveCursor(moves[key], event.shiftKey ? 4 : 1);
      else if (key === "r" || key === "b") { if (this.put(this.cursor, key === "r" ? 1 : -1)) this.refresh(); }
      else if (key === "Delete" || key === "Backspace") { if (here >= 0) { this.edit(() => this.state.points.splice(here, 1)); this.refresh(); } }
      else if (key === "Enter") this.pickUp(here);
      else if (key === "n") this.go(this.k + 1);
      else if (key === "p") this.go(this.k - 1);
      else if (key === " ") this.playOrPause();
      else if (key === "Home") this.go(0);
      else if (key === "End") this.go(Infinity);
      else if (key === "z") this.undo();
      else return;
      event.preventDefault();
      this.drawing.cursor(...this.cursor);
      this.cursorText();
    });
    $("plane").addEventListener("blur", () => { if (this.held !== null && this.cursor) this.pickUp(-1); this.drawing.clear("cursor"); this.cursor = null; $("cursor-text").textContent = ""; });
  }

  moveCursor([dx, dy], times) {
    const snap = Math.max(Number($("snap").value), this.drawing.unit * 4) * times;
    const [x0, x1, y0, y1] = this.drawing.box;
    const [x, y] = this.snapped([this.cursor[0] + dx * snap, this.cursor[1] + dy * snap]);
    this.cursor = [Math.min(Math.max(x, x0), x1), Math.min(Math.max(y, y0), y1)];
    if (this.held !== null) { Object.assign(this.state.points[this.held], { x: this.cursor[0], y: this.cursor[1] }); this.refresh(true); }
  }

  pickUp(here) {
    if (this.held !== null) { this.held = null; this.refresh(); }
    else if (here >= 0) { this.edit(() => {}); this.held = here; }
  }

  cursorText() {
    if (!this.cursor) return;
    const at = this.near(this.cursor, 4);
    const point = at < 0 ? "no point" : `point ${at + 1}, ${this.state.points[at].s > 0 ? "red" : "blue"}${this.held === at ? ", picked up" : ""}`;
    $("cursor-text").textContent = `cross-hair at (${this.cursor.join(", ").replaceAll("-", "−")}): ${point}`;
  }
}
