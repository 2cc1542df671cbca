/**
 * The game of a sheet while it is written: a board beside the editor on which every role can be played, by hand or at
 * random. After each change of the sheet the same moves are made again, as far as they are still legal.
 *
 *     const live = new LiveBoard(editor, signal);
 *     root.append(live.element);   await live.update(text, name);
 */
import { ApiError, post } from "./api.js";
import { Boards } from "./board.js";
import { busy, button, element, message, readable, replace } from "./dom.js";
import { lineStarts } from "./editor.js";
import { facts } from "./facts.js";
import { MovePicker } from "./picker.js";
import { questions, WhyPanel } from "./why.js";

/** @typedef {import("./types.js").Frame} Frame */
/** @typedef {import("./types.js").Game} Game */

export class LiveBoard {
  /**
   * @param {import("./editor.js").Editor} editor
   * @param {AbortSignal} signal
   */
  constructor(editor, signal) {
    this.editor = editor;
    this.signal = signal;
    this.text = "";
    this.name = "";
    /** @type {string[][]} */
    this.moves = [];
    /** @type {Frame[]} */
    this.frames = [];
    /** @type {Game | null} */
    this.game = null;
    /** What each role has chosen in this step. @type {Map<number, string>} */
    this.chosen = new Map();
    /** Squares that were clicked in vain. @type {number[]} */
    this.refused = [];
    this.place = element("div", { class: "write-start" });
    this.said = element("p", { class: "status", role: "status" });
    this.back = button("Back", () => busy(this.back, () => this.go(this.moves.slice(0, -1))));
    this.again = button("Start again", () => busy(this.again, () => this.go([])));
    this.random = button("Random move", () => busy(this.random, () => this.draw()));
    this.why = new WhyPanel({
      ask: async (question) => (await post("/api/why", { game: this.game?.id, moves: this.moves, ...question }, signal)).lines,
      point: (cells) => this.boards?.mark({ last: this.frame?.made?.cells ?? [], hint: cells }),
      place: (line, end) => ({ onclick: () => this.#select(line, end) }),
    });
    /** @type {Boards | null} */
    this.boards = null;
    /** @type {MovePicker | null} */
    this.picker = null;
    this.element = element("div", { class: "live-board", hidden: true }, this.place, this.said,
      element("div", { class: "actions" }, this.random, this.back, this.again), this.why.element);
  }

  get frame() {
    return this.frames[this.frames.length - 1] ?? null;
  }

  /**
   * The sheet is sound, and this is its text.
   * @param {string} text
   * @param {string} name
   */
  async update(text, name) {
    this.text = text;
    this.name = name;
    await this.go(this.moves);
  }

  /**
   * Makes moves from the start; those from the first on that is not legal any more are dropped.
   * @param {string[][]} moves
   * @returns {Promise<void>}
   */
  async go(moves) {
    const { text, name, signal } = this;
    try {
      const answer = await post("/api/line", { text, name, moves }, signal);
      if (text !== this.text || signal.aborted) return;
      this.moves = moves;
      this.#show(answer.game, answer.frames);
    } catch (problem) {
      if (signal.aborted || text !== this.text) return;
      const place = problem instanceof ApiError ? /^move (\d+)|after (\d+) moves/u.exec(problem.message) : null;
      const kept = place ? Number(place[1] ?? Number(place[2]) + 1) - 1 : 0;
      if (moves.length > 0) return this.go(moves.slice(0, Math.min(kept, moves.length - 1)));
      this.said.textContent = message(problem);
    }
  }

  /** A joint move of moves drawn at random. */
  async draw() {
    const { frame } = this;
    const legal = frame?.legal ?? [];
    if (!frame || frame.ended || legal.some((own) => own.length === 0)) return;
    await this.go([...this.moves, legal.map((own) => own[Math.floor(Math.random() * own.length)]?.move ?? "")]);
  }

  /**
   * @param {Game} game
   * @param {Frame[]} frames
   */
  #show(game, frames) {
    const before = this.frame;
    const same = this.game !== null && JSON.stringify(this.game.scene) === JSON.stringify(game.scene);
    this.game = game;
    this.frames = frames;
    this.chosen.clear();
    this.refused = [];
    this.element.hidden = false;
    if (!same || !this.boards || !this.picker) {
      const boards = new Boards(game.scene, game.start, {
        name: "The game of this sheet", onCell: (/** @type {number} */ cell) => this.picker?.cell(cell), onDrop: (/** @type {number} */ from, /** @type {number} */ to) => this.picker?.drop(from, to),
      });
      this.boards = boards;
      const picker = new MovePicker(boards, (move) => void this.#choose(move));
      picker.onRefused = (cells) => {
        this.refused = cells;
        this.#ask();
      };
      this.picker = picker;
      this.beside = element("div", {});
      replace(this.place, element("div", { class: "board-area" }, boards.any ? boards.element : null, picker.chooser), this.beside, picker.beside,
        element("details", {}, element("summary", {}, "All moves"), picker.list));
    }
    const { frame } = this;
    if (!frame) return;
    this.boards.show(frame, { from: same ? before : null });
    this.boards.mark({ last: frame.made?.cells ?? [] });
    replace(/** @type {HTMLElement} */ (this.beside), facts(frame, { large: false, from: null }));
    this.back.disabled = this.again.disabled = this.moves.length === 0;
    this.random.disabled = Boolean(frame.ended);
    this.#offer();
  }

  /** Asks the next role that has something to do. */
  #offer() {
    const { frame, game, picker } = this;
    if (!frame || !game || !picker) return;
    const role = this.#asked();
    const last = frame.made?.cells ?? [];
    if (role === undefined) picker.offer(null);
    else picker.offer(frame.legal?.[role] ?? [], readable(game.roles[role] ?? ""), last);
    const goals = frame.goals?.map((goal, at) => `${readable(game.roles[at] ?? "")} ${goal ?? "–"}`).join(", ");
    this.said.textContent = frame.ended ? `It is over${goals ? `: ${goals}` : ""}.`
      : role === undefined ? "No role has a choice here." : `Move ${this.moves.length + 1}: choose for ${readable(game.roles[role] ?? "")}.`;
    this.#ask();
  }

  #asked() {
    return this.frame?.ended ? undefined : this.frame?.turn.find((role) => !this.chosen.has(role));
  }

  #ask() {
    const { frame, game } = this;
    if (!frame || !game) return;
    if (!/^gdl/iu.test(game.dialect)) return this.why.offer([], "");
    const role = this.#asked() ?? 0;
    this.why.offer(questions(game, frame, this.moves.length, role, this.refused, (cell) => this.boards?.name(cell) ?? ""), JSON.stringify([this.text, this.moves]));
  }

  /** @param {string} move */
  async #choose(move) {
    const role = this.#asked();
    const { frame } = this;
    if (role === undefined || !frame) return;
    this.chosen.set(role, move);
    if (this.#asked() !== undefined) return this.#offer();
    const legal = frame.legal ?? [];
    const drawn = (/** @type {import("./types.js").LegalMove[]} */ own) => own[Math.floor(Math.random() * own.length)]?.move ?? "";
    await this.go([...this.moves, legal.map((own, at) => this.chosen.get(at) ?? drawn(own))]);
  }

  /**
   * @param {number} line
   * @param {number} end
   */
  #select(line, end) {
    const starts = lineStarts(this.editor.text());
    const from = starts[line - 1] ?? 0;
    this.editor.select(from, (starts[end] ?? this.editor.text().length + 1) - 1);
  }
}
