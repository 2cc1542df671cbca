/**
 * The first page: every game as a card with its starting position, to be searched and filtered; live tables and recent
 * matches beside.
 */
import { games, get } from "./api.js";
import { aborted, choice, element, field, plural, replace } from "./dom.js";
import { picture } from "./picture.js";
import { seatName } from "./seats.js";

/** @typedef {import("./types.js").GameCard} GameCard */
/** @typedef {{text: string, kind: string, players: string, length: string}} Filter */

/** Lengths of matches: what each is called, and its least and most moves. @type {Record<string, [string, number, number]>} */
const LENGTHS = {
  short: ["Short: up to 12 moves", 0, 12], medium: ["Medium: up to 50 moves", 13, 50], long: ["Long", 51, Infinity],
};

const FAVOURITES = "paidia-favourites";

/** The games that the visitor has marked. @returns {string[]} */
function favourites() {
  try {
    const kept = JSON.parse(localStorage.getItem(FAVOURITES) ?? "[]");
    return Array.isArray(kept) ? kept.filter((id) => typeof id === "string") : [];
  } catch {
    return [];
  }
}

/** Games that most people know come first. */
const FIRST = [
  "connect-four", "breakthrough", "tic-tac-toe", "othello", "chess", "hex-7x7", "checkers", "nine-mens-morris", "fifteen-puzzle",
  "chinese-checkers-3", "peg-solitaire", "tron",
];

/** @type {Record<string, string>} */
const KINDS = {
  board: "Board games", puzzle: "Puzzles", simultaneous: "Moves at the same time", economy: "Economy", cards: "Cards",
  hidden: "Hidden information", bred: "Bred by programs", pasted: "Your own",
};

/** @type {import("./types.js").Page} */
export async function show(root, { query, signal }) {
  const all = ordered(await games());
  if (signal.aborted) return;
  document.title = "Paidia: play any game from its rules";
  const filter = { text: query.get("q") ?? "", kind: query.get("kind") ?? "", players: query.get("players") ?? "", length: query.get("length") ?? "" };
  const cards = element("ul", { class: "cards" });
  const count = element("p", { class: "muted count", role: "status" });
  const update = () => {
    const found = all.filter((game) => matches(game, filter));
    replace(cards, ...found.map(card));
    count.textContent = found.length === all.length ? `${all.length} games` : `${plural(found.length, "game")} of ${all.length}`;
    remember(filter);
  };
  const aside = element("aside", { class: "beside-cards", "aria-label": "Tables and matches" });
  replace(root, hero(), element("div", { class: "gallery" },
    element("section", { "aria-label": "Games" }, filters(all, filter, update), count, cards), aside));
  update();
  await Promise.all([liveTables(aside, signal), inRealTime(aside, signal), recentMatches(aside, signal)]);
}

function hero() {
  return element("div", { class: "hero" },
    element("h1", {}, "Pick a game and play"),
    element("p", { class: "lead" }, "Paidia reads the rules of a game and plays it at once: against you, or against itself. These are bundled; ",
      element("a", { href: "/write" }, "paste or write rules"), " for any other."));
}

/** @param {GameCard[]} all */
function ordered(all) {
  const marked = favourites();
  const rank = (/** @type {GameCard} */ game) => {
    const place = FIRST.indexOf(game.id);
    return game.kind === "pasted" ? -1 : marked.includes(game.id) ? -0.5 : place < 0 ? FIRST.length : place;
  };
  return [...all].sort((one, other) => rank(one) - rank(other) || one.title.localeCompare(other.title));
}

/**
 * @param {GameCard} game
 * @param {Filter} filter
 */
function matches(game, filter) {
  const text = `${game.title} ${game.id} ${game.kind} ${game.idea} ${game.rules}`.toLowerCase();
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const players = filter.players === "" || (filter.players === "3+" ? game.players >= 3 : String(game.players) === filter.players);
  const [, least, most] = LENGTHS[filter.length] ?? ["", 0, Infinity];
  const fits = filter.length === "" || (game.moves !== undefined && game.moves >= least && game.moves <= most);
  return players && fits && (filter.kind === "" || game.kind === filter.kind) && words.every((word) => text.includes(word));
}

/**
 * @param {GameCard[]} all
 * @param {Filter} filter
 * @param {() => void} update
 */
function filters(all, filter, update) {
  const search = element("input", { type: "search", value: filter.text, placeholder: "Name, word of the rules…", autocomplete: "off" });
  search.addEventListener("input", () => {
    filter.text = search.value;
    update();
  });
  const kinds = [...new Set(all.map((game) => game.kind))].sort();
  const kind = choice([["", "All kinds"], ...kinds.map((name) => /** @type {[string, string]} */ ([name, KINDS[name] ?? name]))], filter.kind, (value) => {
    filter.kind = value;
    update();
  });
  const players = choice([["", "Any number"], ["1", "One"], ["2", "Two"], ["3+", "Three and more"]], filter.players, (value) => {
    filter.players = value;
    update();
  });
  const lengths = Object.entries(LENGTHS).map(([name, [label]]) => /** @type {[string, string]} */ ([name, label]));
  const length = choice([["", "Any length"], ...lengths], filter.length, (value) => {
    filter.length = value;
    update();
  });
  return element("form", { class: "filters", role: "search", onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
    field("Search", search), field("Kind", kind), field("Players", players), field("Length", length));
}

/** Keeps the filter in the address, so that it can be shared and returned to. @param {Filter} filter */
function remember(filter) {
  const query = new URLSearchParams();
  if (filter.text) query.set("q", filter.text);
  if (filter.kind) query.set("kind", filter.kind);
  if (filter.players) query.set("players", filter.players);
  if (filter.length) query.set("length", filter.length);
  const text = query.toString();
  history.replaceState(history.state, "", text ? `/?${text}` : "/");
}

/** @param {GameCard} game */
function card(game) {
  const marked = favourites().includes(game.id);
  const star = element("button", {
    type: "button", class: "plain favourite", "aria-pressed": String(marked), "aria-label": `Favourite: ${game.title}`, title: "Favourite",
    onclick: () => {
      const others = favourites().filter((id) => id !== game.id);
      const now = star.getAttribute("aria-pressed") !== "true";
      localStorage.setItem(FAVOURITES, JSON.stringify(now ? [...others, game.id] : others));
      star.setAttribute("aria-pressed", String(now));
      star.textContent = now ? "★" : "☆";
    },
  }, marked ? "★" : "☆");
  return element("li", {}, star, element("a", { class: "card", href: `/games/${encodeURIComponent(game.id)}` },
    picture(game.id),
    element("span", { class: "card-text" },
      element("span", { class: "card-title" }, game.title),
      element("span", { class: "card-chips" },
        element("span", { class: "chip" }, plural(game.players, "player")),
        game.kind === "board" ? null : element("span", { class: "chip" }, game.kind)))));
}

/**
 * @param {HTMLElement} aside
 * @param {AbortSignal} signal
 */
async function liveTables(aside, signal) {
  const section = element("section", { class: "panel", hidden: true });
  aside.append(section);
  try {
    const answer = await get("/api/tables", signal);
    const tables = /** @type {import("./types.js").TableLine[]} */ (answer.tables).filter((table) => !table.ended && (table.ply > 0 || table.viewers > 0));
    section.hidden = tables.length === 0;
    replace(section, element("h2", {}, "Continue where you left"), element("ul", { class: "lines" }, ...tables.slice(0, 8).map((table) =>
      element("li", {}, element("a", { href: `/tables/${encodeURIComponent(table.id)}` }, table.title),
        element("span", { class: "muted" }, `${seatsText(table.seats)}, ${plural(table.ply, "move")}`)))));
  } catch (problem) {
    if (!aborted(problem)) section.remove();
  }
}

/**
 * Games in real time, and tables of them where a seat is open.
 * @param {HTMLElement} aside
 * @param {AbortSignal} signal
 */
async function inRealTime(aside, signal) {
  const section = element("section", { class: "panel", hidden: true, "aria-label": "In real time" });
  aside.append(section);
  try {
    const { games: all, tables } = /** @type {{games: import("./live.js").LiveGame[], tables: import("./live.js").LiveLine[]}} */ (await get("/api/live", signal));
    const open = tables.filter((table) => !table.begun && !table.over);
    section.hidden = all.length === 0;
    replace(section, element("h2", {}, "In real time"),
      element("p", { class: "muted" }, "Players move whenever they like."),
      element("ul", { class: "lines" },
        ...open.slice(0, 4).map((table) => element("li", {}, element("a", { href: `/live/${encodeURIComponent(table.id)}` }, table.title), element("span", { class: "muted" }, "waits for players"))),
        ...all.map((game) => element("li", {}, element("a", { href: `/live?game=${encodeURIComponent(game.id)}` }, game.title), element("span", { class: "muted" }, plural(game.players, "player"))))));
  } catch (problem) {
    if (!aborted(problem)) section.remove();
  }
}

/**
 * @param {HTMLElement} aside
 * @param {AbortSignal} signal
 */
async function recentMatches(aside, signal) {
  const section = element("section", { class: "panel", hidden: true });
  aside.append(section);
  try {
    const { matches: found } = await get("/api/matches", signal);
    section.hidden = found.length === 0;
    replace(section, element("h2", {}, "Recent matches"), element("ul", { class: "lines" },
      ...found.slice(0, 8).map((/** @type {any} */ match) =>
        element("li", {}, element("a", { href: `/matches/${encodeURIComponent(match.id)}` }, match.title ?? match.game),
          element("span", { class: "muted" }, `${seatsText(match.players ?? [])}: ${goalsText(match.goals)}`)))),
    element("p", {}, element("a", { href: "/matches" }, "All matches")));
  } catch (problem) {
    if (!aborted(problem)) section.remove();
  }
}

/** Who plays: two against each other, more by their numbers. @param {(string | null)[]} seats */
function seatsText(seats) {
  const names = seats.flatMap((seat) => (seat ? [seat === "human" ? "a person" : seatName(seat)] : []));
  if (names.length < 3) return names.join(" against ");
  return [...new Set(names)].map((name) => {
    const count = names.filter((one) => one === name).length;
    return count > 1 ? `${count} × ${name}` : name;
  }).join(", ");
}

/** @param {(number | null)[] | null | undefined} goals */
function goalsText(goals) {
  return goals?.length ? goals.map((goal) => goal ?? "–").join(" to ") : "not finished";
}
