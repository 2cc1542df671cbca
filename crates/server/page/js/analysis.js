/**
 * Asks players what they would do in the position shown: a hint for a person, or two players side by side.
 *
 *     const panel = new Analysis(viewer, catalogue, signal);
 *     viewer.side.append(panel.element);   panel.stale();   // the position has changed
 *     const decision = await hint(game, { moves }, role, seconds, signal);
 */
import { post } from "./api.js";
import { busy, button, element, field, replace } from "./dom.js";
import { decisionPanel } from "./decision.js";
import { seatPicker, timePicker } from "./seats.js";

/** @typedef {import("./types.js").Decision} Decision */

/**
 * @param {string} game
 * @param {{moves: string[][]} | {told: {made: string, percepts: string[]}[]}} position All moves, or what the role was told.
 * @param {number | null} role
 * @param {number} seconds
 * @param {AbortSignal} signal
 * @returns {Promise<Decision | undefined>}
 */
export async function hint(game, position, role, seconds, signal) {
  const { decisions } = await post("/api/analyse", { game, ...position, role, players: ["paidia"], seconds }, signal);
  return decisions[0];
}

export class Analysis {
  /**
   * @param {import("./viewer.js").Viewer} viewer
   * @param {import("./types.js").Player[]} catalogue
   * @param {AbortSignal} signal
   */
  constructor(viewer, catalogue, signal) {
    this.viewer = viewer;
    const names = catalogue.map((one) => one.name);
    this.one = seatPicker("One player", catalogue, names.includes("paidia") ? "paidia" : (names[0] ?? "random"));
    this.other = seatPicker("Another", catalogue, names.includes("uct") ? "uct" : (names[1] ?? "random"));
    const time = timePicker(1);
    this.found = element("div", { class: "compared", "aria-live": "polite" });
    const ask = button("Analyse this position", () => busy(ask, async () => {
      const at = viewer.at;
      const { decisions } = await post("/api/analyse", {
        game: viewer.game.id, moves: viewer.path, role: null, players: [this.one.value(), this.other.value()], seconds: Number(time.value),
      }, signal);
      if (viewer.at === at) this.#show(decisions);
    }));
    this.element = element("details", { class: "panel analysis" }, element("summary", {}, "Analyse: compare two players"),
      element("div", { class: "compare-setup" }, this.one.element, this.other.element, field("Time for each", time)), ask, this.found);
  }

  /** To be called when another position is shown. */
  stale() {
    replace(this.found);
  }

  /** @param {Decision[]} decisions */
  #show(decisions) {
    const { viewer } = this;
    const pointing = {
      onPoint: (/** @type {number[]} */ cells) => viewer.point(cells),
      most: 5,
      onLine: (/** @type {import("./types.js").LineMove[]} */ line) => viewer.trace(line),
    };
    const agree = decisions.length > 1 && decisions.every((one) => one.move === decisions[0]?.move);
    replace(this.found, decisions.length === 0 ? element("p", {}, "Nobody has a choice here.") : null,
      decisions.length > 1 ? element("p", { class: "muted" }, agree ? "They agree on the move." : "They would play different moves.") : null,
      element("div", { class: "two" }, ...decisions.map((one) => decisionPanel(one, viewer.game, pointing))));
  }
}
