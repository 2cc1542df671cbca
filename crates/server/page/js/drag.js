/**
 * Dragging a piece from one cell of a board to another, beside clicking one and then the other.
 */
import { piece } from "./pieces.js";
import { drawing } from "./dom.js";

/** How far the pointer goes before it drags, in pixels of the screen. */
const SLACK = 7;

export class Drag {
  /**
   * @param {SVGSVGElement} svg
   * @param {import("./board.js").Boards} boards
   * @param {(from: number, to: number) => void} onDrop
   */
  constructor(svg, boards, onDrop) {
    this.svg = svg;
    this.boards = boards;
    this.onDrop = onDrop;
    /** @type {{cell: number, x: number, y: number, ghost: SVGGElement | null} | null} */
    this.held = null;
    /** Whether the click that comes now is the end of a drag. */
    this.justDropped = false;
    svg.addEventListener("pointerdown", (event) => this.#take(event));
    svg.addEventListener("pointermove", (event) => this.#move(event));
    svg.addEventListener("pointerup", (event) => this.#drop(event));
    svg.addEventListener("pointercancel", () => this.#leave());
  }

  /** @param {PointerEvent} event */
  #cellAt(event) {
    const found = document.elementFromPoint(event.clientX, event.clientY)?.closest(".cell");
    return found ? Number(found.getAttribute("data-cell")) : null;
  }

  /** @param {PointerEvent} event */
  #take(event) {
    this.justDropped = false;
    const cell = this.#cellAt(event);
    const { starts = [], targets = [] } = this.boards.marks;
    if (event.button !== 0 || cell === null || !(starts.includes(cell) || targets.includes(cell))) return;
    this.held = { cell, x: event.clientX, y: event.clientY, ghost: null };
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const { held } = this;
    if (!held) return;
    if (!held.ghost && Math.hypot(event.clientX - held.x, event.clientY - held.y) < SLACK) return;
    if (!held.ghost) {
      const shape = piece(this.boards.contents[held.cell], this.boards.scene.looks);
      held.ghost = drawing("g", { class: "dragged" }, shape ?? drawing("circle", { class: "ghost-ring", r: 30 }));
      this.svg.append(held.ghost);
      this.svg.setPointerCapture(event.pointerId);
    }
    const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM()?.inverse());
    held.ghost.setAttribute("transform", `translate(${place.x} ${place.y})`);
  }

  /** @param {PointerEvent} event */
  #drop(event) {
    const { held } = this;
    this.#leave();
    if (!held?.ghost) return;
    this.justDropped = true;
    const cell = this.#cellAt(event);
    if (cell !== null && cell !== held.cell) this.onDrop(held.cell, cell);
  }

  #leave() {
    this.held?.ghost?.remove();
    this.held = null;
  }
}
