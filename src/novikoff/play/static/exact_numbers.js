// Exact fractions of BigInt, independent of the Python library.

export class Fraction {
  constructor(top, bottom = 1n) {
    if (bottom === 0n) throw new RangeError("a fraction with denominator 0");
    if (bottom < 0n) [top, bottom] = [-top, -bottom];
    const common = divisor(top < 0n ? -top : top, bottom);
    this.top = top / common;
    this.bottom = bottom / common;
  }
  plus(other) { return new Fraction(this.top * other.bottom + other.top * this.bottom, this.bottom * other.bottom); }
  times(other) { return new Fraction(this.top * other.top, this.bottom * other.bottom); }
  minus(other) { return this.plus(new Fraction(-other.top, other.bottom)); }
  get sign() { return this.top > 0n ? 1 : this.top < 0n ? -1 : 0; }
  get number() {
    const [a, b] = [this.top, this.bottom].map((value) => Math.max(0, bits(value) - 900));
    return (Number(this.top >> BigInt(a)) / Number(this.bottom >> BigInt(b))) * 2 ** (a - b);
  }
  get text() { return this.bottom === 1n ? `${this.top}` : `${this.top}/${this.bottom}`; }
}

function bits(value) { return (value < 0n ? -value : value).toString(16).length * 4; }

function divisor(a, b) {
  while (b > 0n) [a, b] = [b, a % b];
  return a === 0n ? 1n : a;
}

export const ZERO = new Fraction(0n);
export const ONE = new Fraction(1n);

// "-3", "1/2", "0.25", "1e-3" as an exact fraction; null if it is not a number; posted_points.py reads the same
const NUMBER = /^([-+]?)(?:(\d+)\/(\d+)|(?:(\d+)\.?(\d*)|\.(\d+))(?:[eE]([-+]?\d{1,3}))?)$/;

export function parsed(text) {
  const found = NUMBER.exec(plainText(text));
  if (!found) return null;
  const [, sign, over, under, front = "", back = found[6] ?? "", , power = "0"] = found;
  const signed = (value) => (sign === "-" ? -value : value);
  if (over !== undefined) return BigInt(under) === 0n ? null : new Fraction(signed(BigInt(over)), BigInt(under));
  const exponent = Number(power) - back.length;
  const top = signed(BigInt(front + back));
  return exponent < 0 ? new Fraction(top, 10n ** BigInt(-exponent)) : new Fraction(top * 10n ** BigInt(exponent));
}

// a number as the server reads it: without spaces around it, with the minus of ASCII
export function plainText(text) { return String(text).trim().replace("−", "-"); }

// the exact value of a double
export function ofDouble(value) {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const word = view.getBigUint64(0);
  const exponent = Number((word >> 52n) & 0x7ffn);
  const fraction = word & 0xfffffffffffffn;
  const mantissa = exponent === 0 ? fraction : fraction | (1n << 52n);
  const power = (exponent || 1) - 1075;
  const signed = word >> 63n ? -mantissa : mantissa;
  return power >= 0 ? new Fraction(signed << BigInt(power)) : new Fraction(signed, 1n << BigInt(-power));
}

export function dot(a, b) { return a.reduce((sum, value, j) => sum.plus(value.times(b[j])), ZERO); }

// as people read it: −1/2, and ≈0.333333 where the fraction is long
export function shown(value) {
  const fraction = typeof value === "string" ? parsed(value) : value;
  const text = fraction.text.replace("-", "−");
  if (text.length <= 12) return text;
  const rounded = fraction.number;
  return "≈" + (Number.isFinite(rounded) ? String(Number(rounded.toPrecision(6))) : "∞").replace("-", "−");
}

// a bound with six figures, or so many places, rounded up (toward 1) or down (−1): compared as an exact fraction
export function outward(value, toward, places = null) {
  const fraction = typeof value === "string" ? parsed(value) : typeof value === "number" ? ofDouble(value) : value;
  const write = (v) => (places === null ? String(Number(v.toPrecision(6))) : v.toFixed(places));
  const [text, size] = [write(fraction.number), Math.abs(fraction.number)];
  if (!Number.isFinite(size) || fraction.minus(parsed(text)).sign * toward <= 0) return text.replace("-", "−");
  const unit = places === null ? 10 ** (Math.floor(Math.log10(size)) - 5) : 10 ** -places;
  return write(Number(text) + toward * unit).replace("-", "−");
}

export function vector(values) {
  const text = `(${values.map(shown).join(", ")})`;
  return text.includes("≈") ? "≈" + text.replaceAll("≈", "") : text;
}

// 4·x₁ − 1/2·x₂ + 1; names: "" for a constant
export function sum(values, names) {
  let text = "";
  values.forEach((value, j) => {
    const fraction = typeof value === "string" ? parsed(value) : value;
    if (fraction.sign === 0) return;
    const size = shown(fraction.sign < 0 ? ZERO.minus(fraction) : fraction);
    const term = names[j] === "" ? size : size === "1" ? names[j] : `${size}·${names[j]}`;
    const sign = fraction.sign < 0 ? "−" : "+";
    text += text ? ` ${sign} ${term}` : (sign === "−" ? "−" : "") + term;
  });
  return text.includes("≈") ? "≈" + text.replaceAll("≈", "") : text || "0"; // one sign for all
}
