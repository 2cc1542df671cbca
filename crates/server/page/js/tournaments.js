/**
 * Tournaments: those there are, and a small one started from the page. One of them is shown by `tournaments-table.js`.
 */
import { games, get, players, post } from "./api.js";
import { busy, element, field, number, plural, replace } from "./dom.js";
import { figures, listTable } from "./matches.js";
import { go } from "./router.js";

/** @typedef {import("./types.js").Route} Route */
/** @typedef {{id: string, title: string, players: number}} TournamentGame */
/** @typedef {{id: string, name: string, state: string, done: number, total: number, players?: string[], games?: string[]}} TournamentLine */

/** Games that are quick to play and easy to tell apart, for a first tournament. */
const FIRST_GAMES = ["tic-tac-toe", "connect-four"];
const FIRST_PLAYERS = ["paidia", "uct", "random"];

/** @param {TournamentLine[]} list */
function listOf(list) {
  if (list.length === 0) return element("p", { class: "empty" }, "No tournament yet. Start one below; it takes a minute.");
  const rows = list.map(({ id, name, state, done, total }) =>
    element("tr", {},
      element("td", {}, element("a", { href: `/tournaments/${encodeURIComponent(id)}` }, name || id)),
      element("td", {}, element("span", { class: `state ${state}` }, state)),
      element("td", { class: "figure" }, `${number(done)} of ${plural(total, "match", "matches")}`)));
  return listTable("All tournaments", ["Name", "State", ...figures("Played")], rows, { quiet: true });
}

/**
 * Boxes to tick, with a field that narrows them where there are many.
 * @param {string} legend
 * @param {{value: string, label: string, about?: string}[]} options
 * @param {string[]} ticked
 */
function boxes(legend, options, ticked) {
  const labels = options.map(({ value, label, about }) =>
    element("label", { class: "box", title: about, data: { words: `${value} ${label}`.toLowerCase() } },
      element("input", { type: "checkbox", value, checked: ticked.includes(value) }), " ", label));
  const list = element("div", { class: "boxes" }, ...labels);
  const narrow = element("input", { type: "search", placeholder: "narrow the list", "aria-label": `Narrow the list of ${legend.toLowerCase()}` });
  narrow.addEventListener("input", () => {
    for (const label of labels) label.hidden = !(label.dataset["words"] ?? "").includes(narrow.value.trim().toLowerCase());
  });
  const whole = element("fieldset", { class: "box-field" }, element("legend", {}, legend), options.length > 12 ? narrow : null, list);
  const chosen = () => [...list.querySelectorAll("input")].filter((input) => input.checked).map((input) => input.value);
  return { whole, chosen };
}

/**
 * @param {string} label
 * @param {{value: string, min: string, max: string, step: string}} properties
 */
function numberField(label, properties) {
  const input = element("input", { type: "number", ...properties, required: true });
  return { whole: field(label, input), value: () => Number(input.value) };
}

/**
 * About how many matches a choice means: in a game of some roles every company of as many players, in every order.
 * @param {TournamentGame[]} cards
 * @param {string[]} chosen
 * @param {number} playerCount
 * @param {number} rounds
 */
export function roughMatches(cards, chosen, playerCount, rounds) {
  const seatings = chosen.map((id) => {
    const roles = cards.find((card) => card.id === id)?.players ?? 2;
    const factors = Array.from({ length: roles }, (_, index) => Math.max(1, playerCount - index));
    return factors.reduce((product, factor) => product * factor, 1);
  });
  return rounds * seatings.reduce((sum, count) => sum + count, 0);
}

/**
 * @param {TournamentGame[]} cards
 * @param {import("./types.js").Player[]} catalogue
 */
function starter(cards, catalogue) {
  const name = element("input", { type: "text", value: "Small tournament", maxLength: 60, required: true });
  const bundled = cards.map(({ id, title }) => ({ value: id, label: title }));
  const gameBoxes = boxes("Games", bundled, FIRST_GAMES);
  const playerBoxes = boxes("Players", catalogue.map((player) => ({ value: player.name, label: player.name, about: player.about })), FIRST_PLAYERS);
  const own = element("input", { type: "text", placeholder: "uct(exploration=30), paidia(threads=1)" });
  const rounds = numberField("Rounds", { value: "1", min: "1", max: "20", step: "1" });
  const seconds = numberField("Seconds a move, or a unit of real time", { value: "0.1", min: "0.01", max: "10", step: "any" });
  const hint = element("p", { class: "hint", role: "status" });
  const chosenPlayers = () => [...playerBoxes.chosen(), ...splitPlayers(own.value)];
  const count = () => {
    const matches = roughMatches(cards, gameBoxes.chosen(), chosenPlayers().length, rounds.value());
    hint.textContent = `About ${plural(matches, "match", "matches")}.`;
  };
  const start = element("button", { type: "submit", class: "button primary" }, "Start the tournament");
  const send = async () => {
    const body = { name: name.value.trim(), games: gameBoxes.chosen(), players: chosenPlayers(), rounds: rounds.value(), seconds: seconds.value() };
    const { id } = await post("/api/tournaments", body);
    go(`/tournaments/${encodeURIComponent(id)}`);
  };
  const form = element("form", { class: "panel starter", oninput: count, onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    void busy(start, send);
  } },
    element("h2", {}, "Start a small tournament"),
    field("Name", name),
    gameBoxes.whole, playerBoxes.whole,
    field("More players", own, "Players with settings, divided by commas."),
    element("div", { class: "row" }, rounds.whole, seconds.whole),
    element("div", { class: "row" }, start, hint));
  count();
  return form;
}

/**
 * Players as they are written, divided by commas outside of parentheses.
 * @param {string} text
 */
export function splitPlayers(text) {
  let depth = 0;
  const parts = [""];
  for (const letter of text) {
    if (letter === "(") depth += 1;
    if (letter === ")") depth -= 1;
    if (letter === "," && depth <= 0) parts.push("");
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

/**
 * @param {HTMLElement} root
 * @param {Route} route
 */
export async function show(root, route) {
  if (route.params["id"]) {
    const table = await import("./tournaments-table.js");
    await table.show(root, route);
    return;
  }
  const [answer, cards, catalogue, live] = await Promise.all([get("/api/tournaments", route.signal), games(), players(), get("/api/live", route.signal)]);
  const list = Array.isArray(answer) ? answer : answer.tournaments;
  const timed = /** @type {import("./live.js").LiveGame[]} */ (live.games);
  replace(root, element("h1", {}, "Tournaments"), listOf(list), starter([...cards, ...timed], catalogue));
}
