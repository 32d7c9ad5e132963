// Check a verdict again, from the points of the page: its certificate, by the reader in JavaScript.
import { check, Refused } from "./certificate_check.js";
import { dot, ofDouble, ONE } from "./exact_numbers.js";

// rows of the points with products and the 1 of the bias, as exact fractions
export function exactRows(X, bias) {
  return X.map((x) => [...x.map(ofDouble), ...(bias ? [ONE] : [])]);
}

// what is wrong with a verdict about points; empty if its certificate proves it
export async function verdictErrors(X, y, bias, verdict) {
  const points = X.map((x, i) => ({ label: String(y[i]), columns: x.map((_, j) => j), numbers: x }));
  const { certificate } = verdict;
  try {
    const { kind } = await check(certificate, points);
    if (certificate.model.intercept !== bias) return ["the certificate is about planes of another kind"];
    if ((kind === "complete") !== verdict.separable) return [`the certificate proves ${kind}`];
    return verdict.separable && !samePlane(certificate.directions[0], verdict, bias) ? ["the certificate has another plane"] : [];
  } catch (error) {
    if (error instanceof Refused) return [error.message];
    throw error;
  }
}

function samePlane({ at, values }, { w, b }, bias) {
  const plane = new Map(at.map((j, k) => [j, values[k]]));
  return [...w, ...(bias ? [b] : [])].every((value, j) => value === (plane.get(j) ?? "0"));
}

export function mistakes(rows, y, w) {
  return rows.filter((x, i) => dot(w, x).sign !== y[i]).length;
}
