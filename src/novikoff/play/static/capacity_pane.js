// Cover's curve, and its measurement: random labellings decided one after another.
import { chart, legend, make, tag } from "./charts.js";
import { outward } from "./exact_numbers.js";
import { number } from "./plane_words.js";
import { call } from "./server_calls.js";

const $ = (id) => document.getElementById(id);
const INPUTS = { "capacity-n": "N", "capacity-p": "P", "capacity-trials": "trials" };

// a fraction of long numbers is rounded; near 1 by what is missing
function rounded(fraction, rest) { return rest > 0 && rest < 1e-5 ? `≈ 1 − ${rest.toPrecision(3)}` : `≈ ${number(fraction)}`; }

export class CapacityPane {
  constructor(app) {
    this.app = app;
    this.measured = [];
    for (const [id, name] of Object.entries(INPUTS)) {
      $(id).addEventListener("change", () => {
        const [input, value] = [$(id), Math.round(Number($(id).value))];
        const limited = Math.min(Math.max(Number.isFinite(value) ? value : 1, Number(input.min)), Number(input.max));
        input.value = app.state[name] = limited;
        if (name === "N") { this.stop(); this.measured = []; app.state.P = 2 * limited; $("capacity-p").value = 2 * limited; }
        this.open();
      });
    }
    $("capacity-run").addEventListener("click", () => this.simulate());
    $("capacity-stop").addEventListener("click", () => this.stop());
  }

  async open() {
    const { state } = this.app;
    for (const [id, name] of Object.entries(INPUTS)) $(id).value = state[name];
    this.app.save();
    const mine = (this.opened = (this.opened ?? 0) + 1); // an answer about earlier numbers is not shown
    let found;
    try {
      found = await call("/api/capacity", { N: state.N, P: state.P });
      if (mine !== this.opened) return;
      this.app.message("");
    } catch (error) { if (mine === this.opened) this.app.message(error.message); return; }
    this.curve = found;
    const { P, N, count, exact, fraction } = this.curve;
    const size = count.length > 40 ? `about 10^${count.length - 1}` : count.replace(/\B(?=(\d{3})+$)/g, ",");
    const part = exact.length > 40 ? rounded(fraction, this.curve.rest) : exact === String(fraction) ? exact : `${exact} = ${number(fraction)}`;
    $("capacity-text").textContent = `C(${P}, ${N}) = ${size} of 2^${P} labellings: ${part}`;
    this.draw();
    this.app.ready();
  }

  draw() {
    const picture = chart(`Separable fraction for N = ${this.curve.N} against P/N`, [0, 4, 0, 1.05], "P/N", "separable fraction");
    picture.curve([[2, 0], [2, 1.05]], "meet");
    picture.curve([[0, 0.5], [4, 0.5]], "meet");
    picture.curve([[0, 1], ...this.curve.rows.map((row) => [row.ratio, row.fraction])], "curve");
    for (const row of this.measured) {
      const [x, low] = picture.at(row.ratio, row.low);
      const [, high] = picture.at(row.ratio, row.high);
      picture.svg.append(make("line", { x1: x, x2: x, y1: low, y2: high, class: "measured" }));
      picture.dot(row.ratio, row.measured, "measured", 3.5);
    }
    $("capacity-chart").replaceChildren(picture.svg, legend([["curve", "Cover: C(P, N)/2^P"], ["measured", "measured, with 95 % interval"], ["meet", "P = 2N and one half"]]));
    $("capacity-table").tBodies[0].replaceChildren(...this.measured.map((row) => {
      const line = tag("tr");
      line.append(...[row.P, number(row.ratio), row.theory.toFixed(4), row.measured.toFixed(4), `${outward(row.low, -1, 4)} … ${outward(row.high, 1, 4)}`].map((cell) => tag("td", String(cell))));
      return line;
    }));
  }

  async simulate() {
    this.stop();
    this.measured = [];
    const mine = (this.running = {});
    $("capacity-run").disabled = true;
    $("capacity-stop").disabled = false;
    const { N, trials, seed } = this.app.state;
    try {
      for (const P of this.curve.sizes) {
        const row = await call("/api/simulate", { N, P, trials, seed });
        if (this.running !== mine) return;
        this.measured.push(row);
        this.draw();
      }
      $("capacity-text").textContent = `measured ${this.measured.length} sizes, ${trials} draws each, every one decided with a proof`;
    } catch (error) { this.app.message(error.message); }
    this.running = null;
    $("capacity-run").disabled = false;
    $("capacity-stop").disabled = true;
  }

  stop() {
    if (!this.running) return;
    this.running = null;
    $("capacity-text").textContent = `stopped after ${this.measured.length} sizes`;
    $("capacity-run").disabled = false;
    $("capacity-stop").disabled = true;
  }
}
