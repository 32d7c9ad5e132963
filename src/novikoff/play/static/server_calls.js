// Calls of the server: JSON in, JSON out. The token comes in the fragment of the first address; one that
// the server has accepted is kept for the other tabs of this server, until the server is started again.

const KEY = "novikoff-token";
let busy = 0, token = null;
export const STOPPED = "novikoff play has stopped. Your points are kept in this tab: start it again and go on.";

export function useToken(given) { token = given ?? token; }

export class CallError extends Error {}

async function post(path, body, given) {
  const headers = { "Content-Type": "application/json", "X-Novikoff-Token": given };
  try {
    const response = await fetch(path, { method: "POST", body: JSON.stringify(body), headers });
    if (response.ok) localStorage.setItem(KEY, given);
    return response;
  } catch { throw new CallError(STOPPED); }
}

async function request(path, body) {
  const kept = localStorage.getItem(KEY) ?? "", first = token ?? kept;
  let response = await post(path, body, first);
  if (response.status === 401 && kept && kept !== first) {
    token = null;
    response = await post(path, body, kept);
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
