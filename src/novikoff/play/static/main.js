// Start the page: token and state from the fragment, tabs, theme, messages.
import { CapacityPane } from "./capacity_pane.js";
import { DigitsPane } from "./digits_pane.js";
import { fragmentOf, keepPanes, stateOf, withKeptPanes } from "./page_state.js";
import { PlanePane } from "./plane_pane.js";
import { call, useToken } from "./server_calls.js";
import { SpamPane } from "./spam_pane.js";

const $ = (id) => document.getElementById(id);
const PANES = ["plane", "capacity", "spam", "digits"];

const app = {
  state: null,
  panes: {},
  message(text) { $("message").textContent = text; $("message").hidden = !text; },
  save() { history.replaceState(null, "", `#${fragmentOf(app.state)}`); keepPanes(app.state); },
  ready() { document.body.dataset.ready = "yes"; },
};

function openPane(name, focus = false) {
  app.state.pane = name;
  for (const pane of PANES) {
    const [tab, chosen] = [$(`tab-${pane}`), pane === name];
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    $(`pane-${pane}`).hidden = !chosen;
    if (chosen && focus) tab.focus();
  }
  app.save();
  return app.panes[name].open();
}

function tabs() {
  PANES.forEach((name, k) => {
    $(`tab-${name}`).addEventListener("click", () => openPane(name));
    $(`tab-${name}`).addEventListener("keydown", (event) => {
      const to = { ArrowRight: k + 1, ArrowLeft: k - 1, Home: 0, End: PANES.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      openPane(PANES[(to + PANES.length) % PANES.length], true);
    });
  });
}

function theme() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";
  const say = () => { $("theme").textContent = isDark() ? "Light theme" : "Dark theme"; dispatchEvent(new Event("theme")); };
  if (sessionStorage.getItem("novikoff-theme")) document.documentElement.dataset.theme = sessionStorage.getItem("novikoff-theme");
  $("theme").addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    sessionStorage.setItem("novikoff-theme", document.documentElement.dataset.theme);
    say();
  });
  dark.addEventListener("change", say);
  say();
}

function buttons() {
  $("copy-link").addEventListener("click", async () => {
    app.save();
    try { await navigator.clipboard.writeText(location.href); $("copy-link").textContent = "Copied"; } catch { app.message(`Copy this link: ${location.href}`); }
    setTimeout(() => { $("copy-link").textContent = "Copy link"; }, 1500);
  });
  $("show-keys").addEventListener("click", () => $("keys").showModal());
  $("close-keys").addEventListener("click", () => $("keys").close());
  document.addEventListener("keydown", (event) => {
    if (event.key === "?" && !/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) $("keys").showModal();
  });
  addEventListener("unhandledrejection", (event) => { if (event.reason?.message) app.message(event.reason.message); });
}

function read() {
  const { state, token, hasPoints, problem } = stateOf(location.hash);
  app.state = withKeptPanes(state);
  history.replaceState(null, "", `#${fragmentOf(state)}`); // the token is in no link
  return { token, hasPoints, problem };
}

async function start() {
  theme();
  buttons();
  const { token, hasPoints, problem } = read();
  useToken(token);
  if (innerWidth <= 820) $("settings").open = false; // the verdict follows the plane
  app.panes = { plane: new PlanePane(app), capacity: new CapacityPane(app), spam: new SpamPane(app), digits: new DigitsPane(app) };
  tabs();
  addEventListener("hashchange", async () => {
    const { plane } = app.panes;
    const before = plane.remember();
    const again = read();
    if (!again.hasPoints) app.state.points = before.points; // a link of another pane, or a damaged one
    useToken(again.token);
    plane.fill();
    plane.drawing.fit(app.state.points);
    await openPane(app.state.pane);
    if (again.problem) app.message(again.problem);
  });
  let found;
  try { found = await call("/api/start"); } catch (error) { app.message(error.message); $("verdict").textContent = "No verdict."; return; }
  app.panes.plane.fillExamples(found.examples);
  app.panes.spam.fillExample(found.examples.spam);
  app.panes.plane.fill();
  const { plane } = app.panes;
  plane.drawing.fit(app.state.points);
  const isStart = token !== null && !hasPoints && found.table; // the link that was printed with a file
  if (app.state.points.length === 0 || isStart) {
    if (found.table) { app.state.bias = found.table.bias ?? true; plane.fill(); await plane.openTable(found.table); } else await plane.openExample("cornwell");
    plane.showALine();
  }
  await openPane(app.state.pane);
  plane.history = []; // undo leads back to the points that the page opened with
  if (problem) app.message(problem);
}

start();
