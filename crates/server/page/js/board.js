/**
 * Draws the boards of any scene as SVG, one drawing a board.
 *
 *     const boards = new Boards(scene, start, { onCell: (cell) => ..., small: false });
 *     root.append(boards.element);
 *     boards.show(frame, { from: previousFrame });      // moved pieces glide from where they were
 *     boards.mark({ last: [3], selected: [5], targets: [7, 8], starts: [], hint: [] });
 *     boards.line(decision.line, frame);                // a line of play as arrows and ghost pieces; [] clears it
 *
 * `start` (the first frame, or null) tells which cells of a sparse board exist. Without `onCell` the cells can be looked
 * at by keyboard but not chosen; with `small` the boards are mere pictures for cards, and nothing takes the focus.
 * `boards.turn()` shows them from the other side. With `onDrop` pieces can be dragged from one cell to another.
 * Keys: arrows walk over the cells, Enter or the space bar chooses; the page sees Escape.
 */
import { existing, knob, neighbour, plainTiles } from "./cells.js";
import { drawing, element, readable, still } from "./dom.js";
import { layout } from "./geometry.js";
import { Drag } from "./drag.js";
import { drawLine } from "./line.js";
import { appear, glide, journeys } from "./motion.js";
import { isEmpty, piece, toneOf } from "./pieces.js";

/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").Frame} Frame */
/** @typedef {import("./types.js").LineMove} LineMove */
/** @typedef {import("./geometry.js").Place} Place */
/** @typedef {Pick<Frame, "cells"> & Partial<Frame>} Position */
/** @typedef {{last?: number[], selected?: number[], targets?: number[], starts?: number[], hint?: number[]}} Marks */
/**
 * @typedef {object} Drawn One board as drawn.
 * @property {import("./types.js").Board} board
 * @property {import("./geometry.js").Layout} layout
 * @property {Map<number, SVGGElement>} cells
 * @property {SVGGElement} pieces
 * @property {SVGGElement} over
 */

const KINDS = /** @type {const} */ (["last", "selected", "targets", "starts", "hint"]);
const SPOKEN = { last: "last move", selected: "chosen", targets: "possible", starts: "can be chosen", hint: "hinted" };

export class Boards {
  /**
   * @param {Scene} scene
   * @param {{cells: (string | null)[]} | null} start
   * @param {{onCell?: (cell: number) => void, onDrop?: (from: number, to: number) => void, small?: boolean, name?: string}} [options]
   */
  constructor(scene, start, options = {}) {
    this.scene = scene;
    this.options = options;
    this.small = options.small ?? false;
    /** @type {(string | null)[]} */
    this.contents = [];
    /** @type {Marks} */
    this.marks = {};
    /** @type {Map<number, Place>} */
    this.places = new Map();
    this.start = start;
    this.turned = false;
    /** Cells that turned out to exist. @type {Set<number>} */
    this.revealed = new Set();
    this.element = element("div", { class: this.small ? "boards small" : "boards" });
    /** @type {Drawn[]} */
    this.drawn = [];
    this.#drawAll();
    if (start) this.show(start);
  }

  #drawAll() {
    this.element.replaceChildren();
    this.places.clear();
    this.drawn = this.scene.boards.map((board) => {
      const exists = existing(board, this.start, this.scene);
      return this.#draw({ ...board, turned: this.turned }, (cell) => exists(cell) || this.revealed.has(cell));
    });
  }

  /**
   * Draws the boards anew when a position or a legal move needs cells that were taken for holes.
   * @param {Position} frame
   */
  #reveal(frame) {
    const needed = frame.cells.flatMap((content, cell) => (isEmpty(content, this.scene.looks) ? [] : [cell]));
    const clicked = (frame.legal ?? []).flat().flatMap((one) => one.steps.filter((step) => step.length === 1).flat());
    const missing = [...needed, ...clicked].filter((cell) => !this.places.has(cell));
    if (missing.length === 0) return;
    for (const cell of missing) this.revealed.add(cell);
    this.#drawAll();
  }

  /** Shows the boards from the other side, or from a given one. @param {boolean} [turned] */
  turn(turned = !this.turned) {
    if (turned === this.turned) return;
    this.turned = turned;
    this.#drawAll();
    this.show({ cells: this.contents });
    this.mark(this.marks);
  }

  /** Where a cell is on the screen; null when it is not drawn. @param {number} cell */
  rectangle(cell) {
    return this.#drawnOf(cell)?.cells.get(cell)?.getBoundingClientRect() ?? null;
  }

  /** Whether there is anything to draw. */
  get any() {
    return this.drawn.length > 0;
  }

  /**
   * Shows a position; pieces that moved since `from` glide.
   * @param {Position} frame
   * @param {{from?: Position | null}} [options]
   */
  show(frame, { from = null } = {}) {
    this.contents = frame.cells;
    this.#reveal(frame);
    const moved = from && !still() ? journeys(from, frame, this.scene, this.places) : null;
    for (const drawn of this.drawn) {
      drawn.pieces.replaceChildren();
      for (const place of drawn.layout.places) this.#place(drawn, place, moved);
    }
    this.#label();
  }

  /**
   * Sets the marks; those left out go away.
   * @param {Marks} marks
   */
  mark(marks) {
    this.marks = marks;
    for (const drawn of this.drawn) {
      for (const [cell, group] of drawn.cells) {
        for (const kind of KINDS) group.classList.toggle(kind, marks[kind]?.includes(cell) ?? false);
      }
    }
    this.#label();
  }

  /**
   * Draws a line of play that starts at a position.
   * @param {LineMove[]} line
   * @param {Position} frame
   * @param {Map<number, string>} [placed] What each role puts on the board, where that is known.
   */
  line(line, frame, placed = new Map()) {
    for (const drawn of this.drawn) drawn.over.replaceChildren();
    if (line.length === 0) return;
    drawLine(line, frame.cells, placed, this.scene, this.places, (cell) => this.#drawnOf(cell)?.over ?? null);
  }

  /** @param {number} cell */
  focus(cell) {
    const drawn = this.#drawnOf(cell);
    const group = drawn?.cells.get(cell);
    if (!drawn || !group) return;
    this.#rove(drawn, cell);
    group.focus();
  }

  /**
   * What a cell is called, such as "a3".
   * @param {number} cell
   */
  name(cell) {
    const drawn = this.#drawnOf(cell);
    const place = this.places.get(cell);
    if (!drawn || !place) return String(cell);
    const { board } = drawn;
    const column = board.columnLabels[place.column] ?? "";
    const row = board.rowLabels[place.row] ?? "";
    const square = /^[a-z]$/i.test(column) && row.length < 3 ? column + row : `column ${readable(column)}, row ${readable(row)}`;
    return this.drawn.length > 1 ? `${this.#title(board)} ${square}` : square;
  }

  /**
   * What one of several boards is called: by its name, or by its number where several have the same.
   * @param {import("./types.js").Board} board
   */
  #title(board) {
    const { boards } = this.scene;
    const same = boards.filter((one) => one.name === board.name).length > 1;
    return same ? `board ${boards.findIndex((one) => one.first === board.first) + 1}` : readable(board.name);
  }

  /** @param {number} cell */
  #drawnOf(cell) {
    return this.drawn.find((one) => one.cells.has(cell));
  }

  /**
   * @param {import("./types.js").Board} board
   * @param {(cell: number) => boolean} present
   * @returns {Drawn}
   */
  #draw(board, present) {
    const plan = layout(board, present, !this.small);
    const { box } = plan;
    const svg = drawing("svg", {
      class: `board ${board.shape}${board.checkered ? " checkered" : ""}`,
      viewBox: `${box.x} ${box.y} ${box.width} ${box.height}`,
      role: this.small ? "img" : "group",
      "aria-label": [this.options.name ?? "Board", ...(this.scene.boards.length > 1 ? [this.#title(board)] : [])].join(", "),
    });
    svg.style.setProperty("--ratio", String(box.width / box.height));
    svg.style.maxWidth = `${Math.round(box.width * (this.small ? 0.6 : board.columns.length < 6 ? 1.3 : 0.95))}px`;
    const tiles = drawing("g", { class: "tiles", "aria-hidden": this.small ? "true" : undefined });
    tiles.append(...plan.edges.map(({ colour, path }) => {
      const side = drawing("path", { class: "edge", d: path });
      side.style.stroke = toneOf(colour);
      return side;
    }));
    if (plan.lines) tiles.append(drawing("path", { class: "lines", d: plan.lines }));
    tiles.append(...plan.bare.map((outline) => drawing("path", { class: "tile", d: outline })));
    tiles.append(...plan.dots.map(({ x, y }) => drawing("circle", { class: "lone", cx: x, cy: y, r: 15 })));
    /** @type {Map<number, SVGGElement>} */
    const cells = new Map();
    for (const place of plan.places) this.places.set(place.cell, place);
    if (this.small) tiles.append(...plainTiles(plan.places, board.shape === "points"));
    else {
      for (const place of plan.places) cells.set(place.cell, this.#cell(place, board.shape === "points"));
      tiles.append(...cells.values());
    }
    if (plan.blocks) tiles.append(drawing("path", { class: "blocks", d: plan.blocks }));
    const labels = plan.labels.map(({ x, y, text }) => drawing("text", { class: text.length > 2 ? "label long" : "label", x, y }, text));
    const pieces = drawing("g", { class: "pieces", "aria-hidden": "true" });
    const over = drawing("g", { class: "over", "aria-hidden": "true" });
    svg.append(tiles, drawing("g", { class: "labels", "aria-hidden": "true" }, ...labels), pieces, over);
    const figure = element("div", { class: "one-board" });
    if (this.scene.boards.length > 1) figure.append(element("div", { class: "board-name" }, this.#title(board)));
    figure.append(svg);
    this.element.append(figure);
    const drawn = { board, layout: plan, cells, pieces, over };
    if (!this.small) this.#listen(svg, drawn);
    return drawn;
  }

  /**
   * @param {Place} place
   * @param {boolean} point Whether it is a point of lines, and has a dot.
   */
  #cell(place, point) {
    return drawing("g", {
      class: `cell${place.dark ? " dark" : ""}`,
      "data-cell": place.cell,
      role: "button",
      tabindex: -1,
      "aria-disabled": this.options.onCell ? undefined : "true",
    },
    drawing("path", { class: "tile", d: place.outline }),
    drawing("path", { class: "tint", d: place.outline }),
    point && drawing("path", { class: "knob", d: knob(place) }),
    drawing("circle", { class: "target", cx: place.x, cy: place.y, r: 14 }));
  }

  /**
   * @param {Drawn} drawn
   * @param {Place} place
   * @param {Map<number, number | null> | null} moved
   */
  #place(drawn, place, moved) {
    const content = this.contents[place.cell];
    const shape = piece(content, this.scene.looks);
    drawn.cells.get(place.cell)?.classList.toggle("taken", shape !== null);
    if (!shape) return;
    const { room } = drawn.layout;
    const holder = drawing("g", { transform: `translate(${place.x} ${place.y})${room === 1 ? "" : ` scale(${room})`}` }, shape);
    drawn.pieces.append(holder);
    const source = moved?.get(place.cell);
    if (source === undefined) return;
    const from = source === null ? undefined : this.places.get(source);
    if (from && this.#drawnOf(from.cell) === drawn) {
      drawn.pieces.append(holder);
      glide(shape, (from.x - place.x) / room, (from.y - place.y) / room);
    } else appear(shape);
  }

  /** Labels every cell for those who hear the page. */
  #label() {
    if (this.small) return;
    for (const drawn of this.drawn) {
      for (const [cell, group] of drawn.cells) {
        const content = this.contents[cell];
        const what = isEmpty(content, this.scene.looks) ? "empty" : readable(content ?? "");
        const notes = KINDS.filter((kind) => this.marks[kind]?.includes(cell)).map((kind) => SPOKEN[kind]);
        const label = [`${this.name(cell)}: ${what}`, ...notes].join(", ");
        if (group.getAttribute("aria-label") !== label) group.setAttribute("aria-label", label);
      }
    }
  }

  /**
   * @param {SVGSVGElement} svg
   * @param {Drawn} drawn
   */
  #listen(svg, drawn) {
    const top = drawn.layout.places.find((place) => place.row === drawn.board.rows.length - 1) ?? drawn.layout.places[0];
    if (top) this.#rove(drawn, top.cell);
    const cellOf = (/** @type {Event} */ event) => {
      const group = /** @type {Element} */ (event.target).closest(".cell");
      return group ? Number(group.getAttribute("data-cell")) : null;
    };
    const drag = this.options.onDrop ? new Drag(svg, this, this.options.onDrop) : null;
    svg.addEventListener("click", (event) => {
      const cell = cellOf(event);
      if (drag?.justDropped) return;
      if (cell !== null) this.options.onCell?.(cell);
    });
    svg.addEventListener("focusin", (event) => {
      const cell = cellOf(event);
      if (cell !== null) this.#rove(drawn, cell);
    });
    svg.addEventListener("keydown", (event) => {
      const cell = cellOf(event);
      if (cell === null || event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        this.options.onCell?.(cell);
        return;
      }
      const next = neighbour(drawn, cell, event.key);
      if (next === null) return;
      event.preventDefault();
      this.focus(next);
    });
  }

  /**
   * Makes one cell the board's stop of the Tab key.
   * @param {Drawn} drawn
   * @param {number} cell
   */
  #rove(drawn, cell) {
    for (const [other, group] of drawn.cells) group.setAttribute("tabindex", other === cell ? "0" : "-1");
  }
}
