// Show the plane, the verdict, the update and the proof.
import { chart, legend, tag } from "./charts.js";
import { dot, outward, parsed, shown, vector, ZERO } from "./exact_numbers.js";
import { PlaneDrawing } from "./plane_drawing.js";
import { boundText, endingText, equal, keptText, listed, norm2, plural, rowsOf, stepText, verdictLines, wholeText } from "./plane_words.js";
import { exactRows, mistakes } from "./proof_check.js";

const $ = (id) => document.getElementById(id);

export class PlaneView {
  constructor(app) {
    this.app = app;
    this.drawing = new PlaneDrawing($("plane"));
    this.verdict = this.trace = this.kept = null;
    this.runs = [];
    this.cursor = null;
    $("plane-legend").replaceChildren(legend([["boundary", "line of w, arrow to the + side"], ["before", "before this update"], ["widest", "widest line with its band"], ["kept", "kept (pocket or average)"], ["violated", "violated point"], ["touching", "points of the proof or on the band"]]));
  }

  get state() { return this.app.state; }

  isTest(i) {
    const { held, seed } = this.state;
    let h = Math.imul(i + 1, 2654435761) ^ Math.imul(seed + 1, 40503);
    h = Math.imul(h ^ (h >>> 15), 2246822519);
    return ((h ^ (h >>> 13)) >>> 0) % 100 < held;
  }

  get k() { return this.trace ? Math.min(this.state.k ?? this.trace.updates, this.trace.updates) : 0; }
  weights(k) { return k ? this.trace.steps[k - 1].w : this.trace.start; }

  show() {
    this.draw();
    const { verdict } = this;
    $("verdict-more").replaceChildren();
    this.endCheck?.();
    if (!verdict) {
      $("verdict").textContent = document.getElementById("message").hidden ? "Put at least one point of each colour." : "No verdict.";
    } else {
      const [headline, lines] = verdictLines(this);
      $("verdict").textContent = headline;
      $("verdict-more").append(...lines.map((line) => tag("p", line)));
    }
    for (const id of ["check", "certificate"]) $(id).disabled = !verdict || verdict.separable === null;
    this.showTable();
    this.showStep();
    this.app.ready();
  }

  showTable() {
    const body = $("steps").tBodies[0];
    const rows = (this.trace?.steps ?? []).map((step) => {
      const row = tag("tr");
      const points = rowsOf(step).map((i) => this.training[i] + 1);
      const cells = [step.number, step.pass_number, listed(points), this.shownScore(step), step.w.length > 12 ? equal("‖w‖²", shown(norm2(step.w))) : vector(step.w), step.errors_after];
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
    scrub.max = trace ? trace.updates : 0;
    scrub.value = k;
    scrub.setAttribute("aria-valuetext", `update ${k}`);
    $("k-text").textContent = trace ? `${k} of ${trace.updates}` : "–";
    $("ending").textContent = trace ? endingText(trace, this.state) : "";
    const rows = $("steps").tBodies[0].rows;
    for (let i = 0; i < rows.length; i++) rows[i].className = i === k - 1 ? "now" : "";
    if (rows[k - 1]) { const box = $("steps").parentElement; box.scrollTop = Math.max(0, rows[k - 1].offsetTop - box.clientHeight / 2); }
    const step = k ? trace?.steps[k - 1] : null;
    $("step-text").textContent = trace ? stepText(this, step) : "";
    this.showWeights(step);
    for (const id of ["back", "to-start"]) $(id).disabled = !trace || k === 0;
    for (const id of ["step", "to-end", "play"]) $(id).disabled = !trace || (id !== "play" && k === trace.updates);
    this.showBudget();
    this.showProof();
    this.takeAway();
  }

  showWeights(step) {
    const { trace, k, state, verdict } = this;
    if (!trace) { $("weights-text").textContent = $("kept-text").textContent = $("test-text").textContent = ""; return; }
    const w = this.weights(k);
    const plain = this.isBounded && state.eta === "1" && !state.start;
    const R2 = plain && verdict?.margin?.radius2;
    const bound = !R2 ? "" : ` ≤ k·R² ${shown(R2).startsWith("≈") ? `≤ ${k}·${outward(R2, 1)}` : `= ${k}·${shown(R2)}`}`;
    $("weights-text").textContent = `${equal("w", vector(w))} · ${equal("‖w‖²", shown(norm2(w)))}${bound}`;
    const weights = w.map(parsed);
    const wrong = mistakes(exactRows(this.tests.map((t) => t.x), state.bias), this.tests.map((t) => t.s), weights);
    $("test-text").textContent = this.tests.length ? `${wrong} of ${this.tests.length} test ${plural(this.tests.length, "point")} not on ${this.tests.length === 1 ? "its" : "their"} own side` : "";
    const rows = $("points").tBodies[0].rows;
    exactRows(this.X, state.bias).forEach((x, i) => {
      const score = dot(weights, x);
      if (rows[this.training[i]]) rows[this.training[i]].cells[4].textContent = shown(this.y[i] > 0 ? score : ZERO.minus(score));
    });
    const kept = this.kept;
    $("kept-text").textContent = kept ? `kept (${state.keep}): ${keptText(state, kept)}, ${kept.train.errors} of ${kept.train.n} points predicted wrong; stopped: ${kept.stop_reason.replaceAll("_", " ")} after ${kept.updates} ${plural(kept.updates, "update")}` : "";
  }

  showBudget() {
    const margin = this.isBounded ? this.verdict?.margin : null;
    $("budget-row").hidden = !margin || !this.trace;
    if ($("budget-row").hidden) return;
    const bound = Math.min(Number(margin.bound), Number.MAX_VALUE);
    $("budget-text").textContent = `mistakes: ${this.k} of at most ${boundText(margin, this.state.start)}`;
    $("budget").max = Math.max(bound, 1);
    $("budget").value = Math.min(this.k, bound);
  }

  // Novikoff's proof: |w| under √(|w⁰|² + kη²R²), ⟨w, u⟩ above ⟨w⁰, u⟩ + kηγ; the two bounds meet at the mistake bound
  showProof() {
    const { trace, k, verdict, state } = this;
    const margin = verdict?.margin;
    $("proof").hidden = !margin || !trace || !this.isBounded;
    if ($("proof").hidden) return;
    const u = [...margin.padded.w, ...(state.bias ? [margin.padded.b] : [])];
    const length = Math.hypot(...u);
    const [eta, bound] = [parsed(state.eta).number, Number(margin.bound)];
    const [gamma, R] = [margin.padded.gamma[0], margin.radius];
    const w = (j) => this.weights(j).map((text) => parsed(text).number);
    const along = (j) => w(j).reduce((sum, v, i) => sum + v * u[i], 0) / length;
    const start2 = Math.hypot(...w(0)) ** 2;
    const end = Math.max(1, Math.min(bound * 1.08, Math.max(6 * trace.updates, 60)));
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
    if (bound <= end) picture.curve([[bound, 0], [bound, top]], "meet");
    picture.dot(k, Math.hypot(...w(k)), "measured");
    $("proof-chart").replaceChildren(picture.svg, legend([["ceiling", "‖w‖ is at most √(‖w⁰‖² + k·η²R²)"], ["ceiling data", "‖w‖ of the run"], ["floor", "⟨w, u⟩ is at least ⟨w⁰, u⟩ + k·ηγ"], ["floor data", "⟨w, u⟩ of the run"]]));
    $("proof-text").textContent = `⟨w, u⟩ ≤ ‖w‖, so k can grow only until the bounds meet: at most ${wholeText(margin.bound)} ${plural(bound, "mistake")}.`;
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
    if (this.kept && state.keep !== "vote") line("lines", [...this.kept.w, ...(state.bias ? [this.kept.b] : [])], "kept");
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
}
