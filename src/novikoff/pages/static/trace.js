"use strict";
// Steps through the rows of the table of updates; everything shown is read from the table and the pictures.
(() => {
  const byId = (id) => document.getElementById(id);
  const table = byId("table"), rows = [...table.tBodies[0].rows], updates = rows.length;
  const names = [...table.tHead.rows[0].cells].map((cell) => cell.textContent);
  const points = Number(table.dataset.n);
  const plane = byId("plane"), proof = byId("proof"), now = byId("now"), scrub = byId("scrub"), play = byId("play");
  const NS = "http://www.w3.org/2000/svg";
  const WIDTH = 480, HEIGHT = 372, RIGHT = 14, TOP = 24, BOTTOM = 40; // as in window.py
  let k = 0, timer = null;

  const numbers = (text) => text.split(" ").map(Number);
  const cell = (row, name) => row.cells[names.indexOf(name)];
  const text = (row, name) => { const c = cell(row, name); return c ? c.textContent : null; };

  // ---- the plane
  const box = plane ? numbers(plane.dataset.window) : null;
  const at = (x, y) => [
    box[4] + (x - box[0]) / (box[1] - box[0]) * (WIDTH - box[4] - RIGHT),
    HEIGHT - BOTTOM - (y - box[2]) / (box[3] - box[2]) * (HEIGHT - TOP - BOTTOM),
  ];
  const added = (name, kind) => {
    const shape = document.createElementNS(NS, name);
    shape.setAttribute("class", kind);
    plane.insertBefore(shape, after);
    return shape;
  };
  const set = (shape, values) => { for (const name in values) shape.setAttribute(name, values[name]); };
  const between = (value, low, high) => Math.min(Math.max(value, low), high);

  // the ends of a·x + b·y + c = 0 inside the window, or null
  const clipped = (a, b, c) => {
    const size = Math.max(Math.abs(a), Math.abs(b));
    if (!(size > 0)) return null;
    a /= size; b /= size; c /= size;
    const [x0, x1, y0, y1] = box;
    if (Math.abs(b) >= Math.abs(a)) {
      const ends = [x0, x1].map((x) => [x, -(a * x + c) / b]);
      if (Math.min(ends[0][1], ends[1][1]) > y1 || Math.max(ends[0][1], ends[1][1]) < y0) return null;
      return ends.map(([x, y]) => { const e = between(y, y0, y1); return e === y ? [x, y] : [-(b * e + c) / a, e]; });
    }
    const ends = [y0, y1].map((y) => [-(b * y + c) / a, y]);
    if (Math.min(ends[0][0], ends[1][0]) > x1 || Math.max(ends[0][0], ends[1][0]) < x0) return null;
    return ends.map(([x, y]) => { const e = between(x, x0, x1); return e === x ? [x, y] : [e, -(a * e + c) / b]; });
  };
  const drawLine = (shape, w) => {
    const ends = w && clipped(...w);
    shape.toggleAttribute("hidden", !ends);
    if (!ends) return null;
    const [[x1, y1], [x2, y2]] = ends.map((end) => at(...end));
    set(shape, { x1, y1, x2, y2 });
    return [(x1 + x2) / 2, (y1 + y2) / 2];
  };
  let after, before, ring, normal;
  if (plane) {
    after = plane.querySelector("[data-of=after]");
    before = added("line", "before");
    normal = plane.querySelector("[data-of=normal]");
    ring = added("circle", "ring");
    ring.setAttribute("r", "9");
    byId("start").hidden = true;
  }
  const weights = (j) => numbers(j === 0 ? plane.dataset.start : rows[j - 1].dataset.w);
  const drawPlane = () => {
    const w = weights(k), middle = drawLine(after, w);
    drawLine(before, k > 0 ? weights(k - 1) : null);
    if (normal) normal.toggleAttribute("hidden", !middle); // absent where the axes have different scales
    if (normal && middle) {
      const length = Math.hypot(w[0], w[1]), [x1, y1] = middle;
      set(normal, { x1, y1, x2: x1 + 34 * w[0] / length, y2: y1 - 34 * w[1] / length });
    }
    ring.toggleAttribute("hidden", k === 0);
    if (k > 0) { const [cx, cy] = at(...numbers(rows[k - 1].dataset.p)); set(ring, { cx, cy }); }
    byId("when").textContent = k === 0 ? "Before the first update" :
      `After update ${k}; the point that was wrong is ringed, the grey line is the one before`;
    plane.setAttribute("aria-label", `The points and the line of the weights after ${k} updates`);
  };

  // ---- the proof
  const drawProof = () => {
    const cursor = byId("cursor"), [x0, x1, , , left] = numbers(proof.dataset.window);
    const x = left + (k - x0) / (x1 - x0) * (WIDTH - left - RIGHT);
    set(cursor.querySelector("line"), { x1: x, x2: x });
    for (const dot of cursor.querySelectorAll("circle")) {
      const [, y] = proof.querySelector(`polyline[data-of=${dot.dataset.of}]`).getAttribute("points").split(" ")[k].split(",");
      set(dot, { cx: x, cy: y });
    }
  };

  // ---- the sentence
  const sentence = () => {
    if (k === 0) return [`Before the first update: ${updates} updates follow.`];
    const row = rows[k - 1], sign = text(row, "label"), errors = Number(text(row, "errors after").replace(/,/g, ""));
    const added = text(row, "y·x"), w = text(row, "w after"), left = errors === 1 ? "1 point is" : `${errors} points are`;
    return [
      `Update ${k} of ${updates}, pass ${text(row, "pass")}: point ${text(row, "point")} (label ${sign}) has ` +
        `y·(w·x) = ${text(row, "y·(w·x)")} ≤ 0, a mistake.`,
      added === null ? `w ← w + η·y·x; now ‖w‖² = ${text(row, "‖w‖² after")}.` :
        `w ← w + η·y·x with y·x = ${added}; now w = ${w}.`,
      `The update raises y·(w·x) of this point by η‖x‖² = ${text(row, "+ η‖x‖²")}. ` +
        `${left} not on the right side now, of ${points}.`,
    ];
  };

  const show = (to) => {
    k = between(to, 0, updates);
    if (plane) drawPlane();
    if (proof) drawProof();
    now.replaceChildren(...sentence().map((line) => {
      const p = document.createElement("p");
      p.textContent = line;
      return p;
    }));
    scrub.value = k;
    scrub.setAttribute("aria-valuetext", `update ${k} of ${updates}`);
    if (byId("bar")) { byId("bar").value = k; byId("made").textContent = k.toLocaleString("en"); }
    for (const row of table.querySelectorAll("tr.current")) row.classList.remove("current");
    if (k > 0) {
      const row = rows[k - 1], scroller = table.parentElement, head = table.tHead.offsetHeight;
      row.classList.add("current");
      const top = row.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;
      if (top - head < scroller.scrollTop || top + row.offsetHeight > scroller.scrollTop + scroller.clientHeight) {
        scroller.scrollTop = top - scroller.clientHeight / 2;
      }
    }
    byId("first").disabled = byId("back").disabled = k === 0;
    byId("step").disabled = byId("last").disabled = k === updates;
    if (k === updates) pause();
    document.documentElement.dataset.update = k;
  };
  const pause = () => {
    clearInterval(timer);
    timer = null;
    play.textContent = "Play";
    now.setAttribute("aria-live", "polite");
  };
  const toggle = () => {
    if (timer !== null) { pause(); return; }
    if (k === updates) show(0);
    play.textContent = "Pause";
    now.setAttribute("aria-live", "off");
    timer = setInterval(() => show(k + 1), 700);
  };
  const go = (to) => { pause(); show(to); };

  byId("first").addEventListener("click", () => go(0));
  byId("back").addEventListener("click", () => go(k - 1));
  byId("step").addEventListener("click", () => go(k + 1));
  byId("last").addEventListener("click", () => go(updates));
  play.addEventListener("click", toggle);
  scrub.addEventListener("input", () => go(Number(scrub.value)));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.target === scrub) return;
    const moves = { ArrowRight: () => go(k + 1), ArrowLeft: () => go(k - 1), Home: () => go(0), End: () => go(updates) };
    if (event.target.classList.contains("scroll") && event.key in { Home: 1, End: 1 }) return;
    if (event.key in moves) moves[event.key]();
    else if (event.key === " " && event.target.tagName !== "BUTTON") toggle();
    else return;
    event.preventDefault();
  });
  // print the last state, as a page without script shows it
  let shown = 0;
  addEventListener("beforeprint", () => { shown = k; go(updates); });
  addEventListener("afterprint", () => show(shown));
  byId("stepper").hidden = now.hidden = false;
  show(0);
})();
