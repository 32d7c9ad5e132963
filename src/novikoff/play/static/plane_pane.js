// The plane: put points, run the perceptron, see the verdict with its proof.
import { chart, legend, tag } from "./charts.js";
import { parsed, shown, vector, ZERO, dot } from "./exact_numbers.js";
import { PlaneDrawing } from "./plane_drawing.js";
import { attachTools } from "./plane_tools.js";
import { endingText, listed, norm2, plural, rowsOf, stepText, verdictLines, weightsText } from "./plane_words.js";
import { exactRows, mistakes } from "./proof_check.js";
import { csvOf, MOST_POINTS, startOf } from "./page_state.js";
import { call } from "./server_calls.js";

const $ = (id) => document.getElementById(id);
const NEAR = 15; // units of the drawing
const SETTINGS = { order: "order", rule: "rule", keep: "keep", eta: "eta", start: "start", features: "features", notation: "notation" };
const NUMBERS = { seed: "seed", "max-updates": "max", held: "held" };
const LECTURES = { tao: "tao", cornwell: "cornwell", or: "zhang", xor: "zhang", and: "zhang" };
const TITLES = { tao: "Tao, 4 points", cornwell: "Cornwell, 4 points", or: "OR", xor: "XOR", and: "AND" };
export const LARGEST_FILE = 1_500_000;

export class PlanePane {
  constructor(app) {
    this.app = app;
    this.drawing = new PlaneDrawing($("plane"));
    this.verdict = this.trace = this.kept = this.table = null;
    this.runs = [];
    this.history = [];
    this.cursor = null;
    this.held = null; // the point that is dragged, or picked up by keyboard
    this.controls();
    this.pointer();
    this.keys();
    attachTools(this);
    $("plane-legend").replaceChildren(legend([["boundary", "line of w, arrow to the + side"], ["before", "before this update"], ["widest", "widest line with its band"], ["violated", "violated point"], ["touching", "points of the proof or on the band"]]));
  }

  get state() { return this.app.state; }

  open() { return this.refresh(); }

  isTest(i) {
    const { held, seed } = this.state;
    let h = Math.imul(i + 1, 2654435761) ^ Math.imul(seed + 1, 40503);
    h = Math.imul(h ^ (h >>> 15), 2246822519);
    return ((h ^ (h >>> 13)) >>> 0) % 100 < held;
  }

  // ---- the points and what is asked about them

  gather() {
    const { points, features } = this.state;
    this.training = points.map((_, i) => i).filter((i) => !this.isTest(i));
    const made = (p) => (features ? [p.x, p.y, p.x * p.x, p.x * p.y, p.y * p.y] : [p.x, p.y]);
    this.X = this.training.map((i) => made(points[i]));
    this.y = this.training.map((i) => points[i].s);
    this.tests = points.map((_, i) => i).filter((i) => this.isTest(i)).map((i) => ({ x: made(points[i]), s: points[i].s }));
  }

  get request() {
    const { state } = this;
    const start = startOf(state.start);
    return { X: this.training.map((i) => [state.points[i].x, state.points[i].y]), y: this.y, bias: state.bias, features: state.features,
      order: state.order, rule: state.rule, eta: state.eta, w0: start.length ? start : null, seed: state.seed, max_updates: state.max };
  }

  edit(change) {
    this.history.push(this.state.points.map((p) => ({ ...p })));
    change();
    $("example").value = "";
    this.state.k = null;
  }

  setPoints(points, fit = true) {
    this.state.points = points;
    if (fit) this.drawing.fit(points);
    this.state.k = null;
    return this.refresh();
  }

  refresh(drag = false) {
    const before = this.training?.length;
    this.gather();
    this.runs = [];
    if (drag || this.training.length !== before) this.trace = this.kept = null;
    if (this.training.length !== before) this.verdict = null; // its points are others
    this.draw();
    if (!drag) this.app.save(); // browsers limit how often an address may change
    this.wanted = drag ? "drag" : "full";
    this.asking ??= this.loop();
    return this.asking;
  }

  async loop() {
    while (this.wanted) {
      const kind = this.wanted;
      this.wanted = null;
      await this.answer(kind);
    }
    this.asking = null;
  }

  async answer(kind) {
    if (new Set(this.y).size < 2) {
      this.verdict = this.trace = this.kept = null;
      this.show();
      return;
    }
    const request = this.request;
    try {
      if (kind === "drag") {
        const { X, y, bias, features } = request;
        const verdict = await call("/api/verdict", { X, y, bias, features });
        if (y.length !== this.y.length) return; // newer points are asked about
        this.verdict = verdict;
        this.trace = this.kept = null;
      } else {
        const start = request.w0?.map((text) => parsed(text)?.number ?? NaN);
        const numbers = start && start.every(Number.isFinite) ? { w0: start } : {};
        const eta = parsed(request.eta)?.number ?? 1;
        const { X, y, bias, features } = request;
        const fit = this.state.keep === "last" ? null : call("/api/fit", { ...request, ...numbers, w0: numbers.w0 ?? null, eta, keep: this.state.keep });
        const answers = await Promise.all([call("/api/verdict", { X, y, bias, features, ...numbers, eta, margin: true }), call("/api/trace", request), fit]);
        if (this.wanted) return;
        [this.verdict, this.trace, this.kept] = answers;
      }
      this.app.message("");
    } catch (error) {
      if (this.wanted) return; // newer points are asked about
      this.verdict = this.trace = this.kept = null;
      this.app.message(error.message);
    }
    this.show();
  }

  get k() { return this.trace ? Math.min(this.state.k ?? this.trace.updates, this.trace.updates) : 0; }
  weights(k) { return k ? this.trace.steps[k - 1].w : this.trace.start; }

  go(k, save = true) {
    if (!this.trace) return;
    const last = $("guess").checked ? this.k : this.trace.updates;
    const next = Math.min(Math.max(k, 0), last);
    this.state.k = next === this.trace.updates && !$("guess").checked ? null : next;
    if (save) this.app.save();
    this.showStep();
    this.draw();
  }

  // ---- showing

  show() {
    this.draw();
    const { verdict } = this;
    $("verdict-more").replaceChildren();
    $("check-text").textContent = "";
    if (!verdict) {
      $("verdict").textContent = document.getElementById("message").hidden ? "Put at least one point of each colour." : "No verdict.";
    } else {
      const [headline, lines] = verdictLines(this);
      $("verdict").textContent = headline;
      $("verdict-more").append(...lines.map((line) => tag("p", line)));
    }
    for (const id of ["check", "certificate"]) $(id).disabled = !verdict || verdict.separable === null;
    this.showLeavingOut();
    this.showTable();
    this.showStep();
    this.app.ready();
  }

  showTable() {
    const body = $("steps").tBodies[0];
    const rows = (this.trace?.steps ?? []).map((step) => {
      const row = tag("tr");
      const points = rowsOf(step).map((i) => this.training[i] + 1);
      const cells = [step.number, step.pass_number, listed(points), this.shownScore(step), step.w.length > 12 ? `‖w‖² = ${shown(norm2(step.w))}` : vector(step.w), step.errors_after];
      row.append(...cells.map((cell) => tag("td", String(cell))));
      return row;
    });
    body.replaceChildren(...rows);
    $("head-score").textContent = this.isBatch ? "Σ y·x" : "y·(w·x)";
    const points = this.state.points.slice(0, 500).map((p, i) => {
      const row = tag("tr");
      row.append(...[i + 1, `${p.s > 0 ? "● red, +" : "■ blue, −"}${this.isTest(i) ? ", test" : ""}`, p.x, p.y, ""].map((cell) => tag("td", String(cell).replace("-", "−"))));
      return row;
    });
    $("points").tBodies[0].replaceChildren(...points);
  }

  // y·⟨w, x⟩ before an update, or the sum that an update of the order batch adds
  shownScore(step) {
    if (step.rows) return step.sum.length > 12 ? "" : vector(step.sum);
    const score = parsed(step.score);
    return shown(this.y[step.row] > 0 ? score : ZERO.minus(score));
  }

  get isBatch() { return this.state.order === "batch"; }

  // Novikoff's bound counts single mistakes of the perceptron rule
  get isBounded() { return this.state.rule === "perceptron" && !this.isBatch; }

  showStep() {
    const { trace, k } = this;
    const scrub = $("scrub");
    const guessing = $("guess").checked;
    scrub.max = trace ? trace.updates : 0;
    scrub.value = k;
    scrub.setAttribute("aria-valuetext", `update ${k}`);
    $("k-text").textContent = trace ? (guessing ? `${k}` : `${k} of ${trace.updates}`) : "–";
    $("ending").textContent = trace && !guessing ? endingText(trace, this.state) : "";
    const rows = $("steps").tBodies[0].rows;
    for (let i = 0; i < rows.length; i++) {
      rows[i].className = i === k - 1 ? "now" : "";
      rows[i].hidden = guessing && i >= k;
    }
    if (rows[k - 1]) { const box = $("steps").parentElement; box.scrollTop = Math.max(0, rows[k - 1].offsetTop - box.clientHeight / 2); }
    const step = k ? trace?.steps[k - 1] : null;
    $("step-text").textContent = trace ? stepText(this, step) : "";
    this.showWeights(step);
    for (const id of ["back", "to-start"]) $(id).disabled = !trace || k === 0;
    for (const id of ["step", "to-end", "play"]) $(id).disabled = !trace || guessing || (id !== "play" && k === trace.updates);
    this.showBudget();
    this.showProof();
    this.takeAway();
  }

  showWeights(step) {
    const { trace, k, state, verdict } = this;
    if (!trace) { $("weights-text").textContent = $("kept-text").textContent = $("test-text").textContent = ""; return; }
    const w = this.weights(k);
    const plain = this.isBounded && state.eta === "1" && !state.start;
    const bound = plain && verdict?.margin?.radius2 ? ` ≤ k·R² = ${k}·${shown(verdict.margin.radius2)}` : "";
    const P = state.notation === "sompolinsky" ? ` · P = ${this.X.length}, N = ${this.X[0].length + (state.bias ? 1 : 0)}` : "";
    $("weights-text").textContent = `${weightsText(state, w, k)} · ‖w‖² = ${shown(norm2(w))}${bound}${P}`;
    const weights = w.map(parsed);
    const wrong = mistakes(exactRows(this.tests.map((t) => t.x), state.bias), this.tests.map((t) => t.s), weights);
    $("test-text").textContent = this.tests.length ? `${wrong} of ${this.tests.length} test ${plural(this.tests.length, "point")} not on ${this.tests.length === 1 ? "its" : "their"} own side` : "";
    const rows = $("points").tBodies[0].rows;
    exactRows(this.X, state.bias).forEach((x, i) => {
      const score = dot(weights, x);
      if (rows[this.training[i]]) rows[this.training[i]].cells[4].textContent = shown(this.y[i] > 0 ? score : ZERO.minus(score));
    });
    const kept = this.kept;
    $("kept-text").textContent = kept ? `kept (${state.keep}): (${[...kept.w, ...(state.bias ? [kept.b] : [])].map((v) => Number(v.toPrecision(6))).join(", ").replaceAll("-", "−")}), ${kept.train.errors} of ${kept.train.n} points predicted wrong; stopped: ${kept.stop_reason.replaceAll("_", " ")} after ${kept.updates} ${plural(kept.updates, "update")}` : "";
  }

  showBudget() {
    const margin = this.isBounded ? this.verdict?.margin : null;
    $("budget-row").hidden = !margin || !this.trace;
    if ($("budget-row").hidden) return;
    const formula = this.state.start ? "from this start" : "⌊(R/γ)²⌋ =";
    $("budget-text").textContent = `mistakes: ${this.k} of at most ${formula} ${margin.bound}`;
    $("budget").max = Math.max(margin.bound, 1);
    $("budget").value = Math.min(this.k, margin.bound);
  }

  // Novikoff's proof: |w| under √(|w⁰|² + kη²R²), ⟨w, u⟩ above ⟨w⁰, u⟩ + kηγ; the two bounds meet at the mistake bound
  showProof() {
    const { trace, k, verdict, state } = this;
    const margin = verdict?.margin;
    $("proof").hidden = !margin || !trace || !this.isBounded;
    if ($("proof").hidden) return;
    const u = [...margin.padded.w, ...(state.bias ? [margin.padded.b] : [])];
    const length = Math.hypot(...u);
    const eta = parsed(state.eta)?.number ?? 1;
    const [gamma, R] = [margin.padded.gamma[0], margin.radius];
    const w = (j) => this.weights(j).map((text) => parsed(text).number);
    const along = (j) => w(j).reduce((sum, v, i) => sum + v * u[i], 0) / length;
    const start2 = Math.hypot(...w(0)) ** 2;
    const end = Math.max(1, Math.min(margin.bound * 1.08, Math.max(6 * trace.updates, 60)));
    const grid = Array.from({ length: 121 }, (_, i) => (end * i) / 120);
    const ceiling = (x) => Math.sqrt(start2 + x * (eta * R) ** 2);
    const floor = (x) => along(0) + x * eta * gamma;
    const top = Math.max(ceiling(end), floor(end)) * 1.05;
    const picture = chart("The two bounds of Novikoff's proof and the run between them", [0, end, Math.min(0, floor(0)), top], "mistakes k", "length", 560, 280);
    picture.curve(grid.map((x) => [x, ceiling(x)]), "ceiling");
    picture.curve(grid.map((x) => [x, floor(x)]), "floor");
    const some = Array.from({ length: k + 1 }, (_, j) => j).filter((j) => k <= 300 || j % Math.ceil(k / 300) === 0 || j === k);
    picture.curve(some.map((j) => [j, Math.hypot(...w(j))]), "ceiling data");
    picture.curve(some.map((j) => [j, along(j)]), "floor data");
    if (margin.bound <= end) picture.curve([[margin.bound, 0], [margin.bound, top]], "meet");
    picture.dot(k, Math.hypot(...w(k)), "measured");
    $("proof-chart").replaceChildren(picture.svg, legend([["ceiling", "‖w‖ is at most √(‖w⁰‖² + k·η²R²)"], ["ceiling data", "‖w‖ of the run"], ["floor", "⟨w, u⟩ is at least ⟨w⁰, u⟩ + k·ηγ"], ["floor data", "⟨w, u⟩ of the run"]]));
    $("proof-text").textContent = `⟨w, u⟩ ≤ ‖w‖, so k can grow only until the bounds meet: at most ${margin.bound} ${plural(margin.bound, "mistake")}.`;
  }

  draw() {
    const { drawing, state, verdict, trace, k } = this;
    drawing.points(state.points, (i) => this.isTest(i), state.points.length <= 40);
    for (const layer of ["band", "runs", "hulls", "lines", "marks"]) drawing.clear(layer);
    const line = (layer, w, kind) => {
      const values = w.map((v) => (typeof v === "string" ? parsed(v).number : v));
      if (state.features) drawing.conic(layer, values, kind);
      else drawing.line(layer, [values[0], values[1], values[2] ?? 0], kind);
    };
    const margin = verdict?.margin;
    if (trace && margin && !state.features) {
      const { geometric } = margin;
      drawing.band([...geometric.w, geometric.b], geometric.gamma[0]);
      line("lines", [...geometric.w, geometric.b], "widest");
      for (const i of geometric.touching) if (this.training[i] !== undefined) drawing.ring(state.points[this.training[i]], "touching", 11);
    }
    for (const plane of this.runs) line("runs", plane, "runs");
    if (verdict?.separable && !trace) line("lines", [...verdict.w, ...(state.bias ? [verdict.b] : [])], "widest");
    if (verdict?.obstruction) this.drawObstruction(verdict.obstruction);
    if (trace) {
      const w = this.weights(k);
      if (k) line("lines", this.weights(k - 1), "before");
      if (w.some((v) => parsed(v).sign !== 0)) {
        line("lines", w, "boundary");
        if (!state.features) drawing.normal(w.map((v) => parsed(v).number).concat(state.bias ? [] : [0]));
      }
      for (const row of k ? rowsOf(trace.steps[k - 1]) : []) drawing.ring(state.points[this.training[row]], "violated", 15);
    }
    if (this.kept) line("lines", [...this.kept.w, ...(state.bias ? [this.kept.b] : [])], "kept");
    this.drawOwn?.();
    if (this.cursor) drawing.cursor(...this.cursor);
  }

  drawObstruction(why) {
    const { drawing, state, training } = this;
    const places = (part) => part.rows.map((row) => state.points[training[row]]).filter(Boolean);
    for (const p of [...places(why.positive), ...places(why.negative)]) drawing.ring(p, "touching", 13);
    if (state.features || !["hulls", "same point"].includes(why.how)) return;
    drawing.hull(places(why.positive), "red-hull");
    drawing.hull(places(why.negative), "blue-hull");
    const [x, y] = why.point.map((text) => parsed(text).number);
    drawing.cross(x, y);
  }

  // ---- controls

  controls() {
    for (const [id, name] of Object.entries(SETTINGS)) $(id).addEventListener("change", () => { this.state[name] = $(id).value.trim() || (name === "eta" ? "1" : ""); this.settingsChanged(name); });
    for (const [id, name] of Object.entries(NUMBERS)) $(id).addEventListener("change", () => { const input = $(id); const value = Math.round(Number(input.value)); this.state[name] = Math.min(Math.max(Number.isFinite(value) ? value : 0, Number(input.min)), Number(input.max)); input.value = this.state[name]; this.settingsChanged(name); });
    $("bias").addEventListener("change", () => { this.state.bias = $("bias").checked; this.settingsChanged("bias"); });
    $("example").addEventListener("change", () => this.openExample($("example").value));
    $("clear").addEventListener("click", () => { this.edit(() => { this.state.points = []; }); this.setPoints([]); });
    $("undo").addEventListener("click", () => this.undo());
    $("csv").addEventListener("change", () => this.openFile($("csv").files[0]));
    for (const id of ["column-x", "column-y", "column-class"]) $(id).addEventListener("change", () => this.useColumns());
    $("to-start").addEventListener("click", () => this.go(0));
    $("back").addEventListener("click", () => this.go(this.k - 1));
    $("step").addEventListener("click", () => this.go(this.k + 1));
    $("to-end").addEventListener("click", () => this.go(Infinity));
    $("scrub").addEventListener("input", () => this.go(Number($("scrub").value), false));
    $("scrub").addEventListener("change", () => this.app.save());
    $("play").addEventListener("click", () => this.playOrPause());
    $("guess").addEventListener("change", () => this.go(0));
  }

  settingsChanged(name) {
    if (this.isBatch && $("guess").checked) $("guess").click(); // an update has several points
    $("guess-row").hidden = this.isBatch;
    if (name === "notation") { this.showStep(); this.app.save(); return; }
    this.state.k = null;
    this.refresh();
  }

  // put the state into the controls
  fill() {
    for (const [id, name] of Object.entries({ ...SETTINGS, ...NUMBERS })) $(id).value = this.state[name];
    $("bias").checked = this.state.bias;
    $("guess-row").hidden = this.isBatch;
  }

  undo() {
    const before = this.history.pop();
    if (before) { this.state.points = before; this.state.k = null; this.refresh(); }
  }

  playOrPause() {
    if (this.timer) { clearInterval(this.timer); this.timer = null; $("play").textContent = "play"; return; }
    if (!this.trace) return;
    if (this.k === this.trace.updates) this.go(0);
    $("play").textContent = "pause";
    this.timer = setInterval(() => {
      if (!this.trace || this.k >= this.trace.updates) this.playOrPause();
      else this.go(this.k + 1);
    }, 2200 / Number($("speed").value) ** 1.5);
  }

  fillExamples(examples) {
    this.examples = examples;
    for (const name of Object.keys(TITLES)) $("example").append(tag("option", TITLES[name], { value: name }));
  }

  openExample(name) {
    if (!name) return;
    const found = this.examples[name];
    const { X, y, classes, bias } = found;
    $("columns").hidden = true;
    this.edit(() => {});
    Object.assign(this.state, { bias, features: "", start: "", eta: "1", rule: "perceptron", keep: "last", held: 0, notation: LECTURES[name] });
    this.fill();
    const positive = classes.at(-1);
    const points = X.map((x, i) => ({ x: x[0], y: x[1], s: y[i] === positive ? 1 : -1 }));
    const done = this.setPoints(points);
    $("example").value = name;
    return done;
  }

  async openFile(file) {
    if (!file) return;
    $("csv").value = "";
    if (file.size > LARGEST_FILE) { this.app.message(`${file.name}: found ${file.size.toLocaleString("en")} bytes; the page takes up to ${LARGEST_FILE.toLocaleString("en")}: use novikoff fit ${file.name}`); return; }
    try {
      await this.openTable(await call("/api/table", { name: file.name, text: await file.text() }));
    } catch (error) { this.app.message(error.message); }
  }

  // a table: two of its columns are drawn, one class against the others
  openTable(table) {
    this.table = table;
    const fill = (id, options, chosen) => { $(id).replaceChildren(...options.map((name, j) => tag("option", name, { value: j }))); $(id).value = chosen; };
    fill("column-x", table.names, 0);
    fill("column-y", table.names, Math.min(1, table.names.length - 1));
    fill("column-class", table.classes, table.classes.length - 1);
    $("columns").hidden = table.names.length === 2 && table.classes.length === 2;
    return this.useColumns();
  }

  useColumns() {
    const { X, y, classes } = this.table;
    const [a, b, c] = ["column-x", "column-y", "column-class"].map((id) => Number($(id).value));
    const flat = X[0].length === 1;
    this.edit(() => {});
    return this.setPoints(X.map((x, i) => ({ x: x[a], y: flat ? 0 : x[b], s: y[i] === classes[c] ? 1 : -1 })));
  }

  // ---- pointer and keyboard

  snapped([x, y]) {
    const snap = Number($("snap").value);
    return [x, y].map((v) => Math.round(v / snap) * snap + 0);
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
      if ($("guess").checked) { if (found >= 0) this.guessed(found); return; }
      if (this.grabOwn?.(event, place)) return;
      event.preventDefault();
      if (this.tool === "erase") { if (found >= 0) { this.edit(() => this.state.points.splice(found, 1)); this.refresh(); } return; }
      if (found < 0 && this.tool === "move") return;
      this.edit(() => { if (found < 0) this.put(place, this.tool === "red" ? 1 : -1); });
      this.held = found < 0 ? this.state.points.length - 1 : found;
      svg.setPointerCapture(event.pointerId);
      this.refresh(true);
    });
    svg.addEventListener("pointermove", (event) => {
      if (this.moveOwn?.(event)) return;
      if (this.held === null || !svg.hasPointerCapture(event.pointerId)) return;
      const [x, y] = this.snapped(this.drawing.under(event));
      const p = this.state.points[this.held];
      if (p && (p.x !== x || p.y !== y)) { Object.assign(p, { x, y }); this.refresh(true); }
    });
    const end = () => { this.endOwn?.(); if (this.held !== null) { this.held = null; this.refresh(); } };
    svg.addEventListener("pointerup", end);
    svg.addEventListener("pointercancel", end);
  }

  put(place, s) {
    if (this.state.points.length >= MOST_POINTS) { this.app.message(`The page takes up to ${MOST_POINTS.toLocaleString("en")} points.`); return; }
    const [x, y] = this.snapped(place);
    this.state.points.push({ x, y, s });
  }

  keys() {
    $("plane").addEventListener("keydown", (event) => {
      const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      this.cursor ??= this.snapped([(this.drawing.box[0] + this.drawing.box[1]) / 2, (this.drawing.box[2] + this.drawing.box[3]) / 2]);
      const here = this.near(this.cursor, 4);
      if (key in moves) this.moveCursor(moves[key], event.shiftKey ? 4 : 1);
      else if (key === "r" || key === "b") { this.edit(() => this.put(this.cursor, key === "r" ? 1 : -1)); this.refresh(); }
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
    $("plane").addEventListener("blur", () => { this.drawing.clear("cursor"); this.cursor = null; $("cursor-text").textContent = ""; });
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

  csv() { return csvOf(this.state.points); }
}
