/**
 * One tournament, while it fills and after: standings with ratings and their intervals, who beat whom, and its matches.
 */
import { events, get, post } from "./api.js";
import { announce, busy, button, element, number, plural, replace } from "./dom.js";
import { figures, listTable, matchTable } from "./matches.js";
import { figure, intervalPlot } from "./plots.js";

/** @typedef {import("./types.js").Route} Route */

/** How many matches are listed. */
const LATEST = 20;

/**
 * @typedef {object} Standing
 * @property {string} player
 * @property {number | null} rating On Elo's scale, with mean 0.
 * @property {[number, number] | null} interval
 * @property {number | null} points In percent.
 * @property {number} games
 * @property {number} [wins]
 * @property {number} [draws]
 * @property {number} [losses]
 */
/** @typedef {{players: [string, string], points: number | null, games: number, wins?: number, draws?: number, losses?: number}} Pairing */
/**
 * @typedef {object} Tournament
 * @property {string} name
 * @property {string} state
 * @property {number} done
 * @property {number} total
 * @property {Standing[]} standings The best first.
 * @property {Pairing[]} pairings Points are those of the first.
 * @property {{game: string, title: string, matches: number, length: number, points: (number | null)[]}[]} games Points by the order of the standings.
 * @property {string[]} matches Their names, the latest first.
 * @property {string | null} [error]
 */

/** @param {number | null | undefined} value */
const shown = (value) => (typeof value === "number" ? figure(value) : "–");

/** A rating: its fractions mean nothing. @param {number | null | undefined} value */
const whole = (value) => (typeof value === "number" ? figure(Math.round(value)) : "–");

/** @param {Standing[]} standings */
function standingsTable(standings) {
  const rows = standings.map((standing, place) =>
    element("tr", {},
      element("td", { class: "figure" }, String(place + 1)),
      element("th", { scope: "row" }, standing.player),
      element("td", { class: "figure" }, typeof standing.points === "number" ? `${shown(standing.points)} %` : "–"),
      element("td", { class: "figure" }, whole(standing.rating)),
      element("td", { class: "figure" }, standing.interval ? `${whole(standing.interval[0])} to ${whole(standing.interval[1])}` : "–"),
      element("td", { class: "figure" }, number(standing.games)),
      element("td", { class: "figure" }, `${standing.wins ?? 0} / ${standing.draws ?? 0} / ${standing.losses ?? 0}`)));
  return listTable("Standings", ["", "Player", ...figures("Points", "Rating", "95 % interval", "Games", "Won / drawn / lost")], rows);
}

/** @param {Standing[]} standings */
function ratingPlot(standings) {
  const rows = standings.flatMap(({ player, rating, interval }) =>
    typeof rating === "number" && interval ? [{ label: player, low: interval[0], middle: rating, high: interval[1] }] : []);
  return rows.length > 1 ? intervalPlot({ caption: "Ratings with their 95 % intervals", across: "points of Elo's scale, mean 0", rows }) : null;
}

/**
 * What the player of a row made of the one of a column, in percent of the points; null if they did not meet.
 * @param {Pairing[]} pairings
 * @param {string} row
 * @param {string} column
 */
export function scoreOf(pairings, row, column) {
  const direct = pairings.find(({ players }) => players[0] === row && players[1] === column);
  if (direct) return { points: direct.points, games: direct.games };
  const reverse = pairings.find(({ players }) => players[0] === column && players[1] === row);
  if (!reverse) return null;
  return { points: typeof reverse.points === "number" ? 100 - reverse.points : null, games: reverse.games };
}

/**
 * @param {Standing[]} standings
 * @param {Pairing[]} pairings
 */
function crossTable(standings, pairings) {
  const names = standings.map((standing) => standing.player);
  const cell = (/** @type {string} */ row, /** @type {string} */ column) => {
    if (row === column) return element("td", { class: "figure self" }, "·");
    const score = scoreOf(pairings, row, column);
    const points = score?.points;
    const tone = typeof points === "number" ? (points > 55 ? "ahead" : points < 45 ? "behind" : "even") : "";
    return element("td", { class: `figure ${tone}`, title: score ? plural(score.games, "game") : "did not meet" }, typeof points === "number" ? `${number(points)} %` : "–");
  };
  const rows = names.map((row) => element("tr", {}, element("th", { scope: "row" }, row), ...names.map((column) => cell(row, column))));
  return listTable("Who beat whom: points of the row against the column", ["", ...figures(...names)], rows);
}

/**
 * @param {Standing[]} standings
 * @param {Tournament["games"]} games
 */
function gamesTable(standings, games) {
  const share = (/** @type {number | null} */ points) => element("td", { class: "figure" }, typeof points === "number" ? `${number(points)} %` : "–");
  const rows = games.map((game) => element("tr", {}, element("th", { scope: "row" }, game.title), element("td", { class: "figure" }, number(game.matches)),
    element("td", { class: "figure" }, figure(game.length)), ...game.points.map(share)));
  return listTable("Points on each game", ["Game", ...figures("Matches", "Mean length", ...standings.map(({ player }) => player))], rows);
}

/** The page of one tournament. */
class TournamentPage {
  /**
   * @param {HTMLElement} root
   * @param {string} id
   * @param {AbortSignal} signal
   */
  constructor(root, id, signal) {
    this.path = `/api/tournaments/${encodeURIComponent(id)}`;
    this.title = element("h1", {});
    this.state = element("p", { class: "tournament-state" });
    this.progress = element("progress", { "aria-label": "Matches played" });
    this.stop = button("Stop", () => busy(this.stop, () => post(`${this.path}/stop`)));
    this.tables = element("div", { class: "tournament-tables" });
    this.matches = element("section", { "aria-label": "Matches of the tournament" });
    this.id = id;
    this.signal = signal;
    this.listed = 0;
    this.wanted = 0;
    this.isListing = false;
    this.wasPlaying = false;
    replace(root, element("p", {}, element("a", { href: "/tournaments" }, "All tournaments")), this.title,
      element("div", { class: "row" }, this.state, this.progress, this.stop), this.tables, this.matches);
  }

  /** @param {Tournament} tournament */
  lay(tournament) {
    const playing = tournament.state === "playing";
    document.title = `${tournament.name} · Paidia`;
    this.title.textContent = tournament.name;
    this.state.textContent = `${tournament.state}: ${number(tournament.done)} of ${plural(tournament.total, "match", "matches")}`;
    this.progress.max = Math.max(1, tournament.total);
    this.progress.value = tournament.done;
    this.stop.hidden = !playing;
    if (this.wasPlaying && !playing) announce(`The tournament is ${tournament.state}.`);
    this.wasPlaying = playing;
    replace(
      this.tables,
      tournament.error ? element("p", { class: "error" }, tournament.error) : null,
      tournament.standings.length > 0 ? standingsTable(tournament.standings) : element("p", { class: "empty" }, "No match is finished yet."),
      ratingPlot(tournament.standings),
      tournament.pairings.length > 0 ? crossTable(tournament.standings, tournament.pairings) : null,
      tournament.games.length > 1 ? gamesTable(tournament.standings, tournament.games) : null,
    );
    void this.list(tournament.matches.length).catch(() => undefined);
  }

  /** Lists the latest matches, one request at a time, until the list is that of the latest count. @param {number} count */
  async list(count) {
    this.wanted = count;
    if (this.isListing) return;
    this.isListing = true;
    try {
      while (this.listed !== this.wanted) {
        const { wanted } = this;
        const { matches } = await get(`/api/matches?tournament=${encodeURIComponent(this.id)}`, this.signal);
        this.listed = wanted;
        const all = element("a", { href: `/matches?tournament=${encodeURIComponent(this.id)}` }, `All ${plural(wanted, "match", "matches")}`);
        replace(this.matches, element("h2", {}, "Matches"), matchTable(matches.slice(0, LATEST)), wanted > LATEST ? element("p", {}, all) : null);
      }
    } finally {
      this.isListing = false;
    }
  }
}

/**
 * @param {HTMLElement} root
 * @param {Route} route
 */
export async function show(root, { params, signal }) {
  const page = new TournamentPage(root, params["id"] ?? "", signal);
  const first = await get(page.path, signal);
  page.lay(first);
  if (first.state !== "playing") return;
  const source = events(`${page.path}/events`, {
    progress: (tournament) => {
      page.lay(tournament);
      // A finished tournament says no more; a browser would ask again for ever.
      if (tournament.state !== "playing") source.close();
    },
  }, signal);
}
