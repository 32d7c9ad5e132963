// Calls of the server: JSON in, JSON or lines of JSON out. The token comes in the fragment of the first address, is moved
// to sessionStorage, and is given to other tabs of this server only.

const KEY = "novikoff-token";
const tabs = new BroadcastChannel("novikoff-play");
let busy = 0;
export const STOPPED = "novikoff play has stopped. Your points are kept in this tab: start it again and go on.";

tabs.onmessage = ({ data }) => {
  if (data.wanted && sessionStorage.getItem(KEY)) tabs.postMessage({ token: sessionStorage.getItem(KEY) });
  if (data.token && data.token !== sessionStorage.getItem(KEY)) prove(data.token);
};

// store a token that the server accepts; a link of somebody else may have any other
async function prove(token) {
  let accepted = false;
  try { accepted = (await post("/api/token", {}, token)).ok; } catch { /* the next call reports a stopped server */ }
  if (accepted) sessionStorage.setItem(KEY, token);
  return accepted;
}

export async function keepToken(token) {
  if (token && (token === sessionStorage.getItem(KEY) || (await prove(token)))) {
    tabs.postMessage({ token });
  } else if (!sessionStorage.getItem(KEY)) {
    tabs.postMessage({ wanted: true });
    for (let k = 0; k < 20 && !sessionStorage.getItem(KEY); k++) await new Promise((done) => setTimeout(done, 25));
  }
}

export class CallError extends Error {}

function post(path, body, token, signal) {
  return fetch(path, { method: "POST", signal, body: JSON.stringify(body), headers: { "Content-Type": "application/json", "X-Novikoff-Token": token } });
}

async function request(path, body, signal, again = true) {
  let response;
  try {
    response = await post(path, body, sessionStorage.getItem(KEY) ?? "", signal);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new CallError(STOPPED);
  }
  if (response.status === 401 && again) {
    sessionStorage.removeItem(KEY);
    await keepToken(null);
    return request(path, body, signal, false);
  }
  if (!response.ok) throw new CallError((await response.json()).error);
  return response;
}

function count(change) {
  busy += change;
  document.body.dataset.busy = String(busy);
}

export async function call(path, body = {}) {
  count(1);
  try {
    const response = await request(path, body);
    try { return await response.json(); } catch { throw new CallError(STOPPED); }
  } finally {
    count(-1);
  }
}

// each line of a stream is given to onLine; stop with the AbortController's abort(); a stream without its last line was cut off
export async function stream(path, body, controller, onLine) {
  const response = await request(path, body, controller.signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let [rest, complete] = ["", false];
  for (;;) {
    let part;
    try { part = await reader.read(); } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new CallError(STOPPED);
    }
    if (part.done && complete) return;
    if (part.done) throw new CallError(STOPPED);
    const lines = (rest + part.value).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      const found = JSON.parse(line);
      if (found.error) throw new CallError(found.error);
      if (found.complete) complete = true;
      else onLine(found);
    }
  }
}
