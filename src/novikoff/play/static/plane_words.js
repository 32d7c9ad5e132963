// Sentences of the plane: verdict, update, weights.
import { dot, ofDouble, parsed, shown, sum, vector, ZERO } from "./exact_numbers.js";
import { exactRows } from "./proof_check.js";

const PRODUCTS = ["x₁", "x₂", "x₁²", "x₁x₂", "x₂²"];

function names(features, bias) { return [...(features ? PRODUCTS : PRODUCTS.slice(0, 2)), ...(bias ? [""] : [])]; }

// the kept weights; a vote predicts by all weights of the run, so it has no line
export function keptText(state, kept) {
  if (state.keep === "vote") return "a vote of all weights of the run; no single line";
  return `(${[...kept.w, ...(state.bias ? [kept.b] : [])].map((v) => Number(v.toPrecision(6))).join(", ").replaceAll("-", "−")})`;
}

function equation(w, state) { return `${sum(w, names(state.features, state.bias))} = 0`; }

// what follows "separable" and "not separable" where lines have no bias
function byWhat(state) { return state.bias ? "" : " by a line through the origin"; }

// how the verdict is said: a headline and further lines
export function verdictLines(pane) {
  const { verdict, trace, state } = pane;
  const held = pane.tests.length ? ` (without the ${pane.tests.length} test ${plural(pane.tests.length, "point")})` : "";
  const inside = held + (state.features ? ", in the features x₁, x₂, x₁², x₁x₂, x₂²" : "");
  if (verdict.separable === null) return [`UNDECIDED: ${verdict.how}.`, []];
  if (!verdict.separable) return [`✘ NOT SEPARABLE${byWhat(state)}${inside}.`, obstructionLines(pane)];
  const own = trace && trace.stop_reason === "separated";
  const w = own ? trace.w : [...verdict.w, ...(state.bias ? [verdict.b] : [])];
  const [least, at] = smallest(pane, w);
  const lines = [`smallest ${equal("y·(w·x)", shown(least))} at point ${at + 1}, computed exactly`];
  const margin = verdict.margin;
  if (margin) {
    const { geometric, padded } = margin;
    const touching = geometric.touching.map((i) => pane.training[i] + 1).sort((a, b) => a - b);
    const widest = [...geometric.w, ...(state.bias ? [geometric.b] : [])].map(ofDouble);
    lines.push(`widest band: ${equation(widest, state)}, half-width ${number(geometric.gamma[0])}${square(geometric)}, touches ${plural(touching.length, "point")} ${listed(touching)}`);
    if (state.bias) lines.push(`margin of the bound, with the bias as a coordinate: γ = ${number(padded.gamma[0])}${square(padded)}`);
    lines.push(squared("R²", margin.radius2, margin.radius));
  } else if (verdict.no_margin) lines.push(`no margin: ${verdict.no_margin}`);
  return [`✔ SEPARABLE by ${state.bias ? "" : "a line through the origin: "}${equation(w, state)}${inside}`, lines];
}

function square(width) { return width.gamma2 === null ? "" : ` (${equal("γ²", shown(width.gamma2))})`; }
// "γ² = 1/5", or "γ² ≈ 0.958896"
export function equal(name, value) { return value.startsWith("≈") ? `${name} ≈ ${value.slice(1)}` : `${name} = ${value}`; }
// the square of a length: exact if it is known, else rounded
export function squared(name, exact, length) { return exact === null ? `${name} ≈ ${number(length ** 2)}` : equal(name, shown(exact)); }
export function number(value) { return String(Number(value.toPrecision(6))).replace("-", "−"); }
// a bound that is a whole number, written as digits; a long one rounded up
export function wholeText(digits) {
  if (digits.length <= 21) return digits;
  const [top, more] = [String(BigInt(digits.slice(0, 4)) + 1n), digits.length - 1];
  return top.length > 4 ? `10^${more + 1}` : `${top[0]}.${top.slice(1)}·10^${more}`;
}
// "at most ⌊(R/γ)²⌋ = 55": the bound of the mistakes
export function boundText(margin, start) {
  if (start) return `${wholeText(margin.bound)} from this start`;
  return margin.is_exact && margin.bound.length <= 21 ? equal("⌊(R/γ)²⌋", margin.bound) : `⌊(R/γ)²⌋ ≤ ${wholeText(margin.bound)}`;
}
export function plural(count, noun) { return count === 1 ? noun : `${noun}s`; }

function smallest(pane, w) {
  const weights = w.map(parsed);
  let [least, at] = [null, 0];
  exactRows(pane.X, pane.state.bias).forEach((x, i) => {
    const score = dot(weights, x);
    const signed = pane.y[i] > 0 ? score : ZERO.minus(score);
    if (least === null || signed.minus(least).sign < 0) [least, at] = [signed, pane.training[i]];
  });
  return [least, at];
}

function obstructionLines(pane) {
  const { verdict, trace, state } = pane;
  const why = verdict.obstruction;
  const side = (part) => part.rows.map((row, k) => `${shown(part.weights[k])}·p${pane.training[row] + 1}`).join(" + ");
  const lines = [];
  if (why.how === "same point") lines.push(`points ${why.positive.rows.concat(why.negative.rows).map((i) => pane.training[i] + 1).join(" and ")} are the same point with both colours`);
  else if (why.how === "hulls") lines.push(`both hulls contain ${vector(why.point)}:`, `${side(why.positive)} = ${side(why.negative)}`);
  else if (why.how === "origin") lines.push(`point ${[...why.positive.rows, ...why.negative.rows].map((i) => pane.training[i] + 1)} is the origin`);
  else lines.push(`each point times its sign and weight, they sum to zero: ${verdict.support.map((i, k) => `${pane.y[i] > 0 ? "+" : "−"} ${shown(verdict.weights[k])}·p${pane.training[i] + 1}`).join(" ")} = 0`);
  if (trace && trace.stop_reason === "cycle") {
    const since = updatesBeforeReturn(trace);
    const between = trace.updates - since;
    const sums = between === 1 ? "That update adds zero" : `The ${between} updates in between sum to zero`;
    const when = since ? `after update ${since}` : "at the start";
    const counts = trace.cycle_counts.length <= 12 ? `; how often each point was used: λ = (${trace.cycle_counts.join(", ")})` : "";
    lines.push(`cycle found: the weights after update ${trace.updates} are again ${trace.w.length <= 6 ? vector(trace.w) : "those"}, as ${when}. ${sums}${counts}: the loop is a proof, too`);
  }
  return lines;
}

// "point 4 (red, +): y·(w·x) = −3 ≤ 0 → w ← w + (0, 3/2, 1)"
export function stepText(pane, step) {
  const { state } = pane;
  if (!step) return "no update yet: this is the start";
  if (step.rows) {
    const points = listed(step.rows.map((row) => pane.training[row] + 1));
    return `mistakes of this pass: ${plural(step.rows.length, "point")} ${points}; ${equal("Σ y·x", vector(step.sum))} → w ← w + ${shown(step.eta)}·Σ y·x`;
  }
  const point = pane.training[step.row];
  const sign = pane.y[step.row];
  const score = parsed(step.score);
  const m = sign > 0 ? score : ZERO.minus(score);
  const added = exactRows([pane.X[step.row]], state.bias)[0].map((v) => v.times(parsed(step.eta)).times(parsed(String(sign))));
  const why = state.rule === "perceptron" ? " ≤ 0" : "";
  return `point ${point + 1} (${sign > 0 ? "red, +" : "blue, −"}): ${equal("y·(w·x)", shown(m))}${why} → w ← w + ${vector(added)}`;
}

// the rows that an update adds: one, or all mistakes of a pass
export function rowsOf(step) { return step.rows ?? [step.row]; }

// after how many updates the weights were what they are at the end of a cycle
function updatesBeforeReturn(trace) {
  let [left, number] = [trace.cycle_counts.reduce((a, b) => a + b, 0), trace.updates];
  while (left > 0) left -= rowsOf(trace.steps[--number]).length;
  return number;
}

// "1, 2, 4", at most twelve of them
export function listed(numbers) { return numbers.slice(0, 12).join(", ") + (numbers.length > 12 ? ", …" : ""); }

export function norm2(w) { const values = w.map(parsed); return dot(values, values); }

export function endingText(trace, state) {
  const words = { separated: "SEPARATED", cycle: `CYCLE: the weights returned, so no ${state.features ? "curve of these features" : "line"}${state.bias ? "" : " through the origin"} separates the points`, max_updates: `STOPPED at the limit of ${trace.limit} updates` };
  return `${words[trace.stop_reason]} · ${trace.updates} ${plural(trace.updates, "update")} · ${trace.looks} ${plural(trace.looks, "look")} · order ${state.order}`;
}
