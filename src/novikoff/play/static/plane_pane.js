// The plane: put points, run the perceptron, see the verdict with its proof.
import { tag } from "./charts.js";
import { parsed } from "./exact_numbers.js";
import { numbersText, startOf } from "./page_state.js";
import { PlaneInput } from "./plane_input.js";
import { attachTools } from "./plane_tools.js";
import { call } from "./server_calls.js";

const $ = (id) => document.getElementById(id);
const SETTINGS = { order: "order", rule: "rule", keep: "keep", eta: "eta", start: "start", features: "features" };
const NUMBERS = { seed: "seed", "max-updates": "max", held: "held" };
const KEPT_SETTINGS = [...Object.values(SETTINGS), ...Object.values(NUMBERS), "bias"];
const NUMBER_TEXTS = { eta: ["η", "1"], start: ["start w₀", ""] }; // how they are called, and what an empty control means
const TITLES = { tao: "Tao, 4 points", cornwell: "Cornwell, 4 points", or: "OR", xor: "XOR", and: "AND" };
export const LARGEST_FILE = 1_500_000;
const LARGEST_REQUEST = 1_000_000;

export class PlanePane extends PlaneInput {
  constructor(app) {
    super(app);
    this.table = null;
    this.history = [];
    this.controls();
    attachTools(this);
  }

  open() { return this.refresh(); }

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

  // keep the points for undo, and the settings where the change brings its own
  remember(withSettings = true) {
    const { state } = this;
    const settings = withSettings ? Object.fromEntries(KEPT_SETTINGS.map((name) => [name, state[name]])) : {};
    const before = { points: state.points.map((p) => ({ ...p })), settings };
    this.history.push(before);
    return before;
  }

  edit(change, withSettings = false) {
    this.remember(withSettings);
    change();
    this.namePoints();
    this.isChanged();
  }

  namePoints(name = "your points") {
    $("example").value = "";
    $("example").options[0].textContent = name;
  }

  // the points or the run are others: nothing is picked up, and the last update is shown
  isChanged() {
    this.held = null;
    this.state.k = null;
  }

  setPoints(points) {
    this.state.points = points;
    this.drawing.fit(points);
    this.isChanged();
    return this.refresh();
  }

  refresh(drag = false) {
    if (this.state.pane !== "plane") { this.app.save(); return null; } // asked when the pane is opened
    const before = this.training?.length;
    this.gather();
    this.clearRuns?.();
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
      this.refused = false;
      this.app.message("");
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
        const { X, y, bias, features, w0, eta } = request;
        const fit = this.state.keep === "last" ? null : call("/api/fit", { ...request, keep: this.state.keep });
        const answers = await Promise.all([call("/api/verdict", { X, y, bias, features, w0, eta, margin: true }), call("/api/trace", request), fit]);
        if (this.wanted) return;
        [this.verdict, this.trace, this.kept] = answers;
      }
      this.app.message("");
      this.refused = false;
    } catch (error) {
      if (this.wanted) return; // newer points are asked about
      this.verdict = this.trace = this.kept = null;
      this.refused = true;
      this.app.message(error.message);
    }
    this.show();
  }

  go(k, save = true) {
    if (!this.trace) return;
    const next = Math.min(Math.max(k, 0), this.trace.updates);
    this.state.k = next === this.trace.updates ? null : next;
    if (save) this.app.save();
    this.showStep();
    this.draw();
  }

  // a run that returned to w = 0 ends without a line: show the last update whose line passes through the window
  showALine() {
    if (!this.trace || this.state.features) return;
    const [x0, x1, y0, y1] = this.drawing.box;
    const isSeen = (k) => {
      const [a, b, c = 0] = this.weights(k).map((value) => parsed(value).number);
      const sides = [[x0, y0], [x0, y1], [x1, y0], [x1, y1]].map(([x, y]) => a * x + b * y + c);
      return Math.min(...sides) < 0 && Math.max(...sides) > 0;
    };
    let k = this.trace.updates;
    while (k > 0 && !isSeen(k)) k--;
    if (k > 0) this.go(k);
  }

  // ---- controls

  controls() {
    for (const [id, name] of Object.entries(SETTINGS)) $(id).addEventListener("change", () => { if (name in NUMBER_TEXTS) this.typed(name); else { this.state[name] = $(id).value; this.settingsChanged(); } });
    for (const [id, name] of Object.entries(NUMBERS)) $(id).addEventListener("change", () => { const input = $(id); const value = Math.round(Number(input.value)); this.state[name] = Math.min(Math.max(Number.isFinite(value) ? value : 0, Number(input.min)), Number(input.max)); input.value = this.state[name]; this.settingsChanged(); });
    $("bias").addEventListener("change", () => { this.state.bias = $("bias").checked; this.settingsChanged(); });
    $("example").addEventListener("change", () => this.openExample($("example").value));
    $("clear").addEventListener("click", () => { this.edit(() => { this.state.points = []; }); this.setPoints([]); });
    $("undo").addEventListener("click", () => this.undo());
    $("fit").addEventListener("click", () => { this.drawing.fit(this.state.points); this.draw(); });
    $("csv").addEventListener("change", () => this.openFile($("csv").files[0]));
    for (const id of ["column-x", "column-y", "column-class"]) $(id).addEventListener("change", () => this.useColumns());
    $("to-start").addEventListener("click", () => this.go(0));
    $("back").addEventListener("click", () => this.go(this.k - 1));
    $("step").addEventListener("click", () => this.go(this.k + 1));
    $("to-end").addEventListener("click", () => this.go(Infinity));
    $("scrub").addEventListener("input", () => this.go(Number($("scrub").value), false));
    $("scrub").addEventListener("change", () => this.app.save());
    $("play").addEventListener("click", () => this.playOrPause());
  }

  // a typed learning rate or start; the page keeps the setting it has where the text is no number
  typed(name) {
    const [input, [words, empty]] = [$(name), NUMBER_TEXTS[name]];
    const text = input.value.trim() || empty;
    try {
      this.state[name] = numbersText(name, text);
    } catch {
      input.value = this.state[name];
      this.app.message(`${words}: found ${JSON.stringify(text.slice(0, 60))}, expected ${name === "eta" ? "a number above 0" : "numbers"} like 1, 0.5, 1/2 or 1e-3, up to 1e9. ${this.state[name] || "0"} is kept.`);
      return;
    }
    input.value = this.state[name];
    this.settingsChanged();
  }

  settingsChanged() {
    this.isChanged();
    this.refresh();
  }

  // put the state into the controls
  fill() {
    for (const [id, name] of Object.entries({ ...SETTINGS, ...NUMBERS })) $(id).value = this.state[name];
    $("bias").checked = this.state.bias;
    this.namePoints();
  }

  undo() {
    const before = this.history.pop();
    if (!before) return;
    this.state.points = before.points;
    Object.assign(this.state, before.settings);
    this.fill();
    if (!this.drawing.shows(before.points)) this.drawing.fit(before.points);
    this.isChanged();
    this.refresh();
  }

  playOrPause() {
    if (this.timer) { clearInterval(this.timer); this.timer = null; $("play").textContent = "play"; return; }
    if (!this.trace || $("play").disabled) return;
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
    this.edit(() => {}, true);
    Object.assign(this.state, { bias, features: "", start: "", eta: "1", rule: "perceptron", keep: "last", held: 0 });
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
    const refuse = (size, most, words) => this.app.message(`${file.name}: found ${size.toLocaleString("en")} bytes${words}; the page takes up to ${most.toLocaleString("en")}: use novikoff fit ${file.name}`);
    if (file.size > LARGEST_FILE) { refuse(file.size, LARGEST_FILE, ""); return; }
    try {
      const table = { name: file.name, text: await file.text() };
      const { size } = new Blob([JSON.stringify(table)]);
      if (size > LARGEST_REQUEST) { refuse(size, LARGEST_REQUEST, ", with its quotation marks written for the server"); return; }
      await this.openTable(await call("/api/table", table));
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
    this.namePoints(this.table.name);
    return this.setPoints(X.map((x, i) => ({ x: x[a], y: flat ? 0 : x[b], s: y[i] === classes[c] ? 1 : -1 })));
  }
}
