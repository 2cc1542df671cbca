/**
 * The moves made so far, as a list of buttons that go to a position. One stop of the Tab key; arrows walk in it.
 *
 *     const list = new MoveList(game, (index) => viewer.goTo(index));
 *     list.show(frames, at);
 */
import { element, readable } from "./dom.js";
import { moveText, worthTelling } from "./naming.js";

/** @typedef {import("./types.js").Frame} Frame */

export class MoveList {
  /**
   * @param {import("./naming.js").Named} game
   * @param {(index: number) => void} onPick
   */
  constructor(game, onPick) {
    this.game = game;
    this.onPick = onPick;
    this.element = element("ol", { class: "move-list", "aria-label": "Moves" });
    this.element.addEventListener("keydown", (event) => this.#key(event));
    /** @type {Frame[]} */
    this.listed = [];
    /** @type {number | null} */
    this.only = null;
  }

  /**
   * @param {Frame[]} frames
   * @param {number} at Which of them is shown.
   * @param {number | null} [only] Whose moves alone are told, where the others' are hidden.
   */
  show(frames, at, only = null) {
    if (only !== this.only) this.listed = [];
    this.only = only;
    const same = this.listed.findIndex((frame, index) => frame !== frames[index]);
    const keep = same < 0 ? Math.min(this.listed.length, frames.length) : same;
    while (this.element.childElementCount > keep) this.element.lastElementChild?.remove();
    for (let index = keep; index < frames.length; index += 1) this.element.append(this.#entry(frames, index));
    this.listed = [...frames];
    [...this.element.children].forEach((item, index) => {
      const button = /** @type {HTMLElement} */ (item.firstElementChild);
      button.tabIndex = index === at ? 0 : -1;
      if (index === at) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    });
    this.#scroll(at);
  }

  /**
   * @param {Frame[]} frames
   * @param {number} index
   */
  #entry(frames, index) {
    const made = frames[index]?.made;
    const joint = made?.joint ?? [];
    const told = this.only === null ? worthTelling(joint) : [{ role: this.only, move: joint[this.only] ?? "" }];
    const parts = made ? told.map(({ role, move }) => {
      const name = readable(this.game.roles[role] ?? "");
      return element("span", { class: "made" },
        element("span", { class: `swatch series-${role % 6}`, title: name, "aria-hidden": "true" }),
        element("span", { class: "unseen" }, `${name} `), moveText(move, made.cells, this.game.scene, this.only === null ? frames[index - 1]?.cells : undefined));
    }) : ["Start"];
    return element("li", {}, element("button", { type: "button", onclick: () => this.onPick(index) },
      element("span", { class: "ply" }, index), ...parts));
  }

  /** Keeps the current move in view inside the list, without moving the page. @param {number} at */
  #scroll(at) {
    const item = /** @type {HTMLElement | undefined} */ (this.element.children[at]);
    if (!item) return;
    const [top, bottom] = [item.offsetTop, item.offsetTop + item.offsetHeight];
    if (top < this.element.scrollTop) this.element.scrollTop = top;
    else if (bottom > this.element.scrollTop + this.element.clientHeight) this.element.scrollTop = bottom - this.element.clientHeight;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const items = [...this.element.querySelectorAll("button")];
    const at = items.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    /** @type {Record<string, number>} */
    const keys = { ArrowUp: at - 1, ArrowLeft: at - 1, ArrowDown: at + 1, ArrowRight: at + 1, Home: 0, End: items.length - 1 };
    const next = keys[event.key];
    if (next === undefined || at < 0) return;
    event.preventDefault();
    const index = Math.min(items.length - 1, Math.max(0, next));
    this.onPick(index);
    items[index]?.focus();
  }
}
