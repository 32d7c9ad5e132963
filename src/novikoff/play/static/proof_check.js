// Check a verdict and a run again, from the points of the page: a second implementation beside the Python library.
import { dot, Fraction, ofDouble, ONE, parsed, ZERO } from "./exact_numbers.js";

// rows of the points with products and the 1 of the bias, as exact fractions
export function exactRows(X, bias) {
  return X.map((x) => [...x.map(ofDouble), ...(bias ? [ONE] : [])]);
}

// a list of what is wrong; empty if the proof holds
export function verdictErrors(X, y, bias, verdict) {
  const rows = exactRows(X, bias);
  if (verdict.separable) return planeErrors(rows, y, bias, verdict);
  const errors = [];
  const { support, weights } = verdict;
  if (support.length === 0 || support.length !== weights.length) errors.push("the proof names no points");
  const total = rows[0].map(() => ZERO);
  support.forEach((row, k) => {
    const weight = parsed(weights[k]);
    if (!weight || weight.sign <= 0) errors.push(`the weight of point ${row + 1} is not positive`);
    else rows[row].forEach((value, j) => { total[j] = total[j].plus(value.times(weight).times(y[row] > 0 ? ONE : ZERO.minus(ONE))); });
  });
  if (total.some((value) => value.sign !== 0)) errors.push("the signed points do not sum to zero");
  return errors;
}

function planeErrors(rows, y, bias, verdict) {
  const w = [...verdict.w, ...(bias ? [verdict.b] : [])].map(parsed);
  if (w.some((value) => value === null) || w.length !== rows[0].length) return ["the plane has another number of weights"];
  return rows.flatMap((x, i) => (dot(w, x).sign === y[i] ? [] : [`point ${i + 1} is not on its own side`]));
}

// ---- runs: whole numbers over one common denominator, so that no greatest common divisor is needed

function scaled(vectors) {
  let bottom = 1n;
  for (const value of vectors.flat()) if (bottom % value.bottom) bottom = common(bottom, value.bottom);
  return { bottom, rows: vectors.map((vector) => vector.map((value) => value.top * (bottom / value.bottom))) };
}

function common(a, b) { return a * new Fraction(b, a).top; } // the least common multiple, for a, b > 0

function product(a, b) { let total = 0n; for (let j = 0; j < a.length; j++) total += a[j] * b[j]; return total; }

function signOf(value) { return value > 0n ? 1 : value < 0n ? -1 : 0; }

// weights as whole numbers over one denominator
class Weights {
  constructor(values) { const { bottom, rows } = scaled([values]); Object.assign(this, { bottom, tops: rows[0] }); }
  // add factor/under times a vector of whole numbers
  add(factor, under, vector) {
    const bottom = this.bottom % under ? common(this.bottom, under) : this.bottom;
    const [keep, times] = [bottom / this.bottom, (bottom / under) * factor];
    this.tops = this.tops.map((top, j) => top * keep + times * vector[j]);
    this.bottom = bottom;
  }
  equals(texts) { return texts.length === this.tops.length && texts.every((text, j) => { const value = parsed(text); return value !== null && value.top * this.bottom === this.tops[j] * value.bottom; }); }
  mistakes(rows, y) { let wrong = 0; for (let i = 0; i < rows.length; i++) if (signOf(product(this.tops, rows[i])) !== y[i]) wrong += 1; return wrong; }
}

// a list of what is wrong in a run: every score, weight and number of errors is computed again, and the start, the rate and
// the return of a cycle are compared. pause: is awaited after each update with its number; the check ends when it is true
export async function traceErrors(X, y, how, trace, pause = async () => false) {
  const { bottom, rows } = scaled(exactRows(X, how.bias));
  const w = new Weights(trace.start.map(parsed));
  const rate = how.order === "batch" ? parsed(how.eta).times(new Fraction(1n, BigInt(X.length))) : parsed(how.eta);
  const start = how.start.length ? how.start : trace.start.map(() => "0");
  if (!w.equals(start)) return ["the run has another start"];
  const seen = [trace.start];
  for (const step of trace.steps) {
    const eta = parsed(step.eta);
    if (!how.rule.startsWith("pa") && !eta.equals(rate)) return [`update ${step.number}: the rate differs`];
    const found = step.rows ? batchStep(step) : singleStep(step);
    if (typeof found === "string") return [`update ${step.number}: ${found}`];
    w.add(eta.top, eta.bottom * bottom, found);
    if (!w.equals(step.w)) return [`update ${step.number}: the weights differ`];
    if (w.mistakes(rows, y) !== step.errors_after) return [`update ${step.number}: the number of errors differs`];
    seen.push(step.w);
    if (await pause(step.number)) return [];
  }
  if (trace.stop_reason === "separated" && w.mistakes(rows, y) !== 0) return ["the last weights do not separate the points"];
  if (trace.stop_reason === "cycle" && !seen.slice(0, -1).some((texts) => w.equals(texts))) return ["the last weights were not there before"];
  return [];

  // what an update adds, without its rate: whole numbers; or what is wrong with it
  function singleStep(step) {
    const [x, sign] = [rows[step.row], y[step.row]];
    const [score, said] = [product(w.tops, x), parsed(step.score)];
    if (score * said.bottom !== said.top * w.bottom * bottom) return "the score differs";
    if (how.rule === "perceptron" && signOf(score) * sign > 0) return "the point was no mistake";
    return x.map((value) => (sign > 0 ? value : -value));
  }

  function batchStep(step) {
    const wrong = rows.map((_, i) => i).filter((i) => signOf(product(w.tops, rows[i])) !== y[i]);
    if (wrong.join() !== step.rows.join()) return "the mistakes differ";
    const total = rows[0].map((_, j) => wrong.reduce((sum, i) => sum + (y[i] > 0 ? rows[i][j] : -rows[i][j]), 0n));
    if (step.sum.some((text, j) => { const value = parsed(text); return value.top * bottom !== total[j] * value.bottom; })) return "the sum differs";
    return total;
  }
}

export function mistakes(rows, y, w) {
  return rows.filter((x, i) => dot(w, x).sign !== y[i]).length;
}
