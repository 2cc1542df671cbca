/**
 * What every player knows, side by side, for those who may see everything: a small board for each player, on which what may
 * be there is the fainter the less likely it is, and the likely facts beside it.
 */
import { post } from "./api.js";
import { element, number, readable, replace } from "./dom.js";
import { isEmpty, pictureOf } from "./pieces.js";

/** @typedef {import("./types.js").Game} Game */
/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./viewer.js").Viewer} Viewer */
/** @typedef {{what: string, chance: number}} Likely */
/** @typedef {{role: number, states: number, sample: boolean, percepts: string[], cells: Record<string, Likely[]>, beside: Likely[]}} View */

/** How long a position must be shown before it is asked about, in milliseconds. */
const REST = 250;

export class Beliefs {
  /**
   * @param {Viewer} viewer
   * @param {AbortSignal} signal
   */
  constructor(viewer, signal) {
    this.viewer = viewer;
    this.signal = signal;
    this.views = element("div", { class: "belief-views" });
    this.element = element("details", { class: "panel beliefs", ontoggle: () => this.moved() },
      element("summary", {}, "What each player knows"), this.views);
    this.element.hidden = !viewer.game.hidden;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** The position that is shown, or asked about. */
    this.shown = "";
  }

  /** Shows nothing while something is secret here. @param {boolean} secret */
  veil(secret) {
    this.element.hidden = secret || !this.viewer.game.hidden;
    this.moved();
  }

  /** Another position is shown. */
  moved() {
    clearTimeout(this.timer);
    if (this.element.hidden || !this.element.open) return;
    this.timer = setTimeout(() => void this.ask(), REST);
  }

  async ask() {
    const { game, path } = this.viewer;
    const position = JSON.stringify(path);
    if (position === this.shown) return;
    this.shown = position;
    try {
      const { players } = await post("/api/beliefs", { game: game.id, moves: path }, this.signal);
      if (this.shown === position) replace(this.views, ...players.map((/** @type {View} */ view) => this.#view(view)));
    } catch (problem) {
      if (this.signal.aborted) return;
      this.shown = "";
      replace(this.views, element("p", { class: "failure" }, problem instanceof Error ? problem.message : String(problem)));
    }
  }

  /** @param {View} view */
  #view(view) {
    const { game } = this.viewer;
    const name = readable(game.roles[view.role] ?? "");
    const states = view.states === 0 ? "nothing was found that agrees with what it was told"
      : view.states === 1 && !view.sample ? "it knows everything"
        : `${view.sample ? "about " : ""}${number(view.states)} states are possible${view.sample ? ", a sample" : ""}`;
    const saw = view.percepts.length === 0 ? "It saw nothing." : `It saw ${view.percepts.map(readable).join(", ")}.`;
    const boards = Object.keys(view.cells).length === 0 ? [] : game.scene.boards.map((board) => table(board, view, game.scene));
    const facts = view.beside.filter((fact) => fact.chance < 0.995).slice(0, 12);
    return element("section", { class: "belief-view" },
      element("h4", {}, element("span", { class: `swatch series-${view.role % 6}`, "aria-hidden": "true" }), name),
      element("p", { class: "hint" }, `${saw} ${states[0]?.toUpperCase()}${states.slice(1)}.`),
      ...boards,
      facts.length === 0 ? null : element("ul", { class: "belief-facts" },
        ...facts.map((fact) => element("li", {}, `${readable(fact.what)} `, element("span", { class: "hint" }, percent(fact.chance))))));
  }
}

/** @param {number} chance */
function percent(chance) {
  return `${number(100 * chance, chance < 0.1 ? 1 : 0)} %`;
}

/**
 * @param {Scene["boards"][number]} board
 * @param {View} view
 * @param {Scene} scene
 */
function table(board, view, scene) {
  const width = board.columns.length;
  const rows = board.rows.map((_, row) => element("tr", {}, ...board.columns.map((_, column) => {
    const all = view.cells[String(board.first + row * width + column)] ?? [];
    const place = `${board.columnLabels[column] ?? ""} ${board.rowLabels[row] ?? ""}`.trim();
    const told = all.map((one) => `${readable(one.what)} ${percent(one.chance)}`).join(", ");
    return element("td", { title: `${place}: ${told || "nothing"}`, "aria-label": `${place}: ${told || "nothing"}` },
      ...all.slice(0, 3).map((one) => mark(one, scene)));
  }))).reverse();
  return element("table", { class: "belief-board" }, element("tbody", {}, ...rows));
}

/**
 * @param {Likely} likely
 * @param {Scene} scene
 */
function mark(likely, scene) {
  const drawn = isEmpty(likely.what, scene.looks) ? null : pictureOf(likely.what, scene.looks);
  const place = element("span", { class: "belief-mark" }, drawn);
  place.style.opacity = String(Math.max(0.12, likely.chance));
  return place;
}
