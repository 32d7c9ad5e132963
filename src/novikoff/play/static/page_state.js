// The state of the page as text: the fragment of a link, a command, a Python snippet, CSV.
import { parsed, plainText } from "./exact_numbers.js";

export const LARGEST = 1e9;
export const MOST_POINTS = 2000;
const LONGEST = 40; // characters of a number
const CHOICES = {
  pane: ["plane", "capacity", "spam", "digits"],
  order: ["cyclic", "first", "shuffle", "random", "batch"],
  rule: ["perceptron", "margin", "pa", "pa1", "pa2"],
  keep: ["last", "pocket", "average", "vote"],
  features: ["", "poly2"],
  spamOrder: ["cyclic", "first"],
};
const WHOLE = { seed: [0, 2147483647], max: [1, 2000], held: [0, 80], N: [1, 200], P: [1, 800], trials: [1, 2000] };

export function freshState() {
  return { pane: "plane", points: [], order: "cyclic", rule: "perceptron", keep: "last", eta: "1", bias: true, start: "", seed: 0, max: 1000,
    features: "", held: 0, k: null, mails: null, mail: null, spamOrder: "cyclic", N: 5, P: 10, trials: 100 };
}

const IN_PANE = {
  plane: ["order", "rule", "keep", "eta", "start", "seed", "max", "features", "held"],
  capacity: ["N", "P", "trials", "seed"],
  spam: ["spamOrder"],
  digits: [],
};

// what differs from a fresh state; numbers as JavaScript writes them, which are the same doubles again
export function fragmentOf(state) {
  const fresh = freshState();
  const parts = [`pane=${state.pane}`];
  if (state.pane === "plane") {
    parts.push(`points=${state.points.map((p) => `${p.x},${p.y},${p.s > 0 ? "r" : "b"}`).join(";")}`);
    if (!state.bias) parts.push("bias=0");
    if (state.k !== null) parts.push(`k=${state.k}`);
  }
  if (state.pane === "spam" && state.mails) {
    parts.push(`mails=${state.mails.map((m) => [...m.x, m.s > 0 ? "s" : "h"].join(",")).join(";")}`, `mail=${state.mail.join(",")}`);
  }
  for (const name of IN_PANE[state.pane]) {
    if (state[name] !== fresh[name]) parts.push(`${name}=${encodeURIComponent(state[name])}`);
  }
  return parts.join("&");
}

// ---- what a reload keeps: the fragments of all panes, in this tab

const KEPT = "novikoff-panes";
const OWN = { plane: ["points", "bias", "k"], spam: ["mails", "mail"] }; // beside the names of IN_PANE

export function keepPanes(state) { sessionStorage.setItem(KEPT, CHOICES.pane.map((pane) => fragmentOf({ ...state, pane })).join("&")); }

// give a state what this tab keeps of the panes that its fragment is not about
export function withKeptPanes(state) {
  const kept = stateOf(sessionStorage.getItem(KEPT) ?? "").state;
  const names = (pane) => [...IN_PANE[pane], ...(OWN[pane] ?? [])];
  const given = names(state.pane);
  for (const name of CHOICES.pane.flatMap(names)) if (!given.includes(name)) state[name] = kept[name];
  return state;
}

// the state and the token of a fragment; whether it has points; a sentence where the fragment is damaged
export function stateOf(fragment) {
  const state = freshState();
  let [token, hasPoints] = [null, false];
  const problems = [];
  for (const part of fragment.replace(/^#/, "").split("&").filter(Boolean)) {
    const at = part.indexOf("=");
    const name = at < 0 ? part : part.slice(0, at);
    let value;
    try { value = decodeURIComponent(at < 0 ? "" : part.slice(at + 1)); } catch { problems.push(name); continue; }
    if (name === "t") token ??= value;
    else if (name === "points") read(() => { state.points = pointsOf(value); hasPoints = true; });
    else if (name === "mails") read(() => { state.mails = mailsOf(value); });
    else if (name === "mail") read(() => { state.mail = value.split(",").map((cell) => coordinate(cell, "mail")); });
    else if (name === "bias" && /^[01]$/.test(value)) state.bias = value === "1";
    else if (name === "eta" || name === "start") read(() => { state[name] = numbersText(name, value); });
    else if (name === "k" && /^\d{1,5}$/.test(value)) state.k = Number(value);
    else if (Object.hasOwn(CHOICES, name) && CHOICES[name].includes(value)) state[name] = value;
    else if (Object.hasOwn(WHOLE, name) && /^\d{1,10}$/.test(value)) state[name] = Math.min(Math.max(Number(value), WHOLE[name][0]), WHOLE[name][1]);
    else problems.push(name);
  }
  if (state.mails && (!state.mail || state.mails.some((m) => m.x.length !== state.mails[0].x.length) || state.mail.length !== state.mails[0].x.length)) {
    state.mails = state.mail = null;
    problems.push("mails");
  }
  const named = [...new Set(problems)].map((name) => name.slice(0, 40)).join(", ");
  return { state, token, hasPoints, problem: problems.length ? `The link is damaged: ${named} was ignored.` : "" };

  function read(set) { try { set(); } catch (error) { problems.push(error.message); } }
}

function pointsOf(text) {
  const found = text === "" ? [] : text.split(";").map((cell) => {
    const [x, y, colour, ...more] = cell.split(",");
    if (more.length || !["r", "b"].includes(colour)) throw new Error("points");
    return { x: coordinate(x), y: coordinate(y), s: colour === "r" ? 1 : -1 };
  });
  if (found.length > MOST_POINTS) throw new Error("points");
  return found;
}

function mailsOf(text) {
  return text.split(";").slice(0, 200).map((cell) => {
    const cells = cell.split(",");
    const label = cells.pop();
    if (!["s", "h"].includes(label)) throw new Error("mails");
    return { x: cells.map((cell) => coordinate(cell, "mails")), s: label === "s" ? 1 : -1 };
  });
}

export function coordinate(text, name = "points") {
  const value = Number(text);
  if (String(text).trim() === "" || !Number.isFinite(value) || Math.abs(value) > LARGEST) throw new Error(name);
  return value;
}

// the learning rate or the initial weights as they are sent, shown and copied: numbers, and nothing else
export function numbersText(name, text) {
  const parts = startOf(text).map(plainText);
  const good = (part) => { const value = parsed(part); return value !== null && part.length <= LONGEST && Math.abs(value.number) <= LARGEST && (name === "start" || value.number > 0); };
  if (!parts.every(good) || parts.length > 6 || (name === "eta" && parts.length !== 1)) throw new Error(name);
  return parts.join(",");
}

export function commandOf(state) { return `novikoff play --open '${fragmentOf(state)}'`; }

// the run ends where that of the page did
export function snippetOf(state, training, trace) {
  const rows = training.map((i) => `[${state.points[i].x}, ${state.points[i].y}]`);
  const labels = training.map((i) => state.points[i].s);
  const how = [];
  if (state.order !== "cyclic") how.push(`order="${state.order}"`);
  if (state.rule !== "perceptron") how.push(`rule="${state.rule}"`);
  if (!state.bias) how.push("fit_intercept=False");
  if (state.eta !== "1") how.push(`eta0="${state.eta}"`);
  if (state.start) how.push(`w0=[${startOf(state.start).map((v) => `"${v}"`).join(", ")}]`);
  if (state.seed) how.push(`seed=${state.seed}`);
  if (!trace || trace.stop_reason === "max_updates") how.push(`max_updates=${trace?.limit ?? state.max}`);
  const bias = state.bias ? "" : ", fit_intercept=False";
  const products = state.features ? ["X = [[a, b, a * a, a * b, b * b] for a, b in X]"] : [];
  const held = training.length < state.points.length ? [`# points ${training.map((i) => i + 1).join(", ")} of the page; the others are held out`] : [];
  return ["import novikoff as nv", "", ...held, `X = [${rows.join(", ")}]`, `y = [${labels.join(", ")}]`, ...products,
    `print(nv.trace(X, y${how.map((text) => `, ${text}`).join("")}).to_text())`, `print(nv.decide(X, y${bias}).explain())`].join("\n") + "\n";
}

export function startOf(text) { return text.split(/[,;\s]+/).filter(Boolean); }

// points as the server has them: their products, if any, are columns
export function csvOf(X, y) {
  const names = ["x1", "x2", "x1*x1", "x1*x2", "x2*x2"].slice(0, X[0]?.length ?? 2);
  const written = (v) => (Object.is(v, -0) ? "-0" : String(v));
  return [[...names, "label"].join(","), ...X.map((x, i) => [...x.map(written), y[i]].join(","))].join("\n") + "\n";
}
