/**
 * Finds a move by what is clicked: the first step's square, then the next. When several moves fit, a small chooser
 * asks; a list of all legal moves as buttons is always there.
 *
 *     const picker = new MovePicker(boards, (move) => ...);
 *     picker.offer(frame.legal[role], "red", lastCells);    // or picker.offer(null) when nobody here is asked
 *     picker.cell(5);                                       // a square was clicked
 *     picker.clear();                                       // Escape
 */
import { announce, button, element, plural, replace } from "./dom.js";
import { moveText } from "./naming.js";

/** @typedef {import("./types.js").LegalMove} LegalMove */

const MANY = 24;
const ORDER = new Intl.Collator("en", { numeric: true });

export class MovePicker {
  /**
   * @param {import("./board.js").Boards} boards
   * @param {(move: string) => void} onMove
   */
  constructor(boards, onMove) {
    this.boards = boards;
    this.onMove = onMove;
    /** @type {LegalMove[] | null} */
    this.legal = null;
    /** @type {number[]} */
    this.chosen = [];
    /** @type {number[]} */
    this.last = [];
    /** @type {number[]} */
    this.hinted = [];
    this.who = "";
    /** Whether the last move came from the list, so that the focus returns there. */
    this.fromList = false;
    this.filter = element("input", { type: "search", placeholder: "Filter moves", "aria-label": "Filter moves", oninput: () => this.#list() });
    this.heading = element("h3", {}, "Legal moves");
    this.items = element("ul", { class: "legal" });
    this.list = element("section", { class: "panel legal-panel", "aria-label": "Legal moves" },
      element("div", { class: "panel-head" }, this.heading), this.filter, this.items);
    this.chooser = element("div", { class: "chooser", role: "group", "aria-label": "Several moves fit: choose one", hidden: true });
  }

  /**
   * Offers moves to a person, or with null takes the offer back.
   * @param {LegalMove[] | null} legal
   * @param {string} [who]
   * @param {number[]} [last] The squares of the last move.
   */
  offer(legal, who = "", last = []) {
    // The same offer again, such as when another role has chosen: what was clicked and focused stays.
    if (legal && legal === this.legal && who === this.who) return;
    this.legal = legal;
    this.who = who;
    this.last = last;
    this.hinted = [];
    this.filter.value = "";
    this.clear();
    if (legal && this.fromList && document.activeElement === document.body) this.items.querySelector("button")?.focus();
    if (legal) this.fromList = false;
  }

  /** @param {number[]} cells */
  hint(cells) {
    this.hinted = cells;
    this.mark();
  }

  /** Forgets what was clicked. */
  clear() {
    this.#leaveChooser();
    this.chosen = [];
    this.#update();
  }

  /** @param {number} cell */
  cell(cell) {
    if (!this.legal) return;
    if (targets(this.#fitting(), this.chosen.length).has(cell)) this.chosen.push(cell);
    else if (targets(this.legal, 0).has(cell) && this.chosen[0] !== cell) this.chosen = [cell];
    else {
      if (this.chosen.length === 0) announce(`No move starts at ${this.boards.name(cell)}`);
      this.chosen = [];
    }
    const fitting = this.#fitting();
    const only = fitting[0];
    if (this.chosen.length > 0 && fitting.length === 1 && only && only.steps.length === this.chosen.length) this.#play(only.move);
    else this.#update();
  }

  /** @param {LegalMove} one */
  #text(one) {
    return moveText(one.move, one.steps.flat(), this.boards.scene);
  }

  #fitting() {
    return (this.legal ?? []).filter((one) => this.chosen.every((cell, index) => one.steps[index]?.includes(cell)));
  }

  /**
   * @param {string} move
   * @param {boolean} [fromList]
   */
  #play(move, fromList = false) {
    this.fromList = fromList;
    this.#leaveChooser();
    this.chosen = [];
    this.chooser.hidden = true;
    this.onMove(move);
  }

  /** Gives the focus back to the board when the chooser that has it goes. */
  #leaveChooser() {
    const cell = this.chosen[this.chosen.length - 1];
    if (cell !== undefined && this.chooser.contains(document.activeElement)) this.boards.focus(cell);
  }

  #update() {
    this.mark();
    this.#list();
    this.#ask();
  }

  /** Marks on the boards what can be clicked now. */
  mark() {
    const possible = this.legal ? [...targets(this.#fitting(), this.chosen.length)] : [];
    if (this.chosen.length > 0) this.boards.mark({ last: this.last, selected: this.chosen, targets: possible });
    else this.boards.mark({ last: this.last, starts: possible, hint: this.hinted });
  }

  #list() {
    const fitting = this.#fitting();
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = fitting.filter((one) => words.every((word) => this.#text(one).toLowerCase().includes(word)))
      .sort((one, other) => ORDER.compare(one.move, other.move));
    this.list.hidden = this.legal === null;
    this.filter.hidden = (this.legal?.length ?? 0) <= MANY;
    this.heading.textContent = this.chosen.length > 0 ? `${plural(fitting.length, "move")} from there`
      : `${plural(fitting.length, "legal move")}${this.who ? ` for ${this.who}` : ""}`;
    replace(this.items, ...shown.slice(0, 400).map((one) => this.#item(one)),
      shown.length > 400 ? element("li", { class: "muted" }, `and ${shown.length - 400} more: filter to find them`) : null);
  }

  /** @param {LegalMove} one */
  #item(one) {
    const cells = one.steps.flatMap((step) => (step.length <= 1 ? step : []));
    const point = (/** @type {number[]} */ hint) => this.boards.mark({ last: this.last, selected: this.chosen, hint });
    return element("li", {}, button(this.#text(one), () => this.#play(one.move, true), {
      class: "button move", onmouseenter: () => point(cells), onmouseleave: () => this.mark(), onfocus: () => point(cells), onblur: () => this.mark(),
    }));
  }

  /** Asks which of several moves is meant, if no further click can tell. */
  #ask() {
    const complete = this.chosen.length > 0 ? this.#fitting().filter((one) => one.steps.length === this.chosen.length) : [];
    this.chooser.hidden = complete.length === 0;
    if (complete.length === 0) return;
    replace(this.chooser, element("p", {}, "Which move?"),
      element("div", { class: "actions" }, ...complete.slice(0, 40).map((one) => button(this.#text(one), () => this.#play(one.move))),
        button("Cancel", () => this.clear(), { class: "button quiet" })));
    this.chooser.querySelector("button")?.focus();
  }
}

/**
 * The squares that a next step may be.
 * @param {LegalMove[]} moves
 * @param {number} step
 * @returns {Set<number>}
 */
function targets(moves, step) {
  return new Set(moves.flatMap((one) => one.steps[step] ?? []));
}
