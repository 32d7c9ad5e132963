// "Take it with you" of the panes beside the plane: commands, and a Python program that computes the same numbers.
import { tag } from "./charts.js";
import { commandOf } from "./page_state.js";

const CHUNK = 2000; // rows that a long run learns at once
const ROUNDS = 20; // sizes of a simulation: P/N = 0.2, 0.4, …, 4

// show the commands and the program of a pane; buttons: words and what a click does
export function showTakeAway(pane, state, { commands, program }, buttons = []) {
  if (!document.getElementById(`take-${pane}`)) document.getElementById(`pane-${pane}`).append(section(pane, buttons));
  document.getElementById(`commands-${pane}`).value = [commandOf({ ...state, pane }), ...commands].join("\n");
  document.getElementById(`program-${pane}`).value = `${program.join("\n")}\n`;
}

function section(pane, buttons) {
  const details = tag("details", "", { id: `take-${pane}` });
  const field = (words, name, rows) => { const label = tag("label", `${words} `, { class: "wide" }); label.append(tag("textarea", "", { id: `${name}-${pane}`, readonly: "", rows })); return label; };
  const row = tag("div", "", { class: "row" });
  row.append(...buttons.map(([words, work]) => { const button = tag("button", words, { type: "button" }); button.addEventListener("click", work); return button; }));
  details.append(tag("summary", "Take it with you: link, command, Python"), field("commands", "commands", 3), field("Python", "program", 8), row);
  return details;
}

export function capacityTaken({ N, P, trials, seed }) {
  const sizes = [...new Set(Array.from({ length: ROUNDS }, (_, k) => Math.max(1, Math.round(((k + 1) * N) / 5))))];
  return {
    commands: [`novikoff theory capacity -N ${N} -P ${P}`, `novikoff theory capacity -N ${N} ${sizes.map((size) => `-P ${size}`).join(" ")} --simulate ${trials} --seed ${seed}`],
    program: ["import novikoff as nv", "", `print(nv.cover_count(${P}, ${N}), nv.separable_fraction(${P}, ${N}))`, `for row in nv.capacity_experiment(N=${N}, trials=${trials}, seed=${seed}).rows:`,
      '    print(row["P"], row["theory"], row["measured"], row["low"], row["high"])'],
  };
}

export function spamTaken({ mails, mail, spamOrder }, isExample) {
  return {
    commands: isExample ? [`novikoff trace --example spam --order ${spamOrder}`] : [],
    program: ["from fractions import Fraction", "", "import novikoff as nv", "", `X = [${mails.map((m) => `[${m.x.join(", ")}]`).join(", ")}]`, `y = [${mails.map((m) => m.s).join(", ")}]`,
      `run = nv.trace(X, y, order="${spamOrder}", max_updates=1000)`, "print(run.to_text())", "print(nv.decide(X, y).explain())", `mail = [${mail.join(", ")}, 1]  # the last number is for the bias`,
      'print("score of the test mail:", sum(w * Fraction(x) for w, x in zip(run.w, mail)))'],
  };
}

export function digitsTaken(cells) {
  const drawn = cells.some((v) => v > 0) ? [`drawn = [${cells.join(", ")}]`, "print(model.predict([drawn])[0], model.decision_function([drawn])[0])"] : [];
  return {
    commands: ["novikoff fit --example digits --test-every 4"],
    program: ["import numpy as np", "", "import novikoff as nv", "", 'X, y = nv.example("digits")', "test = np.arange(len(y)) % 4 == 3", "model = nv.Perceptron().fit(X[~test], y[~test])",
      "print((model.predict(X[test]) == y[test]).sum(), test.sum())", ...drawn],
  };
}

export function longRunTaken({ rows, d, noise, seed }) {
  return {
    commands: [],
    program: ["import numpy as np", "", "import novikoff as nv", "", `rng = np.random.default_rng([${seed}, ${d}])`, `teacher = rng.standard_normal(${d})`, `model, left = nv.Perceptron(keep="last"), ${rows}`, "while left:",
      `    n = min(${CHUNK}, left)`, `    X = rng.standard_normal((n, ${d}))`, "    y = np.where(X @ teacher > 0, 1, -1)", `    y = np.where(rng.random(n) * 100 < ${noise}, -y, y)`,
      "    model.partial_fit(X, y, classes=[-1, 1])", "    left -= n", 'print(model.n_updates_, "updates,", int(np.sum(model.n_mistakes_)), "errors before learning")'],
  };
}
