/**
 * One game: its starting position large, its rules for people, who plays which role, and the buttons to play or watch.
 * "Play" works at once: the visitor has the first role and `paidia` the others.
 */
import { get, players, post } from "./api.js";
import { Boards } from "./board.js";
import { clockPicker } from "./clock.js";
import { busy, button, element, field, plural, readable, replace } from "./dom.js";
import { facts, worthSeeing } from "./facts.js";
import { go } from "./router.js";
import { seatPicker, timePicker } from "./seats.js";

/** @typedef {import("./types.js").Game} Game */

const TIME = "paidia-time";
const CLOCK = "paidia-clock";

/** @type {import("./types.js").Page} */
export async function show(root, { params, signal }) {
  const id = params["id"] ?? "";
  const [game, catalogue] = await Promise.all([get(`/api/games/${encodeURIComponent(id)}`, signal), players()]);
  if (signal.aborted) return;
  document.title = `${game.title} · Paidia`;
  const { actions, seats } = setup(game, catalogue);
  const boards = new Boards(game.scene, game.start, { name: `Starting position of ${game.title}` });
  replace(root,
    element("p", { class: "crumbs" }, element("a", { href: "/" }, "All games")),
    element("div", { class: "game-page" },
      element("div", { class: "stage" }, boards.any ? boards.element : null, facts(boards.any ? { beside: worthSeeing(game.start, game.roles) } : game.start, { large: !boards.any })),
      element("div", { class: "game-text" },
        element("h1", {}, game.title),
        element("p", { class: "card-chips" }, ...chips(game)),
        actions,
        element("p", { class: "rules" }, game.rules || "These rules came without an explanation for people; the legal moves are listed as you play."),
        game.idea && game.idea !== "Traditional." ? element("p", { class: "muted idea" }, game.idea) : null,
        sizes(game),
        seats)));
}

/**
 * A choice of another size, where the game comes in others.
 * @param {Game} game
 */
function sizes(game) {
  const board = game.scene.boards[0];
  if (!game.family || !board) return null;
  const side = (/** @type {number} */ value) => element("input", { type: "number", min: 4, max: 19, value });
  const [columns, rows] = [side(board.columns.length), side(board.rows.length)];
  // Amazons stand as they do on a square alone.
  const square = game.family === "amazons";
  const open = button("Open", () => go(`/games/${encodeURIComponent(`${game.family}@${square ? rows.value : `${columns.value}x${rows.value}`}`)}`));
  return element("section", { class: "panel sizes", "aria-label": "Size" },
    element("div", { class: "row" }, square ? null : field("Columns", columns), field(square ? "Size" : "Rows", rows), open));
}

/** @param {Game} game */
function chips(game) {
  const texts = [plural(game.players, "player"), game.kind, game.players > 1 ? game.turns : "", (game.dialect ?? "").toUpperCase()].filter(Boolean);
  return [...new Set(texts)].map((text) => element("span", { class: "chip" }, text));
}

/**
 * The buttons that open a table, and who plays at it.
 * @param {Game} game
 * @param {import("./types.js").Player[]} catalogue
 */
function setup(game, catalogue) {
  const strongest = catalogue.some((one) => one.name === "paidia") ? "paidia" : (catalogue[0]?.name ?? "random");
  const first = game.roles.findIndex((_, role) => role !== game.random);
  const pickers = game.roles.map((role, index) =>
    index === game.random ? null : seatPicker(readable(role), catalogue, index === first ? "human" : strongest, { human: true }));
  const time = timePicker(Number(sessionStorage.getItem(TIME) ?? 1));
  const clock = clockPicker(sessionStorage.getItem(CLOCK) ?? "");
  const open = (/** @type {HTMLButtonElement} */ control, /** @type {(seat: string) => string} */ seat) =>
    busy(control, () => start(game, pickers.map((picker) => (picker ? seat(picker.value()) : null)), Number(time.value), game.hidden ? null : clock.read()));
  const play = button("Play", () => open(play, (seat) => seat), { class: "button primary large" });
  const watch = button("Watch", () => open(watch, (seat) => (seat === "human" ? strongest : seat)), { class: "button large" });
  const actions = element("div", { class: "actions setup" }, play, watch,
    element("a", { class: "button large", href: `/games/${encodeURIComponent(game.id)}/rules` }, "Rules"),
    element("a", { class: "button large", href: `/write?game=${encodeURIComponent(game.id)}` }, "Change the rules"));
  const seats = element("section", { class: "panel", "aria-label": "New table" },
    element("fieldset", { class: "seats" }, element("legend", {}, "Who plays"), ...pickers.flatMap((picker) => picker?.element ?? []),
      field("Thinking time a move", time), game.hidden ? null : field("Clock", clock.control)));
  return { actions, seats };
}

/**
 * @param {Game} game
 * @param {(string | null)[]} seats
 * @param {number} seconds
 * @param {{seconds?: number, increment?: number} | null} clock
 */
async function start(game, seats, seconds, clock) {
  sessionStorage.setItem(TIME, String(seconds));
  sessionStorage.setItem(CLOCK, clock ? `${clock.seconds}+${clock.increment}` : "");
  const { id } = await post("/api/tables", { game: game.id, seats, seconds, pace: 0.8, ...(clock ? { clock } : {}) });
  go(`/tables/${encodeURIComponent(id)}`);
}
