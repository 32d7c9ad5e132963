// Check a verdict again, from the points of the page: a second implementation beside the Python library.
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

export function mistakes(rows, y, w) {
  return rows.filter((x, i) => dot(w, x).sign !== y[i]).length;
}
