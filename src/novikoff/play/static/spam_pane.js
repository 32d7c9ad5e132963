// The slide's table of mails, editable: word weights, and the score of a test mail word by word.
import { bars, tag } from "./charts.js";
import { ofDouble, parsed, shown, vector, ZERO } from "./exact_numbers.js";
import { coordinate } from "./page_state.js";
import { equal, plural, squared, wholeText } from "./plane_words.js";
import { verdictErrors } from "./proof_check.js";
import { call } from "./server_calls.js";

const $ = (id) => document.getElementById(id);
const TEST_MAIL = [1, 1, 0, 0, 0]; // x′ of the slide: "and viagra"

export class SpamPane {
  constructor(app) {
    this.app = app;
    $("spam-order").addEventListener("change", () => { app.state.spamOrder = $("spam-order").value; this.open(); });
    $("spam-reset").addEventListener("click", () => { app.state.mails = null; this.open(); });
  }

  fillExample(example) { this.example = example; }

  async open() {
    const { state } = this.app;
    const { X, y, classes, names } = this.example;
    state.mails ??= X.map((x, i) => ({ x: [...x], s: y[i] === classes[1] ? 1 : -1 }));
    if (!state.mail || state.mail.length !== names.length) state.mail = [...TEST_MAIL];
    this.names = state.mails[0].x.map((_, j) => names[j] ?? `word ${j + 1}`);
    $("spam-order").value = state.spamOrder;
    this.table();
    await this.learn();
  }

  table() {
    const { mails, mail } = this.app.state;
    const head = tag("tr");
    head.append(tag("th", "mail", { scope: "col" }), ...this.names.map((name) => tag("th", name, { scope: "col" })), tag("th", "label", { scope: "col" }));
    $("mails").tHead.replaceChildren(head);
    const cell = (values, j, words) => {
      const input = tag("input", "", { type: "number", value: values[j], step: "any", "aria-label": `${words}, ${this.names[j]}` });
      input.addEventListener("change", () => { try { values[j] = coordinate(input.value); } catch { input.value = values[j]; } this.learn(); });
      const box = tag("td");
      box.append(input);
      return box;
    };
    const rows = mails.map((one, i) => {
      const row = tag("tr");
      const choice = tag("select", "", { "aria-label": `label of mail ${i + 1}` });
      choice.append(tag("option", "spam +", { value: 1 }), tag("option", "ham −", { value: -1 }));
      choice.value = one.s;
      choice.addEventListener("change", () => { one.s = Number(choice.value); this.learn(); });
      const last = tag("td");
      last.append(choice);
      row.append(tag("th", String(i + 1), { scope: "row" }), ...one.x.map((_, j) => cell(one.x, j, `mail ${i + 1}`)), last);
      return row;
    });
    const test = tag("tr");
    test.append(tag("th", "test x′", { scope: "row" }), ...mail.map((_, j) => cell(mail, j, "test mail")), tag("td", "?"));
    $("mails").tBodies[0].replaceChildren(...rows, test);
  }

  async learn() {
    const { state } = this.app;
    this.app.save();
    const request = { X: state.mails.map((m) => m.x), y: state.mails.map((m) => m.s), order: state.spamOrder };
    const texts = { "spam-verdict": "", "spam-weights": "", "spam-score": "" };
    const mine = (this.learned = (this.learned ?? 0) + 1); // an answer about earlier mails is not shown
    for (const id of ["spam-chart", "spam-terms"]) $(id).replaceChildren();
    try {
      if (new Set(request.y).size < 2) throw new Error("All mails have the same label: label at least one mail spam and one ham.");
      const [verdict, run] = await Promise.all([call("/api/verdict", { X: request.X, y: request.y, margin: true, certificate: true }), call("/api/trace", request)]);
      if (mine !== this.learned) return;
      this.app.message("");
      const wrong = verdict.separable === null ? [verdict.how] : await verdictErrors(request.X, request.y, true, verdict);
      const word = { true: "✔ SEPARABLE", false: "✘ NOT SEPARABLE", null: "UNDECIDED" }[verdict.separable];
      const check = verdict.separable === null ? `: ${wrong[0]}` : wrong.length ? `, refused by this browser: ${wrong[0]}` : " (proof checked in this browser)";
      const bound = verdict.margin ? `; ${squared("R²", verdict.margin.radius2, verdict.margin.radius)}, ${squared("γ²", verdict.margin.padded.gamma2, verdict.margin.padded.gamma[0])}, so at most ${wholeText(verdict.margin.bound)} mistakes` : "";
      texts["spam-verdict"] = `${word}${check}${bound}`;
      this.show(run, texts);
    } catch (error) {
      if (mine !== this.learned) return;
      this.app.message(error.message);
    }
    for (const [id, words] of Object.entries(texts)) $(id).textContent = words;
    this.app.ready();
  }

  show(run, texts) {
    const { mail, spamOrder } = this.app.state;
    const w = run.w.map(parsed);
    const [b] = w.splice(-1);
    const ending = { separated: "separated", cycle: "cycle", max_updates: "stopped at the limit" }[run.stop_reason];
    texts["spam-weights"] = `order ${spamOrder}: ${equal("w", vector(w))}, ${equal("b", shown(b))} after ${run.updates} ${plural(run.updates, "update")} (${ending})`;
    $("spam-chart").replaceChildren(bars("Weight of each word", [...this.names, "bias"], [...w, b].map((v) => v.number), [...w, b].map(shown)));
    const terms = [...w.map((v, j) => v.times(ofDouble(mail[j]))), b];
    const score = terms.reduce((sum, v) => sum.plus(v), ZERO);
    texts["spam-score"] = `x′ scores ${score.sign > 0 ? "+" : ""}${shown(score)} → ${score.sign > 0 ? "spam" : score.sign < 0 ? "ham" : "a tie"}: each bar below is a weight times a count`;
    $("spam-terms").replaceChildren(bars("What each word adds to the score of the test mail", [...this.names, "bias"], terms.map((v) => v.number), terms.map(shown)));
  }
}
