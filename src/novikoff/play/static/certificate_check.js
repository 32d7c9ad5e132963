// Check a certificate as docs/certificate.md specifies it, with whole numbers of any size; for browsers and Node.
//     await check(read(text), points)     {kind, rows}: what is proved; or throws Refused, which says what fails
// points: an array of {label, columns, numbers}; `table(text, certificate)` reads them from a plain file.

export class Refused extends Error {}

function need(right, message) { if (!right) throw new Refused(message); }

// ---- the schema: each function takes a value and its field's name, and returns the parsed value

const short = (value) => { const text = JSON.stringify(value) ?? String(value); return text.length > 80 ? `${text.slice(0, 80)}…` : text; };
const fail = (value, at, expected) => { throw new Refused(`${at}: found ${short(value)}; expected ${expected}`); };
const scalar = (fits, expected) => (value, at) => (fits(value) ? value : fail(value, at, expected));
const count = scalar((v) => Number.isInteger(v) && v >= 0 && v < 2 ** 63, "a number from 0");
const truth = scalar((v) => typeof v === "boolean", "true or false");
const text = scalar((v) => typeof v === "string", "a text");
const hex = scalar((v) => typeof v === "string" && /^[0-9a-f]{64}$/.test(v), "64 hexadecimal digits");
const oneOf = (...words) => scalar((v) => words.includes(v), words.join(", "));
const isInteger = (v) => typeof v === "string" && v.length <= 100_000 && /^(0|-?[1-9][0-9]*)$/.test(v);
const integer = (v, at) => (isInteger(v) ? BigInt(v) : fail(v, at, "an integer as text"));
const positive = (v, at) => (isInteger(v) && BigInt(v) > 0n ? BigInt(v) : fail(v, at, "an integer > 0 as text"));
const fraction = (v, at) => {
  const parts = typeof v === "string" ? v.split("/") : [];
  return parts.length === 2 ? parts.map((part) => positive(part, at)) : fail(v, at, "a fraction p/q > 0 as text");
};
const orNull = (inner) => (v, at) => (v === null ? null : inner(v, at));
const list = (inner) => (v, at) => (Array.isArray(v) ? v.map((one) => inner(one, at)) : fail(v, at, "a list"));
const object = (fields) => (v, at) => {
  const names = v !== null && typeof v === "object" && !Array.isArray(v) ? Object.keys(v).sort() : [];
  const wanted = Object.keys(fields).sort();
  if (names.join("\n") !== wanted.join("\n")) fail(v === null ? v : names, at, wanted.join(", "));
  return Object.fromEntries(wanted.map((name) => [name, fields[name](v[name], `${at}.${name}`)]));
};

const VECTOR = object({ at: list(count), values: list(integer) });
const WEIGHTS = object({ rows: list(count), against: list(count), weights: list(positive) });
const BETWEEN = { lower: fraction, upper: fraction };
const WIDTH = object({ direction: count, mixture: WEIGHTS, ...BETWEEN });
const CSV = object({ delimiter: oneOf(",", "\t", ";", "|", " "), header: truth, label: count });
const parse = object({
  format: oneOf("novikoff-proof/1"),
  claim: oneOf("complete", "quasi-complete", "overlap", "not separable"),
  data: object({
    digest: hex, rows: count, columns: count, made_by: orNull(text),
    file: object({ csv: orNull(CSV), svmlight: orNull(object({ first_column: count })) }),
  }),
  model: object({
    family: oneOf("labels", "successes", "proportions", "poisson"), classes: orNull(list(orNull(text))), trials: orNull(count),
    intercept: truth,
  }),
  strict: orNull(WEIGHTS), directions: list(VECTOR), zero_sum: WEIGHTS, complement: list(VECTOR),
  coefficients: orNull(object({
    aliased: list(object({ column: count, relation: VECTOR })),
    states: list(oneOf("finite", "+inf", "-inf", "not-unique", "undecided")),
    limits: list(object({ coefficient: count, factor: positive, sum: WEIGHTS })),
  })),
  margins: orNull(object({ geometric: orNull(WIDTH), padded: orNull(WIDTH), radius2: orNull(object(BETWEEN)) })),
});

// the object in a JSON text; refuses large ones, numbers with a point or an exponent, and repeated names
export function read(source) {
  const bare = source.replace(/"(?:[^"\\]|\\.)*"/gs, '""');
  const names = (value) => (value === null || typeof value !== "object" ? 0
    : Object.values(value).reduce((sum, one) => sum + names(one), Array.isArray(value) ? 0 : Object.keys(value).length));
  need(source.length <= 2 ** 26 && (bare.match(/[[{]/g) ?? []).length <= 200_000, "certificate: too many bytes, lists or objects");
  need(!/[0-9.][.eE]/.test(bare), "certificate: a number has a point or an exponent");
  let found;
  try { found = JSON.parse(source); } catch { throw new Refused("certificate: not JSON"); }
  need(names(found) === (bare.match(/:/g) ?? []).length, "certificate: a name is there twice");
  return found;
}

// ---- plain files

const NUMBER = /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$/;
const TRUTHS = { true: 1, True: 1, TRUE: 1, false: 0, False: 0, FALSE: 0 };

function numberOf(cell, line) {
  const plain = cell.trim();
  need(NUMBER.test(plain) && Number.isFinite(Number(plain)), `line ${line}: found ${short(cell)}; expected finite numbers`);
  return Number(plain);
}

// the number that a label is, or its text
function labelOf(label) {
  const plain = (label ?? "").trim();
  const near = TRUTHS[plain] ?? (plain.length <= 400 && NUMBER.test(plain) ? Number(plain) : Infinity);
  return Math.abs(near) <= 2 ** 53 ? near + 0 : label;
}

// the points of a plain file, read as the certificate states
export function table(source, certificate) {
  const { data, model } = parse(certificate, "certificate");
  const lines = source.replace(/^\uFEFF/, "");
  return data.file.csv ? csvPoints(lines, data, model) : svmlightPoints(lines, data);
}

function csvPoints(source, data, model) {
  const { delimiter, header, label } = data.file.csv;
  const points = [];
  let first = header;
  need(label <= data.columns, "data.file.csv.label: expected a cell of a line");
  for (const [number, cells] of records(source, delimiter)) {
    need(cells.length === data.columns + 1, `other data: line ${number} has ${cells.length} cells`);
    const [own] = cells.splice(label, 1);
    if (first) {
      const known = NUMBER.test(own.trim()) || (model.classes ?? []).map(labelOf).includes(labelOf(own.trim()));
      need(!known || !cells.every((cell) => NUMBER.test(cell.trim())), "data.file.csv.header: the first line is a row");
      first = false;
    } else {
      const numbers = cells.map((cell) => numberOf(cell, number));
      points.push({ label: own.trim(), columns: numbers.map((_, j) => j), numbers });
    }
  }
  return points;
}

// the lines of a table that are not empty, as cells; a quote is doubled inside quotes
function records(source, delimiter) {
  const found = [];
  let [cells, cell, quoted, begun, line] = [[], "", false, false, 1];
  const end = () => {
    if (begun) found.push([line, [...cells, cell]]);
    [cells, cell, begun] = [[], "", false];
  };
  for (let i = 0; i < source.length; i += 1) {
    const letter = source[i];
    if (quoted) {
      if (letter !== '"') cell += letter;
      else if (source[i + 1] === '"') { cell += '"'; i += 1; } else quoted = false;
    } else if (letter === '"' && cell === "") { quoted = true; begun = true; }
    else if (letter === delimiter) { cells.push(cell); cell = ""; begun = true; }
    else if (letter === "\n" || letter === "\r") {
      if (letter === "\r" && source[i + 1] === "\n") i += 1;
      end();
      line += 1;
    } else { cell += letter; begun = true; }
  }
  end();
  return found;
}

function svmlightPoints(source, data) {
  const points = [];
  for (const [k, line] of source.split(/\r\n|\r|\n/).entries()) {
    const [label, ...words] = line.split("#")[0].split(/\s+/).filter(Boolean);
    if (label === undefined) continue;
    const pairs = words.map((word) => {
      const [at, ...rest] = word.split(":");
      need(/^[0-9]{1,18}$/.test(at) && rest.length === 1, `line ${k + 1}: expected column:number pairs`);
      return [Number(at) - data.file.svmlight.first_column, numberOf(rest[0], k + 1)];
    }).sort((a, b) => a[0] - b[0]);
    const right = !label.includes(":") && pairs.every(([j], p) => j >= 0 && (p === 0 || pairs[p - 1][0] < j));
    need(right, `line ${k + 1}: expected a label, and different column:number pairs`);
    points.push({ label, columns: pairs.map(([j]) => j), numbers: pairs.map(([, x]) => x) });
  }
  return points;
}

// ---- the digest

const sha256 = async (bytes) => new Uint8Array(await globalThis.crypto.subtle.digest("SHA-256", bytes));
const whole = (value) => { const words = new BigUint64Array([BigInt(value)]); return new Uint8Array(words.buffer); };
const double = (value) => new Uint8Array(new Float64Array([value]).buffer);
const textWords = (value) => {
  const raw = new TextEncoder().encode(value);
  return joined([whole(raw.length), raw, new Uint8Array((8 - (raw.length % 8)) % 8)]);
};

function joined(parts) {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) { out.set(part, at); at += part.length; }
  return out;
}

export async function digestOf(points, columns) {
  const blocks = [];
  for (let lo = 0; lo < points.length; lo += 4096) {
    const parts = [];
    for (const point of points.slice(lo, lo + 4096)) {
      const label = labelOf(point.label);
      parts.push(...(typeof label === "number" ? [whole(2n ** 64n - 1n), double(label)] : [textWords(label)]));
      const there = point.numbers.map((x, k) => [point.columns[k], x]).filter(([, x]) => x !== 0);
      parts.push(whole(there.length), ...there.flatMap(([j, x]) => [whole(j), double(x)]));
    }
    blocks.push(await sha256(joined(parts)));
  }
  const found = await sha256(joined([textWords("novikoff-digest/2"), whole(points.length), whole(columns), ...blocks]));
  return [...found].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// ---- exact rows

// [p, e] with x = p·2^e
function exact(x) {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  const power = Number((bits >> 52n) & 2047n);
  const digits = (bits & (2n ** 52n - 1n)) + (power ? 2n ** 52n : 0n);
  return [bits >> 63n ? -digits : digits, Math.max(power, 1) - 1075];
}

class Question {
  constructor(c) {
    const { family, classes, trials, intercept } = c.model;
    const labels = family === "labels";
    Object.assign(this, { c, family, trials, intercept, width: c.data.columns + Number(intercept) });
    need((c.data.file.csv === null) !== (c.data.file.svmlight === null), "data.file: expected csv or svmlight");
    need(labels === (classes !== null), "model.classes: expected two or more, for labels");
    this.classes = labels ? classes.map(labelOf) : [0, 1];
    this.K = this.classes.length;
    need(this.K > 1 && this.K <= 1000 && new Set(this.classes).size === this.K, "model.classes: expected two or more");
    need(family === "successes" ? trials !== null : family !== "poisson" || trials === null, "model.trials: not of this family");
    need((trials ?? 0) < c.data.columns, "model.trials: expected a column");
    const relations = c.coefficients?.aliased ?? [];
    this.out = new Set();
    this.aliased = new Map(relations.map((one) => [one.column, this.vector(one.relation, "aliased", this.width)]));
    for (const j of this.aliased.keys()) this.out.add(j);
    if (trials !== null) this.out.add(trials);
    need(this.aliased.size === relations.length && !this.aliased.has(trials), "coefficients.aliased: expected other columns");
    for (const [j, relation] of this.aliased) {
      need(relation.get(j), "coefficients.aliased: expected a relation that is not 0 at its column");
      need([...relation.keys()].every((k) => k === j || !this.out.has(k)), "coefficients.aliased: expected kept columns");
    }
    const size = (this.K - 1) * this.width;
    this.dimension = (this.K - 1) * (this.width - this.out.size);
    this.directions = c.directions.map((one) => this.vector(one, "directions", size));
    this.E = [...this.directions, ...c.complement.map((one) => this.vector(one, "complement", size))];
    this.strict = c.strict ? this.weights(c.strict, "strict") : [];
    this.zeroSum = this.weights(c.zero_sum, "zero_sum");
    this.readCoefficients(size);
    this.readMargins();
    need(c.strict === null || (this.strict.length > 0 && this.strict.length <= this.dimension + 1), "strict: too many rows");
    need(this.zeroSum.length < 2 * (this.dimension + 1), "zero_sum: too many vectors");
    const others = c.directions.length + c.complement.length + this.zeroSum.length > 0 || c.coefficients || c.margins;
    need(c.claim !== "not separable" || (this.strict.length && !others), "claim: not separable is proved by strict alone");
  }

  readCoefficients(size) {
    const { states, limits } = this.c.coefficients ?? { states: [], limits: [] };
    need(!this.c.coefficients || states.length === this.dimension, `coefficients.states: expected ${this.dimension}`);
    this.states = [];
    for (let m = 0, k = 0; k < states.length && m < size; m += 1) if (!this.out.has(m % this.width)) this.states.push([m, states[k++]]);
    this.limits = new Map(limits.map((one) => [one.coefficient, { ...one, sum: this.weights(one.sum, "limits") }]));
    const infinite = this.states.filter(([, state]) => state.endsWith("inf")).map(([m]) => m);
    const same = this.limits.size === infinite.length && infinite.every((m) => this.limits.has(m));
    need(same, "coefficients.limits: expected one for each infinite state, no other");
  }

  readMargins() {
    const { c } = this;
    this.widths = ["geometric", "padded"].filter((name) => c.margins?.[name]).map((name) => ({
      name, ...c.margins[name], mixture: this.weights(c.margins[name].mixture, `margins.${name}`),
    }));
    const plain = c.claim === "complete" && this.family === "labels" && this.K === 2 && this.out.size === 0;
    need(plain || !c.margins, "margins: expected only for the claim complete, of labels of two classes");
    need(this.intercept || !c.margins?.geometric, "margins.geometric: expected an intercept");
    need(this.widths.every((one) => one.direction < this.directions.length), "margins: no such direction");
  }

  vector({ at, values }, name, size) {
    const rising = at.every((m, k) => m < size && (k === 0 || at[k - 1] < m)) && at.length === values.length;
    need(rising, `${name}: expected rising places below ${size}`);
    need(at.every((m) => !this.out.has(m % this.width)), `${name}: a place is of a column without coefficient`);
    return new Map(at.map((m, k) => [m, values[k]]));
  }

  weights({ rows, against, weights }, name) {
    const even = rows.length === against.length && rows.length === weights.length;
    const inside = even && rows.every((i, k) => i < this.c.data.rows && against[k] < this.K);
    need(inside && new Set(rows.map((i, k) => `${i} ${against[k]}`)).size === rows.length, `${name}: expected different rows`);
    return rows.map((row, k) => ({ row, against: against[k], weight: weights[k] }));
  }

  // the classes y by the class that a vector is against; null for a label that the family does not have
  pairs(label, trials) {
    if (trials < 0) return null;
    if (this.family === "labels") {
      const y = this.classes.indexOf(label);
      if (y < 0) return null;
      return new Map(trials ? this.classes.map((_, c) => [c, y]).filter(([c]) => c !== y) : []);
    }
    const value = typeof label === "number" ? label : NUMBER.test(label) ? Number(label) : NaN;
    const most = { successes: trials, proportions: 1, poisson: Number.MAX_VALUE }[this.family];
    if (!(value >= 0 && value <= most)) return null;
    if (!trials) return new Map();
    return new Map([...(value > 0 ? [[0, 1]] : []), ...(value < most ? [[1, 0]] : [])]);
  }

  // a row in integers, x = numbers·2^power at columns, with its pairs
  row(point) {
    const there = point.numbers.map((x, k) => [point.columns[k], x]).filter(([, x]) => x !== 0);
    const trials = this.trials === null ? 1 : (there.find(([j]) => j === this.trials)?.[1] ?? 0);
    const found = this.pairs(labelOf(point.label), trials);
    const wrong = found ? "" : `model: found the label ${short(point.label)}, which is none of the family and classes`;
    const parts = there.map(([j, x]) => [j, ...exact(x)]);
    if (this.intercept) parts.push([this.width - 1, 1n, 0]);
    const power = Math.min(0, ...parts.map(([, , e]) => e));
    const x = new Map(parts.map(([j, p, e]) => [j, p << BigInt(e - power)]));
    const pairs = found ?? new Map();
    const bad = pairs.size ? [...this.aliased.values()].some((relation) => dot(relation, x) !== 0n) : false;
    for (const j of this.out) x.delete(j);
    return { x, power, pairs, wrong: wrong || (bad ? "coefficients.aliased: a row has another relation" : "") };
  }

  // x·(the part k of a vector)
  score(x, b, k) {
    let sum = 0n;
    if (k) for (const [j, value] of x) sum += value * (b.get((k - 1) * this.width + j) ?? 0n);
    return sum;
  }
}

function dot(a, b) {
  let sum = 0n;
  for (const [m, value] of a) sum += value * (b.get(m) ?? 0n);
  return sum;
}

// ---- the check

export async function check(certificate, points) {
  const c = parse(certificate, "certificate");
  const asked = new Question(c);
  need(points.every((p) => p.columns.every((j) => j < c.data.columns)), "other data: a row has a column beyond data.columns");
  const same = points.length === c.data.rows && (await digestOf(points, c.data.columns)) === c.data.digest;
  need(same, "other data: the digest or the number of rows is not that of the certificate");
  const rows = points.map((point) => asked.row(point));
  let [separated, others] = [0, 0];
  const apart = [];
  for (const [i, row] of rows.entries()) {
    need(!row.wrong, row.wrong);
    let any = false;
    for (const [against, y] of row.pairs) {
      const side = (b) => asked.score(row.x, b, y) - asked.score(row.x, b, against);
      const sides = asked.directions.map(side);
      need(sides.every((s) => s >= 0n), `directions: a row is on the wrong side of one of them: row ${i + 1}`);
      if ((sides[0] ?? 0n) > 0n) { separated += 1; any = true; } else {
        others += 1;
        need(asked.E.every((e) => side(e) === 0n), `complement: a row is neither separated nor orthogonal to it: row ${i + 1}`);
      }
    }
    if (any) apart.push(i);
  }
  need(separated + others, "model: no row has a vector, so there is nothing to decide");
  need(isZero(total(asked, rows, asked.strict, "strict").sum), "strict: the weighted rows do not sum to zero");
  if (c.claim === "not separable") return { kind: c.claim, rows: [] };
  need(isZero(total(asked, rows, asked.zeroSum, "zero_sum").sum), "zero_sum: the weighted rows do not sum to zero");
  if (others || asked.states.some(([, state]) => state === "finite" || state.endsWith("inf"))) {
    const H = asked.zeroSum.map((one) => total(asked, rows, [{ ...one, weight: 1n }], "zero_sum").sum);
    need(rank(H) + rank(asked.E) >= asked.dimension, "complement: it does not have the rank that is needed");
  }
  const kind = !separated ? "overlap" : others ? "quasi-complete" : "complete";
  need(kind === c.claim, `claim: ${c.claim} is claimed, ${kind} is proved`);
  for (const [m, state] of asked.states) checkState(asked, rows, m, state);
  for (const width of asked.widths) checkWidth(asked, rows, width);
  if (c.margins?.radius2) {
    const { lower, upper } = c.margins.radius2;
    const squares = rows.map(({ x, power }) => [dot(x, x), 2 * power]);
    need(squares.some((square) => compare(square, lower) >= 0) && squares.every((square) => compare(square, upper) <= 0),
      "margins.radius2: the longest row has another length");
  }
  return { kind, rows: apart };
}

const isZero = (vector) => [...vector.values()].every((value) => value === 0n);

// Σ weight·z = sum·2^power
function total(asked, rows, weights, at) {
  const power = Math.min(0, ...weights.map(({ row }) => rows[row].power));
  const sum = new Map();
  for (const { row, against, weight } of weights) {
    const { x, pairs, power: own } = rows[row];
    need(pairs.has(against), `${at}: a row has no vector against that class`);
    for (const [part, sign] of [[pairs.get(against), 1n], [against, -1n]]) {
      if (part) for (const [j, value] of x) {
        const m = (part - 1) * asked.width + j;
        sum.set(m, (sum.get(m) ?? 0n) + sign * weight * (value << BigInt(own - power)));
      }
    }
  }
  return { sum, power };
}

function checkState(asked, rows, m, state) {
  const values = asked.directions.map((b) => b.get(m) ?? 0n);
  const at = `coefficients.states: coefficient ${m}`;
  if (state === "finite") need(asked.E.every((e) => !e.get(m)), `${at} is not proved to be finite`);
  if (state === "not-unique") need(values.some((v) => v < 0n) && values.some((v) => v > 0n), `${at} has one sign`);
  if (!state.endsWith("inf")) return;
  const sign = state === "+inf" ? 1n : -1n;
  const limit = asked.limits.get(m);
  const { sum, power } = total(asked, rows, limit.sum, "limits");
  sum.set(m, (sum.get(m) ?? 0n) - sign * (limit.factor << BigInt(-power)));
  need((values[0] ?? 0n) * sign > 0n, `${at} has another sign in directions[0]`);
  need(asked.E.every((e) => dot(e, sum) === 0n), `${at} is not that of its limit, up to zero_sum`);
}

// p·2^e against p/q: the sign of the difference
function compare([value, e], [p, q]) {
  const [left, right] = e >= 0 ? [(value * q) << BigInt(e), p] : [value * q, p << BigInt(-e)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function checkWidth(asked, rows, { name, direction, mixture, lower, upper }) {
  const [v, two] = [asked.directions[direction], name === "geometric"];
  let length2 = 0n;
  for (const [j, value] of v) if (!two || j < asked.width - 1) length2 += value * value;
  for (const { x, power, pairs } of rows) {
    const side = pairs.get(0) === 1 ? asked.score(x, v, 1) : -asked.score(x, v, 1);
    need(side > 0n, `margins.${name}.direction: a row is not strictly on its own side`);
    need(compare([side * side, 2 * power], [lower[0] * length2, lower[1]]) >= 0, `margins.${name}.lower: the direction has a smaller margin`);
  }
  const sums = [0, 1].map((k) => mixture.reduce((sum, one) => (!two || one.against === k ? sum + one.weight : sum), 0n));
  need(sums.every((sum) => sum > 0n), `margins.${name}.mixture: expected rows${two ? " of both classes" : ""}`);
  const even = two ? mixture.map((one) => ({ ...one, weight: one.weight * sums[1 - one.against] })) : mixture;
  const { sum, power } = total(asked, rows, even, `margins.${name}.mixture`);
  const parts = sums[0] * (two ? 2n * sums[1] : 1n);
  need(compare([dot(sum, sum), 2 * power], [upper[0] * parts * parts, upper[1]]) <= 0, `margins.${name}.upper: the mixture proves a larger one only`);
}

// the rank modulo a prime, which is at most the rank
function rank(vectors) {
  const prime = 2n ** 89n - 1n;
  const pivots = new Map(); // place: a vector with 1 there, and nothing at earlier pivots
  for (const vector of vectors) {
    const left = new Map([...vector].map(([m, v]) => [m, ((v % prime) + prime) % prime]).filter(([, v]) => v));
    while (left.size) {
      const p = Math.min(...left.keys());
      const factor = left.get(p);
      if (!pivots.has(p)) {
        const inverse = power(factor, prime - 2n, prime);
        pivots.set(p, new Map([...left].map(([m, v]) => [m, (v * inverse) % prime])));
        break;
      }
      for (const [m, v] of pivots.get(p)) {
        const value = ((((left.get(m) ?? 0n) - factor * v) % prime) + prime) % prime;
        if (value) left.set(m, value); else left.delete(m);
      }
    }
  }
  return pivots.size;
}

function power(base, exponent, prime) {
  let [result, factor] = [1n, base];
  for (let left = exponent; left; left >>= 1n) {
    if (left & 1n) result = (result * factor) % prime;
    factor = (factor * factor) % prime;
  }
  return result;
}
