/**
 * What a player that thinks has found so far: a bar of values, how long it still thinks, and a button to make it move.
 * The bar keeps its place when nothing is thought, so that the board does not jump.
 */
import { busy, button, element, number, readable, replace } from "./dom.js";
import { valueOf } from "./viewer.js";

export class Thought {
  /** @param {import("./table.js").TableView} page */
  constructor(page) {
    this.page = page;
    /** When the search ends. */
    this.until = 0;
    this.timer = 0;
    /** @type {import("./types.js").Decision | null} */
    this.found = null;
    this.bar = element("div", { class: "evaluation", role: "img" });
    this.left = element("span", { class: "hint countdown" });
    this.now = button("Move now", () => busy(this.now, () => page.send("move-now")), { class: "button quiet" });
    this.element = element("div", { class: "thought" }, this.bar, this.left, this.now);
    page.signal.addEventListener("abort", () => clearInterval(this.timer));
  }

  /** @param {number} seconds */
  begin(seconds) {
    this.until = performance.now() + 1000 * seconds;
    this.found = null;
    clearInterval(this.timer);
    this.timer = setInterval(() => this.#count(), 200);
    this.update();
  }

  /** @param {import("./types.js").Decision} found */
  show(found) {
    this.found = found;
    // Where the page was opened during the search, what it has taken so far tells how long it goes on.
    if (this.until === 0) {
      this.until = performance.now() + 1000 * Math.max(0, this.page.table.seconds - found.seconds);
      clearInterval(this.timer);
      this.timer = setInterval(() => this.#count(), 200);
    }
    this.update();
  }

  #count() {
    const left = Math.max(0, this.until - performance.now()) / 1000;
    const simulations = this.found?.simulations ? `, ${number(this.found.simulations)} simulations` : "";
    const time = this.until === 0 ? "thinking" : left === 0 ? "almost done" : `${number(left, 1)} s left`;
    this.left.textContent = `${time}${simulations}`;
  }

  update() {
    const { page } = this;
    const thinks = page.thinking.size > 0;
    if (!thinks) {
      clearInterval(this.timer);
      this.until = 0;
      this.found = null;
    } else this.#count();
    this.left.classList.toggle("away", !thinks);
    this.now.classList.toggle("away", !thinks);
    this.now.disabled = !thinks;
    const players = page.game.roles.map((_, role) => role).filter((role) => role !== page.game.random);
    const values = players.map((role) => {
      const found = this.found?.values?.[role];
      return typeof found === "number" ? found : page.viewer.at > 0 ? last(page, role) : null;
    });
    this.element.hidden = page.secret || players.length > 2 || page.table.seats.every((seat) => seat === "human" || seat === null);
    const known = values.map((value, place) => value ?? (players.length === 2 && typeof values[1 - place] === "number" ? 100 - /** @type {number} */ (values[1 - place]) : null));
    const sum = known.reduce((/** @type {number} */ all, value) => all + Math.max(0, value ?? 0), 0);
    const share = (/** @type {number} */ place) => (sum > 0 ? (100 * Math.max(0, known[place] ?? 0)) / sum : 100 / players.length);
    this.bar.classList.toggle("away", known.every((value) => value === null));
    this.bar.setAttribute("aria-label", players.map((role, place) => `${readable(page.game.roles[role] ?? "")}: ${known[place] === null ? "not known" : number(known[place] ?? 0)}`).join(", "));
    replace(this.bar, ...players.map((role, place) => element("span", { class: `swatch-bar series-${role % 6}`, style: { width: `${players.length === 1 ? known[0] ?? 0 : share(place)}%` } })));
  }
}

/**
 * The value of the last position that has one.
 * @param {import("./table.js").TableView} page
 * @param {number} role
 */
function last(page, role) {
  for (let at = page.viewer.at; at > 0; at -= 1) {
    const frame = page.viewer.frames[at];
    const value = frame ? valueOf(frame, role) : null;
    if (value !== null) return value;
  }
  return null;
}
