/**
 * A position viewer over a list of frames: boards, facts beside, move list, chart of values, what the searches found.
 * Tables and replays both use it.
 *
 *     const viewer = new Viewer(game, { onCell, onShow: (frame, index) => ... });
 *     root.append(viewer.element);
 *     viewer.setFrames(frames);            // or viewer.push(frame) for a live match
 *     viewer.goTo(3);
 *
 * Where information is hidden, `veiled` may name a role: then the frames hold only what this role was told and what is
 * certain by that, and what it saw is listed.
 *
 * Places for more: `viewer.above` and `viewer.below` (beside the board's column), `viewer.side` (the first thing in the
 * column at its side). `viewer.last` tells whether the newest position is shown; then pushed frames are followed.
 */
import { Boards } from "./board.js";
import { LineChart } from "./chart.js";
import { decisionPanel } from "./decision.js";
import { announce, button, element, icon, readable, replace } from "./dom.js";
import { facts, worthSeeing } from "./facts.js";
import { MoveList } from "./movelist.js";
import { jointText } from "./naming.js";
import { isEmpty } from "./pieces.js";
import { paintRoles } from "./roles.js";

/** @typedef {import("./types.js").Frame} Frame */
/** @typedef {import("./types.js").Game} Game */
/** @typedef {import("./types.js").LineMove} LineMove */
/**
 * @typedef {object} Options
 * @property {(cell: number) => void} [onCell] A cell was chosen.
 * @property {(from: number, to: number) => void} [onDrop] A piece was dragged.
 * @property {(frame: Frame, index: number) => void} [onShow] Another position is shown.
 * @property {() => void} [onMark] Sets the usual marks of the boards, where they are more than the last move.
 * @property {() => number | null} [veiled] The role to whom alone the position is shown, if things are hidden.
 * @property {boolean} [autoplay] Whether there is a button that goes through the moves.
 */

export class Viewer {
  /**
   * @param {Game} game
   * @param {Options} [options]
   */
  constructor(game, options = {}) {
    this.game = game;
    this.options = options;
    /** @type {Frame[]} */
    this.frames = [];
    this.at = 0;
    this.showLines = false;
    this.boards = new Boards(game.scene, game.start, { onCell: options.onCell, onDrop: options.onDrop, name: `${game.title} board` });
    this.moves = new MoveList(game, (index) => this.goTo(index));
    this.chart = new LineChart({ label: "Value for each role, by move", onPick: (index) => this.goTo(index) });
    this.above = element("div", { class: "above" });
    this.below = element("div", { class: "below" });
    this.side = element("div", { class: "side-top" });
    /** The boards, with what is laid over them. */
    this.area = element("div", { class: "board-area" }, this.boards.element);
    this.beside = element("div", { class: "beside" });
    this.found = element("div", { class: "found" });
    this.element = this.#arrange();
    paintRoles(this.element, game);
  }

  /** Whether the newest position is shown. */
  get last() {
    return this.at >= this.frames.length - 1;
  }

  /** The position shown. */
  get frame() {
    return this.frames[this.at] ?? this.game.start;
  }

  /** The joint moves that lead to the position shown. */
  get path() {
    return this.frames.slice(1, this.at + 1).flatMap((frame) => (frame.made ? [frame.made.joint] : []));
  }

  /**
   * Shows another list of frames, at its end or at an index.
   * @param {Frame[]} frames
   * @param {number} [at]
   */
  setFrames(frames, at = frames.length - 1) {
    this.frames = frames;
    this.at = Math.max(0, Math.min(at, frames.length - 1));
    this.#show(null);
  }

  /**
   * Adds a frame in its place, dropping those from its ply on; follows it when the newest was shown.
   * @param {Frame} frame
   */
  push(frame) {
    const kept = this.frames.filter((one) => one.ply < frame.ply);
    const follow = this.last || kept.length < this.frames.length;
    const before = this.frame;
    this.frames = [...kept, frame];
    if (follow) this.at = this.frames.length - 1;
    if (follow && frame.made && (this.options.veiled?.() ?? null) === null) announce(jointText(frame.made.joint, frame.made.cells, this.game, before.cells));
    this.#show(follow ? before : null);
  }

  /** @param {number} index */
  goTo(index) {
    const before = this.frame;
    this.at = Math.max(0, Math.min(index, this.frames.length - 1));
    this.#show(before);
    const made = (this.options.veiled?.() ?? null) === null ? this.frame.made : null;
    announce(`Position ${this.at}${made ? `: ${jointText(made.joint, made.cells, this.game)}` : ""}`);
  }

  /**
   * Marks squares that something beside the board is about; none brings back the usual marks, which `onMark` may set.
   * @param {number[]} cells
   */
  point(cells) {
    const last = this.frame.made?.cells ?? [];
    if (cells.length > 0) this.boards.mark({ last, hint: cells });
    else if (this.options.onMark) this.options.onMark();
    else this.boards.mark({ last });
  }

  /** Shows the boards from the other side. */
  turn() {
    this.boards.turn();
    this.redraw();
  }

  /** Shows what a search that is going on has found. @param {import("./types.js").Decision} decision */
  showThought(decision) {
    if (!this.last) return;
    replace(this.found, decisionPanel(decision, this.game, { onPoint: (cells) => this.point(cells) }));
    this.#finding.hidden = false;
  }

  /** Shows the same position anew. */
  redraw() {
    this.#show(null);
  }

  /** @param {Frame | null} before */
  #show(before) {
    const frame = this.frame;
    const veiled = this.options.veiled?.() ?? null;
    const clicked = (frame.legal ?? []).some((own) => own.some((one) => one.steps.length > 0));
    this.boards.element.hidden = veiled !== null && !clicked && frame.cells.every((content) => content === null);
    this.boards.show(frame, { from: before });
    this.point([]);
    const previous = this.frames[this.at - 1] ?? null;
    const turnless = { ...frame, beside: this.boards.any ? worthSeeing(frame, this.game.roles) : frame.beside };
    const told = veiled === null ? turnless : { beside: [...seen(this.frames.slice(0, this.at + 1), veiled), ...worthSeeing(frame, this.game.roles)] };
    replace(this.beside, facts(told, { large: !this.boards.any || veiled !== null, from: veiled === null ? previous : null }));
    this.moves.show(this.frames, this.at, veiled);
    this.#showFound(frame, previous);
    this.#showChart();
    if (veiled !== null) this.#finding.hidden = this.#charting.hidden = true;
    for (const [control, index] of this.#steps) control.disabled = index() === this.at;
    this.options.onShow?.(frame, this.at);
  }

  /**
   * @param {Frame} frame
   * @param {Frame | null} previous
   */
  #showFound(frame, previous) {
    const decisions = (frame.made?.by ?? []).flatMap((one) => one ?? []);
    const failures = (frame.made?.failures ?? []).flatMap((text, role) => (text ? [`${readable(this.game.roles[role] ?? "")}: ${text}`] : []));
    const pointing = {
      onPoint: (/** @type {number[]} */ cells) => this.point(cells),
      onLine: (/** @type {LineMove[]} */ line) => this.#preview(line, frame, previous),
    };
    replace(this.found, ...failures.map((text) => element("p", { class: "failure" }, text)),
      ...decisions.map((decision) => decisionPanel(decision, this.game, pointing)));
    this.#finding.hidden = decisions.length + failures.length === 0;
    this.trace([]);
  }

  /**
   * A line of play starts where its move was chosen: that position is shown as long as it is pointed at.
   * @param {LineMove[]} line
   * @param {Frame} frame
   * @param {Frame | null} previous
   */
  #preview(line, frame, previous) {
    const from = line.length > 0 && previous ? previous : frame;
    this.boards.show(from);
    this.trace(line, from);
  }

  /**
   * Draws a line of play; an empty one brings back what is usually drawn: the rest of what the search expected, if wanted.
   * @param {LineMove[]} line
   * @param {Frame} [from]
   */
  trace(line, from = this.frame) {
    const expected = (this.showLines && this.frame.made?.by?.find((one) => one)?.line) || [];
    const drawn = line.length > 0 ? line : expected.slice(1);
    this.boards.line(drawn, from, placed(this.frames, this.boards.scene));
  }

  #showChart() {
    const series = this.game.roles.map((name, role) => ({ name: readable(name), role, values: this.frames.map((frame) => valueOf(frame, role)) }));
    const told = series.filter((one) => one.role !== this.game.random);
    this.#charting.hidden = !told.some((one) => one.values.filter((value) => value !== null).length > 1);
    this.chart.show({ series: told, at: this.at, ticks: (index) => `move ${index}` });
  }

  /** @type {[HTMLButtonElement, () => number][]} */
  #steps = [];
  #charting = element("section", { class: "panel charting", "aria-label": "Values" });
  #finding = element("section", { class: "panel finding", "aria-label": "What the search found" });

  #arrange() {
    const step = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {() => number} */ index) => {
      const control = button("", () => this.goTo(index()), { class: "button step", "aria-label": label, title: label });
      control.append(icon(sign));
      this.#steps.push([control, index]);
      return control;
    };
    const steps = element("div", { class: "steps", role: "group", "aria-label": "Go through the moves" },
      step("first", "First position", () => 0), step("back", "Back", () => Math.max(0, this.at - 1)),
      this.options.autoplay ? this.#autoplay() : null,
      step("forward", "Forward", () => Math.min(this.frames.length - 1, this.at + 1)), step("newest", "Newest position", () => this.frames.length - 1));
    const lines = element("input", { type: "checkbox", onchange: () => { this.showLines = lines.checked; this.#show(null); } });
    this.#finding.append(element("div", { class: "panel-head" }, element("h3", {}, "The search"),
      element("label", { class: "check" }, lines, "Draw its line")), this.found);
    this.#charting.append(element("h3", {}, "Value over time"), this.chart.element);
    return element("div", { class: this.boards.any ? "viewer" : "viewer boardless" },
      element("div", { class: "stage" }, this.above, ...(this.boards.any ? [this.area, this.below, this.beside] : [this.beside, this.area, this.below])),
      element("div", { class: "side" }, this.side,
        element("section", { class: "panel", "aria-label": "Moves made" },
          element("div", { class: "panel-head" }, element("h3", {}, "Moves"), steps), this.moves.element),
        this.#charting, this.#finding));
  }

  #autoplay() {
    let timer = 0;
    const control = button("Play", () => {
      if (timer) stop();
      else {
        if (this.last) this.goTo(0);
        timer = setInterval(() => (this.last || !control.isConnected ? stop() : this.goTo(this.at + 1)), 900);
        control.textContent = "Pause";
      }
    }, { class: "button step wide" });
    const stop = () => {
      clearInterval(timer);
      timer = 0;
      control.textContent = "Play";
    };
    return control;
  }
}

/**
 * The value of a frame for a role: its goal at the end, else what the search that led there found, its own first.
 * @param {Frame} frame
 * @param {number} role
 * @returns {number | null}
 */
export function valueOf(frame, role) {
  const goal = frame.goals?.[role];
  if (typeof goal === "number") return goal;
  const own = frame.made?.by?.[role];
  if (own && typeof own.value === "number") return own.value;
  for (const decision of frame.made?.by ?? []) {
    const value = decision?.values?.[role];
    if (typeof value === "number") return value;
  }
  return null;
}

/**
 * What each role puts on the board: the content that last came onto an empty square by its move alone.
 * @param {Frame[]} frames
 * @param {import("./types.js").Scene} scene
 * @returns {Map<number, string>}
 */
export function placed(frames, scene) {
  /** @type {Map<number, string>} */
  const found = new Map();
  frames.forEach((frame, index) => {
    const movers = (frame.made?.joint ?? []).flatMap((move, role) => (move === "noop" || move === "" ? [] : [role]));
    const [role, ...others] = movers;
    const cell = frame.made?.cells.find((one) => isEmpty(frames[index - 1]?.cells[one], scene.looks) && !isEmpty(frame.cells[one], scene.looks));
    const content = cell === undefined ? null : frame.cells[cell];
    if (role !== undefined && others.length === 0 && content) found.set(role, content);
  });
  return found;
}

/**
 * What a role has seen so far, as facts.
 * @param {Frame[]} frames
 * @param {number} role
 * @returns {import("./types.js").Fact[]}
 */
function seen(frames, role) {
  const told = frames.flatMap((frame, index) => {
    const percepts = frame.percepts?.[role] ?? [];
    return percepts.length > 0 ? [{ label: `you saw after move ${index}`, values: percepts }] : [];
  });
  return told.length > 0 ? told : [{ label: "you saw so far", values: ["nothing yet"] }];
}
