// A long run: rows are generated and learned on the server, events come as lines; stop closes the connection.
import { chart, legend, logarithmicTicks } from "./charts.js";
import { number } from "./plane_words.js";
import { stream } from "./server_calls.js";
import { longRunTaken, showTakeAway } from "./take_away.js";

const $ = (id) => document.getElementById(id);
const INPUTS = { "run-rows": "rows", "run-d": "d", "run-noise": "noise" };

export class LongRunPane {
  constructor(app) {
    this.app = app;
    for (const [id, name] of Object.entries(INPUTS)) {
      $(id).addEventListener("change", () => {
        const [input, value] = [$(id), Math.round(Number($(id).value))];
        input.value = app.state[name] = Math.min(Math.max(Number.isFinite(value) ? value : 0, Number(input.min)), Number(input.max));
        this.open();
      });
    }
    $("run-start").addEventListener("click", () => this.run());
    $("run-stop").addEventListener("click", () => this.controller?.abort());
  }

  open() {
    const { state } = this.app;
    for (const [id, name] of Object.entries(INPUTS)) $(id).value = state[name];
    this.app.save();
    showTakeAway("run", state, longRunTaken(state));
    this.app.ready();
  }

  async run() {
    const controller = (this.controller = new AbortController());
    const { rows, d, noise, seed } = this.app.state;
    this.events = [];
    let drawn = 0;
    $("run-start").disabled = true;
    $("run-stop").disabled = false;
    $("run-progress").max = rows;
    $("run-text").textContent = "";
    try {
      await stream("/api/long-run", { rows, d, noise, seed }, controller, (event) => {
        if (event.end) { this.end = event; return; }
        this.events.push(event);
        if (performance.now() - drawn > 120) { drawn = performance.now(); this.show(); }
      });
      this.show();
      const why = this.end?.end === "max_seconds" ? "stopped by the time limit" : "done";
      $("run-text").textContent = `${why}: ${this.sentence()}`;
    } catch (error) {
      this.show();
      if (error.name === "AbortError") $("run-text").textContent = `stopped by you: ${this.sentence()}`;
      else this.app.message(error.message);
    }
    $("run-start").disabled = false;
    $("run-stop").disabled = true;
  }

  sentence() {
    const event = this.events.at(-1);
    if (!event) return "no row was learned";
    return `${event.rows.toLocaleString("en")} rows, ${event.updates.toLocaleString("en")} updates, ${number((100 * event.errors) / event.rows)} % errors before learning, angle to the true plane ${event.angle.toFixed(2)}°`;
  }

  show() {
    const event = this.events.at(-1);
    if (!event) return;
    $("run-progress").value = event.rows;
    const left = event.rows < event.of ? `, about ${Math.ceil((event.seconds / event.rows) * (event.of - event.rows))} s left` : "";
    $("run-progress-text").textContent = `${event.rows.toLocaleString("en")} of ${event.of.toLocaleString("en")} rows, ${Math.round(event.rows / Math.max(event.seconds, 0.001)).toLocaleString("en")} rows/s${left}`;
    const every = Math.ceil(this.events.length / 300);
    const some = this.events.filter((_, i) => i % every === 0 || i === this.events.length - 1);
    const [begin, end] = [Math.log10(some[0].rows) - 0.01, Math.log10(event.rows) + 0.01];
    const top = 1.1 * Math.max(...some.map((e) => Math.max((100 * e.chunk_errors) / e.chunk, e.angle)), 1);
    const picture = chart("Errors on new rows and angle to the true plane against rows", [begin, end, 0, top], "rows (logarithmic)", "percent, degrees", 560, 300, logarithmicTicks(begin, end));
    picture.curve(some.map((e) => [Math.log10(e.rows), (100 * e.chunk_errors) / e.chunk]), "ceiling");
    picture.curve(some.map((e) => [Math.log10(e.rows), e.angle]), "floor");
    $("run-chart").replaceChildren(picture.svg, legend([["ceiling", "errors on new rows, percent"], ["floor", "angle to the true plane, degrees"]]));
  }
}
