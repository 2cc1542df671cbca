/**
 * The cells of a board: which exist, how they are drawn in mere pictures, and where the arrow keys lead.
 */
import { drawing } from "./dom.js";
import { isEmpty } from "./pieces.js";

/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./geometry.js").Place} Place */
/** @typedef {import("./board.js").Drawn} Drawn */

/**
 * Which cells of a board exist. A sparse board, and one of which some cells are said to be empty at the start, has holes
 * where nothing is said; on any other every cell exists.
 * @param {import("./types.js").Board} board
 * @param {{cells: (string | null)[]} | null} start
 * @param {Scene} scene
 */
export function existing(board, start, scene) {
  const end = board.first + board.columns.length * board.rows.length;
  const cells = start?.cells.slice(board.first, end) ?? [];
  const telling = board.sparse || cells.some((content) => content !== null && isEmpty(content, scene.looks));
  return (/** @type {number} */ cell) => !telling || start?.cells[cell] !== null;
}

/** The dot on a point of a board of lines. @param {Place} place */
export function knob({ x, y }) {
  return `M${x - 7} ${y}a7 7 0 1 0 14 0a7 7 0 1 0 -14 0z`;
}

/**
 * The tiles of a picture, where no cell needs to be an element of its own.
 * @param {Place[]} places
 * @param {boolean} points
 */
export function plainTiles(places, points) {
  const outlines = (/** @type {boolean} */ dark) => places.filter((place) => place.dark === dark).map((place) => place.outline).join("");
  return [
    drawing("path", { class: "tile", d: outlines(false) }),
    drawing("g", { class: "dark" }, drawing("path", { class: "tile", d: outlines(true) })),
    ...(points ? [drawing("path", { class: "knob", d: places.map(knob).join("") })] : []),
  ];
}

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/**
 * The cell that an arrow key leads to, over holes; null when there is none.
 * @param {Drawn} drawn
 * @param {number} cell
 * @param {string} key
 */
export function neighbour(drawn, cell, key) {
  const { columns, rows, first } = drawn.board;
  const [column, row] = [(cell - first) % columns.length, Math.floor((cell - first) / columns.length)];
  if (key === "Home" || key === "End") {
    const inRow = drawn.layout.places.filter((place) => place.row === row);
    return (key === "Home" ? inRow[0] : inRow[inRow.length - 1])?.cell ?? null;
  }
  const arrow = ARROWS[key];
  if (!arrow) return null;
  const step = drawn.board.turned ? [-arrow[0], -arrow[1]] : arrow;
  let [c, r] = [column + step[0], row + step[1]];
  while (c >= 0 && c < columns.length && r >= 0 && r < rows.length) {
    const found = first + r * columns.length + c;
    if (drawn.cells.has(found)) return found;
    [c, r] = [c + step[0], r + step[1]];
  }
  return cell;
}
