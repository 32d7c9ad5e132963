// Tools beside the plane: check in the browser, files, noise, many runs.
import { histogram } from "./charts.js";
import { plural } from "./plane_words.js";
import { verdictErrors } from "./proof_check.js";
import { commandOf, csvOf, snippetOf } from "./page_state.js";
import { call } from "./server_calls.js";

const $ = (id) => document.getElementById(id);

export function attachTools(pane) {
  checking(pane);
  files(pane);
  noise(pane);
  manyRuns(pane);
}

function checking(pane) {
  pane.endCheck = () => { $("check-text").textContent = ""; };
  $("check").addEventListener("click", () => guarded(pane, async () => {
    const { verdict, X, y, state } = pane;
    const { X: given, y: labels, bias, features } = pane.request;
    const { certificate } = await call("/api/verdict", { X: given, y: labels, bias, features, certificate: true });
    const errors = await verdictErrors(X, y, state.bias, { ...verdict, certificate });
    if (verdict !== pane.verdict) return; // an answer about earlier points
    const what = verdict.separable ? `${X.length} inequalities hold` : `${verdict.support.length} ${plural(verdict.support.length, "point")} with positive weights sum to zero`;
    $("check-text").textContent = errors.length ? `✘ refused: ${errors[0]}` : `✔ checked in this browser with whole numbers: ${what}`;
  }));
  $("certificate").addEventListener("click", () => guarded(pane, async () => {
    const { X, y, bias, features } = pane.request;
    const found = await call("/api/verdict", { X, y, bias, features, certificate: true });
    save("certificate.json", JSON.stringify(found.certificate, null, 1) + "\n");
  }));
}

async function guarded({ app }, work) {
  try { await work(); app.message(""); } catch (error) { app.message(error.message); }
}

function save(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function files(pane) {
  for (const format of ["latex", "csv", "html"]) {
    $(`save-${format}`).addEventListener("click", () => guarded(pane, async () => {
      const found = await call("/api/export", { ...pane.request, numbers: pane.training.map((i) => i + 1), format });
      save(found.name, found.text);
    }));
  }
  $("save-points").addEventListener("click", () => save($("save-points").dataset.name, csvOf(pane.X, pane.y)));
  $("save-tests").addEventListener("click", () => save("test.csv", csvOf(pane.tests.map((t) => t.x), pane.tests.map((t) => t.s))));
  pane.takeAway = () => {
    const [held, products] = [pane.tests.length > 0, pane.state.features !== ""];
    $("save-points").textContent = `Save ${held ? "training points" : "points"}${products ? " with products" : ""} as CSV`;
    $("save-points").dataset.name = held || products ? "training.csv" : "points.csv"; // the points of the certificate
    $("save-tests").hidden = !held;
    $("cli-line").value = pane.refused ? "" : commandOf(pane.state); // what the server refuses is not to be copied
    $("snippet").value = pane.refused ? "" : snippetOf(pane.state, pane.training, pane.trace);
  };
}

// numbers between 0 and 1 by a seed
export function randomNumbers(seed) {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function noise(pane) {
  let times = 0;
  $("flip").addEventListener("click", () => {
    const random = randomNumbers(pane.state.seed + 1000 * times++);
    const share = Number($("noise").value) / 100;
    pane.edit(() => { for (const p of pane.state.points) if (random() < share) p.s = -p.s; });
    pane.refresh();
  });
}

function manyRuns(pane) {
  let shown = 0; // counts what is shown: an answer about earlier points or settings is not
  pane.clearRuns = () => { shown += 1; pane.runs = []; $("many-text").textContent = ""; $("many-chart").replaceChildren(); };
  for (const vary of ["orders", "starts"]) {
    $(`many-${vary}`).addEventListener("click", () => guarded(pane, async () => {
      const { X, y, bias, features, seed } = pane.request;
      pane.clearRuns();
      const mine = shown;
      if (new Set(y).size < 2) { $("many-text").textContent = "Put at least one point of each colour."; return; }
      $("many-text").textContent = `${vary} are tried …`;
      let found;
      try { found = await call("/api/runs", { X, y, bias, features, seed, vary }); } catch (error) { if (mine === shown) $("many-text").textContent = error.message; return; }
      if (mine !== shown) return;
      pane.runs = found.rows.map((row) => row.plane);
      const updates = found.rows.map((row) => row.updates);
      const how = vary === "orders" ? "rule perceptron from w₀ = 0" : "rule perceptron, order cyclic, from random w₀ of length R";
      $("many-text").textContent = `${found.rows.length} ${vary} (${how}, η = 1): ${found.notes.join("; ")}.`;
      $("many-chart").replaceChildren(histogram(`Histogram of the updates of ${found.rows.length} runs`, updates, "updates"));
      pane.draw();
    }));
  }
  $("many-clear").addEventListener("click", () => { pane.clearRuns(); pane.draw(); });
}
