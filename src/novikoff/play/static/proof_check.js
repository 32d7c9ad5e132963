// Check a verdict and a run again, from the points of the page: a second implementation beside the Python library.
import { dot, ofDouble, ONE, parsed, ZERO } from "./exact_numbers.js";

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

// a list of what is wrong in a run of the perceptron rule: every update is computed again
export function traceErrors(X, y, bias, rule, trace) {
  const rows = exactRows(X, bias);
  let w = trace.start.map(parsed);
  const errors = [];
  for (const step of trace.steps) {
    if (step.rows) {
      [w, errors[0]] = batchUpdate(rows, y, w, step);
      if (errors[0]) return errors;
      errors.length = 0;
      continue;
    }
    const x = rows[step.row];
    const sign = y[step.row];
    const score = dot(w, x);
    if (!score.equals(parsed(step.score))) errors.push(`update ${step.number}: the score differs`);
    if (rule === "perceptron" && score.sign * sign > 0) errors.push(`update ${step.number}: the point was no mistake`);
    const factor = parsed(step.eta).times(sign > 0 ? ONE : ZERO.minus(ONE));
    w = w.map((value, j) => value.plus(factor.times(x[j])));
    if (step.w.some((text, j) => !parsed(text).equals(w[j]))) errors.push(`update ${step.number}: the weights differ`);
    if (mistakes(rows, y, w) !== step.errors_after) errors.push(`update ${step.number}: the number of errors differs`);
    if (errors.length) return errors;
  }
  if (trace.stop_reason === "separated" && mistakes(rows, y, w) !== 0) errors.push("the last weights do not separate the points");
  return errors;
}

// the weights after an update with all mistakes of a pass, and what is wrong with it, if anything
function batchUpdate(rows, y, w, step) {
  const wrong = rows.map((_, i) => i).filter((i) => dot(w, rows[i]).sign !== y[i]);
  if (wrong.join() !== step.rows.join()) return [w, `update ${step.number}: the mistakes differ`];
  const total = w.map((_, j) => wrong.reduce((sum, i) => (y[i] > 0 ? sum.plus(rows[i][j]) : sum.minus(rows[i][j])), ZERO));
  if (step.sum.some((text, j) => !parsed(text).equals(total[j]))) return [w, `update ${step.number}: the sum differs`];
  const after = w.map((value, j) => value.plus(parsed(step.eta).times(total[j])));
  if (step.w.some((text, j) => !parsed(text).equals(after[j]))) return [w, `update ${step.number}: the weights differ`];
  if (mistakes(rows, y, after) !== step.errors_after) return [w, `update ${step.number}: the number of errors differs`];
  return [after, ""];
}

export function mistakes(rows, y, w) {
  return rows.filter((x, i) => dot(w, x).sign !== y[i]).length;
}
