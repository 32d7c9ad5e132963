// Small charts as SVG: curves with axes, bars, histograms, grey images. No library.

const SVG = "http://www.w3.org/2000/svg";

export function make(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) if (value !== null && value !== undefined) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export function tag(name, text = "", attributes = {}) {
  const element = document.createElement(name);
  element.textContent = text;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

export function ticks(low, high, about = 6) {
  const raw = (high - low) / about;
  if (!(raw > 0) || !Number.isFinite(raw)) return [low];
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * power).find((m) => m >= raw * 0.999);
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) found.push(Number((k * step).toPrecision(12)));
  return found;
}

export function tickText(value) {
  const size = Math.abs(value);
  const text = size >= 1e6 || (size > 0 && size < 1e-3) ? value.toExponential(0) : value.toLocaleString("en", { maximumFractionDigits: 6 });
  return text.replace("-", "−");
}

// a chart with axes; at(x, y) gives the place of a point of the window
export function chart(label, [x0, x1, y0, y1], xName, yName, width = 560, height = 300) {
  const [left, right, top, bottom] = [62, 20, 24, 44];
  const at = (x, y) => [left + ((x - x0) / (x1 - x0)) * (width - left - right), height - bottom - ((y - y0) / (y1 - y0)) * (height - top - bottom)];
  const svg = make("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label });
  for (const x of ticks(x0, x1)) {
    const [[px], words] = [at(x, y0), tickText(x)];
    svg.append(make("line", { x1: px, x2: px, y1: top, y2: height - bottom, class: "gridline" }), px + 6 * words.length > width - 2 ? text(width - 2, height - bottom + 16, words, "end") : text(px, height - bottom + 16, words, "middle"));
  }
  for (const y of ticks(y0, y1, 5)) {
    const [, py] = at(x0, y);
    svg.append(make("line", { x1: left, x2: width - right, y1: py, y2: py, class: "gridline" }), text(left - 6, py + 4, tickText(y), "end"));
  }
  svg.append(text((left + width - right) / 2, height - 6, xName, "middle"), text(4, 14, yName, "start"));
  return { svg, at, curve, dot, box: [x0, x1, y0, y1] };

  function curve(points, kind) {
    const listed = points.map(([x, y]) => at(x, Math.min(Math.max(y, y0), y1)).map((v) => v.toFixed(1)).join(","));
    svg.append(make("polyline", { points: listed.join(" "), class: kind }));
  }
  function dot(x, y, kind, r = 4) {
    const [cx, cy] = at(x, y);
    svg.append(make("circle", { cx, cy, r, class: kind }));
  }
}

export function text(x, y, content, anchor = "start", kind = "") {
  return make("text", { x, y, "text-anchor": anchor, class: kind || null }, content);
}

// horizontal bars around zero, one for each name
export function bars(label, names, values, shown, largest = Math.max(...values.map(Math.abs), 1e-12)) {
  const [row, left, width] = [26, 110, 560];
  const middle = left + (width - left - 70) / 2;
  const half = (width - left - 70) / 2 - 105;
  const svg = make("svg", { viewBox: `0 0 ${width} ${names.length * row + 8}`, role: "img", "aria-label": label });
  names.forEach((name, k) => {
    const long = (Math.abs(values[k]) / largest) * half;
    const y = k * row + 4;
    svg.append(text(left - 8, y + 16, name, "end"));
    svg.append(make("rect", { x: values[k] < 0 ? middle - long : middle, y: y + 2, width: Math.max(long, 1), height: row - 8, class: `bar ${values[k] < 0 ? "minus" : "plus"}` }));
    svg.append(text(values[k] < 0 ? middle - long - 5 : middle + long + 5, y + 16, shown[k], values[k] < 0 ? "end" : "start"));
  });
  svg.append(make("line", { x1: middle, x2: middle, y1: 0, y2: names.length * row + 8, class: "axis" }));
  return svg;
}

export function histogram(label, values, xName) {
  const counts = new Map();
  const low = Math.min(...values), high = Math.max(...values);
  const width = Math.max(1, Math.ceil((high - low + 1) / 30));
  for (const value of values) counts.set(Math.floor((value - low) / width), (counts.get(Math.floor((value - low) / width)) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const { svg, at } = chart(label, [low - width, high + width, 0, most * 1.1], xName, "runs", 560, 200);
  for (const [bin, count] of counts) {
    const [x, y] = at(low + bin * width - 0.5, count);
    const [x2, y2] = at(low + (bin + 1) * width - 0.5, 0);
    svg.append(make("rect", { x: x + 1, y, width: Math.max(x2 - x - 2, 1), height: y2 - y, class: "bar plain" }));
  }
  return svg;
}

// 8 × 8 values as squares: red is positive, blue negative, opacity the size
export function image(label, values, side, largest) {
  const svg = make("svg", { viewBox: `0 0 ${side} ${side}`, role: "img", "aria-label": label });
  values.forEach((value, k) => {
    svg.append(make("rect", { x: k % side, y: Math.floor(k / side), width: 1.02, height: 1.02, class: `bar ${value < 0 ? "minus" : "plus"}`, "fill-opacity": Math.min(1, Math.abs(value) / largest).toFixed(3) }));
  });
  return svg;
}

export function legend(entries) {
  const list = tag("ul", "", { class: "legend" });
  for (const [kind, words] of entries) {
    const sample = make("svg", { viewBox: "0 0 34 12", "aria-hidden": "true" }, make("polyline", { points: "1,6 33,6", class: kind }));
    const item = tag("li");
    item.append(sample, words);
    list.append(item);
  }
  return list;
}
