/**
 * The matches that were played and written down: a list with a filter and pages. One of them is shown by `replay.js`.
 */
import { games, get, players } from "./api.js";
import { aborted, choice, element, field, message, notice, number, plural, replace } from "./dom.js";
import { seatName } from "./seats.js";

/** @typedef {import("./types.js").Route} Route */
/**
 * One line of the list.
 * @typedef {object} MatchLine
 * @property {string} id
 * @property {string} game
 * @property {string} title
 * @property {string[]} players One a role, in the order of the roles.
 * @property {(number | null)[] | null} goals
 * @property {number} date When it began, in milliseconds since 1970.
 * @property {number} moves How many joint moves were made.
 * @property {boolean} completed Whether it came to its end.
 * @property {string | null} [tournament]
 */

/** How long a pause of typing a name must be before the list follows. */
const PAUSE = 250;

/**
 * A date as it is written where the visitor lives.
 * @param {number} date
 */
export function dateOf(date) {
  return new Date(date).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

/**
 * Players with their goals: "paidia 100, uct 0".
 * @param {string[]} players
 * @param {(number | null)[] | null | undefined} goals
 */
export function result(players, goals) {
  return players.map((player, role) => {
    const goal = goals?.[role];
    const best = typeof goal === "number" && goals?.every((other) => (other ?? 0) <= goal) && goals.some((other) => other !== goal);
    return element("span", { class: best ? "match-player best" : "match-player" }, seatName(player), " ",
      element("b", {}, typeof goal === "number" ? number(goal) : "–"));
  });
}

/** @typedef {string | {figures: string}} Head  Heads of columns of figures stand at their end, as the figures do. */

/** Heads of columns of figures. @param {...string} names @returns {Head[]} */
export const figures = (...names) => names.map((name) => ({ figures: name }));

/**
 * A table that can be scrolled where the window is narrow.
 * @param {string} label
 * @param {Head[]} heads
 * @param {HTMLElement[]} rows
 * @param {{quiet?: boolean}} [options] Quiet where a heading says already what it is.
 */
export function listTable(label, heads, rows, { quiet = false } = {}) {
  const head = (/** @type {Head} */ name) => (typeof name === "string" ? element("th", { scope: "col" }, name) : element("th", { scope: "col", class: "figure" }, name.figures));
  return element("div", { class: "scroll-x", tabIndex: 0, role: "region", "aria-label": label },
    element("table", { class: "list" },
      element("caption", quiet ? { class: "unseen" } : {}, label),
      element("thead", {}, element("tr", {}, ...heads.map(head))),
      element("tbody", {}, ...rows)));
}

/** @param {MatchLine[]} matches */
export function matchTable(matches) {
  const rows = matches.map((match) =>
    element("tr", {},
      element("td", {}, element("a", { href: `/matches/${encodeURIComponent(match.id)}` }, match.title || match.game)),
      element("td", { class: "match-players" }, ...result(match.players, match.goals)),
      element("td", { class: "figure" }, number(match.moves)),
      element("td", {}, dateOf(match.date))));
  return listTable("Matches", ["Game", "Players and goals", ...figures("Moves"), "When"], rows, { quiet: true });
}

/** The list with its filter. */
class MatchList {
  /** @param {Route} route */
  constructor({ query, signal }) {
    this.signal = signal;
    this.filter = { game: query.get("game") ?? "", player: query.get("player") ?? "", tournament: query.get("tournament") ?? "", page: Number(query.get("page") ?? 1) || 1 };
    this.place = element("div", {});
    this.asked = 0;
  }

  /** @param {Partial<{game: string, player: string, tournament: string, page: number}>} change */
  async change(change) {
    Object.assign(this.filter, { page: 1, ...change });
    const query = this.query().toString();
    history.replaceState(history.state, "", `/matches${query ? `?${query}` : ""}`);
    await this.load().catch((problem) => {
      if (!aborted(problem)) notice(message(problem), "error");
    });
  }

  query() {
    const { game, player, tournament, page } = this.filter;
    const query = new URLSearchParams();
    if (tournament) query.set("tournament", tournament);
    if (game) query.set("game", game);
    if (player) query.set("player", player);
    if (page > 1) query.set("page", String(page));
    return query;
  }

  async load() {
    this.asked += 1;
    const mine = this.asked;
    const answer = await get(`/api/matches?${this.query()}`, this.signal);
    // Answers may overtake each other while a name is typed.
    if (mine === this.asked) this.lay(answer);
  }

  /** @param {{matches: MatchLine[], total: number, pageSize: number}} answer */
  lay({ matches, total, pageSize }) {
    const { page, tournament } = this.filter;
    const last = Math.max(1, Math.ceil(total / pageSize));
    const turn = (/** @type {string} */ label, /** @type {number} */ to) =>
      element("button", { type: "button", class: "button", disabled: to < 1 || to > last, onclick: () => this.change({ page: to }) }, label);
    const empty = element("p", { class: "empty" }, "No match is written down here yet. ", element("a", { href: "/" }, "Play a game"), ", and it will be.");
    replace(
      this.place,
      element("p", { class: "hint", role: "status" }, plural(total, "match", "matches")),
      tournament ? element("p", {}, "Of the tournament ", element("a", { href: `/tournaments/${encodeURIComponent(tournament)}` }, tournament), ". ", element("a", { href: "/matches" }, "Show all")) : null,
      matches.length > 0 ? matchTable(matches) : empty,
      last > 1 ? element("nav", { class: "pages", "aria-label": "Pages" }, turn("Newer", page - 1), ` page ${page} of ${last} `, turn("Older", page + 1)) : null,
    );
  }

  /**
   * @param {import("./types.js").GameCard[]} cards
   * @param {import("./types.js").Player[]} catalogue
   */
  controls(cards, catalogue) {
    const options = /** @type {[string, string][]} */ (cards.map(({ id, title }) => [id, title]));
    const game = choice([["", "all games"], ...options], this.filter.game, (value) => void this.change({ game: value }));
    const names = element("datalist", { id: "match-players" }, ...["human", ...catalogue.map(({ name }) => name)].map((name) => element("option", { value: name })));
    const player = element("input", { type: "search", value: this.filter.player, placeholder: "name", list: names.id });
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    player.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.signal.aborted || void this.change({ player: player.value.trim() }), PAUSE);
    });
    return element("form", { class: "match-filters", role: "search", onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
      field("Game", game), field("Player", player), names);
  }
}

/**
 * @param {HTMLElement} root
 * @param {Route} route
 */
export async function show(root, route) {
  if (route.params["id"]) {
    const replay = await import("./replay.js");
    await replay.show(root, route);
    return;
  }
  const list = new MatchList(route);
  replace(root, element("h1", {}, "Matches"), list.controls(await games(), await players()), list.place);
  await list.load();
}
