/**
 * Talks to the server.
 *
 * - `get(path, signal)`, `post(path, body, signal)` give the JSON answer or throw an `ApiError` with the server's words
 * - `events(path, handlers, signal)` listens to server-sent events, and reconnects by itself
 * - `games()`, `players()` are asked once and kept; `forgetGames()` after a game was added
 *
 * The token of a server that is open to other machines comes with the printed address (`#token=...`) and is kept for
 * this browser tab.
 */

/** @typedef {import("./types.js").GameCard} GameCard */
/** @typedef {import("./types.js").Player} Player */

const TOKEN = "paidia-token";

const PERSON = "paidia-person";

/** The key of this browser: roles that are taken with it are played from here alone. */
function person() {
  let key = localStorage.getItem(PERSON);
  if (!key) {
    key = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    localStorage.setItem(PERSON, key);
  }
  return key;
}

/** What went wrong, in the server's words. */
export class ApiError extends Error {
  /**
   * @param {string} text
   * @param {number} status The HTTP status; 0 when there was no answer.
   * @param {any} [body] The whole answer, such as one with `problems`.
   */
  constructor(text, status, body) {
    super(text);
    this.name = "ApiError";
    this.status = status;
    this.body = body;
  }
}

/** Takes the token out of the address, once, at the start. */
export function takeToken() {
  const found = /^#token=(.+)$/.exec(location.hash);
  if (!found?.[1]) return;
  sessionStorage.setItem(TOKEN, decodeURIComponent(found[1]));
  history.replaceState(history.state, "", location.pathname + location.search);
}

/** What a link for another person must end with, so that changes are allowed there. */
export function tokenPart() {
  const token = sessionStorage.getItem(TOKEN);
  return token ? `#token=${encodeURIComponent(token)}` : "";
}

/** @returns {Record<string, string>} */
function ownHeaders() {
  const token = sessionStorage.getItem(TOKEN);
  return { "x-paidia-person": person(), ...(token ? { "x-paidia-token": token } : {}) };
}

/**
 * @param {string} path
 * @param {RequestInit} options
 * @returns {Promise<any>}
 */
async function ask(path, options) {
  const answer = await fetch(path, options).catch((problem) => {
    if (options.signal?.aborted) throw problem;
    throw new ApiError("Paidia does not answer. Is the program still running?", 0);
  });
  const text = await answer.text();
  const body = parse(text);
  if (answer.ok) return body;
  const words = body?.error ?? `The server answered ${answer.status} ${answer.statusText}.`;
  throw new ApiError(String(words), answer.status, body);
}

/**
 * @param {string} text
 * @returns {any}
 */
function parse(text) {
  try {
    return text === "" ? {} : JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * @param {string} path
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export function get(path, signal) {
  return ask(path, { signal, headers: ownHeaders() });
}

/**
 * @param {string} path
 * @param {unknown} [body]
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export function post(path, body = {}, signal) {
  const headers = { "content-type": "application/json", ...ownHeaders() };
  return ask(path, { method: "POST", body: JSON.stringify(body), headers, signal });
}

/**
 * Listens to named events until the signal; `lost` and `found` tell of the connection.
 * @param {string} path
 * @param {Record<string, (data: any) => void>} handlers
 * @param {AbortSignal} signal
 * @param {{lost?: () => void, found?: () => void}} [connection]
 * @returns {EventSource}
 */
export function events(path, handlers, signal, connection = {}) {
  // Event sources send no headers of ours.
  const source = new EventSource(`${path}${path.includes("?") ? "&" : "?"}person=${person()}`);
  for (const [name, handle] of Object.entries(handlers)) {
    source.addEventListener(name, (event) => handle(parse(/** @type {MessageEvent} */ (event).data)));
  }
  source.addEventListener("open", () => connection.found?.());
  source.addEventListener("error", () => connection.lost?.());
  signal.addEventListener("abort", () => source.close());
  return source;
}

/** @type {Promise<GameCard[]> | null} */
let gamesAsked = null;
/** @type {Promise<Player[]> | null} */
let playersAsked = null;

/** The bundled and pasted games, as cards. */
export function games() {
  gamesAsked ??= get("/api/games").then((answer) => answer.games, (problem) => {
    gamesAsked = null;
    throw problem;
  });
  return gamesAsked;
}

/** To be called when a game was added. */
export function forgetGames() {
  gamesAsked = null;
}

/** The levels of players, the lowest first; known when `players()` has answered. @type {import("./types.js").Level[]} */
export const levels = [];

/** The catalogue of players. */
export function players() {
  playersAsked ??= get("/api/players").then((answer) => {
    levels.splice(0, levels.length, ...(answer.levels ?? []));
    return answer.players;
  }, (problem) => {
    playersAsked = null;
    throw problem;
  });
  return playersAsked;
}
