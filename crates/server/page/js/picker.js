/**
 * Finds a move by what is clicked: the first step's square, then the next. When several moves fit, a small chooser
 * asks, over the board; moves that name no square are buttons below it, and those that steer are made by arrow keys.
 * A list of all legal moves as buttons is always there.
 *
 *     const picker = new MovePicker(boards, (move) => ...);
 *     picker.offer(frame.legal[role], "red", lastCells);    // or picker.offer(null) when no person here is asked
 *     picker.cell(5);                                       // a square was clicked
 *     picker.clear();                                       // Escape
 */
import { Composer } from "./compose.js";
import { announce, button, element, plural, readable, replace } from "./dom.js";
import { moveText } from "./naming.js";
import { pictureOf } from "./pieces.js";

/** @typedef {import("./types.js").LegalMove} LegalMove */

const MANY = 24;
/** Words that steer, by the arrow key for them. @type {Record<string, RegExp>} */
const STEERING = {
  ArrowUp: /^(up|north|forward|thrust)$/iu, ArrowDown: /^(down|south|back|backward)$/iu,
  ArrowLeft: /^(left|west|counterclockwise|anticlockwise)$/iu, ArrowRight: /^(right|east|clockwise)$/iu,
};
/** More moves than this that name no square are made word by word. */
const MOST_BESIDE = 24;
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
    /** Called with the squares of a move that cannot be made. @type {(cells: number[]) => void} */
    this.onRefused = () => {};
    /** Whether the last move came from the list, so that the focus returns there. */
    this.fromList = false;
    this.filter = element("input", { type: "search", placeholder: "Filter moves", "aria-label": "Filter moves", oninput: () => this.#list() });
    this.heading = element("h3", {}, "Legal moves");
    this.items = element("ul", { class: "legal" });
    this.list = element("section", { class: "panel legal-panel", "aria-label": "Legal moves" },
      element("div", { class: "panel-head" }, this.heading), this.filter, this.items);
    this.beside = element("div", { class: "other-moves", role: "group", "aria-label": "Moves that are on no square", hidden: true });
    this.composer = new Composer((move) => this.#play(move), boards.scene.looks);
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
    if (targets(this.#fitting(), this.chosen).has(cell)) this.chosen.push(cell);
    else if (targets(this.legal, []).has(cell) && this.chosen[0] !== cell) this.chosen = [cell];
    else {
      if (this.chosen.length === 0) announce(`No move starts at ${this.boards.name(cell)}`);
      if (this.chosen[0] !== cell) this.onRefused([...this.chosen, cell]);
      this.chosen = [];
    }
    const fitting = this.#fitting();
    const only = fitting[0];
    if (this.chosen.length > 0 && fitting.length === 1 && only && isComplete(only, this.chosen)) this.#play(only.move);
    else this.#update();
  }

  /**
   * A piece was dragged from a square to another.
   * @param {number} from
   * @param {number} to
   */
  drop(from, to) {
    if (!this.legal) return;
    const chosen = this.chosen[this.chosen.length - 1] === from ? this.chosen : [from];
    const fits = this.legal.some((one) => open(one, [...chosen, to]).length > 0);
    this.chosen = fits ? [...chosen] : [];
    if (fits) this.cell(to);
    else {
      announce(`There is no move from ${this.boards.name(from)} to ${this.boards.name(to)}`);
      this.onRefused([from, to]);
      this.#update();
    }
  }

  /**
   * The move that an arrow key makes, where all moves steer.
   * @param {string} key
   * @returns {boolean} Whether it made one.
   */
  steer(key) {
    const word = STEERING[key];
    const own = (this.legal ?? []).filter((one) => one.move !== "noop");
    const steers = (/** @type {LegalMove} */ one, /** @type {RegExp} */ way) => one.steps.length === 0 && one.move.replace(/[()]/gu, "").split(/[\s_]+/u).some((part) => way.test(part));
    const all = Object.values(STEERING);
    if (!word || own.length === 0 || !own.every((one) => all.some((way) => steers(one, way)))) return false;
    const found = own.filter((one) => steers(one, word));
    if (found.length === 1 && found[0]) this.#play(found[0].move);
    return true;
  }

  /** @param {LegalMove} one */
  #text(one) {
    return moveText(one.move, one.steps.flat(), this.boards.scene, this.boards.contents);
  }

  #fitting() {
    return (this.legal ?? []).filter((one) => this.chosen.length === 0 || open(one, this.chosen).length > 0);
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
    const others = this.boards.any ? (this.legal ?? []).filter((one) => one.steps.length === 0) : [];
    const many = others.length > MOST_BESIDE;
    this.beside.hidden = others.length === 0;
    this.composer.offer(many ? others : []);
    replace(this.beside, ...(many ? [this.composer.element] : others.map((one) => button(this.#text(one), () => this.#play(one.move), { class: "button move" }))));
  }

  /** Marks on the boards what can be clicked now. */
  mark() {
    const possible = this.legal ? [...targets(this.#fitting(), this.chosen)] : [];
    if (this.chosen.length > 0) this.boards.mark({ last: this.last, selected: this.chosen, targets: possible });
    else this.boards.mark({ last: this.last, starts: possible, hint: this.hinted });
  }

  #list() {
    const fitting = this.#fitting();
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = fitting.filter((one) => words.every((word) => `${this.#text(one)} ${readable(one.move)}`.toLowerCase().includes(word)))
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
    const complete = this.chosen.length > 0 ? this.#fitting().filter((one) => isComplete(one, this.chosen)) : [];
    this.chooser.hidden = complete.length === 0;
    if (complete.length === 0) return;
    replace(this.chooser, element("p", {}, "Which move?"),
      element("div", { class: "actions" }, ...complete.slice(0, 40).map((one) => this.#choice(one)),
        button("Cancel", () => this.clear(), { class: "button quiet" })));
    this.#place();
    this.chooser.querySelector("button")?.focus({ preventScroll: true });
  }

  /** A button with what the move makes of the piece, where that has a picture. @param {LegalMove} one */
  #choice(one) {
    const made = button(this.#text(one), () => this.#play(one.move));
    const moving = this.boards.contents[this.chosen[0] ?? -1] ?? "";
    const looks = this.boards.scene.looks;
    const become = one.move.replace(/[()]/gu, "").split(/\s+/u).flatMap((word) => [word, moving.replace(/[^_]+$/u, word)]);
    const content = become.find((name) => Object.hasOwn(looks, name) && name !== moving);
    const picture = content ? pictureOf(content, looks) : null;
    if (picture) made.prepend(picture);
    return made;
  }

  /** Puts the chooser beside the square that was clicked last. */
  #place() {
    const cell = this.boards.rectangle(this.chosen[this.chosen.length - 1] ?? -1);
    const area = this.chooser.parentElement?.getBoundingClientRect();
    if (!cell || !area) return;
    const width = this.chooser.offsetWidth;
    const left = Math.min(Math.max(0, cell.left + cell.width / 2 - width / 2 - area.left), Math.max(0, area.width - width));
    const below = cell.bottom - area.top + 6;
    const top = below + this.chooser.offsetHeight > area.height ? Math.max(0, cell.top - area.top - this.chooser.offsetHeight - 6) : below;
    Object.assign(this.chooser.style, { left: `${left}px`, top: `${top}px` });
  }
}

/**
 * The ways to click a move, each a set of squares for each click.
 * @param {LegalMove} one
 * @returns {number[][][]}
 */
function waysOf(one) {
  return [...(one.steps.length > 0 ? [one.steps] : []), ...(one.ways ?? []).map((way) => way.map((cell) => [cell]))];
}

/**
 * The ways to click a move that begin with what was clicked.
 * @param {LegalMove} one
 * @param {number[]} chosen
 */
function open(one, chosen) {
  return waysOf(one).filter((way) => chosen.every((cell, index) => way[index]?.includes(cell)));
}

/**
 * @param {LegalMove} one
 * @param {number[]} chosen
 */
function isComplete(one, chosen) {
  return open(one, chosen).some((way) => way.length === chosen.length);
}

/**
 * The squares that may be clicked next.
 * @param {LegalMove[]} moves
 * @param {number[]} chosen
 * @returns {Set<number>}
 */
function targets(moves, chosen) {
  return new Set(moves.flatMap((one) => open(one, chosen).flatMap((way) => way[chosen.length] ?? [])));
}
