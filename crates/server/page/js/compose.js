/**
 * Makes a move word by word, where moves name no square and are too many for buttons: first what is done, then each of
 * its words, as long as there is a choice.
 *
 *     const composer = new Composer((move) => ..., looks);
 *     composer.offer(legalMoves);          // or [] for none
 *     root.append(composer.element);
 */
import { button, element, readable, replace } from "./dom.js";
import { pictureOf } from "./pieces.js";

/** @typedef {import("./types.js").LegalMove} LegalMove */

export class Composer {
  /**
   * @param {(move: string) => void} onMove
   * @param {Record<string, import("./types.js").Look>} looks
   */
  constructor(onMove, looks) {
    this.onMove = onMove;
    this.looks = looks;
    /** Moves with their words. @type {{move: string, words: string[]}[]} */
    this.moves = [];
    /** @type {string[]} */
    this.chosen = [];
    this.element = element("div", { class: "composer", role: "group", "aria-label": "Make a move word by word", hidden: true });
  }

  /** @param {LegalMove[]} legal */
  offer(legal) {
    this.moves = legal.map(({ move }) => ({ move, words: wordsOf(move) }));
    this.chosen = [];
    this.#show();
  }

  #fitting() {
    return this.moves.filter(({ words }) => this.chosen.every((word, at) => words[at] === word));
  }

  /** @param {string} word */
  #choose(word) {
    this.chosen.push(word);
    const fitting = this.#fitting();
    const whole = fitting.find(({ words }) => words.length === this.chosen.length);
    if (whole && fitting.length === 1) return this.onMove(whole.move);
    this.#show();
    this.element.querySelector("button")?.focus();
  }

  #show() {
    // What leaves no choice is chosen already.
    let fitting = this.#fitting();
    for (;;) {
      const next = new Set(fitting.map(({ words }) => words[this.chosen.length]));
      const only = [...next][0];
      if (next.size !== 1 || only === undefined || fitting.length < 2) break;
      this.chosen.push(only);
      fitting = this.#fitting();
    }
    this.element.hidden = fitting.length === 0;
    const at = this.chosen.length;
    const next = [...new Set(fitting.flatMap(({ words }) => (words[at] === undefined ? [] : [words[at] ?? ""])))];
    const whole = fitting.find(({ words }) => words.length === at);
    replace(this.element,
      element("p", {}, at === 0 ? "Choose" : `${this.chosen.map(readable).join(" ")} …`),
      element("div", { class: "actions" }, ...next.map((word) => this.#word(word)),
        whole ? button("That is all", () => this.onMove(whole.move)) : null,
        at > 1 ? button("Begin again", () => this.offer(this.moves.map(({ move }) => ({ move, steps: [] }))), { class: "button quiet" }) : null));
  }

  /** @param {string} word */
  #word(word) {
    const made = button(readable(word), () => this.#choose(word), { class: "button move" });
    const picture = Object.hasOwn(this.looks, word) ? pictureOf(word, this.looks) : null;
    if (picture) made.prepend(picture);
    return made;
  }
}

/** The words of a move: its name and its arguments, each a whole term. @param {string} move */
export function wordsOf(move) {
  const inner = move.startsWith("(") ? move.slice(1, -1) : move;
  /** @type {string[]} */
  const words = [];
  let [depth, word] = [0, ""];
  for (const letter of inner) {
    if (letter === " " && depth === 0) {
      words.push(word);
      word = "";
      continue;
    }
    depth += letter === "(" ? 1 : letter === ")" ? -1 : 0;
    word += letter;
  }
  return [...words, word];
}
